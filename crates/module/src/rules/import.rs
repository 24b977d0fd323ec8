//! What an `import` block says about the object to take over, as far as it is written out.

use groma_functions::Dialect;
use groma_syntax::{Code, Diagnostic, Diagnostics};
use groma_value::{Mark, Value};

use crate::declare::{Expression, Gatherer, Raw};

static IMPORT_ID: Code = Code { slug: "import-id", summary: "This cannot be the id of an import" };

pub(super) fn check(blocks: &[Raw], gatherer: &Gatherer<'_>, out: &mut Diagnostics) {
    let is_tofu = gatherer.library.edition.dialect == Dialect::OpenTofu;
    for block in blocks.iter().filter(|block| &*block.kind == "import") {
        let Some(argument) = block.argument("id") else { continue };
        let expression = Expression::new(&argument.expr, &gatherer.library);
        let code = &expression.located.code;
        let value = match code.constant() {
            Some(value) => value.clone(),
            None if !code.references().is_empty() => continue,
            None => {
                let mut found = Diagnostics::new();
                groma_eval::evaluate(&expression.located, gatherer.constants, &mut found)
            }
        };
        let problem = match value.bare() {
            Value::Null(_) => "it is null. Say by which id the provider knows the object",
            _ if is_tofu && value.marks().contains(&Mark::Sensitive) => {
                "it is sensitive, and ids of imports are shown. Take the mark off with nonsensitive(…)"
            }
            Value::String(text) if !is_tofu && text.is_empty() => {
                "it is empty. Say by which id the provider knows the object"
            }
            _ => continue,
        };
        let detail = format!("An object cannot be taken over by this id: {problem}.");
        out.push(Diagnostic::error(&IMPORT_ID, detail).at(argument.expr.place()));
    }
}
