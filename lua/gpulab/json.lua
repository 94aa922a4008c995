-- JSON, written only: documents come out in the order their author gave, with two spaces of indentation.
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

---JSON's null, which a plain nil in a table cannot be.
json.null = setmetatable({}, { __tostring = function() return "null" end })

local escapes = { ['"'] = '\\"', ["\\"] = "\\\\", ["\n"] = "\\n", ["\r"] = "\\r", ["\t"] = "\\t" }

local function escape(c)
  return escapes[c] or ("\\u%04x"):format(c:byte())
end

-- Bytes that are no UTF-8 (a file name may hold anything) become U+FFFD: the document stays valid.
local function valid_utf8(s)
  if utf8.len(s) then return s end
  local out, at = {}, 1
  while at <= #s do
    local _, bad = utf8.len(s, at)
    if not bad then
      out[#out + 1] = s:sub(at)
      break
    end
    out[#out + 1] = s:sub(at, bad - 1)
    out[#out + 1] = "\u{FFFD}"
    at = bad + 1
  end
  return table.concat(out)
end

local function of_string(s)
  return '"' .. valid_utf8(s):gsub('[%c"\\\127]', escape) .. '"'
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
  local items = {}
  for i, field in ipairs(pairs_of) do
    items[i] = of_string(field[1]) .. ": " .. encode(field[2], indent .. "  ")
  end
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

return json
