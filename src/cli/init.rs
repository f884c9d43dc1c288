//! `init`: writes the default files of a new root, with the model server of this machine if one
//! answers at the usual addresses; and the small model that this program can start by itself.

use super::arguments::InitOptions;
use super::server::wait_for;
use super::text::{joined, one_line};
use super::{Context, VerbOutput};
use crate::config::{self, CONFIG_PATH};
use crate::core::route::ModelChoice;
use crate::daemon::{ServerModels, offer};
use crate::failure::Failure;
use crate::ids::WorkspaceId;
use crate::provider::connect;
use serde::Serialize;
use serde_json::{Value, json};
use std::time::Duration;
use tokio::time::timeout;

/// The address of the small model: a port that no model server uses by default.
const SMALL_MODEL_ADDRESS: &str = "http://127.0.0.1:18080";
const MODELS_NAMED_MAX: usize = 10;

#[derive(Debug, Serialize)]
struct InitSummary {
    root: String,
    files: Vec<InitFile>,
    workspace_id: Option<WorkspaceId>,
    /// The server that a new configuration names.
    provider: Option<Value>,
    servers: Vec<FoundServer>,
}

#[derive(Debug, Serialize)]
struct InitFile {
    path: &'static str,
    written: bool,
}

pub(super) fn run(context: &Context, options: &InitOptions) -> Result<VerbOutput, Failure> {
    // A relative folder is relative to the working directory, as everywhere.
    let dir = options.dir.as_ref();
    let root = dir.and_then(|dir| std::path::absolute(dir).ok());
    let root = root.unwrap_or_else(|| context.session.root().to_owned());
    let mut servers = Vec::new();
    if !options.offline && !options.small_model && !root.join(CONFIG_PATH).exists() {
        servers = look(&options.look_at)?;
    }
    let small = options
        .small_model
        .then(|| small_provider(SMALL_MODEL_ADDRESS));
    let provider = small.or_else(|| servers.first().map(section));
    let changes = provider.as_ref().map(|it| json!({"provider": it}));
    let report = config::init_with(&root, &changes.unwrap_or_default())?;
    let files = report.files.into_iter();
    let made = InitSummary {
        root: root.display().to_string(),
        files: files
            .map(|(path, written)| InitFile { path, written })
            .collect(),
        workspace_id: report.workspace_id,
        provider: provider.filter(|_| report.workspace_id.is_some()),
        servers,
    };
    report_made(context, options, &made);
    context.answer(&made, text_of)
}

fn section(server: &FoundServer) -> Value {
    let kind = server.provider_kind;
    let mut section = json!({"provider_kind": kind, "base_url": server.base_url});
    if let Some(model) = &server.model {
        section["model"] = json!(model);
    }
    section
}

