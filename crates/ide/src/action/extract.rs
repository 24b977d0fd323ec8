//! Extract actions: an expression into a local value, or blocks into a module. `moved` blocks are added for resources that move
//! into the module.

use std::collections::{BTreeMap, BTreeSet};

use groma::Snapshot;
use groma::address::{DeclarationAddress, DeclarationName, ResourceMode, ResourceName};
use groma::edit::TextEdit;
use groma::hosts::file_path;
use groma::place::DeclarationId;
use groma_syntax::{Block, BodyItem, Span, TokenKind};

use crate::action::{ActionChange, ActionChoice, ActionKind, ActionList};
use crate::document::TextDocument;
use crate::file_span::{ChangeSet, FileEdits, replacement};

impl ActionList<'_> {
    /// Offers to extract the selected expression into a local value, or the selected blocks into a new module.
    pub(super) fn extract(&mut self) {
        if self.range.is_empty() {
            return;
        }
        let change = ActionChange { request: self.request, document: self.document };
        if let Some(span) = change.expression(self.range) {
            let title = "Give the expression a name among the local values".to_owned();
            self.push(title, ActionKind::Extract, ActionChoice::ExtractLocal(span));
        } else if !change.blocks(self.range).is_empty() {
            let title = "Move the blocks into a module".to_owned();
            self.push(title, ActionKind::Extract, ActionChoice::ExtractModule(self.range));
        }
    }
}

/// A block that the extraction of a module moves from the edited file into the new module.
struct MovingBlock {
    block: Block,
    id: DeclarationId,
    name: ResourceName,
}

/// The references between moving blocks and the other declarations of their module.
#[derive(Default)]
struct CrossingReferences {
    /// The input variables of the new module, each with the reference that becomes its value.
    inputs: BTreeMap<String, String>,
    /// The references in the moving blocks, each with its replacement.
    inner: Vec<(Span, String)>,
    /// The moving blocks that others refer to.
    outputs: BTreeSet<usize>,
    /// The edits of references to moving blocks, by file.
    edits: BTreeMap<String, Vec<TextEdit>>,
}

