//! A way through a JSON text, for readers that know its form: they say what has to come next, and learn where in the
//! text it did not. Unlike a value, an object read this way may name a property twice.

use std::ops::Range;

use super::JsonError;
use super::read::JsonReader;
use crate::Value;

/// What to do with one property of an object: the name, and where it stands. It has to take the value.
pub type Visit<'v, 't> = &'v mut dyn FnMut(&str, &mut JsonCursor<'t>) -> Result<(), JsonError>;

/// A place in a JSON text, and what can be asked for there.
pub struct JsonCursor<'t>(JsonReader<'t>);

impl<'t> JsonCursor<'t> {
    /// The beginning of a text.
    pub fn new(text: &'t str) -> JsonCursor<'t> {
        JsonCursor(JsonReader::loose(text))
    }

    /// Returns where the next value starts, in bytes.
    pub fn offset(&mut self) -> usize {
        self.0.peek();
        self.0.offset()
    }

    /// That something is wrong here.
    ///
    /// # Errors
    /// Always.
    pub fn fail<T>(&mut self, message: impl Into<String>) -> Result<T, JsonError> {
        self.0.peek();
        self.0.fail(message)
    }

    /// Takes a null, if that comes next.
    pub fn null(&mut self) -> bool {
        self.0.word("null")
    }

    /// Returns true if text comes next.
    pub fn is_text(&mut self) -> bool {
        self.0.peek() == Some(b'"')
    }

    /// The first byte of what comes next.
    pub fn first(&mut self) -> Option<u8> {
        self.0.peek()
    }

    /// A text.
    ///
    /// # Errors
    /// Where something else comes next.
    pub fn text(&mut self) -> Result<String, JsonError> {
        match self.is_text() {
            true => self.0.string(),
            false => self.fail("a text is required here"),
        }
    }

    /// Calls `visit` for every property of the object that comes next.
    ///
    /// # Errors
    /// Where something else comes next, or `visit` says so.
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
    /// Where something else comes next, or `visit` says so.
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

    /// The next value, whatever it is.
    ///
    /// # Errors
    /// Where it is no JSON.
    pub fn value(&mut self) -> Result<Value, JsonError> {
        self.0.any()
    }

    /// Passes over the next value, and says where it stands. It is JSON, and no more is known of it.
    ///
    /// # Errors
    /// Where it is no JSON.
    pub fn pass(&mut self) -> Result<Range<usize>, JsonError> {
        let start = self.offset();
        self.0.check(0)?;
        Ok(start..self.0.offset())
    }

    /// Passes over the next value without looking closer, and says where it stands: only that it ends is sure.
    ///
    /// # Errors
    /// Where it has no end.
    pub fn skip(&mut self) -> Result<Range<usize>, JsonError> {
        self.0.skip()
    }

    /// Nothing but blanks may follow.
    ///
    /// # Errors
    /// Where something does.
    pub fn end(&mut self) -> Result<(), JsonError> {
        self.0.end()
    }
}
