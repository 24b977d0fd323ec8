//! Entries of `required_providers`, read here and nowhere else. They are read before evaluation, so a part that is not a literal
//! counts as missing; faults are reported by the check.

use std::sync::Arc;

use groma_config::{RawArgument, RawBlock, literal_text};
use groma_syntax::ast::{ExprCase, ExprView};
use groma_syntax::{Expr, Place, json};
use groma_value::Str;

/// An entry of `required_providers`: a provider's local name with its source, version and aliases as written.
#[derive(Clone, Debug)]
pub struct RequiredProvider {
    /// The local name of the provider.
    pub name: Str,
    /// The source range of the name.
    pub name_place: Place,
    /// The source range of the whole entry.
    pub place: Place,
    /// The expression as written.
    pub expr: Expr,
    /// The parts of an entry that is an object.
    pub parts: Option<Vec<RequiredPart>>,
}

/// An attribute of a `required_providers` entry, such as `source`.
#[derive(Clone, Debug)]
pub struct RequiredPart {
    /// The name; empty if not literal.
    pub name: String,
    /// The source range of the name.
    pub name_place: Place,
    /// The value as written.
    pub value: Expr,
}

impl RequiredPart {
    /// Returns the value of the attribute if it is a literal string; otherwise `None`.
    pub fn text(&self) -> Option<String> {
        match &self.value {
            Expr::Native(_) => literal_text(&self.value),
            Expr::Json(document) => match document.view().case() {
                json::JsonCase::String(text) => Some(text.into_owned()),
                _ => None,
            },
        }
    }
}

impl RequiredProvider {
    /// Reads every entry of a `required_providers` block.
    pub fn of_block(block: &RawBlock) -> impl Iterator<Item = RequiredProvider> {
        block.arguments.iter().map(RequiredProvider::read)
    }

    /// Reads every entry of the `required_providers` blocks in a module's settings blocks.
    pub fn of_settings<'r>(
        settings: impl IntoIterator<Item = &'r Arc<RawBlock>>,
    ) -> Vec<RequiredProvider> {
        let settings = settings.into_iter();
        let blocks = settings.flat_map(|raw| raw.blocks_of("required_providers"));
        blocks.flat_map(RequiredProvider::of_block).collect()
    }

    /// Reads one entry of `required_providers` as written, without checking it.
    fn read(argument: &RawArgument) -> RequiredProvider {
        RequiredProvider {
            name: argument.name.clone(),
            name_place: argument.name_place,
            place: argument.place,
            expr: argument.expr.clone(),
            parts: parts(&argument.expr),
        }
    }

    /// Returns the literal string in the entry's attribute with this name, such as `source`; `None` if there is none.
    fn text(&self, name: &str) -> Option<String> {
        let mut parts = self.parts.iter().flatten().filter(|part| part.name == name);
        parts.find_map(RequiredPart::text)
    }

    /// Returns the provider source as written; `None` if it is missing or not a literal string.
    pub fn source(&self) -> Option<String> {
        self.text("source")
    }

    /// Returns the version constraint; `None` if it is missing or not a literal string. In old code the whole entry is the
    /// constraint.
    pub fn version(&self) -> Option<String> {
        literal_text(&self.expr).or_else(|| self.text("version"))
    }

    /// Returns the expression of the entry's attribute with this name, such as `configuration_aliases`; `None` if there is none.
    pub fn part(&self, name: &str) -> Option<&Expr> {
        let part = self.parts.iter().flatten().find(|part| part.name == name)?;
        Some(&part.value)
    }
}

/// Returns the attributes of a `required_providers` entry written as an object; `None` for other expressions.
fn parts(expr: &Expr) -> Option<Vec<RequiredPart>> {
    match expr {
        Expr::Native(native) => {
            let ExprCase::Object(items) = native.view().case() else { return None };
            let part = |item: groma_syntax::ast::ObjectItem<'_>| RequiredPart {
                name: word(item.key).unwrap_or_default(),
                name_place: Place::new(expr.file(), item.key.span()),
                value: Expr::Native(native.inner(item.value)),
            };
            Some(items.into_iter().map(part).collect())
        }
        Expr::Json(document) => {
            let json::JsonCase::Object(properties) = document.view().case() else { return None };
            let part = |property: json::JsonProperty<'_>| RequiredPart {
                name: property.name.to_string(),
                name_place: Place::new(expr.file(), property.name_span),
                value: Expr::Json(document.inner(property.value)),
            };
            Some(properties.into_iter().map(part).collect())
        }
    }
}

/// Returns the text of a bare name or a quoted string; `None` for other expressions.
pub(crate) fn word(view: ExprView<'_>) -> Option<String> {
    match view.case() {
        ExprCase::Root(word) => Some(word.to_owned()),
        ExprCase::Template(template) => template.plain().map(|text| text.into_owned()),
        _ => None,
    }
}
