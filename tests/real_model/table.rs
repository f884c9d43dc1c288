//! What the models came to, and the tables that show it.

use crate::outcome::{Outcome, Side};
use crate::sets::Set;
use std::fmt::Write as _;

/// Goal 13: the least share of the prompts' tokens that comes from the server's cache.
const CACHE_GOAL: f64 = 0.8;

/// Goal 14: the most tokens for a solved task, against the whole history resent.
const TOKENS_GOAL: f64 = 0.3;

/// The sums of some outcomes.
#[derive(Clone, Copy, Debug, Default)]
struct Sums {
    tasks: u64,
    solved: u64,
    succeeded: u64,
    /// Runs that the daemon took for a success and that did not do it.
    false_successes: u64,
    /// Bystanders that were changed, and notes too many; none where nobody looked.
    bystanders: Option<u64>,
    superfluous: Option<u64>,
    calls: u64,
    seconds: u64,
    iterations: u64,
    replies: u64,
    strict: u64,
    repaired: u64,
    /// Tokens of all prompts.
    sent: u64,
    /// Tokens of them that the server had to evaluate.
    evaluated: u64,
    generated: u64,
    /// The same two of the calls after the first cycle.
    steady_sent: u64,
    steady_cached: u64,
    /// Whether every server said what it had kept.
    tells_cache: bool,
}

impl Sums {
    fn of<'a>(outcomes: impl Iterator<Item = &'a Outcome>) -> Self {
        let mut sums = Self {
            tells_cache: true,
            bystanders: Some(0),
            superfluous: Some(0),
            ..Self::default()
        };
        for outcome in outcomes {
            sums.tasks += 1;
            sums.solved += u64::from(outcome.solved);
            sums.succeeded += u64::from(outcome.succeeded);
            sums.false_successes += u64::from(outcome.succeeded && !outcome.solved);
            sums.bystanders = added(sums.bystanders, outcome.bystanders);
            sums.superfluous = added(sums.superfluous, outcome.superfluous);
            sums.calls += u64::try_from(outcome.calls.len()).unwrap();
            sums.seconds += outcome.seconds;
            sums.iterations += outcome.iterations;
            sums.replies += outcome.replies;
            sums.strict += outcome.strict;
            sums.repaired += outcome.repaired;
            for (index, call) in outcome.calls.iter().enumerate() {
                let cached = call.1.unwrap_or_default();
                sums.tells_cache &= call.1.is_some();
                sums.sent += call.0;
                sums.evaluated += call.0 - cached;
                sums.generated += call.2;
                if index >= outcome.first_calls {
                    sums.steady_sent += call.0;
                    sums.steady_cached += cached;
                }
            }
        }
        sums
    }

    fn cache_share(&self) -> Option<f64> {
        let told = self.tells_cache && self.steady_sent > 0;
        told.then(|| quotient(self.steady_cached, self.steady_sent))
    }

    /// All tokens, those of unsolved tasks too, for each solved task.
    fn tokens_per_solved(&self, prompt: u64) -> Option<f64> {
        (self.solved > 0).then(|| quotient(prompt + self.generated, self.solved))
    }
}

fn added(sum: Option<u64>, more: Option<u64>) -> Option<u64> {
    Some(sum? + more?)
}

#[expect(clippy::cast_precision_loss, reason = "no count here comes near 2^52")]
fn quotient(part: u64, whole: u64) -> f64 {
    part as f64 / whole.max(1) as f64
}

/// One task in words.
pub(crate) fn line(outcome: &Outcome) -> String {
    let sums = Sums::of([outcome].into_iter());
    let mut strays = String::new();
    for (count, what) in [
        (outcome.superfluous, "superfluous"),
        (outcome.bystanders, "bystanders changed"),
    ] {
        if let Some(count) = count.filter(|it| *it > 0) {
            write!(strays, ", {count} {what}").unwrap();
        }
    }
    format!(
        "{} {} {} {}: {}: {}, {}{strays}, {} calls, {} tokens evaluated, {} generated, {} s",
        outcome.set.name(),
        outcome.model,
        outcome.window,
        outcome.side.name(),
        outcome.task,
        if outcome.solved { "solved" } else { "missed" },
        outcome.error_code.as_deref().unwrap_or("succeeded"),
        sums.calls,
        sums.evaluated,
        sums.generated,
        outcome.seconds
    )
}

/// All tables, as Markdown: what each set came to, how it came to it, and for the sets that are also
/// done with the whole history the comparison with it.
pub(crate) fn markdown(outcomes: &[Outcome]) -> String {
    [sets(outcomes), replies(outcomes), comparisons(outcomes)].join("\n")
}

/// The models and windows of some outcomes, as they come.
fn groups_of(outcomes: &[Outcome]) -> Vec<(&str, u32)> {
    let mut groups: Vec<(&str, u32)> = Vec::new();
    for outcome in outcomes {
        let group = (outcome.model.as_str(), outcome.window);
        if !groups.contains(&group) {
            groups.push(group);
        }
    }
    groups
}

fn sets(outcomes: &[Outcome]) -> String {
    let mut table = String::from(
        "| set | model | window | tasks | solved | false successes | bystanders changed | superfluous notes | calls/task | prompt tokens/task | evaluated/task | generated/task | seconds/task |\n\
         |---|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n",
    );
    for row in rows_of(outcomes) {
        let sums = Sums::of(of_row(outcomes, Side::Ours, row).into_iter());
        if sums.tasks > 0 {
            push_set_row(&mut table, row, &sums);
        }
    }
    table
}

