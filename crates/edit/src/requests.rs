//! Requests for edits: an operation, a path and new code, also from a JSON list.

use groma_syntax::FileId;
use groma_syntax::json::{JsonCase, JsonView};

use crate::path::CodePath;
use crate::{EditRefusal, refused};

/// The operation of an edit: set, add, remove or rename.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum EditOp {
    /// Replaces existing code.
    Set,
    /// Adds new code.
    Add,
    /// Removes existing code.
    Remove,
    /// Renames a declaration everywhere, which may change texts in several folders.
    Rename,
}

impl EditOp {
    /// Returns the operation called `name`, such as `set`; `None` for an unknown name.
    pub fn named(name: &str) -> Option<EditOp> {
        Some(match name {
            "set" => EditOp::Set,
            "add" => EditOp::Add,
            "remove" => EditOp::Remove,
            "rename" => EditOp::Rename,
            _ => return None,
        })
    }
}

/// A request to set, add, remove or rename the code at a path.
#[derive(Clone, Debug)]
pub struct Edit {
    /// The operation on the code.
    pub op: EditOp,
    /// The path to the code.
    pub path: CodePath,
    /// The code to write, or the new name; empty for [`EditOp::Remove`].
    pub to: String,
}

impl Edit {
    /// Creates an edit from its operation, the text of its path and the new code.
    ///
    /// # Errors
    /// If the path is invalid, or the code is missing or superfluous.
    pub fn new(op: EditOp, path: &str, to: Option<&str>) -> Result<Edit, EditRefusal> {
        let path = CodePath::read(path)?;
        match (op, to) {
            (EditOp::Rename, _) if path.is_pattern() => {
                refused(format!("{path} is more than one name: rename changes one."))
            }
            (EditOp::Remove, Some(_)) => refused(format!("Removing {path} takes no code.")),
            (EditOp::Rename, None) => refused(format!("The new name for {path} is missing.")),
            (EditOp::Set | EditOp::Add, None) => {
                refused(format!("The code for {path} is missing."))
            }
            (op, to) => Ok(Edit { op, path, to: to.unwrap_or_default().trim().to_owned() }),
        }
    }
}

/// Parses a JSON list of edits: `[{"op": "set", "path": "locals.n", "to": "2"}]`.
///
/// # Errors
/// If the text is not such a list; the message has the number of the entry.
pub fn read_edits(text: &str) -> Result<Vec<Edit>, EditRefusal> {
    let parse = groma_syntax::parse_json(&text.into(), FileId(0));
    if let Some(first) = parse.diagnostics.first() {
        return refused(format!("The edits are not valid JSON: {}", first.detail));
    }
    let JsonCase::Array(entries) = parse.document.root().case() else {
        return refused(
            "The edits must be a JSON array of objects with \"op\", \"path\" and \"to\".",
        );
    };
    let numbered = entries.into_iter().enumerate();
    let read = |(at, entry): (usize, JsonView<'_>)| {
        edit(entry).map_err(|why| EditRefusal(format!("Edit {}: {why}", at + 1)))
    };
    numbered.map(read).collect()
}

/// Reads an edit from an entry of a JSON list.
fn edit(entry: JsonView<'_>) -> Result<Edit, EditRefusal> {
    let JsonCase::Object(properties) = entry.case() else {
        return refused("An edit must be an object with \"op\", \"path\" and \"to\".");
    };
    let (mut op, mut path, mut to) = (None, None, None);
    for property in properties {
        let place = match &*property.name {
            "op" => &mut op,
            "path" => &mut path,
            "to" => &mut to,
            other => return refused(format!("An edit has no property \"{other}\".")),
        };
        let JsonCase::String(text) = property.value.case() else {
            return refused(format!("\"{}\" must be a string, even if it is code.", property.name));
        };
        if place.replace(text.into_owned()).is_some() {
            return refused(format!("\"{}\" is given twice.", property.name));
        }
    }
    let Some(op) = op.as_deref().and_then(EditOp::named) else {
        return refused("\"op\" must be \"set\", \"add\", \"remove\" or \"rename\".");
    };
    let Some(path) = path else { return refused("\"path\" is missing.") };
    Edit::new(op, &path, to.as_deref())
}
