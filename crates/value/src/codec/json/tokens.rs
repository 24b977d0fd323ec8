//! The tokens of a JSON document, for a reader in the same process that has no need of JSON text. Each text follows its length,
//! so that nothing is escaped and no end is searched for; a name or a string may contain any character.

/// The token that opens an object.
pub(super) const OPEN_OBJECT: char = '{';
/// The token that opens an array.
pub(super) const OPEN_ARRAY: char = '[';
/// The token that closes the innermost object.
pub(super) const CLOSE_OBJECT: char = '}';
/// The token that closes the innermost array.
pub(super) const CLOSE_ARRAY: char = ']';
/// The token of a property name.
pub(super) const NAME: char = ':';
/// The token of a string.
pub(super) const STRING: char = '"';
/// The token of a value whose JSON text follows as it stands.
pub(super) const RAW: char = '=';

/// The number of bits of a length that one byte holds, the low ones first. The highest bit of a byte stays clear, so that the tokens
/// are valid UTF-8.
const LENGTH_BITS: u32 = 6;
/// The bit of a byte which says that the next one belongs to the same length.
const HAS_MORE: u8 = 1 << LENGTH_BITS;
/// The bits of a byte that belong to the length.
const LENGTH_MASK: u8 = HAS_MORE - 1;

/// Appends a token with a text to `out`.
pub(super) fn push(token: char, text: &str, out: &mut String) {
    out.push(token);
    let mut rest = text.len();
    while rest >> LENGTH_BITS > 0 {
        out.push(char::from(rest as u8 & LENGTH_MASK | HAS_MORE));
        rest >>= LENGTH_BITS;
    }
    out.push(char::from(rest as u8));
    out.push_str(text);
}

/// One token of a JSON document.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum JsonToken<'t> {
    /// The beginning of an object, whose names and values follow in turn.
    OpenObject,
    /// The beginning of an array, whose items follow.
    OpenArray,
    /// The end of the innermost object.
    CloseObject,
    /// The end of the innermost array.
    CloseArray,
    /// The name of a property, whose value follows.
    Name(&'t str),
    /// A string, without quotes and escapes.
    String(&'t str),
    /// Any other value as JSON text: mostly a number, `true`, `false` or `null`.
    Raw(&'t str),
}

/// The tokens of a JSON document that was written with the layout [`JsonLayout::Tokens`](super::JsonLayout), in their order.
#[derive(Clone, Debug)]
pub struct JsonTokens<'t> {
    rest: &'t str,
}

impl<'t> JsonTokens<'t> {
    /// Reads what a [`JsonText`](super::JsonText) has written as tokens. Anything else ends the tokens early.
    pub fn of(written: &'t str) -> JsonTokens<'t> {
        JsonTokens { rest: written }
    }

    /// Takes the text of a token, after its length.
    #[inline]
    fn text(&mut self) -> Option<&'t str> {
        let (mut length, mut shift) = (0_usize, 0);
        for (at, byte) in self.rest.bytes().enumerate() {
            length |= usize::from(byte & LENGTH_MASK).checked_shl(shift)?;
            shift += LENGTH_BITS;
            if byte & HAS_MORE == 0 {
                let (text, rest) = self.rest.get(at + 1..)?.split_at_checked(length)?;
                self.rest = rest;
                return Some(text);
            }
        }
        None
    }
}

impl<'t> Iterator for JsonTokens<'t> {
    type Item = JsonToken<'t>;

    #[inline]
    fn next(&mut self) -> Option<JsonToken<'t>> {
        let mut chars = self.rest.chars();
        let token = chars.next()?;
        self.rest = chars.as_str();
        Some(match token {
            OPEN_OBJECT => JsonToken::OpenObject,
            OPEN_ARRAY => JsonToken::OpenArray,
            CLOSE_OBJECT => JsonToken::CloseObject,
            CLOSE_ARRAY => JsonToken::CloseArray,
            NAME => JsonToken::Name(self.text()?),
            STRING => JsonToken::String(self.text()?),
            RAW => JsonToken::Raw(self.text()?),
            _ => return None,
        })
    }
}
