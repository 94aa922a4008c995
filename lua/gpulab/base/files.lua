-- Whole files; "-" is standard output.
local failure = require "gpulab.base.failure"
local fs = require "gpulab.fs"

local files = {}

---Writes a file, or standard output; raises what goes wrong.
---@param path string @param content string
function files.write(path, content)
  if path == "-" then
    io.stdout:write(content)
    io.stdout:flush()
    return
  end
  local opened, reason = io.open(path, "w")
  if not opened then failure.raise("setup", "cannot write " .. reason) end
  local ok, trouble = opened:write(content)
  local closed, at_close = opened:close()
  if not ok or not closed then failure.raise("setup", ("cannot write %s: %s"):format(path, trouble or at_close)) end
end

---A file's contents; nil and the reason if it cannot be read. It is a regular file that is not too large.
---@param path string @param most? integer bytes; without it, what a source may have
---@return string? content, string? reason
function files.read(path, most)
  local content, reason = fs.read(path, most)
  return content, reason and path .. ": " .. reason
end

---A file's name as a shell takes it.
---@param path string @return string
function files.quoted(path)
  return "'" .. path:gsub("'", "'\\''") .. "'"
end

---A path as NVIDIA's compilers write it between quotes, without its escapes. The same as base/text/escaped.c.
---@param written string @return string
function files.unescaped(written)
  return (written:gsub("\\(.)([0-7]?[0-7]?)", function(first, more)
    if first == "t" then return "\t" .. more end
    if first == "\\" or first == '"' then return first .. more end
    local byte = tonumber(first .. more, 8)
    return byte and byte >= 32 and byte ~= 127 and byte < 256 and string.char(byte) or nil
  end))
end

return files
