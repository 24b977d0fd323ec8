#!/usr/bin/env python3
"""Figures of the language server at the client, beside terraform-ls in the same run:

measure.py --groma PROGRAM [--terraform-ls PROGRAM] [--corpus FOLDER] [--roots FILE] [--schemas FOLDER]
           [--inferred FILE] [--requests N] [--only TEXT] [SECTION...]

Sections: fabric, schemas, roots, instances, layout, edits; all of them without one. Each prints rows of a table in Markdown and the
bound beside what was measured. Times are milliseconds at the client, memory is what is resident once it has settled.

`--only` leaves those of the roots whose line holds the text. The corpus has the repositories of the file with roots (a line each, `OWNER+NAME/PATH` first); the schemas are packs or lists that
`groma.schema` reads.
"""

import argparse
import pathlib
import re
import statistics
import subprocess
import tempfile
import time

from client import Client, Silent, percentile, place
from random_edits import random_edits

TYPED = '\nlocals {\n  groma_typed = ""\n}\n'


def row(*cells):
    print("| " + " | ".join(str(cell) for cell in cells) + " |", flush=True)


def table(*names):
    print()
    row(*names)
    row(*["---"] * len(names))


def verdict(value, bound):
    return "yes" if value <= bound else "**no**"


def code_files(folder):
    return sorted(path for path in folder.glob("*.tf") if path.is_file())


class Server:
    """A program to measure: its name, its command, and whether it tells versions and values."""

    def __init__(self, name, command, is_groma):
        self.name, self.command, self.is_groma = name, command, is_groma
        # Seconds for the first findings of a file; terraform-ls pushes none before a change.
        self.patience = 120 if is_groma else 3

    def start(self, folder, settings=None):
        return Client(self.command, folder, (settings or {}) if self.is_groma else None)


# Fabric: one repository opened whole.


