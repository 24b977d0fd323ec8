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
import subprocess
import sys
import tarfile
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from groma.fleet import Question

#: Batches that wait in a worker beside the one that it works on, so that it never waits for the driver.
AHEAD = 2
#: A batch that workers died of so many times is asked root by root, and such a root gets a line of its own.
TRIES = 3


class Line(NamedTuple):
    """A line of a result, its key, and the groups of readings that the key names, all as JSON text."""

    root: str
    text: str
    key: str
    groups: tuple[str, ...]


class Batch(NamedTuple):
    """Roots that are asked together, and the lines that an earlier run had for them."""

    roots: list[str]
    earlier: list[Line]
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
    waiting = collections.deque(_batches(roots, batch, result.earlier, content or "."))
    shown = sys.stderr.isatty() if progress is None else progress
    pool = _Pool(ray, count, list(flags), sources)
    began, done = time.monotonic(), 0
    try:
        for finished, answered in pool.answers(waiting):
            lines = answered if isinstance(answered, list) else [_lost(root, answered) for root in finished.roots]
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

    def __init__(self, ray: Any, count: int, flags: list[str], sources: Any) -> None:
        self._ray, self._flags, self._sources = ray, flags, sources
        # Without sources of its own a worker reads the folder that the driver is in, which all nodes see.
        self._top = os.getcwd()
        self._worker = ray.remote(num_cpus=1, max_restarts=0)(_Worker)
        self._workers = [self._started() for _ in range(count)]
        self._running: dict[Any, tuple[Batch, Any]] = {}

    def _started(self) -> Any:
        return self._worker.remote(self._flags, self._sources, self._top)

    def answers(self, waiting: collections.deque[Batch]) -> Iterator[tuple[Batch, list[Line] | str]]:
        """Yields each batch with its lines, or with the reason why it has none, in any order."""
        loads = {worker: 0 for worker in self._workers}
        while waiting or self._running:
            # No more is handed out than workers can do, so results do not pile up here.
            while waiting and min(loads.values()) < AHEAD:
                worker = min(loads, key=lambda one: loads[one])
                batch = waiting.popleft()
                loads[worker] += 1
                self._running[worker.ask.remote(batch.roots, batch.earlier)] = (batch, worker)
            ready, _ = self._ray.wait(list(self._running), num_returns=1)
            batch, worker = self._running.pop(ready[0])
            loads[worker] = loads.get(worker, 1) - 1
            try:
                yield batch, self._ray.get(ready[0])
            except self._ray.exceptions.RayActorError as error:
                if worker in self._workers:
                    self._workers.remove(worker)
                    del loads[worker]
                    self._workers.append(self._started())
                    loads[self._workers[-1]] = 0
                else:
                    loads.pop(worker, None)
                if batch.tries < TRIES:
                    waiting.appendleft(batch._replace(tries=batch.tries + 1))
                elif len(batch.roots) > 1:
                    waiting.extendleft(Batch([root], [], batch.tries) for root in reversed(batch.roots))
                else:
                    yield batch, f"the worker ended: {error}".splitlines()[0]

    def close(self) -> None:
        for worker in self._workers:
            self._ray.kill(worker)


class _Worker:
    """A process of a node. It holds the sources, where they were sent, for all of its batches."""

    def __init__(self, flags: list[str], sources: bytes | None, top: str) -> None:
        self._flags = flags
        self._room = tempfile.TemporaryDirectory(prefix="groma-")
        self._top = top
        if sources is not None:
            self._top = os.path.join(self._room.name, "sources")
            with tarfile.open(fileobj=io.BytesIO(sources)) as archive:
                archive.extractall(self._top, filter="data")

    def ask(self, roots: list[str], earlier: list[Line]) -> list[Line]:
        """Returns a line for each root, in their order."""
        part = os.path.join(self._room.name, "part.jsonl")
        for ending in ("", ".keys", ".journal"):
            pathlib.Path(part + ending).unlink(missing_ok=True)
        if earlier:
            _write(part, earlier)
        command = [sys.executable, "-m", "groma", "fleet", "-", "--out", part, "--resume", *self._flags]
        text = "".join(f"{root}\n" for root in roots)
        done = subprocess.run(command, input=text, cwd=self._top, capture_output=True, text=True, encoding="utf-8")
        if done.returncode not in (0, 1):
            raise RuntimeError(done.stderr.strip() or f"groma fleet ended with {done.returncode}")
        return list(_read(part))


