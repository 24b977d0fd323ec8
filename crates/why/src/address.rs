//! Resolution of the address of a query, such as `module.net["a"].local.cidrs["x"]`, `aws_instance.web[0].tags.Name` or
//! `output.url`, to its subject. The error for an address that leads nowhere lists similar names.

use std::sync::Arc;

use groma_config::{InstanceKey, ResourceMode, first_of};
use groma_module::declare::Module;
use groma_project::{Evaluation, InstanceSet, ScopeRef};
use groma_syntax::ast::{ExprCase, ExprView as View};
use groma_syntax::{Diagnostics, Expr, FileId, Source, parse_expression};
use groma_value::{Str, Value, nearest};

use crate::path::{self, WhyStep};
use crate::site::EvaluationSite;
use crate::subject::{WhySubject, absolute, choose};

/// Maximum number of declared names or instance keys that an error about an address lists when none is similar to the requested
/// one.
pub(crate) const MAX_LISTED: usize = 12;

/// The error of an address that resolves to nothing: what is wrong, and what to do.
#[derive(Clone, Debug)]
pub struct AddressError {
    /// The message, one or more sentences.
    pub detail: String,
}

/// The value that the address of a query names: a part of a declaration, of `each` or `count`, or a value such as `path.module`.
pub(crate) enum QueriedValue {
    /// A part of a declaration.
    Subject(WhySubject, Vec<WhyStep>),
    /// `each.key`, `each.value` or `count.index` of an instance, and a part of it.
    Repeated(Arc<EvaluationSite>, &'static str, Vec<WhyStep>),
    /// A value that is fixed for the evaluation, such as `path.module`, by its text.
    Fixed(Arc<EvaluationSite>, String),
}

/// Returns an address error with the given message.
fn address_error<T>(detail: impl Into<String>) -> Result<T, AddressError> {
    Err(AddressError { detail: detail.into() })
}

/// Resolves the text of an address, such as `local.a.b[0]`, to the value that it names.
pub(crate) fn find(text: &str, evaluation: &Evaluation) -> Result<QueriedValue, AddressError> {
    if let Some(steps) = plain_steps(text) {
        return resolve(&steps, evaluation);
    }
    let source = Source::new("<address>", text.trim());
    let parse = parse_expression(source.text(), FileId(0));
    let steps = match Expr::of(&parse) {
        Expr::Native(native) if parse.diagnostics.is_empty() => steps_of(native.view()),
        _ => None,
    };
    let Some(steps) = steps else {
        return address_error(format!(
            "\"{}\" is not an address. An address consists of names and literal keys, as in local.name, output.name, module.name[\"key\"].var.name or type.name[0].attribute. In a shell, quote it so that the quotes of its keys stay.",
            text.trim()
        ));
    };
    resolve(&steps, evaluation)
}

/// Resolves the parsed steps of an address to the value that it names.
pub(crate) fn resolve(
    steps: &[WhyStep],
    evaluation: &Evaluation,
) -> Result<QueriedValue, AddressError> {
    SubjectSearch { evaluation, at: evaluation.at_root(), rest: steps }.find()
}

/// Splits an address without escapes into steps; `None` for any other form, which the parser has to read.
fn plain_steps(text: &str) -> Option<Vec<WhyStep>> {
    let is_plain =
        |text: &str| text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    let mut steps = Vec::new();
    let mut rest = text;
    loop {
        let end = rest.find(['.', '[']).unwrap_or(rest.len());
        let (name, behind) = rest.split_at(end);
        let starts = name.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_');
        let is_word = matches!(name, "true" | "false" | "null" | "for");
        if !starts || !is_plain(name) || is_word {
            return None;
        }
        steps.push(WhyStep::Name(name.into()));
        rest = behind;
        while let Some(inside) = rest.strip_prefix('[') {
            let (key, behind) = match inside.strip_prefix('"') {
                Some(quoted) => {
                    let (key, behind) = quoted.split_once('"')?;
                    let is_written = |byte: u8| {
                        (byte == b' ' || byte.is_ascii_graphic()) && !b"\\$%".contains(&byte)
                    };
                    if !key.bytes().all(is_written) {
                        return None;
                    }
                    (WhyStep::Name(key.into()), behind)
                }
                None => {
                    let (digits, _) = inside.split_once(']')?;
                    if digits.len() > 1 && digits.starts_with('0')
                        || !digits.bytes().all(|byte| byte.is_ascii_digit())
                    {
                        return None;
                    }
                    (WhyStep::At(digits.parse().ok()?), &inside[digits.len()..])
                }
            };
            steps.push(key);
            rest = behind.strip_prefix(']')?;
        }
        match rest.strip_prefix('.') {
            Some(behind) => rest = behind,
            None => return rest.is_empty().then_some(steps),
        }
    }
}

/// Returns the steps of a parsed expression that consists of names and literal keys only; `None` for any other expression.
fn steps_of(mut view: View<'_>) -> Option<Vec<WhyStep>> {
    let mut steps = Vec::new();
    loop {
        view = match view.case() {
            ExprCase::Root(name) => {
                steps.push(WhyStep::Name(name.into()));
                steps.reverse();
                return Some(steps);
            }
            ExprCase::Attribute { object, name, .. } => {
                steps.push(WhyStep::Name(name.into()));
                object
            }
            ExprCase::LegacyIndex { object, digits, .. } => {
                steps.push(WhyStep::At(digits.parse().ok()?));
                object
            }
            ExprCase::Index { object, key, .. } => {
                steps.push(match key.case() {
                    ExprCase::Number(digits) => WhyStep::At(digits.parse().ok()?),
                    ExprCase::Template(template) => WhyStep::Name(Str::from(&*template.plain()?)),
                    _ => return None,
                });
                object
            }
            _ => return None,
        };
    }
}

/// The state of resolving one address: the module instance reached so far and the steps that remain.
struct SubjectSearch<'s> {
    evaluation: &'s Evaluation,
    at: ScopeRef,
    rest: &'s [WhyStep],
}

