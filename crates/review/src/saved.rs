//! Saved plan files: the document and the text of a plan as they were produced. Showing one evaluates nothing, so later changes
//! of the code do not matter. Also detects other files that can be shown.

use groma_plan::Plan;
use groma_value::json::{JsonCursor, JsonError, JsonObject, JsonText};

use crate::model::Review;

/// The version of the format of plans saved by Groma.
const FORM_VERSION: usize = 1;
/// The name of the JSON property that identifies a plan saved by Groma; its value is the version of the format.
const SAVED: &str = "groma_plan";

/// The kind and content of a file that can be shown, such as a saved plan or a state.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SavedFile {
    /// A plan saved by Groma.
    Saved {
        /// The plan document in the file.
        document: String,
        /// The plan as text, as it was displayed when it was saved.
        text: String,
    },
    /// The plan document of any program.
    Plan,
    /// The document of a state, as `show -json` prints it.
    StateDocument,
    /// A state file.
    State,
}

/// Writes a plan, and the text of its review, as JSON in the format of saved plans; `version` is that of Groma. It contains all
/// values, including sensitive ones.
pub fn write_saved(plan: &Plan, review: &Review, version: &str, out: &mut JsonText<'_>) {
    let mut top = JsonObject::open(out);
    top.number(SAVED, FORM_VERSION);
    top.text("groma_version", version);
    top.text("text", &review.text());
    plan.write_json(top.key("plan"));
    top.close();
}

impl SavedFile {
    /// Detects the kind of a file by its text.
    ///
    /// # Errors
    /// A sentence on why the file cannot be shown.
    pub fn of(text: &str) -> Result<SavedFile, String> {
        let mut head = DocumentHead::default();
        let mut cursor = JsonCursor::new(text);
        let read = cursor.object(&mut |name, cursor| head.take(name, cursor));
        if read.and_then(|()| cursor.end()).is_err() {
            return Err("It is neither a plan nor a state: it is not a JSON object.".to_owned());
        }
        let part = |range: Option<std::ops::Range<usize>>| text.get(range?).map(str::trim_end);
        match (head.saved, part(head.plan), head.text) {
            (Some(true), Some(document), Some(text)) => {
                return Ok(SavedFile::Saved { document: document.to_owned(), text });
            }
            (Some(_), ..) => {
                return Err(
                    "It is a plan of another version of Groma: create the plan again.".to_owned()
                );
            }
            _ => {}
        }
        match () {
            () if head.has_format && head.is_plan => Ok(SavedFile::Plan),
            () if head.has_format && (head.has_values || head.count == 1) => {
                Ok(SavedFile::StateDocument)
            }
            () if head.has_version => Ok(SavedFile::State),
            () => Err("It is neither a plan nor a state.".to_owned()),
        }
    }
}

/// The top-level properties of a JSON document that identify its kind, such as a saved plan or a state.
#[derive(Default)]
struct DocumentHead {
    /// True if it is a saved plan of a known version, false for another version.
    saved: Option<bool>,
    /// The range of the plan document in the text.
    plan: Option<std::ops::Range<usize>>,
    /// The plan as text.
    text: Option<String>,
    /// True if there is a `format_version`.
    has_format: bool,
    /// True if there is a property that only plans have.
    is_plan: bool,
    /// True if there are `values`.
    has_values: bool,
    /// True if there is a `version`.
    has_version: bool,
    /// The number of properties.
    count: usize,
}

impl DocumentHead {
    /// Reads one top-level property, if it identifies the kind of the file.
    fn take(&mut self, name: &str, cursor: &mut JsonCursor<'_>) -> Result<(), JsonError> {
        self.count += 1;
        match name {
            SAVED => {
                let form = cursor.value()?;
                self.saved = Some(form.bare().as_position() == Some(FORM_VERSION));
            }
            "plan" => self.plan = Some(cursor.skip()?),
            "text" if self.saved.is_some() => self.text = Some(cursor.text()?),
            _ => {
                self.has_format |= name == "format_version";
                self.is_plan |= matches!(name, "resource_changes" | "planned_values" | "errored");
                self.has_values |= name == "values";
                self.has_version |= name == "version";
                cursor.skip()?;
            }
        }
        Ok(())
    }
}
