//! Which declarations are written otherwise than before, and which need one of those. Declarations go by number here: what
//! two loads share is told apart at a glance, and only what is touched is ever named.

use std::sync::Arc;

use groma_module::declare::{ModuleCall, Repetition};
use groma_module::visit::Declaration;
use groma_project::{ModuleNode, Project};

use super::takes;

/// Two projects, of which the newer was loaded with what the older one kept.
pub(super) struct Changes<'p> {
    older: &'p Project,
    newer: &'p Project,
    /// The older module at the place of each of the newer project's, by number.
    before: Vec<Option<ModuleNode<'p>>>,
}

/// The touched declarations of a module, each with whether it is written as before and given the same.
pub(super) type TouchedIn<'p> = (ModuleNode<'p>, Vec<(Declaration, bool)>);

impl<'p> Changes<'p> {
    pub(super) fn between(older: &'p Project, newer: &'p Project) -> Changes<'p> {
        let mut before: Vec<Option<ModuleNode<'p>>> = Vec::new();
        // Whoever calls a module comes before it.
        for node in newer.nodes() {
            let found = match node.parent() {
                None => Some(older.tree()),
                Some((parent, call)) => before.get(parent.number()).copied().flatten().and_then(
                    |was: ModuleNode<'p>| {
                        let name = &parent.module().calls.get(call)?.name;
                        was.child(was.module().call_position(name)?)
                    },
                ),
            };
            before.push(found);
        }
        Changes { older, newer, before }
    }

    /// The touched declarations, module by module.
    pub(super) fn touched(&self) -> Vec<TouchedIn<'p>> {
        let needs = self.newer.needs();
        let mut is_unlike = vec![false; needs.count()];
        let mut rest: Vec<u32> = Vec::new();
        for node in self.newer.nodes() {
            for declaration in self.unlike(node) {
                let number = needs.number(node, declaration);
                is_unlike[number as usize] = true;
                rest.push(number);
            }
        }
        if rest.is_empty() {
            return Vec::new();
        }
        let (needers, told) = (needs.needers(), self.told_elements());
        let mut seen = is_unlike.clone();
        while let Some(number) = rest.pop() {
            let first = told.partition_point(|(call, _)| *call < number);
            let told = told[first..].iter().take_while(|(call, _)| *call == number);
            for user in needers.of(number).iter().chain(told.map(|(_, variable)| variable)) {
                if !std::mem::replace(&mut seen[*user as usize], true) {
                    rest.push(*user);
                }
            }
        }
        let mut found: Vec<TouchedIn<'p>> = Vec::new();
        for (number, _) in (0_u32..).zip(&seen).filter(|(_, seen)| **seen) {
            let (node, declaration) = needs.declaration(number);
            if !is_asked(declaration) {
                continue;
            }
            let one = (declaration, !is_unlike[number as usize]);
            match found.last_mut() {
                Some((last, all)) if last.number() == node.number() => all.push(one),
                _ => found.push((node, vec![one])),
            }
        }
        found
    }

    /// The declarations of a module that are written otherwise, or given something else.
    fn unlike(&self, node: ModuleNode<'p>) -> Vec<Declaration> {
        let module = node.module();
        let asked = module.declarations().filter(|one| is_asked(*one));
        let Some(before) = self.before.get(node.number()).copied().flatten() else {
            return asked.collect();
        };
        let is_shared = Arc::ptr_eq(module, before.module());
        let is_given_alike = |name: &str| self.is_given_alike(node, before, name);
        let is_told_by_same = match (calling(node), calling(before)) {
            (Some(is), Some(was)) => Arc::ptr_eq(was, is),
            _ => false,
        };
        if is_shared && is_told_by_same {
            return Vec::new();
        }
        asked
            .filter(|one| {
                let is_alike = match one {
                    Declaration::Variable(at) => {
                        is_given_alike(&module.variables[*at as usize].name)
                    }
                    _ => true,
                };
                !(is_alike && (is_shared || module.has_too(before.module(), *one)))
            })
            .collect()
    }

    fn is_given_alike(&self, node: ModuleNode<'p>, before: ModuleNode<'p>, name: &str) -> bool {
        match (calling(before), calling(node)) {
            (Some(was), Some(is)) => is_told_alike(was, is, name),
            _ => match (self.older.given(name), self.newer.given(name)) {
                (None, None) => true,
                (Some(was), Some(is)) => groma_value::ops::same(was, is),
                _ => false,
            },
        }
    }

    /// The variables that are told something of what their call is repeated over, each behind its call, by number.
    fn told_elements(&self) -> Vec<(u32, u32)> {
        let needs = self.newer.needs();
        let mut found = Vec::new();
        for node in self.newer.nodes() {
            for (at, call) in (0_u32..).zip(&node.module().calls) {
                let Some(child) = node.child(at as usize) else { continue };
                if !matches!(call.repetition, Repetition::Each(_)) {
                    continue;
                }
                let number = needs.number(node, Declaration::Call(at));
                let variables = &child.module().variables;
                let takes_element = call
                    .inputs
                    .iter()
                    .filter(|one| takes::elements(&one.value.located.code).next().is_some());
                for input in takes_element {
                    let at = variables.binary_search_by(|one| one.name.cmp(&input.name));
                    if let Some(at) = at.ok().and_then(|at| u32::try_from(at).ok()) {
                        found.push((number, needs.number(child, Declaration::Variable(at))));
                    }
                }
            }
        }
        found.sort_unstable();
        found
    }
}

/// Whether somebody may ask for it, or for what needs it.
fn is_asked(declaration: Declaration) -> bool {
    !matches!(
        declaration,
        Declaration::Check(_) | Declaration::Provider(_) | Declaration::Import(_)
    )
}

/// The call that leads to a module; none leads to the root.
fn calling<'p>(node: ModuleNode<'p>) -> Option<&'p Arc<ModuleCall>> {
    let (parent, call) = node.parent()?;
    parent.module().calls.get(call)
}

/// Whether two calls tell a variable the same, as far as that is written.
fn is_told_alike(was: &Arc<ModuleCall>, is: &Arc<ModuleCall>, name: &str) -> bool {
    Arc::ptr_eq(was, is)
        || match (was.input(name), is.input(name)) {
            (None, None) => true,
            (Some(was), Some(is)) => *was.value.expr.text() == *is.value.expr.text(),
            _ => false,
        }
}
