-- What the tests in Neovim share: checks that are counted, waiting, the cursor, and the end of a test. A failed check stops nothing; it is
-- printed at the end, and Neovim then leaves with an error.

local test = {}
local failures, checks = {}, 0

function test.check(what, holds, detail)
  checks = checks + 1
  if not holds then
    table.insert(failures, what .. (detail ~= nil and ": " .. vim.inspect(detail) or ""))
  end
end

-- Waits until something is there, which is checked, and returns it.
function test.wait(what, is_there)
  local found
  vim.wait(20000, function()
    found = is_there()
    return found and true or false
  end, 20)
  test.check(what, found and true or false)
  return found
end

function test.lines()
  return vim.api.nvim_buf_get_lines(0, 0, -1, false)
end

function test.text()
  return table.concat(test.lines(), "\n")
end

-- Puts the cursor on a text of the buffer, `after` bytes behind its start.
function test.cursor(text, after)
  for number, line in ipairs(test.lines()) do
    local at = line:find(text, 1, true)
    if at then
      vim.api.nvim_win_set_cursor(0, { number, at - 1 + (after or 0) })
      return
    end
  end
  error("no line contains " .. text)
end

-- Runs a test, prints what failed, and leaves Neovim.
function test.run(name, run)
  local ended, why = xpcall(run, debug.traceback)
  if not ended then table.insert(failures, why) end
  for _, failure in ipairs(failures) do io.stdout:write("FAIL " .. failure .. "\n") end
  io.stdout:write(string.format("%s: %d checks, %d failed\n", name, checks, #failures))
  vim.cmd(#failures == 0 and "qall!" or "cquit!")
end

return test
