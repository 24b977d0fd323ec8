//! Codes that no page shows yet. A new code gets a page, so the list only becomes shorter.

/// In order.
pub(super) const UNSHOWN: &[&str] = &[
    "carriage-return",
    "evaluation-ring",
    "file-left-out",
    "findings",
    "get-config",
    "invalid-utf8",
    "json-too-long",
    "layout-too-long",
    "limit-evaluation",
    "limit-nesting",
    "limit-size",
    "list-limit",
    "module-depth",
    "module-unsafe",
    "module-versions",
    "no-directory",
    "not-a-traversal",
    "not-text",
    "operation",
    "packer-template",
    "sensitive-name",
    "setting-unknown",
    "state-skipped",
    "template",
    "text-too-long",
    "too-many-modules",
    "undecided-action",
    "unexpected-argument",
    "unexpected-block",
    "unreadable-file",
    "value-depth",
    "value-too-deep",
];

/// What the command does not say, or not at every time: whoever embeds the engine meets it. In order.
pub(super) const UNSAID: &[&str] =
    &["facts-later", "left-out", "limit-cancelled", "limit-time", "resource-refused"];
