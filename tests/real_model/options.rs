//! What the command line asks for.

use crate::outcome::Side;
use crate::tasks::{self, Task};
use std::fmt::Display;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

/// How the program is called.
pub(crate) const USAGE: &str = "[--constrain] [--quick] [--minutes N] [--tasks NAME,NAME] [--window TOKENS,TOKENS] \
     [--side ours|history] [--form off|gbnf|json_schema] [--results FILE] [--table-from FILE] [--readme FILE] [MODEL ...]";

/// The models that are asked when none is named.
const MODELS: [&str; 2] = ["smollm2", "qwen0.5b"];

/// The windows that the certificate is for, in tokens.
const WINDOWS: [u32; 2] = [4096, 8192];

/// The tasks of a quick look.
const QUICK_TASKS: usize = 2;

/// The choice.
pub(crate) struct Options {
    pub(crate) models: Vec<String>,
    pub(crate) windows: Vec<u32>,
    pub(crate) sides: Vec<Side>,
    pub(crate) tasks: Vec<Task>,
    pub(crate) limit: Duration,
    /// Where the results are kept, and where those of an earlier start are found.
    pub(crate) results: Option<PathBuf>,
    /// The results to show in place of running anything.
    pub(crate) table_from: Option<PathBuf>,
    pub(crate) readme: Option<PathBuf>,
    /// The form that answers are kept to; the program's own choice if there is none.
    pub(crate) form: Option<String>,
    /// Whether forms of answers are measured, in place of tasks.
    pub(crate) constrain: bool,
}

impl Options {
    /// Reads the words behind the program's name.
    pub(crate) fn read(words: impl Iterator<Item = String>) -> Result<Self, String> {
        let mut options = Self {
            models: Vec::new(),
            windows: WINDOWS.to_vec(),
            sides: Side::ALL.to_vec(),
            tasks: tasks::all(),
            limit: Duration::from_hours(4),
            results: None,
            table_from: None,
            readme: None,
            form: None,
            constrain: false,
        };
        let mut words = words.peekable();
        while let Some(word) = words.next() {
            if !word.starts_with('-') {
                options.models.push(word);
                continue;
            }
            if word == "--constrain" {
                options.constrain = true;
                continue;
            }
            if word == "--quick" {
                options.quick();
                continue;
            }
            let value = words
                .next()
                .ok_or_else(|| format!("{word} needs a value"))?;
            options.set(&word, &value)?;
        }
        if options.models.is_empty() {
            options.models = MODELS.map(str::to_owned).to_vec();
        }
        Ok(options)
    }

    /// The smallest model, the smallest window, a few tasks.
    fn quick(&mut self) {
        self.models = vec![MODELS[0].to_owned()];
        self.windows.truncate(1);
        self.tasks.truncate(QUICK_TASKS);
        self.limit = Duration::from_mins(3);
    }

    fn set(&mut self, name: &str, value: &str) -> Result<(), String> {
        match name {
            "--form" => self.form = Some(value.to_owned()),
            "--minutes" => self.limit = Duration::from_mins(number(value)?),
            "--tasks" => {
                let wanted: Vec<&str> = value.split(',').collect();
                let known = |name: &&&str| self.tasks.iter().any(|task| task.name == **name);
                if let Some(stranger) = wanted.iter().find(|name| !known(name)) {
                    let names: Vec<&str> = self.tasks.iter().map(|task| task.name).collect();
                    return Err(format!(
                        "no task {stranger}; there are: {}",
                        names.join(", ")
                    ));
                }
                self.tasks.retain(|task| wanted.contains(&task.name));
            }
            "--window" => {
                let windows = value.split(',').map(number);
                self.windows = windows.collect::<Result<_, _>>()?;
            }
            "--side" => {
                self.sides.retain(|side| side.name() == value);
                if self.sides.is_empty() {
                    return Err(format!("no side {value}"));
                }
            }
            "--results" => self.results = Some(value.into()),
            "--table-from" => self.table_from = Some(value.into()),
            "--readme" => self.readme = Some(value.into()),
            _ => return Err(format!("unknown option {name}")),
        }
        Ok(())
    }
}

fn number<N: FromStr<Err: Display>>(text: &str) -> Result<N, String> {
    text.parse().map_err(|error| format!("{text}: {error}"))
}
