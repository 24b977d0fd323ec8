"""Every request that the server announces has a test, which the table of docs/reference/editor-requests.md names."""

import pathlib
import re

import attrs

HERE = pathlib.Path(__file__).parent
PAGE = HERE.parent.parent / "docs/reference/editor-requests.md"

# The requests that each capability stands for.
REQUESTS = {
    "hover_provider": ["textDocument/hover"],
    "definition_provider": ["textDocument/definition"],
    "declaration_provider": ["textDocument/declaration"],
    "type_definition_provider": ["textDocument/typeDefinition"],
    "implementation_provider": ["textDocument/implementation"],
    "references_provider": ["textDocument/references"],
    "document_highlight_provider": ["textDocument/documentHighlight"],
    "document_symbol_provider": ["textDocument/documentSymbol"],
    "workspace_symbol_provider": ["workspace/symbol"],
    "folding_range_provider": ["textDocument/foldingRange"],
    "document_formatting_provider": ["textDocument/formatting"],
    "document_range_formatting_provider": ["textDocument/rangeFormatting"],
    "document_on_type_formatting_provider": ["textDocument/onTypeFormatting"],
    "rename_provider": ["textDocument/prepareRename", "textDocument/rename"],
    "diagnostic_provider": ["textDocument/diagnostic", "workspace/diagnostic"],
    "document_link_provider": ["textDocument/documentLink"],
    "selection_range_provider": ["textDocument/selectionRange"],
    "linked_editing_range_provider": ["textDocument/linkedEditingRange"],
    "inlay_hint_provider": ["textDocument/inlayHint", "inlayHint/resolve"],
    "code_lens_provider": ["textDocument/codeLens", "codeLens/resolve"],
    "completion_provider": ["textDocument/completion", "completionItem/resolve"],
    "signature_help_provider": ["textDocument/signatureHelp"],
    "code_action_provider": ["textDocument/codeAction", "codeAction/resolve"],
    "execute_command_provider": ["workspace/executeCommand"],
    "semantic_tokens_provider": [
        "textDocument/semanticTokens/full", "textDocument/semanticTokens/full/delta", "textDocument/semanticTokens/range",
    ],
}

# Capabilities that stand for no request.
OTHERS = {"position_encoding", "text_document_sync", "workspace", "experimental"}


def functions():
    """The texts of the tests by name, with those of the helpers that they call."""
    found = {}
    for path in HERE.glob("*.py"):
        for part in re.split(r"\n(?=(?:async )?def )", path.read_text()):
            name = re.match(r"(?:async )?def (\w+)", part)
            if name:
                found[name[1]] = part
    whole = {}
    for name, text in found.items():
        seen, waiting = {name}, [text]
        while waiting:
            one = waiting.pop()
            called = [other for other in found if other not in seen and f"{other}(" in one]
            seen.update(called)
            waiting += [found[other] for other in called]
        whole[name] = "\n".join(found[other] for other in sorted(seen))
    return whole


def called(method):
    """The name under which the client asks."""
    words = re.sub(r"([a-z])([A-Z])", r"\1_\2", method).replace("/", "_").lower()
    return f'"{method}"' if method.startswith("groma/") else f"{words}_async("


async def test_every_request_is_tested(client):
    tested = {}
    for methods, names in re.findall(r"^\| (`[^|]+) \| (`test_[^|]+) \|$", PAGE.read_text(), re.MULTILINE):
        for method in re.findall(r"`([^`]+)`", methods):
            tested[method] = re.findall(r"`(test_\w+)`", names)
    known = functions()
    for method, names in tested.items():
        for name in names:
            assert name in known, f"there is no test {name}"
            assert called(method) in known[name], f"{name} does not ask {method}"
    for name in sorted(attrs.fields_dict(type(client.announced))):
        if name in OTHERS or getattr(client.announced, name) in (None, False):
            continue
        assert name in REQUESTS, f"{name} is announced and stands for no request here"
        missing = [method for method in REQUESTS[name] if method not in tested]
        assert not missing, f"no test is named for {missing}"
    operations = client.announced.workspace.file_operations
    assert not operations.will_rename or "workspace/willRenameFiles" in tested
    assert {"groma/eval", "groma/why", "groma/plan"} <= set(tested)
