"""The language server as an independent client sees it: pytest-lsp reads each answer by the protocol's own types."""

import pytest
from lsprotocol import types
from session import document, place, settled, whole


async def test_hover(client):
    answer = await settled(client)
    assert answer.value == "É"
    hover = await client.text_document_hover_async(
        types.HoverParams(text_document=document(client), position=place(client, 6, "names", after=1))
    )
    text = hover.contents.value
    assert '[\n  "é",\n  "𝄞",\n]' in text


async def test_ways(client):
    params = dict(text_document=document(client), position=place(client, 12, "first"))
    found = await client.text_document_definition_async(types.DefinitionParams(**params))
    first = found[0] if isinstance(found, list) else found
    target = getattr(first, "target_selection_range", None) or first.range
    assert target.start == types.Position(7, 2)
    assert await client.text_document_declaration_async(types.DeclarationParams(**params))
    argument = dict(text_document=document(client), position=place(client, 12, "name"))
    assert await client.text_document_type_definition_async(types.TypeDefinitionParams(**argument))
    await client.text_document_implementation_async(types.ImplementationParams(**params))
    references = await client.text_document_references_async(
        types.ReferenceParams(context=types.ReferenceContext(include_declaration=True), **params)
    )
    assert len(references) == 2
    highlights = await client.text_document_document_highlight_async(
        types.DocumentHighlightParams(**params)
    )
    assert len(highlights) == 2
    links = await client.text_document_document_link_async(
        types.DocumentLinkParams(text_document=document(client))
    )
    assert links[0].target.endswith("/net/main.tf")


async def test_outline(client):
    symbols = await client.text_document_document_symbol_async(
        types.DocumentSymbolParams(text_document=document(client))
    )
    assert symbols[0].name == "var.names"
    found = await client.workspace_symbol_async(types.WorkspaceSymbolParams(query="output.name"))
    assert len(found) == 2
    folds = await client.text_document_folding_range_async(
        types.FoldingRangeParams(text_document=document(client))
    )
    assert len(folds) >= 5
    ranges = await client.text_document_selection_range_async(
        types.SelectionRangeParams(text_document=document(client), positions=[place(client, 7, "upper")])
    )
    assert ranges[0].parent is not None


async def test_completion(client):
    params = types.CompletionParams(
        text_document=document(client), position=place(client, 7, "local.", after=6)
    )
    found = await client.text_document_completion_async(params)
    items = found.items if hasattr(found, "items") else found
    item = next(one for one in items if "upper" in one.label)
    resolved = await client.completion_item_resolve_async(item)
    assert resolved.label == item.label
    help = await client.text_document_signature_help_async(
        types.SignatureHelpParams(
            text_document=document(client), position=place(client, 6, "upper(", after=6)
        )
    )
    assert help.signatures[0].label.startswith("upper(")


async def test_hints_tokens_and_lenses(client):
    await settled(client)
    hints = await client.text_document_inlay_hint_async(
        types.InlayHintParams(text_document=document(client), range=whole(client))
    )
    assert hints
    await client.inlay_hint_resolve_async(hints[0])
    tokens = await client.text_document_semantic_tokens_full_async(
        types.SemanticTokensParams(text_document=document(client))
    )
    assert len(tokens.data) % 5 == 0 and tokens.data
    delta = await client.text_document_semantic_tokens_full_delta_async(
        types.SemanticTokensDeltaParams(
            text_document=document(client), previous_result_id=tokens.result_id
        )
    )
    assert list(delta.edits) == []
    lenses = await client.text_document_code_lens_async(
        types.CodeLensParams(text_document=document(client))
    )
    assert any("2 instances" in lens.command.title for lens in lenses if lens.command)


async def test_diagnostics(client):
    report = await client.text_document_diagnostic_async(
        types.DocumentDiagnosticParams(text_document=document(client))
    )
    codes = [one.code for one in report.items]
    assert codes, "a text that is only an interpolation is worth a remark"
    again = await client.text_document_diagnostic_async(
        types.DocumentDiagnosticParams(
            text_document=document(client), previous_result_id=report.result_id
        )
    )
    assert again.kind == "unchanged"
    workspace = await client.workspace_diagnostic_async(
        types.WorkspaceDiagnosticParams(previous_result_ids=[])
    )
    assert any(item.uri.endswith("/main.tf") for item in workspace.items)


