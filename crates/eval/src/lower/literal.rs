//! Variables files of constant values: the values are created while the text is read, without a tree or code. A value that is
//! not a plain literal is parsed, lowered and evaluated alone. The result is the same as that of parsing, lowering and
//! evaluating the whole text.

use std::hash::Hasher;
use std::sync::Arc;

use groma_functions::FunctionLibrary;
use groma_syntax::{
    Diagnostics, Expr, FileId, LiteralEvent, LiteralStream, NotLiteral, Span, parse_expression,
};
use groma_value::{Number, ShapeCache, Str, Value};
use rustc_hash::FxHasher;

use crate::{Context, LocatedCode, evaluate};

/// An assignment in a variables file: a name and its value.
#[derive(Clone, Debug)]
pub struct LiteralSetting {
    /// The name as written.
    pub name: String,
    /// The span of the name.
    pub name_span: Span,
    /// The span of the value.
    pub span: Span,
    /// The value.
    pub value: Value,
}

/// A collection that is being read: its elements so far, and of an object also the name of the next attribute.
enum OpenLiteral {
    Tuple(Vec<Value>),
    Object(Vec<(Str, Value)>, Str),
}

/// Returns the assignments in the text of a variables file; `None` if it has errors or references. Values that are not plain
/// literals are evaluated in `context`, with the functions of `library`.
pub fn settings(
    text: &str,
    library: &FunctionLibrary,
    context: &Context,
) -> Option<Vec<LiteralSetting>> {
    let (events, known) = (LiteralStream::of(text), LiteralCache::of(text));
    LiteralReader { text, library, context, events, known, spare: Vec::new() }.read().ok()
}

/// Maximum length in bytes of the source text of a cached collection: longer ones are seldom repeated.
const MAX_LENGTH: usize = 256;

/// Maximum number of collections of one variables file that are kept in the cache.
const MAX_CACHED: usize = 1 << 16;

/// Maximum number of elements of a tuple that are copied out of the buffer in which they were gathered, so that it can be reused.
const MAX_COPIED: usize = 64;

/// Number of cache misses in a row from which on only every [`LOOKUP_INTERVAL`]th collection is looked up.
const MISS_LIMIT: u32 = 4_096;

/// After [`MISS_LIMIT`] cache misses in a row, only one of this many collections that are read is looked up in the
/// [`LiteralCache`].
const LOOKUP_INTERVAL: u32 = 16;

/// A cache of short collections by their source text, so that repeated ones are shared.
struct LiteralCache {
    places: Vec<(Span, Value)>,
    /// The number of cache misses in a row.
    missed: u32,
}

impl LiteralCache {
    /// Creates an empty cache of a variables file's collections; the longer the file's text, the more of them it has room for.
    fn of(text: &str) -> LiteralCache {
        let room = (text.len() / MAX_LENGTH).next_power_of_two().min(MAX_CACHED);
        LiteralCache { places: vec![(Span::at(0), Value::NULL); room], missed: 0 }
    }

    /// Returns the cached value with the same source text as `made`, which is at `span` of `text`, or adds `made` to the cache
    /// and returns it.
    fn share(&mut self, text: &str, span: Span, made: Value) -> Value {
        let written = span.of(text);
        if written.len() > MAX_LENGTH {
            return made;
        }
        self.missed = self.missed.wrapping_add(1);
        if self.missed > MISS_LIMIT && !self.missed.is_multiple_of(LOOKUP_INTERVAL) {
            return made;
        }
        let mut hasher = FxHasher::default();
        hasher.write(written.as_bytes());
        let at = hasher.finish() as usize & (self.places.len() - 1);
        let (known, value) = &mut self.places[at];
        if known.of(text) != written {
            (*known, *value) = (span, made.clone());
            return made;
        }
        self.missed = 0;
        value.clone()
    }
}

/// A reader of a variables file: its text and tokens, the inputs for evaluating expressions, and a cache of values.
struct LiteralReader<'t> {
    text: &'t str,
    library: &'t FunctionLibrary,
    context: &'t Context,
    events: LiteralStream<'t>,
    known: LiteralCache,
    /// Empty buffers for the elements of short collections.
    spare: Vec<Vec<Value>>,
}

