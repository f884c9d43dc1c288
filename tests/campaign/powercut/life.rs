//! One root under the real program, on a drive that is being recorded: a first start and then whatever the
//! seed draws. What clients are told on the way is noted with the place in the record.

#![expect(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "a campaign may stop at once; it plays the person, the machine and the model"
)]

use super::client::{Daemon, Syncs, verb};
use super::device::Record;
use super::witness::{By, Fact, Told, Witness};
use crate::kill::largest;
use crate::peer::{self, Peer, Request};
use crate::random::Random;
use crate::store_lab::KV;
use kjxlkj_agent::core::journal::{Hash, State};
use kjxlkj_agent::daemon::{Clock as _, SystemClock};
use kjxlkj_agent::store::disk::RealDisk;
use kjxlkj_agent::store::{each_commit, read_state};
use rustix::process::Signal;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

/// How many steps one life has after its first start. The next life goes on where it ended.
const STEPS: u64 = 3;

/// What the program is at when the power goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Work {
    Init,
    FirstChange,
    Verbs,
    Import,
    Request,
    Rules,
    Start,
    Iterations,
    Http,
    Stop,
    Death,
    Undo,
    Recovery,
}

impl Work {
    /// In words.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Init => "init",
            Self::FirstChange => "first change",
            Self::Verbs => "verbs",
            Self::Import => "import",
            Self::Request => "ask",
            Self::Rules => "rules",
            Self::Start => "daemon's start",
            Self::Iterations => "iterations and rotation",
            Self::Http => "control interface",
            Self::Stop => "checkpoint and stop",
            Self::Death => "start after a death",
            Self::Undo => "undo",
            Self::Recovery => "start after a cut",
        }
    }
}

/// The model, shared by all lives.
#[derive(Debug, Default)]
pub(crate) struct Model {
    replies: AtomicU64,
    witness: Mutex<Option<Arc<Witness>>>,
}

impl Model {
    /// A server that is this model.
    pub(crate) fn serve(self: &Arc<Self>) -> Peer {
        let model = Arc::clone(self);
        Peer::answering(move |request, _| model.answer(request))
    }

    /// Whoever is to be told what prompts show.
    fn tell(&self, witness: Option<Arc<Witness>>) {
        *self.witness.lock().unwrap() = witness;
    }

    /// Replies so far.
    pub(crate) fn replies(&self) -> u64 {
        self.replies.load(Ordering::SeqCst)
    }

    fn answer(&self, request: &Request) -> peer::Step {
        let prompt = String::from_utf8_lossy(&request.body);
        let shown = largest(&prompt, "number-");
        if let Some(witness) = self.witness.lock().unwrap().as_ref()
            && shown > 0
        {
            witness.note(By::Prompt, Fact::Text(format!("\"number-{shown}\"")));
        }
        let number = self.replies.fetch_add(1, Ordering::SeqCst) + 1;
        peer::Step::reply(&format!(
            "<ram_add><key>count</key><value>number-{number}</value></ram_add>\n\
             <record_add><title>note-{number}</title><keywords>k{number}</keywords>\
             <value>The text of note {number}.</value></record_add>"
        ))
    }
}

/// What there was of a life when it ended.
#[derive(Debug)]
pub(crate) struct Lived {
    /// What clients were told, in order.
    pub(crate) told: Vec<Told>,
    /// Where in the record each work begins.
    pub(crate) works: Vec<(usize, Work)>,
    /// Where the record ends.
    pub(crate) end: usize,
    /// Where the configuration of this life was in place.
    pub(crate) configured: usize,
    /// Every commit that was ever read back, with the state after it.
    pub(crate) known: BTreeMap<u64, Vec<(Hash, State)>>,
    /// The commit's line of each number.
    pub(crate) lines: BTreeMap<u64, String>,
    /// What did not go as it should.
    pub(crate) troubles: Vec<String>,
}

impl Lived {
    /// Takes in what the journal holds by now.
    pub(crate) fn read_back(&mut self, root: &Path) -> Result<(), String> {
        for (seq, hash, state) in commits(root)? {
            let known = self.known.entry(seq).or_default();
            if known.iter().all(|(known, _)| *known != hash) {
                known.push((hash, state));
            }
        }
        Ok(())
    }
}

/// Where a life takes place.
#[derive(Debug)]
pub(crate) struct Place<'a> {
    /// The root, on the recorded drive.
    pub(crate) root: &'a Path,
    /// A folder elsewhere.
    pub(crate) scratch: &'a Path,
    /// Where the model is asked.
    pub(crate) server: String,
    pub(crate) model: &'a Arc<Model>,
    pub(crate) syncs: Syncs,
}

