//! Diagnostics for people, drawn by the syntax crate. Of many that are alike the first is shown, and where the others are:
//! warnings and notes are alike when they are of one kind, errors only when they say the same words.

use std::io::{self, Write};

use groma_syntax::render::{harmless, render};
use groma_syntax::{Diagnostic, Severity, Sources};
use rustc_hash::FxHashMap;

/// So many warnings or notes of one kind are shown in full.
const SHOWN: usize = 2;
/// So many errors that say the same are shown in full: each shows a place that is wrong.
const SHOWN_ERRORS: usize = 10;
/// So many further places are listed.
const LISTED: usize = 10;

/// A finding, and the texts that it is about.
pub(crate) type Told<'d> = (&'d Diagnostic, &'d Sources);

/// Writes all of them, each followed by an empty line.
pub(crate) fn print<'d>(
    diagnostics: impl IntoIterator<Item = &'d Diagnostic>,
    sources: &'d Sources,
    colour: bool,
    out: &mut dyn Write,
) -> io::Result<()> {
    print_all(diagnostics.into_iter().map(|one| (one, sources)), colour, out)
}

/// What makes findings alike.
type Likeness<'d> = (Severity, &'static str, &'d str);

fn likeness(one: &Diagnostic) -> Likeness<'_> {
    match one.severity {
        Severity::Error => (one.severity, one.code.slug, &one.detail),
        _ => (one.severity, one.code.slug, ""),
    }
}

/// The same of findings about several roots.
pub(crate) fn print_all<'d>(
    found: impl Iterator<Item = Told<'d>>,
    colour: bool,
    out: &mut dyn Write,
) -> io::Result<()> {
    let all: Vec<Told<'_>> = found.collect();
    let mut alike: FxHashMap<Likeness<'_>, Vec<Told<'_>>> = FxHashMap::default();
    for told in &all {
        alike.entry(likeness(told.0)).or_default().push(*told);
    }
    for (one, sources) in all {
        let mut more = String::new();
        let same = alike.get_mut(&likeness(one));
        let shown = if one.severity == Severity::Error { SHOWN_ERRORS } else { SHOWN };
        match same {
            // Told with the first of them.
            Some(same) if same.is_empty() => continue,
            Some(same) if same.len() > shown => more = others(one.severity, &same[1..]),
            _ => {}
        }
        if !more.is_empty() {
            alike.insert(likeness(one), Vec::new());
        }
        writeln!(out, "{}{more}\n", render(one, sources, colour).trim_end())?;
    }
    Ok(())
}

/// A sentence about those that are not shown.
fn others(severity: Severity, rest: &[Told<'_>]) -> String {
    let what = match severity {
        Severity::Error => "errors",
        Severity::Warning => "warnings",
        Severity::Note => "notes",
    };
    let places = rest.iter().filter_map(|(one, sources)| Some((one.displayed().place?, sources)));
    let mut places: Vec<String> = places
        .map(|(place, sources)| {
            let (source, place) = sources.at(place);
            let line = source.position(place.span.start).line;
            format!("{}:{line}", harmless(source.name()))
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
