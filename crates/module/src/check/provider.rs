//! Which provider configurations a module has, and whether those that are asked for exist. A
//! provider without an alias always exists: without a block its configuration is empty.

use std::sync::Arc;

use groma_config::{RawBlock, literal_text, naming};
use groma_syntax::ast::{ExprCase, ExprView};
use groma_syntax::{Diagnostic, Diagnostics, Expr, Place};
use groma_value::{Str, Type, Value};
use rustc_hash::FxHashMap;

use crate::codes;
use crate::declare::{DeclarationReader, Expression, RequiredProvider, problem_of_version};

/// A provider configuration that is asked for.
pub struct RequestedProvider {
    /// The local name of the provider.
    pub name: String,
    /// The alias; `None` is the default configuration.
    pub alias: Option<String>,
    /// True if a key follows.
    keyed: bool,
}

impl RequestedProvider {
    /// Its name and its alias.
    fn pair(&self) -> (Str, Option<Str>) {
        (Str::from(self.name.as_str()), self.alias.as_deref().map(Str::from))
    }
}

/// A provider configuration that a call passes.
#[derive(Debug, Clone)]
pub struct PassedProvider {
    /// The configuration in the called module: name and alias.
    pub inner: (Str, Option<Str>),
    /// The configuration outside.
    pub outer: (Str, Option<Str>),
    /// The place where the one inside is named.
    pub key: Place,
    /// The place where the one outside is named.
    pub place: Place,
}

/// A provider configuration that exists.
struct KnownProvider<'r> {
    place: Place,
    for_each: Option<&'r Expr>,
}

type Configurations<'r> = FxHashMap<(String, String), KnownProvider<'r>>;

pub(super) fn check(
    blocks: &[Arc<RawBlock>],
    gatherer: &DeclarationReader<'_>,
    out: &mut Diagnostics,
) {
    let may_repeat = gatherer.conventions.repeated_providers;
    let known = configurations(blocks, may_repeat, gatherer, out);
    for block in blocks {
        match &*block.kind {
            "resource" | "data" | "ephemeral" => {
                let Some(argument) = block.argument("provider") else { continue };
                let Some(asked) = wanted(&argument.expr, out) else { continue };
                let place = argument.expr.place();
                named(&asked, place, out);
                let Some(found) = exists(&asked, place, &known, may_repeat, out) else {
                    continue;
                };
                let same = |expr: &Expr| {
                    let own = block.argument("for_each")?;
                    (text(&own.expr)? == text(expr)?).then_some(own.place)
                };
                if let Some(place) = found.for_each.and_then(same) {
                    let detail = "The resource and its provider have the same for_each. If a key is removed, the provider no longer exists when the resource has to be destroyed. Give the provider keys that remain longer.";
                    out.push(Diagnostic::warning(&codes::PROVIDER_SAME_KEYS, detail).at(place));
                }
            }
            "module" => {
                let Some(argument) = block.argument("providers") else { continue };
                for (inner, outer, key, place) in handed(&argument.expr, &mut Diagnostics::new()) {
                    named(&inner, key, out);
                    named(&outer, place, out);
                    exists(&outer, place, &known, may_repeat, out);
                }
            }
            _ => {}
        }
    }
}

/// Returns true if a word can be what a module calls a provider.
pub(super) fn is_local_name(word: &str) -> bool {
    let fine = |part: &str| {
        !part.is_empty() && part.chars().all(|c| c.is_alphanumeric() && !c.is_uppercase())
    };
    word.split('-').all(fine)
}

/// Reports versions that cannot be read.
fn version(expr: &Expr, gatherer: &DeclarationReader<'_>, out: &mut Diagnostics) {
    let value = Expression::new(expr, &gatherer.library).constant();
    let text = value.as_ref().map(|value| groma_value::convert(value, &Type::String));
    let problem = match text.as_ref().map(|text| text.as_ref().map(Value::bare)) {
        Some(Ok(Value::String(text))) => problem_of_version(text, expr.place()),
        Some(Ok(_)) => None,
        _ => {
            let detail = "The version of a provider is a literal string, such as \"~> 1.5\". Write it in required_providers.";
            Some(Diagnostic::error(&codes::VERSION_CONSTRAINT, detail).at(expr.place()))
        }
    };
    out.extend(problem);
}

