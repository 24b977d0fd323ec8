//! The planned change of a declared instance: the planned object, from the prior one and the configuration, and the action that
//! leads to it. Exact for the built-in `terraform_data`. For other resources the schema says what is kept, and only the provider
//! can say if a change can be made in place.

use groma_project::ResourceRequest;
use groma_value::schema::{AttributeSchema, BlockSchema};
use groma_value::{Marks, Path, PathStep, Str, Value, convert, json, ops};

use crate::built_in;
use crate::change::Action;
use crate::compare::{hidden, hide, leading};
use crate::known::{KnownType, is_computed_from};
use crate::propose::{propose, without_ignored};
use crate::reason::ChangeReason;

/// The planned change of an instance: its action and reason, its prior and its planned object.
#[derive(Clone, Debug)]
pub(crate) struct ChangeDecision {
    pub(crate) action: Action,
    pub(crate) reason: Option<ChangeReason>,
    /// The prior object, with sensitive parts marked.
    pub(crate) before: Option<Value>,
    /// The planned object.
    pub(crate) after: Value,
    /// The paths that force replacement.
    pub(crate) replace_paths: Vec<Path>,
    /// True if only the provider can decide the action.
    pub(crate) is_open: bool,
    /// The private data that the provider stores with the plan.
    pub(crate) private: Option<Str>,
}

impl ChangeDecision {
    /// Returns the decision to create the object `after`.
    pub(crate) fn create(after: Value) -> ChangeDecision {
        ChangeDecision {
            action: Action::Create,
            reason: None,
            before: None,
            after,
            replace_paths: Vec::new(),
            is_open: false,
            private: None,
        }
    }
}

/// A declared instance that has a prior object, and whose planned change is to be determined.
pub(crate) struct ExistingObject<'a> {
    pub(crate) request: &'a ResourceRequest<'a>,
    /// The prior object, with sensitive parts marked.
    pub(crate) before: Value,
    pub(crate) is_tainted: bool,
    /// The reason for an unconditional replacement.
    pub(crate) forced: Option<ChangeReason>,
    /// True if sensitive parts were read anew, as a refresh does.
    pub(crate) is_refreshed: bool,
}

