//! `import` blocks: the imported objects and their ids. Targets must be declared and ids known. An import of a called module
//! applies to each of its instances, unless an outer module imports instances of the same resource.

use std::collections::BTreeMap;

use groma_config::{
    AddressPattern, ConfigAddress, DeclarationAddress, DeclarationName, InstanceAddress,
    InstanceKey,
};
use groma_module::built_in;
use groma_module::declare::{Expression, Import, Repetition};
use groma_module::dialect::Conventions;
use groma_project::{Evaluation, ModuleInstance, Project};
use groma_syntax::{Diagnostic, Diagnostics, Place};
use groma_value::{Mark, Str, Type, Value};

use rustc_hash::FxHashMap;

use crate::codes;
use crate::facts::{ImportedObject, PlanFacts};
use crate::find;
use crate::targets::TargetSelection;

/// Reports imports of the root module whose target is not declared; a target in a called module is checked here only for
/// programs that do not check it when they validate the code.
pub(crate) fn check(project: &Project, out: &mut Diagnostics) {
    let conventions = project.conventions();
    for import in &project.root().imports {
        let Some(target) = &import.target else { continue };
        if (!conventions.import_targets_checked_early || target.modules.is_empty())
            && project.is_undeclared(target)
        {
            let detail = format!(
                "This imports into {target}, but no such resource is declared. Declare it, or remove the import."
            );
            let place = if conventions.blames_blocks { import.place } else { import.to };
            out.push(Diagnostic::error(&codes::IMPORT_TARGET, detail).at(place));
        }
    }
}

/// Evaluates the ids of all imports and stores the imported objects in `facts`. Imports of the root module take part in deciding
/// how many instances modules have.
pub(crate) fn gather(evaluation: &Evaluation, facts: &PlanFacts) {
    let mut imports: Vec<ImportReader<'_>> = ImportReader::of_root(evaluation);
    // Ids are evaluated on the way, so imports that depend on no resource come first.
    imports.sort_by_key(|importer| {
        refers(&importer.import().id) || refers(&importer.import().for_each)
    });
    facts.set_imports(imported_objects(&imports));
    let inner = ImportReader::of_modules(evaluation);
    if !inner.is_empty() {
        facts.set_inner_imports(imported_objects(&inner));
    }
}

/// Returns true if an expression, such as the id of an import, refers to a resource or module; false if it is missing.
fn refers(expression: &Option<Expression>) -> bool {
    let expression = expression.iter();
    expression.flat_map(|one| one.located.code.references()).any(|reference| {
        !matches!(&*reference.root, "var" | "local" | "each" | "path" | "terraform" | "tofu")
    })
}

/// Returns the objects that these blocks import, with their ids, by address.
fn imported_objects(imports: &[ImportReader<'_>]) -> FxHashMap<InstanceAddress, ImportedObject> {
    let mut found = FxHashMap::default();
    let silent = &mut Diagnostics::new();
    for importer in imports {
        for each in importer.elements(silent) {
            let id = importer.value_of_id(each.clone());
            // The object is created.
            if importer.conventions().empty_import_id_creates
                && id.id.as_deref().is_some_and(str::is_empty)
            {
                continue;
            }
            if let Some(target) = importer.target(each, silent).and_then(|one| one.instance()) {
                // If two imports disagree, neither counts, whichever comes first.
                let known = found.entry(target).or_insert_with(|| id.clone());
                if known.id != id.id {
                    *known = ImportedObject {
                        id: None,
                        is_known: false,
                        is_hidden: known.is_hidden || id.is_hidden,
                    };
                }
            }
        }
    }
    found
}

/// Reports errors of imports that depend on evaluated values, in called modules only within `scope` if a plan is limited.
pub(crate) fn check_values(
    evaluation: &Evaluation,
    scope: Option<&TargetSelection>,
    out: &mut Diagnostics,
) {
    let mut taken: BTreeMap<AddressPattern, Place> = BTreeMap::new();
    for importer in ImportReader::of_root(evaluation) {
        for each in importer.elements(out) {
            importer.check_id(each.clone(), out);
            importer.check_identity(each.clone(), out);
            let Some(target) = importer.target(each, out) else { continue };
            importer.check_exists(&target, out);
            if let Some(first) = taken.get(&target) {
                out.extend(importer.repeated_target(&target, *first));
            } else {
                taken.insert(target, importer.import().place);
            }
        }
    }
    // All instances of a module have the same faults.
    let mut found = Diagnostics::new();
    for importer in ImportReader::of_modules(evaluation) {
        if importer.is_out_of_scope(scope) {
            continue;
        }
        let problems = &importer.import().problems;
        if !problems.is_empty() {
            found.extend(problems.iter().cloned());
            continue;
        }
        for each in importer.elements(&mut found) {
            importer.check_id(each.clone(), &mut found);
            importer.check_identity(each.clone(), &mut found);
            if let Some(target) = importer.target(each, &mut found) {
                importer.check_exists(&target, &mut found);
            }
        }
    }
    for one in found {
        if !out.iter().any(|known| known.code == one.code && known.place == one.place) {
            out.push(one);
        }
    }
}

/// The key and value of one iteration of an import's `for_each`; `None` without `for_each`.
type Iteration = Option<(Value, Value)>;

/// A reader of an `import` block in one instance of the module that contains it.
struct ImportReader<'e> {
    evaluation: &'e Evaluation,
    module: ModuleInstance,
    /// The index of the block among the imports of the module.
    at: usize,
}

