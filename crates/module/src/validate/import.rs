//! `import` blocks: whether what they take over is declared like that, and whether ids can be ids.

use groma_syntax::{Code, Diagnostic, Diagnostics};
use groma_value::Type;

use super::Examiner;
use crate::declare::resolve::{Shape, Surroundings};
use crate::declare::{Import, Mode, Module};
use crate::evaluate::Key;
use crate::link::{Child, NodeId};
use crate::mismatch;
use crate::target::ResourceTarget;

static NOT_ROOT: Code = Code { slug: "import-below-root", summary: "Import outside of the root" };
static NO_TARGET: Code = Code { slug: "import-target", summary: "Import into nothing" };
static KEY: Code = Code { slug: "import-key", summary: "Import and resource do not fit together" };
static ID: Code = Code { slug: "import-id", summary: "This cannot be the id of an import" };
static EACH: Code = Code { slug: "import-for-each", summary: "Import cannot repeat over this" };
static PROVIDER: Code =
    Code { slug: "import-provider", summary: "Import does not choose the provider" };

impl Examiner<'_> {
    pub(super) fn imports(&self, module: &Module, out: &mut Diagnostics) {
        for import in &module.imports {
            if self.node.parent.is_some() {
                let detail = "Only the root module takes objects over. Move this block there, and write the address from the root.";
                out.push(Diagnostic::error(&NOT_ROOT, detail).at(import.place));
                continue;
            }
            self.import(import, out);
        }
    }

    fn import(&self, import: &Import, out: &mut Diagnostics) {
        let mut by_number = None;
        if let Some(for_each) = &import.for_each {
            let value = self.evaluate(for_each, &self.context, out);
            by_number = match value.ty() {
                Type::Dynamic => None,
                Type::List(_) | Type::Tuple(_) => Some(true),
                Type::Bool | Type::Number | Type::String => {
                    let detail = "for_each of an import takes a collection: a map, an object, a set or a list.";
                    out.push(Diagnostic::error(&EACH, detail).at(for_each.place()));
                    None
                }
                _ => Some(false),
            };
        }
        self.target(import, by_number, out);
        let Some(id) = &import.id else { return };
        let each = import.for_each.is_some();
        let context = self.within(&Surroundings { each, ..Surroundings::default() });
        let before = out.error_count();
        let value = self.evaluate(id, &context, out);
        if out.error_count() == before
            && let Err(why) = groma_value::convert(value.bare(), &Type::String)
        {
            let detail = format!("An id is text: {}.", mismatch::sentence(&why));
            out.push(Diagnostic::error(&ID, detail).at(id.place()));
        }
    }

    /// Whether what is taken over is declared. A resource of the root may still be written.
    fn target(&self, import: &Import, by_number: Option<bool>, out: &mut Diagnostics) {
        let Some(target) = &import.target else { return };
        let Some(wanted) = &target.resource else { return };
        let mut node = self.node;
        for (name, _) in &target.modules {
            let calls = &node.module.calls;
            let child =
                calls.iter().position(|call| call.name == *name).map(|at| &node.children[at]);
            node = match child {
                Some(Child::Module(NodeId(id))) => &self.project.nodes[*id as usize],
                Some(Child::Absent) => return,
                None => {
                    let detail = format!(
                        "This takes {target} over, and no module \"{}\" is called there. Remove the import, or call the module.",
                        &**name
                    );
                    out.push(Diagnostic::error(&NO_TARGET, detail).at(import.to));
                    return;
                }
            };
        }
        let found = node.module.resources.iter().position(|resource| {
            resource.mode == Mode::Managed
                && resource.kind == wanted.kind
                && resource.name == wanted.name
        });
        let Some(at) = found else {
            if !target.modules.is_empty() {
                let detail = format!(
                    "This takes {target} over, and the module declares no such resource. Declare it there, or remove the import."
                );
                out.push(Diagnostic::error(&NO_TARGET, detail).at(import.to));
            }
            return;
        };
        if let Some(place) = import.provider {
            let detail = format!(
                "{target} is declared, and its own block says which provider it has. Remove the argument here."
            );
            out.push(Diagnostic::error(&PROVIDER, detail).at(place));
        }
        let shape = node.module.names.resource_shape(at as u32);
        if let Some(detail) = unfitting(shape, wanted, import, by_number) {
            out.push(Diagnostic::error(&KEY, detail).at(import.to));
        }
    }
}

/// Why an instance with this key cannot exist.
fn unfitting(
    shape: Shape,
    wanted: &ResourceTarget,
    import: &Import,
    by_number: Option<bool>,
) -> Option<String> {
    let name = format!("{}.{}", &*wanted.kind, &*wanted.name);
    if import.computed && wanted.key == Key::None {
        // The key is worked out from the elements; those of a list have numbers.
        return (by_number == Some(true) && shape == Shape::Keyed).then(|| {
            format!("The elements of a list have numbers for keys, and {name} has for_each.")
        });
    }
    match (shape, &wanted.key) {
        (Shape::One, Key::None)
        | (Shape::Numbered, Key::Number(_))
        | (Shape::Keyed, Key::Text(_)) => None,
        (Shape::One, _) => {
            Some(format!("{name} has neither count nor for_each: leave out the key."))
        }
        (Shape::Numbered, _) => {
            Some(format!("{name} has count: choose an instance, as in {name}[0]."))
        }
        (Shape::Keyed, _) => {
            Some(format!("{name} has for_each: choose an instance, as in {name}[\"key\"]."))
        }
    }
}
