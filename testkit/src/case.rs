//! Recorded module cases: folders of code, each with a question and the answers of a reference program. Most were recorded with
//! two dialects, each of which is a run of its own; the second may be recorded as equal to the first. Cases of Terraform 1.11
//! were recorded with 1.15 too: the older answer holds there, unless a case `v15-NAME` exists. Cases of newer editions also have
//! the answer of the edition before.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::pending::{self, Outcome};
use crate::{Json, conformance};

/// One recorded case: a folder of code, with a question and the answers of reference programs.
#[derive(Debug)]
pub struct Case {
    /// The name of its folder.
    pub name: String,
    /// The parsed `case.json`: the question and the recorded answers.
    pub json: Json,
    folder: PathBuf,
    /// True if the answer of Terraform 1.11 also holds for 1.15.
    holds_for_next: bool,
    /// The verdicts of the edition before, if recorded, in the form of an answer.
    was: Option<Json>,
}

/// The oldest Terraform version with recorded cases; most cases were recorded with it.
const OLDEST: &str = "terraform@1.11";
/// The Terraform version with which all cases of [`OLDEST`] were recorded again, to find the answers that differ.
const NEXT: &str = "terraform@1.15";
/// Pairs of an edition and the recorded edition before it, whose answers newer cases contain as well.
const BEFORE: &[(&str, &str)] =
    &[(NEXT, OLDEST), ("terraform@1.16", NEXT), ("opentofu@1.13", "opentofu@1.12")];

/// One run of a case: the case, an edition of a reference program, and the recorded answer of that edition.
#[derive(Clone, Copy, Debug)]
pub struct Turn<'c> {
    /// The case.
    pub case: &'c Case,
    /// The edition, such as `terraform@1.11`.
    pub dialect: &'c str,
    /// The recorded answer.
    pub expect: &'c Json,
    /// True if the edition is that of the case's second dialect.
    pub is_second: bool,
    /// True if the case does not name the edition itself: it is the one before or the one after.
    pub is_beside: bool,
    /// True if the edition is the one before that of the case.
    pub is_before: bool,
    /// True if only verdicts are recorded: nothing is known of values and places.
    pub is_verdict_only: bool,
}

/// A value for input variables on a case's command line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Given {
    /// `-var name=text`.
    Variable {
        /// The name.
        name: String,
        /// The text.
        text: String,
    },
    /// `-var-file path`.
    File(String),
}

/// Reads the cases of `conformance/modules` for which `is_wanted` is true, sorted by name.
///
/// # Panics
/// Where a case cannot be read: facts that are not there agree with everything.
pub fn modules(is_wanted: impl Fn(&Case) -> bool) -> Vec<Case> {
    cases("modules", is_wanted)
}

/// Reads the cases of `conformance/state`, plans against a prior state, for which `is_wanted` is true, sorted by name.
///
/// # Panics
/// Where a case cannot be read.
pub fn states(is_wanted: impl Fn(&Case) -> bool) -> Vec<Case> {
    cases("state", is_wanted)
}

/// Reads the cases in the folder `kind` of `conformance` for which `is_wanted` is true, sorted by name.
fn cases(kind: &str, is_wanted: impl Fn(&Case) -> bool) -> Vec<Case> {
    let folder = conformance().join(kind);
    let entries = std::fs::read_dir(&folder).expect("the folder of cases is there");
    let mut cases: Vec<Case> = entries
        .map(|entry| entry.expect("its entries can be read").path())
        .filter(|folder| folder.join("case.json").exists())
        .map(|folder| {
            let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let text = std::fs::read_to_string(folder.join("case.json")).unwrap_or_default();
            let json = Json::read(&text).unwrap_or_else(|why| panic!("{name}: {why}"));
            let holds_for_next = !folder.with_file_name(format!("v15-{name}")).exists();
            let was = json.get("was").map(verdicts);
            Case { name, json, folder, holds_for_next, was }
        })
        .filter(is_wanted)
        .collect();
    cases.sort_by(|a, b| a.name.cmp(&b.name));
    cases
}

impl Case {
    /// Returns true if the case has a prior state, the file `terraform.tfstate`.
    #[must_use]
    pub fn has_state(&self) -> bool {
        self.folder.join("input/terraform.tfstate").exists()
    }

    /// Returns true if the case can only be run with the schema of a provider.
    #[must_use]
    pub fn needs_provider(&self) -> bool {
        self.json.get("needs").is_some()
    }

    /// Returns true if the case's name starts with one of the prefixes, not counting the prefix of a newer edition.
    #[must_use]
    pub fn starts_with_one_of(&self, prefixes: &[&str]) -> bool {
        let topic = match self.name.split_once('-') {
            Some((first, topic)) if is_of_newer_edition(first) => topic,
            _ => &self.name,
        };
        prefixes.iter().any(|prefix| topic.starts_with(prefix))
    }

