//! What a plan's new note comes to: small models call a question so, and what belongs to a note that is there.

use super::amend::{edit_of, is_short, shares};
use super::asked::{asked_in, body_of, questions_of};
use super::carry::says;
use super::change::{only_corrects, relabels};
use super::check::{contains, facts_of, is_telling, quoted};
use super::dictation::{headed, with_label};
use super::evidence::{contrasted, parts_of, sentence_of, title_words_in};
use super::lines::{ListMark, lines_of};
use super::plan::Step;
use super::plan_correction::labelled;
use super::target::Target;
use crate::core::notes::{Note, Terms, phrase_stands_in};

/// Words of a new title that stand in an old one from which on the old note is meant.
const SHARED_WORDS_MIN: usize = 2;

/// What a step that makes a note is judged by.
pub(super) struct Context<'a, 'b> {
    pub(super) target: &'b Target<'a>,
    pub(super) named: &'b [&'a Note],
    pub(super) is_alone: bool,
    pub(super) has_edit: bool,
}

impl Context<'_, '_> {
    /// Returns what a new note comes to: a question, more for a note that is there, or a new one after all.
    pub(super) fn new_note(&self, title: Option<String>, text: &str) -> Step {
        let request = self.target.request;
        // Whoever asks whether something is noted is told so.
        if self.target.notes.iter().any(|note| says(note, text)) {
            return Step::New {
                title,
                text: text.to_owned(),
            };
        }
        if let Some(question) = self.question_in(text) {
            return Step::Answer {
                title: title.filter(|title| phrase_stands_in(title, request)),
                question: question.to_owned(),
            };
        }
        if let Some(renamed) = title.as_deref().and_then(|title| self.renamed(title, text)) {
            return renamed;
        }
        let text = self
            .is_alone
            .then(|| body_of(request, text))
            .flatten()
            .unwrap_or_else(|| text.to_owned());
        let title = title.map(|title| self.full_title(title, &text));
        let old = title
            .as_deref()
            .and_then(|title| self.target.titled_exactly(title));
        if let Some(old) = old {
            return self.with_title_of(old, text);
        }
        if let Some(old) = title.as_deref().and_then(|title| self.titled_more(title)) {
            return if relabels(old, &text) {
                Step::Change {
                    note: Some(old.title.clone()),
                    text,
                }
            } else {
                edit_of(old, request, text)
            };
        }
        if let Some(note) = self.relabelled(title.as_deref(), &text) {
            return note;
        }
        self.titled_anew(title, text)
    }

    /// Returns the one note that the request names with its new title, where a plan makes an empty note of what the
    /// request quotes.
    fn renamed(&self, title: &str, text: &str) -> Option<Step> {
        let [note] = self.named else {
            return None;
        };
        let quoted = quoted(self.target.request);
        let is_new_title = quoted.iter().any(|it| it == title) && *title != note.title;
        let is_empty = Terms::of(text).are_in(&Terms::of(title));
        (self.is_alone && is_empty && is_new_title).then(|| Step::Rename {
            from: note.title.clone(),
            to: title.to_owned(),
        })
    }

    /// Returns the question of the request that a text repeats in place of stating anything.
    fn question_in(&self, text: &str) -> Option<&str> {
        let request = self.target.request;
        // A text of the request's own words answers nothing. Whoever asks whether something can be written
        // down says beside that what it is.
        let own = || {
            let is_own = self.is_alone && Terms::of(text).are_in(&Terms::of(request));
            let question = questions_of(request).next().filter(|_| is_own)?;
            begins_with_word_of(question, text).then_some(question)
        };
        asked_in(request, text).or_else(own)
    }

    /// Returns a new note with a title that no note has, unless it says something of one that is there.
    fn titled_anew(&self, title: Option<String>, text: String) -> Step {
        let request = self.target.request;
        let is_titled = title
            .as_deref()
            .is_some_and(|title| phrase_stands_in(title, request));
        let is_bare = title
            .as_deref()
            .is_some_and(|title| Terms::of(&text).are_in(&Terms::of(title)));
        // Where the request names its notes, a title with one of theirs in it is no new one.
        let meant = title.as_deref().filter(|_| !is_titled).and_then(|title| {
            let mut named = self.named.iter();
            named.find(|note| phrase_stands_in(&note.title, title) && shares(&note.value, &text))
        });
        let mut notes = self.target.notes.iter();
        let whole = [title.as_deref().unwrap_or_default(), ": ", &text].concat();
        let corrected = || {
            let is_corrected =
                |note: &&&Note| only_corrects(note, &text) || contradicts(note, &whole);
            // Whoever dictates a note with its title means no other one.
            let is_dictated =
                headed(request)
                    .zip(title.as_deref())
                    .is_some_and(|((head, body), title)| {
                        phrase_stands_in(title, head) && Terms::of(&text).are_in(&Terms::of(body))
                    });
            notes.find(is_corrected).copied().filter(|_| !is_dictated)
        };
        match (meant.copied().or_else(corrected), self.named) {
            (Some(note), _) => edit_of(note, request, text),
            (None, [only]) if !is_titled && !self.has_edit && self.is_alone => {
                edit_of(only, request, text)
            }
            (None, [only]) if self.has_edit && is_bare => Step::Add {
                note: Some(only.title.clone()),
                text,
            },
            _ if self.is_alone => {
                let text = with_label(title.as_deref(), text, self.target);
                Step::New { title, text }
            }
            _ => Step::New { title, text },
        }
    }

