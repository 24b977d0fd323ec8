//! The declarations in the files of a template: names and expressions; values come later.

mod literal;
mod origin;
mod requirement;
mod variable;

use std::sync::Arc;

use groma_config::{RawBlock, read_mocks};
use groma_eval::FunctionMocks;
use groma_functions::FunctionLibrary;
use groma_inputs::{InputCollector, Values};
use groma_runtime::{Dialect, Edition, Host, MeteredHost};
use groma_syntax::{Diagnostic, Diagnostics, Place, Sources, is_identifier};
use groma_value::Str;
use literal::DeclaredLiterals;
use rustc_hash::FxHashMap;

use crate::codes;
use crate::content::{BlockContent, NestedContent, TemplateExpression};
use crate::load::{self, TemplateFiles};
use crate::options::TemplateOptions;
use crate::template_inputs::TemplateInputs;

pub(crate) use literal::EmptyScope;
pub use origin::{DataBlock, Local, SourceBlock};
pub use requirement::Plugin;
pub(crate) use requirement::PluginRequirements;
pub use variable::Variable;

/// A local value, data block, source block or build, by its index in the template's list of its kind.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum TemplateDeclaration {
    /// An index in the local values.
    Local(usize),
    /// An index in the data blocks.
    Data(usize),
    /// An index in the source blocks outside of builds.
    Origin(usize),
    /// An index in the builds.
    Build(usize),
}

/// A loaded Packer template: its declarations, its source texts and the values given to its variables.
pub struct Template {
    pub(crate) edition: Edition,
    pub(crate) sources: Sources,
    /// The folder of the template, as given.
    pub(crate) folder: Arc<str>,
    pub(crate) host: Arc<dyn Host>,
    pub(crate) mocks: Arc<FunctionMocks>,
    /// Sorted by name.
    pub(crate) variables: Vec<Variable>,
    /// Sorted by name.
    pub(crate) locals: Vec<Local>,
    /// Sorted by type and name.
    pub(crate) data: Vec<DataBlock>,
    /// Sorted by type and name.
    pub(crate) origins: Vec<SourceBlock>,
    /// In source order.
    pub(crate) builds: Vec<NestedContent>,
    /// The registry blocks that apply to all builds.
    pub(crate) registries: Vec<NestedContent>,
    pub(crate) requirements: PluginRequirements,
    pub(crate) values: Values,
    /// Diagnostics inside of builds.
    pub(crate) late: Diagnostics,
    /// True if the files or the given values have errors.
    pub(crate) is_broken: bool,
}

impl Template {
    /// Passes every expression of a declaration to `see`. Variables are not included: their defaults are constants and their
    /// rules refer only to themselves.
    pub(crate) fn visit_one<'t>(
        &'t self,
        declaration: TemplateDeclaration,
        see: &mut dyn FnMut(&'t TemplateExpression),
    ) {
        match declaration {
            TemplateDeclaration::Local(at) => see(&self.locals[at].value),
            TemplateDeclaration::Data(at) => self.data[at].content.expressions(see),
            TemplateDeclaration::Origin(at) => self.origins[at].content.expressions(see),
            TemplateDeclaration::Build(at) => self.builds[at].content.expressions(see),
        }
    }

    /// Passes every expression of the template, with its declaration, to `see`.
    pub(crate) fn visit<'t>(
        &'t self,
        see: &mut dyn FnMut(TemplateDeclaration, &'t TemplateExpression),
    ) {
        let locals = (0..self.locals.len()).map(TemplateDeclaration::Local);
        let data = (0..self.data.len()).map(TemplateDeclaration::Data);
        let origins = (0..self.origins.len()).map(TemplateDeclaration::Origin);
        let builds = (0..self.builds.len()).map(TemplateDeclaration::Build);
        for declaration in locals.chain(data).chain(origins).chain(builds) {
            self.visit_one(declaration, &mut |expression| see(declaration, expression));
        }
    }

