//! Generation of the index of diagnostic codes from the crates' tables and the pages. A page has a section with code that yields
//! the diagnostic and one with code that does not; codes without a page are listed in `unshown.rs`.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use testkit::page::Section;
use testkit::{Page, page, shown, workspace};

use super::made::{Made, bare};
use super::unshown::UNSHOWN;
use crate::codes::{Code, STAGES, declared, file};

/// The slug of the diagnostic code that replaces others for an edition newer than the known ones.
const NEWS: &str = "newer-edition";

/// The path of the generated index of diagnostic codes.
const INDEX: &str = "docs/reference/diagnostics/README.md";
/// The directory of the pages about diagnostic codes.
const FOLDER: &str = "diagnostics";
/// The relative path from the index to the pages.
const TO_PAGES: &str = "../../../conformance/pages/diagnostics";
/// The constructors of diagnostics in the sources, each with its severity as shown in the index.
const SEVERITIES: &[(&str, &str)] =
    &[("error", "Error"), ("warning", "Warning"), ("note", "Note"), ("remark", "Note")];

/// Generates the index of diagnostic codes.
pub(super) fn made() -> Result<Made, String> {
    let mut stages = Vec::new();
    for (stage, about) in STAGES {
        let path = file(stage);
        let text = fs::read_to_string(workspace().join(&path))
            .map_err(|error| format!("{path}: {error}"))?;
        stages.push((*about, declared(&text).map_err(|why| format!("{path}: {why}"))?));
    }
    let shown = paged(&stages)?;
    let told = severities();
    let mut out = String::from(
        "# Diagnostics\n\n\
         Every finding has a code: a stable word that `--json` and other programs' formats carry, and that never changes \
         its meaning. Below are all codes by the stage that finds them, with what each means and what to do. A link leads \
         to code that yields it, and to code that does not. A severity is given where the code is always made with it; an \
         error that may only follow from one before it is told as a note.\n\n\
         Written by `cargo xtask docs` from the tables in the sources.\n",
    );
    for (about, codes) in &stages {
        let _ = write!(
            out,
            "\n## {about}\n\n| code | severity | says | means |\n| --- | --- | --- | --- |\n"
        );
        for code in codes {
            let slug = &code.slug;
            // Links in diagnostics lead to this anchor.
            let name = match shown.contains(slug) {
                true => format!("<a id=\"{slug}\"></a>[{slug}]({TO_PAGES}/{slug}.md)"),
                false => format!("<a id=\"{slug}\"></a>{slug}"),
            };
            let severity = told.get(&code.name).copied().flatten().unwrap_or_default();
            let mut doc = code.doc.replace('|', "\\|");
            if code.may_be_new && code.slug != NEWS {
                let _ = write!(doc, " Where only a newer edition may know it, it is `{NEWS}`.");
            }
            let _ = writeln!(out, "| {name} | {severity} | {} | {doc} |", code.summary);
        }
    }
    Ok((INDEX, out))
}

/// Returns the codes that have a page, or an error if a page does not show its code, or a code has no page and is not listed.
fn paged(stages: &[(&str, Vec<Code>)]) -> Result<BTreeSet<String>, String> {
    let codes: BTreeMap<&str, &Code> =
        stages.iter().flat_map(|(_, codes)| codes).map(|code| (&*code.slug, code)).collect();
    let mut paged = BTreeSet::new();
    let mut wrong = Vec::new();
    for path in page::files(FOLDER) {
        let name = shown(&path);
        let text = fs::read_to_string(&path).map_err(|error| format!("{name}: {error}"))?;
        let slug = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        match codes.get(&*slug) {
            None => wrong.push(format!("{name}: there is no such code")),
            Some(code) => wrong.extend(page_fault(&name, &text, code)?),
        }
        paged.insert(slug);
    }
    let is_listed = |slug: &str| UNSHOWN.iter().any(|(listed, _)| *listed == slug);
    for slug in codes.keys().filter(|slug| !paged.contains(**slug) && !is_listed(slug)) {
        wrong.push(format!("{slug} has no page in conformance/pages/{FOLDER}"));
    }
    let is_past = |slug: &&str| paged.contains(*slug) || !codes.contains_key(*slug);
    for slug in UNSHOWN.iter().map(|(slug, _)| *slug).filter(is_past) {
        wrong.push(format!("{slug} is shown or gone: strike it from xtask/src/docs/unshown.rs"));
    }
    if wrong.is_empty() { Ok(paged) } else { Err(wrong.join("\n")) }
}

/// Returns the fault of a code's page as a sentence; `None` if its title is the slug, its section *Wrong* yields the code, and
/// its section *Right* yields neither the code nor an error.
fn page_fault(name: &str, text: &str, code: &Code) -> Result<Option<String>, String> {
    let page = Page::read(name, text)?;
    let title = bare(text).lines().next().unwrap_or_default();
    let says = |section: &Section| {
        let is_line = |line: &str| {
            let is_told = line.split_once(": ").is_some_and(|(severity, says)| {
                SEVERITIES.iter().any(|one| one.1 == severity)
                    && says == format!("{} [{}]", code.summary, code.slug)
            });
            is_told || line.trim() == format!("\"code\": \"{}\",", code.slug)
        };
        section.steps.iter().any(|step| step.answer.lines().any(is_line))
    };
    let fails = |section: &Section| {
        section.steps.iter().any(|step| step.answer.lines().any(|line| line.starts_with("Error: ")))
    };
    let is_blank = page.sections.iter().any(|section| section.steps.is_empty());
    Ok(match page.sections.as_slice() {
        _ if title != format!("# {}", code.slug) => Some(format!("{name}: its title is its code")),
        _ if is_blank => Some(format!("{name}: a section without steps")),
        [bad, good] if bad.title == "Wrong" && good.title == "Right" => match () {
            () if !says(bad) => Some(format!("{name}: what is wrong does not yield the code")),
            () if says(good) || fails(good) => Some(format!("{name}: what is right is not")),
            () => None,
        },
        _ => Some(format!("{name}: it has two sections, \"Wrong\" and \"Right\"")),
    })
}

/// Returns the severity of each code by the name of its constant; `None` if the sources construct it with several or with none of
/// [`SEVERITIES`].
fn severities() -> BTreeMap<String, Option<&'static str>> {
    let mut told: BTreeMap<String, Option<&'static str>> = BTreeMap::new();
    let mut open: Vec<PathBuf> = STAGES
        .iter()
        .map(|(stage, _)| workspace().join("crates").join(stage).join("src"))
        .collect();
    while let Some(path) = open.pop() {
        if path.is_dir() {
            open.extend(fs::read_dir(&path).into_iter().flatten().flatten().map(|one| one.path()));
        } else if !is_table(&path) {
            let text = fs::read_to_string(&path).unwrap_or_default();
            for (at, _) in text.match_indices("codes::") {
                let name: String = text[at + "codes::".len()..]
                    .chars()
                    .take_while(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || *c == '_')
                    .collect();
                let before = text[..at].trim_end_matches('&').trim_end();
                if before.ends_with("==") {
                    continue;
                }
                let severity = SEVERITIES
                    .iter()
                    .find(|(made, _)| before.ends_with(&format!("Diagnostic::{made}(")))
                    .map(|(_, severity)| *severity);
                let known = told.entry(name).or_insert(severity);
                if *known != severity {
                    *known = None;
                }
            }
        }
    }
    told
}

/// Returns true if a source file, by its path, is a table of diagnostic codes.
fn is_table(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name == "codes.rs")
}