    /// Returns the runs of a case, one for each edition for which an answer is recorded or can be derived.
    #[must_use]
    pub fn turns(&self) -> Vec<Turn<'_>> {
        let first = self.turn(&self.json, self.json.get("expect"), false);
        let second = self.json.get("other").and_then(|other| {
            let is_same = other.get("same") == Some(&Json::Bool(true));
            let expect = if is_same { self.json.get("expect") } else { other.get("expect") };
            self.turn(other, expect, true)
        });
        let next = [first, second].into_iter().flatten().find(|turn| turn.dialect == OLDEST);
        let next = next.filter(|_| self.holds_for_next).map(|turn| Turn {
            dialect: NEXT,
            is_beside: true,
            ..turn
        });
        let before = first.and_then(|turn| self.before(turn));
        [first, second, next, before].into_iter().flatten().collect()
    }

    /// Returns the run with the edition before that of `turn`, with the same answer if recorded so, else with its verdicts only;
    /// `None` if nothing is recorded of that edition.
    fn before<'c>(&'c self, turn: Turn<'c>) -> Option<Turn<'c>> {
        let was = self.was.as_ref()?;
        let (_, dialect) = BEFORE.iter().find(|(dialect, _)| *dialect == turn.dialect)?;
        let did_the_same = self.json.get("was")?.get("same") == Some(&Json::Bool(true));
        let expect = if did_the_same { turn.expect } else { was };
        Some(Turn {
            dialect,
            expect,
            is_beside: true,
            is_before: true,
            is_verdict_only: !did_the_same,
            ..turn
        })
    }

    /// Returns the run that a part of `case.json` describes: its dialect, and the expected answer; `None` if either is missing.
    fn turn<'c>(
        &'c self,
        asked: &'c Json,
        expect: Option<&'c Json>,
        is_second: bool,
    ) -> Option<Turn<'c>> {
        Some(Turn {
            case: self,
            dialect: asked.get("dialect")?.text()?,
            expect: expect?,
            is_second,
            is_beside: false,
            is_before: false,
            is_verdict_only: false,
        })
    }

    /// Returns the folder of the root module, relative to that of the case's files; `.` by default.
    #[must_use]
    pub fn directory(&self) -> &str {
        self.json.get("chdir").and_then(Json::text).unwrap_or(".")
    }

    /// Returns the `-var` and `-var-file` arguments of the case's command line, in order.
    #[must_use]
    pub fn given(&self) -> Vec<Given> {
        let args = self.json.get("args").and_then(Json::list).unwrap_or_default();
        let mut args = args.iter().filter_map(Json::text);
        let mut given = Vec::new();
        while let Some(arg) = args.next() {
            let (name, value) = match arg.split_once('=') {
                Some((name @ ("-var" | "-var-file"), value)) => (name, value),
                _ => (arg, if arg.starts_with("-var") { args.next().unwrap_or("") } else { "" }),
            };
            match name {
                "-var" => {
                    let (name, text) = value.split_once('=').unwrap_or((value, ""));
                    given.push(Given::Variable { name: name.to_owned(), text: text.to_owned() });
                }
                "-var-file" => given.push(Given::File(value.to_owned())),
                _ => {}
            }
        }
        given
    }

    /// Returns the flags of the case's command line other than `-var…`: name without its dash, and text after `=`.
    #[must_use]
    pub fn flags(&self) -> Vec<(&str, &str)> {
        let args = self.json.get("args").and_then(Json::list).unwrap_or_default();
        let args = args.iter().filter_map(Json::text).filter(|arg| !arg.starts_with("-var"));
        let flags = args.filter_map(|arg| arg.strip_prefix('-'));
        flags.map(|flag| flag.split_once('=').unwrap_or((flag, ""))).collect()
    }

    /// Returns the additional arguments with which `console` was run, dashes included.
    #[must_use]
    pub fn console_flags(&self) -> Vec<&str> {
        let args = self.json.get("console_args").and_then(Json::list).unwrap_or_default();
        args.iter().filter_map(Json::text).collect()
    }

    /// Returns true if `validate` was run with `-query`, so that it also checked query files.
    #[must_use]
    pub fn asks_queries(&self) -> bool {
        let args = self.json.get("validate_args").and_then(Json::list).unwrap_or_default();
        args.iter().any(|arg| arg.text() == Some("-query"))
    }

    /// Returns the environment variables of the case as pairs of name and value.
    #[must_use]
    pub fn environment(&self) -> Vec<(&str, &str)> {
        match self.json.get("env") {
            Some(Json::Object(env)) => env
                .iter()
                .map(|(name, value)| (name.as_str(), value.text().unwrap_or("")))
                .collect(),
            _ => Vec::new(),
        }
    }

    /// Returns the input files of the case as pairs of relative path and contents, sorted by path.
    #[must_use]
    pub fn files(&self) -> Vec<(String, Vec<u8>)> {
        let mut files = Vec::new();
        read(&self.folder.join("input"), "", &mut files);
        files.sort();
        files
    }
}

