//! Search for words in whole texts, to decide if a text needs parsing. Words in comments count, too.

use rustc_hash::FxHashMap;

/// Index of words to search for in texts, each with associated data; filters candidates by first byte and length.
pub(crate) struct WordIndex<T> {
    all: FxHashMap<&'static str, Vec<T>>,
    /// For each first byte, the lengths of its words, as a bit set.
    lengths: [u64; 256],
}

/// For each byte, true if a name may contain it.
const IS_PART: [bool; 256] = {
    let mut is_part = [false; 256];
    let mut at = 0;
    while at < 256 {
        is_part[at] = (at as u8).is_ascii_alphanumeric() || at as u8 == b'_';
        at += 1;
    }
    is_part
};

/// Returns the bit that stands for a word length in a set of lengths kept as a mask; all lengths above 62 share the highest
/// bit.
fn length_bit(length: usize) -> u64 {
    1 << length.min(63)
}

impl<T> WordIndex<T> {
    /// Builds an index of these words with their data.
    pub(crate) fn of(words: impl Iterator<Item = (&'static str, T)>) -> WordIndex<T> {
        let (mut all, mut lengths) = (FxHashMap::<_, Vec<T>>::default(), [0; 256]);
        for (word, known) in words {
            if let Some(first) = word.bytes().next() {
                lengths[usize::from(first)] |= length_bit(word.len());
                all.entry(word).or_default().push(known);
            }
        }
        WordIndex { all, lengths }
    }

    /// Returns true if a text contains, as a whole word, an indexed word whose data satisfies `counts`.
    pub(crate) fn are_in(&self, text: &str, counts: impl Fn(&T) -> bool) -> bool {
        let text = without_heading(text);
        let bytes = text.as_bytes();
        let is_part = |byte: &u8| IS_PART[usize::from(*byte)];
        let mut at = 0;
        while let Some(&first) = bytes.get(at) {
            if !is_part(&first) {
                at += 1;
                continue;
            }
            let rest = &bytes[at..];
            let length = rest.iter().position(|byte| !is_part(byte)).unwrap_or(rest.len());
            if self.lengths[usize::from(first)] & length_bit(length) != 0
                && let Some(word) = text.get(at..at + length)
                && self.all.get(word).is_some_and(|known| known.iter().any(&counts))
            {
                return true;
            }
            at += length + 1;
        }
        false
    }
}

/// Returns a text without the comments at its start, since a licence header contains many words.
fn without_heading(text: &str) -> &str {
    let mut rest = text;
    loop {
        rest = rest.trim_start();
        let end = match rest {
            _ if rest.starts_with('#') || rest.starts_with("//") => rest.find('\n'),
            _ if rest.starts_with("/*") => rest.find("*/").map(|at| at + 2),
            _ => return rest,
        };
        rest = end.map_or("", |end| &rest[end..]);
    }
}

#[cfg(test)]
mod tests {
    use super::WordIndex;

    /// Tests that words are found as whole words, and not in the comments at the start of a text.
    #[test]
    fn a_word_counts_where_it_may_mean_something() {
        let words = WordIndex::of([("try", 1), ("language", 2), ("language", 3)].into_iter());
        let has = |text: &str, least: i32| words.are_in(text, |known| *known >= least);
        assert!(has("a = try(b)", 1));
        assert!(!has("a = try(b)", 2));
        assert!(has("a = 1 # language", 3));
        assert!(!has("a = 1 # language", 4));
        assert!(!has("a = retry(b) + tryst", 1));
        // A licence header precedes all code.
        assert!(!has("# the language\n\n  // try\n/* try\n */ a = 1", 1));
        assert!(has("/* try */ language {}", 1));
        assert!(!has("/* try", 1));
        assert!(has("/*/ try */ try", 1));
        assert!(!has("# try", 1));
    }
}
