//! Searches that read eight bytes at a time: the end of a run of bytes of one kind, and the hash of a name. Each kind consists
//! of ASCII bytes, so a run never ends inside a character; other bytes end a name, and belong to plain text. No text is longer
//! than [`crate::TEXT_LIMIT`]: offsets have 32 bits here.

use crate::span::Span;

/// A 64-bit word in which each byte is 1.
const LOW: u64 = 0x0101_0101_0101_0101;
/// A 64-bit word in which each byte has only its top bit set.
const HIGH: u64 = 0x80 * LOW;
/// The odd constant by which [`name_hash`] multiplies the hash of a name after every eight bytes, to mix its bits.
const MIX: u64 = 0x9e37_79b9_7f4a_7c15;

/// Returns the eight bytes from offset `at` on as a word, the first as the lowest byte; `None` if fewer are left. A 32-bit
/// offset needs only one bounds check.
#[inline(always)]
fn eight(bytes: &[u8], at: u32) -> Option<u64> {
    let at = at as usize;
    let chunk = bytes.get(at..at + 8)?.first_chunk::<8>()?;
    Some(u64::from_le_bytes(*chunk))
}

/// Returns a mask with the top bit set at the zero bytes of a word; only the lowest set bit is reliable.
#[inline(always)]
const fn zeros(word: u64) -> u64 {
    word.wrapping_sub(LOW) & !word & HIGH
}

/// Returns a mask with the top bit set at the bytes that are neither a lower-case ASCII letter nor `_`; only the lowest set bit
/// is reliable.
#[inline(always)]
const fn no_letters(word: u64) -> u64 {
    // The range from `_` to `z` also contains the backtick.
    let below = word.wrapping_sub(b'_' as u64 * LOW);
    let above = word.wrapping_add((0x7f - b'z') as u64 * LOW);
    let between = (word ^ (b'`' as u64 * LOW)).wrapping_sub(LOW);
    (below | above | between | word) & HIGH
}

/// A table by byte: true if a name may contain the byte, an ASCII letter, a digit, `_` or `-`.
const NAME_BYTES: [bool; 256] = {
    let mut name_bytes = [false; 256];
    let mut byte = 0;
    while byte < 0x80 {
        name_bytes[byte] =
            (byte as u8).is_ascii_alphanumeric() || byte as u8 == b'_' || byte as u8 == b'-';
        byte += 1;
    }
    name_bytes
};

/// Returns the byte at offset `at`; 0 past the end.
#[inline(always)]
pub(super) fn byte(bytes: &[u8], at: usize) -> u8 {
    bytes.get(at).copied().unwrap_or(0)
}

/// Skips the ASCII letters, digits, `_` and `-` from offset `at` on, fastest for lower-case letters; returns the offset after
/// them and the byte there.
#[inline(always)]
pub(super) fn name(bytes: &[u8], at: usize) -> (usize, u8) {
    let mut at = at as u32;
    while let Some(word) = eight(bytes, at) {
        let others = no_letters(word);
        if others == 0 {
            at += 8;
            continue;
        }
        let place = others.trailing_zeros() & !7;
        at += place / 8;
        let found = (word >> place) as u8;
        if !NAME_BYTES[usize::from(found)] {
            return (at as usize, found);
        }
        at += 1;
    }
    last(bytes, at, |byte| NAME_BYTES[usize::from(byte)])
}

/// Skips the spaces and tabs from offset `at` on; returns the offset after them and the byte there.
#[inline]
pub(super) fn blanks(bytes: &[u8], at: usize) -> (usize, u8) {
    let mut at = at as u32;
    while let Some(word) = eight(bytes, at) {
        let others = word ^ (b' ' as u64 * LOW);
        if others == 0 {
            at += 8;
            continue;
        }
        let place = others.trailing_zeros() & !7;
        at += place / 8;
        let found = (word >> place) as u8;
        if found != b'\t' {
            return (at as usize, found);
        }
        at += 1;
    }
    last(bytes, at, |byte| matches!(byte, b' ' | b'\t'))
}

/// Skips the bytes from offset `at` on that `belongs` accepts, one by one, among the last few of the text; returns the
/// offset after them and the byte there.
#[cold]
#[inline(never)]
fn last(bytes: &[u8], at: u32, belongs: impl Fn(u8) -> bool) -> (usize, u8) {
    let at = at as usize;
    let left = bytes.get(at..).unwrap_or(&[]).iter();
    let end = at + left.take_while(|byte| belongs(**byte)).count();
    (end, byte(bytes, end))
}

/// Returns the offset of the first byte from `at` on that may have a meaning inside quotes (a quote, a backslash, `$`, `%`, `!`,
/// `#` or a control character), or the end of the text.
#[inline]
pub(super) fn quoted(bytes: &[u8], at: usize) -> usize {
    let mut at = at as u32;
    while let Some(word) = eight(bytes, at) {
        let found = in_quotes(word);
        if found != 0 {
            return (at + found.trailing_zeros() / 8) as usize;
        }
        at += 8;
    }
    find_byte(bytes, at, |byte| matches!(byte, b'\\' | 0..=b'%') && *byte != b' ')
}

