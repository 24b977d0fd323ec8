//! A root that stays open, and expressions on their own. A question reuses the results of earlier ones, and an edit keeps those
//! that it does not affect.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use groma::address::ResourceMode;
use groma::batches::{BatchOptions, EvaluatedExpression, EvaluationBatch};
use groma::causes::CauseTable;
use groma::disk::DiskContext;
use groma::functions::read_moment;
use groma::json::JsonLayout;
use groma::plans::PlanGoal;
use groma::templates::NamedValues;
use groma::{
    Budget, Diagnostics, Edition, Host, LoadPurpose, MemoryHost, PlanOptions, Quota, RequestToken,
    Severity, Value,
};
use groma_door::{DoorError, OpenRoot};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList, PyString};

use crate::error::{misuse, of_findings, refused};
use crate::host::{PythonHost, RaisedError};
use crate::interrupt::interruptible;
use crate::objects::from_tokens;
use crate::value::{ValueContext, from_python, to_python};

/// The number of steps that an expression may take before its work moves to a thread that signals can end.
const QUICK_STEPS: u64 = 100_000;

/// Parses an edition such as `opentofu@1.12`; `None` gives the default one. An invalid text raises a `ValueError`.
fn edition(dialect: Option<&str>) -> PyResult<Edition> {
    match dialect.map(|text| (text, Edition::parse(text))) {
        None => Ok(Edition::DEFAULT),
        Some((_, Some(edition))) => Ok(edition),
        Some((text, None)) => {
            let form = "opentofu, terraform or packer, perhaps with a version as in opentofu@1.12";
            Err(PyValueError::new_err(format!("dialect must be {form}, not {text:?}")))
        }
    }
}

/// Evaluates an expression on its own. `given` are the names that it may refer to; with `now` (RFC 3339) and `seed` the functions
/// of the clock and of chance are known.
#[pyfunction]
#[pyo3(signature = (expr, given=None, dialect=None, *, now=None, seed=None))]
pub(crate) fn evaluate(
    py: Python<'_>,
    expr: &str,
    given: Option<&Bound<'_, PyDict>>,
    dialect: Option<&str>,
    now: Option<&str>,
    seed: Option<u64>,
) -> PyResult<Py<PyAny>> {
    let mut names = NamedValues::new();
    for (name, value) in given.into_iter().flatten() {
        names.insert(name.extract::<String>()?, from_python(&value)?);
    }
    let edition = edition(dialect)?;
    let now = now.map(read_moment).transpose().map_err(PyValueError::new_err)?;
    let causes = Arc::new(CauseTable::new());
    let options = |steps: u64| {
        let budget = Budget::new(Quota { steps, ..Quota::DEFAULT });
        BatchOptions {
            edition,
            now,
            seed,
            budget,
            causes: causes.clone(),
            ..BatchOptions::default()
        }
    };
    // Nearly all are done at once; what takes longer may be ended by a signal.
    let quick = options(QUICK_STEPS);
    let budget = quick.budget.clone();
    let mut evaluated = EvaluationBatch::new(quick).value(expr, names.clone());
    if evaluated.findings.iter().any(|one| one.code.slug.starts_with("limit-"))
        || budget.ended().is_some()
    {
        let options = options(Quota::DEFAULT.steps);
        evaluated = interruptible(py, |begun| {
            begun(&options.budget);
            EvaluationBatch::new(options.clone()).value(expr, names.clone())
        })?;
    }
    let EvaluatedExpression { value, findings, sources, .. } = evaluated;
    if findings.has_errors() {
        return Err(of_findings(py, &findings, &sources));
    }
    to_python(py, &value, &ValueContext { causes: &causes, sources: &sources })
}

/// The Python class `groma.Root`: a loaded root module that answers questions until it is closed.
#[pyclass(frozen, module = "groma")]
pub(crate) struct Root {
    open: Mutex<Option<Arc<OpenRoot>>>,
    raised: Option<RaisedError>,
}

/// Converts a dictionary from path to contents (`str` or `bytes`) to pairs of path and bytes.
fn texts(files: &Bound<'_, PyDict>) -> PyResult<Vec<(String, Vec<u8>)>> {
    let mut texts = Vec::with_capacity(files.len());
    for (path, text) in files {
        let bytes = match text.cast::<PyString>() {
            Ok(text) => text.to_cow()?.as_bytes().to_vec(),
            Err(_) => match text.cast::<PyBytes>() {
                Ok(bytes) => bytes.as_bytes().to_vec(),
                Err(_) => {
                    return Err(PyTypeError::new_err("the content of a file must be str or bytes"));
                }
            },
        };
        texts.push((path.extract()?, bytes));
    }
    Ok(texts)
}

/// Returns options as the text of a JSON object, without those that are `None`.
fn options_text(py: Python<'_>, fields: &[(&str, Option<Bound<'_, PyAny>>)]) -> PyResult<String> {
    let options = PyDict::new(py);
    for (name, value) in fields {
        if let Some(value) = value {
            options.set_item(name, value)?;
        }
    }
    py.import("json")?.call_method1("dumps", (options,))?.extract()
}

