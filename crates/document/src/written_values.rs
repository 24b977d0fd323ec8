//! Values of expressions in a syntax document. A value that several places share is written once, and the total size is bounded.

use std::collections::HashMap;
use std::sync::Arc;

use groma::json::{JsonObject, JsonText, array};
use groma::why::{ValueRoom, write_value_properties};
use groma::{ExpressionValue, Value};
use groma_syntax::Span;

/// Size of a value, in units of `Value::measure`, up to which each occurrence is written in full and not as a reference to the
/// first.
const SHORT: u64 = 200;

/// The places at which the JSON document of syntax trees first has each large value, to which later occurrences refer, and the
/// space that is left for further values.
#[derive(Default)]
pub(crate) struct WrittenValues {
    room: ValueRoom,
    /// The places of values that are shared in memory, not only equal.
    seen: HashMap<usize, (String, Span)>,
}

impl WrittenValues {
    /// Writes a value of the expression at `span` of the file `name` as a JSON object: a large value that the document has
    /// already as a reference to the file and span where it was written first.
    pub(crate) fn write(
        &mut self,
        worth: &ExpressionValue,
        name: &str,
        span: Span,
        out: &mut JsonText<'_>,
    ) {
        let mut one = JsonObject::open(out);
        if let Some(instance) = &worth.instance {
            one.text("instance", instance);
        }
        let own = shared(&worth.value).filter(|_| worth.value.measure().weight > SHORT);
        match own.and_then(|own| self.seen.get(&own)) {
            Some((name, span)) => {
                one.flag("see", true);
                let mut first = one.object("first");
                first.text("name", name);
                write_range(*span, first.key("range"));
                first.close();
            }
            None => {
                let is_shown =
                    write_value_properties(&worth.value, &mut self.room, &mut one).is_some();
                if let Some(own) = own.filter(|_| is_shown) {
                    self.seen.insert(own, (name.to_owned(), span));
                }
            }
        }
        one.close();
    }
}

/// Returns the memory address of the reference-counted content of a value, by which copies are recognized; `None` if it has
/// none.
fn shared(value: &Value) -> Option<usize> {
    Some(match value {
        Value::List(whole) => Arc::as_ptr(whole).addr(),
        Value::Set(whole) => Arc::as_ptr(whole).addr(),
        Value::Map(whole) => Arc::as_ptr(whole).addr(),
        Value::Tuple(whole) => Arc::as_ptr(whole).addr(),
        Value::Object(whole) => Arc::as_ptr(whole).addr(),
        Value::Marked(whole) => Arc::as_ptr(whole).addr(),
        _ => return None,
    })
}

/// Writes a span as a JSON array of its start and end, in bytes.
pub(crate) fn write_range(span: Span, out: &mut JsonText<'_>) {
    array([span.start, span.end], out, |at, out| out.push_str(&at.to_string()));
}
