//! Groma's own requests: the value of an expression, the origin of a value, and the plan. They are evaluated in jobs, and their
//! answers are the documents that the command prints.

use groma::json::{ResultContext, full};
use groma::packer::why_at_address;
use groma::place::{DeclarationSite, PlaceTarget};
use groma::syntax::{Place, Span};
use groma::{PlanOptions, RequestToken, Snapshot, TemplateSnapshot};
use groma_ide::template_address;
use serde_json::Value;

use super::inquiry::DocumentInquiry;
use crate::message::{ErrorKind, MessageId, RequestError, RequestResult};
use crate::state::{HandlerReply, ServerState};

/// Returns the snapshot that a document belongs to, its path, and the offset of the position if one is given.
fn module_at(
    server: &mut ServerState,
    params: &Value,
) -> Result<(Snapshot, String, Option<u32>), RequestError> {
    let inquiry = DocumentInquiry::of(server, params)?;
    let request = inquiry.request();
    let at = match params["position"].is_null() {
        true => None,
        false => Some(inquiry.offset(&request, params)?),
    };
    let none = "the document belongs to no module";
    let snapshot = inquiry.context.snapshot().ok_or_else(|| RequestError::failed(none))?;
    Ok((snapshot.clone(), inquiry.file.clone(), at))
}

/// Returns the answer, or an error if the request was cancelled meanwhile.
fn unless_over(token: &RequestToken, answer: String) -> Result<RequestResult, RequestError> {
    match token.is_over() {
        true => Err(RequestError::new(ErrorKind::Cancelled, "it was cancelled")),
        false => Ok(RequestResult::Text(answer)),
    }
}

/// Returns the Packer template that a document belongs to, if any, and the address of the declaration at the position.
fn template_at(
    server: &mut ServerState,
    params: &Value,
) -> Result<Option<(TemplateSnapshot, Option<String>)>, RequestError> {
    let inquiry = DocumentInquiry::of(server, params)?;
    let Some(template) = inquiry.context.template() else { return Ok(None) };
    let request = inquiry.request();
    let address = match params["position"].is_null() {
        true => None,
        false => {
            let at = inquiry.offset(&request, params)?;
            template_address(&request, &inquiry.file, at)
        }
    };
    Ok(Some((template.clone(), address)))
}

/// Answers `groma/eval`: the value of an expression.
pub(super) fn eval(
    server: &mut ServerState,
    id: &MessageId,
    params: &Value,
) -> Result<HandlerReply, RequestError> {
    let text = params["expression"].as_str();
    let text = text.ok_or_else(|| RequestError::parameter("expression"))?.to_owned();
    if let Some((template, _)) = template_at(server, params)? {
        let question = Box::new(move |token: &RequestToken| {
            let answer = template.evaluate(&text);
            let sources = template.sources();
            let around =
                ResultContext { sources: &sources, causes: template.evaluation().causes() };
            unless_over(token, full(&answer.value, &answer.findings, &around))
        });
        return Ok(server.answer_later(id, question));
    }
    let (snapshot, file, at) = module_at(server, params)?;
    let question = Box::new(move |token: &RequestToken| {
        let evaluation = snapshot.evaluation();
        let address = at.map(|at| instance_at(&snapshot, &file, at, token)).unwrap_or_default();
        let (value, findings) = evaluation.within(token, || match address.is_empty() {
            true => {
                let answer = snapshot.evaluate(&text);
                (Some(answer.value), answer.findings)
            }
            false => {
                let answer = snapshot.evaluate_at(&address, &text);
                (answer.value, answer.findings)
            }
        });
        let Some(value) = value else {
            return Err(RequestError::failed(format!("there is no instance {address}")));
        };
        let sources = snapshot.sources();
        let around = ResultContext { sources: &sources, causes: evaluation.causes() };
        unless_over(token, full(&value, &findings, &around))
    });
    Ok(server.answer_later(id, question))
}

/// Answers `groma/why`: the origin of the value at a position.
pub(super) fn why(
    server: &mut ServerState,
    id: &MessageId,
    params: &Value,
) -> Result<HandlerReply, RequestError> {
    let nothing = || RequestError::failed("nothing that has a value is here");
    if let Some((template, address)) = template_at(server, params)? {
        let address = address.ok_or_else(nothing)?;
        let question = Box::new(move |token: &RequestToken| {
            match why_at_address(&address, template.evaluation()) {
                Ok(tree) => unless_over(token, template.why_json(&tree)),
                Err(why) => Err(RequestError::failed(why.detail)),
            }
        });
        return Ok(server.answer_later(id, question));
    }
    let (snapshot, file, at) = module_at(server, params)?;
    let at = at.ok_or_else(|| RequestError::parameter("position"))?;
    let question = Box::new(move |token: &RequestToken| {
        let address = address_at(&snapshot, &file, at, token);
        let address = address.ok_or_else(nothing)?;
        let answer = snapshot.evaluation().within(token, || snapshot.why(&address));
        match answer.value {
            Ok(tree) => unless_over(token, snapshot.why_json(&tree)),
            Err(why) => Err(RequestError::failed(why.detail)),
        }
    });
    Ok(server.answer_later(id, question))
}

/// Answers `groma/plan`: the plan of the document's root.
pub(super) fn plan(
    server: &mut ServerState,
    id: &MessageId,
    params: &Value,
) -> Result<HandlerReply, RequestError> {
    if let Some((template, _)) = template_at(server, params)? {
        let question =
            Box::new(move |token: &RequestToken| unless_over(token, template.plan_json()));
        return Ok(server.answer_later(id, question));
    }
    let (snapshot, _, _) = module_at(server, params)?;
    let question = Box::new(move |token: &RequestToken| {
        let made = snapshot.plan(PlanOptions::default());
        unless_over(token, made.json())
    });
    Ok(server.answer_later(id, question))
}

/// Returns the address of the first instance of the module or resource that contains an offset.
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

/// Returns the address of the first instance of the declaration that an offset refers to.
fn address_at(snapshot: &Snapshot, file: &str, at: u32, token: &RequestToken) -> Option<String> {
    let place = Place::new(snapshot.file(file)?, Span::at(at));
    let id = match snapshot.target_at(place)? {
        PlaceTarget::Reference { declaration, .. } | PlaceTarget::Declaration(declaration) => {
            declaration
        }
        _ => return None,
    };
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
