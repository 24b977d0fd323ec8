//! Merging of override files, on the level of syntax: arguments replace arguments of the same name, and nested blocks replace
//! all blocks of their kind.

use std::sync::Arc;

use groma_config::RawBlock;
use groma_eval::news;
use groma_runtime::Edition;
use groma_syntax::ast::ExprCase;
use groma_syntax::{Diagnostic, Diagnostics, Expr};
use groma_value::Str;
use rustc_hash::FxHashMap;

use crate::codes;
use crate::dialect::{Conventions, MODULE};

/// Merges the blocks of override files, in order, into the blocks of the primary files.
pub(crate) fn merge(
    base: Vec<Arc<RawBlock>>,
    overrides: Vec<RawBlock>,
    edition: Edition,
    out: &mut Diagnostics,
) -> Vec<Arc<RawBlock>> {
    if overrides.is_empty() {
        return base;
    }
    let mut merger = BlockMerger {
        edition,
        blocks: Vec::new(),
        named: FxHashMap::default(),
        locals: FxHashMap::default(),
    };
    for block in base {
        merger.add(Arc::unwrap_or_clone(block));
    }
    let conventions = Conventions::of(edition);
    let keeps_deprecation = conventions.deprecation_follows_values;
    for mut change in overrides {
        if keeps_deprecation && matches!(&*change.kind, "variable" | "output") {
            // The declaration decides which users are warned.
            change.arguments.retain(|argument| &*argument.name != "deprecated");
        }
        if conventions.destroy_is_setting && &*change.kind == "resource" {
            without_destroy(&mut change, out);
        }
        merger.change(change, out);
    }
    merger.blocks.into_iter().map(Arc::new).collect()
}

/// The blocks of a module merged so far, with the indices of each block and local value by name.
struct BlockMerger {
    edition: Edition,
    blocks: Vec<RawBlock>,
    /// Block indices by kind, labels and alias; the first of duplicates.
    named: FxHashMap<Vec<Str>, usize>,
    /// The index of the block and of the argument in it, for each local value.
    locals: FxHashMap<Str, (usize, usize)>,
}

impl BlockMerger {
    /// Adds a block of a primary file to the merged blocks.
    fn add(&mut self, block: RawBlock) {
        let at = self.blocks.len();
        if &*block.kind == "locals" {
            for (position, argument) in block.arguments.iter().enumerate() {
                self.locals.entry(argument.name.clone()).or_insert((at, position));
            }
        } else {
            self.named.entry(identity(&block)).or_insert(at);
        }
        self.blocks.push(block);
    }

    /// Merges a block of an override file into the module's block of the same kind, labels and provider alias; reports one
    /// for which there is none, or whose kind cannot be overridden.
    fn change(&mut self, change: RawBlock, out: &mut Diagnostics) {
        match &*change.kind {
            "locals" => self.change_locals(change, out),
            "terraform" => merge_settings(&mut self.blocks, change),
            // Blocks of this kind accumulate.
            "language" => {
                let detail = "The requirements of a module cannot be in an override file. Move the block to another file.";
                out.push(
                    news::refuse(&codes::NOT_OVERRIDABLE, detail, self.edition).at(change.header),
                );
                self.add(change);
            }
            kind if MODULE.iter().any(|row| row.kind == kind && row.is_fixed) => {
                let detail = format!(
                    "{} block cannot be changed by an override file; move it to another file.",
                    groma_config::capital_a(&change.kind)
                );
                out.push(
                    news::refuse(&codes::NOT_OVERRIDABLE, detail, self.edition).at(change.header),
                );
            }
            _ => match self.named.get(&identity(&change)) {
                Some(&at) => {
                    let change = without_fixed(change, self.edition, out);
                    merge_block(&mut self.blocks[at], change);
                }
                None => {
                    // A provider without a configuration exists implicitly, unless it has an alias.
                    let is_implied =
                        &*change.kind == "provider" && change.argument("alias").is_none();
                    if !is_implied {
                        out.push(nothing_to_override(&change));
                    }
                    // The block is still the best guess at the intention.
                    self.add(change);
                }
            },
        }
    }

