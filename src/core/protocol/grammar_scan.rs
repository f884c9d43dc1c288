//! Finds the end of an instruction that a server kept to a grammar, as far as it has arrived. There a text
//! ends at the closing tag of its own element alone, so a value may quote every other tag. Follows tags and
//! nothing else.

use super::Tag;
use super::child::Child;
use crate::limits::ELEMENT_NAME_BYTES_MAX;

/// Elements within an instruction that hold elements.
const AROUND: [&str; 2] = ["action", "store"];

/// The scan of one instruction.
#[derive(Clone, Debug, Default)]
pub(super) struct GrammarScan {
    /// Everything before has been looked at.
    at: usize,
    /// The child whose text is under way.
    child: Option<String>,
}

/// What has come of an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Seen {
    /// It goes on.
    Open,
    /// It ended there.
    End(usize),
    /// It is none of the grammar.
    Strange,
}

impl GrammarScan {
    /// An instruction whose name ended there.
    pub(super) const fn from(at: usize) -> Self {
        Self { at, child: None }
    }

    /// Follows a text on from where it was left; it must begin with what was seen before.
    pub(super) fn advance(&mut self, text: &str, tag: Tag) -> Seen {
        loop {
            let rest = text.get(self.at..).unwrap_or_default();
            if let Some(child) = &self.child {
                let mark = format!("</{child}>");
                let Some(found) = rest.find(&mark) else {
                    self.at = seen_without(text, &mark).max(self.at);
                    return Seen::Open;
                };
                self.at += found + mark.len();
                self.child = None;
                continue;
            }
            let after = rest.trim_start();
            self.at += rest.len() - after.len();
            let Some(inside) = after.strip_prefix('<') else {
                match after.strip_prefix('>') {
                    // Of the instruction's own tag, or of one that was stepped into.
                    Some(_) => self.at += 1,
                    None if after.is_empty() => return Seen::Open,
                    None => return Seen::Strange,
                }
                continue;
            };
            let Some((name, _)) = inside.split_once('>') else {
                let may_go_on = inside.len() <= ELEMENT_NAME_BYTES_MAX;
                return if may_go_on { Seen::Open } else { Seen::Strange };
            };
            let plain = name.strip_prefix('/').unwrap_or(name);
            self.at += "<>".len() + name.len();
            if name.len() > plain.len() && plain == tag.name() {
                return Seen::End(self.at);
            }
            if AROUND.contains(&plain) {
                continue;
            }
            if name.len() > plain.len() || Child::parse(name).is_none() {
                return Seen::Strange;
            }
            self.child = Some(name.to_owned());
        }
    }
}

/// Up to where a text in which a mark does not occur need not be looked at again.
pub(super) fn seen_without(text: &str, mark: &str) -> usize {
    let mut seen = text.len().saturating_sub(mark.len() - 1);
    while !text.is_char_boundary(seen) {
        seen -= 1;
    }
    seen
}
