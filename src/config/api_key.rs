//! Reads the API keys from the environment or a systemd credential, never from a file of ours. The
//! only place that reads secrets; it never puts one into a message.

use super::files::{self, FileProblem};
use super::problem::Findings;
use super::providers::{self, kind_of};
use super::reader::Environment;
use super::resolved::{ProviderKind, Secret};
use super::settings::{SettingSource, Settings};
use crate::failure::Code;
use crate::strict_json::JsonPath;
use serde_json::Value;
use std::path::Path;

/// The variable with OpenRouter's key, unless the configuration names another.
const OPENROUTER_KEY: &str = "OPENROUTER_API_KEY";

/// The variable with the control interface's token.
const API_TOKEN: &str = "KJXLKJ_API_TOKEN";

/// The shortest token, in bytes: sixteen characters cannot be guessed.
const API_TOKEN_BYTES_MIN: usize = 16;

/// The variable with which systemd names the folder of a service's credentials.
const CREDENTIALS_FOLDER: &str = "CREDENTIALS_DIRECTORY";

/// The largest API key, in bytes.
/// Real ones have about a hundred.
const KEY_BYTES_MAX: usize = 8192;

/// The name and the source of the provider's API key; never the key itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ApiKeyState {
    /// The name of the variable.
    pub name: String,
    /// The source of the key; `None` when it is missing.
    pub source: Option<SettingSource>,
}

#[derive(Debug, Default)]
pub(super) struct Keys {
    pub(super) providers: Vec<Option<Secret>>,
    pub(super) api_token: Option<Secret>,
}

/// Reads the keys that the providers need, and the token.
/// The returned state is that of `provider`.
///
/// # Errors
/// A missing key of `openrouter` is an error, that of another kind a warning.
pub(super) fn find(
    settings: &Settings,
    environment: &dyn Environment,
    findings: &mut Findings,
) -> (Option<ApiKeyState>, Keys) {
    let found = providers::entries(settings).map(|(path, values)| {
        let path = path.key("api_key_env");
        find_one(&values, path, environment, findings).unzip()
    });
    let (states, keys): (Vec<_>, Vec<_>) = found.unzip();
    let keys = Keys {
        providers: keys.into_iter().map(Option::flatten).collect(),
        api_token: api_token(settings, environment, findings),
    };
    (states.into_iter().next().flatten(), keys)
}

/// Reads the token of the control interface over TCP, which must not be open without one.
fn api_token(
    settings: &Settings,
    environment: &dyn Environment,
    findings: &mut Findings,
) -> Option<Secret> {
    settings.get("api.tcp").value.as_str()?;
    let path = JsonPath::dotted("api.tcp");
    let found = secret_of(API_TOKEN, environment, &path, findings).map(|(text, _)| text);
    let plain = |text: &String| text.trim().bytes().all(|byte| byte.is_ascii_graphic());
    let token = found.filter(|text| text.trim().len() >= API_TOKEN_BYTES_MIN && plain(text));
    if token.is_none() {
        let hint = format!(
            "Set `{API_TOKEN}`, or give the service the systemd credential `{}`: at least \
             {API_TOKEN_BYTES_MIN} visible characters, as `openssl rand -hex 32` draws them.",
            API_TOKEN.to_ascii_lowercase()
        );
        let message =
            format!("is open to every program of this machine, and `{API_TOKEN}` holds no token");
        findings.error(path, message).hint = Some(hint);
    }
    token.map(|text| Secret::new(text.trim().to_owned()))
}

/// Reads a secret of that name and its source: the environment, else a credential.
fn secret_of(
    name: &str,
    environment: &dyn Environment,
    path: &JsonPath,
    findings: &mut Findings,
) -> Option<(String, SettingSource)> {
    let set = environment.get(name).filter(|text| !text.trim().is_empty());
    if let Some(text) = set {
        return Some((text, SettingSource::Environment));
    }
    let text = credential(name, environment).unwrap_or_else(|trouble| {
        let message = format!("the systemd credential of `{name}`: {trouble}");
        findings.error(path.clone(), message).code = Code::DiskError;
        None
    });
    text.map(|text| (text, SettingSource::Credential))
}

/// Reads the key of the provider with those values; `None` for one that needs none.
fn find_one(
    values: &Value,
    path: JsonPath,
    environment: &dyn Environment,
    findings: &mut Findings,
) -> Option<(ApiKeyState, Option<Secret>)> {
    let kind = kind_of(values.get("provider_kind"));
    let name = match (values.get("api_key_env").and_then(Value::as_str), kind) {
        // A program logs in by itself, unless a key is configured for it.
        (_, ProviderKind::Scripted)
        | (None, ProviderKind::LmStudio | ProviderKind::OpenAi | ProviderKind::Cli) => return None,
        (Some(name), _) => name,
        (None, ProviderKind::OpenRouter) => OPENROUTER_KEY,
    };
    let found = secret_of(name, environment, &path, findings);
    let state = ApiKeyState {
        name: name.to_owned(),
        source: found.as_ref().map(|(_, source)| *source),
    };
    let Some((text, _)) = found else {
        let message = format!("no API key: the environment variable `{name}` is not set");
        if kind == ProviderKind::OpenRouter {
            let credential = name.to_ascii_lowercase();
            let hint =
                format!("Set `{name}`, or give the service the systemd credential `{credential}`.");
            findings.error(path, message).hint = Some(hint);
        } else {
            findings.warn(path, message);
        }
        return Some((state, None));
    };
    let text = text.trim();
    if !text.bytes().all(|byte| byte.is_ascii_graphic()) {
        let message = format!("the key in `{name}` holds characters that no key has");
        findings.error(path, message);
        return Some((state, None));
    }
    Some((state, Some(Secret::new(text.to_owned()))))
}

/// Reads the systemd credential of that name; `None` without one.
///
/// # Errors
/// Only a failed read of an existing file; any other trouble counts as no credential.
fn credential(name: &str, environment: &dyn Environment) -> Result<Option<String>, FileProblem> {
    let Some(folder) = environment.get(CREDENTIALS_FOLDER) else {
        return Ok(None);
    };
    let path = Path::new(&folder).join(name.to_ascii_lowercase());
    let bytes = match files::read_file(&path, KEY_BYTES_MAX) {
        Err(trouble @ FileProblem::Failed(_)) => return Err(trouble),
        read => read.unwrap_or_default(),
    };
    let text = String::from_utf8(bytes).unwrap_or_default();
    Ok(Some(text).filter(|text| !text.trim().is_empty()))
}
