//! Selection ranges, by which an editor grows a selection: from the token at an offset through the enclosing expressions and
//! blocks to the whole text.

use groma::place::FileSyntax;
use groma_syntax::Span;
use groma_syntax::json::{JsonCase, JsonView};

use crate::request::Request;

/// Returns the ranges to which a selection at an offset can grow, innermost first: the name, the syntax around it, and the whole
/// file.
pub fn selection_ranges(request: &Request<'_>, file: &str, at: u32) -> Vec<Span> {
    let Some(document) = request.document(file) else { return Vec::new() };
    let at = crate::request::floor(document.text(), at);
    let mut found = match document.syntax() {
        FileSyntax::Native(parse) => {
            let tree = &parse.tree;
            let (before, after) = tree.tokens_at(at);
            let mut found: Vec<Span> = document.name_at(at).into_iter().collect();
            found.extend(after.or(before).map(|(_, token)| token.span()));
            let mut node = Some(tree.node_at(at));
            while let Some(id) = node {
                found.push(tree.span(id));
                node = tree.parent(id);
            }
            found
        }
        FileSyntax::Json(parse) => in_json(parse.document.root(), at),
    };
    found.push(Span::new(0, document.text().len() as u32));
    let mut ranges: Vec<Span> = Vec::new();
    for span in found.into_iter().filter(|span| !span.is_empty() && span.touches(at)) {
        let grows = ranges.last().is_none_or(|last: &Span| {
            span != *last && span.start <= last.start && last.end <= span.end
        });
        if grows {
            ranges.push(span);
        }
    }
    ranges
}

/// Returns the JSON values and properties around an offset, innermost first.
fn in_json(root: JsonView<'_>, at: u32) -> Vec<Span> {
    let mut found = Vec::new();
    let mut view = root;
    loop {
        found.push(view.span());
        let next = match view.case() {
            JsonCase::Array(all) => all.into_iter().find(|one| one.span().touches(at)),
            JsonCase::Object(all) => {
                let whole = |one: &groma_syntax::json::JsonProperty<'_>| {
                    one.name_span.join(one.value.span())
                };
                let property = all.into_iter().find(|one| whole(one).touches(at));
                found.extend(property.as_ref().map(whole));
                match property {
                    Some(one) if one.name_span.touches(at) => {
                        found.push(one.name_span);
                        None
                    }
                    other => other.map(|one| one.value),
                }
            }
            _ => None,
        };
        match next {
            Some(inner) => view = inner,
            None => break,
        }
    }
    found.reverse();
    found
}
