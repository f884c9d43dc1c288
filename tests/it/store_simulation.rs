//! Days in the life of a root, drawn from a seed, with a death at any call of the disk: whatever
//! the disk then holds, everything acknowledged is there, nothing is there by halves, and nothing
//! that a person wrote is lost.

#![expect(
    clippy::unwrap_used,
    reason = "a test may stop at once, and all deeds have one shape"
)]

use crate::sim_disk::SimDisk;
use crate::store_lab::{
    CHECKPOINT, KV, Random, at, by_agent, check_views, create, delete, draft, edit_member, ended,
    iteration, journal_lines, note_id, note_path, options, path, queued, ram_delete, set, started,
    try_open, update,
};
use kjxlkj_agent::core::journal::commit::decode;
use kjxlkj_agent::core::journal::{ActorType, Cause, Draft, Hash, State};
use kjxlkj_agent::core::memory::Ram;
use kjxlkj_agent::core::notes::Note;
use kjxlkj_agent::core::run::RunState;
use kjxlkj_agent::store::{Error, Options, Store, head_of, read_state, verify};
use serde_json::Value;
use std::collections::BTreeMap;

/// Steps of one life.
const STEPS: u64 = 14;

/// A day: long enough for anything to lie still.
const DAY_MS: i64 = 24 * 60 * 60 * 1000;

/// One life of a root, and what the world knows of it.
struct Life {
    disk: SimDisk,
    options: Options,
    random: Random,
    store: Option<Store>,
    now_ms: i64,
    counter: u64,
    /// What a person wrote, each with a text of its own.
    tokens: Vec<String>,
    /// The last commit that was acknowledged.
    acknowledged: u64,
    /// The steps so far, as drawn, for the message when something is wrong.
    steps: Vec<u64>,
}

impl Life {
    fn new(seed: u64) -> Self {
        let mut random = Random(seed);
        let mut options = options();
        options.segment_bytes = 600 + random.below(8000);
        let disk = SimDisk::new(random.next());
        if random.below(8) == 0 {
            disk.refuse_exchanges();
        }
        Self {
            disk,
            options,
            random,
            store: None,
            now_ms: 1_700_000_000_000,
            counter: 0,
            tokens: Vec::new(),
            acknowledged: 0,
            steps: Vec::new(),
        }
    }

    /// Lives until the end of the script, or until the disk gives up.
    fn live(&mut self) -> Result<(), Error> {
        self.open()?;
        for _ in 0..STEPS {
            let stepped = self.step();
            self.note_acknowledged();
            stepped?;
        }
        Ok(())
    }

    fn open(&mut self) -> Result<(), Error> {
        let (store, _) = try_open(&self.disk, &self.options, at(self.now_ms))?;
        self.acknowledged = store.head().seq;
        self.store = Some(store);
        Ok(())
    }

    fn note_acknowledged(&mut self) {
        if let Some(store) = &self.store {
            self.acknowledged = store.head().seq;
        }
    }

    fn count(&mut self) -> u64 {
        self.counter += 1;
        self.counter
    }

    fn store(&mut self) -> &mut Store {
        self.store.as_mut().unwrap()
    }

    fn state(&self) -> &State {
        self.store.as_ref().unwrap().state()
    }

    fn step(&mut self) -> Result<(), Error> {
        self.now_ms += DAY_MS;
        let now = at(self.now_ms);
        let drawn = self.random.below(20);
        self.steps.push(drawn);
        match drawn {
            0..=5 => self.iterate(),
            6 => self.user_writes(),
            7..=11 => {
                self.let_a_person_write(drawn);
                Ok(())
            }
            12..=14 => self.store().take_edits(now).map(drop),
            15 => self.store().read_notes(now).map(drop),
            16 => self.store().checkpoint(false, now),
            17..=18 => {
                self.store().checkpoint(true, now)?;
                self.note_acknowledged();
                self.store = None;
                self.open()
            }
            _ => {
                self.store().settle()?;
                self.note_acknowledged();
                self.store = None;
                self.open()
            }
        }
    }

    /// One commit with everything in it: RAM, notes, the run's record.
    fn iterate(&mut self) -> Result<(), Error> {
        let count = self.count();
        let mut events = Vec::new();
        let state = self.state();
        match state.runs.next() {
            None => events.push(queued(&format!("event {count}"))),
            Some(run) if run.state == RunState::Queued => events.push(started(run.run_id)),
            Some(run) if run.loop_count > 2 => events.push(ended(run.run_id)),
            Some(run) => events.push(iteration(state, run)),
        }
        let note = self.some_note();
        let key = format!("a{}", self.random.below(3));
        events.push(match self.random.below(4) {
            0 => ram_delete(&key),
            _ => set(&key, format!("agent {count}")),
        });
        match (note, self.random.below(5)) {
            (None, _) | (_, 0) => events.push(create(note_id(count), "agent", "first")),
            (Some(note), 1) => events.push(delete(&note)),
            (Some(note), 2..=3) => events.push(update(&note, &format!("agent {count}"))),
            (Some(_), _) => {}
        }
        self.store().commit(by_agent(events)).map(drop)
    }

