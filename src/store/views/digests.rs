//! The digests that the notes' files should have. A start does not need them before the first
//! question has left, so those of the checkpoint are read only when somebody asks for them.

use crate::core::journal::Hash;
use crate::ids::NoteId;
use crate::store::error::Error;
use std::collections::BTreeMap;

/// The digest of each note's file.
#[derive(Clone, Debug, Default)]
pub(crate) struct NoteDigests {
    /// The checkpoint's list as JSON, until it is read. Its own digest was verified.
    unread: Option<String>,
    known: BTreeMap<NoteId, Hash>,
}

impl NoteDigests {
    /// A list that is still to be read.
    pub(crate) const fn unread(json: String) -> Self {
        Self {
            unread: Some(json),
            known: BTreeMap::new(),
        }
    }

    /// All of them.
    pub(crate) fn read(&mut self) -> Result<&mut BTreeMap<NoteId, Hash>, Error> {
        if let Some(json) = &self.unread {
            // Only what was understood is let go of: taken for an empty list, it would lose notes.
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
