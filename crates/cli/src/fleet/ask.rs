//! One batch of a fleet: reads each root's settings, loads all modules together and each template by itself, and asks the roots
//! one after another. A panic becomes the answer of its root.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::Duration;

use groma::causes::ended;
use groma::disk::{ReadLog, StampClock};
use groma::folders::{HostReading, ReadingGroup, ReadingRecorder, RootToLoad, SharedCode};
use groma::rules::RuleSwitches;
use groma::{Budget, Host, LoadPurpose, Quota};
use groma_fleet::{AnswerLine, FleetQuestion, RootAnswer};

use super::bounds::RootBounds;
use super::key;
use super::roots::NamedRoot;
use super::stamps::RootRecords;
use crate::check_many;
use crate::flag::CommandArgs;
use crate::given::ReadSchemas;
use crate::host::MachineContext;
use crate::root_args::{self, RootOpening, SettledRoot};
use crate::session::EarlyStop;
use crate::template::TemplateToLoad;

/// A root whose settings are read: a module or a template to load, or an answer that needs no loading.
pub(super) enum SettledFleetRoot {
    /// A module that is to be loaded.
    Module(Box<SettledFleetModule>),
    /// A Packer template that is to be loaded.
    Template(Box<SettledFleetTemplate>),
    /// The answer is available already.
    Answered(RootAnswer),
    /// The line of an earlier run is kept, since the stamp file shows no change.
    Stamped,
    /// The line of an earlier run is kept, since the contents of the files read are unchanged; with the records of reading them.
    Kept(Option<RootRecords>),
}

/// A module to load, with the settings on which its answer depends.
pub(super) struct SettledFleetModule {
    pub root: RootToLoad,
    pub settings: AnswerSettings,
    /// The lint rules; `None` if none runs.
    rules: Option<RuleSwitches>,
    /// True if warnings count as errors.
    denies_all: bool,
}

/// A Packer template to load, with its arguments and the settings on which its answer depends.
pub(super) struct SettledFleetTemplate {
    pub template: TemplateToLoad,
    pub settings: AnswerSettings,
    /// The arguments that result from the command line and the settings of its folder.
    own: CommandArgs,
}

impl SettledFleetRoot {
    /// Returns the settings on which the answer of a root depends, and the host from which the root is read; `None` if it need
    /// not be loaded.
    pub(super) fn to_load(&self) -> Option<(&AnswerSettings, &dyn Host)> {
        match self {
            SettledFleetRoot::Module(module) => Some((&module.settings, &*module.root.host)),
            SettledFleetRoot::Template(one) => Some((&one.settings, &*one.template.host)),
            SettledFleetRoot::Answered(_)
            | SettledFleetRoot::Stamped
            | SettledFleetRoot::Kept(_) => None,
        }
    }
}

/// The settings on which the answer of a root depends, as a digest, and the log of what is read for it.
pub(super) struct AnswerSettings {
    /// The digest of everything except files that the answer depends on.
    pub digest: String,
    /// The log of everything that is read from the disk for it, and the machine that keeps the log.
    notes: Option<(ReadLog, MachineContext)>,
}

/// The answer of one root, with the records of the files and folders read for it, by which a later run with `--resume` decides
/// whether to keep the answer.
#[derive(Default)]
pub(super) struct AnsweredRoot {
    /// `None` if the line of an earlier run is kept.
    pub line: Option<AnswerLine>,
    pub settings: String,
    /// The files that were read for the answer.
    pub groups: Vec<Arc<ReadingGroup>>,
    /// The records of the folders read for it, if they were kept.
    pub records: Option<RootRecords>,
    /// True if the line is kept because the stamp file shows no change.
    pub is_stamped: bool,
    /// The time that loading and asking took.
    pub took: Duration,
}