impl ExistingObject<'_> {
    /// Returns the planned change of the existing instance: its action, the reason, and the planned object.
    pub(crate) fn decide(self) -> ChangeDecision {
        let request = self.request;
        let shape = request.schema;
        if self.is_tainted {
            let after = self.planned_from_nothing(request.config, request.created);
            return self.replaced(ChangeReason::Tainted, after, Vec::new());
        }
        let is_own = request.is_built_in();
        if is_own
            && self.forced.is_none()
            && built_in::is_plainly_the_same(&self.before, request.config)
        {
            let after = self.before.clone();
            return ChangeDecision {
                action: Action::NoOp,
                before: Some(self.before),
                ..ChangeDecision::create(after)
            };
        }
        let ignored = &request.declared.lifecycle().ignored;
        let Some(block) = shape else { return self.decide_without_schema() };
        let written = without_ignored(ignored, &self.before, &complete(block, request.config));
        let (config, marks) = written.unmark_deep_paths();
        let (before, _) = self.before.unmark_deep();
        let proposed = propose(block, &before, &config);
        let (proposed, replaces) = match is_own {
            true => built_in::with_store(request, block, &before, &config, proposed),
            false => (proposed, false),
        };
        if self.forced.is_none()
            && let Some(after) = self.undecided(block, &before, &proposed)
        {
            return ChangeDecision {
                action: Action::NoOp,
                before: Some(hide(&self.before, shape)),
                is_open: true,
                ..ChangeDecision::create(hide(&after.mark_paths(&leading(&marks, &after)), shape))
            };
        }
        let (planned, paths) = match is_own {
            true => built_in::changed(request, &before, proposed, replaces),
            false => self.provided(block, &before, &config, proposed),
        };
        let is_same = ops::surely_same(&before, &planned);
        if self.forced.is_some() || !is_same && !paths.is_empty() {
            // A replacement is created as configured, whatever is ignored.
            let after = self.planned_from_nothing(request.config, request.created);
            return self.replaced(ChangeReason::CannotUpdate, after, paths);
        }
        let is_open = !is_own && (!is_same || self.relies_on_defaults(block, &config));
        ChangeDecision { is_open, ..self.stays(&planned, &marks, is_same) }
    }

    /// Returns a decision that keeps the object, unchanged if `is_same` and the hidden parts stay the same, else updated in
    /// place; `marks` are those of `planned`, which is the planned value without marks.
    pub(crate) fn stays(
        self,
        planned: &Value,
        marks: &[(Path, Marks)],
        is_same: bool,
    ) -> ChangeDecision {
        let shape = self.request.schema;
        let after = hide(&planned.mark_paths(&leading(marks, planned)), shape);
        let before = match self.is_refreshed {
            true => hide(&self.before, shape),
            false => self.before,
        };
        let is_hidden_alike = hidden(&before) == hidden(&after);
        ChangeDecision {
            action: match is_same && is_hidden_alike {
                true => Action::NoOp,
                false => Action::Update,
            },
            // Whatever was recorded, what the schema declares sensitive is hidden.
            before: Some(hide(&before, shape)),
            ..ChangeDecision::create(after)
        }
    }

    /// Returns the planned object of an undecided change, in which prior and proposed object differ only in values that are
    /// unknown because no provider was asked; `None` if the change can be decided.
    fn undecided(&self, block: &BlockSchema, before: &Value, proposed: &Value) -> Option<Value> {
        let (Value::Object(prior), Value::Object(object)) = (before, proposed) else { return None };
        let is_old = block.has_hidden_defaults();
        let mut open = Vec::new();
        for (name, now) in object.iter() {
            let was = prior.get(name)?;
            let is_alike =
                ops::surely_same(was, now) || is_old && is_nothing(was) && is_nothing(now);
            if is_alike || now.is_wholly_known() && self.may_stay(block, name, was, now) {
                continue;
            }
            if now.is_wholly_known() || (self.request.is_pending)(now) || !may_equal(was, now) {
                return None;
            }
            open.push(now);
        }
        let first = open.first()?;
        let causes = first.deep_causes();
        let is_open = |name: &str| object.get(name).is_some_and(|now| !now.is_wholly_known());
        // A replacement makes a new output, too.
        let opens_output =
            self.request.is_built_in() && (is_open("input") || is_open("triggers_replace"));
        let all = object.iter().map(|(name, now)| {
            let was = prior.get(name).unwrap_or(now);
            let follows = opens_output && &**name == "output"
                || is_computed_from(self.request.kind, name, &is_open);
            let value = match (follows, now.is_wholly_known()) {
                (true, _) => Value::unknown_because(was.ty(), causes.clone()),
                (false, true) => was.clone(),
                (false, false) => now.clone(),
            };
            (name.clone(), value)
        });
        Some(Value::object(all))
    }

    /// Returns true if the provider may keep the recorded value `was` of the attribute or block type `name`, because the
    /// configured one, `now`, is unset or the same JSON.
    fn may_stay(&self, block: &BlockSchema, name: &str, was: &Value, now: &Value) -> bool {
        let is_old = block.has_hidden_defaults();
        let is_default = now.is_null()
            && block.attribute(name).is_some_and(|one| {
                let known = KnownType::of(self.request.kind);
                let default = known.and_then(|known| known.default(name, &one.ty()));
                one.ty().is_primitive()
                    && default.map_or(known.is_none(), |default| ops::surely_same(was, &default))
            });
        let is_filled = is_nothing(now) && block.block(name).is_some();
        is_old && (is_default || is_filled || is_same_json(was, now))
    }

    /// Returns true if the instance is unchanged only on the assumption that the provider set every value that is recorded and
    /// not configured.
    fn relies_on_defaults(&self, block: &BlockSchema, config: &Value) -> bool {
        let (before, _) = self.before.unmark();
        let (Value::Object(prior), Value::Object(written)) = (&before, config) else {
            return false;
        };
        let nothing = Value::NULL;
        block.has_hidden_defaults()
            && prior.iter().any(|(name, was)| {
                let now = written.get(name).unwrap_or(&nothing);
                let is_kept = match block.attribute(name) {
                    Some(one) => {
                        one.is_settable()
                            && !one.computed
                            && one.ty().is_primitive()
                            && KnownType::of(self.request.kind).is_none()
                    }
                    None => block.block(name).is_some(),
                };
                is_kept && is_nothing(now) && !is_nothing(was)
            })
    }

    /// Returns the decision to replace the object for a reason; `paths` force the replacement.
    pub(crate) fn replaced(
        self,
        reason: ChangeReason,
        after: Value,
        paths: Vec<Path>,
    ) -> ChangeDecision {
        let is_tainted = self.is_tainted;
        let is_old = self.request.schema.is_none_or(BlockSchema::has_hidden_defaults);
        ChangeDecision {
            action: Action::DeleteThenCreate,
            // A tainted object is replaced for that reason, unless dependencies require it.
            reason: Some(
                self.forced
                    .filter(|why| !is_tainted || *why != ChangeReason::Requested)
                    .unwrap_or(reason),
            ),
            before: Some(hide(&self.before, self.request.schema)),
            after,
            replace_paths: paths,
            private: None,
            // Defaults that newer provider frameworks compute while planning are not known here.
            is_open: !self.request.is_built_in() && !is_old,
        }
    }

    /// Returns the object that would be planned if the instance did not exist yet: `made`, the object that the engine creates
    /// itself if it knows all attributes, else the configured one.
    pub(crate) fn planned_from_nothing(&self, config: &Value, made: Option<&Value>) -> Value {
        made.unwrap_or(config).clone()
    }

    /// Returns the planned object of a provider's resource as far as its schema tells, and the paths that force replacement;
    /// `proposed` holds the configured values, and those before of computed attributes that are not configured.
    fn provided(
        &self,
        block: &BlockSchema,
        before: &Value,
        config: &Value,
        proposed: Value,
    ) -> (Value, Vec<Path>) {
        let (Value::Object(prior), Value::Object(written), Value::Object(object)) =
            (before, config, &proposed)
        else {
            return (proposed, Vec::new());
        };
        let known = KnownType::of(self.request.kind);
        // The older provider SDK has defaults that no schema shows, and does not distinguish null from empty.
        let is_old = block.has_hidden_defaults();
        let is_left_out = |name: &str| written.get(name).is_none_or(Value::is_null);
        let has_default = |attribute: &AttributeSchema| {
            is_old
                && attribute.is_settable()
                && !attribute.computed
                && attribute.ty().is_primitive()
                && is_left_out(&attribute.name)
        };
        let default = |name: &str| {
            let attribute = block.attribute(name).filter(|one| has_default(one))?;
            known?.default(name, &attribute.ty())
        };
        let may_be_default =
            |name: &str| known.is_none() && block.attribute(name).is_some_and(has_default);
        let settled = Value::object(object.iter().map(|(name, now)| {
            let was = prior.get(name).unwrap_or(now);
            if let Some(default) = default(name) {
                return (name.clone(), default);
            }
            // A provider may fill in blocks itself if none are configured.
            let is_filled = is_old && is_nothing(now) && block.block(name).is_some();
            let keeps = may_be_default(name)
                || is_filled
                || is_old && (is_nothing(was) && is_nothing(now) || is_same_json(was, now));
            (name.clone(), if keeps { was.clone() } else { now.clone() })
        }));
        let Value::Object(object) = &settled else { return (settled, Vec::new()) };
        let differs = |name: &str| match (prior.get(name), object.get(name)) {
            (Some(before), Some(now)) => !ops::surely_same(before, now),
            _ => false,
        };
        if !object.iter().any(|(name, _)| differs(name)) {
            return (settled, Vec::new());
        }
        let replacing = object.iter().map(|(name, _)| name);
        let replacing = replacing
            .filter(|name| differs(name) && known.is_some_and(|known| known.replaces(name)));
        let paths: Vec<Path> =
            replacing.map(|name| Path(vec![PathStep::Attribute(name.clone())])).collect();
        let all = object.iter().map(|(name, now)| {
            let follows = block.attribute(name).is_some_and(|one| one.computed)
                && is_left_out(name)
                && is_computed_from(self.request.kind, name, &differs);
            let is_open = follows || may_be_default(name) && !is_nothing(now);
            let value = match is_open {
                true => Value::unknown_because(now.ty(), self.request.left.clone()),
                false => now.clone(),
            };
            (name.clone(), value)
        });
        (Value::object(all), paths)
    }

    /// Returns the planned change of a resource without a schema: attributes that are not configured keep their values.
    fn decide_without_schema(self) -> ChangeDecision {
        let written = without_ignored(
            &self.request.declared.lifecycle().ignored,
            &self.before,
            self.request.config,
        );
        let (before, _) = self.before.unmark_deep();
        let (config, marks) = written.unmark_deep_paths();
        let (Value::Object(prior), Value::Object(written)) = (&before, &config) else {
            return self.kept();
        };
        let mut is_same = true;
        let mut all: Vec<(Str, Value)> =
            prior.iter().map(|(name, value)| (name.clone(), value.clone())).collect();
        for (name, now) in written.iter().filter(|(_, now)| !now.is_null()) {
            match all.iter_mut().find(|(known, _)| known == name) {
                Some((_, was)) if is_alike(was, now) => {}
                Some((_, was)) => {
                    is_same = false;
                    *was = now.clone();
                }
                None => {
                    is_same = false;
                    all.push((name.clone(), now.clone()));
                }
            }
        }
        if self.forced.is_some() {
            let after = self.planned_from_nothing(self.request.config, self.request.created);
            return self.replaced(ChangeReason::Requested, after, Vec::new());
        }
        ChangeDecision {
            action: if is_same { Action::NoOp } else { Action::Update },
            before: Some(self.before),
            is_open: true,
            ..ChangeDecision::create(Value::object(all).mark_paths(&marks))
        }
    }

    /// Returns the decision to leave the object unchanged, flagged as undecided because only the provider can confirm it.
    fn kept(self) -> ChangeDecision {
        let after = self.before.clone();
        ChangeDecision {
            action: Action::NoOp,
            before: Some(self.before),
            is_open: true,
            ..ChangeDecision::create(after)
        }
    }
}

