//! Prompts that do not fit as they are: what is cut, what is left out, what is said about it, and that
//! nothing ever overflows.
#![expect(clippy::unwrap_used, reason = "a test may stop at once")]

use kjxlkj_agent::core::agent::{ActionResult, LoopState, Numbered, ResultItem, ResultLog};
use kjxlkj_agent::core::memory::Ram;
use kjxlkj_agent::core::notes::Query;
use kjxlkj_agent::core::prompt::{
    ChatRole, Condition, Example, Mode, PromptBudget, PromptData, PromptError, PromptFile,
    PromptMessage, PromptPart, Segment, TextPage, TokenBudget, TokenMeter, Window, assemble, fit,
    fit_worst_case, overflow, passage, shorten,
};
use kjxlkj_agent::core::protocol::AllowedTags;
use kjxlkj_agent::failure::{Code, Failure};
use proptest::prelude::*;
use serde_json::json;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

const NOTE_ID: &str = "019aa5c2-71d0-7c3e-9a41-5be2d0f7c814";

/// A prompt file with words of 50 tokens and, for planning, three examples of 48 each.
pub(crate) fn file() -> PromptFile {
    let words = |condition, tokens: usize| Segment {
        condition,
        prompt: "w".repeat(4 * tokens),
    };
    let example = |condition, name: &str| Example {
        condition,
        input: format!("{name:79}."),
        output: format!("{name:79}."),
    };
    let planning = Condition::State(LoopState::Planning);
    PromptFile {
        agent_name: "kjxlkj-agent".to_owned(),
        version: "1.0.0".to_owned(),
        default_mode: Mode::Yolo,
        allowed_tags: AllowedTags::shipped(),
        segments: vec![words(Condition::Default, 40), words(planning, 10)],
        examples: vec![
            example(Condition::Default, "common 1"),
            example(planning, "own 1"),
            example(Condition::Default, "common 2"),
            example(planning, "own 2"),
        ],
        similar: Arc::default(),
        question_words: Vec::new(),
        courtesy_words: Vec::new(),
        amount_words: Vec::new(),
        sum_words: Vec::new(),
        hash: String::new(),
    }
}

/// A window of that size, a quarter of it for the answer.
pub(crate) fn room(window_tokens: u32) -> PromptBudget {
    PromptBudget {
        window: Window::of(Some(window_tokens), None),
        max_tokens: 100_000,
        meter: TokenMeter::bare(),
        budget: TokenBudget::default(),
        shrink_steps: 0,
    }
}

fn pairs(entries: &[(&str, String)]) -> Vec<(String, String)> {
    let owned = entries
        .iter()
        .map(|(key, value)| ((*key).to_owned(), value.clone()));
    owned.collect()
}

fn nothing() -> PromptData<'static> {
    PromptData {
        time: "2026-11-21 09:30",
        state: LoopState::Planning,
        request: None,
        ram: &[],
        step: None,
        results: &[],
        numbered: Numbered::default(),
        ram_order: &[],
    }
}

fn result(op: &str, code: Option<Code>, message: &str, notes: &[String]) -> ActionResult {
    let item = |text: &String| ResultItem {
        id: NOTE_ID.parse().unwrap(),
        version: 1,
        title: "Title".to_owned(),
        text: text.clone(),
        links: Vec::new(),
        page: None,
    };
    ActionResult {
        op: op.to_owned(),
        target: "target".to_owned(),
        code,
        message: message.to_owned(),
        items: notes.iter().map(item).collect(),
        example: None,
        page: None,
    }
}

/// The numbers of results that the root's first reply led to.
fn numbered(results: &[ActionResult]) -> Numbered {
    let mut log = ResultLog::default();
    log.add(results);
    log.newest(results.len(), 0)
}

fn last(messages: &[PromptMessage]) -> &str {
    messages.last().map_or("", |message| &message.content)
}

/// The last message of a prompt in a window, after what always holds has been looked at.
fn shown(data: &PromptData<'_>, room: &PromptBudget) -> String {
    let file = file();
    let fitted = fit(&file, data, room).unwrap();
    check(&fitted.messages, &fitted.allocation, room);
    last(&fitted.messages).to_owned()
}

fn check(
    messages: &[PromptMessage],
    allocation: &kjxlkj_agent::core::prompt::BudgetAllocation,
    room: &PromptBudget,
) {
    let tokens = room.meter.messages(messages);
    let most = room.in_force().max_total;
    assert!(
        tokens <= allocation.total_tokens,
        "{tokens}: {allocation:?}"
    );
    assert!(allocation.total_tokens <= most, "{allocation:?}");
    assert_eq!(allocation.remaining, most - allocation.total_tokens);
}

