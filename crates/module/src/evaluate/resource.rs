//! One instance of a resource: its written body evaluated, and what else is known about it.

use std::sync::Arc;

use groma_eval::{Names, Overlay, Scope};
use groma_syntax::{Code, Diagnostic, Diagnostics, Severity};
use groma_value::{Causes, Mark, Marks, Str, Value};

use super::condition::Verdict;
use super::driver::{Cell, Part};
use super::instance::Instance;
use super::object::{Object, Written};
use super::reading::Reading;
use super::world::World;
use crate::built_in;
use crate::declare::{Content, Mode, Nested};
use crate::facts::{Fact, Request};

static FAILED: Code = Code { slug: "data-failed", summary: "Data cannot be read" };

/// What a body can name: as it stands, and inside of `dynamic` blocks, whose references are looked
/// at only now.
struct Scopes {
    plain: Arc<dyn Scope>,
    unchecked: Arc<dyn Scope>,
}

/// How many blocks a `dynamic` block may make.
const BLOCK_LIMIT: usize = 10_000;

impl World {
    pub(super) fn fill_object(
        self: &Arc<Self>,
        instance: &Arc<Instance>,
        at: u32,
        key: u32,
        out: &mut Diagnostics,
    ) {
        let resource = &self.module(instance).resources[at as usize];
        let Some(cell) = instance.resources[at as usize].get() else { return };
        let Some((own, repeat)) = cell.spread.instance(key as usize) else { return };
        let address = instance.address_of(&format!("{}{}", resource.address(), own.suffix()));
        let scopes = Scopes {
            plain: self.scope(instance, repeat.clone()),
            unchecked: self.unchecked_scope(instance, repeat),
        };
        let here = Cell { instance: instance.id, part: Part::Object(at, key) };
        let mut found = Diagnostics::new();
        let mut outcome =
            self.judge_before(&resource.preconditions, &address, &scopes.plain, &mut found);
        let goes_on = outcome.verdict < Verdict::Fail;
        let object = match goes_on {
            true => self.object(instance, here, &address, &scopes, &mut found),
            // What a broken precondition was to prevent is not looked at.
            false => Object::Written(Written::default()),
        };
        if goes_on {
            let (after, below) = (&resource.postconditions, &scopes.plain);
            let own = object.clone();
            self.judge_after(after, &address, own, below, &mut outcome, &mut found);
        }
        if !resource.preconditions.is_empty() || !resource.postconditions.is_empty() {
            self.record(instance, here.part, outcome);
        }
        // A check never stops anything, nor does what is read for it.
        let is_checked = resource.check.is_some();
        out.extend(found.into_vec().into_iter().map(|mut one| {
            if is_checked {
                one.severity = one.severity.max(Severity::Warning);
            }
            one
        }));
        if let Some(place) = cell.objects.get(key as usize) {
            let _ = place.set(object);
        }
    }

    /// What an instance is: as written, as the facts say, or as its built-in provider would.
    fn object(
        self: &Arc<Self>,
        instance: &Arc<Instance>,
        here: Cell,
        address: &str,
        scopes: &Scopes,
        out: &mut Diagnostics,
    ) -> Object {
        let Part::Object(at, _) = here.part else { return Object::Written(Written::default()) };
        let resource = &self.module(instance).resources[at as usize];
        let causes = self.resource_causes(instance.node, at);
        let before = out.error_count();
        let mut written = self.written(&resource.content, scopes, &causes, out);
        if resource.mode == Mode::Ephemeral {
            written.marks = Marks::one(Mark::Ephemeral);
        }
        let config = written.config();
        let mut reading = Reading::Done;
        if resource.mode == Mode::Data {
            reading = self.reading(instance, resource, &config);
            if reading.is_later() {
                written.wait_for(&self.deferred_causes(instance.node, at));
            }
        }
        let request =
            Request { address, mode: resource.mode, kind: &resource.kind, config: &config };
        let is_asked = reading == Reading::Done && out.error_count() == before;
        let fact = if is_asked { self.facts.resource(&request) } else { Fact::Unanswered };
        if resource.mode == Mode::Data {
            if reading == Reading::Done && !matches!(fact, Fact::Ready(_)) {
                reading = Reading::Unread;
            }
            self.ledger().readings.insert(here, reading);
        }
        match fact {
            Fact::Ready(value) => Object::Whole(value.mark(&written.marks)),
            Fact::Failed(why) => {
                let detail = format!("{address} cannot be read: {why}");
                out.push(Diagnostic::error(&FAILED, detail).at(resource.place));
                Object::Written(Written::default())
            }
            Fact::Unanswered => match (resource.mode, &*resource.kind) {
                (Mode::Managed, "terraform_data") => {
                    Object::Whole(built_in::data(&resource.content, &written, address, out))
                }
                (Mode::Data, "terraform_remote_state") => {
                    Object::Whole(built_in::remote_state(&written))
                }
                _ => Object::Written(written),
            },
        }
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
        nested: &Nested,
        scopes: &Scopes,
        causes: &Causes,
        out: &mut Diagnostics,
    ) -> Option<Vec<Written>> {
        let Some(dynamic) = &nested.dynamic else {
            return Some(vec![self.written(&nested.content, scopes, causes, out)]);
        };
        let over = self.evaluate(dynamic.for_each.as_ref()?, &scopes.plain, out);
        let (bare, marks) = over.unmark();
        let elements: Vec<(Value, Value)> = match &bare {
            Value::Map(map) => {
                map.entries().iter().map(|(k, v)| (Value::String(k.clone()), v.clone())).collect()
            }
            Value::Object(object) => {
                object.iter().map(|(k, v)| (Value::String(k.clone()), v.clone())).collect()
            }
            Value::Set(set) => set.items().iter().map(|v| (v.clone(), v.clone())).collect(),
            Value::List(list) => numbered(list.items()),
            Value::Tuple(tuple) => numbered(tuple.items()),
            _ => return None,
        };
        if elements.len() > BLOCK_LIMIT {
            return None;
        }
        let made = elements.into_iter().map(|(key, value)| {
            let item = Value::object([
                (Str::from("key"), key.mark(&marks)),
                (Str::from("value"), value.mark(&marks)),
            ]);
            let mut names = Names::new();
            names.insert(&*dynamic.iterator, item);
            let below = scopes.unchecked.clone();
            let inner: Arc<dyn Scope> = Arc::new(Overlay { names, below });
            let inner = Scopes { plain: inner.clone(), unchecked: inner };
            self.written(&nested.content, &inner, causes, out)
        });
        Some(made.collect())
    }
}

fn numbered(items: &[Value]) -> Vec<(Value, Value)> {
    items.iter().enumerate().map(|(at, value)| (Value::int(at as i64), value.clone())).collect()
}
