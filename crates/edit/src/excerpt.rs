//! Excerpts of texts with the code that some edits need: the code that their paths name, its neighbours, and the ends of
//! everything around it. The rest is cut out. A path leads to the same code in an excerpt as in the whole, with the same
//! surroundings; only line numbers differ, and a reason to refuse an edit may be in the rest.

use std::collections::HashSet;
use std::ops::Range;

use groma_syntax::json::{JsonCase, JsonView};
use groma_syntax::{Body, BodyItem, Expr, JsonExpr, Span};

use crate::SourceText;
use crate::parts::{attributes, elements};
use crate::path::{CodeStep, key_name};
use crate::requests::Edit;
use crate::text::{ParsedText, Splice};
use crate::window::ListWindow;

/// The number of neighbours that an excerpt keeps on each side of a part that an edit may change: the edit may also change the
/// first one, and the second separates it from the code that is cut out.
const KEPT_NEIGHBOURS: usize = 2;

/// An excerpt of texts: the texts without the code that some edits do not need, and the mapping of its offsets to the whole
/// texts.
pub(crate) struct TextExcerpt {
    /// The indices of the kept texts among all texts.
    pub(crate) numbers: Vec<usize>,
    /// The names of the kept texts; their contents are in `texts`.
    pub(crate) files: Vec<SourceText>,
    pub(crate) texts: Vec<ParsedText>,
    /// The edits with renumbered list positions, if those differ from the positions in the whole texts.
    pub(crate) edits: Option<Vec<Edit>>,
    /// The ranges cut out of each text, as offsets in the whole.
    cuts: Vec<Vec<Range<usize>>>,
}

impl TextExcerpt {
    /// Creates the excerpt of the texts of a module that contains all code needed for the given edits.
    pub(crate) fn of(files: &[SourceText], texts: &[ParsedText], edits: &[Edit]) -> TextExcerpt {
        let named = PathNames::by(edits, ListWindow::of(texts, edits));
        let tops: Vec<Vec<CodePart>> = top_levels(texts, &named);
        // The set of files matters if a declaration has no place yet.
        let is_kept = |file: &usize| {
            let is_main = files[*file].name.rsplit('/').next() == Some("main.tf");
            is_main || !texts[*file].diagnostics().is_empty() || has_wanted(&tops[*file])
        };
        let mut numbers: Vec<usize> = (0..texts.len()).filter(is_kept).collect();
        let others = (0..texts.len()).filter(|file| !is_kept(file));
        let missing = texts.len().min(2).saturating_sub(numbers.len());
        numbers.extend(others.take(missing).collect::<Vec<_>>());
        numbers.sort_unstable();
        let mut excerpt = TextExcerpt {
            numbers,
            files: Vec::new(),
            texts: Vec::new(),
            edits: None,
            cuts: Vec::new(),
        };
        for file in &excerpt.numbers {
            let (whole, name) = (&texts[*file], &files[*file].name);
            let cuts = match whole.diagnostics().is_empty() {
                true => cuts(whole, &tops[*file], &named),
                false => Vec::new(),
            };
            if let Some(window) = &named.window {
                excerpt.edits = window.moved(whole, &cuts, edits).or(excerpt.edits);
            }
            let (mut text, mut at) = (String::new(), 0);
            for cut in &cuts {
                text.push_str(&whole.text[at..cut.start]);
                at = cut.end;
            }
            text.push_str(&whole.text[at..]);
            excerpt.files.push(SourceText { name: name.clone(), text: "".into() });
            excerpt.texts.push(whole.with(name, text));
            excerpt.cuts.push(cuts);
        }
        excerpt
    }

    /// Converts replacements in the excerpt of the text `number` to offsets in the whole text; `None` if one of them reaches or
    /// borders a range that the excerpt leaves out.
    pub(crate) fn placed(&self, number: usize, splices: Vec<Splice>) -> Option<Vec<Splice>> {
        let (mut cuts, mut out) = (self.cuts[number].iter().peekable(), 0);
        let mut placed = splices;
        for splice in &mut placed {
            while let Some(cut) = cuts.next_if(|cut| cut.start - out < splice.range.start) {
                out += cut.len();
            }
            if cuts.peek().is_some_and(|cut| cut.start - out <= splice.range.end) {
                return None;
            }
            splice.range = splice.range.start + out..splice.range.end + out;
        }
        Some(placed)
    }
}

/// The names in the paths of some edits, by which the code that they need is found.
struct PathNames<'e> {
    names: HashSet<&'e str>,
    /// The names in paths that do not only add a block after the last one of its kind.
    inside: HashSet<&'e str>,
    /// True if a path contains a list position.
    has_positions: bool,
    /// The elements that may change, if all paths lead into one list.
    window: Option<ListWindow<'e>>,
}

