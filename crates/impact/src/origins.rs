//! Causes of differences between two plans: the changed lines and the changed files on which a differing part depends.

use std::sync::Arc;

use groma_address::text::without_keys;
use groma_config::DeclarationAddress;
use groma_module::visit::VisitedExpression;
use groma_plan::Plan;
use groma_project::Evaluation;
use groma_protocol::place_text;
use groma_runtime::{absolute, file_path};
use groma_syntax::{Place, Sources};
use groma_value::sentence::plural;
use groma_value::{Path, PathStep, Str, Value};
use groma_why::{DependencyRemark, RemarkCache, Why, WhyKind, WhyNode, WhyStep};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::changed_lines::ChangedLines;
use crate::compared_address::ComparedAddress;

/// Maximum number of causes reported for one difference; further ones are left out.
const MAX_CAUSES: usize = 3;

/// A difference between two revisions of the code or of a file, which causes a difference between the plans.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ChangeCause {
    /// The kind: `file` for a file that a function reads, otherwise the kind of the changed declaration, such as `local` or
    /// `argument`.
    pub kind: &'static str,
    /// The path of a file, or an address without instance keys, with the path to a part of its value; empty if it has no name.
    pub address: Str,
    /// The place in the code, as `FILE:LINE`; for a file, the place of the call that reads it.
    pub place: Str,
    /// The call, if the file is only one of several that it may read.
    pub reader: Option<Str>,
}

impl ChangeCause {
    /// Returns the place of the cause to show: the path of a changed file, or the place of a changed line.
    pub fn text(&self) -> &str {
        if self.kind == FILE { &self.address } else { &self.place }
    }
}

/// The kind given to each cause that is a changed file and not changed code.
const FILE: &str = "file";

/// A search for the causes of differences, with caches for both sides.
pub(crate) struct DifferenceOrigins {
    base: OriginSide,
    head: OriginSide,
    /// The lines that differ between both sides.
    changed: ChangedLines,
    /// For each file that functions read, true if it differs between the sides.
    files: FxHashMap<Str, bool>,
    /// The source texts of the calls with an unknown path that may read a changed file, by side (true for the newer one) and
    /// place.
    readers: FxHashMap<(bool, Place), Str>,
}

/// One revision in the search for causes, with the provenance of its values.
struct OriginSide {
    why: Why,
    remarks: RemarkCache,
    sources: Sources,
    evaluation: Evaluation,
    /// The declarations whose contents are unknown: calls of missing modules, and those with an unknown number of instances.
    closed: FxHashSet<DeclarationAddress>,
}

impl OriginSide {
    /// Creates one side of a search for causes, from the plan of its revision.
    fn of(plan: &Plan) -> OriginSide {
        let evaluation = plan.evaluation().clone();
        let (why, sources) = (Why::new(&evaluation), evaluation.sources());
        let gaps = plan.gaps();
        let modules = gaps.modules.iter();
        let modules = modules.filter_map(|one| DeclarationAddress::of_module(&one.address));
        let uncounted = gaps.undecided.iter().map(|one| one.address.declaration());
        let closed = modules.chain(uncounted).collect();
        OriginSide { why, remarks: RemarkCache::of(MAX_CAUSES), sources, evaluation, closed }
    }

    /// Returns the place and the kind of the declaration at an address; `None` if this revision does not declare it.
    fn declaration(&self, address: &DeclarationAddress) -> Option<(Place, &'static str)> {
        let (node, declaration) = self.evaluation.project().declared(address)?;
        let place = self.sources.resolve(declaration.place(node.module()));
        Some((place, declaration.word(node.module())))
    }
}

impl DifferenceOrigins {
    /// Returns a search for the causes of the differences between two plans.
    pub(crate) fn of(base: &Plan, head: &Plan) -> DifferenceOrigins {
        let (base, head) = (OriginSide::of(base), OriginSide::of(head));
        let changed = ChangedLines::between(&base.evaluation.sources(), &head.evaluation.sources());
        let (files, readers) = (FxHashMap::default(), FxHashMap::default());
        DifferenceOrigins { base, head, changed, files, readers }
    }

