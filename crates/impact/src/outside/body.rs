//! Comparison of two bodies: arguments by name, blocks by type. Equal blocks of one type are matched wherever they are; the
//! remaining ones are compared in source order.

use std::collections::{BTreeMap, BTreeSet};

use groma_syntax::Place;
use groma_value::{Fingerprint, Str, Value, identical};

use super::change::OutsideKind;
use super::shown::OutsideValue;

/// An argument in the form in which it is compared and displayed: its value, code and fingerprints, and the value to display.
#[derive(Clone, Default)]
pub(super) struct ArgumentPart {
    pub(super) place: Place,
    pub(super) shown: OutsideValue,
    /// The value of the argument, if known.
    pub(super) value: Option<Value>,
    /// The fingerprint of its code.
    pub(super) code: Option<Fingerprint>,
    /// The text as written, for code without a fingerprint.
    pub(super) text: Str,
    /// The fingerprints of its value, by the instances in which it is evaluated; `None` where there is no fingerprint.
    pub(super) computed: BTreeMap<String, Option<Fingerprint>>,
    /// The fingerprint of the files that it names and that are read on use.
    pub(super) reads: Option<Fingerprint>,
}

/// The arguments and nested blocks of a body, in the form in which two revisions are compared and displayed.
#[derive(Clone)]
pub(super) struct ComparedBody {
    pub(super) place: Place,
    pub(super) arguments: BTreeMap<Str, ArgumentPart>,
    /// By the displayed type and labels, in source order.
    pub(super) blocks: BTreeMap<Str, Vec<ComparedBody>>,
}

/// A difference between two bodies: its kind and address, and the display values of both sides.
pub(super) struct BodyDifference {
    pub(super) kind: OutsideKind,
    /// The address within the module, with the path to the difference.
    pub(super) address: String,
    pub(super) place: Place,
    pub(super) before: Option<OutsideValue>,
    pub(super) after: Option<OutsideValue>,
}

impl ArgumentPart {
    /// Creates an argument that is compared by its known value.
    pub(super) fn plain(place: Place, value: Value) -> ArgumentPart {
        let shown = OutsideValue::of(&value);
        ArgumentPart { place, shown, value: Some(value), ..ArgumentPart::default() }
    }

    /// Creates an argument that is compared by its source text alone.
    pub(super) fn code(place: Place, text: impl Into<Str>) -> ArgumentPart {
        let text = text.into();
        let shown = OutsideValue::Code(text.clone());
        ArgumentPart { place, shown, text, ..ArgumentPart::default() }
    }

    /// Returns the argument with `(sensitive value)` in place of the value to display.
    pub(super) fn hidden(self) -> ArgumentPart {
        ArgumentPart { shown: OutsideValue::Hidden, ..self }
    }

    /// Returns true if the argument's value is known and equals `flag`.
    pub(super) fn is_flag(&self, flag: bool) -> bool {
        self.value
            .as_ref()
            .is_some_and(|value| matches!(value.bare(), Value::Bool(is) if *is == flag))
    }

    /// Returns true if two arguments are equal: by value if both are known, otherwise by the fingerprints of their values in
    /// all instances and by code; and by the files that they read.
    pub(super) fn is_same(&self, other: &ArgumentPart) -> bool {
        if self.reads != other.reads {
            return false;
        }
        match (&self.value, &other.value) {
            (Some(one), Some(other)) => identical(&one.unmark_deep().0, &other.unmark_deep().0),
            _ if self.has_equal_results(other) => true,
            _ => {
                let is_same_code = match (self.code, other.code) {
                    (Some(one), Some(other)) => one == other,
                    _ => self.text == other.text,
                };
                is_same_code && !self.has_different_results(other)
            }
        }
    }

    /// Returns true if both arguments have the same instances, and equal fingerprints of their values in each.
    fn has_equal_results(&self, other: &ArgumentPart) -> bool {
        !self.computed.is_empty()
            && self.computed == other.computed
            && self.computed.values().all(Option::is_some)
    }

    /// Returns true if the fingerprints of both arguments' values differ in an instance that both have.
    fn has_different_results(&self, other: &ArgumentPart) -> bool {
        self.computed.iter().any(|(key, one)| match (one, other.computed.get(key)) {
            (Some(one), Some(Some(other))) => one != other,
            _ => false,
        })
    }
}

impl ComparedBody {
    /// Returns a body without arguments and blocks.
    pub(super) fn empty(place: Place) -> ComparedBody {
        ComparedBody { place, arguments: BTreeMap::new(), blocks: BTreeMap::new() }
    }

    /// Adds an argument to the body, unless its value is null, which equals an omitted argument.
    pub(super) fn set(&mut self, name: &str, part: ArgumentPart) {
        if !part.value.as_ref().is_some_and(Value::is_null) {
            self.arguments.insert(Str::from(name), part);
        }
    }

    /// Adds an argument with a known value to the body, unless it is null.
    pub(super) fn put(&mut self, name: &str, value: Value) {
        self.set(name, ArgumentPart::plain(self.place, value));
    }

    /// Adds a nested block of a type to the body.
    pub(super) fn push(&mut self, kind: &str, block: ComparedBody) {
        self.blocks.entry(Str::from(kind)).or_default().push(block);
    }

    /// Removes all fingerprints of values, so that unknown values are compared by code alone.
    pub(super) fn forget_computed(&mut self) {
        self.arguments.values_mut().for_each(|part| part.computed.clear());
        self.blocks.values_mut().flatten().for_each(ComparedBody::forget_computed);
    }

