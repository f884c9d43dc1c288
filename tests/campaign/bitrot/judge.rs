//! What came of one damage, held against what may come of it.

use super::root::{AFTER, Root};
use crate::sim_disk::SimDisk;
use crate::store_lab::{CHECKPOINT, KV, at, note_path, segment_number, try_open, work_on_inbox};
use kjxlkj_agent::core::journal::State;
use kjxlkj_agent::core::notes::Note;
use kjxlkj_agent::failure::Failure;
use kjxlkj_agent::store::inbox::InboxWatch;
use kjxlkj_agent::store::{Error, Store, note_history, read_state, verify};
use serde_json::{Map, Value};
use std::path::Path;

/// What a root that is damaged beyond repair ends with.
const DAMAGED: u8 = 65;

/// What came of a damage.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Outcome {
    /// Nothing was opened, and nothing changed.
    Refused,
    /// The state is the same, and reading on finds the place.
    FoundLater,
    /// The state is the same, and the damaged bytes are kept aside.
    PutAside,
    /// The state is the same, and the file said nothing else that counts.
    Same,
    /// The file was taken in as a person's edit.
    Edited,
}

/// Damages one file of a copy, starts on it, and says what is wrong with what comes of it.
pub(super) fn check(root: &Root, file: &Path, damaged: &[u8]) -> Result<Outcome, String> {
    let disk = root.disk.process_crash();
    disk.rewrite(file, damaged);
    let is_journal = segment_number(file).is_some();
    let verified = verify(&mut disk.clone()).map_err(|error| format!("verify: {error}"))?;
    if verified.ok == is_journal {
        return Err(format!("verify said {verified:?}"));
    }
    let readable = read_state(&mut disk.clone(), Path::new(KV));
    let before = disk.files();
    let mut store = match live(&disk, root) {
        Ok(store) => store,
        Err(error) => {
            let failure = Failure::from(error);
            let is_refused = is_journal && failure.exit().number() == DAMAGED;
            return match disk.files() == before {
                true if is_refused => Ok(Outcome::Refused),
                true => Err(format!("refused: {failure}")),
                false => Err(format!("refused, and something was changed: {failure}")),
            };
        }
    };
    if let Err(error) = readable {
        return Err(format!("a reader failed where a start does not: {error}"));
    }
    if is_journal {
        check_journal(root, &mut store, file, damaged, &disk)?;
        return Ok(Outcome::FoundLater);
    }
    check_state(root, file, damaged, &disk, store.state())?;
    let outcome = if store.state().main.ram != root.state.main.ram
        || store.state().notes != root.state.notes
    {
        Outcome::Edited
    } else if is_kept(&disk, damaged) {
        Outcome::PutAside
    } else {
        Outcome::Same
    };
    store
        .checkpoint(true, at(AFTER))
        .map_err(|error| error.to_string())?;
    let state = store.state().clone();
    drop(store);
    check_again(root, &disk, &state)?;
    Ok(outcome)
}

/// A start, with everything that a daemon looks at before its first call.
fn live(disk: &SimDisk, root: &Root) -> Result<Store, Error> {
    let (mut store, _) = try_open(disk, &root.options, at(AFTER))?;
    store.read_notes(at(AFTER))?;
    store.take_edits(at(AFTER))?;
    work_on_inbox(&mut store, &mut InboxWatch::default(), at(AFTER))?;
    Ok(store)
}

/// What a stop and another start leave.
fn check_again(root: &Root, disk: &SimDisk, state: &State) -> Result<(), String> {
    let verified = verify(&mut disk.clone()).map_err(|error| format!("verify: {error}"))?;
    if !verified.ok {
        return Err(format!("the journal is damaged now: {verified:?}"));
    }
    let again = live(disk, root).map_err(|error| format!("the next start: {error}"))?;
    same(state, again.state()).map_err(|what| format!("the next start has other {what}"))
}

/// A journal that was opened although it is damaged: the same state, and reading on finds the place.
fn check_journal(
    root: &Root,
    store: &mut Store,
    file: &Path,
    damaged: &[u8],
    disk: &SimDisk,
) -> Result<(), String> {
    same(&root.state, store.state()).map_err(|what| format!("opened with other {what}"))?;
    let covered = store
        .take_unverified_prefix()
        .ok_or("opened, and nothing is left to read")?;
    if store.verify_prefix(covered).is_ok() {
        return Err("opened, and reading on finds nothing".to_owned());
    }
    let files = disk.files();
    let is_kept = files
        .get(file)
        .is_some_and(|bytes| bytes.starts_with(damaged));
    is_kept
        .then_some(())
        .ok_or_else(|| "the damaged file was changed".to_owned())
}

/// The name of the first part in which two states differ.
fn same(a: &State, b: &State) -> Result<(), &'static str> {
    let parts = [
        ("RAM", a.main.ram == b.main.ram),
        ("storage", a.storage == b.storage),
        ("keys", a.main.keys == b.main.keys),
        ("notes", a.notes == b.notes),
        ("runs", a.runs == b.runs),
        ("cycle", a.main.cycle == b.main.cycle),
        (
            "results",
            a.main.results == b.main.results && a.main.result_log == b.main.result_log,
        ),
        ("log", a.main.log == b.main.log),
        ("seen", a.main.seen == b.main.seen),
        ("proposals", a.proposals == b.proposals),
        ("facts", a == b),
    ];
    let differs = parts.iter().find(|(_, is_same)| !is_same);
    differs.map_or(Ok(()), |(name, _)| Err(name))
}

