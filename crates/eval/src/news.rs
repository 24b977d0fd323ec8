//! Constructs that no known edition has. In an edition that is newer than all known ones they are not errors, because it may
//! have them; their result is unknown. The row of a diagnostic code says whether it can be of that kind; the decision is made
//! here alone.

use groma_runtime::Edition;
use groma_syntax::{Diagnostic, DiagnosticCode, Place};
use groma_value::{Causes, Type, Value};

use crate::{Cause, CauseAddress, CauseClass, CauseTable, codes};

/// Returns true if a diagnostic is not an error in `edition`, because the edition is newer than the known editions and may
/// support what the diagnostic reports.
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

/// Returns a note that `edition`, if newer than the known editions, may support something that they do not; otherwise `None`.
pub fn note(detail: impl Into<String>, edition: Edition) -> Option<Diagnostic> {
    let row = &codes::NEWER_EDITION;
    is_news(row, edition).then(|| refuse(row, detail, edition))
}

/// Returns a dynamic unknown for something that may exist in a newer edition; its address and place are the cause, which is added
/// to the table `causes`.
pub fn unknown(causes: &CauseTable, address: CauseAddress, place: Option<Place>) -> Value {
    Value::unknown_because(Type::Dynamic, because(causes, address, place))
}

/// Returns the cause of an unknown value that a newer edition may define, with the address and the place of the value; it is
/// added to the table `causes`.
pub fn because(causes: &CauseTable, address: CauseAddress, place: Option<Place>) -> Causes {
    let cause = Cause { class: CauseClass::Offline, kind: "newer-edition", address, place };
    Causes::one(causes.intern(cause))
}
