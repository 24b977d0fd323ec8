//! The questions that every kind of root answers, or declines with a reason. The list is that of the trait: a question that is new
//! there does not compile here before it is forwarded, and does not pass before each kind is asked it.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};

use groma::address::ResourceMode;
use groma::batches::BatchOptions;
use groma::causes::CauseTable;
use groma::graph::ReferenceGraph;
use groma::json::{JsonLayout, JsonText};
use groma::place::{BlockStep, DeclarationValues, ExpectedBody, FileSyntax};
use groma::root::{
    FileSpan, NoAnswer, Root, RootDeclaration, RootId, RootInput, RootKind, RootList, RootScope,
    TestSnapshot,
};
use groma::rules::RuleSwitches;
use groma::syntax::FileId;
use groma::why::{AddressError, WhyTree};
use groma::{
    Diagnostic, Diagnostics, Edition, ExpressionAnswer, LoadOptions, LoadPurpose, MemoryHost,
    OutputValue, RequestToken, RootFindings, RunOptions, Snapshot, Sources, TemplateSnapshot, Type,
    Value, Workspace,
};

/// A root that notes which questions it is asked.
struct NotedRoot {
    root: Arc<dyn Root>,
    asked: Mutex<BTreeSet<&'static str>>,
}

/// Forwards every question of the trait, and lists their names.
macro_rules! forwarded {
    ($(fn $name:ident(&$own:tt $(, $arg:ident: $ty:ty)*) $(-> $answer:ty)?;)*) => {
        const QUESTIONS: &[&str] = &[$(stringify!($name)),*];

        impl Root for NotedRoot {
            $(fn $name(&$own $(, $arg: $ty)*) $(-> $answer)? {
                $own.asked.lock().unwrap().insert(stringify!($name));
                $own.root.$name($($arg),*)
            })*
        }
    };
}

forwarded! {
    fn kind(&self) -> RootKind;
    fn dir(&self) -> &str;
    fn edition(&self) -> Edition;
    fn end(&self) -> Option<Diagnostic>;
    fn module(&self) -> Result<&Snapshot, NoAnswer>;
    fn template(&self) -> Result<&TemplateSnapshot, NoAnswer>;
    fn test(&self) -> Result<&TestSnapshot, NoAnswer>;
    fn root_of(&self, path: &str) -> Option<Arc<dyn Root>>;
    fn is_same(&self, other: &dyn Root) -> bool;
    fn file_names(&self) -> Vec<String>;
    fn file_id(&self, path: &str) -> Option<FileId>;
    fn syntax(&self, path: &str) -> Option<Arc<FileSyntax>>;
    fn sources(&self) -> Sources;
    fn found(&self) -> Diagnostics;
    fn findings(&self) -> Diagnostics;
    fn checked(&self, rules: Option<&RuleSwitches>) -> RootFindings;
    fn findings_in(&self, path: &str) -> Vec<Diagnostic>;
    fn declarations(&self) -> Vec<RootDeclaration>;
    fn names_at(&self, path: &str, at: u32) -> Vec<RootDeclaration>;
    fn builtin_names(&self) -> &'static [&'static str];
    fn definition_at(&self, path: &str, at: u32) -> Option<RootDeclaration>;
    fn references_at(&self, path: &str, at: u32) -> Vec<FileSpan>;
    fn type_at(&self, path: &str, at: u32, request: &RequestToken) -> Option<Type>;
    fn expected_in(&self, path: &str, blocks: &[BlockStep]) -> Option<ExpectedBody>;
    fn values_at(&self, path: &str, at: u32, limit: usize, request: &RequestToken) -> Result<DeclarationValues, NoAnswer>;
    fn values_of(&self, declaration: &RootDeclaration, limit: usize, request: &RequestToken) -> Result<DeclarationValues, NoAnswer>;
    fn scope_at(&self, address: Option<&str>, out: &mut Diagnostics) -> Result<Option<RootScope>, NoAnswer>;
    fn evaluate_text(&self, scope: &RootScope, text: &str, name: &str, out: &mut Diagnostics) -> Result<Value, NoAnswer>;
    fn completions(&self, scope: &RootScope) -> Vec<String>;
    fn set_batch_scope(&self, scope: &RootScope, options: &mut BatchOptions);
    fn evaluate(&self, text: &str, at: Option<&str>, request: &RequestToken) -> Result<ExpressionAnswer<Option<Value>>, NoAnswer>;
    fn why(&self, address: &str, request: &RequestToken) -> Result<ExpressionAnswer<Result<WhyTree, AddressError>>, NoAnswer>;
    fn causes(&self) -> &Arc<CauseTable>;
    fn console_text(&self, value: &Value) -> String;
    fn write_plan(&self, out: &mut JsonText<'_>) -> Result<Diagnostics, NoAnswer>;
    fn list(&self) -> ExpressionAnswer<RootList>;
    fn graph(&self) -> Result<ReferenceGraph, NoAnswer>;
    fn inputs(&self) -> Vec<RootInput>;
    fn outputs(&self) -> Result<ExpressionAnswer<Vec<OutputValue>>, NoAnswer>;
}

