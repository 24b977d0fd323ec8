//! Validation of resources: bodies, blocks of `dynamic` blocks, conditions and provisioners. The content of a dynamic block is
//! judged only if it is known to make a block.

use std::sync::Arc;

use groma_config::ResourceMode;
use groma_eval::{Cause, CauseClass, Context, LayeredScope, NamedValues, Scope};
use groma_module::declare::{DynamicBlock, Expression, InnerBlock, Resource, SchemaBody};
use groma_module::resolve::{ExpressionPosition, Surroundings};
use groma_syntax::{Diagnostic, Diagnostics};
use groma_value::{Causes, Str, Value};

use crate::codes;
use crate::evaluate::WrittenBody;
use crate::validate::ModuleValidator;
use groma_decode::deprecation;
use groma_decode::{BodyEvaluator, BodyOwner, DynamicElements, decode, elements};

/// Maximum number of elements of a `dynamic` block that are evaluated one by one; further ones are not validated.
const ELEMENT_LIMIT: usize = 1_000;

/// Reports a list resource whose `limit` is negative in `told`, the value of its evaluated body.
fn check_limit(resource: &Resource, told: &Value, out: &mut Diagnostics) {
    let Some(argument) = resource.content.argument("limit") else { return };
    let Value::Object(told) = told.bare() else { return };
    if let Some(limit) = told.get("limit").and_then(Value::as_number)
        && limit.is_negative()
    {
        let detail = format!(
            "limit is {}, but it cannot be negative. Give a number of 0 or more.",
            limit.to_text()
        );
        out.push(Diagnostic::error(&codes::LIST_LIMIT, detail).at(argument.value.place()));
    }
}

impl ModuleValidator<'_> {
    /// Validates a resource with unknown inputs: repetition, type, body, conditions and provisioners.
    pub(super) fn resource(&self, at: u32, resource: &Resource, out: &mut Diagnostics) {
        let stands = |place: ExpressionPosition| {
            let callers = self.node.module.names.callers_of(at);
            Surroundings::of_resource(at, resource, place, callers, &self.project.conventions)
        };
        let counting = stands(ExpressionPosition::Repetition);
        self.resource_repetition(&resource.repetition, &counting, out);
        if matches!(resource.mode, ResourceMode::Managed | ResourceMode::Data) {
            groma_module::built_in::check_type(resource, self.project.edition(), out);
        } else {
            let source = self.providers.source(resource.provider_name());
            let lacking = self.schemas.missing_type(&source, resource.mode, &resource.kind);
            out.extend(lacking.map(|found| found.at(resource.place)));
        }
        let around = stands(ExpressionPosition::Body);
        let before = out.error_count();
        let context = self.within(&around);
        if resource.is_broken() {
            // A body is validated as a whole only if all its references resolve.
        } else if let Some(schema) = &resource.schema {
            let here =
                BodyView { validator: self, around: around.clone(), context, deferred: false };
            let address = resource.address();
            let owner = BodyOwner {
                address: &address,
                keeps: resource.mode != ResourceMode::Ephemeral,
                demands: true,
                accepts_computed_inside: groma_module::built_in::is_data(
                    resource.mode,
                    &resource.kind,
                ),
            };
            let decoded = decode(&resource.content, &schema.block, &owner, &here, out);
            if resource.mode == ResourceMode::List {
                check_limit(resource, &decoded.config(), out);
            }
        } else {
            let mut written = self.content(&resource.content, &around, &context, false, out);
            let is_fine = out.error_count() == before;
            if is_fine && groma_module::built_in::is_remote_state(resource.mode, &resource.kind) {
                crate::built_in::fit_remote_state(resource, &mut written, out);
                crate::built_in::check_remote_state(resource, &written, self.project.edition, out);
            }
        }
        let before = self.within(&stands(ExpressionPosition::Precondition));
        for condition in &resource.lifecycle().preconditions {
            self.condition(condition, &before, out);
        }
        let after = self.within(&stands(ExpressionPosition::Postcondition));
        for condition in &resource.lifecycle().postconditions {
            self.condition(condition, &after, out);
        }
        let running = stands(ExpressionPosition::Provision);
        for provision in &resource.provisions {
            let context = self.within(&running);
            let Some(block) = &provision.block else {
                self.content(&provision.content, &running, &context, false, out);
                continue;
            };
            let here =
                BodyView { validator: self, around: running.clone(), context, deferred: false };
            let owner = BodyOwner {
                address: &"a provisioner",
                keeps: false,
                demands: false,
                accepts_computed_inside: false,
            };
            let decoded = decode(&provision.content, block, &owner, &here, out);
            for name in self.project.conventions.nonempty_arguments_of(provision.kind.as_deref()) {
                check_filled(&provision.content, name, &decoded.config(), out);
            }
        }
    }

    /// Evaluates the arguments and blocks of a body; `deferred` is true if its references were not checked before.
    pub(super) fn content(
        &self,
        content: &SchemaBody,
        around: &Surroundings,
        context: &Context,
        deferred: bool,
        out: &mut Diagnostics,
    ) -> WrittenBody {
        let mut written = WrittenBody::default();
        for argument in &content.arguments {
            let value = self.argument(&argument.value, around, context, deferred, out);
            written.arguments.push((argument.name.clone(), value));
        }
        for nested in &content.blocks {
            match &nested.dynamic {
                Some(dynamic) => self.dynamic(nested, dynamic, around, context, deferred, out),
                None => {
                    self.content(&nested.content, around, context, deferred, out);
                }
            }
        }
        written
    }

    /// Evaluates an argument and reports its diagnostics, each once even if a `dynamic` block repeats it; if `deferred`, its
    /// names are checked only now.
    fn argument(
        &self,
        expression: &Expression,
        around: &Surroundings,
        context: &Context,
        deferred: bool,
        out: &mut Diagnostics,
    ) -> Value {
        if deferred {
            let names = &self.node.module.names;
            for problem in groma_module::resolve::problems(expression, names, around) {
                // The faults of a repeated block are reported once.
                if !out.iter().any(|known| known.place == problem.place) {
                    out.push(problem);
                }
            }
        }
        deprecation::report_parts(self.evaluate(expression, context, out), expression, out)
    }

    /// Evaluates the blocks that a `dynamic` block generates, to report the errors in them; `deferred` is true if it stands in
    /// another one.
    fn dynamic(
        &self,
        nested: &InnerBlock,
        dynamic: &DynamicBlock,
        around: &Surroundings,
        context: &Context,
        deferred: bool,
        out: &mut Diagnostics,
    ) {
        let here = BodyView {
            validator: self,
            around: around.clone(),
            context: context.clone(),
            deferred,
        };
        let DynamicElements::Known(elements) = elements(dynamic, &here, out) else { return };
        for element in elements.into_iter().take(ELEMENT_LIMIT) {
            let inner = here.within(&dynamic.iterator, element);
            if let Some(labels) = &dynamic.labels {
                inner.value(labels, out);
            }
            self.content(&nested.content, &inner.around, &inner.context, true, out);
        }
    }
}