/// Returns a mask with the top bit set at the bytes that may have a meaning inside quotes: a backslash, or a value up to that
/// of `%` but not a space. All its bits are reliable.
#[inline(always)]
const fn in_quotes(word: u64) -> u64 {
    // Without their high bits nothing is carried from one byte into the next.
    let low = word & !HIGH;
    let above = low + (0x7f - b'%' as u64) * LOW;
    let no_space = (low ^ (b' ' as u64 * LOW)) + 0x7f * LOW;
    let no_backslash = (low ^ (b'\\' as u64 * LOW)) + 0x7f * LOW;
    (no_space & !above | !no_backslash) & !word & HIGH
}

/// Returns the offset of the first byte from `at` on that may have a meaning in a template (`$`, `%` or a control character), or
/// the end of the text.
#[inline]
pub(super) fn template(bytes: &[u8], at: usize) -> usize {
    let mut at = at as u32;
    while let Some(word) = eight(bytes, at) {
        let found = signs_or_controls(word);
        if found != 0 {
            return (at + found.trailing_zeros() / 8) as usize;
        }
        at += 8;
    }
    find_byte(bytes, at, |byte| matches!(byte, b'$' | b'%' | 0..b' '))
}

/// Returns a mask with the top bit set at the bytes that are `$`, `%` (which differ in the lowest bit) or control characters;
/// only the lowest set bit is reliable.
#[inline(always)]
const fn signs_or_controls(word: u64) -> u64 {
    let signs = zeros((word & !LOW) ^ (b'$' as u64 * LOW));
    let controls = word.wrapping_sub(b' ' as u64 * LOW) & !word & HIGH;
    signs | controls
}

/// Returns a hash of the bytes in `span`, to compare names quickly.
pub(crate) fn name_hash(bytes: &[u8], span: Span) -> u64 {
    let Span { start: mut at, end } = span;
    let mut hash = u64::from(span.len());
    while at + 8 < end
        && let Some(word) = eight(bytes, at)
    {
        hash = (hash ^ word).wrapping_mul(MIX);
        at += 8;
    }
    let last = match end.checked_sub(8).and_then(|at| eight(bytes, at)) {
        Some(last) => last,
        None => start_of_text(bytes.get(..end as usize).unwrap_or(&[])),
    };
    // Bytes before the span, or read already, are shifted out.
    let left = 8 * end.saturating_sub(at);
    hash ^ last.checked_shr(64_u32.wrapping_sub(left)).unwrap_or(0)
}

/// Returns less than eight bytes, the start of a text, as a word with zeros for the bytes that would precede the text.
#[cold]
fn start_of_text(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0, |word, byte| word >> 8 | u64::from(*byte) << 56)
}

/// Returns the offset of the first byte from `at` on that `ends` accepts, or the end of the text; it reads byte by byte.
fn find_byte(bytes: &[u8], at: u32, ends: impl Fn(&u8) -> bool) -> usize {
    let at = at as usize;
    let left = bytes.get(at..).unwrap_or(&[]);
    left.iter().position(ends).map_or(bytes.len(), |length| at + length)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Returns a strategy for bytes, many of which are at the edge of a range that the scanner distinguishes.
    fn bytes() -> impl Strategy<Value = Vec<u8>> {
        let edges =
            prop::sample::select(b" \t\r\n\0\x1f\"\\$%#&-_/09:@AZ[`az{\x7f\x80\xff".to_vec());
        let common = prop::sample::select(b"a  ".to_vec());
        prop::collection::vec(prop_oneof![edges, common, any::<u8>()], 0..40)
    }

    proptest! {
        #[test]
        fn eight_at_a_time_find_what_one_at_a_time_finds(bytes in bytes(), at in 0usize..45) {
            let from = bytes.get(at..).unwrap_or(&[]);
            let until = |ends: &dyn Fn(u8) -> bool| {
                from.iter().position(|byte| ends(*byte)).map_or(at.max(bytes.len()), |n| at + n)
            };
            let is_name = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-';
            let sign = |byte: u8| byte == b'$' || byte == b'%' || byte < b' ';
            let end = until(&|byte| !is_name(byte));
            prop_assert_eq!(name(&bytes, at), (end, byte(&bytes, end)));
            let end = until(&|byte| byte != b' ' && byte != b'\t');
            prop_assert_eq!(blanks(&bytes, at), (end, byte(&bytes, end)));
            if at <= bytes.len() {
                prop_assert_eq!(quoted(&bytes, at), until(&|byte| sign(byte) || b"!\"#\\".contains(&byte)));
                prop_assert_eq!(template(&bytes, at), until(&sign));
            }
        }

        #[test]
        fn a_hash_tells_names_apart_wherever_they_stand(
            name in "[ab]{1,30}", other in "[ab]{1,30}", before in "[ab ]{0,20}", after in "[ab ]{0,20}",
        ) {
            let hash_of = |name: &str, before: &str| {
                let start = before.len() as u32;
                let text = format!("{before}{name}{after}");
                name_hash(text.as_bytes(), Span::new(start, start + name.len() as u32))
            };
            prop_assert_eq!(hash_of(&name, &before), hash_of(&name, ""));
            prop_assert_eq!(hash_of(&name, &before) == hash_of(&other, ""), name == other);
        }
    }
}
