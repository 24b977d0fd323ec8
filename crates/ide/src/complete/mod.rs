//! Completion: blocks and arguments, names with their values, functions, keys and paths. Items come from rows, schemas and
//! declarations; values are shown only if they are evaluated already.

mod body;
mod expression;
mod json_site;
mod label;
mod name;
mod path;
mod site;
mod word;

use groma::place::{BlockStep, DeclarationId, ExpectedBody, FileSyntax, expected_by_rows};
use groma::{Edition, Type};
use groma_syntax::{Span, TokenKind};

use crate::document::TextDocument;
use crate::file_kind::FileKind;
use crate::request::Request;
use crate::rich_text::RichText;
pub(crate) use site::{ChainStep, CompletionSite, SiteFrame, SitePosition, site_at};

/// An entry of a completion list: its label, the text to insert and the span to replace.
#[derive(Clone, PartialEq, Debug)]
pub struct CompletionItem {
    /// The text that is listed and filtered by.
    pub label: String,
    /// The category, by which editors choose an icon.
    pub kind: CompletionKind,
    /// A short text beside the label: a value, a type or a signature.
    pub detail: Option<String>,
    /// The text to insert. In a snippet `${1:name}` are tab stops, and `$`, `}` and `\` are escaped by `\`.
    pub insert: String,
    /// True if `insert` is a snippet.
    pub is_snippet: bool,
    /// The span that the text replaces.
    pub replaces: Span,
    /// The sort rank: smaller ranks come first, and equal ranks are sorted by label.
    pub rank: u8,
    /// True if it is deprecated.
    pub is_deprecated: bool,
    /// The subject of the documentation shown for it.
    pub subject: CompletionSubject,
}

/// The category of a completion item, such as argument, block or function, for which an editor has an icon.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CompletionKind {
    /// An argument.
    Argument,
    /// A block.
    Block,
    /// A label of a block, such as the type of a resource.
    Label,
    /// The name of a declaration, or its first step.
    Name,
    /// An attribute or a key of a value.
    Attribute,
    /// A function.
    Function,
    /// One of a few allowed values.
    Choice,
    /// A keyword.
    Word,
    /// A file.
    File,
    /// A folder.
    Folder,
}

/// The declaration, function or part of a schema whose documentation belongs to a completion item.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CompletionSubject {
    /// No documentation.
    Nothing,
    /// A declaration.
    Declaration(DeclarationId),
    /// A function, by name.
    Function(String),
    /// Text of a row or of the author.
    Words(String),
    /// A part of a provider's schema: the blocks around it and its name.
    Schema(Vec<BlockStep>, String),
}

/// The completion items offered at an offset, and whether the list is complete.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct CompletionList {
    /// The items, the best first.
    pub items: Vec<CompletionItem>,
    /// True if further items were cut off.
    pub is_cut: bool,
    /// True if values that would be shown are still being evaluated.
    pub is_pending: bool,
}

/// Maximum number of items in a completion list; further ones are cut off.
const MAX_ITEMS: usize = 2000;

/// Returns the completion items at an offset of a file.
pub fn complete(request: &Request<'_>, file: &str, at: u32) -> CompletionList {
    let Some(document) = request.document(file) else { return CompletionList::default() };
    let at = crate::request::floor(document.text(), at);
    let mut builder = ListBuilder {
        request,
        document: &document,
        site: CompletionSite::default(),
        list: CompletionList::default(),
    };
    builder.site = builder.read_site(at);
    match builder.site.position {
        SitePosition::Comment => {}
        SitePosition::Body => builder.body(),
        SitePosition::Label(number) => builder.label(number),
        SitePosition::Key => builder.keys(),
        SitePosition::Expression => builder.expression(),
        SitePosition::Text => builder.text(),
    }
    let mut list = builder.list;
    list.items.sort_by(|a, b| (a.rank, &a.label).cmp(&(b.rank, &b.label)));
    list.items.dedup_by(|a, b| a.label == b.label && a.kind == b.kind);
    list.is_cut = list.items.len() > MAX_ITEMS;
    list.items.truncate(MAX_ITEMS);
    list
}

/// Returns the documentation of a completion item. If the request may wait, it includes the value.
pub fn resolve_completion(request: &Request<'_>, file: &str, item: &CompletionItem) -> RichText {
    let mut text = RichText::new();
    match &item.subject {
        CompletionSubject::Nothing => {}
        CompletionSubject::Declaration(id) => {
            crate::hover::write_declaration(request, *id, &mut text);
        }
        CompletionSubject::Function(name) => crate::hover::write_function(request, name, &mut text),
        CompletionSubject::Words(words) => text.text(words.clone()),
        CompletionSubject::Schema(blocks, name) => {
            let words =
                request.snapshot().and_then(|one| one.schema_description(file, blocks, name));
            words.into_iter().for_each(|words| text.text(words));
        }
    }
    text
}

