//! Look-up of the instance that an address names. Only repetitions on the way are evaluated; for an address that does not exist,
//! the diagnostic lists the existing names.

use std::sync::Arc;

use groma_config::{InstanceKey, ResourceMode, first_of};
use groma_eval::{LocatedCode, Reference, Step};
use groma_module::declare::{Repetition, Resource};
use groma_module::resolve::{Surroundings, key_text};
use groma_syntax::{
    Diagnostic, DiagnosticCode, Diagnostics, Expr, FileId, Place, Source, parse_expression,
};
use groma_value::{Value, nearest};

use crate::codes;
use crate::evaluate::cell::{Cell, CellPart, ROOT};
use crate::evaluate::evaluation::Evaluation;
use crate::evaluate::instance::{Expansion, InstanceNode, RepeatKey};
use crate::evaluate::world::EvaluationState;
use crate::tree::CalledModule;

/// Maximum number of existing names that an error about a wrong address lists.
const LISTED: usize = 12;

/// The position from which an expression is evaluated: an instance of a module or of a resource.
#[derive(Clone, Debug)]
pub struct ScopeRef {
    pub(super) instance: Arc<InstanceNode>,
    pub(super) repeat: RepeatKey,
    /// The indices of the resource and of its instance.
    pub(super) own: Option<(u32, u32)>,
}

impl ScopeRef {
    /// Creates the scope of the root module's instance in the evaluation `world`.
    pub(super) fn root(world: &EvaluationState) -> ScopeRef {
        ScopeRef { instance: world.instance(ROOT), repeat: RepeatKey::None, own: None }
    }

    /// Returns the names visible in the instance besides those of its module, such as `each.key` and `self`, for completion.
    pub(super) fn own_names(&self) -> impl Iterator<Item = &'static str> {
        let repeated: &[&str] = match self.repeat {
            RepeatKey::None => &[],
            RepeatKey::Index(_) => &["count.index"],
            RepeatKey::Each(..) => &["each.key", "each.value"],
        };
        repeated.iter().copied().chain(self.own.map(|_| "self"))
    }

    /// Returns the surroundings of an expression in the instance: if `count`, `each` and `self` are visible.
    pub(super) fn surroundings(&self, world: &EvaluationState) -> Surroundings {
        let resources = &world.module(&self.instance).resources;
        let resource = self.own.and_then(|(at, _)| resources.get(at as usize));
        Surroundings {
            own: self.own.map(|(at, _)| at),
            check: resource.and_then(|resource| resource.check.clone()),
            ..self.repeat.surroundings()
        }
    }
}

impl Evaluation {
    /// Returns the scope of the root module's instance, for queries that take the scope of an expression.
    pub fn at_root(&self) -> ScopeRef {
        ScopeRef::root(&self.world)
    }

    /// Returns the scope of the module instance with an address, empty for the root; `None` and a diagnostic if it is missing.
    pub fn at_module(&self, address: &str, out: &mut Diagnostics) -> Option<ScopeRef> {
        if address.is_empty() {
            return Some(self.at_root());
        }
        let found = self.at(address, out)?;
        if found.own.is_none() {
            return Some(found);
        }
        let detail = format!("{address} is a resource. An instance of a module is needed here.");
        out.push(Diagnostic::error(&codes::INSTANCE_ADDRESS, detail));
        None
    }

    /// Returns the scope of the module or resource instance with an address such as `module.a["x"].aws_instance.b[0]`; `None` and
    /// a diagnostic if it is missing.
    pub fn at(&self, address: &str, out: &mut Diagnostics) -> Option<ScopeRef> {
        let file = self.world.sources().add(Source::new("<address>", address));
        let text = self.world.sources().get(file).text().clone();
        let parse = parse_expression(&text, file);
        if !parse.diagnostics.is_empty() {
            out.push(not_an_address(file, &text));
            return None;
        }
        let located = LocatedCode::of(&Expr::of(&parse), &self.world.library);
        let [reference] = located.code.references() else {
            out.push(not_an_address(file, &text));
            return None;
        };
        let covered = located.place(reference.span).span;
        let is_plain = |step: &Step| matches!(step, Step::Attribute(_) | Step::Index(_));
        let whole = covered.start as usize == text.len() - text.trim_start().len()
            && covered.end as usize == text.trim_end().len();
        if !whole || !reference.steps.iter().all(is_plain) {
            out.push(not_an_address(file, &text));
            return None;
        }
        let mut search = AddressSearch {
            world: &self.world,
            place: located.place(reference.span),
            steps: &reference.steps,
            at: ScopeRef::root(&self.world),
            out,
        };
        search.follow(reference)
    }
}

/// Returns the diagnostic for a text that is not the address of an instance.
fn not_an_address(file: FileId, text: &str) -> Diagnostic {
    let detail = if text.contains("[*]") { PLACEHOLDER_MESSAGE } else { SYNTAX_MESSAGE };
    let span = groma_syntax::Span::new(0, text.len() as u32);
    Diagnostic::error(&codes::INSTANCE_ADDRESS, detail).at(Place::new(file, span))
}

