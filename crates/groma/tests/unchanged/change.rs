//! Changes of code: what may mean something, one token inside of an expression; and what means nothing, another order of
//! blocks or another name for a local value or for what a loop binds.

use groma_syntax::ast::{ExprCase, ExprView, TemplatePart};
use groma_syntax::{Body, BodyItem, Expr, FileId, Parse, Span, parse_file};

use crate::dice::Dice;
use crate::roots::{Files, is_code};

fn parsed(text: &str) -> Option<Parse> {
    let parse = parse_file(&text.into(), FileId(0));
    parse.diagnostics.is_empty().then_some(parse)
}

/// The expressions of a body and of the blocks in it.
fn expressions(body: &Body, found: &mut Vec<Expr>) {
    for item in body.items() {
        match item {
            BodyItem::Argument(argument) => found.push(argument.expr),
            BodyItem::Block(block) => expressions(&block.body, found),
        }
    }
}

/// The tokens of all expressions of a file: where they stand.
fn tokens(text: &str) -> Vec<Span> {
    let Some(parse) = parsed(text) else { return Vec::new() };
    let mut found = Vec::new();
    expressions(&Body::of(&parse), &mut found);
    let spans: Vec<Span> = found.iter().map(Expr::span).collect();
    let is_inside =
        |one: &Span| spans.iter().any(|span| span.start <= one.start && one.end <= span.end);
    let all = parse.tree.tokens().iter().map(|token| token.span());
    all.filter(is_inside).filter(|span| !span.of(text).trim().is_empty()).collect()
}

/// Tokens that may stand in the place of each other.
const ALIKE: [&[&str]; 9] = [
    &["==", "!="],
    &["<", ">", "<=", ">="],
    &["&&", "||"],
    &["+", "-", "*", "/", "%"],
    &["true", "false"],
    &[
        "upper",
        "lower",
        "title",
        "trimspace",
        "chomp",
        "strrev",
        "sha1",
        "tostring",
        "nonsensitive",
    ],
    &["reverse", "sort", "distinct", "compact", "flatten", "tolist", "toset", "one"],
    &["abs", "ceil", "floor", "signum", "tonumber"],
    &["min", "max", "coalesce", "try", "concat", "setunion", "setintersection", "merge"],
];

/// Another token in the place of the one at a position.
fn other(all: &[&str], at: usize, dice: &mut Dice) -> String {
    let old = all[at];
    if let Ok(number) = old.parse::<u64>() {
        return number.wrapping_add(1 + dice.roll(2) as u64).to_string();
    }
    if let Some(alike) = ALIKE.iter().find(|alike| alike.contains(&old)) {
        return alike[dice.roll(alike.len())].to_owned();
    }
    let before = |at: usize| (at > 1).then(|| (all[at - 2], all[at - 1]));
    let is_name = |text: &str| text.starts_with(|c: char| c.is_alphabetic() || c == '_');
    match (before(at), dice.roll(8)) {
        (Some((_, ".")), 1..) => {
            // Something else that stands behind the same name.
            let rest: Vec<&str> = (0..all.len())
                .filter(|other| before(*other) == before(at))
                .map(|other| all[other])
                .collect();
            rest[dice.roll(rest.len())].to_owned()
        }
        (_, 0) => format!("{old} "),
        (_, 1) => old.to_uppercase(),
        (_, 2) => old.replacen(' ', "  ", 1),
        (_, 3) if is_name(old) => all[dice.roll(all.len())].to_owned(),
        _ => {
            let at = old.char_indices().nth(dice.roll(old.chars().count())).map_or(0, |(at, _)| at);
            format!("{}{}{}", &old[..at], ["x", " ", "0", "-"][dice.roll(4)], &old[at..])
        }
    }
}

