//! The interface to the program that runs a server: the hosts of roots and how each is loaded. The command reads a disk and
//! `groma.toml`; a browser has its own files.

use std::sync::Arc;

use groma::{Budget, Host, LoadOptions, RunOptions, rules::RuleSwitches};

use crate::project_settings::{ReadSchemas, RootSettings};
use crate::settings::ClientSettings;

/// The program that runs a server, as its source of files and settings.
pub trait ServerHost: Send + Sync {
    /// Returns the host and options with which the root in a folder is loaded.
    fn root(&self, dir: &str, settings: &ClientSettings) -> RootSetup;

    /// Returns the host for files below a folder that the client has opened.
    fn folder(&self, dir: &str, settings: &ClientSettings) -> Arc<dyn Host>;
}

/// A function that watches the time of a run and ends its budget when the time is over; dropping its result stops the watch.
pub type RunClock = Arc<dyn Fn(&Budget) -> Box<dyn Send> + Send + Sync>;

/// The host and options with which a root is loaded.
#[derive(Clone)]
pub struct RootSetup {
    /// A key of the host and its bounds: roots with equal keys share their texts.
    pub space: String,
    /// The host that reads the files.
    pub host: Arc<dyn Host>,
    /// The options of a load.
    pub load: LoadOptions,
    /// Creates the run options of an evaluation, each with a new budget.
    pub run: Arc<dyn Fn() -> RunOptions + Send + Sync>,
    /// The clock over a check; `None` if a check may take any time.
    pub clock: Option<RunClock>,
    /// The lint rules; `None` if they are disabled.
    pub rules: Option<RuleSwitches>,
    /// Remarks for the user about settings.
    pub remarks: Vec<String>,
}

/// A server host for programs without a command line: it loads every root from one file host, with the settings files in its
/// folders.
pub struct PlainHost {
    host: Arc<dyn Host>,
    schemas: ReadSchemas,
}

impl PlainHost {
    /// Creates a server host that loads every root from one file host, for programs without a command line.
    pub fn new(host: Arc<dyn Host>) -> PlainHost {
        PlainHost { host, schemas: ReadSchemas::default() }
    }
}

impl ServerHost for PlainHost {
    fn root(&self, dir: &str, settings: &ClientSettings) -> RootSetup {
        let RootSettings { mut load, assignments, quota, rules, lints, remarks, .. } =
            RootSettings::read(dir, &*self.host, &self.schemas, settings);
        // Everything in the host may be read, so modules beside a root are found.
        load.root = dir.split_inclusive('/').next().map(str::to_owned);
        RootSetup {
            space: String::new(),
            host: self.host.clone(),
            load,
            run: Arc::new(move || RunOptions {
                assignments: assignments.clone(),
                budget: Budget::new(quota),
                ..RunOptions::default()
            }),
            clock: None,
            rules: lints.then_some(rules),
            remarks,
        }
    }

    fn folder(&self, _: &str, _: &ClientSettings) -> Arc<dyn Host> {
        self.host.clone()
    }
}
