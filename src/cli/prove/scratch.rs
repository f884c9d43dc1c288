//! The scratch folder of a proof: a separate root with the person's scope and limits, the real loop
//! on it, and a virtual clock. All attempts happen here and nowhere else.

use super::super::server::runtime;
use super::check::{AttemptResult, Check, Footprint};
use crate::config::{self, Action, Config, LoadedConfig, ProviderKind};
use crate::core::guard::{Approved, NewNote, Permit, Refusal};
use crate::core::journal::{Cause, Change, State};
use crate::core::memory::ram::STEPS;
use crate::core::prompt::PromptFile;
use crate::core::protocol::Tag;
use crate::core::run::Trigger;
use crate::daemon::{
    self, Agent, AgentLaunch, Boot, ChangeContext, Clock, Command, DraftParts, Halt, LoopEvent,
    Observer, OutagePolicy, Servers, SystemClock, VirtualClock, stop_pair, store_options,
};
use crate::failure::{Code, Failure};
use crate::ids::{AgentId, EventId, IdSource as _, RunId};
use crate::provider::{LlmProvider, connect};
use crate::store::disk::{Disk as _, RealDisk};
use crate::store::external_files::{remove_scratch, scratch_root};
use crate::store::{Store, TimeOrderedIds, audit_entries, head_of, layout, read_state};
use crate::time::Timestamp;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tokio::runtime::Runtime;
use uuid::Uuid;

/// The request of every run of a proof.
pub(super) const REQUEST: &str = "Keep a note.";

/// The text that a person writes during the call.
pub(super) const EDITED: &str = "the person's";

/// The lead of the scratch clock, in milliseconds: new files count as unchanged for long enough.
const AHEAD_MS: i64 = 60 * 60 * 1000;

/// The largest file of a scratch folder that a check reads, in bytes.
const FILE_BYTES_MAX: usize = 64 * 1024 * 1024;

/// The size of RAM in checks that are not about it, in characters.
const ROOMY: usize = 1024 * 1024;