    fn user_writes(&mut self) -> Result<(), Error> {
        let count = self.count();
        let id = note_id(count);
        let note = create(id, "user", "first");
        let events = vec![note, set("think_log", format!("user {count}"))];
        let draft = Draft {
            ts: at(self.now_ms),
            ..draft(ActorType::User, Cause::plain("verb"), events)
        };
        self.store().commit(draft).map(drop)
    }

    fn some_note(&mut self) -> Option<Note> {
        let count = u64::try_from(self.state().notes.len()).unwrap();
        let chosen = usize::try_from(self.random.below(count.max(1))).unwrap();
        self.state().notes.iter().nth(chosen).cloned()
    }

    fn token(&mut self) -> String {
        format!("token-{}-", self.count())
    }

    fn let_a_person_write(&mut self, drawn: u64) {
        match drawn {
            7..=8 => self.edit_kv(),
            9 => self.edit_note(),
            10 => self.drop_stranger(),
            _ => self.break_kv(),
        }
    }

    fn edit_kv(&mut self) {
        let token = self.token();
        if edit_member(
            &self.disk,
            path(KV),
            &format!("p{token}"),
            &Value::from(token.clone()),
        ) {
            self.tokens.push(token);
        }
    }

    fn edit_note(&mut self) {
        let token = self.token();
        let note = self.some_note();
        let Some(name) = note.map(|note| note_path(note.id)) else {
            return;
        };
        // A person adds to what stands there, so that no edit hides another.
        let files = self.disk.files();
        let note = files
            .get(&name)
            .map(|it| serde_json::from_slice::<Value>(it));
        let Some(Ok(note)) = note else {
            return;
        };
        let title = format!("{}{token}", note["title"].as_str().unwrap_or_default());
        if edit_member(&self.disk, &name, "title", &Value::from(title)) {
            self.tokens.push(token);
        }
    }

    fn drop_stranger(&mut self) {
        let token = self.token();
        let count = self.count();
        let body = serde_json::json!({"title": "stranger", "value": token}).to_string();
        self.disk.plant(&note_path(note_id(count)), body.as_bytes());
        self.tokens.push(token);
    }

    fn break_kv(&mut self) {
        let token = self.token();
        let files = self.disk.files();
        // A person breaks what stands there, and knows of what was typed before.
        let Some(bytes) = files.get(path(KV)) else {
            return;
        };
        let mut broken = bytes.clone();
        broken.extend_from_slice(token.as_bytes());
        self.disk.plant(path(KV), &broken);
        self.tokens.push(token);
    }
}

/// The state after each commit of a journal.
fn states(disk: &SimDisk) -> BTreeMap<u64, State> {
    let mut state = State::empty();
    let mut found = BTreeMap::from([(0, state.clone())]);
    let (mut seq, mut prev) = (0, Hash::ZERO);
    for (name, bytes) in disk.files() {
        if !name.starts_with("data/journal") || name == path(CHECKPOINT) {
            continue;
        }
        for line in bytes.split_inclusive(|byte| *byte == b'\n') {
            let line = line.strip_suffix(b"\n").unwrap_or_default();
            let Ok(commit) = decode(line, seq + 1, prev) else {
                return found;
            };
            state.apply_commit(&commit);
            (seq, prev) = (commit.seq, commit.hash);
            found.insert(seq, state.clone());
        }
    }
    found
}

/// What a person cannot have changed: keys of the agent, and everything of notes but titles. A
/// note that is there beyond those before holds something that a person wrote.
fn is_only_edited(found: &State, before: &State) -> bool {
    let of_agent = |state: &State| -> BTreeMap<String, Value> {
        let ram = state.ram.entries();
        let ram = ram.filter(|(key, _)| !key.starts_with("ptoken-"));
        ram.map(|(key, value)| (key.to_owned(), value.clone()))
            .collect()
    };
    let kept = before.notes.iter().all(|note| {
        let found = found.notes.get(note.id);
        found.is_some_and(|found| found.value == note.value && found.version >= note.version)
    });
    let written = |note: &&Note| format!("{} {}", note.title, note.value).contains("token-");
    let more = found
        .notes
        .iter()
        .filter(|note| before.notes.get(note.id).is_none());
    kept && of_agent(found) == of_agent(before)
        && more.clone().count() == more.filter(written).count()
}

