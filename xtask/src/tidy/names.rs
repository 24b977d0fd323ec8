//! One meaning a name: what other crates see is called by a name that no other crate gives to something else. What is
//! private may repeat a short name, since nobody reads it beside the other.

use std::collections::BTreeMap;

use super::arrows::rank;
use super::finding::Finding;
use super::tree::{Tree, generated, numbered};

/// Crates that hold one dialect's word for the same thing: a variable of a template is what a variable of a module is.
/// Neither is below the other, and who uses both says which.
const PEERS: (&str, &[&str]) = ("packer", &["module", "project", "plan"]);

/// A public type stands in one crate; what another shows of it is a re-export.
pub(super) fn of_types_mean_one_thing(tree: &Tree, out: &mut Vec<Finding>) {
    let mut first: BTreeMap<&str, Vec<(&str, &str)>> = BTreeMap::new();
    let read = tree.ending("rs").filter(|(path, _)| !generated(path)).filter_map(|(path, text)| {
        let (stage, _) = path.strip_prefix("crates/")?.split_once("/src/")?;
        Some((rank(stage), stage, path, text))
    });
    let mut files: Vec<_> = read.collect();
    // Who comes later took the name.
    files.sort_by_key(|(rank, ..)| *rank);
    for (_, stage, path, text) in files {
        for (number, line) in numbered(text) {
            let Some(name) = declared(line) else { continue };
            let known = first.entry(name).or_default();
            let other = known.iter().find(|(other, _)| *other != stage && !are_peers(other, stage));
            if let Some((_, where_)) = other {
                let says = format!(
                    "`{name}` is the name of something else in {where_}: call it after what it is here"
                );
                out.push(Finding::new(path, number, says));
            }
            known.push((stage, path));
        }
    }
}

fn are_peers(a: &str, b: &str) -> bool {
    let (one, others) = PEERS;
    a == one && others.contains(&b) || b == one && others.contains(&a)
}

/// The public type that a line declares.
fn declared(line: &str) -> Option<&str> {
    const KINDS: [&str; 5] = ["struct ", "enum ", "trait ", "type ", "union "];
    let rest = line.strip_prefix("pub ")?;
    let rest = KINDS.iter().find_map(|kind| rest.strip_prefix(kind))?;
    let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
    rest.get(..end)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(files: &[(&str, &str)]) -> usize {
        let mut out = Vec::new();
        of_types_mean_one_thing(&Tree::of(files), &mut out);
        out.len()
    }

    #[test]
    fn a_name_that_is_taken_is_found() {
        let one = ("crates/value/src/a.rs", "pub struct Shape;\n");
        assert_eq!(found(&[one, ("crates/eval/src/a.rs", "pub enum Shape {}\n")]), 1);
        assert_eq!(found(&[one, ("crates/eval/src/a.rs", "pub struct Shapes;\n")]), 0);
        assert_eq!(found(&[one, ("crates/eval/src/a.rs", "pub(crate) struct Shape;\n")]), 0);
        assert_eq!(found(&[one, ("crates/eval/src/a.rs", "pub use groma_value::Shape;\n")]), 0);
        assert_eq!(found(&[one, ("crates/value/src/b.rs", "pub struct Shape;\n")]), 0);
        let peer = ("crates/packer/src/a.rs", "pub struct Variable;\n");
        assert_eq!(found(&[peer, ("crates/module/src/a.rs", "pub struct Variable;\n")]), 0);
        assert_eq!(found(&[peer, ("crates/syntax/src/a.rs", "pub struct Variable;\n")]), 1);
    }
}
