//! Expansion of `dynamic` blocks into one block per element. If the elements are unknown, one block represents all of them, with
//! unknown content.

use std::sync::Arc;

use groma_config::{RawLabel, RepeatedElements, keyword, literal_text};
use groma_eval::{LayeredScope, NamedValues, Scope};
use groma_syntax::{Diagnostic, Diagnostics, Expr, Place};
use groma_value::{Causes, Str, Type, Value, convert};

use crate::codes;
use crate::content::{BlockContent, LoweredArgument, NestedContent};
use crate::evaluate::TemplateState;

/// The scope in which the expressions of a block body are evaluated, and the causes if the whole body is unknown.
pub(crate) struct BodyContext<'w> {
    /// The template.
    pub(crate) world: &'w Arc<TemplateState>,
    /// The names that are visible.
    pub(crate) scope: Arc<dyn Scope>,
    /// The causes of the whole body being unknown, if it represents blocks of unknown number.
    pub(crate) unknown: Option<Causes>,
}

impl BodyContext<'_> {
    /// Evaluates an argument of the body; the value is unknown if the whole body is.
    pub(crate) fn value(&self, argument: &LoweredArgument, out: &mut Diagnostics) -> Value {
        let value = self.world.evaluate(&argument.value, &self.scope, out);
        match &self.unknown {
            Some(causes) => Value::unknown_because(Type::Dynamic, causes.clone()),
            None => value,
        }
    }
}

/// A block after the expansion of `dynamic` blocks: one that is written directly, or one that is generated.
#[derive(Clone)]
pub(crate) struct ExpandedBlock<'c> {
    pub(crate) kind: Str,
    pub(crate) labels: Vec<RawLabel>,
    pub(crate) header: Place,
    pub(crate) content: &'c BlockContent,
    /// The names visible to it besides those around.
    names: Arc<NamedValues>,
    /// The causes of its content being unknown.
    unknown: Option<Causes>,
    /// The iteration that generated it, if any.
    repeated: Option<RepeatedElement<'c>>,
}

/// The element of a collection for which a `dynamic` block generates a block.
#[derive(Clone)]
pub(crate) struct RepeatedElement<'c> {
    /// The name of the iterator.
    pub(crate) iterator: Str,
    /// The `key` and `value` of the element.
    pub(crate) element: Value,
    /// The collection.
    pub(crate) over: &'c LoweredArgument,
    /// The key of the element, if known.
    pub(crate) key: Option<Value>,
}

impl<'c> ExpandedBlock<'c> {
    /// Returns the element for which a `dynamic` block generated this block; `None` for a block that is not generated.
    pub(crate) fn repeated(&self) -> Option<&RepeatedElement<'c>> {
        self.repeated.as_ref()
    }

    /// Returns the context for the expressions in the body of the block; `around` is the context of the block itself.
    pub(crate) fn body_context<'w>(&self, around: &BodyContext<'w>) -> BodyContext<'w> {
        BodyContext {
            world: around.world,
            scope: self.scope(around.scope.clone()),
            unknown: self.unknown.clone().or_else(|| around.unknown.clone()),
        }
    }

    /// Adds the iterators visible in an enclosing block to those visible in this block.
    pub(crate) fn below(&mut self, around: &ExpandedBlock<'_>) {
        let mut names = (*around.names).clone();
        for (name, value) in self.names.iter() {
            names.insert(name.clone(), value.clone());
        }
        self.names = Arc::new(names);
    }

    /// Returns the causes if the block stands for an unknown number of generated blocks, with unknown content; `None` otherwise.
    pub(crate) fn unknown(&self) -> Option<&Causes> {
        self.unknown.as_ref()
    }

    /// Returns the scope of the block's body: the iterators of the enclosing `dynamic` blocks, and after them the names of the
    /// scope `below`.
    pub(crate) fn scope(&self, below: Arc<dyn Scope>) -> Arc<dyn Scope> {
        match self.names.iter().next() {
            None => below,
            Some(_) => Arc::new(LayeredScope { names: (*self.names).clone(), below }),
        }
    }
}

