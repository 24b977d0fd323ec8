//! The page `docs/guide/versions.md` is made from the table of differences; `BLESS=1` rewrites it.

use std::fmt::Write as _;

use groma_runtime::{Dialect, Semantics, Version};

const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/guide/versions.md");

fn since(version: Option<Version>) -> String {
    match version {
        None => "no".to_owned(),
        Some(version) if version == Version::new(0, 0, 0) => "yes".to_owned(),
        Some(version) => format!("from {}.{}", version.major, version.minor),
    }
}

/// A bar would end the cell.
fn cell(text: &str) -> String {
    text.replace('|', "\\|")
}

#[test]
fn the_page_shows_the_table() {
    let mut page = String::from(
        "# Dialects and versions\n\n\
         One engine answers as OpenTofu, Terraform or Packer of a named version would: `--dialect terraform@1.11`. Without a\n\
         version it is the newest known one, and without a dialect the file names decide. Expressions mean the same everywhere\n\
         but for what is listed here. Which functions exist where is on the functions' own pages.\n\n\
         The table is made from the one in the engine (`cargo test` checks it, `BLESS=1 cargo test` rewrites it).\n\n\
         | what holds | OpenTofu | Terraform | Packer | where it does not hold |\n\
         | --- | --- | --- | --- | --- |\n",
    );
    for difference in Semantics::DIFFERENCES {
        let in_dialect = |dialect| since(difference.editions.since(dialect));
        let _ = writeln!(
            page,
            "| {} | {} | {} | {} | {} |",
            cell(difference.holds),
            in_dialect(Dialect::OpenTofu),
            in_dialect(Dialect::Terraform),
            in_dialect(Dialect::Packer),
            cell(difference.otherwise)
        );
    }
    page.push_str(
        "\nThe behaviour of OpenTofu 1.12.6, Terraform 1.11.4 and 1.15.9 and Packer 1.16.0 is recorded. What other versions do\n\
         is concluded from these and from what is published about each version; a version that is newer than all of them is\n\
         taken for the newest one.\n\n\
         Lengths, substrings and widths count grapheme clusters by the rules of Unicode 15 in OpenTofu and Terraform, and of\n\
         Unicode 13 in Packer.\n",
    );
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(PAGE, &page).expect("the page can be written");
    }
    let stands = std::fs::read_to_string(PAGE).unwrap_or_default();
    assert_eq!(
        stands, page,
        "docs/guide/versions.md is not what the table says; run BLESS=1 cargo test"
    );
}

#[test]
fn names_of_differences_are_distinct() {
    let mut names: Vec<&str> =
        Semantics::DIFFERENCES.iter().map(|difference| difference.name).collect();
    let all = names.len();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), all);
}
