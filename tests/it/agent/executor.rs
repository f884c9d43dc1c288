//! What single instructions do to RAM and notes, and what the next prompt tells of it.

use super::{
    ABROAD, Sim, codes, note, note_id, outcomes, ram_add, record_add, record_update, results,
    search,
};
use kjxlkj_agent::core::agent::LoopState::{Evaluating, Executing, Planning};
use kjxlkj_agent::core::agent::TOOLS;
use kjxlkj_agent::core::journal::event::InstructionOutcome;
use kjxlkj_agent::core::memory::ThinkLogSource;
use kjxlkj_agent::core::protocol::Tag;
use kjxlkj_agent::failure::Code;
use kjxlkj_agent::limits::{RESULT_ITEMS_MAX, RESULT_TEXT_CHARS_MAX};
use serde_json::json;

#[test]
fn instructions_run_in_document_order_and_deleting_twice_is_harmless() {
    let mut sim = Sim::in_state(Planning, Some("x"));
    sim.set("j", json!("there"));
    let gone = "<ram_delete><key>j</key></ram_delete>";
    let decision = sim.turn(&[&ram_add("k", "1"), &ram_add("k", "2"), gone, gone].concat());
    assert_eq!(sim.ram("k"), "2");
    assert_eq!(sim.ram("j"), json!(null));
    assert!(
        outcomes(&decision)
            .iter()
            .all(|(_, outcome, _)| *outcome == InstructionOutcome::Applied)
    );
}

#[test]
fn typed_keys_keep_their_types() {
    let mut sim = Sim::in_state(Planning, Some("the request"));
    sim.turn(
        &[
            ram_add("plan,steps", "1. buy tea\n2. brew it"),
            ram_add("plan", "[1]"),
        ]
        .concat(),
    );
    assert_eq!(sim.ram("steps"), json!(["buy tea", "brew it"]));
    assert_eq!(sim.ram("plan"), "[1]");
    let decision = sim.turn(
        &[
            ram_add(
                "context",
                "{\"topic\": \"tea\", \"user_request\": \"forged\"}",
            ),
            ram_add("mood", "{\"a\": [1]}"),
        ]
        .concat(),
    );
    assert_eq!(
        sim.ram("context"),
        json!({"topic": "tea", "user_request": "the request"})
    );
    assert_eq!(sim.ram("mood"), json!({"a": [1]}));
    assert_eq!(codes(&decision), [None, None]);
    sim.set("state", json!("planning"));
    let delete = |key: &str| format!("<ram_delete><key>{key}</key></ram_delete>");
    sim.turn(
        &["plan", "steps", "context", "think_log"]
            .map(delete)
            .concat(),
    );
    assert_eq!(sim.ram("steps"), json!([]));
    assert_eq!(sim.ram("plan"), "");
    assert_eq!(
        sim.ram("context"),
        json!({"user_request": "the request"}),
        "the person's part stays"
    );
}

#[test]
fn a_long_request_does_not_stand_in_the_way_of_context() {
    let mut sim = Sim::in_state(Planning, Some(&"w".repeat(60_000)));
    assert_eq!(codes(&sim.decide(&ram_add("context", "topic"))), [None]);
}

#[test]
fn who_writes_think_log() {
    use ThinkLogSource::{Auto, Model, Reasoning};
    let own = ram_add("think_log", "my own");
    let none = ram_add("a", "1");
    let cases = [
        (Auto, &own, Some("thought"), "my own"),
        (Auto, &none, Some("thought"), "thought"),
        (Auto, &none, Some("  "), ""),
        (Auto, &none, None, ""),
        (Reasoning, &own, Some("thought"), "thought"),
        (Reasoning, &own, None, ""),
        (Model, &own, Some("thought"), "my own"),
        (Model, &none, Some("thought"), "before"),
    ];
    for (source, text, reasoning, expected) in cases {
        let mut sim = Sim::in_state(Planning, Some("x"));
        sim.memory.think_log_source = source;
        sim.set("think_log", json!("before"));
        let parsed = sim.parse(text);
        let decision = sim.decide_parsed(&parsed, reasoning);
        sim.apply(&decision.draft);
        assert_eq!(sim.ram("think_log"), expected, "{source:?} {reasoning:?}");
    }
    // A think block counts as reasoning, and everything is cut, long before any limit is met.
    let mut sim = Sim::in_state(Planning, Some("x"));
    sim.turn(&format!("<think>hm</think>{none}"));
    assert_eq!(sim.ram("think_log"), "hm");
    let decision = sim.turn(&ram_add("think_log", &"\u{8a9e}".repeat(10_000)));
    assert_eq!(codes(&decision), [None]);
    assert_eq!(sim.ram("think_log").as_str().unwrap().chars().count(), 512);
}

