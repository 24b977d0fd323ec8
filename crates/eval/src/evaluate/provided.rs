//! Calls of providers' functions. Those of the built-in provider are evaluated here. The code of other providers is not
//! available, so the result is unknown once the arguments are found to be valid.

use std::sync::Arc;

use groma_functions::{
    CallArgs, Failure, FailureKind, FunctionBody, FunctionLibrary, SpecialForm, call_with, provider,
};
use groma_syntax::{BodyItem, Diagnostics, FileId, Severity, Source, is_identifier, parse_file};
use groma_value::schema::FunctionSignature;
use groma_value::{Causes, Marks, Refinement, Str, Type, Value};

use super::call::CallSite;
use super::expansion::CallArguments;
use super::machine::{CodeMachine, sentence, unknown_dynamic};
use crate::code::{OpId, ProvidedNode};
use crate::codes;
use crate::mock::MockAnswer;
use crate::{
    Cause, CauseAddress, CauseClass, Context, LocatedCode, NamedValues, ProvidedSignature,
    ProviderName, evaluate,
};

impl CodeMachine<'_, '_> {
    /// Evaluates the call of a provider function, depending on what the scope knows of the provider: built-in, not available,
    /// or undeclared.
    #[inline(never)]
    pub(super) fn provided(&mut self, node: &ProvidedNode, id: OpId) -> Value {
        match self.context.scope.provider(&node.provider) {
            ProviderName::Reported => unknown_dynamic(),
            ProviderName::Undeclared(detail) => {
                let detail = detail.unwrap_or_else(|| {
                    format!(
                        "`{}` is a provider function, but there is no module here whose required_providers declares \
                         \"{}\".",
                        node.name, node.provider
                    )
                });
                self.fail(&codes::UNKNOWN_FUNCTION, node.name_span, detail);
                unknown_dynamic()
            }
            ProviderName::Absent => {
                let function = node.name.rsplit("::").next().unwrap_or_default();
                match self.context.scope.described(&node.provider, function) {
                    ProvidedSignature::Unknown => self.absent(node, None, id),
                    ProvidedSignature::As(signature) => self.absent(node, Some(&signature), id),
                    ProvidedSignature::Lacking(detail) => {
                        self.fail(&codes::UNKNOWN_FUNCTION, node.name_span, detail);
                        unknown_dynamic()
                    }
                }
            }
            ProviderName::BuiltIn { unasked: true } if node.provided.built_in.is_none() => {
                self.absent(node, None, id)
            }
            ProviderName::BuiltIn { .. } => self.built_in(node, id),
        }
    }

    /// Evaluates a call of a provider function whose implementation is not available: its mocked result, or an unknown of the
    /// type in its `signature`, of the dynamic type without one.
    fn absent(
        &mut self,
        node: &ProvidedNode,
        signature: Option<&FunctionSignature>,
        id: OpId,
    ) -> Value {
        let (values, written) = match self.evaluate_arguments(&node.call) {
            CallArguments::Args { values, written, .. } => (values, written),
            CallArguments::Result(value) => return value,
        };
        if let Some(signature) = signature {
            let failures = unfitting(signature, &values);
            if !failures.is_empty() {
                for failure in failures {
                    self.failure(&node.call, written, failure, id);
                }
                return unknown_dynamic();
            }
        }
        let mut causes = Causes::NONE;
        for value in &values {
            causes.add(&value.deep_causes());
        }
        let all = values.iter().fold(Marks::NONE, |all, value| all.union(&value.deep_marks()));
        let table = &self.context.causes;
        match self.context.mocks.answer(&node.name, &values, table) {
            MockAnswer::Value(value) => return value.mark(&all),
            MockAnswer::Undecided => {}
            MockAnswer::Nothing => {
                let place = Some(self.blamed(node.call.head));
                let cause = Cause {
                    class: CauseClass::Offline,
                    kind: "function",
                    address: CauseAddress::function(&node.name),
                    place,
                };
                causes.add(&Causes::one(table.intern(cause)));
            }
        }
        let result = signature.map_or(Type::Dynamic, |signature| signature.result.clone());
        Value::unknown_because(result, causes).mark(&all)
    }

    /// Evaluates a call of a function of the provider that Terraform and OpenTofu have built in, such as `encode_expr`.
    fn built_in(&mut self, node: &ProvidedNode, id: OpId) -> Value {
        let (Some(function), false) = (node.provided.built_in, node.provided.is_aliased) else {
            let names = provider::FUNCTIONS.iter();
            let names = names.filter_map(|row| row.name.rsplit("::").next());
            let names = names.map(|name| format!("`provider::{}::{name}`", node.provider));
            let detail = format!(
                "The built-in provider has no function `{}`; its functions are {}.",
                node.name,
                names.collect::<Vec<_>>().join(", ")
            );
            let row = &codes::UNKNOWN_FUNCTION;
            if node.provided.built_in.is_none() {
                return self.report_absence(
                    row,
                    node.name_span,
                    detail,
                    &format!("{}()", node.name),
                );
            }
            self.fail(row, node.name_span, detail);
            return unknown_dynamic();
        };
        let call = &node.call;
        let (values, written) = match self.evaluate_arguments(call) {
            CallArguments::Args { values, written } => (values, written),
            CallArguments::Result(value) => return value,
        };
        let place = self.blamed(call.head);
        let site = CallSite { context: self.context, place, drawn: &self.drawn };
        let context = self.call_context(&site);
        let result = match function.body {
            FunctionBody::Form(SpecialForm::DecodeTfvars) => {
                call_with(function, &values, &context, &|args| decode(args, self.context))
            }
            FunctionBody::Form(SpecialForm::EncodeTfvars) => {
                call_with(function, &values, &context, &encode_variables)
            }
            _ => call_with(function, &values, &context, &encode_expression),
        };
        match result {
            Ok(value) => value,
            Err(failures) => {
                for failure in failures {
                    self.failure(call, written, failure, id);
                }
                unknown_dynamic()
            }
        }
    }
}

