//! The digests that the notes' files should have.
//! A start does not need them before its first call, so those of the checkpoint are read only on
//! demand.

use crate::core::journal::Hash;
use crate::ids::NoteId;
use crate::store::error::Error;
use std::collections::BTreeMap;

/// The digest of each note's file.
#[derive(Clone, Debug, Default)]
pub(crate) struct NoteDigests {
    /// The checkpoint's list as JSON until it is parsed. Its own digest was verified.
    unread: Option<String>,
    known: BTreeMap<NoteId, Hash>,
}

impl NoteDigests {
    /// Returns a list that is not parsed yet.
    pub(crate) const fn unread(json: String) -> Self {
        Self {
            unread: Some(json),
            known: BTreeMap::new(),
        }
    }

    /// Returns all digests; parses the list on the first call.
    pub(crate) fn read(&mut self) -> Result<&mut BTreeMap<NoteId, Hash>, Error> {
        if let Some(json) = &self.unread {
            // The text is dropped only after it was parsed: an empty list in its place would lose
            // notes.
            self.known = serde_json::from_str(json)?;
            self.unread = None;
        }
        Ok(&mut self.known)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_that_cannot_be_read_is_never_an_empty_one() {
        let mut digests = NoteDigests::unread("{".to_owned());
        assert!(digests.read().is_err());
        assert!(digests.read().is_err());
    }
}