/// Returns true if a configured value equals the recorded one under any types that a schema could give them. In lists of blocks
/// only configured attributes are compared.
fn is_alike(was: &Value, now: &Value) -> bool {
    match (was, now) {
        (_, Value::Null(_)) => true,
        (Value::Tuple(was), Value::Tuple(now)) => {
            was.items().len() == now.items().len()
                && was.items().iter().zip(now.items()).all(|(was, now)| is_alike(was, now))
        }
        (Value::Object(was), Value::Object(now)) => {
            now.iter().all(|(name, now)| was.get(name).is_some_and(|was| is_alike(was, now)))
        }
        _ => convert(now, &was.ty()).is_ok_and(|now| ops::surely_same(was, &now)),
    }
}

/// Returns the configured object with null for all missing attributes.
pub(crate) fn complete(block: &BlockSchema, config: &Value) -> Value {
    let (bare, marks) = config.unmark();
    let Value::Object(written) = &bare else { return config.clone() };
    if block.attributes().iter().all(|one| written.get(&one.name).is_some()) {
        return config.clone();
    }
    let attributes = block.attributes().iter().filter(|one| written.get(&one.name).is_none());
    let missing = attributes.map(|one| (one.name.clone(), Value::null(one.ty())));
    let own = written.iter().map(|(name, value)| (name.clone(), value.clone()));
    Value::object(own.chain(missing)).mark(&marks)
}