/// Returns a failure for each argument that does not fit a signature, or one for a wrong number of arguments.
fn unfitting(signature: &FunctionSignature, values: &[Value]) -> Vec<Failure> {
    let needed = signature.parameters.len();
    if values.len() < needed {
        let missing = &signature.parameters[values.len()].name;
        let message = format!("An argument is missing: \"{}\".", &**missing);
        return vec![Failure { kind: FailureKind::Arity, ..Failure::whole(message) }];
    }
    if values.len() > needed && signature.rest.is_none() {
        let message = match needed {
            0 => "The function takes no arguments.".to_owned(),
            1 => "The function takes one argument and no more.".to_owned(),
            more => format!("The function takes {more} arguments and no more."),
        };
        let failure = Failure { kind: FailureKind::Arity, ..Failure::whole(message) };
        return vec![Failure { argument: Some(needed), ..failure }];
    }
    let parameters = signature.parameters.iter().chain(signature.rest.iter().cycle());
    let mut failures = Vec::new();
    for (at, (value, parameter)) in values.iter().zip(parameters).enumerate() {
        let name = &*parameter.name;
        match groma_value::convert(value, &parameter.ty) {
            Ok(value) if value.is_null() && !parameter.nullable => {
                failures.push(Failure::argument(at, format!("\"{name}\" cannot be null.")));
            }
            Ok(_) => {}
            Err(why) => failures.push(Failure::mismatch(at, name, why)),
        }
    }
    failures
}

/// Evaluates `encode_expr` of the built-in provider: the text of a value as an expression.
fn encode_expression(args: &CallArgs<'_>) -> Result<Value, Failure> {
    let value = args.value(0);
    if !value.is_wholly_known() {
        if !args.context.semantics.encoded_unknowns {
            let message = "A part of the value is unknown, and unknown values cannot be written.";
            return Err(Failure::whole(message));
        }
        let prefix = Str::from_static(provider::certain_prefix(value));
        let refinement = Refinement { not_null: true, prefix, ..Refinement::default() };
        return Ok(args.refined(Type::String, refinement));
    }
    provider::check_size(args)?;
    Ok(Value::from(provider::encode_expression(value, is_identifier)))
}

/// Evaluates `encode_tfvars` of the built-in provider: the text of a variables file with the attributes of an object.
fn encode_variables(args: &CallArgs<'_>) -> Result<Value, Failure> {
    let value = args.value(0);
    let is_map = matches!(value, Value::Map(_)) && args.context.semantics.encoded_unknowns;
    if !is_map && !matches!(value, Value::Object(_)) {
        return Err(provider::not_variables(args));
    }
    if !value.is_wholly_known() {
        return Ok(args.refined(Type::String, Refinement::not_null()));
    }
    provider::check_size(args)?;
    let text = match value {
        Value::Map(map) => {
            let entries = map.entries().iter().map(|(key, value)| (key, value));
            provider::encode_variables(entries, is_identifier)
        }
        Value::Object(object) => provider::encode_variables(object.iter(), is_identifier),
        _ => Ok(String::new()),
    };
    text.map(Value::from).map_err(|name| {
        let name = args.show_part(0, &Value::text(name));
        args.fail(
            0,
            format!(
                "A variable cannot be called {name}: a name starts with a letter or an underscore."
            ),
        )
    })
}

/// Evaluates `decode_tfvars` of the built-in provider: parses a text of constant assignments, as in a variables file, into an
/// object.
fn decode(args: &CallArgs<'_>, context: &Context) -> Result<Value, Failure> {
    let text: Arc<str> = (&**args.text(0)).into();
    let source = Source::new("<tfvars>", text.clone());
    let hidden = args.is_hidden(0);
    let wrong = |at: u32, detail: &str| {
        let position = source.position(at);
        Failure::whole(match hidden {
            true => "The text (sensitive) is not that of a variables file.".to_owned(),
            false => format!(
                "The text is not that of a variables file. {} (line {}, column {})",
                sentence(detail),
                position.line,
                position.column
            ),
        })
    };
    let parse = parse_file(&text, FileId(u32::MAX));
    if let Some(error) = parse.diagnostics.iter().find(|one| one.severity == Severity::Error) {
        return Err(wrong(error.place.map_or(0, |place| place.span.start), &error.detail));
    }
    let alone = Context { tracer: None, ..context.with_scope(Arc::new(NamedValues::new())) };
    let library = FunctionLibrary::of(context.semantics.edition()).closed();
    let mut variables: Vec<(Str, Value)> = Vec::new();
    for item in groma_syntax::Body::of(&parse).items() {
        let argument = match item {
            BodyItem::Argument(argument) => argument,
            BodyItem::Block(block) => {
                let detail = "A block cannot stand here; write a name, an equals sign and a value.";
                return Err(wrong(block.header.start, detail));
            }
        };
        let located = LocatedCode::of(&argument.expr, &library);
        let mut found = Diagnostics::new();
        let value = evaluate(&located, &alone, &mut found);
        if let Some(error) = found.iter().find(|one| one.severity == Severity::Error) {
            return Err(wrong(error.place.map_or(0, |place| place.span.start), &error.detail));
        }
        variables.push((Str::from(argument.name.text.as_str()), value));
    }
    Ok(Value::object(variables))
}