async def test_changes(client):
    text = (client.folder / "main.tf").read_text()
    site = await client.text_document_prepare_rename_async(
        types.PrepareRenameParams(text_document=document(client), position=place(client, 7, "first"))
    )
    assert site.placeholder == "first"
    edit = await client.text_document_rename_async(
        types.RenameParams(
            text_document=document(client), position=place(client, 7, "first"), new_name="one"
        )
    )
    assert edit.document_changes or edit.changes
    with pytest.raises(Exception, match="."):
        await client.text_document_rename_async(
            types.RenameParams(
                text_document=document(client), position=place(client, 7, "first"), new_name="a b"
            )
        )
    options = types.FormattingOptions(tab_size=2, insert_spaces=True)
    edits = await client.text_document_formatting_async(
        types.DocumentFormattingParams(text_document=document(client), options=options)
    )
    assert list(edits or []) == [] or "${" in text
    await client.text_document_diagnostic_async(
        types.DocumentDiagnosticParams(text_document=document(client))
    )
    actions = await client.text_document_code_action_async(
        types.CodeActionParams(
            text_document=document(client),
            range=types.Range(place(client, 21, "$"), place(client, 21, "$")),
            context=types.CodeActionContext(diagnostics=[]),
        )
    )
    assert actions
    moved = types.FileRename(
        old_uri=(client.folder / "net").as_uri(), new_uri=(client.folder / "network").as_uri()
    )
    edit = await client.workspace_will_rename_files_async(types.RenameFilesParams(files=[moved]))
    assert "./network" in str(edit)
    # Nothing was written by the server.
    assert (client.folder / "main.tf").read_text() == text


async def test_edits(client):
    path = client.folder / "main.tf"
    start = types.Position(7, 10)
    client.text_document_did_change(
        types.DidChangeTextDocumentParams(
            text_document=types.VersionedTextDocumentIdentifier(uri=path.as_uri(), version=2),
            content_changes=[
                types.TextDocumentContentChangePartial(
                    range=types.Range(start, types.Position(7, 24)), text="upper(\"x\")"
                )
            ],
        )
    )
    answer = await settled(client)
    assert answer.value == "X"


async def test_the_rest_of_the_requests(client):
    await settled(client)
    options = types.FormattingOptions(tab_size=2, insert_spaces=True)
    part = await client.text_document_range_formatting_async(
        types.DocumentRangeFormattingParams(text_document=document(client), range=whole(client), options=options)
    )
    assert [edit.new_text for edit in part] == ["module.net.name"]
    brace = types.Position(line=8, character=1)
    typed = await client.text_document_on_type_formatting_async(
        types.DocumentOnTypeFormattingParams(
            text_document=document(client), position=brace, ch="}", options=options
        )
    )
    assert not typed
    tokens = await client.text_document_semantic_tokens_range_async(
        types.SemanticTokensRangeParams(
            text_document=document(client), range=types.Range(types.Position(0, 0), types.Position(4, 0))
        )
    )
    assert tokens.data and len(tokens.data) % 5 == 0
    linked = await client.text_document_linked_editing_range_async(
        types.LinkedEditingRangeParams(text_document=document(client), position=place(client, 7, "first"))
    )
    assert linked is None, "no marker of a heredoc is there"


async def test_actions_and_commands(client):
    await settled(client)
    await client.text_document_diagnostic_async(
        types.DocumentDiagnosticParams(text_document=document(client))
    )
    at = place(client, 21, "$")
    actions = await client.text_document_code_action_async(
        types.CodeActionParams(
            text_document=document(client),
            range=types.Range(at, at),
            context=types.CodeActionContext(diagnostics=[], only=[types.CodeActionKind.QuickFix]),
        )
    )
    action = actions[0]
    if isinstance(action, types.CodeAction) and action.edit is None:
        action = await client.code_action_resolve_async(action)
    if isinstance(action, types.CodeAction):
        assert "module.net.name" in str(action.edit)
    lenses = await client.text_document_code_lens_async(
        types.CodeLensParams(text_document=document(client))
    )
    instances = next(lens for lens in lenses if lens.command and "2 instances" in lens.command.title)
    resolved = await client.code_lens_resolve_async(instances)
    found = await client.workspace_execute_command_async(
        types.ExecuteCommandParams(
            command=resolved.command.command, arguments=resolved.command.arguments
        )
    )
    assert list(found) == ['terraform_data.each["é"]', 'terraform_data.each["𝄞"]']


