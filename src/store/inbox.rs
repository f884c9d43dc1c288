//! The inbox, in which every file becomes a request exactly once.
//! A file is renamed before it is read, so that after a stop its name tells its stage and its
//! format. The files of a person are never removed or replaced.

use super::disk::{Disk, FileStat, Listing, rename_to_free};
use super::error::Error;
use super::ignored::ReportedNames;
use super::layout;
use super::quarantine::{self, FileContent};
use super::views::kv::object_of;
use super::views::watch::{PendingFile, is_stable};
use crate::limits::{INBOX_ABANDONED_MS, INBOX_FILE_BYTES_MAX, INBOX_SETTLE_MS};
use crate::strict_json;
use crate::time::Timestamp;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::io;
use std::path::{Path, PathBuf};
use uuid::Uuid;

/// The extension of a taken file whose writer never finished it.
const UNFINISHED: &str = "tmp";

/// The state of the files in the inbox between looks.
#[derive(Debug, Default)]
pub struct InboxWatch {
    /// The files that may still be written.
    candidates: BTreeMap<String, PendingFile>,
    /// The files that the system does not let the program move; reported once.
    stuck: BTreeSet<String>,
    /// The finished files in `.taken` that the system does not let the program move; reported once.
    left_taken: BTreeSet<String>,
    /// The original names of the taken files.
    names: BTreeMap<String, String>,
    /// The reported names of files that are no requests.
    ignored: ReportedNames,
    /// The notices for a person that were not collected yet.
    notices: Vec<String>,
}

/// A request that was taken out of the inbox and is not committed yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InboxRequest {
    pub id: Uuid,
    /// The original name; after a stop, the name in `.taken`.
    pub name: String,
    /// The request, or the reason why it cannot be read.
    pub request: Result<String, String>,
    /// The name in `.taken`.
    place: String,
}

/// Writes a request into the inbox atomically and returns its path. Needs no lock.
pub fn drop_request(disk: &mut dyn Disk, id: Uuid, text: &str) -> Result<PathBuf, Error> {
    let folder = Path::new(layout::INBOX);
    let path = folder.join(format!("{id}.json"));
    let failed = |error| Error::file("write", &path, error);
    disk.create_folder(folder).map_err(failed)?;
    let temporary = layout::temporary_path(&path);
    let body = serde_json::to_vec_pretty(&serde_json::json!({ "request": text }))?;
    disk.create(&temporary, &body).map_err(failed)?;
    disk.sync(&temporary)
        .map_err(|error| Error::sync(&path, error))?;
    disk.rename(&temporary, &path).map_err(failed)?;
    disk.secure_folder(folder)?;
    Ok(path)
}

/// The inbox of an open root.
#[derive(Debug)]
pub struct Inbox<'a> {
    pub(super) disk: &'a mut dyn Disk,
}

