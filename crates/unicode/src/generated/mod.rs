//! Tables made from Unicode data: `cargo xtask unicode` writes the files beside this one.
pub(crate) mod case;
pub(crate) mod grapheme_13;
pub(crate) mod grapheme_15;
pub(crate) mod grapheme_17;
pub(crate) mod printable;
pub(crate) mod property;
