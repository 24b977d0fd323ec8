"""Roots: from folders, from texts, from a host of the caller's; questions, edits, bad input."""

import decimal
import json
import os
import signal
import subprocess
import sys
import sysconfig
import threading
import time

import groma
import pytest

MAIN = """
variable "zones" { default = ["a", "b"] }
module "net" {
  source = "./net"
  zones  = var.zones
}
output "names" { value = module.net.names }
"""
NET = """
variable "zones" {}
resource "terraform_data" "zone" {
  for_each = toset(var.zones)
  input    = "zone-${each.key}"
}
output "names" { value = sort([for z in terraform_data.zone : z.input]) }
"""
FILES = {"main.tf": MAIN, "net/main.tf": NET, "t.tftpl": "%{ for n in names ~}\n${n};\n%{ endfor ~}\n"}


class Texts:
    """A host over a dictionary."""

    def __init__(self, files):
        self.files, self.asked = files, []

    def read(self, path):
        self.asked.append(path)
        if path not in self.files:
            raise FileNotFoundError(path)
        return self.files[path]

    def list(self, path):
        start = "" if path in (".", "/", "") else path + "/"
        below = [name[len(start):] for name in self.files if name.startswith(start)]
        if not below:
            raise FileNotFoundError(path)
        return sorted({name.split("/")[0] + ("/" if "/" in name else "") for name in below})


def roots(tmp_path):
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    return [groma.Root(FILES), groma.Root(tmp_path), groma.Root(str(tmp_path)), groma.Root(Texts(FILES))]


def test_where_files_come_from_makes_no_difference(tmp_path):
    for root in roots(tmp_path):
        assert root.outputs == {"names": ["zone-a", "zone-b"]}
        assert root.eval("length(var.zones)") == 2
        assert root.eval("var.zones[0]", at="module.net") == "a"
        assert len(root.resources) == 2
        first = root.resources['module.net.terraform_data.zone["a"]']
        assert first["module"] == "module.net" and first["values"]["input"] == "zone-a"
        assert len(root.plan()["resource_changes"]) == 2
        assert root.check()["valid"] is True
        assert root.render("t.tftpl", {"names": ["x", "${y}"]}) == "x;\n${y};\n"
        assert root.why("output.names")["value"] == ["zone-a", "zone-b"]
        root.close()


def test_texts_of_all_scripts():
    text = "\u00e9 \u6f22 \U0001f600"
    root = groma.Root({"main.tf": f'output "o" {{ value = "{text}" }}'})
    assert root.plan()["planned_values"]["outputs"]["o"]["value"] == text
    assert root.outputs["o"] == root.eval(f'"{text}"') == text


def test_an_edit_counts_at_once():
    root = groma.Root(FILES)
    before = groma.Root(FILES)
    root.edit({"net/main.tf": NET.replace("zone-", "z")})
    assert root.outputs == {"names": ["za", "zb"]}
    changed = json.dumps(root.diff(before))
    assert "zone-a" in changed and "za" in changed
    root.edit({"net/main.tf": None})
    assert root.outputs == before.outputs


def test_inputs_and_limits():
    assert groma.Root(FILES, {"zones": ["q"]}).outputs == {"names": ["zone-q"]}
    root = groma.Root({**FILES, "v.tfvars": 'zones = ["v"]'}, var_files=["v.tfvars"])
    assert root.outputs == {"names": ["zone-v"]}
    endless = {"main.tf": "output \"o\" { value = length([for a in range(1000) : [for b in range(1000) : a]]) }"}
    with pytest.raises(groma.Error) as raised:
        groma.Root(endless, limits={"steps": 10_000}).outputs
    assert raised.value.code == "limit-steps"
    with pytest.raises(groma.Error, match="unknown field"):
        groma.Root(FILES, limits={"stepz": 1})


def test_code_with_errors():
    root = groma.Root({"main.tf": 'output "o" { value = local.gone }'})
    assert root.check()["valid"] is False
    assert root.plan()["errored"] is True
    with pytest.raises(groma.Error) as raised:
        root.outputs
    assert raised.value.diagnostics[0]["range"]["filename"] == "main.tf"
    assert groma.Root({"main.tf": "output {"}).check()["error_count"] > 0
    assert groma.Root({"main.tf": b"\xff\xfe\x00"}).check()["error_count"] > 0


