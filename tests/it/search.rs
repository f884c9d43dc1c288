//! The search indexes in the running loop and beside it: a note, or a value of `/storage`, is found by
//! the very next iteration, and whatever happens to `data/index` costs nothing but building it again.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::disallowed_methods,
    reason = "a test may stop at once, and it plays the person's hand in the folder"
)]

use crate::agent::tools::{call, set};
use crate::agent::{ram_add, record_add, record_update, search};
use crate::lab::{Lab, Seen, ask, live, read, write};
use crate::store_lab::{
    KV, at, by_agent, create, note_id, note_path, options, storage_delete, storage_set,
};
use crate::wait::until;
use kjxlkj_agent::core::agent::IdleProfile;
use kjxlkj_agent::core::memory::{Leaf, find_leaves};
use kjxlkj_agent::core::notes::{Note, Query, search_indexed};
use kjxlkj_agent::core::protocol::Tag;
use kjxlkj_agent::daemon::Agent;
use kjxlkj_agent::limits::{INDEX_BEHIND_MIN, INDEX_ENTRIES_MIN, INDEX_LOOK_MS, INDEX_RETRY_MS};
use kjxlkj_agent::store::disk::{Disk as _, RealDisk};
use kjxlkj_agent::store::{Notice, Store, index_covers, notes_worth_a_look};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// Enough notes for an index.
const ENOUGH: u64 = 1000;

const NOW: i64 = 1_800_000_000_000;

/// A store on a real folder.
struct Bench {
    folder: TempDir,
    store: Option<Store>,
}

impl Bench {
    /// An empty root.
    fn new() -> Self {
        let mut bench = Self {
            folder: tempfile::tempdir().unwrap(),
            store: None,
        };
        bench.start();
        bench
    }

    /// One with enough notes, each of which says tea, and an index that is in use.
    fn filled() -> Self {
        let mut bench = Self::new();
        bench.fill(0..ENOUGH);
        assert!(bench.settle().iter().any(|it| it.contains("covers 1000")));
        bench
    }

    fn root(&self) -> &Path {
        self.folder.path()
    }

    fn index(&self) -> PathBuf {
        self.root().join("data/index/notes")
    }

    fn start(&mut self) {
        let mut store = open(self.root());
        store.keep_index(RealDisk::open(self.root(), false).unwrap());
        store.read_notes(at(NOW)).unwrap();
        self.store = Some(store);
    }

    fn stop(&mut self) {
        self.store
            .take()
            .unwrap()
            .checkpoint(true, at(NOW))
            .unwrap();
    }

    fn store(&mut self) -> &mut Store {
        self.store.as_mut().unwrap()
    }

    fn fill(&mut self, numbers: std::ops::Range<u64>) {
        fill(self.store(), numbers);
    }

    /// Enough values of `/storage`, each of which says coffee.
    fn fill_storage(&mut self) {
        fill_storage(self.store());
    }

    /// Whether there is an index over all that is worth one.
    fn is_indexed(&mut self) -> bool {
        let query = Query::parse("tea");
        let store = self.store();
        let index = store.search_index();
        let is_enough = store.state().storage.leaves().count() >= INDEX_ENTRIES_MIN;
        let leaves = !is_enough || index.leaf_candidates(&query).is_some();
        leaves && index.candidates(&query).is_some()
    }

    /// The names of the values of `/storage` that are found with the index's help.
    fn found_in_storage(&mut self, query: &str) -> Vec<String> {
        let (query, drafted) = (Query::parse(query), BTreeSet::new());
        let store = self.store();
        let index = store.search_index();
        assert!(index.leaf_candidates(&query).is_some());
        let leaves = find_leaves(&store.state().storage, &[], &query, 10, index, &drafted);
        leaves.iter().map(Leaf::name).collect()
    }

