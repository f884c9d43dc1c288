//! The guard by itself: the order of its checks, sizes, limits and names of keys.

use crate::agent::{ABROAD, HOME, note, note_id};
use kjxlkj_agent::core::guard::{
    EditedItems, Guard, NewNote, NoteEdit, NoteImport, Refusal, Scope, note_import,
    note_import_over,
};
use kjxlkj_agent::core::memory::Ram;
use kjxlkj_agent::core::notes::Issue;
use kjxlkj_agent::failure::Code;
use kjxlkj_agent::ids::{EventId, RunId};
use kjxlkj_agent::limits::{
    ISSUE_BYTES_MAX, JSON_DEPTH_MAX, KEYWORD_BYTES_MAX, NOTE_ISSUES_MAX, NOTE_KEYWORDS_MAX,
    NOTE_TITLE_BYTES_MAX, NOTE_VALUE_BYTES_MAX, NOTES_WRITTEN_BYTES_MAX, RAM_KEY_BYTES_MAX,
    RAM_KEYS_MAX, RAM_VALUE_BYTES_MAX,
};
use kjxlkj_agent::time::Timestamp;
use serde_json::{Map, json};

const NOW: Timestamp = Timestamp::from_millis(1_795_254_120_000);

fn scope() -> Scope {
    Scope {
        workspace_id: HOME,
        can_read_workspaces: Vec::new(),
        cross_workspace_writes: false,
        allowed_note_kinds: vec!["note".to_owned()],
        max_notes_per_loop: 10,
        max_edits_per_loop: 20,
    }
}

fn run_id() -> RunId {
    RunId::derive(HOME, &EventId("e".to_owned()))
}

fn new_note() -> NewNote {
    NewNote {
        links: Vec::new(),
        workspace_id: None,
        kind: None,
        title: Some("T".to_owned()),
        keywords: vec!["k".to_owned()],
        value: "v".to_owned(),
    }
}

fn create(new: NewNote) -> Result<(), Code> {
    let (scope, edited) = (scope(), EditedItems::default());
    let mut guard = Guard::for_run(&scope, run_id(), &edited);
    let made = guard.note_create(new, note_id(1), NOW);
    made.map(drop).map_err(|refusal| refusal.code)
}

#[test]
fn the_workspace_is_checked_before_the_kind() {
    let foreign = Some(ABROAD.to_string());
    let secret = Some("secret".to_owned());
    let home = Some(format!(" {HOME} "));
    let blank = Some("  ".to_owned());
    for (workspace_id, kind, expected) in [
        (
            foreign.clone(),
            secret.clone(),
            Err(Code::CrossWorkspaceRejected),
        ),
        (foreign, None, Err(Code::CrossWorkspaceRejected)),
        (
            Some("not a uuid".to_owned()),
            None,
            Err(Code::CrossWorkspaceRejected),
        ),
        (None, secret, Err(Code::ScopeViolation)),
        (home, None, Ok(())),
        (blank.clone(), blank, Ok(())),
    ] {
        let new = NewNote {
            workspace_id: workspace_id.clone(),
            kind: kind.clone(),
            ..new_note()
        };
        assert_eq!(create(new), expected, "{workspace_id:?} {kind:?}");
    }
}

#[test]
fn an_existing_note_is_checked_by_workspace_kind_and_version() {
    let (scope, edited) = (scope(), EditedItems::default());
    let mut guard = Guard::for_run(&scope, run_id(), &edited);
    let mut base = note(1, "T", "v");
    base.version = 3;
    let mut update = |base: &_, version| {
        let done = guard.note_update(base, version, NoteEdit::default(), NOW);
        done.map(drop).map_err(|refusal: Refusal| refusal.code)
    };
    assert_eq!(update(&base, Some(2)), Err(Code::VersionConflict));
    assert_eq!(update(&base, Some(3)), Ok(()));
    assert_eq!(update(&base, None), Ok(()));
    base.note_kind = "secret".to_owned();
    assert_eq!(update(&base, Some(2)), Err(Code::ScopeViolation));
    base.workspace_id = ABROAD;
    assert_eq!(update(&base, Some(2)), Err(Code::CrossWorkspaceRejected));
}

