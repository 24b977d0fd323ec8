//! Names that loops bind to elements: of a `for` expression, a `for` directive or a splat. A part of a loop's result comes from
//! one element if the collection is known; otherwise the whole collection counts.

use std::rc::Rc;

use groma_syntax::ast::{ExprCase, ExprView as View, ForView};
use groma_value::{Str, Value};

use crate::cache::LoopResults;
use crate::path::WhyStep;
use crate::slice::{ExpressionSlicer, MAX_ELEMENTS, MAX_PARTS, truth};
use crate::slice_task::{SliceContext, SliceTask};

/// A path with its first step last, so that steps can be popped.
pub(crate) type ReversedPath = Vec<WhyStep>;

/// A name that a loop binds: to the key or the value of an element of its collection.
pub(crate) struct LoopBinding<'t> {
    /// The name; empty for the element of a splat.
    pub(crate) name: &'t str,
    /// The collection.
    pub(crate) of: View<'t>,
    /// The bindings visible in the collection.
    pub(crate) outside: Loops<'t>,
    pub(crate) pick: ElementPick,
    /// True if the name is bound to the key and not to the value.
    pub(crate) is_key: bool,
    /// The bindings around this one.
    pub(crate) below: Loops<'t>,
}

/// A linked list of the names that enclosing loops bind, innermost first; `None` outside of loops.
pub(crate) type Loops<'t> = Option<Rc<LoopBinding<'t>>>;

/// The element of a collection to which the name of a loop is bound.
#[derive(Clone)]
pub(crate) enum ElementPick {
    /// Any element: the collection counts as a whole.
    Any,
    /// The element at this step, and its value.
    Step(WhyStep, Value),
    /// The collection itself, if a splat is applied to a value that is not a list.
    Itself(Value),
    /// An element without a path, such as that of a set.
    Within(Value),
}

