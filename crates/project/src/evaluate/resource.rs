//! One instance of a resource: its written body evaluated, and what else is known about it.

use std::sync::Arc;

use groma_eval::{NamedValues, Overlay, Scope};
use groma_folder::Mode;
use groma_module::declare::{Content, Expression, InnerBlock, Resource};
use groma_syntax::{Diagnostic, Diagnostics, Severity};
use groma_value::{Causes, Mark, Marks, Str, Value};

use crate::built_in;
use crate::codes;
use crate::evaluate::cell::{Cell, CellPart};
use crate::evaluate::instance::Instance;
use crate::evaluate::object::{InstanceObject, Model, Written};
use crate::evaluate::outcome::{Reading, Verdict};
use crate::evaluate::world::World;
use crate::facts::{Fact, Request, TriggeredBy};
use crate::project::ModuleNode;
use crate::store;
use groma_decode::deprecation;
use groma_decode::{Decoded, Elements, Evaluator, Filling, Owner, decode, elements};

/// About how many bytes a block takes that a `dynamic` block makes, beside its values.
const BLOCK_BYTES: u64 = 512;

/// What a body can name: as it stands, and inside of `dynamic` blocks, whose references are looked
/// at only now.
#[derive(Clone)]
struct Scopes {
    plain: Arc<dyn Scope>,
    unchecked: Arc<dyn Scope>,
}

/// A body, read by its schema or, without one, as it is written.
enum Body {
    Decoded(Decoded, Filling),
    Written(Written),
}

impl Body {
    fn config(&self) -> Value {
        match self {
            Body::Decoded(decoded, _) => decoded.config(),
            Body::Written(written) => written.config(),
        }
    }

    /// Says anew why the rest is unknown.
    fn wait_for(&mut self, causes: &Causes) {
        match self {
            Body::Decoded(_, filling) => {
                let left = Some(causes.clone());
                *filling = Filling { computed: causes.clone(), left, early: None };
            }
            Body::Written(written) => written.wait_for(causes),
        }
    }
}

/// Where a body is evaluated.
struct BodySite<'w> {
    world: &'w Arc<World>,
    scopes: Scopes,
}

impl Evaluator for BodySite<'_> {
    fn makes(&self, blocks: usize) -> bool {
        let blocks = blocks as u64;
        self.world.options.budget.take_instances(blocks, blocks * BLOCK_BYTES).is_ok()
    }

    fn is_pending(&self, causes: &Causes) -> bool {
        self.world.is_pending_only(causes)
    }

    fn value(&self, expression: &Expression, out: &mut Diagnostics) -> Value {
        let value = self.world.evaluate(expression, &self.scopes.plain, out);
        let value = deprecation::tell_deep(value, expression, out);
        self.world.bounded(value, expression.place(), out)
    }

    fn inside<'s>(&'s self, iterator: &Str, element: Value) -> Box<dyn Evaluator + 's> {
        Box::new(BodySite { world: self.world, scopes: self.scopes.inside(iterator, element) })
    }
}

impl Scopes {
    /// The same with the element of a `dynamic` block.
    fn inside(&self, iterator: &Str, element: Value) -> Scopes {
        let mut names = NamedValues::new();
        names.insert(&**iterator, element);
        let inner: Arc<dyn Scope> = Arc::new(Overlay { names, below: self.unchecked.clone() });
        Scopes { plain: inner.clone(), unchecked: inner }
    }
}

