//! Nothing is lost by paging: random RAM, random replies, any mix of paging by the model and by rule,
//! over checkpoints, stops, deaths, power cuts and retired segments.

#![expect(clippy::unwrap_used, reason = "a test may stop at once")]

use crate::agent::paging::read_by_marks;
use crate::agent::{Sim, codes, ram_add};
use crate::random::Random;
use crate::sim_disk::SimDisk;
use crate::store_lab::{approve, at, draft, options, set, try_open};
use kjxlkj_agent::core::agent::LoopState;
use kjxlkj_agent::core::journal::{ActorType, Cause, CommitDraft, Event, State};
use kjxlkj_agent::core::memory::directory::{Layer, is_own, values_of};
use kjxlkj_agent::core::memory::ram::text_of;
use kjxlkj_agent::core::memory::{Storage, StorePath};
use kjxlkj_agent::core::protocol::Tag;
use kjxlkj_agent::failure::Code;
use kjxlkj_agent::store::{Options, Store};
use kjxlkj_agent::time::DAY_MS;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// A loop whose decisions a store keeps.
struct Life {
    random: Random,
    disk: SimDisk,
    options: Options,
    store: Option<Store>,
    sim: Sim,
    now: i64,
    count: u64,
    /// What the reply being made says of each key.
    said: BTreeMap<String, String>,
}

impl Life {
    fn new(seed: u64) -> Self {
        let mut random = Random(seed);
        let disk = SimDisk::new(random.next());
        let mut options = options();
        options.segment_bytes = 4000;
        options.retention_days = 2;
        let mut sim = Sim::in_state(LoopState::Planning, None);
        sim.allowed = Tag::ALL.into_iter().collect();
        sim.memory.working_memory_character_max = 300;
        let mut life = Self {
            random,
            disk,
            options,
            store: None,
            sim,
            now: 1_700_000_000_000,
            count: 0,
            said: BTreeMap::new(),
        };
        life.open();
        life
    }

    fn open(&mut self) {
        let (mut store, _) = try_open(&self.disk, &self.options, at(self.now)).unwrap();
        store.read_notes(at(self.now)).unwrap();
        self.sim.state = store.state().clone();
        self.store = Some(store);
    }

    fn store(&mut self) -> &mut Store {
        self.store.as_mut().unwrap()
    }

    fn key(&mut self) -> String {
        let keys = ["a", "b.1", "c/d", "context.e", "two words", "b", "\u{8a9e}"];
        keys[usize::try_from(self.random.below(7)).unwrap()].to_owned()
    }

    /// A number as somebody writes it: short, with a zero at its end, with a power, or longer than any
    /// that JSON gives back.
    fn number(&mut self) -> String {
        let digits = 1 + usize::try_from(self.random.below(30)).unwrap();
        let sign = ["", "-"][usize::try_from(self.random.below(2)).unwrap()];
        let long: String = (0..digits)
            .map(|_| char::from(b'1' + u8::try_from(self.random.below(9)).unwrap()))
            .collect();
        match self.random.below(5) {
            0 => format!("{sign}{long}"),
            1 => format!("{sign}0.{long}"),
            2 => format!("{sign}1.{}0", self.random.below(100)),
            3 => format!("{sign}{long}e{}", self.random.below(40)),
            _ => format!(
                "{sign}{}E-{}",
                self.random.below(100),
                self.random.below(40)
            ),
        }
    }

    /// A text that is JSON, and says more than JSON may keep.
    fn numbers(&mut self) -> String {
        self.count += 1;
        let (count, one, other) = (self.count, self.number(), self.number());
        match self.random.below(3) {
            0 => format!("{{\"count\": {count}, \"n\": [{one}, {{\"deep\": {other}}}]}}"),
            1 => format!("[{count}, {one}, {other}]"),
            _ => format!("{{\"count\": {count}, \"p\": {one}, \"p\": {other}}}"),
        }
    }

    /// A value of its own each time.
    fn value(&mut self) -> String {
        if self.random.below(3) == 0 {
            return self.numbers();
        }
        self.count += 1;
        let text =
            format!("{} ", self.count).repeat(1 + usize::try_from(self.random.below(60)).unwrap());
        match self.random.below(3) {
            0 => json!({"text": text, "n": {"deep": [1.5, null, {}]}}).to_string(),
            1 => json!([text, "x"]).to_string(),
            _ => format!("line one {text}\nline two"),
        }
    }