#[test]
fn search_shows_own_notes_only_with_ids_and_versions() {
    let mut foreign = note(2, "Tea abroad", "tea");
    foreign.workspace_id = ABROAD;
    let mut sim = Sim::in_state(Planning, Some("x"))
        .with_note(note(1, "Tea", "green"))
        .with_note(foreign);
    let told = results(&sim.decide(&search("tea")));
    let found: Vec<_> = told[0]
        .items
        .iter()
        .map(|item| (item.id, item.version))
        .collect();
    assert_eq!(found, [(note_id(1), 1)]);
    let by_ids = format!(
        "<record_search><ids>{}, {}, nonsense</ids></record_search>",
        note_id(1),
        note_id(2)
    );
    let told = results(&sim.decide(&by_ids));
    assert_eq!(told[0].items.len(), 1);
    assert!(
        told[0].message.starts_with("not found: "),
        "{}",
        told[0].message
    );
}

#[test]
fn a_search_sees_what_the_same_reply_wrote() {
    let mut sim = Sim::in_state(Executing, Some("x"));
    let told = results(&sim.decide(&(record_add("Fresh", "brand new") + &search("brand"))));
    assert_eq!(told[1].items[0].title, "Fresh");
}

#[test]
fn the_base_version_is_the_one_named_else_the_one_shown() {
    let update = |version: &str| {
        format!("<record_update><key>Tea</key><value>v</value>{version}</record_update>")
    };
    let named = |version: u64| update(&format!("<version>{version}</version>"));
    let conflict = Some(Code::VersionConflict);
    // Never seen: the current version.
    let mut sim = Sim::in_state(Executing, None).with_note(note(1, "Tea", "a"));
    assert_eq!(codes(&sim.decide(&update(""))), [None]);
    assert_eq!(codes(&sim.decide(&named(1))), [None]);
    assert_eq!(codes(&sim.decide(&named(7))), [conflict]);
    // Seen at 1, changed by a person since.
    sim.turn(&search("tea"));
    let mut changed = note(1, "Tea", "the person's");
    changed.version = 2;
    sim.state.notes.put(changed);
    let decision = sim.decide(&update(""));
    assert_eq!(codes(&decision), [conflict]);
    let told = &results(&decision)[0];
    assert_eq!(
        told.items[0].text, "the person's",
        "shown, so that it can be merged"
    );
    assert_eq!(codes(&sim.decide(&named(2))), [None]);
    // Shown by the refusal: the next try is based on that.
    sim.turn(&update(""));
    assert_eq!(codes(&sim.decide(&update(""))), [None]);
    // Its own writes count as seen, within a reply and after it.
    let decision = sim.turn(&(update("") + &record_update("Tea", "w")));
    assert_eq!(codes(&decision), [None, None]);
    assert_eq!(sim.the_note(1).version, 4);
    assert_eq!(codes(&sim.decide(&record_update("Tea", "z"))), [None]);
}

/// A person's text is never replaced by somebody whose prompt had no room for it.
#[test]
fn what_the_prompt_left_out_was_not_shown() {
    let mut sim = Sim::in_state(Executing, None).with_note(note(1, "Tea", "a"));
    sim.turn(&search("tea"));
    sim.turn(&ram_add("n", "1"));
    let mut changed = note(1, "Tea", "the person's");
    changed.version = 2;
    sim.state.notes.put(changed);
    sim.turn(&search("tea"));
    let update = record_update("Tea", "the model's");
    let conflict = Some(Code::VersionConflict);
    sim.has_room = false;
    assert_eq!(codes(&sim.decide(&update)), [conflict]);
    sim.turn(&ram_add("n", "2"));
    assert_eq!(codes(&sim.decide(&update)), [conflict], "nor is it later");
    sim.has_room = true;
    sim.turn(&search("tea"));
    assert_eq!(codes(&sim.decide(&update)), [None]);
}

