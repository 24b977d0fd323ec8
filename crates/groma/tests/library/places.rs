//! Places as an editor asks for them: what stands there, what leads there, and what it is worth. Each text marks its places by
//! `¦`, which is taken out before it is read.

use groma::place::{PlaceTarget, PlaceValues};
use groma::syntax::{ColumnUnit, Place, Point, Span};
use groma::{LoadOptions, MemoryHost, RequestToken, Snapshot, Workspace};

/// A root in `app`, and the marked places of its files in the order of the files.
fn root(files: &[(&str, &str)]) -> (Snapshot, Vec<Place>) {
    let workspace = Workspace::new(MemoryHost::new());
    let mut marks = Vec::new();
    for (path, marked) in files {
        let mut text = String::new();
        for part in marked.split('¦') {
            marks.push((*path, text.len() + part.len()));
            text.push_str(part);
        }
        marks.pop();
        workspace.set(path, text);
    }
    let snapshot = workspace.root("app", &LoadOptions::default());
    let place = |(path, offset): (&str, usize)| {
        Place::new(snapshot.file(path).unwrap(), Span::at(offset as u32))
    };
    let places = marks.into_iter().map(place).collect();
    (snapshot, places)
}

/// What stands at a place, in a word.
fn target(snapshot: &Snapshot, place: Place) -> String {
    let address = |id| snapshot.declaration(id).unwrap().address;
    match snapshot.target_at(place) {
        None => "nothing".to_owned(),
        Some(PlaceTarget::Reference { declaration, path, place }) => {
            let text = snapshot.text_at(place);
            format!(
                "{} in module {}, {} steps on: {text}",
                address(declaration),
                declaration.module,
                path.len()
            )
        }
        Some(PlaceTarget::Name { name, .. }) => format!("name {name}"),
        Some(PlaceTarget::Declaration(id)) => format!("declares {}", address(id)),
        Some(PlaceTarget::Argument { blocks, name, declaration }) => {
            format!("argument {name} of {} in {:?}", blocks.join("/"), declaration.map(address))
        }
        Some(PlaceTarget::Block(blocks)) => format!("block {}", blocks.join("/")),
        Some(PlaceTarget::Label { text, .. }) => format!("label {text}"),
        Some(PlaceTarget::Function(function)) => format!("function {}", function.name),
        Some(PlaceTarget::FilePath(path)) => format!("path {path}"),
    }
}

const CHILD: &str =
    "variable \"size\" {\n  type = number\n}\noutput \"twice\" {\n  value = var.¦size * 2\n}\n";

#[test]
fn what_stands_at_a_place() {
    let main = "locals {
  al¦l = [for one in var.names : upper(one)]
  text = uppe¦r(join(\"-\", local.a¦ll))
  read = file(\"./no¦te.txt\")
}
variable \"na¦mes\" {
  ty¦pe    = list(string)
  default = [\"a\"]
}
module \"child\" {
  source   = \"./¦child\"
  for_each = toset(var.names)
  si¦ze     = length(each.ke¦y)
}
resource \"terraform¦_data\" \"re¦s\" {
  input = module.ch¦ild[\"a\"].tw¦ice
  life¦cycle {
    ignore_changes = []
  }
}
output \"o\" { value = terraform_data.res.out¦put }
¦";
    let (snapshot, places) = root(&[("app/main.tf", main), ("app/child/main.tf", CHILD)]);
    let found: Vec<String> = places.iter().map(|place| target(&snapshot, *place)).collect();
    let expected = [
        "declares local.all",
        "function upper",
        "local.all in module 0, 0 steps on: local.all",
        "path app/note.txt",
        "declares var.names",
        "argument type of variable in Some(\"var.names\")",
        "path app/child",
        "argument size of module in Some(\"module.child\")",
        "name each.key",
        "label terraform_data",
        "declares terraform_data.res",
        "module.child in module 0, 0 steps on: module.child",
        "output.twice in module 1, 0 steps on: module.child[\"a\"].twice",
        "block resource/lifecycle",
        "terraform_data.res in module 0, 1 steps on: terraform_data.res.output",
        "nothing",
        "var.size in module 1, 0 steps on: var.size",
    ];
    assert_eq!(found, expected);
}

#[test]
fn from_a_reference_to_its_declaration_and_back() {
    let main = "variable \"n\" {}
locals {
  a = var.¦n + 1
  b = \"${var.n}!\" # var.n
}
module \"one\" {
  source = \"./child\"
  size   = var.n
}
module \"two\" {
  source = \"./child\"
  size   = local.a
}
output \"sum\" { value = module.one.twice + module.two.twice }
";
    let (snapshot, places) = root(&[("app/main.tf", main), ("app/child/main.tf", CHILD)]);
    let text = |place: Place| {
        let (name, points) = snapshot.range(place, ColumnUnit::Utf16);
        format!("{name}:{}: {}", points.start.line, snapshot.text_at(place))
    };
    let leads = |place| match snapshot.target_at(place) {
        Some(PlaceTarget::Reference { declaration, .. }) => declaration,
        other => panic!("{other:?}"),
    };
    let n = leads(places[0]);
    assert_eq!(text(snapshot.definition(n).unwrap()), "app/main.tf:0: n");
    let all: Vec<String> = snapshot.references(n).iter().map(|one| text(one.place)).collect();
    assert_eq!(all, ["app/main.tf:2: var.n", "app/main.tf:3: var.n", "app/main.tf:7: var.n"]);
    let size = leads(places[1]);
    let callers: Vec<String> =
        snapshot.callers_of(size).iter().map(|one| text(one.value.unwrap())).collect();
    assert_eq!(callers, ["app/main.tf:7: var.n", "app/main.tf:11: local.a"]);
    let twice = snapshot.declarations_in("app/child/main.tf");
    let twice = twice.iter().find(|one| one.address == "output.twice").unwrap();
    let all: Vec<String> =
        snapshot.references(twice.id).iter().map(|one| text(one.place)).collect();
    assert_eq!(all, ["app/main.tf:13: module.one.twice", "app/main.tf:13: module.two.twice"]);
}

