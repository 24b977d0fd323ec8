//! Types as JSON: `"string"`, `["list","number"]`, `["object",{"a":"bool"},["a"]]`, where the last part names the optional
//! attributes. The grammar is as strict as for values.

use std::borrow::Cow;

use super::json::{JsonError, JsonLayout, JsonObject, JsonReader, JsonText, array, texts};
use crate::{Attribute, ObjectType, Str, Type};

/// Returns the JSON text of a type, in the form of the reference programs: `"string"`, `["list","number"]`.
pub fn write(ty: &Type) -> String {
    let mut out = JsonText::new(JsonLayout::Compact);
    write_into(ty, &mut out);
    out.into_string()
}

/// Writes a type as JSON to `out`, in the form of the reference programs: `"string"`, `["list","number"]`.
pub fn write_into(ty: &Type, out: &mut JsonText<'_>) {
    match ty {
        Type::Dynamic => out.string("dynamic"),
        Type::Bool => out.string("bool"),
        Type::Number => out.string("number"),
        Type::String => out.string("string"),
        Type::List(element) => write_parts(&[TypePart::Kind("list"), TypePart::Type(element)], out),
        Type::Set(element) => write_parts(&[TypePart::Kind("set"), TypePart::Type(element)], out),
        Type::Map(element) => write_parts(&[TypePart::Kind("map"), TypePart::Type(element)], out),
        Type::Tuple(tuple) => {
            write_parts(&[TypePart::Kind("tuple"), TypePart::Elements(tuple.elements())], out);
        }
        Type::Object(object) => {
            let parts = [
                TypePart::Kind("object"),
                TypePart::Attributes(object),
                TypePart::Optional(object),
            ];
            let has_optional = object.attributes().iter().any(|attribute| attribute.optional);
            write_parts(&parts[..if has_optional { 3 } else { 2 }], out);
        }
    }
}

/// A part of the JSON array that represents a composite type: the word for its kind, such as `list`, or the types of its elements
/// or attributes.
enum TypePart<'t> {
    /// The kind of type, such as `list`.
    Kind(&'t str),
    /// The element type of a collection.
    Type(&'t Type),
    /// The element types of a tuple.
    Elements(&'t [Type]),
    /// The attributes of an object with their types.
    Attributes(&'t ObjectType),
    /// The names of an object's optional attributes.
    Optional(&'t ObjectType),
}

/// Writes the parts of a composite type as one JSON array.
fn write_parts(parts: &[TypePart<'_>], out: &mut JsonText<'_>) {
    array(parts, out, |part, out| match part {
        TypePart::Kind(kind) => out.string(kind),
        TypePart::Type(ty) => write_into(ty, out),
        TypePart::Elements(elements) => array(*elements, out, write_into),
        TypePart::Attributes(object) => {
            let mut all = JsonObject::open(out);
            for attribute in object.attributes() {
                write_into(&attribute.ty, all.key(&attribute.name));
            }
            all.close();
        }
        TypePart::Optional(object) => {
            let optional = object.attributes().iter().filter(|attribute| attribute.optional);
            texts(optional.map(|attribute| &*attribute.name), out);
        }
    });
}

/// Maximum nesting depth of a type read from JSON.
const NESTING: usize = 350;

/// Parses a type from its JSON text in the form of the reference programs, such as `["list","number"]`.
pub fn read(text: &str) -> Result<Type, JsonError> {
    let mut reader = JsonReader::new(text);
    let ty = read_type(&mut reader, 0)?;
    reader.end()?;
    Ok(ty)
}

/// Consumes the byte `byte`, or fails if something else comes next.
fn expect(reader: &mut JsonReader<'_>, byte: u8) -> Result<(), JsonError> {
    if reader.take(byte) {
        return Ok(());
    }
    reader.fail(format!("{} is required here in the JSON form of a type", char::from(byte)))
}

/// Reads a JSON string, such as the name of a type or attribute.
fn word<'t>(reader: &mut JsonReader<'t>) -> Result<Cow<'t, str>, JsonError> {
    if reader.peek() == Some(b'"') {
        return reader.text();
    }
    reader.fail("a quoted name is required here in the JSON form of a type")
}

/// Reads the JSON form of a type at the current position; `depth` is its nesting depth.
pub(super) fn read_type(reader: &mut JsonReader<'_>, depth: usize) -> Result<Type, JsonError> {
    if depth > NESTING {
        return reader.fail(format!("the type nests deeper than {NESTING} levels"));
    }
    if reader.peek() == Some(b'"') {
        let name = reader.text()?;
        return match &*name {
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
    let ty = match &*kind {
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

/// Reads a JSON array of types: the element types of a tuple type whose nesting depth is `depth`.
fn read_elements(reader: &mut JsonReader<'_>, depth: usize) -> Result<Vec<Type>, JsonError> {
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

/// Reads the attributes of an object type whose nesting depth is `depth`, and the list of optional ones if it follows.
fn read_object(reader: &mut JsonReader<'_>, depth: usize) -> Result<Type, JsonError> {
    let mut attributes = Vec::new();
    expect(reader, b'{')?;
    if !reader.take(b'}') {
        loop {
            let name = Str::from(&*word(reader)?);
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
                optional.insert(Str::from(&*word(reader)?));
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
