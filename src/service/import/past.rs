//! The digests of earlier versions of notes: they show whether a file is older than its note.
//!
//! Reads the journal once.

use crate::core::notes::{Note, Portable, composed};
use crate::failure::Failure;
use crate::ids::NoteId;
use crate::store::disk::RealDisk;
use crate::store::each_version;
use std::collections::BTreeMap;
use uuid::Uuid;

/// The digests of every kept version of every note.
#[derive(Debug)]
pub(super) struct Past(BTreeMap<NoteId, Vec<Print>>);

impl Past {
    /// Reads the versions from the journal.
    pub(super) fn read(disk: &mut RealDisk) -> Result<Self, Failure> {
        let mut past: BTreeMap<NoteId, Vec<Print>> = BTreeMap::new();
        each_version(disk, &|_| true, &mut |version| {
            past.entry(version.id).or_default().push(Print::of(version));
        })?;
        Ok(Self(past))
    }

    /// Returns whether some version of a note had that content.
    pub(super) fn was(&self, id: NoteId, note: &Portable) -> bool {
        let versions = self.0.get(&id).into_iter().flatten();
        versions.into_iter().any(|version| version.is_like(note))
    }
}

/// The digests of a version of a note, short enough to be kept of all of them.
#[derive(Debug)]
struct Print {
    title: Uuid,
    value: Uuid,
    keywords: Uuid,
    kind: Uuid,
}

impl Print {
    fn of(note: &Note) -> Self {
        Self {
            title: short(&composed(&note.title)),
            value: short(&note.value),
            keywords: short(&note.keywords.join("\n")),
            kind: short(&note.note_kind),
        }
    }

    fn is_like(&self, note: &Portable) -> bool {
        let same = |said: Option<&str>, print| said.is_none_or(|said| short(said) == print);
        let written = &note.written;
        let keywords = written.keywords.as_ref().map(|words| words.join("\n"));
        let title = note.title();
        same(title.as_deref().map(composed).as_deref(), self.title)
            && same(written.value.as_deref(), self.value)
            && same(keywords.as_deref(), self.keywords)
            && same(written.kind.as_deref(), self.kind)
    }
}

/// Returns the digest of a text.
pub(super) fn short(text: &str) -> Uuid {
    Uuid::new_v5(&Uuid::NAMESPACE_OID, text.as_bytes())
}
