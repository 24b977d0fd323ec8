//! `moved` blocks of a rename: objects recorded under the old address are found under the new one. Earlier moves keep their
//! meaning: a move to the old name is continued to the new one. A move away from the new name prevents the change, unless it
//! leads to the old one; that one is reversed.

use std::collections::BTreeMap;
use std::ops::Range;

use groma_config::{FilePurpose, RawBlock};
use groma_edit::{EditRefusal, SourceText, Splice, behind};
use groma_syntax::{BodyItem, Expr};

use crate::find::NameFinder;
use crate::name_sites;
use crate::references::{ChainStep, NameLink};
use crate::subject::{DeclarationKind, RenamedDeclaration};
use crate::tree::CodeFile;

/// The edits that a rename needs in `moved` blocks: changes of existing ones, and new ones.
#[derive(Default)]
pub(crate) struct MovedEdits {
    /// The replacements of text, by file.
    pub(crate) splices: BTreeMap<String, Vec<Splice>>,
    /// The JSON files that get a `moved` block, each with its content.
    pub(crate) added: Vec<(String, String)>,
}

/// A `moved` block of the code, with the steps of its two addresses.
struct MovedBlock<'f> {
    file: &'f CodeFile,
    raw: &'f RawBlock,
    from: Vec<NameLink>,
    to: Vec<NameLink>,
}

impl NameFinder<'_> {
    /// Returns the edits of `moved` blocks that the rename needs; an error if existing blocks contradict the new name.
    pub(crate) fn moved_edits(&self) -> Result<MovedEdits, EditRefusal> {
        let mut out = MovedEdits::default();
        if !self.subject.needs_moved_block() {
            return Ok(out);
        }
        let folder = self.tree.folder(self.home);
        let files = || -> Box<dyn Iterator<Item = &CodeFile> + '_> {
            Box::new(folder.files.iter().filter(|file| file.purpose == FilePurpose::Code))
        };
        let all: Vec<MovedBlock<'_>> =
            files().flat_map(|file| file.blocks.iter().filter_map(|raw| read(file, raw))).collect();
        let subject = self.subject;
        let old = |links: &[NameLink]| steps_after_name(links, subject, &subject.old);
        let new = |links: &[NameLink]| steps_after_name(links, subject, &subject.new);
        if all.iter().any(|one| old(&one.from) == Some(0) && new(&one.to) == Some(0)) {
            return Ok(out);
        }
        if let Some(one) = all.iter().find(|one| old(&one.from) == Some(0)) {
            let place = self.place(one.file, one.raw.header.span.start as usize);
            return Err(EditRefusal(format!(
                "{} is still declared, although a moved block at {place} moves it away: remove that block first.",
                subject.address()
            )));
        }
        let refuse = |one: &MovedBlock<'_>, why: &str| {
            let place = self.place(one.file, one.raw.header.span.start as usize);
            let new = subject.new_address();
            Err(EditRefusal(format!(
                "{new} {why} before, at {place}: objects recorded under this name belong elsewhere. Remove that \
                 block once it has been applied everywhere."
            )))
        };
        // Single instances may have been moved away from an earlier declaration with the new name.
        let whole: Vec<&MovedBlock<'_>> =
            all.iter().filter(|one| new(&one.from) == Some(0)).collect();
        let is_old = |links: &[NameLink]| old(links) == Some(0);
        let way_back = match whole[..] {
            [first] if leads_to_old(first, &all, &is_old) => Some(first),
            _ => None,
        };
        let Some(first) = way_back else {
            if let Some(one) = all.iter().find(|one| new(&one.from).is_some()) {
                return refuse(one, "was moved away");
            }
            if let Some(one) = all.iter().find(|one| new(&one.to).is_some()) {
                return refuse(one, "was moved to");
            }
            return self.with_new_block(files, &all, out);
        };
        let mut write = |one: &MovedBlock<'_>, name: &str, text: String| {
            let Some(argument) = one.raw.argument(name) else { return };
            let range = inner(one.file, &argument.expr);
            out.splices.entry(one.file.path.clone()).or_default().push(Splice { range, text });
        };
        // An object that first moved to the new name follows the move that leads back to it.
        let second =
            first.raw.argument("to").map_or("", |to| &first.file.text[inner(first.file, &to.expr)]);
        for one in all.iter().filter(|one| new(&one.to).is_some()) {
            if new(&one.to) != Some(0) {
                // It moved from one instance to another before, too.
                if new(&one.from).is_some() {
                    continue;
                }
                return refuse(one, "was moved to");
            }
            write(one, "to", second.to_owned());
        }
        write(first, "from", subject.address());
        write(first, "to", subject.new_address());
        Ok(out)
    }

    /// Returns `out` with the edits that add a `moved` block from the old address to the new one to the module's `files`: after
    /// the last of `all`, the existing `moved` blocks, else after the renamed declaration.
    fn with_new_block<'f>(
        &self,
        files: impl Fn() -> Box<dyn Iterator<Item = &'f CodeFile> + 'f>,
        all: &[MovedBlock<'f>],
        mut out: MovedEdits,
    ) -> Result<MovedEdits, EditRefusal> {
        let subject = self.subject;
        let code = format!(
            "moved {{\n  from = {}\n  to   = {}\n}}",
            subject.address(),
            subject.new_address()
        );
        let others = all.iter().filter(|one| !one.file.is_json);
        let mut last: BTreeMap<&str, &MovedBlock<'_>> = BTreeMap::new();
        others.into_iter().for_each(|one| {
            last.insert(&one.file.path, one);
        });
        let of_last = last.keys().next_back().map(|path| stem(path).to_owned());
        let mut places: Vec<(&CodeFile, usize)> = Vec::new();
        for (path, one) in &last {
            if of_last.as_deref() == Some(stem(path)) {
                places.push((one.file, one.raw.header.span.start as usize));
            }
        }
        if places.is_empty() {
            for (path, span) in &self.declared {
                let is_override = stem(path).ends_with("override");
                if let Some(file) = files().find(|file| file.path == *path)
                    && !is_override
                {
                    places.push((file, span.start as usize));
                }
            }
        }
        for (file, start) in places {
            if file.is_json {
                let body = format!(
                    "{{\n  from = {}\n  to = {}\n}}",
                    subject.address(),
                    subject.new_address()
                );
                out.added.push((file.path.clone(), body));
                continue;
            }
            let source = SourceText { name: file.path.clone(), text: file.text.clone() };
            let splice = behind(&source, end_of(file, start), &code);
            out.splices.entry(file.path.clone()).or_default().push(splice);
        }
        Ok(out)
    }
}