const MODULE: &str = "variable \"n\" {
  type    = number
  default = 2
}
locals {
  twice = var.n * 2
}
resource \"terraform_data\" \"box\" {
  input = local.twice
}
output \"size\" {
  value = local.twice
}
";

const TEMPLATE: &str = "variable \"n\" {
  type    = number
  default = 2
}
locals {
  twice = var.n * 2
}
source \"null\" \"box\" {
  communicator = \"none\"
}
build {
  sources = [\"source.null.box\"]
  provisioner \"shell-local\" {
    inline = [\"echo ${local.twice}\"]
  }
}
";

const TEST: &str = "variables {
  n = 3
}
run \"first\" {
  override_resource {
    target = terraform_data.box
    values = {}
  }
  assert {
    condition     = output.size == 6 && local.twice == 6
    error_message = \"No.\"
  }
}
run \"other\" {
  module {
    source = \"./net\"
  }
  variables {
    cidr = run.first.size
  }
  assert {
    condition     = output.cidr == run.first.size && var.cidr != \"\"
    error_message = \"No.\"
  }
}
";

const NET: &str =
    "variable \"cidr\" {\n  type = string\n}\noutput \"cidr\" {\n  value = var.cidr\n}\n";

fn workspace() -> Workspace {
    let workspace = Workspace::new(MemoryHost::new());
    workspace.set("app/main.tf", MODULE);
    workspace.set("app/net/main.tf", NET);
    workspace.set("app/tests/size.tftest.hcl", TEST);
    workspace.set("box/box.pkr.hcl", TEMPLATE);
    workspace
}

/// The path with which a root of a kind is opened, its file, and the text of that.
fn file_of(kind: RootKind) -> (&'static str, &'static str, &'static str) {
    match kind {
        RootKind::Module => ("app", "app/main.tf", MODULE),
        RootKind::Template => ("box", "box/box.pkr.hcl", TEMPLATE),
        RootKind::Test => ("app/tests/size.tftest.hcl", "app/tests/size.tftest.hcl", TEST),
    }
}

fn open_for(workspace: &Workspace, kind: RootKind, purpose: LoadPurpose) -> Arc<dyn Root> {
    let id = RootId { dir: file_of(kind).0.to_owned(), kind };
    let load = LoadOptions { purpose, ..LoadOptions::default() };
    workspace.open(&id, &load, &RunOptions::default, None)
}

fn open(workspace: &Workspace, kind: RootKind) -> Arc<dyn Root> {
    open_for(workspace, kind, LoadPurpose::Evaluate)
}

/// The offset in a text at which a part of it ends.
fn after(text: &str, part: &str) -> u32 {
    (text.find(part).unwrap_or_else(|| panic!("{part}")) + part.len()) as u32
}

fn addresses(all: &[RootDeclaration]) -> Vec<&str> {
    all.iter().map(|one| one.address.as_str()).collect()
}

/// The spans in words: `app/main.tf: var.n`.
fn shown(workspace: &Workspace, spans: &[FileSpan]) -> Vec<String> {
    let words = |at: &FileSpan| {
        let text = workspace.text(&at.file).unwrap();
        format!("{}: {}", at.file, at.span.of(&text))
    };
    spans.iter().map(words).collect()
}

