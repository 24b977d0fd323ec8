//! The syntax of files as `groma ast` prints it: `docs/reference/ast.schema.json` describes the document. Files in JSON
//! syntax have the same form.

use std::cell::RefCell;

use groma::json::{JsonObject, JsonText, array, write_diagnostic};
use groma_syntax::{Diagnostics, JsonParse, Parse, Sources, parse_file, parse_json};

use crate::json_syntax;
use crate::syntax::{DeclaredNames, body, comments};

/// The format version of the JSON document of syntax trees, which added properties do not change.
const FORMAT_VERSION: &str = "1.0";

/// A parsed file: its name, its tree and its syntax errors.
#[derive(Debug)]
pub struct ParsedText {
    /// The name of the file in the document.
    pub name: String,
    tree: ParsedTree,
    /// The diagnostics of the parser.
    pub found: Diagnostics,
    sources: Sources,
}

/// The tree of a file in native syntax or in JSON syntax.
#[derive(Debug)]
enum ParsedTree {
    Native(Parse),
    Json(JsonParse),
}

impl ParsedText {
    /// Parses the bytes of a file, as JSON if its name ends in `.json`. Any bytes yield a tree; syntax errors are put into
    /// `found`.
    pub fn read(name: &str, bytes: &[u8]) -> ParsedText {
        let (mut sources, mut found) = (Sources::new(), Diagnostics::new());
        let file = sources.from_bytes(name, bytes, &mut found);
        let text = sources.get(file).text();
        let tree = match name.ends_with(".json") {
            false => ParsedTree::Native(parse_file(text, file)),
            true => ParsedTree::Json(parse_json(text, file)),
        };
        let told = match &tree {
            ParsedTree::Native(parse) => &parse.diagnostics,
            ParsedTree::Json(parse) => &parse.diagnostics,
        };
        found.extend(told.iter().cloned());
        ParsedText { name: name.to_owned(), tree, found, sources }
    }
}

/// Writes the syntax trees of files as a JSON document, with the declarations that names refer to.
pub fn write_syntax(files: &[ParsedText], declared: &DeclaredNames, out: &mut JsonText<'_>) {
    let mut document = JsonObject::open(out);
    document.text("format_version", FORMAT_VERSION);
    let told = RefCell::default();
    array(files, document.key("files"), |one, out| {
        let mut file = JsonObject::open(out);
        file.text("name", &one.name);
        match &one.tree {
            ParsedTree::Native(parse) => {
                body(&one.name, parse, declared, &told, file.key("body"));
                comments(parse, file.key("comments"));
            }
            ParsedTree::Json(parse) => {
                json_syntax::body(&one.name, parse, declared, &told, file.key("body"));
                array([(); 0], file.key("comments"), |(), _| {});
            }
        }
        array(one.found.iter(), file.key("diagnostics"), |found, out| {
            write_diagnostic(found, &one.sources, out);
        });
        file.close();
    });
    document.close();
}
