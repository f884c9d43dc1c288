//! Power cuts under the real program on real file systems. A drive in memory writes down every write and
//! every flush while the program works; then the power goes at any place of that record, sectors that were
//! not flushed survive by chance, and what is left is mounted and worked on again. Whatever a client was told
//! by then is there. The same with a program whose syncs do nothing has to lose something, or all of this
//! would prove nothing.

#![expect(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    clippy::exit,
    clippy::print_stdout,
    reason = "a campaign may stop at once; it plays the machine"
)]

mod check;
mod client;
mod device;
mod image;
mod life;
mod mounts;
mod witness;

use crate::random::Random;
use check::Cut;
use client::Syncs;
use device::Device;
use image::{Deed, Image, cut};
use life::{Lived, Model, Place, Work, live};
use mounts::{Mount, run};
use std::collections::BTreeMap;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use witness::{By, Witness};

/// Cuts of one record.
const CUTS_MAX: u64 = 50;

/// Records of a campaign, at least.
const LIVES_MIN: u64 = 8;

/// One cut with a lying sync for so many without.
const LYING_SHARE: u64 = 8;

/// Violations that are printed in full.
const SHOWN_MAX: u64 = 20;

/// One cut of so many is followed by another while the program recovers.
const RECOVERIES: u64 = 5;

/// What is said first of a file system that the kernel refuses: of that no program can do anything.
const UNMOUNTED: &str = "no file system is left: ";

/// What a campaign cannot do without.
const PROGRAMS: [&str; 6] = [
    "mkfs.ext4",
    "mkfs.xfs",
    "mount",
    "strace",
    "umount",
    "unshare",
];
const DEVICES: [&str; 2] = ["/dev/fuse", "/dev/loop-control"];

/// A file system that is cut: its name, how it is made, and how it is mounted.
#[derive(Debug)]
struct Kind {
    name: &'static str,
    bytes: u64,
    make: &'static [&'static str],
    options: &'static str,
}

/// ext4 also without the rescue of files that were renamed unsynced, which hides a missing sync.
const KINDS: [Kind; 4] = [
    XFS,
    Kind {
        options: "noauto_da_alloc",
        ..EXT4
    },
    XFS,
    EXT4,
];

const EXT4: Kind = Kind {
    name: "ext4",
    bytes: 256 << 20,
    make: &[
        "-q",
        "-F",
        "-b",
        "4096",
        "-E",
        "nodiscard,lazy_itable_init=0,lazy_journal_init=0",
    ],
    options: "auto_da_alloc",
};

const XFS: Kind = Kind {
    name: "xfs",
    bytes: 320 << 20,
    make: &["-q", "-f", "-K"],
    options: "nouuid",
};

/// Cuts so many times, and gives how many violations there were. Without `inside` it only makes the
/// namespaces: whatever is mounted or started in them ends with them.
pub(crate) fn campaign(cuts: u64, seed: u64, inside: Option<&Path>) -> u64 {
    if let Some(folder) = inside {
        return campaign_inside(cuts, seed, folder);
    }
    if let Some(missing) = missing() {
        println!("powercut: skipped, {missing}");
        return 0;
    }
    let folder = tempfile::Builder::new()
        .prefix("kjxlkj-powercut-")
        .tempdir()
        .unwrap();
    let mut command = Command::new("unshare");
    command.args([
        "--mount",
        "--pid",
        "--fork",
        "--kill-child",
        "--mount-proc",
        "--",
    ]);
    command.arg(std::env::current_exe().unwrap());
    command.args([
        "powercut",
        "--cuts",
        &cuts.to_string(),
        "--seed",
        &seed.to_string(),
    ]);
    command.arg("--inside").arg(folder.path());
    // Held as long as this process lives.
    let mut child = command.stdin(Stdio::piped()).spawn().unwrap();
    let lifeline = child.stdin.take();
    let status = child.wait().unwrap();
    drop(lifeline);
    u64::from(!status.success())
}

