//! Names in a test file: its runs, variables and providers, the assignments to variables, and the references in expressions.

use groma_config::{RawBlock, literal_text};
use groma_eval::{LocatedCode, Reference, Step};
use groma_functions::FunctionLibrary;
use groma_runtime::Edition;
use groma_syntax::{Body, Sources, Span};

use super::{FileSpan, RootSite};

/// An index of a test file: its runs, declarations, assignments to variables, and expressions.
pub(super) struct TestNames {
    pub(super) runs: Vec<RunNames>,
    /// The addresses and sites of the file's declarations, in source order.
    pub(super) declarations: Vec<(String, RootSite)>,
    pub(super) inputs: Vec<InputName>,
    pub(super) expressions: Vec<TestExpression>,
}

/// A `run` block: its name, the source of the module that it tests, if written, and the span of the block.
pub(super) struct RunNames {
    pub(super) name: String,
    pub(super) source: Option<String>,
    span: Span,
}

/// An argument of a `variables` block: the name of the variable that it sets, its span, and the index of the enclosing run, if
/// any.
pub(super) struct InputName {
    pub(super) name: String,
    pub(super) span: Span,
    pub(super) run: Option<usize>,
}

/// An expression of a test file: its code, its span, and the index of the run that contains it, if any.
pub(super) struct TestExpression {
    pub(super) located: LocatedCode,
    pub(super) span: Span,
    run: Option<usize>,
    /// True if its names are those of providers.
    is_of_providers: bool,
}

/// The names at the start of a reference, such as `run`, `setup`, `id`, and the index of the run that contains it, if any.
pub(super) struct NameChain<'r> {
    pub(super) names: Vec<&'r str>,
    pub(super) run: Option<usize>,
    pub(super) is_of_providers: bool,
}

impl TestNames {
    /// Builds the index of a test file from its raw `blocks` and from the `body` of the file, which has the spans of whole
    /// blocks.
    pub(super) fn of(
        blocks: &[RawBlock],
        body: &Body,
        sources: &Sources,
        edition: Edition,
    ) -> TestNames {
        let library = FunctionLibrary::of(edition);
        let mut names = TestNames {
            runs: Vec::new(),
            declarations: Vec::new(),
            inputs: Vec::new(),
            expressions: Vec::new(),
        };
        let items = body.items();
        for raw in blocks {
            let (kind, label) = (&*raw.kind, raw.label(0));
            let address = match kind {
                "run" => Some((format!("run.{label}"), "run")),
                "variable" => Some((format!("var.{label}"), "variable")),
                "provider" => Some((provider(raw), "provider")),
                "mock_provider" => Some((provider(raw), "mock_provider")),
                _ => None,
            };
            if let Some((address, kind)) = address {
                let place = raw.labels.first().map_or(raw.header, |label| label.place);
                let span = |place| FileSpan::of(place, sources);
                let (place, range) = (span(place), span(raw.header));
                let site = RootSite { kind, place, range };
                names.declarations.push((address, site));
            }
            let run = (kind == "run").then(|| {
                let header = sources.resolve(raw.header).span;
                let whole = items.iter().find_map(|item| match item {
                    groma_syntax::BodyItem::Block(block) if block.header.start == header.start => {
                        Some(block.span)
                    }
                    _ => None,
                });
                let source = source_of(raw);
                let span = whole.unwrap_or(header);
                names.runs.push(RunNames { name: label.to_owned(), source, span });
                names.runs.len() - 1
            });
            names.read(raw, run, sources, &library);
        }
        names
    }

    /// Adds the assignments to variables and the expressions in a block, and in the blocks nested in it, to the index; `run` is
    /// the index of the enclosing run.
    fn read(
        &mut self,
        raw: &RawBlock,
        run: Option<usize>,
        sources: &Sources,
        library: &FunctionLibrary,
    ) {
        for argument in &raw.arguments {
            if &*raw.kind == "variables" {
                let span = sources.resolve(argument.name_place).span;
                self.inputs.push(InputName { name: argument.name.to_string(), span, run });
            }
            self.expressions.push(TestExpression {
                located: LocatedCode::of(&argument.expr, library),
                span: sources.resolve(argument.expr.place()).span,
                run,
                is_of_providers: &*argument.name == "providers",
            });
        }
        raw.blocks.iter().for_each(|inner| self.read(inner, run, sources, library));
    }

    /// Returns the index of the run that contains an offset; `None` outside of all runs.
    pub(super) fn run_at(&self, at: u32) -> Option<usize> {
        let around = self.runs.iter().position(|run| run.span.touches(at));
        around.or_else(|| self.expressions.iter().find(|one| one.span.touches(at))?.run)
    }
}

/// Returns the address of a `provider` or `mock_provider` block, such as `provider.aws` or, with an alias, `provider.aws.east`.
fn provider(raw: &RawBlock) -> String {
    let alias = raw.argument("alias").and_then(|argument| literal_text(&argument.expr));
    let alias = alias.map_or_else(String::new, |alias| format!(".{alias}"));
    format!("provider.{}{alias}", raw.label(0))
}

/// Returns the root name of a reference and the names of its first `steps` steps, up to the first step that is an index.
pub(super) fn chain(reference: &Reference, steps: usize) -> Vec<&str> {
    let names = reference.steps.iter().take(steps).map_while(|step| match step {
        Step::Attribute(name) => Some(&**name),
        _ => None,
    });
    std::iter::once(&*reference.root).chain(names).collect()
}

impl TestExpression {
    /// Returns the root name of a reference in this expression and the names of its first `steps` steps, with the enclosing run.
    pub(super) fn chain<'r>(&self, reference: &'r Reference, steps: usize) -> NameChain<'r> {
        let (run, is_of_providers) = (self.run, self.is_of_providers);
        NameChain { names: chain(reference, steps), run, is_of_providers }
    }
}

/// Returns the `source` in the `module` block of a run; `None` if there is none or it is not a literal.
pub(super) fn source_of(run: &RawBlock) -> Option<String> {
    let source = run.blocks_of("module").next()?.argument("source")?;
    literal_text(&source.expr)
}
