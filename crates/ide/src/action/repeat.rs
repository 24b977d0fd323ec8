//! Replaces `count` by `for_each`, with a `moved` block for each instance.

use groma::edit::{EditOp, TextEdit};
use groma::place::DeclarationId;
use groma_syntax::ast::{ExprCase, ExprView};
use groma_syntax::{Argument, Block, Body, BodyItem, Expr, NativeExpr};

use crate::action::{ActionChange, ActionChoice, ActionKind, ActionList};
use crate::file_span::{ChangeSet, FileEdits, replacement};

/// Maximum number of instances of a block that can change from `count` to `for_each`; with more the action fails.
const MAX_INSTANCES: usize = 100;

/// Maximum number of instances for which the keys `"0"`, `"1"`, … sort like the numbers.
const MAX_SORTED: usize = 10;

impl ActionList<'_> {
    /// Offers to replace `count` of the block at the cursor by `for_each`.
    pub(super) fn repeat(&mut self) {
        let Some((id, address)) = self.declaration() else { return };
        let change = ActionChange { request: self.request, document: self.document };
        if change.counted_block(self.range.start).is_some() {
            let title = format!("Give the instances of {address} keys: for_each in place of count");
            self.push(title, ActionKind::Rewrite, ActionChoice::CountToForEach(id));
        }
    }
}

impl ActionChange<'_> {
    /// Returns the block with `count` at an offset, its `count` argument, and that argument's expression; `None` if there is
    /// no such block, or in JSON.
    fn counted_block(&self, at: u32) -> Option<(Block, Argument, NativeExpr)> {
        let blocks = self.document.syntax().body().items();
        let block = blocks.into_iter().find_map(|item| match item {
            BodyItem::Block(block) if block.span.touches(at) => Some(block),
            _ => None,
        })?;
        let count = block.body.items().into_iter().find_map(|item| match item {
            BodyItem::Argument(argument) if &*argument.name.text == "count" => Some(argument),
            _ => None,
        })?;
        let Expr::Native(value) = count.expr.clone() else { return None };
        Some((block, count, value))
    }

    /// Replaces `count` by `for_each` in a block, adapts all references to its instances, and adds `moved` blocks.
    pub(super) fn count_to_for_each(&self, id: DeclarationId) -> Result<ChangeSet, String> {
        let snapshot = self.request.snapshot().ok_or("The file belongs to no root.")?;
        let site = snapshot.declaration(id).ok_or("The block is not declared.")?;
        let own = self.request.span_of(site.place).ok_or("The block has no place.")?;
        let (block, count, value) =
            self.counted_block(own.span.start).ok_or("The block has no count.")?;
        self.refuse_other_statements(&site.address)?;
        let counts = snapshot.counts_of(id, 2, self.request.token());
        let known = match &*counts {
            [(_, Some(known))] => *known,
            [] => return Err("The number of instances is still being worked out.".to_owned()),
            _ => return Err("The number of instances has to be known, and the same everywhere, to move each of them.".to_owned()),
        };
        if known > MAX_INSTANCES {
            return Err(format!(
                "There are {known} instances; at most {MAX_INSTANCES} are moved at once."
            ));
        }
        let mut uses = Vec::new();
        for expression in expressions(&block.body) {
            index_uses(expression.view(), &mut |span, list| {
                uses.push((span, list.map(str::to_owned)));
            });
        }
        let list = match value.view().case() {
            ExprCase::Call(call) if &*call.name == "length" && call.args.len() == 1 => {
                Some(call.args[0].text().to_owned())
            }
            _ => None,
        };
        let keys = list.as_ref().and_then(|list| {
            let is_of_list = uses.iter().all(|(_, of)| of.as_ref() == Some(list));
            is_of_list.then(|| self.keys_of(list, known)).flatten()
        });
        let mut edits: Vec<TextEdit> = Vec::new();
        let text = match (&keys, &list) {
            (Some(_), Some(list)) => format!("for_each = toset({list})"),
            _ => {
                let value = value.text();
                format!("for_each = {{ for index in range({value}) : tostring(index) => index }}")
            }
        };
        edits.push(replacement(count.span, text));
        for (span, of_list) in &uses {
            let inner = match (&keys, of_list) {
                (None, Some(list)) => replacement(*span, format!("{list}[each.value]")),
                _ => replacement(*span, "each.value"),
            };
            edits.push(inner);
        }
        let sorted: Vec<String> = (0..known).map(|at| at.to_string()).collect();
        let names = keys.unwrap_or(sorted);
        let is_in_order = names.windows(2).all(|two| two[0] < two[1]) && known <= MAX_SORTED;
        let mut files: Vec<FileEdits> = Vec::new();
        self.references(id, &names, is_in_order, &mut edits, &mut files)?;
        let moves: Vec<(EditOp, String, String)> = names
            .iter()
            .enumerate()
            .map(|(at, key)| {
                let address = &site.address;
                let key = key.replace('\\', "\\\\").replace('"', "\\\"");
                let code =
                    format!("{{\n  from = {address}[{at}]\n  to   = {address}[\"{key}\"]\n}}");
                (EditOp::Add, "moved[]".to_owned(), code)
            })
            .collect();
        edits.extend(self.edited(self.document, &moves)?);
        edits.sort_by_key(|edit| (edit.start, edit.end));
        if edits.windows(2).any(|two| two[1].start < two[0].end) {
            return Err("The block is too close to where the moved blocks would stand.".to_owned());
        }
        files.push(FileEdits { file: self.document.name().to_owned(), edits });
        files.sort_by(|a, b| a.file.cmp(&b.file));
        Ok(ChangeSet { files, ..ChangeSet::default() })
    }

    /// Returns the elements of the variable or local value with the address `list`, if all can serve as keys: distinct
    /// strings that are not sensitive, as many as there are instances, `known`; otherwise `None`.
    fn keys_of(&self, list: &str, known: usize) -> Option<Vec<String>> {
        let snapshot = self.request.snapshot()?;
        let (root, name) = list.split_once('.')?;
        if !matches!(root, "var" | "local") || name.contains(['.', '[', '(']) {
            return None;
        }
        let number = snapshot.module_of_file(self.document.name());
        let all = snapshot.declarations_of(number);
        let (id, _) = all.into_iter().find(|(_, address)| address == list)?;
        let value = snapshot.values_of(id, 1, self.request.token()).values.pop()?.value;
        let keys = groma::place::texts_of(&value)?;
        let mut sorted = keys.clone();
        sorted.sort_unstable();
        sorted.dedup();
        (sorted.len() == known && keys.len() == known).then_some(keys)
    }

    /// Collects the edits that change references from `count` indices to the `for_each` keys `names`: in `edits` those of
    /// the action's file, in `files` those of others; an error for a reference that cannot be changed, such as a splat
    /// unless `is_in_order`.
    fn references(
        &self,
        id: DeclarationId,
        names: &[String],
        is_in_order: bool,
        edits: &mut Vec<TextEdit>,
        files: &mut Vec<FileEdits>,
    ) -> Result<(), String> {
        let Some(snapshot) = self.request.snapshot() else { return Ok(()) };
        for one in snapshot.references(id) {
            let Some(at) = self.request.span_of(one.place) else { continue };
            let Some(document) = self.request.document(&at.file) else { continue };
            let named = self.argument_at(&at);
            let rest = &document.text()[at.span.end as usize..];
            let names_all = matches!(named.as_deref(), Some("depends_on" | "replace_triggered_by"));
            if names_all && !rest.starts_with(['[', '.']) {
                continue;
            }
            let edit = if let Some(rest) = rest.strip_prefix('[') {
                let key = rest.split(']').next().unwrap_or_default();
                if key == "*" {
                    splat(&at, &document, is_in_order)?
                } else if let Ok(position) = key.trim().parse::<usize>() {
                    let name = names
                        .get(position)
                        .ok_or("A reference names an instance that is not there.")?;
                    let start = at.span.end as usize + 1;
                    TextEdit { start, end: start + key.len(), text: format!("\"{name}\"") }
                } else if names.iter().enumerate().all(|(at, name)| *name == at.to_string()) {
                    // The number is converted to its key.
                    continue;
                } else {
                    return Err(format!(
                        "An instance is named by `{key}`, which is a number only when it is evaluated."
                    ));
                }
            } else if rest.starts_with(".*") {
                splat(&at, &document, is_in_order)?
            } else {
                return Err(
                    "A reference uses all instances as a list. Change it by hand first.".to_owned()
                );
            };
            if *at.file == *self.document.name() {
                edits.push(edit);
                continue;
            }
            match files.iter_mut().find(|file| *file.file == *at.file) {
                Some(known) => known.edits.push(edit),
                None => files.push(FileEdits { file: at.file.to_string(), edits: vec![edit] }),
            }
        }
        files.iter_mut().for_each(|file| file.edits.sort_by_key(|edit| edit.start));
        Ok(())
    }
}

