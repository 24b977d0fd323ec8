//! The syntax of files as `groma ast` prints it: `docs/reference/ast.schema.json` describes the document. Native syntax only.

use std::cell::RefCell;

use groma::json::{JsonObject, JsonText, array, write_diagnostic};
use groma_syntax::{Diagnostics, Parse, Sources, parse_file};

use crate::syntax::{DeclaredNames, body, comments};

/// The version of the form; a part that is added does not change it.
const FORMAT_VERSION: &str = "1.0";

/// A file that was read and parsed, with what is wrong with its syntax.
#[derive(Debug)]
pub struct ParsedText {
    /// The name that the document calls it by.
    pub name: String,
    parse: Parse,
    /// The findings of the parser.
    pub found: Diagnostics,
    sources: Sources,
}

impl ParsedText {
    /// Parses the bytes of a file. Any bytes give a tree: what is not the language is among the findings.
    pub fn read(name: &str, bytes: &[u8]) -> ParsedText {
        let (mut sources, mut found) = (Sources::new(), Diagnostics::new());
        let file = sources.from_bytes(name, bytes, &mut found);
        let parse = parse_file(sources.get(file).text(), file);
        found.extend(parse.diagnostics.iter().cloned());
        ParsedText { name: name.to_owned(), parse, found, sources }
    }
}

/// Writes the document of the trees of files, with the declarations that their names stand for.
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
