//! Resources: their bodies, blocks that `dynamic` blocks make, conditions and provisioners. What a
//! dynamic block holds matters only where it is known that there is a block.

use std::sync::Arc;

use groma_eval::{Context, Names, Overlay, Scope};
use groma_syntax::{Code, Diagnostic, Diagnostics};
use groma_value::{Mark, Marks, Str, Type, Value};

use super::Examiner;
use super::call::inside;
use crate::declare::resolve::Surroundings;
use crate::declare::{Content, Dynamic, Expression, Mode, Nested, Resource};
use crate::evaluate::Written;

static DYNAMIC: Code =
    Code { slug: "dynamic-for-each", summary: "Dynamic block cannot repeat over this" };

/// So many elements of a `dynamic` block are looked at one by one.
const ELEMENT_LIMIT: usize = 1_000;

impl Examiner<'_> {
    pub(super) fn resource(&self, at: u32, resource: &Resource, out: &mut Diagnostics) {
        let counting = match self.project.rules.count_sees_itself_empty {
            true => Surroundings::default(),
            false => Surroundings { resource: Some(at), counting: true, ..Surroundings::default() },
        };
        self.repetition(&resource.repetition, &counting, out);
        let around = Surroundings {
            resource: Some(at),
            check: resource.check.clone(),
            ..inside(&resource.repetition)
        };
        let before = out.error_count();
        let written = self.content(&resource.content, &around, &self.within(&around), false, out);
        if resource.mode == Mode::Managed
            && &*resource.kind == "terraform_data"
            && out.error_count() == before
        {
            crate::built_in::data(&resource.content, &written, &resource.address(), out);
        }
        for condition in &resource.preconditions {
            self.condition(condition, &self.within(&around), out);
        }
        let after = Surroundings { own: true, ..around.clone() };
        for condition in &resource.postconditions {
            self.condition(condition, &self.within(&after), out);
        }
        let running = Surroundings { own: true, resource: None, ..around };
        for provision in &resource.provisions {
            self.content(&provision.content, &running, &self.within(&running), false, out);
        }
    }

    /// Evaluates a body. `deferred`: whether its references were not looked at before.
    pub(super) fn content(
        &self,
        content: &Content,
        around: &Surroundings,
        context: &Context,
        deferred: bool,
        out: &mut Diagnostics,
    ) -> Written {
        let mut written = Written::default();
        for argument in &content.arguments {
            let value = self.argument(&argument.value, around, context, deferred, out);
            written.arguments.push((argument.name.clone(), value));
        }
        for nested in &content.blocks {
            match &nested.dynamic {
                Some(dynamic) => self.dynamic(nested, dynamic, around, context, deferred, out),
                None => {
                    self.content(&nested.content, around, context, deferred, out);
                }
            }
        }
        written
    }

    fn argument(
        &self,
        expression: &Expression,
        around: &Surroundings,
        context: &Context,
        deferred: bool,
        out: &mut Diagnostics,
    ) -> Value {
        if deferred {
            let names = &self.node.module.names;
            for problem in crate::declare::problems(expression, names, around) {
                // A block made several times has its problems once.
                if !out.iter().any(|known| known.place == problem.place) {
                    out.push(problem);
                }
            }
        }
        self.evaluate(expression, context, out)
    }

    fn dynamic(
        &self,
        nested: &Nested,
        dynamic: &Dynamic,
        around: &Surroundings,
        context: &Context,
        deferred: bool,
        out: &mut Diagnostics,
    ) {
        let Some(expression) = &dynamic.for_each else { return };
        let before = out.error_count();
        let over = self.argument(expression, around, context, deferred, out);
        if out.error_count() > before {
            return;
        }
        let elements = match elements(&over) {
            Ok(elements) => elements,
            Err(problem) => {
                let detail = format!("A dynamic block repeats over a collection: {problem}.");
                out.push(Diagnostic::error(&DYNAMIC, detail).at(expression.place()));
                return;
            }
        };
        let mut inner = around.clone();
        inner.iterators.push(dynamic.iterator.clone());
        for (key, value) in elements {
            let item = Value::object([(Str::from("key"), key), (Str::from("value"), value)]);
            let mut names = Names::new();
            names.insert(&*dynamic.iterator, item);
            let below = context.scope.clone();
            let scope: Arc<dyn Scope> = Arc::new(Overlay { names, below });
            let context = Context { scope, ..context.clone() };
            if let Some(labels) = &dynamic.labels {
                self.argument(labels, &inner, &context, true, out);
            }
            self.content(&nested.content, &inner, &context, true, out);
        }
    }
}

/// What a dynamic block repeats over; nothing where that is not known.
fn elements(over: &Value) -> Result<Vec<(Value, Value)>, String> {
    let (bare, marks) = over.unmark();
    let marks: Marks = marks.iter().filter(|mark| **mark == Mark::Sensitive).cloned().collect();
    let key = |key: &Str| Value::String(key.clone());
    let known: Vec<(Value, Value)> = match &bare {
        Value::Map(map) => map.entries().iter().map(|(k, v)| (key(k), v.clone())).collect(),
        Value::Object(object) => object.iter().map(|(k, v)| (key(k), v.clone())).collect(),
        Value::Set(set) => set.items().iter().map(|v| (v.clone(), v.clone())).collect(),
        Value::List(list) => numbered(list.items()),
        Value::Tuple(tuple) => numbered(tuple.items()),
        Value::Unknown(unknown) => match &unknown.ty {
            ty if ty.is_primitive() => return Err(wrong_kind(ty)),
            _ => return Ok(Vec::new()),
        },
        Value::Null(_) => return Err("this is null".to_owned()),
        other => return Err(wrong_kind(&other.ty())),
    };
    Ok(known
        .into_iter()
        .take(ELEMENT_LIMIT)
        .map(|(k, v)| (k.mark(&marks), v.mark(&marks)))
        .collect())
}

fn wrong_kind(ty: &Type) -> String {
    format!("this is {}", groma_value::print::with_article(ty))
}

fn numbered(items: &[Value]) -> Vec<(Value, Value)> {
    items.iter().enumerate().map(|(at, value)| (Value::int(at as i64), value.clone())).collect()
}
