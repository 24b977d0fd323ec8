//! Syntax trees of JSON files in the form of those in native syntax. The names of properties decide which are blocks, as in the
//! language; blocks that only a provider's schema defines are written as arguments with object values.

use std::cell::RefCell;

use groma::edit::language;
use groma::folders::{FileKind, FilePurpose};
use groma::json::JsonText;
use groma_syntax::ast::{Bindings, ExprCase};
use groma_syntax::json::{JsonCase, JsonProperty, JsonView};
use groma_syntax::{
    Block, Body, BodyItem, BodyShape, Diagnostics, Expr, FileId, JsonParse, Parse, Span,
    parse_inner_template,
};

use crate::syntax::{DeclaredNames, FileSurroundings, SyntaxWriter};
use crate::written_values::WrittenValues;

/// The list from which [`labels`] takes as many placeholders as a block type has labels; only their number is used.
const LABELS: [&str; 3] = ["label"; 3];

/// Writes the parsed body of the file `name` in JSON syntax as a node of the JSON document of syntax trees, with the
/// declarations that its names lead to and the values that `declared` has; `told` records the values written.
pub(crate) fn body(
    name: &str,
    parse: &JsonParse,
    declared: &DeclaredNames,
    told: &RefCell<WrittenValues>,
    out: &mut JsonText<'_>,
) {
    let text = parse.document.text();
    let is_code = !FileKind::has_purpose(name, FilePurpose::Values);
    let writer = JsonWriter { text, is_code, around: FileSurroundings::of(name, declared, told) };
    let span = Span::new(0, text.len() as u32);
    writer.body(&Body::json(parse), span, &mut Vec::new(), out);
}

/// A writer of the syntax tree of one file in JSON syntax, with the file's text and name, the declarations of its module, and
/// whether it is code or a value file.
struct JsonWriter<'o> {
    text: &'o str,
    /// False for a file of variable values, which contains no blocks.
    is_code: bool,
    around: FileSurroundings<'o>,
}

/// Returns as many placeholder labels as a block of the type `kind` takes inside blocks of the types `around`, the outermost
/// first; `None` if no such block is allowed there.
fn labels(around: &[String], kind: &str) -> Option<&'static [&'static str]> {
    let around: Vec<&str> = around.iter().map(String::as_str).collect();
    let count = match around.last() {
        None => (language().labels)(kind),
        Some(&"dynamic") if kind == "content" => Some(0),
        Some(_) => (language().inner_labels)(&around, kind),
    };
    LABELS.get(..count?)
}

impl JsonWriter<'_> {
    /// Writes a body in JSON syntax, which `span` covers, as a node of the JSON document of syntax trees; `around` are the types
    /// of the blocks that enclose it.
    fn body(&self, body: &Body, span: Span, around: &mut Vec<String>, out: &mut JsonText<'_>) {
        let labels = |kind: &str| if self.is_code { labels(around, kind) } else { None };
        let shape = BodyShape { is_argument: &|_| false, labels: &labels };
        // `groma check` reports what does not fit.
        let content = body.content(shape, &mut Diagnostics::new());
        let blocks = content.blocks.into_iter().map(BodyItem::Block);
        let mut items: Vec<BodyItem> = content.rest.into_iter().chain(blocks).collect();
        items.sort_by_key(|item| match item {
            BodyItem::Argument(argument) => argument.span.start,
            // Several blocks of one property begin at its name.
            BodyItem::Block(block) => block.body.span().start,
        });
        let bindings = Bindings::default();
        let mut writer = SyntaxWriter::new(out, self.text, self.around, &bindings);
        writer.out.open_object();
        writer.range("range", span);
        writer.list("items", items, |writer, item| match item {
            BodyItem::Argument(argument) => {
                writer.open("argument", argument.span);
                writer.text("name", &argument.name.text);
                writer.range("name_range", argument.name.span);
                writer.out.name("value");
                if let Expr::Json(json) = &argument.expr {
                    self.value(json.view(), writer.out);
                }
                writer.close();
            }
            BodyItem::Block(block) => self.block(&block, around, writer),
        });
        writer.close();
    }

    /// Writes a block in JSON syntax as a node of the JSON document of syntax trees; `around` are the types of the blocks that
    /// enclose it.
    fn block(
        &self,
        block: &Block,
        around: &mut Vec<String>,
        writer: &mut SyntaxWriter<'_, '_, '_>,
    ) {
        writer.open_block(block);
        around.push(block.kind.text.to_string());
        writer.out.name("body");
        self.body(&block.body, block.body.span(), around, writer.out);
        around.pop();
        writer.close();
    }

    /// Writes a JSON value of a file as the expression node that it stands for in the language.
    fn value(&self, value: JsonView<'_>, out: &mut JsonText<'_>) {
        let (span, bindings) = (value.span(), Bindings::default());
        let mut writer = SyntaxWriter::new(out, self.text, self.around, &bindings);
        match value.case() {
            JsonCase::Null | JsonCase::Bool(_) => {
                writer.open("literal", span);
                writer.word("value", value.text());
                return writer.close();
            }
            JsonCase::Number(text) => {
                writer.open("number", span);
                writer.text("text", text);
            }
            JsonCase::String(_) => {
                let (parse, _) = value.template(FileId(0));
                return self.template(&parse, value, span, out);
            }
            JsonCase::Array(items) => {
                writer.open("tuple", span);
                writer.list("items", items, |writer, item| self.value(item, writer.out));
            }
            JsonCase::Object(properties) => {
                writer.open("object", span);
                writer.list("items", properties, |writer, property: JsonProperty<'_>| {
                    writer.out.open_object();
                    writer.out.name("key");
                    let parse = parse_inner_template(&(&*property.name).into(), FileId(0));
                    self.template(&parse, value, property.name_span, writer.out);
                    writer.out.name("value");
                    self.value(property.value, writer.out);
                    writer.close();
                });
            }
            JsonCase::Missing => writer.open("missing", span),
        }
        writer.write_values(span);
        writer.close();
    }

    /// Writes the template in a JSON string at the span `whole` as an expression node; `view`, any value of the file, maps the
    /// template's spans to the file.
    fn template(&self, parse: &Parse, view: JsonView<'_>, whole: Span, out: &mut JsonText<'_>) {
        let Expr::Native(native) = Expr::of(parse) else { return };
        let bindings = Bindings::of(native.view());
        let written = |span: Span| {
            let at = |offset: u32| view.written_at(whole, offset).min(whole.end);
            Span::new(at(span.start), at(span.end))
        };
        let text = parse.tree.text();
        let mut writer = SyntaxWriter::new(out, text, self.around, &bindings).written_at(&written);
        match native.view().case() {
            ExprCase::Template(template) => writer.string(template, whole),
            _ => return writer.expression(native.view()),
        }
        writer.close();
    }
}
