//! One life: the real loop, its requests, a person who writes into its files, its restarts; and the
//! account of what was written at the end.

use super::model::{Model, Order};
use super::report::{Paged, Report};
use super::server::{Server, Telling};
use super::text::draw;
use super::tokenizer::Tokenizer;
use crate::lab::Lab;
use crate::peer::Peer;
use crate::random::Random;
use kjxlkj_agent::config::{self, ProviderKind};
use kjxlkj_agent::core::agent::{LoopState, initial_state};
use kjxlkj_agent::core::journal::State;
use kjxlkj_agent::core::journal::event::InstructionOutcome;
use kjxlkj_agent::core::memory::StorePath;
use kjxlkj_agent::core::memory::directory::values_of;
use kjxlkj_agent::core::memory::ram::REQUIRED_KEYS;
use kjxlkj_agent::core::memory::storage::Node;
use kjxlkj_agent::core::prompt::TokenBudget;
use kjxlkj_agent::core::run::Trigger;
use kjxlkj_agent::daemon::Agent;
use kjxlkj_agent::failure::Code;
use kjxlkj_agent::ids::EventId;
use kjxlkj_agent::store::disk::RealDisk;
use kjxlkj_agent::store::each_version;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, MutexGuard};

/// How a prompt says that a text goes on, or that a part is missing.
const CUT_MARKS: [&str; 2] = [" more characters", "left out"];

/// Iterations between two restarts.
const RESTART_EVERY: u64 = 45;

/// What a life is made from.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Life {
    pub(crate) window: u32,
    pub(crate) tokenizer: Tokenizer,
    /// Whether the prompt file is the one with tools and blocks, and the model knows them.
    pub(crate) has_blocks: bool,
    pub(crate) seed: u64,
    pub(crate) loops: u64,
}

impl Life {
    /// What tells it from the others.
    fn name(&self) -> String {
        format!(
            "life {} ({} tokens, {}{})",
            self.seed,
            self.window,
            self.tokenizer.name,
            if self.has_blocks { ", blocks" } else { "" }
        )
    }
}

/// A life under way.
struct Days {
    life: Life,
    lab: Lab,
    server: Arc<Mutex<Server>>,
    random: Random,
    /// What the person wrote: RAM keys and titles of notes.
    by_hand: BTreeMap<Order, String>,
    /// Keys that have left RAM and have not come back.
    away: BTreeSet<String>,
    report: Report,
}

/// Lives a life to its end and gives the account of it.
pub(crate) async fn live(life: Life) -> Report {
    let mut days = Days::begin(life);
    let mut agent = days.lab.start();
    let mut keys = keys_of(agent.store().state());
    for number in 0..life.loops {
        if number > 0 && number % RESTART_EVERY == 0 {
            agent.close().unwrap();
            agent = days.lab.start();
        }
        if number % 23 == 11 {
            days.person_writes(number);
        }
        days.step(&mut agent, number).await;
        keys = days.see_what_was_paged(agent.store().state(), &keys, number);
    }
    agent.close().unwrap();
    days.settle()
}

impl Days {
    fn begin(life: Life) -> Self {
        let mut random = Random(life.seed.wrapping_mul(7919) ^ u64::from(life.window));
        let telling = [Telling::Nothing, Telling::Window, Telling::WindowAndCounts];
        let telling = telling[random.index(telling.len())];
        // About as long as the longest answer, so that some are cut.
        let longest = usize::try_from(life.window).unwrap() * 3 / 4;
        let server = Arc::new(Mutex::new(Server {
            window: usize::try_from(life.window).unwrap(),
            tokenizer: life.tokenizer,
            telling,
            model: Model::new(random.next(), longest, life.has_blocks),
            prompts: Vec::new(),
            overflows: Vec::new(),
            answers_cut: 0,
            last: String::new(),
        }));
        let peer = Peer::answering_all({
            let server = Arc::clone(&server);
            move |request, _| server.lock().unwrap().answer(request)
        });
        let mut lab = Lab::with_peer(peer);
        let prompt = if life.has_blocks {
            config::SHIPPED_EXTENDED_PROMPT
        } else {
            config::SHIPPED_PROMPT
        };
        lab.write("data/agent-prompt.json", prompt);
        let loaded = config::load(lab.root(), &BTreeMap::new()).unwrap();
        lab.prompt = loaded.prompt;
        lab.config.provider.kind = ProviderKind::OpenAi;
        lab.config.r#loop.protocol = kjxlkj_agent::core::agent::Protocol::Xml;
        lab.config.provider.context_tokens = (telling == Telling::Nothing).then_some(life.window);
        let memory = &mut lab.config.memory;
        memory.working_memory_character_max = [2048, 6000][random.index(2)];
        memory.think_log_max_chars = [512, 4000][random.index(2)];
        if random.below(2) == 0 {
            // Room enough in the budget, so that the window alone is the limit.
            let room = usize::try_from(life.window).unwrap();
            lab.config.token_budget = TokenBudget {
                max_total: 2 * room,
                memory: room,
                session: room,
                ..lab.config.token_budget
            };
        }
        Self {
            life,
            lab,
            server,
            random,
            by_hand: BTreeMap::new(),
            away: BTreeSet::new(),
            report: Report::default(),
        }
    }

