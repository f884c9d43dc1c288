//! What a request should have changed and answered, and nothing beside it.

use crate::facts::{bare, holds, holds_all, holds_any, is_same_title};
use crate::world::{Difference, World, plain, whole};
use serde_json::Value;

/// Everything that a request asks for. What it does not list must stay as it is.
#[derive(Clone, Debug, Default)]
pub(crate) struct Expected {
    created: Vec<NewNote>,
    changed: Vec<OldNote>,
    /// Titles of the notes that are to go.
    gone: Vec<String>,
    answer: Option<Answer>,
    /// Notes that are to be named at least, by links of the new note or by an answer in its place.
    named: usize,
    /// Whether the words of the request may stand in a note: it dictates them.
    dictates: bool,
}

/// A note that has to be there now.
#[derive(Clone, Debug, Default)]
pub(crate) struct NewNote {
    title: Option<String>,
    facts: Vec<String>,
    lacks: Vec<String>,
}

/// A note that has to be different now.
#[derive(Clone, Debug, Default)]
pub(crate) struct OldNote {
    title: String,
    renamed: Option<String>,
    facts: Vec<String>,
    lacks: Vec<String>,
}

/// What has to be answered.
#[derive(Clone, Debug, Default)]
struct Answer {
    facts: Vec<String>,
    lacks: Vec<String>,
    /// Titles of the notes that it has to name as its sources.
    sources: Vec<String>,
}

fn owned(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|&it| it.to_owned()).collect()
}

impl Expected {
    /// Expects a new note with these facts.
    pub(crate) fn new_note(mut self, facts: &[&str]) -> Self {
        let facts = owned(facts);
        self.created.push(NewNote {
            facts,
            ..NewNote::default()
        });
        self
    }

    /// Expects a new note of just that title.
    pub(crate) fn new_titled(mut self, title: &str, facts: &[&str]) -> Self {
        self = self.new_note(facts);
        if let Some(note) = self.created.last_mut() {
            note.title = Some(title.to_owned());
        }
        self
    }

    /// Expects that the note that was named last lacks these facts.
    pub(crate) fn lacking(mut self, lacks: &[&str]) -> Self {
        if let Some(answer) = &mut self.answer {
            answer.lacks = owned(lacks);
        } else if let Some(note) = self.changed.last_mut() {
            note.lacks = owned(lacks);
        } else if let Some(note) = self.created.last_mut() {
            note.lacks = owned(lacks);
        }
        self
    }

    /// Expects a note that was there to hold these facts now, and all lines that it held before but
    /// those with a fact that it has to lack.
    pub(crate) fn change(mut self, title: &str, facts: &[&str]) -> Self {
        self.changed.push(OldNote {
            title: title.to_owned(),
            facts: owned(facts),
            ..OldNote::default()
        });
        self
    }

    /// Expects another title, and everything else as it was.
    pub(crate) fn rename(mut self, title: &str, renamed: &str) -> Self {
        self.changed.push(OldNote {
            title: title.to_owned(),
            renamed: Some(renamed.to_owned()),
            ..OldNote::default()
        });
        self
    }

    /// Expects that a note is gone.
    pub(crate) fn delete(mut self, title: &str) -> Self {
        self.gone.push(title.to_owned());
        self
    }

    /// Expects an answer with these facts from these notes, and no change.
    pub(crate) fn answer(mut self, facts: &[&str], sources: &[&str]) -> Self {
        self.answer = Some(Answer {
            facts: owned(facts),
            sources: owned(sources),
            ..Answer::default()
        });
        self
    }

    /// Expects an answer that claims nothing: the notes do not say it.
    pub(crate) fn no_answer(self, tempting: &[&str]) -> Self {
        self.answer(&[], &[]).lacking(tempting)
    }

    /// Expects what nobody can do: there is nothing to do it with.
    pub(crate) fn never() -> Self {
        Self::default().delete("")
    }

    /// Expects one new note that links so many others, or an answer that names them.
    pub(crate) fn overview(mut self, count: usize) -> Self {
        self.named = count;
        self.dictated()
    }

    /// Lets the words of the request stand in the note: it dictates them.
    pub(crate) const fn dictated(mut self) -> Self {
        self.dictates = true;
        self
    }

    /// Returns whether no note is to be new, different or gone.
    pub(crate) fn asks_no_change(&self) -> bool {
        self.created.is_empty()
            && self.changed.is_empty()
            && self.gone.is_empty()
            && self.named == 0
    }

    /// Returns new notes beyond those that are asked for.
    pub(crate) fn superfluous(&self, difference: &Difference<'_>) -> usize {
        let asked = self.created.len() + usize::from(self.named > 0);
        difference.created.len().saturating_sub(asked)
    }

    /// Returns notes that were changed or deleted and were not to be.
    pub(crate) fn bystanders(&self, difference: &Difference<'_>) -> usize {
        let may_change = |note: &Value| self.changed.iter().any(|it| it.is_about(note));
        let may_go = |note: &Value| {
            let title = plain(&note["title"]);
            self.gone.iter().any(|it| is_same_title(it, &title))
        };
        let changed = difference.changed.iter();
        let gone = difference.gone.iter();
        changed.filter(|(note, _)| !may_change(note)).count()
            + gone.filter(|note| !may_go(note)).count()
    }

