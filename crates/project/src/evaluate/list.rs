//! Every instance by its address, without working out what is in it: only what says how many there
//! are is evaluated. Where that is not known, one placeholder `[*]` stands for all of them.

use std::sync::Arc;

use groma_folder::{Key, Mode};
use groma_module::declare::Repetition;
use groma_syntax::{Diagnostics, Place};
use groma_value::{Causes, Str};

use crate::evaluate::cell::{Cell, Part, ROOT};
use crate::evaluate::evaluation::Evaluation;
use crate::evaluate::instance::{Instance, Spread};
use crate::tree::{Child, NodeId};

/// What stands in a list: an instance of a resource or of a module, or a placeholder for some.
#[derive(Clone, Debug)]
pub struct Listed {
    /// Its address; `[*]` stands where a key is not known.
    pub address: String,
    /// What kind of object it is; nothing for a module.
    pub mode: Option<Mode>,
    /// Its type; nothing for a module.
    pub kind: Option<Str>,
    /// The name of its declaration.
    pub name: Str,
    /// Which instance it is.
    pub key: Key,
    /// The address of the module instance that it belongs to, empty for the root.
    pub module: String,
    /// Where its declaration stands.
    pub place: Place,
    /// Why it is not known how many there are, for a placeholder and for all that is in one.
    pub deferred: Option<Causes>,
    /// Whether what is in it can be read; always so for a resource.
    pub is_installed: bool,
    order: Vec<(Str, Key)>,
}

/// Where the walk is: in an instance of a module, or in a module with an unknown number of them.
enum Around {
    Instance(Arc<Instance>),
    Placeholder { node: NodeId, address: String, causes: Causes },
}

/// What may be there, how it is named, and in which order.
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

    /// The parts of the address with the key of the last: text sorts as text, numbers as numbers.
    fn order(&self, around: &[(Str, Key)], key: &Key) -> Vec<(Str, Key)> {
        let mut order = around.to_vec();
        let mut word = |text: &str| order.push((Str::from(text), Key::None));
        match self.mode {
            None => word("module"),
            Some(Mode::Managed) => {}
            Some(mode) => word(mode.word()),
        }
        if let Some(kind) = &self.kind {
            word(kind);
        }
        order.push((self.name.clone(), key.clone()));
        order
    }
}

impl Evaluation {
    /// Every instance of resources and modules in the order of addresses, keys by number as numbers.
    pub fn instances(&self, out: &mut Diagnostics) -> Vec<Listed> {
        let world = &self.world;
        let mut goals: Vec<Cell> = Vec::new();
        let mut listed: Vec<Listed> = Vec::new();
        let mut rest = vec![(Around::Instance(world.instance(ROOT)), Vec::new())];
        while let Some((around, order)) = rest.pop() {
            let (node, address) = match &around {
                Around::Instance(instance) => (instance.node, instance.address.clone()),
                Around::Placeholder { node, address, .. } => (*node, address.clone()),
            };
            let tree = world.node(node);
            let module = &tree.module;
            if let Around::Instance(instance) = &around {
                let from = goals.len();
                let cell = |part| Cell { instance: instance.id, part };
                goals.extend((0..module.calls.len() as u32).map(|at| cell(Part::Call(at))));
                goals.extend((0..module.resources.len() as u32).map(|at| cell(Part::Spread(at))));
                world.driver().settle(world, &goals[from..]);
            }
            let mut add = |member: &Member, key: Key, suffix: &str, causes: Option<&Causes>| {
                let inner = format!("{}{suffix}", member.address());
                let order = member.order(&order, &key);
                listed.push(Listed {
                    address: join(&address, &inner),
                    mode: member.mode,
                    kind: member.kind.clone(),
                    name: member.name.clone(),
                    key,
                    module: address.clone(),
                    place: member.place,
                    deferred: causes.cloned(),
                    is_installed: member.is_installed,
                    order: order.clone(),
                });
                order
            };
            for (at, resource) in module.resources.iter().enumerate() {
                let member = Member {
                    mode: Some(resource.mode),
                    kind: Some(resource.kind.clone()),
                    name: resource.name.clone(),
                    place: resource.place,
                    is_installed: true,
                };
                let spread = match &around {
                    Around::Instance(instance) => instance.resources[at].get().map(|c| &c.spread),
                    Around::Placeholder { .. } => None,
                };
                for_each_key(
                    &around,
                    &resource.repetition,
                    spread,
                    &mut |_, key, suffix, causes| {
                        add(&member, key, suffix, causes);
                    },
                );
            }
            let mut below = Vec::new();
            for (at, call) in module.calls.iter().enumerate() {
                let child = &tree.children[at];
                let member = Member {
                    mode: None,
                    kind: None,
                    name: call.name.clone(),
                    place: call.place,
                    is_installed: matches!(child, Child::Module(_)),
                };
                let cell = match &around {
                    Around::Instance(instance) => instance.calls[at].get(),
                    Around::Placeholder { .. } => None,
                };
                let spread = cell.map(|cell| &cell.spread);
                for_each_key(&around, &call.repetition, spread, &mut |at, key, suffix, causes| {
                    let order = add(&member, key, suffix, causes);
                    let Child::Module(node) = *child else { return };
                    let made = cell.and_then(|cell| cell.instances.get(at?));
                    let inside = match (made, causes) {
                        (Some(id), _) => Around::Instance(world.instance(*id)),
                        (None, Some(causes)) => Around::Placeholder {
                            node,
                            address: join(&address, &format!("{}{suffix}", member.address())),
                            causes: causes.clone(),
                        },
                        (None, None) => return,
                    };
                    below.push((inside, order));
                });
            }
            rest.append(&mut below);
        }
        world.driver().report(world, &goals, out);
        listed.sort_by(|a, b| a.order.cmp(&b.order));
        listed
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
