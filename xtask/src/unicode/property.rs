//! Generation of the tables of categories and scripts: one version completely, and the changes of a newer one.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::data::{Data, HEADER};

/// The general categories that are not groups of others, short and long names, sorted.
const CATEGORIES: &[(&str, &str)] = &[
    ("Cc", "Control"),
    ("Cf", "Format"),
    ("Cn", "Unassigned"),
    ("Co", "Private_Use"),
    ("Cs", "Surrogate"),
    ("Ll", "Lowercase_Letter"),
    ("Lm", "Modifier_Letter"),
    ("Lo", "Other_Letter"),
    ("Lt", "Titlecase_Letter"),
    ("Lu", "Uppercase_Letter"),
    ("Mc", "Spacing_Mark"),
    ("Me", "Enclosing_Mark"),
    ("Mn", "Nonspacing_Mark"),
    ("Nd", "Decimal_Number"),
    ("Nl", "Letter_Number"),
    ("No", "Other_Number"),
    ("Pc", "Connector_Punctuation"),
    ("Pd", "Dash_Punctuation"),
    ("Pe", "Close_Punctuation"),
    ("Pf", "Final_Punctuation"),
    ("Pi", "Initial_Punctuation"),
    ("Po", "Other_Punctuation"),
    ("Ps", "Open_Punctuation"),
    ("Sc", "Currency_Symbol"),
    ("Sk", "Modifier_Symbol"),
    ("Sm", "Math_Symbol"),
    ("So", "Other_Symbol"),
    ("Zl", "Line_Separator"),
    ("Zp", "Paragraph_Separator"),
    ("Zs", "Space_Separator"),
];

/// Script values that are not scripts: unassigned, and shared by two scripts.
const NO_SCRIPTS: &[&str] = &["Katakana_Or_Hiragana", "Unknown"];

/// The range of all Unicode code points.
const CODES: std::ops::RangeInclusive<u32> = 0..=0x10_ffff;

/// The class of each code point in a Unicode property, as an index into a list of class names.
type Classes = BTreeMap<u32, usize>;

/// Returns each code point's class in a Unicode property, such as the general category, as an index of `names`.
fn classes<'n>(
    data: &Data,
    unicode: &str,
    property: &str,
    names: impl Iterator<Item = (usize, &'n str)>,
) -> Result<Classes, String> {
    let known = data.names(unicode, property)?;
    let mut all = Classes::new();
    for (at, name) in names.filter(|(_, name)| known.iter().any(|one| one == name)) {
        for (first, last) in data.ranges(unicode, &format!("{property}/{name}"))? {
            for code in first..=last {
                if all.insert(code, at).is_some() {
                    return Err(format!("{code:#x} of {unicode} is in two of {property}"));
                }
            }
        }
    }
    Ok(all)
}

/// Writes a table of runs as a constant: the first code point of each run of one class, with the class in the low 8 bits.
fn runs(out: &mut String, about: &str, name: &str, class: impl Fn(u32) -> usize) {
    let _ = write!(out, "\n/// {about}\n#[rustfmt::skip]\npub(crate) const {name}: &[u32] = &[");
    let (mut before, mut count) = (None, 0);
    for code in CODES {
        let now = class(code);
        if before == Some(now) {
            continue;
        }
        before = Some(now);
        let space = if count % 10 == 0 { "\n    " } else { " " };
        let _ = write!(out, "{space}{:#x},", code << 8 | now as u32);
        count += 1;
    }
    out.push_str("\n];\n");
}

/// Writes the runs of code points whose class `new` differs from `old` as a constant: each has its start, with the class in the
/// low 8 bits, and its end.
fn changes(
    out: &mut String,
    about: &str,
    name: &str,
    old: impl Fn(u32) -> usize,
    new: impl Fn(u32) -> usize,
) {
    let mut rows: Vec<(u32, u32, usize)> = Vec::new();
    for code in CODES {
        let now = new(code);
        if now == old(code) {
            continue;
        }
        match rows.last_mut() {
            Some(last) if last.1 + 1 == code && last.2 == now => last.1 = code,
            _ => rows.push((code, code, now)),
        }
    }
    let _ =
        write!(out, "\n/// {about}\n#[rustfmt::skip]\npub(crate) const {name}: &[(u32, u32)] = &[");
    for (index, (first, last, class)) in rows.iter().enumerate() {
        let space = if index % 5 == 0 { "\n    " } else { " " };
        let _ = write!(out, "{space}({:#x}, {last:#x}),", first << 8 | *class as u32);
    }
    out.push_str("\n];\n");
}

/// Writes a list of names as a Rust constant.
fn names(out: &mut String, about: &str, name: &str, all: &[String]) {
    let _ = write!(out, "\n/// {about}\n#[rustfmt::skip]\npub(crate) const {name}: &[&str] = &[");
    for (index, one) in all.iter().enumerate() {
        let space = if index % 6 == 0 { "\n    " } else { " " };
        let _ = write!(out, "{space}\"{one}\",");
    }
    out.push_str("\n];\n");
}

/// Returns the tables of categories and scripts of the version `older`, and of what `newer` changes, as Rust code.
pub(super) fn tables(data: &Data, older: &str, newer: &str) -> Result<String, String> {
    let mut out = format!(
        "//! {HEADER}\n//! Categories and scripts by Unicode {older}, and what Unicode {newer} has otherwise.\n"
    );
    let categories = |unicode: &str| {
        let long = CATEGORIES.iter().enumerate().map(|(at, (_, long))| (at, *long));
        classes(data, unicode, "General_Category", long)
    };
    let unassigned = CATEGORIES.iter().position(|(short, _)| *short == "Cn").unwrap_or_default();
    let (old, new) = (categories(older)?, categories(newer)?);
    let of = |all: &Classes, code: u32| all.get(&code).copied().unwrap_or(unassigned);
    let short: Vec<String> = CATEGORIES.iter().map(|(short, _)| (*short).to_owned()).collect();
    names(&mut out, "The categories, by the numbers that stand for them.", "CATEGORIES", &short);
    let about = "Where each run of one category begins, and the category in the lowest eight bits.";
    runs(&mut out, about, "CATEGORY", |code| of(&old, code));
    let about = format!(
        "First of each run that Unicode {newer} has otherwise, with its category, and last."
    );
    changes(&mut out, &about, "CATEGORY_17", |code| of(&old, code), |code| of(&new, code));

    let mut all = data.names(newer, "Script")?;
    all.retain(|name| !NO_SCRIPTS.contains(&&**name));
    all.insert(0, String::new());
    let scripts = |unicode: &str| {
        let numbered = all.iter().enumerate().skip(1).map(|(at, name)| (at, &**name));
        classes(data, unicode, "Script", numbered)
    };
    let (old, new) = (scripts(older)?, scripts(newer)?);
    let of = |all: &Classes, code: u32| all.get(&code).copied().unwrap_or(0);
    names(
        &mut out,
        "The scripts, by the numbers that stand for them; the first is none.",
        "SCRIPTS",
        &all,
    );
    let about = "Where each run of one script begins, and the script in the lowest eight bits.";
    runs(&mut out, about, "SCRIPT", |code| of(&old, code));
    let about =
        format!("First of each run that Unicode {newer} has otherwise, with its script, and last.");
    changes(&mut out, &about, "SCRIPT_17", |code| of(&old, code), |code| of(&new, code));
    Ok(out)
}
