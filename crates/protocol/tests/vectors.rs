//! Every recorded vector, asked in process. Known disagreements stand in `conformance/pending.txt`;
//! a mutated vector need not agree with anything, yet it must be answered.

#![expect(clippy::unwrap_used, reason = "a test fails by panic")]

use std::path::Path;
use std::sync::Arc;

use groma_protocol::{BatchOptions, EvaluationBatch};
use groma_runtime::{Edition, MemoryHost, Moment};
use testkit::{Json, vectors};

/// The usual size in bytes of a main thread's stack.
const STACK: usize = 8 << 20;

/// Runs a function on a thread with a main thread's stack.
fn on_a_stack(work: impl FnOnce() + Send + 'static) {
    let thread = std::thread::Builder::new().stack_size(STACK).spawn(work).unwrap();
    if let Err(panic) = thread.join() {
        std::panic::resume_unwind(panic);
    }
}

/// Adds the files below a folder of the disk to a host, below the path `name`.
fn load(host: MemoryHost, folder: &Path, name: &str) -> MemoryHost {
    let mut host = host;
    for entry in std::fs::read_dir(folder).unwrap().flatten() {
        let path = entry.path();
        let name = format!("{name}/{}", entry.file_name().to_str().unwrap());
        host = match path.is_dir() {
            true => load(host, &path, &name),
            false => host.with_file(&name, std::fs::read(&path).unwrap()),
        };
    }
    host
}

/// Returns an evaluator with the files, clock and seed with which the vectors were recorded.
fn batch() -> EvaluationBatch {
    let host = load(MemoryHost::new(), &vectors::base(), "");
    EvaluationBatch::new(BatchOptions {
        edition: Edition::parse(vectors::DIALECT).unwrap(),
        host: Arc::new(host),
        // The recorded clock, 2026-01-02T03:04:05Z.
        now: Some(Moment { seconds: 1_767_323_045, nanoseconds: 0 }),
        seed: Some(vectors::SEED),
        ..BatchOptions::default()
    })
}

#[test]
fn recorded_vectors() {
    on_a_stack(|| {
        let batch = batch();
        vectors::check(&vectors::files(), |line| batch.answer(line));
    });
}

#[test]
fn answers_do_not_depend_on_the_order_of_givens() {
    let batch = batch();
    let forward =
        r#"{"id":"x","expr":"[a, b, c]","given":{"a":"1","b":"unknown(string)","c":"[]"}}"#;
    let backward =
        r#"{"id":"x","expr":"[a, b, c]","given":{"c":"[]","b":"unknown(string)","a":"1"}}"#;
    assert_eq!(batch.answer(forward), batch.answer(backward));
}

/// Returns the paths of unknown parts of an answer that have no cause.
fn unexplained(answer: &str) -> Vec<String> {
    let answer = Json::read(answer).unwrap();
    let got = answer.get("got").unwrap();
    let paths = got.get("unknown").and_then(Json::list).unwrap_or_default();
    let because = got.get("because");
    let reasons = |path: &str| because?.get(path)?.list().map(<[Json]>::len);
    let paths = paths.iter().filter_map(Json::text);
    paths.filter(|path| reasons(path).is_none_or(|count| count == 0)).map(String::from).collect()
}

#[test]
fn every_unknown_has_a_cause() {
    on_a_stack(|| {
        let batch = batch();
        for file in vectors::files() {
            for vector in vectors::read(&file).unwrap() {
                // Without a given unknown a result is unknown only by an edition's own rules.
                if !vector.given.values().any(|given| given.contains("unknown(")) {
                    continue;
                }
                let left = unexplained(&batch.answer(&vector.question()));
                assert!(left.is_empty(), "{}: {left:?}", vector.id);
            }
        }
    });
}

#[test]
fn bad_lines_are_answered() {
    let batch = batch();
    for line in [
        "",
        "7",
        "{",
        r#"{"id":"a"}"#,
        r#"{"id":"a","expr":"1","template":"1"}"#,
        r#"{"id":"a","expr":1}"#,
        r#"{"id":"a","expr":"1","dialect":"bicep"}"#,
        r#"{"id":"a","expr":"1","given":[]}"#,
        r#"{"id":"a","expr":"1","given":{"a":"1 +"}}"#,
        r#"{"id":"a","expr":"1","given":{"a":"b"}}"#,
        r#"{"id":7.5,"expr":"1"}"#,
        r#"{"id":[7],"expr":"1"}"#,
    ] {
        let answer = Json::read(&batch.answer(line)).unwrap();
        assert!(answer.get("bad").is_some(), "{line}");
    }
}

/// A generator of pseudorandom numbers with a fixed seed, so that every run is the same.
struct Dice(u64);

impl Dice {
    /// Returns a number less than `limit`.
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % limit.max(1) as u64) as usize
    }
}

/// Pieces of code that mutations insert.
const PIECES: &[&str] = &[
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "\"",
    "${",
    "%{",
    "~}",
    "...",
    "=>",
    "?",
    ":",
    ",",
    ".",
    ".*",
    "[*]",
    "null",
    "true",
    "-",
    "!",
    "1e9",
    "for",
    "if",
    "\n",
    "<<A\n",
    "\u{301}",
    "&&",
    "==",
    "%",
    "sensitive(",
    "try(",
    "0",
];

/// Returns a text with a few random changes.
fn mutate(text: &str, dice: &mut Dice) -> String {
    let mut letters: Vec<char> = text.chars().collect();
    for _ in 0..=dice.below(3) {
        let at = dice.below(letters.len() + 1);
        match dice.below(4) {
            0 if at < letters.len() => {
                letters.remove(at);
            }
            1 if !letters.is_empty() => {
                let to = dice.below(letters.len() + 1);
                letters.swap_remove(at.min(to).min(letters.len().saturating_sub(1)));
            }
            2 => {
                let end = (at + dice.below(12)).min(letters.len());
                let copy: Vec<char> = letters[at..end].to_vec();
                let to = dice.below(letters.len() + 1);
                letters.splice(to..to, copy);
            }
            _ => {
                let piece = PIECES[dice.below(PIECES.len())];
                letters.splice(at..at, piece.chars());
            }
        }
        if letters.is_empty() {
            break;
        }
    }
    letters.into_iter().collect()
}

#[test]
fn mutated_vectors_are_answered() {
    on_a_stack(|| {
        let batch = batch();
        let mut dice = Dice(0x9e37_79b9_7f4a_7c15);
        for file in vectors::files() {
            for vector in vectors::read(&file).unwrap() {
                for _ in 0..3 {
                    let mut vector = vector.clone();
                    vector.subject = match vector.subject {
                        vectors::Subject::Expression(text) => {
                            vectors::Subject::Expression(mutate(&text, &mut dice))
                        }
                        vectors::Subject::Template(text) => {
                            vectors::Subject::Template(mutate(&text, &mut dice))
                        }
                    };
                    let question = vector.question();
                    let answer = batch.answer(&question);
                    assert!(Json::read(&answer).is_ok(), "{question}\n{answer}");
                }
            }
        }
    });
}
