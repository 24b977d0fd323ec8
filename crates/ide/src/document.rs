//! The text of a file with its syntax tree. Every query reads the text from here, so all parts of an answer refer to the same
//! text.

use std::sync::{Arc, OnceLock};

use groma::place::{BlockStep, BodyLanguage, FileSyntax, JsonPosition, expected_by_rows};
use groma::{Dialect, Edition, Snapshot};
use groma_syntax::json::{JsonCase, JsonView};
use groma_syntax::{
    Argument, Body, BodyItem, Expr, FileId, NativeExpr, Source, Span, TokenKind, Tree,
    parse_template,
};

use crate::file_kind::FileKind;

/// The text of a file, with its syntax parsed on first use.
pub struct TextDocument {
    source: Arc<Source>,
    kind: Option<FileKind>,
    syntax: OnceLock<Arc<FileSyntax>>,
    /// The root that contains the file, whose parsed syntax is reused.
    root: Option<Snapshot>,
}

impl std::fmt::Debug for TextDocument {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "TextDocument({})", self.name())
    }
}

impl TextDocument {
    /// Creates a document from a file's name, which determines its purpose and syntax, and its text.
    pub fn new(name: &str, text: impl Into<Arc<str>>) -> TextDocument {
        let source = Arc::new(Source::new(name, text));
        TextDocument { source, kind: FileKind::of(name), syntax: OnceLock::new(), root: None }
    }

    /// Creates the document of a file that a module has read, with the module's snapshot for its schemas.
    pub(crate) fn of_root(name: &str, text: Arc<str>, snapshot: &Snapshot) -> TextDocument {
        TextDocument { root: Some(snapshot.clone()), ..TextDocument::new(name, text) }
    }

    /// Returns the name of the file, as it was given to [`TextDocument::new`].
    pub fn name(&self) -> &str {
        self.source.name()
    }

    /// Returns the text of the file.
    pub fn text(&self) -> &str {
        self.source.text()
    }

    /// Returns the text with its line index, for conversion of positions.
    pub fn source(&self) -> &Source {
        &self.source
    }

    /// Returns the kind of the file; `None` if no program reads it.
    pub fn kind(&self) -> Option<FileKind> {
        self.kind
    }

    /// Returns true if the file is written in JSON.
    pub fn is_json(&self) -> bool {
        self.name().ends_with(".json")
    }

    /// Returns the dialect that the file's name implies.
    pub fn dialect(&self) -> Dialect {
        match self.kind {
            Some(FileKind::Packer | FileKind::PackerValues) => Dialect::Packer,
            _ if self.name().contains(".tofu") => Dialect::OpenTofu,
            _ => Dialect::Terraform,
        }
    }

    /// Returns the language of the file's top-level blocks, such as that of modules or of tests.
    pub(crate) fn language(&self) -> BodyLanguage {
        match self.kind {
            Some(FileKind::Test) => BodyLanguage::Test,
            Some(FileKind::Mock) => BodyLanguage::Mock,
            Some(FileKind::Query) => BodyLanguage::Query,
            Some(FileKind::Packer) => BodyLanguage::Packer,
            _ => BodyLanguage::Module,
        }
    }

    /// Returns the parsed syntax of the text, native or JSON.
    pub fn syntax(&self) -> &FileSyntax {
        self.syntax.get_or_init(|| {
            if let Some(known) = self.root.as_ref().and_then(|root| root.syntax(self.name())) {
                return known;
            }
            let text = self.source.text();
            Arc::new(match self.kind {
                Some(FileKind::Template) => {
                    FileSyntax::Native(parse_template(text, FileId::default()))
                }
                _ => FileSyntax::parse(self.name(), text, FileId::default()),
            })
        })
    }

    /// Returns the syntax tree; `None` for JSON.
    pub fn tree(&self) -> Option<&Arc<Tree>> {
        match self.syntax() {
            FileSyntax::Native(parse) => Some(&parse.tree),
            FileSyntax::Json(_) => None,
        }
    }

    /// Returns the span of the name that an offset touches, in native syntax, without the dot before it; `None` if it
    /// touches none.
    pub(crate) fn name_at(&self, offset: u32) -> Option<Span> {
        let (before, after) = self.tree()?.tokens_at(offset);
        [after, before].into_iter().flatten().find_map(|(_, token)| {
            let span = token.span();
            match token.kind() {
                TokenKind::Identifier => Some(span),
                TokenKind::DotName => Some(Span::new(span.start + 1, span.end)),
                TokenKind::String => Some(Span::new(span.start + 1, span.end - 1)),
                _ => None,
            }
        })
    }

    /// Returns the lines that a range touches, from the start of the first to the end of the last.
    pub(crate) fn lines_of(&self, range: Span) -> Span {
        let line = |at: u32| self.source.line_span(self.source.position(at).line);
        line(range.start).join(line(range.end.max(range.start)))
    }

    /// Returns the span of the bracket pair that closes at an offset, in native syntax; `None` if no bracket closes there.
    pub(crate) fn brackets_closed_at(&self, at: u32) -> Option<Span> {
        let tokens = self.tree()?.tokens();
        let closing = tokens.iter().position(|token| {
            token.span().end == at
                && matches!(
                    token.kind(),
                    TokenKind::CloseBrace | TokenKind::CloseBracket | TokenKind::CloseParen
                )
        })?;
        let mut depth = 0usize;
        for token in tokens.before(closing + 1).iter().rev() {
            match token.kind() {
                TokenKind::CloseBrace | TokenKind::CloseBracket | TokenKind::CloseParen => {
                    depth += 1;
                }
                TokenKind::OpenBrace | TokenKind::OpenBracket | TokenKind::OpenParen => {
                    depth = depth.saturating_sub(1);
                    if depth == 0 {
                        return Some(Span::new(token.span().start, at));
                    }
                }
                _ => {}
            }
        }
        None
    }