fn line<'a>(text: &'a str, key: &str) -> &'a str {
    let begin = format!("{key}: ");
    let found = text.lines().find(|line| line.starts_with(&begin));
    found.and_then(|line| line.strip_prefix(&begin)).unwrap()
}

/// What was kept of a text, and the number in its mark.
fn read_mark(cut: &str) -> (&str, usize) {
    let (kept, mark) = cut.rsplit_once("... (").unwrap();
    let (number, _) = mark.split_once(" more characters").unwrap();
    (kept, number.parse().unwrap())
}

#[test]
fn what_fits_is_assembled_as_ever() {
    let ram = pairs(&[
        ("a", "1".repeat(300)),
        ("plan", "p".to_owned()),
        ("steps", "x\ny".to_owned()),
    ]);
    let results = [result("record_search", None, "", &["text".to_owned()])];
    for state in LoopState::ALL {
        let data = PromptData {
            state,
            request: Some("a request"),
            ram: &ram,
            step: Some("x"),
            results: &results,
            ..nothing()
        };
        let file = file();
        let fitted = fit(&file, &data, &room(8192)).unwrap();
        assert_eq!(fitted.messages, assemble(&file, &data));
        let allocation = fitted.allocation;
        assert!(allocation.excluded.is_empty() && fitted.examples_dropped == 0);
        check(&fitted.messages, &allocation, &room(8192));
        let summary = allocation.summary();
        assert_eq!((summary.cut, summary.excluded), (0, 0));
        assert_eq!(summary.total_tokens, allocation.total_tokens);
    }
}

#[test]
fn the_parts_have_their_types_and_priorities() {
    let ram = pairs(&[
        ("a", "1".to_owned()),
        ("plan", "p".to_owned()),
        ("steps", "x".to_owned()),
    ]);
    let results = [
        result(
            "record_search",
            None,
            "",
            &["t".to_owned(), "long ".repeat(200)],
        ),
        result(
            "record_update",
            Some(Code::RecordNotFound),
            "no such note",
            &[],
        ),
    ];
    let data = PromptData {
        state: LoopState::Executing,
        request: Some("r"),
        ram: &ram,
        step: Some("x"),
        results: &results,
        ..nothing()
    };
    let file = file();
    let fitted = fit(&file, &data, &room(8192)).unwrap();
    let row = |part: PromptPart| {
        let word = |it: &str| it.to_owned();
        (
            part.id,
            word(part.part_type.name()),
            word(part.priority.name()),
        )
    };
    let rows: Vec<_> = fitted.allocation.included.into_iter().map(row).collect();
    let expected = [
        ("words, always", "system", "critical"),
        ("words, executing", "system", "critical"),
        ("time and state", "todo", "critical"),
        ("example 1", "system", "critical"),
        ("example 3", "system", "critical"),
        ("request", "todo", "critical"),
        ("step", "todo", "critical"),
        ("ram a", "memory", "normal"),
        ("ram plan", "todo", "high"),
        ("ram steps", "todo", "high"),
        ("result 1", "session", "normal"),
        ("result 1 note 1", "session", "normal"),
        ("result 1 note 2", "session", "normal"),
        ("result 1 note 2, the rest", "session", "low"),
        ("result 2", "session", "high"),
    ];
    let expected =
        expected.map(|(id, kind, rank)| (id.to_owned(), kind.to_owned(), rank.to_owned()));
    assert_eq!(rows, expected);
}

#[test]
fn one_huge_value_cuts_itself_and_pushes_nothing_small_out() {
    let mut ram = pairs(&[("huge", "abc ".repeat(4000))]);
    ram.extend((0..20).map(|at| (format!("k{at:02}"), format!("small value {at}"))));
    for window in [1024, 2048, 4096, 8192] {
        let data = PromptData {
            ram: &ram,
            ..nothing()
        };
        let text = shown(&data, &room(window));
        for at in 0..20 {
            assert_eq!(
                line(&text, &format!("k{at:02}")),
                format!("small value {at}")
            );
        }
        let cut = line(&text, "huge");
        let (kept, missing) = read_mark(cut);
        assert!(ram[0].1.starts_with(kept) && !kept.is_empty());
        assert_eq!(kept.len() + missing, 16_000, "at {window}");
        assert!(
            cut.ends_with(" more characters; record_search huge shows it)"),
            "{cut}"
        );
        assert!(kept.ends_with("abc"), "between two words: {kept}");
    }
}

