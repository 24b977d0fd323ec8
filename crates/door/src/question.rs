//! Answers to questions: each is the JSON document that the command of the same name prints. No question writes a file.

use std::sync::Arc;

use groma::edit::{self, EditContext, SourceText, read_edits};
use groma::json::{JsonLayout, JsonObject, JsonText};
use groma::{
    Budget, Diagnostics, ExpressionValues, LoadPurpose, PlanOptions, Snapshot,
    folders::{FileKind, is_ignored},
    hosts::{EntryKind, file_path},
    packer::is_template,
    rules::RuleSwitches,
};
use groma_document::{
    DeclaredNames, ParsedText, graph, write_evaluated, write_listed, write_outputs, write_syntax,
};
use groma_format::OlderForms;
use groma_report::Report;
use groma_syntax::{Sources, parse_file};

use crate::open_root::OpenRoot;
use crate::request::{
    AstQuestion, DiffQuestion, DoorError, DoorQuestion, EditQuestion, EvalQuestion, FmtQuestion,
    HandleNumber, WhyQuestion,
};
use crate::template_question;

/// Looks up the other root that a question names by its handle.
type OtherRoot<'d> = &'d dyn Fn(HandleNumber) -> Result<Arc<OpenRoot>, DoorError>;

/// Returns the answer to a question as JSON on one line.
pub(crate) fn answer(
    root: &OpenRoot,
    question: DoorQuestion,
    begun: &dyn Fn(&Budget),
    other: OtherRoot<'_>,
) -> Result<String, DoorError> {
    if root.is_template() {
        return template_question::answer(root, question, begun);
    }
    let purpose = purpose(&question);
    let of_snapshot = |write: &dyn Fn(&Snapshot, &mut JsonText<'_>) -> Result<(), DoorError>| {
        root.with_snapshot(purpose, begun, |snapshot| {
            let mut out = JsonText::new(JsonLayout::Compact);
            write(snapshot, &mut out)?;
            Ok(out.into_string())
        })
    };
    match question {
        DoorQuestion::Check => of_snapshot(&|snapshot, out| {
            let mut checked = snapshot.checked();
            checked.take_in(snapshot.lint(&RuleSwitches::default()));
            Report::of(checked).write_json(out);
            Ok(())
        }),
        DoorQuestion::Plan => of_snapshot(&|snapshot, out| {
            snapshot.plan(PlanOptions::default()).write_json(out);
            Ok(())
        }),
        DoorQuestion::Eval(asked) => root.with_recorded(begun, |snapshot| {
            let mut out = JsonText::new(JsonLayout::Compact);
            eval(snapshot, &asked, &mut out);
            Ok(out.into_string())
        }),
        DoorQuestion::Why(WhyQuestion { address }) => root.with_recorded(begun, |snapshot| {
            let tree = snapshot.why(&address).value;
            let tree = tree.map_err(|why| DoorError::new("no-such-address", why.detail))?;
            Ok(snapshot.why_json(&tree))
        }),
        DoorQuestion::Outputs => root.with_recorded(begun, |snapshot| {
            let mut out = JsonText::new(JsonLayout::Compact);
            write_outputs(&snapshot.outputs().value, &mut out);
            Ok(out.into_string())
        }),
        DoorQuestion::List => of_snapshot(&|snapshot, out| {
            write_listed(snapshot, &snapshot.evaluation().instances(&mut Diagnostics::new()), out);
            Ok(())
        }),
        DoorQuestion::Resources => of_snapshot(&|snapshot, out| {
            write_listed(snapshot, &snapshot.resources().value, out);
            Ok(())
        }),
        DoorQuestion::Graph => of_snapshot(&|snapshot, out| {
            let project = snapshot.project();
            graph::write_json(&project.references(), project.sources(), out);
            Ok(())
        }),
        DoorQuestion::Ast(asked) => of_snapshot(&|snapshot, out| ast(root, snapshot, &asked, out)),
        DoorQuestion::Diff(asked) => diff(root, &asked, begun, other),
        DoorQuestion::Fmt(asked) => fmt(root, &asked),
        DoorQuestion::Edit(asked) => edit(root, &asked),
    }
}

/// Returns the purpose for which a root is loaded to answer a question.
pub(crate) fn purpose(question: &DoorQuestion) -> LoadPurpose {
    match question {
        DoorQuestion::Check => LoadPurpose::Check,
        DoorQuestion::Plan => LoadPurpose::Plan,
        _ => LoadPurpose::Evaluate,
    }
}

/// Writes the object that `groma eval --full` prints, in which errors are a part.
fn eval(snapshot: &Snapshot, asked: &EvalQuestion, out: &mut JsonText<'_>) {
    let answer = match &asked.at {
        None => snapshot.evaluate(&asked.expression),
        Some(at) => {
            let answer = snapshot.evaluate_at(at, &asked.expression);
            let value = answer.value.unwrap_or_else(|| groma::Value::unknown(groma::Type::Dynamic));
            groma::ExpressionAnswer { value, findings: answer.findings }
        }
    };
    write_evaluated(snapshot, &answer, out);
}

/// Writes the syntax trees of a file or of the root's folder.
fn ast(
    root: &OpenRoot,
    snapshot: &Snapshot,
    asked: &AstQuestion,
    out: &mut JsonText<'_>,
) -> Result<(), DoorError> {
    let read = parsed(root, asked)?;
    let project = snapshot.project();
    let mut declared = DeclaredNames::of(&project.references().vertices, project.sources());
    if asked.values {
        declared = declared.with(ExpressionValues::of(snapshot.evaluation()));
    }
    write_syntax(&read, &declared, out);
    Ok(())
}

