//! Conversion of code to JSON: literals become JSON literals, templates strings, and other expressions strings with one `${…}`.
//! An expression in the place of a name becomes a string without `${`. JSON code is kept as written.

use groma_syntax::ast::{ExprCase, ExprView, ObjectItem, TemplateKind, TemplatePart, TemplateView};
use groma_syntax::{Block, Body, BodyItem, Expr, FileId, parse_json};

use crate::path::key_name;
use crate::text::{ParsedText, only_item};
use crate::{EditLanguage, EditRefusal, refused};

/// A JSON value that an edit writes.
pub(super) enum NewJson {
    /// JSON text that is kept as written.
    Raw(String),
    /// A list.
    Array(Vec<NewJson>),
    /// An object: names and values.
    Object(Vec<(String, NewJson)>),
}

impl NewJson {
    /// Returns true if the value is a scalar on one line, or a list of scalars on one line each.
    pub(super) fn is_plain(&self) -> bool {
        let is_scalar = |one: &NewJson| match one {
            NewJson::Raw(raw) => !raw.contains('\n'),
            NewJson::Array(_) | NewJson::Object(_) => false,
        };
        match self {
            NewJson::Raw(_) => is_scalar(self),
            NewJson::Array(items) => items.iter().all(is_scalar),
            NewJson::Object(_) => false,
        }
    }
}

/// Returns a text as a JSON string.
pub(super) fn quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if c < ' ' => out.push_str(&format!("\\u{:04x}", u32::from(c))),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

/// Converts the code of an edit, native or JSON, to the JSON value of the argument `name`, or of a block if `name` is
/// `None`, inside of blocks of the types `kinds`.
pub(super) fn read(
    code: &str,
    kinds: &[&str],
    name: Option<&str>,
    language: EditLanguage<'_>,
) -> Result<NewJson, EditRefusal> {
    let is_named = name.is_some_and(|name| (language.names)(kinds, name));
    if parse_json(&code.into(), FileId(0)).diagnostics.is_empty() {
        return Ok(NewJson::Raw(code.to_owned()));
    }
    let text = ParsedText::of(format!("x = {code}\n"));
    let is_code = text.parse.diagnostics.is_empty();
    if let (true, Some(BodyItem::Argument(argument))) = (is_code, only_item(&text))
        && argument.expr.text().trim() == code
        && let Expr::Native(native) = &argument.expr
    {
        let kinds: Vec<&str> = kinds.iter().copied().chain(name).collect();
        let writer = JsonCodeWriter { language, is_block: name.is_none() || !is_named };
        return writer.expression(native.view(), is_named, &kinds);
    }
    // The content of a block may be nested blocks.
    let block = ParsedText::of(format!("x {code}\n"));
    if let (true, Some(BodyItem::Block(block))) =
        (block.parse.diagnostics.is_empty(), only_item(&block))
    {
        let kinds: Vec<&str> = kinds.iter().copied().chain(name).collect();
        return JsonCodeWriter { language, is_block: true }.body(&block.body, &kinds);
    }
    let why = text.parse.diagnostics.first().map_or("", |first| first.detail.as_str());
    refused(format!("`{code}` is neither an expression nor the body of a block: {why}"))
}

/// Converter of native code to JSON, by the rules of the language.
struct JsonCodeWriter<'l> {
    language: EditLanguage<'l>,
    /// True if the names in an object may be those of a block's arguments.
    is_block: bool,
}

