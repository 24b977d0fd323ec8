//! Request handlers, one file each. A handler reads the parameters, calls a function of `groma-ide`, and converts the answer to
//! the protocol's form; it computes nothing itself.

mod code_action;
mod command;
mod completion;
mod definition;
mod diagnostic;
mod edits;
mod file_rename;
mod folding;
mod formatting;
mod highlight;
mod hints;
mod hover;
mod inputs;
mod inquiry;
mod lenses;
mod link;
mod references;
mod rename;
mod selection;
mod signature;
mod symbols;
mod tokens;
mod values;
mod workspace_diagnostic;
mod workspace_symbol;

use serde_json::{Value, json};

use crate::message::{MessageId, RequestError};
use crate::state::{HandlerReply, ServerState};

/// A request method with its handler.
pub(crate) struct RequestRow {
    /// The name of the method.
    pub(crate) method: &'static str,
    /// The handler: returns the result, or that it follows later.
    pub(crate) run: fn(&mut ServerState, &MessageId, &Value) -> Result<HandlerReply, RequestError>,
}

/// Makes a row from a handler that returns its result at once.
macro_rules! at_once {
    ($method:literal, $run:expr) => {
        RequestRow {
            method: $method,
            run: |server, _, params| {
                let run: fn(&mut ServerState, &Value) -> Result<Value, RequestError> = $run;
                Ok(HandlerReply::Now(run(server, params)?.into()))
            },
        }
    };
}

pub(crate) use inputs::chosen as take_choice;

/// All request methods except those of the server's life cycle.
pub(crate) const REQUESTS: &[RequestRow] = &[
    at_once!("textDocument/hover", hover::hover),
    at_once!("textDocument/definition", definition::definition),
    at_once!("textDocument/declaration", definition::declaration),
    at_once!("textDocument/typeDefinition", definition::type_definition),
    at_once!("textDocument/implementation", definition::implementation),
    at_once!("textDocument/documentHighlight", highlight::highlight),
    at_once!("textDocument/linkedEditingRange", highlight::linked),
    at_once!("textDocument/documentLink", link::links),
    at_once!("textDocument/selectionRange", selection::selection),
    at_once!("textDocument/semanticTokens/full", tokens::full),
    at_once!("textDocument/semanticTokens/full/delta", tokens::delta),
    at_once!("textDocument/semanticTokens/range", tokens::range),
    at_once!("textDocument/inlayHint", hints::hints),
    at_once!("inlayHint/resolve", hints::resolve),
    at_once!("textDocument/completion", completion::completion),
    at_once!("completionItem/resolve", completion::resolve),
    at_once!("textDocument/codeAction", code_action::actions),
    at_once!("codeAction/resolve", code_action::resolve),
    at_once!("textDocument/signatureHelp", signature::signature),
    at_once!("textDocument/codeLens", lenses::lenses),
    at_once!("codeLens/resolve", lenses::resolve),
    at_once!("workspace/willRenameFiles", file_rename::will_rename),
    at_once!("workspace/executeCommand", command::execute),
    at_once!("textDocument/references", references::references),
    at_once!("textDocument/documentSymbol", symbols::document_symbols),
    at_once!("textDocument/foldingRange", folding::folding),
    at_once!("textDocument/formatting", formatting::formatting),
    at_once!("textDocument/rangeFormatting", formatting::range_formatting),
    at_once!("textDocument/onTypeFormatting", formatting::on_type_formatting),
    at_once!("textDocument/prepareRename", rename::prepare_rename),
    at_once!("textDocument/rename", rename::rename),
    RequestRow { method: "textDocument/diagnostic", run: diagnostic::document_diagnostic },
    RequestRow { method: "workspace/diagnostic", run: workspace_diagnostic::workspace_diagnostic },
    RequestRow { method: "workspace/symbol", run: workspace_symbol::workspace_symbols },
    RequestRow { method: "groma/eval", run: values::eval },
    RequestRow { method: "groma/why", run: values::why },
    RequestRow { method: "groma/plan", run: values::plan },
];

/// Adds to the server's capabilities those requests that have options.
pub(crate) fn offer(all: &mut Value) {
    all["documentLinkProvider"] = json!({ "resolveProvider": false });
    all["selectionRangeProvider"] = json!(true);
    all["linkedEditingRangeProvider"] = json!(true);
    all["inlayHintProvider"] = json!({ "resolveProvider": true });
    all["codeLensProvider"] = json!({ "resolveProvider": true });
    all["completionProvider"] = json!({
        "triggerCharacters": completion::TRIGGERS,
        "resolveProvider": true,
    });
    all["signatureHelpProvider"] = json!({ "triggerCharacters": ["(", ","] });
    all["codeActionProvider"] = json!({
        "codeActionKinds": code_action::KINDS,
        "resolveProvider": true,
    });
    let folders = json!({ "scheme": "file", "pattern": { "glob": "**", "matches": "folder" } });
    all["workspace"]["fileOperations"] = json!({
        "willRename": { "filters": [folders] },
        "didRename": { "filters": [folders] },
    });
    all["executeCommandProvider"] = json!({ "commands": command::COMMANDS });
    all["semanticTokensProvider"] = json!({
        "legend": tokens::legend(),
        "range": true,
        "full": { "delta": true },
    });
}
