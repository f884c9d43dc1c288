//! Which model is asked when the server does not have the configured one, and whether the one that
//! answered is the one that was asked.

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

/// Whether the model that answered is one of those that a market asks in place of the asked one. Servers
/// give the asked one longer names too, with a date mostly: a name that belongs to none is that one's.
pub fn is_stand_in(answered: &str, asked: &str, others: &[String]) -> bool {
    let known = others.iter().map(String::as_str).chain([asked]);
    let named = known.filter(|name| answered.starts_with(name));
    let closest = named.max_by_key(|name| name.len());
    closest.is_some_and(|name| name != asked)
}

#[cfg(test)]
mod tests {
    use super::is_stand_in;

    #[test]
    fn a_longer_name_of_the_asked_model_is_no_stand_in() {
        let others = ["b/large".to_owned(), "a/small-mini".to_owned()];
        for (answered, expected) in [
            ("a/small", false),
            ("a/small-2026-08-06", false),
            ("a/small-mini", true),
            ("a/small-mini-2026-08-06", true),
            ("b/large", true),
            ("/models/small.gguf", false),
            ("", false),
        ] {
            assert_eq!(
                is_stand_in(answered, "a/small", &others),
                expected,
                "{answered}"
            );
        }
        assert!(!is_stand_in("b/large", "a/small", &[]));
    }
}