#[test]
fn limits_count_for_each_iteration_and_refused_ones_do_not_count() {
    let (scope, edited) = (scope(), EditedItems::default());
    for _iteration in 0..2 {
        let mut guard = Guard::for_run(&scope, run_id(), &edited);
        for _ in 0..3 {
            let secret = NewNote {
                kind: Some("secret".to_owned()),
                ..new_note()
            };
            assert!(guard.note_create(secret, note_id(1), NOW).is_err());
        }
        let made: Vec<_> = (0..12)
            .map(|_| {
                guard
                    .note_create(new_note(), note_id(1), NOW)
                    .map_err(|it| it.code)
            })
            .collect();
        assert!(made[..10].iter().all(Result::is_ok));
        assert!(
            made[10..]
                .iter()
                .all(|it| it.as_ref().is_err_and(|code| *code == Code::LimitExceeded))
        );
        // Deletions and issues are edits, too.
        let base = note(1, "T", "v");
        for turn in 0..22 {
            let done = if turn % 2 == 0 {
                guard.note_update(&base, None, NoteEdit::default(), NOW)
            } else {
                guard.note_delete(&base, None, NOW)
            };
            assert_eq!(done.is_ok(), turn < 20, "{turn}");
        }
    }
    // A person's verb is not an iteration.
    let mut guard = Guard::for_user(&scope, &edited);
    for _ in 0..50 {
        assert!(guard.note_create(new_note(), note_id(1), NOW).is_ok());
    }
}

#[test]
fn each_part_of_a_note_has_a_bound() {
    let long = |bytes: usize| "x".repeat(bytes);
    let words = |count: usize| (0..count).map(|word| word.to_string()).collect::<Vec<_>>();
    let full = Err(Code::LimitExceeded);
    for (over, expected) in [(0, Ok(())), (1, full)] {
        for new in [
            NewNote {
                title: Some(long(NOTE_TITLE_BYTES_MAX + over)),
                ..new_note()
            },
            NewNote {
                value: long(NOTE_VALUE_BYTES_MAX + over),
                ..new_note()
            },
            NewNote {
                keywords: words(NOTE_KEYWORDS_MAX + over),
                ..new_note()
            },
            NewNote {
                keywords: vec![long(KEYWORD_BYTES_MAX + over)],
                ..new_note()
            },
        ] {
            assert_eq!(create(new), expected, "{over}");
        }
    }
}

/// A text with a NUL could be exported, but not be imported again. A note that has one can still be
/// changed, and got rid of.
#[test]
fn no_note_gets_a_text_that_an_export_could_not_hold() {
    let (scope, edited) = (scope(), EditedItems::default());
    let run = Guard::for_run(&scope, run_id(), &edited);
    for mut guard in [run, Guard::for_user(&scope, &edited)] {
        let invalid = |made: Result<_, Refusal>| {
            let refused = made.map(drop).unwrap_err();
            assert_eq!(refused.code, Code::InstructionInvalid, "{refused:?}");
            assert!(refused.message.contains("NUL"), "{refused:?}");
        };
        let value = "a\0b".to_owned();
        let new = NewNote {
            value: value.clone(),
            ..new_note()
        };
        invalid(guard.note_create(new, note_id(1), NOW));
        let edit = NoteEdit {
            value: Some(value.clone()),
            ..NoteEdit::default()
        };
        invalid(guard.note_update(&note(1, "T", "v"), None, edit.clone(), NOW));
        invalid(note_import_over(
            &mut guard,
            &note(1, "T", "v"),
            edit,
            None,
            NOW,
        ));
        let odd = note(1, "T", &value);
        let brought = NoteImport {
            id: odd.id,
            content: NewNote {
                value,
                ..new_note()
            },
            issues: Vec::new(),
            version: 1,
            created_at: None,
            updated_at: None,
        };
        invalid(note_import(&mut guard, brought, NOW));
        let retitled = NoteEdit {
            title: Some("U".to_owned()),
            ..NoteEdit::default()
        };
        assert!(guard.note_update(&odd, None, retitled, NOW).is_ok());
        assert!(guard.note_delete(&odd, None, NOW).is_ok());
    }
}

