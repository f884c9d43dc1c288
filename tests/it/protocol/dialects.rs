//! The dialects beside the eight tags: tool calls in `<actions>`, and the blocks `<thinking>`,
//! `<action>`, `<evaluation>` and `<paging>`.

use super::{
    dropped, error_of, instructions, lenient, ram_add, state_add, strict, truncated, with_every_tag,
};
use kjxlkj_agent::core::agent::Tool;
use kjxlkj_agent::core::protocol::{
    AllowedTags, Diagnostic, Instruction, ParseOptions, Store, Tag, ToolCall, parse,
};
use kjxlkj_agent::failure::Code;
use serde_json::{Number, Value, json};

fn strict_with_every_tag() -> ParseOptions {
    ParseOptions {
        strict: true,
        ..with_every_tag()
    }
}

/// Both modes read `text` as these instructions, and have nothing to say of it.
fn check_clean(text: &str, expected: &[Instruction]) {
    for options in [strict_with_every_tag(), with_every_tag()] {
        assert_eq!(instructions(text, &options), expected, "{text}");
        assert_eq!(parse(text, &options).diagnostics, [], "{text}");
    }
}

/// The default mode drops the one element of that name, with these words; strict mode refuses it.
fn check_dropped(text: &str, name: &str, words: &str) {
    let kept = "<state_add><state>idle</state></state_add>";
    let both = format!("{text}\n{kept}");
    let expected = [(name.to_owned(), Code::InstructionInvalid)];
    assert_eq!(dropped(&both, &with_every_tag()), expected, "{text}");
    assert_eq!(
        instructions(&both, &with_every_tag()),
        [state_add("idle")],
        "{text}"
    );
    let parsed = parse(&both, &with_every_tag());
    let said = parsed.diagnostics.iter().map(Diagnostic::message);
    let said: Vec<_> = said.filter(|said| said.contains(words)).collect();
    assert_eq!(said.len(), 1, "{words}: {:?}", parsed.diagnostics);
    let refused = error_of(&both, &strict_with_every_tag());
    assert_eq!(refused, Some(Code::XmlParseError), "{text}");
}

fn action(inner: &str) -> String {
    format!("<actions>\n<action>{inner}</action>\n</actions>")
}

fn call(name: &str, path: &str, taken: &str) -> Instruction {
    Instruction::Tool(ToolCall {
        tool: Tool::find(name).unwrap_or_else(|| unreachable!("no tool {name}")),
        path: path.to_owned(),
        taken: taken.to_owned(),
    })
}

fn set(path: &str, content: &str) -> Instruction {
    call("set", path, content)
}

fn ls(path: &str) -> Instruction {
    call("ls", path, "")
}

fn words(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| (*word).to_owned()).collect()
}

fn paging(archive: &[&str], retrieve: &[&str], delete: &[&str]) -> Instruction {
    Instruction::Paging {
        archive: words(archive),
        retrieve: words(retrieve),
        delete: words(delete),
    }
}

fn number(number: f64) -> Option<Number> {
    Number::from_f64(number)
}

#[test]
fn the_documented_format_is_read_in_order() {
    let text = "<actions>\n  <action>\n    <kind>set</kind>\n    \
        <target_path>/working_memory/tea</target_path>\n    <content>{\"a\": 1}</content>\n  \
        </action>\n  <!-- Additional actions -->\n  <action><!-- one more --><kind>mv</kind>\
        <source_path>/working_memory/tea</source_path><target_path>/storage/tea</target_path>\
        </action>\n  <action><kind>get</kind><target_path>/storage/tea</target_path></action>\n  \
        <action><kind>rm</kind><target_path>/storage/tea</target_path></action>\n  \
        <action><kind>ls</kind><target_path>/storage</target_path></action>\n  \
        <action><kind>search</kind><target_path>/storage</target_path><content>tea</content></action>\n  \
        <action><kind>search</kind><target_path>/storage</target_path><query>tea</query></action>\n  \
        <action><kind>mkdir</kind><target_path>/storage/a/b</target_path></action>\n</actions>\n";
    let search = || call("search", "/storage", "tea");
    let expected = [
        set("/working_memory/tea", "{\"a\": 1}"),
        call("mv", "/storage/tea", "/working_memory/tea"),
        call("get", "/storage/tea", ""),
        call("rm", "/storage/tea", ""),
        ls("/storage"),
        search(),
        search(),
        call("mkdir", "/storage/a/b", ""),
    ];
    check_clean(text, &expected);
    // What is permitted inside `<actions>` is permitted nowhere else.
    let outside = "<!-- a --><state_add><state>idle</state></state_add>";
    let refused = error_of(outside, &strict_with_every_tag());
    assert_eq!(refused, Some(Code::XmlParseError));
}

