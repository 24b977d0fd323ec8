//! What differs between two values, as a tree. What is the same on both sides is kept whole and looked into only by who
//! shows it, so that nothing huge is taken apart for nothing, and nothing is compared twice.

mod alike;
mod body;
mod sequence;
mod strings;
mod way;

use std::sync::Arc;

use groma_value::{Causes, Mark, Str, Value};

pub(crate) use body::{Body, Nest, Objects};
pub(crate) use way::Way;

use alike::alike;
use sequence::{Pairing, pair_up};

/// What becomes of something.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Sign {
    Same,
    Add,
    Remove,
    Change,
}

impl Sign {
    /// The sign of a whole, from that of a part. What is there on both sides begins as the same.
    fn with(self, part: Sign) -> Sign {
        match (self, part) {
            (own, Sign::Same) => own,
            (own, part) if own == part => own,
            _ => Sign::Change,
        }
    }
}

/// That something begins to be hidden, or is no longer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Veil {
    Falls { is_same: bool },
    Lifts { is_same: bool },
}

/// Something with what becomes of it.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub(crate) sign: Sign,
    /// Whether this is why an object has to be replaced.
    pub(crate) forces: bool,
    pub(crate) veil: Option<Veil>,
    /// Where the difference comes from.
    pub(crate) note: Option<Str>,
    pub(crate) form: Form,
}

/// What it looks like.
#[derive(Clone, Debug)]
pub(crate) enum Form {
    /// One value, looked into only where it is shown.
    Kept { value: Value, typed: bool },
    /// Null, a truth, a number or a text on one line, before and after.
    Scalar(Option<Value>, Option<Value>),
    /// A text of several lines.
    Lines { lines: Vec<(Sign, Str)>, is_blank: bool },
    /// A text that says a value in another language.
    Coded { word: &'static str, inner: Box<Node>, is_blank: bool },
    /// Elements. Those around a change are shown where their order counts.
    Items { all: Vec<Node>, is_ordered: bool },
    /// Attributes, or elements by key.
    Fields { all: Vec<(Str, Node)>, is_map: bool },
    /// Not known afterwards; what was there before, if anything was.
    Unknown { before: Option<Box<Node>>, causes: Causes },
    /// Not known before.
    Known { causes: Causes, after: Option<Box<Node>> },
    /// Something of another kind.
    Turned(Box<Node>, Box<Node>),
    /// Not to be shown.
    Hidden,
    /// Handed to the provider and never kept.
    WriteOnly,
    /// A block.
    Block(Box<Body>),
}

impl Node {
    pub(crate) fn new(sign: Sign, form: Form) -> Node {
        Node { sign, forces: false, veil: None, note: None, form }
    }

