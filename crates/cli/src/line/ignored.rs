//! Flags of the references that mean nothing here. They are taken, so that fingers and scripts need not learn, and said
//! to be ignored where that could matter.

/// A flag of the references that means nothing here.
#[derive(Debug)]
pub(crate) struct Ignored {
    /// Its name.
    pub name: &'static str,
    /// Whether it takes a value that may stand in the next argument.
    pub value: bool,
    /// The value with which it changes nothing there either; `None` where none does.
    harmless: Option<&'static str>,
    /// Why it is ignored, where that is worth saying.
    pub why: &'static str,
}

impl Ignored {
    /// Whether ignoring it with this value must be said.
    pub(crate) fn said(&self, value: Option<&str>) -> bool {
        self.harmless.is_some_and(|harmless| value.unwrap_or("true") != harmless)
    }

    const fn silent(name: &'static str, value: bool) -> Ignored {
        Ignored { name, value, harmless: None, why: "" }
    }
}

/// Flags that users' fingers know and that have no meaning here.
pub(crate) const IGNORED: &[Ignored] = &[
    Ignored::silent("lock", false),
    Ignored::silent("lock-timeout", true),
    Ignored::silent("input", false),
    Ignored::silent("compact-warnings", false),
    Ignored::silent("plan", false),
    Ignored::silent("backend", false),
    Ignored::silent("get", false),
    Ignored::silent("reconfigure", false),
    Ignored::silent("migrate-state", false),
    Ignored::silent("force-copy", false),
    Ignored::silent("lockfile", true),
    Ignored::silent("verify-plugins", false),
    Ignored::silent("ignore-remote-version", false),
    Ignored::silent("concise", false),
    Ignored::silent("deprecation", true),
    Ignored::silent("consolidate-warnings", false),
    Ignored::silent("consolidate-errors", false),
    Ignored::silent("test-directory", true),
    Ignored::silent("no-tests", false),
    Ignored::silent("backup", true),
    Ignored {
        name: "plugin-dir",
        value: true,
        harmless: Some(""),
        why: "no provider is run; --schema says what its resources are",
    },
    Ignored {
        name: "from-module",
        value: true,
        harmless: Some(""),
        why: "no module is copied into the folder",
    },
    Ignored {
        name: "backend-config",
        value: true,
        harmless: Some(""),
        why: "no backend is asked, and --state says where a state lies",
    },
    Ignored {
        name: "generate-config-out",
        value: true,
        harmless: Some(""),
        why: "no provider is asked, so no code can be made of what is imported",
    },
    Ignored { name: "state-out", value: true, harmless: Some(""), why: "no state is written" },
    Ignored {
        name: "json-into",
        value: true,
        harmless: Some(""),
        why: "JSON goes to standard output, with -json",
    },
    Ignored {
        name: "show-sensitive",
        value: false,
        harmless: Some("false"),
        why: "text never shows what is sensitive; -json does",
    },
    Ignored { name: "out", value: true, harmless: Some(""), why: "only plan saves a plan" },
    Ignored {
        name: "refresh",
        value: false,
        harmless: Some("true"),
        why: "only plan asks whether anything is refreshed",
    },
    Ignored { name: "state", value: true, harmless: Some(""), why: "this command asks no state" },
];
