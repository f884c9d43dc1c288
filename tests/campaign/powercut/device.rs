//! A drive that writes down everything that is done to it: one file in memory, shown by a FUSE file system
//! to be mounted through a loop device. The file is opened for direct input and output, so that the kernel
//! keeps nothing of it back, and a flush of the loop device comes as a sync of the file.

#![expect(clippy::unwrap_used, reason = "a campaign may stop at once")]

use super::image::{Deed, Image};
use super::mounts::{Mount, run};
use std::fs::File;
use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;

/// The largest write that the kernel hands over at once, in bytes.
const WRITE_MAX: u32 = 1 << 20;

/// Room for such a write and what stands before it.
const REQUEST_MAX: usize = (1 << 20) + 4096;

/// What stands before each request, in bytes.
const HEAD: usize = 40;

/// What stands before the bytes of a write, in bytes.
const WRITE_HEAD: usize = 40;

/// The numbers of the folder and of the file in it.
const FOLDER: u64 = 1;
const FILE: u64 = 2;

/// The name of the file.
const NAME: &str = "disk.img";

/// Kinds of requests, as `linux/fuse.h` numbers them.
mod kind {
    pub(super) const LOOKUP: u32 = 1;
    pub(super) const FORGET: u32 = 2;
    pub(super) const GETATTR: u32 = 3;
    pub(super) const SETATTR: u32 = 4;
    pub(super) const OPEN: u32 = 14;
    pub(super) const READ: u32 = 15;
    pub(super) const WRITE: u32 = 16;
    pub(super) const RELEASE: u32 = 18;
    pub(super) const FSYNC: u32 = 20;
    pub(super) const FLUSH: u32 = 25;
    pub(super) const INIT: u32 = 26;
    pub(super) const INTERRUPT: u32 = 36;
    pub(super) const BATCH_FORGET: u32 = 42;
    pub(super) const FALLOCATE: u32 = 43;
}

/// Errors, as Linux numbers them.
const NOT_FOUND: i32 = -2;
const NOT_KNOWN: i32 = -38;

/// The answer to `INIT`: version 7.31, writes larger than a page, and how many pages at once.
const VERSION: [u32; 2] = [7, 31];
const BIG_WRITES: u32 = 1 << 5;
const MAX_PAGES: u32 = 1 << 22;

/// The file is read and written past the page cache.
const DIRECT: u32 = 1;

/// A hole, or zeros, in the mode of `FALLOCATE`.
const MAKES_ZERO: u32 = 0x12;

/// What the drive holds and what was done to it.
#[derive(Debug)]
struct Content {
    image: Image,
    deeds: Vec<Deed>,
}

/// How far a drive's record goes; may be asked from any thread.
#[derive(Clone, Debug)]
pub(crate) struct Record(Arc<Mutex<Content>>);

impl Record {
    /// How many things were done to the drive so far.
    pub(crate) fn position(&self) -> usize {
        self.0.lock().unwrap().deeds.len()
    }

    /// Takes out what was done so far.
    pub(crate) fn take(&self) -> Vec<Deed> {
        std::mem::take(&mut self.0.lock().unwrap().deeds)
    }
}

/// A drive. Dropping it takes it out of the machine.
#[derive(Debug)]
pub(crate) struct Device {
    record: Record,
    mount: Option<Mount>,
    server: Option<JoinHandle<()>>,
    file: PathBuf,
}

impl Device {
    /// Shows a drive with that content in an empty folder.
    pub(crate) fn open(image: Image, folder: &Path) -> Result<Self, String> {
        let device = File::options().read(true).write(true).open("/dev/fuse");
        let device = device.map_err(|error| format!("/dev/fuse: {error}"))?;
        let record = Record(Arc::new(Mutex::new(Content {
            image,
            deeds: Vec::new(),
        })));
        // `mount` finds the open device where its standard input would be.
        let stdin = Stdio::from(device.try_clone().unwrap());
        let options = "fd=0,rootmode=40755,user_id=0,group_id=0";
        let words = ["-i", "-t", "fuse", "-o", options, "powercut"];
        run("mount", &words, Some(folder), stdin)?;
        let mount = Mount::of(folder);
        let server = std::thread::spawn({
            let record = record.clone();
            move || serve(device, &record)
        });
        Ok(Self {
            record,
            mount: Some(mount),
            server: Some(server),
            file: folder.join(NAME),
        })
    }

    /// The drive's file.
    pub(crate) fn file(&self) -> &Path {
        &self.file
    }

    /// What is done to it.
    pub(crate) const fn record(&self) -> &Record {
        &self.record
    }
}

impl Drop for Device {
    fn drop(&mut self) {
        drop(self.mount.take());
        if let Some(server) = self.server.take() {
            // Where it ended badly, whoever waited for the drive got errors.
            server.join().unwrap_or_default();
        }
    }
}

