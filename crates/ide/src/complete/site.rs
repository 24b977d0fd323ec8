//! Determines the completion site in native syntax by reading tokens backwards from the cursor. Text that is being typed is
//! incomplete, so the syntax tree at the cursor is unreliable.

use groma::place::BlockStep;
use groma_syntax::{Span, Token, TokenKind, Tree};

/// The syntactic context of the cursor at which completion is requested: position, enclosing forms and blocks, and typed
/// text.
#[derive(Clone, Debug, Default)]
pub(crate) struct CompletionSite {
    /// The kind of syntax that can stand there.
    pub(crate) position: SitePosition,
    /// The expression forms that enclose the cursor within the argument, innermost first.
    pub(crate) frames: Vec<SiteFrame>,
    /// The enclosing blocks, outermost first.
    pub(crate) blocks: Vec<BlockStep>,
    /// The argument whose value contains the cursor.
    pub(crate) argument: Option<String>,
    /// The reference before the name being typed: `local`, `a` for `local.a.`
    pub(crate) chain: Vec<ChainStep>,
    /// The offset itself.
    pub(crate) at: u32,
    /// The span of the name being typed.
    pub(crate) word: Span,
    /// The text from the start of a string to the cursor; `None` outside strings.
    pub(crate) text: Option<String>,
}

/// The kind of syntax that can stand at an offset.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum SitePosition {
    /// The start of an argument or a nested block.
    #[default]
    Body,
    /// A block label, by its index.
    Label(usize),
    /// The key of an object attribute.
    Key,
    /// An expression.
    Expression,
    /// Literal text of a string.
    Text,
    /// A comment, where nothing is completed.
    Comment,
}

/// An expression form around the cursor, such as a call, an object or an index in brackets.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum SiteFrame {
    /// The arguments of a call.
    Call {
        /// The function's name.
        name: String,
        /// The index of the argument that contains the cursor.
        argument: usize,
        /// The span of the function's name.
        span: Span,
    },
    /// A tuple.
    Tuple,
    /// An object, with the key whose value contains the cursor; `None` in a key.
    Object(Option<String>),
    /// An index in brackets, with the reference before it.
    Index(Vec<ChainStep>),
    /// Parentheses, an interpolation or a directive.
    Other,
}

/// A step of the reference that is being typed before the cursor: a name, a key or a position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum ChainStep {
    /// A name.
    Name(String),
    /// A constant key in brackets.
    Key(String),
    /// A constant position in brackets.
    Position(usize),
    /// Any other key, or a splat.
    Any,
}

/// Returns the completion site at an offset of a text in native syntax.
pub(crate) fn site_at(tree: &Tree, at: u32) -> CompletionSite {
    let mut site = CompletionSite { at, word: word_at(tree.text(), at), ..Default::default() };
    let tokens: Vec<Token> = tree.tokens().iter().collect();
    let mut is_plain = false;
    let mut start = tokens.partition_point(|token| token.span().start < site.word.start);
    if let Some(token) = tokens[..start].last().copied() {
        let span = token.span();
        let is_inside = span.start < at && at < span.end;
        let text = |from: u32| Some(Span::new(from, at).of(tree.text()).to_owned());
        match token.kind() {
            TokenKind::Comment if is_inside || ends_at_line(tree.text(), span, at) => {
                site.position = SitePosition::Comment;
                return site;
            }
            TokenKind::String if is_inside => {
                site.position = SitePosition::Text;
                site.text = text(span.start + 1);
                start -= 1;
                is_plain = true;
            }
            TokenKind::Literal | TokenKind::QuoteOpen | TokenKind::HeredocOpen
                if span.start < at && at <= span.end =>
            {
                site.position = SitePosition::Text;
                let from = if token.kind() == TokenKind::Literal { span.start } else { span.end };
                site.text = text(from);
            }
            TokenKind::SequenceClose if span.end <= at => {
                let next = tokens.get(start).map(|token| token.kind());
                if matches!(next, Some(TokenKind::QuoteClose | TokenKind::Literal)) {
                    site.position = SitePosition::Text;
                }
            }
            _ => {}
        }
    }
    // If the name being typed is inside a string, the string's token starts before it.
    if site.position == SitePosition::Body
        && let Some(token) = tokens.get(start).copied()
        && matches!(token.kind(), TokenKind::Literal | TokenKind::String)
        && token.span().start < at
    {
        let from = if token.kind() == TokenKind::String { 1 } else { 0 };
        site.text = Some(Span::new(token.span().start + from, at).of(tree.text()).to_owned());
        site.position = SitePosition::Text;
    }
    let mut scan = SiteScan { tree, tokens: &tokens, site };
    start = match scan.site.position {
        SitePosition::Text if is_plain => start,
        SitePosition::Text => scan.before_text(start),
        _ => scan.read_chain(start),
    };
    scan.collect_enclosing(start);
    scan.site
}

