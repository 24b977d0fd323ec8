//! How many bytes stay for each byte of source once a project is loaded, with what the next load is spared. An editor
//! holds all roots of a repository at once, so this is held low: whoever lets a declaration grow sees it here.

use std::fmt::Write as _;
use std::sync::Arc;

use allocation_counter::measure;
use groma_project::{LoadCache, Project, ProjectOptions};
use groma_runtime::MemoryHost;
use groma_syntax::Diagnostics;

/// The number of local values, and that of resources.
const COUNT: usize = 1_000;

/// Returns the root that the benchmark of edits changes: local values that depend on each other, resources that depend on them,
/// and outputs of those.
fn root() -> String {
    let mut text = String::from("locals {\n");
    for at in 0..COUNT {
        let value = match at % 10 {
            0 => format!("{at}"),
            _ => format!("local.value_{} + 1", at - 1),
        };
        let _ = writeln!(text, "  value_{at} = {value}");
    }
    text.push_str("}\n");
    for at in 0..COUNT {
        let _ = write!(
            text,
            r#"
# The {at}th of them, which needs a local value.
resource "terraform_data" "made_{at}" {{
  input = {{
    name  = "made-${{local.value_{at}}}"
    size  = local.value_{at} * 2
    tags  = ["one", "two", upper("three")]
    notes = "a line of plain text that is longer than the others"
  }}
}}
"#
        );
    }
    for at in (0..COUNT).step_by(10) {
        let _ = write!(
            text,
            "\noutput \"made_{at}\" {{\n  value = terraform_data.made_{at}.input\n}}\n"
        );
    }
    text
}

#[test]
fn a_loaded_project_keeps_ten_bytes_for_a_byte_of_source() {
    let text = root();
    let bytes = text.len();
    let host = Arc::new(MemoryHost::new().with_file("main.tf", text.into_bytes()));
    let (mut kept, mut out) = (LoadCache::default(), Diagnostics::new());
    let mut project = None;
    let load = measure(|| {
        let options = ProjectOptions::default();
        project = Some(Project::load_again(".", &options, host, &mut kept, &mut out));
    });
    assert_eq!(out.len(), 0, "{:?}", out.iter().next());
    std::mem::forget((project, kept));
    let share = load.bytes_current as f64 / bytes as f64;
    assert!(share < 10.0, "{share:.2} bytes for each of {bytes}");
}

#[test]
fn an_edit_of_one_declaration_reads_no_other() {
    let mut text = root();
    let (mut kept, mut out) = (LoadCache::default(), Diagnostics::new());
    let mut load = |text: &str| {
        let host = Arc::new(MemoryHost::new().with_file("main.tf", text.to_owned().into_bytes()));
        let options = ProjectOptions::default();
        let again = || drop(Project::load_again(".", &options, host, &mut kept, &mut out));
        measure(again).count_total
    };
    let first = load(&text);
    let local = ("value_501 = local.value_500 + 1", "value_501 = local.value_500 + 2");
    let resource = ("size  = local.value_501 * 2", "size  = local.value_501 * 3");
    for (old, new) in [local, resource] {
        text = text.replace(old, new);
        let edited = load(&text);
        assert!(edited * 40 < first, "{edited} allocations after an edit, {first} at first");
    }
}
