//! Listing of the unknown and marked parts of a value by path, depth first. Parts without either are not visited: the summaries
//! of values exclude them.

use std::collections::BTreeMap;

use super::json::string;
use crate::{Causes, Mark, Marks, Path, PathStep, Value};

/// The paths of the unknown and marked parts of a value, depth first: `""`, `.attr`, `["key"]`, `[0]`, `[?]` for a set element.
#[derive(Clone, Default, Debug)]
pub struct PathListing {
    /// The paths of unknown parts with their causes; nothing inside of an unknown. `[?]` stands once for each element of a set
    /// that is not wholly known.
    pub unknown: Vec<(String, Causes)>,
    /// The paths of parts with a sensitive mark of their own.
    pub sensitive: Vec<String>,
    /// The paths of parts with an ephemeral mark of their own.
    pub ephemeral: Vec<String>,
    /// The paths of parts that depend on a mock, with the causes that identify the mock.
    pub mocked: Vec<(String, Causes)>,
}

impl PathListing {
    /// Returns the path and the causes of each part of the value that is unknown or mocked, the unknown ones first; causes at the
    /// same path are merged, and paths without a cause are omitted.
    pub fn reasons(&self) -> Vec<(&str, Causes)> {
        let mut all: Vec<(&str, Causes)> = Vec::new();
        let mut places: BTreeMap<&str, usize> = BTreeMap::new();
        for (path, causes) in self.unknown.iter().chain(&self.mocked) {
            if causes.is_empty() {
                continue;
            }
            let place = *places.entry(path).or_insert(all.len());
            match all.get_mut(place) {
                Some((_, own)) => *own = own.union(causes),
                None => all.push((path, causes.clone())),
            }
        }
        all
    }
}

/// Returns the paths of the unknown and marked parts of a value.
pub fn listing(value: &Value) -> PathListing {
    let mut out = PathListing::default();
    walk(value, &mut String::new(), &mut out);
    out
}

/// Adds the unknown and marked parts of a value, which is at the path `at`, to the listing `out`.
fn walk(value: &Value, at: &mut String, out: &mut PathListing) {
    let all = value.summary();
    if !all.unknown && !all.marked {
        return;
    }
    let mut below = |step: &PathStep, child: &Value, out: &mut PathListing| {
        let length = at.len();
        push_step(step, at);
        walk(child, at, out);
        at.truncate(length);
    };
    match value {
        Value::Marked(m) => {
            if m.marks().contains(&Mark::Sensitive) {
                out.sensitive.push(at.clone());
            }
            if m.marks().contains(&Mark::Ephemeral) {
                out.ephemeral.push(at.clone());
            }
            if m.marks().is_mocked() {
                out.mocked.push((at.clone(), mocks(m.marks())));
            }
            walk(m.value(), at, out);
        }
        Value::Unknown(u) => out.unknown.push((at.clone(), u.causes.clone())),
        Value::Set(s) => {
            for item in s.items().iter().filter(|item| !item.is_wholly_known()) {
                out.unknown.push((format!("{at}[?]"), item.deep_causes()));
            }
        }
        Value::List(l) => {
            for (at, item) in l.items().iter().enumerate() {
                below(&PathStep::Index(Value::position(at)), item, out);
            }
        }
        Value::Tuple(t) => {
            for (at, item) in t.items().iter().enumerate() {
                below(&PathStep::Index(Value::position(at)), item, out);
            }
        }
        Value::Map(m) => {
            for (key, item) in m.entries() {
                below(&PathStep::Index(Value::String(key.clone())), item, out);
            }
        }
        Value::Object(o) => {
            for (name, item) in o.iter() {
                below(&PathStep::Attribute(name.clone()), item, out);
            }
        }
        _ => {}
    }
}

/// Returns the causes that identify the mocks on which a value with these marks depends.
fn mocks(marks: &Marks) -> Causes {
    marks.iter().fold(Causes::NONE, |all, mark| match mark {
        Mark::Mocked(id) => all.union(&Causes::one(*id)),
        _ => all,
    })
}

/// Returns a path as text: `.attr` for identifiers, `["name"]` for other names and keys, `[0]` for positions.
pub fn path_text(path: &Path) -> String {
    let mut out = String::new();
    for step in &path.0 {
        push_step(step, &mut out);
    }
    out
}

/// Appends a step of a path as text to `out`: `.attr`, `["key"]` or `[0]`.
fn push_step(step: &PathStep, out: &mut String) {
    match step {
        PathStep::Attribute(name) if is_identifier(name) => {
            out.push('.');
            out.push_str(name);
        }
        PathStep::Attribute(name) | PathStep::Index(Value::String(name)) => {
            out.push('[');
            out.push_str(&string(name));
            out.push(']');
        }
        PathStep::Index(key) => match key.as_number() {
            Some(number) => {
                out.push('[');
                out.push_str(&crate::print::number(&number));
                out.push(']');
            }
            None => out.push_str("[?]"),
        },
    }
}

/// Returns true if the name is an identifier, which needs no brackets in a path.
fn is_identifier(name: &str) -> bool {
    let mut chars = name.chars();
    let letter = |c: char| c.is_alphabetic() || c == '_';
    chars.next().is_some_and(letter) && chars.all(|c| letter(c) || c.is_numeric() || c == '-')
}