impl World {
    pub(super) fn fill_object(
        self: &Arc<Self>,
        instance: &Arc<Instance>,
        at: u32,
        key: u32,
        out: &mut Diagnostics,
    ) -> bool {
        let resource = &self.module(instance).resources[at as usize];
        let Some(cell) = instance.resources[at as usize].get() else { return true };
        let Some((own, repeat)) = cell.spread.instance(key as usize) else { return true };
        let address = instance.address_of(&format!("{}{}", resource.address(), own.suffix()));
        let own_repeat = repeat.clone();
        let [plain, unchecked] = self.body_scopes(instance, repeat, at);
        let scopes = Scopes { plain, unchecked };
        let triggers = match resource.lifecycle().triggers.is_empty() {
            true => Vec::new(),
            false => self.triggered_by(instance, resource, &own_repeat),
        };
        let here = Cell { instance: instance.id, part: CellPart::Object(at, key) };
        let lifecycle = resource.lifecycle();
        let mut found = Diagnostics::new();
        if key == 0 {
            found.extend(resource.problems.iter().cloned());
        }
        self.check_provider_key(instance, resource, &scopes.plain, &mut found);
        let mut outcome =
            self.judge_before(&lifecycle.preconditions, &address, &scopes.plain, &mut found);
        let goes_on = outcome.verdict < Verdict::Fail;
        let object = match goes_on {
            true => self.object(instance, here, &address, &scopes, &triggers, &mut found),
            // What a broken precondition was to prevent is not looked at.
            false => Some(InstanceObject::blank()),
        };
        let Some(object) = object else {
            self.driver().waits_for(here, &address);
            return false;
        };
        self.driver().has_come(here);
        let object = match self.is_tracing() {
            true => self.trace_object(resource, &address, &scopes.plain, object),
            false => object,
        };
        if goes_on {
            let (after, below) = (&lifecycle.postconditions, &scopes.plain);
            let own = object.clone();
            self.judge_after(
                after,
                &address,
                self.advised_own(resource, own),
                below,
                &mut outcome,
                &mut found,
            );
        }
        if !lifecycle.preconditions.is_empty() || !lifecycle.postconditions.is_empty() {
            self.record(instance, here.part, outcome);
        }
        out.extend(found.into_vec());
        if let Some(place) = cell.objects.get(key as usize) {
            self.set(place, object);
        }
        true
    }

    /// What an instance of a resource would be by what is written of it, seen from a scope: nobody is asked for the rest.
    pub(super) fn written_of(
        self: &Arc<Self>,
        instance: &Arc<Instance>,
        at: u32,
        scope: Arc<dyn Scope>,
        out: &mut Diagnostics,
    ) -> Value {
        self.written_from(instance, at, [scope.clone(), scope], out)
    }

    /// The same, seen from what the body can name as it stands, and from the same where nobody has checked its references.
    pub(super) fn written_from(
        self: &Arc<Self>,
        instance: &Arc<Instance>,
        at: u32,
        [plain, unchecked]: [Arc<dyn Scope>; 2],
        out: &mut Diagnostics,
    ) -> Value {
        let resource = &self.module(instance).resources[at as usize];
        let scopes = Scopes { plain, unchecked };
        let computed = self.resource_causes(instance.node, at);
        let Some(schema) = &resource.schema else {
            let written = self.written(&resource.content, &scopes, &computed, out);
            return InstanceObject::of(written).shown();
        };
        let address = resource.address();
        let keeps = resource.mode != Mode::Ephemeral;
        let passes_inside = is_own(resource);
        let owner = Owner { address: &address, keeps, demands: false, passes_inside };
        let site = BodySite { world: self, scopes };
        let decoded = decode(&resource.content, &schema.block, &owner, &site, out);
        if resource.mode == Mode::Action {
            return decoded.config();
        }
        let left = match resource.mode {
            Mode::Managed if !schema.block.has_hidden_defaults() => None,
            Mode::Managed => Some(self.left_causes(instance.node, at)),
            _ => Some(computed.clone()),
        };
        if is_own(resource) {
            return built_in::data(&decoded.config(), &schema.block, &computed, &Model::default());
        }
        decoded.planned(&Filling { computed, left, early: None })
    }

