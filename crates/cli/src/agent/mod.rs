//! Tools for coding agents: their names and arguments, the command line that answers each call, and the splitting of long
//! answers. Independent of any protocol; the MCP server is `command/mcp.rs`.

mod pages;
mod parts;
mod tools;

use std::io;
use std::sync::Arc;

use serde_json::{Map, Value as Json, json};

use crate::host::MachineContext;
use crate::session::{ColourChoice, CommandRunner, ExitStatus, RunSession, TerminalStreams};
use crate::watch::RunWatch;

pub(crate) use pages::{MANUAL, page, pages};
pub(crate) use parts::AnswerParts;
pub(crate) use tools::{TOOLS, ToolRow};

/// The tools that `groma mcp` offers to coding agents, with the settings and state that their calls share.
pub(crate) struct AgentTools {
    machine: MachineContext,
    /// False if the code is the user's own, so that it may read every file that the user may read.
    is_untrusted: bool,
    /// True if the server was started with `--write`: tools that edit may then change files.
    writes: bool,
    /// The file of provider schemas that all tools use; `None` for those of each root.
    schema: Option<String>,
    /// Runs one command line in this process.
    run: CommandRunner,
    parts: AnswerParts,
}

/// The answer of a tool call: a JSON document, which may describe an error.
pub(crate) struct ToolAnswer {
    /// The JSON document, or the first part of its text with a handle for the rest.
    pub document: Json,
    /// True if the call failed; `document` then holds the message.
    pub is_error: bool,
}

impl ToolAnswer {
    /// Returns the answer to a tool call that failed: a message, and advice for the next call.
    pub(crate) fn refused(message: &str, next: &str) -> ToolAnswer {
        let document = json!({"error": {"message": message, "next": next}});
        ToolAnswer { document, is_error: true }
    }
}

impl AgentTools {
    /// Creates the tools for code below the current directory of `machine`, which `writes` permits to change files; `run`
    /// executes their command lines, with the file of provider schemas `schema`, if any.
    pub(crate) fn new(
        machine: MachineContext,
        is_untrusted: bool,
        writes: bool,
        schema: Option<String>,
        run: CommandRunner,
    ) -> AgentTools {
        AgentTools { machine, is_untrusted, writes, schema, run, parts: AnswerParts::default() }
    }

    /// Runs the tool `name` and returns its answer, an error for an unknown tool or a wrong argument; `watch` can end the run
    /// early.
    pub(crate) fn call(
        &self,
        name: &str,
        arguments: &Map<String, Json>,
        watch: RunWatch,
    ) -> ToolAnswer {
        let Some(tool) = TOOLS.iter().find(|tool| tool.name == name) else {
            let names: Vec<&str> = TOOLS.iter().map(|tool| tool.name).collect();
            let message = format!("There is no tool {name:?}.");
            return ToolAnswer::refused(&message, &format!("Call one of {}.", names.join(", ")));
        };
        if let Err(why) = tool.check_arguments(arguments) {
            return ToolAnswer::refused(
                &why,
                &format!("Call {name} again with {}.", tool.argument_names()),
            );
        }
        if tool.name == tools::MORE {
            let handle = arguments.get("handle").and_then(Json::as_str).unwrap_or_default();
            return self.parts.more(handle);
        }
        if tool.name == tools::DOCS {
            let subject = arguments.get("subject").and_then(Json::as_str).unwrap_or_default();
            return match page(subject) {
                Some(text) => self.parts.text(text),
                None => ToolAnswer::refused(
                    &format!("There is no page about {subject:?}."),
                    "Read the resource groma://manual for the list of pages.",
                ),
            };
        }
        if let Some(root) = arguments.get("root").and_then(Json::as_str)
            && let Err(why) = within(root)
        {
            return ToolAnswer::refused(
                &why,
                "Give a folder below the one that the server runs in.",
            );
        }
        let mut line = (tool.line)(arguments);
        if self.writes && tool.writes {
            line.push("--write".to_owned());
        }
        if let Some(file) = self.schema.as_ref().filter(|_| !tool.writes) {
            line.push(format!("--schema={file}"));
        }
        if self.is_untrusted {
            line.push("--untrusted".to_owned());
        }
        // Roots below the server's folder may read each other, and nothing above it.
        line.push(format!("--root={}", self.machine.start()));
        let input = arguments.get("edits").map(Json::to_string).unwrap_or_default();
        self.run_command(&line, &input, watch)
    }

    /// Runs a command line of `groma` with `input` as its standard input, within the limits that `watch` enforces, and
    /// converts its output to an answer.
    fn run_command(&self, line: &[String], input: &str, watch: RunWatch) -> ToolAnswer {
        let (mut out, mut err) = (Vec::new(), Vec::new());
        let session = RunSession {
            input: &mut io::Cursor::new(input),
            out: &mut out,
            err: &mut err,
            terminal: TerminalStreams::default(),
            painted: ColourChoice::default(),
            machine: self.machine.for_another_run(),
            watch,
        };
        let exit = (self.run)(line.iter().map(Into::into).collect(), session);
        let (out, err) = (String::from_utf8_lossy(&out), String::from_utf8_lossy(&err));
        match serde_json::from_str::<Json>(&out) {
            Ok(document) if exit == ExitStatus::MISUSE => {
                let why = document.pointer("/diagnostics/0/detail").and_then(Json::as_str);
                ToolAnswer::refused(why.unwrap_or(err.trim()), "Correct the arguments.")
            }
            Ok(document) => self.parts.document(document),
            Err(_) if exit == ExitStatus::SUCCESS && !out.is_empty() => self.parts.text(&out),
            Err(_) if exit == ExitStatus::SUCCESS => self.parts.text("Nothing."),
            Err(_) => {
                let message = format!("{out}{err}");
                ToolAnswer::refused(
                    message.trim(),
                    "Correct the arguments, or call check on the root.",
                )
            }
        }
    }
}

/// Checks that a path of a tool call is relative and stays below the folder in which `groma mcp` runs; the error is a sentence.
fn within(path: &str) -> Result<(), String> {
    let clean = groma::hosts::file_path::clean(path);
    if clean.starts_with('/') || clean.starts_with("..") || clean.contains(':') {
        return Err(format!("{path:?} is not below the server's folder."));
    }
    Ok(())
}

/// The tools of `groma mcp`, shared by all requests of a server.
pub(crate) type SharedTools = Arc<AgentTools>;