    /// Replaces local values by those of a `locals` block of an override file; reports those that no other file declares.
    fn change_locals(&mut self, mut change: RawBlock, out: &mut Diagnostics) {
        change.arguments.retain(|argument| match self.locals.get(&argument.name) {
            Some(&(block, position)) => {
                let declared = &mut self.blocks[block].arguments[position];
                let name_place = declared.name_place;
                *declared = argument.clone();
                // The place of the declaration stays; only the value changes.
                declared.name_place = name_place;
                false
            }
            None => true,
        });
        for argument in &change.arguments {
            let detail = format!(
                "No other file declares the local value \"{}\", so this override file has nothing to change. \
                 Declare it in a file whose name does not end in _override, or remove it here.",
                &*argument.name
            );
            out.push(Diagnostic::error(&codes::NOTHING_TO_OVERRIDE, detail).at(argument.place));
        }
        if !change.arguments.is_empty() {
            self.add(change);
        }
    }
}

/// Returns the kind, labels and provider alias that identify a block: a block of an override file changes the one of which
/// these are equal.
fn identity(block: &RawBlock) -> Vec<Str> {
    let mut identity = vec![block.kind.clone()];
    identity.extend(block.labels.iter().map(|label| label.text.clone()));
    if &*block.kind == "provider" {
        let alias = block.argument("alias");
        let alias = alias.and_then(|alias| groma_config::literal_text(&alias.expr));
        identity.push(Str::from(alias.unwrap_or_default()));
    }
    identity
}

/// Returns the diagnostic for a block of an override file that no other file declares.
fn nothing_to_override(change: &RawBlock) -> Diagnostic {
    let mut name: String =
        change.labels.iter().map(|l| format!(" \"{}\"", l.text.as_ref())).collect();
    let alias = change.argument("alias").filter(|_| &*change.kind == "provider");
    if let Some(alias) = alias.and_then(|alias| groma_config::literal_text(&alias.expr)) {
        name += &format!(" with the alias \"{alias}\"");
    }
    let detail = format!(
        "No other file declares {}{name}, so this override file has nothing to change. \
         Declare it in a file whose name does not end in _override, or remove it here.",
        change.kind.as_ref()
    );
    Diagnostic::error(&codes::NOTHING_TO_OVERRIDE, detail).at(change.header)
}

/// Returns a block of an override file without `depends_on` and conditions, which must not be overridden; reports them.
fn without_fixed(mut change: RawBlock, edition: Edition, out: &mut Diagnostics) -> RawBlock {
    if &*change.kind != "provider" {
        change.arguments.retain(|argument| {
            if &*argument.name != "depends_on" {
                return true;
            }
            // An empty list changes nothing, and a value that is no list is reported elsewhere.
            match item_count(&argument.expr) {
                Some(0) => false,
                Some(_) => {
                    let detail = "An override file cannot change depends_on. Change it where it is declared.";
                    out.push(Diagnostic::error(&codes::ARGUMENT_NOT_OVERRIDABLE, detail).at(argument.expr.place()));
                    false
                }
                None => true,
            }
        });
    }
    /// Removes validations and conditions from a block of an override file and reports them.
    fn without_conditions(block: &mut RawBlock, edition: Edition, out: &mut Diagnostics) {
        block.blocks.retain(|inner| {
            let is_condition =
                matches!(&*inner.kind, "validation" | "precondition" | "postcondition");
            if is_condition {
                let detail = format!(
                    "{} block cannot be changed by an override file. Change it where it is declared.",
                    groma_config::capital_a(&inner.kind)
                );
                out.push(news::refuse(&codes::NOT_OVERRIDABLE, detail, edition).at(inner.header));
            }
            !is_condition
        });
    }
    if matches!(&*change.kind, "variable" | "output") {
        without_conditions(&mut change, edition, out);
    }
    for lifecycle in change.blocks.iter_mut().filter(|block| &*block.kind == "lifecycle") {
        without_conditions(lifecycle, edition, out);
    }
    change
}

