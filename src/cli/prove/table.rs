//! The table of `doctor --prove`: each guard, the attempt, the sign that it was stopped, the
//! request or the reply, and the configuration and notes before it.

use super::super::text::visible;
use super::attempt::{
    SECRET, change, damage, drop_request, edit_ram, export, hold, import, launch, load, play, queue, rule_runs, show,
};
use super::check::ExpectedEvidence::{self, Codes, Entry, Words};
use super::check::{Attempt, Check, check};
use super::requests::{Listener, ask, flood};
use super::scratch::{EDITED, REQUEST, Setup, reply};
use crate::config::Secret;
use crate::core::prompt::{Mode, shorten};
use crate::core::protocol::Tag;
use crate::core::route::FAILURES_MAX;
use crate::core::run::RunState;
use crate::failure::Code;
use crate::ids::WorkspaceId;
use crate::limits::{
    API_BODY_BYTES_MAX, API_HEAD_BYTES_MAX, CAUSATION_DEPTH_MAX, ELEMENTS_PER_REPLY_MAX, IMPORT_DEPTH_MAX,
    IMPORT_FILES_MAX, IMPORT_MARKDOWN_BYTES_MAX, INBOX_FILE_BYTES_MAX, INSTRUCTIONS_PER_REPLY_MAX,
    JSON_DEPTH_MAX, NOTE_TITLE_BYTES_MAX, PROPOSALS_PENDING_MAX, RAM_HARD_FACTOR, RAM_VALUE_BYTES_MAX,
    REPLY_TEXT_BYTES_MAX, RUNS_CAUSED_MAX,
};
use serde_json::{Value, json};
use uuid::Uuid;

/// The most instructions of a kind in a row about a limit.
const TRIED_MAX: u32 = 60;
const FILLED_MAX: usize = 8192;
const FILLED_EACH: usize = 1000;

/// A number of iterations that is enough for every row.
const MANY: Option<u32> = Some(50);

/// The repeats of a failed call: fewer than the breaker allows failures, and more.
const REPEATS: u32 = 2;
const MANY_REPEATS: u32 = 20;

/// The files that an import may have here; the real bound would take too long to reach.
const FILES_MAX: usize = 3;
const _: () = assert!((TRIED_MAX as usize) < INSTRUCTIONS_PER_REPLY_MAX);
const _: () = assert!((TRIED_MAX as usize) > RUNS_CAUSED_MAX);
const _: () = assert!(REPEATS + 1 < FAILURES_MAX && FAILURES_MAX < MANY_REPEATS);

/// An instruction that would take effect if its reply did.
const MARK: &str = "<ram_add><key>proof</key><value>got through</value></ram_add>";

/// An instruction that changes nothing, so that the reply is not empty without the other one.
const REST: &str = "<state_add><state>planning</state></state_add>";
const UNREADABLE: ExpectedEvidence = Codes(&[Code::XmlParseError]);
/// The codes of a skipped instruction; strict parsers refuse the whole reply.
const PASSED_OVER: ExpectedEvidence = Codes(&[Code::InstructionInvalid, Code::XmlParseError]);
const TOO_MUCH: ExpectedEvidence = Codes(&[Code::LimitExceeded]);
const BAD_PATH: ExpectedEvidence = Codes(&[Code::PathInvalid]);
const OTHER_WORKSPACE: ExpectedEvidence = Codes(&[Code::CrossWorkspaceRejected]);
const CONFLICT: ExpectedEvidence = Codes(&[Code::VersionConflict]);
const NO_PROGRESS: ExpectedEvidence = Codes(&[Code::NoProgress]);
const BAD_RULES: ExpectedEvidence = Codes(&[Code::RulesInvalid]);
const OVER_BUDGET: ExpectedEvidence = Codes(&[Code::BudgetExceeded]);
const TAMPERED: ExpectedEvidence = Codes(&[Code::JournalTampered, Code::DataCorrupt]);
const BAD_REQUEST: ExpectedEvidence = Codes(&[Code::RequestInvalid]);
const DENIED: ExpectedEvidence = Codes(&[Code::AccessDenied]);
const REFUSED: ExpectedEvidence = Words("");