#[test]
fn an_unknown_kind_is_refused_for_that_action_only() {
    let good = "<action><kind>ls</kind><target_path>/storage</target_path></action>";
    for kind in ["write", "SET", "set get", "", "&lt;set&gt;"] {
        let bad =
            format!("<action><kind>{kind}</kind><target_path>/storage/a</target_path></action>");
        let text = format!("<actions>{good}{bad}{good}</actions>");
        let options = with_every_tag();
        assert_eq!(
            instructions(&text, &options),
            [ls("/storage"), ls("/storage")]
        );
        let expected = [("action".to_owned(), Code::InstructionInvalid)];
        assert_eq!(dropped(&text, &options), expected, "{kind}");
        let said = &parse(&text, &options).diagnostics[0].message;
        assert!(
            said.contains("set, get, rm, mv, ls, search, mkdir"),
            "{said}"
        );
    }
}

#[test]
fn what_is_missing_is_named_before_anything_happens() {
    let table = [
        (
            "<kind>set</kind><target_path>/storage/a</target_path>",
            "<content> is missing",
        ),
        (
            "<kind>set</kind><content>x</content>",
            "<target_path> is missing",
        ),
        (
            "<kind>mv</kind><target_path>/storage/a</target_path>",
            "<source_path> is missing",
        ),
        (
            "<kind>mv</kind><source_path>/storage/a</source_path>",
            "<target_path> is missing",
        ),
        ("<kind>get</kind>", "<target_path> is missing"),
        (
            "<kind>get</kind><target_path> </target_path>",
            "<target_path> is empty",
        ),
        ("<target_path>/storage/a</target_path>", "<kind> is missing"),
        (
            "<kind>search</kind><target_path>/storage</target_path>",
            "<content> is missing",
        ),
        ("", "<kind> is missing"),
    ];
    for (inner, words) in table {
        check_dropped(&action(inner), "action", words);
    }
}

#[test]
fn parts_of_another_kind_are_flagged() {
    let target = "<target_path>/storage/a</target_path>";
    for kind in ["get", "rm", "ls", "mkdir"] {
        let inner = format!("<kind>{kind}</kind>{target}<content>x</content>");
        check_dropped(&action(&inner), "action", "<content> does not belong");
    }
    for kind in ["get", "rm", "ls", "mkdir", "search", "set"] {
        let inner = format!(
            "<kind>{kind}</kind>{target}<source_path>/storage/b</source_path><content>x</content>"
        );
        check_dropped(&action(&inner), "action", "does not belong");
    }
    let twice = format!("<kind>get</kind>{target}{target}");
    check_dropped(&action(&twice), "action", "stands twice");
    let both = format!("<kind>search</kind>{target}<content>a</content><query>b</query>");
    check_dropped(&action(&both), "action", "not both");
    // The whole form, with what is not needed left empty, is a small model's habit.
    let text = action(&format!(
        "<kind>ls</kind>{target}<source_path></source_path><content/>"
    ));
    assert_eq!(instructions(&text, &with_every_tag()), [ls("/storage/a")]);
    let parsed = parse(&text, &with_every_tag());
    assert!(parsed.instructions[0].repaired && parsed.diagnostics.len() == 2);
    assert!(!parse(&text, &strict_with_every_tag()).ok);
}

