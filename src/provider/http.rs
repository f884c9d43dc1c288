//! The one HTTP adapter, for every server that speaks the `OpenAI` chat format: LM Studio,
//! `OpenRouter`, llama.cpp, Ollama, vLLM. Their replies differ, and the readers in [`super::wire`],
//! [`super::stream`] and [`super::refusal`] take all dialects; [`super::chat`] sends chat requests.
//! Sends exactly one request a call; never follows a redirect, uses a proxy or unpacks a body, never
//! patches broken text, and shows the key only to the server.

use super::chat::ReplyMode;
use super::fault::{Fault, check_clock, cut_short, not_text};
use super::first_request::FirstRequest;
use super::refusal::{self, ErrorBody};
use super::types::{
    CallFuture, CallResult, Contact, LlmProvider, LlmRequest, PromptMessage, ProviderError,
    ServedModel, StreamProgress, TokenCounter,
};
use super::wire::{read_models, read_object};
use crate::config::{ProviderConfig, ProviderKind};
use crate::failure::{Code, Failure};
use crate::limits::{
    CONNECT_TIMEOUT_MS, ERROR_BODY_BYTES_MAX, MODELS_BODY_BYTES_MAX, MODELS_TIMEOUT_MS,
    PROBE_TIMEOUT_MS, REPLY_BODY_BYTES_MAX, REPLY_HEADERS_MAX,
};
use reqwest::header::{
    ACCEPT_ENCODING, AUTHORIZATION, CONTENT_ENCODING, CONTENT_TYPE, HeaderMap, HeaderName,
    HeaderValue,
};
use reqwest::{Client, ClientBuilder, RequestBuilder, Response, Url, redirect};
use serde_json::Value;
use std::error::Error as _;
use std::fmt;
use std::io;
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// A model server behind an `OpenAI`-compatible address.
/// Its pooled connections belong to the runtime of the first call, so all calls must use that one.
#[derive(Clone)]
pub struct HttpProvider {
    pub(super) config: ProviderConfig,
    /// The scheme, host and port: the only part of the address that errors show.
    origin: String,
    base: Url,
    client: Client,
    /// The first request to the model; others wait until it has a reply.
    pub(super) first: Arc<FirstRequest>,
    /// The way to ask, as learnt from refusals; shared by all models behind the address.
    pub(super) way: Arc<Mutex<ReplyMode>>,
}

impl HttpProvider {
    /// Creates the adapter and its connection pool; connects to nothing.
    ///
    /// # Errors
    /// `CONFIG_SCHEMA_INVALID` for an address or key that cannot be used; `LLM_UNAVAILABLE` for
    /// `https` on a machine without root certificates.
    pub fn new(config: &ProviderConfig) -> Result<Self, Failure> {
        let base = base_url(&config.base_url)?;
        let origin = base.origin().ascii_serialization();
        let client = client(&base, config)?.build().map_err(|error| {
            Failure::new(
                Code::LlmUnavailable,
                format!("{origin}: no client can be set up: {}", innermost(&error)),
            )
            .hint("Install the system's root certificates (package `ca-certificates`).")
        })?;
        Ok(Self {
            config: config.clone(),
            origin,
            base,
            client,
            first: FirstRequest::of(config.kind, &config.base_url, &config.model),
            way: Arc::new(Mutex::new(ReplyMode::first(config))),
        })
    }

    /// Returns the longest wait for a reply, or `most_ms` where that is shorter.
    fn timeout(&self, most_ms: u64) -> Duration {
        Duration::from_millis(self.config.timeout_ms.min(most_ms))
    }

    pub(super) fn chat_request(&self, body: Vec<u8>) -> Result<RequestBuilder, Fault> {
        let request = self.client.post(self.place("./chat/completions")?);
        let request = request.header(CONTENT_TYPE, "application/json");
        Ok(request.timeout(self.timeout(u64::MAX)).body(body))
    }

    async fn list(&self) -> Result<Vec<String>, Fault> {
        let request = self.client.get(self.place("./models")?);
        let request = request.timeout(self.timeout(MODELS_TIMEOUT_MS));
        read_models(&exchange(request, MODELS_BODY_BYTES_MAX).await?)
    }

