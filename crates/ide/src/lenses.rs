//! Code lenses: the inputs of a root, and the number of instances of repeated blocks.

use groma::hosts::file_path;
use groma::place::DeclarationId;
use groma_syntax::Span;

use crate::request::Request;

/// A code lens: a line that an editor shows above code.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CodeLens {
    /// The code that it belongs to: a header, or the start of a file.
    pub span: Span,
    /// The text of the line; `None` while it is being computed.
    pub title: Option<String>,
    /// The action when it is clicked.
    pub action: LensAction,
}

/// The action of the user's click on a code lens: to choose the root and its inputs, or to list the instances of a
/// declaration.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum LensAction {
    /// Lets the user choose the root that provides the file's values, and its inputs.
    ChooseInputs {
        /// The folder of the current root.
        root: String,
    },
    /// Shows the instances of a declaration.
    ShowInstances {
        /// The declaration.
        subject: DeclarationId,
    },
}

/// Returns the code lenses of a file, sorted by place.
pub fn code_lenses(request: &Request<'_>, file: &str) -> Vec<CodeLens> {
    let Some(snapshot) = request.snapshot() else { return Vec::new() };
    let sites = snapshot.declarations_in(file);
    let Some(first) = sites.first() else { return Vec::new() };
    let inputs = CodeLens {
        span: Span::at(first.place.span.start),
        title: Some(inputs_title(request)),
        action: LensAction::ChooseInputs { root: file_path::clean(snapshot.dir()) },
    };
    let mut found = vec![inputs];
    for site in sites {
        if request.token().is_over() {
            break;
        }
        let counts = snapshot.counts_of(site.id, MAX_MODULES, request.token());
        let is_repeated = snapshot.is_repeated(site.id);
        if !is_repeated {
            continue;
        }
        found.push(CodeLens {
            span: site.place.span,
            title: (!counts.is_empty()).then(|| instances_title(&counts)),
            action: LensAction::ShowInstances { subject: site.id },
        });
    }
    found
}

/// Maximum number of module instances in which a code lens counts the instances of a block; others are not counted.
const MAX_MODULES: usize = 100;

/// Returns the title of a code lens with the number of a block's instances, the sum of `counts`, which has an entry for each
/// instance of the block's module, or the words that the number is not known.
fn instances_title(counts: &[(String, Option<usize>)]) -> String {
    let known: Option<usize> = counts.iter().map(|(_, count)| *count).sum();
    let number = match known {
        Some(1) => "1 instance".to_owned(),
        Some(count) => format!("{count} instances"),
        None => "instances not known".to_owned(),
    };
    match counts.len() {
        1 => number,
        modules => format!("{number} in {modules} instances of the module"),
    }
}

/// Returns the title of a code lens with the folder of the root and the value files that it is loaded with.
fn inputs_title(request: &Request<'_>) -> String {
    let Some(snapshot) = request.snapshot() else { return String::new() };
    let mut files: Vec<String> = snapshot.value_files();
    let own = snapshot
        .file_names()
        .filter(|name| name.ends_with(".tfvars") || name.ends_with(".tfvars.json"));
    files.extend(own.map(str::to_owned));
    files.sort_unstable();
    files.dedup();
    let names: Vec<String> =
        files.iter().map(|name| file_path::relative(snapshot.dir(), name)).collect();
    let dir = file_path::last(&file_path::clean(snapshot.dir())).to_owned();
    match names.is_empty() {
        true => format!("root {dir}: no value files"),
        false => format!("root {dir}: {}", names.join(", ")),
    }
}
