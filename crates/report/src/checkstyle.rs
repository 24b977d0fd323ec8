//! Checkstyle XML: an element for each file. Lines and columns start at 1, and columns count characters. A diagnostic without a
//! file is reported under the directory of its root.

use std::collections::BTreeMap;
use std::fmt::{self, Write};

use groma_syntax::{Diagnostic, Severity};

use groma::RootFindings;

use crate::gather::{Report, remarks};
use crate::junit::attribute;

/// Writes a report as Checkstyle XML.
pub(crate) fn write(report: &Report, out: &mut dyn Write) -> fmt::Result {
    let mut files: BTreeMap<String, Vec<(&RootFindings, &Diagnostic)>> = BTreeMap::new();
    for (root, one) in report.findings() {
        let file = one.place.and_then(|place| report.file(root.sources.at(place).0.name()));
        let folder = || report.file(&root.dir).unwrap_or_else(|| root.dir.clone());
        files.entry(file.unwrap_or_else(folder)).or_default().push((root, one));
    }
    writeln!(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>")?;
    writeln!(out, "<checkstyle version=\"4.3\">")?;
    for (name, found) in files {
        writeln!(out, "  <file name={}>", attribute(&name))?;
        for (root, one) in found {
            let severity = match one.severity {
                Severity::Error => "error",
                Severity::Warning => "warning",
                Severity::Note => "info",
            };
            write!(out, "    <error")?;
            if let Some(place) = one.place {
                let (source, place) = root.sources.at(place);
                let at = source.position(place.span.start);
                write!(out, " line=\"{}\" column=\"{}\"", at.line, at.column)?;
            }
            let remarks = remarks(one, report, &root.sources);
            let message = format!("{}: {}{remarks}", one.code.summary, one.detail);
            writeln!(
                out,
                " severity=\"{severity}\" message={} source={}/>",
                attribute(&message),
                attribute(&format!("groma.{}", one.code.slug))
            )?;
        }
        writeln!(out, "  </file>")?;
    }
    writeln!(out, "</checkstyle>")
}
