//! Outputs: what a module gives to whoever calls it.

use groma_syntax::{Diagnostics, Place};
use groma_value::Str;

use super::gather::Gatherer;
use super::plain::ReadSetting;
use super::raw::Raw;
use super::{Condition, Expression};

/// One output.
#[derive(Debug)]
pub struct Output {
    /// Its name.
    pub name: Str,
    /// Where its header stands.
    pub place: Place,
    /// Absent only where the argument is missing, which is reported.
    pub value: Option<Expression>,
    /// Whether it is not to be shown.
    pub sensitive: bool,
    /// Whether it is not to be kept.
    pub ephemeral: bool,
    /// What it says about itself.
    pub description: Option<Str>,
    /// What to use instead.
    pub deprecated: Option<Str>,
    /// What has to be there before.
    pub depends_on: Vec<Expression>,
    /// What has to hold before it leaves the module.
    pub preconditions: Vec<Condition>,
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
                .filter_map(|block| Condition::about_something(block, library, out))
                .collect(),
        }
    }

    /// Every expression in it but what it depends on.
    pub(crate) fn expressions_mut(&mut self) -> impl Iterator<Item = &mut Expression> {
        let conditions = self.preconditions.iter_mut().flat_map(Condition::expressions_mut);
        self.value.iter_mut().chain(conditions)
    }

    /// Every expression in it.
    pub(crate) fn expressions(&self) -> impl Iterator<Item = &Expression> {
        let conditions = self.preconditions.iter().flat_map(Condition::expressions);
        self.value.iter().chain(self.depends_on.iter()).chain(conditions)
    }
}
