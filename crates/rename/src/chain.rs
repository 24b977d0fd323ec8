//! Names with their steps, as they stand in an expression: `module.net["a"].id` is a chain of links. A name that a `for`
//! binds is not one of the module; where what it runs over is a chain, the name stands for an element of it, so that
//! `[for m in module.net : m.id]` says the name of an output, too.

use std::ops::Range;

use groma_syntax::Span;
use groma_syntax::ast::{CallView, Case, ExprView, For, ObjectItem, TemplatePart};

/// One link of a chain.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Step {
    /// The root, or `.name`.
    Name(String),
    /// `["key"]`
    Key(String),
    /// `[*]` or `.*`
    Splat,
    /// One element, whichever it is.
    Element,
    /// What `each` and the names of `dynamic` blocks are: an element under `value`, and its key.
    Iterator,
}

/// A step, and where its name stands.
#[derive(Clone, Debug)]
pub(crate) struct Link {
    pub(crate) step: Step,
    /// Where it stands; of a name that is bound, where it is bound to it.
    pub(crate) at: Option<Range<usize>>,
    /// Whether the chain says it here, and not a name that stands for it.
    pub(crate) is_said: bool,
}

impl Link {
    fn new(step: Step, at: Option<Range<usize>>) -> Link {
        Link { step, at, is_said: true }
    }

    /// Where its name is to be changed.
    pub(crate) fn place(&self) -> Option<Range<usize>> {
        self.at.clone().filter(|_| self.is_said)
    }

    /// The text that is asked for.
    pub(crate) fn text(&self) -> Option<&str> {
        match &self.step {
            Step::Name(text) | Step::Key(text) => Some(text),
            Step::Splat | Step::Element | Step::Iterator => None,
        }
    }

    /// Whether it is this name, and no key.
    pub(crate) fn is_name(&self, name: &str) -> bool {
        matches!(&self.step, Step::Name(own) if own == name)
    }
}

/// What becomes of the value of a chain.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Used {
    /// Whatever the expression around it makes of it.
    Whole,
    /// Its elements are looked at one by one, each as a chain of its own.
    Walked,
    /// Only how many there are, or their keys.
    Counted,
    /// Nothing: it is only named.
    Named,
}

/// What is seen in an expression.
pub(crate) enum Seen<'s> {
    /// A chain that begins with a name of the module.
    Chain(&'s [Link], Used),
    /// A function of a provider: its local name, and the place of the alias, if there is one.
    Function(&'s str, Option<(&'s str, Range<usize>)>),
}

/// Names that are bound, the innermost last, with the chains that they stand for.
pub(crate) type Bound = Vec<(String, Option<Vec<Link>>)>;

/// Looks at the chains of an expression.
pub(crate) struct Walker<'w> {
    /// From a span of the tree to the bytes of the file.
    pub(crate) at: &'w dyn Fn(Span) -> Range<usize>,
    pub(crate) see: &'w mut dyn FnMut(Seen<'_>),
    /// The names that are bound here, the innermost last, with what they stand for.
    bound: Bound,
    /// What the splats around stand at, the innermost last.
    items: Vec<Option<Vec<Link>>>,
}

/// A chain with one more link.
fn follow(mut links: Vec<Link>, link: Link) -> Option<Vec<Link>> {
    if links.last().is_some_and(|last| last.step == Step::Iterator) {
        links.pop();
        if !link.is_name("value") {
            return None;
        }
        links.push(Link::new(Step::Element, None));
        return Some(links);
    }
    links.push(link);
    Some(links)
}