/// What this machine lacks.
fn missing() -> Option<String> {
    if !rustix::process::geteuid().is_root() {
        return Some("it needs root to mount file systems".to_owned());
    }
    let paths = std::env::vars_os().find(|(name, _)| name == "PATH");
    let paths: Vec<PathBuf> = std::env::split_paths(&paths.unwrap_or_default().1).collect();
    for program in PROGRAMS {
        if !paths.iter().any(|path| path.join(program).exists()) {
            return Some(format!("there is no {program}"));
        }
    }
    for device in DEVICES {
        let opened = std::fs::File::options().read(true).write(true).open(device);
        if let Err(error) = opened {
            return Some(format!("{device}: {error}"));
        }
    }
    let words = ["--mount", "--pid", "--fork", "--mount-proc", "true"];
    run("unshare", &words, None, Stdio::null()).err()
}

/// The folders of a campaign, on a file system in memory.
struct Bench {
    folder: PathBuf,
    model: Arc<Model>,
    peer: crate::peer::Peer,
    /// A fresh file system of each kind.
    fresh: BTreeMap<&'static str, Image>,
}

/// A life that is over.
struct Life<'a> {
    kind: &'a Kind,
    syncs: Syncs,
    deeds: Vec<Deed>,
    lived: Lived,
}

/// What became of cuts.
#[derive(Debug, Default)]
struct Counts {
    cuts: BTreeMap<&'static str, u64>,
    works: BTreeMap<Work, u64>,
    lost: u64,
    violations: u64,
    told: BTreeMap<By, u64>,
    lives: u64,
    writes: usize,
    flushes: usize,
    unmounted: u64,
}

fn campaign_inside(cuts: u64, seed: u64, folder: &Path) -> u64 {
    std::thread::spawn(|| {
        // The end of what holds the other end.
        let mut nothing = [0];
        while matches!(std::io::stdin().read(&mut nothing), Ok(1..)) {}
        std::process::exit(130);
    });
    run(
        "mount",
        &["-t", "tmpfs", "powercut"],
        Some(folder),
        Stdio::null(),
    )
    .unwrap();
    let model = Arc::new(Model::default());
    let bench = Bench {
        folder: folder.to_owned(),
        peer: model.serve(),
        model,
        fresh: BTreeMap::new(),
    };
    let bench = match bench.with_fresh() {
        Ok(bench) => bench,
        Err(reason) => {
            println!("powercut: skipped, {reason}");
            return 0;
        }
    };
    let honest = bench.cut_often(cuts, seed, Syncs::True);
    let lying = bench.cut_often((cuts / LYING_SHARE).max(4), seed, Syncs::Lying);
    tell(&honest, &lying, seed)
}

/// Prints the account; gives the violations.
fn tell(honest: &Counts, lying: &Counts, seed: u64) -> u64 {
    let all = |counts: &Counts| counts.cuts.values().sum::<u64>();
    let of: Vec<String> = honest
        .cuts
        .iter()
        .map(|(name, cuts)| format!("{name} {cuts}"))
        .collect();
    let works = honest.works.iter();
    let works: Vec<String> = works
        .map(|(work, cuts)| format!("{} {cuts}", work.name()))
        .collect();
    println!("cut during: {}", works.join(", "));
    println!(
        "recorded: {} lives, {} writes, {} flushes; with a lying sync {} lives, {} writes, {} flushes",
        honest.lives, honest.writes, honest.flushes, lying.lives, lying.writes, lying.flushes
    );
    let told = |by| honest.told.get(&by).copied().unwrap_or_default();
    println!(
        "acknowledged: {} by exit 0, {} by 2xx over HTTP, {} by events, {} shown to the model",
        told(By::Exit),
        told(By::Answer),
        told(By::Event),
        told(By::Prompt)
    );
    let unmounted = honest.unmounted + lying.unmounted;
    if unmounted > 0 {
        println!(
            "{unmounted} more left a file system that cannot be mounted; none of them is counted"
        );
    }
    println!(
        "{} cuts, {} lost ({}); with a lying sync: {} of {} cuts lost something",
        all(honest),
        honest.lost,
        of.join(", "),
        lying.lost,
        all(lying)
    );
    let mut violations = honest.violations;
    if lying.lost == 0 {
        println!("a lying sync was not noticed: nothing of this proves anything");
        violations += 1;
    }
    println!(
        "{} performed, {violations} violations, seed {seed}",
        all(honest) + all(lying)
    );
    violations
}

