//! Actions that applying a plan would invoke, with the configuration for their providers. An action is evaluated like a
//! resource; its triggers are evaluated here, once everything else is.

use std::sync::Arc;

use groma_config::{InstanceKey, sentence};
use groma_module::declare::{
    ActionEvent, ActionTrigger, Expression, OnFailure, Resource, TriggeredAction,
};
use groma_module::resolve::{ExpressionPosition, Surroundings, key_text, uses_of};
use groma_syntax::ast::ExprCase;
use groma_syntax::{Diagnostic, Diagnostics, Expr, Place, Severity};
use groma_value::{Str, Type, Value};

use crate::codes;
use crate::evaluate::action_config::CALLER;
use crate::evaluate::cell::{Cell, CellPart};
use crate::evaluate::condition::SelfScope;
use crate::evaluate::instance::{Expansion, InstanceNode, RepeatKey};
use crate::evaluate::object::InstanceObject;
use crate::evaluate::tree::ModuleInstance;
use crate::evaluate::world::EvaluationState;

/// One invocation of an action during the apply of a plan: the action, its configuration, and the trigger or request that causes
/// it.
#[derive(Clone, Debug)]
pub struct ActionInvocation {
    /// The address of the action's instance, with every instance key.
    pub address: String,
    /// The action type.
    pub kind: Str,
    /// The action name.
    pub name: Str,
    /// The index of its declaration among the resources of the module.
    pub declared: usize,
    /// The configuration for the provider.
    pub config: Value,
    /// The reason why it runs.
    pub occasion: ActionOccasion,
}

/// The reason why an action is invoked: a trigger of a resource, or an explicit request.
#[derive(Clone, Debug)]
pub enum ActionOccasion {
    /// A trigger of a resource.
    Triggered {
        /// The address of the resource instance.
        by: String,
        /// The event on which it runs.
        event: ActionEvent,
        /// The index of the trigger in the resource.
        trigger: usize,
        /// The index of the action in the list of that trigger.
        position: usize,
        /// The consequence for the resource if it fails, where the edition has that setting.
        on_failure: Option<OnFailure>,
    },
    /// An explicit request.
    Asked {
        /// The resource instance that it counts as triggered by, if it refers to `caller`.
        caller: Option<String>,
    },
}

/// A change of a resource instance that may trigger actions: the instance, the events of the change, and the prior object.
#[derive(Clone, Copy, Debug)]
pub struct InstanceEvent<'a> {
    /// The index of the resource in the module.
    pub resource: usize,
    /// The key of the instance.
    pub key: &'a InstanceKey,
    /// The events of the change.
    pub events: &'a [ActionEvent],
    /// The prior object.
    pub before: Option<&'a Value>,
}

impl ModuleInstance {
    /// Returns the actions that a change of a resource instance would invoke, in the order of the triggers.
    pub fn invocations(
        &self,
        what: &InstanceEvent<'_>,
        out: &mut Diagnostics,
    ) -> Vec<ActionInvocation> {
        let Some(declared) = self.module().resources.get(what.resource) else { return Vec::new() };
        if declared.lifecycle().action_triggers.is_empty() {
            return Vec::new();
        }
        let part = CellPart::Expansion(what.resource as u32);
        self.world.scheduler().fill_all(&self.world, &[Cell { instance: self.instance.id, part }]);
        let cell = self.instance.resources.get(what.resource).and_then(|cell| cell.get());
        let Some(cell) = cell else { return Vec::new() };
        let position = cell.expansion.position_of_key(what.key);
        let own = position.and_then(|at| cell.expansion.instance(at));
        // An instance that is no longer declared is identified by its key.
        let repeat = own.map_or_else(|| RepeatKey::of_key(what.key), |(_, repeat)| repeat);
        let object = position.and_then(|at| cell.objects.get(at)?.get());
        let own = position.map_or(CellPart::Resource(what.resource as u32), |at| {
            CellPart::Object(what.resource as u32, at as u32)
        });
        let address = format!("{}{}", declared.address(), what.key.suffix());
        let requester = ActionRequester {
            world: &self.world,
            instance: &self.instance,
            resource: declared,
            at: what.resource as u32,
            own: Cell { instance: self.instance.id, part: own },
            address: self.instance.address_of(&address),
            repeat,
            now: object.cloned(),
            before: what.before.map(|before| InstanceObject::Whole(before.clone())),
            has_callers: self.world.project.conventions.has_callers,
        };
        let mut reported = Diagnostics::new();
        let found = requester.all(what.events, &mut reported);
        out.extend(reported.into_vec().into_iter().map(|mut one| {
            // Nothing can be mended for a removed instance: its actions just do not run.
            if position.is_none() {
                one.severity = one.severity.max(Severity::Warning);
            }
            one
        }));
        found
    }

