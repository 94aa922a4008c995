-- Output longer than the screen goes through PAGER (less), on a terminal only; everything else is printed as it is.
local host = require "gpulab.host"

local pager = {}

-- The pager's command line; nil: none is wanted, or nobody could use it.
local function command()
  local term = os.getenv("TERM")
  if not term or term == "dumb" or not host.rows or not (host.isatty(0) and host.isatty(1)) then return nil end
  local chosen = os.getenv("PAGER")
  if chosen == "" or chosen == "cat" then return nil end
  return chosen or "less -FRX" -- which leaves the text on the screen
end

---Prints lines, by the pager if they are more than the screen has.
---@param lines string[]
function pager.show(lines)
  local content = table.concat(lines, "\n") .. "\n"
  local line = command()
  if not line or #lines < host.rows() then
    io.stdout:write(content)
    return
  end
  local desk = require "gpulab.desk"
  local path = os.tmpname()
  local ok, how, code = pcall(function()
    desk.write(path, content)
    return desk.foreground(("%s < '%s'"):format(line, path))
  end)
  os.remove(path)
  if not ok or how ~= "exit" or code ~= 0 then io.stdout:write(content) end -- no such pager, or it failed
end

return pager