/// The message for an address that contains `[*]` where the address of a single instance is required.
const PLACEHOLDER_MESSAGE: &str = "[*] stands for all instances, whose keys are unknown. Give the values that decide them, and name one instance. `groma list --json` shows which values these are.";
/// The message that explains how the address of an instance is written.
const SYNTAX_MESSAGE: &str = "The address of an instance consists of names and literal keys, as in module.name[\"key\"] or module.name.type.name[0]. In a shell, quote it so that the quotes of its keys stay.";

/// A search that follows the steps of an address to the instance that it names.
struct AddressSearch<'s> {
    world: &'s Arc<EvaluationState>,
    place: Place,
    steps: &'s [Step],
    at: ScopeRef,
    out: &'s mut Diagnostics,
}

impl<'s> AddressSearch<'s> {
    /// Reports an error about the address and returns `None`.
    fn fail<T>(&mut self, code: &'static DiagnosticCode, detail: String) -> Option<T> {
        self.out.push(Diagnostic::error(code, detail).at(self.place));
        None
    }

    /// Consumes the next step of the address if it is an attribute name, else returns `None`.
    fn name(&mut self) -> Option<&'s str> {
        let [Step::Attribute(name), rest @ ..] = self.steps else { return None };
        self.steps = rest;
        Some(name)
    }

    /// Consumes the next step of the address if it is an instance key, else returns `None`.
    fn key(&mut self) -> Option<&'s Value> {
        let [Step::Index(key), rest @ ..] = self.steps else { return None };
        self.steps = rest;
        Some(key)
    }

    /// Returns the address of the module instance that the search has reached, worded as the subject of a sentence in a
    /// message.
    fn module_phrase(&self) -> String {
        match self.at.instance.address.as_str() {
            "" => "The root module".to_owned(),
            address => address.to_owned(),
        }
    }

    /// Follows all steps of a reference and returns the scope of the instance that it names; `None` after an error.
    fn follow(&mut self, reference: &Reference) -> Option<ScopeRef> {
        let mut word = &*reference.root;
        while word == "module" {
            self.call()?;
            if self.steps.is_empty() {
                return Some(self.at.clone());
            }
            match self.name() {
                Some(name) => word = name,
                None => {
                    return self.fail(
                        &codes::INSTANCE_ADDRESS,
                        "An instance has one key, not two.".to_owned(),
                    );
                }
            }
        }
        let (mode, kind) = match word {
            "data" => (ResourceMode::Data, self.name()),
            "ephemeral" => (ResourceMode::Ephemeral, self.name()),
            "resource" => (ResourceMode::Managed, self.name()),
            kind => (ResourceMode::Managed, Some(kind)),
        };
        let (Some(kind), Some(name)) = (kind, self.name()) else {
            let detail = format!(
                "\"{word}\" has to be followed by the type and the name of a resource, as in type.name[0]. {}",
                self.what_is_here()
            );
            return self.fail(&codes::INSTANCE_ADDRESS, detail);
        };
        self.resource(mode, kind, name)
    }

    /// Moves the search into the module instance that the next steps select, a call's name and a key; `None` after an error.
    fn call(&mut self) -> Option<()> {
        let Some(name) = self.name() else {
            let detail = format!(
                "\"module\" has to be followed by the name of a module call. {}",
                self.what_is_here()
            );
            return self.fail(&codes::INSTANCE_ADDRESS, detail);
        };
        let instance = self.at.instance.clone();
        let module = self.world.module(&instance);
        let Some(call) = module.call_position(name) else {
            let names: Vec<String> = module.calls.iter().map(|call| call.address()).collect();
            return self.report_undeclared(&format!("module.{name}"), &names);
        };
        let (node, part) = (self.world.node(instance.node), CellPart::Call(call as u32));
        let address = instance.address_of(&format!("module.{name}"));
        self.evaluate_cell(part);
        let cell = instance.calls[call].get()?;
        let (at, _) = self.choose(&address, &module.calls[call].repetition, &cell.expansion)?;
        if matches!(node.children[call], CalledModule::Absent) {
            let detail =
                format!("The source of {address} is not available, so its contents are unknown.");
            return self.fail(&codes::INSTANCE_UNKNOWN, detail);
        }
        self.at.instance = self.world.instance(*cell.instances.get(at)?);
        Some(())
    }

    /// Returns the scope of an instance of a resource of the module reached, selected by the key that may end the address; `None`
    /// after an error.
    fn resource(&mut self, mode: ResourceMode, kind: &str, name: &str) -> Option<ScopeRef> {
        let instance = self.at.instance.clone();
        let resources = &self.world.module(&instance).resources;
        let is_meant =
            |one: &Arc<Resource>| one.mode == mode && *one.kind == *kind && *one.name == *name;
        let Some(number) = resources.iter().position(is_meant) else {
            let names: Vec<String> = resources.iter().map(|one| one.address()).collect();
            return self.report_undeclared(&format!("{}{kind}.{name}", mode.prefix()), &names);
        };
        let resource = &resources[number];
        let address = instance.address_of(&resource.address());
        self.evaluate_cell(CellPart::Expansion(number as u32));
        let cell = instance.resources[number].get()?;
        let (at, repeat) = self.choose(&address, &resource.repetition, &cell.expansion)?;
        if !self.steps.is_empty() {
            let detail = format!(
                "The address of the instance ends at {address}{}: refer to attributes in the expression, as in self.name.",
                repeat.key().suffix()
            );
            return self.fail(&codes::INSTANCE_ADDRESS, detail);
        }
        self.at.repeat = repeat;
        self.at.own = Some((number as u32, at as u32));
        Some(self.at.clone())
    }

    /// Evaluates a cell of the module instance that the search has reached, and reports its diagnostics.
    fn evaluate_cell(&mut self, part: CellPart) {
        let cell = Cell { instance: self.at.instance.id, part };
        let scheduler = self.world.scheduler();
        scheduler.fill_all(self.world, &[cell]);
        scheduler.report(self.world, &[cell], self.out);
    }

    /// Returns the index of the instance that the next step of the address selects, with its `count` or `each`; `None` and an
    /// error if the key is missing or wrong.
    fn choose(
        &mut self,
        address: &str,
        repetition: &Repetition,
        expansion: &Expansion,
    ) -> Option<(usize, RepeatKey)> {
        let key = self.key();
        if let Expansion::Unknown(causes) = expansion {
            let detail = format!("The number of instances of {address} is unknown.");
            let mut diagnostic = Diagnostic::error(&codes::INSTANCE_UNKNOWN, detail).at(self.place);
            for cause in causes.ids().iter().filter_map(|id| self.world.causes().get(*id)) {
                let text = format!("It depends on {}.", cause.address);
                diagnostic = match cause.place {
                    Some(place) => diagnostic.note_at(text, place),
                    None => diagnostic.note(text),
                };
            }
            self.out.push(diagnostic);
            return None;
        }
        let all = self.keys(expansion);
        let detail = match (key, repetition) {
            _ if expansion.len() == 0 => format!("{address} has no instances."),
            (None, Repetition::Single | Repetition::Enabled(_)) => {
                return Some((0, RepeatKey::None));
            }
            (Some(_), Repetition::Single | Repetition::Enabled(_)) => {
                format!("{address} is a single object without instances: remove the key.")
            }
            (None, _) => format!("{address} has several instances: choose one. {}", listed(&all)),
            (Some(key), _) => {
                let key = key_text(key);
                let position = key.as_deref().and_then(|key| expansion.position(key));
                if let Some(position) = position
                    && let Some((_, repeat)) = expansion.instance(position)
                {
                    return Some((position, repeat));
                }
                let text = key.unwrap_or_default();
                let keys = all.iter().filter_map(|key| match key {
                    InstanceKey::Text(key) => Some(&**key),
                    _ => None,
                });
                let hint = match nearest(&text, keys) {
                    Some(near) => format!("Did you mean {near:?}?"),
                    None => listed(&all),
                };
                let own = match expansion {
                    Expansion::Numbered(..) => format!("[{text}]"),
                    _ => InstanceKey::Text(text.as_str().into()).suffix(),
                };
                format!("There is no {address}{own}. {hint}")
            }
        };
        self.fail(&codes::NO_SUCH_INSTANCE, detail)
    }

    /// Returns the keys of all instances of an expansion.
    fn keys(&self, expansion: &Expansion) -> Vec<InstanceKey> {
        (0..expansion.len()).filter_map(|at| expansion.instance(at)).map(|(key, _)| key).collect()
    }

    /// Reports that the module that the search has reached does not declare the resource or call `meant`, and returns `None`;
    /// the error suggests the most similar of `names`.
    fn report_undeclared<T>(&mut self, meant: &str, names: &[String]) -> Option<T> {
        let hint = match nearest(meant, names.iter().map(String::as_str)) {
            Some(near) => format!("Did you mean {near}?"),
            None => self.what_is_here(),
        };
        let here = self.module_phrase();
        self.fail(&codes::NO_SUCH_INSTANCE, format!("{here} declares no {meant}. {hint}"))
    }

    /// Returns a sentence that lists the resources and module calls of the module that the search has reached.
    fn what_is_here(&self) -> String {
        let module = self.world.module(&self.at.instance);
        let calls = module.calls.iter().map(|call| call.address());
        let names: Vec<String> = module.resource_addresses().chain(calls).collect();
        match names.as_slice() {
            [] => "Neither resources nor modules are declared there.".to_owned(),
            names => format!("There are: {}.", first_of(names, ", ", LISTED)),
        }
    }
}

/// Returns a sentence that lists instance keys, such as "Its keys are 0 to 3."
fn listed(keys: &[InstanceKey]) -> String {
    match keys {
        [.., InstanceKey::Number(last)] if *last > 0 => format!("Its keys are 0 to {last}."),
        keys => {
            let keys: Vec<String> = keys.iter().map(InstanceKey::suffix).collect();
            let word = if keys.len() == 1 { "Its only key is" } else { "Its keys are" };
            format!("{word} {}.", first_of(&keys, ", ", LISTED))
        }
    }
}