    /// Gets the JSON object at a path relative to the base address.
    pub(super) async fn look(&self, path: &str) -> Result<Value, Fault> {
        let request = self.client.get(self.place(path)?);
        self.probe(request, MODELS_BODY_BYTES_MAX).await
    }

    /// Gets the properties that a llama.cpp server reports, with the model's name as a query parameter.
    pub(super) async fn properties(&self) -> Result<Value, Fault> {
        let mut url = self.place("../props")?;
        url.query_pairs_mut()
            .append_pair("model", &self.config.model);
        self.probe(self.client.get(url), REPLY_BODY_BYTES_MAX).await
    }

    /// Posts a JSON body to a path and returns the JSON object of the reply.
    /// The path is relative to the base address.
    pub(super) async fn post(&self, path: &str, body: &Value) -> Result<Value, Fault> {
        let request = self.client.post(self.place(path)?);
        let request = request.header(CONTENT_TYPE, "application/json");
        self.probe(request.body(body.to_string()), REPLY_BODY_BYTES_MAX)
            .await
    }

    async fn probe(&self, request: RequestBuilder, bytes_max: usize) -> Result<Value, Fault> {
        let request = request.timeout(self.timeout(PROBE_TIMEOUT_MS));
        read_object(&exchange(request, bytes_max).await?)
    }

    fn place(&self, path: &str) -> Result<Url, Fault> {
        let no_address = |_| Fault::lasting(Code::Internal, "there is no such address");
        self.base.join(path).map_err(no_address)
    }

    /// Words a fault with the origin of the server.
    pub(super) fn error_of(&self, fault: Fault, messages: &[PromptMessage]) -> ProviderError {
        fault.into_error(&self.origin, self.config.api_key.as_slice(), messages)
    }
}

impl LlmProvider for HttpProvider {
    fn complete<'a>(&'a self, request: &'a LlmRequest) -> CallFuture<'a, CallResult> {
        Box::pin(async move { self.ask_worded(request, &StreamProgress::default()).await })
    }

    fn complete_counted<'a>(
        &'a self,
        request: &'a LlmRequest,
        arrived: &'a StreamProgress,
    ) -> CallFuture<'a, CallResult> {
        Box::pin(self.ask_worded(request, arrived))
    }

    fn provider_name(&self) -> &'static str {
        self.config.kind.name()
    }

    fn models(&self) -> CallFuture<'_, Result<Vec<String>, ProviderError>> {
        Box::pin(async move { self.list().await.map_err(|fault| self.error_of(fault, &[])) })
    }

    fn loaded_models(&self) -> CallFuture<'_, Result<Vec<String>, ProviderError>> {
        Box::pin(async move {
            if self.config.kind != ProviderKind::LmStudio {
                return Ok(Vec::new());
            }
            // `GET /models` lists every model on the disk; only the native list says which are
            // loaded.
            let loaded = self.native_list().await;
            let loaded = loaded.map_err(|fault| self.error_of(fault, &[]))?;
            let loaded = loaded.unwrap_or_default().into_iter();
            Ok(loaded.map(|instance| instance.id).collect())
        })
    }

    fn served(&self) -> CallFuture<'_, Result<ServedModel, ProviderError>> {
        Box::pin(async move {
            self.ask_served()
                .await
                .map_err(|fault| self.error_of(fault, &[]))
        })
    }

    fn count_tokens<'a>(
        &'a self,
        messages: &'a [PromptMessage],
        counter: TokenCounter,
    ) -> CallFuture<'a, Option<u64>> {
        // Without a count the caller estimates, so a failure is no error here.
        Box::pin(async move { self.count(messages, counter).await.ok().flatten() })
    }

    fn with_model(&self, model: &str) -> Option<Box<dyn LlmProvider>> {
        let mut other = self.clone();
        model.clone_into(&mut other.config.model);
        other.first = FirstRequest::of(self.config.kind, self.base.as_str(), model);
        Some(Box::new(other))
    }
}

impl fmt::Debug for HttpProvider {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HttpProvider")
            .field("name", &self.config.kind.name())
            .field("origin", &self.origin)
            .field("model", &self.config.model)
            .finish_non_exhaustive()
    }
}

