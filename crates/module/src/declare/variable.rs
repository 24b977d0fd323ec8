//! Input variables: their type, default and rules. The default is a constant, so it is worked out
//! here, once; the value of the variable is another matter.

use std::sync::OnceLock;

use groma_config::{RawBlock, ReadSetting, sentence};
use groma_eval::{TypeDefaults, type_of};
use groma_syntax::{Diagnostic, Diagnostics, Place};
use groma_value::sentence::WITHHELD;
use groma_value::{Mismatch, Str, Type, Value};

use crate::codes;
use crate::declare::{Condition, DeclarationReader};

/// Names that a module block uses for itself; its block `_` holds what is written beside them.
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

/// One input variable.
#[derive(Clone, Debug)]
pub struct Variable {
    /// Its name.
    pub name: Str,
    /// The place where its header stands.
    pub place: Place,
    /// The description.
    pub description: Option<Str>,
    /// True if a type is written.
    pub has_type: bool,
    /// Its type; anything where none is written.
    pub ty: Type,
    /// The type of its values, worked out on first use.
    value_type: OnceLock<Type>,
    /// The defaults of optional attributes.
    pub defaults: Option<TypeDefaults>,
    /// Converted to the type.
    pub default: Option<Value>,
    /// True if it may be null.
    pub nullable: bool,
    /// True if it is not to be shown.
    pub sensitive: bool,
    /// True if it is not to be kept.
    pub ephemeral: bool,
    /// True if its value is needed before anything is evaluated.
    pub is_const: bool,
    /// The advice on a replacement, where it is deprecated.
    pub deprecated: Option<Str>,
    /// The place where it says so.
    pub deprecated_place: Option<Place>,
    /// The place where its default stands.
    pub default_place: Option<Place>,
    /// The rules that its value must keep.
    pub validations: Vec<Condition>,
    /// The place where something stands in its block that may have a meaning in an edition which is newer than what is
    /// known.
    pub news: Option<Place>,
}

impl Variable {
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

    fn read_default(
        &mut self,
        raw: &RawBlock,
        gatherer: &DeclarationReader<'_>,
        out: &mut Diagnostics,
    ) {
        let Some(argument) = raw.argument("default") else { return };
        // Where the default was changed, or what it has to fit, the change is to blame.
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

    /// The type that its values have: no attribute of them is optional any more.
    pub fn value_type(&self) -> &Type {
        self.value_type.get_or_init(|| self.ty.without_optional())
    }

    /// The value with the defaults of optional attributes, converted to the variable's type.
    pub fn convert(&self, value: &Value) -> Result<Value, Mismatch> {
        let filled = match &self.defaults {
            Some(defaults) if !value.is_null() => defaults.apply(value),
            _ => value.clone(),
        };
        groma_value::convert(&filled, &self.ty)
    }

    /// A value that is given away, converted as far as that can be done without a copy of it. It still has to be
    /// converted, which says what does not fit.
    pub fn take(&self, value: Value) -> Value {
        let elements = self.defaults.as_ref().and_then(TypeDefaults::for_each_element);
        let done = match (&self.defaults, elements) {
            (None, _) => groma_value::convert_taken(value, &self.ty, None),
            (Some(_), Some(inner)) => {
                groma_value::convert_taken(value, &self.ty, Some(&|item| inner.apply(item)))
            }
            (Some(_), None) => return value,
        };
        done.unwrap_or_else(|value| value)
    }

    /// Returns true if its value is not to be shown.
    pub fn is_hidden(&self) -> bool {
        self.sensitive || self.ephemeral
    }

    /// Returns why a value does not fit, in words that show nothing of it where the variable hides it.
    pub fn misfit(&self, value: &Value, why: &Mismatch) -> String {
        if !self.is_hidden() {
            return sentence(why);
        }
        match self.convert(&value.sensitive()) {
            Err(why) => sentence(&why),
            Ok(_) => WITHHELD.to_owned(),
        }
    }

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
