//! Whole objects: what the schema calls an attribute differs as a value, what it calls a block differs block by block.
//! Null is the same as not written there.

use groma_value::schema::{Block, Nesting};
use groma_value::{Str, Type, Value};

use super::sequence::{Pairing, as_sets, pair_up};
use super::{Form, Node, Sign, Way, both, difference, fields, is_hidden, items, single};

/// What differs in an object.
#[derive(Clone, Default, Debug)]
pub(crate) struct Body {
    /// The attributes that there are, by name.
    pub(crate) attributes: Vec<(Str, Node)>,
    /// The blocks that there are, by the word that starts them.
    pub(crate) blocks: Vec<Nest>,
    /// How many attributes are left to their provider, which alone knows their defaults.
    pub(crate) left: usize,
    /// Whether nothing of it may be shown.
    pub(crate) is_hidden: bool,
}

/// A block and where it stands.
#[derive(Clone, Debug)]
pub(crate) struct Nest {
    pub(crate) name: Str,
    /// What tells it from its like, where that is a label.
    pub(crate) label: Option<Str>,
    pub(crate) node: Node,
}

/// Whoever can tell which unknowns are only defaults that the provider knows.
pub(crate) type IsLeft<'l> = &'l dyn Fn(&Value) -> bool;

/// What differs between two objects of a shape, or of none that is known.
pub(crate) fn body(
    before: Option<&Value>,
    after: Option<&Value>,
    shape: Option<&Block>,
    is_left: IsLeft<'_>,
    way: &Way<'_>,
) -> Node {
    let (before, after) = (present(before), present(after));
    if before.is_some_and(is_hidden) || after.is_some_and(is_hidden) {
        let hidden = difference(before, after, true, way);
        let body = Body { is_hidden: true, ..Body::default() };
        return Node { form: Form::Block(Box::new(body)), ..hidden };
    }
    if [before, after].into_iter().flatten().any(|side| fields(side.bare()).is_none()) {
        return difference(before, after, true, way);
    }
    let (was, now) = (before.map(named), after.map(named));
    let start = match (&was, &now) {
        (None, Some(_)) => Sign::Add,
        (Some(_), None) => Sign::Remove,
        _ => Sign::Same,
    };
    let whole =
        Whole { is_old: shape.is_some_and(Block::has_hidden_defaults), shape, is_left, start };
    let mut body = Body::default();
    let mut sign = start;
    for (name, was, now) in both(&was.unwrap_or_default(), &now.unwrap_or_default()) {
        let way = way.into_name(name);
        match shape.and_then(|shape| shape.block(name)) {
            Some(nested) => {
                let from = body.blocks.len();
                blocks(name, was, now, nested.nesting, &nested.block, is_left, &way, &mut body);
                for nest in &body.blocks[from..] {
                    sign = sign.with(nest.node.sign);
                }
            }
            None => {
                if let Some(node) = whole.attribute(name, was, now, &way, &mut body.left) {
                    sign = sign.with(node.sign);
                    body.attributes.push((name.clone(), node));
                }
            }
        }
    }
    let mut node = Node::new(sign, Form::Block(Box::new(body)));
    node.forces = way.forces();
    node.note = way.note();
    node
}

/// What counts for all attributes of an object.
struct Whole<'a> {
    shape: Option<&'a Block>,
    /// Whether an empty text is as good as none.
    is_old: bool,
    is_left: IsLeft<'a>,
    start: Sign,
}

impl Whole<'_> {
    fn attribute(
        &self,
        name: &str,
        was: Option<&Value>,
        now: Option<&Value>,
        way: &Way<'_>,
        left: &mut usize,
    ) -> Option<Node> {
        let declared = self.shape.and_then(|shape| shape.attribute(name));
        let (was, now) = (present(was), present(now));
        if declared.is_some_and(|one| one.write_only) {
            // It is never there, so that it changes is not to be seen; that it is written is.
            let node = Node::new(self.start, Form::WriteOnly);
            return now.is_some().then_some(node);
        }
        if was.is_none()
            && declared.is_some_and(|one| !one.computed)
            && now.is_some_and(|now| (self.is_left)(now))
        {
            *left += 1;
            return None;
        }
        let is_empty =
            |value: &Value| self.is_old && matches!(value, Value::String(text) if text.is_empty());
        let (was, now) = match (was, now) {
            (Some(was), None) if is_empty(was) => (None, None),
            (None, Some(now)) if is_empty(now) => (None, None),
            other => other,
        };
        if was.is_none() && now.is_none() {
            return None;
        }
        let is_typed = declared.is_none_or(|one| one.ty() != Type::Dynamic);
        Some(difference(was, now, is_typed, way))
    }
}

