//! Diagnostics in the protocol's form. The manual page becomes the link of the code, notes with a place become related
//! information, and other notes are appended to the message.

use groma::Severity;
use groma_ide::{FileFinding, FindingTag};
use serde_json::{Value, json};

use crate::places::Places;

/// Returns the diagnostics of a file in the protocol's form, as JSON.
pub(crate) fn findings_json(
    file: &str,
    findings: &[FileFinding],
    places: &Places<'_, '_>,
) -> Vec<Value> {
    findings.iter().map(|one| finding_json(file, one, places)).collect()
}

/// Returns one diagnostic in the protocol's form, as JSON.
fn finding_json(file: &str, one: &FileFinding, places: &Places<'_, '_>) -> Value {
    let severity = match one.severity {
        Severity::Error => 1,
        Severity::Warning => 2,
        Severity::Note => 3,
    };
    let mut message = format!("{}: {}", one.summary, one.detail);
    let mut related = Vec::new();
    for note in &one.notes {
        match &note.place {
            Some(place) => related.push(json!({
                "location": places.location(place),
                "message": note.text,
            })),
            None => {
                message.push('\n');
                message.push_str(&note.text);
            }
        }
    }
    let mut all = json!({
        "range": places.range(file, one.span),
        "severity": severity,
        "code": one.code,
        "codeDescription": { "href": one.page },
        "source": "groma",
        "message": message,
    });
    match one.tag {
        Some(FindingTag::Unused) => all["tags"] = json!([1]),
        Some(FindingTag::Deprecated) => all["tags"] = json!([2]),
        None => {}
    }
    if !related.is_empty() {
        all["relatedInformation"] = json!(related);
    }
    all
}
