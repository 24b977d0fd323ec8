//! Resolution of references among the declarations of a module. Every reference is resolved before evaluation, so an undeclared
//! name is reported even inside `try`.

use std::sync::Arc;

use groma_config::{ResourceMode, did_you_mean, implied_provider};
use groma_eval::{Reference, Step};
use groma_runtime::Edition;
use groma_value::schema::BlockSchema;
use groma_value::{Str, Value, nearest};
use rustc_hash::FxHashMap;

use crate::codes;
use crate::declare::{Module, Referent, Repetition};
use crate::dialect::Conventions;
use crate::resolve::callers::ActionCallers;
use crate::resolve::problem::{NewerEdition, ResolveProblem};
use crate::resolve::{ProviderRequirements, Surroundings, reach};

/// The kind of instances that a declaration has, for references to them: a single one, numbered or keyed ones.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Multiplicity {
    /// A single instance, or none.
    One,
    /// Instances with numbers, by `count`.
    Numbered,
    /// Instances with keys, by `for_each`.
    Keyed,
}

impl Multiplicity {
    /// Returns the multiplicity that a repetition gives to a declaration.
    pub fn of(repetition: &Repetition) -> Multiplicity {
        match repetition {
            Repetition::Single | Repetition::Enabled(_) => Multiplicity::One,
            Repetition::Count(_) => Multiplicity::Numbered,
            Repetition::Each(_) => Multiplicity::Keyed,
        }
    }
}

/// An index of the names declared in a module, with everything else that resolving a reference needs, such as multiplicities.
#[derive(Debug, Default)]
pub struct ModuleNames {
    variables: SortedNames,
    locals: SortedNames,
    outputs: SortedNames,
    calls: SortedNames,
    call_shapes: Vec<Multiplicity>,
    resource_shapes: Vec<Multiplicity>,
    /// The `check` block of each scoped data source.
    resource_checks: FxHashMap<u32, Str>,
    /// The schema of each resource, if known.
    resource_blocks: Vec<Option<Arc<BlockSchema>>>,
    /// The providers whose functions may be called.
    pub requirements: ProviderRequirements,
    /// True if `action` and `list` begin references.
    has_actions: bool,
    /// True if deprecated attributes are reported for values and not for references.
    advises_by_values: bool,
    /// True if actions have callers.
    pub(crate) has_callers: bool,
    /// The callers of actions.
    callers: ActionCallers,
    /// Root names of references to the current run.
    pub run_roots: &'static [&'static str],
    /// Type keywords that are valid as references.
    type_words: &'static [&'static str],
    /// The addresses of the resources, sorted.
    addresses: Box<[(ResourceMode, Str, Str)]>,
    /// The newer edition, if the module's edition is newer than the known ones.
    newer: Option<NewerEdition>,
}

/// The sorted names of the declarations of one kind; each name is at the index of its declaration.
#[derive(Debug, Default)]
struct SortedNames(Box<[Str]>);

impl SortedNames {
    /// Collects the names of declarations that are sorted by name.
    fn of<T>(items: &[T], name: impl Fn(&T) -> &Str) -> SortedNames {
        SortedNames(items.iter().map(|item| name(item).clone()).collect())
    }

    /// Returns the index of the declaration with this name; `None` if there is none.
    fn position(&self, name: &str) -> Option<u32> {
        self.0.binary_search_by(|own| (**own).cmp(name)).ok().map(|at| at as u32)
    }
}

