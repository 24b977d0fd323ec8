//! What the command line gives a project beside its code: schemas of providers, values for variables, and where modules
//! lie. Schemas are read once for all roots of a run.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use groma::{Assignment, Host, Mapping, Schemas};

use crate::flag::{Args, GivenFlag, ModuleAt};
use crate::host::OsHost;
use crate::session::Stop;
use crate::settings;

/// The schemas of files that several roots name, each read once.
#[derive(Default)]
pub(crate) struct ReadSchemas(Mutex<BTreeMap<String, Schemas>>);

/// The schemas that the command line names, or those that lie beside the module.
pub(crate) fn schemas(
    args: &Args,
    directory: &str,
    read: &ReadSchemas,
    host: &OsHost,
) -> Result<Schemas, Stop> {
    match &args.schema {
        Some(file) => {
            let mut read = read.0.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some(schemas) = read.get(file) {
                return Ok(schemas.clone());
            }
            let schemas = Schemas::load(host, file)
                .map_err(|why| Stop::Misuse(format!("--schema={file}: {why}.")))?;
            read.insert(file.clone(), schemas.clone());
            Ok(schemas)
        }
        // What lies beside a stranger's code is a stranger's too.
        None if host.hides_environment() => Ok(Schemas::default()),
        None => Schemas::cached(host, directory).map_err(|why| Stop::Misuse(format!("{why}."))),
    }
}

pub(crate) fn mapping(at: &ModuleAt) -> Mapping {
    let origin = if at.by_flag { "--module" } else { settings::FILE };
    Mapping { source: at.source.clone(), dir: at.dir.clone(), origin: origin.to_owned() }
}

pub(crate) fn assignment(given: &GivenFlag) -> Assignment {
    match given {
        GivenFlag::Var { name, text } => {
            Assignment::Variable { name: name.clone(), text: text.clone() }
        }
        GivenFlag::File(path) => Assignment::File(path.clone()),
    }
}
