//! Kinds of tokens and of nodes. Blanks are not tokens but gaps between them. A plain quoted string is one token, and so is
//! `.name`.

/// Defines an enum of kinds and its conversion from a number.
macro_rules! kinds {
    ($(#[$doc:meta])* $name:ident, or $none:ident: $($(#[$about:meta])* $kind:ident,)*) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[repr(u8)]
        pub enum $name {
            $($(#[$about])* $kind,)*
        }

        impl $name {
            /// All kinds of the enum that this macro defines, in order of declaration, for tests.
            #[cfg(test)]
            const ALL: &[Self] = &[$(Self::$kind),*];

            /// Returns the kind that has the number `bits`; for an unknown number the kind for unreadable input.
            #[inline]
            pub(crate) const fn from_bits(bits: u8) -> Self {
                match bits {
                    $(bits if bits == Self::$kind as u8 => Self::$kind,)*
                    _ => Self::$none,
                }
            }
        }
    };
}

kinds! {
    /// The kind of a token. There are fewer than 64, since a token stores its kind in six bits.
    TokenKind, or Invalid:
    /// The end of the text; empty, always last.
    End,
    /// One or more line ends, with the blanks between them.
    Newline,
    /// `# …`, `// …` up to the line end, or `/* … */`.
    Comment,
    /// A name.
    Identifier,
    /// A number.
    Number,
    /// A whole quoted string without template sequences.
    String,
    /// `.name` without anything between.
    DotName,
    /// The quote that opens a string with template sequences (or one that is never closed).
    QuoteOpen,
    /// The quote that closes it.
    QuoteClose,
    /// `<<NAME` or `<<-NAME` with its line end.
    HeredocOpen,
    /// The closing marker with the blanks before it.
    HeredocClose,
    /// Text of a template.
    Literal,
    /// `${` or `${~`.
    InterpolationOpen,
    /// `%{` or `%{~`.
    DirectiveOpen,
    /// `}` or `~}` that ends a template sequence.
    SequenceClose,
    /// `{`
    OpenBrace,
    /// `}`
    CloseBrace,
    /// `[`
    OpenBracket,
    /// `]`
    CloseBracket,
    /// `(`
    OpenParen,
    /// `)`
    CloseParen,
    /// `=`
    Equal,
    /// `=>`
    Arrow,
    /// `:`
    Colon,
    /// `::`
    DoubleColon,
    /// `?`
    Question,
    /// `,`
    Comma,
    /// `.` that is not directly followed by a name.
    Dot,
    /// `...`
    Ellipsis,
    /// `*`
    Star,
    /// `+`
    Plus,
    /// `-`
    Minus,
    /// `/`
    Slash,
    /// `%`
    Percent,
    /// `==`
    EqualEqual,
    /// `!=`
    NotEqual,
    /// `<`
    Less,
    /// `<=`
    LessEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterEqual,
    /// `&&`
    And,
    /// `||`
    Or,
    /// `!`
    Bang,
    /// Characters that are not allowed here; the lexer has reported them.
    Invalid,
    /// Text in single or typographic quotes; the lexer has reported it.
    WrongQuotes,
    /// Empty: the end of an unclosed string at the end of its line, with all sequences and strings that began on that line.
    Cut,
}

impl TokenKind {
    /// The set of the kinds of tokens that always end an expression, as bits.
    const ENDS: u64 = Self::End.bit()
        | Self::Comma.bit()
        | Self::Equal.bit()
        | Self::Arrow.bit()
        | Self::Ellipsis.bit()
        | Self::Colon.bit()
        | Self::CloseParen.bit()
        | Self::CloseBracket.bit()
        | Self::CloseBrace.bit()
        | Self::SequenceClose.bit();

    /// Returns the bit that represents a kind in a set of kinds.
    const fn bit(self) -> u64 {
        1 << self as u8
    }

    /// Returns true if a token of this kind always ends a complete expression before it.
    #[inline]
    pub(crate) const fn ends_expression(self) -> bool {
        Self::ENDS & self.bit() != 0
    }

    /// Returns true for the kinds of tokens that are skipped where line ends are insignificant: line ends and comments.
    #[inline]
    pub(crate) const fn is_trivia(self) -> bool {
        matches!(self, Self::Newline | Self::Comment)
    }
}

kinds! {
    /// The kind of a node. There are fewer than 64, since a node stores its kind in six bits. Each is described with its
    /// children, in order.
    NodeKind, or Error:
    /// Something that could not be read; already reported.
    Error,
    /// A body: the items of a whole file, or between a block's braces.
    Body,
    /// `name = value`: value.
    Argument,
    /// `kind "label" { … }`: body.
    Block,
    /// A whole text that is one expression: expression.
    Whole,
    /// A number.
    Number,
    /// A name followed by as many `.name` as the node has further tokens.
    Traversal,
    /// A quoted string without sequences.
    String,
    /// A quoted string with sequences: interpolations and directives. Its literal text is tokens only.
    Quoted,
    /// A heredoc: interpolations and directives.
    Heredoc,
    /// The text of a template file: interpolations and directives.
    Bare,
    /// `${ … }`: expression.
    Interpolation,
    /// `%{ if … }`: condition.
    DirectiveIf,
    /// `%{ else }`
    DirectiveElse,
    /// `%{ endif }`
    DirectiveEndIf,
    /// `%{ for … }`: collection.
    DirectiveFor,
    /// `%{ endfor }`
    DirectiveEndFor,
    /// A directive that could not be read.
    DirectiveError,
    /// `( … )`: expression.
    Parenthesised,
    /// An operator before its operand: operand.
    Unary,
    /// Two operands with an operator between: left, right.
    Binary,
    /// `a ? b : c`: condition, then, otherwise.
    Conditional,
    /// `[ … ]`: items.
    Tuple,
    /// `{ … }`: key, value, key, value …
    Object,
    /// `[for …]`: collection, value, perhaps condition.
    ForTuple,
    /// `{for …}`: collection, key, value, perhaps condition.
    ForObject,
    /// `name( … )`: arguments.
    Call,
    /// `.name` after anything but a traversal: object.
    Attribute,
    /// `[ key ]`: object, key.
    Index,
    /// `.0`: object.
    LegacyIndex,
    /// `[*]` with the steps that apply to each element: source, each.
    SplatFull,
    /// `.*` with the steps that apply to each element: source, each.
    SplatAttribute,
    /// The current element of a splat; covers no bytes.
    SplatItem,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_kinds_agree() {
        for (bits, kind) in TokenKind::ALL.iter().enumerate() {
            assert_eq!((*kind as usize, TokenKind::from_bits(bits as u8)), (bits, *kind));
        }
        for (bits, kind) in NodeKind::ALL.iter().enumerate() {
            assert_eq!((*kind as usize, NodeKind::from_bits(bits as u8)), (bits, *kind));
        }
        assert!(TokenKind::ALL.len() <= 64 && NodeKind::ALL.len() <= 64);
    }
}
