//! Values of data blocks. No service is contacted, so the value is unknown, of the type of Packer's own data sources, unless
//! mocked; Packer's `null` data source only returns its input and is evaluated.

use std::sync::{Arc, PoisonError};

use groma_config::{ArgumentRow, did_you_mean};
use groma_eval::{CauseAddress, CauseClass};
use groma_syntax::{Diagnostic, Diagnostics, Place};
use groma_value::{Str, Type, Value, convert};

use super::{SourceScope, TemplateState};
use crate::build::{BodyContext, evaluate_checked, evaluate_unchecked};
use crate::codes;
use crate::component::{self, ComponentKind};

impl TemplateState {
    /// Evaluates the arguments of the data block at an index and returns the value of the block: mocked, or unknown.
    pub(super) fn read(self: &Arc<Self>, at: usize, out: &mut Diagnostics) -> Value {
        let data = &self.template.data[at];
        let scope = self.scope(SourceScope::default(), false);
        let unknown = |ty| {
            let causes = self.cause(
                CauseClass::Offline,
                "data",
                CauseAddress::other(data.address()),
                Some(data.place),
            );
            Value::unknown_because(ty, causes)
        };
        let context = BodyContext { world: self, scope, unknown: None };
        let mocked = self.template.mocks.data(&data.kind, &data.name, &self.causes);
        let Some(row) = component::find(ComponentKind::Data, &data.kind) else {
            if let Some(found) = self.missing_component(ComponentKind::Data, &data.kind, data.place)
            {
                out.push(found);
            }
            evaluate_unchecked(&context, &[&data.content], &[], out);
            return mocked.unwrap_or_else(|| {
                self.leave_unread(at, out);
                unknown(Type::Dynamic)
            });
        };
        let config = evaluate_checked(row, &context, &[&data.content], &[], data.place, out);
        if let Some(mocked) = mocked {
            return match row.output {
                Some(output) => fitted(row.name, output, &mocked, data.place, &unknown, out),
                None => mocked,
            };
        }
        if row.name == "null" && self.options.evaluates_data {
            let input = config.get("input").cloned().unwrap_or_else(|| Value::text(""));
            return Value::object([("output".into(), input)]);
        }
        self.leave_unread(at, out);
        let Some(output) = row.output else { return unknown(Type::Dynamic) };
        unknown(Type::object(output.iter().map(|row| (Str::from(row.name), row.takes.ty()))))
    }

    /// Records that the data block at an index was not read, and reports it if the options ask for data to be evaluated.
    fn leave_unread(&self, at: usize, out: &mut Diagnostics) {
        self.unread.lock().unwrap_or_else(PoisonError::into_inner).insert(at);
        if self.options.evaluates_data {
            let data = &self.template.data[at];
            let detail = format!(
                "{} is not read, because no plugin is run. It is unknown unless --mock FILE gives its value.",
                data.address()
            );
            out.push(Diagnostic::remark(&codes::DATA_UNREAD, detail).at(data.place));
        }
    }

    /// Returns the diagnostic for a component type that does not exist; `None` if it is built in or a required plugin provides
    /// it.
    pub(crate) fn missing_component(
        &self,
        kind: ComponentKind,
        name: &str,
        place: Place,
    ) -> Option<Diagnostic> {
        if component::is_known(kind, name) || self.template.requirements.plugin_of(name).is_some() {
            return None;
        }
        let plugin = name.split('-').next().unwrap_or(name);
        let hint = did_you_mean(name, component::names(kind));
        let detail = format!(
            "Packer has no built-in {} \"{name}\", and the template requires no plugin \"{plugin}\". Add the plugin to required_plugins in a packer block.{hint}",
            kind.word()
        );
        // Widely used plugins are often installed without being required.
        let found = match component::is_of_plugin(name) {
            true => Diagnostic::warning(&codes::UNKNOWN_COMPONENT, detail),
            false => Diagnostic::error(&codes::UNKNOWN_COMPONENT, detail),
        };
        Some(found.at(place))
    }
}

/// Converts a mocked value to the type of the `output` of a data source built into Packer, `kind`; a missing attribute becomes
/// the result of `unknown` for its type, and one that `output` lacks is reported.
fn fitted(
    kind: &str,
    output: &[ArgumentRow],
    mocked: &Value,
    place: Place,
    unknown: &dyn Fn(Type) -> Value,
    out: &mut Diagnostics,
) -> Value {
    let (bare, marks) = mocked.unmark();
    let Value::Object(object) = &bare else { return mocked.clone() };
    let has = |name: &str| output.iter().any(|row| row.name == name);
    for (name, _) in object.iter().filter(|(name, _)| !has(name)) {
        let near = did_you_mean(name, output.iter().map(|row| row.name));
        let detail = format!(
            "The mock sets \"{1}\", but data sources of type \"{0}\" have no such attribute.{near}",
            kind, &**name
        );
        out.push(Diagnostic::error(&codes::MOCK, detail).at(place));
    }
    let parts = output.iter().map(|row| {
        let ty = row.takes.ty();
        let value = object.get(row.name).and_then(|value| convert(value, &ty).ok());
        (Str::from(row.name), value.unwrap_or_else(|| unknown(ty)))
    });
    Value::object(parts).mark(&marks)
}
