//! The scratch folder of a proof: a root of its own with the person's fence and limits, the real loop on
//! it, and a clock on which nobody has to wait. What is tried happens here and nowhere else.

use super::super::server::runtime;
use super::footprint::Footprint;
use super::guard_check::ScriptedReply;
use crate::config::{self, Config, Environment, Loaded, ProviderKind};
use crate::core::guard::{Approved, Refusal};
use crate::core::journal::event::Outcome;
use crate::core::journal::{Cause, Change, State};
use crate::core::memory::ram::STEPS;
use crate::core::prompt::PromptFile;
use crate::core::protocol::Tag;
use crate::core::run::{Run, Trigger};
use crate::daemon::{
    self, Agent, Boot, ChangeContext, Clock, Command, DraftParts, Halt, LoopEvent, Observer,
    Patience, RuleServers, SystemClock, VirtualClock, stop_pair, store_options,
};
use crate::failure::{Code, Failure};
use crate::ids::EventId;
use crate::provider::{LlmProvider, connect};
use crate::store::disk::RealDisk;
use crate::store::outside::{remove_scratch, scratch_root};
use crate::store::{AuditEntry, Store, audit_entries, head_of, read_state};
use crate::time::Timestamp;
use serde_json::{Value, json};
use std::cell::RefCell;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tokio::runtime::Runtime;
use uuid::Uuid;

/// What every run of a proof asks for.
const REQUEST: &str = "Keep a note.";

/// How far the scratch clock is ahead, in milliseconds: files that were just written lie still.
const AHEAD_MS: i64 = 60 * 60 * 1000;

/// RAM of a check in which its size is not the question, in characters.
const ROOMY: usize = 1024 * 1024;

/// Nobody watches a proof.
#[derive(Debug)]
struct Silent;

impl Observer for Silent {
    fn on_event(&mut self, _sight: LoopEvent<'_>) {}
}

/// The scratch folder.
pub(super) struct Scratch {
    /// Its root.
    pub(super) root: PathBuf,
    config: Config,
    prompt: PromptFile,
    ram_characters: usize,
    clock: Arc<VirtualClock>,
    runtime: Runtime,
    seen: RefCell<Vec<String>>,
}

/// The configuration of one check.
#[derive(Clone, Debug)]
pub(super) struct Tuned {
    /// The configuration.
    pub(super) config: Config,
    /// The prompt file.
    pub(super) prompt: PromptFile,
    /// Iterations at most; as many as there are replies if absent.
    pub(super) iterations: Option<u32>,
    /// What a person has set for RAM.
    pub(super) ram_characters: usize,
    /// Whether the run has a request.
    pub(super) asks: bool,
}

/// What came of asking.
pub(super) struct Asked {
    /// The run.
    pub(super) run: Run,
    /// Why the loop stopped, if it did.
    pub(super) halt: Option<Failure>,
    /// What the audit says of it.
    pub(super) entries: Vec<AuditEntry>,
    pub(super) before: Footprint,
    pub(super) after: Footprint,
}

impl Asked {
    /// What happened instead, in words.
    pub(super) fn changed(&self) -> String {
        let entries = self.entries.iter().take(5).map(|entry| {
            let code = entry.code.map_or("applied", Code::as_str);
            format!("{} {}: {code}", entry.op, entry.target)
        });
        let entries: Vec<String> = entries.collect();
        let ended = self.run.error_code.map_or("no error", Code::as_str);
        format!("{} ({ended})", entries.join(", "))
    }
}

/// No variable of the process counts in a scratch folder.
struct Nothing;

impl Environment for Nothing {
    fn get(&self, _name: &str) -> Option<String> {
        None
    }
}

impl Scratch {
    /// Makes one with the person's fence and limits.
    pub(super) fn new(person: &Loaded) -> Result<Self, Failure> {
        let root = scratch_root(&std::env::temp_dir());
        let loaded = fresh(&root, &json!({}))?;
        let mut config = loaded.config;
        let of = &person.config;
        config.scope.clone_from(&of.scope);
        config.mode = Some(of.mode_with(&person.prompt));
        config.memory.clone_from(&of.memory);
        config.memory.retain_full_conversation_logs = false;
        config.memory.working_memory_character_max = ROOMY;
        config.notes = of.notes;
        config.notes.refuse_near_duplicates = false;
        config.r#loop.clone_from(&of.r#loop);
        config.r#loop.loop_delay_ms = 0;
        config.r#loop.parse_retries = 0;
        config.parser_strict = of.parser_strict;
        let mut prompt = loaded.prompt;
        prompt.allowed_tags = Tag::ALL.into_iter().collect();
        let clock = VirtualClock::from(SystemClock.now().plus_millis(AHEAD_MS));
        Ok(Self {
            root,
            config,
            prompt,
            ram_characters: of.memory.working_memory_character_max,
            clock: Arc::new(clock),
            runtime: runtime()?,
            seen: RefCell::default(),
        })
    }

