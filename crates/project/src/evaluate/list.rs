//! Enumeration of instances by address, without evaluating their content: only repetitions are. Where a repetition is unknown,
//! one placeholder `[*]` represents all instances.

use std::sync::Arc;

use groma_config::{InstanceKey, ResourceMode};
use groma_module::declare::Repetition;
use groma_syntax::{Diagnostics, Place};
use groma_value::{Causes, Str};

use crate::evaluate::cell::{Cell, CellPart, ROOT};
use crate::evaluate::evaluation::Evaluation;
use crate::evaluate::instance::{Expansion, InstanceNode};
use crate::tree::{CalledModule, ModuleId};

/// An entry in the list of all instances of a project: a resource instance, a module instance, or a placeholder for unknown ones.
#[derive(Clone, Debug)]
pub struct ListedObject {
    /// The address, with `[*]` in place of unknown keys.
    pub address: Str,
    /// The resource mode; `None` for a module.
    pub mode: Option<ResourceMode>,
    /// The resource type; `None` for a module.
    pub kind: Option<Str>,
    /// The name of the declaration.
    pub name: Str,
    /// The instance key.
    pub key: InstanceKey,
    /// The address of the containing module instance, empty for the root.
    pub module: Str,
    /// The source range of the declaration.
    pub place: Place,
    /// The reason why instances are unknown, for a placeholder and for everything in one.
    pub deferred: Option<Causes>,
    /// True if its content can be read; always for a resource.
    pub is_installed: bool,
}

impl ListedObject {
    /// Returns the sort key of a list entry within its module: mode, type, then the name with the instance key, numbers by value.
    fn order(&self) -> impl Iterator<Item = (&str, &InstanceKey)> {
        let mode = match self.mode {
            None => "module",
            Some(ResourceMode::Managed) => "",
            Some(mode) => mode.word(),
        };
        let words = [mode, self.kind.as_deref().unwrap_or("")];
        let words = words.into_iter().filter(|word| !word.is_empty());
        words.map(|word| (word, &InstanceKey::None)).chain([(&*self.name, &self.key)])
    }

    /// Returns the approximate size of the list entry in bytes.
    fn bytes(&self) -> u64 {
        // The module address is shared.
        size_of::<ListedEntry>() as u64 + self.address.len() as u64
    }
}

/// The module whose entries are being listed: an instance, or a module with unknown instances.
enum ListedModule {
    Instance(Arc<InstanceNode>),
    Placeholder { node: ModuleId, address: Str, causes: Causes },
}

/// An entry in the list of instances and, for an instance of a module, that module, whose own entries follow it.
type ListedEntry = (ListedObject, Option<ListedModule>);

/// A resource or module call whose instances are to be listed.
struct ListMember {
    mode: Option<ResourceMode>,
    kind: Option<Str>,
    name: Str,
    place: Place,
    is_installed: bool,
}

impl ListMember {
    /// Returns the address of the resource or module call within its module.
    fn address(&self) -> String {
        match (self.mode, &self.kind) {
            (Some(mode), Some(kind)) => format!("{}{}.{}", mode.prefix(), &**kind, &*self.name),
            _ => format!("module.{}", &*self.name),
        }
    }

    /// Returns the entry for the instance with `key` of this resource or call, in the module instance at the address `module`;
    /// `suffix` is the key as written at the end of the address; `causes` are given for a placeholder of unknown instances.
    fn listed(
        &self,
        module: &Str,
        key: InstanceKey,
        suffix: &str,
        causes: Option<&Causes>,
    ) -> ListedObject {
        ListedObject {
            address: join(module, &format!("{}{suffix}", self.address())).into(),
            mode: self.mode,
            kind: self.kind.clone(),
            name: self.name.clone(),
            key,
            module: module.clone(),
            place: self.place,
            deferred: causes.cloned(),
            is_installed: self.is_installed,
        }
    }
}

impl Evaluation {
    /// Returns every instance of resources and modules in address order, with numeric keys sorted as numbers.
    pub fn instances(&self, out: &mut Diagnostics) -> Vec<ListedObject> {
        let world = &self.world;
        let mut goals: Vec<Cell> = Vec::new();
        let mut listed: Vec<ListedObject> = Vec::new();
        // Entries of a module follow it immediately, before its siblings.
        let mut rest = self.members(&ListedModule::Instance(world.instance(ROOT)), &mut goals);
        while let Some((one, inside)) = rest.pop() {
            listed.push(one);
            if let Some(around) = inside
                && !world.has_ended()
            {
                rest.append(&mut self.members(&around, &mut goals));
            }
        }
        world.scheduler().report(world, &goals, out);
        listed
    }

