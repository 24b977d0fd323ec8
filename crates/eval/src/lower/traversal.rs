//! Traversals: names and the steps after them. A chain `root.a["b"][0].c` becomes one operation. A computed index or a splat
//! ends the operation, but the reference lists the steps after it, too.

use groma_syntax::Span;
use groma_syntax::ast::{ExprCase, ExprView};
use groma_value::{Number, Str, Value};

use super::Lowering;
use crate::code::{OpId, OpKind, Reference, Step, StepInfo, TraverseNode};
use crate::hint::PositionHint;

/// A step of a traversal as written, not lowered yet: an attribute, an index in brackets or as a legacy number (`list.0`), or a
/// splat.
enum ChainLink<'t> {
    Attribute { name: &'t str, span: Span },
    Index { key: ExprView<'t>, brackets: Span },
    Legacy { digits: &'t str, span: Span },
    Splat { each: ExprView<'t> },
}

/// A traversal that is being lowered: its root or operand, and the indices in the lowering's scratch buffers at which its steps
/// so far begin.
struct TraversalChain {
    start: ChainSource,
    /// The index in `pending` at which its steps begin that are not yet part of an operation.
    step_infos: usize,
    /// The index in `listed` at which those steps begin.
    steps: usize,
    /// The index in `listed` at which the steps of its reference begin.
    listed: usize,
    /// The index of the reference that it starts with, if it starts with a root.
    lists: Option<usize>,
    /// The absolute span of the chain so far.
    span: Span,
}

/// The start of a traversal: a reference by its index, or an operation.
enum ChainSource {
    Reference(usize),
    Node(OpId),
}

impl Lowering<'_> {
    /// Lowers a traversal, of whose last step `case` is the kind: a root or operand with its steps. Steps nest to the left
    /// without bound, so a loop lowers them.
    pub(super) fn postfix(&mut self, expression: ExprView<'_>, case: ExprCase<'_>) -> OpId {
        let mut links = Vec::new();
        let (mut current, mut case) = (expression, case);
        loop {
            let whole = current.span();
            let (link, inner) = match case {
                ExprCase::Attribute { object, name, dot_span, .. } => {
                    (ChainLink::Attribute { name, span: dot_span }, object)
                }
                ExprCase::Index { object, key, brackets } => {
                    (ChainLink::Index { key, brackets }, object)
                }
                ExprCase::LegacyIndex { object, digits, span } => {
                    (ChainLink::Legacy { digits, span }, object)
                }
                ExprCase::Splat { source, each, .. } => (ChainLink::Splat { each }, source),
                first => {
                    case = first;
                    break;
                }
            };
            links.push((link, whole));
            current = inner;
            case = inner.case();
        }
        let mut chain = self.chain(current, case);
        while let Some((link, whole)) = links.pop() {
            self.link(&mut chain, link, whole);
        }
        let id = self.flush(&mut chain);
        let steps = self.room.listed.drain(chain.listed..);
        if let Some(index) = chain.lists {
            self.room.references[index].steps = steps.collect();
        }
        id
    }

    /// Starts a traversal at its innermost expression, of which `case` is the kind: a root, the item of a splat, or another
    /// operand, which is lowered.
    fn chain(&mut self, first: ExprView<'_>, case: ExprCase<'_>) -> TraversalChain {
        let span = first.span();
        let (step_infos, listed) = (self.room.pending.len(), self.room.listed.len());
        let name = match case {
            ExprCase::Root(name) => name,
            ExprCase::SplatItem => {
                let slot = self.items.last().copied().unwrap_or_default();
                let start = ChainSource::Node(self.add(OpKind::Local(slot), span));
                return TraversalChain {
                    start,
                    step_infos,
                    steps: listed,
                    listed,
                    lists: None,
                    span,
                };
            }
            _ => {
                let start = ChainSource::Node(self.expression(first));
                return TraversalChain {
                    start,
                    step_infos,
                    steps: listed,
                    listed,
                    lists: None,
                    span,
                };
            }
        };
        let node = match name {
            "true" => Some(OpKind::Value(Value::TRUE)),
            "false" => Some(OpKind::Value(Value::FALSE)),
            "null" => Some(OpKind::Value(Value::NULL)),
            _ => {
                let local = self.locals.iter().rev().find(|(local, _)| **local == *name);
                local.map(|(_, slot)| OpKind::Local(*slot))
            }
        };
        if let Some(node) = node {
            let start = ChainSource::Node(self.add(node, span));
            return TraversalChain { start, step_infos, steps: listed, listed, lists: None, span };
        }
        let index = self.room.references.len();
        let reference = Reference {
            root: self.room.root(name),
            steps: Box::default(),
            span: self.relative(span),
            step_infos: (0, 0),
            hint: PositionHint::default(),
        };
        self.room.references.push(reference);
        TraversalChain {
            start: ChainSource::Reference(index),
            step_infos,
            steps: listed,
            listed,
            lists: Some(index),
            span,
        }
    }

    /// Lowers one step and appends it to the traversal; `whole` is the span of the traversal with that step.
    fn link(&mut self, chain: &mut TraversalChain, link: ChainLink<'_>, whole: Span) {
        match link {
            ChainLink::Attribute { name, span } => {
                self.hop(chain, Step::Attribute(Str::from(name)), span, whole);
            }
            ChainLink::Legacy { digits, span } => {
                self.hop(chain, Step::Index(digits_value(digits)), span, whole);
            }
            ChainLink::Index { key, brackets } => match literal_key(key) {
                Some(value) => self.hop(chain, Step::Index(value), brackets, whole),
                None => {
                    let source = self.flush(chain);
                    self.room.listed.push(Step::Unknown);
                    let key = self.expression(key);
                    let brackets = self.relative(brackets);
                    let node = self.add(OpKind::Index { source, key, brackets }, whole);
                    self.continue_after(chain, node, whole);
                }
            },
            ChainLink::Splat { each } => {
                let source = self.flush(chain);
                self.room.listed.push(Step::Splat);
                if chain.lists.is_some() {
                    steps_of(each, &mut self.room.listed);
                }
                let slot = self.slot();
                self.items.push(slot);
                let each = self.expression(each);
                self.items.pop();
                self.next_slot -= 1;
                let node = self.add(OpKind::Splat { source, each, slot }, whole);
                self.continue_after(chain, node, whole);
            }
        }
    }

    /// Continues a traversal after the operation `node`, which contains all steps so far and extends over the span `whole`.
    fn continue_after(&mut self, chain: &mut TraversalChain, node: OpId, whole: Span) {
        chain.start = ChainSource::Node(node);
        chain.steps = self.room.listed.len();
        chain.span = whole;
    }

    /// Appends a literal step at `span`, such as `.name`, to a traversal, which then extends over the span `whole`.
    fn hop(&mut self, chain: &mut TraversalChain, step: Step, span: Span, whole: Span) {
        let span = self.relative(span);
        self.room.listed.push(step);
        self.room.pending.push(StepInfo { span, hint: PositionHint::default() });
        chain.span = whole;
    }

    /// Adds an operation for those literal steps of a traversal that are not part of one yet, if any, and returns the operation
    /// of the traversal so far.
    fn flush(&mut self, chain: &mut TraversalChain) -> OpId {
        let room = &mut *self.room;
        let own = room.pending.drain(chain.step_infos..);
        match chain.start {
            ChainSource::Reference(index) => {
                let from = room.step_infos.len() as u32;
                room.step_infos.extend(own);
                room.references[index].step_infos = (from, room.step_infos.len() as u32);
                self.room.references[index].span = self.relative(chain.span);
                let number = u32::try_from(index).unwrap_or(u32::MAX);
                self.add(OpKind::Reference(number), chain.span)
            }
            ChainSource::Node(node) if own.len() == 0 => node,
            ChainSource::Node(source) => {
                let step_infos: Box<[StepInfo]> = own.collect();
                let end = chain.steps + step_infos.len();
                let steps = self.room.listed.get(chain.steps..end).unwrap_or(&[]).into();
                let node = TraverseNode::new(source, steps, step_infos);
                self.add(OpKind::Traverse(Box::new(node)), chain.span)
            }
        }
    }
}

/// Returns the value of a constant key in brackets, a number or a plain string; `None` for other keys.
pub(super) fn literal_key(key: ExprView<'_>) -> Option<Value> {
    match key.case() {
        ExprCase::Number(text) => Number::parse_literal(text).map(Value::from),
        ExprCase::Template(template) => template.plain().map(|text| Value::text(&*text)),
        _ => None,
    }
}

/// Returns the number spelled by the digits of a legacy index (`list.0`).
fn digits_value(digits: &str) -> Value {
    Number::parse_literal(digits).unwrap_or_else(|| Number::from_i64(0)).into()
}

/// Appends the steps that a splat applies to each element to `listed`, the reference's list of steps.
fn steps_of(each: ExprView<'_>, listed: &mut Vec<Step>) {
    let mut steps = Vec::new();
    let mut current = each;
    loop {
        let (step, inner) = match current.case() {
            ExprCase::Attribute { object, name, .. } => (Step::Attribute(name.into()), object),
            ExprCase::LegacyIndex { object, digits, .. } => {
                (Step::Index(digits_value(digits)), object)
            }
            ExprCase::Index { object, key, .. } => {
                (literal_key(key).map_or(Step::Unknown, Step::Index), object)
            }
            ExprCase::Splat { source, each, .. } => {
                let mut inner = Vec::new();
                steps_of(each, &mut inner);
                steps.extend(inner.into_iter().rev());
                (Step::Splat, source)
            }
            _ => break,
        };
        steps.push(step);
        current = inner;
    }
    listed.extend(steps.into_iter().rev());
}
