//! The choice of a model if the server does not have the configured one.
//! Also checks whether the model that answered is the one that was asked.

/// The choice that follows from a server's list of models.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ModelChoice {
    Configured,
    /// Another model, because it is the only possible one.
    Other(String),
    /// No model: several are possible, and a person must choose.
    Unclear,
}

/// Chooses the configured model if listed, else the only loaded one, else the only listed one.
/// If a server lists nothing, the configured model is chosen without a check.
pub fn choose_model(configured: &str, listed: &[String], loaded: &[String]) -> ModelChoice {
    if listed.is_empty() || listed.iter().any(|model| model == configured) {
        return ModelChoice::Configured;
    }
    match (loaded, listed) {
        ([only], _) | ([], [only]) => ModelChoice::Other(only.clone()),
        _ => ModelChoice::Unclear,
    }
}

/// Returns whether the model that answered is one of `others`, which may replace the asked one.
/// Servers also report longer names of the asked model, mostly with a date. The longest known name
/// that begins the answered name counts; if there is none, it is the asked model.
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
