//! Incremental loading: blocks of files without diagnostics, each as a separate part of its file, and the declarations made from
//! them. A declaration is kept for the part it was read from; source ranges in it move with the part.

use std::sync::Arc;

use groma_config::{BlockReader, BlockRow, RawArgument, RawBlock};
use groma_runtime::Edition;
use groma_syntax::{
    Body, BodyItem, Diagnostics, FileId, Sources, Span, TextChange, change, parse_file,
};
use groma_value::Str;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::amend::SoundModule;
use crate::declare::{Local, Module, ModuleCall, Output, Resource, Variable};
use crate::resolve::{ModuleNames, Multiplicity, named};

/// The cached directories, by path.
#[derive(Default)]
pub struct ModuleCache {
    directories: FxHashMap<String, CachedDirectory>,
}

impl ModuleCache {
    /// Removes and returns the cache of a directory, to be replaced when it is read again.
    pub(crate) fn take(&mut self, dir: &str) -> CachedDirectory {
        self.directories.remove(dir).unwrap_or_default()
    }

    /// Stores the cache of a directory.
    pub(crate) fn keep(&mut self, dir: &str, directory: CachedDirectory) {
        self.directories.insert(dir.to_owned(), directory);
    }
}

/// The cached parts of one directory.
#[derive(Default)]
pub(crate) struct CachedDirectory {
    pub(crate) files: FxHashMap<String, CachedFile>,
    pub(crate) module: Option<Arc<Module>>,
    /// The same with its blocks, if nothing was found in them.
    pub(crate) sound: Option<SoundModule>,
    /// Parts of files whose declarations have diagnostics: they are read again.
    pub(crate) distrusted: FxHashSet<FileId>,
}

/// A cached file without diagnostics.
pub(crate) struct CachedFile {
    text: Arc<str>,
    items: Vec<CachedBlock>,
    rows: &'static [BlockRow],
}

/// A block of a cached file.
struct CachedBlock {
    /// The span of the block.
    span: Span,
    /// The offset of the block from where it was read.
    by: i32,
    part: FileId,
    raw: Arc<RawBlock>,
    /// The inside of a `locals` block.
    locals: Option<Box<CachedLocals>>,
}

/// The inside of a `locals` block.
struct CachedLocals {
    /// The span between its braces.
    body: Span,
    /// Its arguments, each of which is a part.
    entries: Vec<CachedArgument>,
}

/// An argument that is a part of its own.
struct CachedArgument {
    span: Span,
    by: i32,
    part: FileId,
}

/// The settings for reading a file.
pub(crate) struct FileReading<'a> {
    pub(crate) edition: Edition,
    pub(crate) rows: &'static [BlockRow],
    pub(crate) in_own_file: bool,
    pub(crate) is_override: bool,
    pub(crate) whose: &'static str,
    pub(crate) elsewhere: fn(&str, Edition) -> &'static str,
    pub(crate) sources: &'a mut Sources,
}

