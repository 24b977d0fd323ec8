//! Every instance by its address, without working out what is in it: only what says how many there
//! are is evaluated. Where that is not known, one placeholder `[*]` stands for all of them.

use std::sync::Arc;

use groma_folder::{Key, Mode};
use groma_module::declare::Repetition;
use groma_syntax::{Diagnostics, Place};
use groma_value::{Causes, Str};

use crate::evaluate::cell::{Cell, CellPart, ROOT};
use crate::evaluate::evaluation::Evaluation;
use crate::evaluate::instance::{Instance, Spread};
use crate::tree::{Child, ModuleId};

/// What stands in a list: an instance of a resource or of a module, or a placeholder for some.
#[derive(Clone, Debug)]
pub struct Listed {
    /// Its address; `[*]` stands where a key is not known.
    pub address: Str,
    /// What kind of object it is; nothing for a module.
    pub mode: Option<Mode>,
    /// Its type; nothing for a module.
    pub kind: Option<Str>,
    /// The name of its declaration.
    pub name: Str,
    /// Which instance it is.
    pub key: Key,
    /// The address of the module instance that it belongs to, empty for the root.
    pub module: Str,
    /// Where its declaration stands.
    pub place: Place,
    /// Why it is not known how many there are, for a placeholder and for all that is in one.
    pub deferred: Option<Causes>,
    /// Whether what is in it can be read; always so for a resource.
    pub is_installed: bool,
}

impl Listed {
    /// How it stands among those of the same module: text sorts as text, numbers as numbers.
    fn order(&self) -> impl Iterator<Item = (&str, &Key)> {
        let mode = match self.mode {
            None => "module",
            Some(Mode::Managed) => "",
            Some(mode) => mode.word(),
        };
        let words = [mode, self.kind.as_deref().unwrap_or("")];
        let words = words.into_iter().filter(|word| !word.is_empty());
        words.map(|word| (word, &Key::None)).chain([(&*self.name, &self.key)])
    }

    /// About how many bytes it takes.
    fn bytes(&self) -> u64 {
        // The name of the module is shared.
        size_of::<Inside>() as u64 + self.address.len() as u64
    }
}

/// Where the walk is: in an instance of a module, or in a module with an unknown number of them.
enum Around {
    Instance(Arc<Instance>),
    Placeholder { node: ModuleId, address: Str, causes: Causes },
}

/// What is listed, and what is in it.
type Inside = (Listed, Option<Around>);

/// What may be there, and how it is named.
struct Member {
    mode: Option<Mode>,
    kind: Option<Str>,
    name: Str,
    place: Place,
    is_installed: bool,
}

impl Member {
    fn address(&self) -> String {
        match (self.mode, &self.kind) {
            (Some(mode), Some(kind)) => format!("{}{}.{}", mode.prefix(), &**kind, &*self.name),
            _ => format!("module.{}", &*self.name),
        }
    }

