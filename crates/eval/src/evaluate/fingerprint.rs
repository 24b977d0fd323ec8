//! Fingerprints of operations with an unknown value, computed from the fingerprints of the operands and from the code. A known
//! operand counts by its value, whatever code it comes from. The body of a loop counts by its code, since it may not have run:
//! names that it binds count by their position, all others by their values.

use std::hash::{DefaultHasher, Hash, Hasher};

use groma_functions::{FunctionReads, SpecialForm};
use groma_value::{Fingerprint, Value};

use super::machine::CodeMachine;
use super::names::LoopName;
use crate::code::{CallNode, ForNode, ObjectNode, OpId, OpKind, Reference, Step, StepRange};
use crate::possible_names::PossibleNames;

/// The way in which an operation contributes to a fingerprint: by its value, or by its code as an attempt of `try` or as the
/// body of a loop.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum CountMode {
    /// By its value.
    Value,
    /// By its code, unless everything in it is known: it may turn out to be an error, whatever its value so far.
    Attempt,
    /// By its code, because the loop that contains it may not have run.
    Body,
}

/// An operation still to be added to a fingerprint, with the way in which it counts.
type PendingOperation = (OpId, CountMode);

/// A fingerprint under construction: the hash so far, and the operations still to be added.
struct FingerprintInput {
    state: DefaultHasher,
    waiting: Vec<PendingOperation>,
    /// The slots of the variables that loops inside of it bind, in the order in which they are found.
    bound: Vec<u32>,
    /// The same variables, with the collections that they come from.
    loops: Vec<LoopName>,
}

impl FingerprintInput {
    /// Creates a fingerprint to which nothing is added yet; the operation `root`, if given, is queued to be added first.
    fn of(root: Option<OpId>) -> FingerprintInput {
        let waiting = root.map(|root| (root, CountMode::Value)).into_iter().collect();
        FingerprintInput {
            state: DefaultHasher::new(),
            waiting,
            bound: Vec::new(),
            loops: Vec::new(),
        }
    }

    /// Adds any hashable data, such as a name or a number of operands, to the hash of the fingerprint.
    fn add(&mut self, part: impl Hash) {
        part.hash(&mut self.state);
    }

    /// Queues operations so that they are added to the fingerprint in this order, each by its value or its code as `mode` says.
    fn queue(&mut self, nodes: impl DoubleEndedIterator<Item = OpId>, mode: CountMode) {
        self.waiting.extend(nodes.rev().map(|node| (node, mode)));
    }

    /// Adds the steps of a traversal to the hash of the fingerprint: names and keys.
    fn steps(&mut self, steps: StepRange<'_>) {
        self.add(steps.len());
        for (step, _) in steps.iter() {
            match step {
                Step::Attribute(name) => self.add(&**name),
                Step::Index(key) => self.add(key.fingerprint()),
                Step::Splat | Step::Unknown => self.add(0_u8),
            }
        }
    }

    /// Adds the form of a loop to the hash of the fingerprint, and queues its body, which counts by its code, and its collection,
    /// which counts as `mode` says.
    fn each(&mut self, each: &ForNode, mode: CountMode) {
        let slots = [each.key_slot, Some(each.value_slot)];
        self.bound.extend(slots.into_iter().flatten());
        self.loops.extend(LoopName::of(each));
        let body = [each.key, each.condition, Some(each.value)];
        let shape = (each.key_slot.is_some(), body.map(|part| part.is_some()), each.group);
        self.add(shape);
        self.queue(body.into_iter().flatten(), CountMode::Body);
        self.waiting.push((each.collection, mode));
    }
}

impl CodeMachine<'_, '_> {
    /// Stores the result of an operation for later fingerprints, and returns it, an unknown one with the operation's
    /// fingerprint, or that of its name for a reference that failed: there are more errors than the `errors` before it.
    #[inline(never)]
    pub(super) fn keep_result(&mut self, id: OpId, value: Value, errors: usize) -> Value {
        let value = match self.code.node(id) {
            _ if value.is_traced() => value,
            OpKind::Value(_) | OpKind::Local(_) => value,
            // A value of the scope without a fingerprint has none. A step that fails is an error, equal in both evaluations.
            OpKind::Reference(index) => match self.code.references.get(*index as usize) {
                Some(reference) if self.errors() > errors => value.traced(self.by_name(reference)),
                _ => value,
            },
            _ => match self.fingerprint(id) {
                Some(basis) => {
                    let value = value.traced(basis);
                    self.keep_names(id, &value);
                    value
                }
                None => value,
            },
        };
        if let Some(place) = self.results.get_mut(id.0 as usize) {
            *place = Some(value.clone());
        }
        value
    }

