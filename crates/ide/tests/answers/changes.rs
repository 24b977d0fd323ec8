//! Answers that change the text: layout and names.

use groma_ide::{
    closing_formatting, file_renames, formatting, prepare_rename, range_formatting, rename,
};

use crate::root::MarkedRoot;

/// Tests the formatting of a whole file and of the lines of a range.
#[test]
fn the_layout_of_a_file_and_of_a_part_of_it() {
    let text = "locals {\na = 1\n  bcd = 2\n}\n\n\n\noutput  \"x\" {¦ value = 1 }\n";
    let root = MarkedRoot::of(&[("app/main.tf", text)]);
    let edits = formatting(&root.request(), "app/main.tf");
    let expected = "locals {\n  a   = 1\n  bcd = 2\n}\n\n\n\noutput \"x\" { value = 1 }\n";
    assert_eq!(root.edited("app/main.tf", &edits), expected);
    let (file, at) = root.mark(0);
    let edits = range_formatting(&root.request(), file, groma::syntax::Span::at(at));
    let expected = "locals {\na = 1\n  bcd = 2\n}\n\n\n\noutput \"x\" { value = 1 }\n";
    assert_eq!(root.edited(file, &edits), expected);
}

#[test]
fn a_text_with_errors_keeps_its_layout() {
    let root = MarkedRoot::of(&[("app/main.tf", "locals {\na = (\n}\n")]);
    assert_eq!(formatting(&root.request(), "app/main.tf"), []);
}

/// Tests that renaming a resource or a variable changes all references and calls, and adds a `moved` block.
#[test]
fn a_name_changes_everywhere_that_it_is_said() {
    let main = "variable \"n\" {}
resource \"terraform_data\" \"a\" { input = var.n }
module \"one\" {
  source = \"./child\"
  size   = terraform_data.¦a.output
}
";
    let child = "variable \"si¦ze\" {}\noutput \"twice\" { value = var.size }\n";
    let root = MarkedRoot::of(&[("app/main.tf", main), ("app/child/main.tf", child)]);
    let (file, at) = root.mark(0);
    let site = prepare_rename(&root.request(), file, at).unwrap();
    assert_eq!(site.name, "a");
    let made = rename(&root.request(), file, at, "b").unwrap();
    let text = root.edited("app/main.tf", &made.files[0].edits);
    assert!(text.contains("\"terraform_data\" \"b\"") && text.contains("terraform_data.b.output"));
    assert!(text.contains("from = terraform_data.a") && text.contains("to   = terraform_data.b"));
    let (file, at) = root.mark(1);
    let made = rename(&root.request(), file, at, "count_of").unwrap();
    let files: Vec<&str> = made.files.iter().map(|one| one.file.as_str()).collect();
    assert_eq!(files, ["app/child/main.tf", "app/main.tf"]);
    assert!(prepare_rename(&root.request(), file, 0).is_err());
}

#[test]
fn a_name_that_for_binds_changes_in_its_expression() {
    let text = "locals {\n  a = [for x in [1, 2] : ¦x + 1 if x > 0]\n}\n";
    let root = MarkedRoot::of(&[("app/main.tf", text)]);
    let (file, at) = root.mark(0);
    assert_eq!(prepare_rename(&root.request(), file, at).unwrap().name, "x");
    let made = rename(&root.request(), file, at, "each_one").unwrap();
    let text = root.edited(file, &made.files[0].edits);
    assert!(text.contains("[for each_one in [1, 2] : each_one + 1 if each_one > 0]"), "{text}");
    assert!(rename(&root.request(), file, at, "a b").is_err());
}

/// Tests that typing a closing brace formats only the block that it closes.
#[test]
fn a_brace_lays_out_the_block_that_it_closes() {
    let text = "locals {\na = 1\n}\nvariable \"v\" {\ntype = string\n}¦\n";
    let root = MarkedRoot::of(&[("app/main.tf", text)]);
    let (file, at) = root.mark(0);
    let edits = closing_formatting(&root.request(), file, at);
    let text = root.edited(file, &edits);
    assert_eq!(text, "locals {\na = 1\n}\nvariable \"v\" {\n  type = string\n}\n");
}

#[test]
fn carriage_returns_stay() {
    let root = MarkedRoot::of(&[("app/main.tf", "locals {\r\na = 1\r\n}\r\n")]);
    let edits = formatting(&root.request(), "app/main.tf");
    assert_eq!(root.edited("app/main.tf", &edits), "locals {\r\n  a = 1\r\n}\r\n");
}

#[test]
fn sources_follow_a_folder_that_moves() {
    let root = MarkedRoot::of(&[
        ("app/main.tf", "module \"a\" {\n  source = \"./old\"\n}\n"),
        ("app/old/main.tf", "module \"b\" {\n  source = \"../shared\"\n}\n"),
        ("app/shared/main.tf", ""),
        ("app/other/main.tf.json", "{\"module\": {\"c\": {\"source\": \"../old\"}}}"),
    ]);
    let made = file_renames(&root.request(), "app/old", "app/modules/new");
    let shown: Vec<String> =
        made.files.iter().map(|one| format!("{} {}", one.file, one.edits[0].text)).collect();
    assert_eq!(shown[0], "app/main.tf ./modules/new");
    assert_eq!(shown[1], "app/old/main.tf ../../shared");
}
