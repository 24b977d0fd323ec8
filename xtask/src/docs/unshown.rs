//! Codes without a page, each with the reason why no page can show it. A new code needs a page, so the list only becomes shorter.

/// The diagnostic codes without a manual page, each with the reason, sorted.
pub(super) const UNSHOWN: &[(&str, &str)] = &[
    (
        "evaluation-ring",
        "the command draws the whole graph first; who answers with facts of their own may close a ring",
    ),
    ("facts-later", "the command never answers later"),
    (
        "json-too-long",
        "the command reads no file of such a size; who embeds the engine may hand such a text over",
    ),
    ("left-out", "the command is built with all libraries"),
    ("limit-cancelled", "the command ends a run by its limits alone"),
    ("limit-time", "which step the clock ends is never the same"),
    ("module-unsafe", "archives are brought over a network"),
    ("module-versions", "versions are asked of a registry, over a network"),
    ("no-directory", "the command looks for the folder first"),
    ("not-a-traversal", "the command reads names by themselves only to ask whether they are names"),
    ("resource-refused", "the command asks no provider; who answers for one may refuse"),
    ("value-depth", "an expression stops at the same limit first"),
    ("value-too-deep", "an expression stops at the same limit first"),
];
