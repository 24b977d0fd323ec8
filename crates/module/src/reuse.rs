//! Incremental reading: blocks of files without diagnostics, each as a separate part of its file, and the declarations made from
//! them. A declaration is kept for the part it was read from; source ranges in it move with the part.

use std::ops::Range;
use std::sync::Arc;

use groma_config::{BlockReader, BlockRow, RawArgument, RawBlock};
use groma_runtime::Edition;
use groma_syntax::{
    Body, BodyItem, Diagnostics, FileId, FolderNumbers, NumberedPart, PlaceNumbers, Span,
    TextChange, change, parse_file,
};
use groma_value::Str;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::declare::{Local, Module, ModuleCall, Output, Resource, Variable};
use crate::resolve::{ModuleNames, Multiplicity, named};

/// A file without diagnostics from an earlier reading: its text and its blocks.
#[derive(Clone)]
pub(crate) struct CachedFile {
    text: Arc<str>,
    items: Box<[CachedBlock]>,
    rows: &'static [BlockRow],
}

/// A block of a cached file, with its span in the text, and the file number by which places in it survive edits elsewhere.
#[derive(Clone)]
struct CachedBlock {
    /// The span of the block.
    span: Span,
    /// The offset of the block from where it was read.
    by: i32,
    part: FileId,
    raw: Arc<RawBlock>,
    /// The arguments, if it is a `locals` block.
    locals: Option<Box<CachedLocals>>,
}

/// The arguments of a cached `locals` block, each of which is a part of the file with a number of its own.
#[derive(Clone)]
struct CachedLocals {
    /// The span between its braces.
    body: Span,
    /// Its arguments, each of which is a part.
    entries: Box<[CachedArgument]>,
}

/// An argument of a cached `locals` block, whose number stays when text before it changes.
#[derive(Clone)]
struct CachedArgument {
    span: Span,
    by: i32,
    part: FileId,
}

/// The settings for reading the blocks of a file: edition, rows, and the kind of file, such as an override file.
#[derive(Clone, Copy)]
pub(crate) struct FileReading {
    pub(crate) edition: Edition,
    pub(crate) rows: &'static [BlockRow],
    pub(crate) in_own_file: bool,
    pub(crate) is_override: bool,
    pub(crate) whose: &'static str,
    pub(crate) elsewhere: fn(&str, Edition) -> &'static str,
}

/// The settings and the part numbers for reading a file whose blocks can be reused after edits.
pub(crate) struct PartReading<'a> {
    pub(crate) reading: FileReading,
    /// The numbers of the folder.
    pub(crate) numbers: &'a mut FolderNumbers,
    pub(crate) all: &'a PlaceNumbers,
}

impl FileReading {
    /// Reads the blocks of a parsed file by their rows; reports invalid ones.
    pub(crate) fn blocks(&self, body: &Body, out: &mut Diagnostics) -> Vec<RawBlock> {
        let mut reader = BlockReader {
            edition: self.edition,
            file: body.file(),
            in_own_file: self.in_own_file,
            is_override: self.is_override,
            whose: self.whose,
            elsewhere: self.elsewhere,
            out,
        };
        reader.file(body, self.rows)
    }
}

