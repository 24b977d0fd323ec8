//! Every kind of token and of node.
//! Blanks have no token: they are the gaps between tokens. A plain quoted string and `.name` are one token each.

/// What a token is. Fewer than 64, since a token keeps its kind in six bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum TokenKind {
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
    /// Characters that mean nothing here; the lexer has reported them.
    Invalid,
    /// Text in single or typographic quotes; the lexer has reported it.
    WrongQuotes,
    /// Empty: a string that is open at the end of its line was given up here, with all that encloses it on that line.
    Cut,
}

impl TokenKind {
    /// Whether a parser that ignores line ends looks past it.
    pub const fn is_trivia(self) -> bool {
        matches!(self, Self::Newline | Self::Comment)
    }

    const ALL: [Self; 46] = [
        Self::End,
        Self::Newline,
        Self::Comment,
        Self::Identifier,
        Self::Number,
        Self::String,
        Self::DotName,
        Self::QuoteOpen,
        Self::QuoteClose,
        Self::HeredocOpen,
        Self::HeredocClose,
        Self::Literal,
        Self::InterpolationOpen,
        Self::DirectiveOpen,
        Self::SequenceClose,
        Self::OpenBrace,
        Self::CloseBrace,
        Self::OpenBracket,
        Self::CloseBracket,
        Self::OpenParen,
        Self::CloseParen,
        Self::Equal,
        Self::Arrow,
        Self::Colon,
        Self::DoubleColon,
        Self::Question,
        Self::Comma,
        Self::Dot,
        Self::Ellipsis,
        Self::Star,
        Self::Plus,
        Self::Minus,
        Self::Slash,
        Self::Percent,
        Self::EqualEqual,
        Self::NotEqual,
        Self::Less,
        Self::LessEqual,
        Self::Greater,
        Self::GreaterEqual,
        Self::And,
        Self::Or,
        Self::Bang,
        Self::Invalid,
        Self::WrongQuotes,
        Self::Cut,
    ];

    /// The kind with that number; numbers that are none give `Invalid`.
    pub(crate) const fn from_bits(bits: u8) -> Self {
        if (bits as usize) < Self::ALL.len() { Self::ALL[bits as usize] } else { Self::Invalid }
    }
}

/// What a node is. Fewer than 64, since a node keeps its kind in six bits.
/// The children named here come in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum NodeKind {
    /// Something that could not be read; already reported.
    Error,
    /// A whole file, or what stands between a block's braces: items.
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
    /// `[*]` and what follows for each element: source, each.
    SplatFull,
    /// `.*` and what follows for each element: source, each.
    SplatAttribute,
    /// The element that a splat stands at; empty.
    SplatItem,
}

impl NodeKind {
    const ALL: [Self; 33] = [
        Self::Error,
        Self::Body,
        Self::Argument,
        Self::Block,
        Self::Whole,
        Self::Number,
        Self::Traversal,
        Self::String,
        Self::Quoted,
        Self::Heredoc,
        Self::Bare,
        Self::Interpolation,
        Self::DirectiveIf,
        Self::DirectiveElse,
        Self::DirectiveEndIf,
        Self::DirectiveFor,
        Self::DirectiveEndFor,
        Self::DirectiveError,
        Self::Parenthesised,
        Self::Unary,
        Self::Binary,
        Self::Conditional,
        Self::Tuple,
        Self::Object,
        Self::ForTuple,
        Self::ForObject,
        Self::Call,
        Self::Attribute,
        Self::Index,
        Self::LegacyIndex,
        Self::SplatFull,
        Self::SplatAttribute,
        Self::SplatItem,
    ];

    /// The kind with that number; numbers that are none give `Error`.
    pub(crate) const fn from_bits(bits: u8) -> Self {
        if (bits as usize) < Self::ALL.len() { Self::ALL[bits as usize] } else { Self::Error }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_kinds_agree() {
        for (bits, kind) in TokenKind::ALL.iter().enumerate() {
            assert_eq!(*kind as usize, bits);
        }
        for (bits, kind) in NodeKind::ALL.iter().enumerate() {
            assert_eq!(*kind as usize, bits);
        }
        assert!(TokenKind::ALL.len() <= 64 && NodeKind::ALL.len() <= 64);
    }
}
