//! Completions after a name: the declarations of a module, and the attributes and keys of a value or a type. A hidden value has
//! none.

use groma_config::DeclarationAddress;
use groma_module::schema::LocalProviders;
use groma_module::visit::{Declaration, EvaluationTime};
use groma_plan::{StateFile, StateInventory};
use groma_project::RequestToken;
use groma_syntax::ast::{BinaryOp, ExprCase, ExprView};
use groma_syntax::{Diagnostics, Expr, Place};
use groma_value::{Str, Type, Value, ops};

use crate::Snapshot;
use crate::place::declaration::DeclarationId;
use crate::place::index::module;

/// A provider that a module requires or uses: its source, local name and version constraint.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct ModuleProvider {
    /// The source of the provider, such as `hashicorp/aws`.
    pub source: String,
    /// Its local name in the module.
    pub name: String,
    /// The version constraint, if there is one.
    pub version: Option<String>,
}

/// A step from a value to one of its parts: an attribute, a map entry or an element.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum MemberStep {
    /// An attribute, or a key of a map.
    Name(String),
    /// The element at a position.
    Position(usize),
    /// Any element, as in `[*]` or with an unknown key.
    Any,
}

impl Snapshot {
    /// Returns the declarations of the module with the number `number`, each with its address within the module, grouped by kind
    /// of declaration.
    pub fn declarations_of(&self, number: usize) -> Vec<(DeclarationId, String)> {
        let Some(module) = module(self.project(), number) else { return Vec::new() };
        let id = |declaration| DeclarationId { module: number, declaration };
        let all = module.declarations();
        all.map(|declaration| (id(declaration), declaration.address(module))).collect()
    }

    /// Returns the declaration of the output `name` in the module that a call refers to; `None` if there is none.
    pub fn output_of(&self, call: DeclarationId, name: &str) -> Option<DeclarationId> {
        let number = self.called_module(call)?;
        let at = module(self.project(), number)?.names.output(name)?;
        Some(DeclarationId { module: number, declaration: Declaration::Output(at) })
    }

    /// Returns the outputs of the module that a call refers to, with their names; empty if the module was not loaded.
    pub fn outputs_of(&self, call: DeclarationId) -> Vec<(DeclarationId, Str)> {
        let Some(number) = self.called_module(call) else { return Vec::new() };
        let Some(called) = module(self.project(), number) else { return Vec::new() };
        let id = |at: usize| DeclarationId {
            module: number,
            declaration: Declaration::Output(at as u32),
        };
        called.outputs.iter().enumerate().map(|(at, one)| (id(at), one.name.clone())).collect()
    }

    /// Returns the names of the files of the module with the number `number`, in the order of reading.
    pub fn files_of(&self, number: usize) -> Vec<String> {
        let Some(module) = module(self.project(), number) else { return Vec::new() };
        let sources = self.project().sources();
        module.files().iter().map(|file| sources.get(*file).name().to_owned()).collect()
    }

    /// Returns the address of the first call of the module with the number `number`, without keys; empty for the root module.
    pub fn address_of_module(&self, number: usize) -> String {
        let mut names = Vec::new();
        let mut node = self.project().nodes().nth(number);
        while let Some((parent, call)) = node.and_then(|node| node.parent()) {
            names.extend(parent.module().calls.get(call).map(|call| call.address()));
            node = Some(parent);
        }
        names.reverse();
        names.join(".")
    }

    /// Returns the local names of the providers that the module with the number `number` requires, each with its source.
    pub fn required_sources(&self, number: usize) -> Vec<(String, String)> {
        let Some(module) = module(self.project(), number) else { return Vec::new() };
        let all = module.settings.providers.iter();
        all.filter_map(|one| Some((one.name.to_string(), one.source()?))).collect()
    }

    /// Returns the addresses of the resources in the state that a plan would use, without keys, sorted; empty if there is no
    /// state.
    pub fn recorded_addresses(&self) -> Vec<DeclarationAddress> {
        let mut unread = Diagnostics::new();
        let state = groma_plan::state_at(self.evaluation(), &StateFile::Usual, &mut unread);
        let Some(state) = state else { return Vec::new() };
        let inventory = StateInventory::of(state, self.evaluation().schemas(), self.edition());
        let mut all: Vec<String> =
            inventory.objects.iter().map(|one| groma_config::without_keys(&one.address)).collect();
        all.sort_unstable();
        all.dedup();
        all.iter().filter_map(|one| DeclarationAddress::parse(one)).collect()
    }