#[test]
fn the_parent_decides_what_an_action_is() {
    let call = "<action><kind>ls</kind><target_path>/storage</target_path></action>";
    let block = "<action><store><key>k</key><value>v</value></store></action>";
    let stored = Instruction::Action {
        store: vec![Store {
            key: "k".to_owned(),
            value: "v".to_owned(),
            tags: Vec::new(),
        }],
        context_keys: Vec::new(),
    };
    check_clean(call, &[ls("/storage")]);
    check_clean(block, std::slice::from_ref(&stored));
    check_clean(
        &format!("<actions>{call}</actions>{block}"),
        &[ls("/storage"), stored],
    );
    check_dropped(&format!("<actions>{block}</actions>"), "action", "<kind>");
    check_dropped(
        "<action><kind>ls</kind><target_path>/storage</target_path><store><key>k</key></store></action>",
        "action",
        "does not belong in <action>",
    );
}

#[test]
fn each_dialect_has_its_switch_and_its_names_mean_nothing_without_one() {
    let allow = |tags: &[Tag]| ParseOptions {
        allowed_tags: tags
            .iter()
            .copied()
            .chain([Tag::StateAdd])
            .collect::<AllowedTags>(),
        ..lenient()
    };
    let kept = "<state_add><state>idle</state></state_add>\n";
    let call = "<action><kind>ls</kind><target_path>/storage</target_path></action>";
    let block = "<action><context_keys>a</context_keys></action>";
    let options = allow(&[Tag::Action]);
    assert_eq!(dropped(&format!("{kept}{call}"), &options).len(), 1);
    assert_eq!(instructions(&format!("{kept}{block}"), &options).len(), 2);
    let options = allow(&[Tag::Actions]);
    assert_eq!(instructions(&format!("{kept}{call}"), &options).len(), 2);
    assert_eq!(dropped(&format!("{kept}{block}"), &options).len(), 1);
    let options = allow(&[Tag::Thinking]);
    assert_eq!(
        dropped(
            &format!("{kept}<paging><archive>a</archive></paging>"),
            &options
        )
        .len(),
        1
    );
    // Without a switch the words are those of any unknown element.
    for text in [
        action("<kind>ls</kind><target_path>/storage</target_path>"),
        "<thinking>I will <b>think</b>, </thinking>".to_owned(),
    ] {
        let both = format!("{kept}{text}");
        let name = if text.contains("actions") {
            "actions"
        } else {
            "thinking"
        };
        let expected = [(name.to_owned(), Code::InstructionInvalid)];
        assert_eq!(dropped(&both, &lenient()), expected, "{text}");
        assert!(!parse(&both, &strict()).ok);
    }
    let value = "<content>a</content><store>b</store>";
    let text = format!("<ram_add><key>k</key><value>{value}</value></ram_add>");
    for options in [lenient(), with_every_tag()] {
        assert_eq!(instructions(&text, &options), [ram_add("k", value)]);
    }
}

#[test]
fn content_is_text_up_to_its_own_end() {
    let table = [
        ("a &lt; b &amp; c", "a < b & c"),
        ("<![CDATA[<actions>]]>", "<actions>"),
    ];
    for (written, content) in table {
        let inner = format!(
            "<kind>set</kind><target_path>/storage/a</target_path><content>{written}</content>"
        );
        check_clean(&action(&inner), &[set("/storage/a", content)]);
    }
    let forged =
        "see <action><kind>rm</kind><target_path>/storage</target_path></action> here < there";
    let inner =
        format!("<kind>set</kind><target_path>/storage/a</target_path><content>{forged}</content>");
    let found = instructions(&action(&inner), &with_every_tag());
    assert_eq!(found, [set("/storage/a", forged)]);
}

