//! Recorded vectors: one expression or template, and what the reference programs make of it.
//!
//! A whole test is one line:
//!
//! ```no_run
//! # fn answer(line: &str) -> String { line.into() }
//! testkit::vectors::check(&testkit::vectors::files(), |line| answer(line));
//! ```
//!
//! where `answer` takes and gives the lines of `groma eval --jsonl`, set up with [`DIALECT`], [`NOW`], [`SEED`] and
//! [`base`]. The line never holds what is wanted.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::pending::{self, Outcome};
use crate::{Json, conformance, disagreement, shown};

/// The edition in which a vector is evaluated if it names none.
pub const DIALECT: &str = "opentofu@1.12";
/// The current time for functions such as `timestamp()`, in RFC 3339.
pub const NOW: &str = "2026-01-02T03:04:05Z";
/// The random seed for functions such as `uuid()`.
pub const SEED: u64 = 1;

/// Returns the path of the only folder from which functions such as `file()` read.
#[must_use]
pub fn base() -> PathBuf {
    conformance().join("vectors/base")
}

/// Returns the paths of all files of vectors, sorted.
///
/// # Panics
/// When the folder is missing: a test that runs no vector is no test.
#[must_use]
pub fn files() -> Vec<PathBuf> {
    let folder = conformance().join("vectors");
    let entries =
        std::fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", shown(&folder)));
    let mut files: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    files.retain(|path| path.extension().is_some_and(|ending| ending == "jsonl"));
    files.sort();
    assert!(!files.is_empty(), "{} holds no vectors", shown(&folder));
    files
}

/// The code of a vector: an expression or a template.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Subject {
    /// A single expression.
    Expression(String),
    /// A template, as in a file of its own.
    Template(String),
}

/// A recorded fact: an expression or a template, and what a reference program makes of it.
#[derive(Clone, Debug)]
pub struct Vector {
    /// The name, unique over all files.
    pub id: String,
    /// The expression or template.
    pub subject: Subject,
    /// Root names and the expressions of their values.
    pub given: BTreeMap<String, String>,
    /// The edition, where it is not [`DIALECT`].
    pub dialect: Option<String>,
    /// The recorded answer of the reference program.
    pub want: Json,
}

impl Vector {
    /// Parses a vector from a line of JSON.
    ///
    /// # Errors
    /// Says what the line lacks.
    pub fn read(line: &str) -> Result<Vector, String> {
        let fact = Json::read(line)?;
        let text = |key: &str| fact.get(key).and_then(Json::text).map(String::from);
        let subject = match (text("expr"), text("template")) {
            (Some(text), None) => Subject::Expression(text),
            (None, Some(text)) => Subject::Template(text),
            _ => return Err("neither `expr` nor `template`, or both".into()),
        };
        let mut given = BTreeMap::new();
        if let Some(Json::Object(roots)) = fact.get("given") {
            for (root, value) in roots {
                let value = value.text().ok_or_else(|| format!("`given.{root}` is no string"))?;
                given.insert(root.clone(), value.to_string());
            }
        }
        Ok(Vector {
            id: text("id").ok_or("no `id`")?,
            subject,
            given,
            dialect: text("dialect"),
            want: fact.get("want").cloned().ok_or("no `want`")?,
        })
    }

    /// Returns the line of JSON that asks for the vector's value, without the recorded answer.
    #[must_use]
    pub fn question(&self) -> String {
        let mut question = BTreeMap::from([("id".to_string(), Json::Text(self.id.clone()))]);
        let (key, text) = match &self.subject {
            Subject::Expression(text) => ("expr", text),
            Subject::Template(text) => ("template", text),
        };
        question.insert(key.into(), Json::Text(text.clone()));
        if !self.given.is_empty() {
            let roots =
                self.given.iter().map(|(root, text)| (root.clone(), Json::Text(text.clone())));
            question.insert("given".into(), Json::Object(roots.collect()));
        }
        if let Some(dialect) = &self.dialect {
            question.insert("dialect".into(), Json::Text(dialect.clone()));
        }
        Json::Object(question).to_string()
    }

