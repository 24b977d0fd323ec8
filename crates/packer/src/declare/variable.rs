//! Input variables: type, default and rules. Without a type constraint the type of the default applies, including the length of
//! a list; only an empty list or object leaves it open.

use groma_config::{RawArgument, RawBlock, ReadSetting, keyword, sentence};
use groma_eval::{Step, TypeDefaults, type_of};
use groma_functions::FunctionLibrary;
use groma_syntax::{Diagnostic, Diagnostics, Expr, Place};
use groma_value::{Mismatch, Str, Type, Value, convert};

use super::literal::DeclaredLiterals;
use crate::codes;
use crate::content::TemplateExpression;

/// The declaration of an input variable: type, default and validation rules.
#[derive(Debug)]
pub struct Variable {
    /// Its name.
    pub name: Str,
    /// The source range of its header.
    pub place: Place,
    /// The description.
    pub description: Option<Str>,
    /// The type; dynamic if neither a constraint nor a default determines it.
    pub ty: Type,
    /// The default, converted to the type.
    pub default: Option<Value>,
    /// True if it is sensitive.
    pub sensitive: bool,
    /// True if the default depends on environment variables that are not set.
    pub(crate) is_open: bool,
    pub(crate) default_place: Option<Place>,
    pub(crate) validations: Vec<VariableRule>,
    defaults: Option<TypeDefaults>,
}

/// A `validation` block of a variable: a condition and the message if it is violated.
#[derive(Debug)]
pub(crate) struct VariableRule {
    /// The condition, which must be true.
    pub(crate) condition: TemplateExpression,
    /// The message if it is not.
    pub(crate) message: Str,
}

impl Variable {
    /// Reads the declaration in a `variable` block; `defaults` evaluates the default, which may read environment variables, and
    /// `literals` the other constants.
    pub(super) fn read(
        raw: &RawBlock,
        literals: &DeclaredLiterals,
        defaults: &DeclaredLiterals,
        library: &FunctionLibrary,
        out: &mut Diagnostics,
    ) -> Variable {
        let (ty, optional) = match raw.argument("type") {
            Some(argument) => type_of_variable(&argument.expr, out),
            None => (Type::Dynamic, None),
        };
        let mut variable = Variable {
            name: Str::from(raw.label(0)),
            place: raw.header,
            description: literals.text(raw, "description", out),
            ty,
            default: None,
            sensitive: literals.flag(raw, "sensitive", out).unwrap_or(false),
            is_open: false,
            default_place: None,
            validations: Vec::new(),
            defaults: optional,
        };
        if let Some(argument) = raw.argument("default") {
            variable.read_default(&argument.expr, defaults, out);
        }
        for block in raw.blocks_of("validation") {
            variable.read_validation(block, literals, library, out);
        }
        variable
    }

    /// Returns the variable declared in the short form, by an argument of a `variables` block, with only a default, which
    /// `defaults` evaluates.
    pub(super) fn short(
        argument: &RawArgument,
        defaults: &DeclaredLiterals,
        out: &mut Diagnostics,
    ) -> Variable {
        let mut variable = Variable {
            name: argument.name.clone(),
            place: argument.name_place,
            description: None,
            ty: Type::Dynamic,
            default: None,
            sensitive: false,
            is_open: false,
            default_place: None,
            validations: Vec::new(),
            defaults: None,
        };
        variable.read_default(&argument.expr, defaults, out);
        variable
    }

