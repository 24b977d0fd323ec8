//! The order of diagnostics in several texts: that of their files where one is given, whatever their numbers.

use groma_syntax::{Diagnostic, Diagnostics, FileId, Place, Source, Sources, Span, codes};

/// Sorts diagnostics at the first byte of these files, where 9 stands for no place; returns the files in the new order.
fn sorted(sources: &Sources, files: &[u32]) -> Vec<u32> {
    let at = |file: u32| Place::new(FileId(file), Span::new(0, 1));
    let one = |file: &u32| {
        let found = Diagnostic::error(&codes::INVALID_UTF8, "wrong");
        if *file == 9 { found } else { found.at(at(*file)) }
    };
    let mut found: Diagnostics = files.iter().map(one).collect();
    sources.sort(&mut found);
    found.iter().map(|one| one.place.map_or(9, |place| place.file.0)).collect()
}

#[test]
fn files_have_the_order_that_is_given() {
    let mut sources = Sources::new();
    for name in ["module.tf", "main.tf", "values.tfvars", "more.tfvars"] {
        sources.add(Source::new(name, "x"));
    }
    assert_eq!(
        sorted(&sources, &[9, 3, 0, 1, 2]),
        [0, 1, 2, 3, 9],
        "by their numbers without an order"
    );
    let ordered = sources.ordered([FileId(1), FileId(0), FileId(1)]);
    assert_eq!(sorted(&ordered, &[9, 3, 0, 1, 2]), [1, 0, 2, 3, 9], "those of no order come after");
}