/// Checks for arguments that mean something in other blocks and nothing in this one.
fn settings(block: &RawBlock, gatherer: &DeclarationReader<'_>, out: &mut Diagnostics) {
    if let Some(label) = block.labels.first()
        && !is_local_name(&label.text)
    {
        out.push(Diagnostic::error(&codes::PROVIDER_NAME, no_name(&label.text)).at(label.place));
    }
    for argument in ["count", "depends_on", "source"].iter().filter_map(|name| block.argument(name))
    {
        let detail = format!("\"{}\" has no meaning for a provider. Remove it.", &*argument.name);
        out.push(Diagnostic::error(&codes::RESERVED_IN_PROVIDER, detail).at(argument.name_place));
    }
    for inner in block.blocks.iter().filter(|inner| matches!(&*inner.kind, "lifecycle" | "locals"))
    {
        let detail = format!("A provider has no {} block. Remove it.", &*inner.kind);
        out.push(Diagnostic::error(&codes::RESERVED_IN_PROVIDER, detail).at(inner.header));
    }
    if let Some(argument) = block.argument("version") {
        let detail = "Write the version of a provider in required_providers, in the terraform block. This argument is deprecated.";
        out.push(Diagnostic::warning(&codes::PROVIDER_VERSION, detail).at(argument.expr.place()));
        version(&argument.expr, gatherer, out);
    }
}

/// The configurations of a module; what is wrong with them is reported.
fn configurations<'r>(
    blocks: &'r [Arc<RawBlock>],
    may_repeat: bool,
    gatherer: &DeclarationReader<'_>,
    out: &mut Diagnostics,
) -> Configurations<'r> {
    let mut known = Configurations::default();
    for block in blocks.iter().filter(|block| &*block.kind == "provider") {
        let alias = block.argument("alias");
        let alias_text = alias.and_then(|alias| literal_text(&alias.expr));
        settings(block, gatherer, out);
        if let Some(alias) = alias
            && !alias_text.as_deref().is_some_and(groma_syntax::is_identifier)
        {
            let detail = "An alias is a quoted name: a letter, then letters, digits, underscores and dashes.";
            out.push(Diagnostic::error(&codes::PROVIDER_ALIAS, detail).at(alias.expr.place()));
            continue;
        }
        let for_each = block.argument("for_each");
        if let Some(argument) = for_each {
            let problem = match (may_repeat, alias.is_some()) {
                (false, _) => Some(
                    "This dialect has no for_each in provider blocks: write a provider block with an alias for each.",
                ),
                (true, false) => Some(
                    "A provider with for_each needs an alias, by which its instances are referenced.",
                ),
                (true, true) => None,
            };
            if let Some(problem) = problem {
                out.push(
                    Diagnostic::error(&codes::PROVIDER_FOR_EACH, problem).at(argument.name_place),
                );
            }
        }
        let key = (block.label(0).to_owned(), alias_text.unwrap_or_default());
        if let Some(first) = known.get(&key) {
            let detail = match key.1.is_empty() {
                true => format!(
                    "The provider \"{}\" already has a configuration without an alias. Give this one an alias.",
                    key.0
                ),
                false => format!(
                    "The provider \"{}\" already has a configuration with the alias \"{}\". Give this one another alias.",
                    key.0, key.1
                ),
            };
            let duplicate = Diagnostic::error(&codes::DUPLICATE_PROVIDER, detail).at(block.header);
            out.push(duplicate.note_at("It is first configured here.", first.place));
            continue;
        }
        let for_each = for_each.map(|argument| &argument.expr);
        known.insert(key, KnownProvider { place: block.header, for_each });
    }
    for block in blocks.iter().filter(|block| &*block.kind == "terraform") {
        let entries = block.blocks_of("required_providers").flat_map(RequiredProvider::of_block);
        for requirement in entries {
            for asked in configuration_aliases(&requirement) {
                let key = (asked.name, asked.alias.unwrap_or_default());
                known
                    .entry(key)
                    .or_insert(KnownProvider { place: requirement.place, for_each: None });
            }
        }
    }
    known
}

