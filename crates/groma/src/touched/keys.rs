//! Whether what is repeated has the same instances in two evaluations: the keys say so, whatever they were worked out from.

use groma_eval::Step;
use groma_module::declare::{Module, Referent};
use groma_module::visit::Declaration;
use groma_project::{Evaluation, Instances, Standpoint};
use groma_value::{Value, identical, ops};
use rustc_hash::FxHashMap;

/// What is repeated.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Repeated {
    /// A resource, by its position in its module's list.
    Resource(usize),
    /// A call, the same way.
    Call(usize),
}

/// Where a module is on both sides, instance by instance; nothing where these are not the same.
type Both = Option<Vec<(Standpoint, Standpoint)>>;

/// Compares keys, each list once.
pub(super) struct Keys<'e> {
    base: &'e Evaluation,
    head: &'e Evaluation,
    /// By the address of the module without keys.
    modules: FxHashMap<String, Both>,
    known: FxHashMap<(String, Repeated), bool>,
}

impl<'e> Keys<'e> {
    pub(super) fn new(base: &'e Evaluation, head: &'e Evaluation) -> Keys<'e> {
        let root = Some(vec![(base.at_root(), head.at_root())]);
        let modules = FxHashMap::from_iter([(String::new(), root)]);
        Keys { base, head, modules, known: FxHashMap::default() }
    }

    /// Whether something in the newer module with this address has the same keys on both sides, in every instance of the
    /// module.
    pub(super) fn are_same(&mut self, module: &str, what: Repeated) -> bool {
        let key = (module.to_owned(), what);
        if let Some(known) = self.known.get(&key) {
            return *known;
        }
        let is_same = self.compare(module, what);
        self.known.insert(key, is_same);
        is_same
    }

    /// Whether it is known on both sides which instances something has, in every instance of the module, and that these
    /// are the same.
    pub(super) fn are_settled(&mut self, module: &str, what: Repeated) -> bool {
        let (base, head) = (self.base, self.head);
        let Some(both) = self.instances_of(module) else { return false };
        let Some((first, second)) = both.first() else { return true };
        let (was, is) = (base.declared_at(first), head.declared_at(second));
        let Some(before) = position(was, is, what) else { return false };
        let is_settled =
            |found: Option<Instances>| matches!(found, Some(Instances::One | Instances::Keyed(_)));
        both.iter().all(|(first, second)| {
            is_settled(instances(base, first, before)) && is_settled(instances(head, second, what))
        })
    }

    /// Whether a part of a local value or a variable of a module is known and the same on both sides, in every instance
    /// of the module.
    pub(super) fn are_worth_the_same(
        &mut self,
        module: &str,
        what: &Referent,
        steps: &[Step],
    ) -> bool {
        let (base, head) = (self.base, self.head);
        let Some(both) = self.instances_of(module) else { return false };
        let Some((first, second)) = both.first() else { return true };
        let (was, is) = (base.declared_at(first), head.declared_at(second));
        let own = match what {
            Referent::Local(at) => Declaration::Local(*at),
            Referent::Variable(at) => Declaration::Variable(*at),
            _ => return false,
        };
        let before = match was.declaration(&own.address(is)) {
            Some(Declaration::Local(at)) => Referent::Local(at),
            Some(Declaration::Variable(at)) => Referent::Variable(at),
            _ => return false,
        };
        both.iter().all(|(first, second)| {
            let was = base.value_of(first, &before).and_then(|value| part(value, steps));
            let is = head.value_of(second, what).and_then(|value| part(value, steps));
            was.zip(is).is_some_and(|(was, is)| is_worth_the_same(&was, &is))
        })
    }

    fn compare(&mut self, module: &str, what: Repeated) -> bool {
        let (base, head) = (self.base, self.head);
        let Some(both) = self.instances_of(module) else { return false };
        let Some((first, second)) = both.first() else { return true };
        let (was, is) = (base.declared_at(first), head.declared_at(second));
        let Some(before) = position(was, is, what) else { return false };
        both.iter().all(|(first, second)| {
            is_same(instances(base, first, before), instances(head, second, what))
        })
    }

    /// Finds the instances of a module, from the outermost call on.
    fn instances_of(&mut self, module: &str) -> Option<&[(Standpoint, Standpoint)]> {
        let mut way = Vec::new();
        let mut rest = module;
        while !self.modules.contains_key(rest) {
            // A module is called behind the last `module.` of its address, and the rest is where that stands.
            let (outer, name) = match rest.rsplit_once(".module.") {
                Some((outer, name)) => (outer, name),
                None => ("", rest.strip_prefix("module.").unwrap_or(rest)),
            };
            way.push((rest, outer, name));
            rest = outer;
        }
        for (module, outer, name) in way.into_iter().rev() {
            let found = self.within(outer, name);
            self.modules.insert(module.to_owned(), found);
        }
        self.modules.get(module)?.as_deref()
    }

    fn within(&self, outer: &str, name: &str) -> Both {
        let both = self.modules.get(outer)?.as_ref()?;
        let mut found = Vec::new();
        for (first, second) in both {
            let (was, is) = (self.base.declared_at(first), self.head.declared_at(second));
            let at = is.call_position(name)?;
            let Repeated::Call(before) = position(was, is, Repeated::Call(at))? else {
                return None;
            };
            let was = self.base.instances_of_call(first, before)?;
            let is = self.head.instances_of_call(second, at)?;
            let count = is.len();
            if !is_same(Some(was), Some(is)) {
                return None;
            }
            for position in 0..count {
                let was = self.base.at_call(first, before, position)?;
                found.push((was, self.head.at_call(second, at, position)?));
            }
        }
        Some(found)
    }
}

/// Where the older module has what the newer one has there.
fn position(was: &Module, is: &Module, what: Repeated) -> Option<Repeated> {
    match what {
        Repeated::Resource(at) => {
            let one = is.resources.get(at)?;
            was.resource_position(one.mode, &one.kind, &one.name).map(Repeated::Resource)
        }
        Repeated::Call(at) => was.call_position(&is.calls.get(at)?.name).map(Repeated::Call),
    }
}

/// The part of a value that the steps lead to which are written out.
fn part(mut value: Value, steps: &[Step]) -> Option<Value> {
    for step in steps {
        value = match step {
            Step::Attribute(name) => ops::attribute(&value, name).ok()?,
            Step::Index(key) => ops::index(&value, key).ok()?,
            Step::Splat | Step::Unknown => break,
        };
    }
    Some(value)
}

/// Whether two values are known and the same.
pub(crate) fn is_worth_the_same(was: &Value, is: &Value) -> bool {
    was.is_wholly_known() && is.is_wholly_known() && identical(was, is) && ops::same(was, is)
}

fn instances(evaluation: &Evaluation, at: &Standpoint, what: Repeated) -> Option<Instances> {
    match what {
        Repeated::Resource(one) => evaluation.instances_of_resource(at, one),
        Repeated::Call(one) => evaluation.instances_of_call(at, one),
    }
}

fn is_same(was: Option<Instances>, is: Option<Instances>) -> bool {
    match (was, is) {
        (Some(Instances::One), Some(Instances::One)) => true,
        (Some(Instances::Keyed(was)), Some(Instances::Keyed(is))) => was == is,
        _ => false,
    }
}
