//! Formatting of one argument by one directive. The width of strings is in grapheme clusters; whole numbers and fractions treat
//! the zero flag differently beside a minus flag.

use groma_value::grapheme::{self, UnicodeVersion};
use groma_value::{Number, Type, Value, convert, json};

use super::directive::FormatDirective;

/// The settings of formatting that do not come from the directive: the Unicode version and the maximum width.
#[derive(Clone, Copy)]
pub(super) struct RenderSettings {
    pub(super) unicode: UnicodeVersion,
    /// Maximum width and precision.
    pub(super) widest: usize,
}

/// Returns a known value as its directive prints it; the error is a message in lower case.
pub(super) fn render(
    directive: &FormatDirective<'_>,
    value: &Value,
    setting: RenderSettings,
) -> Result<String, String> {
    let widest = directive.width.max(directive.precision.unwrap_or(0));
    if widest > setting.widest {
        return Err(format!("a width or precision above {} is refused", setting.widest));
    }
    match directive.letter {
        'v' if directive.flags.sharp => Ok(pad(directive, &encoded(value)?, setting)),
        'v' => general(directive, value, setting),
        't' => Ok(boolean(value)?.to_string()),
        's' => Ok(pad(directive, &cut(directive, &text(value)?, setting), setting)),
        'q' => {
            let quoted = encoded(&Value::from(cut(directive, &text(value)?, setting)))?;
            Ok(pad(directive, &quoted, setting))
        }
        'b' | 'd' | 'o' | 'x' | 'X' => whole(directive, &number(value)?),
        _ => Ok(fraction(directive, &number(value)?)),
    }
}

/// Converts an argument to the type that its directive requires; the error is a message in lower case.
fn to(value: &Value, ty: &Type) -> Result<Value, String> {
    if value.is_null() {
        return Err("it is null".to_owned());
    }
    convert(value, ty).map_err(|mismatch| mismatch.message)
}

/// Returns an argument converted to a string; the error is a message in lower case.
fn text(value: &Value) -> Result<String, String> {
    match to(value, &Type::String)?.bare() {
        Value::String(text) => Ok(text.to_string()),
        _ => Err("text is required".to_owned()),
    }
}

/// Returns an argument converted to a number; the error is a message in lower case.
fn number(value: &Value) -> Result<Number, String> {
    let number = to(value, &Type::Number)?.bare().as_number();
    number.ok_or_else(|| "a number is required".to_owned())
}

/// Returns an argument converted to a bool; the error is a message in lower case.
fn boolean(value: &Value) -> Result<bool, String> {
    match to(value, &Type::Bool)?.bare() {
        Value::Bool(value) => Ok(*value),
        _ => Err("a bool is required".to_owned()),
    }
}

/// Returns the JSON text of a value; the error is a message in lower case.
fn encoded(value: &Value) -> Result<String, String> {
    json::encode(value).map_err(|mismatch| mismatch.message)
}

/// Returns an argument in its default form, as `%v` prints it.
fn general(
    directive: &FormatDirective<'_>,
    value: &Value,
    setting: RenderSettings,
) -> Result<String, String> {
    let text = match value.bare() {
        Value::String(text) => text.to_string(),
        known if let Some(number) = known.as_number() => number.to_text_general(None),
        Value::Bool(value) => value.to_string(),
        Value::Null(_) => "null".to_owned(),
        _ => encoded(value)?,
    };
    Ok(pad(directive, &text, setting))
}

/// Returns the text cut to the directive's precision in grapheme clusters; whole if that is missing or 0.
fn cut(directive: &FormatDirective<'_>, text: &str, setting: RenderSettings) -> String {
    match directive.precision {
        None | Some(0) => text.to_owned(),
        Some(most) => grapheme::graphemes(text, setting.unicode).take(most).collect(),
    }
}

/// Returns a text padded to the directive's width with spaces or zeros.
fn pad(directive: &FormatDirective<'_>, text: &str, setting: RenderSettings) -> String {
    let missing = match directive.width {
        0 => 0,
        width => width.saturating_sub(grapheme::count(text, setting.unicode)),
    };
    let filling = if directive.flags.zero { "0" } else { " " }.repeat(missing);
    if directive.flags.minus { format!("{text}{filling}") } else { format!("{filling}{text}") }
}

/// Returns a whole number as a directive such as `%d` or `%x` prints it; the error is a message in lower case.
fn whole(directive: &FormatDirective<'_>, number: &Number) -> Result<String, String> {
    let radix = match directive.letter {
        'b' => 2,
        'o' => 8,
        'x' | 'X' => 16,
        _ => 10,
    };
    let Some(digits) = number.to_text_radix(radix) else {
        return Err("a whole number is required".to_owned());
    };
    let flags = directive.flags;
    let (sign, digits) = match digits.strip_prefix('-') {
        Some(digits) => ("-", digits),
        None if flags.plus => ("+", digits.as_str()),
        None if flags.space => (" ", digits.as_str()),
        None => ("", digits.as_str()),
    };
    if directive.precision == Some(0) && digits == "0" {
        return Ok(String::new());
    }
    let upper = directive.letter == 'X';
    let digits = if upper { digits.to_ascii_uppercase() } else { digits.to_owned() };
    let prefix = match (flags.sharp, directive.letter) {
        (true, 'b') => "0b",
        (true, 'o') => "0",
        (true, 'x') => "0x",
        (true, 'X') => "0X",
        _ => "",
    };
    let mut zeros = directive.precision.unwrap_or(0).saturating_sub(digits.len());
    let missing = directive.width.saturating_sub(sign.len() + prefix.len() + zeros + digits.len());
    let (mut left, mut right) = (0, 0);
    match (flags.minus, flags.zero && directive.precision.is_none()) {
        (true, _) => right = missing,
        (false, true) => zeros += missing,
        (false, false) => left = missing,
    }
    Ok(format!(
        "{}{sign}{prefix}{}{digits}{}",
        " ".repeat(left),
        "0".repeat(zeros),
        " ".repeat(right)
    ))
}

/// Returns a number as a directive such as `%f` or `%e` prints it.
fn fraction(directive: &FormatDirective<'_>, number: &Number) -> String {
    let precision = directive.precision;
    let digits = match directive.letter {
        'f' => number.to_text_fixed(Some(precision.unwrap_or(6))),
        'e' | 'E' => number.to_text_exponent(Some(precision.unwrap_or(6))),
        _ => number.to_text_general(precision),
    };
    let digits = match directive.letter {
        'E' | 'G' => digits.replace('e', "E"),
        _ => digits,
    };
    let flags = directive.flags;
    let (sign, digits) = match (digits.strip_prefix('-'), digits.strip_prefix('+')) {
        (Some(digits), _) => ("-", digits),
        // The text of positive infinity has a sign already.
        (_, Some(digits)) => (if flags.space { " " } else { "+" }, digits),
        _ if flags.plus => ("+", digits.as_str()),
        _ if flags.space => (" ", digits.as_str()),
        _ => ("", digits.as_str()),
    };
    let missing = directive.width.saturating_sub(sign.len() + digits.len());
    if flags.zero && !number.is_infinite() {
        return format!("{sign}{}{digits}", "0".repeat(missing));
    }
    let blanks = " ".repeat(missing);
    if flags.minus { format!("{sign}{digits}{blanks}") } else { format!("{blanks}{sign}{digits}") }
}