impl PartReading<'_> {
    /// Parses a piece of a file and reads its blocks; `None` if there is any diagnostic.
    fn sound(&self, text: &str, file: FileId) -> Option<(Body, Vec<RawBlock>)> {
        let parse = parse_file(&text.into(), file);
        let mut out = Diagnostics::new();
        let body = Body::of(&parse);
        let raws = self.reading.blocks(&body, &mut out);
        (parse.diagnostics.is_empty() && out.is_empty()).then_some((body, raws))
    }

    /// Returns an unused number for a new part of a file.
    fn next_part_number(&mut self) -> FileId {
        self.numbers.part(self.all)
    }

    /// Returns the blocks of `body`, read without diagnostics as `raws`, as parts with numbers of their own; the body's text
    /// starts `by` bytes into its file.
    fn parts(&mut self, body: &Body, raws: Vec<RawBlock>, by: i32) -> Vec<CachedBlock> {
        let blocks = body.items().into_iter().filter_map(|item| match item {
            BodyItem::Block(block) => Some(block),
            // An argument outside of blocks is an error.
            BodyItem::Argument(_) => None,
        });
        let mut kept = Vec::with_capacity(raws.len());
        kept.extend(blocks.zip(raws).map(|(block, raw)| {
            let part = self.next_part_number();
            let mut raw = raw.numbered(part);
            let mut locals = None;
            if &*raw.kind == "locals" {
                let mut entries = Vec::with_capacity(raw.arguments.len());
                let own = |argument: RawArgument| {
                    let part = self.next_part_number();
                    entries.push(CachedArgument { span: argument.place.span.moved(by), by, part });
                    argument.numbered(part)
                };
                raw.arguments = std::mem::take(&mut raw.arguments).into_iter().map(own).collect();
                let body = block.body.span().moved(by);
                locals = Some(Box::new(CachedLocals { body, entries: entries.into() }));
            }
            CachedBlock { span: block.span.moved(by), by, part, raw: Arc::new(raw), locals }
        }));
        kept
    }

    /// Reads the blocks of a completely parsed file; also returns the file for the cache if `is_kept` and there are no
    /// diagnostics.
    pub(crate) fn whole(
        &mut self,
        text: &Arc<str>,
        body: &Body,
        is_kept: bool,
        out: &mut Diagnostics,
    ) -> (Vec<Arc<RawBlock>>, Option<Arc<CachedFile>>) {
        let found = out.len();
        let raws = self.reading.blocks(body, out);
        if !is_kept || out.len() > found || !matches!(body, Body::Native(_)) {
            return (raws.into_iter().map(Arc::new).collect(), None);
        }
        let items = self.parts(body, raws, 0).into();
        let kept = CachedFile { text: text.clone(), items, rows: self.reading.rows };
        (kept.blocks(), Some(Arc::new(kept)))
    }

    /// Returns a cached file updated to a new text by parsing only the changed lines; `None` if the texts differ too much or
    /// the changed lines have diagnostics.
    pub(crate) fn updated(
        &mut self,
        kept: &Arc<CachedFile>,
        text: &Arc<str>,
        file: FileId,
    ) -> Option<Arc<CachedFile>> {
        if !std::ptr::eq(kept.rows, self.reading.rows) {
            return None;
        }
        if *kept.text == **text {
            return Some(kept.clone());
        }
        let spans: Vec<Span> = kept.items.iter().map(|item| item.span).collect();
        let whole = Span::new(0, kept.text.len() as u32);
        let found = change(&kept.text, &spans, whole, text)?;
        let mut kept = CachedFile::clone(kept);
        let inner = spans.len() - found.after == found.before + 1;
        let done = inner && self.entries(&mut kept, found.before, text, file).is_some();
        if !done {
            self.replace(&mut kept, &found, text, file)?;
        }
        kept.text = text.clone();
        Some(Arc::new(kept))
    }

    /// Parses the changed lines of a text and puts their blocks between the unchanged ones of the cached file `kept`; `None`
    /// if there is any diagnostic.
    fn replace(
        &mut self,
        kept: &mut CachedFile,
        found: &TextChange,
        text: &str,
        file: FileId,
    ) -> Option<()> {
        let lines = found.lines.of(text);
        if lines.starts_with('\u{feff}') && found.lines.start > 0 {
            return None;
        }
        let (body, raws) = self.sound(lines, file)?;
        let made = self.parts(&body, raws, found.lines.start as i32);
        let end = kept.items.len() - found.after;
        kept.items[end..].iter_mut().for_each(|item| item.shift(found.by));
        replace_items(&mut kept.items, found.before..end, made);
        Some(())
    }

    /// Parses the changed lines inside the `locals` block at index `at` and replaces its arguments there; `None` if the
    /// change is not confined to such lines, or if they have a diagnostic or repeat a name.
    fn entries(
        &mut self,
        kept: &mut CachedFile,
        at: usize,
        text: &str,
        file: FileId,
    ) -> Option<()> {
        let item = &kept.items[at];
        let locals = item.locals.as_ref().filter(|_| item.raw.overridden.is_none())?;
        let spans: Vec<Span> = locals.entries.iter().map(|entry| entry.span).collect();
        let found = change(&kept.text, &spans, locals.body, text)?;
        let lines = found.lines.of(text);
        // An argument in the line of the opening brace has to end in that line.
        let around = if found.before == 0 { "locals {" } else { "locals {\n" };
        let (body, raws) = self.sound(&format!("{around}{lines}}}"), file)?;
        let by = found.lines.start as i32 - around.len() as i32;
        let [made] = <[CachedBlock; 1]>::try_from(self.parts(&body, raws, by)).ok()?;
        // A brace in these lines would end the block there.
        if made.span.len() as usize != around.len() + lines.len() + 1 {
            return None;
        }
        let made_locals = made.locals?;
        let end = spans.len() - found.after;
        let old = &item.raw.arguments;
        let others = || old[..found.before].iter().chain(&old[end..]);
        let names: FxHashSet<&Str> = made.raw.arguments.iter().map(|one| &one.name).collect();
        if others().any(|other| names.contains(&other.name)) {
            return None;
        }
        let (before, after) = (old[..found.before].iter(), old[end..].iter());
        let arguments = before.chain(&made.raw.arguments).chain(after).cloned().collect();
        let raw = item.raw.with_arguments(arguments);
        let item = &mut kept.items[at];
        item.raw = Arc::new(raw);
        let locals = item.locals.as_mut()?;
        locals.entries[end..].iter_mut().for_each(|entry| entry.shift(found.by));
        replace_items(&mut locals.entries, found.before..end, made_locals.entries);
        locals.body.end = locals.body.end.saturating_add_signed(found.by);
        item.span.end = item.span.end.saturating_add_signed(found.by);
        kept.items[at + 1..].iter_mut().for_each(|item| item.shift(found.by));
        Some(())
    }
}

