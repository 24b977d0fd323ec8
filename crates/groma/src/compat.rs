//! Compatibility of a root with other editions: the constructs in use that not every edition has, and for each target edition the
//! missing constructs, additional errors and different values. Each edition loads and evaluates the root itself, so that results
//! are observed and not concluded from a table.

use std::collections::BTreeMap;

use groma_config::ResourceMode;
use groma_module::feature_use::{FeatureKind, FeatureUse};
use groma_protocol::{place_text, write_diagnostic};
use groma_runtime::{Availability, Dialect, Edition, EditionDifference, Version};
use groma_syntax::{Diagnostic, Place, Severity, Sources};
use groma_value::Value;
use groma_value::json::{JsonObject, JsonText, array};
use rustc_hash::FxHashSet;

use crate::{Snapshot, json};

/// A construct that the code of a root uses and not every edition has, with its places.
#[derive(Clone, Debug)]
pub struct CompatNeed {
    /// A description of the construct.
    pub what: String,
    /// The editions that have the construct.
    pub editions: Availability,
    /// Its places, as `FILE:LINE`.
    pub places: Vec<String>,
}

/// A declaration whose value differs in another edition, with both values as text.
#[derive(Clone, Debug)]
pub struct CompatValue {
    /// The address of the declaration.
    pub address: String,
    /// The place of the declaration, as `FILE:LINE`.
    pub place: String,
    /// The value in the current edition.
    pub here: String,
    /// The value in the other edition.
    pub there: String,
}

/// The comparison of a root in its own edition and in a target edition: the constructs in use that the target lacks, the
/// errors that only it has, and the values that differ.
pub struct CompatTarget {
    /// The target edition.
    pub edition: Edition,
    /// The missing constructs, as indexes into [`CompatReport::needs`].
    pub missing: Vec<usize>,
    /// The errors of the target edition that the current one does not have.
    pub found: Vec<Diagnostic>,
    /// The sources of these errors.
    pub sources: Sources,
    /// The values that differ in the target edition.
    pub values: Vec<CompatValue>,
    /// The documented differences between the editions that explain the values.
    pub differences: Vec<&'static EditionDifference>,
}

impl CompatTarget {
    /// Returns true if the target edition has all constructs in use, adds no errors to those of the current edition and
    /// changes no values.
    pub fn is_compatible(&self) -> bool {
        self.missing.is_empty() && self.found.is_empty() && self.values.is_empty()
    }
}

/// The compatibility of a root with other editions: the constructs in use that not every edition has, and a comparison with each
/// target edition.
pub struct CompatReport {
    /// The current edition.
    pub read_as: Edition,
    /// The constructs in use that not every edition has.
    pub needs: Vec<CompatNeed>,
    /// The target editions, in the order requested.
    pub targets: Vec<CompatTarget>,
}

impl Snapshot {
    /// Evaluates the root in each of the target editions and reports the differences from the current one.
    pub fn compat(&self, editions: &[Edition]) -> CompatReport {
        let (project, sources) = (self.project(), self.sources());
        let mut all: BTreeMap<(FeatureKind, String), CompatNeed> = BTreeMap::new();
        let mut seen = FxHashSet::default();
        let own = project.nodes().filter(|node| seen.insert(node.module_path().to_owned()));
        let needs: Vec<FeatureUse> =
            own.flat_map(|node| node.module().feature_uses(project.sources(), &|_| true)).collect();
        for need in needs.into_iter().filter(|need| is_of_modules(need.editions)) {
            let key = (need.kind.clone(), need.editions.editions_text());
            let one = all.entry(key).or_insert_with(|| CompatNeed {
                what: need.kind.to_string(),
                editions: need.editions,
                places: Vec::new(),
            });
            one.places.push(place_text(need.place, &sources));
        }
        let mut needs: Vec<CompatNeed> = all.into_values().collect();
        for need in &mut needs {
            need.places.dedup();
        }
        let targets = editions.iter().map(|edition| self.target(*edition, &needs)).collect();
        CompatReport { read_as: self.edition(), needs, targets }
    }

    /// Evaluates the root in a target edition and returns the differences from the current one; `needs` are the constructs in
    /// use.
    fn target(&self, edition: Edition, needs: &[CompatNeed]) -> CompatTarget {
        let other = self.read_as(edition);
        let missing = |need: &CompatNeed| !need.editions.includes(edition);
        let missing: Vec<usize> =
            (0..needs.len()).filter(|at| needs.get(*at).is_some_and(missing)).collect();
        let told: FxHashSet<Key> = errors(self).map(|(key, _)| key).collect();
        let lacked: FxHashSet<&str> = missing
            .iter()
            .filter_map(|at| needs.get(*at))
            .flat_map(|need| need.places.iter().map(String::as_str))
            .collect();
        let sources = other.sources();
        let is_shown = |one: &Diagnostic| {
            one.place.is_some_and(|place| lacked.contains(place_text(place, &sources).as_str()))
        };
        let found: Vec<Diagnostic> = errors(&other)
            .filter(|(key, one)| !told.contains(key) && !is_shown(one))
            .map(|(_, one)| one.clone())
            .collect();
        let values = self.other_values(&other);
        let mut differences = self.project().effective_differences();
        differences.extend(other.project().effective_differences());
        let differs = |one: &&EditionDifference| {
            one.editions.includes(edition) != one.editions.includes(self.edition())
        };
        differences.retain(differs);
        differences.sort_by_key(|one| one.name);
        differences.dedup_by_key(|one| one.name);
        CompatTarget { edition, missing, found, sources, values, differences }
    }

