//! What the client can do, read from the parameters of `initialize`. What is missing or has an unexpected form counts as not
//! offered: no client is turned away for what it says of itself.

use groma::syntax::ColumnUnit;
use serde_json::Value;

/// The abilities of a client that change what it is sent.
#[derive(Clone, Debug)]
pub(crate) struct ClientProfile {
    /// What a column counts.
    pub(crate) unit: ColumnUnit,
    /// True if hovers and documentation may be Markdown; else they are plain text.
    pub(crate) has_markdown: bool,
    /// True if documentation of completion items may be Markdown.
    pub(crate) has_item_markdown: bool,
    /// True if completion items may have places to fill in.
    pub(crate) has_snippets: bool,
    /// True if code actions may be objects with edits, and not only commands.
    pub(crate) has_action_literals: bool,
    /// True if the edit of a code action may come later.
    pub(crate) has_action_resolve: bool,
    /// True if definitions may say which range they answer for.
    pub(crate) has_links: bool,
    /// True if symbols may lie within each other.
    pub(crate) has_symbol_trees: bool,
    /// True if edits may carry the versions of documents, and files may be created.
    pub(crate) has_document_changes: bool,
    /// True if edits may carry annotations that are to be confirmed.
    pub(crate) has_annotations: bool,
    /// True if folding is by whole lines only.
    pub(crate) folds_lines_only: bool,
    /// True if the client asks for diagnostics; then none are pushed.
    pub(crate) pulls: bool,
    /// True if related places may stand beside diagnostics.
    pub(crate) has_related: bool,
    /// True if it answers questions about its settings.
    pub(crate) has_configuration: bool,
    /// True if changes of settings can be asked for.
    pub(crate) registers_configuration: bool,
    /// True if it can be asked to watch files.
    pub(crate) registers_watching: bool,
    /// True if it shows progress that the server begins.
    pub(crate) has_progress: bool,
    /// The requests that it can be asked to send again, by the middle of their name.
    refreshes: Vec<&'static str>,
}

/// What a client can be asked to send again, as `workspace/…/refresh`, and the name of the ability.
const REFRESHES: [(&str, &str); 4] = [
    ("inlayHint", "inlayHint"),
    ("codeLens", "codeLens"),
    ("semanticTokens", "semanticTokens"),
    ("diagnostic", "diagnostics"),
];

impl ClientProfile {
    /// Reads the parameters of `initialize`.
    pub(crate) fn of(params: &Value) -> ClientProfile {
        let all = &params["capabilities"];
        let (text, workspace) = (&all["textDocument"], &all["workspace"]);
        let is = |value: &Value| value.as_bool().unwrap_or(false);
        let has = |list: &Value, name: &str| {
            list.as_array().is_some_and(|all| all.iter().any(|one| one == name))
        };
        let encodings = &all["general"]["positionEncodings"];
        let unit = match has(encodings, "utf-8") {
            true => ColumnUnit::Utf8,
            // A client that lists only this one still has to understand the other, yet gets what it asks for.
            false if has(encodings, "utf-32") && !has(encodings, "utf-16") => ColumnUnit::Utf32,
            false => ColumnUnit::Utf16,
        };
        let edits = &workspace["workspaceEdit"];
        let refreshes =
            REFRESHES.iter().filter(|(_, name)| is(&workspace[*name]["refreshSupport"]));
        ClientProfile {
            unit,
            has_markdown: has(&text["hover"]["contentFormat"], "markdown"),
            has_item_markdown: has(
                &text["completion"]["completionItem"]["documentationFormat"],
                "markdown",
            ),
            has_snippets: is(&text["completion"]["completionItem"]["snippetSupport"]),
            has_action_literals: text["codeAction"]["codeActionLiteralSupport"].is_object(),
            has_action_resolve: has(&text["codeAction"]["resolveSupport"]["properties"], "edit"),
            has_links: is(&text["definition"]["linkSupport"]),
            has_symbol_trees: is(&text["documentSymbol"]["hierarchicalDocumentSymbolSupport"]),
            has_document_changes: is(&edits["documentChanges"]),
            has_annotations: edits["changeAnnotationSupport"].is_object(),
            folds_lines_only: is(&text["foldingRange"]["lineFoldingOnly"]),
            pulls: text["diagnostic"].is_object(),
            has_related: is(&text["publishDiagnostics"]["relatedInformation"])
                || is(&text["diagnostic"]["relatedInformation"]),
            has_configuration: is(&workspace["configuration"]),
            registers_configuration: is(
                &workspace["didChangeConfiguration"]["dynamicRegistration"],
            ),
            registers_watching: is(&workspace["didChangeWatchedFiles"]["dynamicRegistration"]),
            has_progress: is(&all["window"]["workDoneProgress"]),
            refreshes: refreshes.map(|(method, _)| *method).collect(),
        }
    }

    /// The name of what a column counts.
    pub(crate) fn encoding(&self) -> &'static str {
        match self.unit {
            ColumnUnit::Utf8 => "utf-8",
            ColumnUnit::Utf16 => "utf-16",
            ColumnUnit::Utf32 => "utf-32",
        }
    }

    /// The requests that the client can be asked to send again.
    pub(crate) fn refreshes(&self) -> impl Iterator<Item = &'static str> {
        self.refreshes.iter().copied()
    }
}

impl Default for ClientProfile {
    fn default() -> ClientProfile {
        ClientProfile::of(&Value::Null)
    }
}