#[test]
fn the_call_around_a_place() {
    let main = "locals {\n  a = join(¦\"-\", ¦[upp¦er(\"x\")], ¦)\n}\n";
    let (snapshot, places) = root(&[("app/main.tf", main)]);
    let calls: Vec<_> = places
        .iter()
        .map(|place| snapshot.call_at(*place).map(|(function, at)| (function.name, at)))
        .collect();
    assert_eq!(
        calls,
        [Some(("join", 0)), Some(("join", 1)), Some(("upper", 0)), Some(("join", 2))]
    );
}

fn values(snapshot: &Snapshot, found: &PlaceValues) -> Vec<String> {
    let text = |one: &groma::place::InstanceValue| {
        format!("{} {}", one.instance, snapshot.plain_json(&one.value)).trim().to_owned()
    };
    found.values.iter().map(text).collect()
}

#[test]
fn values_in_every_instance() {
    let main = "module \"child\" {
  source   = \"./child\"
  for_each = toset([\"a\", \"bb\"])
  size     = length(each.key)
}
resource \"terraform_data\" \"res\" {
  count = 3
  input = \"n${count.in¦dex}\"
}
locals {
  o = { a = { b = [1, 2] } }
  p = local.o¦.a
  q = true ? 1 : local.¦o
}
";
    let (snapshot, places) = root(&[("app/main.tf", main), ("app/child/main.tf", CHILD)]);
    let open = RequestToken::new();
    let at = |place: Place, limit| snapshot.values_at(place, limit, &open).unwrap();
    let found = at(places[0], 2);
    assert_eq!(values(&snapshot, &found), ["terraform_data.res[0] 0", "terraform_data.res[1] 1"]);
    assert!(found.has_more && !found.is_pending);
    let found = at(places[3], 10);
    assert_eq!(values(&snapshot, &found), ["module.child[\"a\"] 1", "module.child[\"bb\"] 2"]);
    assert_eq!((snapshot.text_at(found.place), found.has_more), ("var.size", false));
    assert_eq!(values(&snapshot, &at(places[1], 10)), ["{\"b\":[1,2]}"]);
    let outputs = snapshot.declarations_in("app/child/main.tf");
    let instances = snapshot.instances_of(outputs[1].id, 10, &open);
    assert_eq!(
        instances,
        (vec!["module.child[\"a\"]".into(), "module.child[\"bb\"]".into()], true)
    );
}

#[test]
fn a_request_ends_and_the_snapshot_goes_on() {
    let main = "locals {\n  a = 1\n  b = local.a + 1\n  c = local.¦b + 1\n}\n";
    let (snapshot, places) = root(&[("app/main.tf", main)]);
    let ask = |request: &RequestToken| snapshot.values_at(places[0], 4, request).unwrap();
    let cancelled = RequestToken::new();
    cancelled.cancel();
    for request in [RequestToken::ready(), cancelled, RequestToken::new().until(|| true)] {
        let found = ask(&request);
        assert!(found.values.is_empty() && found.is_pending);
    }
    assert_eq!(values(&snapshot, &ask(&RequestToken::new())), ["2"]);
    // By now it is there.
    let found = ask(&RequestToken::ready());
    assert!(!found.is_pending);
    assert_eq!(values(&snapshot, &found), ["2"]);
    assert!(!snapshot.has_ended());
}

#[test]
fn columns_in_three_units() {
    let (snapshot, _) =
        root(&[("app/main.tf", "locals {\n  a = \"😀é\" == var.b\n}\nvariable \"b\" {}\n")]);
    for (unit, column) in [(ColumnUnit::Utf8, 18), (ColumnUnit::Utf16, 15), (ColumnUnit::Utf32, 14)]
    {
        let place = snapshot.place("./app/main.tf", Point { line: 1, column }, unit).unwrap();
        assert_eq!(target(&snapshot, place), "var.b in module 0, 0 steps on: var.b", "{unit:?}");
        assert_eq!(snapshot.range(place, unit).1.start, Point { line: 1, column });
    }
    assert!(snapshot.place("app/none.tf", Point::default(), ColumnUnit::Utf8).is_none());
}

#[test]
fn questions_leave_nothing_behind() {
    let main = "variable \"names\" {\n  default = [\"a\", \"b\"]\n}
locals {
  all = { for one in var.names : one => upper(one) }
  sum = length(local.all) + 1
}
resource \"terraform_data\" \"res\" {
  for_each = local.all
  input    = \"${each.value}-${local.sum}\"
}
";
    let (snapshot, _) = root(&[("app/main.tf", main)]);
    let file = snapshot.file("app/main.tf").unwrap();
    let length = main.len() as u32;
    let ask = |from: u32| {
        for at in (from..from + length).map(|at| at % length) {
            let place = Place::new(file, Span::at(at));
            snapshot.target_at(place);
            snapshot.call_at(place);
            snapshot.values_at(place, 8, &RequestToken::new());
        }
    };
    ask(0);
    let sources = snapshot.sources().len();
    let rounds = 10_000 / length + 1;
    let counted = allocation_counter::measure(|| (0..rounds).for_each(ask));
    assert_eq!(snapshot.sources().len(), sources);
    assert!(counted.bytes_current.abs() < 4096, "{} bytes are left", counted.bytes_current);
}