    /// Returns the invocations of a requested action, by its index: of the instance with `key`, or of all instances if that is no
    /// key, each once for every resource instance in `callers`, given by address and object; `None` if there is no such instance.
    /// If `callers` is `None`, each instance is invoked once without a caller.
    pub fn requested_invocations(
        &self,
        action: usize,
        key: &InstanceKey,
        callers: Option<&[(String, Value)]>,
        out: &mut Diagnostics,
    ) -> Option<Vec<ActionInvocation>> {
        let expansion =
            Cell { instance: self.instance.id, part: CellPart::Expansion(action as u32) };
        self.world.scheduler().fill_all(&self.world, &[expansion]);
        self.world.scheduler().report(&self.world, &[expansion], out);
        let declared = self.module().resources.get(action)?;
        let cell = self.instance.resources.get(action)?.get()?;
        let wanted: Vec<usize> = match (key, cell.expansion.position_of_key(key)) {
            (_, Some(at)) => vec![at],
            (InstanceKey::None, None) => (0..cell.expansion.len()).collect(),
            _ => return None,
        };
        let nobody = [(None, None)];
        let callers: Vec<(Option<String>, Option<InstanceObject>)> = match callers {
            None => nobody.to_vec(),
            Some(all) => {
                let whole = |value: &Value| Some(InstanceObject::Whole(value.clone()));
                all.iter().map(|(address, value)| (Some(address.clone()), whole(value))).collect()
            }
        };
        let mut found = Vec::new();
        for at in wanted {
            let own = cell.expansion.key(at)?;
            for (caller, object) in &callers {
                let place = (action as u32, at as u32);
                let config =
                    self.world.config_of_action(&self.instance, place, object.as_ref(), out);
                let inner = format!("{}{}", declared.address(), own.suffix());
                found.extend(config.map(|config| ActionInvocation {
                    address: self.instance.address_of(&inner),
                    kind: declared.kind.clone(),
                    name: declared.name.clone(),
                    declared: action,
                    config,
                    occasion: ActionOccasion::Asked { caller: caller.clone() },
                }));
            }
        }
        Some(found)
    }
}

/// The resource instance whose action triggers are being evaluated, with its planned and its prior object.
struct ActionRequester<'w> {
    world: &'w Arc<EvaluationState>,
    instance: &'w Arc<InstanceNode>,
    resource: &'w Resource,
    /// The index of the resource.
    at: u32,
    own: Cell,
    address: String,
    repeat: RepeatKey,
    /// The planned object, if it is declared.
    now: Option<InstanceObject>,
    /// The prior object, if any.
    before: Option<InstanceObject>,
    /// True if actions can refer to it as `caller`.
    has_callers: bool,
}

