//! Validation of `import` blocks as written: the id or identity, where it is constant.

use std::sync::Arc;

use groma_config::RawBlock;
use groma_syntax::{Diagnostic, Diagnostics};
use groma_value::Value;

use crate::codes;
use crate::declare::{DeclarationReader, Expression, Import};

/// Reports constant ids of `import` blocks that cannot be used to import, in editions that allow imports in root modules only.
pub(super) fn check(
    blocks: &[Arc<RawBlock>],
    gatherer: &DeclarationReader<'_>,
    out: &mut Diagnostics,
) {
    if gatherer.conventions.imports_below_root {
        return;
    }
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
        // A value of another type is judged later, as a whole.
        let is_text = matches!(value.bare(), Value::Null(_) | Value::String(_));
        let problem = Import::problem_of_id(&value, &gatherer.conventions);
        let Some(problem) = problem.filter(|_| is_text) else { continue };
        let detail = format!("This cannot be the id of an import: {problem}.");
        out.push(Diagnostic::error(&codes::IMPORT_ID, detail).at(argument.expr.place()));
    }
}
