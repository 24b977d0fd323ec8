//! A recorded case as one dialect sees it: its files in memory and what was given, ready to be planned.

use std::sync::Arc;

use groma_folder::Assignment;
use groma_module::Schemas;
use groma_plan::{Plan, PlanFacts};
use groma_project::{Evaluation, Options, Project};
use groma_runtime::{Edition, MemoryHost};
use groma_syntax::Diagnostics;
use testkit::case::{Given, Turn};

/// Plans a case.
pub(crate) fn plan(turn: &Turn<'_>) -> Plan {
    plan_files(turn, turn.case.files(), options(turn))
}

/// What a case is planned with.
pub(crate) fn options(turn: &Turn<'_>) -> Options {
    let assignments = turn.case.given().into_iter().map(|given| match given {
        Given::Variable { name, text } => Assignment::Variable { name, text },
        Given::File(path) => Assignment::File(path),
    });
    Options {
        assignments: assignments.collect(),
        edition: Edition::parse(turn.dialect),
        root: Some("/".to_owned()),
        strict: true,
        judging: true,
        ..Options::default()
    }
}

/// Plans a case with other files.
pub(crate) fn plan_files(turn: &Turn<'_>, files: Vec<(String, Vec<u8>)>, options: Options) -> Plan {
    let case = turn.case;
    let host = MemoryHost::new();
    let host = files.into_iter().fold(host, |host, (name, bytes)| host.with_file(&name, bytes));
    let env = case.environment().into_iter();
    let host = env.fold(host, |host, (name, value)| host.with_env(name, value));
    let schemas = Schemas::cached(&host, case.directory()).unwrap_or_default();
    let options = Options { schemas, ..options };
    let mut found = Diagnostics::new();
    let project = Project::load(case.directory(), &options, Arc::new(host), &mut found);
    let facts = Arc::new(PlanFacts::of(&project));
    Plan::of(Evaluation::new(project, facts, options.clone()), &options, found)
}