    fn server(&self) -> MutexGuard<'_, Server> {
        self.server.lock().unwrap()
    }

    /// One iteration of the open run, or of a new one.
    async fn step(&mut self, agent: &mut Agent, number: u64) {
        let run_id = if let Some(run_id) = agent.next_run() {
            run_id
        } else {
            let most = u64::from(self.life.window);
            let length = 20 + self.random.below(most) * self.random.below(2);
            let request = draw(&mut self.random, usize::try_from(length).unwrap());
            let event = EventId(number.to_string());
            agent
                .queue(event, Trigger::Request, Some(request))
                .await
                .unwrap()
        };
        let known = agent.store().state();
        let ran_in = initial_state(&known.main, &self.lab.config.memory, known.main.ram.state());
        let asked = self.server().prompts.len();
        let run = agent.step(run_id).await.unwrap();
        self.report.loops += 1;
        self.report.paging_loops += u64::from(ran_in == LoopState::Paging);
        let server = self.server.lock().unwrap();
        let was_asked = server.prompts.len() > asked;
        self.report.prompts_cut +=
            u64::from(was_asked && CUT_MARKS.iter().any(|mark| server.last.contains(mark)));
        if run.is_finished() {
            self.report.runs += 1;
            let refused = run.error_code == Some(Code::ContextOverflow) && !was_asked;
            self.report.refused_before_a_call += u64::from(refused);
        }
    }

    /// A person writes more than any model could: a key of RAM, or a note.
    fn person_writes(&mut self, number: u64) {
        let value = draw(&mut self.random, 3000);
        if self.random.below(2) == 0 {
            let key = format!("hand_{number}");
            self.lab.edit_kv(&[(&key, json!(value))]);
            self.by_hand.insert(("ram_add", key), value);
        } else {
            let title = format!("Hand {number}");
            let value = value + &draw(&mut self.random, 30_000);
            let note = json!({"title": title, "keywords": "b", "value": value});
            self.lab
                .write(&format!("data/notes/{title}.json"), &note.to_string());
            self.by_hand.insert(("record_add", title), value);
        }
    }

    /// Notes which keys left RAM in this iteration, who moved them, and which came back.
    fn see_what_was_paged(
        &mut self,
        state: &State,
        before: &BTreeSet<String>,
        number: u64,
    ) -> BTreeSet<String> {
        let keys = keys_of(state);
        let server = self.server.lock().unwrap();
        for key in before.difference(&keys) {
            self.report.paged.push(Paged {
                life: self.life.seed,
                number,
                key: key.clone(),
                by_model: server.model.paged.contains(key),
            });
            self.away.insert(key.clone());
        }
        for key in keys.difference(before) {
            self.report.brought_back += u64::from(self.away.remove(key));
        }
        keys
    }

    /// The account: everything that was written against everything that is there.
    fn settle(mut self) -> Report {
        let state = self.lab.state();
        let mut wanted = std::mem::take(&mut self.by_hand);
        let mut server = self.server.lock().unwrap();
        let mut ordered = std::mem::take(&mut server.model.ordered);
        for entry in self.lab.audit() {
            if entry.outcome != InstructionOutcome::Applied {
                continue;
            }
            let found = ordered
                .keys()
                .find(|(op, target)| *op == entry.op && *target == entry.target)
                .cloned();
            if let Some(order) = found {
                let value = ordered.remove(&order).unwrap();
                wanted.insert(order, value);
            }
        }
        self.report.not_applied = u64::try_from(ordered.len()).unwrap();
        self.report.written = u64::try_from(wanted.len()).unwrap();
        let texts = Texts::of(&self.lab, &state);
        for ((op, target), value) in &wanted {
            let is_there = match *op {
                "record_add" => texts.note_ever_said(target, value),
                "record_update" => texts.note_says(target, value),
                // The model may have put it where no key leads to.
                "ram_add" if server.model.moved.contains(target) => texts.anywhere(value),
                "ram_add" => texts.key_leads_to(target, value),
                _ => texts.stands_at(target, value),
            };
            if !is_there {
                let (length, life) = (value.chars().count(), self.life.name());
                let lost = format!("{op} {target}, {length} characters, in {life}");
                self.report.lost.push(lost);
            }
        }
        for overflow in &server.overflows {
            self.report.overflows.push(format!(
                "{} + {} tokens, prompt {} in {}; the server tells {:?}",
                overflow.prompt_tokens,
                overflow.answer_tokens,
                overflow.number,
                self.life.name(),
                server.telling
            ));
        }
        self.report.prompts = std::mem::take(&mut server.prompts);
        self.report.answers_cut = server.answers_cut;
        drop(server);
        self.report
    }
}

