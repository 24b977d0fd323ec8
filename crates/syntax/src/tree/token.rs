//! Tokens, and the list of all tokens of a text, in five bytes each: start, kind, and the number of blanks before the token. A
//! token ends where the next one starts, less the blanks before that.

use crate::kind::TokenKind;
use crate::span::Span;

/// The number of bits for the kind of a token in [`Token`].
const KIND_BITS: u32 = 6;
/// The mask of the bits for the kind of a token in [`Token`].
const KINDS: u32 = (1 << KIND_BITS) - 1;

/// The number of bits for the number of blanks before a token in the five-byte encoding.
const GAP_BITS: u32 = 6;
/// The encoded number of blanks before a token if it is too large for the encoding and is stored in another list.
const MANY: u32 = (1 << GAP_BITS) - 1;

/// A token of a text: start, length and kind, in eight bytes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Token {
    start: u32,
    bits: u32,
}

impl Token {
    /// Creates a token from its kind and the byte offsets at which it starts and ends.
    pub(crate) fn new(kind: TokenKind, start: u32, end: u32) -> Self {
        Self { start, bits: (end.wrapping_sub(start) << KIND_BITS) | kind as u32 }
    }

    /// Returns the kind of the token.
    pub fn kind(self) -> TokenKind {
        TokenKind::from_bits((self.bits & KINDS) as u8)
    }

    /// Returns the length of the token in bytes.
    pub fn len(self) -> u32 {
        self.bits >> KIND_BITS
    }

    /// Returns true if the token covers no bytes.
    pub fn is_empty(self) -> bool {
        self.len() == 0
    }

    /// Returns the source range of the token.
    pub fn span(self) -> Span {
        Span::new(self.start, self.start + self.len())
    }
}

impl std::fmt::Debug for Token {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?}@{}..{}", self.kind(), self.start, self.start + self.len())
    }
}

/// The five-byte encoding of a token: its start, the number of blanks before it, and its kind.
#[derive(Clone, Copy, Debug)]
#[repr(C, packed)]
struct PackedToken {
    /// The offset at which the token starts and, in the lowest bits, the number of blanks before it; [`MANY`] if that number is
    /// in the list of wide gaps.
    place: u32,
    kind: TokenKind,
}

impl PackedToken {
    /// Returns the byte offset at which the token starts.
    fn start(self) -> u32 {
        self.place >> GAP_BITS
    }

    /// Returns the number of blanks before the token; [`MANY`] if it is stored in another list.
    fn gap(self) -> u32 {
        self.place & MANY
    }
}

/// All tokens of a text in order, with only blanks between them, five bytes each.
#[derive(Debug, Default)]
pub(crate) struct TokenList {
    list: Vec<PackedToken>,
    /// The wide gaps: the numbers of tokens with too many blanks before them for the encoding, ascending, each with the number
    /// of blanks.
    wide: Vec<(u32, u32)>,
    /// The byte offset at which the last token ends.
    end: u32,
}

impl TokenList {
    /// Reserves room for exactly `tokens` more tokens.
    pub(crate) fn reserve(&mut self, tokens: usize) {
        self.list.reserve_exact(tokens);
    }

    /// Appends a token of kind `kind` from the byte offset `start` to `end`.
    #[inline]
    pub(crate) fn push(&mut self, kind: TokenKind, start: u32, end: u32) {
        let blanks = start.wrapping_sub(self.end);
        let gap = if blanks < MANY { blanks } else { self.push_wide(blanks) };
        self.push_after(gap, kind, start, end);
    }

    /// Appends a token; `blanks` is the encoded number of blanks before it: [`MANY`] if the number is stored in another list.
    #[inline]
    pub(crate) fn push_after(&mut self, blanks: u32, kind: TokenKind, start: u32, end: u32) {
        debug_assert!(blanks == MANY || self.end + blanks == start);
        // Checked first, so that the token is not built and saved across a rare call.
        if self.list.len() == self.list.capacity() {
            self.grow();
        }
        self.list.push(PackedToken { place: start << GAP_BITS | blanks, kind });
        self.end = end;
    }

    /// Grows the list's memory. A separate function, so that appending stays small.
    #[cold]
    #[inline(never)]
    fn grow(&mut self) {
        self.list.reserve(1);
    }

    /// Records `blanks`, the number of blanks before the next token, as one that is too large for the encoding; returns
    /// [`MANY`], the code for such numbers.
    #[cold]
    #[inline(never)]
    fn push_wide(&mut self, blanks: u32) -> u32 {
        self.wide.push((self.list.len() as u32, blanks));
        MANY
    }

    /// Removes all tokens from the list, but keeps the offset at which the last one ends.
    pub(crate) fn clear(&mut self) {
        self.list.clear();
        self.wide.clear();
    }

    /// Releases the unused capacity of the list of tokens.
    pub(crate) fn shrink(&mut self) {
        self.list.shrink_to_fit();
        self.wide.shrink_to_fit();
    }

    /// Returns the number of tokens in the list.
    pub(crate) fn len(&self) -> usize {
        self.list.len()
    }

