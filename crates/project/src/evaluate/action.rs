//! Which actions carrying a plan out would run, and what their providers would be told. An action is
//! evaluated like a resource; only what triggers it is looked at here, once everything else is there.

use std::sync::Arc;

use groma_folder::{Key, sentence};
use groma_module::declare::{Event, Expression, Resource, Trigger, Triggered};
use groma_module::resolve::{Surroundings, key_text, uses_of};
use groma_syntax::ast::Case;
use groma_syntax::{Diagnostic, Diagnostics, Expr, Place};
use groma_value::{Str, Type, Value};

use crate::codes;
use crate::evaluate::cell::{Cell, CellPart};
use crate::evaluate::instance::{Instance, Repeat, Spread};
use crate::evaluate::tree::ModuleInstance;
use crate::evaluate::world::World;

/// An action that carrying out a plan would run.
#[derive(Clone, Debug)]
pub struct Invocation {
    /// Its address, with every instance key.
    pub address: String,
    /// Its type.
    pub kind: Str,
    /// Its name.
    pub name: Str,
    /// Its declaration, by its position among the resources of the module.
    pub declared: usize,
    /// What the provider is told.
    pub config: Value,
    /// The instance of a resource that triggers it.
    pub triggered_by: String,
    /// When it runs.
    pub event: Event,
    /// Which trigger of the resource names it.
    pub trigger: usize,
    /// At which place in the list of that trigger.
    pub position: usize,
}

impl ModuleInstance {
    /// What an instance of a resource would have its providers do at these events, in the order of
    /// the triggers. `key` is that of the instance.
    pub fn invocations(
        &self,
        resource: usize,
        key: &Key,
        events: &[Event],
        out: &mut Diagnostics,
    ) -> Vec<Invocation> {
        let Some(declared) = self.module().resources.get(resource) else { return Vec::new() };
        if declared.lifecycle().action_triggers.is_empty() {
            return Vec::new();
        }
        let cell = self.instance.resources.get(resource).and_then(|cell| cell.get());
        let Some(cell) = cell else { return Vec::new() };
        let all = (0..cell.spread.len()).filter_map(|at| Some((at, cell.spread.instance(at)?)));
        let mut own = all.filter(|(_, (other, _))| other == key);
        let Some((position, (_, repeat))) = own.next() else { return Vec::new() };
        let asker = Asker {
            world: &self.world,
            instance: &self.instance,
            resource: declared,
            own: Cell {
                instance: self.instance.id,
                part: CellPart::Object(resource as u32, position as u32),
            },
            address: self.instance.address_of(&format!("{}{}", declared.address(), key.suffix())),
            repeat,
        };
        let mut found = Vec::new();
        for (at, trigger) in declared.lifecycle().action_triggers.iter().enumerate() {
            let now = || trigger.events.iter().filter(|event| events.contains(event));
            if now().next().is_none() || !asker.holds(trigger, out) {
                continue;
            }
            for (position, wanted) in trigger.actions.iter().enumerate() {
                let Some(one) = asker.action(trigger, wanted, out) else { continue };
                found.extend(now().map(|event| Invocation {
                    event: *event,
                    trigger: at,
                    position,
                    ..one.clone()
                }));
            }
        }
        found
    }
}

/// An instance of a resource that asks for actions.
struct Asker<'w> {
    world: &'w Arc<World>,
    instance: &'w Arc<Instance>,
    resource: &'w Resource,
    own: Cell,
    address: String,
    repeat: Repeat,
}