#[pymethods]
impl Root {
    #[new]
    #[pyo3(signature = (
        path, variables=None, var_files=None, dialect=None, schema=None, mocks=None, limits=None, *,
        dir=None, workspace=None, now=None, seed=None, untrusted=false
    ))]
    #[expect(clippy::too_many_arguments, reason = "they are names in Python")]
    /// Loads the root module at a path, or from a dictionary of files or a host object.
    fn new(
        py: Python<'_>,
        path: &Bound<'_, PyAny>,
        variables: Option<BTreeMap<String, Bound<'_, PyAny>>>,
        var_files: Option<Bound<'_, PyList>>,
        dialect: Option<Bound<'_, PyAny>>,
        schema: Option<PathBuf>,
        mocks: Option<Bound<'_, PyList>>,
        limits: Option<Bound<'_, PyAny>>,
        dir: Option<String>,
        workspace: Option<Bound<'_, PyAny>>,
        now: Option<Bound<'_, PyAny>>,
        seed: Option<Bound<'_, PyAny>>,
        untrusted: bool,
    ) -> PyResult<Root> {
        let listed = |list: &Option<Bound<'_, PyList>>| -> PyResult<Vec<String>> {
            let all = list.iter().flatten();
            all.map(|one| one.str()?.extract()).collect()
        };
        let schema = schema.map(|schema| schema.to_string_lossy().into_owned());
        let mut named = listed(&var_files)?;
        named.extend(listed(&mocks)?);
        named.extend(schema.clone());
        let mut raised = None;
        let (host, dir, top): (Arc<dyn Host>, String, String) =
            if let Ok(files) = path.cast::<PyDict>() {
                let host = texts(files)?
                    .into_iter()
                    .fold(MemoryHost::new(), |host, (path, text)| host.with_file(&path, text));
                (Arc::new(host), dir.unwrap_or_else(|| ".".to_owned()), "/".to_owned())
            } else if path.hasattr("read")? && path.hasattr("list")? {
                let (host, errors) = PythonHost::new(path.clone().unbind());
                raised = Some(errors);
                (Arc::new(host), dir.unwrap_or_else(|| ".".to_owned()), "/".to_owned())
            } else {
                let path: PathBuf = path.extract()?;
                let path = path.to_string_lossy().into_owned();
                if dir.is_some() {
                    return Err(PyTypeError::new_err(
                        "dir is for files and hosts; a path names the folder",
                    ));
                }
                let unread = |why: &dyn std::fmt::Display| {
                    misuse(py, "cannot-open", format!("{path} cannot be read: {why}."))
                };
                let context = DiskContext::here().map_err(|why| unread(&why))?;
                let context = if untrusted { context.untrusted() } else { context };
                if !context.is_directory(&path) {
                    return Err(misuse(py, "cannot-open", format!("{path} is not a directory.")));
                }
                let top = context.root(&path).map_err(|why| unread(&why))?;
                let text = top.to_string_lossy().into_owned();
                let host = context.host(top, Vec::new(), named.iter().map(String::as_str));
                (Arc::new(host), path, text)
            };
        let strings = |list: Vec<String>| PyList::new(py, list).map(|list| Some(list.into_any()));
        let options = options_text(
            py,
            &[
                ("var_files", strings(listed(&var_files)?)?),
                ("mocks", strings(listed(&mocks)?)?),
                ("dialect", dialect),
                ("schema", schema.map(|schema| PyString::new(py, &schema).into_any())),
                ("limits", limits),
                ("workspace", workspace),
                ("now", now),
                ("seed", seed),
                ("untrusted", Some(pyo3::types::PyBool::new(py, untrusted).to_owned().into_any())),
            ],
        )?;
        let mut values = Vec::new();
        for (name, value) in variables.into_iter().flatten() {
            values.push((name, from_python(&value)?));
        }
        let open = OpenRoot::over(host, &dir, &top, &options, values, &Quota::DEFAULT);
        let root = Root { open: Mutex::new(None), raised };
        let open = root.checked(py, open)?;
        *root.open.lock().unwrap_or_else(PoisonError::into_inner) = Some(Arc::new(open));
        Ok(root)
    }

    /// Returns the answer to a question of `groma serve` about this root, as the objects of its JSON.
    #[pyo3(signature = (question, base=None))]
    fn ask<'py>(
        &self,
        py: Python<'py>,
        question: &str,
        base: Option<&Root>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let root = self.root(py)?;
        let base = base.map(|base| base.root(py)).transpose()?;
        let answered = interruptible(py, |begun| {
            root.ask(question, JsonLayout::Tokens, begun, base.as_ref())
        })?;
        from_tokens(py, &self.checked(py, answered)?)
    }

    /// Returns the values of the root module's outputs as a dictionary by name.
    #[getter]
    fn outputs<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let root = self.root(py)?;
        let answered = interruptible(py, |begun| {
            root.with_state(begun, |root| Ok((root.clone(), root.outputs()?)))
        })?;
        let (root, outputs) = self.checked(py, answered)?;
        let sources = root.sources();
        self.well(py, [&root.found(), &outputs.findings], &sources)?;
        let causes = root.causes();
        let dict = PyDict::new(py);
        for output in &outputs.value {
            let value = match output.sensitive {
                true => output
                    .value
                    .clone()
                    .marked(&groma::values::Marks::one(groma::values::Mark::Sensitive)),
                false => output.value.clone(),
            };
            let context = ValueContext { causes, sources: &sources };
            dict.set_item(&*output.name, to_python(py, &value, &context)?)?;
        }
        Ok(dict)
    }

    /// Evaluates an expression in the root module, or in the instance at an address.
    #[pyo3(signature = (expr, at=None))]
    fn eval(&self, py: Python<'_>, expr: &str, at: Option<&str>) -> PyResult<Py<PyAny>> {
        let root = self.root(py)?;
        let answered = interruptible(py, |begun| {
            root.with_state(begun, |root| {
                let answer = root.evaluate(expr, at, &RequestToken::new())?;
                Ok((root.clone(), answer))
            })
        })?;
        let (root, answer) = self.checked(py, answered)?;
        // The text of the question is among the sources only now.
        let sources = root.sources();
        self.well(py, [&answer.findings], &sources)?;
        let (value, causes) = (answer.value.unwrap_or(Value::NULL), root.causes());
        to_python(py, &value, &ValueContext { causes, sources: &sources })
    }

    /// Plans the root, and returns a list with the planned change of each resource instance and data source as a dictionary.
    #[pyo3(name = "_planned")]
    fn planned<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let root = self.root(py)?;
        let answered = interruptible(py, |begun| {
            root.with_root(LoadPurpose::Plan, begun, |root| {
                let options = PlanOptions { goal: PlanGoal::Change, ..PlanOptions::default() };
                Ok(root.module()?.plan(options))
            })
        })?;
        let plan = self.checked(py, answered)?;
        let (sources, causes) = (plan.evaluation().sources(), plan.evaluation().causes().clone());
        let context = ValueContext { causes: &causes, sources: &sources };
        let list = PyList::empty(py);
        for change in plan.declared() {
            let dict = PyDict::new(py);
            dict.set_item("address", change.instance.address.to_string())?;
            let mode = match change.mode {
                ResourceMode::Managed => "managed",
                mode => mode.word(),
            };
            dict.set_item("mode", mode)?;
            dict.set_item("module", change.module_address())?;
            dict.set_item("type", &*change.kind)?;
            dict.set_item("name", &*change.name)?;
            dict.set_item("values", to_python(py, &change.instance.value, &context)?)?;
            list.append(dict)?;
        }
        Ok(list)
    }

    /// Replaces the texts of files in memory, or restores the text on disk where it is `None`. Values that an edit does not
    /// affect are kept.
    fn edit(&self, py: Python<'_>, files: &Bound<'_, PyDict>) -> PyResult<()> {
        let root = self.root(py)?;
        for (path, text) in files {
            let path: String = path.extract()?;
            match text.is_none() {
                true => drop(root.remove(&path)),
                false => root.set(&path, text.extract()?),
            }
        }
        Ok(())
    }

    /// Closes the root. Its memory is freed when no question is being answered any more.
    fn close(&self) {
        *self.open.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }
}

