//! Recursive comparison of two values. Each part is inspected once, and equal parts are kept whole.

use groma_value::{Str, Value};

use super::annotations::AnnotationCursor;
use super::compared::{ChangeSign, ComparedForm, ComparedValue, VisibilityChange};
use super::equivalence::alike;
use super::parts::{both, fields, is_hidden, is_shared, items};
use super::sequence::{ElementPairing, as_sets, pair_up};
use super::text_diff;

/// Returns the differences between two values, `None` for a missing one, which differs from null, with the annotations at `way`;
/// with `typed`, a null attribute counts as missing and maps are distinguished from objects.
pub(crate) fn difference(
    before: Option<&Value>,
    after: Option<&Value>,
    typed: bool,
    way: AnnotationCursor<'_>,
) -> ComparedValue {
    match (before, after) {
        (None, None) => ComparedValue::new(ChangeSign::Same, ComparedForm::Scalar(None, None)),
        (Some(before), None) => single(before, ChangeSign::Remove, typed).annotated(way),
        (None, Some(after)) => single(after, ChangeSign::Add, typed).annotated(way),
        (Some(before), Some(after)) => {
            let is_mocked = after.marks().is_mocked();
            ComparedValue { is_mocked, ..pair(before, after, typed, way).annotated(way) }
        }
    }
}

/// Returns a value that exists only before or only after a change, or is equal in both, as a compared value with the given
/// sign; with `typed`, maps are distinguished from objects, whose null attributes count as missing.
pub(crate) fn single(value: &Value, sign: ChangeSign, typed: bool) -> ComparedValue {
    if is_hidden(value) {
        return ComparedValue::new(sign, ComparedForm::Hidden);
    }
    let items = |items: &[Value], is_ordered| ComparedForm::Items {
        all: items.iter().map(|item| single(item, sign, typed)).collect(),
        is_ordered,
    };
    let form = match value.bare() {
        Value::Unknown(unknown) => {
            let causes = unknown.causes.clone();
            match sign {
                ChangeSign::Remove => ComparedForm::Known { causes, after: None },
                _ => ComparedForm::Unknown { before: None, causes },
            }
        }
        Value::String(text) => text_diff::single(text, sign),
        Value::List(list) => items(list.items(), true),
        Value::Tuple(tuple) => items(tuple.items(), true),
        Value::Set(set) => items(set.items(), false),
        Value::Map(map) => {
            let all = map.entries().iter();
            let all = all.map(|(key, value)| (key.clone(), single(value, sign, typed)));
            ComparedForm::Fields { all: all.collect(), is_map: typed }
        }
        Value::Object(object) => {
            let all = object.iter().filter(|(_, value)| !(typed && value.is_null()));
            let all = all.map(|(name, value)| (name.clone(), single(value, sign, typed)));
            ComparedForm::Fields { all: all.collect(), is_map: false }
        }
        scalar => match sign {
            ChangeSign::Remove => ComparedForm::Scalar(Some(scalar.clone()), None),
            _ => ComparedForm::Scalar(None, Some(scalar.clone())),
        },
    };
    ComparedValue { is_mocked: value.marks().is_mocked(), ..ComparedValue::new(sign, form) }
}

/// Returns an unchanged value as a compared value, without inspecting its parts; with `typed`, its maps are to be distinguished
/// from its objects, whose null attributes count as missing.
fn kept(value: &Value, typed: bool) -> ComparedValue {
    ComparedValue::new(ChangeSign::Same, ComparedForm::Kept { value: value.clone(), typed })
}

/// Returns the differences between two values that exist on both sides, annotated from the position `way` in the tree of
/// annotations; with `typed`, a null attribute counts as missing and maps are distinguished from objects.
fn pair(before: &Value, after: &Value, typed: bool, way: AnnotationCursor<'_>) -> ComparedValue {
    if is_shared(before, after) {
        return kept(after, typed);
    }
    if is_hidden(before) || is_hidden(after) {
        return hidden(before, after);
    }
    let turned = || {
        let before = single(before, ChangeSign::Remove, typed);
        let after = single(after, ChangeSign::Add, typed);
        ComparedValue::new(
            ChangeSign::Change,
            ComparedForm::Turned(Box::new(before), Box::new(after)),
        )
    };
    match (before.bare(), after.bare()) {
        // Unknown values do not show whether they stay the same: a note is present if that is known.
        (Value::Unknown(_), Value::Unknown(unknown)) if way.note().is_some() => {
            let causes = unknown.causes.clone();
            ComparedValue::new(ChangeSign::Change, ComparedForm::Unknown { before: None, causes })
        }
        (Value::Unknown(_), Value::Unknown(_)) => kept(after, typed),
        (_, Value::Unknown(unknown)) => {
            let before = Some(Box::new(single(before, ChangeSign::Remove, typed)));
            let causes = unknown.causes.clone();
            ComparedValue::new(ChangeSign::Change, ComparedForm::Unknown { before, causes })
        }
        (Value::Unknown(unknown), _) => {
            let after = Some(Box::new(single(after, ChangeSign::Add, typed)));
            let causes = unknown.causes.clone();
            ComparedValue::new(ChangeSign::Change, ComparedForm::Known { causes, after })
        }
        (Value::String(was), Value::String(now)) => match was == now {
            true => kept(after, typed),
            false => text_diff::pair(was, now),
        },
        (Value::Set(was), Value::Set(now)) => {
            elements(was.items(), now.items(), after, typed, way.note().is_some())
        }
        (was, now) => match (fields(was), fields(now), items(was), items(now)) {
            (Some(was), Some(now), ..) => {
                let is_map = typed && matches!(after.bare(), Value::Map(_));
                let skips = typed && !is_map;
                merged(&was, &now, skips, typed, is_map, after, way)
            }
            (_, _, Some(was), Some(now)) => listed(was, now, after, typed, way),
            (None, None, None, None) => match alike(before, after) {
                true => kept(after, typed),
                // A string of several lines does not fit next to another value.
                false if !text_diff::is_plain(was) || !text_diff::is_plain(now) => turned(),
                false => {
                    let form = ComparedForm::Scalar(Some(was.clone()), Some(now.clone()));
                    ComparedValue::new(ChangeSign::Change, form)
                }
            },
            _ => turned(),
        },
    }
}

