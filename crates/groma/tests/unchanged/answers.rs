//! What is not known, answered at random: what providers work out, what data sources read, and what the variables of the
//! root are worth. An object gets the same answer in both revisions; a data source only where it is asked the same.

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use groma::{InputAssignment, Snapshot, address::ResourceMode};
use groma_config::without_keys;
use groma_value::Type;

use crate::roots::Answers;
use crate::written::Writer;

/// Answers to all that a revision leaves open. The root's variables are open unless they are `given`.
pub(crate) fn of(snapshot: &Snapshot, given: bool, seed: u64) -> Answers {
    // What is written of each declaration, with all its instances.
    let mut asked: BTreeMap<String, String> = BTreeMap::new();
    let is_data = |address: &str| address.starts_with("data.") || address.contains(".data.");
    for ((address, name), form) in Writer::of(snapshot.evaluation()).all(&is_data) {
        let text = asked.entry(without_keys(&address)).or_default();
        text.push_str(&format!("{address} {name} = {}\n", form.text()));
    }
    let mut mocks: BTreeMap<String, String> = BTreeMap::new();
    for change in crate::plan(snapshot).declared() {
        let address = change.instance.address.without_keys().to_string();
        let nothing = String::new();
        let (block, basis) = match change.mode {
            ResourceMode::Managed => ("override_resource", &nothing),
            ResourceMode::Data => ("override_data", asked.get(&address).unwrap_or(&nothing)),
            _ => continue,
        };
        let names: &[&str] = match &*change.kind {
            "terraform_data" => &["id"],
            "terraform_remote_state" => continue,
            _ => &["id", "arn"],
        };
        let mut values: Vec<String> = names
            .iter()
            .map(|name| format!("{name} = \"{name}-{}\"", number((seed, &address, basis, name))))
            .collect();
        let one = |at: u64| {
            let word = number((seed, &address, basis, at));
            format!("{{ name = \"n{word}\", id = \"i{word}\", nAme = \"a{word}\" }}")
        };
        if change.mode == ResourceMode::Data {
            values.push(format!("list = [{}, {}]", one(0), one(1)));
        }
        let text = format!(
            "{block} {{\n  target = {address}\n  values = {{ {} }}\n}}\n",
            values.join(", ")
        );
        mocks.insert(address, text);
    }
    let root = snapshot.evaluation().at_root();
    let variables = &snapshot.evaluation().declared_at(&root).variables;
    // What a value file gives is known, whatever else is open.
    let project = snapshot.evaluation().project();
    let is_open = |name: &str| !given && project.given_value(name).is_none();
    let open = variables.iter().filter(|variable| is_open(&variable.name));
    let values = open.map(|variable| {
        let text = match &variable.ty {
            Type::String | Type::Dynamic => {
                format!("{}-{}", &*variable.name, number((seed, &*variable.name)))
            }
            ty => expression(ty, seed, &variable.name),
        };
        InputAssignment::Variable { name: variable.name.to_string(), text }
    });
    Answers { mocks: mocks.into_values().collect(), values: values.collect() }
}

fn number(of: impl Hash) -> u64 {
    let mut state = DefaultHasher::new();
    of.hash(&mut state);
    state.finish() % 1_000
}

/// Something of a type, as it is written.
fn expression(ty: &Type, seed: u64, at: &str) -> String {
    let number = number((seed, at));
    let inner = |ty: &Type, name: &str| expression(ty, seed, &format!("{at}/{name}"));
    match ty {
        Type::Dynamic | Type::String => format!("\"text-{number}\""),
        Type::Bool => number.is_multiple_of(2).to_string(),
        Type::Number => number.to_string(),
        Type::List(element) | Type::Set(element) => {
            format!("[{}, {}]", inner(element, "0"), inner(element, "1"))
        }
        Type::Map(element) => {
            format!("{{ a = {}, b = {} }}", inner(element, "a"), inner(element, "b"))
        }
        Type::Tuple(tuple) => {
            let all = tuple.elements().iter().enumerate();
            let all: Vec<String> = all.map(|(at, ty)| inner(ty, &at.to_string())).collect();
            format!("[{}]", all.join(", "))
        }
        Type::Object(object) => {
            let all = object.attributes().iter();
            let all: Vec<String> =
                all.map(|one| format!("{} = {}", &*one.name, inner(&one.ty, &one.name))).collect();
            format!("{{ {} }}", all.join(", "))
        }
    }
}
