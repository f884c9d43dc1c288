//! Turns byte offsets into lines and columns. Done last, in one walk over the text, and only for
//! places that somebody will be told about.

/// Walks forward through a text; offsets must be asked for in ascending order.
pub(super) struct Places<'a> {
    rest: &'a [u8],
    offset: usize,
    line: usize,
    column: usize,
}

impl<'a> Places<'a> {
    pub(super) const fn new(text: &'a str) -> Self {
        Self {
            rest: text.as_bytes(),
            offset: 0,
            line: 1,
            column: 1,
        }
    }

    /// Line and column of `offset`, both from 1, the column in characters.
    pub(super) fn at(&mut self, offset: usize) -> (usize, usize) {
        let step = offset.saturating_sub(self.offset).min(self.rest.len());
        let (passed, rest) = self.rest.split_at(step);
        let mut tail = passed;
        if let Some(last) = passed.iter().rposition(|byte| *byte == b'\n') {
            self.line += count(passed, |byte| byte == b'\n');
            self.column = 1;
            tail = &passed[last + 1..];
        }
        // A byte of the form 10xxxxxx goes on with a character that was counted already.
        self.column += count(tail, |byte| byte & 0xc0 != 0x80);
        self.rest = rest;
        self.offset += step;
        (self.line, self.column)
    }
}

fn count(bytes: &[u8], is: impl Fn(u8) -> bool) -> usize {
    bytes.iter().filter(|byte| is(**byte)).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_and_columns_count_from_one_in_characters() {
        let text = "a\u{17c}b\n\n  x";
        let mut places = Places::new(text);
        let found: Vec<_> = [0, 1, 3, 3, 4, 5, 8, 99].map(|at| places.at(at)).into();
        let expected = [
            (1, 1),
            (1, 2),
            (1, 3),
            (1, 3),
            (1, 4),
            (2, 1),
            (3, 3),
            (3, 4),
        ];
        assert_eq!(found, expected);
    }
}
