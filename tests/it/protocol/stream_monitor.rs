//! Ending a reply early: what is cut off is never an instruction that would have been the first of
//! its kind, however the text arrives, and what has to go on goes on.

use kjxlkj_agent::core::protocol::{
    AllowedTags, EarlyStop, Instruction, ParseOptions, StopPoint, StreamMonitor, Tag, parse,
};
use proptest::prelude::*;
use std::fs;

const ADD: &str = "<record_add><keywords>tea</keywords><value>green</value></record_add>";
const SEARCH: &str = "<record_search><query>tea</query></record_search>";

fn watched<'a>(pieces: impl IntoIterator<Item = &'a str>) -> (Option<StopPoint>, String) {
    let mut monitor = StreamMonitor::new(AllowedTags::shipped());
    let mut stop = None;
    for piece in pieces {
        stop = monitor.push(piece);
        if stop.is_some() {
            break;
        }
    }
    (stop, monitor.into_text(stop))
}

fn one_by_one(text: &str) -> (Option<StopPoint>, String) {
    watched(
        text.char_indices()
            .map(|(at, c)| &text[at..at + c.len_utf8()]),
    )
}

fn instructions(text: &str, truncated: bool) -> Vec<Instruction> {
    let options = ParseOptions {
        allowed_tags: AllowedTags::shipped(),
        truncated,
        ..ParseOptions::default()
    };
    let mut found: Vec<Instruction> = Vec::new();
    for located in parse(text, &options).instructions {
        if !found.contains(&located.instruction) {
            found.push(located.instruction);
        }
    }
    found
}

#[test]
#[expect(clippy::too_many_lines, reason = "a table")]
fn a_tail_is_ended_and_a_reply_is_not() {
    let sentence = |number: usize| format!("Thing number {number} is done now, as you asked me. ");
    let prose: String = (0..30).map(sentence).collect();
    assert!(prose.len() > 1200);
    let invented = "<record_fetch><key>a</key></record_fetch>";
    let slip = format!("{ADD}{invented}{SEARCH}{invented}{invented}");
    let list = format!("1. {ADD}\n2. {SEARCH}\n");
    let commas = format!("<ram_add><key>plan</key><value>{}", "tea, ".repeat(200));
    let rows: Vec<(&str, String, Option<EarlyStop>, &str)> = vec![
        (
            "prose after that says the same again and again",
            format!("{ADD}\n{prose}"),
            Some(EarlyStop::Repetition),
            ADD,
        ),
        (
            "an echo",
            format!("{ADD}\n<time>now</time><state>planning</state><request>a</request>{SEARCH}"),
            Some(EarlyStop::Complete),
            ADD,
        ),
        (
            "one invented tag after the other",
            format!("{ADD}{}", invented.repeat(3)),
            Some(EarlyStop::ForeignTag),
            &format!("{ADD}{}", invented.repeat(2)),
        ),
        ("an invented tag, and on", slip.clone(), None, &slip),
        (
            "a paragraph between",
            format!("{ADD}{}{SEARCH}", &prose[..1150]),
            None,
            &format!("{ADD}{}{SEARCH}", &prose[..1150]),
        ),
        (
            "the same again and again",
            ADD.repeat(5),
            Some(EarlyStop::Repetition),
            &ADD.repeat(2),
        ),
        ("numbers between", list.clone(), None, &list),
        (
            "prose before",
            format!("{prose}{ADD}"),
            None,
            &format!("{prose}{ADD}"),
        ),
        (
            "a wrapper",
            format!("<answer>{ADD}{SEARCH}</answer>"),
            None,
            &format!("<answer>{ADD}{SEARCH}</answer>"),
        ),
        (
            "drafts in thought",
            format!("<think>{}</think>{SEARCH}", ADD.repeat(5)),
            None,
            &format!("<think>{}</think>{SEARCH}", ADD.repeat(5)),
        ),
        (
            "a comment",
            format!("{ADD}<!-- {prose}{ADD} -->{SEARCH}"),
            None,
            &format!("{ADD}<!-- {prose}{ADD} -->{SEARCH}"),
        ),
        (
            "a list in a value",
            commas,
            Some(EarlyStop::Repetition),
            "<ram_add><key>plan</key><value>tea, ",
        ),
    ]
    .into_iter()
    .map(|(name, text, reason, kept)| (name, text, reason, &*kept.to_owned().leak()))
    .collect();
    for (name, text, reason, kept) in rows {
        for (stop, text) in [one_by_one(&text), watched([text.as_str()])] {
            assert_eq!(stop.map(|stop| stop.reason), reason, "{name}");
            if let Some(StopPoint {
                reason: EarlyStop::Repetition,
                truncated: true,
                ..
            }) = stop
            {
                // How much of the endless text has arrived does not matter.
                assert!(text.starts_with(kept) && text.len() < 200, "{name}: {text}");
            } else {
                assert_eq!(text, kept, "{name}");
            }
        }
    }
}

