//! Loading of a directory as a module: its files are selected, read, parsed, merged and declared. An unreadable file is
//! reported, and the others are loaded all the same.

use std::sync::Arc;

use groma_config::{
    BlockRow, FileSyntax, MemoryCharge, ModuleFile, RawBlock, path, read_known, read_text,
};
use groma_eval::{Context, news};
use groma_functions::FunctionLibrary;
use groma_runtime::{Budget, Edition, Host};
use groma_syntax::codes as syntax;
use groma_syntax::{
    Body, Diagnostic, DiagnosticCode, Diagnostics, FileId, Parse, Severity, Sources, Tree,
    parse_file, parse_json,
};

use crate::amend::SoundModule;
use crate::codes;
use crate::declare;
use crate::declare::Module;
use crate::dialect::{Conventions, MODULE, QUERY};
use crate::gather::{gather, is_settings};
use crate::parsed::ParsedFiles;
use crate::reuse::{CachedDirectory, FileReading, ModuleCache, ModuleReuse};
use crate::schema::ProviderSchemas;
use crate::shared_modules::SharedModules;

/// Returns a phrase for the place where a block kind that is not valid in module files belongs.
fn elsewhere(kind: &str, edition: Edition) -> &'static str {
    let is_in = |rows: &[BlockRow]| {
        rows.iter().any(|row| row.kind == kind && row.editions.includes(edition))
    };
    match is_in(QUERY) && !is_in(MODULE) {
        true => " It belongs in a query file, whose name ends with .tfquery.hcl.",
        false => "",
    }
}

/// A file of a module, the rows that its blocks are checked against, and a phrase for files of its kind.
type ChosenFile = (ModuleFile, &'static [BlockRow], &'static str);

/// The blocks of a directory's files, before override files are merged.
#[derive(Default)]
struct ReadBlocks {
    files: Vec<FileId>,
    base: Vec<Arc<RawBlock>>,
    overrides: Vec<RawBlock>,
}

/// A loader of the directories of one project.
pub struct ModuleLoader<'a> {
    /// The host that reads files.
    pub host: &'a dyn Host,
    /// The edition whose rows apply.
    pub edition: Edition,
    /// The context for evaluating constants.
    pub constants: &'a Context,
    /// The schemas of providers.
    pub schemas: &'a ProviderSchemas,
    /// Every text that has been read.
    pub sources: &'a mut Sources,
    /// True if query files belong to the module.
    pub queries: bool,
    /// The cache of an earlier load, which this one fills for the next.
    pub kept: Option<&'a mut ModuleCache>,
    /// Modules shared with other projects.
    pub shared: Option<&'a SharedModules>,
    /// Files that are parsed already.
    pub parsed: &'a ParsedFiles,
    /// Diagnostics that are reported only if there are no other errors.
    pub late: &'a mut Diagnostics,
}

