//! Assembly of the messages: which words appear when, in which order, and that data stays data.
#![expect(clippy::unwrap_used, reason = "a test may stop at once")]

use kjxlkj_agent::core::agent::{ActionResult, LoopState, Numbered, ResultItem};
use kjxlkj_agent::core::memory::Ram;
use kjxlkj_agent::core::prompt::{
    ChatRole, Condition, Example, Mode, PromptData, PromptFile, PromptMessage, QuestionKind,
    Segment, assemble, render_ram,
};
use kjxlkj_agent::core::protocol::{AllowedTags, DATA_ELEMENTS, ParseOptions, Severity, parse};
use kjxlkj_agent::core::steps::plan::Step;
use kjxlkj_agent::failure::Code;
use kjxlkj_agent::ids::NoteId;
use proptest::prelude::*;
use serde_json::{Value, json};
use std::sync::Arc;

const NOTE_ID: &str = "019aa5c2-71d0-7c3e-9a41-5be2d0f7c814";

fn segment(condition: Condition, prompt: &str) -> Segment {
    Segment {
        condition,
        prompt: prompt.to_owned(),
    }
}

fn example(condition: Condition, name: &str) -> Example {
    Example {
        condition,
        input: format!("{name} in"),
        output: format!("{name} out"),
    }
}

/// A file whose parts say where they belong, with the conditions interleaved.
fn labelled_file() -> PromptFile {
    let mut segments = vec![segment(Condition::Default, "always one")];
    let mut examples = Vec::new();
    for state in LoopState::ALL {
        let condition = Condition::State(state);
        segments.push(segment(condition, &format!("{state} one")));
        segments.push(segment(condition, &format!("{state} two")));
        examples.push(example(condition, state.name()));
    }
    segments.push(segment(Condition::Default, "always two"));
    examples.push(example(Condition::Default, "common"));
    PromptFile {
        agent_name: "kjxlkj-agent".to_owned(),
        version: "1.0.0".to_owned(),
        default_mode: Mode::Yolo,
        allowed_tags: AllowedTags::shipped(),
        segments,
        examples,
        similar: Arc::default(),
        question_words: Vec::new(),
        courtesy_words: Vec::new(),
        amount_words: Vec::new(),
        sum_words: Vec::new(),
        hash: String::new(),
    }
}

fn pairs(entries: &[(&str, &str)]) -> Vec<(String, String)> {
    entries
        .iter()
        .map(|(key, value)| ((*key).to_owned(), (*value).to_owned()))
        .collect()
}

fn nothing(state: LoopState) -> PromptData<'static> {
    PromptData {
        time: "2026-11-21 09:30",
        state,
        request: None,
        ram: &[],
        step: None,
        results: &[],
        numbered: Numbered::default(),
        ram_order: &[],
    }
}

fn contents(messages: &[PromptMessage], role: ChatRole) -> Vec<&str> {
    messages
        .iter()
        .filter(|message| message.role == role)
        .map(|message| message.content.as_str())
        .collect()
}

fn last(messages: &[PromptMessage]) -> &str {
    messages.last().map_or("", |message| &message.content)
}

fn found(op: &str, target: &str, title: &str, text: &str) -> ActionResult {
    ActionResult {
        op: op.to_owned(),
        target: target.to_owned(),
        code: None,
        message: String::new(),
        items: vec![ResultItem {
            id: NOTE_ID.parse::<NoteId>().unwrap(),
            version: 3,
            title: title.to_owned(),
            text: text.to_owned(),
            links: Vec::new(),
            page: None,
        }],
        example: None,
        page: None,
    }
}

