//! Edits of files in JSON syntax. Blocks are objects, nested once for each label, and several of a kind are a list; a path
//! ignores such a list.

mod code;
mod layout;

use groma_syntax::json::JsonCase;
use groma_syntax::{JsonExpr, Span};

use crate::index::{DocumentPart, DocumentParts};
use crate::path::{CodePath, CodeStep, declaration_steps, written};
use crate::requests::Edit;
use crate::text::{ParsedText, Splice};
use crate::{EditLanguage, EditRefusal, refused};

use code::NewJson;
pub(crate) use layout::DocumentStyle;

/// A value in a JSON document to which a path leads, with the object or list that contains it.
#[derive(Clone, Debug)]
pub(crate) struct JsonSpot {
    /// The containing object or list and the index in it; `None` for the whole document.
    parent: Option<(JsonExpr, usize)>,
    /// The value.
    pub(crate) value: JsonExpr,
    /// The span of the whole, with a property's name.
    whole: Span,
}

impl JsonSpot {
    /// Returns the span of the value.
    pub(crate) fn span(&self) -> Span {
        self.value.span()
    }

    /// Returns the span of the whole property or element, with a property's name.
    pub(crate) fn whole(&self) -> Span {
        self.whole
    }
}

/// Returns all matches of a path in a JSON document; none for a text in native syntax.
pub(crate) fn all(text: &ParsedText, steps: &[CodeStep]) -> Vec<JsonSpot> {
    let mut found = Vec::new();
    if let Some(json) = &text.json {
        let value = JsonExpr::root(json);
        let whole = value.span();
        walk(text, JsonSpot { parent: None, value, whole }, steps, &mut found);
    }
    found
}

/// Adds the matches of a path that starts at the value `spot` of a JSON document to `found`.
fn walk(text: &ParsedText, spot: JsonSpot, steps: &[CodeStep], found: &mut Vec<JsonSpot>) {
    let Some((step, rest)) = steps.split_first() else { return found.push(spot) };
    let inner = |part: &DocumentPart| JsonSpot {
        parent: Some((spot.value.clone(), part.at)),
        value: part.value.clone(),
        whole: part.whole,
    };
    match (step, &*text.index.document_parts(&spot.value)) {
        (CodeStep::Name(name), DocumentParts::Object(named)) => {
            for part in named.get(name).into_iter().flatten() {
                walk(text, inner(part), rest, found);
            }
        }
        (CodeStep::Name(_), DocumentParts::List(items)) => {
            for item in items {
                let own = text.index.document_parts(&item.value);
                if matches!(*own, DocumentParts::Object(_)) {
                    walk(text, inner(item), steps, found);
                }
            }
        }
        (CodeStep::At(at), DocumentParts::List(items)) => {
            if let Some(item) = items.get(*at) {
                walk(text, inner(item), rest, found);
            }
        }
        // A single block of a kind needs no list.
        (CodeStep::At(0), DocumentParts::Object(_)) => walk(text, spot.clone(), rest, found),
        _ => {}
    }
}

/// Returns the replacements of a `set` edit that changes the JSON value `spot`.
pub(crate) fn set(
    text: &ParsedText,
    spot: &JsonSpot,
    edit: &Edit,
    language: EditLanguage<'_>,
) -> Result<Vec<Splice>, EditRefusal> {
    let span = spot.span();
    let range = span.start as usize..span.end as usize;
    if text.text[range.clone()] == *edit.to {
        return Ok(Vec::new());
    }
    let code = value_of(&edit.path, &edit.to, language)?;
    let style = text.style();
    let indent = text.indent(spot.whole().start as usize).to_owned();
    Ok(vec![Splice { range, text: style.write(&code, &indent, text) }])
}

/// Converts the code of an edit to the JSON value that is written at the edit's path.
fn value_of(
    path: &CodePath,
    code: &str,
    language: EditLanguage<'_>,
) -> Result<NewJson, EditRefusal> {
    let is_kind = matches!(path.steps.first(), Some(CodeStep::Name(kind)) if (language.labels)(kind).is_some());
    // A path in the syntax of references denotes a block, too.
    let other = declaration_steps(&path.steps).filter(|_| !is_kind);
    let (kinds, name) = kinds_of(other.as_deref().unwrap_or(&path.steps), language);
    code::read(code, &kinds, name, language)
}

