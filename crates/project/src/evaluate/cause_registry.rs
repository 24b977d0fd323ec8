//! The causes of unknown values in the code of a project, numbered by the order of their places before anything is evaluated.

use std::sync::Arc;

use groma_config::{DeclarationName, ResourceMode};
use groma_eval::{Cause, CauseClass, CauseTable};
use groma_module::built_in;
use groma_module::declare::Module;
use groma_syntax::Place;
use groma_value::Causes;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::facts::Facts;
use crate::project::Project;
use crate::tree::{CalledModule, ModuleId, TreeModule};

/// The causes of unknown values that follow from the code alone, by the declaration that has such a value.
#[derive(Default)]
pub(super) struct CauseRegistry {
    pub(super) variables: FxHashMap<u32, Causes>,
    pub(super) calls: FxHashMap<(ModuleId, u32), Causes>,
    pub(super) resources: FxHashMap<(ModuleId, u32), Causes>,
    /// The causes for data sources that are read only after a dependency is created.
    pub(super) deferred: FxHashMap<(ModuleId, u32), Causes>,
    /// The causes for missing arguments, which may have a default known only to a provider.
    pub(super) unset: FxHashMap<(ModuleId, u32), Causes>,
}

/// The declaration or expression whose unknown value a cause explains.
enum CauseSubject {
    /// An expression that is unknown by itself.
    Expression,
    Variable(u32),
    Call(ModuleId, u32),
    Resource(ModuleId, u32),
    Deferred(ModuleId, u32),
    Unset(ModuleId, u32),
}

impl CauseRegistry {
    /// Adds all causes that the code of a project contains to the table `causes`, and returns them by declaration; with `open`,
    /// variables with a default count as unknown, too.
    pub(super) fn of(
        project: &Project,
        facts: &Facts,
        open: bool,
        causes: &CauseTable,
    ) -> CauseRegistry {
        let mut found = CauseCollector::default();
        let mut visited: FxHashSet<usize> = FxHashSet::default();
        for (at, node) in project.nodes.iter().enumerate() {
            let id = ModuleId(at as u32);
            if visited.insert(Arc::as_ptr(&node.module).addr()) {
                found.expressions(&node.module);
            }
            found.resources(id, node);
            found.absent_calls(id, node);
            if id == ModuleId::ROOT {
                found.open_variables(project, node, open);
            }
        }
        project.mocks.visit_causes(&mut |cause| found.expression(cause));
        if let Some(overrides) = &facts.overrides {
            overrides.visit_causes(&mut |cause| found.expression(cause));
        }
        let mut registry = CauseRegistry::default();
        for (cause, subject) in found.in_order(project) {
            let own = Causes::one(causes.intern(cause));
            match subject {
                CauseSubject::Expression => None,
                CauseSubject::Variable(at) => registry.variables.insert(at, own),
                CauseSubject::Call(node, at) => registry.calls.insert((node, at), own),
                CauseSubject::Resource(node, at) => registry.resources.insert((node, at), own),
                CauseSubject::Deferred(node, at) => registry.deferred.insert((node, at), own),
                CauseSubject::Unset(node, at) => registry.unset.insert((node, at), own),
            };
        }
        registry
    }
}

/// The causes in the code of a project with their places and subjects, collected before they are numbered.
#[derive(Default)]
struct CauseCollector(Vec<(Place, Cause, CauseSubject)>);

impl CauseCollector {
    /// Adds a cause of the class `class` for the unknown value of `subject`, which is declared at `place` as `name` in the module
    /// `node`; `kind` is the word by which its text calls the subject, such as `data`.
    fn add(
        &mut self,
        node: &TreeModule,
        (class, kind): (CauseClass, &'static str),
        name: DeclarationName,
        place: Place,
        subject: CauseSubject,
    ) {
        let address = node.declared(name).into();
        self.0.push((place, Cause { class, kind, address, place: Some(place) }, subject));
    }

    /// Adds a cause that lies in the code of an expression, such as a call of `timestamp()`, not in a value that it refers to.
    fn expression(&mut self, cause: Cause) {
        self.0.push((cause.place.unwrap_or_default(), cause, CauseSubject::Expression));
    }

    /// Adds the causes that lie in the code of a module's expressions, such as calls of `timestamp()`.
    fn expressions(&mut self, module: &Module) {
        module.visit(&mut |_, visited| {
            if visited.is_evaluated() {
                visited.expression.located.visit_causes(&mut |cause| self.expression(cause));
            }
        });
    }

    /// Adds the causes for unknown attributes of a module's resources: those of the objects, those of defaults that only a
    /// provider knows, and those of data sources that are read only during apply.
    fn resources(&mut self, id: ModuleId, node: &TreeModule) {
        for (at, resource) in (0_u32..).zip(&node.module.resources) {
            let is_managed = resource.mode == ResourceMode::Managed;
            // The schema shows which attributes are computed.
            let made = built_in::is_data(resource.mode, &resource.kind)
                || is_managed && resource.schema.is_some();
            let class = if made { CauseClass::Pending } else { CauseClass::Offline };
            let kind = resource.mode.word();
            let name = || DeclarationName::Resource(resource.own_name());
            let place = resource.place;
            self.add(node, (class, kind), name(), place, CauseSubject::Resource(id, at));
            if is_managed && resource.schema.is_some() {
                let default = (CauseClass::Offline, "default");
                self.add(node, default, name(), place, CauseSubject::Unset(id, at));
            }
            if resource.mode == ResourceMode::Data {
                let later = (CauseClass::Pending, kind);
                self.add(node, later, name(), place, CauseSubject::Deferred(id, at));
            }
        }
    }

    /// Adds a cause for each module call whose module is not available.
    fn absent_calls(&mut self, id: ModuleId, node: &TreeModule) {
        for (at, call) in node.module.calls.iter().enumerate() {
            if matches!(node.children[at], CalledModule::Absent) {
                let name = DeclarationName::Call(call.name.clone());
                let subject = CauseSubject::Call(id, at as u32);
                self.add(node, (CauseClass::Offline, "module"), name, call.place, subject);
            }
        }
    }

    /// Adds the causes of the root's variables without a value; with `open`, also of those that have a default.
    fn open_variables(&mut self, project: &Project, root: &TreeModule, open: bool) {
        for (at, variable) in (0_u32..).zip(&root.module.variables) {
            let given = project.values.contains_key(&variable.name);
            if (variable.default.is_none() || open) && !given {
                let name = DeclarationName::Variable(variable.name.clone());
                let subject = CauseSubject::Variable(at);
                self.add(root, (CauseClass::Offline, "variable"), name, variable.place, subject);
            }
        }
    }

    /// Returns the causes in source order, each with the declaration or expression whose unknown value it explains.
    fn in_order(self, project: &Project) -> Vec<(Cause, CauseSubject)> {
        let order = &project.sources;
        let keyed =
            self.0.into_iter().map(|(at, cause, subject)| (order.place_key(at), cause, subject));
        let mut found: Vec<_> = keyed.collect();
        found.sort_by(|a, b| (a.0, &a.1.address).cmp(&(b.0, &b.1.address)));
        found.into_iter().map(|(_, cause, subject)| (cause, subject)).collect()
    }
}
