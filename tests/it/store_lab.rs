//! What the tests of the store share: a scope, drafts of approved changes, a disk to look at, and a
//! reader of the journal's bytes that knows nothing of the product's own.

#![expect(clippy::unwrap_used, reason = "a test may stop at once")]

pub(crate) mod shapes;

use crate::sim_disk::SimDisk;
use kjxlkj_agent::core::agent::{ActionResult, ResultItem};
use kjxlkj_agent::core::automation::{Condition, Rule, RuleTrigger};
use kjxlkj_agent::core::guard::{Approved, EditedItems, Guard, NewNote, NoteEdit, Scope, ram_own};
use kjxlkj_agent::core::journal::event::{
    Cycle, IterationDone, RequestRefused, RunEnded, RunQueued, RunStarted,
};
use kjxlkj_agent::core::journal::{Actor, ActorType, Cause, Change, CommitDraft, Event, State};
use kjxlkj_agent::core::memory::{MemoryLayout, Storage, StorePath};
use kjxlkj_agent::core::notes::Note;
use kjxlkj_agent::core::prompt::{CharacterCounts, Mode, PromptCount};
use kjxlkj_agent::core::run::{Progress, Run, RunState, StopReason, Trigger, Usage};
use kjxlkj_agent::ids::{EventId, NoteId, RuleId, RunId, WorkspaceId};
use kjxlkj_agent::store::inbox::{InboxRequest, InboxWatch};
use kjxlkj_agent::store::{Error, Notice, Options, Store};
use kjxlkj_agent::time::Timestamp;
use serde_json::Value;
use sha2::{Digest as _, Sha256};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use uuid::Uuid;

pub(crate) const KV: &str = "data/agent-kv-store.json";
pub(crate) const STORAGE: &str = "data/storage.json";
pub(crate) const MEMORY: &str = "data/memory.json";
pub(crate) const CHECKPOINT: &str = "data/journal/checkpoint.json";

pub(crate) fn path(text: &str) -> &Path {
    Path::new(text)
}

pub(crate) fn at(millis: i64) -> Timestamp {
    Timestamp::from_millis(millis)
}

pub(crate) fn workspace() -> WorkspaceId {
    WorkspaceId(Uuid::from_u128(0x6f0d_3c52_8a5e_4d7b_9a41_2c7b_e1f0_5d38))
}

/// The `n`th note id: version 7, in order.
pub(crate) fn note_id(n: u64) -> NoteId {
    NoteId(Uuid::from_u128(
        0x0198_0000_0000_7000_8000_0000_0000_0000 + u128::from(n),
    ))
}

pub(crate) fn note_path(id: NoteId) -> PathBuf {
    PathBuf::from(format!("data/notes/{id}.json"))
}

pub(crate) fn scope() -> Scope {
    Scope {
        workspace_id: workspace(),
        can_read_workspaces: Vec::new(),
        cross_workspace_writes: false,
        allowed_note_kinds: vec!["note".to_owned(), "template".to_owned()],
        max_notes_per_loop: 10,
        max_edits_per_loop: 20,
    }
}

pub(crate) fn options() -> Options {
    Options {
        kv_path: PathBuf::from(KV),
        scope: scope(),
        segment_bytes: 8 * 1024 * 1024,
        retention_days: 365,
        log_entries_max: 1000,
        layout: MemoryLayout::Split,
        rules: [].into(),
    }
}

/// A rule that waits for something to happen to notes.
pub(crate) fn of_notes(number: u128, trigger: RuleTrigger) -> Rule {
    Rule {
        rule_id: RuleId(Uuid::from_u128(number)),
        workspace_id: workspace(),
        trigger,
        condition: Condition::default(),
        includes_own: false,
        request: None,
        enabled: true,
    }
}

pub(crate) fn try_open(
    disk: &SimDisk,
    options: &Options,
    now: Timestamp,
) -> Result<(Store, Vec<Notice>), Error> {
    Store::open(Box::new(disk.clone()), options.clone(), now)
}

pub(crate) fn draft(actor_type: ActorType, cause: Cause, events: Vec<Event>) -> CommitDraft {
    CommitDraft {
        ts: at(1_700_000_000_000),
        actor: Actor { actor_type },
        cause,
        events,
    }
}

pub(crate) fn set(key: &str, value: impl Into<Value>) -> Event {
    Event::Change(ram_own(key, value.into()))
}

