//! Grapheme clusters, the units that a reader perceives as one character. The rules are those of a fixed Unicode version, so
//! that lengths agree with the reference programs: before Unicode 17 there is no rule for Indic conjuncts, and `क्ष` is
//! two clusters. Those older rules differ from the standard in two details, as in the reference programs: U+FFFD joins nothing,
//! and a joiner attaches a pictograph to Hangul and flags, too.
use crate::boundary::ClusterBreak;
use crate::generated::{grapheme_13, grapheme_15, grapheme_17};

pub use crate::version::UnicodeVersion;

/// Returns the grapheme clusters of a text, in order.
pub fn graphemes(text: &str, unicode: UnicodeVersion) -> Graphemes<'_> {
    Graphemes { rest: text, unicode }
}

/// Returns the number of grapheme clusters in a text.
pub fn count(text: &str, unicode: UnicodeVersion) -> usize {
    if text.is_ascii() {
        let bytes = text.as_bytes();
        if !bytes.contains(&b'\r') {
            return bytes.len();
        }
        return bytes.len() - bytes.windows(2).filter(|pair| pair == b"\r\n").count();
    }
    graphemes(text, unicode).count()
}

/// An iterator over the grapheme clusters of a text: see [`graphemes`].
#[derive(Clone, Debug)]
pub struct Graphemes<'t> {
    rest: &'t str,
    unicode: UnicodeVersion,
}

impl<'t> Graphemes<'t> {
    /// Returns the rest of the text after the clusters returned so far.
    pub fn as_str(&self) -> &'t str {
        self.rest
    }
}

impl<'t> Iterator for Graphemes<'t> {
    type Item = &'t str;

    fn next(&mut self) -> Option<&'t str> {
        let (cluster, rest) = self.rest.split_at(first_end(self.rest, self.unicode)?);
        self.rest = rest;
        Some(cluster)
    }
}

impl std::iter::FusedIterator for Graphemes<'_> {}

/// Returns the byte offset at which the first cluster of a text ends; `None` for an empty text.
fn first_end(text: &str, unicode: UnicodeVersion) -> Option<usize> {
    match text.as_bytes() {
        [] => return None,
        [b'\r', b'\n', ..] => return Some(2),
        [first, second, ..] if first.is_ascii() && second.is_ascii() => return Some(1),
        _ => {}
    }
    if unicode >= UnicodeVersion::V17 {
        return first_end_by_standard(text, unicode);
    }
    let mut characters = text.char_indices();
    let (_, first) = characters.next()?;
    let mut before = class(first, unicode);
    let mut glue = before.glues();
    let mut flags = usize::from(before == ClusterBreak::RegionalIndicator);
    for (index, character) in characters {
        let after = class(character, unicode);
        let pictures = glue && before == ClusterBreak::Joiner && after == ClusterBreak::Picture;
        let flag = flags % 2 == 1 && after == ClusterBreak::RegionalIndicator;
        if !joins(before, after) && !pictures && !flag {
            return Some(index);
        }
        glue |= after.glues();
        flags = if after == ClusterBreak::RegionalIndicator { flags + 1 } else { 0 };
        before = after;
    }
    Some(text.len())
}

/// The sequence at the end of the text read so far that decides if the next character continues the cluster.
#[derive(Clone, Copy)]
enum OpenSequence {
    Nothing,
    /// The first half of a flag.
    Flag,
    /// A pictograph with its extensions.
    Picture,
    /// A pictograph with its extensions and a joiner at the end.
    JoinedPicture,
    /// A consonant with its extensions.
    Consonant,
    /// A consonant with its extensions, a linker among them.
    Conjunct,
}

impl OpenSequence {
    /// Returns the sequence at the end of the text, which decides if a cluster goes on, after one more character of class `next`.
    fn with(self, next: ClusterBreak) -> OpenSequence {
        match (self, next) {
            (_, ClusterBreak::Picture) => OpenSequence::Picture,
            (_, ClusterBreak::Consonant) => OpenSequence::Consonant,
            (OpenSequence::Nothing, ClusterBreak::RegionalIndicator) => OpenSequence::Flag,
            (OpenSequence::Picture, ClusterBreak::Joiner) => OpenSequence::JoinedPicture,
            (
                OpenSequence::Picture,
                ClusterBreak::Extend | ClusterBreak::Linker | ClusterBreak::NonJoiner,
            ) => OpenSequence::Picture,
            (OpenSequence::Consonant | OpenSequence::Conjunct, ClusterBreak::Linker)
            | (OpenSequence::Conjunct, ClusterBreak::Extend | ClusterBreak::Joiner) => {
                OpenSequence::Conjunct
            }
            (OpenSequence::Consonant, ClusterBreak::Extend | ClusterBreak::Joiner) => {
                OpenSequence::Consonant
            }
            _ => OpenSequence::Nothing,
        }
    }