#[test]
fn what_a_person_edited_meanwhile_is_the_persons() {
    let mut sim = Sim::in_state(Executing, Some("x")).with_note(note(1, "Tea", "a"));
    sim.edited.ram_keys.insert("mine".to_owned());
    sim.edited.notes.insert(note_id(1));
    let issue =
        "<record_issue><key>Tea</key><value>dup</value><metadata>{}</metadata></record_issue>";
    let reply = [
        ram_add("mine", "model's"),
        "<ram_delete><key>mine</key></ram_delete>".to_owned(),
        ram_add("other", "ok"),
        record_update("Tea", "model's"),
        issue.to_owned(),
    ];
    let conflict = Some(Code::VersionConflict);
    let decision = sim.decide(&reply.concat());
    assert_eq!(
        codes(&decision),
        [conflict, conflict, None, conflict, conflict]
    );
}

#[test]
fn steps_and_think_log_that_a_person_edited_meanwhile_stand() {
    let mut sim = Sim::in_state(Executing, Some("x"));
    sim.set("steps", json!(["the person's", "other"]));
    sim.set("think_log", json!("the person's"));
    sim.edited.ram_keys.insert("steps".to_owned());
    sim.edited.ram_keys.insert("think_log".to_owned());
    // Without the edit one step would be done, and the trace would be empty.
    sim.turn(&record_add("T", "v"));
    assert_eq!(sim.ram("steps"), json!(["the person's", "other"]));
    assert_eq!(sim.ram("think_log"), "the person's");
    sim.edited.ram_keys.clear();
    sim.set("state", json!("executing"));
    sim.turn(&record_add("U", "v"));
    assert_eq!(sim.ram("steps"), json!(["other"]));
    assert_eq!(sim.ram("think_log"), "");
}

#[test]
fn a_note_is_found_by_id_then_title_then_keywords() {
    let mut listed = note(2, "Plain", "b");
    listed.keywords = vec!["red".to_owned(), "blue".to_owned()];
    let mut sim = Sim::in_state(Executing, Some("x"))
        .with_note(note(1, "Tea", "a"))
        .with_note(listed)
        .with_note(note(3, "Twin", "c"))
        .with_note(note(4, "Twin", "d"));
    let id = note_id(1).to_string();
    for (key, code) in [
        (id.as_str(), None),
        (" Tea ", None),
        ("blue, red", None),
        ("red", Some(Code::RecordNotFound)),
        ("tea", Some(Code::RecordNotFound)),
        ("Twin", Some(Code::RecordKeyAmbiguous)),
    ] {
        assert_eq!(
            codes(&sim.decide(&record_update(key, "v"))),
            [code],
            "{key}"
        );
    }
    let decision = sim.turn(&record_update("Twin", "v"));
    let shown: Vec<_> = results(&decision)[0]
        .items
        .iter()
        .map(|item| item.id)
        .collect();
    assert_eq!(
        shown,
        [note_id(3), note_id(4)],
        "with these the model can choose"
    );
    sim.turn(&record_update(&note_id(4).to_string(), "v"));
    assert_eq!(sim.run.progress.open_refusals, [], "choosing settles it");
}

#[test]
fn record_delete_works_only_where_it_is_allowed() {
    let delete = "<record_delete><key>Tea</key></record_delete>".to_owned() + &ram_add("a", "1");
    let mut sim = Sim::in_state(Executing, Some("x")).with_note(note(1, "Tea", "a"));
    let decision = sim.turn(&delete);
    assert!(sim.state.notes.get(note_id(1)).is_some());
    assert!(codes(&decision).contains(&Some(Code::InstructionInvalid)));
    let mut sim = Sim::in_state(Executing, Some("x"))
        .with_note(note(1, "Tea", "a"))
        .allow_delete();
    sim.turn(&delete);
    assert!(sim.state.notes.get(note_id(1)).is_none());
}

#[test]
fn an_issue_is_kept_with_its_details_and_counts_as_a_version() {
    let mut sim = Sim::in_state(Executing, Some("x")).with_note(note(1, "Tea", "a"));
    sim.turn("<record_issue><key>Tea</key><value>too short</value><metadata>{\"severity\":\"low\"}</metadata></record_issue>");
    let tea = sim.the_note(1);
    assert_eq!((tea.version, tea.value.as_str()), (2, "a"));
    assert_eq!(tea.issues[0].text, "too short");
    assert_eq!(tea.issues[0].metadata["severity"], "low");
    assert!(tea.issues[0].open);
}