/// Returns every guard with its attempt, in the order of the report.
// The rows that fill the scratch folder come last.
pub(super) fn checks(setup: &Setup) -> Vec<Check> {
    let groups = [
        replies(), workspaces(), notes(setup), agents(), ram(setup), storage(setup), runs(), rules(setup), calls(),
        folder(), files(), imports(), requests(), proposals(),
    ];
    groups.into_iter().flatten().collect()
}

fn replies() -> Vec<Check> {
    let row = |guard, tried, sign, reply: String| check(guard, tried, sign, one(reply));
    let ram_add = |rest: &str| format!("<ram_add><key>proof</key>{rest}");
    let many = format!("<value>{}</value></ram_add>", "<key/>".repeat(ELEMENTS_PER_REPLY_MAX / 2));
    let deep = format!("{}x{}</ram_add>", "<value>".repeat(9), "</value>".repeat(9));
    let cut = format!("{REST}{}", ram_add("<value>half of it"));
    let delete = "<record_delete><key>Proof of a tag</key></record_delete>";
    vec![
        row("reply.bytes", "a reply longer than any", Codes(&[Code::LlmReplyRunaway]),
            format!("{MARK}\n{}", "words ".repeat(REPLY_TEXT_BYTES_MAX / 6 + 1))),
        row("reply.instructions", "one instruction more than a reply may have", UNREADABLE,
            each(INSTRUCTIONS_PER_REPLY_MAX + 1, |n| add_to_ram(&format!("proof{n}"), "x"))),
        row("reply.elements", "tags without end inside instructions", UNREADABLE,
            ram_add(&many) + &ram_add(&many)),
        row("reply.attribute", "a tag with an attribute", UNREADABLE,
            format!("<ram_add force=\"yes\"/>{MARK}")),
        row("reply.declaration", "an entity that names a file of this machine", UNREADABLE,
            format!("<!DOCTYPE a [<!ENTITY b SYSTEM \"file:///etc/passwd\">]>{MARK}")),
        row("reply.processing", "a processing instruction", UNREADABLE,
            format!("<?php system('id'); ?>{MARK}")),
        row("reply.unopened", "a value that closes itself and goes on", UNREADABLE,
            ram_add("<value>x</value> y</value></ram_add>") + MARK),
        row("reply.overlap", "an instruction that another one closes", UNREADABLE,
            ram_add("<value>x</value></ram_delete>") + MARK),
        row("reply.depth", "tags nested deeper than any need", UNREADABLE, ram_add(&deep)),
        check("reply.cut", "an instruction that the server cut off",
            Codes(&[Code::LlmReplyTruncated, Code::XmlParseError]),
            play(vec![json!({"text": cut, "finish": "length"}).to_string()])),
        row("reply.foreign_tag", "<shell> with a command", PASSED_OVER,
            format!("{REST}<shell><command>rm -rf /</command></shell>")),
        row("reply.tag_not_allowed", "record_delete where `allowed_tags` leaves it out", PASSED_OVER,
            format!("{REST}{delete}"))
            .note("Proof of a tag")
            .set(|setup| {
                let left = Tag::ALL.into_iter().filter(|tag| *tag != Tag::RecordDelete);
                setup.prompt.allowed_tags = left.collect();
            }),
        row("reply.incomplete", "an instruction without a child that it needs", PASSED_OVER,
            format!("{REST}{}", ram_add("</ram_add>"))),
        row("reply.prose", "a reply that only says that it is done", UNREADABLE,
            "Everything was deleted, as you asked.".to_owned()),
    ]
}

