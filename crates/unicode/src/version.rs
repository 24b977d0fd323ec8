//! Unicode versions. Not every table has every version: data that two versions share is stored once.

/// The Unicode version whose character tables a function uses.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum UnicodeVersion {
    /// Unicode 13.0 for grapheme clusters; all other data is that of 15.0.
    V13,
    /// Unicode 15.0.
    V15,
    /// Unicode 17.0.
    V17,
}
