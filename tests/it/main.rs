//! The one test binary: pure core, the real loop in-process, and a few tests of the real program.

mod cli;
mod config;
mod disk;
mod disk_faults;
mod folder_lock;
mod peer;
mod prompt;
mod protocol;
mod provider;
mod readme;
mod rules;
mod sim_disk;
mod tidy;
