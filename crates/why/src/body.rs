//! The arguments of a body that define a part of its object. Blocks are matched by position as far as positions are known; where
//! they are not, every block of the type counts.

use std::sync::Arc;

use groma_module::declare::{DynamicBlock, InnerBlock, InputArgument, SchemaBody};
use groma_project::Evaluation;
use groma_syntax::Expr;
use groma_value::schema::{BlockSchema, NestingMode};
use groma_value::{Str, Value};

use crate::path::WhyStep;
use crate::site::{DynamicIteration, EvaluationSite, PartEvaluator};
use crate::slice::MAX_ELEMENTS;

/// An expression in a resource body that defines a part of the resource's object, with the path of that part.
pub(crate) struct DefiningPart {
    /// The path of the part in the object.
    pub(crate) path: Vec<WhyStep>,
    /// The expression that defines it.
    pub(crate) expr: Expr,
    /// The scope in which the expression is evaluated.
    pub(crate) at: Arc<EvaluationSite>,
    /// The remaining path into the expression's value.
    pub(crate) rest: Vec<WhyStep>,
    /// True for the `for_each` of a `dynamic` block: it defines the number of blocks, not their contents.
    pub(crate) repeats: bool,
}

/// A body in which expressions that define a part of a resource's object are still to be searched, with its schema, its scope
/// and its path in the object.
struct PendingBody<'c> {
    /// The arguments and blocks of the body.
    content: &'c SchemaBody,
    /// The schema of the body, if available: it separates repeated block types from single ones.
    schema: Option<Arc<BlockSchema>>,
    /// The scope in which the body is evaluated.
    at: Arc<EvaluationSite>,
    /// The path of the body in the object.
    path: Vec<WhyStep>,
    /// The path from the body to the part that the query asks for.
    rest: Vec<WhyStep>,
}

/// Returns the expressions in a resource body that define the part of the resource's object at `path`; `at` is their scope, and
/// `address` the address of the object.
pub(crate) fn defining_parts(
    content: &SchemaBody,
    schema: Option<Arc<BlockSchema>>,
    path: &[WhyStep],
    at: &Arc<EvaluationSite>,
    address: &str,
    evaluation: &Evaluation,
) -> Vec<DefiningPart> {
    let mut found = Vec::new();
    let start =
        PendingBody { content, schema, at: at.clone(), path: Vec::new(), rest: path.to_vec() };
    let mut pending = vec![start];
    while let Some(body) = pending.pop() {
        let wanted = body.rest.first().map(WhyStep::name);
        let is_meant = |name: &Str| wanted.as_ref().is_none_or(|wanted| *wanted == *name);
        for input in body.content.arguments.iter().filter(|input| is_meant(&input.name)) {
            found.push(argument(input, &body));
        }
        let mut kinds: Vec<&Str> = Vec::new();
        for nested in body.content.blocks.iter().filter(|nested| is_meant(&nested.kind)) {
            if !kinds.contains(&&nested.kind) {
                kinds.push(&nested.kind);
            }
        }
        for kind in kinds {
            blocks(kind, &body, address, evaluation, &mut found, &mut pending);
        }
    }
    found.sort_by(|a, b| (a.expr.place(), &a.path).cmp(&(b.expr.place(), &b.path)));
    found
}

/// Returns the part of the object that the argument `input` of `body` defines, as far as the query asks for it, with the
/// argument's expression.
fn argument(input: &InputArgument, body: &PendingBody<'_>) -> DefiningPart {
    let path = match body.rest.is_empty() {
        true => [body.path.as_slice(), &[WhyStep::Name(input.name.clone())]].concat(),
        false => [body.path.as_slice(), &body.rest].concat(),
    };
    let rest = body.rest.get(1..).unwrap_or_default().to_vec();
    DefiningPart { path, expr: input.value.expr.clone(), at: body.at.clone(), rest, repeats: false }
}

