//! What a program needs to run: seconds and memory, as GNU time tells them. Of several runs the least counts, so that
//! whatever else the machine does is told as little as may be.

use std::path::Path;
use std::process::{Command, Stdio};

/// What one run needed.
#[derive(Clone, Copy)]
pub(crate) struct Need {
    /// Seconds from start to end.
    pub(crate) wall: f64,
    /// Seconds on all processors together.
    pub(crate) cpu: f64,
    /// Kilobytes at the highest.
    pub(crate) peak: f64,
}

impl Need {
    /// Nothing is less than this.
    pub(crate) const MOST: Need =
        Need { wall: f64::INFINITY, cpu: f64::INFINITY, peak: f64::INFINITY };

    /// The lesser of each.
    pub(crate) fn least(self, other: Need) -> Need {
        Need {
            wall: self.wall.min(other.wall),
            cpu: self.cpu.min(other.cpu),
            peak: self.peak.min(other.peak),
        }
    }
}

/// What one run of a program needed in a folder; what it says and how it ends take no part.
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

/// The least that some runs needed.
pub(crate) fn least(
    program: &Path,
    arguments: &[&str],
    folder: &Path,
    runs: usize,
) -> Result<Need, String> {
    (0..runs).try_fold(Need::MOST, |best, _| Ok(best.least(once(program, arguments, folder)?)))
}
