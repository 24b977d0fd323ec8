//! Rules about blocks as they are written, for which nothing has to be evaluated: one file for each
//! subject. They see all blocks of one module at once, override files merged.

mod address;
pub(crate) mod backend;
mod encryption;
mod import;
mod language;
mod provider;
mod settings;

use groma_syntax::Diagnostics;

pub use provider::Passed;
pub(crate) use provider::{Asked, configuration_aliases, passed};
pub(crate) use settings::check_overrides;

use crate::declare::{Gatherer, Raw};

/// Applies every rule to the blocks of a module.
pub(crate) fn apply(blocks: &[Raw], gatherer: &Gatherer<'_>, out: &mut Diagnostics) {
    language::check(blocks, gatherer, out);
    provider::check(blocks, gatherer, out);
    import::check(blocks, gatherer, out);
    address::check(blocks, gatherer, out);
    settings::check(blocks, gatherer, out);
}
