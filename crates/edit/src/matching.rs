//! Expansion of a path with `*` into paths without it. After the header of a block `.*` matches its content and `[*]` its index
//! among equal blocks; elsewhere both are the same.

use std::collections::{HashMap, HashSet};

use groma_syntax::json::JsonCase;
use groma_syntax::{Block, Body, BodyItem, JsonExpr, Span, TEXT_LIMIT};

use crate::find_path::{CollectionPart, FoundPath};
use crate::path::{CodePath, CodeStep, EachForm, declaration_steps};
use crate::requests::{Edit, EditOp};
use crate::text::ParsedText;
use crate::{EditLanguage, EditRefusal, refused};

/// The treatment of several blocks with the same type and labels at the end of a path with `*`: one path for each, or one for
/// all.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum BlockEnding {
    /// One path for each block, with its position.
    Apart,
    /// One path for all blocks, after which a further block is added.
    Together,
}

/// Blocks of one type with equal labels, each with the index of its text.
type EqualBlocks = Vec<(usize, Block)>;

/// One of the paths to which a path with `*` expands, with the span of its code.
pub(crate) struct PathMatch {
    /// The index of the text.
    pub(crate) file: usize,
    /// The bytes of the value, or of a block with its header.
    pub(crate) span: Span,
    /// The steps of the path, without `*`.
    pub(crate) steps: Vec<CodeStep>,
}

/// Returns the paths to which a path with `*` expands, in text order; `ending` says if several equal blocks at its end get
/// one path each or one together.
///
/// # Errors
/// If it matches nothing, or too many things for the memory limit.
pub(crate) fn matches(
    texts: &[ParsedText],
    path: &CodePath,
    ending: BlockEnding,
    language: EditLanguage<'_>,
) -> Result<Vec<PathMatch>, EditRefusal> {
    let steps = &path.steps[..];
    let mut found = PathMatcher::of(texts, steps, ending, language);
    if found.found.is_empty()
        && let Some(other) = declaration_steps(steps)
    {
        found = PathMatcher::of(texts, &other, ending, language);
    }
    let PathMatcher { mut found, is_full, .. } = found;
    if is_full {
        return refused(format!("{path} leads to more than can be told at once."));
    }
    if found.is_empty() {
        return refused(format!("There is no {path}."));
    }
    found.sort_by_key(|one| (one.file, one.span.start));
    Ok(found)
}

/// Expands an edit with `*` in its path into one edit for each match, the last match first, so that positions in later edits stay
/// valid.
pub(crate) fn edits(
    texts: &[ParsedText],
    edit: &Edit,
    language: EditLanguage<'_>,
) -> Result<Vec<Edit>, EditRefusal> {
    let (above, last) = edit.path.split();
    let paths_found = match edit.op {
        EditOp::Add => {
            let above = CodePath { steps: above.to_vec() };
            if matches!(last, CodeStep::Each(_)) {
                return refused(format!(
                    "{} is what is there already: for what is added its name is needed.",
                    edit.path
                ));
            }
            let mut found = matches(texts, &above, BlockEnding::Together, language)?;
            found.iter_mut().for_each(|one| one.steps.push(last.clone()));
            found
        }
        _ => matches(texts, &edit.path, BlockEnding::Apart, language)?,
    };
    // A path with two matches is one edit, which is refused as it is without `*`.
    let mut seen: HashSet<Vec<CodeStep>> = HashSet::new();
    let mut paths: Vec<CodePath> = Vec::new();
    for one in paths_found {
        if seen.insert(one.steps.clone()) {
            paths.push(CodePath { steps: one.steps });
        }
    }
    if paths.len().saturating_mul(edit.to.len()) > TEXT_LIMIT {
        return refused(format!(
            "{} leads to {} things: so much code does not fit into files.",
            edit.path,
            paths.len()
        ));
    }
    let one = |path| Edit { op: edit.op, path, to: edit.to.clone() };
    Ok(paths.into_iter().rev().map(one).collect())
}