def fabric(options):
    folder = options.corpus / "GoogleCloudPlatform+cloud-foundation-fabric"
    folders = sorted({path.parent for path in folder.rglob("*.tf")})
    step = max(len(folders) // 50, 1)
    touched = [code_files(one)[0] for one in folders[::step][:50]]
    first = code_files(folder / "fast/stages/0-org-setup")
    first = next(path for path in first if path.name == "main.tf")
    table("cloud-foundation-fabric opened whole", "first findings (ms)", "MB, 50 files open", "MB, closed again", "bound", "holds")
    rows = [(server, None, 60) for server in options.servers]
    if options.schemas:
        rows += [(server, {"schema": str(aws(options))}, 100) for server in options.servers if server.is_groma]
    for server, settings, bound in rows:
        client = server.start(folder, settings)
        opened = client.opened(first, server.patience)
        client.settled_memory()
        for path in touched:
            if path != first:
                client.opened(path, server.patience if server.is_groma else 0.2)
            lines = path.read_text(errors="replace").splitlines()
            client.change(path, 2, len(lines), 0, "# typed\n")
            if server.is_groma:
                client.findings(path.as_uri(), version=2)
            client.timed("textDocument/hover", place(path, min(20, len(lines) - 1), 4))
        memory = client.settled_memory()
        for path in touched:
            client.close(path)
        after = client.settled_memory()
        name = server.name + (" with AWS's schemas" if settings else "")
        holds = verdict(memory, bound) if server.is_groma else ""
        row(name, f"{opened:.0f}" if opened else "none pushed", f"{memory:.0f}", f"{after:.0f}", f"< 1000 ms, ≤ {bound} MB" if server.is_groma else "", holds)
        client.end()


def aws(options):
    return next(path for path in sorted(options.schemas.iterdir()) if path.name.startswith("aws"))


# Forty roots with three schemas.


def schemas(options):
    with tempfile.TemporaryDirectory() as made:
        made = pathlib.Path(made)
        files = [path for path in options.schemas.iterdir() if path.suffix in (".pack", ".json", ".xz")]
        files += [options.inferred] if options.inferred else []
        pack = made / "all.schemas"
        subprocess.run([str(options.groma), "schema", "pack", "--out", str(pack), *map(str, files)], check=True, capture_output=True)
        roots = sorted({
            path.parent for name in options.corpus.glob("terraform-aws-modules+*") for path in name.glob("examples/*/main.tf")
        })[:25]
        roots += sorted((options.corpus / "GoogleCloudPlatform+cloud-foundation-fabric/modules").glob("*/main.tf"))[:10]
        roots = [path if path.is_dir() else path.parent for path in roots]
        for number in range(40 - len(roots)):
            folder = made / f"time-{number}"
            folder.mkdir()
            (folder / "main.tf").write_text(
                'resource "time_sleep" "wait" {\n  create_duration = "30s"\n}\n\nlocals {\n  id = time_sleep.wait.id\n}\n'
            )
            roots.append(folder)
        table(f"{len(roots)} roots, {len(files)} schemas", "MB", "bound", "holds")
        for server in options.servers:
            client = server.start(options.corpus, {"schema": str(pack)})
            for folder in roots:
                path = next((one for one in code_files(folder) if one.name == "main.tf"), code_files(folder)[0])
                client.opened(path, server.patience if server.is_groma else 0.2)
                client.timed("textDocument/hover", place(path, 3, 4))
            memory = client.settled_memory()
            bound = 250
            name = server.name if server.is_groma else f"{server.name}, no schemas"
            row(name, f"{memory:.0f}", f"≤ {bound} MB" if server.is_groma else "", verdict(memory, bound) if server.is_groma else "")
            client.end()


# A keystroke in each root.


def has_value(hover):
    text = ((hover or {}).get("contents") or {}).get("value", "")
    return text.startswith("```") and "being worked out" not in text


def candidates(path):
    """Places of references, from the last file of a root's code to its first."""
    found = []
    for number, line in enumerate(path.read_text(errors="replace").splitlines()):
        bare = line.split("#")[0]
        for match in re.finditer(r"\b(?:local|var)\.(\w+)", bare):
            found.append((number, match.start(1), match.end(1)))
    return found[:60]


def subject(client, folder):
    """A file of a root and a reference in it whose value is shown."""
    files = sorted(code_files(folder), key=lambda path: (path.name != "main.tf", -path.stat().st_size))
    for path in files[:6]:
        places = candidates(path)
        if not places:
            continue
        client.open(path)
        client.findings(path.as_uri())
        for line, start, end in places:
            if has_value(client.request("textDocument/hover", place(path, line, start + 1))):
                return path, (line, start, end)
        client.close(path)
    path = files[0]
    client.open(path)
    client.findings(path.as_uri())
    return path, (candidates(path) or [(0, 0, 0)])[0]


class Keystrokes:
    """Times of keystrokes: fresh findings, then hover with its value, and completion."""

    def __init__(self):
        self.all, self.findings, self.hover, self.completion = [], [], [], []

    def add(self, other):
        for name in ("all", "findings", "hover", "completion"):
            getattr(self, name).extend(getattr(other, name))


def type_into(server, client, path, at, count, first_version=2):
    """Types into a local value at the end of a file."""
    text = path.read_text(errors="replace")
    lines = text.count("\n")
    column = len(text) - (text.rfind("\n") + 1)
    client.change(path, first_version, lines, len(text[text.rfind("\n") + 1:].encode()), TYPED)
    if server.is_groma:
        client.findings(path.as_uri(), version=first_version)
    line, start, end = at
    typed, times = lines + 2, Keystrokes()
    column = len('  groma_typed = "')
    for number in range(count):
        version = first_version + 1 + number
        begun = time.perf_counter()
        client.change(path, version, typed, column + number, "abcdefghij"[number % 10])
        if server.is_groma:
            now, _ = client.findings(path.as_uri(), version=version)
            times.findings.append((now - begun) * 1000)
            taken, hover = client.timed("textDocument/hover", place(path, line, start + 1))
            times.hover.append(taken)
            times.all.append((time.perf_counter() - begun) * 1000)
            if not has_value(hover):
                times.all[-1] = float("nan")
        else:
            taken, _ = client.timed("textDocument/hover", place(path, line, start + 1))
            times.hover.append((time.perf_counter() - begun) * 1000)
            times.all.append(times.hover[-1])
        taken, _ = client.timed("textDocument/completion", place(path, line, end))
        times.completion.append(taken)
    return times


def shown(times):
    known = [one for one in times if one == one]
    return f"{statistics.median(known):.1f} / {percentile(known):.1f}" if known else "–"


def roots(options):
    names = [line.split("\t")[0] for line in options.roots.read_text().splitlines() if not line.startswith("#")]
    names = [name for name in names if options.only in name]
    count = -(-options.requests // len(names))
    table("keystroke in a root (median / p95, ms)", "groma: findings and hover", "completion", "holds", "terraform-ls: hover", "completion")
    totals = {server.name: Keystrokes() for server in options.servers}
    for name in names:
        folder = (options.corpus / name).resolve()
        if not folder.is_dir() or not code_files(folder):
            row(name, "not in the corpus", "", "", "", "")
            continue
        at, cells = None, []
        for server in options.servers:
            if not server.is_groma and at is None:
                continue
            client = server.start(options.corpus / name.split("/")[0])
            try:
                if server.is_groma:
                    path, at = subject(client, folder)
                else:
                    client.opened(path, server.patience)
                times = type_into(server, client, path, at, count)
            except Silent as why:
                cells += [str(why), "", ""] if server.is_groma else [str(why), ""]
                continue
            finally:
                client.end()
            totals[server.name].add(times)
            if server.is_groma:
                is_blind = any(one != one for one in times.all)
                holds = verdict(percentile([one for one in times.all if one == one] or [1e9]), 50)
                holds = "no value is known" if is_blind else holds
                cells += [shown(times.all if not is_blind else times.findings), shown(times.completion), holds]
            else:
                cells += [shown(times.hover), shown(times.completion)]
        row(name, *cells)
    for server in options.servers:
        times = totals[server.name]
        if not times.completion:
            continue
        known = [one for one in times.all if one == one]
        print(
            f"\n{server.name}, all roots, {len(known)} keystrokes: all of it {shown(times.all)}, findings {shown(times.findings)}, "
            f"hover {shown(times.hover)}, completion {shown(times.completion)} (bounds at the 95th percentile: 50, and 20 for completion)",
            flush=True,
        )


# Ten thousand instances, as `cargo xtask scale` writes them.


def instances(options):
    lines = "".join(f'    key{at:06} = {{ name = "name-{at}", size = {at} }}\n' for at in range(10_000))
    text = (
        "locals {\n  entries = {\n" + lines + "  }\n}\n\nresource \"terraform_data\" \"many\" {\n  for_each = local.entries\n"
        "  input    = each.value\n}\n\noutput \"ids\" {\n  value = [for one in terraform_data.many : one.id]\n}\n"
    )
    table("instances-10k (median / p95, ms)", "findings and hover (terraform-ls: hover)", "completion", "bound", "holds")
    for server in options.servers:
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder).resolve() / "main.tf"
            path.write_text(text)
            client = server.start(path.parent)
            try:
                client.opened(path, server.patience)
                line = text[: text.index("= local.entries")].count("\n")
                count = options.requests if server.is_groma else min(options.requests, 5)
                times = type_into(server, client, path, (line, 19, 26), count)
            except Silent as why:
                row(server.name, str(why), "", "", "")
                continue
            finally:
                client.end()
            bound = ("< 250", verdict(percentile(times.all), 250)) if server.is_groma else ("", "")
            row(server.name, shown(times.all), shown(times.completion), *bound)


# The layout while an evaluation runs.


def layout(options):
    table("layout while an evaluation runs (ms)", "median / p95", "most", "bound", "holds")
    source = options.corpus / "terraform-aws-modules+terraform-aws-vpc/main.tf"
    text = source.read_text() if source.is_file() else "locals {\n" + "a=1\n" * 1000 + "}\n"
    text = text.replace("  count = ", "  count   = ")
    slow = "locals {\n" + "".join(
        f"  slow_{number} = [for a in range(2000) : [for b in range(500) : a * b]]\n" for number in range(20)
    ) + "  typed = 1\n}\n"
    for server in options.servers:
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder).resolve()
            path, other = folder / "main.tf", folder / "slow.tf"
            path.write_text(text)
            other.write_text(slow)
            client = server.start(folder)
            client.open(path)
            client.open(other)
            times = []
            style = {"tabSize": 2, "insertSpaces": True}
            params = {"textDocument": {"uri": path.as_uri()}, "options": style}
            client.request("textDocument/formatting", params)
            try:
                for number in range(options.requests if server.is_groma else min(options.requests, 50)):
                    client.change(other, number + 2, 21, 10, "1")
                    taken, _ = client.timed("textDocument/formatting", params)
                    times.append(taken)
            except Silent as why:
                row(server.name, str(why), "", "", "")
                continue
            finally:
                client.end()
            bound = ("≤ 10", verdict(percentile(times), 10)) if server.is_groma else ("", "")
            row(server.name, shown(times), f"{max(times):.1f}", *bound)