#[test]
fn the_layout_of_all_messages_is_fixed() {
    let ram = pairs(&[
        ("plan", "water the herbs"),
        ("steps", "find basil\nfind mint"),
    ]);
    let mut refused = found("record_update", "Sage", "Sage", "");
    refused.code = Some(Code::VersionConflict);
    refused.message = "someone was faster".to_owned();
    let results = [
        found(
            "record_search",
            "tea & mint",
            "Mint <3",
            "Shade > sun.\nWet.",
        ),
        refused,
    ];
    let data = PromptData {
        request: Some("Is 1 < 2?"),
        ram: &ram,
        step: Some("find basil"),
        results: &results,
        ..nothing(LoopState::Executing)
    };
    let messages = assemble(&labelled_file(), &data);
    let expected = [
        (ChatRole::System, "always one\nalways two".to_owned()),
        (ChatRole::User, "common in".to_owned()),
        (ChatRole::Assistant, "common out".to_owned()),
        (ChatRole::User, "executing in".to_owned()),
        (ChatRole::Assistant, "executing out".to_owned()),
        (
            ChatRole::User,
            format!(
                "executing one\nexecuting two\n\
                 <time>2026-11-21 09:30</time>\n\
                 <state>executing</state>\n\
                 <request>Is 1 &lt; 2?</request>\n\
                 <ram>\nplan: water the herbs\nsteps:\n  find basil\n  find mint\n</ram>\n\
                 <action_result><op>record_search</op><target>tea &amp; mint</target>\n\
                 <note><id>{NOTE_ID}</id><version>3</version><title>Mint &lt;3</title>\
                 <text>Shade &gt; sun.\nWet.</text></note></action_result>\n\
                 <action_result><op>record_update</op><target>Sage</target>\
                 <code>VERSION_CONFLICT</code><message>someone was faster</message>\n\
                 <note><id>{NOTE_ID}</id><version>3</version><title>Sage</title></note>\
                 </action_result>\n\
                 <step>find basil</step>\n\
                 <state>executing</state>"
            ),
        ),
    ];
    let actual: Vec<_> = messages
        .into_iter()
        .map(|message| (message.role, message.content))
        .collect();
    assert_eq!(actual, expected);
}

#[test]
fn an_empty_file_and_no_data_leave_the_frame_alone() {
    let mut file = labelled_file();
    file.segments.clear();
    file.examples.clear();
    let messages = assemble(&file, &nothing(LoopState::Idle));
    assert_eq!(messages.len(), 1, "no empty system message: {messages:?}");
    assert_eq!(
        last(&messages),
        "<time>2026-11-21 09:30</time>\n<state>idle</state>\n<state>idle</state>"
    );
}

#[test]
fn no_instruction_text_comes_from_the_program() {
    let mut file = labelled_file();
    file.examples.clear();
    for segment in &mut file.segments {
        "X".clone_into(&mut segment.prompt);
    }
    for state in LoopState::ALL {
        let messages = assemble(&file, &nothing(state));
        assert_eq!(contents(&messages, ChatRole::System), ["X\nX"]);
        assert_eq!(
            last(&messages),
            format!(
                "X\nX\n<time>2026-11-21 09:30</time>\n<state>{state}</state>\n<state>{state}</state>"
            )
        );
    }
}

/// The standing segments always, a state's segments in that state only.
#[test]
fn segments_follow_the_state() {
    let file = labelled_file();
    for state in LoopState::ALL {
        let messages = assemble(&file, &nothing(state));
        assert_eq!(
            contents(&messages, ChatRole::System),
            ["always one\nalways two"]
        );
        assert!(last(&messages).starts_with(&format!("{state} one\n{state} two\n<time>")));
        for other in LoopState::ALL.into_iter().filter(|other| *other != state) {
            for message in &messages {
                for part in ["one", "two", "in", "out"] {
                    assert!(
                        !message.content.contains(&format!("{other} {part}")),
                        "{other} leaks into {state}"
                    );
                }
            }
        }
    }
}

/// The order in the file is the order in each message, wherever the others stand between.
#[test]
fn segments_keep_the_order_of_the_file() {
    let mut file = labelled_file();
    for _ in 0..2 {
        let of = |condition| {
            let own = file.segments.iter();
            let own = own.filter(|segment| segment.condition == condition);
            let texts: Vec<&str> = own.map(|segment| segment.prompt.as_str()).collect();
            texts.join("\n")
        };
        for state in LoopState::ALL {
            let messages = assemble(&file, &nothing(state));
            assert_eq!(
                contents(&messages, ChatRole::System),
                [of(Condition::Default)]
            );
            let own = of(Condition::State(state)) + "\n<time>";
            assert!(last(&messages).starts_with(&own), "{}", last(&messages));
        }
        file.segments.reverse();
    }
}

