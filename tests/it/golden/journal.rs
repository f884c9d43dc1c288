//! The journal, line by line, of lives in which everything happens that a line can tell.

use super::Goldens;
use super::life::{Life, journal_of, note_id};
use crate::agent::{ram_add, record_add, record_update};
use crate::lab::{Lab, live_on};
use crate::loop_rules::{EACH_MINUTE, OF_NOTES, live_for, rule, take_rules};
use crate::loop_undo::take_back;
use crate::review::decide_within;
use kjxlkj_agent::core::agent::{IdleProfile, Protocol};
use kjxlkj_agent::core::prompt::Mode;
use kjxlkj_agent::core::review::{Edits, ReviewDecision};
use kjxlkj_agent::daemon::{Clock as _, hold, store_options};
use kjxlkj_agent::store::{Store, UndoScope};
use serde_json::json;

fn think(text: &str) -> String {
    ram_add("think_log", text)
}

/// A request that writes one note.
async fn write_note(life: &mut Life, title: &str, value: &str) -> kjxlkj_agent::core::run::Run {
    let replies = [
        ram_add("steps", "write"),
        record_add(title, value),
        think("well"),
    ];
    life.ask(
        &format!("Keep {title}"),
        &replies.each_ref().map(String::as_str),
    )
    .await
}

/// Lives for some waits, in which hand edits are taken.
async fn look(lab: &mut Lab, waits: usize) {
    let mut agent = lab.start();
    let stop = lab.stopper();
    let so_far = lab.clock.slept_ms().len();
    lab.clock.at_wait(so_far + waits, move || stop.stop());
    live_on(&mut agent).await;
    agent.close().unwrap();
}

/// A life in which nothing happens by itself.
fn quiet_life() -> Life {
    let mut life = Life::of(Protocol::Xml);
    life.lab.config.r#loop.idle_profile = IdleProfile::Sleep;
    life
}

#[tokio::test]
async fn journals_are_as_they_were() {
    let mut goldens = Goldens::of("journal");
    for (name, life) in [
        ("hand_edits.jsonl", hand_edits().await),
        ("undo.jsonl", undo().await),
        ("proposals.jsonl", proposals().await),
        ("rules.jsonl", rules().await),
        ("failures.jsonl", failures().await),
    ] {
        goldens.check(name, &journal_of(&life));
    }
    goldens.end();
}

/// What a person does to RAM and to the folder of the notes.
async fn hand_edits() -> Life {
    let mut life = quiet_life();
    write_note(&mut life, "Tea", "Green.").await;
    life.put_note(1, "Milk", "White, see [[Tea]].");
    life.edit_kv(&[
        ("mood", json!("calm")),
        ("plan", json!("rest")),
        ("list", json!([1, {"a": null}])),
    ]);
    look(&mut life.lab, 4).await;
    let file = format!("data/notes/{}.json", note_id(1));
    let text = life.lab.text(&file);
    life.write(&file, &text.replace("White", "Sour"));
    life.edit_kv(&[("mood", json!("wild")), ("list", json!(null))]);
    look(&mut life.lab, 4).await;
    life.write("data/notes/broken.json", "{\"title\": ");
    life.lab.remove(&file);
    look(&mut life.lab, 4).await;
    life
}

/// A run and a time that are taken back.
async fn undo() -> Life {
    let mut life = quiet_life();
    write_note(&mut life, "Tea", "Green.").await;
    let since = life.lab.clock.now();
    let run = write_note(&mut life, "Milk", "White.").await;
    let replies = [
        ram_add("steps", "update"),
        record_update("Tea", "Green. Black, too."),
        think("well"),
    ];
    life.ask("Add the black tea", &replies.each_ref().map(String::as_str))
        .await;
    life.lab.clock.advance(60_000);
    take_back(&life.lab, UndoScope::Run(run.run_id));
    life.lab.clock.advance(60_000);
    take_back(&life.lab, UndoScope::Since(since));
    life
}

/// What runs propose, and a person's word on it.
async fn proposals() -> Life {
    let mut life = quiet_life();
    life.lab.config.mode = Some(Mode::Reviewed);
    for (title, value) in [("Tea", "Green."), ("Milk", "White."), ("Salt", "Coarse.")] {
        write_note(&mut life, title, value).await;
    }
    decide(&life);
    let replies = [think("heard"), think("-"), think("-")];
    life.ask("Go on", &replies.each_ref().map(String::as_str))
        .await;
    life
}

/// A person approves a proposal, changes one and turns one down.
fn decide(life: &Life) {
    let (held, now) = (hold(life.lab.root()).unwrap(), life.lab.clock.now());
    let options = store_options(&life.lab.config);
    let (mut store, _) = Store::open(held.disk, options, now).unwrap();
    store.read_notes(now).unwrap();
    let edits = Edits {
        value: Some("Whole.".to_owned()),
        ..Edits::default()
    };
    let reason = Some("nobody needs it".to_owned());
    for (number, asked) in [
        (1, ReviewDecision::Approve),
        (2, ReviewDecision::Edit(edits)),
        (3, ReviewDecision::Reject { reason }),
    ] {
        let scope = &life.lab.config.scope;
        let against = decide_within(scope, &mut store, number, &asked, now.millis);
        assert_eq!(against, None);
    }
    store.checkpoint(true, now).unwrap();
}

/// Runs that the clock and notes open.
async fn rules() -> Life {
    let mut life = quiet_life();
    let each_minute = rule(
        EACH_MINUTE,
        "automation_schedule.cron",
        &json!({"cron": "* * * * *"}),
    );
    let (id, trigger) = OF_NOTES[1];
    let created = rule(id, trigger, &json!({"cel": "event.note.title == 'Milk'"}));
    take_rules(&mut life.lab, &[each_minute, created]);
    let replies: Vec<String> = (0..12).map(|number| think(&number.to_string())).collect();
    let replies: Vec<&str> = replies.iter().map(String::as_str).collect();
    life.says(&replies);
    live_for(&mut life.lab, 2).await;
    life.put_note(1, "Milk", "White.");
    live_for(&mut life.lab, 2).await;
    life
}

/// A server that fails, and a reply that says nothing.
async fn failures() -> Life {
    let mut life = quiet_life();
    life.lab.config.retry.max_retries = 1;
    life.ask(
        "Keep tea",
        &["status 500", "status 429", "status 503", "status 401"],
    )
    .await;
    life.ask("Keep milk", &["I cannot.", "I cannot.", "I cannot."])
        .await;
    life
}
