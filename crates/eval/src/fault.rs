//! What can be wrong when code is evaluated: one constant row a kind of finding. The sentences
//! with the names and values of the user's are made where the fault is found.

use groma_syntax::{DiagnosticCode, Span};

/// Something wrong that lowering has seen and evaluation may report.
#[derive(Clone, Debug)]
pub(crate) struct Fault {
    pub(crate) row: &'static DiagnosticCode,
    pub(crate) span: Span,
    pub(crate) detail: String,
}

macro_rules! rows {
    ($($name:ident, $slug:literal, $summary:literal;)*) => {
        $(pub(crate) const $name: &DiagnosticCode = &DiagnosticCode { slug: $slug, summary: $summary };)*

        /// Every kind of finding that an evaluation may report.
        pub const ROWS: &[&DiagnosticCode] = &[$($name),*];
    };
}

rows! {
    UNDEFINED, "undefined-name", "Undefined name";
    UNKNOWN_FUNCTION, "unknown-function", "Unknown function";
    ARGUMENT_COUNT, "argument-count", "Wrong number of arguments";
    ARGUMENT, "argument", "Argument does not fit";
    CALL, "call-failed", "Function call failed";
    LEFT_OUT, "left-out", "Function is not part of this build";
    EXPANSION, "expansion", "Argument cannot be expanded";
    OPERAND, "operand", "Operand does not fit";
    OPERATION, "operation", "Operation failed";
    CONDITION, "condition", "Condition is not true or false";
    ARMS, "conditional-types", "Results of different types";
    ATTRIBUTE, "no-attribute", "No such attribute";
    INDEX, "no-element", "No such element";
    KEY, "object-key", "Key does not fit";
    AMBIGUOUS_KEY, "ambiguous-key", "Ambiguous key";
    DUPLICATE_KEY, "duplicate-key", "Key made twice";
    ITERATION, "not-iterable", "Nothing to iterate over";
    SPLAT_OF_NULL, "splat-of-null", "Splat of null";
    INTERPOLATION, "interpolation", "No text in a template";
    TEMPLATE, "template", "Template cannot be rendered";
    TYPE_EXPRESSION, "type-expression", "Not a type";
    TYPE_VALUE, "type-value", "A type is not a value";
    NESTING, "limit-nesting", "Nested too deeply";
    SIZE, "limit-size", "Value is too large";
    EVALUATION, "limit-evaluation", "Evaluation takes too many steps";
    FINDINGS, "findings", "More was found than is shown";
}