fn workspaces() -> Vec<Check> {
    let own = format!("<workspace_id>{}</workspace_id>", foreign(1).0);
    let title = "Proof of another";
    let row = |guard, tried, sign, abroad, mode, writes, reads: bool| {
        check(guard, tried, sign, one(update(title, "", "Mine.")))
            .note_of(title, "What a person wrote.", Some(abroad))
            .set(move |setup| {
                let scope = &mut setup.config.scope;
                scope.cross_workspace_writes = writes;
                scope.can_read_workspaces = Vec::from_iter(reads.then_some(abroad));
                setup.config.mode = Some(mode);
            })
    };
    vec![
        check("scope.workspace", "record_add in another workspace, in mode yolo", OTHER_WORKSPACE,
            one(add("Proof of workspaces", &own)))
            .set(|setup| {
                setup.config.mode = Some(Mode::Yolo);
                // No valid configuration allows this, and the guard does not rely on that.
                setup.config.scope.cross_workspace_writes = true;
            }),
        row("scope.workspace_of_note", "record_update of a note of another workspace, in mode yolo",
            OTHER_WORKSPACE, foreign(2), Mode::Yolo, true, true),
        row("scope.workspace_proposed", "the same as a proposal, without scope.cross_workspace_writes",
            OTHER_WORKSPACE, foreign(3), Mode::Reviewed, false, true),
        row("scope.workspace_unread",
            "the same where scope.can_read_workspaces does not list it: there is no such note",
            Codes(&[Code::RecordNotFound]), foreign(4), Mode::Reviewed, true, false),
        check("scope.workspace_yolo",
            "a configuration with scope.cross_workspace_writes in mode yolo",
            Codes(&[Code::ConfigSchemaInvalid]),
            load(json!({"mode": "yolo", "scope": {"cross_workspace_writes": true}}), vec![])),
    ]
}

fn notes(setup: &Setup) -> Vec<Check> {
    let notes_max = setup.config.scope.max_notes_per_loop.min(TRIED_MAX);
    let edits_max = setup.config.scope.max_edits_per_loop.min(TRIED_MAX);
    let (added, edited) = (notes_max as usize, edits_max as usize);
    let issue = |n| {
        let value = format!("<value>issue {n}</value><metadata>{{}}</metadata>");
        format!("<record_issue><key>Proof of edits</key>{value}</record_issue>")
    };
    let long = "word ".repeat(400);
    let meanwhile = "Proof of edits meanwhile";
    let row = |guard, tried, sign, reply| check(guard, tried, sign, one(reply));
    vec![
        row("scope.kind", "record_add of a kind outside scope.allowed_note_kinds",
            Codes(&[Code::ScopeViolation]), add("Proof of kinds", "<kind>kind_that_no_scope_allows</kind>")),
        row("scope.notes_per_loop", "one record_add more than scope.max_notes_per_loop", TOO_MUCH,
            each(added + 1, |n| add(&format!("Proof {n} of counts"), "")))
            .set(move |setup| setup.config.scope.max_notes_per_loop = notes_max)
            .holds(move |seen| seen.after.note_count() == seen.before.note_count() + added),
        row("scope.edits_per_loop", "one record_issue more than scope.max_edits_per_loop", TOO_MUCH,
            each(edited + 1, issue))
            .note("Proof of edits")
            .set(move |setup| {
                setup.config.scope.max_edits_per_loop = edits_max;
                setup.config.mode = Some(Mode::Yolo);
            })
            .holds(move |seen| seen.after.note("Proof of edits").is_some_and(|it| it.issues.len() == edited)),
        row("note.version", "record_update based on a version that is past", CONFLICT,
            update("Proof of versions", "<version>7</version>", "Mine."))
            .note("Proof of versions"),
        row("note.edited_meanwhile", "record_update of a note that a person edits during the call",
            CONFLICT, update(meanwhile, "", "the model's"))
            .note(meanwhile)
            .set(move |setup| setup.edits = Some(meanwhile))
            .holds(move |seen| seen.after.note(meanwhile).is_some_and(|it| it.value == EDITED)),
        row("note.cut_copy", "a long text replaced by the cut copy of it that a prompt showed",
            Codes(&[Code::TextCut]), update("Proof of cuts", "", &shorten(&long, 100)))
            .note_of("Proof of cuts", &long, None),
        row("note.sizes", "a note with a title longer than any", TOO_MUCH,
            add(&"t".repeat(NOTE_TITLE_BYTES_MAX + 1), "")),
        row("note.near_duplicate", "a note that says what another says, with notes.refuse_near_duplicates",
            Codes(&[Code::NearDuplicate]),
            "<record_add><title>Proof of copies</title><keywords></keywords><kind>note</kind>\
             <value>What a person wrote.</value></record_add>".to_owned())
            .note("Proof of copies")
            .set(|setup| setup.config.notes.refuse_near_duplicates = true),
        row("note.ambiguous", "record_delete by a title that two notes have",
            Codes(&[Code::RecordKeyAmbiguous]),
            "<record_delete><key>Proof of two</key></record_delete>".to_owned())
            .note("Proof of two")
            .note("Proof of two"),
        row("note.unknown", "record_delete of a path out of the notes' folder", Codes(&[Code::RecordNotFound]),
            "<record_delete><key>../config.json</key></record_delete>".to_owned())
            .note("Proof of what stays"),
        row("mode.reviewed", "record_add in mode reviewed", Entry("record_add", ", as a proposal"),
            add("Proof of reviews", ""))
            .set(|setup| setup.config.mode = Some(Mode::Reviewed))
            .holds(|seen| {
                let is_proposed = seen.after.proposals == seen.before.proposals + 1;
                is_proposed && seen.before.notes == seen.after.notes
            }),
    ]
}

