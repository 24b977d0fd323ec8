//! An edit of one expression in a root of 3,000 local values and 3,000 resources, by the library's door: from the edit of a
//! held text to a snapshot, the values of all outputs, and the findings of the check and of the rules. The least of the edits
//! counts, as the machine may be busy; allocations tell more than milliseconds there. A number is how many edits are made.

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use groma::rules::RuleSwitches;
use groma::syntax::{ColumnUnit, Point};
use groma::{DocumentEdit, LoadOptions, MemoryHost, Snapshot, Workspace};

const COUNT: usize = 3_000;

/// Returns the text of the root, and the line and the column of the number that is edited.
fn text() -> (String, Point) {
    let mut text = String::from("locals {\n");
    let mut edited = Point::default();
    for at in 0..COUNT {
        let before = at.saturating_sub(1);
        let value = match at % 10 {
            0 => format!("{at}"),
            _ => format!("local.value_{before} + 1"),
        };
        let line = format!("  value_{at} = {value}");
        if at == COUNT / 2 + 1 {
            edited = Point { line: at as u32 + 1, column: line.len() as u32 - 1 };
        }
        let _ = writeln!(text, "{line}");
    }
    text.push_str("}\n");
    for at in 0..COUNT {
        let _ = write!(
            text,
            "\n# The {at}th of them, which needs a local value.\nresource \"terraform_data\" \"made_{at}\" {{\n  input = {{\n    name  = \"made-${{local.value_{at}}}\"\n    size  = local.value_{at} * 2\n    tags  = [\"one\", \"two\", upper(\"three\")]\n    notes = \"a line of plain text that is longer than the others\"\n  }}\n}}\n"
        );
    }
    for at in (0..COUNT).step_by(10) {
        let _ = write!(text, "\noutput \"made_{at}\" {{\n  value = terraform_data.made_{at}.input\n}}\n");
    }
    (text, edited)
}

/// The stages from an edit to its answers.
const STAGES: [&str; 4] = ["load", "values", "check", "rules"];

/// The time and the allocations of each stage.
type Measures = [(Duration, u64); 4];

fn measured<T>(ask: impl FnOnce() -> T) -> (T, (Duration, u64)) {
    let (start, mut answer) = (Instant::now(), None);
    let counted = allocation_counter::measure(|| answer = Some(ask()));
    let took = start.elapsed();
    (answer.expect("it was asked"), (took, counted.count_total))
}

/// Asks everything of the root as it is now.
fn ask(workspace: &Workspace) -> (Snapshot, Measures) {
    let options = LoadOptions::default();
    let (snapshot, load) = measured(|| workspace.root(".", &options));
    let (outputs, values) = measured(|| snapshot.outputs());
    let (found, check) = measured(|| snapshot.findings().len());
    let (linted, rules) = measured(|| snapshot.lint(&RuleSwitches::default()));
    assert_eq!((outputs.value.len(), found), (COUNT / 10, 0));
    drop(linted);
    (snapshot, [load, values, check, rules])
}

fn print(title: &str, measures: &Measures) {
    print!("{title:<8}");
    for (stage, (took, count)) in STAGES.iter().zip(measures) {
        print!("{stage} {:>6.2} ms {count:>7} allocations; ", took.as_secs_f64() * 1e3);
    }
    let all: Duration = measures.iter().map(|(took, _)| *took).sum();
    let count: u64 = measures.iter().map(|(_, count)| count).sum();
    println!("all {:>6.2} ms {count:>7} allocations", all.as_secs_f64() * 1e3);
}

fn main() {
    let edits = std::env::args().skip(1).find_map(|one| one.parse().ok()).unwrap_or(10);
    let (text, at) = text();
    println!("{} bytes, {COUNT} local values, {COUNT} resources, {} outputs", text.len(), COUNT / 10);
    let (mut least, mut fewest) = (Duration::MAX, u64::MAX);
    for _ in 0..3 {
        let workspace = Workspace::new(MemoryHost::new()).watched();
        workspace.set("main.tf", text.as_bytes().to_vec());
        let (_, first) = ask(&workspace);
        print("first:", &first);
        for version in 0..edits {
            let range = Some(at..Point { column: at.column + 1, ..at });
            let edit = DocumentEdit { range, text: ((version + 2) % 10).to_string() };
            let start = Instant::now();
            let made = workspace.edit("main.tf", &[edit], ColumnUnit::Utf8, version);
            made.expect("the range lies in the text");
            let written = start.elapsed();
            let (_, mut measures) = ask(&workspace);
            measures[0].0 += written;
            print("  edit:", &measures);
            least = least.min(measures.iter().map(|(took, _)| *took).sum());
            fewest = fewest.min(measures.iter().map(|(_, count)| count).sum());
        }
    }
    println!(
        "least of an edit, until values and findings are fresh: {:.2} ms, {fewest} allocations",
        least.as_secs_f64() * 1e3
    );
}