impl ExpressionSlicer<'_> {
    /// Adds to `rest`, the sub-expressions to inspect, the collection of the loop that binds a name, with the path of the name's
    /// element in it; `path` is the reversed path in the element, `tail` is true if the part becomes the result, and `rank` is
    /// the order among those at the same position.
    pub(crate) fn bound<'t>(
        &mut self,
        found: &Rc<LoopBinding<'t>>,
        mut path: ReversedPath,
        tail: bool,
        rank: u32,
        rest: &mut Vec<SliceTask<'t>>,
    ) {
        let (view, bound) = (found.of, found.outside.clone());
        match &found.pick {
            // The collection counts already, or the element's value leads to it.
            ElementPick::Any => return,
            _ if found.is_key => return,
            ElementPick::Step(step, _) => path.push(step.clone()),
            ElementPick::Itself(_) => {}
            ElementPick::Within(_) => path.clear(),
        }
        rest.push(SliceTask { view, whole: None, path, bound, tail, rank });
    }

    /// Returns the names `bound` by the loops around, and those of one more loop over the collection `of`: its value name, bound
    /// to the element `pick`, and its key name, bound to `key` or, if that is `None`, to any key.
    pub(crate) fn bind<'t>(
        &self,
        (key_name, value_name): (Option<&'t str>, &'t str),
        of: View<'t>,
        bound: &Loops<'t>,
        key: Option<Value>,
        pick: ElementPick,
    ) -> Loops<'t> {
        let mut inner = bound.clone();
        if let Some(name) = key_name {
            let pick = match key {
                Some(key) => ElementPick::Within(key),
                None => ElementPick::Any,
            };
            let (outside, below) = (bound.clone(), inner);
            inner = Some(Rc::new(LoopBinding { name, of, outside, pick, is_key: true, below }));
        }
        let (outside, below) = (bound.clone(), inner);
        Some(Rc::new(LoopBinding { name: value_name, of, outside, pick, is_key: false, below }))
    }

    /// Adds to `rest`, the sub-expressions to inspect, those of a `for` expression in the context `around` on which the part of
    /// its result at the reversed `path` depends.
    pub(crate) fn each<'t>(
        &mut self,
        each: ForView<'t>,
        mut path: ReversedPath,
        around: &SliceContext<'t>,
        rest: &mut Vec<SliceTask<'t>>,
    ) {
        let SliceContext { bound, tail, rank } = around;
        let (tail, rank) = (*tail, *rank);
        let chosen = match path.pop() {
            Some(step) => self.choose(&each, &step, &mut path, bound),
            None => None,
        };
        let names = (each.key_name.map(|(name, _)| name), each.value_name.0);
        let outer = |view: View<'t>, path: ReversedPath| around.part(view, path, false);
        let inner = match chosen {
            None => {
                path.clear();
                rest.push(outer(each.collection, Vec::new()));
                self.bind(names, each.collection, bound, None, ElementPick::Any)
            }
            Some((key, pick)) => {
                // The element determines that there is a result even if no name refers to it.
                let named = [Some(each.value), each.key, each.condition];
                if !named.into_iter().flatten().any(|one| self.refers_to(one, each.value_name.0)) {
                    let path = match &pick {
                        ElementPick::Step(step, _) => vec![step.clone()],
                        _ => Vec::new(),
                    };
                    rest.push(outer(each.collection, path));
                }
                self.bind(names, each.collection, bound, Some(key), pick)
            }
        };
        let is_chosen = inner.as_ref().is_some_and(|one| !matches!(one.pick, ElementPick::Any));
        let inside = SliceContext { bound: inner, tail, rank };
        rest.extend(each.key.map(|view| inside.all(view)));
        rest.extend(each.condition.map(|view| inside.all(view)));
        rest.push(inside.part(each.value, path, tail && is_chosen));
    }

    /// Returns the key of the element, and the element itself, from which the item at `step` in the result of a `for` inside of
    /// the loops `bound` comes, where items are grouped the one that the next step of `path`, which is removed, selects; `None`
    /// if that element cannot be determined.
    fn choose<'t>(
        &mut self,
        each: &ForView<'t>,
        step: &WhyStep,
        path: &mut ReversedPath,
        bound: &Loops<'t>,
    ) -> Option<(Value, ElementPick)> {
        let collection = self.evaluate(each.collection, bound)?;
        let mut choice = ElementChoice { slicer: self, each, bound, collection };
        match each.key {
            None => choice.at(step.number()?),
            Some(key) => {
                let nth = match each.group {
                    true => path.pop().map_or(Some(0), |step| step.number())?,
                    false => 0,
                };
                choice.named(key, &step.name(), nth)
            }
        }
    }

    /// Returns true if an expression refers to the given name.
    pub(crate) fn refers_to(&self, view: View<'_>, name: &str) -> bool {
        let code = self.code(view);
        code.references().iter().any(|reference| *reference.root == *name)
    }

    /// Adds to `rest`, the sub-expressions to inspect, those of a splat in the context `around` on which the part of its result
    /// at the reversed `path` depends; the splat applies `each` to every element of `source`.
    pub(crate) fn splat<'t>(
        &mut self,
        (source, each): (View<'t>, View<'t>),
        mut path: ReversedPath,
        around: &SliceContext<'t>,
        rest: &mut Vec<SliceTask<'t>>,
    ) {
        let SliceContext { bound, tail, rank } = around;
        let (tail, rank) = (*tail, *rank);
        let outer = |view: View<'t>, path: ReversedPath| around.part(view, path, false);
        let value = self.evaluate(source, bound).filter(|value| value.is_known());
        let step = path.pop();
        let picks: Option<Vec<ElementPick>> = value.as_ref().and_then(|value| match value.bare() {
            Value::List(_) | Value::Tuple(_) => {
                if let Some(step) = step.as_ref() {
                    return Some(vec![element(value, step.number()?)?.1]);
                }
                let all = elements(value).filter(|all| all.len() <= MAX_ELEMENTS)?;
                Some(all.into_iter().map(|one| one.1).collect())
            }
            Value::Set(_) | Value::Null(_) => None,
            _ => Some(vec![ElementPick::Itself(value.clone())]),
        });
        let Some(picks) = picks else {
            rest.push(outer(source, Vec::new()));
            let bound = self.bind((None, ""), source, bound, None, ElementPick::Any);
            let path = Vec::new();
            rest.push(SliceTask { view: each, whole: None, path, bound, tail: false, rank });
            return;
        };
        if picks.is_empty() {
            rest.push(outer(source, Vec::new()));
        }
        let tail = tail && step.is_some();
        for (number, pick) in picks.into_iter().enumerate() {
            let bound = self.bind((None, ""), source, bound, None, pick);
            let (path, rank) = (path.clone(), rank.max(number as u32 + 1));
            rest.push(SliceTask { view: each, whole: None, path, bound, tail, rank });
        }
    }
}

