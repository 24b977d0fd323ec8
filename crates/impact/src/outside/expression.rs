//! Comparison of expressions: by value if there is one instance to evaluate them in and everything is known, otherwise by
//! fingerprint of the code. A local value counts as its own code, whatever its name, and a file as its content; every other
//! reference counts by its name.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::Arc;

use groma_config::InstanceKey;
use groma_eval::{
    Context, EvaluationBasis, LookupResult, OtherFiles, ProviderName, Reference, Scope, Step,
};
use groma_module::declare::{Expression, Module};
use groma_project::{Evaluation, InstanceSet, ModuleNode, ScopeRef};
use groma_runtime::{EntryKind, file_path};
use groma_syntax::{Diagnostics, Expr, Sources};
use groma_value::{Fingerprint, Str, Type, Value};
use rustc_hash::FxHashMap;

use super::body::ArgumentPart;
use super::shown::{OutsideValue, is_secret, names_secret};

/// One revision of a comparison: its evaluation and sources.
pub(super) struct RevisionSide {
    pub(super) evaluation: Evaluation,
    pub(super) sources: Sources,
    /// The context for fingerprints of code.
    context: Context,
    /// The fingerprints of local values, by the address in memory of their module and their names.
    locals: RefCell<FxHashMap<(usize, Str), Option<Fingerprint>>>,
}

impl RevisionSide {
    /// Creates the side of a comparison from the evaluation of its revision.
    pub(super) fn of(evaluation: &Evaluation) -> RevisionSide {
        let context = evaluation.context();
        // A file with an unknown name counts as the code that names it.
        let trace = Some(Arc::new(OtherFiles::of_number(0)));
        let basis = EvaluationBasis { trace, ..EvaluationBasis::clone(&context.basis) };
        let (evaluation, sources) = (evaluation.clone(), evaluation.sources());
        let context = basis.with_scope(context.scope);
        RevisionSide { evaluation, sources, context, locals: RefCell::default() }
    }
}

/// Maximum number of files read of the paths and directories that an argument names; further ones are not compared.
const MAX_FILES: usize = 10_000;

impl RevisionSide {
    /// Returns one hash of the content of files, given a path or a list of paths, directories with all files in them; `None` if a
    /// path is not a known string. A missing file counts as one without content.
    pub(super) fn read(&self, names: &Value) -> Option<Fingerprint> {
        let bare = names.unmark_deep().0;
        let all = match &bare {
            Value::List(list) => list.items(),
            Value::Tuple(tuple) => tuple.items(),
            one => std::slice::from_ref(one),
        };
        let project = self.evaluation.project();
        let host = project.host();
        let mut waiting: Vec<String> = Vec::new();
        for one in all.iter().rev() {
            let Value::String(name) = one else { return None };
            waiting.push(file_path::join(project.dir(), name));
        }
        let mut found: Vec<(String, Option<Vec<u8>>)> = Vec::new();
        while let Some(path) = waiting.pop().filter(|_| found.len() < MAX_FILES) {
            if host.check_code_access(&path).is_err() {
                continue;
            }
            if let Ok(EntryKind::Directory) = host.kind(&path) {
                let mut inside = host.list(&path).unwrap_or_default();
                inside.sort();
                let inside = inside.iter().rev().map(|entry| file_path::join(&path, &entry.name));
                waiting.extend(inside);
                continue;
            }
            let bytes = host.read(&path).ok();
            found.push((path, bytes));
        }
        Some(Fingerprint::of(found))
    }
}

/// A module of one revision, with its scope if it has a single instance.
#[derive(Clone)]
pub(super) struct SideModule<'s> {
    pub(super) side: &'s RevisionSide,
    pub(super) node: ModuleNode<'s>,
    /// All modules of the side with the same code, the module itself first.
    alike: Vec<ModuleNode<'s>>,
    at: Option<ScopeRef>,
}

/// The scopes of the instances in which the same code is evaluated, by the keys of the instances.
#[derive(Default)]
pub(super) struct InstanceScopes(Vec<(String, ScopeRef)>);

