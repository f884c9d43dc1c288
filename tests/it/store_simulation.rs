//! Days in the life of a root, drawn from a seed, with a death at any call of the disk: whatever
//! the disk then holds, everything acknowledged is there, nothing is there by halves, and nothing
//! that a person wrote is lost.

#![expect(
    clippy::unwrap_used,
    reason = "a test may stop at once, and all deeds have one shape"
)]

use crate::random::Random;
use crate::sim_disk::SimDisk;
use crate::store_lab::{
    CHECKPOINT, KV, MEMORY, STORAGE, at, by_agent, check_views, conclude, create, delete, draft,
    edit_member, ended, iteration, journal_lines, note_id, note_path, options, path, queued,
    ram_delete, segment_number, set, started, storage_delete, storage_set, try_open, update,
    work_on_inbox,
};
use kjxlkj_agent::core::guard::in_ram_of;
use kjxlkj_agent::core::journal::commit::decode;
use kjxlkj_agent::core::journal::{ActorType, Cause, CommitDraft, Event, Hash, State};
use kjxlkj_agent::core::memory::{MemoryLayout, Ram};
use kjxlkj_agent::core::notes::Note;
use kjxlkj_agent::core::run::{Run, RunState};
use kjxlkj_agent::ids::AgentId;
use kjxlkj_agent::store::inbox::{InboxRequest, InboxWatch, drop_request};
use kjxlkj_agent::store::{Error, Options, Store, head_of, read_state, verify};
use kjxlkj_agent::time::DAY_MS;
use serde_json::{Value, json};
use std::collections::{BTreeMap, VecDeque};
use std::path::PathBuf;
use uuid::Uuid;

/// Steps of one life.
const STEPS: usize = 18;

/// What can happen in a life.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Deed {
    /// The loop commits an iteration.
    Iterate,
    /// A person writes through a verb.
    UserWrites,
    /// A person edits the KV file, a note, or breaks the KV file.
    EditKv,
    EditNote,
    BreakKv,
    /// A person writes into the file of `/storage`, or that of both layers, which are not theirs to write.
    EditStorage,
    /// A person puts a file of their own among the notes.
    DropStranger,
    /// A person drops a file into the inbox, perhaps one that cannot be read; or uses `ask`.
    DropRequest,
    Ask,
    /// The loop looks at the inbox, at the files, at the notes.
    TakeInbox,
    TakeEdits,
    ReadNotes,
    Checkpoint,
    /// The loop lets go of old segments.
    Retire,
    /// A stop in good order, or a process that dies; then a start.
    Stop,
    Die,
}

/// What is drawn from: each as often as it should happen.
const DEEDS: [Deed; 25] = [
    Deed::EditStorage,
    Deed::Iterate,
    Deed::Iterate,
    Deed::Iterate,
    Deed::Iterate,
    Deed::Iterate,
    Deed::Iterate,
    Deed::UserWrites,
    Deed::EditKv,
    Deed::EditKv,
    Deed::EditNote,
    Deed::DropStranger,
    Deed::BreakKv,
    Deed::TakeEdits,
    Deed::TakeEdits,
    Deed::ReadNotes,
    Deed::Checkpoint,
    Deed::Stop,
    Deed::Die,
    Deed::DropRequest,
    Deed::Ask,
    Deed::TakeInbox,
    Deed::TakeInbox,
    Deed::Retire,
    Deed::Retire,
];

/// A request that a person made.
#[derive(Clone, Debug)]
struct Asked {
    /// What is asked, or the bytes that cannot be read.
    text: String,
    readable: bool,
    /// The person was told that it is there.
    told: bool,
}

