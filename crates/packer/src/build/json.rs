//! Builds as JSON. Language values are written at full precision; an unknown is `{"$unknown":true}` in its place.

use groma_value::{Value, json};

use super::{Build, Part, Plan};

impl Plan {
    /// The list of builds.
    pub fn builds_json(&self) -> String {
        array(self.builds.iter().map(build))
    }
}

fn array(items: impl Iterator<Item = String>) -> String {
    format!("[{}]", items.collect::<Vec<_>>().join(","))
}

fn build(build: &Build) -> String {
    let mut fields = vec![
        format!("\"name\":{}", json::string(&build.name)),
        format!("\"builder\":{}", part(&build.builder)),
    ];
    if !build.provisioners.is_empty() {
        fields.push(format!("\"provisioners\":{}", array(build.provisioners.iter().map(part))));
    }
    if !build.chains.is_empty() {
        let chains = build.chains.iter().map(|chain| array(chain.iter().map(part)));
        fields.push(format!("\"post_processors\":{}", array(chains)));
    }
    if let Some(cleanup) = &build.cleanup {
        fields.push(format!("\"error_cleanup_provisioner\":{}", part(cleanup)));
    }
    format!("{{{}}}", fields.join(","))
}

fn part(part: &Part) -> String {
    let mut fields = vec![format!("\"type\":{}", json::string(&part.kind))];
    if let Some(name) = &part.name {
        fields.push(format!("\"name\":{}", json::string(name)));
    }
    let config =
        part.config.iter().map(|(name, value)| format!("{}:{}", json::string(name), write(value)));
    fields.push(format!("\"config\":{{{}}}", config.collect::<Vec<_>>().join(",")));
    format!("{{{}}}", fields.join(","))
}

/// A value with its unknown parts. It nests no deeper than the limits of evaluation allow.
fn write(value: &Value) -> String {
    if value.is_wholly_known() {
        return json::plain(value);
    }
    let entry = |name: &str, value: &Value| format!("{}:{}", json::string(name), write(value));
    let object = |entries: Vec<String>| format!("{{{}}}", entries.join(","));
    match value.bare() {
        Value::List(list) => array(list.items().iter().map(write)),
        Value::Set(set) => array(set.items().iter().map(write)),
        Value::Tuple(tuple) => array(tuple.items().iter().map(write)),
        Value::Map(map) => object(map.entries().iter().map(|(k, v)| entry(k, v)).collect()),
        Value::Object(all) => object(all.iter().map(|(k, v)| entry(k, v)).collect()),
        _ => "{\"$unknown\":true}".to_owned(),
    }
}
