//! The forms that servers are asked to keep a model to: whatever they let through can be read, and
//! no text is shut out, since a text that is shut out is silently rewritten.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test may stop at once")]

use super::gbnf::Grammar;
use super::{lenient, strict, truncated, with_every_tag};
use kjxlkj_agent::core::agent::LoopState;
use kjxlkj_agent::core::agent::TOOLS;
use kjxlkj_agent::core::protocol::{
    AllowedTags, ConstraintKind, EarlyStop, Instruction, Members, Outline, StreamMonitor, Tag,
    escape, gbnf, json_of_xml, json_ops, json_schema, parse, parse_as, parse_json,
};
use proptest::prelude::*;
use serde_json::{Value, json};

const TARGETS: [LoopState; 2] = [LoopState::Executing, LoopState::Planning];

fn outline(allowed: AllowedTags) -> Outline {
    Outline::new(allowed, LoopState::Planning, &TARGETS)
}

fn grammar() -> Grammar {
    Grammar::read(&gbnf(&outline(AllowedTags::shipped())))
}

fn read(text: &str) -> Vec<Instruction> {
    let parsed = parse(text, &lenient());
    assert!(parsed.ok, "{text}: {:?}", parsed.diagnostics);
    let found = parsed.instructions.into_iter();
    found.map(|located| located.instruction).collect()
}

#[test]
fn every_text_goes_through_and_comes_out_as_it_was() {
    let grammar = grammar();
    for value in [
        "tea & biscuits <3",
        "if a < b && c > d",
        "<b>bold</b> and </i>",
        "<<</valu</value-</",
        "<record_add><keywords>x</keywords>",
        "two\nlines",
        "\u{8336}\u{1F375}",
        "",
    ] {
        let text =
            format!("<record_add><keywords>tea</keywords><value>{value}</value></record_add>");
        assert!(grammar.accepts(&text), "{text}");
        if value.is_empty() {
            continue;
        }
        let found = read(&text);
        assert!(
            matches!(&found[..], [Instruction::RecordAdd { value: read, .. }] if read == value),
            "{found:?}"
        );
    }
}

#[test]
fn what_is_not_allowed_does_not_go_through() {
    let grammar = grammar();
    for text in [
        "",
        "Sure! ",
        "<record_delete><key>Tea</key></record_delete>",
        "<state_add><state>idle</state></state_add>",
        "<record_add><value>no keywords</value></record_add>",
        "<record_add><keywords>a\nb</keywords><value>c</value></record_add>",
        "<ram_add key=\"a\"><key>a</key><value>b</value></ram_add>",
        "<ram_add><key>a</key><value>b</value></ram_add> and more",
    ] {
        assert!(!grammar.accepts(text), "{text}");
    }
    let one = "<ram_delete><key>a</key></ram_delete>";
    assert!(grammar.accepts(&[one; 8].join("\n")));
    assert!(!grammar.accepts(&[one; 9].join("\n")));
    let delete: AllowedTags = Tag::ALL.into_iter().collect();
    let grammar = Grammar::read(&gbnf(&outline(delete)));
    assert!(grammar.accepts("<record_delete><key>Tea</key></record_delete>"));
}

fn schema(allowed: AllowedTags, members: Members) -> Value {
    serde_json::from_str(&json_schema(&outline(allowed), members)).unwrap()
}

/// Whether a value is as a schema of the few words that the program uses wants it.
fn fits(schema: &Value, value: &Value) -> bool {
    if let Some(ways) = schema["anyOf"].as_array() {
        return ways.iter().any(|way| fits(way, value));
    }
    let of_type = match schema["type"].as_str().unwrap() {
        "object" => {
            let (members, known) = (value.as_object(), &schema["properties"]);
            let required = schema["required"].as_array().unwrap();
            members.is_some_and(|members| {
                members
                    .iter()
                    .all(|(name, value)| known.get(name).is_some_and(|schema| fits(schema, value)))
                    && required
                        .iter()
                        .all(|name| members.contains_key(name.as_str().unwrap()))
            })
        }
        "array" => value.as_array().is_some_and(|items| {
            items.len() >= usize::try_from(schema["minItems"].as_u64().unwrap_or(0)).unwrap()
                && items.iter().all(|item| fits(&schema["items"], item))
        }),
        "string" => value.is_string(),
        "integer" => value.is_u64(),
        "number" => value.is_number(),
        "null" => value.is_null(),
        other => unreachable!("{other}"),
    };
    let is_one_of = |list: &Value| list.as_array().is_none_or(|list| list.contains(value));
    of_type && is_one_of(&schema["enum"]) && schema.get("const").is_none_or(|it| it == value)
}

