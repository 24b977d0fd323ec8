"""Names in a test file: they lead to the module that the run around them tests, or to the file's own runs."""

import pytest
from lsprotocol import types
from session import changed, completed, document, name_of, place, settled, write

NAME = "tests/first.tftest.hcl"
TEST = """variables {
  names = ["a"]
}

run "first" {
  assert {
    condition     = output.name == "net-A" && local.first == "A"
    error_message = "It is ${output.name}."
  }
}

run "net" {
  module {
    source = "./net"
  }

  variables {
    name = run.first.name
  }

  assert {
    condition     = output.name == "net-${var.name}"
    error_message = "No."
  }
}
"""


@pytest.fixture
async def opened(client):
    await write(client, NAME, TEST, "terraform-test")
    await settled(client)
    return client


def at(client, line, text, after=1):
    return place(client, line, text, NAME, after)


async def leads(client, position):
    """The file and the line that a name is defined in."""
    found = await client.text_document_definition_async(
        types.DefinitionParams(text_document=document(client, NAME), position=position)
    )
    first = found[0] if isinstance(found, list) else found
    target = getattr(first, "target_selection_range", None) or first.range
    return name_of(client, getattr(first, "target_uri", None) or first.uri), target.start.line


async def named(client, position, name=NAME):
    """The files that name a declaration, one for each place."""
    found = await client.text_document_references_async(
        types.ReferenceParams(
            context=types.ReferenceContext(include_declaration=True),
            text_document=document(client, name),
            position=position,
        )
    )
    return sorted(name_of(client, one.uri) for one in found)


async def renamed(client, position, name):
    """The texts of files after a rename, by their names."""
    params = types.RenameParams(
        text_document=document(client, NAME), position=position, new_name=name
    )
    return changed(client, await client.text_document_rename_async(params))


async def test_definitions_from_a_test_file(opened):
    assert await leads(opened, at(opened, 1, "names")) == ("main.tf", 0)
    assert await leads(opened, at(opened, 6, "output.name", 8)) == ("main.tf", 20)
    assert await leads(opened, at(opened, 6, "local.first", 7)) == ("main.tf", 7)
    assert await leads(opened, at(opened, 17, "run.first", 5)) == (NAME, 4)
    assert await leads(opened, at(opened, 17, "run.first.name", 11)) == ("main.tf", 20)
    # A run may test another module than the file does.
    assert await leads(opened, at(opened, 17, "name")) == ("net/main.tf", 0)
    assert await leads(opened, at(opened, 21, "output.name", 8)) == ("net/main.tf", 4)
    assert await leads(opened, at(opened, 21, "var.name", 5)) == ("net/main.tf", 0)


async def test_hover_in_a_test_file(opened):
    hover = await opened.text_document_hover_async(
        types.HoverParams(
            text_document=document(opened, NAME), position=at(opened, 6, "local.first", 7)
        )
    )
    assert '"É"' in hover.contents.value and "local.first" in hover.contents.value


async def test_completion_in_a_test_file(opened):
    assert list(await completed(opened, NAME, at(opened, 6, "output.name", 7))) == ["name"]
    assert {"first", "net"} <= set(await completed(opened, NAME, at(opened, 17, "run.first", 4)))
    assert list(await completed(opened, NAME, at(opened, 17, "run.first.name", 10))) == ["name"]
    assert list(await completed(opened, NAME, at(opened, 21, "var.name", 4))) == ["name"]
    assert "name" in await completed(opened, NAME, at(opened, 17, "name", 0))


async def test_references_from_a_test_file(opened):
    first = at(opened, 6, "local.first", 7)
    assert await named(opened, first) == ["main.tf", "main.tf", NAME]
    # The answer is the same from the module's side.
    assert await named(opened, place(opened, 7, "first"), "main.tf") == ["main.tf", "main.tf", NAME]
    assert await named(opened, at(opened, 4, "first")) == [NAME, NAME]


async def test_rename_from_a_test_file(opened):
    first = at(opened, 6, "local.first", 7)
    texts = await renamed(opened, first, "start")
    assert set(texts) == {"main.tf", NAME}
    assert "local.start == " in texts[NAME] and "  start = local.upper[0]" in texts["main.tf"]
    run = at(opened, 4, "first")
    texts = await renamed(opened, run, "begin")
    assert set(texts) == {NAME}
    assert 'run "begin" {' in texts[NAME] and "name = run.begin.name" in texts[NAME]