impl ModuleNames {
    /// Builds the index of the names that a module declares.
    pub(crate) fn of(
        module: &Module,
        requirements: ProviderRequirements,
        conventions: &Conventions,
        edition: Edition,
    ) -> ModuleNames {
        let keys = module.resources.iter().map(|r| (r.mode, r.kind.clone(), r.name.clone()));
        let checks = module.resources.iter().enumerate();
        let mut names = ModuleNames {
            variables: SortedNames::of(&module.variables, |v| &v.name),
            locals: SortedNames::of(&module.locals, |l| &l.name),
            outputs: SortedNames::of(&module.outputs, |o| &o.name),
            calls: SortedNames::of(&module.calls, |c| &c.name),
            call_shapes: module.calls.iter().map(|c| Multiplicity::of(&c.repetition)).collect(),
            resource_shapes: module
                .resources
                .iter()
                .map(|r| Multiplicity::of(&r.repetition))
                .collect(),
            resource_blocks: module.resources.iter().map(|one| one.block()).collect(),
            resource_checks: checks
                .filter_map(|(at, resource)| Some((at as u32, resource.check.clone()?)))
                .collect(),
            requirements,
            has_actions: conventions.has_actions,
            advises_by_values: conventions.advises_by_values(),
            has_callers: conventions.has_callers,
            callers: ActionCallers::default(),
            run_roots: conventions.run_roots,
            type_words: conventions.type_words,
            addresses: keys.collect(),
            newer: NewerEdition::of(module, edition),
        };
        if names.has_callers {
            names.callers =
                ActionCallers::of(&module.resources, &|kind, name| names.action(kind, name));
        }
        names
    }

    /// Returns the indices of the resources that trigger an action, ascending; empty in editions without `caller`.
    pub fn callers_of(&self, action: u32) -> Arc<[u32]> {
        self.callers.of_action(action)
    }

    /// Returns the address of the resource at an index.
    pub(crate) fn address_of(&self, at: u32) -> String {
        let own = self.addresses.get(at as usize);
        own.map_or_else(String::new, |(mode, kind, name)| address(*mode, kind, name))
    }

    /// Returns the module's edition if it is newer than the known ones and the root name `root` may be a keyword in it; otherwise
    /// `None`.
    fn newer_with(&self, root: &str) -> Option<Edition> {
        self.newer.as_ref().filter(|newer| newer.may_know(root)).map(NewerEdition::edition)
    }

    /// Returns the module's edition if it is newer than the known ones; otherwise `None`.
    fn newer(&self) -> Option<Edition> {
        self.newer.as_ref().map(NewerEdition::edition)
    }

    /// Returns the index of the variable with this name; `None` if it is not declared.
    pub fn variable(&self, name: &str) -> Option<u32> {
        self.variables.position(name)
    }

    /// Returns the index of the local value with this name; `None` if it is not declared.
    pub fn local(&self, name: &str) -> Option<u32> {
        self.locals.position(name)
    }

    /// Returns the index of the output with this name; `None` if it is not declared.
    pub fn output(&self, name: &str) -> Option<u32> {
        self.outputs.position(name)
    }

    /// Returns the index among the resources of the action with this type and name; `None` if it is not declared.
    pub fn action(&self, kind: &Str, name: &Str) -> Option<u32> {
        self.resource(ResourceMode::Action, kind, name)
    }

    /// Returns the index of the module call with this name; `None` if it is not declared.
    pub fn call(&self, name: &str) -> Option<u32> {
        self.calls.position(name)
    }

    /// Returns the index of the resource with this mode, type and name; `None` if it is not declared.
    pub fn resource(&self, mode: ResourceMode, kind: &str, name: &str) -> Option<u32> {
        let order = |(own_mode, own_kind, own_name): &(ResourceMode, Str, Str)| {
            (*own_mode, &**own_kind, &**own_name).cmp(&(mode, kind, name))
        };
        self.addresses.binary_search_by(order).ok().map(|at| at as u32)
    }

    /// Returns the problem of a reference to an undeclared action.
    pub(crate) fn no_action(&self, kind: &Str, name: &Str) -> ResolveProblem {
        self.undeclared_resource(ResourceMode::Action, kind, name)
    }

    /// Returns the multiplicity of the module call at an index.
    pub fn call_shape(&self, call: u32) -> Multiplicity {
        self.call_shapes.get(call as usize).copied().unwrap_or(Multiplicity::One)
    }