def test_use_after_close():
    root = groma.Root(FILES)
    with root:
        assert root.eval("1") == 1
    for ask in [lambda: root.outputs, lambda: root.plan(), lambda: root.eval("1")]:
        with pytest.raises(groma.Error, match="closed"):
            ask()
    root.close()


def test_paths(tmp_path):
    with pytest.raises(groma.Error, match="not a directory"):
        groma.Root(tmp_path / "nowhere")
    (tmp_path / "secret.txt").write_text("secret")
    inside = tmp_path / "root"
    inside.mkdir()
    (inside / "main.tf").write_text('output "o" { value = file("../secret.txt") }')
    with pytest.raises(groma.Error):
        groma.Root(inside).outputs
    (inside / "link.txt").symlink_to("../secret.txt")
    (inside / "main.tf").write_text('output "o" { value = file("link.txt") }')
    with pytest.raises(groma.Error):
        groma.Root(inside, untrusted=True).outputs


def test_a_host_that_raises_or_lies():
    class Broken(Texts):
        def read(self, path):
            raise RuntimeError("the cable is out")

    with pytest.raises(groma.Error, match="the cable is out") as raised:
        groma.Root(Broken(FILES)).outputs
    assert isinstance(raised.value.__cause__, RuntimeError)

    class Lies(Texts):
        def list(self, path):
            return [1, 2, 3]

        def read(self, path):
            return 7

    with pytest.raises(groma.Error):
        groma.Root(Lies(FILES)).outputs


def test_unknown_questions():
    root = groma.Root(FILES)
    with pytest.raises(groma.Error, match="no question"):
        root.ask("fortune")
    with pytest.raises(groma.Error):
        root.ask("eval", expression=1)
    with pytest.raises(groma.Error):
        root.why("output.nowhere")


def test_threads_share_a_root():
    root, found = groma.Root(FILES), []

    def ask():
        for number in range(20):
            found.append(root.eval(f"{number} + length(var.zones)") - number)

    threads = [threading.Thread(target=ask) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [2] * 160


def test_threads_edit_and_ask_at_once():
    root, found = groma.Root(FILES), set()

    def edit():
        for number in range(20):
            root.edit({"net/main.tf": NET.replace("zone-", f"z{number % 2}-")})

    def ask():
        for _ in range(20):
            found.add(tuple(root.outputs["names"]))

    threads = [threading.Thread(target=work) for work in (edit, ask, ask)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found <= {(f"{start}-a", f"{start}-b") for start in ("zone", "z0", "z1")}


@pytest.mark.skipif(not sysconfig.get_config_var("Py_GIL_DISABLED"), reason="this interpreter has its lock")
def test_the_package_needs_no_lock():
    assert not sys._is_gil_enabled()


ENDLESS = "length(flatten([for a in range(1000) : [for b in range(1000) : [for c in range(1000) : a]]]))"


@pytest.mark.parametrize("ask", [lambda: groma.evaluate(ENDLESS), lambda: groma.Root(FILES).eval(ENDLESS)])
def test_a_signal_ends_a_long_answer(ask):
    timer = threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT))
    timer.start()
    began = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        ask()
    assert time.monotonic() - began < 5
    assert groma.evaluate("1 + 1") == 2


def test_the_lock_is_released():
    ticks = []
    done = threading.Event()

    def tick():
        while not done.is_set():
            ticks.append(1)
            time.sleep(0.005)

    thread = threading.Thread(target=tick)
    thread.start()
    with pytest.raises(groma.Error):
        groma.Root(FILES, limits={"steps": 3_000_000}).eval(ENDLESS)
    done.set()
    thread.join()
    assert len(ticks) > 3


def test_after_a_fork():
    root = groma.Root(FILES)
    assert root.eval("1") == 1
    child = os.fork()
    if child == 0:
        os._exit(0 if root.eval("length(var.zones)") == 2 else 1)
    assert os.waitpid(child, 0)[1] == 0


def test_tables():
    resources = groma.Root(FILES).resources
    rows = resources.rows(["input", "id"])
    assert [row["input"] for row in rows] == ["zone-a", "zone-b"]
    assert rows[0]["id"] is None and json.loads(rows[0]["values"])["id"] == {"unknown": "string"}
    pyarrow = pytest.importorskip("pyarrow")
    table = resources.to_arrow(["input"])
    assert isinstance(table, pyarrow.Table) and table.num_rows == 2


