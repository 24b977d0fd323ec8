//! Causes of unknown values as short texts. A value contains only ids; the table of its evaluation resolves them, so each side of
//! a review has its own table.

use std::cell::RefCell;
use std::fmt;
use std::sync::Arc;

use groma_eval::{CauseClass, CauseTable};
use groma_project::Evaluation;
use groma_protocol::place_text;
use groma_syntax::Sources;
use groma_value::{CauseId, Value};
use rustc_hash::FxHashMap;

/// The causes of the unknown values of one evaluation, by id, with the sources in which their places are.
#[derive(Clone, Default, Debug)]
pub struct UnknownReasons {
    causes: Arc<CauseTable>,
    sources: Sources,
}

/// The texts that describe the cause of an unknown value: kind, address and place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CauseText {
    /// The class of the cause.
    pub class: CauseClass,
    /// The kind of its origin: `data`, `variable`, `default`.
    pub kind: &'static str,
    /// The address of its origin: `data.aws_availability_zones.available`.
    pub address: Arc<str>,
    /// The place of its origin: `main.tf:5`.
    pub place: Option<String>,
}

impl UnknownReasons {
    /// Returns the causes of the unknown values in an evaluation.
    pub fn of(evaluation: &Evaluation) -> UnknownReasons {
        UnknownReasons { causes: evaluation.causes().clone(), sources: evaluation.sources() }
    }

    /// Returns the display text of a cause; `None` for an id of another evaluation.
    pub fn cause_text(&self, id: CauseId) -> Option<CauseText> {
        let cause = self.causes.get(id)?;
        let place = cause.place.map(|place| place_text(place, &self.sources));
        Some(CauseText {
            class: cause.class,
            kind: cause.kind,
            address: cause.address.text().clone(),
            place,
        })
    }
}

/// Test whether values are unknown only because they are defaults of the provider, with a cache of causes.
pub(crate) struct ProviderDefaults<'r> {
    reasons: &'r UnknownReasons,
    /// The resource whose default each cause is, without instance keys.
    known: RefCell<FxHashMap<CauseId, Option<Arc<str>>>>,
}

impl ProviderDefaults<'_> {
    /// Creates the test whether values are unknown only because the provider chooses them, with the causes that `reasons` knows.
    pub(crate) fn of(reasons: &UnknownReasons) -> ProviderDefaults<'_> {
        ProviderDefaults { reasons, known: RefCell::default() }
    }

    /// Returns true if a value is unknown only because the provider chooses its default; `own` is the address of the object,
    /// without instance keys.
    pub(crate) fn is_default(&self, value: &Value, own: &str) -> bool {
        let Value::Unknown(unknown) = value.bare() else { return false };
        let mut known = self.known.borrow_mut();
        let mut is_own = |id: &CauseId| {
            let whose = known.entry(*id).or_insert_with(|| {
                let told = self.reasons.cause_text(*id).filter(|because| because.kind == "default");
                told.map(|because| because.address)
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
