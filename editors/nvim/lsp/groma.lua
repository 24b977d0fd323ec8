-- Groma's language server for Neovim 0.11 and later: put this file into a folder `lsp` of the runtime path and write
-- `vim.lsp.enable("groma")` in `init.lua`.
return {
  cmd = { "groma", "lsp" },
  filetypes = { "terraform", "terraform-vars", "opentofu", "opentofu-vars", "hcl", "json" },
  -- JSON is opened only where its name says that it is code.
  root_dir = function(buffer, start)
    local name = vim.api.nvim_buf_get_name(buffer)
    if vim.bo[buffer].filetype == "json" and not name:match("%.tf%.json$") and not name:match("%.tofu%.json$")
      and not name:match("%.pkr%.json$") and not name:match("%.tfvars%.json$") then
      return
    end
    start(vim.fs.root(buffer, { "groma.toml", ".git" }) or vim.fs.dirname(name))
  end,
  settings = {
    groma = {
      -- varFiles = { "production.tfvars" },
      -- dialect = "terraform@1.11",
    },
  },
}