MIXED = """
resource "terraform_data" "n" {
  for_each = { a = 1, b = 2 }
  input    = each.value
}
resource "terraform_data" "half" {
  input = 0.5
}
resource "terraform_data" "secret" {
  input = sensitive("hidden")
}
"""
LATE = {"t": 'resource "terraform_data" "t" { input = "x" }', "huge": 'resource "terraform_data" "h" { input = 1e30 }'}


def columns():
    """Yields resources, and what the cells of `input` are."""
    decimals = [decimal.Decimal("0.5"), decimal.Decimal(1), decimal.Decimal(2), None]
    yield groma.Root({"main.tf": MIXED}).resources, decimals
    yield groma.Root({"main.tf": MIXED + LATE["t"]}).resources, ['"0.5"', "1", "2", None, '"x"']
    yield groma.Root({"main.tf": MIXED + LATE["huge"]}).resources, [str(10**30), '"0.5"', "1", "2", None]
    yield groma.Root({"main.tf": ""}).resources, []


def by_address(resources, cells):
    addresses = sorted(one["address"] for one in resources)
    assert addresses == [one["address"] for one in resources]
    return dict(zip(addresses, cells))


@pytest.mark.parametrize(("resources", "cells"), list(columns()))
def test_a_column_has_one_kind(resources, cells):
    expected = by_address(resources, cells)
    assert {row["address"]: row["input"] for row in resources.rows(["input"])} == expected


@pytest.mark.parametrize(("resources", "cells"), list(columns()))
def test_data_frames_of_pandas(resources, cells):
    pandas = pytest.importorskip("pandas")
    frame = resources.to_pandas(["input"])
    assert isinstance(frame, pandas.DataFrame) and len(frame) == len(cells)
    found = {row["address"]: row["input"] for row in frame.to_dict("records")}
    assert {address: None if pandas.isna(cell) else cell for address, cell in found.items()} == by_address(resources, cells)
    if cells:
        assert list(frame.columns) == ["address", "module", "mode", "type", "name", "input", "values"]
        assert frame[frame["name"] == "n"]["address"].tolist() == ['terraform_data.n["a"]', 'terraform_data.n["b"]']
        assert not frame.to_csv().count("hidden")


@pytest.mark.parametrize(("resources", "cells"), list(columns()))
def test_data_frames_of_polars(resources, cells):
    polars = pytest.importorskip("polars")
    frame = resources.to_polars(["input"])
    assert isinstance(frame, polars.DataFrame) and frame.height == len(cells)
    if cells:
        assert dict(zip(frame["address"].to_list(), frame["input"].to_list())) == by_address(resources, cells)
        assert frame.filter(polars.col("name") == "secret")["input"].to_list() == [None]
        assert "hidden" not in frame.write_csv()
    pyarrow = pytest.importorskip("pyarrow")
    assert pyarrow.Table.equals(resources.to_arrow(["input"]), resources.to_arrow(["input"]))


FILE = """
resource "a" "b" {
  n = 1 + 1
  t = "x-${var.y}"
  c { d = [true] }
  c {}
}
locals {
  half   = -0.5
  whole  = 12345678901234567890123
  lines  = <<EOT
${"a"}b
EOT
  late   = <<EOT
${var.y}
EOT
  object = { k = 1, "k 2" = var.y, (upper("k3")) = [var.y, null], (var.y) = "e\u0301" }
  merged = merge({ a = 1 }, { b = [for x in [1, 2] : x * 2] })
  broken = [
    1 +
    2,
    (var.y),
  ]
  read   = file("x")
  hidden = sensitive("hush")
  call   = upper(local.half)
  other  = local.half
  alone  = "${var.y}"
}
"""


