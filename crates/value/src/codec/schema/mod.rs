//! Provider schemas from the JSON of `providers schema -json`: [`SchemaIndex::of`] finds byte ranges, [`read`] parses one schema.

mod index;
mod read;
mod repeats;

pub use index::{ProviderIndex, SchemaIndex, SchemaSubject};
pub use read::{read, read_signature};

use super::json::{JsonError, JsonReader};

/// A function that is called with the name of each property of an object and must consume its value.
type Visit<'v, 't> = &'v mut dyn FnMut(&str, &mut JsonReader<'t>) -> Result<(), JsonError>;

/// Calls `visit` with the name of every property of the next object; it must consume the value.
fn object<'t>(reader: &mut JsonReader<'t>, visit: Visit<'_, 't>) -> Result<(), JsonError> {
    if !reader.take(b'{') {
        return reader.fail("an object is required here in a list of schemas");
    }
    if reader.take(b'}') {
        return Ok(());
    }
    loop {
        if reader.peek() != Some(b'"') {
            return reader.fail("a property name is required here");
        }
        let key = reader.text()?;
        if !reader.take(b':') {
            return reader.fail("a colon is required here");
        }
        visit(&key, reader)?;
        if reader.take(b'}') {
            return Ok(());
        }
        if !reader.take(b',') {
            return reader.fail("a comma or } is required here");
        }
    }
}