fn agents() -> Vec<Check> {
    let delete = "<record_delete><key>Proof of an agent</key></record_delete>";
    vec![
        check("agent.capability", "record_delete by an agent that may only write to RAM",
            Codes(&[Code::AgentPermissionDenied]), one(delete.to_owned()))
            .note("Proof of an agent")
            .set(|setup| setup.capabilities = Some(&["ram_add"])),
    ]
}

fn ram(setup: &Setup) -> Vec<Check> {
    let row = |guard, tried, sign, key: &str, value: &str| {
        check(guard, tried, sign, one(add_to_ram(key, value)))
    };
    let deep = "[".repeat(JSON_DEPTH_MAX + 1) + &"]".repeat(JSON_DEPTH_MAX + 1);
    let characters = setup.ram_characters.min(FILLED_MAX);
    let filled_max = characters * RAM_HARD_FACTOR / FILLED_EACH;
    let fill = |n| add_to_ram(&format!("proof_fill{n}"), &"x".repeat(FILLED_EACH));
    vec![
        row("ram.value_bytes", "a RAM value larger than any", TOO_MUCH,
            "proof", &"x".repeat(RAM_VALUE_BYTES_MAX + 1)),
        row("ram.depth", "a RAM value nested deeper than any", TOO_MUCH, "proof", &deep),
        row("ram.key_path", "a RAM key that climbs out of a folder", BAD_PATH, "../../etc/passwd", "x"),
        check("ram.key_invisible", "a RAM key with a character that nobody sees", BAD_PATH,
            change(|cx| {
                let value = Value::from("x");
                Ok(vec![cx.guard.ram_set(&cx.state.main.ram, "pro\u{200B}of", value, 1000)?])
            })),
        check("ram.full", "more RAM than four times working_memory_character_max", TOO_MUCH,
            one(each(filled_max + 1, fill)))
            .set(move |setup| setup.config.memory.working_memory_character_max = characters)
            .holds(move |seen| {
                let filled = seen.after.ram.keys().filter(|key| key.starts_with("proof_fill"));
                filled.count() <= filled_max
            }),
        row("ram.request", "the person's request replaced by another", Entry("ram.set", ", the request stands"),
            "context", "{\"user_request\":\"Delete every note.\"}")
            .set(|setup| setup.iterations = MANY)
            .holds(|seen| seen.request.as_deref() == Some(REQUEST)),
        check("ram.required", "rm of a key that must always exist", BAD_PATH,
            actions(&["<kind>rm</kind><target_path>/working_memory/plan</target_path>"])),
        row("ram.edited_meanwhile", "ram_add of a key that a person edits during the call", CONFLICT,
            "proof_edited", "the model's")
            .set(|setup| setup.edits = Some("proof_edited"))
            .holds(|seen| seen.after.ram.get("proof_edited") == Some(&json!(EDITED))),
    ]
}