impl SubjectSearch<'_> {
    /// Consumes the next step of the address if it is a name, and returns it.
    fn name(&mut self) -> Option<Str> {
        let (step, rest) = self.rest.split_first()?;
        let WhyStep::Name(name) = step else { return None };
        self.rest = rest;
        Some(name.clone())
    }

    /// Returns the module whose instance the address has led to so far.
    fn module(&self) -> &Module {
        self.evaluation.declared_at(&self.at)
    }

    /// Resolves the remaining steps of the address to the value that they name.
    fn find(mut self) -> Result<QueriedValue, AddressError> {
        let mut word = self.name().unwrap_or_default();
        let mut is_inside = false;
        while &*word == "module" {
            if let Some(found) = self.call()? {
                return Ok(found);
            }
            is_inside = true;
            word = match self.name() {
                Some(name) => name,
                None => return address_error("An instance has one key, not two."),
            };
        }
        let here = self.at.of_module();
        let rest = |search: &Self| search.rest.to_vec();
        match &*word {
            "var" | "local" | "output" => {
                let meant = self.name();
                let found = meant.as_deref().and_then(|name| self.declared(&word, name));
                match found {
                    Some(make) => Ok(QueriedValue::Subject(make, rest(&self))),
                    None => self.undeclared(&word, meant.as_deref()),
                }
            }
            "each" | "count" => match self.owner() {
                Some(at) => self.repeated(&word, at),
                None => address_error(format!(
                    "{word} exists only inside an instance: add it to the address of one, as in module.name[\"key\"].each.value."
                )),
            },
            "path" | "terraform" | "tofu" => {
                let text = format!("{word}{}", path::text(None, self.rest));
                Ok(QueriedValue::Fixed(EvaluationSite::module(&here), text))
            }
            name => {
                let outputs = &self.module().outputs;
                let output = outputs.binary_search_by(|output| (*output.name).cmp(name)).ok();
                if let Some(output) = output.filter(|_| is_inside && self.resource(name).is_none())
                {
                    return Ok(QueriedValue::Subject(
                        WhySubject::Output(here, output),
                        rest(&self),
                    ));
                }
                self.of_resource(name)
            }
        }
    }

    /// Looks up a variable, local value or output by its name in the module reached so far; `word` is `var`, `local` or `output`;
    /// `None` if it is not declared.
    fn declared(&self, word: &str, name: &str) -> Option<WhySubject> {
        let (module, here) = (self.module(), self.at.of_module());
        match word {
            "var" => {
                let at = module.variables.binary_search_by(|one| (*one.name).cmp(name)).ok()?;
                Some(WhySubject::Variable(here, at))
            }
            "local" => {
                let at = module.locals.binary_search_by(|one| (*one.name).cmp(name)).ok()?;
                Some(WhySubject::Local(here, at))
            }
            _ => {
                let at = module.outputs.binary_search_by(|one| (*one.name).cmp(name)).ok()?;
                Some(WhySubject::Output(here, at))
            }
        }
    }

    /// Enters the instance of a module call that the next steps select; returns the call or its instance if the address ends
    /// there, `None` if it goes on.
    fn call(&mut self) -> Result<Option<QueriedValue>, AddressError> {
        let name = self.name();
        let calls = &self.module().calls;
        let found = name.as_deref().and_then(|name| self.module().call_position(name));
        let Some(call) = found else { return self.undeclared("module", name.as_deref()) };
        let address = || absolute(&self.at, &calls[call].address());
        let subject = |position| WhySubject::Module(self.at.of_module(), call, position);
        let Some(instances) = self.evaluation.instances_of_call(&self.at, call) else {
            return match self.rest {
                [] => Ok(Some(QueriedValue::Subject(subject(None), Vec::new()))),
                _ => address_error(format!(
                    "The source of {} is not available, so its contents are unknown.",
                    address()
                )),
            };
        };
        if self.rest.is_empty() && !matches!(instances, InstanceSet::One) {
            return Ok(Some(QueriedValue::Subject(subject(None), Vec::new())));
        }
        let Some((position, rest)) = choose(&instances, self.rest) else {
            return address_error(no_instance(&address(), &instances, self.rest.first()));
        };
        if rest.is_empty() {
            return Ok(Some(QueriedValue::Subject(subject(Some(position)), Vec::new())));
        }
        let child = match self.evaluation.at_call(&self.at, call, position) {
            Some(child) => child,
            None => return address_error(format!("{} has no such instance.", address())),
        };
        (self.rest, self.at) = (rest, child);
        Ok(None)
    }

    /// Returns the scope in which the inputs of the current module instance are evaluated; `None` for the root module.
    fn owner(&self) -> Option<Arc<EvaluationSite>> {
        let (standpoint, call) = self.evaluation.caller(&self.at)?;
        Some(Arc::new(EvaluationSite { standpoint, call: Some(call), iterator: None }))
    }

    /// Resolves `each.key`, `each.value` or `count.index` of the instance whose scope is `at`.
    fn repeated(
        &mut self,
        word: &str,
        at: Arc<EvaluationSite>,
    ) -> Result<QueriedValue, AddressError> {
        let name = self.name().unwrap_or_default();
        let word = match (word, &*name, at.standpoint.key()) {
            ("each", "key", InstanceKey::Text(_)) => "each.key",
            ("each", "value", InstanceKey::Text(_)) => "each.value",
            ("count", "index", InstanceKey::Number(_)) => "count.index",
            _ => return address_error(format!("This instance has no {word}.{name}.")),
        };
        Ok(QueriedValue::Repeated(at, word, self.rest.to_vec()))
    }

    /// Returns the index of the resource that the next steps name, after its type or the keyword of its mode, which is `word`,
    /// and the number of steps used; `None` if none is declared.
    fn resource(&self, word: &str) -> Option<(usize, usize)> {
        /// The resource modes that have a prefix in addresses, such as `data`.
        const PREFIXED: [ResourceMode; 4] =
            [ResourceMode::Data, ResourceMode::Ephemeral, ResourceMode::Action, ResourceMode::List];
        let prefixed =
            PREFIXED.into_iter().find(|mode| mode.prefix().strip_suffix('.') == Some(word));
        let (mode, used) = match prefixed {
            Some(mode) => (mode, 2),
            None => (ResourceMode::Managed, if word == "resource" { 2 } else { 1 }),
        };
        let (kind, name) = match (used, self.rest) {
            (1, [name, ..]) => (Str::from(word), name.name()),
            (2, [kind, name, ..]) => (kind.name(), name.name()),
            _ => return None,
        };
        Some((self.module().resource_position(mode, &kind, &name)?, used))
    }

    /// Resolves the remaining steps to a resource, an instance of it or a part of its value; `word`, the step before, is the
    /// resource's type or the keyword of its mode.
    fn of_resource(&mut self, word: &str) -> Result<QueriedValue, AddressError> {
        let Some((resource, used)) = self.resource(word) else {
            let meant = format!("{word}{}", path::text(None, self.rest));
            return self.undeclared_address(&meant);
        };
        self.rest = &self.rest[used..];
        let here = self.at.of_module();
        let instances = self.evaluation.instances_of_resource(&here, resource);
        let address = || absolute(&here, &self.module().resources[resource].address());
        let Some(instances) = instances else {
            return address_error(format!(
                "The instances of {} could not be determined.",
                address()
            ));
        };
        let Some((position, rest)) = choose(&instances, self.rest) else {
            return match self.rest {
                [] => {
                    let whole = WhySubject::Resource(here.clone(), resource, None);
                    Ok(QueriedValue::Subject(whole, Vec::new()))
                }
                [step, ..] => address_error(no_instance(&address(), &instances, Some(step))),
            };
        };
        self.rest = rest;
        if let [WhyStep::Name(word), WhyStep::Name(_), ..] = rest
            && matches!(&**word, "each" | "count")
            && let Some(standpoint) = self.evaluation.at_resource(&here, resource, position)
            && standpoint.key() != InstanceKey::None
        {
            self.rest = &rest[1..];
            return self.repeated(
                word,
                Arc::new(EvaluationSite { standpoint, call: None, iterator: None }),
            );
        }
        let one = WhySubject::Resource(here, resource, Some(position));
        Ok(QueriedValue::Subject(one, rest.to_vec()))
    }

    /// Returns the error for the undeclared address `word.name`, or for the missing name after the keyword `word`.
    fn undeclared<T>(&self, word: &str, name: Option<&str>) -> Result<T, AddressError> {
        match name {
            Some(name) => self.undeclared_address(&format!("{word}.{name}")),
            None => {
                address_error(format!("A name has to follow \"{word}\". {}", self.listed(word)))
            }
        }
    }

    /// Returns the error for the undeclared address `meant`, which suggests a similar address or lists the declared ones.
    fn undeclared_address<T>(&self, meant: &str) -> Result<T, AddressError> {
        let here = match self.at.module_address() {
            "" => "The root module",
            address => address,
        };
        let names = self.names();
        let hint = match nearest(meant, names.iter().map(String::as_str)) {
            Some(near) => format!("Did you mean {near}?"),
            None => self.listed(meant.split('.').next().unwrap_or_default()),
        };
        address_error(format!("{here} declares no {meant}. {hint}"))
    }

    /// Returns every address that is declared in the module reached so far.
    fn names(&self) -> Vec<String> {
        let module = self.module();
        let mut names: Vec<String> = Vec::new();
        names.extend(module.variable_names().map(|name| format!("var.{name}")));
        names.extend(module.local_names().map(|name| format!("local.{name}")));
        names.extend(module.output_names().map(|name| format!("output.{name}")));
        names.extend(module.call_names().map(|name| format!("module.{name}")));
        names.extend(module.resource_addresses());
        names
    }

    /// Returns a sentence that lists the declared addresses with the prefix `word`, or all of them if none has it.
    fn listed(&self, word: &str) -> String {
        let all = self.names();
        let of_kind: Vec<String> =
            all.iter().filter(|name| name.split('.').next() == Some(word)).cloned().collect();
        let names = if of_kind.is_empty() { all } else { of_kind };
        match names.as_slice() {
            [] => "Nothing is declared there.".to_owned(),
            names => format!("There are: {}.", first_of(names, ", ", MAX_LISTED)),
        }
    }
}

