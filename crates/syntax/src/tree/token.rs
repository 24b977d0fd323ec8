//! Tokens, and the list of those of a text, in five bytes each: where one starts, what it is, and how many blanks stand
//! before it. Where it ends is where the next one starts, less the blanks before that.

use crate::kind::TokenKind;
use crate::span::Span;

/// The number of bits for the kind of a token.
const KIND_BITS: u32 = 6;
/// The mask of the bits for a token's kind.
const KINDS: u32 = (1 << KIND_BITS) - 1;

/// The number of bits for the width of the gap before a token.
const GAP_BITS: u32 = 6;
/// The code for a gap whose width is stored elsewhere.
const MANY: u32 = (1 << GAP_BITS) - 1;

/// A token: start, length and kind, in eight bytes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Token {
    start: u32,
    bits: u32,
}

impl Token {
    /// Returns a token from its kind and byte offsets.
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

/// The five-byte encoding of a token: start, number of blanks before it, and kind.
#[derive(Clone, Copy, Debug)]
#[repr(C, packed)]
struct PackedToken {
    /// The place where it starts, and from the lowest bit how many blanks stand before it; [`MANY`] stands for a
    /// number that is kept elsewhere.
    place: u32,
    kind: TokenKind,
}

impl PackedToken {
    /// Returns the offset at which the token starts.
    fn start(self) -> u32 {
        self.place >> GAP_BITS
    }

    /// Returns the number of bytes between the token and the one before it.
    fn gap(self) -> u32 {
        self.place & MANY
    }
}

/// All tokens of a text, in order, separated by nothing but blanks.
#[derive(Debug, Default)]
pub(crate) struct TokenList {
    list: Vec<PackedToken>,
    /// The numbers of tokens that many blanks stand before, ascending, and how many.
    wide: Vec<(u32, u32)>,
    /// The place where the last one ends.
    end: u32,
}

impl TokenList {
    /// Reserves room for exactly `tokens` more tokens.
    pub(crate) fn reserve(&mut self, tokens: usize) {
        self.list.reserve_exact(tokens);
    }

    /// Appends a token to the list.
    #[inline]
    pub(crate) fn push(&mut self, kind: TokenKind, start: u32, end: u32) {
        let blanks = start.wrapping_sub(self.end);
        let gap = if blanks < MANY { blanks } else { self.push_wide(blanks) };
        self.push_after(gap, kind, start, end);
    }

    /// Adds a token that follows `blanks` blanks, few enough for the encoding.
    #[inline]
    pub(crate) fn push_after(&mut self, blanks: u32, kind: TokenKind, start: u32, end: u32) {
        debug_assert!(blanks == MANY || self.end + blanks == start);
        // Beforehand, so that nothing is put together and kept for a call that is rare.
        if self.list.len() == self.list.capacity() {
            self.grow();
        }
        self.list.push(PackedToken { place: start << GAP_BITS | blanks, kind });
        self.end = end;
    }

    /// Grows the list's memory; kept apart so that appending stays small.
    #[cold]
    #[inline(never)]
    fn grow(&mut self) {
        self.list.reserve(1);
    }

    /// Records that a gap of `blanks` blanks, too wide for the encoding, precedes the next token; returns the code for it.
    #[cold]
    #[inline(never)]
    fn push_wide(&mut self, blanks: u32) -> u32 {
        self.wide.push((self.list.len() as u32, blanks));
        MANY
    }

    /// Removes all tokens, but keeps the end of the last one.
    pub(crate) fn clear(&mut self) {
        self.list.clear();
        self.wide.clear();
    }

    /// Releases unused capacity.
    pub(crate) fn shrink(&mut self) {
        self.list.shrink_to_fit();
        self.wide.shrink_to_fit();
    }

    /// Returns the number of tokens.
    pub(crate) fn len(&self) -> usize {
        self.list.len()
    }

    /// Returns the memory of the list, in bytes.
    pub(crate) fn memory(&self) -> usize {
        size_of_val(&*self.list) + size_of_val(&*self.wide)
    }

    /// Returns a token by its number.
    #[inline]
    pub(crate) fn get(&self, at: usize) -> Option<Token> {
        let token = *self.list.get(at)?;
        Some(Token::new(token.kind, token.start(), self.end_of(at)))
    }

    /// Returns a token's kind by its number.
    #[inline]
    pub(crate) fn kind(&self, at: usize) -> Option<TokenKind> {
        self.list.get(at).map(|token| token.kind)
    }

    /// Returns the source range from the start of token `first` to the end of token `last`, if both exist.
    #[inline]
    pub(crate) fn span(&self, first: usize, last: usize) -> Option<Span> {
        let start = self.list.get(first)?.start();
        match self.list.get(last + 1) {
            Some(next) if next.gap() < MANY => Some(Span::new(start, next.start() - next.gap())),
            _ => self.rare_span(start, last),
        }
    }

    /// Returns the source range up to `last` if it is the last token of all or a wide gap follows it.
    #[cold]
    fn rare_span(&self, start: u32, last: usize) -> Option<Span> {
        (last < self.list.len()).then(|| Span::new(start, self.end_of(last)))
    }

    /// Returns the end offset of an existing token.
    #[inline]
    fn end_of(&self, at: usize) -> u32 {
        match self.list.get(at + 1) {
            Some(next) if next.gap() == MANY => next.start() - self.wide_gap(at + 1),
            Some(next) => next.start() - next.gap(),
            None => self.end,
        }
    }

    /// Returns the width of a gap that is too wide for the encoding, before token `at`.
    #[cold]
    fn wide_gap(&self, at: usize) -> u32 {
        let found = self.wide.binary_search_by_key(&at, |(token, _)| *token as usize);
        found.map_or(0, |found| self.wide[found].1)
    }
}

/// A borrowed range of a text's tokens.
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

    /// Returns the token with number `at` in the range.
    pub fn get(self, at: usize) -> Option<Token> {
        if at < self.len() { self.list.get(self.first + at) } else { None }
    }

    /// Returns the tokens of the range from number `at` on.
    pub fn from(self, at: usize) -> Tokens<'t> {
        Tokens { first: (self.first + at).min(self.end), ..self }
    }

    /// Returns the tokens of the range before number `at`.
    pub fn before(self, at: usize) -> Tokens<'t> {
        Tokens { end: (self.first + at).min(self.end), ..self }
    }

    /// Iterates over the tokens in order.
    pub fn iter(self) -> impl DoubleEndedIterator<Item = Token> + ExactSizeIterator + 't {
        (self.first..self.end).map(move |at| match self.list.get(at) {
            Some(token) => token,
            None => Token::new(TokenKind::End, 0, 0),
        })
    }

    /// Returns the number of the first token for which `holds` is false; it must hold for all tokens before that one.
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
