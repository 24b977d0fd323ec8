//! Insertion of new code after existing code of its kind, with the indentation and commas of its surroundings.

use groma_format::format;
use groma_syntax::ast::ExprCase;
use groma_syntax::{Block, BodyItem, Expr, TokenKind, is_identifier};
use groma_unicode::quoted_template;

use crate::find_path::{FoundPath, all, attributes, bare, elements, one};
use crate::inserted_item::InsertedItem;
use crate::json;
use crate::path::{CodePath, CodeStep, declaration_steps, written};
use crate::requests::Edit;
use crate::step::readable;
use crate::text::{ParsedText, Splice, forms, only_item, shifted};
use crate::{EditLanguage, EditRefusal, SourceText, refused};

/// Returns the code of an expression in the formatter's layout; refuses code that is not a single expression.
pub(crate) fn expression(code: &str) -> Result<String, EditRefusal> {
    let text = ParsedText::of(format!("x = {code}\n"));
    if let Some(first) = text.parse.diagnostics.first() {
        return refused(format!("`{code}` is not an expression: {}", first.detail));
    }
    match only_item(&text) {
        Some(BodyItem::Argument(argument)) if argument.expr.text().trim() == code => {}
        _ => return refused(format!("`{code}` is not one expression.")),
    }
    let laid = formatted(&text);
    Ok(laid["x = ".len()..].trim_end().to_owned())
}

/// Returns the code of a parsed text in the formatter's layout.
fn formatted(text: &ParsedText) -> String {
    match format(&text.parse, forms("")) {
        Ok(Some(laid)) => laid,
        _ => text.text.to_string(),
    }
}

/// Returns the code of a block in the formatter's layout; `head` is its header, and `code` its body with braces.
fn block_code(head: &str, code: &str) -> Result<String, EditRefusal> {
    let text = ParsedText::of(format!("{head} {code}\n"));
    if let Some(first) = text.parse.diagnostics.first() {
        return refused(format!(
            "`{code}` is not the body of a block with its braces: {}",
            first.detail
        ));
    }
    match only_item(&text) {
        Some(BodyItem::Block(block)) if block.span.len() as usize + 1 == text.text.len() => {
            Ok(formatted(&text).trim_end().to_owned())
        }
        _ => refused(format!("`{code}` is not the body of a block with its braces.")),
    }
}

/// Returns code with the line endings of a text, in which all lines but the first are indented by `indent`.
pub(crate) fn placed(text: &ParsedText, code: &str, indent: &str) -> String {
    shifted(code, indent, text.line_end())
}

/// Returns the index of the text that an `add` edit changes, and the insertions in that text.
pub(crate) fn add(
    files: &[SourceText],
    texts: &[ParsedText],
    edit: &Edit,
    language: EditLanguage<'_>,
) -> Result<(usize, Vec<Splice>), EditRefusal> {
    let (above, last) = edit.path.split();
    let found = all(texts, &edit.path.steps);
    if let (Some(_), CodeStep::Name(_)) = (found.first(), last) {
        return refused(format!("{} exists already: use set.", edit.path));
    }
    let outer = if above.is_empty() { Vec::new() } else { all(texts, above) };
    let in_document = outer.iter().find(|(_, target)| matches!(target, FoundPath::Json(_)));
    if let Some((file, _)) = in_document {
        readable(&texts[*file], &files[*file].name)?;
        if let Some(splices) = in_json(&texts[*file], edit, language)? {
            return Ok((*file, splices));
        }
    }
    let is_value = |target: &FoundPath| !matches!(target, FoundPath::Block(_));
    if let [(file, target)] = &outer[..]
        && is_value(target)
    {
        readable(&texts[*file], &files[*file].name)?;
        let splices = in_value(&texts[*file], target, edit)?;
        return Ok((*file, splices));
    }
    let is_of_blocks = outer.iter().all(|(_, target)| !is_value(target));
    if let Some(added) = labelled(files, texts, edit, language)? {
        return Ok(added);
    }
    match last {
        CodeStep::End if is_of_blocks => repeated(files, texts, edit, language),
        CodeStep::Name(name) if !outer.is_empty() && is_of_blocks => {
            match inner_labels(above, name, language) {
                None => {}
                Some(0) => return in_block(files, texts, above, name, edit),
                Some(_) => {
                    return refused(format!(
                        "`{name}` is a block with a label: add {}[\"LABEL\"] with {{ … }}.",
                        edit.path
                    ));
                }
            }
            let code = expression(&edit.to)?;
            // If several blocks contain such declarations together, as `locals` do, the last one gets it.
            let are_alike = (language.labels)(&word_of(above)) == Some(0) && above.len() == 1;
            let (file, target) = match outer.last() {
                Some(last) if are_alike => last.clone(),
                _ => one(files, texts, above)?,
            };
            let FoundPath::Block(block) = target else { return refused(no_place_message(edit)) };
            if !is_identifier(name) {
                return refused(format!("`{name}` is not a valid name of an argument."));
            }
            readable(&texts[file], &files[file].name)?;
            Ok((file, argument(&texts[file], &block, name, &code)))
        }
        CodeStep::Name(_) => top(files, texts, edit, language),
        CodeStep::At(_) | CodeStep::End | CodeStep::Each(_) => {
            // Reports why the path matches nothing.
            one(files, texts, above)?;
            refused(no_place_message(edit))
        }
    }
}