/// Returns the message about an instance key that is missing in an address, or that no instance has.
fn no_instance(address: &str, instances: &InstanceSet, step: Option<&WhyStep>) -> String {
    match (instances, step) {
        (InstanceSet::Unknown(_), _) => {
            format!("The number of instances of {address} is unknown: use {address}.")
        }
        (InstanceSet::Keyed(keys), _) if keys.is_empty() => format!("{address} has no instances."),
        (InstanceSet::Keyed(keys), step) => {
            let keys: Vec<String> = keys.iter().map(InstanceKey::suffix).collect();
            let there = format!("There are: {}.", first_of(&keys, ", ", MAX_LISTED));
            match step {
                Some(step) => {
                    let own = match step {
                        WhyStep::At(at) => format!("[{at}]"),
                        WhyStep::Name(name) => InstanceKey::Text(name.clone()).suffix(),
                    };
                    let near = nearest(&own, keys.iter().map(String::as_str));
                    let hint = near.map_or(there, |near| format!("Did you mean {address}{near}?"));
                    format!("There is no {address}{own}. {hint}")
                }
                None => format!("{address} has several instances: choose one. {there}"),
            }
        }
        (InstanceSet::One, _) => format!("{address} is a single object without instances."),
    }
}

/// Evaluates the declaration or instance that a query asks about, and adds the errors of that evaluation to `out`.
pub(crate) fn evaluate_subject(
    subject: &WhySubject,
    evaluation: &Evaluation,
    out: &mut Diagnostics,
) {
    let (at, text) = match subject {
        WhySubject::Output(standpoint, output) => {
            let name = evaluation.declared_at(standpoint).outputs[*output].name.clone();
            let Some((parent, call)) = evaluation.caller(standpoint) else {
                evaluation.output(&name, out);
                return;
            };
            let called = &evaluation.declared_at(&parent).calls[call].name;
            let (key, parent) = (parent.key().suffix(), parent.of_module());
            let text = format!("module.{}{key}.{}", &**called, &*name);
            (parent, text)
        }
        other => (other.standpoint().of_module(), other.inner(evaluation)),
    };
    evaluation.evaluate_text_at(&at, &text, "<address>", out);
}

