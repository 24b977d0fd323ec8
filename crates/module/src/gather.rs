//! Declarations from blocks: every block is read, duplicates are reported at both places, and every reference is resolved.

use std::sync::Arc;

use groma_config::RawBlock;
use groma_runtime::Semantics;
use groma_syntax::{Diagnostic, Diagnostics, FileId, Place};
use groma_value::Str;
use rustc_hash::FxHashMap;

use crate::codes;
use crate::declare::provision::provisions;
use crate::declare::{
    Check, DeclarationReader, Expression, Import, Local, Module, ModuleCall, Output, Provider,
    RequiredProvider, Resource, Variable,
};
use crate::resolve::{ModuleNames, ProviderRequirements, report_destroyed, resolve};
use crate::reuse::ModuleReuse;
use crate::schema::LocalProviders;

/// Builds a module from its blocks, taking the declarations of unchanged blocks from `reuse`; faults of declarations go to
/// `out`, and those that are reported only if there are no others to `late`.
pub(crate) fn gather(
    files: Vec<FileId>,
    blocks: Vec<Arc<RawBlock>>,
    gatherer: &DeclarationReader<'_>,
    reuse: &mut ModuleReuse,
    late: &mut Diagnostics,
    out: &mut Diagnostics,
) -> Module {
    let required = RequiredProvider::of_settings(blocks.iter().filter(|raw| is_settings(raw)));
    let providers = LocalProviders::of(&required);
    let mut module = Module { files, ..Module::default() };
    module.settings.providers = required;
    let seen = FxHashMap::default();
    let mut gathering = ModuleGathering { module, gatherer, providers, seen, reuse, late, out };
    blocks.into_iter().for_each(|raw| gathering.block(raw));
    gathering.finish()
}

/// A module under construction from its blocks, with the names declared so far and the sinks for diagnostics.
struct ModuleGathering<'g, 'r> {
    module: Module,
    gatherer: &'g DeclarationReader<'r>,
    providers: LocalProviders,
    /// The place of each declared name, by the block's type and its labels.
    seen: FxHashMap<(Str, Str, Str), Place>,
    reuse: &'g mut ModuleReuse,
    late: &'g mut Diagnostics,
    out: &'g mut Diagnostics,
}

impl ModuleGathering<'_, '_> {
    /// Adds the declarations of a block to the module; reports a duplicate or invalid name instead.
    fn block(&mut self, raw: Arc<RawBlock>) {
        match &*raw.kind {
            "terraform" | "language" => {
                return self.module.settings.read(raw, self.gatherer, self.out);
            }
            "locals" => return self.locals(&raw),
            _ => {}
        }
        let found = self.out.len() + self.late.len();
        let part = raw.header.file;
        let labels = || raw.labels.iter();
        let is_named = labels().all(|label| check_name(&label.text, label.place, self.out));
        if has_identity(&raw) && !self.is_new(&raw) {
            self.reuse.distrust(part);
            return;
        }
        if is_named {
            self.declare(raw);
            if self.out.len() + self.late.len() > found {
                self.reuse.distrust(part);
            }
        }
    }

    /// Returns true if a block is the first that declares its name; reports it otherwise.
    fn is_new(&mut self, raw: &RawBlock) -> bool {
        let key = (raw.kind.clone(), Str::from(raw.label(0)), Str::from(raw.label(1)));
        match self.seen.get(&key) {
            Some(first) => {
                self.out.push(duplicate(&spoken(raw), raw.header, *first));
                false
            }
            None => {
                self.seen.insert(key, raw.header);
                true
            }
        }
    }

    /// Adds the declaration of a block whose name is valid and new, by the kind of block.
    fn declare(&mut self, raw: Arc<RawBlock>) {
        let (module, gatherer, out) = (&mut self.module, self.gatherer, &mut *self.out);
        let part = raw.header.file;
        match &*raw.kind {
            "variable" => {
                let read = || Variable::read(&raw, gatherer, out);
                module.variables.push(self.reuse.variables.take_or(part, read));
            }
            "output" => {
                let read = || Output::read(&raw, gatherer, out);
                module.outputs.push(self.reuse.outputs.take_or(part, read));
            }
            "module" => {
                let read = || ModuleCall::read(&raw, gatherer, out);
                module.calls.push(self.reuse.calls.take_or(part, read));
            }
            "resource" | "data" | "ephemeral" | "action" | "list" => {
                let read = || Resource::read(&raw, gatherer, &self.providers, self.late, out);
                module.resources.push(self.reuse.resources.take_or(part, read));
            }
            "provider" => {
                module.providers.push(Provider::read(&raw, gatherer, &self.providers));
            }
            "check" => self.check(&raw),
            _ => self.other(raw),
        }
    }

