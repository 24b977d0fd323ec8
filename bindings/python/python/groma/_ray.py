"""Many roots on a Ray cluster. Each batch of roots is one run of `groma fleet` in a worker; this file only hands batches out, takes lines
back, and writes them. A batch that a worker did not finish goes to another one, so each root has exactly one line in the end.

Beside the file of results lie a journal of what has come back, while a run lasts, and the keys of its lines, in the form of `groma fleet
--out`: a later run with `resume` gives each worker the earlier lines of its batch, and the worker keeps those that still hold.
"""

from __future__ import annotations

import collections
import importlib
import io
import itertools
import json
import os
import pathlib
import sys
import tarfile
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, BinaryIO, NamedTuple, Union

from groma import _groma
from groma.fleet import Question

#: Batches that wait in a worker beside the one that it works on, so that it never waits for the driver.
AHEAD = 2
#: A batch that workers died of so many times is asked root by root, and such a root gets a line of its own.
TRIES = 3
#: Rows of a table that are held at once.
ROWS = 1_000


class Line(NamedTuple):
    """A line of a result, its key, and the groups of readings that the key names, all as JSON in UTF-8."""

    root: str
    text: bytes
    key: bytes
    groups: tuple[bytes, ...]


#: The lines of a batch, or the reason why it has none.
Answered = Union[list[Line], str]


class Batch(NamedTuple):
    """Roots that are asked together, and whether the lines that an earlier run had for them are sent along."""

    roots: list[str]
    resumes: bool = True
    tries: int = 0


def run(
    roots: list[str],
    question: Question,
    *,
    out: str,
    resume: bool,
    workers: int | None,
    batch: int,
    content: str | None,
    progress: bool | None,
    flags: Sequence[str],
) -> dict[str, int]:
    """Asks every root, and writes the lines to `out`: JSON lines, or a table if the name ends with `.parquet`. Returns counts."""
    ray: Any = importlib.import_module("ray")
    if not ray.is_initialized():
        ray.init(_node_ip_address="127.0.0.1", include_dashboard=False, log_to_driver=False)
    result = _Result(out, resume)
    sources = None if content is None else ray.put(_packed(content))
    count = workers or max(1, int(ray.cluster_resources().get("CPU", 1)))
    waiting = collections.deque(_batches(roots, batch, content or "."))
    shown = sys.stderr.isatty() if progress is None else progress
    pool = _Pool(ray, count, list(flags), sources, result.earlier)
    began, done = time.monotonic(), 0
    try:
        for finished, answered in pool.answers(waiting):
            lines = [_lost(root, answered) for root in finished.roots] if isinstance(answered, str) else answered
            result.add(lines)
            done += len(lines)
            if shown:
                rate = done / max(time.monotonic() - began, 0.001)
                rest = (len(roots) - done) / rate
                print(f"\r{done} of {len(roots)} roots, {rate:.0f}/s, {rest:.0f} s left ", end="", file=sys.stderr, flush=True)
    finally:
        pool.close()
        if shown:
            print(file=sys.stderr)
    return result.finish(roots)


