//! `groma render`: renders a template file, with variables from flags or from a call in the module, and can map each line of the
//! result to lines of the template.

use std::sync::Arc;

use groma::json::{JsonLayout, JsonObject, JsonText, ResultContext, array, place_text};
use groma::templates::{Context, EvaluationBasis, NamedValues, read_text};
use groma::why::{PieceKind, RenderedTemplate, TemplateCall, given_names, render};
use groma::{Budget, Edition, Host, InputAssignment, Value, Why};
use groma_syntax::{Diagnostic, Diagnostics, Source, Sources};

use super::row::CommandRow;
use crate::codes;
use crate::flag::{self, CommandArgs, FlagRow, FlagValue, GivenFlag, set, switch};
use crate::project;
use crate::session::{EarlyStop, ExitStatus, RunSession};
use crate::view::cause::CauseReasons;
use crate::view::{diagnostic, json};

/// The command `groma render`: its flags, help and entry point.
pub(crate) const COMMAND: CommandRow = CommandRow {
    name: "render",
    about: "Render a template file",
    operand: Some(("FILE", "The template")),
    flags: &[
        &[
            FlagRow {
                name: "call",
                takes: FlagValue::Value("ADDRESS|PLACE"),
                about: "Use the variables of this call of the template in the module, named by the declaration that contains it or as FILE:LINE",
                read: |args, text| set(&mut args.call, text.to_string()),
            },
            FlagRow {
                name: "map",
                takes: FlagValue::Nothing,
                about: "Print the line numbers of the template that each line comes from",
                read: |args, _| switch(&mut args.map),
            },
            flag::json("Print a JSON object with the text and the origin of its lines"),
        ],
        flag::MODULE,
    ],
    more: "The variables of the template are given with -var and -var-file: a value that begins like a list, an \
           object or a quoted string is read as one. If none are given and the module in the current folder calls the \
           template once, or with --call, the variables are those of the call, and -var sets the module's \
           variables.\n\n\
           Exit codes: 0 success, 1 the template or the code has errors, 2 wrong use, 3 a part of the text is \
           unknown.",
    run,
};

/// The inputs of rendering a template: its variables and the evaluation context.
struct RenderInputs {
    values: NamedValues,
    context: Context,
    sources: Sources,
}

/// Renders a template file and prints the text, with `--map` the template lines that each line comes from, or a JSON document of
/// both.
fn run(args: &CommandArgs, session: &mut RunSession<'_>) -> Result<ExitStatus, EarlyStop> {
    let Some(file) = &args.operand else {
        return Err(EarlyStop::Misuse(
            "render needs a template, as in `groma render FILE`.".into(),
        ));
    };
    let mut found = Diagnostics::new();
    let is_free = args.call.is_none() && !args.assignments.is_empty();
    let called = if is_free { None } else { from_call(args, file, session)? };
    let mut names = match called {
        Some(names) => names,
        None => from_flags(args, file, session, &mut found)?,
    };
    let read = read_text(&*names.context.host, &mut names.sources, file, &mut found);
    let rendered = read.filter(|_| !found.has_errors()).and_then(|(id, _)| {
        let source = names.sources.get(id);
        let rendered = render(id, source, &names.values, &names.context, &mut found);
        rendered.map(|rendered| (rendered, source))
    });
    let colour = session.colour(!args.no_color);
    let Some((rendered, source)) = rendered else {
        diagnostic::print(&found, &names.sources, colour, session.err)?;
        return Ok(ExitStatus::ERRORS);
    };
    if args.json {
        json::print(JsonLayout::Pretty, session.out, &session.watch, |out| {
            document(file, &rendered, source, out)
        })?;
    } else if args.map {
        write!(session.out, "{}", mapped(&rendered, source))?;
    } else {
        write!(session.out, "{}", rendered.text())?;
    }
    let is_unknown = !rendered.value.is_wholly_known();
    if is_unknown {
        let detail = format!("A part of the text of \"{file}\" is not known from source alone.");
        let sources = names.sources.clone();
        let reasons =
            CauseReasons(ResultContext { sources: &sources, causes: &names.context.causes });
        let one = Diagnostic::error(&codes::ANSWER_UNKNOWN, detail);
        found.push(reasons.explain(one, &rendered.value));
    }
    diagnostic::print(&found, &names.sources, colour, session.err)?;
    Ok(match is_unknown {
        true => ExitStatus::UNKNOWN,
        false => ExitStatus::SUCCESS,
    })
}

