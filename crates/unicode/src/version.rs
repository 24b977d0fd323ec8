//! Which Unicode is meant. Not every table has every version: what an older one shares with a newer one stands once.

/// The Unicode version whose tables are used.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum UnicodeVersion {
    /// Unicode 13.0, which is known of grapheme clusters alone; all else is that of 15.0.
    V13,
    /// Unicode 15.0.
    V15,
    /// Unicode 17.0.
    V17,
}