/// A draft of the agent's.
pub(crate) fn by_agent(events: Vec<Event>) -> CommitDraft {
    draft(ActorType::Agent, Cause::plain("iteration"), events)
}

/// Lets the guard of an iteration approve something.
pub(crate) fn approve<T>(act: impl FnOnce(&mut Guard<'_>) -> T) -> T {
    let (scope, nothing) = (scope(), EditedItems::default());
    let run = RunId(Uuid::from_u128(7));
    act(&mut Guard::for_run(&scope, run, &nothing))
}

pub(crate) fn storage_set(place: &str, value: impl Into<Value>) -> Event {
    let (nothing, place) = (Storage::default(), StorePath::parse(place).unwrap());
    approved(|guard| guard.storage_set(&nothing, &place, value.into()).unwrap())
}

pub(crate) fn storage_delete(place: &str) -> Event {
    let place = StorePath::parse(place).unwrap();
    let mut holder = Storage::default();
    holder.set(place.parts(), Value::Null);
    approved(|guard| guard.storage_delete(&holder, &place).unwrap())
}

fn approved(change: impl FnOnce(&mut Guard<'_>) -> Approved<Change>) -> Event {
    Event::Change(approve(change))
}

pub(crate) fn ram_delete(key: &str) -> Event {
    approved(|guard| guard.ram_delete(key).unwrap())
}

pub(crate) fn create(id: NoteId, title: &str, value: &str) -> Event {
    let new = NewNote {
        links: Vec::new(),
        workspace_id: None,
        kind: None,
        title: Some(title.to_owned()),
        keywords: vec!["tea".to_owned()],
        value: value.to_owned(),
    };
    approved(|guard| guard.note_create(new, id, at(5)).unwrap())
}

pub(crate) fn update(note: &Note, value: &str) -> Event {
    let edit = NoteEdit {
        value: Some(value.to_owned()),
        ..NoteEdit::default()
    };
    approved(|guard| {
        guard
            .note_update(note, Some(note.version), edit, at(6))
            .unwrap()
    })
}

pub(crate) fn delete(note: &Note) -> Event {
    approved(|guard| guard.note_delete(note, None, at(7)).unwrap())
}

pub(crate) fn queued(event: &str) -> Event {
    let event = EventId(event.to_owned());
    let run_id = RunId::derive(workspace(), &event);
    let run = Run::queued(run_id, event, Trigger::Request, at(8));
    Event::RunQueued(RunQueued { run })
}

pub(crate) fn started(run_id: RunId) -> Event {
    Event::RunStarted(RunStarted {
        run_id,
        started_at: at(9),
        provider: "scripted".to_owned(),
        model: "none".to_owned(),
        mode: Mode::Yolo,
        prompt_hash: "00".to_owned(),
        parser_version: "1".to_owned(),
        window: None,
        server: None,
    })
}

pub(crate) fn iteration(state: &State, run: &Run) -> Event {
    let shown = state.notes.iter().take(2).map(|note| ResultItem {
        id: note.id,
        version: note.version,
        title: note.title.clone(),
        text: "...".to_owned(),
        links: Vec::new(),
        page: None,
    });
    let result = ActionResult {
        op: "record_search".to_owned(),
        target: "tea".to_owned(),
        code: None,
        message: String::new(),
        items: shown.collect(),
        example: None,
        page: None,
    };
    Event::IterationDone(IterationDone {
        run_id: run.run_id,
        iteration: run.loop_count + 1,
        state: state.main.ram.state(),
        messages_hash: "00".to_owned(),
        usage: Usage::of_reply(100, 10),
        applied: 2,
        rejected: 1,
        ignored: 0,
        cycle: Cycle {
            stays: run.loop_count,
            since_paging: Some(3),
            before_paging: None,
        },
        progress: Progress {
            changed: true,
            ..Progress::default()
        },
        results: vec![result],
        look: None,
        counted: Some(PromptCount {
            tokens: 100,
            bare_tokens: 80,
            sorts: CharacterCounts::of(&[]),
        }),
        allocation: None,
        is_stepwise: false,
        answers: Vec::new(),
        results_removed: Vec::new(),
        shown: Vec::new(),
        outcomes_shown: 0,
        edited: EditedItems::default(),
        is_request_new: false,
    })
}

pub(crate) fn ended(run_id: RunId) -> Event {
    Event::RunEnded(RunEnded {
        run_id,
        state: RunState::Succeeded,
        stop_reason: StopReason::Done,
        error_code: None,
        completed_at: at(10),
    })
}

// === looking at the disk ===

/// Puts one member of a JSON file to another value, as a person with an editor would.
pub(crate) fn edit_member(disk: &SimDisk, name: &Path, member: &str, value: &Value) -> bool {
    let files = disk.files();
    let Some(bytes) = files.get(name) else {
        return false;
    };
    let Ok(Value::Object(mut members)) = serde_json::from_slice::<Value>(bytes) else {
        return false;
    };
    members.insert(member.to_owned(), value.clone());
    disk.plant(name, &serde_json::to_vec(&members).unwrap());
    true
}

/// Whether every view is as the state has it, and nothing is left lying about.
pub(crate) fn check_views(disk: &SimDisk, state: &State) -> Result<(), String> {
    let mut wanted: BTreeMap<PathBuf, Vec<u8>> = BTreeMap::new();
    wanted.insert(PathBuf::from(KV), state.main.ram.to_file());
    for note in state.notes.iter() {
        wanted.insert(note_path(note.id), note.to_file());
    }
    let files = disk.files();
    for (name, bytes) in &wanted {
        if files.get(name) != Some(bytes) {
            return Err(format!("{} is not as the state has it", name.display()));
        }
    }
    let strange = files.keys().find(|name| {
        let file = name.file_name().unwrap().to_str().unwrap();
        let note =
            name.starts_with("data/notes") && name.extension().is_some_and(|it| it == "json");
        // The next checkpoint replaces what was left of one.
        file.starts_with('.') && !name.starts_with("data/journal")
            || note && !wanted.contains_key(*name)
    });
    strange.map_or(Ok(()), |name| Err(format!("{} is there", name.display())))
}

// === an independent reader of the journal ===

/// One line of the journal, cut into its parts by hand.
#[derive(Clone, Debug)]
pub(crate) struct Line {
    pub(crate) seq: u64,
    /// The run that it was written for.
    pub(crate) cause: Option<String>,
    /// Name and data of each event.
    pub(crate) events: Vec<(String, String)>,
    pub(crate) hash: String,
}

pub(crate) fn sha256(bytes: &[u8]) -> String {
    let mut hex = String::new();
    for byte in Sha256::digest(bytes) {
        write!(hex, "{byte:02x}").unwrap();
    }
    hex
}

/// Cuts `text` behind `mark`, which it must begin with.
fn after<'a>(text: &'a str, mark: &str) -> Result<&'a str, String> {
    text.strip_prefix(mark)
        .ok_or_else(|| format!("expected {mark} at {text:.60}"))
}

