//! Character classes: the ASCII ones by letter and by name, and Unicode's by category or script.
//! Whether names must be exact (`\p{Greek}` but not `\p{greek}`) is a matter of the edition.

use regex_syntax::hir::{ClassUnicode, ClassUnicodeRange, HirKind};

/// The class of a Perl letter (`d`, `s`, `w`, and in capitals their complements).
pub(super) fn perl(letter: char, fold: bool) -> Option<ClassUnicode> {
    let ranges: &[(char, char)] = match letter.to_ascii_lowercase() {
        'd' => &[('0', '9')],
        's' => &[('\t', '\n'), ('\u{c}', '\r'), (' ', ' ')],
        'w' => &[('0', '9'), ('A', 'Z'), ('_', '_'), ('a', 'z')],
        _ => return None,
    };
    Some(finish(of(ranges), fold, letter.is_ascii_uppercase()))
}

/// The class inside `[:name:]`; a `^` before the name negates.
pub(super) fn posix(name: &str, fold: bool) -> Option<ClassUnicode> {
    let (name, negated) = match name.strip_prefix('^') {
        Some(name) => (name, true),
        None => (name, false),
    };
    let ranges: &[(char, char)] = match name {
        "alnum" => &[('0', '9'), ('A', 'Z'), ('a', 'z')],
        "alpha" => &[('A', 'Z'), ('a', 'z')],
        "ascii" => &[('\0', '\u{7f}')],
        "blank" => &[('\t', '\t'), (' ', ' ')],
        "cntrl" => &[('\0', '\u{1f}'), ('\u{7f}', '\u{7f}')],
        "digit" => &[('0', '9')],
        "graph" => &[('!', '~')],
        "lower" => &[('a', 'z')],
        "print" => &[(' ', '~')],
        "punct" => &[('!', '/'), (':', '@'), ('[', '`'), ('{', '~')],
        "space" => &[('\t', '\r'), (' ', ' ')],
        "upper" => &[('A', 'Z')],
        "word" => &[('0', '9'), ('A', 'Z'), ('_', '_'), ('a', 'z')],
        "xdigit" => &[('0', '9'), ('A', 'F'), ('a', 'f')],
        _ => return None,
    };
    Some(finish(of(ranges), fold, negated))
}

/// The class of a Unicode general category or script. Unless `loose`, the name must be the exact
/// short category or script name; loosely, case, spaces, `_` and `-` do not matter and the long
/// names of categories count too, as do `Any`, `ASCII`, `Assigned`, `Cn` and `LC`.
pub(super) fn unicode(name: &str, fold: bool, negated: bool, loose: bool) -> Option<ClassUnicode> {
    if name == "Any" {
        return Some(finish(of(&[('\0', char::MAX)]), false, negated));
    }
    if !loose && !is_exact(name) {
        return None;
    }
    let known = name.bytes().all(|b| b.is_ascii_alphanumeric() || b"_- ".contains(&b));
    let queries: &[&str] = match (known, loose) {
        (false, _) => &[],
        (true, true) => &["gc", "sc"],
        (true, false) if name.len() <= 2 => &["gc"],
        (true, false) => &["sc"],
    };
    let class = queries.iter().find_map(|kind| {
        let hir = regex_syntax::Parser::new().parse(&format!(r"\p{{{kind}={name}}}")).ok()?;
        match hir.into_kind() {
            HirKind::Class(regex_syntax::hir::Class::Unicode(class)) => Some(class),
            _ => None,
        }
    })?;
    Some(finish(class, fold, negated))
}

/// Categories have one or two letters, scripts are words in capitals joined by `_`.
fn is_exact(name: &str) -> bool {
    if matches!(name, "Cn" | "LC" | "Assigned" | "ASCII") {
        return false;
    }
    let word = |part: &str| {
        let mut letters = part.chars();
        letters.next().is_some_and(|c| c.is_ascii_uppercase())
            && letters.all(|c| c.is_ascii_lowercase())
    };
    name == "SignWriting" || name.split('_').all(word)
}

/// The class of one character, with its other cases if `fold`.
pub(super) fn single(c: char, fold: bool) -> ClassUnicode {
    finish(of(&[(c, c)]), fold, false)
}

/// Folding comes before negation: `(?i)[^k]` excludes the Kelvin sign.
pub(super) fn finish(mut class: ClassUnicode, fold: bool, negated: bool) -> ClassUnicode {
    if fold {
        // Without its case table the class stays as it is; the table is a feature of the build.
        let _ = class.try_case_fold_simple();
    }
    if negated {
        class.negate();
    }
    class
}

fn of(ranges: &[(char, char)]) -> ClassUnicode {
    ClassUnicode::new(ranges.iter().map(|&(low, high)| ClassUnicodeRange::new(low, high)))
}
