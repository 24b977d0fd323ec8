//! `groma why`: prints where a value comes from, as a tree of the values that it was computed from. For an unknown value it
//! shows the causes and what would make it known.

use groma::RequestToken;
use groma::json::{JsonLayout, ResultContext};
use groma::why::{AddressError, dot, write_json};

use super::plan;
use super::row::CommandRow;
use crate::flag::{self, CommandArgs, FlagRow, FlagValue, switch};
use crate::project;
use crate::session::{EarlyStop, ExitStatus, RunSession};
use crate::view::{diagnostic, json, origin};

/// The command `groma why`: its flags, help and entry point.
pub(crate) const COMMAND: CommandRow = CommandRow {
    name: "why",
    about: "Explain where a value comes from",
    operand: Some((
        "ADDRESS",
        "The value to explain, as in local.name, module.m[\"key\"].output.name or type.name[0].attribute",
    )),
    flags: &[
        &[
            flag::json("Print the tree as nested JSON objects"),
            FlagRow {
                name: "dot",
                takes: FlagValue::Nothing,
                about: "Print the tree as DOT, for Graphviz",
                read: |args, _| switch(&mut args.drawing.dot),
            },
        ],
        plan::STATE,
        flag::MODULE,
    ],
    more: "The state is read as in `groma plan`: values that a resource keeps come from there. Each line shows a \
           value, the place of its code and the code itself; the lines indented below are the values that it was \
           computed from. Sensitive values, and literals that they contain, are not shown. Of a Packer template, \
           source.TYPE.NAME, build.NAME and build[NUMBER] show what is written in a block.\n\n\
           Exit codes: 0 success, 1 the code has errors, 2 wrong use, or nothing exists at the address.",
    run,
};

/// Prints the origin of the value at an address as text, JSON or DOT.
fn run(args: &CommandArgs, session: &mut RunSession<'_>) -> Result<ExitStatus, EarlyStop> {
    let Some(address) = &args.operand else {
        return Err(EarlyStop::Misuse(
            "an address is needed, as in `groma why local.name` or `groma why output.name`.".into(),
        ));
    };
    if args.json && args.drawing.dot {
        return Err(EarlyStop::Misuse(
            "--json and -dot are different output forms: give only one of them.".into(),
        ));
    }
    let opened = project::open_against_state(args, None, session)?;
    opened.note_if_empty(None, session)?;
    let answer = opened.root().why(address, &RequestToken::new());
    let answer = answer.map_err(|why| EarlyStop::Misuse(why.to_string()))?;
    let (answer, found) = (answer.value, answer.findings);
    let sources = opened.sources();
    opened.stop_if_ended(args, &found, session)?;
    let tree = match answer {
        Ok(tree) => tree,
        Err(AddressError { detail }) => return Err(EarlyStop::Misuse(detail)),
    };
    if args.json {
        let around = ResultContext { sources: &sources, causes: opened.causes() };
        json::print(JsonLayout::Pretty, session.out, &session.watch, |out| {
            write_json(&tree, &around, out)
        })?;
    } else if args.drawing.dot {
        write!(session.out, "{}", dot(&tree, &sources))?;
    } else {
        let width = session.terminal.text_width();
        write!(session.out, "{}", origin::text(&tree, &opened, width))?;
    }
    let colour = session.colour(!args.no_color);
    diagnostic::print(&found, &sources, colour, session.err)?;
    let is_open = tree.root().value.as_ref().is_none_or(|value| !value.is_wholly_known());
    opened.print_state_notes(is_open, colour, session.err)?;
    let failed = opened.failed || found.has_errors();
    Ok(if failed { ExitStatus::ERRORS } else { ExitStatus::SUCCESS })
}