/// Replaces the items in a range of a list by others.
fn replace_items<T>(all: &mut Box<[T]>, range: Range<usize>, made: impl IntoIterator<Item = T>) {
    let mut list = std::mem::take(all).into_vec();
    list.splice(range, made);
    *all = list.into();
}

impl CachedFile {
    /// Returns the blocks of the cached file, in source order.
    pub(crate) fn blocks(&self) -> Vec<Arc<RawBlock>> {
        self.items.iter().map(|item| item.raw.clone()).collect()
    }

    /// Adds the numbers of the file's parts to `parts`; `text` is the file's index in its folder.
    pub(crate) fn add_parts(&self, text: u32, parts: &mut Vec<NumberedPart>) {
        for item in &self.items {
            parts.push(NumberedPart { number: item.part, text, by: item.by });
            let entries = item.locals.iter().flat_map(|locals| &locals.entries);
            parts.extend(entries.map(|one| NumberedPart { number: one.part, text, by: one.by }));
        }
    }
}

impl CachedBlock {
    /// Moves the spans of the block by `by` bytes, after an edit before it.
    fn shift(&mut self, by: i32) {
        self.span = self.span.moved(by);
        self.by += by;
        if let Some(locals) = &mut self.locals {
            locals.body = locals.body.moved(by);
            locals.entries.iter_mut().for_each(|entry| entry.shift(by));
        }
    }
}

impl CachedArgument {
    /// Moves the span of the argument by `by` bytes, after an edit before it.
    fn shift(&mut self, by: i32) {
        self.span = self.span.moved(by);
        self.by += by;
    }
}

/// Index of declarations of one kind by the number of the part that each was read from.
pub(crate) struct ByPart<T>(FxHashMap<FileId, Arc<T>>);

impl<T> Default for ByPart<T> {
    fn default() -> ByPart<T> {
        ByPart(FxHashMap::default())
    }
}

impl<T> ByPart<T> {
    /// Indexes the declarations, except those of parts in `distrusted`, which have diagnostics.
    fn of(
        all: &[Arc<T>],
        part: impl Fn(&T) -> FileId,
        distrusted: &FxHashSet<FileId>,
    ) -> ByPart<T> {
        let known = all.iter().map(|one| (part(one), one.clone()));
        let trusted = known.filter(|(part, _)| part.is_part() && !distrusted.contains(part));
        ByPart(trusted.collect())
    }

    /// Returns the earlier declaration of a part; if there is none, reads it with `read`.
    pub(crate) fn take_or(&self, part: FileId, read: impl FnOnce() -> T) -> Arc<T> {
        self.0.get(&part).cloned().unwrap_or_else(|| Arc::new(read()))
    }
}

