"""What a client asks while somebody types: completion wherever code stands, signatures, tokens, linked markers and findings."""

from lsprotocol import types
from session import checked, completed, document, place, settled, write


async def test_completion_in_strings_templates_heredocs_and_json(client):
    await settled(client)
    texts = {
        "app/string.tf": 'locals {\n  size = 3\n  a    = "x-${local.¦}"\n}\n',
        "app/heredoc.tf": "locals {\n  b = <<-EOT\n    ${local.¦}\n  EOT\n}\n",
        "app/directive.tf": 'locals {\n  c = "%{ if local.¦ }y%{ endif }"\n}\n',
        "app/json.tf.json": '{"locals": {"d": "${local.¦}"}}',
    }
    for name, text in texts.items():
        at = await write(client, name, text)
        labels = await completed(client, name, at)
        assert any("size" in label for label in labels), (name, labels)
    # A template knows the arguments of its callers.
    await write(client, "app/call.tf", 'locals {\n  t = templatefile("${path.module}/t.tftpl", { owner = "me" })\n}\n')
    at = await write(client, "app/t.tftpl", "I am ${ow¦}\n", "terraform-template")
    labels = await completed(client, "app/t.tftpl", at)
    assert "owner" in labels, labels
    # Blocks, arguments with values, and names of variable files.
    at = await write(client, "app/blocks.tf", "reso¦\n")
    assert "resource" in await completed(client, "app/blocks.tf", at)
    at = await write(client, "app/module.tf", 'module "m" {\n  source = "../net"\n  na¦\n}\n')
    assert "name" in await completed(client, "app/module.tf", at)
    at = await write(client, "app/path.tf", 'module "p" {\n  source = "../n¦"\n}\n')
    assert any("net" in label for label in await completed(client, "app/path.tf", at))
    at = await write(client, "net/terraform.tfvars", "na¦\n")
    assert "name" in await completed(client, "net/terraform.tfvars", at)


async def test_details_have_values(client):
    await settled(client)
    at = place(client, 7, "local.", after=6)
    labels = await completed(client, "main.tf", at)
    detail = next(detail for label, detail in labels.items() if "upper" in label)
    assert "É" in detail, labels


async def test_the_signature_follows_the_argument(client):
    at = await write(client, "app/main.tf", 'locals {\n  a = join("-", ¦["b"])\n}\n')
    shown = await client.text_document_signature_help_async(
        types.SignatureHelpParams(text_document=document(client, "app/main.tf"), position=at)
    )
    active = shown.signatures[0].active_parameter
    assert shown.signatures[0].label.startswith("join(")
    assert (shown.active_parameter if active is None else active) == 1


async def test_markers_of_a_heredoc_are_linked(client):
    at = await write(client, "app/main.tf", "locals {\n  a = <<-E¦OT\n    x\n  EOT\n}\n")
    linked = await client.text_document_linked_editing_range_async(
        types.LinkedEditingRangeParams(text_document=document(client, "app/main.tf"), position=at)
    )
    assert [one.start for one in linked.ranges] == [types.Position(1, 9), types.Position(3, 2)]


async def test_tokens_after_a_change_are_those_of_the_new_text(client):
    await write(client, "app/main.tf", "locals {\n  a = 1\n}\n")
    about = document(client, "app/main.tf")
    params = types.SemanticTokensParams(text_document=about)
    before = await client.text_document_semantic_tokens_full_async(params)
    client.text_document_did_change(
        types.DidChangeTextDocumentParams(
            text_document=types.VersionedTextDocumentIdentifier(uri=about.uri, version=2),
            content_changes=[
                types.TextDocumentContentChangePartial(
                    range=types.Range(types.Position(2, 0), types.Position(2, 0)), text="  b = local.a\n"
                )
            ],
        )
    )
    delta = await client.text_document_semantic_tokens_full_delta_async(
        types.SemanticTokensDeltaParams(text_document=about, previous_result_id=before.result_id)
    )
    data = list(before.data)
    assert delta.edits
    for edit in sorted(delta.edits, key=lambda edit: edit.start, reverse=True):
        data[edit.start : edit.start + edit.delete_count] = edit.data or []
    after = await client.text_document_semantic_tokens_full_async(params)
    assert data == list(after.data)


