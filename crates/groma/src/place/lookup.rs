//! Queries about declarations: their places, the references to them, and the calls that set a variable. A `DeclarationId` is
//! valid only in the snapshot that returned it.

use groma_module::Module;
use groma_module::declare::Repetition;
use groma_module::visit::Declaration;
use groma_syntax::{Place, Span};

use crate::Snapshot;
use crate::place::declaration::{DeclarationId, DeclarationSite};
use crate::place::index::{module, name_of};
use crate::place::reference::{InputCaller, PlaceReference};

impl Snapshot {
    /// Returns the declarations of a file, in source order.
    pub fn declarations_in(&self, path: &str) -> Vec<DeclarationSite> {
        let Some(file) = self.file(path) else { return Vec::new() };
        let sites = self.places().sites(self.project(), file);
        sites.declarations.iter().filter_map(|(_, id)| self.declaration(*id)).collect()
    }

    /// Returns a declaration with its places by its id; `None` for an id that this snapshot does not have.
    pub fn declaration(&self, id: DeclarationId) -> Option<DeclarationSite> {
        let module = module(self.project(), id.module)?;
        let (kind, at) = id.declaration.position();
        if at >= *module.counts().get(kind)? {
            return None;
        }
        let place = self.project().sources().resolve(id.declaration.place(module));
        let name = name_of(module, id.declaration).and_then(|name| {
            let text = self.text_at(place);
            let start = match id.declaration {
                // `name = value`
                Declaration::Local(_) => text.find(name).filter(|at| *at <= 1),
                _ => text.rfind(name),
            }? as u32;
            let start = place.span.start + start;
            Some(Place::new(place.file, Span::new(start, start + name.len() as u32)))
        });
        let (kind, address) = (id.declaration.word(module), id.declaration.address(module));
        Some(DeclarationSite { id, kind, address, place, name })
    }

    /// Returns the declaration at an address without keys, such as `module.net.var.cidr`; `None` if there is none.
    pub fn declaration_at(&self, address: &str) -> Option<DeclarationId> {
        let places = self.places();
        self.project().nodes().find_map(|node| {
            let within = node.address();
            let rest = match within.is_empty() {
                true => address,
                false => address.strip_prefix(&within)?.strip_prefix('.')?,
            };
            let module = places.first_of(node.number());
            let mut all = node.module().declarations();
            let declaration = all.find(|one| one.address(node.module()) == rest)?;
            Some(DeclarationId { module, declaration })
        })
    }

    /// Returns the place of a declaration's name, or of its header if the name is not written verbatim; `None` for an unknown
    /// id.
    pub fn definition(&self, id: DeclarationId) -> Option<Place> {
        self.declaration(id).map(|site| site.name.unwrap_or(site.place))
    }

    /// Returns every reference to a declaration in expressions, sorted by place. References to a variable are those within its
    /// module; its callers are [`callers_of`](Snapshot::callers_of).
    pub fn references(&self, id: DeclarationId) -> &[PlaceReference] {
        self.places().references(self.project()).get(id)
    }

    /// Returns the module calls that lead to a variable's module, each with the argument that sets the variable, if any. Empty
    /// for other declarations and for variables of the root module.
    pub fn callers_of(&self, id: DeclarationId) -> Vec<InputCaller> {
        let (Declaration::Variable(_), Some(called)) =
            (id.declaration, module(self.project(), id.module))
        else {
            return Vec::new();
        };
        let Some(name) = name_of(called, id.declaration) else { return Vec::new() };
        let places = self.places();
        let mut found: Vec<InputCaller> = Vec::new();
        for node in self.project().nodes() {
            if places.first_of(node.number()) != id.module {
                continue;
            }
            let Some((parent, call)) = node.parent() else { continue };
            let declaration = Declaration::Call(call as u32);
            let call_id = DeclarationId { module: places.first_of(parent.number()), declaration };
            if found.iter().any(|known| known.call == call_id) {
                continue;
            }
            let input = input(parent.module(), call, name);
            let resolve = |place| self.project().sources().resolve(place);
            found.push(InputCaller {
                call: call_id,
                argument: input.map(|input| resolve(input.0)),
                value: input.map(|input| resolve(input.1)),
            });
        }
        found
    }
}

impl Snapshot {
    /// Returns the variable that the argument `argument` of a module call sets; `None` for meta-arguments and for other
    /// declarations.
    pub fn input_of(&self, call: DeclarationId, argument: &str) -> Option<DeclarationId> {
        let Declaration::Call(at) = call.declaration else { return None };
        let node = self.project().nodes().nth(call.module)?;
        let child = node.child(at as usize)?;
        let variables = &child.module().variables;
        let position = variables.iter().position(|one| *one.name == *argument)?;
        let module = self.places().first_of(child.number());
        Some(DeclarationId { module, declaration: Declaration::Variable(position as u32) })
    }

    /// Returns the declaration whose block, or whose argument of `locals`, contains a place; `None` if there is none.
    pub fn declaration_around(&self, place: Place) -> Option<DeclarationId> {
        let place = self.project().sources().resolve(place);
        let start = self.syntax_position(place).start?;
        self.places().sites(self.project(), place.file).declared_at(start)
    }

    /// Returns true if a declaration is a variable.
    pub fn is_variable(&self, id: DeclarationId) -> bool {
        matches!(id.declaration, Declaration::Variable(_))
    }

    /// Returns true if a resource or a call has `count`, `for_each` or `enabled`.
    pub fn is_repeated(&self, id: DeclarationId) -> bool {
        let Some(module) = module(self.project(), id.module) else { return false };
        let repetition = match id.declaration {
            Declaration::Resource(at) => {
                module.resources.get(at as usize).map(|one| &one.repetition)
            }
            Declaration::Call(at) => module.calls.get(at as usize).map(|one| &one.repetition),
            _ => None,
        };
        repetition.is_some_and(|one| !matches!(one, Repetition::Single))
    }

    /// Returns the description of a variable or an output; `None` for other declarations or if it has none.
    pub fn description_of(&self, id: DeclarationId) -> Option<&str> {
        let module = module(self.project(), id.module)?;
        let description = match id.declaration {
            Declaration::Variable(at) => &module.variables.get(at as usize)?.description,
            Declaration::Output(at) => &module.outputs.get(at as usize)?.description,
            _ => return None,
        };
        description.as_deref()
    }

    /// Returns the number of the module that a call refers to; `None` if the module was not loaded.
    pub fn called_module(&self, call: DeclarationId) -> Option<usize> {
        let Declaration::Call(at) = call.declaration else { return None };
        let child = self.project().nodes().nth(call.module)?.child(at as usize)?;
        Some(self.places().first_of(child.number()))
    }
}

/// Returns the places of the name and of the value of the argument `name` in a module call of `caller`; `None` if the call does
/// not set it.
fn input(caller: &Module, call: usize, name: &str) -> Option<(Place, Place)> {
    let input = caller.calls.get(call)?.inputs.iter().find(|input| *input.name == *name)?;
    Some((input.name_place, input.value.place()))
}
