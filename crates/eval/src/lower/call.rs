//! Calls. The function is looked up once; an unknown name or a wrong number of arguments becomes a fault in place of the call,
//! and the arguments are then not evaluated.

use std::sync::Arc;

use groma_functions::{
    FoundFunction, FunctionBody, ProvidedFunction, SpecialForm, check_count, provider,
};
use groma_runtime::Semantics;
use groma_syntax::Span;
use groma_syntax::ast::CallView;
use groma_value::Str;

use super::Lowering;
use super::head::head;
use crate::code::{
    CallArgument, CallNode, CalledProvider, OpId, OpKind, ProvidedNode, TargetType, TypeFormNode,
};
use crate::codes;
use crate::type_of;

impl Lowering<'_> {
    /// Lowers a function call to an operation; an unknown function or a wrong number of arguments becomes a fault.
    pub(super) fn call(&mut self, call: &CallView<'_>, span: Span) -> OpId {
        let found = self.library.find(&call.name);
        let form = match &found {
            FoundFunction::Function(function) => match function.body {
                FunctionBody::Form(form) => Some(form),
                FunctionBody::Plain(_) => None,
            },
            _ => None,
        };
        let type_at = match form {
            Some(SpecialForm::Convert) if !call.expand => 1,
            Some(SpecialForm::Unknown) if !call.expand => 0,
            _ => usize::MAX,
        };
        let semantics =
            (form == Some(SpecialForm::Convert)).then(|| Semantics::of(self.library.edition));
        let fills_gaps = semantics.as_ref().is_some_and(|all| all.convert_fills_gaps);
        let hides_whole = semantics.is_some_and(|all| all.convert_hides_whole);
        let mode = if fills_gaps {
            type_of::TypePosition::Filling
        } else {
            type_of::TypePosition::Argument
        };
        let words_refer = fills_gaps
            && (self.is_nested || Semantics::TYPE_WORDS_REFER.includes(self.library.edition));
        // References inside the arguments count as references of the code in any case.
        let mut args = Vec::with_capacity(call.args.len());
        for (index, arg) in call.args.iter().enumerate() {
            let is_type = index == type_at && !words_refer;
            let node = match is_type {
                true => self.add(OpKind::Missing, arg.span()),
                false => self.expression(*arg),
            };
            args.push(CallArgument { node, head: self.relative(head(*arg)) });
        }
        if let FoundFunction::Provided(provided) = found {
            return self.provided(call, provided, args.into(), span);
        }
        if self.stands_alone && form == Some(SpecialForm::TemplateFile) {
            let detail = "A template file cannot render another one in this version.".to_owned();
            return self.fault(&codes::UNKNOWN_FUNCTION, call.name_span, detail);
        }
        let FoundFunction::Function(function) = found else {
            let is_absent =
                matches!(found, FoundFunction::Lacking { .. } | FoundFunction::Nowhere { .. });
            let detail = missing_function(&call.name, found);
            let row = &codes::UNKNOWN_FUNCTION;
            return match is_absent {
                true => self.absence(row, call.name_span, detail, format!("{}()", &*call.name)),
                false => self.fault(row, call.name_span, detail),
            };
        };
        if !call.expand
            && let Err(failure) = check_count(function, args.len())
        {
            let extra = failure.argument.and_then(|index| call.args.get(index));
            let place = extra.map_or(call.close_span, |arg| head(*arg));
            return self.fault(&codes::ARGUMENT_COUNT, place, failure.message.into_text());
        }
        let head = self.relative(call.name_span.join(call.open_span));
        let close = self.relative(call.close_span);
        let node = CallNode { function, args: args.into(), expand: call.expand, head, close };
        let node = match (form, call.args.get(type_at)) {
            (None, _) => OpKind::Call(Box::new(node)),
            (Some(form), Some(arg)) => match type_of::read(*arg, mode) {
                Ok((ty, defaults)) => {
                    let value = (form == SpecialForm::Convert).then(|| node.args[0].node);
                    let ty = if fills_gaps { ty } else { ty.without_optional() };
                    let wanted = TargetType { ty, defaults, hides_whole };
                    OpKind::TypeForm(Box::new(TypeFormNode { value, wanted, call: node }))
                }
                Err(found) => return self.fault(found.row, found.span, found.detail),
            },
            (Some(form), None) => OpKind::Form(form, Box::new(node)),
        };
        self.add(node, span)
    }
}

impl Lowering<'_> {
    /// Lowers a call of a provider function to an operation; the scope resolves the provider's name when the call is evaluated.
    fn provided(
        &mut self,
        call: &CallView<'_>,
        provided: ProvidedFunction,
        args: Box<[CallArgument]>,
        span: Span,
    ) -> OpId {
        let parts: Vec<&str> = call.name.split("::").collect();
        let provider: Arc<str> = parts.get(1).copied().unwrap_or_default().into();
        let alias = parts.get(2).filter(|_| parts.len() > 3).map(|alias| Arc::from(*alias));
        let name_span = self.relative(call.name_span);
        self.providers.push(CalledProvider { provider: provider.clone(), alias, span: name_span });
        let function = provided.built_in.unwrap_or(&provider::ABSENT);
        let head = self.relative(call.name_span.join(call.open_span));
        let close = self.relative(call.close_span);
        let name = Str::from(&*call.name);
        let call = CallNode { function, args, expand: call.expand, head, close };
        let node = ProvidedNode { provider, name, name_span, provided, call };
        self.add(OpKind::Provided(Box::new(node)), span)
    }
}

/// Returns the error message for a function name that the edition's library lacks; `found` says where else there is such a
/// function.
fn missing_function(name: &str, found: FoundFunction) -> String {
    match found {
        FoundFunction::Elsewhere { where_ } | FoundFunction::Lacking { where_ } => where_,
        FoundFunction::Nowhere { nearest: Some(nearest) } => {
            format!("There is no function `{name}`. Did you mean `{nearest}`?")
        }
        _ => format!("There is no function `{name}`."),
    }
}