/// Returns the innermost binding of a name in a list of bindings, if any.
pub(crate) fn find<'b, 't>(bound: &'b Loops<'t>, name: &str) -> Option<&'b Rc<LoopBinding<'t>>> {
    let mut next = bound.as_ref();
    while let Some(one) = next {
        if one.name == name {
            return Some(one);
        }
        next = one.below.as_ref();
    }
    None
}

/// Returns the elements that a `for` iterates over, each as its key and its value with the step to it; `None` if they are
/// unknown, or hidden, because keys appear in addresses.
fn elements(collection: &Value) -> Option<Vec<(Value, ElementPick)>> {
    if collection.marks().hide() {
        return None;
    }
    let marks = collection.marks();
    let numbered = |items: &[Value]| {
        let all = items.iter().enumerate();
        all.map(|(at, item)| {
            (Value::position(at), ElementPick::Step(WhyStep::At(at), item.mark(&marks)))
        })
        .collect()
    };
    let named = |name: &Str, item: &Value| {
        let key = Value::String(name.clone());
        (key, ElementPick::Step(WhyStep::Name(name.clone()), item.mark(&marks)))
    };
    Some(match collection.bare() {
        Value::List(list) => numbered(list.items()),
        Value::Tuple(tuple) => numbered(tuple.items()),
        Value::Map(map) => map.entries().iter().map(|(name, item)| named(name, item)).collect(),
        Value::Object(object) => object.iter().map(|(name, item)| named(name, item)).collect(),
        Value::Set(set) => {
            let all = set.items().iter();
            all.map(|item| (item.clone(), ElementPick::Within(item.mark(&marks)))).collect()
        }
        _ => return None,
    })
}

/// Returns the key of the element at an index, and its value with the step to it; `None` if there is none, or if the
/// collection is unknown or hidden by a mark such as sensitive.
fn element(collection: &Value, position: usize) -> Option<(Value, ElementPick)> {
    if collection.marks().hide() {
        return None;
    }
    let marks = collection.marks();
    let numbered = |items: &[Value]| {
        let pick = ElementPick::Step(WhyStep::At(position), items.get(position)?.mark(&marks));
        Some((Value::position(position), pick))
    };
    let named = |(name, item): (&Str, &Value)| {
        let pick = ElementPick::Step(WhyStep::Name(name.clone()), item.mark(&marks));
        (Value::String(name.clone()), pick)
    };
    match collection.bare() {
        Value::List(list) => numbered(list.items()),
        Value::Tuple(tuple) => numbered(tuple.items()),
        Value::Map(map) => map.entries().get(position).map(|(name, item)| named((name, item))),
        Value::Object(object) => object.iter().nth(position).map(named),
        Value::Set(set) => {
            let item = set.items().get(position)?;
            Some((item.clone(), ElementPick::Within(item.mark(&marks))))
        }
        _ => None,
    }
}