/// Returns the names along a path, without labels: the types of the enclosing blocks and, last, the name of the argument, `None`
/// if the path leads to a top-level block. Either may contain names of attributes.
fn kinds_of<'p>(
    steps: &'p [CodeStep],
    language: EditLanguage<'_>,
) -> (Vec<&'p str>, Option<&'p str>) {
    let mut kinds: Vec<&str> = Vec::new();
    let mut labels = 0;
    for step in steps {
        if let CodeStep::Name(name) = step {
            if labels > 0 {
                labels -= 1;
                continue;
            }
            labels = if kinds.is_empty() { (language.labels)(name).unwrap_or(0) } else { 0 };
            kinds.push(name);
        }
    }
    // A block and not an argument, if the last step is its type or a label.
    let name = if kinds.len() > 1 { kinds.pop() } else { None };
    (kinds, name)
}

/// Returns the replacements that remove the JSON value `spot` from its object or list.
pub(crate) fn remove(spot: &JsonSpot) -> Vec<Splice> {
    let Some((parent, at)) = &spot.parent else { return Vec::new() };
    let spans = parts(parent);
    let (own, whole) = (spans[*at], parent.span());
    let range = match (at.checked_sub(1).and_then(|before| spans.get(before)), spans.get(at + 1)) {
        (_, Some(next)) => own.start..next.start,
        (Some(before), None) => before.end..own.end,
        (None, None) => whole.start + 1..whole.end - 1,
    };
    let range = range.start as usize..range.end as usize;
    vec![Splice { range, text: String::new() }]
}

/// Returns the spans of a JSON object's properties, names included, or of a JSON list's elements.
fn parts(whole: &JsonExpr) -> Vec<Span> {
    match whole.view().case() {
        JsonCase::Object(properties) => {
            properties.iter().map(|one| one.name_span.join(one.value.span())).collect()
        }
        JsonCase::Array(items) => items.iter().map(|one| one.span()).collect(),
        _ => Vec::new(),
    }
}

/// Returns the insertions of an `add` edit in a JSON document; `None` if the path does not start in the document.
pub(crate) fn add(
    text: &ParsedText,
    edit: &Edit,
    language: EditLanguage<'_>,
) -> Result<Option<Vec<Splice>>, EditRefusal> {
    let (above, last) = edit.path.split();
    let style = text.style();
    if !matches!(last, CodeStep::Name(_)) {
        let mut outer = all(text, above);
        if let Some(spot) = outer.pop() {
            if !outer.is_empty() {
                return refused(format!("{} matches several places.", written(above)));
            }
            let code = value_of(&edit.path, &edit.to, language)?;
            return in_list(text, &spot, last, &code, &edit.path, &style).map(Some);
        }
    }
    // The deepest existing part of the path gets the rest.
    let named = match last {
        CodeStep::End => above,
        _ => &edit.path.steps[..],
    };
    let mut known = named.len().saturating_sub(1);
    let outer = loop {
        let mut found = all(text, &named[..known]);
        found.retain(|spot| matches!(spot.value.view().case(), JsonCase::Object(_)));
        match found.pop() {
            Some(spot) => break spot,
            None if known == 0 => return Ok(None),
            None => known -= 1,
        }
    };
    if !can_be_added(named, known, language) {
        return match known {
            0 => Ok(None),
            _ => refused(format!(
                "{1} cannot be added, because there is no {0}: add {0} first.",
                written(&named[..named.len() - 1]),
                edit.path
            )),
        };
    }
    let mut code = value_of(&edit.path, &edit.to, language)?;
    if *last == CodeStep::End {
        code = NewJson::Array(vec![code]);
    }
    let mut names = Vec::new();
    for step in &named[known..] {
        let CodeStep::Name(name) = step else { return Ok(None) };
        names.push(name.as_str());
    }
    let (first, inner) = names.split_first().expect("the path goes on");
    for name in inner.iter().rev() {
        code = NewJson::Object(vec![((*name).to_owned(), code)]);
    }
    Ok(Some(in_object(text, &outer.value, first, &code, &style)))
}

/// Returns true if an `add` edit may add the steps of `named` after the first `known`, which lead to an existing object: they
/// are the labels of a block, or the last step alone.
fn can_be_added(named: &[CodeStep], known: usize, language: EditLanguage<'_>) -> bool {
    let Some(CodeStep::Name(kind)) = named.first() else { return false };
    let labels = (language.labels)(kind);
    named.len() == known + 1 && (known > 0 || labels == Some(0) || labels.is_none())
        || labels.is_some_and(|labels| named.len() == labels + 1)
}

