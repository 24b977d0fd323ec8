//! Console inputs and their effects: an expression is evaluated and printed; a command that begins with a colon explains one or
//! changes the scope, variables or files.

use std::collections::BTreeSet;
use std::rc::Rc;
use std::time::Duration;

use groma::why::veil;
use groma::{Value, limits::RunEnd};
use groma_syntax::{Diagnostic, Diagnostics, Severity};

use super::complete::COMMANDS;
use super::doc;
use super::line::OpenInput;
use crate::files::{Stamp, stamp};
use crate::flag::{CommandArgs, GivenFlag};
use crate::input::{InputLine, LINE_LIMIT, read_line, skip_line};
use crate::limit;
use crate::project::{self, OpenedRoot};
use crate::session::{EarlyStop, RunSession};
use crate::view::{diagnostic, origin, value};
use crate::watch::RunBounds;

/// The text of `:help`.
const HELP: &str = "\
Type an expression to print its value. It may use everything that the root module, or the instance chosen with
--in, can refer to:
var.NAME, local.NAME, module.NAME, resources, path.root, terraform.workspace, and every function.
Lines are joined while a bracket, a quote or a heredoc is open.

  :trace EXPR  every part of the expression with its value, and one row for each iteration of a loop
  :type EXPR   the type of the value
  :why EXPR    where the value comes from, and why a part of it is unknown
  :in ADDRESS  evaluate in the scope of this module or resource instance; without an address, of the root module
  :set var.NAME = EXPR
               set a variable of the root module
  :reload      read all files again; changed files are read again automatically
  :doc NAME    the manual page of a function or a block
  :help        this text
  :quit        leave, as do exit and the end of the input
";

/// Minimum time between two checks for changed files, since inputs may follow each other quickly.
const PAUSE: Duration = Duration::from_millis(200);

/// The state of a console: the open project, the arguments that it was opened with, and the notes that were printed already.
pub(crate) struct ConsoleSession {
    opened: Rc<OpenedRoot>,
    /// The arguments with which the project was opened; `:in` and `:set` change them.
    args: CommandArgs,
    colour: bool,
    /// The stamps of the files when they were read.
    stamps: Vec<Stamp>,
    /// The age of the run when the files were last checked.
    looked: Duration,
    /// True if any input had an error.
    pub failed: bool,
    /// The notes that were printed already: they concern the module, not one input.
    remarked: BTreeSet<String>,
    /// True if the notes about the state were printed.
    has_printed_state_notes: bool,
}

/// The console's reaction to an input: it continues or ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ConsoleFlow {
    Continue,
    Leave,
}

impl ConsoleSession {
    /// Opens the project that the command line names.
    pub(crate) fn open(
        args: &CommandArgs,
        session: &mut RunSession<'_>,
    ) -> Result<ConsoleSession, EarlyStop> {
        let opened = project::open_against_state(args, args.operand.as_deref(), session)?;
        let (failed, remarked, has_printed_state_notes) = (false, BTreeSet::new(), false);
        let colour = session.colour(!args.no_color);
        let stamps = stamps(&opened, args, session);
        let (opened, args, looked) = (Rc::new(opened), args.clone(), session.machine.age());
        Ok(ConsoleSession {
            opened,
            args,
            colour,
            stamps,
            looked,
            failed,
            remarked,
            has_printed_state_notes,
        })
    }

    /// Returns the open project, which `:in`, `:set` and changed files replace.
    pub(crate) fn opened(&self) -> &Rc<OpenedRoot> {
        &self.opened
    }

    /// Returns the budget of the current input.
    pub(crate) fn budget(&self) -> &groma::Budget {
        &self.args.budget
    }

    /// Returns true if the budget is used up, so the run is over.
    pub(crate) fn has_ended(&self) -> bool {
        self.args.budget.ended().is_some()
    }

    /// Prints the diagnostic of the limit that ended the run, unless that is printed already.
    pub(crate) fn report_end(&self, session: &mut RunSession<'_>) -> Result<(), EarlyStop> {
        limit::report_end(&self.args, session)
    }

    /// Reopens the project if Ctrl-C has interrupted the last input, so that the console can continue.
    pub(crate) fn resume(&mut self, session: &mut RunSession<'_>) -> Result<(), EarlyStop> {
        match self.args.budget.ended() {
            Some(RunEnd::Cancelled) => self.reopen(self.args.clone(), session).map(drop),
            _ => Ok(()),
        }
    }