impl Root {
    /// Returns the open root; raises an error if it is closed.
    fn root(&self, py: Python<'_>) -> PyResult<Arc<OpenRoot>> {
        let open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        open.clone().ok_or_else(|| misuse(py, "unknown-handle", "The root is closed."))
    }

    /// Unwraps the answer to a question, or raises its error; an exception that a Python host raised takes precedence.
    fn checked<T>(&self, py: Python<'_>, answered: Result<T, DoorError>) -> PyResult<T> {
        let raised = self.raised.as_ref();
        let raised =
            raised.and_then(|raised| raised.lock().unwrap_or_else(PoisonError::into_inner).take());
        if let Some(cause) = raised {
            let error = misuse(py, "host-failed", format!("The host failed: {cause}."));
            error.set_cause(py, Some(cause));
            return Err(error);
        }
        answered.map_err(|why| refused(py, &why))
    }

    /// Checks diagnostics: raises `groma.Error` with all of them if one is an error, otherwise does nothing.
    fn well<const N: usize>(
        &self,
        py: Python<'_>,
        found: [&Diagnostics; N],
        sources: &groma::Sources,
    ) -> PyResult<()> {
        let all = || found.iter().flat_map(|found| found.iter());
        match all().any(|one| one.severity == Severity::Error) {
            true => Err(of_findings(py, all(), sources)),
            false => Ok(()),
        }
    }
}
