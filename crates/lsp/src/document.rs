//! The documents that the client has open. Changes are applied in the order of arrival, whatever their version numbers. If a
//! change cannot be applied, the document is lost: the host's file is used until the client sends the whole text again.

use std::collections::BTreeMap;
use std::sync::Arc;

use groma::syntax::{ColumnUnit, Source};
use serde_json::Value;

use crate::points::{read_range, span_in};

/// A document that the client has open: its URI, version and text.
#[derive(Clone, Debug)]
pub(crate) struct OpenDocument {
    /// Its URI, as the client writes it.
    pub(crate) uri: String,
    /// The version that the client gave last, if any.
    pub(crate) version: Option<i64>,
    /// The text with its line index.
    pub(crate) source: Arc<Source>,
    /// True if the text is lost, because a change could not be applied.
    pub(crate) is_lost: bool,
    /// The number of change notifications since it was opened.
    pub(crate) changes: u64,
    /// The line of the last change, in which hints are not shown while the user types.
    pub(crate) typed_at: Option<u32>,
}

/// The open documents by path.
#[derive(Debug, Default)]
pub(crate) struct DocumentStore {
    all: BTreeMap<String, OpenDocument>,
}

impl DocumentStore {
    /// Opens a document with the text that the client sent.
    pub(crate) fn open(&mut self, path: &str, item: &Value) {
        let text = item["text"].as_str().unwrap_or_default();
        let document = OpenDocument {
            uri: item["uri"].as_str().unwrap_or_default().to_owned(),
            version: item["version"].as_i64(),
            source: Arc::new(Source::new(path, text)),
            is_lost: false,
            changes: 0,
            typed_at: None,
        };
        self.all.insert(path.to_owned(), document);
    }

    /// Closes a document; returns true if it was open.
    pub(crate) fn close(&mut self, path: &str) -> bool {
        self.all.remove(path).is_some()
    }

    /// Returns the open document at a path; `None` if none is open there.
    pub(crate) fn get(&self, path: &str) -> Option<&OpenDocument> {
        self.all.get(path)
    }

    /// Yields the open documents, sorted by path.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&str, &OpenDocument)> {
        self.all.iter().map(|(path, document)| (path.as_str(), document))
    }

    /// Applies the changes of a `didChange` notification and sets the document's version to `version`, if it is given.
    ///
    /// # Errors
    /// If the document is not open, or a change cannot be applied: a sentence for the log.
    pub(crate) fn change(
        &mut self,
        path: &str,
        version: Option<i64>,
        changes: &[Value],
        unit: ColumnUnit,
    ) -> Result<(), String> {
        let Some(document) = self.all.get_mut(path) else {
            return Err(format!("{path} was changed and is not open"));
        };
        document.version = version.or(document.version);
        document.changes += 1;
        for change in changes {
            let Some(text) = change["text"].as_str() else {
                document.is_lost = true;
                return Err(format!("a change of {path} has no text"));
            };
            if change["range"].is_null() {
                document.is_lost = false;
                document.typed_at = None;
                document.source = Arc::new(Source::new(path, text));
                continue;
            }
            if document.is_lost {
                return Err(format!("{path} is changed in parts, and its text is not known"));
            }
            let range = read_range(&change["range"]);
            let Some((range, span)) = range
                .and_then(|range| Some((range.clone(), span_in(&document.source, range, unit)?)))
            else {
                document.is_lost = true;
                return Err(format!("a change of {path} lies outside of its text"));
            };
            let before = document.source.text();
            let mut after = String::with_capacity(before.len() + text.len());
            after.push_str(&before[..span.start as usize]);
            after.push_str(text);
            after.push_str(&before[span.end as usize..]);
            let added = text.bytes().filter(|byte| *byte == b'\n').count() as u32;
            document.typed_at = Some(range.start.line.saturating_add(added));
            document.source = Arc::new(Source::new(path, after));
        }
        Ok(())
    }
}