impl<'s> SideModule<'s> {
    /// Creates the view of a module of one revision; `alike` are all modules with the same code, itself first.
    pub(super) fn of(
        side: &'s RevisionSide,
        node: ModuleNode<'s>,
        alike: Vec<ModuleNode<'s>>,
    ) -> SideModule<'s> {
        let at = if alike.len() == 1 { only_instance(side, node) } else { None };
        SideModule { side, node, alike, at }
    }

    /// Returns the declarations of the module.
    pub(super) fn module(&self) -> &'s Arc<Module> {
        self.node.module()
    }

    /// Returns the scopes of a resource's instances in all modules with the same code; those of an unknown number of instances
    /// are left out.
    pub(super) fn instances(&self, resource: usize) -> InstanceScopes {
        let evaluation = &self.side.evaluation;
        let mut found = InstanceScopes::default();
        for (number, node) in self.alike.iter().enumerate() {
            for (module, at) in instances_of(self.side, *node) {
                let keys = match evaluation.instances_of_resource(&at, resource) {
                    Some(InstanceSet::One) => vec![String::new()],
                    Some(InstanceSet::Keyed(keys)) => {
                        keys.iter().map(InstanceKey::suffix).collect()
                    }
                    _ => continue,
                };
                let named = keys.into_iter().enumerate().filter_map(|(position, key)| {
                    let own = evaluation.at_resource(&at, resource, position)?;
                    Some((format!("{number}{module}/{key}"), own))
                });
                found.0.extend(named);
            }
        }
        found
    }

    /// Returns the argument `name`, compared by the value of its expression if the module has a single instance, else by its
    /// code.
    pub(super) fn valued(&self, name: &str, expression: &Expression) -> ArgumentPart {
        self.valued_at(name, expression, &self.here())
    }

    /// Returns the scope of the module's single instance; empty if there are several.
    pub(super) fn here(&self) -> InstanceScopes {
        InstanceScopes(self.at.iter().map(|at| (String::new(), at.clone())).collect())
    }

    /// Returns the argument `name`, compared by the values that its expression has in the given scopes.
    pub(super) fn valued_at(
        &self,
        name: &str,
        expression: &Expression,
        at: &InstanceScopes,
    ) -> ArgumentPart {
        let evaluated = |at: &ScopeRef| {
            let context = self.side.context.with_scope(self.side.evaluation.scope_at(at));
            groma_eval::evaluate(&expression.located, &context, &mut Diagnostics::new())
        };
        let mut computed = BTreeMap::new();
        let value = match at.0.as_slice() {
            [] => expression.constant(),
            [(key, at)] => {
                let value = evaluated(at);
                computed.insert(key.clone(), value.fingerprint());
                Some(value)
            }
            several => {
                let all = several.iter();
                computed.extend(all.map(|(key, at)| (key.clone(), evaluated(at).fingerprint())));
                expression.constant()
            }
        };
        let part = ArgumentPart { computed, ..self.coded(expression) };
        let is_marked = value.as_ref().is_some_and(|value| value.deep_marks().hide());
        let value = value.filter(Value::is_wholly_known);
        let shown = match &value {
            _ if is_secret(name) => OutsideValue::Hidden,
            Some(value) => OutsideValue::of(value),
            // A part of the code may be secret.
            None if is_marked || names_secret(&part.text) => OutsideValue::Hidden,
            None => part.shown,
        };
        ArgumentPart { shown, value, ..part }
    }

    /// Returns an argument that is compared by a hash of its code, not by its value.
    pub(super) fn coded(&self, expression: &Expression) -> ArgumentPart {
        let text = text_of(&expression.expr);
        let code = self.fingerprint(expression);
        ArgumentPart {
            place: expression.place(),
            shown: OutsideValue::Code(text.clone()),
            value: None,
            code,
            text,
            ..ArgumentPart::default()
        }
    }

    /// Returns a hash of an expression's code and of the code of the local values that it refers to; `None` if some code has
    /// none.
    fn fingerprint(&self, expression: &Expression) -> Option<Fingerprint> {
        let own = Arc::as_ptr(self.module()).addr();
        let mut waiting: Vec<(Str, bool)> = self.locals_in(expression);
        // A local value follows those that it refers to; in a cycle it counts by its name.
        while let Some((name, is_ready)) = waiting.pop() {
            let key = (own, name.clone());
            if !is_ready && self.side.locals.borrow().contains_key(&key) {
                continue;
            }
            let Some(local) = self.module().local(&name) else { continue };
            if is_ready {
                let found = self.fingerprint_here(&local.value);
                self.side.locals.borrow_mut().insert(key, found);
                continue;
            }
            self.side.locals.borrow_mut().insert(key, None);
            waiting.push((name, true));
            waiting.extend(self.locals_in(&local.value));
        }
        self.fingerprint_here(expression)
    }

    /// Returns the local values that an expression refers to, as entries of a work list: each name with false, since the
    /// references of that local value are not followed yet.
    fn locals_in(&self, expression: &Expression) -> Vec<(Str, bool)> {
        let all = expression.located.code.references().iter();
        let locals = all.filter(|reference| &*reference.root == "local");
        let names = locals.filter_map(|reference| match reference.steps.first() {
            Some(Step::Attribute(name)) => Some((name.clone(), false)),
            _ => None,
        });
        names.collect()
    }

    /// Returns a hash of an expression's code, in which each local value it refers to counts by its hash in the `locals` of this
    /// module's revision; `None` if some code has none.
    fn fingerprint_here(&self, expression: &Expression) -> Option<Fingerprint> {
        let references = expression.located.code.references().iter();
        let known = self.side.locals.borrow();
        let own = Arc::as_ptr(self.module()).addr();
        let locals = references.filter_map(|reference| match reference.steps.first() {
            Some(Step::Attribute(name)) if &*reference.root == "local" => {
                Some((name.clone(), (*known.get(&(own, name.clone()))?)?))
            }
            _ => None,
        });
        let place = Str::from(self.node.module_path());
        let scope = CodeScope { locals: locals.collect(), module_path: place };
        let context = self.side.context.with_scope(Arc::new(scope));
        groma_eval::fingerprint(&expression.located, &context)
    }
}

