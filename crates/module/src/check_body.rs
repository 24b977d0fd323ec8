//! Validation of a body against its schema: unsupported, missing and misused arguments and blocks. Nothing is evaluated. The
//! content of a `dynamic` block is checked only when a block is made from it.

use std::fmt::Display;

use groma_config::did_you_mean;
use groma_eval::news;
use groma_runtime::Edition;
use groma_syntax::{Diagnostic, DiagnosticCode, Diagnostics};
use groma_value::schema::{BlockSchema, NestedBlock, NestingMode};

use crate::codes;
use crate::declare::{Expression, InnerBlock, InputArgument, SchemaBody};

/// Reports every argument and block of a body that a block's schema does not accept, and required ones that are missing;
/// `whose` names the owner of the body in messages.
pub fn fit(content: &SchemaBody, block: &BlockSchema, whose: &dyn Display, out: &mut Diagnostics) {
    fit_as(content, block, whose, None, out);
}

/// Reports what a schema does not accept in the body of a block of the language itself; `whose` is what messages call the
/// block; if `edition` is newer than the known ones, unsupported arguments and blocks are only notes.
pub(crate) fn fit_own(
    content: &SchemaBody,
    block: &BlockSchema,
    whose: &str,
    edition: Edition,
    out: &mut Diagnostics,
) {
    fit_as(content, block, &whose, Some(edition), out);
}

/// Reports what a schema does not accept in a body: unsupported and missing arguments, and wrong numbers of blocks; `whose`
/// is what messages call the owner of the body; `edition` is given for blocks of the language itself, for which a newer
/// edition may have more.
fn fit_as(
    content: &SchemaBody,
    block: &BlockSchema,
    whose: &dyn Display,
    edition: Option<Edition>,
    out: &mut Diagnostics,
) {
    for input in &content.arguments {
        argument(input, block, whose, edition, out);
    }
    for nested in &content.blocks {
        nested_block(nested, content, block, whose, edition, out);
    }
    let missing = block.attributes().iter().filter(|attribute| {
        let name = &*attribute.name;
        attribute.required
            && content.argument(name).is_none()
            && content.blocks_of(name).next().is_none()
    });
    for attribute in missing {
        let detail =
            format!("{whose} needs the argument \"{}\", and it is not set.", &*attribute.name);
        out.push(Diagnostic::error(&codes::MISSING_ARGUMENT, detail).at(content.edge));
    }
    for nested in block.blocks() {
        let mut written = content.blocks_of(&nested.name);
        // The number of blocks that a dynamic block makes is known only after evaluation.
        if content.blocks_of(&nested.name).any(|one| one.dynamic.is_some()) {
            continue;
        }
        let found = content.blocks_of(&nested.name).count() as u64;
        if let Some(problem) = count(nested, found, whose) {
            let most = most(nested).unwrap_or(0) as usize;
            let place = written.nth(most).map_or(content.edge, |first| first.place);
            let place = if found < nested.min { content.edge } else { place };
            out.push(Diagnostic::error(&codes::BLOCK_COUNT, problem).at(place));
        }
    }
}

/// Returns the maximum number of blocks of a kind; `None` if it is unbounded.
fn most(nested: &NestedBlock) -> Option<u64> {
    match nested.nesting {
        NestingMode::Single | NestingMode::Group => Some(1),
        _ => Some(nested.max).filter(|max| *max > 0),
    }
}

/// Returns the message for `found` blocks of a kind in the body that `whose` names, if its schema requires more or allows
/// fewer; otherwise `None`.
pub fn count(nested: &NestedBlock, found: u64, whose: &dyn Display) -> Option<String> {
    let kind = &*nested.name;
    let blocks = |number: u64| match number {
        1 => format!("one \"{kind}\" block"),
        more => format!("{more} \"{kind}\" blocks"),
    };
    if found < nested.min {
        let found =
            if found == 0 { "there is none".to_owned() } else { format!("there are {found}") };
        return Some(format!("{whose} needs at least {}, but {found}.", blocks(nested.min)));
    }
    let most = most(nested)?;
    (found > most)
        .then(|| format!("{whose} takes at most {}, but there are {found}.", blocks(most)))
}

/// Returns the diagnostic for an unsupported argument or block: an error, or a note if `edition` is newer than the known ones.
pub(crate) fn unsupported(
    code: &'static DiagnosticCode,
    detail: String,
    edition: Option<Edition>,
) -> Diagnostic {
    match edition {
        Some(edition) => news::refuse(code, detail, edition),
        None => Diagnostic::error(code, detail),
    }
}

