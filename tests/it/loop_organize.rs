//! When notes are put in order, what the prompt offers for it, and that nobody's request suffers.

#![expect(clippy::unwrap_used, reason = "a test may stop at once")]

use crate::agent::{ram_add, record_add};
use crate::lab::{Lab, Seen, ask, edit_kv, live, stop_after, succeeded};
use crate::loop_rules::{
    EACH_MINUTE, OF_NOTES, lab_beside, live_for, note_file, of_rules, rule, take_rules,
};
use crate::peer::{Peer, Step};
use kjxlkj_agent::core::agent::{IdleProfile, LoopState};
use kjxlkj_agent::core::run::{StopReason, Trigger};
use kjxlkj_agent::failure::Code;
use serde_json::json;

const ORGANISING: &str = "[record_organizing words]";

/// A laboratory whose model adds the notes of a request, one a line, and otherwise says nothing; in
/// an organising iteration it answers `answer`.
fn lab_with(answer: &str) -> Lab {
    let answer = answer.to_owned();
    Lab::with_peer(Peer::answering(move |request, _| {
        let asked = crate::lab::messages(&request.json());
        let last = asked.last().unwrap();
        let request = last
            .split_once("<request>")
            .and_then(|(_, rest)| rest.split_once("</request>"));
        Step::reply(&match request {
            _ if last.contains(ORGANISING) => answer.clone(),
            Some((notes, _)) if last.contains("[executing words]") => {
                let notes = notes.split(';').map(|note| note.split_once(':').unwrap());
                notes.map(|(title, text)| record_add(title, text)).collect()
            }
            _ => ram_add("think_log", "-"),
        })
    }))
}

/// The states in which questions were asked.
fn states(lab: &Lab) -> Vec<LoopState> {
    let seen = lab.eyes.seen().into_iter();
    let asked = seen.filter_map(|seen| {
        let Seen::Asking(state, _) = seen else {
            return None;
        };
        Some(state)
    });
    asked.collect()
}

/// The last messages of the questions that offered work.
fn organising(lab: &Lab) -> Vec<String> {
    let asked = lab.peer.requests().into_iter();
    let last = asked.filter_map(|request| crate::lab::messages(&request.json()).pop());
    last.filter(|text| text.contains(ORGANISING)).collect()
}

/// What is offered in a prompt: the sort, and the titles.
fn offers(text: &str) -> Vec<(String, Vec<String>)> {
    let between = |text: &str, name: &str| {
        let (_, rest) = text.split_once(&format!("<{name}>")).unwrap();
        rest.split_once(&format!("</{name}>")).unwrap().0.to_owned()
    };
    let results = text.split("<action_result>").skip(1);
    let offer = |result: &str| {
        let titles = result.split("<note>").skip(1);
        (
            between(result, "op"),
            titles.map(|note| between(note, "title")).collect(),
        )
    };
    results.map(offer).collect()
}

fn pair(chore: &str, titles: [&str; 2]) -> (String, Vec<String>) {
    (chore.to_owned(), titles.map(str::to_owned).to_vec())
}

const TWINS: &str = "Paper:The bins go out on Friday;Waste:the bins go out on friday";

#[tokio::test]
async fn an_idle_agent_organises_after_so_many_changes() {
    for (every, runs) in [(2, 1), (3, 0), (0, 0)] {
        let mut lab = lab_with(&ram_add("think_log", "both are needed"));
        lab.config.notes.organize_every = every;
        lab.run(TWINS).await;
        let mut agent = lab.start();
        stop_after(&lab, 3);
        live(&mut agent).await;
        agent.close().unwrap();
        let asked = organising(&lab);
        assert_eq!(asked.len(), runs, "{every}");
        for text in &asked {
            assert_eq!(offers(text), [pair("same?", ["Waste", "Paper"])]);
            assert!(text.contains("The bins go out on Friday"));
        }
        let runs = lab.runs();
        assert!(
            runs[1..]
                .iter()
                .all(|run| run.trigger == Trigger::Idle && run.loop_count == 1)
        );
        assert!(runs.iter().all(succeeded));
        assert_eq!(lab.kv()["state"], "idle");
    }
}

