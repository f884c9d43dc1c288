//! The inbox: a file dropped in becomes a request exactly once. It is renamed before it is read,
//! so that after a stop at any point the name tells how far it came.

use super::disk::Disk;
use super::edits::Candidate;
use super::error::Error;
use super::quarantine::{self, Found};
use super::{Store, layout};
use crate::limits::{INBOX_FILE_BYTES_MAX, INBOX_SETTLE_MS};
use crate::strict_json;
use crate::time::Timestamp;
use serde_json::Value;
use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use uuid::Uuid;

/// Files seen in the inbox that do not lie still yet.
#[derive(Debug, Default)]
pub struct InboxWatch {
    candidates: BTreeMap<String, Candidate>,
}

/// A request that was taken out of the inbox and is not committed yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Taken {
    /// The event's id.
    pub id: Uuid,
    /// The name under which it was dropped in, if that is still known.
    pub name: Option<String>,
    /// What is asked, or why it cannot be read.
    pub request: Result<String, String>,
}

/// Drops a request into the inbox, whole or not at all; gives its event id. Needs no lock.
pub fn drop_request(disk: &mut dyn Disk, id: Uuid, text: &str) -> Result<PathBuf, Error> {
    let folder = Path::new(layout::INBOX);
    let path = folder.join(format!("{id}.json"));
    let failed = |error| Error::file("write", &path, error);
    disk.create_folder(folder).map_err(failed)?;
    let temporary = layout::temporary_path(&path);
    let body = serde_json::to_vec_pretty(&serde_json::json!({ "request": text }))?;
    disk.create(&temporary, &body).map_err(failed)?;
    disk.sync(&temporary).map_err(failed)?;
    disk.rename(&temporary, &path).map_err(failed)?;
    disk.sync_folder(folder).map_err(failed)?;
    Ok(path)
}

impl Store {
    /// Takes settled files out of the inbox, those left over by a stop first. Each must then be
    /// committed or refused, and closed with [`Store::close_request`].
    pub fn take_requests(
        &mut self,
        watch: &mut InboxWatch,
        now: Timestamp,
    ) -> Result<Vec<Taken>, Error> {
        let mut taken = Vec::new();
        for name in self.list_files(Path::new(layout::INBOX_TAKEN))? {
            if let Ok(id) = Uuid::try_parse(&name) {
                taken.push(self.read_taken(id, None)?);
            }
        }
        let names = self.list_files(Path::new(layout::INBOX))?;
        watch.candidates.retain(|name, _| names.contains(name));
        for name in names {
            let path = Path::new(layout::INBOX).join(&name);
            let failed = |error| Error::file("look at", &path, error);
            let stat = self.disk.stat(&path).map_err(failed)?;
            let mut slot = watch.candidates.remove(&name);
            if !Candidate::lies_still(&mut slot, stat, now, INBOX_SETTLE_MS) {
                watch
                    .candidates
                    .extend(slot.map(|candidate| (name, candidate)));
                continue;
            }
            let stem = path
                .file_stem()
                .and_then(|stem| stem.to_str())
                .unwrap_or_default();
            let id = Uuid::try_parse(stem).unwrap_or_else(|_| Uuid::new_v4());
            self.disk
                .create_folder(Path::new(layout::INBOX_TAKEN))
                .map_err(failed)?;
            let target = Path::new(layout::INBOX_TAKEN).join(id.to_string());
            match self.disk.rename_new(&path, &target) {
                Ok(()) => taken.push(self.read_taken(id, Some(name))?),
                Err(error) if error.kind() == io::ErrorKind::Unsupported => {
                    self.disk.rename(&path, &target).map_err(failed)?;
                    taken.push(self.read_taken(id, Some(name))?);
                }
                // The same request was dropped in twice: the first one is being worked on. Or the
                // person took it away again.
                Err(error)
                    if matches!(
                        error.kind(),
                        io::ErrorKind::AlreadyExists | io::ErrorKind::NotFound
                    ) => {}
                Err(error) => return Err(failed(error)),
            }
        }
        if !taken.is_empty() {
            // Safe before the commit, or a power cut after it would bring the file back under its
            // old name, and the request would be taken for another one.
            for folder in [layout::INBOX_TAKEN, layout::INBOX] {
                let failed = |error| Error::sync(folder, error);
                self.disk.sync_folder(Path::new(folder)).map_err(failed)?;
            }
        }
        Ok(taken)
    }

