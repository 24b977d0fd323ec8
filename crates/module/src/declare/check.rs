//! `check` blocks: assertions, and optionally one scoped data source. The data source is listed among the module's resources;
//! only its own check can refer to it.

use groma_config::RawBlock;
use groma_eval::news;
use groma_runtime::Edition;
use groma_syntax::{Diagnostic, Diagnostics, Place};
use groma_value::Str;

use crate::codes;
use crate::declare::{Condition, DeclarationReader};

/// The declaration of a `check` block: its name and assertions.
#[derive(Debug)]
pub struct Check {
    /// Its name.
    pub name: Str,
    /// The source range of its header.
    pub place: Place,
    /// The assertions.
    pub assertions: Vec<Condition>,
}

impl Check {
    /// Reads the name and assertions of a `check` block; reports a check without assertions.
    pub(crate) fn read(
        raw: &RawBlock,
        gatherer: &DeclarationReader<'_>,
        out: &mut Diagnostics,
    ) -> Check {
        let name = Str::from(raw.label(0));
        let blocks = raw.blocks_of("assert");
        let assertions: Vec<Condition> = blocks
            .filter_map(|block| Condition::about_something(block, &gatherer.library, out))
            .collect();
        if assertions.is_empty() {
            let detail = format!(
                "The check \"{}\" asserts nothing. Add at least one assert block whose condition refers to something.",
                &*name
            );
            out.push(Diagnostic::error(&codes::EMPTY_CHECK, detail).at(raw.header));
        }
        Check { name, place: raw.header, assertions }
    }

    /// Returns the scoped data source of a `check` block, if any; reports a second one and unsupported settings.
    pub fn data<'r>(
        raw: &'r RawBlock,
        edition: Edition,
        out: &mut Diagnostics,
    ) -> Option<&'r RawBlock> {
        let mut blocks = raw.blocks_of("data");
        let first = blocks.next()?;
        for second in blocks {
            let detail =
                "A check may contain only one data source. Move the other out of the check.";
            out.push(Diagnostic::error(&codes::CHECK_DATA, detail).at(second.header));
        }
        for argument in ["count", "for_each"].iter().filter_map(|name| first.argument(name)) {
            let detail = "A check reads its data source once. Move a data source with count or for_each out of the check.";
            let found = news::refuse(&codes::CHECK_DATA_SETTING, detail, edition);
            out.push(found.at(argument.name_place));
        }
        for lifecycle in first.blocks_of("lifecycle") {
            let detail = "The data source of a check has no lifecycle: the assertions of the check are its conditions.";
            let found = news::refuse(&codes::CHECK_DATA_SETTING, detail, edition);
            out.push(found.at(lifecycle.header));
        }
        Some(first)
    }
}
