//! Character classes of regular expressions: the ASCII ones by letter and by name, and Unicode's by category or script. The
//! edition decides whether names must be exact (`\p{Greek}` but not `\p{greek}`).

use std::ops::RangeInclusive;

use groma_value::{UnicodeVersion, equivalents, property};
use regex_syntax::hir::{ClassUnicode, ClassUnicodeRange};

/// The edition's rules for character classes: the Unicode version, and true if case, spaces, `_` and `-` in the names of Unicode
/// classes are ignored.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct ClassRules {
    /// True if case, spaces, `_` and `-` in the names of Unicode classes are ignored, and long names are accepted.
    pub loose: bool,
    /// The Unicode version that defines the classes.
    pub unicode: UnicodeVersion,
}

/// Returns the character class of an escape letter, such as `\d` for `d`, or its complement in upper case; `None` for other
/// letters; `fold` adds the characters that differ from its own in case only, by that Unicode version.
pub(super) fn perl(letter: char, fold: Option<UnicodeVersion>) -> Option<ClassUnicode> {
    let ranges: &[(char, char)] = match letter.to_ascii_lowercase() {
        'd' => &[('0', '9')],
        's' => &[('\t', '\n'), ('\u{c}', '\r'), (' ', ' ')],
        'w' => &[('0', '9'), ('A', 'Z'), ('_', '_'), ('a', 'z')],
        _ => return None,
    };
    Some(finish(of(ranges), fold, letter.is_ascii_uppercase()))
}

/// Returns the character class `[:name:]`, or its complement if the name begins with `^`; `None` for other names; `fold` adds the
/// characters that differ from its own in case only, by that Unicode version.
pub(super) fn posix(name: &str, fold: Option<UnicodeVersion>) -> Option<ClassUnicode> {
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

/// Returns the class of a Unicode general category or script (with `fold` also characters that differ in case only), or its
/// complement if `negated`; `None` for a name unknown by these rules. Unless the rules are loose, the name must be the exact
/// short category or script name; else case, spaces, `_` and `-` are ignored, and the long names of categories are valid, too, as
/// are `Assigned`, `ASCII`, `Cn` and `LC`.
pub(super) fn unicode(
    name: &str,
    fold: Option<UnicodeVersion>,
    negated: bool,
    classes: ClassRules,
) -> Option<ClassUnicode> {
    let unicode = classes.unicode;
    // Compat: in loose editions a script whose name has `_` or an inner capital is never found, not even by its exact name.
    let canonical = classes.loose.then(|| canonical(name));
    let name = canonical.as_deref().unwrap_or(name);
    let letters = |name: &str| -> Option<ClassUnicode> {
        let is_meant = |one: &str| match name {
            // In loose editions, unassigned characters belong to `C`, too.
            "C" => one.starts_with('C') && (classes.loose || one != "Cn"),
            "LC" => matches!(one, "Ll" | "Lt" | "Lu"),
            name => one.starts_with(name),
        };
        (name == "LC"
            || property::categories().any(|one| one == name || one.get(..1) == Some(name)))
        .then(|| collect(property::of_categories(is_meant, unicode)))
    };
    let class = match name {
        "Any" => return Some(finish(of(&[('\0', char::MAX)]), None, negated)),
        "Assigned" if classes.loose => collect(property::of_categories(|one| one != "Cn", unicode)),
        "Ascii" if classes.loose => of(&[('\0', '\u{7f}')]),
        "Lc" if classes.loose => letters("LC")?,
        "Cn" if !classes.loose => return None,
        name => letters(name)
            .filter(|_| name.len() <= 2 && name != "LC")
            .or_else(|| {
                let script = collect(property::of_scripts(|one| one == name, unicode));
                (!script.ranges().is_empty()).then_some(script)
            })
            .or_else(|| letters(alias(name).filter(|_| classes.loose)?))?,
    };
    Some(finish(class, fold, negated))
}

/// Returns the name of a Unicode class in the form in which it is looked up: without spaces, `_` and `-`, and with only its first
/// letter in upper case.
fn canonical(name: &str) -> String {
    let letters = name.chars().filter(|c| !matches!(c, '_' | '-' | ' ')).enumerate();
    let cased = letters.map(|(at, c)| match at {
        0 => c.to_ascii_uppercase(),
        _ => c.to_ascii_lowercase(),
    });
    cased.collect()
}

/// Returns the short name of a Unicode category, such as `Pe`, for its long name as [`canonical`] writes it, such as
/// `Closepunctuation`; `None` for other names.
fn alias(name: &str) -> Option<&'static str> {
    let at = ALIASES.binary_search_by(|(long, _)| (*long).cmp(name)).ok()?;
    ALIASES.get(at).map(|(_, short)| *short)
}

