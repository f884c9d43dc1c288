//! What has to hold of a root after a power cut: as it lies there, and after the real program has worked on
//! it again.

#![expect(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "a campaign may stop at once; it plays the person and the machine"
)]

use super::client::{Daemon, Syncs, verb};
use super::life::{Lived, Model, Work, commits, inbox, lines};
use super::witness::{By, Fact, Told, Witness};
use crate::random::Random;
use crate::store_lab::KV;
use kjxlkj_agent::core::journal::{Hash, State};
use kjxlkj_agent::core::memory::StorePath;
use kjxlkj_agent::core::notes::Note;
use kjxlkj_agent::store::disk::RealDisk;
use kjxlkj_agent::store::{audit_entries, read_state, verify};
use rustix::process::Signal;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// What is written when the program works again.
const PROBE: &str = "after_the_cut";

/// A root after a cut.
#[derive(Debug)]
pub(crate) struct Cut<'a> {
    /// What was lived before.
    pub(crate) lived: &'a Lived,
    /// Where the record was cut.
    pub(crate) position: usize,
    /// The root, on what is left of the drive.
    pub(crate) root: &'a Path,
    /// A folder elsewhere.
    pub(crate) scratch: &'a Path,
    pub(crate) model: &'a Arc<Model>,
}

impl Cut<'_> {
    /// What is wrong with what lies there.
    pub(crate) fn check(&self) -> Result<(), String> {
        self.check_files()?;
        let promised = self.promised()?;
        let (seq, _) = self.check_journal(promised)?;
        self.check_requests(seq)
    }

    fn told(&self) -> impl Iterator<Item = &Fact> {
        let told = self.lived.told.iter();
        let before = told.take_while(|told| told.position <= self.position);
        before.map(|told| &told.fact)
    }

    /// The last commit that a client knows to be there.
    fn promised(&self) -> Result<u64, String> {
        let mut promised = 0;
        for fact in self.told() {
            promised = promised.max(match fact {
                Fact::Commit(seq) => *seq,
                Fact::Text(text) => {
                    let mut lines = self.lived.lines.iter();
                    let holder = lines.find(|(_, line)| line.contains(text));
                    let never = || format!("{text} was acknowledged and is in no commit");
                    *holder.ok_or_else(never)?.0
                }
                Fact::File(..) | Fact::Request { .. } => 0,
            });
        }
        Ok(promised)
    }

    /// Each file is as it was told, or as it was written later.
    fn check_files(&self) -> Result<(), String> {
        let mut wanted: BTreeMap<&PathBuf, Vec<&Vec<u8>>> = BTreeMap::new();
        for told in &self.lived.told {
            let Fact::File(path, bytes) = &told.fact else {
                continue;
            };
            if told.position <= self.position {
                wanted.insert(path, vec![bytes]);
            } else if let Some(later) = wanted.get_mut(path) {
                later.push(bytes);
            }
        }
        for (path, allowed) in wanted {
            let found = std::fs::read(self.root.join(path));
            let path = path.display();
            match found {
                Ok(found) if allowed.contains(&&found) => {}
                Ok(found) => {
                    let bytes = found.len();
                    return Err(format!("{path} is not as it was told: {bytes} bytes"));
                }
                Err(error) => return Err(format!("{path} was told to be there: {error}")),
            }
        }
        Ok(())
    }

    /// The journal is whole, goes as far as was promised, and holds nothing that was never committed; gives
    /// its end and the state there.
    fn check_journal(&self, promised: u64) -> Result<(u64, State), String> {
        if promised == 0 && !self.root.join("data/journal").exists() {
            return Ok((0, State::empty()));
        }
        let mut disk = RealDisk::open(self.root, false).map_err(|error| error.to_string())?;
        let verified = verify(&mut disk).map_err(|error| format!("verify: {error}"))?;
        if !verified.ok {
            return Err(format!("the journal: {:?}", verified.first_bad));
        }
        let end = commits(self.root)?.pop();
        let (seq, hash) = end.map_or((0, Hash::ZERO), |(seq, hash, _)| (seq, hash));
        if seq < promised {
            return Err(format!(
                "commit {promised} was acknowledged, {seq} is there"
            ));
        }
        let known = self.lived.known.get(&seq).into_iter().flatten();
        let mut known = known.filter(|(known, _)| *known == hash);
        let (_, expected) = known.next().ok_or("a commit that was never made")?;
        let state = read_state(&mut disk, Path::new(KV));
        let state = state.map_err(|error| format!("the state: {error}"))?;
        if state == *expected {
            return Ok((seq, state));
        }
        Err(format!(
            "the state read is not that of commit {seq}: {}",
            crate::store_simulation::difference(&state, expected)
        ))
    }

    /// Every request is in the inbox, or has opened its run.
    fn check_requests(&self, seq: u64) -> Result<(), String> {
        let files = inbox(self.root);
        for fact in self.told() {
            let Fact::Request { event, run } = fact else {
                continue;
            };
            let is_file = |path: &PathBuf| path.to_string_lossy().contains(event.as_str());
            let mut lines = self.lived.lines.range(..=seq);
            if !files.iter().any(is_file)
                && !lines.any(|(_, line)| opens(line) == Some(run.clone()))
            {
                return Err(format!("request {event} is lost"));
            }
        }
        Ok(())
    }

    /// Lets the real program work on the root again, and checks what it makes of it. What it promises is
    /// told to the witness.
    pub(crate) fn check_by_program(
        &self,
        random: &mut Random,
        witness: Option<&Witness>,
    ) -> Result<(), String> {
        let promised = self.promised()?;
        let (_, before) = self.check_journal(promised)?;
        // A first start that never came to its end is made again.
        self.verb(&["init", "--offline"])?;
        let runs: BTreeSet<&String> = self
            .told()
            .filter_map(|fact| match fact {
                Fact::Request { run, .. } => Some(run),
                Fact::Commit(_) | Fact::Text(_) | Fact::File(..) => None,
            })
            .collect();
        let is_configured = self.lived.configured <= self.position;
        let by_daemon = is_configured && (!runs.is_empty() || random.below(3) == 0);
        if by_daemon {
            self.work(&runs, witness)?;
        } else {
            self.verb(&["ram", "set", PROBE, "1"])?;
        }
        if let Some(witness) = witness {
            let position = witness.position();
            let seq = commits(self.root)?.last().map_or(0, |last| last.0);
            witness.note_at(position, By::Exit, Fact::Commit(seq));
        }
        self.verb(&["audit", "verify"])?;
        let mut disk = RealDisk::open(self.root, false).map_err(|error| error.to_string())?;
        let state = read_state(&mut disk, Path::new(KV)).map_err(|error| error.to_string())?;
        self.check_kept(promised, &before, &state, by_daemon)?;
        check_once(self.root, &mut disk, &state)?;
        check_views(self.root, &state)
    }

    /// What was lived up to the cut and behind it, as a life of its own: its record begins with the cut.
    pub(crate) fn lived_on(&self, witness: &Witness) -> Result<Lived, String> {
        let promised = Fact::Commit(self.promised()?);
        let others = self.told().filter_map(|fact| match fact {
            // It may be a later content than the one that was told of, and stays so.
            Fact::File(path, bytes) => {
                let found = std::fs::read(self.root.join(path));
                Some(Fact::File(
                    path.clone(),
                    found.unwrap_or_else(|_| bytes.clone()),
                ))
            }
            Fact::Request { .. } => Some(fact.clone()),
            Fact::Commit(_) | Fact::Text(_) => None,
        });
        let before = others.chain([promised]).map(|fact| Told {
            position: 0,
            by: By::Exit,
            fact,
        });
        let is_configured = self.lived.configured <= self.position;
        let mut lived = Lived {
            told: before.chain(witness.told()).collect(),
            works: vec![(0, Work::Recovery)],
            end: witness.position(),
            configured: if is_configured { 0 } else { usize::MAX },
            known: self.lived.known.clone(),
            lines: self.lived.lines.clone(),
            troubles: Vec::new(),
        };
        lived.lines.extend(lines(self.root));
        lived.read_back(self.root)?;
        Ok(lived)
    }

    fn verb(&self, words: &[&str]) -> Result<(), String> {
        let done = verb(Syncs::True, self.root, words);
        done.map(drop)
            .map_err(|(_, what)| format!("after the cut: {what}"))
    }

    /// A daemon works until every request has opened its run, takes a change, and stops.
    fn work(&self, runs: &BTreeSet<&String>, witness: Option<&Witness>) -> Result<(), String> {
        let log = self.scratch.join("again.log");
        let mut daemon = Daemon::spawn(Syncs::True, self.root, &log);
        let first = self.model.replies() + 1;
        daemon.wait("a question after the cut", || {
            (self.model.replies() >= first).then_some(())
        })?;
        daemon.wait("the runs of all requests", || {
            let lines = lines(self.root);
            let opened: BTreeSet<String> = lines.values().filter_map(|line| opens(line)).collect();
            runs.iter().all(|run| opened.contains(*run)).then_some(())
        })?;
        let path = format!("/v1/ram/{PROBE}");
        let (status, said) = daemon.ask("PUT", &path, &json!({"value": "1"}).to_string())?;
        if status != 200 {
            return Err(format!("PUT {path} after the cut: {status} {said}"));
        }
        if let Some(witness) = witness {
            witness.note(By::Answer, Fact::Text(format!("\"{PROBE}\"")));
        }
        daemon.end(Signal::TERM)
    }

    /// What was there is there still, and beside the probe nothing else is, but for what a model did.
    fn check_kept(
        &self,
        promised: u64,
        before: &State,
        after: &State,
        by_daemon: bool,
    ) -> Result<(), String> {
        let all = commits(self.root)?;
        let kept = all.iter().rev().find_map(|(seq, hash, _)| {
            let known = self.lived.known.get(seq)?;
            let (_, state) = known.iter().find(|(known, _)| known == hash)?;
            Some((*seq, state))
        });
        let (seq, kept) = kept.unwrap_or((0, before));
        if seq < promised {
            return Err(format!(
                "the program let go of commit {promised}, {seq} is left"
            ));
        }
        if after.main.ram.get(PROBE) != Some(&json!("1")) {
            return Err("what was written after the cut is not there".to_owned());
        }
        for note in kept.notes.iter() {
            if after.notes.get(note.id) != Some(note) {
                return Err(format!("note {} is another after the cut", note.title));
            }
        }
        if by_daemon {
            // The model has changed keys of its own. A key that was not used for so many iterations is
            // archived, with its value.
            let of_person = |key: &str| key.starts_with("verb_") || key.starts_with("http_");
            let found = |key: &str| {
                let archived = || after.storage.value(StorePath::archive(key).parts());
                after.main.ram.get(key).cloned().or_else(archived)
            };
            let mut entries = kept.main.ram.entries().filter(|(key, _)| of_person(key));
            let lost = entries.find(|(key, value)| found(key).as_ref() != Some(*value));
            return lost.map_or(Ok(()), |(key, value)| {
                let now = found(key);
                Err(format!(
                    "{key} is another after the cut: {now:?}, was {value}"
                ))
            });
        }
        if after.notes.len() != kept.notes.len() {
            return Err("there are more notes after the cut".to_owned());
        }
        if after.storage != kept.storage {
            return Err("/storage is another after the cut".to_owned());
        }
        let ram = |state: &State| -> BTreeMap<String, Value> {
            let entries = state.main.ram.entries().filter(|(key, _)| *key != PROBE);
            let entries = entries.map(|(key, value)| (key.to_owned(), value.clone()));
            entries.collect()
        };
        if seq > 0 && ram(after) != ram(kept) {
            return Err(format!(
                "RAM is another after the cut: {:?}, {:?}",
                ram(after),
                ram(kept)
            ));
        }
        Ok(())
    }
}

