//! The driver: `invariants [TARGET|all] [RUNS] [SEED]` checks the seeds of each target and inputs made from them. An
//! input that fails is written below `target/fuzz`, and its path is told; small it becomes a seed.
#![forbid(unsafe_code)]

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::process::ExitCode;

use invariants::{Mutator, TARGETS, Target, seeds};

/// Default number of generated inputs for each target.
const RUNS: usize = 2_000;

/// Runs the targets that the command line names, on inputs made from their seeds.
#[expect(clippy::print_stdout, clippy::print_stderr, reason = "a command line tool speaks")]
fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let wanted = arguments.next().unwrap_or_else(|| "all".to_owned());
    let numbers: Option<Vec<usize>> = arguments.map(|number| number.parse().ok()).collect();
    let targets: Vec<&Target> =
        TARGETS.iter().filter(|target| wanted == "all" || wanted == target.name).collect();
    let (Some(numbers), false) = (numbers, targets.is_empty()) else {
        let names: Vec<&str> = TARGETS.iter().map(|target| target.name).collect();
        eprintln!(
            "invariants [TARGET|all] [RUNS] [SEED], where TARGET is one of {}",
            names.join(", ")
        );
        return ExitCode::from(2);
    };
    let runs = numbers.first().copied().unwrap_or(RUNS);
    let seed = numbers.get(1).map_or(1, |seed| *seed as u64);
    let mut failed = false;
    for target in targets {
        match run(target, runs, seed) {
            Ok(count) => println!("{:12} {count} inputs, all well", target.name),
            Err(path) => {
                failed = true;
                eprintln!("{:12} fails for {path}", target.name);
            }
        }
    }
    if failed { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}

/// Checks the seeds and `runs` generated inputs of a target. Returns their number, or the file of the first that fails.
/// Each input is written there before it is checked, so that one that ends the process can be found.
fn run(target: &Target, runs: usize, seed: u64) -> Result<usize, String> {
    let seeds = seeds(target.name);
    let mut mutator = Mutator::new(seed);
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../target/fuzz");
    let path = folder.join(format!("{}-{seed}", target.name));
    let made = std::fs::create_dir_all(&folder);
    for nth in 0..seeds.len() + runs {
        let input = match seeds.get(nth) {
            Some(seed) => seed.clone(),
            None => mutator.next(&seeds),
        };
        let written = made.is_ok() && std::fs::write(&path, &input).is_ok();
        if catch_unwind(AssertUnwindSafe(|| (target.check)(&input))).is_err() {
            return Err(match written {
                true => path.display().to_string(),
                false => format!("input {nth}: {:?}", String::from_utf8_lossy(&input)),
            });
        }
    }
    let _ = std::fs::remove_file(&path);
    Ok(seeds.len() + runs)
}
