//! What the model may not do to notes.

use super::guard_check::{Attempt, GuardCheck, ReplyAttempt, ScriptedReply};
use crate::core::guard::{Approved, NewNote, Refusal};
use crate::core::journal::Change;
use crate::core::prompt::Mode;
use crate::daemon::ChangeContext;
use crate::failure::Code;
use crate::ids::IdSource as _;
use crate::limits::{INSTRUCTIONS_PER_REPLY_MAX, NOTE_TITLE_BYTES_MAX, PROPOSALS_PENDING_MAX};
use crate::store::DrawnIds;

/// Most instructions of a kind that a check at a limit writes.
const TRIED_MAX: u32 = 60;

const _: () = assert!((TRIED_MAX as usize) < INSTRUCTIONS_PER_REPLY_MAX);

/// A person's notes with these titles.
pub(super) fn write(
    cx: &mut ChangeContext<'_>,
    titles: &[&str],
) -> Result<Vec<Approved<Change>>, Refusal> {
    let text = "What a person wrote.";
    titles
        .iter()
        .map(|title| write_one(cx, title, text))
        .collect()
}

fn write_one(
    cx: &mut ChangeContext<'_>,
    title: &str,
    text: &str,
) -> Result<Approved<Change>, Refusal> {
    let new = NewNote {
        workspace_id: None,
        kind: Some("note".to_owned()),
        title: Some(title.to_owned()),
        keywords: Vec::new(),
        value: text.to_owned(),
        links: Vec::new(),
    };
    let id = DrawnIds { now: cx.now }.next_note_id();
    cx.guard.note_create(new, id, cx.now)
}

pub(super) fn add(title: &str, more: &str) -> String {
    format!(
        "<record_add><title>{title}</title><keywords>proof</keywords>{more}\
         <value>What got through: {title}.</value></record_add>"
    )
}

pub(super) fn update(key: &str, more: &str, value: &str) -> String {
    format!("<record_update><key>{key}</key>{more}<value>{value}</value></record_update>")
}

