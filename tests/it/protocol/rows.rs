//! What the parser alone can keep of the requirements.

use super::{
    dropped, error_of, instructions, lenient, ram_add, record_add, state_add, strict, truncated,
    with_every_tag,
};
use kjxlkj_agent::core::protocol::{Instruction, Search, Severity, parse, parse_json};
use kjxlkj_agent::failure::Code;
use kjxlkj_agent::limits::KEYS_PER_LIST_MAX;
use serde_json::{Map, Value, json};

fn object(value: &Value) -> Map<String, Value> {
    value.as_object().cloned().unwrap_or_default()
}

fn issue(metadata: &Value) -> Instruction {
    Instruction::RecordIssue {
        key: "rec_3".to_owned(),
        value: "wrong date".to_owned(),
        metadata: object(metadata),
    }
}

fn update(title: Option<&str>, keywords: Option<&str>, version: Option<u64>) -> Instruction {
    Instruction::RecordUpdate {
        key: "Tea".to_owned(),
        value: "new".to_owned(),
        title: title.map(str::to_owned),
        keywords: keywords.map(str::to_owned),
        version,
    }
}

fn query(text: &str) -> Instruction {
    Instruction::RecordSearch {
        search: Search::Query(text.to_owned()),
    }
}

fn ids(ids: &[&str]) -> Instruction {
    Instruction::RecordSearch {
        search: Search::Ids(ids.iter().map(|id| (*id).to_owned()).collect()),
    }
}

/// Both modes read `text` as that one instruction.
fn check_clean(text: &str, expected: Instruction) {
    let expected = vec![expected];
    assert_eq!(instructions(text, &strict()), expected, "strict: {text}");
    assert_eq!(instructions(text, &lenient()), expected, "default: {text}");
    assert_eq!(parse(text, &lenient()).diagnostics, [], "{text}");
}

#[test]
fn state_add_takes_a_state() {
    check_clean(
        "<state_add><state> executing\n</state></state_add>",
        state_add("executing"),
    );
}

#[test]
fn state_delete_takes_a_state() {
    check_clean(
        "<state_delete><state>planning</state></state_delete>",
        Instruction::StateDelete {
            state: "planning".to_owned(),
        },
    );
}

#[test]
fn ram_add_takes_key_and_value_in_any_order() {
    check_clean(
        "<ram_add><key>plan</key><value>a &lt; b &amp;&amp; c</value></ram_add>",
        ram_add("plan", "a < b && c"),
    );
    check_clean(
        "<ram_add>\n  <value>\n  one\n\n  two \n</value>\n  <key> plan,steps </key>\n</ram_add >\n",
        ram_add("plan,steps", "one\n\n  two"),
    );
    check_clean("<ram_add><key>k</key><value/></ram_add>", ram_add("k", ""));
}

#[test]
fn a_missing_child_drops_the_instruction_alone() {
    let text = "<ram_add><key>k</key></ram_add><state_add><state>idle</state></state_add>";
    assert_eq!(instructions(text, &lenient()), [state_add("idle")]);
    let expected = [("ram_add".to_owned(), Code::InstructionInvalid)];
    assert_eq!(dropped(text, &lenient()), expected);
    assert_eq!(error_of(text, &strict()), Some(Code::XmlParseError));
}

#[test]
fn the_example_of_a_right_instruction_is_made_of_the_wrong_one() {
    let own = "<record_update><key>Tea &lt;3</key><value>a &amp; b</value></record_update>";
    let long = "x".repeat(161);
    for (wrong, example) in [
        (
            "<record_update><title> Tea &lt;3 </title><value>a & b</value></record_update>",
            own,
        ),
        (
            "<record_update><key>Tea &lt;3</key><value>a & b</value><ids>1</ids></record_update>",
            own,
        ),
        (
            "<record_update><value>a</value></record_update>",
            "Green tea",
        ),
        (
            "<record_update><title></title><value>a</value></record_update>",
            "Green tea",
        ),
        (
            &format!("<record_update><title>t</title><value>{long}</value></record_update>"),
            "Green tea",
        ),
        (
            "<record_add><key>Tea</key><value>a</value></record_add>",
            "<record_add><keywords>Tea</keywords><value>a</value></record_add>",
        ),
        // A deletion with a value is none.
        (
            "<ram_delete><key>a</key><value>b</value></ram_delete>",
            "<ram_add><key>a</key><value>b</value></ram_add>",
        ),
        (
            "<ram_delete><key>a</key><title>b</title></ram_delete>",
            "<ram_delete><key>a</key></ram_delete>",
        ),
        // An answer without any is shown one that does no harm.
        ("I will do it.", "<ram_add><key>think_log</key>"),
    ] {
        let parsed = parse(wrong, &lenient());
        let mut found = parsed.diagnostics.iter();
        let found = found.find(|found| found.example.is_some()).unwrap();
        let shown = found.example.as_ref().unwrap();
        assert!(shown.text.contains(example), "{wrong}: {shown:?}");
        assert_eq!(
            shown.is_own,
            !found.message().contains("Green") && !example.contains("think_log")
        );
        assert!(parse(&shown.text, &strict()).ok, "{shown:?}");
    }
}