struct Life<'a> {
    place: &'a Place<'a>,
    witness: Arc<Witness>,
    random: Random,
    lived: Lived,
    count: u64,
}

/// Lives as the number and the seed say; what goes wrong is told with what was lived.
pub(crate) fn live(place: &Place<'_>, record: &Record, number: u64, seed: u64) -> Lived {
    let witness = Arc::new(Witness::new(record.clone()));
    let mut life = Life {
        place,
        witness: Arc::clone(&witness),
        random: Random(seed),
        lived: Lived {
            told: Vec::new(),
            works: Vec::new(),
            end: 0,
            configured: usize::MAX,
            known: BTreeMap::from([(0, vec![(Hash::ZERO, State::empty())])]),
            lines: BTreeMap::new(),
            troubles: Vec::new(),
        },
        count: 0,
    };
    place.model.tell(Some(Arc::clone(&witness)));
    if let Err(trouble) = life.live(number) {
        life.lived.troubles.push(trouble);
    }
    place.model.tell(None);
    let mut lived = life.lived;
    lived.end = witness.position();
    lived.told = witness.told();
    lived.told.retain(|told| told.position <= lived.end);
    lived.lines = lines(place.root);
    lived
}

/// Every line of the journal by its number.
pub(crate) fn lines(root: &Path) -> BTreeMap<u64, String> {
    let mut lines = BTreeMap::new();
    let Ok(files) = std::fs::read_dir(root.join("data/journal")) else {
        return lines;
    };
    let segments = files.map(|file| file.unwrap().path());
    for segment in segments.filter(|path| path.extension().is_some_and(|it| it == "jsonl")) {
        let text = String::from_utf8_lossy(&std::fs::read(segment).unwrap()).into_owned();
        for line in text.lines() {
            let seq = largest(line.get(..40).unwrap_or_default(), "\"seq\":");
            lines.insert(seq, line.to_owned());
        }
    }
    lines
}

/// Every commit of a root with the state after it.
pub(crate) fn commits(root: &Path) -> Result<Vec<(u64, Hash, State)>, String> {
    let mut disk = RealDisk::open(root, false).map_err(|error| error.to_string())?;
    let (mut state, mut found) = (State::empty(), Vec::new());
    each_commit(&mut disk, &mut |commit| {
        state.apply_draft(&commit.draft);
        found.push((commit.seq, commit.hash, state.clone()));
    })
    .map_err(|error| error.to_string())?;
    Ok(found)
}

/// Writes a file as an editor does that leaves nothing to chance.
pub(crate) fn write_safely(path: &Path, bytes: &[u8]) {
    let beside = path.with_extension("edited~");
    let mut file = File::create(&beside).unwrap();
    file.write_all(bytes).unwrap();
    file.sync_all().unwrap();
    std::fs::rename(&beside, path).unwrap();
    File::open(path.parent().unwrap())
        .unwrap()
        .sync_all()
        .unwrap();
}

