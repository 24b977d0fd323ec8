//! Tables made from Unicode data: `cargo xtask unicode` writes the files beside this one.
pub(crate) mod case;