    /// Takes the folder away; gives it where that fails.
    pub(super) fn remove(self) -> Option<PathBuf> {
        let removed = remove_scratch(&self.root);
        removed.is_err().then_some(self.root)
    }

    /// Its files.
    pub(super) fn disk(&self) -> Result<RealDisk, Failure> {
        disk_at(&self.root)
    }

    /// Its configuration, to be changed for one check: a kind of note is allowed, and every tag.
    pub(super) fn tuned(&self) -> Tuned {
        let mut config = self.config.clone();
        let kinds = &mut config.scope.allowed_note_kinds;
        if !kinds.iter().any(|kind| kind == "note") {
            kinds.push("note".to_owned());
        }
        Tuned {
            config,
            prompt: self.prompt.clone(),
            iterations: None,
            ram_characters: self.ram_characters,
            asks: true,
        }
    }

    /// Now, on the clock of the scratch folder.
    pub(super) fn now(&self) -> Timestamp {
        self.clock.now()
    }

    /// What stands in it.
    pub(super) fn footprint(&self) -> Result<Footprint, Failure> {
        let footprint = Footprint::of(&self.state()?);
        self.seen.borrow_mut().push(footprint.digest());
        Ok(footprint)
    }

    /// SHA-256 of the first and the last footprint that were taken since the last call.
    pub(super) fn digests(&self) -> Option<[String; 2]> {
        let seen = self.seen.take();
        Some([seen.first()?.clone(), seen.last()?.clone()])
    }

    /// Its state.
    pub(super) fn state(&self) -> Result<State, Failure> {
        let kv_path = store_options(&self.config).kv_path;
        Ok(read_state(&mut self.disk()?, &kv_path)?)
    }

    /// The audit behind a commit.
    pub(super) fn audit_after(&self, seq: u64) -> Result<Vec<AuditEntry>, Failure> {
        let mut entries = audit_entries(&mut self.disk()?)?;
        entries.retain(|entry| entry.seq > seq);
        Ok(entries)
    }

    /// The number of the last commit.
    pub(super) fn seq(&self) -> Result<u64, Failure> {
        Ok(head_of(&mut self.disk()?)?.seq)
    }