/// A pair that was left alone does not come back after a restart, and comes back once it changes.
#[tokio::test]
async fn what_was_left_alone_is_not_offered_again_until_it_changes() {
    let mut lab = lab_with(&ram_add("think_log", "both are needed"));
    lab.config.notes.organize_every = 1;
    lab.run(TWINS).await;
    for changed in [false, false, true, false] {
        let before = organising(&lab).len();
        if changed {
            let mut note = lab.notes()[0].clone();
            note["value"] = json!("The bins go out on Friday!");
            lab.write(
                &format!("data/notes/{}.json", note["id"].as_str().unwrap()),
                &note.to_string(),
            );
        }
        let mut agent = lab.start();
        stop_after(&lab, 4);
        live(&mut agent).await;
        agent.close().unwrap();
        let offered: Vec<_> = organising(&lab)[before..]
            .iter()
            .flat_map(|text| offers(text))
            .collect();
        let alike = offered.iter().filter(|(chore, _)| chore == "same?").count();
        let first = before == 0;
        assert_eq!(alike, usize::from(first || changed), "{offered:?}");
    }
    let state = lab.state();
    assert!(!state.organizing.offered.is_empty());
    assert!(state.organizing.changes == 0 && !state.organizing.more);
}

/// What the model makes of a pair takes effect; the run is an idle one, and requests come first.
#[tokio::test]
async fn a_pair_is_decided_by_the_model_and_no_request_suffers() {
    let flag = "<record_issue><key>Waste</key><value>Says the same as Paper.</value>\
                <metadata>{\"duplicate_of\":\"Paper\"}</metadata></record_issue>";
    let mut lab = lab_with(flag);
    lab.config.notes.organize_every = 1;
    let run = lab.run(TWINS).await;
    assert!(succeeded(&run));
    assert_eq!(run.stop_reason, Some(StopReason::Done));
    assert!(!states(&lab).contains(&LoopState::RecordOrganizing));
    let mut agent = lab.start();
    lab.write("data/inbox/r.txt", "Tea:green tea is in the tin");
    stop_after(&lab, 6);
    live(&mut agent).await;
    agent.close().unwrap();
    let runs = lab.runs();
    let triggers: Vec<_> = runs[1..].iter().map(|run| run.trigger).collect();
    assert_eq!(triggers[..2], [Trigger::Request, Trigger::Idle]);
    assert!(runs.iter().all(|run| run.error_code.is_none()), "{runs:?}");
    let flagged: Vec<_> = lab
        .notes()
        .iter()
        .map(|note| note["issues"].as_array().unwrap().len())
        .collect();
    assert_eq!(flagged, [0, 0, 1]);
}

/// A reply that cannot be read ends the run; the offer counts as made, so that it is not made for
/// ever to a model that cannot answer it.
#[tokio::test]
async fn an_unreadable_answer_is_an_answer() {
    let mut lab = lab_with("I would rather not.");
    lab.config.notes.organize_every = 2;
    lab.run(TWINS).await;
    let mut agent = lab.start();
    stop_after(&lab, 3);
    live(&mut agent).await;
    agent.close().unwrap();
    let errors: Vec<_> = lab.runs().iter().map(|run| run.error_code).collect();
    assert_eq!(errors, [None, Some(Code::XmlParseError), None, None]);
}

#[tokio::test]
async fn the_model_asks_for_it_and_gets_the_candidates() {
    let mut lab = Lab::new();
    lab.config.notes.organize_every = 0;
    let added = record_add("Bins", "The bins go out on Friday")
        + &record_add("Waste", "the bins go out on Friday");
    for reply in [
        ram_add("think_log", "-"),
        added,
        "<state_add><state>record_organizing</state></state_add>".to_owned(),
    ] {
        lab.says(&reply);
    }
    for _ in 0..4 {
        lab.says(&ram_add("think_log", "-"));
    }
    let run = lab.run("two notes").await;
    assert!(succeeded(&run), "{run:?}");
    let asked = organising(&lab);
    assert_eq!(asked.len(), 1);
    assert!(
        offers(&asked[0]).contains(&pair("same?", ["Waste", "Bins"])),
        "{}",
        asked[0]
    );
}

/// `context.task` asks for it: a run without a request begins with it, one with a request is left in
/// peace, and a sleeping agent wakes for it.
#[tokio::test]
async fn context_task_asks_for_it() {
    for profile in [IdleProfile::Maintenance, IdleProfile::Sleep] {
        let mut lab = lab_with(&ram_add("think_log", "looked"));
        lab.config.notes.organize_every = 0;
        lab.config.r#loop.idle_profile = profile;
        let mut agent = lab.start();
        let root = lab.root().to_path_buf();
        // The agent writes it itself during a request; the request comes to its end first.
        let mut commits = 0;
        let stop = lab.stopper();
        lab.eyes.react(move |seen| {
            if let Seen::Committed { state, .. } = seen {
                commits += 1;
                if commits == 1 {
                    edit_kv(
                        &root,
                        &[(
                            "context",
                            json!({"task": "record_organizing", "user_request": TWINS}),
                        )],
                    );
                }
                if *state == LoopState::RecordOrganizing {
                    stop.stop();
                }
            }
        });
        let run = ask(&mut agent, TWINS).await;
        assert!(succeeded(&run), "{run:?}");
        assert!(!states(&lab).contains(&LoopState::RecordOrganizing));
        live(&mut agent).await;
        agent.close().unwrap();
        assert_eq!(organising(&lab).len(), 1);
        assert_eq!(lab.kv()["context"], json!({}));
    }
}

