//! Validation of `terraform` blocks: settings that may occur once only, and `required_providers`. A module may have several such
//! blocks, which are read as one.

use std::sync::Arc;

use groma_config::{RawBlock, VersionConstraints, did_you_mean, literal_text};
use groma_syntax::ast::{ExprCase, ExprView};
use groma_syntax::{Diagnostic, Diagnostics, Expr, FileId, Place, Span, json};
use rustc_hash::FxHashMap;

use crate::check::provider::{invalid_name, is_local_name};
use crate::codes;
use crate::declare::expression::check_constant;
use crate::declare::required::word;
use crate::declare::{DeclarationReader, Expression, RequiredPart, RequiredProvider};
use crate::dialect::Conventions;

/// The names of the attributes that an entry of `required_providers` may have.
const KEYS: [&str; 3] = ["configuration_aliases", "source", "version"];

/// Reports duplicate and conflicting blocks in the `terraform` blocks of a module, and invalid contents of these blocks.
pub(super) fn check(
    blocks: &[Arc<RawBlock>],
    gatherer: &DeclarationReader<'_>,
    out: &mut Diagnostics,
) {
    let settings: Vec<&RawBlock> =
        blocks.iter().map(|block| &**block).filter(|block| &*block.kind == "terraform").collect();
    let inner = |kind: &'static str| settings.iter().flat_map(move |raw| raw.blocks_of(kind));
    report_repeated(inner("required_providers"), "required_providers", out);
    report_repeated(inner("backend"), "backend", out);
    report_repeated(inner("cloud"), "cloud", out);
    report_repeated(inner("encryption"), "encryption", out);
    for block in inner("encryption") {
        super::encryption::check(block, gatherer, out);
    }
    let mut told: FxHashMap<&str, Place> = FxHashMap::default();
    for block in inner("provider_meta") {
        meta(block, gatherer, out);
        match told.get(block.label(0)) {
            Some(first) => out.push(repeated_block(block, "provider_meta", *first)),
            None => {
                told.insert(block.label(0), block.header);
            }
        }
    }
    if let (Some(backend), Some(cloud)) = (inner("backend").next(), inner("cloud").next()) {
        let detail = "The state is stored in a backend or in the cloud, not in both. Remove one of the two blocks.";
        let both = Diagnostic::error(&codes::BACKEND_AND_CLOUD, detail).at(backend.header);
        out.push(both.note_at("The other one is here.", cloud.header));
    }
    for block in inner("required_providers") {
        requirements(block, &gatherer.conventions, out);
    }
}

/// Checks a `provider_meta` block: a valid provider name, constant arguments and no blocks.
fn meta(block: &RawBlock, gatherer: &DeclarationReader<'_>, out: &mut Diagnostics) {
    let name = block.label(0);
    if !is_local_name(name) {
        out.push(
            Diagnostic::error(&codes::PROVIDER_REQUIREMENT, invalid_name(name)).at(block.header),
        );
    }
    for inner in &block.blocks {
        let detail = "provider_meta takes only arguments. Write the block as an object.";
        out.push(Diagnostic::error(&codes::PROVIDER_META, detail).at(inner.header));
    }
    for argument in block.arguments.iter().filter(|_| block.blocks.is_empty()) {
        let expression = Expression::new(&argument.expr, &gatherer.library);
        check_constant(&expression, "What is said to a provider", out);
    }
}

/// Reports a second `backend`, `cloud` or `encryption` block in one override file. Several files may repeat it: the last one
/// counts.
pub(crate) fn check_overrides(overrides: &[RawBlock], out: &mut Diagnostics) {
    for kind in ["backend", "cloud", "encryption"] {
        let mut first: FxHashMap<FileId, &RawBlock> = FxHashMap::default();
        let settings = overrides.iter().filter(|block| &*block.kind == "terraform");
        for block in settings.flat_map(|raw| raw.blocks_of(kind)) {
            match first.get(&block.header.file) {
                Some(earlier) => out.push(repeated_block(block, kind, earlier.header)),
                None => {
                    first.insert(block.header.file, block);
                }
            }
        }
    }
}

