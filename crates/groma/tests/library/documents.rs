//! Documents as an editor changes them, and the roots that they belong to.

use groma::syntax::{ColumnUnit, Point};
use groma::{DocumentEdit, EditRefusal, LoadOptions, MemoryHost, Workspace};

fn edit(from: (u32, u32), to: (u32, u32), text: &str) -> DocumentEdit {
    let point = |(line, column): (u32, u32)| Point { line, column };
    DocumentEdit { range: Some(point(from)..point(to)), text: text.to_owned() }
}

fn value(workspace: &Workspace, dir: &str, text: &str) -> String {
    let snapshot = workspace.root(dir, &LoadOptions::default());
    snapshot.plain_json(&snapshot.evaluate(text).value)
}

#[test]
fn edits_come_in_the_order_of_their_versions() {
    let workspace = Workspace::new(MemoryHost::new());
    workspace.set("app/main.tf", "locals {\n  a = \"😀\"\n}\n");
    let utf16 = ColumnUnit::Utf16;
    let change =
        |edits: &[DocumentEdit], version| workspace.edit("app/main.tf", edits, utf16, version);
    assert_eq!(change(&[edit((1, 9), (1, 9), "!"), edit((1, 6), (1, 7), "\"x")], 2), Ok(()));
    assert_eq!(value(&workspace, "app", "local.a"), "\"x😀!\"");
    assert_eq!(change(&[edit((0, 0), (9, 0), "")], 2), Err(EditRefusal::Stale { known: 2 }));
    for wrong in [edit((9, 0), (9, 1), "x"), edit((1, 3), (1, 1), "x")] {
        assert_eq!(change(&[edit((0, 0), (0, 0), "#"), wrong], 3), Err(EditRefusal::OutOfRange));
    }
    assert_eq!(value(&workspace, "app", "local.a"), "\"x😀!\"");
    let whole = DocumentEdit { range: None, text: "locals {\n  a = 3\n}\n".to_owned() };
    assert_eq!(change(&[whole], 3), Ok(()));
    assert_eq!(value(&workspace, "app", "local.a"), "3");
    let unreadable = workspace.edit("app/none.tf", &[edit((0, 0), (0, 0), "x")], utf16, 1);
    assert!(matches!(unreadable, Err(EditRefusal::Unreadable(_))));
}

#[test]
fn roots_are_found_by_file_and_forgotten() {
    let workspace = Workspace::new(MemoryHost::new());
    workspace.set("top/mod/main.tf", "output \"o\" { value = 1 }\n");
    workspace.set("top/main.tf", "module \"m\" {\n  source = \"./mod\"\n}\n");
    assert_eq!(value(&workspace, "top", "module.m.o"), "1");
    assert_eq!(value(&workspace, "top/mod", "1"), "1");
    assert_eq!(workspace.roots_of("top/mod/main.tf"), ["top", "top/mod"]);
    assert_eq!(workspace.roots_of("./top/main.tf"), ["top"]);
    assert!(workspace.close_root("top/mod") && !workspace.close_root("top/mod"));
    assert_eq!(workspace.roots_of("top/mod/main.tf"), ["top"]);
    assert_eq!(workspace.open_roots(), ["top"]);
    assert_eq!(workspace.renamed("top/mod", "top/lib"), 1);
    workspace.set("top/main.tf", "module \"m\" {\n  source = \"./lib\"\n}\n");
    assert_eq!(value(&workspace, "top", "module.m.o"), "1");
    assert!(workspace.roots_of("top/mod/main.tf").is_empty());
}
