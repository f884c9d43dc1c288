//! Private RAM: a run of another agent works on keys of its own. It never meets the KV file, nothing
//! of it is lost by a kill, and nothing of it is left when the run has ended.

#![expect(clippy::unwrap_used, reason = "a test may stop at once")]

use crate::agent::{ram_add, record_add};
use crate::agents::take_agents;
use crate::lab::{Lab, ask, edit_kv, live_on, loaded, stop_after, succeeded};
use crate::peer::{Peer, Step};
use crate::sim_disk::SimDisk;
use crate::store_lab::{
    CHECKPOINT, KV, at, create, draft, ended, iteration, journal_lines, note_id, options, path,
    ram_delete, set, started, try_open, workspace,
};
use kjxlkj_agent::core::agent::{WorkingMemory, end_early};
use kjxlkj_agent::core::guard::in_ram_of;
use kjxlkj_agent::core::journal::event::RunQueued;
use kjxlkj_agent::core::journal::{Actor, ActorType, Cause, CommitDraft, Event, State};
use kjxlkj_agent::core::run::{Run, RunState, Trigger};
use kjxlkj_agent::failure::Code;
use kjxlkj_agent::ids::{AgentId, EventId, RunId};
use kjxlkj_agent::store::disk::{Disk as _, RealDisk};
use kjxlkj_agent::store::{Options, Store};
use kjxlkj_agent::time::{DAY_MS, Timestamp};
use serde_json::json;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

const NOW: i64 = 1_700_000_000_000;

pub(crate) fn of_agent(event: &str, agent: &str) -> Run {
    let event = EventId(event.to_owned());
    let run_id = RunId::derive(workspace(), &event);
    let request = Some(event.0.clone());
    Run {
        agent: AgentId::parse(agent),
        request,
        ..Run::queued(run_id, event, Trigger::Request, at(8))
    }
}

fn queue(run: &Run) -> Event {
    Event::RunQueued(RunQueued { run: run.clone() })
}

/// A commit of a run, with its changes of RAM in the RAM that is the run's.
fn by(run: &Run, events: Vec<Event>) -> CommitDraft {
    let iteration = Cause::iteration(run.run_id, run.loop_count + 1);
    draft(ActorType::Agent, iteration, in_ram_of(run, events))
}

fn memory<'a>(state: &'a State, run: &Run) -> &'a WorkingMemory {
    state.memory_of(run)
}

#[test]
fn an_agent_id_is_short_and_plain() {
    for good in ["a", "reviewer", "Big_One-2", &"x".repeat(50)] {
        assert_eq!(AgentId::parse(good).unwrap().as_str(), good);
    }
    for bad in ["", "two words", "caf\u{e9}", "a/b", "a.b", &"x".repeat(51)] {
        assert_eq!(AgentId::parse(bad), None, "{bad}");
    }
}

/// Three runs with the same names of keys: each sees its own values, and so does the main agent.
#[test]
fn runs_with_private_ram_do_not_see_each_other() {
    let mut state = State::empty();
    let (one, two) = (of_agent("one", "reviewer"), of_agent("two", "filer"));
    state.apply_draft(&draft(
        ActorType::Daemon,
        Cause::plain("trigger"),
        vec![set("plan", "main"), set("colour", "teal")],
    ));
    for run in [&one, &two] {
        let cause = Cause::run("trigger", run.run_id);
        state.apply_draft(&draft(ActorType::Daemon, cause, vec![queue(run)]));
        assert_eq!(memory(&state, run), &WorkingMemory::default());
    }
    let main = state.main.clone();
    for (run, text) in [(&one, "first"), (&two, "second")] {
        let note = create(note_id(u64::from(text == "second")), text, "value");
        let done = iteration(&state, run);
        let events = vec![done, set("plan", text), set("colour", text), note];
        state.apply_draft(&by(run, events));
    }
    for (run, text) in [(&one, "first"), (&two, "second")] {
        let own = memory(&state, run);
        assert_eq!(own.ram.get("plan"), Some(&json!(text)));
        assert_eq!(own.ram.get("colour"), Some(&json!(text)));
        assert_eq!(own.keys.maker("colour"), Some(run.run_id));
        assert_eq!((own.results.len(), own.seen.len()), (1, 1));
    }
    // The main agent knows of the notes what every reader knows, and of the keys nothing.
    assert_eq!(state.main.ram, main.ram);
    assert_eq!(state.main.results, main.results);
    assert_eq!(
        (&state.main.seen, &state.main.cycle),
        (&main.seen, &main.cycle)
    );
    state.apply_draft(&by(&one, vec![ram_delete("colour")]));
    assert_eq!(memory(&state, &one).ram.get("colour"), None);
    assert_eq!(
        memory(&state, &two).ram.get("colour"),
        Some(&json!("second"))
    );
    assert_eq!(state.main.ram.get("colour"), Some(&json!("teal")));

    state.apply_draft(&by(&one, vec![ended(one.run_id)]));
    assert_eq!(state.private.len(), 1);
    // Neither the record of a run that has ended nor an unknown one leads to the KV file.
    assert_eq!(memory(&state, &one), &WorkingMemory::default());
    assert_eq!(
        memory(&state, &of_agent("three", "filer")),
        &WorkingMemory::default()
    );
}

