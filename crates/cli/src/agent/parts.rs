//! Answers in parts: a conversation has little room, so a long document comes as a part of its text and a handle for the rest.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

use serde_json::{Value as Json, json};

use super::ToolAnswer;

/// The maximum number of bytes of a part. With the signs that JSON adds it is below 4,000 tokens.
const PART: usize = 8_000;
/// The maximum number of answers whose rest is kept.
const KEPT: usize = 32;

/// The rests of long answers.
#[derive(Default)]
pub(crate) struct AnswerParts {
    rests: Mutex<KeptRests>,
}

#[derive(Default)]
struct KeptRests {
    all: VecDeque<(String, String)>,
    last: u64,
}

impl AnswerParts {
    /// A document, whole if it is short.
    pub(super) fn document(&self, document: Json) -> ToolAnswer {
        let text = document.to_string();
        match text.len() <= PART {
            true => ToolAnswer { document: json!({ "answer": document }), is_error: false },
            false => self.text(&text),
        }
    }

    /// A text, or its first part.
    pub(super) fn text(&self, text: &str) -> ToolAnswer {
        if text.len() <= PART {
            return ToolAnswer { document: json!({ "text": text }), is_error: false };
        }
        let mut end = PART;
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        let (part, rest) = text.split_at(end);
        let mut rests = self.rests.lock().unwrap_or_else(PoisonError::into_inner);
        rests.last += 1;
        let handle = format!("rest-{}", rests.last);
        rests.all.push_back((handle.clone(), rest.to_owned()));
        if rests.all.len() > KEPT {
            rests.all.pop_front();
        }
        let document = json!({"text": part, "more": handle, "bytes_left": rest.len()});
        ToolAnswer { document, is_error: false }
    }

    /// The next part of an answer.
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