impl JsonCodeWriter<'_> {
    /// Converts the body of a block to an object; `kinds` are the types of the enclosing blocks, outermost first.
    fn body(&self, body: &Body, kinds: &[&str]) -> Result<NewJson, EditRefusal> {
        let mut out: Vec<(String, NewJson)> = Vec::new();
        for item in body.items() {
            match item {
                BodyItem::Argument(argument) => {
                    let Expr::Native(native) = &argument.expr else { continue };
                    let name = argument.name.text.to_string();
                    let is_named = (self.language.names)(kinds, &name);
                    let value = self.expression(native.view(), is_named, kinds)?;
                    out.push((name, value));
                }
                BodyItem::Block(block) => self.block(&block, kinds, &mut out)?,
            }
        }
        Ok(NewJson::Object(out))
    }

    /// Adds a nested block to the properties `out` of its body; several blocks of a type become a list; `kinds` are the
    /// types of the enclosing blocks, outermost first.
    fn block(
        &self,
        block: &Block,
        kinds: &[&str],
        out: &mut Vec<(String, NewJson)>,
    ) -> Result<(), EditRefusal> {
        let kind = block.kind.text.to_string();
        let within: Vec<&str> = kinds.iter().copied().chain([kind.as_str()]).collect();
        let mut value = self.body(&block.body, &within)?;
        for label in block.labels.iter().rev() {
            value = NewJson::Object(vec![(label.text.to_string(), value)]);
        }
        match out.iter_mut().find(|(name, _)| *name == kind) {
            Some((_, NewJson::Array(items))) => items.push(value),
            Some((_, one)) => {
                let first = std::mem::replace(one, NewJson::Array(Vec::new()));
                *one = NewJson::Array(vec![first, value]);
            }
            None => out.push((kind, value)),
        }
        Ok(())
    }

    /// Converts an expression inside of blocks of the types `kinds` to a JSON value; with `is_named`, which is for an
    /// argument that only names things and is not evaluated, its references become strings without `${`.
    fn expression(
        &self,
        view: ExprView<'_>,
        is_named: bool,
        kinds: &[&str],
    ) -> Result<NewJson, EditRefusal> {
        let raw = |text: &str| Ok(NewJson::Raw(text.to_owned()));
        let as_code = || {
            let code = view.text();
            match is_named {
                true => Ok(NewJson::Raw(quoted(code))),
                false => Ok(NewJson::Raw(quoted(&format!("${{{code}}}")))),
            }
        };
        match view.case() {
            ExprCase::Root(word @ ("true" | "false" | "null")) => raw(word),
            ExprCase::Number(digits)
                if parse_json(&digits.into(), FileId(0)).diagnostics.is_empty() =>
            {
                raw(digits)
            }
            ExprCase::Unary { operand, .. }
                if matches!(operand.case(), ExprCase::Number(_))
                    && parse_json(&view.text().into(), FileId(0)).diagnostics.is_empty() =>
            {
                raw(view.text())
            }
            ExprCase::Template(template) => match (is_named, template.plain()) {
                (true, Some(text)) => Ok(NewJson::Raw(quoted(&text))),
                _ => Ok(NewJson::Raw(quoted(&text_of(template, view.text())?))),
            },
            ExprCase::Tuple(items) => {
                let items = items.into_iter().map(|one| self.expression(one, is_named, &[]));
                Ok(NewJson::Array(items.collect::<Result<_, _>>()?))
            }
            ExprCase::Object(items) => {
                let mut out = Vec::new();
                for ObjectItem { key, value } in items {
                    let name = match (key_name(key), key.case()) {
                        (Some(name), ExprCase::Template(_)) => escaped(&name),
                        (Some(name), _) => name,
                        (None, ExprCase::Template(template)) => text_of(template, key.text())?,
                        (None, ExprCase::Parenthesised(inner)) => format!("${{{}}}", inner.text()),
                        (None, _) => format!("${{{}}}", key.text()),
                    };
                    let is_named = is_named || self.is_block && (self.language.names)(kinds, &name);
                    out.push((name, self.expression(value, is_named, &[])?));
                }
                Ok(NewJson::Object(out))
            }
            _ => as_code(),
        }
    }
}

/// Converts a template with the source `whole` to the text of a JSON string: literal parts are unescaped, interpolations
/// unchanged.
fn text_of(template: TemplateView<'_>, whole: &str) -> Result<String, EditRefusal> {
    let mut out = String::new();
    for part in template.parts() {
        match part {
            TemplatePart::Literal { text, .. } => out.push_str(&escaped(&text)),
            TemplatePart::Interpolation { expr, .. } => {
                out.push_str(&format!("${{{}}}", expr.text()));
            }
            TemplatePart::If { .. } | TemplatePart::For { .. } => {
                let is_quoted = matches!(template.kind(), TemplateKind::Quoted);
                if !is_quoted || whole.contains('\\') {
                    return refused(
                        "A template with %{ … } over several lines cannot be converted to JSON: give it as a JSON string.",
                    );
                }
                return Ok(whole[1..whole.len() - 1].to_owned());
            }
        }
    }
    Ok(out)
}

/// Returns a text with its template sequences `${` and `%{` escaped.
fn escaped(text: &str) -> String {
    text.replace("${", "$${").replace("%{", "%%{")
}
