//! Chooses the adapter that the configuration asks for. Opens no connection and reads no file.

use super::{HttpProvider, LlmProvider, ScriptedProvider};
use crate::config::{ProviderConfig, ProviderKind};
use crate::failure::{Code, Failure};

/// The provider of a configuration. `script_text` is the text of the file that `provider.model`
/// names, which the caller has read; only `scripted` uses it.
pub fn connect(
    config: &ProviderConfig,
    script_text: Option<&str>,
) -> Result<Box<dyn LlmProvider>, Failure> {
    match config.kind {
        ProviderKind::LmStudio | ProviderKind::OpenRouter | ProviderKind::OpenAi => {
            Ok(Box::new(HttpProvider::new(config)?))
        }
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
