//! A file of configuration as a dictionary, in the shape of `python-hcl2`. An expression that refers to nothing becomes its
//! value; any other becomes its text, unless the file is resolved, which loads it as a root.

use std::collections::HashMap;
use std::sync::Arc;

use groma::batches::{BatchOptions, EvaluatedExpression, EvaluationBatch};
use groma::causes::CauseTable;
use groma::templates::NamedValues;
use groma::{Budget, ExpressionValues, LoadPurpose, MemoryHost, Quota, Severity, Sources, Value};
use groma_door::OpenRoot;
use groma_syntax::ast::{Bindings, ExprCase, ExprView, ObjectItem, TemplateKind, TemplateView};
use groma_syntax::{Body, BodyItem, Expr, Source, parse_file};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyString};

use crate::error::{of_findings, refused};
use crate::interrupt::interruptible;
use crate::value::{ValueContext, to_python};

/// The file name under which a text is loaded as a root of its own.
const ROOT_FILE: &str = "main.tf";

/// Maximum number of evaluation steps for one expression; beyond it the expression is returned as text.
const STEPS: u64 = 100_000;

/// Parses the text of a file to a Python dictionary. With `resolve`, references to the file's own declarations are evaluated.
#[pyfunction]
#[pyo3(signature = (text, name, resolve))]
pub(crate) fn loads<'py>(
    py: Python<'py>,
    text: &str,
    name: &str,
    resolve: bool,
) -> PyResult<Bound<'py, PyDict>> {
    let mut sources = Sources::new();
    let file = sources.add(Source::new(name, text));
    let parse = py.detach(|| parse_file(sources.get(file).text(), file));
    if parse.diagnostics.iter().any(|one| one.severity == Severity::Error) {
        return Err(of_findings(py, &parse.diagnostics, &sources));
    }
    let values = match resolve {
        true => root_values(py, text)?,
        false => ExpressionValues::default(),
    };
    let budget = Budget::new(Quota { steps: STEPS, ..Quota::DEFAULT });
    let causes = Arc::new(CauseTable::new());
    let options = BatchOptions { budget, causes: causes.clone(), ..BatchOptions::default() };
    let context = ValueContext { causes: &causes, sources: &sources };
    let reader = FileReader { py, batch: EvaluationBatch::new(options), values, context };
    reader.body(&Body::of(&parse))
}

/// Evaluates the text of a file as the only file of a root module, and returns the values of all its expressions.
fn root_values(py: Python<'_>, text: &str) -> PyResult<ExpressionValues> {
    let host = MemoryHost::new().with_file(ROOT_FILE, text);
    let answered = interruptible(py, |begun| {
        let root = OpenRoot::over(Arc::new(host), ".", "/", "{}", Vec::new(), &Quota::DEFAULT)?;
        root.with_root(LoadPurpose::Evaluate, begun, |root| {
            Ok(ExpressionValues::of(root.module()?.evaluation()))
        })
    })?;
    answered.map_err(|why| refused(py, &why))
}

/// A converter of one file's syntax tree to Python objects.
struct FileReader<'py, 'a> {
    py: Python<'py>,
    batch: EvaluationBatch,
    values: ExpressionValues,
    context: ValueContext<'a>,
}

