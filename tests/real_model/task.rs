//! A task: what is given, what is asked, and how to see whether it was done.

use crate::expected::Expected;
use crate::world::{self, Difference, World};
use serde_json::{Value, json};
use std::collections::HashSet;

/// Bystanders that [`Task::verify_on`] touches, one at a time.
const BYSTANDERS_TRIED: usize = 12;

/// A note that is there before.
#[derive(Clone, Debug)]
pub(crate) struct Given {
    pub(crate) title: String,
    /// Keywords with commas between them.
    pub(crate) keywords: String,
    pub(crate) text: String,
}

/// One thing that somebody who does a task does.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Edit {
    /// A new note: title and text.
    Create(&'static str, &'static str),
    /// A new text for the note of a title: the old words and the new ones.
    Replace(&'static str, &'static str, &'static str),
    /// More behind the text of the note of a title.
    Append(&'static str, &'static str),
    /// Another title.
    Rename(&'static str, &'static str),
    /// The end of a note.
    Delete(&'static str),
    /// An answer and the titles of its sources.
    Answer(&'static str, &'static [&'static str]),
    /// The answer that the notes do not say it.
    NotFound(&'static str),
}

/// A task on a root of its own.
#[derive(Clone, Debug)]
pub(crate) struct Task {
    /// Its name on the command line and in the output.
    pub(crate) name: &'static str,
    /// Notes that exist before.
    pub(crate) notes: Vec<Given>,
    /// Further notes that exist before and are of no matter, read in at once.
    pub(crate) crowd: Vec<Given>,
    /// Keys of RAM that exist before.
    pub(crate) ram: Vec<(&'static str, String)>,
    /// What is asked.
    pub(crate) request: String,
    /// Whether notes and RAM show that it was done; where there is none, `expected` alone decides.
    reached: Option<fn(&World) -> bool>,
    /// What may become of the notes.
    expected: Expected,
    /// One way of doing it, for [`Task::verify`].
    solution: Vec<Edit>,
}

/// What a look at the files says.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Judged {
    pub(crate) solved: bool,
    /// New notes that nobody asked for.
    pub(crate) superfluous: usize,
    /// Notes that were changed or deleted and were not to be.
    pub(crate) bystanders: usize,
}

impl Task {
    /// Makes a task whose goal is looked up in the files.
    pub(crate) fn new(
        name: &'static str,
        request: impl Into<String>,
        reached: fn(&World) -> bool,
    ) -> Self {
        let mut task = Self::strict(name, request, Expected::default());
        task.reached = Some(reached);
        task
    }

    /// Makes a task that is done when just what it expects was done.
    pub(crate) fn strict(
        name: &'static str,
        request: impl Into<String>,
        expected: Expected,
    ) -> Self {
        Self {
            name,
            notes: Vec::new(),
            crowd: Vec::new(),
            ram: Vec::new(),
            request: request.into(),
            reached: None,
            expected,
            solution: Vec::new(),
        }
    }

    /// Makes a request on an empty root whose end nobody looks at.
    pub(crate) fn bare(request: &str) -> Self {
        Self::new("bare", request, |_| false)
    }

    /// Adds a note that is there before.
    pub(crate) fn note(mut self, title: &str, keywords: &str, text: &str) -> Self {
        self.notes.push(Given {
            title: title.to_owned(),
            keywords: keywords.to_owned(),
            text: text.to_owned(),
        });
        self
    }

    /// Adds a key of RAM that is there before.
    pub(crate) fn ram(mut self, key: &'static str, value: impl Into<String>) -> Self {
        self.ram.push((key, value.into()));
        self
    }

    /// Adds notes that are of no matter.
    pub(crate) fn among(mut self, crowd: Vec<Given>) -> Self {
        self.crowd = crowd;
        self
    }

    /// Says how many notes may be new and which ones may be different in the end.
    pub(crate) fn may(mut self, created: usize, changed: &[&str]) -> Self {
        for _ in 0..created {
            self.expected = self.expected.new_note(&[]);
        }
        for title in changed {
            self.expected = self.expected.change(title, &[]);
        }
        self
    }

    /// Says one way of doing the task.
    pub(crate) fn solved_by(mut self, solution: &[Edit]) -> Self {
        self.solution = solution.to_vec();
        self
    }

    /// Returns whether the task asks for no change of any note.
    pub(crate) fn asks_no_change(&self) -> bool {
        self.reached.is_none() && self.expected.asks_no_change()
    }

    /// Looks at what was done.
    pub(crate) fn judge(&self, before: &World, after: &World) -> Judged {
        let difference = Difference::between(before, after);
        Judged {
            solved: match self.reached {
                Some(reached) => reached(after),
                None => self.expected.is_met(&self.request, before, after),
            },
            superfluous: self.expected.superfluous(&difference),
            bystanders: self.expected.bystanders(&difference),
        }
    }

    /// Fails if the goal holds where nobody did anything, if one way of doing it does not reach it, or
    /// if it holds beside a note too many or a bystander that was touched.
    pub(crate) fn verify(&self) {
        let given = self.notes.iter().chain(&self.crowd);
        let titles: Vec<&str> = given.map(|it| it.title.as_str()).collect();
        let different: HashSet<&str> = titles.iter().copied().collect();
        assert_eq!(titles.len(), different.len(), "{}: titles", self.name);
        self.verify_on(&self.world());
    }

    /// Does the same where other tasks were done before, and returns what this one leaves.
    pub(crate) fn verify_on(&self, before: &World) -> World {
        let name = self.name;
        assert!(
            !self.judge(before, before).solved,
            "{name}: reached before anything was done"
        );
        let mut done = before.clone();
        if self.reached.is_some() {
            return done;
        }
        done.run = json!({"state": "Succeeded"});
        assert!(
            self.solution.is_empty() || !self.judge(before, &done).solved,
            "{name}: reached by doing nothing"
        );
        for edit in &self.solution {
            done.apply(*edit);
        }
        let judged = self.judge(before, &done);
        assert!(judged.solved, "{name}: not reached: {judged:?}");
        let mut more = done.clone();
        let extra = world::note("One too many", "", "Nobody asked for it.");
        more.notes.push(extra);
        let judged = self.judge(before, &more);
        assert!(
            !judged.solved && judged.superfluous == 1,
            "{name}: a note too many is not seen"
        );
        for at in 0..done.notes.len().min(BYSTANDERS_TRIED) {
            if before.notes.contains(&done.notes[at]) {
                let mut other = done.clone();
                other.notes[at]["value"] = "Something else.".into();
                let judged = self.judge(before, &other);
                assert!(
                    !judged.solved && judged.bystanders == 1,
                    "{name}: a changed bystander is not seen: {judged:?}"
                );
            }
        }
        self.verify_texts(before, &done);
        self.verify_answer(before, &done);
        done
    }

    /// Fails if the goal holds where the request was copied into the note that it is about, where the
    /// note was emptied, or where the old text stands beside the new one.
    fn verify_texts(&self, before: &World, done: &World) {
        for (was, now) in Difference::between(before, done).changed {
            let (old, new) = (world::plain(&was["value"]), world::plain(&now["value"]));
            let mut wrong = vec![format!("{old}\n{}", self.request), String::new()];
            if !new.starts_with(&old) {
                wrong.push(format!("{old}\n{new}"));
            }
            for text in wrong {
                let mut other = done.clone();
                let note = other.notes.iter_mut().find(|it| it["id"] == was["id"]);
                note.unwrap()["value"] = text.as_str().into();
                assert!(
                    !self.judge(before, &other).solved,
                    "{}: reached by {text:?}",
                    self.name
                );
            }
        }
    }

    /// Fails if the goal holds where the question itself is the answer, or where the answer has no source.
    fn verify_answer(&self, before: &World, done: &World) {
        let is_found = |answer: &Value| answer["found"] == true;
        if done.answer().is_none() {
            return;
        }
        let mut other = done.clone();
        other.run["answer"]["text"] = self.request.as_str().into();
        assert!(
            !self.judge(before, &other).solved,
            "{}: reached by the question",
            self.name
        );
        if done.answer().is_some_and(is_found) {
            let mut other = done.clone();
            other.run["answer"]["sources"] = json!([]);
            assert!(
                !self.judge(before, &other).solved,
                "{}: reached without a source",
                self.name
            );
        }
    }

    /// Returns the root as it is before, without making one.
    fn world(&self) -> World {
        let given = self.notes.iter().chain(&self.crowd);
        World {
            notes: given
                .map(|it| world::note(&it.title, &it.keywords, &it.text))
                .collect(),
            ram: self
                .ram
                .iter()
                .map(|(key, value)| ((*key).to_owned(), Value::from(value.as_str())))
                .collect(),
            storage: Value::Null,
            run: Value::Null,
        }
    }
}

impl World {
    /// Does one thing, as somebody who does a task would.
    fn apply(&mut self, edit: Edit) {
        let answer = |text: &str, sources: &[&str], found: bool| {
            let sources: Vec<Value> = sources.iter().map(|it| json!({"title": it})).collect();
            json!({"text": text, "sources": sources, "found": found})
        };
        match edit {
            Edit::Create(title, text) => self.notes.push(world::note(title, "", text)),
            Edit::Replace(title, old, new) => {
                let note = self.titled(title);
                let text = world::plain(&note["value"]);
                assert!(text.contains(old), "{title} holds {old}");
                note["value"] = text.replacen(old, new, 1).into();
            }
            Edit::Append(title, more) => {
                let note = self.titled(title);
                note["value"] = (world::plain(&note["value"]) + more).into();
            }
            Edit::Rename(title, new) => self.titled(title)["title"] = new.into(),
            Edit::Delete(title) => self.notes.retain(|it| it["title"] != title),
            Edit::Answer(text, sources) => self.run["answer"] = answer(text, sources, true),
            Edit::NotFound(text) => self.run["answer"] = answer(text, &[], false),
        }
    }

    fn titled(&mut self, title: &str) -> &mut Value {
        let mut notes = self.notes.iter_mut();
        notes.find(|it| it["title"] == title).unwrap()
    }
}
