//! `init`: the default files of a new root, with a small model where one is asked for.

use super::arguments::InitOptions;
use super::context::Context;
use super::output::Answer;
use super::small_model;
use super::text::one_line;
use crate::config::{self, CONFIG_PATH};
use crate::failure::Failure;
use crate::ids::WorkspaceId;
use serde::Serialize;
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::path::PathBuf;

/// Where the small model is to listen: a port that no model server takes by itself.
const SMALL_MODEL_ADDRESS: &str = "http://127.0.0.1:18080";

#[derive(Debug, Serialize)]
struct Made {
    root: String,
    files: Vec<File>,
    workspace_id: Option<WorkspaceId>,
    /// The server that a new configuration names.
    provider: Option<Value>,
}

#[derive(Debug, Serialize)]
struct File {
    path: &'static str,
    written: bool,
}

/// Writes what is missing.
pub(super) fn run(context: &Context, options: &InitOptions) -> Result<Answer, Failure> {
    // A relative folder is relative to the working directory, as everywhere.
    let dir = options.dir.as_ref();
    let root = dir.map_or_else(|| Ok(context.root.clone()), std::path::absolute);
    let root: PathBuf = root.unwrap_or_else(|_| context.root.clone());
    let provider = options
        .small_model
        .then(|| small_model::provider(SMALL_MODEL_ADDRESS));
    let changes = provider.as_ref().map(|it| json!({"provider": it}));
    let report = config::init_with(&root, &changes.unwrap_or_default())?;
    let is_new = report.workspace_id.is_some();
    let files = report.files.iter();
    let made = Made {
        root: root.display().to_string(),
        files: files
            .map(|&(path, written)| File { path, written })
            .collect(),
        workspace_id: report.workspace_id,
        provider: provider.filter(|_| is_new),
    };
    tell(context, options, is_new);
    context.answer(&made, || text_of(&made))
}

/// Says which server is asked from now on.
fn tell(context: &Context, options: &InitOptions, is_new: bool) {
    context.talk(&match (options.small_model, is_new) {
        (true, true) => format!(
            "the daemon starts the small model {} itself, at {SMALL_MODEL_ADDRESS}; the first time it is \
             downloaded, 1.1 GB",
            small_model::SMALL_MODEL
        ),
        (true, false) => format!(
            "hint: {CONFIG_PATH} stays as it was; the small model is started by: config set \
             provider.launch '{}'",
            small_model::launch()
        ),
        (false, true) => {
            "hint: name your model server in data/config.json, then try `doctor`".to_owned()
        }
        (false, false) => return,
    });
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