/// A search through the blocks of one type in a body for those that may define the part of a resource's object that a query
/// asks for.
struct BlockSearch<'s, 'c> {
    kind: &'s Str,
    body: &'s PendingBody<'c>,
    schema: Option<Arc<BlockSchema>>,
    /// True if there is only one block of the type, which has no position in the path.
    is_single: bool,
    /// The path behind the type.
    further: &'s [WhyStep],
    /// The position in the path.
    wanted: Option<usize>,
    /// A name in the path: that of a label, or of an attribute of the only block.
    label: Option<Str>,
    /// The position of the next block.
    position: usize,
    /// True if the number of blocks before is known.
    is_counted: bool,
}

impl<'s, 'c> BlockSearch<'s, 'c> {
    /// Creates the search for the blocks of type `kind` in `body` that the path of a query may select.
    fn of(kind: &'s Str, body: &'s PendingBody<'c>) -> BlockSearch<'s, 'c> {
        let row = body.schema.as_ref().and_then(|schema| schema.block(kind));
        let further = body.rest.get(1..).unwrap_or_default();
        BlockSearch {
            kind,
            body,
            schema: row.map(|row| row.block.clone()),
            is_single: row
                .is_some_and(|row| matches!(row.nesting, NestingMode::Single | NestingMode::Group)),
            further,
            wanted: further.first().and_then(WhyStep::number),
            label: match further.first() {
                Some(WhyStep::Name(name)) => Some(name.clone()),
                _ => None,
            },
            position: 0,
            is_counted: true,
        }
    }

    /// Returns the rest of a query's path, inside of the block `nested`; `None` if the path selects a block with another
    /// label.
    fn rest_in(&self, nested: &InnerBlock) -> Option<Vec<WhyStep>> {
        let behind = self.further.get(1..).unwrap_or_default();
        let rest = match (self.wanted, &self.label) {
            (Some(_), _) => behind,
            (None, Some(label)) if nested.labels.iter().any(|one| *one.text == **label) => behind,
            (None, Some(_)) if !nested.labels.is_empty() => return None,
            _ => self.further,
        };
        Some(rest.to_vec())
    }

    /// Returns true if the path of the query selects the block at index `position` among those of its type, or selects no
    /// index.
    fn is_meant(&self, position: usize) -> bool {
        self.wanted.is_none_or(|wanted| wanted == position)
    }

    /// Returns the path that leads, in the resource's object, to the block at index `position` among those of its type.
    fn path_at(&self, position: usize) -> Vec<WhyStep> {
        let mut path = self.body.path.clone();
        path.push(WhyStep::Name(self.kind.clone()));
        if !self.is_single {
            path.push(WhyStep::At(position));
        }
        path
    }

    /// Returns the content of a block as a body to search for the part at the path `rest`; `path` is the block's path in the
    /// resource's object, and `at` the scope of its expressions.
    fn body(
        &self,
        nested: &'c InnerBlock,
        at: Arc<EvaluationSite>,
        path: Vec<WhyStep>,
        rest: Vec<WhyStep>,
    ) -> PendingBody<'c> {
        PendingBody { content: &nested.content, schema: self.schema.clone(), at, path, rest }
    }

    /// Adds the body of a block that is not generated to the bodies to search, `pending`, if the path of the query may select
    /// it; `rest` is the path in that body to the part that the query asks for.
    fn single(
        &mut self,
        nested: &'c InnerBlock,
        rest: Vec<WhyStep>,
        pending: &mut Vec<PendingBody<'c>>,
    ) {
        if self.is_meant(self.position) || !self.is_counted {
            let path = self.path_at(self.position);
            pending.push(self.body(nested, self.body.at.clone(), path, rest));
        }
        self.position += 1;
    }

    /// Adds the bodies of the blocks that a `dynamic` block in the object at `address` generates to the bodies to search,
    /// `pending`, each with its element, whose step and value are in `elements`, as the value of the iterator; `rest` is the path
    /// in each body to the part that the query asks for.
    fn generated(
        &mut self,
        nested: &'c InnerBlock,
        dynamic: &DynamicBlock,
        elements: Vec<(Option<WhyStep>, Value)>,
        rest: &[WhyStep],
        address: &str,
        pending: &mut Vec<PendingBody<'c>>,
    ) {
        let (count, body) = (elements.len(), self.body);
        let Some(over) = &dynamic.for_each else { return self.position += count };
        for (at, (step, element)) in elements.into_iter().enumerate() {
            if at >= MAX_ELEMENTS && self.wanted.is_none() {
                break;
            }
            if !self.is_meant(self.position + at) {
                continue;
            }
            let path = self.path_at(self.position + at);
            let iterator = DynamicIteration {
                name: dynamic.iterator.clone(),
                element,
                over: over.expr.clone(),
                outside: body.at.clone(),
                step,
                address: format!("{address}{}", crate::path::text(None, &path)),
            };
            let (standpoint, call) = (body.at.standpoint.clone(), body.at.call);
            let at = Arc::new(EvaluationSite { standpoint, call, iterator: Some(iterator) });
            pending.push(self.body(nested, at, path, rest.to_vec()));
        }
        self.position += count;
    }
}

