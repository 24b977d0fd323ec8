//! A comparison as JSON: the document of the newer plan with the changes in it, and Groma's additions under `groma`.

use groma_config::ResourceMode;
use groma_plan::{Action, ComparedPlans};
use groma_protocol::write_diagnostic;
use groma_value::codec::path_text;
use groma_value::json::{JsonObject, JsonText, array};

use crate::comparison::{Comparison, DifferingPart};
use crate::origins::ChangeCause;

impl Comparison {
    /// Writes the comparison as a JSON document; `more` writes properties of the caller into it, such as where the revisions
    /// come from.
    pub fn write_json(&self, out: &mut JsonText<'_>, more: &dyn Fn(&mut JsonObject<'_, '_>)) {
        let more = |top: &mut JsonObject<'_, '_>| {
            self.write_ours(top);
            more(top);
        };
        let with = ComparedPlans {
            base: &self.base,
            changes: &self.changes,
            outputs: &self.outputs,
            more: &more,
        };
        self.head.write_comparison(&with, out);
    }

    /// Writes the properties of a comparison that the plan format does not have, such as possible changes and causes.
    fn write_ours(&self, top: &mut JsonObject<'_, '_>) {
        array(&self.possible, top.key("possible"), |one, out| {
            let mut object = JsonObject::open(out);
            object.text("address", &one.address.to_string());
            write_causes(&one.because, object.key("because"));
            object.close();
        });
        self.write_counts(top);
        crate::outside::write(&self.outside, top.key("beside"));
        let mut from = top.object("from");
        let is_explained = |part: &&DifferingPart| !part.because.is_empty();
        let explained =
            self.parts.iter().filter(|(_, all)| all.iter().any(|one| is_explained(&one)));
        let mut explained: Vec<(String, &[DifferingPart])> =
            explained.map(|(address, parts)| (address.to_string(), parts.as_slice())).collect();
        explained.sort_unstable_by(|one, other| one.0.cmp(&other.0));
        for (address, parts) in explained {
            let mut one = from.object(&address);
            for part in parts.iter().filter(is_explained) {
                write_causes(&part.because, one.key(&path_text(&part.path)));
            }
            one.close();
        }
        from.close();
        if let Some(inputs) = &self.open_inputs {
            array(inputs, top.key("open_inputs"), |name, out| out.string(name));
        }
        self.write_errors(top);
        array(&self.ignored, top.key("ignored"), |one, out| out.string(&one.to_string()));
        array(&self.incomparable, top.key("incomparable"), |one, out| {
            out.string(&one.to_string());
        });
        array(&self.missing.notes, top.key("remarks"), |note, out| {
            let mut one = JsonObject::open(out);
            one.text("address", &note.address);
            one.text("text", &note.text);
            one.close();
        });
        array(&self.renames, top.key("renames"), |rename, out| {
            let mut one = JsonObject::open(out);
            one.text("from", &rename.from);
            one.text("to", &rename.to);
            one.close();
        });
    }

    /// Writes the number of errors that both sides share, and the errors of each side alone.
    fn write_errors(&self, top: &mut JsonObject<'_, '_>) {
        let mut errors = top.object("errors");
        errors.number("shared", self.errors.shared);
        let (was, is) = (self.base.evaluation().sources(), self.head.evaluation().sources());
        array(&self.errors.new, errors.key("new"), |one, out| write_diagnostic(one, &is, out));
        array(&self.errors.mended, errors.key("mended"), |one, out| {
            write_diagnostic(one, &was, out);
        });
        errors.close();
    }

    /// Writes the number of certain changes by action, of possible changes, and of unknown ones.
    fn write_counts(&self, top: &mut JsonObject<'_, '_>) {
        let of = |wanted: &dyn Fn(Action) -> bool| {
            let certain = self.changes.iter().filter(|one| !one.is_open);
            certain.filter(|one| one.mode == ResourceMode::Managed && wanted(one.action)).count()
        };
        let counts = ChangeCounts {
            create: of(&|action| action == Action::Create),
            update: of(&|action| action == Action::Update),
            replace: of(&Action::is_replacement),
            delete: of(&|action| action == Action::Delete),
            possible: self.possible.len(),
            unknown: self.unknown_count(),
        };
        counts.write(top);
    }
}

/// Counts of certain changes by action, of possible changes, and of unknown ones.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct ChangeCounts {
    /// Objects to create.
    pub create: usize,
    /// Objects to update in place.
    pub update: usize,
    /// Objects to replace.
    pub replace: usize,
    /// Objects to delete.
    pub delete: usize,
    /// Objects and outputs that may change.
    pub possible: usize,
    /// Changes that cannot be determined, such as those in missing modules.
    pub unknown: usize,
}

impl ChangeCounts {
    /// Writes the counts as the property `counts` of a comparison's document.
    pub fn write(&self, top: &mut JsonObject<'_, '_>) {
        let mut counts = top.object("counts");
        counts.number("create", self.create);
        counts.number("update", self.update);
        counts.number("replace", self.replace);
        counts.number("delete", self.delete);
        counts.number("possible", self.possible);
        counts.number("untold", self.unknown);
        counts.close();
    }
}

/// Writes the causes of a difference as a JSON array.
fn write_causes(causes: &[ChangeCause], out: &mut JsonText<'_>) {
    array(causes, out, |cause, out| {
        let mut one = JsonObject::open(out);
        one.text("kind", cause.kind);
        one.text("address", &cause.address);
        one.text("place", &cause.place);
        one.close();
    });
}
