//! Bodies and expressions as owned handles, the same for native and JSON syntax.
//! JSON does not say what is a block: only [`Body::content`] with a shape reads both alike.

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

/// What stands in a file or between a block's braces.
#[derive(Clone, Debug)]
pub enum Body {
    /// In native syntax.
    Native(NativeBody),
    /// In JSON.
    Json(JsonBody),
}

/// An expression that has not been evaluated.
#[derive(Clone, Debug)]
pub enum Expr {
    /// In native syntax.
    Native(NativeExpr),
    /// In JSON, where strings are templates.
    Json(JsonExpr),
}

/// `name = value`.
#[derive(Clone, Debug)]
pub struct Argument {
    /// The name.
    pub name: Name,
    /// The value.
    pub expr: Expr,
    /// From the name to the end of the value.
    pub span: Span,
}

/// `kind "label" { … }`.
#[derive(Clone, Debug)]
pub struct Block {
    /// The first word.
    pub kind: Name,
    /// The words between the first and the brace.
    pub labels: Vec<Label>,
    /// What stands between the braces.
    pub body: Body,
    /// From the first word to the last label.
    pub header: Span,
    /// All of it.
    pub span: Span,
}

/// One thing in a body.
#[derive(Clone, Debug)]
pub enum BodyItem {
    /// `name = value`
    Argument(Argument),
    /// `kind "label" { … }`
    Block(Block),
}

impl Body {
    /// The body of a parsed native file.
    pub fn of(parse: &Parse) -> Self {
        Self::Native(NativeBody::root(parse))
    }

    /// The body of a parsed JSON file.
    pub fn json(parse: &JsonParse) -> Self {
        Self::Json(JsonBody::root(parse))
    }

    /// Everything in it, in source order. In JSON everything is an argument, since only a shape tells blocks apart.
    pub fn items(&self) -> Vec<BodyItem> {
        match self {
            Self::Native(body) => body.items(),
            Self::Json(body) => body.items(),
        }
    }

    /// The file it stands in.
    pub fn file(&self) -> FileId {
        match self {
            Self::Native(body) => body.file(),
            Self::Json(body) => body.file(),
        }
    }

    /// Returns which bytes it covers.
    pub fn span(&self) -> Span {
        match self {
            Self::Native(body) => body.span(),
            Self::Json(body) => body.span(),
        }
    }

    /// Returns where it ends: what is missing in it can be reported there.
    pub fn end(&self) -> Place {
        Place::new(self.file(), Span::at(self.span().end))
    }
}

impl Expr {
    /// The same where the file is known by another number, such as that of a part.
    pub fn numbered(mut self, file: FileId) -> Self {
        match &mut self {
            Self::Native(expr) => expr.number(file),
            Self::Json(expr) => expr.number(file),
        }
        self
    }

    /// The expression of a parsed text that is one expression.
    pub fn of(parse: &Parse) -> Self {
        Self::Native(NativeExpr::root(parse))
    }

    /// The value of a parsed JSON text.
    pub fn json(parse: &JsonParse) -> Self {
        Self::Json(JsonExpr::root(parse))
    }

    /// Returns which bytes of its file it covers.
    pub fn span(&self) -> Span {
        match self {
            Self::Native(expr) => expr.span(),
            Self::Json(expr) => expr.span(),
        }
    }

    /// The file it stands in.
    pub fn file(&self) -> FileId {
        match self {
            Self::Native(expr) => expr.file(),
            Self::Json(expr) => expr.file(),
        }
    }

    /// Returns where it stands.
    pub fn place(&self) -> Place {
        Place::new(self.file(), self.span())
    }

    /// Returns how it is written.
    pub fn text(&self) -> SharedText {
        match self {
            Self::Native(expr) => expr.text(),
            Self::Json(expr) => expr.text(),
        }
    }
}
