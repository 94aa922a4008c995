-- Is a result right? Compares a buffer's contents with a reference and reports where and how they differ.
local text = require "gpulab.base.text"

local check = {}

local SHOWN <const>, LISTED <const> = 4, 1000 -- mismatches printed in full, and those in which a pattern is looked for

-- What an element of the sentinel fill (all bytes 0xff) looks like from Lua.
local function is_sentinel(type_name, x)
  if x ~= x then -- the NaN of an operation has another sign or fewer ones; of a half they do not arrive
    return type_name == "half" or string.unpack("<i8", string.pack("<d", x)) >> 45 == 0x7ffff
  end
  if type_name == "unsigned" then return x == 0xffffffff end
  if type_name == "unsigned short" then return x == 0xffff end
  if type_name == "unsigned char" then return x == 0xff end
  return math.type(x) == "integer" and x == -1
end

---Where a mismatch is, in words.
---@param m table of its `first` @return string
function check.place(m)
  if m.row then return ("row %d, column %d"):format(m.row, m.column) end
  return ("element %d"):format(m.index)
end

-- A mismatch as a line.
local function describe(m)
  local got = m.unwritten and "an element that was never written" or m.uninitialized and "an uninitialized value"
    or text.exact(m.got)
  return ("%s: got %s, expected %s"):format(check.place(m), got, text.exact(m.want))
end

---What differs, in words.
---@param mismatch table of check.compare @return string
function check.message(mismatch)
  local lines = {}
  for i, m in ipairs(mismatch.first) do lines[i] = "  " .. describe(m) end
  local more = mismatch.count - #mismatch.first
  if more > 0 then lines[#lines + 1] = ("  and %s more"):format(text.count(more)) end
  local differ = mismatch.total == 1 and "differs" or "differ"
  return ("%s of %s of `%s` %s from the reference:\n%s"):format(text.count(mismatch.count),
    text.plural(mismatch.total, "element"), mismatch.name, differ, table.concat(lines, "\n"))
end

local function all_unwritten(first)
  for _, m in ipairs(first) do
    if not m.unwritten then return false end
  end
  return true
end

---Whether elements that look as before the launch were written is only known after another look (cause.lua).
---@param mismatch table of check.compare @param stored fun(m: table): boolean
function check.settle(mismatch, stored)
  for _, m in ipairs(mismatch.first) do
    if m.unwritten and stored(m) then m.unwritten, m.uninitialized = false, true end
  end
  mismatch.unwritten = all_unwritten(mismatch.first)
  mismatch.message = check.message(mismatch)
end

-- Is the content behind this digest known to be right, or the reference itself, bit by bit? With a tolerance the latter
-- is unlikely, and the digest of the reference would cost more than it saves.
local function known_right(digest, got, want, options)
  if (options.relative or 0) == 0 and (options.absolute or 0) == 0 and not options.known[digest] then
    if got:digest(want) == digest then options.known[digest] = true end
  end
  return options.known[digest]
end

---Compares; nil if they agree, else {count, total, first, message, wrong, cells}: message has a line per reported
---mismatch; wrong are the first indices; cells, by_row and by_column say how many differ in each part (Array:mismatch).
---known remembers the digests of right contents, which are not downloaded and compared again. It belongs to one
---reference and one tolerance.
---@param got Array|Buffer what the kernel left @param want Array what it should have been
---@param options? table relative, absolute: numbers; columns: integer; name: string; known: table<string, boolean>
function check.compare(got, want, options)
  options = options or {}
  local name = options.name or "the result"
  if #got ~= #want then
    return { count = math.abs(#got - #want), total = #want, first = {}, wrong = {}, all = {},
      message = ("%s has %d elements, its reference has %d"):format(name, #got, #want) }
  end
  local digest = options.known and got:digest() -- before the comparison, so that it is of what is compared
  if digest and known_right(digest, got, want, options) then return nil end
  local found = got:mismatch(want, { relative = options.relative, absolute = options.absolute,
    columns = options.columns, most = LISTED, cells = true })
  if not found then
    if digest then options.known[digest] = true end
    return nil
  end
  local mismatch = { count = found.count, total = #want, name = name, type = got.type, columns = options.columns,
    cells = found.cells,
    by_row = found.by_row, by_column = found.by_column, first = {}, wrong = {}, all = found.first }
  for i, m in ipairs(found.first) do
    mismatch.wrong[i] = m.index
    if i <= SHOWN then
      m.unwritten = is_sentinel(got.type, m.got) and not is_sentinel(got.type, m.want)
      mismatch.first[i] = m
    end
  end
  mismatch.unwritten, mismatch.message = all_unwritten(mismatch.first), check.message(mismatch)
  return mismatch
end

return check
