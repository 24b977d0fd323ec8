//! Batches of edits without parsing all the code for each edit. One half of a list of edits affects little of the code, so it is
//! applied to an excerpt of the affected code, half of that half to an excerpt of the excerpt, and the last few to a page or two.
//! The total cost is proportional to the size of the code and the edits, times a factor logarithmic in their number. Order is
//! preserved: each edit sees the code as the earlier ones left it.

use crate::excerpt::TextExcerpt;
use crate::requests::Edit;
use crate::script::then;
use crate::step::{rewritten, step};
use crate::text::{ParsedText, Splice};
use crate::{EditLanguage, EditRefusal, SourceText, sets};

/// Maximum number of edits that are applied one by one to all given code; each half of a longer list is applied to an excerpt
/// with the code that it needs.
const FEW: usize = 4;

/// Applies a list of edits to the texts in order.
///
/// # Errors
/// The refusal of the first edit that cannot be applied.
pub(crate) fn apply_all(
    files: &[SourceText],
    texts: &mut [ParsedText],
    edits: &[Edit],
    language: EditLanguage<'_>,
) -> Result<(), EditRefusal> {
    let (mut left, mut tries_sets) = (edits, true);
    loop {
        // If a run of `set` edits cannot be applied together, no other run is tried: each attempt costs a parse.
        if let Some(run) = sets::run_length(left).filter(|_| tries_sets) {
            tries_sets = sets::apply_together(files, texts, &left[..run], language);
            if tries_sets {
                left = &left[run..];
            }
        }
        let (count, _) = apply_prefix(files, texts, left, language);
        left = &left[count..];
        // An edit that cannot be applied in an excerpt is applied or refused in the whole.
        let Some((next, rest)) = left.split_first() else { return Ok(()) };
        step(files, texts, next, language)?;
        left = rest;
    }
}

/// Applies edits up to the first that cannot be applied; returns the number of applied edits and the replacements in each text.
fn apply_prefix(
    files: &[SourceText],
    texts: &mut [ParsedText],
    edits: &[Edit],
    language: EditLanguage<'_>,
) -> (usize, Vec<Vec<Splice>>) {
    let mut scripts: Vec<Vec<Splice>> = vec![Vec::new(); texts.len()];
    if edits.len() <= FEW {
        for (number, edit) in edits.iter().enumerate() {
            match step(files, texts, edit, language) {
                Ok((file, splices)) => scripts[file] = then(&scripts[file], &splices),
                Err(_) => return (number, scripts),
            }
        }
        return (edits.len(), scripts);
    }
    let (front, back) = edits.split_at(edits.len() / 2);
    let count = apply_in_excerpt(files, texts, front, language, &mut scripts);
    if count < front.len() {
        return (count, scripts);
    }
    (count + apply_in_excerpt(files, texts, back, language, &mut scripts), scripts)
}