    /// Returns the fingerprint of an operation; `None` if an operand has none.
    pub(super) fn fingerprint(&mut self, root: OpId) -> Option<Fingerprint> {
        let mut all = FingerprintInput::of(Some(root));
        while let Some((id, mode)) = all.waiting.pop() {
            if id != root
                && mode != CountMode::Body
                && (mode == CountMode::Value || self.is_settled(id))
                && let Some(Some(value)) = self.results.get(id.0 as usize)
            {
                all.add(("value", value.fingerprint()?));
                continue;
            }
            self.add_operation(id, mode, &mut all)?;
        }
        Some(Fingerprint::of(all.state.finish()))
    }

    /// Adds an operation, which counts by its value or its code as `mode` says, to the hash and queues its operands; `None` if a
    /// value that it names has no fingerprint.
    fn add_operation(
        &mut self,
        id: OpId,
        mode: CountMode,
        all: &mut FingerprintInput,
    ) -> Option<()> {
        let node = self.code.node(id);
        all.add(std::mem::discriminant(node));
        match node {
            OpKind::Value(value) => all.add(value.fingerprint()?),
            OpKind::Local(slot) => match all.bound.iter().position(|one| one == slot) {
                Some(at) => all.add(at),
                None => all.add(self.local(*slot).fingerprint()?),
            },
            OpKind::Reference(_) => all.add(self.value_of(id)?.fingerprint()?),
            OpKind::Traverse(node) => {
                all.steps(node.steps());
                all.waiting.push((node.source, mode));
            }
            OpKind::Index { source, key, .. } => all.queue([*source, *key].into_iter(), mode),
            OpKind::Splat { source, each, slot } => {
                all.bound.push(*slot);
                all.loops.push(LoopName::of_splat(*slot, *source));
                all.waiting.push((*each, CountMode::Body));
                all.waiting.push((*source, mode));
            }
            OpKind::Not(operand) | OpKind::Negate(operand) => all.waiting.push((*operand, mode)),
            OpKind::Binary { op, left, right } => {
                all.add(op);
                all.queue([*left, *right].into_iter(), mode);
            }
            OpKind::Conditional { condition, then, otherwise } => {
                all.queue([*condition, *then, *otherwise].into_iter(), mode);
            }
            OpKind::Tuple(items) | OpKind::Template(items) => {
                all.add(items.len());
                all.queue(items.iter().copied(), mode);
            }
            OpKind::Object(object) => match &**object {
                ObjectNode::Named { layout, values } => {
                    all.add((layout.names.as_slice(), &layout.order));
                    all.queue(values.iter().copied(), mode);
                }
                ObjectNode::Computed(items) => {
                    all.add(items.len());
                    let both = items.iter().flat_map(|(key, value)| [*key, *value]);
                    all.queue(both.collect::<Vec<_>>().into_iter(), mode);
                }
            },
            OpKind::For(each) | OpKind::TemplateFor(each) => all.each(each, mode),
            OpKind::Call(_) | OpKind::Form(..) | OpKind::Provided(_) => {
                self.add_call(id, mode, all);
            }
            OpKind::TypeForm(form) => {
                all.add((&form.wanted.ty, form.value.is_some()));
                all.waiting.extend(form.value.map(|value| (value, mode)));
            }
            OpKind::Fault(fault) => all.add((fault.row.slug, &fault.detail)),
            OpKind::Missing => {}
        }
        Some(())
    }

    /// Adds a call of a function or of a special form to the hash, with a fingerprint of the contents of the files that it may
    /// read, and queues its arguments, to be added by value or by code as `mode` says.
    fn add_call(&mut self, id: OpId, mode: CountMode, all: &mut FingerprintInput) {
        match self.code.node(id) {
            OpKind::Call(call) => {
                if call.function.reads == FunctionReads::Files {
                    // The names of the files are not known, so all files that the call may read count.
                    let loops = if mode == CountMode::Body { &*all.loops } else { &[] };
                    let found = self.any_file(id, call, loops);
                    all.add(found);
                }
                of_call(call, all, mode);
            }
            OpKind::Form(form @ (SpecialForm::Try | SpecialForm::Can), call) => {
                let mode = if mode == CountMode::Body { mode } else { CountMode::Attempt };
                all.add(matches!(form, SpecialForm::Try));
                of_call(call, all, mode);
            }
            OpKind::Form(form, call) => {
                of_call(call, all, mode);
                if *form == SpecialForm::TemplateFile {
                    let loops = if mode == CountMode::Body { &*all.loops } else { &[] };
                    let text = self.template_of(id, call, loops);
                    all.add(text);
                }
            }
            OpKind::Provided(node) => {
                all.add((&*node.provider, &*node.name));
                of_call(&node.call, all, mode);
            }
            _ => {}
        }
    }

