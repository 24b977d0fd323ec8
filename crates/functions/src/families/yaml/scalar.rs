//! Values of YAML scalars: the words, numbers and dates of YAML 1.1 as the reference programs read them. A quoted scalar is a
//! string; a block scalar is resolved like a plain one and then converted to a string.

use groma_value::{Number, Str, Type, Value, convert};
use libyaml_safer::ScalarStyle;

use crate::families::time;

/// The prefix of YAML's own tags, such as that of `!!int`.
const CORE: &str = "tag:yaml.org,2002:";

/// A YAML scalar as the parser returns it: text, tag and style.
pub(super) struct YamlScalar<'s> {
    pub(super) text: &'s str,
    pub(super) tag: Option<&'s str>,
    pub(super) style: ScalarStyle,
}

/// The edition's rules for reading YAML scalars: which numbers and merge keys are recognized.
#[derive(Clone, Copy)]
pub(super) struct ScalarRules {
    /// True if there are binary numbers, `_` in numbers, `+inf` and `-Inf`, but no hexadecimal or octal numbers.
    pub(super) older: bool,
    /// True if `<<` also accepts a list of mappings, and may have its tag written.
    pub(super) merge_lists: bool,
}

/// Returns true if a scalar is the merge key: an untagged `<<`, or by rules that merge lists anything with the tag `!!merge`.
pub(super) fn is_merge(scalar: &YamlScalar<'_>, reading: ScalarRules) -> bool {
    match short_tag(scalar.tag) {
        Some("merge") => reading.merge_lists,
        None => scalar.text == "<<",
        Some(_) => false,
    }
}

/// Returns a tag without the prefix of YAML's own tags, such as `int`; other tags are unchanged.
pub(super) fn short_tag(tag: Option<&str>) -> Option<&str> {
    tag.map(|tag| tag.strip_prefix(CORE).unwrap_or(tag))
}

/// Returns the value of a scalar by its tag, style and text; the error is a sentence without its full stop.
pub(super) fn resolve(scalar: &YamlScalar<'_>, reading: ScalarRules) -> Result<Value, String> {
    let text = scalar.text;
    let tag = short_tag(scalar.tag);
    let quoted = matches!(scalar.style, ScalarStyle::SingleQuoted | ScalarStyle::DoubleQuoted);
    let block = matches!(scalar.style, ScalarStyle::Literal | ScalarStyle::Folded);
    match tag {
        Some("str") => return Ok(Value::from(text)),
        Some("binary") => {
            let compact: String = text.chars().filter(|c| !c.is_ascii_whitespace()).collect();
            use base64::Engine as _;
            return match base64::engine::general_purpose::STANDARD.decode(compact) {
                Ok(_) => Ok(Value::from(text)),
                Err(_) => Err(format!("{text:?} is tagged as binary and is not base64")),
            };
        }
        None | Some("int" | "float" | "bool" | "null" | "timestamp") => {}
        Some(tag) => return Err(format!("the tag {tag:?} means nothing for a scalar here")),
    }
    if quoted && tag.is_none() {
        return Ok(Value::from(text));
    }
    let plain = implicit(text, reading)?;
    match (tag, &plain) {
        // A quoted text that looks like a number or time remains a string with any tag.
        (Some(tag), Value::String(_)) if !quoted || !is_typed(text) => tagged(tag, text),
        _ if quoted => Ok(Value::from(text)),
        (None, _) if block => convert(&plain, &Type::String).map_err(|mismatch| mismatch.message),
        _ => Ok(plain),
    }
}

/// Returns true if a text is a timestamp, or a number in any form that the tag `!!int` allows.
fn is_typed(text: &str) -> bool {
    tagged("int", text).is_ok() || tagged("timestamp", text).is_ok()
}

/// Returns the value of a text with a YAML core tag such as `int`; the error is a message.
fn tagged(tag: &str, text: &str) -> Result<Value, String> {
    let compact = text.replace('_', "");
    let found = match tag {
        "int" | "float" => match whole(&compact) {
            None => decimal(&compact)?,
            found => found,
        },
        "null" => Some(Value::NULL),
        "timestamp" => time::yaml_time(text).map(Value::from),
        _ => None,
    };
    found.ok_or_else(|| format!("{text:?} is tagged as {tag} but is not one"))
}

/// Parses the whole number of a scalar with a number tag, in binary (`0b`), hexadecimal (`0x`) or octal (`0o`); `None` for other
/// texts.
fn whole(text: &str) -> Option<Value> {
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    let sign = if text.starts_with('-') { "-" } else { "" };
    for (prefix, radix) in [("0b", 2), ("0x", 16), ("0o", 8)] {
        if let Some(digits) = unsigned.strip_prefix(prefix) {
            if digits.starts_with('+') {
                return None;
            }
            let number = u64::from_str_radix(digits, radix).ok()?;
            return Some(literal(&format!("{sign}{number}")).into());
        }
    }
    None
}

