//! Lines that an editor shows above the code: the inputs of a root, and the instances of what is repeated.

use groma::hosts::file_path;
use groma::place::DeclarationId;
use groma_syntax::Span;

use crate::request::Request;

/// A line above a part of the code.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CodeLens {
    /// The part of the code: a header, or the beginning of a file.
    pub span: Span,
    /// The words of the line; nothing while they are being worked out.
    pub title: Option<String>,
    /// The action of the line.
    pub action: LensAction,
}

/// The action of a line above the code.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum LensAction {
    /// Choosing the root whose values count for the file, and its inputs.
    ChooseInputs {
        /// The folder of the root that counts now.
        root: String,
    },
    /// Showing the instances of a declaration.
    ShowInstances {
        /// The declaration.
        subject: DeclarationId,
    },
}

/// The lines above the code of a file, by place.
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

/// Instances of a module whose instances are counted.
const MAX_MODULES: usize = 100;

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

/// The root and the files of values that count.
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
