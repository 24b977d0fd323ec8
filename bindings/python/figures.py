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

PEERS = {
    "tfparse": "import sys, tfparse\ndef work(): tfparse.load_from_path(sys.argv[1])\n",
    "hcl2": "import sys, hcl2\ndef work():\n  for name in sys.argv[2:]:\n    with open(name) as file: hcl2.load(file)\n",
    "groma": "import sys, groma\ndef work(): groma.Root(sys.argv[1]).plan()\n",
}
#: A process that does its work a few times and prints the least seconds, of the processor and on the clock.
TIMED = """
import time
least = [1e9, 1e9]
for _ in range({runs}):
  began = time.process_time(), time.perf_counter()
  work()
  least = [min(old, now - first) for old, now, first in zip(least, (time.process_time(), time.perf_counter()), began)]
print(*least)
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


def peer(name: str, arguments: list[str], runs: int, limit: float) -> float | None:
    """Returns the least seconds of the processor that some work takes in a process of its own, after a first start."""
    found = ran([sys.executable, "-c", PEERS[name] + TIMED.format(runs=runs), *arguments], limit=limit)
    return float(found[3].split()[0]) if found and found[3].split() else None


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


def files_of(root: str) -> list[str]:
    """Returns the files of a root and of the modules that it calls, as far as something is declared in them."""
    import groma

    nodes = groma.Root(root).ask("graph")["nodes"]
    names = {node["place"].rsplit(":", 1)[0] for node in nodes if node.get("place")}
    places = (os.path.normpath(os.path.join(root, name)) if not os.path.exists(name) else name for name in names)
    return sorted(place for place in places if place.endswith(".tf") and os.path.exists(place))


def roots(corpus: str, listed: str, program: str, runs: int, limit: float) -> None:
    lines = [line.split("\t")[0] for line in pathlib.Path(listed).read_text().splitlines() if line and not line.startswith("#")]
    print("| root | command | Python | times | tfparse | times | python-hcl2, parse | times |\n|" + " --- |" * 8)
    shares: dict[str, list[float]] = {"command": [], "tfparse": [], "hcl2": []}
    for name in lines:
        root = os.path.join(corpus, name)
        if not os.path.isdir(root):
            print(f"| {name} | not there |")
            continue
        command = least([program, "plan", "-json", root], runs)[0]
        python = peer("groma", [root], runs, limit) or float("nan")
        row = f"| {name} | {command:.3f} | {python:.3f} | {python / command:.2f} "
        shares["command"].append(python / command)
        for other, arguments in (("tfparse", [root]), ("hcl2", [root, *files_of(root)])):
            if not has(other):
                row += "| | "
                continue
            took = peer(other, arguments, 1, limit)
            share = (took or limit) / python
            shares[other].append(share)
            row += f"| {took:.3f} | {share:.0f} " if took else f"| over {limit:.0f} | over {share:.0f} "
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
        if has("ray"):
            cluster(folder, names, out)


def cluster(folder: str, names: list[str], out: str) -> None:
    """Measures Ray on this machine, once it has started, beside one process; then with a worker that is killed half way."""
    import ray

    import groma

    os.chdir(folder)
    began = time.perf_counter()
    ray.init(_node_ip_address="127.0.0.1", include_dashboard=False, log_to_driver=False)
    count = int(ray.cluster_resources()["CPU"])
    # A first batch for each worker pays for their starts.
    groma.fleet.ray(names[: 2 * count], "check", out=out, batch=1, progress=False)
    print(f"| Ray's start | | {time.perf_counter() - began:.1f} s | |")
    clocks = {}
    for title in ("one process", "Ray"):
        taken = []
        for _ in range(3):
            began = time.perf_counter()
            if title == "Ray":
                groma.fleet.ray(names, "plan", out=out, progress=False, now=NOW)
            else:
                line = [sys.executable, "-m", "groma", "fleet", "--plan", f"--now={NOW}", "--out", out + "1", *names]
                subprocess.run(line, check=False, stderr=subprocess.DEVNULL)
            taken.append(time.perf_counter() - began)
        clocks[title] = min(taken)
        print(f"| `--plan` of all, {title} | | {clocks[title]:.2f} s | |", flush=True)
    alone = pathlib.Path(out + "1").read_bytes()
    same = pathlib.Path(out).read_bytes() == alone
    print(f"| Ray beside one process | | {clocks['Ray'] / clocks['one process']:.2f} times; the same bytes: {same} | |")
    killed: list[int] = []
    thread = threading.Timer(clocks["Ray"] / 2, lambda: killed.extend(kill()))
    thread.start()
    groma.fleet.ray(names, "plan", out=out, progress=False, now=NOW)
    thread.join()
    same = pathlib.Path(out).read_bytes() == alone
    print(f"| … with {len(killed)} worker killed half way | | the same bytes: {same} | |")
    ray.shutdown()


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
    asked = given.parse_args()
    program = os.path.abspath(asked.groma) if os.path.exists(asked.groma) else asked.groma
    small()
    if asked.corpus and asked.roots:
        roots(os.path.abspath(asked.corpus), asked.roots, program, asked.runs, asked.limit)
    if asked.fleet:
        fleet(os.path.abspath(asked.fleet), program, asked.runs)


if __name__ == "__main__":
    main()