/// One life of a root, and what the world knows of it.
pub(crate) struct Life {
    pub(crate) disk: SimDisk,
    pub(crate) options: Options,
    random: Random,
    pub(crate) store: Option<Store>,
    pub(crate) now_ms: i64,
    counter: u64,
    inbox: InboxWatch,
    /// Taken out of the inbox, and whether it is committed.
    taken: VecDeque<(InboxRequest, bool)>,
    /// What a person wrote, each with a text of its own.
    tokens: Vec<String>,
    asked: Vec<Asked>,
    /// Segments that were retired, and requests that were taken.
    retired: u32,
    requests: usize,
    /// The last commit that was acknowledged.
    pub(crate) acknowledged: u64,
    /// What is to happen.
    pub(crate) script: Vec<Deed>,
    /// How far it came.
    pub(crate) steps: usize,
    /// Every segment that there ever was.
    archive: BTreeMap<PathBuf, Vec<u8>>,
}

impl Life {
    pub(crate) fn new(seed: u64) -> Self {
        let mut random = Random(seed);
        let mut options = options();
        options.segment_bytes = 600 + random.below(8000);
        options.retention_days = 1 + u32::try_from(random.below(8)).unwrap();
        // Every other life has one more file that is written at rest.
        if seed % 2 == 1 {
            options.layout = MemoryLayout::Unified;
        }
        let disk = SimDisk::new(random.next());
        if random.below(8) == 0 {
            disk.refuse_exchanges();
        }
        let mut draw = || DEEDS[usize::try_from(random.below(DEEDS.len() as u64)).unwrap()];
        let script = (0..STEPS).map(|_| draw()).collect();
        Self::of(disk, options, random, script)
    }

    /// A life in which just this happens.
    pub(crate) fn scripted(seed: u64, script: &[Deed]) -> Self {
        let mut options = options();
        options.segment_bytes = 2500;
        options.retention_days = 4;
        Self::of(SimDisk::new(seed), options, Random(seed), script.to_vec())
    }

    fn of(disk: SimDisk, options: Options, random: Random, script: Vec<Deed>) -> Self {
        Self {
            disk,
            options,
            random,
            store: None,
            now_ms: 1_700_000_000_000,
            counter: 0,
            inbox: InboxWatch::default(),
            taken: VecDeque::new(),
            tokens: Vec::new(),
            asked: Vec::new(),
            retired: 0,
            requests: 0,
            acknowledged: 0,
            script,
            steps: 0,
            archive: BTreeMap::new(),
        }
    }

    /// Lives until the end of the script, or until the disk gives up.
    pub(crate) fn live(&mut self) -> Result<(), Error> {
        self.live_on(&mut |_, error| Err(error))
    }

    /// The same, with a way out: `trouble` may make the last step be tried again.
    pub(crate) fn live_on(
        &mut self,
        trouble: &mut dyn FnMut(&mut Self, Error) -> Result<(), Error>,
    ) -> Result<(), Error> {
        while self.store.is_none() && self.steps == 0 {
            if let Err(error) = self.open() {
                trouble(self, error)?;
            }
        }
        while let Some(deed) = self.script.get(self.steps).copied() {
            self.now_ms += DAY_MS;
            loop {
                let before = (self.random.clone(), self.counter);
                let (tokens, asked) = (self.tokens.len(), self.asked.len());
                let done = self.act(deed);
                self.note_acknowledged();
                self.keep_segments();
                let Err(error) = done else { break };
                trouble(self, error)?;
                // The same again: nothing of it was done.
                (self.random, self.counter) = before;
                self.tokens.truncate(tokens);
                self.asked.truncate(asked);
            }
            self.steps += 1;
        }
        Ok(())
    }

    fn open(&mut self) -> Result<(), Error> {
        let (store, _) = try_open(&self.disk, &self.options, at(self.now_ms))?;
        self.acknowledged = store.head().seq;
        self.store = Some(store);
        self.inbox = InboxWatch::default();
        self.taken.clear();
        Ok(())
    }

    fn note_acknowledged(&mut self) {
        if let Some(store) = &self.store {
            self.acknowledged = store.head().seq;
        }
    }

    fn keep_segments(&mut self) {
        let files = self.disk.files().into_iter();
        self.archive
            .extend(files.filter(|(name, _)| segment_number(name).is_some()));
    }

