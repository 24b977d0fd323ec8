//! Slice of an expression: its dependencies for one part of its value. The part is followed through constructors, the branch that
//! was taken and the element that was selected. Where it cannot be followed, every reference of the expression counts. Conditions
//! are evaluated, and nothing is guessed.

use std::rc::Rc;
use std::sync::Arc;

use groma_eval::{Code, NamedValues, Reference};
use groma_functions::{FoundFunction, FunctionReads, ResultFlow};
use groma_syntax::ast::{BinaryOp, CallView, ExprCase, ExprView as View, ObjectItem, TemplatePart};
use groma_syntax::{Expr, FileId, Place};
use groma_value::{Str, Value};

use crate::argument_flow::{FlowKind, argument_flows};
use crate::cache::{ExpressionCache, SharedParts};
use crate::loop_bindings::{ElementPick, Loops, ReversedPath, find};
use crate::path::WhyStep;
use crate::site::PartEvaluator;
use crate::slice_task::{SliceContext, SliceTask};
use crate::source_text::{WrittenPlace, is_plain, of_view, plain_key};

/// Maximum number of sub-expressions inspected in one search for dependencies; the rest are left out and the result is flagged.
pub(crate) const MAX_PARTS: usize = 20_000;
/// Maximum number of elements of one collection that are treated as separate dependencies.
pub(crate) const MAX_ELEMENTS: usize = 64;

/// One dependency of an expression, with the position by which dependencies are sorted.
pub(crate) struct SliceDependency {
    /// The sort key: the position of the dependency, and the rank of the sub-expression in which it is.
    pub(crate) start: (u32, u32),
    /// The reference, call or literal.
    pub(crate) what: DependencyKind,
}

/// The kind of a dependency: a reference, a function call or a literal.
pub(crate) enum DependencyKind {
    /// A reference: its steps, extended by the path of the requested part.
    Named(Reference, Vec<WhyStep>),
    /// A call of a function whose result depends on more than its arguments.
    Called(CalledFunction),
    /// A literal that became the value.
    Literal(WrittenPlace, Option<Value>),
}

/// A call of a function that reads a file, renders a template or is otherwise not pure, with its dependencies.
pub(crate) struct CalledFunction {
    pub(crate) name: String,
    pub(crate) written: WrittenPlace,
    pub(crate) value: Option<Value>,
    /// The dependencies of its arguments.
    pub(crate) dependencies: Vec<SliceDependency>,
    /// For a call of a template file: the path of the file and the names that it passes.
    pub(crate) template: Option<Box<(Value, Value)>>,
    /// For a function that reads a file: the path.
    pub(crate) reads: Option<Str>,
}

/// The dependencies of a part of an expression's value, and a flag: true if the limit on sub-expressions was reached.
pub(crate) struct ValueSlice {
    /// The dependencies in source order.
    pub(crate) taken: Vec<SliceDependency>,
    /// True if the limit on sub-expressions was reached.
    pub(crate) is_cut: bool,
}

/// A search for the dependencies of one expression, with a limit on inspected sub-expressions.
pub(crate) struct ExpressionSlicer<'e> {
    pub(crate) evaluator: &'e PartEvaluator,
    pub(crate) file: FileId,
    /// Offset of places in an embedded text, such as a template in a JSON string.
    pub(crate) shift: u32,
    /// The JSON string that contains the expression, if its escapes make places inside of it unknown.
    pub(crate) escaped: Option<WrittenPlace>,
    /// The number of sub-expressions that may still be inspected.
    pub(crate) left: usize,
    /// True if the limit on sub-expressions was reached.
    pub(crate) is_cut: bool,
    /// Cached results for this expression in the evaluator's scope.
    pub(crate) kept: Rc<ExpressionCache>,
    shared: &'e SharedParts,
}

/// Returns the dependencies of the part of an expression's value at a path, in source order; `kept` is the cache of the
/// expression in the evaluator's scope.
pub(crate) fn slice(
    expr: &Expr,
    path: &[WhyStep],
    evaluator: &PartEvaluator,
    kept: Rc<ExpressionCache>,
    shared: &SharedParts,
) -> ValueSlice {
    let mut slicer = ExpressionSlicer {
        evaluator,
        file: expr.file(),
        shift: 0,
        escaped: None,
        left: MAX_PARTS,
        is_cut: false,
        kept,
        shared,
    };
    let path: ReversedPath = path.iter().rev().cloned().collect();
    let mut taken = match expr {
        Expr::Native(native) => slicer.dependencies_of(native.view(), path),
        Expr::Json(one) => slicer.json(one.view(), path),
    };
    taken.sort_by_key(|one| one.start);
    ValueSlice { taken, is_cut: slicer.is_cut }
}

