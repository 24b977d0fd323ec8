//! Case mapping of one character to one: `ß` has no upper case here. Case folding is that of regular expressions: `K`, `k` and
//! the Kelvin sign are equal.

use std::sync::LazyLock;

use crate::UnicodeVersion;
use crate::generated::case::{
    FOLDED, FOLDED_17, LOWER, LOWER_17, TITLE, TITLE_17, UPPER, UPPER_17,
};

/// A sorted table of pairs: the code point of a character, and that of its counterpart.
type Pairs = &'static [(u32, u32)];

/// Returns the simple upper case of a character; the character itself if it has none.
pub fn simple_upper(character: char, unicode: UnicodeVersion) -> char {
    if character.is_ascii() {
        return character.to_ascii_uppercase();
    }
    find(UPPER, UPPER_17, character, unicode).unwrap_or(character)
}

/// Returns the simple lower case of a character; the character itself if it has none.
pub fn simple_lower(character: char, unicode: UnicodeVersion) -> char {
    if character.is_ascii() {
        return character.to_ascii_lowercase();
    }
    find(LOWER, LOWER_17, character, unicode).unwrap_or(character)
}

/// Returns the title case of a character: its upper case except for digraphs such as `ǆ`.
pub fn simple_title(character: char, unicode: UnicodeVersion) -> char {
    if character.is_ascii() {
        return character.to_ascii_uppercase();
    }
    find(TITLE, TITLE_17, character, unicode).unwrap_or_else(|| simple_upper(character, unicode))
}

/// Returns the case-folded form of a character, which its upper, lower and title case share: `k` for `K` and the Kelvin sign.
fn folded(character: char, unicode: UnicodeVersion) -> char {
    find(FOLDED, FOLDED_17, character, unicode).unwrap_or_else(|| simple_lower(character, unicode))
}

/// Returns the counterpart of a character in the table `pairs`, or since Unicode 17 in `added`; `None` if it has none.
fn find(pairs: Pairs, added: Pairs, character: char, unicode: UnicodeVersion) -> Option<char> {
    let in_pairs = |pairs: Pairs| {
        let found = pairs.binary_search_by_key(&u32::from(character), |(from, _)| *from).ok()?;
        char::from_u32(pairs.get(found)?.1)
    };
    let added = if unicode >= UnicodeVersion::V17 { added } else { &[] };
    in_pairs(pairs).or_else(|| in_pairs(added))
}

/// The characters that have other cases, each with its case-folded form, in two orders: by character, and by that form.
struct CaseClasses {
    by_character: Vec<(char, char)>,
    by_class: Vec<(char, char)>,
}

impl CaseClasses {
    /// Collects the characters of a Unicode version that have several cases.
    fn of(unicode: UnicodeVersion) -> CaseClasses {
        let mut kinds: Vec<(char, char)> = Vec::new();
        let ascii = ('A'..='Z').map(u32::from);
        let tables = [LOWER, LOWER_17, FOLDED, FOLDED_17];
        let listed = tables.iter().flat_map(|table| table.iter().map(|(from, _)| *from));
        for character in ascii.chain(listed).filter_map(char::from_u32) {
            let kind = folded(character, unicode);
            if kind != character {
                kinds.extend([(character, kind), (kind, kind)]);
            }
        }
        kinds.sort_unstable();
        kinds.dedup();
        let mut by_class = kinds.clone();
        by_class.sort_unstable_by_key(|(character, kind)| (*kind, *character));
        CaseClasses { by_character: kinds, by_class }
    }

    /// Returns the characters of a Unicode version that have several cases, collected once.
    fn known(unicode: UnicodeVersion) -> &'static CaseClasses {
        /// The characters with several cases in Unicode 13 and 15, which agree.
        static V15: LazyLock<CaseClasses> = LazyLock::new(|| CaseClasses::of(UnicodeVersion::V15));
        /// The characters with several cases in Unicode 17.
        static V17: LazyLock<CaseClasses> = LazyLock::new(|| CaseClasses::of(UnicodeVersion::V17));
        match unicode {
            UnicodeVersion::V13 | UnicodeVersion::V15 => &V15,
            UnicodeVersion::V17 => &V17,
        }
    }
}

/// Iterates over the characters that equal a character from `first` to `last` except for case, itself included. Characters
/// without other cases are left out.
pub fn equivalents(first: char, last: char, unicode: UnicodeVersion) -> impl Iterator<Item = char> {
    let CaseClasses { by_character, by_class } = CaseClasses::known(unicode);
    let start = by_character.partition_point(|(character, _)| *character < first);
    let within = by_character.iter().skip(start).take_while(move |(one, _)| *one <= last);
    within.flat_map(|(_, kind)| {
        let start = by_class.partition_point(|(_, one)| one < kind);
        by_class.iter().skip(start).take_while(move |(_, one)| one == kind).map(|(one, _)| *one)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folds_as_patterns_do() {
        let all = |of: char, unicode| equivalents(of, of, unicode).collect::<String>();
        assert_eq!(all('k', UnicodeVersion::V15), "Kk\u{212a}");
        assert_eq!(all('\u{3c3}', UnicodeVersion::V15), "Σςσ");
        assert_eq!(all('ß', UnicodeVersion::V15), "ßẞ");
        assert_eq!(all('\u{13a0}', UnicodeVersion::V15), "\u{13a0}\u{ab70}");
        // It folds to what takes two characters.
        assert_eq!(all('İ', UnicodeVersion::V15), "");
        assert_eq!(all('1', UnicodeVersion::V15), "");
    }

    #[test]
    fn newer_letters() {
        // Garay came with Unicode 16.
        assert_eq!(simple_lower('\u{10d50}', UnicodeVersion::V15), '\u{10d50}');
        assert_eq!(simple_lower('\u{10d50}', UnicodeVersion::V17), '\u{10d70}');
        assert_eq!(simple_upper('\u{10d70}', UnicodeVersion::V17), '\u{10d50}');
        assert_eq!(simple_title('\u{10d70}', UnicodeVersion::V17), '\u{10d50}');
        assert_eq!(equivalents('\u{10d70}', '\u{10d70}', UnicodeVersion::V15).count(), 0);
        assert_eq!(equivalents('\u{10d70}', '\u{10d70}', UnicodeVersion::V17).count(), 2);
    }
}
