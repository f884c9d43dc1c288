//! The search indexes in `data/index`: one over the notes and one over the leaves of `/storage`.
//! Both are derived, and may be deleted at any time. A thread builds each of them in the
//! background. An index never changes after that; later changes are checked one by one, until there
//! are so many that the index is built again.
//!
//! Nothing depends on an index. A problem with one is reported once, and searches check everything
//! until there is a new one. Digests tell which of its entries are current, so its age and the root
//! that it was built for do not matter.

mod build;
mod folder;
mod maintainer;
mod reader;

use crate::core::journal::{Change, State};
use crate::core::memory::{LeafPath, touched_leaves};
use crate::core::notes::{Candidates, Query, SearchIndex};
use crate::store::Notice;
use crate::store::disk::RealDisk;
use crate::store::error::Error;
use crate::store::views::files::NoteDigests;
use crate::time::Timestamp;
use build::{LeafEntry, NoteEntry};
use maintainer::IndexMaintainer;
use serde::{Deserialize, Serialize};
use std::sync::{Arc, Mutex};

pub use reader::{index_covers, notes_worth_a_look};

/// The version of the format of an index and of its words, increased by each change of either.
const FORMAT: u32 = 5;

/// The coverage of an index, as stated in its folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct IndexCoverage {
    format: u32,
    /// The number of the newest commit that it may contain.
    pub seq: u64,
    pub entries: usize,
}

/// The indexes of a store.
#[derive(Debug)]
pub(super) struct Indexes {
    notes: IndexMaintainer<NoteEntry>,
    leaves: IndexMaintainer<LeafEntry>,
}

impl Indexes {
    /// Returns indexes on a disk of their own with the same root.
    pub(super) fn new(disk: RealDisk) -> Self {
        let disk = Arc::new(Mutex::new(disk));
        Self {
            notes: IndexMaintainer::new(Arc::clone(&disk)),
            leaves: IndexMaintainer::new(disk),
        }
    }

    /// Returns whether a thread works on an index, so that its result should be collected soon.
    pub(super) const fn is_at_work(&self) -> bool {
        self.notes.is_at_work() || self.leaves.is_at_work()
    }

    /// Collects the results of the threads, and starts new work if there is some.
    /// Never waits. Returns notices for a person.
    pub(super) fn tend(
        &mut self,
        state: &State,
        digests: &mut NoteDigests,
        seq: u64,
        now: Timestamp,
    ) -> Result<Vec<Notice>, Error> {
        let mut notices = self.notes.settle(now);
        notices.append(&mut self.leaves.settle(now));
        let (notes, storage) = (&state.notes, &state.storage);
        if notes.is_complete() && self.notes.is_due(now, |_| notes.len()) {
            let digests = digests.read()?;
            let entries = notes.snapshot().into_iter().map(|note| NoteEntry {
                digest: digests.get(&note.id).map(|digest| digest.beginning()),
                note,
            });
            let entries: Vec<NoteEntry> = entries.collect();
            notices.extend(self.notes.work(move || entries, seq, now));
        }
        let count = |most| storage.leaves().take(most).count();
        if self.leaves.is_due(now, count) {
            // A copy of the tree shares all its content.
            let storage = storage.clone();
            let entries = move || LeafEntry::all(&storage);
            notices.extend(self.leaves.work(entries, seq, now));
        }
        Ok(notices)
    }

    /// Records a committed change.
    pub(super) fn touch(&mut self, change: &Change) {
        if let Some(note) = change.note() {
            self.notes.touch([note.id]);
        } else if let Change::StorageSet(_) | Change::StorageDeleted(_) = change {
            self.leaves.touch(touched_leaves(change));
        }
    }
}

impl SearchIndex for Indexes {
    fn candidates(&self, query: &Query) -> Option<Candidates<'_>> {
        self.notes.candidates(query)
    }

    fn leaf_candidates(&self, query: &Query) -> Option<Candidates<'_, LeafPath>> {
        self.leaves.candidates(query)
    }
}

