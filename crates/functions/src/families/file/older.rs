//! File patterns of `fileset` in Terraform and Packer: `!` does not negate a class, a pattern is split at slashes before its
//! braces are expanded, and an error in it is found only when a name reaches it.

use groma_runtime::EntryKind;

use super::glob::{GlobError, GlobSearch, entries};
use crate::CallContext;

/// Maximum number of steps for matching one file name with a pattern.
const STEPS: usize = 100_000;
/// Maximum depth of folders that a `fileset` pattern searches in Terraform and Packer.
const DEPTH: usize = 100;

/// Returns the absolute paths of the files that match an absolute pattern by the rules of Terraform and Packer, in no particular
/// order and possibly repeated.
pub(super) fn files(pattern: &str, context: &CallContext<'_>) -> Result<Vec<String>, GlobError> {
    let mut found = Vec::new();
    let parts = split_unescaped(pattern.trim_start_matches('/'), '/');
    walk("", &parts, 0, &mut GlobSearch { context, found: &mut found, steps: 0 })?;
    Ok(found)
}

/// Splits a text at each separator that has no backslash before it.
fn split_unescaped(text: &str, separator: char) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut start = 0;
    let mut before = ' ';
    for (at, c) in text.char_indices() {
        if c == separator && before != '\\' {
            parts.push(&text[start..at]);
            start = at + 1;
        }
        before = c;
    }
    parts.push(&text[start..]);
    parts
}

/// Adds the files below a folder, itself at `depth`, that match the components `parts` of a Terraform or Packer pattern to the
/// search.
fn walk(
    folder: &str,
    parts: &[&str],
    depth: usize,
    search: &mut GlobSearch<'_>,
) -> Result<(), GlobError> {
    let plain = parts.iter().take_while(|part| !part.contains(['*', '?', '[', '{', '\\'])).count();
    let (names, parts) = parts.split_at(plain);
    let folder = names.iter().fold(folder.to_owned(), |folder, name| format!("{folder}/{name}"));
    let Some((first, after)) = parts.split_first() else {
        if search.context.host.kind(&folder) == Ok(EntryKind::File) {
            search.found.push(folder);
        }
        return Ok(());
    };
    let inside = entries(if folder.is_empty() { "/" } else { &folder }, search)?;
    if *first == "**" {
        for (name, kind) in &inside {
            let path = format!("{folder}/{name}");
            match kind {
                EntryKind::Directory if depth < DEPTH => walk(&path, parts, depth + 1, search)?,
                EntryKind::File if after.is_empty() => search.found.push(path),
                _ => {}
            }
        }
        return if after.is_empty() {
            Ok(())
        } else {
            search_entries(&folder, after, &inside, depth, search)
        };
    }
    search_entries(&folder, parts, &inside, depth, search)
}

/// Adds the files among the entries `inside` a folder that match the first of the pattern's components `parts`, if it is the
/// only one, to the search, and searches matching folders for the components after it, up to the maximum depth; the folder is
/// at `depth`.
fn search_entries(
    folder: &str,
    parts: &[&str],
    inside: &[(String, EntryKind)],
    depth: usize,
    search: &mut GlobSearch<'_>,
) -> Result<(), GlobError> {
    let Some((first, after)) = parts.split_first() else { return Ok(()) };
    for (name, kind) in inside {
        let mut steps = STEPS;
        if !matches_name(first, name, &mut steps)? {
            continue;
        }
        let path = format!("{folder}/{name}");
        match kind {
            EntryKind::File if after.is_empty() => search.found.push(path),
            EntryKind::Directory if !after.is_empty() && depth < DEPTH => {
                walk(&path, after, depth + 1, search)?;
            }
            _ => {}
        }
    }
    Ok(())
}

/// Creates the error for an invalid pattern, with its message.
fn pattern_error(message: &str) -> GlobError {
    GlobError::Pattern(message.to_owned())
}