impl ActionChange<'_> {
    /// Returns the expression that a selection covers, apart from surrounding blanks; `None` if it covers no whole
    /// expression, or one that uses names of an enclosing `for`, or `each`, `count` or `self`, which exist only there.
    fn expression(&self, range: Span) -> Option<Span> {
        let text = range.of(self.document.text());
        let start = range.start + (text.len() - text.trim_start().len()) as u32;
        let span = Span::new(start, start + text.trim().len() as u32);
        if span.is_empty() {
            return None;
        }
        let whole = self.document.expression_at(span.start)?;
        let bindings = groma_syntax::ast::Bindings::of(whole.view());
        let mut waiting = vec![whole.view()];
        while let Some(view) = waiting.pop() {
            if view.span() == span {
                let bound = bindings.uses().iter().any(|one| {
                    let is_inside = span.start <= one.span.start && one.span.end <= span.end;
                    let is_own =
                        one.binder.and_then(|id| bindings.binder(id)).is_some_and(|binder| {
                            span.start <= binder.span.start && binder.span.end <= span.end
                        });
                    let is_of_instance =
                        matches!(one.name, "each" | "count" | "self" | "build" | "source");
                    is_inside && (one.binder.is_some() && !is_own || is_of_instance)
                });
                return (!bound && !view.is_broken()).then_some(span);
            }
            view.case().inner(|inner| waiting.push(inner));
        }
        None
    }

    /// Returns the resources and data sources that lie entirely in a selection.
    fn blocks(&self, range: Span) -> Vec<MovingBlock> {
        let Some(snapshot) = self.request.snapshot() else { return Vec::new() };
        let sites = snapshot.declarations_in(self.document.name());
        let mut found = Vec::new();
        for item in self.document.syntax().body().items() {
            let BodyItem::Block(block) = item else { continue };
            let is_inside = range.start <= block.span.start && block.span.end <= range.end;
            if !is_inside || !matches!(&*block.kind.text, "resource" | "data") {
                continue;
            }
            let site = sites.iter().find(|site| site.place.span.start == block.span.start);
            let Some(site) = site else { continue };
            let address = DeclarationAddress::parse(&site.address);
            let Some(DeclarationName::Resource(name)) = address.map(|one| one.name().clone())
            else {
                continue;
            };
            found.push(MovingBlock { block, id: site.id, name });
        }
        found
    }

    /// Moves the selected blocks into a new module with inputs for what they use, outputs for what is used of them, and a call
    /// in their place.
    pub(super) fn extract_module(&self, range: Span) -> Result<ChangeSet, String> {
        let snapshot = self.request.snapshot().ok_or("The file belongs to no root.")?;
        let moving = self.blocks(range);
        if moving.is_empty() {
            return Err("No whole resource is selected.".to_owned());
        }
        for one in &moving {
            self.refuse_what_cannot_move(&one.block)?;
            self.refuse_other_statements(&one.name.to_string())?;
        }
        let (name, folder) = self.free_module()?;
        let crossing = self.crossing(snapshot, &moving, &name)?;
        let (body, mut edits) = self.cut_out(&moving, &crossing);
        // The call replaces the first block, followed by the `moved` blocks.
        edits[0].text = call_of(&name, &moving, &crossing.inputs);
        let mut files = crossing.edits;
        let own = self.document.name().to_owned();
        files.entry(own).or_default().append(&mut edits);
        for all in files.values_mut() {
            all.sort_by_key(|edit| (edit.start, edit.end));
        }
        let number = snapshot.module_of_file(self.document.name());
        let mut created = vec![("main.tf", format!("{}\n", body.trim_end()))];
        if !crossing.inputs.is_empty() {
            created.push(("variables.tf", variables_of(&crossing.inputs)));
        }
        if !crossing.outputs.is_empty() {
            created.push(("outputs.tf", outputs_of(&moving, &crossing.outputs)));
        }
        let required = snapshot.required_sources(number);
        if !required.is_empty() {
            created.push(("versions.tf", versions_of(&required)));
        }
        let created = created.into_iter();
        let mut created: Vec<(String, String)> =
            created.map(|(file, text)| (file_path::join(&folder, file), text)).collect();
        created.sort();
        let files = files.into_iter().map(|(file, edits)| FileEdits { file, edits }).collect();
        let notes =
            vec!["Run `init` before the next plan, since there is a new module.".to_owned()];
        Ok(ChangeSet { created, files, notes })
    }

    /// Returns the references between the moving blocks and the other declarations of their module, with their replacements
    /// for the module call `name`; the error is a sentence about a reference that cannot be replaced.
    fn crossing(
        &self,
        snapshot: &Snapshot,
        moving: &[MovingBlock],
        name: &str,
    ) -> Result<CrossingReferences, String> {
        let is_moving = |id: DeclarationId| moving.iter().any(|one| one.id == id);
        let mut found = CrossingReferences::default();
        let number = snapshot.module_of_file(self.document.name());
        for (id, address) in snapshot.declarations_of(number) {
            for one in snapshot.references(id) {
                let Some(at) = self.request.span_of(one.place) else { continue };
                if is_moving(id) == is_moving(one.within) {
                    continue;
                }
                let document = self.request.document(&at.file).ok_or("A file cannot be read.")?;
                if document.is_json() {
                    return Err(format!("{address} is used in JSON, which is not changed."));
                }
                if is_moving(id) {
                    if self.argument_at(&at).as_deref() == Some("replace_triggered_by") {
                        return Err(format!(
                            "{address} triggers a replacement, which it cannot from within a module."
                        ));
                    }
                    let position = moving.iter().position(|moving| moving.id == id).unwrap_or(0);
                    found.outputs.insert(position);
                    let output = output_name(moving, position);
                    let called = DeclarationName::Call(name.into());
                    let edit = replacement(at.span, format!("{called}.{output}"));
                    found.edits.entry(at.file.to_string()).or_default().push(edit);
                    continue;
                }
                let span = with_attributes(&document, at.span);
                let reference = span.of(document.text()).to_owned();
                let input = input_name(&reference, &found.inputs);
                found.inputs.insert(input.clone(), reference);
                found.inner.push((span, format!("var.{input}")));
            }
        }
        Ok(found)
    }

    /// Returns the code of the moving blocks as the new module has it, with references to what stays behind replaced as
    /// `crossing` says, and the edits that delete the blocks from this file.
    fn cut_out(
        &self,
        moving: &[MovingBlock],
        crossing: &CrossingReferences,
    ) -> (String, Vec<TextEdit>) {
        let text = self.document.text();
        let mut body = String::new();
        let mut edits: Vec<TextEdit> = Vec::new();
        for one in moving {
            let span = one.block.span;
            let mut code = span.of(text).to_owned();
            let mut own: Vec<&(Span, String)> = crossing
                .inner
                .iter()
                .filter(|(at, _)| span.start <= at.start && at.end <= span.end)
                .collect();
            own.sort_by_key(|(at, _)| std::cmp::Reverse(at.start));
            own.dedup_by_key(|(at, _)| at.start);
            for (at, new) in own {
                let (from, to) = (at.start - span.start, at.end - span.start);
                code.replace_range(from as usize..to as usize, new);
            }
            body.push_str(&format!("{code}\n\n"));
            let end = span.end as usize;
            let line_end = text[end..].find('\n').map_or(text.len(), |at| end + at + 1);
            let next = if text[end..line_end].trim().is_empty() { line_end } else { end };
            edits.push(TextEdit { start: span.start as usize, end: next, text: String::new() });
        }
        (body, edits)
    }

    /// Returns an error if a block cannot move unchanged, because of `provider`, `depends_on`, a provisioner or `path.module`.
    fn refuse_what_cannot_move(&self, block: &Block) -> Result<(), String> {
        let code = block.span.of(self.document.text());
        for item in block.body.items() {
            if let BodyItem::Argument(argument) = item
                && matches!(&*argument.name.text, "provider" | "depends_on")
            {
                let name = &*argument.name.text;
                return Err(format!(
                    "A block with `{name}` cannot be moved into a module as it is."
                ));
            }
        }
        let words = ["path.module", "terraform.workspace", "provisioner \""];
        match words.iter().find(|word| code.contains(**word)) {
            Some(word) if *word != "terraform.workspace" => Err(format!(
                "A block that says `{}` cannot be moved into a module as it is.",
                word.trim_end_matches([' ', '"'])
            )),
            _ => Ok(()),
        }
    }

    /// Returns a module name that no call has, and its folder, which does not exist.
    fn free_module(&self) -> Result<(String, String), String> {
        let snapshot = self.request.snapshot().ok_or("The file belongs to no root.")?;
        let number = snapshot.module_of_file(self.document.name());
        let all = snapshot.declarations_of(number);
        let dir = file_path::parent(self.document.name());
        let host = self.request.workspace().host();
        for at in 1..1000 {
            let name = if at == 1 { "extracted".to_owned() } else { format!("extracted_{at}") };
            let folder = file_path::join(&dir, &format!("modules/{name}"));
            let call = DeclarationName::Call(name.as_str().into()).to_string();
            let is_taken = all.iter().any(|(_, address)| *address == call);
            if !is_taken && host.kind(&folder).is_err() {
                return Ok((name, folder));
            }
        }
        Err("No name is free for the module.".to_owned())
    }
}