    /// Returns the declarations whose values differ between this snapshot and `other`, that of the root in another edition,
    /// except those with an error in one of them.
    fn other_values(&self, other: &Snapshot) -> Vec<CompatValue> {
        let sources = self.sources();
        let mut all = Vec::new();
        for (address, place) in self.addresses() {
            let value = |snapshot: &Snapshot| match address.strip_prefix("output.") {
                Some(name) => {
                    let answer = snapshot.output(name);
                    answer.is_free_of_errors().then_some(answer.value?.value)
                }
                None => {
                    let answer = snapshot.evaluate(&address);
                    answer.is_free_of_errors().then_some(answer.value)
                }
            };
            let (Some(here), Some(there)) = (value(self), value(other)) else { continue };
            let texts = (shown(&here), shown(&there));
            let is_same = here.has_marks() == there.has_marks()
                && json::plain(&here) == json::plain(&there)
                && here.is_wholly_known() == there.is_wholly_known();
            if !is_same {
                let (here, there) = texts;
                let place = place_text(place, &sources);
                all.push(CompatValue { address, place, here, there });
            }
        }
        all
    }

    /// Returns the addresses and places of the root module's locals, calls, managed resources and outputs, whose values are
    /// compared.
    fn addresses(&self) -> Vec<(String, Place)> {
        let root = self.project().root();
        let locals = root.locals.iter().map(|one| (format!("local.{}", &*one.name), one.place));
        let calls = root.calls.iter().map(|one| (one.address(), one.place));
        let resources = root.resources.iter().filter(|one| one.mode == ResourceMode::Managed);
        let resources = resources.map(|one| (one.address(), one.place));
        let outputs = root.outputs.iter().map(|one| (format!("output.{}", &*one.name), one.place));
        locals.chain(calls).chain(resources).chain(outputs).collect()
    }
}

/// Returns true if Terraform or OpenTofu has a construct with this availability; one of Packer alone is an error in every
/// edition of modules.
fn is_of_modules(editions: Availability) -> bool {
    editions.opentofu.is_some() || editions.terraform.is_some()
}

/// The key of an error that is the same in all editions: file name, start, end and slug; without a place the message instead of
/// the name.
type Key = (String, u32, u32, &'static str);

/// Iterates over the errors of a snapshot, each with its key, by which the same error is found in another edition.
fn errors(snapshot: &Snapshot) -> impl Iterator<Item = (Key, &Diagnostic)> {
    let sources = snapshot.sources();
    let all = snapshot.findings().iter().filter(|one| one.severity == Severity::Error);
    all.map(move |one| {
        let (name, from, to) = match one.place {
            Some(place) => {
                let (source, place) = sources.at(place);
                (source.name().to_owned(), place.span.start, place.span.end)
            }
            None => (one.detail.clone(), 0, 0),
        };
        ((name, from, to, one.code.slug), one)
    })
}

/// Returns the text of a value on one line for the report, or a placeholder for a sensitive or unknown one.
fn shown(value: &Value) -> String {
    if value.has_marks() {
        return "(not shown: it is sensitive)".to_owned();
    }
    match value.is_known() {
        true if value.is_wholly_known() => json::plain(value),
        true => format!("{} (null means unknown)", json::plain(value)),
        false => "(not known)".to_owned(),
    }
}

/// Returns the version since which a program has a construct, as in `1.5`; `yes` for all versions, `no` for none.
pub fn since(editions: Availability, dialect: Dialect) -> String {
    match editions.since(dialect) {
        None => "no".to_owned(),
        Some(Version { major: 0, .. }) => "yes".to_owned(),
        Some(Version { major, minor, .. }) => format!("{major}.{minor}"),
    }
}

impl CompatReport {
    /// Writes the report as a JSON document, in the form of `groma compat --json`.
    pub fn write_json(&self, out: &mut JsonText<'_>) {
        let mut whole = JsonObject::open(out);
        whole.text("format_version", "1.0");
        write_edition(self.read_as, whole.key("read_as"));
        array(&self.needs, whole.key("needs"), |need, out| {
            let mut one = JsonObject::open(out);
            one.text("what", &need.what);
            for dialect in Dialect::OF_MODULES {
                one.text(dialect.slug(), &since(need.editions, dialect));
            }
            array(&need.places, one.key("places"), |place, out| out.string(place));
            one.close();
        });
        array(&self.targets, whole.key("targets"), |target, out| self.write_target(target, out));
        whole.close();
    }

    /// Writes the comparison with one target edition as a JSON object.
    fn write_target(&self, target: &CompatTarget, out: &mut JsonText<'_>) {
        let mut one = JsonObject::open(out);
        write_edition(target.edition, one.key("edition"));
        one.flag("fits", target.is_compatible());
        let missing: Vec<&str> =
            target.missing.iter().filter_map(|at| Some(&*self.needs.get(*at)?.what)).collect();
        array(&missing, one.key("missing"), |what, out| out.string(what));
        array(&target.found, one.key("diagnostics"), |found, out| {
            write_diagnostic(found, &target.sources, out);
        });
        array(&target.values, one.key("values"), |value, out| {
            let mut one = JsonObject::open(out);
            one.text("address", &value.address);
            one.text("place", &value.place);
            one.text("here", &value.here);
            one.text("there", &value.there);
            one.close();
        });
        let holds =
            |difference: &&EditionDifference| match difference.editions.includes(target.edition) {
                true => difference.holds,
                false => difference.otherwise,
            };
        let holds: Vec<&str> = target.differences.iter().map(holds).collect();
        array(&holds, one.key("because"), |what, out| out.string(what));
        one.close();
    }
}

/// Writes an edition as a JSON object: the dialect's name and the version.
fn write_edition(edition: Edition, out: &mut JsonText<'_>) {
    let mut one = JsonObject::open(out);
    one.text("name", edition.dialect.slug());
    one.text("version", &edition.version.to_string());
    one.close();
}
