//! The kinds of attempts, each of which returns what was observed.

use super::check::{Attempt, AttemptResult, Check};
use super::scratch::{
    REQUEST, Scratch, Setup, disk_at, failure_of, fresh, new_event, on_disk, read, replace, reply,
};
use crate::core::guard::{Approved, Refusal};
use crate::core::journal::Change;
use crate::core::run::Trigger;
use crate::daemon::{self, ChangeContext, Command, store_options};
use crate::failure::Failure;
use crate::ids::{EventId, RunId};
use crate::limits::IMPORT_MARKDOWN_BYTES_MAX;
use crate::store::disk::Disk as _;
use crate::store::external_files::{SourceFiles, Target};
use crate::store::{Store, layout, verify};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// The time after which an edited file counts as unchanged, in milliseconds.
const STILL_MS: i64 = 2000;

/// A secret that must not be shown.
pub(super) const SECRET: &str = "sk-proof-0123456789";

pub(super) fn attempt(check: &Check, scratch: &Scratch) -> Result<AttemptResult, Failure> {
    let mut setup = scratch.setup.clone();
    (check.set)(&mut setup);
    scratch.write_notes(&setup, check)?;
    scratch.watch(|| (check.does.act)(scratch, setup, &scratch.root.join(check.guard)))
}

/// A model plays these lines of a script in one run, one an iteration.
pub(super) fn play(lines: Vec<String>) -> Attempt {
    let act = move |scratch: &Scratch, mut setup: Setup, _: &Path| {
        let lines_max = u32::try_from(lines.len()).ok();
        setup.iterations = setup.iterations.or(lines_max);
        scratch.run(&setup, scratch.script(&lines)?)
    };
    Attempt::new(act).risky().unaudited(WAITS)
}

