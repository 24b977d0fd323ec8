//! Possible names of the files that an expression reads, where the exact name is unknown. They are derived from the operations
//! that compute the name; a loop variable may be any element of its collection.

use groma_functions::{Failure, FailureKind, Function, NoCauses, SpecialForm};
use groma_runtime::{HostError, file_path};
use groma_value::{Fingerprint, Type, Value};

use super::machine::CodeMachine;
use crate::code::{CallArgument, CallNode, ForNode, OpId, OpKind};
use crate::other_files::FileDecoder;
use crate::possible_names::PossibleNames;

/// Maximum depth of operations inspected for the possible texts of a file name.
const MAX_DEPTH: usize = 24;

/// Decoders of file contents: a file that is read for one of them is compared by the decoded value, not by its text.
const DECODING: [&str; 3] = ["csvdecode", "jsondecode", "yamldecode"];

/// Functions whose results may be file names that contain their arguments, such as `join`.
const TEXTS: [&str; 5] = ["basename", "dirname", "fileset", "format", "join"];

/// A loop variable: its slot in the evaluator, the operation of the loop's collection, and true if it is the key variable.
#[derive(Clone, Copy)]
pub(super) struct LoopName {
    slot: u32,
    collection: OpId,
    is_key: bool,
}

impl LoopName {
    /// Returns the variables of a `for`, the key variable first if it has one, each with its slot and the loop's collection.
    pub(super) fn of(each: &ForNode) -> impl Iterator<Item = LoopName> {
        let collection = each.collection;
        let key = each.key_slot.map(|slot| LoopName { slot, collection, is_key: true });
        let value = LoopName { slot: each.value_slot, collection, is_key: false };
        key.into_iter().chain([value])
    }

    /// Returns the variable in `slot` that holds the current item of a splat over the operation `collection`.
    pub(super) fn of_splat(slot: u32, collection: OpId) -> LoopName {
        LoopName { slot, collection, is_key: false }
    }
}

impl CodeMachine<'_, '_> {
    /// Returns a fingerprint of the contents of the files that a call of a file function may read; `None` if the context
    /// computes no fingerprints; if the call did not run, `loops` are the variables of the loops around it.
    pub(super) fn any_file(
        &mut self,
        id: OpId,
        call: &CallNode,
        loops: &[LoopName],
    ) -> Option<Fingerprint> {
        let names = match (call.function.name, &*call.args) {
            _ if call.expand => PossibleNames::any(),
            ("fileset", [folder, pattern]) => {
                let folder = self.possible_names(folder.node, loops, 0);
                let found = self.fitting(pattern.node, loops, 0);
                folder.then(PossibleNames::exactly("/")).then(found)
            }
            (_, [path, ..]) => self.possible_names(path.node, loops, 0),
            _ => PossibleNames::any(),
        };
        match self.decoder_of(id, call) {
            Some(decoder) => self.files_decoded(id, &names, Some(decoder)),
            None => self.files_named(id, &names),
        }
    }

