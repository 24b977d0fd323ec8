//! Writer of plan text: indentation, symbols, and the causes of unknown values.

use std::fmt;
use std::sync::Arc;

use groma_config::without_keys;
use groma_plan::Action;
use groma_syntax::render::harmless;
use groma_value::{CauseId, Causes};
use rustc_hash::FxHashMap;

use super::header::opening;
use crate::difference::ChangeSign;
use crate::model::SharedDeclaration;
use crate::reasons::{CauseText, UnknownReasons};
use crate::style::{StyledSink, TextStyle};

/// Number of spaces of one indentation level, equal to the width of an action's symbol.
const STEP: usize = 4;
/// The longest run of spaces that is written as one piece of text, such as for indentation.
const BLANKS: &str = "                                                                ";

/// Writer of a plan as indented, styled text, which knows the causes of unknown values before and after each change.
pub(crate) struct PlanWriter<'p> {
    /// Number of additional indentation levels of each line, which leave space for symbols.
    margin: usize,
    sink: &'p mut dyn StyledSink,
    before: UnknownExplainer<'p>,
    after: UnknownExplainer<'p>,
    /// Buffer for joined pieces.
    line: String,
    /// The block header of the last resource's objects.
    opened: Option<(Arc<SharedDeclaration>, String)>,
}

/// Source of the phrases about causes of unknown values; each phrase is made once.
struct UnknownExplainer<'p> {
    reasons: &'p UnknownReasons,
    known: FxHashMap<CauseId, Option<ExplainedCause>>,
    /// The address of the current object, without instance keys.
    subject: String,
}

/// A cause of unknown values with the phrases that display it.
struct ExplainedCause {
    because: CauseText,
    /// Placeholder for a value that is unknown for this cause.
    unknown: String,
}

impl ExplainedCause {
    /// Returns a cause of unknown values together with the phrases that display it.
    fn of(because: CauseText) -> ExplainedCause {
        let unknown = format!("(known after apply: from {because})");
        ExplainedCause { unknown, because }
    }
}

impl UnknownExplainer<'_> {
    /// Returns the first of the causes that names something else than the object that is being written, if there is one.
    fn first(&mut self, causes: &Causes) -> Option<&ExplainedCause> {
        let UnknownExplainer { reasons, known, subject } = self;
        let is_news = |told: &Option<ExplainedCause>| {
            told.as_ref().is_some_and(|told| *told.because.address != **subject)
        };
        let id = causes.ids().iter().find(|id| {
            is_news(
                known
                    .entry(**id)
                    .or_insert_with(|| reasons.cause_text(**id).map(ExplainedCause::of)),
            )
        })?;
        known.get(id)?.as_ref()
    }
}