    /// Returns the multiplicity of the resource at an index.
    pub fn resource_shape(&self, resource: u32) -> Multiplicity {
        self.resource_shapes.get(resource as usize).copied().unwrap_or(Multiplicity::One)
    }

    /// Returns the hint that suggests the most similar of the declared names; empty if none is similar.
    fn nearest(names: &SortedNames, name: &str) -> String {
        did_you_mean(name, names.0.iter().map(|own| &**own))
    }

    /// Returns the name of the attribute that a reference selects, if the provider declares it deprecated; `None` otherwise, and
    /// in editions that report this where values are used, not where references name the attribute.
    pub fn deprecated<'r>(&self, target: &Referent, reference: &'r Reference) -> Option<&'r str> {
        if self.advises_by_values {
            return None;
        }
        let Referent::Resource(at) = target else { return None };
        let block = self.resource_blocks.get(*at as usize)?.as_ref()?;
        let from = match &*reference.root {
            "data" | "ephemeral" | "resource" => 2,
            _ => 1,
        };
        let is_key = |step: &&Step| !matches!(step, Step::Attribute(_));
        let Some(Step::Attribute(name)) = reference.steps.get(from..)?.iter().find(|s| !is_key(s))
        else {
            return None;
        };
        block.attribute(name).filter(|attribute| attribute.deprecated)?;
        Some(name)
    }

    /// Returns the declaration or built-in name that a reference refers to, among the names visible `around` it, or the problem.
    pub fn resolve(
        &self,
        reference: &Reference,
        around: &Surroundings,
    ) -> Result<Referent, ResolveProblem> {
        let root = &*reference.root;
        let steps = &reference.steps;
        // The iterator of a dynamic block shadows all other names.
        if around.iterators.iter().any(|name| **name == *root) {
            return Ok(Referent::Settled);
        }
        match root {
            "var" => self.named(reference, &self.variables, "variable", Referent::Variable),
            "local" => self.named(reference, &self.locals, "local value", Referent::Local),
            "module" => self.resolve_call(reference),
            "path" => known(reference, &["cwd", "module", "root"], "path.module")
                .map_err(|problem| problem.with_newer_edition(self.newer())),
            run if self.run_roots.contains(&run) => {
                known(reference, &["applying", "workspace"], &format!("{run}.workspace"))
                    .map_err(|problem| problem.with_newer_edition(self.newer()))
            }
            "count" => {
                known(reference, &["index"], "count.index")?;
                let what = "\"count.index\" is available only inside a block that sets \"count\".";
                if around.count { Ok(Referent::Settled) } else { Err(uncounted(what, around)) }
            }
            "each" => {
                known(reference, &["key", "value"], "each.key")?;
                let what = "\"each\" is available only inside a block that sets \"for_each\".";
                if around.each { Ok(Referent::Settled) } else { Err(uncounted(what, around)) }
            }
            "self" if around.callers.is_none() => self.resolve_own(reference, around),
            "self" | "caller" if self.has_callers => self.resolve_caller(reference, around),
            "data" => self.resolve_resource(ResourceMode::Data, steps, 0, root, around),
            "ephemeral" => self.resolve_resource(ResourceMode::Ephemeral, steps, 0, root, around),
            "resource" => self.resolve_resource(ResourceMode::Managed, steps, 0, root, around),
            "list" if self.has_actions => {
                self.resolve_resource(ResourceMode::List, steps, 0, root, around)
            }
            "action" if self.has_actions => Err(no_value(steps)),
            word if steps.is_empty() && self.type_words.contains(&word) => Ok(Referent::TypeWord),
            _ => self
                .resolve_bare(reference, around)
                .map_err(|problem| problem.with_newer_edition(self.newer_with(root))),
        }
    }

    /// Resolves a reference to `self`, the surrounding resource; the problem is that there is no resource, or no such attribute.
    fn resolve_own(
        &self,
        reference: &Reference,
        around: &Surroundings,
    ) -> Result<Referent, ResolveProblem> {
        let Some(own) = around.own else {
            return Err(misplaced(
                "\"self\" is available only in postconditions, provisioners and connections. Write the resource's own address instead.",
            ));
        };
        self.reach(own, "self", &reference.steps)?;
        Ok(Referent::Settled)
    }

    /// Returns the problem of a reference whose steps do not exist in the schema of the resource at an index; `whose` is
    /// what messages call this resource; without a schema any steps are accepted.
    pub(super) fn reach(
        &self,
        resource: u32,
        whose: &str,
        steps: &[Step],
    ) -> Result<(), ResolveProblem> {
        match self.resource_blocks.get(resource as usize) {
            Some(Some(block)) => reach(block, whose, steps).map_err(|detail| {
                let is_ours = self
                    .addresses
                    .get(resource as usize)
                    .is_some_and(|(_, kind, _)| implied_provider(kind) == "terraform");
                let newer = self.newer().filter(|_| is_ours);
                ResolveProblem::new(&codes::NO_SUCH_ATTRIBUTE, detail).with_newer_edition(newer)
            }),
            _ => Ok(()),
        }
    }

    /// Returns the declaration that the first step of a reference such as `var.x` names in the list `names`, as `target`
    /// builds it from its index, or the problem; `what` is the kind of declaration in messages.
    fn named(
        &self,
        reference: &Reference,
        names: &SortedNames,
        what: &str,
        target: fn(u32) -> Referent,
    ) -> Result<Referent, ResolveProblem> {
        let root = &*reference.root;
        let Some(Step::Attribute(name)) = reference.steps.first() else {
            let detail =
                format!("\"{root}\" alone is not a value: name the {what}, as in {root}.name.");
            return Err(ResolveProblem::new(&codes::INCOMPLETE_REFERENCE, detail));
        };
        match names.position(name) {
            Some(at) => Ok(target(at)),
            None => {
                let near = Self::nearest(names, name);
                let hint = match near.is_empty() {
                    true if root == "var" => {
                        format!(" Declare it with variable \"{}\" {{}}.", &**name)
                    }
                    _ => near,
                };
                let detail = format!("No {what} \"{}\" is declared in this module.{hint}", &**name);
                Err(ResolveProblem::new(&codes::UNDECLARED_REFERENCE, detail))
            }
        }
    }

    /// Resolves a reference to a module call or to one of its outputs.
    fn resolve_call(&self, reference: &Reference) -> Result<Referent, ResolveProblem> {
        let target = self.named(reference, &self.calls, "module", Referent::Call)?;
        let Referent::Call(call) = target else { return Ok(target) };
        let rest = reference.steps.get(1..).unwrap_or_default();
        let output = match (self.call_shape(call), rest) {
            (Multiplicity::One, [Step::Attribute(name), ..]) => Some(name),
            (Multiplicity::One, _) => None,
            (_, [Step::Index(_), Step::Attribute(name), ..]) => Some(name),
            _ => None,
        };
        Ok(match output {
            Some(name) => Referent::Output { call, name: name.clone() },
            None => Referent::Call(call),
        })
    }

    /// Resolves a reference whose root is not a keyword and therefore a resource type; without a name after it returns a problem.
    fn resolve_bare(
        &self,
        reference: &Reference,
        around: &Surroundings,
    ) -> Result<Referent, ResolveProblem> {
        let root = &*reference.root;
        if let Some(Step::Attribute(name)) = reference.steps.first() {
            return self.resolve_typed(
                ResourceMode::Managed,
                root,
                name,
                reference.steps.get(1..).unwrap_or_default(),
                around,
            );
        }
        let is_type = self
            .addresses
            .iter()
            .any(|(mode, kind, _)| *mode == ResourceMode::Managed && **kind == *root);
        let detail = if is_type {
            format!("\"{root}\" is a resource type: name the resource, as in {root}.name.")
        } else {
            let roots = [
                "count",
                "data",
                "each",
                "ephemeral",
                "local",
                "module",
                "path",
                "self",
                "terraform",
                "var",
            ];
            let near = did_you_mean(root, roots);
            let hint =
                if near.is_empty() { " Quote it if a string is meant.".to_owned() } else { near };
            format!(
                "\"{root}\" does not exist here: a reference starts with var, local, module, data or a resource type, followed by a name.{hint}"
            )
        };
        Err(ResolveProblem::new(&codes::INCOMPLETE_REFERENCE, detail))
    }

    /// Resolves a reference to a resource of a mode: its type is the step at index `from`, and its name the next; `root`,
    /// the root name of the reference, such as `data`, is quoted in messages.
    fn resolve_resource(
        &self,
        mode: ResourceMode,
        steps: &[Step],
        from: usize,
        root: &str,
        around: &Surroundings,
    ) -> Result<Referent, ResolveProblem> {
        match steps.get(from..) {
            Some([Step::Attribute(kind), Step::Attribute(name), rest @ ..]) => {
                self.resolve_typed(mode, kind, name, rest, around)
            }
            _ => {
                let detail = format!(
                    "\"{root}\" alone is not a value: add a type and a name, as in {root}.type.name."
                );
                Err(ResolveProblem::new(&codes::INCOMPLETE_REFERENCE, detail))
            }
        }
    }

    /// Resolves a reference to the resource with this type and name; `rest` are the steps after the name.
    fn resolve_typed(
        &self,
        mode: ResourceMode,
        kind: &str,
        name: &str,
        rest: &[Step],
        around: &Surroundings,
    ) -> Result<Referent, ResolveProblem> {
        let Some(at) = self.resource(mode, kind, name) else {
            return Err(self.undeclared_resource(mode, kind, name));
        };
        if let Some(check) = self.resource_checks.get(&at)
            && (around.check.as_ref() != Some(check) || around.resource == Some(at))
        {
            let detail = format!(
                "{} belongs to the check \"{}\", and only the assertions of that check can refer to it.",
                address(mode, kind, name),
                &**check
            );
            return Err(ResolveProblem::new(&codes::UNDECLARED_REFERENCE, detail));
        }
        let itself = |code| {
            let detail = format!(
                "{} refers to itself. Refer to the values that it is computed from instead.",
                address(mode, kind, name)
            );
            ResolveProblem::new(code, detail)
        };
        let is_own = around.resource == Some(at);
        if is_own && around.judging {
            return Err(itself(&codes::SELF_REFERENCE));
        }
        let address = address(mode, kind, name);
        let detail = match (self.resource_shape(at), rest.first()) {
            (Multiplicity::One, Some(Step::Index(_))) => format!(
                "{address} has neither \"count\" nor \"for_each\", so it is a single object: remove the key."
            ),
            (Multiplicity::Numbered, Some(Step::Attribute(attribute))) => format!(
                "{address} has \"count\", so it is a list of instances: choose one, as in {address}[0].{}.",
                &**attribute
            ),
            (Multiplicity::Keyed, Some(Step::Attribute(attribute))) => format!(
                "{address} has \"for_each\", so its instances have keys: choose one, as in {address}[\"key\"].{}.",
                &**attribute
            ),
            (shape, _) => {
                let rest = match (shape, rest) {
                    (Multiplicity::Numbered | Multiplicity::Keyed, [Step::Index(_), rest @ ..]) => {
                        rest
                    }
                    (Multiplicity::One, rest) => rest,
                    _ => &[],
                };
                self.reach(at, &address, rest)?;
                // Checked only by the plan, so faults of the remaining steps come first.
                return match is_own {
                    true => Err(itself(&codes::INSTANCE_SELF_REFERENCE)),
                    false => Ok(Referent::Resource(at)),
                };
            }
        };
        Err(ResolveProblem::new(&codes::INSTANCE_KEY, detail))
    }

    /// Returns the problem of a reference to an undeclared resource, with a hint at a similar declared address.
    fn undeclared_resource(&self, mode: ResourceMode, kind: &str, name: &str) -> ResolveProblem {
        let what = mode.noun();
        let same =
            |(m, k, n): &&(ResourceMode, Str, Str)| *m != mode && **k == *kind && **n == *name;
        if let Some((other, ..)) = self.addresses.iter().find(same) {
            let detail = format!(
                "No {what} {} is declared in this module, but {} is.",
                address(mode, kind, name),
                address(*other, kind, name)
            );
            return ResolveProblem::new(&codes::UNDECLARED_REFERENCE, detail);
        }
        let of_mode = || self.addresses.iter().filter(|(m, ..)| *m == mode);
        let names = of_mode().filter(|(_, k, _)| **k == *kind).map(|(_, _, n)| &**n);
        let mut hint = did_you_mean(name, names);
        if hint.is_empty() {
            let kinds = of_mode().filter(|(_, _, n)| **n == *name).map(|(_, k, _)| &**k);
            hint = did_you_mean(kind, kinds);
        }
        if hint.is_empty() && mode == ResourceMode::Managed {
            let root = nearest(kind, ROOTS);
            hint = root.map_or(hint, |root| format!(" Did you mean {root}.{name}?"));
        }
        let detail =
            format!("No {what} {} is declared in this module.{hint}", address(mode, kind, name));
        ResolveProblem::new(&codes::UNDECLARED_REFERENCE, detail)
    }
}

