//! Time and memory of a program, measured by GNU time. The minimum of several runs counts, to reduce the influence of other load.

use std::path::Path;
use std::process::{Command, Stdio};

/// The time and memory that one run of a program took.
#[derive(Clone, Copy)]
pub(crate) struct Need {
    /// Wall clock time in seconds.
    pub(crate) wall: f64,
    /// Processor time in seconds.
    pub(crate) cpu: f64,
    /// Peak memory in kilobytes.
    pub(crate) peak: f64,
}

impl Need {
    /// Infinite time and memory, with which a search for the minimum starts.
    pub(crate) const MOST: Need =
        Need { wall: f64::INFINITY, cpu: f64::INFINITY, peak: f64::INFINITY };

    /// Returns the lesser time and memory of two measurements, separately for each figure.
    pub(crate) fn least(self, other: Need) -> Need {
        Need {
            wall: self.wall.min(other.wall),
            cpu: self.cpu.min(other.cpu),
            peak: self.peak.min(other.peak),
        }
    }
}

/// Runs a program in a directory and returns its time and memory; output and exit status are ignored.
#[expect(clippy::disallowed_methods, reason = "this is a benchmark: it looks at the clock")]
pub(crate) fn once(program: &Path, arguments: &[&str], folder: &Path) -> Result<Need, String> {
    let told = std::env::temp_dir().join(format!("groma-time-{}", std::process::id()));
    let mut command = Command::new("/usr/bin/time");
    command.args(["--quiet", "-f", "%U %S %M", "-o"]).arg(&told).arg(program).args(arguments);
    command.current_dir(folder).env("CHECKPOINT_DISABLE", "1");
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let started = std::time::Instant::now();
    command.status().map_err(|why| format!("/usr/bin/time: {why}"))?;
    let wall = started.elapsed().as_secs_f64();
    let text = std::fs::read_to_string(&told).map_err(|why| why.to_string())?;
    std::fs::remove_file(&told).map_err(|why| why.to_string())?;
    let told: Vec<f64> = text.split_whitespace().filter_map(|one| one.parse().ok()).collect();
    let [user, system, peak] = told[..] else { return Err(format!("GNU time says {text}")) };
    Ok(Need { wall, cpu: user + system, peak })
}

/// Runs a program several times and returns the least time and the least memory.
pub(crate) fn least(
    program: &Path,
    arguments: &[&str],
    folder: &Path,
    runs: usize,
) -> Result<Need, String> {
    (0..runs).try_fold(Need::MOST, |best, _| Ok(best.least(once(program, arguments, folder)?)))
}
