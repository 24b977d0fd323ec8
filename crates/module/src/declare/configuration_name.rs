//! References to provider configurations: a local name, optionally with alias and key. They are read as written; the existence
//! of the configuration is not checked here.

use groma_config::address_expression;
use groma_syntax::ast::{ExprCase, ExprView};
use groma_syntax::{Diagnostic, Diagnostics, Expr, Place};
use groma_value::Str;

use crate::codes;
use crate::declare::RequiredProvider;

/// A reference to a provider configuration: local name, alias, and true if an instance key follows.
pub struct RequestedProvider {
    /// The local name of the provider.
    pub name: String,
    /// The alias; `None` is the default configuration.
    pub alias: Option<String>,
    /// True if an instance key follows.
    pub(crate) keyed: bool,
}

impl RequestedProvider {
    /// Returns the local name and the alias of the provider configuration.
    fn pair(&self) -> (Str, Option<Str>) {
        (Str::from(self.name.as_str()), self.alias.as_deref().map(Str::from))
    }
}

/// An item of a module call's `providers`: a configuration in the called module, and the caller's that is passed for it.
#[derive(Debug, Clone)]
pub struct PassedProvider {
    /// The configuration inside the called module: local name and alias.
    pub inner: (Str, Option<Str>),
    /// The configuration in the calling module: local name and alias.
    pub outer: (Str, Option<Str>),
    /// The source range of the inner name.
    pub key: Place,
    /// The source range of the outer name.
    pub place: Place,
}

/// Returns the provider configurations that a module expects from its callers: its `configuration_aliases`.
pub fn configuration_aliases(required: &RequiredProvider) -> Vec<RequestedProvider> {
    let mut silent = Diagnostics::new();
    match required.part("configuration_aliases") {
        Some(Expr::Native(native)) => {
            let ExprCase::Tuple(aliases) = native.view().case() else { return Vec::new() };
            let place = Place::new(native.file(), native.span());
            aliases
                .into_iter()
                .filter_map(|one| native_reference(one, place, &mut silent))
                .collect()
        }
        Some(Expr::Json(document)) => {
            use groma_syntax::json::JsonCase;
            let JsonCase::Array(items) = document.view().case() else { return Vec::new() };
            let spelled = |item: groma_syntax::json::JsonView<'_>| match item.case() {
                JsonCase::String(text) => spelled(&text),
                _ => None,
            };
            items.into_iter().filter_map(spelled).collect()
        }
        None => Vec::new(),
    }
}

/// Returns the provider configurations in the argument `providers` of a call; reports duplicates.
pub(crate) fn passed(expr: &Expr, out: &mut Diagnostics) -> Vec<PassedProvider> {
    let mut found: Vec<PassedProvider> = Vec::new();
    for (inner, outer, key, place) in read_passed(expr, out) {
        let one = PassedProvider { inner: inner.pair(), outer: outer.pair(), key, place };
        if let Some(first) = found.iter().find(|other| other.inner == one.inner) {
            let detail = format!("The module is already given a configuration for {}.", inner.name);
            let twice = Diagnostic::error(&codes::PROVIDER_GIVEN_TWICE, detail).at(key);
            out.push(twice.note_at("The first is here.", first.key));
            continue;
        }
        found.push(one);
    }
    found
}