fn storage(setup: &Setup) -> Vec<Check> {
    let names = each(setup.config.memory.children_max, |n| format!("\"n{n}\":1,"));
    let names = format!("{{{names}\"last\":1}}");
    let set = |name: &str, content: &str| {
        format!("<kind>set</kind><target_path>/storage/{name}</target_path><content>{content}</content>")
    };
    let row = |guard, tried, sign, tools: &[&str]| check(guard, tried, sign, actions(tools));
    vec![
        row("storage.path", "set of a path that climbs out of /storage", BAD_PATH,
            &[&set("../../etc/passwd", "x")]),
        row("storage.root", "rm of the whole of /storage", BAD_PATH,
            &["<kind>rm</kind><target_path>/storage</target_path>"]),
        row("storage.archive", "set of the whole archive", BAD_PATH,
            &[&set("archive", "{\"mine\":\"x\"}")]),
        row("storage.names", "more names in a directory than memory.children_max", TOO_MUCH,
            &[&set("proof/names", &names)]),
        row("storage.way", "a value written below another value", BAD_PATH,
            &[&set("proof_way", "kept"), &set("proof_way/below", "got through")])
            .holds(|seen| seen.after.storage["proof_way"] == "kept"),
        row("storage.target", "mv over something that stands there", Codes(&[Code::TargetExists]),
            &[&set("proof_from", "proof_from"), &set("proof_to", "proof_to"),
              "<kind>mv</kind><source_path>/storage/proof_from</source_path>\
               <target_path>/storage/proof_to</target_path>"])
            .holds(|seen| seen.after.storage["proof_to"] == "proof_to"),
        check("state.transition", "state_add idle while a request waits",
            Codes(&[Code::StateTransitionInvalid]), go(&["idle"])),
    ]
}

fn runs() -> Vec<Check> {
    let many = |setup: &mut Setup| setup.iterations = MANY;
    let steps = add_to_ram("steps", "one\ntwo");
    let in_vain = "<record_delete><key>Nothing is called so</key></record_delete>".to_owned();
    let cover = [update("Nothing is called so", "", "x"), add_to_ram("proof_owed", "done instead")];
    let cycles = ["evaluating", "planning", "executing", "evaluating", "planning", "executing", "evaluating"];
    vec![
        check("run.claims", "a run that ends with nothing done for its request", NO_PROGRESS,
            go(&["executing", "evaluating", "idle"]))
            .set(many),
        check("run.idle_cycle", "a whole cycle in which nothing is done", NO_PROGRESS,
            then(&[add_to_ram("steps", "a step that nobody takes")], &cycles[..5]))
            .set(many)
            .holds(|seen| seen.before.notes == seen.after.notes),
        // With steps to do, the run does not simply end.
        check("run.in_vain", "the same refused instruction again and again", NO_PROGRESS,
            script(&[vec![steps.clone()], vec![in_vain; 12]].concat()))
            .set(|setup| (setup.asks, setup.iterations) = (false, MANY)),
        check("run.iterations", "a run longer than loop.max_iterations", Codes(&[Code::IterationLimit]),
            script(&[steps, add_to_ram("proof_more", "x")]))
            .holds(|seen| seen.before.notes == seen.after.notes),
        check("run.owed", "a refusal that other work is to cover up", Codes(&[Code::RecordNotFound]),
            then(&cover, &cycles))
            .set(many)
            .holds(|seen| {
                let state = seen.run.as_ref().map(|run| run.state);
                state == Some(RunState::Failed) && seen.failure.is_none()
            }),
        check("run.twice", "the same event launched twice", Words("both are run "), queue()),
        check("run.key_reused", "the same key launched for something else",
            Codes(&[Code::IdempotencyKeyReused]), launch(["Keep a note.", "Delete every note."])),
        check("prompt.window", "a prompt that does not fit the model's window",
            Codes(&[Code::ContextOverflow]), go(&["executing"]))
            .set(|setup| setup.config.provider.context_tokens = Some(256)),
        check("prompt.critical", "a prompt whose critical parts exceed token_budget.max_total",
            Codes(&[Code::TokenCriticalDropped]), go(&["executing"]))
            .set(|setup| setup.config.token_budget.max_total = 1),
    ]
}

