//! What a fleet run prints on standard error: a progress line, and a table at the end. Times appear only here, since result
//! lines must not differ between runs.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::time::Duration;

use groma::values::sentence::plural;
use groma_syntax::render::harmless;

/// Number of roots listed as the slowest.
const SLOWEST: usize = 3;
/// Width of the progress bar in columns.
const BAR: usize = 20;

/// The counts of a fleet run: roots without and with an error, those whose line of an earlier run was kept, the error codes, and
/// the slowest roots.
pub(super) struct FleetTable {
    /// The number of roots to ask.
    total: usize,
    /// The number of roots without an error, kept lines included.
    ok: usize,
    /// The number of roots whose line of an earlier run was kept.
    kept: usize,
    /// The number of roots with an error, kept lines included.
    failed: usize,
    /// The number of roots by error code.
    codes: BTreeMap<String, usize>,
    /// The slowest roots, slowest first.
    slowest: Vec<(Duration, String)>,
    /// The age of the process when the run began.
    began: Duration,
}

impl FleetTable {
    /// Creates an empty table for a run over `total` roots; `began` is the age of the process at the run's start.
    pub(super) fn new(total: usize, began: Duration) -> FleetTable {
        let (ok, kept, failed) = (0, 0, 0);
        let (codes, slowest) = (BTreeMap::new(), Vec::new());
        FleetTable { total, ok, kept, failed, codes, slowest, began }
    }

    /// Counts a root that was asked, with its error code, if any, and the time that it took.
    pub(super) fn add(&mut self, root: &str, error: Option<&String>, took: Duration) {
        match error {
            None => self.ok += 1,
            Some(code) => {
                self.failed += 1;
                *self.codes.entry(code.clone()).or_default() += 1;
            }
        }
        self.slowest.push((took, root.to_owned()));
        self.slowest.sort_by_key(|(took, _)| std::cmp::Reverse(*took));
        self.slowest.truncate(SLOWEST);
    }

    /// Counts a root whose line of an earlier run is kept; `code` is its error code, if any.
    pub(super) fn keep(&mut self, code: Option<&str>) {
        self.kept += 1;
        match code {
            None => self.ok += 1,
            Some(code) => {
                self.failed += 1;
                *self.codes.entry(code.to_owned()).or_default() += 1;
            }
        }
    }

    /// Returns true if no root has an error.
    pub(super) fn is_ok(&self) -> bool {
        self.failed == 0
    }

    /// Returns the number of roots that are finished.
    fn done(&self) -> usize {
        self.ok + self.failed
    }

    /// Returns the progress line: a bar, counts, the rate, the estimated time left and the slowest roots.
    pub(super) fn progress(&self, now: Duration) -> String {
        let seconds = now.saturating_sub(self.began).as_secs_f64().max(0.001);
        let (done, fresh) = (self.done(), self.done() - self.kept);
        let full = (BAR * done).checked_div(self.total).unwrap_or(BAR);
        let rate = fresh as f64 / seconds;
        let rest = match fresh {
            0 => String::new(),
            _ => format!(", {:.0} s left", (self.total - done) as f64 / rate),
        };
        let slowest: Vec<String> = self.slowest.iter().map(timed).collect();
        let slowest = match slowest.is_empty() {
            true => String::new(),
            false => format!("; slowest: {}", slowest.join(", ")),
        };
        let bar = format!("{}{}", "#".repeat(full), "-".repeat(BAR - full));
        format!("[{bar}] {done} of {}, {rate:.0}/s{rest}{slowest}", plural(self.total, "root"))
    }

    /// Writes the final table: the numbers of roots, the error codes and the slowest roots.
    pub(super) fn write(&self, now: Duration, err: &mut dyn Write) -> io::Result<()> {
        let seconds = now.saturating_sub(self.began).as_secs_f64();
        let fresh = self.done() - self.kept;
        writeln!(err, "{} in {seconds:.1} s", plural(self.total, "root"))?;
        let mut row =
            |name: &str, count: usize, more: &str| writeln!(err, "  {name:<8}{count:>7}{more}");
        row("ok", self.ok, "")?;
        row("failed", self.failed, "")?;
        if self.kept > 0 {
            row("kept", self.kept, "  of an earlier run")?;
        }
        if fresh > 0 && seconds > 0.0 {
            row("a second", (fresh as f64 / seconds).round() as usize, "")?;
        }
        for (code, count) in &self.codes {
            writeln!(err, "  {count:>15}  {code}")?;
        }
        for one in &self.slowest {
            writeln!(err, "  slowest  {}", timed(one))?;
        }
        Ok(())
    }
}

/// Returns a root's name with the time it took, as text.
fn timed((took, root): &(Duration, String)) -> String {
    format!("{} {:.2} s", harmless(root), took.as_secs_f64())
}
