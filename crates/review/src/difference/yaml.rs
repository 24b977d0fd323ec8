//! Texts that `yamlencode` has written. Only those are taken for the values they say: in what a person has written the
//! layout and the remarks count too, so it is compared by its lines.

use std::sync::{Arc, LazyLock};

use groma_functions::{CallContext, FoundFunction, Function, FunctionLibrary, call};
use groma_runtime::{Edition, Semantics};
use groma_value::{Str, Value};

/// The two functions, and how they behave.
struct YamlFunctions {
    semantics: Arc<Semantics>,
    decode: &'static Function,
    encode: &'static Function,
}

static YAML: LazyLock<Option<YamlFunctions>> = LazyLock::new(|| {
    let edition = Edition::default();
    let library = FunctionLibrary::of(edition);
    let function = |name| match library.find(name) {
        FoundFunction::Function(function) => Some(function),
        _ => None,
    };
    Some(YamlFunctions {
        semantics: Semantics::of(edition),
        decode: function("yamldecode")?,
        encode: function("yamlencode")?,
    })
});

/// The value that `yamlencode` has written, if it has written this text.
pub(super) fn written(text: &str) -> Option<Value> {
    // Its texts of several lines begin with a key in quotes or with an element.
    if !text.contains('\n') || !text.starts_with(['"', '-']) {
        return None;
    }
    let YamlFunctions { semantics, decode, encode } = YAML.as_ref()?;
    let context = CallContext::bare(semantics);
    let value = call(decode, &[Value::String(Str::from(text))], &context).ok()?;
    let again = call(encode, std::slice::from_ref(&value), &context).ok()?;
    matches!(again.bare(), Value::String(again) if **again == *text).then_some(value)
}
