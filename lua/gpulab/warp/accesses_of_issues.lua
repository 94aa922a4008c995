-- The way of a launch that is stepped to the accesses that an issue is about: methods of debuggers (debugger.lua).
local failure = require "gpulab.base.failure"
local text = require "gpulab.base.text"

local methods = {}

local arrived -- fun(self: Debugger, moment: StepMoment): StepMoment

-- A site that loads is no store of the same line.
local function is_kind(access, site)
  local wanted = site and site.access
  return wanted ~= "load" and wanted ~= "store" or access.access == "atomic" or access.access == wanted
end

---Is the lane about to access the bytes that the issue is about? What leaves its own array is known by the array.
---@param issue Issue @param site IssueSite? whose kind of access it has to be @return boolean
function methods:is_about(issue, site)
  if not issue.offset then return true end
  for _, access in ipairs(self.moment.accesses) do
    local at = access.lanes[self.lane]
    local offset = at and at - access.base
    if offset and access.line == self.moment.line and is_kind(access, site) then
      local apart = offset >= issue.offset + issue.width or issue.offset >= offset + access.width
      if access.name ~= issue.buffer or not apart then return true end
    end
  end
  return false
end

-- Goes to each moment at which a site's thread is about to run the line, in the order of this launch, until
-- f(moment, n) is true or the thread does not get there again.
local function go_through(self, site, f)
  local MOST <const> = 2000
  local block, warp, lane = self.block, self.warp, nil
  if site.block then block, warp, lane = self:place_of(site.block, site.thread) end
  local stops = { { number = 0, kind = "line", name = text.file_name(site.file), line = site.line,
    warp = lane and warp or nil, lanes = lane and 1 << lane or nil } }
  self.block, self.lane = block, lane or 0
  arrived(self, self.stepping:go { way = "time", count = 0, block = block, warp = warp })
  for n = 1, MOST do
    local m = arrived(self, self.stepping:go { way = "on", count = 1, block = block, warp = warp, stops = stops })
    self.lane = lane or self.lane
    if m.halt ~= "stop" and m.halt ~= "fault" then return end
    if f(m, n) or m.halt == "fault" then return end
  end
end

-- The visits at which the access is made that the issue is about, up to `enough`; where it is not, the first visit.
local function visits(self, issue, site, enough)
  local found, first = {}, nil
  go_through(self, site, function(m, n)
    local here = { time = m.time, n = n, warp = m.warp }
    first = first or here
    if m.halt == "fault" or self:is_about(issue, site) then found[#found + 1] = here end
    return #found == enough
  end)
  if not first then
    failure.usage(("in this order of warps the thread does not get to line %d"):format(site.line))
  end
  return #found > 0 and found or { first }
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
  local later, earlier = visits(self, issue, issue.sites[1], MOST), visits(self, issue, issue.sites[2], MOST)
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

---Goes to the moment before an access that an issue is about: its first site, or another. Raises if the thread does
---not get there in the order of this launch.
---@param issue Issue @param number integer? of the site @return StepMoment @return integer visits to the line by now
function methods:show(issue, number)
  local site = issue.sites[number or 1]
  if not site or not site.line then
    failure.usage("this issue has no place in the code: " .. issue.message)
  end
  local first, second = issue.sites[1], issue.sites[2]
  local here
  if issue.offset and is_in_one_block(first, second) and first.line and second.line then
    self.pairs = self.pairs or {}
    self.pairs[issue] = self.pairs[issue] or unordered(self, issue)
    here = self.pairs[issue][number or 1]
  else
    here = visits(self, issue, site, 1)[1]
  end
  if self.moment.time ~= here.time or self.moment.line ~= site.line then
    go_through(self, site, function(_, n) return n == here.n end)
  end
  return self.moment, here.n
end

---Gives them to the class.
---@param class table @param arrive fun(self: Debugger, moment: StepMoment): StepMoment notes where the launch is
return function(class, arrive)
  arrived = arrive
  for name, method in pairs(methods) do class[name] = method end
end
