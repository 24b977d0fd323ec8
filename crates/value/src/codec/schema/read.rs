//! Parsing of one provider schema, or of the signature of a provider's function, from its JSON text.

use std::sync::Arc;

use super::object;
use super::repeats::RepeatCache;
use crate::Str;
use crate::codec::json::{JsonError, JsonReader};
use crate::codec::json_type::read_type;
use crate::schema::{
    AttributeSchema, AttributeShape, BlockSchema, FunctionParameter, FunctionSignature,
    NestedBlock, NestedObjects, NestingMode, Schema,
};

/// Maximum nesting depth of the blocks and nested attributes in a schema.
const NESTING: usize = 200;

/// Parses one schema, with its version and body, from its JSON text.
pub fn read(text: &str) -> Result<Schema, JsonError> {
    let mut reader = JsonReader::new(text);
    let mut schema = Schema { version: 0, block: Arc::default() };
    let known = &mut KnownShapes::default();
    object(&mut reader, &mut |key, reader| {
        match key {
            "version" => schema.version = number(reader)?,
            "block" => schema.block = Arc::new(block(reader, known, 0)?),
            // An identity schema has attributes but no body.
            "attributes" => {
                schema.block =
                    Arc::new(BlockSchema::new(attributes(reader, known, 0)?, Vec::new()));
            }
            _ => return reader.skip().map(drop),
        }
        Ok(())
    })?;
    reader.end()?;
    Ok(schema)
}

/// Parses the signature of a provider's function from its JSON text.
pub fn read_signature(text: &str) -> Result<FunctionSignature, JsonError> {
    let mut reader = JsonReader::new(text);
    let mut signature =
        FunctionSignature { parameters: Vec::new(), rest: None, result: crate::Type::Dynamic };
    object(&mut reader, &mut |key, reader| {
        match key {
            "return_type" => signature.result = read_type(reader, 0)?,
            "variadic_parameter" => signature.rest = Some(parameter(reader)?),
            "parameters" => {
                if !reader.take(b'[') {
                    return reader.fail("a list of parameters is required here in a schema");
                }
                if reader.take(b']') {
                    return Ok(());
                }
                loop {
                    signature.parameters.push(parameter(reader)?);
                    if reader.take(b']') {
                        return Ok(());
                    }
                    if !reader.take(b',') {
                        return reader.fail("a comma or ] is required here");
                    }
                }
            }
            _ => return reader.skip().map(drop),
        }
        Ok(())
    })?;
    reader.end()?;
    Ok(signature)
}

/// Reads a function parameter from the JSON object that comes next.
fn parameter(reader: &mut JsonReader<'_>) -> Result<FunctionParameter, JsonError> {
    let mut made =
        FunctionParameter { name: Str::default(), ty: crate::Type::Dynamic, nullable: false };
    object(reader, &mut |key, reader| {
        match key {
            "name" if reader.peek() == Some(b'"') => made.name = Str::from(&*reader.text()?),
            "type" => made.ty = read_type(reader, 0)?,
            "is_nullable" => made.nullable = flag(reader)?,
            _ => return reader.skip().map(drop),
        }
        Ok(())
    })?;
    Ok(made)
}

/// Reads a non-negative whole number from the JSON.
fn number(reader: &mut JsonReader<'_>) -> Result<u64, JsonError> {
    let text = reader.raw()?;
    match text.parse() {
        Ok(number) => Ok(number),
        Err(_) => reader.fail("a whole number is required here in a schema"),
    }
}

/// Reads a boolean from the JSON.
fn flag(reader: &mut JsonReader<'_>) -> Result<bool, JsonError> {
    match reader.raw()? {
        "true" => Ok(true),
        "false" => Ok(false),
        _ => reader.fail("true or false is required here in a schema"),
    }
}

/// Reads the name of a nesting mode, such as `list`, from the JSON.
fn nesting(reader: &mut JsonReader<'_>) -> Result<NestingMode, JsonError> {
    if reader.peek() != Some(b'"') {
        return reader.fail("the name of a kind of nesting is required here");
    }
    let name = reader.text()?;
    match NestingMode::parse(&name) {
        Some(nesting) => Ok(nesting),
        None => reader.fail(format!("there is no kind of nesting {}", crate::print::quoted(&name))),
    }
}

/// The state of reading one schema: caches of blocks and nested attribute types by JSON text, and the greatest depth reached.
#[derive(Default)]
struct KnownShapes<'t> {
    blocks: RepeatCache<'t, BlockSchema>,
    objects: RepeatCache<'t, NestedObjects>,
    /// The greatest depth reached so far in the object that is being read.
    deepest: usize,
}