impl<'py> FileReader<'py, '_> {
    /// Converts a body to a dictionary: arguments by name, and for each type of block a list of its blocks.
    fn body(&self, body: &Body) -> PyResult<Bound<'py, PyDict>> {
        let found = PyDict::new(self.py);
        let mut blocks: HashMap<String, Bound<'py, PyList>> = HashMap::new();
        for item in body.items() {
            match item {
                BodyItem::Argument(argument) => {
                    if let Expr::Native(expr) = &argument.expr {
                        found.set_item(&*argument.name.text, self.value(expr.view())?)?;
                    }
                }
                BodyItem::Block(block) => {
                    let mut content = self.body(&block.body)?;
                    for label in block.labels.iter().rev() {
                        let outer = PyDict::new(self.py);
                        outer.set_item(&*label.text, content)?;
                        content = outer;
                    }
                    match blocks.get(&*block.kind.text) {
                        Some(list) => list.append(content)?,
                        None => {
                            let list = PyList::new(self.py, [content])?;
                            found.set_item(&*block.kind.text, &list)?;
                            blocks.insert(block.kind.text.to_string(), list);
                        }
                    }
                }
            }
        }
        Ok(found)
    }

    /// Converts an expression to the Python object of its value, or to its source text in `${…}` if it has no known value.
    fn value(&self, expr: ExprView<'_>) -> PyResult<Bound<'py, PyAny>> {
        if let Some(value) = self.resolved(expr)? {
            return Ok(value);
        }
        match expr.case() {
            ExprCase::Number(text) => match text.parse::<i64>() {
                Ok(small) => Ok(small.into_pyobject(self.py)?.into_any()),
                Err(_) => self.evaluated_or_text(expr),
            },
            ExprCase::Template(template) => self.template(expr, template),
            ExprCase::Tuple(items) => {
                let items: Vec<_> =
                    items.into_iter().map(|item| self.value(item)).collect::<PyResult<_>>()?;
                Ok(PyList::new(self.py, items)?.into_any())
            }
            ExprCase::Object(items) => self.object(&items),
            _ if refers(expr) => Ok(self.text(expr)),
            _ => self.evaluated_or_text(expr),
        }
    }

    /// Returns the value of a string or template as a Python object, or its source text between the quotes if it cannot be
    /// evaluated.
    fn template(
        &self,
        expr: ExprView<'_>,
        template: TemplateView<'_>,
    ) -> PyResult<Bound<'py, PyAny>> {
        match template.plain() {
            Some(text) if text.is_ascii() => Ok(PyString::new(self.py, &text).into_any()),
            Some(text) => self.python(&Value::text(&*text)),
            None if refers(expr) && template.kind() == TemplateKind::Quoted => {
                let source = expr.text();
                let inner = source.strip_prefix('"').and_then(|text| text.strip_suffix('"'));
                Ok(PyString::new(self.py, inner.unwrap_or(source)).into_any())
            }
            None if refers(expr) => Ok(self.text(expr)),
            None => self.evaluated_or_text(expr),
        }
    }

    /// Converts an object expression to a dictionary, each attribute to its value or its source text.
    fn object(&self, items: &[ObjectItem<'_>]) -> PyResult<Bound<'py, PyAny>> {
        let object = PyDict::new(self.py);
        for item in items {
            let value = self.value(item.value)?;
            match item.key.case() {
                ExprCase::Root(name) => object.set_item(name, value)?,
                ExprCase::Number(digits) => object.set_item(digits, value)?,
                _ => {
                    let key = self.value(item.key)?;
                    match key.is_instance_of::<PyString>() {
                        true => object.set_item(key, value)?,
                        false => object.set_item(self.text(item.key), value)?,
                    }
                }
            }
        }
        Ok(object.into_any())
    }

    /// Returns the value of an expression when the file is loaded as a root; `None` if it has several values, or an unknown or
    /// sensitive one.
    fn resolved(&self, expr: ExprView<'_>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let place = self.values.in_file(ROOT_FILE).and_then(|file| file.get(&expr.span()));
        let Some(place) = place.filter(|place| !place.has_more) else { return Ok(None) };
        match &place.values[..] {
            [only] if only.instance.is_none() && is_plain(&only.value) => {
                self.python(&only.value).map(Some)
            }
            _ => Ok(None),
        }
    }

    /// Evaluates an expression without references; returns its source text if it fails, or is unknown or sensitive.
    fn evaluated_or_text(&self, expr: ExprView<'_>) -> PyResult<Bound<'py, PyAny>> {
        self.py.check_signals()?;
        // Between parentheses an expression may be broken into lines; a heredoc ends with one.
        let code = format!("({}\n)", expr.text());
        let EvaluatedExpression { value, findings, .. } =
            self.batch.value(&code, NamedValues::new());
        match !findings.has_errors() && is_plain(&value) {
            true => self.python(&value),
            false => Ok(self.text(expr)),
        }
    }

    /// Returns an expression as a string: its source text in `${…}`.
    fn text(&self, expr: ExprView<'_>) -> Bound<'py, PyAny> {
        PyString::new(self.py, &format!("${{{}}}", expr.text())).into_any()
    }

    /// Converts a value of the language to a Python object; an unknown in it gets its causes.
    fn python(&self, value: &Value) -> PyResult<Bound<'py, PyAny>> {
        Ok(to_python(self.py, value, &self.context)?.into_bound(self.py))
    }
}

/// Returns true if a value is wholly known and carries no mark.
fn is_plain(value: &Value) -> bool {
    value.is_wholly_known() && !value.has_marks()
}

/// Returns true if an expression refers to anything but names that it binds itself, as in a `for`.
fn refers(expr: ExprView<'_>) -> bool {
    let is_free = |name: &str| !matches!(name, "true" | "false" | "null");
    // Most references are a chain, which needs no list of names.
    let mut start = expr;
    loop {
        match start.case() {
            ExprCase::Attribute { object, .. }
            | ExprCase::Index { object, .. }
            | ExprCase::LegacyIndex { object, .. }
            | ExprCase::Splat { source: object, .. } => start = object,
            ExprCase::Root(name) if is_free(name) => return true,
            _ => break,
        }
    }
    Bindings::of(expr).uses().iter().any(|one| one.binder.is_none() && is_free(one.name))
}