#[test]
fn a_value_in_ram_is_visible() {
    let ram = pairs(&[("colour", "amaranth")]);
    let data = PromptData {
        ram: &ram,
        ..nothing(LoopState::Planning)
    };
    assert!(last(&assemble(&labelled_file(), &data)).contains("\ncolour: amaranth\n"));
}

#[test]
fn examples_are_turns_and_the_common_ones_come_first() {
    let messages = assemble(&labelled_file(), &nothing(LoopState::Paging));
    assert_eq!(
        contents(&messages, ChatRole::Assistant),
        ["common out", "paging out"]
    );
    let roles: Vec<_> = messages.iter().map(|message| message.role).collect();
    assert_eq!(
        roles,
        [
            ChatRole::System,
            ChatRole::User,
            ChatRole::Assistant,
            ChatRole::User,
            ChatRole::Assistant,
            ChatRole::User
        ]
    );
}

#[test]
fn only_the_last_message_depends_on_data() {
    let file = labelled_file();
    let ram = pairs(&[("a", "b")]);
    let results = [found("record_search", "t", "u", "v")];
    let busy = PromptData {
        time: "2031-01-01 00:00",
        request: Some("something"),
        ram: &ram,
        results: &results,
        ..nothing(LoopState::Planning)
    };
    let (one, two) = (
        assemble(&file, &busy),
        assemble(&file, &nothing(LoopState::Planning)),
    );
    let split = one.len() - 1;
    assert_eq!(one[..split], two[..split]);
    assert_ne!(one[split], two[split]);
}

#[test]
fn ram_is_one_entry_a_line_and_no_value_poses_as_a_key() {
    let cases: [(&[(&str, &str)], &str); 6] = [
        (&[], ""),
        (&[("a", "1"), ("b", "2")], "a: 1\nb: 2"),
        (&[("a", "1\nb: 2")], "a:\n  1\n  b: 2"),
        (&[("a", "1\r\n2\u{2028}3\r4")], "a:\n  1\n  2\n  3\n  4"),
        (&[("a\nb: x", "1")], "a b: x: 1"),
        (&[("<k>", "&amp;")], "&lt;k&gt;: &amp;amp;"),
    ];
    for (entries, expected) in cases {
        assert_eq!(render_ram(&pairs(entries)), expected);
    }
}

#[test]
fn ram_in_the_prompt_is_what_is_measured() {
    let ram = pairs(&[("plan", "a\nb"), ("x & y", "<z>")]);
    let data = PromptData {
        ram: &ram,
        ..nothing(LoopState::Paging)
    };
    let messages = assemble(&labelled_file(), &data);
    assert!(last(&messages).contains(&format!("<ram>\n{}\n</ram>", render_ram(&ram))));
}

#[test]
fn the_step_to_do_is_shown_last_and_only_where_it_is_to_be_done() {
    let ram = pairs(&[("steps", "find <b>\nfind mint")]);
    let shown = |state, step| {
        let data = PromptData {
            ram: &ram,
            step,
            ..nothing(state)
        };
        let messages = assemble(&labelled_file(), &data);
        last(&messages).contains("</ram>\n<step>find &lt;b&gt;</step>\n<state>")
    };
    for state in LoopState::ALL {
        let expected = state == LoopState::Executing;
        assert_eq!(shown(state, Some("find <b>")), expected, "{state}");
    }
    assert!(!shown(LoopState::Executing, None));
}

#[test]
fn the_step_to_do_is_the_first_one_whatever_it_is_written_as() {
    let cases = [
        (json!(["find", "dry"]), Some("find")),
        (json!(["find\nbasil", "dry"]), Some("find basil")),
        (json!([7, "dry"]), Some("7")),
        (
            json!([{"do": "find"}, {"do": "dry"}]),
            Some("{\"do\":\"find\"}"),
        ),
        (json!(["find", {"do": "dry"}]), Some("find")),
        (json!([["find", "basil"], "dry"]), Some("find basil")),
        (json!(["", "dry"]), None),
        (json!([null, "dry"]), None),
        (json!([]), None),
    ];
    for (steps, expected) in cases {
        let mut ram = Ram::default();
        ram.set("steps".to_owned(), steps.clone());
        let step = ram.step();
        let data = PromptData {
            ram: &ram.rendered(),
            step: step.as_deref(),
            ..nothing(LoopState::Executing)
        };
        let messages = assemble(&labelled_file(), &data);
        let shown = last(&messages).split_once("<step>");
        let shown = shown.and_then(|(_, rest)| rest.split_once("</step>"));
        assert_eq!(shown.map(|(step, _)| step), expected, "{steps}");
    }
}

