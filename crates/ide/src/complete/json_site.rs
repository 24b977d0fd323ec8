//! Determines the completion site in a JSON file: the blocks and argument around an offset, and whether a key or a value is
//! typed.

use groma::place::{BlockStep, ExpectedBody};
use groma_syntax::Span;
use groma_syntax::json::{JsonCase, JsonView};

use crate::complete::site::{ChainStep, CompletionSite, SitePosition, word_at};

/// Returns the completion site at an offset of a JSON text; `expected` returns the schema of the body of the block at a
/// path.
pub(crate) fn json_site_at(
    root: JsonView<'_>,
    text: &str,
    at: u32,
    expected: &dyn Fn(&[BlockStep]) -> Option<ExpectedBody>,
) -> CompletionSite {
    let mut site = CompletionSite { at, word: word_at(text, at), ..Default::default() };
    let mut body = expected(&[]);
    // Number of labels of the block that follow as nested keys.
    let mut labels_left = 0usize;
    let mut view = root;
    loop {
        match view.case() {
            JsonCase::Array(all) => match all.into_iter().find(|one| one.span().touches(at)) {
                Some(inner) => view = inner,
                None => return site,
            },
            JsonCase::Object(all) => {
                let whole = |one: &groma_syntax::json::JsonProperty<'_>| {
                    one.name_span.join(one.value.span())
                };
                let Some(property) = all.iter().find(|one| whole(one).touches(at)) else {
                    site.position = SitePosition::Comment;
                    return site;
                };
                if property.name_span.touches(at) {
                    let from = property.name_span.start + 1;
                    site.text = Some(Span::new(from, at.max(from)).of(text).to_owned());
                    site.position = match labels_left {
                        0 if site.argument.is_some() => SitePosition::Key,
                        0 => SitePosition::Body,
                        _ => SitePosition::Label(
                            site.blocks.last().map_or(0, |one| one.labels.len()),
                        ),
                    };
                    return site;
                }
                let name = property.name.to_string();
                let block = body
                    .as_ref()
                    .and_then(|body| body.blocks.iter().find(|one| *one.name == *name));
                if labels_left > 0 {
                    labels_left -= 1;
                    if let Some(last) = site.blocks.last_mut() {
                        last.labels.push(name);
                    }
                } else if let Some(block) = block.filter(|_| site.argument.is_none()) {
                    labels_left = block.labels.len();
                    site.blocks.push(BlockStep { kind: name, labels: Vec::new() });
                } else if site.argument.is_none() {
                    site.argument = Some(name);
                } else {
                    site.frames.insert(0, crate::complete::site::SiteFrame::Object(Some(name)));
                }
                body = if labels_left == 0 { expected(&site.blocks) } else { None };
                view = property.value;
            }
            JsonCase::String(_) => {
                let from = view.span().start + 1;
                let before = Span::new(from, at.max(from)).of(text);
                site.text = Some(before.to_owned());
                site.position = SitePosition::Text;
                let open = before.rfind("${").filter(|open| !before[*open..].contains('}'));
                if let Some(open) = open {
                    site.position = SitePosition::Expression;
                    site.chain = chain_in_text(&before[open + 2..]);
                }
                return site;
            }
            _ => {
                site.position = SitePosition::Comment;
                return site;
            }
        }
    }
}

/// Returns the steps of the reference at the end of a text, without the last name, which is still being typed.
fn chain_in_text(text: &str) -> Vec<ChainStep> {
    let is_part = |c: char| {
        c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '[' | ']' | '*' | '\\' | '"')
    };
    let start = text
        .rfind(|c| !is_part(c))
        .map_or(0, |at| at + text[at..].chars().next().map_or(1, char::len_utf8));
    let mut steps = Vec::new();
    let reference = &text[start..];
    let Some(last) = reference.rfind('.') else { return steps };
    for part in reference[..last].split('.') {
        let mut pieces = part.split('[');
        let name = pieces.next().unwrap_or_default();
        if !name.is_empty() {
            steps.push(ChainStep::Name(name.to_owned()));
        }
        for key in pieces {
            let key = key.trim_end_matches(']').trim_matches(['\\', '"']);
            steps.push(match key.parse() {
                Ok(position) => ChainStep::Position(position),
                Err(_) if key == "*" => ChainStep::Any,
                Err(_) => ChainStep::Key(key.to_owned()),
            });
        }
    }
    steps
}