impl<'e> ImportReader<'e> {
    /// Returns the `import` blocks of the root module.
    fn of_root(evaluation: &'e Evaluation) -> Vec<ImportReader<'e>> {
        ImportReader::of_module(evaluation, &evaluation.root())
    }

    /// Returns the `import` blocks of a module in one of its instances.
    fn of_module(evaluation: &'e Evaluation, module: &ModuleInstance) -> Vec<ImportReader<'e>> {
        let all = 0..module.module().imports.len();
        all.map(|at| ImportReader { evaluation, module: module.clone(), at }).collect()
    }

    /// Returns the imports of called modules in each of their instances, except targets that an outer module imports.
    fn of_modules(evaluation: &'e Evaluation) -> Vec<ImportReader<'e>> {
        let project = evaluation.project();
        if project.nodes().skip(1).all(|node| node.module().imports.is_empty()) {
            return Vec::new();
        }
        // The depth of the outermost module that imports a resource, by its address without keys.
        let mut outermost: BTreeMap<ConfigAddress, usize> = BTreeMap::new();
        let mut rest = vec![(project.tree(), Vec::new())];
        while let Some((node, path)) = rest.pop() {
            for target in node.module().imports.iter().filter_map(|one| one.target.as_ref()) {
                let depth =
                    outermost.entry(target.below(&path).without_keys()).or_insert(path.len());
                *depth = path.len().min(*depth);
            }
            for (at, call) in node.module().calls.iter().enumerate() {
                let path: Vec<Str> = path.iter().chain([&call.name]).cloned().collect();
                if let Some(child) = node.child(at) {
                    rest.push((child, path));
                }
            }
        }
        // Module instances are created while their calls are evaluated; their faults are reported later.
        let is_call = |one: &DeclarationAddress| matches!(one.name(), DeclarationName::Call(_));
        evaluation.evaluate_where(Some(&is_call), &mut Diagnostics::new());
        let mut found = Vec::new();
        let mut rest = vec![evaluation.root()];
        while let Some(module) = rest.pop() {
            rest.extend(module.children());
            let path = module.path();
            let inner =
                ImportReader::of_module(evaluation, &module).into_iter().filter(|importer| {
                    let target = importer
                        .import()
                        .target
                        .as_ref()
                        .map(|target| importer.root_address(target));
                    let first = target.and_then(|target| outermost.get(&target.without_keys()));
                    !path.is_empty() && first.is_none_or(|first| *first >= path.len())
                });
            found.extend(inner);
        }
        found
    }

    /// Returns the declaration of the `import` block that this reader evaluates.
    fn import(&self) -> &Import {
        &self.module.module().imports[self.at]
    }

    /// Returns the address of a target relative to the root module, given one relative to the import's module.
    fn root_address(&self, target: &AddressPattern) -> AddressPattern {
        let modules = self.module.path().iter().chain(&target.modules).cloned();
        AddressPattern { modules: modules.collect(), resource: target.resource.clone() }
    }

    /// Returns true if `-target` or `-exclude` leaves the import's target out of the plan.
    fn is_out_of_scope(&self, scope: Option<&TargetSelection>) -> bool {
        let target = self.import().target.as_ref();
        let whole = target.and_then(|target| self.root_address(target).instance());
        scope.zip(whole).is_some_and(|(scope, whole)| !scope.contains_declaration(&(&whole).into()))
    }

    /// Returns the conventions of the project's edition.
    fn conventions(&self) -> &Conventions {
        self.evaluation.project().conventions()
    }

    /// Returns the iterations of the block; empty if they are not known. Errors are reported.
    fn elements(&self, out: &mut Diagnostics) -> Vec<Iteration> {
        let Some(for_each) = &self.import().for_each else { return vec![None] };
        let before = out.error_count();
        let value = self.module.evaluate(for_each, None, out);
        if out.error_count() > before {
            return Vec::new();
        }
        let wrong = |detail: &str, out: &mut Diagnostics| {
            out.push(Diagnostic::error(&codes::IMPORT_FOR_EACH, detail).at(for_each.place()));
            Vec::new()
        };
        let (bare, marks) = value.unmark();
        if self.conventions().strict_import_for_each && marks.contains(&Mark::Sensitive) {
            let detail = "for_each of an import cannot be sensitive, because its keys are shown in addresses. Remove the mark with nonsensitive(…).";
            return wrong(detail, out);
        }
        let is_pending = match &bare {
            // Only the requested entries of a map are evaluated.
            Value::Map(_) | Value::Object(_) if self.conventions().import_maps_may_be_pending => {
                false
            }
            Value::Unknown(_) => self.evaluation.is_pending(&bare),
            other => !other.is_wholly_known() && self.evaluation.has_pending(other),
        };
        if is_pending {
            let detail = "for_each of an import has to be known before the apply.";
            return wrong(detail, out);
        }
        let numbered = |items: &[Value]| {
            items.iter().enumerate().map(|(at, item)| (Value::position(at), item.clone())).collect()
        };
        let named = |(name, value): (&Str, &Value)| (Value::String(name.clone()), value.clone());
        let pairs: Vec<(Value, Value)> = match &bare {
            Value::Map(map) => map.entries().iter().map(|(name, one)| named((name, one))).collect(),
            Value::Object(object) => object.iter().map(named).collect(),
            Value::Set(set) => {
                let is_text = |item: &&Value| matches!(item.bare(), Value::String(_));
                let texts = set.items().iter().filter(is_text);
                texts.map(|item| (item.clone(), item.clone())).collect()
            }
            Value::List(list) => numbered(list.items()),
            Value::Tuple(tuple) => numbered(tuple.items()),
            Value::Unknown(_) => Vec::new(),
            _ => {
                let detail =
                    "for_each of an import takes a collection: a map, an object, a set or a list.";
                return wrong(detail, out);
            }
        };
        pairs.into_iter().map(Some).collect()
    }

    /// Returns the object to import in one iteration of the block, with its evaluated id.
    fn value_of_id(&self, each: Iteration) -> ImportedObject {
        let value = self
            .import()
            .id
            .as_ref()
            .map(|id| self.module.evaluate(id, each, &mut Diagnostics::new()));
        let is_hidden = value.as_ref().is_some_and(|value| value.deep_marks().hide());
        let text = value.map(|value| groma_value::convert(value.bare(), &Type::String));
        match text {
            // A refused id is recorded nowhere.
            Some(Ok(_)) if is_hidden && self.conventions().import_ids_shown => {
                ImportedObject { id: None, is_known: false, is_hidden }
            }
            Some(Ok(Value::String(id))) => {
                ImportedObject { id: Some(id), is_known: true, is_hidden }
            }
            _ => ImportedObject { id: None, is_known: false, is_hidden },
        }
    }

    /// Reports errors in the import id of one iteration of the block.
    fn check_id(&self, each: Iteration, out: &mut Diagnostics) {
        let Some(id) = &self.import().id else { return };
        let before = out.error_count();
        let value = self.module.evaluate(id, each, out);
        if out.error_count() > before {
            return;
        }
        let problem = match self.evaluation.is_pending(&value) {
            true => {
                Some("it is not known before the apply. Compute it from known values".to_owned())
            }
            false => Import::problem_of_id(&value, self.conventions()),
        };
        if let Some(problem) = problem {
            let detail = format!("This cannot be the id of an import: {problem}.");
            out.push(Diagnostic::error(&codes::IMPORT_ID, detail).at(id.place()));
        }
    }

    /// Reports an import identity, in one iteration of the block, that is not known or not supported by the provider.
    fn check_identity(&self, each: Iteration, out: &mut Diagnostics) {
        let Some(identity) = &self.import().identity else { return };
        let before = out.error_count();
        let value = self.module.evaluate(identity, each, out);
        if out.error_count() > before {
            return;
        }
        let kind = self.import().target.as_ref().and_then(|target| target.resource.as_ref());
        let detail = if self.evaluation.has_pending(&value) {
            "The identity has to be known before the apply, and a part of this one is not. Compute it from known values."
        } else if kind.is_some_and(|wanted| built_in::is_data(wanted.mode, &wanted.kind)) {
            "A terraform_data has no identity other than its id: write id instead of identity."
        } else {
            return;
        };
        out.push(Diagnostic::error(&codes::IMPORT_IDENTITY, detail).at(identity.place()));
    }

    /// Returns the target address of one iteration of the block, with all keys; `None` if a key is unknown or invalid.
    fn target(&self, each: Iteration, out: &mut Diagnostics) -> Option<AddressPattern> {
        let mut target = self.import().target.clone()?;
        for open in &self.import().keys {
            let before = out.error_count();
            let value = self.module.evaluate(&open.value, each.clone(), out);
            if out.error_count() > before {
                return None;
            }
            let (bare, marks) = value.unmark();
            let problem = match &bare {
                _ if marks.contains(&Mark::Sensitive) => "is sensitive, and addresses are shown",
                Value::Null(_) => "is null",
                Value::Unknown(_) if self.evaluation.is_pending(&value) => {
                    "is not known before the apply"
                }
                Value::Unknown(_) => return None,
                Value::String(_) | Value::Decimal(_) | Value::Real(_) => "",
                _ => "is neither a string nor a number",
            };
            if !problem.is_empty() {
                let detail = format!(
                    "This key of the address {problem}. Compute it from known values that can be a key."
                );
                out.push(Diagnostic::error(&codes::IMPORT_KEY, detail).at(open.place));
                return None;
            }
            let key = InstanceKey::of(&bare)?;
            match open.call {
                Some(call) => target.modules = target.modules.with_key(call, key)?,
                None => target.resource.as_mut()?.key = key,
            }
        }
        Some(self.root_address(&target))
    }

    /// Reports an import target that is not among the declared instances of its resource; nothing while these are unknown.
    fn check_exists(&self, target: &AddressPattern, out: &mut Diagnostics) {
        let Some(wanted) = &target.resource else { return };
        let modules = find::below(&self.evaluation.root(), &target.modules);
        let exists = modules.iter().any(|module| {
            let at = module.module().resource_position(wanted.mode, &wanted.kind, &wanted.name);
            at.is_some_and(|at| {
                // The number of instances may be unknown.
                let is_open = module.instances(at).next().is_none()
                    && !self.import().computed
                    && !(self.conventions().unkeyed_imports_need_instances
                        && wanted.key == InstanceKey::None);
                let is_single = matches!(
                    module.module().resources[at].repetition,
                    Repetition::Single | Repetition::Enabled(_)
                );
                let is_whole =
                    wanted.key == InstanceKey::None && self.import().keys.is_empty() && is_single;
                let is_there = module.is_declared(at, &wanted.key);
                is_whole || is_open || module.has_unknown_instances(at) || is_there
            })
        });
        if exists || modules.is_empty() && !self.is_decidable(target) {
            return;
        }
        let detail = format!(
            "This imports into {target}, but there is no such instance. Change the key, or the instances of the resource."
        );
        let missing = Diagnostic::error(&codes::IMPORT_TARGET, detail);
        out.push(match self.conventions().blames_blocks {
            true => missing
                .at(self.import().place)
                .note_at("This is the target of the import.", self.import().to),
            false => missing.at(self.import().to),
        });
    }

    /// Returns true if it can be decided whether a target exists: the module calls that lead to it are installed and have known
    /// instances.
    fn is_decidable(&self, target: &AddressPattern) -> bool {
        let mut at = self.evaluation.root();
        for (name, key) in &target.modules {
            let Some(call) = at.module().call_position(name) else { return false };
            if !at.is_installed(call) || at.has_unknown_call_instances(call) {
                return false;
            }
            match at.child(call, key) {
                Some(child) => at = child,
                // In a called module a missing instance is skipped.
                None => return self.module.path().is_empty() || is_unfitting(&at, call, key),
            }
        }
        true
    }

    /// Returns the diagnostic for a target that an earlier import imports already; `None` for programs that allow it.
    fn repeated_target(&self, target: &AddressPattern, first: Place) -> Option<Diagnostic> {
        if !self.conventions().refuses_repeated_imports {
            return None;
        }
        let detail = format!("{target} is already imported. Remove one of the two.");
        let twice = Diagnostic::error(&codes::DUPLICATE_IMPORT, detail).at(self.import().place);
        Some(if first == self.import().place {
            twice
        } else {
            twice.note_at("The first is here.", first)
        })
    }
}

/// Returns true if no instance of a call could have this key, whatever the number of instances.
fn is_unfitting(module: &ModuleInstance, call: usize, key: &InstanceKey) -> bool {
    let repetition = &module.module().calls[call].repetition;
    !matches!(
        (repetition, key),
        (Repetition::Single | Repetition::Enabled(_), InstanceKey::None)
            | (Repetition::Count(_), InstanceKey::Number(_))
            | (Repetition::Each(_), InstanceKey::Text(_))
    )
}