    /// A `<delete>` of one key, beside trees, archived values and keys of RAM that have its name; and the
    /// one value that it takes away: of a tree none.
    fn removal(&mut self) -> (String, Option<String>) {
        let key = self.key();
        let state = &self.sim.state;
        let first = values_of(&state.main.ram, &state.storage, &key).next();
        let own = state.storage.directory(std::slice::from_ref(&key));
        let is_archived = state.storage.has(StorePath::archive(&key).parts());
        let is_tree = !is_archived && own.is_some_and(|it| !it.is_empty());
        let gone = first.filter(|(layer, _)| *layer == Layer::Ram || !is_tree);
        let reply = format!("<paging><delete>{key}</delete></paging>");
        (reply, gone.map(|(_, value)| value.to_string()))
    }

    /// A person writes a key of RAM, now and then more than may ever stand there, or a tree in a place that
    /// a key of RAM is called like.
    fn person_writes(&mut self) {
        let key = ["a", "c/d", "b"][usize::try_from(self.random.below(3)).unwrap()];
        self.count += 1;
        let length = 1 + usize::try_from(self.random.below(300)).unwrap();
        let text = format!("by hand {} ", self.count).repeat(length);
        let event = if self.random.below(2) == 0 {
            set(key, text)
        } else {
            let path = StorePath::storage([key.to_owned()]);
            let tree = json!({"leaf": text, "below": {"deep": self.count}});
            let change = approve(|guard| guard.storage_set(&Storage::default(), &path, tree));
            Event::Change(change.unwrap())
        };
        self.now += 1000;
        let draft = CommitDraft {
            ts: at(self.now),
            ..draft(ActorType::User, Cause::plain("verb"), vec![event])
        };
        self.store().commit(draft).unwrap();
        self.sim.state = self.store().state().clone();
    }

    /// A reply that writes some keys, or one that moves some; and the keys that it writes.
    fn reply(&mut self) -> (String, BTreeSet<String>) {
        let (mut reply, mut written) = (String::new(), BTreeSet::new());
        self.said.clear();
        let writes = self.random.below(2) == 0;
        for _ in 0..=self.random.below(3) {
            let (key, other) = (self.key(), self.key());
            let order = match (writes, self.random.below(3)) {
                (true, 0) => ram_add("archived", "garbage"),
                (true, _) if key.starts_with("context") => {
                    written.insert("context.e".to_owned());
                    ram_add("context", &json!({"e": self.value()}).to_string())
                }
                (true, _) => {
                    written.insert(key.clone());
                    let value = self.value();
                    self.said.insert(key.clone(), value.clone());
                    ram_add(&key, &value)
                }
                (false, 0) => format!("<paging><archive>{key}</archive></paging>"),
                (false, 1) => format!("<paging><retrieve>{key}</retrieve></paging>"),
                (false, _) => {
                    format!("<paging><archive>{key}</archive><retrieve>{other}</retrieve></paging>")
                }
            };
            reply.push_str(&order);
        }
        (reply, written)
    }

    fn turn(&mut self, reply: &str) -> Vec<Option<Code>> {
        self.now += 1000;
        self.sim.now = at(self.now);
        let decision = self.sim.decide(reply);
        let codes = codes(&decision);
        let draft = CommitDraft {
            ts: at(self.now),
            ..decision.draft
        };
        self.store().commit(draft).unwrap();
        self.sim.state = self.store().state().clone();
        self.sim.run.loop_count += 1;
        codes
    }

    /// Something happens to the process, the power or the folder.
    fn happen(&mut self) {
        let now = at(self.now);
        match self.random.below(10) {
            0 => self.store().checkpoint(false, now).unwrap(),
            1 => {
                self.store().checkpoint(true, now).unwrap();
                self.store = None;
                self.open();
            }
            2 => {
                self.store = None;
                self.disk = self.disk.process_crash();
                self.open();
            }
            3 => {
                self.store = None;
                let seed = self.random.next();
                self.disk = self.disk.power_cut(seed);
                self.open();
            }
            4 => {
                self.now += 5 * DAY_MS;
                let later = at(self.now);
                self.store().take_edits(later).unwrap();
                self.store().retire(later).unwrap();
            }
            _ => {}
        }
    }
}

/// Every value in the archive, each as its text, sorted.
fn archived(state: &State) -> Vec<String> {
    let archive = state.storage.directory(&["archive".to_owned()]);
    let nodes = archive
        .into_iter()
        .flat_map(kjxlkj_agent::core::memory::storage::Directory::entries);
    let mut values: Vec<String> = nodes.map(|(_, node)| node.to_value().to_string()).collect();
    values.sort();
    values
}

