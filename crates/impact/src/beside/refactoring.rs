//! `moved`, `removed` and `import` blocks: they say what becomes of objects, and are gone once that has happened.

use groma_folder::{RawBlock, Target, Words};
use groma_syntax::Expr;
use groma_value::Str;

use super::body::{Body, Part};
use super::change::BesideKind;
use super::entry::{Aim, Entry};
use super::expression::{Here, text_of};
use super::settings::of_raw;

pub(super) fn entries(here: &Here<'_>, all: &mut Vec<Entry>) {
    let module = here.module();
    for block in &module.others {
        let own = match &*block.kind {
            "moved" => "to",
            "removed" => "from",
            _ => continue,
        };
        let Some(argument) = block.argument(own) else { continue };
        let named = target(here, &argument.expr, &block.kind);
        let body = of_block(here, block, own);
        let address = format!("{}.{named}", &*block.kind);
        let aim = Aim::Resource(named.to_string());
        all.push(Entry::new(BesideKind::Refactoring, address, aim, body));
    }
    for import in &module.imports {
        let mut body = Body::empty(import.place);
        for (name, expression) in
            [("for_each", &import.for_each), ("id", &import.id), ("identity", &import.identity)]
        {
            if let Some(expression) = expression {
                body.set(name, here.valued(name, expression));
            }
        }
        for key in &import.keys {
            let part = here.coded(&key.value);
            body.set(&format!("to[{}]", &*part.text), part);
        }
        let named = import.target.as_ref().map(Target::to_string);
        let aim = named.clone().map_or(Aim::Nothing, Aim::Resource);
        let address = format!("import.{}", named.unwrap_or_default());
        all.push(Entry::new(BesideKind::Refactoring, address, aim, body));
    }
}

/// A block without the argument that it is called after.
fn of_block(here: &Here<'_>, block: &RawBlock, own: &str) -> Body {
    let mut body = Body::empty(block.header);
    for argument in block.arguments.iter().filter(|argument| &*argument.name != own) {
        let named = target(here, &argument.expr, &block.kind);
        body.set(&argument.name, Part::code(argument.expr.place(), named));
    }
    for inner in &block.blocks {
        body.push(&inner.kind, of_raw(here, inner));
    }
    body
}

/// The address that is written, however it is.
fn target(here: &Here<'_>, expr: &Expr, kind: &str) -> Str {
    let words = Words::of(here.node.edition(), kind);
    Target::read(expr, words).map_or_else(|_| text_of(expr), |target| target.to_string().into())
}
