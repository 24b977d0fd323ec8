//! Edits: what is changed is what was asked for, all else stays, and to take an edit back gives the bytes that were there.
//! An input is one order a line, `OP PATH CODE`, and the files behind them. A path `#3` stands for the fourth that leads
//! anywhere in these files, so that orders hit.

use std::sync::Arc;

use groma::edit::{EditContext, RenameResult, apply_edits, language, text_edits};
use groma_edit::{
    CodeAtPath, CodePath, CodeStep, EachForm, Edit, EditOp, EditRefusal, SourceText, apply, get,
    get_each,
};
use groma_format::{OlderForms, format_bytes};
use groma_runtime::{Host, MeteredHost};
use groma_syntax::ast::ExprCase;
use groma_syntax::{Body, BodyItem, Expr, FileId, parse_file, parse_json};

use crate::budget;
use crate::folder::Folder;

/// Maximum number of lines of an input that are carried out as edits.
const MOST_ORDERS: usize = 12;
/// Maximum number of paths that are listed for a file.
const MOST_PATHS: usize = 200;

/// Returns the paths of the arguments, blocks and list elements in a file, about [`MOST_PATHS`] at most.
fn paths(text: &str) -> Vec<CodePath> {
    let parse = parse_file(&Arc::from(text), FileId(0));
    let mut found = Vec::new();
    let mut open = vec![(Vec::new(), Body::of(&parse))];
    while let Some((mut above, body)) = open.pop() {
        for item in body.items() {
            if found.len() >= MOST_PATHS {
                return found;
            }
            let length = above.len();
            match item {
                BodyItem::Argument(argument) => {
                    above.push(CodeStep::Name(argument.name.text.to_string()));
                    inner(&above, &argument.expr, &mut found);
                }
                BodyItem::Block(block) => {
                    above.push(CodeStep::Name(block.kind.text.to_string()));
                    let names = block.labels.iter();
                    above.extend(names.map(|label| CodeStep::Name(label.text.to_string())));
                    open.push((above.clone(), block.body));
                }
            }
            found.push(CodePath { steps: above.clone() });
            above.truncate(length);
        }
    }
    found
}

/// Adds the paths of the first four elements of a list expression, and that of its end.
fn inner(above: &[CodeStep], value: &Expr, found: &mut Vec<CodePath>) {
    let Expr::Native(native) = value else { return };
    let count = match native.view().case() {
        ExprCase::Tuple(items) => items.len(),
        _ => 0,
    };
    let parts = (0..count.min(4)).map(CodeStep::At).chain([CodeStep::End]);
    found.extend(parts.map(|step| CodePath { steps: [above, &[step]].concat() }));
}

/// Returns the known path that `#N` numbers from 0; in `#N*M` a later step, chosen by `M`, is replaced by `*`.
fn counted(path: &str, known: &[CodePath]) -> Option<CodePath> {
    let (number, each) = match path.strip_prefix('#')?.split_once('*') {
        Some((number, each)) => (number, Some(each.parse::<usize>().ok()?)),
        None => (path.strip_prefix('#')?, None),
    };
    let at = number.parse::<usize>().ok()?.checked_rem(known.len())?;
    let mut path = known[at].clone();
    // No path begins with `*` or ends behind it.
    let most = path.steps.len() - usize::from(path.steps.last() == Some(&CodeStep::End));
    if let Some(each) = each.and_then(|each| each.checked_rem(most.checked_sub(1)?)) {
        let form = match path.steps[each + 1] {
            CodeStep::At(_) => EachForm::Position,
            _ => EachForm::Name,
        };
        path.steps[each + 1] = CodeStep::Each(form);
    }
    Some(path)
}

/// Parses an edit from a line `OP PATH CODE`, where the path may be `#N`; `None` if it is not a valid edit.
fn order(line: &str, known: &[CodePath]) -> Option<Edit> {
    let mut words = line.splitn(3, ' ');
    let op = EditOp::named(words.next()?)?;
    let path = words.next()?;
    let path = counted(path, known).map_or(path.to_owned(), |path| path.to_string());
    let to = words.next().map(|code| code.replace("\\n", "\n"));
    match Edit::new(op, &path, to.as_deref().filter(|_| op != EditOp::Remove)) {
        Ok(edit) => Some(edit),
        Err(refusal) => {
            sentence(&refusal);
            None
        }
    }
}

