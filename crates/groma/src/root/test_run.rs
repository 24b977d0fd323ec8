//! The runs of a test file as data: the module that each tests, its assignments and its overrides. Runs are not made here.

use groma_config::{RawArgument, RawBlock};
use groma_functions::FunctionLibrary;
use groma_inputs::InputAssignment;
use groma_module::declare::Expression;
use groma_value::{Str, Value};

use super::test_names::source_of;
use super::test_texts::TestText;
use super::{FileSpan, NoAnswer, RootKind, TestSnapshot};
use crate::Snapshot;

/// A `run` block of a test file: the module that it tests, its assignments, overrides and assertions.
#[derive(Clone, Debug)]
pub struct TestRun {
    /// The name of the run.
    pub name: Str,
    /// The span of the block's header.
    pub place: FileSpan,
    /// The source of the module that is tested instead of the file's module, as written.
    pub source: Option<String>,
    /// The variables that the file and the run set, sorted by name; the run takes precedence.
    pub variables: Vec<TestVariable>,
    /// The overrides of the file and the run, in source order.
    pub overrides: Vec<TestOverride>,
    /// The spans of the conditions of its assertions.
    pub assertions: Vec<FileSpan>,
}

/// A variable that the `variables` block of a test file or a run sets, with its value.
#[derive(Clone, Debug)]
pub struct TestVariable {
    /// The name of the variable.
    pub name: Str,
    /// The span of the name in the file.
    pub place: FileSpan,
    /// The value; `None` if it is not constant but depends on other runs.
    pub value: Option<Value>,
}

/// An `override_…` block of a test file or a run: the address of a resource, data source or module, and the values for it.
#[derive(Clone, Debug)]
pub struct TestOverride {
    /// The type of the block, such as `override_resource`.
    pub kind: Str,
    /// The overridden address, as written.
    pub target: String,
    /// The span of the block's header.
    pub place: FileSpan,
    /// The values; `None` if they are not constant.
    pub values: Option<Value>,
}

impl TestRun {
    /// Returns the values that the file and the run give to variables, as input assignments for evaluating the run's module.
    ///
    /// # Errors
    /// If a value depends on the result of another run.
    pub fn assignments(&self) -> Result<Vec<InputAssignment>, NoAnswer> {
        let value = |one: &TestVariable| {
            let value = one.value.clone().ok_or(NEEDS_RUNS)?;
            Ok(InputAssignment::Value { name: one.name.to_string(), value })
        };
        self.variables.iter().map(value).collect()
    }
}

/// The error for a value that depends on the result of a run, since runs are not made.
const NEEDS_RUNS: NoAnswer = NoAnswer {
    kind: RootKind::Test,
    reason: "has variables whose values rest on runs that have to be made before",
};

impl TestSnapshot {
    /// Returns the runs of the test file, in source order.
    pub fn runs(&self) -> Vec<TestRun> {
        let text = &*self.text;
        let library = FunctionLibrary::of(self.module.edition());
        let of_file: Vec<TestVariable> = variables(&text.blocks, text, &library);
        let overrides: Vec<TestOverride> = overrides(&text.blocks, text, &library);
        let runs = text.blocks.iter().filter(|raw| &*raw.kind == "run");
        runs.map(|run| {
            let mut set = of_file.clone();
            let own = variables(&run.blocks, text, &library);
            set.retain(|one| own.iter().all(|mine| mine.name != one.name));
            set.extend(own);
            set.sort_by(|a, b| a.name.cmp(&b.name));
            let mut all = overrides.clone();
            all.extend(self::overrides(&run.blocks, text, &library));
            let asserts = run.blocks_of("assert").filter_map(|one| one.argument("condition"));
            TestRun {
                name: run.label(0).into(),
                place: text.span(run.header),
                source: source_of(run),
                variables: set,
                overrides: all,
                assertions: asserts.map(|one| text.span(one.expr.place())).collect(),
            }
        })
        .collect()
    }

    /// Returns the snapshot of the module that a run tests, without the run's assignments.
    ///
    /// # Errors
    /// If the run names a module that cannot be read.
    pub fn module_of(&self, run: &TestRun) -> Result<Snapshot, NoAnswer> {
        self.module_at(run.source.as_deref())
    }
}

/// Returns the variables that the `variables` blocks of a test file or a run set.
fn variables(blocks: &[RawBlock], text: &TestText, library: &FunctionLibrary) -> Vec<TestVariable> {
    let all = blocks.iter().filter(|raw| &*raw.kind == "variables");
    all.flat_map(|raw| &raw.arguments)
        .map(|argument| TestVariable {
            name: argument.name.clone(),
            place: text.span(argument.name_place),
            value: constant(argument, library),
        })
        .collect()
}

/// Returns the overrides in the `override_…` blocks of a test file or a run, and in its `mock_provider` blocks.
fn overrides(blocks: &[RawBlock], text: &TestText, library: &FunctionLibrary) -> Vec<TestOverride> {
    let mocked = blocks.iter().filter(|raw| &*raw.kind == "mock_provider");
    let all = blocks.iter().chain(mocked.flat_map(|raw| &raw.blocks));
    let all = all.filter(|raw| raw.kind.starts_with("override_"));
    all.filter_map(|raw| {
        let target = raw.argument("target")?.expr.place();
        let values = raw.argument("values").or_else(|| raw.argument("outputs"));
        Some(TestOverride {
            kind: raw.kind.clone(),
            target: target.span.of(text.sources.get(target.file).text()).to_owned(),
            place: text.span(raw.header),
            values: values.and_then(|argument| constant(argument, library)),
        })
    })
    .collect()
}

/// Returns the value of an argument whose expression is constant; `None` for other expressions.
fn constant(argument: &RawArgument, library: &FunctionLibrary) -> Option<Value> {
    Expression::new(&argument.expr, library).constant()
}
