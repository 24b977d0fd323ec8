//! The forms of messages, as types generated from the protocol's own description define them. A message that such a type reads
//! must be written again unchanged: a misspelled property would be lost.

use gen_lsp_types as lsp;
use gen_lsp_types::{Notification, Request};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// Asserts that reading a value as the type `T` and writing it again changes nothing.
fn check<T: DeserializeOwned + Serialize>(method: &str, value: &Value) {
    let read: T = serde_json::from_value(value.clone())
        .unwrap_or_else(|why| panic!("{method} has another form: {why}\n{value:#}"));
    let written = serde_json::to_value(read).expect("it was JSON before");
    assert_eq!(without_nulls(&written), without_nulls(value), "{method}");
}

/// Returns JSON without null properties, which may also be missing, and without `annotationId`, which the types of edits lack.
fn without_nulls(value: &Value) -> Value {
    match value {
        Value::Object(all) => {
            let kept = all.iter().filter(|(name, one)| !one.is_null() && *name != "annotationId");
            Value::Object(kept.map(|(name, one)| (name.clone(), without_nulls(one))).collect())
        }
        Value::Array(all) => Value::Array(all.iter().map(without_nulls).collect()),
        other => other.clone(),
    }
}

macro_rules! requests {
    ($check:ident, $part:ident, [$($request:ident),* $(,)?]) => {
        /// Asserts that a value has the form that its method gives it.
        pub(crate) fn $check(method: &str, value: &Value) {
            $(if lsp::$request::METHOD.to_string() == method {
                return check::<<lsp::$request as Request>::$part>(method, value);
            })*
            assert!(method.starts_with("groma/"), "{method} has no form here");
        }
    };
}

macro_rules! notifications {
    ($check:ident, [$($notification:ident),* $(,)?]) => {
        /// Asserts that the parameters of a notification have the form that its method gives them.
        pub(crate) fn $check(method: &str, value: &Value) {
            $(if lsp::$notification::METHOD.to_string() == method {
                return check::<<lsp::$notification as Notification>::Params>(method, value);
            })*
            panic!("{method} has no form here");
        }
    };
}

requests!(
    check_result,
    Result,
    [
        CodeActionRequest,
        CodeActionResolveRequest,
        CodeLensRequest,
        CodeLensResolveRequest,
        CompletionRequest,
        CompletionResolveRequest,
        DeclarationRequest,
        DefinitionRequest,
        DocumentDiagnosticRequest,
        DocumentFormattingRequest,
        DocumentHighlightRequest,
        DocumentLinkRequest,
        DocumentOnTypeFormattingRequest,
        DocumentRangeFormattingRequest,
        DocumentSymbolRequest,
        ExecuteCommandRequest,
        FoldingRangeRequest,
        HoverRequest,
        ImplementationRequest,
        InitializeRequest,
        InlayHintRequest,
        InlayHintResolveRequest,
        LinkedEditingRangeRequest,
        PrepareRenameRequest,
        ReferencesRequest,
        RenameRequest,
        SelectionRangeRequest,
        SemanticTokensDeltaRequest,
        SemanticTokensRangeRequest,
        SemanticTokensRequest,
        ShutdownRequest,
        SignatureHelpRequest,
        TypeDefinitionRequest,
        WillRenameFilesRequest,
        WorkspaceDiagnosticRequest,
        WorkspaceSymbolRequest,
    ]
);

requests!(
    check_server_request,
    Params,
    [
        ApplyWorkspaceEditRequest,
        CodeLensRefreshRequest,
        ConfigurationRequest,
        DiagnosticRefreshRequest,
        InlayHintRefreshRequest,
        RegistrationRequest,
        SemanticTokensRefreshRequest,
        ShowDocumentRequest,
        ShowMessageRequest,
        WorkDoneProgressCreateRequest,
    ]
);

notifications!(
    check_notification,
    [
        DidChangeConfigurationNotification,
        DidChangeTextDocumentNotification,
        DidChangeWatchedFilesNotification,
        DidChangeWorkspaceFoldersNotification,
        DidCloseTextDocumentNotification,
        DidOpenTextDocumentNotification,
        DidRenameFilesNotification,
        DidSaveTextDocumentNotification,
        ExitNotification,
        InitializedNotification,
        SetTraceNotification,
        WorkDoneProgressCancelNotification,
    ]
);

notifications!(
    check_server_notification,
    [
        LogMessageNotification,
        LogTraceNotification,
        ProgressNotification,
        PublishDiagnosticsNotification,
        ShowMessageNotification,
    ]
);
