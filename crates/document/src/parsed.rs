//! The syntax of files as `groma ast` prints it, described by `docs/reference/ast.schema.json`. Native syntax only.

use std::cell::RefCell;

use groma::json::{JsonObject, JsonText, array, write_diagnostic};
use groma_syntax::{Diagnostics, Parse, Sources, parse_file};

use crate::syntax::{DeclaredNames, body, comments};

/// The version of the format, which additions do not change.
const FORMAT_VERSION: &str = "1.0";

/// A parsed file with its syntax errors.
#[derive(Debug)]
pub struct ParsedText {
    /// The name of the file in the document.
    pub name: String,
    parse: Parse,
    /// The diagnostics of the parser.
    pub found: Diagnostics,
    sources: Sources,
}

impl ParsedText {
    /// Parses the bytes of a file. Any bytes yield a tree; syntax errors are in `found`.
    pub fn read(name: &str, bytes: &[u8]) -> ParsedText {
        let (mut sources, mut found) = (Sources::new(), Diagnostics::new());
        let file = sources.from_bytes(name, bytes, &mut found);
        let parse = parse_file(sources.get(file).text(), file);
        found.extend(parse.diagnostics.iter().cloned());
        ParsedText { name: name.to_owned(), parse, found, sources }
    }
}

/// Writes the syntax trees of files as a document, with the declarations that names refer to.
pub fn write_syntax(files: &[ParsedText], declared: &DeclaredNames, out: &mut JsonText<'_>) {
    let mut document = JsonObject::open(out);
    document.text("format_version", FORMAT_VERSION);
    let told = RefCell::default();
    array(files, document.key("files"), |one, out| {
        let mut file = JsonObject::open(out);
        file.text("name", &one.name);
        body(&one.name, &one.parse, declared, &told, file.key("body"));
        comments(&one.parse, file.key("comments"));
        array(one.found.iter(), file.key("diagnostics"), |found, out| {
            write_diagnostic(found, &one.sources, out);
        });
        file.close();
    });
    document.close();
}
