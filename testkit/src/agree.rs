//! Comparison of an answer with a recorded fact.
//!
//! The words of errors are not compared: a fact says *that* something is an error and *where*. A mark that the references drop
//! from an unknown may be kept.

use std::collections::BTreeSet;
use std::fmt;

use crate::Json;

/// The part in which an answer differs from the recorded one, most serious first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Aspect {
    /// Type, value, unknown or marked paths; or one is an error and the other is not.
    Value,
    /// The text that the console prints.
    Console,
    /// The place of an error.
    Span,
}

impl fmt::Display for Aspect {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Aspect::Value => "value",
            Aspect::Console => "console",
            Aspect::Span => "span",
        })
    }
}

/// Returns the most serious aspect in which the answer `got` differs from the recorded `want`; `None` if they agree.
#[must_use]
pub fn disagreement(want: &Json, got: &Json) -> Option<Aspect> {
    if !value_agrees(want, got) {
        return Some(Aspect::Value);
    }
    if let (Some(want), Some(got)) = (want.get("error"), got.get("error")) {
        return (!span_agrees(want, got)).then_some(Aspect::Span);
    }
    let text = want.get("console");
    (text.is_some() && text != got.get("console")).then_some(Aspect::Console)
}

/// Returns true if the answer `got` has the recorded type, value, unknown paths and marks, or if both are errors.
fn value_agrees(want: &Json, got: &Json) -> bool {
    if want.get("error").is_some() || got.get("error").is_some() {
        return want.get("error").is_some() && matches!(got.get("error"), Some(Json::Object(_)));
    }
    if want.get("type").is_none() {
        return want.get("console") == got.get("console");
    }
    if want.get("type") != got.get("type") || want.get("value") != got.get("value") {
        return false;
    }
    let (Some(blind), Some(mut unknown)) = (paths(want, "unknown"), paths(got, "unknown")) else {
        return false;
    };
    let mut wanted = blind.clone();
    wanted.sort_unstable();
    unknown.sort_unstable();
    let blind: BTreeSet<&str> = blind.into_iter().collect();
    wanted == unknown
        && ["sensitive", "ephemeral"].iter().all(|mark| {
            let (Some(want), Some(got)) = (paths(want, mark), paths(got, mark)) else {
                return false;
            };
            let want: BTreeSet<&str> = want.into_iter().collect();
            let got: BTreeSet<&str> = got.into_iter().collect();
            want.is_subset(&got) && got.difference(&want).all(|path| blind.contains(path))
        })
}

/// Returns the list of value paths under a key of an answer, empty if absent or null; `None` if it is no list of strings.
fn paths<'j>(answer: &'j Json, key: &str) -> Option<Vec<&'j str>> {
    match answer.get(key) {
        None | Some(Json::Null) => Some(Vec::new()),
        Some(Json::List(items)) => items.iter().map(Json::text).collect(),
        Some(_) => None,
    }
}

/// Returns the start and end offsets of an error and of its further places; an empty range counts one byte.
fn spans(error: &Json) -> Vec<(i64, i64)> {
    let pair = |span: &Json| {
        let [start, end, ..] = span.list()? else { return None };
        let start = start.integer()?;
        Some((start, end.integer()?.max(start + 1)))
    };
    error.get("spans").and_then(Json::list).unwrap_or_default().iter().filter_map(pair).collect()
}

/// Returns true if the first span of `got` lies within one of `want`, or overlaps it by a third of their union.
fn span_agrees(want: &Json, got: &Json) -> bool {
    let wanted = spans(want);
    let Some(&(start, end)) = spans(got).first() else {
        return wanted.is_empty();
    };
    wanted.is_empty()
        || wanted.iter().any(|&(from, to)| {
            let both = end.min(to) - start.max(from);
            (from <= start && end <= to) || (both > 0 && 3 * both >= end.max(to) - start.min(from))
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the aspect in which two answers, given as JSON text, differ.
    fn between(want: &str, got: &str) -> Option<Aspect> {
        disagreement(&Json::read(want).unwrap(), &Json::read(got).unwrap())
    }

    #[test]
    fn values() {
        let want = r#"{"type":"number","value":1,"console":"1"}"#;
        assert_eq!(between(want, want), None);
        assert_eq!(
            between(want, r#"{"type":"number","value":1.0,"console":"1"}"#),
            Some(Aspect::Value)
        );
        assert_eq!(between(want, r#"{"type":"number","value":1}"#), Some(Aspect::Console));
        assert_eq!(between(want, r#"{"error":{"stage":"eval"}}"#), Some(Aspect::Value));
        assert_eq!(between(want, "{}"), Some(Aspect::Value));
    }

    #[test]
    fn a_mark_may_stay_on_an_unknown_only() {
        let want = r#"{"type":["tuple",["string","string"]],"value":[null,"a"],"unknown":["[0]"]}"#;
        let got = |marks: &str| {
            format!(
                r#"{{"type":["tuple",["string","string"]],"value":[null,"a"],"unknown":["[0]"],"sensitive":{marks}}}"#
            )
        };
        assert_eq!(between(want, &got(r#"["[0]"]"#)), None);
        assert_eq!(between(want, &got(r#"["[1]"]"#)), Some(Aspect::Value));
        assert_eq!(between(want, &got("7")), Some(Aspect::Value));
        assert_eq!(between(&got(r#"["[1]"]"#), want), Some(Aspect::Value));
    }

    #[test]
    fn places_of_errors() {
        let error = |spans: &str| format!(r#"{{"error":{{"stage":"eval","spans":{spans}}}}}"#);
        assert_eq!(between(&error("[[4,10]]"), &error("[[6,8]]")), None);
        assert_eq!(between(&error("[[4,6]]"), &error("[[4,10]]")), None);
        assert_eq!(between(&error("[[4,6]]"), &error("[[4,12]]")), Some(Aspect::Span));
        assert_eq!(between(&error("[[4,4]]"), &error("[[4,4]]")), None);
        assert_eq!(between(&error("[[4,6]]"), &error("[]")), Some(Aspect::Span));
        assert_eq!(between(&error("[]"), &error("[[1,2]]")), None);
    }
}