    /// Returns the files that declare an address, and those with the calls of the modules that contain it, in the newer revision
    /// if `is_head` is true, else in the older one.
    pub(crate) fn files(&self, is_head: bool, address: &ComparedAddress) -> Vec<String> {
        let side = if is_head { &self.head } else { &self.base };
        let address = address.declaration();
        let names = address.module().names();
        let around = (1..=names.len()).filter_map(|count| {
            DeclarationAddress::of_module(&names[..count].iter().cloned().collect())
        });
        let declared = around.chain([address.clone()]).filter_map(|one| side.declaration(&one));
        declared.map(|(place, _)| side.sources.at(place).0.name().to_owned()).collect()
    }

    /// Returns the changed code and files on which the part at `path` of an object depends: those of the newer revision, or else
    /// removed code of the older one; `before` is `None` for an added object, `after` for a removed one.
    pub(crate) fn causes(
        &mut self,
        before: Option<&ComparedAddress>,
        after: Option<&ComparedAddress>,
        path: &Path,
    ) -> Vec<ChangeCause> {
        let steps = steps(path);
        if let Some(address) = after {
            let told = self.changed_dependencies(
                true,
                address,
                &steps,
                before.is_none() || path.0.is_empty(),
            );
            if !told.is_empty() {
                return told;
            }
        }
        // Removed code exists only on the older side.
        let Some(address) = before else { return Vec::new() };
        self.changed_dependencies(false, address, &steps, after.is_none() || path.0.is_empty())
    }

    /// Returns the changed code and files of one revision, the newer one if `is_head` is true, on which the part of an instance
    /// or output at the path `steps` depends, with `is_whole` also its declaration.
    fn changed_dependencies(
        &mut self,
        is_head: bool,
        address: &ComparedAddress,
        steps: &[WhyStep],
        is_whole: bool,
    ) -> Vec<ChangeCause> {
        let DifferenceOrigins { base, head, changed, files, readers } = self;
        let both = [base.evaluation.clone(), head.evaluation.clone()];
        let side = if is_head { head } else { base };
        let (closed, sources, own) = (&side.closed, &side.sources, &both[usize::from(is_head)]);
        let mut tell = |node: &WhyNode, place: Place| match &node.reads {
            Some(path) if differs(path, &both, files) => Some(Arc::from(&**path)),
            None if node.kind == WhyKind::Function => {
                let found = may_read(node, own, &both, files);
                if found.is_some() {
                    let call = node.text.as_deref().unwrap_or("a function");
                    readers.insert((is_head, place), call.into());
                }
                found.or_else(|| changed.line(is_head, place))
            }
            _ => changed.line(is_head, place).or_else(|| {
                let named = node.address.as_deref().filter(|_| !closed.is_empty())?;
                let address = closed.get(&DeclarationAddress::parse(&without_keys(named))?)?;
                let places = written_in(own, address).into_iter();
                places.map(|one| sources.resolve(one)).find_map(|one| changed.line(is_head, one))
            }),
        };
        let told = side.why.first_remarks(&address.steps(), steps, &mut side.remarks, &mut tell);
        let mut found: Vec<ChangeCause> =
            told.into_iter().map(|one| cause(one, is_head, side, readers)).collect();
        if !is_whole {
            return found;
        }
        let address = address.declaration();
        let declared = side.declaration(&address);
        if found.is_empty()
            && side.closed.contains(&address)
            && let Some((_, kind)) = declared
        {
            // An object without instances has no dependencies, so its whole declaration counts.
            let places = written_in(&both[usize::from(is_head)], &address).into_iter();
            let lines = places.filter_map(|one| changed.line(is_head, side.sources.resolve(one)));
            let address = Str::from(address.to_string());
            let of_line = |line: Arc<str>| ChangeCause {
                kind,
                address: address.clone(),
                place: Str::from(&*line),
                reader: None,
            };
            found.extend(lines.map(of_line));
            found.sort();
            found.dedup();
            found.truncate(MAX_CAUSES);
        }
        if let Some((place, kind)) = declared
            && let Some(line) = changed.line(is_head, place)
            && found.len() < MAX_CAUSES
            && !found.iter().any(|one| *one.place == *line)
        {
            let address = Str::from(address.to_string());
            found.push(ChangeCause { kind, address, place: Str::from(&*line), reader: None });
        }
        found
    }
}