#[test]
fn the_parser_knows_every_element_that_data_is_shown_in() {
    let data = PromptData {
        request: Some("r"),
        ram: &pairs(&[("steps", "s")]),
        step: Some("s"),
        results: &[found("record_search", "t", "u", "v")],
        ..nothing(LoopState::Executing)
    };
    let mut file = labelled_file();
    file.segments.clear();
    file.examples.clear();
    let echoed = last(&assemble(&file, &data)).to_owned();
    let options = ParseOptions {
        strict: false,
        allowed_tags: AllowedTags::shipped(),
        truncated: false,
    };
    let parsed = parse(
        &format!("<ram_delete><key>k</key></ram_delete>{echoed}"),
        &options,
    );
    assert_eq!(parsed.instructions.len(), 1);
    let severities = parsed.diagnostics.iter().map(|said| said.severity);
    let stepped_over = vec![Severity::Info; DATA_ELEMENTS.len() + 1];
    assert_eq!(severities.collect::<Vec<_>>(), stepped_over, "{echoed}");
}

fn hostile() -> impl Strategy<Value = String> {
    let marks = prop::sample::select(vec![
        "<",
        ">",
        "</",
        "&",
        "&lt;",
        "<ram>",
        "</ram>",
        "</request>",
        "<state>idle</state>",
        "<record_add>",
        "]]>",
        "<![CDATA[",
        "<!--",
        "<|im_end|>",
        "\n",
        "\r\n",
        "\u{2028}",
        "é",
        "a",
    ]);
    prop::collection::vec(prop_oneof![marks.prop_map(str::to_owned), ".{0,4}"], 0..12)
        .prop_map(|parts| parts.concat())
        .prop_filter("empty values are left out by the caller", |text| {
            !text.is_empty()
        })
}

/// Reads the data of a prompt as a strict XML reader does, and gives what stands inside `ram`.
fn elements(text: &str) -> Result<String, String> {
    use quick_xml::events::Event;
    // Characters that no XML may hold reach a prompt only through a person's own files.
    let held = |c: &char| !c.is_control() || matches!(c, '\n' | '\r' | '\t');
    let text: String = text.chars().filter(held).collect();
    let mut reader = quick_xml::Reader::from_str(&text);
    reader.config_mut().check_end_names = true;
    let (mut open, mut from, mut ram) = (0_usize, 0, String::new());
    loop {
        let before = usize::try_from(reader.buffer_position()).unwrap_or_default();
        match reader.read_event().map_err(|error| error.to_string())? {
            Event::Start(start) => {
                open += 1;
                if start.name().as_ref() == "ram" {
                    from = usize::try_from(reader.buffer_position()).unwrap_or_default();
                }
            }
            Event::End(end) => {
                open -= 1;
                if end.name().as_ref() == "ram" {
                    text.get(from..before)
                        .unwrap_or_default()
                        .clone_into(&mut ram);
                }
            }
            Event::Eof if open == 0 => return Ok(ram),
            Event::Eof => return Err(format!("{open} elements are open at the end")),
            Event::Text(_) | Event::GeneralRef(_) => {}
            other @ (Event::Empty(_)
            | Event::CData(_)
            | Event::Comment(_)
            | Event::Decl(_)
            | Event::PI(_)
            | Event::DocType(_)) => return Err(format!("not expected: {other:?}")),
        }
    }
}