/// Returns the `module` block `name` that calls the new module, with an argument and its expression for each of `inputs`,
/// followed by `moved` blocks for the resources that it takes over.
fn call_of(name: &str, moving: &[MovingBlock], inputs: &BTreeMap<String, String>) -> String {
    let mut call = format!("module \"{name}\" {{\n  source = \"./modules/{name}\"\n");
    if !inputs.is_empty() {
        call.push('\n');
    }
    let width = inputs.keys().map(|input| input.len()).max().unwrap_or(0);
    for (input, value) in inputs {
        call.push_str(&format!("  {input:width$} = {value}\n"));
    }
    call.push_str("}\n");
    let called = DeclarationName::Call(name.into());
    for one in moving.iter().filter(|one| one.name.mode != ResourceMode::Data) {
        let address = &one.name;
        call.push_str(&format!(
            "\nmoved {{\n  from = {address}\n  to   = {called}.{address}\n}}\n"
        ));
    }
    call
}

/// Returns the `variable` blocks of the new module, one for each input name.
fn variables_of(inputs: &BTreeMap<String, String>) -> String {
    let variables = inputs.keys().map(|input| format!("variable \"{input}\" {{}}\n"));
    variables.collect::<Vec<_>>().join("\n")
}

/// Returns the `output` blocks of the new module, one for each moving block with an index in `outputs`.
fn outputs_of(moving: &[MovingBlock], outputs: &BTreeSet<usize>) -> String {
    let output = |at: &usize| {
        let (name, address) = (output_name(moving, *at), &moving[*at].name);
        format!("output \"{name}\" {{\n  value = {address}\n}}\n")
    };
    outputs.iter().map(output).collect::<Vec<_>>().join("\n")
}

/// Returns the `terraform` block of the new module, whose `required_providers` lists `required`, pairs of provider name and
/// source.
fn versions_of(required: &[(String, String)]) -> String {
    let source = |(name, source): &(String, String)| {
        format!("    {name} = {{\n      source = \"{source}\"\n    }}\n")
    };
    let all: String = required.iter().map(source).collect();
    format!("terraform {{\n  required_providers {{\n{all}  }}\n}}\n")
}

/// Returns the name of the output for a moving block: the block's name, preceded by its type if another moving block has the same
/// name.
fn output_name(moving: &[MovingBlock], at: usize) -> String {
    let own = &moving[at].name;
    let is_alone = moving.iter().filter(|one| one.name.name == own.name).count() == 1;
    if is_alone { own.name.to_string() } else { own.to_string().replace('.', "_") }
}

/// Returns the name of the new module's variable that replaces a reference; `known` has the references by the names of
/// variables so far, and equal references share one.
fn input_name(reference: &str, known: &BTreeMap<String, String>) -> String {
    let mut parts: Vec<&str> = reference.split('.').collect();
    let skipped = match parts.first() {
        Some(&"var" | &"local") => 1,
        Some(&"data") => 2,
        _ => 1,
    };
    parts.drain(..skipped.min(parts.len().saturating_sub(1)));
    let base = parts.join("_").replace('-', "_");
    let mut name = base.clone();
    let mut number = 2;
    while known.get(&name).is_some_and(|other| other != reference) {
        name = format!("{base}_{number}");
        number += 1;
    }
    name
}

/// Returns the span of a reference, extended over the `.name` steps that directly follow it.
fn with_attributes(document: &TextDocument, span: Span) -> Span {
    let Some(tree) = document.tree() else { return span };
    let from = tree.tokens().partition_point(|token| token.span().start < span.end);
    let mut end = span.end;
    for token in tree.tokens().from(from).iter() {
        if token.kind() != TokenKind::DotName || token.span().start != end {
            break;
        }
        end = token.span().end;
    }
    Span::new(span.start, end)
}
