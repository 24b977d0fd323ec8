//! Tests that the page `docs/guide/versions.md` is up to date with the table of differences; `BLESS=1` rewrites it.

use std::fmt::Write as _;

use groma_runtime::{Dialect, Edition, Semantics, Version};

/// The path of the page with the differences between editions.
const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/guide/versions.md");

/// Returns the text for the first version of a dialect in which something holds.
fn since(version: Option<Version>) -> String {
    match version {
        None => "no".to_owned(),
        Some(version) if version == Version::new(0, 0, 0) => "yes".to_owned(),
        Some(version) => format!("from {}.{}", version.major, version.minor),
    }
}

/// Iterates over phrases for the Unicode versions of recorded editions, one for each change.
fn clusters() -> impl Iterator<Item = String> {
    Dialect::ALL.into_iter().flat_map(|dialect| {
        let mut last = None;
        let editions = dialect.recorded().map(move |version| Edition::new(dialect, version));
        editions.filter_map(move |edition| {
            let unicode = Semantics::of(edition).unicode;
            let is_first = last.is_none();
            if last.replace(unicode) == Some(unicode) {
                return None;
            }
            let since = format!(" from {}.{}", edition.version.major, edition.version.minor);
            let since = if is_first { String::new() } else { since };
            let unicode = format!("{unicode:?}");
            Some(format!("Unicode {} in {dialect}{since}", unicode.trim_start_matches('V')))
        })
    })
}

/// Returns a text for a table cell, in which bars are escaped.
fn cell(text: &str) -> String {
    text.replace('|', "\\|")
}

/// Tests that the page has the content that the table implies.
#[test]
fn the_page_shows_the_table() {
    let mut page = String::from(
        "# Dialects and versions\n\n\
         One engine answers as OpenTofu, Terraform or Packer of a named version would: `--dialect terraform@1.11`. Without a\n\
         version it is the newest that is released, and without a dialect the file names decide. Expressions mean the same everywhere\n\
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
        "\n## What was measured\n\n\
         The behaviour of these is recorded; `groma version` lists them, too.\n\n\
         | edition | measured against |\n\
         | --- | --- |\n",
    );
    for dialect in Dialect::ALL {
        for one in dialect.recordings() {
            let _ = writeln!(
                page,
                "| `{}@{}` | {dialect} {} |",
                dialect.slug(),
                one.version,
                one.asked
            );
        }
    }
    page.push_str(
        "\nWhat other versions do is concluded from these and from what is published about each version. A version that is newer\n\
         than all of them is read as the newest one: what that does not know, and the newer one may, is\n\
         [told](../../conformance/pages/diagnostics/newer-edition.md), and what it leads to is unknown.\n\n",
    );
    let unicode: Vec<String> = clusters().collect();
    let _ = writeln!(
        page,
        "Lengths, substrings and widths count grapheme clusters by the rules of {}; of case and patterns a\n[page](../../conformance/pages/values/unicode.md) tells.",
        unicode.join(", ")
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

/// Tests that no two differences have the same name.
#[test]
fn names_of_differences_are_distinct() {
    let mut names: Vec<&str> =
        Semantics::DIFFERENCES.iter().map(|difference| difference.name).collect();
    let all = names.len();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), all);
}
