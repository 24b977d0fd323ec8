//! `dynamic` blocks: what they make, one block for each element. Where the elements are not known one block stands
//! for all of them, and nothing in it is known.

use std::sync::Arc;

use groma_config::{RawLabel, RepeatedElements, keyword, literal_text};
use groma_eval::{LayeredScope, NamedValues, Scope};
use groma_syntax::{Diagnostic, Diagnostics, Expr, Place};
use groma_value::{Causes, Str, Type, Value, convert};

use crate::codes;
use crate::content::{BlockContent, LoweredArgument, NestedContent};
use crate::evaluate::TemplateState;

/// The place where expressions of a body are evaluated.
pub(crate) struct BodyContext<'w> {
    pub(crate) world: &'w Arc<TemplateState>,
    pub(crate) scope: Arc<dyn Scope>,
    /// The reason why nothing in the body is known, where it stands for blocks whose number is not known.
    pub(crate) unknown: Option<Causes>,
}

impl BodyContext<'_> {
    /// The value of an argument.
    pub(crate) fn value(&self, argument: &LoweredArgument, out: &mut Diagnostics) -> Value {
        let value = self.world.evaluate(&argument.value, &self.scope, out);
        match &self.unknown {
            Some(causes) => Value::unknown_because(Type::Dynamic, causes.clone()),
            None => value,
        }
    }
}

/// A block that is there: written so, or made by a `dynamic` block.
#[derive(Clone)]
pub(crate) struct ExpandedBlock<'c> {
    pub(crate) kind: Str,
    pub(crate) labels: Vec<RawLabel>,
    pub(crate) header: Place,
    pub(crate) content: &'c BlockContent,
    /// The names that it sees beside those around.
    names: Arc<NamedValues>,
    /// The reason why nothing in it is known.
    unknown: Option<Causes>,
    /// What it repeats over, where a `dynamic` block makes it.
    repeated: Option<RepeatedElement<'c>>,
}

/// The element that a `dynamic` block makes a block of.
#[derive(Clone)]
pub(crate) struct RepeatedElement<'c> {
    /// What it is called.
    pub(crate) iterator: Str,
    /// Its `key` and its `value`.
    pub(crate) element: Value,
    /// The collection.
    pub(crate) over: &'c LoweredArgument,
    /// Its key, where the collection is known and has keys or positions.
    pub(crate) key: Option<Value>,
}

impl<'c> ExpandedBlock<'c> {
    /// Returns the element that it is made of, where a `dynamic` block makes it.
    pub(crate) fn repeated(&self) -> Option<&RepeatedElement<'c>> {
        self.repeated.as_ref()
    }

    /// Returns where its body is evaluated, if it stands in what `around` evaluates.
    pub(crate) fn keeper<'w>(&self, around: &BodyContext<'w>) -> BodyContext<'w> {
        BodyContext {
            world: around.world,
            scope: self.scope(around.scope.clone()),
            unknown: self.unknown.clone().or_else(|| around.unknown.clone()),
        }
    }

    /// Adds what the block around sees.
    pub(crate) fn below(&mut self, around: &ExpandedBlock<'_>) {
        let mut names = (*around.names).clone();
        for (name, value) in self.names.iter() {
            names.insert(name.clone(), value.clone());
        }
        self.names = Arc::new(names);
    }

    /// Returns why nothing in it is known, where that is so.
    pub(crate) fn unknown(&self) -> Option<&Causes> {
        self.unknown.as_ref()
    }

    /// Returns what is around its body, with what `dynamic` blocks around it repeat over.
    pub(crate) fn scope(&self, below: Arc<dyn Scope>) -> Arc<dyn Scope> {
        match self.names.iter().next() {
            None => below,
            Some(_) => Arc::new(LayeredScope { names: (*self.names).clone(), below }),
        }
    }
}

/// The blocks of a body. `wanted` says how many labels blocks of a kind have, where that is known.
pub(crate) fn expand<'c>(
    keeper: &BodyContext<'_>,
    content: &'c BlockContent,
    wanted: &dyn Fn(&str) -> Option<usize>,
    out: &mut Diagnostics,
) -> Vec<ExpandedBlock<'c>> {
    let mut made = Vec::new();
    for block in &content.blocks {
        if &*block.kind == "dynamic" {
            dynamic(keeper, block, wanted, &mut made, out);
        } else {
            made.push(ExpandedBlock {
                kind: block.kind.clone(),
                labels: block.labels.clone(),
                header: block.header,
                content: &block.content,
                names: Arc::default(),
                unknown: keeper.unknown.clone(),
                repeated: None,
            });
        }
    }
    made
}