/// Declarations from an earlier reading of the same directory that can be reused, by the parts they were read from.
#[derive(Default)]
pub struct ModuleReuse {
    old: Option<Arc<Module>>,
    pub(crate) variables: ByPart<Variable>,
    pub(crate) locals: ByPart<Local>,
    pub(crate) outputs: ByPart<Output>,
    pub(crate) calls: ByPart<ModuleCall>,
    pub(crate) resources: ByPart<Resource>,
    distrusted: FxHashSet<FileId>,
}

impl ModuleReuse {
    /// Returns the reusable declarations of `old`, the module of an earlier reading: none if its `terraform` or `language` blocks
    /// have changed, and none from the parts in `distrusted`, which have diagnostics.
    pub(crate) fn of<'r>(
        old: Option<Arc<Module>>,
        settings: impl Iterator<Item = &'r Arc<RawBlock>>,
        distrusted: &FxHashSet<FileId>,
    ) -> ModuleReuse {
        let same = |old: &Arc<Module>| {
            let known = old.settings.blocks.iter().map(Arc::as_ptr);
            known.eq(settings.map(Arc::as_ptr))
        };
        let Some(old) = old.filter(same) else { return ModuleReuse::default() };
        ModuleReuse {
            variables: ByPart::of(&old.variables, |one| one.place.file, distrusted),
            locals: ByPart::of(&old.locals, |one| one.place.file, distrusted),
            outputs: ByPart::of(&old.outputs, |one| one.place.file, distrusted),
            calls: ByPart::of(&old.calls, |one| one.place.file, distrusted),
            resources: ByPart::of(&old.resources, |one| one.place.file, distrusted),
            distrusted: FxHashSet::default(),
            old: Some(old),
        }
    }

    /// Returns the parts with diagnostics, which the next load must read again.
    pub(crate) fn into_distrusted(self) -> FxHashSet<FileId> {
        self.distrusted
    }

    /// Marks a part as having diagnostics, so that the next load reads it again.
    pub(crate) fn distrust(&mut self, part: FileId) {
        self.distrusted.insert(part);
    }

    /// Marks parts as having diagnostics, so that the next load reads them again.
    pub(crate) fn distrust_all(&mut self, parts: FxHashSet<FileId>) {
        self.distrusted.extend(parts);
    }

    /// Returns the index of names of the earlier reading's module if `new` has equal names: then resolved references stay valid.
    pub(crate) fn names_of(&self, new: &Module) -> Option<Arc<ModuleNames>> {
        let old = self.old.as_ref()?;
        let is_same = old
            .variables
            .iter()
            .map(|one| &one.name)
            .eq(new.variables.iter().map(|one| &one.name))
            && old.locals.iter().map(|one| &one.name).eq(new.locals.iter().map(|one| &one.name))
            && old.outputs.iter().map(|one| &one.name).eq(new.outputs.iter().map(|one| &one.name))
            && old.calls.iter().map(called).eq(new.calls.iter().map(called))
            && old.resources.len() == new.resources.len()
            && old.resources.iter().zip(&new.resources).all(|(old, new)| is_alike(old, new));
        is_same.then(|| old.names.clone())
    }
}

/// Returns the name and multiplicity of a module call, which references to it depend on.
pub(crate) fn called(call: &Arc<ModuleCall>) -> (&Str, Multiplicity) {
    (&call.name, Multiplicity::of(&call.repetition))
}

/// Returns the type and name of each action that a resource triggers.
fn triggered(resource: &Resource) -> impl Iterator<Item = (&Str, &Str)> {
    named(resource).map(|action| (&action.kind, &action.name))
}

/// Returns true if two declarations of a resource, from an earlier and a new reading, are equal in everything that references
/// to it depend on.
pub(crate) fn is_alike(old: &Arc<Resource>, new: &Arc<Resource>) -> bool {
    Arc::ptr_eq(old, new)
        || (old.mode, &old.kind, &old.name, &old.check)
            == (new.mode, &new.kind, &new.name, &new.check)
            && Multiplicity::of(&old.repetition) == Multiplicity::of(&new.repetition)
            && triggered(old).eq(triggered(new))
            && match (old.block(), new.block()) {
                (Some(old), Some(new)) => Arc::ptr_eq(&old, &new),
                (None, None) => true,
                _ => false,
            }
}