/// The answer in a few words, or the reason why there is none.
fn told<T>(answer: Result<T, NoAnswer>, words: impl FnOnce(T) -> String) -> String {
    answer.map_or_else(|why| why.to_string(), words)
}

/// What a root of a kind answers to each question, in words.
fn answers(kind: RootKind) -> Vec<(&'static str, String)> {
    let workspace = workspace();
    let root = NotedRoot { root: open(&workspace, kind), asked: Mutex::default() };
    let (_, file, text) = file_of(kind);
    let (waiting, name) = (RequestToken::new(), after(text, "local.tw"));
    let word = |is: bool| if is { "yes" } else { "no" }.to_owned();
    let given = |known: DeclarationValues| {
        known
            .values
            .iter()
            .map(|one| root.root.console_text(&one.value))
            .collect::<Vec<_>>()
            .join(" ")
    };
    let step = |kind: &str, labels: &[&str]| BlockStep {
        kind: kind.to_owned(),
        labels: labels.iter().map(|one| (*one).to_owned()).collect(),
    };
    let body = match kind {
        RootKind::Test => vec![step("run", &["other"]), step("variables", &[])],
        _ => vec![step("variable", &["n"])],
    };
    let mut plan = JsonText::new(JsonLayout::Compact);
    let (scope, mut batch) = (RootScope::default(), BatchOptions::default());
    let mut out = Diagnostics::new();
    let defined = root.definition_at(file, name).unwrap();
    let found = vec![
        ("kind", root.kind().phrase().to_owned()),
        ("dir", root.dir().to_owned()),
        ("edition", root.edition().dialect.to_string()),
        ("end", word(root.end().is_some())),
        ("module", told(root.module().map(Snapshot::dir), str::to_owned)),
        ("template", told(root.template(), |_| "itself".to_owned())),
        ("test", told(root.test(), |_| "itself".to_owned())),
        ("root_of", root.root_of(file).map_or_else(String::new, |one| one.dir().to_owned())),
        ("is_same", word(root.is_same(&*root.root))),
        ("file_names", root.file_names().join(" ")),
        ("file_id", word(root.file_id(file).is_some())),
        ("syntax", word(root.syntax(file).is_some())),
        ("sources", word(root.sources().get(root.file_id(file).unwrap()).text().as_ref() == text)),
        ("found", root.found().len().to_string()),
        ("findings", root.findings().len().to_string()),
        ("checked", root.checked(None).found.len().to_string()),
        ("findings_in", root.findings_in(file).len().to_string()),
        ("declarations", addresses(&root.declarations()).join(" ")),
        ("names_at", addresses(&root.names_at(file, name)).join(" ")),
        ("builtin_names", root.builtin_names().join(" ")),
        ("definition_at", shown(&workspace, &[defined.site().unwrap().place]).join(" ")),
        ("references_at", shown(&workspace, &root.references_at(file, name)).join(" ")),
        (
            "type_at",
            root.type_at(file, name, &waiting).map_or_else(String::new, |ty| format!("{ty:?}")),
        ),
        ("expected_in", {
            let body = root.expected_in(file, &body).unwrap();
            body.arguments.iter().map(|one| one.name.to_string()).collect::<Vec<_>>().join(" ")
        }),
        ("values_at", told(root.values_at(file, name, 4, &waiting), given)),
        ("values_of", told(root.values_of(&root.declarations()[0], 4, &waiting), given)),
        ("scope_at", told(root.scope_at(None, &mut out), |scope| word(scope.is_some()))),
        (
            "evaluate_text",
            told(root.evaluate_text(&scope, "local.twice", "<x>", &mut out), |value| {
                root.root.console_text(&value)
            }),
        ),
        ("completions", root.completions(&scope).join(" ")),
        ("set_batch_scope", {
            root.set_batch_scope(&scope, &mut batch);
            word(batch.scope.is_some())
        }),
        (
            "evaluate",
            told(root.evaluate("local.twice", None, &waiting), |answer| {
                root.console_text(&answer.value.unwrap())
            }),
        ),
        ("why", told(root.why("local.twice", &waiting), |answer| word(answer.value.is_ok()))),
        ("causes", root.causes().len().to_string()),
        ("console_text", root.console_text(&Value::from(true))),
        ("write_plan", told(root.write_plan(&mut plan), |found| word(!found.has_errors()))),
        (
            "list",
            match root.list().value {
                RootList::Instances(all) => {
                    assert_eq!(all[0].mode, Some(ResourceMode::Managed));
                    format!("instance {}", &*all[0].address)
                }
                RootList::Builds(all) => format!("build {}", &*all[0].name),
                RootList::Runs(all) => format!("run {}", &*all[0].name),
            },
        ),
        ("graph", told(root.graph(), |graph| graph.edges.len().to_string())),
        (
            "inputs",
            root.inputs().iter().map(|one| one.name.to_string()).collect::<Vec<_>>().join(" "),
        ),
        ("outputs", told(root.outputs(), |all| all.value.len().to_string())),
    ];
    let asked = root.asked.into_inner().unwrap();
    assert_eq!(asked, QUESTIONS.iter().copied().collect(), "a question that is not asked");
    assert_eq!(found.iter().map(|(name, _)| *name).collect::<Vec<_>>(), QUESTIONS);
    found
}

