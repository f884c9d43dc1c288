//! What the model is sent: request bodies of several loops, as they arrive at a server.

use super::Goldens;
use super::life::{Life, journal_of};
use crate::agent::tools::{call, set};
use crate::agent::{ram_add, record_add, record_update, search};
use crate::lab::{live, stop_after};
use kjxlkj_agent::config::{Constrain, ProviderKind};
use kjxlkj_agent::core::agent::{IdleProfile, Protocol};
use kjxlkj_agent::core::prompt::Mode;
use kjxlkj_agent::core::protocol::{ConstraintKind, Tag};
use kjxlkj_agent::core::run::Trigger;
use kjxlkj_agent::ids::EventId;
use serde_json::json;

/// The windows that prompts are fitted into.
const WINDOWS: [u32; 2] = [4096, 8192];

/// Checks what was asked in a life.
fn check(goldens: &mut Goldens, name: &str, life: &Life) {
    goldens.check(&format!("{name}.txt"), &life.mask().text(life.told()));
}

/// Checks the journal of a life, too.
fn check_both(goldens: &mut Goldens, name: &str, life: &Life) {
    check(goldens, name, life);
    goldens.check(&format!("{name}.jsonl"), &journal_of(life));
}

/// A life with that window.
fn life_with(protocol: Protocol, window: u32) -> Life {
    let mut life = Life::of(protocol);
    life.lab.config.provider.context_tokens = Some(window);
    life
}

/// Puts many notes there, of which some are long.
fn put_many(life: &mut Life, count: u32) {
    life.lab.start().close().unwrap();
    for number in 0..count {
        let (title, mut text) = match number % 3 {
            0 => (
                format!("Line {}", number + 20),
                format!("Line {} leaves at 6:{:02}.", number + 20, number),
            ),
            1 => (
                format!("Shopping list of shop {number}"),
                format!("- milk\n- {number} eggs"),
            ),
            _ => (
                format!("Shelf {number}"),
                format!("On shelf {number} stand {} jars of plum jam.", number + 3),
            ),
        };
        if number % 5 == 0 {
            text += &"\nThe label says who made it and when it was opened.".repeat(6);
        }
        life.put_note(number, &title, &text);
    }
}

/// Notes of a household, and requests that change them, ask about them and fail at them.
async fn small_steps(life: &mut Life) {
    for (request, replies) in [
        (
            "make a shopping list: milk, eggs, bread",
            &["new Shopping list: milk, eggs, bread"][..],
        ),
        (
            "Note that line 7 leaves at 8:10, and that line 9 leaves at 8:25.",
            &[
                "new Bus: Line 7 leaves at 8:10.",
                "new Bus: Line 7 leaves at 8:10. Line 9 leaves at 8:25.",
            ],
        ),
        (
            "Line 9 leaves at 8:40, not at 8:25, and the fare is 3 euros.",
            &["change: Line 9 leaves at 8:40.\nadd: The fare is 3 euros."],
        ),
        (
            "Take the eggs off the shopping list",
            &["remove Shopping list: eggs"],
        ),
        (
            "When does line 7 leave?",
            &["answer: When does line 7 leave?", "Line 7 leaves at 8:10."],
        ),
        (
            "Who drives line 7?",
            &["answer: Who drives line 7?", "Line 7 leaves at 8:10.", "no"],
        ),
        ("Thanks!", &["nothing"]),
        ("Note that it rains.", &["Sure!", "Sure!", "Sure!"]),
    ] {
        life.ask(request, replies).await;
    }
}

/// Questions that a step asks on its own: which one, which words.
async fn questions_of_a_step(life: &mut Life) {
    for (request, replies) in [
        (
            "Note this as Choir: Vera sings alto. Milan sings bass. The choir meets on Mondays at 19:30.",
            &["new Choir: Vera sings alto. Milan sings bass. The choir meets on Mondays at 19:30."]
                [..],
        ),
        (
            "Note this as Chess club: It meets on Tuesdays at 20:00.",
            &["new Chess club: It meets on Tuesdays at 20:00."],
        ),
        (
            "It meets on Fridays at 18:15 from now on.",
            &[
                "change: It meets on Fridays at 18:15.",
                "Tuesdays > Fridays",
                "Tuesdays > Fridays\n20:00 > 18:15",
            ],
        ),
        (
            "Note this as Sheep of the farm: Twelve ewes and a ram.",
            &["new Sheep of the farm: Twelve ewes and a ram."],
        ),
        (
            "Note this as Needed for the farm: hay, salt",
            &["new Needed for the farm: hay, salt"],
        ),
        ("for the farm also straw", &["add Sheep of the farm: straw"]),
        ("Somebody called Ida joins", &["add: Ida joins", "2"]),
        ("Link Choir to Chess club", &["link Choir > Chess club"]),
        ("Rename Chess club to Chess", &["rename Chess club > Chess"]),
        (
            "What is noted about the choir?",
            &["overview: choir", "Vera sings alto."],
        ),
        ("Delete the note Chess.", &["delete Chess"]),
    ] {
        life.ask(request, replies).await;
    }
}

