//! The content of a block device in memory, and what a power cut leaves of it.

#![expect(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "a campaign may stop at once; it plays the machine"
)]

use crate::random::Random;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::Read as _;
use std::os::unix::fs::FileExt as _;
use std::path::Path;

/// What is kept in one piece in memory, in bytes.
const BLOCK: usize = 4096;

/// What a drive writes whole or not at all, in bytes.
const SECTOR: u64 = 512;

/// What was done to a device.
#[derive(Debug)]
pub(crate) enum Deed {
    /// Bytes were written at an offset.
    Write(u64, Vec<u8>),
    /// A stretch was made zero: its offset and its length.
    Zero(u64, u64),
    /// Everything before has to be safe.
    Flush,
}

/// The bytes of a device; what was never written is zero and takes no room.
#[derive(Clone, Debug)]
pub(crate) struct Image {
    bytes: u64,
    blocks: BTreeMap<u64, Box<[u8]>>,
}

/// The block of an offset and the place in it.
fn place(offset: u64) -> (u64, usize) {
    let block = u64::try_from(BLOCK).unwrap();
    (offset / block, usize::try_from(offset % block).unwrap())
}

impl Image {
    /// The content of a file.
    pub(crate) fn of_file(path: &Path) -> Self {
        let mut file = File::open(path).unwrap();
        let mut image = Self {
            bytes: file.metadata().unwrap().len(),
            blocks: BTreeMap::new(),
        };
        let (mut offset, mut chunk) = (0, vec![0; 256 * BLOCK]);
        loop {
            let count = file.read(&mut chunk).unwrap();
            if count == 0 {
                return image;
            }
            image.write(offset, &chunk[..count]);
            offset += u64::try_from(count).unwrap();
        }
    }

    /// Writes a new file with this content.
    pub(crate) fn to_file(&self, path: &Path) {
        let file = File::create(path).unwrap();
        file.set_len(self.bytes).unwrap();
        for (number, block) in &self.blocks {
            let offset = number * u64::try_from(BLOCK).unwrap();
            file.write_all_at(block, offset).unwrap();
        }
    }

    /// The size of the device.
    pub(crate) const fn bytes(&self) -> u64 {
        self.bytes
    }

    /// So many bytes from an offset on, fewer at the end.
    pub(crate) fn read(&self, offset: u64, count: u64) -> Vec<u8> {
        let count = count.min(self.bytes.saturating_sub(offset));
        let mut found = Vec::with_capacity(usize::try_from(count).unwrap());
        let end = offset + count;
        let mut offset = offset;
        while offset < end {
            let (number, from) = place(offset);
            let left = usize::try_from(end - offset).unwrap();
            let to = BLOCK.min(from + left);
            match self.blocks.get(&number) {
                Some(block) => found.extend_from_slice(&block[from..to]),
                None => found.resize(found.len() + to - from, 0),
            }
            offset += u64::try_from(to - from).unwrap();
        }
        found
    }

    /// Writes bytes at an offset.
    pub(crate) fn write(&mut self, offset: u64, bytes: &[u8]) {
        let (mut offset, mut bytes) = (offset, bytes);
        while !bytes.is_empty() {
            let (number, from) = place(offset);
            let (part, rest) = bytes.split_at(bytes.len().min(BLOCK - from));
            let is_zero = part.iter().all(|byte| *byte == 0);
            if !is_zero || self.blocks.contains_key(&number) {
                let empty = || vec![0; BLOCK].into_boxed_slice();
                let block = self.blocks.entry(number).or_insert_with(empty);
                block[from..from + part.len()].copy_from_slice(part);
            }
            offset += u64::try_from(part.len()).unwrap();
            bytes = rest;
        }
    }

    /// Makes a stretch zero.
    pub(crate) fn zero(&mut self, offset: u64, count: u64) {
        let (first, _) = place(offset);
        let (last, _) = place(offset + count);
        let known: Vec<u64> = self.blocks.range(first..=last).map(|it| *it.0).collect();
        for number in known {
            let begin = number * u64::try_from(BLOCK).unwrap();
            let from = offset.max(begin);
            let to = (offset + count).min(begin + u64::try_from(BLOCK).unwrap());
            if from < to {
                self.write(from, &vec![0; usize::try_from(to - from).unwrap()]);
            }
        }
    }

    /// Does one thing in full.
    pub(crate) fn apply(&mut self, deed: &Deed) {
        match deed {
            Deed::Write(offset, bytes) => self.write(*offset, bytes),
            Deed::Zero(offset, count) => self.zero(*offset, *count),
            Deed::Flush => {}
        }
    }

    /// Does one thing as far as its sectors survive.
    fn apply_in_part(&mut self, deed: &Deed, survives: &mut dyn FnMut() -> bool) {
        match deed {
            Deed::Write(offset, bytes) => {
                let sectors = bytes.chunks(usize::try_from(SECTOR).unwrap());
                for (number, sector) in (0..).zip(sectors) {
                    if survives() {
                        self.write(offset + number * SECTOR, sector);
                    }
                }
            }
            Deed::Zero(offset, count) => {
                for number in 0..count.div_ceil(SECTOR) {
                    let begin = number * SECTOR;
                    if survives() {
                        self.zero(offset + begin, SECTOR.min(count - begin));
                    }
                }
            }
            Deed::Flush => {}
        }
    }
}

/// What a power cut leaves of a device that held `base` and to which `deeds` were done: all that came before
/// the last flush, and of what came behind it what chance lets through, sector by sector.
pub(crate) fn cut(base: &Image, deeds: &[Deed], random: &mut Random) -> Image {
    let flush = deeds.iter().rposition(|deed| matches!(deed, Deed::Flush));
    let (safe, unsafe_deeds) = deeds.split_at(flush.unwrap_or(0));
    let mut image = base.clone();
    for deed in safe {
        image.apply(deed);
    }
    // Of eight sectors so many survive, or of eight writes.
    let eighths = [0, 1, 4, 7, 8][random.index(5)];
    let by_write = random.below(3) == 0;
    for deed in unsafe_deeds {
        let whole = random.below(8) < eighths;
        image.apply_in_part(deed, &mut || {
            if by_write {
                whole
            } else {
                random.below(8) < eighths
            }
        });
    }
    image
}
