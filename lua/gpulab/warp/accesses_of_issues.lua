-- The way of a launch that is stepped to the accesses that an issue is about: methods of debuggers (debugger.lua).
local failure = require "gpulab.base.failure"
local lists = require "gpulab.base.lists"
local text = require "gpulab.base.text"

local methods = {}

local arrived -- fun(self: Debugger, moment: StepMoment): StepMoment

-- A site that loads is no store of the same line.
local function is_kind(access, site)
  local wanted = site and site.access
  return wanted ~= "load" and wanted ~= "store" or access.access == "atomic" or access.access == wanted
end

-- Where the buffer of an issue begins in this launch: a parameter's, or what an access to it says; nil: not known.
local function base_of(self, issue)
  for i, arg in ipairs(issue.space == "global" and self.args or {}) do
    if type(arg) == "userdata" and arg.name == issue.buffer then return self:base_of_argument(i) end
  end
  local known = lists.find(self.moment.accesses, function(access) return access.name == issue.buffer end)
  return known and known.base
end

-- The accesses from here to the next line that are those of an issue's site: of its line, its kind, its lane.
local function accesses_of(self, site)
  return lists.select(self.moment.accesses, function(access)
    return access.lanes[self.lane] and access.line == site.line and is_kind(access, site)
  end)
end

-- Does it touch the bytes that the issue is about? Where its buffer begins in another one's name, the address decides;
-- if that is not known, what leaves its own array is known by the array.
local function touches(self, access, issue, base)
  local from = access.name == issue.buffer and access.base or base
  if not from then return true end
  local offset = access.lanes[self.lane] - from
  return offset < issue.offset + issue.width and issue.offset < offset + access.width
end

---Is the lane about to access the bytes that the issue is about?
---@param issue Issue @param site IssueSite whose kind of access it has to be @param base integer? of the issue's buffer
---@return boolean
function methods:is_about(issue, site, base)
  if not issue.offset then return issue.check ~= "fault" end
  return lists.any(accesses_of(self, site), function(access) return touches(self, access, issue, base) end)
end

-- Is the fault that the launch has come to the access of the site?
local function is_fault_of(self, site)
  local fault = self.moment.fault
  local function is(a, b) return not b or table.concat(a, ",") == table.concat(b, ",") end
  return fault and fault.line == site.line and is(fault.thread, site.thread) and is(fault.block, site.block)
end

-- Goes to each moment at which a site's thread is about to run the line, in the order of this launch, until f(moment)
-- is true or the thread does not get there again. Says why it does not, if a fault ends the launch before.
local function go_through(self, site, f)
  local MOST <const> = 2000
  local block, warp, lane = self.block, self.warp, nil
  if site.block then block, warp, lane = self:place_of(site.block, site.thread) end
  local stops = { { number = 0, kind = "line", name = text.file_name(site.file), line = site.line,
    warp = lane and warp or nil, lanes = lane and 1 << lane or nil } }
  self.block, self.lane = block, lane or 0
  local m = arrived(self, self.stepping:go { way = "time", count = 0, block = block, warp = warp })
  for _ = 1, m.halt == "fault" and 0 or MOST do
    m = arrived(self, self.stepping:go { way = "on", count = 1, block = block, warp = warp, stops = stops })
    self.lane = lane or self.lane
    if m.halt ~= "stop" and m.halt ~= "fault" then return end
    if m.halt == "fault" and not is_fault_of(self, site) then break end
    if f(m) or m.halt == "fault" then return end
  end
  return m.halt == "fault" and m.message or nil
end

