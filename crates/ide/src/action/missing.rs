//! Adds what is missing: declarations of variables and local values that are used, outputs of called modules, and required
//! arguments.

use groma::edit::EditOp;
use groma::place::{DeclarationId, PlaceTarget};
use groma::{Type, hosts::file_path};

use crate::action::{ActionChange, ActionChoice, ActionKind, ActionList};
use crate::complete::{address_at, expected_in};
use crate::file_kind::FileKind;
use crate::file_span::{ChangeSet, FileEdits};

impl ActionList<'_> {
    /// Offers to declare the variable, local value or output that a reference at the cursor names and nothing declares, or to
    /// add the required arguments that the block there lacks.
    pub(super) fn missing(&mut self) {
        let Some(root) = self.request.root_of(self.document.name()) else { return };
        if root.module().is_err() {
            return self.missing_in_text();
        }
        let known = self.request.place(self.document.name(), self.range.start);
        match known.and_then(|(snapshot, place)| Some((snapshot, snapshot.target_at(place)?))) {
            Some((_, PlaceTarget::Name { name, .. })) => {
                let mut parts = name.split('.');
                let (root, own) = (parts.next().unwrap_or_default(), parts.next());
                let (title, root) = match (root, own) {
                    ("var", Some(own)) => (format!("Declare the variable {own}"), "variable"),
                    ("local", Some(own)) => (format!("Declare the local value {own}"), "locals"),
                    _ => return,
                };
                let address = format!("{root}.{}", own.unwrap_or_default());
                self.push(title, ActionKind::Fix, ActionChoice::Declare(address));
            }
            Some((snapshot, PlaceTarget::Reference { declaration: call, path, place })) => {
                let text = snapshot.text_at(place);
                let name = path.iter().find_map(|step| match step {
                    groma::place::Step::Attribute(name) => Some(name.to_string()),
                    _ => None,
                });
                let is_call = text.starts_with("module.") && snapshot.called_module(call).is_some();
                if let Some(name) = name.filter(|_| is_call)
                    && snapshot.output_of(call, &name).is_none()
                {
                    let title = format!("Declare the output {name} in the module");
                    self.push(title, ActionKind::Fix, ActionChoice::DeclareOutput { call, name });
                }
            }
            _ => {}
        }
        let at = self.range.start;
        if !missing_arguments(self, at).is_empty() {
            let title = "Add the arguments that are required".to_owned();
            self.push(title, ActionKind::Fix, ActionChoice::AddArguments(at));
        }
    }
}

impl ActionList<'_> {
    /// Offers to declare the variable or local value that a reference at the cursor names and nothing declares, in a root
    /// without modules, such as a Packer template.
    fn missing_in_text(&mut self) {
        let Some(address) = address_at(self.document, self.range.start) else { return };
        let mut parts = address.split('.');
        let (root, own) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
        let (title, block) = match root {
            "var" => (format!("Declare the variable {own}"), "variable"),
            "local" => (format!("Declare the local value {own}"), "locals"),
            _ => return,
        };
        let wanted = format!("{root}.{own}");
        let names = self.request.root_of(self.document.name());
        let names = names.map(|root| root.declarations()).unwrap_or_default();
        if groma_syntax::is_identifier(own) && !names.iter().any(|one| one.address == wanted) {
            let address = format!("{block}.{own}");
            self.push(title, ActionKind::Fix, ActionChoice::Declare(address));
        }
    }
}

/// Returns the missing required arguments of the block at an offset, each with a placeholder.
fn missing_arguments(list: &ActionList<'_>, at: u32) -> Vec<(String, String)> {
    let change = ActionChange { request: list.request, document: list.document };
    change.missing_arguments(at).map(|(_, missing)| missing).unwrap_or_default()
}

/// Returns a literal of a type, such as `""`, that stands in code until the user writes a value.
fn placeholder(ty: &Type) -> &'static str {
    match ty {
        Type::String => "\"\"",
        Type::Bool => "false",
        Type::Number => "0",
        Type::List(_) | Type::Set(_) | Type::Tuple(_) => "[]",
        Type::Map(_) | Type::Object(_) => "{}",
        Type::Dynamic => "null",
    }
}

