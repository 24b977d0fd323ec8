//! Folding ranges: multi-line brackets, heredocs, comments and regions. They are computed from tokens, so an error elsewhere in
//! the text does not affect them.

use groma::place::FileSyntax;
use groma_syntax::json::{JsonCase, JsonView};
use groma_syntax::{Span, Token, TokenKind};

use crate::document::TextDocument;
use crate::request::Request;

/// A range of lines that an editor can collapse: a bracket pair, a heredoc, comments or a region.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FoldingRange {
    /// The span from the opening bracket or comment to the closing one, over several lines.
    pub span: Span,
    /// The kind of the fold.
    pub kind: FoldingKind,
}

/// The kind of a foldable range, such as a comment or a region.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum FoldingKind {
    /// Brackets or a heredoc.
    Brackets,
    /// A run of comment lines.
    Comment,
    /// From `# region` to `# endregion`.
    Region,
}

/// Returns the foldable ranges of a file, sorted by start.
pub fn folding(request: &Request<'_>, file: &str) -> Vec<FoldingRange> {
    let Some(document) = request.document(file) else { return Vec::new() };
    let mut found = match document.syntax() {
        FileSyntax::Native(parse) => {
            let tokens: Vec<Token> = parse.tree.tokens().iter().collect();
            let mut found = bracketed(&tokens);
            comments(&document, &tokens, &mut found);
            found
        }
        FileSyntax::Json(parse) => in_json(parse.document.root()),
    };
    let line = |at: u32| document.source().position(at).line;
    found.retain(|one| line(one.span.start) < line(one.span.end));
    found.sort_by_key(|one| (one.span.start, one.span.end, one.kind));
    found
}

/// Returns the foldable ranges of bracket pairs and heredocs.
fn bracketed(tokens: &[Token]) -> Vec<FoldingRange> {
    let mut open: Vec<(TokenKind, u32)> = Vec::new();
    let mut found = Vec::new();
    for token in tokens {
        let opener = match token.kind() {
            TokenKind::OpenBrace
            | TokenKind::OpenBracket
            | TokenKind::OpenParen
            | TokenKind::HeredocOpen => {
                open.push((token.kind(), token.span().start));
                continue;
            }
            TokenKind::CloseBrace => TokenKind::OpenBrace,
            TokenKind::CloseBracket => TokenKind::OpenBracket,
            TokenKind::CloseParen => TokenKind::OpenParen,
            TokenKind::HeredocClose => TokenKind::HeredocOpen,
            _ => continue,
        };
        // An unclosed bracket does not affect the brackets around it.
        if let Some(at) = open.iter().rposition(|(kind, _)| *kind == opener) {
            let span = Span::new(open[at].1, token.span().end);
            found.push(FoldingRange { span, kind: FoldingKind::Brackets });
            open.truncate(at);
        }
    }
    found
}

/// Adds the foldable ranges of runs of comment lines, and of regions between `# region` and `# endregion`.
fn comments(document: &TextDocument, tokens: &[Token], found: &mut Vec<FoldingRange>) {
    let line = |at: u32| document.source().position(at).line;
    let mut regions = Vec::new();
    let mut run: Option<Span> = None;
    let close = |run: Option<Span>, found: &mut Vec<FoldingRange>| {
        found.extend(run.map(|span| FoldingRange { span, kind: FoldingKind::Comment }));
    };
    let mut begins_line = true;
    for token in tokens {
        let span = token.span();
        match token.kind() {
            TokenKind::Newline => begins_line = true,
            TokenKind::Comment => {
                let text = span.of(document.text());
                let shown = Span::new(span.start, span.start + text.trim_end().len() as u32);
                let words = text.trim_start_matches(['#', '/', ' ']).trim_end();
                if is_word(words, "region") {
                    regions.push(span.start);
                } else if is_word(words, "endregion")
                    && let Some(start) = regions.pop()
                {
                    let span = Span::new(start, shown.end);
                    found.push(FoldingRange { span, kind: FoldingKind::Region });
                }
                let follows = run.is_some_and(|run| line(shown.start) == line(run.end) + 1);
                if begins_line && follows {
                    run = run.map(|run| run.join(shown));
                } else {
                    close(run.take(), found);
                    run = begins_line.then_some(shown);
                }
                begins_line = text.ends_with('\n');
            }
            _ => {
                close(run.take(), found);
                begins_line = false;
            }
        }
    }
    close(run, found);
}

/// Returns true if a text begins with this word, followed by a blank, a colon or nothing.
fn is_word(text: &str, word: &str) -> bool {
    text.strip_prefix(word).is_some_and(|rest| rest.is_empty() || rest.starts_with([' ', ':']))
}

/// Returns the foldable ranges of the objects and arrays in a JSON file.
fn in_json(root: JsonView<'_>) -> Vec<FoldingRange> {
    let (mut waiting, mut found) = (vec![root], Vec::new());
    while let Some(view) = waiting.pop() {
        match view.case() {
            JsonCase::Array(all) => waiting.extend(all),
            JsonCase::Object(all) => waiting.extend(all.into_iter().map(|one| one.value)),
            _ => continue,
        }
        found.push(FoldingRange { span: view.span(), kind: FoldingKind::Brackets });
    }
    found
}
