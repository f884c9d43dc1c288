//! The benches: every goal is a ratio of two sides that are run in turn by this one command.
//!
//! `cargo bench -- [--quick] [--only 1,3] [--json FILE] [--readme tests/README.md]
//! [--model-url http://HOST:PORT/v1 [--model NAME]]`
//!
//! The other side of most goals is the reference floor loop in `floor`, which uses no product code.
//! The model server is a child process that answers at once. Nothing here is shipped.

#![expect(
    clippy::disallowed_methods,
    reason = "a bench owns its files, processes and clocks; none of them are the product's"
)]

mod device;
mod endurance;
mod floor;
mod http;
mod measure;
mod model;
mod parsing;
mod peer;
mod product;
#[expect(dead_code, reason = "a bench uses its share")]
#[path = "../it/random.rs"]
mod random;
mod readme_table;
mod recovery;
mod rehearsal;
mod relay;
mod report;
mod search;
mod start;
mod turns;

use measure::{Outcome, machine};
use model::Server;
use report::Row;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// What the command line asks for.
#[derive(Clone, Debug, Default)]
struct Options {
    quick: bool,
    only: Vec<u8>,
    json: Option<PathBuf>,
    readme: Option<PathBuf>,
    server: Option<Server>,
}

/// Measures some goals.
type Measure<'a> = &'a dyn Fn() -> Outcome<Vec<Row>>;

fn main() -> ExitCode {
    // Clients of these measurements speak no TLS, but reqwest makes none without its cryptography.
    drop(rustls::crypto::ring::default_provider().install_default());
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let outcome = match arguments.split_first() {
        // The processes that a measurement starts are this program in another mode.
        Some((mode, _)) if mode == "--peer" => peer::serve(),
        Some((mode, rest)) if mode == "--floor-start" => floor::start(rest),
        Some((mode, rest)) if mode == "--floor-run" => floor::run(rest),
        Some((mode, rest)) if mode == "--product-run" => product::run(rest),
        // `cargo test --all-targets` starts every bench without this argument, to see that it runs.
        _ if !arguments.iter().any(|argument| argument == "--bench") => {
            say("The benches run with `cargo bench`.")
        }
        _ => options(&arguments).and_then(|options| bench(&options)),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // Where even the standard error is closed, the exit code is left to tell.
            drop(writeln!(std::io::stderr(), "bench: {error}"));
            ExitCode::FAILURE
        }
    }
}

fn say(text: &str) -> Outcome<()> {
    Ok(writeln!(std::io::stdout(), "{text}")?)
}

fn options(arguments: &[String]) -> Outcome<Options> {
    let mut options = Options::default();
    let mut model = None;
    let mut base_url = None;
    let mut rest = arguments.iter();
    while let Some(argument) = rest.next() {
        let mut value = || {
            rest.next()
                .ok_or_else(|| format!("{argument} needs a value"))
        };
        match argument.as_str() {
            "--bench" => {}
            "--quick" => options.quick = true,
            "--only" => {
                for number in value()?.split(',') {
                    options.only.push(number.trim().parse()?);
                }
            }
            "--json" => options.json = Some(PathBuf::from(value()?)),
            "--readme" => options.readme = Some(PathBuf::from(value()?)),
            "--model-url" => base_url = Some(value()?.trim_end_matches('/').to_owned()),
            "--model" => model = Some(value()?.clone()),
            other => return Err(format!("unknown argument {other}").into()),
        }
    }
    options.server = base_url.map(|base_url| Server { base_url, model });
    Ok(options)
}

fn bench(options: &Options) -> Outcome<()> {
    let machine = machine(Path::new(env!("CARGO_TARGET_TMPDIR")));
    say(&machine.to_string())?;
    product::log_to_nowhere()?;
    let (quick, server) = (options.quick, options.server.as_ref());
    let wanted = |numbers: &[u8]| {
        options.only.is_empty() || numbers.iter().any(|number| options.only.contains(number))
    };
    let groups: [(&[u8], Measure<'_>); 10] = [
        (&[1, 2], &|| turns::measure(quick)),
        (&[3], &|| endurance::measure_endurance(quick)),
        (&[5], &|| start::measure(quick)),
        (&[6], &|| Ok(endurance::measure_memory(quick))),
        (&[7], &|| recovery::measure(quick)),
        (&[8], &|| parsing::measure(quick)),
        (&[9], &|| device::measure(quick)),
        (&[10, 12], &|| search::measure(quick)),
        (&[11, 13], &|| {
            let mut rows = model::measure_fixed_prompt(server)?;
            rows.extend(model::measure_prefix_cache(server, quick)?);
            Ok(rows)
        }),
        (&[15], &|| rehearsal::measure(quick)),
    ];
    let mut rows = Vec::new();
    for (numbers, measure) in groups {
        if wanted(numbers) {
            for row in measure()? {
                say(&row.to_text())?;
                rows.push(row);
            }
        }
    }
    if let Some(path) = &options.json {
        let json = report::to_json(&rows, &machine, quick);
        std::fs::write(path, format!("{json:#}\n"))?;
    }
    if let Some(path) = &options.readme {
        readme_table::write(path, "bench", &report::markdown(&rows, &machine))?;
    }
    Ok(())
}
