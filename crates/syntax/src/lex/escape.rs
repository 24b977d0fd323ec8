//! Escapes in literal text: decoding, and the spans of invalid ones. A doubled `$` or `%` is an escape only directly before a
//! brace.

use std::borrow::Cow;

use crate::span::Span;

/// Returns the content of a quoted string, given without its quotes, unescaped. Invalid escapes are kept as written.
pub(crate) fn quoted(text: &str) -> Cow<'_, str> {
    decode(text, true)
}

/// Returns the text of a heredoc or template file with `$${` and `%%{` unescaped; backslashes are literal there.
pub(crate) fn bare(text: &str) -> Cow<'_, str> {
    decode(text, false)
}

/// Unescapes literal text: `$${` and `%%{`, and also backslash escapes if `backslashes` is true.
fn decode(text: &str, backslashes: bool) -> Cow<'_, str> {
    let bytes = text.as_bytes();
    let special = |byte: u8| (backslashes && byte == b'\\') || byte == b'{';
    if !bytes.iter().copied().any(special) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let (mut at, mut copied) = (0, 0);
    while at < bytes.len() {
        match bytes[at] {
            b'\\' if backslashes => {
                let (len, found) = read(&text[at..]);
                if let Some(found) = found {
                    out.push_str(&text[copied..at]);
                    out.push(found);
                    copied = at + len;
                }
                at += len;
            }
            sign @ (b'$' | b'%') if bytes[at + 1..].starts_with(&[sign, b'{']) => {
                out.push_str(&text[copied..at]);
                copied = at + 1;
                at += 3;
            }
            _ => at += 1,
        }
    }
    if copied == 0 {
        return Cow::Borrowed(text);
    }
    out.push_str(&text[copied..]);
    Cow::Owned(out)
}

/// Decodes the backslash escape at the start of `text`: returns its length in bytes, and its character or `None` if it is
/// invalid. The length is at least one and ends on a character boundary.
fn read(text: &str) -> (usize, Option<char>) {
    let digits = |count: usize| {
        let hex = text[2..].bytes().take(count).take_while(u8::is_ascii_hexdigit).count();
        let code = u32::from_str_radix(&text[2..2 + hex], 16).ok().filter(|_| hex == count);
        (2 + hex, code.and_then(char::from_u32))
    };
    match text[1..].chars().next() {
        Some('n') => (2, Some('\n')),
        Some('r') => (2, Some('\r')),
        Some('t') => (2, Some('\t')),
        Some('"') => (2, Some('"')),
        Some('\\') => (2, Some('\\')),
        Some('u') => digits(4),
        Some('U') => digits(8),
        Some('\n' | '\r') | None => (1, None),
        Some(other) => (1 + other.len_utf8(), None),
    }
}

/// Iterates over the spans of the invalid escapes in the content of a quoted string, which starts at the offset `base`.
pub(crate) fn wrong(text: &str, base: u32) -> impl Iterator<Item = Span> {
    let mut at = 0;
    std::iter::from_fn(move || {
        loop {
            at += text.get(at..)?.find('\\')?;
            let (len, found) = read(&text[at..]);
            let span = Span::new(base + at as u32, base + (at + len) as u32);
            at += len;
            if found.is_none() {
                return Some(span);
            }
        }
    })
}
