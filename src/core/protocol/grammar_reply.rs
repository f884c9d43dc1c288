//! Replies that a server kept to a grammar. There a text ends at the first closing tag of its own
//! element, and everything else in it is text, so a value may quote every other tag. The scan
//! follows a reply while it arrives; the reader makes drafts of instructions of a complete one.

use super::characters::resolved;
use super::draft::{Field, InstructionDraft};
use super::report::{ParseReport, ReplyRefusal};
use super::tag::{Child, Element, Tag};
use crate::limits::{ELEMENT_NAME_BYTES_MAX, ELEMENTS_PER_REPLY_MAX};
use std::ops::Range;

/// A step through a reply.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum GrammarEvent {
    /// An element that holds elements opens there.
    Open(Element, usize),
    /// A child with a text, which stands in a store or not.
    Child {
        child: Child,
        content: Range<usize>,
        in_store: bool,
    },
    /// An element that holds elements ends there.
    Close(Element, usize),
    /// The text ends.
    Incomplete,
    /// The text leaves the grammar.
    Strange,
}

#[derive(Clone, Debug)]
pub(super) struct GrammarScan {
    with_dialects: bool,
    /// Everything before has been looked at.
    at: usize,
    /// The elements that are open and hold elements.
    open: Vec<Element>,
    /// The child whose text is under way, and where that begins.
    child: Option<(Child, usize)>,
}

impl GrammarScan {
    /// Returns the scan of a reply, or of one instruction, that begins there.
    pub(super) const fn from(at: usize, with_dialects: bool) -> Self {
        Self {
            with_dialects,
            at,
            open: Vec::new(),
            child: None,
        }
    }

    /// Returns whether no element is open.
    pub(super) const fn is_between(&self) -> bool {
        self.open.is_empty()
    }

    /// Moves on through a text, which must begin with what was scanned before.
    pub(super) fn next(&mut self, text: &str) -> GrammarEvent {
        let Some((child, start)) = self.child else {
            return self.tag(text);
        };
        let mark = format!("</{}>", child.name());
        let Some(end) = find_from(&mut self.at, text, &mark) else {
            return GrammarEvent::Incomplete;
        };
        self.at = end;
        self.child = None;
        GrammarEvent::Child {
            child,
            content: start..end - mark.len(),
            in_store: self.open.last() == Some(&Element::Child(Child::Store)),
        }
    }

    fn tag(&mut self, text: &str) -> GrammarEvent {
        let rest = text.get(self.at..).unwrap_or_default().trim_start();
        let start = text.len() - rest.len();
        self.at = start;
        let Some(inside) = rest.strip_prefix('<') else {
            return if rest.is_empty() {
                GrammarEvent::Incomplete
            } else {
                GrammarEvent::Strange
            };
        };
        let Some((name, _)) = inside.split_once('>') else {
            let may_go_on = inside.len() <= ELEMENT_NAME_BYTES_MAX;
            return if may_go_on {
                GrammarEvent::Incomplete
            } else {
                GrammarEvent::Strange
            };
        };
        self.at += "<>".len() + name.len();
        if let Some(name) = name.strip_prefix('/') {
            let closed = self.open.pop_if(|open| open.name() == name);
            return closed.map_or(GrammarEvent::Strange, |known| {
                GrammarEvent::Close(known, self.at)
            });
        }
        match (
            Element::parse(name, self.with_dialects),
            self.open.last().copied(),
        ) {
            (Some(known @ Element::Instruction(_)), None)
            | (
                Some(known @ Element::Instruction(Tag::Action)),
                Some(Element::Instruction(Tag::Actions)),
            )
            | (
                Some(known @ Element::Child(Child::Store)),
                Some(Element::Instruction(Tag::Action)),
            ) => {
                self.open.push(known);
                GrammarEvent::Open(known, start)
            }
            (Some(Element::Child(child)), Some(parent))
                if parent != Element::Instruction(Tag::Actions) =>
            {
                self.child = Some((child, self.at));
                self.next(text)
            }
            (_, _) => GrammarEvent::Strange,
        }
    }
}

/// Returns the end of the first `mark` at or after `at`, or moves `at` up to where the text need
/// not be looked at again.
pub(super) fn find_from(at: &mut usize, text: &str, mark: &str) -> Option<usize> {
    let found = text.get(*at..)?.find(mark);
    if let Some(found) = found {
        return Some(*at + found + mark.len());
    }
    let looked_at = text.len().saturating_sub(mark.len() - 1);
    *at = text.floor_char_boundary(looked_at).max(*at);
    None
}

/// Reads a reply of a grammar into the report; `None` for one that does not follow it to its end.
pub(super) fn read(reply: &str, report: &mut ParseReport) -> Option<Result<(), ReplyRefusal>> {
    let with_dialects = report.options.allowed_tags.has_dialect();
    let mut scan = GrammarScan::from(0, with_dialects);
    let mut steps = Vec::new();
    loop {
        match scan.next(reply) {
            GrammarEvent::Strange => return None,
            GrammarEvent::Incomplete => break,
            step @ (GrammarEvent::Open(..)
            | GrammarEvent::Child { .. }
            | GrammarEvent::Close(..)) => steps.push(step),
        }
    }
    let is_complete = scan.is_between() && !steps.is_empty();
    let is_read = is_complete && steps.len() <= ELEMENTS_PER_REPLY_MAX;
    is_read.then(|| add(reply, &steps, report))
}

fn add(reply: &str, steps: &[GrammarEvent], report: &mut ParseReport) -> Result<(), ReplyRefusal> {
    let mut in_actions = false;
    let mut draft: Option<InstructionDraft<'_>> = None;
    for step in steps {
        match step {
            GrammarEvent::Open(Element::Instruction(Tag::Actions), _) => in_actions = true,
            GrammarEvent::Close(Element::Instruction(Tag::Actions), _) => in_actions = false,
            GrammarEvent::Open(Element::Instruction(tag), start) => {
                report.begin(*start)?;
                draft = Some(InstructionDraft::new(*tag, *start, in_actions));
            }
            GrammarEvent::Close(Element::Instruction(_), _) => {
                if let Some(draft) = draft.take() {
                    draft.settle(report)?;
                }
            }
            GrammarEvent::Open(Element::Child(child), _) => {
                if let Some(draft) = &mut draft {
                    draft.fields.push(Field::plain(*child, "".into(), false));
                }
            }
            GrammarEvent::Child {
                child,
                content,
                in_store,
            } => {
                if let Some(draft) = &mut draft {
                    let (text, _) = resolved(&reply[content.clone()]);
                    let field = Field::plain(*child, text.into(), *in_store);
                    draft.push(report, field, content.start)?;
                }
            }
            GrammarEvent::Close(Element::Child(_), _)
            | GrammarEvent::Incomplete
            | GrammarEvent::Strange => {}
        }
    }
    Ok(())
}