#[test]
fn a_small_change_of_one_key_leaves_the_others_to_the_byte() {
    let values = |small: &str| {
        let mut ram = pairs(&[("a", "first ".repeat(900)), ("b", small.to_owned())]);
        ram.extend((0..9).map(|at| (format!("m{at}"), format!("{at} word ").repeat(100))));
        ram
    };
    let lines = |small: &str| {
        let ram = values(small);
        let data = PromptData {
            ram: &ram,
            ..nothing()
        };
        let text = shown(&data, &room(4096));
        let others = text.lines().filter(|line| !line.starts_with("b: "));
        others.map(str::to_owned).collect::<Vec<_>>()
    };
    let before = lines("small");
    assert!(before.iter().any(|line| line.contains("more characters")));
    for small in ["smaller", "s", "a bit longer than it was before"] {
        assert_eq!(lines(small), before);
    }
}

#[test]
fn keys_that_find_no_room_are_counted_and_named() {
    let ram: Vec<(String, String)> = (0..10_000)
        .map(|at| (format!("key {at:05}"), format!("value {at}")))
        .collect();
    let data = PromptData {
        ram: &ram,
        ..nothing()
    };
    let text = shown(&data, &room(4096));
    let shown_keys = text.lines().filter(|line| line.starts_with("key ")).count();
    let left_out = line(&text, "(left out)");
    let number = left_out
        .split(' ')
        .next()
        .unwrap()
        .parse::<usize>()
        .unwrap();
    assert!(shown_keys > 100, "{shown_keys}");
    assert_eq!(number + shown_keys, 10_000);
    assert!(
        left_out.contains(&format!("keys: key {shown_keys:05}, ")),
        "{left_out}"
    );
    assert!(
        left_out.ends_with("; record_search ram lists all"),
        "{left_out}"
    );
    // Each is told in the table with its reason.
    let file = file();
    let allocation = fit(&file, &data, &room(4096)).unwrap().allocation;
    let reasons = allocation.excluded.iter().map(|part| part.reason.unwrap());
    let mut counted = BTreeMap::new();
    for reason in reasons {
        *counted.entry(reason).or_insert(0_usize) += 1;
    }
    assert_eq!(
        counted,
        BTreeMap::from([(Code::TokenTypeLimitExceeded, number)])
    );
}

#[test]
fn it_is_known_how_many_of_the_first_results_are_in() {
    let one = |at: usize| {
        let is_refusal = at == 3;
        let code = is_refusal.then_some(Code::LimitExceeded);
        let target = "a long target ".repeat(if at == 1 { 9 } else { 1 });
        ActionResult {
            target,
            ..result(&format!("op{at}"), code, "", &[])
        }
    };
    let results: Vec<ActionResult> = (0..5).map(one).collect();
    let data = PromptData {
        results: &results,
        ..nothing()
    };
    let file = file();
    let mut met = BTreeSet::new();
    for session in 0..400 {
        let budget = TokenBudget {
            session,
            ..TokenBudget::default()
        };
        let room = PromptBudget {
            budget,
            ..room(8192)
        };
        let fitted = fit(&file, &data, &room).unwrap();
        let text = last(&fitted.messages);
        let is_in = |at: &usize| text.contains(&format!("<op>op{at}</op>"));
        let first = (0..results.len()).take_while(is_in).count();
        assert_eq!(fitted.results, first, "{text}");
        met.insert((first, (0..results.len()).filter(is_in).count()));
    }
    let ends = [(0, 0), (5, 5)].map(|it| met.contains(&it));
    assert_eq!(ends, [true; 2], "{met:?}");
    let is_beyond_a_gap = |(first, all): &(usize, usize)| *first > 0 && first < all;
    assert!(met.iter().any(is_beyond_a_gap), "{met:?}");
}

#[test]
fn the_whole_budget_leaves_out_what_the_types_alone_would_allow() {
    let budget = TokenBudget {
        max_total: 700,
        memory: 700,
        session: 700,
        ..TokenBudget::default()
    };
    let ram: Vec<(String, String)> = (0..200)
        .map(|at| (format!("k{at}"), "v".repeat(20)))
        .collect();
    let room = PromptBudget {
        budget,
        ..room(8192)
    };
    let file = file();
    let data = PromptData {
        ram: &ram,
        ..nothing()
    };
    let fitted = fit(&file, &data, &room).unwrap();
    let allocation = fitted.allocation;
    check(&fitted.messages, &allocation, &room);
    assert!(
        allocation
            .excluded
            .iter()
            .any(|part| part.reason == Some(Code::TokenBudgetExceeded))
    );
}

