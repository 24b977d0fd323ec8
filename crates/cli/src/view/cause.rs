//! Explains causes of unknown values in sentences. A value contains only cause ids, which the evaluation's table resolves.

use groma::json::{ResultContext, listing};
use groma::values::sentence::redacted;
use groma::{
    Type, Unknown, Value,
    causes::{Cause, CauseClass},
    json,
    values::{Causes, Str, print},
};
use groma_syntax::{Diagnostic, Place};

/// Explainer of unknown values: it writes sentences about their causes, found in the evaluation's table.
pub(crate) struct CauseReasons<'a>(pub ResultContext<'a>);

impl CauseReasons<'_> {
    /// Returns the causes of an unknown value, looked up in the evaluation's table.
    fn causes(&self, causes: &Causes) -> Vec<Cause> {
        causes.ids().iter().filter_map(|id| self.0.causes.get(*id)).collect()
    }

    /// Returns one line for each unknown part of a value and, indented below it, one line for each of its causes.
    pub(crate) fn lines(&self, value: &Value) -> Vec<String> {
        let mut lines = Vec::new();
        let value = &redacted(value);
        for_each_unknown(value, &mut String::new(), &mut |path, unknown| {
            let what = if path.is_empty() { "The value" } else { path };
            lines.push(match &unknown.ty {
                _ if is_failed(unknown) => format!("{what} could not be evaluated."),
                Type::Dynamic => format!("{what} is unknown, even its type."),
                ty => format!("{what} is unknown; its type is {}.", print::type_name(ty)),
            });
            self.push_causes(&unknown.causes, &mut lines);
            if unknown.causes.has_more() {
                lines.push("  There are more reasons.".to_string());
            }
        });
        for (path, mocks) in listing(value).mocked {
            let what = if path.is_empty() { "The value" } else { &path };
            lines.push(format!("{what} does not follow from the code alone."));
            self.push_causes(&mocks, &mut lines);
        }
        lines
    }

    /// Appends one indented line for each cause of an unknown value.
    fn push_causes(&self, causes: &Causes, lines: &mut Vec<String>) {
        for cause in self.causes(causes) {
            let place = cause.place.map_or_else(String::new, |at| format!(", {}", self.place(at)));
            let (class, kind) = (cause.class.slug(), cause.kind);
            lines.push(format!("  {} ({class}: {kind}{place})", sentence(&cause)));
        }
    }

    /// Returns a place as `FILE line N`.
    pub(crate) fn place(&self, place: Place) -> String {
        let (source, place) = self.0.sources.at(place);
        format!("{} line {}", source.name(), source.position(place.span.start).line)
    }

    /// Returns the diagnostic with a note for each cause of an unknown part of the value.
    pub(crate) fn explain(&self, mut diagnostic: Diagnostic, value: &Value) -> Diagnostic {
        let causes = value.deep_causes();
        for cause in self.causes(&causes) {
            let text = sentence(&cause);
            diagnostic = match cause.place {
                Some(place) => diagnostic.note_at(text, place),
                None => diagnostic.note(text),
            };
        }
        if causes.has_more() { diagnostic.note("There are more reasons.") } else { diagnostic }
    }
}

/// Returns true if an error prevented the evaluation: nothing else leaves an unknown without a cause.
fn is_failed(unknown: &Unknown) -> bool {
    unknown.causes.is_empty() && !unknown.causes.has_more()
}

/// Returns a sentence that explains why a value is unknown.
fn sentence(cause: &Cause) -> String {
    let address = &cause.address;
    match (cause.class, cause.kind) {
        (_, "mock") => format!("A mock gives values for {address}, but not this one."),
        (CauseClass::Offline, "variable") => format!("{address} has no value."),
        (CauseClass::Offline, "data") => format!("{address} is not read here."),
        (CauseClass::Offline, "default") => {
            format!("{address} does not set it, and only its provider knows the default.")
        }
        (CauseClass::Offline, "resource") => format!("The schema of {address} is not available."),
        (CauseClass::Offline, "module") => format!("The source of {address} is not available."),
        (CauseClass::Offline, "function") => {
            format!("{address} is not called here; --mock FILE can give its result.")
        }
        (CauseClass::Offline, _) => format!("{address} was not evaluated."),
        (CauseClass::Pending, "function") => {
            format!("{address} is decided when a plan is applied.")
        }
        (CauseClass::Pending, "source" | "build") => {
            format!("{address} is known only where something is built.")
        }
        (CauseClass::Pending, _) => format!("{address} is known after apply."),
        (CauseClass::Mocked, "function") => format!("{address} is given by a mock."),
        (CauseClass::Mocked, _) => format!("{address} depends on a mock."),
    }
}

/// Visits every unknown in the value depth first with its path as text: `path`, which leads to the value, then the steps in
/// it.
fn for_each_unknown(value: &Value, path: &mut String, visit: &mut dyn FnMut(&str, &Unknown)) {
    if value.is_wholly_known() {
        return;
    }
    let length = path.len();
    let mut inside = |step: &str, value: &Value| {
        path.push_str(step);
        for_each_unknown(value, path, visit);
        path.truncate(length);
    };
    match value.bare() {
        Value::Unknown(unknown) => visit(path, unknown),
        Value::List(list) => numbered(list.items(), inside),
        Value::Tuple(tuple) => numbered(tuple.items(), inside),
        Value::Set(set) => set.items().iter().for_each(|item| inside("[?]", item)),
        Value::Map(map) => {
            map.entries().iter().for_each(|(key, value)| inside(&key_step(key), value));
        }
        Value::Object(object) => {
            object.iter().for_each(|(name, value)| inside(&name_step(name), value))
        }
        _ => {}
    }
}

/// Visits the elements of a list with their path steps, such as `[0]`.
fn numbered(items: &[Value], mut inside: impl FnMut(&str, &Value)) {
    for (index, item) in items.iter().enumerate() {
        inside(&format!("[{index}]"), item);
    }
}

/// Returns the path step of a map key, as in `["a"]`.
fn key_step(key: &Str) -> String {
    format!("[{}]", json::string(key))
}

/// Returns the path step of an attribute, as in `.name`.
fn name_step(name: &Str) -> String {
    let starts = name.chars().next().is_some_and(|first| first.is_alphabetic() || first == '_');
    let goes_on = name.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '-');
    if starts && goes_on { format!(".{name}") } else { key_step(name) }
}
