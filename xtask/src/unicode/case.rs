//! Generation of the case tables: one version completely, and the additions of a newer one.

use super::data::{Data, HEADER, Ranges, lacks, table};

/// The simple case mappings of a Unicode version: to upper, lower, title and folded case.
struct Case {
    upper: Ranges,
    lower: Ranges,
    title: Ranges,
    folded: Ranges,
}

impl Case {
    /// Reads the case mappings of a Unicode version.
    fn of(data: &Data, unicode: &str) -> Result<Case, String> {
        let map = |name: &str| data.mapping(unicode, name);
        let upper = map("Simple_Case_Mapping/Uppercase")?;
        let lower = map("Simple_Case_Mapping/Lowercase")?;
        let listed = map("Simple_Case_Mapping/Titlecase")?;
        // Title case equals upper case except for digraphs and characters that have an upper case only.
        let own = upper.iter().filter(|pair| lacks(&listed, pair.0)).map(|&(from, _)| (from, from));
        let differs = listed.iter().copied().filter(|pair| upper.binary_search(pair).is_err());
        let mut title: Ranges = differs.chain(own).collect();
        title.sort_unstable();
        // Folded case equals lower case except for characters with a capital of their own, or without one.
        let mut all = map("Case_Folding/C")?;
        all.extend(map("Case_Folding/S")?);
        all.sort_unstable();
        let own = lower.iter().filter(|pair| lacks(&all, pair.0)).map(|&(from, _)| (from, from));
        let differs = all.iter().copied().filter(|pair| lower.binary_search(pair).is_err());
        let mut folded: Ranges = differs.chain(own).collect();
        folded.sort_unstable();
        Ok(Case { upper, lower, title, folded })
    }
}

/// Returns the tables of the case mappings of the version `older`, and of those that `newer` adds, as Rust code.
pub(super) fn tables(data: &Data, older: &str, newer: &str) -> Result<String, String> {
    let (old, new) = (Case::of(data, older)?, Case::of(data, newer)?);
    let mut out = format!(
        "//! {HEADER}\n//! Case by Unicode {older}, one character for one, and what Unicode {newer} adds.\n"
    );
    let whole = [
        ("A character and its upper case.", "UPPER", &old.upper, &new.upper),
        ("A character and its lower case.", "LOWER", &old.lower, &new.lower),
        (
            "A character and its title case where that is not its upper case.",
            "TITLE",
            &old.title,
            &new.title,
        ),
        (
            "A character and what it is folded to where that is not its lower case.",
            "FOLDED",
            &old.folded,
            &new.folded,
        ),
    ];
    for (about, name, old, new) in whole {
        let plain = |pairs: &Ranges| -> Ranges {
            pairs.iter().copied().filter(|(from, _)| *from > 0x7f).collect()
        };
        if let Some(lost) = old.iter().find(|pair| new.binary_search(pair).is_err()) {
            return Err(format!("{newer} has not the case of {:#x} that {older} has", lost.0));
        }
        let added: Ranges =
            new.iter().copied().filter(|pair| old.binary_search(pair).is_err()).collect();
        table(&mut out, about, &format!("pub(crate) const {name}"), &plain(old));
        let about = format!("The same that Unicode {newer} adds.");
        table(&mut out, &about, &format!("pub(crate) const {name}_17"), &plain(&added));
    }
    Ok(out)
}