/// Returns true if the first word of a case's name is that of a newer edition: `tf16`, `tofu13`, `v15` or `v15x`.
fn is_of_newer_edition(word: &str) -> bool {
    let programs = ["tf", "tofu", "v"];
    let minor = programs.iter().find_map(|program| word.strip_prefix(program));
    let minor = minor.map(|minor| minor.strip_suffix('x').unwrap_or(minor));
    minor.is_some_and(|minor| !minor.is_empty() && minor.bytes().all(|b| b.is_ascii_digit()))
}

/// Converts the verdicts of the edition before (valid or not, for `validate` and `plan`) to the form of a recorded answer.
fn verdicts(was: &Json) -> Json {
    let error = BTreeMap::from([("severity".to_owned(), Json::Text("error".to_owned()))]);
    let stage = |name: &str| {
        let valid = was.get(name)?.clone();
        let found = match valid == Json::Bool(true) {
            true => Vec::new(),
            false => vec![Json::Object(error.clone())],
        };
        let said = [("valid", valid), ("diagnostics", Json::List(found))];
        let said = said.into_iter().map(|(key, value)| (key.to_owned(), value));
        Some((name.to_owned(), Json::Object(said.collect())))
    };
    Json::Object(["validate", "plan"].into_iter().filter_map(stage).collect())
}

/// Adds all files below a folder to `files`, as pairs of path and contents; each path begins with `prefix`.
fn read(folder: &Path, prefix: &str, files: &mut Vec<(String, Vec<u8>)>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let (path, name) = (entry.path(), entry.file_name());
        let name = format!("{prefix}{}", name.to_string_lossy());
        if path.is_dir() {
            read(&path, &format!("{name}/"), files);
        } else {
            files.push((name, std::fs::read(&path).unwrap_or_default()));
        }
    }
}

impl Turn<'_> {
    /// Returns the case's name, followed by `@` and the dialect or edition if it is not the case's first.
    #[must_use]
    pub fn name(&self) -> String {
        match (self.is_beside, self.is_second) {
            (true, _) => format!("{}@{}", self.case.name, self.dialect.replace('@', "-")),
            (false, true) => format!("{}@terraform", self.case.name),
            (false, false) => self.case.name.clone(),
        }
    }

    /// Returns true if the recorded `validate` was given the `-var` and `-var-file` arguments; Terraform 1.11 takes none,
    /// and 1.15 was recorded with the same command line.
    #[must_use]
    pub fn check_reads_values(&self) -> bool {
        self.dialect != OLDEST && (!self.is_beside || self.is_before)
    }

    /// Returns true if the reference program reported an error in a stage, `validate` or `plan`.
    #[must_use]
    pub fn is_refused(&self, stage: &str) -> bool {
        let is_error = |json: &Json| json.get("severity").and_then(Json::text) == Some("error");
        let found = self.expect.get(stage).and_then(|stage| stage.get("diagnostics"));
        found.and_then(Json::list).is_some_and(|list| list.iter().any(is_error))
    }
}

/// Compares every run of the cases with its recorded answer, and the differences with the list of pending facts.
/// `judge` returns a difference as `WHAT: more`, `Some(None)` if there is none, and `None` for a run to be skipped.
///
/// # Panics
/// With a report where a fact disagrees that is not pending, or agrees that is.
#[expect(clippy::print_stdout, reason = "the count is for those who ask with --nocapture")]
pub fn settle(kind: &str, cases: &[Case], judge: impl Fn(&Turn<'_>) -> Option<Option<String>>) {
    let mut outcomes = Vec::new();
    for turn in cases.iter().flat_map(Case::turns) {
        let Some(differs) = judge(&turn) else { continue };
        outcomes.push(Outcome {
            id: format!("{kind}/{}", turn.name()),
            detail: format!("  {}\n", differs.as_deref().unwrap_or_default()),
            differs: differs.map(|why| why.split(':').next().unwrap_or_default().to_owned()),
        });
    }
    let agree = outcomes.iter().filter(|outcome| outcome.differs.is_none()).count();
    println!("{kind}: {agree} of {} recorded turns agree", outcomes.len());
    if let Err(report) = pending::settle(&pending::pending_file(), &outcomes) {
        panic!("{report}");
    }
}

/// Returns the tree of marks, such as `after_sensitive`, with every part that marks nothing reduced to `false` or left
/// out, so that equivalent trees are equal.
#[must_use]
pub fn bare_marks(mark: &Json) -> Json {
    let no = Json::Bool(false);
    match mark {
        Json::Object(entries) => {
            let kept: BTreeMap<String, Json> = entries
                .iter()
                .map(|(name, inner)| (name.clone(), bare_marks(inner)))
                .filter(|(_, inner)| *inner != no)
                .collect();
            if kept.is_empty() { no } else { Json::Object(kept) }
        }
        Json::List(items) => {
            let kept: Vec<Json> = items.iter().map(bare_marks).collect();
            if kept.iter().all(|inner| *inner == no) { no } else { Json::List(kept) }
        }
        other => Json::Bool(*other == Json::Bool(true)),
    }
}