    /// Returns a title as the request has it, `TITLE: TEXT`, where the planned one leaves out a name of it.
    fn full_title(&self, title: String, text: &str) -> String {
        let Some((head, body)) = headed(self.target.request).filter(|_| self.is_alone) else {
            return title;
        };
        let facts = facts_of(self.target.request);
        let is_lost = |fact: &String| contains(head, fact) && !contains(&title, fact);
        if text.trim() == body.trim() && facts.iter().any(is_lost) {
            head.trim().to_owned()
        } else {
            title
        }
    }

    /// Returns the one note whose title has all words of a title and more: `Radio net evening` for `evening net`.
    fn titled_more(&self, title: &str) -> Option<&Note> {
        let words = Terms::of(title);
        let is_of = |note: &&&Note| words.are_in(&Terms::of(&note.title));
        let mut found = self.target.notes.iter().filter(is_of);
        let only = found.next().filter(|_| words.len() >= SHARED_WORDS_MIN)?;
        found.next().is_none().then_some(only)
    }

    /// Returns what a new note comes to that has the title of an old one.
    fn with_title_of(&self, old: &Note, text: String) -> Step {
        let request = self.target.request;
        // Of several things one may have been given the title of another.
        let about = if self.is_alone && parts_of(request).len() < 2 {
            request
        } else {
            sentence_of(request, &text)
        };
        let is_named = phrase_stands_in(&old.title, about);
        // Of two titles the one that the request names is meant.
        if let (true, false, [only]) = (self.is_alone, is_named, self.named)
            && shares(&only.value, &text)
        {
            return edit_of(only, request, text);
        }
        // So is the one that the text itself names.
        let in_text = self.target.named_in(&text);
        if let (false, [only]) = (is_named, in_text.as_slice())
            && only.id != old.id
            && phrase_stands_in(&only.title, request)
        {
            return edit_of(only, request, text);
        }
        let asked = Terms::of(request);
        let is_item = is_short(&text) && is_list(old) && title_words_in(old, &asked) > 0;
        // What is called new is more for an old note only where the request speaks of all of its title.
        let title = Terms::of(&old.title);
        let is_whole =
            title_words_in(old, &asked) == title.iter().filter(|it| is_telling(it)).count();
        let is_same = is_whole && shares(&format!("{} {}", old.title, old.value), &text);
        if is_named || is_item || is_same {
            return edit_of(old, request, text);
        }
        // The title of something else.
        Step::New { title: None, text }
    }

    /// Returns the change of a line `LABEL: ...` that is meant by a new note, if one is: the title is that label,
    /// or the text has another number behind it.
    fn relabelled(&self, title: Option<&str>, text: &str) -> Option<Step> {
        let label = title.filter(|_| self.is_alone && is_short(text));
        if let Some((note, line)) = label.and_then(|it| labelled(self.target.notes, it)) {
            let label = line.split(": ").next().unwrap_or_default();
            return Some(Step::Change {
                note: Some(note.title.clone()),
                text: format!("{label}: {text}"),
            });
        }
        let whole = [title.unwrap_or_default(), ": ", text].concat();
        let mut notes = self.target.notes.iter();
        let note = notes.find(|note| relabels(note, &whole))?;
        Some(Step::Change {
            note: Some(note.title.clone()),
            text: self.target.request.trim().to_owned(),
        })
    }
}

/// Returns whether a text says that a number in a line of a note is no longer so: `5 kg, not 4` of `Tobias: 4 kg`.
fn contradicts(note: &Note, text: &str) -> bool {
    let gone = contrasted(text);
    let said = Terms::of(text);
    lines_of(&note.value).iter().any(|line| {
        let own = Terms::of(line.text);
        let mut numbers = gone
            .iter()
            .filter(|it| it.starts_with(|it: char| it.is_ascii_digit()));
        let mut telling = said.iter().filter(|term| is_telling(term));
        numbers.any(|number| own.has(number)) && telling.any(|term| own.has(term))
    })
}

/// Returns whether a text has the word by which a question begins.
fn begins_with_word_of(question: &str, text: &str) -> bool {
    let first = question.split_whitespace().next().unwrap_or_default();
    Terms::of(first).are_in(&Terms::of(text))
}

/// Returns whether a note ends with a list.
pub fn is_list(note: &Note) -> bool {
    let lines = lines_of(note.value.trim_end());
    lines
        .last()
        .is_some_and(|line| ListMark::of(line.text).is_some())
}
