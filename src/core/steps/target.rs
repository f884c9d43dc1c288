//! Finds the note that a step means.
//! That is the named one, else the one with the clearest overlap of words, else a numbered choice
//! by the model. Only what exists can be meant.

use super::check::is_telling;
use super::evidence::{
    contrasted, has_label_form, is_short, is_spelt, items_done, label_of, labelled_line,
    names_another, note_by_line, sentence_of, shared_by_line, tells_of, terms_of, title_words_in,
    words_around,
};
use super::lines::{ListMark, lines_of};
use super::new_note::is_list;
use super::plan::Step;
use super::step_question::{Replies, StepQuestion};
use super::term_weights::Weights;
use crate::core::notes::{Note, Terms, phrase_stands_apart, phrase_stands_in};
use crate::ids::NoteId;

/// The option for the case that no note is meant.
pub(super) const NONE_OF_THESE: &str = "none of these, something new";

/// The minimum number of words beside a title in a clause that describes the note.
const DONE_WORDS_MIN: usize = 2;

/// The minimum length of a title of one word that is recognised with typing errors, in letters.
const MISSPELT_CHARS_MIN: usize = 8;

/// The maximum length of the part of a note in a choice, in characters.
const OPTION_CHARS_MAX: usize = 60;

/// The notes, keys and request by which the meaning of a step is found.
#[derive(Clone, Copy, Debug)]
pub struct Target<'a> {
    /// The notes that may be meant, most likely first.
    pub notes: &'a [&'a Note],
    /// Every note of the workspace.
    pub all: &'a [&'a Note],
    /// The keys of values kept beside the notes; a step may delete one.
    pub keys: &'a [String],
    /// The request of the person.
    pub request: &'a str,
    /// The notes that other steps of the plan are about.
    pub of_other_steps: &'a [NoteId],
}

/// The share of a request's words from which a clause is all of it, in percent.
const ENTIRE_SHARE_MIN: usize = 50;