/// One reply for each instruction and tool, with every child that a model is led to.
const EVERY_ONE: &[&str] = &[
    "<state_add><state>executing</state></state_add>",
    "<state_delete><state>planning</state></state_delete>",
    "<ram_add><key>plan,steps</key><value>a < b & c\n<ram_add></value></ram_add>",
    "<ram_delete><key>plan</key></ram_delete>",
    "<record_add><title>T & U</title><kind>note</kind><keywords>a, b</keywords><value>\"x\" \\ y</value></record_add>",
    "<record_issue><key>T</key><value>old</value><metadata>{\"severity\":\"low\"}</metadata></record_issue>",
    "<record_update><key>T</key><title>U</title><keywords>b</keywords><version>3</version><value>\u{8336}</value></record_update>",
    "<record_search><query>tea</query></record_search>",
    "<record_delete><key>T</key></record_delete>",
    "<record_append><key>T</key><value>more of it</value></record_append>",
    "<record_line><key>T</key><query>old</query><value>new</value></record_line>",
    "<record_cut><key>T</key><query>old</query></record_cut>",
    "<record_link><key>T</key><title>U</title></record_link>",
    "<record_title><key>T</key><title>U</title></record_title>",
    "<record_merge><key>T</key><title>U</title></record_merge>",
    "<answer><value>It is in the tin.</value></answer>",
    "<actions><action><kind>set</kind><target_path>/storage/a</target_path><content>{\"b\":1}</content></action></actions>",
    "<actions><action><kind>get</kind><target_path>/storage/a</target_path></action></actions>",
    "<actions><action><kind>rm</kind><target_path>/storage/a</target_path></action></actions>",
    "<actions><action><kind>mv</kind><source_path>/working_memory/a</source_path><target_path>/storage/a</target_path></action></actions>",
    "<actions><action><kind>ls</kind><target_path>/storage</target_path></action></actions>",
    "<actions><action><kind>search</kind><target_path>/storage</target_path><content>tea</content></action></actions>",
    "<actions><action><kind>mkdir</kind><target_path>/storage/b</target_path></action></actions>",
    "<thinking><analysis>x < y</analysis><planning>buy</planning><context_keys>tea, tin</context_keys></thinking>",
    "<thinking><planning>buy</planning></thinking>",
    "<action><store><key>tea</key><value>in the tin</value><tags>tea, kitchen</tags></store><store><key>cup</key><value>on the shelf</value></store></action>",
    "<evaluation><quality>0.8</quality><enrichment>12</enrichment><progress>0.5</progress><recommendations>look</recommendations></evaluation>",
    "<paging><archive>tea, tin</archive><delete>cup</delete></paging>",
];

fn read_all(text: &str) -> Vec<Instruction> {
    let parsed = parse(text, &with_every_tag());
    assert!(parsed.ok, "{text}: {:?}", parsed.diagnostics);
    let found = parsed.instructions.into_iter();
    found.map(|located| located.instruction).collect()
}

#[test]
fn every_instruction_can_be_said_in_both_forms() {
    let all: AllowedTags = Tag::ALL.into_iter().collect();
    let grammar = Grammar::read(&gbnf(&outline(all)));
    let mut ops: Vec<&str> = Vec::new();
    for text in EVERY_ONE {
        let found = read_all(text);
        ops.extend(found.iter().map(Instruction::op));
        assert!(grammar.accepts(text), "{text}");
        let json = json_of_xml(&escaped(text)).unwrap();
        let document: Value = serde_json::from_str(&json).unwrap();
        for members in [Members::AsNeeded, Members::All] {
            let mut document = document.clone();
            if members == Members::All {
                complete(&mut document["instructions"][0], &schema(all, members));
            }
            assert!(fits(&schema(all, members), &document), "{document}");
            let parsed = parse_json(&document.to_string(), &with_every_tag());
            let read: Vec<Instruction> = (parsed.instructions.into_iter())
                .map(|it| it.instruction)
                .collect();
            assert_eq!(read, found, "{document}: {:?}", parsed.diagnostics);
        }
    }
    ops.sort_unstable();
    ops.dedup();
    // `actions` is not one of them: the tools in it are.
    assert_eq!(ops.len(), Tag::ALL.len() - 1 + TOOLS.len());
}

