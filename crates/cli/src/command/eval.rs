//! `groma eval`: prints the values of expressions in the chosen form. An unknown value is not an answer: the exit code is 3, and
//! a diagnostic gives the reasons.

use groma::Value;
use groma::json::{JsonLayout, array};
use groma_syntax::{Diagnostic, Diagnostics};

use super::batch;
use super::plan;
use super::row::CommandRow;
use crate::codes;
use crate::flag::{self, CommandArgs, FlagRow, FlagValue, UnknownPolicy, set, switch};
use crate::project::{self, OpenedRoot};
use crate::session::{EarlyStop, ExitStatus, RunSession};
use crate::view::{diagnostic, json, value};

/// The command `groma eval`: its flags, help and entry point.
pub(crate) const COMMAND: CommandRow = CommandRow {
    name: "eval",
    about: "Evaluate expressions in a module and print their values",
    operand: Some(("DIR", "The module's directory (default: the current directory)")),
    flags: &[OWN, plan::STATE, flag::MODULE, flag::TEMPLATE],
    more: "By default the value is printed as in the console. With several -e, --json and --full print an array. The \
           state is read as in `groma plan`: values that a resource keeps come from there.\n\n\
           Exit codes: 0 success, 1 the code has errors, 2 wrong use, 3 the value is unknown.",
    run,
};

/// Flags that only `groma eval` has.
const OWN: &[FlagRow] = &[
    FlagRow {
        name: "e",
        takes: FlagValue::Value("EXPR"),
        about: "The expression (may repeat, may begin with a dash)",
        read: |args, text| {
            args.expressions.push(text.to_string());
            Ok(())
        },
    },
    flag::IN,
    flag::json("Print the value as JSON"),
    flag::RAW,
    FlagRow {
        name: "type",
        takes: FlagValue::Nothing,
        about: "Print the type of the value",
        read: |args, _| switch(&mut args.types),
    },
    FlagRow {
        name: "full",
        takes: FlagValue::Nothing,
        about: "Print everything known about the value, as JSON",
        read: |args, _| switch(&mut args.full),
    },
    FlagRow {
        name: "unknown",
        takes: FlagValue::Word("null|keep|error", &["null", "keep", "error"]),
        about: "How to print an unknown value: null, keep ({\"unknown\":…} in its place), or error: exit with 3 (the default)",
        read: |args, text| {
            args.unknown = match text {
                "null" => UnknownPolicy::Null,
                "keep" => UnknownPolicy::Keep,
                "error" => UnknownPolicy::Error,
                _ => return Err(format!("--unknown must be null, keep or error, not \"{text}\".")),
            };
            Ok(())
        },
    },
    FlagRow {
        name: "jsonl",
        takes: FlagValue::Nothing,
        about: "Read requests from standard input, one JSON object per line",
        read: |args, _| switch(&mut args.lines),
    },
    FlagRow {
        name: "base",
        takes: FlagValue::Value("DIR"),
        about: "With --jsonl: read the files that functions name from DIR, and read nothing outside it",
        read: |args, text| set(&mut args.base, text.to_string()),
    },
];

/// Evaluates the expressions of the command line and prints their values.
fn run(args: &CommandArgs, session: &mut RunSession<'_>) -> Result<ExitStatus, EarlyStop> {
    let forms = [args.json, args.raw, args.types, args.full, args.lines];
    if forms.iter().filter(|form| **form).count() > 1 {
        let message = "--json, --raw, --type, --full and --jsonl are different output forms: give only one of them.";
        return Err(EarlyStop::Misuse(message.to_string()));
    }
    if args.lines {
        return batch::run(args, session);
    }
    if args.base.is_some() {
        return Err(EarlyStop::Misuse("--base can only be used with --jsonl.".to_string()));
    }
    if args.expressions.is_empty() {
        let guess = args.operand.as_deref().filter(|operand| {
            !session.machine.is_directory(operand) && !session.machine.is_file(operand)
        });
        let example = guess.unwrap_or("1 + 1");
        return Err(EarlyStop::Misuse(format!(
            "eval needs an expression, as in: groma eval -e '{example}'"
        )));
    }
    let opened = project::open_against_state(args, args.operand.as_deref(), session)?;
    let colour = session.colour(!args.no_color);
    let mut exit = if opened.failed { ExitStatus::ERRORS } else { ExitStatus::SUCCESS };
    let mut answers = Vec::with_capacity(args.expressions.len());
    let mut is_open = false;
    for (index, text) in args.expressions.iter().enumerate() {
        let name = match args.expressions.len() {
            1 => "<expression>".to_string(),
            _ => format!("<expression {}>", index + 1),
        };
        let mut diagnostics = Diagnostics::new();
        let got = opened.evaluate(text, &name, &mut diagnostics);
        opened.stop_if_ended(args, &diagnostics, session)?;
        is_open |= !got.is_wholly_known() && !diagnostics.has_errors();
        let answer = answer(args, &opened, &got, &mut diagnostics);
        diagnostic::print(&diagnostics, &opened.sources(), colour, session.err)?;
        exit = match answer {
            EvalAnswer::Is(text) => {
                answers.push(text);
                exit
            }
            EvalAnswer::Failed(None) => ExitStatus::ERRORS,
            EvalAnswer::Failed(Some(text)) => {
                answers.push(text);
                ExitStatus::ERRORS
            }
            EvalAnswer::Unknown(text) => {
                answers.extend(text);
                if exit == ExitStatus::ERRORS { exit } else { ExitStatus::UNKNOWN }
            }
        };
    }
    write(args, &answers, session)?;
    opened.print_state_notes(is_open, colour, session.err)?;
    Ok(exit)
}

