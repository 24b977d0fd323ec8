//! The result file when runs fail while writing: it consists of complete lines at any moment, and a later run that resumes it
//! gives the same bytes as an undisturbed run.
#![expect(clippy::unwrap_used, reason = "a test fails by panic")]

use std::collections::BTreeMap;
use std::io::{self, Cursor, Write};
use std::sync::{Arc, Mutex};

use groma::folders::{HostReading, ReadingGroup};
use groma::{Host, MemoryHost};
use groma_fleet::{
    AnswerLine, ReadingCheck, ResultFile, ResultPart, ResultStore, RootAnswer, SeekableRead,
};

/// The files of a result in memory, which fail once a number of bytes has been written. Clones share the files.
#[derive(Clone, Default)]
struct BreakingDisk {
    parts: Arc<Mutex<BTreeMap<ResultPart, Vec<u8>>>>,
    left: Arc<Mutex<Option<usize>>>,
}

impl BreakingDisk {
    /// Returns the same files with room for `bytes` more bytes.
    fn with_room(&self, bytes: usize) -> BreakingDisk {
        BreakingDisk { parts: self.parts.clone(), left: Arc::new(Mutex::new(Some(bytes))) }
    }

    /// Returns the same files with unlimited room.
    fn healed(&self) -> BreakingDisk {
        BreakingDisk { parts: self.parts.clone(), left: Arc::default() }
    }

    /// Returns the lines of the result file, each of which must be complete.
    fn lines(&self) -> Vec<String> {
        let parts = self.parts.lock().unwrap();
        let bytes = parts.get(&ResultPart::Lines).cloned().unwrap_or_default();
        let text = String::from_utf8(bytes).unwrap();
        assert!(text.is_empty() || text.ends_with('\n'), "{text:?} has a part of a line");
        text.lines().map(str::to_owned).collect()
    }

    /// Takes room for `wanted` bytes, and returns the number of bytes that there is room for.
    fn take(&self, wanted: usize) -> usize {
        match &mut *self.left.lock().unwrap() {
            None => wanted,
            Some(left) => {
                let given = wanted.min(*left);
                *left -= given;
                given
            }
        }
    }
}

/// A stream that appends to a file of the result.
struct PartStream(BreakingDisk, ResultPart);

