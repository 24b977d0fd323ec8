//! Reading of YAML: parser events to values. The nesting and the number of values, aliases expanded, are bounded: a small text
//! of aliases to aliases is refused before it becomes a huge value.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};

use groma_value::{Str, Type, Value, convert};
use libyaml_safer::{Event, EventData, Parser, ScalarStyle};

use super::guard::panic_risk;
use super::scalar::{ScalarRules, YamlScalar, is_merge, resolve, short_tag};

/// The characters that end a line by YAML 1.1.
const BREAKS: [char; 5] = ['\n', '\r', '\u{85}', '\u{2028}', '\u{2029}'];

/// The limits of reading a YAML document: its nesting depth and its number of values.
#[derive(Clone, Copy)]
pub(super) struct YamlBounds {
    /// Maximum nesting depth of collections.
    pub(super) nesting: usize,
    /// Maximum number of scalars and collections; those of aliases count each time.
    pub(super) elements: usize,
}

/// A value read from YAML, with the number of scalars and collections in it.
#[derive(Clone)]
struct CountedValue {
    value: Value,
    weight: usize,
}

/// A reader of one YAML document: the parser, the values of anchors, and the depth and number of values so far.
struct YamlReader<'t, 'p> {
    text: &'t str,
    /// True if the text ended with a line ending, false if that was added for the parser.
    ended: bool,
    parser: Parser<&'p mut &'t [u8]>,
    anchors: BTreeMap<String, CountedValue>,
    weight: usize,
    depth: usize,
    bounds: YamlBounds,
    reading: ScalarRules,
}

/// Returns the value of the single document in a YAML text; the error is a sentence without its full stop.
pub(super) fn read(text: &str, reading: ScalarRules, bounds: YamlBounds) -> Result<Value, String> {
    // The parser would panic on a block scalar whose last line has no line end.
    let ended = text.ends_with(BREAKS);
    let text = &*if ended { Cow::Borrowed(text) } else { Cow::Owned(format!("{text}\n")) };
    if let Some(why) = panic_risk(text) {
        return Err(why);
    }
    let mut bytes = text.as_bytes();
    let mut parser = Parser::new();
    parser.set_input_string(&mut bytes);
    let anchors = BTreeMap::new();
    let mut reader =
        YamlReader { text, ended, parser, anchors, weight: 0, depth: 0, bounds, reading };
    reader.next()?;
    match reader.next()?.data {
        EventData::DocumentStart { version_directive: Some(version), .. }
            if (version.major, version.minor) != (1, 1) =>
        {
            return Err("only YAML 1.1 is read".to_owned());
        }
        EventData::DocumentStart { .. } => {}
        _ => return Err("it holds no document".to_owned()),
    }
    let event = reader.next()?;
    let made = reader.value(event)?;
    reader.next()?;
    match reader.next()?.data {
        EventData::StreamEnd => Ok(made.value),
        _ => Err("it holds more than one document; split it first".to_owned()),
    }
}

/// Returns the YAML parser's next event. A panic of the parser is an error, after which it must not be used.
pub(super) fn next(parser: &mut Parser<&mut &[u8]>) -> Result<Event, String> {
    match catch_unwind(AssertUnwindSafe(|| parser.parse())) {
        Ok(event) => event.map_err(|error| {
            let line = error.problem_mark().map_or(1, |mark| mark.line + 1);
            format!("at line {line}, {}", error.problem())
        }),
        Err(_) => Err("it holds a tag or an escape that cannot be read".to_owned()),
    }
}

/// Returns the error message for an event: its line, then `message`.
fn at(event: &Event, message: &str) -> String {
    format!("at line {}, {message}", event.start_mark.line + 1)
}

impl YamlReader<'_, '_> {
    /// Returns the YAML parser's next event; a panic of the parser is an error.
    fn next(&mut self) -> Result<Event, String> {
        next(&mut self.parser)
    }

    /// Adds `weight` scalars and collections to the number read from the document so far; fails beyond the limit of
    /// [`YamlBounds`].
    fn count(&mut self, weight: usize) -> Result<(), String> {
        self.weight = self.weight.saturating_add(weight);
        if self.weight > self.bounds.elements {
            return Err(format!(
                "with its aliases it stands for more than {} values",
                self.bounds.elements
            ));
        }
        Ok(())
    }

    /// Reads the value that begins with an event: a scalar, collection or alias.
    fn value(&mut self, event: Event) -> Result<CountedValue, String> {
        let (made, anchor) = match &event.data {
            EventData::Alias { anchor } => {
                let Some(made) = self.anchors.get(anchor).cloned() else {
                    return Err(at(
                        &event,
                        &format!("the alias *{anchor} has no anchor before it"),
                    ));
                };
                self.count(made.weight)?;
                return Ok(made);
            }
            EventData::Scalar { anchor, .. } => {
                (CountedValue { value: self.scalar(&event)?, weight: 1 }, anchor.clone())
            }
            EventData::SequenceStart { anchor, tag, .. } => {
                self.check_tag(&event, tag.as_deref(), "seq")?;
                let anchor = anchor.clone();
                (self.nested(Self::sequence)?, anchor)
            }
            EventData::MappingStart { anchor, tag, .. } => {
                self.check_tag(&event, tag.as_deref(), "map")?;
                let anchor = anchor.clone();
                (self.nested(Self::mapping)?, anchor)
            }
            _ => return Err(at(&event, "a value is missing")),
        };
        if let Some(anchor) = anchor {
            self.anchors.insert(anchor, made.clone());
        }
        Ok(made)
    }

