//! `init`: the default files of a new root.

use super::context::Context;
use super::output::Answer;
use super::text::one_line;
use crate::config;
use crate::failure::Failure;
use crate::ids::WorkspaceId;
use serde::Serialize;
use std::fmt::Write as _;
use std::path::PathBuf;

#[derive(Debug, Serialize)]
struct Made {
    root: String,
    files: Vec<File>,
    workspace_id: Option<WorkspaceId>,
}

#[derive(Debug, Serialize)]
struct File {
    path: &'static str,
    written: bool,
}

/// Writes what is missing.
pub(super) fn run(context: &Context, dir: Option<PathBuf>) -> Result<Answer, Failure> {
    // A relative folder is relative to the working directory, as everywhere.
    let root = dir.map_or_else(|| Ok(context.root.clone()), std::path::absolute);
    let root = root.unwrap_or_else(|_| context.root.clone());
    let report = config::init(&root)?;
    let files = report.files.iter();
    let made = Made {
        root: root.display().to_string(),
        files: files
            .map(|&(path, written)| File { path, written })
            .collect(),
        workspace_id: report.workspace_id,
    };
    if report.workspace_id.is_some() {
        context.talk("hint: name your model server in data/config.json, then try `doctor`");
    }
    context.answer(&made, || text_of(&made))
}

fn text_of(made: &Made) -> String {
    let mut text = String::new();
    for file in &made.files {
        let what = if file.written { "written" } else { "kept" };
        // Writing into a string cannot fail.
        writeln!(
            text,
            "{what:7}  {}/{}",
            one_line(&made.root, 500),
            file.path
        )
        .unwrap_or_default();
    }
    text
}
