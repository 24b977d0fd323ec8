"""Files of configuration as dictionaries, in the shape of `python-hcl2`, with values where they are known."""

from __future__ import annotations

from typing import Any, TextIO

from groma import _groma


def loads(text: str, name: str = "main.tf", *, resolve: bool = False) -> dict[str, Any]:
    """Returns a file as a dictionary: blocks by their kind as lists, labels as keys. An expression that refers to nothing is its value;
    another one is its text between `${` and `}`. With `resolve`, references to what the file itself declares are values, too: a variable
    has its default. `name` stands in errors.

    >>> loads('locals {\\n  a = 1 + 1\\n  b = aws_instance.x.id\\n  c = local.a\\n}')
    {'locals': [{'a': 2, 'b': '${aws_instance.x.id}', 'c': '${local.a}'}]}
    >>> loads('locals {\\n  a = 1 + 1\\n  c = local.a\\n}', resolve=True)
    {'locals': [{'a': 2, 'c': 2}]}
    """
    return _groma.loads(text, name, resolve)


def load(file: TextIO, *, resolve: bool = False) -> dict[str, Any]:
    """Returns an open file as a dictionary, as `loads` does."""
    return loads(file.read(), getattr(file, "name", "main.tf"), resolve=resolve)
