//! A plan in a file of ours: the document and the text of it, as they were made. Nothing is worked out again when it is
//! shown, so that it does not matter what has become of the code. And what else a file may hold that can be shown.

use groma_plan::Plan;
use groma_value::json::{JsonCursor, JsonError, JsonObject, JsonText};

use crate::model::Review;

/// The version of the form, which is the first thing in the file.
const FORM: usize = 1;
/// By what a saved plan is known.
const SAVED: &str = "groma_plan";

/// The content of a saved file that can be shown.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SavedFile {
    /// A plan that was saved here.
    Saved {
        /// Its document, as it was.
        document: String,
        /// Its text, as it was.
        text: String,
    },
    /// The document of a plan, whichever program has written it.
    Plan,
    /// The document of a state, as `show -json` prints it.
    StateDocument,
    /// A state.
    State,
}

/// Writes a plan in the form of saved plans. It contains all values, sensitive ones too.
pub fn write_saved(plan: &Plan, review: &Review, version: &str, out: &mut JsonText<'_>) {
    let mut top = JsonObject::open(out);
    top.number(SAVED, FORM);
    top.text("groma_version", version);
    top.text("text", &review.text());
    plan.write_json(top.key("plan"));
    top.close();
}

impl SavedFile {
    /// Returns what a text is.
    ///
    /// # Errors
    /// A sentence on why it is nothing that can be shown.
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

/// The head of a document.
#[derive(Default)]
struct DocumentHead {
    /// True where it is saved here in a known form.
    saved: Option<bool>,
    plan: Option<std::ops::Range<usize>>,
    text: Option<String>,
    has_format: bool,
    is_plan: bool,
    has_values: bool,
    has_version: bool,
    count: usize,
}

impl DocumentHead {
    fn take(&mut self, name: &str, cursor: &mut JsonCursor<'_>) -> Result<(), JsonError> {
        self.count += 1;
        match name {
            SAVED => {
                let form = cursor.value()?;
                self.saved = Some(form.bare().as_position() == Some(FORM));
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