    /// Does something to the store as a person.
    pub(super) fn by_person(
        &self,
        tuned: &Tuned,
        decide: fn(&mut ChangeContext<'_>) -> Result<Vec<Approved<Change>>, Refusal>,
    ) -> Result<(), Failure> {
        self.command(
            tuned,
            Command::Change(Box::new(move |cx| {
                Ok(DraftParts::of(&Cause::plain("verb"), decide(cx)?))
            })),
        )
    }

    /// Runs a command.
    pub(super) fn command(&self, tuned: &Tuned, command: Command) -> Result<(), Failure> {
        let held = daemon::hold(&self.root)?;
        let now = self.now();
        let (mut store, _) = Store::open(held.disk, store_options(&tuned.config), now)?;
        store.read_notes(now)?;
        daemon::run_alone(&mut store, &tuned.config, now, command)?;
        Ok(store.checkpoint(true, now)?)
    }

    /// A model that says these things, one after the other.
    pub(super) fn model(&self, replies: &[ScriptedReply]) -> Result<Box<dyn LlmProvider>, Failure> {
        let lines: Vec<String> = replies.iter().map(|it| it.line().to_string()).collect();
        let mut provider = self.config.provider.clone();
        provider.kind = ProviderKind::Scripted;
        "proof".clone_into(&mut provider.model);
        connect(&provider, Some(&lines.join("\n")))
    }

    /// The real loop on the scratch folder.
    pub(super) fn open(
        &self,
        tuned: &Tuned,
        provider: Box<dyn LlmProvider>,
    ) -> Result<Agent, Failure> {
        self.open_at(&self.root, tuned, provider)
    }

    /// The same on another root.
    pub(super) fn open_at(
        &self,
        root: &Path,
        tuned: &Tuned,
        provider: Box<dyn LlmProvider>,
    ) -> Result<Agent, Failure> {
        let (_, stop) = stop_pair();
        let mut config = tuned.config.clone();
        config.provider.kind = ProviderKind::Scripted;
        "proof".clone_into(&mut config.provider.model);
        let boot = Boot {
            config,
            prompt: tuned.prompt.clone(),
            provider,
            listed: Vec::new(),
            of_rules: RuleServers::new(),
            patience: Patience::None,
            clock: Arc::clone(&self.clock) as Arc<dyn Clock>,
            stop,
            observer: Box::new(Silent),
        };
        daemon::open(daemon::hold(root)?, boot)
    }

    /// One run in which the model says these things.
    pub(super) fn ask(
        &mut self,
        tuned: &Tuned,
        replies: &[ScriptedReply],
    ) -> Result<Asked, Failure> {
        let model = self.model(replies)?;
        let iterations = u32::try_from(replies.len()).unwrap_or(u32::MAX);
        self.ask_model(tuned, model, tuned.iterations.unwrap_or(iterations))
    }

    /// One run with some model.
    pub(super) fn ask_model(
        &mut self,
        tuned: &Tuned,
        model: Box<dyn LlmProvider>,
        iterations: u32,
    ) -> Result<Asked, Failure> {
        let before = self.footprint()?;
        let seq = self.seq()?;
        let mut agent = self.open(tuned, model)?;
        agent.max_iterations = Some(iterations);
        let event = EventId(Uuid::new_v4().to_string());
        let driven = self.runtime.block_on(Box::pin(async {
            let (trigger, request) = if tuned.asks {
                (Trigger::Request, Some(REQUEST.to_owned()))
            } else {
                (Trigger::Manual, None)
            };
            let run_id = agent.queue(event, trigger, request).await?;
            let halt = agent.drive(run_id).await.err();
            Ok::<_, Halt>((run_id, halt))
        }));
        let (run_id, halt) = driven.map_err(failure_of)?;
        let run = agent.store().state().runs.get(run_id).cloned();
        let run = run.ok_or_else(|| daemon::unknown_run(run_id))?;
        agent.close()?;
        if !run.is_finished() {
            self.command(tuned, Command::Cancel { run_id })?;
        }
        let asked = Asked {
            run,
            halt: halt.map(failure_of),
            entries: self.of_run(seq)?,
            before,
            after: self.footprint()?,
        };
        // No check finds the steps of the one before.
        self.by_person(tuned, |cx| Ok(vec![cx.guard.ram_delete(STEPS)?]))?;
        Ok(asked)
    }

    /// What the audit says of the model's instructions behind a commit.
    fn of_run(&self, seq: u64) -> Result<Vec<AuditEntry>, Failure> {
        let mut entries = self.audit_after(seq)?;
        entries.retain(|entry| entry.iteration.is_some() || entry.outcome != Outcome::Applied);
        Ok(entries)
    }

    /// Waits for something of the loop.
    pub(super) fn wait_for<T>(&self, work: impl Future<Output = T>) -> T {
        self.runtime.block_on(Box::pin(work))
    }
}

/// A fresh root with the shipped files, some values of its configuration replaced.
pub(super) fn fresh(root: &Path, changes: &Value) -> Result<Loaded, Failure> {
    config::init_with(root, changes)?;
    load(root)
}

/// What a root with these files says.
pub(super) fn load(root: &Path) -> Result<Loaded, Failure> {
    config::load(root, &Nothing).map_err(|found| config::failure(&found))
}

/// The files of a root.
pub(super) fn disk_at(root: &Path) -> Result<RealDisk, Failure> {
    RealDisk::open(root, false).map_err(|error| unusable(root, &error))
}

/// What is said where a scratch folder cannot be used.
pub(super) fn unusable(path: &Path, error: &std::io::Error) -> Failure {
    let message = format!(
        "the scratch file {} cannot be used: {error}",
        path.display()
    );
    Failure::new(Code::DiskError, message)
}

/// Why the loop ended.
pub(super) fn failure_of(halt: Halt) -> Failure {
    match halt {
        Halt::Failed(failure) => failure,
        Halt::Stopped | Halt::Preempted => Failure::new(Code::Internal, "a proof was stopped"),
    }
}