/// The run that a line opens.
fn opens(line: &str) -> Option<String> {
    if !line.contains("\"run.queued\"") {
        return None;
    }
    let line: Value = serde_json::from_str(line).ok()?;
    let place = line["events"]
        .as_array()?
        .iter()
        .position(|event| event["type"] == "run.queued")?;
    let run = line["data"][place]["run"]["run_id"].as_str()?;
    Some(run.to_owned())
}

/// No run was opened twice, no iteration committed twice, no note written twice.
fn check_once(root: &Path, disk: &mut RealDisk, state: &State) -> Result<(), String> {
    let mut opened = BTreeSet::new();
    for run in lines(root).values().filter_map(|line| opens(line)) {
        if !opened.insert(run.clone()) {
            return Err(format!("run {run} was opened twice"));
        }
    }
    let mut iterations = BTreeMap::new();
    let entries = audit_entries(disk).map_err(|error| error.to_string())?;
    for entry in entries {
        if let (Some(run), Some(iteration)) = (entry.run_id, entry.iteration) {
            let first = *iterations.entry((run, iteration)).or_insert(entry.seq);
            if first != entry.seq {
                return Err(format!("{run} committed iteration {iteration} twice"));
            }
        }
    }
    let mut titles = BTreeSet::new();
    let mut titles_of = state.notes.iter().map(|note| note.title.as_str());
    let twice = titles_of.find(|title| !titles.insert(*title));
    twice.map_or(Ok(()), |title| Err(format!("{title} is there twice")))
}

/// Every file is as the state has it, and no draft is left.
fn check_views(root: &Path, state: &State) -> Result<(), String> {
    let mut wanted = BTreeMap::from([(PathBuf::from(KV), state.main.ram.to_file())]);
    let files = state.notes.iter().map(|note| {
        let path = PathBuf::from(format!("data/notes/{}.json", note.id));
        (path, Note::to_file(note))
    });
    wanted.extend(files);
    for (path, bytes) in &wanted {
        if std::fs::read(root.join(path)).ok().as_ref() != Some(bytes) {
            return Err(format!("{} is not as the state has it", path.display()));
        }
    }
    for file in std::fs::read_dir(root.join("data/notes")).unwrap() {
        let path = Path::new("data/notes").join(file.unwrap().file_name());
        if !wanted.contains_key(&path) {
            return Err(format!("{} is there", path.display()));
        }
    }
    Ok(())
}