    /// Returns the span of the whole word at an offset if that word is `name`; `None` if it is another.
    pub(crate) fn spelling_at(&self, at: u32, name: &str) -> Option<Span> {
        let text = self.text();
        let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '-';
        let at = crate::request::floor(text, at) as usize;
        let start = text[..at]
            .rfind(|c| !is_part(c))
            .map_or(0, |found| found + text[found..].chars().next().map_or(1, char::len_utf8));
        let end = text[at..].find(|c| !is_part(c)).map_or(text.len(), |found| at + found);
        let span = Span::new(start as u32, end as u32);
        (span.of(text) == name).then_some(span)
    }

    /// Returns the whole expression of the argument that contains an offset, in native syntax, or, for a template file, the
    /// whole template; `None` in JSON and outside of expressions.
    pub(crate) fn expression_at(&self, at: u32) -> Option<NativeExpr> {
        let FileSyntax::Native(parse) = self.syntax() else { return None };
        if self.kind == Some(FileKind::Template) {
            let Expr::Native(whole) = Expr::of(parse) else { return None };
            return Some(whole);
        }
        let mut body = Body::of(parse);
        loop {
            let touching = body.items().into_iter().find(|item| match item {
                BodyItem::Argument(argument) => argument.span.touches(at),
                BodyItem::Block(block) => block.span.touches(at),
            })?;
            match touching {
                BodyItem::Block(block) => body = block.body,
                BodyItem::Argument(Argument { expr: Expr::Native(expr), .. }) => {
                    return expr.span().touches(at).then_some(expr);
                }
                BodyItem::Argument(_) => return None,
            }
        }
    }

    /// Returns the names of the arguments and nested blocks in the file's block with the kind and labels of `step`.
    pub(crate) fn names_in(&self, step: &BlockStep) -> Vec<String> {
        let name = |item: &BodyItem| match item {
            BodyItem::Argument(argument) => argument.name.text.to_string(),
            BodyItem::Block(block) => block.kind.text.to_string(),
        };
        if let FileSyntax::Json(parse) = self.syntax() {
            let mut views = vec![parse.document.root()];
            for wanted in std::iter::once(&step.kind).chain(&step.labels) {
                let inner = views.into_iter().flat_map(json_properties);
                let inner = inner.filter(|(name, _)| name == wanted);
                views = inner.map(|(_, value)| value).collect();
            }
            let all = views.into_iter().flat_map(json_properties);
            return all.map(|(name, _)| name).collect();
        }
        let items = self.syntax().body().items();
        let block = items.into_iter().find_map(|item| match item {
            BodyItem::Block(block) => {
                let labels = block.labels.iter().map(|label| &*label.text);
                let is_it = *block.kind.text == *step.kind && labels.eq(step.labels.iter());
                is_it.then_some(block)
            }
            BodyItem::Argument(_) => None,
        });
        block.map_or_else(Vec::new, |block| block.body.items().iter().map(name).collect())
    }

    /// Returns the blocks and argument at an offset of a JSON file; `None` in native syntax.
    fn json_at(&self, at: u32) -> Option<JsonPosition> {
        let FileSyntax::Json(parse) = self.syntax() else { return None };
        let language = self.language();
        let expected = |blocks: &[BlockStep]| match &self.root {
            Some(root) => root.expected_body(self.name(), language, blocks),
            None => expected_by_rows(language, Edition::newest(self.dialect()), blocks),
        };
        Some(JsonPosition::at(parse.document.root(), at, &expected))
    }

    /// Returns the blocks around an offset, outermost first, including one whose header contains it.
    pub(crate) fn blocks_at(&self, at: u32) -> Vec<BlockStep> {
        if let Some(position) = self.json_at(at) {
            return position.steps;
        }
        let (mut body, mut found) = (self.syntax().body(), Vec::new());
        loop {
            let inner = body.items().into_iter().find_map(|item| match item {
                BodyItem::Block(block) if block.span.touches(at) => Some(block),
                _ => None,
            });
            let Some(block) = inner else { return found };
            let labels = block.labels.iter().map(|label| label.text.to_string()).collect();
            found.push(BlockStep { kind: block.kind.text.to_string(), labels });
            body = block.body;
        }
    }

    /// Returns the offset at which the value of the argument that contains an offset begins; `None` outside of arguments.
    pub(crate) fn value_start(&self, at: u32) -> Option<u32> {
        if let Some(position) = self.json_at(at) {
            return position.value;
        }
        let mut body = self.syntax().body();
        loop {
            let touching = body.items().into_iter().find(|item| match item {
                BodyItem::Argument(argument) => argument.span.touches(at),
                BodyItem::Block(block) => block.span.touches(at),
            })?;
            match touching {
                BodyItem::Block(block) => body = block.body,
                BodyItem::Argument(argument) => return Some(argument.expr.span().start),
            }
        }
    }
}

/// Returns the properties of an object, or of each object in a list.
fn json_properties(view: JsonView<'_>) -> Vec<(String, JsonView<'_>)> {
    match view.case() {
        JsonCase::Object(all) => {
            all.into_iter().map(|one| (one.name.to_string(), one.value)).collect()
        }
        JsonCase::Array(all) => all.into_iter().flat_map(json_properties).collect(),
        _ => Vec::new(),
    }
}
