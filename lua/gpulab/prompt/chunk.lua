-- Lua as it is typed at the prompt: chunks, keywords, and the names of globals.
local lists = require "gpulab.base.lists"
local chunk = {}

---The chunk for a text: an expression if possible, else statements. nil and the message if it is neither; the third
---value is true if it is only incomplete.
---@param text string
function chunk.compile(text)
  local compiled = load("return " .. text, "=prompt", "t")
  if compiled then return compiled end
  local problem
  compiled, problem = load(text, "=prompt", "t")
  if compiled then return compiled end
  return nil, problem, problem:sub(-5) == "<eof>" and not text:find "^%s*break%f[^%w_]" -- nothing makes that Lua
end

---The variables that a statement makes buffers for: "a", "b" of `a, b = gpu.buffer(...), gpu.buffer(...)`.
---@param text string @return string ...
function chunk.buffer_names(text)
  local names, values = text:match "^%s*([%a_][%w_%s,]-)%s*=%s*(gpu%.buffer%s*%(.*)$"
  local found = {}
  if not names then return end
  names = (" " .. names):gsub("^%s+local%s", "")
  values = values:gsub("%b()", ""):gmatch "[^,]+"
  for name in names:gmatch "[%a_][%w_]*" do
    local value = values()
    if not value or value:match "%S+" ~= "gpu.buffer" then break end
    found[#found + 1] = name
  end
  return table.unpack(found)
end

chunk.keywords = { "and", "break", "do", "else", "elseif", "end", "false", "for", "function", "goto", "if", "in",
  "local", "nil", "not", "or", "repeat", "return", "then", "true", "until", "while" }

local is_keyword <const> = lists.set(chunk.keywords)

---@param word string
function chunk.is_keyword(word) return is_keyword[word] or false end

---@return string[]
function chunk.global_names()
  local names = { "lab", "check" }
  for name in next, _G do
    if type(name) == "string" then names[#names + 1] = name end
  end
  return names
end

return chunk
