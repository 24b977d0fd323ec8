//! `groma serve`: the JSON door on standard input and output. Requests about one root are answered in their order; those about
//! several roots on several threads, so an answer may overtake another.

use std::collections::{BTreeMap, VecDeque};
use std::io::{self, BufRead, Write};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

use groma::Host;
use groma_door::{FolderHosts, JsonDoor, RequestLine, RequestOrder};

use super::row::CommandRow;
use crate::flag::{self, CommandArgs, FlagRow};
use crate::host::MachineContext;
use crate::input::{InputLine, pass_over, read_line};
use crate::limit;
use crate::session::{EarlyStop, ExitStatus, RunSession};

pub(crate) const COMMAND: CommandRow = CommandRow {
    name: limit::DOOR,
    about: "Answer requests of another program, one JSON object per line",
    operand: None,
    flags: &[FLAGS],
    more: "A request opens a root, from texts or from a directory, and later ones ask about it; nothing is written to \
           files and no network is used. The forms are described in docs/reference/serve.md.\n\n\
           Exit codes: 0 the input has ended, 1 a stream failed, 2 wrong use.",
    run,
};

const FLAGS: &[FlagRow] = &[flag::UNTRUSTED];

/// The most bytes that a request may have.
const REQUEST_LIMIT: usize = 64 << 20;

/// The most requests that wait to be answered. Nothing is read while so many do.
const WAITING: usize = 256;

/// Code as deep as may be needs one megabyte; without optimization frames are several times as large.
const STACK: usize = 16 << 20;

/// The disk, as the command reads it.
struct DiskFolders(MachineContext);

impl FolderHosts for DiskFolders {
    fn host(&self, dir: &str, is_untrusted: bool) -> Result<(Arc<dyn Host>, String), String> {
        let mut machine = self.0.clone();
        machine.distrust(is_untrusted);
        if !machine.is_directory(dir) {
            return Err(format!("{dir} is not a directory."));
        }
        let root = machine.root(dir, None)?;
        let top = root.to_string_lossy().into_owned();
        Ok((Arc::new(machine.host(root, Vec::new(), std::iter::empty())), top))
    }
}

/// The requests that wait, by the root that they are about.
#[derive(Default)]
struct WaitingRequests {
    /// The first request of a root stays in its place, and is taken out of it, until it is answered.
    by_root: BTreeMap<u64, VecDeque<Option<RequestLine>>>,
    /// The roots whose first request waits for a thread, in the order in which they came.
    ready: VecDeque<u64>,
    count: usize,
    has_ended: bool,
}

impl WaitingRequests {
    fn put(&mut self, root: u64, line: RequestLine) {
        let own = self.by_root.entry(root).or_default();
        own.push_back(Some(line));
        self.count += 1;
        if own.len() == 1 {
            self.ready.push_back(root);
        }
    }

    fn take(&mut self) -> Option<(u64, RequestLine)> {
        let root = self.ready.pop_front()?;
        let own = self.by_root.get_mut(&root)?;
        Some((root, own.front_mut()?.take()?))
    }

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

/// What the threads share.
struct Server<'s> {
    door: JsonDoor,
    waiting: Mutex<WaitingRequests>,
    /// Woken when there is a request, room for one, or an end.
    changed: Condvar,
    out: Mutex<(&'s mut (dyn Write + Send), io::Result<()>)>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Server<'_> {
    /// Writes one whole line. After a failure nothing more is written.
    fn write(&self, answer: &str) {
        let mut out = lock(&self.out);
        let (stream, outcome) = &mut *out;
        if outcome.is_ok() {
            *outcome = writeln!(stream, "{answer}").and_then(|()| stream.flush());
        }
    }

    fn has_failed(&self) -> bool {
        lock(&self.out).1.is_err()
    }

    /// Answers until there is nothing left and nothing more comes.
    fn work(&self) {
        let mut waiting = lock(&self.waiting);
        loop {
            if let Some((root, line)) = waiting.take() {
                drop(waiting);
                self.write(&self.door.answer_to(line));
                waiting = lock(&self.waiting);
                waiting.answered(root);
                self.changed.notify_all();
            } else if waiting.has_ended && waiting.count == 0 {
                return;
            } else {
                waiting = self.changed.wait(waiting).unwrap_or_else(PoisonError::into_inner);
            }
        }
    }

    fn read(&self, input: &mut dyn BufRead) -> io::Result<()> {
        let mut bytes = Vec::new();
        while !self.has_failed() {
            match read_line(input, REQUEST_LIMIT, &mut bytes)? {
                InputLine::End => break,
                InputLine::TooLong => {
                    self.write(&JsonDoor::too_long(REQUEST_LIMIT));
                    pass_over(input)?;
                    continue;
                }
                InputLine::Whole => {}
            }
            let text = String::from_utf8_lossy(&bytes);
            if text.trim().is_empty() {
                continue;
            }
            let line = RequestLine::read(text.trim());
            // Nothing is read of a root before the first question; and to cancel does not wait behind what it cancels.
            let RequestOrder::OfRoot(root) = line.order else {
                self.write(&self.door.answer_to(line));
                continue;
            };
            let mut waiting = lock(&self.waiting);
            while waiting.count >= WAITING {
                waiting = self.changed.wait(waiting).unwrap_or_else(PoisonError::into_inner);
            }
            waiting.put(root, line);
            self.changed.notify_all();
        }
        Ok(())
    }
}

fn run(args: &CommandArgs, session: &mut RunSession<'_>) -> Result<ExitStatus, EarlyStop> {
    let mut machine = session.machine.clone();
    machine.distrust(args.untrusted);
    let (threads, most) = (machine.threads().max(1), limit::of_request(&machine));
    let server = Server {
        door: JsonDoor::new(DiskFolders(machine)).within(most),
        waiting: Mutex::default(),
        changed: Condvar::new(),
        out: Mutex::new((&mut *session.out, Ok(()))),
    };
    let input = &mut *session.input;
    let read = thread::scope(|scope| {
        for _ in 0..threads {
            let worker = thread::Builder::new().stack_size(STACK);
            if worker.spawn_scoped(scope, || server.work()).is_err() {
                break;
            }
        }
        let read = server.read(input);
        lock(&server.waiting).has_ended = true;
        server.changed.notify_all();
        // Where no thread could be started, this one does the work.
        server.work();
        read
    });
    read?;
    let Server { out, .. } = server;
    let (_, outcome) = out.into_inner().unwrap_or_else(PoisonError::into_inner);
    outcome?;
    Ok(ExitStatus::WELL)
}

#[cfg(test)]
mod tests {
    use groma_door::{JsonDoor, NoFolders, RequestLine, RequestOrder};

    use super::WaitingRequests;

    fn asked(id: u32, root: u64) -> RequestLine {
        RequestLine::read(&format!(r#"{{"id":{id},"call":"close","handle":{root}}}"#))
    }

    /// The next request, as it would be answered where no root is open.
    fn next(waiting: &mut WaitingRequests) -> Option<(u64, String)> {
        let (root, line) = waiting.take()?;
        let answer = JsonDoor::new(NoFolders).answer_to(line);
        Some((root, answer.split(',').next().unwrap_or_default().to_owned()))
    }

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
