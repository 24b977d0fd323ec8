//! Root names of a template: `var`, `local`, `data`, `path`, `packer`, and `source` and `build`, which are known only inside a
//! build.

use std::sync::Arc;

use groma_config::did_you_mean;
use groma_eval::{
    CauseAddress, CauseClass, LookupResult, ProviderName, Reference, Scope, Step, UndefinedName,
};
use groma_value::{Causes, Str, Type, Value};

use super::order::TemplateCell;
use super::{SettledCell, TemplateState};

/// The root names that the expressions of every template may use; `data` is added if there are data blocks.
const ROOTS: [&str; 6] = ["build", "local", "packer", "path", "source", "var"];

/// The attributes of `build` besides its name, which are known only while the build runs.
pub(crate) const OF_BUILDS: [&str; 14] = [
    "ConnType",
    "Host",
    "ID",
    "PackerHTTPAddr",
    "PackerHTTPIP",
    "PackerHTTPPort",
    "PackerRunUUID",
    "Password",
    "Port",
    "SSHPrivateKey",
    "SSHPrivateKeyFile",
    "SSHPublicKey",
    "User",
    "WinRMPassword",
];

/// The source and the build to which the names `source` and `build` refer in an expression.
#[derive(Clone, Default, Debug)]
pub(crate) struct SourceScope {
    /// The type and name of the source.
    pub(crate) source: Option<(Str, Str)>,
    /// The build.
    pub(crate) build: OwnBuild,
}

/// The build to which the name `build` refers in an expression: none, one of which only the name is known, or one whose other
/// attributes are unknown until it runs.
#[derive(Clone, Default, Debug)]
pub(crate) enum OwnBuild {
    /// No build.
    #[default]
    Unsettled,
    /// Only its name is known.
    Named(Str),
    /// Its name is known, and its attributes are unknown until it runs; a plugin's builder may have more of them.
    Running { name: Str, is_open: bool },
}

/// The scope of a template's expressions: its declarations, `path`, `packer`, `source` and `build`.
pub(crate) struct TemplateRoots {
    pub(crate) world: Arc<TemplateState>,
    pub(crate) own: SourceScope,
    /// True if missing names have not been reported yet.
    pub(crate) asking: bool,
}

impl Scope for TemplateRoots {
    fn lookup(&self, reference: &Reference) -> LookupResult {
        let step = |at: usize| match reference.steps.get(at) {
            Some(Step::Attribute(name) | Step::Index(Value::String(name))) => Some(name),
            _ => None,
        };
        match &*reference.root {
            "var" => self.variable(step(0)),
            "local" => self.local(step(0)),
            "data" => self.data(step(0), step(1)),
            "path" => LookupResult::root(self.path()),
            "packer" => LookupResult::root(self.packer()),
            "source" => LookupResult::root(self.source()),
            "build" => self.build(step(0)),
            _ => LookupResult::Undefined(UndefinedName::default()),
        }
    }

    fn root_names(&self) -> Vec<Arc<str>> {
        let mut names: Vec<Arc<str>> = ROOTS.iter().map(|root| Arc::from(*root)).collect();
        if !self.world.template.data.is_empty() {
            names.insert(1, "data".into());
        }
        names
    }

    fn provider(&self, _: &str) -> ProviderName {
        ProviderName::Undeclared(None)
    }
}

/// Creates the result of looking up a name that an expression cannot use in its position; `detail` is the message.
fn refused(detail: &str) -> LookupResult {
    LookupResult::Undefined(UndefinedName {
        detail: Some(detail.to_owned()),
        steps: 1,
        reported: false,
    })
}

/// Creates an unknown value of a type with the given causes.
fn unknown(ty: Type, causes: &Causes) -> Value {
    Value::unknown_because(ty, causes.clone())
}

impl TemplateRoots {
    /// Looks up the object `var`, or the variable `name`.
    fn variable(&self, name: Option<&Str>) -> LookupResult {
        let variables = &self.world.template.variables;
        let at = name.and_then(|name| variables.binary_search_by(|v| v.name.cmp(name)).ok());
        if let Some(value) = at.and_then(|at| self.world.variable(at)) {
            return LookupResult::Found { value: value.clone(), used: 1 };
        }
        if let Some(name) = name.filter(|_| at.is_none()) {
            let near = did_you_mean(name, variables.iter().map(|variable| &*variable.name));
            let hint = match near.is_empty() {
                true => format!(" Declare it with variable \"{name}\" {{}}."),
                false => near,
            };
            return refused(&format!("The template declares no variable \"{name}\".{hint}"));
        }
        let values = variables.iter().enumerate().filter_map(|(at, variable)| {
            Some((variable.name.clone(), self.world.variable(at)?.clone()))
        });
        LookupResult::root(Value::object(values))
    }

    /// Looks up the object `local`, or the local value `name`.
    fn local(&self, name: Option<&Str>) -> LookupResult {
        let world = &self.world;
        let at = name.and_then(|name| world.local(name));
        if let Some(settled) = at.and_then(|at| world.settled(TemplateCell::Local(at))) {
            return self.found(settled, 1);
        }
        if at.is_some() && self.asking && !world.is_ordered() {
            let detail = "No local value could be evaluated, because they cannot be ordered: see the errors in their declarations.";
            let detail = Some(detail.to_owned());
            return LookupResult::Undefined(UndefinedName { detail, steps: 1, reported: false });
        }
        let values = world.template.locals.iter().enumerate().filter_map(|(at, local)| match world
            .settled(
            TemplateCell::Local(at),
        )? {
            SettledCell::Value(value) => Some((local.name.clone(), value.clone())),
            SettledCell::Failed => None,
        });
        LookupResult::root(Value::object(values))
    }

