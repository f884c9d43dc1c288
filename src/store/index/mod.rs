//! The search index over the notes, in `data/index`: derived, and deletable at any time. It is built
//! beside the work by a thread of its own and never changes after that; notes that changed since are
//! looked at one by one, until they are so many that it is built anew.
//!
//! Nothing depends on it. Whatever is wrong with it is said once, and searches look at every note
//! until there is a new one. Which notes it knows as they are now is told by the digests of their
//! files, so it does not matter how old it is or which root it was made for.

mod build;
mod folder;
mod job;
mod lookup;
mod reader;

use crate::core::notes::{Candidates, Note, NoteIndex, Query};
use crate::ids::NoteId;
use crate::limits::{INDEX_BEHIND_MIN, INDEX_NOTES_MIN, INDEX_RETRY_MS};
use crate::store::Store;
use crate::store::disk::RealDisk;
use crate::store::error::Error;
use crate::time::Timestamp;
use folder::Folder;
use job::{Job, Opened, Told};
use reader::Reader;
use serde::{Deserialize, Serialize};
use std::cell::Cell;
use std::collections::BTreeSet;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

pub use lookup::{index_covers, notes_worth_a_look};

/// The form of the index, and of the words in it: one more with each change of either.
const FORMAT: u32 = 1;

/// What an index covers, as it says itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Covers {
    format: u32,
    /// The newest commit that it may hold something of.
    pub seq: u64,
    /// How many notes it covers.
    pub notes: usize,
}

/// A note to be indexed, with the beginning of its file's digest where that is known.
#[derive(Clone, Debug)]
struct Indexed {
    note: Arc<Note>,
    digest: Option<u64>,
}

/// The index of a store, as far as there is one.
#[derive(Debug)]
pub(super) struct Keeper {
    folder: Folder,
    current: Option<Current>,
    job: Option<Job>,
    /// Whether the current one proved to be damaged.
    is_broken: Cell<bool>,
    /// Not before this moment is another one tried.
    not_before: Option<Timestamp>,
}

/// An index that searches use.
struct Current {
    reader: Reader,
    /// What it does not know as it is now.
    unindexed: BTreeSet<NoteId>,
}

impl fmt::Debug for Current {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (notes, behind) = (self.reader.len(), self.unindexed.len());
        write!(f, "Current({notes} notes, {behind} behind)")
    }
}

impl Keeper {
    fn new(disk: RealDisk) -> Self {
        Self {
            folder: Folder::of(disk),
            current: None,
            job: None,
            is_broken: Cell::new(false),
            not_before: None,
        }
    }

    /// Notes that a note was written or removed.
    pub(super) fn touch(&mut self, id: NoteId) {
        if let Some(current) = &mut self.current {
            current.unindexed.insert(id);
        }
        if let Some(job) = &mut self.job {
            job.touched.insert(id);
        }
    }

    /// Takes what the thread has done so far, and lets go of an index that is damaged. Gives what a
    /// person should hear.
    fn settle(&mut self, now: Timestamp) -> Vec<String> {
        let mut notices = Vec::new();
        if self.is_broken.replace(false) {
            self.current = None;
            notices.push(
                "the search index is damaged and will be built anew; until then every search looks at every note"
                    .to_owned(),
            );
        }
        while let Some(told) = self.job.as_ref().and_then(Job::told) {
            match told {
                Told::Building(notes) => notices.push(format!(
                    "the search index is being built over {notes} notes; until then every search looks at every note"
                )),
                Told::Built(notes) => notices.push(format!("the search index covers {notes} notes")),
                Told::Opened(opened) => self.take(*opened),
                Told::Failed(why) => {
                    self.not_before = Some(now.plus_millis(INDEX_RETRY_MS));
                    notices.push(format!(
                        "the search index could not be built: {why}; every search looks at every note"
                    ));
                }
                Told::Over => self.job = None,
            }
        }
        notices
    }

