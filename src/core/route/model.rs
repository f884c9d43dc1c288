//! Which model is asked when the server does not have the configured one.

/// What follows from a server's list of models.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ModelChoice {
    /// The configured one.
    Configured,
    /// Another, because it is the only one that it can be.
    Other(String),
    /// Several could be meant: a person has to say which.
    Unclear,
}

/// Chooses a model: the configured one if it is listed, else the one that is loaded, else the only
/// one. A server that lists nothing is asked for the configured one and answers for itself.
pub fn choose_model(configured: &str, listed: &[String], loaded: &[String]) -> ModelChoice {
    if listed.is_empty() || listed.iter().any(|model| model == configured) {
        return ModelChoice::Configured;
    }
    match (loaded, listed) {
        ([only], _) | ([], [only]) => ModelChoice::Other(only.clone()),
        _ => ModelChoice::Unclear,
    }
}