def edits(options):
    groma = next(server for server in options.servers if server.is_groma)
    count = 10_000 if options.requests >= 500 else 1_000
    table(f"{count} random edits", "MB after a tenth", "MB at the end", "more", "same answers", "holds")
    before, after, is_same = random_edits(groma.command, count)
    more = (after - before) / before * 100
    holds = "yes" if is_same and more <= 10 else "**no**"
    row("groma", f"{before:.1f}", f"{after:.1f}", f"{more:+.1f} %", "yes" if is_same else "no", holds)


SECTIONS = {
    "fabric": fabric, "schemas": schemas, "roots": roots, "instances": instances, "layout": layout, "edits": edits,
}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    paths = ["--groma", "--terraform-ls", "--corpus", "--roots", "--schemas", "--inferred"]
    for name in paths:
        parser.add_argument(name, type=lambda text: pathlib.Path(text).resolve(), required=name == "--groma")
    parser.add_argument("--requests", type=int, default=500)
    parser.add_argument("--only", default="")
    parser.add_argument("sections", nargs="*", choices=[*SECTIONS, []])
    options = parser.parse_args()
    options.servers = [Server("groma", [str(options.groma), "lsp"], True)]
    if options.terraform_ls:
        options.servers.append(Server("terraform-ls", [str(options.terraform_ls), "serve"], False))
    needs = {"fabric": [options.corpus], "schemas": [options.corpus, options.schemas], "roots": [options.corpus, options.roots],
             "layout": [options.corpus]}
    for name in options.sections or SECTIONS:
        if all(needs.get(name, [])):
            SECTIONS[name](options)
        else:
            print(f"\n{name}: left out, since it needs a corpus, roots or schemas that were not named", flush=True)


main()