    fn take(&mut self, opened: Opened) {
        let Some(job) = &mut self.job else { return };
        let mut unindexed = opened.unindexed;
        unindexed.append(&mut job.touched);
        self.current = Some(Current {
            reader: opened.reader,
            unindexed,
        });
    }

    /// Whether an index should be opened or built now.
    fn is_due(&self, notes: usize, now: Timestamp) -> bool {
        let waits = self.not_before.is_some_and(|until| now < until);
        if self.job.is_some() || waits || notes < INDEX_NOTES_MIN {
            return false;
        }
        match &self.current {
            Some(current) => is_behind(current.unindexed.len(), notes),
            None => true,
        }
    }
}

/// Whether so many notes are not indexed that building anew is worth it.
fn is_behind(unindexed: usize, notes: usize) -> bool {
    unindexed > INDEX_BEHIND_MIN.max(notes / 20)
}

impl NoteIndex for Keeper {
    fn candidates(&self, query: &Query) -> Option<Candidates<'_>> {
        let current = self.current.as_ref()?;
        if self.is_broken.get() || query.is_blank() {
            return None;
        }
        // Bytes that were damaged after they were checked may make the library panic.
        let found = catch_unwind(AssertUnwindSafe(|| current.reader.find(query)));
        let error = match found {
            Ok(Ok((ranked, are_exact))) => {
                return Some(Candidates {
                    ranked: Box::new(ranked),
                    are_exact,
                    unindexed: &current.unindexed,
                });
            }
            Ok(Err(error)) => error.to_string(),
            Err(_) => "reading it failed".to_owned(),
        };
        tracing::debug!(error, "the search index cannot be read");
        self.is_broken.set(true);
        None
    }
}

impl Store {
    /// Keeps a search index from now on, on a disk of its own with the same root.
    pub fn keep_index(&mut self, disk: RealDisk) {
        self.index = Some(Keeper::new(disk));
    }

    /// Finds notes of the state.
    pub fn note_index(&self) -> &dyn NoteIndex {
        match &self.index {
            Some(keeper) => keeper,
            None => &crate::core::notes::NoIndex,
        }
    }

    /// Whether the index's thread is at work, so that it is worth looking soon what came of it.
    pub fn awaits_index(&self) -> bool {
        self.index.as_ref().is_some_and(|index| index.job.is_some())
    }

    /// Takes what the index's thread has done, and gives it work where there is some. Never waits.
    /// Gives what a person should hear.
    pub fn tend_index(&mut self, now: Timestamp) -> Result<Vec<String>, Error> {
        let Some(keeper) = &mut self.index else {
            return Ok(Vec::new());
        };
        let mut notices = keeper.settle(now);
        let notes = &self.state.notes;
        if !notes.is_complete() || !keeper.is_due(notes.len(), now) {
            return Ok(notices);
        }
        let digests = self.views.notes.read()?;
        let snapshot = notes.snapshot().into_iter().map(|note| Indexed {
            digest: digests.get(&note.id).map(|digest| digest.beginning()),
            note,
        });
        let seq = self.segments.head.seq;
        let rebuild = keeper.current.is_some();
        match Job::start(keeper.folder.clone(), snapshot.collect(), seq, rebuild) {
            Ok(job) => keeper.job = Some(job),
            Err(error) => {
                // There is no memory for a thread.
                keeper.not_before = Some(now.plus_millis(INDEX_RETRY_MS));
                notices.push(format!("the search index cannot be built: {error}"));
            }
        }
        Ok(notices)
    }
}