fn check_state(
    root: &Root,
    file: &Path,
    damaged: &[u8],
    disk: &SimDisk,
    state: &State,
) -> Result<(), String> {
    let kept = is_kept(disk, damaged);
    if file == Path::new(KV) {
        return check_ram(root, damaged, state, kept);
    }
    if file.starts_with("data/notes") {
        let mut notes = root.state.notes.iter();
        let before = notes
            .find(|note| note_path(note.id) == file)
            .ok_or("a file of no note")?;
        return check_note(root, before, damaged, disk, state);
    }
    same(&root.state, state).map_err(|what| format!("opened with other {what}"))?;
    let is_taken = file.starts_with("data/inbox") || file.starts_with("data/conversations");
    let original = root.bytes(file);
    if file == Path::new(CHECKPOINT) {
        // A newline with a bit turned may be another space.
        let is_same = std::str::from_utf8(damaged).is_ok_and(|text| {
            let body = text.trim_end().as_bytes();
            body == original.trim_ascii_end()
        });
        return (kept || is_same)
            .then_some(())
            .ok_or_else(|| "its bytes are lost".to_owned());
    }
    if is_taken {
        return Ok(());
    }
    if disk.files().get(file).map(Vec::as_slice) != Some(original) {
        return Err("it was not written again".to_owned());
    }
    kept.then_some(())
        .ok_or_else(|| "its bytes are lost".to_owned())
}

/// Whether some bytes are kept in quarantine, or beside their file.
fn is_kept(disk: &SimDisk, bytes: &[u8]) -> bool {
    let is_aside = |name: &Path| {
        name.starts_with("data/quarantine") || name.to_string_lossy().contains(".broken-")
    };
    let files = disk.files();
    files
        .iter()
        .any(|(name, kept)| is_aside(name) && kept == bytes)
}

/// RAM is what it was, or just what the file says.
fn check_ram(root: &Root, damaged: &[u8], state: &State, kept: bool) -> Result<(), String> {
    let before = &root.state;
    let parts = [
        ("storage", before.storage == state.storage),
        ("notes", before.notes == state.notes),
        ("runs", before.runs == state.runs),
        ("proposals", before.proposals == state.proposals),
    ];
    if let Some((name, _)) = parts.iter().find(|(_, is_same)| !is_same) {
        return Err(format!("an edit of RAM changed {name}"));
    }
    let Ok(Value::Object(file)) = serde_json::from_slice::<Value>(damaged) else {
        return match (before.main.ram == state.main.ram, kept) {
            (true, true) => Ok(()),
            (false, _) => Err("RAM is another, and its file is no JSON".to_owned()),
            (true, false) => Err("its bytes are lost".to_owned()),
        };
    };
    if before.main.ram == state.main.ram {
        let says_the_same = before
            .main
            .ram
            .entries()
            .all(|(key, value)| file.get(key) == Some(value))
            && file.len() == before.main.ram.len();
        let is_right = kept || says_the_same;
        return is_right
            .then_some(())
            .ok_or_else(|| "its bytes are lost".to_owned());
    }
    for (key, value) in state.main.ram.entries() {
        // A key that RAM is never without is empty where the file has none.
        let is_right = file.get(key).map_or_else(
            || matches!(key, "plan" | "steps" | "context" | "think_log" | "state"),
            |said| said == value,
        );
        if !is_right {
            return Err(format!("RAM has {key}: {value}, and its file does not"));
        }
    }
    let lost = file.keys().find(|key| state.main.ram.get(key).is_none());
    lost.map_or(Ok(()), |key| {
        Err(format!("RAM has no {key}, and its file has"))
    })
}

/// A note is what it was, or just what its file says, with its past in the journal.
fn check_note(
    root: &Root,
    before: &Note,
    damaged: &[u8],
    disk: &SimDisk,
    state: &State,
) -> Result<(), String> {
    if root.state.main.ram != state.main.ram || root.state.storage != state.storage {
        return Err("an edit of a note changed RAM or the tree".to_owned());
    }
    let others = |state: &State| -> Vec<Vec<u8>> {
        let notes = state.notes.iter().filter(|note| note.id != before.id);
        notes.map(Note::to_file).collect()
    };
    if others(&root.state) != others(state) {
        return Err("an edit of a note changed another".to_owned());
    }
    let now = state.notes.get(before.id).ok_or("the note is gone")?;
    let file = match serde_json::from_slice::<Value>(damaged) {
        Ok(Value::Object(file)) => file,
        Ok(_) | Err(_) => Map::new(),
    };
    if now == before {
        let is_right = is_kept(disk, damaged) || !file.is_empty() && says(&file, before);
        return is_right
            .then_some(())
            .ok_or_else(|| "its bytes are lost".to_owned());
    }
    let is_edit = now.version == before.version + 1
        && now.created_at == before.created_at
        && now.workspace_id == before.workspace_id
        && now.issues == before.issues;
    if !is_edit || !says(&file, now) {
        return Err(format!("the note is {now:?}, and its file does not say so"));
    }
    let past = note_history(&mut disk.clone(), before.id).map_err(|error| error.to_string())?;
    let is_there = past.iter().any(|version| version.note == *before);
    is_there
        .then_some(())
        .ok_or_else(|| "what the note was is lost".to_owned())
}

/// Whether a file says of what a person may write just what a note holds; what it leaves out is as it was.
fn says(file: &Map<String, Value>, note: &Note) -> bool {
    let held = serde_json::to_value(note).unwrap_or_default();
    let text = |value: &Value| value.as_str().map(|it| it.trim().to_owned());
    ["title", "note_kind"].iter().all(|name| {
        file.get(*name)
            .is_none_or(|said| text(said) == text(&held[*name]))
    }) && ["keywords", "value"]
        .iter()
        .all(|name| file.get(*name).is_none_or(|said| *said == held[*name]))
}