async def test_a_type_leads_to_the_variable_and_a_variable_to_its_callers(client):
    await settled(client)

    async def target(asked):
        found = await asked
        first = found[0] if isinstance(found, (list, tuple)) else found
        return getattr(first, "target_uri", None) or first.uri

    argument = types.TypeDefinitionParams(text_document=document(client), position=place(client, 12, "name"))
    assert (await target(client.text_document_type_definition_async(argument))).endswith("/net/main.tf")
    # Callers are those of the chosen root.
    net = (client.folder / "net/main.tf").as_uri()
    await client.workspace_execute_command_async(
        types.ExecuteCommandParams(command="groma.chooseRoot", arguments=[net, client.folder.as_uri()])
    )
    variable = types.ImplementationParams(
        text_document=document(client, "net/main.tf"), position=place(client, 0, "name", "net/main.tf")
    )
    found = await target(client.text_document_implementation_async(variable))
    assert found == document(client).uri, found


async def test_selections_grow_by_nodes(client):
    found = await client.text_document_selection_range_async(
        types.SelectionRangeParams(text_document=document(client), positions=[place(client, 6, "name", after=1)])
    )
    ranges, one = [], found[0]
    while one is not None:
        ranges.append((one.range.start.line, one.range.start.character, one.range.end.line, one.range.end.character))
        one = one.parent
    assert len(ranges) >= 4 and len(set(ranges)) == len(ranges)
    for (a, b, c, d), (e, f, g, h) in zip(ranges, ranges[1:]):
        assert (e, f) <= (a, b) and (c, d) <= (g, h), ranges


async def test_a_hint_says_more_when_it_is_resolved(client):
    await settled(client)
    lines = (client.folder / "main.tf").read_text().splitlines()
    hints = await client.text_document_inlay_hint_async(
        types.InlayHintParams(
            text_document=document(client),
            range=types.Range(types.Position(0, 0), types.Position(len(lines), 0)),
        )
    )
    first = next(hint for hint in hints if hint.position.line == 7)
    resolved = await client.inlay_hint_resolve_async(first)
    tooltip = getattr(resolved.tooltip, "value", resolved.tooltip)
    assert "É" in tooltip, resolved


async def test_findings_of_the_workspace_have_result_ids(client):
    await settled(client)
    await checked(client)
    first = await client.workspace_diagnostic_async(types.WorkspaceDiagnosticParams(previous_result_ids=[]))
    known = [types.PreviousResultId(uri=item.uri, value=item.result_id) for item in first.items]
    assert known and all(one.value for one in known)
    at = await write(client, "net/more.tf", "locals {\n  a = local.¦none\n}\n")
    assert at.line == 1
    again = await client.workspace_diagnostic_async(types.WorkspaceDiagnosticParams(previous_result_ids=known))
    full = [item for item in again.items if item.kind == "full"]
    assert any(item.uri.endswith("/net/more.tf") and item.items for item in full), again


async def test_a_folder_and_a_file_that_are_renamed(client):
    await write(client, "app/main.tf", 'module "net" {\n  source = "../net"\n}\n\nlocals {\n  a = file("${path.module}/a.txt")\n}\n')
    (client.folder / "app/a.txt").write_text("a")
    moves = [types.FileRename(old_uri=(client.folder / "net").as_uri(), new_uri=(client.folder / "lan").as_uri())]
    edit = await client.workspace_will_rename_files_async(types.RenameFilesParams(files=moves))
    described = str(edit)
    assert "./lan" in described and "../lan" in described, described
