//! Providers and checks: nobody evaluates them here, but what they refer to has to exist.

use groma_functions::Library;
use groma_syntax::{Code, Diagnostic, Diagnostics, Place};
use groma_value::Str;

use super::raw::Raw;
use super::resource::content;
use super::{Condition, Content, Mode};

static NO_ASSERTION: Code = Code { slug: "check-without-assert", summary: "Check asserts nothing" };
static CONSTANT: Code =
    Code { slug: "constant-condition", summary: "Condition does not look at anything" };

/// A `provider` block.
#[derive(Debug)]
pub(crate) struct Provider {
    pub(crate) content: Content,
}

/// A `check` block.
#[derive(Debug)]
pub(crate) struct Check {
    pub(crate) asserts: Vec<Condition>,
    /// Data sources that only this check sees, with their bodies.
    pub(crate) data: Vec<(Mode, Str, Str, Content)>,
}

impl Provider {
    pub(super) fn read(raw: &Raw, library: &Library) -> Provider {
        Provider { content: content(raw, &["alias", "version"], &[], library) }
    }
}

impl Check {
    pub(super) fn read(raw: &Raw, library: &Library, out: &mut Diagnostics) -> Check {
        let asserts: Vec<Condition> =
            raw.blocks_of("assert").filter_map(|block| Condition::read(block, library)).collect();
        if raw.blocks_of("assert").next().is_none() {
            let detail = format!(
                "The check \"{}\" has no assert block, so it can never fail. Add one, or remove the check.",
                raw.label(0)
            );
            out.push(Diagnostic::error(&NO_ASSERTION, detail).at(raw.header));
        }
        for assert in &asserts {
            if assert.condition.located.code.references().is_empty() {
                let detail = "The condition refers to nothing, so it is the same for ever. Refer to what is to be checked.";
                let place: Place = assert.condition.place();
                out.push(Diagnostic::error(&CONSTANT, detail).at(place));
            }
        }
        let data = raw.blocks_of("data").map(|block| {
            let body = content(block, &["provider", "depends_on"], &["lifecycle"], library);
            (Mode::Data, Str::from(block.label(0)), Str::from(block.label(1)), body)
        });
        Check { asserts, data: data.collect() }
    }
}