/// Reads a block as a `moved` block with its addresses; `None` if it is another kind of block or an address is missing.
fn read<'f>(file: &'f CodeFile, raw: &'f RawBlock) -> Option<MovedBlock<'f>> {
    if &*raw.kind != "moved" {
        return None;
    }
    let links = |name: &str| {
        let mut found = Vec::new();
        name_sites::address_of(&raw.argument(name)?.expr, &mut |links| found = links.to_vec());
        Some(found)
    };
    Some(MovedBlock { file, raw, from: links("from")?, to: links("to")? })
}

/// Returns the number of steps after the name in an address, if this is the address of the renamed declaration under `name`;
/// `None` for other addresses.
fn steps_after_name(links: &[NameLink], subject: &RenamedDeclaration, name: &str) -> Option<usize> {
    let is_name =
        |link: &NameLink, name: &str| matches!(&link.step, ChainStep::Name(own) if own == name);
    let (kind, rest) = match (&subject.kind, links) {
        (DeclarationKind::Module, rest) => ("module", rest),
        (DeclarationKind::Resource(_, kind), [first, rest @ ..]) if is_name(first, "resource") => {
            (kind.as_str(), rest)
        }
        (DeclarationKind::Resource(_, kind), rest) => (kind.as_str(), rest),
        _ => return None,
    };
    match rest {
        [first, second, rest @ ..] if is_name(first, kind) && is_name(second, name) => {
            Some(rest.len())
        }
        _ => None,
    }
}

/// Returns true if the `moved` block `first` moves objects to the old name, directly or through the moves of the blocks `all`;
/// `is_old` returns true for the steps of the address with the old name.
fn leads_to_old(
    first: &MovedBlock<'_>,
    all: &[MovedBlock<'_>],
    is_old: &dyn Fn(&[NameLink]) -> bool,
) -> bool {
    let same = |a: &[NameLink], b: &[NameLink]| {
        a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.step == b.step)
    };
    let mut at = &first.to;
    for _ in 0..=all.len() {
        if is_old(at) {
            return true;
        }
        let Some(next) = all.iter().find(|one| same(&one.from, at)) else { return false };
        at = &next.to;
    }
    false
}

/// Returns the byte range of an address in its file, without surrounding quotes.
fn inner(file: &CodeFile, expr: &Expr) -> Range<usize> {
    let span = expr.span();
    let range = span.start as usize..span.end as usize;
    match file.text.get(range.clone()) {
        Some(text) if text.len() > 1 && text.starts_with('"') => range.start + 1..range.end - 1,
        _ => range,
    }
}

/// Returns the byte offset at which the block ends that starts at the offset `start`; the end of the file if no block starts
/// there.
fn end_of(file: &CodeFile, start: usize) -> usize {
    let items = file.body.items();
    let ends = items.iter().find_map(|item| match item {
        BodyItem::Block(block) if block.span.start as usize == start => {
            Some(block.span.end as usize)
        }
        _ => None,
    });
    ends.unwrap_or(file.text.len())
}

/// Returns a file's path without `.tf`, `.tofu` and `.json` at its end.
fn stem(path: &str) -> &str {
    let path = path.strip_suffix(".json").unwrap_or(path);
    path.strip_suffix(".tf").or(path.strip_suffix(".tofu")).unwrap_or(path)
}