/// Prints which server is used from now on, and which others there are.
fn report_made(context: &Context, options: &InitOptions, made: &InitSummary) {
    if made.workspace_id.is_none() {
        if options.small_model {
            let launch = small_launch();
            context.inform(&format!(
                "hint: {CONFIG_PATH} stays as it was; the small model is started by: config set \
                 provider.launch '{launch}'"
            ));
        }
        return;
    }
    if options.small_model {
        context.inform(&format!(
            "the daemon starts the small model {SMALL_MODEL} itself, at {SMALL_MODEL_ADDRESS}; the \
             first time it is downloaded, 1.1 GB"
        ));
        return;
    }
    let Some((first, others)) = made.servers.split_first() else {
        let looked = if options.offline {
            ""
        } else {
            "no model server answers at the ports 1234 (LM Studio), 11434 (Ollama) and 8080 \
             (llama-server). "
        };
        context.inform(&format!(
            "hint: {looked}Start one and name it with `config set provider.base_url URL` and \
             `config set provider.model NAME`, then try `doctor`; or begin in an empty folder with \
             `init --small-model`"
        ));
        return;
    };
    let (name, url) = (first.name, one_line(&first.base_url, 200));
    let model = first.model.as_ref().map(|model| one_line(model, 200));
    context.inform(&match model {
        Some(model) => format!("{name} answers at {url}; the model is {model}"),
        None => format!("{name} answers at {url} and lists no model: load one, then try `doctor`"),
    });
    let more = first.models.iter();
    let more = more.filter(|it| Some(*it) != first.model.as_ref());
    let more = more.take(MODELS_NAMED_MAX).map(|it| one_line(it, 80));
    let more = joined(more, ", ");
    if !more.is_empty() {
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

/// The longest wait for all of them together to list their models.
/// A port without a server refuses at once.
const LOOK_WAIT: Duration = Duration::from_secs(1);

/// The longest wait where a person named the addresses.
const NAMED_WAIT: Duration = Duration::from_secs(10);

/// The usual servers, the preferred one first: name, `provider.provider_kind` and address.
const USUAL: [(&str, &str, &str); 3] = [
    ("LM Studio", "lmstudio", "http://127.0.0.1:1234/v1"),
    ("Ollama", "openai", "http://127.0.0.1:11434/v1"),
    ("llama-server", "openai", "http://127.0.0.1:8080/v1"),
];

#[derive(Debug, Serialize)]
struct FoundServer {
    /// The product that usually has this address.
    name: &'static str,
    /// The value of `provider.provider_kind` for it.
    provider_kind: &'static str,
    /// The address, up to and including `/v1`.
    base_url: String,
    /// The model that is used; none where it lists none.
    model: Option<String>,
    models: Vec<String>,
}

/// Returns the servers that answer, in the order of the addresses.
/// `look_at` replaces the default addresses.
fn look(look_at: &[String]) -> Result<Vec<FoundServer>, Failure> {
    let wait = if look_at.is_empty() {
        LOOK_WAIT
    } else {
        NAMED_WAIT
    };
    let ask = async |number: usize| {
        let (name, provider_kind, usual) = *USUAL.get(number)?;
        let base_url = match look_at {
            [] => usual.to_owned(),
            named => named.get(number)?.clone(),
        };
        let provider = config::local_server(provider_kind, &base_url)?;
        let server = connect(&provider, None).ok()?;
        let offered = timeout(wait, offer(server.as_ref(), &provider)).await;
        let offered = offered.ok()?.ok()?;
        Some(FoundServer {
            name,
            provider_kind,
            base_url,
            model: chosen(&offered, &provider.model),
            models: offered.listed,
        })
    };
    wait_for(async {
        // The requests change nothing, so each may be given up at any point.
        let (first, second, third) = tokio::join!(ask(0), ask(1), ask(2));
        Ok([first, second, third].into_iter().flatten().collect())
    })
}

/// Returns the model to use: the default, the only one, the loaded one, else the first for text.
fn chosen(offered: &ServerModels, usual: &str) -> Option<String> {
    let first = || {
        let may_write = |model: &&String| !model.to_ascii_lowercase().contains("embed");
        let listed = &offered.listed;
        listed.iter().find(may_write).or_else(|| listed.first())
    };
    match &offered.choice {
        ModelChoice::Other(model) => Some(model.clone()),
        ModelChoice::Configured if offered.listed.is_empty() => None,
        ModelChoice::Configured => Some(usual.to_owned()),
        ModelChoice::Unclear => first().cloned(),
    }
}

/// The smallest model that does the main job.
pub(super) const SMALL_MODEL: &str = "qwen1.5b";

/// The launch command, relative to the root.
pub(super) const LAUNCH: [&str; 3] = ["./data/small-model", "{port}", SMALL_MODEL];

/// The longest time to download and load it, in milliseconds.
pub(super) const READY_TIMEOUT_MS: u64 = 30 * 60 * 1000;

/// Returns the `provider` section for the small model at an address without a path.
pub(super) fn small_provider(address: &str) -> Value {
    json!({
        "provider_kind": "openai",
        "base_url": format!("{}/v1", address.trim_end_matches('/')),
        "model": SMALL_MODEL,
        "max_tokens": 400,
        "context_tokens": 8192,
        "launch": small_launch(),
    })
}

fn small_launch() -> Value {
    json!({"command": LAUNCH, "ready_timeout_ms": READY_TIMEOUT_MS})
}

#[cfg(test)]
mod tests {
    use super::chosen;
    use crate::core::route::ModelChoice;
    use crate::daemon::ServerModels;

    #[test]
    fn the_model_that_is_asked_is_one_that_the_server_has() {
        let other = ModelChoice::Other("qwen".to_owned());
        for (listed, choice, expected) in [
            (&["a", "usual"][..], ModelChoice::Configured, Some("usual")),
            (&[], ModelChoice::Configured, None),
            (&["a", "qwen"], other, Some("qwen")),
            (&["text-embed-1", "a", "b"], ModelChoice::Unclear, Some("a")),
            (
                &["nomic-Embed", "embed-2"],
                ModelChoice::Unclear,
                Some("nomic-Embed"),
            ),
        ] {
            let listed: Vec<String> = listed.iter().map(|it| (*it).to_owned()).collect();
            let offered = ServerModels { listed, choice };
            assert_eq!(
                chosen(&offered, "usual").as_deref(),
                expected,
                "{offered:?}"
            );
        }
    }
}