    /// Tends the index until it is in use, and gives what was said meanwhile.
    fn settle(&mut self) -> Vec<String> {
        let mut said = Vec::new();
        until("the index", || {
            let notices = self.store().tend_index(at(NOW)).unwrap();
            // Nothing is wrong with an index that is built, so nobody is warned.
            assert!(notices.iter().all(|it| it.is_progress), "{notices:?}");
            said.extend(notices.into_iter().map(|it| it.message));
            self.is_indexed().then_some(())
        });
        said
    }

    /// The titles of what is found with the index's help, which there has to be.
    fn found(&mut self, query: &str) -> Vec<String> {
        let store = self.store();
        let query = Query::parse(query);
        let candidates = store.search_index().candidates(&query).unwrap();
        let stored = |id| store.state().notes.get(id);
        let none = std::iter::empty::<&Note>();
        let hits = search_indexed(candidates, &query, 10, stored, none);
        hits.into_iter().map(|note| note.title.clone()).collect()
    }
}

fn open(root: &Path) -> Store {
    let disk = Box::new(RealDisk::open(root, true).unwrap());
    Store::open(disk, options(), at(NOW)).unwrap().0
}

fn fill(store: &mut Store, numbers: std::ops::Range<u64>) {
    let numbers: Vec<u64> = numbers.collect();
    for part in numbers.chunks(100) {
        let note = |number: &u64| {
            let text = format!("some tea of day {number}");
            create(note_id(*number), &format!("Page {number}"), &text)
        };
        store
            .commit(by_agent(part.iter().map(note).collect()))
            .unwrap();
    }
}

fn fill_storage(store: &mut Store) {
    let value = |number| {
        storage_set(
            &format!("/storage/cups/n{number}"),
            format!("coffee {number}"),
        )
    };
    store
        .commit(by_agent((0..ENOUGH).map(value).collect()))
        .unwrap();
}

/// Fills a root with a thousand notes, each of which says tea, and builds their index.
pub(crate) fn fill_root(root: &Path) {
    let mut store = open(root);
    fill(&mut store, 0..ENOUGH);
    store.checkpoint(true, at(NOW)).unwrap();
    store.read_notes(at(NOW)).unwrap();
    store.keep_index(RealDisk::open(root, false).unwrap());
    let tea = Query::parse("tea");
    until("the index", || {
        store.tend_index(at(NOW)).unwrap();
        store.search_index().candidates(&tea).map(drop)
    });
}

/// Removes the index as a person may.
pub(crate) fn remove_index(root: &Path) {
    std::fs::remove_dir_all(root.join("data/index")).unwrap();
}

#[test]
fn a_reader_reads_the_notes_that_are_worth_a_look() {
    let mut bench = Bench::filled();
    bench.fill(2000..2003);
    let looked_at = |bench: &Bench, query: &str| {
        let mut disk = RealDisk::open(bench.root(), false).unwrap();
        let query = Query::parse(query);
        let found = notes_worth_a_look(&mut disk, Path::new(KV), &query).unwrap();
        found.map(|notes| notes.len())
    };
    bench.stop();
    // One hit, and three that the index does not know.
    assert_eq!(looked_at(&bench, "\"day 5\""), Some(4));
    assert_eq!(looked_at(&bench, "milk"), Some(3));
    assert_eq!(looked_at(&bench, ""), None);
    let note = bench.root().join(note_path(note_id(5)));
    let good = read(&note);
    write(&note, "{}");
    assert_eq!(
        looked_at(&bench, "\"day 5\""),
        None,
        "only the journal knows it"
    );
    assert_eq!(looked_at(&bench, "\"day 6\""), Some(4));
    write(&note, &good);
    for path in files(&bench.index()) {
        write(&path, "");
    }
    assert_eq!(looked_at(&bench, "\"day 5\""), None);
    remove_index(bench.root());
    assert_eq!(looked_at(&bench, "\"day 5\""), None);
}