    /// One of them, in the module instance of this address.
    fn listed(&self, module: &Str, key: Key, suffix: &str, causes: Option<&Causes>) -> Listed {
        Listed {
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
    /// Every instance of resources and modules in the order of addresses, keys by number as numbers.
    pub fn instances(&self, out: &mut Diagnostics) -> Vec<Listed> {
        let world = &self.world;
        let mut goals: Vec<Cell> = Vec::new();
        let mut listed: Vec<Listed> = Vec::new();
        // What is in a module comes right after it, before what stands beside it.
        let mut rest = self.members(&Around::Instance(world.instance(ROOT)), &mut goals);
        while let Some((one, inside)) = rest.pop() {
            listed.push(one);
            if let Some(around) = inside
                && !world.has_ended()
            {
                rest.append(&mut self.members(&around, &mut goals));
            }
        }
        world.driver().report(world, &goals, out);
        listed
    }

    /// Takes in what is listed, if the run may hold it.
    fn enlist(&self, members: &mut Vec<Inside>, one: Listed, inside: Option<Around>) {
        let budget = &self.world.options.budget;
        match budget.take_bytes(one.bytes()) {
            Ok(()) => members.push((one, inside)),
            Err(_) => budget.say_work(|| format!("the list of instances, at {}", &*one.address)),
        }
    }

    /// What stands in a module instance, the last first, and for a module what is in it.
    fn members(&self, around: &Around, goals: &mut Vec<Cell>) -> Vec<Inside> {
        let world = &self.world;
        let (node, address) = match around {
            Around::Instance(instance) => (instance.node, Str::from(&*instance.address)),
            Around::Placeholder { node, address, .. } => (*node, address.clone()),
        };
        let tree = world.node(node);
        let module = &tree.module;
        if let Around::Instance(instance) = around {
            let from = goals.len();
            let cell = |part| Cell { instance: instance.id, part };
            goals.extend((0..module.calls.len() as u32).map(|at| cell(CellPart::Call(at))));
            goals.extend((0..module.resources.len() as u32).map(|at| cell(CellPart::Spread(at))));
            world.driver().settle(world, &goals[from..]);
        }
        let mut members = Vec::new();
        for (at, resource) in module.resources.iter().enumerate() {
            let member = Member {
                mode: Some(resource.mode),
                kind: Some(resource.kind.clone()),
                name: resource.name.clone(),
                place: resource.place,
                is_installed: true,
            };
            let spread = match around {
                Around::Instance(instance) => instance.resources[at].get().map(|c| &c.spread),
                Around::Placeholder { .. } => None,
            };
            for_each_key(around, &resource.repetition, spread, &mut |_, key, suffix, causes| {
                let one = member.listed(&address, key, suffix, causes);
                self.enlist(&mut members, one, None);
            });
        }
        for (at, call) in module.calls.iter().enumerate() {
            let child = &tree.children[at];
            let member = Member {
                mode: None,
                kind: None,
                name: call.name.clone(),
                place: call.place,
                is_installed: matches!(child, Child::Module(_)),
            };
            let cell = match around {
                Around::Instance(instance) => instance.calls[at].get(),
                Around::Placeholder { .. } => None,
            };
            let spread = cell.map(|cell| &cell.spread);
            for_each_key(around, &call.repetition, spread, &mut |at, key, suffix, causes| {
                let one = member.listed(&address, key, suffix, causes);
                let made = cell.and_then(|cell| cell.instances.get(at?));
                let inside = match (child, made, causes) {
                    (Child::Absent, ..) | (_, None, None) => None,
                    (_, Some(id), _) => Some(Around::Instance(world.instance(*id))),
                    (Child::Module(node), None, Some(causes)) => Some(Around::Placeholder {
                        node: *node,
                        address: one.address.clone(),
                        causes: causes.clone(),
                    }),
                };
                self.enlist(&mut members, one, inside);
            });
        }
        members.sort_by(|(a, _), (b, _)| a.order().cmp(b.order()));
        members.reverse();
        members
    }
}

fn join(module: &str, inner: &str) -> String {
    if module.is_empty() { inner.to_owned() } else { format!("{module}.{inner}") }
}

/// Takes the position of an instance, its key, what its address ends in, and why it is a placeholder.
type Visit<'v> = dyn FnMut(Option<usize>, Key, &str, Option<&Causes>) + 'v;

/// Visits the instances that a spread makes, or the one placeholder for those that are not known.
fn for_each_key(
    around: &Around,
    repetition: &Repetition,
    spread: Option<&Spread>,
    visit: &mut Visit<'_>,
) {
    if let Around::Placeholder { causes, .. } = around {
        let suffix = if matches!(repetition, Repetition::Single) { "" } else { "[*]" };
        return visit(None, Key::None, suffix, Some(causes));
    }
    match spread {
        None => {}
        Some(Spread::Unsettled(causes)) => visit(None, Key::None, "[*]", Some(causes)),
        Some(spread) => {
            for at in 0..spread.len() {
                if let Some((key, _)) = spread.instance(at) {
                    let suffix = key.suffix();
                    visit(Some(at), key, &suffix, None);
                }
            }
        }
    }
}
