//! What the model may not do to notes of other workspaces: write them, propose changes of them unless that
//! is asked for, or learn that they are there.

use super::guard_check::{ANSWERED, Attempt, Came, GuardCheck, ReplyAttempt, ScriptedReply};
use super::notes;
use super::scratch::{Scratch, fresh};
use crate::core::prompt::Mode;
use crate::failure::{Code, Failure};
use crate::ids::WorkspaceId;
use serde_json::json;
use uuid::Uuid;

/// The title of the note that stands there.
const TITLE: &str = "Proof of another";

/// The trials at the fence between workspaces.
pub(super) const GUARD_CHECKS: &[GuardCheck] = &[
    GuardCheck {
        guard: "scope.workspace",
        tried: "record_add in another workspace, in mode yolo",
        attempt: Attempt::ReplyAttempt(
            ReplyAttempt::new(&[Code::CrossWorkspaceRejected], |_| {
                let foreign = format!("<workspace_id>{}</workspace_id>", Uuid::new_v4());
                vec![ScriptedReply::complete(notes::add(
                    "Proof of workspaces",
                    &foreign,
                ))]
            })
            .tuned(|tuned| {
                tuned.config.mode = Some(Mode::Yolo);
                // No configuration of that mode can say so, and no guard relies on that.
                tuned.config.scope.cross_workspace_writes = true;
            }),
        ),
    },
    GuardCheck {
        guard: "scope.workspace_of_note",
        tried: "record_update of a note of another workspace, in mode yolo",
        attempt: Attempt::Done(|scratch| {
            let fence = Fence {
                mode: Mode::Yolo,
                writes: true,
                reads: true,
            };
            foreign_note(scratch, fence, Code::CrossWorkspaceRejected)
        }),
    },
    GuardCheck {
        guard: "scope.workspace_proposed",
        tried: "the same as a proposal, without scope.cross_workspace_writes",
        attempt: Attempt::Done(|scratch| {
            let fence = Fence {
                mode: Mode::Reviewed,
                writes: false,
                reads: true,
            };
            foreign_note(scratch, fence, Code::CrossWorkspaceRejected)
        }),
    },
    GuardCheck {
        guard: "scope.workspace_unread",
        tried: "the same where scope.can_read_workspaces does not list it: there is no such note",
        attempt: Attempt::Done(|scratch| {
            let fence = Fence {
                mode: Mode::Reviewed,
                writes: true,
                reads: false,
            };
            foreign_note(scratch, fence, Code::RecordNotFound)
        }),
    },
    GuardCheck {
        guard: "scope.workspace_yolo",
        tried: "a configuration with scope.cross_workspace_writes in mode yolo",
        attempt: Attempt::Done(|scratch| {
            let changes = json!({"mode": "yolo", "scope": {"cross_workspace_writes": true}});
            let loaded = fresh(&scratch.root.join("writes-elsewhere"), &changes);
            Ok(Came::by_failure(
                loaded,
                &[Code::ConfigSchemaInvalid],
                ANSWERED,
            ))
        }),
    },
];

/// What the configuration says of another workspace.
#[derive(Clone, Copy)]
struct Fence {
    mode: Mode,
    writes: bool,
    reads: bool,
}

/// A note of another workspace stands here; the model wants to write it.
fn foreign_note(scratch: &mut Scratch, fence: Fence, code: Code) -> Result<Came, Failure> {
    let abroad = foreign_workspace();
    let mut elsewhere = scratch.tuned();
    elsewhere.config.scope.workspace_id = abroad;
    scratch.by_person(&elsewhere, |cx| notes::write(cx, &[TITLE]))?;
    let mut tuned = scratch.tuned();
    tuned.config.mode = Some(fence.mode);
    tuned.config.scope.cross_workspace_writes = fence.writes;
    tuned.config.scope.can_read_workspaces = Vec::from_iter(fence.reads.then_some(abroad));
    let asked = scratch.ask(
        &tuned,
        &[ScriptedReply::complete(notes::update(TITLE, "", "Mine."))],
    )?;
    let came = Came::by_audit(&asked.entries, code);
    Ok(came.only_if(asked.before == asked.after, &asked.changed()))
}

/// A workspace that is nobody's.
pub(super) fn foreign_workspace() -> WorkspaceId {
    WorkspaceId(Uuid::new_v4())
}
