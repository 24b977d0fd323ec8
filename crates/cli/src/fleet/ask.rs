//! One batch of a fleet: reads each root's settings, loads all modules together, and asks each root on its own thread. A panic
//! becomes the answer of its root.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::Duration;

use groma::causes::ended;
use groma::folders::{ReadingGroup, RootToLoad, SharedCode};
use groma::json::{ErrorStage, JsonLayout, JsonText, ResultContext, write_result};
use groma::rules::RuleSwitches;
use groma::{Budget, Diagnostics, LoadPurpose, Quota, RootFindings, RootInputs};
use groma_document::write_build_names;
use groma_fleet::{FleetQuestion, RootAnswer};

use super::bounds::RootBounds;
use super::key;
use super::roots::NamedRoot;
use crate::flag::CommandArgs;
use crate::given::ReadSchemas;
use crate::host::MachineContext;
use crate::root_args::{self, RootArgs};
use crate::session::EarlyStop;
use crate::{check_many, project, template};

/// A root whose settings are read: a module to load, or an answer that needs no loading.
pub(super) enum SettledFleetRoot {
    /// A module that is to be loaded.
    Module(Box<SettledFleetModule>),
    /// The answer is available already.
    Answered(RootAnswer),
    /// The line of an earlier run is still valid.
    Kept,
}

/// A module to load, with the settings by which it is checked.
pub(super) struct SettledFleetModule {
    pub root: RootToLoad,
    /// The digest of everything except files that the answer depends on.
    pub settings: String,
    rules: RuleSwitches,
    /// True if lint rules run.
    lints: bool,
    /// True if warnings count as errors.
    denies_all: bool,
}

/// The answer of one root, with the facts for a later `--resume`.
#[derive(Default)]
pub(super) struct AnsweredRoot {
    /// `None` if the line of an earlier run is kept.
    pub answer: Option<RootAnswer>,
    /// The digest of [`SettledFleetModule::settings`].
    pub settings: String,
    /// The files that were read for the answer.
    pub groups: Vec<Arc<ReadingGroup>>,
    /// The time that loading and asking took.
    pub took: Duration,
}

/// Reads the settings of a root, and decides whether it must be loaded.
pub(super) fn settle(
    args: &CommandArgs,
    root: &NamedRoot,
    question: &FleetQuestion,
    quota: Quota,
    schemas: &ReadSchemas,
    machine: &MachineContext,
) -> SettledFleetRoot {
    let own = CommandArgs {
        operands: Vec::new(),
        names_folder: true,
        budget: Budget::new(quota),
        ..args.clone()
    };
    let (root, refused) = (&root.root, |why: EarlyStop| SettledFleetRoot::Answered(refused(&why)));
    let RootArgs { args: own, is_template, .. } = match root_args::settle(own, root, machine) {
        Ok(settled) => settled,
        Err(why) => return refused(why),
    };
    if is_template {
        return match ask_template(&own, &root.dir, question, machine) {
            Ok(answer) => SettledFleetRoot::Answered(answer),
            Err(why) => refused(why),
        };
    }
    let settled = match question {
        FleetQuestion::Check => project::to_check(&own, &root.dir, schemas, machine),
        _ => project::to_evaluate(&own, &root.dir, schemas, machine),
    };
    match settled {
        Err(why) => refused(why),
        Ok((mut options, host)) => {
            if *question == FleetQuestion::Plan {
                (options.load.inputs, options.load.purpose) =
                    (RootInputs::default(), LoadPurpose::Plan);
            }
            let settings = key::settings(&own, question, schemas, &*host);
            let (lints, denies_all) = (own.lints(), own.rules.denies_all());
            let root = RootToLoad { dir: root.dir.clone(), options, host };
            let rules = own.rules;
            let module = SettledFleetModule { root, settings, rules, lints, denies_all };
            SettledFleetRoot::Module(Box::new(module))
        }
    }
}

/// Returns the answer of a root that cannot be opened.
fn refused(why: &EarlyStop) -> RootAnswer {
    match why {
        EarlyStop::Misuse(why) | EarlyStop::Refused(why) | EarlyStop::Absent(why) => {
            RootAnswer::refused("cannot-open", why)
        }
        EarlyStop::Stream(why) => RootAnswer::refused("cannot-open", &why.to_string()),
        EarlyStop::Reported(_) => RootAnswer::refused("cannot-open", "The root cannot be opened."),
    }
}

