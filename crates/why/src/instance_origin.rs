//! The dependencies of a resource's instance: the arguments of its body, what a state records of it, and mocks.

use std::sync::Arc;

use groma_config::ResourceMode;
use groma_eval::Step;
use groma_module::built_in::BuiltInType;
use groma_module::declare::{IgnoredChanges, Resource};
use groma_project::{RecordedObject, ScopeRef};
use groma_value::{Str, Value, identical};

use crate::body::{DefiningPart, defining_parts};
use crate::node::{WhyKind, WhyNode};
use crate::origin::plain;
use crate::path::{self, WhyStep};
use crate::site::EvaluationSite;
use crate::subject::WhySubject;
use crate::why::{NodeWork, Why};

/// Creates the provenance node of a part of a recorded object, whose value comes from a state; `text` is what the node displays
/// as its source text.
fn from_state(
    before: &RecordedObject,
    steps: &[WhyStep],
    value: Option<Value>,
    text: Option<&str>,
) -> WhyNode {
    let address = format!("{}{}", before.address, path::text(Some(&before.value), steps));
    let (recorded, text) = (Some(before.place.clone()), text.map(str::to_owned));
    WhyNode { recorded, text, ..plain(WhyKind::State, address, None, value) }
}

/// Returns true if the part of an object at `steps` is wholly known and still has the value that the state records.
fn is_kept(before: &RecordedObject, steps: &[WhyStep], value: Option<&Value>) -> bool {
    let Some((was, is)) = path::at(&before.value, steps).zip(value) else { return false };
    let ((was, _), (is, _)) = (was.unmark_deep(), is.unmark_deep());
    is.is_wholly_known() && !is.is_null() && identical(&was, &is)
}

/// Returns true if `ignore_changes` covers the part of an object at `steps`.
fn is_ignored(ignored: &IgnoredChanges, steps: &[WhyStep]) -> bool {
    let is_step = |(step, asked): (&Step, &WhyStep)| match step {
        Step::Attribute(name) => asked.name() == *name,
        Step::Index(key) => WhyStep::of(key).is_some_and(|key| key.name() == asked.name()),
        _ => false,
    };
    match ignored {
        IgnoredChanges::Nothing => false,
        IgnoredChanges::All => !steps.is_empty(),
        IgnoredChanges::Paths(paths) => paths.iter().any(|path| {
            path.len() <= steps.len() && !path.is_empty() && path.iter().zip(steps).all(is_step)
        }),
    }
}

/// A part of a resource instance's value whose dependencies are asked for.
struct InstancePart<'s> {
    /// The instance.
    subject: &'s WhySubject,
    /// The path of the part in the value of the instance.
    steps: &'s [WhyStep],
    /// The declaration of the resource.
    declared: Arc<Resource>,
    /// The address of the instance.
    address: String,
    /// The value of the part, if known.
    value: Option<Value>,
    /// The object that the state records for the instance.
    recorded: Option<RecordedObject>,
}

impl InstancePart<'_> {
    /// Returns the address of the instance followed by the path of the part, such as `aws_vpc.a.tags.Name`.
    fn part_address(&self) -> String {
        format!("{}{}", self.address, path::text(None, self.steps))
    }

    /// Returns the object that the state records for the instance, if the part of the instance still has its recorded value.
    fn kept(&self) -> Option<&RecordedObject> {
        self.recorded.as_ref().filter(|before| is_kept(before, self.steps, self.value.as_ref()))
    }

    /// Returns true if `ignore_changes` covers the part of the instance at `path` and that part still has the recorded value.
    fn is_left(&self, path: &[WhyStep], value: Option<&Value>) -> bool {
        is_ignored(&self.declared.lifecycle().ignored, path)
            && self.recorded.as_ref().is_some_and(|before| is_kept(before, path, value))
    }
}

impl Why {
    /// Adds the provenance nodes on which a part of a resource instance depends, such as arguments, the state and mocks, and
    /// returns their numbers; `resource` is an index in the module, `position` one among the instances.
    pub(crate) fn body(
        &mut self,
        subject: &WhySubject,
        standpoint: &ScopeRef,
        resource: usize,
        position: usize,
        steps: &[WhyStep],
    ) -> Vec<usize> {
        let declared = self.evaluation.declared_at(standpoint).resources[resource].clone();
        let Some(inside) = self.evaluation.at_resource(standpoint, resource, position) else {
            return Vec::new();
        };
        let at = Arc::new(EvaluationSite { standpoint: inside, call: None, iterator: None });
        let part = InstancePart {
            subject,
            steps,
            declared,
            address: subject.address(&self.evaluation),
            value: subject.values(steps, &self.evaluation).1,
            recorded: self.evaluation.recorded_at(standpoint, resource, position),
        };
        if let Some(before) = part.kept()
            && is_ignored(&part.declared.lifecycle().ignored, steps)
        {
            let node = from_state(before, steps, part.value.clone(), Some("ignore_changes"));
            return vec![
                self.node(WhyKind::State, part.part_address(), |_| (node, NodeWork::Done)),
            ];
        }
        let (all, is_written) = self.defining_arguments(&part, &at);
        let mut found: Vec<usize> = Vec::new();
        if steps.is_empty() {
            found.extend(self.repetition(subject));
        }
        for one in &all {
            found.extend(self.argument(&part, one));
        }
        if !is_written || steps.is_empty() {
            found.extend(self.recorded_and_mocked(&part, is_written));
        }
        found
    }

