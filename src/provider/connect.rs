//! Chooses the adapter for a configuration. Opens no connection and reads no file.

use super::{CommandProvider, HttpProvider, LlmProvider, Scratch, ScriptedProvider};
use crate::config::{ProviderConfig, ProviderKind};
use crate::failure::{Code, Failure};
use std::path::PathBuf;
use std::sync::Arc;

/// The inputs of a provider from outside its configuration.
#[derive(Clone, Debug)]
pub struct ProviderEnvironment {
    /// The text of the file that `provider.model` names; only `scripted` uses it.
    pub script_text: Option<String>,
    /// The variables that may be passed on to a program; only `cli` uses them.
    pub environment: Vec<(String, String)>,
    /// The source of the empty folder that a program runs in; only `cli` uses it.
    pub scratch: Arc<dyn Scratch>,
}

impl Default for ProviderEnvironment {
    fn default() -> Self {
        Self {
            script_text: None,
            environment: Vec::new(),
            scratch: Arc::new(PathBuf::new()),
        }
    }
}

/// Returns the provider of a configuration.
///
/// # Errors
/// `CONFIG_SCHEMA_INVALID` for a script that was not read, and the errors of [`HttpProvider::new`]
/// and [`ScriptedProvider::from_text`].
pub fn connect_in(
    config: &ProviderConfig,
    around: ProviderEnvironment,
) -> Result<Box<dyn LlmProvider>, Failure> {
    Ok(match config.kind {
        ProviderKind::LmStudio | ProviderKind::OpenRouter | ProviderKind::OpenAi => {
            Box::new(HttpProvider::new(config)?)
        }
        ProviderKind::Cli => {
            let (environment, scratch) = (around.environment, around.scratch);
            Box::new(CommandProvider::configured(config, environment, scratch))
        }
        ProviderKind::Scripted => {
            let text = around.script_text.ok_or_else(|| {
                Failure::new(
                    Code::ConfigSchemaInvalid,
                    format!(
                        "the script `{}` of provider.model was not read",
                        config.model
                    ),
                )
            })?;
            Box::new(ScriptedProvider::from_text(&config.model, &text)?)
        }
    })
}

/// Like [`connect_in`], but with no other input than the text of a script.
///
/// # Errors
/// Those of [`connect_in`].
pub fn connect(
    config: &ProviderConfig,
    script_text: Option<&str>,
) -> Result<Box<dyn LlmProvider>, Failure> {
    let around = ProviderEnvironment {
        script_text: script_text.map(str::to_owned),
        ..ProviderEnvironment::default()
    };
    connect_in(config, around)
}
