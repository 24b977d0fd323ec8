//! The exception of the package, `groma.Error`: diagnostics of the engine as a Python error, with each of them as a dictionary.

use groma::json::{JsonLayout, JsonText, array, write_diagnostic};
use groma::{Diagnostic, Severity, Sources};
use groma_door::DoorError;
use pyo3::create_exception;
use pyo3::exceptions::PyException;
use pyo3::prelude::*;

use crate::objects::from_tokens;

create_exception!(
    groma,
    Error,
    PyException,
    "An error in the code or in a request. `diagnostics` is a list of dictionaries in the form of `groma check -json`; \
     `code` is the code of the first error."
);

/// Creates a `groma.Error` with a message, and the attributes `code` and `diagnostics`.
fn error(py: Python<'_>, message: String, code: &str, diagnostics: Bound<'_, PyAny>) -> PyErr {
    let error = Error::new_err(message);
    let value = error.value(py);
    match value.setattr("code", code).and_then(|()| value.setattr("diagnostics", diagnostics)) {
        Ok(()) => error,
        Err(other) => other,
    }
}

/// Creates the exception for a request that the JSON API has refused.
pub(crate) fn refused(py: Python<'_>, why: &DoorError) -> PyErr {
    let mut text = JsonText::new(JsonLayout::Tokens);
    array([why], &mut text, |why, out| {
        let mut object = groma::json::JsonObject::open(out);
        object.text("severity", "error");
        object.text("code", why.code);
        object.text("summary", &why.message);
        object.close();
    });
    match from_tokens(py, &text.into_string()) {
        Ok(diagnostics) => error(py, why.message.clone(), why.code, diagnostics),
        Err(other) => other,
    }
}

/// Creates the exception for some diagnostics; the first error gives its message and code.
pub(crate) fn of_findings<'d>(
    py: Python<'_>,
    findings: impl IntoIterator<Item = &'d Diagnostic>,
    sources: &Sources,
) -> PyErr {
    let all: Vec<&Diagnostic> = findings.into_iter().collect();
    let mut text = JsonText::new(JsonLayout::Tokens);
    array(&all, &mut text, |one, out| write_diagnostic(one, sources, out));
    let first = all.iter().find(|one| one.severity == Severity::Error);
    let (message, code) = first.map_or((String::new(), ""), |one| {
        let place = one.place.map(|place| groma::json::place_text(place, sources) + ": ");
        (format!("{}{}", place.unwrap_or_default(), one.detail), one.code.slug)
    });
    match from_tokens(py, &text.into_string()) {
        Ok(diagnostics) => error(py, message, code, diagnostics),
        Err(other) => other,
    }
}

/// Creates the exception for arguments that cannot be used, with a code and a message.
pub(crate) fn misuse(py: Python<'_>, code: &'static str, message: impl Into<String>) -> PyErr {
    refused(py, &DoorError { code, message: message.into() })
}
