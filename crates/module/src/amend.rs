//! Amendment of a module after an edit. If its blocks declare the same names as before, and none of them gave a diagnostic, only
//! the changed blocks are read again, and replace the older declarations. In all other cases the module is built anew.

use std::sync::Arc;

use groma_config::RawBlock;
use groma_syntax::{Diagnostics, FileId};

use crate::declare::{
    DeclarationReader, Expression, Local, Module, ModuleCall, ModuleSettings, Output, Provider,
    RequiredProvider, Resource, Variable,
};
use crate::gather::{has_identity, is_settings};
use crate::resolve::resolve;
use crate::reuse::{called, is_alike};
use crate::schema::LocalProviders;

/// A module whose reading gave no diagnostic, with the blocks that it was read from.
#[derive(Clone)]
pub(crate) struct SoundModule {
    pub(crate) module: Arc<Module>,
    pub(crate) blocks: Box<[Arc<RawBlock>]>,
}

impl SoundModule {
    /// Returns the module that `blocks` declare, made from this one by reading only the blocks that differ from its own; `None`
    /// if only a complete reading can yield it, because the changed blocks declare other names or give a diagnostic.
    pub(crate) fn amended(
        &self,
        files: &[FileId],
        blocks: &[Arc<RawBlock>],
        gatherer: &DeclarationReader<'_>,
    ) -> Option<Arc<Module>> {
        let old = &self.module;
        if self.blocks.len() != blocks.len() {
            return None;
        }
        let pairs = self.blocks.iter().zip(blocks);
        let changed: Vec<_> = pairs.filter(|(old, new)| !Arc::ptr_eq(old, new)).collect();
        if changed.is_empty() && old.files == files {
            return Some(old.clone());
        }
        if !changed.iter().all(|(old, new)| declares_same(old, new))
            || !old.checks.is_empty()
            || !old.imports.is_empty()
        {
            return None;
        }
        let mut out = Diagnostics::new();
        let mut late = Diagnostics::new();
        let settings = || blocks.iter().filter(|raw| is_settings(raw));
        let required = RequiredProvider::of_settings(settings());
        let providers = LocalProviders::of(&required);
        let mut module = Module {
            files: files.to_vec(),
            variables: old.variables.clone(),
            locals: old.locals.clone(),
            outputs: old.outputs.clone(),
            calls: old.calls.clone(),
            resources: old.resources.clone(),
            others: old.others.clone(),
            names: old.names.clone(),
            // A module with any of these is read completely.
            checks: Vec::new(),
            imports: Vec::new(),
            // These are read again below.
            settings: ModuleSettings::default(),
            providers: Vec::new(),
        };
        module.settings.providers = required;
        for raw in settings() {
            module.settings.read(raw.clone(), gatherer, &mut out);
        }
        let configurations = blocks.iter().filter(|raw| &*raw.kind == "provider");
        let read = |raw: &Arc<RawBlock>| Provider::read(raw, gatherer, &providers);
        module.providers = configurations.map(read).collect();
        for (before, raw) in changed {
            match &*raw.kind {
                "locals" => replace_locals(&mut module, before, raw, gatherer)?,
                "variable" | "output" | "module" => {
                    replace_named(&mut module, raw, gatherer, &mut out)?;
                }
                _ => {
                    let new = Resource::read(raw, gatherer, &providers, &mut late, &mut out);
                    replace_resource(&mut module, new)?;
                }
            }
        }
        resolve(&mut module, gatherer, true, &mut late, &mut out);
        (out.is_empty() && late.is_empty()).then(|| Arc::new(module))
    }
}

/// Returns true if two blocks are of the same kind with equal labels, and the kind is one that declares names, such as
/// `variable` or `locals`.
fn declares_same(old: &RawBlock, new: &RawBlock) -> bool {
    let labels = |raw: &RawBlock| raw.labels.iter().map(|label| label.text.clone()).collect();
    let (before, now): (Vec<_>, Vec<_>) = (labels(old), labels(new));
    (has_identity(new) || &*new.kind == "locals") && old.kind == new.kind && before == now
}

/// Replaces the variable, output or module call of the name that the edited block `raw` declares by what it declares now;
/// `None` if the module has none of this name, or if references to a call depend on what has changed in it.
fn replace_named(
    module: &mut Module,
    raw: &Arc<RawBlock>,
    gatherer: &DeclarationReader<'_>,
    out: &mut Diagnostics,
) -> Option<()> {
    match &*raw.kind {
        "variable" => {
            let new = Variable::read(raw, gatherer, out);
            let at = module.names.variable(&new.name)?;
            *module.variables.get_mut(at as usize)? = Arc::new(new);
        }
        "output" => {
            let new = Output::read(raw, gatherer, out);
            let at = module.names.output(&new.name)?;
            *module.outputs.get_mut(at as usize)? = Arc::new(new);
        }
        _ => {
            let new = Arc::new(ModuleCall::read(raw, gatherer, out));
            let at = module.names.call(&new.name)?;
            let own = module.calls.get_mut(at as usize)?;
            if called(own) != called(&new) {
                return None;
            }
            *own = new;
        }
    }
    Some(())
}

/// Replaces the module's declaration of a resource by `new`; `None` if it has none, or if references to the resource depend on
/// what differs between the two.
fn replace_resource(module: &mut Module, new: Resource) -> Option<()> {
    let at = module.names.resource(new.mode, &new.kind, &new.name)?;
    let own = module.resources.get_mut(at as usize)?;
    let new = Arc::new(new);
    if !is_alike(own, &new) {
        return None;
    }
    *own = new;
    Some(())
}

/// Replaces the local values of a `locals` block by those of its new text; `None` if the new block has other names.
fn replace_locals(
    module: &mut Module,
    before: &RawBlock,
    raw: &RawBlock,
    gatherer: &DeclarationReader<'_>,
) -> Option<()> {
    if before.arguments.len() != raw.arguments.len() {
        return None;
    }
    for (old, new) in before.arguments.iter().zip(&raw.arguments) {
        if old.name != new.name {
            return None;
        }
        // Only a part stands for one text.
        if old.place.file == new.place.file && new.place.file.is_part() {
            continue;
        }
        let at = module.names.local(&new.name)?;
        *module.locals.get_mut(at as usize)? = Arc::new(Local {
            name: new.name.clone(),
            place: new.place,
            value: Expression::new(&new.expr, &gatherer.library),
        });
    }
    Some(())
}