    /// Reads all files again, as the arguments `args` of a command line say, and returns true on success; otherwise the session
    /// is unchanged.
    fn reopen(
        &mut self,
        mut args: CommandArgs,
        session: &mut RunSession<'_>,
    ) -> Result<bool, EarlyStop> {
        // The budget and the parsed files belong to the state that is replaced.
        args.budget = limit::budget(&args);
        args.parsed = groma::folders::ParsedFiles::default();
        let (budget, bounds) = (args.budget.clone(), RunBounds::of(&args));
        session.watch.begin_again(&session.machine, budget, bounds, args.end_form());
        match project::open_against_state(&args, args.operand.as_deref(), session) {
            Ok(opened) => {
                self.stamps = stamps(&opened, &args, session);
                self.looked = session.machine.age();
                (self.opened, self.args) = (Rc::new(opened), args);
                self.remarked.clear();
                self.has_printed_state_notes = false;
                Ok(true)
            }
            Err(EarlyStop::Misuse(why)) => self.refuse(&why, session).map(|()| false),
            Err(EarlyStop::Reported(_)) if args.budget.ended().is_none() => {
                self.failed = true;
                Ok(false)
            }
            Err(stop) => Err(stop),
        }
    }

    /// Reopens the project if a file has changed since it was read.
    fn reopen_if_changed(&mut self, session: &mut RunSession<'_>) -> Result<(), EarlyStop> {
        let now = session.machine.age();
        if now.saturating_sub(self.looked) < PAUSE {
            return Ok(());
        }
        self.looked = now;
        let is_same = |one: &Stamp| stamp(one.0.clone()) == *one;
        if self.stamps.iter().all(is_same) {
            return Ok(());
        }
        writeln!(session.err, "note: files have changed and were read again.\n")?;
        if !self.reopen(self.args.clone(), session)? {
            // A failure is reported once per change.
            self.stamps.iter_mut().for_each(|one| *one = stamp(one.0.clone()));
        }
        Ok(())
    }

    /// Prints an error about an input, and records that the session had an error.
    fn refuse(&mut self, why: &str, session: &mut RunSession<'_>) -> Result<(), EarlyStop> {
        self.failed = true;
        Ok(writeln!(session.err, "error: {why}\n")?)
    }

    /// Runs one input: prints the value of an expression, or carries out a command.
    pub(crate) fn enter(
        &mut self,
        input: &str,
        session: &mut RunSession<'_>,
    ) -> Result<ConsoleFlow, EarlyStop> {
        let bare = input.trim();
        match bare {
            _ if self.has_ended() => return Ok(ConsoleFlow::Leave),
            "" => return Ok(ConsoleFlow::Continue),
            "exit" | "quit" | ":quit" => return Ok(ConsoleFlow::Leave),
            "help" | ":help" => write!(session.out, "{HELP}")?,
            _ if bare.starts_with(':') => self.run_command(bare, session)?,
            _ if is_comment(bare) => {}
            _ => {
                self.reopen_if_changed(session)?;
                if let Some(got) = self.evaluate(input, session)? {
                    writeln!(session.out, "{}", self.opened.text(&got))?;
                }
            }
        }
        Ok(ConsoleFlow::Continue)
    }

    /// Carries out a command that begins with a colon.
    fn run_command(&mut self, input: &str, session: &mut RunSession<'_>) -> Result<(), EarlyStop> {
        let (word, text) = input.split_once(char::is_whitespace).unwrap_or((input, ""));
        let text = text.trim();
        let command = COMMANDS.iter().find(|command| command.trim_end() == word);
        let Some(command) = command else {
            let why = format!("there is no {word} here; :help lists the commands");
            return self.refuse(&why, session);
        };
        match (word, text) {
            (":reload", "") => {
                if self.reopen(self.args.clone(), session)? {
                    writeln!(session.out, "All files were read again.")?;
                }
                Ok(())
            }
            (":reload", _) => self.refuse(":reload takes no arguments", session),
            (":in", _) => self.select_instance(text, session),
            (":set", _) => self.set_variable(text, session),
            (":doc", "") => {
                self.refuse(":doc needs a name, as in :doc cidrsubnet or :doc lifecycle", session)
            }
            (":doc", name) => match doc::show(name, self.opened.edition(), session)? {
                None => Ok(()),
                Some(why) => self.refuse(why.trim_end_matches('.'), session),
            },
            (_, "") if command.ends_with(' ') => {
                let why = format!("{word} needs an expression, as in {word} local.name");
                self.refuse(&why, session)
            }
            _ => {
                self.reopen_if_changed(session)?;
                self.explain(word, text, session)
            }
        }
    }