#[cfg(test)]
mod tests {
    use super::Indexes;
    use super::build::{IndexEntry, LeafEntry, NoteEntry, build};
    use super::folder::Folder;
    use super::maintainer::{ActiveIndex, IndexMaintainer};
    use super::reader::{IndexReader, covers};
    use crate::core::journal::Change;
    use crate::core::journal::event::{StorageDeleted, StorageSet};
    use crate::core::memory::{LeafPath, Storage, StorePath, find_leaves, touched_leaves};
    use crate::core::notes::{
        CreatedBy, NoIndex, Note, NoteAuthor, Query, SearchIndex as _, search, search_indexed,
    };
    use crate::ids::{NoteId, WorkspaceId};
    use crate::limits::{INDEX_BEHIND_MIN, INDEX_RETRY_MS};
    use crate::store::disk::RealDisk;
    use crate::time::Timestamp;
    use proptest::collection::vec;
    use proptest::prelude::{Just, ProptestConfig, Strategy, any, prop_oneof, proptest};
    use proptest::sample::select;
    use serde_json::{Value, json};
    use std::collections::{BTreeMap, BTreeSet};
    use std::sync::atomic::AtomicBool;
    use std::sync::{Arc, Mutex};
    use std::time::{Duration, Instant};
    use uuid::Uuid;

