"""The server in a session with an independent client, which has opened a small module."""

import os
import pathlib
import shutil

import pytest_lsp
from lsprotocol import types
from pygls.exceptions import FeatureAlreadyRegisteredError
from pytest_lsp import ClientServerConfig, LanguageClient, client_capabilities

MODULE = pathlib.Path(__file__).parent / "module"
GROMA = os.environ.get("GROMA", "groma")


@pytest_lsp.fixture(
    params=["visual_studio_code", "neovim", "emacs"],
    config=ClientServerConfig(server_command=[GROMA, "lsp", "--stdio"]),
)
async def client(lsp_client: LanguageClient, request, tmp_path_factory):
    folder = tmp_path_factory.mktemp("module")
    shutil.copytree(MODULE, folder, dirs_exist_ok=True)
    lsp_client.folder = folder
    # Questions of the server that the library does not answer by itself.
    questions = [f"workspace/{what}/refresh" for what in ["codeLens", "semanticTokens", "inlayHint", "diagnostic"]]
    for question in [*questions, types.CLIENT_REGISTER_CAPABILITY]:
        try:
            lsp_client.feature(question)(lambda *_: None)
        except FeatureAlreadyRegisteredError:
            pass
    lsp_client.set_configuration({"groma": {}})
    params = types.InitializeParams(
        capabilities=client_capabilities(request.param),
        workspace_folders=[types.WorkspaceFolder(uri=folder.as_uri(), name="module")],
        process_id=os.getpid(),
    )
    answer = await lsp_client.initialize_session(params)
    lsp_client.announced = answer.capabilities
    for name in ["main.tf", "net/main.tf"]:
        path = folder / name
        lsp_client.text_document_did_open(
            types.DidOpenTextDocumentParams(
                text_document=types.TextDocumentItem(
                    uri=path.as_uri(), language_id="terraform", version=1, text=path.read_text()
                )
            )
        )
    yield
    await lsp_client.shutdown_session()