/// Returns the edit that wraps the reference `at`, on which a splat follows, in `values()`; an error unless `is_in_order`
/// says that the keys of `for_each` leave the instances in the order that `count` gave them.
fn splat(
    at: &crate::file_span::FileSpan,
    document: &crate::document::TextDocument,
    is_in_order: bool,
) -> Result<TextEdit, String> {
    if !is_in_order {
        return Err(
            "A reference takes the instances in their order, which keys would change.".to_owned()
        );
    }
    let text = format!("values({})", at.span.of(document.text()));
    Ok(replacement(at.span, text))
}

/// Returns every native expression in a body, at any depth.
fn expressions(body: &Body) -> Vec<NativeExpr> {
    let (mut waiting, mut found) = (vec![body.clone()], Vec::new());
    while let Some(body) = waiting.pop() {
        for item in body.items() {
            match item {
                BodyItem::Block(block) => waiting.push(block.body),
                BodyItem::Argument(Argument { expr: Expr::Native(value), .. }) => found.push(value),
                BodyItem::Argument(_) => {}
            }
        }
    }
    found
}

/// Visits every use of `count.index`: its span, or that of `LIST[count.index]` together with the list.
fn index_uses(whole: ExprView<'_>, see: &mut dyn FnMut(groma_syntax::Span, Option<&str>)) {
    let is_index = |view: ExprView<'_>| view.text() == "count.index";
    let mut waiting = vec![whole];
    while let Some(view) = waiting.pop() {
        let case = view.case();
        match &case {
            ExprCase::Index { object, key, .. } if is_index(*key) => {
                see(view.span(), Some(object.text()));
                continue;
            }
            ExprCase::Attribute { .. } if is_index(view) => {
                see(view.span(), None);
                continue;
            }
            _ => {}
        }
        case.inner(|inner| waiting.push(inner));
    }
}