    /// Carries out the command `word`, one of `:trace`, `:type` and `:why`, for the expression `text`.
    fn explain(
        &mut self,
        word: &str,
        text: &str,
        session: &mut RunSession<'_>,
    ) -> Result<(), EarlyStop> {
        let width = session.terminal.text_width();
        if word == ":why"
            && let Some(told) = origin::of_block(text, &self.opened, width)
        {
            write!(session.out, "{told}")?;
            return Ok(());
        }
        let got = self.evaluate(text, session)?;
        let out = &mut *session.out;
        if word == ":trace" {
            // Errors are shown with the part that they occur in.
            match origin::parts(text, &self.opened) {
                Some(told) => write!(out, "{told}")?,
                None => writeln!(out, ":trace is not available in a Packer template")?,
            }
            return Ok(());
        }
        let Some(got) = got else { return Ok(()) };
        if word == ":type" {
            writeln!(out, "{}", value::type_text(&veil(&got)))?;
        } else if let Some(text) = origin::of_expression(text, &got, &self.opened, width) {
            write!(out, "{text}")?;
        } else if got.is_wholly_known() && !got.summary().mocked {
            writeln!(out, "the value is known")?;
        } else {
            for line in self.opened.reasons(&self.opened.sources()).lines(&got) {
                writeln!(out, "{line}")?;
            }
        }
        Ok(())
    }

    /// Carries out `:in`: expressions are evaluated in the scope of another instance from now on.
    fn select_instance(
        &mut self,
        address: &str,
        session: &mut RunSession<'_>,
    ) -> Result<(), EarlyStop> {
        let address = Some(address.to_owned()).filter(|address| !address.is_empty());
        let mut found = Diagnostics::new();
        let moved = self.opened.with_instance(address.as_deref(), &mut found);
        diagnostic::print(&found, &self.opened.sources(), self.colour, session.err)?;
        match moved {
            Ok(Some(opened)) => {
                (self.opened, self.args.at) = (Rc::new(opened), address);
                self.args.scope = None;
                Ok(())
            }
            Ok(None) => {
                self.failed = true;
                Ok(())
            }
            Err(why) => {
                let clause = why.clause();
                let (first, rest) =
                    clause.split_at(clause.chars().next().map_or(0, char::len_utf8));
                self.refuse(&format!("{}{rest}", first.to_lowercase()), session)
            }
        }
    }

    /// Carries out `:set`: gives a variable of the root module another value.
    fn set_variable(&mut self, text: &str, session: &mut RunSession<'_>) -> Result<(), EarlyStop> {
        let parted = text.split_once('=').map(|(name, value)| (name.trim(), value.trim()));
        let parted = parted.and_then(|(name, value)| Some((name.strip_prefix("var.")?, value)));
        let Some((name, value)) = parted.filter(|(_, value)| !value.is_empty()) else {
            let why = ":set needs a variable and a value, as in :set var.name = \"web\"";
            return self.refuse(why, session);
        };
        if !self.opened.variables().iter().any(|known| known == name) {
            return self.refuse(&format!("there is no variable \"{name}\""), session);
        }
        let Some(got) = self.evaluate(value, session)? else { return Ok(()) };
        if !got.is_wholly_known() {
            let why = format!("the value for var.{name} is unknown, so it cannot be set");
            return self.refuse(&why, session);
        }
        let text = match got.bare() {
            Value::String(text) => text.to_string(),
            _ => groma::json::plain(&got),
        };
        let mut args = self.args.clone();
        let is_same =
            |one: &GivenFlag| matches!(one, GivenFlag::Var { name: own, .. } if own == name);
        args.assignments.retain(|one| !is_same(one));
        args.assignments.push(GivenFlag::Var { name: name.to_owned(), text });
        let before = (self.opened.clone(), self.args.clone());
        if !self.reopen(args, session)? {
            return Ok(());
        }
        // A value that does not fit the variable is reported now, and not where it is used.
        let mut found = Diagnostics::new();
        if let Ok(Some(root)) = self.opened.with_instance(None, &mut found) {
            root.evaluate(&format!("var.{name}"), "<console-input>", &mut found);
        }
        if found.has_errors() && !self.has_ended() {
            diagnostic::print(&found, &self.opened.sources(), self.colour, session.err)?;
            self.failed = true;
            (self.opened, self.args) = before;
        }
        Ok(())
    }

