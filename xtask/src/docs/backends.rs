//! Generation of the reference page on backends from their rows.

use std::fmt::Write as _;

use groma_config::ArgumentRow;
use groma_module::backend::BACKENDS;
use groma_runtime::Availability;

use super::made::Made;

/// The path of the generated page about backends.
const PAGE: &str = "docs/reference/backends.md";

/// The text above the tables of the page about backends.
const HEAD: &str = "\
# Backends

What a `backend` block in `terraform` may hold, by its kind. `groma check` warns of what is not in these tables: the
programs' own `validate` lets it pass, and their `init` refuses it. `groma plan` refuses it as well. What is missing is not
reported, since `-backend-config` may give it.

The tables are what Terraform 1.11 and 1.15 and OpenTofu 1.12 took when they were asked. Of another version only the kind is
looked at. This page is made by `cargo xtask docs`.
";

/// Generates the page about backends.
pub(super) fn made() -> Made {
    let mut out = String::from(HEAD);
    for row in BACKENDS {
        let _ = write!(out, "\n## {}\n\n{}", row.kind, row.doc);
        if row.editions != Availability::ALL {
            let _ = write!(out, " Only in {}.", row.editions.editions_text());
        }
        let _ = write!(out, "\n\n| argument | takes | only in |\n| --- | --- | --- |\n");
        arguments("", row.arguments, &mut out);
        for block in row.blocks {
            arguments(&format!("{}.", block.kind), block.arguments, &mut out);
        }
        if let Some(block) = row.blocks.first() {
            let _ = writeln!(out, "\n`{}` is a block.", block.kind);
        }
    }
    (PAGE, out)
}

/// Writes the rows of a Markdown table of arguments; `within` is put before the names of nested ones.
fn arguments(within: &str, rows: &[ArgumentRow], out: &mut String) {
    for row in rows {
        let homes = match row.editions {
            Availability::ALL => String::new(),
            editions => editions.editions_text(),
        };
        let _ = writeln!(out, "| `{within}{}` | {} | {homes} |", row.name, row.takes.name());
    }
}