/// The sample as a careful model would write it.
fn escaped(text: &str) -> String {
    let text = text.replace("a < b & c\n<ram_add>", "a &lt; b &amp; c\n&lt;ram_add&gt;");
    text.replace("T & U", "T &amp; U")
        .replace("x < y", "x &lt; y")
}

/// Puts null where a member is wanted and there is nothing to say.
fn complete(instruction: &mut Value, schema: &Value) {
    let forms = schema["properties"]["instructions"]["items"]["anyOf"].as_array();
    let form = forms.unwrap().iter();
    let form = form
        .clone()
        .find(|form| form["properties"]["op"]["const"] == instruction["op"]);
    let members = instruction.as_object_mut().unwrap();
    for name in form.unwrap()["required"].as_array().unwrap() {
        members.entry(name.as_str().unwrap()).or_insert(Value::Null);
    }
    for stored in members
        .get_mut("store")
        .and_then(Value::as_array_mut)
        .into_iter()
        .flatten()
    {
        let stored = stored.as_object_mut().unwrap();
        stored.entry("tags").or_insert(json!([]));
    }
}

#[test]
fn a_model_is_led_through_members_in_the_order_of_the_examples() {
    let text = json_schema(&outline(AllowedTags::shipped()), Members::AsNeeded);
    let at = |name: &str| {
        text.find(&format!(
            "\"op\":{{\"type\":\"string\",\"const\":\"{name}\""
        ))
        .unwrap()
    };
    let of_add = &text[at("record_add")..at("record_issue")];
    let place = |member: &str| of_add.find(&format!("\"{member}\":")).unwrap();
    assert!(place("title") < place("keywords") && place("keywords") < place("value"));
    let example = "<record_add><title>T</title><keywords>k</keywords><value>v</value></record_add>";
    assert_eq!(
        json_of_xml(example).unwrap(),
        r#"{"instructions":[{"op":"record_add","title":"T","keywords":"k","value":"v"}]}"#
    );
    assert_eq!(json_of_xml("Write <ram_add>"), None);
    // The schema has no word for these; without them it would be another instruction, or none.
    for left_out in [
        "<record_search><ids><id>00000000-0000-0000-0000-000000000001</id></ids></record_search>",
        "<record_add><keywords>k</keywords><value>v</value><workspace_id>w</workspace_id></record_add>",
    ] {
        assert_eq!(json_of_xml(left_out), None);
    }
}

#[test]
fn only_states_that_can_follow_are_offered() {
    let schema = schema(AllowedTags::shipped(), Members::AsNeeded);
    let forms = &schema["properties"]["instructions"]["items"]["anyOf"];
    assert_eq!(
        forms[0]["properties"]["state"]["enum"],
        json!(["executing", "planning"])
    );
    assert_eq!(forms[1]["properties"]["state"]["enum"], json!(["planning"]));
    assert!(!grammar().accepts("<state_delete><state>executing</state></state_delete>"));
    let none = Outline::new(AllowedTags::shipped(), LoopState::Planning, &[]);
    let grammar = Grammar::read(&gbnf(&none));
    assert!(!grammar.accepts("<state_add><state>executing</state></state_add>"));
    assert!(grammar.accepts("<state_delete><state>planning</state></state_delete>"));
    assert!(Outline::new(AllowedTags::default(), LoopState::Planning, &TARGETS).is_empty());
}

fn read_json(text: &str) -> Vec<Instruction> {
    let parsed = parse_json(text, &lenient());
    assert!(parsed.ok, "{text}: {:?}", parsed.diagnostics);
    let found = parsed.instructions.into_iter();
    found.map(|located| located.instruction).collect()
}

/// Lines and columns are those of the text that the model wrote.
#[test]
fn places_in_a_json_reply_are_places_in_its_text() {
    let reply = "{\"instructions\": [\n  {\"op\": \"ram_delete\", \"key\": \"\u{8336}\"}, {\"op\": \"ram_add\", \"key\": \"a\"},\n  {\"op\": \"ram_delete\", \"key\": \"b\"}";
    for (text, options, before) in [
        (format!("{reply}]}}"), lenient(), 0),
        (format!("```json\n{reply}]}}\n```"), lenient(), 1),
        (format!("{reply}, {{\"op\": \"ram_"), truncated(), 0),
    ] {
        let parsed = parse_json(&text, &options);
        let found = parsed.instructions.iter();
        let places: Vec<_> = found.map(|found| (found.line, found.column)).collect();
        assert_eq!(places, [(before + 2, 3), (before + 3, 3)], "{text}");
        let wrong = &parsed.diagnostics[0];
        assert_eq!((wrong.line, wrong.column), (before + 2, 37), "{wrong:?}");
        assert_eq!(wrong.dropped.as_deref(), Some("ram_add"));
    }
}

