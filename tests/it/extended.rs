//! The shipped prompt file that switches everything on.

#![expect(clippy::unwrap_used, reason = "a test may stop at once")]
#![expect(
    clippy::disallowed_methods,
    reason = "a test writes the file of a person"
)]

use kjxlkj_agent::config::{self, LoadedConfig, SHIPPED_CONFIG, SHIPPED_EXTENDED_PROMPT};
use kjxlkj_agent::core::agent::{IdleProfile, LoopState};
use kjxlkj_agent::core::prompt::{Condition, Example};
use kjxlkj_agent::core::protocol::{ParseOptions, Tag, parse};
use std::collections::BTreeSet;

/// A fresh root that is told to use it.
fn loaded() -> LoadedConfig {
    loaded_with(IdleProfile::Maintenance)
}

fn loaded_with(profile: IdleProfile) -> LoadedConfig {
    let folder = tempfile::tempdir().unwrap();
    config::init(folder.path()).unwrap();
    let text = SHIPPED_CONFIG.replace("./data/agent-prompt.json", "./data/prompts/extended.json");
    let text = text.replace("\"maintenance\"", &format!("\"{}\"", profile.name()));
    std::fs::write(folder.path().join("data/config.json"), text).unwrap();
    crate::lab::loaded(folder.path())
}

fn words_of(loaded: &LoadedConfig, condition: Condition) -> String {
    let segments = loaded.prompt.segments.iter();
    let own = segments.filter(|segment| segment.condition == condition);
    own.map(|segment| segment.prompt.clone())
        .collect::<Vec<_>>()
        .join("\n")
}

#[test]
fn the_extended_prompt_loads_without_a_word_and_switches_every_tag_on() {
    let loaded = loaded();
    assert_eq!(loaded.warnings.len(), 0, "{:?}", loaded.warnings);
    for tag in Tag::ALL {
        assert!(loaded.prompt.allowed_tags.contains(tag), "{tag}");
    }
    for state in LoopState::ALL {
        assert_ne!(words_of(&loaded, Condition::State(state)), "", "{state}");
    }
}

#[test]
fn the_extended_prompt_has_the_persona_and_the_rules() {
    let loaded = loaded();
    let standing = words_of(&loaded, Condition::Default);
    for words in [
        "most powerful of AIs and think for yourself",
        "without waiting for orders",
        "XML instructions only",
        "no attributes, no other words",
        "nest them like a tree",
        "up to its limit",
        "Near the limit move what matters less to /storage",
        "todo and the key next_action up to date",
        "Save every result",
    ] {
        assert!(standing.contains(words), "{words}: {standing}");
    }
    let formats = [
        (LoopState::Planning, "<thinking>"),
        (LoopState::Executing, "<action>"),
        (LoopState::Evaluating, "<evaluation>"),
        (LoopState::Paging, "<paging>"),
    ];
    for (state, block) in formats {
        let words = words_of(&loaded, Condition::State(state));
        assert!(words.contains(block), "{state}: {words}");
    }
}

#[test]
fn with_no_task_left_the_creative_profile_asks_for_a_story() {
    for (profile, asks) in [
        (IdleProfile::Maintenance, false),
        (IdleProfile::Creative, true),
        (IdleProfile::Enrich, false),
    ] {
        let loaded = loaded_with(profile);
        assert_eq!(loaded.warnings.len(), 0, "{:?}", loaded.warnings);
        let idle = words_of(&loaded, Condition::State(LoopState::Idle));
        let found = idle.contains("create") && idle.contains("fantasy novel");
        assert_eq!(found, asks, "{idle}");
    }
}

/// Its examples, each with the whole of which it is a part.
fn examples_of(loaded: &LoadedConfig) -> impl Iterator<Item = (&LoadedConfig, &Example)> {
    let examples = loaded.prompt.examples.iter();
    examples.map(move |example| (loaded, example))
}

#[test]
fn the_examples_of_the_extended_prompt_are_read_strictly_and_begin_like_real_prompts() {
    let loaded: Vec<LoadedConfig> = IdleProfile::ALL.into_iter().map(loaded_with).collect();
    let options = ParseOptions {
        strict: true,
        allowed_tags: loaded[0].prompt.allowed_tags,
        truncated: false,
    };
    let mut shown = BTreeSet::new();
    for (loaded, example) in loaded.iter().flat_map(examples_of) {
        let parsed = parse(&example.output, &options);
        assert!(parsed.ok && parsed.diagnostics.is_empty(), "{parsed:?}");
        shown.extend(
            parsed
                .instructions
                .iter()
                .map(|found| found.instruction.tag()),
        );
        let words = words_of(loaded, example.condition);
        assert!(
            example.input.starts_with(&(words + "\n<time>")),
            "{}",
            example.input
        );
    }
    for tag in [
        Tag::Actions,
        Tag::Thinking,
        Tag::Action,
        Tag::Evaluation,
        Tag::Paging,
    ] {
        assert!(shown.contains(&tag), "{tag}");
    }
    // A small window has to hold it beside the work.
    assert!(
        SHIPPED_EXTENDED_PROMPT.len() < 12_000,
        "{}",
        SHIPPED_EXTENDED_PROMPT.len()
    );
}
