//! Conversion of values of the language to those of Python, and back. Numbers are `int` if they are whole, otherwise
//! `decimal.Decimal`, exact to the last digit; a sensitive or ephemeral value is wrapped, and only `reveal()` shows it.

use groma::causes::CauseTable;
use groma::json::{JsonLayout, JsonText, ReportedCauses, ResultContext};
use groma::values::{Mark, Marks, Number, Str, print};
use groma::{Sources, Type, Unknown as UnknownValue, Value};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{
    PyBool, PyDict, PyFloat, PyFrozenSet, PyInt, PyList, PyMapping, PySequence, PySet, PyString,
    PyTuple, PyType,
};

use crate::objects::from_tokens;

/// The maximum nesting of a Python value that is given to the engine; a deeper one raises an error.
const DEPTH: usize = 200;

/// The Python class `groma.Unknown`: a value that cannot be known from the source alone.
#[pyclass(frozen, module = "groma")]
pub(crate) struct Unknown {
    /// Its type as the language writes it, such as `list(string)`; `any` where not even that is known.
    #[pyo3(get, name = "type")]
    ty: String,
    /// The reasons, each a dictionary of `class`, `kind`, `address` and perhaps `place`.
    because: Py<PyAny>,
    value: Value,
}

#[pymethods]
impl Unknown {
    /// Creates an unknown value to pass as an input.
    #[new]
    fn new(py: Python<'_>) -> PyResult<Unknown> {
        let because = PyList::empty(py).into_any().unbind();
        Ok(Unknown { ty: "any".to_owned(), because, value: Value::unknown(Type::Dynamic) })
    }

    /// Returns the causes of the unknown value, as a list of dictionaries.
    #[getter]
    fn because(&self, py: Python<'_>) -> Py<PyAny> {
        self.because.clone_ref(py)
    }

    /// Returns the text that Python shows: the addresses of the causes.
    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let because = self.because.bind(py);
        let mut names = Vec::new();
        for one in because.try_iter()? {
            names.push(one?.get_item("address")?.extract::<String>()?);
        }
        Ok(match names.is_empty() {
            true => format!("<groma.Unknown {}>", self.ty),
            false => format!("<groma.Unknown {} because of {}>", self.ty, names.join(", ")),
        })
    }

    /// Raises `TypeError`, since an unknown value is neither true nor false.
    fn __bool__(&self) -> PyResult<bool> {
        Err(PyTypeError::new_err("an unknown value is neither true nor false"))
    }
}

/// The Python class `groma.Sensitive`: a value that only `reveal()` returns.
#[pyclass(frozen, module = "groma")]
pub(crate) struct Sensitive {
    hidden: Py<PyAny>,
    value: Value,
}

#[pymethods]
impl Sensitive {
    /// Wraps a value as sensitive, to pass it as an input.
    #[new]
    fn new(value: &Bound<'_, PyAny>) -> PyResult<Sensitive> {
        let hidden = value.clone().unbind();
        Ok(Sensitive { hidden, value: from_python(value)?.marked(&Marks::one(Mark::Sensitive)) })
    }

    /// Returns the hidden value as a Python object.
    fn reveal(&self, py: Python<'_>) -> Py<PyAny> {
        self.hidden.clone_ref(py)
    }

    /// Returns the fixed text that Python shows for the object, without the hidden value.
    fn __repr__(&self) -> &'static str {
        "<groma.Sensitive>"
    }

    /// Returns the fixed text that `str()` gives for the object, without the hidden value.
    fn __str__(&self) -> &'static str {
        "<groma.Sensitive>"
    }

    /// Returns the fixed text that `format()` gives for the object, without the hidden value.
    fn __format__(&self, _spec: &str) -> &'static str {
        "<groma.Sensitive>"
    }

    /// Raises `TypeError`, since a sensitive value must not be pickled.
    fn __reduce__(&self) -> PyResult<Py<PyAny>> {
        Err(PyTypeError::new_err("a sensitive value is not pickled; reveal() gives it"))
    }
}

/// The tables that resolve the causes of unknown values: the causes, and the source texts of their places.
pub(crate) struct ValueContext<'a> {
    pub(crate) causes: &'a CauseTable,
    pub(crate) sources: &'a Sources,
}