class _Pool:
    """Workers, each with a few batches at a time. A dead one is replaced, and what it had goes to the others."""

    def __init__(self, ray: Any, count: int, flags: list[str], sources: Any, earlier: Callable[[list[str]], list[Line]]) -> None:
        self._ray, self._flags, self._sources, self._earlier = ray, flags, sources, earlier
        # Without sources of its own a worker reads the folder that the driver is in, which all nodes see.
        self._top = os.getcwd()
        self._worker = ray.remote(num_cpus=1, max_restarts=0)(_Worker)
        self._workers = [self._started() for _ in range(count)]
        self._running: dict[Any, tuple[Batch, Any]] = {}

    def _started(self) -> Any:
        return self._worker.remote(self._flags, self._sources, self._top)

    def answers(self, waiting: collections.deque[Batch]) -> Iterator[tuple[Batch, Answered]]:
        """Yields each batch with its lines, or with the reason why it has none, in any order."""
        loads = {worker: 0 for worker in self._workers}
        while waiting or self._running:
            # No more is handed out than workers can do, so results do not pile up here.
            while waiting and min(loads.values()) < AHEAD:
                worker = min(loads, key=lambda one: loads[one])
                batch = waiting.popleft()
                loads[worker] += 1
                # Earlier lines are read only now: of all that wait they would fill the memory.
                earlier = self._earlier(batch.roots) if batch.resumes else []
                self._running[worker.ask.remote(batch.roots, earlier)] = (batch, worker)
            ready, _ = self._ray.wait(list(self._running), num_returns=1)
            batch, worker = self._running.pop(ready[0])
            loads[worker] = loads.get(worker, 1) - 1
            try:
                answered: Answered = self._ray.get(ready[0])
            except self._ray.exceptions.RayActorError as error:
                if worker in self._workers:
                    self._workers.remove(worker)
                    del loads[worker]
                    self._workers.append(self._started())
                    loads[self._workers[-1]] = 0
                else:
                    loads.pop(worker, None)
                answered = f"the worker ended: {error}".splitlines()[0]
            if not isinstance(answered, str):
                yield batch, answered
            elif batch.tries < TRIES:
                waiting.appendleft(batch._replace(tries=batch.tries + 1))
            elif len(batch.roots) > 1:
                waiting.extendleft(Batch([root], False, batch.tries) for root in reversed(batch.roots))
            else:
                yield batch, answered

    def close(self) -> None:
        # A process that is killed leaves its folder behind, and one that still works after a while has to be killed.
        self._ray.wait([worker.leave.remote() for worker in self._workers], num_returns=len(self._workers), timeout=5)
        for worker in self._workers:
            self._ray.kill(worker)


class _Worker:
    """A process of a node. It holds the sources, where they were sent, for all of its batches."""

    def __init__(self, flags: list[str], sources: bytes | None, top: str) -> None:
        # The other cores are the other workers'.
        is_bounded = any(flag.lstrip("-").startswith("parallelism=") for flag in flags)
        self._flags = flags if is_bounded else [*flags, "-parallelism=1"]
        self._room = tempfile.TemporaryDirectory(prefix="groma-", ignore_cleanup_errors=True)
        if sources is not None:
            top = os.path.join(self._room.name, "sources")
            with tarfile.open(fileobj=io.BytesIO(sources)) as archive:
                archive.extractall(top, filter="data")
        os.chdir(top)

    def ask(self, roots: list[str], earlier: list[Line]) -> list[Line]:
        """Returns a line for each root, in their order."""
        part = os.path.join(self._room.name, "part.jsonl")
        for ending in ("", ".keys", ".journal"):
            pathlib.Path(part + ending).unlink(missing_ok=True)
        if earlier:
            _write(part, earlier, lambda line: line.text)
        code, told = _command(["fleet", "-", "--out", part, "--resume", *self._flags], "".join(f"{root}\n" for root in roots))
        if code not in (0, 1):
            raise RuntimeError(told.strip() or f"groma fleet ended with {code}")
        lines = list(_read(part))
        if len(lines) < len(roots):
            # A run that was abandoned beyond its limits still works on a thread of this process, which ends it.
            self.leave()
            os._exit(1)
        return lines

    def leave(self) -> None:
        self._room.cleanup()


def _command(arguments: list[str], text: str) -> tuple[int, str]:
    """Runs the command in this process with a text as standard input. Returns its exit code and what it wrote to standard error.

    A process of its own for each batch would start an interpreter each time, which takes a seventh of the time of a batch.
    """
    with tempfile.TemporaryFile() as given, tempfile.TemporaryFile() as told:
        given.write(text.encode())
        given.seek(0)
        kept = [(stream, os.dup(stream)) for stream in (0, 2)]
        os.dup2(given.fileno(), 0)
        os.dup2(told.fileno(), 2)
        try:
            code = _groma.main(arguments)
        finally:
            for stream, before in kept:
                os.dup2(before, stream)
                os.close(before)
        told.seek(0)
        return code, told.read().decode(errors="replace")


