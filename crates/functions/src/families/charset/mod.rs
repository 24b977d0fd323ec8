//! `textencodebase64` and `textdecodebase64`. Character sets have the names of the IANA registry, in any case and with
//! surrounding whitespace; a byte or a character that a set does not have is an error, and so is U+FFFD itself.

mod code_page;
#[cfg(feature = "charsets")]
mod gb;
#[cfg(feature = "charsets")]
mod hz;
#[cfg(feature = "charsets")]
mod multibyte;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use groma_value::{Sentence, Value};

use self::code_page as page;
use crate::{
    CallArgs, Failure, Function, FunctionBody, ParameterRow, ResultPromise, ReturnType, RowType,
};

/// The row of the parameter `encoding_name`, a string.
const ENCODING: ParameterRow = ParameterRow::new("encoding_name", RowType::String);

/// The rows of `textencodebase64` and `textdecodebase64`, sorted by name.
pub(crate) const FUNCTIONS: &[Function] = &[
    Function {
        name: "textdecodebase64",
        params: &[ParameterRow::new("source", RowType::String), ENCODING],
        returns: ReturnType::Shape(RowType::String),
        promise: ResultPromise::NOT_NULL_BUT_IN_PACKER,
        doc: "Returns the text that a base64 string encodes in a character set such as UTF-16LE.",
        body: FunctionBody::Plain(decode),
        ..Function::ROW
    },
    Function {
        name: "textencodebase64",
        params: &[ParameterRow::new("string", RowType::String), ENCODING],
        returns: ReturnType::Shape(RowType::String),
        promise: ResultPromise::NOT_NULL_BUT_IN_PACKER,
        doc: "Returns a string's bytes in a character set such as UTF-16LE, in base64.",
        body: FunctionBody::Plain(encode),
        ..Function::ROW
    },
];

