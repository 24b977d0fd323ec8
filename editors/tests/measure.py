"""Times and memory of the language server at the client: measure.py PROGRAM FOLDER [FILE...]

Opens a folder and each file in it in turn, types into it, and prints a line a file: the time to the first findings, and the median
and the 95th percentile of fresh findings, hover and completion after a keystroke, in milliseconds; then the memory that is resident.
"""

import json
import pathlib
import re
import statistics
import subprocess
import sys
import time


class Client:
    def __init__(self, program, folder):
        self.process = subprocess.Popen([program, "lsp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.number = 0
        self.request("initialize", {
            "processId": None,
            "rootUri": folder.as_uri(),
            "capabilities": {"general": {"positionEncodings": ["utf-8"]}},
        })
        self.notify("initialized", {})

    def send(self, message):
        text = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(text) + text)
        self.process.stdin.flush()

    def read(self):
        length = 0
        while line := self.process.stdout.readline().strip():
            length = int(line.split(b":")[1])
        return json.loads(self.process.stdout.read(length))

    def notify(self, method, params):
        self.send({"method": method, "params": params})

    def request(self, method, params):
        self.number += 1
        self.send({"id": self.number, "method": method, "params": params})
        while True:
            message = self.read()
            if message.get("id") == self.number and "method" not in message:
                return message.get("result")

    def findings(self, uri, version):
        while True:
            message = self.read()
            params = message.get("params", {})
            if message.get("method") == "textDocument/publishDiagnostics" and params["uri"] == uri:
                if params.get("version") == version:
                    return params["diagnostics"]

    def resident(self):
        status = pathlib.Path(f"/proc/{self.process.pid}/status").read_text()
        return int(re.search(r"VmRSS:\s+(\d+)", status)[1]) / 1024


def spread(times):
    times = sorted(times)
    return f"{statistics.median(times):7.1f} {times[int(len(times) * 0.95)]:7.1f}"


def main():
    program, folder, *files = sys.argv[1:]
    folder = pathlib.Path(folder).resolve()
    client = Client(program, folder)
    print(f"{'file':48} {'first':>8} {'findings':>15} {'hover':>15} {'completion':>15}")
    for name in files:
        path = folder / name
        text, uri = path.read_text(), path.as_uri()
        begun = time.perf_counter()
        item = {"uri": uri, "languageId": "terraform", "version": 1, "text": text}
        client.notify("textDocument/didOpen", {"textDocument": item})
        client.findings(uri, 1)
        first = (time.perf_counter() - begun) * 1000
        line = next((at for at, line in enumerate(text.splitlines()) if "local." in line or "var." in line), 0)
        column = max(text.splitlines()[line].find("."), 0)
        place = {"textDocument": {"uri": uri}, "position": {"line": line, "character": column}}
        fresh, hover, completion = [], [], []
        for number in range(20):
            begun = time.perf_counter()
            start = {"line": 0, "character": 0}
            change = {"range": {"start": start, "end": start}, "text": f"# {number}\n"}
            version = number + 2
            client.notify("textDocument/didChange", {
                "textDocument": {"uri": uri, "version": version}, "contentChanges": [change],
            })
            place["position"]["line"] += 1
            client.findings(uri, version)
            fresh.append((time.perf_counter() - begun) * 1000)
            begun = time.perf_counter()
            client.request("textDocument/hover", place)
            hover.append((time.perf_counter() - begun) * 1000)
            begun = time.perf_counter()
            client.request("textDocument/completion", place)
            completion.append((time.perf_counter() - begun) * 1000)
        print(f"{name:48} {first:8.1f} {spread(fresh)} {spread(hover)} {spread(completion)}", flush=True)
    print(f"resident: {client.resident():.0f} MB")
    client.request("shutdown", None)
    client.notify("exit", None)


main()