    /// Adds the local values of a `locals` block; reports duplicate and invalid names.
    fn locals(&mut self, raw: &RawBlock) {
        for argument in &raw.arguments {
            if !check_name(&argument.name, argument.name_place, self.out) {
                continue;
            }
            let key = (raw.kind.clone(), argument.name.clone(), Str::default());
            if let Some(first) = self.seen.get(&key) {
                let what = format!("The local value \"{}\"", &*argument.name);
                self.out.push(duplicate(&what, argument.place, *first));
                continue;
            }
            self.seen.insert(key, argument.name_place);
            let part = argument.place.file;
            self.module.locals.push(self.reuse.locals.take_or(part, || Local {
                name: argument.name.clone(),
                place: argument.place,
                value: Expression::new(&argument.expr, &self.gatherer.library),
            }));
        }
    }

    /// Adds a `check` block, and the data source that it may contain as one of the module's resources.
    fn check(&mut self, raw: &RawBlock) {
        let gatherer = self.gatherer;
        if let Some(data) = Check::data(raw, gatherer.library.edition, self.out)
            && self.is_new(data)
        {
            let mut resource = Resource::read(data, gatherer, &self.providers, self.late, self.out);
            resource.check = Some(Str::from(raw.label(0)));
            self.module.resources.push(Arc::new(resource));
        }
        self.module.checks.push(Check::read(raw, gatherer, self.out));
        self.reuse.distrust(raw.header.file);
    }

    /// Adds a block that later stages interpret, such as `moved`; checks the provisioners of `removed`, and also reads an
    /// `import`.
    fn other(&mut self, raw: Arc<RawBlock>) {
        let gatherer = self.gatherer;
        if &*raw.kind == "removed" {
            let run_roots = gatherer.conventions.run_roots;
            for provision in provisions(&raw, false, &gatherer.library, self.late, self.out) {
                provision.visit(&mut |seen| {
                    report_destroyed(seen.expression, run_roots, self.out);
                });
            }
        }
        if &*raw.kind == "import" {
            let import = Import::read(&raw, gatherer, &self.module.imports, self.out);
            self.module.imports.extend(import);
        }
        self.module.others.push(raw);
    }

    /// Returns the finished module: declarations sorted and references resolved.
    fn finish(self) -> Module {
        let ModuleGathering { mut module, gatherer, reuse, late, out, .. } = self;
        module.variables.sort_by(|a, b| a.name.cmp(&b.name));
        module.locals.sort_by(|a, b| a.name.cmp(&b.name));
        module.outputs.sort_by(|a, b| a.name.cmp(&b.name));
        module.calls.sort_by(|a, b| a.name.cmp(&b.name));
        let order = |one: &Resource, other: &Resource| {
            (one.mode, &one.kind, &one.name).cmp(&(other.mode, &other.kind, &other.name))
        };
        module.resources.sort_by(|a, b| order(a, b));
        module.checks.sort_by(|a, b| a.name.cmp(&b.name));
        let known = reuse.names_of(&module);
        let is_known = known.is_some();
        module.names = known.unwrap_or_else(|| {
            let edition = gatherer.library.edition;
            let checked = Semantics::of(edition).providers_checked;
            let requirements =
                ProviderRequirements::of(&module.settings, gatherer.schemas, checked);
            Arc::new(ModuleNames::of(&module, requirements, &gatherer.conventions, edition))
        });
        reuse.distrust_all(resolve(&mut module, gatherer, is_known, late, out));
        module
    }
}

/// Returns true if a block is a `terraform` or `language` block, whose settings affect how its module is read.
pub(crate) fn is_settings(raw: &RawBlock) -> bool {
    matches!(&*raw.kind, "terraform" | "language")
}

/// Returns true if a block is of a kind that declares a name: two of a kind with equal labels are duplicates.
pub(crate) fn has_identity(raw: &RawBlock) -> bool {
    matches!(
        &*raw.kind,
        "variable"
            | "output"
            | "module"
            | "resource"
            | "data"
            | "ephemeral"
            | "action"
            | "list"
            | "check"
    )
}

/// Returns the type and labels of a block for a message, such as `variable "x"`.
fn spoken(raw: &RawBlock) -> String {
    let labels: String = raw.labels.iter().map(|label| format!(" \"{}\"", &*label.text)).collect();
    format!("{}{labels}", &*raw.kind)
}

/// Returns the diagnostic for a declaration whose name an earlier one has, with a note at the first; `what` names it in the
/// message.
fn duplicate(what: &str, place: Place, first: Place) -> Diagnostic {
    let detail = format!("{what} is declared a second time here. Rename or remove one of the two.");
    Diagnostic::error(&codes::DUPLICATE_DECLARATION, detail)
        .at(place)
        .note_at("It is first declared here.", first)
}

/// Reports an invalid name; returns true if it is valid.
pub(crate) fn check_name(name: &str, place: Place, out: &mut Diagnostics) -> bool {
    if groma_syntax::is_identifier(name) {
        return true;
    }
    let detail = match name.is_empty() {
        true => "A name cannot be empty.".to_owned(),
        false => format!(
            "\"{name}\" cannot be a name: a name starts with a letter or an underscore and goes on with letters, digits, underscores and dashes."
        ),
    };
    out.push(Diagnostic::error(&codes::INVALID_NAME, detail).at(place));
    false
}
