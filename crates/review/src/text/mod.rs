//! A review as text for people, written piece by piece: at most one object is in memory as text. Other programs parse it too: the
//! lines that they look for, and their order, are those of the reference programs (`conformance/pages/cli/plan-text.md`).

mod drift;
mod header;
mod node;
mod outside;
mod writer;

use std::fmt;

use groma_plan::{Action, PlanGoal};
use groma_syntax::render::harmless;
use groma_value::{Value, sentence::plural};

use crate::difference::{
    AnnotationCursor, Annotations, ChangeSign, ComparedForm, ComparedValue, ObjectComparer,
    difference,
};
use crate::model::{ActionCounts, ActionItem, OutputItem, ResourceItem, Review};
use crate::possible::listed;
use crate::reasons::ProviderDefaults;
use crate::style::{PlainText, StyledSink, TextStyle};

pub(crate) use header::{action_phrase, label, opening};
pub(crate) use node::{ValueView, name};
pub(crate) use writer::{PlanWriter, symbol};

/// The remark on a declaration with an unknown number of instances.
const UNCOUNTED: &str = "the number of instances is unknown";

/// The explanations of the symbols that mark actions, in the order of the legend.
const SYMBOLS: [(Action, &str); 9] = [
    (Action::Create, "create"),
    (Action::Update, "update in-place"),
    (Action::Delete, "destroy"),
    (Action::DeleteThenCreate, "destroy and then create replacement"),
    (Action::CreateThenDelete, "create replacement and then destroy"),
    (Action::ForgetThenCreate, "forget and then create replacement"),
    (Action::CreateThenForget, "create replacement and then forget"),
    (Action::Read, "read (data resources)"),
    (Action::Forget, "forget"),
];

impl Review {
    /// Writes the declarations with an unknown number of instances that differ, grouped by cause.
    fn write_uncounted(&self, page: &mut PlanWriter<'_>) -> fmt::Result {
        for group in &self.uncounted {
            page.put(TextStyle::Strong, &harmless(&group.title()))?;
            page.plain(":\n")?;
            let (listed, more) = listed(&group.because, group.declared.len());
            for one in group.declared.iter().take(listed) {
                let address = one.address.to_string();
                page.set_subject(&address);
                page.plain("  ? ")?;
                page.plain(&harmless(&format!("{address}: {UNCOUNTED}")))?;
                let from =
                    page.first_cause(&one.causes).map(|because| format!(" (from {because})"));
                if let Some(from) = from {
                    page.put(TextStyle::Dim, &harmless(&from))?;
                }
                page.plain("\n")?;
            }
            if more > 0 {
                page.put(TextStyle::Dim, &format!("    # and {more} more\n"))?;
            }
            page.plain("\n")?;
        }
        Ok(())
    }

    /// Writes the review as text: every object with its changes, the outputs, the counts, and what could not be evaluated.
    ///
    /// # Errors
    /// The sink's error.
    pub fn write_text(&self, sink: &mut dyn StyledSink) -> fmt::Result {
        self.write_drift(sink)?;
        let mut page = PlanWriter::new(sink, &self.before, &self.after);
        let counts = self.counts();
        if self.is_empty() && self.gaps.undecided.is_empty() {
            page.put(TextStyle::Strong, self.nothing())?;
            page.plain("\n")?;
            if self.is_match() {
                page.plain("This is from the state: no provider was run.\n")?;
            }
            return self.write_missing(sink);
        }
        self.write_legend(&mut page)?;
        let has_objects = self.has_objects();
        if let Some(program) = self.program.filter(|_| has_objects) {
            page.put(TextStyle::Strong, &format!("{program} will perform the following actions:"))?;
            page.plain("\n\n")?;
        }
        let defaults = ProviderDefaults::of(&self.after);
        for item in self.certain() {
            write_item(item, &defaults, &mut page)?;
            page.plain("\n")?;
        }
        for one in &self.invoked {
            write_invoked(one, &mut page)?;
        }
        let undecided = self.gaps.undecided.iter().filter(|_| self.uncounted.is_empty());
        for one in undecided {
            let address = one.address.to_string();
            page.set_subject(&address);
            page.heading(&address, (&format!(" is undecided: {UNCOUNTED}"), "", ""))?;
            if let Some(from) =
                page.first_cause(&one.causes).map(|because| format!("from {because}"))
            {
                page.aside(&from)?;
            }
            page.plain("\n")?;
        }
        for one in &self.remarks {
            page.set_subject(&one.address);
            page.heading(&one.address, (&format!(" {}", harmless(&one.text)), "", ""))?;
            page.plain("\n")?;
        }
        drop(page);
        self.write_possible(sink)?;
        let mut page = PlanWriter::new(sink, &self.before, &self.after);
        self.write_uncounted(&mut page)?;
        self.write_outside(&mut page)?;
        // If only outputs change, the reference programs omit this line.
        if has_objects || self.is_partial {
            page.put(TextStyle::Strong, "Plan:")?;
            page.plain(&format!(" {}.\n", summary(&counts)))?;
        }
        if self.changed_outputs().next().is_some() {
            page.plain(if has_objects { "\n" } else { "" })?;
            page.put(TextStyle::Strong, "Changes to Outputs:")?;
            page.plain("\n")?;
            self.write_outputs(&mut page)?;
            let is_end = self.goal != PlanGoal::Refresh
                && !self.is_partial
                && self.missing().is_none()
                && self.ignored.is_empty()
                && self.notes.is_empty()
                && self.mocks().is_none();
            page.plain(if is_end { "" } else { "\n" })?;
        }
        if self.goal == PlanGoal::Refresh && self.invoked.is_empty() {
            page.plain("No object is changed: only the state would be updated.\n")?;
        }
        if self.is_partial {
            page.plain("The rest is undecided because of the errors.\n")?;
        }
        self.write_missing(sink)
    }

