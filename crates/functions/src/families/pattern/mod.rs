//! Regular expressions by the rules of RE2 in Go's syntax: linear time, leftmost-first matches. The syntax is parsed here and
//! only the program is that of `regex-automata`, because the syntax of that crate differs (`\d` is ASCII here, `a{,2}` is
//! literal text, `a**` is an error).

mod class;
mod family;
mod parse;
mod scout;
mod stack;

use std::sync::OnceLock;

use regex_automata::Input;
use regex_automata::meta::Regex;
use regex_automata::util::captures::Captures;
use regex_automata::util::syntax;

pub(crate) use class::ClassRules;
pub(crate) use family::FUNCTIONS;
use groma_value::{UnicodeVersion, property};
use parse::PatternError;
use regex_syntax::hir::Hir;
use scout::LazyAutomaton;

/// Maximum size in bytes of a compiled regular expression.
const PROGRAM_LIMIT: usize = 8 << 20;

/// Maximum length in bytes of a pattern; a longer one would exceed [`PROGRAM_LIMIT`] in any case.
const PATTERN_LIMIT: usize = PROGRAM_LIMIT / 16;

/// The number of bytes that the searches in one text may read in total before the bytes of each search are counted and charged.
const UNMEASURED_BYTES: usize = 4 << 20;

/// Maximum size in bytes of a compiled regular expression that is kept in the cache of compiled expressions and YAML documents.
const SMALL: usize = 64 << 10;

/// A compiled regular expression, with the names of its groups, and an automaton that measures how far a search reads.
pub(crate) struct Pattern {
    /// The compiled program of the search engine.
    program: Regex,
    /// An automaton that measures how far a search reads, compiled on first use; `None` inside if it cannot be built.
    scout: OnceLock<Option<LazyAutomaton>>,
    text: String,
    hir: Hir,
    /// The Unicode version whose letters may be in names of groups in replacements.
    unicode: UnicodeVersion,
    /// The name of each capture group except the whole match; `None` for an unnamed one.
    groups: Vec<Option<String>>,
}

/// A match of a regular expression in a text: the byte ranges of the whole and of each group.
pub(super) struct PatternMatch {
    /// The byte range of the whole match.
    pub(super) whole: (usize, usize),
    /// The byte range of each group; `None` for one that did not match.
    pub(super) groups: Vec<Option<(usize, usize)>>,
}

impl Pattern {
    /// Compiles a regular expression; the error is its first syntax error, or that it is too large.
    pub(super) fn new(text: &str, classes: ClassRules) -> Result<Pattern, PatternError> {
        let too_large = || PatternError {
            at: 0,
            message: "it needs a program larger than 8 MiB; use smaller repeat counts".into(),
        };
        if text.len() > PATTERN_LIMIT {
            return Err(too_large());
        }
        let make = || {
            let parsed = parse::parse(text, classes)?;
            let config = Regex::config().nfa_size_limit(Some(PROGRAM_LIMIT)).utf8_empty(true);
            let program = Regex::builder()
                .configure(config)
                .syntax(syntax::Config::new().utf8(true))
                .build_from_hir(&parsed.hir)
                .map_err(|_| too_large())?;
            let (scout, hir, text) = (OnceLock::new(), parsed.hir, text.to_owned());
            let unicode = classes.unicode;
            Ok(Pattern { program, scout, text, hir, unicode, groups: parsed.groups })
        };
        let made = stack::with_large_stack(text, make);
        made.unwrap_or_else(|| Err(PatternError { at: 0, message: stack::too_many_groups() }))
    }

    /// Returns true if the compiled regular expression is small enough to be kept in the cache of compiled expressions and YAML
    /// documents.
    pub(crate) fn is_small(&self) -> bool {
        self.program.memory_usage() <= SMALL
    }

    /// Returns the names of the capture groups in the order of their opening parentheses; `None` for an unnamed one.
    pub(super) fn groups(&self) -> &[Option<String>] {
        &self.groups
    }

    /// Returns the first match of the regular expression in a text; `None` if nothing matches.
    pub(super) fn find(&self, text: &str) -> Option<PatternMatch> {
        let mut captures = self.program.create_captures();
        self.program.captures(text, &mut captures);
        captures.is_match().then(|| self.read(&captures))
    }

    /// Passes every match to `see`, left to right without overlaps, and the number of bytes that each search reads to `charge`;
    /// the first error of either ends it. The searches may read far more bytes than the text has. An empty match directly after
    /// another match does not count.
    pub(super) fn each<E>(
        &self,
        text: &str,
        mut charge: impl FnMut(usize) -> Result<(), E>,
        mut see: impl FnMut(&PatternMatch) -> Result<(), E>,
    ) -> Result<(), E> {
        charge(text.len())?;
        // Up to this number of matches, even searches that read the whole rest of the text are cheap.
        let free = UNMEASURED_BYTES / text.len().max(1);
        let scout =
            || stack::with_large_stack(&self.text, || LazyAutomaton::new(&self.hir)).flatten();
        let mut cache = None;
        for (count, captures) in self.program.captures_iter(Input::new(text)).enumerate() {
            let found = self.read(&captures);
            see(&found)?;
            if count < free {
                continue;
            }
            let Some(scout) = self.scout.get_or_init(scout) else {
                charge(text.len() - found.whole.0)?;
                continue;
            };
            // The next search starts where this match ends.
            let states = cache.get_or_insert_with(|| scout.new_cache());
            charge(scout.distance(states, text.as_bytes(), found.whole.1))?;
        }
        Ok(())
    }

