//! The roots whose code is changed: recorded ones, and generated ones in which much is unknown.

use std::collections::BTreeSet;

use groma::{
    Edition, InputAssignment, LoadOptions, MemoryHost, RootInputs, RunOptions, Snapshot, Workspace,
    mocks::MOCK_FILE,
};
use testkit::case::{Case, modules};

use crate::dice::Dice;

pub(crate) type Files = Vec<(String, String)>;

/// What is given to what the code leaves open.
#[derive(Default)]
pub(crate) struct Answers {
    /// The text of a mock file.
    pub(crate) mocks: String,
    /// What the variables of the root are worth.
    pub(crate) values: Vec<InputAssignment>,
}

/// A root of code.
pub(crate) struct Root {
    pub(crate) name: String,
    pub(crate) directory: String,
    pub(crate) options: LoadOptions,
    /// Which inputs count where nothing is answered.
    pub(crate) inputs: RootInputs,
    pub(crate) files: Files,
}

impl Root {
    pub(crate) fn of_text(name: &str, text: &str) -> Root {
        let files = vec![("main.tf".to_owned(), text.to_owned())];
        let (options, directory) = (LoadOptions::default(), ".".to_owned());
        Root { name: name.to_owned(), directory, options, inputs: RootInputs::Given, files }
    }

    /// The root with the inputs that it has no value for open.
    pub(crate) fn load(&self, files: &Files) -> Snapshot {
        self.load_into(&Workspace::new(MemoryHost::new()), files, None)
    }

    /// The root with everything answered.
    pub(crate) fn answered(&self, files: &Files, answers: &Answers) -> Snapshot {
        self.load_into(&Workspace::new(MemoryHost::new()), files, Some(answers))
    }

    /// The root before and after a change of its files.
    pub(crate) fn load_both(&self, files: &Files) -> [Snapshot; 2] {
        let workspace = Workspace::new(MemoryHost::new());
        let base = self.load_into(&workspace, &self.files, None);
        let there: BTreeSet<&str> = files.iter().map(|(name, _)| name.as_str()).collect();
        for (name, _) in self.files.iter().filter(|(name, _)| !there.contains(name.as_str())) {
            workspace.remove(&format!("app/{name}"));
        }
        [base, self.load_into(&workspace, files, None)]
    }

    fn load_into(
        &self,
        workspace: &Workspace,
        files: &Files,
        answers: Option<&Answers>,
    ) -> Snapshot {
        for (name, text) in files {
            workspace.set(&format!("app/{name}"), text.as_str());
        }
        let dir = format!("app/{}", self.directory);
        let mut options = LoadOptions { inputs: self.inputs, ..self.options.clone() };
        if let Some(answers) = answers {
            workspace.set(MOCK_FILE, answers.mocks.as_str());
            options.mocks = vec![MOCK_FILE.to_owned()];
            options.inputs = RootInputs::Given;
        }
        let assignments = answers.map(|answers| answers.values.clone()).unwrap_or_default();
        let run = || RunOptions { assignments: assignments.clone(), ..RunOptions::default() };
        workspace.root_for(&dir, &options, &run)
    }
}

pub(crate) fn is_code(name: &str) -> bool {
    name.ends_with(".tf") || name.ends_with(".tofu")
}

fn files(case: &Case) -> Option<Files> {
    let all = case.files().into_iter();
    all.map(|(name, bytes)| Some((name, String::from_utf8(bytes).ok()?))).collect()
}

/// The cases that need no provider and have no errors, or none as long as their inputs are open.
pub(crate) fn recorded() -> Vec<Root> {
    let all = modules(|case| !case.needs_provider() && !case.has_state());
    let root = |case: &Case| {
        let edition = case.turns().first().and_then(|turn| Edition::parse(turn.dialect));
        let options = LoadOptions { edition, ..LoadOptions::default() };
        let (name, directory) = (case.name.clone(), case.directory().to_owned());
        let inputs = RootInputs::Given;
        let given = Root { name, directory, options, inputs, files: files(case)? };
        let is_well = |root: &Root| {
            let snapshot = root.load(&root.files);
            crate::is_well(&snapshot, &crate::plan(&snapshot))
        };
        if is_well(&given) {
            return Some(given);
        }
        let open = Root { inputs: RootInputs::Unknown, ..given };
        let has_values = open.files.iter().any(|(name, _)| name.contains(".tfvars"));
        (!has_values && is_well(&open)).then_some(open)
    };
    all.iter().filter_map(root).collect()
}

