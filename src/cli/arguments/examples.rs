//! Examples of each verb, as its help text shows them.

use clap::Command;

/// The words of each verb with an example, without the program's name; a verb may have several.
const EXAMPLES: &[(&str, &str)] = &[
    ("", "init ~/notes"),
    ("", "ask \"Note that Anna has the spare key\""),
    ("", "notes search key"),
    ("daemon", "daemon"),
    ("daemon", "-v daemon"),
    ("stop", "stop"),
    ("init", "init ~/notes"),
    ("init", "init --small-model"),
    ("once", "once --task \"Sum up the week\""),
    ("run", "run --task \"Sum up the week\""),
    ("run", "run --task \"Sort the notes\" --max-iterations 5"),
    ("ask", "ask Note that Anna has the spare key"),
    ("ask", "ask --wait What do I have to buy?"),
    ("ask", "ask - < request.txt"),
    ("demo", "demo"),
    ("demo", "demo --recorded"),
    ("status", "status"),
    ("status", "status --format json"),
    ("doctor", "doctor"),
    ("doctor", "doctor --prove"),
    ("call", "call lmstudio \"What is a tern?\""),
    ("call", "call lmstudio - --max-tokens 200 < question.txt"),
    ("config", "config check"),
    ("config show", "config show"),
    ("config check", "config check"),
    ("config schema", "config schema > config.schema.json"),
    ("config get", "config get provider.model"),
    ("config set", "config set provider.model qwen2.5-1.5b"),
    ("agents", "agents list"),
    ("agents list", "agents list"),
    ("agents show", "agents show librarian"),
    (
        "agents run",
        "agents run --wait librarian Sum up what I know about bees",
    ),
    ("ram", "ram list"),
    ("ram list", "ram list --limit 20"),
    ("ram get", "ram get plan"),
    ("ram set", "ram set mood calm"),
    ("ram set", "ram set steps '[\"write the note\"]'"),
    ("ram delete", "ram delete mood"),
    ("ram export", "ram export > memory.json"),
    ("notes", "notes list"),
    ("notes", "notes search \"spare key\""),
    ("notes list", "notes list --limit 20"),
    ("notes list", "notes list --deleted"),
    ("notes show", "notes show \"Spare key\""),
    ("notes show", "notes show 0190a3b4 --version 2"),
    ("notes search", "notes search '\"spare key\" anna'"),
    (
        "notes add",
        "notes add \"Anna has it\" --title \"Spare key\" --keywords key,anna",
    ),
    ("notes add", "notes add \"- milk\" --title Shopping"),
    ("notes add", "notes add - < text.md"),
    ("notes edit", "notes edit \"Spare key\""),
    (
        "notes edit",
        "notes edit \"Spare key\" --value \"Ben has it\"",
    ),
    ("notes delete", "notes delete \"Spare key\""),
    ("notes history", "notes history \"Spare key\""),
    ("notes diff", "notes diff \"Spare key\""),
    ("notes diff", "notes diff \"Spare key\" 1 3"),
    ("notes restore", "notes restore \"Spare key\""),
    ("notes restore", "notes restore 0190a3b4 --version 2"),
    ("notes issues", "notes issues"),
    ("notes export", "notes export --to ~/markdown"),
    ("notes export", "notes export --json --to notes.jsonl"),
    ("notes import", "notes import ~/markdown --dry-run"),
    ("notes import", "notes import --json notes.jsonl"),
    ("rules", "rules list"),
    ("rules list", "rules list"),
    ("rules show", "rules show 5f0c2d71"),
    (
        "rules add",
        "rules add --cron \"0 9 * * 1-5\" --ask \"Sum up yesterday\"",
    ),
    ("rules add", "rules add '{\"trigger\": \"manual\"}'"),
    ("rules add", "rules add - < rule.json"),
    ("rules remove", "rules remove 5f0c2d71"),
    ("rules enable", "rules enable 5f0c2d71"),
    ("rules disable", "rules disable 5f0c2d71"),
    ("rules trigger", "rules trigger 5f0c2d71"),
    ("rules trigger", "rules trigger 5f0c2d71 --event-id monday"),
    ("rules reconcile", "rules reconcile --from 7d"),
    ("runs", "runs list"),
    ("runs list", "runs list --state failed"),
    ("runs show", "runs show 16e25b0c"),
    ("runs watch", "runs watch"),
    ("runs watch", "runs watch 16e25b0c"),
    (
        "runs launch",
        "runs launch --request \"Sum up the week\" --key week-30",
    ),
    ("runs cancel", "runs cancel 16e25b0c"),
    ("runs retry", "runs retry 16e25b0c"),
    ("runs undo", "runs undo 16e25b0c --dry-run"),
    ("runs undo", "runs undo 16e25b0c"),
    ("review", "review list"),
    ("review list", "review list"),
    ("review show", "review show 3"),
    ("review approve", "review approve 3 4"),
    ("review approve", "review approve --all"),
    ("review edit", "review edit 3"),
    ("review edit", "review edit 3 --title \"Spare key\""),
    (
        "review reject",
        "review reject 3 --reason \"Anna moved away\"",
    ),
    ("audit", "audit verify"),
    ("audit list", "audit list --limit 20"),
    ("audit list", "audit list --run 16e25b0c"),
    ("audit verify", "audit verify"),
    ("audit head", "audit head"),
    ("trace", "trace 16e25b0c"),
    ("replay", "replay 16e25b0c"),
    ("rehearse", "rehearse --days 7"),
    (
        "rehearse",
        "rehearse --from 2026-02-15T08:30:00Z --call-seconds 20",
    ),
    ("undo", "undo --since 2h --dry-run"),
    ("undo", "undo --since 2h"),
    ("why", "why \"Spare key\""),
    ("parse", "parse reply.txt --strict"),
    ("prompt", "prompt"),
    ("prompt", "prompt --state planning"),
    ("service", "service unit --user"),
    (
        "service unit",
        "service unit --user > ~/.config/systemd/user/kjxlkj-agent.service",
    ),
    (
        "completions",
        "completions bash > ~/.local/share/bash-completion/completions/kjxlkj-agent",
    ),
    ("man", "man > kjxlkj-agent.1"),
    ("explain", "explain LLM_TIMEOUT"),
    ("help", "help start"),
    ("help", "help notes add"),
];

