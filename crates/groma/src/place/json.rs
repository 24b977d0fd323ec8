//! Positions in JSON files. The text alone does not separate blocks from arguments: the expected contents of a body show which
//! property is which, and how many levels of labels follow.

use groma_syntax::json::{JsonCase, JsonView};
use groma_syntax::{Expr, FileId, NativeExpr, Parse};

use crate::place::block::SyntaxPosition;
use crate::place::expected::{BlockStep, ExpectedBody};

/// The enclosing blocks of an offset in a JSON text, and the label, argument or value that it touches.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct JsonPosition {
    /// The position as in native syntax: the types of the enclosing blocks, and the label or argument at the offset.
    pub position: SyntaxPosition,
    /// The enclosing blocks with their labels, outermost first, including the one whose header contains the offset.
    pub steps: Vec<BlockStep>,
    /// The byte offset at which the value of the argument starts that contains the offset.
    pub value: Option<u32>,
}

impl JsonPosition {
    /// Returns the enclosing blocks and the syntax at an offset of a JSON file; `expected` returns the contents expected in
    /// nested blocks, by which blocks are told from arguments.
    pub fn at(
        root: JsonView<'_>,
        offset: u32,
        expected: &dyn Fn(&[BlockStep]) -> Option<ExpectedBody>,
    ) -> JsonPosition {
        let mut found = JsonPosition::default();
        let mut body = expected(&[]);
        // The number of labels of the innermost block that are still to follow as properties.
        let mut labels_left = 0usize;
        let mut view = root;
        loop {
            let all = match view.case() {
                JsonCase::Object(all) => all,
                JsonCase::Array(all) => {
                    match all.into_iter().find(|one| one.span().touches(offset)) {
                        Some(inner) => view = inner,
                        None => return found,
                    }
                    continue;
                }
                _ => return found,
            };
            let touched =
                all.into_iter().find(|one| one.name_span.join(one.value.span()).touches(offset));
            let Some(property) = touched else { return found };
            let (name, span) = (property.name.to_string(), property.name_span);
            let is_name = span.touches(offset);
            if labels_left > 0 {
                labels_left -= 1;
                let is_outermost = found.steps.len() == 1;
                let Some(last) = found.steps.last_mut() else { return found };
                if is_outermost && labels_left == 0 {
                    found.position.start = Some(span.start);
                }
                last.labels.push(name);
                if is_name {
                    found.position.label = Some((last.labels.len() - 1, span));
                    return found;
                }
            } else if let Some(block) =
                body.iter().flat_map(|body| &body.blocks).find(|row| *row.name == *name)
            {
                labels_left = block.labels.len();
                if found.steps.is_empty() && labels_left == 0 {
                    found.position.start = Some(span.start);
                }
                found.position.blocks.push(name.clone());
                found.steps.push(BlockStep { kind: name, labels: Vec::new() });
                if is_name {
                    found.position.is_kind = true;
                    return found;
                }
            } else {
                if matches!(&*found.position.blocks, [only] if only == "locals") {
                    found.position.start = Some(span.start);
                }
                found.position.is_value = !is_name;
                found.position.argument = Some((name, span));
                found.value = Some(property.value.span().start);
                return found;
            }
            body = if labels_left == 0 { expected(&found.steps) } else { None };
            view = property.value;
        }
    }
}

/// Returns the expression in the JSON string at an offset of the document, and the corresponding offset in the expression's
/// text; `None` if there is no string.
pub(super) fn code_in_json(root: JsonView<'_>, offset: u32) -> Option<(NativeExpr, u32)> {
    let mut view = root;
    loop {
        match view.case() {
            JsonCase::Array(all) => {
                view = all.into_iter().find(|one| one.span().touches(offset))?;
            }
            JsonCase::Object(all) => {
                view = all.iter().map(|one| one.value).find(|one| one.span().touches(offset))?;
            }
            JsonCase::String(text) => {
                let (parse, _): (Parse, u32) = view.template(FileId::default());
                let Expr::Native(code) = Expr::of(&parse) else { return None };
                // Positions in the decoded text increase with those in the source.
                let (mut low, mut high) = (0, text.len() as u32);
                while low < high {
                    let middle = low + (high - low) / 2;
                    match view.written_at(view.span(), middle) < offset {
                        true => low = middle + 1,
                        false => high = middle,
                    }
                }
                return Some((code, low));
            }
            _ => return None,
        }
    }
}
