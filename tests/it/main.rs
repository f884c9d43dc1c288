//! The one test binary: pure core, the real loop in-process, and a few tests of the real program.

mod agent;
mod cli;
mod config;
mod disk;
mod disk_faults;
mod folder_lock;
mod guard;
mod notes;
mod peer;
mod prompt;
mod protocol;
mod provider;
mod readme;
mod rules;
mod sim_disk;
mod store_lab;
mod store_simulation;
mod tidy;
