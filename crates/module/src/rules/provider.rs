//! Which provider configurations a module has, and whether those that are asked for exist. A
//! provider without an alias always exists: without a block its configuration is empty.

use groma_syntax::ast::{Case, Expression as View};
use groma_syntax::{Code, Diagnostic, Diagnostics, Expr, Place};
use rustc_hash::FxHashMap;

use crate::declare::{Gatherer, Raw, literal_text};
use crate::dialect::Only;
use crate::nearest::did_you_mean;

static DUPLICATE: Code = Code { slug: "duplicate-provider", summary: "Provider configured twice" };
static REFERENCE: Code =
    Code { slug: "provider-reference", summary: "This does not name a provider configuration" };
static QUOTED: Code = Code { slug: "quoted-reference", summary: "Reference in quotes" };
static UNDECLARED: Code =
    Code { slug: "undeclared-provider", summary: "Provider configuration is not declared" };
static REPEATED: Code =
    Code { slug: "provider-for-each", summary: "Provider cannot be repeated like this" };
static SAME_KEYS: Code =
    Code { slug: "provider-same-keys", summary: "Resource and its provider share their keys" };

/// A provider configuration that is asked for.
struct Asked {
    name: String,
    alias: Option<String>,
    /// Whether a key follows.
    keyed: bool,
}

/// A provider configuration that exists.
struct Known<'r> {
    place: Place,
    for_each: Option<&'r Expr>,
}

type Configurations<'r> = FxHashMap<(String, String), Known<'r>>;

pub(super) fn check(blocks: &[Raw], gatherer: &Gatherer<'_>, out: &mut Diagnostics) {
    let may_repeat = Only::OpenTofu(9).admits(gatherer.library.edition);
    let known = configurations(blocks, may_repeat, out);
    for block in blocks {
        match &*block.kind {
            "resource" | "data" | "ephemeral" => {
                let Some(argument) = block.argument("provider") else { continue };
                let Some(found) = wanted(&argument.expr, &known, may_repeat, out) else {
                    continue;
                };
                let same = |expr: &Expr| {
                    let own = block.argument("for_each")?;
                    (text(&own.expr)? == text(expr)?).then_some(own.place)
                };
                if let Some(place) = found.for_each.and_then(same) {
                    let detail = "The resource and its provider have the same for_each. When a key is taken away, the provider is gone before the resource can be destroyed. Give the provider keys that stay longer.";
                    out.push(Diagnostic::warning(&SAME_KEYS, detail).at(place));
                }
            }
            "module" => {
                let Some(argument) = block.argument("providers") else { continue };
                let Expr::Native(native) = &argument.expr else { continue };
                let Case::Object(items) = native.view().case() else { continue };
                for item in items {
                    let place = Place::new(native.file(), item.value.span());
                    if let Some(asked) = asked(item.value, place, out) {
                        exists(&asked, place, &known, may_repeat, out);
                    }
                }
            }
            _ => {}
        }
    }
}

/// The configurations of a module; what is wrong with them is reported.
fn configurations<'r>(
    blocks: &'r [Raw],
    may_repeat: bool,
    out: &mut Diagnostics,
) -> Configurations<'r> {
    let mut known = Configurations::default();
    for block in blocks.iter().filter(|block| &*block.kind == "provider") {
        let alias = block.argument("alias");
        let alias_text = alias.and_then(|alias| literal_text(&alias.expr));
        if alias.is_some() && alias_text.is_none() {
            // Which one it is cannot be told; that is reported elsewhere.
            continue;
        }
        let for_each = block.argument("for_each");
        if let Some(argument) = for_each {
            let problem = match (may_repeat, alias.is_some()) {
                (false, _) => Some(
                    "The dialect does not repeat providers: write a provider block with an alias for each.",
                ),
                (true, false) => Some(
                    "A provider that is repeated needs an alias, by which its instances are called.",
                ),
                (true, true) => None,
            };
            if let Some(problem) = problem {
                out.push(Diagnostic::error(&REPEATED, problem).at(argument.name_place));
            }
        }
        let key = (block.label(0).to_owned(), alias_text.unwrap_or_default());
        if let Some(first) = known.get(&key) {
            let detail = match key.1.is_empty() {
                true => format!(
                    "The provider \"{}\" has a configuration without an alias already. Give this one an alias.",
                    key.0
                ),
                false => format!(
                    "The provider \"{}\" has a configuration with the alias \"{}\" already. Give this one another alias.",
                    key.0, key.1
                ),
            };
            let duplicate = Diagnostic::error(&DUPLICATE, detail).at(block.header);
            out.push(duplicate.note_at("It is first configured here.", first.place));
            continue;
        }
        let for_each = for_each.map(|argument| &argument.expr);
        known.insert(key, Known { place: block.header, for_each });
    }
    for block in blocks.iter().filter(|block| &*block.kind == "terraform") {
        for requirement in block.blocks_of("required_providers").flat_map(|b| &b.arguments) {
            for asked in configuration_aliases(&requirement.expr) {
                let key = (asked.name, asked.alias.unwrap_or_default());
                known.entry(key).or_insert(Known { place: requirement.place, for_each: None });
            }
        }
    }
    known
}

