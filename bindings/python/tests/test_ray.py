"""Roots on a Ray cluster of one machine: the same lines as those of one process, also where workers die."""

import json
import os
import pathlib
import signal
import tempfile
import threading
import time

import groma
import pytest

ray = pytest.importorskip("ray")


@pytest.fixture(scope="module", autouse=True)
def cluster():
    ray.init(_node_ip_address="127.0.0.1", num_cpus=2, include_dashboard=False, log_to_driver=False)
    yield
    ray.shutdown()


def made(tmp_path, count):
    (tmp_path / ".git").mkdir()
    (tmp_path / "m").mkdir()
    (tmp_path / "m" / "main.tf").write_text('variable "n" {}\noutput "n" { value = var.n * 2 }')
    for number in range(count):
        folder = tmp_path / f"r{number:02}"
        folder.mkdir()
        (folder / "main.tf").write_text(
            f'module "m" {{\n  source = "../m"\n  n = {number}\n}}\noutput "n" {{ value = module.m.n }}\n'
        )
    return [f"r{number:02}" for number in range(count)]


def alone(tmp_path, roots, question):
    lines = [json.dumps(line, separators=(",", ":"), ensure_ascii=False) for line in groma.fleet.run(roots, question)]
    return "".join(f"{line}\n" for line in lines)


def test_the_lines_are_those_of_one_process(tmp_path, monkeypatch):
    roots = made(tmp_path, 10)
    monkeypatch.chdir(tmp_path)
    expected = alone(tmp_path, [*roots, "nowhere"], "outputs")
    counts = groma.fleet.ray([*roots, "nowhere"], "outputs", out="o.jsonl", batch=3)
    assert counts == {"roots": 11, "ok": 10, "failed": 1}
    assert (tmp_path / "o.jsonl").read_text() == expected
    assert not (tmp_path / "o.jsonl.journal").exists()
    # The command resumes what Ray has written.
    (tmp_path / "r03" / "main.tf").write_text('output "n" { value = "new" }')
    groma.fleet.ray([*roots, "nowhere"], "outputs", out="o.jsonl", batch=3, resume=True)
    changed = (tmp_path / "o.jsonl").read_text()
    assert changed == expected.replace('"root":"r03","ok":true,"answer":{"n":{"sensitive":false,"type":"number","value":6}}', '"root":"r03","ok":true,"answer":{"n":{"sensitive":false,"type":"string","value":"new"}}')


def test_a_run_that_was_killed_goes_on(tmp_path, monkeypatch):
    roots = made(tmp_path, 6)
    monkeypatch.chdir(tmp_path)
    groma.fleet.ray(roots, "outputs", out="o.jsonl", batch=2)
    whole, keys = (tmp_path / "o.jsonl").read_bytes(), (tmp_path / "o.jsonl.keys").read_bytes()
    # What a killed driver leaves: half of the lines in the file, the others and half of one more in the journal.
    entries = keys.splitlines(keepends=True)
    groups = [entry for entry in entries if "group" in json.loads(entry)]
    named = [entry for entry in entries if "group" not in json.loads(entry)]
    lines = whole.splitlines(keepends=True)
    (tmp_path / "o.jsonl").write_bytes(b"".join(lines[:3]))
    (tmp_path / "o.jsonl.keys").write_bytes(b"".join([*groups, *named[:3]]))
    both = [part for pair in zip(named[3:5], lines[3:5]) for part in pair]
    (tmp_path / "o.jsonl.journal").write_bytes(b"".join([*groups, *both, named[5], lines[5][:9]]))
    groma.fleet.ray(roots, "outputs", out="o.jsonl", batch=2, resume=True)
    assert (tmp_path / "o.jsonl").read_bytes() == whole
    assert not (tmp_path / "o.jsonl.journal").exists()


def test_workers_leave_nothing_behind(tmp_path, monkeypatch):
    roots = made(tmp_path, 4)
    monkeypatch.chdir(tmp_path)
    folders = lambda: {path.name for path in pathlib.Path(tempfile.gettempdir()).glob("groma-*")}  # noqa: E731
    before = folders()
    groma.fleet.ray(roots, "outputs", out="o.jsonl", batch=1, content=str(tmp_path))
    assert folders() <= before


def test_sources_may_be_sent(tmp_path, monkeypatch):
    roots = made(tmp_path, 4)
    elsewhere = tmp_path.parent / f"{tmp_path.name}-elsewhere"
    elsewhere.mkdir()
    monkeypatch.chdir(elsewhere)
    groma.fleet.ray(roots, {"eval": "module.m.n"}, out="o.jsonl", content=tmp_path)
    answers = [json.loads(line) for line in (elsewhere / "o.jsonl").read_text().splitlines()]
    assert [answer["root"] for answer in answers] == roots


def test_a_wrong_flag_is_told_as_the_command_tells_it(tmp_path, monkeypatch):
    roots = made(tmp_path, 1)
    monkeypatch.chdir(tmp_path)
    with pytest.raises(RuntimeError, match="mirror"):
        groma.fleet.ray(roots, "check", out="o.jsonl", mirror=True)
    # The worker's streams are its own again: another run is as any other.
    assert groma.fleet.ray(roots, "check", out="o.jsonl") == {"roots": 1, "ok": 1, "failed": 0}


def test_a_killed_worker_loses_no_line(tmp_path, monkeypatch):
    roots = made(tmp_path, 24)
    monkeypatch.chdir(tmp_path)
    expected = alone(tmp_path, roots, "plan")
    killed = []

    def kill():
        while not killed:
            for process in os.listdir("/proc"):
                try:
                    line = open(f"/proc/{process}/cmdline").read()
                except OSError:
                    continue
                if line.startswith("ray::_Worker"):
                    os.kill(int(process), signal.SIGKILL)
                    killed.append(process)
                    return
            time.sleep(0.01)

    thread = threading.Thread(target=kill)
    thread.start()
    groma.fleet.ray(roots, "plan", out="o.jsonl", batch=2)
    thread.join()
    strip = lambda text: [  # noqa: E731
        {**json.loads(line), "answer": {**json.loads(line)["answer"], "timestamp": None}} for line in text.splitlines()
    ]
    assert strip((tmp_path / "o.jsonl").read_text()) == strip(expected)


def test_a_table(tmp_path, monkeypatch):
    parquet = pytest.importorskip("pyarrow.parquet")
    roots = made(tmp_path, 3)
    monkeypatch.chdir(tmp_path)
    groma.fleet.ray(roots, "outputs", out="o.parquet")
    table = parquet.read_table("o.parquet")
    assert table.column("root").to_pylist() == roots and table.column("ok").to_pylist() == [True] * 3