    /// What an instance is: as written, as the facts say, or as its built-in provider would. Nothing where the facts are
    /// to come later.
    fn object(
        self: &Arc<Self>,
        instance: &Arc<Instance>,
        here: Cell,
        address: &str,
        scopes: &Scopes,
        triggers: &[TriggeredBy],
        out: &mut Diagnostics,
    ) -> Option<InstanceObject> {
        let CellPart::Object(at, _) = here.part else { return None };
        let resource = &self.module(instance).resources[at as usize];
        let causes = self.resource_causes(instance.node, at);
        let before = out.error_count();
        let mut body = match &resource.schema {
            Some(schema) => {
                let owner = Owner {
                    address,
                    keeps: resource.mode != Mode::Ephemeral,
                    demands: true,
                    passes_inside: is_own(resource),
                };
                let site = BodySite { world: self, scopes: scopes.clone() };
                let decoded = decode(&resource.content, &schema.block, &owner, &site, out);
                let causes = causes.clone();
                let left = self.left_causes(instance.node, at);
                let early = Some((resource.kind.clone(), left.clone()));
                let left = match resource.mode {
                    Mode::Managed => schema.block.has_hidden_defaults().then_some(left),
                    Mode::Data | Mode::Ephemeral | Mode::List => Some(causes.clone()),
                    Mode::Action => None,
                };
                Body::Decoded(decoded, Filling { computed: causes, left, early })
            }
            None => Body::Written(self.written(&resource.content, scopes, &causes, out)),
        };
        let marks = match resource.mode {
            Mode::Ephemeral => Marks::one(Mark::Ephemeral),
            _ => Marks::NONE,
        };
        let is_remote = resource.mode == Mode::Data && &*resource.kind == "terraform_remote_state";
        if let (Body::Written(written), true) = (&mut body, is_remote) {
            built_in::fit_remote_state(resource, written, out);
        }
        let config = body.config();
        let mut reading = Reading::Done;
        if resource.mode == Mode::Data {
            reading = self.reading(instance, resource, &config);
            if reading.is_later() {
                body.wait_for(&self.deferred_causes(instance.node, at));
            }
        }
        // What a check reads stops nothing; what is wrong with its arguments does.
        let is_refused = match &body {
            Body::Written(written) if is_remote && reading == Reading::Done => {
                let mut found = Diagnostics::new();
                built_in::check_remote_state(resource, written, self.project.edition, &mut found);
                let is_refused = found.has_errors();
                out.extend(found.into_vec().into_iter().map(|one| soft(one, resource)));
                is_refused
            }
            _ => false,
        };
        if is_own(resource) {
            let is_pending = |value: &Value| self.is_pending_only(&value.deep_causes());
            store::check(resource, &config, &is_pending, out);
        }
        let made = match (&body, resource.mode, &*resource.kind) {
            (Body::Decoded(_, filling), Mode::Managed, _) if is_own(resource) => {
                let cell = instance.resources[at as usize].get()?;
                let shape = &resource.schema.as_ref()?.block;
                Some(built_in::data(&config, shape, &filling.computed, &cell.model))
            }
            (Body::Decoded(decoded, filling), Mode::Managed | Mode::Data, _) => {
                Some(decoded.planned(filling))
            }
            (Body::Written(written), Mode::Data, "terraform_remote_state") => {
                Some(built_in::remote_state(written))
            }
            _ => None,
        };
        let shape = resource.block();
        let request = Request {
            address,
            mode: resource.mode,
            kind: &resource.kind,
            node: ModuleNode { project: &self.project, id: instance.node },
            declared: resource,
            schema: shape.as_deref(),
            config: &config,
            made: made.as_ref(),
            prior: None,
            importing: None,
            computed: &causes,
            left: &self.left_causes(instance.node, at),
            triggers,
            table: self.causes(),
            is_pending: &|value| self.is_pending_only(&value.deep_causes()),
        };
        let is_asked = reading == Reading::Done && out.error_count() == before && !is_refused;
        let fact = if is_asked { self.facts.resource(&request) } else { Fact::Unanswered };
        if resource.mode == Mode::Data {
            if reading == Reading::Done && !matches!(fact, Fact::Ready(_) | Fact::Planned(_)) {
                let is_refused = is_refused || matches!(fact, Fact::Failed(_));
                reading = match is_refused && resource.check.is_some() {
                    true => Reading::Failed,
                    false => Reading::Unread,
                };
            }
            self.ledger().readings.insert(here, reading);
        }
        let object = match fact {
            // It is gone by then.
            Fact::Later => return None,
            Fact::Ready(value) => InstanceObject::Whole(value.mark(&marks)),
            Fact::Planned(planned) => InstanceObject::Whole(planned.value.mark(&marks)),
            Fact::Partly(recorded) => match body {
                Body::Written(written) => {
                    InstanceObject::of(Written { marks, ..written }).with(recorded)
                }
                Body::Decoded(decoded, filling) => {
                    InstanceObject::Whole(decoded.planned(&filling).mark(&marks))
                }
            },
            Fact::Failed(why) if resource.mode == Mode::Managed => {
                let detail = format!("{address} cannot be planned: {why}");
                out.push(Diagnostic::error(&codes::RESOURCE_REFUSED, detail).at(resource.place));
                InstanceObject::blank()
            }
            Fact::Failed(why) => {
                let detail = format!("{address} cannot be read: {why}");
                let report = Diagnostic::error(&codes::DATA_FAILED, detail).at(resource.place);
                out.push(soft(report, resource));
                match (body, &*resource.kind) {
                    (Body::Written(written), "terraform_remote_state")
                        if reading == Reading::Failed =>
                    {
                        InstanceObject::Whole(built_in::remote_state(&written))
                    }
                    _ => InstanceObject::blank(),
                }
            }
            Fact::Unanswered if made.is_some() => {
                InstanceObject::Whole(made.clone().unwrap_or(Value::NULL).mark(&marks))
            }
            Fact::Unanswered => match (body, resource.mode, &*resource.kind) {
                // Nobody looks at what would be found.
                (_, Mode::List, _) => {
                    let causes = self.resource_causes(instance.node, at);
                    InstanceObject::of(Written { causes, ..Written::default() })
                }
                (Body::Decoded(decoded, _), Mode::Action, _) => {
                    InstanceObject::Whole(decoded.config())
                }
                (Body::Decoded(decoded, filling), ..) => {
                    InstanceObject::Whole(decoded.planned(&filling).mark(&marks))
                }
                (Body::Written(written), ..) => InstanceObject::of(Written { marks, ..written }),
            },
        };
        // What is made up stands for the answer of somebody who could be asked.
        let is_settled = out.error_count() == before && resource.mode != Mode::List;
        if !is_settled || !self.facts.makes_up() {
            return Some(object);
        }
        let whole = match &object {
            InstanceObject::Whole(value) => Some(value.bare()),
            InstanceObject::Written(_) => None,
        };
        let parts = self.facts.made_up(&request, whole);
        if reading == Reading::Unread && !parts.is_empty() {
            self.ledger().readings.insert(here, Reading::Done);
        }
        Some(object.with(parts))
    }

