//! Digests of a host's answers, of 128 bits: stable for all runs of one build, and the same for a file however it was read.

use std::hash::{Hash, Hasher};
use std::io::Read;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use groma_runtime::HostError;
use rustc_hash::{FxHashMap, FxHasher};

/// A 128-bit digest of a host's answer, as two halves.
pub(crate) type AnswerDigest = (u64, u64);

/// Returns a 128-bit digest of any hashable value in hexadecimal, the same in all runs of one build.
pub fn hex_digest(value: &impl Hash) -> String {
    let (one, other) = digest(value);
    format!("{one:016x}{other:016x}")
}

/// Returns a 128-bit digest of any hashable value, the same in all runs of one build.
pub(crate) fn digest(answer: &impl Hash) -> AnswerDigest {
    // Two hash functions, because one of 64 bits collides too easily.
    let mut one = std::hash::DefaultHasher::new();
    let mut other = FxHasher::default();
    answer.hash(&mut one);
    answer.hash(&mut other);
    (one.finish(), other.finish())
}

/// Returns the digest of a host's answer, or of the error message if the request failed.
pub(crate) fn result_digest<T: Hash>(answer: &Result<T, HostError>) -> AnswerDigest {
    match answer {
        Ok(answer) => digest(answer),
        Err(why) => digest(&why.to_string()),
    }
}

/// A 128-bit digest of bytes that arrive in pieces, the same however they are divided into pieces.
#[derive(Default)]
pub(crate) struct PieceDigest {
    one: std::hash::DefaultHasher,
    other: u64,
    /// The last bytes if they do not fill a word of eight bytes yet.
    word: u64,
    length: u64,
}

impl PieceDigest {
    /// Adds the next bytes to the digest.
    pub(crate) fn add(&mut self, bytes: &[u8]) {
        self.one.write(bytes);
        let begun = (self.length % 8) as usize;
        let missing = if begun == 0 { 0 } else { 8 - begun };
        let (first, rest) = bytes.split_at(missing.min(bytes.len()));
        first.iter().for_each(|byte| self.add_byte(*byte));
        let words = rest.chunks_exact(8);
        let last = words.remainder();
        for word in words {
            let bytes: [u8; 8] = word.try_into().unwrap_or_default();
            self.mix(u64::from_le_bytes(bytes));
            self.length += 8;
        }
        last.iter().for_each(|byte| self.add_byte(*byte));
    }

    /// Adds one byte to the incomplete word of eight bytes, and mixes that into the digest once it is complete.
    fn add_byte(&mut self, byte: u8) {
        self.word |= u64::from(byte) << (8 * (self.length % 8));
        self.length += 1;
        if self.length.is_multiple_of(8) {
            let word = std::mem::take(&mut self.word);
            self.mix(word);
        }
    }

    /// Mixes a word of eight bytes into the second half of the digest.
    fn mix(&mut self, word: u64) {
        self.other = (self.other.rotate_left(5) ^ word).wrapping_mul(0x517c_c1b7_2722_0a95);
    }

    /// Returns the digest of all bytes added so far.
    pub(crate) fn finish(&self) -> AnswerDigest {
        let mut other = self.other;
        other = (other.rotate_left(5) ^ self.word).wrapping_mul(0x517c_c1b7_2722_0a95);
        (self.one.finish(), other ^ self.length)
    }
}

/// Returns the digest of a host's answer to reading a whole file: of the content, or of the error message.
pub(crate) fn read(answer: &Result<Vec<u8>, HostError>) -> AnswerDigest {
    match answer {
        Ok(bytes) => {
            let mut all = PieceDigest::default();
            all.add(bytes);
            all.finish()
        }
        Err(why) => digest(&why.to_string()),
    }
}

/// Reads a file's content in pieces, and returns its digest or that of the error message.
pub(crate) fn digest_of_pieces(mut pieces: Box<dyn Read + Send>) -> AnswerDigest {
    let mut all = PieceDigest::default();
    let mut piece = vec![0; 64 << 10];
    loop {
        match pieces.read(&mut piece) {
            Ok(0) => return all.finish(),
            Ok(count) => all.add(&piece[..count]),
            Err(why) => return digest(&why.to_string()),
        }
    }
}

/// Maximum number of cached digests of texts in memory; beyond it the cache is emptied.
const HELD_LIMIT: usize = 1 << 14;

/// A cache of the digests of texts in memory, such as open documents, by memory address: each text is digested once, however
/// often it is read.
#[derive(Default)]
pub(crate) struct HeldDigests(Mutex<FxHashMap<usize, HeldText>>);

/// A cached digest of a text in memory, with a weak reference to the text.
struct HeldText {
    text: Weak<[u8]>,
    digest: AnswerDigest,
}

impl HeldDigests {
    /// Returns the digest of a text in memory, computed on first use.
    pub(crate) fn of(&self, text: &Arc<[u8]>) -> AnswerDigest {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if known.len() >= HELD_LIMIT {
            known.clear();
        }
        // The weak reference keeps the address from being used for another text.
        let own = known.entry(Arc::as_ptr(text).addr()).or_insert_with(|| {
            let mut all = PieceDigest::default();
            all.add(text);
            HeldText { text: Arc::downgrade(text), digest: all.finish() }
        });
        own.digest
    }

    /// Removes the digests of texts that are no longer in memory.
    pub(crate) fn prune(&self) {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        known.retain(|_, own| own.text.strong_count() > 0);
    }
}

#[cfg(test)]
mod tests {
    use super::PieceDigest;

    #[test]
    fn a_digest_is_the_same_whatever_the_pieces_are() {
        let bytes: Vec<u8> = (0..1000_u32).map(|at| (at * 7 % 251) as u8).collect();
        let of = |size: usize| {
            let mut digest = PieceDigest::default();
            bytes.chunks(size).for_each(|piece| digest.add(piece));
            digest.finish()
        };
        for size in [1, 3, 7, 8, 9, 64, 999] {
            assert_eq!(of(size), of(1000), "{size}");
        }
        let mut other = PieceDigest::default();
        other.add(&bytes[..999]);
        assert_ne!(other.finish(), of(1000));
    }
}