/// Compares the answers of a kind with those that are expected.
fn hold(kind: RootKind, expected: &[(&str, &str)]) {
    let found = answers(kind);
    let found: Vec<(&str, &str)> =
        found.iter().map(|(name, words)| (*name, words.as_str())).collect();
    let lines = |all: &[(&str, &str)]| {
        all.iter().map(|(name, words)| format!("{name}: {words}\n")).collect::<String>()
    };
    assert_eq!(lines(&found), lines(expected), "{}", lines(&found));
}

#[test]
fn a_module_answers() {
    hold(
        RootKind::Module,
        &[
            ("kind", "A module"),
            ("dir", "app"),
            ("edition", "OpenTofu"),
            ("end", "no"),
            ("module", "app"),
            ("template", "A module is not a Packer template."),
            ("test", "A module is not a test file."),
            ("root_of", "app"),
            ("is_same", "yes"),
            ("file_names", "app/main.tf"),
            ("file_id", "yes"),
            ("syntax", "yes"),
            ("sources", "yes"),
            ("found", "0"),
            ("findings", "0"),
            ("checked", "0"),
            ("findings_in", "0"),
            ("declarations", "var.n local.twice terraform_data.box output.size"),
            ("names_at", "var.n local.twice terraform_data.box"),
            ("builtin_names", "path terraform"),
            ("definition_at", "app/main.tf: twice"),
            (
                "references_at",
                "app/main.tf: local.twice app/main.tf: local.twice app/tests/size.tftest.hcl: local.twice",
            ),
            ("type_at", "Number"),
            (
                "expected_in",
                "const default deprecated description ephemeral nullable sensitive type",
            ),
            ("values_at", "4"),
            ("values_of", "2"),
            ("scope_at", "yes"),
            ("evaluate_text", "4"),
            (
                "completions",
                "local.twice path.cwd path.module path.root terraform.workspace terraform_data.box var.n",
            ),
            ("set_batch_scope", "yes"),
            ("evaluate", "4"),
            ("why", "yes"),
            ("causes", "2"),
            ("console_text", "true"),
            ("write_plan", "yes"),
            ("list", "instance terraform_data.box"),
            ("graph", "3"),
            ("inputs", "n"),
            ("outputs", "1"),
        ],
    );
}