    /// Returns true if a character of the class `next` continues the sequence, and so the cluster that ends with it.
    fn is_continued_by(self, next: ClusterBreak) -> bool {
        matches!(
            (self, next),
            (OpenSequence::Flag, ClusterBreak::RegionalIndicator)
                | (OpenSequence::JoinedPicture, ClusterBreak::Picture)
                | (OpenSequence::Conjunct, ClusterBreak::Consonant)
        )
    }
}

/// Returns the byte offset at which the first cluster of a text ends by the rules of Unicode 17, which keep conjuncts together;
/// `None` for an empty text.
fn first_end_by_standard(text: &str, unicode: UnicodeVersion) -> Option<usize> {
    let mut characters = text.char_indices();
    let mut before = class(characters.next()?.1, unicode);
    let mut sequence = OpenSequence::Nothing.with(before);
    for (index, character) in characters {
        let after = class(character, unicode);
        if !joins(before, after) && !sequence.is_continued_by(after) {
            return Some(index);
        }
        sequence = sequence.with(after);
        before = after;
    }
    Some(text.len())
}

/// Returns true if two neighbouring characters of these classes belong to one cluster, whatever is around them.
fn joins(before: ClusterBreak, after: ClusterBreak) -> bool {
    match (before, after) {
        (ClusterBreak::Control, _) | (_, ClusterBreak::Control) => false,
        (
            _,
            ClusterBreak::Extend
            | ClusterBreak::Linker
            | ClusterBreak::NonJoiner
            | ClusterBreak::Joiner
            | ClusterBreak::SpacingMark,
        )
        | (ClusterBreak::Prepend, _) => true,
        (
            ClusterBreak::HangulL,
            ClusterBreak::HangulL
            | ClusterBreak::HangulV
            | ClusterBreak::HangulLv
            | ClusterBreak::HangulLvt,
        )
        | (
            ClusterBreak::HangulLv | ClusterBreak::HangulV,
            ClusterBreak::HangulV | ClusterBreak::HangulT,
        )
        | (ClusterBreak::HangulLvt | ClusterBreak::HangulT, ClusterBreak::HangulT) => true,
        _ => false,
    }
}

