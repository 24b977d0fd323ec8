//! The settings of a module as entries to compare with those of the other revision: the backend of the state, and required
//! versions of the program and of providers. Only the root's backend counts.

use groma_config::{RawBlock, literal_text};
use groma_functions::FunctionLibrary;
use groma_module::declare::{Expression, RequiredProvider};
use groma_syntax::{Expr, Place};
use groma_value::{Str, Value};

use super::body::{ArgumentPart, ComparedBody};
use super::change::OutsideKind;
use super::entry::{ChangeTarget, DeclaredEntry};
use super::expression::{SideModule, text_of};

/// The types of blocks in `terraform` blocks that configure where and how the state is stored.
const STATE: [&str; 3] = ["backend", "cloud", "encryption"];

/// Adds the backend and the required versions of a module as entries to compare with those of the other revision.
pub(super) fn entries(here: &SideModule<'_>, all: &mut Vec<DeclaredEntry>) {
    let settings = here.module().settings();
    let mut versions: Vec<(Place, Str)> = Vec::new();
    for raw in settings {
        let own = raw.argument("required_version").into_iter();
        let compatible = raw.blocks_of("compatible_with").flat_map(|block| &block.arguments);
        let written = own.chain(compatible);
        versions.extend(written.map(|one| (one.expr.place(), constraint(&one.expr))));
        if here.node.parent().is_some() {
            continue;
        }
        for block in raw.blocks.iter().filter(|block| STATE.contains(&&*block.kind)) {
            let body = of_raw(here, block);
            all.push(DeclaredEntry::new(
                OutsideKind::Backend,
                name(block),
                ChangeTarget::Nothing,
                body,
            ));
        }
    }
    let place = versions.first().map(|(place, _)| *place).unwrap_or_default();
    let mut body = ComparedBody::empty(place);
    if !versions.is_empty() {
        let texts: Vec<&str> = versions.iter().map(|(_, text)| &**text).collect();
        body.put("required_version", Value::String(sorted(&texts.join(",")).into()));
    }
    all.push(DeclaredEntry::new(
        OutsideKind::Version,
        "terraform".to_owned(),
        ChangeTarget::Nothing,
        body,
    ));
    for one in &here.module().settings.providers {
        let address = format!("required_providers.{}", &*one.name);
        let target = ChangeTarget::Required(one.name.clone());
        all.push(DeclaredEntry::new(OutsideKind::Version, address, target, required(here, one)));
    }
}

/// Returns a body with the source, version constraint and aliases of a required provider for comparison. The source is compared
/// as a full address.
fn required(here: &SideModule<'_>, one: &RequiredProvider) -> ComparedBody {
    let mut body = ComparedBody::empty(one.place);
    let address = Value::String(here.node.provider_named(&one.name).into());
    let part = ArgumentPart::plain(one.place, address);
    let written =
        one.source().map(|source| ArgumentPart::plain(one.place, Value::String(source.into())));
    body.set(
        "source",
        written.map_or(part.clone(), |written| ArgumentPart { shown: written.shown, ..part }),
    );
    if let Some(version) = one.version() {
        body.put("version", Value::String(sorted(&version).into()));
    }
    if let Some(aliases) = one.part("configuration_aliases") {
        let text = text_of(aliases);
        let mut names: Vec<&str> = text
            .trim_matches(['[', ']'])
            .split(',')
            .map(str::trim)
            .filter(|name| !name.is_empty())
            .collect();
        names.sort_unstable();
        let text = format!("[{}]", names.join(", "));
        body.set("configuration_aliases", ArgumentPart::code(aliases.place(), text));
    }
    body
}

/// Returns the version constraint in an expression: the text of a string, or the source text.
fn constraint(expr: &Expr) -> Str {
    literal_text(expr).map_or_else(|| text_of(expr), Str::from)
}

/// Returns a version constraint in normal form: its parts sorted, with one layout.
fn sorted(text: &str) -> String {
    let part = |part: &str| {
        let part = part.trim();
        let split = part.find(|c: char| !"=!<>~".contains(c)).unwrap_or(part.len());
        let (operator, version) = part.split_at(split);
        match (operator, version.trim()) {
            ("", version) => version.to_owned(),
            (operator, version) => format!("{operator} {version}"),
        }
    };
    let mut parts: Vec<String> = text.split(',').map(part).collect();
    parts.sort();
    parts.dedup();
    parts.join(", ")
}

/// Returns the type of a block followed by its labels, separated by dots.
fn name(block: &RawBlock) -> String {
    let labels = block.labels.iter().map(|label| format!(".{}", &*label.text));
    format!("{}{}", &*block.kind, labels.collect::<String>())
}

/// Returns the body of a raw block for comparison, with its arguments and nested blocks.
pub(super) fn of_raw(here: &SideModule<'_>, raw: &RawBlock) -> ComparedBody {
    let library = FunctionLibrary::of(here.node.edition());
    let mut body = ComparedBody::empty(raw.header);
    // Arguments of a key provider are secrets under any name.
    let is_hidden = &*raw.kind == "key_provider";
    for argument in &raw.arguments {
        let part = here.valued(&argument.name, &Expression::new(&argument.expr, &library));
        body.set(&argument.name, if is_hidden { part.hidden() } else { part });
    }
    for block in &raw.blocks {
        body.push(&name(block), of_raw(here, block));
    }
    body
}