    /// Evaluates the calls that read files, so that a later fingerprint includes the files' content; returns the fingerprint of
    /// the result if the whole expression is such a call with a known result, otherwise `None`.
    pub(super) fn read_files(&mut self) -> Option<Fingerprint> {
        let code = self.code;
        for (at, operation) in code.operations.iter().enumerate() {
            let reads = match &operation.node {
                OpKind::Call(call) => call.function.reads == FunctionReads::Files,
                OpKind::Form(form, _) => *form == SpecialForm::TemplateFile,
                _ => false,
            };
            // Operations in a loop have no value here, and count by their code.
            if reads {
                let value = self.eval(OpId(at as u32));
                if OpId(at as u32) == code.root && value.is_wholly_known() {
                    return value.fingerprint();
                }
            }
        }
        None
    }

    /// Returns a fingerprint of what a call of a template function that did not render its template may read: the text of the
    /// template, and every file of whatever name if the text calls file functions or the template's name is unknown; `None`
    /// without a template argument or without fingerprints in the context; if the call did not run, `loops` are the variables
    /// of the loops around it.
    fn template_of(
        &mut self,
        id: OpId,
        call: &CallNode,
        loops: &[LoopName],
    ) -> Option<Fingerprint> {
        let path = call.args.first()?;
        let Some(paths) = self.possible_names(path.node, loops, 0).texts() else {
            return self.files_named(id, &PossibleNames::any());
        };
        let texts: Vec<Option<String>> =
            paths.iter().map(|path| self.read_text(path, false).ok()).collect();
        let reads = texts.iter().flatten().any(|text| text.contains("file"));
        let read = if reads { self.files_named(id, &PossibleNames::any()) } else { None };
        Some(Fingerprint::of(("template", texts, read)))
    }

    /// Returns true if no value computed inside an operation is unknown, so that its errors are final.
    fn is_settled(&self, id: OpId) -> bool {
        let mut waiting = vec![id];
        while let Some(id) = waiting.pop() {
            if let Some(Some(value)) = self.results.get(id.0 as usize)
                && !value.is_wholly_known()
            {
                return false;
            }
            self.code.node(id).push_operands(&mut waiting);
        }
        true
    }

    /// Returns the fingerprint of a reference that cannot be resolved, derived from its root and its steps.
    pub(super) fn by_name(&self, reference: &Reference) -> Fingerprint {
        let mut all = FingerprintInput::of(None);
        all.add(("name", &*reference.root));
        all.steps(self.code.literal_steps(reference));
        Fingerprint::of(all.state.finish())
    }

    /// Returns the value of an operation that is already computed, or of a constant, loop variable or reference; `None` for
    /// others.
    pub(super) fn value_of(&mut self, id: OpId) -> Option<Value> {
        if let Some(Some(value)) = self.results.get(id.0 as usize) {
            return Some(value.clone());
        }
        match self.code.node(id) {
            OpKind::Value(value) => Some(value.clone()),
            OpKind::Local(slot) => Some(self.local(*slot)),
            OpKind::Reference(index) => {
                let (start, errors) = (self.run.out.len(), self.errors());
                let value = self.reference(id, *index as usize);
                let is_wrong = self.errors() > errors;
                self.run.out.split_off(start);
                // An attempt that `try` did not evaluate may be an error, equal in both evaluations.
                let value = match self.code.references.get(*index as usize) {
                    Some(reference) if is_wrong => value.traced(self.by_name(reference)),
                    _ => value,
                };
                let is_there = value.is_traced();
                if let Some(place) = self.results.get_mut(id.0 as usize).filter(|_| is_there) {
                    *place = Some(value.clone());
                }
                Some(value)
            }
            _ => None,
        }
    }
}

/// Adds the function and the number of arguments of a call to the fingerprint `all`, and queues the arguments, to be added by
/// value or by code as `mode` says.
fn of_call(call: &CallNode, all: &mut FingerprintInput, mode: CountMode) {
    all.add((call.function.name, call.args.len(), call.expand));
    all.queue(call.args.iter().map(|argument| argument.node), mode);
}