/// Sends a request and returns the body of a successful response.
async fn exchange(request: RequestBuilder, bytes_max: usize) -> Result<String, Fault> {
    read_text(send(request).await?, bytes_max).await
}

/// Sends a request and returns a successful response, whose body is not read yet.
pub(super) async fn send(request: RequestBuilder) -> Result<Response, Fault> {
    let (client, request) = request.build_split();
    let request = request.map_err(transport_fault)?;
    if request.url().scheme() == "https" {
        check_clock()?;
    }
    let response = client.execute(request).await;
    let response = response.map_err(transport_fault)?;
    let status = response.status();
    if status.is_success() {
        return Ok(response);
    }
    let headers = response.headers().clone();
    // The body of a redirect or of a refused key must not be shown.
    let said = if status.is_redirection() || status.as_u16() == 401 {
        ErrorBody::default()
    } else {
        let body = read_text(response, ERROR_BODY_BYTES_MAX).await;
        body.map(|body| ErrorBody::in_body(&body))
            .unwrap_or_default()
    };
    let status = status.as_u16();
    let wait_ms = said.wait_ms(status, &headers);
    Err(refusal::of_status(status, &said, wait_ms))
}

/// Reads the whole body as strict UTF-8; never holds more than `bytes_max` bytes.
// `reqwest`'s own `text()` would put U+FFFD into a person's notes.
pub(super) async fn read_text(mut response: Response, bytes_max: usize) -> Result<String, Fault> {
    refuse_packed(&response)?;
    let announced = response.content_length().unwrap_or(0);
    let announced = usize::try_from(announced).unwrap_or(usize::MAX);
    if announced > bytes_max {
        return Err(too_large(bytes_max));
    }
    let mut bytes = Vec::with_capacity(announced);
    while let Some(chunk) = response.chunk().await.map_err(transport_fault)? {
        if bytes.len() + chunk.len() > bytes_max {
            return Err(too_large(bytes_max));
        }
        bytes.extend_from_slice(&chunk);
    }
    String::from_utf8(bytes).map_err(|error| {
        // A text that ends inside a character was cut; any other flaw will come again.
        if error.utf8_error().error_len().is_none() {
            cut_short()
        } else {
            not_text()
        }
    })
}

/// Refuses a compressed reply.
// The request said `Accept-Encoding: identity`, and a compressed body could unpack without bound.
pub(super) fn refuse_packed(response: &Response) -> Result<(), Fault> {
    let mut encodings = response.headers().get_all(CONTENT_ENCODING).iter();
    if encodings.all(|value| value.as_bytes().eq_ignore_ascii_case(b"identity")) {
        return Ok(());
    }
    Err(Fault::lasting(
        Code::ProviderBadResponse,
        "the answer is compressed, which was not asked for",
    ))
}

fn too_large(bytes_max: usize) -> Fault {
    Fault::lasting(
        Code::ProviderBadResponse,
        format!("the answer is larger than {bytes_max} bytes"),
    )
}

/// Returns the fault of a transport error.
// The library's text is shown only where it comes from the operating system or from TLS; with the
// address in it, it might show a secret.
pub(super) fn transport_fault(error: reqwest::Error) -> Fault {
    let error = error.without_url();
    if error.is_connect() {
        let cause = innermost(&error);
        let reason = format!("no connection: {cause}{}", certificate_hint(&cause));
        return Fault::passing(Code::LlmUnavailable, reason).at(Contact::None);
    }
    if error.is_timeout() {
        return Fault::passing(Code::LlmTimeout, "no answer in time");
    }
    if error.is_body() || error.is_decode() {
        return cut_short();
    }
    if has_io_cause(&error) || innermost(&error).starts_with("connection ") {
        return Fault::passing(
            Code::LlmUnavailable,
            "the connection broke before an answer",
        )
        .at(Contact::Lost);
    }
    Fault::lasting(
        Code::ProviderBadResponse,
        format!("the answer is not HTTP: {}", innermost(&error)),
    )
}

