//! Edits of code for callers that hold texts: an editor, a script, the command. Edits by path change the files of one directory,
//! edits by name all directories that mention the name.

use std::collections::BTreeMap;
use std::sync::Arc;

use groma_module::dialect::{MODULE, QUERY};
use groma_runtime::{Edition, Host, OverlayHost, Texts, absolute};
use groma_syntax::Source;
use groma_value::json::{JsonObject, JsonText, array, texts};
use imara_diff::{Algorithm, Diff, InternedInput};

pub use groma_edit::{
    ChangedText, CodeAtPath, CodePath, CodeStep, EachForm, Edit, EditLanguage, EditOp, EditRefusal,
    SourceText, apply, get, get_each, read_edits,
};
pub use groma_rename::{RenameRequest, RenameResult, RenamedFile};

/// Returns the number of labels of a block type at the top of a file, such as 2 for `resource`; `None` for an unknown type.
pub fn labels(kind: &str) -> Option<usize> {
    let mut rows = MODULE.iter().chain(QUERY);
    let of_module = rows.find(|row| row.kind == kind).map(|row| row.labels.len());
    of_module.or_else(|| groma_packer::labels(kind))
}

/// Returns the number of labels of the block type `kind` directly inside of blocks of the types `around`, outermost first;
/// `None` if no row describes it there, as for a type that only a provider's schema defines.
fn inner_labels(around: &[&str], kind: &str) -> Option<usize> {
    let (first, inside) = around.split_first()?;
    if kind == "dynamic" {
        return Some(1);
    }
    let mut rows = MODULE.iter().chain(QUERY).chain(groma_packer::rows());
    let mut row = rows.find(|row| row.kind == *first)?;
    for kind in inside {
        row = row.blocks.iter().find(|row| row.kind == *kind)?;
    }
    row.blocks.iter().find(|row| row.kind == kind).map(|row| row.labels.len())
}

/// Returns the language rules that edits need: the numbers of labels of block types, and the arguments whose values are not
/// evaluated.
pub fn language() -> EditLanguage<'static> {
    EditLanguage {
        labels: &labels,
        inner_labels: &inner_labels,
        names: &groma_rename::is_unevaluated,
    }
}

/// Renames a declaration and the references to it in all directories below the top directory of the request, as
/// [`groma_rename::rename`] does.
///
/// # Errors
/// If the declaration does not exist, the new name is invalid or taken, or a use of it cannot be found or changed.
pub fn rename(host: &Arc<dyn Host>, what: &RenameRequest<'_>) -> Result<RenameResult, EditRefusal> {
    groma_rename::rename(host, what, language())
}

/// The texts and directories that a list of edits applies to.
#[derive(Clone, Copy, Debug)]
pub struct EditContext<'g> {
    /// The texts that edits by path change.
    pub texts: &'g [SourceText],
    /// The directory whose declarations are renamed.
    pub dir: &'g str,
    /// The top directory below which references to a renamed declaration are searched for.
    pub top: &'g str,
    /// The edition of the code; `None` to determine it for each directory.
    pub edition: Option<Edition>,
    /// The variable files of the directory, wherever they are and whatever their names.
    pub value_files: &'g [String],
}

/// Applies edits in order, all or none: edits by path to the texts of `context`, renames to all directories that use the name.
///
/// # Errors
/// If an edit cannot be made, or two of them contradict each other.
pub fn apply_edits(
    host: &Arc<dyn Host>,
    context: EditContext<'_>,
    edits: &[Edit],
) -> Result<RenameResult, EditRefusal> {
    let before = context.texts.iter().map(|one| (one.name.clone(), one.text.clone()));
    let mut first: BTreeMap<String, Arc<str>> = before.collect();
    let mut now = first.clone();
    let mut notes = Vec::new();
    for batch in
        edits.chunk_by(|one, next| (one.op == EditOp::Rename) == (next.op == EditOp::Rename))
    {
        if batch[0].op != EditOp::Rename {
            let text = |one: &SourceText| SourceText {
                name: one.name.clone(),
                text: now.get(&one.name).cloned().unwrap_or_default(),
            };
            let all: Vec<SourceText> = context.texts.iter().map(text).collect();
            for one in apply(&all, batch, language())? {
                now.insert(all[one.file].name.clone(), one.text.into());
            }
            continue;
        }
        for edit in batch {
            let changed = now.iter().filter(|(name, text)| first.get(*name) != Some(text));
            let laid = |(name, text): (&String, &Arc<str>)| {
                (absolute(&**host, name), Arc::from(text.as_bytes()))
            };
            let laid: Texts = changed.map(laid).collect();
            let over: Arc<dyn Host> =
                Arc::new(OverlayHost { below: host.clone(), texts: Arc::new(laid) });
            let old = edit.path.to_string();
            let what = RenameRequest {
                dir: context.dir,
                top: context.top,
                old: &old,
                new: &edit.to,
                edition: context.edition,
                value_files: context.value_files,
            };
            let renamed = rename(&over, &what)?;
            for file in renamed.files {
                first.entry(file.path.clone()).or_insert(file.before);
                now.insert(file.path, file.after);
            }
            notes.extend(renamed.notes);
        }
    }
    let changed = now.into_iter().filter_map(|(path, after)| {
        let before = first.remove(&path)?;
        (before != after).then_some(RenamedFile { path, before, after })
    });
    notes.dedup();
    Ok(RenameResult { files: changed.collect(), notes })
}

