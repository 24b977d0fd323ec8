//! What a module requires of providers: the entries of `required_providers`, read here and nowhere else. They are read
//! before anything is evaluated, so a part that is not written out counts as not there; what is wrong with an entry is
//! the check's to say.

use std::sync::Arc;

use groma_config::{RawArgument, RawBlock, literal_text};
use groma_syntax::ast::{ExprCase, ExprView};
use groma_syntax::{Expr, Place, json};
use groma_value::Str;

/// An entry of `required_providers`.
#[derive(Clone, Debug)]
pub struct RequiredProvider {
    /// The local name of the provider.
    pub name: Str,
    /// The place where the name stands.
    pub name_place: Place,
    /// The place where the whole entry stands.
    pub place: Place,
    /// The expression as written.
    pub expr: Expr,
    /// The parts of an entry that is an object.
    pub parts: Option<Vec<RequiredPart>>,
}

/// One part of an entry.
#[derive(Clone, Debug)]
pub struct RequiredPart {
    /// The name; empty where it is not written out.
    pub name: String,
    /// The place where the name stands.
    pub name_place: Place,
    /// The value as written.
    pub value: Expr,
}

impl RequiredPart {
    /// Its text, if it is text that is written out.
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
    /// The entries of a `required_providers` block.
    pub fn of_block(block: &RawBlock) -> impl Iterator<Item = RequiredProvider> {
        block.arguments.iter().map(RequiredProvider::read)
    }

    /// The entries of all settings of a module.
    pub fn of_settings<'r>(
        settings: impl IntoIterator<Item = &'r Arc<RawBlock>>,
    ) -> Vec<RequiredProvider> {
        let settings = settings.into_iter();
        let blocks = settings.flat_map(|raw| raw.blocks_of("required_providers"));
        blocks.flat_map(RequiredProvider::of_block).collect()
    }

    fn read(argument: &RawArgument) -> RequiredProvider {
        RequiredProvider {
            name: argument.name.clone(),
            name_place: argument.name_place,
            place: argument.place,
            expr: argument.expr.clone(),
            parts: parts(&argument.expr),
        }
    }

    /// The part of that name that is text.
    fn text(&self, name: &str) -> Option<String> {
        let mut parts = self.parts.iter().flatten().filter(|part| part.name == name);
        parts.find_map(RequiredPart::text)
    }

    /// Returns where the provider comes from, if that is said.
    pub fn source(&self) -> Option<String> {
        self.text("source")
    }

    /// Returns which versions of it, if that is said. In old code the entry is nothing else.
    pub fn version(&self) -> Option<String> {
        literal_text(&self.expr).or_else(|| self.text("version"))
    }

    /// The value of the part of that name.
    pub fn part(&self, name: &str) -> Option<&Expr> {
        let part = self.parts.iter().flatten().find(|part| part.name == name)?;
        Some(&part.value)
    }
}

/// The parts of an entry that is an object.
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

/// A word or a text in its place.
pub(crate) fn word(view: ExprView<'_>) -> Option<String> {
    match view.case() {
        ExprCase::Root(word) => Some(word.to_owned()),
        ExprCase::Template(template) => template.plain().map(|text| text.into_owned()),
        _ => None,
    }
}
