//! Semantic tokens: the meaning of names, for colouring. Literals, comments and numbers are left to the editor's grammar. In
//! JSON, tokens are property names and the code inside strings.

use groma::place::{BlockStep, ExpectedBody, FileSyntax};
use groma_syntax::ast::{Bindings, ExprCase, ExprView};
use groma_syntax::json::{JsonCase, JsonView};
use groma_syntax::{Block, Body, BodyItem, Expr, FileId, Span};

use crate::complete::expected_in;
use crate::file_kind::FileKind;
use crate::request::Request;

/// A name in a file and its meaning, by which an editor colours it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct SemanticToken {
    /// The span of the name, within one line.
    pub span: Span,
    /// The meaning of the name.
    pub kind: TokenMeaning,
    /// True if the name is declared or bound there.
    pub declares: bool,
}

/// The meaning of a name by which an editor colours it, such as function or argument.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum TokenMeaning {
    /// The keyword that starts a block.
    BlockKind,
    /// The type of a resource or component.
    ResourceType,
    /// The name of a declaration in its header.
    Label,
    /// The name of an argument.
    Argument,
    /// The first step of a reference, such as `var`.
    Namespace,
    /// The second step of a reference: the name of a variable, local value or module.
    Name,
    /// An attribute of a value.
    Attribute,
    /// A name that `for` binds.
    Bound,
    /// A function in a call.
    Function,
    /// A type keyword, such as `list`.
    TypeWord,
    /// `true`, `false` or `null`.
    Constant,
}

/// Returns the semantic tokens of a file, or of the part in `range`, sorted by place.
pub fn semantic_tokens(
    request: &Request<'_>,
    file: &str,
    range: Option<Span>,
) -> Vec<SemanticToken> {
    let Some(document) = request.document(file) else { return Vec::new() };
    let mut reader = TokenReader { range, found: Vec::new() };
    match (document.syntax(), document.kind()) {
        (FileSyntax::Native(parse), Some(FileKind::Template)) => {
            if let Expr::Native(whole) = Expr::of(parse) {
                reader.expression(whole.view(), false);
            }
        }
        (FileSyntax::Native(parse), _) => reader.body(&Body::of(parse)),
        (FileSyntax::Json(parse), _) => {
            let expected = |blocks: &[BlockStep]| expected_in(request, &document, blocks);
            reader.json(parse.document.root(), &expected);
        }
    }
    reader.found.sort_unstable();
    reader.found.dedup_by_key(|one| one.span);
    reader.found
}

/// The semantic tokens read so far from a file's syntax tree, and the range to read.
struct TokenReader {
    /// The range to read; `None` for the whole file.
    range: Option<Span>,
    found: Vec<SemanticToken>,
}

impl TokenReader {
    /// Adds a semantic token, unless its span is empty; `declares` is true for a name that is declared there, false for a
    /// use.
    fn push(&mut self, span: Span, kind: TokenMeaning, declares: bool) {
        if !span.is_empty() {
            self.found.push(SemanticToken { span, kind, declares });
        }
    }

    /// Returns true if a span touches the range for which tokens are requested.
    fn is_wanted(&self, span: Span) -> bool {
        self.range.is_none_or(|range| span.start <= range.end && range.start <= span.end)
    }

    /// Adds the semantic tokens of a body in native syntax: of its arguments and, in turn, of its blocks.
    fn body(&mut self, whole: &Body) {
        let mut waiting = vec![(whole.clone(), String::new())];
        while let Some((body, around)) = waiting.pop() {
            for item in body.items() {
                match item {
                    BodyItem::Block(block) if self.is_wanted(block.span) => {
                        self.header(&block, around.is_empty());
                        waiting.push((block.body, block.kind.text.to_string()));
                    }
                    BodyItem::Argument(argument) if self.is_wanted(argument.span) => {
                        self.push(argument.name.span, TokenMeaning::Argument, around == "locals");
                        let is_type = around == "variable" && &*argument.name.text == "type";
                        if let Expr::Native(value) = &argument.expr {
                            self.expression(value.view(), is_type);
                        }
                    }
                    _ => {}
                }
            }
        }
    }

    /// Adds the semantic tokens of a block's header: of its keyword and labels, of which the last is the block's name if
    /// `is_outermost` and all others are types.
    fn header(&mut self, block: &Block, is_outermost: bool) {
        self.push(block.kind.span, TokenMeaning::BlockKind, false);
        let last = block.labels.len().saturating_sub(1);
        for (at, label) in block.labels.iter().enumerate() {
            // The quotes are coloured by the editor's grammar.
            let span = match label.quoted {
                true => Span::new(label.span.start + 1, label.span.end - 1),
                false => label.span,
            };
            let is_type = at < last || !is_outermost;
            let kind = if is_type { TokenMeaning::ResourceType } else { TokenMeaning::Label };
            self.push(span, kind, !is_type);
        }
    }

