//! Python objects of a JSON text, equal to those of `json.loads`. Equal short texts share one object, of which a plan has many.

use jiter::{FloatMode, PartialMode, PythonParse, StringCacheMode};
use pyo3::prelude::*;

/// The options of the JSON parser: those of `json.loads`, except that equal strings of less than 64 bytes become one object.
const PARSER: PythonParse = PythonParse {
    allow_inf_nan: false,
    cache_mode: StringCacheMode::All,
    partial_mode: PartialMode::Off,
    catch_duplicate_keys: false,
    float_mode: FloatMode::Float,
};

/// Converts a JSON text to Python objects. A text that the parser refuses, such as one nested deeper than 200 levels, is given to
/// `json.loads`, which converts it or raises its own error.
///
/// # Errors
///
/// The `ValueError` or `RecursionError` of `json.loads`.
#[pyfunction(name = "json_objects")]
pub(crate) fn from_json<'py>(py: Python<'py>, text: &str) -> PyResult<Bound<'py, PyAny>> {
    match PARSER.python_parse(py, text.as_bytes()) {
        Ok(objects) => Ok(objects),
        Err(_) => py.import("json")?.call_method1("loads", (text,)),
    }
}