    /// What the journal has ever told, event by event.
    pub(crate) fn facts(&self) -> Vec<(String, String)> {
        let facts = self.archive.values().flat_map(|bytes| {
            let image = SimDisk::new(0);
            image.plant(path("data/journal/00000002.jsonl"), bytes);
            journal_lines(&image).unwrap()
        });
        facts.flat_map(|line| line.events).collect()
    }

    fn count(&mut self) -> u64 {
        self.counter += 1;
        self.counter
    }

    pub(crate) fn store(&mut self) -> &mut Store {
        self.store.as_mut().unwrap()
    }

    pub(crate) fn state(&self) -> &State {
        self.store.as_ref().unwrap().state()
    }

    fn act(&mut self, deed: Deed) -> Result<(), Error> {
        let now = at(self.now_ms);
        match deed {
            Deed::Iterate => self.iterate(),
            Deed::UserWrites => self.user_writes(),
            Deed::EditKv => {
                self.edit_kv();
                Ok(())
            }
            Deed::EditNote => {
                self.edit_note();
                Ok(())
            }
            Deed::DropStranger => {
                self.drop_stranger();
                Ok(())
            }
            Deed::BreakKv => {
                self.break_kv();
                Ok(())
            }
            Deed::EditStorage => {
                self.edit_storage();
                Ok(())
            }
            Deed::DropRequest => {
                self.drop_file();
                Ok(())
            }
            Deed::Ask => self.ask(),
            Deed::TakeInbox => self.take_inbox(),
            Deed::TakeEdits => self.store().take_edits(now).map(drop),
            Deed::ReadNotes => self.store().read_notes(now).map(drop),
            Deed::Checkpoint => self.store().checkpoint(false, now),
            Deed::Retire => {
                self.store().read_notes(now)?;
                self.store().take_edits(now)?;
                self.retired += self.store().retire(now)?.unwrap_or_default();
                Ok(())
            }
            Deed::Stop => {
                if let Some(store) = &mut self.store {
                    store.checkpoint(true, now)?;
                }
                self.start_again()
            }
            Deed::Die => {
                if let Some(store) = &mut self.store {
                    store.settle()?;
                }
                self.start_again()
            }
        }
    }

    fn start_again(&mut self) -> Result<(), Error> {
        self.note_acknowledged();
        self.store = None;
        self.open()
    }

    fn request_id(&mut self) -> Uuid {
        Uuid::from_u128(0xA5C << 64 | u128::from(self.count()))
    }

    /// A file dropped in by a person, safe at once; one in three cannot be read.
    fn drop_file(&mut self) {
        let (token, id) = (self.token(), self.request_id());
        let (ending, text, readable) = match self.asked.len() % 3 {
            0 => ("txt", format!("{{please}} {token}"), true),
            1 => ("json", format!("{{\"request\": \"{token}\"}}"), true),
            _ => ("json", format!("{{\"request\": \"{token}"), false),
        };
        let name = format!("data/inbox/{id}.{ending}");
        self.disk.plant(path(&name), text.as_bytes());
        let text = if readable { token } else { text };
        self.asked.push(Asked {
            text,
            readable,
            told: true,
        });
    }

    fn ask(&mut self) -> Result<(), Error> {
        let (text, id) = (self.token(), self.request_id());
        let dropped = drop_request(&mut self.disk.clone(), id, &text);
        self.asked.push(Asked {
            text,
            readable: true,
            told: dropped.is_ok(),
        });
        dropped.map(drop)
    }

    /// As the loop does it: what is committed is not committed again when closing it found no room.
    fn take_inbox(&mut self) -> Result<(), Error> {
        let now = at(self.now_ms);
        let store = self.store.as_mut().unwrap();
        if self.taken.is_empty() {
            let taken = store
                .inbox()
                .take_requests(&mut self.inbox, now, usize::MAX)?;
            self.requests += taken.len();
            self.taken.extend(taken.into_iter().map(|one| (one, false)));
        }
        while let Some((one, committed)) = self.taken.front_mut() {
            if !*committed {
                conclude(store, one, now)?;
                *committed = true;
            }
            store
                .inbox()
                .close_request(&mut self.inbox, one, one.request.is_err())?;
            self.taken.pop_front();
        }
        Ok(())
    }

