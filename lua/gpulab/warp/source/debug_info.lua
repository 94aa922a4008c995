-- Variables of a kernel that was compiled with -G: .debug_info in the PTX says which register holds which, and where.
-- The sections are DWARF 2 as text, one .b8, .b32 or .b64 per item; PTX names are the bytes of a register's number.
local debug_info = {}

local TAG <const> = { formal_parameter = 0x05, lexical_block = 0x0b, subprogram = 0x2e, inlined_subroutine = 0x1d,
  variable = 0x34, base_type = 0x24, pointer_type = 0x0f, array_type = 0x01, const_type = 0x26, typedef = 0x16,
  volatile_type = 0x35, subrange_type = 0x21, restrict_type = 0x37, structure_type = 0x13, class_type = 0x02,
  union_type = 0x17, member = 0x0d, enumeration_type = 0x04 }
local AT <const> = { location = 0x02, name = 0x03, low_pc = 0x11, high_pc = 0x12, decl_line = 0x3b, type = 0x49,
  upper_bound = 0x2f, linkage = 0x2007, abstract = 0x31, count = 0x37, byte_size = 0x0b, member_location = 0x38 }

-- A place in the bytes of a section (from 1), where some have the addresses of names, up to before `stop`.
local Reader = {}
Reader.__index = Reader

local function reader(bytes, names, at, stop)
  bytes = bytes or ""
  return setmetatable({ bytes = bytes, names = names or {}, at = at or 1, stop = stop or #bytes + 1 }, Reader)
end

function Reader:more() return self.at < self.stop end

-- A number of `size` bytes; 0 at the end.
function Reader:number(size)
  local at = self.at
  self.at = at + size
  return self.at <= self.stop and string.unpack("<I" .. size, self.bytes, at) or 0
end

-- An address, or an offset in a section: the name that it is of, if it has one, and how far from it.
function Reader:address(size)
  local name = self.names[self.at]
  return name, self:number(size)
end

function Reader:uleb()
  local v, shift, byte = 0, 0, 128
  while byte & 0x80 ~= 0 and self:more() do
    byte = self:number(1)
    v = v | (byte & 0x7f) << shift
    shift = shift + 7
  end
  return v
end

function Reader:text()
  local text = self.bytes:match("^[^\0]*", self.at)
  self.at = self.at + #text + 1
  return text
end

-- A function that gives a reader of the next bytes.
function Reader:block(size)
  local from, to = self.at, self.at + size
  self.at = to
  return function() return reader(self.bytes, self.names, from, to) end
end

local function abbreviations(r)
  local table_ = {}
  while r:more() do
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

-- Bytes of a form's value, or of the length before a block.
local fixed <const> = { [0x0b] = 1, [0x0c] = 1, [0x05] = 2, [0x13] = 4, [0x07] = 8 }
local blocks <const> = { [0x0a] = 1, [0x03] = 2, [0x04] = 4 }

-- A form's value: a number, a text, the name of an address, or what gives readers of a block.
local function value(r, form)
  if form == 0x01 then return (r:address(8)) end         -- addr
  if form == 0x06 then return select(2, r:address(4)) end -- data4, perhaps an offset in a section
  if form == 0x08 then return r:text() end
  if form == 0x0d or form == 0x0f then return r:uleb() end
  if form == 0x09 then return r:block(r:uleb()) end
  if blocks[form] then return r:block(r:number(blocks[form])) end
  return fixed[form] and r:number(fixed[form]) or error("form " .. form, 0)
end

local PLUS <const> = 0x23

-- What a location expression says: {register = "%r1"}, {symbol = "__local_depot0", offset = 16}.
local function place(block)
  local r = block()
  local op = r:number(1)
  if op == 0x90 then -- regx: the bytes of the name, last one lowest
    local name = string.pack(">I8", r:uleb()):gsub("^\0+", "")
    return name:match("^%%[%a]+%d+$") and { register = name } or nil
  elseif op == 0x03 then
    local symbol = r:address(8)
    return { symbol = symbol or "", offset = r:more() and r:number(1) == PLUS and r:uleb() or 0 }
  end
end

local function entries(r, abbrev)
  local top = { children = {} }
  local stack, by_offset = { top }, {}
  r:number(4) -- the header of the only unit: length, version, abbreviations, size of an address
  r:number(2)
  r:number(4)
  r:number(1)
  repeat
    local offset = r.at - 1
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
  until #stack <= 1 or not r:more()
  return top, by_offset
end

-- Where a member is in its structure: a block that adds the offset.
local function member_offset(location)
  if type(location) ~= "function" then return location or 0 end
  local r = location()
  return r:number(1) == PLUS and r:uleb() or 0
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

-- Where it is: one place, or a list of {from, to, register or symbol}, from and to labels.
local function list_at(r, location)
  if type(location) == "function" then return { place(location) } end
  r.at = location + 1
  local list = {}
  while r:more() do
    local from = r:address(8)
    local to = r:address(8)
    if not from and not to then break end
    local found = place(r:block(r:number(2)))
    if found then
      found.from, found.to = from, to
      list[#list + 1] = found
    end
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
---@param text userdata of source.ptx @return table<string, DebugVariable[]>?
function debug_info.read(text)
  local info = reader(text:debug "debug_info")
  if not info:more() then return nil end
  local top, by_offset = entries(info, abbreviations(reader(text:debug "debug_abbrev")))
  local lists = reader(text:debug "debug_loc")
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
        local location = child[AT.location]
        local places = location and list_at(lists, location) or {}
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
