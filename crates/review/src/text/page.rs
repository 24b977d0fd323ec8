//! Where lines are written: indentation, symbols, and the few words that say why a value is not known.

use std::fmt;
use std::sync::Arc;

use groma_folder::without_keys;
use groma_plan::Action;
use groma_syntax::render::harmless;
use groma_value::{CauseId, Causes};
use rustc_hash::FxHashMap;

use super::head::opening;
use crate::difference::Sign;
use crate::model::Declared;
use crate::reasons::{Because, Reasons};
use crate::style::{Sink, Style};

/// How wide one step of indentation is; a symbol with its blank is as wide.
const STEP: usize = 4;
const BLANKS: &str = "                                                                ";

/// A text that is being written, and who explains what is not known in it.
pub(crate) struct Page<'p> {
    /// By how many steps each line is moved in, to leave room for signs.
    margin: usize,
    sink: &'p mut dyn Sink,
    before: Teller<'p>,
    after: Teller<'p>,
    /// Room for a line in the making.
    line: String,
    /// How the objects of the last resource are opened.
    opened: Option<(Arc<Declared>, String)>,
}

/// Explains unknowns; each cause is put into words once.
struct Teller<'p> {
    reasons: &'p Reasons,
    known: FxHashMap<CauseId, Option<Told>>,
    /// The object that is written of, without the keys of instances.
    own: String,
}

/// A cause in words.
struct Told {
    because: Because,
    /// Its address without the keys of instances.
    whose: String,
    /// What stands for a value that is not known because of it.
    unknown: String,
}

impl Told {
    fn of(because: Because) -> Told {
        let unknown = format!("(known after apply: from {because})");
        Told { whose: without_keys(&because.address), unknown, because }
    }
}

impl Teller<'_> {
    fn first(&mut self, causes: &Causes) -> Option<&Told> {
        let Teller { reasons, known, own } = self;
        let is_news = |told: &Option<Told>| told.as_ref().is_some_and(|told| told.whose != *own);
        let id = causes.ids().iter().find(|id| {
            is_news(known.entry(**id).or_insert_with(|| reasons.told(**id).map(Told::of)))
        })?;
        known.get(id)?.as_ref()
    }
}

impl<'p> Page<'p> {
    pub(crate) fn new(sink: &'p mut dyn Sink, before: &'p Reasons, after: &'p Reasons) -> Page<'p> {
        let teller = |reasons| Teller { reasons, known: FxHashMap::default(), own: String::new() };
        let (before, after) = (teller(before), teller(after));
        Page { sink, before, after, line: String::new(), opened: None, margin: 1 }
    }

    /// The same without the room for signs before each line.
    pub(crate) fn without_margin(self) -> Page<'p> {
        Page { margin: 0, ..self }
    }

    /// Says which object is written of from now on: that its own attributes are known when it is made is no news.
    pub(crate) fn is_about(&mut self, address: &str) {
        let own = without_keys(address);
        if own != self.after.own {
            self.before.own.clone_from(&own);
            self.after.own = own;
        }
    }

    /// The address of that without the keys of instances.
    pub(super) fn own(&self) -> &str {
        &self.after.own
    }

    /// Writes pieces as one.
    pub(super) fn joined(&mut self, style: Style, pieces: &[&str]) -> fmt::Result {
        self.line.clear();
        pieces.iter().for_each(|piece| self.line.push_str(piece));
        self.sink.put(style, &self.line)
    }

    /// Writes how the objects of a resource are opened, put into words once for those that stand together.
    pub(super) fn head_of(&mut self, declared: &Arc<Declared>) -> fmt::Result {
        let known = self.opened.take().filter(|(known, _)| Arc::ptr_eq(known, declared));
        let (_, text) = self.opened.insert(known.unwrap_or_else(|| {
            let text = opening(declared.mode, &declared.kind, &declared.name);
            (declared.clone(), format!(" {} ", harmless(&text)))
        }));
        self.sink.put(Style::Plain, text)
    }

    pub(crate) fn put(&mut self, style: Style, text: &str) -> fmt::Result {
        self.sink.put(style, text)
    }

    pub(crate) fn plain(&mut self, text: &str) -> fmt::Result {
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
        self.blanks((indent + self.margin) * STEP)
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
        let told = teller.first(causes).map_or("(known after apply)", |told| &told.unknown);
        self.sink.put(Style::Plain, told)
    }

    /// Why something is not known, if that can be told.
    pub(super) fn because(&mut self, causes: &Causes) -> Option<&Because> {
        self.after.first(causes).map(|told| &told.because)
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
        Action::ForgetThenCreate => {
            [(Style::Removed, "."), (Style::Plain, "/"), (Style::Added, "+")]
        }
        Action::CreateThenForget => {
            [(Style::Added, "+"), (Style::Plain, "/"), (Style::Removed, ".")]
        }
    }
}