#[test]
fn a_note_cannot_be_made_to_grow_by_complaints() {
    let (scope, edited) = (scope(), EditedItems::default());
    let flag = |text: String| NoteEdit {
        issue: Some(Issue {
            text,
            metadata: Map::new(),
            created_at: NOW,
            open: true,
        }),
        ..NoteEdit::default()
    };
    let mut guard = Guard::for_run(&scope, run_id(), &edited);
    let mut base = note(1, "T", "v");
    let mut issue = |base: &_, bytes: usize| {
        let done = guard.note_update(base, None, flag("x".repeat(bytes)), NOW);
        done.map(drop).map_err(|refusal| refusal.code)
    };
    assert_eq!(issue(&base, ISSUE_BYTES_MAX), Ok(()));
    assert_eq!(issue(&base, ISSUE_BYTES_MAX + 1), Err(Code::LimitExceeded));
    base.issues = vec![flag(String::new()).issue.unwrap(); NOTE_ISSUES_MAX];
    assert_eq!(issue(&base, 1), Err(Code::LimitExceeded));
}

#[test]
fn one_iteration_writes_a_bounded_amount_however_large_the_notes_are() {
    let mut scope = scope();
    scope.max_edits_per_loop = 1000;
    let edited = EditedItems::default();
    let base = note(1, "T", &"x".repeat(NOTE_VALUE_BYTES_MAX));
    let mut guard = Guard::for_run(&scope, run_id(), &edited);
    let passed = (0..64)
        .take_while(|_| {
            guard
                .note_update(&base, None, NoteEdit::default(), NOW)
                .is_ok()
        })
        .count();
    assert_eq!(passed, NOTES_WRITTEN_BYTES_MAX / NOTE_VALUE_BYTES_MAX - 1);
    assert!(guard.note_delete(&base, None, NOW).is_err());
}

#[test]
fn keys_are_plain_names() {
    let (scope, edited) = (scope(), EditedItems::default());
    let guard = Guard::for_run(&scope, run_id(), &edited);
    let ram = Ram::default();
    let set = |key: &str| {
        let done = guard.ram_set(&ram, key, json!("v"), 2048);
        done.map(drop).map_err(|refusal| refusal.code)
    };
    for key in [
        "a",
        "tea,green",
        "/working_memory/a/b",
        "\u{8a9e}",
        "a b",
        "..a",
        "a..",
        "plan",
    ] {
        assert_eq!(set(key), Ok(()), "{key}");
    }
    let long = "k".repeat(RAM_KEY_BYTES_MAX + 1);
    for key in [
        "",
        "  ",
        "a\nb",
        "a\u{0}b",
        "a\u{202e}b",
        "a\u{200b}",
        "\u{feff}a",
        "a\u{e0041}",
        "../a",
        "a/../b",
        "a/./b",
        "..",
        &long,
    ] {
        assert_eq!(set(key), Err(Code::PathInvalid), "{key:?}");
        assert_eq!(
            guard.ram_delete(key).map_err(|it| it.code).err(),
            Some(Code::PathInvalid)
        );
    }
    // No list could name it; one from before can go.
    for key in [" lead", "trail "] {
        assert_eq!(set(key), Err(Code::PathInvalid), "{key:?}");
        assert!(guard.ram_delete(key).is_ok(), "{key:?}");
    }
}

