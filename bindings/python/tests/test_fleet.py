"""Many roots from Python, and the command inside of the package."""

import subprocess
import sys

import groma
import pytest


def made(tmp_path, count=3):
    for number in range(count):
        folder = tmp_path / f"r{number}"
        folder.mkdir()
        (folder / "main.tf").write_text(f'output "n" {{ value = {number} }}')
    (tmp_path / "bad").mkdir()
    (tmp_path / "bad" / "main.tf").write_text('output "n" { value = local.gone }')
    return [tmp_path / f"r{number}" for number in range(count)]


def test_each_root_has_an_answer(tmp_path):
    roots = made(tmp_path)
    answers = list(groma.fleet.run([*roots, tmp_path / "bad", tmp_path / "none"], {"eval": "1 + 1"}))
    assert [answer["ok"] for answer in answers] == [True, True, True, False, False]
    assert answers[0]["answer"]["value"] == 2
    outputs = list(groma.fleet.run(roots, "outputs"))
    assert [answer["answer"]["n"]["value"] for answer in outputs] == [0, 1, 2]


def test_a_wrong_question_is_said_at_once(tmp_path):
    with pytest.raises(ValueError):
        groma.fleet.run(made(tmp_path), "fortune")
    with pytest.raises(RuntimeError, match="budget"):
        list(groma.fleet.run([tmp_path], "check", budget={"steps": 1}))


def test_the_command_is_in_the_package(tmp_path):
    made(tmp_path)
    line = [sys.executable, "-m", "groma", f"-chdir={tmp_path}/r1", "output", "-json", "n"]
    done = subprocess.run(line, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, "1\n")
    wrong = subprocess.run([sys.executable, "-m", "groma", "nonsense"], capture_output=True, text=True)
    assert wrong.returncode == 2 and "nonsense" in wrong.stderr