/// A search for the matches of one path with `*`: the steps so far and the matches found.
struct PathMatcher<'t> {
    texts: &'t [ParsedText],
    /// The steps without `*` so far.
    way: Vec<CodeStep>,
    found: Vec<PathMatch>,
    /// The number of bytes that further matches may use.
    room: usize,
    /// True if matches were left out because of the memory limit.
    is_full: bool,
    /// The number of labels of the blocks at the beginning of the path.
    labels: Option<usize>,
    /// The treatment of equal blocks at the end of the path.
    ending: BlockEnding,
    /// The searches in JSON documents that found nothing: the text, the span of a value, and the number of remaining steps.
    barren: HashSet<(usize, u32, u32, usize)>,
}

impl<'t> PathMatcher<'t> {
    /// Searches all texts for the matches of a path, given by its steps; `ending` says if several equal blocks at its end
    /// are one match or one each.
    fn of(
        texts: &'t [ParsedText],
        steps: &[CodeStep],
        ending: BlockEnding,
        language: EditLanguage<'_>,
    ) -> PathMatcher<'t> {
        let labels = match steps.first() {
            Some(CodeStep::Name(kind)) => (language.labels)(kind),
            _ => None,
        };
        let mut matcher = PathMatcher {
            texts,
            way: Vec::new(),
            found: Vec::new(),
            room: TEXT_LIMIT,
            is_full: false,
            labels,
            ending,
            barren: HashSet::new(),
        };
        let bodies = texts.iter().enumerate().map(|(file, text)| (file, Body::of(&text.parse)));
        matcher.bodies(&bodies.collect::<Vec<_>>(), steps);
        for (file, text) in texts.iter().enumerate() {
            if let Some(json) = &text.json {
                matcher.document(file, &JsonExpr::root(json), steps);
            }
        }
        matcher
    }

    /// Adds a match in the text with the index `file` and with the given span to those found; its path is the steps so far.
    fn find(&mut self, file: usize, span: Span) {
        let bytes = |step: &CodeStep| match step {
            CodeStep::Name(name) => name.len(),
            _ => 0,
        };
        let taken = self.way.iter().map(|step| size_of::<CodeStep>() + bytes(step)).sum();
        match self.room.checked_sub(taken) {
            Some(left) => {
                self.room = left;
                self.found.push(PathMatch { file, span, steps: self.way.clone() });
            }
            None => self.is_full = true,
        }
    }

    /// Calls `walk` with a step appended to the steps so far; does nothing once the memory limit is reached.
    fn within(&mut self, step: CodeStep, walk: impl FnOnce(&mut Self)) {
        if !self.is_full {
            self.way.push(step);
            walk(self);
            self.way.pop();
        }
    }

    /// Adds to the matches those of the path's remaining `steps` in the bodies of blocks, or of files, that count as a
    /// single body; each has the index of its text.
    fn bodies(&mut self, bodies: &[(usize, Body)], steps: &[CodeStep]) {
        match steps.split_first() {
            Some((CodeStep::Name(name), rest)) => self.items(bodies, name, rest, false),
            Some((CodeStep::Each(EachForm::Name), rest)) => {
                let mut names: Vec<String> = Vec::new();
                for (file, body) in bodies {
                    names.extend(self.texts[*file].index.items(body).keys().cloned());
                }
                names.sort_unstable();
                names.dedup();
                for name in names {
                    self.items(bodies, &name, rest, true);
                }
            }
            _ => {}
        }
    }

    /// Adds to the matches those of the steps `rest` in the arguments and blocks named `name` of some bodies, each with its
    /// text's index; blocks with equal labels count as a single block or, with `is_apart`, each has a path of its own with
    /// its position. At the end of the path, [`BlockEnding`] decides this.
    fn items(&mut self, bodies: &[(usize, Body)], name: &str, rest: &[CodeStep], is_apart: bool) {
        let texts = self.texts;
        // Equal blocks, by their labels.
        let mut blocks: Vec<(Vec<String>, EqualBlocks)> = Vec::new();
        let mut numbers = HashMap::new();
        for (file, body) in bodies {
            let items = texts[*file].index.items(body);
            for item in items.get(name).into_iter().flatten() {
                match item {
                    BodyItem::Argument(argument) => {
                        let target = FoundPath::Argument(argument.clone());
                        self.within(CodeStep::Name(name.to_owned()), |this| {
                            this.value(*file, &target, rest);
                        });
                    }
                    BodyItem::Block(block) => {
                        let Some(labels) = labels(block, rest) else { continue };
                        let number = *numbers.entry(labels.clone()).or_insert_with(|| {
                            blocks.push((labels, Vec::new()));
                            blocks.len() - 1
                        });
                        blocks[number].1.push((*file, block.clone()));
                    }
                }
            }
        }
        let ends_apart = self.ending == BlockEnding::Apart;
        for (labels, equal) in blocks {
            let below = &rest[labels.len()..];
            let length = self.way.len();
            self.way.push(CodeStep::Name(name.to_owned()));
            self.way.extend(labels.into_iter().map(CodeStep::Name));
            match below.split_first() {
                Some((CodeStep::At(at), deeper)) => {
                    let one = equal.get(*at).cloned();
                    self.within(CodeStep::At(*at), |this| this.blocks(one.as_slice(), deeper));
                }
                Some((CodeStep::Each(EachForm::Position), deeper)) => self.each(&equal, deeper),
                _ if equal.len() > 1 && (is_apart || ends_apart && below.is_empty()) => {
                    self.each(&equal, below)
                }
                _ => self.blocks(&equal, below),
            }
            self.way.truncate(length);
        }
    }

    /// Adds to the matches those of the steps `rest` in each of several blocks with the same type and labels, which come with
    /// the indices of their texts; the position of a block among them becomes a step of the match's path.
    fn each(&mut self, equal: &[(usize, Block)], rest: &[CodeStep]) {
        for (at, one) in equal.iter().enumerate() {
            self.within(CodeStep::At(at), |this| this.blocks(std::slice::from_ref(one), rest));
        }
    }

    /// Adds to the matches those of the steps `rest` in blocks with the same type and labels, given with the indices of their
    /// texts; they count as a single block.
    fn blocks(&mut self, equal: &[(usize, Block)], rest: &[CodeStep]) {
        if !rest.is_empty() {
            let inside = equal.iter().map(|(file, block)| (*file, block.body.clone()));
            return self.bodies(&inside.collect::<Vec<_>>(), rest);
        }
        if let Some((file, first)) = equal.first() {
            self.find(*file, first.span);
        }
    }

    /// Adds to the matches those of the path's remaining `steps` in the value of the argument, attribute or element `target`
    /// of the text with the index `file`.
    fn value(&mut self, file: usize, target: &FoundPath, steps: &[CodeStep]) {
        let Some((step, rest)) = steps.split_first() else {
            return self.find(file, target.span());
        };
        let Some(expr) = target.expr() else { return };
        let named = |name: &str| CodeStep::Name(name.to_owned());
        let parts = self.texts[file].index.parts(&expr);
        match step {
            CodeStep::Name(name) => {
                for part in parts.named.get(name).into_iter().flatten() {
                    let inner = FoundPath::Attribute(part.clone());
                    self.within(named(name), |this| this.value(file, &inner, rest));
                }
            }
            CodeStep::At(at) => {
                if let Some(part) = parts.elements.get(*at) {
                    let inner = FoundPath::Element(part.clone());
                    self.within(CodeStep::At(*at), |this| this.value(file, &inner, rest));
                }
            }
            CodeStep::Each(_) => {
                let named_parts = parts.named.iter();
                let mut attributes: Vec<(&String, &CollectionPart)> = named_parts
                    .flat_map(|(name, own)| own.iter().map(move |one| (name, one)))
                    .collect();
                attributes.sort_by_key(|(_, part)| part.at);
                for (name, part) in attributes {
                    let inner = FoundPath::Attribute(part.clone());
                    self.within(named(name), |this| this.value(file, &inner, rest));
                }
                for (at, part) in parts.elements.iter().enumerate() {
                    let inner = FoundPath::Element(part.clone());
                    self.within(CodeStep::At(at), |this| this.value(file, &inner, rest));
                }
            }
            CodeStep::End => {}
        }
    }

    /// Adds to the matches those of the path's remaining `steps` in a JSON value of the text with the index `file`.
    fn document(&mut self, file: usize, value: &JsonExpr, steps: &[CodeStep]) {
        let span = value.span();
        let Some((step, rest)) = steps.split_first() else { return self.find(file, span) };
        let place = (file, span.start, span.end, steps.len());
        if self.barren.contains(&place) {
            return;
        }
        let before = self.found.len();
        // Lists of blocks are ignored, as long as names are block types and labels.
        let depth = self.way.iter().filter(|step| matches!(step, CodeStep::Name(_))).count();
        let is_label = self.labels.is_some_and(|labels| depth <= labels);
        let is_head = self.labels.is_some_and(|labels| depth == labels + 1);
        let is_name = match step {
            CodeStep::Name(_) => true,
            CodeStep::Each(form) => is_label || is_head && *form == EachForm::Name,
            CodeStep::At(_) | CodeStep::End => false,
        };
        match (step, value.view().case()) {
            (_, JsonCase::Array(items)) if is_name => {
                for item in items {
                    if matches!(item.case(), JsonCase::Object(_)) {
                        self.document(file, &value.inner(item), steps);
                    }
                }
            }
            (CodeStep::Name(_) | CodeStep::Each(_), JsonCase::Object(properties)) => {
                let is_block = is_head && *step == CodeStep::Each(EachForm::Position);
                let is_comment = |name: &str| (is_label || is_head) && name == "//";
                for property in properties.iter().filter(|_| !is_block) {
                    let is_meant = match step {
                        CodeStep::Name(name) => *property.name == **name,
                        _ => !is_comment(&property.name),
                    };
                    if is_meant {
                        let inner = value.inner(property.value);
                        let step = CodeStep::Name(property.name.to_string());
                        self.within(step, |this| this.document(file, &inner, rest));
                    }
                }
                // A single block needs no list.
                let is_one = *step == CodeStep::Each(EachForm::Position) && !is_label;
                if is_one && self.found.len() == before {
                    self.within(CodeStep::At(0), |this| this.document(file, value, rest));
                }
            }
            (CodeStep::At(at), JsonCase::Array(items)) => {
                if let Some(item) = items.get(*at) {
                    let inner = value.inner(*item);
                    self.within(CodeStep::At(*at), |this| this.document(file, &inner, rest));
                }
            }
            (CodeStep::At(0), JsonCase::Object(_)) => {
                self.within(CodeStep::At(0), |this| this.document(file, value, rest));
            }
            (CodeStep::Each(_), JsonCase::Array(items)) => {
                for (at, item) in items.into_iter().enumerate() {
                    let inner = value.inner(item);
                    self.within(CodeStep::At(at), |this| this.document(file, &inner, rest));
                }
            }
            _ => {}
        }
        if self.found.len() == before {
            self.barren.insert(place);
        }
    }
}

/// Returns the labels of a block if `steps`, those that follow the block's type in a path, begin with steps that match them;
/// `None` otherwise.
fn labels(block: &Block, steps: &[CodeStep]) -> Option<Vec<String>> {
    let mut named = steps.get(..block.labels.len())?.iter().zip(&block.labels);
    let is_so = named.all(|(step, label)| match step {
        CodeStep::Name(name) => **name == *label.text,
        CodeStep::Each(_) => true,
        CodeStep::At(_) | CodeStep::End => false,
    });
    is_so.then(|| block.labels.iter().map(|label| label.text.to_string()).collect())
}
