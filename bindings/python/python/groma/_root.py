"""A root module, and the resources that it plans. The engine's part is `groma._groma.Root`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, overload

from groma import _groma

if TYPE_CHECKING:
    from decimal import Decimal
    from os import PathLike
    from types import TracebackType

# `json`, `decimal` and `importlib` take longer to import than all of the package, so they are imported where they are used.


class Resources(Sequence[dict[str, Any]]):
    """The instances of resources and data of a root, each a dictionary of `address`, `mode`, `type`, `name`, `module` and `values`.

    >>> root = Root({"main.tf": 'resource "terraform_data" "a" { input = 1 }'})
    >>> root.resources["terraform_data.a"]["values"]["input"]
    1
    """

    def __init__(self, all: list[dict[str, Any]]) -> None:
        self._all = all
        self._by_address = {one["address"]: one for one in all}

    @overload
    def __getitem__(self, index: int | str) -> dict[str, Any]: ...
    @overload
    def __getitem__(self, index: slice) -> Resources: ...
    def __getitem__(self, index: int | str | slice) -> dict[str, Any] | Resources:
        if isinstance(index, str):
            return self._by_address[index]
        if isinstance(index, slice):
            return Resources(self._all[index])
        return self._all[index]

    def __contains__(self, item: object) -> bool:
        return item in self._by_address or item in self._all

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return iter(self._all)

    def __len__(self) -> int:
        return len(self._all)

    def __repr__(self) -> str:
        return f"<groma.Resources: {len(self)}>"

    def of_type(self, type: str) -> Resources:
        """Returns the resources of a type."""
        return Resources([one for one in self._all if one["type"] == type])

    def rows(self, columns: Sequence[str] = ()) -> list[dict[str, Any]]:
        """Returns a flat dictionary for each resource, with these attributes as columns beside its address, kind and place.

        What is unknown or sensitive is None in a column; the column `values` has all of them as JSON, in which they are named. A column
        has cells of one kind: where the values have several, they are JSON, too.
        """
        import json

        names = ("address", "module", "mode", "type", "name")
        rows: list[dict[str, Any]] = [{name: one[name] for name in names} for one in self._all]
        for column in columns:
            for row, cell in zip(rows, _alike([_cell(one["values"].get(column)) for one in self._all])):
                row[column] = cell
        for row, one in zip(rows, self._all):
            row["values"] = json.dumps(one["values"], default=_named)
        return rows

    def to_arrow(self, columns: Sequence[str] = ()) -> Any:
        """Returns the rows as a table of `pyarrow`."""
        return _imported("pyarrow").Table.from_pylist(self.rows(columns))

    def to_pandas(self, columns: Sequence[str] = ()) -> Any:
        """Returns the rows as a data frame of `pandas`."""
        return _imported("pandas").DataFrame(self.rows(columns))

    def to_polars(self, columns: Sequence[str] = ()) -> Any:
        """Returns the rows as a data frame of `polars`."""
        return _imported("polars").DataFrame(self.rows(columns))


def _imported(name: str) -> Any:
    import importlib

    return importlib.import_module(name)


def _cell(value: Any) -> Any:
    import json

    if isinstance(value, (_groma.Unknown, _groma.Sensitive)):
        return None
    if isinstance(value, (dict, list, tuple, frozenset)):
        return json.dumps(value, default=_named)
    return value


def _alike(cells: list[Any]) -> list[Any]:
    """Returns the cells of a column as values of one kind that every kind of table can hold."""
    import decimal
    import json

    kinds: set[type[object]] = {type(cell) for cell in cells if cell is not None}
    if kinds <= {str} or kinds <= {bool}:
        return cells
    if kinds <= {int} and all(cell is None or -(2**63) <= cell < 2**63 for cell in cells):
        return cells
    numbers = [decimal.Decimal(cell) for cell in cells if cell is not None] if kinds <= {int, decimal.Decimal} else []
    if numbers and all(_fits(number) for number in numbers):
        return [None if cell is None else decimal.Decimal(cell) for cell in cells]
    return [None if cell is None else json.dumps(cell, default=_named) for cell in cells]


def _fits(number: Decimal) -> bool:
    """Returns true if a number has few digits before the point and after it, as tables hold them."""
    exponent = number.as_tuple().exponent
    return isinstance(exponent, int) and exponent >= -18 and number.adjusted() < 18


def _named(value: Any) -> Any:
    if isinstance(value, _groma.Unknown):
        return {"unknown": value.type}
    if isinstance(value, _groma.Sensitive):
        return {"sensitive": True}
    if isinstance(value, frozenset):
        items: frozenset[Any] = value  # pyright: ignore[reportUnknownVariableType]
        return sorted(items, key=repr)
    return str(value)


class Root:
    """A root module that stays open between questions.

    `path` is a folder, a dictionary of texts by path, or an object with `read(path)` and `list(path)`. The other arguments are those of
    the command: `variables` (values), `var_files`, `dialect` (such as "terraform@1.11"), `schema` (a file of provider schemas), `mocks`, and
    `limits` (a dictionary of `steps`, `memory`, `instances`, `sources` and `output`, for each question).

    >>> root = Root({"main.tf": 'variable "n" {}\\noutput "twice" { value = var.n * 2 }'}, {"n": 4})
    >>> root.outputs["twice"]
    8
    >>> root.eval("var.n + 0.5")
    Decimal('4.5')
    >>> root.edit({"main.tf": 'variable "n" {}\\noutput "thrice" { value = var.n * 3 }'})
    >>> root.outputs
    {'thrice': 12}
    """

    def __init__(
        self,
        path: str | PathLike[str] | dict[str, str | bytes] | _groma.Host,
        variables: Mapping[str, Any] | None = None,
        var_files: Sequence[str | PathLike[str]] = (),
        dialect: str | None = None,
        schema: str | PathLike[str] | None = None,
        mocks: Sequence[str | PathLike[str]] = (),
        limits: Mapping[str, int] | None = None,
        *,
        dir: str | None = None,
        workspace: str | None = None,
        now: str | None = None,
        seed: int | None = None,
        untrusted: bool = False,
    ) -> None:
        self._root = _groma.Root(
            path,
            dict(variables or {}),
            list(var_files),
            dialect,
            schema,
            list(mocks),
            dict(limits) if limits is not None else None,
            dir=dir,
            workspace=workspace,
            now=now,
            seed=seed,
            untrusted=untrusted,
        )

    @property
    def outputs(self) -> dict[str, Any]:
        """The values of the outputs by name. Raises `groma.Error` where the code has errors."""
        return self._root.outputs

    def eval(self, expr: str, at: str | None = None) -> Any:
        """Returns the value of an expression in the root module, or in the module or resource instance at an address."""
        return self._root.eval(expr, at)

    @property
    def resources(self) -> Resources:
        """The instances of resources and data of all modules, with what is planned for them."""
        return Resources(self._root._planned())

    def plan(self) -> dict[str, Any]:
        """Returns the plan, as `groma plan -json` prints it."""
        return self.ask("plan")  # type: ignore[no-any-return]

    def check(self) -> dict[str, Any]:
        """Returns the findings, as `groma check --values -json` prints them."""
        return self.ask("check")  # type: ignore[no-any-return]

    def why(self, address: str) -> dict[str, Any]:
        """Returns what the value at an address comes from, as `groma why --json` prints it.

        >>> root = Root({"main.tf": 'locals {\\n  a = 1\\n  b = local.a + 1\\n}'})
        >>> root.why("local.b")["address"]
        'local.b'
        """
        return self.ask("why", address=address)  # type: ignore[no-any-return]

    def diff(self, base: Root, *, all: bool = False) -> dict[str, Any]:
        """Returns what differs from the plan of the older code in `base`, as `groma diff --json` prints it."""
        import json

        fields = json.dumps({"question": "diff", "base": 0, "all": all})
        return self._root.ask(fields, base._root)  # type: ignore[no-any-return]

    def render(self, path: str, variables: Mapping[str, Any] | None = None) -> str:
        """Returns the text of a template file, rendered with these values as `templatefile` renders it.

        >>> Root({"main.tf": "", "hello.tftpl": "Hello ${name}!"}).render("hello.tftpl", {"name": "you"})
        'Hello you!'
        """
        import json

        given = json.dumps(json.dumps(dict(variables or {})).replace("${", "$${").replace("%{", "%%{"))
        file = json.dumps(path).replace("${", "$${").replace("%{", "%%{")
        return self._root.eval(f"templatefile({file}, jsondecode({given}))")  # type: ignore[no-any-return]

    def ask(self, question: str, **fields: Any) -> Any:
        """Returns the answer to a question of `groma serve`: check, plan, eval, why, outputs, resources, list, graph, ast, fmt or edit."""
        import json

        return self._root.ask(json.dumps({"question": question, **fields}))

    def edit(self, files: Mapping[str, str | None]) -> None:
        """Lays texts over files, or takes such a text away where it is None. What an edit does not touch is not worked out again."""
        self._root.edit(dict(files))

    def close(self) -> None:
        """Closes the root and releases what it holds."""
        self._root.close()

    def __enter__(self) -> Root:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()
