//! Atomic application of edits to texts, and formatting of the result. A later edit sees the texts as the earlier ones left
//! them.

use std::collections::HashMap;
use std::ops::Range;

use groma_format::format;

use crate::bulk;
use crate::path::{CodeStep, written};
use crate::requests::{Edit, EditOp};
use crate::step::{SpliceProblem, rewritten};
use crate::text::{ParsedText, Splice, forms, is_formatted};
use crate::{EditLanguage, EditRefusal, SourceText, matching, refused};

/// A text that edits have changed: its index and its new content.
#[derive(Clone, Debug)]
pub struct ChangedText {
    /// The index of the text among those given.
    pub file: usize,
    /// The new text.
    pub text: String,
}

/// Applies all edits to the texts or none, and returns the changed texts.
///
/// # Errors
/// If an edit cannot be applied, two contradict each other, or a result would be invalid code.
pub fn apply(
    files: &[SourceText],
    edits: &[Edit],
    language: EditLanguage<'_>,
) -> Result<Vec<ChangedText>, EditRefusal> {
    contradictions(edits)?;
    let mut texts: Vec<ParsedText> =
        files.iter().map(|file| ParsedText::named(&file.name, file.text.clone())).collect();
    // A path with `*` is expanded when its turn comes.
    let mut made: Vec<Edit> = Vec::new();
    for batch in edits.chunk_by(|one, next| !one.path.is_pattern() && !next.path.is_pattern()) {
        let spelled = match batch {
            [edit] if edit.path.is_pattern() => matching::edits(&texts, edit, language)?,
            _ => batch.to_vec(),
        };
        bulk::apply_all(files, &mut texts, &spelled, language)?;
        made.extend(spelled);
    }
    contradictions(&made)?;
    let both = files.iter().zip(&texts).enumerate();
    let changed = both.filter(|(_, (old, new))| *old.text != *new.text);
    changed
        .map(|(file, (old, new))| {
            let before = ParsedText::named(&old.name, old.text.clone());
            match reformatted(&before, &old.name, new) {
                Ok(laid) => {
                    let text = laid.unwrap_or_else(|| new.text.to_string());
                    Ok(ChangedText { file, text })
                }
                Err(_) => refused(format!("Formatting would make {} too long.", old.name)),
            }
        })
        .filter(|one| !matches!(one, Ok(one) if one.text == *files[one.file].text))
        .collect()
}

/// Returns an error if two edits, neither an `add` nor one with `*` in its path, change the same code, or one of them a part
/// of what the other changes.
fn contradictions(edits: &[Edit]) -> Result<(), EditRefusal> {
    let steps = |edit: &Edit| {
        let mut steps = edit.path.steps.clone();
        if let Some(CodeStep::Name(first)) = steps.first_mut() {
            match first.as_str() {
                "var" => *first = "variable".to_owned(),
                "local" => *first = "locals".to_owned(),
                _ => {}
            }
        }
        steps
    };
    let is_shown = |edit: &&Edit| edit.op != EditOp::Add && !edit.path.is_pattern();
    let counted = edits.iter().filter(is_shown);
    let all: Vec<(&Edit, Vec<CodeStep>)> = counted.map(|edit| (edit, steps(edit))).collect();
    // The first edit of each path, and of each path prefix.
    let mut whole: HashMap<&[CodeStep], usize> = HashMap::new();
    let mut begun: HashMap<&[CodeStep], usize> = HashMap::new();
    for (number, (edit, steps)) in all.iter().enumerate() {
        let above = (0..=steps.len()).filter_map(|end| whole.get(&steps[..end]));
        if let Some(other) = above.chain(begun.get(&steps[..])).min() {
            return refused(format!(
                "Two edits contradict each other: one changes {}, the other {}. Nothing was changed.",
                written(&all[*other].1),
                edit.path
            ));
        }
        whole.insert(steps, number);
        for end in 0..steps.len() {
            begun.entry(&steps[..end]).or_insert(number);
        }
    }
    Ok(())
}

/// Returns a text with ranges of bytes replaced. Nothing else changes except whitespace, if the text has the formatter's layout
/// and keeps it.
///
/// # Errors
/// If the text is invalid code, before or after.
pub fn rewrite(file: &SourceText, mut splices: Vec<Splice>) -> Result<String, EditRefusal> {
    let (old, name) = (ParsedText::named(&file.name, file.text.clone()), &file.name);
    splices.iter_mut().for_each(|splice| widen(splice, &old));
    let new = match rewritten(&old, name, &mut splices) {
        Ok(new) => new,
        Err(SpliceProblem::Unreadable(why)) => {
            return refused(format!("{name} cannot be read: {why}"));
        }
        Err(SpliceProblem::Broken(why)) => {
            return refused(format!("{name} could not be parsed any more afterwards: {why}"));
        }
        Err(SpliceProblem::ChangesNeighbours) => {
            return refused(format!("In {name} something else would change."));
        }
    };
    match reformatted(&old, name, &new) {
        Ok(laid) => Ok(laid.unwrap_or_else(|| new.text.to_string())),
        Err(_) => refused(format!("Formatting would make {name} too long.")),
    }
}

/// Returns the new text in the formatter's layout; `None` if it has that layout already or the old text did not have it; an
/// error with the length in bytes if the result would be too long.
fn reformatted(old: &ParsedText, name: &str, new: &ParsedText) -> Result<Option<String>, u64> {
    match is_formatted(old, name) {
        true => format(&new.parse, forms(name)),
        false => Ok(None),
    }
}

/// Extends a replacement inside of one token to the whole token, so that the result is not joined to neighbouring tokens.
fn widen(splice: &mut Splice, text: &ParsedText) {
    let Range { start, end } = splice.range.clone();
    let tokens = text.parse.tree.tokens();
    let within = tokens.partition_point(|token| (token.span().end as usize) < end);
    let Some(span) = tokens.get(within).map(|token| token.span()) else { return };
    let (from, to) = (span.start as usize, span.end as usize);
    if from <= start && start < end && end <= to {
        let (front, back) = (&text.text[from..start], &text.text[end..to]);
        *splice = Splice { range: from..to, text: format!("{front}{}{back}", splice.text) };
    }
}
