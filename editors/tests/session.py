"""What tests of the server ask in a session: places, documents, actions and their texts."""

import pathlib
import urllib.parse

from lsprotocol import types


def document(client, name="main.tf"):
    return types.TextDocumentIdentifier(uri=(client.folder / name).as_uri())


def place(client, line, text, name="main.tf", after=0):
    """The position of a text in a line; columns are ASCII up to there."""
    lines = (client.folder / name).read_text().splitlines()
    return types.Position(line=line, character=lines[line].index(text) + after)


def whole(client, name="main.tf"):
    lines = (client.folder / name).read_text().splitlines()
    return types.Range(types.Position(0, 0), types.Position(len(lines), 0))


async def settled(client):
    """Waits until the root was evaluated: a question of Groma's own waits for values."""
    params = {"textDocument": {"uri": document(client).uri}, "expression": "local.first"}
    return await client.protocol.send_request_async("groma/eval", params)


async def write(client, name, text, language="terraform"):
    """Writes a file of the module and opens it; a mark `¦` is taken out. Returns the position of the mark."""
    marked, text = text, text.replace("¦", "")
    path = client.folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    item = types.TextDocumentItem(uri=path.as_uri(), language_id=language, version=1, text=text)
    client.text_document_did_open(types.DidOpenTextDocumentParams(text_document=item))
    before = marked.split("¦")[0].split("\n")
    # The tests' marks have nothing but ASCII before them in their line.
    return types.Position(len(before) - 1, len(before[-1]))


async def checked(client, name="main.tf"):
    """The findings of a document, as it is pulled."""
    return await client.text_document_diagnostic_async(
        types.DocumentDiagnosticParams(text_document=document(client, name))
    )


async def completed(client, name, at):
    """The labels that are offered at a position, with their details."""
    found = await client.text_document_completion_async(
        types.CompletionParams(text_document=document(client, name), position=at)
    )
    items = found.items if hasattr(found, "items") else found
    return {item.label: item.detail for item in items or []}


async def actions(client, name, start, end=None, only=None):
    """The actions that are offered for a range."""
    return await client.text_document_code_action_async(
        types.CodeActionParams(
            text_document=document(client, name),
            range=types.Range(start, end or start),
            context=types.CodeActionContext(diagnostics=[], only=only),
        )
    )


async def made(client, title, name, start, end=None, only=None):
    """The texts of files after an action, by their names; the files on the disk stay as they are."""
    found = await actions(client, name, start, end, only)
    action = next((one for one in found if one.title.startswith(title)), None)
    assert action is not None, [one.title for one in found]
    if isinstance(action, types.CodeAction):
        if action.edit is None:
            action = await client.code_action_resolve_async(action)
        return changed(client, action.edit)
    edits = []
    client.applied = edits.append
    await client.workspace_execute_command_async(
        types.ExecuteCommandParams(command=action.command, arguments=action.arguments)
    )
    return changed(client, edits[0])


def changed(client, edit):
    """The texts of files after an edit, by their names in the module."""
    files = {}
    for change in edit.document_changes or []:
        if isinstance(change, types.CreateFile):
            files[name_of(client, change.uri)] = ""
        elif isinstance(change, types.TextDocumentEdit):
            apply(client, files, change.text_document.uri, change.edits)
    for uri, edits in (edit.changes or {}).items():
        apply(client, files, uri, edits)
    return files


def name_of(client, uri):
    path = pathlib.Path(urllib.parse.unquote(urllib.parse.urlparse(uri).path))
    return str(path.relative_to(client.folder))


def apply(client, files, uri, edits):
    name = name_of(client, uri)
    text = files.get(name)
    if text is None:
        path = client.folder / name
        text = path.read_text() if path.exists() else ""
    lines = text.split("\n")

    def offset(at):
        return sum(len(line) + 1 for line in lines[: at.line]) + at.character

    for one in sorted(edits, key=lambda one: (one.range.start.line, one.range.start.character), reverse=True):
        text = text[: offset(one.range.start)] + one.new_text + text[offset(one.range.end) :]
    files[name] = text