    fn on(mut self, way: &Way<'_>) -> Node {
        self.forces = way.forces();
        self.note = way.note();
        self
    }
}

/// Whether a value is not to be shown.
pub(crate) fn is_hidden(value: &Value) -> bool {
    match value {
        Value::Marked(marked) => {
            marked.marks().contains(&Mark::Sensitive) || marked.marks().contains(&Mark::Ephemeral)
        }
        _ => false,
    }
}

/// The difference of two values; none is what is not there, which a written null is not. In typed values an attribute that
/// is null counts as not there, and maps are told from objects.
pub(crate) fn difference(
    before: Option<&Value>,
    after: Option<&Value>,
    typed: bool,
    way: &Way<'_>,
) -> Node {
    match (before, after) {
        (None, None) => Node::new(Sign::Same, Form::Scalar(None, None)),
        (Some(before), None) => single(before, Sign::Remove, typed).on(way),
        (None, Some(after)) => single(after, Sign::Add, typed).on(way),
        (Some(before), Some(after)) => pair(before, after, typed, way).on(way),
    }
}

/// A value that is there on one side only, or on both alike.
pub(crate) fn single(value: &Value, sign: Sign, typed: bool) -> Node {
    if is_hidden(value) {
        return Node::new(sign, Form::Hidden);
    }
    let items = |items: &[Value], is_ordered| Form::Items {
        all: items.iter().map(|item| single(item, sign, typed)).collect(),
        is_ordered,
    };
    let form = match value.bare() {
        Value::Unknown(unknown) => {
            let causes = unknown.causes.clone();
            match sign {
                Sign::Remove => Form::Known { causes, after: None },
                _ => Form::Unknown { before: None, causes },
            }
        }
        Value::String(text) => strings::single(text, sign),
        Value::List(list) => items(list.items(), true),
        Value::Tuple(tuple) => items(tuple.items(), true),
        Value::Set(set) => items(set.items(), false),
        Value::Map(map) => {
            let all = map.entries().iter();
            let all = all.map(|(key, value)| (key.clone(), single(value, sign, typed)));
            Form::Fields { all: all.collect(), is_map: typed }
        }
        Value::Object(object) => {
            let all = object.iter().filter(|(_, value)| !(typed && value.is_null()));
            let all = all.map(|(name, value)| (name.clone(), single(value, sign, typed)));
            Form::Fields { all: all.collect(), is_map: false }
        }
        scalar => match sign {
            Sign::Remove => Form::Scalar(Some(scalar.clone()), None),
            _ => Form::Scalar(None, Some(scalar.clone())),
        },
    };
    Node::new(sign, form)
}

fn kept(value: &Value, typed: bool) -> Node {
    Node::new(Sign::Same, Form::Kept { value: value.clone(), typed })
}

/// A value that is there before and after.
fn pair(before: &Value, after: &Value, typed: bool, way: &Way<'_>) -> Node {
    if is_shared(before, after) {
        return kept(after, typed);
    }
    if is_hidden(before) || is_hidden(after) {
        return hidden(before, after);
    }
    let turned = || {
        let before = single(before, Sign::Remove, typed);
        let after = single(after, Sign::Add, typed);
        Node::new(Sign::Change, Form::Turned(Box::new(before), Box::new(after)))
    };
    match (before.bare(), after.bare()) {
        // Whether it stays the same values do not tell: whoever knows has made a note.
        (Value::Unknown(_), Value::Unknown(unknown)) if way.note().is_some() => {
            let causes = unknown.causes.clone();
            Node::new(Sign::Change, Form::Unknown { before: None, causes })
        }
        (Value::Unknown(_), Value::Unknown(_)) => kept(after, typed),
        (_, Value::Unknown(unknown)) => {
            let before = Some(Box::new(single(before, Sign::Remove, typed)));
            let causes = unknown.causes.clone();
            Node::new(Sign::Change, Form::Unknown { before, causes })
        }
        (Value::Unknown(unknown), _) => {
            let after = Some(Box::new(single(after, Sign::Add, typed)));
            let causes = unknown.causes.clone();
            Node::new(Sign::Change, Form::Known { causes, after })
        }
        (Value::String(was), Value::String(now)) => match was == now {
            true => kept(after, typed),
            false => strings::pair(was, now),
        },
        (Value::Set(was), Value::Set(now)) => elements(was.items(), now.items(), after, typed),
        (was, now) => match (fields(was), fields(now), items(was), items(now)) {
            (Some(was), Some(now), ..) => {
                let is_map = typed && matches!(after.bare(), Value::Map(_));
                let skips = typed && !is_map;
                merged(&was, &now, skips, typed, is_map, after, way)
            }
            (_, _, Some(was), Some(now)) => listed(was, now, after, typed, way),
            (None, None, None, None) => match alike(before, after) {
                true => kept(after, typed),
                // A text of several lines does not fit beside another value.
                false if !strings::is_plain(was) || !strings::is_plain(now) => turned(),
                false => {
                    let form = Form::Scalar(Some(was.clone()), Some(now.clone()));
                    Node::new(Sign::Change, form)
                }
            },
            _ => turned(),
        },
    }
}

/// Whether two values are one and the same collection.
fn is_shared(before: &Value, after: &Value) -> bool {
    match (before, after) {
        (Value::List(a), Value::List(b)) => Arc::ptr_eq(a, b),
        (Value::Set(a), Value::Set(b)) => Arc::ptr_eq(a, b),
        (Value::Map(a), Value::Map(b)) => Arc::ptr_eq(a, b),
        (Value::Tuple(a), Value::Tuple(b)) => Arc::ptr_eq(a, b),
        (Value::Object(a), Value::Object(b)) => Arc::ptr_eq(a, b),
        (Value::Marked(a), Value::Marked(b)) => Arc::ptr_eq(a, b),
        _ => false,
    }
}

fn hidden(before: &Value, after: &Value) -> Node {
    let is_same = alike(&before.unmark_deep().0, &after.unmark_deep().0);
    let (was, is) = (is_hidden(before), is_hidden(after));
    let sign = if is_same && was == is { Sign::Same } else { Sign::Change };
    let veil = match (was, is) {
        (false, true) => Some(Veil::Falls { is_same }),
        (true, false) => Some(Veil::Lifts { is_same }),
        _ => None,
    };
    Node { veil, ..Node::new(sign, Form::Hidden) }
}

/// The parts of an object or a map, by name.
fn fields(value: &Value) -> Option<Vec<(&Str, &Value)>> {
    match value {
        Value::Object(object) => Some(object.iter().collect()),
        Value::Map(map) => Some(map.entries().iter().map(|(key, value)| (key, value)).collect()),
        _ => None,
    }
}

/// The parts of a collection without names.
fn items(value: &Value) -> Option<&[Value]> {
    match value {
        Value::List(list) => Some(list.items()),
        Value::Tuple(tuple) => Some(tuple.items()),
        Value::Set(set) => Some(set.items()),
        _ => None,
    }
}

/// Both sides of everything that is named on one of them, by name.
pub(super) fn both<'v>(
    before: &[(&'v Str, &'v Value)],
    after: &[(&'v Str, &'v Value)],
) -> Vec<(&'v Str, Option<&'v Value>, Option<&'v Value>)> {
    let mut all = Vec::with_capacity(before.len().max(after.len()));
    let (mut was, mut now) = (before.iter().peekable(), after.iter().peekable());
    loop {
        match (was.peek(), now.peek()) {
            (None, None) => return all,
            (Some((name, value)), other)
                if other.is_none_or(|(next, _)| name.as_str() < next.as_str()) =>
            {
                all.push((*name, Some(*value), None));
                was.next();
            }
            (other, Some((name, value)))
                if other.is_none_or(|(next, _)| name.as_str() < next.as_str()) =>
            {
                all.push((*name, None, Some(*value)));
                now.next();
            }
            (Some((name, one)), Some((_, other))) => {
                all.push((*name, Some(*one), Some(*other)));
                (was.next(), now.next());
            }
            _ => return all,
        }
    }
}

