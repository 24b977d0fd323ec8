//! The console at a terminal: line editing, history and completion with rustyline. It uses the process' own terminal, so pages
//! cannot show it.

use std::io;
use std::rc::Rc;
use std::sync::{Arc, Mutex, PoisonError};

use groma::{Budget, limits::RunEnd};
use groma_syntax::render::is_harmful;
use rustyline::completion::Completer;
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::history::FileHistory;
use rustyline::validate::{ValidationContext, ValidationResult, Validator};
use rustyline::{CompletionType, Config, Context, Editor, Helper};

use super::complete::{NameSource, complete};
use super::line;
use super::session::{ConsoleFlow, ConsoleSession};
use crate::project::OpenedRoot;
use crate::session::{EarlyStop, RunSession};

/// Maximum number of inputs in the console's history; older ones are dropped.
const HISTORY: usize = 5_000;

/// Reads inputs from the terminal and evaluates them until the user leaves.
pub(crate) fn run_prompt(
    console: &mut ConsoleSession,
    session: &mut RunSession<'_>,
) -> Result<(), EarlyStop> {
    let history = session.machine.history();
    let config = Config::builder()
        .completion_type(CompletionType::List)
        .history_ignore_dups(true)
        .and_then(|config| config.max_history_size(HISTORY))
        .map_err(stop)?
        .build();
    let mut editor: Editor<LineHelper, FileHistory> = Editor::with_config(config).map_err(stop)?;
    let stops = InterruptGuard::begin();
    if let Some(file) = &history {
        // The history does not exist at first, and a broken one must not end the console.
        let _ = editor.load_history(file);
    }
    writeln!(session.out, "Type an expression, :help or exit.")?;
    session.out.flush()?;
    loop {
        editor.set_helper(Some(LineHelper { opened: console.opened().clone() }));
        let input = match editor.readline("> ") {
            Ok(input) => input,
            Err(ReadlineError::Interrupted) => continue,
            Err(ReadlineError::Eof) => return Ok(()),
            Err(error) => return Err(stop(error)),
        };
        if !input.trim().is_empty() {
            let _ = editor.add_history_entry(input.trim_end());
            if let Some(file) = &history {
                let _ = editor.append_history(file);
            }
        }
        // Pasted text may contain several inputs.
        for input in line::inputs(&input) {
            stops.watch(Some(console.budget().clone()));
            let flow = console.enter(input, session);
            stops.watch(None);
            session.out.flush()?;
            // The rest of a pasted text is dropped after an interruption.
            if flow.is_ok() && console.budget().ended() == Some(RunEnd::Cancelled) {
                console.resume(session)?;
                break;
            }
            if flow? == ConsoleFlow::Leave || console.has_ended() {
                return Ok(());
            }
        }
    }
}

/// Converts an error of the line editor to the reason why the console ends.
fn stop(error: ReadlineError) -> EarlyStop {
    EarlyStop::Stream(match error {
        ReadlineError::Io(error) => error,
        other => io::Error::other(other.to_string()),
    })
}

/// A handle on the budget that Ctrl-C ends while an input is evaluated, in place of the process, so that the console
/// continues. While the user types, the line editor handles Ctrl-C.
#[derive(Clone, Default)]
struct InterruptGuard(Arc<Mutex<Option<Budget>>>);

impl InterruptGuard {
    /// Installs a handler of Ctrl-C that ends the budget which is set in the returned guard, instead of the process.
    fn begin() -> InterruptGuard {
        let stopping = InterruptGuard::default();
        let heard = stopping.clone();
        // Without a handler Ctrl-C ends the process, as usual.
        let _ = ctrlc::set_handler(move || {
            if let Some(budget) = &*heard.0.lock().unwrap_or_else(PoisonError::into_inner) {
                budget.end(RunEnd::Cancelled);
            }
        });
        stopping
    }

    /// Sets the budget that Ctrl-C ends; `None` while nothing is evaluated.
    fn watch(&self, budget: Option<Budget>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = budget;
    }
}

/// The line editor's helper, which completes and validates an input while the user types.
struct LineHelper {
    opened: Rc<OpenedRoot>,
}

impl Helper for LineHelper {}
impl Highlighter for LineHelper {}

impl Hinter for LineHelper {
    type Hint = String;
}

impl Validator for LineHelper {
    fn validate(&self, context: &mut ValidationContext<'_>) -> rustyline::Result<ValidationResult> {
        Ok(if line::is_whole(context.input()) {
            ValidationResult::Valid(None)
        } else {
            ValidationResult::Incomplete
        })
    }
}

impl Completer for LineHelper {
    type Candidate = String;

    fn complete(
        &self,
        line: &str,
        position: usize,
        _: &Context<'_>,
    ) -> rustyline::Result<(usize, Vec<String>)> {
        let (start, mut names) = complete(line, position, &*self.opened as &dyn NameSource);
        // The editor writes the names to the terminal unescaped.
        names.retain(|name| !name.contains(is_harmful));
        Ok((start, names))
    }
}
