//! The object of a resource instance: as configured, by facts, or by its built-in provider. The phases are those of a plan: the
//! body is read, then checked; facts are asked with what it says, and their answer becomes the object.

use std::sync::Arc;

use groma_config::{InstanceAddress, ResourceMode};
use groma_module::built_in::is_remote_state;
use groma_module::declare::Resource;
use groma_syntax::{Diagnostic, Diagnostics, Severity};
use groma_value::schema::BlockSchema;
use groma_value::{Causes, Mark, Marks, Value};

use crate::built_in;
use crate::codes;
use crate::evaluate::cell::Cell;
use crate::evaluate::instance::InstanceNode;
use crate::evaluate::object::{InstanceObject, WrittenBody};
use crate::evaluate::outcome::DataReading;
use crate::evaluate::resource_body::{BodyScopes, BodySite, ReadBody, is_terraform_data};
use crate::evaluate::world::EvaluationState;
use crate::facts::{ResourceFact, ResourceRequest, TriggeredBy, ValueOverrides};
use crate::project::ModuleNode;
use crate::store;
use groma_decode::{BodyOwner, UnknownFilling, decode};

/// The evaluation of one resource instance's object, from its body to its value.
pub(super) struct ObjectEvaluation<'w> {
    pub(super) world: &'w Arc<EvaluationState>,
    pub(super) instance: &'w Arc<InstanceNode>,
    /// The index of the resource.
    pub(super) at: u32,
    /// The cell of the instance.
    pub(super) here: Cell,
    pub(super) resource: &'w Resource,
    pub(super) address: &'w InstanceAddress,
    pub(super) scopes: &'w BodyScopes,
    /// The causes of computed attributes that are unknown.
    pub(super) causes: Causes,
    pub(super) triggers: &'w [TriggeredBy],
}

