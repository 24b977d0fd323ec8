//! Reuse of values from an older evaluation of the project. A cell is reused if its code and all its dependencies are unchanged;
//! otherwise it is evaluated again, and counts as unchanged if the result is equal.

use std::sync::Arc;

use groma_config::ModuleAddress;
use groma_eval::{LocatedCode, ValueSources};
use groma_module::declare::{Expression, ModuleCall, Variable};
use groma_module::visit::Declaration;
use groma_syntax::{Diagnostic, Diagnostics};
use groma_value::{CauseChanges, Value, interchangeable};
use rustc_hash::FxHashMap;

use crate::evaluate::cell::{Cell, CellPart};
use crate::evaluate::instance::{Expansion, InstanceNode, RepeatKey};
use crate::evaluate::world::EvaluationState;
use crate::tree::CalledModule;
use groma_inputs::GivenInput;

/// An older evaluation of the project, whose values are reused where nothing has changed.
pub(crate) struct PreviousEvaluation {
    pub(super) world: Arc<EvaluationState>,
    /// The ids of module instances by address.
    instances: FxHashMap<ModuleAddress, u32>,
    /// The causes of unknowns that have another place now, and those that were met during the older evaluation.
    changes: CauseChanges,
    /// Only the latter: a value with one of them is not copied, because its number means something else now.
    renumbered: CauseChanges,
    /// True if everything that it had read when it was superseded is unchanged.
    has_same_files: bool,
}

impl PreviousEvaluation {
    /// Returns an older evaluation for reuse, with `same_files` also of values computed from files; `None` if settings that
    /// affect all cells differ.
    pub(super) fn of(
        older: &Arc<EvaluationState>,
        new: &EvaluationState,
        same_files: bool,
    ) -> Option<PreviousEvaluation> {
        let (a, b) = (&older.options, &new.options);
        let (before, now) = (&older.project, &new.project);
        let is_alike = before.edition == now.edition
            && before.workspace == now.workspace
            && before.dir == now.dir
            && a.cwd == b.cwd
            && a.limits == b.limits
            && a.now == b.now
            && a.seed == b.seed
            && !before.is_mocked()
            && !now.is_mocked()
            && older.facts.is_same(&new.facts)
            && older.has_been_queried()
            && !older.has_ended();
        if !is_alike {
            return None;
        }
        let changes = older.cause_changes(new)?;
        let renumbered = changes.range_only();
        let numbers = 0..older.instance_count();
        let addressed = numbers.map(|id| (older.instance(id).path.clone(), id));
        let instances = addressed.collect();
        // A random number depends on its place, and a template may call for one.
        let has_same_files = same_files && b.seed.is_none();
        Some(PreviousEvaluation {
            world: older.clone(),
            instances,
            changes,
            renumbered,
            has_same_files,
        })
    }

    /// Returns the older version of a module instance, if its module declares the same names.
    pub(super) fn instance(
        &self,
        world: &EvaluationState,
        new: &InstanceNode,
    ) -> Option<Arc<InstanceNode>> {
        let old = self.world.instance(*self.instances.get(&new.path)?);
        let names = &self.world.module(&old).names;
        Arc::ptr_eq(names, &world.module(new).names).then_some(old)
    }

    /// Fills a cell of the module instance `new` with the value of the same cell in `old`, that instance's node in the older
    /// evaluation, and returns the diagnostics of then; `None` if that value is no longer valid.
    pub(super) fn reuse(
        &self,
        world: &EvaluationState,
        (new, old): (&InstanceNode, &InstanceNode),
        cell: Cell,
    ) -> Option<Diagnostics> {
        let before = Cell { instance: old.id, part: cell.part };
        if !old.state(cell.part)?.is_done() || !self.has_same_code(world, new, old, cell.part) {
            return None;
        }
        match cell.part {
            CellPart::Variable(at) => self.copy(world, &new.variables, &old.variables, at)?,
            CellPart::Local(at) => self.copy(world, &new.locals, &old.locals, at)?,
            CellPart::Output(at) => self.copy(world, &new.outputs, &old.outputs, at)?,
            CellPart::Object(at, key) => {
                let (new, old) = (
                    new.resources.get(at as usize)?.get()?,
                    old.resources.get(at as usize)?.get()?,
                );
                let object = old.objects.get(key as usize)?.get()?.clone();
                if !self.renumbered.is_empty() && !object.interchangeable(&object, &self.renumbered)
                {
                    return None;
                }
                world.set(new.objects.get(key as usize)?, object);
            }
            _ => return None,
        }
        let told = {
            let ledger = self.world.ledger();
            (ledger.outcomes.get(&before).cloned(), ledger.readings.get(&before).copied())
        };
        if told.0.is_some() || told.1.is_some() {
            let mut ledger = world.ledger();
            ledger.outcomes.extend(told.0.map(|outcome| (cell, outcome)));
            ledger.readings.extend(told.1.map(|reading| (cell, reading)));
        }
        let found: Vec<Diagnostic> = self.world.scheduler().found_in(before);
        Some(found.into_iter().collect())
    }

