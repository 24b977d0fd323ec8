"""Random edits of a module through its server, the same in every run: texts are cut, pasted and undone, files get other names and change
on the disk. Afterwards the server answers as one that was started afresh, and holds no more than it did after the first tenth."""

import json
import pathlib
import random
import tempfile
import time

from client import Client, place

FILES = {
    "main.tf": 'variable "names" {\n  type = list(string)\n}\n\nlocals {\n  upper = [for name in var.names : upper(name)]\n  first = local.upper[0]\n}\n\nmodule "m" {\n  source = "./m"\n  name   = local.first\n}\n\noutput "o" {\n  value = module.m.o\n}\n',
    "m/main.tf": 'variable "name" {}\n\nresource "terraform_data" "a" {\n  count = length(var.name)\n  input = var.name\n}\n\noutput "o" {\n  value = terraform_data.a[*].input\n}\n',
    "terraform.tfvars": 'names = ["é", "bb"]\n',
    "more.tf": 'locals {\n  more = { for at in range(5) : "k${at}" => at }\n  sum  = sum(values(local.more))\n}\n',
}
PIECES = ["\n", "}", "{", '"', "${", "locals {\n  x = 1\n}\n", "local.first", "# é𝄞\n", "= [", "<<-E\n t\nE\n", "module.m.o", 'variable "y" {}\n']
QUESTIONS = ["documentSymbol", "foldingRange", "documentLink", "codeLens", "semanticTokens/full"]
PLACES = ["hover", "definition", "completion", "documentHighlight"]


def position(text, offset):
    before = text[:offset]
    start = before.rfind("\n") + 1
    return {"line": before.count("\n"), "character": len(before[start:].encode())}


class Module:
    """The texts of a module on the disk and in the server."""

    def __init__(self, command, folder):
        self.folder, self.command = folder, command
        for name, text in FILES.items():
            path = folder / name
            path.parent.mkdir(exist_ok=True)
            path.write_text(text)
        (folder / "other.tf").write_text("locals {\n  other = 1\n}\n")
        self.texts, self.versions, self.undo, self.other = dict(FILES), {}, [], "other.tf"
        self.client = Client(command, folder)
        for name in self.texts:
            self.open(self.client, name)

    def path(self, name):
        return self.folder / name

    def open(self, client, name):
        self.versions[name] = 1
        client.open(self.path(name), self.texts[name])

    def change(self, name, after, start=None, end=None, text=None):
        self.versions[name] += 1
        change = {"text": after}
        if start is not None:
            before = self.texts[name]
            change = {"range": {"start": position(before, start), "end": position(before, end)}, "text": text}
        document = {"uri": self.path(name).as_uri(), "version": self.versions[name]}
        self.client.notify("textDocument/didChange", {"textDocument": document, "contentChanges": [change]})
        self.texts[name] = after

    def watched(self, *changes):
        changes = [{"uri": self.path(name).as_uri(), "type": kind} for name, kind in changes]
        self.client.notify("workspace/didChangeWatchedFiles", {"changes": changes})

    def edit(self, numbers):
        name = numbers.choice(sorted(self.texts))
        text = self.texts[name]
        kind = numbers.randrange(14)
        if kind == 0:
            self.path(self.other).write_text(f"locals {{\n  other = {numbers.randrange(9)}\n}}\n")
            self.watched((self.other, 2))
        elif kind == 1:
            # A file gets another name; its old one is gone.
            new = "moved.tf" if self.other == "other.tf" else "other.tf"
            files = {"files": [{"oldUri": self.path(self.other).as_uri(), "newUri": self.path(new).as_uri()}]}
            self.client.request("workspace/willRenameFiles", files)
            self.path(self.other).rename(self.path(new))
            self.client.notify("workspace/didRenameFiles", files)
            self.watched((self.other, 3), (new, 1))
            self.other = new
        elif kind in (2, 3) and self.undo:
            name, text = self.undo.pop()
            self.change(name, text)
        elif kind == 4:
            self.client.close(self.path(name))
            self.open(self.client, name)
        else:
            start = numbers.randrange(len(text) + 1)
            end = min(start + (numbers.randrange(20) if kind < 9 else 0), len(text))
            piece = numbers.choice(PIECES) if kind % 2 == 0 else ""
            self.undo.append((name, text))
            self.change(name, text[:start] + piece + text[end:], start, end, piece)
        # Texts come back to what has values.
        if len(self.undo) > 12 or len(self.texts[name]) > 3_000:
            self.undo.clear()
            for name, text in FILES.items():
                self.change(name, text)
        if numbers.randrange(3) == 0:
            question = numbers.choice(PLACES)
            lines = self.texts[name].count("\n") + 1
            self.client.request(f"textDocument/{question}", place(self.path(name), numbers.randrange(lines), 0))

    def settled(self, client):
        """Waits until every text was evaluated."""
        about = {"textDocument": {"uri": self.path("main.tf").as_uri()}}
        client.request("groma/eval", {**about, "expression": "1"})
        last = None
        while (now := json.dumps(self.published(client), sort_keys=True)) != last:
            last = now
            time.sleep(0.3)

    def published(self, client):
        found = {}
        with client.news:
            for uri, all_of_it in client.published.items():
                findings = all_of_it[-1][1]["diagnostics"] if all_of_it else []
                if findings:
                    found[uri] = findings
        return found

    def answers(self, client):
        self.settled(client)
        found = {"findings": self.published(client)}
        for name, text in sorted(self.texts.items()):
            about = {"textDocument": {"uri": self.path(name).as_uri()}}
            for question in QUESTIONS:
                answer = client.request(f"textDocument/{question}", about)
                found[f"{question} {name}"] = answer.get("data") if question.startswith("semantic") else answer
            for line in range(0, text.count("\n") + 1, 3):
                for question in PLACES:
                    found[f"{question} {name}:{line}"] = client.request(f"textDocument/{question}", place(self.path(name), line, 0))
        return found


def random_edits(command, count, seed=1):
    """Megabytes after a tenth of the edits and after all of them, and whether the answers are those of a fresh start."""
    numbers = random.Random(seed)
    with tempfile.TemporaryDirectory() as folder:
        module = Module(command, pathlib.Path(folder).resolve())
        before = None
        for number in range(1, count + 1):
            module.edit(numbers)
            if number == count // 10:
                module.settled(module.client)
                before = module.client.settled_memory()
        old = module.answers(module.client)
        after = module.client.settled_memory()
        fresh = Client(command, module.folder)
        for name in module.texts:
            module.open(fresh, name)
        new = module.answers(fresh)
        differing = [name for name in new if old.get(name) != new[name]]
        for name in differing[:5]:
            print(f"after {count} edits: {name}\n  {old.get(name)}\n  {new[name]}")
        fresh.end()
        module.client.end()
        return before, after, not differing
