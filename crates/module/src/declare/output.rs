//! Output values: the values that a module returns to its callers.

use groma_config::{RawBlock, ReadSetting};
use groma_eval::{TypeDefaults, type_of};
use groma_syntax::{Diagnostics, Place};
use groma_value::{Mismatch, Str, Type, Value};

use crate::declare::{Condition, DeclarationReader, Expression};

/// The declaration of an output: name, expression and settings.
#[derive(Clone, Debug)]
pub struct Output {
    /// Its name.
    pub name: Str,
    /// The source range of its header.
    pub place: Place,
    /// The type that the value is converted to, with defaults of optional attributes.
    pub ty: Option<(Type, Option<TypeDefaults>)>,
    /// The value; `None` only if the argument is missing, which is reported.
    pub value: Option<Expression>,
    /// True if it is sensitive.
    pub sensitive: bool,
    /// True if it is ephemeral, so never stored.
    pub ephemeral: bool,
    /// The description.
    pub description: Option<Str>,
    /// The deprecation message, if it is deprecated.
    pub deprecated: Option<Str>,
    /// The source range of the deprecation.
    pub deprecated_place: Option<Place>,
    /// The declarations that it depends on.
    pub depends_on: Vec<Expression>,
    /// The conditions that must hold before the value is returned.
    pub preconditions: Vec<Condition>,
    /// The source range of something that a newer edition than the known ones may support.
    pub news: Option<Place>,
}

impl Output {
    /// Reads an output from its block; reports what is invalid in it.
    pub(crate) fn read(
        raw: &RawBlock,
        gatherer: &DeclarationReader<'_>,
        out: &mut Diagnostics,
    ) -> Output {
        let library = &gatherer.library;
        Output {
            name: Str::from(raw.label(0)),
            place: raw.header,
            ty: raw
                .argument("type")
                .map(|ty| type_of::type_expression(&ty.expr, type_of::TypePosition::Output, out)),
            value: raw.argument("value").map(|value| Expression::new(&value.expr, library)),
            sensitive: gatherer.flag(raw, "sensitive", out).unwrap_or(false),
            ephemeral: gatherer.flag(raw, "ephemeral", out).unwrap_or(false),
            description: gatherer.text(raw, "description", out),
            deprecated: raw
                .argument("deprecated")
                .and_then(|argument| gatherer.advice(raw, argument.expr.place(), out)),
            deprecated_place: raw.argument("deprecated").map(|argument| argument.place),
            depends_on: gatherer.depends_on(raw, out),
            preconditions: raw
                .blocks_of("precondition")
                .filter_map(|block| Condition::about_something(block, library, out))
                .collect(),
            news: raw.news,
        }
    }

    /// Returns the value converted to the output's type, with the defaults of optional attributes filled in.
    pub fn convert(&self, value: Value) -> Result<Value, Mismatch> {
        let Some((ty, defaults)) = &self.ty else { return Ok(value) };
        let filled = match defaults {
            Some(defaults) if !value.is_null() => defaults.apply(&value),
            _ => value,
        };
        groma_value::convert(&filled, ty)
    }

    /// Returns the declared type of the output, with `optional(…)` attributes made ordinary ones; dynamic if none is declared.
    pub fn known_type(&self) -> Type {
        self.ty.as_ref().map_or(Type::Dynamic, |(ty, _)| ty.without_optional())
    }
}
