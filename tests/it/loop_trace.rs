//! What a person can find out afterwards: what happened in a run, and why a note is as it is.

#![expect(clippy::unwrap_used, reason = "a test may stop at once")]

use crate::lab::{Lab, ask};
use crate::loop_rules::{EACH_MINUTE, OF_NOTES, lab_beside, live_for, of_rules, rule, writer};
use kjxlkj_agent::core::journal::ActorType;
use kjxlkj_agent::core::journal::event::InstructionOutcome;
use kjxlkj_agent::core::run::{Run, Trigger};
use kjxlkj_agent::failure::Code;
use kjxlkj_agent::ids::{NoteId, RunId};
use kjxlkj_agent::store::disk::RealDisk;
use kjxlkj_agent::store::{RunOpening, RunTrace, TraceStep, VersionOrigins, trace_of, why_of};
use serde_json::json;
use std::collections::BTreeSet;

const THOUGHT: &str = "<ram_add><key>think_log</key><value>well</value></ram_add>";

fn trace(lab: &Lab, run_id: RunId) -> RunTrace {
    let mut disk = RealDisk::open(lab.root(), false).unwrap();
    trace_of(&mut disk, run_id).unwrap().unwrap()
}

fn why(lab: &Lab, id: NoteId) -> VersionOrigins {
    let mut disk = RealDisk::open(lab.root(), false).unwrap();
    why_of(&mut disk, id).unwrap()
}

/// Two runs: one writes a note, and is refused another; one finds it and changes it.
async fn two_runs(lab: &mut Lab) -> (NoteId, Run, Run) {
    lab.says("<ram_add><key>steps</key><value>write</value></ram_add>");
    lab.says(
        "<record_add><keywords>tea</keywords><value>Green.</value><title>Tea</title></record_add>\
         <record_add><keywords>x</keywords><value>x</value><kind>secret</kind></record_add>",
    );
    lab.says(THOUGHT);
    lab.says("<record_search><query>tea</query></record_search>");
    let mut agent = lab.start();
    let first = ask(&mut agent, "Write down tea").await;
    assert_eq!(first.error_code, Some(Code::ScopeViolation));
    let id = agent.store().state().notes.iter().next().unwrap().id;
    lab.says(&format!(
        "<record_update><key>{id}</key><value>Green, and hot.</value></record_update>"
    ));
    lab.says(THOUGHT);
    let second = ask(&mut agent, "Make it hot").await;
    agent.close().unwrap();
    (id, first, second)
}

fn iterations(trace: &RunTrace) -> Vec<&TraceStep> {
    let steps = trace.steps.iter();
    steps.filter(|step| step.iteration.is_some()).collect()
}

#[tokio::test]
async fn a_trace_tells_calls_instructions_refusals_and_effects_and_no_reply() {
    let mut lab = Lab::new();
    let (id, first, _) = two_runs(&mut lab).await;
    let traced = trace(&lab, first.run_id);
    assert!(!traced.is_retired);
    assert_eq!(traced.run, first);
    assert_eq!(traced.steps.first().unwrap().cause, "trigger");
    assert_eq!(
        traced.steps[0].queued,
        Some(RunOpening {
            trigger: Trigger::Request,
            rule_id: None
        })
    );
    assert_eq!(traced.steps[1].cause, "run");
    let told = iterations(&traced);
    assert_eq!(told.len(), usize::try_from(first.loop_count).unwrap());
    let calls: u64 = told
        .iter()
        .map(|step| step.iteration.as_ref().unwrap().usage.calls)
        .sum();
    assert_eq!(calls, first.usage.calls);
    let wrote = &told[1];
    let [added, refused] = wrote.instructions.as_slice() else {
        panic!("{wrote:?}");
    };
    assert_eq!(added.decided.outcome, InstructionOutcome::Applied);
    assert_eq!(refused.decided.code, Some(Code::ScopeViolation));
    let message = refused.message.as_deref().unwrap();
    assert!(message.contains("secret"), "{message}");
    let effect = wrote.effects.iter().find(|it| it.kind == "note.created");
    let effect = effect.unwrap();
    assert_eq!(effect.target, id.to_string());
    assert_eq!(
        (effect.title.as_deref(), effect.version),
        (Some("Tea"), Some(1))
    );
    let ended = traced.steps.last().unwrap().ended.unwrap();
    assert_eq!(
        (ended.state, ended.error_code),
        (first.state, first.error_code)
    );
    let text = serde_json::to_string(&traced.steps).unwrap();
    let diff = effect.diff.as_deref().unwrap();
    assert!(diff.contains("+Green.\n"), "{diff}");
    assert!(!text.contains("<record_add>"), "no reply: {text}");
}

/// What opens a run of a rule stands in the commit of a slot, or of the note that somebody writes.
#[tokio::test]
async fn a_trace_of_a_run_of_a_rule_begins_with_what_opened_it() {
    let (created, trigger) = OF_NOTES[1];
    let cron = json!({"cron": "* * * * *"});
    let rules = [
        rule(EACH_MINUTE, "automation_schedule.cron", &cron),
        rule(created, trigger, &json!({})),
    ];
    let mut lab = lab_beside(writer(), &rules);
    // The first start writes a note, which opens a run; so does the run of the first minute.
    live_for(&mut lab, 4).await;
    let mut seen = BTreeSet::new();
    for run in of_rules(&lab) {
        let traced = trace(&lab, run.run_id);
        assert!(!traced.is_retired, "{run:?}");
        let opened = &traced.steps[0];
        assert_eq!(
            opened.queued,
            Some(RunOpening {
                trigger: run.trigger,
                rule_id: run.rule_id
            })
        );
        let is_empty = opened.iteration.is_none() && opened.effects.is_empty();
        assert!(is_empty, "what others did is no part of it: {opened:?}");
        assert_eq!(traced.steps[1].cause, "run");
        let iterations = usize::try_from(run.loop_count).unwrap();
        assert_eq!(traced.steps.len(), iterations + 2);
        seen.insert(format!("{:?}", run.trigger));
    }
    assert_eq!(seen.len(), 2, "{seen:?}");
}