/// The first part in which two states differ.
fn difference(found: &State, expected: &State) -> String {
    let both = |name: &str, found: String, expected: String| {
        (found != expected).then(|| format!("{name}: found {found}, expected {expected}"))
    };
    let ram = || {
        both(
            "RAM",
            format!("{:?}", found.ram),
            format!("{:?}", expected.ram),
        )
    };
    let notes = || {
        both(
            "notes",
            format!("{:?}", found.notes),
            format!("{:?}", expected.notes),
        )
    };
    let runs = || {
        both(
            "runs",
            format!("{:?}", found.runs),
            format!("{:?}", expected.runs),
        )
    };
    let seen = || {
        both(
            "seen",
            format!("{:?}", found.seen),
            format!("{:?}", expected.seen),
        )
    };
    let parts = ram().or_else(notes).or_else(runs).or_else(seen);
    parts.unwrap_or_else(|| "cycle or results".to_owned())
}

/// How a disk looks to a process that starts after the death of another.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Image {
    /// Only the process died.
    Process,
    /// The power went; the seed says what is left.
    Power(u64),
}

impl Image {
    fn of(self, disk: &SimDisk) -> SimDisk {
        match self {
            Self::Process => disk.process_crash(),
            Self::Power(seed) => disk.power_cut(seed),
        }
    }
}

fn wrong(what: &str) -> impl Fn(Error) -> String + '_ {
    move |error| format!("{what}: {error}")
}

/// Checks what is left of a life on one image of its disk.
fn check(life: &Life, image: &SimDisk, full: &BTreeMap<u64, State>) -> Result<(), String> {
    let mut reader = image.clone();
    let head = head_of(&mut reader).map_err(wrong("head"))?.seq;
    let acknowledged = life.acknowledged;
    // A start that died may have made two commits of its own.
    let more = if life.store.is_some() { 1 } else { 2 };
    if !(acknowledged..=acknowledged + more).contains(&head) {
        return Err(format!(
            "commit {acknowledged} was acknowledged, {head} is there"
        ));
    }
    let expected = full.get(&head).ok_or("a commit that was never made")?;
    let state = read_state(&mut reader, path(KV)).map_err(wrong("read"))?;
    if state != *expected {
        return Err(format!("the state read is not that of commit {head}"));
    }
    let verified = verify(&mut reader).map_err(wrong("verify"))?;
    if !verified.ok {
        return Err(format!("{:?}", verified.first_bad));
    }
    // Recovery, dying on its way, again and again.
    let mut now_ms = life.now_ms + DAY_MS;
    let mut random = Random(head ^ 0x00C0_FFEE);
    let mut image = image.process_crash();
    for round in 0..3 {
        let trial = image.process_crash();
        trial.crash_at_call(1 + random.below(12));
        let died = try_open(&trial, &life.options, at(now_ms)).is_err();
        if !died {
            break;
        }
        image = match round {
            0 => trial.process_crash(),
            _ => trial.power_cut(random.next()),
        };
    }
    // A line that nobody acknowledged may still go while its root recovers.
    let state = read_state(&mut image.clone(), path(KV)).map_err(wrong("read again"))?;
    let mut legitimate = (acknowledged..=head).filter_map(|seq| full.get(&seq));
    let expected = legitimate
        .find(|legitimate| **legitimate == state)
        .ok_or_else(|| {
            format!(
                "recovery made another state: {}",
                difference(&state, expected)
            )
        })?;
    let (mut store, _) = try_open(&image, &life.options, at(now_ms)).map_err(wrong("open"))?;
    store.read_notes(at(now_ms)).map_err(wrong("read notes"))?;
    if store.state() != expected {
        return Err(format!(
            "the state opened is not that of commit {head}: {}",
            difference(store.state(), expected)
        ));
    }
    for _ in 0..3 {
        now_ms += DAY_MS;
        store.take_edits(at(now_ms)).map_err(wrong("edits"))?;
    }
    if !is_only_edited(store.state(), expected) {
        let what = difference(store.state(), expected);
        return Err(format!("an edit changed what no person touched: {what}"));
    }
    check_views(&image, store.state())?;
    check_tokens(life, &image, &store)?;
    now_ms += DAY_MS;
    store.checkpoint(true, at(now_ms)).map_err(wrong("stop"))?;
    check_clean_start(&image, &life.options, store.state(), now_ms)
}