/// The configurations that a module expects from its callers.
pub fn configuration_aliases(required: &RequiredProvider) -> Vec<RequestedProvider> {
    let mut silent = Diagnostics::new();
    match required.part("configuration_aliases") {
        Some(Expr::Native(native)) => {
            let ExprCase::Tuple(aliases) = native.view().case() else { return Vec::new() };
            let place = Place::new(native.file(), native.span());
            aliases.into_iter().filter_map(|one| asked(one, place, &mut silent)).collect()
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

/// Returns what the argument `providers` of a call says.
pub fn passed(expr: &Expr, out: &mut Diagnostics) -> Vec<PassedProvider> {
    let mut found: Vec<PassedProvider> = Vec::new();
    for (inner, outer, key, place) in handed(expr, out) {
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

/// Both sides of each item, and where they stand.
fn handed(
    expr: &Expr,
    out: &mut Diagnostics,
) -> Vec<(RequestedProvider, RequestedProvider, Place, Place)> {
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
                let inner = asked(item.key, key, out);
                let outer = asked(item.value, place, out);
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

/// The message about an expression that names no configuration.
const NOT_ONE: &str = "A provider configuration is referenced by its name, or by its name and alias, as in aws.west. Expressions are not allowed here.";

/// The configuration that a text in JSON names.
fn in_text(expr: &Expr) -> Option<RequestedProvider> {
    let (Expr::Native(native), _) = naming(expr)? else { return None };
    let mut found = Diagnostics::new();
    let asked = asked(native.view(), expr.place(), &mut found)?;
    // In quotes inside of quotes it is none.
    found.is_empty().then_some(asked)
}

/// `name` or `name.alias`.
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

fn asked(view: ExprView<'_>, place: Place, out: &mut Diagnostics) -> Option<RequestedProvider> {
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
        out.push(Diagnostic::error(&codes::PROVIDER_REFERENCE, NOT_ONE).at(place));
    }
    found
}

/// The configuration that an argument asks for.
fn wanted(expr: &Expr, out: &mut Diagnostics) -> Option<RequestedProvider> {
    let place = expr.place();
    match expr {
        Expr::Native(native) => asked(native.view(), place, out),
        Expr::Json(_) => in_text(expr).or_else(|| {
            out.push(Diagnostic::error(&codes::PROVIDER_REFERENCE, NOT_ONE).at(place));
            None
        }),
    }
}

/// Reports a name that no provider can have.
fn named(asked: &RequestedProvider, place: Place, out: &mut Diagnostics) {
    if !is_local_name(&asked.name) {
        out.push(Diagnostic::error(&codes::PROVIDER_NAME, no_name(&asked.name)).at(place));
    }
}

/// Returns what is said of a name that no provider can have.
pub(super) fn no_name(name: &str) -> String {
    format!(
        "\"{name}\" is not a valid name of a provider: names consist of lower-case letters, digits and single dashes between them."
    )
}

fn exists<'k, 'r>(
    asked: &RequestedProvider,
    place: Place,
    known: &'k Configurations<'r>,
    may_repeat: bool,
    out: &mut Diagnostics,
) -> Option<&'k KnownProvider<'r>> {
    if asked.keyed && !may_repeat {
        let detail = "Provider configurations have no keys in this dialect. Use only the name and the alias.";
        out.push(Diagnostic::error(&codes::PROVIDER_REFERENCE, detail).at(place));
        return None;
    }
    let alias = asked.alias.clone().unwrap_or_default();
    // Whether there is one at all depends on the callers of the module, too.
    let found = known.get(&(asked.name.clone(), alias.clone()))?;
    if may_repeat && found.for_each.is_some() && !asked.keyed {
        let detail = format!(
            "The provider configuration {}.{alias} has for_each, so one of its instances has to be chosen, as in {}.{alias}[each.key].",
            asked.name, asked.name
        );
        out.push(Diagnostic::error(&codes::PROVIDER_REFERENCE, detail).at(place));
    }
    Some(found)
}

fn text(expr: &Expr) -> Option<&str> {
    match expr {
        Expr::Native(native) => Some(native.view().text()),
        Expr::Json(_) => None,
    }
}
