//! What the command line gives a project beside its code: schemas of providers, values for variables, where modules lie,
//! and what a plan is asked for. Schemas are read once for all roots of a run.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use groma::{Assignment, Goal, Host, Mapping, PlanOptions, Schemas, StateFile};

use crate::flag::{Args, GivenFlag, ModuleAt};
use crate::host::OsHost;
use crate::session::Stop;
use crate::{input, settings};

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

/// What a plan is asked for.
pub(crate) fn asked(args: &Args) -> Result<PlanOptions, Stop> {
    let against = |one: &str, other: &str| {
        Err(Stop::Misuse(format!("{one} and {other} do not go together: give one of them.")))
    };
    if args.destroy && args.refresh_only {
        return against("-destroy", "-refresh-only");
    }
    if args.no_refresh && args.refresh_only {
        return against("-refresh=false", "-refresh-only");
    }
    if !args.replaces.is_empty() && (args.destroy || args.refresh_only) {
        return against("-replace", if args.destroy { "-destroy" } else { "-refresh-only" });
    }
    if !args.invokes.is_empty() {
        let other = [
            (args.destroy, "-destroy"),
            (!args.replaces.is_empty(), "-replace"),
            (!args.excludes.is_empty(), "-exclude"),
        ];
        if let Some((_, other)) = other.iter().find(|(is_given, _)| *is_given) {
            return against("-invoke", other);
        }
    }
    if !args.excludes.is_empty() && !args.targets.is_empty() {
        return against("-target", "-exclude");
    }
    if args.state.is_some() && args.no_state {
        return against("-state", "--no-state");
    }
    Ok(PlanOptions {
        held: std::sync::Arc::default(),
        goal: match (args.destroy, args.refresh_only) {
            (true, _) => Goal::Destroy,
            (_, true) => Goal::Refresh,
            // What is there is all that an action can be told of.
            _ if !args.invokes.is_empty() => Goal::Refresh,
            _ => Goal::Change,
        },
        refreshes: !args.no_refresh,
        targets: args.targets.clone(),
        excludes: args.excludes.clone(),
        replaces: args.replaces.clone(),
        invokes: args.invokes.first().cloned(),
        state: match (&args.state, &args.state_text) {
            _ if args.no_state => StateFile::Nowhere,
            (_, Some(text)) => StateFile::Text(input::NAME, text.clone()),
            (Some(file), _) if !file.is_empty() => StateFile::At(file.clone()),
            _ => StateFile::Usual,
        },
    })
}