/// Returns the block types in a path, outermost first; `None` if the path does not lead to a block.
fn kinds<'s>(steps: &'s [CodeStep], language: EditLanguage<'_>) -> Option<Vec<&'s str>> {
    let mut kinds: Vec<&str> = Vec::new();
    let mut rest = steps.iter().filter_map(|step| match step {
        CodeStep::Name(name) => Some(name.as_str()),
        CodeStep::At(_) | CodeStep::End | CodeStep::Each(_) => None,
    });
    while let Some(kind) = rest.next() {
        let labels = match kinds.is_empty() {
            true => (language.labels)(kind),
            false => (language.inner_labels)(&kinds, kind),
        };
        for _ in 0..labels? {
            rest.next()?;
        }
        kinds.push(kind);
    }
    Some(kinds)
}

/// Returns the number of labels of nested blocks of the type `kind` in the block at the path `above`; `None` if that is not a
/// block type there.
fn inner_labels(above: &[CodeStep], kind: &str, language: EditLanguage<'_>) -> Option<usize> {
    let declaration =
        declaration_steps(above).filter(|_| (language.labels)(&word_of(above)).is_none());
    let around = kinds(declaration.as_deref().unwrap_or(above), language)?;
    (language.inner_labels)(&around, kind)
}

/// Returns the insertion of a block with the header `head` into the block at the path `outer`, and the index of the text.
fn in_block(
    files: &[SourceText],
    texts: &[ParsedText],
    outer: &[CodeStep],
    head: &str,
    edit: &Edit,
) -> Result<(usize, Vec<Splice>), EditRefusal> {
    let (file, target) = one(files, texts, outer)?;
    let FoundPath::Block(block) = target else { return refused(no_place_message(edit)) };
    let code = block_code(head, &edit.to)?;
    Ok((file, inner_block(&texts[file], &block, &code)))
}

/// Returns the insertion of a labelled block into another block, with the index of the text, for a path that ends in
/// `kind["label"]`, possibly with `[]`; `None` for any other path.
fn labelled(
    files: &[SourceText],
    texts: &[ParsedText],
    edit: &Edit,
    language: EditLanguage<'_>,
) -> Result<Option<(usize, Vec<Splice>)>, EditRefusal> {
    let steps = edit.path.steps.strip_suffix(&[CodeStep::End]).unwrap_or(&edit.path.steps);
    let [outer @ .., CodeStep::Name(kind), CodeStep::Name(label)] = steps else { return Ok(None) };
    let is_meant = !outer.is_empty()
        && inner_labels(outer, kind, language) == Some(1)
        && all(texts, outer).iter().any(|(_, target)| matches!(target, FoundPath::Block(_)));
    if !is_meant {
        return Ok(None);
    }
    let head = format!("{kind} {}", quoted_template(label));
    in_block(files, texts, outer, &head, edit).map(Some)
}

/// Returns the insertions of an `add` edit in a JSON document; `None` if its path does not lead into the document.
fn in_json(
    text: &ParsedText,
    edit: &Edit,
    language: EditLanguage<'_>,
) -> Result<Option<Vec<Splice>>, EditRefusal> {
    let (above, _) = edit.path.split();
    let known = json::all(text, above);
    match declaration_steps(&edit.path.steps).filter(|_| known.is_empty()) {
        Some(steps) => {
            let path = CodePath { steps };
            json::add(text, &Edit { path, ..edit.clone() }, language)
        }
        None => json::add(text, edit, language),
    }
}

/// Returns the message that refuses an `add` edit because nothing can be added at its path.
fn no_place_message(edit: &Edit) -> String {
    format!("Nothing can be added at {}.", edit.path)
}

