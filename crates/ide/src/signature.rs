//! Signature help: the parameters of the call around an offset, and which one is being typed. It is computed from the tokens
//! before the offset, so it works in incomplete text.

use groma::functions::{FoundFunction, Function, FunctionLibrary};
use groma::{Edition, values::print};
use groma_syntax::Span;

use crate::complete::{SiteFrame, site_at};
use crate::request::{Request, floor};
use crate::rich_text::RichText;

/// The signature of the function that is called around an offset, with the parameter of the argument there.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SignatureHelp {
    /// The signature as text, such as `split(separator, string)`.
    pub label: String,
    /// The parameters, in order.
    pub parameters: Vec<SignatureParameter>,
    /// The index of the parameter being typed; `None` past the last one.
    pub active: Option<usize>,
    /// The documentation of the function.
    pub text: RichText,
}

/// A parameter in the signature of a function: its span in the signature's text, and its type.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SignatureParameter {
    /// The span of its name in the label.
    pub span: Span,
    /// The type of its values, as text.
    pub ty: String,
}

/// Returns the signature of the call around an offset; `None` outside calls and for unknown functions.
pub fn signature_help(request: &Request<'_>, file: &str, at: u32) -> Option<SignatureHelp> {
    let document = request.document(file)?;
    let at = floor(document.text(), at);
    let site = site_at(document.tree()?, at);
    let call = site.frames.iter().find_map(|frame| match frame {
        SiteFrame::Call { name, argument, .. } => Some((name, *argument)),
        _ => None,
    });
    let (name, argument) = call?;
    let own = || Edition::newest(document.dialect());
    let edition = request.snapshot().map_or_else(own, |snapshot| snapshot.edition());
    let FoundFunction::Function(function) = FunctionLibrary::of(edition).find(name) else {
        return None;
    };
    Some(help(function, argument))
}

/// Returns the signature of a function, with the parameter for `argument` active.
fn help(function: &Function, argument: usize) -> SignatureHelp {
    let mut label = format!("{}(", function.name);
    let mut parameters = Vec::new();
    let fixed = function.params.iter().map(|one| (one, ""));
    let all = fixed.chain(function.rest.iter().map(|one| (one, "...")));
    for (at, (parameter, dots)) in all.enumerate() {
        if at > 0 {
            label.push_str(", ");
        }
        let start = label.len() as u32;
        label.push_str(parameter.name);
        label.push_str(dots);
        parameters.push(SignatureParameter {
            span: Span::new(start, label.len() as u32),
            ty: print::type_name(&parameter.shape.to_type()),
        });
    }
    label.push(')');
    let last = parameters.len().checked_sub(1);
    let active = match function.rest {
        Some(_) => last.map(|last| argument.min(last)),
        None => Some(argument).filter(|argument| Some(*argument) <= last),
    };
    let mut text = RichText::new();
    text.text(function.doc);
    SignatureHelp { label, parameters, active, text }
}