/// Reports every block but the first; `what` is the kind of these blocks, which may occur only once.
fn report_repeated<'r>(
    blocks: impl Iterator<Item = &'r RawBlock>,
    what: &str,
    out: &mut Diagnostics,
) {
    let mut first: Option<&RawBlock> = None;
    for block in blocks {
        match first {
            Some(first) => out.push(repeated_block(block, what, first.header)),
            None => first = Some(block),
        }
    }
}

/// Returns the diagnostic for a second block of the kind `what`, which a module may have only once.
fn repeated_block(block: &RawBlock, what: &str, first: Place) -> Diagnostic {
    let whose = if what == "provider_meta" { " for a provider" } else { "" };
    let detail = format!("A module may have only one {what} block{whose}. Merge the two.");
    Diagnostic::error(&codes::SETTINGS_TWICE, detail)
        .at(block.header)
        .note_at("The first one is here.", first)
}

/// The form in which an attribute of a `required_providers` entry is written: a text, a list of references, or another.
enum WrittenForm {
    Text(String),
    /// `configuration_aliases` in native syntax: the leading name of each item that is a reference.
    List(Vec<(Option<String>, Place)>),
    Other,
}

/// Reports invalid names, sources, versions and aliases in a `required_providers` block, and providers required twice.
fn requirements(block: &RawBlock, conventions: &Conventions, out: &mut Diagnostics) {
    let mut sources: FxHashMap<String, &str> = FxHashMap::default();
    let entries: Vec<RequiredProvider> = RequiredProvider::of_block(block).collect();
    for entry in &entries {
        let name = &*entry.name;
        if !is_local_name(name) {
            out.push(
                Diagnostic::error(&codes::PROVIDER_REQUIREMENT, invalid_name(name))
                    .at(entry.name_place),
            );
            continue;
        }
        let place = entry.expr.place();
        if let Some(text) = text(&entry.expr) {
            constraint(&text, place, out);
            continue;
        }
        let Some(parts) = &entry.parts else {
            let detail = format!(
                "The requirement of \"{name}\" has to be a literal object, as in {{ source = \"hashicorp/aws\", version = \"~> 5.0\" }}."
            );
            out.push(Diagnostic::error(&codes::PROVIDER_REQUIREMENT, detail).at(place));
            continue;
        };
        let mut source = format!("hashicorp/{name}");
        for part in parts {
            let place = part.value.place();
            match written_form(part) {
                WrittenForm::Text(text) if part.name == "version" => constraint(&text, place, out),
                WrittenForm::Text(text) if part.name == "source" => {
                    match problem_of_source(&text, conventions) {
                        Some(detail) => {
                            out.push(
                                Diagnostic::error(&codes::PROVIDER_REQUIREMENT, detail).at(place),
                            );
                        }
                        None => source = full_source(&text),
                    }
                }
                WrittenForm::List(items) if part.name == "configuration_aliases" => {
                    aliases(name, &items, out);
                }
                _ => out.push(misplaced(part)),
            }
        }
        if let Some(first) = sources.get(&source) {
            let detail = format!(
                "The provider {source} is already required as \"{first}\". Use one name for it."
            );
            out.push(Diagnostic::warning(&codes::PROVIDER_REQUIRED_TWICE, detail).at(entry.place));
        } else {
            sources.insert(source, name);
        }
    }
}

/// Returns the diagnostic for an attribute of a `required_providers` entry that is written in the wrong form.
fn misplaced(part: &RequiredPart) -> Diagnostic {
    let name = &part.name;
    let place = part.value.place();
    let (detail, place) = match name.as_str() {
        "version" | "source" => (format!("\"{name}\" has to be a literal string."), place),
        "configuration_aliases" => (
            "\"configuration_aliases\" has to be a literal list of names, as in [aws.west]."
                .to_owned(),
            place,
        ),
        _ => (
            format!(
                "A required provider has no \"{name}\"; it has \"source\", \"version\" and \"configuration_aliases\".{} Configure the provider in a provider block.",
                did_you_mean(name, KEYS)
            ),
            part.name_place,
        ),
    };
    Diagnostic::error(&codes::PROVIDER_REQUIREMENT, detail).at(place)
}