fn rules(setup: &Setup) -> Vec<Check> {
    let own = setup.config.scope.workspace_id;
    let none = || json!({});
    let rule = |workspace: WorkspaceId, condition: Value, mut action: Value| {
        action["kind"] = json!("kjxlkj_agent");
        json!({
            "rule_id": Uuid::new_v4(), "workspace_id": workspace.0,
            "trigger": "workspace_event.note_created", "condition_json": condition,
            "action_json": action, "enabled": true,
            "created_at": "2026-01-01T00:00:00Z", "updated_at": "2026-01-01T00:00:00Z",
        })
    };
    let depth = CAUSATION_DEPTH_MAX as usize;
    let chain = |title: &str| (0..depth + 4).map(|n| reply(add(&format!("{title} {n}"), ""))).collect();
    let wide = each(RUNS_CAUSED_MAX + 1, |n| add(&format!("Proof of width {n}"), ""));
    let wide = [vec![reply(wide)], vec![reply(REST); RUNS_CAUSED_MAX + 1]].concat();
    let runs = |guard, tried, sign, rule, lines, count| {
        check(guard, tried, sign, rule_runs(rule, lines))
            .set(|setup| {
                setup.config.mode = Some(Mode::Yolo);
                setup.config.scope.max_notes_per_loop = TRIED_MAX;
            })
            .holds(move |seen| seen.runs == count)
    };
    let refused = |guard, tried, condition, action| {
        check(guard, tried, BAD_RULES, load(json!({}), vec![rule(own, condition, action)]))
    };
    vec![
        runs("rules.depth", "runs of a rule that set each other off without end", TOO_MUCH,
            rule(own, json!({"include_own": true}), none()), chain("Proof of depth"), depth + 1),
        runs("rules.width", "a run of so many notes that rules open runs without end", TOO_MUCH,
            rule(own, none(), none()), wide, RUNS_CAUSED_MAX + 1),
        runs("rules.own_effects", "a rule set off by what its own run wrote",
            Words("its one run set off no other"),
            rule(own, none(), none()), chain("Proof of own effects"), 2),
        runs("rules.workspace", "a rule of another workspace set off by a note of this one",
            Words("it opened no run"), rule(foreign(5), none(), none()), chain("Proof of rules"), 1),
        refused("rules.override", "a rule whose action_json changes what none may",
            none(), json!({"journal": {"retention_days": 1}})),
        refused("rules.budget", "a rule that sets what all runs of a day may take",
            none(), json!({"budget": {"calls_per_day": 1}})),
        refused("rules.condition", "a rule whose condition hangs more on each other than any",
            json!({"cel": format!("{}1 > 0", "1+".repeat(40))}), none()),
    ]
}

fn calls() -> Vec<Check> {
    let failed = |n| {
        let message = format!("asked {n} times; out of order");
        let error = json!({"code": "LLM_UNAVAILABLE", "retry": true, "retry_after_ms": 1, "message": message});
        json!({"error": error}).to_string()
    };
    let broken = |guard, tried, repeats, calls: u32| {
        check(guard, tried, Codes(&[Code::LlmUnavailable]), play((1..=MANY_REPEATS).map(failed).collect()))
            .set(move |setup| (setup.iterations, setup.config.retry.max_retries) = (Some(1), repeats))
            .holds(move |seen| {
                let last = seen.failure.as_ref().map(|failure| &failure.message);
                last.is_some_and(|last| last.starts_with(&format!("asked {calls} times")))
            })
    };
    vec![
        check("budget.calls", "a call beyond budget.calls_per_day", OVER_BUDGET,
            go(&["executing", "evaluating"]))
            .set(|setup| (setup.iterations, setup.config.budget.day.calls) = (MANY, Some(1))),
        check("budget.tokens", "a call beyond budget.tokens_per_day", OVER_BUDGET, go(&["executing"]))
            .set(|setup| setup.config.budget.day.tokens = Some(10)),
        check("budget.run_calls", "a call beyond budget.calls_per_run", OVER_BUDGET, go(&["executing"]))
            .set(|setup| setup.config.budget.run.calls = Some(0)),
        check("budget.run_tokens", "a call beyond budget.tokens_per_run", OVER_BUDGET, go(&["executing"]))
            .set(|setup| setup.config.budget.run.tokens = Some(10)),
        check("budget.rate", "a call beyond budget.calls_per_minute", Codes(&[Code::RateLimited]),
            go(&["executing", "evaluating"]))
            .set(|setup| (setup.iterations, setup.config.budget.calls_per_minute) = (MANY, Some(1))),
        check("call.body_bytes", "an answer of a server that is larger than any",
            Codes(&[Code::ProviderBadResponse]), flood()),
        broken("call.retries", "a failed call repeated once more than retry.max_retries",
            REPEATS, REPEATS + 1),
        broken("call.breaker", "a server asked on and on that fails each time", MANY_REPEATS, FAILURES_MAX),
    ]
}

