//! HZ-GB-2312: seven bits a byte, `~{` and `~}` around two-byte characters, `~~` for a tilde. The two-byte characters are those
//! of GBK whose bytes both have a place in GB 2312; the encoder does not close the last escape.

use super::gb::{GbVariant, read};

/// The top bit of a byte, which is set in GBK and clear in HZ-GB-2312.
const HIGH: u8 = 0x80;

/// Encodes a text as HZ-GB-2312; the error is the first character that cannot be encoded.
pub(super) fn encode(text: &str) -> Result<Vec<u8>, char> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut paired = false;
    for c in text.chars() {
        match c {
            // A tilde is `~~` in both modes.
            '~' => bytes.extend(b"~~"),
            c if c.is_ascii() => {
                if std::mem::take(&mut paired) {
                    bytes.extend(b"~}");
                }
                bytes.extend(u8::try_from(c));
            }
            c => {
                let pair = pair(c).ok_or(c)?;
                if !std::mem::replace(&mut paired, true) {
                    bytes.extend(b"~{");
                }
                bytes.extend(pair);
            }
        }
    }
    Ok(bytes)
}

/// Returns the two seven-bit bytes of a character in HZ-GB-2312; `None` if the set does not have it.
fn pair(c: char) -> Option<[u8; 2]> {
    let [row, cell] = *GbVariant::Gb18030.encode_one(c)? else { return None };
    let known = |byte: u8| byte.checked_sub(HIGH).filter(|byte| *byte > b' ');
    Some([known(row)?, known(cell)?])
}

/// Decodes HZ-GB-2312 bytes to text; `None` if a byte is invalid.
pub(super) fn decode(bytes: &[u8]) -> Option<String> {
    let mut text = String::with_capacity(bytes.len());
    let mut paired = false;
    let mut rest = bytes;
    loop {
        rest = match rest {
            [] => return Some(text),
            [b'~', b'{', rest @ ..] => {
                paired = true;
                rest
            }
            [b'~', b'}', rest @ ..] => {
                paired = false;
                rest
            }
            [b'~', b'~', rest @ ..] => {
                text.push('~');
                rest
            }
            [b'~', b'\n', rest @ ..] => rest,
            [b'~', ..] => return None,
            [row @ 0x21..=0x7d, cell @ 0x21..=0x7e, rest @ ..] if paired => {
                text.push(read(&[row + HIGH, cell + HIGH])?);
                rest
            }
            [byte @ 0..=0x7f, rest @ ..] if !paired => {
                text.push(char::from(*byte));
                rest
            }
            _ => return None,
        };
    }
}
