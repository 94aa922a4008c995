-- What expressions and variables are at the moment of a debugger, for each lane; elements of arrays.
local expression = require "gpulab.warp.source.expression"
local failure = require "gpulab.base.failure"

local values = {}

local Debugger = {}

---@return Value
function Debugger:compile(source)
  if self.moment.alive == 0 then
    failure.usage("the warp has ended: its lanes have no values", "`back` goes to the line before")
  end
  return expression.compile(source, self.names:scope(self.moment), self.names:types(self.moment))
end

---An expression whose value is shown after each move. Raises if it means nothing here.
---@param source string
function Debugger:display(source)
  local value = self:compile(source)
  if value.record or value.dims then
    failure.usage(("%s is more than one value: name a member or an element"):format(source))
  end
  self.displayed[#self.displayed + 1] = source
end

---@param number integer? nil: all
function Debugger:undisplay(number)
  if number then table.remove(self.displayed, number) else self.displayed = {} end
end

-- Debug information says where a variable is at an instruction: lanes that wait elsewhere have it where it is there.
-- {moment, mask} for each side of the warp that does not run.
local function elsewhere(self)
  local list, m, claimed = {}, self.moment, nil
  for _, side in ipairs(self.unoptimized and m.frames[1] and m.sides or {}) do
    local frame = m.frames[1]
    if claimed and side.mask & ~claimed ~= 0 and side.text_line > 0 and side.state ~= "returns" then
      list[#list + 1] = { mask = side.mask & ~claimed, moment = { file = frame.file, line = side.line,
        text_line = side.text_line, frames = { { name = frame.name, file = frame.file, line = side.line,
          inlined = false } } } }
    end
    claimed = (claimed or 0) | side.mask
  end
  return list
end

-- The lanes of the mask get what another code gives; without one nothing.
local function replace(self, read, mask, code)
  local other = code and self.stepping:read({ code })[1]
  for lane = 0, 31 do
    if mask >> lane & 1 == 1 then read.lanes[lane] = other and other.lanes[lane] end
  end
end

---The value of an expression for each lane: {type, lanes, trouble, value}.
function Debugger:evaluate(source)
  local value = self:compile(source)
  local read = self.stepping:read { value.code }[1]
  for _, side in ipairs(elsewhere(self)) do
    local ok, there = pcall(expression.compile, source, self.names:scope(side.moment), self.names:types(side.moment))
    if not ok or there.code ~= value.code then replace(self, read, side.mask, ok and there.code) end
  end
  read.value = value
  return read
end

