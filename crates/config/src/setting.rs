//! Settings: arguments with a constant boolean or string value. The implementor of the trait decides which expressions are
//! allowed; null and unknown values are not.

use groma_syntax::{Diagnostic, Diagnostics, Expr};
use groma_value::{Str, Type, Value, convert};

use crate::block::RawBlock;
use crate::codes;

/// A reader of settings, which are block arguments with a constant value. The implementor decides which expressions are constant.
pub trait ReadSetting {
    /// Evaluates a constant expression; `None`, after a report whose message begins with `whose`, if it is not one.
    fn constant_value(&self, expr: &Expr, whose: &str, out: &mut Diagnostics) -> Option<Value>;

    /// Reads the boolean setting `name` of a block; `None` if it is missing or, after a report, invalid.
    fn flag(&self, raw: &RawBlock, name: &str, out: &mut Diagnostics) -> Option<bool> {
        match setting(self, raw, name, (&Type::Bool, "true or false"), out)? {
            Value::Bool(flag) => Some(flag),
            _ => None,
        }
    }

    /// Reads the string setting `name` of a block; `None` if it is missing or, after a report, invalid.
    fn text(&self, raw: &RawBlock, name: &str, out: &mut Diagnostics) -> Option<Str> {
        match setting(self, raw, name, (&Type::String, "a plain text"), out)? {
            Value::String(text) => Some(text),
            _ => None,
        }
    }
}

/// Reads the setting `name` of a block and converts it to `ty`, called `wanted` in messages; `None` if it is missing or, after a
/// report, does not fit.
fn setting(
    reader: &(impl ReadSetting + ?Sized),
    raw: &RawBlock,
    name: &str,
    (ty, wanted): (&Type, &str),
    out: &mut Diagnostics,
) -> Option<Value> {
    let argument = raw.argument(name)?;
    let whose = format!("The setting \"{name}\"");
    let value = reader.constant_value(&argument.expr, &whose, out)?;
    match convert(&value, ty) {
        Ok(value) if value.is_known() && !value.is_null() => Some(value.bare().clone()),
        _ => {
            let detail = format!("{whose} has to be {wanted}.");
            out.push(Diagnostic::error(&codes::SETTING_TYPE, detail).at(argument.expr.place()));
            None
        }
    }
}
