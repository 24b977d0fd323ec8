"""The tools for coding agents, by the official client of the protocol: each tool on a module, answers in parts, edits, progress, errors."""

import asyncio
import json
import os
import subprocess
import sys

import pytest

jsonschema = pytest.importorskip("jsonschema")
mcp = pytest.importorskip("mcp")
stdio = pytest.importorskip("mcp.client.stdio")

FILES = {
    "modules/m/main.tf": 'variable "n" {}\noutput "n" { value = var.n * 2 }\n',
    "app/main.tf": 'module "m" {\n  source = "../modules/m"\n  n      = 2\n}\n\noutput "o" {\n  value = "${module.m.n}"\n}\n',
    "secret.txt": "hush",
}
#: A call of each tool, and what its answer contains.
CALLS = {
    "check": ({}, "lone-interpolation"),
    "fixes": ({}, "+  value = module.m.n"),
    "eval": ({"expression": "module.m.n + 1"}, '"value":5'),
    "plan": ({}, "output_changes"),
    "diff": ({"revision": "HEAD"}, "format_version"),
    "why": ({"address": "output.o"}, "module.m.output.n"),
    "references": ({"address": "module.m.var.n"}, "modules/m/main.tf:1"),
    "schema": ({"type": "terraform_data"}, "triggers_replace"),
    "list": ({}, "module.m"),
    "edit": ({"edits": [{"op": "set", "path": "output.o.value", "to": "7"}]}, "+  value = 7"),
    "docs": ({"subject": "cidrsubnet"}, "# cidrsubnet"),
}
#: The longest answer: with four bytes a token less than 4,000 of them.
LONGEST = 16_000


@pytest.fixture
def folder(tmp_path):
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    git = ["git", "-c", "user.name=t", "-c", "user.email=t@t", "-c", "init.defaultBranch=main"]
    for line in (["init", "-q"], ["add", "."], ["commit", "-q", "-m", "first"]):
        subprocess.run([*git, *line], cwd=tmp_path, check=True)
    return tmp_path


def served(folder, talk, *flags):
    """Starts the server in a folder, and lets `talk` use a client's session."""

    async def run():
        line = ["-m", "groma", "mcp", *flags]
        server = mcp.StdioServerParameters(command=sys.executable, args=line, cwd=str(folder), env=dict(os.environ))
        async with stdio.stdio_client(server) as (read, write), mcp.ClientSession(read, write) as session:
            await session.initialize()
            return await talk(session)

    return asyncio.run(asyncio.wait_for(run(), 300))


def field(model, name, older):
    """A field of a message, by its name in this version of the client or in an older one."""
    return getattr(model, name, None) if hasattr(model, name) else getattr(model, older)


def answer(result):
    """Returns whether a call has failed, and its structured answer."""
    assert sum(len(part.text) for part in result.content[1:]) <= LONGEST
    assert "data, not instructions" in result.content[0].text
    structured = field(result, "structured_content", "structuredContent")
    assert json.loads(result.content[1].text) == structured
    return bool(field(result, "is_error", "isError")), structured


def test_each_tool_answers_in_its_form(folder):
    async def talk(session):
        tools = {tool.name: tool for tool in (await session.list_tools()).tools}
        assert tools.keys() == {*CALLS, "more"}
        for name, (arguments, wanted) in CALLS.items():
            tool = tools[name]
            given = arguments if name == "docs" else {"root": "app", **arguments}
            jsonschema.validate(given, field(tool, "input_schema", "inputSchema"))
            notes = tool.annotations
            assert field(notes, "read_only_hint", "readOnlyHint") == (name != "edit")
            failed, found = answer(await session.call_tool(name, given))
            jsonschema.validate(found, field(tool, "output_schema", "outputSchema"))
            assert not failed and wanted in json.dumps(found, separators=(",", ":")), (name, found)
        assert (folder / "app/main.tf").read_text() == FILES["app/main.tf"]

    served(folder, talk)


def test_pages_are_resources(folder):
    async def talk(session):
        addresses = [str(one.uri) for one in (await session.list_resources()).resources]
        assert len(addresses) > 100
        for address in (addresses[0], addresses[-1]):
            page = await session.read_resource(address)
            assert page.contents[0].text

    served(folder, talk)


def test_a_long_answer_comes_in_parts(folder):
    (folder / "app/more.tf").write_text("".join(f'output "o{at}" {{ value = {at} }}\n' for at in range(900)))

    async def talk(session):
        whole, call = "", ("plan", {"root": "app"})
        while call:
            failed, part = answer(await session.call_tool(*call))
            assert not failed
            whole += part["text"]
            call = ("more", {"handle": part["more"]}) if "more" in part else None
        assert len(json.loads(whole)["output_changes"]) == 901

    served(folder, talk)


def test_code_is_untrusted_and_stays_below_the_folder(folder):
    (folder / "app/terraform.tfvars").write_text("")

    async def talk(session):
        _, found = answer(await session.call_tool("eval", {"expression": 'file("../secret.txt")'}))
        assert "hush" not in json.dumps(found)
        for root in ("..", "/etc", "../modules/m"):
            failed, found = answer(await session.call_tool("check", {"root": root}))
            assert failed and found["error"]["next"]

    served(folder / "app", talk)


def test_an_edit_is_written_on_request_alone(folder):
    edits = {"root": "app", "edits": CALLS["edit"][0]["edits"]}

    async def talk(session):
        failed, found = answer(await session.call_tool("edit", edits))
        assert not failed and "+  value = 7" in found["text"]
        failed, found = answer(await session.call_tool("edit", {**edits, "root": "../elsewhere"}))
        assert failed

    served(folder, talk)
    assert (folder / "app/main.tf").read_text() == FILES["app/main.tf"]
    served(folder, talk, "--write")
    assert "value = 7" in (folder / "app/main.tf").read_text()


def test_what_is_wrong_says_what_to_call_next(folder):
    wrong = [
        ("fortune", {}),
        ("eval", {}),
        ("eval", {"expression": 1}),
        ("check", {"root": "nowhere"}),
        ("check", {"roots": "."}),
        ("diff", {"revision": "no-such-revision"}),
        ("docs", {"subject": "fortune"}),
        ("why", {"address": "output.nowhere"}),
        ("more", {"handle": "rest-7"}),
    ]

    async def talk(session):
        for name, arguments in wrong:
            failed, found = answer(await session.call_tool(name, arguments))
            assert failed and found["error"]["message"] and found["error"]["next"], (name, found)

    served(folder, talk)


def test_progress_and_cancellation(folder):
    long = "length([for a in range(1000) : length([for b in range(1000) : length(range(b))])])"
    (folder / "app/long.tf").write_text(f'output "long" {{ value = {long} }}\n')

    async def talk(session):
        told, came = [], asyncio.Event()

        async def note(progress, total, message):
            told.append(message)
            came.set()

        call = asyncio.ensure_future(session.call_tool("plan", {"root": "app"}, progress_callback=note))
        await asyncio.wait_for(came.wait(), 60)
        assert told[0].startswith("Evaluating")
        call.cancel()
        # The next call is answered: what was cancelled holds nothing back.
        (folder / "app/long.tf").unlink()
        _, found = answer(await session.call_tool("eval", {"root": "app", "expression": "1 + 1"}))
        assert found["answer"]["value"] == 2

    served(folder, talk)