#[tokio::test]
async fn a_note_is_found_by_the_very_next_iteration() {
    let mut lab = Lab::new();
    let mut store = open(lab.root());
    fill(&mut store, 0..ENOUGH);
    store.checkpoint(true, at(NOW)).unwrap();
    drop(store);
    lab.config.r#loop.idle_profile = IdleProfile::Sleep;
    lab.config.r#loop.max_iterations = Some(1);
    let mut agent = lab.start();
    let stop = lab.stopper();
    lab.eyes.react(move |seen| {
        if matches!(seen, Seen::Notice(message) if message.contains("covers 1000 notes")) {
            stop.stop();
        }
    });
    // The first start asks once; from then on it waits, and the index is built.
    lab.says(&ram_add("n", "1"));
    live(&mut agent).await;
    let said = lab.eyes.notices();
    assert!(
        said.iter()
            .any(|it| it.contains("being built over 1000 notes")),
        "{said:?}"
    );
    drop(agent);

    let mut agent = lab.start();
    lab.eyes.react(|_| {});
    let mut warmed = 0;
    while agent
        .store()
        .search_index()
        .candidates(&Query::parse("tea"))
        .is_none()
    {
        // Opening takes a moment; each round of work looks whether it is done.
        assert!(warmed < 10_000);
        lab.says(&ram_add("n", &warmed.to_string()));
        ask(&mut agent, &format!("warm up {warmed}")).await;
        warmed += 1;
    }
    agent.max_iterations = Some(4);
    let asked = lab.peer.requests().len();
    lab.says(&(record_add("Fresh", "a quokka") + &record_update("Page 7", "a numbat")));
    lab.says(&(search("quokka") + &search("numbat") + &search("\"day 7\"")));
    lab.says(&search("day 999"));
    lab.says(&ram_add("n", "1"));
    ask(&mut agent, "look").await;
    let told = lab.prompt_text(asked + 2);
    assert!(
        told.contains("Fresh") && told.contains("Page 7") && told.contains("a numbat"),
        "{told}"
    );
    assert!(told.contains("no note found"), "{told}");
    assert!(lab.prompt_text(asked + 3).contains("Page 999"));
    assert!(
        agent
            .store()
            .search_index()
            .candidates(&Query::parse("tea"))
            .is_some()
    );
    assert!(index_covers(RealDisk::open(lab.root(), false).unwrap()).is_some());
}

/// Starts an agent whose indexes are in use; each round of work looks whether they are.
async fn with_indexes(lab: &mut Lab) -> Agent {
    lab.config.r#loop.idle_profile = IdleProfile::Sleep;
    lab.config.r#loop.max_iterations = Some(1);
    let mut agent = lab.start();
    let tea = Query::parse("tea");
    for round in 0..10_000 {
        lab.says(&ram_add("n", &round.to_string()));
        ask(&mut agent, &format!("warm up {round}")).await;
        let index = agent.store().search_index();
        if index.candidates(&tea).is_some() && index.leaf_candidates(&tea).is_some() {
            return agent;
        }
    }
    panic!("the indexes never came: {:?}", lab.eyes.notices());
}

