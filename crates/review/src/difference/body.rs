//! Comparison of whole objects by schema: attributes are compared as values, nested blocks one by one. Null counts as omitted.

use groma_value::schema::{BlockSchema, NestedBlock, NestingMode};
use groma_value::{Str, Type, Value};

use super::annotations::AnnotationCursor;
use super::compare::{difference, single};
use super::compared::{ChangeSign, ComparedForm, ComparedObject, ComparedValue, NestedDifference};
use super::parts::{both, fields, is_hidden, items};
use super::sequence::{ElementPairing, as_sets, pair_up};

/// Comparer of the old and new object of a resource instance. It omits unknown values that are only defaults of the provider.
#[derive(Clone, Copy)]
pub(crate) struct ObjectComparer<'a> {
    /// Returns true for an unknown that is only a default of the provider.
    pub(crate) is_left: &'a dyn Fn(&Value) -> bool,
}

/// The values before and after a change; a missing one is `None`.
type Sides<'v> = (Option<&'v Value>, Option<&'v Value>);

impl ObjectComparer<'_> {
    /// Returns the differences between the old and the new object of a resource instance, or of a nested block in one. With a
    /// schema, nested blocks are compared one by one.
    pub(crate) fn body(
        self,
        sides: Sides<'_>,
        shape: Option<&BlockSchema>,
        way: AnnotationCursor<'_>,
    ) -> ComparedValue {
        let (before, after) = (present(sides.0), present(sides.1));
        if before.is_some_and(is_hidden) || after.is_some_and(is_hidden) {
            let hidden = difference(before, after, true, way);
            let body = ComparedObject { is_hidden: true, ..ComparedObject::default() };
            return ComparedValue { form: ComparedForm::Block(Box::new(body)), ..hidden };
        }
        if [before, after].into_iter().flatten().any(|side| fields(side.bare()).is_none()) {
            return difference(before, after, true, way);
        }
        let start = match (before, after) {
            (None, Some(_)) => ChangeSign::Add,
            (Some(_), None) => ChangeSign::Remove,
            _ => ChangeSign::Same,
        };
        let (was, now) = (before.map(named), after.map(named));
        let mut body = ComparedObject::default();
        let mut sign = start;
        for (name, was, now) in both(&was.unwrap_or_default(), &now.unwrap_or_default()) {
            let way = way.to_name(name);
            if let Some(nested) = shape.and_then(|shape| shape.block(name)) {
                let from = body.blocks.len();
                self.blocks((was, now), nested, way, &mut body);
                sign = body.blocks[from..].iter().fold(sign, |sign, one| sign.with(one.node.sign));
            } else if let Some(node) =
                self.attribute(name, (was, now), shape, start, way, &mut body)
            {
                sign = sign.with(node.sign);
                body.attributes.push((name.clone(), node));
            }
        }
        ComparedValue::new(sign, ComparedForm::Block(Box::new(body))).annotated(way)
    }

    /// Returns the differences between the old and the new value of an attribute of an object with the sign `start`; `None` if
    /// there is nothing to display, with a count in `body` if the reason is that the provider chooses the value.
    fn attribute(
        self,
        name: &str,
        (was, now): Sides<'_>,
        shape: Option<&BlockSchema>,
        start: ChangeSign,
        way: AnnotationCursor<'_>,
        body: &mut ComparedObject,
    ) -> Option<ComparedValue> {
        let declared = shape.and_then(|shape| shape.attribute(name));
        let (was, now) = (present(was), present(now));
        if declared.is_some_and(|one| one.write_only) {
            // A write-only attribute is never in the object, so its change is invisible; that it may be set is displayed.
            return now.is_some().then(|| ComparedValue::new(start, ComparedForm::WriteOnly));
        }
        let is_settled = declared.is_some_and(|one| !one.computed);
        if is_settled && now.is_some_and(self.is_left) {
            body.left += 1;
            return None;
        }
        // Providers on the older SDK treat an empty string as missing.
        let is_old = shape.is_some_and(BlockSchema::has_hidden_defaults);
        let is_empty = |value: &Value| match value {
            Value::String(text) => is_old && text.is_empty(),
            _ => false,
        };
        let (was, now) = match (was, now) {
            (None, None) => return None,
            (Some(one), None) | (None, Some(one)) if is_empty(one) => return None,
            both => both,
        };
        let is_typed = declared.is_none_or(|one| one.ty() != Type::Dynamic);
        Some(difference(was, now, is_typed, way))
    }

    /// Adds the differences between the old and the new nested blocks of one type to `out`, with the annotations at `way`.
    fn blocks(
        self,
        (was, now): Sides<'_>,
        nested: &NestedBlock,
        way: AnnotationCursor<'_>,
        out: &mut ComparedObject,
    ) {
        let (was, now) = (present(was), present(now));
        if was.is_none() && now.is_some_and(self.is_left) {
            out.left_blocks += 1;
            return;
        }
        let name = &nested.name;
        let mut push = |label: Option<&Str>, node: ComparedValue| {
            out.blocks.push(NestedDifference { name: name.clone(), label: label.cloned(), node });
        };
        let shape = Some(&*nested.block);
        let is_one = matches!(nested.nesting, NestingMode::Single | NestingMode::Group);
        if is_one || was.is_some_and(is_hidden) || now.is_some_and(is_hidden) {
            if was.is_some() || now.is_some() {
                push(None, self.body((was, now), shape, way));
            }
            return;
        }
        let is_unknown = |side: Option<&Value>| side.is_some_and(|side| !side.is_known());
        match (is_unknown(was), is_unknown(now), now) {
            (true, true, Some(now)) => push(None, single(now, ChangeSign::Same, true)),
            (false, false, _) => self.pair_blocks((was, now), nested, way, &mut push),
            // The number of blocks is unknown on one side, so they cannot be paired.
            _ => {
                for (side, sign) in [(was, ChangeSign::Remove), (now, ChangeSign::Add)] {
                    let Some(side) = side else { continue };
                    if !side.is_known() {
                        push(None, single(side, sign, true));
                        continue;
                    }
                    for (label, body) in parts(side) {
                        let sides = match sign {
                            ChangeSign::Remove => (Some(body), None),
                            _ => (None, Some(body)),
                        };
                        push(label, self.body(sides, shape, AnnotationCursor::default()));
                    }
                }
            }
        }
    }

    /// Passes the differences between the old and the new blocks of one type, with the annotations at `way`, to `push`, each with
    /// its label, if any. Both numbers of blocks are known.
    fn pair_blocks(
        self,
        (was, now): Sides<'_>,
        nested: &NestedBlock,
        way: AnnotationCursor<'_>,
        push: &mut dyn FnMut(Option<&Str>, ComparedValue),
    ) {
        let shape = Some(&*nested.block);
        if nested.nesting == NestingMode::Map {
            let (was, now) = (was.map(named), now.map(named));
            for (label, was, now) in both(&was.unwrap_or_default(), &now.unwrap_or_default()) {
                push(Some(label), self.body((was, now), shape, way.to_name(label)));
            }
            return;
        }
        let (was, now) = (was.map_or(&[][..], listed), now.map_or(&[][..], listed));
        let pairs = match nested.nesting {
            NestingMode::Set => as_sets(was, now),
            _ => pair_up(was, now),
        };
        for pairing in pairs {
            let (sides, at) = match pairing {
                ElementPairing::Same(x, y) | ElementPairing::Both(x, y) => {
                    ((Some(&was[x]), Some(&now[y])), y)
                }
                ElementPairing::Before(x) => ((Some(&was[x]), None), x),
                ElementPairing::After(y) => ((None, Some(&now[y])), y),
            };
            push(None, self.body(sides, shape, way.to_item(at)));
        }
    }
}

/// Returns the nested blocks in a collection, with their labels if it is a map.
fn parts(side: &Value) -> Vec<(Option<&Str>, &Value)> {
    match items(side.bare()) {
        Some(all) => all.iter().map(|one| (None, one)).collect(),
        None => named(side).into_iter().map(|(label, one)| (Some(label), one)).collect(),
    }
}

/// Returns the elements of a list or set; empty for other values.
fn listed(value: &Value) -> &[Value] {
    items(value.bare()).unwrap_or_default()
}

/// Returns the entries of an object or a map; empty for other values.
fn named(value: &Value) -> Vec<(&Str, &Value)> {
    fields(value.bare()).unwrap_or_default()
}

/// Returns a value unless it is null or missing.
fn present(value: Option<&Value>) -> Option<&Value> {
    value.filter(|value| !value.is_null())
}
