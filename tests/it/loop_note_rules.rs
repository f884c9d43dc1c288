//! Rules about notes, whoever changes them, and the mode in which their runs write.

use crate::lab::{Lab, live, queue, succeeded};
use crate::loop_rules::{
    EACH_MINUTE, OF_NOTES, counts, lab_beside, live_for, note_file, of_rules, rule, take_rules,
    writer,
};
use crate::peer::{Peer, Step};
use kjxlkj_agent::core::agent::IdleProfile;
use kjxlkj_agent::core::prompt::Mode;
use kjxlkj_agent::core::protocol::Tag;
use kjxlkj_agent::core::run::Trigger;
use kjxlkj_agent::limits::RUNS_CAUSED_MAX;
use serde_json::{Value, json};

/// A model that forgets the tea when it is asked to, and else only thinks.
fn forgetful() -> Peer {
    Peer::answering(|request, index| {
        let prompt = request.json()["messages"].to_string();
        let is_asked = prompt.contains("forget the tea") && prompt.contains("<state>executing");
        Step::reply(&if is_asked {
            "<record_delete><key>Tea</key></record_delete>".to_owned()
        } else {
            format!("<ram_add><key>think_log</key><value>{index}</value></ram_add>")
        })
    })
}

/// A file that is taken away is no deletion: it comes back. A run that deletes the note is one.
#[tokio::test]
async fn a_note_that_a_run_deletes_opens_a_run_and_a_file_that_is_taken_away_none() {
    let rules = OF_NOTES.map(|(id, trigger)| rule(id, trigger, &json!({})));
    let mut lab = lab_beside(forgetful(), &rules);
    lab.prompt.allowed_tags = Tag::ALL
        .into_iter()
        .filter(|tag| !tag.is_dialect())
        .collect();
    live_for(&mut lab, 1).await;
    lab.write("data/notes/tea.json", &note_file("Tea", "green"));
    live_for(&mut lab, 2).await;
    assert_eq!(counts(&of_rules(&lab)), [1, 1, 0]);

    let name = format!("data/notes/{}", lab.names("data/notes").pop().unwrap());
    lab.remove(&name);
    let mut agent = lab.start();
    let (stop, waits) = (lab.stopper(), lab.clock.slept_ms().len());
    lab.clock.at_wait(waits + 100, move || stop.stop());
    live(&mut agent).await;
    agent.close().unwrap();
    assert_eq!(lab.notes()[0]["value"], "green", "it is there again");
    assert_eq!(counts(&of_rules(&lab)), [1, 1, 0]);

    lab.write("data/inbox/a.txt", "forget the tea");
    live_for(&mut lab, 2).await;
    assert!(lab.notes().is_empty());
    let runs = of_rules(&lab);
    assert_eq!(counts(&runs), [1, 1, 1]);
    let deleted = runs.iter().find(|run| run.trigger == Trigger::NoteDeleted);
    let deleted = deleted.unwrap();
    assert!(succeeded(deleted));
    let origin = deleted.origin.as_ref().unwrap();
    assert_eq!((origin.depth, &origin.event["title"]), (1, &json!("Tea")));
}

/// One run that writes many notes, and rules that heed what their own runs write: the tree of runs stays
/// small, and what was not opened is told.
#[tokio::test]
async fn one_run_leads_to_a_bounded_number_of_runs() {
    let own = json!({"include_own": true});
    let (id, trigger) = OF_NOTES[1];
    let many = Peer::answering(|_, index| {
        let notes = (0..10).map(|number| {
            format!(
                "<record_add><title>Note {index} {number}</title><keywords>k</keywords>\
                 <value>text {index} {number}</value></record_add>"
            )
        });
        Step::reply(&notes.collect::<String>())
    });
    let mut lab = lab_beside(many, &[rule(id, trigger, &own)]);
    lab.config.scope.max_notes_per_loop = 10;
    let mut agent = lab.start();
    agent.max_iterations = Some(1);
    queue(&mut agent, "write many notes").await;
    let mut runs = 0;
    while let Some(run_id) = agent.next_run() {
        agent.drive(run_id).await.unwrap();
        runs += 1;
        assert!(runs <= RUNS_CAUSED_MAX + 1, "there is no end of runs");
    }
    agent.close().unwrap();
    assert_eq!(runs, RUNS_CAUSED_MAX + 1);
    let told = lab.audit();
    let told = told.iter().filter(|entry| entry.op == "rule.skipped");
    assert!(told.count() > 0, "it is told");
}

/// What a rule says of the mode goes before the configuration, for its own runs and for no others.
#[tokio::test]
async fn the_mode_of_a_rule_goes_before_the_configurations() {
    for (own, of_rule) in [(Mode::Reviewed, Mode::Yolo), (Mode::Yolo, Mode::Reviewed)] {
        let schedule = json!({"cron": "* * * * *"});
        let mut rules =
            [EACH_MINUTE, OF_NOTES[0].0].map(|id| rule(id, "automation_schedule.cron", &schedule));
        rules[0]["action_json"] = json!({"kind": "kjxlkj_agent", "mode": of_rule});
        let mut lab = Lab::with_peer(writer());
        let mut file: Value = serde_json::from_str(&lab.text("data/config.json")).unwrap();
        file["mode"] = json!(own);
        lab.write("data/config.json", &file.to_string());
        take_rules(&mut lab, &rules);
        lab.config.mode = Some(own);
        lab.config.r#loop.idle_profile = IdleProfile::Sleep;
        lab.config.r#loop.loop_delay_ms = 0;
        live_for(&mut lab, 3).await;
        let state = lab.state();
        let mut seen = Vec::new();
        for run in of_rules(&lab) {
            let wanted = if run.rule_id.unwrap().to_string() == EACH_MINUTE {
                of_rule
            } else {
                own
            };
            assert_eq!(run.mode, wanted);
            let wrote = lab
                .notes()
                .iter()
                .any(|note| note["created_by"]["run_id"] == run.run_id.to_string());
            let mut pending = state.proposals.pending();
            let proposed = pending.any(|proposal| proposal.run_id == run.run_id);
            let is_yolo = wanted == Mode::Yolo;
            assert_eq!((wrote, proposed), (is_yolo, !is_yolo), "{run:?}");
            seen.push(is_yolo);
        }
        seen.sort_unstable();
        assert_eq!(seen, [false, true], "a run of each");
    }
}
