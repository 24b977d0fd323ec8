//! References in an expression as chains of steps: `module.net["a"].id` is a chain of four links. A name bound by a `for` is
//! not a name of the module; if the collection is a reference, the name stands for an element of it, so that `[for m in
//! module.net : m.id]` contains the name of an output, too.

use std::ops::Range;

use groma_syntax::Span;
use groma_syntax::ast::{CallView, ExprCase, ExprView, ForView, ObjectItem, TemplatePart};

/// A step of a reference: a name, a key in brackets, a splat, or an element of a collection that a loop binds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum ChainStep {
    /// The root, or `.name`.
    Name(String),
    /// `["key"]`
    Key(String),
    /// `[*]` or `.*`
    Splat,
    /// An element of a collection, with an unknown key.
    Element,
    /// An iterator, such as `each` and those of `dynamic` blocks: an object with the element in `value`, and its key.
    Iterator,
}

/// A step of a reference with the byte range of its name.
#[derive(Clone, Debug)]
pub(crate) struct NameLink {
    pub(crate) step: ChainStep,
    /// The byte range of the name or key; for a step that a bound name stands for, that in the collection. `None` without a
    /// name.
    pub(crate) at: Option<Range<usize>>,
    /// True if the step is written in the reference itself, false if a bound name stands for it.
    pub(crate) is_said: bool,
}

impl NameLink {
    /// Returns a step of a reference with the byte range `at` of its name, `None` for a step without a name; the step is written
    /// in the reference itself, so that no bound name stands for it.
    fn new(step: ChainStep, at: Option<Range<usize>>) -> NameLink {
        NameLink { step, at, is_said: true }
    }

    /// Returns the byte range of the name, to be replaced by a rename; `None` if a bound name stands for it or the step has no
    /// name.
    pub(crate) fn place(&self) -> Option<Range<usize>> {
        self.at.clone().filter(|_| self.is_said)
    }

    /// Returns the name or key of the step; `None` for a splat and an unknown element.
    pub(crate) fn text(&self) -> Option<&str> {
        match &self.step {
            ChainStep::Name(text) | ChainStep::Key(text) => Some(text),
            ChainStep::Splat | ChainStep::Element | ChainStep::Iterator => None,
        }
    }

    /// Returns true if the step is an attribute with this name, and not a key.
    pub(crate) fn is_name(&self, name: &str) -> bool {
        matches!(&self.step, ChainStep::Name(own) if own == name)
    }
}

/// The way in which an expression uses the value of a reference: as a whole, its elements, only their number, or not at all.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ChainUse {
    /// The value as a whole.
    Whole,
    /// The elements of the value, through a loop that binds a name to each.
    Walked,
    /// Only the number of elements, or their keys.
    Counted,
    /// Not at all: the reference is not evaluated.
    Named,
}

/// A name found in an expression: a reference to the module's names, or a provider function.
pub(crate) enum SeenName<'s> {
    /// The steps of a reference that starts with a name of the module, and the use of its value.
    Chain(&'s [NameLink], ChainUse),
    /// A provider function: the provider's local name, and the alias with its byte range, if any.
    Function(&'s str, Option<(&'s str, Range<usize>)>),
}

/// The names that loops bind, innermost last, each with the steps of the reference that it stands for, if any.
pub(crate) type Bound = Vec<(String, Option<Vec<NameLink>>)>;

/// A walker that finds every reference in an expression and passes it to a callback.
pub(crate) struct ChainWalker<'w> {
    /// Converts a span of the tree to bytes of the file.
    pub(crate) at: &'w dyn Fn(Span) -> Range<usize>,
    pub(crate) see: &'w mut dyn FnMut(SeenName<'_>),
    /// The names that enclosing loops bind, innermost last.
    bound: Bound,
    /// The references whose elements the enclosing splats iterate over, innermost last.
    items: Vec<Option<Vec<NameLink>>>,
}

/// Returns the steps of a reference extended by one; `None` if an iterator, such as `each`, is followed by anything but `value`.
fn extended(mut links: Vec<NameLink>, link: NameLink) -> Option<Vec<NameLink>> {
    if links.last().is_some_and(|last| last.step == ChainStep::Iterator) {
        links.pop();
        if !link.is_name("value") {
            return None;
        }
        links.push(NameLink::new(ChainStep::Element, None));
        return Some(links);
    }
    links.push(link);
    Some(links)
}

