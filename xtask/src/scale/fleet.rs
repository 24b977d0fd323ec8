//! Many roots that share some modules and have others of their own.

use std::fmt::Write as _;

use super::module::Files;

/// The number of modules that all roots call.
const SHARED: usize = 10;

/// The number of modules that only one root calls.
const OWN: usize = 30;

/// Returns the files of `size` roots below `live`, each calling the shared modules and its own.
pub(super) fn fleet(size: usize) -> Files {
    let mut files: Files = (0..SHARED)
        .map(|at| (format!("modules/m{at}/main.tf").into(), called(&format!("m{at}"), at)))
        .collect();
    // Without it a root would read nothing above its own folder.
    files.push((".git/HEAD".into(), "ref: refs/heads/main\n".to_owned()));
    for root in 0..size {
        let folder = name(root);
        files.push((format!("{folder}/main.tf").into(), main(root)));
        for at in 0..OWN {
            let text = called(&format!("own{root}-{at}"), at);
            files.push((format!("{folder}/own{at}/main.tf").into(), text));
        }
    }
    files
}

/// Returns the folder of the root with a number, such as `live/r0001`.
fn name(root: usize) -> String {
    format!("live/r{root:04}")
}

/// Returns the code of the root with a number, which calls all shared modules and its own.
fn main(root: usize) -> String {
    let stage = root % 7;
    let mut text = format!(
        "variable \"stage\" {{\n  default = \"s{stage}\"\n}}\n\nlocals {{\n  name = \"root-{root}-${{var.stage}}\"\n}}\n\n"
    );
    let mut call = |name: String, source: String| {
        let _ = write!(
            text,
            "module \"{name}\" {{\n  source = \"{source}\"\n  name   = \"${{local.name}}-{name}\"\n}}\n\n"
        );
    };
    (0..SHARED).for_each(|at| call(format!("m{at}"), format!("../../modules/m{at}")));
    (0..OWN).for_each(|at| call(format!("own{at}"), format!("./own{at}")));
    let tags: Vec<String> = (0..SHARED).map(|at| format!("module.m{at}.tags")).collect();
    let _ = writeln!(text, "output \"all\" {{\n  value = [{}]\n}}", tags.join(", "));
    text
}

/// Returns the code of a called module of this name, with `at % 3 + 1` resource instances.
fn called(name: &str, at: usize) -> String {
    let count = at % 3 + 1;
    format!(
        "variable \"name\" {{\n  type = string\n}}\n\nvariable \"size\" {{\n  type    = number\n  default = {count}\n}}\n\n\
         locals {{\n  tags = merge({{ name = var.name }}, {{ size = tostring(var.size), module = \"{name}\" }})\n}}\n\n\
         resource \"terraform_data\" \"own\" {{\n  count = var.size\n  input = {{ tags = local.tags, number = count.index }}\n}}\n\n\
         output \"tags\" {{\n  value = local.tags\n}}\n"
    )
}
