//! From code to JSON: what is a literal becomes one, a template a text, and any other expression a text that is one
//! `${…}`. What only names something is a text without `${`. Code that is JSON already stays as it is written.

use groma_syntax::ast::{Case, ExprView, ObjectItem, TemplateKind, TemplatePart, TemplateView};
use groma_syntax::{Block, Body, Expr, FileId, Item, parse_json};

use crate::path::key_name;
use crate::text::{Text, only_item};
use crate::{Language, Refusal, refused};

/// A value that is to be written.
pub(super) enum Written {
    /// As it is written.
    Raw(String),
    Array(Vec<Written>),
    Object(Vec<(String, Written)>),
}

impl Written {
    /// Whether it holds no other lists and objects.
    pub(super) fn is_plain(&self) -> bool {
        let is_scalar = |one: &Written| match one {
            Written::Raw(raw) => !raw.contains('\n'),
            Written::Array(_) | Written::Object(_) => false,
        };
        match self {
            Written::Raw(_) => is_scalar(self),
            Written::Array(items) => items.iter().all(is_scalar),
            Written::Object(_) => false,
        }
    }
}

/// A text as JSON has it.
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

/// Reads code for an argument, or for a block where no argument is named. `kinds` are the blocks around it.
pub(super) fn read(
    code: &str,
    kinds: &[&str],
    name: Option<&str>,
    language: Language<'_>,
) -> Result<Written, Refusal> {
    let is_named = name.is_some_and(|name| (language.names)(kinds, name));
    if parse_json(&code.into(), FileId(0)).diagnostics.is_empty() {
        return Ok(Written::Raw(code.to_owned()));
    }
    let text = Text::of(format!("x = {code}\n"));
    let is_code = text.parse.diagnostics.is_empty();
    if let (true, Some(Item::Argument(argument))) = (is_code, only_item(&text))
        && argument.expr.text().trim() == code
        && let Expr::Native(native) = &argument.expr
    {
        let kinds: Vec<&str> = kinds.iter().copied().chain(name).collect();
        let writer = Writer { language, is_block: name.is_none() || !is_named };
        return writer.expression(native.view(), is_named, &kinds);
    }
    // What stands in a block may be other blocks.
    let block = Text::of(format!("x {code}\n"));
    if let (true, Some(Item::Block(block))) =
        (block.parse.diagnostics.is_empty(), only_item(&block))
    {
        let kinds: Vec<&str> = kinds.iter().copied().chain(name).collect();
        return Writer { language, is_block: true }.body(&block.body, &kinds);
    }
    let why = text.parse.diagnostics.first().map_or("", |first| first.detail.as_str());
    refused(format!("`{code}` is neither one expression nor what stands in a block: {why}"))
}

struct Writer<'l> {
    language: Language<'l>,
    /// Whether the names of an object may be those of arguments.
    is_block: bool,
}

impl Writer<'_> {
    fn body(&self, body: &Body, kinds: &[&str]) -> Result<Written, Refusal> {
        let mut out: Vec<(String, Written)> = Vec::new();
        for item in body.items() {
            match item {
                Item::Argument(argument) => {
                    let Expr::Native(native) = &argument.expr else { continue };
                    let name = argument.name.text.to_string();
                    let is_named = (self.language.names)(kinds, &name);
                    let value = self.expression(native.view(), is_named, kinds)?;
                    out.push((name, value));
                }
                Item::Block(block) => self.block(&block, kinds, &mut out)?,
            }
        }
        Ok(Written::Object(out))
    }

    /// A block inside another one; several of a kind are a list.
    fn block(
        &self,
        block: &Block,
        kinds: &[&str],
        out: &mut Vec<(String, Written)>,
    ) -> Result<(), Refusal> {
        let kind = block.kind.text.to_string();
        let within: Vec<&str> = kinds.iter().copied().chain([kind.as_str()]).collect();
        let mut value = self.body(&block.body, &within)?;
        for label in block.labels.iter().rev() {
            value = Written::Object(vec![(label.text.to_string(), value)]);
        }
        match out.iter_mut().find(|(name, _)| *name == kind) {
            Some((_, Written::Array(items))) => items.push(value),
            Some((_, one)) => {
                let first = std::mem::replace(one, Written::Array(Vec::new()));
                *one = Written::Array(vec![first, value]);
            }
            None => out.push((kind, value)),
        }
        Ok(())
    }

    fn expression(
        &self,
        view: ExprView<'_>,
        is_named: bool,
        kinds: &[&str],
    ) -> Result<Written, Refusal> {
        let raw = |text: &str| Ok(Written::Raw(text.to_owned()));
        let as_code = || {
            let code = view.text();
            match is_named {
                true => Ok(Written::Raw(quoted(code))),
                false => Ok(Written::Raw(quoted(&format!("${{{code}}}")))),
            }
        };
        match view.case() {
            Case::Root(word @ ("true" | "false" | "null")) => raw(word),
            Case::Number(digits)
                if parse_json(&digits.into(), FileId(0)).diagnostics.is_empty() =>
            {
                raw(digits)
            }
            Case::Unary { operand, .. }
                if matches!(operand.case(), Case::Number(_))
                    && parse_json(&view.text().into(), FileId(0)).diagnostics.is_empty() =>
            {
                raw(view.text())
            }
            Case::Template(template) => match (is_named, template.plain()) {
                (true, Some(text)) => Ok(Written::Raw(quoted(&text))),
                _ => Ok(Written::Raw(quoted(&text_of(template, view.text())?))),
            },
            Case::Tuple(items) => {
                let items = items.into_iter().map(|one| self.expression(one, is_named, &[]));
                Ok(Written::Array(items.collect::<Result<_, _>>()?))
            }
            Case::Object(items) => {
                let mut out = Vec::new();
                for ObjectItem { key, value } in items {
                    let name = match (key_name(key), key.case()) {
                        (Some(name), Case::Template(_)) => escaped(&name),
                        (Some(name), _) => name,
                        (None, Case::Template(template)) => text_of(template, key.text())?,
                        (None, Case::Parenthesised(inner)) => format!("${{{}}}", inner.text()),
                        (None, _) => format!("${{{}}}", key.text()),
                    };
                    let is_named = is_named || self.is_block && (self.language.names)(kinds, &name);
                    out.push((name, self.expression(value, is_named, &[])?));
                }
                Ok(Written::Object(out))
            }
            _ => as_code(),
        }
    }
}

/// A template as a text of JSON has it: its literal parts unescaped, its sequences as they are. `whole` is how it is
/// written.
fn text_of(template: TemplateView<'_>, whole: &str) -> Result<String, Refusal> {
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
                        "A template with %{ … } over lines cannot be written as a text of JSON: give the text as JSON.",
                    );
                }
                return Ok(whole[1..whole.len() - 1].to_owned());
            }
        }
    }
    Ok(out)
}

/// A text that says of `${` that it is none.
fn escaped(text: &str) -> String {
    text.replace("${", "$${").replace("%{", "%%{")
}