/// Returns true if the file name `name` matches `part`, the pattern for one name, by the rules of Terraform and Packer; fails
/// when `steps`, which it counts down, is used up. An invalid part of the pattern is an error only if the text before it matches.
fn matches_name(part: &str, name: &str, steps: &mut usize) -> Result<bool, GlobError> {
    *steps = steps.checked_sub(1).ok_or_else(|| pattern_error("it takes too long to follow"))?;
    if part.is_empty() || name.is_empty() {
        return Ok(part.is_empty() == name.is_empty() || part == "*");
    }
    let (mut part, mut name) = (part, name);
    while let (Some(sign), Some(letter)) = (part.chars().next(), name.chars().next()) {
        let after = &part[sign.len_utf8()..];
        let length = letter.len_utf8();
        part = match sign {
            '*' if after.is_empty() => return Ok(true),
            '*' => return after_star(after, name, length, steps),
            '\\' => {
                let escaped = after.chars().next();
                let escaped = escaped.ok_or_else(|| pattern_error("it ends in a backslash"))?;
                if escaped != letter {
                    return Ok(false);
                }
                &after[escaped.len_utf8()..]
            }
            '[' => {
                let end = split_unescaped(after, ']');
                let [class, _, ..] = end.as_slice() else {
                    return Err(pattern_error("a `[` is not closed by `]` within one name"));
                };
                if !in_class(class, letter)? {
                    return Ok(false);
                }
                &after[class.len() + 1..]
            }
            '{' => {
                let end = split_unescaped(after, '}');
                let [choices, _, ..] = end.as_slice() else {
                    return Err(pattern_error("a `{` is not closed by `}` within one name"));
                };
                let rest = &after[choices.len() + 1..];
                for choice in split_unescaped(choices, ',') {
                    if matches_name(&format!("{choice}{rest}"), name, steps)? {
                        return Ok(true);
                    }
                }
                return Ok(false);
            }
            '?' => after,
            same if same == letter => after,
            _ => return Ok(false),
        };
        name = &name[length..];
    }
    Ok(name.is_empty() && matches!(part, "" | "*" | "**"))
}

/// Returns true if the pattern `part`, which follows a `*`, matches a suffix of the name at a multiple of `length` bytes, the
/// length of its first character; fails when `steps`, which the matching counts down, is used up.
fn after_star(part: &str, name: &str, length: usize, steps: &mut usize) -> Result<bool, GlobError> {
    let mut at = 0;
    while at < name.len() {
        // An error in the pattern counts as no match here.
        if let Some(end) = name.get(at..)
            && matches!(matches_name(part, end, steps), Ok(true))
        {
            return Ok(true);
        }
        if *steps == 0 {
            return Err(pattern_error("it takes too long to follow"));
        }
        at += length;
    }
    Ok(false)
}

/// Returns true if a character class, given without its brackets, contains a character. A dash must have a character on both
/// sides, and a descending range is empty.
fn in_class(class: &str, letter: char) -> Result<bool, GlobError> {
    let negated = class.starts_with('^');
    let mut rest = class.strip_prefix('^').unwrap_or(class).chars();
    if class.is_empty() {
        return Err(pattern_error("`[]` holds no character"));
    }
    let one = |rest: &mut std::str::Chars<'_>| match rest.next() {
        Some('\\') => rest.next().ok_or_else(|| pattern_error("a class ends in a backslash")),
        Some('-') | None => {
            Err(pattern_error("a dash in a class must stand between two characters"))
        }
        Some(c) => Ok(c),
    };
    let mut inside = false;
    while !rest.as_str().is_empty() {
        let low = one(&mut rest)?;
        let mut high = low;
        if rest.as_str().starts_with('-') {
            rest.next();
            high = one(&mut rest)?;
        }
        inside |= (low..=high).contains(&letter);
    }
    Ok(inside != negated)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns true if a name matches a pattern; `None` for an invalid pattern.
    fn matches(part: &str, name: &str) -> Option<bool> {
        matches_name(part, name, &mut STEPS.clone()).ok()
    }

    /// Tests which names match patterns by the older rules.
    #[test]
    fn older_patterns() {
        assert_eq!(matches("*.txt", "a.txt"), Some(true));
        assert_eq!(matches("*.txt", "été.txt"), Some(false));
        assert_eq!(matches("[!a]b", "!b"), Some(true));
        assert_eq!(matches("[^a]b", "!b"), Some(true));
        assert_eq!(matches("[b-a]", "b"), Some(false));
        assert_eq!(matches("a[-!]b", "a!b"), None);
        assert_eq!(matches("a[-!]b", "x"), Some(false));
        assert_eq!(matches("{al{pha,ef},beta}.txt", "alpha.txt"), Some(true));
        assert_eq!(matches("{al{pha,ef},beta}.txt", "beta.txt"), Some(false));
        assert_eq!(matches("alpha.txt\\", "alpha.txt"), Some(false));
        assert_eq!(matches(&"*a".repeat(30), &"a".repeat(60)), Some(true));
    }
}
