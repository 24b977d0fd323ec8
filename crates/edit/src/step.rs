//! Application of one edit, with a check that nothing else has changed. The layout of the file is kept.

use std::ops::Range;

use groma_syntax::TokenKind;

use crate::find_path::{FoundPath, all, one};
use crate::json;
use crate::path::CodeStep;
use crate::requests::{Edit, EditOp};
use crate::text::{ParsedText, Splice};
use crate::{EditLanguage, EditRefusal, SourceText, insert, refused, remove};

/// Applies one edit to the parsed `texts` of the `files`; returns the index of the changed text and the replacements in it.
pub(crate) fn step(
    files: &[SourceText],
    texts: &mut [ParsedText],
    edit: &Edit,
    language: EditLanguage<'_>,
) -> Result<(usize, Vec<Splice>), EditRefusal> {
    let (file, mut splices) = match edit.op {
        EditOp::Set => set(files, texts, edit, language)?,
        EditOp::Add => insert::add(files, texts, edit, language)?,
        EditOp::Remove => {
            let (file, target) = one(files, texts, &edit.path.steps)?;
            readable(&texts[file], &files[file].name)?;
            (file, remove::splices(&texts[file], &target))
        }
        EditOp::Rename => {
            return refused(format!(
                "{} is also used in other places: use rename to change a name everywhere.",
                edit.path
            ));
        }
    };
    let name = &files[file].name;
    let new = rewritten(&texts[file], name, &mut splices).map_err(|trouble| match trouble {
        SpliceProblem::Unreadable(why) => unreadable(name, &why),
        SpliceProblem::Broken(why) => EditRefusal(format!(
            "With {} changed, {name} could not be parsed any more: {why}",
            edit.path
        )),
        SpliceProblem::ChangesNeighbours => EditRefusal(format!(
            "`{}` is not self-contained: in {name} it would change the code next to {}.",
            edit.to, edit.path
        )),
    })?;
    let old = std::mem::replace(&mut texts[file], new);
    if let Err(why) = check_result(texts, edit) {
        texts[file] = old;
        return Err(why);
    }
    Ok((file, splices))
}

/// Creates the refusal to edit a file with syntax errors, of which `why` is the first.
fn unreadable(name: &str, why: &str) -> EditRefusal {
    EditRefusal(format!(
        "{name} cannot be parsed, so it was not changed: {why} `groma check` shows where."
    ))
}

/// Refuses to edit a text with syntax errors, because the extents of its parts are uncertain.
pub(crate) fn readable(text: &ParsedText, name: &str) -> Result<(), EditRefusal> {
    match text.diagnostics().first() {
        Some(first) => Err(unreadable(name, &first.detail)),
        None => Ok(()),
    }
}

/// The reason why the replacements of an edit cannot be applied to a text.
pub(crate) enum SpliceProblem {
    /// The text has syntax errors; the message of the first.
    Unreadable(String),
    /// The text would have syntax errors; the message of the first.
    Broken(String),
    /// The replacement would change neighbouring code.
    ChangesNeighbours,
}

/// Returns a text with replacements applied, after a check that no token outside of them has changed.
pub(crate) fn rewritten(
    old: &ParsedText,
    name: &str,
    splices: &mut [Splice],
) -> Result<ParsedText, SpliceProblem> {
    splices.sort_by_key(|splice| splice.range.start);
    if let Some(first) = old.diagnostics().first() {
        return Err(SpliceProblem::Unreadable(first.detail.clone()));
    }
    let (text, written) = spliced(&old.text, splices);
    let new = old.with(name, text);
    if let Some(first) = new.diagnostics().first() {
        return Err(SpliceProblem::Broken(first.detail.clone()));
    }
    if new.json.is_some() {
        return Ok(new);
    }
    let taken: Vec<Range<usize>> = splices.iter().map(|splice| splice.range.clone()).collect();
    if outside(old, &taken) != outside(&new, &written) {
        return Err(SpliceProblem::ChangesNeighbours);
    }
    Ok(new)
}

/// Refuses an edit after which its path does not lead to the code that it wrote, or still leads to code that it removed.
pub(crate) fn check_result(after: &[ParsedText], edit: &Edit) -> Result<(), EditRefusal> {
    let found = all(after, &edit.path.steps);
    let is_so = match (edit.op, edit.path.split().1) {
        (EditOp::Remove, CodeStep::At(_)) | (EditOp::Add, CodeStep::End) | (EditOp::Rename, _) => {
            true
        }
        (EditOp::Remove, _) => found.is_empty(),
        (EditOp::Set | EditOp::Add, _) => found.len() == 1,
    };
    match is_so {
        true => Ok(()),
        false => {
            refused(format!("{} would not lead to the code that is written there.", edit.path))
        }
    }
}

/// Returns the index of the text that a `set` edit changes, and the replacements in that text.
pub(crate) fn set(
    files: &[SourceText],
    texts: &[ParsedText],
    edit: &Edit,
    language: EditLanguage<'_>,
) -> Result<(usize, Vec<Splice>), EditRefusal> {
    let (file, target) = one(files, texts, &edit.path.steps).map_err(|EditRefusal(why)| {
        EditRefusal(format!("{why} To create something new, use add instead of set."))
    })?;
    readable(&texts[file], &files[file].name)?;
    if let FoundPath::Json(spot) = &target {
        return Ok((file, json::set(&texts[file], spot, edit, language)?));
    }
    if let FoundPath::Block(_) = target {
        return refused(format!(
            "{} is a block: set its arguments, or remove it and add it again.",
            edit.path
        ));
    }
    let span = target.span();
    let range = span.start as usize..span.end as usize;
    let old = &texts[file];
    let code = insert::expression(&edit.to)?;
    if old.text[range.clone()] == *edit.to {
        return Ok((file, Vec::new()));
    }
    let text = insert::placed(old, &code, old.indent(target.whole().start as usize));
    Ok((file, vec![Splice { range, text }]))
}

/// Returns a text with replacements applied, and the ranges of the replaced bytes in the result.
fn spliced(text: &str, splices: &[Splice]) -> (String, Vec<Range<usize>>) {
    let (mut out, mut written, mut at) = (String::with_capacity(text.len()), Vec::new(), 0);
    for splice in splices {
        out.push_str(&text[at..splice.range.start.max(at)]);
        let start = out.len();
        out.push_str(&splice.text);
        written.push(start..out.len());
        at = splice.range.end.max(at);
    }
    out.push_str(&text[at..]);
    (out, written)
}

/// Returns the tokens of a text outside of some ranges except line ends; a token that crosses the edge of a range counts as
/// outside.
fn outside<'t>(text: &'t ParsedText, ranges: &[Range<usize>]) -> Vec<(TokenKind, &'t str)> {
    let tokens = text.parse.tree.tokens().iter();
    let is_within = |start: usize, end: usize| {
        let after = ranges.partition_point(|range| range.start <= start);
        after.checked_sub(1).is_some_and(|at| end <= ranges[at].end)
    };
    let mut found = Vec::new();
    for token in tokens {
        let span = token.span();
        let counts = !matches!(token.kind(), TokenKind::Newline | TokenKind::End);
        if counts && !span.is_empty() && !is_within(span.start as usize, span.end as usize) {
            found.push((token.kind(), span.of(&text.text)));
        }
    }
    found
}