#[test]
fn links_follow_the_text() {
    let mut sim = Sim::in_state(Executing, Some("x"));
    let (a, b) = (note_id(1), note_id(2));
    sim.turn(&record_add(
        "Hub",
        &format!("see [[{a}]] and [[{b}]], [[{a}]], [[no id]], [["),
    ));
    assert_eq!(sim.the_note(1001).links, [a, b]);
    sim.turn(&record_update("Hub", &format!("only [[{b}]]")));
    assert_eq!(sim.the_note(1001).links, [b]);
}

#[test]
fn titles_come_from_the_model_else_from_the_local_clock() {
    let add = |inner: &str| format!("<record_add><keywords>a, b</keywords>{inner}</record_add>");
    let mut sim = Sim::in_state(Executing, Some("x"));
    let local = sim.now.local_title();
    for (number, (inner, title, value)) in [
        ("<value>v</value>", local.as_str(), "v"),
        ("<title> Mine </title><value>v</value>", "Mine", "v"),
        (
            "<value>{\"title\": \"Inner\", \"markdown\": \"# v\"}</value>",
            "Inner",
            "# v",
        ),
        (
            "<title>Outer</title><value>{\"title\": \"Inner\", \"markdown\": \"v\"}</value>",
            "Outer",
            "v",
        ),
        (
            "<value>{\"title\": \"Inner\"}</value>",
            local.as_str(),
            "{\"title\": \"Inner\"}",
        ),
    ]
    .into_iter()
    .enumerate()
    {
        sim.turn(&add(inner));
        let made = sim.the_note(1001 + u128::try_from(number).unwrap());
        assert_eq!(
            (made.title.as_str(), made.value.as_str()),
            (title, value),
            "{inner}"
        );
        assert_eq!(made.keywords, ["a", "b"]);
    }
    let parsed = chrono::NaiveDateTime::parse_from_str(&local, "%Y-%m-%d %H:%M:%S");
    assert!(parsed.is_ok(), "{local}");
}

#[test]
fn an_executing_iteration_that_wrote_a_note_is_done_with_its_first_step() {
    let cases = [
        (Executing, record_add("T", "v"), json!(["b"])),
        (Planning, record_add("T", "v"), json!(["a", "b"])),
        (Evaluating, record_add("T", "v"), json!(["a", "b"])),
        (Executing, ram_add("n", "1"), json!(["a", "b"])),
        (
            Executing,
            record_add("T", "v") + &ram_add("steps", "c"),
            json!(["c"]),
        ),
        (Executing, record_update("None", "v"), json!(["a", "b"])),
    ];
    for (state, reply, steps) in cases {
        let mut sim = Sim::in_state(state, Some("x"));
        sim.set("steps", json!(["a", "b"]));
        sim.turn(&reply);
        assert_eq!(sim.ram("steps"), steps, "{state} {reply}");
    }
}

#[test]
fn results_of_one_reply_fit_a_small_window() {
    let mut sim = Sim::in_state(Planning, Some("x"));
    for number in 0..60 {
        let title = format!("Note {number}");
        sim.state
            .notes
            .put(note(number, &title, &"word ".repeat(1000)));
    }
    let ids = |from: u128| {
        let ids: Vec<String> = (from..from + 10)
            .map(|id| note_id(id).to_string())
            .collect();
        format!(
            "<record_search><ids>{}</ids></record_search>",
            ids.join(",")
        )
    };
    let reply: String = (0..6).map(|ten| ids(ten * 10)).collect();
    let told = results(&sim.decide(&reply));
    let items: Vec<_> = told.iter().flat_map(|result| &result.items).collect();
    assert_eq!(items.len(), RESULT_ITEMS_MAX);
    let pages = items.iter().map(|item| item.page.as_ref().unwrap());
    let chars: usize = pages.map(|page| page.shown).sum();
    assert_eq!(chars, RESULT_TEXT_CHARS_MAX);
    assert_eq!(told[5].message, "10 not shown, ask for it alone");
    // None is shown as if it were empty, and each mark says what is missing and the way to it.
    let mut bare = 0;
    for (number, item) in items.iter().enumerate() {
        let (kept, mark) = item.text.split_once("... (").unwrap();
        let kept = kept.chars().count();
        let way = match kept {
            0 => format!("record_search Note {number} shows it)"),
            _ => format!("record_search Note {number} {kept} goes on)"),
        };
        let left_out = 5000 - kept;
        assert_eq!(mark, format!("{left_out} more characters; {way}"));
        bare += usize::from(kept == 0);
    }
    assert_eq!(bare, RESULT_ITEMS_MAX - 4);
}

