//! Module sources without a pinned version or revision: a registry module should have a version, a repository a revision. Only
//! literal sources are checked.

use groma_config::ReleaseVersion;
use groma_module::declare::ModuleCall;
use groma_project::{SourceParts, is_in_registry, source_address};
use groma_syntax::{Diagnostic, DiagnosticCode, Place};

use crate::codes;
use crate::found::RuleFindings;
use crate::subject::{LintedModule, text_of};

/// Common names of branches, which move and therefore do not pin a revision.
const BRANCHES: [&str; 4] = ["master", "main", "default", "develop"];

/// Finds calls of registry modules without a version, or without an exact one if the options require that.
pub(super) fn version(subject: &LintedModule<'_>, found: &mut RuleFindings) {
    for (call, source) in sources(subject).filter(|(_, source)| is_in_registry(source)) {
        let Some(version) = &call.version else {
            let detail = format!(
                "Every `init` takes the newest version of \"{source}\", even one with breaking changes. Write `version`, such as \"~> 1.0\"."
            );
            report(&codes::MODULE_WITHOUT_VERSION, detail, call.place, found);
            continue;
        };
        if !subject.options().wants_exact_version {
            continue;
        }
        let text = version.constant().as_ref().and_then(text_of).map(str::to_owned);
        if text.as_deref().is_some_and(|text| !is_exact(text)) {
            let detail = "This allows several versions, but the settings require exactly one. Write it, such as \"1.2.3\".";
            report(&codes::MODULE_WITHOUT_VERSION, detail.to_owned(), version.place(), found);
        }
    }
}

/// Returns true if a version constraint allows exactly one version.
fn is_exact(text: &str) -> bool {
    let version = text.trim().trim_start_matches('=').trim();
    let numbers = version.split(['-', '+']).next().unwrap_or(version);
    ReleaseVersion::read(version).is_some() && numbers.split('.').count() == 3
}

/// Finds module sources in git or Mercurial repositories without a pinned revision.
pub(super) fn revision(subject: &LintedModule<'_>, found: &mut RuleFindings) {
    let options = subject.options();
    for repository in repositories(subject) {
        let RepositorySource { source, place, argument, revision, .. } = repository;
        let Some(revision) = revision else {
            let detail = format!(
                "\"{source}\" is whatever is there at the time of `init`. Add a tag or a commit: ?{argument}=…"
            );
            report(&codes::UNPINNED_SOURCE, detail, place, found);
            continue;
        };
        let is_branch =
            BRANCHES.contains(&revision.as_str()) || options.branches.contains(&revision);
        let detail = if options.wants_version_tag {
            let is_version = ReleaseVersion::read(&revision).is_some();
            (!is_version).then(|| {
                format!("\"{revision}\" is not a version, and the settings require one, such as \"v1.2.3\".")
            })
        } else {
            is_branch.then(|| {
                format!("\"{revision}\" is a branch, so `init` takes whatever is there at the time. Give a tag or a commit.")
            })
        };
        if let Some(detail) = detail {
            report(&codes::UNPINNED_SOURCE, detail, place, found);
        }
    }
}

/// Finds git sources of modules for which `depth=1` would avoid cloning the whole history. A commit cannot be fetched without it.
pub(super) fn clone(subject: &LintedModule<'_>, found: &mut RuleFindings) {
    for repository in repositories(subject).filter(|one| one.argument == "ref") {
        let RepositorySource { source, place, revision, is_shallow, .. } = repository;
        // A commit cannot be fetched without its history.
        let is_commit = |text: &str| text.len() >= 7 && text.bytes().all(|b| b.is_ascii_hexdigit());
        if !is_shallow && revision.is_some_and(|revision| !is_commit(&revision)) {
            let detail = format!("The whole history is cloned. Write \"{source}&depth=1\".");
            report(&codes::FULL_CLONE, detail, place, found);
        }
    }
}

/// The source of a module call in a git or Mercurial repository, with its revision.
struct RepositorySource {
    source: String,
    place: Place,
    /// The query argument for the revision: `ref` or `rev`.
    argument: &'static str,
    revision: Option<String>,
    /// True if a `depth` is given.
    is_shallow: bool,
}

/// Returns the literal module sources that are in git or Mercurial repositories.
fn repositories<'s>(subject: &'s LintedModule<'_>) -> impl Iterator<Item = RepositorySource> + 's {
    sources(subject).filter_map(|(call, source)| {
        let long = source_address(&source);
        let argument = match long.split(':').next() {
            Some("git") => "ref",
            Some("hg") => "rev",
            _ => return None,
        };
        let query = SourceParts::of(&long).query.unwrap_or_default().to_owned();
        let asked = |name: &str| {
            let mut pairs = query.split('&').filter_map(|pair| pair.split_once('='));
            pairs
                .find(|(own, value)| *own == name && !value.is_empty())
                .map(|(_, value)| value.to_owned())
        };
        let revision = asked(argument);
        let is_shallow = asked("depth").is_some();
        let place = call.source.as_ref()?.place();
        Some(RepositorySource { source, place, argument, revision, is_shallow })
    })
}

/// Returns each module call whose source is a literal string, with that string.
fn sources<'s>(subject: &'s LintedModule<'_>) -> impl Iterator<Item = (&'s ModuleCall, String)> {
    subject.module.calls.iter().filter_map(|call| {
        let source = call.source.as_ref()?.constant();
        Some((&**call, text_of(source.as_ref()?)?.to_owned()))
    })
}

/// Adds a lint warning with the given code and message at a place.
fn report(code: &'static DiagnosticCode, detail: String, place: Place, found: &mut RuleFindings) {
    found.push(Diagnostic::warning(code, detail).at(place));
}
