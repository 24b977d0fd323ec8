//! Tokens, and the list of those of a text, in five bytes each: where one starts, what it is, and how many blanks follow
//! it. Where it ends is where the next one starts, less those blanks.

use crate::kind::TokenKind;
use crate::span::Span;

/// Bits of a kind.
const KIND_BITS: u32 = 6;
const KINDS: u32 = (1 << KIND_BITS) - 1;

/// So many blanks are kept elsewhere.
const MANY: u8 = u8::MAX;

/// A token: where it starts, how long it is and what it is, in eight bytes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Token {
    start: u32,
    bits: u32,
}

impl Token {
    pub(crate) fn new(kind: TokenKind, start: u32, end: u32) -> Self {
        Self { start, bits: (end.wrapping_sub(start) << KIND_BITS) | kind as u32 }
    }

    /// What it is.
    pub fn kind(self) -> TokenKind {
        TokenKind::from_bits((self.bits & KINDS) as u8)
    }

    /// How many bytes it covers.
    pub fn len(self) -> u32 {
        self.bits >> KIND_BITS
    }

    /// Whether it covers nothing.
    pub fn is_empty(self) -> bool {
        self.len() == 0
    }

    /// Which bytes it covers.
    pub fn span(self) -> Span {
        Span::new(self.start, self.start + self.len())
    }
}

impl std::fmt::Debug for Token {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?}@{}..{}", self.kind(), self.start, self.start + self.len())
    }
}

/// All tokens of a text. They follow each other, with nothing but blanks between.
#[derive(Debug, Default)]
pub(crate) struct TokenList {
    /// Where each starts, and its kind.
    heads: Box<[u32]>,
    /// How many blanks follow each; [`MANY`] stands for a number that is among `wide`.
    gaps: Box<[u8]>,
    /// The numbers of tokens that many blanks follow, ascending, and how many.
    wide: Box<[(u32, u32)]>,
}

impl TokenList {
    pub(crate) fn of(tokens: &[Token]) -> TokenList {
        let heads = tokens.iter().map(|token| token.start << KIND_BITS | token.bits & KINDS);
        // The last token is the end, which nothing follows. The loop has no branch: it runs over every token of a file.
        let mut gaps: Box<[u8]> = vec![0; tokens.len()].into();
        let mut is_wide = false;
        for (gap, pair) in gaps.iter_mut().zip(tokens.windows(2)) {
            let blanks = gap_of(pair);
            is_wide |= blanks >= u32::from(MANY);
            *gap = blanks as u8;
        }
        let mut wide = Vec::new();
        if is_wide {
            for (at, pair) in tokens.windows(2).enumerate() {
                let blanks = gap_of(pair);
                if blanks >= u32::from(MANY) {
                    gaps[at] = MANY;
                    wide.push((at as u32, blanks));
                }
            }
        }
        TokenList { heads: heads.collect(), gaps, wide: wide.into() }
    }

    pub(crate) fn len(&self) -> usize {
        self.heads.len()
    }

    /// How many bytes it takes.
    pub(crate) fn memory(&self) -> usize {
        size_of_val(&*self.heads) + size_of_val(&*self.gaps) + size_of_val(&*self.wide)
    }

    #[inline]
    pub(crate) fn get(&self, at: usize) -> Option<Token> {
        let head = *self.heads.get(at)?;
        let (start, end) = (head >> KIND_BITS, self.end_of(at));
        Some(Token { start, bits: (end - start) << KIND_BITS | head & KINDS })
    }

    #[inline]
    pub(crate) fn kind(&self, at: usize) -> Option<TokenKind> {
        self.heads.get(at).map(|head| TokenKind::from_bits((head & KINDS) as u8))
    }

    /// From where the first starts to where the last ends, if both are there.
    #[inline]
    pub(crate) fn span(&self, first: usize, last: usize) -> Option<Span> {
        let head = self.heads.get(first)?;
        (last < self.heads.len()).then(|| Span::new(head >> KIND_BITS, self.end_of(last)))
    }

    /// Where one that is there ends.
    #[inline]
    fn end_of(&self, at: usize) -> u32 {
        match (self.heads.get(at + 1), self.gaps.get(at)) {
            (Some(next), Some(&MANY)) => (next >> KIND_BITS) - self.wide_gap(at),
            (Some(next), Some(gap)) => (next >> KIND_BITS) - u32::from(*gap),
            _ => self.heads.get(at).map_or(0, |head| head >> KIND_BITS),
        }
    }

    #[cold]
    fn wide_gap(&self, at: usize) -> u32 {
        let found = self.wide.binary_search_by_key(&at, |(token, _)| *token as usize);
        found.map_or(0, |found| self.wide[found].1)
    }
}

/// How many blanks lie between two tokens that follow each other.
#[inline]
fn gap_of(pair: &[Token]) -> u32 {
    match pair {
        [token, next] => next.start.wrapping_sub(token.start).wrapping_sub(token.bits >> KIND_BITS),
        _ => 0,
    }
}

/// The tokens of a text, or some that follow each other.
#[derive(Clone, Copy, Debug)]
pub struct Tokens<'t> {
    list: &'t TokenList,
    first: usize,
    end: usize,
}

impl<'t> Tokens<'t> {
    pub(crate) fn all(list: &'t TokenList) -> Tokens<'t> {
        Tokens { list, first: 0, end: list.len() }
    }

    /// How many there are.
    pub fn len(self) -> usize {
        self.end - self.first
    }

    /// Whether there is none.
    pub fn is_empty(self) -> bool {
        self.first == self.end
    }

    /// The one with that number.
    pub fn get(self, at: usize) -> Option<Token> {
        if at < self.len() { self.list.get(self.first + at) } else { None }
    }

    /// Those from a number on.
    pub fn from(self, at: usize) -> Tokens<'t> {
        Tokens { first: (self.first + at).min(self.end), ..self }
    }

    /// Those before a number.
    pub fn before(self, at: usize) -> Tokens<'t> {
        Tokens { end: (self.first + at).min(self.end), ..self }
    }

    /// Each in its order.
    pub fn iter(self) -> impl DoubleEndedIterator<Item = Token> + ExactSizeIterator + 't {
        (self.first..self.end).map(move |at| match self.list.get(at) {
            Some(token) => token,
            None => Token::new(TokenKind::End, 0, 0),
        })
    }

    /// The number of the first one for which something does not hold, where it holds for those before that.
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
            let list = TokenList::of(&tokens);
            prop_assert_eq!(Tokens::all(&list).iter().collect::<Vec<_>>(), tokens.clone());
            let point = at / 2;
            prop_assert_eq!(
                Tokens::all(&list).partition_point(|token| token.span().start < point),
                tokens.partition_point(|token| token.span().start < point)
            );
        }
    }
}