/// The files with one token inside of an expression replaced.
pub(crate) fn mutated(files: &Files, dice: &mut Dice) -> Option<Files> {
    let code: Vec<usize> =
        files.iter().enumerate().filter(|(_, (name, _))| is_code(name)).map(|(at, _)| at).collect();
    let file = *code.get(dice.roll(code.len()))?;
    let text = &files[file].1;
    let spans = tokens(text);
    let all: Vec<&str> = spans.iter().map(|span| span.of(text)).collect();
    // What is only there for the parser says little.
    let is_telling = |at: &usize| {
        !["(", ")", "[", "]", "{", "}", ",", ".", "\"", "${", "=", ":"].contains(&all[*at])
    };
    let telling: Vec<usize> = (0..all.len()).filter(is_telling).collect();
    for _ in 0..3 {
        let at = *telling.get(dice.roll(telling.len()))?;
        let new = other(&all, at, dice);
        if new == all[at] {
            continue;
        }
        let mut changed = files.clone();
        changed[file].1.replace_range(spans[at].start as usize..spans[at].end as usize, &new);
        return Some(changed);
    }
    None
}

/// What stands for a name in a renamed file; no case says it.
const FRESH: &str = "q9z";

fn replaced(text: &str, mut spans: Vec<Span>) -> String {
    spans.sort_by_key(|span| std::cmp::Reverse(span.start));
    spans.dedup();
    let mut text = text.to_owned();
    for span in spans {
        text.replace_range(span.start as usize..span.end as usize, FRESH);
    }
    text
}