#[tokio::test]
async fn prompts_of_small_steps_are_as_they_were() {
    let mut goldens = Goldens::of("prompts_of_steps");
    for window in WINDOWS {
        let mut life = life_with(Protocol::Steps, window);
        small_steps(&mut life).await;
        check(&mut goldens, &format!("few_{window}"), &life);
        if window == WINDOWS[0] {
            goldens.check("few.jsonl", &journal_of(&life));
        }
        let mut life = life_with(Protocol::Steps, window);
        put_many(&mut life, 60);
        small_steps(&mut life).await;
        check(&mut goldens, &format!("many_{window}"), &life);
    }
    let mut life = life_with(Protocol::Steps, 4096);
    questions_of_a_step(&mut life).await;
    check_both(&mut goldens, "questions", &life);
    let mut life = life_with(Protocol::Steps, 4096);
    life.lab.config.provider.kind = ProviderKind::OpenAi;
    life.lab.config.provider.constrain = Constrain::From(ConstraintKind::JsonSchema);
    small_steps(&mut life).await;
    check(&mut goldens, "in_json", &life);
    let mut life = life_with(Protocol::Steps, 2048);
    let long = "The boiler in the cellar was serviced by Ivo. ".repeat(150);
    life.ask(
        &format!("Note this as Boiler: {long}"),
        &["new Boiler: serviced by Ivo"],
    )
    .await;
    check(&mut goldens, "long_2048", &life);
    goldens.end();
}

fn think(text: &str) -> String {
    ram_add("think_log", text)
}

/// One request planned, carried out and judged, and what goes wrong on the way.
async fn instructions(life: &mut Life) {
    let plan =
        ram_add("plan", "one note") + &ram_add("steps", "write\ncheck") + &search("plum jam");
    let note = record_add("Jam", "Plum jam: 3 jars &amp; a &lt;half&gt; one.") + &think("one left");
    let update = record_update("Jam", "Plum jam: 4 jars.");
    life.ask(
        "Note how much plum jam there is.",
        &[
            &plan,
            &note,
            &think("look again"),
            &think("one step is left"),
            &update,
            &think("all is done"),
        ],
    )
    .await;
    // Prose, an element that is not known, a note that is not there.
    life.ask(
        "Find the jam and add that it is <sweet>.",
        &[
            "I shall look for it.",
            "<unheard_of><key>x</key></unheard_of>",
            &ram_add("steps", "Update Jelly: It is sweet."),
            &record_update("Jelly", "It is sweet."),
            &(search("jam") + "<state_add><state>executing</state></state_add>"),
            &record_update("Jam", "Plum jam: 4 jars. It is &lt;sweet&gt;."),
            &think("done"),
        ],
    )
    .await;
}

#[tokio::test]
async fn prompts_of_instructions_are_as_they_were() {
    let mut goldens = Goldens::of("prompts_of_xml");
    for window in WINDOWS {
        let mut life = life_with(Protocol::Xml, window);
        instructions(&mut life).await;
        check(&mut goldens, &format!("few_{window}"), &life);
        if window == WINDOWS[0] {
            goldens.check("few.jsonl", &journal_of(&life));
        }
        let mut life = life_with(Protocol::Xml, window);
        put_many(&mut life, 60);
        instructions(&mut life).await;
        check(&mut goldens, &format!("many_{window}"), &life);
    }
    let mut life = life_with(Protocol::Xml, 8192);
    life.lab.prompt.allowed_tags = Tag::ALL.into_iter().collect();
    let first = set("/storage/tea/green", "[1, null]") + &set("/storage/tin", "red");
    let second = call("get", "/storage/tea", "") + &call("ls", "/storage", "");
    life.ask("Keep the tea in order.", &[&first, &second, &think("well")])
        .await;
    check_both(&mut goldens, "tools_8192", &life);
    let mut life = life_with(Protocol::Xml, 8192);
    life.lab.config.mode = Some(Mode::Reviewed);
    life.ask(
        "Keep tea.",
        &[
            &ram_add("steps", "write"),
            &record_add("Tea", "Green."),
            &think("well"),
        ],
    )
    .await;
    life.ask(
        "Keep more tea.",
        &[&think("it waits"), &think("-"), &think("-")],
    )
    .await;
    check_both(&mut goldens, "reviewed_8192", &life);
    goldens.end();
}

#[tokio::test]
async fn prompts_of_the_other_states_are_as_they_were() {
    let mut goldens = Goldens::of("prompts_of_states");
    let mut life = life_with(Protocol::Xml, 8192);
    let big = ram_add("big", &"x".repeat(2100));
    let paged = record_add("Big", "kept") + "<ram_delete><key>big</key></ram_delete>";
    life.lab.config.r#loop.max_iterations = Some(4);
    life.ask(
        "tidy up",
        &[
            "<state_add><state>record_organizing</state></state_add>",
            &big,
            &paged,
            &think("back"),
        ],
    )
    .await;
    check_both(&mut goldens, "organizing_and_paging", &life);
    for profile in [
        IdleProfile::Maintenance,
        IdleProfile::Creative,
        IdleProfile::Enrich,
    ] {
        let life = idle(profile).await;
        check(&mut goldens, &format!("idle_{}", profile.name()), &life);
    }
    goldens.end();
}

/// A round of a run without a request, and two idle ones.
async fn idle(profile: IdleProfile) -> Life {
    let mut life = life_with(Protocol::Xml, 8192);
    life.take_profile(profile);
    life.lab.config.r#loop.idle_delay_ms = 5000;
    let mut agent = life.lab.start();
    life.edit_kv(&[("mood", json!("calm"))]);
    let event = EventId("start".to_owned());
    agent.queue(event, Trigger::Start, None).await.unwrap();
    let replies: Vec<String> = (0..5).map(|number| think(&number.to_string())).collect();
    let replies: Vec<&str> = replies.iter().map(String::as_str).collect();
    life.says(&replies);
    stop_after(&life.lab, replies.len());
    live(&mut agent).await;
    agent.close().unwrap();
    life.take_down(profile.name(), "stopped");
    life
}
