//! Selection of builds by glob patterns of their names: `*`, `?`, `[a-z]`, `{a,b}`. A star matches dots, too.

use groma_syntax::{Diagnostic, Diagnostics};

use crate::codes;
use crate::options::TemplateOptions;

/// The glob patterns of the options `-only` and `-except`, which select builds by name.
pub(super) struct BuildFilter {
    /// The patterns of `-only`, each with true once it has matched.
    only: Vec<(Vec<char>, bool)>,
    /// The patterns of `-except`, each with true once it has matched.
    except: Vec<(Vec<char>, bool)>,
}

impl BuildFilter {
    /// Parses the glob patterns of the options `-only` and `-except`.
    pub(super) fn new(options: &TemplateOptions) -> BuildFilter {
        let patterns = |texts: &[String]| {
            let parts = texts.iter().flat_map(|text| split(text));
            parts.filter(|part| !part.is_empty()).map(|part| (part, false)).collect()
        };
        BuildFilter { only: patterns(&options.only), except: patterns(&options.except) }
    }

    /// Returns true if `-only` and `-except` select the build with this name.
    pub(super) fn keeps(&mut self, name: &str) -> bool {
        let name: Vec<char> = name.chars().collect();
        let hit = |patterns: &mut Vec<(Vec<char>, bool)>| {
            let mut any = false;
            for (pattern, used) in patterns {
                if matches(pattern, &name) {
                    *used = true;
                    any = true;
                }
            }
            any
        };
        // Both lists are matched, so that a pattern of one counts as used whatever the other contains.
        let wanted = hit(&mut self.only) || self.only.is_empty();
        let unwanted = hit(&mut self.except);
        wanted && !unwanted
    }

    /// Returns true if no pattern of `-except` excludes the post-processor with this name.
    pub(super) fn keeps_part(&mut self, name: &str) -> bool {
        let name: Vec<char> = name.chars().collect();
        let mut kept = true;
        for (pattern, used) in &mut self.except {
            if matches(pattern, &name) {
                *used = true;
                kept = false;
            }
        }
        kept
    }

    /// Reports patterns of `-only` and `-except` that have matched nothing.
    pub(super) fn report(&self, out: &mut Diagnostics) {
        for (flag, patterns) in [("only", &self.only), ("except", &self.except)] {
            for (pattern, _) in patterns.iter().filter(|(_, used)| !used) {
                let is_open = |open: char, close: char| {
                    let count = |wanted: char| pattern.iter().filter(|c| **c == wanted).count();
                    count(open) > count(close)
                };
                let pattern: String = pattern.iter().collect();
                if is_open('[', ']') || is_open('{', '}') {
                    let detail = format!(
                        "-{flag} has the pattern \"{pattern}\", in which a bracket is not closed. Write \\ before a literal bracket."
                    );
                    out.push(Diagnostic::error(&codes::PATTERN, detail));
                    continue;
                }
                let detail = format!(
                    "-{flag} has the pattern \"{pattern}\", which matches no build. `groma list` shows the names."
                );
                out.push(Diagnostic::warning(&codes::PATTERN_UNMATCHED, detail));
            }
        }
    }
}

/// Splits a comma-separated list of glob patterns; commas inside of braces do not separate.
fn split(text: &str) -> Vec<Vec<char>> {
    let mut parts = vec![Vec::new()];
    let mut depth = 0_usize;
    for c in text.chars() {
        match c {
            ',' if depth == 0 => parts.push(Vec::new()),
            c => {
                depth = match c {
                    '{' => depth + 1,
                    '}' => depth.saturating_sub(1),
                    _ => depth,
                };
                if let Some(last) = parts.last_mut() {
                    last.push(c);
                }
            }
        }
    }
    parts
}

/// Returns true if a glob pattern matches the whole name. Alternatives in braces are expanded first, so that only stars need
/// backtracking.
fn matches(pattern: &[char], name: &[char]) -> bool {
    /// Maximum number of patterns without braces to which a pattern with braces is expanded; then expansion stops.
    const MOST: usize = 256;
    let mut plain: Vec<Vec<char>> = vec![pattern.to_vec()];
    let mut at = 0;
    while at < plain.len() && plain.len() < MOST {
        let one = plain[at].clone();
        let open = one.iter().position(|c| *c == '{');
        let close = open.and_then(|open| {
            one[open..].iter().position(|c| *c == '}').map(|length| open + length)
        });
        let (Some(open), Some(close)) = (open, close) else {
            at += 1;
            continue;
        };
        // The innermost alternatives first.
        let open = one[..close].iter().rposition(|c| *c == '{').unwrap_or(open);
        plain.remove(at);
        for choice in one[open + 1..close].split(|c| *c == ',') {
            plain.push([&one[..open], choice, &one[close + 1..]].concat());
        }
    }
    plain.iter().any(|pattern| matches_plain(pattern, name))
}

/// Returns true if a glob pattern without braces matches the whole name.
fn matches_plain(pattern: &[char], name: &[char]) -> bool {
    let (mut p, mut n) = (0, 0);
    let mut star: Option<(usize, usize)> = None;
    while n < name.len() {
        let step = match pattern.get(p) {
            Some('*') => {
                star = Some((p, n));
                p += 1;
                continue;
            }
            Some('?') => Some(1),
            Some('[') => class(&pattern[p..], name[n]),
            Some('\\') => (pattern.get(p + 1) == Some(&name[n])).then_some(2),
            Some(c) => (*c == name[n]).then_some(1),
            None => None,
        };
        match (step, star) {
            (Some(step), _) => {
                p += step;
                n += 1;
            }
            (None, Some((at, from))) => {
                p = at + 1;
                n = from + 1;
                star = Some((at, from + 1));
            }
            (None, None) => return false,
        }
    }
    pattern[p..].iter().all(|c| *c == '*')
}

/// Returns the length of the character class, such as `[a-z]`, at the start of a glob pattern if it contains `letter`;
/// `None` if not.
fn class(pattern: &[char], letter: char) -> Option<usize> {
    let end = pattern.iter().position(|c| *c == ']')?;
    let mut inner = &pattern[1..end];
    let negated = matches!(inner.first(), Some('!' | '^'));
    if negated {
        inner = &inner[1..];
    }
    let mut found = false;
    while let Some(first) = inner.first() {
        match inner {
            [from, '-', to, ..] => {
                found |= (*from..=*to).contains(&letter);
                inner = &inner[3..];
            }
            _ => {
                found |= *first == letter;
                inner = &inner[1..];
            }
        }
    }
    (found != negated).then_some(end + 1)
}

#[cfg(test)]
mod tests {
    use super::{BuildFilter, TemplateOptions};

    /// Returns true if the pattern `only` of the option `-only` selects the build `name`.
    fn keeps(only: &str, name: &str) -> bool {
        let options = TemplateOptions { only: vec![only.to_owned()], ..TemplateOptions::default() };
        BuildFilter::new(&options).keeps(name)
    }

    /// Checks which build names the patterns of `-only` select.
    #[test]
    fn patterns() {
        assert!(keeps("one.*", "one.null.a"));
        assert!(keeps("*.a", "one.null.a"));
        assert!(keeps("x,*null*", "one.null.a"));
        assert!(!keeps("null.a", "one.null.a"));
        assert!(keeps("null.{a,b}", "null.b"));
        assert!(keeps("null.?", "null.b"));
        assert!(keeps("null.[a-c]", "null.b"));
        assert!(!keeps("null.[!a-c]", "null.b"));
        assert!(!keeps("null.{a", "null.a"));
    }
}
