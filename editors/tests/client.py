"""A client for measurements: it speaks to a language server over its streams and notes when each message comes."""

import json
import pathlib
import re
import subprocess
import threading
import time


class Silent(Exception):
    """A server did not answer in time, or has gone."""


class Client:
    """A server and the folder that is open in it. `settings` is what the client answers about the section `groma`."""

    def __init__(self, command, folder, settings=None):
        self.begun = time.perf_counter()
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
        self.settings = settings
        self.number = 0
        self.answers = {}
        self.published = {}
        self.news = threading.Condition()
        self.has_ended = False
        threading.Thread(target=self.listen, daemon=True).start()
        self.request("initialize", {
            "processId": None,
            "rootUri": folder.as_uri(),
            "workspaceFolders": [{"uri": folder.as_uri(), "name": folder.name}],
            "capabilities": {
                "general": {"positionEncodings": ["utf-8"]},
                "workspace": {"configuration": True, "workspaceFolders": True},
                "textDocument": {
                    "hover": {"contentFormat": ["markdown"]},
                    "publishDiagnostics": {"versionSupport": True},
                    "completion": {"completionItem": {"snippetSupport": True}},
                },
            },
            "initializationOptions": {} if settings is None else {"groma": settings},
        })
        self.notify("initialized", {})

    def send(self, message):
        text = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(text) + text)
        self.process.stdin.flush()

    def listen(self):
        output = self.process.stdout
        while True:
            length = None
            while (line := output.readline()).strip():
                name, value = line.split(b":", 1)
                if name.strip().lower() == b"content-length":
                    length = int(value)
            if length is None:
                break
            message = json.loads(output.read(length))
            self.take(message, time.perf_counter())
        with self.news:
            self.has_ended = True
            self.news.notify_all()

    def take(self, message, now):
        method, number = message.get("method"), message.get("id")
        if method and number is not None:
            asked = message.get("params", {}).get("items", []) if method == "workspace/configuration" else None
            result = None if asked is None else [self.settings for _ in asked]
            self.send({"id": number, "result": result})
            return
        with self.news:
            if method == "textDocument/publishDiagnostics":
                params = message["params"]
                self.published.setdefault(params["uri"], []).append((now, params))
            elif number is not None:
                self.answers[number] = (now, message)
            self.news.notify_all()

    def wait(self, find, seconds):
        end = time.perf_counter() + seconds
        with self.news:
            while (found := find()) is None:
                left = end - time.perf_counter()
                if self.has_ended or left <= 0:
                    raise Silent("the server has gone" if self.has_ended else "no answer in time")
                self.news.wait(left)
            return found

    def notify(self, method, params):
        self.send({"method": method, "params": params})

    def ask(self, method, params):
        """Sends a request and returns its number."""
        self.number += 1
        self.send({"id": self.number, "method": method, "params": params})
        return self.number

    def answer(self, number, seconds=120):
        """The moment and the message of an answer."""
        return self.wait(lambda: self.answers.pop(number, None), seconds)

    def request(self, method, params, seconds=120):
        return self.answer(self.ask(method, params), seconds)[1].get("result")

    def timed(self, method, params, seconds=120):
        begun = time.perf_counter()
        now, message = self.answer(self.ask(method, params), seconds)
        return (now - begun) * 1000, message.get("result")

    def findings(self, uri, version=None, since=0.0, seconds=120):
        """The moment and the parameters of the first findings of a version, or of the first after a moment."""
        def find():
            for now, params in self.published.get(uri, []):
                if now > since and version in (None, params.get("version")):
                    return now, params
            return None
        return self.wait(find, seconds)

    def open(self, path, text=None):
        text = path.read_text(errors="replace") if text is None else text
        item = {"uri": path.as_uri(), "languageId": "terraform", "version": 1, "text": text}
        self.published.pop(path.as_uri(), None)
        self.notify("textDocument/didOpen", {"textDocument": item})

    def opened(self, path, seconds):
        """Opens a file; the milliseconds to its first findings, or nothing where a server pushes none before a change."""
        begun = time.perf_counter()
        self.open(path)
        try:
            return (self.findings(path.as_uri(), seconds=seconds)[0] - begun) * 1000
        except Silent:
            if self.has_ended:
                raise
            return None

    def close(self, path):
        self.notify("textDocument/didClose", {"textDocument": {"uri": path.as_uri()}})

    def change(self, path, version, line, column, text):
        at = {"line": line, "character": column}
        with self.news:
            self.published.pop(path.as_uri(), None)
        self.notify("textDocument/didChange", {
            "textDocument": {"uri": path.as_uri(), "version": version},
            "contentChanges": [{"range": {"start": at, "end": at}, "text": text}],
        })

    def resident(self):
        status = pathlib.Path(f"/proc/{self.process.pid}/status").read_text()
        return int(re.search(r"VmRSS:\s+(\d+)", status)[1]) / 1024

    def settled_memory(self, seconds=20):
        """Megabytes that are resident once that does not change any more."""
        last, same = self.resident(), 0
        for _ in range(int(seconds / 0.5)):
            time.sleep(0.5)
            now = self.resident()
            same = same + 1 if abs(now - last) < 0.5 else 0
            last = now
            if same == 4:
                break
        return last

    def end(self):
        try:
            self.request("shutdown", None, 10)
            self.notify("exit", None)
            self.process.wait(10)
        except (Silent, OSError, subprocess.TimeoutExpired):
            self.process.kill()
            self.process.wait()


def place(path, line, column):
    return {"textDocument": {"uri": path.as_uri()}, "position": {"line": line, "character": column}}


def percentile(times, share=0.95):
    times = sorted(times)
    return times[min(int(len(times) * share), len(times) - 1)]
