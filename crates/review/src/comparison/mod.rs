//! What differs between two plans of the same root that both go on from nothing: what a change of the code means. The
//! older one gives what was there before, the newer one what comes. Nothing is told of what one side does not know.

mod between;
mod missing;
mod provenance;
mod rename;
mod unread;
mod values;

use std::sync::Arc;

use groma_plan::{Action, Change, Compared, OutputChange, Plan};
use groma_value::Str;
use groma_value::codec::path_text;
use groma_value::json::{JsonObject, JsonText, array};

use crate::comparison::missing::Missing;
use crate::model::{Origin, OutputItem, Remark, Review};
use crate::planned;
use crate::reasons::Reasons;

pub use between::moved_addresses;
pub use provenance::Provenance;
pub use rename::Rename;

/// What differs between two plans.
pub struct Comparison {
    base: Arc<Plan>,
    head: Arc<Plan>,
    /// By the order of lists; what does not change stands here only where it was asked for.
    changes: Vec<Change>,
    outputs: Vec<OutputChange>,
    /// Addresses that one side has and of which the other one cannot tell whether it has them.
    incomparable: Vec<String>,
    /// What goes and comes again under another name, as far as it looks like that.
    renames: Vec<Rename>,
    /// Where differences come from, by address.
    origins: Vec<(String, Vec<Origin>)>,
    missing: Missing,
}

impl Comparison {
    /// Compares what two revisions of a root plan. What does not change is listed only if `all` is asked for.
    /// `provenance` knows the code behind them.
    pub fn between(
        base: Arc<Plan>,
        head: Arc<Plan>,
        all: bool,
        provenance: &mut dyn Provenance,
    ) -> Comparison {
        between::compare(base, head, all, provenance)
    }

    /// What was planned before.
    pub fn base(&self) -> &Arc<Plan> {
        &self.base
    }

    /// What is planned now.
    pub fn head(&self) -> &Arc<Plan> {
        &self.head
    }

    /// What becomes of instances, in the order of lists.
    pub fn changes(&self) -> &[Change] {
        &self.changes
    }

    /// What becomes of the outputs of the root, by name.
    pub fn outputs(&self) -> &[OutputChange] {
        &self.outputs
    }

    /// Addresses that one side has and of which the other one cannot tell whether it has them, sorted.
    pub fn incomparable(&self) -> &[String] {
        &self.incomparable
    }

    /// What looks renamed, by address.
    pub fn renames(&self) -> &[Rename] {
        &self.renames
    }

    /// Whether anything differs.
    pub fn is_change(&self) -> bool {
        self.changes.iter().any(|one| one.action != Action::NoOp || one.previous.is_some())
            || self.outputs.iter().any(|one| one.action != Action::NoOp)
    }

    /// The same for people.
    pub fn review(&self) -> Review {
        let renames = self.renames.iter().map(|rename| Remark {
            address: Str::from(&rename.from),
            text: format!(
                "goes and {} comes with the same values: if only the name is new, a moved block keeps the object",
                rename.to
            ),
        });
        let origins = |key: &str| {
            let at = self.origins.binary_search_by(|(address, _)| (**address).cmp(key));
            at.map(|at| self.origins[at].1.clone()).unwrap_or_default()
        };
        let mut items = planned::items(self.changes.iter());
        for item in &mut items {
            item.origins = origins(&item.address);
            // What is open here is said part by part.
            item.is_open = false;
        }
        let outputs = self.outputs.iter().cloned().map(|output| {
            let origins = origins(&format!("output.{}", &*output.name));
            OutputItem { origins, ..planned::output(output) }
        });
        Review {
            items,
            outputs: outputs.collect(),
            unshaped: self.changes.iter().filter(|one| !one.instance.is_whole).count(),
            is_partial: self.head.is_errored(),
            before: Reasons::of(self.base.evaluation()),
            after: Reasons::of(self.head.evaluation()),
            gaps: self.missing.changed(self.head.gaps().clone()),
            remarks: self.missing.remarks.iter().cloned().chain(renames).collect(),
            is_comparison: true,
            ..Review::default()
        }
    }

    /// Writes the document for programs: that of the newer plan with the changes in it. `more` writes what the caller
    /// knows of where the two come from.
    pub fn write_json(&self, out: &mut JsonText<'_>, more: &dyn Fn(&mut JsonObject<'_, '_>)) {
        let more = |top: &mut JsonObject<'_, '_>| {
            self.write_ours(top);
            more(top);
        };
        let with = Compared {
            base: &self.base,
            changes: &self.changes,
            outputs: &self.outputs,
            more: &more,
        };
        self.head.write_comparison(&with, out);
    }

    fn write_ours(&self, top: &mut JsonObject<'_, '_>) {
        let mut from = top.object("from");
        for (address, origins) in &self.origins {
            let mut one = from.object(address);
            for origin in origins {
                one.text(&path_text(&origin.path), &origin.text);
            }
            one.close();
        }
        from.close();
        array(&self.incomparable, top.key("incomparable"), |address, out| out.string(address));
        array(&self.missing.remarks, top.key("remarks"), |remark, out| {
            let mut one = JsonObject::open(out);
            one.text("address", &remark.address);
            one.text("text", &remark.text);
            one.close();
        });
        array(&self.renames, top.key("renames"), |rename, out| {
            let mut one = JsonObject::open(out);
            one.text("from", &rename.from);
            one.text("to", &rename.to);
            one.close();
        });
    }
}
