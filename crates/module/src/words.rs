//! Words that are looked for in whole texts, to tell whether a text is worth parsing. A word in a comment counts too.

use rustc_hash::FxHashSet;

/// Words to look for. Every text is searched for them, so that most words are told apart by how they begin and how long
/// they are.
pub(crate) struct Words {
    all: FxHashSet<&'static str>,
    /// For each first byte the lengths of the words that begin so, as bits.
    lengths: [u64; 256],
}

/// Which bytes names are made of.
const IS_PART: [bool; 256] = {
    let mut is_part = [false; 256];
    let mut at = 0;
    while at < 256 {
        is_part[at] = (at as u8).is_ascii_alphanumeric() || at as u8 == b'_';
        at += 1;
    }
    is_part
};

fn length_bit(length: usize) -> u64 {
    1 << length.min(63)
}

impl Words {
    pub(crate) fn of(words: impl Iterator<Item = &'static str>) -> Words {
        let (mut all, mut lengths) = (FxHashSet::default(), [0; 256]);
        for word in words {
            if let Some(first) = word.bytes().next() {
                lengths[usize::from(first)] |= length_bit(word.len());
                all.insert(word);
            }
        }
        Words { all, lengths }
    }

    /// Whether one of them is in a text, as a whole word.
    pub(crate) fn are_in(&self, text: &str) -> bool {
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
                && text.get(at..at + length).is_some_and(|word| self.all.contains(word))
            {
                return true;
            }
            at += length + 1;
        }
        false
    }
}
