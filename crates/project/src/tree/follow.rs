//! The directory of a called module: what the call names as its source, and where that is. A call that cannot be followed is
//! reported, and its module is absent.

use std::sync::Arc;

use groma_config::{literal_text, path, sentence};
use groma_module::declare::{Expression, ModuleCall, problem_of_version, unreadable_version};
use groma_runtime::{EntryKind, HostError};
use groma_syntax::{Diagnostic, Diagnostics, Place};
use groma_value::{Mark, Type, Value};

use super::early::{self, EarlyValues};
use super::manifest::RemoteCall;
use super::mapping::AppliedMapping;
use super::source::{self, SourceKind};
use super::{ModuleId, SourceEvaluator, TreeLinker, TreeModule, fixed};
use crate::codes;

/// A module call whose source is being resolved to a directory.
struct FollowedCall<'m> {
    at: ModuleId,
    declared: &'m ModuleCall,
    source: &'m Expression,
    /// The values of the calling module that are known before evaluation, if the edition finds modules by them.
    early: Option<Arc<EarlyValues>>,
    place: Place,
}

/// The directory of a called module: its file path, and its path relative to the root module.
pub(super) struct ModuleDirectory {
    pub(super) dir: String,
    /// The directory relative to the root module: the value of `path.module`.
    pub(super) seen: String,
}

impl TreeLinker<'_, '_> {
    /// Loads the module of a call, whose source `compute` evaluates if it is not a literal; `None` if it cannot be read, which is
    /// reported.
    pub(super) fn follow(
        &mut self,
        at: ModuleId,
        call: u32,
        compute: &SourceEvaluator<'_>,
        out: &mut Diagnostics,
    ) -> Option<TreeModule> {
        let module = self.nodes[at.0 as usize].module.clone();
        let declared = &module.calls[call as usize];
        let source = declared.source.as_ref()?;
        let early = self.nodes[at.0 as usize].early.clone();
        let followed = FollowedCall { at, declared, source, early, place: source.place() };
        let text = self.source_text(&followed, compute, out)?;
        let directory = self.directory(&followed, &text, compute, out)?;
        self.open(at, call, directory, followed.place, out)
    }

    /// Returns the text of a call's source, which `compute` evaluates if it is not a literal; `None` if it is unknown or no text,
    /// which is reported.
    fn source_text(
        &mut self,
        call: &FollowedCall<'_>,
        compute: &SourceEvaluator<'_>,
        out: &mut Diagnostics,
    ) -> Option<String> {
        let name = &*call.declared.name;
        let value = self.source_value(call, compute, out)?;
        if self.computed_sources
            && let Some(problem) = value.as_ref().and_then(no_source)
        {
            let detail = format!("The source of module \"{name}\" has to be a string: {problem}.");
            self.report(Diagnostic::error(&codes::MODULE_SOURCE, detail), call.place, out);
            return None;
        }
        if let Some(text) = value.as_ref().and_then(text_of) {
            return Some(text);
        }
        if !self.computed_sources {
            let detail = "The source of a module has to be a literal string here: it is read before variables and local values have values. Only OpenTofu evaluates sources.";
            self.report(Diagnostic::error(&codes::MODULE_SOURCE, detail), call.place, out);
            return None;
        }
        let detail =
            format!("The source of module \"{name}\" is unknown, so its outputs are unknown.");
        let problem = match self.judging {
            true => Diagnostic::error(&codes::MODULE_SOURCE, detail),
            false => Diagnostic::warning(&codes::MODULE_SOURCE, detail),
        };
        self.report(problem, call.place, out);
        None
    }

    /// Returns the value of a call's source, `None` inside if it has no value before evaluation; `None` outside if an error was
    /// reported.
    fn source_value(
        &mut self,
        call: &FollowedCall<'_>,
        compute: &SourceEvaluator<'_>,
        out: &mut Diagnostics,
    ) -> Option<Option<Value>> {
        let constant = call.source.constant();
        match (&call.early, constant) {
            (Some(early), _) => {
                let text = self.early_text(early, call.source, early::no_source, out)?;
                Some(Some(Value::text(text)))
            }
            (None, None) if self.computed_sources => {
                let mut found = Diagnostics::new();
                if fixed::check(&self.nodes, call.at, call.source, &mut found) {
                    return Some(compute(&self.nodes, call.at, call.source, out));
                }
                for problem in found {
                    let place = problem.place.unwrap_or(call.place);
                    self.report(problem, place, out);
                }
                None
            }
            (None, constant) => Some(constant),
        }
    }

