//! Splitting of long answers: a conversation has little room, so a long document is sent as its first part with a handle for the
//! rest.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

use serde_json::{Value as Json, json};

use super::ToolAnswer;

/// Maximum number of bytes in one part of an answer. With JSON's escapes that is below 4,000 tokens.
const PART_BYTES: usize = 8_000;
/// Maximum number of long tool answers whose rest, not requested by the agent yet, is kept; the oldest is dropped first.
const MAX_UNREAD: usize = 32;

/// The splitter of long tool answers into parts, which keeps the parts that were not read yet.
#[derive(Default)]
pub(crate) struct AnswerParts {
    rests: Mutex<KeptRests>,
}

/// The rests of long tool answers that the agent has not requested yet, each with the handle that stands for it, oldest first.
#[derive(Default)]
struct KeptRests {
    all: VecDeque<(String, String)>,
    /// The number of the latest handle.
    last: u64,
}

impl AnswerParts {
    /// Returns a JSON document as a tool's answer, or its first part if its text is longer than [`PART_BYTES`].
    pub(super) fn document(&self, document: Json) -> ToolAnswer {
        let text = document.to_string();
        match text.len() <= PART_BYTES {
            true => ToolAnswer { document: json!({ "answer": document }), is_error: false },
            false => self.text(&text),
        }
    }

    /// Returns a text as a tool's answer, or its first part with a handle for the rest.
    pub(super) fn text(&self, text: &str) -> ToolAnswer {
        if text.len() <= PART_BYTES {
            return ToolAnswer { document: json!({ "text": text }), is_error: false };
        }
        let mut end = PART_BYTES;
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        let (part, rest) = text.split_at(end);
        let mut rests = self.rests.lock().unwrap_or_else(PoisonError::into_inner);
        rests.last += 1;
        let handle = format!("rest-{}", rests.last);
        rests.all.push_back((handle.clone(), rest.to_owned()));
        if rests.all.len() > MAX_UNREAD {
            rests.all.pop_front();
        }
        let document = json!({"text": part, "more": handle, "bytes_left": rest.len()});
        ToolAnswer { document, is_error: false }
    }

    /// Returns the next part of the answer that `handle` stands for; an error as answer if the handle is unknown or was used.
    pub(super) fn more(&self, handle: &str) -> ToolAnswer {
        let found = {
            let mut rests = self.rests.lock().unwrap_or_else(PoisonError::into_inner);
            let at = rests.all.iter().position(|(known, _)| known == handle);
            at.and_then(|at| rests.all.remove(at))
        };
        match found {
            Some((_, rest)) => self.text(&rest),
            None => ToolAnswer::refused(
                &format!("There is no rest {handle:?}: it was read, or too many came after it."),
                "Call the tool again that gave the handle.",
            ),
        }
    }
}