/// Asks a Packer template, which has builds and values but no plan and no outputs.
fn ask_template(
    own: &CommandArgs,
    path: &str,
    question: &FleetQuestion,
    machine: &MachineContext,
) -> Result<RootAnswer, EarlyStop> {
    if *question == FleetQuestion::Check {
        let (found, evaluation) = check_many::check_template(own, path, machine)?;
        let mut checked = RootFindings::new(path, found, evaluation.sources());
        if own.rules.denies_all() {
            checked.deny_warnings();
        }
        return Ok(RootAnswer::of_findings(checked));
    }
    let loaded = template::load_on(own, Some(path), template::TemplateWants::default(), machine)?;
    let (evaluation, mut found) = (loaded.evaluation, loaded.found);
    found.extend(evaluation.found());
    let mut out = JsonText::new(JsonLayout::Compact);
    match question {
        FleetQuestion::List => {
            let plan = evaluation.plan();
            found.extend(plan.found.iter().cloned());
            write_build_names(&plan.builds, &evaluation.sources(), &mut out);
        }
        FleetQuestion::Eval(expression) => {
            let mut answer = Diagnostics::new();
            let value = evaluation.evaluate_text(expression, "<expression>", &mut answer);
            let sources = evaluation.sources();
            let around = ResultContext { sources: &sources, causes: evaluation.causes() };
            write_result(&value, &answer, ErrorStage::Eval, &around, &mut out);
            found.extend(answer);
        }
        _ => {
            let what = question.text();
            let why = format!("A Packer template has no {what}; ask --check, --list or -e.");
            return Ok(RootAnswer::refused("no-answer", &why));
        }
    }
    Ok(RootAnswer::with_findings(out.into_string(), &found))
}

/// Asks batch after batch; code that batches share is parsed once.
pub(super) struct BatchAsker {
    code: SharedCode,
}

impl BatchAsker {
    /// Creates an asker; with `records` it records the files read for each root.
    pub(super) fn new(records: bool) -> BatchAsker {
        BatchAsker { code: if records { SharedCode::recording() } else { SharedCode::default() } }
    }

    /// Asks the roots of a batch in parallel. Returns their answers in order.
    pub(super) fn ask(
        &mut self,
        batch: Vec<SettledFleetRoot>,
        question: &FleetQuestion,
        threads: usize,
        bounds: &RootBounds,
    ) -> Vec<AnsweredRoot> {
        let mut answers: Vec<AnsweredRoot> = Vec::with_capacity(batch.len());
        let (mut at, mut roots, mut modules) = (Vec::new(), Vec::new(), Vec::new());
        for (number, settled) in batch.into_iter().enumerate() {
            answers.push(match settled {
                SettledFleetRoot::Kept => AnsweredRoot::default(),
                SettledFleetRoot::Answered(answer) => {
                    AnsweredRoot { answer: Some(answer), ..AnsweredRoot::default() }
                }
                SettledFleetRoot::Module(module) => {
                    let SettledFleetModule { root, settings, rules, lints, denies_all } = *module;
                    at.push(number);
                    roots.push(root);
                    modules.push((settings, rules, lints, denies_all));
                    AnsweredRoot::default()
                }
            });
        }
        let asked = self.code.ask_batch(roots, threads, |number, load| {
            let (settings, rules, lints, denies_all) = &modules[number];
            let budget = load.budget();
            let (answered, took) = bounds.within(&budget, || {
                catch_unwind(AssertUnwindSafe(|| {
                    let root = load.load();
                    let rules = lints.then_some(rules);
                    let mut answer = RootAnswer::of(question, &root.snapshot, rules, *denies_all);
                    if let Some(end) = budget.ended() {
                        answer = RootAnswer::ended(&ended(end, &budget.told(), ""));
                    }
                    (answer, root.readings())
                }))
            });
            let (answer, groups) = answered.unwrap_or_else(|_| {
                let why = "The engine failed on this root. This is a defect of Groma.";
                (RootAnswer::refused("internal", why), Vec::new())
            });
            AnsweredRoot { answer: Some(answer), settings: settings.clone(), groups, took }
        });
        for (number, answered) in at.into_iter().zip(asked) {
            answers[number] = answered;
        }
        answers
    }
}
