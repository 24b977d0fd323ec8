//! Builds as JSON. Numbers have full precision; an unknown is written as `{"$unknown":true}`.

use groma_value::Value;
use groma_value::json::{JsonLayout, JsonObject, JsonText, array, write_plain};

use super::{Build, BuildPlan, ComponentUse};

impl BuildPlan {
    /// Returns the list of builds as JSON on one line.
    pub fn builds_json(&self) -> String {
        let mut out = JsonText::new(JsonLayout::Compact);
        self.write_builds(&mut out);
        out.into_string()
    }

    /// Writes the list of builds as JSON.
    pub fn write_builds(&self, out: &mut JsonText<'_>) {
        array(&self.builds, out, build);
    }

    /// Writes what the list of builds does not contain: plugin components, which are not validated, and overrides for a source;
    /// returns false, having written an empty object, if there are none.
    pub fn write_more(&self, out: &mut JsonText<'_>) -> bool {
        let parts = || {
            self.builds
                .iter()
                .flat_map(|build| build.parts().into_iter().map(move |part| (build, part)))
        };
        let unchecked: Vec<_> = parts().filter(|(_, (_, part))| !part.is_checked).collect();
        let overrides: Vec<_> = parts().filter(|(_, (_, part))| part.overrides.is_some()).collect();
        let mut more = JsonObject::open(out);
        for (name, parts) in [("unchecked", &unchecked), ("overrides", &overrides)] {
            if parts.is_empty() {
                continue;
            }
            array(parts, more.key(name), |(build, (at, part)), out| {
                let mut one = JsonObject::open(out);
                one.text("build", &build.name);
                one.text("part", at);
                one.text("type", &part.kind);
                if let Some(value) = part.overrides.as_ref().filter(|_| name == "overrides") {
                    write(value, one.key("override"));
                }
                one.close();
            });
        }
        more.close();
        !unchecked.is_empty() || !overrides.is_empty()
    }
}

/// Writes one build as a JSON object.
fn build(build: &Build, out: &mut JsonText<'_>) {
    let mut one = JsonObject::open(out);
    one.text("name", &build.name);
    part(&build.builder, one.key("builder"));
    if !build.provisioners.is_empty() {
        array(&build.provisioners, one.key("provisioners"), part);
    }
    if !build.chains.is_empty() {
        array(&build.chains, one.key("post_processors"), |chain, out| array(chain, out, part));
    }
    if let Some(cleanup) = &build.cleanup {
        part(cleanup, one.key("error_cleanup_provisioner"));
    }
    one.close();
}

/// Writes a builder, provisioner or post-processor of a build as a JSON object.
fn part(part: &ComponentUse, out: &mut JsonText<'_>) {
    let mut one = JsonObject::open(out);
    one.text("type", &part.kind);
    if let Some(name) = &part.name {
        one.text("name", name);
    }
    let mut config = one.object("config");
    for (name, value) in part.config.iter() {
        write(value, config.key(name));
    }
    config.close();
    one.close();
}

/// Writes a value as JSON, each unknown part as `{"$unknown":true}`. Recursion is bounded by the nesting limit of evaluation.
fn write(value: &Value, out: &mut JsonText<'_>) {
    if value.is_wholly_known() {
        return write_plain(value, out);
    }
    match value.bare() {
        Value::List(list) => array(list.items(), out, write),
        Value::Set(set) => array(set.items(), out, write),
        Value::Tuple(tuple) => array(tuple.items(), out, write),
        Value::Map(map) => write_all(map.entries().iter().map(|(k, v)| (&**k, v)), out),
        Value::Object(all) => write_all(all.iter().map(|(k, v)| (&**k, v)), out),
        _ => {
            let mut unknown = JsonObject::open(out);
            unknown.flag("$unknown", true);
            unknown.close();
        }
    }
}

/// Writes the entries of an object as JSON properties.
fn write_all<'v>(entries: impl Iterator<Item = (&'v str, &'v Value)>, out: &mut JsonText<'_>) {
    let mut object = JsonObject::open(out);
    for (name, value) in entries {
        write(value, object.key(name));
    }
    object.close();
}