/// Returns the error for an address whose last steps, the path `steps`, lead to no part of the value `whole`.
pub(crate) fn no_part(
    subject: &WhySubject,
    whole: &Value,
    steps: &[WhyStep],
    evaluation: &Evaluation,
) -> AddressError {
    let address = subject.address(evaluation);
    let mut value = whole.clone();
    for (at, step) in steps.iter().enumerate() {
        if let Some(inner) = path::at(&value, std::slice::from_ref(step)) {
            value = inner;
            continue;
        }
        let base = format!("{address}{}", path::text(Some(whole), &steps[..at]));
        let own = path::text(Some(&value), std::slice::from_ref(step));
        let names: Vec<String> = match value.bare() {
            _ if value.marks().hide() => Vec::new(),
            Value::Object(object) => object.iter().map(|(name, _)| name.to_string()).collect(),
            Value::Map(map) => map.entries().iter().map(|(name, _)| name.to_string()).collect(),
            _ => Vec::new(),
        };
        let near = nearest(&step.name(), names.iter().map(String::as_str));
        let hint = match (near, names.as_slice()) {
            (Some(near), _) => {
                let near = path::text(Some(&value), &[WhyStep::Name(near.into())]);
                format!(" Did you mean {base}{near}?")
            }
            (None, []) => format!(" It is {}.", groma_value::sentence::brief(&value)),
            (None, names) => format!(" It has: {}.", first_of(names, ", ", MAX_LISTED)),
        };
        return AddressError { detail: format!("{base} has no part {own}.{hint}") };
    }
    AddressError { detail: format!("{address} has no such part.") }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the steps of an address that the parser reads; `None` if it is not a valid one.
    fn read(text: &str) -> Option<Vec<WhyStep>> {
        let source = Source::new("", text);
        let parse = parse_expression(source.text(), FileId(0));
        match Expr::of(&parse) {
            Expr::Native(native) if parse.diagnostics.is_empty() => steps_of(native.view()),
            _ => None,
        }
    }

    /// Checks that addresses without escapes have the same steps with and without the parser, and that all others are left to the
    /// parser.
    #[test]
    fn what_is_plain_is_read_as_all_else_is() {
        for text in [
            "a.b",
            "module.a[\"x.y\"].b_c.d[12].e",
            "module.m[0].x.y[\"a[b] - c/d\"]",
            "output.x",
            "local.a[\"k\"][\"l\"][0]",
            "a.b[0]",
        ] {
            assert!(plain_steps(text).is_some(), "{text}");
            assert_eq!(plain_steps(text), read(text), "{text}");
        }
        for text in [
            "a-b.c",
            "a.b[\"${x}\"]",
            "a.b[\"\\n\"]",
            "a.b[\"ü\"]",
            "a.b[01]",
            "a.b[]",
            "a.",
            ".a",
            "a..b",
            "",
            "a.0",
            "a[x]",
            "null.a",
            "a.b[\"x\"",
            "a.b[0]c",
            "a b",
            "a.b[\"%{x}\"]",
        ] {
            assert_eq!(plain_steps(text), None, "{text}");
        }
    }
}
