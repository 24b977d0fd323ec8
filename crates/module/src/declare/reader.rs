//! The settings for reading declarations, and an evaluator of constants. It is independent of the module: it knows no other
//! declarations.

use groma_config::{RawBlock, ReadSetting};
use groma_eval::Context;
use groma_functions::FunctionLibrary;
use groma_syntax::{Diagnostic, Diagnostics, Expr, Place};
use groma_value::{Str, Value, json};

use crate::codes;
use crate::declare::expression::{Expression, check_constant};
use crate::dialect::Conventions;
use crate::schema::ProviderSchemas;

/// The settings for reading declarations: edition, conventions, functions and provider schemas.
pub struct DeclarationReader<'a> {
    /// The callable functions.
    pub library: FunctionLibrary,
    /// The edition's conventions.
    pub conventions: Conventions,
    /// A context for evaluating constants, without names and files.
    pub constants: &'a Context,
    /// The schemas of providers.
    pub schemas: &'a ProviderSchemas,
}

impl DeclarationReader<'_> {
    /// Returns the text of a block's `deprecated` argument, if any; in editions in which this text has to say what to use
    /// instead, reports an empty one at `place`.
    pub fn advice(&self, raw: &RawBlock, place: Place, out: &mut Diagnostics) -> Option<Str> {
        let advice = self.text(raw, "deprecated", out)?;
        if self.conventions.deprecations_advise && advice.trim().is_empty() {
            let detail = "\"deprecated\" is empty. Say what to use instead, or remove it.";
            out.push(Diagnostic::error(&codes::DEPRECATED_WITHOUT_ADVICE, detail).at(place));
            return None;
        }
        Some(advice)
    }

    /// Returns the value of an expression that may use neither names nor functions; reports any other and returns `None`;
    /// `whose` is what the message calls the expression.
    pub fn constant(&self, expr: &Expr, whose: &str, out: &mut Diagnostics) -> Option<Value> {
        // Where nothing can be evaluated, JSON strings are literal and not templates.
        if let Expr::Json(document) = expr
            && let Ok(value) = json::decode(document.view().text())
        {
            return Some(value);
        }
        let expression = Expression::new(expr, &self.library);
        if let Some(value) = expression.located.code.constant() {
            return Some(value.clone());
        }
        if !check_constant(&expression, whose, out) {
            return None;
        }
        let before = out.error_count();
        let value = groma_eval::evaluate(&expression.located, self.constants, out);
        (out.error_count() == before).then_some(value)
    }
}

impl ReadSetting for DeclarationReader<'_> {
    fn constant_value(&self, expr: &Expr, whose: &str, out: &mut Diagnostics) -> Option<Value> {
        self.constant(expr, whose, out)
    }
}