#[test]
fn long_texts_of_notes_go_first_and_say_so() {
    let long = "tea and more ".repeat(150);
    let short = "short".to_owned();
    let results = [result("record_search", None, "", &[long.clone(), short])];
    let data = PromptData {
        results: &results,
        ..nothing()
    };
    // Whole where there is much room, most of it where there is some, a preview where there is little.
    let mut kept_before = usize::MAX;
    for window in [8192, 1400, 1100] {
        let text = shown(&data, &room(window));
        assert!(text.contains("<text>short</text>"));
        let (_, cut) = text.split_once("<text>tea").unwrap();
        let (cut, _) = cut.split_once("</text>").unwrap();
        let cut = format!("tea{cut}");
        if window == 8192 {
            assert_eq!(cut, long);
            continue;
        }
        let (kept, missing) = read_mark(&cut);
        assert!(long.starts_with(kept));
        assert_eq!(kept.len() + missing, long.len());
        assert!(cut.ends_with("; record_search its id shows it)"), "{cut}");
        assert!(
            kept.len() < kept_before && kept.len() > 100,
            "{}",
            kept.len()
        );
        kept_before = kept.len();
    }
}

#[test]
fn a_text_that_is_cut_twice_still_counts_right() {
    let text = format!("{} needle {}", "hay ".repeat(300), "straw ".repeat(300));
    let found = passage(&text, &Query::parse("needle").places(&text), 800);
    assert!(
        found.starts_with("(1004 characters before) ...hay "),
        "{found}"
    );
    assert!(found.contains(" needle straw "));
    let total = text.chars().count();
    assert!(found.ends_with(&format!("... ({} more characters)", total - 1004 - 800)));
    let results = [result("record_search", None, "", &[found])];
    let data = PromptData {
        results: &results,
        ..nothing()
    };
    let text = shown(&data, &room(1024));
    let (_, cut) = text
        .split_once("<text>(1004 characters before) ...")
        .unwrap();
    let (kept, missing) = read_mark(cut.split_once("</text>").unwrap().0);
    assert_eq!(1004 + kept.chars().count() + missing, total);
}

/// Whoever ends a text as a cut does is not believed that more is left out than a text can have.
#[test]
fn a_mark_that_a_model_made_up_breaks_nothing() {
    for left_out in [
        "18446744073709551615",
        "18446744073709551616",
        "9223372036854775807",
        "99999999999",
    ] {
        let text = format!("{}... ({left_out} more characters)", "word ".repeat(1400));
        let total = text.chars().count();
        let check = |cut: &str| {
            let (kept, missing) = read_mark(cut);
            assert!(text.starts_with(kept), "{left_out}: {cut}");
            assert_eq!(kept.chars().count() + missing, total, "{left_out}");
        };
        let ram = pairs(&[("k", text.clone())]);
        let in_ram = PromptData {
            ram: &ram,
            ..nothing()
        };
        check(line(&shown(&in_ram, &room(1024)), "k"));
        for (message, texts) in [("", vec![text.clone()]), (&text, Vec::new())] {
            let results = [result("record_search", None, message, &texts)];
            let in_results = PromptData {
                results: &results,
                ..nothing()
            };
            let prompt = shown(&in_results, &room(1024));
            assert!(prompt.contains(" more characters"), "{left_out}: {prompt}");
            if !texts.is_empty() {
                let (_, cut) = prompt.split_once("<text>").unwrap();
                check(cut.split_once("</text>").unwrap().0);
            }
        }
    }
}

#[test]
fn a_passage_shows_the_words_that_were_looked_for() {
    let passage = |text: &str, query: &str, chars| {
        let places = Query::parse(query).places(text);
        passage(text, &places, chars)
    };
    let long = |middle: &str| format!("{} {middle} {}", "a".repeat(500), "b".repeat(500));
    for (text, looked_for) in [("short oven", "oven"), ("", "oven")] {
        assert_eq!(passage(text, looked_for, 200), text);
    }
    // However they are written: without case and accents, from their beginning, in any script.
    for (words, looked_for) in [
        ("Oven Manual", "oven"),
        ("Oven Manual", "manual oven"),
        ("Oven Manual", "nowhere manu"),
        ("node.js", "node.js"),
        ("node.js", "NODE.JS"),
        ("Caf\u{e9} cr\u{e8}me", "cafe creme"),
        ("Cafe\u{301}", "caf\u{e9}"),
        ("die Stra\u{df}e", "strasse"),
        ("the \"old\" oven", "\"old oven\""),
        ("\u{65e5}\u{672c}\u{8a9e}\u{3067}", "\u{672c}\u{8a9e}"),
    ] {
        let shown = passage(&long(words), looked_for, 200);
        assert!(shown.contains(words), "{looked_for:?}: {shown}");
    }
    // Where the words stand nowhere in the text (the title has them), its beginning is shown.
    let none = passage(&long("Oven"), "title", 200);
    assert_eq!(none, shorten(&long("Oven"), 200));
    // Of places far apart, the one where most words stand.
    let apart = format!("tea {} tea and milk {}", "x".repeat(900), "y".repeat(900));
    assert!(passage(&apart, "milk tea", 100).contains("tea and milk"));
    let tea = "\u{8336}".repeat(900);
    assert!(passage(&tea, "\u{8336}", 100).ends_with("(800 more characters)"));
}