/// What follows a name, from the outside.
enum Outer<'t> {
    Attribute(&'t str, Span),
    Index(ExprView<'t>),
    Splat(ExprView<'t>),
    Element,
}

impl<'w> Walker<'w> {
    pub(crate) fn new(
        at: &'w dyn Fn(Span) -> Range<usize>,
        bound: Bound,
        see: &'w mut dyn FnMut(Seen<'_>),
    ) -> Walker<'w> {
        Walker { at, see, bound, items: Vec::new() }
    }

    /// All of an expression.
    pub(crate) fn expression(&mut self, view: ExprView<'_>) {
        match view.case() {
            Case::Root(_)
            | Case::Attribute { .. }
            | Case::Index { .. }
            | Case::LegacyIndex { .. }
            | Case::Splat { .. }
            | Case::SplatItem
            | Case::Parenthesised(_)
            | Case::Call(_) => {
                if let Some(links) = self.chain(view) {
                    (self.see)(Seen::Chain(&links, Used::Whole));
                }
            }
            other => self.other(other),
        }
    }

    /// What is no chain.
    fn other(&mut self, case: Case<'_>) {
        match case {
            Case::Template(template) => self.parts(template.parts()),
            Case::Unary { operand, .. } => self.expression(operand),
            Case::Binary { left, right, .. } => {
                // It nests to the left without bound.
                let mut rights = vec![right];
                let mut first = left;
                while let Case::Binary { left, right, .. } = first.case() {
                    rights.push(right);
                    first = left;
                }
                self.expression(first);
                rights.into_iter().rev().for_each(|one| self.expression(one));
            }
            Case::Conditional { condition, then, otherwise } => {
                [condition, then, otherwise].into_iter().for_each(|one| self.expression(one));
            }
            Case::Tuple(items) => items.into_iter().for_each(|one| self.expression(one)),
            Case::Object(items) => {
                for ObjectItem { key, value } in items {
                    // A bare name is a key, and no reference.
                    if !matches!(key.case(), Case::Root(_)) {
                        self.expression(key);
                    }
                    self.expression(value);
                }
            }
            Case::For(each) => self.comprehension(each),
            _ => {}
        }
    }

    /// A chain that is only named.
    pub(crate) fn named(&mut self, view: ExprView<'_>) {
        if let Some(links) = self.chain(view) {
            (self.see)(Seen::Chain(&links, Used::Named));
        }
    }

    /// The links of what is a chain; whatever else stands in it is looked at.
    pub(crate) fn chain(&mut self, view: ExprView<'_>) -> Option<Vec<Link>> {
        let mut outer = Vec::new();
        let mut at = view;
        let mut links = loop {
            at = match at.case() {
                Case::Attribute { object, name, name_span, .. } => {
                    outer.push(Outer::Attribute(name, name_span));
                    object
                }
                Case::Index { object, key, .. } => {
                    outer.push(Outer::Index(key));
                    object
                }
                Case::LegacyIndex { object, .. } => {
                    outer.push(Outer::Element);
                    object
                }
                Case::Splat { source, each, .. } => {
                    outer.push(Outer::Splat(each));
                    source
                }
                Case::Parenthesised(inner) => inner,
                Case::Root("true" | "false" | "null") => break None,
                Case::Root(name) => {
                    let bound = self.bound.iter().rev().find(|(own, _)| own == name);
                    break match bound {
                        Some((_, links)) => links.clone(),
                        None => {
                            let at = Some((self.at)(at.span()));
                            Some(vec![Link::new(Step::Name(name.to_owned()), at)])
                        }
                    };
                }
                Case::SplatItem => break self.items.last().cloned().flatten(),
                Case::Call(call) => break self.call(&call),
                other => {
                    self.other(other);
                    break None;
                }
            }
        };
        while let Some(step) = outer.pop() {
            let link = match step {
                Outer::Attribute(name, span) => {
                    Link::new(Step::Name(name.to_owned()), Some((self.at)(span)))
                }
                Outer::Index(key) => self.key(key),
                Outer::Element => Link::new(Step::Element, None),
                Outer::Splat(each) => {
                    if let Some(links) = &mut links {
                        links.push(Link::new(Step::Splat, None));
                    }
                    self.items.push(links.take());
                    links = self.chain(each);
                    self.items.pop();
                    continue;
                }
            };
            links = links.and_then(|links| follow(links, link));
        }
        links
    }

    /// What the iterator over a collection stands for, such as `each`.
    pub(crate) fn iterator(&mut self, collection: ExprView<'_>) -> Option<Vec<Link>> {
        let mut links = self.walked(collection)?;
        links.push(Link::new(Step::Iterator, None));
        Some(links)
    }

    /// The chain that is walked over; where its names stand is told here, and not again for its elements.
    fn walked(&mut self, collection: ExprView<'_>) -> Option<Vec<Link>> {
        let links = self.chain(collection)?;
        (self.see)(Seen::Chain(&links, Used::Walked));
        Some(links.into_iter().map(|link| Link { is_said: false, ..link }).collect())
    }

    /// What stands in brackets.
    fn key(&mut self, key: ExprView<'_>) -> Link {
        if let Case::Template(template) = key.case()
            && let Some(text) = template.plain()
        {
            let span = key.span();
            let inner = Span::new(span.start + 1, span.end.saturating_sub(1));
            return Link::new(Step::Key(text.into_owned()), Some((self.at)(inner)));
        }
        self.expression(key);
        Link::new(Step::Element, None)
    }

    /// A call; a chain where it gives what a chain leads to.
    fn call(&mut self, call: &CallView<'_>) -> Option<Vec<Link>> {
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
                links.push(Link::new(Step::Element, None));
                Some(links)
            }
            ("element", [number]) => {
                let links = self.chain(first);
                self.expression(*number);
                let mut links = links?;
                links.push(Link::new(Step::Element, None));
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
                    (self.see)(Seen::Chain(&links, Used::Counted));
                }
                None
            }
            _ => {
                call.args.iter().for_each(|one| self.expression(*one));
                None
            }
        }
    }

    /// `provider::aws::west::name`: of what stands between the colons the second is a provider, the third of four an alias.
    fn function(&mut self, call: &CallView<'_>) {
        let parts: Vec<&str> = call.name.split("::").collect();
        match parts[..] {
            [_, provider, alias, _] => {
                let name = (self.at)(call.name_span);
                let before: usize = "provider::".len() + provider.len() + "::".len();
                // Blanks between the parts would move it.
                let is_plain = name.len() == call.name.len();
                let at = name.start + before..name.start + before + alias.len();
                (self.see)(Seen::Function(provider, is_plain.then_some((alias, at))));
            }
            [_, provider, _] => (self.see)(Seen::Function(provider, None)),
            _ => {}
        }
    }

    fn comprehension(&mut self, each: For<'_>) {
        let depth = self.bound.len();
        self.bind(each.key_name.map(|(name, _)| name), each.value_name.0, each.collection);
        self.expression(each.value);
        each.key.into_iter().chain(each.condition).for_each(|one| self.expression(one));
        self.bound.truncate(depth);
    }

    /// The names of a `for` over something.
    fn bind(&mut self, key: Option<&str>, value: &str, collection: ExprView<'_>) {
        let mut element = self.walked(collection);
        if let Some(links) = &mut element {
            links.push(Link::new(Step::Element, None));
        }
        self.bound.extend(key.map(|key| (key.to_owned(), None)));
        self.bound.push((value.to_owned(), element));
    }

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