impl ExpressionSlicer<'_> {
    /// Returns the dependencies of a sub-expression for the part of its value at a path; the literal itself if there are none.
    pub(crate) fn dependencies_of(
        &mut self,
        view: View<'_>,
        path: ReversedPath,
    ) -> Vec<SliceDependency> {
        let mut out = Vec::new();
        let task = SliceTask { view, whole: None, path, bound: None, tail: true, rank: 0 };
        self.run(vec![task], &mut out);
        if out.is_empty() && !view.is_broken() {
            let written = self.written(view);
            let value = self.evaluate(view, &None);
            out.push(SliceDependency {
                start: (written.place.span.start, 0),
                what: DependencyKind::Literal(written, value),
            });
        }
        out
    }

    /// Returns the source text and place of a sub-expression, or of the JSON string around it.
    fn written(&self, view: View<'_>) -> WrittenPlace {
        if let Some(whole) = &self.escaped {
            return whole.clone();
        }
        let found = of_view(view, self.file);
        WrittenPlace { place: Place::new(self.file, found.place.span.shift(self.shift)), ..found }
    }

    /// Inspects the sub-expressions in `rest` until none is left or the limit is reached, and adds the dependencies to `out`.
    fn run<'t>(&mut self, mut rest: Vec<SliceTask<'t>>, out: &mut Vec<SliceDependency>) {
        while let Some(task) = rest.pop() {
            if self.left == 0 {
                self.is_cut = true;
                return;
            }
            self.left -= 1;
            self.inspect(task, &mut rest, out);
        }
    }

    /// Inspects one sub-expression: adds its direct dependencies to `out`, and the inner sub-expressions on which the sought
    /// part of its value depends to `rest`.
    fn inspect<'t>(
        &mut self,
        task: SliceTask<'t>,
        rest: &mut Vec<SliceTask<'t>>,
        out: &mut Vec<SliceDependency>,
    ) {
        let SliceTask { view, whole, mut path, bound, tail, rank } = task;
        let around = SliceContext { bound, tail, rank };
        if let Some(step) = path.last()
            && let Some(found) =
                self.place(view).and_then(|at| self.shared.items.of(view, at, &step.name()))
        {
            path.pop();
            rest.extend(found.into_iter().map(|view| around.part(view, path.clone(), tail)));
            return;
        }
        let whole = whole.unwrap_or(view);
        match view.case() {
            ExprCase::Attribute { object, name, .. } => {
                path.push(WhyStep::Name(name.into()));
                rest.push(around.object(object, whole, path));
            }
            ExprCase::LegacyIndex { object, digits, .. } => {
                path.push(
                    digits.parse().map_or_else(|_| WhyStep::Name(digits.into()), WhyStep::At),
                );
                rest.push(around.object(object, whole, path));
            }
            ExprCase::Index { object, key, .. } => {
                if !is_plain(key) {
                    rest.push(around.all(key));
                }
                match self.evaluate(key, &around.bound).as_ref().and_then(WhyStep::of) {
                    Some(step) => path.push(step),
                    None => path.clear(),
                }
                rest.push(around.object(object, whole, path));
            }
            ExprCase::Root(name) => match find(&around.bound, name) {
                Some(found) => self.bound(found, path, tail, rank.max(view.span().start), rest),
                None if matches!(name, "true" | "false" | "null") => {
                    self.value_literal(view, &around, out);
                }
                None => self.reference(whole, path, rank, out),
            },
            ExprCase::SplatItem => {
                if let Some(found) = find(&around.bound, "") {
                    self.bound(found, path, tail, rank.max(view.span().start), rest);
                }
            }
            ExprCase::Parenthesised(inner) => rest.push(around.part(inner, path, tail)),
            ExprCase::Unary { operand, .. } => rest.push(around.all(operand)),
            ExprCase::Binary { op, left, right, .. } => {
                self.binary(op, [left, right], &around, rest);
            }
            ExprCase::Conditional { condition, then, otherwise } => {
                self.conditional(condition, [then, otherwise], path, &around, rest);
            }
            ExprCase::Template(template) => match template.lone_interpolation() {
                Some(inner) => rest.push(around.part(inner, path, tail)),
                None if template.plain().is_some() => self.value_literal(view, &around, out),
                None => self.parts(template.parts(), &around.bound, rank, rest),
            },
            ExprCase::Number(_) => self.value_literal(view, &around, out),
            ExprCase::Missing => {}
            ExprCase::Tuple(items) => self.tuple(view, items, path, &around, rest, out),
            ExprCase::Object(items) => self.object(view, items, path, &around, rest, out),
            ExprCase::For(each) => self.each(each, path, &around, rest),
            ExprCase::Splat { source, each, .. } => self.splat((source, each), path, &around, rest),
            ExprCase::Call(call) => self.call(view, call, path, &around, rest, out),
        }
    }

    /// Adds a literal to the dependencies `out` if by its context `around` its value becomes the value of the whole expression.
    fn value_literal(
        &self,
        view: View<'_>,
        around: &SliceContext<'_>,
        out: &mut Vec<SliceDependency>,
    ) {
        if around.tail {
            self.literal(view, out);
        }
    }

    /// Adds the operands on which the result of an operator depends to the sub-expressions to inspect, `rest`; `around` is the
    /// context of the operation.
    fn binary<'t>(
        &mut self,
        op: BinaryOp,
        [left, right]: [View<'t>; 2],
        around: &SliceContext<'t>,
        rest: &mut Vec<SliceTask<'t>>,
    ) {
        rest.push(around.all(left));
        // If the left operand determines the result, the right one does not count.
        let decides = match op {
            BinaryOp::And => Some(false),
            BinaryOp::Or => Some(true),
            _ => None,
        };
        if decides.is_none() || truth(self.evaluate(left, &around.bound)) != decides {
            rest.push(around.all(right));
        }
    }

    /// Adds the condition of a conditional, and the branch that it selects, to the sub-expressions to inspect, `rest`; `around`
    /// is the context of the conditional, and `path` the reversed path of the sought part of its value.
    fn conditional<'t>(
        &mut self,
        condition: View<'t>,
        [then, otherwise]: [View<'t>; 2],
        path: ReversedPath,
        around: &SliceContext<'t>,
        rest: &mut Vec<SliceTask<'t>>,
    ) {
        rest.push(around.all(condition));
        match truth(self.evaluate(condition, &around.bound)) {
            Some(true) => rest.push(around.part(then, path, around.tail)),
            Some(false) => rest.push(around.part(otherwise, path, around.tail)),
            None => {
                rest.push(around.part(then, path.clone(), around.tail));
                rest.push(around.part(otherwise, path, around.tail));
            }
        }
    }

    /// Adds the item of a tuple that the reversed `path` selects, or all items, to the sub-expressions to inspect, `rest`; a
    /// constant tuple that by its context `around` is the result as a whole goes to `out` instead, as a literal.
    fn tuple<'t>(
        &mut self,
        view: View<'t>,
        items: Vec<View<'t>>,
        mut path: ReversedPath,
        around: &SliceContext<'t>,
        rest: &mut Vec<SliceTask<'t>>,
        out: &mut Vec<SliceDependency>,
    ) {
        let step = path.pop();
        if step.is_none() && around.tail && self.is_constant(view) {
            return self.literal(view, out);
        }
        let number = step.and_then(|step| step.number());
        match number.and_then(|at| items.get(at).copied()) {
            Some(item) => rest.push(around.part(item, path, around.tail)),
            None => rest.extend(items.into_iter().map(|item| around.all(item))),
        }
    }

    /// Adds the items of an object constructor that the reversed `path` may select, or all items, to the sub-expressions to
    /// inspect, `rest`; a constant object that by its context `around` is the result as a whole goes to `out` instead, as a
    /// literal.
    fn object<'t>(
        &mut self,
        view: View<'t>,
        items: Vec<ObjectItem<'t>>,
        mut path: ReversedPath,
        around: &SliceContext<'t>,
        rest: &mut Vec<SliceTask<'t>>,
        out: &mut Vec<SliceDependency>,
    ) {
        let step = path.pop();
        if let Some(place) = self.place(view).filter(|_| step.is_some()) {
            self.shared.items.keep(place, &items);
        }
        if step.is_none() && around.tail && self.is_constant(view) {
            return self.literal(view, out);
        }
        for item in items {
            let plain = plain_key(item.key);
            let Some(step) = &step else {
                rest.extend(plain.is_none().then(|| around.all(item.key)));
                rest.push(around.all(item.value));
                continue;
            };
            let is_meant = match &plain {
                Some(name) => Some(**name == *step.name()),
                None => self
                    .evaluate(item.key, &around.bound)
                    .as_ref()
                    .and_then(WhyStep::of)
                    .map(|key| key.name() == step.name()),
            };
            if is_meant != Some(false) {
                rest.extend(plain.is_none().then(|| around.all(item.key)));
                rest.push(around.part(item.value, path.clone(), around.tail));
            }
        }
    }

    /// Returns the place of a sub-expression, if its text occurs in the file verbatim.
    fn place(&self, view: View<'_>) -> Option<Place> {
        (self.shift == 0 && self.escaped.is_none()).then(|| Place::new(self.file, view.span()))
    }

    /// Adds a literal and its value to the dependencies `out`.
    fn literal(&self, view: View<'_>, out: &mut Vec<SliceDependency>) {
        let written = self.written(view);
        let value = self.evaluate(view, &None);
        out.push(SliceDependency {
            start: (written.place.span.start, 0),
            what: DependencyKind::Literal(written, value),
        });
    }

    /// Returns the lowered code of a sub-expression.
    pub(crate) fn code(&self, view: View<'_>) -> Arc<Code> {
        self.shared.code(view, self.place(view), self.evaluator.library())
    }

    /// Returns true if an expression contains neither references nor functions that are not pure.
    fn is_constant(&self, view: View<'_>) -> bool {
        let code = self.code(view);
        code.references().is_empty() && code.is_pure()
    }

    /// Adds a reference to a name that no loop of the expression binds to the dependencies `out`, with the reversed `path` of the
    /// steps after the root name; `rank` sorts those at the same position.
    fn reference(
        &self,
        whole: View<'_>,
        path: ReversedPath,
        rank: u32,
        out: &mut Vec<SliceDependency>,
    ) {
        let base = whole.span().start;
        let code = self.code(whole);
        let Some(reference) = code.references().first() else { return };
        let path = path.into_iter().rev().collect();
        let what = DependencyKind::Named(reference.clone(), path);
        out.push(SliceDependency { start: (base + self.shift, rank), what });
    }

    /// Adds the interpolations and the conditions in a template inside of the loops `bound` to the sub-expressions to inspect,
    /// `rest`; `rank` sorts what is found at the same position.
    fn parts<'t>(
        &mut self,
        parts: Vec<TemplatePart<'t>>,
        bound: &Loops<'t>,
        rank: u32,
        rest: &mut Vec<SliceTask<'t>>,
    ) {
        let mut left: Vec<(Vec<TemplatePart<'t>>, Loops<'t>)> = vec![(parts, bound.clone())];
        while let Some((parts, bound)) = left.pop() {
            let all = |view: View<'t>| {
                let bound = bound.clone();
                SliceTask { view, whole: None, path: Vec::new(), bound, tail: false, rank }
            };
            for part in parts {
                match part {
                    TemplatePart::Literal { .. } => {}
                    TemplatePart::Interpolation { expr, .. } => rest.push(all(expr)),
                    TemplatePart::If { condition, then, otherwise, .. } => {
                        rest.push(all(condition));
                        let holds = truth(self.evaluate(condition, &bound));
                        if holds != Some(false) {
                            left.push((then, bound.clone()));
                        }
                        if holds != Some(true) {
                            left.extend(otherwise.map(|parts| (parts, bound.clone())));
                        }
                    }
                    TemplatePart::For { key_name, value_name, collection, body, .. } => {
                        rest.push(all(collection));
                        let names = key_name.map(|(name, _)| name);
                        let inner = self.bind(
                            (names, value_name.0),
                            collection,
                            &bound,
                            None,
                            ElementPick::Any,
                        );
                        left.push((body, inner));
                    }
                }
            }
        }
    }

    /// Adds the arguments on which the part at the reversed `path` of the result of a pure function call depends to the
    /// sub-expressions to inspect, `rest`, or a call of another function to the dependencies `out`; `around` is the context of
    /// the call.
    fn call<'t>(
        &mut self,
        view: View<'t>,
        call: CallView<'t>,
        path: ReversedPath,
        around: &SliceContext<'t>,
        rest: &mut Vec<SliceTask<'t>>,
        out: &mut Vec<SliceDependency>,
    ) {
        let name = call.name.strip_prefix("core::").unwrap_or(&call.name);
        let (asks, reads_files, flow) = match self.evaluator.library().find(&call.name) {
            FoundFunction::Function(function) => (
                function.reads != FunctionReads::Nothing,
                function.reads == FunctionReads::Files,
                function.flow,
            ),
            _ => (call.name.starts_with("provider::"), false, ResultFlow::Mixed),
        };
        if asks {
            let called = self.called(view, &call, reads_files, around);
            let start = (called.written.place.span.start, around.rank);
            out.push(SliceDependency { start, what: DependencyKind::Called(called) });
        } else if name == "try" {
            let is_taken = |arg: &&View<'t>| self.evaluate(**arg, &around.bound).is_some();
            match call.args.iter().find(is_taken) {
                Some(arg) => rest.push(around.part(*arg, path, around.tail)),
                None => rest.extend(call.args.iter().map(|arg| around.all(*arg))),
            }
        } else {
            self.arguments(&call, flow, &path, around, rest);
        }
    }

    /// Returns a call of a function that is not pure, in the context `around`, with the dependencies of its arguments, and with
    /// `reads_files` the path of the file that it reads, if that is known.
    fn called<'t>(
        &mut self,
        view: View<'t>,
        call: &CallView<'t>,
        reads_files: bool,
        around: &SliceContext<'t>,
    ) -> CalledFunction {
        let bound = &around.bound;
        let name = call.name.strip_prefix("core::").unwrap_or(&call.name).to_owned();
        let mut dependencies = Vec::new();
        let args = call.args.iter().map(|arg| around.all(*arg)).collect();
        self.run(args, &mut dependencies);
        dependencies.sort_by_key(|one| one.start);
        let (written, value) = (self.written(view), self.evaluate(view, bound));
        let template = match call.args.as_slice() {
            [file, names] if name == "templatefile" => {
                // In a loop its references depend on the element.
                let open = || Value::unknown(groma_value::Type::Dynamic);
                let names = self.evaluate(*names, bound).unwrap_or_else(open);
                self.evaluate(*file, bound).map(|file| Box::new((file, names)))
            }
            _ => None,
        };
        let path = call.args.first().filter(|_| reads_files);
        let reads = match path.and_then(|path| self.evaluate(*path, bound)) {
            Some(Value::String(path)) => Some(path),
            _ => None,
        };
        CalledFunction { name, written, value, dependencies, template, reads }
    }

    /// Adds the arguments on which the part at the reversed `path` of the result of a pure function call depends, by the `flow`
    /// of the function, to the sub-expressions to inspect, `rest`; `around` is the call's context.
    fn arguments<'t>(
        &mut self,
        call: &CallView<'t>,
        flow: ResultFlow,
        path: &ReversedPath,
        around: &SliceContext<'t>,
        rest: &mut Vec<SliceTask<'t>>,
    ) {
        let values: Vec<Option<Value>> = match flow.needs_values() {
            true => call.args.iter().map(|arg| self.evaluate(*arg, &around.bound)).collect(),
            false => vec![None; call.args.len()],
        };
        for found in argument_flows(flow, path.last(), &values, call.expand) {
            let Some(arg) = call.args.get(found.arg) else { continue };
            let mut inner = path.clone();
            let steps = match found.how {
                FlowKind::Deciding => {
                    rest.push(around.all(*arg));
                    continue;
                }
                FlowKind::Same => Vec::new(),
                FlowKind::Below(step) => vec![step],
                FlowKind::Instead(step) => {
                    inner.pop();
                    vec![step]
                }
                FlowKind::Both(first, then) => {
                    inner.pop();
                    vec![then, first]
                }
            };
            inner.extend(steps);
            rest.push(around.part(*arg, inner, around.tail));
        }
    }

    /// Evaluates a sub-expression inside of the loops `bound`; `None` after an error, or if it depends on a loop whose element is
    /// not determined.
    pub(crate) fn evaluate(&self, view: View<'_>, bound: &Loops<'_>) -> Option<Value> {
        let Some(innermost) = bound else {
            let known = self.kept.values.borrow().get(&view.span()).cloned();
            return known.unwrap_or_else(|| {
                let value = self.evaluator.lowered(view, self.code(view), NamedValues::new());
                self.kept.values.borrow_mut().insert(view.span(), value.clone());
                value
            });
        };
        let mut names = NamedValues::new();
        let mut open: Vec<&str> = Vec::new();
        let mut next = Some(innermost);
        while let Some(one) = next {
            next = one.below.as_ref();
            if names.get(one.name).is_some() || open.contains(&one.name) || one.name.is_empty() {
                continue;
            }
            match &one.pick {
                ElementPick::Any => open.push(one.name),
                ElementPick::Step(_, value)
                | ElementPick::Itself(value)
                | ElementPick::Within(value) => {
                    names.insert(one.name, value.clone());
                }
            }
        }
        if open.iter().any(|name| self.refers_to(view, name)) {
            return None;
        }
        self.evaluator.lowered(view, self.code(view), names)
    }
}

/// Converts the value of a condition to a boolean; `None` if it is unknown or not convertible.
pub(crate) fn truth(value: Option<Value>) -> Option<bool> {
    match groma_value::convert(value?.bare(), &groma_value::Type::Bool).ok()?.bare() {
        Value::Bool(holds) => Some(*holds),
        _ => None,
    }
}