#[test]
fn notes_that_find_no_room_are_counted() {
    let title = "t".repeat(400);
    let mut results = [result(
        "record_search",
        None,
        "hits",
        &vec!["x".to_owned(); 30],
    )];
    for item in &mut results[0].items {
        item.title.clone_from(&title);
    }
    let data = PromptData {
        results: &results,
        ..nothing()
    };
    let text = shown(&data, &room(4096));
    let notes = text.matches("<note>").count();
    assert!(notes > 1 && notes < 30);
    // What has no number is told anew each time, and finds its room when there is less beside it.
    let left_out = 30 - notes;
    let message = format!("<message>hits; {left_out} not shown, ask for less at once</message>");
    assert!(text.contains(&message), "{text}");
    let data = PromptData {
        numbered: numbered(&results),
        ..data
    };
    let text = shown(&data, &room(4096));
    let notes = text.matches("<note>").count();
    let (left_out, first) = (30 - notes, notes + 1);
    let way = format!("record_search /working_memory/action_result/_1 {first} goes on");
    let message = format!("<message>hits; {left_out} not shown; {way}</message>");
    assert!(text.contains(&message), "{text}");
}

#[test]
fn results_that_find_no_room_are_counted_and_refusals_stay() {
    let mut results: Vec<ActionResult> = (0..90)
        .map(|_| result("record_add", None, &"m".repeat(60), &[]))
        .collect();
    results.push(result(
        "record_update",
        Some(Code::VersionConflict),
        "refused",
        &[],
    ));
    let data = PromptData {
        results: &results,
        ..nothing()
    };
    let text = shown(&data, &room(4096));
    let shown = text.matches("<op>record_add</op>").count();
    assert!(shown > 1 && shown < 90);
    assert!(text.contains("<message>refused</message>"));
    assert!(text.contains(&format!(
        "<message>{} more results not shown; ask for less at once</message>",
        90 - shown
    )));
    let data = PromptData {
        numbered: numbered(&results),
        ..data
    };
    let text = self::shown(&data, &room(4096));
    let shown = text.matches("<op>record_add</op>").count();
    let (left_out, first) = (90 - shown, shown + 1);
    let way = format!("record_search /working_memory/action_result/_{first} shows one");
    let line =
        format!("<message>{left_out} more results not shown: _{first} to _90; {way}</message>");
    assert!(text.contains(&line), "{line}: {text}");
}

#[test]
fn a_message_that_is_cut_says_how_it_goes_on() {
    let words = "word ".repeat(900);
    let results = [result("search", None, &words, &[])];
    let data = PromptData {
        results: &results,
        numbered: numbered(&results),
        ..nothing()
    };
    let text = shown(&data, &room(2048));
    let (_, cut) = text.split_once("<message>").unwrap();
    let (kept, missing) = read_mark(cut.split_once("</message>").unwrap().0);
    assert_eq!(kept.len() + missing, words.len());
    let way = format!(
        "; record_search /working_memory/action_result/_1 {} goes on)",
        kept.len()
    );
    assert!(cut.contains(&way), "{way}: {cut}");
}

#[test]
fn a_request_too_long_for_the_window_keeps_both_ends_and_says_what_is_missing() {
    let request = format!("BEGIN {} END", "text to note ".repeat(4000));
    let data = PromptData {
        request: Some(&request),
        ..nothing()
    };
    for window in [1024, 4096, 16_384] {
        let text = shown(&data, &room(window));
        let (_, rest) = text.split_once("<request>").unwrap();
        let (cut, _) = rest.split_once("</request>").unwrap();
        assert!(
            cut.starts_with("BEGIN text") && cut.ends_with("note  END"),
            "{cut}"
        );
        let (head, rest) = cut.split_once("... (").unwrap();
        let (mark, tail) = rest.split_once(") ...").unwrap();
        let (number, place) = mark.split_once(" more characters").unwrap();
        assert_eq!(place, "; record_search context.user_request shows it");
        let kept = head.len() + tail.len();
        assert_eq!(kept + number.parse::<usize>().unwrap(), request.len());
        assert!(request.starts_with(head) && request.ends_with(tail));
        assert!(kept > 200, "{kept}");
    }
}