def _lost(root: str, why: str) -> Line:
    error = {"root": root, "ok": False, "error": {"code": "worker-lost", "summary": why}}
    return Line(root, json.dumps(error, separators=(",", ":"), ensure_ascii=False), "", ())


def _batches(roots: list[str], size: int, earlier: Mapping[str, Line], top: str) -> Iterator[Batch]:
    """Yields batches of neighbours, which mostly call the same modules, of about the same size in bytes."""
    weights = {root: _weight(os.path.join(top, root)) for root in roots}
    most = size * (sum(weights.values()) / max(len(weights), 1))
    order = sorted(range(len(roots)), key=lambda at: roots[at])
    taken: list[str] = []
    weight = 0.0
    for root in (roots[at] for at in order):
        if taken and (weight + weights[root] > most or len(taken) >= 4 * size):
            yield Batch(taken, [earlier[one] for one in taken if one in earlier])
            taken, weight = [], 0.0
        taken.append(root)
        weight += weights[root]
    if taken:
        yield Batch(taken, [earlier[one] for one in taken if one in earlier])


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
        with open(path + ".keys", encoding="utf-8") as keys, open(path, encoding="utf-8") as lines:
            yield from _keyed(keys, lines)
    except FileNotFoundError:
        return


def _journalled(path: str) -> Iterator[Line]:
    """Yields the whole lines of a journal, in which each line follows its key."""
    try:
        with open(path + ".journal", encoding="utf-8") as journal:
            yield from _keyed(journal, journal)
    except FileNotFoundError:
        return


def _keyed(keys: Iterator[str], lines: Iterator[str]) -> Iterator[Line]:
    groups: dict[str, str] = {}
    for entry in keys:
        if not entry.endswith("\n"):
            return
        try:
            key = json.loads(entry)
        except ValueError:
            return
        if "group" in key:
            groups[key["group"]] = entry
            continue
        line = next(lines, "")
        if not line.endswith("\n"):
            return
        named = tuple(groups[name] for name in key["groups"] if name in groups)
        yield Line(key["root"], line[:-1], entry, named)


def _write(path: str, lines: Sequence[Line]) -> None:
    """Replaces a file of lines and its keys. The keys come first: a line that does not fit its key is never kept."""
    written: set[str] = set()
    with open(path + ".new", "w", encoding="utf-8") as keys:
        for line in lines:
            keys.writelines(group for group in line.groups if group not in written)
            written.update(line.groups)
            keys.write(line.key)
    os.replace(path + ".new", path + ".keys")
    with open(path + ".new", "w", encoding="utf-8") as out:
        out.writelines(f"{line.text}\n" for line in lines)
    os.replace(path + ".new", path)


class _Result:
    """The file of results, and its journal while the run lasts."""

    def __init__(self, out: str, resume: bool) -> None:
        self._table = out if out.endswith(".parquet") else None
        self._out = f"{out}.jsonl" if self._table else out
        self.earlier: dict[str, Line] = {}
        if resume:
            both = itertools.chain(_read(self._out), _journalled(self._out))
            self.earlier = {line.root: line for line in both}
            if self.earlier:
                # What the journal has joins the file before the journal begins anew.
                _write(self._out, list(self.earlier.values()))
        self._lines: dict[str, Line] = {}
        self._journal = open(f"{self._out}.journal", "w", encoding="utf-8")

    def add(self, lines: Sequence[Line]) -> None:
        """Takes the lines of a batch."""
        for line in lines:
            self._lines[line.root] = line
            if line.key:
                self._journal.writelines([*line.groups, line.key, line.text, "\n"])
        self._journal.flush()

    def finish(self, roots: Sequence[str]) -> dict[str, int]:
        """Replaces the file by the lines in the order of the roots, and removes the journal."""
        lines = [self._lines[root] for root in roots]
        _write(self._out, lines)
        self._journal.close()
        os.remove(f"{self._out}.journal")
        answers = [json.loads(line.text) for line in lines]
        if self._table:
            arrow, parquet = importlib.import_module("pyarrow"), importlib.import_module("pyarrow.parquet")
            rows = [
                {
                    "root": answer["root"],
                    "ok": answer["ok"],
                    "answer": json.dumps(answer["answer"]) if "answer" in answer else None,
                    "error": answer.get("error", {}).get("code"),
                    "summary": answer.get("error", {}).get("summary"),
                }
                for answer in answers
            ]
            parquet.write_table(arrow.Table.from_pylist(rows), f"{self._table}.new")
            os.replace(f"{self._table}.new", self._table)
        ok = sum(answer["ok"] for answer in answers)
        return {"roots": len(lines), "ok": ok, "failed": len(lines) - ok}