/// A run that ends early closes its own request and its own state.
#[test]
fn ending_early_touches_the_run_s_own_ram() {
    let mut run = of_agent("one", "reviewer");
    run.state = RunState::Running;
    let mut state = State::empty();
    let begun = vec![
        queue(&run),
        started(run.run_id),
        set("context", json!({"user_request": "one"})),
    ];
    state.apply_draft(&by(&run, begun));
    let events = end_early(&run, &memory(&state, &run).ram, Code::RunCancelled, at(12));
    let own = ["private_ram.set", "private_ram.set", "run.ended"];
    let names: Vec<&str> = events.iter().map(Event::type_name).collect();
    assert_eq!(names, own);
    let main = state.main.clone();
    state.apply_draft(&by(&run, events));
    assert_eq!((state.main.ram, state.private.len()), (main.ram, 0));
}

fn short() -> Options {
    Options {
        segment_bytes: 1500,
        retention_days: 10,
        ..options()
    }
}

fn open(disk: &SimDisk, now: Timestamp) -> Store {
    let (mut store, _) = try_open(disk, &short(), now).unwrap();
    store.read_notes(now).unwrap();
    store.take_edits(now).unwrap();
    store
}

/// A kill, a checkpoint and retention each leave private RAM as it was, and the KV file too.
#[test]
fn private_ram_outlives_a_kill_and_retention() {
    let disk = SimDisk::new(1);
    let run = of_agent("one", "reviewer");
    let mut store = open(&disk, at(NOW));
    let cause = Cause::run("trigger", run.run_id);
    let queued = draft(
        ActorType::Daemon,
        cause,
        vec![queue(&run), set("mine", "kept")],
    );
    store.commit(queued).unwrap();
    let kv = disk.files()[path(KV)].clone();
    let mut changed = run.clone();
    for number in 0..20 {
        let done = iteration(store.state(), &changed);
        changed.loop_count += 1;
        let events = vec![done, set(&format!("key {number}"), number)];
        store.commit(by(&changed, events)).unwrap();
    }
    let known = memory(store.state(), &run).clone();
    assert_eq!(known.ram.get("key 19"), Some(&json!(19)));

    // Killed: the journal alone tells it.
    drop(store);
    let store = open(&disk, at(NOW));
    assert_eq!(memory(store.state(), &run), &known);
    assert_eq!(disk.files()[path(KV)], kv);

    // From the checkpoint.
    let mut store = store;
    store.checkpoint(true, at(NOW)).unwrap();
    drop(store);
    let mut store = open(&disk, at(NOW));
    assert_eq!(memory(store.state(), &run), &known);

    // From what retention journaled again, without a checkpoint.
    let late = at(NOW + 30 * DAY_MS);
    store
        .commit(CommitDraft {
            ts: late,
            ..by(&changed, vec![set("late", true)])
        })
        .unwrap();
    assert!(store.retire(late).unwrap() > Some(0));
    let known = memory(store.state(), &run).clone();
    drop(store);
    disk.clone().remove(path(CHECKPOINT)).unwrap();
    let mut store = open(&disk, late);
    assert_eq!(memory(store.state(), &run), &known);
    assert_eq!(disk.files()[path(KV)], kv);

    // And gone at the end.
    let end = CommitDraft {
        ts: late,
        ..by(&changed, vec![ended(run.run_id)])
    };
    store.commit(end).unwrap();
    assert!(store.state().private.is_empty());
    drop(store);
    assert!(open(&disk, late).state().private.is_empty());
    let types: Vec<String> = journal_lines(&disk)
        .unwrap()
        .into_iter()
        .flat_map(|line| line.events.into_iter().map(|(name, _)| name))
        .collect();
    assert!(types.iter().any(|name| name == "private_memory.carried"));
}

