//! The tree of modules: the directory of each call. A directory is loaded once, however often it is called; an unreachable
//! module is absent, with a reason.

pub(crate) mod check;
pub(crate) mod configuration;
mod early;
pub(crate) mod fixed;
mod follow;
pub(crate) mod manifest;
pub(crate) mod mapping;
pub(crate) mod node;
pub(crate) mod providers;
pub(crate) mod source;
pub(crate) mod target;
pub(crate) mod used;

use std::sync::Arc;

use early::{CallingModule, EarlyValues};
use follow::ModuleDirectory;
use groma_config::{ModulePath, path};
use groma_eval::Context;
use groma_module::declare::{Expression, Module};
use groma_module::load::ModuleLoader;
use groma_runtime::HostError;
use groma_syntax::{Diagnostic, Diagnostics, Place};
use groma_value::Value;
use manifest::{ModuleManifest, RemoteCall, RemoteModules};
use mapping::SourceMappings;
use rustc_hash::FxHashMap;

use crate::codes;
use crate::options::SourceMapping;
use groma_inputs::Values;

pub(crate) use check::check_outputs;
pub(crate) use node::{CalledModule, ModuleId, TreeModule};

/// Maximum number of modules in a tree, to bound memory; further calls are reported and their modules are absent.
const MODULE_LIMIT: usize = 20_000;

/// A function that evaluates the source of a call that is not a literal.
pub(crate) type SourceEvaluator<'a> =
    dyn Fn(&[TreeModule], ModuleId, &Expression, &mut Diagnostics) -> Option<Value> + 'a;

/// A builder of the module tree: it resolves each call to a directory and loads the module there.
pub(crate) struct TreeLinker<'a, 'b> {
    pub(crate) loader: &'a mut ModuleLoader<'b>,
    /// The canonical directories outside of which nothing is read; the first is the root's.
    bounds: Vec<String>,
    computed_sources: bool,
    /// True if an unknown source is an error.
    judging: bool,
    manifest: ModuleManifest,
    mappings: SourceMappings<'a>,
    loaded: FxHashMap<String, Option<Arc<Module>>>,
    nodes: Vec<TreeModule>,
    /// The calls of remote modules.
    remote: Vec<RemoteCall>,
    /// Call sites already reported: a fault is reported once, even if the calling module occurs repeatedly.
    reported: rustc_hash::FxHashSet<Place>,
    full: bool,
    /// The context for evaluating early values.
    context: Context,
}

/// The inputs from which the early values of the root module are computed: values of variables, `path.cwd`, and whether missing
/// ones are reported.
pub(crate) struct RootEarlyInputs<'a> {
    pub(crate) values: &'a Values,
    /// True if missing values of variables are reported here.
    pub(crate) reports_absence: bool,
    pub(crate) cwd: String,
}

impl<'a, 'b> TreeLinker<'a, 'b> {
    /// Returns a builder of the module tree for the project in `dir`, which reads nothing outside of `bounds` and evaluates early
    /// values in `context`; with `judging`, an unknown source is an error.
    pub(crate) fn new(
        loader: &'a mut ModuleLoader<'b>,
        dir: &str,
        bounds: Vec<String>,
        mappings: &'a [SourceMapping],
        context: Context,
        judging: bool,
        out: &mut Diagnostics,
    ) -> TreeLinker<'a, 'b> {
        let manifest = ModuleManifest::read(loader.host, dir, out);
        let computed_sources =
            groma_module::dialect::Conventions::of(loader.edition).computed_sources;
        TreeLinker {
            computed_sources,
            judging,
            loader,
            bounds,
            manifest,
            mappings: SourceMappings::new(mappings),
            loaded: FxHashMap::default(),
            nodes: Vec::new(),
            remote: Vec::new(),
            reported: rustc_hash::FxHashSet::default(),
            full: false,
            context,
        }
    }

    /// Builds the tree whose root is `module`, read from `dir`; returns it with the remote modules.
    pub(crate) fn link(
        mut self,
        module: Arc<Module>,
        dir: &str,
        beginning: RootEarlyInputs<'_>,
        compute: &SourceEvaluator<'_>,
        out: &mut Diagnostics,
    ) -> (Vec<TreeModule>, RemoteModules) {
        let canonical = self.loader.host.canonical(dir).unwrap_or_else(|_| dir.to_owned());
        self.loaded.insert(canonical.clone(), Some(module.clone()));
        let calls = module.calls.len();
        let is_early = groma_module::dialect::Conventions::of(self.loader.edition).early_sources;
        let early = is_early.then(|| {
            early::check_marks(&module, out);
            let RootEarlyInputs { values, reports_absence, cwd } = beginning;
            EarlyValues::of_root(&module, values, &self.context, reports_absence, cwd, out)
        });
        self.nodes.push(TreeModule {
            early,
            path: ModulePath::ROOT,
            module,
            parent: None,
            children: vec![CalledModule::Absent; calls],
            dir: dir.to_owned(),
            at: ".".to_owned(),
            canonical,
        });
        let mut next = 0;
        while next < self.nodes.len() {
            let at = ModuleId(next as u32);
            for call in 0..self.nodes[next].module.calls.len() as u32 {
                if let Some(child) = self.follow(at, call, compute, out) {
                    self.nodes.push(child);
                    let id = ModuleId(self.nodes.len() as u32 - 1);
                    self.nodes[next].children[call as usize] = CalledModule::Module(id);
                }
            }
            next += 1;
        }
        let mappings = self.mappings.into_use();
        mappings.report(out);
        (self.nodes, RemoteModules { calls: self.remote, manifest: self.manifest, mappings })
    }

