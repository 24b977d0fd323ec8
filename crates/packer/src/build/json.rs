//! Builds as JSON. Language values are written at full precision; an unknown is `{"$unknown":true}` in its place.

use groma_value::{Value, json};

use super::{Build, Part, Plan};

impl Plan {
    /// The list of builds.
    pub fn builds_json(&self) -> String {
        array(self.builds.iter().map(build))
    }
}

impl Plan {
    /// What the list of builds has no place for: components of plugins, which are not checked, and what is different
    /// for a source; nothing where there is nothing to say.
    pub fn more_json(&self) -> Option<String> {
        let (mut unchecked, mut overrides) = (Vec::new(), Vec::new());
        for build in &self.builds {
            for (at, part) in build.parts() {
                let head = format!(
                    "\"build\":{},\"part\":{},\"type\":{}",
                    json::string(&build.name),
                    json::string(&at),
                    json::string(&part.kind)
                );
                if let Some(value) = &part.overrides {
                    overrides.push(format!("{{{head},\"override\":{}}}", write(value)));
                }
                if !part.is_checked {
                    unchecked.push(format!("{{{head}}}"));
                }
            }
        }
        let fields = [("unchecked", unchecked), ("overrides", overrides)];
        let fields: Vec<String> = fields
            .into_iter()
            .filter(|(_, items)| !items.is_empty())
            .map(|(name, items)| format!("\"{name}\":{}", array(items.into_iter())))
            .collect();
        (!fields.is_empty()).then(|| format!("{{{}}}", fields.join(",")))
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
