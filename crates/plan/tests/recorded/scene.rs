//! A recorded case as one dialect sees it: its files in memory and its inputs, ready to be planned.

use std::sync::Arc;

use groma_inputs::InputAssignment;
use groma_module::ProviderSchemas;
use groma_plan::{Plan, PlanFacts, PlanGoal, PlanOptions, StateFile, read_action, read_target};
use groma_project::{Evaluation, LoadOptions, LoadPurpose, Project, ProjectOptions, RunOptions};
use groma_runtime::{Edition, MemoryHost};
use groma_syntax::{Diagnostic, DiagnosticCode, Diagnostics};
use testkit::case::{Given, Turn};

/// Returns the plan of a recorded case.
pub(crate) fn plan(turn: &Turn<'_>) -> Plan {
    plan_files(turn, turn.case.files(), options(turn))
}

/// Returns the project options of a recorded case.
pub(crate) fn options(turn: &Turn<'_>) -> ProjectOptions {
    let assignments = turn.case.given().into_iter().map(|given| match given {
        Given::Variable { name, text } => InputAssignment::Variable { name, text },
        Given::File(path) => InputAssignment::File(path),
    });
    let run = RunOptions { assignments: assignments.collect(), ..RunOptions::default() };
    let load = LoadOptions {
        edition: Edition::parse(turn.dialect),
        root: Some("/".to_owned()),
        purpose: LoadPurpose::Plan,
        ..LoadOptions::default()
    };
    ProjectOptions { load, run }
}

/// Returns the plan of a recorded case with other files and options.
pub(crate) fn plan_files(
    turn: &Turn<'_>,
    files: Vec<(String, Vec<u8>)>,
    options: ProjectOptions,
) -> Plan {
    let case = turn.case;
    let host = MemoryHost::new();
    let host = files.into_iter().fold(host, |host, (name, bytes)| host.with_file(&name, bytes));
    let env = case.environment().into_iter();
    let host = env.fold(host, |host, (name, value)| host.with_env(name, value));
    let schemas = ProviderSchemas::cached(&host, case.directory()).unwrap_or_default();
    let load = LoadOptions { schemas, ..options.load };
    let options = ProjectOptions { load, ..options };
    let mut found = Diagnostics::new();
    let project = Project::load(case.directory(), &options, Arc::new(host), &mut found);
    let asked = asked(turn, &mut found);
    let facts = Arc::new(PlanFacts::with(&project, asked, None));
    let evaluation = Evaluation::new(project, facts.facts(), options.run.clone());
    Plan::of(evaluation, facts, &options, found)
}

/// Returns the plan options that the flags of a case request, whose combination is not checked.
fn asked(turn: &Turn<'_>, found: &mut Diagnostics) -> PlanOptions {
    /// The diagnostic code for a flag that is not an address.
    static ADDRESS: DiagnosticCode = DiagnosticCode {
        slug: "address",
        summary: "This is not an address",
        doc: "A test's.",
        may_be_new: false,
    };
    let mut asked = PlanOptions { refreshes: true, ..PlanOptions::default() };
    for (name, text) in turn.case.flags() {
        let read = if name == "invoke" { read_action } else { read_target };
        let mut target = || match read(text) {
            Ok(target) => vec![target],
            Err(why) => {
                found.push(Diagnostic::error(&ADDRESS, why));
                Vec::new()
            }
        };
        match name {
            "target" => asked.targets.extend(target()),
            "exclude" => asked.excludes.extend(target()),
            "replace" => asked.replaces.extend(target()),
            "state" => asked.state = StateFile::At(text.to_owned()),
            "invoke" => {
                asked.invokes = target().pop();
                asked.goal = PlanGoal::Refresh;
            }
            "destroy" => asked.goal = PlanGoal::Destroy,
            "refresh-only" => asked.goal = PlanGoal::Refresh,
            "refresh" => asked.refreshes = text != "false",
            _ => {}
        }
    }
    asked
}
