//! `groma eval`: the values of expressions for scripts and people, in the form that was asked for. An answer that is
//! not known is no answer: exit 3, and a diagnostic says why.

use groma::Value;
use groma::json::{Layout, array};
use groma_syntax::{Diagnostic, Diagnostics};

use super::batch;
use super::plan;
use super::row::Command;
use crate::codes;
use crate::flag::{self, Args, Flag, Takes, Unknowns, set, switch};
use crate::project::{self, Opened};
use crate::session::{Exit, Session, Stop};
use crate::view::{diagnostic, json, value};

pub(crate) const COMMAND: Command = Command {
    name: "eval",
    about: "Evaluate expressions in a module and print their values",
    operand: Some(("DIR", "The module's directory (default: the current one)")),
    flags: &[OWN, plan::STATE, flag::MODULE, flag::TEMPLATE],
    more: "Without a form flag the value is printed as the console prints it. With several -e, --json and --full \
           give an array. A state is read where `groma plan` would read one: what a resource keeps comes from there.\n\n\
           Exit codes: 0 all is well, 1 the code has errors, 2 wrong use, 3 the answer is unknown.",
    run,
};

const OWN: &[Flag] = &[
    Flag {
        name: "e",
        takes: Takes::Value("EXPR"),
        about: "The expression (may repeat, may begin with a dash)",
        read: |args, text| {
            args.expressions.push(text.to_string());
            Ok(())
        },
    },
    flag::IN,
    flag::json("Print the value as JSON"),
    flag::RAW,
    Flag {
        name: "type",
        takes: Takes::Nothing,
        about: "Print the type of the value",
        read: |args, _| switch(&mut args.types),
    },
    Flag {
        name: "full",
        takes: Takes::Nothing,
        about: "Print all that is known of the value, as JSON",
        read: |args, _| switch(&mut args.full),
    },
    Flag {
        name: "unknown",
        takes: Takes::Word("null|keep|error", &["null", "keep", "error"]),
        about: "What an unknown becomes: null, {\"unknown\":…} in its place, or exit 3 (default)",
        read: |args, text| {
            args.unknown = match text {
                "null" => Unknowns::Null,
                "keep" => Unknowns::Keep,
                "error" => Unknowns::Error,
                _ => return Err(format!("--unknown is null, keep or error, not \"{text}\".")),
            };
            Ok(())
        },
    },
    Flag {
        name: "jsonl",
        takes: Takes::Nothing,
        about: "Answer questions from standard input, one JSON object a line",
        read: |args, _| switch(&mut args.lines),
    },
    Flag {
        name: "base",
        takes: Takes::Value("DIR"),
        about: "With --jsonl: file functions start at DIR and read nothing outside it",
        read: |args, text| set(&mut args.base, text.to_string()),
    },
];