    /// Compares an answer, a line of JSON, with the recorded one.
    #[must_use]
    pub fn judge(&self, answer: &str) -> Outcome {
        let line = Json::read(answer);
        let got =
            line.as_ref().ok().filter(|line| line.get("id").and_then(Json::text) == Some(&self.id));
        let differs = match got.and_then(|line| line.get("got")) {
            Some(got) => disagreement(&self.want, got).map(|aspect| aspect.to_string()),
            None => Some("value".into()),
        };
        let asked = self.question();
        let detail = format!(
            "    asked {}\n    want  {}\n    got   {}\n",
            cut(&asked),
            cut(&self.want),
            cut(&answer)
        );
        Outcome { id: self.id.clone(), differs, detail }
    }
}

/// Returns the text of a value for a report, cut after a maximum number of characters.
fn cut(shown: &impl ToString) -> String {
    /// Maximum number of characters of a text in a report.
    const LONGEST: usize = 400;
    let text = shown.to_string();
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{} …", &text[..end]),
        None => text,
    }
}

/// Reads all vectors of a file, one per line.
///
/// # Errors
/// Names the file and the line that cannot be read.
pub fn read(path: &Path) -> Result<Vec<Vector>, String> {
    let text =
        std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", shown(path)))?;
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    lines
        .map(|(number, line)| {
            Vector::read(line).map_err(|error| format!("{}:{}: {error}", shown(path), number + 1))
        })
        .collect()
}

/// Compares `answer` with every vector of the files. The differences must be those that `conformance/pending.txt` (facts
/// that do not agree yet) and `conformance/exceptions.txt` (facts that are deliberately not followed) list.
///
/// # Panics
/// When an unlisted fact disagrees, a listed one agrees, or a file cannot be read.
#[expect(clippy::print_stdout, reason = "a test's summary, shown with --nocapture")]
pub fn check(files: &[PathBuf], mut answer: impl FnMut(&str) -> String) {
    let exceptions = orderly(pending::read(&pending::exceptions_file()));
    let mut outcomes = Vec::new();
    for file in files {
        let vectors = orderly(read(file));
        let total = vectors.len();
        let mut agreeing = 0;
        for vector in vectors {
            let outcome = vector.judge(&answer(&vector.question()));
            agreeing += usize::from(outcome.differs.is_none());
            match exceptions.contains_key(&vector.id) {
                false => outcomes.push(outcome),
                true => assert!(
                    outcome.differs.is_some(),
                    "{} is an exception, and agrees: strike it",
                    vector.id
                ),
            }
        }
        println!("{}: {agreeing} of {total} agree", shown(file));
    }
    assert!(!outcomes.is_empty(), "no vector was asked");
    let mut ids: Vec<&str> = outcomes.iter().map(|outcome| outcome.id.as_str()).collect();
    ids.sort_unstable();
    if let Some(twice) = ids.windows(2).find(|pair| pair[0] == pair[1]) {
        panic!("two vectors have the id `{}`", twice[0]);
    }
    orderly(pending::settle(&pending::pending_file(), &outcomes));
}

/// Returns the value of a result; panics with the error text, a report for the reader of the test.
fn orderly<T>(result: Result<T, String>) -> T {
    result.unwrap_or_else(|report| panic!("\n{report}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_recorded_vector_reads_and_agrees_with_itself() {
        for file in files() {
            for vector in read(&file).unwrap() {
                let answer =
                    format!("{{\"id\":{},\"got\":{}}}", Json::Text(vector.id.clone()), vector.want);
                assert_eq!(vector.judge(&answer).differs, None, "{}", vector.id);
                assert!(vector.judge("{}").differs.is_some());
            }
        }
    }

    #[test]
    fn a_question_holds_no_answer() {
        let line = r#"{"id":"x","template":"${a}","given":{"a":"1"},"dialect":"packer@1.16","note":"n","want":{}}"#;
        let question = Vector::read(line).unwrap().question();
        assert_eq!(
            question,
            r#"{"dialect":"packer@1.16","given":{"a":"1"},"id":"x","template":"${a}"}"#
        );
    }
}