/// Reports an argument that the schema `block` does not have; `whose` names its block in messages, and `edition` is given for
/// blocks of the language itself, for which a newer edition may have more.
fn argument(
    input: &InputArgument,
    block: &BlockSchema,
    whose: &dyn Display,
    edition: Option<Edition>,
    out: &mut Diagnostics,
) {
    let name = &*input.name;
    let code = &codes::UNSUPPORTED_ARGUMENT;
    let found = match block.attribute(name) {
        // A read-only attribute accepts null, so its value decides.
        Some(_) => return,
        None if block.block(name).is_some() => Diagnostic::error(
            code,
            format!(
                "\"{name}\" is a block of {whose}, not an argument: write {name} {{ … }}, without the equals sign."
            ),
        ),
        None => {
            let settable = block.attributes().iter().filter(|attribute| attribute.is_settable());
            let hint = did_you_mean(name, settable.map(|attribute| &*attribute.name));
            unsupported(code, format!("{whose} has no argument \"{name}\".{hint}"), edition)
        }
    };
    out.push(found.at(input.name_place));
}

/// Reports a nested block of the body `content` that the schema `block` does not accept, and what is wrong with its labels
/// and its content; `whose` names the body in messages, and `edition` is given for blocks of the language itself, for which
/// a newer edition may have more.
fn nested_block(
    nested: &InnerBlock,
    content: &SchemaBody,
    block: &BlockSchema,
    whose: &dyn Display,
    edition: Option<Edition>,
    out: &mut Diagnostics,
) {
    let kind = &*nested.kind;
    let place = nested.dynamic.as_ref().map_or(nested.place, |dynamic| dynamic.kind_place);
    if let Some(known) = block.block(kind) {
        if let Some(problem) = wrong_labels(known, nested) {
            out.push(problem);
        }
        if nested.dynamic.is_none() {
            fit_as(&nested.content, &known.block, whose, edition, out);
        }
        return;
    }
    let detail = match block.attribute(kind) {
        Some(attribute) if !attribute.is_settable() => {
            format!("\"{kind}\" of {whose} is computed by the provider and cannot be set.")
        }
        Some(attribute) => match attribute.as_blocks() {
            Some(_) if content.argument(kind).is_some() => format!(
                "\"{kind}\" is already set as an argument. Write either an argument or blocks."
            ),
            Some((_, object)) => {
                let inner = NestedBlock {
                    name: attribute.name.clone(),
                    nesting: NestingMode::List,
                    min: 0,
                    max: 0,
                    block: BlockSchema::of_object(object).into(),
                };
                if let Some(problem) = wrong_labels(&inner, nested) {
                    out.push(problem);
                }
                if nested.dynamic.is_none() {
                    fit_as(&nested.content, &inner.block, whose, edition, out);
                }
                return;
            }
            None => format!(
                "\"{kind}\" is an argument of {whose}, not a block: write {kind} = … instead."
            ),
        },
        None => {
            let kinds = block.blocks().iter().map(|nested| &*nested.name);
            let attributes = block.attributes().iter().filter(|a| a.as_blocks().is_some());
            let hint = did_you_mean(kind, kinds.chain(attributes.map(|a| &*a.name)));
            let detail = format!("{whose} has no blocks of type \"{kind}\".{hint}");
            out.push(unsupported(&codes::UNSUPPORTED_BLOCK, detail, edition).at(place));
            return;
        }
    };
    out.push(Diagnostic::error(&codes::UNSUPPORTED_BLOCK, detail).at(place));
}

/// Returns the diagnostic for a wrong number of labels of a nested block, if any; computed labels are checked during
/// evaluation.
fn wrong_labels(nested: &NestedBlock, written: &InnerBlock) -> Option<Diagnostic> {
    let wanted = usize::from(nested.nesting == NestingMode::Map);
    let kind = &*nested.name;
    if let Some(dynamic) = &written.dynamic {
        let detail = match (&dynamic.labels, wanted) {
            (Some(_), 0) => format!("Blocks of type \"{kind}\" have no labels. Remove \"labels\"."),
            (None, 1) => format!(
                "Blocks of type \"{kind}\" have one label each. Give it with labels = [ … ]."
            ),
            _ => return None,
        };
        let place = dynamic.labels.as_ref().map_or(written.place, Expression::place);
        return Some(Diagnostic::error(&codes::BLOCK_LABELS, detail).at(place));
    }
    let found = written.labels.len();
    let detail = match wanted {
        _ if found == wanted => return None,
        0 => format!("Blocks of type \"{kind}\" have no labels."),
        _ => format!("Blocks of type \"{kind}\" have one label each, but this one has {found}."),
    };
    let place = written.labels.get(wanted).map_or(written.place, |label| label.place);
    Some(Diagnostic::error(&codes::BLOCK_LABELS, detail).at(place))
}