    /// Loads the template at `path`, a folder or a file. Diagnostics go to `out`; everything readable is loaded.
    pub fn load(
        path: &str,
        options: &TemplateOptions,
        host: Arc<dyn Host>,
        out: &mut Diagnostics,
    ) -> Arc<Template> {
        let edition = options.edition.unwrap_or_else(|| Edition::newest(Dialect::Packer));
        let errors = out.error_count();
        let host: Arc<dyn Host> = Arc::new(MeteredHost::new(host, options.budget.clone()));
        let mut sources = Sources::new();
        let mut found = Diagnostics::new();
        let files = load::load(path, edition, (&*host, &options.budget), &mut sources, &mut found);
        let (folder, names) = (files.folder.clone(), files.names.clone());
        let declared = gather(files, edition, &host, &mut found);
        // The default is source code, but the value of a sensitive variable must be hidden.
        for place in declared
            .variables
            .iter()
            .filter(|one| one.sensitive)
            .filter_map(|one| one.default_place)
        {
            sources.withhold(place);
        }
        let mut values = Values::default();
        if let Some(unmet) = declared.requirements.unmet() {
            // Code for another version has another meaning: nothing more is reported about it.
            found = std::iter::once(unmet.clone()).collect();
        } else {
            let budget = options.budget.clone();
            let inputs = TemplateInputs::new(&declared.variables, edition, budget);
            let collector = InputCollector::new(&*host, &mut sources, &inputs);
            values = collector.collect(&folder, &names, &options.assignments, &mut found);
        }
        found.sort_by_place();
        out.extend(found);
        let mocks = read_mocks(&options.mocks, None, &*host, edition, &mut sources, out);
        Arc::new(Template {
            edition,
            sources,
            folder: folder.into(),
            host,
            mocks: Arc::new(mocks.functions),
            variables: declared.variables,
            locals: declared.locals,
            data: declared.data,
            origins: declared.origins,
            builds: declared.builds,
            registries: declared.registries,
            requirements: declared.requirements,
            values,
            late: declared.late,
            is_broken: out.error_count() > errors,
        })
    }

    /// Returns every source text that was read for the template.
    pub fn sources(&self) -> &Sources {
        &self.sources
    }

    /// Returns the edition of Packer with which the template is read.
    pub fn edition(&self) -> Edition {
        self.edition
    }

    /// Returns the mocked results of functions from the mock files.
    pub fn mocks(&self) -> &Arc<FunctionMocks> {
        &self.mocks
    }

    /// Returns the folder of the template, as given: paths in file functions are relative to it.
    pub fn folder(&self) -> &Arc<str> {
        &self.folder
    }

    /// Returns the source block with this type and name; `None` if it is not declared.
    pub(crate) fn origin(&self, kind: &str, name: &str) -> Option<&SourceBlock> {
        self.origins.get(self.origin_at(kind, name)?)
    }

    /// Returns the index of the source block with this type and name; `None` if it is not declared.
    pub(crate) fn origin_at(&self, kind: &str, name: &str) -> Option<usize> {
        self.origins.binary_search_by(|one| (&*one.kind, &*one.name).cmp(&(kind, name))).ok()
    }

    /// Returns the index of the data block with this type and name; `None` if it is not declared.
    pub(crate) fn data_at(&self, kind: &str, name: &str) -> Option<usize> {
        self.data.binary_search_by(|one| (&*one.kind, &*one.name).cmp(&(kind, name))).ok()
    }
}

/// The declarations read from the blocks of a template, by kind.
#[derive(Default)]
struct DeclaredBlocks {
    variables: Vec<Variable>,
    locals: Vec<Local>,
    data: Vec<DataBlock>,
    origins: Vec<SourceBlock>,
    builds: Vec<NestedContent>,
    registries: Vec<NestedContent>,
    requirements: PluginRequirements,
    late: Diagnostics,
}

