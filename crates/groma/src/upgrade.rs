//! Upgrade of a module call to another source or version, without changing a file: a host returns the edited code. Nothing is
//! downloaded, so the other version has to be available.

use std::sync::Arc;

use groma_config::{DeclarationAddress, without_keys};
use groma_edit::{Edit, EditOp, EditRefusal, SourceText, apply};
use groma_module::visit::Declaration;
use groma_project::Project;
use groma_runtime::{Host, OverlayHost, Texts, absolute, file_path};
use groma_value::Value;

use crate::edit::language;

/// A request to change the version or source of a module call.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ModuleUpgrade {
    /// The address of the call, without keys.
    pub call: String,
    /// The requested version, a directory that begins with `.` or `/`, or another source.
    pub to: String,
}

/// The result of an upgrade: a host that returns the edited file of the module call, and the call's source before the edit.
pub struct UpgradedCall {
    /// The host with the edited file.
    pub host: Arc<dyn Host>,
    /// The source of the call before the edit.
    pub source: String,
}

impl ModuleUpgrade {
    /// Parses a request of the form `module.NAME=VERSION`, with a directory or a source in place of the version if wanted.
    ///
    /// # Errors
    /// If the text has another form; the error is a sentence.
    pub fn read(text: &str) -> Result<ModuleUpgrade, String> {
        let (call, to) = text.split_once('=').unwrap_or((text, ""));
        let call = without_keys(call.trim());
        let is_call = call.split("module.").skip(1).all(|name| !name.is_empty());
        let is_written = |c: char| !c.is_control() && !matches!(c, '"' | '\\' | '$' | '%' | ' ');
        if !call.starts_with("module.") || !is_call || to.is_empty() || !to.chars().all(is_written)
        {
            return Err(format!(
                "--upgrade takes a call and a version or a folder, as in --upgrade module.vpc=6.0.0, not \"{text}\"."
            ));
        }
        Ok(ModuleUpgrade { call, to: to.to_owned() })
    }

    /// Returns true if the request is for a local directory, which begins with `.` or `/`.
    pub fn is_folder(&self) -> bool {
        self.to == "."
            || self.to == ".."
            || ["./", "../", "/"].iter().any(|start| self.to.starts_with(start))
    }

    /// Edits the source or version of the module call in the code of a project that was loaded from `host`, in memory.
    /// Directories are relative to the host's current one.
    ///
    /// # Errors
    /// If there is no such call or it cannot be changed this way; the error is a sentence.
    pub fn apply(&self, project: &Project, host: &Arc<dyn Host>) -> Result<UpgradedCall, String> {
        let call = &self.call;
        let absent = || format!("the code in \"{}\" has no call {call}.", project.dir());
        let address = DeclarationAddress::parse(call).ok_or_else(absent)?;
        let (node, declaration) = project.declared(&address).ok_or_else(absent)?;
        let Declaration::Call(at) = declaration else { return Err(absent()) };
        let written = &node.module().calls[at as usize];
        let name = &*written.name;
        let source = written.source.as_ref().and_then(|source| match source.constant()?.bare() {
            Value::String(text) => Some(text.to_string()),
            _ => None,
        });
        let Some(source) = source else {
            return Err(format!(
                "The source of {call} is not a literal string, so it cannot be changed here."
            ));
        };
        let place = project.sources().resolve(declaration.place(node.module()));
        let file = project.sources().at(place).0;
        let edits = self.edits(name, &source, written.version.is_some(), file.name())?;
        let text = SourceText { name: file.name().to_owned(), text: file.text().clone() };
        let changed = apply(&[text], &edits, language()).map_err(|EditRefusal(why)| why)?;
        let texts = changed
            .into_iter()
            .map(|one| (absolute(&**host, file.name()), Arc::from(one.text.into_bytes())));
        let texts: Texts = texts.collect();
        let host: Arc<dyn Host> =
            Arc::new(OverlayHost { below: host.clone(), texts: Arc::new(texts) });
        Ok(UpgradedCall { host, source })
    }

    /// Returns the edits of the `source` and `version` arguments of the module call `name` in the file `file`; `source` is
    /// its old source, `has_version` is true if it has a `version` so far, and the error is a sentence.
    fn edits(
        &self,
        name: &str,
        source: &str,
        has_version: bool,
        file: &str,
    ) -> Result<Vec<Edit>, String> {
        let edit = |op, argument: &str, to: Option<String>| -> Result<Edit, String> {
            let path = format!("module.{name}.{argument}");
            Edit::new(op, &path, to.as_deref()).map_err(|EditRefusal(why)| why)
        };
        let quoted = |text: &str| Some(format!("\"{text}\""));
        let is_source = self.to.contains('/') || self.to.contains(':');
        if self.is_folder() || is_source {
            let to = match self.is_folder() && !self.to.starts_with('/') {
                true => {
                    match file_path::relative(&file_path::parent(file), &file_path::clean(&self.to))
                    {
                        way if way.starts_with("..") => way,
                        way => format!("./{way}"),
                    }
                }
                false => self.to.clone(),
            };
            let mut edits = vec![edit(EditOp::Set, "source", quoted(&to))?];
            if has_version {
                edits.push(edit(EditOp::Remove, "version", None)?);
            }
            return Ok(edits);
        }
        if source.starts_with('.') {
            return Err(format!(
                "{} is called by a local path, {source}, and has no version: give a folder.",
                self.call
            ));
        }
        if let Some((before, after)) = source.split_once("ref=") {
            let rest = after.find('&').map_or("", |at| &after[at..]);
            return Ok(vec![edit(
                EditOp::Set,
                "source",
                quoted(&format!("{before}ref={}{rest}", self.to)),
            )?]);
        }
        if source.contains(':') {
            return Err(format!(
                "The source of {}, {source}, contains no version to replace: give a complete source.",
                self.call
            ));
        }
        let op = if has_version { EditOp::Set } else { EditOp::Add };
        Ok(vec![edit(op, "version", quoted(&self.to))?])
    }
}
