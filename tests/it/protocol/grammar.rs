//! The forms that servers are asked to keep a model to: whatever they let through can be read, and
//! no text is shut out, since a text that is shut out is silently rewritten.

use super::gbnf::Grammar;
use super::lenient;
use kjxlkj_agent::core::agent::LoopState;
use kjxlkj_agent::core::protocol::{
    AllowedTags, Instruction, Tag, gbnf, json_schema, parse, xml_of_json,
};
use proptest::prelude::*;
use serde_json::{Value, json};

const TARGETS: [LoopState; 2] = [LoopState::Executing, LoopState::Planning];

fn grammar() -> Grammar {
    Grammar::read(&gbnf(AllowedTags::shipped(), &TARGETS))
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
    let grammar = Grammar::read(&gbnf(delete, &TARGETS));
    assert!(grammar.accepts("<record_delete><key>Tea</key></record_delete>"));
}

#[test]
fn the_schema_holds_what_the_table_of_instructions_holds() {
    let schema = json_schema(AllowedTags::shipped(), &TARGETS);
    let forms = schema["properties"]["instructions"]["items"]["anyOf"].clone();
    let names: Vec<&str> = forms
        .as_array()
        .unwrap()
        .iter()
        .map(|form| {
            assert_eq!(form["additionalProperties"], json!(false));
            form["properties"]["op"]["const"].as_str().unwrap()
        })
        .collect();
    assert_eq!(
        names,
        [
            "state_add",
            "state_delete",
            "ram_add",
            "ram_delete",
            "record_add",
            "record_issue",
            "record_update",
            "record_search"
        ]
    );
    assert_eq!(
        forms[0]["properties"]["state"]["enum"],
        json!(["executing", "planning"])
    );
    assert_eq!(forms[4]["required"], json!(["op", "keywords", "value"]));
}

#[test]
fn json_says_the_same_as_xml() {
    let reply = json!({"instructions": [
        {"op": "record_add", "title": "Tea", "keywords": "tea", "value": "a < b & </value> \"c\""},
        {"op": "record_update", "key": "Tea", "version": 3, "value": "two\nlines"},
        {"op": "record_issue", "key": "Tea", "value": "old", "metadata": {"severity": "low"}},
    ]});
    for text in [
        reply.to_string(),
        format!("```json\n{reply}\n```"),
        reply["instructions"].to_string(),
    ] {
        let found = read(&xml_of_json(&text).unwrap());
        assert_eq!(found.len(), 3, "{found:?}");
        assert!(
            matches!(&found[0], Instruction::RecordAdd { value, .. } if value == "a < b & </value> \"c\"")
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
    let alone = json!({"op": "ram_delete", "key": "plan"}).to_string();
    assert_eq!(read(&xml_of_json(&alone).unwrap()).len(), 1);
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
        assert_eq!(xml_of_json(other), None, "{other}");
    }
}

proptest! {
    /// Whatever the grammar lets a model write is read, and something of it can be used.
    #[test]
    fn whatever_the_grammar_makes_can_be_read(seed in any::<u64>()) {
        let text = grammar().sample(seed);
        let parsed = parse(&text, &lenient());
        // An instruction with an empty child is well formed and means nothing.
        let only_empty = parsed.instructions.is_empty() && text.contains("></");
        prop_assert!(parsed.ok || only_empty, "{text}: {:?}", parsed.diagnostics);
    }

    #[test]
    fn any_value_goes_through_both_forms(value in "[^\u{0}-\u{8}\u{b}-\u{1f}]{1,60}") {
        let value = value.trim();
        prop_assume!(!value.is_empty() && !value.contains("</value>"));
        let text = format!("<ram_add><key>a</key><value>{value}</value></ram_add>");
        prop_assert!(grammar().accepts(&text), "{text}");
        let reply = json!({"instructions": [{"op": "ram_add", "key": "a", "value": value}]});
        let document: Value = serde_json::from_str(&reply.to_string()).unwrap();
        prop_assert!(xml_of_json(&document.to_string()).is_some());
    }
}
