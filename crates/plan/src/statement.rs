//! `import`, `moved` and `removed` blocks together: what they say against what is declared and against each
//! other. Which instances there are has to be worked out before.

use groma_project::Evaluation;
use groma_syntax::Diagnostics;

use crate::{check_moves, import, lifecycle, removed};

/// Reports what such blocks contradict.
pub fn check_statements(evaluation: &Evaluation, out: &mut Diagnostics) {
    import::check(evaluation.project(), out);
    if !out.has_errors() {
        lifecycle::check(evaluation, None, out);
        import::check_values(evaluation, None, out);
        check_moves::check(evaluation, None, out);
        removed::check(evaluation.project(), out);
    }
}
