//! Clocks, medians, and what the kernel says about processes and disks. Measures; judges nothing.

use rustix::time::{ClockId, clock_gettime};
use serde_json::{Value, json};
use std::fs;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

/// What a measurement comes to, or why it could not be made.
pub(crate) type Outcome<T> = Result<T, Box<dyn std::error::Error>>;

/// Nanoseconds of the clock that all processes of the machine share.
pub(crate) fn now_ns() -> u64 {
    nanoseconds(ClockId::Monotonic)
}

/// Nanoseconds of processor time that this process has used, all threads together.
pub(crate) fn cpu_ns() -> u64 {
    nanoseconds(ClockId::ProcessCPUTime)
}

fn nanoseconds(clock: ClockId) -> u64 {
    let time = clock_gettime(clock);
    let parts = u64::try_from(time.tv_sec)
        .ok()
        .zip(u64::try_from(time.tv_nsec).ok());
    parts.map_or(0, |(seconds, rest)| seconds * 1_000_000_000 + rest)
}

/// A count as a number to calculate with.
#[expect(clippy::cast_precision_loss, reason = "no count here comes near 2^52")]
pub(crate) const fn float(count: u64) -> f64 {
    count as f64
}

/// A length as a number to calculate with.
#[expect(clippy::cast_precision_loss, reason = "no length here comes near 2^52")]
pub(crate) const fn float_len(count: usize) -> f64 {
    count as f64
}

/// The middle of some samples; zero of none.
pub(crate) fn median(samples: &[f64]) -> f64 {
    let mut sorted = samples.to_vec();
    sorted.sort_by(f64::total_cmp);
    let middle = sorted.len() / 2;
    let above = sorted.get(middle).copied().unwrap_or_default();
    if sorted.len() % 2 == 1 || middle == 0 {
        return above;
    }
    let below = sorted.get(middle - 1).copied().unwrap_or(above);
    f64::midpoint(above, below)
}

/// Samples of two sides that were measured next to each other.
#[derive(Clone, Debug, Default)]
pub(crate) struct Pairs {
    ours: Vec<f64>,
    theirs: Vec<f64>,
}

impl Pairs {
    /// Adds what both sides came to in one round.
    pub(crate) fn push(&mut self, ours: f64, theirs: f64) {
        self.ours.push(ours);
        self.theirs.push(theirs);
    }

    /// The median of our side.
    pub(crate) fn ours(&self) -> f64 {
        median(&self.ours)
    }

    /// The median of the other side.
    pub(crate) fn theirs(&self) -> f64 {
        median(&self.theirs)
    }

    /// The median of the rounds' quotients.
    pub(crate) fn ratio(&self) -> f64 {
        let rounds = self.ours.iter().zip(&self.theirs);
        median(
            &rounds
                .map(|(ours, theirs)| ours / theirs)
                .collect::<Vec<_>>(),
        )
    }

    /// How many rounds there were.
    pub(crate) fn len(&self) -> usize {
        self.ours.len()
    }
}

/// Resident memory of a process, in KiB; `self` is this one.
pub(crate) fn rss_kib(process: &str) -> Outcome<u64> {
    let status = fs::read_to_string(format!("/proc/{process}/status"))?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let number = line.and_then(|rest| rest.split_whitespace().next());
    Ok(number.ok_or("the kernel names no VmRSS")?.parse()?)
}

/// The counters of the block device below a folder: where it stands in `/sys`, if it does.
pub(crate) fn device_stat(folder: &Path) -> Outcome<PathBuf> {
    let device = fs::metadata(folder)?.dev();
    let (major, minor) = (rustix::fs::major(device), rustix::fs::minor(device));
    let path = PathBuf::from(format!("/sys/dev/block/{major}:{minor}/stat"));
    if path.exists() {
        Ok(path)
    } else {
        Err(format!("device {major}:{minor} has no counters in /sys").into())
    }
}

/// Bytes ever written to a device.
pub(crate) fn device_bytes(stat: &Path) -> Outcome<u64> {
    const SECTOR_BYTES: u64 = 512;
    let text = fs::read_to_string(stat)?;
    let sectors = text
        .split_whitespace()
        .nth(6)
        .ok_or("the counters are too few")?;
    Ok(sectors.parse::<u64>()? * SECTOR_BYTES)
}

/// Bytes that a process caused to be written, as the kernel accounts them; `self` is this one.
pub(crate) fn process_bytes(process: &str) -> Outcome<u64> {
    let text = fs::read_to_string(format!("/proc/{process}/io"))?;
    let line = text
        .lines()
        .find_map(|line| line.strip_prefix("write_bytes:"));
    Ok(line
        .ok_or("the kernel names no write_bytes")?
        .trim()
        .parse()?)
}

/// What the numbers were measured on.
pub(crate) fn machine(folder: &Path) -> Value {
    let cpuinfo = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = cpuinfo
        .lines()
        .find_map(|line| line.strip_prefix("model name"));
    let model = model
        .and_then(|rest| rest.split_once(':'))
        .map(|(_, name)| name.trim());
    let kernel = fs::read_to_string("/proc/sys/kernel/osrelease").unwrap_or_default();
    json!({
        "cpu": model.unwrap_or("unknown"),
        "cpus": std::thread::available_parallelism().map_or(1, std::num::NonZero::get),
        "kernel": kernel.trim(),
        "filesystem": file_system(folder).unwrap_or_else(|| "unknown".to_owned()),
    })
}

/// The type of the file system that a folder is on: that of the longest mount point above it.
fn file_system(folder: &Path) -> Option<String> {
    let mounts = fs::read_to_string("/proc/self/mountinfo").ok()?;
    let mut best: Option<(usize, String)> = None;
    for line in mounts.lines() {
        let Some((left, right)) = line.split_once(" - ") else {
            continue;
        };
        let (Some(point), Some(kind)) = (left.split(' ').nth(4), right.split(' ').next()) else {
            continue;
        };
        let longer = best
            .as_ref()
            .is_none_or(|(length, _)| point.len() >= *length);
        if folder.starts_with(point) && longer {
            best = Some((point.len(), kind.to_owned()));
        }
    }
    best.map(|(_, kind)| kind)
}