/// Opens a run of an agent on a folder that no process holds.
pub(crate) fn open_run(lab: &Lab, run: &Run) {
    let root: PathBuf = lab.root().to_path_buf();
    let mut options = options();
    options.scope = loaded(&root).config.scope;
    let disk = RealDisk::open(&root, true).unwrap();
    let now = at(NOW);
    let (mut store, _) = Store::open(Box::new(disk), options, now).unwrap();
    store
        .commit(CommitDraft {
            ts: now,
            actor: Actor {
                actor_type: ActorType::Daemon,
            },
            cause: Cause::run("trigger", run.run_id),
            events: vec![queue(run)],
        })
        .unwrap();
    store.checkpoint(true, now).unwrap();
}

/// The real loop: the prompts of the run show its own RAM alone, and those of the main agent theirs.
#[tokio::test]
async fn the_loop_works_on_the_ram_of_the_run() {
    let mut lab = Lab::new();
    lab.start().close().unwrap();
    lab.edit_kv(&[("person", json!("words of a person"))]);
    lab.says(&ram_add("colour", "teal of the main agent"));
    lab.says(&record_add("First", "text"));
    lab.says(&ram_add("more", "1"));
    let first = ask(&mut lab.start(), "keep the colour").await;
    assert!(succeeded(&first));
    let kv = lab.text("data/agent-kv-store.json");

    take_agents(
        &mut lab,
        &[json!({"agentId": "reviewer", "description": "Reads."})],
    );
    let run = of_agent("sum it up", "reviewer");
    open_run(&lab, &run);
    let asked_before = lab.peer.request_count();
    lab.says(&ram_add("colour", "navy of the reviewer"));
    lab.says(&record_add("Second", "text"));
    lab.says(&ram_add("more", "2"));
    let mut agent = lab.start();
    let done = agent.drive(run.run_id).await.unwrap();
    agent.close().unwrap();
    assert!(succeeded(&done));
    assert_eq!(done.agent, run.agent);
    let prompts: Vec<String> = (asked_before..lab.peer.request_count())
        .map(|index| lab.prompt_text(index))
        .collect();
    assert_eq!(prompts.len(), 3);
    for prompt in &prompts {
        assert!(prompt.contains("sum it up"), "{prompt}");
        assert!(!prompt.contains("main agent"), "{prompt}");
        assert!(!prompt.contains("of a person"), "{prompt}");
    }
    assert!(
        prompts[1].contains("navy of the reviewer"),
        "{}",
        prompts[1]
    );
    assert_eq!(lab.text("data/agent-kv-store.json"), kv);
    assert!(lab.state().private.is_empty());
    assert_eq!(lab.texts().len(), 2);

    lab.says(&ram_add("more", "3"));
    lab.says(&record_add("Third", "text"));
    lab.says(&ram_add("more", "4"));
    assert!(succeeded(&ask(&mut lab.start(), "go on").await));
    let prompt = lab.prompt_text(asked_before + 3);
    assert!(!prompt.contains("reviewer"), "{prompt}");
    assert!(prompt.contains("of a person"), "{prompt}");
}

/// A person edits the KV file while another agent works: the main agent looks at it afterwards.
#[tokio::test]
async fn an_edit_during_the_run_of_another_agent_is_not_forgotten() {
    let root: Arc<Mutex<PathBuf>> = Arc::default();
    let peer = Peer::answering({
        let root = Arc::clone(&root);
        move |_, index| {
            if index == 0 {
                edit_kv(&root.lock().unwrap(), &[("colour", json!("teal"))]);
            }
            Step::reply(&ram_add("count", &index.to_string()))
        }
    });
    let mut lab = Lab::with_peer(peer);
    *root.lock().unwrap() = lab.root().to_path_buf();
    lab.start().close().unwrap();
    take_agents(
        &mut lab,
        &[json!({"agentId": "reviewer", "description": "Reads."})],
    );
    let run = of_agent("sum it up", "reviewer");
    open_run(&lab, &run);
    let mut agent = lab.start();
    let done = agent.drive(run.run_id).await.unwrap();
    assert!(succeeded(&done));
    stop_after(&lab, 1);
    live_on(&mut agent).await;
    agent.close().unwrap();
    let triggers: Vec<Trigger> = lab.runs().iter().map(|run| run.trigger).collect();
    assert_eq!(triggers.last(), Some(&Trigger::Edit), "{triggers:?}");
    let asked = lab.peer.request_count();
    assert!(lab.prompt_text(asked - 1).contains("colour: teal"));
}
