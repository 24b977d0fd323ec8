//! `groma lsp`: runs the language server on standard input and output. The server itself has no streams and threads; this file
//! has both: one thread reads, one runs long jobs, and this one answers. It ends when the client's process ends.

use std::io::{Read, Write};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::Duration;

use groma_lsp::{
    FrameContent, FrameReader, JobOutcome, LanguageServer, ServerJob, ServerOutput, framed,
};

use super::row::CommandRow;
use crate::editor_host::EditorHost;
use crate::flag::{self, CommandArgs, FlagRow, FlagValue, set};
use crate::host::MachineContext;
use crate::limit;
use crate::session::{EarlyStop, ExitStatus, RunSession};
use groma::limits::EVALUATION_STACK;

/// The command `groma lsp`: its flags, help and entry point.
pub(crate) const COMMAND: CommandRow = CommandRow {
    name: limit::SERVER,
    about: "Serve an editor over the Language Server Protocol",
    operand: None,
    flags: &[FLAGS],
    more: "Editors start this command and speak to it on standard input and output. Only the \
           editor writes files, and no network is used. Settings come from the editor and from groma.toml; with \
           --untrusted, or if the editor reports that the workspace is not trusted, only those of the editor apply.\n\n\
           Exit codes: 0 success, 1 the client disconnected without a request to shut down, 2 wrong use.",
    run,
};

/// Flags that only `groma lsp` has.
const FLAGS: &[FlagRow] = &[
    FlagRow {
        name: "stdio",
        takes: FlagValue::Nothing,
        about: "Use standard input and output (the default; clients add it)",
        read: |_, _| Ok(()),
    },
    FlagRow {
        name: "log-file",
        takes: FlagValue::Value("FILE"),
        about: "Append the server's log to FILE",
        read: |args, text| set(&mut args.log_file, text.to_owned()),
    },
    FlagRow {
        name: "clientProcessId",
        takes: FlagValue::Value("PID"),
        about: "End when this process ends (clients add it)",
        read: |args, text| match text.parse() {
            Ok(id) => set(&mut args.client_process, id),
            Err(_) => Err(format!("--clientProcessId must be a number, not \"{text}\".")),
        },
    },
    flag::UNTRUSTED,
    flag::MEMORY,
];

/// The interval between two checks whether the client's process still runs.
const PULSE: Duration = Duration::from_secs(1);

/// The number of intervals of length [`PULSE`] between two checks for changed files, made for clients that do not watch files
/// themselves.
const PULSES_PER_LOOK: u32 = 3;

/// An event for the thread that answers requests: input from the client, a finished job, or the end of input.
enum ServerEvent {
    Frame(FrameContent),
    Outcome(JobOutcome),
    /// The client has closed its stream.
    End,
}

/// Serves the language server protocol until the client ends the session.
fn run(args: &CommandArgs, session: &mut RunSession<'_>) -> Result<ExitStatus, EarlyStop> {
    let log = ServerLog::open(args, &session.machine)?;
    let host = EditorHost::new(args, session.machine.clone());
    let server = LanguageServer::new(Arc::new(host));
    match session.machine.input() {
        Some(input) => serve_by_threads(server, input, args.client_process, log, session),
        None => serve_alone(server, log, session),
    }
}

/// Serves the language server protocol on one thread, as in a test, whose input ends by itself: each message is answered before
/// the next is read.
fn serve_alone(
    mut server: LanguageServer,
    mut log: ServerLog,
    session: &mut RunSession<'_>,
) -> Result<ExitStatus, EarlyStop> {
    let mut frames = FrameReader::default();
    loop {
        let bytes = session.input.fill_buf()?;
        let length = bytes.len();
        if length == 0 {
            break;
        }
        frames.push(bytes);
        session.input.consume(length);
        while let Some(frame) = frames.next_frame() {
            receive(&mut server, frame);
            loop {
                while server.step() {}
                write_out(&mut server, session.out, &mut log)?;
                let Some(job) = server.next_job() else { break };
                let outcome = job.run();
                server.finish(outcome);
            }
            if let Some(code) = server.exit_code() {
                return Ok(ExitStatus(code));
            }
        }
    }
    Ok(ExitStatus::ERRORS)
}