/// Checks that the reason of a refused edit is a sentence.
fn sentence(EditRefusal(why): &EditRefusal) {
    assert!(why.len() > 10 && why.contains(' '), "{why:?}");
    assert!(!why.ends_with(".."), "{why:?}");
}

/// Returns true if a file has JSON syntax.
fn is_json(name: &str) -> bool {
    name.ends_with(".json")
}

/// Returns true if a file has no syntax errors.
fn is_read(file: &SourceText) -> bool {
    match is_json(&file.name) {
        true => parse_json(&file.text, FileId(0)).diagnostics.is_empty(),
        false => parse_file(&file.text, FileId(0)).diagnostics.is_empty(),
    }
}

/// Returns true if formatting would not change a file.
fn is_formatted(file: &SourceText) -> bool {
    let forms = if file.name.contains(".pkr") { OlderForms::Kept } else { OlderForms::New };
    !is_json(&file.name) && matches!(format_bytes("f", file.text.as_bytes(), forms), Ok(None))
}

/// Returns the files after some edits, checked to be readable and formatted as before; `None` if they are refused.
fn after(files: &[SourceText], edits: &[Edit]) -> Option<Vec<SourceText>> {
    let changed = match apply(files, edits, language()) {
        Ok(changed) => changed,
        Err(refusal) => {
            sentence(&refusal);
            return None;
        }
    };
    let mut now = files.to_vec();
    for one in changed {
        let before = &files[one.file];
        assert_ne!(*before.text, *one.text, "what has not changed is given back");
        now[one.file].text = one.text.into();
        let file = &now[one.file];
        assert!(is_read(before), "a text that cannot be read is edited");
        assert!(is_read(file), "{} cannot be read afterwards: {}", file.name, file.text);
        assert!(is_formatted(file) || !is_formatted(before), "the layout is lost: {}", file.text);
        replay(&before.text, &file.text);
    }
    Some(now)
}

/// Checks that the text edits computed for an editor turn `before` into `after`.
fn replay(before: &str, after: &str) {
    let mut made = before.to_owned();
    for edit in text_edits(before, after).iter().rev() {
        made.replace_range(edit.start..edit.end, &edit.text);
    }
    assert_eq!(made, after);
}

/// Returns a text without its white space.
fn bare(text: &str) -> String {
    text.split_whitespace().collect()
}

/// Checks that an edit sets exactly what it names, and that setting the old text again restores the file.
fn judge_set(files: &[SourceText], now: &[SourceText], edit: &Edit, was: &CodeAtPath) {
    let is = get(now, &edit.path).expect("what is set is there");
    assert_eq!(is.file, was.file, "it is set in another file");
    let (old, new) = (&files[was.file], &now[was.file]);
    if is_json(&old.name) {
        assert_eq!(old.text[..was.span.start as usize], new.text[..is.span.start as usize]);
        assert_eq!(old.text[was.span.end as usize..], new.text[is.span.end as usize..]);
    } else {
        assert_eq!(bare(&is.text), bare(&edit.to), "something else is set");
        let around = |file: &SourceText, got: &CodeAtPath| {
            let (start, end) = (got.span.start as usize, got.span.end as usize);
            (file.text[..start].to_owned(), file.text[end..].to_owned())
        };
        let (mut before, mut after) = (around(old, was), around(new, &is));
        if is_formatted(old) {
            before = (bare(&before.0), bare(&before.1));
            after = (bare(&after.0), bare(&after.1));
        }
        assert_eq!(before, after, "something beside it has changed");
    }
    // The old text is no code by itself where JSON says it otherwise, or its lines would be moved again.
    // And what has got its layout by the edit keeps it, older forms included.
    let is_laid_out = is_formatted(new) && !is_formatted(old);
    if is_json(&old.name) || was.text.contains('\n') || is_laid_out {
        return;
    }
    let back = Edit { op: EditOp::Set, path: edit.path.clone(), to: was.text.clone() };
    let back = apply(now, &[back], language()).expect("it is set back");
    let back = back.into_iter().next().map_or(new.text.to_string(), |one| one.text);
    // What is written has the formatter's layout, whether or not the code had it that was there.
    let own = SourceText { name: "a.tf".into(), text: format!("x = {}\n", was.text).into() };
    let is_same = match is_formatted(old) || is_formatted(&own) && !edit.to.contains('\n') {
        true => back == *old.text,
        false => bare(&back) == bare(&old.text),
    };
    assert!(is_same, "set back it is another text:\n{back}");
}