    /// Converts the result of a local value or data block to the result of a lookup that used `used` steps of the reference.
    fn found(&self, settled: &SettledCell, used: usize) -> LookupResult {
        match settled {
            SettledCell::Value(value) => LookupResult::Found { value: value.clone(), used },
            SettledCell::Failed => {
                let detail = "It could not be evaluated: see the error in its declaration.";
                LookupResult::Undefined(UndefinedName {
                    detail: Some(detail.to_owned()),
                    steps: used,
                    reported: !self.asking,
                })
            }
        }
    }

    /// Looks up the object `data`, the data blocks of a type, or one data block.
    fn data(&self, kind: Option<&Str>, name: Option<&Str>) -> LookupResult {
        let world = &self.world;
        let all = &world.template.data;
        if all.is_empty() {
            return LookupResult::Undefined(UndefinedName::default());
        }
        if let (Some(kind), Some(name)) = (kind, name) {
            let at = world.template.data_at(kind, name);
            if let Some(settled) = at.and_then(|at| world.settled(TemplateCell::Data(at))) {
                return self.found(settled, 2);
            }
        }
        let mut kinds: Vec<(Str, Vec<(Str, Value)>)> = Vec::new();
        for (at, data) in all.iter().enumerate() {
            let Some(SettledCell::Value(value)) = world.settled(TemplateCell::Data(at)) else {
                continue;
            };
            let entry = (data.name.clone(), value.clone());
            match kinds.last_mut() {
                Some((kind, entries)) if *kind == data.kind => entries.push(entry),
                _ => kinds.push((data.kind.clone(), vec![entry])),
            }
        }
        let kinds = kinds.into_iter().map(|(kind, entries)| (kind, of_one_type(entries)));
        LookupResult::root(Value::object(kinds))
    }

    /// Returns the object `path`: the template's folder and the current folder.
    fn path(&self) -> Value {
        let world = &self.world;
        let cwd = world.options.cwd.clone().unwrap_or_else(|| world.template.host.current_dir());
        let root = Value::text(&*world.template.folder);
        Value::object([("cwd".into(), Value::text(cwd)), ("root".into(), root)])
    }

    /// Returns the object `packer` with Packer's version.
    fn packer(&self) -> Value {
        let version = self.world.template.edition.version.to_string();
        let place = |name: &str| {
            let causes = self.world.cause(
                CauseClass::Offline,
                "registry",
                CauseAddress::other(format!("packer.{name}")),
                None,
            );
            (Str::from(name), unknown(Type::String, &causes))
        };
        Value::object([
            place("iterationID"),
            ("version".into(), Value::text(version)),
            place("versionFingerprint"),
        ])
    }

    /// Returns the object `source` with the name and type of the current source; unknown outside of builds.
    fn source(&self) -> Value {
        let (kind, name) = match &self.own.source {
            Some((kind, name)) => (Value::String(kind.clone()), Value::String(name.clone())),
            None => {
                let causes = self.world.cause(
                    CauseClass::Pending,
                    "source",
                    CauseAddress::other("source"),
                    None,
                );
                (unknown(Type::String, &causes), unknown(Type::String, &causes))
            }
        };
        Value::object([("name".into(), name), ("type".into(), kind)])
    }

    /// Looks up the object `build`, or one of its attributes.
    fn build(&self, step: Option<&Str>) -> LookupResult {
        let told_later = |name: &str| {
            self.world.cause(
                CauseClass::Pending,
                "build",
                CauseAddress::other(format!("build.{name}")),
                None,
            )
        };
        let (name, is_open) = match &self.own.build {
            OwnBuild::Unsettled if step.is_some() => {
                let detail = "build can be used only in provisioners and post-processors.";
                return refused(detail);
            }
            OwnBuild::Named(_) if step.is_some_and(|step| &**step != "name") => {
                let detail = "Settings are read before the build, so they can use only build.name.";
                return refused(detail);
            }
            OwnBuild::Unsettled => {
                let causes = self.world.cause(
                    CauseClass::Pending,
                    "build",
                    CauseAddress::other("build"),
                    None,
                );
                return LookupResult::root(unknown(Type::object([]), &causes));
            }
            OwnBuild::Named(name) => {
                let name = Value::String(name.clone());
                return LookupResult::root(Value::object([("name".into(), name)]));
            }
            OwnBuild::Running { name, is_open } => (name, *is_open),
        };
        if let Some(step) = step
            && is_open
            && &**step != "name"
            && !OF_BUILDS.contains(&&**step)
        {
            let value = unknown(Type::Dynamic, &told_later(step));
            return LookupResult::Found { value, used: 1 };
        }
        let later =
            OF_BUILDS.iter().map(|of| (Str::from(*of), unknown(Type::String, &told_later(of))));
        let name = std::iter::once((Str::from("name"), Value::String(name.clone())));
        LookupResult::root(Value::object(later.chain(name)))
    }
}

/// Returns the data blocks of one type by name, as a map if their values have the same type and as an object otherwise.
fn of_one_type(entries: Vec<(Str, Value)>) -> Value {
    let first = entries.first().map(|(_, value)| value.ty());
    match first {
        Some(ty) if ty != Type::Dynamic && entries.iter().all(|(_, value)| value.ty() == ty) => {
            Value::map(ty, entries)
        }
        _ => Value::object(entries),
    }
}