#[tokio::test]
async fn a_run_without_a_request_begins_with_the_task() {
    let mut lab = lab_with(&ram_add("think_log", "looked"));
    let mut agent = lab.start();
    agent.close().unwrap();
    lab.edit_kv(&[
        ("context", json!({"task": "record_organizing"})),
        ("state", json!("idle")),
    ]);
    agent = lab.start();
    let event = kjxlkj_agent::ids::EventId("by hand".to_owned());
    let run_id = agent.queue(event, Trigger::Manual, None).await.unwrap();
    agent.drive(run_id).await.unwrap();
    agent.close().unwrap();
    assert_eq!(states(&lab)[0], LoopState::RecordOrganizing);
    assert_eq!(lab.kv()["context"], json!({}));
}

/// The whole way of a refused double through the loop: it is shown, updated, and the run succeeds.
#[tokio::test]
async fn a_refused_double_becomes_an_update_and_the_run_succeeds() {
    let mut lab = Lab::new();
    lab.config.notes.refuse_near_duplicates = true;
    let update = "<record_update><key>Bins</key><value>The bins go out on Friday at six.</value>\
                  </record_update>";
    let silent = ram_add("think_log", "-");
    for (title, third, more) in [("Bins", silent.as_str(), 0), ("Waste", update, 3)] {
        lab.says(&silent);
        lab.says(&record_add(title, "The bins go out on Friday"));
        lab.says(third);
        for _ in 0..more {
            lab.says(&silent);
        }
        let run = lab.run(title).await;
        assert!(succeeded(&run), "{run:?}");
    }
    let codes: Vec<_> = lab
        .decided()
        .into_iter()
        .filter_map(|(_, _, code)| code)
        .collect();
    assert_eq!(codes, [Code::NearDuplicate]);
    let notes = lab.notes();
    assert_eq!(notes.len(), 1);
    assert_eq!(notes[0]["value"], "The bins go out on Friday at six.");
}

/// What a rule's prompt file says for planning, as the topic `rules` has it.
const RULES_WORDS: &str = "Unless think_log says \"in order\": state_add record_organizing";

/// A rule asks for it by the words of its prompt file; the run of a rule without them has its peace.
#[tokio::test]
async fn a_rule_asks_for_it_by_the_words_of_its_prompt_file() {
    let peer = Peer::answering(|request, _| {
        let asked = crate::lab::messages(&request.json());
        let last = asked.last().unwrap();
        let is_in_order = last.contains("think_log: in order");
        Step::reply(&if last.contains(RULES_WORDS) && !is_in_order {
            "<state_add><state>record_organizing</state></state_add>".to_owned()
        } else if last.contains(ORGANISING) {
            ram_add("think_log", "in order")
        } else {
            ram_add("think_log", "done")
        })
    });
    assert!(include_str!("../../src/help/rules.md").contains(RULES_WORDS));
    let mut lab = lab_beside(peer, &[]);
    let words = lab.text("data/agent-prompt.json");
    let words = words.replace("[planning words]", &RULES_WORDS.replace('"', "\\\""));
    lab.write("data/tidy-prompt.json", &words);
    // The first run, before there are rules.
    live_for(&mut lab, 1).await;
    let text = "The bins go out on Friday";
    lab.write("data/notes/paper.json", &note_file("Paper", text));
    lab.write("data/notes/waste.json", &note_file("Waste", text));
    let each_minute = json!({"cron": "* * * * *"});
    let mut tidies = rule(EACH_MINUTE, "automation_schedule.cron", &each_minute);
    tidies["action_json"]["prompt_path"] = json!("./data/tidy-prompt.json");
    let other = rule(OF_NOTES[0].0, "automation_schedule.cron", &each_minute);
    take_rules(&mut lab, &[tidies, other]);
    live_for(&mut lab, 2).await;
    let offered = organising(&lab);
    assert_eq!(offered.len(), 1, "{:?}", states(&lab));
    let (chore, mut titles) = offers(&offered[0]).remove(0);
    titles.sort();
    assert_eq!((chore, titles), pair("same?", ["Paper", "Waste"]));
    let runs = of_rules(&lab);
    assert_eq!(runs.len(), 2);
    for run in runs {
        assert!(succeeded(&run), "{run:?}");
        assert_eq!(run.trigger, Trigger::Cron);
        let tidies = run.rule_id.is_some_and(|id| id.to_string() == EACH_MINUTE);
        // Planning and organising come before the cycle of three.
        assert_eq!(run.loop_count, if tidies { 5 } else { 3 }, "{run:?}");
    }
}
