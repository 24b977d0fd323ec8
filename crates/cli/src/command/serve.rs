//! `groma serve`: answers JSON requests on standard input and output, one per line. Requests about one root are answered in
//! order; those about different roots in parallel, so an answer may overtake another.

use std::collections::{BTreeMap, VecDeque};
use std::io::{self, BufRead, Write};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

use groma::limits::EVALUATION_STACK;
use groma::{Host, hosts::file_path, packer::is_template};
use groma_door::{FolderHosts, JsonDoor, RequestLine, RequestOrder};

use super::row::CommandRow;
use crate::flag::{self, CommandArgs, FlagRow};
use crate::host::MachineContext;
use crate::input::{InputLine, read_line, skip_line};
use crate::limit;
use crate::session::{EarlyStop, ExitStatus, RunSession};

/// The command `groma serve`: its flags, help and entry point.
pub(crate) const COMMAND: CommandRow = CommandRow {
    name: limit::DOOR,
    about: "Answer requests from another program, one JSON object per line",
    operand: None,
    flags: &[FLAGS],
    more: "A request opens a root, from texts or from a directory, and later ones ask about it; nothing is written to \
           files and no network is used. The forms are described in docs/reference/serve.md.\n\n\
           Exit codes: 0 the input has ended, 1 a stream failed, 2 wrong use.",
    run,
};

/// Flags that only `groma serve` has.
const FLAGS: &[FlagRow] = &[flag::UNTRUSTED];

/// Maximum number of bytes in a request; a longer one is answered with an error.
const REQUEST_LIMIT: usize = 64 << 20;

/// Maximum number of requests that wait for an answer. Input is not read while the queue is full.
const MAX_WAITING: usize = 256;

/// The file access for folders that requests name, bounded as for a command run there.
struct DiskFolders(MachineContext);

impl FolderHosts for DiskFolders {
    fn host(&self, dir: &str, is_untrusted: bool) -> Result<(Arc<dyn Host>, String), String> {
        let mut machine = self.0.clone();
        machine.distrust(is_untrusted);
        let is_file = is_template(dir) && machine.is_file(dir);
        if !is_file && !machine.is_directory(dir) {
            return Err(format!("{dir} is not a directory."));
        }
        let folder = if is_file { file_path::parent(dir) } else { dir.to_owned() };
        let root = machine.root(&folder, None)?;
        let top = root.to_string_lossy().into_owned();
        Ok((Arc::new(machine.host(root, Vec::new(), std::iter::empty())), top))
    }
}

/// The queue of requests, by the root that each is about.
#[derive(Default)]
struct WaitingRequests {
    /// The requests of each root; the first stays in place as `None` while a thread answers it.
    by_root: BTreeMap<u64, VecDeque<Option<RequestLine>>>,
    /// The roots whose first request waits for a thread, oldest first.
    ready: VecDeque<u64>,
    /// The number of all requests that are not answered yet.
    count: usize,
    /// True once the input has ended.
    has_ended: bool,
}

impl WaitingRequests {
    /// Appends a request to the queue of the root with the number `root`; requests about one root are answered in order.
    fn put(&mut self, root: u64, line: RequestLine) {
        let own = self.by_root.entry(root).or_default();
        own.push_back(Some(line));
        self.count += 1;
        if own.len() == 1 {
            self.ready.push_back(root);
        }
    }

    /// Takes the next request about a root that no thread works on, with the root's number; `None` if there is no such request.
    fn take(&mut self) -> Option<(u64, RequestLine)> {
        let root = self.ready.pop_front()?;
        let own = self.by_root.get_mut(&root)?;
        Some((root, own.front_mut()?.take()?))
    }

    /// Returns true if no request is left and none will come.
    fn is_over(&self) -> bool {
        self.has_ended && self.count == 0
    }

    /// Removes the request of a root that was answered, so that its next one can be taken.
    fn answered(&mut self, root: u64) {
        self.count -= 1;
        let Some(own) = self.by_root.get_mut(&root) else { return };
        own.pop_front();
        match own.is_empty() {
            true => drop(self.by_root.remove(&root)),
            false => self.ready.push_back(root),
        }
    }
}

/// The JSON interface, request queue and output of `groma serve`, shared by its reading and answering threads.
struct Server<'s> {
    door: JsonDoor,
    waiting: Mutex<WaitingRequests>,
    /// Signalled when a request arrives, and when no more will be answered.
    arrived: Condvar,
    /// Signalled when a request is answered.
    answered: Condvar,
    /// Standard output, with the outcome of writing so far.
    out: Mutex<(&'s mut (dyn Write + Send), io::Result<()>)>,
}