/// Nothing that a person wrote is lost: it is in the journal, or in a file that was kept.
fn check_tokens(life: &Life, image: &SimDisk, store: &Store) -> Result<(), String> {
    let files = image.files();
    let kept = files.iter().filter(|(name, _)| {
        let name = name.to_str().unwrap();
        name.starts_with("data/journal/0")
            || name.contains(".broken-")
            || name.starts_with("data/quarantine")
    });
    let kept: Vec<String> = kept
        .map(|(_, bytes)| String::from_utf8_lossy(bytes).into_owned())
        .collect();
    let kept = kept.concat();
    let ram: Ram = store.state().ram.clone();
    for token in &life.tokens {
        if !kept.contains(token) && ram.get(&format!("p{token}")).is_none() {
            return Err(format!("{token} is lost"));
        }
    }
    Ok(())
}

/// After a stop in good order nothing looks edited, and nothing changes.
fn check_clean_start(
    image: &SimDisk,
    options: &Options,
    state: &State,
    now_ms: i64,
) -> Result<(), String> {
    let image = image.power_cut(1);
    let (mut store, notices) = try_open(&image, options, at(now_ms)).map_err(wrong("reopen"))?;
    let seq = store.head().seq;
    store.read_notes(at(now_ms)).map_err(wrong("reread"))?;
    let report = store
        .take_edits(at(now_ms + DAY_MS))
        .map_err(wrong("edits"))?;
    if !notices.is_empty() || !report.notices.is_empty() || store.head().seq != seq {
        return Err(format!("a clean start saw {notices:?} {report:?}"));
    }
    if store.state() != state {
        return Err("the state after a clean stop is another".to_owned());
    }
    let lines = journal_lines(&image)?;
    if lines.len() as u64 != seq {
        return Err("the journal has another length".to_owned());
    }
    // The journal alone gives the same state.
    image.uproot(path(CHECKPOINT));
    let mut reader = image;
    let replayed = read_state(&mut reader, path(KV)).map_err(wrong("replay"))?;
    if replayed != *state {
        return Err("a full replay gives another state".to_owned());
    }
    Ok(())
}

/// Lives once without a death: the states after each commit, and the number of the disk's calls.
fn whole_life(seed: u64) -> Result<(BTreeMap<u64, State>, u64), String> {
    let mut life = Life::new(seed);
    life.live().map_err(wrong("a life without a death"))?;
    Ok((states(&life.disk), life.disk.calls()))
}

fn die_at(
    seed: u64,
    call: u64,
    images: &[Image],
    full: &BTreeMap<u64, State>,
) -> Result<u64, String> {
    let mut life = Life::new(seed);
    life.disk.crash_at_call(call);
    let died = life.live();
    life.note_acknowledged();
    if died.is_ok() {
        return Err("nobody died".to_owned());
    }
    for image in images {
        check(&life, &image.of(&life.disk), full).map_err(|what| {
            format!(
                "seed {seed}, call {call}, {image:?}, {:?}: {what}",
                life.steps
            )
        })?;
    }
    Ok(images.len() as u64)
}

/// One life, one death at a call that the seed draws, two images. Gives how many were checked.
pub(crate) fn simulate(seed: u64) -> Result<u64, String> {
    let (full, calls) = whole_life(seed).map_err(|what| format!("seed {seed}: {what}"))?;
    let mut random = Random(seed ^ 0x00DE_ADBE);
    let call = 1 + random.below(calls);
    let images = [Image::Process, Image::Power(random.next())];
    die_at(seed, call, &images, &full)
}

/// One life, a death at every call of it. Gives how many were checked.
pub(crate) fn simulate_every_call(seed: u64) -> Result<u64, String> {
    let (full, calls) = whole_life(seed).map_err(|what| format!("seed {seed}: {what}"))?;
    let mut checked = 0;
    for call in 1..=calls {
        let images = [
            Image::Process,
            Image::Power(call),
            Image::Power(call ^ 0xFF00),
        ];
        checked += die_at(seed, call, &images, &full)?;
    }
    Ok(checked)
}

#[test]
fn a_death_at_any_call_loses_nothing() {
    for seed in 0..3 {
        simulate_every_call(seed).unwrap();
    }
}

#[test]
fn lives_of_many_seeds_lose_nothing() {
    for seed in 1000..1120 {
        simulate(seed).unwrap();
    }
}

/// Events of every kind are in the lives above.
#[test]
fn the_lives_meet_everything() {
    let mut met = std::collections::BTreeSet::new();
    for seed in 1000..1100 {
        let mut life = Life::new(seed);
        life.live().unwrap();
        for line in journal_lines(&life.disk).unwrap() {
            met.extend(line.events.into_iter().map(|(name, _)| name));
        }
    }
    for name in [
        "root.created",
        "run.queued",
        "run.started",
        "iteration.done",
        "run.ended",
        "ram.set",
        "ram.deleted",
        "note.created",
        "note.updated",
        "note.deleted",
        "views.written",
        "edit.refused",
    ] {
        assert!(met.contains(name), "{name}");
    }
}
