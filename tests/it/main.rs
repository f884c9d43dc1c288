//! The one test binary: pure core, the real loop in-process, and a few tests of the real program.

mod config;
mod disk;
mod disk_faults;
mod folder_lock;
mod peer;
mod provider;
mod sim_disk;
mod store_lab;
mod store_simulation;
mod tidy;