impl<'t> KnownShapes<'t> {
    /// Returns the nesting depth one level below `depth`, recording it if it is the greatest so far; fails beyond [`NESTING`].
    fn go_deeper(&mut self, reader: &JsonReader<'_>, depth: usize) -> Result<usize, JsonError> {
        self.deepest = self.deepest.max(depth + 1);
        match depth < NESTING {
            true => Ok(depth + 1),
            false => reader.fail(format!("the schema nests deeper than {NESTING} levels")),
        }
    }

    /// Reads the next object, which is at `depth`: from the cache that `of` selects if the same text was read before, otherwise
    /// with `make`.
    fn repeated<T>(
        &mut self,
        reader: &mut JsonReader<'t>,
        depth: usize,
        of: for<'k> fn(&'k mut KnownShapes<'t>) -> &'k mut RepeatCache<'t, T>,
        make: impl FnOnce(&mut JsonReader<'t>, &mut KnownShapes<'t>) -> Result<T, JsonError>,
    ) -> Result<Arc<T>, JsonError> {
        if let Some((made, height)) = of(self).take(reader, NESTING.saturating_sub(depth)) {
            self.deepest = self.deepest.max(depth + height);
            return Ok(made);
        }
        let (start, rest) = (reader.offset(), reader.rest());
        let above = std::mem::replace(&mut self.deepest, depth);
        let made = Arc::new(make(reader, self)?);
        let height = self.deepest - depth;
        self.deepest = self.deepest.max(above);
        of(self).keep(reader.since(start), rest, &made, height);
        Ok(made)
    }
}

/// Reads the schema of a body from the JSON object that comes next; `known` caches bodies and nested types by their text,
/// and `depth` is the number of levels of the schema around it.
fn block<'t>(
    reader: &mut JsonReader<'t>,
    known: &mut KnownShapes<'t>,
    depth: usize,
) -> Result<BlockSchema, JsonError> {
    let depth = known.go_deeper(reader, depth)?;
    let (mut found, mut blocks, mut deprecated) = (Vec::new(), Vec::new(), false);
    object(reader, &mut |key, reader| {
        match key {
            "attributes" => found = attributes(reader, known, depth)?,
            "block_types" => {
                return object(reader, &mut |name, reader| {
                    blocks.push(nested_block(name, reader, known, depth)?);
                    Ok(())
                });
            }
            "deprecated" => deprecated = flag(reader)?,
            _ => return reader.skip().map(drop),
        }
        Ok(())
    })?;
    let mut made = BlockSchema::new(found, blocks);
    made.deprecated = deprecated;
    Ok(made)
}

/// Reads the schema of the nested block `name` from the JSON object that comes next; `known` caches bodies by their text,
/// and `depth` is the number of levels of the schema around it.
fn nested_block<'t>(
    name: &str,
    reader: &mut JsonReader<'t>,
    known: &mut KnownShapes<'t>,
    depth: usize,
) -> Result<NestedBlock, JsonError> {
    let mut nested = NestedBlock {
        name: name.into(),
        nesting: NestingMode::Single,
        min: 0,
        max: 0,
        block: Arc::default(),
    };
    object(reader, &mut |key, reader| {
        match key {
            "nesting_mode" => nested.nesting = nesting(reader)?,
            "min_items" => nested.min = number(reader)?,
            "max_items" => nested.max = number(reader)?,
            "block" => {
                let make = |reader: &mut JsonReader<'t>, known: &mut KnownShapes<'t>| {
                    block(reader, known, depth)
                };
                nested.block = known.repeated(reader, depth, |known| &mut known.blocks, make)?;
            }
            _ => return reader.skip().map(drop),
        }
        Ok(())
    })?;
    Ok(nested)
}

/// Reads the attributes of a block or nested type from the JSON object that comes next; `known` caches nested types by text,
/// and `depth` is the number of levels of the schema around them.
fn attributes<'t>(
    reader: &mut JsonReader<'t>,
    known: &mut KnownShapes<'t>,
    depth: usize,
) -> Result<Vec<AttributeSchema>, JsonError> {
    let depth = known.go_deeper(reader, depth)?;
    let mut found = Vec::new();
    object(reader, &mut |name, reader| {
        found.push(attribute(name, reader, known, depth)?);
        Ok(())
    })?;
    Ok(found)
}