impl Asker<'_> {
    /// The value of an expression in the scope of the resource's instance.
    fn value(&self, expression: &Expression, out: &mut Diagnostics) -> Option<Value> {
        let around = Surroundings { check: self.resource.check.clone(), ..self.repeat.around() };
        let before = out.error_count();
        let mut expression = expression.clone();
        let names = &self.world.module(self.instance).names;
        expression.uses = uses_of(&expression, names, &around, out);
        if out.error_count() > before {
            return None;
        }
        self.world.settle_expression(self.instance, &expression);
        let scope = self.world.scope(self.instance, self.repeat.clone());
        let value = self.world.evaluate(&expression, &scope, out);
        (out.error_count() == before).then_some(value)
    }

    fn holds(&self, trigger: &Trigger, out: &mut Diagnostics) -> bool {
        let Some(condition) = &trigger.condition else { return true };
        let Some(value) = self.value(condition, out) else { return false };
        let place = condition.place();
        match groma_value::convert(value.bare(), &Type::Bool) {
            Ok(Value::Bool(holds)) => {
                let is_before = trigger.events.iter().any(|event| event.is_before());
                holds && !(is_before && self.report_ring(condition, place, "The condition", out))
            }
            Ok(Value::Null(_)) => false,
            Ok(_) if self.world.is_pending_only(&value.deep_causes()) => {
                let detail = "Whether the action runs has to be known before the plan is carried out, and this depends on values that are known only after it.";
                out.push(Diagnostic::error(&codes::ACTION_CONDITION, detail).at(place));
                false
            }
            Ok(_) => {
                self.undecided(place, out);
                false
            }
            Err(why) => {
                let detail = format!("The condition has to be true or false: {}.", sentence(&why));
                out.push(Diagnostic::error(&codes::ACTION_CONDITION, detail).at(place));
                false
            }
        }
    }

    fn undecided(&self, place: Place, out: &mut Diagnostics) {
        let detail = format!(
            "Whether {} has this action run cannot be told here, because something it depends on was not asked for.",
            self.address
        );
        out.push(Diagnostic::remark(&codes::UNDECIDED_ACTION, detail).at(place));
    }

    /// The action that a trigger names. When it runs is not told yet.
    fn action(
        &self,
        trigger: &Trigger,
        wanted: &Triggered,
        out: &mut Diagnostics,
    ) -> Option<Invocation> {
        let module = self.world.module(self.instance);
        let at = module.names.action(&wanted.kind, &wanted.name)? as usize;
        let declared = &module.resources[at];
        let key = match &wanted.key {
            Some(key) if !is_key(key) => {
                let detail = "The key of an action is a constant, each.key or count.index; nothing else can choose an instance here.";
                out.push(Diagnostic::error(&codes::ACTION_INSTANCE, detail).at(key.place()));
                return None;
            }
            Some(key) => Some(self.value(key, out)?),
            None => None,
        };
        let cell = self.instance.resources.get(at)?.get()?;
        let position = match (&cell.spread, &key) {
            (Spread::One, None) => Some(0),
            (Spread::Unsettled(_), _) => {
                self.undecided(wanted.place, out);
                return None;
            }
            (spread @ Spread::Numbered(..), Some(key @ (Value::Decimal(_) | Value::Real(_))))
            | (spread @ Spread::Keyed(..), Some(key @ Value::String(_))) => {
                key_text(key).and_then(|key| spread.position(&key))
            }
            _ => None,
        };
        let Some((position, (own, _))) =
            position.and_then(|at| Some((at, cell.spread.instance(at)?)))
        else {
            let detail = format!(
                "{} has no such instance. {}",
                declared.address(),
                how_to_choose(&cell.spread, &declared.address())
            );
            out.push(Diagnostic::error(&codes::ACTION_INSTANCE, detail).at(wanted.place));
            return None;
        };
        if trigger.events.iter().any(|event| event.is_before()) {
            let told = Cell {
                instance: self.instance.id,
                part: CellPart::Object(at as u32, position as u32),
            };
            if self.reaches(vec![told]) {
                self.say_ring(wanted.place, &declared.address(), out);
                return None;
            }
        }
        let config = cell.objects.get(position)?.get()?.shown();
        let address = self.instance.address_of(&format!("{}{}", declared.address(), own.suffix()));
        Some(Invocation {
            address,
            kind: declared.kind.clone(),
            name: declared.name.clone(),
            declared: at,
            config: of_config(&config),
            triggered_by: self.address.clone(),
            event: Event::AfterCreate,
            trigger: 0,
            position: 0,
        })
    }

    fn report_ring(
        &self,
        expression: &Expression,
        place: Place,
        what: &str,
        out: &mut Diagnostics,
    ) -> bool {
        let mut needs = Vec::new();
        let mut expression = expression.clone();
        let names = &self.world.module(self.instance).names;
        let around = Surroundings {
            count: true,
            each: true,
            check: self.resource.check.clone(),
            ..Surroundings::default()
        };
        expression.uses = uses_of(&expression, names, &around, &mut Diagnostics::new());
        self.world.expression_needs(self.instance, &expression, &mut |cell| needs.push(cell));
        let is_ring = self.reaches(needs);
        if is_ring {
            self.say_ring(place, what, out);
        }
        is_ring
    }

    fn say_ring(&self, place: Place, what: &str, out: &mut Diagnostics) {
        let detail = format!(
            "{what} needs {}, and is to be worked out before that is made. Use an event that comes after, or refer to what the resource is made of.",
            self.address
        );
        out.push(Diagnostic::error(&codes::ACTION_RING, detail).at(place));
    }

    /// Whether one of these cells needs the resource's own.
    fn reaches(&self, mut rest: Vec<Cell>) -> bool {
        let mut seen = rustc_hash::FxHashSet::default();
        let all = CellPart::Resource(match self.own.part {
            CellPart::Object(at, _) => at,
            _ => return false,
        });
        while let Some(cell) = rest.pop() {
            if cell.instance == self.own.instance
                && (cell.part == self.own.part || cell.part == all)
            {
                return true;
            }
            if seen.insert(cell) {
                let instance = self.world.instance(cell.instance);
                self.world.needs(&instance, cell, &mut |need| rest.push(need));
            }
        }
        false
    }
}

/// Whether an expression can choose an instance: a constant, or the key of the resource's own.
fn is_key(expression: &Expression) -> bool {
    let own = match &expression.expr {
        Expr::Native(native) => match native.view().case() {
            Case::Attribute { object, name, .. } => matches!(
                (object.case(), name),
                (Case::Root("each"), "key") | (Case::Root("count"), "index")
            ),
            _ => false,
        },
        Expr::Json(_) => false,
    };
    own || expression.constant().is_some()
}

/// The block `config` of what is written in an action.
fn of_config(body: &Value) -> Value {
    let Value::Object(body) = body.bare() else { return body.clone() };
    let config = body.iter().find(|(name, _)| &***name == "config").map(|(_, value)| value.clone());
    match config {
        // Without a schema nobody knows that there is only one.
        Some(Value::Tuple(all)) => all.items().first().cloned().unwrap_or(Value::NULL),
        Some(value) => value,
        None => Value::NULL,
    }
}

/// What a key of these instances looks like.
fn how_to_choose(spread: &Spread, address: &str) -> String {
    match spread {
        Spread::One => {
            format!("It has neither count nor for_each: write {address}, without a key.")
        }
        Spread::Numbered(0, _) | Spread::Never => "It has no instance at all.".to_owned(),
        Spread::Numbered(count, _) => {
            format!("It has count: its keys are the numbers from 0 to {}.", count - 1)
        }
        Spread::Keyed(all, _) => match all.first() {
            Some((first, _)) => {
                format!("It has for_each: its keys are texts, as in {address}[\"{}\"].", &**first)
            }
            None => "It has no instance at all.".to_owned(),
        },
        Spread::Unsettled(_) => String::new(),
    }
}