/// Reads the settings of a root, and decides whether it must be loaded to answer the question; what is read from `machine` is in
/// the log `notes`, if given.
pub(super) fn settle(
    args: &CommandArgs,
    root: &NamedRoot,
    question: &FleetQuestion,
    quota: Quota,
    schemas: &ReadSchemas,
    (machine, notes): (&MachineContext, Option<&ReadLog>),
) -> SettledFleetRoot {
    let own = CommandArgs {
        operands: Vec::new(),
        names_folder: true,
        budget: Budget::new(quota),
        ..args.clone()
    };
    let root = &root.root;
    let purpose = match question {
        FleetQuestion::Check => LoadPurpose::Check,
        FleetQuestion::Plan => LoadPurpose::Plan,
        FleetQuestion::List | FleetQuestion::Outputs | FleetQuestion::Eval(_) => {
            LoadPurpose::Evaluate
        }
    };
    let SettledRoot { args: own, opening, .. } =
        match root_args::settle(own, root, purpose, schemas, machine) {
            Ok(settled) => settled,
            Err(why) => return SettledFleetRoot::Answered(refused(&why)),
        };
    let host = match &opening {
        RootOpening::Module(root) => &*root.host,
        RootOpening::Template(template) => &*template.host,
    };
    let digest = key::settings_digest(&own, question, schemas, host);
    if let Some(file) = &own.schema {
        // It is read once for all roots.
        machine.disk().record_lookup(file, false);
    }
    let notes = notes.map(|notes| (notes.clone(), machine.clone()));
    let settings = AnswerSettings { digest, notes };
    match opening {
        RootOpening::Module(root) => {
            let denies_all = own.rules.denies_all();
            let rules = own.lints().then_some(own.rules);
            let module = SettledFleetModule { root: *root, settings, rules, denies_all };
            SettledFleetRoot::Module(Box::new(module))
        }
        RootOpening::Template(template) => {
            let template = SettledFleetTemplate { template: *template, settings, own };
            SettledFleetRoot::Template(Box::new(template))
        }
    }
}

/// Returns the answer of a root that cannot be opened: an error with the reason.
fn refused(why: &EarlyStop) -> RootAnswer {
    match why {
        EarlyStop::Misuse(why) | EarlyStop::Refused(why) | EarlyStop::Absent(why) => {
            RootAnswer::refused("cannot-open", why)
        }
        EarlyStop::Stream(why) => RootAnswer::refused("cannot-open", &why.to_string()),
        EarlyStop::Reported(_) => RootAnswer::refused("cannot-open", "The root cannot be opened."),
    }
}

impl AnswerSettings {
    /// Returns the records by which a later run detects changes since `clock` of what was read for a root, also by `questions`,
    /// the kinds and names of requests to the host that other roots may have made for a shared module; `None` if a change could
    /// go undetected.
    pub(super) fn records<'q>(
        &self,
        questions: impl Iterator<Item = (char, &'q str)>,
        clock: StampClock,
    ) -> Option<RootRecords> {
        let (notes, machine) = self.notes.as_ref()?;
        for (kind, name) in questions {
            if let Some(path) = HostReading::path_of(kind, name) {
                machine.disk().record_lookup(path, HostReading::is_listing(kind));
            }
        }
        RootRecords::of(notes, machine, clock)
    }
}

/// The evaluator of the groups of roots that a thread of a fleet run asks together (batches); it parses code that several groups
/// share once.
pub(super) struct BatchAsker {
    code: SharedCode,
    is_recording: bool,
    clock: StampClock,
}

impl BatchAsker {
    /// Creates an evaluator of batches of roots, which with `is_recording` keeps records of what is read for each root;
    /// `clock` is a moment before anything was read.
    pub(super) fn new(is_recording: bool, clock: StampClock) -> BatchAsker {
        let code = if is_recording { SharedCode::recording() } else { SharedCode::default() };
        BatchAsker { code, is_recording, clock }
    }