#[tokio::test]
async fn a_value_of_storage_is_found_by_the_very_next_iteration() {
    let mut lab = Lab::new();
    lab.prompt.allowed_tags = Tag::ALL.into_iter().collect();
    let mut store = open(lab.root());
    fill(&mut store, 0..ENOUGH);
    fill_storage(&mut store);
    store.checkpoint(true, at(NOW)).unwrap();
    drop(store);
    let mut agent = with_indexes(&mut lab).await;
    agent.max_iterations = Some(5);
    let asked = lab.peer.requests().len();
    let written = set("/storage/den", "a quokka")
        + &set("/storage/cups/n7", "a numbat")
        + &call("rm", "/storage/cups/n9", "");
    let tool =
        |scope: &str, words: &str| call("search", scope, &format!("<content>{words}</content>"));
    let look = search("quokka")
        + &search("numbat")
        + &search("\"coffee 9\"")
        + &tool("/storage/cups", "numbat")
        + &tool("/storage/den", "numbat")
        + &tool("/storage/cups", "coffee 99");
    // In the reply that writes them, and in the one after it.
    lab.says(&(written + &look));
    lab.says(&look);
    lab.says(&search("\"coffee 7\""));
    lab.says(&search("\"coffee 999\""));
    lab.says(&ram_add("n", "1"));
    ask(&mut agent, "look").await;
    for iteration in [1, 2] {
        let told = lab.prompt_text(asked + iteration);
        for found in ["/storage/den", "/storage/cups/n7"] {
            assert!(
                told.contains(&format!("<target>{found}</target>")),
                "{told}"
            );
        }
        assert!(told.contains("archived, 8 characters: a quokka"), "{told}");
        assert!(told.contains("archived, 8 characters: a numbat"), "{told}");
        assert!(told.contains("no note found"), "{told}");
        assert!(told.contains("/storage/cups/n7: a numbat"), "{told}");
        assert!(told.contains("nothing found"), "{told}");
        let some = told.matches("/storage/cups/n99");
        assert_eq!(some.count(), 10, "{told}");
        assert!(told.contains("... (there are more;"), "{told}");
    }
    assert!(lab.prompt_text(asked + 3).contains("no note found"));
    assert!(
        lab.prompt_text(asked + 4)
            .contains("archived, 10 characters: coffee 999")
    );
    let index = agent.store().search_index();
    assert!(index.leaf_candidates(&Query::parse("quokka")).is_some());
}

/// Where there are many notes, what is needed to compare them is made by another thread; the first
/// note that is written is compared all the same.
#[tokio::test]
async fn many_notes_are_made_ready_to_be_compared_beside_the_loop() {
    let mut lab = Lab::new();
    fill_root(lab.root());
    lab.says(&record_add("A day", "Some tea of day 5!"));
    lab.says(&ram_add("n", "1"));
    lab.config.r#loop.max_iterations = Some(2);
    let mut agent = lab.start();
    ask(&mut agent, "note it").await;
    let threshold = agent.config().notes.similar_threshold;
    assert!(agent.store().state().notes.is_prepared(threshold));
    let told = lab.prompt_text(1);
    assert!(
        told.contains("much the same is said by") && told.contains("Page 5"),
        "{told}"
    );
}

#[tokio::test]
async fn a_root_with_few_notes_has_no_index() {
    let mut lab = Lab::new();
    lab.config.r#loop.max_iterations = Some(1);
    lab.says(&record_add("Tea", "green"));
    lab.run("first").await;
    assert!(!lab.path("data/index").exists());
    let mut bench = Bench::new();
    bench.fill(0..u64::try_from(INDEX_ENTRIES_MIN).unwrap() - 1);
    assert_eq!(bench.store().tend_index(at(NOW)).unwrap(), []);
    assert!(!bench.index().exists());
}

#[test]
fn an_index_that_is_there_is_opened_and_knows_what_changed_since() {
    let mut bench = Bench::filled();
    bench.fill(2000..2010);
    bench.stop();
    bench.start();
    // Nothing is said: nothing is built.
    assert_eq!(bench.settle(), Vec::<String>::new());
    assert_eq!(bench.found("\"day 2003\""), ["Page 2003"]);
    assert_eq!(bench.found("\"day 3\" page"), ["Page 3"]);
    bench.fill(3000..3001 + u64::try_from(INDEX_BEHIND_MIN).unwrap());
    bench.store().tend_index(at(NOW)).unwrap();
    // Searches go on with the old one meanwhile.
    assert_eq!(bench.found("\"day 3900\""), ["Page 3900"]);
    let covered = || index_covers(RealDisk::open(bench.folder.path(), false).unwrap());
    until("an index that covers the new ones", || {
        covered().filter(|covers| covers.entries >= 2000)
    });
    bench.settle();
    assert_eq!(bench.found("\"day 3900\""), ["Page 3900"]);
}