impl ActionRequester<'_> {
    /// Returns the invocations that the resource's triggers for these events cause, in the order of the triggers.
    fn all(&self, events: &[ActionEvent], out: &mut Diagnostics) -> Vec<ActionInvocation> {
        let mut found = Vec::new();
        for (at, trigger) in self.resource.lifecycle().action_triggers.iter().enumerate() {
            let now: Vec<ActionEvent> =
                trigger.events.iter().filter(|event| events.contains(event)).copied().collect();
            // With callers, a condition is part of planning the resource, whatever its change.
            let is_looked_at = !now.is_empty() || self.has_callers && self.now.is_some();
            if !is_looked_at || !self.holds(trigger, out) {
                continue;
            }
            for (position, wanted) in trigger.actions.iter().enumerate() {
                for is_destroyed in [false, true] {
                    let of_this = |event: &&ActionEvent| event.is_destroying() == is_destroyed;
                    let mut now = now.iter().filter(of_this).peekable();
                    if now.peek().is_none() {
                        continue;
                    }
                    let Some(one) = self.action(trigger, wanted, is_destroyed, out) else {
                        continue;
                    };
                    found.extend(now.map(|event| ActionInvocation {
                        occasion: ActionOccasion::Triggered {
                            by: self.address.clone(),
                            event: *event,
                            trigger: at,
                            position,
                            on_failure: trigger.on_failure,
                        },
                        ..one.clone()
                    }));
                }
            }
        }
        found
    }

    /// Returns the names that an expression of the resource can use besides those of the module; `site` is the kind of argument
    /// that contains the expression.
    fn surroundings(&self, site: ExpressionPosition) -> Surroundings {
        let module = self.world.module(self.instance);
        match site {
            ExpressionPosition::Trigger if self.has_callers => Surroundings::of_resource(
                self.at,
                self.resource,
                site,
                module.names.callers_of(self.at),
                &self.world.project.conventions,
            ),
            _ => Surroundings { check: self.resource.check.clone(), ..self.repeat.surroundings() },
        }
    }

    /// Evaluates an expression, at the position `site` in a trigger, in the scope of the resource instance whose triggers are
    /// evaluated; `None` if errors were reported.
    fn value(
        &self,
        expression: &Expression,
        site: ExpressionPosition,
        out: &mut Diagnostics,
    ) -> Option<Value> {
        let surroundings = self.surroundings(site);
        let before = out.error_count();
        let mut expression = expression.clone();
        let names = &self.world.module(self.instance).names;
        expression.uses = uses_of(&expression, names, &surroundings, out);
        if out.error_count() > before {
            return None;
        }
        self.world.fill_dependencies(self.instance, &expression);
        let mut scope = self.world.scope(self.instance, self.repeat.clone());
        if let (Some(_), Some(object)) = (&surroundings.callers, &self.now) {
            scope = Arc::new(SelfScope { names: CALLER, object: object.clone(), below: scope });
        }
        let value = self.world.evaluate(&expression, &scope, out);
        (out.error_count() == before).then_some(value)
    }

    /// Returns true if a trigger has no condition, or its condition holds. An unknown one counts as true if actions have callers,
    /// else it is an error.
    fn holds(&self, trigger: &ActionTrigger, out: &mut Diagnostics) -> bool {
        let Some(condition) = &trigger.condition else { return true };
        let is_before = !self.has_callers && trigger.events.iter().any(|event| event.is_before());
        if is_before && self.report_own_key(condition, out) {
            return false;
        }
        let Some(value) = self.value(condition, ExpressionPosition::Trigger, out) else {
            return false;
        };
        let place = condition.place();
        match groma_value::convert(value.bare(), &Type::Bool) {
            Ok(Value::Bool(holds)) => {
                holds && !(is_before && self.report_cycle(condition, place, "The condition", out))
            }
            Ok(Value::Null(_)) => false,
            Ok(_) if self.world.is_pending_only(&value.deep_causes()) => {
                if self.has_callers {
                    // It is evaluated again once it is known.
                    return true;
                }
                let detail = "Whether the action runs has to be known before the apply, but this depends on values that are known only after it.";
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

    /// Reports, as a note, that it is unknown whether the resource triggers an action, because a dependency was not evaluated.
    fn undecided(&self, place: Place, out: &mut Diagnostics) {
        let detail = format!(
            "Whether {} triggers this action cannot be determined here, because something that it depends on was not evaluated.",
            self.address
        );
        out.push(Diagnostic::remark(&codes::UNDECIDED_ACTION, detail).at(place));
    }

    /// Returns the invocation, without its occasion yet, of the action `wanted` that a trigger names; `is_destroyed` is true if
    /// the triggering resource is destroyed, false if it is created or updated; `None` after a report.
    fn action(
        &self,
        trigger: &ActionTrigger,
        wanted: &TriggeredAction,
        is_destroyed: bool,
        out: &mut Diagnostics,
    ) -> Option<ActionInvocation> {
        let module = self.world.module(self.instance);
        let at = module.names.action(&wanted.kind, &wanted.name)? as usize;
        let declared = &module.resources[at];
        let key = match &wanted.key {
            Some(key) if !is_key(key) => {
                let detail = "The key of an action must be a constant, each.key or count.index.";
                out.push(Diagnostic::error(&codes::ACTION_INSTANCE, detail).at(key.place()));
                return None;
            }
            Some(key) => Some(self.value(key, ExpressionPosition::TriggeredKey, out)?),
            None => None,
        };
        let part = CellPart::Expansion(at as u32);
        self.world.scheduler().fill_all(self.world, &[Cell { instance: self.instance.id, part }]);
        let cell = self.instance.resources.get(at)?.get()?;
        let position = match (&cell.expansion, &key) {
            (Expansion::One, None) => Some(0),
            (Expansion::Unknown(_), _) => {
                self.undecided(wanted.place, out);
                return None;
            }
            (
                expansion @ Expansion::Numbered(..),
                Some(key @ (Value::Decimal(_) | Value::Real(_))),
            )
            | (expansion @ Expansion::Keyed(..), Some(key @ Value::String(_))) => {
                key_text(key).and_then(|key| expansion.position(&key))
            }
            _ => None,
        };
        let Some((position, (own, _))) =
            position.and_then(|at| Some((at, cell.expansion.instance(at)?)))
        else {
            let detail = format!(
                "{} has no such instance. {}",
                declared.address(),
                how_to_choose(&cell.expansion, &declared.address())
            );
            out.push(Diagnostic::error(&codes::ACTION_INSTANCE, detail).at(wanted.place));
            return None;
        };
        if !self.has_callers && trigger.events.iter().any(|event| event.is_before()) {
            let needed = Cell {
                instance: self.instance.id,
                part: CellPart::Object(at as u32, position as u32),
            };
            if self.depends_on_resource(vec![needed]) {
                self.report_self_dependency(wanted.place, &declared.address(), out);
                return None;
            }
        }
        let caller = if is_destroyed { self.before.as_ref() } else { self.now.as_ref() };
        let config = self.world.config_of_action(
            self.instance,
            (at as u32, position as u32),
            caller,
            out,
        )?;
        if is_destroyed && !config.is_wholly_known() {
            self.report_unknown(declared, &config, wanted.place, out)?;
        }
        let address = self.instance.address_of(&format!("{}{}", declared.address(), own.suffix()));
        Some(ActionInvocation {
            address,
            kind: declared.kind.clone(),
            name: declared.name.clone(),
            declared: at,
            config,
            occasion: ActionOccasion::Asked { caller: None },
        })
    }

    /// Reports that the configuration of an action that runs on destruction is unknown; returns `Some(())` if the action may run
    /// all the same, `None` if its configuration is known only after the destruction, which is an error.
    fn report_unknown(
        &self,
        action: &Resource,
        config: &Value,
        place: Place,
        out: &mut Diagnostics,
    ) -> Option<()> {
        if !self.world.is_pending_only(&config.deep_causes()) {
            self.undecided(place, out);
            return Some(());
        }
        let detail = format!(
            "{} runs when {} is destroyed, but its configuration is known only after that.",
            action.address(),
            self.address
        );
        out.push(Diagnostic::error(&codes::ACTION_CONFIG, detail).at(action.place));
        None
    }

    /// Reports a condition that refers to `count` or `each` although it is evaluated before the resource is created; returns true
    /// if it does.
    fn report_own_key(&self, condition: &Expression, out: &mut Diagnostics) -> bool {
        let located = &condition.located;
        let mut all = located.code.references().iter();
        let Some(own) = all.find(|one| matches!(&*one.root, "count" | "each")) else {
            return false;
        };
        let detail = format!(
            "Before the resource is created, {} is not available here. Use an event that comes after.",
            own.root
        );
        let place = condition.place();
        out.push(Diagnostic::error(&codes::ACTION_CONDITION, detail).at(place));
        true
    }

    /// Returns true if an expression that is evaluated before the resource is created depends on the resource itself, after a
    /// report with `what` as its subject.
    fn report_cycle(
        &self,
        expression: &Expression,
        place: Place,
        what: &str,
        out: &mut Diagnostics,
    ) -> bool {
        let mut needs = Vec::new();
        let mut expression = expression.clone();
        let names = &self.world.module(self.instance).names;
        let surroundings = Surroundings {
            count: true,
            each: true,
            check: self.resource.check.clone(),
            ..Surroundings::default()
        };
        expression.uses = uses_of(&expression, names, &surroundings, &mut Diagnostics::new());
        self.world.expression_needs(self.instance, &expression, &mut |cell| needs.push(cell));
        let is_cyclic = self.depends_on_resource(needs);
        if is_cyclic {
            self.report_self_dependency(place, what, out);
        }
        is_cyclic
    }

    /// Reports the error that a trigger's expression depends on the resource itself, which the caller has found; `what` is the
    /// subject of the message.
    fn report_self_dependency(&self, place: Place, what: &str, out: &mut Diagnostics) {
        let detail = format!(
            "{what} depends on {}, but has to be evaluated before that is created. Use an event that comes after, or refer to the values that the resource depends on.",
            self.address
        );
        out.push(Diagnostic::error(&codes::ACTION_RING, detail).at(place));
    }

    /// Returns true if one of these cells depends on the cell of the resource whose triggers are evaluated.
    fn depends_on_resource(&self, mut rest: Vec<Cell>) -> bool {
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

/// Returns true if an expression is allowed as the key of a triggered action: a constant, `each.key` or `count.index`.
fn is_key(expression: &Expression) -> bool {
    let own = match &expression.expr {
        Expr::Native(native) => match native.view().case() {
            ExprCase::Attribute { object, name, .. } => matches!(
                (object.case(), name),
                (ExprCase::Root("each"), "key") | (ExprCase::Root("count"), "index")
            ),
            _ => false,
        },
        Expr::Json(_) => false,
    };
    own || expression.constant().is_some()
}

/// Returns the sentence about the keys that select an instance of an action; empty if its instances are unknown.
fn how_to_choose(expansion: &Expansion, address: &str) -> String {
    match expansion {
        Expansion::One => {
            format!("It has neither count nor for_each: write {address}, without a key.")
        }
        Expansion::Numbered(0, _) | Expansion::Never => "It has no instances.".to_owned(),
        Expansion::Numbered(count, _) => {
            format!("It has count: its keys are the numbers from 0 to {}.", count - 1)
        }
        Expansion::Keyed(all, _) => match all.first() {
            Some((first, _)) => {
                format!("It has for_each: its keys are strings, as in {address}[\"{}\"].", &**first)
            }
            None => "It has no instances.".to_owned(),
        },
        Expansion::Unknown(_) => String::new(),
    }
}