    /// Evaluates what is written in a body.
    fn written(
        self: &Arc<Self>,
        content: &Content,
        scopes: &Scopes,
        causes: &Causes,
        out: &mut Diagnostics,
    ) -> Written {
        let mut written = Written { causes: causes.clone(), ..Written::default() };
        for argument in &content.arguments {
            let value = self.evaluate(&argument.value, &scopes.plain, out);
            let value = deprecation::tell_deep(value, &argument.value, out);
            let value = self.bounded(value, argument.value.place(), out);
            written.arguments.push((argument.name.clone(), value));
        }
        for nested in &content.blocks {
            let made = self.blocks(nested, scopes, causes, out);
            let known = written.blocks.iter_mut().find(|(kind, _)| *kind == nested.kind);
            match (known, made) {
                (Some((_, Some(list))), Some(more)) => list.extend(more),
                (Some((_, list)), _) => *list = None,
                (None, made) => written.blocks.push((nested.kind.clone(), made)),
            }
        }
        written
    }

    /// The blocks that a nested block stands for; nothing where their number is not known.
    fn blocks(
        self: &Arc<Self>,
        nested: &InnerBlock,
        scopes: &Scopes,
        causes: &Causes,
        out: &mut Diagnostics,
    ) -> Option<Vec<Written>> {
        let Some(dynamic) = &nested.dynamic else {
            return Some(vec![self.written(&nested.content, scopes, causes, out)]);
        };
        let site = BodySite { world: self, scopes: scopes.clone() };
        let Elements::Known(elements) = elements(dynamic, &site, out) else { return None };
        let made = elements.into_iter().map(|element| {
            let inner = scopes.inside(&dynamic.iterator, element);
            self.written(&nested.content, &inner, causes, out)
        });
        Some(made.collect())
    }
}

/// Whether it is a resource of what every program has built in.
fn is_own(resource: &Resource) -> bool {
    resource.mode == Mode::Managed && &*resource.kind == "terraform_data"
}

/// What is found by reading `resource`: where a check reads it, it stops nothing.
fn soft(mut found: Diagnostic, resource: &Resource) -> Diagnostic {
    if resource.check.is_some() {
        found.severity = found.severity.max(Severity::Warning);
    }
    found
}