impl Write for PartStream {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let count = self.0.take(bytes.len());
        if count == 0 && !bytes.is_empty() {
            return Err(io::ErrorKind::StorageFull.into());
        }
        let mut parts = self.0.parts.lock().unwrap();
        parts.entry(self.1).or_default().extend_from_slice(&bytes[..count]);
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl ResultStore for BreakingDisk {
    fn read(&self, part: ResultPart) -> io::Result<Option<Box<dyn SeekableRead>>> {
        let bytes = self.parts.lock().unwrap().get(&part).cloned();
        Ok(bytes.map(|bytes| Box::new(Cursor::new(bytes)) as _))
    }

    fn begin(&self, part: ResultPart) -> io::Result<Box<dyn Write + Send>> {
        self.parts.lock().unwrap().insert(part, Vec::new());
        Ok(Box::new(PartStream(self.clone(), part)))
    }

    fn replace(
        &self,
        part: ResultPart,
        write: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>,
    ) -> io::Result<()> {
        let mut new = Vec::new();
        write(&mut new)?;
        if self.take(new.len()) < new.len() {
            return Err(io::ErrorKind::StorageFull.into());
        }
        self.parts.lock().unwrap().insert(part, new);
        Ok(())
    }

    fn remove(&self, part: ResultPart) -> io::Result<()> {
        self.parts.lock().unwrap().remove(&part);
        Ok(())
    }
}

/// The number of roots in a run.
const ROOTS: usize = 9;

/// Returns a host with the folders `r0`, `r1` and so on, each with a `main.tf`.
fn host() -> MemoryHost {
    (0..ROOTS).fold(MemoryHost::new(), |host, root| {
        host.with_file(&format!("r{root}/main.tf"), format!("locals {{ n = {root} }}"))
    })
}

/// Returns the group of readings of a root: its `main.tf`.
fn group(host: &dyn Host, root: usize) -> Arc<ReadingGroup> {
    let reading = HostReading::of_file(host, &format!("r{root}/main.tf"));
    Arc::new(ReadingGroup::new(vec![reading]))
}

/// Returns the answer of a root, which contains the text of its `main.tf`; an error for every fourth root.
fn answer(host: &dyn Host, root: usize) -> RootAnswer {
    let bytes = host.read(&format!("r{root}/main.tf")).unwrap();
    let text = String::from_utf8(bytes).unwrap();
    match root % 4 {
        3 => RootAnswer::refused("some-code", &text),
        _ => RootAnswer { answer: Some(format!("[{}]", groma::json::string(&text))), error: None },
    }
}

/// Writes the answers of all roots to a result. Returns the number of roots whose line was not kept from an earlier run.
fn run(disk: BreakingDisk, host: &dyn Host, resumes: bool) -> io::Result<usize> {
    let check = ReadingCheck::default();
    let mut results = ResultFile::begin(disk, resumes)?;
    let mut asked = 0;
    for root in 0..ROOTS {
        let name = format!("r{root}");
        let is_asked = results.earlier(&name).is_some_and(|key| key.settings == "s");
        if let Some(groups) = results.earlier_groups(&name)?.filter(|_| is_asked)
            && check.are_current(&groups, host)
        {
            assert!(results.keep(&name).is_some());
            continue;
        }
        asked += 1;
        let line = AnswerLine::of(&name, &answer(host, root));
        results.add(&name, "s", &line, &[group(host, root)])?;
    }
    results.finish()?;
    Ok(asked)
}

/// Returns the lines that a complete run writes.
fn whole(host: &dyn Host) -> Vec<String> {
    (0..ROOTS).map(|root| answer(host, root).line(&format!("r{root}"))).collect()
}

/// Checks that a run which fails after any number of bytes leaves complete lines, and that later runs complete the result.
#[test]
fn a_run_may_be_ended_at_any_byte() {
    let host = host();
    let whole = whole(&host);
    let mut ends = 0;
    for room in (0..).step_by(7) {
        let disk = BreakingDisk::default();
        let is_done = run(disk.with_room(room), &host, false).is_ok();
        let left = disk.lines();
        assert_eq!(left, whole[..left.len()], "with room for {room} bytes");
        // The next run fails too, and only the third succeeds.
        let _ = run(disk.with_room(room / 2), &host, true);
        let between = disk.lines();
        assert_eq!(between, whole[..between.len()], "with room for {room} bytes");
        run(disk.healed(), &host, true).unwrap();
        assert_eq!(disk.lines(), whole, "with room for {room} bytes");
        if is_done {
            break;
        }
        ends += 1;
    }
    assert!(ends > 100, "{ends}");
}

/// Checks that only the root whose file has changed is asked again.
#[test]
fn only_what_has_changed_is_asked_again() {
    let (host, disk) = (host(), BreakingDisk::default());
    assert_eq!(run(disk.clone(), &host, false).unwrap(), ROOTS);
    assert_eq!(run(disk.clone(), &host, true).unwrap(), 0);
    let host = host.with_file("r4/main.tf", "locals { n = 40 }");
    assert_eq!(run(disk.clone(), &host, true).unwrap(), 1);
    assert_eq!(disk.lines(), whole(&host));
    assert_eq!(run(disk, &host, true).unwrap(), 0);
}

/// Checks that a run without changes writes nothing, and that a run over no roots removes all lines.
#[test]
fn nothing_is_written_where_nothing_has_changed() {
    let (host, disk) = (host(), BreakingDisk::default());
    run(disk.clone(), &host, false).unwrap();
    // There is no room for a single byte.
    assert_eq!(run(disk.with_room(0), &host, true).unwrap(), 0);
    // A run over no roots leaves no lines.
    let results = ResultFile::begin(disk.healed(), true).unwrap();
    results.finish().unwrap();
    assert_eq!(disk.lines(), Vec::<String>::new());
}

/// Checks that a line which was changed in the result file is asked again.
#[test]
fn a_changed_line_is_not_kept() {
    let (host, disk) = (host(), BreakingDisk::default());
    run(disk.clone(), &host, false).unwrap();
    let whole = disk.lines();
    {
        let mut parts = disk.parts.lock().unwrap();
        let lines = parts.get_mut(&ResultPart::Lines).unwrap();
        let at = lines.iter().position(|byte| *byte == b'n').unwrap();
        lines[at] = b'm';
    }
    assert_eq!(run(disk.clone(), &host, true).unwrap(), 1);
    assert_eq!(disk.lines(), whole);
}
