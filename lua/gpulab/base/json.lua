-- JSON: documents come out in the order their author gave, with two spaces of indentation. Reading is for documents
-- that gpulab wrote: objects become tables by name, lists tables from 1, null is left out.
local lists = require "gpulab.base.lists"
local text = require "gpulab.base.text"

local json = {}

local Object, List = {}, {}

---An object that keeps its order: json.object("schema", "gpulab/1", "lab", lab). A nil value leaves its key out.
function json.object(...)
  local object = setmetatable({}, Object)
  for i = 1, select("#", ...), 2 do
    local key, value = select(i, ...)
    json.put(object, key, value)
  end
  return object
end

---Adds a field at the end of an object; nil adds nothing.
function json.put(object, key, value)
  if value ~= nil then object[#object + 1] = { key, value } end
  return object
end

---A list, also where it is empty (an empty plain table would be an object).
function json.list(values)
  return setmetatable(values, List)
end

---An object of a table's fields by their names, or under another one: json.pick(site, "file line stall=why"). nil stays
---nil.
function json.pick(t, names)
  if not t then return nil end
  local object = json.object()
  for key, field in names:gmatch "([%w_]+)=?([%w_]*)" do json.put(object, key, t[field ~= "" and field or key]) end
  return object
end

---A list of what `by` gives for each item: a function, or names as in json.pick; without it, the items themselves. nil
---stays nil.
function json.each(items, by)
  if not items then return nil end
  local pick = type(by) == "string" and function(item) return json.pick(item, by) end or by
  return json.list(lists.map(items, pick or function(item) return item end))
end

---JSON's null, which a plain nil in a table cannot be.
json.null = setmetatable({}, { __tostring = function() return "null" end })

local escapes = { ['"'] = '\\"', ["\\"] = "\\\\", ["\n"] = "\\n", ["\r"] = "\\r", ["\t"] = "\\t" }

for code = 0, 127 do
  local c = string.char(code)
  if c:find "%c" then escapes[c] = escapes[c] or ("\\u%04x"):format(code) end
end

-- Unicode control characters (text.lua) are escaped too: documents are often printed on a terminal.
local function escape_wide(c)
  return ("\\u%04x"):format(utf8.codepoint(c))
end

-- A file name may hold any byte: what is not UTF-8 becomes U+FFFD, so that the document stays valid.
local function of_string(s)
  s = text.valid_utf8(s):gsub('[%c"\\\127]', escapes)
  if not s:find "[\x80-\xff]" then return '"' .. s .. '"' end
  s = s:gsub("\xc2[\x80-\x9f]", escape_wide):gsub("\xd8\x9c", escape_wide)
  s = s:gsub("\xe2\x80[\x8e\x8f\xa8-\xae]", escape_wide):gsub("\xe2\x81[\xa6-\xa9]", escape_wide)
  return '"' .. s .. '"'
end

local function of_number(x)
  if math.type(x) == "integer" then return ("%d"):format(x) end
  if x ~= x or x == math.huge or x == -math.huge then return "null" end -- JSON has no such numbers
  local short = ("%.15g"):format(x)
  return tonumber(short) == x and short or ("%.17g"):format(x)
end

local DEEPEST = 64 -- levels; a table that contains itself is stopped here
local encode

local function of_items(items, open, close, indent)
  if #items == 0 then return open .. close end
  local inner = indent .. "  "
  return open .. "\n" .. inner .. table.concat(items, ",\n" .. inner) .. "\n" .. indent .. close
end

local function of_list(list, indent)
  local items, short = {}, true
  for i = 1, #list do
    items[i] = encode(list[i], indent .. "  ")
    short = short and type(list[i]) == "number"
  end
  if short then return "[" .. table.concat(items, ", ") .. "]" end
  return of_items(items, "[", "]", indent)
end

local function of_object(pairs_of, indent)
  local items = lists.map(pairs_of, function(field)
    return of_string(field[1]) .. ": " .. encode(field[2], indent .. "  ")
  end)
  return of_items(items, "{", "}", indent)
end

local function sorted_fields(t)
  local fields = {}
  for key, value in pairs(t) do
    if type(key) ~= "string" then error("json: a plain table's keys must be strings, got " .. type(key)) end
    fields[#fields + 1] = { key, value }
  end
  table.sort(fields, function(a, b) return a[1] < b[1] end)
  return fields
end

local function of_table(t, indent)
  local kind = getmetatable(t)
  if t == json.null then return "null" end
  if kind == Object then return of_object(t, indent) end
  if kind == List or #t > 0 then return of_list(t, indent) end
  return of_object(sorted_fields(t), indent)
end

function encode(value, indent)
  local kind = type(value)
  if #indent > 2 * DEEPEST then error("json: nested too deeply") end
  if kind == "table" then return of_table(value, indent) end
  if kind == "string" then return of_string(value) end
  if kind == "number" then return of_number(value) end
  if kind == "boolean" then return tostring(value) end
  error("json: cannot write a " .. kind)
end

---The document as text, without a line break at the end.
function json.encode(value)
  return encode(value, "")
end

-- Reading -----------------------------------------------------------------------------------------

local MOST_DEEP <const> = 100

local Reader = {}
Reader.__index = Reader

function Reader:fail(what)
  error(("JSON, byte %d: %s"):format(self.at, what), 0)
end

-- The next character that is not white space; it is not consumed.
function Reader:peek()
  self.at = self.text:find("[^ \t\r\n]", self.at) or #self.text + 1
  return self.text:sub(self.at, self.at)
end

function Reader:take(char)
  if self:peek() ~= char then self:fail(("%q expected"):format(char)) end
  self.at = self.at + 1
end

local unescaped = { ['"'] = '"', ["\\"] = "\\", ["/"] = "/", b = "\b", f = "\f", n = "\n", r = "\r", t = "\t" }

-- \uD83D\uDE00 is one character in two halves; a half alone is a replacement character.
function Reader:unicode()
  local high = tonumber(self.text:match("^u(%x%x%x%x)", self.at) or self:fail("four hexadecimal digits expected"), 16)
  self.at = self.at + 5
  if high < 0xd800 or high > 0xdfff then return utf8.char(high) end
  local low = tonumber(self.text:match("^\\u([dD][c-fC-F]%x%x)", self.at) or "0", 16)
  if high > 0xdbff or low == 0 then return utf8.char(0xfffd) end
  self.at = self.at + 6
  return utf8.char(0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00))
end

function Reader:string()
  self:take('"')
  local parts = {}
  while true do
    local stop = self.text:find('["\\%c]', self.at)
    if not stop then self:fail("a string does not end") end
    parts[#parts + 1] = self.text:sub(self.at, stop - 1)
    local char = self.text:sub(stop, stop)
    self.at = stop + 1
    if char == '"' then return table.concat(parts) end
    if char ~= "\\" then self:fail("a control character in a string") end
    local letter = self.text:sub(self.at, self.at)
    if letter == "u" then
      parts[#parts + 1] = self:unicode()
    else
      parts[#parts + 1] = unescaped[letter] or self:fail("an unknown escape")
      self.at = self.at + 1
    end
  end
end

function Reader:number()
  local word = self.text:match("^-?%d+%.?%d*[eE]?[-+]?%d*", self.at)
  local number = word and tonumber(word)
  if not number then self:fail("a value expected") end
  self.at = self.at + #word
  return number
end

function Reader:items(close, read)
  self.at = self.at + 1
  if self:peek() == close then
    self.at = self.at + 1
    return
  end
  while true do
    read()
    local char = self:peek()
    self.at = self.at + 1
    if char == close then return end
    if char ~= "," then
      self.at = self.at - 1
      self:fail(("%q or a comma expected"):format(close))
    end
  end
end

local words = { ["true"] = true, ["false"] = false, ["null"] = json.null }

function Reader:value(depth)
  if depth > MOST_DEEP then self:fail("too deep") end
  local char, result = self:peek(), {}
  if char == '"' then return self:string() end
  if char == "{" then
    self:items("}", function()
      self:peek()
      local key = self:string()
      self:take(":")
      local value = self:value(depth + 1)
      if value ~= json.null then result[key] = value end
    end)
    return result
  elseif char == "[" then
    self:items("]", function() result[#result + 1] = self:value(depth + 1) end)
    return result
  end
  local word = self.text:match("^%a+", self.at)
  if words[word or ""] == nil then return self:number() end
  self.at = self.at + #word
  return words[word]
end

---The value of a JSON text; raises a string that names the byte of a syntax error.
function json.decode(s)
  local reader = setmetatable({ text = s, at = 1 }, Reader)
  local value = reader:value(0)
  if reader:peek() ~= "" then reader:fail("something follows the document") end
  return value
end

return json
