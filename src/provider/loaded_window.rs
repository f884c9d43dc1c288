//! The window of a loaded model, and whether its server counts tokens. Each server reports them in
//! another place and form; a value of another form, or an implausible number, counts as not
//! reported. Does not decide which window is used.

use super::fault::Fault;
use super::http::HttpProvider;
use super::refusal::prompt_of;
use super::types::{PromptMessage, ServedModel, TokenCounter};
use super::wire::may_be_a_model;
use crate::config::ProviderKind;
use crate::limits::{MODELS_LISTED_MAX, WINDOW_TOKENS_MAX, WINDOW_TOKENS_MIN};
use serde_json::{Value, json};

/// A loaded model, as LM Studio lists it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Instance {
    /// The name by which requests select it.
    pub(super) id: String,
    /// The name of the model that it is made from.
    /// It equals `id` unless several instances are loaded.
    key: String,
    window_tokens: Option<u32>,
}

impl Instance {
    /// Returns whether its names are valid names of models.
    fn is_named(&self) -> bool {
        let may_be = may_be_a_model(&self.id) && may_be_a_model(&self.key);
        may_be && !self.id.is_empty()
    }
}

impl HttpProvider {
    /// Asks for window and token counter in the places where this kind of server reports them.
    ///
    /// # Errors
    /// A passing fault; a lasting one counts as not reported.
    pub(super) async fn ask_served(&self) -> Result<ServedModel, Fault> {
        match self.config.kind {
            // The kind may be wrong: another server may answer at LM Studio's address, and LM
            // Studio at one that is called compatible.
            ProviderKind::LmStudio => match self.ask_lm_studio().await? {
                Some(served) => Ok(served),
                None => Ok(self.ask_compatible().await?.unwrap_or_default()),
            },
            ProviderKind::OpenAi => match self.ask_compatible().await? {
                Some(served) => Ok(served),
                None => Ok(self.ask_lm_studio().await?.unwrap_or_default()),
            },
            ProviderKind::OpenRouter => {
                let list = unless_lasting(self.look("./models").await)?;
                Ok(ServedModel::window(
                    list.and_then(|list| market_window(&list, &self.config.model)),
                ))
            }
            ProviderKind::Cli | ProviderKind::Scripted => Ok(ServedModel::default()),
        }
    }

    /// Asks LM Studio; `None` where no LM Studio answers that lists loaded models.
    async fn ask_lm_studio(&self) -> Result<Option<ServedModel>, Fault> {
        let loaded = unless_lasting(self.native_list().await)?.flatten();
        Ok(loaded.map(|loaded| ServedModel::window(instance_window(&loaded, &self.config.model))))
    }

    /// Asks llama.cpp, vLLM and Ollama in turn; `None` where none of them answers.
    async fn ask_compatible(&self) -> Result<Option<ServedModel>, Fault> {
        if let Some(served) = self.ask_llama_server().await? {
            return Ok(Some(served));
        }
        let list = unless_lasting(self.look("./models").await)?;
        let served = list.and_then(|list| listed_window(&list, &self.config.model));
        if served.is_some() {
            return Ok(served);
        }
        let running = unless_lasting(self.look("../api/ps").await)?;
        let window = running.and_then(|running| running_window(&running, &self.config.model));
        Ok(window.map(|window| ServedModel::window(Some(window))))
    }

    /// Asks llama.cpp; `None` where none answers.
    async fn ask_llama_server(&self) -> Result<Option<ServedModel>, Fault> {
        // A router in front of several models reports a window only for a named one.
        let properties = self.properties().await;
        let properties = unless_lasting(properties)?;
        Ok(properties.and_then(|properties| llama_server(&properties)))
    }

    /// Lists the models that LM Studio has loaded; `None` when another server answers.
    pub(super) async fn native_list(&self) -> Result<Option<Vec<Instance>>, Fault> {
        let newer = unless_lasting(self.look("../api/v1/models").await)?;
        if let Some(loaded) = newer.as_ref().and_then(instances) {
            return Ok(Some(loaded));
        }
        let older = self.look("../api/v0/models").await?;
        Ok(instances_before_version_1(&older))
    }

    /// Counts the tokens of a prompt by the server's own counter; `None` when it gives no count.
    pub(super) async fn count(
        &self,
        messages: &[PromptMessage],
        counter: TokenCounter,
    ) -> Result<Option<u64>, Fault> {
        let chat = json!({"model": &self.config.model, "messages": messages});
        match counter {
            TokenCounter::Vllm => Ok(counted(&self.post("../tokenize", &chat).await?, "count")),
            TokenCounter::LlamaServer => {
                let path = "./chat/completions/input_tokens";
                let answer = unless_lasting(self.post(path, &chat).await)?;
                match answer.and_then(|answer| counted(&answer, "input_tokens")) {
                    Some(tokens) => Ok(Some(tokens)),
                    None => self.count_in_two_steps(&chat).await,
                }
            }
        }
    }

    /// Counts by chat template and tokenizer, for a llama.cpp that has no counter for chats.
    async fn count_in_two_steps(&self, chat: &Value) -> Result<Option<u64>, Fault> {
        let written = self.post("../apply-template", chat).await?;
        let Some(prompt) = written.get("prompt").and_then(Value::as_str) else {
            return Ok(None);
        };
        let text = json!({"content": prompt, "add_special": true, "parse_special": true});
        let answer = self.post("../tokenize", &text).await?;
        let tokens = answer.get("tokens").and_then(Value::as_array);
        let tokens = tokens.and_then(|tokens| u64::try_from(tokens.len()).ok());
        Ok(tokens.filter(|tokens| *tokens > 0))
    }
}

