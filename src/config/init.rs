//! The default files of a new root. Writes missing ones and never touches existing ones.

use super::files;
use super::keys::SHIPPED_WORKSPACE_ID;
use super::load::{CONFIG_PATH, PROMPT_PATH};
use super::root::check_data_folder;
use crate::failure::Failure;
use crate::ids::WorkspaceId;
use crate::strict_json::{JsonPath, with_value};
use rustix::fs::Mode;
use serde_json::Value;
use std::path::Path;
use uuid::Uuid;

const LAUNCHER_PATH: &str = "data/small-model";

pub const SHIPPED_CONFIG: &str = include_str!("../../data/config.json");

// A constant would stand in the program once for each unit of code that uses it.
pub static SHIPPED_PROMPT: &str = include_str!("../../data/agent-prompt.json");

const EXTENDED_PATH: &str = "data/prompts/extended.json";

/// The shipped prompt file with all features: the tools, the blocks, deletion.
pub static SHIPPED_EXTENDED_PROMPT: &str = include_str!("../../data/prompts/extended.json");

/// The shipped rules: none.
const SHIPPED_RULES: &str = include_str!("../../data/rules.json");

const AGENT_PATH: &str = "data/agents/librarian.yaml";

/// An agent as an example, switched off.
const SHIPPED_AGENT: &str = include_str!("../../data/agents/librarian.yaml");

const SHIPPED_LAUNCHER: &str = include_str!("../../data/small-model");

const FILE_MODE: u32 = 0o600;

const PROGRAM_MODE: u32 = 0o700;

/// The result of `init` for each file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InitReport {
    /// The paths below the root, each with whether the file was written; `false` means it existed.
    pub files: Vec<(&'static str, bool)>,
    /// The new workspace of a new configuration.
    pub workspace_id: Option<WorkspaceId>,
}

/// Writes the default configuration, prompt, rules, launcher and an example of an agent below `root`.
/// Creates folders as needed. A new configuration gets a new workspace.
pub fn init(root: &Path) -> Result<InitReport, Failure> {
    init_with(root, &Value::Null)
}

/// Writes only the launcher, where it is missing.
pub fn init_launcher(root: &Path) -> Result<(), Failure> {
    check_data_folder(root)?;
    files::create_folder(&root.join("data"))?;
    let mode = Mode::from_raw_mode(PROGRAM_MODE);
    let unique = Uuid::new_v4().simple().to_string();
    let text = SHIPPED_LAUNCHER.as_bytes();
    files::create_file(&root.join(LAUNCHER_PATH), text, mode, &unique).map(drop)
}

/// Like [`init`], but `changes` replaces values of the new configuration.
/// It is an object in the shape of the file, two levels deep.
pub fn init_with(root: &Path, changes: &Value) -> Result<InitReport, Failure> {
    check_data_folder(root)?;
    files::create_folder(&root.join("data"))?;
    files::create_folder(&root.join("data/prompts"))?;
    files::create_folder(&root.join("data/agents"))?;
    let workspace_id = WorkspaceId(Uuid::new_v4());
    let config = changed(SHIPPED_CONFIG, changes);
    let config = config.replace(SHIPPED_WORKSPACE_ID, &workspace_id.to_string());
    let shipped = [
        (CONFIG_PATH, config.as_str(), FILE_MODE),
        (PROMPT_PATH, SHIPPED_PROMPT, FILE_MODE),
        (EXTENDED_PATH, SHIPPED_EXTENDED_PROMPT, FILE_MODE),
        ("data/rules.json", SHIPPED_RULES, FILE_MODE),
        (AGENT_PATH, SHIPPED_AGENT, FILE_MODE),
        (LAUNCHER_PATH, SHIPPED_LAUNCHER, PROGRAM_MODE),
    ];
    let unique = Uuid::new_v4().simple().to_string();
    let mut report = InitReport {
        files: Vec::with_capacity(shipped.len()),
        workspace_id: None,
    };
    for (name, text, mode) in shipped {
        let mode = Mode::from_raw_mode(mode);
        let written = files::create_file(&root.join(name), text.as_bytes(), mode, &unique)?;
        if written && name == CONFIG_PATH {
            report.workspace_id = Some(workspace_id);
        }
        report.files.push((name, written));
    }
    Ok(report)
}

/// Returns the shipped text with some values replaced; its order, made for people, stays.
fn changed(shipped: &str, changes: &Value) -> String {
    let mut text = shipped.as_bytes().to_vec();
    let mut set = |path: JsonPath, value: &Value| {
        if let Some(changed) = with_value(&text, &path, value) {
            text = changed;
        }
    };
    for (section, value) in changes.as_object().into_iter().flatten() {
        let path = JsonPath::default().key(section);
        match value.as_object() {
            Some(members) => {
                for (key, value) in members {
                    set(path.key(key), value);
                }
            }
            None => set(path, value),
        }
    }
    String::from_utf8(text).unwrap_or_else(|_| shipped.to_owned())
}