    /// Writes the change of one instance with the comment lines above it, without unknown values that are the provider's
    /// defaults by the test `defaults`.
    pub(crate) fn put_item(
        &self,
        item: &ResourceItem,
        defaults: &ProviderDefaults<'_>,
        sink: &mut dyn StyledSink,
    ) -> fmt::Result {
        write_item(item, defaults, &mut PlanWriter::new(sink, &self.before, &self.after))
    }

    /// Writes the outputs that change, without the heading above them.
    pub(crate) fn put_outputs(&self, sink: &mut dyn StyledSink) -> fmt::Result {
        self.write_outputs(&mut PlanWriter::new(sink, &self.before, &self.after))
    }

    /// Returns the review in the form of [`Review::write_text`] as one string.
    pub fn text(&self) -> String {
        self.to_text(|sink| self.write_text(sink))
    }

    /// Returns the review in the form of [`Review::write_compact`] as one string.
    pub fn compact(&self) -> String {
        self.to_text(|sink| self.write_compact(sink))
    }

    /// Returns the review in the form of [`Review::write_markdown`] as one string.
    pub fn markdown(&self) -> String {
        self.to_text(|sink| self.write_markdown(sink))
    }

    /// Returns the text that the function `write` puts into the `StyledSink` it is given, without styles.
    fn to_text(&self, write: impl FnOnce(&mut dyn StyledSink) -> fmt::Result) -> String {
        let mut text = String::new();
        // Writing to a string cannot fail.
        let _ = write(&mut PlainText(&mut text));
        text
    }