/// Returns the number that digits spell; zero if they spell none.
fn literal(digits: &str) -> Number {
    Number::parse(digits).unwrap_or_else(|| Number::from_i64(0))
}

/// Returns the value of a plain scalar without a tag: a null, bool, number or string.
fn implicit(text: &str, reading: ScalarRules) -> Result<Value, String> {
    match text {
        "" | "~" | "null" | "Null" | "NULL" => return Ok(Value::NULL),
        "y" | "Y" | "yes" | "Yes" | "YES" | "true" | "True" | "TRUE" | "on" | "On" | "ON" => {
            return Ok(Value::TRUE);
        }
        "n" | "N" | "no" | "No" | "NO" | "false" | "False" | "FALSE" | "off" | "Off" | "OFF" => {
            return Ok(Value::FALSE);
        }
        ".nan" | ".NaN" | ".NAN" => return Err("there is no number for .nan".to_owned()),
        _ => {}
    }
    let (sign, unsigned) = match text.as_bytes()[0] {
        sign @ (b'+' | b'-') => (Some(sign), &text[1..]),
        _ => (None, text),
    };
    let older_word = reading.older && sign.is_some() && matches!(unsigned, "inf" | "Inf" | "INF");
    if older_word || matches!(unsigned, ".inf" | ".Inf" | ".INF") {
        let infinity = if sign == Some(b'-') { f64::NEG_INFINITY } else { f64::INFINITY };
        return Ok(Number::from_f64(infinity).map_or(Value::NULL, Value::from));
    }
    if !reading.older {
        for (prefix, radix) in [("0x", 16), ("0o", 8)] {
            let Some(digits) = text.strip_prefix(prefix) else { continue };
            if !digits.is_empty() && digits.chars().all(|c| c.is_digit(radix)) {
                return match u64::from_str_radix(digits, radix) {
                    Ok(number) => Ok(literal(&number.to_string()).into()),
                    Err(_) => Err(format!("{text} does not fit 64 bits")),
                };
            }
        }
    }
    if let Some(number) = decimal(text)? {
        return Ok(number);
    }
    if reading.older
        && let Some(number) = older_number(text)?
    {
        return Ok(number);
    }
    match time::yaml_time(text) {
        Some(text) => Ok(Value::String(Str::from(text))),
        None => Ok(Value::from(text)),
    }
}

/// Parses a number that only older editions recognize without a tag, with `_` after the first character or binary; `Ok(None)` for
/// other texts, an error for a binary number that is malformed or too large.
fn older_number(text: &str) -> Result<Option<Value>, String> {
    if !text.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '+' | '-')) {
        return Ok(None);
    }
    let compact = text.replace('_', "");
    let (sign, digits) = match (compact.strip_prefix("0b"), compact.strip_prefix("-0b")) {
        (Some(digits), _) => ("", digits),
        (_, Some(digits)) => ("-", digits),
        _ if compact.len() < text.len() => return decimal(&compact),
        _ => return Ok(None),
    };
    let signed = i64::from_str_radix(&format!("{sign}{digits}"), 2).map(|one| one.to_string());
    let number = match sign {
        "" => signed.or_else(|_| u64::from_str_radix(digits, 2).map(|one| one.to_string())),
        _ => signed,
    };
    match number {
        Ok(number) => Ok(Some(literal(&number).into())),
        Err(_) => Err(format!("{text} begins like a binary number but does not fit 64 bits")),
    }
}

/// Parses a decimal number, with digits on at least one side of the point; `None` for other texts, an error for a too large
/// exponent.
fn decimal(text: &str) -> Result<Option<Value>, String> {
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
    let whole = digits(unsigned);
    let rest = &unsigned[whole..];
    if whole > 0 && rest.is_empty() {
        return number(text);
    }
    let (fraction, rest) = match rest.strip_prefix('.') {
        Some(rest) => (digits(rest), &rest[digits(rest)..]),
        None => (0, rest),
    };
    if whole + fraction == 0 {
        return Ok(None);
    }
    if let Some(exponent) = rest.strip_prefix(['e', 'E']) {
        let exponent = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
        if exponent.is_empty() || digits(exponent) != exponent.len() {
            return Ok(None);
        }
    } else if !rest.is_empty() {
        return Ok(None);
    }
    number(text)
}

/// Returns the number that a text spells as a value, never `Ok(None)`; fails if its exponent is too large.
fn number(text: &str) -> Result<Option<Value>, String> {
    match Number::parse(text) {
        Some(number) => Ok(Some(number.into())),
        None => Err(format!("the exponent of {text} is too large")),
    }
}