/// Returns the class `decimal.Decimal`.
fn decimal(py: Python<'_>) -> PyResult<&Bound<'_, PyType>> {
    /// The class `decimal.Decimal`, imported on first use.
    static DECIMAL: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    DECIMAL.import(py, "decimal", "Decimal")
}

/// Converts a value of the engine to a Python object; an unknown one becomes `groma.Unknown`, a sensitive one `groma.Sensitive`.
pub(crate) fn to_python(
    py: Python<'_>,
    value: &Value,
    context: &ValueContext<'_>,
) -> PyResult<Py<PyAny>> {
    let all = |items: &[Value]| -> PyResult<Vec<Py<PyAny>>> {
        items.iter().map(|item| to_python(py, item, context)).collect()
    };
    Ok(match value {
        Value::Null(_) => py.None(),
        Value::Bool(is) => PyBool::new(py, *is).to_owned().into_any().unbind(),
        Value::Decimal(_) | Value::Real(_) => number(py, value)?,
        Value::String(text) => PyString::new(py, text).into_any().unbind(),
        Value::List(list) => PyList::new(py, all(list.items())?)?.into_any().unbind(),
        Value::Tuple(tuple) => PyList::new(py, all(tuple.items())?)?.into_any().unbind(),
        Value::Set(set) => {
            let items = all(set.items())?;
            match PyFrozenSet::new(py, &items) {
                Ok(set) => set.into_any().unbind(),
                // An element may be a list or a dictionary, which has no hash.
                Err(_) => PyTuple::new(py, items)?.into_any().unbind(),
            }
        }
        Value::Map(map) => {
            let dict = PyDict::new(py);
            for (key, value) in map.entries() {
                dict.set_item(&**key, to_python(py, value, context)?)?;
            }
            dict.into_any().unbind()
        }
        Value::Object(object) => {
            let dict = PyDict::new(py);
            for (name, value) in object.iter() {
                dict.set_item(&**name, to_python(py, value, context)?)?;
            }
            dict.into_any().unbind()
        }
        Value::Marked(marked) => {
            let inner = to_python(py, marked.value(), context)?;
            let is_hidden = |mark: &Mark| matches!(mark, Mark::Sensitive | Mark::Ephemeral);
            match marked.marks().iter().any(is_hidden) {
                true => Py::new(py, Sensitive { hidden: inner, value: value.clone() })?.into_any(),
                false => inner,
            }
        }
        Value::Unknown(unknown) => {
            let unknown = self::unknown(py, value, unknown, context)?;
            Py::new(py, unknown)?.into_any()
        }
    })
}

/// Returns a number value as a Python object: an `int` if it is whole, else a `Decimal`.
fn number(py: Python<'_>, value: &Value) -> PyResult<Py<PyAny>> {
    let Some(number) = value.as_number() else { return Ok(py.None()) };
    if let Some(small) = number.to_exact_i64() {
        return Ok(small.into_pyobject(py)?.into_any().unbind());
    }
    let text = number.to_text();
    let class = match number.is_integer() && !number.is_infinite() {
        true => py.get_type::<PyInt>(),
        false => decimal(py)?.clone(),
    };
    Ok(class.call1((text,))?.unbind())
}

/// Returns the `groma.Unknown` object for an unknown value, with its causes.
fn unknown(
    py: Python<'_>,
    value: &Value,
    unknown: &UnknownValue,
    context: &ValueContext<'_>,
) -> PyResult<Unknown> {
    let around = ResultContext { sources: context.sources, causes: context.causes };
    let mut text = JsonText::new(JsonLayout::Tokens);
    ReportedCauses::of(&unknown.causes, &around).write(&mut text);
    let because = from_tokens(py, &text.into_string())?.unbind();
    let ty = print::type_constraint(&unknown.ty);
    Ok(Unknown { ty, because, value: value.clone() })
}

/// Converts a Python object to a value. Lists become tuples and dictionaries objects, as in the language's literals.
pub(crate) fn from_python(object: &Bound<'_, PyAny>) -> PyResult<Value> {
    read(object, 0)
}

/// Converts a Python object to a value; raises an error for one without an equivalent or nested deeper than [`DEPTH`].
fn read(object: &Bound<'_, PyAny>, depth: usize) -> PyResult<Value> {
    if depth > DEPTH {
        let why = format!("the value is nested more than {DEPTH} deep, or contains itself");
        return Err(PyValueError::new_err(why));
    }
    let below = |item: &Bound<'_, PyAny>| read(item, depth + 1);
    if object.is_none() {
        return Ok(Value::NULL);
    }
    if let Ok(is) = object.cast::<PyBool>() {
        return Ok(Value::Bool(is.is_true()));
    }
    if let Ok(text) = object.cast::<PyString>() {
        return Ok(Value::text(text.to_cow()?.as_ref()));
    }
    if let Ok(sensitive) = object.cast::<Sensitive>() {
        return Ok(sensitive.get().value.clone());
    }
    if let Ok(unknown) = object.cast::<Unknown>() {
        return Ok(unknown.get().value.clone());
    }
    let is_number = object.is_instance_of::<PyInt>()
        || object.is_instance_of::<PyFloat>()
        || object.is_instance(decimal(object.py())?)?;
    if is_number {
        let text = object.str()?;
        let number = Number::parse(text.to_cow()?.as_ref());
        return number.map(Value::from).ok_or_else(|| {
            PyValueError::new_err(format!("{text} is not a number that the language has"))
        });
    }
    if let Ok(mapping) = object.cast::<PyMapping>() {
        let mut attributes: Vec<(Str, Value)> = Vec::new();
        for pair in mapping.items()?.iter() {
            let (key, value): (Bound<'_, PyAny>, Bound<'_, PyAny>) = pair.extract()?;
            let Ok(key) = key.cast::<PyString>() else {
                return Err(PyTypeError::new_err("the keys of a dictionary must be strings"));
            };
            attributes.push((key.to_cow()?.as_ref().into(), below(&value)?));
        }
        return Ok(Value::object(attributes));
    }
    let is_set = object.is_instance_of::<PySet>() || object.is_instance_of::<PyFrozenSet>();
    if is_set || object.cast::<PySequence>().is_ok() && !is_bytes(object) {
        let mut items = Vec::new();
        for item in object.try_iter()? {
            items.push(below(&item?)?);
        }
        return Ok(Value::tuple(items));
    }
    let kind = object.get_type().name()?;
    Err(PyTypeError::new_err(format!("a {kind} is not a value of the language")))
}

/// Returns true if a Python object is of the type `bytes` or `bytearray`.
fn is_bytes(object: &Bound<'_, PyAny>) -> bool {
    object.is_instance_of::<pyo3::types::PyBytes>()
        || object.is_instance_of::<pyo3::types::PyByteArray>()
}
