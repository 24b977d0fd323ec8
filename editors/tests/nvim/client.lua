-- The server as Neovim's own client sees it (0.7 and later): what that client can ask is asked by the commands that keys are bound to, and
-- what it shows is read. usage: GROMA=PROGRAM nvim --headless -u NONE -n -i NONE +"luafile client.lua", in a copy of the module.

local groma = assert(vim.env.GROMA, "GROMA names the program")
local folder = vim.fn.getcwd()
local test = dofile(vim.fn.fnamemodify(debug.getinfo(1, "S").source:sub(2), ":h") .. "/checks.lua")
local check, wait, lines, cursor = test.check, test.wait, test.lines, test.cursor

local function ask(method, params)
  local answers = vim.lsp.buf_request_sync(0, method, params or vim.lsp.util.make_position_params(0, "utf-16"), 20000)
  for _, answer in pairs(answers or {}) do
    check(method, answer.error == nil, answer.error)
    return answer.result
  end
  check(method .. " is answered", false)
end

local function run()
  vim.cmd("edit main.tf")
  vim.bo.filetype = "terraform"
  local client = vim.lsp.start_client({
    name = "groma",
    cmd = { groma, "lsp", "--stdio" },
    root_dir = folder,
    settings = { groma = {} },
    workspace_folders = { { uri = vim.uri_from_fname(folder), name = "module" } },
  })
  assert(client, "the server starts")
  vim.lsp.buf_attach_client(0, client)
  wait("the server answers initialize", function()
    return vim.lsp.buf_get_clients(0)[client] and vim.lsp.get_client_by_id(client).initialized
  end)

  wait("findings are shown", function()
    return #vim.diagnostic.get(0) > 0
  end)
  local finding = vim.diagnostic.get(0)[1]
  check("a finding says its code", finding.source == "groma" and finding.message:find("Interpolation") ~= nil, finding)

  cursor("local.upper[0]", 7)
  local hover = ask("textDocument/hover")
  local text = vim.inspect(hover.contents)
  check("a hover shows the value", text:find("É", 1, true) ~= nil, hover)

  cursor("local.first", 7)
  vim.lsp.buf.definition()
  wait("definition leads to the local value", function()
    return vim.api.nvim_get_current_line():find("^%s*first = ") ~= nil
  end)

  cursor("= local.first", 9)
  local references = ask("textDocument/references", vim.tbl_extend("force", vim.lsp.util.make_position_params(0, "utf-16"), { context = { includeDeclaration = true } }))
  check("references", #references == 2, references)
  check("highlights", #ask("textDocument/documentHighlight") == 2)

  local symbols = ask("textDocument/documentSymbol", { textDocument = vim.lsp.util.make_text_document_params() })
  check("symbols", symbols[1].name == "var.names", symbols[1])
  check("workspace symbols", #ask("workspace/symbol", { query = "output.name" }) == 2)
  check("folding", #ask("textDocument/foldingRange", { textDocument = vim.lsp.util.make_text_document_params() }) >= 5)

  cursor("upper(name)", 6)
  check("signature help", ask("textDocument/signatureHelp").signatures[1].label:find("upper(", 1, true) == 1)

  vim.bo.omnifunc = "v:lua.vim.lsp.omnifunc"
  cursor("local.upper[0]", 6)
  local items = ask("textDocument/completion")
  local words = vim.tbl_map(function(item) return item.label end, items.items or items)
  check("completion", vim.tbl_contains(words, "upper"), words)

  local lenses = ask("textDocument/codeLens", { textDocument = vim.lsp.util.make_text_document_params() })
  check("code lenses", vim.inspect(lenses):find("2 instances", 1, true) ~= nil, lenses)

  cursor("local.first", 7)
  vim.lsp.buf.rename("primary")
  wait("a rename is made in the buffer", function()
    return test.text():find("name   = local.primary", 1, true) ~= nil
  end)
  check("the declaration is renamed", test.text():find("  primary = local.upper[0]", 1, true) ~= nil, lines())

  cursor("${module.net.name}", 2)
  local place = vim.lsp.util.make_range_params(0, "utf-16")
  place.context = { diagnostics = {} }
  -- The findings that some of them belong to are worked out first.
  wait("code actions", function()
    return #ask("textDocument/codeAction", place) > 0
  end)

  vim.api.nvim_buf_set_lines(0, -1, -1, false, { "", "locals {", "a=1", "long = 2", "}" })
  if vim.lsp.buf.format then
    vim.lsp.buf.format({ timeout_ms = 20000 })
  else
    vim.lsp.buf.formatting_sync({}, 20000)
  end
  check("formatting", test.text():find("  a    = 1\n  long = 2", 1, true) ~= nil, lines())

  local answer = ask("groma/eval", { textDocument = vim.lsp.util.make_text_document_params(), expression = "length(local.upper)" })
  check("groma/eval", answer.value == 2, answer)

  cursor("primary = local.upper", 0)
  vim.api.nvim_buf_set_text(0, vim.fn.line(".") - 1, 0, vim.fn.line(".") - 1, #vim.api.nvim_get_current_line(), { '  primary = upper("x")' })
  answer = ask("groma/eval", { textDocument = vim.lsp.util.make_text_document_params(), expression = "local.primary" })
  check("an edit is seen", answer.value == "X", answer)

  vim.lsp.stop_client(client)
  wait("the server ends", function()
    return vim.lsp.client_is_stopped(client)
  end)
end

test.run("neovim", run)
