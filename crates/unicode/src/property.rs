//! Categories and scripts of characters. A character that a Unicode version does not have is in the category `Cn` and has no
//! script. Surrogates are not characters, so no class contains them.

use std::ops::RangeInclusive;

use crate::UnicodeVersion;
use crate::generated::property::{CATEGORIES, CATEGORY, CATEGORY_17, SCRIPT, SCRIPT_17, SCRIPTS};

/// A character property, such as the general category: its values and the ranges of characters that have them.
struct Property {
    /// The names of the values, by their numbers.
    names: &'static [&'static str],
    /// The first code point of each range, shifted left by 8 bits, with the number of its value in those bits.
    runs: &'static [u32],
    /// The ranges with another value in Unicode 17: the first code point with the value, as in `runs`, and the last one.
    newer: &'static [(u32, u32)],
}

/// The general category of each character, such as `Lu`.
const OF_CATEGORY: Property = Property { names: CATEGORIES, runs: CATEGORY, newer: CATEGORY_17 };
/// The script of each character, such as `Greek`.
const OF_SCRIPT: Property = Property { names: SCRIPTS, runs: SCRIPT, newer: SCRIPT_17 };

/// The number after the last code point of Unicode.
const END: u32 = 0x11_0000;

impl Property {
    /// Returns the name of a property's value, whose number is in the lowest 8 bits of `packed`; empty if no value has that
    /// number.
    fn name(&self, packed: u32) -> &'static str {
        self.names.get((packed & 0xff) as usize).copied().unwrap_or_default()
    }

    /// Returns the name of the property's value for a character, such as `Lu`; empty if it has none.
    fn of(&self, character: char, unicode: UnicodeVersion) -> &'static str {
        let code = u32::from(character);
        if unicode >= UnicodeVersion::V17 {
            let at = self.newer.partition_point(|(_, last)| *last < code);
            if let Some((first, _)) = self.newer.get(at).filter(|(first, _)| first >> 8 <= code) {
                return self.name(*first);
            }
        }
        let at = self.runs.partition_point(|first| first >> 8 <= code);
        at.checked_sub(1).and_then(|at| self.runs.get(at)).map_or("", |run| self.name(*run))
    }

    /// Returns the ranges of code points, first and last, with a value that `is_meant` accepts, in order.
    fn ranges(&self, is_meant: impl Fn(&str) -> bool, unicode: UnicodeVersion) -> Vec<(u32, u32)> {
        let newer = if unicode >= UnicodeVersion::V17 { self.newer } else { &[] };
        let ends = self.runs.iter().skip(1).map(|next| next >> 8).chain([END]);
        let mut cuts = newer.iter().peekable();
        let mut all = Vec::new();
        for (run, end) in self.runs.iter().zip(ends) {
            let (mut start, keeps) = (run >> 8, is_meant(self.name(*run)));
            while let Some((first, last)) = cuts.peek().filter(|(first, _)| first >> 8 < end) {
                if keeps && start < first >> 8 {
                    all.push((start, (first >> 8) - 1));
                }
                if is_meant(self.name(*first)) {
                    all.push((start.max(first >> 8), (*last).min(end - 1)));
                }
                start = (last + 1).min(end);
                if *last >= end {
                    break;
                }
                cuts.next();
            }
            if keeps && start < end {
                all.push((start, end - 1));
            }
        }
        all
    }
}

/// Returns the general category of a character, two letters such as `Lu`.
pub fn category(character: char, unicode: UnicodeVersion) -> &'static str {
    OF_CATEGORY.of(character, unicode)
}

/// Returns the name of a character's script, such as `Greek`; empty if it has none.
pub fn script(character: char, unicode: UnicodeVersion) -> &'static str {
    OF_SCRIPT.of(character, unicode)
}

/// Iterates over the ranges of characters in the categories that `is_meant` accepts, in order.
pub fn of_categories(
    is_meant: impl Fn(&str) -> bool,
    unicode: UnicodeVersion,
) -> impl Iterator<Item = RangeInclusive<char>> {
    OF_CATEGORY.ranges(is_meant, unicode).into_iter().flat_map(characters)
}

/// Iterates over the ranges of characters in the scripts that `is_meant` accepts, in order; empty if the version has no such
/// script.
pub fn of_scripts(
    is_meant: impl Fn(&str) -> bool,
    unicode: UnicodeVersion,
) -> impl Iterator<Item = RangeInclusive<char>> {
    let is_script = move |name: &str| !name.is_empty() && is_meant(name);
    OF_SCRIPT.ranges(is_script, unicode).into_iter().flat_map(characters)
}

/// Iterates over the general categories, two letters each.
pub fn categories() -> impl Iterator<Item = &'static str> {
    CATEGORIES.iter().copied()
}

/// Returns the characters between two code points as up to two ranges, without the surrogates.
fn characters((first, last): (u32, u32)) -> impl Iterator<Item = RangeInclusive<char>> {
    let part = |first: u32, last: u32| {
        (first <= last).then_some(())?;
        Some(char::from_u32(first)?..=char::from_u32(last)?)
    };
    [part(first, last.min(0xd7ff)), part(first.max(0xe000), last)].into_iter().flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_range_is_of_what_its_characters_are() {
        for unicode in [UnicodeVersion::V15, UnicodeVersion::V17] {
            for name in categories() {
                let mut before = None;
                for range in of_categories(|one| one == name, unicode) {
                    assert!(before < Some(*range.start()), "{name} {range:?}");
                    before = Some(*range.end());
                    for character in [*range.start(), *range.end()] {
                        assert_eq!(category(character, unicode), name, "{character:?}");
                    }
                }
            }
            let all: usize = categories()
                .flat_map(|name| of_categories(move |one| one == name, unicode))
                .map(Iterator::count)
                .sum();
            assert_eq!(all, 0x11_0000 - 0x800, "{unicode:?}");
        }
    }

    #[test]
    fn versions_differ() {
        // Garay came with Unicode 16, and a letter was found to have no case.
        assert_eq!(category('\u{10d50}', UnicodeVersion::V15), "Cn");
        assert_eq!(category('\u{10d50}', UnicodeVersion::V17), "Lu");
        assert_eq!(script('\u{10d50}', UnicodeVersion::V17), "Garay");
        assert_eq!(script('\u{10d50}', UnicodeVersion::V15), "");
        assert_eq!(category('\u{295}', UnicodeVersion::V15), "Ll");
        assert_eq!(category('\u{295}', UnicodeVersion::V17), "Lo");
        assert_eq!(of_scripts(|name| name == "Garay", UnicodeVersion::V15).count(), 0);
        assert_eq!(of_scripts(|name| name == "Garay", UnicodeVersion::V17).count(), 3);
        assert_eq!(script('α', UnicodeVersion::V15), "Greek");
        assert_eq!(script('a', UnicodeVersion::V17), "Latin");
    }
}
