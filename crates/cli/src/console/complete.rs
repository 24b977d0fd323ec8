//! Completion at the console: computes candidates from the text before the cursor and a source of names. Names are offered only
//! where a name can stand, never inside literal text or a comment.

use super::line::OpenInput;

/// A source of the names that the console offers for completion: references, attributes and functions.
pub(crate) trait NameSource {
    /// Returns the names that can start a reference, such as `var`, `local` and resource types.
    fn roots(&self) -> Vec<String>;
    /// Returns the names that can follow `reference.`; empty if the source knows nothing of that reference.
    fn members(&self, reference: &str) -> Vec<String>;
    /// Returns the names of all functions.
    fn functions(&self) -> Vec<String>;
}

/// The console's own commands, which begin with a colon.
pub(crate) const COMMANDS: &[&str] =
    &[":doc ", ":help", ":in ", ":quit", ":reload", ":set ", ":trace ", ":type ", ":why "];

/// Returns the byte offset at which the word before `position` starts, and the sorted words that may complete it.
pub(crate) fn complete(
    line: &str,
    position: usize,
    known: &dyn NameSource,
) -> (usize, Vec<String>) {
    let before = line.get(..position).unwrap_or(line);
    if before.starts_with(':') && !before.contains(' ') {
        let found = COMMANDS.iter().filter(|name| name.starts_with(before));
        return (0, found.map(ToString::to_string).collect());
    }
    let mut open = OpenInput::default();
    before.split('\n').for_each(|part| open.feed(part));
    if open.in_text() {
        return (before.len(), Vec::new());
    }
    let start = word_start(before);
    let (head, word) = before.split_at(start);
    let mut found: Vec<String> = match head.strip_suffix('.') {
        Some(head) => known.members(reference_before(head)),
        None if word.is_empty() => known.roots(),
        None => {
            let functions = known.functions().into_iter().map(|name| name + "(");
            known.roots().into_iter().chain(functions).collect()
        }
    };
    found.retain(|name| name.starts_with(word));
    found.sort_unstable();
    found.dedup();
    (start, found)
}

/// Returns true if a character can be part of a name.
fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '-'
}

/// Returns the byte offset at which the last word of a text starts.
fn word_start(text: &str) -> usize {
    text.trim_end_matches(|c| is_word(c) || c == ':').len()
}

/// Returns the reference at the end of a text: names, dots and bracketed keys. Empty if the text ends in anything else, such as
/// a call, which completion does not evaluate.
fn reference_before(text: &str) -> &str {
    let mut start = text.len();
    loop {
        let rest = &text[..start];
        let shorter = if rest.ends_with(']') {
            match rest.rfind('[') {
                Some(open) if open > 0 => open,
                _ => return "",
            }
        } else {
            rest.trim_end_matches(is_word).len()
        };
        if shorter == start {
            return "";
        }
        start = shorter;
        match text[..start].chars().next_back() {
            Some('.') => start -= 1,
            Some(']') => {}
            Some(c) if is_word(c) => {}
            _ if text[start..].starts_with('[') => return "",
            _ => return &text[start..],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{NameSource, complete};

    /// A source of a few fixed names.
    struct FewNames;

    impl NameSource for FewNames {
        fn roots(&self) -> Vec<String> {
            ["var", "local", "path"].map(String::from).into()
        }
        fn members(&self, reference: &str) -> Vec<String> {
            let names: &[&str] = match reference {
                "var" => &["region", "name", "names"],
                "local.list[0]" => &["id"],
                "local.map[\"a\"].b" => &["c"],
                _ => &[],
            };
            names.iter().map(ToString::to_string).collect()
        }
        fn functions(&self) -> Vec<String> {
            ["lower", "length", "upper"].map(String::from).into()
        }
    }

    /// Completes a text with the cursor at its end.
    fn at(text: &str) -> (usize, Vec<String>) {
        complete(text, text.len(), &FewNames)
    }

    /// Checks completion of a reference's first name and of functions.
    #[test]
    fn roots_and_functions() {
        assert_eq!(at("1 + l"), (4, vec!["length(".into(), "local".into(), "lower(".into()]));
        assert_eq!(at("[").1, ["local", "path", "var"]);
    }

    /// Checks completion after a dot.
    #[test]
    fn members() {
        assert_eq!(at("upper(var.na"), (10, vec!["name".into(), "names".into()]));
        assert_eq!(at("var.").1, ["name", "names", "region"]);
        assert_eq!(at("local.list[0].").1, ["id"]);
        assert_eq!(at("local.map[\"a\"].b.").1, ["c"]);
        assert!(at("f(x).").1.is_empty());
        assert!(at("[1].").1.is_empty());
        assert!(at(".").1.is_empty());
    }

    /// Checks that nothing is completed in literal text or comments.
    #[test]
    fn not_inside_text() {
        assert!(at("\"var.").1.is_empty());
        assert!(at("var # v").1.is_empty());
        assert_eq!(at("\"${var.r").1, ["region"]);
    }

    /// Checks completion of console commands and their operands.
    #[test]
    fn commands() {
        assert_eq!(at(":t"), (0, vec![":trace ".into(), ":type ".into()]));
        assert_eq!(at(":why var.r"), (9, vec!["region".into()]));
    }

    /// Checks that odd texts and positions cause no panic.
    #[test]
    fn nothing_breaks_it() {
        for text in ["é", "]", "[", "].", "a[", "a].", "é.é", "((.", "a..", "\u{1F600}."] {
            for position in 0..=text.len() + 1 {
                let _ = complete(text, position, &FewNames);
            }
        }
    }
}
