//! What lies in a person's folders and is taken in by nobody: links, pipes, sockets, devices, and files
//! whose names are not UTF-8. Says which and why, and opens none of them.

use super::disk::{Disk, Ignored};
use super::error::Error;
use super::layout;
use crate::plain_text::count;
use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;

/// Names of a folder that are told one by one; of more the number is told.
const NAMED_MAX: usize = 5;

/// What there is to say of the notes folder and the inbox, a sentence each.
pub fn ignored_files(disk: &mut dyn Disk) -> Result<Vec<String>, Error> {
    let mut messages = Vec::new();
    for folder in [layout::NOTES, layout::INBOX] {
        let listing = disk.list_all(Path::new(folder));
        let listing = listing.map_err(|error| Error::file("list", folder, error))?;
        let mut ignored = listing.ignored;
        ignored.retain(|it| !layout::is_broken(it.name.as_bytes()));
        let more = ignored.len().saturating_sub(NAMED_MAX);
        messages.extend(
            ignored
                .iter()
                .take(NAMED_MAX)
                .map(|it| sentence(folder, it)),
        );
        if more > 0 {
            let more = count(u64::try_from(more).unwrap_or(u64::MAX), "more name");
            messages.push(format!("{folder}: {more} of such a kind"));
        }
    }
    Ok(messages)
}

/// The names in a folder that were told of, each once for as long as it is there.
#[derive(Debug, Default)]
pub(super) struct ReportedNames(BTreeSet<OsString>);

impl ReportedNames {
    /// What there is to say of a folder since the last look, a sentence each. What `is_judged` is told of
    /// by whoever judges it.
    pub(super) fn news(
        &mut self,
        folder: &str,
        mut ignored: Vec<Ignored>,
        is_judged: &dyn Fn(&OsStr) -> bool,
    ) -> Vec<String> {
        ignored.retain(|it| !layout::is_broken(it.name.as_bytes()) && !is_judged(&it.name));
        self.0
            .retain(|name| ignored.binary_search_by(|it| it.name.cmp(name)).is_ok());
        let news = ignored.iter().filter(|it| self.0.insert(it.name.clone()));
        news.map(|it| sentence(folder, it)).collect()
    }
}

/// What is said of one name; bytes that are no plain text are escaped.
fn sentence(folder: &str, Ignored { name, why }: &Ignored) -> String {
    let name = match name.to_str() {
        Some(name) => name.to_owned(),
        None => name.as_bytes().escape_ascii().to_string(),
    };
    format!("{folder}/{name} is not taken in and stays where it is: {why}")
}