/// Returns the block type to which the first step of a path refers, such as `locals` for `local`; empty if the step is not a
/// name.
fn word_of(steps: &[CodeStep]) -> String {
    match steps.first() {
        Some(CodeStep::Name(name)) if name == "local" => "locals".to_owned(),
        Some(CodeStep::Name(name)) => name.clone(),
        _ => String::new(),
    }
}

/// Returns the insertion of one more block of a type, for a path that ends in `kind[]`, and the index of the text.
fn repeated(
    files: &[SourceText],
    texts: &[ParsedText],
    edit: &Edit,
    language: EditLanguage<'_>,
) -> Result<(usize, Vec<Splice>), EditRefusal> {
    let (above, _) = edit.path.split();
    let Some((CodeStep::Name(kind), outer)) = above.split_last() else {
        return refused(no_place_message(edit));
    };
    let head = |name: &str| match is_identifier(name) {
        true => Ok(name.to_owned()),
        false => refused(format!("`{name}` is not a valid block type.")),
    };
    if !outer.is_empty() && !all(texts, outer).is_empty() {
        let (file, target) = one(files, texts, outer)?;
        let FoundPath::Block(block) = target else { return refused(no_place_message(edit)) };
        readable(&texts[file], &files[file].name)?;
        let code = block_code(&head(kind)?, &edit.to)?;
        return Ok((file, inner_block(&texts[file], &block, &code)));
    }
    at_top(files, texts, above, edit, language)
}

/// Returns the insertion of a top-level block, or of an argument of a variable file, and the index of the text.
fn top(
    files: &[SourceText],
    texts: &[ParsedText],
    edit: &Edit,
    language: EditLanguage<'_>,
) -> Result<(usize, Vec<Splice>), EditRefusal> {
    let holds_values = |name: &str| {
        let name = name.strip_suffix(".json").unwrap_or(name);
        name.ends_with(".tfvars") || name.ends_with(".pkrvars.hcl") || name.ends_with(".pkrvars")
    };
    if let ([file], [CodeStep::Name(name)]) = (files, &edit.path.steps[..])
        && holds_values(&file.name)
    {
        readable(&texts[0], &file.name)?;
        if texts[0].json.is_some() {
            let added = json::add(&texts[0], edit, language)?;
            return added
                .map_or_else(|| refused(no_place_message(edit)), |splices| Ok((0, splices)));
        }
        let text = &texts[0];
        let code = format!("{name} = {}", placed(text, &expression(&edit.to)?, ""));
        return Ok((0, vec![at_end(text, &code, false)]));
    }
    at_top(files, texts, &edit.path.steps, edit, language)
}

/// Returns the insertion of a top-level block with the type and labels that `steps` names, and the index of the text.
fn at_top(
    files: &[SourceText],
    texts: &[ParsedText],
    steps: &[CodeStep],
    edit: &Edit,
    language: EditLanguage<'_>,
) -> Result<(usize, Vec<Splice>), EditRefusal> {
    let mut steps = steps.to_vec();
    if (language.labels)(&word_of(&steps)).is_none()
        && let Some(other) = declaration_steps(&steps)
    {
        steps = other;
    }
    if let Some(CodeStep::Name(first)) = steps.first_mut()
        && first == "local"
    {
        *first = "locals".to_owned();
    }
    let kind = word_of(&steps);
    let names: Vec<&str> = steps[1..]
        .iter()
        .filter_map(|step| match step {
            CodeStep::Name(name) => Some(name.as_str()),
            _ => None,
        })
        .collect();
    let wanted = (language.labels)(&kind);
    if names.len() + 1 != steps.len() || wanted != Some(names.len()) {
        // Part of a missing declaration.
        let outer = wanted.filter(|count| steps.len() > count + 1).map(|count| &steps[..=count]);
        return refused(match outer {
            Some(outer) => format!(
                "{1} cannot be added, because there is no {0}: add {0} first, with {{ … }}.",
                written(outer),
                edit.path
            ),
            None => no_place_message(edit),
        });
    }
    let of_kind = |text: &ParsedText| {
        let items = groma_syntax::Body::of(&text.parse).items();
        json::has(text, &kind)
            || items
                .iter()
                .any(|item| matches!(item, BodyItem::Block(block) if *block.kind.text == *kind))
    };
    let main = || files.iter().position(|file| file.name.rsplit('/').next() == Some("main.tf"));
    let file = texts.iter().rposition(of_kind).or_else(main);
    let file = file.or_else(|| (files.len() == 1).then_some(0));
    if let Some(file) = file {
        readable(&texts[file], &files[file].name)?;
    }
    if let Some(file) = file
        && texts[file].json.is_some()
    {
        let last = edit.path.split().1;
        let end = (*last == CodeStep::End).then_some(CodeStep::End);
        let path = CodePath { steps: steps.iter().cloned().chain(end).collect() };
        let added = json::add(&texts[file], &Edit { path, ..edit.clone() }, language)?;
        return match added {
            Some(splices) => Ok((file, splices)),
            None => refused(no_place_message(edit)),
        };
    }
    let mut head = kind.clone();
    for name in names {
        head.push(' ');
        head.push_str(&quoted_template(name));
    }
    let code = block_code(&head, &edit.to)?;
    let Some(file) = file else {
        return refused(format!(
            "No file has a `{kind}` block, and there is no main.tf: name the file to add {} to.",
            edit.path
        ));
    };
    let text = &texts[file];
    Ok((file, vec![at_end(text, &placed(text, &code, ""), true)]))
}

