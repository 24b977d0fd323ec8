//! What one load keeps for the next: the blocks of files that were read without a finding, each a part of its file, and
//! the declarations made of them. A declaration is kept for the part it was read from; places in it move with the part.

use std::sync::Arc;

use groma_folder::{Argument, BlockRow, Raw, Reader};
use groma_runtime::Edition;
use groma_syntax::{Body, Change, Diagnostics, FileId, Item, Sources, Span, change, parse_file};
use groma_value::Str;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::declare::{Call, Local, Module, Output, Resource, Variable};
use crate::resolve::{Names, Shape};

/// What is kept of every directory, by its path.
#[derive(Default)]
pub struct Kept {
    directories: FxHashMap<String, Directory>,
}

impl Kept {
    /// What is kept of a directory, to be replaced when it is read again.
    pub(crate) fn take(&mut self, dir: &str) -> Directory {
        self.directories.remove(dir).unwrap_or_default()
    }

    pub(crate) fn keep(&mut self, dir: &str, directory: Directory) {
        self.directories.insert(dir.to_owned(), directory);
    }
}

/// What is kept of one directory.
#[derive(Default)]
pub(crate) struct Directory {
    pub(crate) files: FxHashMap<String, File>,
    pub(crate) module: Option<Arc<Module>>,
    /// The names and numbers of the files that the module was read from, and whether nothing was found in it.
    pub(crate) read_from: Vec<(String, FileId)>,
    pub(crate) is_clean: bool,
    /// Parts of files in whose declarations something was found: they are read again.
    pub(crate) distrusted: FxHashSet<FileId>,
}

/// A file whose blocks were read without a finding.
pub(crate) struct File {
    text: Arc<str>,
    items: Vec<Part>,
    rows: &'static [BlockRow],
}

/// One block of a file.
struct Part {
    /// Where it stands.
    span: Span,
    /// How far that is from where it was read.
    by: i32,
    part: FileId,
    raw: Arc<Raw>,
    /// What stands between its braces, and the arguments there: of a block of local values, each of which is a part.
    body: Span,
    entries: Vec<Entry>,
}

/// An argument that is a part of its own.
struct Entry {
    span: Span,
    by: i32,
    part: FileId,
}

/// How a file is read.
pub(crate) struct Reading<'a> {
    pub(crate) edition: Edition,
    pub(crate) rows: &'static [BlockRow],
    pub(crate) in_own_file: bool,
    pub(crate) whose: &'static str,
    pub(crate) elsewhere: fn(&str, Edition) -> &'static str,
    pub(crate) sources: &'a mut Sources,
}