#[test]
fn a_step_too_long_for_the_window_is_cut() {
    let step = "do this ".repeat(2000);
    let ram = pairs(&[("steps", step.clone())]);
    let data = PromptData {
        state: LoopState::Executing,
        ram: &ram,
        step: Some(&step),
        ..nothing()
    };
    let text = shown(&data, &room(4096));
    let (_, rest) = text.split_once("<step>").unwrap();
    let (kept, missing) = read_mark(rest.split_once("</step>").unwrap().0);
    assert_eq!(kept.len() + missing, 16_000);
    assert!(rest.contains("; record_search steps shows it)"), "{rest}");
}

#[test]
fn examples_go_only_where_the_window_is_too_small_and_common_ones_first() {
    let file = file();
    let kept = |window| {
        let fitted = fit(&file, &nothing(), &room(window)).unwrap();
        let turns = fitted
            .messages
            .iter()
            .filter(|it| it.role == ChatRole::Assistant);
        let names: Vec<String> = turns
            .map(|it| it.content.trim_end_matches(['.', ' ']).to_owned())
            .collect();
        let dropped = fitted.allocation.excluded;
        assert!(
            dropped
                .iter()
                .all(|part| part.reason == Some(Code::TokenBudgetExceeded))
        );
        assert_eq!(dropped.len(), fitted.examples_dropped);
        assert_eq!(names.len() + dropped.len(), 4);
        names
    };
    let all = ["common 1", "common 2", "own 1", "own 2"];
    assert_eq!(kept(1024), all);
    assert_eq!(
        kept(480),
        all[..1]
            .iter()
            .chain(&all[2..])
            .copied()
            .collect::<Vec<_>>()
    );
    assert_eq!(kept(400), all[2..]);
    assert_eq!(kept(300), all[2..3]);
    assert_eq!(kept(180), [""; 0]);
}

#[test]
fn what_must_be_in_is_told_with_numbers_when_it_does_not_fit() {
    let file = file();
    let fails = |room: PromptBudget| {
        let no_prompt = fit(&file, &nothing(), &room).unwrap_err();
        room.failure(no_prompt)
    };
    let Failure { code, message, .. } = fails(room(100));
    assert_eq!(code, Code::ContextOverflow);
    let words = "what must be in the prompt takes about ";
    assert!(message.starts_with(words), "{message}");
    let takes = message
        .strip_prefix(words)
        .unwrap()
        .split(' ')
        .next()
        .unwrap();
    assert!(
        (75..120).contains(&takes.parse::<usize>().unwrap()),
        "{message}"
    );
    assert!(
        message.ends_with("and a window of 100 (told by the server) leaves 75 beside the answer")
    );
    let small = PromptBudget {
        budget: TokenBudget {
            max_total: 60,
            ..TokenBudget::default()
        },
        ..room(4096)
    };
    let Failure { code, message, .. } = fails(small);
    assert_eq!(code, Code::TokenCriticalDropped);
    assert!(
        message.ends_with("tokens, and `token_budget.max_total` is 60"),
        "{message}"
    );
    let unmeasured = PromptBudget {
        meter: TokenMeter::scaled(0),
        ..room(4096)
    };
    assert_eq!(fails(unmeasured).code, Code::TokenEstimationFailed);
    // A request never makes it fail: it is cut.
    let request = "r".repeat(100_000);
    let data = PromptData {
        request: Some(&request),
        ..nothing()
    };
    assert!(fit(&file, &data, &room(256)).is_ok());
    assert!(matches!(
        fit(&file, &data, &room(60)),
        Err(PromptError::CriticalDropped { .. })
    ));
}

#[test]
fn a_request_and_a_step_are_cut_to_a_mark_before_they_make_a_prompt_fail() {
    let mut file = file();
    // Words for the state that tells a step, too.
    let executing = Condition::State(LoopState::Executing);
    file.segments[1].condition = executing;
    let (request, step) = ("r ".repeat(6000), "s ".repeat(4000));
    let asked = PromptData {
        request: Some(&request),
        ..nothing()
    };
    let both = PromptData {
        state: LoopState::Executing,
        step: Some(&step),
        ..asked
    };
    for (data, marks) in [(&asked, 1), (&both, 2)] {
        let made = |window| fit(&file, data, &room(window));
        let least = (1..1000).find(|window| made(*window).is_ok()).unwrap();
        // Not the whole text is what must be in, but a mark of it.
        let Err(PromptError::CriticalDropped {
            critical_tokens,
            max_total,
        }) = made(least - 1)
        else {
            unreachable!("{least} is the least");
        };
        let most = room(least).prompt_tokens();
        assert_eq!((critical_tokens, max_total), (most, most - 1));
        for window in least..least + 300 {
            let room = room(window);
            let fitted = made(window).unwrap();
            check(&fitted.messages, &fitted.allocation, &room);
            let text = last(&fitted.messages);
            assert_eq!(text.matches(" more characters; ").count(), marks, "{text}");
            let cautious = fit_worst_case(&file, data, &room, None).unwrap();
            let text = last(&cautious.messages);
            assert_eq!(text.matches(" more characters; ").count(), marks, "{text}");
        }
    }
    // One that is hardly longer than its mark stays whole, as ever.
    let short = "a short request, though it has more than a mark would leave of it";
    let data = PromptData {
        request: Some(short),
        ..nothing()
    };
    let mut windows = (1..1000).filter_map(|window| fit(&file, &data, &room(window)).ok());
    assert!(windows.all(|fitted| last(&fitted.messages).contains(short)));
}

