//! What an evaluation of a template could not look at: data and functions that nobody asked. What a plugin's component
//! takes is not checked, and yet nothing is missing of it: it is shown as it is written.

use std::collections::BTreeSet;
use std::sync::PoisonError;

use groma_eval::Class;
use groma_folder::{Gaps, Unasked};
use groma_value::{CauseId, Value};

use super::{Evaluation, Settled};
use crate::build::Build;

impl Evaluation {
    /// What could not be looked at for the declarations and for these builds.
    pub fn gaps(&self, builds: &[Build]) -> Gaps {
        let world = &self.world;
        let mut causes = BTreeSet::new();
        let settled =
            world.locals.iter().chain(&world.data).filter_map(|cell| match cell.get()? {
                Settled::Value(value) => Some(value),
                Settled::Failed => None,
            });
        for value in world.variables.iter().filter_map(|cell| cell.get()).chain(settled) {
            take(value, &mut causes);
        }
        for (_, part) in builds.iter().flat_map(Build::parts) {
            for value in part.config.iter().map(|(_, value)| value).chain(&part.overrides) {
                take(value, &mut causes);
            }
        }
        let functions: BTreeSet<Unasked> = causes
            .iter()
            .filter_map(|id| world.causes.get(*id))
            .filter(|cause| cause.class == Class::Offline && cause.kind == "function")
            .map(|cause| Unasked { address: cause.address.to_string(), place: cause.place })
            .collect();
        let unread = world.unread.lock().unwrap_or_else(PoisonError::into_inner);
        let data = unread.iter().map(|at| &world.template.data[*at]);
        Gaps {
            data: data
                .map(|data| Unasked { address: data.address(), place: Some(data.place) })
                .collect(),
            functions: functions.into_iter().collect(),
            ..Gaps::default()
        }
    }
}

fn take(value: &Value, causes: &mut BTreeSet<CauseId>) {
    if !value.is_wholly_known() {
        causes.extend(value.deep_causes().ids());
    }
}
