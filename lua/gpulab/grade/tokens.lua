-- A kernel as a stream of tokens, without comments and white space: equal streams are the same program, however it is
-- laid out. They are shown next to each other and never judged.
local host = require "gpulab.host"

local tokens = {}

---The digest of a file's tokens.
---@param source string @return string
function tokens.digest(source)
  local plain = source:gsub("\\\r?\n", ""):gsub("/%*.-%*/", " "):gsub("//[^\n]*", "")
  local list = {}
  for word in plain:gmatch("[%w_]+") do list[#list + 1] = word end
  local marks = {}
  for mark in plain:gmatch("[^%w_%s]") do marks[#marks + 1] = mark end
  return host.digest(table.concat(list, " "), table.concat(marks))
end

return tokens
