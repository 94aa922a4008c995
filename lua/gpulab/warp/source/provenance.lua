-- Where a value comes from: from a store back to the loads that fed it. The stepper knows when each lane wrote a
-- register last; from there the operands lead on, through shuffles to other lanes and through calls.
local failure = require "gpulab.base.failure"
local lists = require "gpulab.base.lists"

local provenance = {}

---@class Origin
---@field kind "load"|"parameter"|"other" @field time integer of the moment before it @field lane integer
---@field line integer @field instruction string
---@field address integer? of a load @field bytes integer? @field space string? @field name string of what is loaded

local VISITS <const>, LOADS <const> = 400, 8 -- instructions that are looked at; loads that are enough

-- The next instruction of the warp as a row of its function's code, which is returned, too; with the registers before
-- and behind the address in brackets.
local function next_row(d)
  local fn
  for _, frame in ipairs(d.moment.frames) do fn = fn or not frame.inlined and d.names.text:code(frame.name) or nil end
  local row = fn and fn.by_line[d.moment.text_line]
  if row and not row.values then
    row.first, row.values = {}, {}
    for i, o in ipairs(row.operands) do
      local into = i < (row.address or 0) and row.first or row.values
      if i ~= row.address and type(o) == "table" then table.move(o, 1, #o, #into + 1, into) end
    end
  end
  return row, fn
end

local function value_at(d, code, lane)
  return d.stepping:read({ code })[1].lanes[lane]
end

-- The moments at which registers were written for the lane, latest included; those that never were are left out.
local function writers(d, registers, lane)
  local codes, list = lists.map(registers, function(register) return register .. ":when" end), {}
  for i, read in ipairs(#codes > 0 and d.stepping:read(codes) or {}) do
    local when = read.lanes[lane]
    if when and when > 0 then list[#list + 1] = { time = when - 1, lane = lane, register = registers[i] } end
  end
  return list
end

-- An operand of the instruction as a number, for the lane: a register, or an immediate value.
local function operand(d, o, lane)
  if type(o) ~= "table" then return o end
  return o[1] and value_at(d, o[1] .. ":u32", lane)
end

-- The lane that a shuffle reads from, by the rules of PTX.
local function shuffled(d, row, lane)
  local b, c = operand(d, row.operands[3], lane), operand(d, row.operands[4], lane)
  if not b or not c then return nil end
  local segment, mode = c >> 8 & 31, row.op:match("^shfl%.sync%.(%a+)") or row.op:match("^shfl%.(%a+)")
  local most = lane & segment | c & 31 & ~segment
  local from = mode == "up" and lane - (b & 31) or mode == "down" and lane + (b & 31)
    or mode == "bfly" and lane ~ (b & 31) or lane & segment | b & 31 & ~segment
  local inside
  if mode == "up" then inside = from >= most else inside = from <= most end
  return row.operands[2][1], inside and from or lane
end

-- Back over a call: to the instruction that stored the parameter that is loaded here.
local function passed(d, row, entry)
  local number = row.symbol and row.symbol:match "_param_(%d+)$"
  if number and entry then return nil end
  for _ = 1, number and 64 or 4 do
    d:look { way = "instruction", back = true }
    local before = next_row(d)
    if not before or d.moment.halt == "begin" then return nil end
    local symbol = before.op:match "^st%.param" and before.symbol
    if symbol and (number and symbol == "param" .. number or not number and symbol:match "^func_retval") then
      return before.values
    end
  end
end

local function access_of(d, lane)
  local access = d.moment.accesses[1]
  return access and access.lanes[lane] and access or nil
end

-- A load as an origin: the bytes that went into the register.
local function loaded(d, row, item)
  local access = access_of(d, item.lane)
  local from = { kind = "load", time = item.time, lane = item.lane, line = d.moment.line, name = "",
    instruction = d.moment.instruction }
  if not access then return from end
  local bytes, part = access.width, 0
  for i, register in ipairs(row.first) do
    if #row.first > 1 and register == item.register then bytes, part = access.width // #row.first, i - 1 end
  end
  from.address, from.bytes, from.space, from.name = access.lanes[item.lane] + part * bytes, bytes, access.space,
    access.name
  from.offset = from.address - access.base
  return from
end

local loading <const> = lists.set "ld ldu atom tex suld ldmatrix cp"
local storing <const> = lists.set "st red atom cp"
local combining <const> = lists.set "mma wmma vote match redux activemask" -- lanes

-- Is the operation of one of these kinds?
local function is(kinds, op) return kinds[op:match "^%a+"] end

-- What the instruction at the moment contributes to an item: an origin, or registers of a lane to look at next.
local function contribution(d, row, item)
  local moment = d.moment
  if is(loading, row.op) then
    return loaded(d, row, item)
  elseif is(combining, row.op) then
    return { kind = "other", time = item.time, lane = item.lane, line = moment.line, instruction = moment.instruction }
  elseif row.op:match("^shfl") then
    local register, lane = shuffled(d, row, item.lane)
    return nil, { register }, lane
  elseif row.op:match("^selp") then
    local chosen = row.operands[(operand(d, row.operands[4], item.lane) or 0) ~= 0 and 2 or 3]
    return nil, type(chosen) == "table" and chosen or {}, item.lane
  end
  return nil, lists.select(row.reads, function(register) return not register:match("^%%p") end), item.lane
end

-- What one instruction contributes to registers that it wrote, all at once: origins, and what to look at next.
local function looked_at(d, items)
  local moment = d:look { way = "time", count = items[1].time }
  local row, fn = next_row(d)
  local found, further = {}, {}
  local function follow(registers, lane)
    lists.append(further, writers(d, registers, lane))
  end
  if row and row.op:match("^ld%.param") then
    local values = passed(d, row, fn.entry)
    for _, item in ipairs(values and items or {}) do follow(values, item.lane) end
    if not values then
      found[1] = { kind = "parameter", time = items[1].time, lane = items[1].lane, line = moment.line,
        instruction = moment.instruction }
    end
    return found, further
  end
  for _, item in ipairs(row and items or {}) do
    local from, registers, lane = contribution(d, row, item)
    found[#found + 1] = from
    follow(registers or {}, lane)
  end
  return found, further
end

-- Takes out the items of the latest moment.
local function latest(list)
  local time, items = -1, {}
  for _, item in ipairs(list) do time = math.max(time, item.time) end
  local seen = {}
  for i = #list, 1, -1 do
    local item = list[i]
    if item.time == time then
      table.remove(list, i)
      local key = item.register .. " " .. item.lane
      if not seen[key] then items[#items + 1] = item end
      seen[key] = true
    end
  end
  table.sort(items, function(x, y) return x.lane < y.lane end)
  return items
end

-- The registers of the value that the instruction stores at the address.
local function stored(row, access, at, lane)
  if #row.values > 1 and row.op:match("%.v%d") then
    local each = access.width // #row.values
    return { row.values[math.max(1, math.min(#row.values, 1 + (at - access.lanes[lane]) // each))] }
  end
  return row.values
end

---The loads that fed the value that the warp is about to store, for the lane in focus, the latest first; and what else
---it comes from: parameters, and instructions that combine lanes. The debugger stays where it is.
---@param d Debugger @param at integer? address of a byte of the store
---@return Origin[] loads, Origin[] others, boolean more are there than are listed
function provenance.of_store(d, at)
  local here, lane = d.moment, d.lane
  local row, access = next_row(d), access_of(d, lane)
  for _ = 1, 64 do -- at the beginning of a line the store is some instructions ahead
    if not row or not access or access.access == "load" or is(storing, row.op) then break end
    d:look { way = "instruction", count = 1 }
    row, access = next_row(d), access_of(d, lane)
  end
  if not row or not access or access.access == "load" or not is(storing, row.op) then
    d:look { way = "time", count = here.time }
    failure.usage("the next instruction stores nothing for lane " .. d.lane,
      "`origin EXPRESSION` goes back to a store")
  end
  local list = writers(d, stored(row, access, at or access.lanes[lane], lane), lane)
  local loads, others, visits = {}, {}, 0
  while #list > 0 and visits < VISITS and #loads < LOADS do
    visits = visits + 1
    local found, further = looked_at(d, latest(list))
    for _, from in ipairs(found) do
      table.insert(from.kind == "load" and loads or others, from)
    end
    lists.append(list, further)
  end
  d:look { way = "time", count = here.time }
  d.lane = lane
  return loads, others, #list > 0
end

---What the next instruction loads or stores for the lane in focus: {access, address, bytes, space}; nil if nothing.
function provenance.access(d)
  local access = access_of(d, d.lane)
  if not access then return nil end
  return { access = access.access, address = access.lanes[d.lane], bytes = access.width, space = access.space }
end

return provenance
