//! base64, gzip, URL and CSV encodings. base64 is decoded like in the reference programs: line breaks are skipped, padding is
//! required, unused trailing bits are ignored.

use base64::Engine as _;
use base64::engine::DecodePaddingMode;
use base64::engine::general_purpose::{GeneralPurpose, GeneralPurposeConfig, STANDARD};
use groma_runtime::{Availability, OVERHEAD};
use groma_value::sentence::plural;
use groma_value::{Sentence, ShapeCache, Str, Type, Value};

use super::gzip;
use crate::call::charge::ELEMENT;
use crate::{
    CallArgs, Failure, Function, FunctionBody, ParameterRow, ResultPromise, ReturnType, RowType,
};

/// The row of the parameter `str`, a string.
const STRING: ParameterRow = ParameterRow::new("str", RowType::String);
/// The availability of a function in OpenTofu since 1.7.
const TOFU: Availability = Availability::OPENTOFU.opentofu_since(7);

/// The base64 decoder of the language: it ignores trailing bits and requires padding.
const LOOSE: GeneralPurpose = GeneralPurpose::new(
    &base64::alphabet::STANDARD,
    GeneralPurposeConfig::new()
        .with_decode_allow_trailing_bits(true)
        .with_decode_padding_mode(DecodePaddingMode::RequireCanonical),
);

/// Returns the row of a function from a string to a string, by its name, editions, documentation and body.
const fn text_row(
    name: &'static str,
    dialects: Availability,
    doc: &'static str,
    body: fn(&CallArgs<'_>) -> Result<Value, Failure>,
) -> Function {
    Function {
        name,
        params: &[STRING],
        returns: ReturnType::Shape(RowType::String),
        promise: ResultPromise::NOT_NULL_BUT_IN_PACKER,
        dialects,
        doc,
        body: FunctionBody::Plain(body),
        ..Function::ROW
    }
}

/// The rows of the base64, gzip, URL and CSV functions, sorted by name.
pub(crate) const FUNCTIONS: &[Function] = &[
    Function {
        params: &[STRING.drops_pending_marks(Availability::OPENTOFU)],
        ..text_row(
            "base64decode",
            Availability::ALL,
            "Returns the UTF-8 text that a base64 string encodes.",
            decode,
        )
    },
    text_row(
        "base64encode",
        Availability::ALL,
        "Returns a string's UTF-8 bytes in base64.",
        |args| Ok(Value::from(STANDARD.encode(args.text(0).as_bytes()))),
    ),
    Function {
        params: &[STRING.drops_pending_marks(Availability::OPENTOFU)],
        ..text_row(
            "base64gunzip",
            TOFU,
            "Returns the text that a base64 string encodes in gzip form.",
            gzip::unpack,
        )
    },
    text_row(
        "base64gzip",
        Availability::NOT_PACKER,
        "Returns a string packed by gzip, in base64.",
        gzip::pack,
    ),
    Function {
        name: "csvdecode",
        params: &[STRING],
        returns: ReturnType::By(|_| Ok(Type::Dynamic)),
        doc: "Returns the rows of a CSV text as a list of objects; the first row names the attributes.",
        body: FunctionBody::Plain(csv),
        ..Function::ROW
    },
    text_row("urldecode", TOFU, "Returns a string with its URL escapes resolved.", url_decode),
    text_row(
        "urlencode",
        Availability::ALL,
        "Returns a string with URL escapes, as in a query.",
        url_encode,
    ),
];

/// Decodes the base64 argument at `index` to bytes; the error is a full sentence.
pub(crate) fn bytes(args: &CallArgs<'_>, index: usize) -> Result<Vec<u8>, String> {
    let compact: String = args.text(index).chars().filter(|c| !matches!(c, '\r' | '\n')).collect();
    LOOSE.decode(compact).map_err(|error| format!("{} is not base64: {error}.", args.show(index)))
}

/// Returns bytes as a string value; fails if they are not valid UTF-8.
fn utf8(args: &CallArgs<'_>, bytes: Vec<u8>) -> Result<Value, Failure> {
    String::from_utf8(bytes).map(Value::from).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        Failure::whole(format!(
            "The content of {} is not UTF-8 text from byte {at} on.",
            args.show(0)
        ))
    })
}

/// Implements `base64decode`: returns the UTF-8 text that a base64 string encodes.
fn decode(args: &CallArgs<'_>) -> Result<Value, Failure> {
    let bytes = bytes(args, 0).map_err(Failure::whole)?;
    utf8(args, bytes)
}

/// Returns bytes as text with U+FFFD for each byte that is not valid UTF-8, as the reference programs write it in JSON.
pub(super) fn lossy_text(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        text.extend(chunk.invalid().iter().map(|_| char::REPLACEMENT_CHARACTER));
    }
    text
}

/// Implements `urlencode`: returns a string with URL escapes.
fn url_encode(args: &CallArgs<'_>) -> Result<Value, Failure> {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.~ ".contains(&byte);
    let escaped = args.text(0).bytes().filter(|byte| !plain(*byte)).count();
    let bytes = args.text(0).len() + escaped * 2;
    args.check_bytes(bytes)?;
    args.charge_bytes(bytes * 2)?;
    let mut out = String::with_capacity(bytes);
    for byte in args.text(0).bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'~' => {
                out.push(char::from(byte))
            }
            b' ' => out.push('+'),
            byte => out.push_str(&format!("%{byte:02X}")),
        }
    }
    Ok(Value::from(out))
}

