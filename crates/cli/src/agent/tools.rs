//! The tools for agents as rows. Each names the command line that answers it, so a tool answers exactly what the command prints.

use serde_json::{Map, Value as Json, json};

/// The name of the tool that returns the rest of a long answer.
pub(super) const MORE: &str = "more";
/// The name of the tool that returns a page of the manual.
pub(super) const DOCS: &str = "docs";

/// A tool for agents: its name, description, arguments, and the command line that answers it.
pub(crate) struct ToolRow {
    /// The name under which agents call it.
    pub name: &'static str,
    /// The description by which an agent chooses a tool.
    pub about: &'static str,
    /// Its arguments, in the order in which they are listed.
    pub arguments: &'static [ToolArgument],
    /// True if it may change files, provided that the server was started with `--write`.
    pub writes: bool,
    /// Builds the command line that answers a call.
    pub line: fn(&Map<String, Json>) -> Vec<String>,
}

/// An argument of a tool: a list of objects if `is_list` is true, else a string.
pub(crate) struct ToolArgument {
    pub name: &'static str,
    pub about: &'static str,
    pub is_required: bool,
    pub is_list: bool,
}

/// Creates the description of a required string argument of a tool.
const fn required(name: &'static str, about: &'static str) -> ToolArgument {
    ToolArgument { name, about, is_required: true, is_list: false }
}

/// The optional argument that selects the root module.
const ROOT: ToolArgument = ToolArgument {
    name: "root",
    about: "The folder of the root module, below the server's folder (default: .)",
    is_required: false,
    is_list: false,
};

/// Returns a string argument of a call, or the empty string if it is missing.
fn text(arguments: &Map<String, Json>, name: &str) -> String {
    arguments.get(name).and_then(Json::as_str).unwrap_or_default().to_owned()
}

/// Returns the `root` argument of a call; `.` if it is missing or empty.
fn root(arguments: &Map<String, Json>) -> String {
    match arguments.get("root").and_then(Json::as_str) {
        Some(root) if !root.is_empty() => root.to_owned(),
        _ => ".".to_owned(),
    }
}

/// Returns the words of a command line as owned strings.
fn line(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| (*word).to_owned()).collect()
}

/// All tools that `groma mcp` offers, in the order in which they are listed.
pub(crate) const TOOLS: &[ToolRow] = &[
    ToolRow {
        name: "check",
        about: "Find errors and questionable code in a root module. Nothing is run and no provider is needed.",
        arguments: &[ROOT],
        writes: false,
        line: |arguments| line(&["check", "-json", &root(arguments)]),
    },
    ToolRow {
        name: "fixes",
        about: "Get the safe fixes of what check finds, as a unified diff. Nothing is written.",
        arguments: &[ROOT],
        writes: false,
        line: |arguments| line(&["check", "--fix", "--diff", &root(arguments)]),
    },
    ToolRow {
        name: "eval",
        about: "Evaluate an expression in a root module: its value, or the reasons why it is unknown.",
        arguments: &[
            ROOT,
            required("expression", "The expression, as in local.zones[0] or length(var.names)"),
        ],
        writes: false,
        line: |arguments| {
            line(&["eval", &root(arguments), "--full", "-e", &text(arguments, "expression")])
        },
    },
    ToolRow {
        name: "plan",
        about: "Plan a root module from source alone: what would be created, changed and destroyed, with all values that are known.",
        arguments: &[ROOT],
        writes: false,
        line: |arguments| line(&[&format!("-chdir={}", root(arguments)), "plan", "-json"]),
    },
    ToolRow {
        name: "diff",
        about: "Compare what the code plans with what it planned at a git revision: the effect of a change.",
        arguments: &[ROOT, required("revision", "The older revision, as in HEAD or main")],
        writes: false,
        line: |arguments| {
            line(&[
                "diff",
                "--json",
                &text(arguments, "revision"),
                &format!("./{}", root(arguments)),
            ])
        },
    },
    ToolRow {
        name: "why",
        about: "Show what a value comes from, through modules, variables and files, and why it is unknown if it is.",
        arguments: &[
            ROOT,
            required("address", "The address, as in module.net.output.id or aws_instance.web.ami"),
        ],
        writes: false,
        line: |arguments| {
            line(&[
                &format!("-chdir={}", root(arguments)),
                "why",
                &text(arguments, "address"),
                "--json",
            ])
        },
    },
    ToolRow {
        name: "references",
        about: "List the places that refer to one declaration, with the declaration that each belongs to, before it is changed. Without an address: all declarations and which refers to which.",
        arguments: &[
            ROOT,
            ToolArgument {
                name: "address",
                about: "The declaration, as in var.zones, local.name, aws_vpc.main or module.net.output.id",
                is_required: false,
                is_list: false,
            },
        ],
        writes: false,
        line: |arguments| match arguments.get("address").and_then(Json::as_str) {
            Some(address) => {
                line(&["graph", "--json", &format!("--references={address}"), &root(arguments)])
            }
            None => line(&["graph", "--json", &root(arguments)]),
        },
    },
    ToolRow {
        name: "schema",
        about: "Get the schema of a resource type or data source: its arguments, attributes and blocks, from the schemas that the server was started with.",
        arguments: &[
            ROOT,
            required("type", "The type, as in aws_instance, or data.aws_ami for a data source"),
        ],
        writes: false,
        line: |arguments| {
            line(&[
                &format!("-chdir={}", root(arguments)),
                "providers",
                "schema",
                "-json",
                &format!("-type={}", text(arguments, "type")),
            ])
        },
    },
    ToolRow {
        name: "list",
        about: "List all instances of resources and modules with their addresses.",
        arguments: &[ROOT],
        writes: false,
        line: |arguments| line(&["list", "--json", &root(arguments)]),
    },
    ToolRow {
        name: "edit",
        about: "Change code by path and get a unified diff; comments and layout of everything else stay. Files are written only where the server was started with --write.",
        arguments: &[
            ROOT,
            ToolArgument {
                name: "edits",
                about: "A list of edits: {\"op\": \"set\" | \"add\" | \"remove\" | \"rename\", \"path\": \"resource.aws_vpc.main.tags.Name\", \"to\": \"the new code or name\"}",
                is_required: true,
                is_list: true,
            },
        ],
        writes: true,
        // The edits are on standard input.
        line: |arguments| line(&["edit", "--diff", "--edits=-", &root(arguments)]),
    },
    ToolRow {
        name: DOCS,
        about: "Read the manual's page about a function or a kind of block, with examples.",
        arguments: &[required("subject", "The name, as in cidrsubnet or resource")],
        writes: false,
        line: |_| Vec::new(),
    },
    ToolRow {
        name: MORE,
        about: "Get the next part of an answer that was too long.",
        arguments: &[required("handle", "The handle under \"more\" of the last part")],
        writes: false,
        line: |_| Vec::new(),
    },
];

