//! Offers to write a mock block with placeholders for a resource whose values are unknown.

use groma::hosts::file_path;
use groma::mocks::MOCK_FILE;
use groma::place::{DeclarationId, PlaceTarget};

use crate::action::{ActionChange, ActionChoice, ActionKind, ActionList};
use crate::file_span::{ChangeSet, FileEdits};
use groma::edit::TextEdit;
use groma_format::{OlderForms, format};
use groma_syntax::{FileId, parse_file};

impl ActionList<'_> {
    /// Offers to write a mock for the resource at the cursor.
    pub(super) fn mock(&mut self) {
        let Some((snapshot, place)) = self.request.place(self.document.name(), self.range.start)
        else {
            return;
        };
        let id = match snapshot.target_at(place) {
            Some(
                PlaceTarget::Reference { declaration, .. } | PlaceTarget::Declaration(declaration),
            ) => declaration,
            _ => return,
        };
        let Some(site) = snapshot.declaration(id) else { return };
        let known = snapshot.values_of(id, 1, self.request.token());
        let is_unknown = known.values.first().is_some_and(|one| !one.value.is_wholly_known());
        if matches!(site.kind, "resource" | "data") && is_unknown {
            let title = format!("Write a mock for {}", site.address);
            self.push(title, ActionKind::Rewrite, ActionChoice::WriteMock(id));
        }
    }
}

impl ActionChange<'_> {
    /// Adds a generated mock block for a resource, to be completed by the user, to the root's mock file.
    pub(super) fn write_mock(&self, id: DeclarationId) -> Result<ChangeSet, String> {
        let snapshot = self.request.snapshot().ok_or("The file belongs to no root.")?;
        let address = snapshot.declaration(id).map(|site| site.address).unwrap_or_default();
        let module = snapshot.address_of_module(id.module);
        let whole = if module.is_empty() { address } else { format!("{module}.{address}") };
        let draft = snapshot.mock_draft(None).map_err(|why| why.0)?.only(&whole);
        if draft.count() == 0 {
            return Err(format!("No result waits for {whole}."));
        }
        let file = file_path::join(snapshot.dir(), MOCK_FILE);
        let Some(document) = self.request.document(&file) else {
            let created = vec![(file, formatted(draft.text()))];
            return Ok(ChangeSet { created, ..ChangeSet::default() });
        };
        let text = document.text();
        let gap = if text.is_empty() || text.ends_with('\n') { "\n" } else { "\n\n" };
        let blocks = formatted(draft.text());
        let blocks = blocks.split_once("\n\n").map_or(blocks.as_str(), |(_, blocks)| blocks);
        let end = text.len();
        let edits = vec![TextEdit { start: end, end, text: format!("{gap}{blocks}") }];
        Ok(ChangeSet { files: vec![FileEdits { file, edits }], ..ChangeSet::default() })
    }
}

/// Returns a text in canonical format.
fn formatted(text: String) -> String {
    let parse = parse_file(&text.as_str().into(), FileId::default());
    format(&parse, OlderForms::Kept).ok().flatten().unwrap_or(text)
}