#[cfg(test)]
mod tests {
    use super::build::build;
    use super::folder::Folder;
    use super::reader::{Reader, covers};
    use super::{Current, Indexed, Keeper};
    use crate::core::notes::{
        CreatedBy, Note, NoteAuthor, NoteIndex as _, Query, search, search_indexed,
    };
    use crate::ids::{NoteId, WorkspaceId};
    use crate::store::disk::RealDisk;
    use crate::time::Timestamp;
    use proptest::collection::vec;
    use proptest::prelude::{ProptestConfig, Strategy, any, proptest};
    use proptest::sample::select;
    use std::collections::{BTreeMap, BTreeSet};
    use std::sync::Arc;
    use std::sync::atomic::AtomicBool;
    use uuid::Uuid;

    /// Pieces of text in many scripts, and what is bad for a tokenizer.
    const PIECES: [&str; 44] = [
        "tea",
        "Tea",
        "teapot",
        "steak",
        "GREEN",
        "green",
        "node.js",
        "e-mail",
        "C++",
        "max_tokens",
        "Stra\u{df}e",
        "STRASSE",
        "Caf\u{e9}",
        "cafe\u{301}",
        "\u{130}stanbul",
        "na\u{ef}ve",
        "\u{39f}\u{394}\u{39f}\u{3a3}",
        "\u{3bf}\u{3b4}\u{3cc}\u{3c2}",
        "\u{401}\u{43b}\u{43a}\u{430}",
        "\u{65e5}\u{672c}",
        "\u{65e5}\u{672c}\u{8a9e}",
        "\u{672c}\u{65e5}",
        "\u{65e5}",
        "\u{4f1a}\u{8b70}",
        "\u{ff34}\u{ff25}\u{ff21}",
        "\u{304c}\u{3093}",
        "\u{ff76}\u{ff9e}",
        "\u{d55c}\u{ad6d}\u{c5b4}",
        "\u{d55c}\u{ad6d}",
        "\u{e44}\u{e17}\u{e22}",
        "\u{939}\u{93f}\u{928}\u{94d}\u{926}\u{940}",
        "\u{5e9}\u{5c1}\u{5dc}",
        "\u{1f375}",
        "\u{1f469}\u{200d}\u{1f469}\u{fe0f}",
        "ze\u{200b}ro",
        "a\u{0}b",
        "\u{20000}\u{20001}",
        " ",
        "\n",
        ",",
        "\u{3001}",
        "\"",
        "!?",
        "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxy",
    ];

    fn text(pieces: usize) -> impl Strategy<Value = String> {
        let piece = (select(PIECES.as_slice()), any::<bool>());
        vec(piece, 0..pieces).prop_map(|pieces| {
            let blank = |glued: &bool| if *glued { "" } else { " " };
            let text = pieces
                .iter()
                .map(|(piece, glued)| [piece, blank(glued)].concat());
            text.collect()
        })
    }

    fn note(number: u128, fields: (String, Vec<String>, String), updated: i64) -> Note {
        let (title, keywords, value) = fields;
        Note {
            id: NoteId(Uuid::from_u128(number)),
            workspace_id: WorkspaceId(Uuid::from_u128(number % 2)),
            note_kind: "note".to_owned(),
            title,
            keywords,
            value,
            links: Vec::new(),
            issues: Vec::new(),
            version: 1,
            created_at: Timestamp::from_millis(0),
            updated_at: Timestamp::from_millis(updated),
            created_by: CreatedBy {
                actor_type: NoteAuthor::User,
                run_id: None,
            },
            deleted_at: None,
        }
    }

    fn fields() -> impl Strategy<Value = (String, Vec<String>, String)> {
        (text(4), vec(text(3), 0..3), text(12))
    }

    /// What becomes of a note after it was indexed.
    #[derive(Clone, Copy, Debug)]
    enum Fate {
        Kept,
        Changed,
        Deleted,
        Drafted,
    }

    fn fate() -> impl Strategy<Value = Fate> {
        select(
            &[
                Fate::Kept,
                Fate::Kept,
                Fate::Kept,
                Fate::Changed,
                Fate::Deleted,
                Fate::Drafted,
            ][..],
        )
    }

