"""Code actions on modules in native and in JSON syntax, and on Packer templates: what each one makes of the texts."""

import json

from lsprotocol import types
from session import actions, checked, document, made, settled, write

STATE = {
    "version": 4, "terraform_version": "1.9.0", "serial": 1, "lineage": "x", "outputs": {},
    "resources": [{
        "mode": "managed", "type": "terraform_data", "name": "old",
        "provider": 'provider["terraform.io/builtin/terraform"]',
        "instances": [{"schema_version": 0, "attributes": {"id": "1", "input": None, "output": None, "triggers_replace": None}}],
    }],
}

INSTALLED = {"Modules": [{"Key": "vpc", "Source": "registry.terraform.io/x/vpc/aws", "Version": "5.1.0", "Dir": ".terraform/modules/vpc"}]}


async def value(client, name, expression):
    params = {"textDocument": {"uri": document(client, name).uri}, "expression": expression}
    return await client.protocol.send_request_async("groma/eval", params)


async def test_what_is_missing_is_declared(client):
    at = await write(client, "app/main.tf", "locals {\n  a = var.mis¦sing\n}\n")
    files = await made(client, "Declare the variable missing", "app/main.tf", at)
    assert 'variable "missing" {\n  type = string\n}' in files["app/main.tf"]
    at = await write(client, "b/main.tf", "locals {\n  a = local.oth¦er\n}\n")
    files = await made(client, "Declare the local value other", "b/main.tf", at)
    assert "other = null" in files["b/main.tf"]
    at = await write(client, "c/main.tf", 'module "net" {\n  source = "../net"\n}\n\nlocals {\n  a = module.net.go¦ne\n}\n')
    files = await made(client, "Declare the output gone", "c/main.tf", at)
    assert 'output "gone"' in files["net/main.tf"]
    at = types.Position(0, 3)
    files = await made(client, "Add the arguments", "c/main.tf", at)
    assert 'name   = ""' in files["c/main.tf"]


async def test_a_local_value_goes_in_place_of_its_name_and_comes_back(client):
    text = "locals {\n  si¦ze  = 1 + 2\n  twice = local.size * 2\n}\n"
    at = await write(client, "app/main.tf", text)
    files = await made(client, "Put the value of local.size", "app/main.tf", at)
    assert "twice = (1 + 2) * 2" in files["app/main.tf"] and "size" not in files["app/main.tf"]
    start = await write(client, "b/main.tf", "locals {\n  a = upper(¦\"x\")\n}\n")
    end = types.Position(start.line, start.character + 3)
    files = await made(client, "Give the expression a name", "b/main.tf", start, end)
    assert "upper(local.extracted)" in files["b/main.tf"] and 'extracted = "x"' in files["b/main.tf"]


async def test_blocks_move_into_a_module(client):
    text = 'locals {\n  size = 3\n}\n\nresource "terraform_data" "a" {\n  input = local.size\n}\n\noutput "id" {\n  value = terraform_data.a.id\n}\n'
    await write(client, "app/main.tf", text)
    await value(client, "app/main.tf", "local.size")
    start, end = types.Position(4, 0), types.Position(6, 1)
    files = await made(client, "Move the blocks into a module", "app/main.tf", start, end)
    main = files["app/main.tf"]
    assert 'module "extracted" {\n  source = "./modules/extracted"' in main and "size = local.size" in main
    assert "moved {\n  from = terraform_data.a\n  to   = module.extracted.terraform_data.a\n}" in main
    assert "value = module.extracted.a.id" in main
    assert "input = var.size" in files["app/modules/extracted/main.tf"]
    assert 'variable "size"' in files["app/modules/extracted/variables.tf"]
    assert "value = terraform_data.a" in files["app/modules/extracted/outputs.tf"]


async def test_counted_instances_get_keys(client):
    text = 'locals {\n  names = ["b", "a"]\n}\n\nresource "terraform_data" "it" {\n  count = length(local.names)\n  input = local.names[count.index]\n}\n\noutput "first" {\n  value = terraform_data.it[0].id\n}\n'
    await write(client, "app/main.tf", text)
    await value(client, "app/main.tf", "terraform_data.it")
    files = await made(client, "Give the instances of terraform_data.it keys", "app/main.tf", types.Position(4, 28))
    main = files["app/main.tf"]
    assert "for_each = toset(local.names)" in main and "input = each.value" in main
    assert 'from = terraform_data.it[0]\n  to   = terraform_data.it["b"]' in main
    assert 'value = terraform_data.it["b"].id' in main


async def test_a_version_is_pinned_a_mock_written_and_a_move_said(client):
    for name, content in [("app/.terraform/modules/modules.json", INSTALLED), ("app/terraform.tfstate", STATE)]:
        path = client.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(content))
    (client.folder / "app/.terraform/modules/vpc").mkdir()
    (client.folder / "app/.terraform/modules/vpc/main.tf").write_text("")
    text = 'module "vpc" {\n  source = "x/vpc/aws"\n}\n\nresource "terraform_data" "new" {}\n\ndata "acme_zone" "z" {}\n\noutput "o" {\n  value = data.acme_zone.z.id\n}\n'
    await write(client, "app/main.tf", text)
    await value(client, "app/main.tf", "1")
    files = await made(client, "Pin the module to version 5.1.0", "app/main.tf", types.Position(0, 8))
    assert 'version = "5.1.0"' in files["app/main.tf"]
    files = await made(client, "Say that terraform_data.old is now terraform_data.new", "app/main.tf", types.Position(4, 28))
    assert "moved {\n  from = terraform_data.old\n  to   = terraform_data.new\n}" in files["app/main.tf"]
    await value(client, "app/main.tf", "data.acme_zone.z")
    files = await made(client, "Write a mock for data.acme_zone.z", "app/main.tf", types.Position(6, 18))
    assert "override_data" in files["app/groma.mock.hcl"]


async def test_every_fix_and_the_layout_of_a_file(client):
    await settled(client)
    await checked(client)
    start, end = types.Position(0, 0), types.Position(22, 1)
    files = await made(client, "Make every change", "main.tf", start, end, ["source.fixAll.groma"])
    assert "value = module.net.name\n" in files["main.tf"]
    await write(client, "app/main.tf", "locals {\n  a=1\n}\n")
    files = await made(client, "Format", "app/main.tf", start, only=["source.formatAll.groma"])
    assert files["app/main.tf"] == "locals {\n  a = 1\n}\n"


async def test_actions_in_json(client):
    texts = {
        "variable": ("Declare the variable missing", '{"locals": {"a": "${var.mis¦sing}"}}', '"variable"'),
        "local": ("Declare the local value other", '{"locals": {"a": "${local.oth¦er}"}}', '"other": null'),
        "arguments": ("Add the arguments", '{"module": {"net": {"source": "../net"¦}}}', '"name": ""'),
    }
    for name, (title, text, part) in texts.items():
        file = f"{name}/main.tf.json"
        at = await write(client, file, text)
        files = await made(client, title, file, at)
        assert part in files[file], files[file]
        json.loads(files[file])


async def test_actions_in_a_template(client):
    file = "box/box.pkr.hcl"
    at = await write(client, file, 'locals {\n  a = "${var.no¦ne} x"\n}\n', "packer")
    files = await made(client, "Declare the variable none", file, at)
    assert 'variable "none" {' in files[file]
    start, end = types.Position(1, 6), types.Position(1, 21)
    files = await made(client, "Give the expression a name", file, start, end)
    assert "a         = local.extracted" in files[file]
    offered = [one.title for one in await actions(client, file, start)]
    assert not any("module" in title or "mock" in title for title in offered), offered