    /// Evaluates a variable's default, a constant expression, with `defaults` and converts it to the variable's type.
    fn read_default(&mut self, expr: &Expr, defaults: &DeclaredLiterals, out: &mut Diagnostics) {
        self.default_place = Some(expr.place());
        self.is_open = defaults.is_open(expr);
        let converted = defaults.value(expr, out).map(|value| self.convert(&value));
        self.default = Some(match converted {
            Some(Ok(value)) => value,
            Some(Err(why)) => {
                let detail = format!(
                    "The default of the variable \"{}\" does not fit its type: {}.",
                    &*self.name,
                    self.misfit(&why)
                );
                out.push(Diagnostic::error(&codes::DEFAULT_TYPE, detail).at(expr.place()));
                Value::unknown(self.ty.without_optional())
            }
            None => Value::unknown(self.ty.without_optional()),
        });
        if let (Type::Dynamic, Some(value)) = (&self.ty, &self.default) {
            let is_empty = match value {
                Value::Tuple(tuple) => tuple.items().is_empty(),
                Value::Object(object) => object.is_empty(),
                _ => false,
            };
            if !is_empty {
                self.ty = value.ty();
            }
        }
    }

    /// Converts a value to the variable's type, after filling in the defaults of optional attributes.
    pub(crate) fn convert(&self, value: &Value) -> Result<Value, Mismatch> {
        let filled = match &self.defaults {
            Some(defaults) if !value.is_null() => defaults.apply(value),
            _ => value.clone(),
        };
        convert(&filled, &self.ty)
    }

    /// Formats `why`, the reason why a value does not fit the variable's type, for a message; without details for a sensitive
    /// variable.
    pub(crate) fn misfit(&self, why: &Mismatch) -> String {
        match self.sensitive {
            true => "the value is sensitive and not shown".to_owned(),
            false => sentence(why),
        }
    }

    /// Reads a `validation` block of the variable.
    fn read_validation(
        &mut self,
        raw: &RawBlock,
        literals: &DeclaredLiterals,
        library: &FunctionLibrary,
        out: &mut Diagnostics,
    ) {
        let message = literals.text(raw, "error_message", out);
        if let (Some(text), Some(argument)) = (&message, raw.argument("error_message"))
            && !is_sentence(text)
        {
            let detail = "The message of a validation must be at least one full sentence: it starts with a capital letter and ends with a full stop, a question mark or an exclamation mark.";
            out.push(
                Diagnostic::error(&codes::VALIDATION_MESSAGE, detail).at(argument.expr.place()),
            );
        }
        let Some(argument) = raw.argument("condition") else { return };
        let condition = TemplateExpression::new(&argument.expr, library);
        let (mut looks, mut fine) = (false, true);
        for (reference, place) in condition.references() {
            let is_own = &*reference.root == "var"
                && matches!(reference.steps.first(), Some(Step::Attribute(name)) if *name == self.name);
            looks |= is_own;
            if !is_own {
                fine = false;
                let detail = format!(
                    "A validation of the variable \"{0}\" can refer to var.{0} only: no other value is known when it is checked.",
                    &*self.name
                );
                out.push(Diagnostic::error(&codes::VALIDATION_REFERENCE, detail).at(place));
            }
        }
        if fine && !looks {
            let detail = format!(
                "The condition does not refer to var.{}, the variable that it checks.",
                &*self.name
            );
            out.push(Diagnostic::error(&codes::VALIDATION_REFERENCE, detail).at(condition.place()));
            fine = false;
        }
        if fine && let Some(message) = message {
            self.validations.push(VariableRule { condition, message });
        }
    }
}

/// Reads the type constraint of a variable with the defaults of optional attributes; reports obsolete forms.
fn type_of_variable(expr: &Expr, out: &mut Diagnostics) -> (Type, Option<TypeDefaults>) {
    if let Some(word @ ("list" | "map")) = keyword(expr).as_deref() {
        let detail = format!("`{word}` needs the type of its elements: `{word}(string)`.");
        out.push(Diagnostic::error(&codes::VARIABLE_TYPE_EXPRESSION, detail).at(expr.place()));
        return (Type::Dynamic, None);
    }
    type_of::type_expression(expr, type_of::TypePosition::Variable, out)
}

/// Returns true if a message begins with an upper-case letter and ends with a full stop, question or exclamation mark.
fn is_sentence(text: &str) -> bool {
    let first = text.chars().next();
    first.is_some_and(|c| !c.is_alphabetic() || c.is_uppercase()) && text.ends_with(['.', '?', '!'])
}