def _lost(root: str, why: str) -> Line:
    error = {"root": root, "ok": False, "error": {"code": "worker-lost", "summary": why}}
    return Line(root, json.dumps(error, separators=(",", ":"), ensure_ascii=False).encode(), b"", ())


def _batches(roots: list[str], size: int, top: str) -> Iterator[Batch]:
    """Yields batches of neighbours, which mostly call the same modules, of about the same size in bytes."""
    weights = {root: _weight(os.path.join(top, root)) for root in roots}
    most = size * (sum(weights.values()) / max(len(weights), 1))
    order = sorted(range(len(roots)), key=lambda at: roots[at])
    taken: list[str] = []
    weight = 0.0
    for root in (roots[at] for at in order):
        if taken and (weight + weights[root] > most or len(taken) >= 4 * size):
            yield Batch(taken)
            taken, weight = [], 0.0
        taken.append(root)
        weight += weights[root]
    if taken:
        yield Batch(taken)


def _weight(folder: str) -> int:
    try:
        with os.scandir(folder) as entries:
            return 1_000 + sum(entry.stat().st_size for entry in entries if entry.is_file())
    except OSError:
        return 1_000


def _packed(folder: str) -> bytes:
    """Returns the sources in a folder as an archive: no links that lead elsewhere, nothing of git's and of an init."""
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz", compresslevel=1) as archive:
        archive.add(folder, ".", filter=lambda entry: None if "/.git/" in entry.name + "/" else entry)
    return packed.getvalue()


def _read(path: str) -> Iterator[Line]:
    """Yields the lines of a file and their keys, in the file's order, as far as both are there."""
    try:
        with open(path + ".keys", "rb") as keys, open(path, "rb") as lines:
            yield from (line for line, _ in _keyed(keys, lines))
    except FileNotFoundError:
        return


def _keyed(keys: BinaryIO, lines: BinaryIO) -> Iterator[tuple[Line, int]]:
    """Yields lines and where their texts begin. In a journal, which is both, each line follows its key."""
    groups: dict[str, bytes] = {}
    for entry in keys:
        if not entry.endswith(b"\n"):
            return
        try:
            key = json.loads(entry)
        except ValueError:
            return
        if "group" in key:
            groups[key["group"]] = entry
            continue
        at = lines.tell()
        line = next(lines, b"")
        if not line.endswith(b"\n"):
            return
        named = tuple(groups[name] for name in key["groups"] if name in groups)
        yield Line(key["root"], line[:-1], entry, named), at


def _write(path: str, lines: Sequence[Line], text: Callable[[Line], bytes]) -> None:
    """Replaces a file of lines and its keys. The keys come first: a line that does not fit its key is never kept."""
    written: set[bytes] = set()
    with open(path + ".new", "wb") as keys:
        for line in lines:
            keys.writelines(group for group in line.groups if group not in written)
            written.update(line.groups)
            keys.write(line.key)
    os.replace(path + ".new", path + ".keys")
    with open(path + ".new", "wb") as out:
        for line in lines:
            out.writelines((text(line), b"\n"))
    os.replace(path + ".new", path)


def _is_ok(text: bytes) -> bool:
    """Returns true if a line says that its root has an answer. A quote within the root's name has a backslash before it."""
    found = b'","ok":'
    return text.startswith(b"true", text.find(found) + len(found))