    /// Reports a diagnostic about a call, unless another one was reported for the same source range.
    fn report(&mut self, diagnostic: Diagnostic, place: Place, out: &mut Diagnostics) {
        if self.reported.insert(place) {
            out.push(diagnostic.at(place));
        }
    }

    /// Loads the module in a directory as the child of a call; `None` if it cannot be loaded, which is reported.
    fn open(
        &mut self,
        at: ModuleId,
        call: u32,
        ModuleDirectory { dir, seen }: ModuleDirectory,
        place: Place,
        out: &mut Diagnostics,
    ) -> Option<TreeModule> {
        let canonical = self.readable(&dir, place, out)?;
        if let Some(node) = self.enclosing(at, &canonical) {
            let detail = format!(
                "This call leads back to \"{}\", which contains it: the module would contain itself endlessly.",
                node.at
            );
            self.report(Diagnostic::error(&codes::MODULE_RING, detail), place, out);
            return None;
        }
        if self.nodes.len() >= MODULE_LIMIT {
            if !self.full {
                self.full = true;
                let detail = format!(
                    "The project has more than {MODULE_LIMIT} module calls, counting every path to a call. The rest is left out."
                );
                out.push(Diagnostic::error(&codes::TOO_MANY_MODULES, detail).at(place));
            }
            return None;
        }
        let module = self.loaded(&dir, &canonical, place, out)?;
        let node = &self.nodes[at.0 as usize];
        let declared = &node.module.calls[call as usize];
        let path = node.path.with_call(declared.name.clone());
        let calls = module.calls.len();
        let early = node.early.as_ref().map(|early| {
            let caller = CallingModule { early, call: declared };
            early::check_marks(&module, out);
            EarlyValues::of_call(&module, &caller, seen.clone(), &self.context, out)
        });
        Some(TreeModule {
            early,
            path,
            module,
            parent: Some((at, call)),
            children: vec![CalledModule::Absent; calls],
            dir,
            at: seen,
            canonical,
        })
    }

    /// Returns the canonical path of a module's directory; `None`, after a report, if it is missing or outside of the directories
    /// that may be read.
    fn readable(&mut self, dir: &str, place: Place, out: &mut Diagnostics) -> Option<String> {
        match self.loader.host.canonical(dir) {
            Ok(canonical) if self.bounds.iter().any(|bound| path::is_within(&canonical, bound)) => {
                Some(canonical)
            }
            Ok(_) | Err(HostError::Outside) => {
                self.report_outside(dir, place, out);
                None
            }
            Err(_) => {
                let detail =
                    format!("There is no directory \"{dir}\", so this module cannot be read.");
                self.report(Diagnostic::error(&codes::MODULE_NOT_FOUND, detail), place, out);
                None
            }
        }
    }

    /// Returns the module with a directory, among the module `at` and its direct and indirect callers; `None` if none has it.
    fn enclosing(&self, at: ModuleId, canonical: &str) -> Option<&TreeModule> {
        let mut above = Some(at);
        while let Some(id) = above {
            let node = &self.nodes[id.0 as usize];
            if node.canonical == canonical {
                return Some(node);
            }
            above = node.parent.map(|(parent, _)| parent);
        }
        None
    }

    /// Returns the module in a directory, loaded at its first call and kept by its `canonical` path; `None`, after a report, if
    /// the directory cannot be listed.
    fn loaded(
        &mut self,
        dir: &str,
        canonical: &str,
        place: Place,
        out: &mut Diagnostics,
    ) -> Option<Arc<Module>> {
        if let Some(module) = self.loaded.get(canonical) {
            return module.clone();
        }
        let before = out.len();
        let names = groma_config::list(self.loader.host, dir, out);
        let listed = out.split_off(before);
        let module = match names {
            Some(names) => Some(self.loader.load(dir, &names, out)),
            None => {
                for diagnostic in listed {
                    self.report(diagnostic, place, out);
                }
                None
            }
        };
        self.loaded.insert(canonical.to_owned(), module.clone());
        module
    }

    /// Returns the text of a module source or version that is known before evaluation; `None` for any other value, which is
    /// reported by the diagnostic that `problem` makes of the reason.
    fn early_text(
        &mut self,
        early: &Arc<EarlyValues>,
        expression: &Expression,
        problem: impl Fn(&str, Place) -> Diagnostic,
        out: &mut Diagnostics,
    ) -> Option<String> {
        let place = expression.place();
        let mut found = Diagnostics::new();
        let value = early.evaluate(expression, &self.context, &mut found);
        if found.has_errors() {
            for one in found {
                self.report(one.clone(), one.place.unwrap_or(place), out);
            }
            return None;
        }
        match early::text(&value) {
            Ok(text) => Some(text),
            Err(_) if early.is_broken && !value.is_known() => None,
            Err(why) => {
                self.report(problem(why, place), place, out);
                None
            }
        }
    }

    /// Reports that a module's directory is outside of the directories that may be read.
    fn report_outside(&mut self, dir: &str, place: Place, out: &mut Diagnostics) {
        let detail = format!(
            "\"{dir}\" is outside of \"{}\" and is not read, so the module's outputs are unknown. To read it, choose \
             a wider root with --root, or allow its folder with --allow-read.",
            self.bounds.first().map_or("", String::as_str)
        );
        self.report(Diagnostic::warning(&codes::MODULE_OUTSIDE, detail), place, out);
    }
}