    /// Returns true if the filled cell for `part` of the module instance `new` has the same value as in `old`, that instance in
    /// the older evaluation.
    pub(super) fn is_same(
        &self,
        world: &EvaluationState,
        (new, old): (&InstanceNode, &InstanceNode),
        part: CellPart,
    ) -> bool {
        let value =
            |new: &[std::sync::OnceLock<Value>], old: &[std::sync::OnceLock<Value>], at: u32| {
                let pair = (
                    new.get(at as usize).and_then(|cell| cell.get()),
                    old.get(at as usize).and_then(|cell| cell.get()),
                );
                matches!(pair, (Some(new), Some(old)) if self.is_unchanged(new, old))
            };
        match part {
            CellPart::Variable(at) => value(&new.variables, &old.variables, at),
            CellPart::Local(at) => value(&new.locals, &old.locals, at),
            CellPart::Output(at) => value(&new.outputs, &old.outputs, at),
            CellPart::Call(at) => {
                let pair = (new.calls[at as usize].get(), old.calls[at as usize].get());
                let child = |world: &EvaluationState, of: &InstanceNode| match world
                    .node(of.node)
                    .children
                    .get(at as usize)
                {
                    Some(CalledModule::Module(id)) => Some(world.node(*id).module.names.clone()),
                    _ => None,
                };
                // Visible names are unchanged, too.
                let names = match (child(world, new), child(&self.world, old)) {
                    (Some(new), Some(old)) => Arc::ptr_eq(&new, &old),
                    (None, None) => true,
                    _ => false,
                };
                names
                    && matches!(pair, (Some(new), Some(old)) if self.is_same_expansion(&new.expansion, &old.expansion))
            }
            CellPart::Expansion(at) => {
                let pair = (new.resources[at as usize].get(), old.resources[at as usize].get());
                matches!(pair, (Some(new), Some(old)) if self.is_same_expansion(&new.expansion, &old.expansion))
            }
            CellPart::Object(at, key) => {
                let object = |of: &InstanceNode| {
                    of.resources.get(at as usize)?.get()?.objects.get(key as usize)?.get().cloned()
                };
                match (object(new), object(old)) {
                    (Some(new), Some(old)) => new.interchangeable(&old, &self.changes),
                    _ => false,
                }
            }
            // These only collect other cells, which are compared themselves.
            CellPart::Resource(_) | CellPart::Gathered(..) => {
                old.state(part).is_some_and(|state| state.is_done())
            }
            CellPart::Check(_) => false,
        }
    }

    /// Returns true if the code of a cell is the same as in the older evaluation.
    fn has_same_code(
        &self,
        world: &EvaluationState,
        new: &InstanceNode,
        old: &InstanceNode,
        part: CellPart,
    ) -> bool {
        let (now, before) = (world.module(new), self.world.module(old));
        let is_reproducible =
            |expression: &Expression| self.is_reproducible(&expression.located, old, part);
        let is_all_settled = |declaration| {
            let mut reproducible = true;
            now.visit_one(declaration, &mut |seen| {
                reproducible &= !seen.is_of_instances() || is_reproducible(seen.expression);
            });
            reproducible
        };
        match part {
            CellPart::Variable(at) => {
                let (Some(now), Some(before)) =
                    (now.variables.get(at as usize), before.variables.get(at as usize))
                else {
                    return false;
                };
                Arc::ptr_eq(now, before)
                    && is_all_settled(Declaration::Variable(at))
                    && self.has_same_value(world, (new, old), part, now)
            }
            CellPart::Local(at) => {
                match (now.locals.get(at as usize), before.locals.get(at as usize)) {
                    (Some(now), Some(before)) => {
                        Arc::ptr_eq(now, before) && is_reproducible(&now.value)
                    }
                    _ => false,
                }
            }
            CellPart::Output(at) => {
                match (now.outputs.get(at as usize), before.outputs.get(at as usize)) {
                    (Some(now), Some(before)) => {
                        Arc::ptr_eq(now, before) && is_all_settled(Declaration::Output(at))
                    }
                    _ => false,
                }
            }
            CellPart::Object(at, key) => {
                let (Some(now), Some(before)) =
                    (now.resources.get(at as usize), before.resources.get(at as usize))
                else {
                    return false;
                };
                let repeat = |of: &InstanceNode| {
                    of.resources.get(at as usize)?.get()?.expansion.instance(key as usize)
                };
                let is_alike = match (repeat(new), repeat(old)) {
                    (Some((_, a)), Some((_, b))) => self.is_same_repeat(&a, &b),
                    _ => false,
                };
                is_alike && is_all_settled(Declaration::Resource(at)) && Arc::ptr_eq(now, before)
            }
            _ => false,
        }
    }

