//! Why something is unknown, in the few words that fit behind a value. A value carries ids only; the table of the
//! evaluation that it comes from says what they mean, so each side of a review has its own.

use std::cell::RefCell;
use std::fmt;
use std::sync::Arc;

use groma_config::without_keys;
use groma_eval::{CauseClass, CauseTable};
use groma_project::Evaluation;
use groma_protocol::place_text;
use groma_syntax::Sources;
use groma_value::{CauseId, Value};
use rustc_hash::FxHashMap;

/// The reasons of the unknowns of one evaluation.
#[derive(Clone, Default, Debug)]
pub struct UnknownReasons {
    causes: Arc<CauseTable>,
    sources: Sources,
}

/// The display text of a cause.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CauseText {
    /// The class.
    pub class: CauseClass,
    /// The kind of thing: `data`, `variable`, `default`.
    pub kind: &'static str,
    /// The address: `data.aws_availability_zones.available`.
    pub address: Arc<str>,
    /// The place where it is written: `main.tf:5`.
    pub place: Option<String>,
}

impl UnknownReasons {
    /// Returns what explains the unknowns of an evaluation.
    pub fn of(evaluation: &Evaluation) -> UnknownReasons {
        UnknownReasons { causes: evaluation.causes().clone(), sources: evaluation.sources() }
    }

    /// Returns what a cause stands for.
    pub fn told(&self, id: CauseId) -> Option<CauseText> {
        let cause = self.causes.get(id)?;
        let place = cause.place.map(|place| place_text(place, &self.sources));
        Some(CauseText { class: cause.class, kind: cause.kind, address: cause.address, place })
    }
}

/// Recognizes unknown values that are only defaults of an object's provider.
pub(crate) struct ProviderDefaults<'r> {
    reasons: &'r UnknownReasons,
    /// The resource whose default a cause is, without the keys of instances.
    known: RefCell<FxHashMap<CauseId, Option<String>>>,
}

impl ProviderDefaults<'_> {
    pub(crate) fn of(reasons: &UnknownReasons) -> ProviderDefaults<'_> {
        ProviderDefaults { reasons, known: RefCell::default() }
    }

    /// Returns true if a value is nothing but a default of the object with this address, which is without keys.
    pub(crate) fn is_left(&self, value: &Value, own: &str) -> bool {
        let Value::Unknown(unknown) = value.bare() else { return false };
        let mut known = self.known.borrow_mut();
        let mut is_own = |id: &CauseId| {
            let whose = known.entry(*id).or_insert_with(|| {
                let told = self.reasons.told(*id).filter(|because| because.kind == "default");
                told.map(|because| without_keys(&because.address))
            });
            whose.as_deref() == Some(own)
        };
        let ids = unknown.causes.ids();
        !ids.is_empty() && ids.iter().all(&mut is_own)
    }
}

impl fmt::Display for CauseText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.address)?;
        match &self.place {
            Some(place) => write!(f, ", {place}"),
            None => Ok(()),
        }
    }
}
