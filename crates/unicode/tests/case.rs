//! Case, one character for one.

use groma_unicode::{UnicodeVersion, simple_lower, simple_title, simple_upper};

#[test]
fn one_character_for_one() {
    let all = |text: &str, map: fn(char, UnicodeVersion) -> char| {
        text.chars().map(|c| map(c, UnicodeVersion::V15)).collect::<String>()
    };
    assert_eq!(all("straße ﬁ éß", simple_upper), "STRAßE ﬁ Éß");
    assert_eq!(all("ᾳ ǆ ı", simple_upper), "ᾼ Ǆ I");
    assert_eq!(all("ΑΣ İ K Å", simple_lower), "ας i k å".replace('ς', "σ"));
    assert_eq!(all("ǆ ǲ ა ß é", simple_title), "ǅ ǲ ა ß É");
    assert_eq!(simple_upper('\u{10d0}', UnicodeVersion::V15), '\u{1c90}');
}

#[test]
fn agrees_with_newer_tables_on_old_characters() {
    let one = |mut mapped: Box<dyn Iterator<Item = char>>, own: char| {
        let first = mapped.next();
        if mapped.next().is_some() { own } else { first.unwrap_or(own) }
    };
    // These blocks no longer change: Latin-1, Latin Extended-A, Greek, Cyrillic.
    for character in ('\u{0}'..='\u{17f}').chain('\u{370}'..='\u{527}') {
        for unicode in [UnicodeVersion::V15, UnicodeVersion::V17] {
            let (lower, upper) =
                (simple_lower(character, unicode), simple_upper(character, unicode));
            assert_eq!(lower, one(Box::new(character.to_lowercase()), lower), "{character:?}");
            assert_eq!(upper, one(Box::new(character.to_uppercase()), upper), "{character:?}");
        }
    }
}