#[test]
fn what_holds_the_calls_together_is_repaired_and_holds_nothing_else() {
    let call = "<action><kind>ls</kind><target_path>/storage</target_path></action>";
    let one = [ls("/storage")];
    for text in [
        format!("<actions>{call}"),
        format!("{call}</actions>"),
        format!("<actions>{}</actions>", call.replace("</action>", "")),
        format!("<actions></actions>{call}"),
        format!("<actions/>{call}"),
        format!("<reply><actions>{call}</actions></reply>"),
        format!("```xml\n<actions>\n{call}\n</actions>\n```"),
        format!("<think>hm</think><actions>{call}</actions>"),
        format!("<actions>{call}</actions><actions>"),
        format!("<actions><mood>good</mood>{call}</actions>"),
        format!("<actions>Now: {call}</actions>"),
        format!(
            "<actions>{}</actions>",
            call.replace("<target", "<mood>good</mood><target")
        ),
    ] {
        assert_eq!(instructions(&text, &with_every_tag()), one, "{text}");
        assert!(!parse(&text, &strict_with_every_tag()).ok, "{text}");
    }
    let mixed = format!("<actions>{call}<ram_add><key>k</key><value>v</value></ram_add></actions>");
    let expected = [ls("/storage"), ram_add("k", "v")];
    assert_eq!(instructions(&mixed, &with_every_tag()), expected);
    for text in [
        "<actions></actions>",
        "<actions>",
        "<actions x='1'></actions>",
        &format!("<actions>{call}</actions x='1'>"),
        &format!(
            "<actions>{}</actions>",
            call.replace("<kind>", "<kind a='b'>")
        ),
        &format!("<actions>{}", call.replace("</target_path>", "</content>")),
    ] {
        let refused = error_of(text, &with_every_tag());
        assert_eq!(refused, Some(Code::XmlParseError), "{text}");
    }
}

#[test]
fn a_call_or_block_that_was_cut_off_is_never_returned() {
    let options = ParseOptions {
        truncated: true,
        ..with_every_tag()
    };
    let whole = "<actions><action><kind>ls</kind><target_path>/storage</target_path></action>";
    for cut in [
        "<action><kind>rm</kind><target_path>/storage/a</target_path></action>",
        "<action><store><key>k</key><value>v</value></store></action>",
        "<paging><delete>a, b</delete></paging>",
    ] {
        for (end, _) in cut.char_indices().skip(2) {
            let text = format!("{whole}{}", &cut[..end]);
            assert_eq!(instructions(&text, &options), [ls("/storage")], "{text}");
            let codes = dropped(&text, &options);
            assert!(
                codes
                    .iter()
                    .all(|(_, code)| *code == Code::LlmReplyTruncated)
            );
            assert!(instructions(&cut[..end], &options).is_empty());
        }
    }
    assert!(instructions("<paging><delete>a", &truncated()).is_empty());
}

#[test]
fn thinking_has_three_parts() {
    let text = "<thinking>\n<analysis>Situation analysis</analysis>\n\
        <planning>Strategic planning</planning>\n\
        <context_keys>key1,key2,key3</context_keys>\n</thinking>\n";
    let thinking = |planning: Option<&str>, keys: &[&str]| Instruction::Thinking {
        analysis: Some("Situation analysis".to_owned()),
        planning: planning.map(str::to_owned),
        context_keys: words(keys),
    };
    check_clean(
        text,
        &[thinking(
            Some("Strategic planning"),
            &["key1", "key2", "key3"],
        )],
    );
    let part = "<thinking><analysis>Situation analysis</analysis></thinking>";
    check_clean(part, &[thinking(None, &[])]);
    check_dropped("<thinking></thinking>", "thinking", "needs one of");
    check_dropped("<thinking>hm, hm</thinking>", "thinking", "text outside");
}

