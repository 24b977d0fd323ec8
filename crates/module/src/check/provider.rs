//! Provider configurations of a module, and the existence of those that are referred to. A provider without an alias always
//! exists: without a block its configuration is empty.

use std::sync::Arc;

use groma_config::{RawBlock, literal_text};
use groma_syntax::{Diagnostic, Diagnostics, Expr, Place};
use groma_value::{Type, Value};
use rustc_hash::FxHashMap;

use crate::codes;
use crate::declare::configuration_name::{provider_reference, read_passed};
use crate::declare::{
    DeclarationReader, Expression, RequestedProvider, RequiredProvider, configuration_aliases,
    problem_of_version,
};

/// A provider configuration that the module declares or expects from its callers, with its `for_each` if it is repeated.
struct KnownProvider<'r> {
    place: Place,
    for_each: Option<&'r Expr>,
}

/// Index of provider configurations by local name and alias.
type Configurations<'r> = FxHashMap<(String, String), KnownProvider<'r>>;

/// Reports invalid provider blocks, and invalid references to provider configurations in resources and module calls.
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
                let Some(asked) = provider_reference(&argument.expr, out) else { continue };
                let place = argument.expr.place();
                check_name(&asked, place, out);
                let Some(found) = find_referenced(&asked, place, &known, may_repeat, out) else {
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
                for (inner, outer, key, place) in
                    read_passed(&argument.expr, &mut Diagnostics::new())
                {
                    check_name(&inner, key, out);
                    check_name(&outer, place, out);
                    find_referenced(&outer, place, &known, may_repeat, out);
                }
            }
            _ => {}
        }
    }
}

/// Returns true if a word is a valid local name of a provider: lower-case letters and digits, with single dashes between them.
pub(super) fn is_local_name(word: &str) -> bool {
    let fine = |part: &str| {
        !part.is_empty() && part.chars().all(|c| c.is_alphanumeric() && !c.is_uppercase())
    };
    word.split('-').all(fine)
}

/// Reports the `version` of a provider block if it is not a valid constraint in a literal string.
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

/// Reports an invalid name of a provider block, its deprecated `version`, and reserved arguments and blocks, such as `count` or
/// `lifecycle`, which a provider cannot have.
fn settings(block: &RawBlock, gatherer: &DeclarationReader<'_>, out: &mut Diagnostics) {
    if let Some(label) = block.labels.first()
        && !is_local_name(&label.text)
    {
        out.push(
            Diagnostic::error(&codes::PROVIDER_NAME, invalid_name(&label.text)).at(label.place),
        );
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

/// Indexes the provider configurations that a module declares or expects from its callers; reports faulty declarations, among
/// them every `for_each` unless `may_repeat`.
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

/// Reports an invalid provider name in a reference to a provider configuration.
fn check_name(asked: &RequestedProvider, place: Place, out: &mut Diagnostics) {
    if !is_local_name(&asked.name) {
        out.push(Diagnostic::error(&codes::PROVIDER_NAME, invalid_name(&asked.name)).at(place));
    }
}

/// Returns the message for an invalid provider name.
pub(super) fn invalid_name(name: &str) -> String {
    format!(
        "\"{name}\" is not a valid name of a provider: names consist of lower-case letters, digits and single dashes between them."
    )
}

/// Returns the provider configuration that a reference names; `None` if the module does not have it, or if the reference has an
/// instance key although `may_repeat` is false. Reports an instance key that is missing or not allowed.
fn find_referenced<'k, 'r>(
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
    // Its existence also depends on the callers of the module.
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

/// Returns the source text of an expression in native syntax; `None` for JSON.
fn text(expr: &Expr) -> Option<&str> {
    match expr {
        Expr::Native(native) => Some(native.view().text()),
        Expr::Json(_) => None,
    }
}
