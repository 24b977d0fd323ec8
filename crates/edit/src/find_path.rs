//! Search for the code at a path. A step may match several blocks of one kind, such as `locals`; only the whole path must be
//! unambiguous.

use groma_syntax::{Argument, Block, Body, BodyItem, Expr, Span};

use crate::json::{self, JsonSpot};
use crate::matching::{BlockEnding, PathMatch, matches};
pub(crate) use crate::parts::{CollectionPart, attributes, bare, elements};
use crate::path::{CodePath, CodeStep, declaration_steps, written};
use crate::text::ParsedText;
use crate::{EditLanguage, EditRefusal, SourceText, refused};

/// The code to which a path leads: an argument, a block, or a part of a value.
#[derive(Clone, Debug)]
pub(crate) enum FoundPath {
    /// The value of an argument.
    Argument(Argument),
    /// A block.
    Block(Block),
    /// An attribute of an object.
    Attribute(CollectionPart),
    /// An element of a list.
    Element(CollectionPart),
    /// A value in a JSON document.
    Json(JsonSpot),
}

/// The code to which a path leads, as text with its span.
#[derive(Clone, Debug)]
pub struct CodeAtPath {
    /// The index of the text among those given.
    pub file: usize,
    /// The bytes of the value, or of a block with its header.
    pub span: Span,
    /// The code itself.
    pub text: String,
}

/// Returns the code to which a path leads.
///
/// # Errors
/// If the path matches nothing, or several things.
pub fn get(files: &[SourceText], path: &CodePath) -> Result<CodeAtPath, EditRefusal> {
    let texts = parsed(files);
    let (file, target) = one(files, &texts, &path.steps)?;
    let span = target.span();
    Ok(CodeAtPath { file, span, text: span.of(&texts[file].text).to_owned() })
}

/// Returns the code at each match of a path with `*`, with the path of the match, in text order.
///
/// # Errors
/// If it matches nothing, or too many things for the memory limit.
pub fn get_each(
    files: &[SourceText],
    path: &CodePath,
    language: EditLanguage<'_>,
) -> Result<Vec<(CodePath, CodeAtPath)>, EditRefusal> {
    let texts = parsed(files);
    let found = matches(&texts, path, BlockEnding::Apart, language)?.into_iter();
    let one = |PathMatch { file, span, steps }: PathMatch| {
        let text = span.of(&texts[file].text).to_owned();
        (CodePath { steps }, CodeAtPath { file, span, text })
    };
    Ok(found.map(one).collect())
}

/// Parses each text in the syntax that its file name implies.
fn parsed(files: &[SourceText]) -> Vec<ParsedText> {
    files.iter().map(|file| ParsedText::named(&file.name, file.text.clone())).collect()
}

impl FoundPath {
    /// Returns the span that a `set` edit replaces: that of the value, or of a whole block.
    pub(crate) fn span(&self) -> Span {
        match self {
            FoundPath::Argument(argument) => argument.expr.span(),
            FoundPath::Block(block) => block.span,
            FoundPath::Json(spot) => spot.span(),
            FoundPath::Attribute(part) | FoundPath::Element(part) => part.value.span(),
        }
    }

    /// Returns the span of the whole argument, block, attribute or element, with its name.
    pub(crate) fn whole(&self) -> Span {
        match self {
            FoundPath::Argument(argument) => argument.span,
            FoundPath::Attribute(part) | FoundPath::Element(part) => part.whole,
            FoundPath::Json(spot) => spot.whole(),
            FoundPath::Block(_) => self.span(),
        }
    }

    /// Returns the expression to which the path leads; `None` for a block and in JSON syntax.
    pub(crate) fn expr(&self) -> Option<Expr> {
        match self {
            FoundPath::Argument(argument) => Some(argument.expr.clone()),
            FoundPath::Block(_) | FoundPath::Json(_) => None,
            FoundPath::Attribute(part) | FoundPath::Element(part) => Some(part.value.clone()),
        }
    }
}

/// Returns the only match of a path with the index of its text; the refusal says that there are none or several.
pub(crate) fn one(
    files: &[SourceText],
    texts: &[ParsedText],
    steps: &[CodeStep],
) -> Result<(usize, FoundPath), EditRefusal> {
    let mut found = all(texts, steps);
    match found.len() {
        1 => Ok(found.remove(0)),
        0 => refused(nothing(texts, steps)),
        count => {
            let place = |(file, target): &(usize, FoundPath)| {
                let start = target.whole().start as usize;
                let line = texts[*file].text[..start].matches('\n').count() + 1;
                format!("{}:{line}", files[*file].name)
            };
            let places: Vec<String> = found.iter().take(4).map(place).collect();
            let more = if count > 4 { " and others" } else { "" };
            refused(format!(
                "{} matches {count} places: {}{more}. Choose among equal blocks by position, as in {}[0].",
                written(steps),
                places.join(", "),
                written(steps)
            ))
        }
    }
}