/// For each tool call one that is applied and one that is not, with the code that says why.
fn good_and_bad_call(tool: &str) -> (String, String, Option<Code>) {
    let call =
        |inner: &str| format!("<actions><action><kind>{tool}</kind>{inner}</action></actions>");
    let at = |path: &str, more: &str| call(&format!("<target_path>{path}</target_path>{more}"));
    let content = "<content>v</content>";
    let missing = Some(Code::RecordNotFound);
    match tool {
        "set" => (
            at("/storage/a", content),
            at("/storage/../a", content),
            Some(Code::PathInvalid),
        ),
        "get" | "ls" => (at("/working_memory", ""), at("/storage/none", ""), missing),
        "rm" => (
            at("/working_memory/spare", ""),
            at("/storage/none", ""),
            missing,
        ),
        "mv" => {
            let from = |path: &str| {
                let source = format!("<source_path>{path}</source_path>");
                at("/storage/b", &source)
            };
            (
                from("/working_memory/spare"),
                from("/storage/none"),
                missing,
            )
        }
        "search" => (
            at("/storage", content),
            at("/storage/none", content),
            missing,
        ),
        "mkdir" => (
            at("/storage/c", ""),
            at("/working_memory/spare", ""),
            Some(Code::TargetExists),
        ),
        other => panic!("no calls of {other} are known here"),
    }
}

fn good_and_bad_answer() -> (String, String, Option<Code>) {
    let answer = |text: &str| format!("<answer><value>{text}</value></answer>");
    let made_up = answer("Nobody knows 7.");
    (answer("a"), made_up, Some(Code::NotAnswered))
}

/// The same for a change of a part of the note `Tea`, whose text is `a`, beside the note `Coffee`.
fn good_and_bad_edit(tag: Tag) -> (String, String, Option<Code>) {
    let (good, bad) = match tag.name() {
        "record_append" => ("<value>v</value>", "<value>v</value>"),
        "record_line" => (
            "<query>a</query><value>v</value>",
            "<query>nowhere</query><value>v</value>",
        ),
        "record_cut" => ("<query>a</query>", "<query>nowhere</query>"),
        "record_title" => ("<title>Green</title>", "<title>Green</title>"),
        _ => ("<title>Coffee</title>", "<title>Nothing</title>"),
    };
    let has_wrong_key = matches!(tag, Tag::RecordAppend | Tag::RecordTitle);
    let of = |key: &str, inner: &str| format!("<{tag}><key>{key}</key>{inner}</{tag}>");
    let bad = of(if has_wrong_key { "Nothing" } else { "Tea" }, bad);
    (of("Tea", good), bad, Some(Code::RecordNotFound))
}

/// The same for a block.
fn good_and_bad_block(tag: &str) -> (&str, &str, Code) {
    match tag {
        "thinking" => (
            "<thinking><analysis>a</analysis></thinking>",
            "<thinking><context_keys>a/../b</context_keys></thinking>",
            Code::PathInvalid,
        ),
        "action" => (
            "<action><store><key>k</key><value>v</value></store></action>",
            "<action><store><key>archived</key><value>v</value></store></action>",
            Code::PathInvalid,
        ),
        "evaluation" => (
            "<evaluation><quality>0.5</quality></evaluation>",
            // No number, so no instruction either.
            "<evaluation><quality>good</quality></evaluation>\
             <ram_add><key>n</key><value>1</value></ram_add>",
            Code::InstructionInvalid,
        ),
        _ => (
            "<paging><archive>spare</archive></paging>",
            "<paging><archive>none</archive></paging>",
            Code::RecordNotFound,
        ),
    }
}