    /// Returns the arguments and blocks of the body as a value to display.
    fn shown(&self) -> OutsideValue {
        let arguments =
            self.arguments.iter().map(|(name, part)| (name.clone(), part.shown.clone()));
        let blocks = self
            .blocks
            .iter()
            .flat_map(|(kind, all)| all.iter().map(|one| (kind.clone(), one.shown())));
        match self.arguments.len() + self.blocks.len() {
            1 if self.arguments.contains_key("") => self
                .arguments
                .values()
                .next()
                .map_or(OutsideValue::Hidden, |part| part.shown.clone()),
            _ => OutsideValue::Parts(arguments.chain(blocks).collect()),
        }
    }

    /// Returns true if the arguments and blocks of two bodies are equal.
    pub(super) fn is_same(&self, other: &ComparedBody) -> bool {
        let arguments = self.arguments.iter().zip(&other.arguments);
        let blocks = self.blocks.iter().zip(&other.blocks);
        self.arguments.len() == other.arguments.len()
            && self.blocks.len() == other.blocks.len()
            && arguments
                .into_iter()
                .all(|((name, one), (own, other))| name == own && one.is_same(other))
            && blocks.into_iter().all(|((kind, before), (own, after))| {
                let (before, after) = (before.iter().collect(), after.iter().collect());
                let [gone, come] = without_equals(before, after);
                kind == own && gone.is_empty() && come.is_empty()
            })
    }
}

/// Returns the bodies of two lists that have no equal in the other list.
fn without_equals<'b>(
    before: Vec<&'b ComparedBody>,
    after: Vec<&'b ComparedBody>,
) -> [Vec<&'b ComparedBody>; 2] {
    let mut come = after;
    let mut gone = Vec::new();
    for one in before {
        match come.iter().position(|other| one.is_same(other)) {
            Some(at) => drop(come.remove(at)),
            None => gone.push(one),
        }
    }
    [gone, come]
}

/// A comparison of two bodies, with the kind and address under which differences are reported.
#[derive(Clone, Copy)]
pub(super) struct BodyComparison<'t> {
    pub(super) kind: OutsideKind,
    pub(super) address: &'t str,
}

impl BodyComparison<'_> {
    /// Reports the differences between two lists of bodies at the same address, whose order does not matter.
    pub(super) fn compare_lists(
        self,
        lists: [&[ComparedBody]; 2],
        emit: &mut dyn FnMut(BodyDifference),
    ) {
        let [gone, come] = without_equals(lists[0].iter().collect(), lists[1].iter().collect());
        let (mut before, mut after) = (gone.into_iter(), come.into_iter());
        loop {
            match (before.next(), after.next()) {
                (None, None) => break,
                (Some(before), Some(after)) => self.compare_bodies([before, after], emit),
                (before, after) => {
                    let place = after.or(before).map(|body| body.place).unwrap_or_default();
                    self.report(
                        place,
                        [before.map(ComparedBody::shown), after.map(ComparedBody::shown)],
                        emit,
                    );
                }
            }
        }
    }

    /// Reports one difference for two lists of bodies that differ in content or order.
    pub(super) fn compare_sequences(
        self,
        [before, after]: [&[ComparedBody]; 2],
        emit: &mut dyn FnMut(BodyDifference),
    ) {
        if before.iter().zip(after).all(|(one, other)| one.is_same(other)) {
            return;
        }
        let shown = |all: &[ComparedBody]| {
            let numbered = all.iter().enumerate();
            let parts = numbered.map(|(at, body)| (Str::from((at + 1).to_string()), body.shown()));
            Some(OutsideValue::Parts(parts.collect()))
        };
        let place = after.first().map(|body| body.place).unwrap_or_default();
        self.report(place, [shown(before), shown(after)], emit);
    }

    /// Reports the differences between two bodies.
    pub(super) fn compare_bodies(
        self,
        [before, after]: [&ComparedBody; 2],
        emit: &mut dyn FnMut(BodyDifference),
    ) {
        let names: BTreeSet<&Str> = before.arguments.keys().chain(after.arguments.keys()).collect();
        for name in names {
            let both = [before.arguments.get(name), after.arguments.get(name)];
            if matches!(both, [Some(one), Some(other)] if one.is_same(other)) {
                continue;
            }
            let place = both[1].or(both[0]).map(|part| part.place).unwrap_or_default();
            let mut shown = both.map(|part| part.map(|part| part.shown.clone()));
            if shown.iter().flatten().any(|one| matches!(one, OutsideValue::Hidden)) {
                // If either side hides it, the other may contain the same secret.
                shown = shown.map(|one| one.map(|_| OutsideValue::Hidden));
            }
            self.compare_part(name, &mut |inner| inner.report(place, shown.clone(), emit));
        }
        let kinds: BTreeSet<&Str> = before.blocks.keys().chain(after.blocks.keys()).collect();
        for kind in kinds {
            let of = |body: &'_ ComparedBody| body.blocks.get(kind).cloned().unwrap_or_default();
            let (before, after) = (of(before), of(after));
            self.compare_part(kind, &mut |inner| inner.compare_lists([&before, &after], emit));
        }
    }

    /// Calls `go_on` with the comparison of the part `name`, whose address is that of this comparison followed by `.name`; an
    /// empty name means the same address.
    fn compare_part(self, name: &str, go_on: &mut dyn FnMut(BodyComparison<'_>)) {
        match name {
            "" => go_on(self),
            name => {
                let address = format!("{}.{name}", self.address);
                go_on(BodyComparison { address: &address, ..self });
            }
        }
    }

    /// Passes a difference to `emit`, with this comparison's kind and address and the display values of both sides.
    fn report(
        self,
        place: Place,
        [before, after]: [Option<OutsideValue>; 2],
        emit: &mut dyn FnMut(BodyDifference),
    ) {
        let address = self.address.to_owned();
        emit(BodyDifference { kind: self.kind, address, place, before, after });
    }
}