    /// Moves a taken request to `done`, or to `rejected` under its own name.
    pub fn close_request(&mut self, taken: &Taken, rejected: bool) -> Result<(), Error> {
        let from = Path::new(layout::INBOX_TAKEN).join(taken.id.to_string());
        let folder = Path::new(if rejected {
            layout::INBOX_REJECTED
        } else {
            layout::INBOX_DONE
        });
        let own_name = taken.name.as_deref().filter(|_| rejected);
        let id = taken.id.to_string();
        let failed = |error| Error::file("move", &from, error);
        self.disk.create_folder(folder).map_err(failed)?;
        let target = folder.join(own_name.unwrap_or(&id));
        match self.disk.rename_new(&from, &target) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                let target = folder.join(format!("{id}-{}", own_name.unwrap_or("again")));
                self.disk.rename(&from, &target).map_err(failed)
            }
            Err(error) if error.kind() == io::ErrorKind::Unsupported => {
                self.disk.rename(&from, &target).map_err(failed)
            }
            other => other.map_err(failed),
        }
    }

    /// The visible `.txt` and `.json` files of a folder, or every file of the taken ones.
    fn list_files(&mut self, folder: &Path) -> Result<Vec<String>, Error> {
        let failed = |error| Error::file("list", folder, error);
        let all = folder == Path::new(layout::INBOX_TAKEN);
        let mut names = self.disk.list(folder).map_err(failed)?;
        names.retain(|name| all || is_request_name(name));
        Ok(names)
    }

    fn read_taken(&mut self, id: Uuid, name: Option<String>) -> Result<Taken, Error> {
        let path = Path::new(layout::INBOX_TAKEN).join(id.to_string());
        let request = match quarantine::find(self.disk.as_mut(), &path, INBOX_FILE_BYTES_MAX)? {
            Found::Bytes(bytes) => {
                // As safe as the name: it may be read again after a power cut.
                let failed = |error| Error::sync(&path, error);
                self.disk.sync(&path).map_err(failed)?;
                request_of(&bytes, name.as_deref())
            }
            Found::Nothing => Err("it is gone".to_owned()),
            Found::Odd(reason) => Err(reason),
        };
        Ok(Taken { id, name, request })
    }
}

fn is_request_name(name: &str) -> bool {
    !name.starts_with('.') && matches!(extension(name), Some("txt" | "json"))
}

fn extension(name: &str) -> Option<&str> {
    Path::new(name)
        .extension()
        .and_then(|extension| extension.to_str())
}

/// The request in a file: the text itself, or the `request` member of a JSON object.
fn request_of(bytes: &[u8], name: Option<&str>) -> Result<String, String> {
    let text = std::str::from_utf8(bytes).map_err(|_| "it is not UTF-8".to_owned())?;
    let extension = name.and_then(extension);
    let (is_text, is_json) = (extension == Some("txt"), extension == Some("json"));
    let parsed = if is_text {
        None
    } else {
        Some(strict_json::parse(bytes))
    };
    let request = match parsed {
        Some(Ok(Value::Object(members))) => match members.get("request") {
            Some(Value::String(request)) => request.clone(),
            Some(_) | None => return Err("it has no text `request`".to_owned()),
        },
        Some(Ok(_)) if is_json => return Err("it is not a JSON object".to_owned()),
        Some(Err(problem)) if is_json => {
            let (line, column) = (problem.line, problem.column);
            return Err(format!("line {line}, column {column}: {}", problem.message));
        }
        Some(Ok(_) | Err(_)) | None => text.to_owned(),
    };
    let request = request.trim_start_matches('\u{FEFF}').trim();
    if request.is_empty() {
        return Err("it is empty".to_owned());
    }
    Ok(request.to_owned())
}