    /// Returns the directory of a module source: that of a source mapping, a local path, or where a remote module is
    /// installed; `None` after an error was reported.
    fn directory(
        &mut self,
        call: &FollowedCall<'_>,
        text: &str,
        compute: &SourceEvaluator<'_>,
        out: &mut Diagnostics,
    ) -> Option<ModuleDirectory> {
        let version = self.selected_version(call);
        if let Some(found) = self.mappings.find(text, version.as_deref()) {
            return self.mapped(call, text, found, out);
        }
        let wanted = self.set_version(call, compute);
        match SourceKind::parse(text) {
            SourceKind::Wrong(detail) => {
                self.report(Diagnostic::error(&codes::MODULE_SOURCE, detail), call.place, out);
                None
            }
            SourceKind::Local(local) => Some(self.local(call, &local, wanted, out)),
            SourceKind::Remote => {
                self.check_remote_version(call, text, wanted, out)?;
                self.installed(call, text, version, out)
            }
        }
    }

    /// Returns the version constraint of a call, by which source mappings and installed modules are selected; `None` if the
    /// call has none or it is unknown.
    fn selected_version(&self, call: &FollowedCall<'_>) -> Option<String> {
        let version = call.declared.version.as_ref()?;
        match &call.early {
            Some(early) => {
                let found = early.evaluate(version, &self.context, &mut Diagnostics::new());
                early::text(&found).ok()
            }
            None => literal_text(&version.expr),
        }
    }

