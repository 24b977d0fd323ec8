//! Flags of the reference programs that have no effect here. They are accepted, so that scripts keep working, and reported where
//! ignoring them could matter.

/// A flag of the reference programs that Groma accepts, so that scripts keep working, but that has no effect in it.
#[derive(Debug)]
pub(crate) struct IgnoredFlag {
    /// The name without dashes.
    pub name: &'static str,
    /// True if it takes a value, possibly as the next argument.
    pub value: bool,
    /// The value with which it has no effect in the reference programs either; `None` if it is never reported.
    harmless: Option<&'static str>,
    /// The reason given when the flag is reported; empty if it never is.
    pub why: &'static str,
}

impl IgnoredFlag {
    /// Returns true if ignoring the flag with this value must be reported.
    pub(crate) fn is_reported_for(&self, value: Option<&str>) -> bool {
        self.harmless.is_some_and(|harmless| value.unwrap_or("true") != harmless)
    }

    /// Creates a flag that has no effect in Groma and about which it prints no note; `value` is true if the flag takes a value.
    const fn unreported(name: &'static str, value: bool) -> IgnoredFlag {
        IgnoredFlag { name, value, harmless: None, why: "" }
    }
}

/// The flags of the reference programs, for any command, that Groma accepts and that have no effect in it.
pub(crate) const IGNORED: &[IgnoredFlag] = &[
    IgnoredFlag::unreported("lock", false),
    IgnoredFlag::unreported("lock-timeout", true),
    IgnoredFlag::unreported("input", false),
    IgnoredFlag::unreported("compact-warnings", false),
    IgnoredFlag::unreported("plan", false),
    IgnoredFlag::unreported("backend", false),
    IgnoredFlag::unreported("get", false),
    IgnoredFlag::unreported("reconfigure", false),
    IgnoredFlag::unreported("migrate-state", false),
    IgnoredFlag::unreported("force-copy", false),
    IgnoredFlag::unreported("lockfile", true),
    IgnoredFlag::unreported("verify-plugins", false),
    IgnoredFlag::unreported("ignore-remote-version", false),
    IgnoredFlag::unreported("concise", false),
    IgnoredFlag::unreported("deprecation", true),
    IgnoredFlag::unreported("consolidate-warnings", false),
    IgnoredFlag::unreported("consolidate-errors", false),
    IgnoredFlag::unreported("test-directory", true),
    IgnoredFlag::unreported("no-tests", false),
    IgnoredFlag::unreported("backup", true),
    IgnoredFlag {
        name: "plugin-dir",
        value: true,
        harmless: Some(""),
        why: "no provider is run; --schema gives its schemas",
    },
    IgnoredFlag {
        name: "from-module",
        value: true,
        harmless: Some(""),
        why: "no module is copied into the folder",
    },
    IgnoredFlag {
        name: "backend-config",
        value: true,
        harmless: Some(""),
        why: "no backend is used; give the state with --state",
    },
    IgnoredFlag {
        name: "generate-config-out",
        value: true,
        harmless: Some(""),
        why: "no provider is run, so no code can be generated for what is imported",
    },
    IgnoredFlag { name: "state-out", value: true, harmless: Some(""), why: "no state is written" },
    IgnoredFlag {
        name: "json-into",
        value: true,
        harmless: Some(""),
        why: "JSON goes to standard output, with -json",
    },
    IgnoredFlag {
        name: "show-sensitive",
        value: false,
        harmless: Some("false"),
        why: "text output never shows sensitive values; -json does",
    },
    IgnoredFlag { name: "out", value: true, harmless: Some(""), why: "only plan saves a plan" },
    IgnoredFlag {
        name: "refresh",
        value: false,
        harmless: Some("true"),
        why: "only plan depends on refreshing",
    },
    IgnoredFlag {
        name: "state",
        value: true,
        harmless: Some(""),
        why: "this command reads no state",
    },
];