#[test]
fn json_says_the_same_as_xml() {
    let reply = json!({"instructions": [
        {"op": "record_add", "title": "Tea", "keywords": "tea", "value": "a < b & </value> \"c\"", "kind": null},
        {"op": "record_update", "key": "Tea", "version": 3, "value": "two\nlines"},
        {"op": "record_issue", "key": "Tea", "value": "old", "metadata": {"severity": "low"}},
    ]});
    for text in [
        reply.to_string(),
        format!("```json\n{reply}\n```"),
        reply["instructions"].to_string(),
    ] {
        let found = read_json(&text);
        assert_eq!(found.len(), 3, "{found:?}");
        assert!(
            matches!(&found[0], Instruction::RecordAdd { value, kind: None, .. } if value == "a < b & </value> \"c\"")
        );
        assert!(matches!(
            &found[1],
            Instruction::RecordUpdate {
                version: Some(3),
                ..
            }
        ));
        assert!(
            matches!(&found[2], Instruction::RecordIssue { metadata, .. } if metadata["severity"] == "low")
        );
    }
    // A number longer than JSON's numbers keeps all its digits, alone and in what a value holds.
    let long = "98765432109876543210987";
    for (written, text) in [
        (long.to_owned(), long.to_owned()),
        (
            format!("{{\"n\": [{long}]}}"),
            format!("{{\"n\":[\"{long}\"]}}"),
        ),
    ] {
        let reply = format!("{{\"op\": \"ram_add\", \"key\": \"n\", \"value\": {written}}}");
        for reply in [reply.clone(), format!("[{reply}, {{\"op\": \"ram_")] {
            let parsed = parse_json(&reply, &truncated());
            let first = &parsed.instructions[0].instruction;
            assert!(
                matches!(first, Instruction::RamAdd { value, .. } if *value == text),
                "{parsed:?}"
            );
        }
    }
    let alone = json!({"op": "ram_delete", "key": "plan"}).to_string();
    assert_eq!(read_json(&alone).len(), 1);
    for other in [
        "<ram_delete><key>plan</key></ram_delete>",
        "prose",
        "{\"instructions\": [",
        "{\"instructions\": 3}",
        "[1]",
        "{\"op\": \"ram_add><value\"}",
        "{\"op\": \"ram_add\", \"key><x\": \"a\"}",
        "7",
    ] {
        assert_eq!(json_ops(other), None, "{other}");
        assert_eq!(parse_json(other, &lenient()), parse(other, &lenient()));
    }
    // What is no JSON is read as it stands.
    let xml = "<ram_delete><key>plan</key></ram_delete>";
    assert_eq!(parse_json(xml, &lenient()), parse(xml, &lenient()));
}

#[test]
fn of_json_that_breaks_off_only_what_is_whole_counts() {
    let text = r#"{"instructions": [{"op": "ram_delete", "key": "plan"}, {"op": "record_add", "keywords": "tea, {[", "value": "in the \"tin\" }]"}]}"#;
    let firsts: Vec<usize> = (text.match_indices("\"op\""))
        .map(|(at, _)| at - 1)
        .collect();
    for (at, _) in text.char_indices().skip(1) {
        let begun = &text[..at];
        let parsed = parse_json(begun, &truncated());
        let count = parsed.instructions.len();
        let ended = |index: usize| match firsts.get(index + 1) {
            Some(next) => at + 2 >= *next,
            None => at + 2 >= text.len(),
        };
        let expected = (0..firsts.len()).filter(|index| ended(*index)).count();
        assert_eq!(count, expected, "{begun}");
        assert_eq!(parsed.ok, expected > 0, "{begun}");
        assert!(!parse_json(begun, &strict()).ok, "{begun}");
    }
    // The one that was cut is told of.
    let parsed = parse_json(&text[..text.len() - 8], &truncated());
    assert!(
        parsed
            .diagnostics
            .iter()
            .any(|it| it.dropped.as_deref() == Some("record_add"))
    );
}

/// Why a reply was cut, how many instructions are left, and whether one was open.
type Told = (EarlyStop, usize, bool);

