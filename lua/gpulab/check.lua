-- Is a result right? Compares a buffer's contents with a reference and reports where and how they differ.
local text = require "gpulab.base.text"

local check = {}

local SHOWN = 4 -- mismatches printed in full

-- What an element of the sentinel fill (all bytes 0xff) looks like from Lua.
local function is_sentinel(type_name, x)
  if x ~= x then return true end
  if type_name == "unsigned" then return x == 0xffffffff end
  if type_name == "unsigned short" then return x == 0xffff end
  if type_name == "unsigned char" then return x == 0xff end
  return math.type(x) == "integer" and x == -1
end

local function show(x)
  if x ~= x then return "nan" end
  return math.type(x) == "integer" and ("%d"):format(x) or ("%.9g"):format(x)
end

local function place(m)
  if m.row then return ("row %d, column %d"):format(m.row, m.column) end
  return ("element %d"):format(m.index)
end

-- A mismatch as a line; want may itself be a NaN, which nothing equals.
local function describe(type_name, m)
  local got = show(m.got)
  if is_sentinel(type_name, m.got) and not is_sentinel(type_name,
    m.want) then got = "an element that was never written" end
  return ("%s: got %s, expected %s"):format(place(m), got, show(m.want))
end

local function all_unwritten(type_name, first)
  for _, m in ipairs(first) do
    if not is_sentinel(type_name, m.got) or is_sentinel(type_name, m.want) then return false end
  end
  return true
end

-- Is the content behind this digest known to be right, or the reference itself, bit by bit? With a tolerance the latter
-- is unlikely, and the digest of the reference would cost more than it saves.
local function known_right(digest, got, want, options)
  if (options.relative or 0) == 0 and (options.absolute or 0) == 0 and not options.known[digest] then
    if got:digest(want) == digest then options.known[digest] = true end
  end
  return options.known[digest]
end

---Compares; nil if they agree, else {count, total, first, message}: message has a line per reported mismatch. known
---remembers the digests of right contents, which are not downloaded and compared again. It belongs to one reference and
---one tolerance.
---@param got Array|Buffer what the kernel left @param want Array what it should have been
---@param options? table relative, absolute: numbers; columns: integer; name: string; known: table<string, boolean>
function check.compare(got, want, options)
  options = options or {}
  local name = options.name or "the result"
  if #got ~= #want then
    return { count = math.abs(#got - #want), total = #want, first = {},
      message = ("%s has %d elements, its reference has %d"):format(name, #got, #want) }
  end
  local digest = options.known and got:digest() -- before the comparison, so that it is of what is compared
  if digest and known_right(digest, got, want, options) then return nil end
  local found = got:mismatch(want,
    { relative = options.relative, absolute = options.absolute, columns = options.columns, most = SHOWN })
  if not found then
    if digest then options.known[digest] = true end
    return nil
  end
  local lines = {}
  for i, m in ipairs(found.first) do lines[i] = "  " .. describe(got.type, m) end
  local more = found.count - #found.first
  if more > 0 then lines[#lines + 1] = ("  and %s more"):format(text.count(more)) end
  local head = ("%s of %s of `%s` differ from the reference:"):format(text.count(found.count),
    text.plural(#want, "element"), name)
  return { count = found.count, total = #want, first = found.first, unwritten = all_unwritten(got.type, found.first),
    message = head .. "\n" .. table.concat(lines, "\n") }
end

return check