    /// Answers the question for the roots of a batch, each within the time that `bounds` allow; the answers are in the order of
    /// the roots.
    pub(super) fn ask(
        &self,
        batch: Vec<(&NamedRoot, SettledFleetRoot)>,
        question: &FleetQuestion,
        bounds: &RootBounds,
    ) -> Vec<AnsweredRoot> {
        let mut answers: Vec<AnsweredRoot> = Vec::with_capacity(batch.len());
        let (mut at, mut roots, mut modules) = (Vec::new(), Vec::new(), Vec::new());
        for (number, (named, settled)) in batch.into_iter().enumerate() {
            answers.push(match settled {
                SettledFleetRoot::Stamped => {
                    AnsweredRoot { is_stamped: true, ..AnsweredRoot::default() }
                }
                SettledFleetRoot::Kept(records) => {
                    AnsweredRoot { records, ..AnsweredRoot::default() }
                }
                SettledFleetRoot::Answered(answer) => {
                    let line = Some(self.line(named, &answer));
                    AnsweredRoot { line, ..AnsweredRoot::default() }
                }
                SettledFleetRoot::Template(template) => {
                    self.ask_template(named, *template, question, bounds)
                }
                SettledFleetRoot::Module(module) => {
                    let SettledFleetModule { root, settings, rules, denies_all } = *module;
                    at.push(number);
                    roots.push(root);
                    modules.push((named, settings, rules, denies_all));
                    AnsweredRoot::default()
                }
            });
        }
        let asked = self.code.ask_batch(roots, |number, load| {
            let (named, settings, rules, denies_all) = &modules[number];
            let done = bounded(bounds, &load.budget(), || {
                let root = load.load();
                let answer = RootAnswer::of(question, &root.snapshot, rules.as_ref(), *denies_all);
                (answer, root.readings())
            });
            self.answered(named, settings, done)
        });
        for (number, answered) in at.into_iter().zip(asked) {
            answers[number] = answered;
        }
        answers
    }

    /// Loads the Packer template of a root and answers the question, within the time that `bounds` allow.
    fn ask_template(
        &self,
        named: &NamedRoot,
        settled: SettledFleetTemplate,
        question: &FleetQuestion,
        bounds: &RootBounds,
    ) -> AnsweredRoot {
        let SettledFleetTemplate { mut template, settings, own } = settled;
        let recorder = self.is_recording.then(|| ReadingRecorder::new(template.host.clone()));
        if let Some(recorder) = &recorder {
            template.host = recorder.host();
        }
        let budget = template.options.budget.clone();
        let done = bounded(bounds, &budget, || {
            let (path, loaded) = (&named.root.dir, template.load());
            let answer = match question {
                // The flags of `check` decide what of a template is checked.
                FleetQuestion::Check => {
                    RootAnswer::of_findings(check_many::checked_template(own, path, &loaded))
                }
                _ => RootAnswer::of(question, &loaded.into_snapshot(path), None, false),
            };
            (answer, recorder.iter().map(ReadingRecorder::group).collect())
        });
        self.answered(named, &settings, done)
    }

    /// Returns the output line with a root's answer.
    fn line(&self, root: &NamedRoot, answer: &RootAnswer) -> AnswerLine {
        let line = AnswerLine::of(&root.name, answer);
        if self.is_recording { line.digested() } else { line }
    }

    /// Returns the answer of a root that was asked under these settings, with its line and the records of what was read for it.
    fn answered(
        &self,
        root: &NamedRoot,
        settings: &AnswerSettings,
        (answer, groups, took): BoundedAnswer,
    ) -> AnsweredRoot {
        // Those that it shares with other roots come after its own, which are noted as they are read.
        let shared = groups.iter().skip(1).flat_map(|group| &group.readings);
        let records = settings.records(shared.map(|one| (one.kind, &*one.name)), self.clock);
        let records = records.filter(|_| !groups.is_empty());
        let (line, settings) = (Some(self.line(root, &answer)), settings.digest.clone());
        AnsweredRoot { line, settings, groups, records, is_stamped: false, took }
    }
}

/// The answer of a root, what was read for it, and the time that it took.
type BoundedAnswer = (RootAnswer, Vec<Arc<ReadingGroup>>, Duration);

/// Answers a question about a root by `work`, within the time that `bounds` allow. A panic, and the end of the root's `budget`,
/// become the answer.
fn bounded(
    bounds: &RootBounds,
    budget: &Budget,
    work: impl FnOnce() -> (RootAnswer, Vec<Arc<ReadingGroup>>),
) -> BoundedAnswer {
    let (done, took) = bounds.within(budget, || {
        catch_unwind(AssertUnwindSafe(|| {
            let (answer, groups) = work();
            match budget.ended() {
                Some(end) => (RootAnswer::ended(&ended(end, &budget.initial_quota(), "")), groups),
                None => (answer, groups),
            }
        }))
    });
    let (answer, groups) = done.unwrap_or_else(|_| {
        let why = "The engine failed on this root. This is a defect of Groma.";
        (RootAnswer::refused("internal", why), Vec::new())
    });
    (answer, groups, took)
}
