//! Signatures of functions in the form of the reference programs' `metadata functions -json`. In editions with namespaces each
//! function is listed twice: by its name and as `core::name`.

use groma::functions::{Function, ParameterRow};
use groma::json::{JsonObject, JsonText, array};
use groma::{Edition, editions::Semantics, values::json_type};

/// Writes the signatures of functions as a JSON document: an object by function name.
pub fn write_signatures(functions: &[&Function], edition: Edition, out: &mut JsonText<'_>) {
    let mut all: Vec<(String, &Function)> = Vec::new();
    for function in functions {
        all.push((function.name.to_owned(), function));
        if Semantics::of(edition).core_namespace && !function.name.contains("::") {
            all.push((format!("core::{}", function.name), function));
        }
    }
    all.sort_by(|left, right| left.0.cmp(&right.0));
    let mut document = JsonObject::open(out);
    document.text("format_version", "1.0");
    let mut signatures = document.object("function_signatures");
    for (name, function) in &all {
        signature(function, edition, signatures.key(name));
    }
    signatures.close();
    document.close();
}

/// Writes the signature of a function as a JSON object: description, result type and parameters.
fn signature(function: &Function, edition: Edition, out: &mut JsonText<'_>) {
    let mut document = JsonObject::open(out);
    document.text("description", function.doc);
    json_type::write_into(&function.result_type(), document.key("return_type"));
    let parameter = |param: &ParameterRow, out: &mut JsonText<'_>| parameter(param, edition, out);
    if !function.params.is_empty() {
        array(function.params, document.key("parameters"), parameter);
    }
    if let Some(rest) = &function.rest {
        parameter(rest, document.key("variadic_parameter"));
    }
    document.close();
}

/// Writes a parameter of a function as a JSON object: its name, its type, and a flag if it may be null.
fn parameter(param: &ParameterRow, edition: Edition, out: &mut JsonText<'_>) {
    let mut document = JsonObject::open(out);
    document.text("name", param.name);
    if param.null.includes(edition) {
        document.flag("is_nullable", true);
    }
    json_type::write_into(&param.shape.to_type(), document.key("type"));
    document.close();
}
