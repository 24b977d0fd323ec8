//! Generated modules of a given size, and measurements of the command on them. The contents depend on the name alone, so that
//! figures are comparable over time.

mod fleet;
mod module;
mod revision;
mod state;

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::measure::{Need, least};
use module::{Files, absent, calls, chain, counted, cross, instances, keyed, merge, modules};
use revision::{blocks, commit, fewer_calls, hanging, lines, nested, renamed};
use state::{deposed, moves, queues, set, single};

/// A module to measure: its name, the size and the function that writes it, and the commands to run.
struct Shape {
    name: &'static str,
    size: usize,
    write: fn(usize) -> Files,
    /// The function that writes the older revision, which is committed to a repository.
    before: Option<fn(usize) -> Files>,
    runs: &'static [&'static [&'static str]],
}

/// Describes a module to measure by `diff`, in which a change affects all instances; `before` writes the older revision.
const fn all_changed(
    name: &'static str,
    size: usize,
    write: fn(usize) -> Files,
    before: fn(usize) -> Files,
) -> Shape {
    Shape { name, size, write, before: Some(before), runs: DIFF }
}

/// The commands to measure for a module without a state.
const ALONE: &[&[&str]] =
    &[&["plan", "--json"], &["output", "--json"], &["list"], &["check", "--values"]];

/// The command to measure for a module of which only the plan is of interest.
const PLAN: &[&[&str]] = &[&["plan", "--json"]];

/// The commands to measure for a module with a state: with it, without it, and destroying everything.
const STATE: &[&[&str]] =
    &[&["plan", "--json"], &["plan", "--json", "--no-state"], &["plan", "--json", "--destroy"]];

/// The commands to measure for a module with an older revision: the comparison, and a plan alone.
const DIFF: &[&[&str]] = &[&["diff", "HEAD", "--json"], &["plan", "--json"]];

/// The commands to measure for a module with a state that needs the schemas of a provider.
const TYPED: &[&[&str]] = &[
    &["plan", "--json", "--schema", SCHEMA],
    &["plan", "--json", "--no-state", "--schema", SCHEMA],
    &["plan", "--json", "--destroy", "--schema", SCHEMA],
];

/// The commands to measure for many roots: plan and check, each again with nothing changed, and a check on one thread.
const FLEET: &[&[&str]] = &[
    &["fleet", "live/*", "--plan", "--out", "lines.jsonl"],
    &["fleet", "live/*", "--plan", "--out", "lines.jsonl", "--resume"],
    &["fleet", "live/*", "--check", "--out", "lines.jsonl"],
    &["fleet", "live/*", "--check", "--out", "lines.jsonl", "--resume"],
    &["fleet", "live/*", "--check", "--out", "lines.jsonl", "-parallelism=1"],
];

/// Placeholder in commands for the path of the file with provider schemas.
const SCHEMA: &str = "FILE";

/// All generated modules that can be measured.
const SHAPES: &[Shape] = &[
    Shape { name: "instances-1k", size: 1_000, write: instances, before: None, runs: ALONE },
    Shape { name: "instances-4k", size: 4_000, write: instances, before: None, runs: ALONE },
    Shape { name: "instances-10k", size: 10_000, write: instances, before: None, runs: ALONE },
    Shape { name: "instances-100k", size: 100_000, write: instances, before: None, runs: ALONE },
    Shape { name: "keyed-100k", size: 100_000, write: keyed, before: None, runs: PLAN },
    Shape { name: "keyed-300k", size: 300_000, write: keyed, before: None, runs: PLAN },
    Shape { name: "keyed-1m", size: 1_000_000, write: keyed, before: None, runs: PLAN },
    Shape { name: "counted-100k", size: 100_000, write: counted, before: None, runs: PLAN },
    Shape { name: "counted-300k", size: 300_000, write: counted, before: None, runs: PLAN },
    Shape { name: "counted-1m", size: 1_000_000, write: counted, before: None, runs: PLAN },
    Shape { name: "cross-10k", size: 10_000, write: cross, before: None, runs: ALONE },
    Shape { name: "modules-500", size: 500, write: modules, before: None, runs: ALONE },
    Shape { name: "calls-500", size: 500, write: calls, before: None, runs: ALONE },
    Shape { name: "chain-10k", size: 10_000, write: chain, before: None, runs: ALONE },
    Shape { name: "merge-10k", size: 10_000, write: merge, before: None, runs: ALONE },
    Shape { name: "absent-100", size: 100, write: absent, before: None, runs: ALONE },
    Shape { name: "small", size: 1, write: instances, before: None, runs: ALONE },
    Shape { name: "state-4k", size: 4_000, write: state::state, before: None, runs: STATE },
    Shape { name: "state-10k", size: 10_000, write: state::state, before: None, runs: STATE },
    Shape { name: "state-100k", size: 100_000, write: state::state, before: None, runs: STATE },
    Shape { name: "deposed-10k", size: 10_000, write: deposed, before: None, runs: STATE },
    Shape { name: "moves-1k", size: 1_000, write: moves, before: None, runs: STATE },
    Shape { name: "moves-10k", size: 10_000, write: moves, before: None, runs: STATE },
    Shape { name: "single-1k", size: 1_000, write: single, before: None, runs: STATE },
    Shape { name: "single-10k", size: 10_000, write: single, before: None, runs: STATE },
    Shape { name: "diff-10k", size: 10_000, write: renamed, before: Some(instances), runs: DIFF },
    Shape { name: "diff-100k", size: 100_000, write: renamed, before: Some(instances), runs: DIFF },
    all_changed("diff-all-1k", 1_000, |size| hanging(size, "new"), |size| hanging(size, "old")),
    all_changed("diff-all-10k", 10_000, |size| hanging(size, "new"), |size| hanging(size, "old")),
    all_changed("diff-lines-2k", 2_000, |size| lines(size, "new"), |size| lines(size, "old")),
    all_changed("diff-blocks-10k", 10_000, |size| blocks(size, "new"), |size| blocks(size, "old")),
    all_changed("diff-nested-5k", 5_000, |size| nested(size, "new"), |size| nested(size, "old")),
    Shape { name: "diff-calls", size: 500, write: calls, before: Some(fewer_calls), runs: DIFF },
    Shape { name: "fleet-100", size: 100, write: fleet::fleet, before: None, runs: FLEET },
    Shape { name: "fleet-2k", size: 2_000, write: fleet::fleet, before: None, runs: FLEET },
    Shape { name: "queues-1k", size: 1_000, write: queues, before: None, runs: TYPED },
    Shape { name: "queues-10k", size: 10_000, write: queues, before: None, runs: TYPED },
    Shape { name: "queues-100k", size: 100_000, write: queues, before: None, runs: TYPED },
    Shape { name: "set-1k", size: 1_000, write: set, before: None, runs: TYPED },
    Shape { name: "set-10k", size: 10_000, write: set, before: None, runs: TYPED },
];

/// Writes a generated module, with its older revision committed to a repository if it has one.
fn write(folder: &Path, shape: &Shape) -> Result<(), String> {
    if let Some(before) = shape.before {
        write_files(folder, before(shape.size))?;
        commit(folder)?;
    }
    write_files(folder, (shape.write)(shape.size))
}

/// Writes files below a directory, and creates their directories.
fn write_files(folder: &Path, files: Files) -> Result<(), String> {
    let failed = |why: std::io::Error| format!("{}: {why}", folder.display());
    for (name, text) in files {
        let path = folder.join(&*name);
        std::fs::create_dir_all(path.parent().unwrap_or(folder)).map_err(failed)?;
        std::fs::write(&path, text).map_err(failed)?;
    }
    Ok(())
}

/// The parsed command line of `cargo xtask scale`.
struct Wanted {
    program: PathBuf,
    /// The file with the schemas of providers.
    schema: Option<PathBuf>,
    /// True if Terraform's plan is measured too.
    beside: bool,
    only_write: bool,
    runs: usize,
    names: Vec<String>,
}

/// Parses the command line of `cargo xtask scale`.
fn read_options(root: &Path) -> Result<Wanted, String> {
    let mut wanted = Wanted {
        program: root.join("target/release/groma"),
        schema: None,
        beside: false,
        only_write: false,
        runs: 3,
        names: Vec::new(),
    };
    let mut given = std::env::args().skip(2);
    while let Some(one) = given.next() {
        match one.as_str() {
            "--write" => wanted.only_write = true,
            "--terraform" => wanted.beside = true,
            "--bin" => wanted.program = given.next().ok_or("--bin needs a path")?.into(),
            "--schema" => wanted.schema = Some(given.next().ok_or("--schema needs a path")?.into()),
            "--runs" => {
                let number = given.next().and_then(|number| number.parse().ok());
                wanted.runs = number.ok_or("--runs needs a number")?;
            }
            _ => wanted.names.push(one),
        }
    }
    let absolute = |path: &Path| std::path::absolute(path).map_err(|why| why.to_string());
    wanted.program = absolute(&wanted.program)?;
    if let Some(schema) = &wanted.schema {
        wanted.schema = Some(absolute(schema)?);
    }
    if !wanted.only_write && !wanted.program.is_file() {
        return Err(format!("there is no program {}", wanted.program.display()));
    }
    let is_strange = |name: &&String| !SHAPES.iter().any(|shape| shape.name == **name);
    match wanted.names.iter().find(is_strange) {
        Some(name) => Err(format!("there is no module {name}")),
        None => Ok(wanted),
    }
}

/// Writes the modules below `target/scale` and prints the time and memory of each command. `--write` only writes; `--bin PATH`
/// measures another binary; `--terraform` adds Terraform's plan, if it is installed; `--schema FILE` adds the modules that need
/// schemas; names select modules.
#[expect(clippy::print_stdout, reason = "the figures are what this is run for")]
pub(crate) fn run() -> Result<(), String> {
    let root = testkit::workspace();
    let wanted = read_options(&root)?;
    let terraform = Path::new("terraform");
    let has_terraform = wanted.beside && {
        let told = Command::new(terraform).arg("version").stdout(Stdio::null()).status();
        told.is_ok_and(|status| status.success())
    };
    if wanted.beside && !has_terraform {
        println!("There is no terraform here, so its plans are not measured.");
    }
    println!("{:<15} {:<26} {:>9} {:>9} {:>9}", "module", "command", "seconds", "cpu", "MB");
    let is_chosen = |shape: &&Shape| {
        wanted.names.is_empty() || wanted.names.iter().any(|name| name == shape.name)
    };
    for shape in SHAPES.iter().filter(is_chosen) {
        let folder = root.join("target/scale").join(shape.name);
        write(&folder, shape)?;
        if wanted.only_write {
            continue;
        }
        let show = |command: &str, Need { wall, cpu, peak }: Need| {
            let (name, peak) = (shape.name, peak / 1024.0);
            println!("{name:<15} {command:<26} {wall:>9.3} {cpu:>9.3} {peak:>9.1}");
        };
        for command in shape.runs {
            let mut arguments = command.to_vec();
            let needs_schema = arguments.last() == Some(&SCHEMA);
            match (&wanted.schema, arguments.last_mut()) {
                (Some(file), Some(last)) if needs_schema => {
                    *last = file.to_str().ok_or("the path of the schemas is not UTF-8")?;
                }
                (None, _) if needs_schema => {
                    println!("{:<15} is passed over: it needs --schema", shape.name);
                    break;
                }
                _ => {}
            }
            let need = least(&wanted.program, &arguments, &folder, wanted.runs)?;
            let shown = command.strip_suffix(&["--schema", SCHEMA]).unwrap_or(command);
            show(&shown.join(" "), need);
        }
        if has_terraform {
            least(terraform, &["init"], &folder, 1)?;
            let arguments = ["plan", "-refresh=false"];
            show("terraform plan", least(terraform, &arguments, &folder, 1)?);
        }
    }
    Ok(())
}
