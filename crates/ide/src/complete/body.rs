//! Completion in a body: arguments and blocks that may be added, inserted as snippets with their required parts.

use groma::place::{ExpectedArgument, ExpectedBlock, attributes_of};
use groma::{Type, values::print};
use groma_syntax::{Body, BodyItem};

use crate::complete::{CompletionItem, CompletionKind, CompletionSubject, ListBuilder};

/// Sort rank of required arguments and blocks among completion items of a body, in which they are listed first.
const REQUIRED: u8 = 1;
/// Sort rank of optional arguments among completion items.
const OPTIONAL: u8 = 3;
/// Sort rank of optional nested blocks among completion items.
const NESTED: u8 = 4;

impl ListBuilder<'_> {
    /// Adds completion items for the arguments and blocks that the body at the cursor can still have.
    pub(super) fn body(&mut self) {
        let Some(body) = self.expected(&self.site.blocks) else { return };
        let present = self.present_names();
        let is_open = |name: &str| !present.iter().any(|known| known == name);
        for argument in body.arguments.iter().filter(|one| is_open(&one.name)) {
            let item = self.argument(argument);
            self.push(item);
        }
        let can_be_added = |one: &&ExpectedBlock| one.max != 1 || is_open(&one.name);
        for block in body.blocks.iter().filter(can_be_added) {
            let item = self.block(block);
            self.push(item);
        }
    }

    /// Returns the names in the body at the cursor, except the one being typed.
    fn present_names(&self) -> Vec<String> {
        let at = self.site.word.start;
        let mut body: Body = self.document.syntax().body();
        loop {
            let inner = body.items().into_iter().find_map(|item| match item {
                BodyItem::Block(block) if block.body.span().touches(at) => Some(block.body),
                _ => None,
            });
            match inner {
                Some(inner) => body = inner,
                None => break,
            }
        }
        let names = body.items().into_iter().filter_map(|item| {
            let name = match &item {
                BodyItem::Argument(argument) => &argument.name,
                BodyItem::Block(block) => &block.kind,
            };
            (!name.span.touches(at)).then(|| name.text.to_string())
        });
        names.collect()
    }

    /// Returns the completion item for an argument.
    fn argument(&self, argument: &ExpectedArgument) -> CompletionItem {
        let name = &*argument.name;
        let rank = if argument.is_required { REQUIRED } else { OPTIONAL };
        let needed = if argument.is_required { "required, " } else { "" };
        let detail = format!("{needed}{}", type_words(&argument.ty));
        let subject = match (&argument.variable, &argument.description) {
            (Some(id), _) => CompletionSubject::Declaration(*id),
            (None, Some(words)) => CompletionSubject::Words(words.to_string()),
            (None, None) => CompletionSubject::Schema(self.site.blocks.clone(), name.to_owned()),
        };
        let mut item = CompletionItem {
            detail: Some(detail),
            is_deprecated: argument.is_deprecated,
            subject,
            ..self.item(name, CompletionKind::Argument, rank)
        };
        // If the argument has a value already, only its name is replaced.
        if !self.document.is_json() && !self.is_followed_by_value() {
            item.insert = format!("{name} = {}", value_snippet(&argument.ty, 0));
            item.is_snippet = true;
        }
        item
    }

    /// Returns the completion item for a nested block.
    fn block(&self, block: &ExpectedBlock) -> CompletionItem {
        let name = &*block.name;
        let rank = if block.min > 0 { REQUIRED } else { NESTED };
        let labels: Vec<String> = block.labels.iter().map(|label| format!("\"{label}\"")).collect();
        let detail = match labels.is_empty() {
            true => "block".to_owned(),
            false => format!("block {}", labels.join(" ")),
        };
        let mut item = CompletionItem {
            detail: Some(detail),
            is_deprecated: block.is_deprecated,
            subject: match block.doc {
                "" => CompletionSubject::Schema(self.site.blocks.clone(), name.to_owned()),
                doc => CompletionSubject::Words(doc.to_owned()),
            },
            ..self.item(name, CompletionKind::Block, rank)
        };
        if !self.document.is_json() && !self.is_followed_by_value() {
            item.insert = block_snippet(block);
            item.is_snippet = true;
        }
        item
    }

    /// Returns true if `=`, a label or a brace follows the name at the cursor.
    fn is_followed_by_value(&self) -> bool {
        let rest = self.document.text().get(self.site.word.end as usize..).unwrap_or_default();
        let line = rest.lines().next().unwrap_or_default().trim_start();
        line.starts_with(['=', '"', '{'])
    }

    /// Adds completion items for the attributes of the object type that is expected at the cursor.
    pub(super) fn keys(&mut self) {
        let Some(ty) = self.expected_type() else { return };
        for (name, ty) in attributes_of(&ty) {
            let mut item = CompletionItem {
                detail: Some(type_words(&ty)),
                ..self.item(&name, CompletionKind::Attribute, OPTIONAL)
            };
            if !self.document.is_json() && !self.is_followed_by_value() {
                item.insert = format!("{} = {}", &*name, value_snippet(&ty, 0));
                item.is_snippet = true;
            }
            self.push(item);
        }
    }
}

/// Returns a type on one line, as a completion item shows it.
pub(super) fn type_words(ty: &Type) -> String {
    match ty {
        Type::Dynamic => "any value".to_owned(),
        ty => print::type_name(ty),
    }
}

/// Returns a snippet for a value of a type, with tab stop `stop` in it.
fn value_snippet(ty: &Type, stop: usize) -> String {
    match ty {
        Type::String => format!("\"${stop}\""),
        Type::Bool => format!("${{{}:false}}", stop.max(1)),
        Type::List(_) | Type::Set(_) | Type::Tuple(_) => format!("[${stop}]"),
        Type::Map(_) | Type::Object(_) => format!("{{\n  ${stop}\n}}"),
        Type::Number | Type::Dynamic => format!("${stop}"),
    }
}

/// Returns the snippet for a block: labels and required arguments as tab stops.
fn block_snippet(block: &ExpectedBlock) -> String {
    let mut stop = 0;
    let mut next = || {
        stop += 1;
        stop
    };
    let mut text = block.name.to_string();
    for label in &block.labels {
        text.push_str(&format!(" \"${{{}:{label}}}\"", next()));
    }
    text.push_str(" {\n");
    for name in &block.required {
        text.push_str(&format!("  {} = ${}\n", &**name, next()));
    }
    text.push_str("  $0\n}");
    text
}
