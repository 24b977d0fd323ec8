//! Syntax of a file, and the block or argument at an offset. A JSON file has a document instead of a tree, in which only the
//! expected contents of a body separate blocks from arguments.

use std::sync::Arc;

use groma_syntax::{Body, BodyItem, FileId, JsonParse, Parse, Span, parse_file, parse_json};

/// The syntax tree or JSON document of a whole file, with its syntax errors.
#[derive(Debug)]
pub enum FileSyntax {
    /// Native syntax.
    Native(Parse),
    /// JSON.
    Json(JsonParse),
}

impl FileSyntax {
    /// Parses a text as JSON if the file's name ends in `.json`, otherwise as native syntax. Spans in it refer to `file`.
    pub fn parse(name: &str, text: &Arc<str>, file: FileId) -> FileSyntax {
        match name.ends_with(".json") {
            true => FileSyntax::Json(parse_json(text, file)),
            false => FileSyntax::Native(parse_file(text, file)),
        }
    }

    /// Returns the outermost body of the file: its arguments and blocks.
    pub fn body(&self) -> Body {
        match self {
            FileSyntax::Native(parse) => Body::of(parse),
            FileSyntax::Json(parse) => Body::json(parse),
        }
    }
}

/// The position of an offset in the syntax of a file: the enclosing blocks, and the label or argument that it touches.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SyntaxPosition {
    /// The types of the enclosing blocks, outermost first.
    pub blocks: Vec<String>,
    /// The byte offset at which the outermost block starts, or the argument of a local value.
    pub(super) start: Option<u32>,
    /// The index and the span of the label at the offset, if there is one.
    pub label: Option<(usize, Span)>,
    /// True if the offset is in the type of the innermost block.
    pub is_kind: bool,
    /// The name of the argument that contains the offset, with its span.
    pub argument: Option<(String, Span)>,
    /// True if the offset is in the argument's value.
    pub is_value: bool,
}

impl SyntaxPosition {
    /// Returns the enclosing blocks of an offset in a body in native syntax, and the label or argument that it touches.
    pub(super) fn in_body(body: &Body, offset: u32) -> SyntaxPosition {
        let mut found = SyntaxPosition::default();
        let mut body = body.clone();
        'descend: loop {
            for item in body.items() {
                match item {
                    BodyItem::Argument(argument) if argument.span.touches(offset) => {
                        let of_locals = matches!(&*found.blocks, [only] if only == "locals");
                        if of_locals {
                            found.start = Some(argument.span.start);
                        }
                        found.is_value = !argument.name.span.touches(offset);
                        found.argument = Some((argument.name.text.to_string(), argument.name.span));
                        return found;
                    }
                    BodyItem::Block(block) if block.span.touches(offset) => {
                        found.start.get_or_insert(block.header.start);
                        found.blocks.push(block.kind.text.to_string());
                        found.is_kind = block.kind.span.touches(offset);
                        let label = block.labels.iter().position(|one| one.span.touches(offset));
                        if found.is_kind {
                            return found;
                        }
                        if let Some(label) = label {
                            found.label = Some((label, block.labels[label].span));
                            return found;
                        }
                        body = block.body;
                        continue 'descend;
                    }
                    _ => {}
                }
            }
            return found;
        }
    }
}
