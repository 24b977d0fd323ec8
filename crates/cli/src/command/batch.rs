//! `groma eval --jsonl`: reads one expression per line from standard input and writes one JSON answer per line, in order, each
//! before the next line is read.

use std::sync::Arc;

use groma::{
    Dialect,
    batches::{BatchOptions, EvaluationBatch},
    mocks::{MOCK, MOCKED, MockRows, read_mocks},
};
use groma_syntax::Diagnostics;

use crate::flag::{CommandArgs, UnknownPolicy};
use crate::input::{InputLine, LINE_LIMIT, read_line, skip_line};
use crate::project;
use crate::session::{EarlyStop, ExitStatus, RunSession};
use crate::view::diagnostic;

/// Runs `groma eval --jsonl`: evaluates each request, a line of JSON on standard input, and prints its answer as a line.
pub(crate) fn run(
    args: &CommandArgs,
    session: &mut RunSession<'_>,
) -> Result<ExitStatus, EarlyStop> {
    if !args.expressions.is_empty() || args.unknown != UnknownPolicy::Error {
        return Err(EarlyStop::Misuse(
            "--jsonl reads expressions from standard input, so -e and --unknown cannot be used with it.".into(),
        ));
    }
    let base = args.base.as_deref().unwrap_or(".");
    let allowed = session.machine.allowed(&args.allowed).map_err(EarlyStop::Misuse)?;
    let host = session.machine.host_within(base, allowed);
    let host = host.map_err(|why| EarlyStop::Misuse(format!("--base={base}: {why}")))?;
    let mut options = BatchOptions {
        host: Arc::new(host),
        base: ".".into(),
        now: args.now,
        seed: args.seed,
        budget: args.budget.clone(),
        ..BatchOptions::default()
    };
    options.edition = args.edition.unwrap_or(options.edition);
    let mut failed = false;
    if let Some(directory) = &args.operand {
        let opened = project::open_against_state(args, Some(directory), session)?;
        let (host, base) = (options.host.clone(), options.base.clone());
        opened.set_scope(&mut options);
        if args.base.is_some() {
            (options.host, options.base) = (host, base);
        }
        failed = opened.failed;
    } else if !args.mocks.is_empty() {
        failed = add_mocks(args, &mut options, session)?;
    }
    if args.at.is_some() && args.operand.is_none() {
        return Err(EarlyStop::Misuse(
            "--in needs a module: with --jsonl, give its directory too.".into(),
        ));
    }
    let batch = EvaluationBatch::new(options);
    let mut bytes = Vec::new();
    loop {
        let line = read_line(session.input, LINE_LIMIT, &mut bytes)?;
        let answer = match line {
            InputLine::End => {
                return Ok(if failed { ExitStatus::ERRORS } else { ExitStatus::SUCCESS });
            }
            InputLine::Whole => {
                batch.answer(String::from_utf8_lossy(&bytes).trim_end_matches('\r'))
            }
            InputLine::TooLong => {
                batch.refuse(&format!("The line is longer than {LINE_LIMIT} bytes, the maximum."))
            }
        };
        writeln!(session.out, "{answer}")?;
        session.out.flush()?;
        if line == InputLine::TooLong {
            skip_line(session.input)?;
        }
        if args.budget.ended().is_some() {
            return Ok(ExitStatus::ERRORS);
        }
    }
}

/// Reads the mock files of the command line into the options for evaluating lines of JSON, and prints their diagnostics; returns
/// true if these contain errors.
fn add_mocks(
    args: &CommandArgs,
    options: &mut BatchOptions,
    session: &mut RunSession<'_>,
) -> Result<bool, EarlyStop> {
    let root = session.machine.root(".", args.root.as_deref()).map_err(EarlyStop::Misuse)?;
    let named = args.mocks.iter().map(String::as_str);
    let host = session.machine.host(root, Vec::new(), named);
    let mut found = Diagnostics::new();
    let rows = MockRows { file: MOCK, folder: MOCKED };
    let rows = Some(rows).filter(|_| options.edition.dialect != Dialect::Packer);
    let (edition, sources) = (options.edition, &mut options.sources);
    let mocks = read_mocks(&args.mocks, rows, &host, edition, sources, &mut found);
    options.mocks = Arc::new(mocks.functions);
    let colour = session.colour(!args.no_color);
    diagnostic::print(&found, &options.sources, colour, session.err)?;
    Ok(found.has_errors())
}
