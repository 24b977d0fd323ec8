//! JSON of a state's content, in the form that the ecosystem's tools read.

use std::collections::BTreeMap;

use groma_config::{InstanceKey, ModuleAddress, ResourceMode};
use groma_runtime::Version;
use groma_value::json::{JsonObject, JsonText, array, texts};
use groma_value::{Value, json_type};

use super::value;
use crate::inventory::{MAX_DEPTH, StateInventory, StateObject};

/// The version of the JSON format of states.
const FORMAT: &str = "1.0";

/// A module in a state's document: its objects and its child modules.
#[derive(Default)]
struct ModuleBranch<'k> {
    address: String,
    resources: Vec<&'k StateObject>,
    children: BTreeMap<String, ModuleBranch<'k>>,
}

impl StateInventory {
    /// Writes the state as a JSON document; without objects and outputs, that of an empty state; `version` is that of the program
    /// that would have written it.
    pub fn write_json(&self, version: Version, out: &mut JsonText<'_>) {
        let mut top = JsonObject::open(out);
        top.text("format_version", FORMAT);
        if !self.objects.is_empty() || !self.outputs.is_empty() {
            top.text("terraform_version", &version.to_string());
            let mut values = top.object("values");
            self.write_outputs(&mut values);
            let mut root = ModuleBranch::default();
            let all = self.objects.iter().filter(|one| one.target.modules.len() <= MAX_DEPTH);
            for one in all {
                let mut branch = &mut root;
                let path = &one.target.modules;
                for length in 1..=path.len() {
                    let modules = path[..length].to_vec();
                    let address = ModuleAddress::from(modules).to_string();
                    branch = branch.children.entry(address.clone()).or_default();
                    branch.address = address;
                }
                branch.resources.push(one);
            }
            write_branch(&root, values.key("root_module"));
            values.close();
        }
        top.close();
    }

    /// Writes the outputs recorded in the state as the property `outputs`, unless there are none.
    fn write_outputs(&self, values: &mut JsonObject<'_, '_>) {
        if self.outputs.is_empty() {
            return;
        }
        let mut all = values.object("outputs");
        for (name, worth, ty, sensitive) in &self.outputs {
            let mut one = all.object(name);
            one.flag("sensitive", *sensitive);
            value::known(worth, one.key("value"));
            json_type::write_into(ty, one.key("type"));
            one.close();
        }
        all.close();
    }
}

/// Writes a module of the state's document and its children. Recursion is bounded by [`MAX_DEPTH`].
fn write_branch(branch: &ModuleBranch<'_>, out: &mut JsonText<'_>) {
    let mut module = JsonObject::open(out);
    if !branch.resources.is_empty() {
        array(&branch.resources, module.key("resources"), |one, out| one.write_json(out));
    }
    if !branch.address.is_empty() {
        module.text("address", &branch.address);
    }
    if !branch.children.is_empty() {
        array(branch.children.values(), module.key("child_modules"), write_branch);
    }
    module.close();
}

impl StateObject {
    /// Writes a recorded object as JSON, in the form of a state's document.
    pub fn write_json(&self, out: &mut JsonText<'_>) {
        let mut one = JsonObject::open(out);
        one.text("address", &self.address);
        if let Some(own) = &self.target.resource {
            one.text("mode", if own.mode == ResourceMode::Data { "data" } else { "managed" });
            one.text("type", &own.kind);
            one.text("name", &own.name);
            match &own.key {
                InstanceKey::None => {}
                InstanceKey::Number(number) => one.number("index", number),
                InstanceKey::Text(text) => one.text("index", text),
            }
        }
        one.text("provider_name", &self.provider);
        one.number("schema_version", self.schema_version);
        let nothing = Value::NULL;
        let worth = self.value.as_ref().unwrap_or(&nothing);
        value::known(worth, one.key("values"));
        match worth.is_null() {
            true => one.raw("sensitive_values", "{}"),
            false => drop(value::sensitive(worth, one.key("sensitive_values"))),
        }
        if !self.dependencies.is_empty() {
            texts(self.dependencies.iter(), one.key("depends_on"));
        }
        if self.tainted {
            one.flag("tainted", true);
        }
        if let Some(key) = &self.deposed {
            one.text("deposed_key", key);
        }
        one.close();
    }
}
