//! How answers are told to programs: results, causes and findings as JSON, and the batch mode that answers one line at a
//! time. Nothing is evaluated here that was not asked for in a line; text that people read is made by the views.
#![forbid(unsafe_code)]

mod batch;
mod result_json;

pub use batch::{BatchOptions, EvaluatedExpression, EvaluationBatch};
pub use result_json::{
    ErrorStage, ReportedCauses, ResultContext, place_text, write_diagnostic, write_result,
};
