-- Variables of a kernel that was compiled with -G: .debug_info in the PTX says which register holds which, and where.
-- The sections are DWARF 2 as text, one .b8, .b32 or .b64 per item; PTX names are the bytes of a register's number.
local debug_info = {}

local TAG <const> = { formal_parameter = 0x05, lexical_block = 0x0b, subprogram = 0x2e, inlined_subroutine = 0x1d,
  variable = 0x34, base_type = 0x24, pointer_type = 0x0f, array_type = 0x01, const_type = 0x26, typedef = 0x16,
  volatile_type = 0x35, subrange_type = 0x21, restrict_type = 0x37, structure_type = 0x13, class_type = 0x02,
  union_type = 0x17, member = 0x0d, enumeration_type = 0x04 }
local AT <const> = { location = 0x02, name = 0x03, low_pc = 0x11, high_pc = 0x12, decl_line = 0x3b, type = 0x49,
  upper_bound = 0x2f, linkage = 0x2007, abstract = 0x31, count = 0x37, byte_size = 0x0b, member_location = 0x38 }

-- A section's items in order: {offset, size, value}, where a value is a number or a label, and labels by name.
local function section(lines, name)
  local items, offset, inside = {}, 0, false
  for _, line in ipairs(lines) do
    if line:match("^%s*%.section%s") then
      inside = line:match("^%s*%.section%s+" .. name:gsub("%.", "%%.") .. "%s*$") ~= nil
    elseif inside then
      local size, values = line:match("^%s*%.b(%d+)%s+(.+)$")
      if size then
        size = tonumber(size) // 8
        for value in values:gmatch("[^,%s]+") do
          items[#items + 1] = { offset = offset, size = size, value = math.tointeger(tonumber(value)) or value }
          offset = offset + size
        end
      elseif line:match("^%s*}") then
        inside = false
      end
    end
  end
  return items
end

local Reader = {}
Reader.__index = Reader

local function reader(items)
  local by_offset = {}
  for i, item in ipairs(items) do by_offset[item.offset] = i end
  return setmetatable({ items = items, i = 1, by_offset = by_offset }, Reader)
end

function Reader:offset() return self.items[self.i] and self.items[self.i].offset or math.huge end
function Reader:seek(offset) self.i = self.by_offset[offset] or #self.items + 1 end

function Reader:item()
  local item = self.items[self.i]
  self.i = self.i + 1
  return item and item.value
end

-- `size` bytes as a number, whether they come as one item or byte by byte; or a label.
function Reader:number(size)
  local item = self.items[self.i]
  if not item then return 0 end
  if item.size == size then return self:item() end
  local v = 0
  for k = 0, size - 1 do
    local byte = self:item()
    v = v | (math.tointeger(byte) or 0) << (8 * k)
  end
  return v
end

function Reader:uleb()
  local v, shift = 0, 0
  while self.items[self.i] do
    local byte = math.tointeger(self:item()) or 0
    v = v | (byte & 0x7f) << shift
    shift = shift + 7
    if byte & 0x80 == 0 then return v end
  end
  return v
end

function Reader:text()
  local bytes = {}
  while self.items[self.i] do
    local byte = math.tointeger(self:item()) or 0
    if byte == 0 then return table.concat(bytes) end
    bytes[#bytes + 1] = string.char(byte & 0xff)
  end
  return table.concat(bytes)
end

local function abbreviations(items)
  local r, table_ = reader(items), {}
  while r.items[r.i] do
    local code = r:uleb()
    if code == 0 then break end
    local row = { tag = r:uleb(), children = r:number(1) ~= 0 }
    repeat
      local name, form = r:uleb(), r:uleb()
      if name ~= 0 then row[#row + 1] = { name = name, form = form } end
    until name == 0 and form == 0
    table_[code] = row
  end
  return table_
end

-- A form's value. Blocks are lists of items.
local function value(r, form)
  if form == 0x01 then return r:number(8) end          -- addr
  if form == 0x08 then return r:text() end             -- string
  if form == 0x0b or form == 0x0c then return r:number(1) end
  if form == 0x05 then return r:number(2) end
  if form == 0x06 or form == 0x13 then return r:number(4) end -- data4, ref4
  if form == 0x07 then return r:number(8) end
  if form == 0x0d or form == 0x0f then return r:uleb() end
  if form == 0x0a or form == 0x09 or form == 0x03 or form == 0x04 then
    local size = form == 0x0a and r:number(1) or form == 0x03 and r:number(2) or form == 0x04 and r:number(4)
      or r:uleb()
    local block, to = {}, r:offset() + size
    while r:offset() < to do block[#block + 1] = r.items[r.i]; r.i = r.i + 1 end
    return block
  end
  error("form " .. form, 0)
end

-- What a location expression says: {register = "%r1"}, {symbol = "__local_depot0", offset = 16}.
local function place(block)
  local r = reader(block)
  local op = math.tointeger(r:item())
  if op == 0x90 then -- regx: the bytes of the name, last one lowest
    local v, name = r:uleb(), ""
    while v > 0 do
      name = string.char(v & 0xff) .. name
      v = v >> 8
    end
    return name:match("^%%[%a]+%d+$") and { register = name } or nil
  elseif op == 0x03 then
    local symbol = tostring(r:number(8))
    return { symbol = symbol, offset = math.tointeger(r:item()) == 0x23 and r:uleb() or 0 }
  end
end

local function entries(items, abbrev)
  local r = reader(items)
  local top = { children = {} }
  local stack, by_offset = { top }, {}
  r:number(4) -- the header of the only unit: length, version, abbreviations, size of an address
  r:number(2)
  r:number(4)
  r:number(1)
  repeat
    local offset = r:offset()
    local code = r:uleb()
    if code == 0 then
      stack[#stack] = nil
    else
      local row = abbrev[code]
      if not row then error("abbreviation " .. code, 0) end
      local entry = { tag = row.tag, children = {}, parent = stack[#stack] }
      for _, part in ipairs(row) do entry[part.name] = value(r, part.form) end
      by_offset[offset] = entry
      table.insert(stack[#stack].children, entry)
      if row.children then stack[#stack + 1] = entry end
    end
  until #stack <= 1 or not r.items[r.i]
  return top, by_offset
end

-- Where a member is in its structure: a block that adds the offset.
local function member_offset(location)
  if type(location) ~= "table" then return math.tointeger(location) or 0 end
  local r = reader(location)
  return math.tointeger(r:item()) == 0x23 and r:uleb() or 0
end

local type_of

local function structure(by_offset, entry, depth)
  local made = { name = entry[AT.name] or "", bytes = entry[AT.byte_size], dims = {}, members = {} }
  for _, child in ipairs(entry.children) do
    local inner = child.tag == TAG.member and child[AT.type] and type_of(by_offset, child[AT.type], depth + 1)
    if inner and child[AT.name] then
      table.insert(made.members, { name = child[AT.name], type = inner,
        offset = member_offset(child[AT.member_location]) })
    end
  end
  return made
end

local whole <const> = { "signed char", "short", [4] = "int", [8] = "long" } -- by bytes: of an enumeration

-- What it points to is looked up when it is asked for: a structure may point to itself.
local function pointer_to(by_offset, offset)
  local inner
  return setmetatable({ pointer = true, dims = {} }, { __index = function(_, key)
    inner = inner or type_of(by_offset, offset) or { name = "void" }
    if key == "indirect" then return inner.pointer end
    return inner[key]
  end })
end

-- The type of C++ as cxx.lua has it: name, pointer, dims, and of structures the members.
function type_of(by_offset, offset, depth)
  depth = depth or 0
  local entry = by_offset[offset]
  if not entry or depth > 8 then return nil end
  if entry.tag == TAG.structure_type or entry.tag == TAG.class_type or entry.tag == TAG.union_type then
    return structure(by_offset, entry, depth)
  end
  if entry.tag == TAG.pointer_type then return entry[AT.type] and pointer_to(by_offset, entry[AT.type]) end
  local inner = entry[AT.type] and type_of(by_offset, entry[AT.type], depth + 1)
  if entry.tag == TAG.enumeration_type then return { name = whole[entry[AT.byte_size]] or "int", dims = {} } end
  if entry.tag == TAG.base_type then return { name = entry[AT.name], dims = {} } end
  if entry.tag == TAG.array_type then
    if not inner then return nil end
    local dims = {}
    for _, child in ipairs(entry.children) do
      local upper = child[AT.upper_bound]
      if child.tag == TAG.subrange_type then
        dims[#dims + 1] = math.tointeger(child[AT.count]) or math.tointeger(upper) and upper + 1 or 0
      end
    end
    for _, d in ipairs(inner.dims) do dims[#dims + 1] = d end
    return setmetatable({ dims = dims }, { __index = inner })
  end
  if entry.tag == TAG.typedef and inner and inner.name == "" then inner.name = entry[AT.name] end
  return inner
end

-- A location list: {from, to, place} by labels.
local function list_at(r, offset)
  r:seek(offset)
  local list = {}
  while r.items[r.i] do
    local from, to = r:number(8), r:number(8)
    if from == 0 and to == 0 then break end
    local size, block = r:number(2), {}
    local last = r:offset() + size
    while r:offset() < last do block[#block + 1] = r.items[r.i]; r.i = r.i + 1 end
    list[#list + 1] = { from = from, to = to, place = place(block) }
  end
  return list
end

---@class DebugVariable
---@field name string @field line integer
---@field type {name: string, pointer: boolean?, indirect: boolean?, dims: integer[], members: table[]?,
---bytes: integer?}? of a structure
---the members {name, type, offset}
---@field scope {from: string, to: string}? labels @field param boolean
---@field places {from: string?, to: string?, register: string?, symbol: string?, offset: integer?}[]

---Variables by linked name of the function; nil if the text has no debug information.
---@param lines string[] of the PTX @return table<string, DebugVariable[]>?
function debug_info.read(lines)
  local info = section(lines, ".debug_info")
  if #info == 0 then return nil end
  local top, by_offset = entries(info, abbreviations(section(lines, ".debug_abbrev")))
  local lists = reader(section(lines, ".debug_loc"))
  local found = {}
  local function walk(entry, list, scope)
    for _, child in ipairs(entry.children) do
      local inner = { from = child[AT.low_pc], to = child[AT.high_pc] }
      if child.tag == TAG.subprogram then
        local name = child[AT.linkage] or child[AT.name]
        if child[AT.low_pc] and name then
          found[name] = found[name] or {}
          walk(child, found[name], inner)
        end
      elseif child.tag == TAG.lexical_block or child.tag == TAG.inlined_subroutine then
        if list then walk(child, list, inner.from and inner or scope) end
      elseif list and (child.tag == TAG.variable or child.tag == TAG.formal_parameter) and child[AT.name] then
        local location, places = child[AT.location], {}
        if type(location) == "table" then
          places[1] = place(location)
        elseif location then
          local offset = math.tointeger(location) or tonumber(tostring(location):match("%+(%d+)$") or 0)
          for _, part in ipairs(list_at(lists, offset)) do
            if part.place then
              places[#places + 1] = { from = part.from, to = part.to, register = part.place.register,
                symbol = part.place.symbol, offset = part.place.offset }
            end
          end
        end
        list[#list + 1] = { name = child[AT.name], line = child[AT.decl_line] or 0, scope = scope, places = places,
          type = type_of(by_offset, child[AT.type]), param = child.tag == TAG.formal_parameter }
      else
        walk(child, list, scope)
      end
    end
  end
  walk(top, nil, nil)
  return found
end

return debug_info
