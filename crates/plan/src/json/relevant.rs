//! Which attributes of resources the planned values come from, however many locals, variables and
//! outputs lie between: each once, sorted.

use std::collections::{BTreeMap, BTreeSet};

use groma_eval::{Reference, Step};
use groma_folder::Key;
use groma_module::declare::{Expression, ModuleCall};
use groma_project::ModuleInstance;
use groma_value::{Value, json};

use crate::change::Change;
use crate::plan::Plan;

/// A resource and the way to one of its attributes, each step as JSON.
pub(super) type Relevant = (String, Vec<String>);

/// All of them.
pub(super) fn relevant(plan: &Plan, changes: &[Change]) -> BTreeSet<Relevant> {
    let modules = plan.modules();
    let by_address: BTreeMap<&str, usize> =
        modules.iter().enumerate().map(|(at, m)| (m.address(), at)).collect();
    let callers = modules.iter().map(|module| {
        let path = module.path();
        let ((call, _), around) = path.split_last()?;
        let &parent = by_address.get(&*address(around))?;
        Some((parent, modules[parent].module().call(call)?))
    });
    let mut walk = Walk {
        modules: &modules,
        callers: callers.collect(),
        by_address,
        seen: BTreeSet::new(),
        rest: Vec::new(),
        found: BTreeSet::new(),
    };
    let changed: BTreeSet<(&str, &str, &str, bool)> = changes
        .iter()
        .map(|c| (c.module(), &*c.kind, &*c.name, c.mode == groma_folder::Mode::Data))
        .collect();
    for (at, module) in modules.iter().enumerate() {
        let declared = module.module();
        for resource in &declared.resources {
            let is_data = resource.mode == groma_folder::Mode::Data;
            if changed.contains(&(module.address(), &resource.kind, &resource.name, is_data)) {
                resource.content.visit(&mut |seen| walk.push(at, seen.expression));
            }
        }
        for (position, output) in declared.outputs.iter().enumerate() {
            let is_null = module.output(position).is_some_and(Value::is_null);
            if let (Some(value), false) = (&output.value, is_null) {
                walk.push(at, value);
            }
        }
    }
    while let Some((at, expression)) = walk.rest.pop() {
        for reference in expression.located.code.references() {
            walk.reference(at, reference);
        }
    }
    walk.found
}

struct Walk<'m> {
    modules: &'m [ModuleInstance],
    by_address: BTreeMap<&'m str, usize>,
    /// Which module calls each, and by which of its calls.
    callers: Vec<Option<(usize, &'m ModuleCall)>>,
    seen: BTreeSet<(usize, usize)>,
    rest: Vec<(usize, &'m Expression)>,
    found: BTreeSet<Relevant>,
}

impl<'m> Walk<'m> {
    fn push(&mut self, at: usize, expression: &'m Expression) {
        if self.seen.insert((at, std::ptr::from_ref(expression).addr())) {
            self.rest.push((at, expression));
        }
    }

    fn reference(&mut self, at: usize, reference: &Reference) {
        let modules = self.modules;
        let module = &modules[at];
        let steps = &*reference.steps;
        let name = |position: usize| match steps.get(position) {
            Some(Step::Attribute(name)) => Some(&**name),
            _ => None,
        };
        match &*reference.root {
            "path" | "terraform" | "tofu" | "each" | "count" | "self" => {}
            "local" => {
                if let Some(local) = name(0).and_then(|name| module.module().local(name)) {
                    self.push(at, &local.value);
                }
            }
            "var" => {
                let Some((parent, call)) = self.callers[at] else { return };
                if let Some(input) = name(0).and_then(|name| call.input(name)) {
                    self.push(parent, &input.value);
                }
            }
            "module" => self.call(at, steps),
            root => {
                let from = usize::from(matches!(root, "data" | "ephemeral" | "resource"));
                let kind = if from == 0 { Some(root) } else { name(0) };
                let Some((kind, own)) = kind.zip(name(from)) else { return };
                let prefix = if root == "data" { "data." } else { "" };
                let mut text = match module.address() {
                    "" => String::new(),
                    around => format!("{around}."),
                };
                text.push_str(&format!("{prefix}{kind}.{own}"));
                let mut rest = &steps[from + 1..];
                if let Some((Step::Index(key), more)) = rest.split_first() {
                    text.push_str(&format!("[{}]", plain(key)));
                    rest = more;
                }
                let way = rest.iter().map_while(|step| match step {
                    Step::Attribute(name) => Some(json::string(name)),
                    Step::Index(key) => Some(plain(key)),
                    _ => None,
                });
                let way = way.collect();
                self.found.insert((text, way));
            }
        }
    }

    /// A reference to a module call: one output of one instance, or as much as is not said.
    fn call(&mut self, at: usize, steps: &[Step]) {
        let modules = self.modules;
        let Some(Step::Attribute(call)) = steps.first() else { return };
        let Some(position) = modules[at].module().call_position(call) else { return };
        let (key, output) = match &steps[1..] {
            [Step::Index(key), Step::Attribute(output), ..] => (Some(plain(key)), Some(output)),
            [Step::Index(key), ..] => (Some(plain(key)), None),
            [Step::Attribute(output), ..] => (None, Some(output)),
            _ => (None, None),
        };
        for child in modules[at].children_of(position) {
            let own = match child.path().pop() {
                Some((_, Key::Number(number))) => Some(number.to_string()),
                Some((_, Key::Text(text))) => Some(json::string(&text)),
                _ => None,
            };
            if key.is_some() && own != key {
                continue;
            }
            let Some(&inner) = self.by_address.get(child.address()) else { continue };
            for declared in &modules[inner].module().outputs {
                if let (Some(value), true) =
                    (&declared.value, output.is_none_or(|output| *output == declared.name))
                {
                    self.push(inner, value);
                }
            }
        }
    }
}

fn plain(key: &Value) -> String {
    json::plain(key)
}

fn address(path: &[(groma_value::Str, Key)]) -> String {
    let parts: Vec<String> =
        path.iter().map(|(name, key)| format!("module.{}{}", &**name, key.suffix())).collect();
    parts.join(".")
}
