//! Everything that an evaluation of a template could not cover: data sources and functions that were not called. Arguments of
//! plugin components are not validated, but that is no gap: they are shown as written.

use std::collections::BTreeSet;
use std::sync::PoisonError;

use groma_config::{
    Incompleteness, InstanceAddress, InstanceKey, ModuleAddress, ResourceMode, ResourceTarget,
    UnaskedFunction, UnreadData,
};
use groma_eval::CauseClass;
use groma_value::{CauseId, Value};

use super::{SettledCell, TemplateEvaluation};
use crate::build::Build;
use crate::declare::DataBlock;

impl TemplateEvaluation {
    /// Lists what could not be evaluated in the declarations and the given builds, such as data that is not read.
    pub fn gaps(&self, builds: &[Build]) -> Incompleteness {
        let world = &self.world;
        let mut causes = BTreeSet::new();
        let settled =
            world.locals.iter().chain(&world.data).filter_map(|cell| match cell.get()? {
                SettledCell::Value(value) => Some(value),
                SettledCell::Failed => None,
            });
        for value in world.variables.iter().filter_map(|cell| cell.get()).chain(settled) {
            add_causes(value, &mut causes);
        }
        for (_, part) in builds.iter().flat_map(Build::parts) {
            for value in part.config.iter().map(|(_, value)| value).chain(&part.overrides) {
                add_causes(value, &mut causes);
            }
        }
        let functions: BTreeSet<UnaskedFunction> = causes
            .iter()
            .filter_map(|id| world.causes.get(*id))
            .filter(|cause| cause.class == CauseClass::Offline && cause.kind == "function")
            .map(|cause| UnaskedFunction { name: cause.address.text().clone(), place: cause.place })
            .collect();
        let unread = world.unread.lock().unwrap_or_else(PoisonError::into_inner);
        let data = unread.iter().map(|at| &world.template.data[*at]);
        Incompleteness {
            data: data
                .map(|data| UnreadData { address: instance(data), place: data.place })
                .collect(),
            functions: functions.into_iter().collect(),
            ..Incompleteness::default()
        }
    }
}

/// Returns the address of a data block, in the type for addresses of resource instances that reports use: in the root module,
/// without a key.
fn instance(data: &DataBlock) -> InstanceAddress {
    let (kind, name) = (data.kind.clone(), data.name.clone());
    let own = ResourceTarget { mode: ResourceMode::Data, kind, name, key: InstanceKey::None };
    InstanceAddress::new(ModuleAddress::ROOT, own)
}

/// Adds the causes of all unknown parts of a value to `causes`.
fn add_causes(value: &Value, causes: &mut BTreeSet<CauseId>) {
    if !value.is_wholly_known() {
        causes.extend(value.deep_causes().ids());
    }
}