-- The visits at which the access is made that the issue is about, up to `enough`; where it is not, the first visit. n
-- is how often the thread has been at the line by then, and accesses how many of this kind and buffer it has made
-- there: more, where the compiler unrolled a loop. Nil, and the message: a fault ends the launch before.
local function visits(self, issue, site, enough)
  local found, first, n, accesses = {}, nil, 0, 0
  local base = issue.offset and base_of(self, issue)
  local fault = go_through(self, site, function(m)
    local faults, before = m.halt == "fault", accesses
    n = n + ((not faults or n == 0) and 1 or 0) -- it faults in the visit that it has begun
    local here = { time = m.time, warp = m.warp, n = n }
    for _, access in ipairs(issue.offset and not faults and accesses_of(self, site) or {}) do
      base = base or access.name == issue.buffer and access.base or nil
      local is_it = touches(self, access, issue, base)
      accesses = accesses + ((is_it or access.name == issue.buffer) and 1 or 0)
      if is_it and not here.accesses then
        here.accesses, here.access = accesses, accesses > before + 1 and access or nil
      end
    end
    first = first or here
    if faults then accesses = accesses + 1 end
    if faults or not issue.offset and self:is_about(issue, site) then here.accesses = accesses end
    if here.accesses then found[#found + 1] = here end
    return #found == enough
  end)
  if #found > 0 then return found end
  if fault then return nil, fault end
  if not first then
    failure.usage(("in this order of warps the thread does not get to line %d"):format(site.line))
  end
  return { first }
end

-- How often the warp of a visit was at a barrier before it.
local function barriers_before(events, visit)
  local n = 0
  for _, e in ipairs(events) do
    if e.barrier and e.warp == visit.warp and e.time < visit.time then n = n + 1 end
  end
  return n
end

-- Of the accesses of two threads of a block the first two that no barrier orders: the checker reports the later one
-- first. Where there are none in the order of this launch, the first of each.
local function unordered(self, issue)
  local MOST <const> = 200
  local later, fault = visits(self, issue, issue.sites[1], MOST)
  local earlier, other = visits(self, issue, issue.sites[2], MOST)
  if not later or not earlier then return nil, fault or other end
  if #later == 1 and #earlier == 1 then return { later[1], earlier[1] } end
  local events, reverse = self:trace(), nil
  for _, one in ipairs(later) do
    local barriers = barriers_before(events, one)
    for i = #earlier, 1, -1 do
      local two = earlier[i]
      if barriers_before(events, two) == barriers then
        if two.time <= one.time then return { one, two } end
        reverse = { one, two }
      end
    end
  end
  return reverse or { later[1], earlier[1] }
end

local function is_in_one_block(a, b)
  return b and a.block and b.block and table.concat(a.block, ",") == table.concat(b.block, ",")
end

-- On to the access, which follows others of its kind before the next line: of an unrolled loop.
local function go_to_access(self, access, site)
  local MOST <const> = 8
  local stop = { number = 0, kind = "address", address = access.lanes[self.lane], bytes = access.width,
    space = access.space, warp = self.warp, lanes = 1 << self.lane, stores = site.access == "store" }
  local lane, line = self.lane, self.moment.line
  for _ = 1, MOST do
    local m = self.stepping:go { way = "on", count = 1, block = self.block, warp = self.warp, stops = { stop } }
    arrived(self, m)
    self.lane = lane
    local next_one = m.accesses[1]
    if m.halt ~= "stop" or m.line ~= line or next_one and is_kind(next_one, site) then return end
  end
end

---Goes to the moment before an access that an issue is about: its first site, or another. Raises if the thread does
---not get there in the order of this launch. Nil, what happens, and not moved: a fault ends the launch before.
---@param issue Issue @param number integer? of the site
---@return StepMoment?, integer|string visits to the line by now, or the fault
---@return integer? accesses that the thread has made there, this one too, where they are not as many as the visits
function methods:show(issue, number)
  local site = issue.sites[number or 1]
  if not site or not site.line then
    failure.usage("this issue has no place in the code: " .. issue.message)
  end
  local first, second = issue.sites[1], issue.sites[2]
  local block, warp, lane, time = self.block, self.warp, self.lane, self.moment.time
  local found, fault
  if issue.offset and is_in_one_block(first, second) and first.line and second.line then
    self.pairs = self.pairs or {}
    found = self.pairs[issue]
    if not found then found, fault = unordered(self, issue) end
    self.pairs[issue] = found
  else
    found, fault = visits(self, issue, site, 1)
  end
  if not found then
    self.block, self.lane = block, lane
    arrived(self, self.stepping:go { way = "time", count = time, block = block, warp = warp })
    return nil, fault
  end
  local here = found[found[2] and number or 1]
  if self.moment.time ~= here.time or self.moment.line ~= site.line then
    go_through(self, site, function(m) return m.time == here.time end)
  end
  if here.access then go_to_access(self, here.access, site) end
  local several = not self.unoptimized and here.accesses ~= here.n and here.accesses
  return self.moment, here.n, several and several > 0 and several or nil
end

---Gives them to the class.
---@param class table @param arrive fun(self: Debugger, moment: StepMoment): StepMoment notes where the launch is
return function(class, arrive)
  arrived = arrive
  for name, method in pairs(methods) do class[name] = method end
end
