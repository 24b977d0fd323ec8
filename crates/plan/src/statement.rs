//! Validation of `import`, `moved` and `removed` blocks against the declarations and against each other. Instances must be
//! evaluated first.

use groma_project::Evaluation;
use groma_syntax::Diagnostics;

use crate::{check_moves, import, lifecycle, removed};

/// Reports contradictions of the blocks that steer a plan: imports, lifecycle settings, moves and removals.
pub fn check_statements(evaluation: &Evaluation, out: &mut Diagnostics) {
    import::check(evaluation.project(), out);
    if !out.has_errors() {
        lifecycle::check(evaluation, None, out);
        import::check_values(evaluation, None, out);
        check_moves::check(evaluation, None, out);
        removed::check(evaluation.project(), out);
    }
}
