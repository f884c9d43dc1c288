//! A text that a prompt showed cut is not replaced by the cut copy of it.

use super::tools::set;
use super::{Sim, codes, note, ram_add, record_add, record_update, results};
use kjxlkj_agent::core::agent::LoopState::Executing;
use kjxlkj_agent::core::journal::event::InstructionOutcome;
use kjxlkj_agent::core::memory::StorePath;
use kjxlkj_agent::core::notes::{Note, Query};
use kjxlkj_agent::core::prompt::{marks, passage, shorten};
use kjxlkj_agent::core::protocol::escape;
use kjxlkj_agent::failure::Code;
use proptest::prelude::*;
use serde_json::{Value, json};

/// A state that holds a text in every place that a model can write to.
fn holding(text: &str) -> Sim {
    let mut sim = Sim::in_state(Executing, Some("x"))
        .allow_delete()
        .with_note(note(1, "Long", text));
    sim.memory.working_memory_character_max = 20_000;
    sim.set("long", json!(text));
    sim.set("box", json!({ "deep": text }));
    for place in ["/storage/long", "/storage/box/deep"] {
        let place = StorePath::parse(place).unwrap();
        sim.state.storage.set(place.parts(), json!(text));
    }
    sim
}

/// Every way of writing a text over it.
fn ways(text: &str) -> Vec<String> {
    let text = escape(text);
    let stored = format!("<action><store><key>long</key><value>{text}</value></store></action>");
    vec![
        ram_add("long", &text),
        set("/working_memory/long", &text),
        set("/working_memory/box/deep", &text),
        set("/storage/long", &text),
        set("/storage/box/deep", &text),
        stored,
        record_update("Long", &text),
    ]
}

/// What is kept of a state that must not change.
fn kept(sim: &Sim) -> (Value, Value, Value, Note) {
    let stored = json!(sim.state.storage);
    (
        sim.ram("long"),
        sim.ram("box"),
        stored,
        sim.the_note(1).clone(),
    )
}

fn refuses(text: &str, copy: &str) {
    for reply in ways(copy) {
        let mut sim = holding(text);
        let before = kept(&sim);
        let decision = sim.turn(&reply);
        assert_eq!(codes(&decision), [Some(Code::TextCut)], "{reply}");
        assert_eq!(decision.entries[0].outcome, InstructionOutcome::Rejected);
        assert_eq!(kept(&sim), before, "{reply}");
        let told = &results(&decision)[0];
        assert_eq!(told.code, Some(Code::TextCut));
        // For a note what is there comes with the answer, as for one that is stale.
        assert_eq!(told.items.len(), usize::from(told.op == "record_update"));
    }
}

fn takes(text: &str, new: &str) {
    for reply in ways(new) {
        let mut sim = holding(text);
        let before = kept(&sim);
        assert_eq!(codes(&sim.turn(&reply)), [None], "{reply}");
        assert_ne!(kept(&sim), before, "{reply}");
    }
}

fn words(count: usize) -> String {
    let words: Vec<String> = (0..count).map(|number| format!("word{number} ")).collect();
    words.concat()
}

#[test]
fn a_copy_with_the_mark_of_a_cut_replaces_nothing() {
    let text = words(200);
    let cut = shorten(&text, 300);
    for copy in [
        cut.clone(),
        format!("{cut} And guests may use it."),
        format!("A new beginning. {cut}"),
        cut.replace("word3 ", "word three "),
        cut.replace(
            " more characters)",
            " more characters; record_search long shows it)",
        ),
        passage(&text, &Query::parse("word150").places(&text), 200),
        format!("... ({} more characters)", text.chars().count()),
    ] {
        refuses(&text, &copy);
    }
}

/// What is no cut of the text that stands there is written as it is.
#[test]
fn a_text_that_only_looks_like_one_is_taken() {
    // Of a text that says one thing only, nothing is lost by another one.
    let text = "word ".repeat(60);
    let length = text.chars().count();
    let with_mark = format!("{text}... (12 more characters)");
    for (present, new) in [
        (text.as_str(), "short and new"),
        (&text, "it goes on ... (more characters) and on"),
        (&text, "... (many more characters)"),
        (&text, "(12 more characters)"),
        (&text, &format!("... ({} more characters)", length + 1)),
        (&text, "... (99999999999999999999999 more characters)"),
        // The mark is the text's own.
        (&with_mark, "Somebody wrote ... (12 more characters) here."),
    ] {
        takes(present, new);
    }
    // Where nothing stands nothing is lost.
    let cut = shorten(&text, 40);
    let mut sim = holding(&text);
    for reply in [
        ram_add("new", &cut),
        set("/storage/new", &cut),
        record_add("New", &cut),
        ram_add("think_log", &cut),
    ] {
        assert_eq!(codes(&sim.decide(&reply)), [None], "{reply}");
    }
}

/// The steps of one reply make one list: what is added to it replaces nothing.
#[test]
fn steps_that_are_added_replace_nothing() {
    let mut sim = holding("x");
    sim.set("steps", json!([words(100)]));
    let cut = shorten(&words(100), 50);
    let added = ram_add("steps", "one") + &ram_add("steps", &cut);
    assert_eq!(codes(&sim.decide(&added)), [None, None]);
    assert_eq!(
        codes(&sim.decide(&ram_add("steps", &cut))),
        [Some(Code::TextCut)]
    );
}

proptest! {
    /// Whatever a text says and wherever it is cut: its cut copy is refused, and the whole is not.
    #[test]
    fn the_cut_copy_of_any_text_is_refused_and_the_whole_is_not(
        text in "[a-z<&\u{e9}\u{8a9e} \n]{2,400}",
        at in 0.0..1.0_f64,
        needle in 0_usize..400,
    ) {
        let text = format!("a{}z", text.trim());
        let length = text.chars().count();
        #[expect(clippy::cast_precision_loss, clippy::cast_possible_truncation, clippy::cast_sign_loss,
                 reason = "a place in a short text")]
        let chars = 1 + (at * (length - 2) as f64) as usize;
        prop_assert_eq!(marks(&text).count(), 0);
        let shown = shorten(&text, chars);
        let marked: Vec<usize> = marks(&shown).map(|(_, left_out)| left_out).collect();
        prop_assert_eq!(marked, vec![length - chars]);
        let word: String = text.chars().skip(needle % length).take(3).collect();
        let found = passage(&text, &Query::parse(&word).places(&text), chars);
        for copy in [shown, found] {
            let mut sim = holding(&text);
            let before = kept(&sim);
            let replies = [ram_add("long", &escape(&copy)), record_update("Long", &escape(&copy))];
            for reply in replies {
                let decision = sim.turn(&reply);
                prop_assert_eq!(codes(&decision), vec![Some(Code::TextCut)], "{}", reply);
                sim.set("state", json!("executing"));
            }
            prop_assert_eq!(kept(&sim), before);
        }
        let mut sim = holding("something else");
        prop_assert_eq!(codes(&sim.turn(&record_update("Long", &escape(&text)))), vec![None]);
    }
}