/// For each other instruction the same.
fn good_and_bad(tag: Tag) -> (String, String, Option<Code>) {
    let record = |tag: &str, key: &str, inner: &str| {
        format!("<{tag}><key>{key}</key>{inner}<value>v</value></{tag}>")
    };
    let state = |tag: &str, state: &str| format!("<{tag}><state>{state}</state></{tag}>");
    let keyed = |tag: &str, key: &str| format!("<{tag}><key>{key}</key></{tag}>");
    let issue =
        |key: &str| record("record_issue", key, "").replace("</record", "<metadata/></record");
    let secret = record_add("T", "v").replace("<title>", "<kind>secret</kind><title>");
    match tag {
        Tag::StateAdd => (
            state("state_add", "evaluating"),
            state("state_add", "dreaming"),
            Some(Code::StateTransitionInvalid),
        ),
        // Nothing to leave: passed over, and no error.
        Tag::StateDelete => (
            state("state_delete", "executing"),
            state("state_delete", "idle"),
            None,
        ),
        Tag::RamAdd => (
            ram_add("k", "v"),
            ram_add("a/../b", "v"),
            Some(Code::PathInvalid),
        ),
        Tag::RamDelete => (
            keyed("ram_delete", "k"),
            keyed("ram_delete", ".."),
            Some(Code::PathInvalid),
        ),
        Tag::RecordAdd => (record_add("T", "v"), secret, Some(Code::ScopeViolation)),
        Tag::RecordUpdate => (
            record_update("Tea", "v"),
            record_update("Nothing", "v"),
            Some(Code::RecordNotFound),
        ),
        Tag::RecordIssue => (issue("Tea"), issue("Nothing"), Some(Code::RecordNotFound)),
        Tag::RecordSearch => (
            search("tea"),
            // Both at once is no instruction at all.
            "<record_search><query>a</query><ids>1</ids></record_search>".to_owned()
                + &ram_add("n", "1"),
            Some(Code::InstructionInvalid),
        ),
        Tag::RecordDelete => (
            keyed("record_delete", "Tea"),
            keyed("record_delete", "Nothing"),
            Some(Code::RecordNotFound),
        ),
        Tag::RecordAppend
        | Tag::RecordLine
        | Tag::RecordCut
        | Tag::RecordLink
        | Tag::RecordTitle
        | Tag::RecordMerge => good_and_bad_edit(tag),
        Tag::Answer => good_and_bad_answer(),
        Tag::Actions => good_and_bad_call("set"),
        Tag::Thinking | Tag::Action | Tag::Evaluation | Tag::Paging => {
            let (good, bad, code) = good_and_bad_block(tag.name());
            (good.to_owned(), bad.to_owned(), Some(code))
        }
    }
}

#[test]
fn every_instruction_succeeds_and_fails() {
    let tags = Tag::ALL.map(|tag| (tag.name(), good_and_bad(tag)));
    let tools = TOOLS
        .iter()
        .map(|tool| (tool.name, good_and_bad_call(tool.name)));
    // The element around tool calls is no instruction of its own.
    let tags = tags
        .into_iter()
        .filter(|(op, _)| *op != Tag::Actions.name());
    for (name, (good, bad, code)) in tags.chain(tools) {
        let told = |reply: &str| {
            let mut sim = Sim::in_state(Executing, Some("x"))
                .with_note(note(1, "Tea", "a"))
                .with_note(note(2, "Coffee", "b"))
                .allow_delete();
            sim.set("spare", json!("v"));
            // What is answered has to stand in a note that was shown.
            if name == Tag::Answer.name() {
                sim.turn(&search("Tea"));
            }
            let decision = sim.decide(reply);
            let found = outcomes(&decision).into_iter();
            found.filter(|(op, _, _)| op == name).collect::<Vec<_>>()
        };
        let name = name.to_owned();
        assert_eq!(
            told(&good),
            [(name.clone(), InstructionOutcome::Applied, None)]
        );
        let refused = match code {
            None | Some(Code::InstructionInvalid) => InstructionOutcome::Ignored,
            Some(_) => InstructionOutcome::Rejected,
        };
        assert_eq!(told(&bad), [(name, refused, code)]);
    }
}