    /// Returns true if a variable, whose cell is `part`, gets the same value in the module instance `new` as in `old`, that
    /// instance in the older evaluation.
    fn has_same_value(
        &self,
        world: &EvaluationState,
        (new, old): (&InstanceNode, &InstanceNode),
        part: CellPart,
        variable: &Variable,
    ) -> bool {
        let given = |of: &EvaluationState| of.project.values.get(&variable.name).cloned();
        match (&new.parent, &old.parent) {
            (None, None) => match (given(world), given(&self.world)) {
                (None, None) => true,
                (Some(a), Some(b)) => self.is_same_given(&a, &b),
                _ => false,
            },
            (Some((above, call)), Some((before, older))) => {
                let calls = |world: &EvaluationState, above: &InstanceNode, call: u32| {
                    world.module(above).calls.get(call as usize).cloned()
                };
                let (Some(now), Some(before)) =
                    (calls(world, above, *call), calls(&self.world, before, *older))
                else {
                    return false;
                };
                Arc::ptr_eq(&now, &before)
                    && self.is_same_repeat(&new.repeat, &old.repeat)
                    && ModuleCall::input(&now, &variable.name)
                        .is_none_or(|input| self.is_reproducible(&input.value.located, old, part))
            }
            _ => false,
        }
    }

    /// Returns true if code depends only on names and unchanged files, not on anything else such as the time; `part` is its cell
    /// in the instance `old` of the older evaluation.
    fn is_reproducible(&self, located: &LocatedCode, old: &InstanceNode, part: CellPart) -> bool {
        match located.code.sources() {
            ValueSources::Names => true,
            ValueSources::Files => {
                self.has_same_files && old.state(part).is_some_and(|state| !state.is_late())
            }
            ValueSources::Others => false,
        }
    }

    /// Copies the value at the index `at` of the `old` values, of one kind in a module instance, to the `new` ones; `None` if the
    /// older evaluation has none that is still valid.
    fn copy(
        &self,
        world: &EvaluationState,
        new: &[std::sync::OnceLock<Value>],
        old: &[std::sync::OnceLock<Value>],
        at: u32,
    ) -> Option<()> {
        let value = old.get(at as usize)?.get()?;
        if !self.renumbered.is_empty() && !interchangeable(value, value, &self.renumbered) {
            return None;
        }
        world.set(new.get(at as usize)?, value.clone());
        Some(())
    }

    /// Returns true if a value is [interchangeable] with its counterpart in the older evaluation, so that nothing that depends
    /// on it differs.
    fn is_unchanged(&self, new: &Value, old: &Value) -> bool {
        interchangeable(new, old, &self.changes)
    }

    /// Returns true if the values given to a variable in this and in the older evaluation are interchangeable, with the same
    /// place and origin.
    fn is_same_given(&self, new: &GivenInput, old: &GivenInput) -> bool {
        (new.place, &new.origin, new.is_text) == (old.place, &old.origin, old.is_text)
            && self.is_unchanged(&new.value, &old.value)
    }

    /// Returns true if `count` or `each` has interchangeable values in an instance and in its counterpart in the older
    /// evaluation.
    fn is_same_repeat(&self, new: &RepeatKey, old: &RepeatKey) -> bool {
        match (new, old) {
            (RepeatKey::None, RepeatKey::None) => true,
            (RepeatKey::Index(a), RepeatKey::Index(b)) => a == b,
            (RepeatKey::Each(a, x), RepeatKey::Each(b, y)) => {
                self.is_unchanged(a, b) && self.is_unchanged(x, y)
            }
            _ => false,
        }
    }

    /// Returns true if both expansions have the same instances, each with the same value of `count` or `each`, or are unknown for
    /// the same causes.
    fn is_same_expansion(&self, new: &Expansion, old: &Expansion) -> bool {
        match (new, old) {
            (Expansion::One, Expansion::One) | (Expansion::Never, Expansion::Never) => true,
            (Expansion::Numbered(a, x), Expansion::Numbered(b, y)) => {
                a == b && x.interchangeable(y, &self.changes)
            }
            (Expansion::Keyed(a, x), Expansion::Keyed(b, y)) => {
                a.len() == b.len()
                    && x.interchangeable(y, &self.changes)
                    && a.iter().zip(b).all(|((key, new), (known, old))| {
                        key == known && self.is_unchanged(new, old)
                    })
            }
            // A fingerprint of unknown instances depends on more than their number.
            (Expansion::Unknown(a), Expansion::Unknown(b)) => {
                !self.world.is_tracing() && a.interchangeable(b, &self.changes)
            }
            _ => false,
        }
    }
}
