//! Runs of `set` edits by position, which are applied with a single parse. A list cannot be cut to an excerpt without
//! renumbering its elements; but `set` moves nothing else, so all values of a run are found in one text and written at once.

use crate::path::CodeStep;
use crate::requests::{Edit, EditOp};
use crate::step::{check_result, rewritten, set};
use crate::text::{ParsedText, Splice};
use crate::{EditLanguage, SourceText};

/// Maximum number of consecutive `set` edits that are always applied one by one; more may be applied together.
const FEW: usize = 4;

/// Returns the number of `set` edits at the start of a list that can be applied together; `None` if they are too few, or none
/// selects a list element by position.
pub(crate) fn run_length(edits: &[Edit]) -> Option<usize> {
    // A multi-line value changes the indentation of what follows.
    let is_set = |edit: &&Edit| edit.op == EditOp::Set && !edit.to.contains('\n');
    let count = edits.iter().take_while(is_set).count();
    let has_position =
        |edit: &Edit| edit.path.steps.iter().any(|step| matches!(step, CodeStep::At(_)));
    (count > FEW && edits[..count].iter().any(has_position)).then_some(count)
}

/// Applies several `set` edits together; returns false, with the texts unchanged, if one cannot be applied or two overlap.
pub(crate) fn apply_together(
    files: &[SourceText],
    texts: &mut [ParsedText],
    edits: &[Edit],
    language: EditLanguage<'_>,
) -> bool {
    let mut splices: Vec<Vec<Splice>> = vec![Vec::new(); texts.len()];
    for edit in edits {
        let Ok((file, own)) = set(files, texts, edit, language) else { return false };
        splices[file].extend(own);
    }
    let mut old = Vec::new();
    let mut is_made = true;
    for (file, own) in splices.iter_mut().enumerate().filter(|(_, own)| !own.is_empty()) {
        own.sort_by_key(|splice| splice.range.start);
        let touches = own.windows(2).any(|two| two[1].range.start <= two[0].range.end);
        match rewritten(&texts[file], &files[file].name, own) {
            Ok(new) if !touches => old.push((file, std::mem::replace(&mut texts[file], new))),
            _ => is_made = false,
        }
        if !is_made {
            break;
        }
    }
    is_made = is_made && edits.iter().all(|edit| check_result(texts, edit).is_ok());
    if !is_made {
        for (file, before) in old {
            texts[file] = before;
        }
    }
    is_made
}