    /// Pieces of text in many scripts, and texts that are difficult for a tokenizer.
    const PIECES: [&str; 52] = [
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
        "\u{30ac}",
        "\u{304b}\u{3099}\u{3093}",
        "\u{ff76}\u{ff80}\u{ff76}\u{ff85}",
        "\u{1112}\u{1161}\u{11ab}\u{1100}\u{116e}\u{11a8}",
        "\u{3099}",
        "\u{11ab}",
        "U\u{308}bung",
        "\u{bd}\u{fb01}\u{338f}",
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

    /// The change of a note after it was indexed.
    #[derive(Clone, Copy, Debug)]
    enum NoteChange {
        Kept,
        Changed,
        Deleted,
        Drafted,
    }

    fn fate() -> impl Strategy<Value = NoteChange> {
        select(
            &[
                NoteChange::Kept,
                NoteChange::Kept,
                NoteChange::Kept,
                NoteChange::Changed,
                NoteChange::Deleted,
                NoteChange::Drafted,
            ][..],
        )
    }

    fn folder_of<E: IndexEntry>(root: &std::path::Path) -> Folder {
        let disk = RealDisk::open(root, false).unwrap();
        Folder::of(Arc::new(Mutex::new(disk)), E::FOLDER)
    }

    /// Returns an index of entries, in a folder of its own.
    fn built<E: IndexEntry>(entries: &[E]) -> (tempfile::TempDir, IndexMaintainer<E>) {
        let root = tempfile::tempdir().unwrap();
        let disk = RealDisk::open(root.path(), false).unwrap();
        let mut maintainer = IndexMaintainer::new(Arc::new(Mutex::new(disk)));
        assert!(build(&maintainer.folder, entries, 7, &AtomicBool::new(false)).unwrap());
        let covers = covers(&maintainer.folder).unwrap();
        assert_eq!((covers.seq, covers.entries), (7, entries.len()));
        maintainer.current = Some(ActiveIndex {
            reader: IndexReader::open(&maintainer.folder, &covers).unwrap(),
            unindexed: BTreeSet::new(),
        });
        (root, maintainer)
    }

    fn entries(notes: &[Note], digest: Option<u64>) -> Vec<NoteEntry> {
        let notes = notes.iter().cloned().map(Arc::new);
        notes.map(|note| NoteEntry { note, digest }).collect()
    }

    fn indexed(notes: &[Note]) -> (tempfile::TempDir, IndexMaintainer<NoteEntry>) {
        built(&entries(notes, Some(1)))
    }

    fn ids(notes: &[&Note]) -> Vec<u128> {
        notes.iter().map(|note| note.id.0.as_u128()).collect()
    }

    /// Compares both ways of search among stored and drafted notes, in one workspace.
    #[track_caller]
    fn compare(
        maintainer: &IndexMaintainer<NoteEntry>,
        stored: &BTreeMap<NoteId, Note>,
        drafted: &[Note],
        query: &str,
    ) {
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
            let Some(candidates) = maintainer.candidates(&query) else {
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
        fn the_index_and_the_look_at_every_note_find_the_same(
            notes in vec((fields(), 0_i64..4, fate(), fields()), 1..60),
            queries in vec((text(4), any::<bool>()), 1..12),
        ) {
            let before: Vec<Note> = (0..).zip(&notes)
                .map(|(number, (fields, updated, _, _))| note(number, fields.clone(), *updated))
                .collect();
            let (_folder, mut maintainer) = indexed(&before);
            let mut stored: BTreeMap<NoteId, Note> = BTreeMap::new();
            let mut drafted = Vec::new();
            for (was, (_, updated, fate, fields)) in before.into_iter().zip(&notes) {
                let number = was.id.0.as_u128();
                let changed = note(number, fields.clone(), updated + 3);
                match fate {
                    NoteChange::Kept => drop(stored.insert(was.id, was)),
                    NoteChange::Changed => {
                        maintainer.touch([was.id]);
                        stored.insert(was.id, changed);
                    }
                    NoteChange::Deleted => maintainer.touch([was.id]),
                    NoteChange::Drafted => {
                        drafted.push(changed);
                        stored.insert(was.id, was);
                    }
                }
            }
            // A later note.
            let late = note(1001, notes[0].3.clone(), 9);
            maintainer.touch([late.id]);
            stored.insert(late.id, late);
            for (query, quoted) in &queries {
                let query = if *quoted { format!("\"{query}\"") } else { query.clone() };
                compare(&maintainer, &stored, &drafted, &query);
            }
            for piece in PIECES {
                compare(&maintainer, &stored, &drafted, piece);
            }
            assert!(!maintainer.is_broken.get());
        }
    }

    #[test]
    fn texts_of_every_size_and_sort_are_indexed() {
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
        let (_folder, maintainer) = indexed(&notes);
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
            compare(&maintainer, &stored, &[], query);
            let found = search(stored.values(), &Query::parse(query), 10);
            assert_eq!(found.len(), hits, "{query:?}");
        }
    }

    /// Names in the tree: few, so that paths meet, and some that read like texts.
    const NAMES: [&str; 7] = [
        "archive",
        "tea",
        "Caf\u{e9}",
        "a b",
        "\u{65e5}\u{672c}",
        "x",
        "y.1",
    ];

    /// A change of the tree.
    #[derive(Clone, Debug)]
    enum TreeChange {
        Set(Vec<&'static str>, Value),
        Delete(Vec<&'static str>),
    }

    fn value() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            text(6).prop_map(Value::from),
            Just(json!(["green tea", 7])),
            Just(json!({})),
            Just(Value::Null),
        ];
        leaf.prop_recursive(2, 8, 3, |inner| {
            let members = vec((select(&NAMES[..]), inner), 1..3);
            members.prop_map(|members| {
                Value::Object(
                    members
                        .into_iter()
                        .map(|(name, it)| (name.to_owned(), it))
                        .collect(),
                )
            })
        })
    }

    fn deed() -> impl Strategy<Value = TreeChange> {
        let path = || vec(select(&NAMES[..]), 1..4);
        prop_oneof![
            4 => (path(), value()).prop_map(|(path, value)| TreeChange::Set(path, value)),
            1 => path().prop_map(TreeChange::Delete),
        ]
    }

    /// Applies the change, and returns the leaves that it touches.
    fn done(storage: &mut Storage, deed: &TreeChange) -> Vec<LeafPath> {
        let place = |path: &[&str]| StorePath::storage(path.iter().map(|it| (*it).to_owned()));
        let change = match deed {
            TreeChange::Set(path, value) => Change::StorageSet(StorageSet {
                path: place(path),
                value: value.clone(),
            }),
            TreeChange::Delete(path) => {
                Change::StorageDeleted(StorageDeleted { path: place(path) })
            }
        };
        match deed {
            TreeChange::Set(path, value) => storage.set(place(path).parts(), value.clone()),
            TreeChange::Delete(path) => storage.remove(place(path).parts()),
        }
        touched_leaves(&change)
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]
        #[test]
        fn the_index_over_storage_and_the_look_at_every_leaf_find_the_same(
            before in vec(deed(), 1..40),
            after in vec(deed(), 0..8),
            drafts in vec(deed(), 0..4),
            queries in vec((text(3), any::<bool>()), 1..8),
        ) {
            let mut storage = Storage::default();
            for deed in &before {
                done(&mut storage, deed);
            }
            let (root, leaves) = built(&LeafEntry::all(&storage));
            let disk = RealDisk::open(root.path(), false).unwrap();
            let mut indexes = Indexes { leaves, ..Indexes::new(disk) };
            for deed in &after {
                indexes.leaves.touch(done(&mut storage, deed));
            }
            let touched = drafts.iter().flat_map(|deed| done(&mut storage, deed));
            let drafted: BTreeSet<LeafPath> = touched.collect();
            let asked = queries.iter().map(|(query, quoted)| {
                if *quoted { format!("\"{query}\"") } else { query.clone() }
            });
            let all = ["storage", "tea", "caf", "archive", "x", "y 1", "\u{672c}"];
            for query in asked.chain(all.map(str::to_owned)) {
                let query = Query::parse(&query);
                let below = vec![NAMES[0].to_owned()];
                for (limit, scope) in [(1, &[][..]), (3, &[]), (usize::MAX, &[]), (2, &below)] {
                    let found = find_leaves(&storage, scope, &query, limit, &indexes, &drafted);
                    let expected = find_leaves(&storage, scope, &query, limit, &NoIndex, &drafted);
                    assert_eq!(found, expected, "{query:?}, {limit}, {scope:?}");
                    assert!(found.iter().all(|leaf| leaf.path().parts().starts_with(scope)));
                }
                assert_eq!(indexes.leaf_candidates(&query).is_none(), query.is_blank());
            }
        }
    }