/// Returns the blocks of a body with each `dynamic` block replaced by those that it generates; `wanted` returns the number of
/// labels of a block type, if known.
pub(crate) fn expand<'c>(
    context: &BodyContext<'_>,
    content: &'c BlockContent,
    wanted: &dyn Fn(&str) -> Option<usize>,
    out: &mut Diagnostics,
) -> Vec<ExpandedBlock<'c>> {
    let mut made = Vec::new();
    for block in &content.blocks {
        if &*block.kind == "dynamic" {
            dynamic(context, block, wanted, &mut made, out);
        } else {
            made.push(ExpandedBlock {
                kind: block.kind.clone(),
                labels: block.labels.clone(),
                header: block.header,
                content: &block.content,
                names: Arc::default(),
                unknown: context.unknown.clone(),
                repeated: None,
            });
        }
    }
    made
}

/// The arguments and the `content` block of a `dynamic` block.
struct DynamicParts<'c> {
    /// The type of the generated blocks.
    label: &'c RawLabel,
    /// The body of every generated block.
    body: &'c NestedContent,
    for_each: &'c LoweredArgument,
    labels: Option<&'c LoweredArgument>,
    /// The number of labels of the generated blocks, if it is known.
    count: Option<usize>,
    iterator: Str,
}

impl<'c> DynamicParts<'c> {
    /// Reads a `dynamic` block; `None` if it is faulty, which is reported; `wanted` returns the number of labels of a block type,
    /// if known.
    fn read(
        block: &'c NestedContent,
        wanted: &dyn Fn(&str) -> Option<usize>,
        out: &mut Diagnostics,
    ) -> Option<DynamicParts<'c>> {
        let mut refuse = |detail: String, place: Place| {
            out.push(Diagnostic::error(&codes::DYNAMIC_BLOCK, detail).at(place));
            None
        };
        let [label] = block.labels.as_slice() else {
            let detail = "A dynamic block has one label: the type of the blocks that it generates.";
            return refuse(detail.to_owned(), block.header);
        };
        let Some(body) = block.content.blocks.iter().find(|block| &*block.kind == "content") else {
            let detail =
                "A dynamic block needs a content block, the body of every generated block.";
            return refuse(detail.to_owned(), block.content.open);
        };
        let for_each = block.content.argument("for_each")?;
        let labels = block.content.argument("labels");
        let count = wanted(&label.text);
        if count.is_some_and(|count| count > 0) && labels.is_none() {
            let detail = format!(
                "Blocks of type \"{0}\" have a label, so their dynamic block needs labels = [ … ].",
                &*label.text
            );
            return refuse(detail, block.content.open);
        }
        let iterator = match block.content.argument("iterator") {
            None => label.text.clone(),
            Some(argument) => match bare_word(&argument.value.expr) {
                Some(word) if groma_syntax::is_identifier(&word) => Str::from(word),
                _ => {
                    let detail =
                        "iterator is the name by which the content refers to each element.";
                    return refuse(detail.to_owned(), argument.value.place());
                }
            },
        };
        Some(DynamicParts { label, body, for_each, labels, count, iterator })
    }

    /// Evaluates the collection of a `dynamic` block; returns it with its elements, or `None` after an error if it cannot be
    /// iterated over.
    fn elements(
        &self,
        context: &BodyContext<'_>,
        header: Place,
        out: &mut Diagnostics,
    ) -> Option<(Value, RepeatedElements)> {
        let before = out.error_count();
        let over = context.value(self.for_each, out);
        if out.error_count() > before {
            return None;
        }
        let elements = match RepeatedElements::of(&over) {
            Ok(elements) => elements,
            Err(problem) => {
                let detail = format!("A dynamic block repeats over a collection, and {problem}.");
                let place = self.for_each.value.place();
                out.push(Diagnostic::error(&codes::DYNAMIC_FOR_EACH, detail).at(place));
                return None;
            }
        };
        if let RepeatedElements::Known(pairs) = &elements
            && !context.world.charge(pairs.len())
        {
            let whose = || format!("the dynamic block \"{}\"", &*self.label.text);
            context.world.ends_at(whose, header);
            return None;
        }
        Some((over, elements))
    }

    /// Evaluates the labels of a generated block; `None` if they are invalid, which is reported.
    fn labels_of(
        &self,
        context: &BodyContext<'_>,
        one: &ExpandedBlock<'_>,
        out: &mut Diagnostics,
    ) -> Option<Vec<RawLabel>> {
        let Some(argument) = self.labels else { return Some(Vec::new()) };
        let place = argument.value.place();
        let scope = one.scope(context.scope.clone());
        let value = context.world.evaluate(&argument.value, &scope, out);
        let detail = match texts(&value) {
            Some(_) if value.deep_marks().hide() => {
                "labels are shown in the output, so they cannot be sensitive."
            }
            Some(texts) if self.count.is_none_or(|count| count == texts.len()) => {
                return Some(texts.into_iter().map(|text| RawLabel { text, place }).collect());
            }
            _ => {
                "labels has to be a list of strings, one for each label of the blocks that are made, and has to be known."
            }
        };
        out.push(Diagnostic::error(&codes::DYNAMIC_BLOCK, detail).at(place));
        None
    }
}