/// Adds its examples to a command and to all its subcommands; `words` are those that lead to it.
pub(super) fn with_examples(command: Command, words: &str) -> Command {
    let names = command
        .get_subcommands()
        .map(|part| part.get_name().to_owned());
    let names: Vec<String> = names.collect();
    let command = names.into_iter().fold(command, |command, name| {
        let words = format!("{words} {name}");
        command.mut_subcommand(name, |part| with_examples(part, words.trim_start()))
    });
    let examples = EXAMPLES.iter().filter(|(verb, _)| *verb == words);
    let s = if examples.clone().count() == 1 {
        ""
    } else {
        "s"
    };
    let program = env!("CARGO_PKG_NAME");
    let lines = examples.map(|(_, example)| format!("\n  {program} {example}"));
    command.after_help(format!("Example{s}:{}", lines.collect::<String>()))
}

/// Splits a line into words as a shell does, without redirections.
#[cfg(test)]
pub(in crate::cli) fn words_of(line: &str) -> Vec<String> {
    let mut words = crate::cli::editor::words_of(line).unwrap_or_default();
    let files = words.iter().position(|word| word == "<" || word == ">");
    words.truncate(files.unwrap_or(words.len()));
    words
}

#[cfg(test)]
mod tests {
    use super::{EXAMPLES, words_of};
    use crate::cli::arguments::reading::{grammar, read};
    use clap::Command;

    fn check(command: &mut Command, words: &str, checked: &mut Vec<String>) {
        let help = command.render_help().to_string();
        let has_example = EXAMPLES.iter().any(|(verb, _)| *verb == words);
        assert!(
            has_example && help.contains("\nExample"),
            "`{words}` has no example: {help}"
        );
        checked.push(words.to_owned());
        for part in command.get_subcommands_mut() {
            let words = format!("{words} {}", part.get_name());
            check(part, words.trim_start(), checked);
        }
    }

    #[test]
    fn every_help_text_has_an_example() {
        let mut checked = Vec::new();
        check(&mut grammar(), "", &mut checked);
        for (verb, example) in EXAMPLES {
            assert!(checked.iter().any(|it| it == verb), "`{verb}`: {example}");
        }
    }

    #[test]
    fn every_example_is_understood() {
        for (verb, example) in EXAMPLES {
            assert!(example.contains(verb), "{verb}: {example}");
            let program = ["kjxlkj-agent".to_owned()];
            let refused = read(program.into_iter().chain(words_of(example))).err();
            assert!(refused.is_none(), "{example}: {refused:?}");
        }
    }
}