#[test]
fn ram_delete_takes_a_key() {
    check_clean(
        "<ram_delete><key>temp_result</key></ram_delete>",
        Instruction::RamDelete {
            key: "temp_result".to_owned(),
        },
    );
}

#[test]
fn record_add_takes_keywords_and_value() {
    check_clean(
        "<record_add><keywords>tea, green</keywords><value>Steep\nshort.</value></record_add>",
        record_add("tea, green", "Steep\nshort."),
    );
}

#[test]
fn record_add_may_name_title_kind_and_workspace() {
    check_clean(
        "<record_add><title>Tea &amp; co</title><kind>template</kind><workspace_id>w1</workspace_id>\
         <keywords>tea</keywords><value>v</value></record_add>",
        Instruction::RecordAdd {
            keywords: "tea".to_owned(),
            value: "v".to_owned(),
            title: Some("Tea & co".to_owned()),
            kind: Some("template".to_owned()),
            workspace_id: Some("w1".to_owned()),
        },
    );
    check_clean(
        "<record_add><title> </title><keywords>tea</keywords><value>v</value></record_add>",
        record_add("tea", "v"),
    );
}

#[test]
fn metadata_is_an_object_however_it_is_written() {
    let table = [
        (
            r#"{"severity":"high","n":3}"#,
            json!({"severity": "high", "n": 3}),
        ),
        ("{&quot;a&quot;: [1]}", json!({"a": [1]})),
        (
            "<severity>high</severity>\n<line>3 &lt; 4</line>",
            json!({"severity": "high", "line": "3 < 4"}),
        ),
        (
            "<key>a</key><value>b</value>",
            json!({"key": "a", "value": "b"}),
        ),
        (
            "{\"n\": 98765432109876543210987}",
            json!({"n": "98765432109876543210987"}),
        ),
        ("severity high", json!({"text": "severity high"})),
        ("[1, 2]", json!({"text": "[1, 2]"})),
        ("", json!({"text": ""})),
    ];
    for (written, expected) in table {
        let text = format!(
            "<record_issue><key>rec_3</key><value>wrong date</value>\
             <metadata>{written}</metadata></record_issue>"
        );
        check_clean(&text, issue(&expected));
    }
    for broken in [
        "<a>1</b>",
        "<a>1</a> and",
        "<a><b>1</b></a>",
        "<a>1</a><a>2</a>",
    ] {
        let text = format!(
            "<record_issue><key>rec_3</key><value>wrong date</value>\
             <metadata>{broken}</metadata></record_issue>"
        );
        assert_eq!(
            instructions(&text, &lenient()),
            [issue(&json!({"text": broken}))]
        );
        assert_eq!(error_of(&text, &strict()), Some(Code::XmlParseError));
    }
    let missing = "<record_issue><key>k</key><value>v</value></record_issue>";
    let expected = [("record_issue".to_owned(), Code::InstructionInvalid)];
    assert_eq!(dropped(missing, &lenient()), expected);
}

#[test]
fn record_update_takes_key_value_and_three_more() {
    let form = |more: &str| {
        format!("<record_update><key>Tea</key><value>new</value>{more}</record_update>")
    };
    check_clean(&form(""), update(None, None, None));
    check_clean(
        &form("<title>T</title><keywords>a, b</keywords><version> 7 </version>"),
        update(Some("T"), Some("a, b"), Some(7)),
    );
    for wrong in ["seven", "-1", "1.0", "99999999999999999999"] {
        let text = form(&format!("<version>{wrong}</version>"));
        let expected = [("record_update".to_owned(), Code::InstructionInvalid)];
        assert_eq!(dropped(&text, &lenient()), expected, "{wrong}");
    }
}