/// Implements `urldecode`: returns a string with its URL escapes resolved.
fn url_decode(args: &CallArgs<'_>) -> Result<Value, Failure> {
    let text = args.text(0).as_bytes();
    let mut out = Vec::with_capacity(text.len());
    let mut at = 0;
    while let Some(&byte) = text.get(at) {
        at += 1;
        match byte {
            b'+' => out.push(b' '),
            b'%' => {
                let digit = |at: usize| text.get(at).and_then(|b| char::from(*b).to_digit(16));
                let (Some(high), Some(low)) = (digit(at), digit(at + 1)) else {
                    let message = Sentence::trusted(format!(
                        "{} holds a `%` that two hexadecimal digits do not follow.",
                        args.show(0)
                    ));
                    return Err(Failure::whole(message));
                };
                out.push((high * 16 + low) as u8);
                at += 2;
            }
            byte => out.push(byte),
        }
    }
    Ok(Value::from(lossy_text(&out)))
}

/// Implements `csvdecode`: returns the rows of a CSV text as a list of objects, whose attributes the first row names.
fn csv(args: &CallArgs<'_>) -> Result<Value, Failure> {
    let text = args.text(0);
    let mut rows = CsvRows { rest: text, line: 1 };
    let wrong =
        |line: usize, why: &str| Failure::whole(format!("Line {line} of the CSV text {why}."));
    let header = match rows.next_row() {
        None => return Err(wrong(1, "is missing: the first row must name the columns")),
        Some(row) => row.map_err(|(line, why)| wrong(line, &why))?,
    };
    let names: Vec<Str> = header.iter().map(|cell| Str::from(cell.as_str())).collect();
    let mut sorted: Vec<&Str> = names.iter().collect();
    sorted.sort();
    if let Some(pair) = sorted.windows(2).find(|pair| pair[0] == pair[1]) {
        return Err(wrong(1, &format!("names the column {:?} twice", &**pair[0])));
    }
    let ty = Type::object(names.iter().map(|name| (name.clone(), Type::String)));
    let mut shapes = ShapeCache::default();
    let mut objects = Vec::new();
    loop {
        let line = rows.line;
        let Some(row) = rows.next_row() else { break };
        let row = row.map_err(|(line, why)| wrong(line, &why))?;
        if row.len() != names.len() {
            return Err(wrong(
                line,
                &format!(
                    "has {} where the first row has {}",
                    plural(row.len(), "cell"),
                    names.len()
                ),
            ));
        }
        args.charge_steps(row.len() / 4 + 1)?;
        let texts: usize = row.iter().map(String::len).sum();
        args.charge_bytes(row.len() * ELEMENT + ELEMENT + 2 * OVERHEAD as usize + texts)?;
        let cells = names.iter().cloned().zip(row.into_iter().map(Value::from));
        objects.push(shapes.object(0, cells.collect()));
    }
    Ok(Value::list(ty, objects))
}

/// A parser of CSV rows: skips empty lines, reads doubled quotes inside of quotes as one, and CRLF like LF.
struct CsvRows<'t> {
    rest: &'t str,
    line: usize,
}

/// The fields of one CSV row, or an error: the line number and a message.
type Row = Result<Vec<String>, (usize, String)>;

impl CsvRows<'_> {
    /// Reads the next row of CSV text; `None` at the end of the text.
    fn next_row(&mut self) -> Option<Row> {
        while let Some(after) =
            self.rest.strip_prefix("\r\n").or_else(|| self.rest.strip_prefix('\n'))
        {
            self.rest = after;
            self.line += 1;
        }
        (!self.rest.is_empty()).then(|| self.row())
    }

    /// Reads the fields of the CSV row at the current position.
    fn row(&mut self) -> Row {
        let mut cells = Vec::new();
        loop {
            let cell = if self.rest.starts_with('"') { self.quoted()? } else { self.bare()? };
            cells.push(cell);
            if let Some(after) = self.rest.strip_prefix(',') {
                self.rest = after;
                continue;
            }
            let after = self.rest.strip_prefix("\r\n").or_else(|| self.rest.strip_prefix('\n'));
            self.rest = after.unwrap_or("");
            self.line += 1;
            return Ok(cells);
        }
    }

    /// Reads a CSV field without quotes; the error is a line number and a message.
    fn bare(&mut self) -> Result<String, (usize, String)> {
        let end = self.rest.find([',', '\n']).unwrap_or(self.rest.len());
        let mut cell = &self.rest[..end];
        self.rest = &self.rest[end..];
        if self.rest.starts_with('\n') || self.rest.is_empty() {
            cell = cell.strip_suffix('\r').unwrap_or(cell);
        }
        if cell.contains('"') {
            return Err((
                self.line,
                "has a quote inside a cell that does not begin with one".to_owned(),
            ));
        }
        Ok(cell.to_owned())
    }

    /// Reads a CSV field in quotes; the error is a line number and a message.
    fn quoted(&mut self) -> Result<String, (usize, String)> {
        let start = self.line;
        let mut cell = String::new();
        self.rest = &self.rest[1..];
        loop {
            let Some(end) = self.rest.find('"') else {
                return Err((start, "has a quote that is not closed".to_owned()));
            };
            let piece = &self.rest[..end];
            self.line += piece.matches('\n').count();
            cell.push_str(&piece.replace("\r\n", "\n"));
            self.rest = &self.rest[end + 1..];
            match self.rest.strip_prefix('"') {
                Some(after) => {
                    cell.push('"');
                    self.rest = after;
                }
                None => break,
            }
        }
        let ends = self.rest.is_empty()
            || self.rest.starts_with([',', '\n'])
            || self.rest.starts_with("\r\n");
        if ends { Ok(cell) } else { Err((self.line, "has text after a closing quote".to_owned())) }
    }
}
