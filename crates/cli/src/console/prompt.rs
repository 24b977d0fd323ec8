//! The console at a terminal: line editing, history, completion. rustyline does the work; it talks to the process' own
//! terminal, which is why this is the one part that pages cannot show.

use std::io;
use std::rc::Rc;
use std::sync::{Arc, Mutex, PoisonError};

use groma::{Bound, Budget};
use groma_syntax::render::is_harmful;
use rustyline::completion::Completer;
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::history::FileHistory;
use rustyline::validate::{ValidationContext, ValidationResult, Validator};
use rustyline::{CompletionType, Config, Context, Editor, Helper};

use super::complete::{Known, complete};
use super::line;
use super::session::{Console, Flow};
use crate::project::Opened;
use crate::session::{Session, Stop};

/// How many inputs the history keeps.
const HISTORY: usize = 5_000;

/// Talks until the user leaves.
pub(crate) fn talk(console: &mut Console, session: &mut Session<'_>) -> Result<(), Stop> {
    let history = session.machine.history();
    let config = Config::builder()
        .completion_type(CompletionType::List)
        .history_ignore_dups(true)
        .and_then(|config| config.max_history_size(HISTORY))
        .map_err(stop)?
        .build();
    let mut editor: Editor<Typing, FileHistory> = Editor::with_config(config).map_err(stop)?;
    let stops = Stopping::begin();
    if let Some(file) = &history {
        // The first time there is none, and a broken one is no reason not to talk.
        let _ = editor.load_history(file);
    }
    writeln!(session.out, "Type an expression, :help, or exit.")?;
    session.out.flush()?;
    loop {
        editor.set_helper(Some(Typing { opened: console.opened().clone() }));
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
        // What was pasted may be several inputs.
        for input in line::inputs(&input) {
            stops.watch(Some(console.budget().clone()));
            let flow = console.enter(input, session);
            stops.watch(None);
            session.out.flush()?;
            // What was pasted behind an input that was stopped is not done either.
            if flow.is_ok() && console.budget().ended() == Some(Bound::Cancelled) {
                console.resume(session)?;
                break;
            }
            if flow? == Flow::Leave || console.has_ended() {
                return Ok(());
            }
        }
    }
}

fn stop(error: ReadlineError) -> Stop {
    Stop::Stream(match error {
        ReadlineError::Io(error) => error,
        other => io::Error::other(other.to_string()),
    })
}

/// What Ctrl-C stops while an input is worked on: that input, and not the console. While someone types the line editor
/// hears it.
#[derive(Clone, Default)]
struct Stopping(Arc<Mutex<Option<Budget>>>);

impl Stopping {
    fn begin() -> Stopping {
        let stopping = Stopping::default();
        let heard = stopping.clone();
        // Where nobody can listen Ctrl-C ends the process, as it does everywhere else.
        let _ = ctrlc::set_handler(move || {
            if let Some(budget) = &*heard.0.lock().unwrap_or_else(PoisonError::into_inner) {
                budget.end(Bound::Cancelled);
            }
        });
        stopping
    }

    fn watch(&self, budget: Option<Budget>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = budget;
    }
}

/// What the line editor asks while someone types.
struct Typing {
    opened: Rc<Opened>,
}

impl Helper for Typing {}
impl Highlighter for Typing {}

impl Hinter for Typing {
    type Hint = String;
}

impl Validator for Typing {
    fn validate(&self, context: &mut ValidationContext<'_>) -> rustyline::Result<ValidationResult> {
        Ok(if line::is_whole(context.input()) {
            ValidationResult::Valid(None)
        } else {
            ValidationResult::Incomplete
        })
    }
}

impl Completer for Typing {
    type Candidate = String;

    fn complete(
        &self,
        line: &str,
        position: usize,
        _: &Context<'_>,
    ) -> rustyline::Result<(usize, Vec<String>)> {
        let (start, mut names) = complete(line, position, &*self.opened as &dyn Known);
        // The editor writes them to the terminal itself.
        names.retain(|name| !name.contains(is_harmful));
        Ok((start, names))
    }
}