/// A completion list under construction, with the request, the document and the completion site.
pub(crate) struct ListBuilder<'c> {
    request: &'c Request<'c>,
    document: &'c TextDocument,
    site: CompletionSite,
    list: CompletionList,
}

impl ListBuilder<'_> {
    /// Determines the completion site at an offset, in native or JSON syntax.
    fn read_site(&self, at: u32) -> CompletionSite {
        match self.document.syntax() {
            FileSyntax::Native(parse) => {
                let mut site = site_at(&parse.tree, at);
                let is_template = self.document.kind() == Some(FileKind::Template);
                if is_template && site.frames.is_empty() && site.argument.is_none() {
                    site.position = SitePosition::Text;
                }
                site
            }
            FileSyntax::Json(parse) => {
                let root = parse.document.root();
                let expected = |blocks: &[BlockStep]| self.expected(blocks);
                json_site::json_site_at(root, self.document.text(), at, &expected)
            }
        }
    }

    /// Returns the edition of the root, or else the newest of the file's dialect.
    fn edition(&self) -> Edition {
        let own = || Edition::newest(self.document.dialect());
        self.request.snapshot().map_or_else(own, |snapshot| snapshot.edition())
    }

    /// Returns the schema of the body of the block at the path `blocks` in the completed file; `None` if unknown.
    fn expected(&self, blocks: &[BlockStep]) -> Option<ExpectedBody> {
        expected_in(self.request, self.document, blocks)
    }

    /// Returns the type expected of the value at the cursor, according to the schema of the surrounding argument; `None` if
    /// the schema or the argument is unknown.
    fn expected_type(&self) -> Option<Type> {
        let body = self.expected(&self.site.blocks)?;
        let name = self.site.argument.as_deref()?;
        let mut ty = body.arguments.into_iter().find(|one| *one.name == *name)?.ty;
        for frame in self.site.frames.iter().rev() {
            ty = match (frame, ty) {
                (SiteFrame::Object(Some(key)), Type::Object(object)) => {
                    let attribute =
                        object.attributes().iter().find(|one| *one.name == *key.as_str());
                    attribute?.ty.clone()
                }
                (SiteFrame::Object(Some(_)), Type::Map(element)) => (*element).clone(),
                (SiteFrame::Tuple, Type::List(element) | Type::Set(element)) => (*element).clone(),
                (SiteFrame::Object(None), ty) | (SiteFrame::Other, ty) => ty,
                _ => return None,
            };
        }
        Some(ty)
    }

    /// Adds an item to the completion list.
    fn push(&mut self, item: CompletionItem) {
        self.list.items.push(item);
    }

    /// Creates a completion item that inserts its own label in place of the typed name; items of a smaller `rank` come
    /// first.
    fn item(&self, label: &str, kind: CompletionKind, rank: u8) -> CompletionItem {
        CompletionItem {
            label: label.to_owned(),
            kind,
            detail: None,
            insert: label.to_owned(),
            is_snippet: false,
            replaces: self.site.word,
            rank,
            is_deprecated: false,
            subject: CompletionSubject::Nothing,
        }
    }
}

/// Returns the schema of the body of the block at the path `blocks` in a file, for a values file the variables of its
/// module; `None` for a block that is not known or a kind of file without a schema.
pub(crate) fn expected_in(
    request: &Request<'_>,
    document: &TextDocument,
    blocks: &[BlockStep],
) -> Option<ExpectedBody> {
    match document.kind() {
        Some(FileKind::Template | FileKind::PackerValues | FileKind::Other) | None => None,
        Some(kind) => match request.root_of(document.name()) {
            Some(root) => root.expected_in(document.name(), blocks),
            None if kind == FileKind::Values => blocks.is_empty().then(ExpectedBody::default),
            None => {
                let edition = Edition::newest(document.dialect());
                expected_by_rows(document.language(), edition, blocks)
            }
        },
    }
}

/// Returns the address that a reference or a string at an offset contains; `None` in JSON.
pub(crate) fn address_at(document: &TextDocument, at: u32) -> Option<String> {
    let tree = document.tree()?;
    let (before, after) = tree.tokens_at(at);
    let quoted =
        [before, after].into_iter().flatten().find(|(_, token)| token.kind() == TokenKind::String);
    Some(match quoted {
        Some((_, token)) => token.span().of(document.text()).trim_matches('"').to_owned(),
        None => {
            let site = site_at(tree, at);
            let step = |one: &ChainStep| match one {
                ChainStep::Name(name) => name.clone(),
                _ => "*".to_owned(),
            };
            let mut parts: Vec<String> = site.chain.iter().map(step).collect();
            parts.push(site.word.of(document.text()).to_owned());
            parts.join(".")
        }
    })
}
