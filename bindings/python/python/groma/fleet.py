"""One question to many roots: on one machine by the command's own threads, on several by Ray.

A question is "check", "plan", "list", "outputs" or `{"eval": EXPRESSION}`. An answer is a dictionary of `root`, `ok`, and `answer` or
`error`, as `groma fleet` prints it.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from os import PathLike, fspath
from typing import Any, Union, cast

from . import _groma

Question = Union[str, Mapping[str, str]]

__all__ = ["Question", "ray", "run"]


def _flags(question: Question, options: Mapping[str, Any]) -> list[str]:
    """Returns the command's flags for a question and options: `var_files` is `--var-file` once for each."""
    if isinstance(question, Mapping):
        flags = ["-e", question["eval"]]
    elif question in ("check", "plan", "list", "outputs"):
        flags = [f"--{question}"]
    else:
        raise ValueError(f'a question is check, plan, list, outputs or {{"eval": EXPRESSION}}, not {question!r}')
    names = {"var_files": "var-file", "mocks": "mock", "modules": "module"}
    for name, value in options.items():
        flag = "--" + names.get(name, name).replace("_", "-")
        if value is None or value is False:
            continue
        if value is True:
            flags.append(flag)
        elif name == "variables":
            flags += [f"--var={key}={_text(item)}" for key, item in value.items()]
        elif name == "budget":
            flags += [f"--budget={key}={limit}" for key, limit in value.items()]
        elif isinstance(value, (list, tuple)):
            flags += [f"{flag}={_path(item)}" for item in cast("list[Any]", value)]
        else:
            flags.append(f"{flag}={_path(value)}")
    return flags


def _text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value)


def _path(value: Any) -> str:
    is_path: bool = hasattr(value, "__fspath__")
    return fspath(cast("PathLike[str]", value)) if is_path else str(value)


def run(
    roots: Iterable[str | PathLike[str]], question: Question = "check", **options: Any
) -> Iterator[dict[str, Any]]:
    """Asks every root and yields the answers one by one, in the order of the roots.

    Options are the flags of `groma fleet`: `variables`, `var_files`, `dialect`, `schema`, `mocks`, `budget` (a dictionary), `timeout`,
    `memory`, `parallelism`, `untrusted`, and so on.
    """
    # What is wrong with the question is said at once, not when the first answer is taken.
    command = [sys.executable, "-m", "groma", "fleet", "-", *_flags(question, options)]
    return _answers(command, "".join(f"{_path(root)}\n" for root in roots))


def _answers(command: Sequence[str], roots: str) -> Iterator[dict[str, Any]]:
    if not roots:
        return
    pipes = subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, encoding="utf-8"
    )
    with pipes as process:
        assert process.stdin and process.stdout and process.stderr
        # The list is read to its end before anything is written, and standard error has no more than a table.
        process.stdin.write(roots)
        process.stdin.close()
        try:
            for line in process.stdout:
                yield _groma.json_objects(line)
        finally:
            process.stdout.close()
            said = process.stderr.read()
            if process.wait() not in (0, 1, -13):
                raise RuntimeError(said.strip() or f"groma fleet ended with {process.returncode}")


def ray(
    roots: Iterable[str | PathLike[str]],
    question: Question = "check",
    *,
    out: str | PathLike[str],
    resume: bool = False,
    workers: int | None = None,
    batch: int = 64,
    content: str | PathLike[str] | None = None,
    progress: bool | None = None,
    **options: Any,
) -> dict[str, int]:
    """Asks every root on a Ray cluster, and writes the lines that `groma fleet` writes to `out`. See `groma._ray`."""
    from groma import _ray

    return _ray.run(
        [_path(root) for root in roots],
        question,
        out=_path(out),
        resume=resume,
        workers=workers,
        batch=batch,
        content=None if content is None else _path(content),
        progress=progress,
        flags=_flags(question, options),
    )
