//! Generators of modules to measure. The text depends on the size alone.

use std::borrow::Cow;
use std::fmt::Write as _;

/// The files of a module: names and texts.
pub(super) type Files = Vec<(Cow<'static, str>, String)>;

/// Returns a module with a resource of `size` instances by `for_each`, and an output of all ids.
pub(super) fn instances(size: usize) -> Files {
    let mut text = String::from("locals {\n  entries = {\n");
    for at in 0..size {
        let _ = writeln!(text, "    key{at:06} = {{ name = \"name-{at}\", size = {at} }}");
    }
    text.push_str(
        "  }\n}\n\nresource \"terraform_data\" \"many\" {\n  for_each = local.entries\n  input    = each.value\n}\n\n\
         output \"ids\" {\n  value = [for one in terraform_data.many : one.id]\n}\n",
    );
    vec![("main.tf".into(), text)]
}

/// Returns a module with three resources of `size` instances, each referring to an instance of the previous resource.
pub(super) fn cross(size: usize) -> Files {
    let mut files = instances(size);
    for (_, text) in &mut files {
        text.push_str(
            "\nresource \"terraform_data\" \"more\" {\n  for_each = local.entries\n  input    = terraform_data.many[each.key].output.name\n}\n\n\
             resource \"terraform_data\" \"last\" {\n  for_each = terraform_data.more\n  input    = each.value.id\n}\n",
        );
    }
    files
}

/// Maximum number of instances of one resource block in a generated module; more are spread over several blocks.
const MAX_INSTANCES: usize = 100_000;

/// Returns a module with `size` resource instances by `count`, in as few resources as possible.
pub(super) fn counted(size: usize) -> Files {
    let mut text = String::new();
    for block in 0..size.div_ceil(MAX_INSTANCES) {
        let count = (size - block * MAX_INSTANCES).min(MAX_INSTANCES);
        let _ = write!(
            text,
            "resource \"terraform_data\" \"many{block}\" {{\n  count = {count}\n  input = \"name-${{count.index}}\"\n}}\n\n"
        );
    }
    vec![("main.tf".into(), text)]
}

/// Returns a module with `size` resource instances by `for_each`, each with an object, in as few resources as possible.
pub(super) fn keyed(size: usize) -> Files {
    let mut text = String::new();
    for block in 0..size.div_ceil(MAX_INSTANCES) {
        let keys = block * MAX_INSTANCES..size.min((block + 1) * MAX_INSTANCES);
        let _ = writeln!(text, "locals {{\n  entries{block} = {{");
        for at in keys {
            let _ = writeln!(text, "    key{at:06} = {{ name = \"name-{at}\", size = {at} }}");
        }
        let _ = write!(
            text,
            "  }}\n}}\n\nresource \"terraform_data\" \"many{block}\" {{\n  for_each = local.entries{block}\n  input    = each.value\n}}\n\n"
        );
    }
    vec![("main.tf".into(), text)]
}

/// The number of variables of a generated module that is called.
const VARIABLES: usize = 60;

/// Returns the code of a `module` block, begun by `header`, that calls the module of `inner` with all its variables.
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

/// Returns the code of the called module: [`VARIABLES`] variables and locals, an output and a resource.
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

/// Returns a root with one call of `size` instances of a module with many variables.
pub(super) fn modules(size: usize) -> Files {
    let mut text = String::from("locals {\n  base = \"b\"\n}\n");
    text.push_str(&called(1, &format!("module \"many\" {{\n  count = {size}")));
    text.push_str("output \"all\" {\n  value = module.many[*].all\n}\n");
    vec![("main.tf".into(), text), ("inner/main.tf".into(), inner())]
}

/// Returns a root with `size` calls, each of one instance, of a module with many variables.
pub(super) fn calls(size: usize) -> Files {
    let mut text = String::from("locals {\n  base = \"b\"\n}\n");
    for at in 0..size {
        text.push_str(&called(at, &format!("module \"m{at}\" {{")));
        let _ = writeln!(text, "output \"o{at}\" {{\n  value = module.m{at}.all\n}}");
    }
    vec![("main.tf".into(), text), ("inner/main.tf".into(), inner())]
}

/// Returns a module with a chain of `size` local values, each referring to the previous one.
pub(super) fn chain(size: usize) -> Files {
    let mut text = String::from("locals {\n  l0 = 0\n");
    for at in 1..=size {
        let _ = writeln!(text, "  l{at} = local.l{} + 1", at - 1);
    }
    let _ = writeln!(text, "}}\n\noutput \"end\" {{\n  value = local.l{size}\n}}");
    vec![("main.tf".into(), text)]
}

/// Returns a module whose output calls `merge` for each of `size` elements of a list.
pub(super) fn merge(size: usize) -> Files {
    let mut text = String::from("locals {\n  base = { a = 1, b = \"two\", c = [3] }\n  many = [\n");
    for at in 0..size {
        let _ = writeln!(text, "    {at},");
    }
    text.push_str("  ]\n}\n\noutput \"merged\" {\n  value = [for i in local.many : merge(local.base, { a = i, d = i })]\n}\n");
    vec![("main.tf".into(), text)]
}

/// Returns a root with many calls of a large module, all with `count = 0`.
pub(super) fn absent(size: usize) -> Files {
    let mut text = String::from("locals {\n  base = \"b\"\n}\n");
    for at in 0..size {
        text.push_str(&called(at, &format!("module \"m{at}\" {{\n  count = 0")));
    }
    vec![("main.tf".into(), text), ("inner/main.tf".into(), inner())]
}
