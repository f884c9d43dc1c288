//! A provider that no file names: one that is searched for on this machine. All settings but its
//! kind and its address are the defaults.

use super::api_key::Keys;
use super::problem::Findings;
use super::resolve;
use super::resolved::ProviderConfig;
use super::settings::Settings;
use crate::failure::Code;
use serde_json::json;
use std::path::Path;

/// Returns a provider of that kind at an address that ends in `/v1`; `None` for invalid ones.
pub fn local_server(provider_kind: &str, base_url: &str) -> Option<ProviderConfig> {
    let document = json!({"provider": {"provider_kind": provider_kind, "base_url": base_url}});
    let mut findings = Findings::new(Code::ConfigSchemaInvalid);
    let settings = Settings::check(&document, &mut findings);
    let is_good = !findings.has_errors();
    is_good.then(|| resolve::resolve(Path::new(""), &settings, Keys::default()).provider)
}
