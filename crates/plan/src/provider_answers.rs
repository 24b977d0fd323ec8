//! The planned change of an instance for which facts answer in place of its provider. They are asked as the provider would be:
//! with the prior object and, if that leads to a replacement, again without it. Their answer counts; what it leaves open is
//! decided by the schema, as if no provider had been asked.

use groma_config::InstanceAddress;
use groma_project::{PlannedObject, PriorObject, ProviderAnswers, ResourceFact, ResourceRequest};
use groma_value::codec::path_text;
use groma_value::schema::BlockSchema;
use groma_value::{Marks, Path, Value, convert, ops};

use crate::compare::{hide, leading};
use crate::decide::{ChangeDecision, ExistingObject, complete};
use crate::propose::{propose, without_ignored};
use crate::reason::ChangeReason;

/// The parts of a recorded object besides its value: the provider's private data, the schema version, and the previous address.
#[derive(Clone, Default)]
pub(crate) struct StateExtras {
    pub(crate) private: Option<String>,
    pub(crate) schema_version: u64,
    pub(crate) from: Option<InstanceAddress>,
}

/// Returns the planned object in a provider's answer; `None` if the answer contains no whole object.
///
/// # Errors
/// The answer itself, if it is pending or a refusal.
pub(crate) fn planned(
    answer: ResourceFact,
    shape: Option<&BlockSchema>,
) -> Result<Option<PlannedObject>, ResourceFact> {
    let planned = match answer {
        ResourceFact::Planned(planned) => *planned,
        ResourceFact::Ready(value) => PlannedObject::new(value),
        ResourceFact::Unanswered | ResourceFact::Partly(_) => return Ok(None),
        other => return Err(other),
    };
    // Facts supply arbitrary values, and references to the resource rely on its type.
    let fits = |value: &Value| {
        let (bare, marks) = value.unmark_deep_paths();
        if bare.is_null() {
            return Err(ResourceFact::Failed("the value given for it is null.".to_owned()));
        }
        let Some(block) = shape else { return Ok(value.clone()) };
        let fitted = convert(&bare, &block.ty()).map_err(|why| {
            let at = path_text(&why.path);
            let at = if at.is_empty() { String::new() } else { format!(" (at {at})") };
            ResourceFact::Failed(format!("the value given for it does not have its type{at}."))
        })?;
        Ok(fitted.mark_paths(&marks))
    };
    let value = fits(&planned.value)?;
    let before = planned.before.as_ref().map(fits).transpose()?;
    Ok(Some(PlannedObject { value, before, ..planned }))
}

/// Returns a planned object with every part marked that is sensitive in the configuration, as `written` lists by path, or in
/// the schema.
fn marked(value: &Value, written: &[(Path, Marks)], shape: Option<&BlockSchema>) -> Value {
    hide(&value.mark_paths(&leading(written, value)), shape)
}

/// Returns the decision to create an object that a provider has planned.
pub(crate) fn creation(request: &ResourceRequest<'_>, planned: PlannedObject) -> ChangeDecision {
    let (_, written) = request.config.unmark_deep_paths();
    let after = marked(&planned.value, &written, request.schema);
    ChangeDecision { private: planned.private, ..ChangeDecision::create(after) }
}

impl ExistingObject<'_> {
    /// Returns the decision about the existing object by asking its provider, again without the object if it is to be
    /// replaced; `beside` is what the state records beside its value.
    ///
    /// # Errors
    /// The answer itself, if it is pending or a refusal.
    pub(crate) fn ask(
        self,
        answers: &dyn ProviderAnswers,
        beside: &StateExtras,
    ) -> Result<ChangeDecision, ResourceFact> {
        let request = self.request;
        let shape = request.schema;
        if self.is_tainted {
            let Some(anew) = planned(answers.resource(request), shape)? else {
                return Ok(self.decide());
            };
            let ChangeDecision { after, private, .. } = creation(request, anew);
            let reason = ChangeReason::Tainted;
            return Ok(ChangeDecision { private, ..self.renewed(reason, after, Vec::new()) });
        }
        let ignored = &request.declared.lifecycle().ignored;
        let config = match shape {
            Some(block) => complete(block, request.config),
            None => request.config.clone(),
        };
        let written = without_ignored(ignored, &self.before, &config);
        let proposed = shape
            .map(|block| propose(block, &self.before.unmark_deep().0, &written.unmark_deep().0));
        let prior = PriorObject {
            value: &self.before,
            proposed: proposed.as_ref(),
            private: beside.private.as_deref(),
            schema_version: beside.schema_version,
            from: beside.from.as_ref(),
        };
        let asked = ResourceRequest { prior: Some(&prior), config: &written, ..*request };
        let Some(answer) = planned(answers.resource(&asked), shape)? else {
            return Ok(self.decide());
        };
        let (_, marks) = written.unmark_deep_paths();
        self.settle(answer, &marks, answers)
    }

    /// Returns the decision that a provider's answer about the existing object leads to; `written` are the sensitive paths of the
    /// configuration.
    ///
    /// # Errors
    /// The answer about the replacement, if it is pending or a refusal.
    pub(crate) fn settle(
        mut self,
        answer: PlannedObject,
        written: &[(Path, Marks)],
        answers: &dyn ProviderAnswers,
    ) -> Result<ChangeDecision, ResourceFact> {
        let request = self.request;
        let shape = request.schema;
        if let Some(before) = answer.before {
            // What was sensitive stays so.
            let (_, marks) = self.before.unmark_deep_paths();
            self.before = marked(&before, &marks, shape);
        }
        let (before, _) = self.before.unmark_deep();
        let (value, _) = answer.value.unmark_deep();
        let differs = |path: &Path| match (ops::at(&before, path), ops::at(&value, path)) {
            (Some(was), Some(now)) => !ops::surely_same(&was, &now),
            (was, now) => was.is_some() != now.is_some(),
        };
        let paths: Vec<Path> = answer.replaces.into_iter().filter(differs).collect();
        if self.forced.is_some() || !paths.is_empty() {
            let anew = planned(answers.resource(request), shape)?;
            let decision = match anew {
                Some(anew) => creation(request, anew),
                None => ChangeDecision::create(
                    self.planned_from_nothing(request.config, request.created),
                ),
            };
            let ChangeDecision { after, private, .. } = decision;
            let reason = ChangeReason::CannotUpdate;
            return Ok(ChangeDecision { private, ..self.renewed(reason, after, paths) });
        }
        let is_same = ops::surely_same(&before, &value);
        let after = &answer.value.mark_paths(&leading(written, &value));
        Ok(ChangeDecision { private: answer.private, ..self.stays(after, &[], is_same) })
    }

    /// Returns the decision to replace the object by `after`, which its provider has planned; `paths` force the replacement.
    fn renewed(self, reason: ChangeReason, after: Value, paths: Vec<Path>) -> ChangeDecision {
        ChangeDecision { is_open: false, ..self.replaced(reason, after, paths) }
    }
}
