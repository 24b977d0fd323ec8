//! Names inside of an expression with their binders: a `for`, a directive of a template, a splat, or the surroundings of the
//! expression, such as an iterator of a `dynamic` block. A name without a binder is a name of the module. The key of an object
//! item, as in `{ a = 1 }`, is not a name in this sense, but a literal.

use crate::ast::{ExprCase, ExprId, ExprView, TemplatePart};
use crate::span::Span;

/// The syntax that binds a name, such as a `for` or a splat.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BinderKind {
    /// The first of two names of a `for`: the key or the position of an element.
    Key,
    /// The only or second name of a `for`: an element.
    Value,
    /// A splat: the element is used without a name.
    Splat,
    /// The surroundings of the expression, such as an iterator of a `dynamic` block.
    Given,
}

/// A binding of a name in a part of an expression, such as `v` in `[for v in c : v.id]`.
#[derive(Clone, Copy, Debug)]
pub struct NameBinder<'t> {
    /// The name that is bound; empty for a splat.
    pub name: &'t str,
    /// The span of the name where it is bound, or of the splat's `[*]` or `.*`.
    pub span: Span,
    /// The syntax that binds the name.
    pub kind: BinderKind,
    /// The collection that is iterated over; `None` for a name that the surroundings bind.
    pub collection: Option<ExprView<'t>>,
}

/// The number of a binder in its expression, an index into [`Bindings::binders`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BinderId(u32);

/// An occurrence of a name: the root of a reference, or the element of a splat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NameUse<'t> {
    /// The name; empty for the element of a splat.
    pub name: &'t str,
    /// The span of the name; empty for a splat's element.
    pub span: Span,
    /// The binder of the name; `None` if no part of the expression binds it.
    pub binder: Option<BinderId>,
    id: ExprId,
}

/// All occurrences of names in an expression, with the binder of each.
#[derive(Clone, Debug, Default)]
pub struct Bindings<'t> {
    binders: Vec<NameBinder<'t>>,
    /// Sorted by the expression.
    uses: Vec<NameUse<'t>>,
}

/// A scope inside an expression: the binder of one name, and the index of the scope around it.
#[derive(Clone, Copy)]
struct NameScope {
    binder: BinderId,
    outer: Option<usize>,
}

/// The scopes that apply to a part of an expression: the innermost scope of names, and the innermost splat.
#[derive(Clone, Copy, Default)]
struct PartScope {
    /// The index of the innermost scope of names.
    names: Option<usize>,
    /// The innermost splat.
    splat: Option<BinderId>,
}

/// The state of a walk through an expression that collects its names and their binders, and the parts still to be visited.
#[derive(Default)]
struct BindingReader<'t> {
    found: Bindings<'t>,
    scopes: Vec<NameScope>,
    rest: Vec<(ExprView<'t>, PartScope)>,
}

impl<'t> Bindings<'t> {
    /// Returns the names in an expression with their binders, if its surroundings bind none.
    pub fn of(whole: ExprView<'t>) -> Bindings<'t> {
        Bindings::within(whole, [])
    }

    /// Returns the names in an expression with their binders, if its surroundings bind the names `given`: each with the span
    /// where it is bound, the innermost last.
    pub fn within(
        whole: ExprView<'t>,
        given: impl IntoIterator<Item = (&'t str, Span)>,
    ) -> Bindings<'t> {
        let mut reader = BindingReader::default();
        let mut around = PartScope::default();
        for (name, span) in given {
            let kind = BinderKind::Given;
            around = reader.bind(NameBinder { name, span, kind, collection: None }, around);
        }
        reader.rest.push((whole, around));
        while let Some((view, around)) = reader.rest.pop() {
            reader.part(view, around);
        }
        let mut found = reader.found;
        found.uses.sort_unstable_by_key(|one| one.id);
        found
    }

    /// Returns all binders in order: first those of the surroundings, then each after the binders around it.
    pub fn binders(&self) -> &[NameBinder<'t>] {
        &self.binders
    }

    /// Returns the binder with the number `id`; `None` for a number of another expression that is out of range.
    pub fn binder(&self, id: BinderId) -> Option<&NameBinder<'t>> {
        self.binders.get(id.0 as usize)
    }

    /// Returns every occurrence of a name in the expression, in tree order, which is not always text order.
    pub fn uses(&self) -> &[NameUse<'t>] {
        &self.uses
    }

    /// Returns the number of the binder of a name or of a splat's element; `None` if no part of the expression binds it.
    pub fn id_of(&self, name: ExprView<'_>) -> Option<BinderId> {
        let at = self.uses.binary_search_by_key(&name.id(), |one| one.id).ok()?;
        self.uses[at].binder
    }

    /// Returns the binder of a name or of a splat's element; `None` if no part of the expression binds it.
    pub fn binder_of(&self, name: ExprView<'_>) -> Option<&NameBinder<'t>> {
        self.binder(self.id_of(name)?)
    }

    /// Returns the occurrence of a name at the byte offset `offset`, its end included; `None` if no name is there.
    pub fn use_at(&self, offset: u32) -> Option<&NameUse<'t>> {
        let is_there = |span: Span| span.start <= offset && offset <= span.end;
        self.uses.iter().find(|one| !one.span.is_empty() && is_there(one.span))
    }