/// A character set that `textencodebase64` and `textdecodebase64` accept.
#[derive(Clone, Copy)]
enum Charset {
    /// UTF-8.
    Utf8,
    /// UTF-16, big-endian with a byte order mark.
    Utf16,
    /// UTF-16, big-endian.
    Utf16Big,
    /// UTF-16, little-endian.
    Utf16Little,
    /// One byte for each character: the first ones of Unicode, up to this one.
    Upto(char),
    /// A table of the characters of bytes 128 to 255, or of all 256.
    Table(&'static str),
    /// Several bytes for a character.
    #[cfg_attr(not(feature = "charsets"), expect(dead_code, reason = "nobody asks which"))]
    Multibyte(MultibyteCharset),
    /// HZ-GB-2312.
    Hz,
}

/// A character set in which a character may take several bytes.
#[derive(Clone, Copy)]
enum MultibyteCharset {
    Big5,
    EucJp,
    EucKr,
    Gb18030,
    Gbk,
    Iso2022Jp,
    ShiftJis,
}

/// The supported character sets, each with all its names in lower case.
const CHARSETS: &[(Charset, &[&str])] = &[
    (Charset::Utf8, &["utf-8", "csutf8"]),
    (Charset::Utf16, &["utf-16", "csutf16"]),
    (Charset::Utf16Big, &["utf-16be", "csutf16be"]),
    (Charset::Utf16Little, &["utf-16le", "csutf16le"]),
    (
        Charset::Upto('\u{7f}'),
        &[
            "us-ascii",
            "iso-ir-6",
            "ansi_x3.4-1968",
            "ansi_x3.4-1986",
            "iso_646.irv:1991",
            "iso646-us",
            "us",
            "ibm367",
            "cp367",
            "csascii",
        ],
    ),
    (
        Charset::Upto('\u{ff}'),
        &[
            "iso-8859-1",
            "iso_8859-1:1987",
            "iso-ir-100",
            "iso_8859-1",
            "latin1",
            "l1",
            "ibm819",
            "cp819",
            "csisolatin1",
        ],
    ),
    (
        Charset::Table(page::ISO_8859_2),
        &[
            "iso-8859-2",
            "iso_8859-2:1987",
            "iso-ir-101",
            "iso_8859-2",
            "latin2",
            "l2",
            "csisolatin2",
        ],
    ),
    (
        Charset::Table(page::ISO_8859_3),
        &[
            "iso-8859-3",
            "iso_8859-3:1988",
            "iso-ir-109",
            "iso_8859-3",
            "latin3",
            "l3",
            "csisolatin3",
        ],
    ),
    (
        Charset::Table(page::ISO_8859_4),
        &[
            "iso-8859-4",
            "iso_8859-4:1988",
            "iso-ir-110",
            "iso_8859-4",
            "latin4",
            "l4",
            "csisolatin4",
        ],
    ),
    (
        Charset::Table(page::ISO_8859_5),
        &[
            "iso-8859-5",
            "iso_8859-5:1988",
            "iso-ir-144",
            "iso_8859-5",
            "cyrillic",
            "csisolatincyrillic",
        ],
    ),
    (
        Charset::Table(page::ISO_8859_6),
        &[
            "iso-8859-6",
            "iso_8859-6:1987",
            "iso-ir-127",
            "iso_8859-6",
            "ecma-114",
            "asmo-708",
            "arabic",
            "csisolatinarabic",
            "iso_8859-6-e",
            "csiso88596e",
            "iso-8859-6-e",
            "iso_8859-6-i",
            "csiso88596i",
            "iso-8859-6-i",
        ],
    ),
    (
        Charset::Table(page::ISO_8859_7),
        &[
            "iso-8859-7",
            "iso_8859-7:1987",
            "iso-ir-126",
            "iso_8859-7",
            "elot_928",
            "ecma-118",
            "greek",
            "greek8",
            "csisolatingreek",
        ],
    ),
    (
        Charset::Table(page::ISO_8859_8),
        &[
            "iso-8859-8",
            "iso_8859-8:1988",
            "iso-ir-138",
            "iso_8859-8",
            "hebrew",
            "csisolatinhebrew",
            "iso_8859-8-e",
            "csiso88598e",
            "iso-8859-8-e",
            "iso_8859-8-i",
            "csiso88598i",
            "iso-8859-8-i",
        ],
    ),
    (
        Charset::Table(page::ISO_8859_9),
        &[
            "iso-8859-9",
            "iso_8859-9:1989",
            "iso-ir-148",
            "iso_8859-9",
            "latin5",
            "l5",
            "csisolatin5",
        ],
    ),
    (
        Charset::Table(page::ISO_8859_10),
        &["iso-8859-10", "iso-ir-157", "l6", "iso_8859-10:1992", "csisolatin6", "latin6"],
    ),
    (Charset::Table(page::ISO_8859_13), &["iso-8859-13", "csiso885913"]),
    (
        Charset::Table(page::ISO_8859_14),
        &[
            "iso-8859-14",
            "iso-ir-199",
            "iso_8859-14:1998",
            "iso_8859-14",
            "latin8",
            "iso-celtic",
            "l8",
            "csiso885914",
        ],
    ),
    (Charset::Table(page::ISO_8859_15), &["iso-8859-15", "iso_8859-15", "latin-9", "csiso885915"]),
    (
        Charset::Table(page::ISO_8859_16),
        &[
            "iso-8859-16",
            "iso-ir-226",
            "iso_8859-16:2001",
            "iso_8859-16",
            "latin10",
            "l10",
            "csiso885916",
        ],
    ),
    (Charset::Table(page::KOI8_R), &["koi8-r", "cskoi8r"]),
    (Charset::Table(page::KOI8_U), &["koi8-u", "cskoi8u"]),
    (Charset::Table(page::MACINTOSH), &["macintosh", "mac", "csmacintosh"]),
    (
        Charset::Table(page::IBM037),
        &[
            "ibm037",
            "cp037",
            "ebcdic-cp-us",
            "ebcdic-cp-ca",
            "ebcdic-cp-wt",
            "ebcdic-cp-nl",
            "csibm037",
        ],
    ),
    (Charset::Table(page::IBM437), &["ibm437", "cp437", "437", "cspc8codepage437"]),
    (Charset::Table(page::IBM850), &["ibm850", "cp850", "850", "cspc850multilingual"]),
    (Charset::Table(page::IBM852), &["ibm852", "cp852", "852", "cspcp852"]),
    (Charset::Table(page::IBM855), &["ibm855", "cp855", "855", "csibm855"]),
    (
        Charset::Table(page::IBM00858),
        &["ibm00858", "ccsid00858", "cp00858", "pc-multilingual-850+euro", "csibm00858"],
    ),
    (Charset::Table(page::IBM860), &["ibm860", "cp860", "860", "csibm860"]),
    (Charset::Table(page::IBM862), &["ibm862", "cp862", "862", "cspc862latinhebrew"]),
    (Charset::Table(page::IBM863), &["ibm863", "cp863", "863", "csibm863"]),
    (Charset::Table(page::IBM865), &["ibm865", "cp865", "865", "csibm865"]),
    (Charset::Table(page::IBM866), &["ibm866", "cp866", "866", "csibm866"]),
    (Charset::Table(page::IBM1047), &["ibm1047", "ibm-1047", "csibm1047"]),
    (
        Charset::Table(page::IBM01140),
        &["ibm01140", "ccsid01140", "cp01140", "ebcdic-us-37+euro", "csibm01140"],
    ),
    (Charset::Table(page::WINDOWS_874), &["windows-874", "cswindows874"]),
    (Charset::Table(page::WINDOWS_1250), &["windows-1250", "cswindows1250"]),
    (Charset::Table(page::WINDOWS_1251), &["windows-1251", "cswindows1251"]),
    (Charset::Table(page::WINDOWS_1252), &["windows-1252", "cswindows1252"]),
    (Charset::Table(page::WINDOWS_1253), &["windows-1253", "cswindows1253"]),
    (Charset::Table(page::WINDOWS_1254), &["windows-1254", "cswindows1254"]),
    (Charset::Table(page::WINDOWS_1255), &["windows-1255", "cswindows1255"]),
    (Charset::Table(page::WINDOWS_1256), &["windows-1256", "cswindows1256"]),
    (Charset::Table(page::WINDOWS_1257), &["windows-1257", "cswindows1257"]),
    (Charset::Table(page::WINDOWS_1258), &["windows-1258", "cswindows1258"]),
    (Charset::Multibyte(MultibyteCharset::ShiftJis), &["shift_jis", "ms_kanji", "csshiftjis"]),
    (
        Charset::Multibyte(MultibyteCharset::EucJp),
        &["euc-jp", "extended_unix_code_packed_format_for_japanese", "cseucpkdfmtjapanese"],
    ),
    (Charset::Multibyte(MultibyteCharset::Iso2022Jp), &["iso-2022-jp", "csiso2022jp"]),
    (Charset::Multibyte(MultibyteCharset::EucKr), &["euc-kr", "cseuckr"]),
    (Charset::Multibyte(MultibyteCharset::Gbk), &["gbk", "cp936", "ms936", "windows-936", "csgbk"]),
    (Charset::Multibyte(MultibyteCharset::Gb18030), &["gb18030", "csgb18030"]),
    (Charset::Multibyte(MultibyteCharset::Big5), &["big5", "csbig5"]),
    (Charset::Hz, &["hz-gb-2312"]),
];

/// Returns the character set that the second argument names; fails for an unknown name.
fn charset(args: &CallArgs<'_>) -> Result<Charset, Failure> {
    let name = args.text(1).trim().to_ascii_lowercase();
    let found = CHARSETS.iter().find(|(_, names)| names.contains(&name.as_str()));
    found.map(|(charset, _)| *charset).ok_or_else(|| {
        let shown = args.show(1);
        let message = Sentence::trusted(format!(
            "{shown} is not a character set that is supported; write one such as \"UTF-16LE\", \
             \"ISO-8859-1\" or \"Shift_JIS\"."
        ));
        args.fail(1, message)
    })
}

/// Implements `textencodebase64`: returns a string's bytes in a character set, in base64.
fn encode(args: &CallArgs<'_>) -> Result<Value, Failure> {
    let text: &str = args.text(0);
    let bytes =
        match charset(args)? {
            Charset::Utf8 => Ok(text.as_bytes().to_vec()),
            Charset::Utf16 => Ok(utf16(&format!("\u{feff}{text}"), u16::to_be_bytes)),
            Charset::Utf16Big => Ok(utf16(text, u16::to_be_bytes)),
            Charset::Utf16Little => Ok(utf16(text, u16::to_le_bytes)),
            Charset::Upto(last) => encode_single_byte(text, |c| {
                if c <= last { u8::try_from(u32::from(c)).ok() } else { None }
            }),
            Charset::Table(table) => {
                let known: rustc_hash::FxHashMap<char, u8> =
                    in_table(table).map(|(byte, c)| (c, byte)).collect();
                encode_single_byte(text, |c| known.get(&c).copied())
            }
            #[cfg(feature = "charsets")]
            Charset::Multibyte(set) => set.encode(text),
            #[cfg(feature = "charsets")]
            Charset::Hz => hz::encode(text),
            #[cfg(not(feature = "charsets"))]
            Charset::Multibyte(_) | Charset::Hz => return Err(Failure::left_out("charsets")),
        };
    bytes.map(|bytes| Value::from(STANDARD.encode(bytes))).map_err(|c| {
        let (shown, set) = (args.show_part(0, &Value::text(c.to_string())), args.show(1));
        args.fail(
            0,
            Sentence::trusted(format!(
                "The character set {set} does not have the character {shown}."
            )),
        )
    })
}

/// Encodes a text as UTF-16 in the byte order of the function `bytes`.
fn utf16(text: &str, bytes: fn(u16) -> [u8; 2]) -> Vec<u8> {
    text.encode_utf16().flat_map(bytes).collect()
}

/// Encodes a text in one byte for each character, as `byte` returns it; the error is the first character without one.
fn encode_single_byte(text: &str, byte: impl Fn(char) -> Option<u8>) -> Result<Vec<u8>, char> {
    text.chars().map(|c| byte(c).ok_or(c)).collect()
}

/// Iterates over the bytes that a single-byte table defines, with their characters.
fn in_table(table: &'static str) -> impl Iterator<Item = (u8, char)> {
    let count = table.chars().count();
    let all = (256 - count.min(256)..256).zip(table.chars());
    let low = (0..256 - count.min(256)).filter_map(|byte| {
        let byte = u8::try_from(byte).ok()?;
        Some((byte, char::from(byte)))
    });
    let high = all.filter_map(|(byte, c)| Some((u8::try_from(byte).ok()?, c)));
    low.chain(high.filter(|(_, c)| *c != '\u{fffd}'))
}

/// Implements `textdecodebase64`: returns the text whose bytes in a character set a base64 string encodes.
fn decode(args: &CallArgs<'_>) -> Result<Value, Failure> {
    let charset = charset(args)?;
    let bytes = crate::families::encode::bytes(args, 0).map_err(|message| args.fail(0, message))?;
    let text = match charset {
        Charset::Utf8 => String::from_utf8(bytes).ok(),
        Charset::Utf16 => match bytes.as_slice() {
            [0xff, 0xfe, rest @ ..] => from_utf16(rest, u16::from_le_bytes),
            [0xfe, 0xff, rest @ ..] | rest => from_utf16(rest, u16::from_be_bytes),
        },
        Charset::Utf16Big => from_utf16(&bytes, u16::from_be_bytes),
        Charset::Utf16Little => from_utf16(&bytes, u16::from_le_bytes),
        Charset::Upto(last) => {
            bytes.iter().map(|byte| Some(char::from(*byte)).filter(|c| *c <= last)).collect()
        }
        Charset::Table(table) => {
            let known: rustc_hash::FxHashMap<u8, char> = in_table(table).collect();
            bytes.iter().map(|byte| known.get(byte).copied()).collect()
        }
        #[cfg(feature = "charsets")]
        Charset::Multibyte(set) => set.decode(&bytes),
        #[cfg(feature = "charsets")]
        Charset::Hz => hz::decode(&bytes),
        #[cfg(not(feature = "charsets"))]
        Charset::Multibyte(_) | Charset::Hz => return Err(Failure::left_out("charsets")),
    };
    match text {
        Some(text) if !text.contains('\u{fffd}') => Ok(Value::from(text)),
        _ => {
            let (shown, set) = (args.show(0), args.show(1));
            let message =
                Sentence::trusted(format!("The bytes that {shown} encodes are not text in {set}."));
            Err(args.fail(0, message))
        }
    }
}

/// Decodes UTF-16 in the byte order of the function `unit`; `None` for an odd number of bytes or an unpaired surrogate.
fn from_utf16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> Option<String> {
    let (pairs, rest) = bytes.as_chunks::<2>();
    if !rest.is_empty() {
        return None;
    }
    char::decode_utf16(pairs.iter().map(|pair| unit(*pair))).collect::<Result<String, _>>().ok()
}
