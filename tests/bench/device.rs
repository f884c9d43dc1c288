//! Goal 9: bytes that reach the disk for one durable iteration, beside `SQLite` keeping the same
//! record in WAL mode with full synchronisation. `SQLite` runs in a Python child, so that the tree does not
//! have to build it.

use crate::floor::runtime;
use crate::measure::{Outcome, Pairs, device_bytes, device_stat, float, process_bytes};
use crate::peer::Peer;
use crate::product::{self, Stopwatch, Work};
use crate::report::{Goal, Question, Row};
use std::fs::File;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

const BYTES: Question = Question {
    number: 9,
    what: "bytes written to the device by one durable iteration",
    against: "SQLite, WAL and synchronous=FULL, one upsert of a record of the same length",
    unit: "bytes",
    goal: Goal::AtMost(0.5),
};

/// Upserts as many records as each line of its input says.
const SQLITE: &str = "
import sqlite3, sys
path, size = sys.argv[1], int(sys.argv[2])
base = sqlite3.connect(path, isolation_level=None)
base.execute('PRAGMA journal_mode=WAL')
base.execute('PRAGMA synchronous=FULL')
base.execute('CREATE TABLE kept(key TEXT PRIMARY KEY, value BLOB)')
print(sqlite3.sqlite_version, flush=True)
number = 0
for line in sys.stdin:
    for _ in range(int(line)):
        number += 1
        value = (b'%d ' % number) * size
        base.execute('INSERT INTO kept VALUES(?, ?) ON CONFLICT(key) DO UPDATE SET value=excluded.value',
                     ('key %d' % (number % 100), value[:size]))
    print('done', flush=True)
";

/// Iterations or upserts of one round.
const ROUND: u32 = 200;

/// Measures the goal.
pub(crate) fn measure(quick: bool) -> Outcome<Vec<Row>> {
    let folder = product::folder()?;
    Ok(vec![
        match compare(folder.path(), if quick { 3 } else { 15 }) {
            Ok(row) => row,
            Err(error) => Row::skipped(BYTES, error.to_string()),
        },
    ])
}

fn compare(folder: &Path, rounds: u32) -> Outcome<Row> {
    let peer = Peer::start()?;
    let root = folder.join("root");
    product::prepare(&root, &peer.base_url(), Work::Endless)?;
    let gauge = Gauge::of(folder)?;
    runtime()?.block_on(async {
        let (mut agent, _stop) = product::open_agent(&root, Stopwatch::default())?;
        let run_id = product::begin(&mut agent).await?;
        let before = product::journal_bytes(&root)?;
        for _ in 0..ROUND {
            product::iterate(&mut agent, run_id).await?;
        }
        let record_bytes = (product::journal_bytes(&root)? - before) / u64::from(ROUND);
        let mut sqlite = Sqlite::start(&folder.join("kept.sqlite"), record_bytes)?;
        sqlite.upsert(ROUND)?;

        let mut pairs = Pairs::default();
        for _ in 0..rounds {
            let since = gauge.settled("self")?;
            for _ in 0..ROUND {
                product::iterate(&mut agent, run_id).await?;
            }
            let ours = gauge.settled("self")? - since;

            let process = sqlite.child.id().to_string();
            let since = gauge.settled(&process)?;
            sqlite.upsert(ROUND)?;
            let theirs = gauge.settled(&process)? - since;
            pairs.push(
                float(ours) / f64::from(ROUND),
                float(theirs) / f64::from(ROUND),
            );
        }
        Ok(Row::of(BYTES, &pairs)
            .with("counted", gauge.name())
            .with("record_bytes", record_bytes)
            .with("sqlite", sqlite.version.as_str())
            .with("iterations_per_round", ROUND))
    })
}

/// Where written bytes are read from.
struct Gauge {
    folder: File,
    device: Option<PathBuf>,
}

impl Gauge {
    fn of(folder: &Path) -> Outcome<Self> {
        let device = device_stat(folder).ok();
        Ok(Self {
            folder: File::open(folder)?,
            device,
        })
    }

    const fn name(&self) -> &'static str {
        match self.device {
            Some(_) => {
                "sectors of the block device; whatever else writes to it meanwhile counts too"
            }
            None => "write_bytes of the process: the device has no counters here",
        }
    }

    /// The count once everything that is owed has been written.
    fn settled(&self, process: &str) -> Outcome<u64> {
        rustix::fs::syncfs(&self.folder)?;
        match &self.device {
            Some(stat) => device_bytes(stat),
            None => process_bytes(process),
        }
    }
}

/// `SQLite` in a child; it ends when this is dropped.
struct Sqlite {
    child: Child,
    commands: ChildStdin,
    answers: BufReader<ChildStdout>,
    version: String,
}

impl Sqlite {
    fn start(path: &Path, record_bytes: u64) -> Outcome<Self> {
        let mut child = Command::new("python3")
            .args(["-c", SQLITE])
            .arg(path)
            .arg(record_bytes.to_string())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|error| format!("python3 with its sqlite3 is needed: {error}"))?;
        let commands = child.stdin.take().ok_or("python3 has no input")?;
        let output = child.stdout.take().ok_or("python3 has no output")?;
        let answers = BufReader::new(output);
        let mut sqlite = Self {
            child,
            commands,
            answers,
            version: String::new(),
        };
        sqlite.version = sqlite.answer()?;
        Ok(sqlite)
    }

    fn upsert(&mut self, count: u32) -> Outcome<()> {
        writeln!(self.commands, "{count}")?;
        self.answer().map(drop)
    }

    fn answer(&mut self) -> Outcome<String> {
        let mut line = String::new();
        if self.answers.read_line(&mut line)? == 0 {
            return Err("python3 with its sqlite3 is needed".into());
        }
        Ok(line.trim().to_owned())
    }
}

impl Drop for Sqlite {
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }
}
