//! The language features of an editor as functions that return plain data: no protocol, no JSON, no disk. Each takes a
//! [`Request`], which holds the texts, a snapshot of the chosen root and the limits of the request. Positions are byte offsets
//! in the texts of the request. No function waits for an evaluation unless the request allows it.
//!
//! ```
//! use groma::{LoadOptions, MemoryHost, RequestToken, Workspace};
//! use groma_ide::{Request, hover};
//!
//! let workspace = Workspace::new(MemoryHost::new());
//! workspace.set("app/main.tf", "locals {\n  zones = [\"a\", \"b\"]\n  count = length(local.zones)\n}\n");
//! let snapshot = workspace.root("app", &LoadOptions::default());
//! let soon = Request::new(&workspace).in_root(snapshot.clone());
//! assert!(hover(&soon, "app/main.tf", 56).expect("a name is there").is_pending);
//! let later = Request::new(&workspace).in_root(snapshot).bounded_by(RequestToken::new());
//! let found = hover(&later, "app/main.tf", 56).expect("a name is there");
//! assert!(found.text.markdown().starts_with("```terraform\n[\n  \"a\",\n  \"b\",\n]\n```"));
//! ```
#![forbid(unsafe_code)]

mod action;
mod binding;
mod complete;
mod definition;
mod diagnostics;
mod document;
mod file_kind;
mod file_renames;
mod file_span;
mod folding;
mod format;
mod highlight;
mod hints;
mod hover;
mod lenses;
mod linked;
mod links;
mod references;
mod rename;
mod request;
mod rich_text;
mod selection;
mod signature;
mod symbols;
mod template_names;
mod text_rename;
mod tokens;
mod value_text;
mod workspace_symbols;

pub use action::{ActionChoice, ActionKind, CodeAction, code_actions, fix_all, resolve_action};
pub use complete::{
    CompletionItem, CompletionKind, CompletionList, CompletionSubject, complete, resolve_completion,
};
pub use definition::{DefinitionLink, declaration, definition, implementation, type_definition};
pub use diagnostics::{
    FileFinding, FindingFix, FindingNote, FindingStage, FindingTag, all_diagnostics, diagnostics,
    text_diagnostics,
};
pub use document::TextDocument;
pub use file_kind::FileKind;
pub use file_renames::file_renames;
pub use file_span::{ChangeSet, FileEdits, FileSpan};
pub use folding::{FoldingKind, FoldingRange, folding};
pub use format::{closing_formatting, formatting, range_formatting};
pub use groma::edit::TextEdit;
pub use highlight::{NameHighlight, highlights};
pub use hints::{HintSubject, InlayHint, InlayHints, inlay_hints, resolve_hint};
pub use hover::{HoverText, hover, hover_with_findings};
pub use lenses::{CodeLens, LensAction, code_lenses};
pub use linked::linked_ranges;
pub use links::{DocumentLink, LinkTarget, document_links, provider_page};
pub use references::references;
pub use rename::{RenameSite, prepare_rename, rename};
pub use request::Request;
pub use rich_text::{RichText, TextBlock};
pub use selection::selection_ranges;
pub use signature::{SignatureHelp, SignatureParameter, signature_help};
pub use symbols::{DocumentSymbol, SymbolKind, document_symbols};
pub use tokens::{SemanticToken, TokenMeaning, semantic_tokens};
pub use workspace_symbols::{SymbolIndex, WorkspaceSymbol, workspace_symbols};