#[test]
fn a_template_answers() {
    hold(
        RootKind::Template,
        &[
            ("kind", "A Packer template"),
            ("dir", "box"),
            ("edition", "Packer"),
            ("end", "no"),
            ("module", "A Packer template has no modules."),
            ("template", "itself"),
            ("test", "A Packer template is not a test file."),
            ("root_of", "box"),
            ("is_same", "yes"),
            ("file_names", "box/box.pkr.hcl"),
            ("file_id", "yes"),
            ("syntax", "yes"),
            ("sources", "yes"),
            ("found", "0"),
            ("findings", "0"),
            ("checked", "0"),
            ("findings_in", "0"),
            ("declarations", "var.n local.twice source.null.box"),
            ("names_at", "var.n local.twice source.null.box"),
            ("builtin_names", "build packer path"),
            ("definition_at", "box/box.pkr.hcl: twice"),
            ("references_at", "box/box.pkr.hcl: local.twice"),
            ("type_at", "Number"),
            ("expected_in", "default description sensitive type"),
            ("values_at", "4"),
            ("values_of", "2"),
            ("scope_at", "yes"),
            ("evaluate_text", "4"),
            (
                "completions",
                "local.twice packer.version path.cwd path.root source.name source.type var.n",
            ),
            ("set_batch_scope", "yes"),
            ("evaluate", "4"),
            ("why", "yes"),
            ("causes", "0"),
            ("console_text", "true"),
            ("write_plan", "yes"),
            ("list", "build null.box"),
            ("graph", "3"),
            ("inputs", "n"),
            ("outputs", "A Packer template has no outputs."),
        ],
    );
}

#[test]
fn a_test_file_answers() {
    hold(
        RootKind::Test,
        &[
            ("kind", "A test file"),
            ("dir", "app/tests/size.tftest.hcl"),
            ("edition", "OpenTofu"),
            ("end", "no"),
            ("module", "app"),
            ("template", "A test file is not a Packer template."),
            ("test", "itself"),
            ("root_of", "app/tests/size.tftest.hcl"),
            ("is_same", "yes"),
            ("file_names", "app/tests/size.tftest.hcl"),
            ("file_id", "yes"),
            ("syntax", "yes"),
            ("sources", "yes"),
            ("found", "0"),
            ("findings", "0"),
            ("checked", "0"),
            ("findings_in", "0"),
            ("declarations", "run.first run.other"),
            (
                "names_at",
                "run.first run.other run.first.size run.other.cidr var.n local.twice terraform_data.box output.size",
            ),
            ("builtin_names", "path terraform"),
            ("definition_at", "app/main.tf: twice"),
            (
                "references_at",
                "app/main.tf: local.twice app/main.tf: local.twice app/tests/size.tftest.hcl: local.twice",
            ),
            ("type_at", "Number"),
            ("expected_in", "cidr"),
            ("values_at", "4"),
            ("values_of", "A test file has no values before its runs are made."),
            ("scope_at", "A test file has no values before its runs are made."),
            ("evaluate_text", "A test file has no values before its runs are made."),
            ("completions", ""),
            ("set_batch_scope", "no"),
            ("evaluate", "A test file has no values before its runs are made."),
            ("why", "A test file has no values before its runs are made."),
            ("causes", "2"),
            ("console_text", "true"),
            ("write_plan", "A test file is not planned: each of its runs plans a module."),
            ("list", "run first"),
            ("graph", "A test file has no graph: its runs are made one after the other."),
            ("inputs", "n"),
            (
                "outputs",
                "A test file has no outputs: those of its runs are known when they are made.",
            ),
        ],
    );
}