/// Returns the insertion of code at the end of a text; with `apart`, an empty line precedes it.
fn at_end(text: &ParsedText, code: &str, apart: bool) -> Splice {
    let end = text.text.len();
    let line_end = text.line_end();
    let is_ended = text.text.is_empty() || text.text.ends_with('\n');
    let mut out = String::new();
    if !is_ended {
        out.push_str(line_end);
    }
    if apart && !text.text.trim().is_empty() {
        out.push_str(line_end);
    }
    out.push_str(code);
    if is_ended {
        out.push_str(line_end);
    }
    Splice { range: end..end, text: out }
}

/// Returns the insertion of a block, after an empty line, behind the code that ends at the offset `at` of a file in native
/// syntax.
pub fn behind(file: &SourceText, at: usize, code: &str) -> Splice {
    let text = ParsedText::of(file.text.clone());
    let at = text.next_line(at);
    if at == text.text.len() {
        return at_end(&text, &placed(&text, code, ""), true);
    }
    let end = text.line_end();
    Splice { range: at..at, text: format!("{end}{}{end}", placed(&text, code, "")) }
}

/// Returns the offsets of the opening and closing brace of a block.
fn braces(text: &ParsedText, block: &Block) -> (usize, usize) {
    let from = text.token_from(block.header.end as usize);
    let mut tokens = text.parse.tree.tokens().from(from).iter();
    let open = tokens.find(|token| token.kind() == TokenKind::OpenBrace);
    let open = open.map_or(block.header.end, |token| token.span().start);
    (open as usize, block.span.end as usize - 1)
}

/// Returns the replacements that split a block on a single line into lines and add a line with `code`; `None` if the block has
/// several lines already.
fn on_lines(text: &ParsedText, block: &Block, code: &str) -> Option<Vec<Splice>> {
    let (open, close) = braces(text, block);
    let inside = &text.text[open + 1..close];
    if inside.contains('\n') {
        return None;
    }
    let (indent, end) = (text.indent(open), text.line_end());
    let code = placed(text, code, &format!("{indent}  "));
    let trimmed = inside.trim();
    if trimmed.is_empty() {
        let text = format!("{end}{indent}  {code}{end}{indent}");
        return Some(vec![Splice { range: open + 1..close, text }]);
    }
    let first = open + 1 + (inside.len() - inside.trim_start().len());
    Some(vec![
        Splice { range: open + 1..first, text: format!("{end}{indent}  ") },
        Splice {
            range: first + trimmed.len()..close,
            text: format!("{end}{indent}  {code}{end}{indent}"),
        },
    ])
}

/// Returns the insertion of the argument `name = code` into a block.
fn argument(text: &ParsedText, block: &Block, name: &str, code: &str) -> Vec<Splice> {
    if let Some(opened) = on_lines(text, block, &format!("{name} = {code}")) {
        return opened;
    }
    let (open, close) = braces(text, block);
    let end = text.line_end();
    let items = block.body.items();
    let last = items.iter().rev().find_map(|item| match item {
        BodyItem::Argument(argument) => Some(argument),
        BodyItem::Block(_) => None,
    });
    let at = |at: usize, text: String| vec![Splice { range: at..at, text }];
    if let Some(last) = last {
        let start = last.span.start as usize;
        let indent = text.indent(start);
        // The equals sign is aligned with that of the previous line, if the name leaves room.
        let signed = text.token_from(last.name.span.end as usize);
        let sign = text.parse.tree.tokens().get(signed);
        let sign = sign.map_or(start + 1, |token| token.span().start as usize);
        let width = if last.expr.text().contains('\n') { 0 } else { sign - start - 1 };
        let code = format!("{name:width$} = {}", placed(text, code, indent));
        return at(text.next_line(last.span.end as usize), format!("{indent}{code}{end}"));
    }
    let indent = format!("{}  ", text.indent(open));
    let code = format!("{indent}{name} = {}{end}", placed(text, code, &indent));
    match items.is_empty() {
        true => at(text.line_start(close), code),
        false => at(text.next_line(open + 1), format!("{code}{end}")),
    }
}