/// Reads the schema of the attribute `name` from the JSON object that comes next; `known` caches nested types by their text,
/// and `depth` is the number of levels of the schema around it.
fn attribute<'t>(
    name: &str,
    reader: &mut JsonReader<'t>,
    known: &mut KnownShapes<'t>,
    depth: usize,
) -> Result<AttributeSchema, JsonError> {
    let mut made = AttributeSchema {
        optional: false,
        ..AttributeSchema::optional(name, crate::Type::Dynamic)
    };
    object(reader, &mut |key, reader| {
        match key {
            "type" => made.shape = AttributeShape::Type(read_type(reader, 0)?),
            "nested_type" => {
                let make = |reader: &mut JsonReader<'t>, known: &mut KnownShapes<'t>| {
                    nested_objects(reader, known, depth)
                };
                let nested = known.repeated(reader, depth, |known| &mut known.objects, make)?;
                made.shape = AttributeShape::Nested(nested);
            }
            "required" | "required_for_import" => made.required = flag(reader)?,
            "optional" | "optional_for_import" => made.optional = flag(reader)?,
            "computed" => made.computed = flag(reader)?,
            "sensitive" => made.sensitive = flag(reader)?,
            "write_only" => made.write_only = flag(reader)?,
            "deprecated" => made.deprecated = flag(reader)?,
            _ => return reader.skip().map(drop),
        }
        Ok(())
    })?;
    Ok(made)
}

/// Reads an attribute's nested type, with attributes and nesting mode, from the JSON object that comes next; `known` caches
/// such types by their text, and `depth` is the number of levels of the schema around it.
fn nested_objects<'t>(
    reader: &mut JsonReader<'t>,
    known: &mut KnownShapes<'t>,
    depth: usize,
) -> Result<NestedObjects, JsonError> {
    let (mut inner, mut mode) = (Vec::new(), NestingMode::Single);
    object(reader, &mut |key, reader| {
        match key {
            "attributes" => inner = attributes(reader, known, depth)?,
            "nesting_mode" => mode = nesting(reader)?,
            _ => return reader.skip().map(drop),
        }
        Ok(())
    })?;
    Ok(NestedObjects::new(mode, inner))
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;
    use std::sync::Arc;

    use super::{NESTING, read};
    use crate::schema::{BlockSchema, Schema};

    /// Returns the JSON of a block with one attribute, whose flag `attribute` is set, and nested blocks.
    fn block(attribute: &str, inner: &[(&str, &str)]) -> String {
        let mut text = format!(
            r#"{{"attributes":{{"an_attribute_whose_name_is_long_enough_for_all":{{"type":"bool","{attribute}":true}}}}"#
        );
        text.push_str(",\"block_types\":{");
        for (at, (name, inner)) in inner.iter().enumerate() {
            let comma = if at > 0 { "," } else { "" };
            write!(text, r#"{comma}"{name}":{{"nesting_mode":"list","block":{inner}}}"#)
                .expect("a text takes all");
        }
        text.push_str("}}");
        text
    }
    /// Returns the JSON of a schema with this body.
    fn whole(block: &str) -> String {
        format!(r#"{{"version":1,"block":{block}}}"#)
    }
    /// Returns the body of the nested block `name`.
    fn inner<'s>(block: &'s BlockSchema, name: &str) -> &'s Arc<BlockSchema> {
        &block.blocks().iter().find(|one| *one.name == *name).expect("it has such a block").block
    }

    /// Tests that blocks repeated in the text are parsed once and shared.
    #[test]
    fn repeated_blocks_are_parsed_once() {
        let low = block("optional", &[]);
        let (other, high) = (block("required", &[]), block("optional", &[("x", &low)]));
        let text = whole(&block(
            "computed",
            &[("a", &low), ("b", &other), ("c", &high), ("d", &low), ("e", &high)],
        ));
        let Schema { block, .. } = read(&text).expect("it is a schema");
        let of = |name: &str| inner(&block, name);
        assert!(Arc::ptr_eq(of("a"), of("d")));
        assert!(Arc::ptr_eq(of("a"), inner(of("c"), "x")));
        assert!(Arc::ptr_eq(of("c"), of("e")));
        assert!(of("b").attributes()[0].required && !of("a").attributes()[0].required);
        let spread = read(&text.replace(":{", ": {\n ")).expect("it is a schema");
        assert_eq!(format!("{:?}", spread.block), format!("{block:?}"));
    }

    /// Tests that the nesting limit also applies to blocks taken from the cache.
    #[test]
    fn nesting_limit_applies_to_cached_blocks() {
        let mut deep = block("optional", &[]);
        for _ in 0..NESTING - 3 {
            deep = block("optional", &[("x", &deep)]);
        }
        let fits = whole(&block("optional", &[("a", &deep), ("b", &deep)]));
        assert!(read(&fits).is_ok());
        let below = block("optional", &[("y", &block("optional", &[("z", &deep)]))]);
        let why = read(&whole(&block("optional", &[("a", &deep), ("b", &below)])));
        assert!(why.expect_err("it is too deep").message.contains("nests deeper"));
    }
}
