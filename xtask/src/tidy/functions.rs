//! Rule for the length of functions. The layout of the formatter is relied upon: a function ends at the first brace with its own
//! indentation.

use super::finding::Finding;
use super::tree::{Tree, generated};

/// Maximum number of lines of a function, from `fn` to its closing brace.
const LIMIT: usize = 80;

/// Functions that may be longer, with their files and the reason.
const LONGER: &[(&str, &str, &str)] = &[
    (
        "crates/review/src/text/node.rs",
        "value",
        "one `match` over the forms of a compared value, a few lines each",
    ),
    (
        "crates/groma/src/workspace.rs",
        "root_for",
        "one line over: the steps from the last snapshot of a root to the next, whose order matters",
    ),
];

/// Reports functions of more than [`LIMIT`] lines, outside of tests. A table is exempt: a function whose body is one literal of a
/// struct or an array.
pub(super) fn are_short(tree: &Tree, out: &mut Vec<Finding>) {
    for (path, text) in
        tree.ending("rs").filter(|(path, _)| !generated(path) && !path.contains("/tests/"))
    {
        let lines: Vec<&str> = text.lines().collect();
        for (at, line) in lines.iter().enumerate() {
            let Some(name) = function_name(line) else { continue };
            let Some(whole) = function(&lines[at..]) else { continue };
            let is_listed =
                LONGER.iter().any(|(file, function, _)| (*file, *function) == (path, name));
            if whole.len() > LIMIT && !is_table(whole) && !is_listed {
                let says = format!(
                    "`{name}` has {} lines, {LIMIT} are the limit: cut it into phases, each named for what it yields",
                    whole.len()
                );
                out.push(Finding::new(path, at + 1, says));
            }
        }
    }
}

/// Returns the name of the function whose signature begins on a line; `None` for another line.
fn function_name(line: &str) -> Option<&str> {
    /// The keywords that may precede `fn`.
    const BEFORE: [&str; 5] = ["pub", "const", "async", "unsafe", "extern"];
    let (before, after) = match line.trim_start().strip_prefix("fn ") {
        Some(after) => ("", after),
        None => line.split_once(" fn ")?,
    };
    let is_word = |word: &str| BEFORE.iter().any(|known| word.starts_with(known));
    let end = after.find(|c: char| !c.is_alphanumeric() && c != '_')?;
    before.split_whitespace().all(is_word).then(|| &after[..end])
}

/// Returns the lines of the function that begins on the first of `lines`, up to its closing brace; `None` if it has no body below
/// its signature.
fn function<'l, 't>(lines: &'l [&'t str]) -> Option<&'l [&'t str]> {
    let first = *lines.first()?;
    let indent = &first[..first.len() - first.trim_start().len()];
    let opens = lines.iter().position(|line| line.ends_with(['{', ';', '}']))?;
    if !lines[opens].ends_with('{') {
        return None;
    }
    let end = lines.iter().position(|line| line.strip_prefix(indent) == Some("}"))?;
    lines.get(..=end)
}

/// Returns true if the body of a function is one literal, apart from short bindings before it.
fn is_table(whole: &[&str]) -> bool {
    let Some(opens) = whole.iter().position(|line| line.ends_with('{')) else { return false };
    let body = &whole[opens + 1..whole.len() - 1];
    let Some(indent) = body.first().map(|line| line.len() - line.trim_start().len()) else {
        return false;
    };
    let own = |line: &&&str| line.len() - line.trim_start().len() == indent;
    let statements: Vec<&&str> = body.iter().filter(own).collect();
    match statements.as_slice() {
        [bindings @ .., start, end] => {
            let is_literal = start.ends_with('[')
                || start.ends_with(" {")
                    && start.trim().chars().next().is_some_and(char::is_uppercase);
            bindings.iter().all(|line| line.trim_start().starts_with("let "))
                && is_literal
                && matches!(end.trim(), "}" | "]")
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use crate::tidy::tests::{finds, finds_nothing};

    /// Returns a file with a function of a hundred equal lines between `head` and `tail`.
    fn file(head: &str, line: &str, tail: &str) -> String {
        format!("//! Long.\n{head}\n{}{tail}\n", line.repeat(100))
    }

    /// Checks that long functions and methods are reported.
    #[test]
    fn length() {
        let path = "crates/value/src/set.rs";
        let long = file("pub(crate) fn all() {", "    step();\n", "}");
        finds(&[(path, &long)], "crates/value/src/set.rs:2: `all` has 102 lines");
        let method =
            file("impl A {\n    fn all(\n        &self,\n    ) {", "        step();\n", "    }\n}");
        finds(&[(path, &method)], "crates/value/src/set.rs:3: `all` has 104 lines");
    }

    /// Checks that a table and several short functions are not reported.
    #[test]
    fn tables() {
        let path = "crates/value/src/set.rs";
        let table = file(
            "fn rows() -> Row {\n    let has = 1;\n    Row {",
            "        row: 1,\n",
            "    }\n}",
        );
        finds_nothing(&[(path, &table)]);
        let split =
            file("fn one();\n\nfn two() {\n    step();\n}\n\nmod three {", "    use a;\n", "}");
        finds_nothing(&[(path, &split)]);
    }
}