#[test]
fn of_a_prompt_that_does_not_fit_each_part_is_told() {
    let file = file();
    let (request, ram) = ("r".repeat(12_000), pairs(&[("mood", "calm".to_owned())]));
    let data = PromptData {
        request: Some(&request),
        ram: &ram,
        ..nothing()
    };
    let small = room(100);
    let Err(PromptError::CriticalDropped {
        critical_tokens, ..
    }) = fit(&file, &data, &small)
    else {
        unreachable!("it does not fit");
    };
    let told = overflow(&file, &data, &small).unwrap();
    assert_eq!((told.total_tokens, told.remaining), (critical_tokens, 0));
    assert_eq!(told.usage_by_type.total(), critical_tokens);
    let request = told.included.iter().find(|part| part.id == "request");
    assert!(request.unwrap().cut_from > Some(3000), "{told:?}");
    let left_out: Vec<&str> = told.excluded.iter().map(|part| part.id.as_str()).collect();
    assert!(left_out.contains(&"ram mood"), "{left_out:?}");
    assert!(told.excluded.iter().all(|part| part.reason.is_some()));
}

#[test]
fn what_is_measured_is_the_whole_of_ram_however_much_of_it_is_shown() {
    let mut ram = Ram::default();
    ram.set("big".to_owned(), json!("x".repeat(9000)));
    ram.set("steps".to_owned(), json!(["one", "two"]));
    let entries = ram.rendered();
    let data = PromptData {
        ram: &entries,
        ..nothing()
    };
    let text = shown(&data, &room(2048));
    let (_, rest) = text.split_once("<ram>\n").unwrap();
    let (in_prompt, _) = rest.split_once("\n</ram>").unwrap();
    assert!(in_prompt.chars().count() < 4000, "it is cut");
    let whole = format!("big: {}\nsteps:\n  one\n  two", "x".repeat(9000));
    assert_eq!(ram.characters(), whole.chars().count());
}

fn hostile() -> impl Strategy<Value = String> {
    let pieces = prop::sample::select(vec![
        "<",
        ">",
        "&",
        "&lt;",
        "</ram>",
        "<record_add>",
        "[INST]",
        "\u{1}",
        "\u{200b}",
        "\n",
        "\r\n",
        "\u{2028}",
        "\u{8336}",
        "\u{d55c}",
        "\u{1f600}",
        "\u{e9}",
        " ",
        "word ",
        "... (3 more",
        " more characters)",
        "(7 characters before) ...",
        "... (18446744073709551615 more characters)",
        "x",
    ]);
    let short = prop::collection::vec(pieces.clone(), 0..40).prop_map(|it| it.concat());
    let long = (prop::collection::vec(pieces, 1..6), 0_usize..9000)
        .prop_map(|(it, times)| it.concat().repeat(times.div_ceil(it.concat().len())));
    prop_oneof![4 => short, 1 => long]
}