/// Up to `mark`, and what is behind it.
fn until<'a>(text: &'a str, mark: &str) -> Result<(&'a str, &'a str), String> {
    text.split_once(mark)
        .ok_or_else(|| format!("expected {mark} in {text:.60}"))
}

/// The elements of a JSON array without its brackets, by counting braces outside of strings.
fn elements(text: &str) -> Vec<String> {
    let (mut depth, mut quoted, mut escaped, mut from) = (0, false, false, 0);
    let mut found = Vec::new();
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if quoted => escaped = true,
            b'"' => quoted = !quoted,
            b'{' | b'[' if !quoted => depth += 1,
            b'}' | b']' if !quoted => depth -= 1,
            b',' if !quoted && depth == 0 => {
                found.push(text[from..at].to_owned());
                from = at + 1;
            }
            _ => {}
        }
    }
    if !text.is_empty() {
        found.push(text[from..].to_owned());
    }
    found
}

pub(crate) fn read_line(line: &str, prev: &str) -> Result<Line, String> {
    let (head, rest) = until(line, ",\"hash\":\"")?;
    let (hash, rest) = until(rest, "\",\"data\":[")?;
    let data = rest.strip_suffix("]}").ok_or("the line has no end")?;
    if sha256(head.as_bytes()) != hash {
        return Err("the hash does not cover the bytes before it".to_owned());
    }
    let header: Value = serde_json::from_str(&format!("{head}}}")).map_err(|it| it.to_string())?;
    shapes::fits(&shapes::HEADER, &header)?;
    let (seq, rest) = until(after(head, "{\"v\":1,\"seq\":")?, ",\"ts\":\"")?;
    let (_, rest) = until(rest, "\",\"actor\":{\"actor_type\":\"")?;
    let (_, rest) = until(rest, "\"},\"cause\":{\"kind\":\"")?;
    let (_, rest) = until(rest, "},\"events\":[")?;
    let (entries, prev_found) = until(rest, "],\"prev\":\"")?;
    if prev_found != format!("{prev}\"") {
        return Err(format!("{prev_found} does not follow {prev}"));
    }
    let entries = elements(entries);
    let data = elements(data);
    if entries.len() != data.len() {
        return Err("events and data differ in number".to_owned());
    }
    let mut events = Vec::new();
    for (entry, data) in entries.iter().zip(data) {
        let (name, digest) = until(after(entry, "{\"type\":\"")?, "\",\"digest\":\"")?;
        if digest != format!("{}\"}}", sha256(data.as_bytes())) {
            return Err(format!("the digest of {name} is not that of {data}"));
        }
        let value = serde_json::from_str(&data).map_err(|it| it.to_string())?;
        shapes::fits(&shapes::EVENTS[name], &value).map_err(|what| format!("{name}: {what}"))?;
        events.push((name.to_owned(), data));
    }
    Ok(Line {
        seq: seq.parse().map_err(|_| "no number")?,
        cause: header["cause"]["run_id"].as_str().map(str::to_owned),
        events,
        hash: hash.to_owned(),
    })
}

