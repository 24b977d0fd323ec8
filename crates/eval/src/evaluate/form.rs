//! Special forms: calls that take unevaluated expressions, such as `try`, `can`, `type`, `convert` and `unknown`. The
//! diagnostics of a failed attempt are dropped; they become notes if all attempts fail.

use groma_functions::{Failure, SpecialForm};
use groma_syntax::Diagnostic;
use groma_value::{Mark, Marks, Type, Value, convert, print};

use super::expansion::CallArguments;
use super::machine::{CodeMachine, has_errors, is_type_text, sentence, unknown_dynamic};
use crate::code::{CallNode, OpId, OpKind, TargetType};
use crate::codes;

/// Maximum number of failed attempts of `try` that its error lists as notes.
const MAX_LISTED: usize = 8;

impl CodeMachine<'_, '_> {
    /// Evaluates a call of a special form, such as `try` or a template function.
    #[inline(never)]
    pub(super) fn form(&mut self, form: SpecialForm, call: &CallNode, id: OpId) -> Value {
        match form {
            SpecialForm::Try => self.try_first(call, id),
            SpecialForm::Can => self.can(call, id),
            SpecialForm::Type => self.type_text(call, id),
            SpecialForm::TemplateFile | SpecialForm::TemplateString => {
                let (values, written) = match self.evaluate_arguments(call) {
                    CallArguments::Args { values, written } => (values, written),
                    CallArguments::Result(value) => return value,
                };
                if !self.accepts_count(call, values.len(), id) {
                    return unknown_dynamic();
                }
                let rendered =
                    self.awaited(call.function, form, &values).and_then(|unknown| match unknown {
                        _ if !self.is_template_named(form, call, id) => Ok(unknown_dynamic()),
                        Some(unknown) => Ok(unknown),
                        None => self.rendered(form, &values, self.blamed(call.head)),
                    });
                match rendered {
                    Ok(value) => value,
                    // A template says of its names what their marks allow; of its own text nothing
                    // is said where that is not to be shown.
                    Err(failure) => {
                        let hidden = values.first().is_some_and(hides);
                        let before = self.run.out.len();
                        self.failure(call, written, failure.shown(hidden), id);
                        self.quote(before, hidden);
                        unknown_dynamic()
                    }
                }
            }
            // These have the name of a provider in front, and are called by it.
            SpecialForm::DecodeTfvars
            | SpecialForm::EncodeExpression
            | SpecialForm::EncodeTfvars => unknown_dynamic(),
            // Both take a type expression, which cannot come from an expanded argument.
            SpecialForm::Convert | SpecialForm::Unknown => match self.evaluate_arguments(call) {
                CallArguments::Result(value) => value,
                CallArguments::Args { .. } => {
                    let message = "A type cannot come from an expanded argument; write it out.";
                    self.failure(call, 0, Failure::whole(message), id);
                    unknown_dynamic()
                }
            },
        }
    }

    /// Returns true for `templatefile`, and for `templatestring` if its template argument is what the edition allows, such as a
    /// reference; reports an error if not.
    fn is_template_named(&mut self, form: SpecialForm, call: &CallNode, id: OpId) -> bool {
        let anything = self.context.semantics.templatestring_of_anything;
        let Some(first) = call.args.first() else { return true };
        let mut node = self.code.node(first.node);
        while let OpKind::Index { source, .. } = node {
            node = self.code.node(*source);
        }
        let named = matches!(node, OpKind::Reference(_) | OpKind::Traverse(_));
        if form == SpecialForm::TemplateFile || anything || named {
            return true;
        }
        let message = "The template must be a reference to its definition, not an expression that computes it. Put \
                       it into a local value.";
        self.failure(call, call.args.len(), Failure::argument(0, message), id);
        false
    }

    /// Returns the attempts of `try` or `can`: the written arguments, then the elements of an expanded one; the error is the
    /// result of the call if the expanded argument is unknown or has errors, or if there are too few or too many attempts.
    fn attempts(&mut self, call: &CallNode, id: OpId) -> Result<Vec<TryAttempt>, Value> {
        let written = call.args.len() - usize::from(call.expand);
        let mut attempts: Vec<TryAttempt> =
            call.args[..written].iter().map(|arg| TryAttempt::Node(arg.node)).collect();
        if call.expand
            && let Some(last) = call.args.last()
        {
            let errors = self.errors();
            let value = self.eval(last.node);
            if self.errors() > errors {
                return Err(unknown_dynamic());
            }
            match self.expand(&value, self.code.span_of(last.node)) {
                Some(Ok(items)) => attempts.extend(items.into_iter().map(TryAttempt::Value)),
                Some(Err(unknown)) => return Err(unknown),
                None => return Err(unknown_dynamic()),
            }
        }
        if self.accepts_count(call, attempts.len(), id) {
            Ok(attempts)
        } else {
            Err(unknown_dynamic())
        }
    }

    /// Evaluates one argument of `try` or `can`; the error contains its diagnostics, if any of them is an error.
    fn attempt(&mut self, attempt: &TryAttempt) -> Result<Value, Vec<Diagnostic>> {
        let node = match attempt {
            TryAttempt::Value(value) => return Ok(value.clone()),
            TryAttempt::Node(node) => *node,
        };
        let start = self.run.out.len();
        let value = self.eval(node);
        if has_errors(&self.run.out.as_slice()[start..]) {
            return Err(self.run.out.split_off(start));
        }
        Ok(value)
    }

