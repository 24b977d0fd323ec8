//! Bodies and expressions as owned handles, the same for native and JSON syntax. JSON does not distinguish blocks from
//! arguments: only [`Body::content`] with a shape reads both syntaxes alike.

mod content;
mod json;
mod native;
mod text;

use crate::json::JsonParse;
use crate::parse::Parse;
use crate::span::{FileId, Place, Span};

pub use content::{BodyContent, BodyShape};
pub use json::{JsonBody, JsonExpr};
pub use native::{NativeBody, NativeExpr};
pub use text::{Label, Name, SharedText};

/// The content of a file or of a block: arguments and blocks, in native or JSON syntax.
#[derive(Clone, Debug)]
pub enum Body {
    /// In native syntax.
    Native(NativeBody),
    /// In JSON.
    Json(JsonBody),
}

/// A handle to an unevaluated expression, in native or JSON syntax.
#[derive(Clone, Debug)]
pub enum Expr {
    /// In native syntax.
    Native(NativeExpr),
    /// In JSON, where strings are templates.
    Json(JsonExpr),
}

/// An argument of a body: `name = value`.
#[derive(Clone, Debug)]
pub struct Argument {
    /// The name.
    pub name: Name,
    /// The value.
    pub expr: Expr,
    /// The span from the name to the end of the value.
    pub span: Span,
}

/// A block of a body: `kind "label" { … }`.
#[derive(Clone, Debug)]
pub struct Block {
    /// The kind: its first word.
    pub kind: Name,
    /// The labels between the kind and the brace.
    pub labels: Vec<Label>,
    /// The content between the braces.
    pub body: Body,
    /// The span from the kind to the last label.
    pub header: Span,
    /// The span of the whole block.
    pub span: Span,
}

/// An item of a body: an argument or a block.
#[derive(Clone, Debug)]
pub enum BodyItem {
    /// `name = value`
    Argument(Argument),
    /// `kind "label" { … }`
    Block(Block),
}

impl Body {
    /// Returns the outermost body of a parsed file in native syntax.
    pub fn of(parse: &Parse) -> Self {
        Self::Native(NativeBody::root(parse))
    }

    /// Returns the outermost body of a parsed JSON file.
    pub fn json(parse: &JsonParse) -> Self {
        Self::Json(JsonBody::root(parse))
    }

    /// Returns all arguments and blocks in source order. In JSON every item is an argument, since only a shape distinguishes
    /// blocks.
    pub fn items(&self) -> Vec<BodyItem> {
        match self {
            Self::Native(body) => body.items(),
            Self::Json(body) => body.items(),
        }
    }

    /// Returns the file that contains the body.
    pub fn file(&self) -> FileId {
        match self {
            Self::Native(body) => body.file(),
            Self::Json(body) => body.file(),
        }
    }

    /// Returns the source range of the body: between the braces of a block, or the whole file.
    pub fn span(&self) -> Span {
        match self {
            Self::Native(body) => body.span(),
            Self::Json(body) => body.span(),
        }
    }

    /// Returns the empty place at the end of the body, where missing arguments and blocks are reported.
    pub fn end(&self) -> Place {
        Place::new(self.file(), Span::at(self.span().end))
    }
}

impl Expr {
    /// Returns the same expression with `file` as the file that its places refer to, which may be the number of a part of a
    /// text.
    pub fn numbered(mut self, file: FileId) -> Self {
        match &mut self {
            Self::Native(expr) => expr.set_file(file),
            Self::Json(expr) => expr.set_file(file),
        }
        self
    }

    /// Returns the expression that is the whole of a parsed text.
    pub fn of(parse: &Parse) -> Self {
        Self::Native(NativeExpr::root(parse))
    }

    /// Returns the root value of a parsed JSON text as an expression.
    pub fn json(parse: &JsonParse) -> Self {
        Self::Json(JsonExpr::root(parse))
    }

    /// Returns the source range of the expression in its file.
    pub fn span(&self) -> Span {
        match self {
            Self::Native(expr) => expr.span(),
            Self::Json(expr) => expr.span(),
        }
    }

    /// Returns the file that contains the expression.
    pub fn file(&self) -> FileId {
        match self {
            Self::Native(expr) => expr.file(),
            Self::Json(expr) => expr.file(),
        }
    }

    /// Returns the place (file and source range) of the expression.
    pub fn place(&self) -> Place {
        Place::new(self.file(), self.span())
    }

    /// Returns the source text of the expression.
    pub fn text(&self) -> SharedText {
        match self {
            Self::Native(expr) => expr.text(),
            Self::Json(expr) => expr.text(),
        }
    }
}