    /// Returns the version argument that a call sets; `None` if it is missing, null or, in editions that compute sources, not
    /// known. Where nothing is evaluated before the rest, any argument counts.
    fn set_version<'m>(
        &self,
        call: &FollowedCall<'m>,
        compute: &SourceEvaluator<'_>,
    ) -> Option<&'m Expression> {
        let silent = &mut Diagnostics::new();
        call.declared.version.as_ref().filter(|version| match &call.early {
            Some(early) => !early.evaluate(version, &self.context, silent).is_null(),
            None if self.computed_sources => compute(&self.nodes, call.at, version, silent)
                .is_some_and(|value| value.is_known() && !value.is_null()),
            None => true,
        })
    }

    /// Returns the directory that a source mapping gives for a module source; `None` if it does not exist, which is reported.
    fn mapped(
        &mut self,
        call: &FollowedCall<'_>,
        text: &str,
        found: AppliedMapping<'_>,
        out: &mut Diagnostics,
    ) -> Option<ModuleDirectory> {
        if self.may_be_read(&found.dir) {
            let seen = path::relative(&self.nodes[0].dir, &found.dir);
            return Some(ModuleDirectory { dir: found.dir, seen });
        }
        let (origin, dir) = (&found.row.origin, &found.dir);
        let detail = format!(
            "{origin} gives the folder \"{dir}\" for \"{text}\", but there is no such directory."
        );
        self.report(Diagnostic::error(&codes::MODULE_NOT_FOUND, detail), call.place, out);
        None
    }

    /// Returns true if a directory exists, or lies outside of those that the host lets the engine read, which is reported
    /// later.
    fn may_be_read(&self, dir: &str) -> bool {
        let kind = self.loader.host.kind(dir);
        matches!(kind, Ok(EntryKind::Directory) | Err(HostError::Outside))
    }

    /// Returns the directory of a local path; reports the version argument `wanted`, since a local path has no versions.
    fn local(
        &mut self,
        call: &FollowedCall<'_>,
        local: &str,
        wanted: Option<&Expression>,
        out: &mut Diagnostics,
    ) -> ModuleDirectory {
        if let Some(version) = wanted {
            let detail = "A local path has no versions: remove the argument \"version\".";
            let diagnostic = Diagnostic::error(&codes::MODULE_SOURCE, detail)
                .note_at("It is set here.", version.place());
            self.report(diagnostic, call.place, out);
        }
        let node = &self.nodes[call.at.0 as usize];
        ModuleDirectory { dir: path::join(&node.dir, local), seen: path::join(&node.at, local) }
    }

    /// Checks the `version` argument `wanted` of a call with the remote source `text`: only registries have versions; `None` if
    /// an error was reported.
    fn check_remote_version(
        &mut self,
        call: &FollowedCall<'_>,
        text: &str,
        wanted: Option<&Expression>,
        out: &mut Diagnostics,
    ) -> Option<()> {
        if let Some(version) = wanted.filter(|_| !source::is_in_registry(text)) {
            let mut detail = format!(
                "\"{text}\" is not the address of a module in a registry (NAMESPACE/NAME/SYSTEM), and only these have versions: remove the argument \"version\"."
            );
            if source::address(text).starts_with("git::") {
                detail += " A tag or branch of a repository is selected at the end of the source, as in \"?ref=v1.0\".";
            }
            let diagnostic = Diagnostic::error(&codes::MODULE_SOURCE, detail)
                .note_at("It is set here.", version.place());
            self.report(diagnostic, call.place, out);
            return None;
        }
        if let (Some(early), Some(version)) = (&call.early, &call.declared.version)
            && version.constant().is_none_or(|value| !value.is_null())
        {
            let text = self.early_text(early, version, unreadable_version, out)?;
            if let Some(problem) = problem_of_version(&text, version.place()) {
                self.report(problem, version.place(), out);
                return None;
            }
        }
        Some(())
    }

    /// Returns the directory in which a remote module is installed, and records its source `text` and `version` constraint for
    /// installers; `None` if it is not installed.
    fn installed(
        &mut self,
        call: &FollowedCall<'_>,
        text: &str,
        version: Option<String>,
        out: &mut Diagnostics,
    ) -> Option<ModuleDirectory> {
        let name = &*call.declared.name;
        let node = &self.nodes[call.at.0 as usize];
        let mut names: Vec<&str> = node.path.names().iter().map(|name| &**name).collect();
        names.push(name);
        let key = names.join(".");
        let found = self.manifest.find(&key);
        self.remote.push(RemoteCall {
            key,
            source: text.to_owned(),
            version: version.clone(),
            place: call.place,
            is_installed: false,
        });
        let Some(found) = found else {
            let detail = format!(
                "Module \"{name}\" comes from \"{text}\" and is not installed here, so its outputs are \
                 unknown. Download it with `groma get` or init, or give its folder with --module \
                 'SOURCE=DIR'."
            );
            let problem = Diagnostic::warning(&codes::MODULE_NOT_INSTALLED, detail);
            self.report(problem, call.place, out);
            return None;
        };
        let dir = path::join(&self.nodes[0].dir, &found.dir);
        let misfit = found.misfit(text, version.as_deref()).map(|misfit| (misfit, call.place));
        let problem = misfit.or_else(|| {
            let detail = format!("was installed in \"{dir}\", but there is no such directory");
            (!self.may_be_read(&dir)).then_some((detail, call.declared.place))
        });
        if let Some((problem, place)) = problem {
            let detail = format!(
                "Module \"{name}\" {problem}. It is not read, so its outputs are unknown: run init again, or give its folder with --module 'SOURCE=DIR'."
            );
            self.report(Diagnostic::error(&codes::MODULE_OUTDATED, detail), place, out);
            return None;
        }
        let seen = path::normal(&found.dir);
        if let Some(call) = self.remote.last_mut() {
            call.is_installed = true;
        }
        Some(ModuleDirectory { dir, seen })
    }
}

/// Returns the reason why a value cannot be a module source; `None` if it can.
fn no_source(value: &Value) -> Option<String> {
    let (bare, marks) = value.unmark();
    if marks.contains(&Mark::Sensitive) {
        return Some(
            "this is a sensitive value, but the source of a module cannot be hidden".to_owned(),
        );
    }
    if marks.contains(&Mark::Ephemeral) {
        return Some(
            "this is an ephemeral value, but the source of a module has to be stored".to_owned(),
        );
    }
    match groma_value::convert(&bare, &Type::String) {
        Ok(Value::Null(_)) => Some("this is null".to_owned()),
        Ok(_) => None,
        Err(why) => Some(sentence(&why)),
    }
}

/// Returns the text of a string value, without its marks; `None` for other values.
fn text_of(value: &Value) -> Option<String> {
    match value.bare() {
        Value::String(text) => Some(text.to_string()),
        _ => None,
    }
}
