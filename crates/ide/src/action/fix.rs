//! Fixes of diagnostics, singly or all safe ones of a file at once.

use groma::edit::TextEdit;
use groma::rules::rule_names;

use crate::action::{ActionChoice, ActionKind, ActionList, CodeAction};
use crate::diagnostics::FileFinding;
use crate::file_span::FileEdits;

impl ActionList<'_> {
    /// Offers the fix of each diagnostic in the range for which actions are requested, and one action that applies all fixes of
    /// the file that keep its meaning.
    pub(super) fn fixes(&mut self, findings: &[FileFinding]) {
        let touches = |one: &&(usize, &FileFinding)| {
            one.1.span.start <= self.range.end && self.range.start <= one.1.span.end
        };
        let numbered: Vec<(usize, &FileFinding)> = findings.iter().enumerate().collect();
        let mut found = Vec::new();
        for (number, one) in numbered.iter().filter(touches) {
            let Some(fix) = &one.fix else { continue };
            let files = vec![FileEdits { file: fix.file.clone(), edits: fix.edits.clone() }];
            found.push(CodeAction {
                title: fix.label.clone(),
                kind: ActionKind::Fix,
                finding: Some(*number),
                is_preferred: rule_names().contains(&one.code),
                choice: ActionChoice::Fix(files),
            });
        }
        self.actions.extend(found);
        let all = fix_all(self.document.name(), findings);
        if !all.is_empty() {
            let files = vec![FileEdits { file: self.document.name().to_owned(), edits: all }];
            let title = "Make every change that the rules offer in this file".to_owned();
            self.push(title, ActionKind::FixAll, ActionChoice::Fix(files));
        }
    }
}

/// Returns the edits of all fixes of a file that keep its meaning, as `groma check --fix` makes them. Of two overlapping fixes
/// the outer one is applied.
pub fn fix_all(file: &str, findings: &[FileFinding]) -> Vec<TextEdit> {
    let safe = findings.iter().filter(|one| rule_names().contains(&one.code));
    let fixes = safe.filter_map(|one| one.fix.as_ref()).filter(|fix| fix.file == file);
    let mut edits: Vec<TextEdit> = fixes.flat_map(|fix| fix.edits.iter().cloned()).collect();
    edits.sort_by_key(|edit| (edit.start, std::cmp::Reverse(edit.end)));
    let mut last = 0;
    edits.retain(|edit| {
        let is_apart = edit.start >= last;
        last = last.max(edit.end);
        is_apart
    });
    edits
}