impl Life<'_> {
    fn live(&mut self, number: u64) -> Result<(), String> {
        self.init()?;
        // A first start is a daemon's, or a verb's.
        if self.random.below(2) == 0 {
            self.daemon()?;
        } else {
            self.verbs(Work::FirstChange)?;
        }
        self.read_back()?;
        for step in 0..STEPS {
            match (number * STEPS + step) % 7 {
                0 => self.import()?,
                1 => self.rules()?,
                2 => self.ask()?,
                3 => self.undo()?,
                4 => self.verbs(Work::Verbs)?,
                _ => self.daemon()?,
            }
            self.read_back()?;
        }
        Ok(())
    }

    fn begin(&mut self, work: Work) {
        self.lived.works.push((self.witness.position(), work));
    }

    fn next(&mut self) -> u64 {
        self.count += 1;
        self.count
    }

    /// Runs a verb that has to succeed, and notes that it did.
    fn verb(&mut self, words: &[&str]) -> Result<String, String> {
        let said = verb(self.place.syncs, self.place.root, words);
        let position = self.witness.position();
        let said = said.map_err(|(_, what)| what)?;
        self.note_head(position)?;
        Ok(said)
    }

    /// Everything that is committed now was told of at that position.
    fn note_head(&mut self, position: usize) -> Result<(), String> {
        if self.place.root.join("data/journal").exists() {
            let seq = commits(self.place.root)?.last().map_or(0, |last| last.0);
            self.witness.note_at(position, By::Exit, Fact::Commit(seq));
        }
        Ok(())
    }

    fn read_back(&mut self) -> Result<(), String> {
        self.lived.read_back(self.place.root)
    }

    fn note_file(&self, position: usize, name: &str) {
        let bytes = std::fs::read(self.place.root.join(name)).unwrap();
        self.witness
            .note_at(position, By::Exit, Fact::File(name.into(), bytes));
    }

    fn init(&mut self) -> Result<(), String> {
        self.begin(Work::Init);
        let made = verb(self.place.syncs, self.place.root, &["init", "--offline"]);
        let position = self.witness.position();
        made.map_err(|(_, what)| what)?;
        // What comes next makes it safe, so the power has to go here as well.
        self.begin(Work::Init);
        for name in [
            "small-model",
            "config.json",
            "agent-prompt.json",
            "rules.json",
            "prompts/extended.json",
        ] {
            self.note_file(position, &format!("data/{name}"));
        }
        let path = self.place.root.join("data/config.json");
        let mut config: Value = serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap();
        config["provider"]["provider_kind"] = json!("openai");
        config["provider"]["base_url"] = json!(self.place.server);
        config["provider"]["model"] = json!("scripted");
        config["provider"]["stream"] = json!(false);
        config["loop"]["loop_delay_ms"] = json!(0);
        config["loop"]["protocol"] = json!("xml");
        config["loop"]["max_iterations"] = json!(-1);
        config["memory"]["working_memory_character_max"] = json!(50_000);
        if self.random.below(2) == 0 {
            config["memory"]["layout"] = json!("unified");
        }
        config["memory"]["retain_full_conversation_logs"] = json!(self.random.below(3) == 0);
        // So small that it rotates within a life.
        config["journal"]["segment_bytes"] = json!(4096 + self.random.below(40_000));
        write_safely(&path, config.to_string().as_bytes());
        self.lived.configured = self.witness.position();
        self.note_file(self.lived.configured, "data/config.json");
        Ok(())
    }

    fn verbs(&mut self, work: Work) -> Result<(), String> {
        self.begin(work);
        for _ in 0..2 + self.random.below(4) {
            let count = self.next();
            match self.random.below(4) {
                0 => drop(self.verb(&["once"])?),
                1 => {
                    let key = format!("verb_{count}");
                    self.verb(&["ram", "set", &key, &format!("value of verb {count}")])?;
                }
                2 => {
                    let title = format!("verb-{count}");
                    let value = format!("Written by verb {count}.");
                    self.verb(&["notes", "add", &value, "--title", &title])?;
                }
                _ => self.change_a_note(count)?,
            }
        }
        Ok(())
    }

    fn change_a_note(&mut self, count: u64) -> Result<(), String> {
        let disk = RealDisk::open(self.place.root, false);
        let state = read_state(&mut disk.unwrap(), Path::new(KV));
        let state = state.map_err(|error| error.to_string())?;
        if state.notes.is_empty() {
            return Ok(());
        }
        let chosen = self.random.index(state.notes.len());
        let id = state.notes.iter().nth(chosen).unwrap().id.to_string();
        if self.random.below(3) == 0 {
            self.verb(&["notes", "delete", &id])?;
        } else {
            let value = format!("Changed by verb {count}.");
            self.verb(&["notes", "edit", &id, "--value", &value])?;
        }
        Ok(())
    }

    fn import(&mut self) -> Result<(), String> {
        let folder = self.place.scratch.join(format!("import-{}", self.next()));
        std::fs::create_dir(&folder).unwrap();
        for _ in 0..5 + self.random.below(40) {
            let count = self.next();
            let text = format!("# import-{count}\n\nTaken in as number {count}.\n");
            std::fs::write(folder.join(format!("{count}.md")), text).unwrap();
        }
        self.begin(Work::Import);
        let words = ["notes", "import", folder.to_str().unwrap()];
        let taken = self.verb(&words).map(drop);
        std::fs::remove_dir_all(&folder).unwrap();
        taken
    }

    fn ask(&mut self) -> Result<(), String> {
        self.begin(Work::Request);
        let text = format!("please do {}", self.next());
        let said = verb(
            self.place.syncs,
            self.place.root,
            &["ask", &text, "--format", "json"],
        );
        let position = self.witness.position();
        let said = said.map_err(|(_, what)| what)?;
        let said: Value = serde_json::from_str(&said).unwrap();
        let text = |name: &str| said[name].as_str().unwrap().to_owned();
        let (event, run) = (text("event_id"), text("run_id"));
        self.witness
            .note_at(position, By::Exit, Fact::Request { event, run });
        Ok(())
    }

    fn rules(&mut self) -> Result<(), String> {
        self.begin(Work::Rules);
        for _ in 0..2 {
            let rule = json!({"trigger": "manual", "action_json": {"kind": "kjxlkj_agent"}});
            let words = ["rules", "add", &rule.to_string()];
            let added = verb(self.place.syncs, self.place.root, &words);
            let position = self.witness.position();
            added.map_err(|(_, what)| what)?;
            self.note_file(position, "data/rules.json");
        }
        Ok(())
    }

    /// A daemon's life, from its start to its stop or its death.
    fn daemon(&mut self) -> Result<(), String> {
        let before = commits(self.place.root).map_or(0, |all| all.last().map_or(0, |it| it.0));
        self.begin(Work::Start);
        let log = self.place.scratch.join("daemon.log");
        let mut daemon = Daemon::spawn(self.place.syncs, self.place.root, &log);
        let model = Arc::clone(self.place.model);
        let first = model.replies() + 1;
        daemon.wait("the first question", || {
            (model.replies() >= first).then_some(())
        })?;
        let listener = daemon.listen(before, &self.witness)?;
        self.begin(Work::Iterations);
        let enough = first + 3 + self.random.below(8);
        daemon.wait("enough questions", || {
            (model.replies() >= enough).then_some(())
        })?;
        if self.random.below(2) == 0 {
            self.begin(Work::Http);
            for _ in 0..2 + self.random.below(5) {
                self.ask_daemon(&daemon)?;
            }
        }
        let signal = if self.random.below(4) == 0 {
            Signal::KILL
        } else {
            Signal::TERM
        };
        self.begin(Work::Stop);
        daemon.end(signal)?;
        let position = self.witness.position();
        listener.end();
        if signal == Signal::KILL {
            // What the next one finds is another's tail.
            self.begin(Work::Death);
            let key = format!("verb_{}", self.next());
            return self.verb(&["ram", "set", &key, "after a death"]).map(drop);
        }
        self.note_head(position)
    }

    /// A change over the control socket; what it answers with is a promise.
    fn ask_daemon(&mut self, daemon: &Daemon) -> Result<(), String> {
        let count = self.next();
        let word = format!("over-http-{count}-");
        let (method, path, body) = match self.random.below(4) {
            0 => (
                "POST",
                "/v1/notes".to_owned(),
                json!({"value": word, "title": format!("http-{count}")}),
            ),
            1 => ("POST", "/v1/runs".to_owned(), json!({"request": word})),
            _ => (
                "PUT",
                format!("/v1/ram/http_{count}"),
                json!({"value": word}),
            ),
        };
        let (status, said) = daemon.ask(method, &path, &body.to_string())?;
        if !(200..300).contains(&status) {
            return Err(format!("{method} {path}: {status} {said}"));
        }
        self.witness.note(By::Answer, Fact::Text(word));
        Ok(())
    }

    /// Takes back what the last run did, or what all did for a while.
    fn undo(&mut self) -> Result<(), String> {
        let begin = SystemClock.now();
        self.daemon()?;
        self.read_back()?;
        self.begin(Work::Undo);
        let disk = RealDisk::open(self.place.root, false);
        let state = read_state(&mut disk.unwrap(), Path::new(KV));
        let state = state.map_err(|error| error.to_string())?;
        let run = state
            .runs
            .newest_first()
            .next()
            .map(|run| run.run_id.to_string());
        let (run, since) = (run.unwrap_or_default(), begin.to_string());
        let words: &[&str] = if self.random.below(2) == 0 {
            &["undo", "--since", &since]
        } else {
            &["runs", "undo", &run]
        };
        let done = verb(self.place.syncs, self.place.root, words);
        let position = self.witness.position();
        match done {
            Ok(_) => self.note_head(position),
            // Something was written since: nothing was taken back.
            Err((1, _)) => Ok(()),
            Err((_, what)) => Err(what),
        }
    }
}

/// The folder of requests, and those below it.
pub(crate) fn inbox(root: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for folder in ["", ".taken", "done", "rejected"] {
        let Ok(files) = std::fs::read_dir(root.join("data/inbox").join(folder)) else {
            continue;
        };
        found.extend(files.map(|file| file.unwrap().path()));
    }
    found
}
