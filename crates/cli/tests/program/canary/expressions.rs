//! Expressions that fail because of a secret, for every way in which a secret gets into a module.

use super::folder::Folder;
use super::{BUNDLE, assert_forms_silent, assert_silent};

/// Expressions that fail; `S` stands for the reference to the bundle of secrets.
const FAILING: &[&str] = &[
    "tonumber(S.text)",
    "tobool(S.text)",
    "tolist(S.text)",
    "toset(S.text)",
    "tomap(S.list)",
    "tomap(S.nested)",
    "tonumber(S.list)",
    "S.text + 1",
    "1 + S.text",
    "-S.text",
    "!S.text",
    "S.text && true",
    "S.number || true",
    "S.text > 1",
    "(S.number - S.number) / 0",
    "1 / 0 * (S.number - S.number)",
    "S.text ? 1 : 2",
    "S.number ? 1 : 2",
    "true ? S.nested : { other = { x = [1] } }",
    "S.list[S.text]",
    "S.list[99]",
    "S.list[S.number]",
    "S.list[\"nope\"]",
    "S.map[S.text]",
    "S.map[\"nope\"]",
    "S.map.canry_key",
    "S.nested.canry_attr",
    "S.nested[S.attr].nope",
    "S.nested[\"nope\"]",
    "S.nested[S.text]",
    "S.text.nope",
    "S.text[0]",
    "S.number[0]",
    "S.list.nope",
    "S.nope",
    "{ a = 1 }[S.text]",
    "[1, 2][S.number]",
    "[1, 2][S.text]",
    "max(S.list...)",
    "max(S.text, 1)",
    "min(S.list...)",
    "abs(S.text)",
    "ceil(S.list...)",
    "pow(S.text, 2)",
    "log(S.text, 2)",
    "signum(S.number)",
    "parseint(S.text, 10)",
    "parseint(\"1\", S.number)",
    "lookup(S.map, \"nope\")",
    "lookup(S.nested, \"nope\")",
    "lookup({ a = 1 }, S.text)",
    "lookup(S.text, \"a\")",
    "element([], S.number)",
    "element(S.list, S.text)",
    "element(S.text, 0)",
    "slice(S.list, 5, 9)",
    "slice(S.list, S.number, 9)",
    "slice([1], 0, S.text)",
    "chunklist([1], S.number)",
    "chunklist(S.text, 1)",
    "range(S.text)",
    "range(0, S.number, 0)",
    "format(\"%d\", S.text)",
    "format(\"%d\", S.list)",
    "format(S.verb, 1)",
    "format(S.text, 1)",
    "formatlist(\"%d\", S.list)",
    "formatlist(S.verb, S.list)",
    "formatdate(\"YYYY\", S.date)",
    "formatdate(S.text, \"2024-01-01T00:00:00Z\")",
    "timeadd(S.date, \"1h\")",
    "timeadd(\"2024-01-01T00:00:00Z\", S.text)",
    "timecmp(S.date, S.date)",
    "regex(S.regex, \"x\")",
    "regex(\"z\", S.text)",
    "regexall(S.regex, \"x\")",
    "replace(\"x\", \"/${S.regex}/\", \"y\")",
    "jsondecode(S.json)",
    "jsondecode(S.list)",
    "yamldecode(S.yaml)",
    "csvdecode(S.csv)",
    "base64decode(S.text)",
    "base64decode(S.list[0])",
    "base64gunzip(S.text)",
    "textdecodebase64(S.text, \"UTF-8\")",
    "textdecodebase64(\"AA==\", S.text)",
    "textencodebase64(\"x\", S.text)",
    "cidrhost(S.text, 1)",
    "cidrhost(\"10.0.0.0/8\", S.number)",
    "cidrnetmask(S.text)",
    "cidrsubnet(S.text, 1, 1)",
    "cidrsubnet(\"10.0.0.0/8\", S.number, 1)",
    "cidrsubnet(\"10.0.0.0/8\", 1, S.number)",
    "cidrsubnets(S.text, 1)",
    "cidrsubnets(\"10.0.0.0/8\", S.number)",
    "file(S.path)",
    "file(\"${S.text}.txt\")",
    "file(S.list[0])",
    "filebase64(S.path)",
    "filemd5(S.path)",
    "filesha256(S.list[1])",
    "templatefile(S.path, {})",
    "templatefile(\"names.tpl\", S.map)",
    "templatefile(\"number.tpl\", { value = S.text })",
    "templatefile(\"each.tpl\", { values = S.list })",
    "templatefile(\"names.tpl\", { \"bad name\" = S.text })",
    "templatefile(\"names.tpl\", S.text)",
    "templatestring(local.template, {})",
    "templatestring(local.broken, { other = 1 })",
    "[for v in S.list : tonumber(v)]",
    "[for v in S.list : v + 1]",
    "[for v in S.list : v.nope]",
    "[for v in S.list : jsondecode(v)]",
    "[for v in S.list : { a = 1 }[v]]",
    "[for v in S.list : v if v]",
    "[for v in S.list : [for w in [v] : tonumber(w)]]",
    "[for v in S.list : lookup({}, v)]",
    "[for v in S.list : max([v]...)]",
    "[for v in S.list : file(v)]",
    "[for v in S.list : templatefile(\"number.tpl\", { value = v })]",
    "[for v in S.list : \"x ${[v]}\"]",
    "[for v in S.list : \"%{ if v }x%{ endif }\"]",
    "[for v in S.list : try(tonumber(v))]",
    "[for k, v in S.map : tonumber(k)]",
    "[for k, v in S.map : { (k) = 1 }.nope]",
    "[for k, v in S.nested : tonumber(k)]",
    "[for v in S.text : v]",
    "[for v in S.numbers : (v - v) / 0]",
    "[for v in S.numbers : [1, 2][v]]",
    "[for v in toset(S.list) : tonumber(v)]",
    "{ for v in S.list : v => tonumber(v) }",
    "{ for v in S.list : [v] => 1 }",
    "{ for k, v in S.map : \"same\" => v if true }",
    "{ for k, v in S.map : substr(k, 0, 6) => v }",
    "{ for i, v in S.list : substr(v, 0, 6) => i }",
    "S.list[*].nope",
    "S.list[*][0]",
    "S.nested[*].nope",
    "S.numbers[*].x",
    "[S.nested][*].canry_attr",
    "\"x ${S.list}\"",
    "\"x ${S.nested} y\"",
    "\"%{ for v in S.list }${tonumber(v)}%{ endfor }\"",
    "\"%{ for v in S.list }${[v]}%{ endfor }\"",
    "\"%{ if S.text }x%{ endif }\"",
    "<<-EOT\n  ${tonumber(S.text)}\n  EOT\n",
    "zipmap(S.list, [1])",
    "zipmap(S.text, [1])",
    "merge(S.list)",
    "merge(S.text, {})",
    "setproduct(S.text)",
    "setunion(S.text)",
    "flatten(S.text)",
    "keys(S.text)",
    "values(S.list)",
    "concat(S.text)",
    "compact(S.nested)",
    "distinct(S.map)",
    "reverse(S.text)",
    "sum(S.list)",
    "sort([S.map])",
    "join(\",\", S.nested)",
    "join(\",\", [S.list])",
    "split(S.list, \"x\")",
    "substr(S.text, S.text, 1)",
    "indent(S.text, \"x\")",
    "indent(S.number, \"x\")",
    "index(S.list, \"nope\")",
    "index([\"a\"], S.text)",
    "index(S.text, \"a\")",
    "matchkeys(S.list, [1], S.list)",
    "transpose(S.nested)",
    "one(S.list)",
    "coalescelist(S.text)",
    "coalesce(S.list, 1)",
    "contains(S.text, \"a\")",
    "alltrue(S.list)",
    "anytrue(S.list)",
    "uuidv5(S.text, \"a\")",
    "bcrypt(\"x\", S.number)",
    "rsadecrypt(S.text, S.text)",
    "base64sha256(S.nested)",
    "upper(S.nested)",
    "trim(S.list, \"x\")",
    "startswith(S.list, \"x\")",
    "strcontains(S.nested, \"x\")",
    "try(tonumber(S.text))",
    "try(S.map.nope, tonumber(S.text))",
    "upper(tonumber(S.text))",
    "[tonumber(S.text), { a = S.map.nope }]",
    "{ (S.list) = 1 }",
    "{ (null) = S.text }",
    "length(S.number)",
];

