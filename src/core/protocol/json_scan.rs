//! Where the instructions of a JSON reply begin and end, as far as it has arrived. It follows brackets
//! and quotes and nothing else: whether what stands between them means anything, others decide.

/// A reply while it is followed.
#[derive(Clone, Debug, Default)]
pub(super) struct JsonScan {
    /// Everything before has been looked at.
    at: usize,
    /// The brackets that are open.
    open: Vec<u8>,
    is_quoted: bool,
    is_escaped: bool,
    /// The instruction that is open: where it began, and under how many brackets.
    item: Option<(usize, usize)>,
    /// The instructions that are closed, as ranges of the text.
    items: Vec<(usize, usize)>,
    /// Where the document ended.
    end: Option<usize>,
}

impl JsonScan {
    /// A whole text.
    pub(super) fn of(text: &str) -> Self {
        let mut scan = Self::default();
        scan.advance(text);
        scan
    }

    /// Follows a text on from where it was left; it must begin with what was seen before.
    pub(super) fn advance(&mut self, text: &str) {
        let bytes = text.as_bytes();
        while self.end.is_none()
            && let Some(byte) = bytes.get(self.at)
        {
            self.take(*byte);
            self.at += 1;
        }
    }

    /// The instructions that are closed.
    pub(super) fn items(&self) -> &[(usize, usize)] {
        &self.items
    }

    /// Where the instruction began that is open.
    pub(super) fn open_item(&self) -> Option<usize> {
        self.item.map(|(start, _)| start)
    }

    /// Where the document ended, if it has.
    pub(super) const fn end(&self) -> Option<usize> {
        self.end
    }

    fn take(&mut self, byte: u8) {
        if self.is_quoted {
            match byte {
                _ if self.is_escaped => self.is_escaped = false,
                b'\\' => self.is_escaped = true,
                b'"' => self.is_quoted = false,
                _ => {}
            }
            return;
        }
        match byte {
            // Before the document there may be a fence, and quotes mean nothing.
            b'"' => self.is_quoted = !self.open.is_empty(),
            b'{' => {
                // An instruction is an object in the list, or the list's only one without it.
                if self.item.is_none() && self.open.last() == Some(&b'[') {
                    self.item = Some((self.at, self.open.len()));
                }
                self.open.push(byte);
            }
            b'[' => self.open.push(byte),
            b'}' | b']' if !self.open.is_empty() => {
                self.open.pop();
                if let Some((start, _)) = self.item.take_if(|(_, depth)| *depth == self.open.len())
                {
                    self.items.push((start, self.at + 1));
                }
                if self.open.is_empty() {
                    self.end = Some(self.at + 1);
                }
            }
            _ => {}
        }
    }
}