/// Returns the difference between two values of which at least one is sensitive or ephemeral; it does not contain the values.
fn hidden(before: &Value, after: &Value) -> ComparedValue {
    let is_same = alike(&before.unmark_deep().0, &after.unmark_deep().0);
    let (was, is) = (is_hidden(before), is_hidden(after));
    let sign = if is_same && was == is { ChangeSign::Same } else { ChangeSign::Change };
    let visibility = match (was, is) {
        (false, true) => Some(VisibilityChange::Hides { is_same }),
        (true, false) => Some(VisibilityChange::Reveals { is_same }),
        _ => None,
    };
    ComparedValue { visibility, ..ComparedValue::new(sign, ComparedForm::Hidden) }
}

/// Returns the differences between the entries of two objects or, if `is_map` is true, maps; `whole` is the value with the
/// entries `after`, with `skips` null entries count as missing, and with `typed` maps in the entries are distinguished from
/// objects, whose null attributes count as missing.
fn merged(
    before: &[(&Str, &Value)],
    after: &[(&Str, &Value)],
    skips: bool,
    typed: bool,
    is_map: bool,
    whole: &Value,
    way: AnnotationCursor<'_>,
) -> ComparedValue {
    let (mut sign, mut all) = (ChangeSign::Same, Vec::new());
    for (name, was, now) in both(before, after) {
        let is_there = |value: &&Value| !(skips && value.is_null());
        let (was, now) = (was.filter(is_there), now.filter(is_there));
        if was.is_none() && now.is_none() {
            continue;
        }
        let node = difference(was, now, typed, way.to_name(name));
        if node.sign != ChangeSign::Same {
            sign = ChangeSign::Change;
        }
        all.push((name.clone(), node));
    }
    match sign {
        ChangeSign::Same => kept(whole, typed),
        sign => ComparedValue::new(sign, ComparedForm::Fields { all, is_map }),
    }
}

/// Returns the differences between the elements of two lists; `whole` is the list with the elements `after`, and if `typed` is
/// true, maps in the elements are distinguished from objects, whose null attributes count as missing.
fn listed(
    before: &[Value],
    after: &[Value],
    whole: &Value,
    typed: bool,
    way: AnnotationCursor<'_>,
) -> ComparedValue {
    let (mut sign, mut all) = (ChangeSign::Same, Vec::with_capacity(after.len()));
    for pairing in pair_up(before, after) {
        let node = match pairing {
            // Unknown elements look equal, but a note says that they may differ.
            ElementPairing::Same(was, at) if !after[at].is_wholly_known() => {
                difference(Some(&before[was]), Some(&after[at]), typed, way.to_item(at))
            }
            ElementPairing::Same(_, at) => kept(&after[at], typed),
            ElementPairing::Before(at) => {
                single(&before[at], ChangeSign::Remove, typed).annotated(way.to_item(at))
            }
            ElementPairing::After(at) => {
                single(&after[at], ChangeSign::Add, typed).annotated(way.to_item(at))
            }
            ElementPairing::Both(was, now) => {
                let way = way.to_item(now);
                difference(Some(&before[was]), Some(&after[now]), typed, way)
            }
        };
        if node.sign != ChangeSign::Same {
            sign = ChangeSign::Change;
        }
        all.push(node);
    }
    match sign {
        ChangeSign::Same => kept(whole, typed),
        sign => ComparedValue::new(sign, ComparedForm::Items { all, is_ordered: true }),
    }
}

/// Returns the differences between the elements of two sets; `whole` is the set with the elements `after`, with `is_noted` an
/// annotation is on the set, so that its unknown elements count as changed, and with `typed` maps in the elements are
/// distinguished from objects, whose null attributes count as missing.
fn elements(
    before: &[Value],
    after: &[Value],
    whole: &Value,
    typed: bool,
    is_noted: bool,
) -> ComparedValue {
    let (mut sign, mut all) = (ChangeSign::Same, Vec::with_capacity(after.len()));
    for pairing in as_sets(before, after) {
        let node = match pairing {
            ElementPairing::Same(_, at) | ElementPairing::Both(_, at) => match after[at].bare() {
                // The note applies to the whole set, because its elements have no paths.
                Value::Unknown(unknown) if is_noted && !is_hidden(&after[at]) => {
                    let causes = unknown.causes.clone();
                    ComparedValue::new(
                        ChangeSign::Change,
                        ComparedForm::Unknown { before: None, causes },
                    )
                }
                _ => kept(&after[at], typed),
            },
            ElementPairing::Before(at) => single(&before[at], ChangeSign::Remove, typed),
            ElementPairing::After(at) => single(&after[at], ChangeSign::Add, typed),
        };
        if node.sign != ChangeSign::Same {
            sign = ChangeSign::Change;
        }
        all.push(node);
    }
    match sign {
        ChangeSign::Same => kept(whole, typed),
        sign => ComparedValue::new(sign, ComparedForm::Items { all, is_ordered: false }),
    }
}
