"""Values from the language to Python and back."""

import copy
import decimal
import json
import pickle
import traceback

import groma
import pytest


def test_numbers_keep_every_digit():
    assert groma.evaluate("1 + 1") == 2 and type(groma.evaluate("1 + 1")) is int
    assert groma.evaluate("1 / 4") == decimal.Decimal("0.25")
    big = 123456789012345678901234567890
    assert groma.evaluate("n", {"n": big}) == big
    assert groma.evaluate("n + 1", {"n": big}) == big + 1
    assert groma.evaluate("n", {"n": decimal.Decimal("0.1")}) == decimal.Decimal("0.1")
    assert groma.evaluate("n", {"n": 0.5}) == decimal.Decimal("0.5")
    for wrong in [float("nan")]:
        with pytest.raises(ValueError):
            groma.evaluate("n", {"n": wrong})


def test_collections():
    assert groma.evaluate("[1, [true, null]]") == [1, [True, None]]
    assert groma.evaluate('toset(["b", "a", "b"])') == frozenset({"a", "b"})
    assert groma.evaluate("toset([[1], [2]])") == ([1], [2])
    assert groma.evaluate('{ a = 1, "b c" = { d = "e" } }') == {"a": 1, "b c": {"d": "e"}}
    given = {"n": {"list": [1, "x", None, True], "tuple": (1, 2)}}
    assert groma.evaluate("n", given) == {"list": [1, "x", None, True], "tuple": [1, 2]}
    assert groma.evaluate("length(n)", {"n": {3, 4}}) == 2


def test_what_is_no_value_is_refused():
    for wrong in [object(), {1: 2}, b"bytes", lambda: 1]:
        with pytest.raises(TypeError):
            groma.evaluate("n", {"n": wrong})
    ring: list = []
    ring.append(ring)
    with pytest.raises(ValueError, match="contains itself"):
        groma.evaluate("n", {"n": ring})


def test_unknown_says_why():
    root = groma.Root({"main.tf": 'resource "terraform_data" "a" {}\noutput "o" { value = terraform_data.a.id }'})
    unknown = root.outputs["o"]
    assert isinstance(unknown, groma.Unknown)
    assert unknown.type == "string"
    assert unknown.because[0]["address"] == "terraform_data.a"
    assert "terraform_data.a" in repr(unknown)
    with pytest.raises(TypeError):
        bool(unknown)
    assert groma.evaluate("[for x in [u, 1] : x][1]", {"u": unknown}) == 1
    assert isinstance(groma.evaluate("u + 1", {"u": groma.Unknown()}), groma.Unknown)


def test_sensitive_never_shows_itself():
    hush = groma.evaluate('sensitive("hush-hush")')
    assert isinstance(hush, groma.Sensitive)
    assert hush.reveal() == "hush-hush"
    assert groma.evaluate("{ a = s }", {"s": groma.Sensitive("hush-hush")})["a"].reveal() == "hush-hush"
    shown = [repr(hush), str(hush), f"{hush}", f"{hush!r:>20}", "%s" % hush, repr([hush]), repr({"a": hush})]
    for tried in [pickle.dumps, json.dumps, copy.copy, copy.deepcopy, vars, dict, list, bytes, int]:
        with pytest.raises(Exception) as raised:
            tried(hush)
        shown.append(str(raised.value))
    try:
        raise ValueError(hush)
    except ValueError:
        shown.append(traceback.format_exc())
    shown += [str(getattr(hush, name)) for name in dir(hush) if name != "reveal"]
    for text in shown:
        assert "hush-hush" not in text


def test_errors_have_diagnostics():
    with pytest.raises(groma.Error, match="nope") as raised:
        groma.evaluate("upper(nope)")
    assert raised.value.diagnostics[0]["severity"] == "error"
    assert raised.value.code == raised.value.diagnostics[0]["code"]
    with pytest.raises(ValueError, match="dialect"):
        groma.evaluate("1", dialect="cobol")
