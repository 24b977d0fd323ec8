//! Validation of `import` blocks: targets must be declared and ids valid.

use std::sync::Arc;

use groma_config::{
    AddressPattern, InstanceKey, ResourceMode, ResourceTarget, implied_provider, sentence,
};
use groma_eval::{Context, LayeredScope, NamedValues, Scope, Step, news};
use groma_module::declare::{Expression, Import, Module, Referent};
use groma_module::resolve::{Multiplicity, Surroundings};
use groma_syntax::{Diagnostic, Diagnostics};
use groma_value::schema::{NestedObjects, NestingMode};
use groma_value::{Str, Type, Value, print};

use crate::codes;
use crate::tree::{CalledModule, ModuleId, TreeModule, target};
use crate::validate::ModuleValidator;

impl ModuleValidator<'_> {
    /// Validates the `import` blocks of a module, or reports them where only the root module may contain any.
    pub(super) fn imports(&self, module: &Module, out: &mut Diagnostics) {
        for import in &module.imports {
            let is_root = self.node.parent.is_none();
            if !is_root && self.project.conventions.imports_below_root {
                // Everything else shows in a plan.
                self.target(import, &ImportElements::One, &self.context, out);
                continue;
            }
            if !is_root {
                let detail = "Only the root module can import objects. Move this block there, and write the address from the root.";
                let edition = self.project.edition;
                let found = news::refuse(&codes::IMPORT_BELOW_ROOT, detail, edition);
                out.push(found.at(import.place));
                continue;
            }
            if target::is_read(&self.project.nodes, import, &self.project.conventions) {
                self.import(import, out);
            }
        }
    }

    /// Validates an `import` block: its `for_each`, target, identity and id.
    fn import(&self, import: &Import, out: &mut Diagnostics) {
        let mut elements = ImportElements::One;
        if let Some(for_each) = &import.for_each {
            let value = self.evaluate(for_each, &self.context, out);
            let is_strict = self.project.conventions.strict_import_for_each;
            let problem = match value.ty() {
                Type::Dynamic if is_strict && value.is_null() => Some(
                    "for_each of an import is null. Give a collection, an empty one for no imports.",
                ),
                Type::Bool | Type::Number | Type::String => Some(
                    "for_each of an import takes a collection: a map, an object, a set or a list.",
                ),
                Type::List(_) if is_strict => Some(
                    "for_each of an import takes a map, an object, a tuple or a set of strings, but this is a list. Convert it to a set with toset(…).",
                ),
                Type::Set(of) if is_strict && !matches!(&*of, Type::String | Type::Dynamic) => {
                    Some(
                        "for_each of an import takes a set of strings, but this set contains other values. Use a map, or convert its elements to strings.",
                    )
                }
                Type::Set(_) if is_strict && holds_null(&value) => Some(
                    "for_each of an import takes a set of strings, but this set contains null. Leave it out.",
                ),
                _ => None,
            };
            if let Some(detail) = problem {
                out.push(Diagnostic::error(&codes::IMPORT_FOR_EACH, detail).at(for_each.place()));
            }
            elements = ImportElements::of(&value);
        }
        let around = Surroundings::of_import(import);
        let plain = self.within(&around);
        let own = self.target(import, &elements, &plain, out);
        let conventions = self.project.conventions;
        if conventions.import_identity {
            let sources = import.for_each.iter().chain(&import.id);
            sources.for_each(|expression| report_self_references(expression, own, out));
        }
        if let Some(identity) = &import.identity {
            self.identity(import, identity, &plain, out);
        }
        let Some(id) = &import.id else { return };
        if conventions.refuses_own_import_id
            && !conventions.import_identity
            && id_refers_to_target(import, id)
        {
            let detail = "The id of an import cannot come from the imported object.";
            out.push(Diagnostic::error(&codes::IMPORT_ID, detail).at(id.place()));
            return;
        }
        for context in elements.contexts(&plain) {
            let before = out.error_count();
            let value = self.evaluate(id, &context, out);
            if out.error_count() > before {
                return;
            }
            if let Some(problem) = Import::problem_of_id(&value, &conventions)
                && (value.is_known() || is_invalid_id_type(&value))
            {
                let detail = format!("This cannot be the id of an import: {problem}.");
                out.push(Diagnostic::error(&codes::IMPORT_ID, detail).at(id.place()));
                return;
            }
        }
    }

    /// Reports an import identity that is not an object or does not fit the provider's schema.
    fn identity(
        &self,
        import: &Import,
        identity: &Expression,
        context: &Context,
        out: &mut Diagnostics,
    ) {
        let before = out.error_count();
        let value = self.evaluate(identity, context, out);
        if out.error_count() > before {
            return;
        }
        let kind = import.target.as_ref().and_then(|target| target.resource.as_ref());
        let schema = kind.and_then(|wanted| {
            let local = implied_provider(&wanted.kind);
            self.schemas.identity(&self.providers.source(local), &wanted.kind)
        });
        let problem = match (value.bare(), value.ty()) {
            (Value::Null(_), _) => Some(
                "it is null. Give an object with the identity attributes of the provider".into(),
            ),
            (_, Type::Dynamic) => None,
            (_, Type::Object(_) | Type::Map(_)) => {
                let shape = schema.map(|schema| {
                    NestedObjects::new(NestingMode::Single, schema.block.attributes().to_vec())
                        .written_type()
                });
                let why = shape
                    .and_then(|shape| groma_value::convert(&value.unmark_deep().0, &shape).err());
                why.map(|why| sentence(&why))
            }
            (_, ty) => Some(format!("it is {}, but an object is needed", print::with_article(&ty))),
        };
        if let Some(problem) = problem {
            let detail = format!("This cannot be the identity of an import: {problem}.");
            out.push(Diagnostic::error(&codes::IMPORT_IDENTITY, detail).at(identity.place()));
        }
    }

    /// Reports an import whose target is not declared, and returns the target's index in the root module if it is declared there;
    /// `plain` is the context that `elements` extend by `each`. A resource of the root may be generated later.
    fn target(
        &self,
        import: &Import,
        elements: &ImportElements,
        plain: &Context,
        out: &mut Diagnostics,
    ) -> Option<u32> {
        let target = import.target.as_ref()?;
        let wanted = target.resource.as_ref()?;
        let is_early = self.project.conventions.import_targets_checked_early;
        let is_root = self.node.parent.is_none();
        let node = self.target_module(import, target, out)?;
        let found = node.module.resources.iter().position(|resource| {
            resource.mode == ResourceMode::Managed
                && resource.kind == wanted.kind
                && resource.name == wanted.name
        });
        let Some(at) = found else {
            if let Some(detail) = self.undeclared(import, target, elements) {
                out.push(Diagnostic::error(&codes::IMPORT_TARGET, detail).at(import.to));
            }
            return None;
        };
        if let Some(asked) = &import.provider
            && (!target.modules.is_empty()
                || node.module.resources[at].provider() != asked.name.as_ref())
        {
            let detail = format!(
                "{target} is declared, and its own block determines its provider. Remove the argument here, or use the same in both."
            );
            out.push(Diagnostic::error(&codes::IMPORT_PROVIDER, detail).at(asked.place));
        }
        if !is_root {
            return None;
        }
        let shape = node.module.names.resource_shape(at as u32);
        // Elsewhere a plan checks the keys.
        if is_early {
            let keys = self.keys(import, &wanted.key, elements, plain);
            if let Some(detail) = keys.iter().find_map(|key| key_misfit(shape, wanted, key)) {
                out.push(Diagnostic::error(&codes::IMPORT_KEY, detail).at(import.to));
            }
        }
        target.modules.is_empty().then_some(at as u32)
    }

    /// Returns the module that contains the target of an import; `None` if it is not available. Reports a call that is missing,
    /// unless a plan looks for it.
    fn target_module(
        &self,
        import: &Import,
        target: &AddressPattern,
        out: &mut Diagnostics,
    ) -> Option<&TreeModule> {
        let mut node = self.node;
        for (name, _) in &target.modules {
            let calls = &node.module.calls;
            let child =
                calls.iter().position(|call| call.name == *name).map(|at| &node.children[at]);
            node = match child {
                Some(CalledModule::Module(ModuleId(id))) => &self.project.nodes[*id as usize],
                Some(CalledModule::Absent) => return None,
                None => {
                    if self.project.conventions.import_targets_checked_early {
                        let detail = format!(
                            "This imports {target}, but no module \"{}\" is called there. Remove the import, or call the module.",
                            &**name
                        );
                        out.push(Diagnostic::error(&codes::IMPORT_TARGET, detail).at(import.to));
                    }
                    return None;
                }
            };
        }
        Some(node)
    }

    /// Returns the error that the resource `target` of an import is not declared; `None` if only a plan tells whether that is an
    /// error. `elements` are the iterations of the import's `for_each`.
    fn undeclared(
        &self,
        import: &Import,
        target: &AddressPattern,
        elements: &ImportElements,
    ) -> Option<String> {
        let is_keyed = |resource: &ResourceTarget| resource.key != InstanceKey::None;
        if self.node.parent.is_some() {
            return Some(format!(
                "This imports {target}, but no such resource is declared in the module. Declare it, or remove the import."
            ));
        }
        if !self.project.conventions.import_targets_checked_early {
            return None;
        }
        if !target.modules.is_empty() {
            return Some(format!(
                "This imports {target}, but the module declares no such resource. Declare it there, or remove the import."
            ));
        }
        match import.computed {
            true => elements.are_known().then(|| format!(
                "This imports instances of {target}, but no such resource is declared. Declare it with for_each or count."
            )),
            false => target.resource.as_ref().is_some_and(is_keyed).then(|| format!(
                "This imports into {target}, but no such resource is declared. Declare it with for_each or count."
            )),
        }
    }

    /// Returns the keys, as far as known, of the instances that an import imports: `written`, or the key computed for each of its
    /// `elements`, in the context `plain` extended by `each`.
    fn keys(
        &self,
        import: &Import,
        written: &InstanceKey,
        elements: &ImportElements,
        plain: &Context,
    ) -> Vec<InstanceKey> {
        if import.for_each.is_some() && !elements.are_known() {
            return Vec::new();
        }
        let open = import.keys.iter().find(|key| key.call.is_none());
        let key = |context: Context| {
            let Some(open) = open else { return Some(written.clone()) };
            match self.evaluate(&open.value, &context, &mut Diagnostics::new()).bare() {
                Value::String(text) => Some(InstanceKey::Text(text.clone())),
                key => key.as_position().map(InstanceKey::Number),
            }
        };
        elements.contexts(plain).filter_map(key).collect()
    }
}