/// Every line of the kept journal, the chain verified: of the unbroken row of segments up to the
/// last one. What comes before was retired, and its first line says where the chain stood.
pub(crate) fn journal_lines(disk: &SimDisk) -> Result<Vec<Line>, String> {
    let files = disk.files();
    let mut row: Vec<(u32, &Vec<u8>)> = Vec::new();
    for (name, bytes) in &files {
        let Some(number) = segment_number(name) else {
            continue;
        };
        if row.last().is_some_and(|(before, _)| before + 1 != number) {
            row.clear();
        }
        row.push((number, bytes));
    }
    let mut lines: Vec<Line> = Vec::new();
    for (number, bytes) in row {
        let text = std::str::from_utf8(bytes).map_err(|_| "not UTF-8")?;
        if !text.is_empty() && !text.ends_with('\n') {
            return Err(format!("segment {number} has no end"));
        }
        for line in text.lines() {
            let read = match lines.last() {
                Some(last) => read_line(line, &last.hash)?,
                None if number == 1 => read_line(line, &"0".repeat(64))?,
                None => read_line(line, until(until(line, "\"prev\":\"")?.1, "\"")?.0)?,
            };
            let next = lines.last().map_or(read.seq, |last| last.seq + 1);
            if read.seq != next || number == 1 && lines.is_empty() && next != 1 {
                return Err(format!("{} is not the next number", read.seq));
            }
            lines.push(read);
        }
    }
    Ok(lines)
}

/// The number of a journal segment's file.
pub(crate) fn segment_number(name: &Path) -> Option<u32> {
    let number = name.strip_prefix("data/journal").ok()?.to_str()?;
    number.strip_suffix(".jsonl")?.parse().ok()
}

/// The numbers of the journal's segments.
pub(crate) fn segment_numbers(disk: &SimDisk) -> Vec<u32> {
    disk.files()
        .keys()
        .filter_map(|name| segment_number(name))
        .collect()
}

// === the inbox, as the loop works on it ===

/// Takes what lies in the inbox, and makes runs of it, as the loop does. Gives how many were taken.
pub(crate) fn work_on_inbox(
    store: &mut Store,
    watch: &mut InboxWatch,
    now: Timestamp,
) -> Result<usize, Error> {
    let taken = store.inbox().take_requests(watch, now, usize::MAX)?;
    for one in &taken {
        conclude(store, one, now)?;
        store
            .inbox()
            .close_request(watch, one, one.request.is_err())?;
    }
    Ok(taken.len())
}

/// Commits what a request asks, or that it cannot be read.
pub(crate) fn conclude(
    store: &mut Store,
    taken: &InboxRequest,
    now: Timestamp,
) -> Result<(), Error> {
    let event = match &taken.request {
        Ok(request) => {
            let event = EventId(taken.id.to_string());
            let run_id = RunId::derive(workspace(), &event);
            if store.state().runs.get(run_id).is_some() {
                return Ok(());
            }
            let mut run = Run::queued(run_id, event, Trigger::Request, now);
            run.request = Some(request.clone());
            Event::RunQueued(RunQueued { run })
        }
        Err(reason) => Event::RequestRefused(RequestRefused {
            file: taken.name.clone(),
            reason: reason.clone(),
        }),
    };
    let draft = draft(ActorType::Daemon, Cause::plain("trigger"), vec![event]);
    store.commit(CommitDraft { ts: now, ..draft }).map(drop)
}
