//! Diagnostics for people, drawn by the syntax crate. Errors are all shown; of many warnings or notes of one kind the
//! first is, and where the others are.

use std::io::{self, Write};

use groma_syntax::{Diagnostic, Severity, Sources, render};

/// So many warnings or notes of one kind are shown in full.
const SHOWN: usize = 2;
/// So many further places are listed.
const LISTED: usize = 10;

/// Writes all of them, each followed by an empty line.
pub(crate) fn print<'d>(
    diagnostics: impl IntoIterator<Item = &'d Diagnostic>,
    sources: &Sources,
    colour: bool,
    err: &mut dyn Write,
) -> io::Result<()> {
    let all: Vec<&Diagnostic> = diagnostics.into_iter().collect();
    let mut told: Vec<&str> = Vec::new();
    for diagnostic in &all {
        let slug = diagnostic.code.slug;
        let mut more = String::new();
        if diagnostic.severity != Severity::Error {
            if told.contains(&slug) {
                continue;
            }
            let is_alike = |other: &&&Diagnostic| {
                other.severity == diagnostic.severity && other.code.slug == slug
            };
            let alike: Vec<&Diagnostic> = all.iter().filter(is_alike).copied().collect();
            if alike.len() > SHOWN {
                told.push(slug);
                let what = match diagnostic.severity {
                    Severity::Note => "notes",
                    _ => "warnings",
                };
                more = others(what, &alike[1..], sources);
            }
        }
        writeln!(err, "{}{more}\n", render::render(diagnostic, sources, colour).trim_end())?;
    }
    Ok(())
}

/// A sentence about those that are not shown.
fn others(what: &str, rest: &[&Diagnostic], sources: &Sources) -> String {
    let places = rest.iter().filter_map(|diagnostic| diagnostic.place);
    let mut places: Vec<String> = places
        .map(|place| {
            let (source, place) = sources.at(place);
            format!("{}:{}", source.name(), source.position(place.span.start).line)
        })
        .collect();
    let hidden = places.len().saturating_sub(LISTED);
    places.truncate(LISTED);
    let mut text = format!("\n\nThere are {} more {what} like it", rest.len());
    if !places.is_empty() {
        text.push_str(": ");
        text.push_str(&places.join(", "));
    }
    text.push_str(if hidden > 0 { " …" } else { "." });
    text
}
