//! What must hold once a call has failed: as the process left the root, after the next start, and after
//! the client has asked again for what it was not told to be done.

#![expect(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "a campaign may stop at once; it looks at the files itself"
)]

use super::phase::{Asked, Ended, Told, ask_again};
use super::stage::{Stage, copy_tree, read};
use super::strace::Fault;
use crate::kill::check_numbers;
use crate::store_lab::{CHECKPOINT, KV, note_path};
use kjxlkj_agent::core::journal::State;
use kjxlkj_agent::store::disk::RealDisk;
use kjxlkj_agent::store::verify;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The key that the next start is made with.
const AFTER: &str = "after";

/// What an unfinished start of a daemon leaves; the next one takes its place.
const UNFINISHED_SOCKET: &str = ".control.sock.tmp";

/// Everything that is wrong with what a phase left behind.
pub(crate) fn check(stage: &Stage, ended: &Ended, fault: Option<&Fault>) -> Vec<String> {
    let mut wrong = ended.wrong.clone();
    wrong.extend(check_left(stage, ended));
    // What may not be read is put aside, and that is said by every start that comes to its end.
    let is_said = |what: &String| {
        let name = what.split(' ').next().unwrap_or_default();
        name.contains(".broken-") && (ended.code != Some(0) || ended.stderr.contains(name))
    };
    if fault.is_some_and(Fault::is_denial) {
        wrong.retain(|what| !is_said(what));
    }
    wrong
}

fn check_left(stage: &Stage, ended: &Ended) -> Vec<String> {
    let mut wrong = Vec::new();
    let is_begun = has_segment(&stage.root());
    if !is_begun && ended.asked.iter().all(|it| it.told != Told::Done) {
        // Nothing was ever begun, and nobody was told otherwise.
        return start_and_repeat(stage, ended, None);
    }
    match whole(stage, "as it was left") {
        Ok(left) => {
            wrong.extend(check_asked(stage, &ended.asked, &left));
            wrong.extend(check_numbers(&left, ended.shown));
            wrong.extend(start_and_repeat(stage, ended, Some(left)));
        }
        Err(what) => wrong.push(what),
    }
    wrong
}

fn has_segment(root: &Path) -> bool {
    let files = std::fs::read_dir(root.join("data/journal"));
    let names = files.into_iter().flatten().map(|file| file.unwrap().path());
    names
        .into_iter()
        .any(|path| path.extension().is_some_and(|it| it == "jsonl"))
}

/// The state, if the journal is whole and says by itself what it says with its checkpoint.
fn whole(stage: &Stage, when: &str) -> Result<State, String> {
    let root = stage.root();
    let mut disk = RealDisk::open(&root, false).unwrap();
    let verified = verify(&mut disk).map_err(|error| format!("{when}, verify: {error}"))?;
    if !verified.ok {
        return Err(format!("{when}, verify: {:?}", verified.first_bad));
    }
    let state = read(&root).map_err(|what| format!("{when}, read: {what}"))?;
    let bare = stage.beside("bare");
    drop(std::fs::remove_dir_all(&bare));
    copy_tree(&root.join("data"), &bare.join("data"));
    drop(std::fs::remove_file(bare.join(CHECKPOINT)));
    let replayed = read(&bare).map_err(|what| format!("{when}, without a checkpoint: {what}"))?;
    let parts = [
        ("RAM", state.main.ram == replayed.main.ram),
        ("storage", state.storage == replayed.storage),
        ("notes", notes_of(&state) == notes_of(&replayed)),
        ("runs", state.runs == replayed.runs),
        ("keys", state.main.keys == replayed.main.keys),
        ("private RAM", state.private == replayed.private),
        ("proposals", state.proposals == replayed.proposals),
    ];
    let differ: Vec<&str> = parts
        .iter()
        .filter(|(_, is_same)| !is_same)
        .map(|(name, _)| *name)
        .collect();
    if differ.is_empty() {
        return Ok(state);
    }
    Err(format!(
        "{when}, the checkpoint says something else than the journal of: {}",
        differ.join(", ")
    ))
}