/// One that begins with elements that are none, or none that it may use, does not come to its senses.
#[test]
fn strangers_before_the_first_instruction_are_ended_and_what_stands_around_it_is_not() {
    let refused = "<record_delete><record_id>7</record_id></record_delete>";
    // Not word for word the same, which is another reason to end it.
    let invented = |many: usize| -> String {
        let one = |number| format!("<record_fetch><key>{number}</key></record_fetch>");
        (0..many).map(one).collect()
    };
    let echo = "<time>now</time><state>planning</state><request>a</request>";
    let rows = [
        (refused.repeat(900), Some(refused.repeat(2))),
        (
            format!("Well.\n{}", invented(1300)),
            Some(format!("Well.\n{}", invented(16))),
        ),
        (format!("{}{SEARCH}", refused.repeat(2)), None),
        (format!("{}{SEARCH}", invented(16)), None),
        (
            format!("{}{SEARCH}{}{ADD}", invented(16), invented(2)),
            None,
        ),
        (format!("{}{SEARCH}", echo.repeat(6)), None),
        (format!("<think>{}</think>{SEARCH}", invented(40)), None),
        (
            format!("{}{SEARCH}", "<thinking>hm</thinking>".repeat(5)),
            None,
        ),
        (format!("<!-- {} -->{SEARCH}", invented(40)), None),
        (
            format!("```xml\n<answer><steps>{SEARCH}</steps></answer>\n```"),
            None,
        ),
        (format!("{}{SEARCH}", "1 < 2 and 3 </li> ".repeat(20)), None),
    ];
    for (text, kept) in rows {
        for (stop, left) in [one_by_one(&text), watched([text.as_str()])] {
            let reason = stop.map(|stop| (stop.reason, stop.truncated));
            let expected = kept.as_ref().map(|_| (EarlyStop::ForeignTag, false));
            assert_eq!(reason, expected, "{:?}", text.get(..80));
            assert_eq!(&left, kept.as_ref().unwrap_or(&text));
        }
    }
}

/// What a model explains, however long, costs no instruction; only half of its room does.
#[test]
fn an_instruction_after_a_long_explanation_is_not_lost() {
    let word = |number: usize| {
        let letters = (0..4).map(|place| {
            char::from(b'a' + u8::try_from(number / 7_usize.pow(place) % 23).unwrap_or_default())
        });
        letters.collect::<String>() + " "
    };
    let explained: String = (0..1500).map(|number| word(number * 37)).collect();
    assert!(explained.len() > 6000);
    let text = format!("{ADD}{explained}{SEARCH}");
    for (stop, kept) in [one_by_one(&text), watched([text.as_str()])] {
        assert_eq!((stop, kept), (None, text.clone()));
    }
    for (max_tokens, reason) in [(4096, None), (2048, Some(EarlyStop::Complete))] {
        let mut monitor = StreamMonitor::new(AllowedTags::shipped()).within(max_tokens);
        let stop = text
            .split_inclusive(' ')
            .find_map(|piece| monitor.push(piece));
        assert_eq!(stop.map(|stop| stop.reason), reason, "{max_tokens}");
    }
}