/// Adds the blocks that a `dynamic` block generates to `made`; `wanted` returns the number of labels of a block type, if known.
fn dynamic<'c>(
    context: &BodyContext<'_>,
    block: &'c NestedContent,
    wanted: &dyn Fn(&str) -> Option<usize>,
    made: &mut Vec<ExpandedBlock<'c>>,
    out: &mut Diagnostics,
) {
    let Some(parts) = DynamicParts::read(block, wanted, out) else { return };
    let Some((over, elements)) = parts.elements(context, block.header, out) else { return };
    let (pairs, unknown) = match elements {
        RepeatedElements::Known(pairs) => (pairs, None),
        RepeatedElements::Unknown(causes) => {
            let value = Value::unknown_because(Type::Dynamic, causes.clone());
            (vec![(value.clone(), value)], Some(causes))
        }
    };
    let has_keys = unknown.is_none() && !matches!(over.bare(), Value::Set(_));
    for (key, value) in pairs {
        let object = Value::object([("key".into(), key.clone()), ("value".into(), value)]);
        let repeated = RepeatedElement {
            iterator: parts.iterator.clone(),
            element: object.clone(),
            over: parts.for_each,
            key: has_keys.then_some(key),
        };
        let mut names = NamedValues::new();
        names.insert(&*parts.iterator, object);
        let mut one = ExpandedBlock {
            kind: parts.label.text.clone(),
            labels: Vec::new(),
            header: block.header,
            content: &parts.body.content,
            names: Arc::new(names),
            unknown: unknown.clone().or_else(|| context.unknown.clone()),
            repeated: Some(repeated),
        };
        let Some(labels) = parts.labels_of(context, &one, out) else { return };
        one.labels = labels;
        made.push(one);
    }
}

/// Returns the identifier of which an expression consists, unquoted in native syntax; `None` for any other expression.
fn bare_word(expr: &Expr) -> Option<String> {
    match expr {
        Expr::Native(_) if literal_text(expr).is_some() => None,
        _ => keyword(expr),
    }
}

/// Returns the strings of a wholly known list; `None` for any other value.
fn texts(value: &Value) -> Option<Vec<Str>> {
    match convert(value, &Type::list(Type::String)).ok()?.bare() {
        Value::List(list) => list
            .items()
            .iter()
            .map(|item| match item.bare() {
                Value::String(text) => Some(text.clone()),
                _ => None,
            })
            .collect(),
        _ => None,
    }
}
