//! The two lists about recorded facts: those that do not agree *yet*, and those that are not meant to.
//!
//! Both consist of lines `ID: why`. A pending line is a debt: the test fails when its fact agrees (strike it) and when a fact
//! that is not listed disagrees, so the list can only shrink by work and grow in the open. An exception is a decision and is
//! written by hand, with its reason.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use crate::{blessing, conformance, shown};

/// The lock on the list of pending facts, which the tests of one crate share as they run in parallel.
static FILE: Mutex<()> = Mutex::new(());

/// The comment at the top of the list of pending facts.
const HEAD: &str = "\
# Recorded facts that do not agree yet: `ID: what differs` (value, console or span), sorted.
# `BLESS=1 cargo test` rewrites this list; a change that makes it longer needs a reason in its commit.
";

/// The result of comparing one recorded fact with our answer.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The fact's id.
    pub id: String,
    /// The aspect that differs, such as `value`; `None` if the fact agrees.
    pub differs: Option<String>,
    /// The lines about the fact in the report of a failing test.
    pub detail: String,
}

/// Returns the path of the list of pending facts: those that are to agree and do not yet.
#[must_use]
pub fn pending_file() -> PathBuf {
    conformance().join("pending.txt")
}

/// Returns the path of the list of exceptions: facts that are deliberately not followed, with reasons.
#[must_use]
pub fn exceptions_file() -> PathBuf {
    conformance().join("exceptions.txt")
}

/// Reads a list of facts with lines `ID: why`: the reasons by id. A missing file is an empty list.
///
/// # Errors
/// Says which line is not of the form `ID: why`.
pub fn read(path: &Path) -> Result<BTreeMap<String, String>, String> {
    let text = std::fs::read_to_string(path).unwrap_or_default();
    let mut list = BTreeMap::new();
    for (number, line) in text.lines().enumerate() {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let place = || format!("{}:{}", shown(path), number + 1);
        let (id, why) = line
            .split_once(": ")
            .ok_or_else(|| format!("{}: not of the form `ID: why`", place()))?;
        if list.insert(id.trim().to_string(), why.trim().to_string()).is_some() {
            return Err(format!("{}: `{id}` stands there twice", place()));
        }
    }
    Ok(list)
}

/// Compares outcomes with the pending list at `path`, or rewrites its lines for these ids when blessing.
///
/// Lines of other ids are left alone, so several tests share one list.
///
/// # Errors
/// The text that the test fails with.
pub fn settle(path: &Path, outcomes: &[Outcome]) -> Result<(), String> {
    let _one_at_a_time = FILE.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    let mut list = read(path)?;
    if blessing() {
        for outcome in outcomes {
            match &outcome.differs {
                Some(word) => list.insert(outcome.id.clone(), word.clone()),
                None => list.remove(&outcome.id),
            };
        }
        let mut text = HEAD.to_string();
        for (id, word) in &list {
            let _ = writeln!(text, "{id}: {word}");
        }
        return std::fs::write(path, text).map_err(|error| format!("{}: {error}", shown(path)));
    }
    judge(&list, outcomes).map_err(|report| {
        format!(
            "{report}\nThe list is {}; BLESS=1 rewrites it, once the differences are understood.\n",
            shown(path)
        )
    })
}

/// Maximum number of differences that the report of a failing test shows.
const SHOWN: usize = 20;

/// Compares outcomes with the list of pending facts. The error is a report of facts that differ unlisted, or agree listed.
fn judge(list: &BTreeMap<String, String>, outcomes: &[Outcome]) -> Result<(), String> {
    let mut report = String::new();
    let mut found = 0;
    for outcome in outcomes {
        let sentence = match (list.get(&outcome.id), &outcome.differs) {
            (None, Some(word)) => format!("{}: {word} differs\n{}", outcome.id, outcome.detail),
            (Some(_), None) => format!("{}: is listed as pending, and agrees\n", outcome.id),
            (Some(was), Some(word)) if was != word => {
                format!(
                    "{}: is listed for {was}, and {word} differs\n{}",
                    outcome.id, outcome.detail
                )
            }
            _ => continue,
        };
        found += 1;
        if found <= SHOWN {
            report += &sentence;
        }
    }
    if found > SHOWN {
        let _ = writeln!(report, "… and {} more", found - SHOWN);
    }
    if found == 0 { Ok(()) } else { Err(report) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the outcome of a fact that differs in an aspect, or agrees.
    fn outcome(id: &str, differs: Option<&str>) -> Outcome {
        Outcome { id: id.into(), differs: differs.map(String::from), detail: String::new() }
    }

    #[test]
    fn a_debt_is_listed_exactly() {
        let list = BTreeMap::from([("a".to_string(), "value".to_string())]);
        assert!(judge(&list, &[outcome("a", Some("value")), outcome("b", None)]).is_ok());
        assert!(judge(&list, &[outcome("a", None)]).unwrap_err().contains("and agrees"));
        assert!(judge(&list, &[outcome("a", Some("span"))]).is_err());
        assert!(judge(&list, &[outcome("b", Some("span"))]).is_err());
    }
}
