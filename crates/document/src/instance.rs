//! The instances of a root as `groma list --json` prints them, and the builds of a Packer template and the runs of a test file in
//! the same form. A declaration with an unknown number of instances is listed as `[*]`, with the causes.

use groma::json::{
    ErrorStage, JsonObject, JsonText, ReportedCauses, ResultContext, array, place_text,
    write_result,
};
use groma::packer::Build;
use groma::root::{Root, RootList, TestRun};
use groma::{
    ExpressionAnswer, ListedObject, Sources,
    address::{InstanceKey, ResourceMode},
};

/// Writes instances of resources and modules as a JSON array, in the given order; `reasons` has the texts and causes that they
/// refer to.
pub fn write_instances(
    listed: &[ListedObject],
    reasons: &ResultContext<'_>,
    out: &mut JsonText<'_>,
) {
    array(listed, out, |one, out| of_instance(one, reasons, out));
}

/// Writes the builds of a Packer template as a JSON array, in the given order.
pub fn write_build_names(builds: &[Build], sources: &Sources, out: &mut JsonText<'_>) {
    array(builds, out, |build, out| of_build(build, sources, out));
}

/// Writes a JSON array of a module's instances, a Packer template's builds or a test file's runs, in the given order; `root`,
/// which has listed them, has the texts and causes that they refer to.
pub fn write_list(root: &dyn Root, list: &RootList, out: &mut JsonText<'_>) {
    let sources = root.sources();
    match list {
        RootList::Instances(all) => {
            write_instances(all, &ResultContext { sources: &sources, causes: root.causes() }, out);
        }
        RootList::Builds(all) => write_build_names(all, &sources, out),
        RootList::Runs(all) => array(all, out, |run, out| of_run(run, out)),
    }
}

/// Writes the value of an expression with its errors, in the JSON form of `groma eval --full`; `root`, in which it was
/// evaluated, has the texts and causes that it refers to.
pub fn write_evaluated(root: &dyn Root, answer: &ExpressionAnswer, out: &mut JsonText<'_>) {
    // The expression's text is among the sources only after its evaluation.
    let sources = root.sources();
    let around = ResultContext { sources: &sources, causes: root.causes() };
    write_result(&answer.value, &answer.findings, ErrorStage::Eval, &around, out);
}

/// Writes a run of a test file as a JSON object: address, name and the module that it runs.
fn of_run(run: &TestRun, out: &mut JsonText<'_>) {
    let mut object = JsonObject::open(out);
    object.text("address", &format!("run.{}", &*run.name));
    object.text("mode", "run");
    object.text("name", &run.name);
    object.text("module", run.source.as_deref().unwrap_or_default());
    object.close();
}

/// Writes a build of a Packer template as a JSON object: address, the names of its source and builder, and place.
fn of_build(build: &Build, sources: &Sources, out: &mut JsonText<'_>) {
    let mut object = JsonObject::open(out);
    object.text("address", &build.name);
    object.text("mode", "build");
    object.text("type", &build.builder.kind);
    object.text("name", &build.source);
    object.text("place", &place_text(build.place, sources));
    object.close();
}

/// Writes an instance of a resource or module as a JSON object: address, kind, name, key, module, place, and if instances are
/// unknown why; `reasons` has the texts and causes that it refers to.
fn of_instance(one: &ListedObject, reasons: &ResultContext<'_>, out: &mut JsonText<'_>) {
    let mode = match one.mode {
        Some(ResourceMode::Managed) => "managed",
        Some(mode) => mode.word(),
        None => "module",
    };
    let mut object = JsonObject::open(out);
    object.text("address", &one.address);
    object.text("mode", mode);
    if let Some(kind) = &one.kind {
        object.text("type", kind);
    }
    object.text("name", &one.name);
    match &one.key {
        InstanceKey::None => {}
        InstanceKey::Number(at) => object.number("index_key", at),
        InstanceKey::Text(key) => object.text("index_key", key),
    }
    object.text("module", &one.module);
    object.text("place", &place_text(one.place, reasons.sources));
    if !one.is_installed {
        object.flag("installed", false);
    }
    if let Some(causes) = &one.deferred {
        let mut about = object.object("unknown");
        ReportedCauses::of(causes, reasons).write(about.key("because"));
        about.close();
    }
    object.close();
}
