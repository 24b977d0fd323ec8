//! What a data block is worth. Nobody is asked here, so it is unknown, of the type that Packer's own data has;
//! Packer's `null` only gives back what it is given, and can be evaluated.

use std::sync::Arc;

use groma_eval::Class;
use groma_syntax::{Code, Diagnostic, Diagnostics, Place};
use groma_value::{Str, Type, Value};

use super::{Own, World};
use crate::build::{Config, Keeper};
use crate::component::{self, Kind};

static NO_SUCH: Code =
    Code { slug: "unknown-component", summary: "Type of component is not known" };

impl World {
    /// The value of a data block.
    pub(super) fn read(self: &Arc<Self>, at: usize, out: &mut Diagnostics) -> Value {
        let data = &self.template.data[at];
        let scope = self.scope(Own::default(), false);
        let row = component::find(Kind::Data, &data.kind);
        let unknown = |ty| {
            let causes = self.cause(Class::Offline, "data", data.address(), Some(data.place));
            Value::unknown_because(ty, causes)
        };
        let Some(row) = row else {
            if let Some(found) = self.no_such(Kind::Data, &data.kind, data.place) {
                out.push(found);
            }
            let keeper = Keeper { world: self, scope, unknown: None };
            Config::free(&keeper, &[&data.content], &[], out);
            return unknown(Type::Dynamic);
        };
        let keeper = Keeper { world: self, scope, unknown: None };
        let config = Config::of(row, &keeper, &[&data.content], &[], data.place, out);
        let output =
            || Type::object(row.output.iter().map(|(name, ty)| (Str::from(*name), ty.ty())));
        if !self.options.evaluates_data || row.name != "null" {
            return unknown(output());
        }
        let input = config.get("input").cloned().unwrap_or_else(|| Value::text(""));
        Value::object([("output".into(), input)])
    }

    /// What there is to say about a type of component that is not known: nothing if a plugin may bring it.
    pub(crate) fn no_such(&self, kind: Kind, name: &str, place: Place) -> Option<Diagnostic> {
        if component::is_known(kind, name) || self.template.requirements.plugin_of(name).is_some() {
            return None;
        }
        let plugin = name.split('-').next().unwrap_or(name);
        let hint = groma_module::folder::did_you_mean(name, component::names(kind));
        let detail = format!(
            "Packer has no {} \"{name}\" of its own, and no plugin that this template asks for is called \"{plugin}\". Add the plugin to required_plugins in a packer block.{hint}",
            kind.word()
        );
        let is_warning = component::is_of_plugin(name);
        let found = match is_warning {
            true => Diagnostic::warning(&NO_SUCH, detail),
            false => Diagnostic::error(&NO_SUCH, detail),
        };
        Some(found.at(place))
    }
}
