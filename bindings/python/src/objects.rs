//! Python objects of a JSON text, equal to those of `json.loads`. Equal short texts share one object, of which a plan has many.

use jiter::{FloatMode, PartialMode, PythonParse, StringCacheMode};
use pyo3::prelude::*;

/// The length in bytes of a JSON text from which on the collector is switched off while its objects are made: otherwise it would
/// look for cycles among them several times over.
const LONG: usize = 100_000;

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
    if text.len() < LONG {
        return parsed(py, text);
    }
    let collector = py.import("gc")?;
    let is_on: bool = collector.call_method0("isenabled")?.extract()?;
    if !is_on {
        return parsed(py, text);
    }
    collector.call_method0("disable")?;
    let objects = parsed(py, text);
    collector.call_method0("enable")?;
    objects
}

/// Converts a JSON text to Python objects, whether the collector is on or off.
fn parsed<'py>(py: Python<'py>, text: &str) -> PyResult<Bound<'py, PyAny>> {
    match PARSER.python_parse(py, text.as_bytes()) {
        Ok(objects) => Ok(objects),
        Err(_) => py.import("json")?.call_method1("loads", (text,)),
    }
}