impl Inbox<'_> {
    /// Returns whether the inbox holds a file that is, or may become, a request. Takes nothing.
    pub fn has_request(&mut self, watch: &InboxWatch) -> Result<bool, Error> {
        let names = self.disk.names_in(Path::new(layout::INBOX))?;
        let is_request = |name: &str| !name.starts_with('.') && is_dropped(name);
        let mut names = names.iter();
        Ok(names.any(|name| is_request(name) && !watch.stuck.contains(name)))
    }

    /// Takes at most `most` stable files out of the inbox, the oldest first.
    /// Files left over by a stop come before all others. Each must then be committed or refused,
    /// and closed with [`Inbox::close_request`].
    pub fn take_requests(
        &mut self,
        watch: &mut InboxWatch,
        now: Timestamp,
        most: usize,
    ) -> Result<Vec<InboxRequest>, Error> {
        let mut taken = Vec::new();
        let names = self.disk.names_in(Path::new(layout::INBOX_TAKEN))?;
        let left = self.by_age(layout::INBOX_TAKEN, names, &|name| id_of(name).is_some())?;
        let is_left = |place: &String| left.iter().any(|(name, _)| name == place);
        watch.names.retain(|place, _| is_left(place));
        watch.left_taken.retain(is_left);
        for (place, _) in left {
            if taken.len() < most && !watch.left_taken.contains(&place) {
                taken.extend(self.read_taken(place, watch)?);
            }
        }
        let Listing { names, ignored } = self.disk.listing_of(Path::new(layout::INBOX))?;
        let is_judged = |name: &OsStr| name.to_str().is_some_and(is_dropped);
        let news = watch.ignored.news(layout::INBOX, ignored, &is_judged);
        watch.notices.extend(news);
        let found = self.by_age(layout::INBOX, names, &is_dropped)?;
        let is_there = |name: &String| found.iter().any(|(found, _)| found == name);
        watch.candidates.retain(|name, _| is_there(name));
        watch.stuck.retain(is_there);
        for (name, stat) in found {
            if taken.len() >= most {
                break;
            }
            if watch.is_stable(&name, stat, now)
                && let Some(place) = self.take_file(&name, watch)?
            {
                taken.extend(self.read_taken(place, watch)?);
            }
        }
        if !taken.is_empty() {
            // The names must be durable before the commit. Otherwise a power cut could restore the
            // old name, and the request would count as another one.
            self.disk.secure_folder(Path::new(layout::INBOX_TAKEN))?;
            self.disk.secure_folder(Path::new(layout::INBOX))?;
        }
        Ok(taken)
    }

    /// Moves a taken request to `done`, or to `rejected` under its own name.
    /// If the system does not allow that, it stays in `.taken`, and is not taken again before the
    /// next start.
    pub fn close_request(
        &mut self,
        watch: &mut InboxWatch,
        taken: &InboxRequest,
        rejected: bool,
    ) -> Result<(), Error> {
        match self.move_on(taken, rejected) {
            Err(Error::File { path, error, .. }) if is_forbidden(&error) => {
                let (place, path) = (&taken.place, path.display());
                tracing::warn!(%error, "{place} cannot be moved to {path} and stays in .taken");
                watch.left_taken.insert(place.clone());
                Ok(())
            }
            outcome => outcome,
        }
    }

    fn move_on(&mut self, taken: &InboxRequest, rejected: bool) -> Result<(), Error> {
        let from = Path::new(layout::INBOX_TAKEN).join(&taken.place);
        let (folder, name) = if rejected {
            (layout::INBOX_REJECTED, &taken.name)
        } else {
            (layout::INBOX_DONE, &taken.place)
        };
        self.disk.make_folder(Path::new(folder))?;
        let moved = quarantine::move_to_free(self.disk, &from, &|attempt| {
            Path::new(folder).join(match attempt {
                0 => name.clone(),
                // The person's name may have the maximal length, so that nothing can be added to
                // it.
                _ => with_ending(&format!("{}-{attempt}", taken.id), extension(name)),
            })
        });
        match moved {
            // A person removed the file; its request is committed.
            Err(Error::File { error, .. }) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            // Otherwise a power cut much later could restore it, when its run is forgotten.
            Ok(_) => {
                self.disk.secure_folder(Path::new(folder))?;
                self.disk.secure_folder(Path::new(layout::INBOX_TAKEN))
            }
            Err(error) => Err(error),
        }
    }

    /// Returns the wanted names in a folder with their file facts, the oldest change first.
    fn by_age(
        &mut self,
        folder: &str,
        names: Vec<String>,
        wanted: &dyn Fn(&str) -> bool,
    ) -> Result<Vec<(String, FileStat)>, Error> {
        let folder = Path::new(folder);
        let mut found = Vec::new();
        for name in names.into_iter().filter(|name| wanted(name)) {
            let path = folder.join(&name);
            found.extend(self.disk.look_at(&path)?.map(|stat| (name, stat)));
        }
        found.sort_by_key(|(_, stat)| stat.modified_ns);
        Ok(found)
    }

    /// Moves a file out of the inbox and returns its name in `.taken`.
    fn take_file(&mut self, name: &str, watch: &mut InboxWatch) -> Result<Option<String>, Error> {
        let path = Path::new(layout::INBOX).join(name);
        let folder = Path::new(layout::INBOX_TAKEN);
        let place = place_for(name);
        self.disk.make_folder(folder)?;
        match rename_to_free(self.disk, &path, &folder.join(&place)) {
            Ok(()) => {
                if abandoned(name).is_none() {
                    watch.names.insert(place.clone(), name.to_owned());
                }
                Ok(Some(place))
            }
            // Either the request was submitted twice and the first one is in progress, or the
            // person removed the file.
            Err(error)
                if matches!(
                    error.kind(),
                    io::ErrorKind::AlreadyExists | io::ErrorKind::NotFound
                ) =>
            {
                Ok(None)
            }
            Err(error) if is_forbidden(&error) => {
                tracing::warn!(%error, "{} cannot be moved and is left alone", path.display());
                watch.stuck.insert(name.to_owned());
                Ok(None)
            }
            Err(error) => Err(Error::file("move", &path, error)),
        }
    }

    fn read_taken(
        &mut self,
        place: String,
        watch: &InboxWatch,
    ) -> Result<Option<InboxRequest>, Error> {
        let Some(id) = id_of(&place) else {
            return Ok(None);
        };
        let path = Path::new(layout::INBOX_TAKEN).join(&place);
        let found = quarantine::find(self.disk, &path, INBOX_FILE_BYTES_MAX)?;
        let request = match found {
            FileContent::Nothing => return Ok(None),
            FileContent::Odd(reason) => Err(reason),
            FileContent::Bytes(_) if extension(&place) == Some(UNFINISHED) => {
                Err("it was never finished".to_owned())
            }
            FileContent::Bytes(bytes) => {
                // The content must be as durable as the name, since it may be read again after a
                // power cut.
                self.disk.secure(&path)?;
                request_of(&bytes, extension(&place) == Some("json"))
            }
        };
        let name = watch.names.get(&place).unwrap_or(&place).clone();
        Ok(Some(InboxRequest {
            id,
            name,
            request,
            place,
        }))
    }
}

