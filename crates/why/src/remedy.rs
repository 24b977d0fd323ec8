//! Remedies for unknown values: for each cause the flag that would make the value known, if there is one.

use groma_config::{DeclarationAddress, DeclarationName};
use groma_eval::{Cause, CauseClass, CauseTable};
use groma_value::Value;

/// The address of a cause of an unknown value, and the flag or edit that would make the value known.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CauseRemedy {
    /// The address of the cause.
    pub address: String,
    /// The arguments of the command line that make the value known, or a sentence if none does.
    pub how: String,
}

/// Returns the flags or edits that would make the unknown parts of a value known, one for each cause, in the order of the causes.
pub fn remedies(value: &Value, causes: &CauseTable) -> Vec<CauseRemedy> {
    let mut found: Vec<CauseRemedy> = Vec::new();
    if value.is_wholly_known() {
        return found;
    }
    for id in value.deep_causes().ids() {
        let Some(cause) = causes.get(*id) else { continue };
        let remedy = CauseRemedy { address: cause.address.to_string(), how: how(&cause) };
        if !found.contains(&remedy) {
            found.push(remedy);
        }
    }
    found
}

/// Returns the flag or edit that makes values with this cause known, or a phrase that says why none does.
fn how(cause: &Cause) -> String {
    let function = cause.address.function_name();
    match (cause.class, cause.kind) {
        (CauseClass::Offline, "variable") => {
            let name = cause.address.declaration().map(DeclarationAddress::name);
            match name {
                Some(DeclarationName::Variable(name)) => format!("-var '{}=VALUE'", &**name),
                _ => "-var NAME=VALUE".to_owned(),
            }
        }
        (_, "mock") => "add this value to the mock for it".to_owned(),
        (CauseClass::Offline, "data") => "--mock FILE, with the data that is read".to_owned(),
        (CauseClass::Offline, "resource") => "--schema FILE, with the provider's schema".to_owned(),
        (CauseClass::Offline, "default") => "--mock FILE, or set it in the code".to_owned(),
        (CauseClass::Offline, "module") => {
            "--module SOURCE=DIR, with the module's source".to_owned()
        }
        (CauseClass::Offline, "function") if function == Some("plantimestamp") => {
            "--now TIME".to_owned()
        }
        (CauseClass::Offline, _) => "--mock FILE".to_owned(),
        (CauseClass::Pending, "function") if function == Some("timestamp") => {
            "--now TIME".to_owned()
        }
        (CauseClass::Pending, "function") => "--seed N, or --mock FILE".to_owned(),
        (CauseClass::Pending, "source" | "build") => "it is known while it is built".to_owned(),
        (CauseClass::Pending, _) => "it is known after apply".to_owned(),
        (CauseClass::Mocked, _) => "it depends on a mock".to_owned(),
    }
}