    /// Evaluates `try`: the value of its first argument without errors.
    fn try_first(&mut self, call: &CallNode, id: OpId) -> Value {
        let attempts = match self.attempts(call, id) {
            Ok(attempts) => attempts,
            Err(value) => return value,
        };
        let mut failed: Vec<Diagnostic> = Vec::new();
        for attempt in &attempts {
            match self.attempt(attempt) {
                Ok(value) => return known_or_open(value),
                Err(found) => failed.extend(found.into_iter().take(1)),
            }
        }
        self.no_attempt(call, id, attempts.len(), failed)
    }

    /// Reports that all `count` attempts of `try` failed, with their diagnostics `failed` as notes, and returns an unknown. A
    /// separate function, to keep the stack frames of nested attempts small.
    #[inline(never)]
    fn no_attempt(
        &mut self,
        call: &CallNode,
        id: OpId,
        count: usize,
        failed: Vec<Diagnostic>,
    ) -> Value {
        let detail = match count {
            0 => "`try` needs at least one expression.".to_owned(),
            1 => "The expression has no value. Add one that always has.".to_owned(),
            count => {
                format!("None of the {count} expressions has a value. Add one that always has.")
            }
        };
        let place = self.place(call.head);
        let mut report = Diagnostic::error(&codes::CALL_FAILED, detail)
            .at(place)
            .within(self.code.span_of(id).shift(self.base));
        for found in failed.into_iter().take(MAX_LISTED) {
            report = match found.place {
                Some(place) => report.note_at(found.detail, place),
                None => report.note(found.detail),
            };
        }
        self.run.out.push(report);
        unknown_dynamic()
    }

    /// Evaluates `can`: true if its argument has no errors.
    fn can(&mut self, call: &CallNode, id: OpId) -> Value {
        let attempts = match self.attempts(call, id) {
            Ok(attempts) => attempts,
            Err(value) => return value,
        };
        let Some(first) = attempts.first() else { return unknown_dynamic() };
        match self.attempt(first) {
            Err(_) => Value::FALSE,
            Ok(value) if value.is_wholly_known() => Value::TRUE,
            Ok(value) => Value::unknown_because(Type::Bool, value.deep_causes()),
        }
    }

    /// Evaluates the console's function `type`: the argument's type as text, with a mark by which any other use of it is
    /// refused.
    fn type_text(&mut self, call: &CallNode, id: OpId) -> Value {
        let values = match self.evaluate_arguments(call) {
            CallArguments::Args { values, .. } => values,
            CallArguments::Result(value) => return value,
        };
        if !self.accepts_count(call, values.len(), id) {
            return unknown_dynamic();
        }
        let Some(value) = values.first() else { return unknown_dynamic() };
        let text = match is_type_text(value) {
            true => "type".to_owned(),
            false => print::print_type(&value.ty()),
        };
        Value::text(text).mark(&Marks::one(Mark::TypeText))
    }

    /// Evaluates `convert(value, TYPE)`, or `unknown(TYPE)` if there is no value; returns a value of the type.
    #[inline(never)]
    pub(super) fn type_form(
        &mut self,
        value: Option<OpId>,
        wanted: &TargetType,
        call: &CallNode,
    ) -> Value {
        let ty = &wanted.ty;
        let Some(node) = value else {
            return Value::unknown(ty.without_optional());
        };
        let errors = self.errors();
        let value = self.eval(node);
        if self.errors() > errors {
            return Value::unknown(ty.without_optional());
        }
        let (value, marks) = match wanted.hides_whole {
            true => value.unmark_deep(),
            false => (value, Marks::NONE),
        };
        if wanted.hides_whole && !value.is_known() {
            // An unknown value is assumed to fit the type.
            return Value::unknown_because(ty.without_optional(), value.deep_causes()).mark(&marks);
        }
        let filled = match &wanted.defaults {
            Some(defaults) if !value.is_null() => defaults.apply(&value),
            _ => value,
        };
        match convert(&filled, ty) {
            Ok(value) => value.mark(&marks),
            Err(_) if !marks.is_empty() => {
                let span = call.args.first().map_or(call.head, |arg| arg.head);
                let detail =
                    format!("A hidden value does not convert to {}.", print::type_name(ty));
                self.fail(&codes::ARGUMENT, span, detail);
                Value::unknown(ty.without_optional()).mark(&marks)
            }
            Err(why) => {
                let span = call.args.first().map_or(call.head, |arg| arg.head);
                self.fail(&codes::ARGUMENT, span, sentence(&why.message));
                Value::unknown(ty.without_optional())
            }
        }
    }
}

/// Returns true if the value has a mark, such as sensitive, that forbids showing it.
fn hides(value: &Value) -> bool {
    value.has_marks() && value.deep_marks().hide()
}

/// Returns the result of an attempt of `try`: the value if all of it is known, or else a dynamic unknown with its causes.
#[inline(never)]
fn known_or_open(value: Value) -> Value {
    if value.is_wholly_known() {
        return value;
    }
    // It is not known yet which attempt succeeds, nor if its value is marked.
    Value::unknown_because(Type::Dynamic, value.deep_causes())
}

/// An attempt of `try` or `can`: an expression, or an element of an expanded argument.
enum TryAttempt {
    Node(OpId),
    Value(Value),
}
