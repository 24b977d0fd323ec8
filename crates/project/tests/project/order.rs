//! The order of files and blocks makes no difference to any answer.

use super::scene::Scene;

/// Blocks with errors and cycles that refer to each other, in an arbitrary order.
const BLOCKS: [&str; 8] = [
    "variable \"a\" {\n  default = { x = 1 }\n}\n",
    "variable \"missing\" {}\n",
    "locals {\n  l = var.a.x + 1\n  ring = local.gnir\n}\n",
    "locals {\n  gnir = local.ring\n  bad = local.nope\n}\n",
    "output \"o\" {\n  value = [local.l, module.m.o, var.missing]\n}\n",
    "module \"m\" {\n  source = \"./m\"\n  v = local.l\n}\n",
    "resource \"aws_x\" \"y\" {\n  name = \"n-${local.l}\"\n}\n",
    "output \"p\" {\n  value = { name = aws_x.y.name, arn = aws_x.y.arn }\n}\n",
];

/// Returns all results of a project as text, without places.
fn answers(files: &[(String, String)]) -> String {
    let mut scene = Scene::new()
        .file("m/main.tf", "variable \"v\" {}\noutput \"o\" { value = \"<${var.v}>\" }");
    for (name, text) in files {
        scene = scene.file(name, text.as_str());
    }
    let loaded = scene.load();
    let mut out = loaded.found.clone();
    let outputs = loaded.evaluation.outputs(&mut out);
    let shown: Vec<String> = outputs
        .iter()
        .map(|o| format!("{} = {}", &*o.name, groma_value::print::console(&o.value)))
        .collect();
    let mut found: Vec<String> =
        out.iter().map(|d| format!("{}: {}", d.code.slug, d.detail)).collect();
    found.sort();
    format!("{}\n{}", shown.join("\n"), found.join("\n"))
}

#[test]
fn shuffled_files_and_blocks_say_the_same() {
    let whole = [("main.tf".to_owned(), BLOCKS.concat())];
    let expected = answers(&whole);
    assert!(expected.contains("<2>"), "{expected}");
    let mut seed = 0x2545_f491_4f6c_dd1d_u64;
    let mut random = move |below: usize| {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        (seed % below as u64) as usize
    };
    for _ in 0..40 {
        let mut blocks = BLOCKS.to_vec();
        for at in (1..blocks.len()).rev() {
            blocks.swap(at, random(at + 1));
        }
        let mut files: Vec<(String, String)> =
            ["a.tf", "main.tf", "z.tf"].map(|name| (name.to_owned(), String::new())).to_vec();
        for block in blocks {
            files[random(3)].1.push_str(block);
        }
        assert_eq!(answers(&files), expected);
    }
}
