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

/// An expression in a resource body that defines a part of the resulting object, with the path of that part.
pub(crate) struct StatedPart {
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

/// A body in which expressions for a part of an object are still to be searched, with its schema, scope and path in the object.
struct StatedBody<'c> {
    /// The arguments and blocks of the body.
    content: &'c SchemaBody,
    /// The schema of the body, if available: it separates repeated block types from single ones.
    schema: Option<Arc<BlockSchema>>,
    /// The scope in which the body is evaluated.
    at: Arc<EvaluationSite>,
    /// The path of the body in the object.
    path: Vec<WhyStep>,
    /// The path from the body to the requested part.
    rest: Vec<WhyStep>,
}

/// Returns the expressions in a resource body that define the part of the resource's object at `path`. `address` is the address
/// of the object.
pub(crate) fn defining_parts(
    content: &SchemaBody,
    schema: Option<Arc<BlockSchema>>,
    path: &[WhyStep],
    at: &Arc<EvaluationSite>,
    address: &str,
    evaluation: &Evaluation,
) -> Vec<StatedPart> {
    let mut found = Vec::new();
    let start =
        StatedBody { content, schema, at: at.clone(), path: Vec::new(), rest: path.to_vec() };
    let mut rooms = vec![start];
    while let Some(room) = rooms.pop() {
        let wanted = room.rest.first().map(WhyStep::name);
        let is_meant = |name: &Str| wanted.as_ref().is_none_or(|wanted| *wanted == *name);
        for input in room.content.arguments.iter().filter(|input| is_meant(&input.name)) {
            found.push(argument(input, &room));
        }
        let mut kinds: Vec<&Str> = Vec::new();
        for nested in room.content.blocks.iter().filter(|nested| is_meant(&nested.kind)) {
            if !kinds.contains(&&nested.kind) {
                kinds.push(&nested.kind);
            }
        }
        for kind in kinds {
            blocks(kind, &room, address, evaluation, &mut found, &mut rooms);
        }
    }
    found.sort_by(|a, b| (a.expr.place(), &a.path).cmp(&(b.expr.place(), &b.path)));
    found
}

/// Returns the part of the object that an argument in the body `room` defines, with its path and the argument's expression.
fn argument(input: &InputArgument, room: &StatedBody<'_>) -> StatedPart {
    let path = match room.rest.is_empty() {
        true => [room.path.as_slice(), &[WhyStep::Name(input.name.clone())]].concat(),
        false => [room.path.as_slice(), &room.rest].concat(),
    };
    let rest = room.rest.get(1..).unwrap_or_default().to_vec();
    StatedPart { path, expr: input.value.expr.clone(), at: room.at.clone(), rest, repeats: false }
}

/// A search through the blocks of one type in a body for those that the path of the requested part may select.
struct BlockSearch<'s, 'c> {
    kind: &'s Str,
    room: &'s StatedBody<'c>,
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
    /// Creates the search for the blocks of type `kind` in the body `room`, along the path to the requested part.
    fn of(kind: &'s Str, room: &'s StatedBody<'c>) -> BlockSearch<'s, 'c> {
        let row = room.schema.as_ref().and_then(|schema| schema.block(kind));
        let further = room.rest.get(1..).unwrap_or_default();
        BlockSearch {
            kind,
            room,
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

    /// Returns the path inside of a block that leads to the requested part; `None` if the path selects a block with another
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

    /// Returns true if the path selects the block at index `position` among those of its type, or selects no index.
    fn is_meant(&self, position: usize) -> bool {
        self.wanted.is_none_or(|wanted| wanted == position)
    }

    /// Returns the path in the object of the block at index `position` among those of its type.
    fn path_at(&self, position: usize) -> Vec<WhyStep> {
        let mut path = self.room.path.clone();
        path.push(WhyStep::Name(self.kind.clone()));
        if !self.is_single {
            path.push(WhyStep::At(position));
        }
        path
    }

    /// Returns the content of a block as a body in which the part at the path `rest` remains to be searched.
    fn body(
        &self,
        nested: &'c InnerBlock,
        at: Arc<EvaluationSite>,
        path: Vec<WhyStep>,
        rest: Vec<WhyStep>,
    ) -> StatedBody<'c> {
        StatedBody { content: &nested.content, schema: self.schema.clone(), at, path, rest }
    }

    /// Adds the body of a block that is not generated to the bodies to search, `rooms`, if the path may select the block.
    fn single(
        &mut self,
        nested: &'c InnerBlock,
        rest: Vec<WhyStep>,
        rooms: &mut Vec<StatedBody<'c>>,
    ) {
        if self.is_meant(self.position) || !self.is_counted {
            let path = self.path_at(self.position);
            rooms.push(self.body(nested, self.room.at.clone(), path, rest));
        }
        self.position += 1;
    }

    /// Adds the bodies of the blocks that a `dynamic` block generates to the bodies to search, `rooms`, each with its element as
    /// the value of the iterator.
    fn generated(
        &mut self,
        nested: &'c InnerBlock,
        dynamic: &DynamicBlock,
        elements: Vec<(Option<WhyStep>, Value)>,
        rest: &[WhyStep],
        address: &str,
        rooms: &mut Vec<StatedBody<'c>>,
    ) {
        let (count, room) = (elements.len(), self.room);
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
                outside: room.at.clone(),
                step,
                address: format!("{address}{}", crate::path::text(None, &path)),
            };
            let (standpoint, call) = (room.at.standpoint.clone(), room.at.call);
            let at = Arc::new(EvaluationSite { standpoint, call, iterator: Some(iterator) });
            rooms.push(self.body(nested, at, path, rest.to_vec()));
        }
        self.position += count;
    }
}

/// Adds the blocks of type `kind` that the path may select to the bodies to search, `rooms`.
fn blocks<'c>(
    kind: &Str,
    room: &StatedBody<'c>,
    address: &str,
    evaluation: &Evaluation,
    found: &mut Vec<StatedPart>,
    rooms: &mut Vec<StatedBody<'c>>,
) {
    let mut search = BlockSearch::of(kind, room);
    let blocks: &'c [InnerBlock] = &room.content.blocks;
    for nested in blocks.iter().filter(|nested| nested.kind == *kind) {
        let Some(rest) = search.rest_in(nested) else {
            search.position += 1;
            continue;
        };
        let Some(dynamic) = &nested.dynamic else {
            search.single(nested, rest, rooms);
            continue;
        };
        let elements = elements(dynamic, &room.at, evaluation);
        if elements.is_none() || search.wanted.is_none() {
            repeats(dynamic, room, kind, found);
        }
        match elements {
            None => search.is_counted = false,
            Some(elements) => search.generated(nested, dynamic, elements, &rest, address, rooms),
        }
    }
}

/// Adds the `for_each` of a `dynamic` block, on which the number of blocks of type `kind` depends, to `found`.
fn repeats(dynamic: &DynamicBlock, room: &StatedBody<'_>, kind: &Str, found: &mut Vec<StatedPart>) {
    let Some(over) = &dynamic.for_each else { return };
    let path = [room.path.as_slice(), &[WhyStep::Name(kind.clone())]].concat();
    let (expr, at) = (over.expr.clone(), room.at.clone());
    found.push(StatedPart { path, expr, at, rest: Vec::new(), repeats: true });
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
