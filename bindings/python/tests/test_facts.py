"""A third of the recorded facts, through the package: values of expressions and outputs of modules."""

import decimal
import doctest
import hashlib
import json
import pathlib

import groma
import groma._files
import groma._root
import pytest

FACTS = pathlib.Path(__file__).parents[3] / "conformance"


def third(name):
    return int(hashlib.sha256(name.encode()).hexdigest(), 16) % 3 == 0


def plain(value):
    """A value as plain JSON has it: what is unknown is null."""
    if isinstance(value, groma.Unknown):
        return None
    if isinstance(value, groma.Sensitive):
        return plain(value.reveal())
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    if isinstance(value, frozenset):
        return {"set": [plain(item) for item in value]}
    return value


def same(got, want):
    if isinstance(got, dict) and got.keys() == {"set"}:
        left = list(want) if isinstance(want, list) else [None]
        for item in got["set"]:
            found = next((other for other in left if same(item, other)), None)
            if found is None and None not in left:
                return False
            left.remove(found)
        return not left
    if isinstance(got, dict):
        return isinstance(want, dict) and got.keys() == want.keys() and all(same(got[key], want[key]) for key in got)
    if isinstance(got, list):
        return isinstance(want, list) and len(got) == len(want) and all(map(same, got, want))
    if isinstance(got, decimal.Decimal) and got.is_infinite():
        return want == ("Inf" if got > 0 else "-Inf")
    if isinstance(got, (int, decimal.Decimal)) and not isinstance(got, bool):
        return isinstance(want, (int, decimal.Decimal)) and not isinstance(want, bool) and close(got, want)
    return got == want and type(got) is type(want)


def close(got, want):
    # Facts are written with the digits of JSON.
    return got == want or abs(decimal.Decimal(got) - want) <= abs(decimal.Decimal(want)) * decimal.Decimal("1e-15")


def vectors():
    for file in sorted((FACTS / "vectors").glob("*.jsonl")):
        for line in file.read_text().split("\n"):
            if not line:
                continue
            vector = json.loads(line, parse_float=decimal.Decimal)
            if "expr" in vector and third(vector["id"]) and "file" not in vector["id"] and "now" not in vector and "legacy" not in vector["id"]:
                yield vector


def test_vectors():
    checked, wrong = 0, []
    for vector in vectors():
        want = vector["want"]
        texts = vector.get("given", {})
        if not want.keys() & {"value", "error", "type"}:
            # Only a text of the console is recorded.
            continue
        if any("(" in text or "null" in text for text in texts.values()):
            # A Python object has no type of the language: it is given as a literal would be.
            continue
        given = {name: groma.evaluate(text, dialect=vector.get("dialect")) for name, text in texts.items()}
        checked += 1
        try:
            got = plain(groma.evaluate(vector["expr"], given, vector.get("dialect"), seed=1))
            expected = want.get("console") if want.get("type") == "type" else want.get("value")
            is_right = "error" not in want and same(got, expected)
        except groma.Error:
            got, is_right = "error", "error" in want
        if not is_right:
            wrong.append((vector["id"], got, want))
    assert checked > 1200
    assert not wrong, wrong[:5]


def modules():
    for file in sorted((FACTS / "modules").glob("*/case.json")):
        case = json.loads(file.read_text(), parse_float=decimal.Decimal)
        texts = "".join(path.read_text(errors="replace") for path in (file.parent / "input").rglob("*.tf*") if path.is_file())
        # What needs a provider's schema is left to the tests of the command.
        needs = case.get("args") or case.get("env") or case.get("needs") or "aws_" in texts
        if third(file.parent.name) and not needs:
            yield file.parent, case


def test_modules():
    checked, wrong = 0, []
    for folder, case in modules():
        if case["expect"].get("plan") != "ok" or (folder / "input" / "terraform.tfstate").exists():
            continue
        root = groma.Root(folder / "input" / case.get("chdir", ""), dialect=case["dialect"])
        try:
            outputs = root.outputs
        except groma.Error as error:
            wrong.append((folder.name, str(error)))
            continue
        checked += 1
        for name, want in case["expect"].get("outputs", {}).items():
            got = plain(outputs.get(name))
            if "value" in want and not want.get("unknown") and not same(got, want["value"]):
                wrong.append((folder.name, name, got, want["value"]))
    assert checked > 100
    assert not wrong, wrong[:5]


@pytest.mark.parametrize("module", [groma, groma._root, groma._files])
def test_examples(module):
    found = doctest.testmod(module)
    assert found.attempted > 0 and found.failed == 0
