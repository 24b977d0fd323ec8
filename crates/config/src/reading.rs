//! Reading of directories and text files through the host. Errors are reported.

use std::sync::Arc;

use groma_runtime::{EntryKind, Host, HostError};
use groma_syntax::{Diagnostic, Diagnostics, FileId, Sources, TEXT_LIMIT};

use crate::codes;
use crate::path;

/// Returns the path of the data directory in a working directory: `.terraform`, or the value of `TF_DATA_DIR`.
pub fn data_dir(host: &dyn Host, dir: &str) -> String {
    let named = host.env("TF_DATA_DIR").filter(|named| !named.is_empty());
    path::join(dir, named.as_deref().unwrap_or(".terraform"))
}

/// Returns the names of the files in a directory, sorted; `None` after an error, which is reported.
pub fn list(host: &dyn Host, dir: &str, out: &mut Diagnostics) -> Option<Vec<String>> {
    match host.list(dir) {
        Ok(entries) => {
            let files = entries.into_iter().filter(|entry| entry.kind != EntryKind::Directory);
            let mut names: Vec<String> = files.map(|entry| entry.name).collect();
            names.sort();
            Some(names)
        }
        Err(why) => {
            let detail = match why {
                HostError::Absent => format!("There is no directory \"{dir}\". Check the path."),
                HostError::WrongKind => {
                    format!(
                        "\"{dir}\" is not a directory. Give the directory that holds the files."
                    )
                }
                why => format!("The directory \"{dir}\" cannot be read: {why}."),
            };
            out.push(Diagnostic::error(&codes::NO_DIRECTORY, detail));
            None
        }
    }
}

/// Reads a file as text and adds it to the sources; `None` after an error, which is reported.
pub fn read_text(
    host: &dyn Host,
    sources: &mut Sources,
    shown: &str,
    out: &mut Diagnostics,
) -> Option<(FileId, Arc<str>)> {
    read_known(host, sources, shown, None, out)
}

/// Adds the file at the path `shown` to the sources: with the text `known` if given, otherwise read through the host; `None`
/// after an error, which is reported.
pub fn read_known(
    host: &dyn Host,
    sources: &mut Sources,
    shown: &str,
    known: Option<&Arc<str>>,
    out: &mut Diagnostics,
) -> Option<(FileId, Arc<str>)> {
    let bytes = match host.read_within(shown, TEXT_LIMIT as u64) {
        Ok(bytes) => bytes,
        Err(why) => {
            let detail = format!("The file \"{shown}\" cannot be read: {why}.");
            out.push(Diagnostic::error(&codes::UNREADABLE_FILE, detail));
            return None;
        }
    };
    // Nearly no file contains one, which shows sooner than where the first one is.
    if bytes.contains(&0)
        && let Some(at) = bytes.iter().position(|&byte| byte == 0)
    {
        // Text never contains a NUL byte: this is another kind of file with a wrong name.
        let before = String::from_utf8_lossy(&bytes[..at]).into_owned();
        let end = before.len() as u32;
        let id = sources.add(groma_syntax::Source::new(shown, before));
        let detail = format!(
            "Byte {at} of \"{shown}\" is zero, so this is not a text file. Rename it if it does not belong to the module."
        );
        let place = groma_syntax::Place::new(id, groma_syntax::Span::at(end));
        out.push(Diagnostic::error(&codes::NOT_TEXT, detail).at(place));
        return None;
    }
    if let Some(text) = known.filter(|text| text.as_bytes() == bytes) {
        let id = sources.add(groma_syntax::Source::new(shown, text.clone()));
        return Some((id, text.clone()));
    }
    let id = sources.from_bytes(shown, &bytes, out);
    Some((id, sources.get(id).text().clone()))
}