#[test]
fn record_search_takes_a_query_or_ids() {
    let search = |inner: &str| format!("<record_search>{inner}</record_search>");
    check_clean(&search("<query> green tea </query>"), query("green tea"));
    check_clean(
        &search("<ids>4, 7,9\n10</ids>"),
        ids(&["4", "7", "9", "10"]),
    );
    check_clean(&search("<ids><id>4</id><id>7</id></ids>"), ids(&["4", "7"]));
    check_clean(
        &search(&format!("<ids>{}</ids>", "4 7 ".repeat(500))),
        ids(&["4", "7"]),
    );
    let many = |count: usize| (0..count).map(|id| id.to_string()).collect::<Vec<_>>();
    let most: Vec<String> = many(KEYS_PER_LIST_MAX);
    let most: Vec<&str> = most.iter().map(String::as_str).collect();
    check_clean(
        &search(&format!("<ids>{}</ids>", most.join(","))),
        ids(&most),
    );
    let too_many = format!("<ids>{}</ids>", many(KEYS_PER_LIST_MAX + 1).join(" "));
    let wrong = [
        too_many.as_str(),
        "",
        "<query></query>",
        "<ids> , </ids>",
        "<query>a</query><ids>1</ids>",
        "<query>a</query><query>b</query>",
        "<ids><id>4<id>7</ids>",
        "<ids>&lt;b&gt;</ids>",
        "<id>4</id>",
    ];
    for inner in wrong {
        let expected = [("record_search".to_owned(), Code::InstructionInvalid)];
        assert_eq!(dropped(&search(inner), &lenient()), expected, "{inner}");
    }
}

#[test]
fn attributes_are_refused() {
    let table = [
        r#"<ram_add x="1"><key>k</key><value>v</value></ram_add>"#,
        r#"<ram_add xmlns="urn:x"><key>k</key><value>v</value></ram_add>"#,
        "<ram_add><key id=1>k</key><value>v</value></ram_add>",
        "<ram_add><key>k</key><value>v</value></ram_add x = '1'>",
        "<ram_add><key>k</key><value>v</value\nx='>'></ram_add>",
        "<ram_add checked><key>k</key><value>v</value></ram_add>",
        r#"<ram_add><key>k</key><value>see <ram_add x="1"> here</value></ram_add>"#,
    ];
    for text in table {
        for options in [lenient(), strict()] {
            assert_eq!(
                error_of(text, &options),
                Some(Code::XmlParseError),
                "{text}"
            );
        }
    }
    let text =
        "<ram_add><key>k</key><value>the <key to success, <title lang='en'></value></ram_add>";
    let expected = ram_add("k", "the <key to success, <title lang='en'>");
    assert_eq!(instructions(text, &lenient()), [expected]);
}

#[test]
fn instructions_keep_their_order() {
    let text = "<ram_add><key>k</key><value>1</value></ram_add>\n\
                <ram_add><key>k</key><value>2</value></ram_add>\n\
                <ram_delete><key>j</key></ram_delete>";
    let parsed = parse(text, &strict());
    let places = parsed
        .instructions
        .iter()
        .map(|found| (found.line, found.column));
    assert_eq!(places.collect::<Vec<_>>(), [(1, 1), (2, 1), (3, 1)]);
    assert_eq!(parsed.instructions[1].instruction, ram_add("k", "2"));
}

#[test]
fn unknown_and_unlisted_tags_are_dropped_alone_or_refused() {
    let kept = "<state_add><state>idle</state></state_add>";
    let table = [
        (
            "<record_write><keywords>a</keywords><value>b</value></record_write>",
            "record_write",
        ),
        ("<RAM_ADD><key>k</key><value>v</value></RAM_ADD>", "RAM_ADD"),
        (
            "<x:ram_add><key>k</key><value>v</value></x:ram_add>",
            "x:ram_add",
        ),
        (
            "<record_delete><key>k</key></record_delete>",
            "record_delete",
        ),
        ("<value>v</value>", "value"),
        ("<a><a></a><state_add><state>x</state></state_add></a>", "a"),
        ("<empty/>", "empty"),
    ];
    for (unknown, name) in table {
        for text in [format!("{kept}\n{unknown}"), format!("{unknown}\n{kept}")] {
            assert_eq!(
                instructions(&text, &lenient()),
                [state_add("idle")],
                "{text}"
            );
            let expected = [(name.to_owned(), Code::InstructionInvalid)];
            assert_eq!(dropped(&text, &lenient()), expected, "{text}");
            assert_eq!(
                error_of(&text, &strict()),
                Some(Code::XmlParseError),
                "{text}"
            );
        }
    }
    let allowed = "<record_delete><key>k</key></record_delete>";
    let expected = Instruction::RecordDelete {
        key: "k".to_owned(),
    };
    assert_eq!(instructions(allowed, &with_every_tag()), [expected]);
}

