//! The guard: what the model proposes is untrusted, and only what passes here takes effect.
//! Deny by default; total; no I/O. Nothing outside this folder can make an `Approved`.

mod scope;

pub use scope::Scope;
