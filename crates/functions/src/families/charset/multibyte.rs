//! Character sets with several bytes a character. The tables are those of the web's encoding standard; the encoders of the
//! reference program write other bytes for some characters, and its decoders refuse private characters.

use std::sync::LazyLock;

use encoding_rs::{BIG5, EUC_JP, EUC_KR, Encoding, GB18030, GBK, ISO_2022_JP, SHIFT_JIS};
use rustc_hash::FxHashMap;

use super::MultibyteCharset;
use super::gb::{GbVariant, by_tables};

/// The bytes of Big5 characters for Hong Kong, which the encoder of the WHATWG standard lacks.
static BIG5_MORE: LazyLock<FxHashMap<char, Vec<u8>>> =
    LazyLock::new(|| reverse(BIG5, &[], 0x81..=0xa0));
/// The bytes of characters in the second plane of EUC-JP, which the encoder of the WHATWG standard lacks.
static EUC_JP_MORE: LazyLock<FxHashMap<char, Vec<u8>>> =
    LazyLock::new(|| reverse(EUC_JP, &[0x8f], 0xa1..=0xfe));
/// The bytes of Shift_JIS characters in rows 0xED and 0xEE, which are preferred to later rows with the same characters.
static SHIFT_JIS_FIRST: LazyLock<FxHashMap<char, Vec<u8>>> =
    LazyLock::new(|| reverse(SHIFT_JIS, &[], 0xed..=0xee));

/// Returns the bytes of each character whose code is `prefix` followed by two bytes, the first of them in `leads`.
fn reverse(
    encoding: &'static Encoding,
    prefix: &[u8],
    leads: std::ops::RangeInclusive<u8>,
) -> FxHashMap<char, Vec<u8>> {
    let mut map = FxHashMap::default();
    for lead in leads {
        for trail in 0x40..=0xfe {
            let bytes = [prefix, &[lead, trail]].concat();
            let text = encoding.decode_without_bom_handling_and_without_replacement(&bytes);
            let mut chars = text.iter().flat_map(|text| text.chars());
            if let (Some(c), None) = (chars.next(), chars.next()) {
                map.insert(c, bytes);
            }
        }
    }
    map
}

impl MultibyteCharset {
    /// Returns the encoding of the WHATWG standard with the character set's tables.
    fn tables(self) -> &'static Encoding {
        match self {
            MultibyteCharset::Big5 => BIG5,
            MultibyteCharset::EucJp => EUC_JP,
            MultibyteCharset::EucKr => EUC_KR,
            MultibyteCharset::Gb18030 => GB18030,
            MultibyteCharset::Gbk => GBK,
            MultibyteCharset::Iso2022Jp => ISO_2022_JP,
            MultibyteCharset::ShiftJis => SHIFT_JIS,
        }
    }

    /// Decodes bytes of this character set to text; `None` if some are invalid.
    pub(super) fn decode(self, bytes: &[u8]) -> Option<String> {
        match self {
            MultibyteCharset::Gbk => return GbVariant::Gbk.decode(bytes),
            MultibyteCharset::Gb18030 => return GbVariant::Gb18030.decode(bytes),
            _ => {}
        }
        let text = self.tables().decode_without_bom_handling_and_without_replacement(bytes)?;
        let private = |c: char| ('\u{e000}'..='\u{f8ff}').contains(&c);
        (!text.contains(private)).then(|| text.into_owned())
    }

    /// Encodes a text in this character set; the error is the first character that cannot be encoded.
    pub(super) fn encode(self, text: &str) -> Result<Vec<u8>, char> {
        if let MultibyteCharset::Iso2022Jp = self {
            return iso_2022_jp(text);
        }
        let mut bytes = Vec::with_capacity(text.len());
        for c in text.chars() {
            bytes.extend(self.encode_one(c).ok_or(c)?);
        }
        Ok(bytes)
    }

    /// Returns the bytes of one character in this character set; `None` if the set does not have it.
    fn encode_one(self, c: char) -> Option<Vec<u8>> {
        if c.is_ascii() {
            return u8::try_from(c).ok().map(|byte| vec![byte]);
        }
        match self {
            MultibyteCharset::Big5 => by_tables(BIG5, c).or_else(|| BIG5_MORE.get(&c).cloned()),
            // The WHATWG encoder replaces these with similar characters; the reference program refuses them.
            MultibyteCharset::EucJp | MultibyteCharset::ShiftJis
                if matches!(c, '¥' | '‾' | '−') =>
            {
                None
            }
            MultibyteCharset::EucJp => {
                by_tables(EUC_JP, c).or_else(|| EUC_JP_MORE.get(&c).cloned())
            }
            MultibyteCharset::ShiftJis => {
                SHIFT_JIS_FIRST.get(&c).cloned().or_else(|| by_tables(SHIFT_JIS, c))
            }
            MultibyteCharset::Gbk => GbVariant::Gbk.encode_one(c),
            MultibyteCharset::Gb18030 => GbVariant::Gb18030.encode_one(c),
            other => by_tables(other.tables(), c),
        }
    }
}

/// Encodes a text as ISO-2022-JP, whose escapes switch between ASCII, half-width katakana and two-byte characters.
fn iso_2022_jp(text: &str) -> Result<Vec<u8>, char> {
    /// The escape sequence of ISO-2022-JP that switches to ASCII.
    const ASCII: &[u8] = b"\x1b(B";
    /// The escape sequence of ISO-2022-JP that switches to half-width katakana.
    const KATAKANA: &[u8] = b"\x1b(I";
    /// The escape sequence of ISO-2022-JP that switches to two-byte characters.
    const KANJI: &[u8] = b"\x1b$B";
    let mut bytes = Vec::with_capacity(text.len() + 3);
    let mut chosen = ASCII;
    let mut choose = |escape: &'static [u8], bytes: &mut Vec<u8>| {
        if chosen != escape {
            bytes.extend_from_slice(escape);
            chosen = escape;
        }
    };
    for c in text.chars() {
        let one = MultibyteCharset::EucJp.encode_one(c).ok_or(c)?;
        match one.as_slice() {
            [byte] => {
                choose(ASCII, &mut bytes);
                bytes.push(*byte);
            }
            [0x8e, kana] => {
                choose(KATAKANA, &mut bytes);
                bytes.push(kana & 0x7f);
            }
            [row, cell] => {
                choose(KANJI, &mut bytes);
                bytes.extend([row & 0x7f, cell & 0x7f]);
            }
            _ => return Err(c),
        }
    }
    choose(ASCII, &mut bytes);
    Ok(bytes)
}
