//! Decoder of the attributes of a recorded object, directly from the text of the state with the present schema. Missing
//! attributes are null and undeclared ones are skipped. No text of a state appears in messages: a misfit is identified by its
//! attribute.

use std::sync::{Mutex, MutexGuard, PoisonError};

use groma_value::json::{JsonCursor, JsonError};
use groma_value::schema::{AttributeSchema, BlockSchema, NestedBlock, NestingMode};
use groma_value::{ShapeCache, Str, Type, Value, convert, json_type};
use rustc_hash::FxHashMap;

/// Maximum number of parsed types that a cache holds; further types are parsed at each use.
const MAX_TYPES: usize = 1_000;

/// Maximum nesting depth of recorded values; a deeper value does not fit its type.
const MAX_NESTING: usize = 350;

/// The reason why the attributes of a recorded object cannot be decoded.
pub(crate) enum AttributeMisfit {
    /// The attributes are not JSON.
    Broken,
    /// The value of this attribute does not fit its type.
    Of(String),
}

/// A decoder of the attributes of recorded objects, which reuses parsed types and lists of attribute names.
#[derive(Default, Debug)]
pub(crate) struct TypedReader {
    common: Mutex<Vec<TypedCache>>,
}

/// The parsed types and lists of attribute names that decoding one object leaves for the next.
#[derive(Default, Debug)]
struct TypedCache {
    /// Types by their JSON text.
    types: FxHashMap<String, Type>,
    shapes: ShapeCache,
}

impl TypedReader {
    /// Decodes the attributes of a recorded object with a schema.
    pub(crate) fn read(&self, text: &str, block: &BlockSchema) -> Result<Value, AttributeMisfit> {
        // Each thread takes its own; there are as many as concurrent readers.
        let common = self.common().pop().unwrap_or_default();
        let mut reading = TypedReading { text, common, misfit: None };
        let mut cursor = JsonCursor::new(text);
        let read = reading.block(&mut cursor, block, 0);
        let TypedReading { common, misfit, .. } = reading;
        self.common().push(common);
        match (read, misfit) {
            (Ok(value), _) => Ok(value),
            (Err(_), Some(name)) => Err(AttributeMisfit::Of(name)),
            (Err(_), None) => Err(AttributeMisfit::Broken),
        }
    }

    /// Locks the list of caches that are not in use by any decoding.
    fn common(&self) -> MutexGuard<'_, Vec<TypedCache>> {
        self.common.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The state of decoding one recorded object: its text, the caches in use, and the first misfit.
struct TypedReading<'t> {
    text: &'t str,
    common: TypedCache,
    /// The attribute whose value does not fit.
    misfit: Option<String>,
}

/// Returns the error for a value that does not fit its type; the caller adds the name of the attribute.
fn misfit<T>(cursor: &mut JsonCursor<'_>) -> Result<T, JsonError> {
    cursor.fail("")
}

impl<'t> TypedReading<'t> {
    /// Decodes a block of a recorded object, at nesting depth `depth`.
    fn block(
        &mut self,
        cursor: &mut JsonCursor<'t>,
        block: &BlockSchema,
        depth: usize,
    ) -> Result<Value, JsonError> {
        if cursor.null() {
            return Ok(Value::null(block.ty()));
        }
        if cursor.first() != Some(b'{') {
            self.misfit = Some("attributes".to_owned());
            return misfit(cursor);
        }
        let (attributes, blocks) = (block.attributes(), block.blocks());
        let mut found: Vec<Option<Value>> = vec![None; attributes.len() + blocks.len()];
        cursor.object(&mut |name, cursor| {
            if let Ok(at) = attributes.binary_search_by(|one| (*one.name).cmp(name)) {
                found[at] = Some(self.attribute(cursor, &attributes[at], depth)?);
            } else if let Ok(at) = blocks.binary_search_by(|one| (*one.name).cmp(name)) {
                found[attributes.len() + at] = Some(self.blocks(cursor, &blocks[at], depth)?);
            } else {
                cursor.skip()?;
            }
            Ok(())
        })?;
        let mut found = found.into_iter();
        let own = found.by_ref().take(attributes.len()).zip(attributes);
        let own = own.map(|(value, one)| value.unwrap_or_else(|| Value::null(one.ty())));
        let mut values: Vec<Value> = own.collect();
        let nested = found.zip(blocks);
        values.extend(
            nested.map(|(value, one)| value.unwrap_or_else(|| one.nesting.none(&one.block))),
        );
        Ok(block.object(values))
    }

    /// Decodes an attribute of a recorded object, in a block at nesting depth `depth`.
    fn attribute(
        &mut self,
        cursor: &mut JsonCursor<'t>,
        attribute: &AttributeSchema,
        depth: usize,
    ) -> Result<Value, JsonError> {
        let read = self.value(cursor, &attribute.ty(), depth + 1);
        if read.is_err() {
            self.misfit.get_or_insert_with(|| attribute.name.to_string());
        }
        read
    }

