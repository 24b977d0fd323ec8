//! Input variables: type, default and validation. The default is constant and evaluated here, once; the value of the variable is
//! not.

use std::sync::OnceLock;

use groma_config::{RawBlock, ReadSetting, sentence};
use groma_eval::{TypeDefaults, type_of};
use groma_syntax::{Diagnostic, Diagnostics, Place};
use groma_value::sentence::WITHHELD;
use groma_value::{Mismatch, Str, Type, Value};

use crate::codes;
use crate::declare::{Condition, DeclarationReader};

/// Names that a `variable` must not have, since they mean something else in a `module` block.
const TAKEN: [&str; 9] = [
    "_",
    "count",
    "depends_on",
    "for_each",
    "lifecycle",
    "locals",
    "providers",
    "source",
    "version",
];

/// The declaration of an input variable: type, default, validation rules and settings.
#[derive(Clone, Debug)]
pub struct Variable {
    /// Its name.
    pub name: Str,
    /// The source range of its header.
    pub place: Place,
    /// The description.
    pub description: Option<Str>,
    /// True if it has a type constraint.
    pub has_type: bool,
    /// The type; dynamic if there is no constraint.
    pub ty: Type,
    /// The type of its values, computed on first use.
    value_type: OnceLock<Type>,
    /// The defaults of optional attributes.
    pub defaults: Option<TypeDefaults>,
    /// The default, converted to the type.
    pub default: Option<Value>,
    /// True if null is allowed.
    pub nullable: bool,
    /// True if it is sensitive.
    pub sensitive: bool,
    /// True if it is ephemeral, so never stored.
    pub ephemeral: bool,
    /// True if its value is needed while modules are loaded.
    pub is_const: bool,
    /// The deprecation message, if it is deprecated.
    pub deprecated: Option<Str>,
    /// The source range of the deprecation.
    pub deprecated_place: Option<Place>,
    /// The source range of the default.
    pub default_place: Option<Place>,
    /// The validation rules.
    pub validations: Vec<Condition>,
    /// The source range of something that a newer edition than the known ones may support.
    pub news: Option<Place>,
}

impl Variable {
    /// Reads a variable from its block, with its default; reports what is invalid in it.
    pub(crate) fn read(
        raw: &RawBlock,
        gatherer: &DeclarationReader<'_>,
        out: &mut Diagnostics,
    ) -> Variable {
        let name = Str::from(raw.label(0));
        if TAKEN.contains(&&*name) {
            let detail = format!(
                "Module blocks have an argument \"{}\" of their own, so no variable can have this name.",
                &*name
            );
            out.push(
                Diagnostic::error(&codes::RESERVED_VARIABLE_NAME, detail).at(raw.labels[0].place),
            );
        }
        let (ty, defaults) = match raw.argument("type") {
            Some(argument) => {
                type_of::type_expression(&argument.expr, type_of::TypePosition::Variable, out)
            }
            None => (Type::Dynamic, None),
        };
        let mut variable = Variable {
            place: raw.header,
            description: gatherer.text(raw, "description", out),
            has_type: raw.argument("type").is_some(),
            ty,
            value_type: OnceLock::new(),
            defaults,
            default: None,
            default_place: raw.argument("default").map(|argument| argument.expr.place()),
            nullable: gatherer.flag(raw, "nullable", out).unwrap_or(true),
            sensitive: gatherer.flag(raw, "sensitive", out).unwrap_or(false),
            is_const: false,
            ephemeral: gatherer.flag(raw, "ephemeral", out).unwrap_or(false),
            deprecated: gatherer.advice(raw, raw.labels[0].place, out),
            deprecated_place: raw.argument("deprecated").map(|argument| argument.place),
            validations: raw
                .blocks_of("validation")
                .filter_map(|block| Condition::read(block, &gatherer.library))
                .collect(),
            news: raw.news,
            name,
        };
        variable.is_const = gatherer.flag(raw, "const", out).unwrap_or(false);
        variable.read_default(raw, gatherer, out);
        variable.check_validations(out);
        variable
    }