/// Returns true if a configured value may equal the recorded one once its unknown parts are known.
fn may_equal(was: &Value, now: &Value) -> bool {
    match (was, now) {
        (_, Value::Unknown(_)) => true,
        (Value::Object(was), Value::Object(now)) => {
            now.iter().all(|(name, now)| was.get(name).is_some_and(|was| may_equal(was, now)))
        }
        (Value::Map(was), Value::Map(now)) => {
            was.entries().len() == now.entries().len()
                && now
                    .entries()
                    .iter()
                    .all(|(key, now)| was.get(key).is_some_and(|was| may_equal(was, now)))
        }
        (Value::List(was), Value::List(now)) => all_may_equal(was.items(), now.items()),
        (Value::Tuple(was), Value::Tuple(now)) => all_may_equal(was.items(), now.items()),
        // Elements of a set cannot be matched while unknown.
        (Value::Set(_), Value::Set(now))
            if now.items().iter().any(|one| !one.is_wholly_known()) =>
        {
            true
        }
        _ => ops::surely_same(was, now),
    }
}

/// Returns true if lists have equal lengths and each element may equal its recorded one.
fn all_may_equal(was: &[Value], now: &[Value]) -> bool {
    was.len() == now.len() && was.iter().zip(now).all(|(was, now)| may_equal(was, now))
}

/// Returns true if two strings are JSON of the same value: many providers normalize it.
fn is_same_json(was: &Value, now: &Value) -> bool {
    let (Value::String(was), Value::String(now)) = (was.bare(), now.bare()) else { return false };
    let read = |text: &Str| match text.trim_start().starts_with(['{', '[']) {
        true => json::decode_loose(text).ok(),
        false => None,
    };
    match (read(was), read(now)) {
        (Some(was), Some(now)) => ops::surely_same(&was, &now),
        _ => false,
    }
}

/// Returns true if a value, such as null or an empty string, counts as unset for providers of the older SDK.
fn is_nothing(value: &Value) -> bool {
    match value.bare() {
        Value::Null(_) => true,
        Value::Bool(flag) => !flag,
        Value::String(text) => text.is_empty(),
        Value::List(list) => list.items().is_empty(),
        Value::Set(set) => set.items().is_empty(),
        Value::Map(map) => map.entries().is_empty(),
        other => other.as_number().is_some_and(|number| number.is_zero()),
    }
}