impl Reading<'_> {
    fn blocks(&mut self, body: &Body, out: &mut Diagnostics) -> Vec<Raw> {
        let mut reader = Reader {
            edition: self.edition,
            file: body.file(),
            in_own_file: self.in_own_file,
            is_override: false,
            whose: self.whose,
            elsewhere: self.elsewhere,
            out,
        };
        reader.file(body, self.rows)
    }

    /// The blocks of a body as parts of `file`, which begins `by` bytes before the text of the body.
    fn parts(&mut self, file: FileId, body: &Body, raws: Vec<Raw>, by: i32) -> Option<Vec<Part>> {
        let items = body.items();
        if items.len() != raws.len() {
            return None;
        }
        let read = items.into_iter().zip(raws).map(|(item, raw)| {
            let Item::Block(block) = item else { return None };
            let part = self.sources.part(file, by);
            let mut raw = raw.numbered(part);
            let mut entries = Vec::new();
            if &*raw.kind == "locals" {
                let own = |argument: Argument| {
                    let part = self.sources.part(file, by);
                    entries.push(Entry { span: argument.place.span.moved(by), by, part });
                    argument.numbered(part)
                };
                raw.arguments = std::mem::take(&mut raw.arguments).into_iter().map(own).collect();
            }
            let (span, body) = (block.span.moved(by), block.body.span().moved(by));
            Some(Part { span, by, part, raw: Arc::new(raw), body, entries })
        });
        read.collect()
    }

    /// The blocks of a file that was parsed as a whole, to be kept if nothing was found in it.
    pub(crate) fn whole(
        &mut self,
        text: &Arc<str>,
        body: &Body,
        is_kept: bool,
        out: &mut Diagnostics,
    ) -> (Vec<Arc<Raw>>, Option<File>) {
        let found = out.len();
        let raws = self.blocks(body, out);
        if !is_kept || out.len() > found || !matches!(body, Body::Native(_)) {
            return (raws.into_iter().map(Arc::new).collect(), None);
        }
        match self.parts(body.file(), body, raws.clone(), 0) {
            Some(items) => {
                let blocks = items.iter().map(|item| item.raw.clone()).collect();
                (blocks, Some(File { text: text.clone(), items, rows: self.rows }))
            }
            None => (raws.into_iter().map(Arc::new).collect(), None),
        }
    }

    /// The blocks of a file of which an older text is kept; nothing where the two have too little in common, or
    /// something is wrong with what is new.
    pub(crate) fn again(
        &mut self,
        mut kept: File,
        text: &Arc<str>,
        file: FileId,
    ) -> Option<(Vec<Arc<Raw>>, File)> {
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
            for entry in &item.entries {
                self.sources.move_part(entry.part, file, entry.by);
            }
        }
        Some((kept.items.iter().map(|item| item.raw.clone()).collect(), kept))
    }

    /// Reads the lines that changed and puts their blocks between those that did not.
    fn replace(&mut self, kept: &mut File, found: &Change, text: &str, file: FileId) -> Option<()> {
        let lines = found.lines.of(text);
        if lines.starts_with('\u{feff}') && found.lines.start > 0 {
            return None;
        }
        let parse = parse_file(&lines.into(), file);
        let mut out = Diagnostics::new();
        let body = Body::of(&parse);
        let raws = self.blocks(&body, &mut out);
        if !parse.diagnostics.is_empty() || !out.is_empty() {
            return None;
        }
        let made = self.parts(file, &body, raws, found.lines.start as i32)?;
        let end = kept.items.len() - found.after;
        kept.items[end..].iter_mut().for_each(|item| item.shift(found.by));
        kept.items.splice(found.before..end, made);
        Some(())
    }

    /// The same inside of one block of local values.
    fn entries(&mut self, kept: &mut File, at: usize, text: &str, file: FileId) -> Option<()> {
        const AROUND: &str = "locals {";
        let item = &kept.items[at];
        if &*item.raw.kind != "locals" || item.raw.overridden.is_some() {
            return None;
        }
        let spans: Vec<Span> = item.entries.iter().map(|entry| entry.span).collect();
        let found = change(&kept.text, &spans, item.body, text)?;
        let lines = found.lines.of(text);
        let parse = parse_file(&format!("{AROUND}{lines}}}").into(), file);
        let mut out = Diagnostics::new();
        let body = Body::of(&parse);
        let raws = self.blocks(&body, &mut out);
        if !parse.diagnostics.is_empty() || !out.is_empty() {
            return None;
        }
        let by = found.lines.start as i32 - AROUND.len() as i32;
        let [made] = <[Part; 1]>::try_from(self.parts(file, &body, raws, by)?).ok()?;
        // A brace among the lines would end the block there.
        if made.span.len() as usize != AROUND.len() + lines.len() + 1 {
            return None;
        }
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
        item.entries[end..].iter_mut().for_each(|entry| entry.shift(found.by));
        item.entries.splice(found.before..end, made.entries);
        item.span.end = item.span.end.saturating_add_signed(found.by);
        item.body.end = item.body.end.saturating_add_signed(found.by);
        kept.items[at + 1..].iter_mut().for_each(|item| item.shift(found.by));
        Some(())
    }
}

impl Part {
    fn shift(&mut self, by: i32) {
        self.span = self.span.moved(by);
        self.body = self.body.moved(by);
        self.by += by;
        self.entries.iter_mut().for_each(|entry| entry.shift(by));
    }
}

impl Entry {
    fn shift(&mut self, by: i32) {
        self.span = self.span.moved(by);
        self.by += by;
    }
}

/// Declarations of an older module of the same directory, by the parts that they were read from.
#[derive(Default)]
pub struct Reuse {
    old: Option<Arc<Module>>,
    known: FxHashMap<FileId, Declared>,
    /// Whether the old module was read with the same settings.
    same_settings: bool,
    distrusted: FxHashSet<FileId>,
}

#[derive(Clone, Copy)]
enum Declared {
    Variable(u32),
    Local(u32),
    Output(u32),
    Call(u32),
    Resource(u32),
}