/// The source ranges of the declarations read so far, by kind and one or two names.
type Seen = FxHashMap<(&'static str, Str, Str), Place>;

/// Reads all declarations in the blocks of a template's files.
fn gather(
    files: TemplateFiles,
    edition: Edition,
    host: &Arc<dyn Host>,
    out: &mut Diagnostics,
) -> DeclaredBlocks {
    let library = FunctionLibrary::of(edition);
    let literals = DeclaredLiterals::new(edition);
    let defaults = DeclaredLiterals::of_defaults(edition, host.clone());
    let mut all = DeclaredBlocks { late: files.late, ..DeclaredBlocks::default() };
    let mut seen = Seen::default();
    for raw in &files.blocks {
        match &*raw.kind {
            "packer" => all.requirements.read(raw, &literals, out),
            "variable" if is_named(raw, out) && is_new(&mut seen, "variable", raw, out) => {
                all.variables.push(Variable::read(raw, &literals, &defaults, &library, out));
            }
            "variables" => {
                for argument in &raw.arguments {
                    let (name, place) = (&argument.name, argument.name_place);
                    if add(&mut seen, ("variable", name.clone(), Str::default()), place, out) {
                        all.variables.push(Variable::short(argument, &defaults, out));
                    }
                }
            }
            "locals" => {
                for argument in &raw.arguments {
                    let (name, place) = (&argument.name, argument.place);
                    if add(&mut seen, ("local", name.clone(), Str::default()), place, out) {
                        all.locals.push(Local::short(argument, &library));
                    }
                }
            }
            "local" => {
                if is_named(raw, out)
                    && is_new(&mut seen, "local", raw, out)
                    && let Some(local) = Local::read(raw, &literals, &library, out)
                {
                    all.locals.push(local);
                }
            }
            "data" if is_new(&mut seen, "data", raw, out) => {
                all.data.push(DataBlock::read(raw, &library));
            }
            "source" if is_new(&mut seen, "source", raw, out) => {
                all.origins.push(SourceBlock::read(raw, &library));
            }
            "build" => all.builds.push(NestedContent::of(raw, &library)),
            "hcp_packer_registry" => all.registries.push(NestedContent::of(raw, &library)),
            // Duplicates.
            _ => {}
        }
    }
    all.variables.sort_by(|a, b| a.name.cmp(&b.name));
    all.locals.sort_by(|a, b| a.name.cmp(&b.name));
    all.data.sort_by(|a, b| (&a.kind, &a.name).cmp(&(&b.kind, &b.name)));
    all.origins.sort_by(|a, b| (&a.kind, &a.name).cmp(&(&b.kind, &b.name)));
    all
}

/// Returns true if every label of a block is a valid name; reports those that are not.
fn is_named(raw: &RawBlock, out: &mut Diagnostics) -> bool {
    let mut fine = true;
    for label in raw.labels.iter().filter(|label| !is_identifier(&label.text)) {
        fine = false;
        let detail = match label.text.is_empty() {
            true => "A name cannot be empty.".to_owned(),
            false => format!(
                "\"{}\" cannot be a name: a name starts with a letter or an underscore and goes on with letters, digits, underscores and dashes.",
                &*label.text
            ),
        };
        out.push(Diagnostic::error(&codes::INVALID_NAME, detail).at(label.place));
    }
    fine
}

/// Records a block by its kind and labels; returns false, after a report, if one with the same labels is recorded already.
fn is_new(seen: &mut Seen, kind: &'static str, raw: &RawBlock, out: &mut Diagnostics) -> bool {
    add(seen, (kind, Str::from(raw.label(0)), Str::from(raw.label(1))), raw.header, out)
}

/// Records a declaration by its kind and names; returns false, after a report, if one with the same names is recorded already.
fn add(
    seen: &mut Seen,
    key: (&'static str, Str, Str),
    place: Place,
    out: &mut Diagnostics,
) -> bool {
    if let Some(first) = seen.get(&key) {
        let (kind, name, second) = &key;
        let dot = if second.is_empty() { "" } else { "." };
        let detail = format!(
            "The {kind} \"{}{dot}{}\" is declared a second time here. Rename or remove one of the two.",
            &**name, &**second
        );
        let found = Diagnostic::error(&codes::DUPLICATE_DECLARATION, detail).at(place);
        out.push(found.note_at("It is first declared here.", *first));
        return false;
    }
    seen.insert(key, place);
    true
}

/// Lowers the arguments and nested blocks of a block.
fn content(raw: &RawBlock, library: &FunctionLibrary) -> BlockContent {
    BlockContent::of(raw, library)
}