impl ModuleLoader<'_> {
    /// Loads the module in the directory `dir` with these file names.
    pub fn load(&mut self, dir: &str, names: &[String], out: &mut Diagnostics) -> Arc<Module> {
        if !self.edition.dialect.has_modules() {
            let detail = "A Packer template has no modules, resources or outputs, so this command does not apply to it.";
            out.push(Diagnostic::error(&codes::PACKER_TEMPLATE, detail));
            return Arc::default();
        }
        if !self.queries
            && let Some(shared) = self.shared
            && let Some(module) = shared.find(dir, self.edition, self.schemas, self.late, out)
        {
            return module;
        }
        let chosen = self.chosen(dir, names, out);
        // Changes by override files involve several files at once.
        let may_keep = !chosen.iter().any(|(file, ..)| file.is_override);
        let mut before = match &mut self.kept {
            Some(kept) if may_keep => kept.take(dir),
            _ => CachedDirectory::default(),
        };
        let mut now = CachedDirectory::default();
        let is_kept = may_keep && self.kept.is_some();
        let read = self.read_blocks(dir, chosen, (&mut before, &mut now, is_kept), out);
        let ReadBlocks { files, base, overrides } = read;
        crate::check::check_overrides(&overrides, out);
        let blocks = crate::merge::merge(base, overrides, self.edition, out);
        let gatherer = declare::DeclarationReader {
            library: FunctionLibrary::of(self.edition),
            conventions: Conventions::of(self.edition),
            constants: self.constants,
            schemas: self.schemas,
        };
        crate::check::apply(&blocks, &gatherer, out);
        let module = self.declared(files, blocks, &gatherer, (before, &mut now), out);
        self.withhold_defaults(&module);
        if let Some(kept) = self.kept.as_mut().filter(|_| may_keep) {
            now.module = Some(module.clone());
            kept.keep(dir, now);
        }
        module
    }

    /// Returns the files of a directory that belong to the module, and reports names that only a newer edition may know.
    fn chosen(&self, dir: &str, names: &[String], out: &mut Diagnostics) -> Vec<ChosenFile> {
        let all = || names.iter().map(String::as_str);
        let own = groma_config::select(all(), self.edition.dialect).into_iter();
        let mut chosen: Vec<ChosenFile> =
            own.map(|file| (file, MODULE, "a module's files")).collect();
        if self.queries {
            let queries = groma_config::queries(all()).into_iter();
            chosen.extend(queries.map(|file| (file, QUERY, "a query file")));
        }
        let newer = self.edition.is_newer_than_known();
        for name in groma_config::unfamiliar(all().filter(|_| newer)) {
            let detail = format!("Files named like {} are not read.", path::join(dir, name));
            out.extend(news::note(detail, self.edition));
        }
        chosen
    }

    /// Reads the blocks of files, those of unchanged files from the cache `before`. Stores the others in `now` if `is_kept`.
    fn read_blocks(
        &mut self,
        dir: &str,
        chosen: Vec<ChosenFile>,
        (before, now, is_kept): (&mut CachedDirectory, &mut CachedDirectory, bool),
        out: &mut Diagnostics,
    ) -> ReadBlocks {
        let budget = &self.constants.budget;
        let mut read = ReadBlocks::default();
        for (file, rows, whose) in chosen {
            let shown = path::join(dir, &file.name);
            let tree = self.parsed.take(&shown);
            let known = tree.as_ref().map(|tree| tree.text());
            let Some((id, text)) = read_known(self.host, self.sources, &shown, known, out) else {
                continue;
            };
            let older = before.files.remove(&shown);
            let mut reading = FileReading {
                edition: self.edition,
                rows,
                in_own_file: file.is_tofu,
                is_override: file.is_override,
                whose,
                elsewhere,
                sources: self.sources,
            };
            if let Some((blocks, kept)) = older.and_then(|older| reading.again(older, &text, id)) {
                read.files.push(id);
                read.base.extend(blocks);
                now.files.insert(shown, kept);
                continue;
            }
            let found = out.len();
            let tree = tree.filter(|tree| Arc::ptr_eq(tree.text(), &text));
            let parsed = parse(budget, &shown, &file, (id, &text, tree), out);
            let Some(body) = parsed else { continue };
            read.files.push(id);
            if file.is_override {
                read.overrides.extend(reading.blocks(&body, out));
                continue;
            }
            let is_kept = is_kept && out.len() == found;
            let (blocks, kept) = reading.whole(&text, &body, is_kept, out);
            read.base.extend(blocks);
            now.files.extend(kept.map(|kept| (shown, kept)));
        }
        read
    }

    /// Hides the defaults of sensitive variables in the sources, so that no excerpt of the code shows them.
    fn withhold_defaults(&mut self, module: &Module) {
        for variable in module.variables.iter().filter(|variable| variable.is_hidden()) {
            if let Some(place) = variable.default_place {
                self.sources.withhold(place);
            }
        }
    }

    /// Returns the module that blocks declare, after an older one, and stores what the next load can reuse.
    fn declared(
        &mut self,
        files: Vec<FileId>,
        mut blocks: Vec<Arc<RawBlock>>,
        gatherer: &declare::DeclarationReader<'_>,
        (mut before, now): (CachedDirectory, &mut CachedDirectory),
        out: &mut Diagnostics,
    ) -> Arc<Module> {
        let sound = before.sound.take();
        let amended = sound.as_ref().and_then(|old| old.amended(&files, &blocks, gatherer));
        let (module, is_sound) = match amended {
            Some(module) => {
                now.distrusted = before.distrusted;
                (module, true)
            }
            None => {
                let found = out.len() + self.late.len();
                let settings = blocks.iter().filter(|raw| is_settings(raw));
                let mut reuse = ModuleReuse::of(before.module.take(), settings, &before.distrusted);
                let all = match self.kept.is_some() {
                    true => blocks.clone(),
                    false => std::mem::take(&mut blocks),
                };
                let module = gather(files, all, gatherer, &mut reuse, self.late, out);
                now.distrusted = reuse.into_distrusted();
                (Arc::new(module), out.len() + self.late.len() == found)
            }
        };
        let blocks = blocks.into_boxed_slice();
        now.sound = is_sound.then(|| SoundModule { module: module.clone(), blocks });
        module
    }

    /// Reads and parses a file; returns its id and body.
    pub(crate) fn read(
        &mut self,
        shown: &str,
        file: &ModuleFile,
        out: &mut Diagnostics,
    ) -> Option<(FileId, Body)> {
        let (id, text) = read_text(self.host, self.sources, shown, out)?;
        Some((id, parse(&self.constants.budget, shown, file, (id, &text, None), out)?))
    }
}

