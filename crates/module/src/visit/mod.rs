//! Visitor of every expression of a module, with its role. Code that looks at all expressions, or at all of a kind, asks here
//! and chooses by role: no walk of its own can then forget a block that was added later. Resolving goes by the same list.
//!
//! Expressions that only a plan or a provisioner evaluates are visited, too; [`VisitedExpression::when`] distinguishes them.
//! Arguments that are not expressions of a declaration (settings, `moved`, `removed`) are kept as written, in
//! [`Module::settings`] and [`Module::others`].

mod declaration;
mod list;
mod role;

use std::sync::Arc;

use crate::declare::{Expression, Module};

pub use declaration::Declaration;
pub use list::ExpressionVisitor;
use list::{ExpressionReader, ExpressionWriter};
pub use role::{EvaluationTime, ExpressionRole, RuleKind, VisitedExpression};

impl Module {
    /// Visits every expression of one declaration; none if it does not exist.
    pub fn visit_one<'m>(&'m self, declaration: Declaration, see: ExpressionVisitor<'_, 'm>) {
        let to = &mut ExpressionReader::new(see);
        let done = match declaration {
            Declaration::Variable(at) => {
                self.variables.get(at as usize).map(|one| one.show_all(to))
            }
            Declaration::Local(at) => self.locals.get(at as usize).map(|one| one.show_all(to)),
            Declaration::Output(at) => self.outputs.get(at as usize).map(|one| one.show_all(to)),
            Declaration::Call(at) => self.calls.get(at as usize).map(|one| one.show_all(to)),
            Declaration::Resource(at) => {
                self.resources.get(at as usize).map(|one| one.show_all(to))
            }
            Declaration::Check(at) => self.checks.get(at as usize).map(|one| one.show_all(to)),
            Declaration::Provider(at) => {
                self.providers.get(at as usize).map(|one| one.show_all(to))
            }
            Declaration::Import(at) => self.imports.get(at as usize).map(|one| one.show_all(to)),
        };
        done.unwrap_or_default();
    }

    /// Passes every expression of one declaration to `change`, in the order of a visit. A shared declaration is copied first.
    pub(crate) fn change_one(
        &mut self,
        declaration: Declaration,
        change: &mut dyn FnMut(&mut Expression),
    ) {
        /// Returns a mutable reference to the declaration at an index of a list, if there is one; it is copied first if other
        /// modules share it.
        fn own<T: Clone>(list: &mut [Arc<T>], at: u32) -> Option<&mut T> {
            list.get_mut(at as usize).map(Arc::make_mut)
        }
        let to = &mut ExpressionWriter::new(change);
        let done = match declaration {
            Declaration::Variable(at) => own(&mut self.variables, at).map(|one| one.change_all(to)),
            Declaration::Local(at) => own(&mut self.locals, at).map(|one| one.change_all(to)),
            Declaration::Output(at) => own(&mut self.outputs, at).map(|one| one.change_all(to)),
            Declaration::Call(at) => own(&mut self.calls, at).map(|one| one.change_all(to)),
            Declaration::Resource(at) => own(&mut self.resources, at).map(|one| one.change_all(to)),
            Declaration::Check(at) => {
                self.checks.get_mut(at as usize).map(|one| one.change_all(to))
            }
            Declaration::Provider(at) => {
                self.providers.get_mut(at as usize).map(|one| one.change_all(to))
            }
            Declaration::Import(at) => {
                self.imports.get_mut(at as usize).map(|one| one.change_all(to))
            }
        };
        done.unwrap_or_default();
    }

    /// Visits every expression of the module, with its declaration.
    pub fn visit<'m>(&'m self, see: &mut dyn FnMut(Declaration, VisitedExpression<'_, 'm>)) {
        for declaration in self.declarations() {
            self.visit_one(declaration, &mut |seen| see(declaration, seen));
        }
    }

    /// Visits every expression of the module, except in declarations that `other` shares at the same index.
    pub fn visit_changed<'m>(
        &'m self,
        other: &Module,
        see: &mut dyn FnMut(Declaration, VisitedExpression<'_, 'm>),
    ) {
        for declaration in self.declarations().filter(|one| !self.shares(other, *one)) {
            self.visit_one(declaration, &mut |seen| see(declaration, seen));
        }
    }
}