impl Bench {
    fn with_fresh(mut self) -> Result<Self, String> {
        for name in ["drive", "disk", "cut"] {
            std::fs::create_dir(self.folder.join(name)).unwrap();
        }
        for kind in [&EXT4, &XFS] {
            let path = self.folder.join("fresh.img");
            let file = std::fs::File::create(&path).unwrap();
            file.set_len(kind.bytes).unwrap();
            let program = format!("mkfs.{}", kind.name);
            run(&program, kind.make, Some(&path), Stdio::null())?;
            let image = Image::of_file(&path);
            // Whether this kernel can do at all what is asked of it below.
            drop(Mount::file(
                kind.name,
                kind.options,
                &path,
                &self.folder.join("cut"),
            )?);
            drop(Device::open(image.clone(), &self.folder.join("drive"))?);
            self.fresh.insert(kind.name, image);
            std::fs::remove_file(&path).unwrap();
        }
        Ok(self)
    }

    /// Records lives and cuts them until it was done that often.
    fn cut_often(&self, cuts: u64, seed: u64, syncs: Syncs) -> Counts {
        let mut counts = Counts::default();
        let each = cuts.div_ceil(LIVES_MIN).min(CUTS_MAX);
        let mut random = Random(seed);
        let mut left = cuts;
        for (number, kind) in (0..).zip(KINDS.iter().cycle()) {
            if left == 0 {
                break;
            }
            let seed = random.next();
            let life = self.record(kind, number, seed, syncs);
            let is_flush = |deed: &&Deed| matches!(deed, Deed::Flush);
            let flushes = life.deeds.iter().filter(is_flush).count();
            counts.lives += 1;
            counts.flushes += flushes;
            counts.writes += life.deeds.len() - flushes;
            for told in &life.lived.told {
                *counts.told.entry(told.by).or_default() += 1;
            }
            if syncs == Syncs::True {
                for trouble in &life.lived.troubles {
                    counts.violate(&format!("{}, life {number}: {trouble}", kind.name));
                }
            }
            let mut random = Random(seed ^ 0x00DE_ADBE);
            let mut wanted = each.min(left);
            left -= wanted;
            for _ in 0..2 * wanted {
                wanted -= u64::from(wanted > 0 && self.cut_once(&life, random.next(), &mut counts));
            }
            if wanted > 0 {
                counts.violate("hardly a cut leaves a file system that can be mounted");
            }
        }
        counts
    }