/// The long names of Unicode categories, such as `Closepunctuation` (as [`canonical`] writes them), sorted, each with its short
/// name, such as `Pe`.
const ALIASES: &[(&str, &str)] = &[
    ("Casedletter", "LC"),
    ("Closepunctuation", "Pe"),
    ("Cntrl", "Cc"),
    ("Combiningmark", "M"),
    ("Connectorpunctuation", "Pc"),
    ("Control", "Cc"),
    ("Currencysymbol", "Sc"),
    ("Dashpunctuation", "Pd"),
    ("Decimalnumber", "Nd"),
    ("Digit", "Nd"),
    ("Enclosingmark", "Me"),
    ("Finalpunctuation", "Pf"),
    ("Format", "Cf"),
    ("Initialpunctuation", "Pi"),
    ("Letter", "L"),
    ("Letternumber", "Nl"),
    ("Lineseparator", "Zl"),
    ("Lowercaseletter", "Ll"),
    ("Mark", "M"),
    ("Mathsymbol", "Sm"),
    ("Modifierletter", "Lm"),
    ("Modifiersymbol", "Sk"),
    ("Nonspacingmark", "Mn"),
    ("Number", "N"),
    ("Openpunctuation", "Ps"),
    ("Other", "C"),
    ("Otherletter", "Lo"),
    ("Othernumber", "No"),
    ("Otherpunctuation", "Po"),
    ("Othersymbol", "So"),
    ("Paragraphseparator", "Zp"),
    ("Privateuse", "Co"),
    ("Punct", "P"),
    ("Punctuation", "P"),
    ("Separator", "Z"),
    ("Spaceseparator", "Zs"),
    ("Spacingmark", "Mc"),
    ("Surrogate", "Cs"),
    ("Symbol", "S"),
    ("Titlecaseletter", "Lt"),
    ("Unassigned", "Cn"),
    ("Uppercaseletter", "Lu"),
];

/// Returns the character class that consists of these ranges.
fn collect(ranges: impl Iterator<Item = RangeInclusive<char>>) -> ClassUnicode {
    ClassUnicode::new(ranges.map(|range| ClassUnicodeRange::new(*range.start(), *range.end())))
}

/// Returns the character class of one character; `fold` adds those that differ from it in case only, by that Unicode version.
pub(super) fn single(c: char, fold: Option<UnicodeVersion>) -> ClassUnicode {
    finish(of(&[(c, c)]), fold, false)
}

/// Returns a character class with those added that differ in case only (`fold`), and then complemented (`negated`). In this order
/// `(?i)[^k]` excludes the Kelvin sign.
pub(super) fn finish(
    mut class: ClassUnicode,
    fold: Option<UnicodeVersion>,
    negated: bool,
) -> ClassUnicode {
    if let Some(unicode) = fold {
        let ranges = class.ranges().iter();
        let others = ranges.flat_map(|range| equivalents(range.start(), range.end(), unicode));
        class.union(&ClassUnicode::new(others.map(|one| ClassUnicodeRange::new(one, one))));
    }
    if negated {
        class.negate();
    }
    class
}

/// Returns the character class of these ranges, each given by its first and its last character.
fn of(ranges: &[(char, char)]) -> ClassUnicode {
    ClassUnicode::new(ranges.iter().map(|&(low, high)| ClassUnicodeRange::new(low, high)))
}