/// Template files that the expressions name.
const FILES: &[(&str, &str)] = &[
    ("names.tpl", "${nothing_like_it}"),
    ("number.tpl", "${value + 1}"),
    ("each.tpl", "%{ for v in values }${tonumber(v)}%{ endfor }"),
];

/// A way in which a secret gets into a module.
struct Way {
    name: &'static str,
    /// The blocks that declare the secret.
    declares: String,
    /// The reference to the secret in expressions.
    reference: &'static str,
    files: Vec<(&'static str, String)>,
    flags: Vec<String>,
    environment: Vec<(&'static str, String)>,
}

impl Way {
    /// Returns a way without files, flags and environment variables.
    fn of(name: &'static str, reference: &'static str, declares: impl Into<String>) -> Way {
        let (files, flags, environment) = (Vec::new(), Vec::new(), Vec::new());
        Way { name, declares: declares.into(), reference, files, flags, environment }
    }
}

/// The declaration of the sensitive variable `s`.
const VARIABLE: &str = "variable \"s\" {\n  type      = any\n  sensitive = true\n}\n";

/// Returns every way in which a secret gets into a module.
fn ways() -> Vec<Way> {
    let plain = format!("locals {{\n  plain = {BUNDLE}\n}}\n");
    let marked = format!("{plain}locals {{\n  s = sensitive(local.plain)\n}}\n");
    let ephemeral = VARIABLE.replace("sensitive", "ephemeral");
    let schema = r#"{"format_version":"1.0","provider_schemas":{"registry.opentofu.org/hashicorp/keep":{"resource_schemas":{
        "keep_secret":{"version":0,"block":{"attributes":{"value":{"type":"dynamic","required":true,"sensitive":true}}}}}}}}"#;
    vec![
        Way { flags: vec![format!("-var=s={BUNDLE}")], ..Way::of("-var", "var.s", VARIABLE) },
        Way {
            environment: vec![("TF_VAR_s", BUNDLE.to_owned())],
            ..Way::of("environment", "var.s", VARIABLE)
        },
        Way {
            files: vec![("given.tfvars", format!("s = {BUNDLE}\n"))],
            flags: vec!["-var-file=given.tfvars".to_owned()],
            ..Way::of("-var-file", "var.s", VARIABLE)
        },
        Way {
            files: vec![("terraform.tfvars", format!("s = {BUNDLE}\n"))],
            ..Way::of("terraform.tfvars", "var.s", VARIABLE)
        },
        Way {
            files: vec![("a.auto.tfvars.json", format!("{{\"s\": {}}}", BUNDLE.replace("$$", "$")))],
            ..Way::of("a.auto.tfvars.json", "var.s", VARIABLE)
        },
        Way::of(
            "default",
            "var.s",
            format!("variable \"s\" {{\n  sensitive = true\n  default = {BUNDLE}\n}}\n"),
        ),
        Way {
            flags: vec![format!("-var=s={BUNDLE}")],
            ..Way::of("ephemeral", "var.s", ephemeral)
        },
        Way::of("sensitive()", "local.s", &marked),
        Way::of(
            "nested element",
            "local.holder.list[0].inner",
            format!("{marked}locals {{\n  holder = {{ list = [{{ inner = local.s }}] }}\n}}\n"),
        ),
        Way::of(
            "each element",
            "local.parts",
            format!("{plain}locals {{\n  parts = {{ for k, v in local.plain : k => sensitive(v) }}\n}}\n"),
        ),
        Way {
            files: vec![(
                "child/main.tf",
                "variable \"s\" {\n  sensitive = true\n}\noutput \"s\" {\n  value = var.s\n  sensitive = true\n}\n".to_owned(),
            )],
            ..Way::of(
                "output of a module",
                "module.child.s",
                format!("{plain}module \"child\" {{\n  source = \"./child\"\n  s = local.plain\n}}\n"),
            )
        },
        Way {
            files: vec![("schema.json", schema.to_owned())],
            flags: vec!["--schema=schema.json".to_owned()],
            ..Way::of(
                "attribute that a schema hides",
                "keep_secret.one.value",
                format!("{plain}resource \"keep_secret\" \"one\" {{\n  value = local.plain\n}}\n"),
            )
        },
    ]
}

