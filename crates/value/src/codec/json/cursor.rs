//! Reading of JSON whose form is known: the reader requests what must come next, and an error names the offset where it does
//! not. Unlike in a value, a property may be repeated in an object.

use std::ops::Range;

use super::JsonError;
use super::read::JsonReader;
use crate::Value;

/// A function called with the name of each property of a JSON object; it must consume the value at the cursor.
pub type Visit<'v, 't> = &'v mut dyn FnMut(&str, &mut JsonCursor<'t>) -> Result<(), JsonError>;

/// A position in a JSON text that is read step by step, by code that knows the expected form.
pub struct JsonCursor<'t>(JsonReader<'t>);

impl<'t> JsonCursor<'t> {
    /// Creates a cursor at the beginning of a JSON text.
    pub fn new(text: &'t str) -> JsonCursor<'t> {
        JsonCursor(JsonReader::loose(text))
    }

    /// Skips whitespace and returns the byte offset at which the next value begins.
    pub fn offset(&mut self) -> usize {
        self.0.peek();
        self.0.offset()
    }

    /// Returns an error with `message` at the offset of the next value.
    ///
    /// # Errors
    /// Always.
    pub fn fail<T>(&mut self, message: impl Into<String>) -> Result<T, JsonError> {
        self.0.peek();
        self.0.fail(message)
    }

    /// Consumes the next value if it is `null`; returns true if so.
    pub fn null(&mut self) -> bool {
        self.0.word("null")
    }

    /// Returns true if the next value is a string.
    pub fn is_text(&mut self) -> bool {
        self.0.peek() == Some(b'"')
    }

    /// Skips whitespace and returns the first byte of the next value; `None` at the end of the text.
    pub fn first(&mut self) -> Option<u8> {
        self.0.peek()
    }

    /// Reads the string that must come next.
    ///
    /// # Errors
    /// If something else comes next.
    pub fn text(&mut self) -> Result<String, JsonError> {
        match self.is_text() {
            true => self.0.string(),
            false => self.fail("a text is required here"),
        }
    }

    /// Calls `visit` for every property of the object that comes next.
    ///
    /// # Errors
    /// If something else comes next, or `visit` fails.
    pub fn object(&mut self, visit: Visit<'_, 't>) -> Result<(), JsonError> {
        if !self.0.take(b'{') {
            return self.fail("an object is required here");
        }
        if self.0.take(b'}') {
            return Ok(());
        }
        loop {
            if !self.is_text() {
                return self.fail("a property name is required here");
            }
            let name = self.0.text()?;
            if !self.0.take(b':') {
                return self.fail("a colon is required here");
            }
            visit(&name, self)?;
            if self.0.take(b'}') {
                return Ok(());
            }
            if !self.0.take(b',') {
                return self.fail("a comma or } is required here");
            }
        }
    }

    /// Calls `visit` at every item of the array that comes next.
    ///
    /// # Errors
    /// If something else comes next, or `visit` fails.
    pub fn array(
        &mut self,
        visit: &mut dyn FnMut(&mut JsonCursor<'t>) -> Result<(), JsonError>,
    ) -> Result<(), JsonError> {
        if !self.0.take(b'[') {
            return self.fail("a list is required here");
        }
        if self.0.take(b']') {
            return Ok(());
        }
        loop {
            visit(self)?;
            if self.0.take(b']') {
                return Ok(());
            }
            if !self.0.take(b',') {
                return self.fail("a comma or ] is required here");
            }
        }
    }

    /// Reads the next value of any type.
    ///
    /// # Errors
    /// If the text is not valid JSON.
    pub fn value(&mut self) -> Result<Value, JsonError> {
        self.0.any()
    }

    /// Skips the next value, checking that it is valid JSON, and returns its byte range.
    ///
    /// # Errors
    /// If the text is not valid JSON.
    pub fn skip_checked(&mut self) -> Result<Range<usize>, JsonError> {
        let start = self.offset();
        self.0.check(0)?;
        Ok(start..self.0.offset())
    }

    /// Skips the next value without validating its content, and returns its byte range.
    ///
    /// # Errors
    /// If the value has no end.
    pub fn skip(&mut self) -> Result<Range<usize>, JsonError> {
        self.0.skip()
    }

    /// Checks that only whitespace follows the position.
    ///
    /// # Errors
    /// If something else follows.
    pub fn end(&mut self) -> Result<(), JsonError> {
        self.0.end()
    }
}
