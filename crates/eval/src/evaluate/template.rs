//! Templates: parts are converted to text and joined. An unknown part makes the result unknown, but the text before it is kept
//! as a known prefix, and the result is not null.

use groma_value::grapheme::UnicodeVersion;
use groma_value::{Causes, Marks, Refinement, Type, Value};

use super::iterate::{LoopCollection, LoopElements};
use super::machine::{CodeMachine, causes_of, sentence, to_primitive, unknown_of};
use crate::code::{ForNode, OpId, OpKind};
use crate::codes;

/// Number of bytes of a template's text that the charge for one evaluation step covers; the bytes beyond are charged to the
/// budget.
const COVERED: usize = 64;

/// The text of a template under construction, with its marks and causes.
#[derive(Default)]
struct TextBuilder {
    known: String,
    /// The number of bytes beyond [`COVERED`] that are charged already.
    charged: usize,
    marks: Marks,
    causes: Causes,
    /// True after an unknown part, where the known prefix ends.
    ended: bool,
}

impl TextBuilder {
    /// Appends known text to a template's result, unless an unknown part came before it.
    fn push(&mut self, text: &str) {
        if !self.ended {
            self.known.push_str(text);
        }
    }

    /// Records an unknown part with its causes, where the known prefix ends.
    fn end(&mut self, causes: &Causes) {
        self.ended = true;
        self.causes = self.causes.union(causes);
    }

    /// Returns the text as a string, or an unknown string with the known prefix if a part is unknown; if `failed` is set, since
    /// a part had errors, an unknown string without a prefix.
    fn finish(self, failed: bool, unicode: UnicodeVersion) -> Value {
        let value = match (self.ended, failed) {
            (_, true) => unknown_of(Type::String, self.causes),
            (true, _) => Value::refined(
                Type::String,
                Refinement::prefixed(&self.known, unicode),
                self.causes,
            ),
            (false, _) => Value::text(self.known),
        };
        value.marked(&self.marks)
    }
}

/// Returns true if a part can be appended to a template's text without a further charge to the budget.
#[inline]
fn has_room(text: &TextBuilder, part: &str) -> bool {
    text.known.len() + part.len() <= COVERED + text.charged
}

impl CodeMachine<'_, '_> {
    /// Evaluates the parts of a template and joins their texts.
    #[inline(never)]
    pub(super) fn template(&mut self, parts: &[OpId]) -> Value {
        let errors = self.errors();
        let mut text = TextBuilder::default();
        for part in parts {
            if let OpKind::Value(Value::String(literal)) = self.code.node(*part) {
                text.push(literal);
                continue;
            }
            if let Some(Value::String(lent)) = self.plain().and_then(|plain| plain.lend(*part))
                && has_room(&text, lent)
            {
                text.push(lent);
                continue;
            }
            let before = self.errors();
            let value = self.eval(*part);
            if self.errors() > before {
                text.ended = true;
                continue;
            }
            self.part(value, *part, &mut text);
            if self.run.stopped.is_some() {
                break;
            }
        }
        text.finish(self.errors() > errors, self.context.semantics.unicode)
    }

    /// Appends a text to the template's result and charges its bytes; at the size limit, ends the evaluation with an error at the
    /// operation `id`.
    fn add(&mut self, text: &mut TextBuilder, part: &str, id: OpId) {
        if !has_room(text, part) && !text.ended {
            let (length, limit) = (text.known.len() + part.len(), self.context.limits.value_bytes);
            if length > limit {
                let detail = format!("This text grows beyond {limit} bytes.");
                self.stop(&codes::LIMIT_SIZE, id, detail);
                return text.end(&Causes::NONE);
            }
            // A text that has grown will grow further.
            let more = length.saturating_sub(COVERED + text.charged).max(text.charged);
            if !self.hold(more as u64, id) {
                return text.end(&Causes::NONE);
            }
            text.charged += more;
        }
        text.push(part);
    }

    /// Converts the value of an interpolation to text and appends it; reports an error at the operation `id` if it does not
    /// convert.
    fn part(&mut self, value: Value, id: OpId, text: &mut TextBuilder) {
        if super::machine::is_type_text(&value) {
            let detail = "The result of `type` cannot be put into a string.";
            self.fail(&codes::INTERPOLATION, self.code.span_of(id), detail);
            return;
        }
        let is_wrong = self.is_sampled_wrong(&value);
        let (bare, marks) = value.unmark();
        text.marks = text.marks.union(&marks);
        let detail = match bare {
            Value::String(part) => return self.add(text, &part, id),
            Value::Unknown(unknown) if !is_wrong => return text.end(&unknown.causes),
            Value::Null(_) => {
                "This is null, and null cannot be put into a string. Use coalesce() or a conditional to replace it."
                    .to_owned()
            }
            other => match to_primitive(other, &Type::String) {
                Ok(Value::String(part)) => return self.add(text, &part, id),
                Ok(unknown) => return text.end(&causes_of(&unknown)),
                Err(why) => sentence(&why.message),
            },
        };
        self.fail(&codes::INTERPOLATION, self.code.span_of(id), detail);
    }

    /// Evaluates a `%{ for }` directive: the concatenated texts of its body.
    #[inline(never)]
    pub(super) fn template_for(&mut self, each: &ForNode) -> Value {
        let errors = self.errors();
        let mut text = TextBuilder::default();
        let (collection, marks) = match self.collection(each.collection) {
            LoopCollection::Known(value, marks) => (value, marks),
            LoopCollection::Unknown { causes, marks, ty } => {
                if self.context.samples {
                    self.with_marks(&marks, |machine| machine.sampled_text(each, &ty, &causes));
                }
                return Value::unknown_because(Type::String, causes);
            }
            LoopCollection::Failed => return Value::unknown(Type::String),
        };
        let Some(elements) = LoopElements::of(&collection) else {
            return Value::unknown(Type::String);
        };
        if matches!(&elements, LoopElements::Open(items) if items.len() > 1) {
            return Value::unknown_because(Type::String, collection.deep_causes()).mark(&marks);
        }
        text.marks = marks.clone();
        self.with_marks(&marks, |machine| {
            for at in 0..elements.len() {
                if !machine.advance(each.value) {
                    break;
                }
                machine.bind_element(each, &elements, at);
                let value = machine.eval(each.value);
                machine.part(value, each.value, &mut text);
            }
        });
        text.finish(self.errors() > errors, self.context.semantics.unicode)
    }
}