impl FileReading<'_> {
    /// Reads the blocks of a body.
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

    /// Parses a piece of a file; `None` if it has any diagnostic.
    fn sound(&self, text: &str, file: FileId) -> Option<(Body, Vec<RawBlock>)> {
        let parse = parse_file(&text.into(), file);
        let mut out = Diagnostics::new();
        let body = Body::of(&parse);
        let raws = self.blocks(&body, &mut out);
        (parse.diagnostics.is_empty() && out.is_empty()).then_some((body, raws))
    }

    /// Returns the blocks of a body without diagnostics, as parts of `file`; the body's text starts `by` bytes into the file.
    fn parts(
        &mut self,
        file: FileId,
        body: &Body,
        raws: Vec<RawBlock>,
        by: i32,
    ) -> Vec<CachedBlock> {
        let blocks = body.items().into_iter().filter_map(|item| match item {
            BodyItem::Block(block) => Some(block),
            // An argument outside of blocks is an error.
            BodyItem::Argument(_) => None,
        });
        let mut kept = Vec::with_capacity(raws.len());
        kept.extend(blocks.zip(raws).map(|(block, raw)| {
            let part = self.sources.part(file, by);
            let mut raw = raw.numbered(part);
            let mut locals = None;
            if &*raw.kind == "locals" {
                let mut entries = Vec::with_capacity(raw.arguments.len());
                let own = |argument: RawArgument| {
                    let part = self.sources.part(file, by);
                    entries.push(CachedArgument { span: argument.place.span.moved(by), by, part });
                    argument.numbered(part)
                };
                raw.arguments = std::mem::take(&mut raw.arguments).into_iter().map(own).collect();
                let body = block.body.span().moved(by);
                locals = Some(Box::new(CachedLocals { body, entries }));
            }
            CachedBlock { span: block.span.moved(by), by, part, raw: Arc::new(raw), locals }
        }));
        kept
    }

    /// Returns the blocks of a file that was parsed as a whole, and the cached file if `is_kept` and there are no diagnostics.
    pub(crate) fn whole(
        &mut self,
        text: &Arc<str>,
        body: &Body,
        is_kept: bool,
        out: &mut Diagnostics,
    ) -> (Vec<Arc<RawBlock>>, Option<CachedFile>) {
        let found = out.len();
        let raws = self.blocks(body, out);
        if !is_kept || out.len() > found || !matches!(body, Body::Native(_)) {
            return (raws.into_iter().map(Arc::new).collect(), None);
        }
        let items = self.parts(body.file(), body, raws, 0);
        let blocks = items.iter().map(|item| item.raw.clone()).collect();
        (blocks, Some(CachedFile { text: text.clone(), items, rows: self.rows }))
    }

    /// Returns the blocks of a new text of a cached file; `None` if the texts differ too much or the changed lines have
    /// diagnostics.
    pub(crate) fn again(
        &mut self,
        mut kept: CachedFile,
        text: &Arc<str>,
        file: FileId,
    ) -> Option<(Vec<Arc<RawBlock>>, CachedFile)> {
        if !std::ptr::eq(kept.rows, self.rows) {
            return None;
        }
        if *kept.text != **text {
            let spans: Vec<Span> = kept.items.iter().map(|item| item.span).collect();
            let whole = Span::new(0, kept.text.len() as u32);
            let found = change(&kept.text, &spans, whole, text)?;
            let inner = spans.len() - found.after == found.before + 1;
            let done = inner && self.entries(&mut kept, found.before, text, file).is_some();
            if !done {
                self.replace(&mut kept, &found, text, file)?;
            }
            kept.text = text.clone();
        }
        for item in &kept.items {
            self.sources.move_part(item.part, file, item.by);
            for entry in item.locals.iter().flat_map(|locals| &locals.entries) {
                self.sources.move_part(entry.part, file, entry.by);
            }
        }
        Some((kept.items.iter().map(|item| item.raw.clone()).collect(), kept))
    }

    /// Parses the changed lines and inserts their blocks between the unchanged ones.
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
        let made = self.parts(file, &body, raws, found.lines.start as i32);
        let end = kept.items.len() - found.after;
        kept.items[end..].iter_mut().for_each(|item| item.shift(found.by));
        kept.items.splice(found.before..end, made);
        Some(())
    }

    /// Parses the changed lines inside of one `locals` block.
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
        // What follows a brace in its line has to end there.
        let around = if found.before == 0 { "locals {" } else { "locals {\n" };
        let (body, raws) = self.sound(&format!("{around}{lines}}}"), file)?;
        let by = found.lines.start as i32 - around.len() as i32;
        let [made] = <[CachedBlock; 1]>::try_from(self.parts(file, &body, raws, by)).ok()?;
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
        locals.entries.splice(found.before..end, made_locals.entries);
        locals.body.end = locals.body.end.saturating_add_signed(found.by);
        item.span.end = item.span.end.saturating_add_signed(found.by);
        kept.items[at + 1..].iter_mut().for_each(|item| item.shift(found.by));
        Some(())
    }
}

impl CachedBlock {
    /// Moves the block's spans by an offset.
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
    /// Moves the argument's span by an offset.
    fn shift(&mut self, by: i32) {
        self.span = self.span.moved(by);
        self.by += by;
    }
}

/// Declarations of one kind, by the part that each was read from.
pub(crate) struct ByPart<T>(FxHashMap<FileId, Arc<T>>);

impl<T> Default for ByPart<T> {
    fn default() -> ByPart<T> {
        ByPart(FxHashMap::default())
    }
}

impl<T> ByPart<T> {
    /// Collects the declarations outside of distrusted parts.
    fn of(
        all: &[Arc<T>],
        part: impl Fn(&T) -> FileId,
        distrusted: &FxHashSet<FileId>,
    ) -> ByPart<T> {
        let known = all.iter().map(|one| (part(one), one.clone()));
        let trusted = known.filter(|(part, _)| part.is_part() && !distrusted.contains(part));
        ByPart(trusted.collect())
    }

    /// Returns the declaration of a part, or else reads it.
    pub(crate) fn take_or(&self, part: FileId, read: impl FnOnce() -> T) -> Arc<T> {
        self.0.get(&part).cloned().unwrap_or_else(|| Arc::new(read()))
    }
}

/// Declarations of an older module of the same directory, read with the same settings.
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
    /// Returns the reusable declarations of an old module, given the new settings. Parts in `distrusted` have diagnostics.
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

    /// Returns the parts with diagnostics.
    pub(crate) fn into_distrusted(self) -> FxHashSet<FileId> {
        self.distrusted
    }

    /// Marks a part to be read again next time.
    pub(crate) fn distrust(&mut self, part: FileId) {
        self.distrusted.insert(part);
    }

    /// Marks parts to be read again next time.
    pub(crate) fn distrust_all(&mut self, parts: FxHashSet<FileId>) {
        self.distrusted.extend(parts);
    }

    /// Returns the index of names of the old module if the new one has equal names: then resolved references stay valid.
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

/// Returns the name and multiplicity of a module call.
pub(crate) fn called(call: &Arc<ModuleCall>) -> (&Str, Multiplicity) {
    (&call.name, Multiplicity::of(&call.repetition))
}

/// Returns the types and names of the actions that a resource triggers.
fn triggered(resource: &Resource) -> impl Iterator<Item = (&Str, &Str)> {
    named(resource).map(|action| (&action.kind, &action.name))
}

/// Returns true if references to both resources resolve equally.
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
