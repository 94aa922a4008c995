-- On a terminal, output longer than the screen goes through PAGER (less); other output is printed directly.
local host = require "gpulab.host"

local pager = {}

-- The pager's command line; nil if PAGER disables it or there is no terminal.
local function command()
  local term = os.getenv("TERM")
  if not term or term == "dumb" or not host.rows or not (host.isatty(0) and host.isatty(1)) then return nil end
  local chosen = os.getenv("PAGER")
  if chosen == "" or chosen == "cat" then return nil end
  return chosen or "less -FRX" -- which leaves the text on the screen
end

---Prints lines, through the pager if they do not fit the screen.
---@param lines string[]
function pager.show(lines)
  local content = table.concat(lines, "\n") .. "\n"
  local line = command()
  if not line or #lines < host.rows() then
    io.stdout:write(content)
    return
  end
  local fs = require "gpulab.fs"
  local path = os.tmpname()
  local ok, how, code = pcall(function()
    fs.write(path, content)
    return fs.foreground(("%s < '%s'"):format(line, path))
  end)
  os.remove(path)
  if not ok or how ~= "exit" or code ~= 0 then io.stdout:write(content) end -- no such pager, or it failed
end

return pager