#[test]
fn the_blocks_have_the_parts_that_are_documented() {
    let text = "<action><store><key>tea</key><value>{\"tin\": \"red\"}</value>\
        <tags>tea, kitchen</tags></store>\n\
        <store><value>v</value><key>pin</key></store><context_keys>tea</context_keys></action>";
    let store = |key: &str, value: &str, tags: &[&str]| Store {
        key: key.to_owned(),
        value: value.to_owned(),
        tags: words(tags),
    };
    let stored = Instruction::Action {
        store: vec![
            store("tea", "{\"tin\": \"red\"}", &["tea", "kitchen"]),
            store("pin", "v", &[]),
        ],
        context_keys: words(&["tea"]),
    };
    check_clean(text, &[stored]);
    let open = text.replace("</store>\n<store>", "\n<store>");
    assert_eq!(
        instructions(&open, &with_every_tag()),
        instructions(text, &with_every_tag())
    );
    let table = [
        ("<store><key>k</key></store>", "<value> is missing"),
        ("<store><value>k</value></store>", "<key> is missing"),
        (
            "<store><key> </key><value>v</value></store>",
            "<key> is missing",
        ),
        ("<key>k</key><value>v</value>", "outside <store>"),
        (
            "<store><key>k</key><key>k</key><value>v</value></store>",
            "stands twice",
        ),
        (
            "<store><context_keys>a</context_keys></store>",
            "does not belong in <store>",
        ),
        (
            "<context_keys>a</context_keys><context_keys>a</context_keys>",
            "stands twice",
        ),
        ("<archive>a</archive>", "does not belong in <action>"),
        ("<store/>", "<key> is missing"),
        ("", "needs"),
    ];
    for (inner, words) in table {
        check_dropped(&format!("<action>{inner}</action>"), "action", words);
    }
}

#[test]
fn an_evaluation_has_numbers_and_advice() {
    let text = "<evaluation><quality>0.8</quality><enrichment>3</enrichment>\
        <progress>0.25</progress><recommendations>More tea.</recommendations></evaluation>";
    let expected = Instruction::Evaluation {
        quality: number(0.8),
        enrichment: number(3.0),
        progress: number(0.25),
        recommendations: Some("More tea.".to_owned()),
    };
    check_clean(text, &[expected]);
    for wrong in ["1.1", "-0.1", "NaN", "inf", "half", "80%", "0,5"] {
        let text = format!("<evaluation><progress>{wrong}</progress></evaluation>");
        check_dropped(&text, "evaluation", "from 0 to 1");
    }
    check_dropped(
        "<evaluation><quality>-1</quality></evaluation>",
        "evaluation",
        "from 0",
    );
}

#[test]
fn paging_names_keys_with_commas_between_them() {
    let text = "<paging><archive> old plan , tea,,\u{17c},tea, </archive>\
        <retrieve>pin</retrieve><delete>\n</delete></paging>";
    check_clean(
        text,
        &[paging(&["old plan", "tea", "\u{17c}"], &["pin"], &[])],
    );
    let lines = "<paging><delete>a\nb\n\nb</delete></paging>";
    check_clean(lines, &[paging(&[], &[], &["a", "b"])]);
    let many: Vec<String> = (0..65).map(|number| number.to_string()).collect();
    let many = many.join(",");
    let text = format!("<paging><archive>{many}</archive></paging>");
    check_dropped(&text, "paging", "names more than 64");
    let hidden = "<paging><archive>a\u{202e}b</archive></paging>";
    check_dropped(hidden, "paging", "invisible");
}

