//! One instruction as it was read, in whatever form of reply: its children, and the first reason to
//! drop it. Decides whether it is valid, and makes a correct example if it is not.

use super::ParseOptions;
use super::build::build;
use super::characters::{has_control, without_controls};
use super::escape::escape;
use super::instruction::{Sample, ToolArgument};
use super::report::{ParseReport, ReplyRefusal};
use super::tag::{AllowedTags, Child, Shape, Tag, shape};
use crate::core::agent::Tool;
use crate::limits::SAMPLE_TEXT_BYTES_MAX;
use std::borrow::Cow;

#[derive(Debug)]
pub(super) struct Field<'a> {
    pub(super) child: Child,
    /// The content with its references resolved.
    pub(super) text: Cow<'a, str>,
    /// The content as written, where it may hold markup.
    pub(super) raw: &'a str,
    /// Whether it holds elements where they are wanted.
    pub(super) holds_elements: bool,
    pub(super) in_store: bool,
}

impl<'a> Field<'a> {
    /// Returns a child with a text without markup.
    pub(super) const fn plain(child: Child, text: Cow<'a, str>, in_store: bool) -> Self {
        Self {
            child,
            text,
            raw: "",
            holds_elements: false,
            in_store,
        }
    }
}

/// The two dialects of `<action>` told apart, and every other instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// A call of that tool; `None` if it names none.
    Call(Option<&'static Tool>),
    /// An instruction with the parts of its tag; for `<action>` a block of pieces to store.
    Plain(Tag),
}

impl Form {
    const fn switch(self) -> Tag {
        match self {
            Self::Call(_) => Tag::Actions,
            Self::Plain(tag) => tag,
        }
    }

    pub(super) const fn shape(self) -> Shape {
        match self {
            Self::Call(Some(tool)) => tool_shape(tool),
            Self::Call(None) => Shape {
                required: &[Child::Kind],
                optional: &[Child::TargetPath, Child::SourcePath, Child::Content],
                sample: shape(Tag::Actions).sample,
            },
            Self::Plain(tag) => shape(tag),
        }
    }
}

/// Returns the shape of a call. A tool that takes words takes them from one of two children, which
/// only `build` checks.
pub(super) const fn tool_shape(tool: &Tool) -> Shape {
    let (required, optional): (&[Child], &[Child]) = match tool.takes {
        ToolArgument::Nothing => (&[Child::Kind, Child::TargetPath], &[]),
        ToolArgument::Content => (&[Child::Kind, Child::TargetPath, Child::Content], &[]),
        ToolArgument::Source => (&[Child::Kind, Child::SourcePath, Child::TargetPath], &[]),
        ToolArgument::Words => (
            &[Child::Kind, Child::TargetPath],
            &[Child::Content, Child::Query],
        ),
    };
    Shape {
        required,
        optional,
        sample: tool.sample,
    }
}

#[derive(Debug)]
pub(super) struct InstructionDraft<'a> {
    pub(super) tag: Tag,
    /// The byte of the reply at which it begins.
    pub(super) start: usize,
    pub(super) in_actions: bool,
    pub(super) fields: Vec<Field<'a>>,
    /// The first reason to drop it.
    pub(super) problem: Option<String>,
    pub(super) repaired: bool,
    /// Whether the reply ended before it did.
    pub(super) is_open: bool,
}

impl<'a> InstructionDraft<'a> {
    pub(super) fn new(tag: Tag, start: usize, in_actions: bool) -> Self {
        Self {
            tag,
            start,
            in_actions,
            fields: Vec::with_capacity(4),
            problem: None,
            repaired: false,
            is_open: false,
        }
    }

    /// Returns the form as far as it is known. Inside `<actions>` an `<action>` is a tool call,
    /// elsewhere only with a `<kind>`.
    pub(super) fn form(&self) -> Form {
        let kind = self.field(Child::Kind);
        match kind {
            Some(kind) if self.tag == Tag::Action => Form::Call(Tool::find(kind.text.trim())),
            None if self.tag == Tag::Action && self.in_actions => Form::Call(None),
            Some(_) | None => Form::Plain(self.tag),
        }
    }