fn run(args: &Args, session: &mut Session<'_>) -> Result<Exit, Stop> {
    let forms = [args.json, args.raw, args.types, args.full, args.lines];
    if forms.iter().filter(|form| **form).count() > 1 {
        let message =
            "--json, --raw, --type, --full and --jsonl are different forms: give one of them.";
        return Err(Stop::Misuse(message.to_string()));
    }
    if args.lines {
        return batch::run(args, session);
    }
    if args.base.is_some() {
        return Err(Stop::Misuse("--base belongs to --jsonl.".to_string()));
    }
    if args.expressions.is_empty() {
        let guess = args.operand.as_deref().filter(|operand| {
            !session.machine.is_directory(operand) && !session.machine.is_file(operand)
        });
        let example = guess.unwrap_or("1 + 1");
        return Err(Stop::Misuse(format!(
            "eval needs an expression, as in: groma eval -e '{example}'"
        )));
    }
    let opened = project::open_against_state(args, args.operand.as_deref(), session)?;
    let colour = session.colour(!args.no_color);
    let mut exit = if opened.failed { Exit::ERRORS } else { Exit::WELL };
    let mut answers = Vec::with_capacity(args.expressions.len());
    let mut is_open = false;
    for (index, text) in args.expressions.iter().enumerate() {
        let name = match args.expressions.len() {
            1 => "<expression>".to_string(),
            _ => format!("<expression {}>", index + 1),
        };
        let mut diagnostics = Diagnostics::new();
        let got = opened.evaluate(text, &name, &mut diagnostics);
        opened.go_on(args, &diagnostics, session)?;
        is_open |= !got.is_wholly_known() && !diagnostics.has_errors();
        let answer = answer(args, &opened, &got, &mut diagnostics);
        diagnostic::print(&diagnostics, &opened.sources(), colour, session.err)?;
        exit = match answer {
            Answer::Is(text) => {
                answers.push(text);
                exit
            }
            Answer::Failed(None) => Exit::ERRORS,
            Answer::Failed(Some(text)) => {
                answers.push(text);
                Exit::ERRORS
            }
            Answer::Unknown(text) => {
                answers.extend(text);
                if exit == Exit::ERRORS { exit } else { Exit::UNKNOWN }
            }
        };
    }
    write(args, &answers, session)?;
    opened.tell_beside(is_open, colour, session.err)?;
    Ok(exit)
}

enum Answer {
    Is(String),
    /// An error; the full form has an object for that too.
    Failed(Option<String>),
    /// Not known; the console's text shows as much as there is.
    Unknown(Option<String>),
}

fn answer(args: &Args, opened: &Opened, got: &Value, out: &mut Diagnostics) -> Answer {
    if args.full {
        let text = opened.full(got, out);
        return if out.has_errors() { Answer::Failed(Some(text)) } else { Answer::Is(text) };
    }
    if out.has_errors() {
        return Answer::Failed(None);
    }
    if args.types {
        return Answer::Is(value::type_text(got));
    }
    let sources = opened.sources();
    let reasons = opened.reasons(&sources);
    if opened.failed && !got.is_wholly_known() && got.deep_causes().is_empty() {
        // It is unknown because of what loading has reported already.
        return Answer::Failed(None);
    }
    if !got.is_wholly_known() && args.unknown == Unknowns::Error {
        let detail = if got.is_known() {
            "A part of the value is not known from source alone."
        } else {
            "The value is not known from source alone."
        };
        out.push(reasons.explain(Diagnostic::error(&codes::ANSWER_UNKNOWN, detail), got));
        let text = (!args.json && !args.raw).then(|| opened.text(got));
        return Answer::Unknown(text);
    }
    if args.raw {
        return match value::raw(got) {
            Ok(text) => Answer::Is(text),
            Err(why) => {
                let detail = format!(
                    "--raw prints text, numbers and bools, and the value is none of them: {why}. Use --json instead."
                );
                out.push(Diagnostic::error(&codes::NO_RAW_FORM, detail));
                Answer::Failed(None)
            }
        };
    }
    Answer::Is(match (args.json, args.unknown) {
        (true, Unknowns::Keep) => value::json_keeping(got, &reasons.0),
        (true, _) => value::json(got),
        (false, _) => opened.text(got),
    })
}

fn write(args: &Args, answers: &[String], session: &mut Session<'_>) -> Result<(), Stop> {
    if args.raw {
        json::through(session.out, &session.watch, |out| out.write_str(&answers.join("\n")))?;
    } else if !args.json && !args.full {
        json::through(session.out, &session.watch, |out| {
            answers.iter().try_for_each(|answer| writeln!(out, "{answer}"))
        })?;
    } else if answers.len() < args.expressions.len() {
        // Without every answer there is no document.
    } else if let ([answer], 1) = (answers, args.expressions.len()) {
        json::through(session.out, &session.watch, |out| writeln!(out, "{answer}"))?;
    } else {
        json::print(Layout::Compact, session.out, &session.watch, |out| {
            array(answers, out, |answer, out| out.push_str(answer));
        })?;
    }
    Ok(())
}
