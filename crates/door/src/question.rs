//! Answers to questions: each is the JSON document that the command of the same name prints. No question writes a file.

use std::sync::Arc;

use groma::edit::{self, EditContext, SourceText, read_edits};
use groma::json::{JsonLayout, JsonObject, JsonText};
use groma::{
    Budget, Diagnostics, ExpressionValues, LoadPurpose, RequestToken, Snapshot,
    folders::{FileKind, is_ignored},
    hosts::{EntryKind, file_path},
    packer::is_template,
    root::{NoAnswer, Root, RootKind, RootList},
    rules::RuleSwitches,
};
use groma_document::{
    DeclaredNames, ParsedText, graph, write_evaluated, write_list, write_outputs, write_syntax,
};
use groma_format::OlderForms;
use groma_report::Report;
use groma_syntax::{Sources, parse_file};

use crate::open_root::OpenRoot;
use crate::request::{
    AstQuestion, DiffQuestion, DoorError, DoorQuestion, EditQuestion, EvalQuestion, FmtQuestion,
    HandleNumber, WhyQuestion,
};

/// A function that returns the second root of a question by its handle.
type OtherRoot<'d> = &'d dyn Fn(HandleNumber) -> Result<Arc<OpenRoot>, DoorError>;

/// The questions that every kind of root with values can answer, as error messages list them.
const ANSWERED: &str = "check, plan, eval, why, list, graph, ast, fmt or edit";

/// Returns the error of a question that a kind of root cannot answer.
fn no_answer(question: &str, why: &NoAnswer) -> DoorError {
    let kind = why.kind.phrase();
    let message = format!("{kind} has no answer to {question:?}; ask {ANSWERED}.");
    DoorError::new("no-answer", message)
}

/// Returns the answer to a question as JSON in a layout; `begun` first gets the budget by which this can be cancelled, and
/// `other` finds a second root that the question names.
pub(crate) fn answer(
    root: &OpenRoot,
    question: DoorQuestion,
    layout: JsonLayout,
    begun: &dyn Fn(&Budget),
    other: OtherRoot<'_>,
) -> Result<String, DoorError> {
    let purpose = purpose(&question);
    let of_root = |write: &dyn Fn(&dyn Root, &mut JsonText<'_>) -> Result<(), DoorError>| {
        root.with_root(purpose, begun, |root| written(&**root, layout, write))
    };
    let of_recorded = |write: &dyn Fn(&dyn Root, &mut JsonText<'_>) -> Result<(), DoorError>| {
        root.with_state(begun, |root| written(&**root, layout, write))
    };
    match question {
        DoorQuestion::Check => of_root(&|root, out| {
            Report::of(root.checked(Some(&RuleSwitches::default()))).write_json(out);
            Ok(())
        }),
        DoorQuestion::Plan => of_root(&|root, out| Ok(root.write_plan(out).map(drop)?)),
        DoorQuestion::Eval(asked) => of_recorded(&|root, out| eval(root, &asked, out)),
        DoorQuestion::Why(WhyQuestion { address }) => of_recorded(&|root, out| {
            let tree = root.why(&address, &RequestToken::new())?.value;
            let tree = tree.map_err(|why| DoorError::new("no-such-address", why.detail))?;
            root.write_why(&tree, out);
            Ok(())
        }),
        DoorQuestion::Outputs => of_recorded(&|root, out| {
            let outputs = root.outputs().map_err(|why| no_answer("outputs", &why))?;
            write_outputs(&outputs.value, out);
            Ok(())
        }),
        DoorQuestion::List => of_root(&|root, out| {
            write_list(root, &root.list().value, out);
            Ok(())
        }),
        DoorQuestion::Resources => of_root(&|root, out| {
            let mut list = root.list().value;
            if let RootList::Instances(all) = &mut list {
                all.retain(|one| one.mode.is_some());
            }
            write_list(root, &list, out);
            Ok(())
        }),
        DoorQuestion::Graph => of_root(&|root, out| {
            graph::write_json(&root.graph()?, &root.sources(), out);
            Ok(())
        }),
        DoorQuestion::Ast(asked) => {
            let of = root;
            of_root(&|root, out| ast(of, root, &asked, out))
        }
        DoorQuestion::Diff(asked) => diff(root, &asked, layout, begun, other),
        DoorQuestion::Fmt(asked) => fmt(root, &asked, layout),
        DoorQuestion::Edit(asked) => edit(root, &asked, layout),
    }
}