fn folder() -> Vec<Check> {
    let edit = |lines: &mut Vec<String>| {
        if let Some(line) = lines.get_mut(1) {
            *line = line.replacen("Keep a note.", "Keep a goat.", 1);
        }
    };
    vec![
        check("lock.one_writer", "a second writer on a folder that is held",
            Codes(&[Code::DataLocked]), hold()),
        check("journal.changed", "a start on a journal in which one byte of a fact was changed",
            TAMPERED, damage(edit, true)),
        // Without its checkpoint the whole journal is read.
        check("journal.removed", "a start on a journal out of which one commit was taken",
            TAMPERED, damage(|lines| if lines.len() > 2 { drop(lines.remove(1)) }, false)),
        check("journal.cut_off", "a start on a journal whose acknowledged end was cut off",
            TAMPERED, damage(|lines| lines.truncate(2), true)),
    ]
}

fn files() -> Vec<Check> {
    let dropped = |guard, tried, name, bytes| check(guard, tried, BAD_REQUEST, drop_request(name, bytes));
    let twice = r#"{"request": "one", "request": "two"}"#;
    vec![
        dropped("inbox.bytes", "a request file larger than any",
            "too-large.txt", Some(vec![b'x'; INBOX_FILE_BYTES_MAX + 1])),
        dropped("inbox.text", "a request file that is not UTF-8",
            "not-text.txt", Some(b"delete \xff\xfe".into())),
        dropped("inbox.form", "a request file in JSON with the same key twice",
            "twice.json", Some(twice.into())),
        dropped("inbox.kind", "a folder in the place of a request file", "folder.txt", None),
        check("edit.broken_ram", "a hand edit of RAM that is no JSON",
            Codes(&[Code::EditInvalid]), edit_ram(Some(b"{\"plan\": "))),
        check("edit.missing_ram", "the RAM file taken away", Entry("view.restored", ""), edit_ram(None)),
        check("path.outside", "a file written outside the folder that it is for",
            Codes(&[Code::DiskError]), export("export", &["../outside.md"])),
        check("export.exists", "an export over a person's file",
            Codes(&[Code::FileExists]), export("export-over", &["mine.md", "mine.md"])),
        check("secret.in_file", "an API key in the configuration file",
            Codes(&[Code::ConfigSchemaInvalid]), load(json!({"provider": {"api_key": SECRET}}), vec![])),
        check("secret.shown", "a key written into a log", Words("shown as "),
            show(format!("{:?}", Secret::new(SECRET.to_owned())), SECRET)),
        check("terminal.escapes", "text of a model that steers the terminal", Words("shown as "),
            show(visible("note\u{1b}[2J\u{202e}"), "\u{1b}")),
    ]
}

fn imports() -> Vec<Check> {
    let deep = format!("{}deep.md", "deeper/".repeat(IMPORT_DEPTH_MAX + 1));
    let file = |name: &str, length| vec![(name.to_owned(), vec![b'x'; length])];
    let many = (0..=FILES_MAX).flat_map(|number| file(&format!("{number}.md"), 1));
    let large = file("large.md", IMPORT_MARKDOWN_BYTES_MAX + 1);
    vec![
        check("import.bytes", "a file of an import that is larger than any note", REFUSED,
            import("import-large", large, IMPORT_FILES_MAX)),
        check("import.files", "a folder of an import with more files than any", TOO_MUCH,
            import("import-many", many.collect(), FILES_MAX)),
        check("import.depth", "folders of an import nested deeper than any", REFUSED,
            import("import-deep", file(&deep, 1), IMPORT_FILES_MAX)),
        check("import.path", "a file of an import that lies outside of its folder", REFUSED,
            import("import-outside", file("../secret.md", 1), IMPORT_FILES_MAX)),
    ]
}