/// Removes `destroy` from the lifecycles in a block of an override file and remarks that it has no effect there.
fn without_destroy(change: &mut RawBlock, out: &mut Diagnostics) {
    for lifecycle in change.blocks.iter_mut().filter(|block| &*block.kind == "lifecycle") {
        lifecycle.arguments.retain(|argument| {
            let is_other = &*argument.name != "destroy";
            if !is_other {
                let detail = "In an override file \"destroy\" has no effect, and neither Terraform nor OpenTofu reports it. Set it where the resource is declared.";
                out.push(Diagnostic::remark(&codes::ARGUMENT_NOT_OVERRIDABLE, detail).at(argument.expr.place()));
            }
            is_other
        });
    }
}

/// Returns the number of items of a literal list; `None` for other expressions.
fn item_count(expr: &Expr) -> Option<usize> {
    match expr {
        Expr::Native(native) => match native.view().case() {
            ExprCase::Tuple(items) => Some(items.len()),
            _ => None,
        },
        Expr::Json(document) => match document.view().case() {
            groma_syntax::json::JsonCase::Array(items) => Some(items.len()),
            _ => None,
        },
    }
}

/// Merges a `terraform` block of an override file into the `terraform` blocks of the module.
fn merge_settings(base: &mut Vec<RawBlock>, change: RawBlock) {
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
        if &*inner.kind == "encryption" {
            let mut settings = base.iter_mut().filter(|block| &*block.kind == "terraform");
            let old = settings.find_map(|block| {
                block.blocks.iter_mut().find(|block| &*block.kind == "encryption")
            });
            if let Some(old) = old {
                merge_encryption(old, inner);
                continue;
            }
        }
        // A backend and a cloud block replace each other.
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

/// Merges an `encryption` block of an override file into the module's: a declaration replaces the one with equal labels, others
/// stay.
fn merge_encryption(block: &mut RawBlock, change: RawBlock) {
    for inner in change.blocks {
        let same = |old: &&mut RawBlock| {
            let labels =
                |one: &RawBlock| one.labels.iter().map(|l| l.text.clone()).collect::<Vec<_>>();
            old.kind == inner.kind && labels(old) == labels(&inner)
        };
        match block.blocks.iter_mut().find(same) {
            Some(old) => *old = inner,
            None => block.blocks.push(inner),
        }
    }
}

/// Replaces the arguments of a block by those of the same name in an overriding block, and adds the others.
fn replace_arguments(block: &mut RawBlock, change: RawBlock) {
    let known = block.arguments.iter().enumerate();
    let at: FxHashMap<Str, usize> = known.map(|(at, old)| (old.name.clone(), at)).collect();
    for argument in change.arguments {
        match at.get(&argument.name) {
            Some(&at) => block.arguments[at] = argument,
            None => block.arguments.push(argument),
        }
    }
}

/// Merges a block of an override file into the block that it changes, with its nested blocks.
fn merge_block(block: &mut RawBlock, mut change: RawBlock) {
    // In any combination of both, "count" wins.
    if change.argument("count").is_some() {
        block.arguments.retain(|old| &*old.name != "for_each");
    } else if block.argument("count").is_some() {
        change.arguments.retain(|new| &*new.name != "for_each");
    }
    let changes = |name: &str| change.argument(name).is_some();
    if &*block.kind != "variable" || changes("type") || changes("default") || changes("nullable") {
        block.overridden = Some(change.header);
    }
    let blocks = std::mem::take(&mut change.blocks);
    block.news = block.news.or(change.news);
    replace_arguments(block, change);
    let kinds: Vec<String> = blocks.iter().map(|b| replaced_kind(b).to_owned()).collect();
    // Blocks of these kinds are merged by argument, others replaced as a whole.
    let owner = block.kind.clone();
    let in_parts = |kind: &str| kind == "lifecycle" || &*owner == "action" && kind == "config";
    block
        .blocks
        .retain(|old| in_parts(&old.kind) || !kinds.iter().any(|kind| kind == replaced_kind(old)));
    for inner in blocks {
        let old = block.blocks.iter_mut().find(|old| in_parts(&old.kind) && old.kind == inner.kind);
        match old {
            Some(old) => merge_block(old, inner),
            None => block.blocks.push(inner),
        }
    }
}

/// Returns the kind of nested blocks that an overriding nested block replaces: for a `dynamic` block, its label.
fn replaced_kind(block: &RawBlock) -> &str {
    match &*block.kind {
        "dynamic" if !block.labels.is_empty() => block.label(0),
        kind => kind,
    }
}
