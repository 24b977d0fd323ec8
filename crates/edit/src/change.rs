//! One edit after the other: what is to be written where, the layout of the result, and the proof that nothing else has
//! changed. A later edit finds the texts as the earlier ones left them.

use std::collections::HashMap;
use std::ops::Range;

use groma_format::format;
use groma_syntax::TokenKind;

use crate::bulk;
use crate::find_path::{FoundPath, all, one};
use crate::json;
use crate::path::{CodeStep, written};
use crate::requests::{Edit, EditOp};
use crate::text::{ParsedText, Splice, forms, is_formatted};
use crate::{EditLanguage, EditRefusal, SourceText, insert, matching, refused, remove};

/// A text that an edit has changed.
#[derive(Clone, Debug)]
pub struct ChangedText {
    /// The position of the text.
    pub file: usize,
    /// The new text.
    pub text: String,
}

/// Makes the edits, all or none, and gives the texts that changed.
///
/// # Errors
/// Where an edit cannot be made, two contradict each other, or a result would not be the language.
pub fn apply(
    files: &[SourceText],
    edits: &[Edit],
    language: EditLanguage<'_>,
) -> Result<Vec<ChangedText>, EditRefusal> {
    contradictions(edits)?;
    let mut texts: Vec<ParsedText> =
        files.iter().map(|file| ParsedText::named(&file.name, file.text.clone())).collect();
    // A path with `*` stands for what is there when its turn comes.
    let mut made: Vec<Edit> = Vec::new();
    for batch in edits.chunk_by(|one, next| !one.path.is_pattern() && !next.path.is_pattern()) {
        let spelled = match batch {
            [edit] if edit.path.is_pattern() => matching::edits(&texts, edit, language)?,
            _ => batch.to_vec(),
        };
        bulk::make(files, &mut texts, &spelled, language)?;
        made.extend(spelled);
    }
    contradictions(&made)?;
    let both = files.iter().zip(&texts).enumerate();
    let changed = both.filter(|(_, (old, new))| *old.text != *new.text);
    changed
        .map(|(file, (old, new))| {
            let before = ParsedText::named(&old.name, old.text.clone());
            match laid(&before, &old.name, new) {
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

/// Two edits that set or remove the same, or something and a part of it.
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
    let is_told = |edit: &&Edit| edit.op != EditOp::Add && !edit.path.is_pattern();
    let counted = edits.iter().filter(is_told);
    let all: Vec<(&Edit, Vec<CodeStep>)> = counted.map(|edit| (edit, steps(edit))).collect();
    // The first edit of a path, and the first of one that begins so.
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

/// Makes one edit, and gives the text that changes with what is replaced in it. The layout of the whole is left as it is.
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
        EditTrouble::Unreadable(why) => unreadable(name, &why),
        EditTrouble::Broken(why) => EditRefusal(format!(
            "With {} changed, {name} could not be parsed any more: {why}",
            edit.path
        )),
        EditTrouble::Beside => EditRefusal(format!(
            "`{}` is not self-contained: in {name} it would change the code next to {}.",
            edit.to, edit.path
        )),
    })?;
    let old = std::mem::replace(&mut texts[file], new);
    if let Err(why) = expected(texts, edit) {
        texts[file] = old;
        return Err(why);
    }
    Ok((file, splices))
}

fn unreadable(name: &str, why: &str) -> EditRefusal {
    EditRefusal(format!(
        "{name} cannot be parsed, so it was not changed: {why} `groma check` shows where."
    ))
}

/// That a text can be read: of one that cannot it is not known where its parts end.
pub(crate) fn readable(text: &ParsedText, name: &str) -> Result<(), EditRefusal> {
    match text.diagnostics().first() {
        Some(first) => Err(unreadable(name, &first.detail)),
        None => Ok(()),
    }
}

/// Replaces bytes of a text. Nothing else changes but blanks, where the text has the formatter's layout and keeps it.
///
/// # Errors
/// Where the text cannot be read, before or after.
pub fn rewrite(file: &SourceText, mut splices: Vec<Splice>) -> Result<String, EditRefusal> {
    let (old, name) = (ParsedText::named(&file.name, file.text.clone()), &file.name);
    splices.iter_mut().for_each(|splice| widen(splice, &old));
    let new = match rewritten(&old, name, &mut splices) {
        Ok(new) => new,
        Err(EditTrouble::Unreadable(why)) => {
            return refused(format!("{name} cannot be read: {why}"));
        }
        Err(EditTrouble::Broken(why)) => {
            return refused(format!("{name} could not be parsed any more afterwards: {why}"));
        }
        Err(EditTrouble::Beside) => {
            return refused(format!("In {name} something else would change."));
        }
    };
    match laid(&old, name, &new) {
        Ok(laid) => Ok(laid.unwrap_or_else(|| new.text.to_string())),
        Err(_) => refused(format!("Formatting would make {name} too long.")),
    }
}

/// A text in the formatter's layout, where it takes the place of one that has it; nothing where it is laid out so already.
fn laid(old: &ParsedText, name: &str, new: &ParsedText) -> Result<Option<String>, u64> {
    match is_formatted(old, name) {
        true => format(&new.parse, forms(name)),
        false => Ok(None),
    }
}

/// Makes a splice within one token one of the whole token: what it becomes is told apart from what stands beside it.
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

/// The reason why a text is not written otherwise.
pub(crate) enum EditTrouble {
    /// It cannot be read as it is.
    Unreadable(String),
    /// It could not be read any more.
    Broken(String),
    /// The edit would change what stands beside.
    Beside,
}

/// A text with bytes replaced, and nothing else changed.
pub(crate) fn rewritten(
    old: &ParsedText,
    name: &str,
    splices: &mut [Splice],
) -> Result<ParsedText, EditTrouble> {
    splices.sort_by_key(|splice| splice.range.start);
    if let Some(first) = old.diagnostics().first() {
        return Err(EditTrouble::Unreadable(first.detail.clone()));
    }
    let (text, written) = spliced(&old.text, splices);
    let new = old.with(name, text);
    if let Some(first) = new.diagnostics().first() {
        return Err(EditTrouble::Broken(first.detail.clone()));
    }
    if new.json.is_some() {
        return Ok(new);
    }
    let taken: Vec<Range<usize>> = splices.iter().map(|splice| splice.range.clone()).collect();
    if outside(old, &taken) != outside(&new, &written) {
        return Err(EditTrouble::Beside);
    }
    Ok(new)
}

/// Returns what was asked for is what there is.
pub(crate) fn expected(after: &[ParsedText], edit: &Edit) -> Result<(), EditRefusal> {
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

/// The text with its splices, and where what they wrote stands.
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

/// The tokens that stand outside of these ranges, line ends apart; one that reaches across an edge is outside, too.
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