async def test_questions_of_our_own(client):
    about = {"textDocument": {"uri": document(client).uri}}
    at = place(client, 7, "first")
    position = {"line": at.line, "character": at.character}
    tree = await client.protocol.send_request_async("groma/why", {**about, "position": position})
    assert tree.address == "local.first"
    plan = await client.protocol.send_request_async("groma/plan", about)
    assert len(plan.resource_changes) == 2
    # A Packer template has builds instead.
    path = client.folder / "box" / "box.pkr.hcl"
    path.parent.mkdir()
    text = 'source "null" "a" {\n  communicator = "none"\n}\nbuild {\n  sources = ["null.a"]\n}\n'
    path.write_text(text)
    item = types.TextDocumentItem(uri=path.as_uri(), language_id="packer", version=1, text=text)
    client.text_document_did_open(types.DidOpenTextDocumentParams(text_document=item))
    about = {"textDocument": {"uri": path.as_uri()}}
    plan = await client.protocol.send_request_async("groma/plan", about)
    assert plan.builds[0].builder.type == "null"


async def test_providers_of_a_module(client):
    (client.folder / ".terraform.lock.hcl").write_text(
        'provider "registry.terraform.io/hashicorp/random" {\n  version = "3.6.0"\n}\n'
    )
    path = client.folder / "more.tf"
    text = 'terraform {\n  required_providers {\n    random = {\n      source  = "hashicorp/random"\n      version = "~> 3.6"\n    }\n  }\n}\n'
    item = types.TextDocumentItem(uri=path.as_uri(), language_id="terraform", version=1, text=text)
    client.text_document_did_open(types.DidOpenTextDocumentParams(text_document=item))
    answer = await client.workspace_execute_command_async(
        types.ExecuteCommandParams(command="groma.moduleProviders", arguments=[path.as_uri()])
    )
    described = str(answer)
    assert "~> 3.6" in described and "providers/hashicorp/random" in described, described
    assert "3.6.0" in described, described


async def test_a_hover_has_the_page_of_a_finding(client):
    await settled(client)
    await client.text_document_diagnostic_async(
        types.DocumentDiagnosticParams(text_document=document(client))
    )
    hover = await client.text_document_hover_async(
        types.HoverParams(text_document=document(client), position=place(client, 21, "$"))
    )
    assert "lone-interpolation" in str(hover.contents), hover


async def test_files_of_other_kinds(client):
    """Each has an outline, folds and a layout, whether or not a root reads it."""
    files = {
        "tests/main.tftest.hcl": 'run "a" {\n  command = plan\n}\n',
        "mocks/a.tfmock.hcl": 'mock_resource "a" {\n  defaults = {}\n}\n',
        "a.tfquery.hcl": 'list "a" "b" {\n  limit = 1\n}\n',
        "a.tfcomponent.hcl": 'component "a" {\n  source = "./net"\n}\n',
        "a.tfdeploy.hcl": 'deployment "a" {\n  inputs = {}\n}\n',
        "a.policy.hcl": 'policy "a" {\n  x = 1\n}\n',
        "a.policytest.hcl": 'case "a" {\n  x = 1\n}\n',
        "a.sym.hcl": 'policy "a" {\n  x = 1\n}\n',
        "live/terragrunt.hcl": 'terraform {\n  source = "../net"\n}\n',
        "box/box.pkr.hcl": 'variable "a" {\n  default = 1\n}\n',
        "terraform.tfvars": 'names = [\n  "é",\n]\n',
    }
    options = types.FormattingOptions(tab_size=2, insert_spaces=True)
    for name, text in files.items():
        path = client.folder / name
        path.parent.mkdir(exist_ok=True)
        ugly = text.replace(" = ", "=")
        client.text_document_did_open(
            types.DidOpenTextDocumentParams(
                text_document=types.TextDocumentItem(
                    uri=path.as_uri(), language_id="terraform", version=1, text=ugly
                )
            )
        )
        about = types.TextDocumentIdentifier(uri=path.as_uri())
        symbols = await client.text_document_document_symbol_async(
            types.DocumentSymbolParams(text_document=about)
        )
        assert symbols, name
        folds = await client.text_document_folding_range_async(
            types.FoldingRangeParams(text_document=about)
        )
        assert folds, name
        edits = await client.text_document_formatting_async(
            types.DocumentFormattingParams(text_document=about, options=options)
        )
        assert edits, name
        tokens = await client.text_document_semantic_tokens_full_async(
            types.SemanticTokensParams(text_document=about)
        )
        assert tokens.data, name
        report = await client.text_document_diagnostic_async(
            types.DocumentDiagnosticParams(text_document=about)
        )
        assert not any(one.severity == types.DiagnosticSeverity.Error for one in report.items), report