/// Reports the items of `configuration_aliases` that do not begin with the provider's local name `name`; of each, `items`
/// holds the first name, `None` if it is not a reference, and the place.
fn aliases(name: &str, items: &[(Option<String>, Place)], out: &mut Diagnostics) {
    for (root, place) in items {
        if root.as_deref().is_some_and(|root| root == name) {
            continue;
        }
        let detail = format!(
            "A configuration passed by the caller is written as {name}.west: the provider's name, a dot and an alias."
        );
        out.push(Diagnostic::error(&codes::PROVIDER_REQUIREMENT, detail).at(*place));
    }
}

/// Reports a text that is not a valid version constraint.
fn constraint(text: &str, place: Place, out: &mut Diagnostics) {
    if let Err(part) = VersionConstraints::parse(text) {
        let detail = format!(
            "\"{part}\" is not a version constraint. Write an operator and a version, such as \">= 1.5\" or \"~> 1.5.0\"."
        );
        out.push(Diagnostic::error(&codes::PROVIDER_REQUIREMENT, detail).at(place));
    }
}

/// Returns true if a word is valid in a provider address: letters and digits, with single dashes between them.
fn is_name(word: &str) -> bool {
    let plain = |c: char| c.is_alphanumeric() || c == '-';
    let dashed = word.starts_with('-') || word.ends_with('-') || word.contains("--");
    !word.is_empty() && word.chars().all(plain) && !dashed
}

/// Returns true if a word is valid in a provider address in which underscores between letters and digits are allowed, too.
fn is_underscored(word: &str) -> bool {
    let plain = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_');
    let ends = word.starts_with(char::is_alphanumeric) && word.ends_with(char::is_alphanumeric);
    ends && word.chars().all(plain) && !word.contains("--")
}

/// Returns the reason why a text is not a valid provider source; `None` if it is valid.
fn problem_of_source(text: &str, conventions: &Conventions) -> Option<String> {
    let words: Vec<&str> = text.split('/').collect();
    let is_namespace = |word: &str| match conventions.underscored_namespaces {
        true => is_underscored(word),
        false => is_name(word),
    };
    let fits = match words.as_slice() {
        [kind] => is_name(kind),
        [namespace, kind] => is_namespace(namespace) && is_name(kind),
        [host, namespace, kind] => {
            let (host, port) = host.split_once(':').unwrap_or((host, "443"));
            let is_host = host.split('.').all(is_name) && port.bytes().all(|b| b.is_ascii_digit());
            is_host && (is_namespace(namespace) || *namespace == "-") && is_name(kind)
        }
        _ => false,
    };
    if !fits {
        return Some(format!(
            "\"{text}\" is not the source of a provider: that is HOST/NAMESPACE/NAME, where the host may be left out."
        ));
    }
    let kind = words.last().copied().unwrap_or_default();
    let plain = kind.strip_prefix("terraform-provider-")?;
    Some(format!(
        "\"{kind}\" is the name of a repository. The provider in it is \"{plain}\": leave out the prefix."
    ))
}

/// Returns a provider source in lower case, with the default namespace added if it has none.
fn full_source(text: &str) -> String {
    let text = text.to_lowercase();
    if text.contains('/') { text } else { format!("hashicorp/{text}") }
}

/// Returns the text of a string or number literal; `None` for other expressions.
fn text(expr: &Expr) -> Option<String> {
    literal_text(expr).or_else(|| match expr {
        Expr::Native(native) => match native.view().case() {
            ExprCase::Number(digits) => Some(digits.to_owned()),
            _ => None,
        },
        Expr::Json(_) => None,
    })
}

/// Returns the form in which an attribute of a `required_providers` entry is written, with its text or its items.
fn written_form(part: &RequiredPart) -> WrittenForm {
    if let Some(text) = part.text() {
        return WrittenForm::Text(text);
    }
    match &part.value {
        Expr::Native(native) => match native.view().case() {
            ExprCase::Tuple(items) => {
                let root = |item: ExprView<'_>| match item.case() {
                    ExprCase::Attribute { object, .. } => word(object),
                    _ => word(item),
                };
                let at = |span: Span| Place::new(native.file(), span);
                WrittenForm::List(
                    items.into_iter().map(|item| (root(item), at(item.span()))).collect(),
                )
            }
            _ => WrittenForm::Other,
        },
        // In JSON the items are strings, which are checked where they are used.
        Expr::Json(document) => match document.view().case() {
            json::JsonCase::Array(_) => WrittenForm::List(Vec::new()),
            _ => WrittenForm::Other,
        },
    }
}
