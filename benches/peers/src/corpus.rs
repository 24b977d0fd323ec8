//! The source files that are parsed.
//!
//! Real ones where `GROMA_CORPUS` names a folder; otherwise one module made up here, the same bytes on every machine.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The files, as text. Those that are no UTF-8 are left out: not every side takes them.
pub fn read() -> Vec<Arc<str>> {
    match std::env::var_os("GROMA_CORPUS") {
        Some(folder) => below(Path::new(&folder)),
        None => (0..40).map(|number| made_up(number).into()).collect(),
    }
}

/// How many bytes the files hold.
pub fn size(files: &[Arc<str>]) -> usize {
    files.iter().map(|text| text.len()).sum()
}

fn below(folder: &Path) -> Vec<Arc<str>> {
    let mut open = vec![folder.to_path_buf()];
    let mut paths: Vec<PathBuf> = Vec::new();
    while let Some(folder) = open.pop() {
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            let kind = entry.file_type();
            if kind.as_ref().is_ok_and(std::fs::FileType::is_dir) {
                open.push(path);
            } else if kind.is_ok_and(|kind| kind.is_file())
                && path.extension().is_some_and(|ending| ending == "tf")
            {
                paths.push(path);
            }
        }
    }
    paths.sort();
    paths.iter().filter_map(|path| std::fs::read_to_string(path).ok().map(Into::into)).collect()
}

/// A module of the shape that infrastructure code has: long blocks, short expressions, templates, comments.
fn made_up(number: usize) -> String {
    let mut out = String::new();
    let _ = writeln!(out, "# Part {number} of a network.\n");
    for n in 0..30 {
        let _ = write!(
            out,
            r#"variable "subnets_{n}" {{
  description = "The subnets of zone {n}, by name."
  type = map(object({{
    cidr   = string
    public = optional(bool, false)
    tags   = optional(map(string), {{}})
  }}))
  default = {{}}

  validation {{
    condition     = alltrue([for s in values(var.subnets_{n}) : can(cidrhost(s.cidr, 0))])
    error_message = "Each subnet needs a CIDR block, not ${{join(", ", keys(var.subnets_{n}))}}."
  }}
}}

locals {{
  public_{n} = {{ for name, s in var.subnets_{n} : name => s if s.public && s.cidr != "" }} // those with a route
  names_{n}  = [for name in sort(keys(local.public_{n})) : lower("${{var.prefix}}-${{name}}-{n}")]
}}

resource "example_subnet" "zone_{n}" {{
  for_each = local.public_{n}

  network_id = example_network.main[{n} % 3].id
  cidr_block = each.value.cidr
  size       = max(8, length(local.names_{n}) * 2 + {n})
  tags = merge(var.tags, each.value.tags, {{
    Name = "${{var.prefix}}-${{each.key}}"
    Zone = element(data.example_zones.all.names, {n})
  }})

  dynamic "route" {{
    for_each = each.value.public ? [1] : []
    content {{
      gateway = example_gateway.main.*.id[0]
    }}
  }}

  user_data = <<-EOT
    #!/bin/sh
    # Zone {n}
    %{{ for name in local.names_{n} ~}}
    echo "${{name}}" >> /etc/zones
    %{{ endfor ~}}
  EOT
}}

"#
        );
    }
    out
}