/// Returns the insertion of a nested block with the given code into a block.
fn inner_block(text: &ParsedText, block: &Block, code: &str) -> Vec<Splice> {
    if let Some(opened) = on_lines(text, block, code) {
        return opened;
    }
    let (open, close) = braces(text, block);
    let end = text.line_end();
    let indent = format!("{}  ", text.indent(open));
    let apart = if block.body.items().is_empty() { "" } else { end };
    let code = format!("{apart}{indent}{}{end}", placed(text, code, &indent));
    let at = text.line_start(close);
    vec![Splice { range: at..at, text: code }]
}

/// Returns the insertion of an attribute into an object or of an element into a list; `target` is the argument or part that
/// contains it.
fn in_value(
    text: &ParsedText,
    target: &FoundPath,
    edit: &Edit,
) -> Result<Vec<Splice>, EditRefusal> {
    let code = expression(&edit.to)?;
    let Some(expr) = target.expr() else { return refused(no_place_message(edit)) };
    let Expr::Native(native) = &expr else { return refused(no_place_message(edit)) };
    let (above, last) = edit.path.split();
    let view = bare(native.view());
    let (is_object, count) = match view.case() {
        ExprCase::Object(items) => (true, items.len()),
        ExprCase::Tuple(items) => (false, items.len()),
        _ => {
            return refused(format!(
                "{} is not a literal object or list, so nothing can be added to it.",
                written(above)
            ));
        }
    };
    let at = position(last, is_object, count, &written(above))?;
    let spans: Vec<(usize, usize)> = match is_object {
        true => attributes(&expr)
            .iter()
            .map(|item| (item.key.span().start as usize, item.value.span().end as usize))
            .collect(),
        false => elements(&expr)
            .iter()
            .map(|item| (item.span().start as usize, item.span().end as usize))
            .collect(),
    };
    let head = match last {
        CodeStep::Name(name) => key(text, &expr, name),
        _ => String::new(),
    };
    let span = view.span();
    let (open, close) = (span.start as usize, span.end as usize - 1);
    let item = InsertedItem { text, open, close, is_object, head, code };
    Ok(match (spans.get(at), spans.is_empty()) {
        (Some((start, _)), _) => vec![item.before(*start)],
        (None, true) => vec![item.alone()],
        (None, false) => item.behind(&spans),
    })
}

/// Returns the index at which an `add` edit inserts into an object, if `is_object`, or a list with `count` items, by the last
/// step of its path; `whose` is how error messages call the object or list.
fn position(
    last: &CodeStep,
    is_object: bool,
    count: usize,
    whose: &str,
) -> Result<usize, EditRefusal> {
    match last {
        CodeStep::End if !is_object => Ok(count),
        CodeStep::At(at) if !is_object && *at <= count => Ok(*at),
        CodeStep::At(at) if !is_object => refused(format!(
            "{whose} has {count} elements, so position {at} does not exist; {whose}[] adds after the last one."
        )),
        CodeStep::Name(_) if is_object => Ok(count),
        _ if is_object => refused(format!("{whose} is an object: name an attribute.")),
        _ => refused(format!("{whose} is a list: use [] to add after its last element.")),
    }
}

/// Returns the name of a new attribute with `=` or `:`, in the style of the last attribute of the object.
fn key(text: &ParsedText, expr: &Expr, name: &str) -> String {
    let items = attributes(expr);
    let last = items.last();
    let is_quoted = last.is_some_and(|item| matches!(item.key.case(), ExprCase::Template(_)));
    let name =
        if is_identifier(name) && !is_quoted { name.to_owned() } else { quoted_template(name) };
    let colon = last.is_some_and(|item| {
        let between = item.key.span().end as usize..item.value.span().start as usize;
        text.text[between].trim_start().starts_with(':')
    });
    if colon { format!("{name}: ") } else { format!("{name} = ") }
}