    /// Returns whether just this was done.
    pub(crate) fn is_met(&self, request: &str, before: &World, after: &World) -> bool {
        let difference = Difference::between(before, after);
        if after.run.is_null()
            || self.superfluous(&difference) > 0
            || self.bystanders(&difference) > 0
            || self.repeats(request, &difference, after)
        {
            return false;
        }
        if self.named > 0 {
            return self.names_enough(&difference, before, after);
        }
        let is_changed = |note: &OldNote| {
            let mut changed = difference.changed.iter();
            let found = changed.find(|(before, _)| note.is_about(before));
            found.is_some_and(|(before, now)| note.is_met(before, now))
        };
        let asks_nothing = self.asks_no_change() && self.answer.is_none();
        // Where nothing is to be done, only the run's end tells that somebody looked.
        (!asks_nothing || after.run["state"] == "Succeeded")
            && difference.created.len() == self.created.len()
            && are_met(&self.created, &difference.created)
            && self.changed.iter().all(is_changed)
            && difference.gone.len() == self.gone.len()
            && self.answer.as_ref().is_none_or(|it| it.is_met(after))
    }

    /// Returns whether the request itself was written down or given as the answer, in place of what it
    /// asks for.
    fn repeats(&self, request: &str, difference: &Difference<'_>, after: &World) -> bool {
        let request = bare(request);
        let written = difference.changed.iter().map(|(_, now)| now);
        let mut written = written.chain(&difference.created);
        let is_echo = |answer: &Value| bare(&plain(&answer["text"])) == request;
        after.answer().is_some_and(is_echo)
            || !self.dictates && written.any(|note| bare(&whole(note)).contains(&request))
    }

    fn names_enough(&self, difference: &Difference<'_>, before: &World, after: &World) -> bool {
        let is_named = |text: &str, links: &Value, note: &Value| {
            let id = &note["id"];
            let linked = links.as_array().is_some_and(|all| all.contains(id));
            linked || holds_title(text, &plain(&note["title"]))
        };
        let count = |text: &str, links: &Value| {
            let others = before.notes.iter();
            others.filter(|it| is_named(text, links, it)).count()
        };
        match difference.created.as_slice() {
            [] => after
                .answer()
                .is_some_and(|it| count(&plain(&it["text"]), &Value::Null) >= self.named),
            [note] => {
                // A name in a text leads nowhere: only links count.
                let links = links_of(note, before);
                count("", &links) >= self.named
            }
            _ => false,
        }
    }
}

/// Returns ids of the notes that a note links: those of its file, and those named in `[[ ]]`.
fn links_of(note: &Value, world: &World) -> Value {
    let text = plain(&note["value"]);
    let is_linked = |other: &&Value| {
        let known = note["links"].as_array();
        known.is_some_and(|all| all.contains(&other["id"]))
            || text.contains(&format!("[[{}]]", plain(&other["id"])))
            || text
                .to_lowercase()
                .contains(&format!("[[{}]]", plain(&other["title"]).to_lowercase()))
    };
    let linked = world.notes.iter().filter(is_linked);
    linked.map(|other| other["id"].clone()).collect()
}

fn holds_title(text: &str, title: &str) -> bool {
    !bare(title).is_empty() && bare(text).contains(&bare(title))
}

/// Returns whether each expected note is another one of those that were created.
fn are_met(expected: &[NewNote], created: &[&Value]) -> bool {
    let Some((first, rest)) = expected.split_first() else {
        return true;
    };
    (0..created.len()).any(|at| {
        let mut left = created.to_vec();
        let note = left.remove(at);
        first.is_met(note) && are_met(rest, &left)
    })
}

impl NewNote {
    fn is_met(&self, note: &Value) -> bool {
        let title = plain(&note["title"]);
        let is_titled = self
            .title
            .as_ref()
            .is_none_or(|it| is_same_title(it, &title));
        let text = whole(note);
        is_titled && holds_all(&text, &self.facts) && !holds_any(&text, &self.lacks)
    }
}

impl OldNote {
    fn is_about(&self, note: &Value) -> bool {
        is_same_title(&self.title, &plain(&note["title"]))
    }

    fn is_met(&self, before: &Value, now: &Value) -> bool {
        let title = self.renamed.as_ref().unwrap_or(&self.title);
        let (was, text) = (plain(&before["value"]), plain(&now["value"]));
        is_same_title(title, &plain(&now["title"]))
            && holds_all(&text, &self.facts)
            && !holds_any(&text, &self.lacks)
            && self.keeps_rest(&was, &text)
            && (self.renamed.is_none() || was == text)
    }

    /// Returns whether each line that nobody spoke of stands there still.
    fn keeps_rest(&self, before: &str, after: &str) -> bool {
        let after = bare(after);
        let is_touched = |line: &str| self.lacks.iter().any(|fact| holds(line, fact));
        let rest = before.lines().filter(|line| !is_touched(line));
        rest.map(bare).all(|line| after.contains(&line))
    }
}

impl Answer {
    fn is_met(&self, after: &World) -> bool {
        let Some(answer) = after.answer() else {
            return false;
        };
        let text = plain(&answer["text"]);
        let is_source = |title: &String| after.sources().any(|it| is_same_title(it, title));
        let says = !bare(&text).is_empty() || answer["found"] == false;
        says && holds_all(&text, &self.facts)
            && !holds_any(&text, &self.lacks)
            && self.sources.iter().all(is_source)
    }
}