/// The printed form of one expression's value, or the reason why there is none.
enum EvalAnswer {
    Is(String),
    /// Evaluation failed; with `--full` the failure has a JSON form too.
    Failed(Option<String>),
    /// The value is unknown; the text form shows its known parts.
    Unknown(Option<String>),
}

/// Converts the value of an expression to the output that the flags of `groma eval` select, such as JSON with `--json`; failures
/// are pushed to `out`.
fn answer(
    args: &CommandArgs,
    opened: &OpenedRoot,
    got: &Value,
    out: &mut Diagnostics,
) -> EvalAnswer {
    if args.full {
        let text = opened.full(got, out);
        return if out.has_errors() {
            EvalAnswer::Failed(Some(text))
        } else {
            EvalAnswer::Is(text)
        };
    }
    if out.has_errors() {
        return EvalAnswer::Failed(None);
    }
    if args.types {
        return EvalAnswer::Is(value::type_text(got));
    }
    let sources = opened.sources();
    let reasons = opened.reasons(&sources);
    if opened.failed && !got.is_wholly_known() && got.deep_causes().is_empty() {
        // The value is unknown because of errors that loading has reported already.
        return EvalAnswer::Failed(None);
    }
    if !got.is_wholly_known() && args.unknown == UnknownPolicy::Error {
        let detail = if got.is_known() {
            "A part of the value is not known from source alone."
        } else {
            "The value is not known from source alone."
        };
        out.push(reasons.explain(Diagnostic::error(&codes::ANSWER_UNKNOWN, detail), got));
        let text = (!args.json && !args.raw).then(|| opened.text(got));
        return EvalAnswer::Unknown(text);
    }
    if args.raw {
        return match value::raw(got) {
            Ok(text) => EvalAnswer::Is(text),
            Err(why) => {
                let detail = format!(
                    "The value cannot be printed with --raw, which prints strings, numbers and bools only: {why}. Use --json instead."
                );
                out.push(Diagnostic::error(&codes::NO_RAW_FORM, detail));
                EvalAnswer::Failed(None)
            }
        };
    }
    EvalAnswer::Is(match (args.json, args.unknown) {
        (true, UnknownPolicy::Keep) => value::json_keeping(got, &reasons.0),
        (true, _) => value::json(got),
        (false, _) => opened.text(got),
    })
}

/// Writes the answers: one per line, joined for `--raw`, or as JSON.
fn write(
    args: &CommandArgs,
    answers: &[String],
    session: &mut RunSession<'_>,
) -> Result<(), EarlyStop> {
    if args.raw {
        json::print_text(session.out, &session.watch, |out| out.write_str(&answers.join("\n")))?;
    } else if !args.json && !args.full {
        json::print_text(session.out, &session.watch, |out| {
            answers.iter().try_for_each(|answer| writeln!(out, "{answer}"))
        })?;
    } else if answers.len() < args.expressions.len() {
        // With an answer missing there is no valid document.
    } else if let ([answer], 1) = (answers, args.expressions.len()) {
        json::print_text(session.out, &session.watch, |out| writeln!(out, "{answer}"))?;
    } else {
        json::print(JsonLayout::Compact, session.out, &session.watch, |out| {
            array(answers, out, |answer, out| out.push_str(answer));
        })?;
    }
    Ok(())
}