-- Small structures as their members, small arrays of the lane's own as their elements: v.x, a[0].
local function unfold(v, into)
  local PARTS <const> = 8
  local function part(name, value)
    unfold({ name = name, type = v.type, value = value, fresh = v.fresh }, into)
  end
  local value = v.value
  local leaves = value and value.record and value.record.leaves
  if leaves and #leaves > PARTS then
    into[#into + 1] = v
  elseif value and value.record then
    for _, name in ipairs(value.record.names) do
      local member = value.record.member(name)
      if member then part(v.name .. "." .. name, member) end
    end
  elseif value and value.dims and value.space == "local" and #value.dims == 1 and value.dims[1] <= PARTS then
    for i = 0, value.dims[1] - 1 do
      part(("%s[%d]"):format(v.name, i), expression.index(value, expression.number(i, "s32")))
    end
  else
    into[#into + 1] = v
  end
end

---Variables in scope with their values: {name, type, read?, why?}; arrays and large structures without.
function Debugger:locals()
  local list, codes, at = {}, {}, {}
  for _, v in ipairs(self.names:visible(self.moment)) do unfold(v, list) end
  for _, v in ipairs(list) do
    if v.value and not v.value.dims and not v.value.record then
      codes[#codes + 1] = v.value.code
      at[#codes] = v
    end
  end
  for i, read in ipairs(self:read(codes)) do at[i].read = read end
  for _, side in ipairs(elsewhere(self)) do
    local there, by_name = {}, {}
    for _, v in ipairs(self.names:visible(side.moment)) do unfold(v, there) end
    for _, v in ipairs(there) do by_name[v.name] = v.value end
    for i, v in ipairs(at) do
      local value = by_name[v.name]
      if not value or value.code ~= codes[i] then replace(self, v.read, side.mask, value and value.code) end
    end
  end
  for i = #list, 1, -1 do
    if list[i].fresh and not (list[i].read and next(list[i].read.lanes)) then table.remove(list, i) end
  end
  return list
end

---Values of any number of expressions.
---@param codes string[] @return table[]
function Debugger:read(codes)
  local MOST <const> = 1000 -- of one stepping:read
  if #codes <= MOST then return #codes > 0 and self.stepping:read(codes) or {} end
  local found = {}
  for from = 1, #codes, MOST do
    local part = table.move(codes, from, math.min(#codes, from + MOST - 1), 1, {})
    table.move(self.stepping:read(part), 1, #part, from, found)
  end
  return found
end

-- The address that code gives; the lane in focus decides if the lanes differ. Also the lane, then.
local function one_address(self, code)
  local read = self.stepping:read({ code })[1]
  local first, same = nil, true
  for lane = 0, 31 do
    local at = read.lanes[lane]
    if at and first == nil then first = lane end
    same = same and (not at or at == read.lanes[first])
  end
  if not first then return nil end
  local lane = read.lanes[self.lane] and self.lane or first
  return read.lanes[lane], not same and lane or nil
end

---Where an array begins, or what a pointer points to: the address, and the lane whose it is if the lanes differ.
---@param value Value @return integer?, integer?
function Debugger:base_of(value) return one_address(self, value.code) end

---The elements of an array that is not indexed to its end: rows of columns. Known from the active lanes of the warp.
---@return table<integer, number>, integer, integer? elements, how many, and the lane whose they are if the lanes differ
function Debugger:elements(value, most)
  local dims, bytes = value.dims, value.element.bytes
  local total = 1
  for _, d in ipairs(dims) do total = total * d end
  if total == 0 then total = 32 end
  total = math.min(total, most or 4096)
  local lanes = {}
  for lane = 0, 31 do
    if self.moment.alive >> lane & 1 == 1 then lanes[#lanes + 1] = lane end
  end
  local address, own = one_address(self, value.code)
  if #lanes == 0 or not address then return {}, total end
  local found, codes = {}, {}
  local full = #lanes == 32
  for from = 0, total - 1, full and 32 or 1 do
    local at = ("#%x:u64"):format(address + from * bytes)
    if full then at = at .. (" %%laneid:u32 cvt:u32:u64 #%x:u64 mul:u64 add:u64"):format(bytes) end
    codes[#codes + 1] = expression.at(at, value.space or "generic", value.element).code
  end
  for i, read in ipairs(self:read(codes)) do
    for k = 0, full and 31 or 0 do
      local n = full and (i - 1) * 32 + k or i - 1
      if n < total then found[n] = read.lanes[full and k or lanes[1]] end
    end
  end
  return found, total, own
end

-- Pointers that the kernel is given, by address: the names of its parameters.
local function parameters_of(self)
  local source, found = self.names:source(self.names.path), {}
  local linked = self.kernel.linked
  local code = linked and self.names.text:code(linked)
  for _, f in ipairs(source and source.functions or {}) do
    for i, v in ipairs(f.kernel and f.name == self.kernel.name:match("([%a_][%w_]*)%f[^%w_]") and f.params or {}) do
      local read = v.pointer and code and code.params[i]
        and self.stepping:read({ ("param+%d:u64"):format(code.params[i].offset) })[1]
      local at = read and read.lanes[next(read.lanes) or -1]
      if at then found[at] = found[at] or v.name end
    end
  end
  return found
end

---The name of a parameter that points to this address; nil if there is none. The source has this name, and not the
---one of the buffer.
---@param address integer @return string?
function Debugger:parameter_at(address)
  if not self.given then self.given = parameters_of(self) end
  return self.given[address]
end

---Gives a class these methods.
function values.add(class)
  for name, method in pairs(Debugger) do class[name] = method end
end

return values