/// Returns the parsed files that a question about syntax names.
pub(crate) fn parsed(root: &OpenRoot, asked: &AstQuestion) -> Result<Vec<ParsedText>, DoorError> {
    let host = root.host();
    let read = |path: String| {
        let bytes = host.read(&path).map_err(|why| unreadable(&path, &why))?;
        Ok(ParsedText::read(&path, &bytes))
    };
    code_files(root, asked.path.as_deref())?.into_iter().map(read).collect()
}

/// Returns the differences between the plans of two roots, both planned without a state.
fn diff(
    root: &OpenRoot,
    asked: &DiffQuestion,
    begun: &dyn Fn(&Budget),
    other: OtherRoot<'_>,
) -> Result<String, DoorError> {
    let base = other(asked.base)?;
    if std::ptr::eq(&*base, root) {
        return Err(DoorError::form("\"base\" is the root itself; open the older code beside it."));
    }
    if base.is_template() {
        return Err(template_question::no_answer("diff"));
    }
    let base = base.with_snapshot(LoadPurpose::Evaluate, begun, |snapshot| Ok(snapshot.clone()))?;
    root.with_snapshot(LoadPurpose::Evaluate, begun, |head| {
        let comparison = head.compare(&base, asked.all);
        let mut out = JsonText::new(JsonLayout::Compact);
        comparison.write_json(&mut out, &|_| {});
        Ok(out.into_string())
    })
}

/// Returns the files that are not formatted, with their formatted text.
pub(crate) fn fmt(root: &OpenRoot, asked: &FmtQuestion) -> Result<String, DoorError> {
    let host = root.host();
    let mut out = JsonText::new(JsonLayout::Compact);
    let mut document = JsonObject::open(&mut out);
    let mut changed = document.object("files");
    let is_native = |path: &String| FileKind::of(path).is_none_or(|kind| !kind.is_json());
    let paths = code_files(root, asked.path.as_deref())?.into_iter();
    // A file in JSON syntax has no layout of its own.
    for path in paths.filter(|path| asked.path.is_some() || is_native(path)) {
        if !is_native(&path) {
            let message = format!("{path} is in JSON syntax, which has no layout of its own.");
            return Err(DoorError::new("refused", message));
        }
        let bytes = host.read(&path).map_err(|why| unreadable(&path, &why))?;
        let (mut sources, mut found) = (Sources::new(), Diagnostics::new());
        let file = sources.from_bytes(path.as_str(), &bytes, &mut found);
        let parse = parse_file(sources.get(file).text(), file);
        found.extend(parse.diagnostics.iter().cloned());
        if let Some(first) = found.iter().find(|one| one.severity == groma::Severity::Error) {
            let message = format!("{path} has a syntax error: {}", first.detail);
            return Err(DoorError::new("syntax", message));
        }
        let forms = match FileKind::is_template(&path) {
            true => OlderForms::Kept,
            false => OlderForms::New,
        };
        let formatted = groma_format::format(&parse, forms)
            .map_err(|_| DoorError::new("limit-output", format!("{path} would be too long.")))?;
        if let Some(text) = formatted {
            changed.text(&path, &text);
        }
    }
    changed.close();
    document.close();
    Ok(out.into_string())
}

/// Returns the changes of some edits as `groma edit --json` prints them; the texts are left unchanged.
pub(crate) fn edit(root: &OpenRoot, asked: &EditQuestion) -> Result<String, DoorError> {
    let refused = |why: edit::EditRefusal| DoorError::new("refused", why.to_string());
    let edits = read_edits(&asked.edits.to_string()).map_err(refused)?;
    let host = root.host();
    let mut texts = Vec::new();
    for path in code_files(root, None)? {
        let bytes = host.read(&path).map_err(|why| unreadable(&path, &why))?;
        let text = String::from_utf8(bytes)
            .map_err(|_| DoorError::new("refused", format!("{path} is not UTF-8.")))?;
        texts.push(SourceText { name: path, text: text.into() });
    }
    let ground = EditContext {
        texts: &texts,
        dir: &root.dir,
        top: &root.dir,
        edition: None,
        value_files: &[],
    };
    let made = edit::make(&host, ground, &edits).map_err(refused)?;
    let mut out = JsonText::new(JsonLayout::Compact);
    edit::write_json(&made, &mut out);
    Ok(out.into_string())
}

/// Returns the named file, or the code files in the root's folder, sorted.
fn code_files(root: &OpenRoot, path: Option<&str>) -> Result<Vec<String>, DoorError> {
    if let Some(path) = path {
        return Ok(vec![path.to_owned()]);
    }
    if is_template(&root.dir) {
        return Ok(vec![root.dir.clone()]);
    }
    let entries = root.host().list(&root.dir).map_err(|why| unreadable(&root.dir, &why))?;
    let is_code = |name: &str| {
        let is_own = match root.is_template() {
            true => FileKind::is_template(name),
            false => FileKind::is_module(name),
        };
        is_own && !is_ignored(name)
    };
    let named = entries.into_iter().filter(|entry| entry.kind == EntryKind::File);
    let mut names: Vec<String> =
        named.map(|entry| entry.name).filter(|name| is_code(name)).collect();
    names.sort_unstable();
    Ok(names.into_iter().map(|name| file_path::join(&root.dir, &name)).collect())
}

/// Returns the error for a path that cannot be read.
fn unreadable(path: &str, why: &groma::hosts::HostError) -> DoorError {
    DoorError::new("unreadable", format!("{path} cannot be read: {why}."))
}
