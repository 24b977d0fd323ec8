//! Where the differences of two plans come from: the lines that differ between the two revisions, as far as what differs
//! rests on them.

use groma_plan::Plan;
use groma_project::Evaluation;
use groma_review::Provenance;
use groma_syntax::{Place, Sources};
use groma_value::{Path, PathStep, Str, Value};
use groma_why::{ToldBelow, Why, WhyStep};

use crate::changed::ChangedLines;

/// So many lines are told of one difference.
const TOLD: usize = 3;

/// What knows where differences come from.
pub(crate) struct Origins {
    pub(crate) base: Side,
    pub(crate) head: Side,
    /// The lines that are not the same on both sides.
    changed: ChangedLines,
}

pub(crate) struct Side {
    pub(crate) why: Why,
    reach: ToldBelow,
    sources: Sources,
    evaluation: Evaluation,
}

impl Side {
    fn of(plan: &Plan) -> Side {
        let evaluation = plan.evaluation().clone();
        let (why, sources) = (Why::new(&evaluation), evaluation.sources());
        Side { why, reach: ToldBelow::of(TOLD), sources, evaluation }
    }

    /// Where something is declared.
    fn declaration(&self, address: &str) -> Option<Place> {
        let address = groma_review::without_keys(address);
        let (node, declaration) = self.evaluation.project().declared(&address)?;
        Some(self.sources.resolve(declaration.place(node.module())))
    }
}

impl Origins {
    pub(crate) fn of(base: &Plan, head: &Plan) -> Origins {
        let (base, head) = (Side::of(base), Side::of(head));
        let changed = ChangedLines::between(&base.evaluation.sources(), &head.evaluation.sources());
        Origins { base, head, changed }
    }

    /// The lines that differ among those that a part rests on, as `FILE:LINE`. `is_whole` says that the declaration counts,
    /// too.
    fn told(
        &mut self,
        is_head: bool,
        address: &str,
        steps: &[WhyStep],
        is_whole: bool,
    ) -> Vec<String> {
        let Origins { base, head, changed, .. } = self;
        let side = if is_head { head } else { base };
        let mut tell = |place: Place| changed.line(is_head, place);
        let told = side.why.first_told(address, steps, &mut side.reach, &mut tell);
        let mut found: Vec<String> = told.into_iter().map(|(_, line)| line.to_string()).collect();
        let declared = if is_whole { side.declaration(address) } else { None };
        if let Some(line) = declared.and_then(|place| changed.line(is_head, place))
            && found.len() < TOLD
            && !found.iter().any(|one| **one == *line)
        {
            found.push(line.to_string());
        }
        found
    }
}

/// The step that a key stands for.
pub(crate) fn key_step(key: &Value) -> Option<WhyStep> {
    match key.bare() {
        Value::String(name) => Some(WhyStep::Name(Str::clone(name))),
        key => key.as_position().map(WhyStep::At),
    }
}

/// The way to a part as it is asked for; nothing where a step has no name or number.
fn steps(path: &Path) -> Vec<WhyStep> {
    let step = |step: &PathStep| match step {
        PathStep::Attribute(name) => Some(WhyStep::Name(name.clone())),
        PathStep::Index(key) => key_step(key),
    };
    path.0.iter().map_while(step).collect()
}

impl Provenance for Origins {
    fn lines(&mut self, before: Option<&str>, after: Option<&str>, path: &Path) -> Vec<String> {
        let steps = steps(path);
        if let Some(address) = after {
            let told = self.told(true, address, &steps, before.is_none() || path.0.is_empty());
            if !told.is_empty() {
                return told;
            }
        }
        // What is gone was written once.
        let Some(address) = before else { return Vec::new() };
        self.told(false, address, &steps, after.is_none() || path.0.is_empty())
    }
}