/// Returns the places of all expressions of the declaration at an address.
fn written_in(evaluation: &Evaluation, address: &DeclarationAddress) -> Vec<Place> {
    let mut found = Vec::new();
    if let Some((node, declaration)) = evaluation.project().declared(address) {
        let see = &mut |seen: VisitedExpression<'_, '_>| found.push(seen.expression.place());
        node.module().visit_one(declaration, see);
    }
    found
}

/// Returns the text for the changed files that a call with an unknown argument may read, the first one and the number of others,
/// or `None` if there are none; `own` is the evaluation of the call, and `files` caches which files differ between `both`.
fn may_read(
    call: &WhyNode,
    own: &Evaluation,
    both: &[Evaluation; 2],
    files: &mut FxHashMap<Str, bool>,
) -> Option<Arc<str>> {
    let project = own.project();
    let folder = absolute(&**project.host(), project.dir());
    let found = own.may_read(call.place?);
    let found = found.iter().map(|path| Str::from(file_path::relative(&folder, path)));
    let mut found = found.filter(|path| differs(path, both, files));
    let first = found.next()?;
    Some(match found.count() {
        0 => Arc::from(&*first),
        more => format!("{first} and {}", plural(more, "more file")).into(),
    })
}

/// Converts a remark about a changed dependency to a cause of a difference; `is_head` is true if it is in the newer revision,
/// and `readers` has the source texts of the calls that may read changed files, by `is_head` and place.
fn cause(
    remark: DependencyRemark,
    is_head: bool,
    side: &OriginSide,
    readers: &FxHashMap<(bool, Place), Str>,
) -> ChangeCause {
    let DependencyRemark { place, text, kind, address, reads } = remark;
    let address = address.as_deref().map(without_keys).unwrap_or_default();
    match reads {
        Some(path) if *path == *text => ChangeCause {
            kind: FILE,
            address: Str::from(file_path::clean(&path)),
            place: place_text(place, &side.sources).into(),
            reader: None,
        },
        None if readers.contains_key(&(is_head, place)) => ChangeCause {
            kind: FILE,
            address: (&*text).into(),
            place: place_text(place, &side.sources).into(),
            reader: readers.get(&(is_head, place)).cloned(),
        },
        _ => ChangeCause {
            kind: kind.word(),
            address: address.into(),
            place: (&*text).into(),
            reader: None,
        },
    }
}

/// Returns true if a file that a function reads differs between the two sides; `known` caches the results by path.
fn differs(path: &Str, both: &[Evaluation; 2], known: &mut FxHashMap<Str, bool>) -> bool {
    if let Some(known) = known.get(path) {
        return *known;
    }
    let bytes = both.each_ref().map(|evaluation| {
        let project = evaluation.project();
        project.host().read(&file_path::join(project.dir(), path))
    });
    let differs = bytes[0] != bytes[1];
    known.insert(path.clone(), differs);
    differs
}

/// Returns the step of a provenance query for the key of an element; `None` if the key is unknown.
fn key_step(key: &Value) -> Option<WhyStep> {
    match key.bare() {
        Value::String(name) => Some(WhyStep::Name(Str::clone(name))),
        key => key.as_position().map(WhyStep::At),
    }
}

/// Converts a path to the steps of a provenance query, up to a step without a name or number.
fn steps(path: &Path) -> Vec<WhyStep> {
    let step = |step: &PathStep| match step {
        PathStep::Attribute(name) => Some(WhyStep::Name(name.clone())),
        PathStep::Index(key) => key_step(key),
    };
    path.0.iter().map_while(step).collect()
}