/// Applies edits to an excerpt of the texts, with only the code that they need, up to the first that cannot be applied
/// there, transfers the result to the texts, and adds the replacements to each text's list in `scripts`; returns the number
/// of applied edits.
fn apply_in_excerpt(
    files: &[SourceText],
    texts: &mut [ParsedText],
    edits: &[Edit],
    language: EditLanguage<'_>,
    scripts: &mut [Vec<Splice>],
) -> usize {
    let mut excerpt = TextExcerpt::of(files, texts, edits);
    let own = excerpt.edits.take();
    let own = own.as_deref().unwrap_or(edits);
    let (count, inner) = apply_prefix(&excerpt.files, &mut excerpt.texts, own, language);
    let mut changed = Vec::new();
    for (number, own) in inner.into_iter().enumerate() {
        if own.is_empty() {
            continue;
        }
        let file = excerpt.numbers[number];
        let Some(mut own) = excerpt.placed(number, own) else { return 0 };
        match rewritten(&texts[file], &files[file].name, &mut own) {
            Ok(new) => changed.push((file, own, new)),
            Err(_) => return 0,
        }
    }
    for (file, own, new) in changed {
        texts[file] = new;
        scripts[file] = then(&scripts[file], &own);
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::change::apply;
    use crate::requests::EditOp;
    use crate::text::READ;

    /// A function from the number of an edit to its operation, path and code.
    type Order = fn(usize) -> (EditOp, String, Option<String>);

    /// Returns `count` edits, each made by `order` from its number.
    fn edits(count: usize, order: Order) -> Vec<Edit> {
        let one = |number| {
            let (op, path, to) = order(number);
            Edit::new(op, &path, to.as_deref()).expect("a path")
        };
        (0..count).map(one).collect()
    }

    /// Returns the number of bytes parsed while the edits are applied to a text.
    fn read(name: &str, text: &str, edits: &[Edit]) -> usize {
        let language = EditLanguage {
            labels: &|kind| match kind {
                "resource" => Some(2),
                "variable" => Some(1),
                "locals" | "moved" => Some(0),
                _ => None,
            },
            inner_labels: &|_, _| None,
            names: &|_, _| false,
        };
        let before = READ.get();
        let file = SourceText { name: name.into(), text: text.into() };
        let changed = apply(&[file], edits, language).expect("they can be made");
        assert_eq!(changed.len(), 1);
        READ.get() - before
    }

    /// Returns a text of `count` lines, each made by `line` from its number.
    fn lines(count: usize, line: impl Fn(usize) -> String) -> String {
        (0..count).map(line).collect()
    }

    /// Checks that the bytes parsed for each edit grow only logarithmically with the number of edits.
    #[test]
    fn many_edits_read_little() {
        let add: Order = |n| (EditOp::Add, format!("locals.b{n}"), Some(format!("[{n}]")));
        let remove: Order = |n| (EditOp::Remove, format!("locals.a{n}"), None);
        let set: Order = |n| (EditOp::Set, format!("locals.a{n}"), Some(format!("[{n}]")));
        let element: Order = |n| (EditOp::Add, "locals.a0[]".into(), Some(n.to_string()));
        let attribute: Order = |n| (EditOp::Add, format!("locals.a0.k{n}"), Some(n.to_string()));
        let nested: Order = |n| match n % 2 {
            0 => (EditOp::Add, format!("resource.t.r{n}"), Some("{}".into())),
            _ => (EditOp::Add, format!("resource.t.r{}.x", n - 1), Some("1".into())),
        };
        let mixed: Order = |n| match n % 3 {
            0 => (EditOp::Set, format!("locals.a{n}"), Some("2".into())),
            1 => (EditOp::Remove, format!("locals.a{n}"), None),
            _ => (EditOp::Add, format!("locals.b{n}"), Some("3".into())),
        };
        let moved: Order = |n| {
            (EditOp::Add, "moved[]".into(), Some(format!("{{\n from = a.b{n}\n to = a.c{n}\n}}")))
        };
        /// A function from a number of items to a text with that number of items.
        type Made = fn(usize) -> String;
        let native: Made =
            |n| format!("locals {{\n{}}}\n", lines(n, |at| format!("  a{at} = {at}\n")));
        let flat: Made = |_| "locals {\n  a0 = []\n  c = 1\n}\n".into();
        let object: Made = |_| "locals {\n  a0 = {}\n  c = 1\n}\n".into();
        let json: Made = |n| {
            let own = lines(n, |at| format!("    \"a{at}\": {at},\n"));
            format!("{{\n  \"locals\": {{\n{own}    \"z\": 1\n  }}\n}}\n")
        };
        let at: Order = |n| (EditOp::Set, format!("locals.l[{n}]"), Some(format!("[{n}]")));
        let inner: Order = |n| (EditOp::Set, format!("locals.l[{n}].k"), Some("2".into()));
        let list: Made = |n| format!("locals {{\n  l = [{}0]\n}}\n", "1, ".repeat(n));
        let long: Made =
            |n| format!("locals {{\n  l = [\n{}  ]\n}}\n", "    { k = 1 },\n".repeat(n));
        let array: Made =
            |n| format!("{{\n  \"locals\": {{\n    \"l\": [{}0]\n  }}\n}}\n", "1, ".repeat(n));
        let gone: Order = |n| (EditOp::Remove, format!("locals.l[{n}]"), None);
        let front: Order = |n| (EditOp::Add, "locals.l[1]".into(), Some(format!("{n}")));
        let rows: Made = |n| format!("locals {{\n  l = [\n{}  ]\n}}\n", "    1,\n".repeat(n));
        let cases: [(&str, &str, Made, Order); 21] = [
            ("removes, the last first", "a.tf", list, gone),
            ("removes of lines, the last first", "a.tf", rows, gone),
            ("removes in a document, the last first", "a.tf.json", array, gone),
            ("adds by position", "a.tf", list, front),
            ("adds by position in a document", "a.tf.json", array, front),
            ("sets by position", "a.tf", list, at),
            ("sets in elements", "a.tf", long, inner),
            ("sets by position in a document", "a.tf.json", array, at),
            ("adds", "a.tf", native, add),
            ("removes", "a.tf", native, remove),
            ("sets", "a.tf", native, set),
            ("mixed", "a.tf", native, mixed),
            ("elements", "a.tf", flat, element),
            ("attributes", "a.tf", object, attribute),
            ("blocks and what is in them", "a.tf", |_| String::new(), nested),
            ("blocks", "a.tf", native, moved),
            ("adds in a document", "a.tf.json", json, add),
            ("removes in a document", "a.tf.json", json, remove),
            ("sets in a document", "a.tf.json", json, set),
            ("mixed in a document", "a.tf.json", json, mixed),
            ("blocks in a document", "a.tf.json", json, moved),
        ];
        for (what, name, text, order) in cases {
            let [few, many] = [100, 1_600].map(|count| {
                let mut edits = edits(count, order);
                if what.ends_with("the last first") {
                    edits.reverse();
                }
                read(name, &text(count), &edits) / count
            });
            // For sixteen times as many edits, the bytes for each grow as the logarithm, not sixteenfold.
            assert!(many < 2 * few, "{what}: {few} bytes for one of 100, {many} for one of 1600");
        }
    }
}