/// The journal's reader gives up at some depth: what it could not read back is never written.
#[test]
fn nesting_is_bounded_for_everybody() {
    let (scope, edited) = (scope(), EditedItems::default());
    let nested = |depth| (1..depth).fold(json!([]), |inner, _| json!([{"a": 1}, inner]));
    let ram = Ram::default();
    for (depth, fits) in [
        (1, true),
        (JSON_DEPTH_MAX, true),
        (JSON_DEPTH_MAX + 1, false),
    ] {
        for key in ["k", "steps"] {
            let agent = Guard::for_run(&scope, run_id(), &edited);
            let user = Guard::for_user(&scope, &edited);
            for guard in [agent, user] {
                let done = guard.ram_set(&ram, key, nested(depth), usize::MAX);
                assert_eq!(done.is_ok(), fits, "{key}, {depth}");
            }
        }
        let issue = Issue {
            text: "odd".to_owned(),
            metadata: Map::from_iter([("why".to_owned(), nested(depth))]),
            created_at: NOW,
            open: true,
        };
        let edit = NoteEdit {
            issue: Some(issue),
            ..NoteEdit::default()
        };
        let mut guard = Guard::for_run(&scope, run_id(), &edited);
        let done = guard.note_update(&note(1, "T", "v"), None, edit, NOW);
        let code = done.map(drop).map_err(|refusal| refusal.code);
        assert_eq!(
            code,
            if fits {
                Ok(())
            } else {
                Err(Code::LimitExceeded)
            }
        );
        let text = nested(depth).to_string();
        assert!(
            serde_json::from_str::<serde_json::Value>(&text).is_ok(),
            "a model may write it"
        );
    }
}

#[test]
fn ram_values_and_keys_are_bounded_for_everybody() {
    let (scope, edited) = (scope(), EditedItems::default());
    let user = Guard::for_user(&scope, &edited);
    let mut ram = Ram::default();
    let long = json!("x".repeat(RAM_VALUE_BYTES_MAX + 1));
    assert!(user.ram_set(&ram, "k", long, usize::MAX).is_err());
    for number in 0..RAM_KEYS_MAX - 5 {
        ram.set(format!("k{number}"), json!(1));
    }
    assert!(
        user.ram_set(&ram, "one more", json!(1), usize::MAX)
            .is_err()
    );
    assert!(user.ram_set(&ram, "k1", json!(2), usize::MAX).is_ok());
}

/// Form, place, content, amount: whatever fails in two of them is told the earlier one.
#[test]
fn of_two_faults_the_earlier_layer_is_told() {
    let (scope, edited) = (scope(), EditedItems::default());
    let mut guard = Guard::for_run(&scope, run_id(), &edited);
    let ram = Ram::default();
    let large = json!("x".repeat(RAM_VALUE_BYTES_MAX + 1));
    for (key, value, code) in [
        ("a/../b", large.clone(), Code::PathInvalid),
        ("a", large, Code::LimitExceeded),
    ] {
        let refused = guard.ram_set(&ram, key, value, 16).unwrap_err();
        assert_eq!(refused.code, code, "{key}");
    }
    // The size of one value is told before the size of all of RAM.
    let refused = guard.ram_set(&ram, "a", json!("x".repeat(RAM_VALUE_BYTES_MAX + 1)), 16);
    assert!(
        refused
            .unwrap_err()
            .message
            .contains(&RAM_VALUE_BYTES_MAX.to_string())
    );

    let large = "x".repeat(NOTE_VALUE_BYTES_MAX + 1);
    let mut stale = note(1, "T", "v");
    stale.version = 2;
    let mut secret = stale.clone();
    secret.note_kind = "secret".to_owned();
    let mut foreign = secret.clone();
    foreign.workspace_id = ABROAD;
    for (base, code) in [
        (foreign, Code::CrossWorkspaceRejected),
        (secret, Code::ScopeViolation),
        (stale, Code::VersionConflict),
    ] {
        let edit = NoteEdit {
            value: Some(large.clone()),
            ..NoteEdit::default()
        };
        let refused = guard.note_update(&base, Some(1), edit, NOW).unwrap_err();
        assert_eq!(refused.code, code);
    }
    // A note that is too long does not use up the iteration's number of notes.
    for _ in 0..=scope.max_notes_per_loop {
        let new = NewNote {
            value: large.clone(),
            ..new_note()
        };
        let refused = guard.note_create(new, note_id(1), NOW).unwrap_err();
        assert!(
            refused.message.contains(&NOTE_VALUE_BYTES_MAX.to_string()),
            "the limit is stated"
        );
    }
    assert!(guard.note_create(new_note(), note_id(1), NOW).is_ok());
}