/// The configurations that a module expects from whoever calls it.
fn configuration_aliases(requirement: &Expr) -> Vec<Asked> {
    let mut found = Vec::new();
    let mut silent = Diagnostics::new();
    match requirement {
        Expr::Native(native) => {
            let Case::Object(items) = native.view().case() else { return found };
            let is_aliases = |key: View<'_>| matches!(key.case(), Case::Root(word) if word == "configuration_aliases");
            for item in items.into_iter().filter(|item| is_aliases(item.key)) {
                let Case::Tuple(aliases) = item.value.case() else { continue };
                let place = Place::new(native.file(), item.value.span());
                found.extend(aliases.into_iter().filter_map(|a| asked(a, place, &mut silent)));
            }
        }
        Expr::Json(json) => {
            use groma_syntax::json::Case;
            let Case::Object(properties) = json.view().case() else { return found };
            for property in properties.iter().filter(|p| p.name == "configuration_aliases") {
                let Case::Array(items) = property.value.case() else { continue };
                for item in items {
                    if let Case::String(text) = item.case() {
                        found.extend(spelled(&text));
                    }
                }
            }
        }
    }
    found
}

/// `name` or `name.alias`.
fn spelled(text: &str) -> Option<Asked> {
    let (name, alias) = match text.split_once('.') {
        Some((name, alias)) => (name, Some(alias.to_owned())),
        None => (text, None),
    };
    let fine = |word: &str| groma_syntax::is_identifier(word);
    (fine(name) && alias.as_deref().is_none_or(fine)).then(|| Asked {
        name: name.to_owned(),
        alias,
        keyed: false,
    })
}

fn asked(view: View<'_>, place: Place, out: &mut Diagnostics) -> Option<Asked> {
    let plain = |view: View<'_>| match view.case() {
        Case::Root(name) => Some(Asked { name: name.to_owned(), alias: None, keyed: false }),
        Case::Attribute { object, name, .. } => match object.case() {
            Case::Root(root) => {
                Some(Asked { name: root.to_owned(), alias: Some(name.to_owned()), keyed: false })
            }
            _ => None,
        },
        _ => None,
    };
    let found = match view.case() {
        Case::Missing => return None,
        Case::Template(template) => {
            let found = template.plain().and_then(|text| spelled(&text));
            if found.is_some() {
                let detail = "The name of a provider configuration needs no quotes.";
                out.push(Diagnostic::warning(&QUOTED, detail).at(place));
            }
            found
        }
        Case::Index { object, .. } => plain(object).map(|asked| Asked { keyed: true, ..asked }),
        _ => plain(view),
    };
    if found.is_none() {
        let detail = "A provider configuration is called by its name, or by its name and alias, as in aws.west. Nothing is evaluated here.";
        out.push(Diagnostic::error(&REFERENCE, detail).at(place));
    }
    found
}

/// The configuration that an argument asks for.
fn wanted<'k, 'r>(
    expr: &Expr,
    known: &'k Configurations<'r>,
    may_repeat: bool,
    out: &mut Diagnostics,
) -> Option<&'k Known<'r>> {
    let place = expr.place();
    let asked = match expr {
        Expr::Native(native) => asked(native.view(), place, out)?,
        Expr::Json(_) => spelled(&literal_text(expr)?)?,
    };
    exists(&asked, place, known, may_repeat, out)
}

fn exists<'k, 'r>(
    asked: &Asked,
    place: Place,
    known: &'k Configurations<'r>,
    may_repeat: bool,
    out: &mut Diagnostics,
) -> Option<&'k Known<'r>> {
    if asked.keyed && !may_repeat {
        let detail = "A provider configuration has no keys in this dialect. Call it by its name and alias alone.";
        out.push(Diagnostic::error(&REFERENCE, detail).at(place));
        return None;
    }
    let alias = asked.alias.clone().unwrap_or_default();
    let Some(found) = known.get(&(asked.name.clone(), alias.clone())) else {
        if !alias.is_empty() {
            let mut others: Vec<&str> = known
                .keys()
                .filter(|(name, _)| *name == asked.name)
                .map(|(_, alias)| alias.as_str())
                .collect();
            others.sort_unstable();
            let hint = did_you_mean(&alias, others);
            let detail = format!(
                "The module has no configuration of the provider \"{}\" with the alias \"{alias}\".{hint} Add a provider block, or name it in configuration_aliases if the caller is to give it.",
                asked.name
            );
            out.push(Diagnostic::error(&UNDECLARED, detail).at(place));
        }
        return None;
    };
    if may_repeat && found.for_each.is_some() && !asked.keyed {
        let detail = format!(
            "The provider configuration {}.{alias} is repeated, so one of its instances has to be chosen, as in {}.{alias}[each.key].",
            asked.name, asked.name
        );
        out.push(Diagnostic::error(&REFERENCE, detail).at(place));
    }
    Some(found)
}

fn text(expr: &Expr) -> Option<&str> {
    match expr {
        Expr::Native(native) => Some(native.view().text()),
        Expr::Json(_) => None,
    }
}
