//! JSON strings: what they stand for.

use std::borrow::Cow;

/// What the text between the quotes stands for. Wrong escapes stay as they are.
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

/// Reads the escape that `text` starts with: how many bytes belong to it and what it stands for, if anything. Half of
/// a surrogate pair stands for U+FFFD, as in the references.
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
    use super::decode;

    #[test]
    fn escapes() {
        assert_eq!(decode("plain"), "plain");
        assert_eq!(decode(r#"a\n\"\\\/\u00e9"#), "a\n\"\\/é");
        assert_eq!(decode(r"\ud83d\ude00|\ud83d|\udc00x"), "😀|\u{fffd}|\u{fffd}x");
        assert_eq!(decode(r"\q\u12"), r"\q\u12");
    }
}