fn folder(name: &str) -> &str {
    name.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// The files with a local value called otherwise.
pub(crate) fn with_renamed_local(files: &Files, dice: &mut Dice) -> Option<Files> {
    let mut locals: Vec<(&str, String)> = Vec::new();
    for (name, text) in files.iter().filter(|(name, _)| is_code(name)) {
        for item in Body::of(&parsed(text)?).items() {
            if let BodyItem::Block(block) = item
                && &*block.kind.text == "locals"
            {
                let all = block.body.items().into_iter().filter_map(|item| match item {
                    BodyItem::Argument(argument) => Some(argument.name.text.to_string()),
                    BodyItem::Block(_) => None,
                });
                locals.extend(all.map(|local| (folder(name), local)));
            }
        }
    }
    let (home, local) = locals.get(dice.roll(locals.len()))?.clone();
    let mut changed = files.clone();
    for (_, text) in changed.iter_mut().filter(|(name, _)| is_code(name) && folder(name) == home) {
        let parse = parsed(text)?;
        let mut all = Vec::new();
        expressions(&Body::of(&parse), &mut all);
        let mut found: Vec<Span> = Vec::new();
        for expr in &all {
            if let Expr::Native(native) = expr {
                references(native.view(), &local, &mut found);
            }
        }
        for item in Body::of(&parse).items() {
            if let BodyItem::Block(block) = item
                && &*block.kind.text == "locals"
            {
                found.extend(block.body.items().into_iter().filter_map(|item| match item {
                    BodyItem::Argument(argument) if *argument.name.text == *local => {
                        Some(argument.name.span)
                    }
                    _ => None,
                }));
            }
        }
        *text = replaced(text, found);
    }
    Some(changed)
}

/// Where an expression names a local value.
fn references(view: ExprView<'_>, local: &str, found: &mut Vec<Span>) {
    let case = view.case();
    match &case {
        ExprCase::Attribute { object, name, name_span, .. }
            if *name == local && matches!(object.case(), ExprCase::Root("local")) =>
        {
            found.push(*name_span);
        }
        _ => case.inner(|one| references(one, local, found)),
    }
}

/// The files with a name that a loop binds called otherwise.
pub(crate) fn with_renamed_loop(files: &Files, dice: &mut Dice) -> Option<Files> {
    let mut all: Vec<(usize, Vec<Span>)> = Vec::new();
    for (number, (_, text)) in files.iter().enumerate().filter(|(_, (name, _))| is_code(name)) {
        let mut found = Vec::new();
        expressions(&Body::of(&parsed(text)?), &mut found);
        for expr in &found {
            let Expr::Native(native) = expr else { continue };
            let mut loops = Vec::new();
            bindings(native.view(), &mut loops);
            all.extend(loops.into_iter().map(|spans| (number, spans)));
        }
    }
    let (file, spans) = all.get(dice.roll(all.len()))?.clone();
    let mut changed = files.clone();
    changed[file].1 = replaced(&files[file].1, spans);
    Some(changed)
}

/// Each name that a loop in the expression binds: where it is bound and said.
fn bindings(view: ExprView<'_>, found: &mut Vec<Vec<Span>>) {
    let case = view.case();
    if let ExprCase::For(each) = &case {
        for (name, span) in each.key_name.into_iter().chain([each.value_name]) {
            let mut spans = vec![span];
            let body = each.key.into_iter().chain([each.value]).chain(each.condition);
            body.for_each(|one| said(one, name, &mut spans));
            found.push(spans);
        }
    }
    if let ExprCase::Template(template) = &case {
        of_template(&template.parts(), found);
    }
    case.inner(|one| bindings(one, found));
}

fn of_template(parts: &[TemplatePart<'_>], found: &mut Vec<Vec<Span>>) {
    for part in parts {
        match part {
            TemplatePart::For { key_name, value_name, body, .. } => {
                for (name, span) in key_name.iter().chain([value_name]) {
                    let mut spans = vec![*span];
                    said_in(body, name, &mut spans);
                    found.push(spans);
                }
                of_template(body, found);
            }
            TemplatePart::If { then, otherwise, .. } => {
                of_template(then, found);
                of_template(otherwise.as_deref().unwrap_or_default(), found);
            }
            TemplatePart::Literal { .. } | TemplatePart::Interpolation { .. } => {}
        }
    }
}

/// Where an expression says a name that is bound around it.
fn said(view: ExprView<'_>, name: &str, spans: &mut Vec<Span>) {
    let case = view.case();
    match &case {
        ExprCase::Root(own) if *own == name => spans.push(view.span()),
        ExprCase::For(each) => {
            said(each.collection, name, spans);
            let bound = each.key_name.into_iter().chain([each.value_name]);
            if bound.into_iter().all(|(own, _)| own != name) {
                let body = each.key.into_iter().chain([each.value]).chain(each.condition);
                body.for_each(|one| said(one, name, spans));
            }
        }
        ExprCase::Object(items) => {
            for item in items {
                // A bare name is a name, whatever is bound.
                if !matches!(item.key.case(), ExprCase::Root(_)) {
                    said(item.key, name, spans);
                }
                said(item.value, name, spans);
            }
        }
        ExprCase::Template(template) => said_in(&template.parts(), name, spans),
        _ => case.inner(|one| said(one, name, spans)),
    }
}

fn said_in(parts: &[TemplatePart<'_>], name: &str, spans: &mut Vec<Span>) {
    for part in parts {
        match part {
            TemplatePart::Literal { .. } => {}
            TemplatePart::Interpolation { expr, .. } => said(*expr, name, spans),
            TemplatePart::If { condition, then, otherwise, .. } => {
                said(*condition, name, spans);
                said_in(then, name, spans);
                said_in(otherwise.as_deref().unwrap_or_default(), name, spans);
            }
            TemplatePart::For { key_name, value_name, collection, body, .. } => {
                said(*collection, name, spans);
                let mut bound = key_name.iter().chain([value_name]);
                if bound.all(|(own, _)| *own != name) {
                    said_in(body, name, spans);
                }
            }
        }
    }
}

/// The blocks of a file, whole lines each, the last first; nothing where something stands between them.
pub(crate) fn reversed(text: &str) -> Option<String> {
    let parse = parse_file(&text.into(), FileId(0));
    if !parse.diagnostics.is_empty() || text.contains('\r') {
        return None;
    }
    let mut blocks: Vec<Vec<&str>> = vec![Vec::new()];
    let (mut depth, mut in_heredoc) = (0_i32, None::<String>);
    for line in text.lines() {
        if let Some(end) = &in_heredoc {
            if line.trim() == end {
                in_heredoc = None;
            }
        } else if let Some((_, marker)) = line.split_once("<<") {
            in_heredoc = Some(marker.trim_start_matches('-').trim().to_owned());
        }
        if depth == 0
            && in_heredoc.is_none()
            && line.ends_with('{')
            && !line.starts_with([' ', '#', '/'])
        {
            blocks.push(Vec::new());
        }
        if in_heredoc.is_none() {
            let count = |wanted: char| line.chars().filter(|c| *c == wanted).count() as i32;
            depth += count('{') - count('}');
        }
        blocks.last_mut()?.push(line);
    }
    blocks.reverse();
    Some(blocks.concat().join("\n") + "\n")
}
