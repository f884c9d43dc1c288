//! Chooses the adapter that the configuration asks for. Opens no connection and reads no file.

use super::{CommandProvider, HttpProvider, LlmProvider, ScriptedProvider};
use crate::config::{ProviderConfig, ProviderKind};
use crate::failure::{Code, Failure};
use std::path::PathBuf;

/// What stands around a provider, as far as it needs it.
#[derive(Clone, Debug, Default)]
pub struct Surroundings {
    /// The text of the file that `provider.model` names; only `scripted` uses it.
    pub script_text: Option<String>,
    /// The variables that a program may be given; only `cli` uses them.
    pub environment: Vec<(String, String)>,
    /// The empty folder that a program runs in; only `cli` uses it.
    pub scratch: PathBuf,
}

/// The provider of a configuration in its surroundings.
pub fn connect_in(
    config: &ProviderConfig,
    around: Surroundings,
) -> Result<Box<dyn LlmProvider>, Failure> {
    if config.kind == ProviderKind::Cli {
        let (environment, scratch) = (around.environment, around.scratch);
        let program = CommandProvider::configured(config, environment, scratch);
        return Ok(Box::new(program));
    }
    connect(config, around.script_text.as_deref())
}

/// The provider of a configuration that needs nothing else around it. `script_text` is the text of the file that `provider.model`
/// names, which the caller has read; only `scripted` uses it.
pub fn connect(
    config: &ProviderConfig,
    script_text: Option<&str>,
) -> Result<Box<dyn LlmProvider>, Failure> {
    match config.kind {
        ProviderKind::LmStudio | ProviderKind::OpenRouter | ProviderKind::OpenAi => {
            Ok(Box::new(HttpProvider::new(config)?))
        }
        ProviderKind::Cli => connect_in(config, Surroundings::default()),
        ProviderKind::Scripted => {
            let text = script_text.ok_or_else(|| {
                Failure::new(
                    Code::ConfigSchemaInvalid,
                    format!(
                        "the script `{}` of provider.model was not read",
                        config.model
                    ),
                )
            })?;
            Ok(Box::new(ScriptedProvider::from_text(&config.model, text)?))
        }
    }
}