/// Reports references to the resource that an `import` block imports, with the index `own`, in an expression of the block.
fn report_self_references(expression: &Expression, own: Option<u32>, out: &mut Diagnostics) {
    let Some(own) = own else { return };
    let is_own =
        |used: &&groma_module::declare::ReferentUse| used.target == Referent::Resource(own);
    let Some(used) = expression.uses.iter().find(is_own) else { return };
    let located = &expression.located;
    if let Some(reference) = located.code.references().get(used.reference as usize) {
        let detail = "This refers to the imported resource, which does not exist before the import. Write it without the resource.";
        out.push(
            Diagnostic::error(&codes::IMPORT_ITSELF, detail).at(located.place(reference.span)),
        );
    }
}

/// Maximum number of elements of an import's `for_each` that are evaluated one by one; further ones are not validated.
const ELEMENT_LIMIT: usize = 1_000;

/// The iterations of an `import` block: one without `for_each`, else one for each element.
enum ImportElements {
    /// A single one: there is no `for_each`, or its elements are unknown and one represents all.
    One,
    /// The value of `each` in every iteration.
    Each(Vec<Value>),
}

impl ImportElements {
    /// Returns the iterations of an import for the value of its `for_each`.
    fn of(value: &Value) -> ImportElements {
        let each = |key: Value, value: &Value| {
            Value::object([(Str::from("key"), key), (Str::from("value"), value.clone())])
        };
        let numbered = |items: &[Value]| {
            let all = items.iter().enumerate().take(ELEMENT_LIMIT);
            all.map(|(at, item)| each(Value::int(at as i64), item)).collect()
        };
        ImportElements::Each(match value.bare() {
            Value::Map(map) => {
                let entries = map.entries().iter().take(ELEMENT_LIMIT);
                entries.map(|(key, value)| each(Value::String(key.clone()), value)).collect()
            }
            Value::Object(object) => {
                let attributes = object.iter().take(ELEMENT_LIMIT);
                attributes.map(|(key, value)| each(Value::String(key.clone()), value)).collect()
            }
            Value::Set(set) => set
                .items()
                .iter()
                .take(ELEMENT_LIMIT)
                .map(|item| each(item.clone(), item))
                .collect(),
            Value::List(list) => numbered(list.items()),
            Value::Tuple(tuple) => numbered(tuple.items()),
            _ => return ImportElements::One,
        })
    }