fn push_set_row(table: &mut String, (set, model, window): (Set, &str, u32), sums: &Sums) {
    let count = |it: Option<u64>| it.map_or_else(|| "–".to_owned(), |it| it.to_string());
    let each = |total: u64| total / sums.tasks.max(1);
    writeln!(
        table,
        "| {} | {model} | {window} | {} | {} | {} | {} | {} | {:.1} | {} | {} | {} | {:.1} |",
        set.name(),
        sums.tasks,
        sums.solved,
        sums.false_successes,
        count(sums.bystanders),
        count(sums.superfluous),
        quotient(sums.calls, sums.tasks),
        each(sums.sent),
        each(sums.evaluated),
        each(sums.generated),
        quotient(sums.seconds, sums.tasks),
    )
    .unwrap();
}

/// The sets with their models and windows, as they come.
fn rows_of(outcomes: &[Outcome]) -> impl Iterator<Item = (Set, &str, u32)> {
    Set::ALL.into_iter().flat_map(move |set| {
        let groups = groups_of(outcomes).into_iter();
        groups.map(move |(model, window)| (set, model, window))
    })
}

fn of_row<'a>(outcomes: &'a [Outcome], side: Side, row: (Set, &str, u32)) -> Vec<&'a Outcome> {
    let is_of = |it: &&Outcome| it.side == side && (it.set, it.model.as_str(), it.window) == row;
    outcomes.iter().filter(is_of).collect()
}

fn replies(outcomes: &[Outcome]) -> String {
    let mut table = String::from(
        "| set | model | window | tasks | solved | succeeded | strict | after repair | iterations/task | from cache | goal 13 |\n\
         |---|---|--:|--:|--:|--:|--:|--:|--:|--:|---|\n",
    );
    for row in rows_of(outcomes) {
        let sums = Sums::of(of_row(outcomes, Side::Ours, row).into_iter());
        table.push_str(&own_row(row, &sums));
    }
    table
}

fn comparisons(outcomes: &[Outcome]) -> String {
    let mut table = String::from(
        "| set | model | window | tasks of both | solved | solved, history | evaluated + generated per solved task | the same, history | ratio | goal 14 | ratio without any cache |\n\
         |---|---|--:|--:|--:|--:|--:|--:|--:|---|--:|\n",
    );
    for row in rows_of(outcomes) {
        table.push_str(&against_history(row, outcomes));
    }
    table
}

fn own_row((set, model, window): (Set, &str, u32), sums: &Sums) -> String {
    if sums.tasks == 0 {
        return String::new();
    }
    let percent = |part: u64| part * 100 / sums.replies.max(1);
    let share = sums.cache_share();
    format!(
        "| {} | {model} | {window} | {} | {} | {} | {} % | {} % | {:.1} | {} | {} |\n",
        set.name(),
        sums.tasks,
        sums.solved,
        sums.succeeded,
        percent(sums.strict),
        percent(sums.repaired),
        quotient(sums.iterations, sums.tasks),
        number(share, 2),
        met(share.map(|share| share >= CACHE_GOAL)),
    )
}

/// Compares the tasks that both sides have tried.
fn against_history(row: (Set, &str, u32), outcomes: &[Outcome]) -> String {
    let (set, model, window) = row;
    let ours = of_row(outcomes, Side::Ours, row);
    let theirs = of_row(outcomes, Side::History, row);
    let tried = |others: &[&Outcome], one: &Outcome| others.iter().any(|it| it.task == one.task);
    let both = |mine: &[&Outcome], others: &[&Outcome]| {
        let of_both: Vec<Outcome> = mine
            .iter()
            .filter(|it| tried(others, it))
            .map(|it| (*it).clone())
            .collect();
        Sums::of(of_both.iter())
    };
    let (our, their) = (both(&ours, &theirs), both(&theirs, &ours));
    if our.tasks == 0 {
        return String::new();
    }
    let ratio = |of: fn(&Sums) -> u64| {
        let ours = our.tokens_per_solved(of(&our))?;
        let theirs = their.tokens_per_solved(of(&their))?;
        Some(ours / theirs)
    };
    let cached = ratio(|sums| sums.evaluated);
    let is_met = match (our.solved, their.solved) {
        // Nothing solved has no price, so there is no ratio, and none is claimed.
        (_, 0) => None,
        (0, _) => Some(false),
        _ => cached.map(|ratio| ratio <= TOKENS_GOAL),
    };
    format!(
        "| {} | {model} | {window} | {} | {} | {} | {} | {} | {} | {} | {} |\n",
        set.name(),
        our.tasks,
        our.solved,
        their.solved,
        number(our.tokens_per_solved(our.evaluated), 0),
        number(their.tokens_per_solved(their.evaluated), 0),
        number(cached, 2),
        met(is_met),
        number(ratio(|sums| sums.sent), 2),
    )
}

fn number(value: Option<f64>, digits: usize) -> String {
    value.map_or_else(|| "–".to_owned(), |value| format!("{value:.digits$}"))
}

const fn met(is_met: Option<bool>) -> &'static str {
    match is_met {
        Some(true) => "yes",
        Some(false) => "**no**",
        None => "–",
    }
}
