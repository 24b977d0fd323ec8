//! Types as JSON: `"string"`, `["list","number"]`, `["object",{"a":"bool"},["a"]]` (the last part
//! names the optional attributes). Read with the same strictness as values.

use super::json::{JsonError, Reader, string};
use crate::{Attribute, ObjectType, Str, Type};

/// The JSON text of a type.
pub fn write(ty: &Type) -> String {
    let mut out = String::new();
    write_into(ty, &mut out);
    out
}

fn write_into(ty: &Type, out: &mut String) {
    let collection = |kind: &str, element: &Type, out: &mut String| {
        out.push_str("[\"");
        out.push_str(kind);
        out.push_str("\",");
        write_into(element, out);
        out.push(']');
    };
    match ty {
        Type::Dynamic => out.push_str("\"dynamic\""),
        Type::Bool => out.push_str("\"bool\""),
        Type::Number => out.push_str("\"number\""),
        Type::String => out.push_str("\"string\""),
        Type::List(e) => collection("list", e, out),
        Type::Set(e) => collection("set", e, out),
        Type::Map(e) => collection("map", e, out),
        Type::Tuple(t) => {
            out.push_str("[\"tuple\",[");
            for (at, element) in t.elements().iter().enumerate() {
                if at > 0 {
                    out.push(',');
                }
                write_into(element, out);
            }
            out.push_str("]]");
        }
        Type::Object(o) => {
            out.push_str("[\"object\",{");
            for (at, attribute) in o.attributes().iter().enumerate() {
                if at > 0 {
                    out.push(',');
                }
                out.push_str(&string(&attribute.name));
                out.push(':');
                write_into(&attribute.ty, out);
            }
            out.push('}');
            let mut optional = o.attributes().iter().filter(|a| a.optional).peekable();
            if optional.peek().is_some() {
                let names: Vec<String> = optional.map(|a| string(&a.name)).collect();
                out.push_str(",[");
                out.push_str(&names.join(","));
                out.push(']');
            }
            out.push(']');
        }
    }
}

/// Deepest nesting that is read.
const NESTING: usize = 350;

/// The type of a JSON text.
pub fn read(text: &str) -> Result<Type, JsonError> {
    let mut reader = Reader::new(text);
    let ty = read_type(&mut reader, 0)?;
    reader.end()?;
    Ok(ty)
}

fn expect(reader: &mut Reader<'_>, byte: u8) -> Result<(), JsonError> {
    if reader.take(byte) {
        return Ok(());
    }
    reader.fail(format!("{} is required here in the JSON form of a type", char::from(byte)))
}

fn word(reader: &mut Reader<'_>) -> Result<String, JsonError> {
    if reader.peek() == Some(b'"') {
        return reader.string();
    }
    reader.fail("a quoted name is required here in the JSON form of a type")
}

/// The type that comes next in a text.
pub(super) fn read_type(reader: &mut Reader<'_>, depth: usize) -> Result<Type, JsonError> {
    if depth > NESTING {
        return reader.fail(format!("the type nests deeper than {NESTING} levels"));
    }
    if reader.peek() == Some(b'"') {
        let name = reader.string()?;
        return match name.as_str() {
            "dynamic" => Ok(Type::Dynamic),
            "bool" => Ok(Type::Bool),
            "number" => Ok(Type::Number),
            "string" => Ok(Type::String),
            other => reader.fail(format!("there is no type {}", crate::print::quoted(other))),
        };
    }
    expect(reader, b'[')?;
    let kind = word(reader)?;
    expect(reader, b',')?;
    let ty = match kind.as_str() {
        "list" => Type::list(read_type(reader, depth + 1)?),
        "set" => Type::set(read_type(reader, depth + 1)?),
        "map" => Type::map(read_type(reader, depth + 1)?),
        "tuple" => Type::tuple(read_elements(reader, depth)?),
        "object" => read_object(reader, depth)?,
        other => {
            return reader
                .fail(format!("there is no kind of type {}", crate::print::quoted(other)));
        }
    };
    expect(reader, b']')?;
    Ok(ty)
}

fn read_elements(reader: &mut Reader<'_>, depth: usize) -> Result<Vec<Type>, JsonError> {
    let mut elements = Vec::new();
    expect(reader, b'[')?;
    if reader.take(b']') {
        return Ok(elements);
    }
    loop {
        elements.push(read_type(reader, depth + 1)?);
        if reader.take(b']') {
            return Ok(elements);
        }
        expect(reader, b',')?;
    }
}

fn read_object(reader: &mut Reader<'_>, depth: usize) -> Result<Type, JsonError> {
    let mut attributes = Vec::new();
    expect(reader, b'{')?;
    if !reader.take(b'}') {
        loop {
            let name = Str::from(word(reader)?);
            expect(reader, b':')?;
            let ty = read_type(reader, depth + 1)?;
            attributes.push(Attribute { name, ty, optional: false });
            if reader.take(b'}') {
                break;
            }
            expect(reader, b',')?;
        }
    }
    if reader.take(b',') {
        expect(reader, b'[')?;
        let mut optional = std::collections::BTreeSet::new();
        if !reader.take(b']') {
            loop {
                optional.insert(Str::from(word(reader)?));
                if reader.take(b']') {
                    break;
                }
                expect(reader, b',')?;
            }
        }
        for attribute in &mut attributes {
            attribute.optional = optional.contains(&attribute.name);
        }
    }
    Ok(Type::Object(std::sync::Arc::new(ObjectType::new(attributes))))
}