#[test]
fn names_of_a_test_file_lead_to_the_module_of_the_run() {
    let workspace = workspace();
    for purpose in [LoadPurpose::Evaluate, LoadPurpose::Check] {
        let root = open_for(&workspace, RootKind::Test, purpose);
        let file = root.dir().to_owned();
        let leads = |part: &str| {
            let found = root.definition_at(&file, after(TEST, part));
            found.map_or_else(String::new, |one| {
                let place = one.site().unwrap().place;
                format!("{} {}", one.address, shown(&workspace, &[place])[0])
            })
        };
        assert_eq!(leads("variables {\n  n"), "var.n app/main.tf: n");
        assert_eq!(leads("target = terraform_data.bo"), "terraform_data.box app/main.tf: box");
        assert_eq!(leads("condition     = output.si"), "output.size app/main.tf: size");
        assert_eq!(leads("run \"fir"), "run.first app/tests/size.tftest.hcl: \"first\"");
        assert_eq!(leads("  variables {\n    ci"), "var.cidr app/net/main.tf: cidr");
        assert_eq!(leads("cidr = run.fi"), "run.first app/tests/size.tftest.hcl: \"first\"");
        assert_eq!(leads("cidr = run.first.si"), "run.first.size app/main.tf: size");
        assert_eq!(leads("condition     = output.ci"), "output.cidr app/net/main.tf: cidr");
        assert_eq!(leads("var.ci"), "var.cidr app/net/main.tf: cidr");
        assert_eq!(leads("error_mess"), "");
        let named = |part: &str| shown(&workspace, &root.references_at(&file, after(TEST, part)));
        assert_eq!(
            named("run \"fir"),
            [format!("{file}: run.first"), format!("{file}: run.first")]
        );
        assert_eq!(
            named("cidr = run.first.si"),
            [
                format!("{file}: output.size"),
                format!("{file}: run.first.size"),
                format!("{file}: run.first.size")
            ]
        );
        assert_eq!(
            named("var.ci"),
            [
                "app/net/main.tf: var.cidr".to_owned(),
                format!("{file}: cidr"),
                format!("{file}: var.cidr")
            ]
        );
    }
}

#[test]
fn a_run_is_a_module_with_assignments_and_overrides() {
    let workspace = workspace();
    let root = open(&workspace, RootKind::Test);
    let test = root.test().unwrap();
    let runs = test.runs();
    let first = &runs[0];
    assert_eq!(
        (first.overrides[0].target.as_str(), first.assertions.len()),
        ("terraform_data.box", 1)
    );
    let module = test.module_of(first).unwrap();
    let assignments = first.assignments().unwrap();
    let given = module.with(RunOptions { assignments, ..RunOptions::default() });
    assert_eq!(given.plain_json(&given.evaluate("local.twice").value), "6");
    assert!(given.project().is_same_code(module.project()), "nothing is loaded for a run");
    // What rests on another run has no value yet.
    let why = runs[1].assignments().unwrap_err();
    assert!(why.to_string().contains("rest on runs"), "{why}");
    assert_eq!(test.module_of(&runs[1]).unwrap().dir(), "app/net");
}

#[test]
fn modules_of_runs_that_are_not_at_hand_are_declined() {
    let workspace = workspace();
    let text = "run \"far\" {\n  module {\n    source = \"far/away/aws\"\n  }\n}\nrun \"lost\" {\n  module {\n    source = \"./lost\"\n  }\n}\n";
    workspace.set("app/tests/size.tftest.hcl", text);
    let root = open(&workspace, RootKind::Test);
    let test = root.test().unwrap();
    let reasons: Vec<String> =
        test.runs().iter().map(|run| test.module_of(run).err().unwrap().to_string()).collect();
    assert_eq!(
        reasons,
        [
            "A test file does not install the modules of its runs.",
            "A test file names a module that cannot be read."
        ]
    );
}

#[test]
fn what_check_finds_in_a_test_file_is_found_in_its_root() {
    let workspace = workspace();
    workspace.set("app/tests/size.tftest.hcl", "run \"a\" {\n  command = destroy\n}\n");
    for purpose in [LoadPurpose::Evaluate, LoadPurpose::Check] {
        let root = open_for(&workspace, RootKind::Test, purpose);
        let found = root.findings_in(root.dir());
        let codes: Vec<&str> = found.iter().map(|one| one.code.slug).collect();
        assert_eq!(codes, ["test-keyword"], "{purpose:?}");
        let place = found[0].place.unwrap();
        assert_eq!(root.sources().at(place).0.name(), root.dir());
    }
}

#[test]
fn a_test_file_is_a_root_of_its_module() {
    let workspace = workspace();
    let module = open(&workspace, RootKind::Module);
    let test = module.root_of("app/tests/size.tftest.hcl").unwrap();
    assert_eq!(test.kind(), RootKind::Test);
    assert_eq!(test.root_of("app/main.tf").unwrap().kind(), RootKind::Module);
    assert!(test.is_same(&*open(&workspace, RootKind::Test)));
    assert!(!test.is_same(&*module) && !module.is_same(&*test));
    assert_eq!(module.module().unwrap().test_files().len(), 1);
}
