//! How much a value weighs when it is written out. Values share their parts, so a value of a few
//! nodes may be as large as one likes when walked; walks that copy are bounded by asking first.

use groma_value::Value;

/// Whether the value, written out, has at most about `most` bytes. Looks at no more than that.
pub(crate) fn fits(value: &Value, most: usize) -> bool {
    let mut left = most;
    take(value, &mut left)
}

fn take(value: &Value, left: &mut usize) -> bool {
    let own = match value.bare() {
        Value::String(text) => text.len() + 2,
        _ => 1,
    };
    let Some(rest) = left.checked_sub(own) else { return false };
    *left = rest;
    match value.bare() {
        Value::List(list) => list.items().iter().all(|item| take(item, left)),
        Value::Set(set) => set.items().iter().all(|item| take(item, left)),
        Value::Tuple(tuple) => tuple.items().iter().all(|item| take(item, left)),
        Value::Map(map) => map.entries().iter().all(|(key, item)| take_pair(key, item, left)),
        Value::Object(object) => object.iter().all(|(key, item)| take_pair(key, item, left)),
        _ => true,
    }
}

fn take_pair(key: &str, item: &Value, left: &mut usize) -> bool {
    *left = left.saturating_sub(key.len() + 2);
    take(item, left)
}