#[test]
fn malformed_replies_all_report_the_same_code() {
    let table = [
        "",
        "I will add a note about tea.",
        "<ram_add><key>k</key></ram_add>",
        "<ram_add x='1'><key>k</key><value>v</value></ram_add>",
        "<state_delete><state>evaluating</state></state_add>",
        "<!DOCTYPE x><state_add><state>idle</state></state_add>",
        "<?xml version='1.0'?><state_add><state>idle</state></state_add>",
        "<!ENTITY a 'b'><state_add><state>idle</state></state_add>",
        "<state_add><state>idle</state></state_add></value>",
        "<!-- <state_add><state>idle</state></state_add>",
        "<ram_add><key>a</key><value>b\n<ram_add><key>c</key><value>d</value></ram_add>",
        "{\"instructions\":[]}",
        "<state_add>idle",
    ];
    for text in table {
        for options in [lenient(), strict(), truncated()] {
            assert_eq!(
                error_of(text, &options),
                Some(Code::XmlParseError),
                "{text}"
            );
            assert_eq!(instructions(text, &options), [], "{text}");
        }
    }
}

#[test]
fn the_printed_form_is_the_documented_one() {
    let text = "<ram_add><key>k</key><value>v</value></ram_add>\
                <state_add><state>idle</state></state_add>\
                <record_search><ids>1,2</ids></record_search>";
    let parsed = serde_json::to_value(parse(text, &lenient()));
    let expected = json!({
        "parser_version": "xml_attrless/1.0.0",
        "ok": true,
        "instructions": [
            {"op": "ram_add", "key": "k", "value": "v"},
            {"op": "state_add", "state": "idle"},
            {"op": "record_search", "ids": ["1", "2"]},
        ],
        "diagnostics": [],
        "reasoning": null,
    });
    assert_eq!(parsed.unwrap(), expected);
}

#[test]
fn the_sample_reply_is_two_siblings_without_a_root() {
    let text = "<ram_add>\n  <key>think_log</key>\n  <value>Searching for existing meeting \
                notes...</value>\n</ram_add>\n\n<record_search>\n  <query>meeting notes</query>\n\
                </record_search>\n";
    let expected = [
        ram_add("think_log", "Searching for existing meeting notes..."),
        query("meeting notes"),
    ];
    for options in [lenient(), strict(), truncated()] {
        assert_eq!(instructions(text, &options), expected);
        assert_eq!(parse(text, &options).diagnostics, []);
    }
}

#[test]
fn an_instruction_that_was_cut_off_is_never_returned() {
    let whole = "<state_add><state>idle</state></state_add>\n";
    let cut = "<record_add><keywords>tea</keywords><value>Steep.</value></record_add>";
    for (end, _) in cut.char_indices().skip(2) {
        let text = format!("{whole}{}", &cut[..end]);
        assert_eq!(
            instructions(&text, &truncated()),
            [state_add("idle")],
            "{text}"
        );
        let codes = dropped(&text, &truncated());
        assert_eq!(codes.len(), 1, "{text}");
        assert_eq!(codes[0].1, Code::LlmReplyTruncated, "{text}");
        let alone = parse(&cut[..end], &truncated());
        let error = alone
            .diagnostics
            .iter()
            .find(|found| found.severity == Severity::Error);
        assert!(error.unwrap().message.contains("max_tokens"), "{text}");
    }
}