/// Adds the bodies of the blocks of type `kind` that the path of a query may select to `pending`, and to `found` the `for_each`
/// of each `dynamic` block that decides how many there are; `address` is that of the resource.
fn blocks<'c>(
    kind: &Str,
    body: &PendingBody<'c>,
    address: &str,
    evaluation: &Evaluation,
    found: &mut Vec<DefiningPart>,
    pending: &mut Vec<PendingBody<'c>>,
) {
    let mut search = BlockSearch::of(kind, body);
    let blocks: &'c [InnerBlock] = &body.content.blocks;
    for nested in blocks.iter().filter(|nested| nested.kind == *kind) {
        let Some(rest) = search.rest_in(nested) else {
            search.position += 1;
            continue;
        };
        let Some(dynamic) = &nested.dynamic else {
            search.single(nested, rest, pending);
            continue;
        };
        let elements = elements(dynamic, &body.at, evaluation);
        if elements.is_none() || search.wanted.is_none() {
            repeats(dynamic, body, kind, found);
        }
        match elements {
            None => search.is_counted = false,
            Some(elements) => search.generated(nested, dynamic, elements, &rest, address, pending),
        }
    }
}

/// Adds the `for_each` of a `dynamic` block, on which the number of blocks of type `kind` depends, to `found`.
fn repeats(
    dynamic: &DynamicBlock,
    body: &PendingBody<'_>,
    kind: &Str,
    found: &mut Vec<DefiningPart>,
) {
    let Some(over) = &dynamic.for_each else { return };
    let path = [body.path.as_slice(), &[WhyStep::Name(kind.clone())]].concat();
    let (expr, at) = (over.expr.clone(), body.at.clone());
    found.push(DefiningPart { path, expr, at, rest: Vec::new(), repeats: true });
}

/// Returns the elements that a `dynamic` block iterates over, each as the step to it, if it has one, and the object of its `key`
/// and `value`; `None` if they are unknown.
fn elements(
    dynamic: &DynamicBlock,
    at: &Arc<EvaluationSite>,
    evaluation: &Evaluation,
) -> Option<Vec<(Option<WhyStep>, Value)>> {
    let over = dynamic.for_each.as_ref()?;
    let value = PartEvaluator::new(evaluation, at).whole(&over.expr)?;
    let (bare, marks) = value.unmark();
    let one = |key: Value, item: &Value, step: Option<WhyStep>| {
        let pair = [(Str::from("key"), key.mark(&marks)), (Str::from("value"), item.mark(&marks))];
        (step.filter(|_| !marks.hide()), Value::object(pair))
    };
    let named = |name: &Str, item: &Value| {
        one(Value::String(name.clone()), item, Some(WhyStep::Name(name.clone())))
    };
    let numbered = |items: &[Value]| {
        let all = items.iter().enumerate();
        all.map(|(at, item)| one(Value::position(at), item, Some(WhyStep::At(at)))).collect()
    };
    Some(match &bare {
        Value::Map(map) => map.entries().iter().map(|(name, item)| named(name, item)).collect(),
        Value::Object(object) => object.iter().map(|(name, item)| named(name, item)).collect(),
        Value::Set(set) => set.items().iter().map(|item| one(item.clone(), item, None)).collect(),
        Value::List(list) => numbered(list.items()),
        Value::Tuple(tuple) => numbered(tuple.items()),
        _ => return None,
    })
}