impl ToolRow {
    /// Returns the JSON Schema of the tool's arguments, an object.
    pub(crate) fn input(&self) -> Map<String, Json> {
        let mut properties = Map::new();
        for argument in self.arguments {
            let form = match argument.is_list {
                true => {
                    json!({"type": "array", "items": {"type": "object"}, "description": argument.about})
                }
                false => json!({"type": "string", "description": argument.about}),
            };
            properties.insert(argument.name.to_owned(), form);
        }
        let required: Vec<&str> =
            self.arguments.iter().filter(|one| one.is_required).map(|one| one.name).collect();
        let schema = json!({
            "type": "object", "properties": properties, "required": required, "additionalProperties": false,
        });
        schema.as_object().cloned().unwrap_or_default()
    }

    /// Returns the JSON Schema of an answer, the same for every tool.
    pub(crate) fn output() -> Map<String, Json> {
        let schema = json!({
            "type": "object",
            "properties": {
                "answer": {"description": "The document of the command of that name."},
                "text": {"type": "string", "description": "A text, or a part of a long document."},
                "more": {"type": "string", "description": "The handle of the rest, for the tool more."},
                "bytes_left": {"type": "integer"},
                "error": {
                    "type": "object",
                    "properties": {"message": {"type": "string"}, "next": {"type": "string"}},
                    "required": ["message", "next"],
                },
            },
        });
        schema.as_object().cloned().unwrap_or_default()
    }

    /// Checks the arguments of a call of the tool: unknown or missing names and wrong types are errors.
    pub(super) fn check_arguments(&self, arguments: &Map<String, Json>) -> Result<(), String> {
        let known = |name: &String| self.arguments.iter().any(|one| one.name == name);
        if let Some(name) = arguments.keys().find(|name| !known(name)) {
            return Err(format!("{} takes no {name:?}.", self.name));
        }
        for argument in self.arguments {
            match arguments.get(argument.name) {
                None if argument.is_required => {
                    return Err(format!("{} needs {:?}.", self.name, argument.name));
                }
                Some(Json::Array(_)) if argument.is_list => {}
                Some(Json::String(_)) if !argument.is_list => {}
                None => {}
                Some(_) => {
                    let form = if argument.is_list { "a list" } else { "a string" };
                    return Err(format!("{:?} must be {form}.", argument.name));
                }
            }
        }
        Ok(())
    }

    /// Returns the names of the tool's arguments, for messages: quoted, with the optional ones marked.
    pub(super) fn argument_names(&self) -> String {
        let names = self.arguments.iter().map(|one| match one.is_required {
            true => format!("{:?}", one.name),
            false => format!("{:?} if need be", one.name),
        });
        names.collect::<Vec<_>>().join(", ")
    }
}
