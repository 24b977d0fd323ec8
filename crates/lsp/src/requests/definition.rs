//! Navigation: definition, declaration, type definition and implementation.

use groma_ide::{
    DefinitionLink, Request, declaration as declarations, definition as definitions,
    implementation as implementations, type_definition as type_definitions,
};
use serde_json::{Value, json};

use super::inquiry::DocumentInquiry;
use crate::message::RequestError;
use crate::state::ServerState;

/// A function of `groma-ide` that returns the targets of the code at an offset of a file.
type LinkQuestion = fn(&Request<'_>, &str, u32) -> Vec<DefinitionLink>;

/// Answers `textDocument/definition` with links to the places at which the code at the position is defined.
pub(super) fn definition(server: &mut ServerState, params: &Value) -> Result<Value, RequestError> {
    links(server, params, definitions)
}

/// Answers `textDocument/declaration` with links to the declaration of the name at the position.
pub(super) fn declaration(server: &mut ServerState, params: &Value) -> Result<Value, RequestError> {
    links(server, params, declarations)
}

/// Answers `textDocument/typeDefinition` with a link to the variable whose type the value at the position must have.
pub(super) fn type_definition(
    server: &mut ServerState,
    params: &Value,
) -> Result<Value, RequestError> {
    links(server, params, type_definitions)
}

/// Answers `textDocument/implementation` with links to the values that module calls pass to the variable at the position.
pub(super) fn implementation(
    server: &mut ServerState,
    params: &Value,
) -> Result<Value, RequestError> {
    links(server, params, implementations)
}

/// Answers a navigation request with the targets that `ask` finds, as links or locations.
fn links(
    server: &mut ServerState,
    params: &Value,
    ask: LinkQuestion,
) -> Result<Value, RequestError> {
    let inquiry = DocumentInquiry::of(server, params)?;
    let request = inquiry.request();
    let at = inquiry.offset(&request, params)?;
    let found = ask(&request, &inquiry.file, at);
    let places = server.places(&request);
    let has_links = server.client.has_links;
    let link = |one: &DefinitionLink| match has_links {
        false => places.location(&one.target),
        true => {
            let file = &one.target.file;
            let mut link = json!({
                "targetUri": places.uri(file),
                "targetRange": places.range(file, one.target_range),
                "targetSelectionRange": places.range(file, one.target.span),
            });
            if let Some(origin) = one.origin {
                link["originSelectionRange"] = places.range(&inquiry.file, origin);
            }
            link
        }
    };
    Ok(match found.is_empty() {
        true => Value::Null,
        false => found.iter().map(link).collect(),
    })
}