/// Keys of RAM that may be paged out.
fn keys_of(state: &State) -> BTreeSet<String> {
    let keys = state.main.ram.entries().map(|(key, _)| key);
    keys.filter(|key| !REQUIRED_KEYS.contains(key))
        .map(str::to_owned)
        .collect()
}

/// All texts of a root, to look things up in.
struct Texts<'a> {
    state: &'a State,
    /// What each note said in each of its versions, the last one last, by title.
    notes: BTreeMap<String, Vec<String>>,
}

impl<'a> Texts<'a> {
    fn of(lab: &Lab, state: &'a State) -> Self {
        let mut notes: BTreeMap<String, Vec<String>> = BTreeMap::new();
        let mut disk = RealDisk::open(lab.root(), false).unwrap();
        each_version(&mut disk, &|_| true, &mut |note| {
            let versions = notes.entry(note.title.clone()).or_default();
            versions.push(note.value.clone());
        })
        .unwrap();
        Self { state, notes }
    }

    /// Whether the note says this, in its file and in its history.
    fn note_says(&self, title: &str, text: &str) -> bool {
        let mut notes = self.state.notes.iter();
        let note = notes.find(|note| note.title == title);
        note.is_some_and(|note| note.value == text) && self.note_ever_said(title, text)
    }

    /// Whether a version of the note says this.
    fn note_ever_said(&self, title: &str, text: &str) -> bool {
        let versions = self.notes.get(title);
        versions.is_some_and(|versions| versions.iter().any(|it| it == text))
    }

    /// Whether a key leads a person to this: the newest value, in RAM or in the archive.
    fn key_leads_to(&self, key: &str, text: &str) -> bool {
        let value = values_of(&self.state.main.ram, &self.state.storage, key).next();
        value.is_some_and(|(_, value)| value.as_str() == Some(text))
    }

    /// Whether a place in `/storage` holds this.
    fn stands_at(&self, path: &str, text: &str) -> bool {
        let path = StorePath::parse(path).unwrap();
        let value = self.state.storage.value(path.parts());
        value.as_ref().and_then(Value::as_str) == Some(text)
    }

    fn anywhere(&self, text: &str) -> bool {
        let ram = self.state.main.ram.entries().map(|(_, value)| value);
        let leaves = self.state.storage.leaves();
        let mut values = ram.chain(leaves.filter_map(|(_, node)| match node {
            Node::File(value) => Some(&**value),
            Node::Directory(_) => None,
        }));
        let mut notes = self.state.notes.iter();
        values.any(|value| value.as_str() == Some(text)) || notes.any(|note| note.value == text)
    }
}