    /// One life on a fresh drive.
    fn record<'a>(&self, kind: &'a Kind, number: u64, seed: u64, syncs: Syncs) -> Life<'a> {
        let image = self.fresh[kind.name].clone();
        let device = Device::open(image, &self.folder.join("drive")).unwrap();
        let disk = self.folder.join("disk");
        let mount = Mount::file(kind.name, kind.options, device.file(), &disk).unwrap();
        let place = Place {
            root: &disk.join("root"),
            scratch: &self.folder,
            server: self.peer.base_url(),
            model: &self.model,
            syncs,
        };
        let lived = live(&place, device.record(), number, seed);
        let mut deeds = device.record().take();
        deeds.truncate(lived.end);
        drop(mount);
        drop(device);
        Life {
            kind,
            syncs,
            deeds,
            lived,
        }
    }

    /// One cut at a place that the seed draws; now and then another one while the program recovers from it.
    /// Says whether it counts.
    fn cut_once(&self, life: &Life<'_>, seed: u64, counts: &mut Counts) -> bool {
        let mut random = Random(seed);
        let lived = &life.lived;
        let at = random.index(lived.works.len());
        let (begin, work) = lived.works[at];
        let end = lived.works.get(at + 1).map_or(lived.end, |next| next.0);
        let position = random.between(begin, end);
        let fresh = &self.fresh[life.kind.name];
        let image = cut(fresh, &life.deeds[..position], &mut random);
        let is_again = life.syncs == Syncs::True && random.below(RECOVERIES) == 0;
        let checked = if is_again {
            self.recover(life, position, image, &mut random)
        } else {
            self.check(life.kind, &image, |root| {
                let cut = self.cut_of(lived, position, root);
                match life.syncs {
                    Syncs::True => cut
                        .check()
                        .and_then(|()| cut.check_by_program(&mut random, None)),
                    Syncs::Lying => cut.check(),
                }
            })
        };
        let checked = checked.map_err(|what| {
            let of = life.deeds.len();
            let (kind, options, work) = (life.kind.name, life.kind.options, work.name());
            format!("{kind}, {options}, cut {seed} at {position} of {of}, {work}: {what}")
        });
        let work = if is_again { Work::Recovery } else { work };
        counts.count(life, work, checked)
    }

    /// Cuts once more while the program works on what a cut left.
    fn recover(
        &self,
        life: &Life<'_>,
        position: usize,
        image: Image,
        random: &mut Random,
    ) -> Result<(), String> {
        let base = image.clone();
        let device = Device::open(image, &self.folder.join("drive"))?;
        let witness = Witness::new(device.record().clone());
        let mut lived = None;
        self.check_file(life.kind, device.file(), |root| {
            let cut = self.cut_of(&life.lived, position, root);
            cut.check()?;
            cut.check_by_program(random, Some(&witness))?;
            lived = Some(cut.lived_on(&witness)?);
            Ok(())
        })?;
        let lived = lived.unwrap();
        let deeds = device.record().take();
        drop(device);
        let position = random.between(0, lived.end);
        let image = cut(&base, &deeds[..position], random);
        let checked = self.check(life.kind, &image, |root| {
            let cut = self.cut_of(&lived, position, root);
            cut.check()?;
            cut.check_by_program(random, None)
        });
        checked.map_err(|what| format!("cut again at {position} of {}: {what}", lived.end))
    }

    fn cut_of<'a>(&'a self, lived: &'a Lived, position: usize, root: &'a Path) -> Cut<'a> {
        Cut {
            lived,
            position,
            root,
            scratch: &self.folder,
            model: &self.model,
        }
    }

    /// Mounts what is left of a drive and checks its root.
    fn check(
        &self,
        kind: &Kind,
        image: &Image,
        check: impl FnOnce(&Path) -> Result<(), String>,
    ) -> Result<(), String> {
        let file = self.folder.join("cut.img");
        image.to_file(&file);
        let checked = self.check_file(kind, &file, check);
        std::fs::remove_file(&file).unwrap();
        checked
    }

    fn check_file(
        &self,
        kind: &Kind,
        file: &Path,
        check: impl FnOnce(&Path) -> Result<(), String>,
    ) -> Result<(), String> {
        let disk = self.folder.join("cut");
        let mount = Mount::file(kind.name, kind.options, file, &disk);
        let mount = mount.map_err(|error| format!("{UNMOUNTED}{error}"))?;
        let checked = check(&disk.join("root"));
        drop(mount);
        checked
    }
}

impl Counts {
    /// Counts a cut and what came of it. One that leaves no file system does not count: it tells of a kernel
    /// that trusts in larger sectors, and of no program.
    fn count(&mut self, life: &Life<'_>, work: Work, checked: Result<(), String>) -> bool {
        if checked.as_ref().is_err_and(|what| what.contains(UNMOUNTED)) {
            self.unmounted += 1;
            return false;
        }
        *self.cuts.entry(life.kind.name).or_default() += 1;
        *self.works.entry(work).or_default() += 1;
        if let Err(what) = checked {
            self.lost += 1;
            if life.syncs == Syncs::True {
                self.violate(&what);
            }
        }
        true
    }

    fn violate(&mut self, what: &str) {
        self.violations += 1;
        if self.violations <= SHOWN_MAX {
            println!("{what}");
        }
    }
}