    /// If the index differs from its entries, another build is not tried at once.
    #[expect(
        clippy::disallowed_methods,
        reason = "a test waits for a thread, not for ever"
    )]
    #[test]
    fn an_index_that_is_not_what_it_was_built_from_is_given_up_for_a_while() {
        let fields = || ("T".to_owned(), Vec::new(), "tea".to_owned());
        let numbers = 0..=u128::try_from(INDEX_BEHIND_MIN).unwrap();
        let notes: Vec<Note> = numbers.map(|number| note(number, fields(), 0)).collect();
        let root = tempfile::tempdir().unwrap();
        let disk = RealDisk::open(root.path(), false).unwrap();
        let mut maintainer = IndexMaintainer::<NoteEntry>::new(Arc::new(Mutex::new(disk)));
        let at = Timestamp::from_millis;
        let count = |most: usize| notes.len().min(most);
        let try_once = |maintainer: &mut IndexMaintainer<NoteEntry>, digest, now| {
            assert!(maintainer.is_due(at(now), count));
            // Without a digest, no note counts as current.
            let entries = entries(&notes, digest);
            assert_eq!(maintainer.work(move || entries, 1, at(now)), None);
            let end = Instant::now() + Duration::from_mins(1);
            let mut said = Vec::new();
            while maintainer.is_at_work() {
                said.append(&mut maintainer.settle(at(now)));
                assert!(Instant::now() < end, "{said:?}");
                std::thread::yield_now();
            }
            said
        };
        let said = try_once(&mut maintainer, None, 0);
        assert!(
            said[1].message.contains("it is not what it was built from") && !said[1].is_progress,
            "{said:?}"
        );
        assert!(maintainer.current.is_none());
        assert!(!maintainer.is_due(at(INDEX_RETRY_MS - 1), count));
        let said = try_once(&mut maintainer, Some(1), INDEX_RETRY_MS);
        assert!(said[1].message.contains("covers 1001 notes"), "{said:?}");
        assert!(maintainer.current.is_some() && !maintainer.is_due(at(INDEX_RETRY_MS), count));
    }

    #[test]
    fn a_damaged_index_is_never_opened_and_never_stops_a_search() {
        let notes: Vec<Note> = (1..600)
            .map(|number| {
                let text = format!("tea of {number} and {}", number % 7);
                note(number, ("T".to_owned(), Vec::new(), text), 0)
            })
            .collect();
        let (folder, maintainer) = indexed(&notes);
        let index = folder.path().join(NoteEntry::FOLDER);
        let names = |end: &str| -> Vec<std::path::PathBuf> {
            let entries = std::fs::read_dir(&index).unwrap();
            let paths = entries.map(|entry| entry.unwrap().path());
            paths
                .filter(|path| path.to_string_lossy().ends_with(end))
                .collect()
        };
        let open = || {
            let folder = folder_of::<NoteEntry>(folder.path());
            covers(&folder).and_then(|covers| IndexReader::<NoteEntry>::open(&folder, &covers).ok())
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
                    // Damage of the index never stops a search.
                    drop(maintainer.candidates(&Query::parse("tea of 5")));
                    write(&path, &bad[..at]);
                    assert!(open().is_none(), "{end} cut at {at}");
                    drop(maintainer.candidates(&Query::parse("tea of 5")));
                    maintainer.is_broken.set(false);
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