    /// Returns the memory that the list of tokens uses, in bytes.
    pub(crate) fn memory(&self) -> usize {
        size_of_val(&*self.list) + size_of_val(&*self.wide)
    }

    /// Returns the token with the number `at`, decoded; `None` beyond the last.
    #[inline]
    pub(crate) fn get(&self, at: usize) -> Option<Token> {
        let token = *self.list.get(at)?;
        Some(Token::new(token.kind, token.start(), self.end_of(at)))
    }

    /// Returns the kind of the token with the number `at`; `None` beyond the last.
    #[inline]
    pub(crate) fn kind(&self, at: usize) -> Option<TokenKind> {
        self.list.get(at).map(|token| token.kind)
    }

    /// Returns the source range from the start of the token `first` to the end of the token `last`; `None` if one of them does
    /// not exist.
    #[inline]
    pub(crate) fn span(&self, first: usize, last: usize) -> Option<Span> {
        let start = self.list.get(first)?.start();
        match self.list.get(last + 1) {
            Some(next) if next.gap() < MANY => Some(Span::new(start, next.start() - next.gap())),
            _ => self.rare_span(start, last),
        }
    }

    /// Returns the source range from `start` to the end of the token `last`, also if that is the last of all or has a wide gap
    /// after it; `None` if it does not exist.
    #[cold]
    fn rare_span(&self, start: u32, last: usize) -> Option<Span> {
        (last < self.list.len()).then(|| Span::new(start, self.end_of(last)))
    }

    /// Returns the byte offset at which the token with the number `at` ends; it must exist.
    #[inline]
    fn end_of(&self, at: usize) -> u32 {
        match self.list.get(at + 1) {
            Some(next) if next.gap() == MANY => next.start() - self.wide_gap(at + 1),
            Some(next) => next.start() - next.gap(),
            None => self.end,
        }
    }

    /// Returns the number of blanks before the token with the number `at`, from the list of the numbers that are too large
    /// for the encoding.
    #[cold]
    fn wide_gap(&self, at: usize) -> u32 {
        let found = self.wide.binary_search_by_key(&at, |(token, _)| *token as usize);
        found.map_or(0, |found| self.wide[found].1)
    }
}

/// A range of a text's tokens, borrowed from its tree.
#[derive(Clone, Copy, Debug)]
pub struct Tokens<'t> {
    list: &'t TokenList,
    first: usize,
    end: usize,
}

impl<'t> Tokens<'t> {
    /// Returns the range of all tokens in a list.
    pub(crate) fn all(list: &'t TokenList) -> Tokens<'t> {
        Tokens { list, first: 0, end: list.len() }
    }

    /// Returns the number of tokens in the range.
    pub fn len(self) -> usize {
        self.end - self.first
    }

    /// Returns true if the range has no tokens.
    pub fn is_empty(self) -> bool {
        self.first == self.end
    }

    /// Returns the token with the number `at`, counted from the start of the range; `None` beyond the last.
    pub fn get(self, at: usize) -> Option<Token> {
        if at < self.len() { self.list.get(self.first + at) } else { None }
    }

    /// Returns the range without its first `at` tokens.
    pub fn from(self, at: usize) -> Tokens<'t> {
        Tokens { first: (self.first + at).min(self.end), ..self }
    }

    /// Returns the range of the first `at` tokens of this one.
    pub fn before(self, at: usize) -> Tokens<'t> {
        Tokens { end: (self.first + at).min(self.end), ..self }
    }

    /// Iterates over the tokens of the range, in order.
    pub fn iter(self) -> impl DoubleEndedIterator<Item = Token> + ExactSizeIterator + 't {
        (self.first..self.end).map(move |at| match self.list.get(at) {
            Some(token) => token,
            None => Token::new(TokenKind::End, 0, 0),
        })
    }

    /// Returns the index, in this range of tokens, of the first token for which `holds` is false. It must be true for all
    /// tokens before that one and false for all after.
    pub fn partition_point(self, holds: impl Fn(Token) -> bool) -> usize {
        let (mut low, mut high) = (0, self.len());
        while low < high {
            let middle = low + (high - low) / 2;
            match self.get(middle) {
                Some(token) if holds(token) => low = middle + 1,
                _ => high = middle,
            }
        }
        low
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_list_gives_every_token_back(parts in prop::collection::vec((0u8..6, 0u32..300, 0u32..600), 0..40)) {
            let mut tokens = Vec::new();
            let mut at = 0;
            for (kind, gap, length) in parts {
                // Most gaps are short.
                let start = at + if gap < 200 { gap % 3 } else { gap };
                at = start + length;
                tokens.push(Token::new(TokenKind::from_bits(kind), start, at));
            }
            tokens.push(Token::new(TokenKind::End, at + 1, at + 1));
            let mut list = TokenList::default();
            tokens.iter().for_each(|token| list.push(token.kind(), token.span().start, token.span().end));
            prop_assert_eq!(Tokens::all(&list).iter().collect::<Vec<_>>(), tokens.clone());
            let point = at / 2;
            prop_assert_eq!(
                Tokens::all(&list).partition_point(|token| token.span().start < point),
                tokens.partition_point(|token| token.span().start < point)
            );
        }
    }
}