/// Returns the key of the element called `name` of a map or an object, and its value with the step to it; `None` if there is
/// none, or if the map or object is hidden by a mark such as sensitive.
fn named_element(collection: &Value, name: &Str) -> Option<(Value, ElementPick)> {
    if collection.marks().hide() {
        return None;
    }
    let item = match collection.bare() {
        Value::Map(map) => map.get(name)?,
        Value::Object(object) => object.get(name)?,
        _ => return None,
    };
    let pick = ElementPick::Step(WhyStep::Name(name.clone()), item.mark(&collection.marks()));
    Some((Value::String(name.clone()), pick))
}

/// Returns the keys and values of each iteration of a loop; `None` if the collection is unknown or hidden by a mark such as
/// sensitive.
pub(crate) fn iterations(collection: &Value) -> Option<Vec<(Value, Value)>> {
    if collection.marks().hide() {
        return None;
    }
    let marks = collection.marks();
    let named = |name: &Str, item: &Value| (Value::String(name.clone()), item.mark(&marks));
    let numbered = |items: &[Value]| {
        let all = items.iter().enumerate();
        all.map(|(at, item)| (Value::position(at), item.mark(&marks))).collect()
    };
    Some(match collection.bare() {
        Value::List(list) => numbered(list.items()),
        Value::Tuple(tuple) => numbered(tuple.items()),
        Value::Set(set) => {
            set.items().iter().map(|item| (item.clone(), item.mark(&marks))).collect()
        }
        Value::Map(map) => map.entries().iter().map(|(name, item)| named(name, item)).collect(),
        Value::Object(object) => object.iter().map(|(name, item)| named(name, item)).collect(),
        _ => return None,
    })
}

/// The search for the element of a collection for which a `for` yields a given item of its result.
struct ElementChoice<'c, 'e, 't> {
    slicer: &'c mut ExpressionSlicer<'e>,
    /// The `for` expression.
    each: &'c ForView<'t>,
    /// The names that enclosing loops bind.
    bound: &'c Loops<'t>,
    /// The value of the collection.
    collection: Value,
}

