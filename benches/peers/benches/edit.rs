//! An edit of one expression in a root of 3,000 local values and 3,000 resources: what the first load, evaluation and
//! findings take, and what the same takes after the edit. Allocations tell more than milliseconds on a busy machine.

use std::fmt::Write as _;
use std::sync::Arc;
use std::time::Instant;

use groma_project::{
    Evaluation, ExaminedProject, Facts, LoadCache, NoFacts, Project, ProjectOptions,
    validate_again,
};
use groma_runtime::MemoryHost;
use groma_syntax::Diagnostics;

const COUNT: usize = 3_000;

fn text(edited: usize) -> String {
    let mut text = String::from("locals {\n");
    for at in 0..COUNT {
        let before = at.saturating_sub(1);
        let plus = if at == COUNT / 2 + 1 { edited } else { 1 };
        let value = match at % 10 {
            0 => format!("{at}"),
            _ => format!("local.value_{before} + {plus}"),
        };
        let _ = writeln!(text, "  value_{at} = {value}");
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
    text
}

fn main() {
    let host = |edited: usize| {
        Arc::new(MemoryHost::new().with_file("main.tf", text(edited).into_bytes()))
    };
    let bytes = text(1).len();
    let facts: Arc<dyn Facts> = Arc::new(NoFacts);
    let options = ProjectOptions::default();
    let once = |kept: &mut LoadCache,
                last: &mut Option<Evaluation>,
                examined: &mut Option<ExaminedProject>,
                edited: usize| {
        let host = host(edited);
        let mut out = Diagnostics::new();
        let mut project = None;
        let start = Instant::now();
        let load = allocation_counter::measure(|| {
            project = Some(Project::load_again(".", &options, host, kept, &mut out));
        });
        let loaded = start.elapsed();
        let project = project.expect("it was loaded");
        let mut count = 0;
        let rest = allocation_counter::measure(|| {
            let new = match last.as_ref() {
                Some(last) => Evaluation::following(last, project, facts.clone(), options.run.clone()),
                None => Evaluation::new(project, facts.clone(), options.run.clone()),
            };
            count = new.outputs(&mut out).len();
            *last = Some(new);
        });
        let evaluated = start.elapsed();
        let new = last.as_ref().expect("it was evaluated");
        let found = allocation_counter::measure(|| {
            new.evaluate_all(&mut out);
            let now = validate_again(new.project(), &options, examined.as_ref(), &mut out);
            *examined = now;
        });
        assert_eq!((count, out.len()), (COUNT / 10, 0), "{:?}", out.iter().next());
        assert!(examined.is_some());
        (loaded, evaluated, start.elapsed(), load, rest, found)
    };
    println!("{bytes} bytes, {COUNT} local values, {COUNT} resources, {} outputs", COUNT / 10);
    for run in 0..3 {
        let (mut kept, mut last, mut examined) = (LoadCache::default(), None, None);
        let first = once(&mut kept, &mut last, &mut examined, 1);
        let live = first.3.bytes_current as f64 / bytes as f64;
        println!(
            "first {run}:  load {:>7.2} ms {:>7} allocations, {live:.1} bytes live a source byte; with outputs {:>7.2} ms {:>7} allocations; with findings {:>7.2} ms {:>7} allocations",
            first.0.as_secs_f64() * 1e3, first.3.count_total, first.1.as_secs_f64() * 1e3, first.3.count_total + first.4.count_total,
            first.2.as_secs_f64() * 1e3, first.3.count_total + first.4.count_total + first.5.count_total
        );
        for edited in 2..5 {
            let next = once(&mut kept, &mut last, &mut examined, edited);
            println!(
                "  edit:    load {:>7.2} ms {:>7} allocations; with outputs {:>7.2} ms {:>7} allocations, {:.2} % of the first; with findings {:>7.2} ms {:>7} allocations",
                next.0.as_secs_f64() * 1e3, next.3.count_total, next.1.as_secs_f64() * 1e3, next.3.count_total + next.4.count_total,
                100.0 * (next.3.count_total + next.4.count_total) as f64 / (first.3.count_total + first.4.count_total) as f64,
                next.2.as_secs_f64() * 1e3, next.3.count_total + next.4.count_total + next.5.count_total
            );
        }
    }
}