/// Reads `providers = { inner = outer }`: for each item the inner and the outer configuration, and the places of both. Reports
/// other forms.
pub(crate) fn read_passed(
    expr: &Expr,
    out: &mut Diagnostics,
) -> Vec<(RequestedProvider, RequestedProvider, Place, Place)> {
    /// The message for a `providers` argument of the wrong form.
    const FORM: &str = "providers takes a literal map from names of configurations in the called module to those of this one, as in { aws = aws.west }.";
    let mut found = Vec::new();
    match expr {
        Expr::Native(native) => {
            let items = match native.view().case() {
                ExprCase::Object(items) => items,
                ExprCase::Missing => return found,
                _ => {
                    out.push(Diagnostic::error(&codes::PROVIDER_REFERENCE, FORM).at(expr.place()));
                    return found;
                }
            };
            for item in items {
                let at = |view: ExprView<'_>| Place::new(native.file(), view.span());
                let (key, place) = (at(item.key), at(item.value));
                let inner = native_reference(item.key, key, out);
                let outer = native_reference(item.value, place, out);
                found.extend(inner.zip(outer).map(|(inner, outer)| (inner, outer, key, place)));
            }
        }
        Expr::Json(document) => {
            use groma_syntax::json::JsonCase;
            let JsonCase::Object(items) = document.view().case() else {
                out.push(Diagnostic::error(&codes::PROVIDER_REFERENCE, FORM).at(expr.place()));
                return found;
            };
            for item in items {
                let place = Place::new(expr.file(), item.value.span());
                let outer = in_text(&Expr::Json(document.inner(item.value)));
                match spelled(&item.name).zip(outer) {
                    Some((inner, outer)) => found.push((inner, outer, place, place)),
                    None => out.push(Diagnostic::error(&codes::PROVIDER_REFERENCE, FORM).at(place)),
                }
            }
        }
    }
    found
}

/// The message for an expression that should be a reference to a provider configuration and is not.
const NOT_A_REFERENCE: &str = "A provider configuration is referenced by its name, or by its name and alias, as in aws.west. Expressions are not allowed here.";

/// Parses a JSON string as a reference to a provider configuration; `None` if it is not one.
fn in_text(expr: &Expr) -> Option<RequestedProvider> {
    let (Expr::Native(native), _) = address_expression(expr)? else { return None };
    let mut found = Diagnostics::new();
    let asked = native_reference(native.view(), expr.place(), &mut found)?;
    // In quotes inside of quotes it is not a reference.
    found.is_empty().then_some(asked)
}

/// Parses `name` or `name.alias` as a provider configuration; `None` if a word is not an identifier.
fn spelled(text: &str) -> Option<RequestedProvider> {
    let (name, alias) = match text.split_once('.') {
        Some((name, alias)) => (name, Some(alias.to_owned())),
        None => (text, None),
    };
    let fine = |word: &str| groma_syntax::is_identifier(word);
    (fine(name) && alias.as_deref().is_none_or(fine)).then(|| RequestedProvider {
        name: name.to_owned(),
        alias,
        keyed: false,
    })
}

/// Reads a reference to a provider configuration in native syntax; reports any other expression and returns `None`.
fn native_reference(
    view: ExprView<'_>,
    place: Place,
    out: &mut Diagnostics,
) -> Option<RequestedProvider> {
    let plain = |view: ExprView<'_>| match view.case() {
        ExprCase::Root(name) => {
            Some(RequestedProvider { name: name.to_owned(), alias: None, keyed: false })
        }
        ExprCase::Attribute { object, name, .. } => match object.case() {
            ExprCase::Root(root) => Some(RequestedProvider {
                name: root.to_owned(),
                alias: Some(name.to_owned()),
                keyed: false,
            }),
            _ => None,
        },
        _ => None,
    };
    let found = match view.case() {
        ExprCase::Missing => return None,
        ExprCase::Template(template) => {
            let found = template.plain().and_then(|text| spelled(&text));
            if found.is_some() {
                let detail = "The name of a provider configuration needs no quotes.";
                out.push(Diagnostic::warning(&codes::QUOTED_REFERENCE, detail).at(place));
            }
            found
        }
        ExprCase::Index { object, .. } => {
            plain(object).map(|asked| RequestedProvider { keyed: true, ..asked })
        }
        _ => plain(view),
    };
    if found.is_none() {
        out.push(Diagnostic::error(&codes::PROVIDER_REFERENCE, NOT_A_REFERENCE).at(place));
    }
    found
}

/// Reads a reference to a provider configuration in either syntax; reports any other expression and returns `None`.
pub(crate) fn provider_reference(expr: &Expr, out: &mut Diagnostics) -> Option<RequestedProvider> {
    let place = expr.place();
    match expr {
        Expr::Native(native) => native_reference(native.view(), place, out),
        Expr::Json(_) => in_text(expr).or_else(|| {
            out.push(Diagnostic::error(&codes::PROVIDER_REFERENCE, NOT_A_REFERENCE).at(place));
            None
        }),
    }
}