impl<'e> PathNames<'e> {
    /// Collects the names in the paths of edits, and the block types that are implied by references such as `var.a`;
    /// `window` is the range of list elements that may change, if all edits lead into one list.
    fn by(edits: &'e [Edit], window: Option<ListWindow<'e>>) -> PathNames<'e> {
        // References have these instead of block types.
        let mut names = HashSet::from(["resource"]);
        let mut inside = names.clone();
        let mut has_positions = false;
        for edit in edits {
            let steps = &edit.path.steps;
            for (at, step) in steps.iter().enumerate() {
                match step {
                    CodeStep::Name(name) => {
                        names.insert(name);
                        if steps.get(at + 1) != Some(&CodeStep::End) {
                            inside.insert(name);
                        }
                    }
                    CodeStep::At(_) => has_positions = true,
                    // `*` is expanded before.
                    CodeStep::End | CodeStep::Each(_) => {}
                }
            }
        }
        for (short, kind) in [("var", "variable"), ("local", "locals")] {
            if names.contains(short) {
                names.insert(kind);
                inside.insert(kind);
            }
        }
        if let Some(window) = &window {
            has_positions = window.has_positions;
        }
        PathNames { names, inside, has_positions, window }
    }

    /// Returns true if an edit may select the element at index `number` of the list with the span `list`.
    fn has_position(&self, text: &ParsedText, list: Span, number: usize) -> bool {
        match &self.window {
            Some(window) if window.is_of(text, list) => window.has(number),
            _ => self.has_positions,
        }
    }

    /// Returns true if an element of a JSON list is an object with a property that an edit names, as blocks in JSON are.
    fn is_block(&self, element: &JsonExpr) -> bool {
        match element.view().case() {
            JsonCase::Object(properties) => {
                properties.iter().any(|property| self.names.contains(&*property.name))
            }
            _ => false,
        }
    }
}

/// A piece of code that can have parts: a body, a value or a JSON value.
enum CodePiece {
    /// A body, whose parts are arguments and blocks.
    Body(Body),
    /// A value in native syntax, whose parts are attributes or elements.
    Value(Expr),
    /// A JSON value, whose parts are properties or elements.
    Json(JsonExpr),
}

/// A part of a piece of code, such as an argument of a body or an element of a list, with flags that decide if an excerpt leaves
/// it out.
struct CodePart {
    start: usize,
    /// True if an edit may change it.
    is_wanted: bool,
    /// True if it is kept although no edit changes it.
    is_kept: bool,
    inner: CodePiece,
}

impl CodePart {
    /// Creates a part that starts at the offset `start` and contains the code `inner`; `is_wanted` is true if an edit may change
    /// it.
    fn new(start: u32, is_wanted: bool, inner: CodePiece) -> CodePart {
        CodePart { start: start as usize, is_wanted, is_kept: false, inner }
    }
}

/// Returns true if an edit may change one of these parts of a piece of code.
fn has_wanted(parts: &[CodePart]) -> bool {
    parts.iter().any(|part| part.is_wanted)
}

/// Returns the blocks and arguments at the top level of each text, as parts that an excerpt keeps if the edits of `named`
/// need them, and otherwise leaves out.
fn top_levels(texts: &[ParsedText], named: &PathNames<'_>) -> Vec<Vec<CodePart>> {
    let mut tops: Vec<Vec<CodePart>> = Vec::with_capacity(texts.len());
    let mut settled: HashSet<String> = HashSet::new();
    for text in texts.iter().rev() {
        if let Some(json) = &text.json {
            tops.push(parts(text, &CodePiece::Json(JsonExpr::root(json)), named));
            continue;
        }
        let items = Body::of(&text.parse).items();
        let mut own = body_parts(items.iter(), named);
        // The last block of a kind determines where the next one goes; if it is removed, the one before it.
        for (item, part) in items.iter().zip(&mut own).rev() {
            let BodyItem::Block(block) = item else { continue };
            let kind = &*block.kind.text;
            if named.names.contains(kind) && !settled.contains(kind) {
                if !part.is_wanted {
                    settled.insert(kind.to_owned());
                }
                part.is_wanted = true;
            }
        }
        tops.push(own);
    }
    tops.reverse();
    tops
}

/// Returns the arguments and blocks of a body, as parts that an excerpt keeps if the edits of `named` may change them or
/// something near them, and otherwise leaves out.
fn body_parts<'i>(
    items: impl Iterator<Item = &'i BodyItem>,
    named: &PathNames<'_>,
) -> Vec<CodePart> {
    let names = &named.names;
    let part = |item: &BodyItem| match item {
        BodyItem::Argument(argument) => CodePart::new(
            argument.span.start,
            names.contains(&*argument.name.text),
            CodePiece::Value(argument.expr.clone()),
        ),
        BodyItem::Block(block) => CodePart::new(
            block.span.start,
            named.inside.contains(&*block.kind.text)
                && block.labels.iter().all(|label| names.contains(&*label.text)),
            CodePiece::Body(block.body.clone()),
        ),
    };
    items.map(part).collect()
}