    /// Returns the value of the scalar in a parser event.
    fn scalar(&mut self, event: &Event) -> Result<Value, String> {
        let EventData::Scalar { value, tag, style, .. } = &event.data else {
            return Err(at(event, "a scalar is missing"));
        };
        self.check_escapes(event, *style)?;
        let text = self.as_written(event, value, *style);
        let scalar = YamlScalar { text, tag: tag.as_deref(), style: *style };
        let value = resolve(&scalar, self.reading).map_err(|why| at(event, &why))?;
        self.count(1)?;
        Ok(value)
    }

    /// Returns the text of a scalar without a final line end that it has only because [`read`] appended one to the document.
    fn as_written<'s>(&self, event: &Event, value: &'s str, style: ScalarStyle) -> &'s str {
        let block = matches!(style, ScalarStyle::Literal | ScalarStyle::Folded);
        let (start, end) = (event.start_mark.index as usize, event.end_mark.index as usize);
        let Some(shorter) = value.strip_suffix('\n') else { return value };
        if self.ended || !block || end < self.text.len() {
            return value;
        }
        let source = self.text.get(start..end).unwrap_or("").trim_end_matches('\n');
        let header = source.split(BREAKS).next().and_then(|line| line.split(" #").next());
        let style = header.and_then(|line| line.rsplit(['|', '>']).next()).unwrap_or("");
        let last = source.rsplit(BREAKS).next().unwrap_or("");
        // Line ends after whitespace-only lines are kept by `+` and dropped otherwise.
        let content = !last.trim_matches([' ', '\t']).is_empty();
        let blanks = shorter.rsplit('\n').next().unwrap_or("");
        let kept = style.contains('+') || (!blanks.is_empty() && blanks.trim().is_empty());
        if content || kept { shorter } else { value }
    }

    /// Fails if a collection has a tag other than `wanted`; the message has the line of the collection's parser event.
    fn check_tag(&self, event: &Event, tag: Option<&str>, wanted: &str) -> Result<(), String> {
        match short_tag(tag) {
            None => Ok(()),
            Some(tag) if tag == wanted => Ok(()),
            Some(tag) => Err(at(event, &format!("the tag {tag:?} does not fit what follows it"))),
        }
    }

    /// Fails for the escape `\/` in a quoted scalar, which the reference programs do not accept although JSON has it.
    fn check_escapes(&self, event: &Event, style: ScalarStyle) -> Result<(), String> {
        if style != ScalarStyle::DoubleQuoted {
            return Ok(());
        }
        let raw = self.text.get(event.start_mark.index as usize..event.end_mark.index as usize);
        let mut escaped = false;
        for c in raw.unwrap_or("").chars() {
            match c {
                '/' if escaped => {
                    return Err(at(event, "`\\/` is not an escape of YAML 1.1; write `/`"));
                }
                '\\' => escaped = !escaped,
                _ => escaped = false,
            }
        }
        Ok(())
    }

    /// Reads a collection with `read`, one nesting level deeper; fails at the maximum depth.
    fn nested(
        &mut self,
        read: fn(&mut Self) -> Result<CountedValue, String>,
    ) -> Result<CountedValue, String> {
        self.depth += 1;
        if self.depth > self.bounds.nesting {
            return Err(format!("it nests deeper than {}", self.bounds.nesting));
        }
        self.count(1)?;
        let made = read(self);
        self.depth -= 1;
        made
    }

    /// Reads a YAML sequence as a tuple, up to its end event.
    fn sequence(&mut self) -> Result<CountedValue, String> {
        let mut items = Vec::new();
        let mut weight = 1;
        loop {
            let event = self.next()?;
            if event.data == EventData::SequenceEnd {
                return Ok(CountedValue { value: Value::tuple(items), weight });
            }
            let made = self.value(event)?;
            weight += made.weight;
            items.push(made.value);
        }
    }

    /// Reads a YAML mapping as an object, up to its end event.
    fn mapping(&mut self) -> Result<CountedValue, String> {
        let mut attributes: BTreeMap<Str, Value> = BTreeMap::new();
        let mut weight = 1;
        loop {
            let event = self.next()?;
            let merge = match &event.data {
                EventData::MappingEnd => {
                    return Ok(CountedValue { value: Value::object(attributes), weight });
                }
                EventData::Scalar { value, tag, style, .. } => is_merge(
                    &YamlScalar { text: value, tag: tag.as_deref(), style: *style },
                    self.reading,
                ),
                EventData::Alias { .. } => return Err(at(&event, "an alias cannot be a key")),
                _ => return Err(at(&event, "a key must be a scalar")),
            };
            if merge {
                let event = self.next()?;
                let line = event.start_mark.line + 1;
                let made = self.value(event)?;
                weight += made.weight;
                self.merge(&made.value, &mut attributes)
                    .map_err(|why| format!("at line {line}, {why}"))?;
                continue;
            }
            let line = event.start_mark.line + 1;
            // As in the reference programs, an anchor on a key is ignored.
            let key = match convert(&self.scalar(&event)?, &Type::String) {
                Ok(Value::String(key)) => key,
                _ => return Err(format!("at line {line}, a key must not be null")),
            };
            let event = self.next()?;
            let made = self.value(event)?;
            weight += made.weight;
            attributes.insert(key, made.value);
        }
    }

    /// Adds the attributes of the mapping at a merge key (`<<`) to a mapping, replacing earlier ones; of several mappings the
    /// later win.
    fn merge(&self, value: &Value, attributes: &mut BTreeMap<Str, Value>) -> Result<(), String> {
        let parts: &[Value] = match value {
            Value::Tuple(items) if self.reading.merge_lists => items.items(),
            one => std::slice::from_ref(one),
        };
        for part in parts {
            let Value::Object(object) = part else {
                return Err("`<<` takes in a mapping, or a list of mappings".to_owned());
            };
            attributes.extend(object.iter().map(|(name, value)| (name.clone(), value.clone())));
        }
        Ok(())
    }
}