impl ActionChange<'_> {
    /// Returns the code path of the top-level block at an offset, and the names of the required arguments that it lacks,
    /// each with a placeholder; `None` in a nested block, outside of blocks and for an unknown block.
    fn missing_arguments(&self, at: u32) -> Option<(String, Vec<(String, String)>)> {
        let steps = self.document.blocks_at(at);
        let [step] = &*steps else { return None };
        let expected = expected_in(self.request, self.document, &steps)?;
        let present = self.document.names_in(step);
        let missing = expected
            .arguments
            .iter()
            .filter(|one| one.is_required && !present.iter().any(|name| **name == *one.name));
        let missing: Vec<(String, String)> =
            missing.map(|one| (one.name.to_string(), placeholder(&one.ty).to_owned())).collect();
        let path =
            std::iter::once(step.kind.as_str()).chain(step.labels.iter().map(String::as_str));
        Some((path.collect::<Vec<_>>().join("."), missing))
    }

    /// Adds the missing required arguments to the block at an offset.
    pub(super) fn add_arguments(&self, at: u32) -> Result<ChangeSet, String> {
        let (path, missing) = self.missing_arguments(at).ok_or("No block is there.")?;
        let edits: Vec<_> = missing
            .into_iter()
            .map(|(name, value)| (EditOp::Add, format!("{path}.{name}"), value))
            .collect();
        self.edit_file(&edits)
    }

    /// Declares the variable or local value `address` with a placeholder: a variable in `variables.tf` or `variables.pkr.hcl`
    /// beside the edited file if there is one, anything else in that file.
    pub(super) fn declare(&self, address: &str) -> Result<ChangeSet, String> {
        if let Some(name) = address.strip_prefix("locals.") {
            return self.edit_file(&[(EditOp::Add, format!("locals.{name}"), "null".to_owned())]);
        }
        let name = address.strip_prefix("variable.").unwrap_or(address);
        let is_packer = self.document.kind() == Some(FileKind::Packer);
        let file = self.file_for(if is_packer { "variables.pkr.hcl" } else { "variables.tf" });
        let code = "{\n  type = string\n}".to_owned();
        self.add_block(
            &file,
            format!("variable.{name}"),
            code,
            &format!("variable \"{name}\" {{\n  type = string\n}}\n"),
        )
    }

    /// Declares an output in the module that a call uses, in its outputs file or else in another of its files.
    pub(super) fn declare_output(
        &self,
        call: DeclarationId,
        name: &str,
    ) -> Result<ChangeSet, String> {
        let snapshot = self.request.snapshot().ok_or("The file belongs to no root.")?;
        let number = snapshot.called_module(call).ok_or("The module is not at hand.")?;
        let files = snapshot.files_of(number);
        let named = |wanted: &str| files.iter().find(|file| file_path::last(file) == wanted);
        let first = named("outputs.tf").or(named("main.tf")).or(files.first());
        let file = first.ok_or("The module has no files.")?;
        let text = format!("output \"{name}\" {{\n  value = null\n}}\n");
        self.add_block(file, format!("output.{name}"), "{\n  value = null\n}".to_owned(), &text)
    }

    /// Returns the path of the file `name` in the folder of the edited file if it exists, else the path of the edited file.
    fn file_for(&self, name: &str) -> String {
        let file = file_path::join(&file_path::parent(self.document.name()), name);
        match self.request.document(&file) {
            Some(_) => file,
            None => self.document.name().to_owned(),
        }
    }

    /// Adds a block with the code path `path` and the body `code` to a file; a file that does not exist is created with `text`.
    pub(super) fn add_block(
        &self,
        file: &str,
        path: String,
        code: String,
        text: &str,
    ) -> Result<ChangeSet, String> {
        let Some(document) = self.request.document(file) else {
            let created = vec![(file.to_owned(), text.to_owned())];
            return Ok(ChangeSet { created, ..ChangeSet::default() });
        };
        let edits = self.edited(&document, &[(EditOp::Add, path, code)])?;
        let files = vec![FileEdits { file: document.name().to_owned(), edits }];
        Ok(ChangeSet { files, ..ChangeSet::default() })
    }
}