impl ObjectEvaluation<'_> {
    /// Evaluates the object of the resource instance; `None` if the facts requested about it are not available yet.
    pub(super) fn run(&self, out: &mut Diagnostics) -> Option<InstanceObject> {
        let (world, resource) = (self.world, self.resource);
        let before = out.error_count();
        let mut body = self.body(out);
        let config = body.config();
        let mut reading = self.reading(&config, &mut body);
        let has_invalid_arguments = self.has_invalid_arguments(&body, &config, reading, out);
        let created = self.as_created(&body, &config)?;
        let shape = resource.block();
        let left = world.unset_causes(self.instance.node, self.at);
        let is_pending = |value: &Value| world.is_pending_only(&value.deep_causes());
        let request = self.request(&config, created.as_ref(), shape.as_deref(), &left, &is_pending);
        let is_asked =
            reading == DataReading::Done && out.error_count() == before && !has_invalid_arguments;
        let fact = match is_asked {
            true => world.facts.answers.resource(&request),
            false => ResourceFact::Unanswered,
        };
        if resource.mode == ResourceMode::Data {
            reading = self.settled_reading(reading, &fact, has_invalid_arguments);
            world.ledger().readings.insert(self.here, reading);
        }
        let object = self.answered(fact, body, created.clone(), reading, out)?;
        // A mocked value replaces the answer of a provider that could be asked.
        let is_settled = out.error_count() == before && resource.mode != ResourceMode::List;
        Some(match &world.facts.overrides {
            Some(overrides) if is_settled => {
                self.overridden(object, &**overrides, &request, reading)
            }
            _ => object,
        })
    }

    /// Evaluates the body of the resource: decoded by its schema or, without one, as configured.
    fn body(&self, out: &mut Diagnostics) -> ReadBody {
        let (world, resource) = (self.world, self.resource);
        let Some(schema) = &resource.schema else {
            let mut written = world.written(&resource.content, self.scopes, &self.causes, out);
            if is_remote_state(resource.mode, &resource.kind) {
                built_in::fit_remote_state(resource, &mut written, out);
            }
            return ReadBody::Written(written);
        };
        let owner = BodyOwner {
            address: self.address,
            keeps: resource.mode != ResourceMode::Ephemeral,
            demands: true,
            accepts_computed_inside: is_terraform_data(resource),
        };
        let site = BodySite { world, scopes: self.scopes.clone() };
        let decoded = decode(&resource.content, &schema.block, &owner, &site, out);
        let left = world.unset_causes(self.instance.node, self.at);
        let early = Some((resource.kind.clone(), left.clone()));
        let left = match resource.mode {
            ResourceMode::Managed => schema.block.has_hidden_defaults().then_some(left),
            ResourceMode::Data | ResourceMode::Ephemeral | ResourceMode::List => {
                Some(self.causes.clone())
            }
            ResourceMode::Action => None,
        };
        let filling = UnknownFilling { computed: self.causes.clone(), left, early };
        ReadBody::Decoded(decoded, filling)
    }

    /// Returns when the data source is read; if only during apply, gives unknown attributes of `body` the causes of the delay.
    fn reading(&self, config: &Value, body: &mut ReadBody) -> DataReading {
        if self.resource.mode != ResourceMode::Data {
            return DataReading::Done;
        }
        let reading = self.world.reading(self.instance, self.resource, config);
        if reading.is_later() {
            body.wait_for(&self.world.deferred_causes(self.instance.node, self.at));
        }
        reading
    }

    /// Reports invalid arguments of a `terraform_remote_state` that `reading` says was read, and of a `terraform_data`; returns
    /// true if the former's prevent reading.
    fn has_invalid_arguments(
        &self,
        body: &ReadBody,
        config: &Value,
        reading: DataReading,
        out: &mut Diagnostics,
    ) -> bool {
        let (world, resource) = (self.world, self.resource);
        let is_remote = is_remote_state(resource.mode, &resource.kind);
        // A read error in a check stops nothing; invalid arguments do.
        let has_invalid_arguments = match body {
            ReadBody::Written(written) if is_remote && reading == DataReading::Done => {
                let mut found = Diagnostics::new();
                let edition = world.project.edition;
                built_in::check_remote_state(resource, written, edition, &mut found);
                let has_invalid_arguments = found.has_errors();
                out.extend(
                    found.into_vec().into_iter().map(|one| softened_in_check(one, resource)),
                );
                has_invalid_arguments
            }
            _ => false,
        };
        if is_terraform_data(resource) {
            let is_pending = |value: &Value| world.is_pending_only(&value.deep_causes());
            store::check(resource, config, &is_pending, out);
        }
        has_invalid_arguments
    }

    /// Returns the object of the resource instance as it would be if created now; `None` inside if only a provider could tell,
    /// `None` outside if the resource's cell is missing.
    fn as_created(&self, body: &ReadBody, config: &Value) -> Option<Option<Value>> {
        let resource = self.resource;
        Some(match (body, resource.mode, &*resource.kind) {
            (ReadBody::Decoded(_, filling), ResourceMode::Managed, _)
                if is_terraform_data(resource) =>
            {
                let cell = self.instance.resources[self.at as usize].get()?;
                let shape = &resource.schema.as_ref()?.block;
                Some(built_in::data(config, shape, &filling.computed, &cell.model))
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
        })
    }

    /// Returns the request for facts about the resource instance: `config` are its written arguments as an object, `created` is
    /// its value if it were created now, `left` are the causes of unknown attributes that a provider need not compute to know,
    /// and `is_pending` tells whether a value is unknown to the reference programs too.
    fn request<'r>(
        &'r self,
        config: &'r Value,
        created: Option<&'r Value>,
        schema: Option<&'r BlockSchema>,
        left: &'r Causes,
        is_pending: &'r dyn Fn(&Value) -> bool,
    ) -> ResourceRequest<'r> {
        ResourceRequest {
            address: self.address,
            mode: self.resource.mode,
            kind: &self.resource.kind,
            node: ModuleNode { project: &self.world.project, id: self.instance.node },
            declared: self.resource,
            schema,
            config,
            created,
            prior: None,
            importing: None,
            computed: &self.causes,
            left,
            triggers: self.triggers,
            table: self.world.causes(),
            is_pending,
        }
    }

    /// Returns the final status of a data source: `reading`, except if that is `Done` although the answer `fact` holds no object:
    /// then `Failed`, if its arguments are invalid or its reading failed and it stands in a check, else `Unread`.
    fn settled_reading(
        &self,
        reading: DataReading,
        fact: &ResourceFact,
        has_invalid_arguments: bool,
    ) -> DataReading {
        let is_read = matches!(fact, ResourceFact::Ready(_) | ResourceFact::Planned(_));
        if reading != DataReading::Done || is_read {
            return reading;
        }
        let has_invalid_arguments =
            has_invalid_arguments || matches!(fact, ResourceFact::Failed(_));
        match has_invalid_arguments && self.resource.check.is_some() {
            true => DataReading::Failed,
            false => DataReading::Unread,
        }
    }

    /// Returns the object of the resource instance according to `fact`, the answer about it; if that is no answer, `created`, its
    /// value if it were created now, or without one its configuration `body`; `None` while the answer is pending.
    fn answered(
        &self,
        fact: ResourceFact,
        body: ReadBody,
        created: Option<Value>,
        reading: DataReading,
        out: &mut Diagnostics,
    ) -> Option<InstanceObject> {
        let (resource, address) = (self.resource, self.address);
        let marks = match resource.mode {
            ResourceMode::Ephemeral => Marks::one(Mark::Ephemeral),
            _ => Marks::NONE,
        };
        Some(match fact {
            // The answer is pending: the cell is evaluated again later.
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
                out.push(softened_in_check(report, resource));
                match (body, &*resource.kind) {
                    (ReadBody::Written(written), "terraform_remote_state")
                        if reading == DataReading::Failed =>
                    {
                        InstanceObject::Whole(built_in::remote_state(&written))
                    }
                    _ => InstanceObject::blank(),
                }
            }
            ResourceFact::Unanswered => match created {
                Some(created) => InstanceObject::Whole(created.mark(&marks)),
                None => self.configured(body, marks),
            },
        })
    }

    /// Returns the object of a resource instance for which the facts had no answer: what is configured, with `marks` on its
    /// values.
    fn configured(&self, body: ReadBody, marks: Marks) -> InstanceObject {
        match (body, self.resource.mode) {
            // Results of a list query are not evaluated.
            (_, ResourceMode::List) => {
                let causes = self.causes.clone();
                InstanceObject::of(WrittenBody { causes, ..WrittenBody::default() })
            }
            (ReadBody::Decoded(decoded, _), ResourceMode::Action) => {
                InstanceObject::Whole(decoded.config())
            }
            (ReadBody::Decoded(decoded, filling), _) => {
                InstanceObject::Whole(decoded.planned(&filling).mark(&marks))
            }
            (ReadBody::Written(written), _) => InstanceObject::of(WrittenBody { marks, ..written }),
        }
    }

    /// Returns `object` with the attributes that overrides, such as mocks, supply for the instance of `request`; a data source
    /// that by `reading` was not read counts as read from then on.
    fn overridden(
        &self,
        object: InstanceObject,
        overrides: &dyn ValueOverrides,
        request: &ResourceRequest<'_>,
        reading: DataReading,
    ) -> InstanceObject {
        let whole = match &object {
            InstanceObject::Whole(value) => Some(value.bare()),
            InstanceObject::Written(_) => None,
        };
        let parts = overrides.attributes(request, whole);
        if reading == DataReading::Unread && !parts.is_empty() {
            self.world.ledger().readings.insert(self.here, DataReading::Done);
        }
        object.with(parts)
    }
}

/// Returns a diagnostic about `resource` as a warning if that is the scoped data source of a check, else unchanged.
fn softened_in_check(mut found: Diagnostic, resource: &Resource) -> Diagnostic {
    if resource.check.is_some() {
        found.severity = found.severity.max(Severity::Warning);
    }
    found
}