/// Returns the address of a resource within its module.
fn address(mode: ResourceMode, kind: &str, name: &str) -> String {
    format!("{}{kind}.{name}", mode.prefix())
}

/// Returns the problem of a reference to an action, which has no value.
fn no_value(steps: &[Step]) -> ResolveProblem {
    match steps {
        [Step::Attribute(_), Step::Attribute(_), ..] => misplaced(
            "An action has no value. It can be referenced only in the actions of an action_trigger.",
        ),
        _ => ResolveProblem::new(
            &codes::INCOMPLETE_REFERENCE,
            "\"action\" alone is not a reference: add a type and a name, as in action.type.name, in the actions of an action_trigger.",
        ),
    }
}

/// Keywords that begin references, suggested where a similar word is written as a resource type.
const ROOTS: [&str; 4] = ["data", "local", "module", "var"];

/// Returns the problem of `count` or `each` outside of a block that sets `count` or `for_each`, with the message `what`; for
/// inputs of a module call, which `around` tells, it is reported only during a plan.
fn uncounted(what: &str, around: &Surroundings) -> ResolveProblem {
    misplaced(what).late_if(around.is_input)
}

/// Returns the problem of a reference at a position where it is not allowed.
pub(super) fn misplaced(detail: &str) -> ResolveProblem {
    ResolveProblem::new(&codes::MISPLACED_REFERENCE, detail)
}

