//! Completion of block labels: resource types, backends, providers, and the blocks that a `dynamic` block can generate.

use groma::place::label_names;

use crate::complete::{CompletionItem, CompletionKind, CompletionSubject, ListBuilder};

impl ListBuilder<'_> {
    /// Adds completion items for the block label with this index, such as resource types.
    pub(super) fn label(&mut self, number: usize) {
        // In native syntax the block being typed is the innermost one.
        let Some(step) = self.site.blocks.last().cloned() else { return };
        if number > 0 {
            return;
        }
        let kind = step.kind.as_str();
        for (name, doc) in label_names(kind, self.edition()) {
            let subject = match doc {
                "" => CompletionSubject::Nothing,
                doc => CompletionSubject::Words(doc.to_owned()),
            };
            let item = CompletionItem { subject, ..self.item(name, CompletionKind::Label, 1) };
            self.push_label(item);
        }
        let Some(snapshot) = self.request.snapshot() else { return };
        let file = self.document.name();
        for name in snapshot.resource_types(file, kind) {
            let item = self.item(&name, CompletionKind::Label, 2);
            self.push_label(item);
        }
        let names = match kind {
            "provider" | "mock_provider" => snapshot.provider_names(file),
            "dynamic" => self.dynamic_labels(),
            _ => Vec::new(),
        };
        for name in names {
            let item = self.item(&name, CompletionKind::Label, 1);
            self.push_label(item);
        }
    }

    /// Returns the kinds of blocks that the `dynamic` block at the cursor can generate.
    fn dynamic_labels(&self) -> Vec<String> {
        let around = self.site.blocks.split_last().map_or(&[][..], |(_, around)| around);
        let body = self.expected(around).unwrap_or_default();
        let all = body.blocks.iter().filter(|one| one.doc.is_empty());
        all.map(|one| one.name.to_string()).collect()
    }

    /// Adds a completion item for a label, quoted unless the cursor is inside quotes.
    fn push_label(&mut self, mut item: CompletionItem) {
        if self.site.text.is_none() {
            item.insert = format!("\"{}\"", item.insert);
        } else {
            item.replaces = self.text_word();
        }
        self.push(item);
    }
}
