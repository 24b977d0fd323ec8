//! `groma console`: evaluates expressions in the scope of a root module, typed or piped.

use super::plan;
use super::row::CommandRow;
use crate::console::{ConsoleSession, pipe, run_prompt};
use crate::flag;
use crate::session::{EarlyStop, ExitStatus};

/// The command `groma console`: its flags, help and behaviour.
pub(crate) const COMMAND: CommandRow = CommandRow {
    name: "console",
    about: "Evaluate expressions in a module interactively",
    operand: Some(("DIR", "The module's directory (default: the current directory)")),
    flags: &[&[flag::IN, flag::SCOPE], plan::STATE, flag::MODULE, flag::TEMPLATE],
    more: "When input is piped, one expression is read per line; lines are joined while brackets, quotes or a \
           heredoc are open. Results go to standard output in order, errors to standard error. The state is read as \
           in `groma plan`: values that a resource keeps come from there.\n\n\
           Exit codes: 0 success, 1 there was an error, 2 wrong use.",
    run: |args, session| {
        if args.at.is_some() && args.scope.is_some() {
            let why = "--in and -scope cannot be used together.";
            return Err(EarlyStop::Misuse(why.to_owned()));
        }
        let mut console = ConsoleSession::open(args, session)?;
        if session.terminal.input && session.terminal.output {
            run_prompt(&mut console, session)?;
            console.report_end(session)?;
            // What was stopped meanwhile is already reported.
            session.watch.mark_reported();
            return Ok(ExitStatus::SUCCESS);
        }
        pipe(&mut console, session)?;
        console.report_end(session)?;
        let failed = console.failed || console.opened().failed;
        Ok(if failed { ExitStatus::ERRORS } else { ExitStatus::SUCCESS })
    },
};
