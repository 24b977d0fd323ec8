//! One instance of a resource: its written body evaluated, and what else is known about it.

use std::sync::Arc;

use groma_config::ResourceMode;
use groma_eval::{LayeredScope, NamedValues, Scope};
use groma_module::declare::{Expression, InnerBlock, Resource, SchemaBody};
use groma_syntax::{Diagnostic, Diagnostics, Severity};
use groma_value::{Causes, Mark, Marks, Str, Value};

use crate::built_in;
use crate::codes;
use crate::evaluate::cell::{Cell, CellPart};
use crate::evaluate::instance::InstanceNode;
use crate::evaluate::object::{InstanceObject, Model, WrittenBody};
use crate::evaluate::outcome::{ConditionVerdict, DataReading};
use crate::evaluate::world::EvaluationState;
use crate::facts::{ResourceFact, ResourceRequest, TriggeredBy};
use crate::project::ModuleNode;
use crate::store;
use groma_decode::deprecation;
use groma_decode::{
    BodyEvaluator, BodyOwner, DecodedBody, DynamicElements, UnknownFilling, decode, elements,
};

/// About how many bytes a block takes that a `dynamic` block makes, beside its values.
const BLOCK_BYTES: u64 = 512;

/// The names that a body sees: as it stands, and inside of `dynamic` blocks, whose references are looked
/// at only now.
#[derive(Clone)]
struct BodyScopes {
    plain: Arc<dyn Scope>,
    unchecked: Arc<dyn Scope>,
}

/// A body, read by its schema or, without one, as it is written.
enum ReadBody {
    Decoded(DecodedBody, UnknownFilling),
    Written(WrittenBody),
}

impl ReadBody {
    fn config(&self) -> Value {
        match self {
            ReadBody::Decoded(decoded, _) => decoded.config(),
            ReadBody::Written(written) => written.config(),
        }
    }

    /// Says anew why the rest is unknown.
    fn wait_for(&mut self, causes: &Causes) {
        match self {
            ReadBody::Decoded(_, filling) => {
                let left = Some(causes.clone());
                *filling = UnknownFilling { computed: causes.clone(), left, early: None };
            }
            ReadBody::Written(written) => written.wait_for(causes),
        }
    }
}

/// The place where a body is evaluated.
struct BodySite<'w> {
    world: &'w Arc<EvaluationState>,
    scopes: BodyScopes,
}

impl BodyEvaluator for BodySite<'_> {
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

    fn inside<'s>(&'s self, iterator: &Str, element: Value) -> Box<dyn BodyEvaluator + 's> {
        Box::new(BodySite { world: self.world, scopes: self.scopes.inside(iterator, element) })
    }
}

impl BodyScopes {
    /// The same with the element of a `dynamic` block.
    fn inside(&self, iterator: &Str, element: Value) -> BodyScopes {
        let mut names = NamedValues::new();
        names.insert(&**iterator, element);
        let inner: Arc<dyn Scope> = Arc::new(LayeredScope { names, below: self.unchecked.clone() });
        BodyScopes { plain: inner.clone(), unchecked: inner }
    }
}

