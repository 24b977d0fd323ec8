//! Decoding of JSON strings: their content and its offsets in the source.

use std::borrow::Cow;

/// Returns the content of a JSON string, given without its quotes, with escapes decoded. Invalid escapes are kept as written.
pub(super) fn decode(text: &str) -> Cow<'_, str> {
    if !text.contains('\\') {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        out.push_str(&rest[..at]);
        let (length, found) = escape(&rest[at..]);
        match found {
            Some(c) => out.push(c),
            None => out.push_str(&rest[at..at + length]),
        }
        rest = &rest[at + length..];
    }
    out.push_str(rest);
    Cow::Owned(out)
}

/// Returns the offset in the JSON string `text` of the byte `at` of its decoded content.
pub(super) fn written_at(text: &str, at: usize) -> usize {
    let (mut written, mut read) = (0, 0);
    while read < at && written < text.len() {
        let rest = &text[written..];
        match rest.find('\\') {
            Some(0) => {
                let (length, found) = escape(rest);
                written += length;
                read += found.map_or(length, char::len_utf8);
            }
            next => {
                let step = next.unwrap_or(rest.len()).min(at - read);
                written += step;
                read += step;
            }
        }
    }
    written
}

/// Decodes the JSON escape at the start of `text`: returns its length in bytes, and its character or `None` if it is invalid. An
/// unpaired surrogate becomes U+FFFD, as in the reference programs.
pub(super) fn escape(text: &str) -> (usize, Option<char>) {
    let found = match text.as_bytes().get(1) {
        Some(b'"') => '"',
        Some(b'\\') => '\\',
        Some(b'/') => '/',
        Some(b'b') => '\u{8}',
        Some(b'f') => '\u{c}',
        Some(b'n') => '\n',
        Some(b'r') => '\r',
        Some(b't') => '\t',
        Some(b'u') => return unicode(text),
        _ => {
            let next = text[1..].chars().next();
            return (1 + next.map_or(0, char::len_utf8), None);
        }
    };
    (2, Some(found))
}

/// Decodes the `\u` escape at the start of `text`, including a surrogate pair: returns its length in bytes, and its character or
/// `None` if it is invalid.
fn unicode(text: &str) -> (usize, Option<char>) {
    let unit = |at: usize| {
        let digits = text.get(at..at + 4).filter(|d| d.bytes().all(|b| b.is_ascii_hexdigit()));
        digits.and_then(|digits| u32::from_str_radix(digits, 16).ok())
    };
    let Some(high) = unit(2) else { return (2, None) };
    if let 0xd800..0xdc00 = high
        && text.get(6..8) == Some("\\u")
        && let Some(low @ 0xdc00..0xe000) = unit(8)
    {
        let code = 0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00);
        return (12, char::from_u32(code));
    }
    (6, Some(char::from_u32(high).unwrap_or('\u{fffd}')))
}

#[cfg(test)]
mod tests {
    use super::{decode, written_at};

    #[test]
    fn places_before_and_behind_escapes() {
        let text = r#"a\"b\u00e9c\ud83d\ude00d"#;
        let read = decode(text);
        for name in ["a", "b", "c", "d"] {
            let at = read.find(name).expect("it is there");
            assert_eq!(&text[written_at(text, at)..][..1], name);
        }
        assert_eq!(written_at(text, read.len()), text.len());
    }

    #[test]
    fn escapes() {
        assert_eq!(decode("plain"), "plain");
        assert_eq!(decode(r#"a\n\"\\\/\u00e9"#), "a\n\"\\/é");
        assert_eq!(decode(r"\ud83d\ude00|\ud83d|\udc00x"), "😀|\u{fffd}|\u{fffd}x");
        assert_eq!(decode(r"\q\u12"), r"\q\u12");
    }
}
