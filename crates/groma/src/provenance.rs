//! Where the differences of two plans come from: the lines that differ between the two revisions, as far as what differs
//! rests on them; and whether what neither side knows may differ, because other code leads to it.

use std::cell::OnceCell;
use std::sync::Arc;

use groma_plan::Plan;
use groma_project::{Evaluation, Project};
use groma_review::Provenance;
use groma_syntax::{Place, Source, Sources};
use groma_value::{Path, PathStep, Str, Value};
use groma_why::{ToldBelow, Why, WhyStep};

use crate::changed::ChangedLines;
use crate::differing::Asked;
use crate::touched::Touched;

/// So many lines are told of one difference.
const TOLD: usize = 3;

/// What knows where differences come from.
pub(crate) struct Origins {
    pub(crate) base: Side,
    pub(crate) head: Side,
    /// The lines that are not the same on both sides.
    changed: ChangedLines,
    /// The declarations of the newer code that can mean something else.
    touched: OnceCell<Touched>,
    /// Whether nothing is wrong on either side.
    is_whole: bool,
    /// Whether anything has moved on the way.
    has_moved: bool,
    /// The last names of the files beside the code that were read and are not the same, where the code reads any of them.
    altered: Vec<String>,
    /// The parts that were asked whether they differ.
    pub(crate) asked: Asked,
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
    pub(crate) fn of(base: &Plan, head: &Plan, altered: &[String]) -> Origins {
        let is_whole = !base.is_errored() && !head.is_errored();
        let mut altered: Vec<String> = altered.iter().filter_map(|path| other_file(path)).collect();
        let (base, head) = (Side::of(base), Side::of(head));
        let changed = ChangedLines::between(&base.evaluation.sources(), &head.evaluation.sources());
        let reads = |(_, source): (_, &Arc<Source>)| reads_one(source.text(), &altered);
        if !head.evaluation.sources().iter().any(reads) {
            altered.clear();
        }
        let (touched, asked) = (OnceCell::new(), Asked::default());
        Origins { base, head, changed, touched, is_whole, has_moved: true, altered, asked }
    }

    /// What the change touches, found out once somebody asks.
    pub(crate) fn touched(&self) -> &Touched {
        self.touched.get_or_init(|| {
            let same_object = !self.has_moved;
            let sides = [&self.base, &self.head].map(|side| &side.evaluation);
            Touched::between(sides, self.is_whole, same_object)
        })
    }

    /// Whether nothing is wrong on either side, and an address stands for the same object on both.
    pub(crate) fn has_same_objects(&self) -> bool {
        self.is_whole && !self.has_moved
    }

    /// The projects of both sides.
    pub(crate) fn projects(&self) -> [&Project; 2] {
        [&self.base, &self.head].map(|side| &**side.evaluation.project())
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

/// The last name of a file that is no code.
fn other_file(path: &str) -> Option<String> {
    let name = path.rsplit('/').next().unwrap_or(path);
    let is_code = [".tf", ".tofu", ".tf.json", ".tofu.json", ".tfvars", ".hcl"]
        .iter()
        .any(|ending| name.ends_with(ending));
    (!is_code).then(|| name.to_owned())
}

/// Whether an expression reads one of these files, as far as it tells: a name that is worked out may be any.
fn reads_one(text: &str, altered: &[String]) -> bool {
    let mut rest = text;
    while let Some(at) = rest.find("file") {
        rest = &rest[at + 4..];
        let after = rest.trim_start_matches(|c: char| c.is_ascii_alphanumeric() || c == '_');
        let Some(arguments) = after.strip_prefix('(') else { continue };
        let first = arguments.split([',', ')']).next().unwrap_or_default().trim();
        let last = first.rsplit('/').next().unwrap_or(first);
        let name = last.trim_matches('"');
        let is_literal = first.ends_with('"') && !name.contains(['{', '}']);
        if !is_literal || altered.iter().any(|one| one == name) {
            return true;
        }
    }
    false
}

/// The attribute that a way leads into.
pub(crate) fn first_name(steps: &[WhyStep]) -> Option<&Str> {
    match steps.first() {
        Some(WhyStep::Name(name)) => Some(name),
        _ => None,
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
    fn begin(&mut self, has_moved: bool) {
        self.has_moved = has_moved;
    }

    fn may_differ(
        &mut self,
        before: &str,
        after: &str,
        path: &Path,
        renamed: &dyn Fn(&str) -> Option<String>,
    ) -> bool {
        if !self.altered.is_empty() {
            let places = self.head.why.places(after, &steps(path));
            let reads = places.iter().any(|place| {
                let text = self.changed.text(*place);
                text.is_some_and(|text| reads_one(text, &self.altered))
            });
            if reads {
                return true;
            }
        }
        let steps = steps(path);
        if before == after {
            return self.differs(after, steps, renamed);
        }
        let [was, is] = [before, after].map(groma_review::without_keys);
        let name = first_name(&steps);
        if name.is_some_and(|name| self.touched().is_left_to_provider(&was, &is, name)) {
            return false;
        }
        self.means_otherwise(before, after, &steps, renamed)
    }

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

#[cfg(test)]
mod tests {
    use super::reads_one;

    #[test]
    fn files_are_told_by_their_names() {
        let altered = ["u.sh".to_owned()];
        for (text, reads) in [
            (r#"templatefile("${path.module}/u.sh", { id = x.id })"#, true),
            (r#"templatefile("${path.module}/v.sh", { id = x.id })"#, false),
            (r#"file("u.sh")"#, true),
            (r#"filebase64("${path.module}/${each.key}")"#, true),
            (r#"file(local.name)"#, true),
            (r#""${x.id}-file""#, false),
            (r#"upper(x.file)"#, false),
        ] {
            assert_eq!(reads_one(text, &altered), reads, "{text}");
        }
    }
}
