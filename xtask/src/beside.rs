//! `cargo xtask beside FOLDER`: measures the time for a whole repository in comparison with other programs. All read the same
//! copy and run in turn, so that machine load affects them equally; nothing is cached between invocations.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::measure::{Need, once};

/// The parsed command line of `cargo xtask beside`, which measures `groma` and other programs on the same code.
struct Wanted {
    folder: PathBuf,
    /// A root in the folder, for programs that process a single one.
    root: Option<String>,
    groma: PathBuf,
    terraform: Option<PathBuf>,
    tflint: Option<PathBuf>,
    runs: usize,
}

/// Parses the command line of `cargo xtask beside`: a folder, programs and the number of runs.
fn read_options() -> Result<Wanted, String> {
    let mut wanted = Wanted {
        folder: PathBuf::new(),
        root: None,
        groma: testkit::workspace().join("target/release/groma"),
        terraform: None,
        tflint: None,
        runs: 3,
    };
    let mut given = std::env::args().skip(2);
    while let Some(one) = given.next() {
        let mut next = || given.next().ok_or(format!("{one} needs a value"));
        match one.as_str() {
            "--bin" => wanted.groma = absolute(&next()?)?,
            "--root" => wanted.root = Some(next()?),
            "--terraform" => wanted.terraform = Some(absolute(&next()?)?),
            "--tflint" => wanted.tflint = Some(absolute(&next()?)?),
            "--runs" => {
                wanted.runs = next()?.parse().map_err(|_| "--runs needs a number")?;
            }
            _ => wanted.folder = absolute(&one)?,
        }
    }
    if !wanted.folder.is_dir() {
        return Err("which folder? cargo xtask beside FOLDER [--tflint PATH] [--terraform PATH] [--root DIR] [--bin PATH]".to_owned());
    }
    let programs = [Some(&wanted.groma), wanted.terraform.as_ref(), wanted.tflint.as_ref()];
    for program in programs.into_iter().flatten() {
        if !program.is_file() {
            return Err(format!("there is no program {}", program.display()));
        }
    }
    Ok(wanted)
}

/// Converts a path to an absolute one, against the current directory; the error is a message.
fn absolute(path: &str) -> Result<PathBuf, String> {
    std::path::absolute(path).map_err(|why| why.to_string())
}

/// Copies a directory without hidden files, so that programs create files in the copy and not in the original.
fn copy(from: &Path, to: &Path) -> std::io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let name = entry.file_name();
        let is_hidden = name.as_encoded_bytes().starts_with(b".");
        match entry.file_type()? {
            kind if kind.is_dir() && !is_hidden => copy(&entry.path(), &to.join(name))?,
            kind if kind.is_file() => drop(fs::copy(entry.path(), to.join(name))?),
            _ => {}
        }
    }
    Ok(())
}

/// A program to measure: its title in the output, its file, arguments and working directory.
struct Runner<'w> {
    title: &'static str,
    program: &'w Path,
    arguments: &'static [&'static str],
    folder: PathBuf,
    /// The position of the run of `groma` that it is compared with; `None` for runs of `groma`.
    beside: Option<usize>,
}

/// Runs `groma` and the programs it is compared with on a copy of the folder, and prints the times of each and their ratio to
/// those of `groma`.
#[expect(clippy::print_stdout, reason = "the figures are what this is run for")]
pub(crate) fn run() -> Result<(), String> {
    let wanted = read_options()?;
    let name = wanted.folder.file_name().unwrap_or(OsStr::new("folder"));
    let folder = testkit::workspace().join("target/beside").join(name);
    let failed = |why: std::io::Error| format!("{}: {why}", folder.display());
    if folder.exists() {
        fs::remove_dir_all(&folder).map_err(failed)?;
    }
    copy(&wanted.folder, &folder).map_err(failed)?;
    let root = wanted.root.as_ref().map(|root| folder.join(root));
    let ours = |title, arguments, folder: &Path| Runner {
        title,
        program: &wanted.groma,
        arguments,
        folder: folder.to_owned(),
        beside: None,
    };
    let mut all = vec![
        ours("groma check -recursive", &["check", "-recursive"], &folder),
        ours("groma fmt -recursive -check", &["fmt", "-recursive", "-check"], &folder),
    ];
    if let Some(tflint) = &wanted.tflint {
        let (arguments, folder) = (&["--recursive", "--force"][..], folder.clone());
        let title = "tflint --recursive --force";
        all.push(Runner { title, program: tflint, arguments, folder, beside: Some(0) });
    }
    if let Some(terraform) = &wanted.terraform {
        let (arguments, folder) = (&["fmt", "-recursive", "-check"][..], folder.clone());
        let title = "terraform fmt -recursive -check";
        all.push(Runner { title, program: terraform, arguments, folder, beside: Some(1) });
        if let Some(root) = root {
            let mut init = Command::new(terraform);
            init.args(["init", "-backend=false", "-input=false"]).current_dir(&root);
            let status = init.stdout(Stdio::null()).stderr(Stdio::null()).status();
            if !status.is_ok_and(|status| status.success()) {
                return Err(format!("terraform cannot init {}", root.display()));
            }
            all.push(ours("groma check (one root)", &["check"], &root));
            let (arguments, title) = (&["validate"][..], "terraform validate (one root)");
            let beside = Some(all.len() - 1);
            all.push(Runner { title, program: terraform, arguments, folder: root, beside });
        }
    }
    let mut best = vec![Need::MOST; all.len()];
    for _ in 0..wanted.runs {
        for (best, one) in best.iter_mut().zip(&all) {
            *best = best.least(once(one.program, one.arguments, &one.folder)?);
        }
    }
    println!("{:<32} {:>9} {:>9} {:>9} {:>8}", "command", "seconds", "cpu", "MB", "times");
    for (need, one) in best.iter().zip(&all) {
        let times = one.beside.map(|ours| format!("{:.0}", need.cpu / best[ours].cpu.max(0.01)));
        println!(
            "{:<32} {:>9.3} {:>9.2} {:>9.1} {:>8}",
            one.title,
            need.wall,
            need.cpu,
            need.peak / 1024.0,
            times.unwrap_or_default()
        );
    }
    Ok(())
}
