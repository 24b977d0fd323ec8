//! Outputs: what a module gives to whoever calls it.

use groma_syntax::{Diagnostics, Place};
use groma_value::Str;

use super::gather::Gatherer;
use super::raw::Raw;
use super::{Condition, Expression};

/// One output.
#[derive(Debug)]
pub(crate) struct Output {
    pub(crate) name: Str,
    pub(crate) place: Place,
    /// Absent only where the argument is missing, which is reported.
    pub(crate) value: Option<Expression>,
    pub(crate) sensitive: bool,
    pub(crate) ephemeral: bool,
    pub(crate) description: Option<Str>,
    pub(crate) deprecated: Option<Str>,
    pub(crate) depends_on: Vec<Expression>,
    pub(crate) preconditions: Vec<Condition>,
}

impl Output {
    pub(crate) fn read(raw: &Raw, gatherer: &Gatherer<'_>, out: &mut Diagnostics) -> Output {
        let library = &gatherer.library;
        Output {
            name: Str::from(raw.label(0)),
            place: raw.header,
            value: raw.argument("value").map(|value| Expression::new(&value.expr, library)),
            sensitive: gatherer.flag(raw, "sensitive", out).unwrap_or(false),
            ephemeral: gatherer.flag(raw, "ephemeral", out).unwrap_or(false),
            description: gatherer.text(raw, "description", out),
            deprecated: gatherer.text(raw, "deprecated", out),
            depends_on: gatherer.depends_on(raw, out),
            preconditions: raw
                .blocks_of("precondition")
                .filter_map(|block| Condition::read(block, library))
                .collect(),
        }
    }

    /// Every expression in it.
    pub(crate) fn expressions_mut(&mut self) -> impl Iterator<Item = &mut Expression> {
        let conditions = self.preconditions.iter_mut().flat_map(Condition::expressions_mut);
        self.value.iter_mut().chain(self.depends_on.iter_mut()).chain(conditions)
    }

    /// Every expression in it.
    pub(crate) fn expressions(&self) -> impl Iterator<Item = &Expression> {
        let conditions = self.preconditions.iter().flat_map(Condition::expressions);
        self.value.iter().chain(self.depends_on.iter()).chain(conditions)
    }
}
