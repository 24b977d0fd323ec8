//! Inlines a local value wherever it is used, and extracts an expression into a local value.

use groma::edit::{Edit, EditOp, SourceText, TextEdit, apply, language, text_edits};
use groma_syntax::ast::{ExprCase, ExprView};
use groma_syntax::{BodyItem, Expr, Span};

use crate::action::{ActionChange, ActionChoice, ActionKind, ActionList};
use crate::file_span::{ChangeSet, FileEdits, replacement};
use crate::references::subject;

impl ActionList<'_> {
    /// Offers to inline the local value at the cursor.
    pub(super) fn inline(&mut self) {
        let at = self.range.start;
        // A test file names the local values of a module, which it does not change.
        let is_test =
            self.request.root_of(self.document.name()).is_some_and(|root| root.test().is_ok());
        let subject = subject(self.request, self.document.name(), at).filter(|_| !is_test);
        if let Some(one) = subject.filter(|one| one.address.starts_with("local.")) {
            let title = format!("Put the value of {} in place of its name", one.address);
            self.push(title, ActionKind::Inline, ActionChoice::InlineLocal(at));
        }
    }
}

impl ActionChange<'_> {
    /// Replaces every use of the local value at an offset by its expression, and removes its declaration.
    pub(super) fn inline_local(&self, at: u32) -> Result<ChangeSet, String> {
        let name = self.document.name();
        let root = self.request.root_of(name).ok_or("The file belongs to no root.")?;
        let subject = root.definition_at(name, at).ok_or("The local value is not declared.")?;
        let own = subject.site().ok_or("The local value has no place.")?.range;
        let document = self.request.document(&own.file).ok_or("The file cannot be read.")?;
        let value = document
            .syntax()
            .body()
            .items()
            .into_iter()
            .filter_map(|item| match item {
                BodyItem::Block(block) => Some(block.body.items()),
                BodyItem::Argument(_) => None,
            })
            .flatten()
            .find_map(|item| match item {
                BodyItem::Argument(argument) if argument.span.start == own.span.start => {
                    Some(argument.expr)
                }
                _ => None,
            });
        let Some(Expr::Native(value)) = value else {
            return Err(
                "Only local values of blocks `locals` in native syntax can be put in place of their names."
                    .to_owned()
            );
        };
        let text = value.text().to_string();
        let is_heredoc = text.starts_with("<<");
        let uses = root.references_at(name, at);
        if is_heredoc && !uses.is_empty() {
            return Err("A heredoc can only stand where it is.".to_owned());
        }
        let written = match needs_parentheses(value.view()) {
            true => format!("({text})"),
            false => text,
        };
        let mut files: Vec<FileEdits> = Vec::new();
        let mut push =
            |file: &str, edit: TextEdit| match files.iter_mut().find(|one| one.file == file) {
                Some(known) => known.edits.push(edit),
                None => files.push(FileEdits { file: file.to_owned(), edits: vec![edit] }),
            };
        for at in uses {
            if at.file.ends_with(".json") {
                return Err(
                    "The local value is used in JSON, where its code cannot stand.".to_owned()
                );
            }
            push(&at.file, replacement(at.span, written.as_str()));
        }
        let name = subject.address.strip_prefix("local.").unwrap_or_default();
        let removed = self.removed(&document, name)?;
        for edit in removed {
            push(&own.file, edit);
        }
        for file in &mut files {
            file.edits.sort_by_key(|edit| (edit.start, edit.end));
            if file.edits.windows(2).any(|two| two[1].start < two[0].end) {
                return Err("The local value is used in its own declaration.".to_owned());
            }
        }
        files.sort_by(|a, b| a.file.cmp(&b.file));
        Ok(ChangeSet { files, ..ChangeSet::default() })
    }

    /// Returns the edits that remove the declaration of a local value.
    fn removed(
        &self,
        document: &crate::document::TextDocument,
        name: &str,
    ) -> Result<Vec<TextEdit>, String> {
        let text =
            SourceText { name: document.name().into(), text: document.source().text().clone() };
        let edit = Edit::new(EditOp::Remove, &format!("locals.{name}"), None);
        let edit = edit.map_err(|refusal| refusal.0)?;
        let changed = apply(std::slice::from_ref(&text), &[edit], language());
        let changed = changed.map_err(|refusal| refusal.0)?;
        let after = changed.into_iter().next().map(|one| one.text);
        Ok(after.map_or_else(Vec::new, |after| text_edits(&text.text, &after)))
    }

    /// Declares an expression of the edited file as a local value in that file, and replaces it by a reference.
    pub(super) fn extract_local(&self, span: Span) -> Result<ChangeSet, String> {
        let text = span.of(self.document.text()).to_owned();
        let root = self.request.root_of(self.document.name());
        let root = root.ok_or("The file belongs to no root.")?;
        let all = root.names_at(self.document.name(), span.start);
        let is_taken = |name: &str| all.iter().any(|one| one.address == format!("local.{name}"));
        let mut name = "extracted".to_owned();
        for number in 2.. {
            if !is_taken(&name) {
                break;
            }
            name = format!("extracted_{number}");
        }
        // The expression is replaced first, since the declaration may be inserted right beside it.
        let before = self.document.text();
        let mut used = before.to_owned();
        used.replace_range(span.start as usize..span.end as usize, &format!("local.{name}"));
        let used = SourceText { name: self.document.name().into(), text: used.into() };
        let add = Edit::new(EditOp::Add, &format!("locals.{name}"), Some(&text));
        let add = add.map_err(|refusal| refusal.0)?;
        let changed = apply(std::slice::from_ref(&used), &[add], language());
        let changed = changed.map_err(|refusal| refusal.0)?;
        let after = changed.into_iter().next().ok_or("The local value cannot be written.")?.text;
        let edits = text_edits(before, &after);
        let files = vec![FileEdits { file: self.document.name().to_owned(), edits }];
        Ok(ChangeSet { files, ..ChangeSet::default() })
    }
}

/// Returns true if an expression must be parenthesized inside another one to keep its meaning.
fn needs_parentheses(view: ExprView<'_>) -> bool {
    matches!(
        view.case(),
        ExprCase::Unary { .. } | ExprCase::Binary { .. } | ExprCase::Conditional { .. }
    )
}