/// Locks a mutex, ignoring the panic of another holder.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Server<'_> {
    /// Writes one answer as a line. After a failure nothing more is written.
    fn write(&self, answer: &str) {
        let mut out = lock(&self.out);
        let (stream, outcome) = &mut *out;
        if outcome.is_ok() {
            *outcome = writeln!(stream, "{answer}").and_then(|()| stream.flush());
        }
    }

    /// Returns true if writing an answer has failed.
    fn has_failed(&self) -> bool {
        lock(&self.out).1.is_err()
    }

    /// Answers requests until the input has ended and the queue is empty.
    fn work(&self) {
        let mut waiting = lock(&self.waiting);
        loop {
            if let Some((root, line)) = waiting.take() {
                drop(waiting);
                self.write(&self.door.answer_to(line));
                waiting = lock(&self.waiting);
                waiting.answered(root);
                self.answered.notify_one();
                if waiting.is_over() {
                    self.arrived.notify_all();
                }
            } else if waiting.is_over() {
                return;
            } else {
                waiting = self.arrived.wait(waiting).unwrap_or_else(PoisonError::into_inner);
            }
        }
    }

    /// Reads requests into the queue until the input ends or writing fails.
    fn read(&self, input: &mut dyn BufRead) -> io::Result<()> {
        let mut bytes = Vec::new();
        while !self.has_failed() {
            match read_line(input, REQUEST_LIMIT, &mut bytes)? {
                InputLine::End => break,
                InputLine::TooLong => {
                    self.write(&JsonDoor::too_long(REQUEST_LIMIT));
                    skip_line(input)?;
                    continue;
                }
                InputLine::Whole => {}
            }
            let text = String::from_utf8_lossy(&bytes);
            if text.trim().is_empty() {
                continue;
            }
            let line = RequestLine::read(text.trim());
            // Opening a root reads no file, and a cancellation must not wait for the request that it cancels.
            let RequestOrder::OfRoot(root) = line.order else {
                self.write(&self.door.answer_to(line));
                continue;
            };
            let mut waiting = lock(&self.waiting);
            while waiting.count >= MAX_WAITING {
                waiting = self.answered.wait(waiting).unwrap_or_else(PoisonError::into_inner);
            }
            waiting.put(root, line);
            drop(waiting);
            // One thread is enough: those at work take what is ready when they have answered.
            self.arrived.notify_one();
        }
        Ok(())
    }
}

/// Answers the requests that another program writes to standard input, one per line of JSON, with several threads, until the
/// input ends.
fn run(args: &CommandArgs, session: &mut RunSession<'_>) -> Result<ExitStatus, EarlyStop> {
    let mut machine = session.machine.clone();
    machine.distrust(args.untrusted);
    let (threads, most) = (machine.threads().max(1), limit::of_request(&machine));
    let server = Server {
        door: JsonDoor::new(DiskFolders(machine)).within(most),
        waiting: Mutex::default(),
        arrived: Condvar::new(),
        answered: Condvar::new(),
        out: Mutex::new((&mut *session.out, Ok(()))),
    };
    let input = &mut *session.input;
    let read = thread::scope(|scope| {
        for _ in 0..threads {
            let worker = thread::Builder::new().stack_size(EVALUATION_STACK);
            if worker.spawn_scoped(scope, || server.work()).is_err() {
                break;
            }
        }
        let read = server.read(input);
        lock(&server.waiting).has_ended = true;
        server.arrived.notify_all();
        // If no thread could be started, this one answers.
        server.work();
        read
    });
    read?;
    let Server { out, .. } = server;
    let (_, outcome) = out.into_inner().unwrap_or_else(PoisonError::into_inner);
    outcome?;
    Ok(ExitStatus::SUCCESS)
}

#[cfg(test)]
mod tests {
    use groma_door::{JsonDoor, NoFolders, RequestLine, RequestOrder};

    use super::WaitingRequests;

    /// Returns the request to close the root with the number `root`.
    fn asked(id: u32, root: u64) -> RequestLine {
        RequestLine::read(&format!(r#"{{"id":{id},"call":"close","handle":{root}}}"#))
    }

    /// Takes the next request. Returns its root and the start of its answer, which contains the request's id.
    fn next(waiting: &mut WaitingRequests) -> Option<(u64, String)> {
        let (root, line) = waiting.take()?;
        let answer = JsonDoor::new(NoFolders).answer_to(line);
        Some((root, answer.split(',').next().unwrap_or_default().to_owned()))
    }

    /// Checks that requests about one root are taken one after another, and about others in between.
    #[test]
    fn a_root_has_one_thread_and_keeps_its_order() {
        let mut waiting = WaitingRequests::default();
        for (id, root) in [(1, 7), (2, 7), (3, 8)] {
            let line = asked(id, root);
            assert_eq!(line.order, RequestOrder::OfRoot(root));
            waiting.put(root, line);
        }
        let told = |root, id: u32| Some((root, format!("{{\"id\":{id}")));
        assert_eq!(next(&mut waiting), told(7, 1));
        // The second request about 7 waits for the first one.
        assert_eq!(next(&mut waiting), told(8, 3));
        assert_eq!(next(&mut waiting), None);
        waiting.answered(7);
        assert_eq!(next(&mut waiting), told(7, 2));
        waiting.answered(8);
        waiting.answered(7);
        assert_eq!((waiting.count, next(&mut waiting)), (0, None));
    }
}