/// Calls `write` for a root and returns the JSON that it has written, in a layout.
fn written(
    root: &dyn Root,
    layout: JsonLayout,
    write: &dyn Fn(&dyn Root, &mut JsonText<'_>) -> Result<(), DoorError>,
) -> Result<String, DoorError> {
    let mut out = JsonText::new(layout);
    write(root, &mut out)?;
    Ok(out.into_string())
}

/// Returns the purpose for which a root has to be loaded to answer a question: to check, to plan or to evaluate.
pub(crate) fn purpose(question: &DoorQuestion) -> LoadPurpose {
    match question {
        DoorQuestion::Check => LoadPurpose::Check,
        DoorQuestion::Plan => LoadPurpose::Plan,
        _ => LoadPurpose::Evaluate,
    }
}

/// Writes the value of an expression as `groma eval --full` prints it, including the error if it has none.
fn eval(root: &dyn Root, asked: &EvalQuestion, out: &mut JsonText<'_>) -> Result<(), DoorError> {
    let answer = root.evaluate(&asked.expression, asked.at.as_deref(), &RequestToken::new());
    let answer = answer.map_err(|why| match asked.at {
        Some(_) => DoorError::new("no-answer", format!("{}; leave out \"at\".", why.clause())),
        None => why.into(),
    })?;
    let value = answer.value.unwrap_or_else(|| groma::Value::unknown(groma::Type::Dynamic));
    let answer = groma::ExpressionAnswer { value, findings: answer.findings };
    write_evaluated(root, &answer, out);
    Ok(())
}

/// Writes as JSON the syntax trees of a file, or of all code files in the folder of the open root `of`; `root` is its loaded
/// snapshot, for the names and values in them.
fn ast(
    of: &OpenRoot,
    root: &dyn Root,
    asked: &AstQuestion,
    out: &mut JsonText<'_>,
) -> Result<(), DoorError> {
    let values = asked.values.then(|| root.module()).transpose();
    let values = values.map_err(|_| {
        let message = "\"values\" is for modules; of a Packer template ask \"eval\".";
        DoorError::new("no-answer", message)
    })?;
    let read = parsed(of, asked)?;
    let mut declared = DeclaredNames::of(&root.graph()?.vertices, &root.sources());
    if let Some(snapshot) = values {
        declared = declared.with(ExpressionValues::of(snapshot.evaluation()));
    }
    write_syntax(&read, &declared, out);
    Ok(())
}

/// Returns the parsed files that a question about syntax trees is about: the named one, or all code files of the root's folder.
pub(crate) fn parsed(root: &OpenRoot, asked: &AstQuestion) -> Result<Vec<ParsedText>, DoorError> {
    let host = root.host();
    let read = |path: String| {
        let bytes = host.read(&path).map_err(|why| unreadable(&path, &why))?;
        Ok(ParsedText::read(&path, &bytes))
    };
    code_files(root, asked.path.as_deref())?.into_iter().map(read).collect()
}

/// Returns the differences between the plans of the root that `other` finds and of `root`, both without a state, as JSON; `begun`
/// gets the budget by which this can be cancelled.
fn diff(
    root: &OpenRoot,
    asked: &DiffQuestion,
    layout: JsonLayout,
    begun: &dyn Fn(&Budget),
    other: OtherRoot<'_>,
) -> Result<String, DoorError> {
    module_of(root, begun)?;
    let base = other(asked.base)?;
    if std::ptr::eq(&*base, root) {
        return Err(DoorError::form("\"base\" is the root itself; open the older code beside it."));
    }
    let base = module_of(&base, begun)?;
    root.with_root(LoadPurpose::Evaluate, begun, |head| {
        let comparison = head.module()?.compare(&base, asked.all);
        let mut out = JsonText::new(layout);
        comparison.write_json(&mut out, &|_| {});
        Ok(out.into_string())
    })
}

/// Returns a root's snapshot, to compare its plan, after giving `begun` the budget by which this can be cancelled; an error if
/// the root is not a module.
fn module_of(root: &OpenRoot, begun: &dyn Fn(&Budget)) -> Result<Snapshot, DoorError> {
    root.with_root(LoadPurpose::Evaluate, begun, |root| {
        root.module().cloned().map_err(|why| no_answer("diff", &why))
    })
}

/// Returns the files that are not formatted, with their formatted text, as JSON.
pub(crate) fn fmt(
    root: &OpenRoot,
    asked: &FmtQuestion,
    layout: JsonLayout,
) -> Result<String, DoorError> {
    let host = root.host();
    let mut out = JsonText::new(layout);
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

/// Applies the edits of a question to the root's code and returns the changes as `groma edit --json` prints them. No text is
/// modified.
pub(crate) fn edit(
    root: &OpenRoot,
    asked: &EditQuestion,
    layout: JsonLayout,
) -> Result<String, DoorError> {
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
    let made = edit::apply_edits(&host, ground, &edits).map_err(refused)?;
    let mut out = JsonText::new(layout);
    edit::write_json(&made, &mut out);
    Ok(out.into_string())
}

/// Returns the file at `path` if it is given, or the code files in the root's folder, sorted.
fn code_files(root: &OpenRoot, path: Option<&str>) -> Result<Vec<String>, DoorError> {
    if let Some(path) = path {
        return Ok(vec![path.to_owned()]);
    }
    if is_template(&root.dir) || root.kind() == RootKind::Test {
        return Ok(vec![root.dir.clone()]);
    }
    let entries = root.host().list(&root.dir).map_err(|why| unreadable(&root.dir, &why))?;
    let is_code = |name: &str| {
        let is_own = match root.kind() {
            RootKind::Template => FileKind::is_template(name),
            RootKind::Module | RootKind::Test => FileKind::is_module(name),
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
