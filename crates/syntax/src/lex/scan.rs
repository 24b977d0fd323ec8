//! How far a run of bytes of one kind reaches, eight bytes at a time. Each kind is made of ASCII only, so a run never ends
//! inside a character; a byte beyond ASCII ends a name, and belongs to plain text.

const LOW: u64 = 0x0101_0101_0101_0101;
const HIGH: u64 = 0x80 * LOW;

/// Eight bytes from `at` on, the first the lowest; nothing where fewer are left.
#[inline(always)]
fn eight(bytes: &[u8], at: usize) -> Option<u64> {
    let chunk = bytes.get(at..)?.first_chunk::<8>()?;
    Some(u64::from_le_bytes(*chunk))
}

/// Which bytes are zero: the high bit of the first one is certain, those after it are not.
#[inline(always)]
const fn zeros(word: u64) -> u64 {
    word.wrapping_sub(LOW) & !word & HIGH
}

/// Which bytes are no small letter and no `_`: the first one is certain.
#[inline(always)]
const fn no_letters(word: u64) -> u64 {
    // From `_` to `z` lies one byte more, which is the backtick.
    let below = word.wrapping_sub(b'_' as u64 * LOW);
    let above = word.wrapping_add((0x7f - b'z') as u64 * LOW);
    let between = (word ^ (b'`' as u64 * LOW)).wrapping_sub(LOW);
    (below | above | between | word) & HIGH
}

/// Which bytes may stand inside a name.
const OF_NAMES: [bool; 256] = {
    let mut of_names = [false; 256];
    let mut byte = 0;
    while byte < 0x80 {
        of_names[byte] =
            (byte as u8).is_ascii_alphanumeric() || byte as u8 == b'_' || byte as u8 == b'-';
        byte += 1;
    }
    of_names
};

/// Past the ASCII letters, digits, `_` and `-` from `at` on. Most of them are small letters.
#[inline(always)]
pub(super) fn name(bytes: &[u8], mut at: usize) -> usize {
    while let Some(word) = eight(bytes, at) {
        let others = no_letters(word);
        if others == 0 {
            at += 8;
            continue;
        }
        let place = others.trailing_zeros() & !7;
        at += (place / 8) as usize;
        if !OF_NAMES[(word >> place) as usize & 0xff] {
            return at;
        }
        at += 1;
    }
    last_name(bytes, at)
}

/// The same for the last few bytes of the text.
#[cold]
fn last_name(bytes: &[u8], at: usize) -> usize {
    let is_name = |byte: &&u8| OF_NAMES[usize::from(**byte)];
    at + bytes.get(at..).unwrap_or(&[]).iter().take_while(is_name).count()
}

/// Past the spaces and tabs from `at` on.
#[inline(never)]
pub(super) fn blanks(bytes: &[u8], mut at: usize) -> usize {
    while let Some(word) = eight(bytes, at) {
        let others = word ^ (b' ' as u64 * LOW);
        if others == 0 {
            at += 8;
            continue;
        }
        let place = others.trailing_zeros() & !7;
        at += (place / 8) as usize;
        if (word >> place) as u8 != b'\t' {
            return at;
        }
        at += 1;
    }
    let is_blank = |byte: &&u8| matches!(byte, b' ' | b'\t');
    at + bytes.get(at..).unwrap_or(&[]).iter().take_while(is_blank).count()
}

/// The first byte from `at` on that may mean something inside quotes: a quote, a backslash, `$`, `%` or a control
/// character. The end of the text where there is none.
#[inline]
pub(super) fn quoted(bytes: &[u8], mut at: usize) -> usize {
    while let Some(word) = eight(bytes, at) {
        let marks = zeros(word ^ (b'"' as u64 * LOW)) | zeros(word ^ (b'\\' as u64 * LOW));
        let found = marks | signs_or_controls(word);
        if found != 0 {
            return at + (found.trailing_zeros() / 8) as usize;
        }
        at += 8;
    }
    let ends = |byte: &u8| matches!(byte, b'"' | b'\\' | b'$' | b'%' | 0..b' ');
    rest(bytes, at, ends)
}

/// The first byte from `at` on that may mean something in a template: `$`, `%` or a control character. The end of the
/// text where there is none.
#[inline]
pub(super) fn template(bytes: &[u8], mut at: usize) -> usize {
    while let Some(word) = eight(bytes, at) {
        let found = signs_or_controls(word);
        if found != 0 {
            return at + (found.trailing_zeros() / 8) as usize;
        }
        at += 8;
    }
    rest(bytes, at, |byte| matches!(byte, b'$' | b'%' | 0..b' '))
}

/// Which bytes are `$`, `%` (they differ in the lowest bit) or below the space; the first is certain.
#[inline(always)]
const fn signs_or_controls(word: u64) -> u64 {
    let signs = zeros((word & !LOW) ^ (b'$' as u64 * LOW));
    let controls = word.wrapping_sub(b' ' as u64 * LOW) & !word & HIGH;
    signs | controls
}

fn rest(bytes: &[u8], at: usize, ends: impl Fn(&u8) -> bool) -> usize {
    let left = bytes.get(at..).unwrap_or(&[]);
    left.iter().position(ends).map_or(bytes.len(), |length| at + length)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Bytes that are often the edge of something.
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
            prop_assert_eq!(name(&bytes, at), until(&|byte| !is_name(byte)));
            prop_assert_eq!(blanks(&bytes, at), until(&|byte| byte != b' ' && byte != b'\t'));
            if at <= bytes.len() {
                prop_assert_eq!(quoted(&bytes, at), until(&|byte| sign(byte) || byte == b'"' || byte == b'\\'));
                prop_assert_eq!(template(&bytes, at), until(&sign));
            }
        }
    }
}
