//! Where lines are written: indentation, symbols, and the few words that say why a value is not known.

use std::fmt;
use std::sync::Arc;

use groma_plan::Action;
use groma_value::{CauseId, Causes};
use rustc_hash::FxHashMap;

use crate::difference::Sign;
use crate::reasons::{Because, Reasons, without_keys};
use crate::style::{Sink, Style};

/// How wide one step of indentation is; a symbol with its blank is as wide.
const STEP: usize = 4;
const BLANKS: &str = "                                                                ";

/// A text that is being written, and who explains what is not known in it.
pub(super) struct Page<'p> {
    sink: &'p mut dyn Sink,
    before: Teller<'p>,
    after: Teller<'p>,
}

/// Explains unknowns; each cause is put into words once.
struct Teller<'p> {
    reasons: &'p Reasons,
    known: FxHashMap<CauseId, Option<Arc<Because>>>,
    /// The object that is written of, without the keys of instances.
    own: String,
}

impl Teller<'_> {
    fn first(&mut self, causes: &Causes) -> Option<Arc<Because>> {
        let Teller { reasons, known, own } = self;
        let mut told = causes.ids().iter().filter_map(|id| {
            known.entry(*id).or_insert_with(|| reasons.told(*id).map(Arc::new)).clone()
        });
        told.find(|because| without_keys(&because.address) != *own)
    }
}

impl<'p> Page<'p> {
    pub(super) fn new(sink: &'p mut dyn Sink, before: &'p Reasons, after: &'p Reasons) -> Page<'p> {
        let teller = |reasons| Teller { reasons, known: FxHashMap::default(), own: String::new() };
        Page { sink, before: teller(before), after: teller(after) }
    }

    /// Says which object is written of from now on: that its own attributes are known when it is made is no news.
    pub(super) fn is_about(&mut self, address: &str) {
        let own = without_keys(address);
        self.before.own.clone_from(&own);
        self.after.own = own;
    }

    pub(super) fn put(&mut self, style: Style, text: &str) -> fmt::Result {
        self.sink.put(style, text)
    }

    pub(super) fn plain(&mut self, text: &str) -> fmt::Result {
        self.sink.put(Style::Plain, text)
    }

    pub(super) fn blanks(&mut self, mut count: usize) -> fmt::Result {
        while count > 0 {
            let some = count.min(BLANKS.len());
            self.plain(&BLANKS[..some])?;
            count -= some;
        }
        Ok(())
    }

    /// The beginning of a line: indentation and no symbol.
    pub(super) fn start(&mut self, indent: usize) -> fmt::Result {
        self.blanks((indent + 1) * STEP)
    }

    /// The beginning of a line: indentation and a symbol.
    pub(super) fn sign(&mut self, indent: usize, sign: Sign, is_bare: bool) -> fmt::Result {
        let (style, symbol) = match sign {
            _ if is_bare => return self.start(indent),
            Sign::Same => return self.start(indent),
            Sign::Add => (Style::Added, "+"),
            Sign::Remove => (Style::Removed, "-"),
            Sign::Change => (Style::Changed, "~"),
        };
        self.blanks(indent * STEP + STEP - 2)?;
        self.put(style, symbol)?;
        self.plain(" ")
    }

    pub(super) fn action(&mut self, action: Action) -> fmt::Result {
        symbol(action).into_iter().try_for_each(|(style, text)| self.put(style, text))
    }

    /// What stands for a value that is not known.
    pub(super) fn unknown(&mut self, causes: &Causes, was_before: bool) -> fmt::Result {
        let teller = if was_before { &mut self.before } else { &mut self.after };
        match teller.first(causes) {
            Some(because) => self.plain(&format!("(known after apply: from {because})")),
            None => self.plain("(known after apply)"),
        }
    }

    /// Why something is not known, if that can be told.
    pub(super) fn because(&mut self, causes: &Causes) -> Option<Arc<Because>> {
        self.after.first(causes)
    }
}

/// The symbol of an action, three wide.
pub(crate) fn symbol(action: Action) -> [(Style, &'static str); 3] {
    let one = |style, symbol| [(Style::Plain, "  "), (style, symbol), (Style::Plain, "")];
    match action {
        Action::NoOp => one(Style::Plain, " "),
        Action::Create => one(Style::Added, "+"),
        Action::Update => one(Style::Changed, "~"),
        Action::Delete => one(Style::Removed, "-"),
        Action::Forget => one(Style::Removed, "."),
        Action::Read => [(Style::Plain, " "), (Style::Read, "<="), (Style::Plain, "")],
        Action::DeleteThenCreate => {
            [(Style::Removed, "-"), (Style::Plain, "/"), (Style::Added, "+")]
        }
        Action::CreateThenDelete => {
            [(Style::Added, "+"), (Style::Plain, "/"), (Style::Removed, "-")]
        }
    }
}