/// Returns true if `span` is that of a line comment that is still open at the offset `at` behind it, since it extends to the
/// end of the line.
fn ends_at_line(text: &str, span: Span, at: u32) -> bool {
    let comment = span.of(text);
    let is_line = comment.starts_with('#') || comment.starts_with("//");
    is_line && at >= span.end && !Span::new(span.start, at).of(text).contains('\n')
}

/// Returns the span of the name that an offset touches; empty if it touches none.
pub(crate) fn word_at(text: &str, at: u32) -> Span {
    let at = crate::request::floor(text, at) as usize;
    let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '-';
    let start = text[..at].rfind(|c| !is_part(c));
    let start =
        start.map_or(0, |found| found + text[found..].chars().next().map_or(1, char::len_utf8));
    let end = text[at..].find(|c| !is_part(c)).map_or(text.len(), |found| at + found);
    Span::new(start as u32, end as u32)
}

/// A backward scan of a file's tokens, with the completion site that it has determined so far.
struct SiteScan<'t> {
    tree: &'t Tree,
    tokens: &'t [Token],
    site: CompletionSite,
}

impl SiteScan<'_> {
    /// Returns the text of a token.
    fn text(&self, token: Token) -> &str {
        token.span().of(self.tree.text())
    }

    /// Returns the kind of the token with this index; `None` behind the last token.
    fn kind(&self, at: usize) -> Option<TokenKind> {
        self.tokens.get(at).map(|token| token.kind())
    }

    /// Sets the completion site's reference from the tokens before the index `start`, that of the name being typed, and
    /// returns the index of the reference's first token, or `start` if there is no reference.
    fn read_chain(&mut self, start: usize) -> usize {
        let mut at = start;
        // `.name` is a single token, whose dot lies before the word.
        if let Some(token) = at.checked_sub(1).and_then(|last| self.tokens.get(last)) {
            let is_open = token.span().end > self.site.word.start
                || token.kind() == TokenKind::Dot && token.span().end == self.site.word.start;
            let is_dot = matches!(token.kind(), TokenKind::DotName | TokenKind::Dot);
            if !(is_open && is_dot) {
                return at;
            }
            at -= 1;
        }
        let (chain, before) = self.chain_before(at);
        self.site.chain = chain;
        before
    }

    /// Returns the steps of the reference that ends before the token with the index `end`, and the index of the reference's
    /// first token.
    fn chain_before(&self, end: usize) -> (Vec<ChainStep>, usize) {
        let (mut at, mut steps) = (end, Vec::new());
        while let Some(last) = at.checked_sub(1) {
            let token = self.tokens[last];
            match token.kind() {
                TokenKind::DotName => {
                    steps.push(ChainStep::Name(self.text(token)[1..].to_owned()));
                    at = last;
                }
                TokenKind::Identifier => {
                    steps.push(ChainStep::Name(self.text(token).to_owned()));
                    at = last;
                    break;
                }
                TokenKind::CloseBracket => {
                    let Some(open) = self.opener(last) else { break };
                    let inner = &self.tokens[open + 1..last];
                    steps.push(match inner {
                        [key] if key.kind() == TokenKind::String => {
                            ChainStep::Key(self.text(*key).trim_matches('"').to_owned())
                        }
                        [number] if number.kind() == TokenKind::Number => {
                            let position = self.text(*number).parse();
                            position.map_or(ChainStep::Any, ChainStep::Position)
                        }
                        _ => ChainStep::Any,
                    });
                    at = open;
                }
                TokenKind::Star => {
                    steps.push(ChainStep::Any);
                    at = last;
                }
                TokenKind::Dot => at = last,
                _ => break,
            }
        }
        steps.reverse();
        (steps, at)
    }

    /// Returns the index of the bracket that opens the pair closed at `close`; `None` if it is missing.
    fn opener(&self, close: usize) -> Option<usize> {
        let mut depth = 0usize;
        for at in (0..=close).rev() {
            match self.tokens[at].kind() {
                TokenKind::CloseBracket | TokenKind::CloseParen | TokenKind::CloseBrace => {
                    depth += 1
                }
                TokenKind::OpenBracket | TokenKind::OpenParen | TokenKind::OpenBrace => {
                    depth -= 1;
                    if depth == 0 {
                        return Some(at);
                    }
                }
                _ => {}
            }
        }
        None
    }

    /// Returns the index of the token that opens the string around the cursor, found backwards from the token at the cursor,
    /// `start`; returns `start` if there is no such string.
    fn before_text(&self, start: usize) -> usize {
        let mut depth = 0usize;
        for at in (0..start).rev() {
            match self.tokens[at].kind() {
                TokenKind::QuoteClose | TokenKind::HeredocClose | TokenKind::SequenceClose => {
                    depth += 1
                }
                TokenKind::QuoteOpen | TokenKind::HeredocOpen if depth == 0 => return at,
                TokenKind::QuoteOpen
                | TokenKind::HeredocOpen
                | TokenKind::InterpolationOpen
                | TokenKind::DirectiveOpen => depth = depth.saturating_sub(1),
                TokenKind::Literal => {}
                _ if depth == 0 => return start,
                _ => {}
            }
        }
        start
    }

    /// Collects the expression forms and blocks that enclose the cursor, reading tokens backwards from `start` to the
    /// top-level block.
    fn collect_enclosing(&mut self, start: usize) {
        let mut level = SiteLevel::default();
        let mut depth = 0usize;
        let mut at = start;
        let mut is_innermost = true;
        while let Some(last) = at.checked_sub(1) {
            at = last;
            let kind = self.tokens[at].kind();
            let is_close = matches!(
                kind,
                TokenKind::CloseBrace
                    | TokenKind::CloseBracket
                    | TokenKind::CloseParen
                    | TokenKind::SequenceClose
                    | TokenKind::QuoteClose
                    | TokenKind::HeredocClose
            );
            let is_open = matches!(
                kind,
                TokenKind::OpenBrace
                    | TokenKind::OpenBracket
                    | TokenKind::OpenParen
                    | TokenKind::InterpolationOpen
                    | TokenKind::DirectiveOpen
                    | TokenKind::QuoteOpen
                    | TokenKind::HeredocOpen
            );
            match () {
                () if is_close => depth += 1,
                () if is_open && depth > 0 => depth -= 1,
                () if is_open => {
                    match kind {
                        // The string around an interpolation is not a frame.
                        TokenKind::QuoteOpen | TokenKind::HeredocOpen => continue,
                        TokenKind::OpenBrace => {
                            if let Some(header) = self.block_header(at) {
                                self.end_level(&level, is_innermost);
                                is_innermost = false;
                                let (step, is_outermost) = self.step(header, at);
                                self.site.blocks.insert(0, step);
                                if is_outermost {
                                    return;
                                }
                                at = header;
                            } else {
                                self.object(at, &level, &mut is_innermost);
                            }
                        }
                        _ => self.bracket(at, kind, &level, &mut is_innermost),
                    }
                    level = SiteLevel::default();
                }
                () if depth > 0 => {}
                () => level.count_token(kind, at),
            }
        }
        self.end_level(&level, is_innermost);
    }

    /// Ends the scan of one `level` of brackets around the cursor: sets the completion site's argument or, at the innermost
    /// level only, the block whose header is being typed.
    fn end_level(&mut self, level: &SiteLevel, is_innermost: bool) {
        if self.site.argument.is_some() || !self.site.blocks.is_empty() {
            return;
        }
        if let Some(equal) = level.assignment {
            let name = equal.checked_sub(1).map(|at| self.tokens[at]);
            self.site.argument = name.map(|name| self.text(name).trim_matches('"').to_owned());
            if is_innermost && self.site.position == SitePosition::Body {
                self.site.position = SitePosition::Expression;
            }
            return;
        }
        if !is_innermost {
            return;
        }
        // Words before the offset on the same line belong to a block's header.
        let words = level.words;
        if words > 0 && matches!(self.site.position, SitePosition::Body | SitePosition::Text) {
            self.site.position = SitePosition::Label(words - 1);
            let first = level.first_word.map(|at| self.tokens[at]);
            let labels = level.first_word.map(|at| {
                let all = self.tokens[at + 1..].iter().take(words - 1);
                all.map(|token| self.text(*token).trim_matches('"').to_owned()).collect()
            });
            self.site.argument = None;
            if let (Some(first), Some(labels)) = (first, labels) {
                let kind = self.text(first).to_owned();
                self.site.frames.clear();
                self.site.chain.clear();
                self.site.blocks.insert(0, BlockStep { kind, labels });
            }
        }
    }

    /// Returns the index of the first header token of the block that `brace` opens; `None` if it opens an object.
    fn block_header(&self, brace: usize) -> Option<usize> {
        let mut at = brace;
        while let Some(last) = at.checked_sub(1) {
            match self.tokens[last].kind() {
                TokenKind::String | TokenKind::Identifier => at = last,
                _ => break,
            }
        }
        let is_start = at.checked_sub(1).is_none_or(|before| {
            matches!(
                self.tokens[before].kind(),
                TokenKind::Newline | TokenKind::OpenBrace | TokenKind::Comment
            )
        });
        (at < brace && is_start && self.kind(at) == Some(TokenKind::Identifier)).then_some(at)
    }

    /// Returns the block whose header is the tokens from `header` to `brace`, and true if its line starts without
    /// indentation.
    fn step(&self, header: usize, brace: usize) -> (BlockStep, bool) {
        let words = &self.tokens[header..brace];
        let text = |token: &Token| self.text(*token).trim_matches('"').to_owned();
        let step =
            BlockStep { kind: text(&words[0]), labels: words[1..].iter().map(text).collect() };
        let start = words[0].span().start as usize;
        let is_outermost = start == 0 || self.tree.text()[..start].ends_with('\n');
        (step, is_outermost)
    }

    /// Adds the object or `for` expression that begins at `brace` to the frames that enclose the cursor; `level` has the key
    /// before the cursor; if `is_innermost` is true, a key or an expression can stand at the cursor, and it becomes false.
    fn object(&mut self, brace: usize, level: &SiteLevel, is_innermost: &mut bool) {
        let is_for = self.tokens.get(brace + 1).is_some_and(|token| self.text(*token) == "for");
        let key = level.separator.filter(|_| !is_for).and_then(|at| at.checked_sub(1));
        let key = key.map(|at| self.text(self.tokens[at]).trim_matches('"').to_owned());
        let is_key = key.is_none() && !is_for;
        self.site.frames.push(if is_for { SiteFrame::Other } else { SiteFrame::Object(key) });
        if *is_innermost {
            if self.site.position == SitePosition::Body {
                self.site.position =
                    if is_key { SitePosition::Key } else { SitePosition::Expression };
            }
            *is_innermost = false;
        }
    }

    /// Adds the call, index, tuple or parenthesis whose open bracket, of the given kind, is at `at` to the frames that
    /// enclose the cursor; `level` counts the commas after it; if `is_innermost` is true, an expression can stand at the
    /// cursor, and it becomes false.
    fn bracket(&mut self, at: usize, kind: TokenKind, level: &SiteLevel, is_innermost: &mut bool) {
        let before = at.checked_sub(1).map(|at| self.tokens[at]);
        let is_next_to = before.is_some_and(|one| one.span().end == self.tokens[at].span().start);
        let before_kind = before.map(|one| one.kind()).filter(|_| is_next_to);
        let frame = match (kind, before_kind) {
            (TokenKind::OpenParen, Some(TokenKind::Identifier)) => {
                let (name, span) = self.function_name(at - 1);
                SiteFrame::Call { name, argument: level.commas, span }
            }
            (
                TokenKind::OpenBracket,
                Some(
                    TokenKind::Identifier
                    | TokenKind::DotName
                    | TokenKind::CloseBracket
                    | TokenKind::CloseParen,
                ),
            ) => SiteFrame::Index(self.chain_before(at).0),
            (TokenKind::OpenBracket, _) => SiteFrame::Tuple,
            _ => SiteFrame::Other,
        };
        self.site.frames.push(frame);
        if *is_innermost {
            if self.site.position == SitePosition::Body {
                self.site.position = SitePosition::Expression;
            }
            *is_innermost = false;
        }
    }

    /// Returns the name of a function, namespaces included, that ends at a token, and its span.
    fn function_name(&self, last: usize) -> (String, Span) {
        let mut first = last;
        while first >= 2
            && self.kind(first - 1) == Some(TokenKind::DoubleColon)
            && self.kind(first - 2) == Some(TokenKind::Identifier)
        {
            first -= 2;
        }
        let span = self.tokens[first].span().join(self.tokens[last].span());
        (span.of(self.tree.text()).to_owned(), span)
    }
}

