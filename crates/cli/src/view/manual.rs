//! Manual pages as text: headings at the left margin and indented text, as `man` shows them. Only the roff requests that the
//! generated pages contain are supported.

use super::wrap::{fill, usable_width};

/// Indentation of a manual page's text, in columns.
const TEXT_INDENT: usize = 4;
/// Indentation of a manual page's list items, in columns.
const ITEM_INDENT: usize = 8;

/// Converts the roff source of a manual page to text, wrapped to `width` columns.
pub(crate) fn text(source: &str, width: usize) -> String {
    let width = usable_width(width);
    let mut out = String::new();
    let mut is_head = false;
    let mut set_in = TEXT_INDENT;
    for line in source.lines() {
        let (request, rest) = match line.strip_prefix('.') {
            Some(line) => line.split_once(' ').unwrap_or((line, "")),
            None => ("", line),
        };
        match request {
            "SH" => {
                let apart = if out.is_empty() { "" } else { "\n" };
                out.push_str(&format!("{apart}{}\n", plain(rest.trim_matches('"'))));
                set_in = TEXT_INDENT;
            }
            "TP" => (is_head, set_in) = (true, ITEM_INDENT),
            "PP" | "P" | "LP" | "sp" => {
                if !out.ends_with("\n\n") {
                    out.push('\n');
                }
                set_in = if request == "sp" { set_in } else { TEXT_INDENT };
            }
            "" if rest.trim().is_empty() => {}
            "" => {
                let depth = if std::mem::take(&mut is_head) { TEXT_INDENT } else { set_in };
                let line = format!("{:depth$}{}", "", plain(rest).trim());
                fill(
                    &line,
                    if depth == TEXT_INDENT { ITEM_INDENT } else { depth },
                    width,
                    &mut out,
                );
                out.push('\n');
            }
            // The page's title, and requests that matter only in print.
            _ => {}
        }
    }
    out
}

/// Returns a line of a manual page's roff source with each escape replaced by the character that it stands for, or by nothing.
fn plain(line: &str) -> String {
    let mut out = String::new();
    let mut rest = line;
    while let Some(at) = rest.find('\\') {
        out.push_str(&rest[..at]);
        let escape = &rest[at + 1..];
        let (text, length) = match escape.as_bytes() {
            [b'f', ..] => ("", 2),
            [b'*', b'(', b'A', b'q', ..] => ("'", 4),
            [b'(', b'a', b'q', ..] => ("'", 3),
            [b'&', ..] => ("", 1),
            [b'\\' | b'e', ..] => ("\\", 1),
            [b'-', ..] => ("-", 1),
            _ => ("", 0),
        };
        out.push_str(text);
        rest = escape.get(length..).unwrap_or_default();
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests {
    use super::text;

    /// Checks the conversion of roff source to text.
    #[test]
    fn requests_become_lines() {
        let page = ".ie \\n(.g .ds Aq \\(aq\n.TH groma 1\n.SH NAME\ngroma\\-x \\- one\n.SH OPTIONS\n.TP\n\\fB\\-\\-a\\fR \\fI<B>\\fR\nIt\\*(Aqs said\n";
        assert_eq!(
            text(page, 80),
            "NAME\n    groma-x - one\n\nOPTIONS\n    --a <B>\n        It's said\n"
        );
    }
}