    /// Returns the decoder whose only argument is this call of `file`, if any.
    fn decoder_of(&self, id: OpId, call: &CallNode) -> Option<&'static Function> {
        let next = OpId(id.0.checked_add(1)?);
        if call.function.name != "file" || next.0 as usize >= self.code.operations.len() {
            return None;
        }
        match self.code.node(next) {
            OpKind::Call(outer)
                if DECODING.contains(&outer.function.name)
                    && !outer.expand
                    && matches!(&*outer.args, [only] if only.node == id) =>
            {
                Some(outer.function)
            }
            _ => None,
        }
    }

    /// Returns a fingerprint of the contents of the files that may have these names, which the operation `id` reads; `None` if
    /// the context computes no fingerprints.
    pub(super) fn files_named(&self, id: OpId, names: &PossibleNames) -> Option<Fingerprint> {
        self.files_decoded(id, names, None)
    }

    /// Returns the fingerprint of a decoder's result for a text: the inner `None` if the decoder refuses the text, the outer
    /// `None` if the result has no fingerprint or a limit was reached.
    fn decoded(&self, decoder: &'static Function, text: &str) -> Option<Option<Fingerprint>> {
        let context = self.call_context(&NoCauses);
        match groma_functions::call(decoder, &[Value::String(text.into())], &context) {
            Ok(value) => Some(Some(value.fingerprint()?)),
            Err(failures) => {
                let is_refused =
                    |one: &Failure| matches!(one.kind, FailureKind::Argument | FailureKind::Whole);
                failures.iter().all(is_refused).then_some(None)
            }
        }
    }

    /// Returns a fingerprint of the contents of the files that may have these names, which the operation `id` reads, decoded if
    /// there is a decoder; `None` if the context computes no fingerprints.
    fn files_decoded(
        &self,
        id: OpId,
        names: &PossibleNames,
        decoder: Option<&'static Function>,
    ) -> Option<Fingerprint> {
        let files = self.context.trace.as_ref()?;
        let host = &*self.context.host;
        let start = file_path::join(&host.current_dir(), &self.context.base);
        let real = host.canonical(&start).ok().filter(|real| *real != start);
        let folders: Vec<String> = std::iter::once(start).chain(real).collect();
        let place = self.blamed(self.code.span_of(id));
        let may_read = |path: &str| {
            let admitted = host.check_code_access(path);
            !matches!(admitted, Err(HostError::Outside | HostError::Private))
        };
        let decode = |function: &'static Function| move |text: &str| self.decoded(function, text);
        let decode = decoder.map(|function| (function.name, decode(function)));
        let decoder = decode.as_ref().map(|(name, decode)| FileDecoder { name, decode });
        Some(files.fingerprint(place, names, &folders, decoder.as_ref(), may_read))
    }

    /// Records the texts that an unknown value may turn out to be, by its fingerprint, in the context's record of files with
    /// unknown names, if the operation that yields the value restricts them.
    pub(super) fn keep_names(&mut self, id: OpId, value: &Value) {
        let Value::Unknown(unknown) = value.bare() else { return };
        let (Some(files), Some(of)) = (self.context.trace.clone(), unknown.fingerprint) else {
            return;
        };
        let is_shown = match self.code.node(id) {
            OpKind::Template(parts) => parts.last().is_some_and(|last| {
                matches!(self.code.node(*last), OpKind::Value(Value::String(text)) if text.contains('.'))
            }),
            OpKind::Call(call) => {
                let function = call.function;
                function.flow.makes_no_texts() || TEXTS.contains(&function.name)
            }
            OpKind::Form(SpecialForm::Try, _) | OpKind::Conditional { .. } | OpKind::For(_) => true,
            _ => false,
        };
        if is_shown {
            files.keep(of, self.derived_names(id, &[], 0));
        }
    }

    /// Returns the texts that the value of an operation, or its elements, may turn out to be, from its latest result if there
    /// is one, or else from its operands; `loops` are the variables of the loops around it that did not run, `depth` counts the
    /// operands followed to it, up to [`MAX_DEPTH`].
    pub(super) fn possible_names(
        &mut self,
        id: OpId,
        loops: &[LoopName],
        depth: usize,
    ) -> PossibleNames {
        match self.results.get(id.0 as usize) {
            Some(Some(value)) if loops.is_empty() => {
                let value = value.clone();
                self.names_in(&value)
            }
            _ => self.derived_names(id, loops, depth + 1),
        }
    }

    /// Returns the texts that an operation's value may turn out to be, derived from its operands; `loops` are the variables of
    /// the loops around it that did not run, `depth` counts the operands followed to it, up to [`MAX_DEPTH`].
    fn derived_names(&mut self, id: OpId, loops: &[LoopName], depth: usize) -> PossibleNames {
        if depth > MAX_DEPTH {
            return PossibleNames::any();
        }
        let code = self.code;
        match code.node(id) {
            OpKind::Value(_) | OpKind::Reference(_) => match self.value_of(id) {
                Some(value) => self.names_in(&value),
                None => PossibleNames::any(),
            },
            OpKind::Local(slot) => self.bound_names(*slot, loops, depth),
            OpKind::Traverse(node) => self.possible_names(node.source, loops, depth),
            OpKind::Index { source, .. } => self.possible_names(*source, loops, depth),
            OpKind::Template(parts) => self.chained(parts.iter().copied(), loops, depth),
            OpKind::Tuple(items) => self.any_of(items.iter().copied(), loops, depth),
            OpKind::Conditional { then, otherwise, .. } => {
                self.any_of([*then, *otherwise].into_iter(), loops, depth)
            }
            OpKind::For(each) => {
                let mut inner = loops.to_vec();
                inner.extend(LoopName::of(each));
                let given = each.key.into_iter().chain([each.value]);
                self.any_of(given, &inner, depth)
            }
            OpKind::Form(SpecialForm::Try, call) => {
                self.any_of(call.args.iter().map(|one| one.node), loops, depth)
            }
            OpKind::Call(call) => self.names_of_call(call, loops, depth),
            _ => PossibleNames::any(),
        }
    }

    /// Returns the texts that a function call's result may turn out to be; `loops` are the variables of the loops around it
    /// that did not run, `depth` counts the operands followed to it, up to [`MAX_DEPTH`].
    fn names_of_call(
        &mut self,
        call: &CallNode,
        loops: &[LoopName],
        depth: usize,
    ) -> PossibleNames {
        let name = call.function.name;
        if call.function.flow.makes_no_texts() {
            return self.any_of(call.args.iter().map(|one| one.node), loops, depth);
        }
        match (name, &*call.args) {
            _ if call.expand => PossibleNames::any(),
            ("fileset", [_, pattern]) => self.fitting(pattern.node, loops, depth),
            ("dirname" | "basename", [path]) => {
                match self.possible_names(path.node, loops, depth).stay_within() {
                    true => PossibleNames::within(),
                    false => PossibleNames::any(),
                }
            }
            ("join", [sign, items]) => {
                let sign = self.possible_names(sign.node, loops, depth);
                let OpKind::Tuple(items) = self.code.node(items.node) else {
                    return PossibleNames::any();
                };
                let mut whole = PossibleNames::exactly("");
                for (at, item) in items.iter().enumerate() {
                    if at > 0 {
                        whole = whole.then(sign.clone());
                    }
                    // An item may be a list of several.
                    let own = match self.code.node(*item) {
                        OpKind::Template(_) | OpKind::Value(Value::String(_)) => {
                            self.possible_names(*item, loops, depth)
                        }
                        _ => PossibleNames::any(),
                    };
                    whole = whole.then(own);
                }
                whole
            }
            ("format", [form, items @ ..]) => match self.code.node(form.node) {
                OpKind::Value(Value::String(form)) => {
                    let form = form.clone();
                    self.formatted(&form, items, loops, depth)
                }
                _ => PossibleNames::any(),
            },
            _ => PossibleNames::any(),
        }
    }

    /// Returns the possible results of `format` for the format string `form`, with the possible texts of the arguments `items`
    /// for `%s`; `loops` are the variables of the loops around the call that did not run, `depth` counts the operands followed
    /// to it, up to [`MAX_DEPTH`].
    fn formatted(
        &mut self,
        form: &str,
        items: &[CallArgument],
        loops: &[LoopName],
        depth: usize,
    ) -> PossibleNames {
        let mut whole = PossibleNames::exactly("");
        let mut items = items.iter();
        let mut rest = form;
        while let Some((text, behind)) = rest.split_once('%') {
            whole = whole.then(PossibleNames::exactly(text));
            let verb = behind.chars().next();
            let own = match verb {
                Some('%') => PossibleNames::exactly("%"),
                Some('s') => match items.next() {
                    Some(item) => self.possible_names(item.node, loops, depth),
                    None => PossibleNames::any(),
                },
                Some('d') => {
                    items.next();
                    PossibleNames::any()
                }
                // Other verbs are not interpreted.
                _ => return whole.then(PossibleNames::any()),
            };
            whole = whole.then(own);
            rest = behind.split_at(1).1;
        }
        whole.then(PossibleNames::exactly(rest))
    }

    /// Returns the possible results of a call of `fileset` whose `pattern` is the value of an operation; `loops` are the
    /// variables of the loops around it that did not run, `depth` counts the operands followed to it, up to [`MAX_DEPTH`].
    fn fitting(&mut self, pattern: OpId, loops: &[LoopName], depth: usize) -> PossibleNames {
        match self.possible_names(pattern, loops, depth).texts() {
            Some(texts) => {
                let each = texts.iter().map(PossibleNames::fitting);
                each.reduce(PossibleNames::or).unwrap_or_default()
            }
            None => PossibleNames::any(),
        }
    }

    /// Returns the texts that the loop variable in a slot may turn out to be, from the collection of its loop if that is one of
    /// `loops`, which did not run, or else from its value; `depth` counts the operands followed to it, up to [`MAX_DEPTH`].
    fn bound_names(&mut self, slot: u32, loops: &[LoopName], depth: usize) -> PossibleNames {
        let bound: Vec<LoopName> = loops.iter().filter(|one| one.slot == slot).copied().collect();
        if bound.is_empty() {
            let value = self.local(slot);
            return self.names_in(&value);
        }
        let mut all: Option<PossibleNames> = None;
        for one in bound {
            let collection = match self.results.get(one.collection.0 as usize) {
                Some(Some(value)) => Some(value.clone()),
                _ => self.value_of(one.collection),
            };
            let ty = collection.as_ref().map(|value| value.ty());
            // The keys of a list are its positions.
            let is_open = one.is_key && !ty.is_some_and(|ty| matches!(ty, Type::Set(_)));
            let own = match (is_open, collection) {
                (true, _) => PossibleNames::any(),
                (false, Some(value)) => self.names_in(&value),
                (false, None) => self.derived_names(one.collection, loops, depth + 1),
            };
            all = Some(match all {
                Some(all) => all.or(own),
                None => own,
            });
        }
        all.unwrap_or_default()
    }

    /// Returns the texts in a value, including those that its unknown parts may turn out to be.
    fn names_in(&self, value: &Value) -> PossibleNames {
        PossibleNames::in_value(value, |unknown| {
            let files = self.context.trace.as_ref();
            let kept = files.zip(unknown.fingerprint).map(|(files, of)| files.names(of));
            match kept.filter(|kept| !kept.is_any()) {
                Some(kept) => kept,
                None if unknown.ty == Type::String => {
                    PossibleNames::starting(&unknown.refinement.prefix)
                }
                None => PossibleNames::any(),
            }
        })
    }

    /// Returns the texts that any result of the operations `all` may turn out to be; `loops` are the variables of the loops
    /// around them that did not run, `depth` counts the operands followed to them, up to [`MAX_DEPTH`].
    fn any_of(
        &mut self,
        all: impl Iterator<Item = OpId>,
        loops: &[LoopName],
        depth: usize,
    ) -> PossibleNames {
        let mut found = PossibleNames::none();
        for one in all {
            found = found.or(self.possible_names(one, loops, depth));
            if found.is_any() {
                break;
            }
        }
        found
    }

    /// Returns the texts that the concatenated results of the operations `all` may turn out to be; `loops` are the variables of
    /// the loops around them that did not run, `depth` counts the operands followed to them, up to [`MAX_DEPTH`].
    fn chained(
        &mut self,
        all: impl Iterator<Item = OpId>,
        loops: &[LoopName],
        depth: usize,
    ) -> PossibleNames {
        let mut whole = PossibleNames::exactly("");
        for one in all {
            whole = whole.then(self.possible_names(one, loops, depth));
        }
        whole
    }
}
