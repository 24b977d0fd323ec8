from collections.abc import Mapping, Sequence
from os import PathLike
from typing import Any, Protocol, final

class Host(Protocol):
    def read(self, path: str, /) -> str | bytes: ...
    def list(self, path: str, /) -> Sequence[str]: ...

class Error(Exception):
    code: str
    diagnostics: list[dict[str, Any]]

@final
class Unknown:
    def __new__(cls) -> Unknown: ...
    @property
    def type(self) -> str: ...
    @property
    def because(self) -> list[dict[str, Any]]: ...

@final
class Sensitive:
    def __new__(cls, value: Any, /) -> Sensitive: ...
    def reveal(self) -> Any: ...

def evaluate(
    expr: str,
    given: Mapping[str, Any] | None = None,
    dialect: str | None = None,
    *,
    now: str | None = None,
    seed: int | None = None,
) -> Any: ...
def loads(text: str, name: str, resolve: bool) -> dict[str, Any]: ...
def json_objects(text: str) -> Any: ...
def main(arguments: Sequence[str]) -> int: ...

@final
class Root:
    def __new__(
        cls,
        path: str | PathLike[str] | dict[str, str | bytes] | Host,
        variables: Mapping[str, Any] | None = None,
        var_files: list[Any] | None = None,
        dialect: str | None = None,
        schema: str | PathLike[str] | None = None,
        mocks: list[Any] | None = None,
        limits: Mapping[str, int] | None = None,
        *,
        dir: str | None = None,
        workspace: str | None = None,
        now: str | None = None,
        seed: int | None = None,
        untrusted: bool = False,
    ) -> Root: ...
    def ask(self, question: str, base: Root | None = None) -> Any: ...
    @property
    def outputs(self) -> dict[str, Any]: ...
    def eval(self, expr: str, at: str | None = None) -> Any: ...
    def _planned(self) -> list[dict[str, Any]]: ...
    def edit(self, files: dict[str, str | None]) -> None: ...
    def close(self) -> None: ...
