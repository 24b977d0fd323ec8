//! Parser of format strings: literal text and directives. An argument's number in brackets stands directly before the letter,
//! after width and precision.

/// A piece of a format string: literal text or a directive such as `%s`.
#[derive(Debug, PartialEq)]
pub(super) enum FormatPiece<'f> {
    /// Literal text.
    Literal(&'f str),
    /// A directive that formats an argument.
    Directive(FormatDirective<'f>),
}

/// A format directive such as `%-5.2f`: `%`, flags, width, precision, argument number, letter.
#[derive(Debug, PartialEq)]
pub(super) struct FormatDirective<'f> {
    /// The directive as written, for messages.
    pub(super) text: &'f str,
    pub(super) flags: FormatFlags,
    /// The minimum width, for strings in grapheme clusters.
    pub(super) width: usize,
    pub(super) precision: Option<usize>,
    /// The argument's number, from 1; `None` for the next one.
    pub(super) number: Option<usize>,
    pub(super) letter: char,
}

/// The flags of a directive between `%` and the width, such as `-`.
#[derive(Clone, Copy, Default, Debug, PartialEq)]
pub(super) struct FormatFlags {
    pub(super) zero: bool,
    pub(super) minus: bool,
    pub(super) plus: bool,
    pub(super) space: bool,
    pub(super) sharp: bool,
}

/// The letters with which a format directive may end.
const LETTERS: &str = "vtbdoxXeEfgGsq";

/// Splits a format string into literal text and directives; the error is a sentence about the first invalid directive.
pub(super) fn scan(format: &str) -> Result<Vec<FormatPiece<'_>>, String> {
    let mut pieces = Vec::new();
    let mut rest = format;
    while let Some(at) = rest.find('%') {
        if at > 0 {
            pieces.push(FormatPiece::Literal(&rest[..at]));
        }
        let after = &rest[at + 1..];
        if let Some(behind) = after.strip_prefix('%') {
            pieces.push(FormatPiece::Literal("%"));
            rest = behind;
            continue;
        }
        let (directive, length) = directive(&rest[at..])?;
        pieces.push(FormatPiece::Directive(directive));
        rest = &rest[at + length..];
    }
    if !rest.is_empty() {
        pieces.push(FormatPiece::Literal(rest));
    }
    Ok(pieces)
}

/// Parses the directive at the start of a text; returns it and its length in bytes. The error is a sentence.
fn directive(text: &str) -> Result<(FormatDirective<'_>, usize), String> {
    let mut at = 1;
    let mut flags = FormatFlags::default();
    loop {
        let flag = match text.as_bytes().get(at) {
            Some(b'0') => &mut flags.zero,
            Some(b'-') => &mut flags.minus,
            Some(b'+') => &mut flags.plus,
            Some(b' ') => &mut flags.space,
            Some(b'#') => &mut flags.sharp,
            _ => break,
        };
        *flag = true;
        at += 1;
    }
    let width = number(text, &mut at);
    let precision = text[at..].starts_with('.').then(|| {
        at += 1;
        number(text, &mut at)
    });
    let mut argument = None;
    if text[at..].starts_with('[') {
        at += 1;
        let start = at;
        let value = number(text, &mut at);
        let closed = text[at..].starts_with(']');
        if start == at || text[start..].starts_with('0') || !closed {
            let message = "`[` has to be followed by the number of an argument, counted from 1, `]`, and the letter";
            return Err(format!("In {:?}: {message}.", shown(text, at)));
        }
        at += 1;
        argument = Some(value);
    }
    let Some(letter) = text[at..].chars().next() else {
        return Err(format!("{text:?} at its end has no letter; write `%%` for a percent sign."));
    };
    if !LETTERS.contains(letter) {
        let message = "after `%` comes one of the letters v t b d o x X e E f g G s q";
        return Err(format!(
            "{:?} is not a directive: {message}; `%%` is a percent sign.",
            shown(text, at)
        ));
    }
    let end = at + letter.len_utf8();
    let directive =
        FormatDirective { text: &text[..end], flags, width, precision, number: argument, letter };
    Ok((directive, end))
}

/// Returns the text of a directive up to and including the character at `at`, for messages.
fn shown(text: &str, at: usize) -> &str {
    let end = text[at..].chars().next().map_or(at, |c| at + c.len_utf8());
    &text[..end]
}

/// Parses decimal digits at the offset `at`, which is advanced over them; 0 without digits, the maximum for too many.
fn number(text: &str, at: &mut usize) -> usize {
    let mut value = 0usize;
    while let Some(digit) = text.as_bytes().get(*at).filter(|b| b.is_ascii_digit()) {
        value = value.saturating_mul(10).saturating_add(usize::from(digit - b'0'));
        *at += 1;
    }
    value
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Tests the splitting of format strings into texts and directives.
    #[test]
    fn splits() {
        let pieces = scan("a%%%-05.2[3]f!").expect("a good format");
        assert_eq!(pieces.len(), 4);
        let FormatPiece::Directive(directive) = &pieces[2] else { panic!("{pieces:?}") };
        assert_eq!(directive.text, "%-05.2[3]f");
        assert_eq!((directive.width, directive.precision, directive.number), (5, Some(2), Some(3)));
        for bad in
            ["%", "%5%", "%c", "%[0]d", "%[01]d", "%[]d", "%[1d", "%[1]5d", "%é", "% %", "%*d"]
        {
            assert!(scan(bad).is_err(), "{bad}");
        }
    }
}
