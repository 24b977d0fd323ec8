//! The Python module `groma._groma`: the part of the package that needs the engine. Everything else (tables, files of many roots,
//! Ray) is written in Python and lives beside it. Every error of the engine becomes a Python exception, even a panic; the
//! interpreter is never ended.

mod command;
mod error;
mod file;
mod host;
mod interrupt;
mod objects;
mod root;
mod value;

use pyo3::prelude::*;

#[pymodule(gil_used = false)]
mod _groma {
    #[pymodule_export]
    use super::command::main;
    #[pymodule_export]
    use super::error::Error;
    #[pymodule_export]
    use super::file::loads;
    #[pymodule_export]
    use super::objects::from_json;
    #[pymodule_export]
    use super::root::{Root, evaluate};
    #[pymodule_export]
    use super::value::{Sensitive, Unknown};
}
