//! Detects whether console input is complete or continues on the next line, by tracking open brackets, quotes, heredocs and
//! comments. Malformed input counts as complete, so that it is evaluated and reported.

/// Maximum nesting of brackets, quotes and heredocs in console input; deeper input counts as broken, and so as complete.
const MAX_DEPTH: usize = 10_000;

/// The brackets, quotes and heredocs that are open after the lines fed so far. Each line is scanned once, however many are
/// joined.
#[derive(Clone, Default, Debug)]
pub(crate) struct OpenInput {
    stack: Vec<OpenFrame>,
    /// True after a closing bracket that nothing opened, which no further line can repair.
    broken: bool,
    /// True if the last line ended in a line comment.
    remark: bool,
}

/// An open bracket, quote, heredoc or comment, in which the next characters lie.
#[derive(Clone, PartialEq, Debug)]
enum OpenFrame {
    /// A bracket that is closed by this byte.
    Bracket(u8),
    /// Inside `${ }` or `%{ }`.
    Interpolation,
    /// A quoted string.
    Quote,
    /// A heredoc that ends at this marker.
    Heredoc(String),
    /// A block comment.
    Comment,
}

/// Returns true if a text is complete input: nothing is open at its end.
pub(crate) fn is_whole(text: &str) -> bool {
    let mut open = OpenInput::default();
    text.split('\n').for_each(|line| open.feed(line));
    !open.is_incomplete()
}

/// Splits a text of several lines into complete inputs.
pub(crate) fn inputs(text: &str) -> Vec<&str> {
    let mut inputs = Vec::new();
    let mut open = OpenInput::default();
    let mut start = 0;
    let mut end = 0;
    for line in text.split('\n') {
        open.feed(line);
        end += line.len();
        if !open.is_incomplete() {
            inputs.push(&text[start..end]);
            start = end + 1;
            open = OpenInput::default();
        }
        end += 1;
    }
    if start < text.len() {
        inputs.push(&text[start..]);
    }
    inputs
}

impl OpenInput {
    /// Returns true if the input continues on the next line.
    pub(crate) fn is_incomplete(&self) -> bool {
        !self.broken && !self.stack.is_empty()
    }

    /// Returns true if the text so far ends inside literal text or a comment, where names are not completed.
    pub(crate) fn in_text(&self) -> bool {
        self.remark
            || matches!(
                self.stack.last(),
                Some(OpenFrame::Quote | OpenFrame::Heredoc(_) | OpenFrame::Comment)
            )
    }

    /// Scans one line of console input, given without its newline, and records what it opens and closes.
    pub(crate) fn feed(&mut self, line: &str) {
        let line = line.strip_suffix('\r').unwrap_or(line);
        self.remark = false;
        if let Some(OpenFrame::Heredoc(marker)) = self.stack.last()
            && line.trim() == marker
        {
            self.stack.pop();
            return;
        }
        let bytes = line.as_bytes();
        let mut at = 0;
        while at < bytes.len() {
            // Deeper nesting is refused by the parser, which reports it.
            self.broken |= self.stack.len() > MAX_DEPTH;
            if self.broken {
                return;
            }
            at += match self.stack.last() {
                Some(OpenFrame::Quote) => self.quoted(&bytes[at..]),
                Some(OpenFrame::Heredoc(_)) => self.template(&bytes[at..]),
                Some(OpenFrame::Comment) => self.comment(&bytes[at..]),
                _ => match self.code(&line[at..]) {
                    Some(taken) => taken,
                    None => return,
                },
            };
        }
    }

    /// Scans the next character or delimiter of code and returns its length in bytes; `None` if nothing that follows in the line
    /// can open or close anything, as in a comment.
    fn code(&mut self, rest: &str) -> Option<usize> {
        let bytes = rest.as_bytes();
        match bytes {
            [b'#', ..] | [b'/', b'/', ..] => {
                self.remark = true;
                return None;
            }
            [b'/', b'*', ..] => {
                self.stack.push(OpenFrame::Comment);
                return Some(2);
            }
            [b'<', b'<', ..] => {
                if let Some(marker) = marker(&rest[2..]) {
                    self.stack.push(OpenFrame::Heredoc(marker.to_string()));
                    return None;
                }
                return Some(2);
            }
            [b'"', ..] => self.stack.push(OpenFrame::Quote),
            [b'(', ..] => self.stack.push(OpenFrame::Bracket(b')')),
            [b'[', ..] => self.stack.push(OpenFrame::Bracket(b']')),
            [b'{', ..] => self.stack.push(OpenFrame::Bracket(b'}')),
            [closing @ (b')' | b']' | b'}'), ..] => {
                let wanted = match self.stack.pop() {
                    Some(OpenFrame::Bracket(wanted)) => Some(wanted),
                    Some(OpenFrame::Interpolation) => Some(b'}'),
                    _ => None,
                };
                self.broken |= wanted != Some(*closing);
            }
            _ => {}
        }
        Some(rest.chars().next().map_or(1, char::len_utf8))
    }

