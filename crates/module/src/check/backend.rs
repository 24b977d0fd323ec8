//! The backend of a root module, for whoever is to carry something out: whether there is such a kind,
//! and whether what it is told is written out.

use groma_folder::{RawBlock, did_you_mean};
use groma_syntax::{Diagnostic, Diagnostics};

use crate::codes;
use crate::declare::{Expression, Gatherer, Settings};

/// The kinds of backends that the programs have.
pub const KINDS: [&str; 12] = [
    "azurerm",
    "consul",
    "cos",
    "gcs",
    "http",
    "inmem",
    "kubernetes",
    "local",
    "oss",
    "pg",
    "remote",
    "s3",
];
/// What the local one may be told.
pub const LOCAL: [&str; 2] = ["path", "workspace_dir"];

/// Whether there is such a backend: all that a check can know.
pub fn check_kind(settings: &Settings, out: &mut Diagnostics) {
    for backend in settings.blocks.iter().flat_map(|block| block.blocks_of("backend")) {
        is_known(backend, out);
    }
}

fn is_known(backend: &RawBlock, out: &mut Diagnostics) -> bool {
    let kind = backend.label(0);
    let known = KINDS.contains(&kind);
    if !known {
        let hint = did_you_mean(kind, KINDS);
        let detail =
            format!("There is no backend \"{kind}\"; there are {}.{hint}", KINDS.join(", "));
        out.push(Diagnostic::error(&codes::UNKNOWN_BACKEND, detail).at(backend.header));
    }
    known
}

/// Checks the backends of a root module against what is known of them.
pub fn check(settings: &Settings, gatherer: &Gatherer<'_>, out: &mut Diagnostics) {
    for backend in settings.blocks.iter().flat_map(|block| block.blocks_of("backend")) {
        let kind = backend.label(0);
        if !is_known(backend, out) {
            continue;
        }
        for argument in &backend.arguments {
            if !gatherer.conventions.computed_sources {
                let expression = Expression::new(&argument.expr, &gatherer.library);
                crate::declare::expression::check_constant(&expression, "A backend's setting", out);
            }
            let name = &*argument.name;
            if kind == "local" && !LOCAL.contains(&name) {
                let hint = did_you_mean(name, LOCAL);
                let detail = format!("The backend \"local\" has no argument \"{name}\".{hint}");
                out.push(
                    Diagnostic::error(&codes::BACKEND_ARGUMENT, detail).at(argument.name_place),
                );
            }
        }
        for block in backend.blocks.iter().filter(|_| kind == "local") {
            let detail =
                format!("The backend \"local\" has no blocks of type \"{}\".", &*block.kind);
            out.push(Diagnostic::error(&codes::BACKEND_ARGUMENT, detail).at(block.header));
        }
    }
}
