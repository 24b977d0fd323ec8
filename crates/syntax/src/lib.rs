//! Lexer and parser: they convert a text to a lossless tree and diagnostics, and never fail. Nothing here knows values or the
//! meaning of blocks.
#![forbid(unsafe_code)]

pub mod ast;
mod body;
mod change;
pub mod codes;
mod columns;
mod diagnostic;
mod find;
mod folder_texts;
mod generated;
pub mod json;
mod kind;
mod lex;
mod literals;
mod parse;
mod place_order;
mod source;
mod sources;
mod span;
mod tree;

pub use body::{
    Argument, Block, Body, BodyContent, BodyItem, BodyShape, Expr, JsonBody, JsonExpr, Label, Name,
    NativeBody, NativeExpr, SharedText,
};
pub use change::{TextChange, change};
pub use diagnostic::{
    Diagnostic, DiagnosticCode, Diagnostics, Fix, InstanceContext, Note, Phase, ReferenceValue,
    Severity, SourceExcerpt, render,
};
pub use find::{ColumnUnit, Point};
pub use folder_texts::{FolderNumbers, FolderTexts, NumberedPart, PlaceNumbers};
pub use json::{JsonParse, parse as parse_json};
pub use kind::{NodeKind, TokenKind};
pub use lex::identifier::is_identifier;
pub use literals::{LiteralEvent, LiteralStream, NotLiteral};
pub use parse::{
    Parse, parse_expression, parse_file, parse_inner_template, parse_template, parse_traversal,
};
pub use place_order::PlaceKey;
pub use source::{Position, Source};
pub use sources::Sources;
pub use span::{FileId, Place, Span};
pub use tree::{NodeId, TEXT_LIMIT, Token, Tokens, Tree};
