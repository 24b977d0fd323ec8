//! Names and what follows them. A chain `root.a["b"][0].c` stays one operation; a computed index or
//! a splat ends it, and the reference that is listed goes on past both.

use groma_syntax::Span;
use groma_syntax::ast::{Case, ExprView};
use groma_value::{Number, Str, Value};

use super::Lowering;
use crate::code::{Hop, Op, OpId, Reference, Step, TraverseNode};
use crate::hint::Hint;

/// One link of a chain, seen from outside in.
enum Link<'t> {
    Attribute { name: &'t str, span: Span },
    Index { key: ExprView<'t>, brackets: Span },
    Legacy { digits: &'t str, span: Span },
    Splat { each: ExprView<'t> },
}

/// A chain while it is built.
struct Chain {
    start: Source,
    /// Where the hops begin of its steps that are no operation yet.
    hops: usize,
    /// Where those steps begin among what its reference lists.
    steps: usize,
    /// Where that begins what its reference lists.
    listed: usize,
    /// The reference that it starts with.
    lists: Option<usize>,
    /// Everything so far, absolute.
    span: Span,
}

enum Source {
    Reference(usize),
    Node(OpId),
}

impl Lowering<'_> {
    /// A name and its steps. Steps nest to the left without bound, so they are walked with a loop.
    pub(super) fn postfix(&mut self, expression: ExprView<'_>, case: Case<'_>) -> OpId {
        let mut links = Vec::new();
        let (mut current, mut case) = (expression, case);
        loop {
            let whole = current.span();
            let (link, inner) = match case {
                Case::Attribute { object, name, dot_span, .. } => {
                    (Link::Attribute { name, span: dot_span }, object)
                }
                Case::Index { object, key, brackets } => (Link::Index { key, brackets }, object),
                Case::LegacyIndex { object, digits, span } => {
                    (Link::Legacy { digits, span }, object)
                }
                Case::Splat { source, each, .. } => (Link::Splat { each }, source),
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

    fn chain(&mut self, first: ExprView<'_>, case: Case<'_>) -> Chain {
        let span = first.span();
        let (hops, listed) = (self.room.pending.len(), self.room.listed.len());
        let name = match case {
            Case::Root(name) => name,
            Case::SplatItem => {
                let slot = self.items.last().copied().unwrap_or_default();
                let start = Source::Node(self.add(Op::Local(slot), span));
                return Chain { start, hops, steps: listed, listed, lists: None, span };
            }
            _ => {
                let start = Source::Node(self.expression(first));
                return Chain { start, hops, steps: listed, listed, lists: None, span };
            }
        };
        let node = match name {
            "true" => Some(Op::Value(Value::TRUE)),
            "false" => Some(Op::Value(Value::FALSE)),
            "null" => Some(Op::Value(Value::NULL)),
            _ => {
                let local = self.locals.iter().rev().find(|(local, _)| **local == *name);
                local.map(|(_, slot)| Op::Local(*slot))
            }
        };
        if let Some(node) = node {
            let start = Source::Node(self.add(node, span));
            return Chain { start, hops, steps: listed, listed, lists: None, span };
        }
        let index = self.room.references.len();
        let reference = Reference {
            root: self.room.root(name),
            steps: Box::default(),
            span: self.relative(span),
            hops: (0, 0),
            hint: Hint::default(),
        };
        self.room.references.push(reference);
        Chain {
            start: Source::Reference(index),
            hops,
            steps: listed,
            listed,
            lists: Some(index),
            span,
        }
    }

    fn link(&mut self, chain: &mut Chain, link: Link<'_>, whole: Span) {
        match link {
            Link::Attribute { name, span } => {
                self.hop(chain, Step::Attribute(Str::from(name)), span, whole);
            }
            Link::Legacy { digits, span } => {
                self.hop(chain, Step::Index(digits_value(digits)), span, whole);
            }
            Link::Index { key, brackets } => match literal_key(key) {
                Some(value) => self.hop(chain, Step::Index(value), brackets, whole),
                None => {
                    let source = self.flush(chain);
                    self.room.listed.push(Step::Unknown);
                    let key = self.expression(key);
                    let brackets = self.relative(brackets);
                    let node = self.add(Op::Index { source, key, brackets }, whole);
                    self.go_on(chain, node, whole);
                }
            },
            Link::Splat { each } => {
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
                let node = self.add(Op::Splat { source, each, slot }, whole);
                self.go_on(chain, node, whole);
            }
        }
    }

    /// A chain goes on from an operation that holds all of it so far.
    fn go_on(&mut self, chain: &mut Chain, node: OpId, whole: Span) {
        chain.start = Source::Node(node);
        chain.steps = self.room.listed.len();
        chain.span = whole;
    }

    fn hop(&mut self, chain: &mut Chain, step: Step, span: Span, whole: Span) {
        let span = self.relative(span);
        self.room.listed.push(step);
        self.room.pending.push(Hop { span, hint: Hint::default() });
        chain.span = whole;
    }

    /// Makes an operation of the steps gathered so far.
    fn flush(&mut self, chain: &mut Chain) -> OpId {
        let room = &mut *self.room;
        let own = room.pending.drain(chain.hops..);
        match chain.start {
            Source::Reference(index) => {
                let from = room.hops.len() as u32;
                room.hops.extend(own);
                room.references[index].hops = (from, room.hops.len() as u32);
                self.room.references[index].span = self.relative(chain.span);
                let number = u32::try_from(index).unwrap_or(u32::MAX);
                self.add(Op::Reference(number), chain.span)
            }
            Source::Node(node) if own.len() == 0 => node,
            Source::Node(source) => {
                let hops: Box<[Hop]> = own.collect();
                let end = chain.steps + hops.len();
                let steps = self.room.listed.get(chain.steps..end).unwrap_or(&[]).into();
                let node = TraverseNode::new(source, steps, hops);
                self.add(Op::Traverse(Box::new(node)), chain.span)
            }
        }
    }
}

/// The value of a key that is written as a literal.
pub(super) fn literal_key(key: ExprView<'_>) -> Option<Value> {
    match key.case() {
        Case::Number(text) => Number::parse_literal(text).map(Value::from),
        Case::Template(template) => template.plain().map(|text| Value::text(&*text)),
        _ => None,
    }
}

fn digits_value(digits: &str) -> Value {
    Number::parse_literal(digits).unwrap_or_else(|| Number::from_i64(0)).into()
}

/// What a splat does with each element, as steps of the reference.
fn steps_of(each: ExprView<'_>, listed: &mut Vec<Step>) {
    let mut steps = Vec::new();
    let mut current = each;
    loop {
        let (step, inner) = match current.case() {
            Case::Attribute { object, name, .. } => (Step::Attribute(name.into()), object),
            Case::LegacyIndex { object, digits, .. } => (Step::Index(digits_value(digits)), object),
            Case::Index { object, key, .. } => {
                (literal_key(key).map_or(Step::Unknown, Step::Index), object)
            }
            Case::Splat { source, each, .. } => {
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
