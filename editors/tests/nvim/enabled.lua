-- The server as a user of Neovim 0.11 or later has it: by `editors/nvim/lsp/groma.lua` and `vim.lsp.enable`, with what only that client asks:
-- hints, pulled findings, semantic tokens. usage: GROMA=PROGRAM EDITORS=FOLDER nvim --headless -u NONE -n
-- -i NONE +"luafile enabled.lua", in a copy of the module.

local test = dofile(vim.fn.fnamemodify(debug.getinfo(1, "S").source:sub(2), ":h") .. "/checks.lua")
local check, wait, text, cursor = test.check, test.wait, test.text, test.cursor

local function run()
  vim.opt.runtimepath:prepend(assert(vim.env.EDITORS, "EDITORS names the folder of this file's configuration") .. "/nvim")
  vim.cmd("filetype on")
  vim.lsp.config("groma", { cmd = { assert(vim.env.GROMA, "GROMA names the program"), "lsp" } })
  vim.lsp.enable("groma")
  vim.cmd("edit main.tf")
  check("a module's file has the file type of the configuration", vim.bo.filetype == "terraform", vim.bo.filetype)

  local client = wait("the configuration starts the server", function()
    return vim.lsp.get_clients({ bufnr = 0, name = "groma" })[1]
  end)
  if not client then return end
  check("the root is the module's folder", client.root_dir == vim.fn.getcwd(), client.root_dir)

  local findings = wait("findings are shown", function()
    local found = vim.diagnostic.get(0)
    return #found > 0 and found
  end)
  check("a finding says its code", vim.iter(findings or {}):any(function(finding)
    return finding.source == "groma" and finding.code ~= nil
  end), findings)
  check("findings are pulled", client:supports_method("textDocument/diagnostic"))

  vim.lsp.inlay_hint.enable(true)
  local hints = wait("hints are shown", function()
    local shown = vim.lsp.inlay_hint.get({ bufnr = 0 })
    return #shown > 0 and shown
  end)
  local labels = vim.inspect(vim.tbl_map(function(hint) return hint.inlay_hint.label end, hints or {}))
  check("a hint shows a value", labels:find("É", 1, true) ~= nil, labels)

  wait("tokens are coloured", function()
    cursor("local.first", 7)
    local place = vim.api.nvim_win_get_cursor(0)
    return #(vim.lsp.semantic_tokens.get_at_pos(0, place[1] - 1, place[2]) or {}) > 0
  end)

  cursor("local.upper[0]", 7)
  vim.lsp.buf.hover()
  wait("a hover shows the value", function()
    for _, window in ipairs(vim.api.nvim_list_wins()) do
      if vim.api.nvim_win_get_config(window).relative ~= "" then
        local shown = table.concat(vim.api.nvim_buf_get_lines(vim.api.nvim_win_get_buf(window), 0, -1, false), "\n")
        return shown:find("É", 1, true) ~= nil
      end
    end
  end)

  cursor("local.first", 7)
  vim.lsp.buf.rename("primary")
  wait("a rename is made in the buffer", function()
    return text():find("name   = local.primary", 1, true) and text():find("  primary = local.upper[0]", 1, true)
  end)

  vim.api.nvim_buf_set_lines(0, -1, -1, false, { "", "locals {", "a=1", "long = 2", "}" })
  vim.lsp.buf.format({ timeout_ms = 20000 })
  check("formatting", text():find("  a    = 1\n  long = 2", 1, true) ~= nil, text())

  vim.lsp.enable("groma", false)
  wait("the server ends", function()
    return client:is_stopped()
  end)
end

test.run("neovim, enabled", run)