/// The parts of a list or a set.
fn listed(value: &Value) -> &[Value] {
    items(value.bare()).unwrap_or_default()
}

/// The parts of an object or a map, by name.
fn named(value: &Value) -> Vec<(&Str, &Value)> {
    fields(value.bare()).unwrap_or_default()
}

/// What is there: null is not.
fn present(value: Option<&Value>) -> Option<&Value> {
    value.filter(|value| !value.is_null())
}

#[expect(clippy::too_many_arguments, reason = "one call hands on what it was given")]
fn blocks(
    name: &Str,
    was: Option<&Value>,
    now: Option<&Value>,
    nesting: Nesting,
    shape: &Block,
    is_left: IsLeft<'_>,
    way: &Way<'_>,
    out: &mut Body,
) {
    let (was, now) = (present(was), present(now));
    let mut push = |label: Option<Str>, node: Node| {
        out.blocks.push(Nest { name: name.clone(), label, node });
    };
    let is_veiled = |side: Option<&Value>| side.is_some_and(is_hidden);
    let one = matches!(nesting, Nesting::Single | Nesting::Group);
    if is_veiled(was) || is_veiled(now) || one {
        if was.is_some() || now.is_some() {
            push(None, nested(was, now, shape, is_left, way));
        }
        return;
    }
    let is_unknown = |side: Option<&Value>| side.is_some_and(|side| !side.is_known());
    if is_unknown(was) || is_unknown(now) {
        // How many there are is not known on one side, so nothing can be paired.
        match (is_unknown(was), is_unknown(now), was, now) {
            (true, true, _, Some(now)) => push(None, single(now, Sign::Same, true)),
            _ => {
                for (side, sign) in [(was, Sign::Remove), (now, Sign::Add)] {
                    let Some(side) = side else { continue };
                    if !side.is_known() {
                        push(None, single(side, sign, true));
                        continue;
                    }
                    for (label, body) in parts(side) {
                        push(label.cloned(), lone(body, sign, shape, is_left));
                    }
                }
            }
        }
        return;
    }
    if nesting == Nesting::Map {
        let (was, now) = (was.map(named), now.map(named));
        for (label, was, now) in both(&was.unwrap_or_default(), &now.unwrap_or_default()) {
            let way = way.into_name(label);
            push(Some(label.clone()), nested(was, now, shape, is_left, &way));
        }
        return;
    }
    let (was, now) = (was.map_or(&[][..], listed), now.map_or(&[][..], listed));
    let pairs = if nesting == Nesting::Set { as_sets(was, now) } else { pair_up(was, now) };
    for pairing in pairs {
        let (was, now, at) = match pairing {
            Pairing::Same(x, y) | Pairing::Both(x, y) => (Some(&was[x]), Some(&now[y]), y),
            Pairing::Before(x) => (Some(&was[x]), None, x),
            Pairing::After(y) => (None, Some(&now[y]), y),
        };
        push(None, nested(was, now, shape, is_left, &way.into_item(at)));
    }
}

/// The bodies in a collection of them, with their labels.
fn parts(side: &Value) -> Vec<(Option<&Str>, &Value)> {
    match items(side.bare()) {
        Some(all) => all.iter().map(|one| (None, one)).collect(),
        None => {
            let all = fields(side.bare()).unwrap_or_default();
            all.into_iter().map(|(label, one)| (Some(label), one)).collect()
        }
    }
}

fn lone(side: &Value, sign: Sign, shape: &Block, is_left: IsLeft<'_>) -> Node {
    let (was, now) = match sign {
        Sign::Remove => (Some(side), None),
        _ => (None, Some(side)),
    };
    nested(was, now, shape, is_left, &Way::default())
}

fn nested(
    was: Option<&Value>,
    now: Option<&Value>,
    shape: &Block,
    is_left: IsLeft<'_>,
    way: &Way<'_>,
) -> Node {
    body(was, now, Some(shape), is_left, way)
}