/// Returns the message that refuses a path without a match, with the longest prefix of the path that has one.
fn nothing(texts: &[ParsedText], steps: &[CodeStep]) -> String {
    let broken = texts.iter().any(|text| !text.diagnostics().is_empty());
    let hint =
        if broken { " Some of the code cannot be parsed: `groma check` shows what." } else { "" };
    let known = (1..steps.len()).rev().find(|length| !all(texts, &steps[..*length]).is_empty());
    match known {
        Some(length) => format!(
            "There is no {}: {} exists, but has no such part.{hint}",
            written(steps),
            written(&steps[..length])
        ),
        None => format!("There is no {}.{hint}", written(steps)),
    }
}

/// Returns all matches of a path with the indices of their texts. `local`, `var` and a bare resource type have their meanings in
/// references.
pub(crate) fn all(texts: &[ParsedText], steps: &[CodeStep]) -> Vec<(usize, FoundPath)> {
    let mut found = all_exactly(texts, steps);
    if found.is_empty() {
        let other = declaration_steps(steps);
        found = other.map(|other| all_exactly(texts, &other)).unwrap_or_default();
    }
    found
}

/// Returns all matches of a path that names blocks by their types, such as `variable.a` and not `var.a`, with the indices of
/// their texts.
fn all_exactly(texts: &[ParsedText], steps: &[CodeStep]) -> Vec<(usize, FoundPath)> {
    let bodies = texts.iter().enumerate().map(|(file, text)| (file, Body::of(&text.parse)));
    let mut found = Vec::new();
    in_bodies(texts, &bodies.collect::<Vec<_>>(), steps, &mut found);
    for (file, text) in texts.iter().enumerate() {
        let spots = json::all(text, steps).into_iter();
        found.extend(spots.map(|spot| (file, FoundPath::Json(spot))));
    }
    found
}

/// Returns the number of a block's labels if `steps`, those that follow the block's type in a path, begin with them; `None`
/// if a label differs or the path ends before.
fn fits(block: &Block, steps: &[CodeStep]) -> Option<usize> {
    let labels = block.labels.len();
    let named = steps.get(..labels)?.iter().zip(&block.labels);
    named
        .into_iter()
        .all(|(step, label)| matches!(step, CodeStep::Name(name) if *name == *label.text))
        .then_some(labels)
}

/// Adds the matches of a path that starts in one of the bodies to `found`; each body and each match has the index of its
/// text.
fn in_bodies(
    texts: &[ParsedText],
    bodies: &[(usize, Body)],
    steps: &[CodeStep],
    found: &mut Vec<(usize, FoundPath)>,
) {
    let Some((CodeStep::Name(name), rest)) = steps.split_first() else { return };
    // Equal blocks, by the number of steps that lead to them: a position counts among them.
    let mut blocks: Vec<(usize, Block, usize)> = Vec::new();
    for (file, body) in bodies {
        let items = texts[*file].index.items(body);
        for item in items.get(name).into_iter().flatten() {
            match item {
                BodyItem::Argument(argument) => {
                    in_value(texts, *file, FoundPath::Argument(argument.clone()), rest, found);
                }
                BodyItem::Block(block) => {
                    if let Some(taken) = fits(block, rest) {
                        blocks.push((*file, block.clone(), taken));
                    }
                }
            }
        }
    }
    for taken in 0..=rest.len() {
        let of_length = blocks.iter().filter(|(_, _, labels)| *labels == taken);
        let mut equal: Vec<(usize, &Block)> =
            of_length.map(|(file, block, _)| (*file, block)).collect();
        let mut below = &rest[taken..];
        if let Some((CodeStep::At(at), deeper)) = below.split_first() {
            equal = equal.get(*at).copied().into_iter().collect();
            below = deeper;
        }
        if equal.is_empty() {
            continue;
        }
        if below.is_empty() {
            found.extend(
                equal.into_iter().map(|(file, block)| (file, FoundPath::Block(block.clone()))),
            );
        } else {
            let inside: Vec<(usize, Body)> =
                equal.into_iter().map(|(file, block)| (file, block.body.clone())).collect();
            in_bodies(texts, &inside, below, found);
        }
    }
}

/// Adds the matches of a path that starts in the value at `target`, in the text with the index `file`, to `found`, each with
/// this index.
fn in_value(
    texts: &[ParsedText],
    file: usize,
    target: FoundPath,
    steps: &[CodeStep],
    found: &mut Vec<(usize, FoundPath)>,
) {
    let Some((step, rest)) = steps.split_first() else {
        return found.push((file, target));
    };
    let Some(expr) = target.expr() else { return };
    let parts = texts[file].index.parts(&expr);
    match step {
        CodeStep::Name(name) => {
            for part in parts.named.get(name).into_iter().flatten() {
                in_value(texts, file, FoundPath::Attribute(part.clone()), rest, found);
            }
        }
        CodeStep::At(at) => {
            if let Some(part) = parts.elements.get(*at) {
                in_value(texts, file, FoundPath::Element(part.clone()), rest, found);
            }
        }
        CodeStep::End | CodeStep::Each(_) => {}
    }
}