impl InboxWatch {
    /// Returns whether a file will be taken as a request once it is stable.
    pub fn is_expecting(&self) -> bool {
        self.candidates.keys().any(|name| !name.starts_with('.'))
    }

    /// Returns the notices for a person since the last call, a sentence each.
    pub fn take_notices(&mut self) -> Vec<String> {
        std::mem::take(&mut self.notices)
    }

    fn is_stable(&mut self, name: &str, stat: FileStat, now: Timestamp) -> bool {
        if self.stuck.contains(name) {
            return false;
        }
        let settle_ms = if name.starts_with('.') {
            INBOX_ABANDONED_MS
        } else {
            INBOX_SETTLE_MS
        };
        let name = name.to_owned();
        is_stable(&mut self.candidates, name, Some(stat), now, settle_ms)
    }
}

/// Returns whether a name in the inbox is read: requests, and unfinished files of a dead writer.
fn is_dropped(name: &str) -> bool {
    match abandoned(name) {
        Some(inner) => id_of(inner).is_some() && extension(inner) == Some("json"),
        None => !name.starts_with('.') && matches!(extension(name), Some("txt" | "json")),
    }
}

/// Returns whether the system does not let the program move a file.
/// Reasons are the folder of another user and a mount point.
fn is_forbidden(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::PermissionDenied
            | io::ErrorKind::ResourceBusy
            | io::ErrorKind::CrossesDevices
    )
}

/// Returns the final name of a file that is being written, or was left unfinished.
fn abandoned(name: &str) -> Option<&str> {
    name.strip_prefix('.')?.strip_suffix(".tmp")
}

/// Returns the name of a file in `.taken`: its id, and the extension that tells its format.
fn place_for(name: &str) -> String {
    let inner = abandoned(name);
    let id = id_of(inner.unwrap_or(name)).unwrap_or_else(Uuid::new_v4);
    let ending = match inner {
        Some(_) => Some(UNFINISHED),
        None => extension(name),
    };
    with_ending(&id.to_string(), ending)
}

fn with_ending(stem: &str, ending: Option<&str>) -> String {
    match ending {
        Some(ending) => format!("{stem}.{ending}"),
        None => stem.to_owned(),
    }
}

fn id_of(name: &str) -> Option<Uuid> {
    let stem = Path::new(name).file_stem()?.to_str()?;
    Uuid::try_parse(stem).ok()
}

fn extension(name: &str) -> Option<&str> {
    Path::new(name)
        .extension()
        .and_then(|extension| extension.to_str())
}

/// Returns the request in a file: the text itself, or the `request` member of a JSON object.
fn request_of(bytes: &[u8], is_json: bool) -> Result<String, String> {
    let text = std::str::from_utf8(bytes).map_err(|_| "it is not UTF-8".to_owned())?;
    let request = if is_json {
        match object_of(strict_json::parse(bytes))?.remove("request") {
            Some(Value::String(request)) => request,
            Some(_) | None => return Err("it has no text `request`".to_owned()),
        }
    } else {
        text.to_owned()
    };
    let request = request.trim_start_matches('\u{FEFF}').trim();
    if request.is_empty() {
        return Err("it is empty".to_owned());
    }
    Ok(request.to_owned())
}
