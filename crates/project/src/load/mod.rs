//! Loading of a project from a directory: files, inputs, the module tree, the graph. Module sources may be computed; they are
//! evaluated in a partial project of the modules known so far.

mod absent;
mod complete;
mod encryption;
mod inputs;
mod judge;
mod link;
mod module_inputs;
mod partial;
mod phases;
mod repeated;
mod secret;
mod setting;
mod surroundings;
mod unfit;

use std::sync::Arc;

use groma_module::SharedModules;
use groma_runtime::Host;
use groma_syntax::Diagnostics;
use groma_value::Str;

use crate::load_findings::DecisiveInputs;
use crate::options::ProjectOptions;
use crate::project::Project;
use complete::complete;
use partial::PartialProject;
use phases::ProjectLoad;

pub use absent::AbsentSource;
pub(crate) use complete::as_note;
pub use phases::LoadCache;

impl Project {
    /// Loads the project in `dir`. Diagnostics go to `out`; everything readable is loaded.
    pub fn load(
        dir: &str,
        options: &ProjectOptions,
        host: Arc<dyn Host>,
        out: &mut Diagnostics,
    ) -> Arc<Project> {
        load(dir, options, host, None, None, out)
    }

    /// Loads the project in `dir`, taking modules from `shared`, which holds those that were read for several projects.
    pub fn load_sharing(
        dir: &str,
        options: &ProjectOptions,
        host: Arc<dyn Host>,
        shared: &SharedModules,
        out: &mut Diagnostics,
    ) -> Arc<Project> {
        load(dir, options, host, None, Some(shared), out)
    }

    /// Loads the project in `dir` again: unchanged parts are taken from `kept`, which is updated for the next load. Dialect and
    /// schemas must be the same as before.
    pub fn load_again(
        dir: &str,
        options: &ProjectOptions,
        host: Arc<dyn Host>,
        kept: &mut LoadCache,
        out: &mut Diagnostics,
    ) -> Arc<Project> {
        load(dir, options, host, Some(kept), None, out)
    }
}

/// Loads a project with what an earlier load left in `kept` or several roots share; if the version of a provider's schemas
/// contradicts a requirement, loads it again without these schemas.
fn load(
    dir: &str,
    options: &ProjectOptions,
    host: Arc<dyn Host>,
    kept: Option<&mut LoadCache>,
    shared: Option<&SharedModules>,
    out: &mut Diagnostics,
) -> Arc<Project> {
    let before = out.len();
    let project = load_by(dir, options, host.clone(), (kept, shared), out);
    if project.unfit.is_empty() {
        return project;
    }
    out.truncate(before);
    let left_out = project.unfit.iter().map(|one| Str::from(one.provider.as_str()));
    let mut options = options.clone();
    options.load.schemas = options.load.schemas.without(left_out);
    load_by(dir, &options, host, (None, shared), out)
}

/// Loads the project in `dir` with exactly the schemas in the options, even if some do not fit; `kept` holds what an earlier load
/// left, `shared` the modules that several roots share.
fn load_by(
    dir: &str,
    options: &ProjectOptions,
    host: Arc<dyn Host>,
    (kept, shared): (Option<&mut LoadCache>, Option<&SharedModules>),
    out: &mut Diagnostics,
) -> Arc<Project> {
    let mut load = ProjectLoad::begin(dir, options, host, (kept, shared));
    let root = load.read_root();
    let given = load.collect_inputs(&root);
    load.check_backends(&root);
    let around = load.read_surroundings();
    let partial = PartialProject::of(&load, &around, &given.values);
    let (nodes, elsewhere) = load.link(root.clone(), &around, &given, &partial);
    let (names, is_well) = (partial.decisive_names(&root), !load.found.linked.has_errors());
    let decisive = DecisiveInputs::of(names, &given.values, is_well);
    load.withhold_mocks(&around, &nodes);
    let (code, sources) = load.finish(around, (nodes, elsewhere), decisive);
    complete(code, &sources, given, &options.run, out)
}