#[test]
fn blocks_are_plain_tags_around_plain_text() {
    let mood = "<evaluation><mood>good <b>very</b> <mood>x</mood></mood><quality>1</quality><gap/></evaluation>";
    let expected = Instruction::Evaluation {
        quality: number(1.0),
        enrichment: None,
        progress: None,
        recommendations: None,
    };
    // An unknown part is stepped over, and said.
    assert_eq!(instructions(mood, &with_every_tag()), [expected]);
    let parsed = parse(mood, &with_every_tag());
    assert_eq!(parsed.diagnostics.len(), 2);
    assert!(
        parsed
            .diagnostics
            .iter()
            .all(|found| found.message.contains("stepped over"))
    );
    assert!(!parse(mood, &strict_with_every_tag()).ok);
    check_dropped("<paging><mood>x</paging>", "paging", "not closed");
    check_dropped(
        "<paging><archive>a</archive><mood><ram_add></mood></paging>",
        "paging",
        "not closed",
    );
    // A misspelt block is an unknown element; a self-closing one has no parts.
    check_dropped(
        "<Paging><archive>a</archive></Paging>",
        "Paging",
        "is not an instruction",
    );
    check_dropped(
        "<pagings><archive>a</archive></pagings>",
        "pagings",
        "is not an instruction",
    );
    check_dropped("<paging/>", "paging", "needs one of");
    for text in [
        "<paging a='b'><archive>a</archive></paging>",
        "<paging><archive a='b'>a</archive></paging>",
        "<thinking><analysis>a</analysis></paging>",
    ] {
        for options in [with_every_tag(), strict_with_every_tag()] {
            assert_eq!(
                error_of(text, &options),
                Some(Code::XmlParseError),
                "{text}"
            );
        }
    }
    let kept = "a &lt; b; \"c\" 'd' {e}\n\n  f";
    let text = format!("<thinking><analysis>{kept}</analysis></thinking>");
    let thinking = Instruction::Thinking {
        analysis: Some(kept.replace("&lt;", "<")),
        planning: None,
        context_keys: Vec::new(),
    };
    check_clean(&text, &[thinking]);
}

#[test]
fn the_example_of_a_right_call_is_made_of_the_wrong_one() {
    for (wrong, example) in [
        (
            action(
                "<kind>rm</kind><target_path>/storage/x &amp; y</target_path><content>a</content>",
            ),
            "<actions><action><kind>rm</kind><target_path>/storage/x &amp; y</target_path></action></actions>",
        ),
        (
            action("<kind>write</kind><target_path>/storage/x</target_path>"),
            "<actions><action><kind>ls</kind><target_path>/storage</target_path></action></actions>",
        ),
        (
            "<record_search><ids> </ids></record_search>".to_owned(),
            "<record_search><query>green tea</query></record_search>",
        ),
    ] {
        let parsed = parse(&wrong, &with_every_tag());
        let mut shown = parsed
            .diagnostics
            .iter()
            .filter_map(|it| it.example.as_ref());
        let is_shown = shown.any(|shown| shown.text == example);
        assert!(is_shown, "{wrong}: {:?}", parsed.diagnostics);
        // An example that is itself wrong would be copied.
        assert_eq!(instructions(example, &strict_with_every_tag()).len(), 1);
    }
}

#[test]
fn the_printed_form_of_the_dialects_is_flat() {
    let text = "<actions><action><kind>mv</kind><source_path>/a</source_path>\
        <target_path>/b</target_path></action><action><kind>search</kind>\
        <target_path>/storage</target_path><content>tea</content></action></actions>\
        <evaluation><quality>0.8</quality></evaluation><paging><archive>a</archive></paging>\
        <action><store><key>k</key><value>v</value></store></action>";
    let parsed = serde_json::to_value(parse(text, &with_every_tag())).unwrap_or(Value::Null);
    let expected = json!([
        {"op": "mv", "source_path": "/a", "target_path": "/b"},
        {"op": "search", "target_path": "/storage", "query": "tea"},
        {"op": "evaluation", "quality": 0.8},
        {"op": "paging", "archive": ["a"], "retrieve": [], "delete": []},
        {"op": "action", "store": [{"key": "k", "value": "v", "tags": []}], "context_keys": []},
    ]);
    assert_eq!(parsed["instructions"], expected);
}