    /// Adds the entry `one` to the list of a module's instances, if the budget allows it; `inside` is the module to list next, if
    /// the entry stands for a module instance.
    fn add_entry(
        &self,
        members: &mut Vec<ListedEntry>,
        one: ListedObject,
        inside: Option<ListedModule>,
    ) {
        let budget = &self.world.options.budget;
        match budget.take_bytes(one.bytes()) {
            Ok(()) => members.push((one, inside)),
            Err(_) => budget.record_work(|| format!("the list of instances, at {}", &*one.address)),
        }
    }

    /// Returns in reverse order the list entries for all instances of the resources and calls of the module `around`; the entry
    /// for an instance of a call also holds that module instance, which is to be listed next. Evaluates the cells that hold the
    /// instances and adds these cells to `goals`.
    fn members(&self, around: &ListedModule, goals: &mut Vec<Cell>) -> Vec<ListedEntry> {
        let world = &self.world;
        let (node, address) = match around {
            ListedModule::Instance(instance) => (instance.node, Str::from(&*instance.address)),
            ListedModule::Placeholder { node, address, .. } => (*node, address.clone()),
        };
        let tree = world.node(node);
        let module = &tree.module;
        if let ListedModule::Instance(instance) = around {
            let from = goals.len();
            let cell = |part| Cell { instance: instance.id, part };
            goals.extend((0..module.calls.len() as u32).map(|at| cell(CellPart::Call(at))));
            goals
                .extend((0..module.resources.len() as u32).map(|at| cell(CellPart::Expansion(at))));
            world.scheduler().fill_all(world, &goals[from..]);
        }
        let mut members = Vec::new();
        for (at, resource) in module.resources.iter().enumerate() {
            let member = ListMember {
                mode: Some(resource.mode),
                kind: Some(resource.kind.clone()),
                name: resource.name.clone(),
                place: resource.place,
                is_installed: true,
            };
            let expansion = match around {
                ListedModule::Instance(instance) => {
                    instance.resources[at].get().map(|c| &c.expansion)
                }
                ListedModule::Placeholder { .. } => None,
            };
            for_each_key(around, &resource.repetition, expansion, &mut |_, key, suffix, causes| {
                let one = member.listed(&address, key, suffix, causes);
                self.add_entry(&mut members, one, None);
            });
        }
        for (at, call) in module.calls.iter().enumerate() {
            let child = &tree.children[at];
            let member = ListMember {
                mode: None,
                kind: None,
                name: call.name.clone(),
                place: call.place,
                is_installed: matches!(child, CalledModule::Module(_)),
            };
            let cell = match around {
                ListedModule::Instance(instance) => instance.calls[at].get(),
                ListedModule::Placeholder { .. } => None,
            };
            let expansion = cell.map(|cell| &cell.expansion);
            for_each_key(around, &call.repetition, expansion, &mut |at, key, suffix, causes| {
                let one = member.listed(&address, key, suffix, causes);
                let made = cell.and_then(|cell| cell.instances.get(at?));
                let inside = match (child, made, causes) {
                    (CalledModule::Absent, ..) | (_, None, None) => None,
                    (_, Some(id), _) => Some(ListedModule::Instance(world.instance(*id))),
                    (CalledModule::Module(node), None, Some(causes)) => {
                        Some(ListedModule::Placeholder {
                            node: *node,
                            address: one.address.clone(),
                            causes: causes.clone(),
                        })
                    }
                };
                self.add_entry(&mut members, one, inside);
            });
        }
        members.sort_by(|(a, _), (b, _)| a.order().cmp(b.order()));
        members.reverse();
        members
    }
}

/// Returns an absolute address, from the address of a module and an address inside of it.
fn join(module: &str, inner: &str) -> String {
    if module.is_empty() { inner.to_owned() } else { format!("{module}.{inner}") }
}

/// A function that is called for each instance with its index, key and address suffix; for the placeholder of unknown instances
/// with the causes and without an index.
type Visit<'v> = dyn FnMut(Option<usize>, InstanceKey, &str, Option<&Causes>) + 'v;

/// Calls `visit` for each instance of an expansion, or once with the placeholder `[*]` if the instances or those of the module
/// `around` are unknown.
fn for_each_key(
    around: &ListedModule,
    repetition: &Repetition,
    expansion: Option<&Expansion>,
    visit: &mut Visit<'_>,
) {
    if let ListedModule::Placeholder { causes, .. } = around {
        let suffix = if matches!(repetition, Repetition::Single) { "" } else { "[*]" };
        return visit(None, InstanceKey::None, suffix, Some(causes));
    }
    match expansion {
        None => {}
        Some(Expansion::Unknown(causes)) => visit(None, InstanceKey::None, "[*]", Some(causes)),
        Some(expansion) => {
            for at in 0..expansion.len() {
                if let Some((key, _)) = expansion.instance(at) {
                    let suffix = key.suffix();
                    visit(Some(at), key, &suffix, None);
                }
            }
        }
    }
}
