//! Prints diagnostics as text. Of many similar ones only the first is shown in full, with the places of the others and how they
//! differ. Warnings and notes are similar if their code is the same, errors only if the message is the same too.

use std::io::{self, Write};

use groma_syntax::render::{harmless, render};
use groma_syntax::{Diagnostic, Severity, Sources};
use rustc_hash::FxHashMap;

/// Maximum number of warnings or notes of one code that are shown in full; the others are summarized.
const MAX_SIMILAR: usize = 2;
/// Maximum number of errors with one message that are shown in full; the others are summarized.
const MAX_SIMILAR_ERRORS: usize = 10;
/// Maximum number of places listed for the diagnostics of a group that are not shown in full.
const MAX_PLACES: usize = 10;

/// A diagnostic with the texts that its places refer to.
pub(crate) type LocatedDiagnostic<'d> = (&'d Diagnostic, &'d Sources);

/// Writes diagnostics that share their texts, each followed by an empty line.
pub(crate) fn print<'d>(
    diagnostics: impl IntoIterator<Item = &'d Diagnostic>,
    sources: &'d Sources,
    colour: bool,
    out: &mut dyn Write,
) -> io::Result<()> {
    print_all(diagnostics.into_iter().map(|one| (one, sources)), colour, out)
}

/// The key by which diagnostics are grouped as similar: severity, slug of the code and, for errors, message.
type Likeness<'d> = (Severity, &'static str, &'d str);

/// Returns the key by which a diagnostic is grouped with similar ones: severity, code and, for errors, message.
fn likeness(one: &Diagnostic) -> Likeness<'_> {
    match one.severity {
        Severity::Error => (one.severity, one.code.slug, &one.detail),
        _ => (one.severity, one.code.slug, ""),
    }
}

/// Writes diagnostics of several roots, each followed by an empty line.
pub(crate) fn print_all<'d>(
    found: impl Iterator<Item = LocatedDiagnostic<'d>>,
    colour: bool,
    out: &mut dyn Write,
) -> io::Result<()> {
    let all: Vec<LocatedDiagnostic<'_>> = found.collect();
    let mut alike: FxHashMap<Likeness<'_>, Vec<LocatedDiagnostic<'_>>> = FxHashMap::default();
    for told in &all {
        alike.entry(likeness(told.0)).or_default().push(*told);
    }
    for (one, sources) in all {
        let mut more = String::new();
        let same = alike.get_mut(&likeness(one));
        let shown = if one.severity == Severity::Error { MAX_SIMILAR_ERRORS } else { MAX_SIMILAR };
        match same {
            // It was listed with the first of its group.
            Some(same) if same.is_empty() => continue,
            Some(same) if same.len() > shown => more = others(one, &same[1..]),
            _ => {}
        }
        if !more.is_empty() {
            alike.insert(likeness(one), Vec::new());
        }
        writeln!(out, "{}{more}\n", render(one, sources, colour).trim_end())?;
    }
    Ok(())
}

/// Returns the paragraph, to follow `first`, about the diagnostics of its group that are not shown, `rest`: their places and
/// how they differ from it and each other.
fn others(first: &Diagnostic, rest: &[LocatedDiagnostic<'_>]) -> String {
    let what = match first.severity {
        Severity::Error => "errors",
        Severity::Warning => "warnings",
        Severity::Note => "notes",
    };
    let text = format!("\n\nThere are {} more {what} like this", rest.len());
    let details: Vec<&str> = std::iter::once(first)
        .chain(rest.iter().map(|told| told.0))
        .map(|one| &*one.detail)
        .collect();
    let said = differences(&details);
    let mut rows: Vec<String> = rest
        .iter()
        .zip(&said[1..])
        .filter_map(|((one, sources), said)| {
            let place = one.displayed().place.map(|place| {
                let (source, place) = sources.at(place);
                let line = source.position(place.span.start).line;
                format!("{}:{line}", harmless(source.name()))
            });
            match (place, said.as_str()) {
                (place, "") => place,
                (None, said) => Some(harmless(said).into_owned()),
                (Some(place), said) => Some(format!("{place}: {}", harmless(said))),
            }
        })
        .collect();
    let hidden = rows.len().saturating_sub(MAX_PLACES);
    rows.truncate(MAX_PLACES);
    if said.iter().all(String::is_empty) {
        let places = match rows.as_slice() {
            [] => String::new(),
            rows => format!(": {}", rows.join(", ")),
        };
        return format!("{text}{places}{}", if hidden > 0 { " …" } else { "." });
    }
    let mut text = format!("{text}:");
    rows.iter().for_each(|row| text.push_str(&format!("\n- {row}")));
    if hidden > 0 {
        text.push_str(&format!("\n- … and {hidden} more"));
    }
    text
}

/// Returns the words in which each message differs from the others: without the words at the start and at the end that all share.
fn differences(details: &[&str]) -> Vec<String> {
    let words: Vec<Vec<&str>> =
        details.iter().map(|one| one.split_whitespace().collect()).collect();
    let Some((first, rest)) = words.split_first() else { return Vec::new() };
    let shortest = words.iter().map(Vec::len).min().unwrap_or(0);
    let is_first = |at: &usize| rest.iter().all(|one| one[*at] == first[*at]);
    let is_last =
        |at: &usize| rest.iter().all(|one| one[one.len() - 1 - at] == first[first.len() - 1 - at]);
    let before = (0..shortest).take_while(is_first).count();
    let behind = (0..shortest - before).take_while(is_last).count();
    let said = |one: &Vec<&str>| match &one[before..one.len() - behind] {
        [word] => word.trim_end_matches([',', ';', '.']).to_owned(),
        words => words.join(" ").trim_end_matches([',', ';']).to_owned(),
    };
    words.iter().map(said).collect()
}

#[cfg(test)]
mod tests {
    use super::differences;

    /// Checks which words of similar messages are shown as their differences.
    #[test]
    fn what_all_say_is_said_once() {
        let told = differences(&["the \"a\" is bad. Drop it.", "the \"b\" is not good. Drop it."]);
        assert_eq!(told, ["\"a\" is bad.", "\"b\" is not good."]);
        assert_eq!(differences(&["same", "same"]), ["", ""]);
        assert_eq!(differences(&["a a", "a a a"]), ["", "a"]);
        assert!(differences(&[]).is_empty());
    }
}