    fn field(&self, child: Child) -> Option<&Field<'a>> {
        self.fields.iter().find(|field| field.child == child)
    }

    /// Returns whether nothing is missing or wrong so far.
    pub(super) fn is_complete(&self) -> bool {
        let required = self.form().shape().required;
        let has_all = required.iter().all(|child| self.field(*child).is_some());
        self.problem.is_none() && has_all && !self.fields.is_empty()
    }

    /// Adds a child whose content begins at `at`. Controls are removed from free text.
    pub(super) fn push(
        &mut self,
        report: &mut ParseReport,
        mut field: Field<'a>,
        at: usize,
    ) -> Result<(), ReplyRefusal> {
        if field.child.is_free_text() && has_control(&field.text) {
            field.text = Cow::Owned(without_controls(&field.text));
            let name = field.child.name();
            let message = format!("Control characters were removed from <{name}>.");
            self.repair(report, at, message)?;
        }
        self.fields.push(field);
        Ok(())
    }

    /// Notes a reason to drop it, if there is none yet.
    pub(super) fn wrong(&mut self, message: impl FnOnce(&str) -> String) {
        if self.problem.is_none() {
            self.problem = Some(message(self.tag.name()));
        }
    }

    /// Reports something that was put right in it.
    pub(super) fn repair(
        &mut self,
        report: &mut ParseReport,
        at: usize,
        message: impl Into<String>,
    ) -> Result<(), ReplyRefusal> {
        self.repaired = true;
        report.repair(at, message)
    }

    /// Adds the instruction to the report, or drops it.
    pub(super) fn settle(mut self, report: &mut ParseReport) -> Result<(), ReplyRefusal> {
        let (form, name, start) = (self.form(), self.tag.name(), self.start);
        let ParseOptions {
            strict,
            allowed_tags,
            ..
        } = report.options;
        if !allowed_tags.contains(form.switch()) {
            let message = format!("<{name}> is not allowed here.");
            return report.drop_wrong(start, name, message, None);
        }
        if matches!(form, Form::Call(_)) {
            self.drop_empty_extras(&form.shape(), report)?;
        }
        let built = match self.problem.take() {
            Some(problem) => Err(problem),
            None => build(form, &mut self.fields, strict),
        };
        match built {
            Ok(instruction) => {
                if self.is_open {
                    let message = format!("</{name}> is missing at the end and was added.");
                    self.repair(report, start, message)?;
                }
                report.add(instruction, start, self.repaired)
            }
            Err(problem) => {
                let sample = self.sample(form, allowed_tags);
                report.drop_wrong(start, name, problem, Some(sample))
            }
        }
    }

    /// Drops the empty children that a call does not take: small models copy the whole form of one.
    fn drop_empty_extras(
        &mut self,
        shape: &Shape,
        report: &mut ParseReport,
    ) -> Result<(), ReplyRefusal> {
        let takes = |child| shape.required.contains(&child) || shape.optional.contains(&child);
        let is_extra = |field: &Field<'_>| !takes(field.child) && field.text.trim().is_empty();
        while let Some(at) = self.fields.iter().position(is_extra) {
            let name = self.fields.remove(at).child.name();
            let message = format!("An empty <{name}> was ignored. Leave it out.");
            self.repair(report, self.start, message)?;
        }
        Ok(())
    }

    /// Returns a correct instruction, made of what was written as far as that goes. Whatever else
    /// it held, a small model would copy, and a made-up text must never replace the text of a note.
    fn sample(&self, form: Form, allowed: AllowedTags) -> Sample {
        let form = self.kept(allowed).map_or(form, Form::Plain);
        let shape = form.shape();
        let mut made = String::new();
        for child in shape.required {
            let fits =
                |field: &&Field<'_>| (1..=SAMPLE_TEXT_BYTES_MAX).contains(&field.text.trim().len());
            let Some(field) = self.stand_in(*child).filter(fits) else {
                return Sample::made_up(shape.sample);
            };
            let (name, text) = (child.name(), escape(field.text.trim()));
            made.extend(["<", name, ">", &text, "</", name, ">"]);
        }
        // Of what needs no part, and of a call of no tool, nothing is left to put together; of a
        // search the words would be missing, since either of two parts may hold them.
        if made.is_empty() || form == Form::Call(None) || shape.optional.contains(&Child::Query) {
            return Sample::made_up(shape.sample);
        }
        let text = match form {
            Form::Call(_) => format!("<actions><action>{made}</action></actions>"),
            Form::Plain(tag) => format!("<{tag}>{made}</{tag}>"),
        };
        Sample {
            text: Cow::Owned(text),
            is_own: true,
        }
    }

    /// Returns the instruction that was meant by a deletion with a value in it. Shown the deletion
    /// that it wrote, a small model writes it again.
    fn kept(&self, allowed: AllowedTags) -> Option<Tag> {
        const KEPT: [(Tag, Tag); 2] = [
            (Tag::RamDelete, Tag::RamAdd),
            (Tag::RecordDelete, Tag::RecordUpdate),
        ];
        let (_, kept) = KEPT
            .into_iter()
            .find(|(deletion, _)| *deletion == self.tag)?;
        (allowed.contains(kept) && self.field(Child::Value).is_some()).then_some(kept)
    }

    /// Returns what was written for a part, if need be under the name of another one.
    fn stand_in(&self, child: Child) -> Option<&Field<'a>> {
        const NAMES: [(Child, Child); 3] = [
            (Child::Key, Child::Title),
            (Child::Keywords, Child::Title),
            (Child::Keywords, Child::Key),
        ];
        let mut others = NAMES.into_iter().filter(|(missing, _)| *missing == child);
        let other = || others.find_map(|(_, other)| self.field(other));
        self.field(child).or_else(other)
    }
}
