//! What an import may not read: more than a note can be, more files or deeper folders than anybody has, or
//! what lies outside of the folder that was named.

use super::guard_check::{ANSWERED, Attempt, Came, GuardCheck};
use super::scratch::{Scratch, disk_at, unusable};
use crate::failure::{Code, Failure};
use crate::limits::{IMPORT_DEPTH_MAX, IMPORT_MARKDOWN_BYTES_MAX};
use crate::store::disk::Disk as _;
use crate::store::outside::{Sources, Target};
use std::io;
use std::path::{Path, PathBuf};

/// Files that a trial allows: to make as many as an import may bring takes too long.
const FILES_MAX: usize = 3;

/// The trials at imports.
pub(super) const GUARD_CHECKS: &[GuardCheck] = &[
    GuardCheck {
        guard: "import.bytes",
        tried: "a file of an import that is larger than any note",
        attempt: Attempt::Done(|scratch| {
            let folder = folder(scratch, "import-large")?;
            let much = vec![b'x'; IMPORT_MARKDOWN_BYTES_MAX + 1];
            put(&folder, Path::new("large.md"), &much)?;
            let mut sources = Sources::at(&folder, &|_| true)?;
            let read = sources.read(Path::new("large.md"), IMPORT_MARKDOWN_BYTES_MAX);
            Ok(refused(read))
        }),
    },
    GuardCheck {
        guard: "import.files",
        tried: "a folder of an import with more files than any",
        attempt: Attempt::Done(|scratch| {
            let folder = folder(scratch, "import-many")?;
            for number in 0..=FILES_MAX {
                put(&folder, Path::new(&format!("{number}.md")), b"one more")?;
            }
            let found = Sources::within(&folder, &|_| true, FILES_MAX);
            Ok(Came::by_failure(found, &[Code::LimitExceeded], ANSWERED))
        }),
    },
    GuardCheck {
        guard: "import.depth",
        tried: "folders of an import nested deeper than any",
        attempt: Attempt::Done(|scratch| {
            let mut folder = folder(scratch, "import-deep")?;
            let top = folder.clone();
            for _ in 0..=IMPORT_DEPTH_MAX {
                folder.push("deeper");
            }
            // Each folder on the way is made with it.
            Target::folder(&folder, &scratch.root)?;
            put(&folder, Path::new("deep.md"), b"got through")?;
            let sources = Sources::at(&top, &|_| true)?;
            let reason = sources.odd.first().map(|(_, reason)| reason.clone());
            Ok(match reason {
                Some(reason) if sources.files.is_empty() => Came::stopped(reason, ANSWERED),
                _ => Came::Through("it was found".to_owned()),
            })
        }),
    },
    GuardCheck {
        guard: "import.path",
        tried: "a file of an import that lies outside of its folder",
        attempt: Attempt::Done(|scratch| {
            let folder = folder(scratch, "import-outside")?;
            put(&scratch.root, Path::new("secret.md"), b"not to be read")?;
            let mut sources = Sources::at(&folder, &|_| true)?;
            Ok(refused(sources.read(
                Path::new("../secret.md"),
                IMPORT_MARKDOWN_BYTES_MAX,
            )))
        }),
    },
];

/// A folder of a person's, in the scratch folder.
fn folder(scratch: &Scratch, name: &str) -> Result<PathBuf, Failure> {
    let folder = scratch.root.join(name);
    Target::folder(&folder, &scratch.root)?;
    Ok(folder)
}

fn put(folder: &Path, name: &Path, bytes: &[u8]) -> Result<(), Failure> {
    let failed = |error: io::Error| unusable(name, &error);
    disk_at(folder)?.create(name, bytes).map_err(failed)
}

fn refused(read: Result<Vec<u8>, String>) -> Came {
    match read {
        Err(reason) => Came::stopped(reason, ANSWERED),
        Ok(bytes) => Came::Through(format!("{} bytes were read", bytes.len())),
    }
}