/// Turns a lasting fault into `None`: the server does not have the requested path.
fn unless_lasting<T>(asked: Result<T, Fault>) -> Result<Option<T>, Fault> {
    match asked {
        Ok(answer) => Ok(Some(answer)),
        Err(fault) if fault.error.retry => Err(fault),
        Err(_) => Ok(None),
    }
}

/// Reads the size of a window; `None` for an implausible value.
fn window_tokens(value: Option<&Value>) -> Option<u32> {
    window_of(value?.as_u64()?)
}

/// Returns the number if it can be the size of a window in tokens.
pub(super) fn window_of(tokens: u64) -> Option<u32> {
    let tokens = u32::try_from(tokens).ok()?;
    (WINDOW_TOKENS_MIN..=WINDOW_TOKENS_MAX)
        .contains(&tokens)
        .then_some(tokens)
}

fn counted(answer: &Value, field: &str) -> Option<u64> {
    prompt_of(answer.get(field)?.as_u64()?)
}

fn text<'a>(entry: &'a Value, field: &str) -> &'a str {
    entry.get(field).and_then(Value::as_str).unwrap_or_default()
}

fn entries<'a>(answer: &'a Value, field: &str) -> Option<impl Iterator<Item = &'a Value>> {
    let list = answer.get(field)?.as_array()?;
    Some(list.iter().take(MODELS_LISTED_MAX))
}

/// Reads `/props` of llama.cpp: the window of one slot, which is what one conversation gets.
fn llama_server(properties: &Value) -> Option<ServedModel> {
    let settings = properties.get("default_generation_settings")?.as_object()?;
    Some(ServedModel {
        window_tokens: window_tokens(settings.get("n_ctx")),
        counter: Some(TokenCounter::LlamaServer),
    })
}

/// Reads the list of LM Studio since version 0.4.
// A model's largest possible window says nothing of how its instance was loaded.
fn instances(answer: &Value) -> Option<Vec<Instance>> {
    let mut loaded = Vec::new();
    for model in entries(answer, "models")? {
        let of_model = model.get("loaded_instances")?.as_array()?;
        if text(model, "type").starts_with("embed") {
            continue;
        }
        loaded.extend(of_model.iter().map(|instance| Instance {
            id: text(instance, "id").to_owned(),
            key: text(model, "key").to_owned(),
            window_tokens: window_tokens(instance.pointer("/config/context_length")),
        }));
    }
    loaded.retain(Instance::is_named);
    Some(loaded)
}

/// Reads the list of LM Studio before version 0.4.
fn instances_before_version_1(answer: &Value) -> Option<Vec<Instance>> {
    let states = entries(answer, "data")?.map(|entry| entry.get("state"));
    if !states.flatten().any(Value::is_string) {
        return None;
    }
    let loaded = entries(answer, "data")?.filter(|entry| {
        text(entry, "state") == "loaded" && !text(entry, "type").starts_with("embed")
    });
    let instance = |entry: &Value| Instance {
        id: text(entry, "id").to_owned(),
        key: text(entry, "id").to_owned(),
        window_tokens: window_tokens(entry.get("loaded_context_length")),
    };
    Some(loaded.map(instance).filter(Instance::is_named).collect())
}

/// Returns the window of the instance that a name selects; of several, the smallest.
fn instance_window(loaded: &[Instance], model: &str) -> Option<u32> {
    let named = |name: fn(&Instance) -> &str| {
        let instances = loaded.iter().filter(|instance| name(instance) == model);
        instances
            .filter_map(|instance| instance.window_tokens)
            .min()
    };
    named(|instance| &instance.id).or_else(|| named(|instance| &instance.key))
}

/// Reads the list of models of vLLM and of servers that report their windows there.
// The window of the training (`meta.n_ctx_train`) is not that of the server.
fn listed_window(answer: &Value, model: &str) -> Option<ServedModel> {
    let entry = entries(answer, "data")?.find(|entry| text(entry, "id") == model)?;
    let vllm = window_tokens(entry.get("max_model_len"));
    let tokens = vllm.or_else(|| window_tokens(entry.get("context_length")))?;
    Some(ServedModel {
        window_tokens: Some(tokens),
        counter: vllm.map(|_| TokenCounter::Vllm),
    })
}

/// Reads `/api/ps` of Ollama: the loaded models.
/// A name without a tag means `:latest`.
fn running_window(answer: &Value, model: &str) -> Option<u32> {
    let is_meant = |name: &str| name == model || name.strip_suffix(":latest") == Some(model);
    let mut running = entries(answer, "models")?;
    let meant = running.find(|entry| ["model", "name"].iter().any(|it| is_meant(text(entry, it))));
    window_tokens(meant?.get("context_length"))
}

/// Reads `OpenRouter`'s list: the window of the preferred host, at most the model's own.
/// A suffix of the name (`:nitro`, `:online`) selects a host and is not listed.
fn market_window(answer: &Value, model: &str) -> Option<u32> {
    let named = |name: &str| entries(answer, "data")?.find(|entry| text(entry, "id") == name);
    let entry = named(model).or_else(|| named(model.rsplit_once(':')?.0))?;
    let windows = ["/context_length", "/top_provider/context_length"];
    let windows = windows.map(|path| window_tokens(entry.pointer(path)));
    windows.into_iter().flatten().min()
}