/// A refusal is told twice in two ways, and what is no instruction under no name; then no more.
#[tokio::test]
async fn a_trace_knows_what_was_told_however_it_was_told() {
    let mut lab = Lab::new();
    for number in 0..3 {
        lab.says(&format!(
            "<ram_add><key>n</key><value>{number}</value></ram_add>\
             <record_add><keywords>x</keywords><value>x</value><kind>secret</kind></record_add>\
             <mood>x</mood><food>x</food>"
        ));
    }
    let run = lab.run("Write").await;
    let traced = trace(&lab, run.run_id);
    let told = |at: usize| -> Vec<Option<String>> {
        let told = iterations(&traced)[at].instructions.iter();
        told.map(|it| it.message.clone()).collect()
    };
    let first = told(0);
    assert_eq!(first[0], None, "{first:?}");
    assert!(first[1].as_ref().unwrap().contains("secret"), "{first:?}");
    assert_eq!(first[2].as_deref(), Some("mood is not an instruction."));
    assert_eq!(first[3].as_deref(), Some("food is not an instruction."));
    let second: Vec<Option<String>> = told(1);
    let again = [
        "SCOPE_VIOLATION",
        "INSTRUCTION_INVALID",
        "INSTRUCTION_INVALID",
    ];
    for (message, code) in second[1..].iter().zip(again) {
        let begin = format!("{code} again; ");
        assert!(message.as_ref().unwrap().starts_with(&begin), "{second:?}");
    }
    assert_eq!(told(2), vec![None; 4], "nothing is told a third time");
}

#[tokio::test]
async fn why_names_run_model_prompt_and_instruction_of_each_version_and_its_readers() {
    let mut lab = Lab::new();
    let (id, first, second) = two_runs(&mut lab).await;
    let told = why(&lab, id);
    assert_eq!(told.code, None);
    let [one, two] = told.versions.as_slice() else {
        panic!("{told:?}");
    };
    for (version, number, run, op) in [
        (one, 1, &first, "record_add"),
        (two, 2, &second, "record_update"),
    ] {
        assert_eq!(version.version, number);
        assert_eq!(version.actor_type, ActorType::Agent);
        assert_eq!(version.run_id, Some(run.run_id));
        assert_eq!(version.instruction.as_ref().unwrap().op, op);
        let known = version.run.as_ref().unwrap();
        assert_eq!(known.request, run.request);
        assert_eq!(known.model.as_deref(), Some("peer-model"));
        assert_eq!(known.prompt_hash, run.prompt_hash);
        assert_eq!(known.messages_hash.as_ref().unwrap().len(), 64);
        assert_eq!(known.rule_id, None);
    }
    let iterations = |version: usize| {
        let shown = told.versions[version].shown.iter();
        shown
            .map(|at| (at.run_id, at.iteration))
            .collect::<Vec<_>>()
    };
    // What counts is the prompts that were really asked: three of each run.
    let asked = |version: u64| {
        let text = format!("<id>{id}</id><version>{version}</version>");
        let prompts = (0..6).filter(|at| lab.prompt_text(*at).contains(&text));
        let place = |at: usize| {
            let run = if at < 3 { &first } else { &second };
            (run.run_id, u32::try_from(at % 3).unwrap() + 1)
        };
        prompts.map(place).collect::<Vec<_>>()
    };
    assert_eq!(iterations(0), asked(1));
    assert_eq!(iterations(1), asked(2));
    assert_eq!(iterations(0), [(first.run_id, 3), (second.run_id, 2)]);
    assert_eq!(iterations(1), [(second.run_id, 3)]);
}

/// One reply that changes a note twice makes two versions of it, and each has its run and its prompt.
#[tokio::test]
async fn why_knows_each_of_several_versions_that_one_reply_made() {
    let mut lab = Lab::new();
    lab.says("<ram_add><key>steps</key><value>write</value></ram_add>");
    lab.says(
        "<record_add><keywords>tea</keywords><value>Green.</value><title>Tea</title></record_add>\
         <record_issue><key>Tea</key><value>Which?</value><metadata>{\"a\": 1}</metadata></record_issue>",
    );
    lab.says(THOUGHT);
    let run = lab.run("Write down tea").await;
    let id = lab.state().notes.iter().next().unwrap().id;
    let told = why(&lab, id);
    assert_eq!(told.versions.len(), 2, "{told:?}");
    assert_eq!(told.versions[0].seq, told.versions[1].seq);
    for version in &told.versions {
        let known = version.run.as_ref().unwrap();
        assert_eq!(known.request, run.request);
        assert_eq!(known.iteration, Some(2));
        assert_eq!(known.prompt_hash, run.prompt_hash);
        assert_eq!(known.messages_hash.as_ref().unwrap().len(), 64);
    }
}
