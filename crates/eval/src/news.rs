//! What an edition does not have, as far as is known. To an edition that is newer than all that are known this is no
//! error: it may have it, and what that means cannot be said here. The row of a finding says whether it is of that
//! kind; here alone is decided what becomes of it.

use std::sync::Arc;

use groma_runtime::Edition;
use groma_syntax::{Diagnostic, DiagnosticCode, Place};
use groma_value::{Causes, Type, Value};

use crate::{Cause, CauseClass, CauseTable, codes};

/// Returns true if a finding only means that an edition newer than known may differ.
pub fn is_news(code: &DiagnosticCode, edition: Edition) -> bool {
    code.may_be_new && edition.is_newer_than_known()
}

/// Returns the diagnostic for something that `edition` does not support: an error, or a note if a newer edition may.
pub fn refuse(
    code: &'static DiagnosticCode,
    detail: impl Into<String>,
    edition: Edition,
) -> Diagnostic {
    let detail = detail.into();
    if !is_news(code, edition) {
        return Diagnostic::error(code, detail);
    }
    let known = edition.known();
    let detail = format!(
        "{edition} is newer than {known}, the newest known edition, and may support what {known} does not. The result of this is unknown. For {known}: {detail}"
    );
    Diagnostic::remark(&codes::NEWER_EDITION, detail)
}

/// Returns a note about something without a meaning in the known editions, if `edition` is newer.
pub fn note(detail: impl Into<String>, edition: Edition) -> Option<Diagnostic> {
    let row = &codes::NEWER_EDITION;
    is_news(row, edition).then(|| refuse(row, detail, edition))
}

/// Returns the unknown value of something that may exist in a newer edition.
pub fn unknown(causes: &CauseTable, address: impl Into<Arc<str>>, place: Option<Place>) -> Value {
    Value::unknown_because(Type::Dynamic, because(causes, address, place))
}

/// Returns the causes of an unknown value that a newer edition may define.
pub fn because(causes: &CauseTable, address: impl Into<Arc<str>>, place: Option<Place>) -> Causes {
    let cause =
        Cause { class: CauseClass::Offline, kind: "newer-edition", address: address.into(), place };
    Causes::one(causes.intern(cause))
}
