//! Tests that every function has a page and every page a function, and that both have the same parameters of the same types. The
//! examples are run by other tests; here they are only counted.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::PathBuf;

use groma_functions::{Function, FunctionFamily, FunctionLibrary, ParameterRow, TABLE};
use groma_runtime::{Dialect, Edition};
use testkit::{Page, conformance, shown};

/// Minimum number of examples on a page.
const EXAMPLES: usize = 3;

/// Returns the folder with the pages of a family.
fn folder(family: &FunctionFamily) -> PathBuf {
    conformance().join("pages/functions").join(family.name)
}

/// Returns the rows of a family by function name.
fn names(family: &FunctionFamily) -> BTreeMap<&'static str, Vec<&'static Function>> {
    let mut names: BTreeMap<&str, Vec<&Function>> = BTreeMap::new();
    for function in family.functions {
        names.entry(function.name).or_default().push(function);
    }
    names
}

/// Tests that every function has a page, and every page a function.
#[test]
fn every_row_has_a_page_and_every_page_a_row() {
    let mut report = String::new();
    for family in TABLE {
        let rows = names(family);
        for name in rows.keys() {
            let path = folder(family).join(format!("{}.md", name.rsplit("::").next().unwrap()));
            if !path.is_file() {
                let _ = writeln!(report, "{} is missing: the page of `{name}`", shown(&path));
            }
        }
    }
    for path in testkit::page::files("functions") {
        let inside = path.strip_prefix(conformance().join("pages/functions")).unwrap();
        let inside = inside.to_string_lossy().replace('\\', "/");
        let row = inside.strip_suffix(".md").and_then(|name| name.split_once('/'));
        let is_row = row.is_some_and(|(family, name)| {
            TABLE.iter().any(|one| {
                one.name == family && one.functions.iter().any(|row| row.own_name() == name)
            })
        });
        if !is_row {
            let _ = writeln!(report, "{} is the page of no row", shown(&path));
        }
    }
    assert!(report.is_empty(), "\n{report}");
}

/// Tests that every page fits the function's rows.
#[test]
fn a_page_says_what_its_row_says() {
    let mut report = String::new();
    for family in TABLE {
        for (name, rows) in names(family) {
            let path = folder(family).join(format!("{}.md", name.rsplit("::").next().unwrap()));
            let Ok(text) = std::fs::read_to_string(&path) else { continue };
            for wrong in faults(&text, name, &rows) {
                let _ = writeln!(report, "{}: {wrong}", shown(&path));
            }
        }
    }
    assert!(report.is_empty(), "\n{report}");
}

/// Returns what is wrong with the text of a function's page.
fn faults(text: &str, name: &str, rows: &[&Function]) -> Vec<String> {
    let mut faults = Vec::new();
    let page = match Page::read(name, text) {
        Ok(page) => page,
        Err(wrong) => return vec![wrong],
    };
    let parts = parts(text);
    let part =
        |title: &str| parts.iter().find(|(own, _)| own == title).map(|(_, text)| text.trim());
    match parts.first() {
        Some((title, purpose)) if title == name && !purpose.trim().is_empty() => {}
        _ => faults.push(format!("does not start with `# {name}` and a purpose")),
    }
    for title in ["Result", "Errors"] {
        if part(title).is_none_or(str::is_empty) {
            faults.push(format!("has nothing under `## {title}`"));
        }
    }
    // A parameter that occurs in several rows of a name is listed once.
    let mut wanted: Vec<String> = Vec::new();
    let mut known: Vec<&str> = Vec::new();
    for row in rows {
        let fixed = row.params.iter().map(|param| (param, ""));
        for (param, dots) in fixed.chain(row.rest.iter().map(|param| (param, "..."))) {
            if !known.contains(&param.name) {
                known.push(param.name);
                wanted.push(head(param, dots));
            }
        }
    }
    let told = part("Parameters").unwrap_or_default();
    let heads: Vec<&str> = told.lines().filter(|line| line.starts_with("- `")).collect();
    let fits = heads.len() == wanted.len()
        && heads.iter().zip(&wanted).all(|(line, head)| line.starts_with(head));
    if !fits || (wanted.is_empty() && told != "None.") {
        let none = ["None.".to_owned()];
        let wanted = if wanted.is_empty() { none.as_slice() } else { &wanted };
        faults.push(format!("`## Parameters` does not list:\n    {}", wanted.join("\n    ")));
    }
    let steps: usize = page.sections.iter().map(|section| section.steps.len()).sum();
    if steps < EXAMPLES {
        faults.push(format!("has {steps} examples; {EXAMPLES} are the least"));
    }
    if let Some(wrong) = edition_fault(&page, rows) {
        faults.push(wrong);
    }
    faults
}

/// Returns what is wrong with the edition of a page: it must have the function, and be given if only one dialect has it; `None`
/// if correct.
fn edition_fault(page: &Page, rows: &[&Function]) -> Option<String> {
    let in_dialect = |dialect| rows.iter().any(|row| row.dialects.since(dialect).is_some());
    let homes: Vec<Dialect> = Dialect::ALL.into_iter().filter(|d| in_dialect(*d)).collect();
    match (&page.dialect, homes.as_slice()) {
        (None, [only]) => {
            let edition = Edition::newest(*only);
            Some(format!("needs `dialect: {}@{}`", only.slug(), edition.version))
        }
        (None, _) => None,
        (Some(name), _) => {
            let library = FunctionLibrary::of(Edition::parse(name)?);
            let edition = library.edition;
            let has = rows.iter().any(|row| row.dialects.includes(edition));
            (!has).then(|| format!("runs as {edition}, which does not have the function"))
        }
    }
}

/// Returns the beginning of the line that describes a parameter.
fn head(param: &ParameterRow, dots: &str) -> String {
    format!("- `{}{dots}` ({}): ", param.name, param.shape)
}

/// Returns the headings of a page and the prose below each, without code blocks.
fn parts(text: &str) -> Vec<(String, String)> {
    let mut parts: Vec<(String, String)> = Vec::new();
    let mut fenced = false;
    for line in text.lines() {
        if line.starts_with("```") {
            fenced = !fenced;
        } else if fenced {
        } else if line.starts_with('#') {
            parts.push((line.trim_start_matches('#').trim().to_owned(), String::new()));
        } else if let Some((_, prose)) = parts.last_mut() {
            prose.push_str(line);
            prose.push('\n');
        }
    }
    parts
}
