//! What may be written to `/storage`.

use super::ram::{check_key, check_name};
use super::{Approved, Guard, Reach, Refusal, depth_of};
use crate::core::journal::Change;
use crate::core::journal::event::{StorageDeleted, StorageSet};
use crate::core::memory::path::ARCHIVE;
use crate::core::memory::{Storage, StorePath, Tree};
use crate::failure::Code;
use crate::limits::{JSON_DEPTH_MAX, STORAGE_WRITTEN_BYTES_MAX};
use serde_json::Value;

impl Guard<'_> {
    /// Checks a value for a place in `/storage`, which is `storage` before the change. What stands at
    /// the place is replaced; what stands in its way is not.
    ///
    /// # Errors
    /// `PATH_INVALID` for a root, the archive, another tree or a way through a value; `LIMIT_EXCEEDED` for
    /// a value that is too large or too deep, or more than one reply may write.
    pub fn storage_set(
        &mut self,
        storage: &Storage,
        path: &StorePath,
        value: Value,
    ) -> Result<Approved<Change>, Refusal> {
        check_place(path)?;
        self.check_archive(path)?;
        match path.archived_key() {
            Some(key) => check_name(key)?,
            None => path.parts().iter().try_for_each(|part| check_key(part))?,
        }
        check_way(storage, path)?;
        // What RAM takes the archive takes: its two levels are the program's own.
        let own_levels = match path.archived_key() {
            Some(_) => 0,
            None => path.parts().len(),
        };
        if depth_of(&value) + own_levels > JSON_DEPTH_MAX {
            let message = format!("`{path}` would be nested deeper than {JSON_DEPTH_MAX} levels");
            return Err(Refusal::new(Code::LimitExceeded, message));
        }
        let bytes = value.to_string().len();
        if self.storage_bytes.saturating_add(bytes) > STORAGE_WRITTEN_BYTES_MAX {
            let message = format!(
                "`{path}` is {bytes} bytes; at most {STORAGE_WRITTEN_BYTES_MAX} are stored at once"
            );
            return Err(Refusal::new(Code::LimitExceeded, message));
        }
        self.storage_bytes += bytes;
        let path = path.clone();
        Ok(Approved::seal(Change::StorageSet(StorageSet {
            path,
            value,
        })))
    }

    /// Checks the removal of a place in `/storage` with everything below it.
    ///
    /// # Errors
    /// `PATH_INVALID` for a root, the archive or another tree, `RECORD_NOT_FOUND` where nothing stands.
    pub fn storage_delete(
        &self,
        storage: &Storage,
        path: &StorePath,
    ) -> Result<Approved<Change>, Refusal> {
        check_place(path)?;
        self.check_archive(path)?;
        if !storage.has(path.parts()) {
            let message = format!("nothing stands at `{path}`");
            return Err(Refusal::new(Code::RecordNotFound, message));
        }
        let path = path.clone();
        Ok(Approved::seal(Change::StorageDeleted(StorageDeleted {
            path,
        })))
    }

    /// One word would take away all that paging ever put into the archive. Where it was done before there
    /// was this guard, it can be taken back.
    fn check_archive(&self, path: &StorePath) -> Result<(), Refusal> {
        let is_archive = path.parts() == [ARCHIVE] && self.reach != Reach::Committed;
        if is_archive {
            let message =
                "the archive is not replaced or removed as a whole; name a place below it";
            return Err(Refusal::new(Code::PathInvalid, message));
        }
        Ok(())
    }
}

/// Only places below the root of `/storage` are written here.
fn check_place(path: &StorePath) -> Result<(), Refusal> {
    if path.tree() != Tree::Storage {
        let message = format!("`{path}` is not in /storage");
        return Err(Refusal::new(Code::PathInvalid, message));
    }
    if path.is_root() {
        let message = "a root is not written or removed; name a place below it";
        return Err(Refusal::new(Code::PathInvalid, message));
    }
    Ok(())
}

/// A value has nothing below it: writing there would lose it unseen.
fn check_way(storage: &Storage, path: &StorePath) -> Result<(), Refusal> {
    let parts = path.parts();
    let blocked = (1..parts.len()).find_map(|length| {
        let way = parts.get(..length)?;
        let node = storage.get(way)?;
        node.as_directory().is_none().then_some(way)
    });
    let Some(way) = blocked else {
        return Ok(());
    };
    let message = format!("`/storage/{}` is a value, not a directory", way.join("/"));
    Err(Refusal::new(Code::PathInvalid, message))
}