    /// One commit with everything in it: RAM, notes, the run's record.
    fn iterate(&mut self) -> Result<(), Error> {
        let count = self.count();
        let mut events = Vec::new();
        let state = self.state();
        let run = state.runs.next().cloned();
        match &run {
            None => events.push(opened(count)),
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
        events.extend(stored(count));
        let mut draft = CommitDraft {
            ts: at(self.now_ms),
            ..by_agent(events)
        };
        if let Some(run) = run.filter(Run::has_private_ram) {
            draft.cause = Cause::run("iteration", run.run_id);
            draft.events = in_ram_of(&run, draft.events);
        }
        self.store().commit(draft).map(drop)
    }

    fn user_writes(&mut self) -> Result<(), Error> {
        let count = self.count();
        let id = note_id(count);
        let note = create(id, "user", "first");
        let mut events = vec![note, set("think_log", format!("user {count}"))];
        events.extend(stored(count));
        let draft = CommitDraft {
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

    fn edit_storage(&mut self) {
        let token = self.token();
        let value = Value::from(token.clone());
        let name = match self.options.layout {
            MemoryLayout::Unified if self.tokens.len() % 2 == 1 => MEMORY,
            MemoryLayout::Unified | MemoryLayout::Split => STORAGE,
        };
        if edit_member(&self.disk, path(name), &token, &value) {
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

/// What the `count`th deed does to `/storage`: a value, one in the way of others, one that goes.
fn stored(count: u64) -> Vec<Event> {
    let (folder, name) = (count % 3, count % 5);
    let place = format!("/storage/s{folder}/k{name}");
    match count % 7 {
        0 | 1 => vec![storage_set(&place, format!("stored {count}"))],
        2 => vec![storage_set(
            &place,
            json!({"deep": {"er": count}, "list": [count]}),
        )],
        3 => vec![storage_delete(&place)],
        4 => vec![
            storage_set("/storage/moved", json!({"from": place})),
            storage_delete(&format!("/storage/s{folder}")),
        ],
        5 => vec![storage_set(&format!("/storage/s{folder}"), "in the way")],
        _ => Vec::new(),
    }
}

/// A run that opens: every second one is of an agent with private RAM.
fn opened(count: u64) -> Event {
    let mut opened = queued(&format!("event {count}"));
    if let Event::RunQueued(queued) = &mut opened
        && count.is_multiple_of(2)
    {
        queued.run.agent = AgentId::parse("librarian");
    }
    opened
}

/// The state after each commit of a life that was never interrupted.
fn states(life: &Life) -> BTreeMap<u64, State> {
    let mut state = State::empty();
    let mut found = BTreeMap::from([(0, state.clone())]);
    let (mut seq, mut prev) = (0, Hash::ZERO);
    for bytes in life.archive.values() {
        for line in bytes.split_inclusive(|byte| *byte == b'\n') {
            let line = line.strip_suffix(b"\n").unwrap_or_default();
            let Ok(commit) = decode(line, seq + 1, prev) else {
                return found;
            };
            state.apply_draft(&commit.draft);
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
        let ram = state.main.ram.entries();
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
    kept && found.storage == before.storage
        && of_agent(found) == of_agent(before)
        && more.clone().count() == more.filter(written).count()
}

/// The first part in which two states differ.
pub(crate) fn difference(found: &State, expected: &State) -> String {
    let both = |name: &str, found: String, expected: String| {
        (found != expected).then(|| format!("{name}: found {found}, expected {expected}"))
    };
    let ram = || {
        both(
            "RAM",
            format!("{:?}", found.main.ram),
            format!("{:?}", expected.main.ram),
        )
    };
    let storage = || {
        both(
            "storage",
            format!("{:?}", found.storage),
            format!("{:?}", expected.storage),
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
            format!("{:?}", found.main.seen),
            format!("{:?}", expected.main.seen),
        )
    };
    let private = || {
        both(
            "private RAM",
            format!("{:?}", found.private),
            format!("{:?}", expected.private),
        )
    };
    let parts = ram()
        .or_else(storage)
        .or_else(notes)
        .or_else(runs)
        .or_else(seen)
        .or_else(private);
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
    pub(crate) fn of(self, disk: &SimDisk) -> SimDisk {
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
pub(crate) fn check(
    life: &Life,
    image: &SimDisk,
    full: &BTreeMap<u64, State>,
) -> Result<(), String> {
    let (image, store, now_ms) = recover(life, image, full)?;
    check_clean_start(&image, &life.options, store.state(), now_ms)
}

/// The same where the system forgot what it could not write: a view may have to be made again
/// after a clean stop, and a person is told.
pub(crate) fn check_but_views(
    life: &Life,
    image: &SimDisk,
    full: &BTreeMap<u64, State>,
) -> Result<(), String> {
    let (image, before, mut now_ms) = recover(life, image, full)?;
    let image = image.power_cut(1);
    let (mut store, _) = try_open(&image, &life.options, at(now_ms)).map_err(wrong("reopen"))?;
    store.read_notes(at(now_ms)).map_err(wrong("reread"))?;
    for _ in 0..2 {
        now_ms += DAY_MS;
        store.take_edits(at(now_ms)).map_err(wrong("edits"))?;
    }
    if store.state() != before.state() {
        return Err(difference(store.state(), before.state()));
    }
    check_views(&image, store.state())
}

/// Starts on one image of a life's disk, looks at everything, and stops in good order. Gives the
/// disk then, the store, and the time.
pub(crate) fn recover(
    life: &Life,
    image: &SimDisk,
    full: &BTreeMap<u64, State>,
) -> Result<(SimDisk, Store, i64), String> {
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
    check_inbox(life, &image, &mut store, now_ms)?;
    check_views(&image, store.state())?;
    check_tokens(life, &image, &store)?;
    now_ms += DAY_MS;
    if head % 2 == 0 {
        check_retirement(&mut store, now_ms)?;
    }
    store.checkpoint(true, at(now_ms)).map_err(wrong("stop"))?;
    Ok((image, store, now_ms))
}

fn check_retirement(store: &mut Store, now_ms: i64) -> Result<(), String> {
    let before = store.state().clone();
    store.retire(at(now_ms)).map_err(wrong("retire"))?;
    if *store.state() == before {
        return Ok(());
    }
    Err("retiring changed the state".to_owned())
}

/// Every request that a person was told of is one run or a rejected file, exactly once; one that
/// was never finished is at most one run. Nothing stays in the inbox.
fn check_inbox(life: &Life, image: &SimDisk, store: &mut Store, now_ms: i64) -> Result<(), String> {
    let mut watch = InboxWatch::default();
    work_on_inbox(store, &mut watch, at(now_ms)).map_err(wrong("inbox"))?;
    let files = image.files();
    for name in files.keys() {
        let folder = name.parent().unwrap();
        if folder == path("data/inbox") || folder == path("data/inbox/.taken") {
            return Err(format!("{} is still there", name.display()));
        }
    }
    for Asked {
        text,
        readable,
        told,
    } in &life.asked
    {
        let runs = store.state().runs.newest_first();
        let runs = runs.filter(|run| run.request.as_ref().is_some_and(|it| it.contains(text)));
        let rejected = files.iter().filter(|(name, bytes)| {
            name.starts_with("data/inbox/rejected") && *bytes == text.as_bytes()
        });
        let (runs, rejected) = (runs.count(), rejected.count());
        let right = match (readable, told) {
            (true, true) => runs == 1,
            (true, false) => runs <= 1,
            (false, _) => runs == 0 && rejected == 1,
        };
        if !right {
            return Err(format!("{text}: {runs} runs, {rejected} rejected"));
        }
    }
    Ok(())
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
    // A journal that was retired said what it said.
    let kept: Vec<String> = kept
        .chain(&life.archive)
        .map(|(_, bytes)| String::from_utf8_lossy(bytes).into_owned())
        .collect();
    let kept = kept.concat();
    let ram: Ram = store.state().main.ram.clone();
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
    if lines.last().map(|line| line.seq) != Some(seq) {
        return Err("the journal has another end".to_owned());
    }
    // What is written at rest is as the state has it.
    let tree = image.files().get(path(STORAGE)).cloned();
    let holds_something = state.storage.leaves().next().is_some();
    if tree != (holds_something || tree.is_some()).then(|| state.storage.to_file()) {
        return Err("storage.json is not as the state has it".to_owned());
    }
    let both = image.files().get(path(MEMORY)).cloned();
    let is_unified = options.layout == MemoryLayout::Unified;
    if both != is_unified.then(|| state.layers().to_file()) {
        return Err("memory.json is not as the state has it".to_owned());
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
pub(crate) fn whole_life(mut life: Life) -> Result<(BTreeMap<u64, State>, Life), String> {
    life.live().map_err(wrong("a life without a death"))?;
    Ok((states(&life), life))
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
            let lived = &life.script[..(life.steps + 1).min(life.script.len())];
            format!("seed {seed}, call {call}, {image:?}, {lived:?}: {what}")
        })?;
    }
    Ok(images.len() as u64)
}

/// One life, one death at a call that the seed draws, two images. Gives how many were checked.
pub(crate) fn simulate(seed: u64) -> Result<u64, String> {
    let whole = whole_life(Life::new(seed));
    let (full, whole) = whole.map_err(|what| format!("seed {seed}: {what}"))?;
    let calls = whole.disk.calls();
    let mut random = Random(seed ^ 0x00DE_ADBE);
    let call = 1 + random.below(calls);
    let images = [Image::Process, Image::Power(random.next())];
    die_at(seed, call, &images, &full)
}

/// One life, a death at every call of it. Gives how many were checked.
pub(crate) fn simulate_every_call(seed: u64) -> Result<u64, String> {
    let whole = whole_life(Life::new(seed));
    let (full, whole) = whole.map_err(|what| format!("seed {seed}: {what}"))?;
    let calls = whole.disk.calls();
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
    for seed in 0..2 {
        simulate_every_call(seed).unwrap();
    }
}

#[test]
fn lives_of_many_seeds_lose_nothing() {
    for seed in 1000..1120 {
        simulate(seed).unwrap();
    }
}

/// Events of every kind are in the lives above, segments are retired and requests taken.
#[test]
fn the_lives_meet_everything() {
    let mut met = std::collections::BTreeSet::new();
    let (mut retired, mut requests, mut segments) = (0, 0, 0);
    for seed in 1000..1100 {
        let mut life = Life::new(seed);
        life.live().unwrap();
        met.extend(life.facts().into_iter().map(|(name, _)| name));
        retired += life.retired;
        requests += life.requests;
        segments += life.archive.len() - crate::store_lab::segment_numbers(&life.disk).len();
    }
    for name in [
        "root.created",
        "run.queued",
        "run.started",
        "iteration.done",
        "run.ended",
        "ram.set",
        "ram.deleted",
        "private_ram.set",
        "private_ram.deleted",
        "private_memory.carried",
        "storage.set",
        "storage.deleted",
        "storage.carried",
        "note.created",
        "note.updated",
        "note.deleted",
        "views.written",
        "edit.refused",
        "request.refused",
        "state.carried",
        "note.carried",
    ] {
        assert!(met.contains(name), "{name}");
    }
    assert!(retired > 50 && requests > 50, "{retired}, {requests}");
    assert_eq!(usize::try_from(retired).unwrap(), segments, "all are gone");
}