impl Reuse {
    /// What can be taken from an old module.
    pub(crate) fn of(old: Option<Arc<Module>>, distrusted: &FxHashSet<FileId>) -> Reuse {
        let mut known = FxHashMap::default();
        if let Some(module) = &old {
            let count = module.locals.len() + module.resources.len() + module.variables.len();
            known.reserve(count + module.outputs.len() + module.calls.len());
            let mut add = |file: FileId, declared| {
                if file.is_part() && !distrusted.contains(&file) {
                    known.insert(file, declared);
                }
            };
            for (at, one) in module.variables.iter().enumerate() {
                add(one.place.file, Declared::Variable(at as u32));
            }
            for (at, one) in module.locals.iter().enumerate() {
                add(one.place.file, Declared::Local(at as u32));
            }
            for (at, one) in module.outputs.iter().enumerate() {
                add(one.place.file, Declared::Output(at as u32));
            }
            for (at, one) in module.calls.iter().enumerate() {
                add(one.place.file, Declared::Call(at as u32));
            }
            for (at, one) in module.resources.iter().enumerate() {
                add(one.place.file, Declared::Resource(at as u32));
            }
        }
        Reuse { old, known, same_settings: false, distrusted: FxHashSet::default() }
    }

    /// Parts in which something was found.
    pub(crate) fn into_distrusted(self) -> FxHashSet<FileId> {
        self.distrusted
    }

    /// What the new module is read with.
    pub(crate) fn begin<'r>(&mut self, settings: impl Iterator<Item = &'r Arc<Raw>>) {
        let Some(old) = &self.old else { return };
        let mut known = old.settings.blocks.iter();
        let mut settings = settings;
        self.same_settings = loop {
            match (known.next(), settings.next()) {
                (Some(a), Some(b)) if Arc::ptr_eq(a, b) => {}
                (None, None) => break true,
                _ => break false,
            }
        };
    }

    /// Says that a part is to be read again the next time.
    pub(crate) fn distrust(&mut self, part: FileId) {
        self.distrusted.insert(part);
    }

    /// The same of several.
    pub(crate) fn distrust_all(&mut self, parts: FxHashSet<FileId>) {
        self.distrusted.extend(parts);
    }

    fn find(&self, part: FileId) -> Option<(&Module, Declared)> {
        let old = self.old.as_ref().filter(|_| self.same_settings)?;
        Some((old, *self.known.get(&part)?))
    }

    pub(crate) fn variable(&self, part: FileId) -> Option<Arc<Variable>> {
        match self.find(part)? {
            (old, Declared::Variable(at)) => old.variables.get(at as usize).cloned(),
            _ => None,
        }
    }

    pub(crate) fn local(&self, part: FileId) -> Option<Arc<Local>> {
        match self.find(part)? {
            (old, Declared::Local(at)) => old.locals.get(at as usize).cloned(),
            _ => None,
        }
    }

    pub(crate) fn output(&self, part: FileId) -> Option<Arc<Output>> {
        match self.find(part)? {
            (old, Declared::Output(at)) => old.outputs.get(at as usize).cloned(),
            _ => None,
        }
    }

    pub(crate) fn call(&self, part: FileId) -> Option<Arc<Call>> {
        match self.find(part)? {
            (old, Declared::Call(at)) => old.calls.get(at as usize).cloned(),
            _ => None,
        }
    }

    pub(crate) fn resource(&self, part: FileId) -> Option<Arc<Resource>> {
        match self.find(part)? {
            (old, Declared::Resource(at)) => old.resources.get(at as usize).cloned(),
            _ => None,
        }
    }

    /// The names of the old module, if the new one has the same: references resolved among them still hold.
    pub(crate) fn names_of(&self, new: &Module) -> Option<Arc<Names>> {
        let old = self.old.as_ref().filter(|_| self.same_settings)?;
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

fn called(call: &Arc<Call>) -> (&Str, Shape) {
    (&call.name, Shape::of(&call.repetition))
}

/// Whether references to the one mean what they mean to the other.
fn is_alike(old: &Arc<Resource>, new: &Arc<Resource>) -> bool {
    Arc::ptr_eq(old, new)
        || (old.mode, &old.kind, &old.name, &old.check)
            == (new.mode, &new.kind, &new.name, &new.check)
            && Shape::of(&old.repetition) == Shape::of(&new.repetition)
            && match (old.block(), new.block()) {
                (Some(old), Some(new)) => Arc::ptr_eq(&old, &new),
                (None, None) => true,
                _ => false,
            }
}
