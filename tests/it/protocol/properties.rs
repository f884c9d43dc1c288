//! What holds for every text: the parser's promises, and that escaped text stays text.

use super::{check_promises, lenient, strict, truncated, with_every_tag};
use kjxlkj_agent::core::protocol::{Instruction, ParseOptions, escape, parse};
use proptest::prelude::*;

/// Pieces that replies are made of, and that attacks are made of.
const PIECES: &[&str] = &[
    "<ram_add>",
    "</ram_add>",
    "<ram_add/>",
    "<key>",
    "</key>",
    "<value>",
    "</value>",
    "<value/>",
    "<record_add>",
    "</record_add>",
    "<keywords>",
    "</keywords>",
    "<state_add>",
    "</state_add>",
    "<state>",
    "</state>",
    "idle",
    "<record_issue>",
    "</record_issue>",
    "<metadata>",
    "</metadata>",
    "<record_search>",
    "</record_search>",
    "<ids>",
    "</ids>",
    "<id>",
    "</id>",
    "<record_delete>",
    "</record_delete>",
    "<foo>",
    "</foo>",
    "<foo/>",
    "<foo a='>'>",
    "<think>",
    "</think>",
    "<!--",
    "-->",
    "<![CDATA[",
    "]]>",
    "<!DOCTYPE x>",
    "<?pi?>",
    "<",
    ">",
    "&",
    "&lt;",
    "&#x41;",
    "&nope;",
    "```",
    "\n",
    " ",
    "x",
    "</",
    "<ram_add x='1'>",
    "\0",
    "\u{feff}",
    "\u{17c}",
    "{\"a\":1}",
    "<ram_add",
    "</val",
    "<actions>",
    "</actions>",
    "<action>",
    "</action>",
    "<action><kind>rm</kind><target_path>/storage/a</target_path></action>",
    "<target_path>",
    "</target_path>",
    "<kind>",
    "</kind>",
    "set",
    "<content>",
    "</content>",
    "<store>",
    "</store>",
    "<paging>",
    "</paging>",
    "<archive>",
    "</archive>",
    "<thinking>",
    "</thinking>",
];

/// A small reply out of whole instructions and pieces.
fn reply() -> impl Strategy<Value = String> {
    let whole = Just("<ram_add><key>k</key><value>v</value></ram_add>");
    let piece = prop_oneof![1 => whole, 12 => proptest::sample::select(PIECES)];
    proptest::collection::vec(piece, 0..24).prop_map(|pieces| pieces.concat())
}

/// Pieces that close nothing.
fn opening_pieces() -> impl Strategy<Value = String> {
    let pieces: Vec<&str> = PIECES
        .iter()
        .copied()
        .filter(|piece| !piece.contains("</"))
        .collect();
    let piece = proptest::sample::select(pieces);
    proptest::collection::vec(piece, 0..24).prop_map(|pieces| pieces.concat())
}

/// Any characters, the dangerous ones often.
fn any_text() -> impl Strategy<Value = String> {
    let odd = proptest::char::ranges(
        vec![
            '\0'..='\u{ff}',
            '\u{2000}'..='\u{206f}',
            '\u{e0000}'..='\u{e007f}',
        ]
        .into(),
    );
    let c = prop_oneof![
        any::<char>(),
        odd,
        proptest::sample::select(vec!['<', '>', '&', '[', '\n'])
    ];
    let text = proptest::collection::vec(c, 0..60).prop_map(String::from_iter);
    let markers = [
        "[INST]",
        "<|im_start|>",
        "</value></ram_add>",
        "]]>",
        "&amp;",
    ];
    (text, proptest::sample::select(markers.to_vec())).prop_map(|(text, marker)| {
        let middle = text.char_indices().nth(text.chars().count() / 2);
        let (before, after) = text.split_at(middle.map_or(0, |(at, _)| at));
        format!("{before}{marker}{after}")
    })
}

fn embed(text: &str) -> String {
    format!(
        "<ram_add><key>k</key><value>{}</value></ram_add>",
        escape(text)
    )
}

/// The value of the one instruction that a reply must consist of.
fn only_value(reply: &str) -> Option<String> {
    let parsed = parse(reply, &strict());
    let [only] = <[_; 1]>::try_from(parsed.instructions).ok()?;
    let Instruction::RamAdd { key, value } = only.instruction else {
        return None;
    };
    (key == "k").then_some(value)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text_gets_an_answer(text in any_text()) {
        for options in [lenient(), strict(), truncated(), with_every_tag()] {
            check_promises(&text, &parse(&text, &options));
        }
    }

    #[test]
    fn any_heap_of_tags_gets_an_answer(text in reply()) {
        for options in [lenient(), strict(), truncated(), with_every_tag()] {
            check_promises(&text, &parse(&text, &options));
        }
    }

    #[test]
    fn strict_mode_accepts_only_what_the_default_mode_reads_alike(text in reply()) {
        let parsed = parse(&text, &strict());
        if parsed.ok {
            prop_assert_eq!(&parsed, &parse(&text, &lenient()));
        }
        let all = ParseOptions { strict: true, ..with_every_tag() };
        let parsed = parse(&text, &all);
        if parsed.ok {
            prop_assert_eq!(&parsed, &parse(&text, &with_every_tag()));
        }
    }

    #[test]
    fn escaped_text_stays_one_value(text in any_text()) {
        prop_assert!(only_value(&embed(&text)).is_some(), "{}", embed(&text));
        let escaped = escape(&text);
        prop_assert!(!escaped.contains(['<', '>']));
        prop_assert!(!escaped.contains("[INST]"));
        prop_assert!(escaped.chars().all(|c| !c.is_control() || c == '\n' || c == '\t'));
        let invisible = ['\u{202e}', '\u{200b}', '\u{e0041}'];
        prop_assert!(!escaped.contains(invisible));
    }

    #[test]
    fn ordinary_text_comes_back_unchanged(text in "[ -~\n\t\u{a1}-\u{ac}\u{3b1}-\u{3c9}\u{4e00}-\u{4eff}\u{1f600}-\u{1f64f}]{0,80}") {
        let expected = text.trim_matches([' ', '\t', '\r', '\n']);
        prop_assert_eq!(only_value(&embed(&text)), Some(expected.to_owned()));
    }

    #[test]
    fn tags_in_stored_text_come_back_as_text(text in reply()) {
        let ordinary: String = text.chars().filter(|c| *c != '\0' && *c != '\u{feff}').collect();
        prop_assert_eq!(only_value(&embed(&ordinary)), Some(ordinary.trim().to_owned()));
    }

    #[test]
    fn a_value_without_a_closing_tag_lets_no_instruction_out(text in opening_pieces()) {
        let reply = format!("<ram_add><key>k</key><value>{text}</value></ram_add>");
        prop_assert!(parse(&reply, &with_every_tag()).instructions.len() <= 1);
    }
}
