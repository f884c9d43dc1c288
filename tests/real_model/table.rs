//! What a model came to, and the table that shows it.

use serde_json::Value;

/// One model's figures.
pub(crate) struct Row {
    model: String,
    /// Tasks run.
    pub(crate) tasks: u64,
    succeeded: u64,
    reached: u64,
    /// Replies read.
    pub(crate) replies: u64,
    /// Replies that parse as they are.
    pub(crate) strict: u64,
    /// Replies with something to execute after repair.
    pub(crate) recovered: u64,
    iterations: u64,
    input_tokens: u64,
    output_tokens: u64,
}

impl Row {
    /// A model before its first task.
    pub(crate) fn new(model: &str) -> Self {
        Self {
            model: model.to_owned(),
            tasks: 0,
            succeeded: 0,
            reached: 0,
            replies: 0,
            strict: 0,
            recovered: 0,
            iterations: 0,
            input_tokens: 0,
            output_tokens: 0,
        }
    }

    /// Adds a finished run.
    pub(crate) fn add(&mut self, run: &Value, reached: bool) {
        let count = |value: &Value| value.as_u64().unwrap();
        self.tasks += 1;
        self.succeeded += u64::from(run["state"] == "Succeeded");
        self.reached += u64::from(reached);
        self.iterations += count(&run["loop_count"]);
        self.input_tokens += count(&run["usage"]["input_tokens"]);
        self.output_tokens += count(&run["usage"]["output_tokens"]);
    }
}

/// Where the README holds the table.
const MARKS: (&str, &str) = ("<!-- models:begin -->\n", "<!-- models:end -->");

/// One line a model, as Markdown.
pub(crate) fn markdown(rows: &[Row]) -> String {
    let mut table = String::from(
        "| model | tasks | succeeded | done | strict | after repair | iterations/task | prompt tokens/task | generated/task |\n\
         |---|--:|--:|--:|--:|--:|--:|--:|--:|\n",
    );
    for row in rows {
        let percent = |part: u64| part * 100 / row.replies.max(1);
        let each = |total: u64| total / row.tasks.max(1);
        let line = format!(
            "| {} | {} | {} | {} | {} % | {} % | {} | {} | {} |\n",
            row.model,
            row.tasks,
            row.succeeded,
            row.reached,
            percent(row.strict),
            percent(row.recovered),
            each(row.iterations),
            each(row.input_tokens),
            each(row.output_tokens),
        );
        table.push_str(&line);
    }
    table
}

/// Puts the table into a README, in place of the one there.
pub(crate) fn write_readme(path: &str, table: &str) {
    let text = std::fs::read_to_string(path).unwrap();
    let (before, rest) = text.split_once(MARKS.0).unwrap();
    let (_, after) = rest.split_once(MARKS.1).unwrap();
    let text = format!("{before}{}{table}{}{after}", MARKS.0, MARKS.1);
    std::fs::write(path, text).unwrap();
}
