"""Files of configuration as dictionaries, in the shape of `python-hcl2`, with values where they are known."""

from __future__ import annotations

import decimal
from typing import Any, TextIO

from groma import _root


def loads(text: str, name: str = "main.tf") -> dict[str, Any]:
    """Returns a file as a dictionary: blocks by their kind as lists, labels as keys. An expression that has a value in the file alone is
    that value; another one is its text between `${` and `}`.

    >>> loads('locals {\\n  a = 1 + 1\\n  b = aws_instance.x.id\\n}')
    {'locals': [{'a': 2, 'b': '${aws_instance.x.id}'}]}
    """
    with _root.Root({name: text}) as root:
        file = root.ask("ast", path=name, values=True)["files"][0]
    return _body(file["body"], text.encode())


def load(file: TextIO) -> dict[str, Any]:
    """Returns an open file as a dictionary, as `loads` does."""
    return loads(file.read())


def _body(body: dict[str, Any], text: bytes) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for item in body["items"]:
        if item["kind"] == "argument":
            found[item["name"]] = _value(item["value"], text)
            continue
        block = _body(item["body"], text)
        for label in reversed(item["labels"]):
            block = {label["text"]: block}
        found.setdefault(item["type"], []).append(block)
    return found


def _value(expression: dict[str, Any], text: bytes) -> Any:
    kind, values = expression["kind"], expression.get("values", [])
    if len(values) == 1 and values[0].keys() <= {"instance", "type", "value"}:
        return _plain(values[0]["value"])
    if kind == "number":
        return _plain(decimal.Decimal(expression["text"]))
    if kind in ("literal", "string"):
        return expression["value"]
    if kind == "tuple":
        return [_value(item, text) for item in expression["items"]]
    if kind == "parentheses":
        return _value(expression["inner"], text)
    start, end = expression["range"]
    source = text[start:end].decode()
    if kind == "template" and source.startswith('"'):
        return source[1:-1]
    return "${" + source + "}"


def _plain(value: Any) -> Any:
    if isinstance(value, decimal.Decimal) and value == value.to_integral_value():
        return int(value)
    if isinstance(value, list):
        items: list[Any] = value  # pyright: ignore[reportUnknownVariableType]
        return [_plain(item) for item in items]
    if isinstance(value, dict):
        fields: dict[str, Any] = value  # pyright: ignore[reportUnknownVariableType]
        return {name: _plain(item) for name, item in fields.items()}
    return value