    /// Decodes all nested blocks of one type, in a block at nesting depth `depth`.
    fn blocks(
        &mut self,
        cursor: &mut JsonCursor<'t>,
        nested: &NestedBlock,
        depth: usize,
    ) -> Result<Value, JsonError> {
        if cursor.null() {
            return Ok(nested.nesting.none(&nested.block));
        }
        let mut bodies: Vec<(Str, Value)> = Vec::new();
        match (nested.nesting, cursor.first()) {
            (NestingMode::Single | NestingMode::Group, _) => {
                bodies.push((Str::default(), self.block(cursor, &nested.block, depth + 1)?));
            }
            (NestingMode::List | NestingMode::Set, Some(b'[')) => cursor.array(&mut |cursor| {
                bodies.push((Str::default(), self.block(cursor, &nested.block, depth + 1)?));
                Ok(())
            })?,
            (NestingMode::Map, Some(b'{')) => cursor.object(&mut |name, cursor| {
                bodies.push((Str::from(name), self.block(cursor, &nested.block, depth + 1)?));
                Ok(())
            })?,
            _ => {
                self.misfit = Some(nested.name.to_string());
                return misfit(cursor);
            }
        }
        Ok(nested.nesting.gather(&nested.block, bodies))
    }

    /// Decodes a recorded value of a known type, at nesting depth `depth`.
    fn value(
        &mut self,
        cursor: &mut JsonCursor<'t>,
        ty: &Type,
        depth: usize,
    ) -> Result<Value, JsonError> {
        if depth > MAX_NESTING {
            return misfit(cursor);
        }
        if cursor.null() {
            return Ok(Value::null(ty.clone()));
        }
        match (ty, cursor.first()) {
            (Type::Dynamic, _) => self.dynamic(cursor, depth),
            (Type::List(element), Some(b'[')) => {
                Ok(Value::list((**element).clone(), self.items(cursor, element, depth)?))
            }
            (Type::Set(element), Some(b'[')) => {
                Ok(Value::set((**element).clone(), self.items(cursor, element, depth)?))
            }
            (Type::Map(element), Some(b'{')) => {
                let mut entries = Vec::new();
                cursor.object(&mut |name, cursor| {
                    entries.push((Str::from(name), self.value(cursor, element, depth + 1)?));
                    Ok(())
                })?;
                Ok(Value::map((**element).clone(), entries))
            }
            (Type::Object(object), Some(b'{')) => {
                let attributes = object.attributes();
                let mut found: Vec<Option<Value>> = vec![None; attributes.len()];
                cursor.object(&mut |name, cursor| match attributes
                    .binary_search_by(|one| (*one.name).cmp(name))
                {
                    Ok(at) => {
                        let value = self.value(cursor, &attributes[at].ty, depth + 1)?;
                        found[at] = Some(value);
                        Ok(())
                    }
                    Err(_) => cursor.skip().map(drop),
                })?;
                let parts = attributes.iter().zip(found).map(|(one, value)| {
                    (one.name.clone(), value.unwrap_or_else(|| Value::null(one.ty.clone())))
                });
                Ok(self.common.shapes.object(depth, parts.collect()))
            }
            (Type::Tuple(tuple), Some(b'[')) => {
                let mut items = Vec::with_capacity(tuple.elements().len());
                cursor.array(&mut |cursor| {
                    let Some(ty) = tuple.elements().get(items.len()) else { return misfit(cursor) };
                    items.push(self.value(cursor, ty, depth + 1)?);
                    Ok(())
                })?;
                match items.len() == tuple.elements().len() {
                    true => Ok(Value::tuple(items)),
                    false => misfit(cursor),
                }
            }
            (Type::String | Type::Number | Type::Bool, Some(first)) if !b"{[".contains(&first) => {
                let value = cursor.value()?;
                match value.is_of(ty) {
                    true => Ok(value),
                    false => convert(&value, ty).or_else(|_| misfit(cursor)),
                }
            }
            _ => misfit(cursor),
        }
    }

    /// Decodes the elements of a recorded list or set at nesting depth `depth`, all of the type `ty`.
    fn items(
        &mut self,
        cursor: &mut JsonCursor<'t>,
        ty: &Type,
        depth: usize,
    ) -> Result<Vec<Value>, JsonError> {
        let mut items = Vec::new();
        cursor.array(&mut |cursor| {
            items.push(self.value(cursor, ty, depth + 1)?);
            Ok(())
        })?;
        items.shrink_to_fit();
        Ok(items)
    }

    /// Decodes a value of dynamic type, which is recorded together with its type, at nesting depth `depth`.
    fn dynamic(&mut self, cursor: &mut JsonCursor<'t>, depth: usize) -> Result<Value, JsonError> {
        let (mut value, mut ty, mut is_strange) = (None, None, false);
        if cursor.first() != Some(b'{') {
            return misfit(cursor);
        }
        cursor.object(&mut |name, cursor| {
            match name {
                "value" => value = Some(cursor.skip()?),
                "type" => ty = Some(cursor.skip()?),
                _ => {
                    is_strange = true;
                    cursor.skip()?;
                }
            }
            Ok(())
        })?;
        let part = |range: Option<std::ops::Range<usize>>| self.text.get(range?);
        let (Some(value), Some(ty), false) = (part(value), part(ty), is_strange) else {
            return misfit(cursor);
        };
        let Some(ty) = self.ty(ty.trim_end()) else { return misfit(cursor) };
        // The caller adds the position.
        let around = std::mem::replace(&mut self.text, value);
        let read = self.value(&mut JsonCursor::new(value), &ty, depth + 1);
        self.text = around;
        read.or_else(|_| misfit(cursor))
    }

    /// Returns the type that a JSON text describes, parsed once for equal texts; `None` if it describes none.
    fn ty(&mut self, text: &str) -> Option<Type> {
        if let Some(known) = self.common.types.get(text) {
            return Some(known.clone());
        }
        let ty = json_type::read(text).ok()?;
        if self.common.types.len() < MAX_TYPES {
            self.common.types.insert(text.to_owned(), ty.clone());
        }
        Some(ty)
    }
}