fn merged(
    before: &[(&Str, &Value)],
    after: &[(&Str, &Value)],
    skips: bool,
    typed: bool,
    is_map: bool,
    whole: &Value,
    way: &Way<'_>,
) -> Node {
    let (mut sign, mut all) = (Sign::Same, Vec::new());
    for (name, was, now) in both(before, after) {
        let is_there = |value: &&Value| !(skips && value.is_null());
        let (was, now) = (was.filter(is_there), now.filter(is_there));
        if was.is_none() && now.is_none() {
            continue;
        }
        let node = difference(was, now, typed, &way.into_name(name));
        if node.sign != Sign::Same {
            sign = Sign::Change;
        }
        all.push((name.clone(), node));
    }
    match sign {
        Sign::Same => kept(whole, typed),
        sign => Node::new(sign, Form::Fields { all, is_map }),
    }
}

/// Elements whose order counts.
fn listed(before: &[Value], after: &[Value], whole: &Value, typed: bool, way: &Way<'_>) -> Node {
    let (mut sign, mut all) = (Sign::Same, Vec::with_capacity(after.len()));
    for pairing in pair_up(before, after) {
        let node = match pairing {
            Pairing::Same(_, at) => kept(&after[at], typed),
            Pairing::Before(at) => single(&before[at], Sign::Remove, typed).on(&way.into_item(at)),
            Pairing::After(at) => single(&after[at], Sign::Add, typed).on(&way.into_item(at)),
            Pairing::Both(was, now) => {
                let way = way.into_item(now);
                difference(Some(&before[was]), Some(&after[now]), typed, &way)
            }
        };
        if node.sign != Sign::Same {
            sign = Sign::Change;
        }
        all.push(node);
    }
    match sign {
        Sign::Same => kept(whole, typed),
        sign => Node::new(sign, Form::Items { all, is_ordered: true }),
    }
}

/// Elements whose order does not count.
fn elements(before: &[Value], after: &[Value], whole: &Value, typed: bool) -> Node {
    let (mut sign, mut all) = (Sign::Same, Vec::with_capacity(after.len()));
    for pairing in sequence::as_sets(before, after) {
        let node = match pairing {
            Pairing::Same(_, at) | Pairing::Both(_, at) => kept(&after[at], typed),
            Pairing::Before(at) => single(&before[at], Sign::Remove, typed),
            Pairing::After(at) => single(&after[at], Sign::Add, typed),
        };
        if node.sign != Sign::Same {
            sign = Sign::Change;
        }
        all.push(node);
    }
    match sign {
        Sign::Same => kept(whole, typed),
        sign => Node::new(sign, Form::Items { all, is_ordered: false }),
    }
}