/// Checks the edits of an input's first lines on its files, each alone and all together.
pub(crate) fn edit(bytes: &[u8]) {
    let Some(folder) = Folder::read(bytes) else { return };
    let named = folder.files.iter();
    let mut files: Vec<SourceText> = named
        .map(|(name, text)| SourceText { name: (*name).to_owned(), text: Arc::from(*text) })
        .collect();
    files.sort_by(|a, b| a.name.cmp(&b.name));
    files.dedup_by(|a, b| a.name == b.name);
    let whole = files.iter().filter(|file| !is_json(&file.name) && is_read(file));
    let known: Vec<CodePath> = whole.flat_map(|file| paths(&file.text)).collect();
    let orders: Vec<Edit> =
        folder.head.lines().take(MOST_ORDERS).filter_map(|line| order(line, &known)).collect();
    for path in known.iter().take(20) {
        let read = CodePath::read(&path.to_string()).expect("a path that was made of names");
        assert_eq!(read, *path, "a path that is written is another one");
        if let Ok(got) = get(&files, path) {
            assert_eq!(got.text, got.span.of(&files[got.file].text));
        }
    }
    let (renames, edits): (Vec<Edit>, Vec<Edit>) =
        orders.into_iter().partition(|edit| edit.op == EditOp::Rename);
    for edit in &edits {
        if edit.path.is_pattern() {
            judge_pattern(&files, edit, &known);
            continue;
        }
        let was = get(&files, &edit.path);
        let Some(now) = after(&files, std::slice::from_ref(edit)) else { continue };
        match (edit.op, was) {
            (EditOp::Set, Ok(was)) => judge_set(&files, &now, edit, &was),
            (EditOp::Set | EditOp::Remove, Err(why)) => {
                panic!("what is not there is edited: {why}")
            }
            _ => {}
        }
    }
    judge_together(&files, &edits);
    for rename in &renames {
        judge_rename(&files, rename);
    }
}

/// Checks that a path with `*` finds every known path that matches, and edits exactly what it finds.
fn judge_pattern(files: &[SourceText], edit: &Edit, known: &[CodePath]) {
    let made = after(files, std::slice::from_ref(edit));
    let texts = |files: &Option<Vec<SourceText>>| {
        let texts = |files: &Vec<SourceText>| files.iter().map(|file| file.text.clone()).collect();
        files.as_ref().map(texts) as Option<Vec<Arc<str>>>
    };
    let (last, above) = edit.path.steps.split_last().expect("a path has a step");
    let is_added = edit.op == EditOp::Add;
    let pattern = match is_added {
        true => CodePath { steps: above.to_vec() },
        false => edit.path.clone(),
    };
    if pattern.steps.is_empty() || is_added && matches!(last, CodeStep::Each(_)) {
        assert!(made.is_none(), "each that is there is added");
        return;
    }
    let found = get_each(files, &pattern, language()).unwrap_or_default();
    let is_there = |path: &&CodePath| !path.steps.contains(&CodeStep::End);
    for path in known.iter().filter(is_there).filter(|path| is_like(path, &pattern)) {
        let is_found = found.iter().any(|(one, _)| names(one) == names(path));
        assert!(is_found, "{pattern} does not find {path}");
    }
    for (path, code) in &found {
        assert_eq!(code.text, code.span.of(&files[code.file].text));
        if let Ok(alone) = get(files, path) {
            assert_eq!((alone.file, alone.span), (code.file, code.span), "{path} is another place");
        }
    }
    // The last in the code comes first, so that positions stay what they are.
    let with = |is_together: bool| {
        let mut paths: Vec<CodePath> = Vec::new();
        for (path, _) in &found {
            let mut steps = path.steps.clone();
            let whole = &steps[..steps.len() - 1];
            let is_block = get(files, &CodePath { steps: whole.to_vec() }).is_err();
            if is_together && is_block && matches!(steps.last(), Some(CodeStep::At(_))) {
                steps.pop();
            }
            steps.extend(is_added.then(|| last.clone()));
            let path = CodePath { steps };
            if !paths.contains(&path) {
                paths.push(path);
            }
        }
        let edits = paths.into_iter().rev();
        let edits: Vec<Edit> =
            edits.map(|path| Edit { op: edit.op, path, to: edit.to.clone() }).collect();
        if edits.is_empty() { None } else { after(files, &edits) }
    };
    let made = texts(&made);
    // Behind equal blocks that are reached by their name one more is added, and not one behind each.
    let is_so = made == texts(&with(false)) || is_added && made == texts(&with(true));
    assert!(is_so, "{} is not the edits of all that it finds", edit.path);
}

