//! GBK and GB18030. The tables are those of the web's encoding standard, except for nineteen characters: the web uses the newest
//! GB standard, which gives them two bytes; the reference program knows them by four bytes, which only GB18030 has.

use encoding_rs::{EncoderResult, Encoding, GB18030, GBK};

/// The characters that newer GB standards encode in two bytes and the reference program in four, each with both codes.
const MOVED: [(char, [u8; 2], [u8; 4]); 19] = [
    ('ḿ', [0xa8, 0xbc], [0x81, 0x35, 0xf4, 0x37]),
    ('龴', [0xfe, 0x59], [0x82, 0x35, 0x90, 0x37]),
    ('龵', [0xfe, 0x61], [0x82, 0x35, 0x90, 0x38]),
    ('龶', [0xfe, 0x66], [0x82, 0x35, 0x90, 0x39]),
    ('龷', [0xfe, 0x67], [0x82, 0x35, 0x91, 0x30]),
    ('龸', [0xfe, 0x6d], [0x82, 0x35, 0x91, 0x31]),
    ('龹', [0xfe, 0x7e], [0x82, 0x35, 0x91, 0x32]),
    ('龺', [0xfe, 0x90], [0x82, 0x35, 0x91, 0x33]),
    ('龻', [0xfe, 0xa0], [0x82, 0x35, 0x91, 0x34]),
    ('︐', [0xa6, 0xd9], [0x84, 0x31, 0x82, 0x36]),
    ('︑', [0xa6, 0xdb], [0x84, 0x31, 0x82, 0x37]),
    ('︒', [0xa6, 0xda], [0x84, 0x31, 0x82, 0x38]),
    ('︓', [0xa6, 0xdc], [0x84, 0x31, 0x82, 0x39]),
    ('︔', [0xa6, 0xdd], [0x84, 0x31, 0x83, 0x30]),
    ('︕', [0xa6, 0xde], [0x84, 0x31, 0x83, 0x31]),
    ('︖', [0xa6, 0xdf], [0x84, 0x31, 0x83, 0x32]),
    ('︗', [0xa6, 0xec], [0x84, 0x31, 0x83, 0x33]),
    ('︘', [0xa6, 0xed], [0x84, 0x31, 0x83, 0x34]),
    ('︙', [0xa6, 0xf3], [0x84, 0x31, 0x83, 0x35]),
];

/// The Chinese character sets GBK and GB18030, which share their tables.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum GbVariant {
    Gbk,
    Gb18030,
}

impl GbVariant {
    /// Returns the bytes of one character in GBK or GB18030; `None` if the set does not have it.
    pub(super) fn encode_one(self, c: char) -> Option<Vec<u8>> {
        match MOVED.iter().find(|(moved, ..)| *moved == c) {
            Some((_, _, four)) => (self == GbVariant::Gb18030).then(|| four.to_vec()),
            None if self == GbVariant::Gbk => by_tables(GBK, c),
            None => by_tables(GB18030, c),
        }
    }

    /// Decodes bytes in GBK or GB18030 to text; `None` if some are invalid.
    pub(super) fn decode(self, bytes: &[u8]) -> Option<String> {
        let mut text = String::with_capacity(bytes.len());
        let mut rest = bytes;
        while let Some((first, others)) = rest.split_first() {
            if *first < 0x80 {
                text.push(char::from(*first));
                rest = others;
                continue;
            }
            let length = match others.first() {
                _ if *first == 0x80 => 1,
                Some(b'0'..=b'9') if self == GbVariant::Gbk => return None,
                Some(b'0'..=b'9') => 4,
                _ => 2,
            };
            let (unit, others) = rest.split_at_checked(length)?;
            text.push(read(unit)?);
            rest = others;
        }
        Some(text)
    }
}

/// Decodes the bytes of one GBK or GB18030 character; `None` for invalid ones and for private-use characters.
pub(super) fn read(unit: &[u8]) -> Option<char> {
    if MOVED.iter().any(|(_, two, _)| unit == two) {
        return None;
    }
    if let Some((c, ..)) = MOVED.iter().find(|(_, _, four)| unit == four) {
        return Some(*c);
    }
    let text = GB18030.decode_without_bom_handling_and_without_replacement(unit)?;
    let c = text.chars().next()?;
    (!('\u{e000}'..='\u{f8ff}').contains(&c)).then_some(c)
}

/// Returns the bytes of a character by the tables of an encoding of the WHATWG standard; `None` if they do not have it.
pub(super) fn by_tables(encoding: &'static Encoding, c: char) -> Option<Vec<u8>> {
    let mut buffer = [0; 4];
    let mut bytes = Vec::with_capacity(16);
    let mut encoder = encoding.new_encoder();
    let text = c.encode_utf8(&mut buffer);
    let (result, _) = encoder.encode_from_utf8_to_vec_without_replacement(text, &mut bytes, true);
    (result == EncoderResult::InputEmpty).then_some(bytes)
}
