#!/usr/bin/env python3
"""Measures the package, many roots and Ray, and prints tables for `docs/benchmarks.md`.

    bindings/python/figures.py --groma target/release/groma --corpus FOLDER --roots FILE --fleet FOLDER

The package is the one that this interpreter imports. `--corpus` holds the repositories that the list of roots names (a line each,
`OWNER+NAME/PATH` first); `--fleet` is a folder of many roots as `cargo xtask scale --write fleet-2k` writes it. What is not named is left
out, and so are tfparse, python-hcl2 and Ray where they are not installed. Seconds are those of the processor unless the title says "clock":
other programs on the machine do not tell in them.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import pathlib
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time

#: The clock of plans, which is a part of their text.
NOW = "2026-01-01T00:00:00Z"

#: A process that evaluates a root by tfparse and prints the seconds of the processor.
TFPARSE = """
import sys, time, tfparse
began = time.process_time()
tfparse.load_from_path(sys.argv[1])
print(time.process_time() - began)
"""
#: A process that reads the same files by python-hcl2 and by `groma.loads` in turn, once both have read something, and prints the seconds of
#: the processor that each took and how many files python-hcl2 took. It stops after the seconds of its first argument.
PARSED = """
import sys, time, groma, hcl2
hcl2.loads("a = 1\\n"), groma.loads("a = 1\\n")
ours = theirs = 0.0
read = 0
for name in sys.argv[2:]:
  with open(name, encoding="utf-8") as file: text = file.read()
  began = time.process_time()
  try: hcl2.loads(text)
  except Exception: continue
  middle = time.process_time()
  groma.loads(text)
  ours, theirs, read = ours + time.process_time() - middle, theirs + middle - began, read + 1
  if theirs > float(sys.argv[1]): break
print(ours, theirs, read)
"""
#: A process that plans a root once for each line that it reads and prints the seconds of the processor; the first plan does not count. What
#: a plan gave is freed outside of them, as a program frees nothing at its end.
ASKED = """
import sys, time, groma
groma.Root(sys.argv[1]).plan()
for _ in sys.stdin:
  given = None
  began = time.process_time()
  given = groma.Root(sys.argv[1]).plan()
  print(time.process_time() - began, flush=True)