/// A step after the root name of a reference, as the syntax tree contains it.
enum OuterStep<'t> {
    Attribute(&'t str, Span),
    Index(ExprView<'t>),
    Splat(ExprView<'t>),
    Element,
}

impl<'w> ChainWalker<'w> {
    /// Returns a walker for expressions in which the names in `bound` are bound by loops; `at` maps spans to byte ranges of the
    /// file, and `see` is called with each reference.
    pub(crate) fn new(
        at: &'w dyn Fn(Span) -> Range<usize>,
        bound: Bound,
        see: &'w mut dyn FnMut(SeenName<'_>),
    ) -> ChainWalker<'w> {
        ChainWalker { at, see, bound, items: Vec::new() }
    }

    /// Passes all references in an expression to the callback.
    pub(crate) fn expression(&mut self, view: ExprView<'_>) {
        match view.case() {
            ExprCase::Root(_)
            | ExprCase::Attribute { .. }
            | ExprCase::Index { .. }
            | ExprCase::LegacyIndex { .. }
            | ExprCase::Splat { .. }
            | ExprCase::SplatItem
            | ExprCase::Parenthesised(_)
            | ExprCase::Call(_) => {
                if let Some(links) = self.chain(view) {
                    (self.see)(SeenName::Chain(&links, ChainUse::Whole));
                }
            }
            other => self.other(other),
        }
    }

    /// Passes all references in an operation, template, collection or `for` expression to the callback.
    fn other(&mut self, case: ExprCase<'_>) {
        match case {
            ExprCase::Template(template) => self.parts(template.parts()),
            ExprCase::Unary { operand, .. } => self.expression(operand),
            ExprCase::Binary { left, right, .. } => {
                // Operators nest to the left without bound, so this is a loop.
                let mut rights = vec![right];
                let mut first = left;
                while let ExprCase::Binary { left, right, .. } = first.case() {
                    rights.push(right);
                    first = left;
                }
                self.expression(first);
                rights.into_iter().rev().for_each(|one| self.expression(one));
            }
            ExprCase::Conditional { condition, then, otherwise } => {
                [condition, then, otherwise].into_iter().for_each(|one| self.expression(one));
            }
            ExprCase::Tuple(items) => items.into_iter().for_each(|one| self.expression(one)),
            ExprCase::Object(items) => {
                for ObjectItem { key, value } in items {
                    // A bare name is a key, not a reference.
                    if !matches!(key.case(), ExprCase::Root(_)) {
                        self.expression(key);
                    }
                    self.expression(value);
                }
            }
            ExprCase::For(each) => self.comprehension(each),
            _ => {}
        }
    }

    /// Calls the callback with an unevaluated reference, such as an item of `depends_on`; nothing for any other expression.
    pub(crate) fn named(&mut self, view: ExprView<'_>) {
        if let Some(links) = self.chain(view) {
            (self.see)(SeenName::Chain(&links, ChainUse::Named));
        }
    }

    /// Returns the steps of a reference, and passes all references inside of its keys to the callback; `None` if the expression
    /// is not a reference.
    pub(crate) fn chain(&mut self, view: ExprView<'_>) -> Option<Vec<NameLink>> {
        let mut outer = Vec::new();
        let mut at = view;
        let mut links = loop {
            at = match at.case() {
                ExprCase::Attribute { object, name, name_span, .. } => {
                    outer.push(OuterStep::Attribute(name, name_span));
                    object
                }
                ExprCase::Index { object, key, .. } => {
                    outer.push(OuterStep::Index(key));
                    object
                }
                ExprCase::LegacyIndex { object, .. } => {
                    outer.push(OuterStep::Element);
                    object
                }
                ExprCase::Splat { source, each, .. } => {
                    outer.push(OuterStep::Splat(each));
                    source
                }
                ExprCase::Parenthesised(inner) => inner,
                ExprCase::Root("true" | "false" | "null") => break None,
                ExprCase::Root(name) => {
                    let bound = self.bound.iter().rev().find(|(own, _)| own == name);
                    break match bound {
                        Some((_, links)) => links.clone(),
                        None => {
                            let at = Some((self.at)(at.span()));
                            Some(vec![NameLink::new(ChainStep::Name(name.to_owned()), at)])
                        }
                    };
                }
                ExprCase::SplatItem => break self.items.last().cloned().flatten(),
                ExprCase::Call(call) => break self.call(&call),
                other => {
                    self.other(other);
                    break None;
                }
            }
        };
        while let Some(step) = outer.pop() {
            let link = match step {
                OuterStep::Attribute(name, span) => {
                    NameLink::new(ChainStep::Name(name.to_owned()), Some((self.at)(span)))
                }
                OuterStep::Index(key) => self.key(key),
                OuterStep::Element => NameLink::new(ChainStep::Element, None),
                OuterStep::Splat(each) => {
                    if let Some(links) = &mut links {
                        links.push(NameLink::new(ChainStep::Splat, None));
                    }
                    self.items.push(links.take());
                    links = self.chain(each);
                    self.items.pop();
                    continue;
                }
            };
            links = links.and_then(|links| extended(links, link));
        }
        links
    }

    /// Returns the steps of the reference that an iterator such as `each` stands for, given the collection; `None` if the
    /// collection is not a reference.
    pub(crate) fn iterator(&mut self, collection: ExprView<'_>) -> Option<Vec<NameLink>> {
        let mut links = self.walked(collection)?;
        links.push(NameLink::new(ChainStep::Iterator, None));
        Some(links)
    }

    /// Returns the steps of a reference to a collection that a loop iterates over, after passing it to the callback; the returned
    /// steps are marked so that they are not recorded again, `None` if the collection is not a reference.
    fn walked(&mut self, collection: ExprView<'_>) -> Option<Vec<NameLink>> {
        let links = self.chain(collection)?;
        (self.see)(SeenName::Chain(&links, ChainUse::Walked));
        Some(links.into_iter().map(|link| NameLink { is_said: false, ..link }).collect())
    }

    /// Returns the step for a key in brackets: a literal text, or an unknown element after passing the references in the key to
    /// the callback.
    fn key(&mut self, key: ExprView<'_>) -> NameLink {
        if let ExprCase::Template(template) = key.case()
            && let Some(text) = template.plain()
        {
            let span = key.span();
            let inner = Span::new(span.start + 1, span.end.saturating_sub(1));
            return NameLink::new(ChainStep::Key(text.into_owned()), Some((self.at)(inner)));
        }
        self.expression(key);
        NameLink::new(ChainStep::Element, None)
    }

    /// Passes the references in a function call to the callback; returns the steps of a reference if the function returns its
    /// first argument or an element of it, such as `values` and `one`.
    fn call(&mut self, call: &CallView<'_>) -> Option<Vec<NameLink>> {
        if call.name.starts_with("provider::") {
            self.function(call);
        }
        let (first, rest) = match call.args.split_first() {
            Some((first, rest)) if !call.expand => (*first, rest),
            _ => {
                call.args.iter().for_each(|one| self.expression(*one));
                return None;
            }
        };
        match (&*call.name, rest) {
            ("values" | "tolist" | "reverse" | "sensitive" | "nonsensitive", []) => {
                self.chain(first)
            }
            ("one", []) => {
                let mut links = self.chain(first)?;
                links.push(NameLink::new(ChainStep::Element, None));
                Some(links)
            }
            ("element", [number]) => {
                let links = self.chain(first);
                self.expression(*number);
                let mut links = links?;
                links.push(NameLink::new(ChainStep::Element, None));
                Some(links)
            }
            ("lookup", [key, rest @ ..]) => {
                let links = self.chain(first);
                let key = self.key(*key);
                rest.iter().for_each(|one| self.expression(*one));
                let mut links = links?;
                links.push(key);
                Some(links)
            }
            ("length" | "keys", []) => {
                if let Some(links) = self.chain(first) {
                    (self.see)(SeenName::Chain(&links, ChainUse::Counted));
                }
                None
            }
            _ => {
                call.args.iter().for_each(|one| self.expression(*one));
                None
            }
        }
    }

    /// Passes a provider function such as `provider::aws::west::name` to the callback: the second part is a provider, the third
    /// of four an alias.
    fn function(&mut self, call: &CallView<'_>) {
        let parts: Vec<&str> = call.name.split("::").collect();
        match parts[..] {
            [_, provider, alias, _] => {
                let name = (self.at)(call.name_span);
                let before: usize = "provider::".len() + provider.len() + "::".len();
                // Whitespace between the parts would shift the offsets.
                let is_plain = name.len() == call.name.len();
                let at = name.start + before..name.start + before + alias.len();
                (self.see)(SeenName::Function(provider, is_plain.then_some((alias, at))));
            }
            [_, provider, _] => (self.see)(SeenName::Function(provider, None)),
            _ => {}
        }
    }

    /// Passes all references in a `for` expression to the callback, with its names bound to the elements of its collection.
    fn comprehension(&mut self, each: ForView<'_>) {
        let depth = self.bound.len();
        self.bind(each.key_name.map(|(name, _)| name), each.value_name.0, each.collection);
        self.expression(each.value);
        each.key.into_iter().chain(each.condition).for_each(|one| self.expression(one));
        self.bound.truncate(depth);
    }

    /// Binds the names of a `for` to the elements of a collection, after passing the references in the latter to the callback.
    fn bind(&mut self, key: Option<&str>, value: &str, collection: ExprView<'_>) {
        let mut element = self.walked(collection);
        if let Some(links) = &mut element {
            links.push(NameLink::new(ChainStep::Element, None));
        }
        self.bound.extend(key.map(|key| (key.to_owned(), None)));
        self.bound.push((value.to_owned(), element));
    }

    /// Passes all references in the parts of a template to the callback.
    fn parts(&mut self, parts: Vec<TemplatePart<'_>>) {
        for part in parts {
            match part {
                TemplatePart::Literal { .. } => {}
                TemplatePart::Interpolation { expr, .. } => self.expression(expr),
                TemplatePart::If { condition, then, otherwise, .. } => {
                    self.expression(condition);
                    self.parts(then);
                    otherwise.into_iter().for_each(|parts| self.parts(parts));
                }
                TemplatePart::For { key_name, value_name, collection, body, .. } => {
                    let depth = self.bound.len();
                    self.bind(key_name.map(|(name, _)| name), value_name.0, collection);
                    self.parts(body);
                    self.bound.truncate(depth);
                }
            }
        }
    }
}
