//! Possible changes, grouped by cause. A group lists the parts that may differ without their values, because these are unknown.

use std::collections::BTreeMap;
use std::fmt;

use groma_config::UndecidedCount;
use groma_impact::{ChangeCause, ComparedAddress, Comparison};
use groma_syntax::render::harmless;
use groma_value::sentence::plural;
use rustc_hash::FxHashMap;

use crate::compact::{parts, put_symbol};
use crate::model::{PossibleGroup, Review, UncountedGroup};
use crate::reasons::ProviderDefaults;
use crate::style::{StyledSink, TextStyle};
use crate::text::{label, name};

/// Maximum number of objects that the line about changes suppressed by `ignore_changes` names.
const MAX_NAMED: usize = 8;

/// Maximum number of instances and outputs listed for a group of possible changes whose cause is unknown.
const MAX_LISTED: usize = 8;

impl PossibleGroup {
    /// Returns the causes of the possible changes as a subordinate clause: `because main.tf:2 (local.name) differs`.
    pub(crate) fn reason(&self) -> String {
        reason(&self.because)
    }
}

impl UncountedGroup {
    /// Returns the heading of a group of declarations with an unknown number of instances.
    pub(crate) fn title(&self) -> String {
        format!("Cannot be determined, {}", self.reason())
    }

    /// Returns the causes of the group as a subordinate clause: `because main.tf:2 (local.name) differs`.
    pub(crate) fn reason(&self) -> String {
        reason(&self.because)
    }
}

/// Returns causes of changes as a subordinate clause: `because main.tf:2 (local.name) differs`.
fn reason(because: &[ChangeCause]) -> String {
    let told: Vec<String> = because.iter().map(cause_words).collect();
    match told.as_slice() {
        [] => "because what they depend on is unknown".to_owned(),
        [one] => format!("because {one} differs"),
        [all @ .., last] => format!("because {} and {last} differ", all.join(", ")),
    }
}

/// Returns how many of a group of `count` changes are listed and how many only counted: without a cause a long list is not
/// useful.
pub(crate) fn listed(because: &[ChangeCause], count: usize) -> (usize, usize) {
    match because.is_empty() && count > MAX_LISTED + 1 {
        true => (MAX_LISTED, count - MAX_LISTED),
        false => (count, 0),
    }
}

/// Returns the declarations of which the number of instances is unknown and differs, grouped by cause, the largest group first.
pub(crate) fn uncounted(comparison: &Comparison, review: &Review) -> Vec<UncountedGroup> {
    let mut found: BTreeMap<&[ChangeCause], Vec<UndecidedCount>> = BTreeMap::new();
    for one in &review.gaps.undecided {
        found.entry(comparison.uncounted_reason(&one.address)).or_default().push(one.clone());
    }
    let group = |(because, declared): (&[ChangeCause], Vec<UndecidedCount>)| UncountedGroup {
        because: because.to_vec(),
        declared,
    };
    let mut all: Vec<UncountedGroup> = found.into_iter().map(group).collect();
    all.sort_by_key(|group| std::cmp::Reverse(group.declared.len()));
    all
}

/// Returns the cause of a change as a phrase: its place and address.
fn cause_words(cause: &ChangeCause) -> String {
    if let Some(reader) = &cause.reader {
        return format!("a file that {reader} may read ({})", cause.text());
    }
    match (cause.text(), &*cause.address) {
        (text, "") => text.to_owned(),
        (text, address) if text == address => text.to_owned(),
        (text, address) => format!("{text} ({address})"),
    }
}