class _Result:
    """The file of results, and its journal while the run lasts. Texts stay in the journal until the end: memory has keys only."""

    def __init__(self, out: str, resume: bool) -> None:
        self._table = out if out.endswith(".parquet") else None
        self._out = f"{out}.jsonl" if self._table else out
        #: The lines of an earlier run without their texts, and where those stand in a file that is open.
        self._earlier: dict[str, tuple[Line, BinaryIO, int, int]] = {}
        self._files: list[BinaryIO] = []
        if resume:
            self._index(f"{self._out}.keys", self._out)
            self._index(f"{self._out}.journal", None)
            if self._earlier:
                # What the journal has joins the file before the journal begins anew. The old files stay open until the end.
                _write(self._out, [line for line, *_ in self._earlier.values()], self._earlier_text)
            # A journal is emptied below, so its texts are read from the new file.
            self._earlier.clear()
            self._index(f"{self._out}.keys", self._out)
        #: Lines without their texts, and where those stand in the journal.
        self._lines: dict[str, Line] = {}
        self._places: dict[str, tuple[int, int]] = {}
        self._lost: dict[str, bytes] = {}
        self._groups: dict[bytes, bytes] = {}
        self._ok = 0
        self._journal = open(f"{self._out}.journal", "w+b")

    def _index(self, keys: str, lines: str | None) -> None:
        """Adds what a file has to the earlier lines; a later one of the same root replaces the one before."""
        try:
            named = open(keys, "rb")
            self._files.append(named)
            texts = named if lines is None else open(lines, "rb")
        except FileNotFoundError:
            return
        self._files.append(texts)
        for line, at in _keyed(named, texts):
            self._earlier[line.root] = (line._replace(text=b""), texts, at, len(line.text))

    def _earlier_text(self, line: Line) -> bytes:
        _, file, at, length = self._earlier[line.root]
        file.seek(at)
        return file.read(length)

    def earlier(self, roots: Sequence[str]) -> list[Line]:
        """Returns the earlier lines of some roots with their texts."""
        known = (self._earlier[root][0] for root in roots if root in self._earlier)
        return [line._replace(text=self._earlier_text(line)) for line in known]

    def add(self, lines: Sequence[Line]) -> None:
        """Takes the lines of a batch."""
        for line in lines:
            known = tuple(self._groups.get(group, group) for group in line.groups)
            self._lines[line.root] = Line(line.root, b"", line.key, known)
            self._ok += _is_ok(line.text)
            if not line.key:
                self._lost[line.root] = line.text
                continue
            self._journal.writelines(group for group in known if group not in self._groups)
            self._groups.update((group, group) for group in known)
            self._journal.write(line.key)
            self._places[line.root] = (self._journal.tell(), len(line.text))
            self._journal.writelines((line.text, b"\n"))
        self._journal.flush()

    def _text(self, line: Line) -> bytes:
        if line.root in self._lost:
            return self._lost[line.root]
        at, length = self._places[line.root]
        self._journal.seek(at)
        return self._journal.read(length)

    def finish(self, roots: Sequence[str]) -> dict[str, int]:
        """Replaces the file by the lines in the order of the roots, and removes the journal."""
        lines = [self._lines[root] for root in roots]
        _write(self._out, lines, self._text)
        if self._table:
            _write_table(self._table, (self._text(line) for line in lines))
        for file in (self._journal, *self._files):
            file.close()
        os.remove(f"{self._out}.journal")
        return {"roots": len(lines), "ok": self._ok, "failed": len(lines) - self._ok}


def _write_table(path: str, lines: Iterable[bytes]) -> None:
    """Replaces a table of Parquet by lines, some of them at a time."""
    arrow, parquet = importlib.import_module("pyarrow"), importlib.import_module("pyarrow.parquet")
    names = ("answer", "error", "summary")
    schema = arrow.schema([("root", arrow.string()), ("ok", arrow.bool_()), *((name, arrow.string()) for name in names)])
    rows = (_row(json.loads(line)) for line in lines)
    with parquet.ParquetWriter(f"{path}.new", schema) as table:
        while some := list(itertools.islice(rows, ROWS)):
            table.write_table(arrow.Table.from_pylist(some, schema=schema))
    os.replace(f"{path}.new", path)


def _row(answer: Mapping[str, Any]) -> dict[str, Any]:
    error = answer.get("error", {})
    return {
        "root": answer["root"],
        "ok": answer["ok"],
        "answer": json.dumps(answer["answer"]) if "answer" in answer else None,
        "error": error.get("code"),
        "summary": error.get("summary"),
    }