    /// Adds the semantic tokens of the names and constants in an expression; with `is_type`, its names are those of types.
    fn expression(&mut self, whole: ExprView<'_>, is_type: bool) {
        let bindings = Bindings::of(whole);
        for binder in bindings.binders().iter().filter(|one| !one.name.is_empty()) {
            self.push(binder.span, TokenMeaning::Bound, true);
        }
        let mut waiting = vec![whole];
        while let Some(view) = waiting.pop() {
            if !self.is_wanted(view.span()) {
                continue;
            }
            let case = view.case();
            match &case {
                ExprCase::Root(name) => {
                    let kind = match *name {
                        "true" | "false" | "null" => TokenMeaning::Constant,
                        _ if is_type => TokenMeaning::TypeWord,
                        _ if bindings.binder_of(view).is_some() => TokenMeaning::Bound,
                        _ => TokenMeaning::Namespace,
                    };
                    self.push(view.span(), kind, false);
                }
                ExprCase::Attribute { object, name_span, .. } => {
                    let is_first = matches!(object.case(), ExprCase::Root(_))
                        && bindings.binder_of(*object).is_none();
                    let kind = if is_first { TokenMeaning::Name } else { TokenMeaning::Attribute };
                    self.push(*name_span, kind, false);
                }
                ExprCase::Call(call) => {
                    let kind =
                        if is_type { TokenMeaning::TypeWord } else { TokenMeaning::Function };
                    self.push(call.name_span, kind, false);
                }
                ExprCase::Object(items) => {
                    for item in items {
                        if let ExprCase::Root(_) = item.key.case() {
                            self.push(item.key.span(), TokenMeaning::Attribute, false);
                        } else {
                            waiting.push(item.key);
                        }
                        waiting.push(item.value);
                    }
                    continue;
                }
                _ => {}
            }
            case.inner(|one| waiting.push(one));
        }
    }
}

/// The meaning of a JSON object's properties: arguments and blocks, labels of a block, or parts of a value.
enum JsonLevel {
    /// Blocks and arguments of a body, inside these blocks.
    Body(Vec<BlockStep>),
    /// Labels of the innermost block, of which this many follow.
    Labels(Vec<BlockStep>, usize),
    /// Parts of a value.
    Value,
}

impl TokenReader {
    /// Adds the semantic tokens of a JSON value and everything in it; `expected` returns the schema of the body at a path of
    /// blocks.
    fn json(
        &mut self,
        root: JsonView<'_>,
        expected: &dyn Fn(&[BlockStep]) -> Option<ExpectedBody>,
    ) {
        let mut waiting = vec![(root, JsonLevel::Body(Vec::new()))];
        while let Some((view, level)) = waiting.pop() {
            if !self.is_wanted(view.span()) {
                continue;
            }
            match (view.case(), level) {
                (JsonCase::Array(all), JsonLevel::Value) => {
                    waiting.extend(all.into_iter().map(|one| (one, JsonLevel::Value)));
                }
                (JsonCase::Array(all), JsonLevel::Body(steps)) => {
                    let level = |one| (one, JsonLevel::Body(steps.clone()));
                    waiting.extend(all.into_iter().map(level));
                }
                (JsonCase::Array(all), JsonLevel::Labels(steps, left)) => {
                    let level = |one| (one, JsonLevel::Labels(steps.clone(), left));
                    waiting.extend(all.into_iter().map(level));
                }
                (JsonCase::Object(all), level) => {
                    let body = match &level {
                        JsonLevel::Body(steps) => expected(steps),
                        _ => None,
                    };
                    for one in all.into_iter().filter(|one| one.name != "//") {
                        let name = Span::new(one.name_span.start + 1, one.name_span.end - 1);
                        let (meaning, declares, inner) = match &level {
                            JsonLevel::Value => (TokenMeaning::Attribute, false, JsonLevel::Value),
                            JsonLevel::Labels(steps, left) => {
                                let mut steps = steps.clone();
                                let is_name = *left == 1 && steps.len() == 1;
                                if let Some(last) = steps.last_mut() {
                                    last.labels.push(one.name.to_string());
                                }
                                let meaning = match is_name {
                                    true => TokenMeaning::Label,
                                    false => TokenMeaning::ResourceType,
                                };
                                let inner = match left {
                                    0 | 1 => JsonLevel::Body(steps),
                                    more => JsonLevel::Labels(steps, more - 1),
                                };
                                (meaning, is_name, inner)
                            }
                            JsonLevel::Body(steps) => {
                                let row = body.as_ref().and_then(|body| {
                                    body.blocks.iter().find(|row| *row.name == *one.name)
                                });
                                let is_local = steps.last().is_some_and(|one| one.kind == "locals");
                                match row {
                                    Some(row) => {
                                        let step = BlockStep {
                                            kind: one.name.to_string(),
                                            labels: Vec::new(),
                                        };
                                        let steps = steps.iter().cloned().chain([step]).collect();
                                        let inner = match row.labels.len() {
                                            0 => JsonLevel::Body(steps),
                                            count => JsonLevel::Labels(steps, count),
                                        };
                                        (TokenMeaning::BlockKind, false, inner)
                                    }
                                    None => (TokenMeaning::Argument, is_local, JsonLevel::Value),
                                }
                            }
                        };
                        self.push(name, meaning, declares);
                        waiting.push((one.value, inner));
                    }
                }
                (JsonCase::String(text), _) if text.contains("${") || text.contains("%{") => {
                    self.json_text(view);
                }
                _ => {}
            }
        }
    }

    /// Adds the semantic tokens of the expressions inside of a JSON string.
    fn json_text(&mut self, view: JsonView<'_>) {
        let (parse, _) = view.template(FileId::default());
        let Expr::Native(whole) = Expr::of(&parse) else { return };
        let mut inner = TokenReader { range: None, found: Vec::new() };
        inner.expression(whole.view(), false);
        let written = |at: u32| view.written_at(view.span(), at);
        for one in inner.found {
            let span = Span::new(written(one.span.start), written(one.span.end));
            self.push(span, one.kind, one.declares);
        }
    }
}
