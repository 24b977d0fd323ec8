//! What may be typed at an offset: blocks and arguments that are missing, names with their values, functions, keys, paths. The items
//! come from rows, schemas and declarations at once; values are added where they are evaluated already.

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
use groma_syntax::Span;

use crate::document::TextDocument;
use crate::file_kind::FileKind;
use crate::request::Request;
use crate::rich_text::RichText;
pub(crate) use site::{ChainStep, CompletionSite, SiteFrame, SitePosition, site_at};

/// Something that may be typed.
#[derive(Clone, PartialEq, Debug)]
pub struct CompletionItem {
    /// The words that are listed and that a client filters by.
    pub label: String,
    /// The kind.
    pub kind: CompletionKind,
    /// A few words beside the label: a value, a type, a signature.
    pub detail: Option<String>,
    /// The text that is put in. In a snippet `${1:name}` are stops, and `$`, `}` and `\` stand behind a `\`.
    pub insert: String,
    /// True if the text is a snippet.
    pub is_snippet: bool,
    /// The bytes that the text takes the place of.
    pub replaces: Span,
    /// The place in the list: smaller ranks come first, and labels of one rank in their order.
    pub rank: u8,
    /// True if it should no longer be used.
    pub is_deprecated: bool,
    /// What is said about it when it is looked at.
    pub subject: CompletionSubject,
}

/// The kind of something that may be typed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CompletionKind {
    /// An argument.
    Argument,
    /// A block.
    Block,
    /// A label of a block, such as the type of a resource.
    Label,
    /// A name of a declaration, or the beginning of one.
    Name,
    /// An attribute or a key of a value.
    Attribute,
    /// A function.
    Function,
    /// A value of few that are allowed.
    Choice,
    /// A word of the language.
    Word,
    /// A file.
    File,
    /// A folder.
    Folder,
}

/// What something that may be typed stands for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CompletionSubject {
    /// Nothing that more could be said of.
    Nothing,
    /// A declaration.
    Declaration(DeclarationId),
    /// A function, by name.
    Function(String),
    /// Words of a row or an author.
    Words(String),
    /// A part of a provider's schema: the blocks around it and its name.
    Schema(Vec<BlockStep>, String),
}

/// What may be typed at an offset.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct CompletionList {
    /// The items, the best first.
    pub items: Vec<CompletionItem>,
    /// True if there are more than these.
    pub is_cut: bool,
    /// True if values that would be shown are still being worked out.
    pub is_pending: bool,
}

/// Items in an answer.
const MAX_ITEMS: usize = 2000;

/// Returns what may be typed at an offset of a file.
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

/// The text about an item. A request that may wait has the value in full.
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
            let words = request.snapshot().and_then(|one| one.schema_words(file, blocks, name));
            words.into_iter().for_each(|words| text.text(words));
        }
    }
    text
}

/// The list while it is made.
pub(crate) struct ListBuilder<'c> {
    request: &'c Request<'c>,
    document: &'c TextDocument,
    site: CompletionSite,
    list: CompletionList,
}

impl ListBuilder<'_> {
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

    fn edition(&self) -> Edition {
        let own = || Edition::newest(self.document.dialect());
        self.request.snapshot().map_or_else(own, |snapshot| snapshot.edition())
    }

    /// Returns what the body in some blocks may hold.
    fn expected(&self, blocks: &[BlockStep]) -> Option<ExpectedBody> {
        expected_in(self.request, self.document, blocks)
    }

    /// The type that the value at the offset should have, as far as the argument around says it.
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

    fn push(&mut self, item: CompletionItem) {
        self.list.items.push(item);
    }

    /// An item that puts its label in.
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

/// Returns what the body in some blocks of a file may hold: of a file of values the variables of its module.
pub(crate) fn expected_in(
    request: &Request<'_>,
    document: &TextDocument,
    blocks: &[BlockStep],
) -> Option<ExpectedBody> {
    let snapshot = request.snapshot();
    match document.kind() {
        Some(FileKind::Values) => {
            let arguments = snapshot.map(|snapshot| snapshot.inputs(0)).unwrap_or_default();
            blocks.is_empty().then(|| ExpectedBody { arguments, ..ExpectedBody::default() })
        }
        Some(FileKind::Template | FileKind::PackerValues | FileKind::Other) | None => None,
        Some(_) => match snapshot {
            Some(snapshot) => snapshot.expected_body(document.name(), document.language(), blocks),
            None => {
                let edition = Edition::newest(document.dialect());
                expected_by_rows(document.language(), edition, blocks)
            }
        },
    }
}
