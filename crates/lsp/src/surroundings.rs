//! What a server needs from the program that it runs in: the hosts of roots, and how each is read. The command reads a disk and
//! `groma.toml`; a browser has files of its own.

use std::sync::Arc;

use groma::{Host, LoadOptions, RunOptions, rules::RuleSwitches};

use crate::settings::ClientSettings;

/// The program around a server.
pub trait ServerHost: Send + Sync {
    /// Returns how the root in a folder is read, with what the client has set.
    fn root(&self, dir: &str, settings: &ClientSettings) -> RootSetup;

    /// The host for files below a folder that the client has opened.
    fn folder(&self, dir: &str, settings: &ClientSettings) -> Arc<dyn Host>;
}

/// How a root is read.
#[derive(Clone)]
pub struct RootSetup {
    /// The name of what is read: roots with the same one share their texts.
    pub space: String,
    /// The host.
    pub host: Arc<dyn Host>,
    /// The options of a load.
    pub load: LoadOptions,
    /// The options of a run, each with a budget of its own.
    pub run: Arc<dyn Fn() -> RunOptions + Send + Sync>,
    /// The rules; nothing if they are switched off.
    pub rules: Option<RuleSwitches>,
    /// Sentences for the user: what is wrong with the settings, and what was not read.
    pub remarks: Vec<String>,
}

/// A program that has nothing but a host, which every root is read from.
pub struct PlainHost(Arc<dyn Host>);

impl PlainHost {
    /// A program with one host.
    pub fn new(host: Arc<dyn Host>) -> PlainHost {
        PlainHost(host)
    }
}

impl ServerHost for PlainHost {
    fn root(&self, dir: &str, settings: &ClientSettings) -> RootSetup {
        let mut remarks = Vec::new();
        let mut load = settings.load_options(dir, &*self.0, &mut remarks);
        // What the host has may be read, so that modules beside a root are found.
        load.root = dir.split_inclusive('/').next().map(str::to_owned);
        RootSetup {
            space: String::new(),
            host: self.0.clone(),
            load,
            run: Arc::new(RunOptions::default),
            rules: Some(RuleSwitches::default()),
            remarks,
        }
    }

    fn folder(&self, _: &str, _: &ClientSettings) -> Arc<dyn Host> {
        self.0.clone()
    }
}