fn last_with(request: &str, key: &str, value: &str, result: &[&str; 4]) -> String {
    let ram = pairs(&[(key, value)]);
    let [target, message, title, text] = *result;
    let mut outcome = found("record_search", target, title, text);
    message.clone_into(&mut outcome.message);
    let results = [outcome];
    let data = PromptData {
        request: Some(request),
        ram: &ram,
        results: &results,
        ..nothing(LoopState::Evaluating)
    };
    last(&assemble(&labelled_file(), &data)).to_owned()
}

fn count(text: &str, wanted: char) -> usize {
    text.chars().filter(|found| *found == wanted).count()
}

proptest! {
    #[test]
    fn data_never_becomes_markup(texts in prop::array::uniform7(hostile())) {
        let [request, key, value, target, message, title, text] = &texts;
        let harmless = last_with("r", "k", "v", &["t", "m", "n", "x"]);
        let attacked = last_with(request, key, value, &[target, message, title, text]);
        for mark in ['<', '>'] {
            prop_assert_eq!(count(&attacked, mark), count(&harmless, mark), "{}", attacked);
        }
    }

    #[test]
    fn what_is_shown_of_ram_is_whole_and_parses_as_xml(
        texts in prop::array::uniform4(hostile()),
        request in hostile(),
    ) {
        let [key, value, title, text] = &texts;
        let shown = last_with(&request, key, value, &["t", "m", title, text]);
        let ram = elements(&shown)
            .map_err(|error| TestCaseError::fail(format!("{error}: {shown}")))?;
        let expected = render_ram(&pairs(&[(key, value)]));
        prop_assert_eq!(&ram, &format!("\n{expected}\n"), "{}", shown);
    }

    #[test]
    fn a_value_never_starts_a_line_of_ram(key in hostile(), value in hostile()) {
        let rendered = render_ram(&[(key, value)]);
        for line in rendered.split('\n').skip(1) {
            prop_assert!(line.starts_with("  "), "{:?}", rendered);
        }
    }
}

fn shipped() -> Value {
    serde_json::from_str(include_str!("../../data/agent-prompt.json")).unwrap()
}

/// The condition and two texts of each element of a list in the shipped file.
fn shipped_list(list: &str, texts: [&str; 2]) -> Vec<(Condition, [String; 2])> {
    shipped()[list]
        .as_array()
        .unwrap()
        .iter()
        .map(|entry| {
            let condition = Condition::parse(entry["condition"].as_str().unwrap()).unwrap();
            let text = |name| entry[name].as_str().unwrap_or_default().to_owned();
            (condition, texts.map(text))
        })
        .collect()
}

#[test]
fn the_shipped_file_covers_the_thirteen_segments() {
    let file = shipped();
    assert_eq!(file["agent_name"], "kjxlkj-agent");
    assert_eq!(file["protocol"], "xml_attrless");
    let tags = file["allowed_tags"].as_array().unwrap();
    assert_eq!(tags.len(), 8);
    let segments = shipped_list("segments", ["prompt", "prompt"]);
    let of = |wanted| {
        segments
            .iter()
            .filter(|(condition, _)| *condition == wanted)
            .count()
    };
    let others = segments
        .iter()
        .filter(|(condition, _)| matches!(condition, Condition::Idle(_) | Condition::Question(_)));
    assert_eq!(segments.len() - others.count(), 13);
    assert_eq!(of(Condition::Default), 6);
    assert_eq!(of(Condition::State(LoopState::Planning)), 2);
    for state in LoopState::ALL {
        assert!(of(Condition::State(state)) >= 1, "{state}");
    }
    for (_, [prompt, _]) in &segments {
        assert!(!prompt.trim().is_empty());
    }
    let standing: String = segments
        .iter()
        .filter(|(condition, _)| *condition == Condition::Default)
        .map(|(_, [prompt, _])| prompt.as_str())
        .collect();
    for tag in tags {
        assert!(standing.contains(tag.as_str().unwrap()), "{tag}");
    }
}

#[test]
fn the_shipped_file_asks_for_xml_and_nothing_else() {
    let segments = shipped_list("segments", ["prompt", "prompt"]);
    let (condition, [first, _]) = &segments[0];
    assert_eq!(*condition, Condition::Default, "told in every state");
    for words in ["XML", "only", "no other words", "no attributes"] {
        assert!(first.contains(words), "{words}: {first}");
    }
}