#[test]
fn tool_calls_and_blocks_are_ended_as_the_rest() {
    let allowed: AllowedTags = Tag::ALL.into_iter().collect();
    let call =
        "<actions><action><kind>ls</kind><target_path>/storage</target_path></action></actions>";
    let block = "<paging><archive>tea</archive></paging>";
    let alone = "<action><store><key>tea</key><value>v</value></store></action>";
    let sentence = |time: usize| format!(" And so it goes on, for time {time}.");
    let prose: String = (0..50).map(sentence).collect();
    for one in [call, block, alone] {
        let mut monitor = StreamMonitor::new(allowed);
        let stop = monitor.push(&format!("{one}{SEARCH}{prose}")).unwrap();
        assert_eq!(
            (stop.reason, stop.truncated),
            (EarlyStop::Repetition, false)
        );
        assert_eq!(monitor.into_text(Some(stop)), format!("{one}{SEARCH}"));
        let stop = StreamMonitor::new(allowed).push(&one.repeat(4)).unwrap();
        assert_eq!(stop.reason, EarlyStop::Repetition, "{one}");
        assert_eq!(
            StreamMonitor::new(allowed).push(&format!("{one}{SEARCH}")),
            None
        );
        // Where they are not switched on they are strangers like any other.
        let many = format!("{SEARCH}{}", one.repeat(3));
        let stop = StreamMonitor::new(AllowedTags::shipped())
            .push(&many)
            .unwrap();
        assert_eq!(stop.reason, EarlyStop::ForeignTag, "{one}");
    }
}

#[test]
#[expect(clippy::disallowed_methods, reason = "test data")]
fn recorded_replies_keep_their_instructions_and_lose_their_tails() {
    let (mut saved, mut whole, mut cuts) = (0, 0, 0);
    let folder = fs::read_dir("tests/corpus/model-outputs").unwrap();
    for path in folder.map(|entry| entry.unwrap().path()) {
        if path.extension().is_none_or(|end| end != "txt") {
            continue;
        }
        let full = fs::read_to_string(&path).unwrap();
        let (stop, kept) = one_by_one(&full);
        let truncated = stop.is_some_and(|stop| stop.truncated);
        let all = instructions(&full, true);
        let found = instructions(&kept, truncated || stop.is_none());
        assert!(
            all.is_empty() || all.starts_with(&found) || found.starts_with(&all),
            "{}: {found:?} of {all:?}",
            path.display()
        );
        assert!(!found.is_empty() || all.is_empty(), "{}", path.display());
        if stop.is_some_and(|stop| stop.reason == EarlyStop::ForeignTag) {
            assert_eq!(found, all, "{}", path.display());
        }
        whole += full.len();
        saved += full.len() - kept.len();
        cuts += usize::from(stop.is_some());
    }
    assert!(cuts > 5, "{cuts} replies were ended early");
    assert!(
        saved * 100 > whole,
        "{saved} bytes of {whole} were not waited for"
    );
}

proptest! {
    /// However a text is cut into pieces, nothing panics and nothing is made up.
    #[test]
    fn any_text_in_any_pieces(
        parts in prop::collection::vec(prop::sample::select(vec![
            ADD, SEARCH, "<think>", "</think>", "<!--", "-->", "<", "prose ", "\u{8336}", "<state>",
            "</record_add>", "<record_add>", "<ram_add><key>a</key><value>b</value></ram_add>",
        ]), 0..40),
        step in 1_usize..9,
    ) {
        let text = parts.concat();
        let characters: Vec<char> = text.chars().collect();
        let pieces: Vec<String> = characters.chunks(step).map(|it| it.iter().collect()).collect();
        let (stop, kept) = watched(pieces.iter().map(String::as_str));
        prop_assert!(text.starts_with(&kept));
        prop_assert!(stop.is_some() || kept == text);
    }
}
