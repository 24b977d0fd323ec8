//! `moved`, `removed` and `import` blocks of a module, as entries to compare with those of the other revision. They are usually
//! deleted once they have been applied.

use groma_config::{AddressPattern, RawBlock, address_grammar};
use groma_syntax::Expr;
use groma_value::Str;

use super::body::{ArgumentPart, ComparedBody};
use super::change::OutsideKind;
use super::entry::{ChangeTarget, DeclaredEntry};
use super::expression::{SideModule, text_of};
use super::settings::of_raw;

/// Adds the `moved`, `removed` and `import` blocks of a module as entries to compare with those of the other revision.
pub(super) fn entries(here: &SideModule<'_>, all: &mut Vec<DeclaredEntry>) {
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
        let target = ChangeTarget::Written(named);
        all.push(DeclaredEntry::new(OutsideKind::Refactoring, address, target, body));
    }
    for import in &module.imports {
        let mut body = ComparedBody::empty(import.place);
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
        let named = import.target.as_ref().map(|target| Str::from(target.to_string()));
        let target = named.clone().map_or(ChangeTarget::Nothing, ChangeTarget::Written);
        let address = format!("import.{}", named.unwrap_or_default());
        all.push(DeclaredEntry::new(OutsideKind::Refactoring, address, target, body));
    }
}

/// Returns the body of a block for comparison, without the argument `own` that identifies the block.
fn of_block(here: &SideModule<'_>, block: &RawBlock, own: &str) -> ComparedBody {
    let mut body = ComparedBody::empty(block.header);
    for argument in block.arguments.iter().filter(|argument| &*argument.name != own) {
        let named = target(here, &argument.expr, &block.kind);
        body.set(&argument.name, ArgumentPart::code(argument.expr.place(), named));
    }
    for inner in &block.blocks {
        body.push(&inner.kind, of_raw(here, inner));
    }
    body
}

/// Returns the address that an expression contains, in normal form, or the source text if it is not an address.
fn target(here: &SideModule<'_>, expr: &Expr, kind: &str) -> Str {
    let words = address_grammar(here.node.edition(), kind);
    AddressPattern::read(expr, words)
        .map_or_else(|_| text_of(expr), |target| target.to_string().into())
}