    /// Returns a match with its byte ranges from the search engine's captures.
    fn read(&self, captures: &Captures) -> PatternMatch {
        let range = |index: usize| captures.get_group(index).map(|span| (span.start, span.end));
        PatternMatch {
            whole: range(0).unwrap_or((0, 0)),
            groups: (1..=self.groups.len()).map(range).collect(),
        }
    }

    /// Replaces every match in `text` by `template`, in which `$1`, `$name` and `${name}` stand for groups and `$$` for a dollar
    /// sign; the bytes that the searches read are passed to `charge`, those that each match adds to the result to `grown`. A name
    /// extends over letters, digits and `_`, so `$1x` is the group named `1x`; a group that does not exist or did not match is
    /// empty.
    pub(super) fn replace_all<E>(
        &self,
        text: &str,
        template: &str,
        charge: impl FnMut(usize) -> Result<(), E>,
        mut grown: impl FnMut(usize) -> Result<(), E>,
    ) -> Result<String, E> {
        let mut out = String::new();
        let mut done = 0;
        self.each(text, charge, |found| {
            let before = out.len();
            out.push_str(&text[done..found.whole.0]);
            self.expand(template, text, found, &mut out);
            done = found.whole.1;
            grown(out.len() - before)
        })?;
        out.push_str(&text[done..]);
        Ok(out)
    }

    /// Appends the replacement of a match to `out`: the template with the texts of groups in place of references.
    fn expand(&self, template: &str, text: &str, found: &PatternMatch, out: &mut String) {
        let mut rest = template;
        while let Some(at) = rest.find('$') {
            out.push_str(&rest[..at]);
            let after = &rest[at + 1..];
            if let Some(tail) = after.strip_prefix('$') {
                out.push('$');
                rest = tail;
                continue;
            }
            match reference(after, self.unicode) {
                Some((name, tail)) => {
                    if let Some((start, end)) = self.group(name, found) {
                        out.push_str(&text[start..end]);
                    }
                    rest = tail;
                }
                // A dollar sign that names nothing is itself.
                None => {
                    out.push('$');
                    rest = after;
                }
            }
        }
        out.push_str(rest);
    }

    /// Returns the byte range of the group with a name or number, of several with this name the first that matched; `None` if
    /// there is none.
    fn group(&self, name: &str, found: &PatternMatch) -> Option<(usize, usize)> {
        if name.bytes().all(|b| b.is_ascii_digit()) && (name == "0" || !name.starts_with('0')) {
            return match name.parse::<usize>() {
                Ok(0) => Some(found.whole),
                Ok(number) => found.groups.get(number - 1).copied().flatten(),
                Err(_) => None,
            };
        }
        let named = self.groups.iter().zip(&found.groups);
        named.filter(|(own, _)| own.as_deref() == Some(name)).find_map(|(_, range)| *range)
    }
}