/// An observer that edits a value of a file during the call, or does nothing.
#[derive(Debug)]
struct Editor(Option<(PathBuf, PathBuf, &'static str)>);

impl Observer for Editor {
    fn on_event(&mut self, event: LoopEvent<'_>) {
        if let (Some((root, path, name)), LoopEvent::Asking { .. }) = (&self.0, event) {
            let edited = read(root, path).and_then(|bytes| {
                let mut file: Value = serde_json::from_slice(&bytes).unwrap_or_default();
                file[*name] = json!(EDITED);
                replace(root, path, format!("{file:#}").as_bytes())
            });
            // After a failed edit nothing conflicts, and the row shows it.
            edited.unwrap_or_default();
        }
    }
}

/// A scratch folder with its loop.
pub(super) struct Scratch {
    pub(super) root: PathBuf,
    /// The configuration, which a check may change.
    pub(super) setup: Setup,
    clock: Arc<VirtualClock>,
    runtime: Runtime,
}

/// The configuration of one check.
#[derive(Clone)]
pub(super) struct Setup {
    pub(super) config: Config,
    pub(super) prompt: PromptFile,
    /// The most iterations; by default the number of lines of the script.
    pub(super) iterations: Option<u32>,
    /// The person's size of RAM, in characters.
    pub(super) ram_characters: usize,
    pub(super) asks: bool,
    /// The title of the note, or the key of RAM, that a person edits during the call.
    pub(super) edits: Option<&'static str>,
    /// The instructions of the agent that the run is of, where it is not of the main agent.
    pub(super) capabilities: Option<&'static [&'static str]>,
}

impl Scratch {
    /// Creates a folder with the person's scope and limits; kind `note` and every tag are allowed.
    pub(super) fn new(person: &LoadedConfig) -> Result<Self, Failure> {
        let root = scratch_root(&std::env::temp_dir());
        let LoadedConfig {
            mut config,
            mut prompt,
            ..
        } = fresh(&root, &json!({}), &[])?;
        let of = &person.config;
        config.scope.clone_from(&of.scope);
        let kinds = &mut config.scope.allowed_note_kinds;
        if !kinds.iter().any(|kind| kind == "note") {
            kinds.push("note".to_owned());
        }
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
        prompt.allowed_tags = Tag::ALL.into_iter().collect();
        let clock = VirtualClock::from(SystemClock.now().plus_millis(AHEAD_MS));
        Ok(Self {
            root,
            setup: Setup {
                config,
                prompt,
                iterations: None,
                ram_characters: of.memory.working_memory_character_max,
                asks: true,
                edits: None,
                capabilities: None,
            },
            clock: Arc::new(clock),
            runtime: runtime()?,
        })
    }

    /// Removes the folder; returns it where that fails.
    pub(super) fn remove(self) -> Option<PathBuf> {
        let removed = remove_scratch(&self.root);
        removed.is_err().then_some(self.root)
    }

    pub(super) fn now(&self) -> Timestamp {
        self.clock.now()
    }

    pub(super) fn state(&self) -> Result<State, Failure> {
        let kv_path = store_options(&self.setup.config).kv_path;
        Ok(read_state(&mut disk_at(&self.root)?, &kv_path)?)
    }

    /// Carries out an attempt, and adds its effects on the scratch folder to its observations.
    pub(super) fn watch(
        &self,
        attempt: impl FnOnce() -> Result<AttemptResult, Failure>,
    ) -> Result<AttemptResult, Failure> {
        let mut disk = disk_at(&self.root)?;
        let before = Footprint::of(&self.state()?);
        let seq = head_of(&mut disk)?.seq;
        let seen = attempt()?;
        let mut entries = audit_entries(&mut disk)?;
        entries.retain(|entry| entry.seq > seq);
        Ok(AttemptResult {
            before,
            after: Footprint::of(&self.state()?),
            entries,
            ..seen
        })
    }

    pub(super) fn write_notes(&self, setup: &Setup, check: &Check) -> Result<(), Failure> {
        for (title, value, workspace) in &check.notes {
            let mut setup = setup.clone();
            let own = setup.config.scope.workspace_id;
            setup.config.scope.workspace_id = workspace.unwrap_or(own);
            let new = NewNote {
                workspace_id: None,
                kind: Some("note".to_owned()),
                title: Some((*title).to_owned()),
                keywords: Vec::new(),
                value: value.clone(),
                links: Vec::new(),
            };
            self.change(&setup, |cx| {
                let id = TimeOrderedIds { now: cx.now }.next_note_id();
                Ok(vec![cx.guard.note_create(new, id, cx.now)?])
            })?;
        }
        Ok(())
    }

    pub(super) fn change<F>(&self, setup: &Setup, change: F) -> Result<(), Failure>
    where
        F: FnOnce(&mut ChangeContext<'_>) -> Result<Vec<Approved<Change>>, Refusal>,
        F: Send + 'static,
    {
        let decide = move |cx: &mut ChangeContext<'_>| {
            Ok(DraftParts::of(&Cause::plain("verb"), change(cx)?))
        };
        self.command(&self.root, &setup.config, Command::Change(Box::new(decide)))
    }

    /// Cancels a run, if there is one.
    pub(super) fn cancel(&self, setup: &Setup, run_id: Option<RunId>) -> Result<(), Failure> {
        run_id.map_or(Ok(()), |run_id| {
            self.command(&self.root, &setup.config, Command::Cancel { run_id })
        })
    }

    pub(super) fn command(
        &self,
        root: &Path,
        config: &Config,
        command: Command,
    ) -> Result<(), Failure> {
        let now = self.now();
        let (mut store, _) = Store::open(daemon::hold(root)?.disk, store_options(config), now)?;
        store.read_notes(now)?;
        daemon::run_alone(&mut store, config, now, command)?;
        Ok(store.checkpoint(true, now)?)
    }

    /// Returns a model that plays these lines in order.
    pub(super) fn script(&self, lines: &[String]) -> Result<Box<dyn LlmProvider>, Failure> {
        connect(&self.setup.config.provider, Some(&lines.join("\n")))
    }

    /// Opens the real loop on the scratch folder for work without calls.
    pub(super) fn open_unasked(&self, setup: &Setup) -> Result<Agent, Failure> {
        self.open(&self.root, setup, self.script(&[reply("never asked")])?)
    }

    /// Opens the real loop on a root.
    pub(super) fn open(
        &self,
        root: &Path,
        setup: &Setup,
        provider: Box<dyn LlmProvider>,
    ) -> Result<Agent, Failure> {
        let state = self.state()?;
        let edit = setup.edits.map(|name| {
            let (path, name) = match state.notes.all_titled(name).next() {
                Some(note) => (layout::note_path(note.id), "value"),
                None => (store_options(&setup.config).kv_path, name),
            };
            (root.to_path_buf(), path, name)
        });
        let (_, stop) = stop_pair();
        let boot = Boot {
            config: setup.config.clone(),
            prompt: setup.prompt.clone(),
            servers: Servers::only(provider),
            patience: OutagePolicy::None,
            clock: Arc::clone(&self.clock) as Arc<dyn Clock>,
            stop,
            observer: Box::new(Editor(edit)),
        };
        daemon::open(daemon::hold(root)?, boot)
    }

    /// Has a model reply in one run.
    pub(super) fn run(
        &self,
        setup: &Setup,
        model: Box<dyn LlmProvider>,
    ) -> Result<AttemptResult, Failure> {
        let mut setup = setup.clone();
        let capabilities = setup.capabilities;
        let launched = capabilities.map(|names| self.launch_agent(&mut setup, names));
        let event = launched.transpose()?;
        let setup = &setup;
        let mut agent = self.open(&self.root, setup, model)?;
        agent.max_iterations = setup.iterations.or(Some(1));
        // The event of a run of an agent has opened it already.
        let event = event.unwrap_or_else(new_event);
        let (trigger, request) = if setup.asks {
            (Trigger::Request, Some(REQUEST.to_owned()))
        } else {
            (Trigger::Manual, None)
        };
        let driven = self.wait_for(async {
            let run_id = agent.queue(event, trigger, request).await?;
            Ok((run_id, agent.drive(run_id).await.err()))
        });
        let (run_id, halt) = driven.map_err(failure_of)?;
        let state = agent.store().state();
        let run = state.runs.get(run_id).cloned();
        let request = state.main.ram.request().map(str::to_owned);
        agent.close()?;
        let is_open = run.as_ref().is_some_and(|run| !run.is_finished());
        self.cancel(setup, is_open.then_some(run_id))?;
        // Removes the steps, so that no later check finds them.
        self.change(setup, |cx| Ok(vec![cx.guard.ram_delete(STEPS)?]))?;
        Ok(AttemptResult {
            failure: halt.map(failure_of),
            run,
            request,
            ..AttemptResult::default()
        })
    }

    /// Opens a run of an agent that may use these instructions alone, and returns its event.
    fn launch_agent(&self, setup: &mut Setup, names: &[&str]) -> Result<EventId, Failure> {
        let agent = AgentId::parse("proof");
        let agent = agent.ok_or_else(|| Failure::new(Code::Internal, "the id is no id"))?;
        let action = Action {
            config: setup.config.clone(),
            prompt: setup.prompt.clone(),
            has_own_servers: false,
            permit: Permit::only(names.iter().map(|name| (*name).to_owned())),
        };
        setup.config.agents.insert(agent.clone(), Arc::new(action));
        let event = new_event();
        let launch = AgentLaunch {
            agent,
            event: event.clone(),
            task: REQUEST.to_owned(),
            queues: false,
        };
        self.command(&self.root, &setup.config, Command::RunAgent(launch))?;
        Ok(event)
    }

    /// Waits for work of the loop.
    pub(super) fn wait_for<T>(&self, work: impl Future<Output = T>) -> T {
        self.runtime.block_on(Box::pin(work))
    }
}

/// Creates and reads a root with the shipped files, changed values, these rules and a script.
pub(super) fn fresh(
    root: &Path,
    changes: &Value,
    rules: &[Value],
) -> Result<LoadedConfig, Failure> {
    config::init_with(root, changes)?;
    if !rules.is_empty() {
        let text = json!(rules).to_string();
        replace(root, Path::new("data/rules.json"), text.as_bytes())?;
    }
    // The process's variables do not count in a scratch folder.
    let environment = BTreeMap::new();
    let mut loaded = config::load(root, &environment).map_err(|found| config::failure(&found))?;
    loaded.config.provider.kind = ProviderKind::Scripted;
    "proof".clone_into(&mut loaded.config.provider.model);
    Ok(loaded)
}

/// Returns the line of a script that replies with a text.
pub(super) fn reply(text: impl AsRef<str>) -> String {
    json!({"text": text.as_ref()}).to_string()
}

pub(super) fn new_event() -> EventId {
    EventId(Uuid::new_v4().to_string())
}

pub(super) fn disk_at(root: &Path) -> Result<RealDisk, Failure> {
    RealDisk::open(root, false).map_err(|error| unusable(root, &error))
}

/// Does something with a file of a root.
pub(super) fn on_disk<T>(
    root: &Path,
    path: &Path,
    act: impl FnOnce(&mut RealDisk) -> io::Result<T>,
) -> Result<T, Failure> {
    act(&mut disk_at(root)?).map_err(|error| unusable(path, &error))
}

pub(super) fn read(root: &Path, path: &Path) -> Result<Vec<u8>, Failure> {
    on_disk(root, path, |disk| disk.read(path, FILE_BYTES_MAX))
}

pub(super) fn replace(root: &Path, path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    on_disk(root, path, |disk| {
        disk.remove(path)?;
        disk.create(path, bytes)
    })
}

pub(super) fn unusable(path: &Path, error: &io::Error) -> Failure {
    let path = path.display();
    let message = format!("the scratch file {path} cannot be used: {error}");
    Failure::new(Code::DiskError, message)
}

pub(super) fn failure_of(halt: Halt) -> Failure {
    match halt {
        Halt::Failed(failure) => failure,
        Halt::Stopped | Halt::Preempted => Failure::new(Code::Internal, "a proof was stopped"),
    }
}
