//! What files may not do: requests and hand edits that cannot be read, paths that lead elsewhere, secrets
//! and characters where people read.

use super::super::text::visible;
use super::guard_check::{ANSWERED, Attempt, Came, GuardCheck, SHOWN_ONLY, ScriptedReply, Shown};
use super::notes;
use super::scratch::{Scratch, Tuned, fresh, unusable};
use crate::config::Secret;
use crate::core::journal::event::Outcome;
use crate::daemon::{self, store_options};
use crate::failure::{Code, Failure};
use crate::limits::INBOX_FILE_BYTES_MAX;
use crate::provider::{CallFuture, LlmProvider, LlmReply, LlmRequest, ProviderError};
use crate::store::disk::Disk as _;
use crate::store::outside::Target;
use crate::store::{AuditEntry, Store, layout};
use serde_json::{Value, json};
use std::io;
use std::path::{Path, PathBuf};

/// Largest file of a scratch folder that a check reads, in bytes.
pub(super) const FILE_BYTES_MAX: usize = 64 * 1024 * 1024;

/// How long a hand edit is given to lie still, in milliseconds.
const STILL_MS: i64 = 2000;

/// A secret that must not be seen.
const SECRET: &str = "sk-proof-0123456789";

/// The checks at files.
pub(super) const GUARD_CHECKS: &[GuardCheck] = &[
    GuardCheck {
        guard: "inbox.bytes",
        tried: "a request file larger than any",
        attempt: Attempt::Done(|scratch| {
            let text = "x".repeat(INBOX_FILE_BYTES_MAX + 1);
            request_file(scratch, "too-large.txt", Some(text.as_bytes()))
        }),
    },
    GuardCheck {
        guard: "inbox.text",
        tried: "a request file that is not UTF-8",
        attempt: Attempt::Done(|scratch| {
            request_file(scratch, "not-text.txt", Some(b"delete \xff\xfe"))
        }),
    },
    GuardCheck {
        guard: "inbox.form",
        tried: "a request file in JSON with the same key twice",
        attempt: Attempt::Done(|scratch| {
            let text = br#"{"request": "one", "request": "two"}"#;
            request_file(scratch, "twice.json", Some(text))
        }),
    },
    GuardCheck {
        guard: "inbox.kind",
        tried: "a folder in the place of a request file",
        attempt: Attempt::Done(|scratch| request_file(scratch, "folder.txt", None)),
    },
    GuardCheck {
        guard: "edit.broken_ram",
        tried: "a hand edit of RAM that is no JSON",
        attempt: Attempt::Done(|scratch| {
            hand_edit(scratch, Some(b"{\"plan\": "), Code::EditInvalid)
        }),
    },
    GuardCheck {
        guard: "edit.missing_ram",
        tried: "the RAM file taken away",
        attempt: Attempt::Done(|scratch| hand_edit(scratch, None, Code::EditInvalid)),
    },
    GuardCheck {
        guard: "path.outside",
        tried: "a file written outside the folder that it is for",
        attempt: Attempt::Done(|scratch| {
            let folder = scratch.root.join("export");
            let mut target = Target::folder(&folder, &scratch.root)?;
            let wrote = target.write("../outside.md", b"got through", false);
            let stays = !exists(scratch, "outside.md")?;
            let came = Came::by_failure(wrote, &[Code::DiskError], ANSWERED);
            Ok(came.only_if(stays, "the file was written"))
        }),
    },
    GuardCheck {
        guard: "export.exists",
        tried: "an export over a person's file",
        attempt: Attempt::Done(|scratch| {
            let folder = scratch.root.join("export-over");
            let mut target = Target::folder(&folder, &scratch.root)?;
            target.write("mine.md", b"mine", false)?;
            let wrote = target.write("mine.md", b"got through", false);
            Ok(Came::by_failure(wrote, &[Code::FileExists], ANSWERED))
        }),
    },
    GuardCheck {
        guard: "secret.in_file",
        tried: "an API key in the configuration file",
        attempt: Attempt::Done(|scratch| {
            let root = scratch.root.join("secret");
            let loaded = fresh(&root, &json!({"provider": {"api_key": SECRET}}));
            let message = loaded.as_ref().err().map(|failure| format!("{failure:?}"));
            let is_quiet = message.is_some_and(|message| !message.contains(SECRET));
            let came = Came::by_failure(loaded, &[Code::ConfigSchemaInvalid], ANSWERED);
            Ok(came.only_if(is_quiet, "the key was taken, or shown"))
        }),
    },
    GuardCheck {
        guard: "secret.shown",
        tried: "a key written into a log",
        attempt: Attempt::Done(|_| {
            let logged = format!("{:?}", Secret::new(SECRET.to_owned()));
            Ok(shown_as(&logged, SECRET))
        }),
    },
    GuardCheck {
        guard: "terminal.escapes",
        tried: "text of a model that steers the terminal",
        attempt: Attempt::Done(|_| Ok(shown_as(&visible("note\u{1b}[2J\u{202e}"), "\u{1b}"))),
    },
];

