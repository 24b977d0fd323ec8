//! Groma's own requests: the value of an expression, the origin of a value, and the plan. They are evaluated in jobs, and their
//! answers are the documents that the command prints.

use std::sync::Arc;

use groma::json::{JsonLayout, JsonText};
use groma::place::{DeclarationId, DeclarationSite};
use groma::root::{Root, RootDeclaration};
use groma::{RequestToken, Snapshot};
use serde_json::Value;

use super::inquiry::DocumentInquiry;
use crate::message::{ErrorKind, MessageId, RequestError, RequestResult};
use crate::state::{HandlerReply, ServerState};

/// The root that a document belongs to, the path of the document, and the offset of the position if one is given.
struct RootPlace {
    root: Arc<dyn Root>,
    file: String,
    at: Option<u32>,
}

/// Returns the root and the file of a request's parameters, with the offset of its position if there is one.
fn place_of(server: &mut ServerState, params: &Value) -> Result<RootPlace, RequestError> {
    let inquiry = DocumentInquiry::of(server, params)?;
    let request = inquiry.request();
    let at = match params["position"].is_null() {
        true => None,
        false => Some(inquiry.offset(&request, params)?),
    };
    let none = "the document belongs to no module";
    let root = inquiry.context.root().ok_or_else(|| RequestError::failed(none))?;
    Ok(RootPlace { root: root.clone(), file: inquiry.file.clone(), at })
}

/// Returns the text of an answer as a result, or the error `Cancelled` if its request was cancelled while it was computed.
fn unless_over(token: &RequestToken, answer: String) -> Result<RequestResult, RequestError> {
    match token.is_over() {
        true => Err(RequestError::new(ErrorKind::Cancelled, "it was cancelled")),
        false => Ok(RequestResult::Text(answer)),
    }
}

/// Answers `groma/eval` with the value of an expression, in the first instance around the position or else in the root module.
pub(super) fn eval(
    server: &mut ServerState,
    id: &MessageId,
    params: &Value,
) -> Result<HandlerReply, RequestError> {
    let text = params["expression"].as_str();
    let text = text.ok_or_else(|| RequestError::parameter("expression"))?.to_owned();
    let RootPlace { root, file, at } = place_of(server, params)?;
    let question = Box::new(move |token: &RequestToken| {
        let address = match (root.module(), at) {
            (Ok(snapshot), Some(at)) => instance_at(snapshot, &file, at, token),
            _ => String::new(),
        };
        let instance = Some(address.as_str()).filter(|address| !address.is_empty());
        let answer = root.evaluate(&text, instance, token).map_err(declined)?;
        let Some(value) = answer.value else {
            return Err(RequestError::failed(format!("there is no instance {address}")));
        };
        unless_over(token, root.full_json(&value, &answer.findings))
    });
    Ok(server.answer_later(id, question))
}

/// Answers `groma/why` with the provenance tree of the declaration that the position refers to.
pub(super) fn why(
    server: &mut ServerState,
    id: &MessageId,
    params: &Value,
) -> Result<HandlerReply, RequestError> {
    let RootPlace { root, file, at } = place_of(server, params)?;
    let at = at.ok_or_else(|| RequestError::parameter("position"))?;
    let question = Box::new(move |token: &RequestToken| {
        let is_of_root = |one: &RootDeclaration| match (one.in_module(), root.module()) {
            (Some((snapshot, _)), Ok(own)) => snapshot.is_same(own),
            (known, _) => known.is_none(),
        };
        let found = declaration_at(&*root, &file, at).filter(is_of_root);
        let address = found.and_then(|one| address_of(&one, token));
        let nothing = || RequestError::failed("nothing that has a value is here");
        let answer = root.why(&address.ok_or_else(nothing)?, token).map_err(declined)?;
        match answer.value {
            Ok(tree) => unless_over(token, root.why_json(&tree)),
            Err(why) => Err(RequestError::failed(why.detail)),
        }
    });
    Ok(server.answer_later(id, question))
}

/// Answers `groma/plan` with the plan of the document's root, as JSON.
pub(super) fn plan(
    server: &mut ServerState,
    id: &MessageId,
    params: &Value,
) -> Result<HandlerReply, RequestError> {
    let root = place_of(server, params)?.root;
    let question = Box::new(move |token: &RequestToken| {
        let mut out = JsonText::new(JsonLayout::Compact);
        root.write_plan(&mut out).map_err(declined)?;
        unless_over(token, out.into_string())
    });
    Ok(server.answer_later(id, question))
}

/// Returns the error for a request that this kind of root does not answer, with the reason.
fn declined(why: groma::root::NoAnswer) -> RequestError {
    RequestError::failed(why.to_string())
}

/// Returns the declaration that an offset refers to, or in a root without modules the one whose text contains the offset;
/// `None` if there is neither.
fn declaration_at(root: &dyn Root, file: &str, at: u32) -> Option<RootDeclaration> {
    let root = root.root_of(file)?;
    if let Some(found) = root.definition_at(file, at) {
        return Some(found);
    }
    let contains = |one: &RootDeclaration| {
        let range = one.site().filter(|_| one.in_module().is_none()).map(|site| site.range);
        range.is_some_and(|range| *range.file == *file && range.span.touches(at))
    };
    root.declarations().into_iter().find(contains)
}

/// Returns the address of the first instance of the module or resource that contains an offset; empty for the root module or
/// if unknown.
fn instance_at(snapshot: &Snapshot, file: &str, at: u32, token: &RequestToken) -> String {
    let sites = snapshot.declarations_in(file);
    let around = sites.iter().rev().find(|site| site.place.span.start <= at);
    let scope = |site: &DeclarationSite| snapshot.instances_of(site.id, 1, token).0.pop();
    let is_call = |site: &&DeclarationSite| site.kind == "module";
    match around {
        // The arguments of a call are evaluated in the calling module, not in the instances that it creates.
        Some(site) if is_call(&site) => sites
            .iter()
            .find(|one| !is_call(one) && one.kind != "resource" && one.kind != "data")
            .and_then(scope)
            .unwrap_or_default(),
        Some(site) => scope(site).unwrap_or_default(),
        None => String::new(),
    }
}

/// Returns the address of a declaration; for a declaration of a module, the address of its first known instance, or `None` if
/// none is known.
fn address_of(one: &RootDeclaration, token: &RequestToken) -> Option<String> {
    match one.in_module() {
        Some((snapshot, id)) => first_instance(snapshot, id, token),
        None => Some(one.address.clone()),
    }
}

/// Returns the full address of the first known instance of a module's declaration, with instance keys; `None` if none is
/// known.
fn first_instance(snapshot: &Snapshot, id: DeclarationId, token: &RequestToken) -> Option<String> {
    let site = snapshot.declaration(id)?;
    let instance = snapshot.instances_of(id, 1, token).0.pop()?;
    // A declaration that is not repeated belongs to an instance of its module.
    let is_own = instance == site.address
        || instance.ends_with(&format!(".{}", site.address))
        || instance.contains(&format!("{}[", site.address));
    Some(match instance.is_empty() {
        true => site.address,
        false if is_own => instance,
        false => format!("{instance}.{}", site.address),
    })
}