/// Answers the kernel until the file system is gone.
fn serve(mut device: File, record: &Record) {
    let mut request = vec![0; REQUEST_MAX];
    loop {
        let count = match device.read(&mut request) {
            Ok(count) => count,
            // ENOENT: a request that was interrupted. ENODEV: the file system is gone.
            Err(error) if matches!(error.raw_os_error(), Some(2 | 4 | 11)) => continue,
            Err(_) => return,
        };
        let request = &request[..count];
        let Some(answer) = answer(request, record) else {
            continue;
        };
        let (error, body) = match answer {
            Ok(body) => (0, body),
            Err(error) => (error, Vec::new()),
        };
        let mut reply = Vec::with_capacity(16 + body.len());
        reply.extend(u32::try_from(16 + body.len()).unwrap().to_ne_bytes());
        reply.extend(error.to_ne_bytes());
        reply.extend(number(request, 8).to_ne_bytes());
        reply.extend(body);
        // Whoever asked may have been killed meanwhile.
        drop(device.write(&reply));
    }
}

fn number(bytes: &[u8], at: usize) -> u64 {
    u64::from_ne_bytes(bytes[at..at + 8].try_into().unwrap())
}

fn half(bytes: &[u8], at: usize) -> u32 {
    u32::from_ne_bytes(bytes[at..at + 4].try_into().unwrap())
}

/// The answer to a request; `None` where none is wanted.
fn answer(request: &[u8], record: &Record) -> Option<Result<Vec<u8>, i32>> {
    let (kind, node) = (half(request, 4), number(request, 16));
    let body = &request[HEAD..];
    let mut content = record.0.lock().unwrap();
    let bytes = content.image.bytes();
    Some(match kind {
        kind::FORGET | kind::BATCH_FORGET | kind::INTERRUPT => return None,
        kind::INIT => Ok(init(body)),
        kind::LOOKUP if node == FOLDER && body.strip_suffix(b"\0") == Some(NAME.as_bytes()) => {
            Ok(entry(bytes))
        }
        kind::LOOKUP => Err(NOT_FOUND),
        kind::GETATTR | kind::SETATTR => Ok([vec![0; 16], attributes(node, bytes)].concat()),
        kind::OPEN => {
            let handle = [0, u64::from(DIRECT)];
            Ok(handle.iter().flat_map(|it| it.to_ne_bytes()).collect())
        }
        kind::READ => Ok(content
            .image
            .read(number(body, 8), u64::from(half(body, 16)))),
        kind::WRITE => {
            let deed = Deed::Write(number(body, 8), body[WRITE_HEAD..].to_vec());
            content.image.apply(&deed);
            content.deeds.push(deed);
            Ok(u64::from(half(body, 16)).to_ne_bytes().to_vec())
        }
        // Without a word of holes or zeros it only asks for room.
        kind::FALLOCATE if half(body, 24) & MAKES_ZERO == 0 => Ok(Vec::new()),
        kind::FALLOCATE => {
            let deed = Deed::Zero(number(body, 8), number(body, 16));
            content.image.apply(&deed);
            content.deeds.push(deed);
            Ok(Vec::new())
        }
        kind::FSYNC => {
            content.deeds.push(Deed::Flush);
            Ok(Vec::new())
        }
        kind::FLUSH | kind::RELEASE => Ok(Vec::new()),
        _ => Err(NOT_KNOWN),
    })
}

fn init(body: &[u8]) -> Vec<u8> {
    let ahead = half(body, 8);
    let mut words = vec![VERSION[0], VERSION[1], ahead, BIG_WRITES | MAX_PAGES];
    // Two halves: how many requests may wait, and from how many on there is a jam.
    words.push(16 | (12 << 16));
    // Largest write, grain of times, and pages of one request.
    words.extend([WRITE_MAX, 1, WRITE_MAX / 4096]);
    words.resize(16, 0);
    words.iter().flat_map(|word| word.to_ne_bytes()).collect()
}

/// The file under its name.
fn entry(bytes: u64) -> Vec<u8> {
    let numbers = [FILE, 0, 0, 0, 0];
    let mut entry: Vec<u8> = numbers.iter().flat_map(|it| it.to_ne_bytes()).collect();
    entry.extend(attributes(FILE, bytes));
    entry
}

fn attributes(node: u64, bytes: u64) -> Vec<u8> {
    let (mode, bytes): (u32, u64) = match node {
        FOLDER => (0o040_755, 0),
        _ => (0o100_600, bytes),
    };
    let longs = [node, bytes, bytes / 512, 0, 0, 0];
    let shorts = [0, 0, 0, mode, 1, 0, 0, 0, 4096, 0];
    let longs = longs.iter().flat_map(|it| it.to_ne_bytes());
    longs
        .chain(shorts.iter().flat_map(|it: &u32| it.to_ne_bytes()))
        .collect()
}
