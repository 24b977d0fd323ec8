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
    Ignored {
        name: "out",
        value: true,
        harmless: Some(""),
        why: "plans are not saved yet; --json prints one",
    },
    Ignored {
        name: "refresh",
        value: false,
        harmless: Some("true"),
        why: "only plan asks whether anything is refreshed",
    },
    Ignored { name: "state", value: true, harmless: Some(""), why: "this command asks no state" },
];
