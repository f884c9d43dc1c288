//! `init`: writes the default files of a new root, with the model server of this machine if one
//! answers.

use super::arguments::InitOptions;
use super::context::Context;
use super::model_servers::{FoundServer, SMALL_MODEL, look, small_launch, small_provider};
use super::output::VerbOutput;
use super::text::one_line;
use crate::config::{self, CONFIG_PATH};
use crate::failure::Failure;
use crate::ids::WorkspaceId;
use serde::Serialize;
use serde_json::{Value, json};
use std::path::PathBuf;

/// The address of the small model: a port that no model server uses by default.
const SMALL_MODEL_ADDRESS: &str = "http://127.0.0.1:18080";

/// The most models of a server that are named.
const MODELS_NAMED_MAX: usize = 10;

#[derive(Debug, Serialize)]
struct InitSummary {
    root: String,
    files: Vec<InitFile>,
    workspace_id: Option<WorkspaceId>,
    /// The server that a new configuration names.
    provider: Option<Value>,
    /// The servers that answered.
    servers: Vec<FoundServer>,
}

#[derive(Debug, Serialize)]
struct InitFile {
    path: &'static str,
    written: bool,
}

/// Writes the missing files.
pub(super) fn run(context: &Context, options: &InitOptions) -> Result<VerbOutput, Failure> {
    // A relative folder is relative to the working directory, as everywhere.
    let dir = options.dir.as_ref();
    let root = dir.map_or_else(
        || Ok(context.session.root().to_owned()),
        std::path::absolute,
    );
    let root: PathBuf = root.unwrap_or_else(|_| context.session.root().to_owned());
    let looks = !options.offline && !options.small_model && !root.join(CONFIG_PATH).exists();
    let servers = if looks {
        look(&options.look_at)?
    } else {
        Vec::new()
    };
    let provider = if options.small_model {
        Some(small_provider(SMALL_MODEL_ADDRESS))
    } else {
        servers.first().map(section)
    };
    let changes = provider.as_ref().map(|it| json!({"provider": it}));
    let report = config::init_with(&root, &changes.unwrap_or_default())?;
    let is_new = report.workspace_id.is_some();
    let files = report.files.iter();
    let made = InitSummary {
        root: root.display().to_string(),
        files: files
            .map(|&(path, written)| InitFile { path, written })
            .collect(),
        workspace_id: report.workspace_id,
        provider: provider.filter(|_| is_new),
        servers,
    };
    report_made(context, options, &made);
    context.answer(&made, || text_of(&made))
}

/// Returns the `provider` section for a server.
fn section(server: &FoundServer) -> Value {
    let mut section = json!({
        "provider_kind": server.provider_kind,
        "base_url": server.base_url,
    });
    if let Some(model) = &server.model {
        section["model"] = json!(model);
    }
    section
}

/// Prints which server is used from now on, and which others there are.
fn report_made(context: &Context, options: &InitOptions, made: &InitSummary) {
    if made.workspace_id.is_none() {
        if options.small_model {
            context.inform(&format!(
                "hint: {CONFIG_PATH} stays as it was; the small model is started by: config set \
                 provider.launch '{}'",
                small_launch()
            ));
        }
        return;
    }
    if options.small_model {
        context.inform(&format!(
            "the daemon starts the small model {SMALL_MODEL} itself, at {SMALL_MODEL_ADDRESS}; the first time it is \
             downloaded, 1.1 GB"
        ));
        return;
    }
    let Some((first, others)) = made.servers.split_first() else {
        let looked = if options.offline {
            ""
        } else {
            "no model server answers at the ports 1234 (LM Studio), 11434 (Ollama) and 8080 (llama-server). "
        };
        context.inform(&format!(
            "hint: {looked}Start one and name it with `config set provider.base_url URL` and `config set \
             provider.model NAME`, then try `doctor`; or begin in an empty folder with `init --small-model`"
        ));
        return;
    };
    let (name, url) = (first.name, one_line(&first.base_url, 200));
    context.inform(&match &first.model {
        Some(model) => format!(
            "{name} answers at {url}; the model is {}",
            one_line(model, 200)
        ),
        None => format!("{name} answers at {url} and lists no model: load one, then try `doctor`"),
    });
    let more = first
        .models
        .iter()
        .filter(|it| Some(*it) != first.model.as_ref());
    let more: Vec<String> = more
        .take(MODELS_NAMED_MAX)
        .map(|it| one_line(it, 80))
        .collect();
    if !more.is_empty() {
        let more = more.join(", ");
        context.inform(&format!(
            "it also has {more}: `config set provider.model NAME`"
        ));
    }
    for other in others {
        let (name, url) = (other.name, one_line(&other.base_url, 200));
        context.inform(&format!(
            "{name} answers at {url} as well: `config set provider.base_url {url}`"
        ));
    }
}

fn text_of(made: &InitSummary) -> String {
    let root = one_line(&made.root, 500);
    let line = |file: &InitFile| {
        let what = if file.written { "written" } else { "kept" };
        format!("{what:7}  {root}/{}\n", file.path)
    };
    made.files.iter().map(line).collect()
}
