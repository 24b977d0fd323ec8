//! Rules for blocks as written that need no evaluation: one file for each subject. They see all blocks of one module at once,
//! with override files merged.

mod address;
pub mod backend;
mod encryption;
mod import;
mod language;
mod provider;
mod settings;

use std::sync::Arc;

use groma_config::RawBlock;
use groma_syntax::Diagnostics;

use crate::declare::DeclarationReader;

pub(crate) use settings::check_overrides;

/// Reports blocks of a module that violate the rules for language settings, providers, imports, moves, removals or `terraform`
/// blocks.
pub fn apply(blocks: &[Arc<RawBlock>], gatherer: &DeclarationReader<'_>, out: &mut Diagnostics) {
    language::check(blocks, gatherer, out);
    provider::check(blocks, gatherer, out);
    import::check(blocks, gatherer, out);
    address::check(blocks, gatherer, out);
    settings::check(blocks, gatherer, out);
}