/// The commas, separators and words read so far in the innermost bracket that is still open, scanning backwards from the
/// cursor.
#[derive(Default)]
struct SiteLevel {
    /// The number of commas, which is the argument's index in a call.
    commas: usize,
    /// The index of the `=` of the argument that contains the cursor.
    assignment: Option<usize>,
    /// The index of the `=` or `:` after the key whose value contains the cursor.
    separator: Option<usize>,
    /// True once the start of the cursor's line or element is passed.
    is_past: bool,
    /// True once a line end is passed.
    is_past_line: bool,
    /// The number of names and strings on the line before the cursor.
    words: usize,
    /// The index of the first of these words.
    first_word: Option<usize>,
    /// True if a `?` was read, so that the next `:` is not a separator.
    is_conditional: bool,
}

impl SiteLevel {
    /// Counts one token, of this kind and index, in the scan backwards from the cursor.
    fn count_token(&mut self, kind: TokenKind, at: usize) {
        match kind {
            TokenKind::Comma => {
                self.commas += 1;
                self.is_past = true;
            }
            TokenKind::Newline => {
                self.is_past = true;
                self.is_past_line = true;
            }
            TokenKind::Equal if !self.is_past_line => {
                self.assignment.get_or_insert(at);
                if !self.is_past {
                    self.separator.get_or_insert(at);
                }
            }
            TokenKind::Question if !self.is_past => {
                // The colon belongs to the conditional.
                self.is_conditional = true;
                self.separator = None;
            }
            TokenKind::Colon if !self.is_past && !self.is_conditional => {
                self.separator.get_or_insert(at);
            }
            TokenKind::Identifier | TokenKind::String if !self.is_past_line => {
                self.words += 1;
                self.first_word = Some(at);
            }
            _ => {}
        }
    }
}