/// Reports the argument `name` of a provisioner, which must not be empty, if its evaluated value in `config` is null or an empty
/// text.
fn check_filled(content: &SchemaBody, name: &str, config: &Value, out: &mut Diagnostics) {
    let Value::Object(object) = config.bare() else { return };
    let Some(value) = object.get(name) else { return };
    let is_empty = match value.bare() {
        Value::Null(_) => true,
        Value::String(text) => text.is_empty(),
        _ => false,
    };
    if let Some(input) = content.argument(name)
        && is_empty
    {
        let detail = format!("\"{name}\" is empty. Set it, or remove the provisioner.");
        out.push(Diagnostic::error(&codes::PROVISIONER_EMPTY, detail).at(input.value.place()));
    }
}

/// The surroundings and context in which a body is decoded.
pub(super) struct BodyView<'e> {
    pub(super) validator: &'e ModuleValidator<'e>,
    pub(super) around: Surroundings,
    pub(super) context: Context,
    /// True if references were not checked before.
    pub(super) deferred: bool,
}

impl<'e> BodyView<'e> {
    /// Returns the surroundings inside of a `dynamic` block, in which its iterator has the value `element`.
    fn within(&self, iterator: &Str, element: Value) -> BodyView<'e> {
        let mut around = self.around.clone();
        around.iterators.push(iterator.clone());
        let mut names = NamedValues::new();
        names.insert(&**iterator, element);
        let below = self.context.scope.clone();
        let scope: Arc<dyn Scope> = Arc::new(LayeredScope { names, below });
        let context = Context { scope, ..self.context.clone() };
        BodyView { validator: self.validator, around, context, deferred: true }
    }
}

impl BodyEvaluator for BodyView<'_> {
    fn charge_blocks(&self, blocks: usize) -> bool {
        self.context.budget.take_instances(blocks as u64, 0).is_ok()
    }

    fn counts_as_set(&self, unknown: &Value) -> bool {
        self.is_pending(&unknown.deep_causes())
    }

    fn is_pending(&self, causes: &Causes) -> bool {
        let table = &self.context.causes;
        let is_offline = |cause: &Cause| cause.class == CauseClass::Offline;
        !causes.has_more()
            && !causes.ids().iter().any(|id| table.get(*id).is_some_and(|cause| is_offline(&cause)))
    }

    fn value(&self, expression: &Expression, out: &mut Diagnostics) -> Value {
        self.validator.argument(expression, &self.around, &self.context, self.deferred, out)
    }

    fn inside<'s>(&'s self, iterator: &Str, element: Value) -> Box<dyn BodyEvaluator + 's> {
        Box::new(self.within(iterator, element))
    }
}
