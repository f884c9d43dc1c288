//! The seal: a value that passed the guard. Its field is private to this file, so nothing else in
//! the program can make one, and only sealed changes can become events.

/// A value that the guard let pass.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Approved<T>(T);

impl<T> Approved<T> {
    /// The value.
    pub const fn get(&self) -> &T {
        &self.0
    }

    /// Seals a value that has just been checked.
    pub(super) const fn seal(value: T) -> Self {
        Self(value)
    }
}

/// Seals a value that the journal holds: it was checked before it was committed, and the chain
/// shows that nobody changed it since.
pub(in crate::core) const fn replayed<T>(value: T) -> Approved<T> {
    Approved(value)
}
