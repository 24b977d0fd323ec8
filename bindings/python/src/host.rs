//! A host whose files a Python object reads. The object has `read(path)`, which returns text or bytes, and `list(path)`, which
//! returns the names in a folder, those of folders with a slash at their end; a missing one is a `FileNotFoundError`. Any other
//! exception is kept, and is the cause of the error that the caller gets.

use std::sync::{Arc, Mutex, PoisonError};

use groma::Host;
use groma::hosts::{DirEntry, EntryKind, HostError, file_path};
use pyo3::exceptions::{PyFileNotFoundError, PyNotADirectoryError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};

/// The first exception that a host implemented in Python has raised; `None` so far.
pub(crate) type RaisedError = Arc<Mutex<Option<PyErr>>>;

/// The engine's access to files through a Python object that implements it.
pub(crate) struct PythonHost {
    object: Py<PyAny>,
    raised: RaisedError,
}

impl PythonHost {
    /// Creates a host over a Python object, and a slot for the first exception that the object raises.
    pub(crate) fn new(object: Py<PyAny>) -> (PythonHost, RaisedError) {
        let raised = RaisedError::default();
        (PythonHost { object, raised: raised.clone() }, raised)
    }

    /// Converts a Python exception to a host error: a missing file is absent, and the first other exception is kept.
    fn failed(&self, py: Python<'_>, error: PyErr) -> HostError {
        let is_missing = error.is_instance_of::<PyFileNotFoundError>(py)
            || error.is_instance_of::<PyNotADirectoryError>(py);
        if is_missing {
            return HostError::Absent;
        }
        let text = error.to_string();
        self.raised.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
        HostError::Failed(text)
    }

    /// Converts a path to the form that the Python object receives: relative to the top of its files, `.` for the top.
    fn path(path: &str) -> String {
        let path = file_path::clean(path);
        match path.trim_start_matches('/') {
            "" => ".".to_owned(),
            path => path.to_owned(),
        }
    }

    /// Returns the names of the entries of a directory.
    fn names(&self, dir: &str) -> Result<Vec<String>, HostError> {
        Python::attach(|py| {
            let names = || -> PyResult<Vec<String>> {
                let listed = self.object.bind(py).call_method1("list", (dir,))?;
                listed.try_iter()?.map(|name| name?.extract()).collect()
            };
            names().map_err(|error| self.failed(py, error))
        })
    }
}

impl Host for PythonHost {
    fn read(&self, path: &str) -> Result<Vec<u8>, HostError> {
        let path = PythonHost::path(path);
        Python::attach(|py| {
            let read = || -> PyResult<Vec<u8>> {
                let read = self.object.bind(py).call_method1("read", (&*path,))?;
                match read.cast::<PyString>() {
                    Ok(text) => Ok(text.to_cow()?.as_bytes().to_vec()),
                    Err(_) => Ok(read.cast::<PyBytes>()?.as_bytes().to_vec()),
                }
            };
            read().map_err(|error| self.failed(py, error))
        })
    }

    fn length(&self, path: &str) -> Result<u64, HostError> {
        self.kind(path).map(|_| 0)
    }

    fn list(&self, dir: &str) -> Result<Vec<DirEntry>, HostError> {
        let names = self.names(&PythonHost::path(dir))?;
        let entry = |name: String| match name.strip_suffix('/') {
            Some(name) => DirEntry { name: name.to_owned(), kind: EntryKind::Directory },
            None => DirEntry { name, kind: EntryKind::File },
        };
        Ok(names.into_iter().map(entry).collect())
    }

    fn canonical(&self, path: &str) -> Result<String, HostError> {
        let path = file_path::clean(path);
        Ok(match path.as_str() {
            "." => "/".to_owned(),
            _ if path.starts_with('/') => path,
            _ => format!("/{path}"),
        })
    }

    fn kind(&self, path: &str) -> Result<EntryKind, HostError> {
        let path = PythonHost::path(path);
        if path == "." {
            return Ok(EntryKind::Directory);
        }
        let entries = self.list(&file_path::parent(&path))?;
        let name = file_path::last(&path);
        let found = entries.into_iter().find(|entry| entry.name == name);
        found.map(|entry| entry.kind).ok_or(HostError::Absent)
    }

    fn check_code_access(&self, _path: &str) -> Result<(), HostError> {
        Ok(())
    }

    fn hides_environment(&self) -> bool {
        true
    }

    fn env(&self, _name: &str) -> Option<String> {
        None
    }

    fn env_names(&self) -> Vec<String> {
        Vec::new()
    }

    fn current_dir(&self) -> String {
        "/".to_owned()
    }

    fn home(&self) -> Option<String> {
        None
    }
}
