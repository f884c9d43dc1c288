//! Finds the instructions of a JSON reply, as far as it has arrived. It follows brackets and quotes
//! and nothing else; whether the text between them has a meaning, others decide.

#[derive(Clone, Debug, Default)]
pub(super) struct JsonScan {
    /// Everything before has been looked at.
    at: usize,
    open: Vec<u8>,
    is_quoted: bool,
    is_escaped: bool,
    /// The instruction that is open: its first byte, and the number of brackets around it.
    item: Option<(usize, usize)>,
    /// The instructions that are closed, as ranges of the text.
    pub(super) items: Vec<(usize, usize)>,
    pub(super) end: Option<usize>,
}

impl JsonScan {
    /// Moves on through a text, which must begin with what was scanned before.
    pub(super) fn advance(&mut self, text: &str) {
        while self.end.is_none()
            && let Some(byte) = text.as_bytes().get(self.at)
        {
            self.take(*byte);
            self.at += 1;
        }
    }

    /// Returns the first byte of the instruction that is open.
    pub(super) fn open_item(&self) -> Option<usize> {
        self.item.map(|(start, _)| start)
    }

    fn take(&mut self, byte: u8) {
        if self.is_quoted {
            self.is_quoted = byte != b'"' || self.is_escaped;
            self.is_escaped = byte == b'\\' && !self.is_escaped;
            return;
        }
        match byte {
            // Before the document there may be a fence, and quotes mean nothing.
            b'"' => self.is_quoted = !self.open.is_empty(),
            b'{' | b'[' => {
                // An instruction is an object in a list.
                if byte == b'{' && self.item.is_none() && self.open.last() == Some(&b'[') {
                    self.item = Some((self.at, self.open.len()));
                }
                self.open.push(byte);
            }
            b'}' | b']' if self.open.pop().is_some() => {
                let depth = self.open.len();
                if let Some((start, _)) = self.item.take_if(|(_, outer)| *outer == depth) {
                    self.items.push((start, self.at + 1));
                }
                if depth == 0 {
                    self.end = Some(self.at + 1);
                }
            }
            _ => {}
        }
    }
}
