-- Between this program's words and those of the Language Server Protocol: addresses, positions, edits.
local json = require "gpulab.base.json"
local lists = require "gpulab.base.lists"

local convert = {}

local SEVERITY <const> = { error = 1, warning = 2, info = 3, hint = 4 }

---The path of a file's address; nil for other addresses.
---@param uri any @return string?
function convert.path(uri)
  local path = type(uri) == "string" and uri:match "^file://[^/]*(/.*)$"
  path = path and path:gsub("%%(%x%x)", function(digits) return string.char(tonumber(digits, 16)) end)
  return path and not path:find("\0", 1, true) and path or nil
end

---@param path string @return string
function convert.uri(path)
  return "file://" .. path:gsub("[^%w/._~-]", function(c) return ("%%%02X"):format(c:byte()) end)
end

-- The number of UTF-16 units in the first bytes of a line.
local function units(line, bytes)
  local head = line:sub(1, bytes)
  local pairs_of_units = select(2, head:gsub("[\xF0-\xF4]", ""))
  return utf8.len(head) and utf8.len(head) + pairs_of_units or #head
end

local function position(lines, number, bytes)
  return json.object("line", number - 1, "character", units(lines[number] or "", bytes))
end

---A line of a source, from its first character to its end; with a column the word that begins there.
---@param lines string[] @param number integer @param column integer? in bytes, from 1
function convert.range(lines, number, column)
  local line = lines[number] or ""
  local from = column and math.min(column, #line + 1) or line:find "%S" or 1
  local to = column and line:match("^[%w_]+()", from) or #line + 1
  return json.object("start", position(lines, number, from - 1), "end", position(lines, number, to - 1))
end

---The end of a line.
function convert.line_end(lines, number) return position(lines, number, #(lines[number] or "")) end

---A finding as a diagnostic.
---@param finding table of marks.lua @param lines string[] of its file
function convert.diagnostic(finding, lines)
  local related = lists.map(finding.related, function(other)
    return json.object("location", json.object("uri", convert.uri(other.file), "range",
      convert.range(lines, other.line)), "message", other.message)
  end)
  return json.object("range", convert.range(lines, finding.line, finding.column), "severity",
    SEVERITY[finding.severity], "code", finding.code, "source", "gpulab", "message", finding.message,
    "relatedInformation", #related > 0 and json.list(related) or nil)
end

---A fix as an action of the editor.
---@param fix table of marks.lua @param line integer where it is now @param uri string @param lines string[]
function convert.action(fix, line, uri, lines)
  local range = json.object("start", position(lines, line, 0), "end", convert.line_end(lines, line))
  local edit = json.list { json.object("range", range, "newText", fix.new) }
  return json.object("title", fix.title, "kind", "quickfix", "edit",
    json.object("changes", json.object(uri, edit)))
end

---A text as Markdown that is shown as it is.
---@param said string
function convert.markdown(said) return json.object("kind", "markdown", "value", "```text\n" .. said .. "\n```") end

return convert