impl<'t> ElementChoice<'_, '_, 't> {
    /// Returns the names that are bound in the `for` while it processes the given element.
    fn inside(&self, (key, pick): &(Value, ElementPick)) -> Loops<'t> {
        let names = (self.each.key_name.map(|(name, _)| name), self.each.value_name.0);
        let (key, pick) = (Some(key.clone()), pick.clone());
        self.slicer.bind(names, self.each.collection, self.bound, key, pick)
    }

    /// Returns true if the condition of the `for` accepts an element; `None` if that is unknown. Counts as one sub-expression.
    fn admits(&mut self, one: &(Value, ElementPick)) -> Option<bool> {
        let Some(condition) = self.each.condition else { return Some(true) };
        self.charge(1)?;
        truth(self.slicer.evaluate(condition, &self.inside(one)))
    }

    /// Counts a number of inspected elements against the limit on inspected sub-expressions; `None` if that is exceeded.
    fn charge(&mut self, elements: usize) -> Option<()> {
        self.slicer.left = self.slicer.left.checked_sub(elements)?;
        Some(())
    }

    /// Returns the key of the element, and the element itself, for which a `for` without keys yields the item at index `left` of
    /// its result; `None` if that cannot be determined.
    fn at(&mut self, mut left: usize) -> Option<(Value, ElementPick)> {
        if self.each.condition.is_none() {
            return element(&self.collection, left);
        }
        for one in elements(&self.collection)? {
            if !self.admits(&one)? {
                continue;
            }
            if left == 0 {
                return Some(one);
            }
            left -= 1;
        }
        None
    }

    /// Returns the key of the element, and the element itself, for which a `for` with the key expression `key` yields the item
    /// called `wanted`, of several the one at index `nth`; `None` if that cannot be determined.
    fn named(&mut self, key: View<'t>, wanted: &Str, nth: usize) -> Option<(Value, ElementPick)> {
        // In the common case not every key has to be evaluated.
        let key_name = self.each.key_name.map(|(name, _)| name);
        let is_own = matches!(key.case(), ExprCase::Root(name) if Some(name) == key_name);
        if is_own && matches!(self.collection.bare(), Value::Map(_) | Value::Object(_)) {
            let one = named_element(&self.collection, wanted)?;
            return (self.admits(&one)? && nth == 0).then_some(one);
        }
        match self.bound.is_some() {
            true => self.searched(key, is_own, wanted, nth),
            false => self.indexed(key, is_own, wanted, nth),
        }
    }

    /// Returns the name of the item that a `for` with the key expression `key` yields for an element: the value of `key`, or with
    /// `is_own` the key of the element itself; `None` if it is unknown.
    fn name_of(&self, key: View<'t>, is_own: bool, one: &(Value, ElementPick)) -> Option<Str> {
        let own = match is_own {
            true => Some(one.0.clone()),
            false => self.slicer.evaluate(key, &self.inside(one)),
        };
        Some(WhyStep::of(&own?)?.name())
    }

    /// Returns the key of the element, and the element itself, for which a `for` yields the item called `wanted`, of several the
    /// one at index `nth`, by evaluating the key expression `key` for each element, or not at all if `is_own` says that it is the
    /// element's own key; `None` if that cannot be determined. Inside of loops the keys depend on the outer loops.
    fn searched(
        &mut self,
        key: View<'t>,
        is_own: bool,
        wanted: &Str,
        mut nth: usize,
    ) -> Option<(Value, ElementPick)> {
        for one in elements(&self.collection)? {
            if !is_own {
                self.charge(1)?;
            }
            if self.name_of(key, is_own, &one)? != *wanted || !self.admits(&one)? {
                continue;
            }
            if nth == 0 {
                return Some(one);
            }
            nth -= 1;
        }
        None
    }

    /// Returns the key of the element, and the element itself, for which a `for` with the key expression `key`, which with
    /// `is_own` is the element's own key, yields the item called `wanted`, of several the one at index `nth`, by an index of all
    /// names that is built once for each expression; `None` if that cannot be determined.
    fn indexed(
        &mut self,
        key: View<'t>,
        is_own: bool,
        wanted: &Str,
        mut nth: usize,
    ) -> Option<(Value, ElementPick)> {
        let known = self.index(key, is_own)?;
        // The charge is that of inspecting the elements one by one.
        let mut looked = 0;
        let positions = known.by_name.get(wanted).map(Vec::as_slice).unwrap_or_default();
        for position in positions {
            let cost = if is_own { 0 } else { position + 1 - looked };
            looked = position + 1;
            self.charge(cost)?;
            let one = element(&self.collection, *position)?;
            if !self.admits(&one)? {
                continue;
            }
            if nth == 0 {
                return Some(one);
            }
            nth -= 1;
        }
        let rest = if is_own { 0 } else { known.count - looked };
        self.slicer.left = self.slicer.left.saturating_sub(rest);
        None
    }

    /// Returns the positions of the collection's elements by the names of their results, up to the first unknown name, computed
    /// once per `for`; a name is what the expression `key` yields or, with `is_own`, the element's own key; `None` if the
    /// elements are unknown.
    fn index(&mut self, key: View<'t>, is_own: bool) -> Option<Rc<LoopResults>> {
        let known = self.slicer.kept.elements.borrow().get(&key.span()).cloned();
        if known.is_some() {
            return known;
        }
        let mut found = LoopResults::default();
        for one in elements(&self.collection)?.iter().take(MAX_PARTS) {
            let Some(name) = self.name_of(key, is_own, one) else { break };
            found.by_name.entry(name).or_default().push(found.count);
            found.count += 1;
        }
        let found = Rc::new(found);
        self.slicer.kept.elements.borrow_mut().insert(key.span(), found.clone());
        Some(found)
    }
}
