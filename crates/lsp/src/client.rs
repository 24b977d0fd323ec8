//! The client's capabilities, read from the parameters of `initialize`. A missing or malformed capability counts as absent; no
//! client is refused for it.

use groma::syntax::ColumnUnit;
use serde_json::Value;

/// The capabilities of a client that affect what the server sends.
#[derive(Clone, Debug)]
pub(crate) struct ClientProfile {
    /// The unit in which columns are counted.
    pub(crate) unit: ColumnUnit,
    /// True if hovers and documentation may be in Markdown.
    pub(crate) has_markdown: bool,
    /// True if the documentation of completion items may be in Markdown.
    pub(crate) has_item_markdown: bool,
    /// True if completion items may be snippets with tab stops.
    pub(crate) has_snippets: bool,
    /// True if code actions may be objects with edits, rather than commands only.
    pub(crate) has_action_literals: bool,
    /// True if the edit of a code action may be computed when it is chosen.
    pub(crate) has_action_resolve: bool,
    /// True if definitions may be links with an origin range.
    pub(crate) has_links: bool,
    /// True if document symbols may be nested.
    pub(crate) has_symbol_trees: bool,
    /// True if workspace edits may have document versions.
    pub(crate) has_document_changes: bool,
    /// True if workspace edits may create files.
    pub(crate) creates_files: bool,
    /// True if workspace edits may have annotations that the user confirms.
    pub(crate) has_annotations: bool,
    /// True if folding ranges must consist of whole lines.
    pub(crate) folds_lines_only: bool,
    /// True if the client pulls diagnostics, so none are pushed.
    pub(crate) pulls: bool,
    /// True if diagnostics may have related locations.
    pub(crate) has_related: bool,
    /// True if it answers `workspace/configuration` requests.
    pub(crate) has_configuration: bool,
    /// True if notification of changed settings can be registered.
    pub(crate) registers_configuration: bool,
    /// True if file watching can be registered.
    pub(crate) registers_watching: bool,
    /// True if it shows progress that the server starts.
    pub(crate) has_progress: bool,
    /// The refresh requests that it supports, by the middle of their names.
    refreshes: Vec<&'static str>,
}

/// The requests `workspace/…/refresh` that a client may support, and the names of these capabilities.
const REFRESHES: [(&str, &str); 4] = [
    ("inlayHint", "inlayHint"),
    ("codeLens", "codeLens"),
    ("semanticTokens", "semanticTokens"),
    ("diagnostic", "diagnostics"),
];

impl ClientProfile {
    /// Reads the client's capabilities from the parameters of `initialize`.
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
            // UTF-16 is mandatory, but a client that lists only UTF-32 gets that.
            false if has(encodings, "utf-32") && !has(encodings, "utf-16") => ColumnUnit::Utf32,
            false => ColumnUnit::Utf16,
        };
        let edits = &workspace["workspaceEdit"];
        // Neovim announces the operations alone, which only this form has.
        let creates_files = has(&edits["resourceOperations"], "create");
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
            has_document_changes: is(&edits["documentChanges"]) || creates_files,
            creates_files,
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

    /// Returns the protocol's name of the unit in which this client counts columns, such as `utf-16`.
    pub(crate) fn encoding(&self) -> &'static str {
        match self.unit {
            ColumnUnit::Utf8 => "utf-8",
            ColumnUnit::Utf16 => "utf-16",
            ColumnUnit::Utf32 => "utf-32",
        }
    }

    /// Returns the refresh requests that the client supports.
    pub(crate) fn refreshes(&self) -> impl Iterator<Item = &'static str> {
        self.refreshes.iter().copied()
    }
}

impl Default for ClientProfile {
    fn default() -> ClientProfile {
        ClientProfile::of(&Value::Null)
    }
}
