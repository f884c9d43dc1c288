//! Parses the Markdown of the help topics: headings, paragraphs, items, code and tables, and
//! nothing else. A test keeps the topics to these forms. Prints nothing.

use crate::help::Topic;

const FENCE: &str = "```";

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Block<'t> {
    /// A heading and its level, from 1.
    Heading(usize, &'t str),
    Text(String),
    Item(String),
    Code(Vec<&'t str>),
    /// Rows of a table, its heads first.
    Table(Vec<Vec<String>>),
}

/// Parses a page.
/// Comments, which hold the places of generated tables, are left out.
pub(super) fn blocks(text: &str) -> Vec<Block<'_>> {
    let mut blocks = Vec::new();
    let mut is_open = false;
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        let goes_on = std::mem::replace(&mut is_open, false);
        if line.starts_with(FENCE) {
            let code = lines.by_ref().take_while(|line| !line.starts_with(FENCE));
            blocks.push(Block::Code(code.collect()));
        } else if let Some((level, title)) = heading(line) {
            blocks.push(Block::Heading(level, title));
        } else if line.starts_with('|') {
            add_row(&mut blocks, line, goes_on);
            is_open = true;
        } else if let Some(item) = line.strip_prefix("- ") {
            blocks.push(Block::Item(item.to_owned()));
            is_open = true;
        } else if !line.trim().is_empty() && !line.starts_with("<!--") {
            add_words(&mut blocks, line.trim(), goes_on);
            is_open = true;
        }
    }
    let read = blocks.into_iter().map(|block| match block {
        Block::Text(text) => Block::Text(plain(&text)),
        Block::Item(text) => Block::Item(plain(&text)),
        block @ (Block::Heading(..) | Block::Code(_) | Block::Table(_)) => block,
    });
    read.collect()
}

fn heading(line: &str) -> Option<(usize, &str)> {
    let title = line.trim_start_matches('#');
    let level = line.len() - title.len();
    Some((level, title.strip_prefix(' ')?)).filter(|_| level > 0)
}

/// Adds words to the open paragraph or item, else starts a paragraph.
fn add_words(blocks: &mut Vec<Block<'_>>, words: &str, goes_on: bool) {
    match blocks.last_mut() {
        Some(Block::Text(text) | Block::Item(text)) if goes_on => {
            text.push(' ');
            text.push_str(words);
        }
        _ => blocks.push(Block::Text(words.to_owned())),
    }
}

/// Adds a row to the open table, else starts one.
/// The line below the heads is skipped.
fn add_row(blocks: &mut Vec<Block<'_>>, line: &str, goes_on: bool) {
    let cells: Vec<String> = cells(line);
    let is_rule = cells.iter().all(|cell| {
        let dashes = cell.trim_matches(':');
        !dashes.is_empty() && dashes.chars().all(|c| c == '-')
    });
    match blocks.last_mut() {
        Some(Block::Table(_)) if is_rule => {}
        Some(Block::Table(rows)) if goes_on => rows.push(cells),
        _ => blocks.push(Block::Table(vec![cells])),
    }
}

/// Returns the cells of a row. A bar within code belongs to its cell.
fn cells(line: &str) -> Vec<String> {
    let inner = line.trim().trim_start_matches('|');
    let inner = inner.strip_suffix('|').unwrap_or(inner);
    let (mut cells, mut cell, mut in_code) = (Vec::new(), String::new(), false);
    for c in inner.chars() {
        in_code ^= c == '`';
        if c == '|' && !in_code {
            cells.push(std::mem::take(&mut cell));
        } else {
            cell.push(c);
        }
    }
    cells.push(cell);
    cells.iter().map(|cell| plain(cell.trim())).collect()
}

/// Returns a text without marks of emphasis, and with each link in words.
/// A topic becomes the command that prints it, another page its address.
fn plain(text: &str) -> String {
    let (mut out, mut in_code, mut rest) = (String::new(), false, text);
    while let Some(c) = rest.chars().next() {
        if let Some((words, target, after)) = link(rest).filter(|_| !in_code) {
            out.push_str(&linked(words, target));
            rest = after;
            continue;
        }
        in_code ^= c == '`';
        if in_code || c != '*' {
            out.push(c);
        }
        rest = &rest[c.len_utf8()..];
    }
    out
}

/// Splits a text that begins with a link into its words, its target and what follows.
fn link(text: &str) -> Option<(&str, &str, &str)> {
    let (words, rest) = text.strip_prefix('[')?.split_once(']')?;
    let (target, after) = rest.strip_prefix('(')?.split_once(')')?;
    Some((words, target, after))
}

fn linked(words: &str, target: &str) -> String {
    let page = target.split('#').next().unwrap_or(target);
    match page.strip_suffix(".md").and_then(Topic::find) {
        Some(topic) if topic.name == words => format!("`help {words}`"),
        Some(topic) => format!("{words} (`help {}`)", topic.name),
        None if target.starts_with("http") => format!("{words} ({target})"),
        None => words.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::{Block, blocks};

    #[test]
    fn a_page_is_taken_apart() {
        let page = "# Tea\n\nGreen *or*\n**black**, see [rules](rules.md).\n\n- one\n  more\n- two\n\n\
                    ```sh\na *b*\n\nc\n```\n<!-- x:begin -->\n| a | b |\n|--:|---|\n| `x|y` | [CEL](https://cel.dev) |\n";
        let text = |text: &str| Block::Text(text.to_owned());
        let item = |text: &str| Block::Item(text.to_owned());
        let row = |cells: [&str; 2]| cells.map(str::to_owned).to_vec();
        assert_eq!(
            blocks(page),
            [
                Block::Heading(1, "Tea"),
                text("Green or black, see `help rules`."),
                item("one more"),
                item("two"),
                Block::Code(vec!["a *b*", "", "c"]),
                Block::Table(vec![
                    row(["a", "b"]),
                    row(["`x|y`", "CEL (https://cel.dev)"])
                ]),
            ]
        );
        let [Block::Text(text)] = &blocks("a [run](loop.md#states) `a * b` [x]\n")[..] else {
            unreachable!("one paragraph");
        };
        assert_eq!(text, "a run (`help loop`) `a * b` [x]");
    }
}
