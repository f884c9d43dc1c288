//! Ignored names in a person's folders: links, pipes, sockets, devices, and names not in UTF-8.
//! Reports names and reasons, and opens no file.

use super::disk::{Disk, Ignored};
use super::error::Error;
use super::layout;
use crate::plain_text::count;
use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;

/// The number of names of a folder that are reported one by one; the rest is counted.
const NAMED_MAX: usize = 5;

/// Returns a sentence for each ignored name in the notes folder and the inbox.
pub fn ignored_files(disk: &mut dyn Disk) -> Result<Vec<String>, Error> {
    let mut messages = Vec::new();
    for folder in [layout::NOTES, layout::INBOX] {
        let mut ignored = disk.listing_of(Path::new(folder))?.ignored;
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

/// The ignored names in a folder that were reported, each once while it exists.
#[derive(Debug, Default)]
pub(super) struct ReportedNames(BTreeSet<OsString>);

impl ReportedNames {
    /// Returns a sentence for each name that was not reported yet.
    /// Names for which `is_judged` is true are left out, since their reader reports them.
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

/// Returns the sentence about one name; bytes that are not UTF-8 are escaped.
fn sentence(folder: &str, Ignored { name, why }: &Ignored) -> String {
    let name = match name.to_str() {
        Some(name) => name.to_owned(),
        None => name.as_bytes().escape_ascii().to_string(),
    };
    format!("{folder}/{name} is not taken in and stays where it is: {why}")
}