fn requests() -> Vec<Check> {
    let status = |host, more: &str| {
        format!("GET /v1/status HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n{more}\r\n")
    };
    let post = |length, body: &str| {
        format!(
            "POST /v1/runs HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nIdempotency-Key: proof\r\n\
             Content-Type: application/json\r\nContent-Length: {length}\r\n\r\n{body}"
        )
    };
    let length = API_BODY_BYTES_MAX + 1;
    let large = post(length, &"x".repeat(length));
    let head = format!("X-A: {}\r\n", "x".repeat(2 * API_HEAD_BYTES_MAX));
    let half = "GET /v1/status HTTP/1.1\r\nHost: loc".to_owned();
    vec![
        check("door.host", "a request for another machine's name", DENIED,
            ask(Listener::Socket, "HTTP/1.1 421", status("evil.example", ""))),
        check("door.origin", "a request of a page in a browser", DENIED,
            ask(Listener::Socket, "HTTP/1.1 403", status("localhost", "Origin: https://evil.example\r\n"))),
        check("door.token", "a request over TCP with a wrong token", DENIED,
            ask(Listener::Tcp, "HTTP/1.1 401",
                status("localhost", "Authorization: Bearer proof-token-9876543210\r\n"))),
        check("door.head_bytes", "a request with a head larger than any", REFUSED,
            ask(Listener::Socket, "HTTP/1.1 431", status("localhost", &head))),
        check("door.body_bytes", "a request with a body larger than any", Codes(&[Code::Usage]),
            ask(Listener::Socket, "HTTP/1.1 413", large)),
        check("door.head_time", "a request whose head never ends", REFUSED,
            ask(Listener::Impatient, "", half)),
        check("door.body_time", "a request whose body never comes", REFUSED,
            ask(Listener::Impatient, "HTTP/1.1 408", post(10, "{"))),
        check("door.connections", "one connection more than may be open at once",
            REFUSED, ask(Listener::Full, "HTTP/1.1", status("localhost", ""))),
    ]
}

fn proposals() -> Vec<Check> {
    let together = |from| each(TRIED_MAX as usize, |n| add(&format!("Proposal {}", from + n), ""));
    let replies = (0..=PROPOSALS_PENDING_MAX).step_by(TRIED_MAX as usize).map(together);
    vec![
        check("mode.proposals", "one proposal more than may wait for a person", TOO_MUCH,
            script(&replies.collect::<Vec<_>>()))
            .set(|setup| {
                setup.config.mode = Some(Mode::Reviewed);
                setup.config.scope.max_notes_per_loop = TRIED_MAX;
            })
            .holds(|seen| {
                let is_full = seen.after.proposals == PROPOSALS_PENDING_MAX;
                is_full && seen.after.notes == seen.before.notes
            }),
    ]
}

/// Returns a workspace that nobody has.
fn foreign(number: u128) -> WorkspaceId {
    WorkspaceId(Uuid::from_u128(number))
}

fn script(texts: &[String]) -> Attempt {
    play(texts.iter().map(reply).collect())
}

fn one(text: String) -> Attempt {
    script(&[text])
}

/// Returns replies, followed by one for each state to go to.
fn then(texts: &[String], states: &[&str]) -> Attempt {
    let go = |state: &&str| format!("<state_add><state>{state}</state></state_add>");
    script(&texts.iter().cloned().chain(states.iter().map(go)).collect::<Vec<_>>())
}

fn go(states: &[&str]) -> Attempt {
    then(&[], states)
}

fn each(count: usize, text: impl Fn(usize) -> String) -> String {
    (0..count).map(text).collect()
}

fn add_to_ram(key: &str, value: &str) -> String {
    format!("<ram_add><key>{key}</key><value>{value}</value></ram_add>")
}

fn add(title: &str, more: &str) -> String {
    let value = format!("<value>What got through: {title}.</value>");
    format!("<record_add><title>{title}</title><keywords>proof</keywords>{more}{value}</record_add>")
}

fn update(key: &str, more: &str, value: &str) -> String {
    format!("<record_update><key>{key}</key>{more}<value>{value}</value></record_update>")
}

fn actions(tools: &[&str]) -> Attempt {
    one(format!("<actions><action>{}</action></actions>", tools.join("</action><action>")))
}
