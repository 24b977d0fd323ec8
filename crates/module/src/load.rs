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
use rustc_hash::FxHashSet;

use crate::amend::SoundModule;
use crate::codes;
use crate::declare;
use crate::declare::Module;
use crate::dialect::{Conventions, MODULE, QUERY};
use crate::gather::{gather, is_settings};
use crate::kept_load::{ChosenFile, EarlierReading};
use crate::module_cache::ModuleCache;
use crate::parsed::ParsedFiles;
use crate::reuse::{FileReading, ModuleReuse};
use crate::schema::ProviderSchemas;
use crate::shared_modules::SharedModules;

/// Returns the hint that blocks of a kind belong in a query file, if only query files may contain them; empty for other kinds.
pub(crate) fn elsewhere(kind: &str, edition: Edition) -> &'static str {
    let is_in = |rows: &[BlockRow]| {
        rows.iter().any(|row| row.kind == kind && row.editions.includes(edition))
    };
    match is_in(QUERY) && !is_in(MODULE) {
        true => " It belongs in a query file, whose name ends with .tfquery.hcl.",
        false => "",
    }
}

/// A loader of the directories of one project: reads and parses their files and declares their blocks.
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
    /// Loads the module in the directory `dir`, given the names of all files in it.
    pub fn load(&mut self, dir: &str, names: &[String], out: &mut Diagnostics) -> Arc<Module> {
        if !self.edition.dialect.has_modules() {
            let detail = "A Packer template has no modules, resources or outputs, so this command does not apply to it.";
            out.push(Diagnostic::error(&codes::PACKER_TEMPLATE, detail));
            return Arc::default();
        }
        if !self.queries
            && let Some(shared) = self.shared
            && let Some(module) = shared.find(
                (dir, self.edition),
                self.schemas,
                &self.constants.budget,
                self.late,
                out,
            )
        {
            return module;
        }
        let all = || names.iter().map(String::as_str);
        let mut chosen: Vec<ChosenFile> = Vec::new();
        let own = groma_config::select(all(), self.edition.dialect).into_iter();
        chosen.extend(own.map(|file| (file, MODULE, "a module's files")));
        if self.queries {
            let queries = groma_config::queries(all()).into_iter();
            chosen.extend(queries.map(|file| (file, QUERY, "a query file")));
        }
        let newer = self.edition.is_newer_than_known();
        for name in groma_config::unfamiliar(all().filter(|_| newer)) {
            let detail = format!("Files named like {} are not read.", path::join(dir, name));
            out.extend(news::note(detail, self.edition));
        }
        let gatherer = declare::DeclarationReader {
            library: FunctionLibrary::of(self.edition),
            conventions: Conventions::of(self.edition),
            constants: self.constants,
            schemas: self.schemas,
        };
        // Changes by override files involve several files at once.
        let may_keep = !chosen.iter().any(|(file, ..)| file.is_override);
        let kept = may_keep.then(|| self.load_kept(dir, &chosen, &gatherer, out)).flatten();
        let module = match kept {
            Some(module) => module,
            None => self.load_whole(dir, chosen, &gatherer, out),
        };
        // The default is source code, but the value of a sensitive variable must be hidden.
        for variable in module.variables.iter().filter(|variable| variable.is_hidden()) {
            if let Some(place) = variable.default_place {
                self.sources.withhold(place);
            }
        }
        module
    }

    /// Loads the files `chosen` of a directory as a module, without keeping their blocks for the next load.
    fn load_whole(
        &mut self,
        dir: &str,
        chosen: Vec<ChosenFile>,
        gatherer: &declare::DeclarationReader<'_>,
        out: &mut Diagnostics,
    ) -> Arc<Module> {
        let budget = &self.constants.budget;
        let mut files = Vec::new();
        let mut base = Vec::new();
        let mut overrides = Vec::new();
        for (file, rows, whose) in chosen {
            let shown = path::join(dir, &file.name);
            let tree = self.parsed.take(&shown);
            let known = tree.as_ref().map(|tree| tree.text());
            let Some((id, text)) = read_known(self.host, self.sources, &shown, known, out) else {
                continue;
            };
            let tree = tree.filter(|tree| Arc::ptr_eq(tree.text(), &text));
            let parsed = parse(budget, &shown, &file, (id, &text, tree), out);
            let Some(body) = parsed else { continue };
            files.push(id);
            let edition = self.edition;
            let (in_own_file, is_override) = (file.is_tofu, file.is_override);
            let reading = FileReading { edition, rows, in_own_file, is_override, whose, elsewhere };
            let blocks = reading.blocks(&body, out);
            match is_override {
                true => overrides.extend(blocks),
                false => base.extend(blocks.into_iter().map(Arc::new)),
            }
        }
        self.declared(files, (base, overrides), gatherer, None, out).0
    }

    /// Builds the module that blocks declare, after merging override files; returns it, a `SoundModule` of it if there is no
    /// diagnostic, and the parts with diagnostics. Declarations of an older module are taken where its blocks are unchanged.
    pub(crate) fn declared(
        &mut self,
        files: Vec<FileId>,
        (base, overrides): (Vec<Arc<RawBlock>>, Vec<RawBlock>),
        gatherer: &declare::DeclarationReader<'_>,
        before: Option<EarlierReading>,
        out: &mut Diagnostics,
    ) -> (Arc<Module>, Option<SoundModule>, FxHashSet<FileId>) {
        crate::check::check_overrides(&overrides, out);
        let mut blocks = crate::merge::merge(base, overrides, self.edition, out);
        crate::check::apply(&blocks, gatherer, out);
        let mut before = before.unwrap_or_default();
        let sound = before.sound.take();
        let amended = sound.as_ref().and_then(|old| old.amended(&files, &blocks, gatherer));
        let (module, is_sound, distrusted) = match amended {
            Some(module) => (module, true, before.distrusted),
            None => {
                let found = out.len() + self.late.len();
                let settings = blocks.iter().filter(|raw| is_settings(raw));
                let mut reuse = ModuleReuse::of(before.module.take(), settings, &before.distrusted);
                let all = match self.kept.is_some() {
                    true => blocks.clone(),
                    false => std::mem::take(&mut blocks),
                };
                let module = gather(files, all, gatherer, &mut reuse, self.late, out);
                let is_sound = out.len() + self.late.len() == found;
                (Arc::new(module), is_sound, reuse.into_distrusted())
            }
        };
        let blocks = blocks.into_boxed_slice();
        let sound = is_sound.then(|| SoundModule { module: module.clone(), blocks });
        (module, sound, distrusted)
    }

    /// Reads and parses the file at the path `shown`; returns its id and body, or `None` if it cannot be read or the budget
    /// does not allow it, which is reported.
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

/// Returns the body of the file at the path `shown`, from its text in the syntax that `file` states, or from `tree` if it
/// has been parsed already; `None` if the budget does not allow it, which is reported.
pub(crate) fn parse(
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

/// Returns the syntax errors of a file, turning into notes those that may only be consequences of an earlier error: after it the
/// parser may have continued at a wrong position.
fn without_consequences(mut found: Vec<Diagnostic>, text: &str) -> Vec<Diagnostic> {
    /// Syntax errors after which the parser is sure to continue at the right position, so that later errors stay errors.
    static HARMLESS: [&DiagnosticCode; 3] =
        [&syntax::DUPLICATE_ARGUMENT, &syntax::INCOMPLETE_CONDITIONAL, &syntax::INVALID_ESCAPE];
    /// Syntax errors about a missing token, which become notes after an earlier error because they may be its consequences.
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