    /// Returns the binder whose name is written at the byte offset `offset`, its end included; `None` if none is. Names bound
    /// by the surroundings are not written in the expression.
    pub fn binder_at(&self, offset: u32) -> Option<BinderId> {
        let is_there = |one: &NameBinder<'_>| {
            matches!(one.kind, BinderKind::Key | BinderKind::Value)
                && one.span.start <= offset
                && offset <= one.span.end
        };
        self.binders.iter().position(is_there).map(|at| BinderId(at as u32))
    }

    /// Returns every occurrence of the name that a binder binds.
    pub fn uses_of(&self, binder: BinderId) -> impl Iterator<Item = &NameUse<'t>> {
        self.uses.iter().filter(move |one| one.binder == Some(binder))
    }
}

impl<'t> BindingReader<'t> {
    /// Adds a binder to those that were found, and returns its number.
    fn binder(&mut self, binder: NameBinder<'t>) -> BinderId {
        self.found.binders.push(binder);
        BinderId(self.found.binders.len() as u32 - 1)
    }

    /// Adds a binder inside the scope `around`; returns the scope in which its name is visible.
    fn bind(&mut self, binder: NameBinder<'t>, around: PartScope) -> PartScope {
        let binder = self.binder(binder);
        self.scopes.push(NameScope { binder, outer: around.names });
        PartScope { names: Some(self.scopes.len() - 1), ..around }
    }

    /// Adds the binders of the names of a `for` over `collection`, which stands in the scope `around`, and returns the scope
    /// inside it. If both names are equal, the second one wins.
    fn bind_loop(
        &mut self,
        key_name: Option<(&'t str, Span)>,
        value_name: (&'t str, Span),
        collection: ExprView<'t>,
        around: PartScope,
    ) -> PartScope {
        let collection = Some(collection);
        let mut inner = around;
        if let Some((name, span)) = key_name {
            inner = self.bind(NameBinder { name, span, kind: BinderKind::Key, collection }, inner);
        }
        let (name, span) = value_name;
        self.bind(NameBinder { name, span, kind: BinderKind::Value, collection }, inner)
    }

    /// Returns the innermost binder of the name `name` that is visible in the scope `around`; `None` if nothing binds it.
    fn find(&self, name: &str, around: PartScope) -> Option<BinderId> {
        let mut next = around.names;
        while let Some(scope) = next.and_then(|at| self.scopes.get(at)) {
            if self.found.binder(scope.binder).is_some_and(|one| one.name == name) {
                return Some(scope.binder);
            }
            next = scope.outer;
        }
        None
    }

    /// Records the name that a sub-expression consists of, or else queues its direct sub-expressions, each with its scope.
    fn part(&mut self, view: ExprView<'t>, around: PartScope) {
        match view.case() {
            ExprCase::Root("true" | "false" | "null") => {}
            ExprCase::Root(name) => {
                let binder = self.find(name, around);
                self.found.uses.push(NameUse { name, span: view.span(), binder, id: view.id() });
            }
            ExprCase::SplatItem => {
                let (span, binder) = (view.span(), around.splat);
                self.found.uses.push(NameUse { name: "", span, binder, id: view.id() });
            }
            ExprCase::Object(items) => {
                for item in items {
                    // A bare name is a key itself.
                    if !matches!(item.key.case(), ExprCase::Root(_)) {
                        self.rest.push((item.key, around));
                    }
                    self.rest.push((item.value, around));
                }
            }
            ExprCase::For(each) => {
                self.rest.push((each.collection, around));
                let (key_name, value_name) = (each.key_name, each.value_name);
                let inner = self.bind_loop(key_name, value_name, each.collection, around);
                let parts = [each.key, Some(each.value), each.condition];
                self.rest.extend(parts.into_iter().flatten().map(|part| (part, inner)));
            }
            ExprCase::Splat { source, each, marker, .. } => {
                self.rest.push((source, around));
                let (kind, collection) = (BinderKind::Splat, Some(source));
                let splat = self.binder(NameBinder { name: "", span: marker, kind, collection });
                self.rest.push((each, PartScope { splat: Some(splat), ..around }));
            }
            ExprCase::Template(template) if template.has_loop() => {
                self.template(template.parts(), around);
            }
            case => case.inner(|part| self.rest.push((part, around))),
        }
    }

    /// Queues the expressions in the parts of a template, each with its scope: `around`, that of the template, or the one
    /// inside a `for` directive.
    fn template(&mut self, parts: Vec<TemplatePart<'t>>, around: PartScope) {
        let mut lists = vec![(parts, around)];
        while let Some((parts, around)) = lists.pop() {
            for part in parts {
                match part {
                    TemplatePart::Literal { .. } => {}
                    TemplatePart::Interpolation { expr, .. } => self.rest.push((expr, around)),
                    TemplatePart::If { condition, then, otherwise, .. } => {
                        self.rest.push((condition, around));
                        lists.push((then, around));
                        lists.extend(otherwise.map(|parts| (parts, around)));
                    }
                    TemplatePart::For { key_name, value_name, collection, body, .. } => {
                        self.rest.push((collection, around));
                        let inner = self.bind_loop(key_name, value_name, collection, around);
                        lists.push((body, inner));
                    }
                }
            }
        }
    }
}