/// Returns the inputs of the template `file` that the `-var` and `-var-file` flags give, with a context whose host may read
/// it.
fn from_flags(
    args: &CommandArgs,
    file: &str,
    session: &mut RunSession<'_>,
    out: &mut Diagnostics,
) -> Result<RenderInputs, EarlyStop> {
    let root = session.machine.root(".", args.root.as_deref()).map_err(EarlyStop::Misuse)?;
    let allowed = session.machine.allowed(&args.allowed).map_err(EarlyStop::Misuse)?;
    let assignments: Vec<InputAssignment> = args
        .assignments
        .iter()
        .map(|given| match given {
            GivenFlag::Var { name, text } => {
                InputAssignment::Variable { name: name.clone(), text: text.clone() }
            }
            GivenFlag::File(path) => InputAssignment::File(path.clone()),
        })
        .collect();
    let files = assignments.iter().filter_map(|one| match one {
        InputAssignment::File(path) => Some(path.as_str()),
        _ => None,
    });
    let host = session.machine.host(root, allowed, files.chain([file]));
    let host: Arc<dyn Host> = Arc::new(host);
    let edition = args.edition.unwrap_or(Edition::DEFAULT);
    let mut sources = Sources::new();
    let budget: &Budget = &args.budget;
    let values = given_names(&assignments, edition, &*host, budget, &mut sources, out);
    let basis = EvaluationBasis {
        host,
        budget: budget.clone(),
        now: args.now,
        seed: args.seed,
        base: ".".into(),
        ..EvaluationBasis::bare(edition)
    };
    Ok(RenderInputs { values, context: basis.with_scope(Arc::new(NamedValues::new())), sources })
}

/// Returns the inputs that a call of `templatefile` in the module passes to the template `file`; `None` if there is no such call
/// and `--call` is not given.
fn from_call(
    args: &CommandArgs,
    file: &str,
    session: &mut RunSession<'_>,
) -> Result<Option<RenderInputs>, EarlyStop> {
    if args.call.is_none() && !has_module_code(args, session)? {
        return Ok(None);
    }
    let opened = project::open(args, None, session)?;
    let Some(evaluation) = opened.module() else {
        return match &args.call {
            Some(_) => Err(EarlyStop::Misuse(
                "--call needs a module, and this is a Packer template: give the variables with -var."
                    .into(),
            )),
            None => Ok(None),
        };
    };
    let mut why = Why::new(evaluation);
    let all = why.calls(file);
    let sources = opened.sources();
    let chosen: Vec<TemplateCall> = match &args.call {
        None => all.clone(),
        Some(asked) => {
            let at = |call: &&TemplateCall| {
                place_text(call.place, &sources) == *asked || call.address == *asked
            };
            match all.iter().filter(at).cloned().collect::<Vec<_>>() {
                none if none.is_empty() => why.calls_of(file, asked),
                some => some,
            }
        }
    };
    let listed = |calls: &[TemplateCall]| -> String {
        let told = calls
            .iter()
            .take(MAX_CALLS)
            .map(|call| format!("{} ({})", call.address, place_text(call.place, &sources)));
        told.collect::<Vec<_>>().join(", ")
    };
    match (chosen.as_slice(), &args.call) {
        ([call], _) => {
            if args.call.is_none() {
                writeln!(
                    session.err,
                    "note: the variables are those of {}, {}.",
                    call.address,
                    place_text(call.place, &sources)
                )?;
            }
            let context = evaluation.context();
            Ok(Some(RenderInputs {
                values: names_of(&call.names)?,
                context,
                sources: sources.clone(),
            }))
        }
        ([], None) => Ok(None),
        ([], Some(asked)) => {
            let there = match all.as_slice() {
                [] => format!("The module does not call \"{file}\" with known variables."),
                all => format!("\"{file}\" is called by: {}.", listed(all)),
            };
            Err(EarlyStop::Misuse(format!("--call {asked}: there is no such call. {there}")))
        }
        (some, _) => Err(EarlyStop::Misuse(format!(
            "\"{file}\" is called with different variables: choose a call with --call. The calls are: {}.",
            listed(some)
        ))),
    }
}

