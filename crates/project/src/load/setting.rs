//! Settings of the root module that are evaluated before anything is planned, from variables, local values, paths and the
//! workspace only.

use groma_config::{RawArgument, RawBlock};
use groma_module::declare::{DeclarationReader, Expression};
use groma_module::resolve::{Surroundings, uses_of};
use groma_syntax::Diagnostics;
use groma_value::Value;

use crate::evaluate::Evaluation;
use crate::tree::{ModuleId, TreeModule, fixed};

/// Evaluates an argument of the root module that must be known before evaluation: as a constant, else by the `evaluation` of the
/// modules; `None` if a reference prevents it, which is reported.
pub(super) fn value(
    nodes: &[TreeModule],
    gatherer: &DeclarationReader<'_>,
    evaluation: &dyn Fn(&[TreeModule]) -> Evaluation,
    argument: &RawArgument,
    out: &mut Diagnostics,
) -> Option<Value> {
    let mut expression = Expression::new(&argument.expr, &gatherer.library);
    if let Some(value) = expression.constant() {
        return Some(value);
    }
    let names = &nodes[0].module.names;
    let before = out.error_count();
    expression.uses = uses_of(&expression, names, &Surroundings::default(), out);
    if out.error_count() > before || !fixed::check(nodes, ModuleId::ROOT, &expression, out) {
        return None;
    }
    evaluation(nodes).evaluate_in_first(ModuleId::ROOT, &expression, out)
}

/// Reports arguments of backends that the `evaluation` of the modules cannot evaluate before everything else, because of what
/// they refer to.
pub(super) fn check_backends(
    nodes: &[TreeModule],
    gatherer: &DeclarationReader<'_>,
    evaluation: &dyn Fn(&[TreeModule]) -> Evaluation,
    out: &mut Diagnostics,
) {
    let settings = nodes[0].module.settings.blocks.iter();
    let backends: Vec<&RawBlock> = settings.flat_map(|raw| raw.blocks_of("backend")).collect();
    for raw in backends {
        let inner = raw.blocks.iter().flat_map(|block| &block.arguments);
        for argument in raw.arguments.iter().chain(inner) {
            value(nodes, gatherer, evaluation, argument, out);
        }
    }
}