#[test]
fn exact_repeats_of_record_instructions_are_ignored() {
    let note = "<record_add><keywords>a</keywords><value>b</value></record_add>\n";
    let other = "<record_add><keywords>a</keywords><value>c</value></record_add>\n";
    let state = "<ram_delete><key>k</key></ram_delete>\n";
    let text = [note, other, note, state, state, note].concat();
    for options in [lenient(), strict()] {
        let parsed = parse(&text, &options);
        assert_eq!(parsed.instructions.len(), 4);
        let repeats = parsed
            .diagnostics
            .iter()
            .map(|found| (found.line, found.severity));
        assert_eq!(
            repeats.collect::<Vec<_>>(),
            [(3, Severity::Info), (6, Severity::Info)]
        );
    }
}

/// What ends before its last part has begun says nothing of it: only a closing tag that is missing is added,
/// never a text.
#[test]
fn an_open_instruction_whose_last_part_never_began_is_not_applied() {
    let whole = "<state_add><state>idle</state></state_add>\n";
    let cases = [
        ("<ram_add><key>a</key><value>", "ram_add"),
        ("<ram_add><key>a</key><value> \n", "ram_add"),
        ("<ram_add><key>a</key><value><", "ram_add"),
        ("<ram_add><key>a</key><value></val", "ram_add"),
        ("<ram_add><value>x</value><key>", "ram_add"),
        ("<record_add><keywords>tea</keywords><value>", "record_add"),
        (
            "<record_add><keywords>tea</keywords><value>x</value><title>",
            "record_add",
        ),
        ("<record_update><key>Tea</key><value>", "record_update"),
        ("<record_update><key>Tea</key><value>\n", "record_update"),
        ("<record_issue><key>Tea</key><value>", "record_issue"),
        (
            "<action><kind>write</kind><target_path>/storage/a</target_path><content>",
            "action",
        ),
        ("<action><store><key>a</key><value>", "action"),
        ("<thinking><analysis>", "thinking"),
    ];
    for (open, name) in cases {
        let text = format!("{whole}{open}");
        assert_eq!(error_of(&text, &strict()), Some(Code::XmlParseError));
        assert!(instructions(&text, &truncated()).len() <= 1, "{text}");
        let options = with_every_tag();
        assert_eq!(instructions(&text, &options), [state_add("idle")], "{text}");
        let told = dropped(&text, &options);
        assert_eq!(
            told,
            [(name.to_owned(), Code::InstructionInvalid)],
            "{text}"
        );
        assert_eq!(
            error_of(open, &options),
            Some(Code::XmlParseError),
            "{open}"
        );
        if open.ends_with('<') {
            // With a line break behind it that is a text.
            continue;
        }
        // A fence around it changes nothing.
        let fenced = format!("```xml\n{text}\n```");
        assert_eq!(
            instructions(&fenced, &options),
            [state_add("idle")],
            "{fenced}"
        );
    }
    // What was said is kept, and so is a part that was said to be empty.
    for (text, value) in [
        ("<ram_add><key>a</key><value>text", "text"),
        ("<ram_add><key>a</key><value>text</val", "text"),
        ("<ram_add><key>a</key><value>text</value>", "text"),
        ("<ram_add><key>a</key><value></value>", ""),
        ("<ram_add><key>a</key><value/>", ""),
        ("<ram_add><key>a</key><value></value></ram_add>", ""),
    ] {
        assert_eq!(
            instructions(text, &lenient()),
            [ram_add("a", value)],
            "{text}"
        );
        assert!(
            instructions(text, &truncated()).len() <= usize::from(text.ends_with("</ram_add>"))
        );
    }
}

/// The same in the form of JSON, where an instruction that is open at the end is never applied.
#[test]
fn an_open_instruction_of_a_json_reply_is_not_applied() {
    let whole = r#"{"instructions":[{"op":"state_add","state":"idle"},"#;
    for open in [
        r#"{"op":"ram_add","key":"a","value":""#,
        r#"{"op":"ram_add","key":"a","value":"#,
        r#"{"op":"ram_add","key":"a","value":"te"#,
        r#"{"op":"record_add","keywords":"a","value":""#,
        r#"{"op":"record_update","key":"a","value":"""#,
    ] {
        let text = format!("{whole}{open}");
        for options in [lenient(), truncated()] {
            let parsed = parse_json(&text, &options);
            let applied: Vec<&str> = parsed
                .instructions
                .iter()
                .map(|it| it.instruction.op())
                .collect();
            assert_eq!(applied, ["state_add"], "{text}");
        }
        assert!(!parse_json(&text, &strict()).ok, "{text}");
    }
}
