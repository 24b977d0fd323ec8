//! What a text of nothing but literal values sets: the values are made as the text is read, with neither a tree nor code
//! between. The same text read by the parser, lowered and evaluated, gives the same.

use groma_syntax::{Literal, Literals, Span, Unsure};
use groma_value::{Number, Shapes, Str, Value};

/// A name of a value file and its value.
#[derive(Clone, Debug)]
pub struct LiteralSetting {
    /// The name as written.
    pub name: String,
    /// Where the name stands.
    pub name_span: Span,
    /// Where the value stands.
    pub span: Span,
    /// The value.
    pub value: Value,
}

/// A collection that is being read.
enum Open {
    Tuple(Vec<Value>),
    Object(Vec<(Str, Value)>, Str),
}

/// What a text sets, if it is plain and right: nothing but names and literal values.
pub fn settings(text: &str) -> Option<Vec<LiteralSetting>> {
    read(text).ok()
}

fn read(text: &str) -> Result<Vec<LiteralSetting>, Unsure> {
    let mut pieces = Literals::of(text);
    let mut found = Vec::new();
    while let Some(piece) = pieces.piece()? {
        let Literal::Name(name, name_span) = piece else { return Err(Unsure) };
        let value = value(&mut pieces)?;
        let Some(Literal::End(span)) = pieces.piece()? else { return Err(Unsure) };
        found.push(LiteralSetting { name: name.to_owned(), name_span, span, value });
    }
    Ok(found)
}

fn value(pieces: &mut Literals<'_>) -> Result<Value, Unsure> {
    let mut shapes = Shapes::default();
    let mut open: Vec<Open> = Vec::new();
    loop {
        let done = match pieces.piece()?.ok_or(Unsure)? {
            Literal::Number { negative, text } => {
                let number = Number::parse_literal(text).ok_or(Unsure)?;
                Value::Number(if negative { number.negate() } else { number })
            }
            Literal::Text(text) => Value::text(text),
            Literal::Bool(flag) => Value::Bool(flag),
            Literal::Null => Value::NULL,
            Literal::Tuple => {
                open.push(Open::Tuple(Vec::new()));
                continue;
            }
            Literal::Object => {
                open.push(Open::Object(Vec::new(), Str::new()));
                continue;
            }
            Literal::Attribute(name) => match open.last_mut() {
                Some(Open::Object(_, pending)) => {
                    *pending = Str::from(name);
                    continue;
                }
                _ => return Err(Unsure),
            },
            Literal::Close => match open.pop().ok_or(Unsure)? {
                Open::Tuple(mut items) => {
                    items.shrink_to_fit();
                    Value::tuple(items)
                }
                Open::Object(entries, _) => shapes.object(open.len(), entries),
            },
            Literal::Name(..) | Literal::End(_) => return Err(Unsure),
        };
        match open.last_mut() {
            None => return Ok(done),
            Some(Open::Tuple(items)) => items.push(done),
            Some(Open::Object(entries, name)) => entries.push((std::mem::take(name), done)),
        }
    }
}