/// Returns the parts of a piece of code in text order: arguments and blocks, attributes, properties or elements; marks those
/// that the edits of `named` may change.
fn parts(text: &ParsedText, whole: &CodePiece, named: &PathNames<'_>) -> Vec<CodePart> {
    let names = &named.names;
    match whole {
        CodePiece::Body(body) => {
            let items = body.items();
            let mut all = body_parts(items.iter(), named);
            // The first part, and the last argument: additions go after it.
            all.iter_mut().take(1).for_each(|part| part.is_wanted = true);
            if let Some(last) = items.iter().rposition(|item| matches!(item, BodyItem::Argument(_)))
            {
                all[last].is_wanted = true;
            }
            all
        }
        CodePiece::Value(expr) => {
            let Expr::Native(native) = expr else { return Vec::new() };
            let inner = |value| CodePiece::Value(Expr::Native(native.inner(value)));
            let mut all: Vec<CodePart> = Vec::new();
            let mut has_comma = false;
            for item in attributes(expr) {
                let is_wanted = key_name(item.key).is_some_and(|name| names.contains(&*name));
                let mut part = CodePart::new(item.key.span().start, is_wanted, inner(item.value));
                // An element followed by a comma is kept: it shows how additions are separated.
                if !is_wanted && !has_comma {
                    has_comma = text.comma_after(item.value.span().end as usize).is_some();
                    part.is_kept = has_comma;
                }
                all.push(part);
            }
            for (number, item) in elements(expr).into_iter().enumerate() {
                let is_wanted = named.has_position(text, expr.span(), number);
                all.push(CodePart::new(item.span().start, is_wanted, inner(item)));
            }
            all
        }
        CodePiece::Json(value) => match value.view().case() {
            JsonCase::Object(properties) => properties
                .into_iter()
                .map(|one| {
                    let inner = CodePiece::Json(value.inner(one.value));
                    CodePart::new(one.name_span.start, names.contains(&*one.name), inner)
                })
                .collect(),
            JsonCase::Array(items) => {
                let is_window =
                    named.window.as_ref().is_some_and(|own| own.is_of(text, value.span()));
                let part = |(number, one): (usize, JsonView<'_>)| {
                    let inner = value.inner(one);
                    let is_wanted = named.has_position(text, value.span(), number)
                        || !is_window && named.is_block(&inner);
                    CodePart::new(one.span().start, is_wanted, CodePiece::Json(inner))
                };
                items.into_iter().enumerate().map(part).collect()
            }
            _ => Vec::new(),
        },
    }
}

/// Returns the ranges of bytes of a text that its excerpt leaves out, in order; `top` are the parts at the text's top level,
/// `named` tells which parts inside of them edits may change.
fn cuts(text: &ParsedText, top: &[CodePart], named: &PathNames<'_>) -> Vec<Range<usize>> {
    let mut cuts = Vec::new();
    let mut open: Vec<Vec<CodePart>> = Vec::new();
    within(text, top, named, &mut cuts, &mut open);
    while let Some(own) = open.pop() {
        within(text, &own, named, &mut cuts, &mut open);
    }
    cuts.sort_unstable_by_key(|cut| cut.start);
    cuts
}

/// Adds to `cuts` the ranges that an excerpt leaves out among the parts `all` of one piece of code, and to `open` the parts
/// inside of each part that it keeps; `named` tells which of them edits may change.
fn within(
    text: &ParsedText,
    all: &[CodePart],
    named: &PathNames<'_>,
    cuts: &mut Vec<Range<usize>>,
    open: &mut Vec<Vec<CodePart>>,
) {
    let mut stays: Vec<bool> = all.iter().map(|part| part.is_kept).collect();
    for (at, part) in all.iter().enumerate() {
        if part.is_wanted || at + 1 == all.len() {
            let last = (at + KEPT_NEIGHBOURS).min(all.len() - 1);
            stays[at.saturating_sub(KEPT_NEIGHBOURS)..=last].fill(true);
        }
    }
    let mut run = None;
    for (at, part) in all.iter().enumerate() {
        match (stays[at], run) {
            (false, None) => run = Some(at),
            (true, Some(first)) => {
                cuts.extend(cut(text, &all[first..at], part.start));
                run = None;
            }
            _ => {}
        }
        if stays[at] {
            let inner = parts(text, &part.inner, named);
            if !inner.is_empty() {
                open.push(inner);
            }
        }
    }
}

/// Returns the range of bytes that an excerpt leaves out for the consecutive parts `run`, such that the code at `next` keeps its
/// position in the line; `None` if nothing can be left out.
fn cut(text: &ParsedText, run: &[CodePart], next: usize) -> Option<Range<usize>> {
    let first = run.first()?.start;
    if text.begins_line(next) {
        let from = run.iter().find(|part| text.begins_line(part.start))?;
        return Some(text.line_start(from.start)..text.line_start(next));
    }
    let line = text.text[first..next].rfind('\n').map_or(first, |end| first + end + 1);
    let from = run.iter().find(|part| part.start >= line && !text.begins_line(part.start))?;
    Some(from.start..next)
}