/// Returns the scope of every instance of a module, by the keys on the path to it; those of an unknown number are left out.
fn instances_of(side: &RevisionSide, node: ModuleNode<'_>) -> Vec<(String, ScopeRef)> {
    let mut found = vec![(String::new(), side.evaluation.at_root())];
    for call in calls_to(node) {
        let mut inner = Vec::new();
        for (way, at) in found {
            let keys = match side.evaluation.instances_of_call(&at, call) {
                Some(InstanceSet::One) => vec![String::new()],
                Some(InstanceSet::Keyed(keys)) => keys.iter().map(InstanceKey::suffix).collect(),
                _ => continue,
            };
            let named = keys.into_iter().enumerate().filter_map(|(position, key)| {
                let own = side.evaluation.at_call(&at, call, position)?;
                Some((format!("{way}/{key}"), own))
            });
            inner.extend(named);
        }
        found = inner;
    }
    found
}

/// Returns the path from the root to a module as the index of each module call.
fn calls_to(node: ModuleNode<'_>) -> Vec<usize> {
    let mut way = Vec::new();
    let mut at = node;
    while let Some((parent, call)) = at.parent() {
        way.push(call);
        at = parent;
    }
    way.reverse();
    way
}

/// Returns the scope of a module's single instance; `None` if there are several or an unknown number.
fn only_instance(side: &RevisionSide, node: ModuleNode<'_>) -> Option<ScopeRef> {
    let mut found = side.evaluation.at_root();
    for call in calls_to(node) {
        match side.evaluation.instances_of_call(&found, call)? {
            InstanceSet::One => {}
            InstanceSet::Keyed(keys) if keys.len() == 1 => {}
            _ => return None,
        }
        found = side.evaluation.at_call(&found, call, 0)?;
    }
    Some(found)
}

/// Returns the source text of an expression.
pub(super) fn text_of(expr: &Expr) -> Str {
    let text = match expr {
        Expr::Native(native) => native.view().text(),
        Expr::Json(json) => json.view().text(),
    };
    Str::from(text.trim_end())
}

/// A scope in which each name is an unknown value whose fingerprint stands for code: that of a local value, else the name
/// itself.
struct CodeScope {
    locals: FxHashMap<Str, Fingerprint>,
    module_path: Str,
}

impl Scope for CodeScope {
    fn lookup(&self, reference: &Reference) -> LookupResult {
        let mut names = vec![&*reference.root];
        let mut keys = Vec::new();
        let mut used = 0;
        for step in &reference.steps {
            match step {
                Step::Attribute(name) => names.push(name),
                Step::Index(key) => keys.push((used, key.fingerprint())),
                Step::Splat | Step::Unknown => break,
            }
            used += 1;
        }
        let known = match names.as_slice() {
            ["path", "module"] => Some(Value::String(self.module_path.clone())),
            ["path", "root"] => Some(Value::String(Str::from("."))),
            _ => None,
        };
        if let Some(value) = known {
            return LookupResult::Found { value, used };
        }
        let local = match names.as_slice() {
            ["local", name, rest @ ..] => {
                self.locals.get(*name).map(|own| own.with(("steps", rest, &keys)))
            }
            _ => None,
        };
        let stands_for = local.unwrap_or_else(|| Fingerprint::of(("name", &names, &keys)));
        let value = Value::unknown(Type::Dynamic).traced(stands_for);
        LookupResult::Found { value, used }
    }

    fn root_names(&self) -> Vec<Arc<str>> {
        Vec::new()
    }

    fn provider(&self, _: &str) -> ProviderName {
        ProviderName::Absent
    }
}
