//! The commands, one file each, and the table of all of them.

mod ast;
mod batch;
mod builds;
pub(crate) mod check;
mod compat;
mod completions;
pub(crate) mod console;
#[cfg(feature = "git")]
pub(crate) mod diff;
mod edit;
mod eval;
#[cfg(feature = "git")]
mod fleet;
pub(crate) mod fmt;
mod functions;
#[cfg(feature = "install")]
mod get;
mod graph;
#[cfg(feature = "install")]
mod init;
mod inspect;
mod list;
#[cfg(feature = "lsp")]
mod lsp;
mod man;
#[cfg(feature = "mcp")]
mod mcp;
mod metadata;
mod mock;
mod output;
pub(crate) mod plan;
mod providers;
mod render;
pub(crate) mod row;
mod schema;
mod serve;
mod show;
mod state;
pub(crate) mod version;
mod why;
mod workspace;

pub(crate) use functions::show_page;
#[cfg(feature = "mcp")]
pub(crate) use mcp::serve_tools;
pub(crate) use row::CommandRow;

/// Every command, in the order of help.
pub(crate) const COMMANDS: &[CommandRow] = &[
    ast::COMMAND,
    check::COMMAND,
    compat::COMMAND,
    completions::COMMAND,
    console::COMMAND,
    #[cfg(feature = "git")]
    diff::COMMAND,
    edit::COMMAND,
    eval::COMMAND,
    #[cfg(feature = "git")]
    fleet::COMMAND,
    fmt::COMMAND,
    functions::COMMAND,
    #[cfg(feature = "install")]
    get::COMMAND,
    graph::COMMAND,
    #[cfg(feature = "install")]
    init::COMMAND,
    inspect::COMMAND,
    list::COMMAND,
    #[cfg(feature = "lsp")]
    lsp::COMMAND,
    mock::COMMAND,
    man::COMMAND,
    #[cfg(feature = "mcp")]
    mcp::COMMAND,
    metadata::COMMAND,
    output::COMMAND,
    plan::COMMAND,
    providers::COMMAND,
    render::COMMAND,
    schema::COMMAND,
    serve::COMMAND,
    show::COMMAND,
    state::COMMAND,
    version::COMMAND,
    why::COMMAND,
    workspace::COMMAND,
];

/// Aliases of commands, known from the reference programs: each alias with its command.
pub(crate) const ALIASES: &[(&str, &str)] = &[("validate", "check")];

/// Resolves an alias such as `validate` to its command's name; returns any other name unchanged.
pub(crate) fn command_name(name: &str) -> &str {
    ALIASES.iter().find(|(alias, _)| *alias == name).map_or(name, |(_, command)| command)
}

#[cfg(test)]
mod tests {
    use super::COMMANDS;

    /// Checks that each command has a manual page.
    #[test]
    fn every_command_has_a_page() {
        let pages = concat!(env!("CARGO_MANIFEST_DIR"), "/../../conformance/pages/cli");
        for command in COMMANDS {
            let page = std::path::Path::new(pages).join(command.name).with_extension("md");
            assert!(page.exists(), "{} is missing", page.display());
        }
    }

    /// Checks that the help of each command lists its exit codes.
    #[test]
    fn every_command_tells_its_exit_codes() {
        for command in COMMANDS {
            assert!(command.more.contains("Exit codes: 0 "), "{}", command.name);
        }
    }
}