    /// Returns the arguments that define a part of an instance, and true if the resource's body sets that part. A part of a data
    /// source that the body does not set depends on all of its arguments.
    fn defining_arguments(
        &self,
        part: &InstancePart<'_>,
        at: &Arc<EvaluationSite>,
    ) -> (Vec<DefiningPart>, bool) {
        let (content, schema) = (&part.declared.content, part.declared.block());
        let path = self.input_path(part);
        let parts = |path: &[WhyStep]| {
            defining_parts(content, schema.clone(), path, at, &part.address, &self.evaluation)
        };
        let all = parts(&path);
        let is_written = !all.is_empty();
        match !is_written && part.declared.mode == ResourceMode::Data {
            true => (parts(&[]), is_written),
            false => (all, is_written),
        }
    }

    /// Returns the path in a resource's body from which the part of the resource's instance comes: for an attribute that
    /// mirrors an argument the path into that argument. A step that the argument does not have leads to the whole argument.
    fn input_path(&self, part: &InstancePart<'_>) -> Vec<WhyStep> {
        let mut path = part.steps.to_vec();
        let mirrored = match part.steps.first() {
            Some(WhyStep::Name(name)) => {
                BuiltInType::of(&part.declared.kind).and_then(|own| own.mirrored(name))
            }
            _ => None,
        };
        if let Some(mirrored) = mirrored {
            path[0] = WhyStep::Name(Str::from(mirrored));
            while path.len() > 1 && part.subject.values(&path, &self.evaluation).1.is_none() {
                path.pop();
            }
        }
        path
    }

    /// Adds the provenance node of the argument `defining`, which defines the queried `part` of an instance, and returns the
    /// node's number; `None` if `ignore_changes` keeps the recorded value. A query for the whole object has one answer, the
    /// state that contains it.
    fn argument(&mut self, part: &InstancePart<'_>, defining: &DefiningPart) -> Option<usize> {
        let (_, value) = part.subject.values(&defining.path, &self.evaluation);
        if part.is_left(&defining.path, value.as_ref()) {
            return None;
        }
        let kind = if defining.repeats { WhyKind::Repetition } else { WhyKind::Argument };
        let address = format!("{}{}", part.address, path::text(None, &defining.path));
        // What the schema marks as sensitive is also hidden in the source text.
        let is_hidden = value.is_some_and(|value| value.marks().hide());
        Some(self.expression(
            kind,
            address,
            &defining.expr,
            &defining.at,
            &defining.rest,
            is_hidden,
        ))
    }

    /// Adds the provenance nodes of the state and the mocks that supply a part of a resource instance's value, and returns
    /// their numbers; `is_written` is true if the resource's body sets the part.
    fn recorded_and_mocked(&mut self, part: &InstancePart<'_>, is_written: bool) -> Vec<usize> {
        let (steps, value) = (part.steps, part.value.clone());
        let place = part.part_address();
        let mocks = self.mocks(&place, value.as_ref());
        let is_read = part.declared.mode == ResourceMode::Data || !is_written;
        let is_there = value.as_ref().is_some_and(|value| value.is_known() && !value.is_null());
        // For a whole object the state shows what was recorded.
        let kept = match steps.is_empty() {
            true => part.recorded.as_ref(),
            false => part.kept().filter(|_| !is_written),
        };
        let mut found = Vec::new();
        if let Some(before) = kept.filter(|_| mocks.is_empty()) {
            let value = if steps.is_empty() { Some(before.value.clone()) } else { value };
            let node = from_state(before, steps, value, None);
            found.push(self.node(WhyKind::State, place, |_| (node, NodeWork::Done)));
        } else if mocks.is_empty() && is_read && is_there && !is_written {
            let node = plain(WhyKind::State, place.clone(), None, value);
            found.push(self.node(WhyKind::State, place, |_| (node, NodeWork::Done)));
        }
        found.extend(mocks);
        found
    }
}