impl LiteralReader<'_> {
    /// Reads all assignments of the variables file; an error if this reader cannot read it, so that it must be parsed to a tree.
    fn read(mut self) -> Result<Vec<LiteralSetting>, NotLiteral> {
        let mut found = Vec::new();
        while let Some(event) = self.events.next_event()? {
            let LiteralEvent::Name(name, name_span) = event else { return Err(NotLiteral) };
            let value = self.value()?;
            let Some(LiteralEvent::End(span)) = self.events.next_event()? else {
                return Err(NotLiteral);
            };
            found.push(LiteralSetting { name: name.to_owned(), name_span, span, value });
        }
        Ok(found)
    }

    /// Reads the value of one assignment of a variables file; an error if this reader cannot read it, so that the file must be
    /// parsed to a tree.
    fn value(&mut self) -> Result<Value, NotLiteral> {
        let mut shapes = ShapeCache::default();
        // Each with the offset of its opening bracket.
        let mut open: Vec<(OpenLiteral, u32)> = Vec::new();
        loop {
            let done = match self.events.next_event()?.ok_or(NotLiteral)? {
                LiteralEvent::Number { negative, text } => {
                    let number = Number::parse_literal(text).ok_or(NotLiteral)?;
                    Value::from(if negative { number.negate() } else { number })
                }
                LiteralEvent::Text(text) => Value::text(text),
                LiteralEvent::Bool(flag) => Value::Bool(flag),
                LiteralEvent::Null => Value::NULL,
                LiteralEvent::Tuple => {
                    let items = self.spare.pop().unwrap_or_default();
                    open.push((OpenLiteral::Tuple(items), self.events.end() - 1));
                    continue;
                }
                LiteralEvent::Object => {
                    open.push((OpenLiteral::Object(Vec::new(), Str::new()), self.events.end() - 1));
                    continue;
                }
                LiteralEvent::Attribute(name) => match open.last_mut() {
                    Some((OpenLiteral::Object(_, pending), _)) => {
                        *pending = Str::from(name);
                        continue;
                    }
                    _ => return Err(NotLiteral),
                },
                LiteralEvent::Close => {
                    let (open_last, from) = open.pop().ok_or(NotLiteral)?;
                    let made = match open_last {
                        OpenLiteral::Tuple(mut items) if items.len() <= MAX_COPIED => {
                            let mut own = Vec::with_capacity(items.len());
                            own.append(&mut items);
                            self.spare.push(items);
                            Value::tuple(own)
                        }
                        OpenLiteral::Tuple(items) => Value::tuple(items),
                        OpenLiteral::Object(entries, _) => shapes.object(open.len(), entries),
                    };
                    self.known.share(self.text, Span::new(from, self.events.end()), made)
                }
                LiteralEvent::Expression(span) => self.constant(Arc::from(span.of(self.text)))?,
                LiteralEvent::Elements(span) => {
                    // A comment behind the last one ends with its line.
                    let all = self.constant(format!("[{}\n]", span.of(self.text)).into())?;
                    let (Value::Tuple(all), Some((OpenLiteral::Tuple(items), _))) =
                        (all, open.last_mut())
                    else {
                        return Err(NotLiteral);
                    };
                    items.extend_from_slice(all.items());
                    continue;
                }
                LiteralEvent::Name(..) | LiteralEvent::End(_) => return Err(NotLiteral),
            };
            match open.last_mut() {
                None => return Ok(done),
                Some((OpenLiteral::Tuple(items), _)) => items.push(done),
                Some((OpenLiteral::Object(entries, name), _)) => {
                    entries.push((std::mem::take(name), done));
                }
            }
        }
    }

    /// Parses and evaluates an expression that is not a plain literal; an error if it has references or diagnostics.
    fn constant(&self, text: Arc<str>) -> Result<Value, NotLiteral> {
        let parse = parse_expression(&text, FileId(0));
        if !parse.diagnostics.is_empty() {
            return Err(NotLiteral);
        }
        let located = LocatedCode::of(&Expr::of(&parse), self.library);
        if !located.code.references().is_empty() {
            return Err(NotLiteral);
        }
        let mut out = Diagnostics::new();
        let value = evaluate(&located, self.context, &mut out);
        if out.is_empty() { Ok(value) } else { Err(NotLiteral) }
    }
}