/// A replacement of a range of bytes of a text by another text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TextEdit {
    /// The first byte replaced.
    pub start: usize,
    /// The end of the range, exclusive.
    pub end: usize,
    /// The replacement.
    pub text: String,
}

/// Returns the replacements that turn one text into another: the differing bytes of each run of differing lines.
pub fn text_edits(before: &str, after: &str) -> Vec<TextEdit> {
    let input = InternedInput::new(before, after);
    let mut diff = Diff::compute(Algorithm::Myers, &input);
    diff.postprocess_no_heuristic(&input);
    let starts = |lines: &[imara_diff::Token]| {
        let mut at = 0;
        let mut all = vec![0];
        for line in lines {
            at += input.interner[*line].len();
            all.push(at);
        }
        all
    };
    let (old, new) = (starts(&input.before), starts(&input.after));
    let mut edits = Vec::new();
    for hunk in diff.hunks() {
        let (from, to) = (old[hunk.before.start as usize], old[hunk.before.end as usize]);
        let text = &after[new[hunk.after.start as usize]..new[hunk.after.end as usize]];
        let was = &before[from..to];
        // Runs of equally many lines are compared line by line.
        if hunk.before.len() == hunk.after.len() {
            let mut at = from;
            for (was, is) in was.split_inclusive('\n').zip(text.split_inclusive('\n')) {
                edits.extend(trimmed(at, was, is));
                at += was.len();
            }
        } else {
            edits.extend(trimmed(from, was, text));
        }
    }
    edits
}

/// Returns the replacement of `was`, the text at byte offset `at`, by `is`, without their common start and end; `None` if both
/// are equal.
fn trimmed(at: usize, was: &str, is: &str) -> Option<TextEdit> {
    if was == is {
        return None;
    }
    let both = was.char_indices().zip(is.chars());
    let front = both.clone().take_while(|((_, a), b)| a == b).last();
    let front = front.map_or(0, |((at, c), _)| at + c.len_utf8());
    let (was, is) = (&was[front..], &is[front..]);
    let back: usize = was
        .chars()
        .rev()
        .zip(is.chars().rev())
        .take_while(|(a, b)| a == b)
        .map(|(c, _)| c.len_utf8())
        .sum();
    Some(TextEdit {
        start: at + front,
        end: at + front + was.len() - back,
        text: is[..is.len() - back].to_owned(),
    })
}

/// Writes the result of edits as JSON, `{"files":[{"path","edits":[{"range","old","new"}]}],"notes":[…]}`; ranges refer to the
/// old text.
pub fn write_json(made: &RenameResult, out: &mut JsonText<'_>) {
    let mut document = JsonObject::open(out);
    document.text("format_version", "1.0");
    array(&made.files, document.key("files"), |file, out| {
        let mut one = JsonObject::open(out);
        one.text("path", &file.path);
        let source = Source::new(file.path.as_str(), file.before.clone());
        array(text_edits(&file.before, &file.after), one.key("edits"), |edit, out| {
            let mut told = JsonObject::open(out);
            let mut range = told.object("range");
            for (name, offset) in [("start", edit.start), ("end", edit.end)] {
                let position = source.position(offset as u32);
                let mut point = range.object(name);
                point.number("line", position.line);
                point.number("column", position.column);
                point.number("byte", position.byte);
                point.close();
            }
            range.close();
            told.text("old", &file.before[edit.start..edit.end]);
            told.text("new", &edit.text);
            told.close();
        });
        one.close();
    });
    texts(&made.notes, document.key("notes"));
    document.close();
}