/// What people see, which must not hold something.
fn shown_as(shown: &str, forbidden: &str) -> Came {
    if shown.contains(forbidden) {
        return Came::Through("it can be read".to_owned());
    }
    Came::stopped(format!("shown as {shown}"), SHOWN_ONLY)
}

fn exists(scratch: &Scratch, name: &str) -> Result<bool, Failure> {
    let path = Path::new(name);
    let stat = scratch.disk()?.stat(path);
    Ok(stat.map_err(|error| unusable(path, &error))?.is_some())
}

/// A file is dropped into the inbox, and must be refused.
fn request_file(scratch: &mut Scratch, name: &str, bytes: Option<&[u8]>) -> Result<Came, Failure> {
    let seq = scratch.seq()?;
    let before = scratch.footprint()?;
    let path = Path::new(layout::INBOX).join(name);
    let failed = |error: io::Error| unusable(&path, &error);
    let mut disk = scratch.disk()?;
    disk.create_folder(Path::new(layout::INBOX))
        .map_err(failed)?;
    match bytes {
        Some(bytes) => disk.create(&path, bytes).map_err(failed)?,
        None => disk.create_folder(&path).map_err(failed)?,
    }
    let tuned = scratch.tuned();
    let mut agent = scratch.open(&tuned, scratch.model(&[ScriptedReply::complete("x")])?)?;
    let taken = scratch.wait_for(agent.take_inbox());
    let run = agent.next_run();
    agent.close()?;
    taken.map_err(super::scratch::failure_of)?;
    if let Some(run_id) = run {
        scratch.command(&tuned, daemon::Command::Cancel { run_id })?;
    }
    let came = Came::by_audit(&scratch.audit_after(seq)?, Code::RequestInvalid);
    let same = before == scratch.footprint()?;
    Ok(came.only_if(run.is_none() && same, "it became a run"))
}

/// The RAM file is changed by hand, or taken away: what it held comes back.
fn hand_edit(scratch: &mut Scratch, bytes: Option<&[u8]>, code: Code) -> Result<Came, Failure> {
    let seq = scratch.seq()?;
    let tuned = scratch.tuned();
    let options = store_options(&tuned.config);
    let path = options.kv_path.clone();
    let failed = |error: io::Error| unusable(&path, &error);
    let before = scratch.footprint()?;
    let mut disk = scratch.disk()?;
    let good = disk.read(&path, FILE_BYTES_MAX).map_err(failed)?;
    disk.remove(&path).map_err(failed)?;
    if let Some(bytes) = bytes {
        disk.create(&path, bytes).map_err(failed)?;
    }
    let now = scratch.now();
    let (mut store, _) = Store::open(daemon::hold(&scratch.root)?.disk, options, now)?;
    for after_ms in [0, STILL_MS, 2 * STILL_MS] {
        store.take_edits(now.plus_millis(after_ms))?;
    }
    store.checkpoint(true, now)?;
    let entries = scratch.audit_after(seq)?;
    let restored = |entry: &&AuditEntry| entry.op == "view.restored";
    let came = match entries.iter().find(restored) {
        Some(entry) if bytes.is_none() => Came::Stopped(Shown::entry(entry)),
        _ => Came::by_audit(&entries, code),
    };
    let is_back = disk.read(&path, FILE_BYTES_MAX).map_err(failed)? == good;
    let same = before == scratch.footprint()?;
    Ok(came.only_if(is_back && same, "the good state did not come back"))
}