#[test]
fn a_deleted_index_costs_only_building_it_again() {
    let mut bench = Bench::filled();
    // While it is in use: what is open stays readable.
    remove_index(bench.root());
    assert_eq!(bench.found("\"day 5\""), ["Page 5"]);
    bench.stop();
    bench.start();
    assert!(bench.settle()[0].contains("being built over 1000 notes"));
    assert_eq!(bench.found("\"day 5\""), ["Page 5"]);
}

#[test]
fn an_index_that_is_deleted_while_it_is_in_use_is_built_again_before_long() {
    let mut bench = Bench::filled();
    let tend = |bench: &mut Bench, later_ms| {
        let said = bench.store().tend_index(at(NOW + later_ms)).unwrap();
        let said: Vec<String> = said.into_iter().map(|it| it.message).collect();
        (said, bench.store().awaits_index())
    };
    // It was looked for just now, and is not looked for again at once.
    tend(&mut bench, 0);
    remove_index(bench.root());
    assert_eq!(tend(&mut bench, INDEX_LOOK_MS - 1), (Vec::new(), false));
    let (mut said, is_awaited) = tend(&mut bench, INDEX_LOOK_MS);
    assert!(is_awaited);
    until("another index", || {
        // Searches go on with what is open.
        assert_eq!(bench.found("\"day 5\""), ["Page 5"]);
        said.extend(tend(&mut bench, INDEX_LOOK_MS).0);
        (!bench.store().awaits_index()).then_some(())
    });
    assert!(said[0].contains("being built over 1000 notes"), "{said:?}");
    assert_eq!(said[1..], ["the search index covers 1000 notes"]);
    let covers = index_covers(RealDisk::open(bench.root(), false).unwrap());
    assert_eq!(covers.map(|covers| covers.entries), Some(1000));
    assert_eq!(tend(&mut bench, 2 * INDEX_LOOK_MS), (Vec::new(), false));
    assert_eq!(bench.found("\"day 5\""), ["Page 5"]);
}

/// What may be found in the folder at a start, each made from a good index.
type Mischief = fn(&Path);