fn dynamic<'c>(
    keeper: &BodyContext<'_>,
    block: &'c NestedContent,
    wanted: &dyn Fn(&str) -> Option<usize>,
    made: &mut Vec<ExpandedBlock<'c>>,
    out: &mut Diagnostics,
) {
    let [label] = block.labels.as_slice() else {
        let detail = "A dynamic block has one label: the type of the blocks that it generates.";
        out.push(Diagnostic::error(&codes::DYNAMIC_BLOCK, detail).at(block.header));
        return;
    };
    let Some(body) = block.content.blocks.iter().find(|block| &*block.kind == "content") else {
        let detail = "A dynamic block needs a content block, the body of every generated block.";
        out.push(Diagnostic::error(&codes::DYNAMIC_BLOCK, detail).at(block.content.open));
        return;
    };
    let Some(for_each) = block.content.argument("for_each") else { return };
    let labels = block.content.argument("labels");
    let count = wanted(&label.text);
    if count.is_some_and(|count| count > 0) && labels.is_none() {
        let detail = format!(
            "Blocks of type \"{0}\" have a label, so their dynamic block needs labels = [ … ].",
            &*label.text
        );
        out.push(Diagnostic::error(&codes::DYNAMIC_BLOCK, detail).at(block.content.open));
        return;
    }
    let iterator = match block.content.argument("iterator") {
        None => label.text.clone(),
        Some(argument) => match bare_word(&argument.value.expr) {
            Some(word) if groma_syntax::is_identifier(&word) => Str::from(word),
            _ => {
                let detail = "iterator is the name by which the content refers to each element.";
                out.push(
                    Diagnostic::error(&codes::DYNAMIC_BLOCK, detail).at(argument.value.place()),
                );
                return;
            }
        },
    };
    let before = out.error_count();
    let over = keeper.value(for_each, out);
    if out.error_count() > before {
        return;
    }
    let elements = match RepeatedElements::of(&over) {
        Ok(elements) => elements,
        Err(problem) => {
            let detail = format!("A dynamic block repeats over a collection, and {problem}.");
            out.push(
                Diagnostic::error(&codes::DYNAMIC_FOR_EACH, detail).at(for_each.value.place()),
            );
            return;
        }
    };
    if let RepeatedElements::Known(pairs) = &elements
        && !keeper.world.makes(pairs.len())
    {
        keeper.world.ends_at(|| format!("the dynamic block \"{}\"", &*label.text), block.header);
        return;
    }
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
            iterator: iterator.clone(),
            element: object.clone(),
            over: for_each,
            key: has_keys.then_some(key),
        };
        let mut names = NamedValues::new();
        names.insert(&*iterator, object);
        let mut one = ExpandedBlock {
            kind: label.text.clone(),
            labels: Vec::new(),
            header: block.header,
            content: &body.content,
            names: Arc::new(names),
            unknown: unknown.clone().or_else(|| keeper.unknown.clone()),
            repeated: Some(repeated),
        };
        if let Some(argument) = labels {
            let scope = one.scope(keeper.scope.clone());
            let value = keeper.world.evaluate(&argument.value, &scope, out);
            match texts(&value) {
                Some(_) if value.deep_marks().hide() => {
                    let detail = "labels are shown in the output, so they cannot be sensitive.";
                    out.push(
                        Diagnostic::error(&codes::DYNAMIC_BLOCK, detail).at(argument.value.place()),
                    );
                    return;
                }
                Some(texts) if count.is_none_or(|count| count == texts.len()) => {
                    let place = argument.value.place();
                    one.labels = texts.into_iter().map(|text| RawLabel { text, place }).collect();
                }
                _ => {
                    let detail = "labels has to be a list of strings, one for each label of the blocks that are made, and has to be known.";
                    out.push(
                        Diagnostic::error(&codes::DYNAMIC_BLOCK, detail).at(argument.value.place()),
                    );
                    return;
                }
            }
        }
        made.push(one);
    }
}

/// The word of an expression that is nothing else; in native syntax it has no quotes.
fn bare_word(expr: &Expr) -> Option<String> {
    match expr {
        Expr::Native(_) if literal_text(expr).is_some() => None,
        _ => keyword(expr),
    }
}

/// The texts of a list that is wholly known.
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