    /// Returns the sentence displayed in place of changes for a review that has none.
    pub(crate) fn nothing(&self) -> &'static str {
        match self.goal {
            _ if self.is_partial => "No changes, as far as can be determined with the errors.",
            _ if self.has_empty_scope => "Nothing is targeted.",
            _ if self.is_of_documents && self.missing().is_none() => {
                "No changes. Both plans have the same result."
            }
            _ if self.is_comparison && self.missing().is_none() => {
                "No changes. Both revisions plan the same."
            }
            _ if self.missing().is_some() => "No changes, as far as can be determined here.",
            PlanGoal::Destroy => "No changes. The state is empty, so there is nothing to destroy.",
            PlanGoal::Refresh => "No changes. The recorded objects are up to date.",
            PlanGoal::Change => "No changes. Your infrastructure matches the configuration.",
        }
    }

    /// Returns true if a review without changes means that the infrastructure matches the configuration: it is of a complete plan
    /// that neither destroys all objects nor only refreshes them, and not of a comparison.
    fn is_match(&self) -> bool {
        let is_open = self.is_partial || self.has_empty_scope || self.missing().is_some();
        self.goal == PlanGoal::Change && !self.is_comparison && !is_open
    }

    /// Returns true if the review displays more than changes of outputs.
    fn has_objects(&self) -> bool {
        self.shown().next().is_some()
            || !self.invoked.is_empty()
            || !self.gaps.undecided.is_empty()
            || !self.remarks.is_empty()
            || !self.possible.is_empty()
            || !self.outside.is_empty()
    }

    /// Writes the legend that explains the symbols of the actions in the review.
    fn write_legend(&self, page: &mut PlanWriter<'_>) -> fmt::Result {
        let is_used = |action| self.certain().any(|item| item.action == action);
        let mut used = SYMBOLS.iter().filter(|(action, _)| is_used(*action)).peekable();
        if used.peek().is_none() {
            return Ok(());
        }
        page.plain("Actions are marked with these symbols:\n")?;
        for (action, word) in used {
            page.action(*action)?;
            page.plain(&format!(" {word}\n"))?;
        }
        page.plain("\n")
    }

    /// Writes the outputs that are certain to change, with aligned equals signs.
    fn write_outputs(&self, page: &mut PlanWriter<'_>) -> fmt::Result {
        page.set_subject("");
        // The equals signs of all outputs are aligned.
        let width = |output: &OutputItem| node::name(&output.name).chars().count();
        let widest = self.outputs.iter().map(width).max().unwrap_or_default();
        self.changed_outputs().try_for_each(|output| write_output(output, widest, page))
    }

    /// Writes the notes of the review, and the line on what could not be evaluated.
    pub(crate) fn write_missing(&self, sink: &mut dyn StyledSink) -> fmt::Result {
        for note in &self.notes {
            sink.put(TextStyle::Plain, &format!("{}\n", harmless(note)))?;
        }
        if let Some(ignored) = self.ignored_line() {
            sink.put(TextStyle::Plain, &format!("{ignored}\n"))?;
        }
        if let Some(missing) = self.missing() {
            sink.put(TextStyle::Plain, &format!("{missing}\n"))?;
        }
        match self.mocks() {
            Some(mocks) => sink.put(TextStyle::Plain, &format!("{mocks}\n")),
            None => Ok(()),
        }
    }

    /// Returns the sentence on the number of displayed changes that depend on mocks; `None` if there are none.
    pub(crate) fn mocks(&self) -> Option<String> {
        match self.mocked() {
            0 => None,
            1 => Some("1 of these depends on a mock.".to_owned()),
            count => Some(format!("{count} of these depend on mocks.")),
        }
    }

    /// Returns the line on what the plan could not evaluate and how to supply it; `None` if nothing is missing.
    pub fn missing(&self) -> Option<String> {
        let gaps = &self.gaps;
        let mut told = Vec::new();
        if !gaps.is_empty() {
            told.push(gaps.summary());
        }
        if self.without_schema > 0 {
            told.push(format!("{} without a schema", plural(self.without_schema, "object")));
        }
        if self.open > 0 {
            told.push(format!("{} that may change", plural(self.open, "object")));
        }
        if told.is_empty() {
            /// The sentence about a plan that the program that made it reports as incomplete.
            const INCOMPLETE: &str =
                "The plan is incomplete, according to the program that made it.";
            return self.is_incomplete.then(|| INCOMPLETE.to_owned());
        }
        let mut answers = Vec::new();
        if self.without_schema > 0 {
            answers.push("--schema FILE");
        }
        if !gaps.modules.is_empty() {
            answers.push("--module 'SOURCE=DIR'");
        }
        if !gaps.data.is_empty() || !gaps.functions.is_empty() || !gaps.undecided.is_empty() {
            answers.push("--mock FILE");
        }
        let answers = match answers.as_slice() {
            [] => "only their providers know".to_owned(),
            [one] => format!("answer with {one}"),
            [all @ .., last] => format!("answer with {} and {last}", all.join(", ")),
        };
        Some(format!("Not known here: {}; {answers}.", told.join(", ")))
    }
}

/// Returns the sum of changes in words: `1 to add, 0 to change, 0 to destroy`.
pub(crate) fn summary(counts: &ActionCounts) -> String {
    let ActionCounts { import, add, change, destroy, forget, invoke, possible, unknown, .. } =
        *counts;
    let mut text = String::new();
    if import > 0 {
        text.push_str(&format!("{import} to import, "));
    }
    text.push_str(&format!("{add} to add, {change} to change, {destroy} to destroy"));
    if forget > 0 {
        text.push_str(&format!(", {forget} to forget"));
    }
    text.push_str(&uncertain(possible, unknown));
    if invoke > 0 {
        text.push_str(&format!(". Actions: {invoke} to invoke"));
    }
    text
}