/// Resolves a reference to a root with the fixed set `names` of attributes, such as `path`; `example` is a complete one for
/// messages.
fn known(reference: &Reference, names: &[&str], example: &str) -> Result<Referent, ResolveProblem> {
    let root = &*reference.root;
    match reference.steps.first() {
        Some(Step::Attribute(name)) if names.contains(&&**name) => Ok(Referent::Settled),
        Some(Step::Attribute(name)) => {
            let hint = did_you_mean(name, names.iter().copied());
            let all =
                names.iter().map(|name| format!("{root}.{name}")).collect::<Vec<_>>().join(", ");
            let detail = format!("There is no {root}.{}; the attributes are {all}.{hint}", &**name);
            Err(ResolveProblem::new(&codes::UNDECLARED_REFERENCE, detail))
        }
        _ => {
            let detail =
                format!("\"{root}\" alone is not a value: write, for instance, {example}.");
            Err(ResolveProblem::new(&codes::INCOMPLETE_REFERENCE, detail))
        }
    }
}

/// Returns the text of a literal instance key, by which keys are compared: that of `0` and of `"0"` is equal; `None` if the key
/// is neither a number nor a string.
pub fn key_text(key: &Value) -> Option<String> {
    match key.bare() {
        Value::String(text) => Some(text.to_string()),
        key => Some(key.as_number()?.to_text()),
    }
}
