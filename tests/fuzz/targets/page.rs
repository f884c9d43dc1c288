//! A page of Markdown with a head: what is read of it is written, and read again, as the same note.

use kjxlkj_agent::core::notes::{
    CreatedBy, Note, NoteAuthor, PortableNote, from_markdown, links_in, to_markdown,
};
use kjxlkj_agent::ids::NoteId;
use kjxlkj_agent::time::Timestamp;
use std::collections::BTreeSet;
use uuid::Uuid;

pub(super) fn run(input: &[u8]) {
    let Ok(text) = std::str::from_utf8(input) else {
        return;
    };
    let read = match from_markdown(text) {
        Ok(read) => read,
        Err(problem) => {
            let lines = text.split('\n').count();
            assert!((1..=lines).contains(&problem.line), "{problem:?}");
            assert!(!problem.reason.is_empty());
            return;
        }
    };
    let note = note_of(&read);
    let written = to_markdown(&note);
    let again = from_markdown(&written).unwrap();
    assert_eq!(again, portable_of(&note), "{written:?}");
    assert!(again.is_like(&note), "{written:?}");
    assert_eq!(to_markdown(&note_of(&again)), written);
    let json = serde_json::to_value(&again).unwrap();
    assert_eq!(
        PortableNote::from_json(json.as_object().unwrap()),
        Ok(again),
        "{json}"
    );
    let json = serde_json::to_value(&read).unwrap();
    assert_eq!(
        PortableNote::from_json(json.as_object().unwrap()),
        Ok(read),
        "{json}"
    );
}

/// The note that a page becomes.
fn note_of(read: &PortableNote) -> Note {
    let written = &read.written;
    let value = written.value.clone().unwrap_or_default();
    let links = written.links.clone().unwrap_or_default();
    let mut known = BTreeSet::new();
    let links = links.into_iter().chain(links_in(&value));
    let day = Timestamp::from_millis(1_700_000_000_123);
    Note {
        id: read.id.unwrap_or(NoteId(Uuid::from_u128(7))),
        workspace_id: "6f0d3c52-8a5e-4d7b-9a41-2c7be1f05d38".parse().unwrap(),
        note_kind: written.kind.clone().unwrap_or_else(|| "note".to_owned()),
        title: read.title().unwrap_or_else(|| "Untitled".to_owned()),
        keywords: written.keywords.clone().unwrap_or_default(),
        links: links.filter(|link| known.insert(*link)).collect(),
        value,
        issues: read.issues.clone(),
        version: written.version.unwrap_or(1),
        created_at: read.created_at.unwrap_or(day),
        updated_at: read.updated_at.unwrap_or(day),
        created_by: CreatedBy {
            actor_type: NoteAuthor::User,
            run_id: None,
        },
        deleted_at: None,
    }
}

/// What a page says of a note: everything that it can hold.
fn portable_of(note: &Note) -> PortableNote {
    let mut portable = PortableNote {
        id: Some(note.id),
        created_at: Some(note.created_at),
        updated_at: Some(note.updated_at),
        issues: note.issues.clone(),
        ..PortableNote::default()
    };
    let written = &mut portable.written;
    written.version = Some(note.version);
    written.title = Some(note.title.clone());
    written.keywords = Some(note.keywords.clone());
    written.value = Some(note.value.clone());
    written.kind = Some(note.note_kind.clone());
    written.links = Some(note.links.clone());
    portable
}