impl<'a> Target<'a> {
    /// Returns the note that a step means; `None` if there is none, or if the model chooses none.
    /// `title` is the title that the step gives, `clause` its text, and `may_be_new` whether the
    /// model may choose none of them.
    ///
    /// # Errors
    /// The question, if it has no reply yet.
    pub(super) fn note(
        &self,
        title: Option<&str>,
        clause: &str,
        may_be_new: bool,
        replies: &mut Replies<'_>,
    ) -> Result<Option<&'a Note>, StepQuestion> {
        let sentence = sentence_of(self.request, clause);
        let named = title.and_then(|title| self.titled(title));
        let named = named.filter(|note| self.may_mean(note, sentence));
        if let Some(note) = named {
            let rivals = self.rivals_of(note, clause, sentence, may_be_new);
            let asked = Terms::of(sentence);
            let words = title_words_in(note, &asked);
            let pool = match clearest(&rivals, |rival| 1 + title_words_in(rival, &asked)) {
                Some(rival) if title_words_in(rival, &asked) > words => return Ok(Some(rival)),
                Some(rival) => vec![rival, note],
                // The request mentions each of them more than the one that the step names.
                None if words == 0 && !rivals.is_empty() => rivals,
                None => return Ok(Some(note)),
            };
            let chosen =
                replies.choose(self.request, pool.iter().map(|note| option(note)).collect())?;
            return Ok(chosen.and_then(|chosen| pool.get(chosen)).copied());
        }
        let named = [
            self.described_note(clause),
            self.named_around(clause, sentence, may_be_new),
            self.meant_in(clause),
            self.named_in(sentence),
            self.named_elsewhere(clause, sentence, may_be_new),
        ];
        let named = named.into_iter().find(|named| !named.is_empty());
        if let Some(note) = named.as_ref().and_then(|named| self.beside(clause, named)) {
            return Ok(Some(note));
        }
        if named.is_none()
            && let Some(note) = self.misspelt()
        {
            return Ok(Some(note));
        }
        let is_named = named.is_some();
        let pool = named.unwrap_or_else(|| self.notes.to_vec());
        if let [only] = pool.as_slice()
            && (is_named || !may_be_new)
        {
            return Ok(Some(*only));
        }
        let place = Place {
            clause,
            sentence,
            may_be_new,
        };
        if let Some(note) = self.by_evidence(&pool, &place) {
            return Ok(Some(note));
        }
        let mut options: Vec<String> = pool.iter().map(|note| option(note)).collect();
        if may_be_new {
            options.push(NONE_OF_THESE.to_owned());
        }
        let chosen = replies.choose(self.request, options)?;
        Ok(chosen.and_then(|chosen| pool.get(chosen)).copied())
    }

    /// Returns the note that a question is about, if no note has a telling word of it.
    /// The model chooses: `what do I have to buy?` has no word of the shopping list. `None` if a note
    /// has such a word. It has to choose one: whether that note answers the question is asked later.
    ///
    /// # Errors
    /// The question to the model, if it has no reply yet.
    pub(super) fn chosen_for(
        &self,
        question: &str,
        replies: &mut Replies<'_>,
    ) -> Result<Option<&'a Note>, StepQuestion> {
        let asked = Terms::of(question);
        if self.notes.len() < 2 || self.notes.iter().any(|note| tells_of(note, &asked)) {
            return Ok(None);
        }
        let options = self.notes.iter().map(|note| option(note)).collect();
        let chosen = replies.choose(question, options)?;
        Ok(chosen.and_then(|chosen| self.notes.get(chosen)).copied())
    }

    /// Returns the notes that may be meant in place of the one that a step names.
    /// There are none if the request names that note as a whole. A rival's title has more words of
    /// the request; or as many, and the rival is a list for a short addition, or has a line
    /// `LABEL: ...` that the request mentions.
    fn rivals_of(
        &self,
        note: &Note,
        clause: &str,
        sentence: &str,
        may_be_new: bool,
    ) -> Vec<&'a Note> {
        if self.is_named(note) {
            return Vec::new();
        }
        let asked = Terms::of(sentence);
        let around = words_around(sentence, clause);
        let words = title_words_in(note, &asked);
        let has_label = |note: &Note| {
            !may_be_new
                && (labelled_line(&note.value, &around).is_some()
                    || has_label_form(&note.value, &asked))
        };
        let fits_better = |other: &Note| {
            let is_list_for = clause.lines().all(is_short) && is_list(other) && !is_list(note);
            may_be_new && is_list_for || has_label(other) && !has_label(note)
        };
        let is_rival = |other: &&&Note| {
            let others = title_words_in(other, &asked);
            let is_better = others > words || others == words && fits_better(other);
            let is_free = !self.is_of_other_step(other) && !names_another(other, self.request);
            other.id != note.id && is_better && is_free
        };
        self.notes.iter().filter(is_rival).copied().collect()
    }

    /// Returns whether a note that a step names may be meant: the request names it, if only by the words
    /// of its title, or no note that is left.
    fn may_mean(&self, note: &Note, sentence: &str) -> bool {
        let is_only_step = self.of_other_steps.is_empty();
        if is_only_step && phrase_stands_in(&note.title, self.request) {
            return true;
        }
        let is_taken = |named: &Note| named.id != note.id && self.is_of_other_step(named);
        let left_in = |text: &str| {
            let mut named = self.named_in(text);
            named.retain(|named| !is_taken(named));
            named
        };
        let named = [left_in(sentence), left_in(self.request)];
        let named = named.iter().find(|named| !named.is_empty());
        named.is_none_or(|named| {
            let title = Terms::of(&note.title);
            // `the hotel in Lisbon` is `Hotel Lisbon`, and not `Lisbon`.
            let is_part = |named: &&Note| Terms::of(&named.title).are_in(&title);
            named.iter().any(|it| it.id == note.id)
                || named.iter().all(is_part) && title.are_in(&Terms::of(sentence))
        })
    }

    /// Returns whether another step of the plan is about a note.
    pub(super) fn is_of_other_step(&self, note: &Note) -> bool {
        self.of_other_steps.contains(&note.id)
    }

    /// Returns the target of one step of a plan.
    pub fn of_step<'b>(&self, others: &'b [NoteId]) -> Target<'b>
    where
        'a: 'b,
    {
        Target {
            of_other_steps: others,
            ..*self
        }
    }

    /// Returns the notes that steps are about.
    pub fn notes_of<'s>(&self, steps: impl Iterator<Item = &'s Step>) -> Vec<NoteId> {
        let titles = steps.flat_map(Step::titles);
        let notes = titles.filter_map(|title| self.titled(title));
        notes.map(|note| note.id).collect()
    }

    /// Returns the only note that the words of a request show to be meant; `None` if they do not.
    fn by_evidence(&self, pool: &[&'a Note], place: &Place<'_>) -> Option<&'a Note> {
        let Place {
            clause,
            sentence,
            may_be_new,
        } = *place;
        let clause_terms = Terms::of(clause);
        // A new text has nothing to do with the notes of other sentences.
        let request_terms = Terms::of(if may_be_new { sentence } else { self.request });
        let around = words_around(sentence, clause);
        let weights = Weights::of(pool.iter().map(|note| note.value.as_str()));
        // An addition may be about anything: the words around it say where it belongs.
        let evidence = if may_be_new && !around.is_empty() {
            vec![&around]
        } else {
            vec![&around, &clause_terms, &request_terms]
        };
        let other = |note: &Note| names_another(note, self.request);
        let by_title = evidence.iter().find_map(|terms| {
            clearest(pool, |note| {
                if other(note) {
                    0
                } else {
                    title_words_in(note, terms)
                }
            })
        });
        let by_label = |note: &&Note| usize::from(labelled_line(&note.value, &around).is_some());
        let by_text = || {
            evidence.iter().find_map(|terms| {
                clearest(pool, |note| {
                    if other(note) {
                        0
                    } else {
                        weights.score(&Terms::of(&note.value), terms)
                    }
                })
            })
        };
        let told = || {
            let told = items_done(pool, self.request);
            told.first().map(|(note, _)| *note)
        };
        // A change mentions its line itself: `freitags um 15 Uhr`.
        let by_own_label =
            |note: &&Note| usize::from(!may_be_new && has_label_form(&note.value, &clause_terms));
        by_title
            .or_else(|| clearest(pool, by_label))
            .or_else(|| clearest(pool, by_own_label))
            .or_else(by_text)
            .or_else(|| note_by_line(pool, clause))
            .or_else(told)
    }

    /// Returns the notes whose whole titles a clause names, if the request mentions them, too.
    /// A model may put any title before its text.
    fn meant_in(&self, clause: &str) -> Vec<&'a Note> {
        let asked = Terms::of(self.request);
        let mut named = self.named_in(clause);
        named.retain(|note| {
            let title = Terms::of(&note.title);
            let mut words = title.iter().filter(|word| is_telling(word));
            words.all(|word| is_spelt(word, &asked))
        });
        named
    }

    /// Returns the note that a clause describes: it names that note, and says more than the title.
    fn described_note(&self, clause: &str) -> Vec<&'a Note> {
        let said = Terms::of(clause);
        let named = self.meant_in(clause);
        let tells = matches!(named.as_slice(), [only] if {
            let title = Terms::of(&only.title);
            said.len() >= title.len() + DONE_WORDS_MIN
        });
        if tells { named } else { Vec::new() }
    }

    /// Returns the notes that a sentence names outside of an addition, which may have a title, too.
    fn named_around(&self, clause: &str, sentence: &str, may_be_new: bool) -> Vec<&'a Note> {
        let said = Terms::of(clause);
        let mut named = self.named_in(sentence);
        named.retain(|note| may_be_new && !Terms::of(&note.title).are_in(&said));
        named
    }

    /// Returns the notes that the request names, for a clause whose sentence names none.
    /// If the clause is new, only notes that share a telling word with it count.
    fn named_elsewhere(&self, clause: &str, sentence: &str, may_be_new: bool) -> Vec<&'a Note> {
        let said = Terms::of(clause);
        let mut named = self.named_in(self.request);
        if may_be_new && sentence != self.request {
            named.retain(|note| {
                let own = terms_of(note);
                let mut telling = said.iter().filter(|term| is_telling(term));
                telling.any(|term| own.has(term))
            });
        }
        named
    }

    /// Returns the note with the line that a request is about, if the found note has no such line.
    /// `box 18 is in the garage` is about a line about the box. A clause that is one of several and
    /// names its note needs no line.
    pub(super) fn by_line(&self, found: Option<&'a Note>, clause: &str) -> Option<&'a Note> {
        let asked = Terms::of(self.request);
        let shared = Terms::of(clause).shared(&asked) * 100;
        let is_sentence = sentence_of(self.request, clause) != self.request;
        let is_part = is_sentence || shared < asked.len() * ENTIRE_SHARE_MIN;
        if is_part && found.is_some_and(|note| phrase_stands_in(&note.title, clause)) {
            return None;
        }
        let other = note_by_line(self.notes, self.request)?;
        let is_better = found.is_none_or(|found| shared_by_line(found, &asked) == 0);
        is_better.then_some(other)
    }

    /// Returns the only note with a line `LABEL: ...` for a word of a clause.
    /// The found note has no word of the clause.
    pub(super) fn by_label(&self, found: Option<&'a Note>, clause: &str) -> Option<&'a Note> {
        let said = Terms::of(clause);
        let speaks = |text: &Terms| said.iter().any(|it| is_telling(it) && text.has(it));
        if found.is_none_or(|note| speaks(&terms_of(note))) {
            return None;
        }
        let has_label = |note: &Note| {
            let lines = lines_of(&note.value);
            let mut labels = lines.iter().filter_map(|line| label_of(line.text));
            labels.any(|label| speaks(&Terms::of(label)))
        };
        let mut labelled = self.notes.iter().filter(|note| has_label(note));
        let only = labelled.next();
        only.filter(|_| labelled.next().is_none()).copied()
    }

    /// Returns the only note that has what a text negates, if the found note does not.
    pub(super) fn contradicted(&self, text: &str, found: Option<&Note>) -> Option<&'a Note> {
        let gone = contrasted(text);
        let has = |note: &Note| gone.shared(&Terms::of(&note.value)) > 0;
        if found.is_some_and(has) {
            return None;
        }
        let mut others = self.notes.iter().filter(|note| has(note));
        let only = others.next();
        only.filter(|_| others.next().is_none()).copied()
    }

    /// Returns the target with these notes alone, or unchanged if there are none.
    pub(super) const fn among<'b>(&self, notes: &'b [&'b Note]) -> Target<'b>
    where
        'a: 'b,
    {
        Target {
            notes: if notes.is_empty() { self.notes } else { notes },
            ..*self
        }
    }

    /// Returns the notes with an open item.
    pub(super) fn with_open_items(&self) -> Vec<&'a Note> {
        self.holding_box("[ ]")
    }

    /// Returns the notes with a box that a text ticks or unticks; empty if it does neither.
    pub(super) fn with_box_for(&self, text: &str) -> Vec<&'a Note> {
        let boxes = [("[x]", "[ ]"), ("[ ] ", "[x]")];
        let meant = boxes.iter().find(|(now, _)| text.starts_with(now));
        meant.map_or_else(Vec::new, |(_, before)| self.holding_box(before))
    }

    fn holding_box(&self, state: &str) -> Vec<&'a Note> {
        let notes = self.notes.iter();
        notes
            .filter(|note| note.value.contains(state))
            .copied()
            .collect()
    }

    /// Returns the only list item that stands in the request as it is, with the index of its line.
    pub(super) fn requested_item(&self) -> Option<(&'a Note, usize)> {
        let notes = self.notes.iter().copied();
        let mut found = notes.flat_map(|note| {
            let lines = lines_of(&note.value).into_iter().enumerate();
            let lines: Vec<(&Note, usize)> = lines
                .filter(|(_, line)| ListMark::of(line.text).is_some())
                .filter(|(_, line)| phrase_stands_in(ListMark::text_of(line.text), self.request))
                .map(|(index, _)| (note, index))
                .collect();
            lines
        });
        let only = found.next()?;
        found.next().is_none().then_some(only)
    }

    /// Returns whether the request names a note by its whole title, and no other one.
    pub(super) fn is_named(&self, note: &Note) -> bool {
        matches!(self.named_in(self.request).as_slice(), [only] if only.id == note.id)
    }

    /// Returns the notes whose text has a telling word of `what`.
    pub(super) fn holding(&self, what: &str) -> Vec<&'a Note> {
        let what = Terms::of(what);
        let is_telling = |term: &&str| is_telling(term) || what.len() == 1;
        let holds = |note: &&&Note| {
            let text = Terms::of(&note.value);
            what.iter().filter(is_telling).any(|term| text.has(term))
        };
        self.notes.iter().filter(holds).copied().collect()
    }

    /// Returns the only note whose whole title the request names, with typing errors.
    fn misspelt(&self) -> Option<&'a Note> {
        let mut named = self
            .notes
            .iter()
            .filter(|note| self.names_in_spelling(note));
        let only = named.next();
        only.filter(|_| named.next().is_none()).copied()
    }

    /// Returns the only note that the request names with typing errors, if the title of another one has
    /// the same words and more that the request lacks: `hallowen list` is no `Halloween biscuits`.
    /// Also if the request has no word of that title which the other one lacks.
    pub(super) fn spelt_rather_than(&self, note: &Note) -> Option<&'a Note> {
        let asked = Terms::of(self.request);
        let title = Terms::of(&note.title);
        let lacks = |word: &str| is_telling(word) && !is_spelt(word, &asked);
        let other = self.misspelt().filter(|_| title.iter().any(lacks))?;
        let meant = Terms::of(&other.title);
        let own = title.clone().without(&meant);
        let is_unnamed = own.iter().all(|word| !is_spelt(word, &asked));
        let is_misspelt = !phrase_stands_in(&other.title, self.request);
        let is_meant = meant.are_in(&title) || is_misspelt && is_unnamed;
        is_meant.then_some(other)
    }

    /// Returns whether the request has each word of a title, with typing errors.
    /// One short word would be a chance.
    fn names_in_spelling(&self, note: &Note) -> bool {
        let asked = Terms::of(self.request);
        let title = Terms::of(&note.title);
        let is_long = |word: &str| word.chars().count() >= MISSPELT_CHARS_MIN;
        (title.len() > 1 || title.iter().any(is_long))
            && title.iter().all(|word| is_spelt(word, &asked))
    }

    /// Returns the one of several named notes that a clause of the request belongs to.
    /// It is the next named one if the request says what before it says where, else the last one
    /// named before it.
    fn beside(&self, clause: &str, named: &[&'a Note]) -> Option<&'a Note> {
        let request = sentence_of(self.request, clause).to_lowercase();
        let at = request.find(&clause.trim().to_lowercase())?;
        let title_at = |note: &&'a Note| Some((request.find(&note.title.to_lowercase())?, *note));
        let mut titles: Vec<(usize, &Note)> = named.iter().map(title_at).collect::<Option<_>>()?;
        titles.sort_by_key(|(at, _)| *at);
        let ((first, _), (last, last_note)) = (titles.first()?, titles.last()?);
        let telling = |text: Option<&str>| {
            let terms = Terms::of(text.unwrap_or_default());
            terms.iter().filter(|term| is_telling(term)).count()
        };
        let before = telling(request.get(..*first));
        let behind = telling(request.get(last + last_note.title.len()..));
        let found = if before >= behind {
            titles.iter().find(|(title, _)| *title > at)
        } else {
            titles.iter().rfind(|(title, _)| *title < at)
        };
        found.filter(|_| named.len() > 1).map(|(_, note)| *note)
    }

    /// Returns the note of a title, in any case and spelling of its words.
    pub fn titled(&self, title: &str) -> Option<&'a Note> {
        let wanted = Terms::of(title);
        let same = |note: &&&Note| note.title.trim() == title.trim();
        let alike = |note: &&&Note| !wanted.is_empty() && Terms::of(&note.title) == wanted;
        let mut notes = self.notes.iter().chain(self.all);
        let found = notes.clone().find(same).or_else(|| notes.find(alike));
        found.copied()
    }

    /// Returns the note with exactly that title, in any case.
    pub(super) fn titled_exactly(&self, title: &str) -> Option<&'a Note> {
        let wanted = title.trim().to_lowercase();
        let mut notes = self.notes.iter().chain(self.all);
        notes
            .find(|note| note.title.trim().to_lowercase() == wanted)
            .copied()
    }

    /// Returns the notes whose whole titles stand in a text, not only as a part of another title.
    pub fn named_in(&self, text: &str) -> Vec<&'a Note> {
        let stands = |note: &&&Note| phrase_stands_in(&note.title, text);
        let named: Vec<&Note> = self.notes.iter().filter(stands).copied().collect();
        let is_whole = |note: &&&Note| {
            let own = Terms::of(&note.title);
            let others = named.iter().map(|other| other.title.as_str());
            let longer = others
                .filter(|title| Terms::of(title) != own && phrase_stands_in(&note.title, title));
            phrase_stands_apart(&note.title, text, &longer.collect::<Vec<_>>())
        };
        named.iter().filter(is_whole).copied().collect()
    }
}

/// Returns a note as an option: its title and the beginning of its text.
fn option(note: &Note) -> String {
    let begin: String = note.value.chars().take(OPTION_CHARS_MAX).collect();
    let begin = begin.lines().next().unwrap_or_default();
    format!("{}: {begin}", note.title)
}

/// The place of a clause in a request.
#[derive(Clone, Copy, Debug)]
struct Place<'a> {
    clause: &'a str,
    /// The sentence that it stands in.
    sentence: &'a str,
    /// Whether it may be about something new.
    may_be_new: bool,
}

/// Returns the only element with the highest score, if that is above 0.
pub(super) fn clearest<T: Copy>(things: &[T], score: impl Fn(&T) -> usize) -> Option<T> {
    let best = things.iter().map(&score).max().filter(|best| *best > 0)?;
    let mut found = things.iter().filter(|thing| score(thing) == best);
    let first = found.next();
    first.filter(|_| found.next().is_none()).copied()
}