    /// Returns the providers that a file's module requires or uses, sorted by source.
    pub fn module_providers(&self, file: &str) -> Vec<ModuleProvider> {
        let Some(module) = module(self.project(), self.module_of_file(file)) else {
            return Vec::new();
        };
        let required = &module.settings.providers;
        let locals = LocalProviders::of(required);
        let names = self.provider_names(file).into_iter();
        let mut all: Vec<ModuleProvider> = names
            .map(|name| {
                let own = required.iter().find(|one| *one.name == *name);
                let (source, version) = (locals.source(&name), own.and_then(|one| one.version()));
                ModuleProvider { source, name, version }
            })
            .collect();
        all.sort_unstable();
        all
    }

    /// Returns the local names of the providers that a file's module requires or its resources use, sorted, without `terraform`.
    pub fn provider_names(&self, file: &str) -> Vec<String> {
        let Some(module) = module(self.project(), self.module_of_file(file)) else {
            return Vec::new();
        };
        let required = module.settings.providers.iter().map(|one| one.name.to_string());
        let implied = |one: &std::sync::Arc<groma_module::declare::Resource>| {
            one.kind.split('_').next().unwrap_or_default().to_owned()
        };
        let mut names: Vec<String> = required.chain(module.resources.iter().map(implied)).collect();
        names.sort_unstable();
        names.dedup();
        names.retain(|name| name != "terraform");
        names
    }

    /// Returns the strings to which a validation of a variable limits its value, by `contains(["a", "b"], var.name)` or
    /// comparisons joined by `||`; empty if none does.
    pub fn allowed_values(&self, id: DeclarationId) -> Vec<String> {
        let Declaration::Variable(at) = id.declaration else { return Vec::new() };
        let variable =
            module(self.project(), id.module).and_then(|one| one.variables.get(at as usize));
        let Some(variable) = variable else { return Vec::new() };
        let rules = variable.validations.iter();
        rules
            .filter_map(|rule| allowed_by(&rule.condition.expr, &variable.name))
            .next()
            .unwrap_or_default()
    }

    /// Returns the declared type of a variable, or the type of one instance of a resource by its schema; `None` for other
    /// declarations and without a declared type.
    pub fn type_of(&self, id: DeclarationId) -> Option<Type> {
        let module = module(self.project(), id.module)?;
        match id.declaration {
            Declaration::Variable(at) => {
                let variable = module.variables.get(at as usize)?;
                variable.has_type.then(|| variable.ty.clone())
            }
            Declaration::Resource(at) => {
                let resource = module.resources.get(at as usize)?;
                let schema = resource.schema.as_ref().map(|schema| schema.block.ty());
                schema
                    .or_else(|| groma_module::built_in::block_of(resource).map(|block| block.ty()))
            }
            _ => None,
        }
    }

    /// Returns the type of the innermost sub-expression at a place: that of its value if available, otherwise the type of the
    /// declaration that is named there; `None` if neither is known.
    pub fn type_at(&self, place: Place, request: &RequestToken) -> Option<Type> {
        let known = self.values_at(place, 1, request);
        if let Some(one) = known.and_then(|known| known.values.into_iter().next()) {
            return Some(one.value.ty());
        }
        match self.target_at(place)? {
            super::PlaceTarget::Reference { declaration, path, .. } if path.is_empty() => {
                self.type_of(declaration)
            }
            super::PlaceTarget::Declaration(declaration) => self.type_of(declaration),
            _ => None,
        }
    }

    /// Returns the object with `key` and `value` that `each` stands for in the first instance of a resource or module call with
    /// `for_each`; `None` without one.
    pub fn first_element(&self, id: DeclarationId, request: &RequestToken) -> Option<Value> {
        let (scopes, _) = self.scopes_of(id, EvaluationTime::Evaluating, 1, request);
        let (_, scope) = scopes.into_iter().next()?;
        scope.element().cloned()
    }
}

/// Returns the part of a value at the end of a path of steps; `None` if it does not exist or its marks, such as sensitive,
/// forbid showing it.
pub fn part_of(value: &Value, steps: &[MemberStep]) -> Option<Value> {
    let mut value = value.clone();
    for step in steps {
        let by = |key: &Value| ops::at_step(&value, &ops::step_by(&value, key)?);
        value = match step {
            MemberStep::Name(name) => by(&Value::String(Str::from(name.as_str())))?,
            MemberStep::Position(at) => by(&Value::position(*at))?,
            MemberStep::Any => any_element(&value)?,
        };
    }
    (!value.marks().hide()).then_some(value)
}