/// Returns the possible changes of instances and outputs, grouped by cause, the largest group first.
pub(crate) fn groups(comparison: &Comparison, review: &Review) -> Vec<PossibleGroup> {
    let mut found: BTreeMap<&[ChangeCause], PossibleGroup> = BTreeMap::new();
    let because: FxHashMap<&ComparedAddress, &[ChangeCause]> =
        comparison.possible().iter().map(|one| (&one.address, &*one.because)).collect();
    let mut group = |address: ComparedAddress, take: &mut dyn FnMut(&mut PossibleGroup)| {
        let because = because.get(&address).copied().unwrap_or_default();
        let empty =
            || PossibleGroup { because: because.to_vec(), items: Vec::new(), outputs: Vec::new() };
        take(found.entry(because).or_insert_with(empty));
    };
    let items = review.items.iter().zip(comparison.changes()).enumerate();
    for (at, (_, change)) in items.filter(|(_, (item, _))| item.is_possible) {
        group(change.instance.address.clone().into(), &mut |group| group.items.push(at));
    }
    for (at, output) in review.outputs.iter().enumerate().filter(|(_, one)| one.is_possible) {
        group(ComparedAddress::output(&output.name), &mut |group| group.outputs.push(at));
    }
    let mut all: Vec<PossibleGroup> = found.into_values().collect();
    all.sort_by_key(|group| std::cmp::Reverse(group.count()));
    all
}

impl Review {
    /// Writes the possible changes, grouped by cause.
    pub(crate) fn write_possible(&self, sink: &mut dyn StyledSink) -> fmt::Result {
        for group in &self.possible {
            sink.put(TextStyle::Strong, "May change")?;
            sink.put(TextStyle::Plain, &format!(", {}:\n", harmless(&group.reason())))?;
            let (listed, more) = listed(&group.because, group.count());
            let items = group.items.iter().take(listed).copied().collect();
            let outputs = group.outputs.iter().take(listed.saturating_sub(group.items.len()));
            let outputs = outputs.copied().collect();
            self.write_group(&PossibleGroup { items, outputs, ..group.clone() }, sink)?;
            write_more(more, sink)?;
            sink.put(TextStyle::Plain, "\n")?;
        }
        Ok(())
    }

    /// Writes one line for each instance and output of a group of possible changes.
    pub(crate) fn write_group(
        &self,
        group: &PossibleGroup,
        sink: &mut dyn StyledSink,
    ) -> fmt::Result {
        let defaults = ProviderDefaults::of(&self.after);
        for item in group.items.iter().filter_map(|at| self.items.get(*at)) {
            put_symbol(item.action, sink)?;
            sink.put(TextStyle::Plain, &format!(" {}", harmless(&label(item))))?;
            sink.put(TextStyle::Dim, &harmless(&parts(item, &defaults)))?;
            sink.put(TextStyle::Plain, "\n")?;
        }
        for output in group.outputs.iter().filter_map(|at| self.outputs.get(*at)) {
            put_symbol(output.action, sink)?;
            sink.put(TextStyle::Plain, &harmless(&format!(" output {}\n", name(&output.name))))?;
        }
        Ok(())
    }
}

impl Review {
    /// Returns the line that names the objects whose changes `ignore_changes` suppresses; `None` if there are none.
    pub(crate) fn ignored_line(&self) -> Option<String> {
        let names: Vec<String> =
            self.ignored.iter().take(MAX_NAMED).map(|one| harmless(one).into_owned()).collect();
        let more = match self.ignored.len().saturating_sub(MAX_NAMED) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        let count = plural(self.ignored.len(), "change");
        (!names.is_empty()).then(|| {
            format!("{count} ignored because of ignore_changes: {}{more}.", names.join(", "))
        })
    }
}

/// Writes the line that counts the changes of a group that are not listed.
pub(crate) fn write_more(more: usize, sink: &mut dyn StyledSink) -> fmt::Result {
    match more {
        0 => Ok(()),
        more => sink.put(TextStyle::Dim, &format!("    # and {more} more\n")),
    }
}

/// Returns the heading of a group of possible changes.
pub(crate) fn title(group: &PossibleGroup) -> String {
    format!("{} may change, {}", plural(group.count(), "object"), group.reason())
}