/// Every tree and value that stands in `/storage` beside the archive, each as its text.
fn own_places(state: &State) -> Vec<String> {
    let entries = state.storage.root().entries();
    let own = entries.filter(|(name, _)| *name != "archive");
    own.map(|(_, node)| node.to_value().to_string()).collect()
}

/// Every value in RAM that is not the program's own, by the key that a prompt shows.
fn in_ram(state: &State) -> BTreeMap<String, String> {
    let ram = state.main.ram.entries().filter(|(key, _)| !is_own(key));
    let mut values: BTreeMap<String, String> = ram
        .map(|(key, value)| (key.to_owned(), value.to_string()))
        .collect();
    let context = state.main.ram.get("context").and_then(Value::as_object);
    for (name, value) in context.into_iter().flatten() {
        values.insert(format!("context.{name}"), value.to_string());
    }
    values
}

/// Every digit that was said is there: the value is the text, or a structure whose numbers have the values
/// that the text has. Tells whether it stayed text.
fn says_the_same(value: &Value, text: &str) -> bool {
    if value.as_str() == Some(text) {
        return true;
    }
    let (said, kept) = (decimals(text), decimals(&value.to_string()));
    assert_eq!(said, kept, "{text} became {value}");
    false
}

/// The numbers in a text outside of its strings, each as sign, digits and power of ten, sorted: members
/// come back in the order of their names.
fn decimals(text: &str) -> Vec<(bool, String, i64)> {
    let outside = text.split('"').step_by(2).collect::<Vec<_>>().join(" ");
    let is_of_number = |c: char| c.is_ascii_digit() || "+-.eE".contains(c);
    let words = outside.split(|c| !is_of_number(c));
    let mut all: Vec<_> = words
        .filter(|word| word.contains(|c: char| c.is_ascii_digit()))
        .map(|word| {
            let (number, power) = word.split_once(['e', 'E']).unwrap_or((word, "0"));
            let (whole, part) = number.split_once('.').unwrap_or((number, ""));
            let digits = format!("{}{part}", whole.trim_start_matches('-'));
            let mut power = power.parse::<i64>().unwrap() - i64::try_from(part.len()).unwrap();
            let mut digits = digits.trim_start_matches('0');
            while let Some(shorter) = digits.strip_suffix('0') {
                (digits, power) = (shorter, power + 1);
            }
            let is_zero = digits.is_empty();
            let sign = word.starts_with('-') && !is_zero;
            (sign, digits.to_owned(), if is_zero { 0 } else { power })
        })
        .collect();
    all.sort();
    all
}

/// What a reply did not write over, and did not delete, is where it was, or where paging put it: no value
/// less, none more.
fn check(
    before: &State,
    after: &State,
    written: &BTreeSet<String>,
    gone: Option<&String>,
    what: &str,
) {
    let mut ram = in_ram(before);
    ram.retain(|key, _| !written.contains(key));
    let mut kept: Vec<String> = archived(before);
    kept.extend(ram.into_values());
    kept.extend(own_places(before));
    if let Some(gone) = gone {
        let at = kept.iter().position(|value| value == gone);
        kept.remove(at.unwrap());
    }
    let mut there = archived(after);
    there.extend(in_ram(after).into_values());
    there.extend(own_places(after));
    for value in &kept {
        assert!(there.contains(value), "{what}: {value} is lost");
    }
    if written.is_empty() {
        kept.sort();
        kept.dedup();
        there.sort();
        there.dedup();
        assert_eq!(there, kept, "{what}");
    }
}

/// Whether a key leads to a value in a layer.
fn leads_to(life: &Life, key: &str, layer: Layer, value: &Value) -> bool {
    let state = &life.sim.state;
    values_of(&state.main.ram, &state.storage, key)
        .any(|(at, found)| (at, &found) == (layer, value))
}

/// How an archived value came back.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Back {
    /// Into RAM.
    InRam,
    /// It is larger than RAM may ever be; it was read as it is said then.
    Read,
    /// RAM is full, or was paged at once.
    Not,
}

