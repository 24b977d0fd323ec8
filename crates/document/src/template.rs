//! The contents of a Packer template as `groma inspect --json` prints them, including sensitive values.

use groma::json::{JsonObject, JsonText, array, place_text, write_plain};
use groma::packer::{Build, ComponentUse, StatedValue, TemplateEvaluation};
use groma::{Sources, values::json_type};

/// Writes a Packer template as a JSON document: its plugins, variables and other declarations, and its builds.
pub fn write_template(
    evaluation: &TemplateEvaluation,
    builds: &[Build],
    sources: &Sources,
    out: &mut JsonText<'_>,
) {
    let mut document = JsonObject::open(out);
    document.text("format_version", "1.0");
    array(evaluation.plugins(), document.key("plugins"), |plugin, out| {
        let mut one = JsonObject::open(out);
        one.text("name", &plugin.name);
        for (name, text) in [("source", &plugin.source), ("version", &plugin.version)] {
            match text {
                Some(text) => one.text(name, text),
                None => one.raw(name, "null"),
            }
        }
        one.close();
    });
    let mut all = |name: &str, stated: Vec<StatedValue>| {
        array(&stated, document.key(name), |one, out| of_value(one, sources, out));
    };
    all("variables", evaluation.variables());
    all("locals", evaluation.locals());
    all("data", evaluation.data());
    array(evaluation.origins(), document.key("sources"), |origin, out| {
        let mut one = JsonObject::open(out);
        one.text("type", &origin.kind);
        one.text("name", &origin.name);
        one.text("place", &place_text(origin.place, sources));
        one.close();
    });
    array(builds, document.key("builds"), |build, out| of_build(build, sources, out));
    document.close();
}

/// Writes a variable, local value or data source of a template as a JSON object: name, type, description, value and place.
fn of_value(stated: &StatedValue, sources: &Sources, out: &mut JsonText<'_>) {
    let mut one = JsonObject::open(out);
    one.text("name", &stated.name);
    json_type::write_into(&stated.ty.without_optional(), one.key("type"));
    if let Some(description) = &stated.description {
        one.text("description", description);
    }
    if let Some(value) = &stated.value {
        write_plain(value, one.key("value"));
        if !value.is_wholly_known() {
            one.flag("unknown", true);
        }
    }
    one.flag("sensitive", stated.sensitive);
    one.text("place", &place_text(stated.place, sources));
    one.close();
}

/// Writes a build of a template as a JSON object: its name, its components and its place.
fn of_build(build: &Build, sources: &Sources, out: &mut JsonText<'_>) {
    let mut one = JsonObject::open(out);
    one.text("name", &build.name);
    of_part(&build.builder, one.key("builder"));
    array(&build.provisioners, one.key("provisioners"), of_part);
    array(&build.chains, one.key("post_processors"), |chain, out| array(chain, out, of_part));
    if let Some(cleanup) = &build.cleanup {
        of_part(cleanup, one.key("error_cleanup_provisioner"));
    }
    one.text("place", &place_text(build.place, sources));
    one.close();
}

/// Writes a builder, provisioner or post-processor of a build as a JSON object: type, name, and true if its arguments were
/// checked.
fn of_part(part: &ComponentUse, out: &mut JsonText<'_>) {
    let mut one = JsonObject::open(out);
    one.text("type", &part.kind);
    if let Some(name) = &part.name {
        one.text("name", name);
    }
    one.flag("checked", part.is_checked);
    one.close();
}