/// Returns the strings to which a condition limits the variable `name` by `contains(["a", "b"], var.name)` or `var.name == "a"`,
/// joined by `||`; `None` if it contains anything else.
fn allowed_by(condition: &Expr, name: &str) -> Option<Vec<String>> {
    let Expr::Native(condition) = condition else { return None };
    let is_variable = |view: ExprView<'_>| view.text() == format!("var.{name}");
    let plain = |view: ExprView<'_>| match view.case() {
        ExprCase::Template(template) => template.plain().map(|text| text.into_owned()),
        _ => None,
    };
    let (mut found, mut waiting) = (Vec::new(), vec![condition.view()]);
    while let Some(view) = waiting.pop() {
        match view.case() {
            ExprCase::Call(call) if &*call.name == "contains" && call.args.len() == 2 => {
                let ExprCase::Tuple(items) = call.args[0].case() else { return None };
                if !is_variable(call.args[1]) {
                    return None;
                }
                found.extend(items.into_iter().map(plain).collect::<Option<Vec<_>>>()?);
            }
            ExprCase::Binary { op: BinaryOp::Or, left, right, .. } => waiting.extend([right, left]),
            ExprCase::Binary { op: BinaryOp::Equal, left, right, .. } => {
                let other = match (is_variable(left), is_variable(right)) {
                    (true, _) => right,
                    (_, true) => left,
                    _ => return None,
                };
                found.push(plain(other)?);
            }
            ExprCase::Parenthesised(inner) => waiting.push(inner),
            _ => return None,
        }
    }
    Some(found)
}

/// Returns the first element of a collection, or the value of the first attribute; `None` if there is none or the marks of
/// `value`, such as sensitive, forbid showing it.
fn any_element(value: &Value) -> Option<Value> {
    if value.marks().hide() {
        return None;
    }
    match value.bare() {
        Value::List(list) => list.items().first().cloned(),
        Value::Set(set) => set.items().first().cloned(),
        Value::Tuple(tuple) => tuple.items().first().cloned(),
        Value::Map(map) => map.entries().first().map(|(_, value)| value.clone()),
        Value::Object(object) => object.iter().next().map(|(_, value)| value.clone()),
        _ => None,
    }
}

/// Returns the strings of a list, a set or a tuple; `None` if one is not a known string or if a mark, such as sensitive, forbids
/// showing one.
pub fn texts_of(value: &Value) -> Option<Vec<String>> {
    if value.has_marks() && value.deep_marks().hide() {
        return None;
    }
    let items = match value.bare() {
        Value::List(list) => list.items(),
        Value::Set(set) => set.items(),
        Value::Tuple(tuple) => tuple.items(),
        _ => return None,
    };
    let text = |item: &Value| match item.bare() {
        Value::String(text) => Some(text.to_string()),
        _ => None,
    };
    items.iter().map(text).collect()
}

/// Returns the attributes of an object or the entries of a map, at most `limit`; empty if the marks of the value, such as
/// sensitive, forbid showing it.
pub fn members(value: &Value, limit: usize) -> Vec<(Str, Value)> {
    if value.marks().hide() {
        return Vec::new();
    }
    match value.bare() {
        Value::Map(map) => map
            .entries()
            .iter()
            .take(limit)
            .map(|(key, value)| (key.clone(), value.clone()))
            .collect(),
        Value::Object(object) => {
            object.iter().take(limit).map(|(name, value)| (name.clone(), value.clone())).collect()
        }
        _ => Vec::new(),
    }
}

/// Returns the type of the part to which `steps` lead in a value of the type `ty`; `None` if the type has no such part.
pub fn part_of_type(ty: &Type, steps: &[MemberStep]) -> Option<Type> {
    let mut ty = ty.clone();
    for step in steps {
        ty = match (&ty, step) {
            (Type::Object(object), MemberStep::Name(name)) => {
                let attribute = object.attributes().iter().find(|one| *one.name == *name.as_str());
                attribute?.ty.clone()
            }
            (Type::Map(element), _) => (**element).clone(),
            (
                Type::List(element) | Type::Set(element),
                MemberStep::Position(_) | MemberStep::Any,
            ) => (**element).clone(),
            (Type::Tuple(items), MemberStep::Position(at)) => items.elements().get(*at)?.clone(),
            _ => return None,
        };
    }
    Some(ty)
}
