//! The report of `demo`: the notes before and after, the answer, and where to look.

use super::demo::{Played, REQUESTS};
use super::environment;
use crate::core::run::Answer;
use crate::failure::Code;
use std::path::Path;

/// Returns the change of a note as lines of text: its text before and after.
fn changed((title, text): &(String, String), before: &[(String, String)]) -> Vec<String> {
    let old = before.iter().find(|(known, _)| known == title);
    match old {
        Some((_, old)) if old == text => Vec::new(),
        Some((_, old)) => vec![
            format!("  ~ {title}"),
            format!("      before: {old}"),
            format!("      after:  {text}"),
        ],
        None => vec![format!("  + {title}: {text}")],
    }
}

/// Returns an answer with the titles of the notes that it comes from.
fn answered(answer: &Answer) -> String {
    let titles: Vec<&str> = answer.sources.iter().map(|it| it.title.as_str()).collect();
    format!("  ? {} (from: {})", answer.text, titles.join(", "))
}

/// Returns the path of this program as a shell word.
pub(super) fn program() -> String {
    let path = environment::program();
    path.map_or_else(|| "kjxlkj-agent".to_owned(), |path| shell_word(&path))
}

/// Quotes a path as one word of a shell.
fn shell_word(path: &Path) -> String {
    let text = path.display().to_string();
    let plain = |c: char| c.is_alphanumeric() || "/._-+".contains(c);
    if text.chars().all(plain) {
        return text;
    }
    format!("'{}'", text.replace('\'', "'\\''"))
}

pub(super) fn text_of(root: &Path, played: &[Played], program: &str) -> String {
    let mut lines = Vec::new();
    let mut before: &[(String, String)] = &[];
    for (Played { run, notes }, request) in played.iter().zip(REQUESTS) {
        let code = run
            .error_code
            .map(|code: Code| format!(" ({code})"))
            .unwrap_or_default();
        lines.push(format!("\n{:?}{code}: {request}", run.state));
        lines.extend(notes.iter().flat_map(|note| changed(note, before)));
        lines.extend(run.answer.as_ref().map(answered));
        before = notes;
    }
    let (folder, root) = (shell_word(root), root.display());
    lines.push(format!(
        "
Look at what it left:
  {root}/data/notes/                 one note a file
  {root}/data/agent-kv-store.json    its working memory
  {root}/data/journal/               every fact, as a hash chain
  {program} --root {folder} notes list
  {program} --root {folder} audit list

With LM Studio, in your own folder:
  lms server start && lms load MODEL
  {program} init     (names the server and its model)
  {program}          (and in another terminal: {program} ask \"...\")"
    ));
    lines.join("\n")
}
