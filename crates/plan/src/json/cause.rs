//! JSON of the causes of unknown values and of everything a plan does not cover: the `groma` part of the document.

use std::collections::BTreeMap;

use groma_config::{InstanceAddress, ResourceMode};
use groma_protocol::{ReportedCauses, ResultContext, place_text, write_diagnostic};
use groma_syntax::Diagnostic;
use groma_value::codec::listing;
use groma_value::json::{JsonObject, JsonText, array};
use groma_value::sentence::redacted;
use groma_value::{CauseId, Value};

use crate::change::Change;
use crate::output::OutputChange;
use crate::plan::Plan;

/// The displayed values and undecided changes of which the JSON document of a plan or comparison tells the causes.
pub(super) struct CauseReport<'t> {
    /// The displayed values by their addresses.
    pub(super) values: Vec<(String, &'t Value)>,
    /// The addresses of changes that only the provider can decide; `None` in a comparison, which reports them elsewhere.
    pub(super) open: Option<Vec<&'t InstanceAddress>>,
}

impl<'t> CauseReport<'t> {
    /// Returns what needs an explanation of its causes in a plan: the displayed values and the undecided changes.
    pub(super) fn of_plan(changes: &'t [Change], outputs: &'t [OutputChange]) -> CauseReport<'t> {
        let instances =
            changes.iter().map(|one| (one.instance.address.to_string(), &one.instance.value));
        let outputs = outputs.iter().map(|one| (format!("output.{}", &*one.name), &one.after));
        let open = changes.iter().filter(|change| change.is_open);
        CauseReport {
            values: instances.chain(outputs).collect(),
            open: Some(open.map(|change| &change.instance.address).collect()),
        }
    }
}

/// Writes the causes of the unknown parts of these values, each value under its address.
pub(super) fn write_causes(plan: &Plan, values: &[(String, &Value)], out: &mut JsonText<'_>) {
    let evaluation = plan.evaluation();
    let sources = evaluation.sources();
    let around = ResultContext { sources: &sources, causes: evaluation.causes() };
    let mut because = JsonObject::open(out);
    let mut reasons = CauseTexts { around: &around, known: BTreeMap::new() };
    for (address, value) in values {
        reasons.write(address, value, &mut because);
    }
    because.close();
}

/// Writes the property `groma` of a plan's JSON document: the causes of the unknown values in `told`, and everything that
/// the plan does not cover; `more` appends further properties.
pub(super) fn write(
    plan: &Plan,
    told: &CauseReport<'_>,
    more: &dyn Fn(&mut JsonObject<'_, '_>),
    out: &mut JsonText<'_>,
) {
    let evaluation = plan.evaluation();
    let sources = evaluation.sources();
    let around = ResultContext { sources: &sources, causes: evaluation.causes() };
    let mut top = JsonObject::open(out);
    evaluation.project().evidence().write_json(top.key("dialect"));
    write_causes(plan, &told.values, top.key("because"));
    let gaps = plan.gaps();
    let mut known = BTreeMap::new();
    array(&gaps.undecided, top.key("deferred"), |one, out| {
        let mut object = JsonObject::open(out);
        object.text("address", &one.address.to_string());
        object.text("place", &place_text(one.place, &sources));
        let told = known.entry(one.causes.ids());
        told.or_insert_with(|| ReportedCauses::of(&one.causes, &around))
            .write(object.key("because"));
        object.close();
    });
    let is_news = |one: &&Diagnostic| one.code == &groma_eval::codes::NEWER_EDITION;
    if plan.diagnostics().iter().any(|one| is_news(&one)) {
        let news = plan.diagnostics().iter().filter(is_news);
        array(news, top.key("findings"), |one, out| write_diagnostic(one, &sources, out));
    }
    // Modules whose source is not available.
    array(&gaps.modules, top.key("unread_modules"), |one, out| {
        let mut object = JsonObject::open(out);
        object.text("address", &one.address.to_string());
        if let Some(source) = &one.source {
            object.text("source", source);
        }
        if let Some(version) = &one.version {
            object.text("version", version);
        }
        object.text("place", &place_text(one.place, &sources));
        object.close();
    });
    // Data sources that were not read.
    array(&gaps.data, top.key("unread"), |one, out| out.string(&one.address.to_string()));
    // Functions that were not called.
    array(&gaps.functions, top.key("unasked"), |one, out| {
        let mut object = JsonObject::open(out);
        object.text("address", &one.name);
        if let Some(at) = one.place {
            object.text("place", &place_text(at, &sources));
        }
        object.close();
    });
    let mut partial = Vec::new();
    for module in plan.modules() {
        for (at, resource) in module.module().resources.iter().enumerate() {
            if resource.mode == ResourceMode::Managed {
                let some = module.instances(at).filter(|instance| !instance.is_whole);
                partial.extend(some.map(|instance| instance.address));
            }
        }
    }
    // Resources of which only the configuration is known.
    array(&partial, top.key("partial"), |address, out| out.string(&address.to_string()));
    // Changes of which only the provider can say if they are made in place or by replacement.
    if let Some(open) = &told.open {
        array(open, top.key("undecided"), |address, out| out.string(&address.to_string()));
    }
    more(&mut top);
    top.close();
}

/// A cache of the JSON text of each set of causes: instances of one resource share theirs.
struct CauseTexts<'a> {
    around: &'a ResultContext<'a>,
    known: BTreeMap<(Vec<CauseId>, bool), ReportedCauses>,
}

impl CauseTexts<'_> {
    /// Writes the causes of a value's unknown parts as a property named by its address; nothing if it has none and no mock.
    fn write(&mut self, address: &str, value: &Value, because: &mut JsonObject<'_, '_>) {
        if value.is_wholly_known() && !value.summary().mocked {
            return;
        }
        let mut one = because.object(address);
        for (path, causes) in listing(&redacted(value)).reasons() {
            let key = (causes.ids().to_vec(), causes.has_more());
            let told = self.known.entry(key);
            told.or_insert_with(|| ReportedCauses::of(&causes, self.around)).write(one.key(path));
        }
        one.close();
    }
}
