//! Chooses the adapter that the configuration asks for. Opens no connection and reads no file.

use super::{CommandProvider, HttpProvider, LlmProvider, Scratch, ScriptedProvider};
use crate::config::{ProviderConfig, ProviderKind};
use crate::failure::{Code, Failure};
use std::path::PathBuf;
use std::sync::Arc;

/// What stands around a provider, as far as it needs it.
#[derive(Clone, Debug)]
pub struct Surroundings {
    /// The text of the file that `provider.model` names; only `scripted` uses it.
    pub script_text: Option<String>,
    /// The variables that a program may be given; only `cli` uses them.
    pub environment: Vec<(String, String)>,
    /// Where a program gets the empty folder from that it runs in; only `cli` uses it.
    pub scratch: Arc<dyn Scratch>,
}

impl Default for Surroundings {
    fn default() -> Self {
        Self {
            script_text: None,
            environment: Vec::new(),
            scratch: Arc::new(PathBuf::new()),
        }
    }
}

/// The provider of a configuration in its surroundings.
///
/// # Errors
/// What [`HttpProvider::new`] and [`ScriptedProvider::from_text`] refuse, and `CONFIG_SCHEMA_INVALID` for
/// a script that was not read.
pub fn connect_in(
    config: &ProviderConfig,
    around: Surroundings,
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

/// The same where nothing stands around it but the text of a script.
///
/// # Errors
/// As above.
pub fn connect(
    config: &ProviderConfig,
    script_text: Option<&str>,
) -> Result<Box<dyn LlmProvider>, Failure> {
    let around = Surroundings {
        script_text: script_text.map(str::to_owned),
        ..Surroundings::default()
    };
    connect_in(config, around)
}