/// Returns the code of a module with an output for each failing expression, and the line number of each.
fn module(way: &Way) -> (String, Vec<usize>) {
    let mut text = way.declares.clone();
    text.push_str(&format!(
        "locals {{\n  template = {0}.template\n  broken = {0}.broken\n}}\n",
        way.reference
    ));
    let mut lines = Vec::new();
    for (at, expression) in FAILING.iter().enumerate() {
        text.push_str(&format!("output \"way_{at}\" {{\n  sensitive = true\n  value = "));
        lines.push(text.lines().count());
        text.push_str(&format!(
            "{}\n}}\n",
            expression.replace("S.", &format!("{}.", way.reference))
        ));
    }
    (text, lines)
}

/// Checks that no message about a failing expression shows a secret, for every way and form.
#[test]
fn no_message_of_an_expression_shows_a_secret() {
    let mut ways_to_fail = 0;
    for way in ways() {
        let (text, lines) = module(&way);
        let mut files: Vec<(&str, &str)> = vec![("main.tf", &text)];
        files.extend(way.files.iter().map(|(name, text)| (*name, text.as_str())));
        files.extend_from_slice(FILES);
        let folder = Folder::of(&files);
        let flags: Vec<&str> = way.flags.iter().map(String::as_str).collect();
        let environment: Vec<(&str, &str)> =
            way.environment.iter().map(|(name, text)| (*name, text.as_str())).collect();
        let found = assert_forms_silent(way.name, &folder, &flags, &environment);
        let compact = found.replace([' ', '\n'], "");
        let fails = |line: usize, expression: &str| {
            (line..=line + expression.lines().count())
                .any(|line| compact.contains(&format!("\"start\":{{\"line\":{line},")))
        };
        let both = || lines.iter().zip(FAILING);
        let well: Vec<&str> =
            both().filter(|(line, one)| !fails(**line, one)).map(|(_, one)| *one).collect();
        assert!(well.is_empty(), "{}: these do not fail: {well:#?}", way.name);
        ways_to_fail += FAILING.len();
        let typed: Vec<String> =
            FAILING.iter().map(|one| one.replace("S.", &format!("{}.", way.reference))).collect();
        let console: Vec<&str> = std::iter::once("console").chain(flags.iter().copied()).collect();
        let ran = folder.run(&console, &environment, &format!("{}\n", typed.join("\n")));
        assert_silent(&format!("{}: console", way.name), &ran);
        let questions: Vec<String> =
            typed.iter().map(|one| format!("{{\"expr\":{}}}\n", testkit_string(one))).collect();
        let batch: Vec<&str> =
            ["eval", "--jsonl", "."].into_iter().chain(flags.iter().copied()).collect();
        let ran = folder.run(&batch, &environment, &questions.concat());
        assert_silent(&format!("{}: eval --jsonl", way.name), &ran);
        for one in typed.iter().step_by(24) {
            for form in ["--full", "-json", "-raw", "--type"] {
                let mut arguments = vec!["eval", ".", "-e", one.as_str(), form];
                arguments.extend(flags.iter().copied());
                let ran = folder.run(&arguments, &environment, "");
                assert_silent(&format!("{}: eval {form} -e {one}", way.name), &ran);
            }
        }
    }
    assert!(ways_to_fail >= 300, "{ways_to_fail}");
}

/// Returns a text as a JSON string.
fn testkit_string(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            '\n' => out.push_str("\\n"),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}