/// Parses the text of a file, unless there is a tree already; `None` if the budget does not allow it.
fn parse(
    budget: &Budget,
    shown: &str,
    file: &ModuleFile,
    (id, text, tree): (FileId, &Arc<str>, Option<Arc<Tree>>),
    out: &mut Diagnostics,
) -> Option<Body> {
    let room = MemoryCharge { budget, shown };
    if !room.for_tree(text, out) {
        return None;
    }
    let (body, diagnostics) = match file.spelling {
        FileSyntax::Native => {
            let parse = match tree {
                Some(tree) => Parse { tree, diagnostics: Vec::new(), file: id },
                None => parse_file(text, id),
            };
            (Body::of(&parse), without_consequences(parse.diagnostics, text))
        }
        FileSyntax::Json => {
            let parse = parse_json(text, id);
            (Body::json(&parse), parse.diagnostics)
        }
    };
    out.extend(diagnostics);
    Some(body)
}

/// Returns the syntax errors of a file, with possibly consequential ones turned into notes: after an error the parser may have
/// lost its position.
fn without_consequences(mut found: Vec<Diagnostic>, text: &str) -> Vec<Diagnostic> {
    /// Errors that do not affect the parser's position.
    static HARMLESS: [&DiagnosticCode; 3] =
        [&syntax::DUPLICATE_ARGUMENT, &syntax::INCOMPLETE_CONDITIONAL, &syntax::INVALID_ESCAPE];
    /// Errors about a missing token.
    static MISSED: [&DiagnosticCode; 11] = [
        &syntax::INVALID_OBJECT_ITEM,
        &syntax::MISSING_COMMA,
        &syntax::MISSING_EXPRESSION,
        &syntax::MISSING_LINE_END,
        &syntax::STRAY_BRACE,
        &syntax::UNCLOSED_BLOCK,
        &syntax::UNCLOSED_CALL,
        &syntax::UNCLOSED_LIST,
        &syntax::UNCLOSED_OBJECT,
        &syntax::UNCLOSED_PARENTHESIS,
        &syntax::UNCLOSED_SEQUENCE,
    ];
    found.sort_by_key(|one| one.place);
    let mut is_lost = false;
    let settled = found.into_iter().map(|mut one| {
        if one.severity != Severity::Error {
            return one;
        }
        let is_quoted = one.code == &syntax::ARGUMENT_OR_BLOCK
            && one.place.is_some_and(|place| place.span.of(text).starts_with('"'));
        if is_lost && (is_quoted || MISSED.contains(&one.code)) {
            one.severity = Severity::Note;
        }
        is_lost |= !HARMLESS.contains(&one.code);
        one
    });
    settled.collect()
}