/// Maximum number of calls of `templatefile` with one template that a message lists; further ones are left out.
const MAX_CALLS: usize = 12;

/// Converts the variables object of a template call to named values; anything but a known object or map is an error.
fn names_of(names: &Value) -> Result<NamedValues, EarlyStop> {
    let marks = names.marks();
    match names.bare() {
        Value::Object(all) => {
            Ok(all.iter().map(|(name, value)| (&**name, value.mark(&marks))).collect())
        }
        Value::Map(all) => {
            let all = all.entries().iter();
            Ok(all.map(|(name, value)| (&**name, value.mark(&marks))).collect())
        }
        _ => Err(EarlyStop::Misuse(
            "the variables of this call are not known. For a call in a loop, name one element, as in --call 'local.name[0]'; otherwise give them with -var.".into(),
        )),
    }
}

/// Returns true if the current folder contains code of a module.
fn has_module_code(args: &CommandArgs, session: &mut RunSession<'_>) -> Result<bool, EarlyStop> {
    let root = session.machine.root(".", args.root.as_deref()).map_err(EarlyStop::Misuse)?;
    let host = session.machine.host(root, Vec::new(), std::iter::empty());
    let is_code = |name: &str| {
        [".tf", ".tofu", ".tf.json", ".tofu.json"].iter().any(|end| name.ends_with(end))
    };
    Ok(host.list(".").unwrap_or_default().iter().any(|entry| is_code(&entry.name)))
}

/// Returns the rendered text for `--map`: before each line its number and the numbers of the template lines that it comes from.
fn mapped(rendered: &RenderedTemplate, source: &Source) -> String {
    let lines = rendered.lines(source);
    let numbers =
        |from: &[u32]| -> String { from.iter().map(u32::to_string).collect::<Vec<_>>().join(",") };
    let own = lines.len().to_string().len();
    let theirs = lines.iter().map(|line| numbers(&line.from).len()).max().unwrap_or(0);
    let mut out = String::new();
    for (at, line) in lines.iter().enumerate() {
        let from = numbers(&line.from);
        let text = format!("{:own$} <- {from:theirs$}  {}", at + 1, line.text);
        out.push_str(text.trim_end());
        out.push('\n');
    }
    out
}

/// Writes as a JSON document the text rendered from the template file `file`, which has the text `source`, and for each
/// rendered line the lines of the template that it comes from.
fn document(file: &str, rendered: &RenderedTemplate, source: &Source, out: &mut JsonText<'_>) {
    let mut document = JsonObject::open(out);
    document.text("file", file);
    document.text("text", &rendered.text());
    document.flag("unknown", rendered.has(PieceKind::Unknown));
    document.flag("sensitive", rendered.has(PieceKind::Hidden));
    let lines = rendered.lines(source);
    array(lines.iter().enumerate(), document.key("lines"), |(at, line), out| {
        let mut one = JsonObject::open(out);
        one.number("line", at as u32 + 1);
        array(&line.from, one.key("from"), |number, out| out.push_str(&number.to_string()));
        one.close();
    });
    document.close();
}