def test_files_as_dictionaries():
    read = groma.loads(FILE)
    assert read["resource"] == [{"a": {"b": {"n": 2, "t": "x-${var.y}", "c": [{"d": [True]}, {}]}}}]
    (found,) = read["locals"]
    assert found.pop("object") == {"k": 1, "k 2": "${var.y}", "K3": ["${var.y}", None], "${(var.y)}": "\u00e9"}
    assert found == {
        "half": decimal.Decimal("-0.5"),
        "whole": 12345678901234567890123,
        "lines": "ab\n",
        "late": "${<<EOT\n${var.y}\nEOT}",
        "merged": {"a": 1, "b": [2, 4]},
        "broken": [3, "${(var.y)}"],
        "read": '${file("x")}',
        "hidden": '${sensitive("hush")}',
        "call": "${upper(local.half)}",
        "other": "${local.half}",
        "alone": "${var.y}",
    }
    assert groma.loads("") == {}


def test_a_file_is_resolved_on_request():
    text = 'variable "y" { default = "e" }\nlocals {\n  a = "x-${var.y}"\n  b = local.a\n  c = nowhere.d\n}\n'
    assert groma.loads(text, resolve=True)["locals"] == [{"a": "x-e", "b": "x-e", "c": "${nowhere.d}"}]
    assert groma.loads(FILE, resolve=True)["locals"][0]["hidden"] == '${sensitive("hush")}'


def test_a_file_with_mistakes():
    with pytest.raises(groma.Error, match="net.tf:1") as raised:
        groma.loads("a = ", "net.tf")
    assert raised.value.diagnostics[0]["range"]["filename"] == "net.tf"
    # An expression that does not end is a text.
    endless = f"a = {ENDLESS}"
    assert groma.loads(endless) == {"a": "${" + ENDLESS + "}"}


def test_answers_are_read_as_json_reads_them():
    from groma import _groma

    for text in [
        '{"a": [1, -2.5, 1e300, 123456789012345678901234567890, null, true, false, "x"], "": {}}',
        '{"twice": 1, "twice": 2}',
        r'"\u00e4 \ud83d\ude00 \n \ud800 ä😀"',
        "[" * 500 + "]" * 500,
        "[NaN, Infinity]",
    ]:
        ours, theirs = _groma.json_objects(text), json.loads(text)
        assert repr(ours) == repr(theirs) and type(ours) is type(theirs)
    for text in ["", "{", "[1,]", "nul"]:
        with pytest.raises(ValueError):
            _groma.json_objects(text)


def test_answers_are_those_of_the_json_door():
    texts = ["", "x", "x", "ä😀\\\"\u2028\t\n" * 20, '}]"', "${not}"]
    written = ", ".join(json.dumps(text, ensure_ascii=False).replace("${", "$${") for text in texts)
    code = (
        """
locals {
  numbers = [0, -1, 1.5, -0.25, 1e300, 123456789012345678901234567890, 9223372036854775807, 9223372036854775808]
  texts   = [TEXTS]
  empty   = [[], {}, [[]], { "" = null }]
  flags   = [true, false, null]
}
resource "terraform_data" "a" {
  count = 3
  input = [local.numbers, local.texts, local.empty, local.flags, timestamp()]
}
output "all" { value = terraform_data.a[*].output }
output "texts" { value = local.texts }
"""
    ).replace("TEXTS", written)
    files, now = {"main.tf": code, "odd.tf": "locals { b  = 1 }\n"}, "2026-01-01T00:00:00Z"
    questions: list[dict] = [{"question": one} for one in ("check", "plan", "outputs", "list", "resources", "graph", "ast", "fmt")]
    questions += [{"question": "eval", "expression": "local"}, {"question": "why", "address": "output.all"}]
    calls = [{"call": "open", "files": files, "options": {"now": now}}, *({"call": "ask", "handle": 1, **one} for one in questions)]
    lines = "".join(json.dumps({"id": at, **call}) + "\n" for at, call in enumerate(calls))
    line = [sys.executable, "-m", "groma", "serve"]
    served = subprocess.run(line, input=lines.encode(), capture_output=True, check=True).stdout.splitlines()
    answers = {answer["id"]: answer for answer in map(json.loads, served)}
    root = groma.Root(files, now=now)
    for at, question in enumerate(questions, 1):
        ours = root.ask(question.pop("question"), **question)
        assert repr(ours) == repr(answers[at]["answer"]), question
    plan = root.plan()
    assert plan["planned_values"]["outputs"]["texts"]["value"] == texts
    first, *others = (one["values"]["input"][1][1] for one in plan["planned_values"]["root_module"]["resources"])
    assert all(other is first for other in others)