#[test]
fn a_json_reply_that_runs_away_is_ended_behind_its_last_instruction() {
    let item = |key: &str| json!({"op": "ram_delete", "key": key}).to_string();
    let one = item("plan");
    let part = |number: usize| format!(" and so on, part {number}");
    let prose: String = (0..80).map(part).collect();
    let spaces = " ".repeat(700);
    let cases: [(String, Option<Told>); 7] = [
        (format!("{{\"instructions\":[{one}]}}"), None),
        (format!("{{\"instructions\":[{one}]}}\n```\n"), None),
        (
            format!("{{\"instructions\":[{one}]}}{prose}"),
            Some((EarlyStop::Complete, 1, false)),
        ),
        (
            format!("{{\"instructions\":[{one},{one},{one},"),
            Some((EarlyStop::Repetition, 2, false)),
        ),
        (
            format!("{{\"instructions\":[{one},{spaces}"),
            Some((EarlyStop::Repetition, 1, false)),
        ),
        (
            format!(
                "{{\"instructions\":[{one},{{\"op\":\"ram_add\",\"value\":\"{}",
                "ha".repeat(400)
            ),
            Some((EarlyStop::Repetition, 1, true)),
        ),
        // Whoever was asked for JSON may answer in XML.
        (
            format!("<ram_delete><key>plan</key></ram_delete>{prose}"),
            Some((EarlyStop::Repetition, 1, false)),
        ),
    ];
    for (text, expected) in cases {
        for step in [1, 7, text.len()] {
            let mut monitor = StreamMonitor::new(AllowedTags::shipped())
                .in_form(Some(ConstraintKind::JsonSchema));
            let chars: Vec<char> = text.chars().collect();
            let mut pieces = chars
                .chunks(step)
                .map(|piece| piece.iter().collect::<String>());
            let cut = pieces.find_map(|piece| monitor.push(&piece));
            let kept = monitor.into_text(cut);
            let cut_short = cut.is_some_and(|cut| cut.truncated);
            let options = if cut_short { truncated() } else { lenient() };
            let count = parse_json(&kept, &options).instructions.len();
            let told = cut.map(|cut| (cut.reason, count, cut.truncated));
            assert_eq!(told, expected, "{text} by {step}");
        }
    }
}

proptest! {
    /// Whatever the grammar lets a model write is read, and something of it can be used.
    #[test]
    fn whatever_the_grammar_makes_can_be_read(seed in any::<u64>(), with_all in any::<bool>()) {
        let allowed = if with_all { Tag::ALL.into_iter().collect() } else { AllowedTags::shipped() };
        let text = Grammar::read(&gbnf(&outline(allowed))).sample(seed);
        let parsed = parse(&text, &with_every_tag());
        // An instruction with an empty child is well formed and means nothing.
        let only_empty = parsed.instructions.is_empty() && text.contains("></");
        prop_assert!(parsed.ok || only_empty, "{text}: {:?}", parsed.diagnostics);
    }

    /// Any text at all can be said under the grammar and under the schema, and is read as it was.
    #[test]
    fn any_value_goes_through_both_forms(value in "[^\u{0}-\u{8}\u{b}-\u{1f}\u{7f}-\u{9f}]{1,60}") {
        let value = value.trim_matches([' ', '\n', '\t']);
        prop_assume!(!value.is_empty());
        let says = |found: &[Instruction]| {
            matches!(found, [Instruction::RamAdd { value: read, .. }] if read == value)
        };
        let written = |value: &str| format!("<ram_add><key>a</key><value>{value}</value></ram_add>");
        let careful = written(&value.replace('&', "&amp;").replace('<', "&lt;"));
        prop_assert!(grammar().accepts(&careful), "{careful}");
        prop_assert!(says(&read(&careful)), "{careful}");
        if !value.contains("</value>") {
            prop_assert!(grammar().accepts(&written(value)), "{value}");
        }
        prop_assert!(grammar().accepts(&written(&escape(value))));
        let in_json = |value: &str| {
            let reply = json!({"instructions": [{"op": "ram_add", "key": "a", "value": value}]});
            assert!(fits(&schema(AllowedTags::shipped(), Members::AsNeeded), &reply));
            let parsed = parse_json(&reply.to_string(), &lenient());
            parsed.instructions.into_iter().map(|it| it.instruction).collect::<Vec<_>>()
        };
        // Copied from where it was shown, or written as it is meant.
        prop_assert!(says(&in_json(&value.replace('&', "&amp;").replace('<', "&lt;"))));
        if !value.contains(';') {
            prop_assert!(says(&in_json(value)), "{:?}", in_json(value));
        }
    }
}

