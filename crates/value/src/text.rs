//! Strings of the language. A [`Str`] is always in Unicode Normal Form C: texts that differ only in composition are the same
//! bytes, so bytes can be compared. A concatenation may leave the normal form: build a `String` and convert it. A run of more
//! than thirty combining marks is broken by U+034F, as in the reference programs (the stream-safe format of UAX 15).
use std::borrow::{Borrow, Cow};
use std::fmt;
use std::ops::Deref;

use lean_string::LeanStr;
use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfc_stream_safe_quick};

/// A string in Unicode Normal Form C, in two words: cheap to clone, short texts inline, ordered by bytes.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Str(LeanStr);

// A value is not larger than a string: its other variants use final bytes that no string has.
/// Compile-time check that strings stay two words.
const _: () = assert!(
    size_of::<Str>() == 2 * size_of::<usize>() && size_of::<Option<Str>>() == size_of::<Str>()
);

impl Str {
    /// Returns the empty string.
    pub const fn new() -> Str {
        Str(LeanStr::new())
    }

    /// Returns a string from a constant text, brought to Normal Form C if necessary.
    pub fn from_static(text: &'static str) -> Str {
        if is_composed(text) { Str(LeanStr::from_static_str(text)) } else { Str::from(text) }
    }

    /// Returns the string with its ASCII letters in lower case.
    pub fn to_ascii_lowercase(&self) -> Str {
        Str(self.0.to_ascii_lowercase())
    }

    /// Returns the string with its ASCII letters in upper case.
    pub fn to_ascii_uppercase(&self) -> Str {
        Str(self.0.to_ascii_uppercase())
    }

    /// Returns the string as a slice.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Returns true if a quick check shows that a text is in Normal Form C already.
fn is_composed(text: &str) -> bool {
    text.is_ascii() || is_nfc_stream_safe_quick(text.chars()) == IsNormalized::Yes
}

impl Deref for Str {
    type Target = str;
    fn deref(&self) -> &str {
        &self.0
    }
}

impl AsRef<str> for Str {
    fn as_ref(&self) -> &str {
        &self.0
    }
}

impl Borrow<str> for Str {
    fn borrow(&self) -> &str {
        &self.0
    }
}

impl From<&str> for Str {
    fn from(text: &str) -> Str {
        if is_composed(text) { Str(text.into()) } else { Str(text.stream_safe().nfc().collect()) }
    }
}

impl From<&String> for Str {
    fn from(text: &String) -> Str {
        Str::from(text.as_str())
    }
}

impl From<String> for Str {
    fn from(text: String) -> Str {
        Str::from(text.as_str())
    }
}

impl From<LeanStr> for Str {
    fn from(text: LeanStr) -> Str {
        if is_composed(&text) { Str(text) } else { Str(text.stream_safe().nfc().collect()) }
    }
}

impl From<Cow<'_, str>> for Str {
    fn from(text: Cow<'_, str>) -> Str {
        Str::from(&*text)
    }
}

impl From<char> for Str {
    fn from(character: char) -> Str {
        Str::from(&*character.encode_utf8(&mut [0; 4]))
    }
}

impl FromIterator<char> for Str {
    fn from_iter<I: IntoIterator<Item = char>>(characters: I) -> Str {
        Str::from(characters.into_iter().collect::<LeanStr>())
    }
}

impl From<Str> for String {
    fn from(text: Str) -> String {
        text.0.into()
    }
}

impl From<&Str> for String {
    fn from(text: &Str) -> String {
        text.as_str().to_owned()
    }
}

impl PartialEq<str> for Str {
    fn eq(&self, other: &str) -> bool {
        self.as_str() == other
    }
}

impl PartialEq<&str> for Str {
    fn eq(&self, other: &&str) -> bool {
        self.as_str() == *other
    }
}

impl PartialEq<Str> for str {
    fn eq(&self, other: &Str) -> bool {
        self == other.as_str()
    }
}

impl PartialEq<Str> for &str {
    fn eq(&self, other: &Str) -> bool {
        *self == other.as_str()
    }
}

impl fmt::Display for Str {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self.as_str(), out)
    }
}

impl fmt::Debug for Str {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.as_str(), out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Tests that every constructor normalises its text.
    #[test]
    fn composes_what_comes_in() {
        let composed = Str::from("caf\u{e9}");
        assert_eq!(Str::from("cafe\u{301}"), composed);
        assert_eq!(Str::from(String::from("cafe\u{301}")), composed);
        assert_eq!(Str::from(LeanStr::from("cafe\u{301}")), composed);
        assert_eq!(Str::from('\u{212b}'), "\u{c5}");
        assert_eq!(Str::from("\u{1100}\u{1161}"), "\u{ac00}");
    }

    /// Tests that a run of more than thirty combining marks is broken by U+034F.
    #[test]
    fn breaks_long_runs_of_marks() {
        let text = Str::from(format!("a{}", "\u{301}".repeat(40)));
        let marks = |count| "\u{301}".repeat(count);
        assert_eq!(text.as_str(), format!("\u{e1}{}\u{34f}{}", marks(29), marks(10)));
        assert_eq!(Str::from(text.as_str()), text);
    }

    /// Tests that strings are ordered by their UTF-8 bytes.
    #[test]
    fn orders_by_bytes() {
        let mut texts = ["\u{10000}", "\u{ffff}", "\u{e9}", "a", "Z"].map(Str::from);
        texts.sort();
        assert_eq!(texts, ["Z", "a", "\u{e9}", "\u{ffff}", "\u{10000}"]);
    }
}