/// Returns the advice for a connection that TLS refused; empty for any other cause.
fn certificate_hint(cause: &str) -> &'static str {
    let cause = cause.to_ascii_lowercase();
    if cause.contains("unknownissuer") || cause.contains("self-signed") {
        "; nobody that this machine trusts signed its certificate: add the issuer to the system's \
         certificates, or name a file of trusted ones in SSL_CERT_FILE"
    } else if cause.contains("certificate") {
        "; the certificate is not valid for this address or time"
    } else if ["corrupt message", "invalidcontenttype", "handshake eof"]
        .iter()
        .any(|words| cause.contains(words))
    {
        "; what answers there speaks no TLS: write http:// if that is meant"
    } else {
        ""
    }
}

fn has_io_cause(error: &reqwest::Error) -> bool {
    std::iter::successors(error.source(), |cause| (*cause).source())
        .any(<dyn std::error::Error>::is::<io::Error>)
}

/// Returns the text of the deepest cause, on one line.
fn innermost(error: &reqwest::Error) -> String {
    let causes = std::iter::successors(error.source(), |cause| (*cause).source());
    let text = causes
        .last()
        .map_or_else(|| error.to_string(), ToString::to_string);
    super::fault::one_line(&text)
}

/// Returns the base address, with a slash at its end.
/// Accepts also the full endpoint, so that `/chat/completions` is appended exactly once.
fn base_url(text: &str) -> Result<Url, Failure> {
    // The address is not repeated: it may hold a password.
    let invalid = |what: &str| {
        Failure::new(
            Code::ConfigSchemaInvalid,
            format!("provider.base_url {what}"),
        )
    };
    let text = text.trim().trim_end_matches('/');
    let text = text.strip_suffix("/chat/completions").unwrap_or(text);
    let url = Url::parse(&format!("{}/", text.trim_end_matches('/')))
        .map_err(|error| invalid(&format!("is not an address: {error}")))?;
    if !matches!(url.scheme(), "http" | "https") || !url.has_host() {
        return Err(invalid("must begin with http:// or https://"));
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err(invalid("must not hold a user name or password"));
    }
    if url.query().is_some() || url.fragment().is_some() {
        return Err(invalid("must not hold `?` or `#`"));
    }
    Ok(url)
}

/// Returns a text as the value of a header; the failure names `what` it is.
fn header_value(text: &str, what: &str) -> Result<HeaderValue, Failure> {
    HeaderValue::from_str(text).map_err(|_| {
        let message = format!("{what} holds characters that cannot stand in an HTTP header");
        Failure::new(Code::ConfigSchemaInvalid, message)
    })
}

/// Returns the headers that identify this program to `OpenRouter`; none unless they are configured.
fn attribution(config: &ProviderConfig) -> Result<HeaderMap, Failure> {
    let names = ["http-referer", "x-openrouter-title"];
    let headers = names.into_iter().zip(&config.attribution);
    let headers = headers.filter(|_| config.kind == ProviderKind::OpenRouter);
    let header = |(name, text): (&'static str, &String)| {
        let value = header_value(text, "provider.attribution")?;
        Ok((HeaderName::from_static(name), value))
    };
    headers.map(header).collect()
}

/// Configures the one pooled client: a client for each call would cost a connection each time.
fn client(base: &Url, config: &ProviderConfig) -> Result<ClientBuilder, Failure> {
    let mut headers = attribution(config)?;
    headers.insert(ACCEPT_ENCODING, HeaderValue::from_static("identity"));
    if let Some(key) = &config.api_key {
        let mut value = header_value(&format!("Bearer {}", key.expose()), "the API key")?;
        value.set_sensitive(true);
        headers.insert(AUTHORIZATION, value);
    }
    // Fails if a client was made before: the choice stands for the whole process.
    drop(rustls::crypto::ring::default_provider().install_default());
    let builder = Client::builder()
        .user_agent(concat!(
            env!("CARGO_PKG_NAME"),
            "/",
            env!("CARGO_PKG_VERSION")
        ))
        .default_headers(headers)
        .redirect(redirect::Policy::none())
        .no_proxy()
        .retry(reqwest::retry::never())
        .referer(false)
        .http1_only()
        .http1_max_headers(REPLY_HEADERS_MAX)
        .connect_timeout(Duration::from_millis(CONNECT_TIMEOUT_MS));
    Ok(if base.scheme() == "http" {
        // No TLS will be spoken, so the system's root certificates need not be read and parsed.
        builder.tls_certs_only([])
    } else {
        builder.https_only(true)
    })
}
