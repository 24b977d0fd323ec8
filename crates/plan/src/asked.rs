//! What becomes of an instance whose provider somebody answers for. They are asked as a provider is: with what was
//! there, and where that leads to a replacement, once more without it. What they say counts; what they leave open is
//! decided by the schema, as if nobody had been asked.

use groma_project::{Fact, Facts, Planned, PriorObject, Request};
use groma_value::codec::path_text;
use groma_value::schema::BlockSchema;
use groma_value::{Marks, Path, Value, convert};

use crate::compare::{hide, leading, reached, same};
use crate::decide::{Decision, Existing, complete};
use crate::propose::{propose, without_ignored};

/// What a state says of an object beside its value.
#[derive(Clone, Default)]
pub(crate) struct Beside {
    pub(crate) private: Option<String>,
    pub(crate) schema_version: u64,
    pub(crate) from: Option<String>,
}

/// What an answer plans; nothing where it leaves that open.
///
/// # Errors
/// The answer, where there is none yet, or a refusal.
pub(crate) fn planned(answer: Fact, shape: Option<&BlockSchema>) -> Result<Option<Planned>, Fact> {
    let planned = match answer {
        Fact::Planned(planned) => *planned,
        Fact::Ready(value) => Planned::new(value),
        Fact::Unanswered | Fact::Partly(_) => return Ok(None),
        other => return Err(other),
    };
    // Who answers brings values of their own, and whoever refers to the resource relies on its type.
    let fits = |value: &Value| {
        let (bare, marks) = value.unmark_deep_paths();
        if bare.is_null() {
            return Err(Fact::Failed("what is answered for it is null.".to_owned()));
        }
        let Some(block) = shape else { return Ok(value.clone()) };
        let fitted = convert(&bare, &block.ty()).map_err(|why| {
            let at = path_text(&why.path);
            let at = if at.is_empty() { String::new() } else { format!(" (at {at})") };
            Fact::Failed(format!("what is answered for it is not of its type{at}."))
        })?;
        Ok(fitted.mark_paths(&marks))
    };
    let value = fits(&planned.value)?;
    let before = planned.before.as_ref().map(fits).transpose()?;
    Ok(Some(Planned { value, before, ..planned }))
}

/// A planned object with all marked that is sensitive as it is written, or by the schema.
fn marked(value: &Value, written: &[(Path, Marks)], shape: Option<&BlockSchema>) -> Value {
    hide(&value.mark_paths(&leading(written, value)), shape)
}

/// An object that is made, as it is answered for.
pub(crate) fn made(request: &Request<'_>, planned: Planned) -> Decision {
    let (_, written) = request.config.unmark_deep_paths();
    let after = marked(&planned.value, &written, request.schema);
    Decision { private: planned.private, ..Decision::create(after) }
}

impl Existing<'_> {
    /// What becomes of it, by what is answered.
    ///
    /// # Errors
    /// The answer, where there is none yet, or a refusal.
    pub(crate) fn ask(self, answers: &dyn Facts, beside: &Beside) -> Result<Decision, Fact> {
        let request = self.request;
        let shape = request.schema;
        if self.is_tainted {
            let Some(anew) = planned(answers.resource(request), shape)? else {
                return Ok(self.decide());
            };
            let Decision { after, private, .. } = made(request, anew);
            let reason = "replace_because_tainted";
            return Ok(Decision { private, ..self.renewed(reason, after, Vec::new()) });
        }
        let ignored = &request.declared.lifecycle().ignored;
        let config = match shape {
            Some(block) => complete(block, request.config),
            None => request.config.clone(),
        };
        let written = without_ignored(ignored, &self.before, &config);
        let proposed = shape
            .map(|block| propose(block, &self.before.unmark_deep().0, &written.unmark_deep().0));
        let prior = PriorObject {
            value: &self.before,
            proposed: proposed.as_ref(),
            private: beside.private.as_deref(),
            schema_version: beside.schema_version,
            from: beside.from.as_deref(),
        };
        let asked = Request { prior: Some(&prior), config: &written, ..*request };
        let Some(answer) = planned(answers.resource(&asked), shape)? else {
            return Ok(self.decide());
        };
        let (_, marks) = written.unmark_deep_paths();
        self.settle(answer, &marks, answers)
    }

    /// What becomes of it, by an answer that was given; `written` is what is sensitive as it is written.
    ///
    /// # Errors
    /// The answer to what is made in its place, where there is none yet, or a refusal.
    pub(crate) fn settle(
        mut self,
        answer: Planned,
        written: &[(Path, Marks)],
        answers: &dyn Facts,
    ) -> Result<Decision, Fact> {
        let request = self.request;
        let shape = request.schema;
        if let Some(before) = answer.before {
            // What was hidden stays so, wherever it is looked up.
            let (_, marks) = self.before.unmark_deep_paths();
            self.before = marked(&before, &marks, shape);
        }
        let (before, _) = self.before.unmark_deep();
        let (value, _) = answer.value.unmark_deep();
        let differs = |path: &Path| match (reached(&before, path), reached(&value, path)) {
            (Some(was), Some(now)) => !same(&was, &now),
            (was, now) => was.is_some() != now.is_some(),
        };
        let paths: Vec<Path> = answer.replaces.into_iter().filter(differs).collect();
        if self.forced.is_some() || !paths.is_empty() {
            let anew = planned(answers.resource(request), shape)?;
            let decision = match anew {
                Some(anew) => made(request, anew),
                None => Decision::create(self.anew(request.config, request.made)),
            };
            let Decision { after, private, .. } = decision;
            let reason = "replace_because_cannot_update";
            return Ok(Decision { private, ..self.renewed(reason, after, paths) });
        }
        let is_same = same(&before, &value);
        let after = &answer.value.mark_paths(&leading(written, &value));
        Ok(Decision { private: answer.private, ..self.stays(after, &[], is_same) })
    }

    /// It is replaced, as its provider says.
    fn renewed(self, reason: &'static str, after: Value, paths: Vec<Path>) -> Decision {
        Decision { is_open: false, ..self.replaced(reason, after, paths) }
    }
}
