//! The certificate for small windows: thousands of loops beside a scripted model, at each window. Says
//! what was paged when, what overflowed, what was lost; and writes the table into `tests/README.md`.

#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a campaign may stop at once, and its account is what it is for"
)]

use crate::on_every_core;
use crate::readme_table;
use crate::shared::windows::{Life, Report, WINDOWS, live, lives};
use std::fmt::Write as _;
use std::path::PathBuf;
use std::sync::Mutex;

/// Loops of one life. Enough for RAM to fill and be paged many times, and for some restarts.
const LIFE_LOOPS: u64 = 250;

/// Violations that are printed in full.
const SHOWN_MAX: usize = 20;

/// What is asked for.
pub(crate) struct Options {
    /// Loops at each window.
    pub(crate) loops: u64,
    /// The seed of the first life.
    pub(crate) seed: u64,
    /// Whether each paged key gets a line.
    pub(crate) is_verbose: bool,
    /// Where the table goes.
    pub(crate) readme: Option<PathBuf>,
}

/// Lives all lives; gives the number of violations.
pub(crate) fn campaign(options: &Options) -> u64 {
    let mut rows = String::new();
    let mut violations = 0;
    for window in WINDOWS {
        let report = together(&lives(window, options.loops, LIFE_LOOPS, options.seed));
        tell(window, &report, options.is_verbose);
        violations += u64::try_from(report.violations().len()).unwrap();
        row(&mut rows, window, &report);
    }
    let table = format!("{HEAD}{rows}");
    println!("\n{table}");
    if let Some(path) = &options.readme {
        readme_table::write(path, "windows", &table).unwrap();
    }
    println!(
        "{} performed, {violations} violations, seed {}",
        options.loops * u64::try_from(WINDOWS.len()).unwrap(),
        options.seed
    );
    violations
}

/// Lives some lives, on every core, and adds up their accounts in order.
fn together(lives: &[Life]) -> Report {
    let reports: Vec<Mutex<Report>> = lives.iter().map(|_| Mutex::default()).collect();
    on_every_core(0..u64::try_from(lives.len()).unwrap(), |number| {
        let index = usize::try_from(number).unwrap();
        let mut runtime = tokio::runtime::Builder::new_current_thread();
        let runtime = runtime.enable_all().build().unwrap();
        *reports[index].lock().unwrap() = runtime.block_on(live(lives[index]));
    });
    let mut sum = Report::default();
    for report in reports {
        sum.add(report.into_inner().unwrap());
    }
    sum
}

/// The account in words.
fn tell(window: u32, report: &Report, is_verbose: bool) {
    println!(
        "window {window}: {} loops in {} runs, {} of them refused before a call",
        report.loops, report.runs, report.refused_before_a_call
    );
    println!(
        "  {} prompts, {} tokens in the middle, {} at most; {} of them say what was left out",
        report.prompts.len(),
        median(&report.prompts),
        largest(&report.prompts),
        report.prompts_cut
    );
    println!(
        "  {} answers came to the end of their share; {} values were written, {} more ordered",
        report.answers_cut, report.written, report.not_applied
    );
    println!(
        "  {} paging iterations; {} keys left RAM, {} came back",
        report.paging_loops,
        report.paged.len(),
        report.brought_back
    );
    print!("{}", when(report));
    if is_verbose {
        for paged in &report.paged {
            println!("  {paged}");
        }
    }
    println!(
        "  {} overflows, {} lost values",
        report.overflows.len(),
        report.lost.len()
    );
    for violation in report.violations().into_iter().take(SHOWN_MAX) {
        println!("    {violation}");
    }
}

/// How many keys left RAM in which part of their life, and by whom: a line each.
fn when(report: &Report) -> String {
    const PART: u64 = 50;
    let mut lines = String::new();
    for part in 0..LIFE_LOOPS.div_ceil(PART) {
        let (from, to) = (part * PART, (part + 1) * PART);
        let (by_model, by_rule) = report.paged_in(from..to);
        let first = from + 1;
        writeln!(
            lines,
            "    in loops {first} to {to} of a life: {by_model} keys by the model, {by_rule} by rule"
        )
        .unwrap();
    }
    lines
}

fn largest(prompts: &[usize]) -> usize {
    prompts.iter().copied().max().unwrap_or_default()
}

fn median(prompts: &[usize]) -> usize {
    let mut sorted = prompts.to_vec();
    sorted.sort_unstable();
    sorted.get(sorted.len() / 2).copied().unwrap_or_default()
}

const HEAD: &str = "| window | loops | overflows | values written | lost | prompt tokens, median | largest | prompts cut | refused before a call | paging iterations | keys paged by the model | by rule |\n\
     |--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n";

fn row(rows: &mut String, window: u32, report: &Report) {
    let (by_model, by_rule) = report.paged_in(0..LIFE_LOOPS);
    writeln!(
        rows,
        "| {window} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {by_model} | {by_rule} |",
        report.loops,
        report.overflows.len(),
        report.written,
        report.lost.len(),
        median(&report.prompts),
        largest(&report.prompts),
        report.prompts_cut,
        report.refused_before_a_call,
        report.paging_loops,
    )
    .unwrap();
}
