//! What override files change. Merging is by what is written, so that it needs to know little:
//! arguments replace arguments of their name, nested blocks replace all blocks of their kind.

use groma_syntax::{Code, Diagnostic, Diagnostics};

use super::raw::Raw;

static NOTHING_TO_OVERRIDE: Code =
    Code { slug: "nothing-to-override", summary: "Nothing to override" };
static NOT_OVERRIDABLE: Code =
    Code { slug: "not-overridable", summary: "Block cannot stand in an override file" };

/// Merges the blocks of override files, in their order, into the blocks of the primary files.
pub(crate) fn merge(base: &mut Vec<Raw>, overrides: Vec<Raw>, out: &mut Diagnostics) {
    for change in overrides {
        match &*change.kind {
            "locals" => merge_locals(base, change),
            "terraform" => merge_settings(base, change),
            "moved" | "import" | "removed" | "check" => {
                let detail = format!(
                    "A {} block cannot be changed by an override file; move it to another file.",
                    change.kind.as_ref()
                );
                out.push(Diagnostic::error(&NOT_OVERRIDABLE, detail).at(change.header));
            }
            "provider" => match find(base, &change) {
                Some(at) => merge_block(&mut base[at], change),
                // A provider without configuration exists all the same.
                None => base.push(change),
            },
            _ => match find(base, &change) {
                Some(at) => merge_block(&mut base[at], change),
                None => {
                    let name: String =
                        change.labels.iter().map(|l| format!(" \"{}\"", l.text.as_ref())).collect();
                    let detail = format!(
                        "No other file declares {}{name}, so this override file has nothing to change. \
                         Declare it in a file whose name does not end in _override, or remove it here.",
                        change.kind.as_ref()
                    );
                    out.push(Diagnostic::error(&NOTHING_TO_OVERRIDE, detail).at(change.header));
                    // What stands here is still the best guess at what is meant.
                    base.push(change);
                }
            },
        }
    }
}

fn find(base: &[Raw], change: &Raw) -> Option<usize> {
    base.iter().position(|block| {
        block.kind == change.kind
            && block.labels.len() == change.labels.len()
            && block.labels.iter().zip(&change.labels).all(|(a, b)| a.text == b.text)
            && (&*block.kind != "provider" || alias(block) == alias(change))
    })
}

fn alias(block: &Raw) -> Option<String> {
    let alias = block.argument("alias")?;
    super::expression::literal_text(&alias.expr)
}

fn merge_locals(base: &mut Vec<Raw>, change: Raw) {
    let mut rest = change;
    rest.arguments.retain(|argument| {
        let old = base
            .iter_mut()
            .filter(|block| &*block.kind == "locals")
            .flat_map(|block| &mut block.arguments)
            .find(|old| old.name == argument.name);
        match old {
            Some(old) => {
                *old = argument.clone();
                false
            }
            None => true,
        }
    });
    if !rest.arguments.is_empty() {
        base.push(rest);
    }
}

fn merge_settings(base: &mut Vec<Raw>, change: Raw) {
    let Some(at) = base.iter().position(|block| &*block.kind == "terraform") else {
        base.push(change);
        return;
    };
    for argument in change.arguments {
        for block in base.iter_mut().filter(|block| &*block.kind == "terraform") {
            block.arguments.retain(|old| old.name != argument.name);
        }
        base[at].arguments.push(argument);
    }
    for inner in change.blocks {
        if &*inner.kind == "required_providers" {
            let old = base
                .iter_mut()
                .filter(|block| &*block.kind == "terraform")
                .flat_map(|block| &mut block.blocks)
                .find(|block| &*block.kind == "required_providers");
            match old {
                Some(old) => replace_arguments(old, inner),
                None => base[at].blocks.push(inner),
            }
            continue;
        }
        // A backend and a cloud block are two answers to one question.
        let same = |kind: &str| match &*inner.kind {
            "backend" | "cloud" => kind == "backend" || kind == "cloud",
            other => kind == other,
        };
        for block in base.iter_mut().filter(|block| &*block.kind == "terraform") {
            block.blocks.retain(|old| !same(&old.kind));
        }
        base[at].blocks.push(inner);
    }
}

fn replace_arguments(block: &mut Raw, change: Raw) {
    for argument in change.arguments {
        match block.arguments.iter_mut().find(|old| old.name == argument.name) {
            Some(old) => *old = argument,
            None => block.arguments.push(argument),
        }
    }
}

fn merge_block(block: &mut Raw, mut change: Raw) {
    let names = |name: &str| change.argument(name).is_some();
    if names("count") || names("for_each") {
        block.arguments.retain(|old| !matches!(&*old.name, "count" | "for_each"));
    }
    let blocks = std::mem::take(&mut change.blocks);
    replace_arguments(block, change);
    let kinds: Vec<String> = blocks.iter().map(|b| replaced_kind(b).to_owned()).collect();
    let lifecycle = |kind: &str| kind == "lifecycle";
    block
        .blocks
        .retain(|old| lifecycle(&old.kind) || !kinds.iter().any(|kind| kind == replaced_kind(old)));
    for inner in blocks {
        let old =
            block.blocks.iter_mut().find(|old| lifecycle(&old.kind) && old.kind == inner.kind);
        match old {
            Some(old) => merge_block(old, inner),
            None => block.blocks.push(inner),
        }
    }
}

/// Which blocks a block stands in for: a dynamic block makes blocks of its label's kind.
fn replaced_kind(block: &Raw) -> &str {
    match &*block.kind {
        "dynamic" if !block.labels.is_empty() => block.label(0),
        kind => kind,
    }
}