/// Tokens of the marks around each message, and bytes for each token of the rest, with Qwen2.5: it reads what
/// stands before each plan as 1,127 tokens.
const MESSAGE_TOKENS: usize = 6;
const TOKEN_BYTES: usize = 4;

#[test]
fn what_stands_before_each_plan_comes_to_at_most_1200_tokens() {
    let is_plan = |it: &(Condition, [String; 2])| it.0 == Condition::Question(QuestionKind::Plan);
    let mut segments = shipped_list("segments", ["prompt", "none"]);
    let mut examples = shipped_list("examples", ["input", "output"]);
    segments.retain(is_plan);
    examples.retain(is_plan);
    let messages = segments.iter().chain(&examples);
    let bytes: usize = messages.flat_map(|(_, texts)| texts).map(String::len).sum();
    let tokens = bytes / TOKEN_BYTES + (1 + 2 * examples.len()) * MESSAGE_TOKENS;
    assert!((900..=1200).contains(&tokens), "{tokens}");
}

/// Small models copy what they see: an example in another shape than the real thing teaches the
/// wrong thing.
#[test]
fn shipped_examples_have_the_shape_of_real_prompts() {
    let segments = shipped_list("segments", ["prompt", "prompt"]);
    let examples = shipped_list("examples", ["input", "output"]);
    assert!(!examples.is_empty());
    for (condition, [input, output]) in &examples {
        let state = match condition {
            Condition::State(state) => *state,
            Condition::Idle(_) => LoopState::Idle,
            Condition::Question(_) | Condition::Similar(_) => continue,
            Condition::Default => unreachable!("examples stand under what they show: {input}"),
        };
        let prompts: Vec<&str> = segments
            .iter()
            .filter(|(other, _)| other == condition)
            .map(|(_, [prompt, _])| prompt.as_str())
            .collect();
        let head = format!(
            "{}\n<time>2026-11-21 09:30</time>\n<state>{state}</state>\n",
            prompts.join("\n")
        );
        assert!(input.starts_with(&head), "{input}");
        assert!(
            input.ends_with(&format!("<state>{state}</state>")),
            "{input}"
        );
        for line in output.lines().filter(|line| line.starts_with('<')) {
            assert!(!line.contains('='), "no attributes: {line}");
        }
    }
}

/// A plan that the program would not read, or an edit of a note that is not there, teaches the wrong thing.
#[test]
fn shipped_plans_are_read_as_they_stand_and_name_what_exists() {
    let plan = [
        Condition::Question(QuestionKind::Plan),
        Condition::Similar(QuestionKind::Plan),
    ];
    let examples = shipped_list("examples", ["input", "output"]);
    let plans: Vec<&[String; 2]> = examples
        .iter()
        .filter(|(condition, _)| plan.contains(condition))
        .map(|(_, texts)| texts)
        .collect();
    assert!(plans.len() > 100, "{}", plans.len());
    let mut faults: Vec<String> = Vec::new();
    for [input, output] in plans {
        let (notes, _) = input.split_once("\nRequest: ").expect(input);
        let titles: Vec<&str> = notes.trim_start_matches("Notes: ").split("; ").collect();
        for line in output.lines() {
            let step = Step::parse(line).unwrap_or_else(|| panic!("{line}"));
            if step.to_string() != line {
                faults.push(format!("{input}\n  {line}\n  is read as {step}"));
            }
            let named = match &step {
                Step::Add { note, .. } | Step::Change { note, .. } | Step::Remove { note, .. } => {
                    vec![note.as_deref().expect(line)]
                }
                Step::Link { from, to } | Step::Merge { from, to } => vec![from.as_str(), to],
                Step::Rename { from: note, .. }
                | Step::Delete { title: note }
                | Step::Issue { note, .. } => {
                    vec![note.as_str()]
                }
                Step::New { .. } | Step::Answer { .. } | Step::Overview { .. } | Step::Nothing => {
                    Vec::new()
                }
            };
            for title in named {
                if !titles.contains(&title) {
                    faults.push(format!("{input}\n  {line}\n  names {title}"));
                }
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}