/// Texts as hostile as they come: markup, references, quotes, marks of every kind.
fn any_text() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        4 => "[a-z <>&;/\"\\\\#{}\\[\\]=!-]{0,8}",
        3 => prop::sample::select(vec![
            "</value>", "<value>", "</record_add>", "<record_add>", "<keywords>", "</keywords>",
            "<![CDATA[", "]]>", "<!--", "-->", "<!DOCTYPE a>", "<?xml?>", "<think>", "</think>",
            "&lt;", "&amp;", "&amp;lt;", "&#60;", "&#x3c;", "&nbsp;", "&", "<", ">", "<b x=\"1\">",
            "```", "[INST]", "<|im_start|>", "\n", "{\"op\":\"ram_add\"}",
        ]).prop_map(str::to_owned),
        1 => "\\PC{0,4}",
    ];
    prop::collection::vec(piece, 0..8).prop_map(|pieces| pieces.concat())
}

fn value_of(form: ConstraintKind, reply: &str) -> String {
    let parsed = parse_as(Some(form), reply, &lenient());
    assert!(parsed.ok, "{reply}: {:?}", parsed.diagnostics);
    let [found] = &parsed.instructions[..] else {
        panic!("one instruction in {reply}: {:?}", parsed.instructions);
    };
    let Instruction::RecordAdd { value, .. } = &found.instruction else {
        panic!("a note in {reply}: {found:?}");
    };
    value.clone()
}

/// A reply of the schema with that text.
fn in_json(text: &str) -> String {
    let one = json!({"op": "record_add", "keywords": ["tea"], "value": text});
    json!({"instructions": [one]}).to_string()
}

/// A reply of the grammar with that text.
fn in_xml(text: &str) -> String {
    format!("<record_add><keywords>tea</keywords><value>{text}</value></record_add>")
}

proptest! {
    /// Whatever the prompt shows of a text comes back as that text, in both forms.
    #[test]
    fn every_text_copied_as_it_is_shown_comes_back(text in any_text()) {
        let text = text.trim();
        prop_assume!(!text.is_empty());
        let shown = escape(text);
        // What a person cannot see is shown as its number, and stays so.
        let numbered = |text: &str| text.matches("\\u{").count();
        prop_assume!(numbered(&shown) == numbered(text));
        prop_assert_eq!(value_of(ConstraintKind::JsonSchema, &in_json(&shown)), text);
        prop_assert!(grammar().accepts(&in_xml(&shown)));
        prop_assert_eq!(value_of(ConstraintKind::Gbnf, &in_xml(&shown)), text);
    }

    /// A text of JSON is taken to the letter, unless it is wholly in the form in which data is shown.
    #[test]
    fn every_text_of_a_schema_comes_out_as_it_was(text in any_text()) {
        let text = text.trim();
        let is_copy = !text.contains('<') && text.contains('&');
        prop_assume!(!text.is_empty() && !is_copy);
        prop_assert_eq!(value_of(ConstraintKind::JsonSchema, &in_json(text)), text);
    }

    /// A text of the grammar ends at its own closing tag and nowhere else; markup in it is text.
    #[test]
    fn every_text_of_a_grammar_comes_out_as_it_was(text in any_text()) {
        let text = text.trim();
        prop_assume!(!text.is_empty() && !text.contains("</value>") && !text.contains('&'));
        prop_assert!(grammar().accepts(&in_xml(text)));
        prop_assert_eq!(value_of(ConstraintKind::Gbnf, &in_xml(text)), text);
    }
}

/// What is not in the form is read as it stands.
#[test]
fn a_reply_that_leaves_the_grammar_is_read_like_any_other() {
    for text in [
        "Sure! <ram_add><key>a</key><value>b</value></ram_add>",
        "<ram_add><key>a</key><value>b",
        "<ram_add><key>a</key><value>b</value></ram_add><key>",
        "<a><b>c</b></a>",
        "",
    ] {
        let (kept, plain) = (
            parse_as(Some(ConstraintKind::Gbnf), text, &lenient()),
            parse(text, &lenient()),
        );
        assert_eq!(kept, plain, "{text}");
    }
    for text in EVERY_ONE {
        let kept = parse_as(Some(ConstraintKind::Gbnf), text, &with_every_tag()).instructions;
        let kept: Vec<Instruction> = kept.into_iter().map(|it| it.instruction).collect();
        assert_eq!(kept, read_all(text), "{text}");
    }
}