/// Splits a template after a dollar sign, `name…` or `{name}…`, into the group name and the rest; `None` if no name follows.
fn reference(text: &str, unicode: UnicodeVersion) -> Option<(&str, &str)> {
    let is_letter = |c: char| {
        let category = property::category(c, unicode);
        category.starts_with('L') || category == "Nd"
    };
    let is_word = |c: char| c == '_' || c.is_ascii_alphanumeric() || !c.is_ascii() && is_letter(c);
    let (inner, braced) = match text.strip_prefix('{') {
        Some(inner) => (inner, true),
        None => (text, false),
    };
    let end = inner.find(|c| !is_word(c)).unwrap_or(inner.len());
    let (name, tail) = inner.split_at(end);
    if name.is_empty() {
        return None;
    }
    if braced { Some((name, tail.strip_prefix('}')?)) } else { Some((name, tail)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The rules for classes in editions that require exact names.
    const STRICT: ClassRules = ClassRules { loose: false, unicode: UnicodeVersion::V15 };
    /// The rules for classes in editions with loose names.
    const LOOSE: ClassRules = ClassRules { loose: true, ..STRICT };

    /// Returns the text of the first match of a pattern; `None` if nothing matches.
    fn first(pattern: &str, text: &str) -> Option<String> {
        let found = Pattern::new(pattern, STRICT).expect("a good pattern").find(text)?;
        Some(text[found.whole.0..found.whole.1].to_string())
    }

    /// Tests matches by the syntax of Go's regular expressions.
    #[test]
    fn reads_what_go_reads() {
        for (pattern, text, want) in [
            ("a{,2}", "xa{,2}", Some("a{,2}")),
            ("[a[b]+", "x[ab", Some("[ab")),
            (r"\Qa.b\E+", "a.bbb", Some("a.bbb")),
            (r"\101", "A", Some("A")),
            (r"\d+", "٣4", Some("4")),
            (r"x{2", "x{2", Some("x{2")),
            ("(?i)straße", "STRAßE", Some("STRAßE")),
            ("^b$", "a\nb\n", None),
            ("(?m)^b$", "a\nb\n", Some("b")),
            ("a.b", "a\nb", None),
            ("(?s)a.b", "a\nb", Some("a\nb")),
            ("(?U)a+", "aaa", Some("a")),
            (r"\pL+", "1äb2", Some("äb")),
            (r"[\p{Greek}\-]+", "xα-β", Some("α-β")),
            (r"[^[:alpha:]]", "a1", Some("1")),
            ("[]a]+", "x]a", Some("]a")),
            ("a|ab", "ab", Some("a")),
            (r"\bfoo\b", "a foo.", Some("foo")),
        ] {
            assert_eq!(first(pattern, text).as_deref(), want, "{pattern} on {text:?}");
        }
    }

    /// Tests that names of classes need not be exact in loose editions only.
    #[test]
    fn loose_names_only_where_the_edition_has_them() {
        for name in ["greek", "Letter", "ASCII", "Cn", "combining-mark"] {
            assert!(Pattern::new(&format!(r"\p{{{name}}}"), STRICT).is_err(), "{name}");
            assert!(Pattern::new(&format!(r"\p{{{name}}}"), LOOSE).is_ok(), "{name}");
        }
        for name in ["Old_Italic", "SignWriting"] {
            assert!(Pattern::new(&format!(r"\p{{{name}}}"), STRICT).is_ok(), "{name}");
            assert!(Pattern::new(&format!(r"\p{{{name}}}"), LOOSE).is_err(), "{name}");
        }
        for name in ["Grek", "Unknown", "", "Garay"] {
            assert!(Pattern::new(&format!(r"\p{{{name}}}"), LOOSE).is_err(), "{name}");
        }
        let newer = ClassRules { unicode: UnicodeVersion::V17, ..LOOSE };
        assert!(Pattern::new(r"\p{Garay}", newer).is_ok());
    }

    /// Tests that patterns which Go refuses are errors.
    #[test]
    fn refuses_what_go_refuses() {
        for pattern in [
            "a**",
            "x{1001}",
            "a{2}{3}",
            "(",
            ")",
            "[",
            "[z-a]",
            "*",
            "|*",
            r"\8",
            r"\1",
            r"\q",
            "(?<n",
            "(?P<>a)",
            "(?x)a",
            r"\pX",
            r"\p{greek}",
            "[[:nope:]]",
            r"[a-\d]",
            r"\Z",
            r"\C",
            "(?i-)a",
            "x{3,2}",
            "(x{100}){11}",
            "\\",
            "(?=a)",
        ] {
            assert!(Pattern::new(pattern, STRICT).is_err(), "{pattern} is accepted");
        }
    }

    /// Returns the text with every match of a pattern replaced by a template.
    fn replaced(pattern: &str, text: &str, template: &str) -> String {
        let pattern = Pattern::new(pattern, STRICT).expect("a good pattern");
        let good = |_: usize| Ok::<(), ()>(());
        pattern.replace_all(text, template, good, good).expect("nothing objects")
    }

    /// Tests that the bytes read by searches far beyond their matches are counted.
    #[test]
    fn searches_that_look_far_are_counted() {
        let pattern = Pattern::new(".*b|a", STRICT).expect("a good pattern");
        let text = "a".repeat(10_000);
        let mut looked = 0;
        let mut matches = 0;
        let count = |bytes: usize| {
            looked += bytes;
            if looked > 1_000_000 { Err(()) } else { Ok(()) }
        };
        let see = |_: &PatternMatch| {
            matches += 1;
            Ok(())
        };
        assert_eq!(pattern.each(&text, count, see), Err(()));
        assert!((400..700).contains(&matches), "{matches}");
        // A search that reads no further than its match costs little.
        let pattern = Pattern::new("a+?", STRICT).expect("a good pattern");
        let mut looked = 0;
        let count = |bytes: usize| {
            looked += bytes;
            Ok::<(), ()>(())
        };
        assert_eq!(pattern.each(&text, count, |_| Ok(())), Ok(()));
        assert!(looked < 50_000, "{looked}");
    }

    /// Tests the expansion of group references in replacements.
    #[test]
    fn expands_groups() {
        assert_eq!(
            replaced("(?P<a>x)(y)?", "xyz x", "[$a|$2|${1}1|$1x|$$|$]"),
            "[x|y|x1||$|$]z [x||x1||$|$]"
        );
        assert_eq!(replaced("", "äb", "-"), "-ä-b-");
    }
}
