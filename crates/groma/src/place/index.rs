//! Index of a snapshot's places: the module of each file, and the expressions and declarations in it by position. It is built on
//! demand, file by file, and holds positions only, no copy of any text or code.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use groma_module::Module;
use groma_module::visit::{Declaration, VisitedExpression};
use groma_project::Project;
use groma_runtime::file_path;
use groma_syntax::{FileId, Place, Span};
use rustc_hash::FxHashMap;

use crate::place::block::FileSyntax;
use crate::place::declaration::DeclarationId;
use crate::place::reference::ReferenceIndex;

/// An expression of a file: its span, and where it is found in the code of its declaration.
#[derive(Clone, Copy, Debug)]
pub(super) struct ExpressionSite {
    /// The span of the expression in its file.
    pub(super) span: Span,
    /// The declaration that contains it.
    pub(super) declaration: DeclarationId,
    /// Its index among the expressions of the declaration, in the order in which they are visited.
    number: usize,
}

/// The expressions and declarations of a file, sorted by offset.
#[derive(Debug, Default)]
pub(super) struct FileSites {
    /// The expressions, sorted by start.
    expressions: Vec<ExpressionSite>,
    /// The declarations with the span of the header, or of the argument of a local value, sorted by start.
    pub(super) declarations: Vec<(Span, DeclarationId)>,
}

impl FileSites {
    /// Returns the innermost expression of the file that an offset touches; `None` if there is none.
    pub(super) fn expression_at(&self, offset: u32) -> Option<&ExpressionSite> {
        let before = self.expressions.partition_point(|site| site.span.start <= offset);
        let touching = self.expressions[..before].iter().rev().take(EXPRESSIONS_LOOKED_AT);
        touching.filter(|site| site.span.touches(offset)).min_by_key(|site| site.span.len())
    }

    /// Returns the declaration whose header, or argument of a local value, starts at an offset; `None` if there is none.
    pub(super) fn declared_at(&self, start: u32) -> Option<DeclarationId> {
        let at = self.declarations.binary_search_by_key(&start, |(span, _)| span.start).ok()?;
        Some(self.declarations[at].1)
    }
}

/// Maximum number of expressions before an offset that are checked for containing it; only expressions in JSON are nested, and
/// not deeply.
const EXPRESSIONS_LOOKED_AT: usize = 64;

/// An index of a snapshot's files, modules, expressions and references by place, filled on demand.
pub(crate) struct PlaceIndex {
    files: FxHashMap<String, FileId>,
    /// The number of the first module that contains each file.
    modules: FxHashMap<FileId, usize>,
    /// For each module, the number of the first module with the same code.
    first: Vec<usize>,
    sites: Mutex<FxHashMap<FileId, Arc<FileSites>>>,
    syntax: Mutex<FxHashMap<FileId, Arc<FileSyntax>>>,
    references: OnceLock<ReferenceIndex>,
}

impl PlaceIndex {
    /// Creates the index of a project, with its files and modules and no expressions yet.
    pub(crate) fn of(project: &Project) -> PlaceIndex {
        let sources = project.sources();
        let files = project.files().map(|file| {
            let file = sources.file_of(file);
            (file_path::clean(sources.get(file).name()), file)
        });
        let mut known: FxHashMap<usize, usize> = FxHashMap::default();
        let mut modules = FxHashMap::default();
        let mut first = Vec::new();
        for node in project.nodes() {
            let address = Arc::as_ptr(node.module()).addr();
            first.push(*known.entry(address).or_insert(node.number()));
            for file in node.module().files() {
                modules.entry(sources.file_of(*file)).or_insert(node.number());
            }
        }
        PlaceIndex {
            files: files.collect(),
            modules,
            first,
            sites: Mutex::default(),
            syntax: Mutex::default(),
            references: OnceLock::new(),
        }
    }

    /// Returns an estimate of the bytes that the index occupies.
    pub(crate) fn held_bytes(&self) -> usize {
        let names: usize = self.files.keys().map(|name| name.len() + size_of::<String>()).sum();
        let sites = self.sites.lock().unwrap_or_else(PoisonError::into_inner);
        let sites = sites
            .values()
            .map(|sites| size_of_val(&*sites.expressions) + size_of_val(&*sites.declarations));
        names + sites.sum::<usize>()
    }

    /// Returns the file number of the file `name`; `None` if it was not read.
    pub(super) fn file(&self, name: &str) -> Option<FileId> {
        self.files.get(name).copied()
    }