/// The checks at notes.
pub(super) const GUARD_CHECKS: &[GuardCheck] = &[
    GuardCheck {
        guard: "scope.kind",
        tried: "record_add of a kind outside scope.allowed_note_kinds",
        attempt: Attempt::ReplyAttempt(ReplyAttempt::new(&[Code::ScopeViolation], |_| {
            let kind = "<kind>kind_that_no_scope_allows</kind>";
            vec![ScriptedReply::complete(add("Proof of kinds", kind))]
        })),
    },
    GuardCheck {
        guard: "scope.notes_per_loop",
        tried: "one record_add more than scope.max_notes_per_loop",
        attempt: Attempt::ReplyAttempt(
            ReplyAttempt::new(&[Code::LimitExceeded], |tuned| {
                let most = tuned.config.scope.max_notes_per_loop;
                let all = (0..=most).map(|n| add(&format!("Proof {n} of counts"), ""));
                vec![ScriptedReply::complete(all.collect::<String>())]
            })
            .tuned(|tuned| {
                let most = &mut tuned.config.scope.max_notes_per_loop;
                *most = (*most).min(TRIED_MAX);
            })
            .holding(|tuned, before, after| {
                let most = usize::try_from(tuned.config.scope.max_notes_per_loop);
                after.note_count() - before.note_count() == most.unwrap_or(usize::MAX)
            }),
        ),
    },
    GuardCheck {
        guard: "scope.edits_per_loop",
        tried: "one record_issue more than scope.max_edits_per_loop",
        attempt: Attempt::ReplyAttempt(
            ReplyAttempt::new(&[Code::LimitExceeded], |tuned| {
                let one = |n| {
                    format!(
                        "<record_issue><key>Proof of edits</key><value>issue {n}</value>\
                         <metadata>{{}}</metadata></record_issue>"
                    )
                };
                let most = tuned.config.scope.max_edits_per_loop;
                vec![ScriptedReply::complete(
                    (0..=most).map(one).collect::<String>(),
                )]
            })
            .tuned(|tuned| {
                let most = &mut tuned.config.scope.max_edits_per_loop;
                *most = (*most).min(TRIED_MAX);
                tuned.config.mode = Some(Mode::Yolo);
            })
            .after(|cx| write(cx, &["Proof of edits"]))
            .holding(|tuned, _, after| {
                let most = usize::try_from(tuned.config.scope.max_edits_per_loop);
                let mut notes = after.notes.iter();
                let note = notes.find(|note| note.title == "Proof of edits");
                note.map(|note| note.issues.len()) == most.ok()
            }),
        ),
    },
    GuardCheck {
        guard: "note.version",
        tried: "record_update based on a version that is past",
        attempt: Attempt::ReplyAttempt(
            ReplyAttempt::new(&[Code::VersionConflict], |_| {
                let version = "<version>7</version>";
                vec![ScriptedReply::complete(update(
                    "Proof of versions",
                    version,
                    "Mine.",
                ))]
            })
            .after(|cx| write(cx, &["Proof of versions"])),
        ),
    },
    GuardCheck {
        guard: "note.edited_meanwhile",
        tried: "record_update of a note that a person edits during the call",
        attempt: Attempt::Done(super::files::edited_note),
    },
    GuardCheck {
        guard: "note.cut_copy",
        tried: "a long text replaced by the cut copy of it that a prompt showed",
        attempt: Attempt::ReplyAttempt(
            ReplyAttempt::new(&[Code::TextCut], |_| {
                let cut = crate::core::prompt::shorten(&"word ".repeat(400), 100);
                vec![ScriptedReply::complete(update("Proof of cuts", "", &cut))]
            })
            .after(|cx| {
                let long = "word ".repeat(400);
                Ok(vec![write_one(cx, "Proof of cuts", &long)?])
            }),
        ),
    },
    GuardCheck {
        guard: "note.sizes",
        tried: "a note with a title longer than any",
        attempt: Attempt::ReplyAttempt(ReplyAttempt::new(&[Code::LimitExceeded], |_| {
            let title = "t".repeat(NOTE_TITLE_BYTES_MAX + 1);
            vec![ScriptedReply::complete(add(&title, ""))]
        })),
    },
    GuardCheck {
        guard: "note.near_duplicate",
        tried: "a note that says what another says, with notes.refuse_near_duplicates",
        attempt: Attempt::ReplyAttempt(
            ReplyAttempt::new(&[Code::NearDuplicate], |_| {
                let text = "<record_add><title>Proof of copies</title><keywords></keywords>\
                            <kind>note</kind><value>What a person wrote.</value></record_add>";
                vec![ScriptedReply::complete(text)]
            })
            .tuned(|tuned| tuned.config.notes.refuse_near_duplicates = true)
            .after(|cx| write(cx, &["Proof of copies"])),
        ),
    },
    GuardCheck {
        guard: "note.ambiguous",
        tried: "record_delete by a title that two notes have",
        attempt: Attempt::ReplyAttempt(
            ReplyAttempt::new(&[Code::RecordKeyAmbiguous], |_| {
                let text = "<record_delete><key>Proof of two</key></record_delete>";
                vec![ScriptedReply::complete(text)]
            })
            .after(|cx| write(cx, &["Proof of two", "Proof of two"])),
        ),
    },
    GuardCheck {
        guard: "note.unknown",
        tried: "record_delete of a path out of the notes' folder",
        attempt: Attempt::ReplyAttempt(
            ReplyAttempt::new(&[Code::RecordNotFound], |_| {
                let text = "<record_delete><key>../config.json</key></record_delete>";
                vec![ScriptedReply::complete(text)]
            })
            .after(|cx| write(cx, &["Proof of what stays"])),
        ),
    },
    GuardCheck {
        guard: "mode.reviewed",
        tried: "record_add in mode reviewed",
        attempt: Attempt::Done(super::runs::reviewed),
    },
];

/// What fills the scratch folder comes last.
pub(super) const LAST: &[GuardCheck] = &[GuardCheck {
    guard: "mode.proposals",
    tried: "one proposal more than may wait for a person",
    attempt: Attempt::ReplyAttempt(
        ReplyAttempt::new(&[Code::LimitExceeded], |tuned| {
            let each = tuned.config.scope.max_notes_per_loop;
            let count = u32::try_from(PROPOSALS_PENDING_MAX).unwrap_or(u32::MAX) + 1;
            let replies = (0..count).step_by(usize::try_from(each).unwrap_or(1));
            let reply = |from| {
                let all = (from..from + each).map(|n| add(&format!("Proposal {n}"), ""));
                ScriptedReply::complete(all.collect::<String>())
            };
            replies.map(reply).collect()
        })
        .tuned(|tuned| {
            tuned.config.mode = Some(Mode::Reviewed);
            tuned.config.scope.max_notes_per_loop = TRIED_MAX;
        })
        .holding(|_, before, after| {
            after.notes == before.notes && after.proposals == PROPOSALS_PENDING_MAX
        }),
    ),
}];