/// What a stop, a person or another version may leave there.
fn mischiefs() -> [(&'static str, Mischief); 7] {
    [
        ("cut short by a kill", |index| {
            std::fs::remove_file(index.join("covers.json")).unwrap();
            for path in files(index) {
                let length = path.metadata().unwrap().len();
                let file = std::fs::File::options().write(true).open(path).unwrap();
                file.set_len(length / 2).unwrap();
            }
        }),
        ("garbage", |index| {
            for path in files(index) {
                write(&path, "garbage");
            }
        }),
        ("emptied by a power cut", |index| {
            for path in files(index)
                .iter()
                .filter(|path| !path.ends_with("covers.json"))
            {
                write(path, "");
            }
        }),
        ("newer than the journal", |index| {
            let mut covers: Value =
                serde_json::from_str(&read(&index.join("covers.json"))).unwrap();
            covers["seq"] = Value::from(1_000_000);
            write(&index.join("covers.json"), &covers.to_string());
        }),
        ("of another form", |index| {
            let covers = "{\"format\": 99, \"seq\": 1, \"entries\": 1000}";
            write(&index.join("covers.json"), covers);
        }),
        ("of the form before", |index| {
            let mut covers: Value =
                serde_json::from_str(&read(&index.join("covers.json"))).unwrap();
            covers["format"] = Value::from(2);
            write(&index.join("covers.json"), &covers.to_string());
        }),
        ("a link to elsewhere", |index| {
            // What it leads to is good: whoever follows it builds nothing.
            let elsewhere = index.with_extension("elsewhere");
            std::fs::rename(index.join("covers.json"), &elsewhere).unwrap();
            std::os::unix::fs::symlink(elsewhere, index.join("covers.json")).unwrap();
        }),
    ]
}

#[test]
fn whatever_stands_in_the_folder_is_replaced_by_an_index() {
    let mut bench = Bench::filled();
    bench.fill_storage();
    let said = bench.settle().join("; ");
    assert!(
        said.contains("being built over 1000 values of /storage"),
        "{said}"
    );
    for (folder, what) in [("notes", "notes"), ("storage", "values of /storage")] {
        for (name, mischief) in mischiefs() {
            bench.stop();
            mischief(&bench.root().join("data/index").join(folder));
            bench.start();
            let said = bench.settle();
            // The other one is not built again.
            let expected = [
                format!("the search index is being built over 1000 {what}; until then"),
                format!("the search index covers 1000 {what}"),
            ];
            let is_said = |(said, expected): (&String, &String)| said.starts_with(expected);
            assert!(
                said.len() == 2 && said.iter().zip(&expected).all(is_said),
                "{name}: {said:?}"
            );
            assert_eq!(bench.found("\"day 5\""), ["Page 5"], "{name}");
            assert_eq!(
                bench.found_in_storage("\"coffee 5\""),
                ["/storage/cups/n5"],
                "{name}"
            );
        }
    }
}

#[test]
fn what_changed_in_storage_while_no_index_was_kept_is_known_for_changed() {
    let mut bench = Bench::filled();
    bench.fill_storage();
    bench.settle();
    bench.stop();
    let mut store = open(bench.root());
    let changed = [
        storage_set("/storage/cups/n5", "water"),
        storage_delete("/storage/cups/n6"),
        storage_set("/storage/new", json!({"a": "coffee 5", "b": {}})),
    ];
    store.commit(by_agent(changed.into())).unwrap();
    store.checkpoint(true, at(NOW)).unwrap();
    drop(store);
    bench.start();
    assert_eq!(bench.settle(), Vec::<String>::new());
    assert_eq!(bench.found_in_storage("\"coffee 5\""), ["/storage/new/a"]);
    assert_eq!(bench.found_in_storage("\"coffee 6\""), Vec::<String>::new());
    assert_eq!(
        bench.found_in_storage("new"),
        ["/storage/new/a", "/storage/new/b"]
    );
}

#[test]
fn an_index_of_another_root_is_not_believed() {
    let mut other = Bench::new();
    other.fill(5000..5000 + ENOUGH + u64::try_from(INDEX_BEHIND_MIN).unwrap());
    other.settle();
    let mut bench = Bench::filled();
    bench.stop();
    remove_index(bench.root());
    std::fs::create_dir(bench.root().join("data/index")).unwrap();
    std::fs::rename(other.index(), bench.index()).unwrap();
    // It may not be newer than the journal, or that alone would tell.
    let path = bench.index().join("covers.json");
    write(
        &path,
        &read(&path).replace("\"seq\":", "\"seq\":1,\"was\":"),
    );
    bench.start();
    assert!(bench.settle()[0].contains("being built over 1000"));
    assert_eq!(bench.found("\"day 5\""), ["Page 5"]);
    assert_eq!(bench.found("\"day 5005\""), Vec::<String>::new());
}

#[test]
fn an_index_that_cannot_be_written_is_given_up_for_a_while() {
    let mut bench = Bench::new();
    bench.fill(0..ENOUGH);
    // A folder among the files is not ours to remove.
    std::fs::create_dir_all(bench.index().join("a-person's")).unwrap();
    let is_failed = |it: &Notice| it.message.contains("could not be built") && !it.is_progress;
    until("word of it", || {
        let said = bench.store().tend_index(at(NOW)).unwrap();
        said.into_iter().find(is_failed)
    });
    bench.store().tend_index(at(NOW)).unwrap();
    assert_eq!(bench.store().tend_index(at(NOW)).unwrap(), []);
    assert!(!bench.is_indexed() && bench.index().join("a-person's").exists());
    std::fs::remove_dir(bench.index().join("a-person's")).unwrap();
    bench.store().tend_index(at(NOW + INDEX_RETRY_MS)).unwrap();
    bench.settle();
}

fn files(index: &Path) -> Vec<PathBuf> {
    let disk = RealDisk::open(index, false);
    let names = disk.unwrap().list(Path::new("")).unwrap();
    names.iter().map(|name| index.join(name)).collect()
}