/// A person edits a RAM key while the model answers with the same one.
pub(super) fn edited_key(scratch: &mut Scratch) -> Result<Came, Failure> {
    let tuned = scratch.tuned();
    let path = store_options(&tuned.config).kv_path;
    let text = "<ram_add><key>proof_edited</key><value>the model's</value></ram_add>";
    let entries = meddled(scratch, &tuned, path, text, |file| {
        file["proof_edited"] = json!("the person's");
    })?;
    let ram = scratch.footprint()?.ram;
    let stands = ram.get("proof_edited") == Some(&json!("the person's"));
    let came = Came::by_audit(&entries, Code::VersionConflict);
    Ok(came.only_if(stands, "the person's value is gone"))
}

/// A person edits a note while the model answers with a change of it.
pub(super) fn edited_note(scratch: &mut Scratch) -> Result<Came, Failure> {
    let tuned = scratch.tuned();
    scratch.by_person(&tuned, |cx| notes::write(cx, &["Proof of edits meanwhile"]))?;
    let state = scratch.state()?;
    let mut titled = state.notes.all_titled("Proof of edits meanwhile");
    let Some(id) = titled.next().map(|note| note.id) else {
        return Ok(Came::Through("the note is not there".to_owned()));
    };
    let text = format!("<record_update><key>{id}</key><value>the model's</value></record_update>");
    let entries = meddled(scratch, &tuned, layout::note_path(id), &text, |file| {
        file["value"] = json!("the person's");
    })?;
    let state = scratch.state()?;
    let stands = state
        .notes
        .get(id)
        .is_some_and(|note| note.value == "the person's");
    let came = Came::by_audit(&entries, Code::VersionConflict);
    Ok(came.only_if(stands, "the person's text is gone"))
}

/// One reply during which a person changes a file.
fn meddled(
    scratch: &mut Scratch,
    tuned: &Tuned,
    path: PathBuf,
    text: &str,
    change: fn(&mut Value),
) -> Result<Vec<AuditEntry>, Failure> {
    let model = Meddler {
        root: scratch.root.clone(),
        path,
        change,
        model: scratch.model(&[ScriptedReply::complete(text)])?,
    };
    let mut entries = scratch.ask_model(tuned, Box::new(model), 1)?.entries;
    entries.retain(|entry| entry.outcome != Outcome::Applied);
    Ok(entries)
}

/// A model during whose answer a person changes a file.
#[derive(Debug)]
struct Meddler {
    root: PathBuf,
    path: PathBuf,
    change: fn(&mut Value),
    model: Box<dyn LlmProvider>,
}

impl Meddler {
    fn meddle(&self) -> io::Result<()> {
        let mut disk = crate::store::disk::RealDisk::open(&self.root, false)?;
        let bytes = disk.read(&self.path, FILE_BYTES_MAX)?;
        let mut file: Value = serde_json::from_slice(&bytes)?;
        (self.change)(&mut file);
        disk.remove(&self.path)?;
        disk.create(&self.path, format!("{file:#}").as_bytes())
    }
}

impl LlmProvider for Meddler {
    fn complete<'a>(
        &'a self,
        request: &'a LlmRequest,
    ) -> CallFuture<'a, Result<LlmReply, ProviderError>> {
        if let Err(error) = self.meddle() {
            tracing::warn!(%error, "nobody could edit the file");
        }
        self.model.complete(request)
    }

    fn provider_name(&self) -> &'static str {
        self.model.provider_name()
    }

    fn models(&self) -> CallFuture<'_, Result<Vec<String>, ProviderError>> {
        self.model.models()
    }
}
