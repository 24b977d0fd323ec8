//! Where the differences of two plans come from: the lines that differ between the two revisions, as far as what differs
//! rests on them; and whether what neither side knows may differ, because other code leads to it.

use std::cell::OnceCell;
use std::ops::Range;
use std::sync::Arc;

use groma_plan::Plan;
use groma_project::Evaluation;
use groma_review::Provenance;
use groma_syntax::{Place, Source, Sources};
use groma_value::{Path, PathStep, Str, Value};
use groma_why::{Why, WhyStep};
use imara_diff::{Algorithm, Diff, InternedInput};
use rustc_hash::FxHashMap;

use crate::touched::Touched;

/// So many lines are told of one difference.
const TOLD: usize = 3;

/// What knows where differences come from.
pub(crate) struct Origins {
    base: Side,
    head: Side,
    /// What differs in a file, by its name: the lines before, and those after.
    lines: FxHashMap<Arc<str>, Lines>,
    /// The declarations of the newer code that can mean something else.
    touched: Touched,
    /// The last names of the files beside the code that were read and are not the same.
    altered: Vec<String>,
}

struct Side {
    why: Why,
    sources: Sources,
    files: FxHashMap<Arc<str>, Arc<Source>>,
    /// Where things are declared, by their addresses without keys; looked up where nothing else tells.
    declared: OnceCell<FxHashMap<String, Place>>,
    evaluation: Evaluation,
}

#[derive(Default)]
struct Lines {
    before: Vec<Range<u32>>,
    after: Vec<Range<u32>>,
}

impl Side {
    fn of(plan: &Plan) -> Side {
        let sources = plan.evaluation().sources();
        let files = sources.iter().map(|(_, source)| (Arc::from(source.name()), source.clone()));
        let files = files.collect();
        let evaluation = plan.evaluation().clone();
        let (why, declared) = (Why::new(&evaluation), OnceCell::new());
        Side { why, sources, files, declared, evaluation }
    }

    /// Where something is declared.
    fn declaration(&self, address: &str) -> Option<Place> {
        let declared = self.declared.get_or_init(|| {
            let vertices = self.evaluation.project().references().vertices;
            vertices.into_iter().map(|one| (one.id, self.sources.resolve(one.place))).collect()
        });
        declared.get(&groma_review::without_keys(address)).copied()
    }

    /// The lines that a place covers, in the file of this name.
    fn lines(&self, place: Place) -> (Arc<str>, Range<u32>) {
        let (source, at) = self.sources.at(place);
        let first = source.position(at.span.start).line - 1;
        let last = source.position(at.span.end.max(at.span.start + 1) - 1).line;
        (Arc::from(source.name()), first..last.max(first + 1))
    }
}

impl Origins {
    pub(crate) fn of(base: &Plan, head: &Plan, altered: &[String]) -> Origins {
        let touched = Touched::between(base.evaluation().project(), head.evaluation().project());
        let altered = altered.iter().filter_map(|path| other_file(path)).collect();
        let (base, head) = (Side::of(base), Side::of(head));
        Origins { base, head, lines: FxHashMap::default(), touched, altered }
    }

    /// What differs in a file.
    fn compare(&mut self, name: &Arc<str>) -> &Lines {
        let Origins { base, head, lines, .. } = self;
        lines.entry(name.clone()).or_insert_with(|| {
            let text = |side: &Side| side.files.get(name).map(|source| source.text().clone());
            let (before, after) = (text(base), text(head));
            match (before, after) {
                (Some(before), Some(after)) if before == after => Lines::default(),
                (before, after) => {
                    let (before, after) = (before.unwrap_or_default(), after.unwrap_or_default());
                    let input = InternedInput::new(&*before, &*after);
                    let mut diff = Diff::compute(Algorithm::Myers, &input);
                    diff.postprocess_no_heuristic(&input);
                    let mut found = Lines::default();
                    for hunk in diff.hunks() {
                        found.before.push(hunk.before);
                        found.after.push(hunk.after);
                    }
                    found
                }
            }
        })
    }

    /// The lines that differ among those that these places cover, one of each place, as `FILE:LINE`.
    fn told(&mut self, places: &[Place], is_head: bool) -> Vec<String> {
        let mut found: Vec<String> = Vec::new();
        for place in places {
            let side = if is_head { &self.head } else { &self.base };
            let (name, covered) = side.lines(*place);
            let lines = self.compare(&name);
            let ranges = if is_head { &lines.after } else { &lines.before };
            // The hunks stand in order.
            let from = ranges.partition_point(|range| range.end <= covered.start);
            let Some(range) = ranges.get(from..).and_then(|rest| {
                rest.iter().find(|range| !range.is_empty()).filter(|one| one.start < covered.end)
            }) else {
                continue;
            };
            let line = range.start.max(covered.start) + 1;
            let told = format!("{name}:{line}");
            if found.len() < TOLD && !found.contains(&told) {
                found.push(told);
            }
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

/// The way to a part as it is asked for; nothing where a step has no name or number.
fn steps(path: &Path) -> Vec<WhyStep> {
    let step = |step: &PathStep| match step {
        PathStep::Attribute(name) => Some(WhyStep::Name(name.clone())),
        PathStep::Index(key) => match key.bare() {
            Value::String(name) => Some(WhyStep::Name(Str::clone(name))),
            Value::Number(number) => number.to_exact_usize().map(WhyStep::At),
            _ => None,
        },
    };
    path.0.iter().map_while(step).collect()
}

impl Provenance for Origins {
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
                let (source, at) = self.head.sources.at(*place);
                let text = source.text().get(at.span.start as usize..at.span.end as usize);
                text.is_some_and(|text| reads_one(text, &self.altered))
            });
            if reads {
                return true;
            }
        }
        if before == after && !self.touched.holds(after, path) {
            return false;
        }
        if self.touched.is_left_to_provider(before, after, path) {
            return false;
        }
        let steps = steps(path);
        let was = self.base.why.meaning(before, &steps, renamed);
        let is = self.head.why.meaning(after, &steps, &|_| None);
        was != is
    }

    fn lines(&mut self, before: Option<&str>, after: Option<&str>, path: &Path) -> Vec<String> {
        let steps = steps(path);
        if let Some(address) = after {
            let mut places = self.head.why.places(address, &steps);
            if before.is_none() || path.0.is_empty() {
                places.extend(self.head.declaration(address));
            }
            let told = self.told(&places, true);
            if !told.is_empty() {
                return told;
            }
        }
        // What is gone was written once.
        let Some(address) = before else { return Vec::new() };
        let mut places = self.base.why.places(address, &steps);
        if after.is_none() || path.0.is_empty() {
            places.extend(self.base.declaration(address));
        }
        self.told(&places, false)
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
