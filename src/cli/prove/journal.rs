//! What may not be done to the folder itself: a second writer, and a journal that somebody has changed.

use super::files::FILE_BYTES_MAX;
use super::guard_check::{Attempt, Came, GuardCheck, ScriptedReply, UNTOUCHED};
use super::scratch::{Scratch, disk_at, fresh, unusable};
use crate::config::Config;
use crate::daemon::{self, Command, store_options};
use crate::failure::{Code, Failure};
use crate::ids::EventId;
use crate::store::disk::Disk as _;
use crate::store::{Store, layout, verify};
use serde_json::json;
use std::io;
use std::path::Path;

/// The trials at the folder.
pub(super) const GUARD_CHECKS: &[GuardCheck] = &[
    GuardCheck {
        guard: "lock.one_writer",
        tried: "a second writer on a folder that is held",
        attempt: Attempt::Done(|scratch| {
            let held = daemon::hold(&scratch.root)?;
            let second = daemon::hold(&scratch.root);
            drop(held);
            Ok(Came::by_failure(second, &[Code::DataLocked], UNTOUCHED))
        }),
    },
    GuardCheck {
        guard: "journal.changed",
        tried: "a start on a journal in which one byte of a fact was changed",
        attempt: Attempt::Done(|scratch| {
            tampered(scratch, "changed", true, |lines| {
                if let Some(line) = lines.get_mut(1) {
                    *line = line.replacen("Keep a note.", "Keep a goat.", 1);
                }
            })
        }),
    },
    GuardCheck {
        guard: "journal.removed",
        tried: "a start on a journal out of which one commit was taken",
        attempt: Attempt::Done(|scratch| {
            // Without its checkpoint, all of it is read.
            tampered(scratch, "removed", false, |lines| {
                if lines.len() > 2 {
                    lines.remove(1);
                }
            })
        }),
    },
    GuardCheck {
        guard: "journal.cut_off",
        tried: "a start on a journal whose acknowledged end was cut off",
        attempt: Attempt::Done(|scratch| {
            tampered(scratch, "cut-off", true, |lines| {
                lines.truncate(2);
            })
        }),
    },
];

/// A root of its own whose journal somebody has changed: nobody may live on it, and it is not changed.
fn tampered(
    scratch: &mut Scratch,
    name: &str,
    keeps_checkpoint: bool,
    change: fn(&mut Vec<String>),
) -> Result<Came, Failure> {
    let root = scratch.root.join(name);
    let config = fresh(&root, &json!({}))?.config;
    lived(&root, &config, scratch)?;
    let mut disk = disk_at(&root)?;
    let path = layout::segment_path(1);
    let failed = |error: io::Error| unusable(&path, &error);
    let bytes = disk.read(&path, FILE_BYTES_MAX).map_err(failed)?;
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    change(&mut lines);
    let changed = lines.join("\n") + "\n";
    if changed == text {
        return Ok(Came::Through("the journal could not be changed".to_owned()));
    }
    disk.remove(&path).map_err(failed)?;
    disk.create(&path, changed.as_bytes()).map_err(failed)?;
    if !keeps_checkpoint {
        let checkpoint = Path::new(layout::CHECKPOINT);
        disk.remove(checkpoint).map_err(failed)?;
    }
    let mut tuned = scratch.tuned();
    tuned.config = config;
    // A start reads what comes behind the checkpoint; the rest is read in the first pause.
    tuned.config.r#loop.loop_delay_ms = 1;
    let model = scratch.model(&[ScriptedReply::complete(
        "<state_add><state>executing</state></state_add>",
    )])?;
    // Of the same length it is seen only there; otherwise already by the start.
    let is_hidden = changed.len() == text.len();
    let lived = scratch.open_at(&root, &tuned, model).and_then(|mut agent| {
        if let Some(run_id) = agent.next_run().filter(|_| is_hidden) {
            // It ends with the model's last word, or with what was found.
            drop(scratch.wait_for(agent.drive(run_id)));
        }
        agent.close()
    });
    let left = disk.read(&path, FILE_BYTES_MAX).map_err(failed)?;
    let seen = verify(&mut disk)?;
    let codes = [Code::JournalTampered, Code::DataCorrupt];
    let came = Came::by_failure(lived, &codes, UNTOUCHED);
    Ok(came.only_if(
        !seen.ok && left.starts_with(changed.as_bytes()),
        "the journal counts as good",
    ))
}

/// Some life for a root of its own: a request that is known, and a stop in good order.
fn lived(root: &Path, config: &Config, scratch: &Scratch) -> Result<(), Failure> {
    let now = scratch.now();
    let held = daemon::hold(root)?;
    let (mut store, _) = Store::open(held.disk, store_options(config), now)?;
    store.read_notes(now)?;
    for number in 0..3 {
        let launch = Command::Launch {
            event: EventId(format!("proof {number}")),
            request: Some("Keep a note.".to_owned()),
        };
        daemon::run_alone(&mut store, config, now, launch)?;
    }
    Ok(store.checkpoint(true, now)?)
}
