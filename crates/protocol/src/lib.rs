//! Answers for other programs: results, causes and diagnostics as JSON, and batch mode, which evaluates one expression per line
//! of input.
#![forbid(unsafe_code)]

mod batch;
mod result_json;

pub use batch::{BatchOptions, EvaluatedExpression, EvaluationBatch};
pub use result_json::{
    ErrorStage, ReportedCauses, ResultContext, place_text, write_diagnostic, write_result,
};
