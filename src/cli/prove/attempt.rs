//! Carries out a row of the table, and returns the observations.

use super::check::{Attempt, AttemptResult, Check};
use super::requests;
use super::scratch::{
    REQUEST, Scratch, Setup, disk_at, failure_of, fresh, new_event, on_disk, read, replace, reply,
};
use crate::core::run::Trigger;
use crate::daemon::{self, Command, store_options};
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

/// Carries out a row.
pub(super) fn attempt(check: &Check, scratch: &Scratch) -> Result<AttemptResult, Failure> {
    let mut setup = scratch.setup.clone();
    (check.set)(&mut setup);
    scratch.write_notes(&setup, check)?;
    scratch.watch(|| carry_out(check, scratch, setup))
}

fn carry_out(check: &Check, scratch: &Scratch, mut setup: Setup) -> Result<AttemptResult, Failure> {
    let root = scratch.root.join(check.guard);
    match &check.does {
        Attempt::Script(lines) => {
            let lines_max = u32::try_from(lines.len()).ok();
            setup.iterations = setup.iterations.or(lines_max);
            scratch.run(&setup, scratch.script(lines)?)
        }
        Attempt::Flood => requests::flooded_run(scratch, &setup),
        Attempt::RuleRuns(rule, lines) => rule_runs(scratch, setup, &root, rule, lines),
        Attempt::Queue => queue_twice(scratch, &setup),
        Attempt::Launch(requests) => launch(scratch, &setup, *requests),
        Attempt::Change(change) => Ok(AttemptResult::outcome(scratch.change(&setup, *change))),
        Attempt::Load(changes, rules) => {
            let loaded = fresh(&root, changes, rules);
            let is_quiet = !format!("{:?}", loaded.as_ref().err()).contains(SECRET);
            Ok(AttemptResult::outcome(loaded).unless(is_quiet, "the key was shown"))
        }
        Attempt::Hold => {
            let _held = daemon::hold(&scratch.root)?;
            Ok(AttemptResult::outcome(daemon::hold(&scratch.root)))
        }
        Attempt::Damage(change, has_checkpoint) => {
            damage(scratch, setup, &root, *change, *has_checkpoint)
        }
        Attempt::Drop(name, bytes) => drop_request(scratch, &setup, name, bytes.as_deref()),
        Attempt::EditRam(bytes) => edit_ram(scratch, &setup, *bytes),
        Attempt::Export(folder, names) => export(scratch, folder, names),
        Attempt::Import(folder, files, files_max) => import(scratch, folder, files, *files_max),
        Attempt::Show(shown, hidden) => Ok(AttemptResult {
            words: (!shown.contains(hidden)).then(|| shown.clone()),
            ..AttemptResult::default()
        }),
        Attempt::Ask(listener, answer, request) => {
            requests::ask(scratch, *listener, answer, request)
        }
    }
}

/// Works on one run and on those that a rule opens, one iteration each, and counts them.
fn rule_runs(
    scratch: &Scratch,
    mut setup: Setup,
    root: &Path,
    rule: &Value,
    lines: &[String],
) -> Result<AttemptResult, Failure> {
    let loaded = fresh(root, &json!({}), std::slice::from_ref(rule))?;
    setup.config.rules = loaded.config.rules;
    let mut agent = scratch.open(&scratch.root, &setup, scratch.script(lines)?)?;
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
}

fn queue_twice(scratch: &Scratch, setup: &Setup) -> Result<AttemptResult, Failure> {
    let (event, request) = (new_event(), || Some(REQUEST.to_owned()));
    let mut agent = scratch.open_unasked(setup)?;
    let first = scratch.wait_for(agent.queue(event.clone(), Trigger::Request, request()));
    let seq = agent.store().head().seq;
    let second = scratch.wait_for(agent.queue(event, Trigger::Request, request()));
    let is_same = agent.store().head().seq == seq;
    agent.close()?;
    let (first, second) = (first.map_err(failure_of)?, second.map_err(failure_of)?);
    scratch.cancel(setup, Some(first))?;
    Ok(AttemptResult {
        words: (first == second && is_same).then(|| first.to_string()),
        ..AttemptResult::default()
    })
}

fn launch(scratch: &Scratch, setup: &Setup, requests: [&str; 2]) -> Result<AttemptResult, Failure> {
    let event = new_event();
    let run_id = RunId::derive(setup.config.scope.workspace_id, &event);
    let [first, second] = requests.map(|request| {
        let (event, request) = (event.clone(), Some(request.to_owned()));
        let launch = Command::Launch { event, request };
        scratch.command(&scratch.root, &setup.config, launch)
    });
    first?;
    scratch.cancel(setup, Some(run_id))?;
    Ok(AttemptResult::outcome(second))
}

/// Starts on a separate root with a damaged journal: it must refuse to run, and leave the journal.
fn damage(
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

/// Puts a file or a folder into the inbox.
fn drop_request(
    scratch: &Scratch,
    setup: &Setup,
    name: &str,
    bytes: Option<&[u8]>,
) -> Result<AttemptResult, Failure> {
    let path = Path::new(layout::INBOX).join(name);
    on_disk(&scratch.root, &path, |disk| {
        disk.create_folder(Path::new(layout::INBOX))?;
        match bytes {
            Some(bytes) => disk.create(&path, bytes),
            None => disk.create_folder(&path),
        }
    })?;
    let mut agent = scratch.open_unasked(setup)?;
    let taken = scratch.wait_for(agent.take_inbox());
    let run = agent.next_run();
    agent.close()?;
    taken.map_err(failure_of)?;
    scratch.cancel(setup, run)?;
    Ok(AttemptResult::default().unless(run.is_none(), "it became a run"))
}

/// Changes or removes the RAM file: its content must come back.
fn edit_ram(
    scratch: &Scratch,
    setup: &Setup,
    bytes: Option<&[u8]>,
) -> Result<AttemptResult, Failure> {
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
}

/// Exports files; the last one must be refused, and none may be outside of the folder.
fn export(scratch: &Scratch, folder: &str, names: &[&str]) -> Result<AttemptResult, Failure> {
    let mut target = Target::folder(&scratch.root.join(folder), &scratch.root)?;
    let wrote = names
        .iter()
        .try_for_each(|name| target.write(name, b"got through", false));
    let outside = Path::new("outside.md");
    let beside = on_disk(&scratch.root, outside, |disk| disk.stat(outside))?;
    Ok(AttemptResult::outcome(wrote).unless(beside.is_none(), "the file was written"))
}

/// Puts files below a folder, finds all in it, and reads the first one.
fn import(
    scratch: &Scratch,
    folder: &str,
    files: &[(String, Vec<u8>)],
    files_max: usize,
) -> Result<AttemptResult, Failure> {
    let folder = scratch.root.join(folder);
    Target::folder(&folder, &scratch.root)?;
    for (name, bytes) in files {
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
}