    /// Returns true if all iterations of the import are known.
    fn are_known(&self) -> bool {
        matches!(self, ImportElements::Each(_))
    }

    /// Returns the evaluation context of each iteration of an import; `plain` is that of the block without `each`.
    fn contexts(&self, plain: &Context) -> impl Iterator<Item = Context> {
        let each = match self {
            ImportElements::One => &[],
            ImportElements::Each(all) => all.as_slice(),
        };
        let one = (!self.are_known()).then(|| plain.clone());
        one.into_iter().chain(each.iter().map(|element| {
            let mut names = NamedValues::new();
            names.insert("each", element.clone());
            let below = plain.scope.clone();
            let scope: Arc<dyn Scope> = Arc::new(LayeredScope { names, below });
            Context { scope, ..plain.clone() }
        }))
    }
}

/// Returns true if the type of a value alone makes it invalid as the id of an import.
fn is_invalid_id_type(value: &Value) -> bool {
    groma_value::convert(value.bare(), &Type::String).is_err()
}

/// Returns true if an import's id refers to the imported resource.
fn id_refers_to_target(import: &Import, id: &Expression) -> bool {
    let Some(target) = &import.target else { return false };
    let Some(resource) = target.resource.as_ref().filter(|_| target.modules.is_empty()) else {
        return false;
    };
    id.located.code.references().iter().any(|reference| {
        let name = match (&*reference.root, &*reference.steps) {
            ("resource", [Step::Attribute(kind), Step::Attribute(name), ..]) => (&**kind, name),
            (root, [Step::Attribute(name), ..]) => (root, name),
            _ => return false,
        };
        name.0 == &*resource.kind && *name.1 == resource.name
    })
}