    /// An index of these notes, in a folder of its own.
    fn indexed(notes: &[Note]) -> (tempfile::TempDir, Keeper) {
        let folder = tempfile::tempdir().unwrap();
        let disk = RealDisk::open(folder.path(), false).unwrap();
        let mut keeper = Keeper::new(disk);
        let all: Vec<Indexed> = notes
            .iter()
            .map(|note| Indexed {
                note: Arc::new(note.clone()),
                digest: Some(1),
            })
            .collect();
        assert!(build(&keeper.folder, &all, 7, &AtomicBool::new(false)).unwrap());
        let covers = covers(&keeper.folder).unwrap();
        assert_eq!((covers.seq, covers.notes), (7, notes.len()));
        keeper.current = Some(Current {
            reader: Reader::open(&keeper.folder, &covers).unwrap(),
            unindexed: BTreeSet::new(),
        });
        (folder, keeper)
    }

    fn ids(notes: &[&Note]) -> Vec<u128> {
        notes.iter().map(|note| note.id.0.as_u128()).collect()
    }

    /// Both ways among what is stored and drafted, in one workspace.
    #[track_caller]
    fn compare(keeper: &Keeper, stored: &BTreeMap<NoteId, Note>, drafted: &[Note], query: &str) {
        let own = WorkspaceId(Uuid::from_u128(1));
        let is_own = |note: &&Note| note.workspace_id == own;
        let query = Query::parse(query);
        let is_drafted = |id: NoteId| drafted.iter().any(|note| note.id == id);
        let all = || {
            let left = stored.values().filter(|note| !is_drafted(note.id));
            left.chain(drafted).filter(is_own)
        };
        for limit in [1, 3, 10, usize::MAX] {
            let expected = search(all(), &query, limit);
            let Some(candidates) = keeper.candidates(&query) else {
                assert!(query.is_blank());
                continue;
            };
            let show = |id| stored.get(&id).filter(is_own).filter(|_| !is_drafted(id));
            let own_drafts = drafted.iter().filter(is_own);
            let found = search_indexed(candidates, &query, limit, show, own_drafts);
            assert_eq!(ids(&found), ids(&expected), "{query:?}, {limit}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]
        #[test]
        fn g05_x77_the_index_and_the_look_at_every_note_find_the_same(
            notes in vec((fields(), 0_i64..4, fate(), fields()), 1..60),
            queries in vec((text(4), any::<bool>()), 1..12),
        ) {
            let before: Vec<Note> = (0..).zip(&notes)
                .map(|(number, (fields, updated, _, _))| note(number, fields.clone(), *updated))
                .collect();
            let (_folder, mut keeper) = indexed(&before);
            let mut stored: BTreeMap<NoteId, Note> = BTreeMap::new();
            let mut drafted = Vec::new();
            for (was, (_, updated, fate, fields)) in before.into_iter().zip(&notes) {
                let number = was.id.0.as_u128();
                let changed = note(number, fields.clone(), updated + 3);
                match fate {
                    Fate::Kept => drop(stored.insert(was.id, was)),
                    Fate::Changed => {
                        keeper.touch(was.id);
                        stored.insert(was.id, changed);
                    }
                    Fate::Deleted => keeper.touch(was.id),
                    Fate::Drafted => {
                        drafted.push(changed);
                        stored.insert(was.id, was);
                    }
                }
            }
            // One that came later.
            let late = note(1001, notes[0].3.clone(), 9);
            keeper.touch(late.id);
            stored.insert(late.id, late);
            for (query, quoted) in &queries {
                let query = if *quoted { format!("\"{query}\"") } else { query.clone() };
                compare(&keeper, &stored, &drafted, &query);
            }
            for piece in PIECES {
                compare(&keeper, &stored, &drafted, piece);
            }
            assert!(!keeper.is_broken.get());
        }
    }

    #[test]
    fn g05_texts_of_every_size_and_sort_are_indexed() {
        const SIZE: usize = 256 * 1024;
        let words: Vec<String> = (0..40_000).map(|number| format!("w{number}")).collect();
        let words = words.join(" ");
        let texts = [
            "x".repeat(SIZE),
            "\u{65e5}\u{672c}".repeat(SIZE / 6),
            "\0".repeat(SIZE),
            "\u{1f375}".repeat(SIZE / 4),
            "\u{200b}".repeat(SIZE / 3),
            words,
            String::new(),
        ];
        let notes: Vec<Note> = (1..)
            .step_by(2)
            .zip(texts)
            .map(|(number, text)| note(number, (String::new(), Vec::new(), text), 0))
            .collect();
        let (_folder, keeper) = indexed(&notes);
        let stored: BTreeMap<NoteId, Note> = notes.iter().map(|it| (it.id, it.clone())).collect();
        let longer = "x".repeat(100);
        for (query, hits) in [
            (longer.as_str(), 1),
            ("xxx", 1),
            ("xy", 0),
            ("\u{672c}\u{65e5}\u{672c}", 1),
            ("\u{672c}\u{672c}", 0),
            ("\u{1f375}\u{1f375}\u{1f375}", 1),
            ("w39999", 1),
            ("\"w17 w18\"", 1),
            ("\"w18 w17\"", 0),
            ("w", 1),
            ("\0", 0),
            ("!", 0),
        ] {
            compare(&keeper, &stored, &[], query);
            let found = search(stored.values(), &Query::parse(query), 10);
            assert_eq!(found.len(), hits, "{query:?}");
        }
    }

    #[test]
    fn a_damaged_index_is_never_opened_and_never_stops_a_search() {
        let notes: Vec<Note> = (1..600)
            .map(|number| {
                let text = format!("tea of {number} and {}", number % 7);
                note(number, ("T".to_owned(), Vec::new(), text), 0)
            })
            .collect();
        let (folder, keeper) = indexed(&notes);
        let index = folder.path().join("data/index");
        let names = |end: &str| -> Vec<std::path::PathBuf> {
            let entries = std::fs::read_dir(&index).unwrap();
            let paths = entries.map(|entry| entry.unwrap().path());
            paths
                .filter(|path| path.to_string_lossy().ends_with(end))
                .collect()
        };
        let open = || {
            let folder = Folder::of(RealDisk::open(folder.path(), false).unwrap());
            covers(&folder).and_then(|covers| Reader::open(&folder, &covers).ok())
        };
        assert!(open().is_some());
        for end in [".idx", ".term", ".fast", "meta.json", "covers.json"] {
            let found = names(end);
            assert!(!found.is_empty(), "{end}");
            for path in found {
                let good = read(&path);
                for at in [0, good.len() / 3, good.len() / 2, good.len() - 2] {
                    let mut bad = good.clone();
                    bad[at] ^= 0x55;
                    write(&path, &bad);
                    if !matches!(end, "meta.json" | "covers.json") {
                        assert!(open().is_none(), "{end} with a wrong byte at {at}");
                    }
                    // Whatever is made of it, searching in it stops nothing.
                    drop(keeper.candidates(&Query::parse("tea of 5")));
                    write(&path, &bad[..at]);
                    assert!(open().is_none(), "{end} cut at {at}");
                    drop(keeper.candidates(&Query::parse("tea of 5")));
                    keeper.is_broken.set(false);
                }
                write(&path, &good);
            }
        }
        assert!(open().is_some());
    }

    #[expect(clippy::disallowed_methods, reason = "a test plays the damage")]
    fn write(path: &std::path::Path, bytes: &[u8]) {
        std::fs::write(path, bytes).unwrap();
    }

    #[expect(clippy::disallowed_methods, reason = "a test plays the damage")]
    fn read(path: &std::path::Path) -> Vec<u8> {
        std::fs::read(path).unwrap()
    }
}
