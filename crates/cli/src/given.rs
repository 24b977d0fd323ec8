//! Conversion of command line arguments into the library's options: provider schemas, variable values, module folders and plan
//! options. Schemas are read once for all roots of a run.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use groma::disk::DiskHost;
use groma::{
    Host, InputAssignment, PlanOptions, plans::PlanGoal, projects::SourceMapping,
    schemas::ProviderSchemas, states::StateFile,
};

#[cfg(feature = "git")]
use groma::{
    folders::{HostReading, data_dir},
    hosts::file_path,
    schemas::CACHED,
};

use crate::flag::{CommandArgs, GivenFlag, ModuleReplacement};
use crate::session::EarlyStop;
use crate::{input, settings};

/// Cache of provider schemas by file, shared by the roots of a run.
#[derive(Default)]
pub(crate) struct ReadSchemas {
    by_file: Mutex<BTreeMap<String, ProviderSchemas>>,
    #[cfg(feature = "git")]
    readings: Mutex<BTreeMap<String, HostReading>>,
}

#[cfg(feature = "git")]
impl ReadSchemas {
    /// Returns the records of the files with a root's provider schemas, by which a later run detects changes of them: that of
    /// `--schema`, or those in the root's data folder.
    pub(crate) fn readings(
        &self,
        args: &CommandArgs,
        directory: &str,
        host: &dyn Host,
    ) -> Vec<HostReading> {
        match &args.schema {
            Some(file) => {
                let mut known = self.readings.lock().unwrap_or_else(PoisonError::into_inner);
                let read = known.entry(file.clone());
                vec![read.or_insert_with(|| HostReading::of_file(host, file)).clone()]
            }
            None => {
                let dir = data_dir(host, directory);
                let files = CACHED.iter().map(|name| file_path::join(&dir, name));
                files.map(|file| HostReading::of_file(host, &file)).collect()
            }
        }
    }
}

/// Returns the provider schemas of the `--schema` file, or without that flag those in the module's data folder; none for
/// untrusted code.
pub(crate) fn schemas(
    args: &CommandArgs,
    directory: &str,
    read: &ReadSchemas,
    host: &DiskHost,
) -> Result<ProviderSchemas, EarlyStop> {
    match &args.schema {
        Some(file) => {
            let mut read = read.by_file.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some(schemas) = read.get(file) {
                return Ok(schemas.clone());
            }
            let schemas = ProviderSchemas::load(host, file)
                .map_err(|why| EarlyStop::Misuse(format!("--schema={file}: {why}.")))?;
            read.insert(file.clone(), schemas.clone());
            Ok(schemas)
        }
        // Schemas in the folder of untrusted code are untrusted too.
        None if host.hides_environment() => Ok(ProviderSchemas::default()),
        None => ProviderSchemas::cached(host, directory)
            .map_err(|why| EarlyStop::Misuse(format!("{why}."))),
    }
}

/// Converts the local folder of a module source, from a flag or a settings file, into the load option that replaces the source.
pub(crate) fn mapping(at: &ModuleReplacement) -> SourceMapping {
    let origin = if at.by_flag { "--module" } else { settings::FILE };
    SourceMapping { source: at.source.clone(), dir: at.dir.clone(), origin: origin.to_owned() }
}

/// Converts a `-var` or `-var-file` flag to the load option that sets variables.
pub(crate) fn assignment(given: &GivenFlag) -> InputAssignment {
    match given {
        GivenFlag::Var { name, text } => {
            InputAssignment::Variable { name: name.clone(), text: text.clone() }
        }
        GivenFlag::File(path) => InputAssignment::File(path.clone()),
    }
}

/// Returns the plan options of the command line; flags that exclude each other are an error.
pub(crate) fn plan_options(args: &CommandArgs) -> Result<PlanOptions, EarlyStop> {
    let against = |one: &str, other: &str| {
        Err(EarlyStop::Misuse(format!("{one} and {other} cannot be used together.")))
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
            (true, _) => PlanGoal::Destroy,
            (_, true) => PlanGoal::Refresh,
            // An action runs on the existing objects, without any changes.
            _ if !args.invokes.is_empty() => PlanGoal::Refresh,
            _ => PlanGoal::Change,
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