"""


def ran(line: list[str], cwd: str | None = None, limit: float | None = None, env: dict[str, str] | None = None) -> tuple[float, float, float, str] | None:
    """Runs a program. Returns its seconds of the processor and on the clock, its megabytes at the highest, and what it printed."""
    with tempfile.TemporaryFile() as out:
        began = time.perf_counter()
        child = subprocess.Popen(line, cwd=cwd, stdout=out, stderr=subprocess.DEVNULL, env=env)
        try:
            while True:
                pid, _, used = os.wait4(child.pid, os.WNOHANG)
                if pid:
                    break
                if limit and time.perf_counter() - began > limit:
                    raise TimeoutError
                time.sleep(0.0005)
        except TimeoutError:
            child.kill()
            os.wait4(child.pid, 0)
            child.returncode = -9
            return None
        child.returncode = 0
        clock = time.perf_counter() - began
        out.seek(0)
        text = out.read(200).decode(errors="replace")
    return used.ru_utime + used.ru_stime, clock, used.ru_maxrss / 1024, text


def least(line: list[str], runs: int, cwd: str | None = None) -> tuple[float, float, float]:
    found = [one[:3] for one in (ran(line, cwd) for _ in range(runs)) if one]
    return tuple(min(column) for column in zip(*found))  # type: ignore[return-value]


def tfparse(root: str, limit: float) -> float | None:
    """Returns the seconds of the processor that tfparse takes for a root in a process of its own; `None` if it fails or takes too long."""
    found = ran([sys.executable, "-c", TFPARSE, root], limit=limit)
    return float(found[3]) if found and found[3].split() else None


def in_turn(program: str, root: str, runs: int) -> tuple[float, float, float]:
    """Returns the medians of the seconds of the processor of the command's plan and of Python's, asked in turn, and of how many times as long
    the latter took. What else the machine does, which comes and goes, tells in both."""
    line = [sys.executable, "-c", ASKED, root]
    pairs = []
    with subprocess.Popen(line, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, bufsize=1) as child:
        assert child.stdin and child.stdout
        for _ in range(runs):
            command = least([program, "plan", "-json", root], 1)[0]
            child.stdin.write("\n")
            answer = child.stdout.readline()
            if not answer:
                return (command, float("nan"), float("nan"))
            pairs.append((command, float(answer)))
    commands, pythons = zip(*pairs)
    return (statistics.median(commands), statistics.median(pythons), statistics.median(theirs / ours for ours, theirs in pairs))


def has(name: str) -> bool:
    return importlib.util.find_spec(name) is not None


def small() -> None:
    import groma

    start = "import time; began = time.perf_counter(); import groma; print(time.perf_counter() - began)"
    imports = [float((ran([sys.executable, "-c", start]) or (0, 0, 0, "nan"))[3]) for _ in range(30)]
    calls = []
    for _ in range(50):
        began = time.process_time()
        for _ in range(1_000):
            groma.evaluate("1 + 1")
        calls.append((time.process_time() - began) * 1_000)
    print("| | figure | bound |\n| --- | --- | --- |")
    print(f"| `import groma`, clock, least and median of 30 | {min(imports) * 1e3:.1f} / {statistics.median(imports) * 1e3:.1f} ms | 30 ms |")
    print(f'| `groma.evaluate("1 + 1")`, least and median of 50 | {min(calls):.1f} / {statistics.median(calls):.1f} µs | 20 µs |\n')


def parsed(files: list[str], limit: float) -> tuple[float, float, int] | None:
    """Returns the seconds of `groma.loads` and of python-hcl2 for the same files, and how many files those are."""
    found = ran([sys.executable, "-c", PARSED, str(limit), *files], limit=4 * limit)
    words = found[3].split() if found else []
    return (float(words[0]), float(words[1]), int(words[2])) if len(words) == 3 else None


def files_of(root: str) -> list[str]:
    """Returns the files of a root and of the modules that it calls."""
    import groma

    nodes = groma.Root(root).ask("graph")["nodes"]
    names = {node["place"].rsplit(":", 1)[0] for node in nodes if node.get("place")}
    places = [os.path.normpath(os.path.join(root, name)) if not os.path.exists(name) else name for name in names]
    folders = {os.path.realpath(os.path.dirname(place)) for place in [*places, os.path.join(root, "main.tf")]}
    return sorted(str(file) for folder in folders for file in pathlib.Path(folder).glob("*.tf"))


def roots(corpus: str, listed: str, program: str, runs: int, limit: float) -> None:
    lines = [line.split("\t")[0] for line in pathlib.Path(listed).read_text().splitlines() if line and not line.startswith("#")]
    print("| root | command | Python | times | tfparse | times | files | `groma.loads` | python-hcl2 | times | beside the plan |\n|" + " --- |" * 11)
    shares: dict[str, list[float]] = {"command": [], "tfparse": [], "hcl2 beside groma.loads": [], "hcl2 beside the plan": []}
    for name in lines:
        root = os.path.join(corpus, name)
        if not os.path.isdir(root):
            print(f"| {name} | not there |")
            continue
        command, python, times = in_turn(program, root, 5 * runs)
        row = f"| {name} | {command:.3f} | {python:.3f} | {times:.2f} "
        shares["command"].append(times)
        took = tfparse(root, limit) if has("tfparse") else None
        if has("tfparse"):
            shares["tfparse"].append((took or limit) / python)
        row += f"| {took:.3f} | {took / python:.0f} " if took else "| | " if not has("tfparse") else f"| over {limit:.0f} | over {limit / python:.0f} "
        if both := parsed(files_of(root), limit) if has("hcl2") else None:
            ours, theirs, files = both
            shares["hcl2 beside groma.loads"].append(theirs / ours)
            shares["hcl2 beside the plan"].append(theirs / python)
            row += f"| {files} | {ours:.4f} | {theirs:.3f} | {theirs / ours:.0f} | {theirs / python:.0f} "
        print(row + "|", flush=True)
    for name, all in shares.items():
        if all:
            print(f"\n{name}: median {statistics.median(all):.2f}, least {min(all):.2f}, most {max(all):.2f}")


def fleet(folder: str, program: str, runs: int) -> None:
    names = sorted(f"live/{name}" for name in os.listdir(os.path.join(folder, "live")))
    with tempfile.TemporaryDirectory(prefix="groma-figures-") as room:
        out = os.path.join(room, "lines.jsonl")
        print(f"{len(names)} roots, {os.cpu_count()} cores\n\n| | processor | clock | MB |\n| --- | --- | --- | --- |")
        for question in ("--check", "--plan"):
            line = [program, "fleet", question, "--out", out]
            taken: dict[str, tuple[float, float, float]] = {}
            for title, more, asked in (
                ("the first hundred", [], names[:100]),
                ("one thread", ["-parallelism=1"], names),
                ("all roots", [], names),
                ("`--resume`", ["--resume"], names),
            ):
                taken[title] = least([*line, *more, *asked], runs, folder)
                cpu, clock, most = taken[title]
                print(f"| `{question}`, {title} | {cpu:.3f} s | {clock:.3f} s | {most:.0f} |", flush=True)
            first, again = taken["all roots"], taken["`--resume`"]
            alone, hundred = taken["one thread"], taken["the first hundred"]
            print(f"| {question}: resumed, times as fast | {first[0] / again[0]:.0f} | {first[1] / again[1]:.0f} | |")
            print(f"| {question}: all cores beside one, memory beside the first hundred | | {alone[1] / first[1]:.2f} | {first[2] / hundred[2]:.2f} |")


def cluster(folders: dict[str, list[str]], runs: int) -> None:
    """Measures Ray on this machine, once its workers have started, beside one process; then with a worker that is killed half way."""
    import ray

    import groma
    from groma import _ray

    started: list[float] = []

    class StartedPool(_ray._Pool):
        """Workers of which each has started, with the time when the last one had."""

        def __init__(self, *given: object) -> None:
            super().__init__(*given)
            ray.get([worker.__ray_ready__.remote() for worker in self._workers])
            started.append(time.perf_counter())

    _ray._Pool = StartedPool
    # Ray's workers leave the processor to all other programs, which would tell in the comparison.
    os.environ.setdefault("RAY_worker_niceness", "0")
    began = time.perf_counter()
    ray.init(_node_ip_address="127.0.0.1", include_dashboard=False, log_to_driver=False)
    count = int(ray.cluster_resources()["CPU"])
    print(f"\nRay's start took {time.perf_counter() - began:.1f} s, on {count} cores\n")
    print("| roots | bytes of lines | one process, clock | Ray, clock | times | with the start of its workers | the same bytes | with a worker killed half way |\n|" + " --- |" * 8)
    for folder, names in folders.items():
        os.chdir(folder)
        with tempfile.TemporaryDirectory(prefix="groma-figures-") as room:
            out, alone = os.path.join(room, "ray.jsonl"), os.path.join(room, "alone.jsonl")
            line = [sys.executable, "-m", "groma", "fleet", "-", "--plan", f"--now={NOW}", "--out", alone]
            # The first batches pay for what Ray does only once.
            groma.fleet.ray(names[: 2 * count], "plan", out=out, batch=1, progress=False, now=NOW)
            least = {"one": float("inf"), "ray": float("inf"), "whole": float("inf")}
            for _ in range(runs):
                began = time.perf_counter()
                subprocess.run(line, input="\n".join(names), text=True, check=False, stderr=subprocess.DEVNULL)
                middle = time.perf_counter()
                groma.fleet.ray(names, "plan", out=out, progress=False, now=NOW)
                least["one"] = min(least["one"], middle - began)
                end = time.perf_counter()
                least["ray"] = min(least["ray"], end - started[-1])
                least["whole"] = min(least["whole"], end - middle)
            wanted = pathlib.Path(alone).read_bytes()
            same = pathlib.Path(out).read_bytes() == wanted
            killed: list[int] = []
            thread = threading.Timer(least["whole"] / 2, lambda: killed.extend(kill()))
            thread.start()
            groma.fleet.ray(names, "plan", out=out, progress=False, now=NOW)
            thread.join()
            again = f"{len(killed)} killed, the same bytes: {pathlib.Path(out).read_bytes() == wanted}"
            share = least["ray"] / least["one"]
            print(f"| {len(names)} | {len(wanted)} | {least['one']:.2f} s | {least['ray']:.2f} s | {share:.2f} | {least['whole']:.2f} s | {same} | {again} |", flush=True)
    ray.shutdown()


def roots_below(folder: str, program: str) -> list[str]:
    """Returns all roots of a folder that have a plan or findings."""
    done = subprocess.run([program, "fleet", "--find", ".", "-e", "1"], cwd=folder, capture_output=True, text=True)
    return [json.loads(line)["root"] for line in done.stdout.splitlines()]


def kill() -> list[int]:
    """Kills one worker of this machine that asks roots, if there is one."""
    for process in filter(str.isdigit, os.listdir("/proc")):
        try:
            name = pathlib.Path(f"/proc/{process}/cmdline").read_text()
        except OSError:
            continue
        if name.startswith("ray::_Worker"):
            os.kill(int(process), signal.SIGKILL)
            return [int(process)]
    return []


def main() -> None:
    given = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    given.add_argument("--groma", default="groma", help="the command to compare with")
    given.add_argument("--corpus")
    given.add_argument("--roots")
    given.add_argument("--fleet")
    given.add_argument("--runs", type=int, default=3)
    given.add_argument("--limit", type=float, default=150.0, help="seconds that a peer may take for a root")
    given.add_argument("--only", choices=["small", "roots", "fleet", "ray"], help="one of the tables")
    asked = given.parse_args()
    wants = lambda table: asked.only in (None, table)  # noqa: E731
    program = os.path.abspath(asked.groma) if os.path.exists(asked.groma) else asked.groma
    corpus, folder = (path and os.path.abspath(path) for path in (asked.corpus, asked.fleet))
    if wants("small"):
        small()
    if corpus and asked.roots and wants("roots"):
        roots(corpus, asked.roots, program, asked.runs, asked.limit)
    if folder and wants("fleet"):
        fleet(folder, program, asked.runs)
    if has("ray") and wants("ray"):
        folders = {folder: sorted(f"live/{name}" for name in os.listdir(os.path.join(folder, "live")))} if folder else {}
        cluster({**folders, **({corpus: roots_below(corpus, program)} if corpus else {})}, asked.runs)


if __name__ == "__main__":
    main()