    /// Evaluates an expression, prints its diagnostics and returns its value; `None` after an error.
    fn evaluate(
        &mut self,
        text: &str,
        session: &mut RunSession<'_>,
    ) -> Result<Option<Value>, EarlyStop> {
        let mut diagnostics = Diagnostics::new();
        let before = self.args.budget.remainder();
        let got = self.opened.evaluate(text, "<console-input>", &mut diagnostics);
        // Each input has all the steps, however many the previous one used.
        self.args.budget.begin_question(before);
        let is_new = |one: &&Diagnostic| {
            one.severity != Severity::Note || self.remarked.insert(one.detail.clone())
        };
        let told: Vec<&Diagnostic> = diagnostics.iter().filter(is_new).collect();
        diagnostic::print(told, &self.opened.sources(), self.colour, session.err)?;
        let failed = diagnostics.has_errors();
        self.failed |= failed;
        let is_open = !failed && !got.is_wholly_known() && !self.has_printed_state_notes;
        self.has_printed_state_notes |= is_open;
        self.opened.print_state_notes(is_open, self.colour, session.err)?;
        Ok((!failed).then_some(got))
    }
}

/// Returns the path, write time and length of every file that was read and of the folders that contain them, in which files may
/// appear or vanish.
fn stamps(opened: &OpenedRoot, args: &CommandArgs, session: &RunSession<'_>) -> Vec<Stamp> {
    let sources = opened.sources();
    let given = args.assignments.iter().filter_map(|given| match given {
        GivenFlag::File(path) => Some(path.as_str()),
        GivenFlag::Var { .. } => None,
    });
    let named = given.chain(args.state.as_deref()).chain(args.schema.as_deref());
    let named = named.chain(args.mocks.iter().map(String::as_str));
    let texts = sources.iter().map(|(_, source)| source.name().to_owned());
    let all = texts.chain(named.map(str::to_owned)).filter(|name| !name.starts_with('<'));
    let mut paths = BTreeSet::new();
    for name in all {
        let path = session.machine.place(&name);
        paths.extend(path.parent().map(std::path::Path::to_owned));
        paths.insert(path);
    }
    paths.insert(session.machine.place(args.operand.as_deref().unwrap_or(".")));
    paths.into_iter().map(stamp).collect()
}

/// Returns true if the input consists of comments only.
fn is_comment(input: &str) -> bool {
    input.lines().all(|line| {
        let line = line.trim_start();
        line.is_empty() || line.starts_with('#') || line.starts_with("//")
    })
}

/// Reads inputs from a pipe until it ends; each is answered before the next is read.
pub(crate) fn pipe(
    console: &mut ConsoleSession,
    session: &mut RunSession<'_>,
) -> Result<(), EarlyStop> {
    let mut bytes = Vec::new();
    let mut text = String::new();
    let mut open = OpenInput::default();
    loop {
        let left = LINE_LIMIT.saturating_sub(text.len());
        let line = read_line(session.input, left, &mut bytes)?;
        if line == InputLine::TooLong {
            console.failed = true;
            writeln!(
                session.err,
                "error: an input may have at most {LINE_LIMIT} bytes; the next line starts a new one\n"
            )?;
            skip_line(session.input)?;
            text = String::new();
            open = OpenInput::default();
            continue;
        }
        let ended = line == InputLine::End;
        if !ended {
            // Bytes that are not UTF-8 become a character that no expression may contain, so evaluation reports them.
            let line = String::from_utf8_lossy(&bytes);
            open.feed(&line);
            text.push_str(&line);
            if open.is_incomplete() {
                text.push('\n');
                continue;
            }
        }
        let flow = console.enter(&text, session)?;
        session.out.flush()?;
        let ended = ended || console.has_ended();
        if ended || flow == ConsoleFlow::Leave {
            return Ok(());
        }
        text.clear();
        open = OpenInput::default();
    }
}
