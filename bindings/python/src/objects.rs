//! Python objects of JSON, equal to those of `json.loads`: of the tokens of the engine's own documents, or of any JSON text. Equal
//! short texts share one object, of which a plan has many.

use groma::json::{JsonToken, JsonTokens};
use jiter::{FloatMode, PartialMode, PythonParse, StringCacheMode};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyList, PyString};
use rustc_hash::FxHashMap;

/// The length in bytes of a document from which on the collector is switched off while its objects are made: otherwise it would
/// look for cycles among them several times over.
const LONG_DOCUMENT: usize = 100_000;

/// The length in bytes of a text from which on it is not looked for among earlier ones, since few long texts are equal.
const LONG_TEXT: usize = 64;

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
    without_collector(py, text.len(), || parsed(py, text))
}

/// Converts a document that was written with the layout `JsonLayout::Tokens` to Python objects.
///
/// # Errors
///
/// A `ValueError` if the tokens are not those of one document, or Python's own errors, such as `MemoryError`.
pub(crate) fn from_tokens<'py>(py: Python<'py>, tokens: &str) -> PyResult<Bound<'py, PyAny>> {
    without_collector(py, tokens.len(), || ObjectMaker::new(py).make(JsonTokens::of(tokens)))
}

/// Calls `make` for a document of so many bytes, with the collector switched off if it is long.
fn without_collector<'py>(
    py: Python<'py>,
    length: usize,
    make: impl FnOnce() -> PyResult<Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    if length < LONG_DOCUMENT {
        return make();
    }
    let collector = py.import("gc")?;
    let is_on: bool = collector.call_method0("isenabled")?.extract()?;
    if !is_on {
        return make();
    }
    collector.call_method0("disable")?;
    let objects = make();
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

/// An object or array whose end has not been read yet.
enum OpenObject<'py> {
    /// The properties read so far, and the name of the one whose value follows.
    Dict(Bound<'py, PyDict>, Option<Bound<'py, PyString>>),
    /// The items read so far.
    List(Vec<Bound<'py, PyAny>>),
}

/// The making of the Python objects of one document from its tokens. It nests without recursion.
struct ObjectMaker<'t, 'py> {
    py: Python<'py>,
    /// The objects of short texts, by the text.
    texts: FxHashMap<&'t str, Bound<'py, PyString>>,
    open: Vec<OpenObject<'py>>,
}

impl<'t, 'py> ObjectMaker<'t, 'py> {
    /// Creates a maker that has read nothing.
    fn new(py: Python<'py>) -> ObjectMaker<'t, 'py> {
        ObjectMaker { py, texts: FxHashMap::default(), open: Vec::new() }
    }

    /// Returns the object of the document that the tokens are of.
    fn make(mut self, tokens: JsonTokens<'t>) -> PyResult<Bound<'py, PyAny>> {
        for token in tokens {
            let value = match token {
                JsonToken::OpenObject => {
                    self.open.push(OpenObject::Dict(PyDict::new(self.py), None));
                    continue;
                }
                JsonToken::OpenArray => {
                    self.open.push(OpenObject::List(Vec::new()));
                    continue;
                }
                JsonToken::Name(text) => {
                    let text = self.text(text);
                    if let Some(OpenObject::Dict(_, name)) = self.open.last_mut() {
                        *name = Some(text);
                    }
                    continue;
                }
                JsonToken::CloseObject | JsonToken::CloseArray => match self.open.pop() {
                    Some(OpenObject::Dict(dict, _)) => dict.into_any(),
                    Some(OpenObject::List(items)) => PyList::new(self.py, items)?.into_any(),
                    None => break,
                },
                JsonToken::String(text) => self.text(text).into_any(),
                JsonToken::Raw(json) => self.raw(json)?,
            };
            match self.open.last_mut() {
                None => return Ok(value),
                Some(OpenObject::List(items)) => items.push(value),
                Some(OpenObject::Dict(dict, name)) => match name.take() {
                    Some(name) => dict.set_item(name, value)?,
                    None => break,
                },
            }
        }
        Err(PyValueError::new_err("the answer is not a whole document"))
    }

    /// Returns the object of a text, the same one for equal short texts.
    fn text(&mut self, text: &'t str) -> Bound<'py, PyString> {
        if text.len() >= LONG_TEXT {
            return PyString::new(self.py, text);
        }
        self.texts.entry(text).or_insert_with(|| PyString::new(self.py, text)).clone()
    }

    /// Returns the object of a value that is given as JSON text.
    fn raw(&self, json: &str) -> PyResult<Bound<'py, PyAny>> {
        let py = self.py;
        Ok(match json {
            "true" | "false" => PyBool::new(py, json == "true").to_owned().into_any(),
            "null" => py.None().into_bound(py),
            "{}" => PyDict::new(py).into_any(),
            "[]" => PyList::empty(py).into_any(),
            // The other forms of numbers, such as `-0`, are read by the parser.
            _ => match json.parse::<i64>() {
                Ok(whole) if whole != 0 || json == "0" => whole.into_pyobject(py)?.into_any(),
                _ => parsed(py, json)?,
            },
        })
    }
}
