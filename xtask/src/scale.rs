//! Whole modules of a given size, and what the command needs for them. What is written depends on the
//! name alone, so that figures can be compared from one day to the next.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A module to measure: its name, whose digits say how large it is, and who writes it.
struct Shape {
    name: &'static str,
    size: usize,
    write: fn(usize) -> Vec<(&'static str, String)>,
}

const SHAPES: &[Shape] = &[
    Shape { name: "instances-1k", size: 1_000, write: instances },
    Shape { name: "instances-4k", size: 4_000, write: instances },
    Shape { name: "instances-10k", size: 10_000, write: instances },
    Shape { name: "instances-100k", size: 100_000, write: instances },
    Shape { name: "cross-10k", size: 10_000, write: cross },
    Shape { name: "modules-500", size: 500, write: modules },
    Shape { name: "calls-500", size: 500, write: calls },
    Shape { name: "chain-10k", size: 10_000, write: chain },
    Shape { name: "merge-10k", size: 10_000, write: merge },
    Shape { name: "absent-100", size: 100, write: absent },
    Shape { name: "small", size: 1, write: instances },
];

/// What is run in each, and on how many threads where that makes a difference.
const COMMANDS: [&[&str]; 4] =
    [&["plan", "--json"], &["output", "--json"], &["list"], &["check", "--values"]];

/// One resource with an instance for each entry of a local value, and an output of all ids.
fn instances(size: usize) -> Vec<(&'static str, String)> {
    let mut text = String::from("locals {\n  entries = {\n");
    for at in 0..size {
        let _ = writeln!(text, "    key{at:06} = {{ name = \"name-{at}\", size = {at} }}");
    }
    text.push_str(
        "  }\n}\n\nresource \"terraform_data\" \"many\" {\n  for_each = local.entries\n  input    = each.value\n}\n\n\
         output \"ids\" {\n  value = [for one in terraform_data.many : one.id]\n}\n",
    );
    vec![("main.tf", text)]
}

/// Three such resources, each of whose instances refers to one of the resource before.
fn cross(size: usize) -> Vec<(&'static str, String)> {
    let mut files = instances(size);
    for (_, text) in &mut files {
        text.push_str(
            "\nresource \"terraform_data\" \"more\" {\n  for_each = local.entries\n  input    = terraform_data.many[each.key].output.name\n}\n\n\
             resource \"terraform_data\" \"last\" {\n  for_each = terraform_data.more\n  input    = each.value.id\n}\n",
        );
    }
    files
}

/// How many variables a called module has.
const VARIABLES: usize = 60;

fn called(size: usize, header: &str) -> String {
    let mut text = format!("{header}\n  source = \"./inner\"\n");
    for at in 0..VARIABLES {
        let _ = writeln!(
            text,
            "  v{at} = {{ name = \"n-${{local.base}}-{at}\", size = {size} + {at} }}"
        );
    }
    text.push_str("}\n");
    text
}

fn inner() -> String {
    let mut text = String::new();
    for at in 0..VARIABLES {
        let _ = writeln!(
            text,
            "variable \"v{at}\" {{\n  type = object({{ name = string, size = optional(number, 1), tags = optional(map(string), {{}}) }})\n}}\n\
             locals {{\n  l{at} = \"${{upper(var.v{at}.name)}}-${{var.v{at}.size * 2}}\"\n}}"
        );
    }
    let all: Vec<String> = (0..VARIABLES).map(|at| format!("local.l{at}")).collect();
    let _ = writeln!(text, "output \"all\" {{\n  value = join(\",\", [{}])\n}}", all.join(", "));
    text.push_str("resource \"terraform_data\" \"one\" {\n  input = var.v0\n}\n");
    text
}

/// One call with many instances of a module with many variables.
fn modules(size: usize) -> Vec<(&'static str, String)> {
    let mut text = String::from("locals {\n  base = \"b\"\n}\n");
    text.push_str(&called(1, &format!("module \"many\" {{\n  count = {size}")));
    text.push_str("output \"all\" {\n  value = module.many[*].all\n}\n");
    vec![("main.tf", text), ("inner/main.tf", inner())]
}

/// As many calls of that module, one instance each.
fn calls(size: usize) -> Vec<(&'static str, String)> {
    let mut text = String::from("locals {\n  base = \"b\"\n}\n");
    for at in 0..size {
        text.push_str(&called(at, &format!("module \"m{at}\" {{")));
        let _ = writeln!(text, "output \"o{at}\" {{\n  value = module.m{at}.all\n}}");
    }
    vec![("main.tf", text), ("inner/main.tf", inner())]
}

/// A chain of local values.
fn chain(size: usize) -> Vec<(&'static str, String)> {
    let mut text = String::from("locals {\n  l0 = 0\n");
    for at in 1..=size {
        let _ = writeln!(text, "  l{at} = local.l{} + 1", at - 1);
    }
    let _ = writeln!(text, "}}\n\noutput \"end\" {{\n  value = local.l{size}\n}}");
    vec![("main.tf", text)]
}

/// As many calls of one function in one `for`.
fn merge(size: usize) -> Vec<(&'static str, String)> {
    let mut text = String::from("locals {\n  base = { a = 1, b = \"two\", c = [3] }\n  many = [\n");
    for at in 0..size {
        let _ = writeln!(text, "    {at},");
    }
    text.push_str("  ]\n}\n\noutput \"merged\" {\n  value = [for i in local.many : merge(local.base, { a = i, d = i })]\n}\n");
    vec![("main.tf", text)]
}

/// Large modules that are switched off.
fn absent(size: usize) -> Vec<(&'static str, String)> {
    let mut text = String::from("locals {\n  base = \"b\"\n}\n");
    for at in 0..size {
        text.push_str(&called(at, &format!("module \"m{at}\" {{\n  count = 0")));
    }
    vec![("main.tf", text), ("inner/main.tf", inner())]
}

fn write(folder: &Path, shape: &Shape) -> Result<(), String> {
    let failed = |why: std::io::Error| format!("{}: {why}", folder.display());
    for (name, text) in (shape.write)(shape.size) {
        let path = folder.join(name);
        std::fs::create_dir_all(path.parent().unwrap_or(folder)).map_err(failed)?;
        std::fs::write(&path, text).map_err(failed)?;
    }
    Ok(())
}

/// What one run needed.
#[derive(Clone, Copy)]
struct Need {
    /// Seconds from start to end.
    wall: f64,
    /// Seconds on all processors together.
    cpu: f64,
    /// Kilobytes at the highest.
    peak: f64,
}

/// The least that some runs needed; GNU time tells.
#[expect(clippy::disallowed_methods, reason = "this is a benchmark: it looks at the clock")]
fn measure(program: &Path, arguments: &[&str], folder: &Path, runs: usize) -> Result<Need, String> {
    let told = folder.join("time.txt");
    let mut best = Need { wall: f64::INFINITY, cpu: f64::INFINITY, peak: f64::INFINITY };
    for _ in 0..runs {
        let mut command = Command::new("/usr/bin/time");
        command.args(["--quiet", "-f", "%U %S %M", "-o"]).arg(&told).arg(program).args(arguments);
        command.current_dir(folder).env("CHECKPOINT_DISABLE", "1");
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        let started = std::time::Instant::now();
        command.status().map_err(|why| format!("/usr/bin/time: {why}"))?;
        let wall = started.elapsed().as_secs_f64();
        let text = std::fs::read_to_string(&told).map_err(|why| why.to_string())?;
        let told: Vec<f64> = text.split_whitespace().filter_map(|one| one.parse().ok()).collect();
        let [user, system, peak] = told[..] else { return Err(format!("GNU time says {text}")) };
        best.wall = best.wall.min(wall);
        best.cpu = best.cpu.min(user + system);
        best.peak = best.peak.min(peak);
    }
    Ok(best)
}

/// Writes the modules below `target/scale` and prints what each command needs for them. `--write` only
/// writes; `--bin PATH` measures another binary; `--terraform` adds its plan; names choose modules.
#[expect(clippy::print_stdout, reason = "the figures are what this is run for")]
pub(crate) fn run() -> Result<(), String> {
    let (mut names, mut only_write, mut beside, mut runs) = (Vec::new(), false, false, 3);
    let root = testkit::workspace();
    let mut program = root.join("target/release/groma");
    let mut given = std::env::args().skip(2);
    while let Some(one) = given.next() {
        match one.as_str() {
            "--write" => only_write = true,
            "--terraform" => beside = true,
            "--bin" => program = PathBuf::from(given.next().ok_or("--bin needs a path")?),
            "--runs" => {
                runs = given.next().and_then(|n| n.parse().ok()).ok_or("--runs needs a number")?
            }
            _ => names.push(one),
        }
    }
    let program = std::path::absolute(&program).map_err(|why| why.to_string())?;
    println!("{:<15} {:<15} {:>9} {:>9} {:>9}", "module", "command", "seconds", "cpu", "MB");
    for shape in SHAPES.iter().filter(|s| names.is_empty() || names.iter().any(|n| n == s.name)) {
        let folder = root.join("target/scale").join(shape.name);
        write(&folder, shape)?;
        if only_write {
            continue;
        }
        let show = |command: &str, Need { wall, cpu, peak }: Need| {
            let (name, peak) = (shape.name, peak / 1024.0);
            println!("{name:<15} {command:<15} {wall:>9.3} {cpu:>9.3} {peak:>9.1}");
        };
        for command in COMMANDS {
            show(&command.join(" "), measure(&program, command, &folder, runs)?);
        }
        if beside {
            measure(Path::new("terraform"), &["init"], &folder, 1)?;
            show("terraform plan", measure(Path::new("terraform"), &["plan"], &folder, 1)?);
        }
    }
    Ok(())
}