/// The program composes the whole text: what nobody spoke of stays to the byte, and no line is guessed.
#[test]
fn a_part_of_a_note_is_changed_and_the_rest_stays() {
    let list = "To buy:\n- milk\n- two eggs\n- egg cups\n";
    let edit = |tag: &str, inner: &str| format!("<{tag}><key>List</key>{inner}</{tag}>");
    let line = |query: &str, value: &str| {
        edit(
            "record_line",
            &format!("<query>{query}</query><value>{value}</value>"),
        )
    };
    for (reply, expected) in [
        (
            edit("record_append", "<value>rice</value>"),
            Ok("To buy:\n- milk\n- two eggs\n- egg cups\n- rice"),
        ),
        (
            line("two eggs", "six eggs"),
            Ok("To buy:\n- milk\n- six eggs\n- egg cups\n"),
        ),
        (
            edit("record_cut", "<query>milk</query>"),
            Ok("To buy:\n- two eggs\n- egg cups\n"),
        ),
        (
            edit("record_link", "<title>Farm</title>"),
            Ok("To buy:\n- milk\n- two eggs\n- egg cups\n- See [[Farm]]."),
        ),
        (line("egg", "six eggs"), Err(Code::RecordKeyAmbiguous)),
        (line("rice", "six eggs"), Err(Code::RecordNotFound)),
        (
            edit("record_merge", "<title>List</title>"),
            Err(Code::RecordKeyAmbiguous),
        ),
    ] {
        let mut sim = Sim::in_state(Executing, Some("x"))
            .with_note(note(1, "List", list))
            .with_note(note(2, "Farm", "Eggs are sold on Friday."))
            .allow_delete();
        let decision = sim.turn(&reply);
        let (_, outcome, code) = outcomes(&decision).remove(0);
        match expected {
            Ok(text) => {
                assert_eq!(outcome, InstructionOutcome::Applied, "{reply}");
                assert_eq!(sim.the_note(1).value, text, "{reply}");
            }
            Err(expected) => {
                assert_eq!(code, Some(expected), "{reply}");
                assert_eq!(sim.the_note(1).value, list, "{reply}");
            }
        }
    }
}

/// One note takes the other's text and its place.
#[test]
fn merged_notes_are_one() {
    let mut sim = Sim::in_state(Executing, Some("x"))
        .with_note(note(1, "Eggs", "Six of them."))
        .with_note(note(2, "Farm", "Open on Friday."))
        .allow_delete();
    sim.turn("<record_merge><key>Eggs</key><title>Farm</title></record_merge>");
    assert_eq!(sim.the_note(2).value, "Open on Friday.\nSix of them.");
    assert!(sim.state.notes.get(note_id(1)).is_none());
}

/// A text that is what it was is no change, in any form, and makes no run succeed.
#[test]
fn an_update_that_changes_nothing_is_no_change() {
    for reply in [
        "<record_update><key>Tea</key><value>green</value></record_update>",
        "<record_title><key>Tea</key><title>Tea</title></record_title>",
        "<record_line><key>Tea</key><query>green</query><value>green</value></record_line>",
    ] {
        let mut sim = Sim::in_state(Executing, Some("x"))
            .with_note(note(1, "Tea", "green"))
            .allow_delete();
        let decision = sim.decide(reply);
        assert_eq!(
            outcomes(&decision)[0].1,
            InstructionOutcome::Ignored,
            "{reply}"
        );
        let mut events = decision.draft.events.iter();
        let is_changed = events.any(|event| event.note().is_some());
        assert!(!is_changed, "{reply}");
    }
}

#[test]
fn steps_in_instructions_of_their_own_are_one_list() {
    let step = |text| ram_add("plan,steps", text);
    let mut sim = Sim::in_state(Planning, Some("x"));
    sim.set("steps", json!(["old"]));
    sim.turn(&(step("one") + &step("two\nthree") + &step("one\ntwo\nthree")));
    assert_eq!(sim.ram("steps"), json!(["one", "two", "three"]));
    sim.turn(&(step("four") + "<ram_delete><key>steps</key></ram_delete>" + &step("five")));
    assert_eq!(sim.ram("steps"), json!(["five"]));
}

#[test]
fn what_is_said_already_is_not_said_again_and_an_echo_is_not_answered() {
    let unknown = "<record_fetch>x</record_fetch>";
    let echo = "<action_result><op>reply</op></action_result>";
    let mut sim = Sim::in_state(Planning, Some("x"));
    let own = ram_add("think_log", "hm");
    let decision = sim.decide(&(own.clone() + echo + "<state>planning</state>"));
    assert_eq!(results(&decision), []);
    let decision = sim.decide(&(own + unknown + echo + unknown));
    let told = results(&decision);
    let op = told.iter().map(|result| result.op.as_str());
    assert_eq!(op.collect::<Vec<_>>(), ["reply"], "{told:?}");
    // The audit has each of them, by its name.
    let dropped = decision.entries.iter().map(|entry| entry.op.as_str());
    assert_eq!(
        dropped.collect::<Vec<_>>(),
        ["ram_add", "record_fetch", "record_fetch"]
    );
}
