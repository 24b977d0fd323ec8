//! Detection of strings that `yamlencode` wrote. Only those are compared as values: in YAML that people write, layout and
//! comments count, so it is compared by lines.

use std::sync::{Arc, LazyLock};

use groma_functions::{CallContext, FoundFunction, Function, FunctionLibrary, call};
use groma_runtime::{Edition, Semantics};
use groma_value::{Str, Value};

/// The functions `yamldecode` and `yamlencode`, with the language semantics in which they are called.
struct YamlFunctions {
    semantics: Arc<Semantics>,
    decode: &'static Function,
    encode: &'static Function,
}

/// The functions `yamldecode` and `yamlencode` of the default edition; `None` if it lacks them.
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

/// Returns the value that `yamlencode` encoded as the given string; `None` if it would write another string.
pub(super) fn written(text: &str) -> Option<Value> {
    // Its multi-line output begins with a quoted key or an element.
    if !text.contains('\n') || !text.starts_with(['"', '-']) {
        return None;
    }
    let YamlFunctions { semantics, decode, encode } = YAML.as_ref()?;
    let context = CallContext::bare(semantics);
    let value = call(decode, &[Value::String(Str::from(text))], &context).ok()?;
    let again = call(encode, std::slice::from_ref(&value), &context).ok()?;
    matches!(again.bare(), Value::String(again) if **again == *text).then_some(value)
}