/// A person makes a change.
pub(super) fn change(
    change: fn(&mut ChangeContext<'_>) -> Result<Vec<Approved<Change>>, Refusal>,
) -> Attempt {
    Attempt::new(move |scratch, setup, _| {
        Ok(AttemptResult::outcome(scratch.change(&setup, change)))
    })
}

/// A new root is read with these values in its configuration, and these rules.
pub(super) fn load(changes: Value, rules: Vec<Value>) -> Attempt {
    Attempt::new(move |_, _, root| {
        let loaded = fresh(root, &changes, &rules);
        let is_quiet = !format!("{:?}", loaded.as_ref().err()).contains(SECRET);
        Ok(AttemptResult::outcome(loaded).unless(is_quiet, "the key was shown"))
    })
}

/// A second process locks the root.
pub(super) fn hold() -> Attempt {
    let hold = |scratch: &Scratch, _, _: &Path| {
        let _held = daemon::hold(&scratch.root)?;
        Ok(AttemptResult::outcome(daemon::hold(&scratch.root)))
    };
    Attempt::new(hold).unaudited(NOT_WRITTEN)
}

/// The reason for a missing entry where a root cannot be opened.
const NOT_WRITTEN: &str = "nothing may be written there";

/// A text is shown that must not contain another one.
pub(super) fn show(shown: String, hidden: &'static str) -> Attempt {
    let act = move |_: &Scratch, _, _: &Path| {
        let words = (!shown.contains(hidden)).then(|| shown.clone());
        Ok(AttemptResult {
            words,
            ..AttemptResult::default()
        })
    };
    Attempt::new(act).unaudited("it decides nothing, it shows")
}

/// The reason for a missing entry where nothing is asked of the data.
const NOT_ASKED: &str = "nothing was asked of it";

/// The reason why an act that is only put off leaves no record.
pub(super) const WAITS: &str = "nothing is refused for good: the call waits";

/// A model plays these lines in one run and in those that a rule opens, one iteration each.
pub(super) fn rule_runs(rule: Value, lines: Vec<String>) -> Attempt {
    let act = move |scratch: &Scratch, mut setup: Setup, root: &Path| {
        let loaded = fresh(root, &json!({}), std::slice::from_ref(&rule))?;
        setup.config.rules = loaded.config.rules;
        let mut agent = scratch.open(&scratch.root, &setup, scratch.script(&lines)?)?;
        agent.max_iterations = Some(1);
        let driven = scratch.wait_for(async {
            let request = Some(REQUEST.to_owned());
            let mut next = Some(agent.queue(new_event(), Trigger::Request, request).await?);
            let mut count = 0;
            while let Some(run_id) = next.filter(|_| count < lines.len()) {
                agent.drive(run_id).await?;
                count += 1;
                next = agent.next_run();
            }
            Ok(count)
        });
        let left = agent.next_run();
        agent.close()?;
        scratch.cancel(&setup, left)?;
        Ok(AttemptResult {
            words: Some(String::new()),
            runs: driven.map_err(failure_of)?,
            ..AttemptResult::default()
        })
    };
    Attempt::new(act).unaudited(NOT_ASKED)
}

/// One event is queued twice.
pub(super) fn queue() -> Attempt {
    let act = |scratch: &Scratch, setup: Setup, _: &Path| {
        let (event, request) = (new_event(), || Some(REQUEST.to_owned()));
        let mut agent = scratch.open_unasked(&setup)?;
        let first = scratch.wait_for(agent.queue(event.clone(), Trigger::Request, request()));
        let seq = agent.store().head().seq;
        let second = scratch.wait_for(agent.queue(event, Trigger::Request, request()));
        let is_same = agent.store().head().seq == seq;
        agent.close()?;
        let (first, second) = (first.map_err(failure_of)?, second.map_err(failure_of)?);
        scratch.cancel(&setup, Some(first))?;
        Ok(AttemptResult {
            words: (first == second && is_same).then(|| first.to_string()),
            ..AttemptResult::default()
        })
    };
    Attempt::new(act).unaudited(NOT_ASKED)
}

/// Two requests are launched with one key.
pub(super) fn launch(requests: [&'static str; 2]) -> Attempt {
    Attempt::new(move |scratch, setup, _| {
        let event = new_event();
        let run_id = RunId::derive(setup.config.scope.workspace_id, &event);
        let [first, second] = requests.map(|request| {
            let (event, request) = (event.clone(), Some(request.to_owned()));
            let launch = Command::Launch { event, request };
            scratch.command(&scratch.root, &setup.config, launch)
        });
        first?;
        scratch.cancel(&setup, Some(run_id))?;
        Ok(AttemptResult::outcome(second))
    })
}

/// A loop starts on a journal with changed lines, with its checkpoint or without.
pub(super) fn damage(change: fn(&mut Vec<String>), has_checkpoint: bool) -> Attempt {
    let act = move |scratch: &Scratch, setup: Setup, root: &Path| {
        damaged_start(scratch, setup, root, change, has_checkpoint)
    };
    Attempt::new(act).unaudited(NOT_WRITTEN)
}

/// Starts on a separate root with a damaged journal: it must refuse to run, and leave the journal.
fn damaged_start(
    scratch: &Scratch,
    mut setup: Setup,
    root: &Path,
    change: fn(&mut Vec<String>),
    has_checkpoint: bool,
) -> Result<AttemptResult, Failure> {
    setup.config = fresh(root, &json!({}), &[])?.config;
    for number in 0..3 {
        let event = EventId(format!("proof {number}"));
        let request = Some(REQUEST.to_owned());
        let launch = Command::Launch { event, request };
        scratch.command(root, &setup.config, launch)?;
    }
    let path = layout::segment_path(1);
    let text = String::from_utf8_lossy(&read(root, &path)?).into_owned();
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    change(&mut lines);
    let changed = lines.join("\n") + "\n";
    replace(root, &path, changed.as_bytes())?;
    if !has_checkpoint {
        let checkpoint = Path::new(layout::CHECKPOINT);
        on_disk(root, checkpoint, |disk| disk.remove(checkpoint))?;
    }
    // A start reads the lines after the checkpoint; the first pause reads the rest.
    setup.config.r#loop.loop_delay_ms = 1;
    let model = scratch.script(&[reply("<state_add><state>executing</state></state_add>")])?;
    // Damage of the same length is found only there; other damage already by the start.
    let is_hidden = changed.len() == text.len();
    let lived = scratch.open(root, &setup, model).and_then(|mut agent| {
        if let Some(run_id) = agent.next_run().filter(|_| is_hidden) {
            // It ends with the model's last reply, or with the damage.
            drop(scratch.wait_for(agent.drive(run_id)));
        }
        agent.close()
    });
    let is_bad = changed != text && !verify(&mut disk_at(root)?)?.ok;
    let stays = read(root, &path)?.starts_with(changed.as_bytes());
    Ok(AttemptResult::outcome(lived).unless(is_bad && stays, "the journal counts as good"))
}

/// A file is put into the inbox; without bytes a folder.
pub(super) fn drop_request(name: &'static str, bytes: Option<Vec<u8>>) -> Attempt {
    let act = move |scratch: &Scratch, setup: Setup, _: &Path| {
        let path = Path::new(layout::INBOX).join(name);
        on_disk(&scratch.root, &path, |disk| {
            disk.create_folder(Path::new(layout::INBOX))?;
            match &bytes {
                Some(bytes) => disk.create(&path, bytes),
                None => disk.create_folder(&path),
            }
        })?;
        let mut agent = scratch.open_unasked(&setup)?;
        let taken = scratch.wait_for(agent.take_inbox());
        let run = agent.next_run();
        agent.close()?;
        taken.map_err(failure_of)?;
        scratch.cancel(&setup, run)?;
        Ok(AttemptResult::default().unless(run.is_none(), "it became a run"))
    };
    Attempt::new(act).risky()
}

/// The RAM file gets these bytes, or is removed without any: its content must come back.
pub(super) fn edit_ram(bytes: Option<&'static [u8]>) -> Attempt {
    let act = move |scratch: &Scratch, setup: Setup, _: &Path| {
        let options = store_options(&setup.config);
        let path = options.kv_path.clone();
        let good = read(&scratch.root, &path)?;
        match bytes {
            Some(bytes) => replace(&scratch.root, &path, bytes)?,
            None => on_disk(&scratch.root, &path, |disk| disk.remove(&path))?,
        }
        let now = scratch.now();
        let (mut store, _) = Store::open(daemon::hold(&scratch.root)?.disk, options, now)?;
        for after_ms in [0, STILL_MS, 2 * STILL_MS] {
            store.take_edits(now.plus_millis(after_ms))?;
        }
        store.checkpoint(true, now)?;
        let is_back = read(&scratch.root, &path)? == good;
        Ok(AttemptResult::default().unless(is_back, "the good state did not come back"))
    };
    Attempt::new(act).risky()
}

/// Files are exported; the last one must be refused, and none may be outside of the folder.
pub(super) fn export(folder: &'static str, names: &'static [&'static str]) -> Attempt {
    Attempt::new(move |scratch, _, _| {
        let mut target = Target::folder(&scratch.root.join(folder), &scratch.root)?;
        let wrote = names
            .iter()
            .try_for_each(|name| target.write(name, b"got through", false));
        let outside = Path::new("outside.md");
        let beside = on_disk(&scratch.root, outside, |disk| disk.stat(outside))?;
        Ok(AttemptResult::outcome(wrote).unless(beside.is_none(), "the file was written"))
    })
}

/// Files are put below a folder with a bound of files, all in it are found, and the first is read.
pub(super) fn import(
    folder: &'static str,
    files: Vec<(String, Vec<u8>)>,
    files_max: usize,
) -> Attempt {
    Attempt::new(move |scratch, _, _| {
        let folder = scratch.root.join(folder);
        Target::folder(&folder, &scratch.root)?;
        for (name, bytes) in &files {
            let path = folder.join(name);
            let parent = path.parent().unwrap_or(&folder);
            // Each folder on the way is created with it.
            Target::folder(parent, &scratch.root)?;
            let name = PathBuf::from(path.file_name().unwrap_or_default());
            on_disk(parent, &name, |disk| disk.create(&name, bytes))?;
        }
        let mut found = SourceFiles::within(&folder, &|_| true, files_max);
        let words = found.as_mut().ok().and_then(|sources| {
            let odd = sources.odd.first().map(|(_, reason)| reason.clone());
            let first = files.first().map(|(name, _)| Path::new(name));
            let read = sources.read(first.unwrap_or(&folder), IMPORT_MARKDOWN_BYTES_MAX);
            odd.or_else(|| read.err())
        });
        Ok(AttemptResult {
            words,
            ..AttemptResult::outcome(found)
        })
    })
}
