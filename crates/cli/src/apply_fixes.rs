//! `groma check --fix`: writes the fixes of lint rules into the files. Only these are applied, since they keep the meaning; a
//! fix of any other diagnostic needs a person's choice. Of two overlapping fixes the outer one is applied, and the inner one is
//! left for another run.

use std::collections::BTreeMap;

use groma::disk::LinkBounds;
use groma::values::sentence::plural;
use groma::{Diagnostics, RootFindings};
use groma_syntax::{Diagnostic, Place, Span};

use crate::codes;
use crate::files::{self, Files, PathEntry};
use crate::host::MachineContext;
use crate::unified_diff::unified;

/// The byte order mark that a file may begin with; it is not part of the parsed text.
const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

/// The fixes of one file: its text, and each replaced range with its replacement.
struct FileChanges {
    before: String,
    /// Replacements by start and end, the longer of two with the same start first.
    all: BTreeMap<(u32, std::cmp::Reverse<u32>), String>,
}

impl FileChanges {
    /// Drops every fix whose range overlaps an earlier fix of the file.
    fn drop_overlapping(&mut self) {
        let mut last = 0;
        self.all.retain(|(start, end), _| {
            let is_apart = *start >= last;
            last = last.max(end.0);
            is_apart
        });
    }

    /// Returns the text of the file with all its fixes applied.
    fn fixed_text(&self) -> String {
        let mut text = self.before.clone();
        for ((start, end), new) in self.all.iter().rev() {
            text.replace_range(*start as usize..end.0 as usize, new);
        }
        text
    }
}

/// Returns the fixes of lint findings in these roots, by file name and without overlaps.
fn rule_fixes(roots: &[RootFindings]) -> BTreeMap<String, FileChanges> {
    let mut files: BTreeMap<String, FileChanges> = BTreeMap::new();
    for root in roots {
        for (place, text) in root.found.iter().filter_map(rule_fix) {
            let (source, place) = root.sources.at(place);
            let before = || FileChanges { before: source.text().to_string(), all: BTreeMap::new() };
            let changes = files.entry(source.name().to_owned()).or_insert_with(before);
            let Span { start, end } = place.span;
            changes.all.insert((start, std::cmp::Reverse(end)), text.to_owned());
        }
    }
    files.values_mut().for_each(FileChanges::drop_overlapping);
    files
}

/// Returns the fixes of these roots as a unified diff; nothing is written.
pub(crate) fn patch(roots: &[RootFindings]) -> String {
    let files = rule_fixes(roots).into_iter();
    let diffs = files.map(|(name, changes)| {
        let (before, after) = (changes.before.as_bytes(), changes.fixed_text());
        String::from_utf8_lossy(&unified(&name, before, after.as_bytes())).into_owned()
    });
    diffs.collect()
}

/// Applies the fixes of these roots to their files, except where a link leads out of the folders `bounds`, removes the fixed
/// findings, and returns a remark that counts them; `None` if nothing was fixed. A file that cannot be written becomes an
/// error of the first root.
pub(crate) fn apply(
    roots: &mut [RootFindings],
    bounds: LinkBounds<'_>,
    machine: &MachineContext,
) -> Option<String> {
    let mut files = rule_fixes(roots);
    let writer = files::writer();
    let mut troubles = Vec::new();
    let (mut made, mut written) = (0, 0);
    files.retain(|name, changes| {
        let result = write(&writer, name, changes, bounds, machine);
        if result.is_ok() {
            (made, written) = (made + changes.all.len(), written + 1);
        }
        result.map_err(|why| troubles.push(format!("{name}: {why}"))).is_ok()
    });
    for root in roots.iter_mut() {
        let is_made = |one: &Diagnostic| {
            rule_fix(one).is_some_and(|(place, _)| {
                let (source, place) = root.sources.at(place);
                let key = (place.span.start, std::cmp::Reverse(place.span.end));
                files.get(source.name()).is_some_and(|changes| changes.all.contains_key(&key))
            })
        };
        let mut left = Diagnostics::new();
        left.extend(root.found.iter().filter(|one| !is_made(one)).cloned());
        root.found = left;
    }
    if let Some(root) = roots.first_mut() {
        root.found
            .extend(troubles.into_iter().map(|why| Diagnostic::error(&codes::FILE_LEFT_OUT, why)));
    }
    (made > 0).then(|| {
        let (made, written) = (plural(made, "change"), plural(written, "file"));
        format!("wrote {made} in {written}.")
    })
}

/// Returns the place and the text of a finding's fix; `None` if the finding has none or does not come from a lint rule.
fn rule_fix(one: &Diagnostic) -> Option<(Place, &str)> {
    let is_rule = groma::rules::rule_names().contains(&one.code.slug);
    one.fix.as_ref().filter(|_| is_rule).map(|fix| (fix.place, &*fix.text))
}

/// Writes the fixes of the file `name`, unless its content has changed since it was parsed or a link leads out of the folders
/// `bounds`; the error is a sentence.
fn write(
    writer: &Files,
    name: &str,
    changes: &FileChanges,
    bounds: LinkBounds<'_>,
    machine: &MachineContext,
) -> Result<(), String> {
    let target = match files::at(machine.place(name), name.to_owned(), bounds) {
        Ok(PathEntry::File(target)) => target,
        Ok(PathEntry::Folder(_)) => return Err("It is a folder.".to_owned()),
        Err((_, why)) => return Err(why),
    };
    let bytes = files::read(&target, groma_syntax::TEXT_LIMIT as u64).map_err(|(_, why)| why)?;
    // The byte order mark is not part of the parsed text.
    let mark =
        bytes.strip_prefix(BYTE_ORDER_MARK).filter(|_| !changes.before.starts_with('\u{feff}'));
    if mark.unwrap_or(&bytes) != changes.before.as_bytes() {
        return Err("It was changed during the run, so nothing was written.".to_owned());
    }
    let text = changes.fixed_text();
    let kept = if mark.is_some() { BYTE_ORDER_MARK } else { &[] };
    let after = [kept, text.as_bytes()].concat();
    files::replace(writer, &target, &bytes, &after).map_err(|(_, why)| why)
}