/// Returns the insertion of the property `name` at the end of a JSON object.
fn in_object(
    text: &ParsedText,
    object: &JsonExpr,
    name: &str,
    code: &NewJson,
    style: &DocumentStyle,
) -> Vec<Splice> {
    let whole = object.span();
    let close = whole.end as usize - 1;
    let spans = parts(object);
    let Some(last) = spans.last() else {
        let indent = text.indent(whole.start as usize).to_owned();
        let part = style.property(name, code, &format!("{indent}{}", style.unit), text);
        return vec![inside(whole, style.opened(&part, &indent, text))];
    };
    let (start, end) = (last.start as usize, last.end as usize);
    let written = match text.begins_line(start) {
        true => {
            let indent = text.indent(start).to_owned();
            format!(",{}{indent}{}", text.line_end(), style.property(name, code, &indent, text))
        }
        false => {
            let indent = text.indent(close).to_owned();
            format!("{}{}", style.comma, style.property(name, code, &indent, text))
        }
    };
    vec![Splice { range: end..end, text: written }]
}

/// Returns the splice that puts `text` in place of everything between the brackets of the value with the span `whole`.
fn inside(whole: Span, text: String) -> Splice {
    Splice { range: whole.start as usize + 1..whole.end as usize - 1, text }
}

/// Returns the insertion of an element into a JSON list at the step `last`, or after a single block, which becomes the first
/// element of a new list; `path` is the edit's, for error messages.
fn in_list(
    text: &ParsedText,
    spot: &JsonSpot,
    last: &CodeStep,
    code: &NewJson,
    path: &CodePath,
    style: &DocumentStyle,
) -> Result<Vec<Splice>, EditRefusal> {
    let whole = spot.span();
    let at = |at: usize, text: String| Splice { range: at..at, text };
    let spans = match (spot.value.view().case(), last) {
        (JsonCase::Array(_), _) => parts(&spot.value),
        (JsonCase::Object(_), CodeStep::End) => {
            let indent = text.indent(spot.whole().start as usize).to_owned();
            let code = style.write(code, &indent, text);
            return Ok(vec![
                at(whole.start as usize, "[".to_owned()),
                at(whole.end as usize, format!("{}{code}]", style.comma)),
            ]);
        }
        _ => {
            return refused(format!(
                "{} is not a literal list, so nothing can be added to it.",
                written(path.split().0)
            ));
        }
    };
    let before = match last {
        CodeStep::At(number) if *number > spans.len() => {
            return refused(format!(
                "{} has {} elements, so position {number} does not exist.",
                written(path.split().0),
                spans.len()
            ));
        }
        CodeStep::At(number) => spans.get(*number),
        _ => None,
    };
    if let Some(next) = before {
        let start = next.start as usize;
        let indent = text.indent(start).to_owned();
        let code = style.write(code, &indent, text);
        let apart = match text.begins_line(start) {
            true => format!(",{}{indent}", text.line_end()),
            false => style.comma.to_owned(),
        };
        return Ok(vec![at(start, format!("{code}{apart}"))]);
    }
    let Some(last) = spans.last() else {
        let indent = text.indent(whole.start as usize).to_owned();
        let is_flat = style.keeps_lists_flat && code.is_plain();
        let inner = format!("{indent}{}", if is_flat { "" } else { style.unit.as_str() });
        let code = style.write(code, &inner, text);
        let text = if is_flat { code } else { style.opened(&code, &indent, text) };
        return Ok(vec![inside(whole, text)]);
    };
    let (start, end) = (last.start as usize, last.end as usize);
    let indent = text.indent(start).to_owned();
    let code = style.write(code, &indent, text);
    let apart = match text.begins_line(start) {
        true => format!(",{}{indent}", text.line_end()),
        false => style.comma.to_owned(),
    };
    Ok(vec![at(end, format!("{apart}{code}"))])
}

/// Returns true if a text is a JSON document with the top-level property `kind`.
pub(crate) fn has(text: &ParsedText, kind: &str) -> bool {
    !all(text, &[CodeStep::Name(kind.to_owned())]).is_empty()
}