/// Returns true if a path matches a pattern, step by step.
fn is_like(path: &CodePath, pattern: &CodePath) -> bool {
    let mut both = path.steps.iter().zip(&pattern.steps);
    path.steps.len() == pattern.steps.len()
        && both.all(|(step, like)| match like {
            // Behind the head of a block it stands for positions alone.
            CodeStep::Each(EachForm::Position) => matches!(step, CodeStep::At(_)),
            CodeStep::Each(EachForm::Name) => *step != CodeStep::End,
            _ => step == like,
        })
}

/// Returns the name steps of a path, without the positions of equal blocks and of elements.
fn names(path: &CodePath) -> Vec<&CodeStep> {
    path.steps.iter().filter(|step| matches!(step, CodeStep::Name(_))).collect()
}

/// Checks that edits made at once give the same texts as one after the other. If an edit changes whether a file is
/// formatted, or writes a JSON list, only white space may differ.
fn judge_together(files: &[SourceText], edits: &[Edit]) {
    let Some(together) = after(files, edits) else { return };
    let mut now = files.to_vec();
    let mut is_steady = vec![true; files.len()];
    for edit in edits {
        let next = after(&now, std::slice::from_ref(edit)).expect("each can be made alone");
        for ((old, new), is_steady) in now.iter().zip(&next).zip(&mut is_steady) {
            let writes_lists = is_json(&old.name) && edit.to.contains('[');
            *is_steady &= is_formatted(old) == is_formatted(new) && !writes_lists;
        }
        now = next;
    }
    for ((one, other), is_steady) in together.iter().zip(&now).zip(is_steady) {
        match is_steady {
            true => assert_eq!(one.text, other.text, "together it is not one after the other"),
            false => assert_eq!(bare(&one.text), bare(&other.text), "together it is another text"),
        }
    }
}

/// Checks that a rename of a local, variable or output and its reverse restore the files, apart from white space.
fn judge_rename(files: &[SourceText], rename: &Edit) {
    let renamed = |files: &[SourceText], edit: Edit| -> Result<RenameResult, EditRefusal> {
        let own = files.iter().map(|file| (file.name.as_str(), &*file.text));
        let whole = Folder { head: "", files: own.collect() };
        let host: Arc<dyn Host> = Arc::new(MeteredHost::new(Arc::new(whole.host("")), budget()));
        let ground =
            EditContext { texts: files, dir: ".", top: ".", edition: None, value_files: &[] };
        apply_edits(&host, ground, &[edit])
    };
    let done = match renamed(files, rename.clone()) {
        Ok(done) => done,
        Err(refusal) => return sentence(&refusal),
    };
    let mut now = files.to_vec();
    for file in &done.files {
        let at = now.iter().position(|one| one.name == file.path).expect("a file of the folder");
        assert_eq!(now[at].text, file.before);
        now[at].text = file.after.clone();
        assert!(is_read(&now[at]), "{} cannot be read afterwards", file.path);
        replay(&file.before, &file.after);
    }
    let steps = rename.path.to_string();
    let Some((kind, old)) = steps.rsplit_once('.') else { return };
    if !matches!(kind, "local" | "var" | "output") || rename.to.contains('.') {
        return;
    }
    let path = CodePath::read(&format!("{kind}.{}", rename.to)).expect("a name that was taken");
    let back = Edit { op: EditOp::Rename, path, to: old.to_owned() };
    let back = renamed(&now, back).expect("it is changed back");
    for file in back.files {
        let at = now.iter().position(|one| one.name == file.path).expect("a file of the folder");
        now[at].text = file.after;
    }
    for (was, is) in files.iter().zip(&now) {
        assert_eq!(bare(&was.text), bare(&is.text), "changed back it is another text");
    }
}