impl<'p> PlanWriter<'p> {
    /// Creates a writer to `sink`; `before` and `after` hold the causes of unknown values in old and new objects.
    pub(crate) fn new(
        sink: &'p mut dyn StyledSink,
        before: &'p UnknownReasons,
        after: &'p UnknownReasons,
    ) -> PlanWriter<'p> {
        let explainer = |reasons| UnknownExplainer {
            reasons,
            known: FxHashMap::default(),
            subject: String::new(),
        };
        let (before, after) = (explainer(before), explainer(after));
        PlanWriter { sink, before, after, line: String::new(), opened: None, margin: 1 }
    }

    /// Returns the writer set to leave out the margin for signs at the beginning of lines.
    pub(crate) fn without_margin(self) -> PlanWriter<'p> {
        PlanWriter { margin: 0, ..self }
    }

    /// Sets the address of the object that the next lines are about: its own attributes are not named as causes.
    pub(crate) fn set_subject(&mut self, address: &str) {
        let subject = without_keys(address);
        if subject != self.after.subject {
            self.before.subject.clone_from(&subject);
            self.after.subject = subject;
        }
    }

    /// Returns the address, without instance keys, of the object that is being written.
    pub(super) fn subject(&self) -> &str {
        &self.after.subject
    }

    /// Writes several texts in one style as a single piece.
    pub(super) fn joined(&mut self, style: TextStyle, pieces: &[&str]) -> fmt::Result {
        self.line.clear();
        pieces.iter().for_each(|piece| self.line.push_str(piece));
        self.sink.put(style, &self.line)
    }

    /// Writes the block header of an object, such as `resource "aws_vpc" "a"`, reusing the text for objects of the same resource.
    pub(super) fn head_of(&mut self, declared: &Arc<SharedDeclaration>) -> fmt::Result {
        let known = self.opened.take().filter(|(known, _)| Arc::ptr_eq(known, declared));
        let (_, text) = self.opened.insert(known.unwrap_or_else(|| {
            let text = opening(declared.mode, &declared.kind, &declared.name);
            (declared.clone(), format!(" {} ", harmless(&text)))
        }));
        self.sink.put(TextStyle::Plain, text)
    }

    /// Writes a text in a style as it is given, with no indentation added.
    pub(crate) fn put(&mut self, style: TextStyle, text: &str) -> fmt::Result {
        self.sink.put(style, text)
    }

    /// Writes a text without a style as it is given, with no indentation added.
    pub(crate) fn plain(&mut self, text: &str) -> fmt::Result {
        self.sink.put(TextStyle::Plain, text)
    }

    /// Writes a number of spaces.
    pub(super) fn blanks(&mut self, mut count: usize) -> fmt::Result {
        while count > 0 {
            let some = count.min(BLANKS.len());
            self.plain(&BLANKS[..some])?;
            count -= some;
        }
        Ok(())
    }

    /// Begins a line with indentation and blanks in place of a symbol.
    pub(super) fn start(&mut self, indent: usize) -> fmt::Result {
        self.blanks((indent + self.margin) * STEP)
    }

    /// Begins a line with indentation and the symbol of a sign, such as `+`; with `is_bare`, with blanks instead.
    pub(super) fn sign(&mut self, indent: usize, sign: ChangeSign, is_bare: bool) -> fmt::Result {
        let (style, symbol) = match sign {
            _ if is_bare => return self.start(indent),
            ChangeSign::Same => return self.start(indent),
            ChangeSign::Add => (TextStyle::Added, "+"),
            ChangeSign::Remove => (TextStyle::Removed, "-"),
            ChangeSign::Change => (TextStyle::Changed, "~"),
        };
        self.blanks(indent * STEP + STEP - 2)?;
        self.put(style, symbol)?;
        self.plain(" ")
    }

    /// Writes the symbol of an action, such as `+`.
    pub(super) fn action(&mut self, action: Action) -> fmt::Result {
        symbol(action).into_iter().try_for_each(|(style, text)| self.put(style, text))
    }

    /// Writes the text displayed for an unknown value, with its cause if known; `was_before` is true for a value before the
    /// change.
    pub(super) fn unknown(&mut self, causes: &Causes, was_before: bool) -> fmt::Result {
        let explainer = if was_before { &mut self.before } else { &mut self.after };
        let told = explainer.first(causes).map_or("(known after apply)", |told| &told.unknown);
        self.sink.put(TextStyle::Plain, told)
    }

    /// Returns the first of the causes of an unknown value that names something else than the object that is being written, if
    /// there is one.
    pub(super) fn first_cause(&mut self, causes: &Causes) -> Option<&CauseText> {
        self.after.first(causes).map(|told| &told.because)
    }
}

/// Returns the symbol of an action, three characters wide, as pieces of text with their styles.
pub(crate) fn symbol(action: Action) -> [(TextStyle, &'static str); 3] {
    let one = |style, symbol| [(TextStyle::Plain, "  "), (style, symbol), (TextStyle::Plain, "")];
    match action {
        Action::NoOp => one(TextStyle::Plain, " "),
        Action::Create => one(TextStyle::Added, "+"),
        Action::Update => one(TextStyle::Changed, "~"),
        Action::Delete => one(TextStyle::Removed, "-"),
        Action::Forget => one(TextStyle::Removed, "."),
        Action::Read => [(TextStyle::Plain, " "), (TextStyle::Read, "<="), (TextStyle::Plain, "")],
        Action::DeleteThenCreate => {
            [(TextStyle::Removed, "-"), (TextStyle::Plain, "/"), (TextStyle::Added, "+")]
        }
        Action::CreateThenDelete => {
            [(TextStyle::Added, "+"), (TextStyle::Plain, "/"), (TextStyle::Removed, "-")]
        }
        Action::ForgetThenCreate => {
            [(TextStyle::Removed, "."), (TextStyle::Plain, "/"), (TextStyle::Added, "+")]
        }
        Action::CreateThenForget => {
            [(TextStyle::Added, "+"), (TextStyle::Plain, "/"), (TextStyle::Removed, ".")]
        }
    }
}