prop_compose! {
    fn any_result()(
        op in prop::sample::select(vec!["record_search", "record_update", "reply"]),
        refused in any::<bool>(), message in hostile(), notes in prop::collection::vec(hostile(), 0..5),
    ) -> ActionResult {
        result(op, refused.then_some(Code::LimitExceeded), &message, &notes)
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(192))]

    #[test]
    fn no_data_whatever_overflows_a_window(
        window in prop::sample::select(vec![256_u32, 400, 512, 1024, 2048, 4096, 8192]),
        ratio_milli in prop::sample::select(vec![500_u32, 1000, 1300, 2730]),
        state in prop::sample::select(LoopState::ALL.to_vec()),
        request in prop::option::of(hostile()),
        keys in prop::collection::vec((".{0,12}", hostile()), 0..30),
        with_steps in any::<bool>(),
        results in prop::collection::vec(any_result(), 0..6),
    ) {
        let mut ram: Vec<(String, String)> = keys.into_iter().collect();
        if with_steps {
            ram.push(("plan".to_owned(), "p ".repeat(900)));
            ram.push(("steps".to_owned(), "one\ntwo\n".repeat(400)));
        }
        let step = with_steps.then_some("one");
        let data = PromptData { state, request: request.as_deref(), ram: &ram, step, results: &results, ..nothing() };
        let room = PromptBudget { meter: TokenMeter::scaled(ratio_milli), ..room(window) };
        // Hardly more than the words themselves.
        let is_tiny = window * 1000 / ratio_milli < 700;
        let file = file();
        match fit(&file, &data, &room) {
            Ok(fitted) => {
                check(&fitted.messages, &fitted.allocation, &room);
                let again = fit(&file, &data, &room).unwrap();
                prop_assert_eq!(&again.messages, &fitted.messages);
                prop_assert_eq!(fitted.allocation.summary(), again.allocation.summary());
                let rams = last(&fitted.messages).matches("</ram>").count();
                prop_assert!(rams == usize::from(!ram.is_empty()) || is_tiny && rams == 0);
            }
            Err(PromptError::CriticalDropped { critical_tokens, max_total }) => {
                prop_assert!(critical_tokens > max_total);
                prop_assert!(is_tiny, "the words alone fit: {critical_tokens}");
            }
            Err(PromptError::EstimationFailed) => prop_assert!(false, "a measure counts everything"),
        }
    }

    #[test]
    fn a_page_that_is_cut_again_still_counts_right(
        text in "[a-z\u{8336}\u{e9} (.0-9]{1,600}", from in 0_usize..600, chars in 1_usize..400,
        less in prop::collection::vec(0_usize..300, 1..4),
    ) {
        let total = text.chars().count();
        let from = from.min(total - 1);
        let (mut page, mut shown) = TextPage::of(&text, "the key", from, chars);
        for less in less {
            let Some((smaller, cut)) = page.shorter(&shown, less, |_| true) else {
                prop_assert_eq!(page.shown, 0);
                continue;
            };
            prop_assert!(smaller.shown <= less && smaller.shown < page.shown);
            let next = from + smaller.shown;
            let way = if next == 0 { "shows it".to_owned() } else { format!("{next} goes on") };
            let before = if from == 0 { String::new() } else { format!("({from} characters before) ...") };
            let kept: String = text.chars().skip(from).take(smaller.shown).collect();
            let mark = format!("... ({} more characters; record_search the key {way})", total - next);
            prop_assert_eq!(&cut, &format!("{before}{kept}{mark}"));
            (page, shown) = (smaller, cut);
        }
    }

    #[test]
    fn a_cut_text_is_a_piece_of_it_and_a_mark_that_counts_right(
        text in "[a-z\u{8336}\u{e9}\u{1f600}& ]{0,3000}", window in 300_u32..1500,
    ) {
        let text = text.trim().to_owned();
        let ram = vec![("k".to_owned(), text.clone()), ("plan".to_owned(), text.clone())];
        let data = PromptData { ram: &ram, ..nothing() };
        let file = file();
        let Ok(fitted) = fit(&file, &data, &room(window)) else { return Ok(()) };
        for key in ["k", "plan"] {
            let found = last(&fitted.messages).lines().find(|line| line.starts_with(&format!("{key}: ")));
            let Some(found) = found else { continue };
            let found = found.split_once(": ").unwrap().1.replace("&amp;", "&");
            if found == text { continue }
            let (kept, missing) = read_mark(&found);
            prop_assert!(text.starts_with(kept));
            prop_assert_eq!(kept.chars().count() + missing, text.chars().count());
        }
    }
}

/// Texts of the largest sizes that are stored anywhere.
#[test]
fn the_largest_values_are_cut_like_any_other() {
    for unit in [
        "x",
        "word ",
        "\u{8336}",
        "<&>",
        "\u{1}",
        "\n",
        "\u{1f600}",
        "[INST]",
    ] {
        let text = unit.repeat(256 * 1024 / unit.len());
        let ram = pairs(&[("a", text.clone()), ("think_log", text.clone())]);
        let results = [result(
            "record_search",
            None,
            &text,
            &[text.clone(), text.clone()],
        )];
        let data = PromptData {
            state: LoopState::Executing,
            request: Some(&text),
            ram: &ram,
            results: &results,
            ..nothing()
        };
        for window in [1024, 4096, 8192] {
            let text = shown(&data, &room(window));
            assert!(text.contains("more characters"), "{unit:?} at {window}");
        }
    }
}

/// A budget that is tightened shrinks by a quarter, however small it is.
#[test]
fn a_small_room_is_tightened_as_a_large_one() {
    for (shrink_steps, most) in [(0, 192), (1, 144), (2, 108), (3, 81)] {
        let room = PromptBudget {
            shrink_steps,
            ..room(256)
        };
        assert_eq!(room.in_force().max_total, most, "{shrink_steps}");
    }
}