impl EvaluationState {
    pub(super) fn fill_object(
        self: &Arc<Self>,
        instance: &Arc<InstanceNode>,
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
        let scopes = BodyScopes { plain, unchecked };
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
        let goes_on = outcome.verdict < ConditionVerdict::Fail;
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

    /// Returns what an instance of a resource would be by what is written of it, seen from a scope: no provider is
    /// asked for the rest.
    pub(super) fn written_of(
        self: &Arc<Self>,
        instance: &Arc<InstanceNode>,
        at: u32,
        scope: Arc<dyn Scope>,
        out: &mut Diagnostics,
    ) -> Value {
        self.written_from(instance, at, [scope.clone(), scope], out)
    }

    /// The same, seen from what the body can name as it stands, and from the same where its references were not
    /// checked.
    pub(super) fn written_from(
        self: &Arc<Self>,
        instance: &Arc<InstanceNode>,
        at: u32,
        [plain, unchecked]: [Arc<dyn Scope>; 2],
        out: &mut Diagnostics,
    ) -> Value {
        let resource = &self.module(instance).resources[at as usize];
        let scopes = BodyScopes { plain, unchecked };
        let computed = self.resource_causes(instance.node, at);
        let Some(schema) = &resource.schema else {
            let written = self.written(&resource.content, &scopes, &computed, out);
            return InstanceObject::of(written).shown();
        };
        let address = resource.address();
        let keeps = resource.mode != ResourceMode::Ephemeral;
        let passes_inside = is_own(resource);
        let owner = BodyOwner { address: &address, keeps, demands: false, passes_inside };
        let site = BodySite { world: self, scopes };
        let decoded = decode(&resource.content, &schema.block, &owner, &site, out);
        if resource.mode == ResourceMode::Action {
            return decoded.config();
        }
        let left = match resource.mode {
            ResourceMode::Managed if !schema.block.has_hidden_defaults() => None,
            ResourceMode::Managed => Some(self.left_causes(instance.node, at)),
            _ => Some(computed.clone()),
        };
        if is_own(resource) {
            return built_in::data(&decoded.config(), &schema.block, &computed, &Model::default());
        }
        decoded.planned(&UnknownFilling { computed, left, early: None })
    }

    /// Works an instance out: as written, as the facts say, or as its built-in provider would. `None` where the facts
    /// are to come later.
    fn object(
        self: &Arc<Self>,
        instance: &Arc<InstanceNode>,
        here: Cell,
        address: &str,
        scopes: &BodyScopes,
        triggers: &[TriggeredBy],
        out: &mut Diagnostics,
    ) -> Option<InstanceObject> {
        let CellPart::Object(at, _) = here.part else { return None };
        let resource = &self.module(instance).resources[at as usize];
        let causes = self.resource_causes(instance.node, at);
        let before = out.error_count();
        let mut body = match &resource.schema {
            Some(schema) => {
                let owner = BodyOwner {
                    address,
                    keeps: resource.mode != ResourceMode::Ephemeral,
                    demands: true,
                    passes_inside: is_own(resource),
                };
                let site = BodySite { world: self, scopes: scopes.clone() };
                let decoded = decode(&resource.content, &schema.block, &owner, &site, out);
                let causes = causes.clone();
                let left = self.left_causes(instance.node, at);
                let early = Some((resource.kind.clone(), left.clone()));
                let left = match resource.mode {
                    ResourceMode::Managed => schema.block.has_hidden_defaults().then_some(left),
                    ResourceMode::Data | ResourceMode::Ephemeral | ResourceMode::List => {
                        Some(causes.clone())
                    }
                    ResourceMode::Action => None,
                };
                ReadBody::Decoded(decoded, UnknownFilling { computed: causes, left, early })
            }
            None => ReadBody::Written(self.written(&resource.content, scopes, &causes, out)),
        };
        let marks = match resource.mode {
            ResourceMode::Ephemeral => Marks::one(Mark::Ephemeral),
            _ => Marks::NONE,
        };
        let is_remote = groma_module::built_in::is_remote_state(resource.mode, &resource.kind);
        if let (ReadBody::Written(written), true) = (&mut body, is_remote) {
            built_in::fit_remote_state(resource, written, out);
        }
        let config = body.config();
        let mut reading = DataReading::Done;
        if resource.mode == ResourceMode::Data {
            reading = self.reading(instance, resource, &config);
            if reading.is_later() {
                body.wait_for(&self.deferred_causes(instance.node, at));
            }
        }
        // What a check reads stops nothing; what is wrong with its arguments does.
        let is_refused = match &body {
            ReadBody::Written(written) if is_remote && reading == DataReading::Done => {
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
            (ReadBody::Decoded(_, filling), ResourceMode::Managed, _) if is_own(resource) => {
                let cell = instance.resources[at as usize].get()?;
                let shape = &resource.schema.as_ref()?.block;
                Some(built_in::data(&config, shape, &filling.computed, &cell.model))
            }
            (
                ReadBody::Decoded(decoded, filling),
                ResourceMode::Managed | ResourceMode::Data,
                _,
            ) => Some(decoded.planned(filling)),
            (ReadBody::Written(written), ResourceMode::Data, "terraform_remote_state") => {
                Some(built_in::remote_state(written))
            }
            _ => None,
        };
        let shape = resource.block();
        let request = ResourceRequest {
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
        let is_asked = reading == DataReading::Done && out.error_count() == before && !is_refused;
        let fact = if is_asked { self.facts.resource(&request) } else { ResourceFact::Unanswered };
        if resource.mode == ResourceMode::Data {
            if reading == DataReading::Done
                && !matches!(fact, ResourceFact::Ready(_) | ResourceFact::Planned(_))
            {
                let is_refused = is_refused || matches!(fact, ResourceFact::Failed(_));
                reading = match is_refused && resource.check.is_some() {
                    true => DataReading::Failed,
                    false => DataReading::Unread,
                };
            }
            self.ledger().readings.insert(here, reading);
        }
        let object = match fact {
            // It is gone by then.
            ResourceFact::Later => return None,
            ResourceFact::Ready(value) => InstanceObject::Whole(value.mark(&marks)),
            ResourceFact::Planned(planned) => InstanceObject::Whole(planned.value.mark(&marks)),
            ResourceFact::Partly(recorded) => match body {
                ReadBody::Written(written) => {
                    InstanceObject::of(WrittenBody { marks, ..written }).with(recorded)
                }
                ReadBody::Decoded(decoded, filling) => {
                    InstanceObject::Whole(decoded.planned(&filling).mark(&marks))
                }
            },
            ResourceFact::Failed(why) if resource.mode == ResourceMode::Managed => {
                let detail = format!("{address} cannot be planned: {why}");
                out.push(Diagnostic::error(&codes::RESOURCE_REFUSED, detail).at(resource.place));
                InstanceObject::blank()
            }
            ResourceFact::Failed(why) => {
                let detail = format!("{address} cannot be read: {why}");
                let report = Diagnostic::error(&codes::DATA_FAILED, detail).at(resource.place);
                out.push(soft(report, resource));
                match (body, &*resource.kind) {
                    (ReadBody::Written(written), "terraform_remote_state")
                        if reading == DataReading::Failed =>
                    {
                        InstanceObject::Whole(built_in::remote_state(&written))
                    }
                    _ => InstanceObject::blank(),
                }
            }
            ResourceFact::Unanswered if made.is_some() => {
                InstanceObject::Whole(made.clone().unwrap_or(Value::NULL).mark(&marks))
            }
            ResourceFact::Unanswered => match (body, resource.mode, &*resource.kind) {
                // The findings are not looked at.
                (_, ResourceMode::List, _) => {
                    let causes = self.resource_causes(instance.node, at);
                    InstanceObject::of(WrittenBody { causes, ..WrittenBody::default() })
                }
                (ReadBody::Decoded(decoded, _), ResourceMode::Action, _) => {
                    InstanceObject::Whole(decoded.config())
                }
                (ReadBody::Decoded(decoded, filling), ..) => {
                    InstanceObject::Whole(decoded.planned(&filling).mark(&marks))
                }
                (ReadBody::Written(written), ..) => {
                    InstanceObject::of(WrittenBody { marks, ..written })
                }
            },
        };
        // A mocked value stands for the answer of a provider that could be asked.
        let is_settled = out.error_count() == before && resource.mode != ResourceMode::List;
        if !is_settled || !self.facts.makes_up() {
            return Some(object);
        }
        let whole = match &object {
            InstanceObject::Whole(value) => Some(value.bare()),
            InstanceObject::Written(_) => None,
        };
        let parts = self.facts.made_up(&request, whole);
        if reading == DataReading::Unread && !parts.is_empty() {
            self.ledger().readings.insert(here, DataReading::Done);
        }
        Some(object.with(parts))
    }

    /// Evaluates what is written in a body.
    fn written(
        self: &Arc<Self>,
        content: &SchemaBody,
        scopes: &BodyScopes,
        causes: &Causes,
        out: &mut Diagnostics,
    ) -> WrittenBody {
        let mut written = WrittenBody { causes: causes.clone(), ..WrittenBody::default() };
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
        scopes: &BodyScopes,
        causes: &Causes,
        out: &mut Diagnostics,
    ) -> Option<Vec<WrittenBody>> {
        let Some(dynamic) = &nested.dynamic else {
            return Some(vec![self.written(&nested.content, scopes, causes, out)]);
        };
        let site = BodySite { world: self, scopes: scopes.clone() };
        let DynamicElements::Known(elements) = elements(dynamic, &site, out) else { return None };
        let made = elements.into_iter().map(|element| {
            let inner = scopes.inside(&dynamic.iterator, element);
            self.written(&nested.content, &inner, causes, out)
        });
        Some(made.collect())
    }
}

/// Returns true if it is a resource of what every program has built in.
fn is_own(resource: &Resource) -> bool {
    groma_module::built_in::is_data(resource.mode, &resource.kind)
}

/// Returns what is found by reading `resource`: where a check reads it, it stops nothing.
fn soft(mut found: Diagnostic, resource: &Resource) -> Diagnostic {
    if resource.check.is_some() {
        found.severity = found.severity.max(Severity::Warning);
    }
    found
}
