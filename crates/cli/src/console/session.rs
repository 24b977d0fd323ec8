//! What an input of the console does: an expression is evaluated and printed, a word behind a colon asks about one.

use std::collections::BTreeSet;
use std::io::{self, Write};

use groma::{Budget, Value};
use groma_syntax::{Diagnostic, Diagnostics, Severity};

use super::complete::COMMANDS;
use super::line::Open;
use crate::input::{LINE_LIMIT, Line, pass_over, read_line};
use crate::project::Opened;
use crate::session::Session;
use crate::view::{diagnostic, origin, value};

const HELP: &str = "\
An input is an expression; its value is printed. It may use everything that the root module, or the instance chosen with
--in, can refer to:
var.NAME, local.NAME, module.NAME, resources, path.root, terraform.workspace, and every function.
Lines are joined while a bracket, a quote or a heredoc is open.

  :trace EXPR  every part of the expression with its value, and one row for each iteration of a loop
  :type EXPR   the type of the value
  :why EXPR    where the value comes from, and why a part of it is unknown
  :help        this text
  :quit        leave; so do exit, and the end of the input
";

/// A console over an open project.
pub(crate) struct Console<'o> {
    opened: &'o Opened,
    budget: Budget,
    colour: bool,
    /// Whether any input had an error.
    pub failed: bool,
    /// The remarks that were made already: they are about the module, not about the input.
    remarked: BTreeSet<String>,
    /// Whether it was said what there is to say of the state.
    has_told_beside: bool,
}

/// Whether the console goes on after an input.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Flow {
    GoOn,
    Leave,
}

impl<'o> Console<'o> {
    pub(crate) fn new(opened: &'o Opened, budget: Budget, colour: bool) -> Console<'o> {
        let (failed, remarked, has_told_beside) = (false, BTreeSet::new(), false);
        Console { opened, budget, colour, failed, remarked, has_told_beside }
    }

    /// Whether the run has come to its end.
    pub(crate) fn has_ended(&self) -> bool {
        self.budget.ended().is_some()
    }

    /// Does what an input says.
    pub(crate) fn enter(
        &mut self,
        input: &str,
        out: &mut dyn Write,
        err: &mut dyn Write,
    ) -> io::Result<Flow> {
        let bare = input.trim();
        match bare {
            _ if self.has_ended() => return Ok(Flow::Leave),
            "" => return Ok(Flow::GoOn),
            "exit" | "quit" | ":quit" => return Ok(Flow::Leave),
            "help" | ":help" => write!(out, "{HELP}")?,
            _ if bare.starts_with(':') => return self.ask(bare, out, err),
            _ if is_comment(bare) => {}
            _ => {
                if let Some(got) = self.evaluate(input, err)? {
                    writeln!(out, "{}", self.opened.text(&got))?;
                }
            }
        }
        Ok(Flow::GoOn)
    }

    fn ask(&mut self, input: &str, out: &mut dyn Write, err: &mut dyn Write) -> io::Result<Flow> {
        let (word, text) = input.split_once(char::is_whitespace).unwrap_or((input, ""));
        let known = COMMANDS.iter().any(|command| command.trim_end() == word);
        if !known || text.trim().is_empty() {
            self.failed = true;
            if known {
                writeln!(err, "error: {word} needs an expression, as in {word} local.name\n")?;
            } else {
                writeln!(err, "error: there is no {word} here; :help lists what there is\n")?;
            }
            return Ok(Flow::GoOn);
        }
        let got = self.evaluate(text, err)?;
        if word == ":trace" {
            // What is wrong shows best in its parts.
            match origin::parts(text, self.opened) {
                Some(told) => write!(out, "{told}")?,
                None => writeln!(out, "in a Packer template there is no :trace")?,
            }
            return Ok(Flow::GoOn);
        }
        let Some(got) = got else { return Ok(Flow::GoOn) };
        if word == ":type" {
            writeln!(out, "{}", value::type_text(&got))?;
        } else if let Some(text) = origin::of_expression(text, &got, self.opened) {
            write!(out, "{text}")?;
        } else if got.is_wholly_known() && !got.summary().mocked {
            writeln!(out, "the value is known")?;
        } else {
            for line in self.opened.reasons(&self.opened.sources()).lines(&got) {
                writeln!(out, "{line}")?;
            }
        }
        Ok(Flow::GoOn)
    }

    /// The value of an expression; its diagnostics are written, and after an error there is no value.
    fn evaluate(&mut self, text: &str, err: &mut dyn Write) -> io::Result<Option<Value>> {
        let mut diagnostics = Diagnostics::new();
        let before = self.budget.standing();
        let got = self.opened.evaluate(text, "<console-input>", &mut diagnostics);
        // Each input has all the steps, whatever the last one came to.
        self.budget.begin_anew(before);
        let is_new = |one: &&Diagnostic| {
            one.severity != Severity::Note || self.remarked.insert(one.detail.clone())
        };
        let told: Vec<&Diagnostic> = diagnostics.iter().filter(is_new).collect();
        diagnostic::print(told, &self.opened.sources(), self.colour, err)?;
        let failed = diagnostics.has_errors();
        self.failed |= failed;
        let is_open = !failed && !got.is_wholly_known() && !self.has_told_beside;
        self.has_told_beside |= is_open;
        self.opened.tell_beside(is_open, self.colour, err)?;
        Ok((!failed).then_some(got))
    }
}

/// Whether nothing but comments stands in the input.
fn is_comment(input: &str) -> bool {
    input.lines().all(|line| {
        let line = line.trim_start();
        line.is_empty() || line.starts_with('#') || line.starts_with("//")
    })
}

/// Reads inputs until they end; each is answered before the next one is read.
pub(crate) fn pipe(console: &mut Console<'_>, session: &mut Session<'_>) -> io::Result<()> {
    let mut bytes = Vec::new();
    let mut text = String::new();
    let mut open = Open::default();
    loop {
        let left = LINE_LIMIT.saturating_sub(text.len());
        let line = read_line(session.input, left, &mut bytes)?;
        if line == Line::TooLong {
            console.failed = true;
            writeln!(
                session.err,
                "error: an input of more than {LINE_LIMIT} bytes is not read; the next line begins a new one\n"
            )?;
            pass_over(session.input)?;
            text = String::new();
            open = Open::default();
            continue;
        }
        let ended = line == Line::End;
        if !ended {
            // What is not UTF-8 becomes a character that no expression can hold, and is reported there.
            let line = String::from_utf8_lossy(&bytes);
            open.feed(&line);
            text.push_str(&line);
            if open.goes_on() {
                text.push('\n');
                continue;
            }
        }
        let flow = console.enter(&text, session.out, session.err)?;
        session.out.flush()?;
        let ended = ended || console.has_ended();
        if ended || flow == Flow::Leave {
            return Ok(());
        }
        text.clear();
        open = Open::default();
    }
}