    /// Returns the names of all files that were read, sorted.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        let mut all: Vec<&str> = self.files.keys().map(String::as_str).collect();
        all.sort_unstable();
        all.into_iter()
    }

    /// Returns the number of the first module that has the same code as the module `module`.
    pub(super) fn first_of(&self, module: usize) -> usize {
        self.first.get(module).copied().unwrap_or(module)
    }

    /// Iterates over the numbers of all modules that have the same code as `module`, which is the first of them.
    pub(super) fn same_as(&self, module: usize) -> impl Iterator<Item = usize> {
        let same = move |(_, first): &(usize, &usize)| **first == module;
        self.first.iter().enumerate().filter(same).map(|(number, _)| number)
    }

    /// Returns the number of the first module that a file belongs to; `None` if no module has read it.
    pub(super) fn module_of(&self, file: FileId) -> Option<usize> {
        self.modules.get(&file).copied()
    }

    /// Returns the index of the references to each declaration, built on first use.
    pub(super) fn references(&self, project: &Project) -> &ReferenceIndex {
        self.references.get_or_init(|| ReferenceIndex::of(project, self))
    }

    /// Returns the syntax of a file, parsed on first use.
    pub(super) fn syntax(&self, project: &Project, file: FileId) -> Arc<FileSyntax> {
        let known = || self.syntax.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(syntax) = known().get(&file) {
            return syntax.clone();
        }
        let source = project.sources().get(file);
        let made = Arc::new(FileSyntax::parse(source.name(), source.text(), file));
        known().entry(file).or_insert(made).clone()
    }

    /// Returns the expressions and declarations of a file, collected on first use.
    pub(super) fn sites(&self, project: &Project, file: FileId) -> Arc<FileSites> {
        let known = || self.sites.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(sites) = known().get(&file) {
            return sites.clone();
        }
        let made = Arc::new(self.read_sites(project, file));
        known().entry(file).or_insert(made).clone()
    }

    /// Collects the expressions and declarations of a file.
    fn read_sites(&self, project: &Project, file: FileId) -> FileSites {
        let mut sites = FileSites::default();
        let Some(number) = self.module_of(file) else { return sites };
        let Some(module) = module(project, number) else { return sites };
        let here = |place: Place| {
            let place = project.sources().resolve(place);
            (place.file == file).then_some(place.span)
        };
        for declaration in module.declarations() {
            let id = DeclarationId { module: number, declaration };
            if let Some(span) = here(declaration.place(module)) {
                sites.declarations.push((span, id));
            }
            let mut number = 0;
            module.visit_one(declaration, &mut |seen| {
                if let Some(span) = here(seen.expression.place()) {
                    sites.expressions.push(ExpressionSite { span, declaration: id, number });
                }
                number += 1;
            });
        }
        sites.expressions.sort_by_key(|site| site.span.start);
        sites.declarations.sort_by_key(|(span, _)| span.start);
        sites
    }
}

impl ExpressionSite {
    /// Calls `look` with this expression and returns its result; `None` if the expression is not in this project.
    pub(super) fn visit<T>(
        &self,
        project: &Project,
        mut look: impl FnMut(VisitedExpression<'_, '_>) -> T,
    ) -> Option<T> {
        let module = module(project, self.declaration.module)?;
        let (mut at, mut found) = (0, None);
        module.visit_one(self.declaration.declaration, &mut |seen| {
            if at == self.number {
                found = Some(look(seen));
            }
            at += 1;
        });
        found
    }
}

/// Returns the module with the number `number`, which is 0 for the root's; `None` if the project has fewer modules.
pub(super) fn module(project: &Project, number: usize) -> Option<&Arc<Module>> {
    project.nodes().nth(number).map(|node| node.module())
}

/// Returns the name of a declaration; `None` for an `import`, which has none.
pub(super) fn name_of(module: &Module, declaration: Declaration) -> Option<&str> {
    Some(match declaration {
        Declaration::Variable(at) => &module.variables.get(at as usize)?.name,
        Declaration::Local(at) => &module.locals.get(at as usize)?.name,
        Declaration::Call(at) => &module.calls.get(at as usize)?.name,
        Declaration::Resource(at) => &module.resources.get(at as usize)?.name,
        Declaration::Output(at) => &module.outputs.get(at as usize)?.name,
        Declaration::Check(at) => &module.checks.get(at as usize)?.name,
        Declaration::Provider(at) => &module.providers.get(at as usize)?.name,
        Declaration::Import(_) => return None,
    })
}
