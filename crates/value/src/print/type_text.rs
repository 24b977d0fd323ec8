//! Types as text: in words, as a constraint in code, and as the console's `type()` prints them.

use crate::Type;

/// Returns a type in words without an article: `list of string`, `dynamic`.
pub fn type_name(ty: &Type) -> String {
    match ty {
        Type::Dynamic => "dynamic".to_owned(),
        Type::Bool => "bool".to_owned(),
        Type::Number => "number".to_owned(),
        Type::String => "string".to_owned(),
        Type::List(e) => format!("list of {}", type_name(e)),
        Type::Set(e) => format!("set of {}", type_name(e)),
        Type::Map(e) => format!("map of {}", type_name(e)),
        Type::Tuple(_) => "tuple".to_owned(),
        Type::Object(_) => "object".to_owned(),
    }
}

/// Returns a type in words with its article: `a list of string`; a list of any type is `a list`.
pub fn with_article(ty: &Type) -> String {
    match ty {
        Type::Dynamic => "a value whose type is not known".to_owned(),
        Type::Object(_) => "an object".to_owned(),
        Type::List(e) if **e == Type::Dynamic => "a list".to_owned(),
        Type::Set(e) if **e == Type::Dynamic => "a set".to_owned(),
        Type::Map(e) if **e == Type::Dynamic => "a map".to_owned(),
        ty => {
            let name = type_name(ty);
            // Deep types are cut off: their ends do not help a reader.
            match name.match_indices(" of ").nth(4) {
                Some((end, _)) => format!("a {} of …", &name[..end]),
                None => format!("a {name}"),
            }
        }
    }
}

/// Returns a type as a constraint in code: `list(string)`, `object({ a = string, b = optional(bool) })`.
pub fn type_constraint(ty: &Type) -> String {
    let mut out = String::new();
    write_constraint(ty, &mut out);
    out
}

/// Appends a type in the notation of type constraints, such as `list(string)`, to `out`.
fn write_constraint(ty: &Type, out: &mut String) {
    let around = |name: &str, inner: &Type, out: &mut String| {
        out.push_str(name);
        out.push('(');
        write_constraint(inner, out);
        out.push(')');
    };
    match ty {
        Type::Dynamic => out.push_str("any"),
        Type::Bool => out.push_str("bool"),
        Type::Number => out.push_str("number"),
        Type::String => out.push_str("string"),
        Type::List(e) => around("list", e, out),
        Type::Set(e) => around("set", e, out),
        Type::Map(e) => around("map", e, out),
        Type::Tuple(t) => {
            out.push_str("tuple([");
            for (at, element) in t.elements().iter().enumerate() {
                if at > 0 {
                    out.push_str(", ");
                }
                write_constraint(element, out);
            }
            out.push_str("])");
        }
        Type::Object(o) if o.attributes().is_empty() => out.push_str("object({})"),
        Type::Object(o) => {
            out.push_str("object({ ");
            for (at, attribute) in o.attributes().iter().enumerate() {
                if at > 0 {
                    out.push_str(", ");
                }
                out.push_str(&attribute.name);
                out.push_str(" = ");
                if attribute.optional {
                    around("optional", &attribute.ty, out);
                } else {
                    write_constraint(&attribute.ty, out);
                }
            }
            out.push_str(" })");
        }
    }
}

/// Returns a type as the console's `type()` prints it, on several lines if it is composite.
pub fn print_type(ty: &Type) -> String {
    let mut out = String::new();
    write_lines(ty, 0, &mut out);
    out
}

/// Appends a type in the notation of the console's `type()` to `out`, with an indentation for further lines.
fn write_lines(ty: &Type, indent: usize, out: &mut String) {
    let line = |depth: usize, out: &mut String| {
        out.push('\n');
        out.extend(std::iter::repeat_n("    ", depth));
    };
    let around = |name: &str, element: &Type, out: &mut String| {
        out.push_str(name);
        out.push('(');
        if !matches!(element, Type::Tuple(_) | Type::Object(_)) {
            write_lines(element, indent, out);
        } else {
            line(indent + 1, out);
            write_lines(element, indent + 1, out);
            out.push(',');
            line(indent, out);
        }
        out.push(')');
    };
    match ty {
        Type::List(e) => around("list", e, out),
        Type::Set(e) => around("set", e, out),
        Type::Map(e) => around("map", e, out),
        Type::Tuple(t) if t.elements().is_empty() => out.push_str("tuple([])"),
        Type::Tuple(t) => {
            out.push_str("tuple([");
            for element in t.elements() {
                line(indent + 1, out);
                write_lines(element, indent + 1, out);
                out.push(',');
            }
            line(indent, out);
            out.push_str("])");
        }
        Type::Object(o) if o.attributes().is_empty() => out.push_str("object({})"),
        Type::Object(o) => {
            out.push_str("object({");
            for attribute in o.attributes() {
                line(indent + 1, out);
                out.push_str(&attribute.name);
                out.push_str(": ");
                write_lines(&attribute.ty, indent + 1, out);
                out.push(',');
            }
            line(indent, out);
            out.push_str("})");
        }
        primitive => out.push_str(&type_name(primitive)),
    }
}