/// An expression over what is known and what is not; its value is text.
fn expression(dice: &mut Dice, depth: usize) -> String {
    const ATOMS: [&str; 16] = [
        "terraform_data.a.id",
        "terraform_data.b.id",
        "terraform_data.many[1].id",
        "terraform_data.each[\"y\"].id",
        "local.text",
        "local.map.one",
        "local.made",
        "local.all.two",
        "\"word\"",
        "module.inner.text",
        "var.name",
        "var.names[1]",
        "var.object.label",
        "data.some_thing.one.arn",
        "data.some_thing.two[\"k\"].arn",
        "some_thing.made.arn",
    ];
    if depth == 0 {
        return ATOMS[dice.roll(ATOMS.len())].to_owned();
    }
    let mut inner = || expression(dice, depth - 1);
    let (a, b, c) = (inner(), inner(), inner());
    match dice.roll(31) {
        0 => format!("\"x-${{{a}}}  ${{{b}}}\""),
        1 => format!("upper({a})"),
        2 => format!("join(\"-\", [{a}, {b}])"),
        3 => format!("format(\"%s/%s\", {a}, {b})"),
        4 => format!("({a} == {b} ? {c} : {b})"),
        5 => format!("[for x in [{a}, {b}] : \"${{x}}!\"][1]"),
        6 => format!("try({a}, {b})"),
        7 => format!("coalesce({a}, {b})"),
        8 => format!("lookup({{ k = {a}, j = {b} }}, \"k\", {c})"),
        9 => format!("merge({{ a = {a} }}, {{ b = {b} }}).b"),
        10 => format!("element([{a}, {b}, {c}], 2)"),
        11 => format!("replace({a}, \"d\", {b})"),
        12 => format!("(length({a}) > 4 ? {b} : {c})"),
        13 => format!("{{ for k, v in {{ p = {a}, q = {b} }} : k => \"${{k}}${{v}}\" }}[\"q\"]"),
        14 => format!("split(\"-\", {a})[0]"),
        15 => format!("jsonencode({{ a = {a}, b = [{b}] }})"),
        16 => format!("substr({a}, 0, 4)"),
        17 => format!("concat([{a}], [{b}])[1]"),
        18 => format!("values({{ p = {a}, q = {b} }})[0]"),
        19 => format!("\"%{{ if {a} == \"id-7\" }}${{{b}}}%{{ else }}${{{c}}}%{{ endif }}\""),
        20 => format!("\"%{{ for one in [{a}, {b}] }}<${{one}}>%{{ endfor }}\""),
        21 => "join(\"+\", data.some_thing.one.list[*].name)".to_owned(),
        22 => "join(\"+\", [for x in data.some_thing.one.list : x.name])".to_owned(),
        23 => format!("join(\",\", reverse([{a}, {b}]))"),
        24 => format!("join(\",\", sort([{a}, {b}]))"),
        25 => "join(\",\", tolist(data.some_thing.one.list)[*].name)".to_owned(),
        26 => "data.some_thing.one.list[0].name".to_owned(),
        27 => format!("tostring(abs(var.object.size) + length({a}))"),
        29 => format!("try({a}, terraform_data.none[0].id, {b})"),
        28 => format!("join(\",\", compact(distinct([{a}, {b}])))"),
        _ => format!("join(\",\", [for x in split(\"-\", {a}) : \"${{x}}${{local.text}}\"])"),
    }
}

/// A module in which much is unknown.
pub(crate) fn generated(number: usize) -> Root {
    let mut dice = Dice::of(number as u64 ^ 0x5eed);
    let mut text = String::from(
        "locals {\n  text = \"some text\"\n  map = { one = \"first\", two = \"second\" }\n",
    );
    text.push_str(&format!("  made = \"${{terraform_data.a.id}}-{}\"\n", dice.roll(9)));
    text.push_str("  all = { for key, one in local.map : key => \"${one} of ${terraform_data.b.id}\" if key != \"no\" }\n}\n");
    text.push_str(
        "variable \"name\" {\n  type = string\n}\nvariable \"names\" {\n  type = list(string)\n}\nvariable \"object\" {\n  type = object({ label = string, size = optional(number, 3) })\n}\n",
    );
    for (name, repeat, each) in [
        ("a", "", ""),
        ("b", "", ""),
        ("many", "count = 2", "${count.index}"),
        ("each", "for_each = local.map", "${each.value}"),
        ("none", "count = 0", "${count.index}"),
    ] {
        let repeat = repeat.replace("local.map", "{ x = \"xx\", y = \"yy\" }");
        text.push_str(&format!(
            "resource \"terraform_data\" \"{name}\" {{\n  {repeat}\n  input = \"in {each}\"\n}}\n"
        ));
    }
    text.push_str("module \"inner\" {\n  source = \"./inner\"\n  given = terraform_data.b.id\n}\n");
    let [one, two] = [(); 2].map(|()| known_or_not(&mut dice));
    text.push_str(&format!(
        "data \"some_thing\" \"one\" {{\n  name = {one}\n}}\ndata \"some_thing\" \"two\" {{\n  for_each = {{ k = {two} }}\n  name = each.value\n  find {{\n    text = \"found\"\n  }}\n}}\nresource \"some_thing\" \"made\" {{\n  name = {two}\n}}\n"
    ));
    for at in 0..6 {
        let made = expression(&mut dice, 1 + at % 3);
        text.push_str(&format!("output \"o{at}\" {{\n  value = {made}\n}}\n"));
    }
    let inner = "variable \"given\" {\n  type = string\n}\nlocals {\n  all = { a = var.given, b = \"bb\" }\n}\noutput \"text\" {\n  value = \"${local.all.a} in ${local.all.b}\"\n}\n";
    let mut root = Root::of_text(&format!("generated {number}"), &text);
    root.files.push(("inner/main.tf".to_owned(), inner.to_owned()));
    Root { inputs: RootInputs::Unknown, ..root }
}

/// An argument of a data source.
fn known_or_not(dice: &mut Dice) -> &'static str {
    ["\"known\"", "local.text", "var.name", "terraform_data.a.id", "local.made"][dice.roll(5)]
}