/// Serves the language server protocol with a reading thread and a working thread, until the client exits or its process, with
/// the number `client` if known, ends.
fn serve_by_threads(
    mut server: LanguageServer,
    input: Box<dyn Read + Send>,
    client: Option<u32>,
    mut log: ServerLog,
    session: &mut RunSession<'_>,
) -> Result<ExitStatus, EarlyStop> {
    let (sender, events) = channel();
    let (jobs, waiting) = channel();
    let reading = sender.clone();
    spawn("groma-lsp-reader", move || read_frames(input, &reading))?;
    spawn("groma-lsp-worker", move || carry_out(&waiting, &sender))?;
    let mut pulses: u32 = 0;
    loop {
        // All pending messages are read first, so that the client can cancel what has not begun.
        while let Ok(event) = events.try_recv() {
            if let Some(end) = handle(&mut server, event) {
                return Ok(end);
            }
        }
        let has_worked = server.step();
        while let Some(job) = server.next_job() {
            let _ = jobs.send(job);
        }
        write_out(&mut server, session.out, &mut log)?;
        if let Some(code) = server.exit_code() {
            return Ok(ExitStatus(code));
        }
        if has_worked {
            continue;
        }
        match events.recv_timeout(PULSE) {
            Ok(event) => {
                if let Some(end) = handle(&mut server, event) {
                    return Ok(end);
                }
            }
            Err(RecvTimeoutError::Timeout) => {
                pulses = pulses.wrapping_add(1);
                server.note_long_work();
                let process = server.client_process().or(client);
                if process.is_some_and(|id| !MachineContext::is_running(id)) {
                    return Ok(ExitStatus::ERRORS);
                }
                if pulses.is_multiple_of(PULSES_PER_LOOK) {
                    server.poll_files();
                }
            }
            Err(RecvTimeoutError::Disconnected) => return Ok(ExitStatus::ERRORS),
        }
    }
}

/// Starts a named thread with the stack that evaluation needs.
fn spawn(name: &str, work: impl FnOnce() + Send + 'static) -> Result<(), EarlyStop> {
    // Deeply nested code needs as large a stack as the command's own thread has.
    let thread = thread::Builder::new().name(name.to_owned()).stack_size(EVALUATION_STACK);
    thread.spawn(work).map(drop).map_err(EarlyStop::Stream)
}

/// Reads messages from the client and sends them as events, until the stream ends.
fn read_frames(mut input: Box<dyn Read + Send>, events: &Sender<ServerEvent>) {
    let mut frames = FrameReader::default();
    let mut bytes = vec![0; 1 << 16];
    loop {
        match input.read(&mut bytes) {
            Ok(0) => break,
            Ok(count) => frames.push(&bytes[..count]),
            Err(why) if why.kind() == std::io::ErrorKind::Interrupted => continue,
            Err(_) => break,
        }
        while let Some(frame) = frames.next_frame() {
            if events.send(ServerEvent::Frame(frame)).is_err() {
                return;
            }
        }
    }
    let _ = events.send(ServerEvent::End);
}

/// Runs the jobs that the language server hands to the working thread one after another, and sends their outcomes as events.
fn carry_out(jobs: &Receiver<ServerJob>, events: &Sender<ServerEvent>) {
    while let Ok(job) = jobs.recv() {
        if events.send(ServerEvent::Outcome(job.run())).is_err() {
            return;
        }
    }
}

/// Passes an event on to the language server; returns the exit status if the event is the end of the input, else `None`.
fn handle(server: &mut LanguageServer, event: ServerEvent) -> Option<ExitStatus> {
    match event {
        ServerEvent::Frame(frame) => receive(server, frame),
        ServerEvent::Outcome(outcome) => server.finish(outcome),
        ServerEvent::End => {
            // Messages that arrived before the end are still handled.
            while server.step() {}
            return Some(server.exit_code().map_or(ExitStatus::ERRORS, ExitStatus));
        }
    }
    None
}

/// Passes a message from the client to the language server, or the reason why its framing could not be read.
fn receive(server: &mut LanguageServer, frame: FrameContent) {
    match frame {
        FrameContent::Message(text) => server.receive(&text),
        FrameContent::Broken(why) => server.receive_broken(why),
    }
}

/// Writes the server's pending messages to the client and its log lines to the log.
fn write_out(
    server: &mut LanguageServer,
    out: &mut dyn Write,
    log: &mut ServerLog,
) -> Result<(), EarlyStop> {
    let mut has_written = false;
    while let Some(output) = server.next_output() {
        match output {
            ServerOutput::Message(message) => {
                out.write_all(framed(&message).as_bytes())?;
                has_written = true;
            }
            ServerOutput::Log(line) => log.write(&line),
        }
    }
    if has_written {
        out.flush()?;
    }
    Ok(())
}

/// The file of `--log-file`, to which the server logs; `None` without the flag.
struct ServerLog(Option<Box<dyn Write>>);

impl ServerLog {
    /// Opens the log file that the flags name, if any.
    fn open(args: &CommandArgs, machine: &MachineContext) -> Result<ServerLog, EarlyStop> {
        let Some(file) = &args.log_file else { return Ok(ServerLog(None)) };
        match machine.append_to(file) {
            Ok(file) => Ok(ServerLog(Some(Box::new(file)))),
            Err(why) => {
                Err(EarlyStop::Misuse(format!("--log-file={file} cannot be opened: {why}.")))
            }
        }
    }

    /// Appends a line to the log file, if there is one.
    fn write(&mut self, line: &str) {
        if let Some(file) = &mut self.0 {
            // A failing log is not a reason to stop serving the client.
            let _ = writeln!(file, "{}", line.replace('\n', " "));
        }
    }
}
