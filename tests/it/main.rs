//! The one test binary: pure core, the real loop in-process, and a few tests of the real program.

mod disk;
mod disk_faults;
mod folder_lock;
mod sim_disk;
