//! Character classes: the ASCII ones by letter and by name, and Unicode's by category or script.
//! Names are exact, as in Go: `\p{Greek}` is one, `\p{greek}` is not.

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

/// The class of a Unicode general category or script, by its exact name.
pub(super) fn unicode(name: &str, fold: bool, negated: bool) -> Option<ClassUnicode> {
    if name == "Any" {
        return Some(finish(of(&[('\0', char::MAX)]), false, negated));
    }
    let spelled = name.split('_').all(|part| {
        let mut letters = part.chars();
        letters.next().is_some_and(|c| c.is_ascii_uppercase()) && letters.all(|c| c.is_ascii_lowercase())
    });
    if !spelled && name != "Phags_Pa" && name != "Nko" && name != "SignWriting" {
        return None;
    }
    let kind = if name.len() <= 2 { "gc" } else { "sc" };
    let hir = regex_syntax::Parser::new().parse(&format!(r"\p{{{kind}={name}}}")).ok()?;
    match hir.into_kind() {
        HirKind::Class(regex_syntax::hir::Class::Unicode(class)) => Some(finish(class, fold, negated)),
        _ => None,
    }
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