/// Returns the grapheme break class of a character.
fn class(character: char, unicode: UnicodeVersion) -> ClusterBreak {
    let code = u32::from(character);
    if character.is_ascii() {
        return if character.is_ascii_control() {
            ClusterBreak::Control
        } else {
            ClusterBreak::Other
        };
    }
    // Before Unicode 17 the reference programs take U+FFFD for invalid bytes, so it joins nothing.
    if character == char::REPLACEMENT_CHARACTER && unicode < UnicodeVersion::V17 {
        return ClusterBreak::Control;
    }
    // Hangul syllables are ordered by their parts, with 28 final consonants each, of which the first is none.
    if ('\u{ac00}'..='\u{d7a3}').contains(&character) {
        return if (code - 0xac00) % 28 == 0 {
            ClusterBreak::HangulLv
        } else {
            ClusterBreak::HangulLvt
        };
    }
    let listed = |table: &[(u32, u32, ClusterBreak)]| {
        let index = table.partition_point(|(_, last, _)| *last < code);
        table.get(index).filter(|(first, _, _)| *first <= code).map(|(_, _, class)| *class)
    };
    let class = match unicode {
        UnicodeVersion::V13 => listed(grapheme_13::BREAKS),
        UnicodeVersion::V15 => listed(grapheme_15::BREAKS),
        UnicodeVersion::V17 => listed(grapheme_17::BREAKS).or_else(|| listed(grapheme_15::BREAKS)),
    };
    class.unwrap_or(ClusterBreak::Other)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks the grapheme clusters of a text by every Unicode version.
    fn check(text: &str, want: &[&str]) {
        check_by(&[UnicodeVersion::V13, UnicodeVersion::V15, UnicodeVersion::V17], text, want);
    }

    /// Checks the grapheme clusters of a text by these Unicode versions.
    fn check_by(versions: &[UnicodeVersion], text: &str, want: &[&str]) {
        for &unicode in versions {
            let got: Vec<&str> = graphemes(text, unicode).collect();
            assert_eq!(got, want, "{text:?} by {unicode:?}");
            assert_eq!(count(text, unicode), want.len());
        }
    }

    #[test]
    fn ascii() {
        check("", &[]);
        check("ab", &["a", "b"]);
        check("a\r\nb", &["a", "\r\n", "b"]);
        check("\n\r\r\n\n", &["\n", "\r", "\r\n", "\n"]);
        check("a\u{0}b", &["a", "\0", "b"]);
    }

    #[test]
    fn marks_stay_with_their_base() {
        check("e\u{301}x", &["e\u{301}", "x"]);
        check("a\u{301}\u{308}", &["a\u{301}\u{308}"]);
        check("\n\u{301}", &["\n", "\u{301}"]);
        check("\u{301}\u{301}", &["\u{301}\u{301}"]);
        check("\u{915}\u{903}", &["\u{915}\u{903}"]);
        check("\u{600}1", &["\u{600}1"]);
        check("\u{600}\n", &["\u{600}", "\n"]);
        check("a\u{200d}b", &["a\u{200d}", "b"]);
        check("a\u{200b}b", &["a", "\u{200b}", "b"]);
    }

    #[test]
    fn conjuncts_are_apart() {
        let older = &[UnicodeVersion::V13, UnicodeVersion::V15];
        check_by(older, "क्ष", &["क्", "ष"]);
        check_by(older, "क्षि", &["क्", "षि"]);
    }

    #[test]
    fn conjuncts_are_one() {
        let newer = &[UnicodeVersion::V17];
        check_by(newer, "क्ष", &["क्ष"]);
        check_by(newer, "क्षि", &["क्षि"]);
        check_by(newer, "क्\u{200d}ष", &["क्\u{200d}ष"]);
        check_by(newer, "क्\u{200c}ष", &["क्\u{200c}", "ष"]);
        check_by(newer, "क्a", &["क्", "a"]);
        check_by(newer, "a्ष", &["a्", "ष"]);
        check_by(newer, "कष", &["क", "ष"]);
        check_by(newer, "क़्त", &["क़्त"]);
        check_by(newer, "\u{fffd}\u{301}", &["\u{fffd}\u{301}"]);
        check_by(newer, "🇩\u{200d}👩", &["🇩\u{200d}", "👩"]);
    }

    #[test]
    fn hangul() {
        check("\u{1100}\u{1161}\u{11a8}", &["\u{1100}\u{1161}\u{11a8}"]);
        check("\u{ac00}\u{11a8}\u{ac01}", &["\u{ac00}\u{11a8}", "\u{ac01}"]);
        check("\u{ac01}\u{1161}", &["\u{ac01}", "\u{1161}"]);
        check("\u{1100}\u{ac01}\u{11a8}", &["\u{1100}\u{ac01}\u{11a8}"]);
        check("\u{11a8}\u{1100}", &["\u{11a8}", "\u{1100}"]);
    }

    #[test]
    fn flags_are_pairs() {
        check("🇩🇪🇫🇷🇮", &["🇩🇪", "🇫🇷", "🇮"]);
        check("🇩\u{200d}🇪🇫", &["🇩\u{200d}", "🇪🇫"]);
        check("a🇩🇪", &["a", "🇩🇪"]);
    }

    #[test]
    fn pictures_join() {
        check("👩‍👩‍👧‍👦!", &["👩‍👩‍👧‍👦", "!"]);
        check("🤦🏽‍♂️🛑", &["🤦🏽‍♂️", "🛑"]);
        check("🛑\u{200d}a", &["🛑\u{200d}", "a"]);
        check("a\u{200d}🛑", &["a\u{200d}", "🛑"]);
        check("❤️x", &["❤️", "x"]);
        check("👍🏿👍", &["👍🏿", "👍"]);
        check("©\u{200d}®", &["©\u{200d}®"]);
    }

    #[test]
    fn where_the_references_leave_the_standard() {
        let check =
            |text, want: &[&str]| check_by(&[UnicodeVersion::V13, UnicodeVersion::V15], text, want);
        check("\u{fffd}\u{301}", &["\u{fffd}", "\u{301}"]);
        check("\u{600}\u{fffd}", &["\u{600}", "\u{fffd}"]);
        check("\u{11a8}\u{200d}©\u{e33}", &["\u{11a8}\u{200d}©\u{e33}"]);
        check("🇩\u{200d}👩", &["🇩\u{200d}👩"]);
        check("👩\u{903}\u{200d}👩", &["👩\u{903}\u{200d}👩"]);
    }

    #[test]
    fn versions_differ() {
        // A vowel sign that came with Unicode 14.
        let text = "a\u{11070}";
        assert_eq!(count(text, UnicodeVersion::V13), 2);
        assert_eq!(count(text, UnicodeVersion::V15), 1);
    }

    #[test]
    fn clusters_cover_the_text() {
        let text: String = ('\u{0}'..='\u{1ffff}').step_by(7).collect();
        for unicode in [UnicodeVersion::V13, UnicodeVersion::V15, UnicodeVersion::V17] {
            assert_eq!(graphemes(&text, unicode).collect::<String>(), text);
        }
    }
}
