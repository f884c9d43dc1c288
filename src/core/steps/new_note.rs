//! Corrections of a plan's new note.
//! Small models use one for a question, or for an addition to an existing note.

use super::change::{edit_of, only_corrects, relabels};
use super::check::{contains, facts_of, is_quoted, is_telling, quoted, stands_in};
use super::dictation::{split_heading, with_label};
use super::effects::says;
use super::evidence::{contrasted, is_short, parts_of, sentence_of, shares, title_words_in};
use super::lines::{ListMark, lines_of};
use super::plan::Step;
use super::plan_correction::labelled;
use super::request_questions::{asked_in, body_of, questions_of};
use super::target::Target;
use crate::core::notes::{Note, Terms, phrase_stands_in};

/// The number of words of a new title in an old one from which the old note is meant.
const SHARED_WORDS_MIN: usize = 2;

/// The maximum number of words of a title; more are a sentence.
const TITLE_WORDS_MAX: usize = 7;

/// The facts by which a step that makes a note is judged.
pub(super) struct Context<'a, 'b> {
    pub(super) target: &'b Target<'a>,
    /// The plan that the step belongs to.
    pub(super) plan: &'b [Step],
    /// The notes that the request names.
    pub(super) named: &'b [&'a Note],
    pub(super) is_alone: bool,
    pub(super) has_edit: bool,
}