    /// Evaluates the variable's default and converts it to the variable's type; a faulty one is reported and becomes unknown.
    fn read_default(
        &mut self,
        raw: &RawBlock,
        gatherer: &DeclarationReader<'_>,
        out: &mut Diagnostics,
    ) {
        let Some(argument) = raw.argument("default") else { return };
        // If an override file changed the default or the type, the change is at fault.
        let place = raw.overridden.unwrap_or(argument.expr.place());
        let whose = "The default of a variable";
        let before = out.len();
        let value = gatherer.constant(&argument.expr, whose, out);
        if self.is_hidden() {
            out.withhold(before, WITHHELD, |_| true);
        }
        let Some(value) = value else {
            self.default = Some(Value::unknown(self.value_type().clone()));
            return;
        };
        if value.is_null() && !self.nullable {
            let detail = format!(
                "The variable \"{}\" is not nullable, so null cannot be its default. Remove the default, or nullable = false.",
                &*self.name
            );
            out.push(Diagnostic::error(&codes::DEFAULT_TYPE, detail).at(place));
        }
        self.default = Some(match self.convert(&value) {
            Ok(value) => value,
            Err(why) => {
                let detail = format!(
                    "The default of the variable \"{}\" does not fit its type: {}.",
                    &*self.name,
                    self.misfit(&value, &why)
                );
                out.push(Diagnostic::error(&codes::DEFAULT_TYPE, detail).at(place));
                Value::unknown(self.value_type().clone())
            }
        });
        let before = out.len();
        gatherer.conventions.warn_of_extra(&argument.expr, &self.ty, &self.name, out);
        if self.is_hidden() {
            out.withhold(before, WITHHELD, |_| true);
        }
    }

    /// Returns the type of the variable's values: the declared type with `optional(…)` attributes made ordinary ones.
    pub fn value_type(&self) -> &Type {
        self.value_type.get_or_init(|| self.ty.without_optional())
    }

    /// Returns the value with defaults of optional attributes, converted to the variable's type.
    pub fn convert(&self, value: &Value) -> Result<Value, Mismatch> {
        let filled = match &self.defaults {
            Some(defaults) if !value.is_null() => defaults.apply(value),
            _ => value.clone(),
        };
        groma_value::convert(&filled, &self.ty)
    }

    /// Converts an owned value to the variable's type if that takes no copy; otherwise returns it as it is. The result still
    /// has to go through `convert`, which reports a value that does not fit.
    pub fn convert_owned(&self, value: Value) -> Value {
        let elements = self.defaults.as_ref().and_then(TypeDefaults::element_defaults);
        let done = match (&self.defaults, elements) {
            (None, _) => groma_value::convert_owned(value, &self.ty, None),
            (Some(_), Some(inner)) => {
                groma_value::convert_owned(value, &self.ty, Some(&|item| inner.apply(item)))
            }
            (Some(_), None) => return value,
        };
        done.unwrap_or_else(|value| value)
    }

    /// Returns true if the variable's value must not be shown, because it is sensitive or ephemeral.
    pub fn is_hidden(&self) -> bool {
        self.sensitive || self.ephemeral
    }

    /// Returns the reason why a value does not fit the variable's type, a phrase that does not show a sensitive value.
    pub fn misfit(&self, value: &Value, why: &Mismatch) -> String {
        if !self.is_hidden() {
            return sentence(why);
        }
        match self.convert(&value.sensitive()) {
            Err(why) => sentence(&why),
            Ok(_) => WITHHELD.to_owned(),
        }
    }

    /// Reports `validation` blocks whose condition does not refer to the variable itself.
    fn check_validations(&self, out: &mut Diagnostics) {
        for validation in &self.validations {
            let mut references = validation.condition.located.code.references().iter();
            if !references.any(|reference| {
                &*reference.root == "var"
                    && matches!(reference.steps.first(), Some(groma_eval::Step::Attribute(name)) if *name == self.name)
            }) {
                let detail = format!(
                    "The condition does not refer to var.{}, the variable that it checks.",
                    &*self.name
                );
                let place = validation.condition.place();
                out.push(Diagnostic::error(&codes::VALIDATION_WITHOUT_VARIABLE, detail).at(place));
            }
        }
    }
}
