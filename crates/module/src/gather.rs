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

/// Builds a module from its blocks. Declarations of unchanged blocks are taken from `reuse`. What is wrong with the declarations
/// goes to `out`; what is found only once they are looked at together, and matters only where nothing else is wrong, goes to
/// `late`.
pub(crate) fn gather(
    files: Vec<FileId>,
    blocks: Vec<Arc<RawBlock>>,
    gatherer: &DeclarationReader<'_>,
    reuse: &mut ModuleReuse,
    late: &mut Diagnostics,
    out: &mut Diagnostics,
) -> Module {
    crate::check::apply(&blocks, gatherer, out);
    let required = RequiredProvider::of_settings(blocks.iter().filter(|raw| is_settings(raw)));
    let providers = LocalProviders::of(&required);
    let mut module = Module { files, ..Module::default() };
    module.settings.providers = required;
    let mut seen: FxHashMap<(Str, Str, Str), Place> = FxHashMap::default();
    for raw in blocks {
        let found = out.len() + late.len();
        let part = raw.header.file;
        match &*raw.kind {
            "terraform" | "language" => {
                module.settings.read(raw, gatherer, out);
                continue;
            }
            "locals" => {
                gather_locals(&mut module, &raw, gatherer, &mut seen, reuse, out);
                continue;
            }
            _ => {}
        }
        let named = raw.labels.iter().all(|label| check_name(&label.text, label.place, out));
        if has_identity(&raw) {
            let key = (raw.kind.clone(), Str::from(raw.label(0)), Str::from(raw.label(1)));
            if let Some(first) = seen.get(&key) {
                out.push(duplicate(&spoken(&raw), raw.header, *first));
                reuse.distrust(part);
                continue;
            }
            seen.insert(key, raw.header);
        }
        if !named {
            continue;
        }
        match &*raw.kind {
            "variable" => {
                let read = || Variable::read(&raw, gatherer, out);
                module.variables.push(reuse.variables.take_or(part, read));
            }
            "output" => {
                let read = || Output::read(&raw, gatherer, out);
                module.outputs.push(reuse.outputs.take_or(part, read));
            }
            "module" => {
                let read = || ModuleCall::read(&raw, gatherer, out);
                module.calls.push(reuse.calls.take_or(part, read));
            }
            "resource" | "data" | "ephemeral" | "action" | "list" => {
                let read = || Resource::read(&raw, gatherer, &providers, late, out);
                module.resources.push(reuse.resources.take_or(part, read));
            }
            "provider" => module.providers.push(Provider::read(&raw, gatherer, &providers)),
            "check" => {
                if let Some(data) = Check::data(&raw, gatherer.library.edition, out) {
                    let key =
                        (data.kind.clone(), Str::from(data.label(0)), Str::from(data.label(1)));
                    match seen.get(&key) {
                        Some(first) => out.push(duplicate(&spoken(data), data.header, *first)),
                        None => {
                            seen.insert(key, data.header);
                            let mut resource =
                                Resource::read(data, gatherer, &providers, late, out);
                            resource.check = Some(Str::from(raw.label(0)));
                            module.resources.push(Arc::new(resource));
                        }
                    }
                }
                module.checks.push(Check::read(&raw, gatherer, out));
                reuse.distrust(part);
            }
            kind => {
                if kind == "removed" {
                    let run_roots = gatherer.conventions.run_roots;
                    for provision in provisions(&raw, false, &gatherer.library, late, out) {
                        provision.visit(&mut |seen| {
                            report_destroyed(seen.expression, run_roots, out);
                        });
                    }
                }
                if kind == "import" {
                    let import = Import::read(&raw, gatherer, &module.imports, out);
                    module.imports.extend(import);
                }
                module.others.push(raw);
            }
        }
        if out.len() + late.len() > found {
            reuse.distrust(part);
        }
    }
    module.variables.sort_by(|a, b| a.name.cmp(&b.name));
    module.locals.sort_by(|a, b| a.name.cmp(&b.name));
    module.outputs.sort_by(|a, b| a.name.cmp(&b.name));
    module.calls.sort_by(|a, b| a.name.cmp(&b.name));
    module.resources.sort_by(|a, b| (a.mode, &a.kind, &a.name).cmp(&(b.mode, &b.kind, &b.name)));
    module.checks.sort_by(|a, b| a.name.cmp(&b.name));
    let known = reuse.names_of(&module);
    let is_known = known.is_some();
    module.names = known.unwrap_or_else(|| {
        let checked = Semantics::of(gatherer.library.edition).providers_checked;
        let requirements = ProviderRequirements::of(&module.settings, gatherer.schemas, checked);
        let edition = gatherer.library.edition;
        Arc::new(ModuleNames::of(&module, requirements, &gatherer.conventions, edition))
    });
    reuse.distrust_all(resolve(&mut module, gatherer, is_known, late, out));
    module
}

/// Returns true if a block contains settings that affect how its module is read.
pub(crate) fn is_settings(raw: &RawBlock) -> bool {
    matches!(&*raw.kind, "terraform" | "language")
}

/// Returns true if a block of this kind declares a name: two with equal labels are duplicates.
fn has_identity(raw: &RawBlock) -> bool {
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

/// Returns the header of a block for a message, such as `variable "x"`.
fn spoken(raw: &RawBlock) -> String {
    let labels: String = raw.labels.iter().map(|label| format!(" \"{}\"", &*label.text)).collect();
    format!("{}{labels}", &*raw.kind)
}

/// Returns the diagnostic for a duplicate declaration.
fn duplicate(what: &str, place: Place, first: Place) -> Diagnostic {
    let detail = format!("{what} is declared a second time here. Rename or remove one of the two.");
    Diagnostic::error(&codes::DUPLICATE_DECLARATION, detail)
        .at(place)
        .note_at("It is first declared here.", first)
}

/// Adds the local values of a `locals` block.
fn gather_locals(
    module: &mut Module,
    raw: &RawBlock,
    gatherer: &DeclarationReader<'_>,
    seen: &mut FxHashMap<(Str, Str, Str), Place>,
    reuse: &ModuleReuse,
    out: &mut Diagnostics,
) {
    for argument in &raw.arguments {
        if !check_name(&argument.name, argument.name_place, out) {
            continue;
        }
        let key = (raw.kind.clone(), argument.name.clone(), Str::default());
        if let Some(first) = seen.get(&key) {
            let what = format!("The local value \"{}\"", &*argument.name);
            out.push(duplicate(&what, argument.place, *first));
            continue;
        }
        seen.insert(key, argument.name_place);
        let part = argument.place.file;
        module.locals.push(reuse.locals.take_or(part, || Local {
            name: argument.name.clone(),
            place: argument.place,
            value: Expression::new(&argument.expr, &gatherer.library),
        }));
    }
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