    /// Scans the next character or delimiter inside a quoted string and returns its length in bytes.
    fn quoted(&mut self, bytes: &[u8]) -> usize {
        match bytes {
            [b'\\', _, ..] => 2,
            [b'"', ..] => {
                self.stack.pop();
                1
            }
            _ => self.template(bytes),
        }
    }

    /// Scans the next byte of template text, or the start or escape of an interpolation, and returns its length in bytes.
    fn template(&mut self, bytes: &[u8]) -> usize {
        match bytes {
            [b'$', b'$', b'{', ..] | [b'%', b'%', b'{', ..] => 3,
            [b'$' | b'%', b'{', ..] => {
                self.stack.push(OpenFrame::Interpolation);
                2
            }
            _ => 1,
        }
    }

    /// Scans the next byte of a block comment, or its end, and returns the length in bytes.
    fn comment(&mut self, bytes: &[u8]) -> usize {
        if let [b'*', b'/', ..] = bytes {
            self.stack.pop();
            return 2;
        }
        1
    }
}

/// Returns the marker of the heredoc that `<<` before `rest` begins; `None` unless the rest of the line is a marker alone.
fn marker(rest: &str) -> Option<&str> {
    let name = rest.strip_prefix('-').unwrap_or(rest);
    let starts = name.chars().next().is_some_and(|first| first.is_alphabetic() || first == '_');
    let goes_on = name.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '-');
    (starts && goes_on).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::{OpenInput, inputs, is_whole};

    /// Checks texts that are complete input.
    #[test]
    fn whole() {
        for text in [
            "1 + 1",
            "[1, 2]",
            "\"a[\"",
            "\"${a[\"}\"]}\"",
            "a # [",
            "a // (",
            "/* ( */ 1",
            "\"$${\"",
            "\"\\\"\"",
            "<<EOT\na (\nEOT",
            "<<-EOT\n  ${\"x\"}\n  EOT",
            "[\n1\n]",
            "{\n a = <<X\n\"\nX\n}",
            "f(<<X\n$${\nX\n)",
            "a )",
            "(]",
            "<<EOT x",
            "1 << 2",
            "[<<A\n${<<B\n(\nB\n}\nA\n]",
        ] {
            assert!(is_whole(text), "{text}");
        }
    }

    /// Checks texts that continue on the next line.
    #[test]
    fn unfinished() {
        for text in [
            "[",
            "f(1,",
            "{ a = 1",
            "\"abc",
            "\"${",
            "\"${a",
            "<<EOT",
            "<<EOT\na",
            "[\n\"]\"",
            "/* a",
            "f(<<X\n)\nX",
            "\"a\\\"",
            "<<A\n${1 +\nA",
            "[<<EOT\nEOT,",
        ] {
            assert!(!is_whole(text), "{text}");
        }
    }

    /// Checks the split of several lines into inputs.
    #[test]
    fn pasted_lines_are_inputs_of_their_own() {
        assert_eq!(inputs("1\n[\n2\n]\n3"), ["1", "[\n2\n]", "3"]);
        assert_eq!(inputs("(\n1"), ["(\n1"]);
        assert_eq!(inputs("1\n"), ["1", ""]);
        assert_eq!(inputs(""), [""]);
    }

    /// Checks which texts end inside literal text.
    #[test]
    fn text_is_told_from_code() {
        let in_text = |text: &str| {
            let mut open = OpenInput::default();
            open.feed(text);
            open.in_text()
        };
        assert!(in_text("upper(\"va"));
        assert!(!in_text("upper(\"${va"));
        assert!(in_text("<<EOT"));
        assert!(!in_text("upper(va"));
    }
}