fn notes_of(state: &State) -> BTreeMap<String, Vec<u8>> {
    let notes = state.notes.iter();
    notes
        .map(|note| (note.id.to_string(), note.to_file()))
        .collect()
}

/// What was acknowledged is there; what was refused is not; nothing is there twice.
fn check_asked(stage: &Stage, asked: &[Asked], state: &State) -> Vec<String> {
    let mut wrong = Vec::new();
    for Asked { thing, told } in asked {
        let count = match thing.count(state, stage) {
            Ok(count) => count,
            Err(what) => {
                wrong.push(what);
                continue;
            }
        };
        let is_right = match told {
            Told::Done => count == 1,
            Told::NotDone => count == 0,
            Told::Nothing => count <= 1,
        };
        if !is_right {
            wrong.push(format!(
                "{thing:?} was told to be {told:?}, and is there {count} times"
            ));
        }
    }
    wrong
}

/// The next start, and what is asked for again.
fn start_and_repeat(stage: &Stage, ended: &Ended, left: Option<State>) -> Vec<String> {
    let words = ["ram", "set", AFTER, "1"].map(str::to_owned);
    let (code, said) = ask_again(stage, &words);
    if code != Some(0) {
        return vec![format!("the next start ended with {code:?}: {said}")];
    }
    let started = match whole(stage, "after the next start") {
        Ok(state) => state,
        Err(what) => return vec![what],
    };
    let mut wrong = check_files(&stage.root(), &started);
    if let Some(left) = left {
        wrong.extend(check_same(&left, &started));
    }
    for Asked { thing, told } in &ended.asked {
        let count = thing.count(&started, stage).unwrap_or_default();
        if thing.is_idempotent() || *told != Told::Done && count == 0 {
            let (code, said) = ask_again(stage, &thing.words(stage, Some(&started)));
            if code != Some(0) {
                wrong.push(format!(
                    "{thing:?} asked for again ended with {code:?}: {said}"
                ));
            }
        }
    }
    match whole(stage, "after asking again") {
        Ok(state) => {
            for Asked { thing, .. } in &ended.asked {
                let count = thing.count(&state, stage);
                if count != Ok(1) {
                    wrong.push(format!(
                        "{thing:?}, asked for again, is there {count:?} times"
                    ));
                }
            }
            wrong.extend(check_files(&stage.root(), &state));
        }
        Err(what) => wrong.push(what),
    }
    wrong
}

/// A start changes nothing by itself.
fn check_same(left: &State, started: &State) -> Vec<String> {
    let mut before = left.main.ram.clone();
    let mut after = started.main.ram.clone();
    before.delete(AFTER);
    after.delete(AFTER);
    let parts = [
        ("RAM", before == after),
        ("storage", left.storage == started.storage),
        ("notes", notes_of(left) == notes_of(started)),
        ("runs", left.runs == started.runs),
    ];
    let differ = parts.iter().filter(|(_, is_same)| !is_same);
    differ
        .map(|(name, _)| format!("the next start changed {name}"))
        .collect()
}

/// Every view is as the state has it, and nothing is left lying about.
fn check_files(root: &Path, state: &State) -> Vec<String> {
    let mut wrong = Vec::new();
    let mut wanted: BTreeMap<PathBuf, Vec<u8>> = BTreeMap::new();
    wanted.insert(PathBuf::from(KV), state.main.ram.to_file());
    for note in state.notes.iter() {
        wanted.insert(note_path(note.id), note.to_file());
    }
    for (name, bytes) in &wanted {
        if std::fs::read(root.join(name)).ok().as_ref() != Some(bytes) {
            wrong.push(format!("{} is not as the state has it", name.display()));
        }
    }
    for folder in ["data", "data/notes"] {
        for entry in std::fs::read_dir(root.join(folder)).unwrap() {
            let name = entry.unwrap().file_name().into_string().unwrap();
            let path = Path::new(folder).join(&name);
            let is_strange_note = folder == "data/notes" && !wanted.contains_key(&path);
            if name == UNFINISHED_SOCKET {
                continue;
            }
            if name.starts_with('.') || name.contains(".broken-") || is_strange_note {
                wrong.push(format!("{} is there", path.display()));
            }
        }
    }
    wrong
}