fn retrieve(life: &mut Life, key: &str, value: &Value, what: &str) -> Back {
    let codes = life.turn(&format!("<paging><retrieve>{key}</retrieve></paging>"));
    if leads_to(life, key, Layer::Ram, value) {
        return Back::InRam;
    }
    let is_full = codes == [Some(Code::LimitExceeded)];
    assert!(is_full || codes == [None], "{what}: {key}, {codes:?}");
    let way = format!("too large for RAM; read it with record_search {key}");
    let mut told = life.sim.state.main.results.iter();
    if !told.any(|it| it.message.ends_with(&way)) {
        return Back::Not;
    }
    let text = read_by_marks(&mut life.sim, key, "archived");
    assert_eq!(text, text_of(value), "{what}: {key}");
    Back::Read
}

/// What is in the archive is there for a person, and comes back by its key, byte for byte; where RAM is
/// full, once what is there has made room. What is larger than RAM may ever be is read, and how is told.
/// Tells how many of these there were.
fn bring_back(life: &mut Life, what: &str) -> usize {
    let mut read = 0;
    let keys: Vec<String> = life
        .sim
        .state
        .storage
        .directory(&["archive".to_owned()])
        .map(|archive| archive.entries().map(|(key, _)| key.to_owned()).collect())
        .unwrap_or_default();
    for key in keys {
        let parts = StorePath::archive(&key).parts().to_vec();
        let value = life.sim.state.storage.value(&parts).unwrap();
        assert!(
            leads_to(life, &key, Layer::Storage, &value),
            "{what}: {key}"
        );
        let mut back = retrieve(life, &key, &value, what);
        if back == Back::Not {
            for other in in_ram(&life.sim.state).into_keys() {
                life.turn(&format!("<paging><archive>{other}</archive></paging>"));
            }
            // A newer value of the key may have moved it aside.
            let aside = (1..9).map(|number| format!("{key}.{number}"));
            let now = std::iter::once(key.clone()).chain(aside);
            let now = now.filter(|key| leads_to(life, key, Layer::Storage, &value));
            let now = now.collect::<Vec<_>>().remove(0);
            back = retrieve(life, &now, &value, what);
            if back == Back::Not {
                back = retrieve(life, &now, &value, what);
            }
        }
        assert!(back != Back::Not, "{what}: {key}");
        read += usize::from(back == Back::Read);
    }
    read
}

#[test]
fn nothing_is_lost_by_paging() {
    let (mut moved, mut aside, mut as_text, mut structures) = (0, 0, 0, 0);
    let (mut removed, mut refused, mut too_large) = (0, 0, 0);
    for seed in 0..40 {
        let mut life = Life::new(seed);
        for step in 0..30 {
            let what = format!("seed {seed}, step {step}");
            if life.random.below(4) == 0 {
                life.person_writes();
            }
            let before = life.sim.state.clone();
            let (reply, written, gone) = if life.random.below(5) == 0 {
                let (reply, gone) = life.removal();
                (reply, BTreeSet::new(), gone)
            } else {
                let (reply, written) = life.reply();
                (reply, written, None)
            };
            let codes = life.turn(&reply);
            removed += usize::from(gone.is_some());
            refused += usize::from(codes == [Some(Code::PathInvalid)]);
            let after = life.sim.state.clone();
            check(&before, &after, &written, gone.as_ref(), &what);
            for (key, text) in &life.said {
                let is_json = text.starts_with(['{', '[']);
                // What did not fit was refused, or was archived at once.
                if let (true, Some(value)) = (is_json, after.main.ram.get(key))
                    && before.main.ram.get(key) != Some(value)
                {
                    let is_text = says_the_same(value, text);
                    as_text += usize::from(is_text);
                    structures += usize::from(!is_text);
                }
            }
            moved += usize::from(archived(&before) != archived(&after));
            life.happen();
            assert_eq!(life.sim.state.storage, after.storage, "{what}");
            assert_eq!(life.sim.state.main.ram, after.main.ram, "{what}");
            assert_eq!(life.sim.state.main.keys, after.main.keys, "{what}");
        }
        let archive = life.sim.state.storage.directory(&["archive".to_owned()]);
        let keys = archive
            .into_iter()
            .flat_map(kjxlkj_agent::core::memory::storage::Directory::entries);
        aside += keys.filter(|(key, _)| key.ends_with(".2")).count();
        too_large += bring_back(&mut life, &format!("seed {seed}"));
    }
    assert!(
        removed > 50 && refused > 5 && too_large > 5,
        "{removed}, {refused}, {too_large}"
    );
    assert!(moved > 200 && aside > 5, "{moved}, {aside}");
    assert!(as_text > 50 && structures > 50, "{as_text}, {structures}");
}