/// Returns the reason why `wanted`, the target of an import, cannot have an instance with this key, given its multiplicity;
/// `None` if it can.
fn key_misfit(shape: Multiplicity, wanted: &ResourceTarget, key: &InstanceKey) -> Option<String> {
    let name = format!("{}.{}", &*wanted.kind, &*wanted.name);
    match (shape, key) {
        (Multiplicity::One, InstanceKey::None)
        | (Multiplicity::Numbered, InstanceKey::Number(_))
        | (Multiplicity::Keyed, InstanceKey::Text(_)) => None,
        (Multiplicity::One, _) => {
            Some(format!("{name} has neither count nor for_each: leave out the key."))
        }
        (Multiplicity::Numbered, InstanceKey::None) => {
            Some(format!("{name} has count: choose an instance, as in {name}[0]."))
        }
        (Multiplicity::Keyed, InstanceKey::None) => {
            Some(format!("{name} has for_each: choose an instance, as in {name}[\"key\"]."))
        }
        (Multiplicity::Numbered, _) => {
            Some(format!("{name} has count, so its keys are numbers, as in {name}[0]."))
        }
        (Multiplicity::Keyed, _) => {
            Some(format!("{name} has for_each, so its keys are text, as in {name}[\"key\"]."))
        }
    }
}

/// Returns true if a set contains null.
fn holds_null(set: &Value) -> bool {
    matches!(set.bare(), Value::Set(set) if set.items().iter().any(Value::is_null))
}