impl Context<'_, '_> {
    /// Returns the corrected step: an answer, an edit of an existing note, or a new note.
    pub(super) fn new_note(&self, title: Option<String>, text: &str) -> Step {
        let request = self.target.request;
        // A note says it already; the outcome of the step reports that.
        if self.target.notes.iter().any(|note| says(note, text)) {
            return Step::New {
                title,
                text: text.to_owned(),
            };
        }
        let told = title
            .as_deref()
            .and_then(|title| facts_behind_order(title, text));
        let text = told.unwrap_or(text);
        if let Some(question) = self.question_in(text).filter(|_| told.is_none()) {
            return Step::Answer {
                title: title.filter(|title| phrase_stands_in(title, request)),
                question: question.to_owned(),
            };
        }
        if let Some(text) = title
            .as_deref()
            .and_then(|title| self.titled_by_sentence(title, text))
        {
            return Step::New { title: None, text };
        }
        if let Some(dictated) = title
            .as_deref()
            .and_then(|title| self.titled_in_order(title))
        {
            return dictated;
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

    /// Returns a renaming, if a plan makes an empty note with a new title that the request quotes.
    /// Also if the note only says something about the quoted title of an old one.
    fn renamed(&self, title: &str, text: &str) -> Option<Step> {
        let [note] = self.named else {
            return None;
        };
        let request = self.target.request;
        let is_new_title = quoted(request).iter().any(|it| it == title);
        let is_empty = Terms::of(text).are_in(&Terms::of(title));
        // The text says something about the old title, as a title.
        let is_about_title = is_quoted(&note.title, request)
            && is_quoted(&note.title, text)
            && phrase_stands_in(title, request);
        let is_new = is_empty && is_new_title || is_about_title;
        (self.is_alone && is_new && *title != note.title).then(|| Step::Rename {
            from: note.title.clone(),
            to: title.to_owned(),
        })
    }

    /// Returns the dictated text whose first sentence a model has taken for the title. What stands
    /// between that title and the planned text would be lost.
    fn titled_by_sentence(&self, title: &str, text: &str) -> Option<String> {
        let request = self.target.request.trim();
        let is_sentence = title.split_whitespace().count() > TITLE_WORDS_MAX;
        if !(self.is_alone && is_sentence && phrase_stands_in(title, request)) {
            return None;
        }
        let whole = [title, " ", text].concat();
        body_of(request, &whole).or_else(|| {
            let begins = request.to_lowercase().starts_with(&title.to_lowercase());
            begins.then(|| request.to_owned())
        })
    }

    /// Returns the note of an order with its title and a text behind that, where a model takes the first
    /// words of the text for a part of the title: `new note called Comp. it's on 13 June`.
    fn titled_in_order(&self, title: &str) -> Option<Step> {
        let request = self.target.request;
        let (head, more) = title.split_once(". ")?;
        let head = Some(head).filter(|head| !head.is_empty() && !more.trim().is_empty())?;
        let (_, text) = request.split_once(&[head, ". "].concat())?;
        let text = text.trim().to_owned();
        (self.is_alone && text.starts_with(more.trim())).then(|| Step::New {
            title: Some(head.to_owned()),
            text,
        })
    }

    /// Returns a title, unless all of its telling words are of another note's title and none is of the
    /// request or of the text.
    fn own_title(&self, title: Option<String>, text: &str) -> Option<String> {
        let said = Terms::of(&[self.target.request, " ", text].concat());
        let is_foreign = |title: &String| {
            let own = Terms::of(title);
            let telling: Vec<&str> = own.iter().filter(|it| is_telling(it)).collect();
            let mut notes = self.target.notes.iter().map(|it| Terms::of(&it.title));
            !telling.is_empty()
                && !telling.iter().any(|it| stands_in(it, &said))
                && notes.any(|other| telling.iter().all(|it| other.has(it)))
        };
        title.filter(|title| !is_foreign(title))
    }

    /// Returns the question of the request that a text repeats in place of a statement.
    fn question_in(&self, text: &str) -> Option<&str> {
        let request = self.target.request;
        // A text of the request's own words answers nothing. A person who asks whether something
        // can be written down also says what it is.
        let own = || {
            let is_own = self.is_alone && Terms::of(text).are_in(&Terms::of(request));
            let question = questions_of(request).next().filter(|_| is_own)?;
            begins_with_word_of(question, text).then_some(question)
        };
        asked_in(request, text).or_else(own)
    }

    /// Returns a new note with a title that no note has, unless it is about an existing one.
    fn titled_anew(&self, title: Option<String>, text: String) -> Step {
        let request = self.target.request;
        let is_titled = title
            .as_deref()
            .is_some_and(|title| phrase_stands_in(title, request));
        let is_bare = title
            .as_deref()
            .is_some_and(|title| Terms::of(&text).are_in(&Terms::of(title)));
        // If the request names its notes, a title that contains one of theirs is not new.
        let meant = title.as_deref().filter(|_| !is_titled).and_then(|title| {
            let mut named = self.named.iter();
            named.find(|note| phrase_stands_in(&note.title, title) && shares(&note.value, &text))
        });
        let mut notes = self.target.notes.iter();
        let whole = [title.as_deref().unwrap_or_default(), ": ", &text].concat();
        let corrected = || {
            let is_corrected =
                |note: &&&Note| only_corrects(note, &text) || contradicts(note, &whole);
            // A person who dictates a note with its title means no other note.
            let is_dictated = split_heading(request).zip(title.as_deref()).is_some_and(
                |((head, body), title)| {
                    phrase_stands_in(title, head) && Terms::of(&text).are_in(&Terms::of(body))
                },
            );
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
                let title = self.own_title(title, &text);
                let text = with_label(title.as_deref(), text, self.target);
                Step::New { title, text }
            }
            _ => Step::New { title, text },
        }
    }

    /// Returns the title of a request `TITLE: TEXT`, if the planned one leaves out a name of it.
    fn full_title(&self, title: String, text: &str) -> String {
        let Some((head, body)) = split_heading(self.target.request).filter(|_| self.is_alone)
        else {
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

    /// Returns the only note whose title has all words of a title and more.
    /// An example is `Radio net evening` for `evening net`.
    fn titled_more(&self, title: &str) -> Option<&Note> {
        let words = Terms::of(title);
        let is_of = |note: &&&Note| words.are_in(&Terms::of(&note.title));
        let mut found = self.target.notes.iter().filter(is_of);
        let only = found.next().filter(|_| words.len() >= SHARED_WORDS_MIN)?;
        found.next().is_none().then_some(only)
    }

    /// Returns the step for a new note that has the title of an old one.
    fn with_title_of(&self, old: &Note, text: String) -> Step {
        let request = self.target.request;
        // Of several texts, one may have the title of another.
        let about = if self.is_alone && parts_of(request).len() < 2 {
            request
        } else {
            sentence_of(request, &text)
        };
        let is_named = phrase_stands_in(&old.title, about);
        // Of two titles, the one that the request names is meant.
        if let (true, false, [only]) = (self.is_alone, is_named, self.named)
            && shares(&only.value, &text)
        {
            return edit_of(only, request, text);
        }
        // A title that the text itself names is meant, too.
        let in_text = self.target.named_in(&text);
        if let (false, [only]) = (is_named, in_text.as_slice())
            && only.id != old.id
            && phrase_stands_in(&only.title, request)
        {
            return edit_of(only, request, text);
        }
        let asked = Terms::of(request);
        let is_item = is_short(&text) && is_list(old) && title_words_in(old, &asked) > 0;
        // A new note is an addition to an old one only if the request mentions all of its title.
        let title = Terms::of(&old.title);
        let is_whole =
            title_words_in(old, &asked) == title.iter().filter(|it| is_telling(it)).count();
        let is_same = is_whole && shares(&format!("{} {}", old.title, old.value), &text);
        if is_named || is_item || is_same {
            return edit_of(old, request, text);
        }
        // The title belongs to something else. The sentence that it comes from says what the note is about.
        let first_words: Vec<&str> = text.split_whitespace().take(SHARED_WORDS_MIN).collect();
        let first_words = first_words.join(" ");
        let is_source = |sentence: &&str| {
            title_words_in(old, &Terms::of(sentence)) > 0
                && !phrase_stands_in(&first_words, sentence)
                && !phrase_stands_in(sentence, &text)
        };
        let mut sentences = parts_of(request).into_iter().filter(|_| self.is_alone);
        let text = match sentences.find(is_source) {
            Some(source) => [source.trim_end_matches(['.', '!', '?', ' ']), ". ", &text].concat(),
            None => text,
        };
        Step::New { title: None, text }
    }

    /// Returns the change of a line `LABEL: ...` that a new note means, if it means one.
    /// The title is that label, or the text has another number behind it.
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

/// Returns whether a text negates a number in a line of a note.
/// An example is `5 kg, not 4` for `Tobias: 4 kg`.
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

/// Returns the facts that a text tells behind an order with the title of its note, as in
/// `can you set up a note named Eclipse? it's on 12 August`.
fn facts_behind_order<'a>(title: &str, text: &'a str) -> Option<&'a str> {
    let (order, told) = text.split_once("? ")?;
    let is_order = phrase_stands_in(title, order) && !told.contains('?');
    (is_order && !facts_of(told).is_empty()).then(|| told.trim())
}

/// Returns whether a text has the first word of a question.
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