/// Returns the text that counts possible and unknown changes, to be appended to the count of certain ones.
fn uncertain(possible: usize, unknown: usize) -> String {
    let all = [(possible, "may change"), (unknown, "cannot be determined")];
    let told = all.iter().filter(|(count, _)| *count > 0);
    let told: Vec<String> = told.map(|(count, words)| format!("{count} {words}")).collect();
    if told.is_empty() { String::new() } else { format!("; {}", told.join(", ")) }
}

/// Returns the differences between the old and the new object of a changed instance, without unknown values that are the
/// provider's defaults by the test `defaults`; `own` is the instance's address without instance keys.
pub(crate) fn node_of(
    item: &ResourceItem,
    own: &str,
    defaults: &ProviderDefaults<'_>,
) -> ComparedValue {
    let said = Annotations::of_parts(&item.replace_paths, &item.origins);
    let way = AnnotationCursor::at_root(&said);
    let shape = item.declared.shape.as_deref();
    let objects = ObjectComparer { is_left: &|value| defaults.is_default(value, own) };
    let (before, after) = (item.before.as_ref(), item.after.as_ref());
    match item.action {
        // A forgotten object stays unchanged.
        Action::Forget => objects.body((before, before), shape, way),
        _ => objects.body((before, after), shape, way),
    }
}

/// Writes the change of one instance: comment lines, then its body with signs, without unknown values that are the provider's
/// defaults by the test `defaults`.
fn write_item(
    item: &ResourceItem,
    defaults: &ProviderDefaults<'_>,
    page: &mut PlanWriter<'_>,
) -> fmt::Result {
    page.set_subject(&item.address);
    page.head(item)?;
    write_body(item, defaults, page)
}

/// Writes the body of a changed instance with signs, without the comment lines above it and without unknown values that are the
/// provider's defaults by the test `defaults`.
fn write_body(
    item: &ResourceItem,
    defaults: &ProviderDefaults<'_>,
    page: &mut PlanWriter<'_>,
) -> fmt::Result {
    page.action(item.action)?;
    page.head_of(&item.declared)?;
    let is_forgotten = item.action == Action::Forget;
    let look = ValueView {
        whole: item.importing.is_some() || is_forgotten,
        says_null: !is_forgotten,
        is_bare: is_forgotten,
    };
    let node = node_of(item, page.subject(), defaults);
    page.body(&node, 0, look)?;
    page.plain("\n")
}

/// Writes an action that applying the plan would run, with its configuration.
fn write_invoked(one: &ActionItem, page: &mut PlanWriter<'_>) -> fmt::Result {
    page.set_subject(&one.address);
    page.heading(&one.address, (" will be invoked", "", ""))?;
    page.aside(&format!("{}, by {}", one.event, &*one.triggered_by))?;
    let declared = &one.declared;
    let opening = header::opening(declared.mode, &declared.kind, &declared.name);
    page.plain(&format!("    {} ", harmless(&opening)))?;
    let config = Some(&one.config).filter(|config| !config.is_null());
    let node = ObjectComparer { is_left: &|_| false }.body(
        (config, config),
        None,
        AnnotationCursor::default(),
    );
    page.body(&node, 0, ValueView { whole: true, ..ValueView::default() })?;
    page.plain("\n\n")
}

/// Writes the change of an output with its name padded to `widest`.
fn write_output(output: &OutputItem, widest: usize, page: &mut PlanWriter<'_>) -> fmt::Result {
    let present = |value: &'_ Value| (!value.is_null()).then(|| value.clone());
    let (before, after) = (present(&output.before), present(&output.after));
    let said = Annotations::of(&[], &output.origins);
    let way = AnnotationCursor::at_root(&said);
    let mut node = difference(before.as_ref(), after.as_ref(), false, way);
    if output.sensitive {
        node.form = ComparedForm::Hidden;
    }
    let is_same = node.sign == ChangeSign::Same;
    if is_same {
        node.sign = ChangeSign::Change;
    }
    let name = node::name(&output.name);
    let pad = widest.saturating_sub(name.chars().count());
    page.sign(0, node.sign, false)?;
    page.plain(&name)?;
    page.blanks(pad)?;
    page.plain(" = ")?;
    match (is_same, output.sensitive) {
        (true, false) => page.plain("(only its type changes)")?,
        (true, true) => page.plain("(only whether it is sensitive changes)")?,
        _ => page.value(&node, 0, ValueView { says_null: true, ..ValueView::default() }, "")?,
    }
    page.plain("\n")
}
