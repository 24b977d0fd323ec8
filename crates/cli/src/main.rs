//! The `groma` program: takes the process' arguments, streams and machine, runs the command, gives its exit code.
//! The work happens on a thread with a large stack; only what is touched of it costs memory.
#![forbid(unsafe_code)]

use std::io::{self, BufWriter, IsTerminal as _, Write as _};
use std::panic::{self, PanicHookInfo};
use std::process::ExitCode;
use std::sync::Mutex;
use std::thread;

use groma_cli::{Exit, Machine, Session, Terminal, run};

/// Deep code nests deep calls. The reserve is address space until it is used.
const STACK: usize = 256 << 20;

/// What the panic hook heard, for the apology.
static PANIC: Mutex<String> = Mutex::new(String::new());

fn main() -> ExitCode {
    let machine = match Machine::here() {
        Ok(machine) => machine,
        Err(message) => return complain(&message),
    };
    if machine.env("RUST_BACKTRACE").is_none() {
        panic::set_hook(Box::new(hear));
    }
    match thread::Builder::new().name("groma".into()).stack_size(STACK).spawn(|| work(machine)) {
        Ok(worker) => worker.join().map_or_else(|_| apologise(), |exit| ExitCode::from(exit.0)),
        Err(error) => complain(&format!("no thread to work on: {error}")),
    }
}

fn work(machine: Machine) -> Exit {
    let terminal = Terminal {
        input: io::stdin().is_terminal(),
        output: io::stdout().is_terminal(),
        errors: io::stderr().is_terminal(),
    };
    let arguments = Machine::arguments();
    run(
        arguments,
        Session {
            input: &mut io::stdin().lock(),
            out: &mut BufWriter::with_capacity(1 << 16, io::stdout()),
            err: &mut io::stderr(),
            terminal,
            machine,
        },
    )
}

/// Keeps the place and the message of a panic and prints nothing.
fn hear(panic: &PanicHookInfo<'_>) {
    let said = panic.payload_as_str().unwrap_or("no message");
    let place =
        panic.location().map_or_else(String::new, |at| format!("{}:{}: ", at.file(), at.line()));
    if let Ok(mut heard) = PANIC.lock() {
        *heard = format!("{place}{said}").replace('\n', " ");
    }
}

fn apologise() -> ExitCode {
    let heard = PANIC.lock().map(|heard| heard.clone()).unwrap_or_default();
    complain(&format!(
        "sorry, groma itself failed ({heard}). Please report it, with the code and the command line."
    ))
}

fn complain(message: &str) -> ExitCode {
    // Nobody may be listening on standard error; then there is nobody to tell.
    let _ = writeln!(io::stderr(), "groma: {message}");
    ExitCode::from(Exit::ERRORS.0)
}
