-- A launch that is stepped: where it stands, its stops, and what its names mean there. Nothing here prints.
local conditions = require "gpulab.warp.source.condition"
local failure = require "gpulab.base.failure"
local host = require "gpulab.host"
local launch_list = require "gpulab.run.launch_list"
local lists = require "gpulab.base.lists"
local names = require "gpulab.warp.source.names"
local text = require "gpulab.base.text"
local values = require "gpulab.warp.source.values"

local debugger = {}

local Debugger = {}
Debugger.__index = Debugger

---@class Debugger
---@field kernel Kernel @field config table @field title string @field unoptimized boolean
---@field stepping Stepping @field names table @field moment StepMoment
---@field block integer linear @field warp integer @field lane integer
---@field named (fun(message: string): string)? puts the source's names in a message
---@field stops table[] {number, kind, what, temporary, hits} @field displayed string[] expressions

local function three(v)
  if type(v) ~= "table" then v = { v } end
  return { v[1] or 1, v[2] or 1, v[3] or 1 }
end

---A launch that is stepped already.
---@param stepping Stepping @param kernel Kernel|table @param config table @param title string
---@param args table? nil: not known, so that no other run of the launch can be made
function debugger.of(stepping, kernel, config, title, args)
  local self = setmetatable({ kernel = kernel, config = config, args = args, title = title, block = 0, warp = 0,
    lane = 0, stops = {}, displayed = {}, numbers = 0, grid = three(config.grid), threads = three(config.block),
    stepping = stepping, names = names.new(kernel) }, Debugger)
  self.unoptimized = self.names.debug ~= nil
  self.moment = self.stepping:go { way = "time", count = 0 }
  return self
end

---@param kernel Kernel @param config table @param args table @param title string
function debugger.open(kernel, config, args, title)
  return debugger.of((kernel.module and gpu.step)(kernel, config, args), kernel, config, title, args)
end

---Opens a launch of a record with the inputs that it had, all launches before it done.
---@param record Record
---@param options {number: integer?, plain: boolean?, writes: boolean?}? the launch: the numbered one, else the first,
---or the last that takes the step's output; plain: without optimization
---@return Debugger, fun()? close, Buffer? output
function debugger.of_record(record, options)
  return record:with_launch(options or {}, function(kernel, config, args)
    local d = debugger.open(kernel, config, args, record.step and record.id or kernel.name)
    d.named = record:namer()
    return d
  end)
end

-- The kernel and its arguments, for another run of the launch.
local function arguments(self, instead)
  if not self.args then
    failure.usage("not for a launch of a program: its arguments are known as bytes only", instead)
  end
  return self.kernel, self.config, self.args
end

function Debugger:close()
  self.stepping:close()
end

-- Going -------------------------------------------------------------------------------------------

local function armed(self)
  local list = {}
  for _, stop in ipairs(self.stops) do
    for _, part in ipairs(stop.off and {} or stop.parts or { {} }) do
      local order = { condition = part.code, first = part.first, last = part.last }
      for key, v in pairs(stop.order) do order[key] = v end
      list[#list + 1] = order
    end
  end
  return list
end

local function lowest_lane(mask)
  local lane = 0
  while lane < 31 and mask >> lane & 1 == 0 do lane = lane + 1 end
  return lane
end

-- After a move: the focus follows, and temporary stops that were met are gone.
local function arrived(self, moment)
  self.moment, self.warp, self.met = moment, moment.warp, nil
  if self.named and moment.message ~= "" then moment.message = self.named(moment.message) end
  if moment.alive ~= 0 and moment.alive >> self.lane & 1 == 0 then self.lane = lowest_lane(moment.alive) end
  for i = #self.stops, 1, -1 do
    local stop = self.stops[i]
    if moment.halt == "stop" and stop.number == moment.stop then
      stop.hits = stop.hits + 1
      self.met = stop
      if stop.temporary then table.remove(self.stops, i) end
    end
  end
  return moment
end

---Runs as gpu.step's go; with the stops, unless it is to a time.
---@param way string @param options? {back: boolean?, count: integer?}
---@return StepMoment
function Debugger:go(way, options)
  options = options or {}
  local ok, moment = host.catch(self.stepping.go, self.stepping, { way = way, back = options.back,
    count = options.count or 1, block = self.block, warp = self.warp, stops = way ~= "time" and armed(self) or nil })
  if ok then return arrived(self, moment) end
  if failure.kind(moment) == "interrupted" then -- it has gone somewhere
    arrived(self, self.stepping:go { way = "here", block = self.block, warp = self.warp })
    self.moment.halt = "interrupted"
  end
  error(moment, 0)
end

---What the block has printed since an earlier moment of it, in lines; nil: nothing.
---@param before StepMoment @return string?
function Debugger:printed_since(before)
  local m = self.moment
  local new = m.printed_bytes - before.printed_bytes
  for i = 1, 3 do
    if m.block[i] ~= before.block[i] then return nil end
  end
  if new <= 0 then return nil end
  if new > #m.printed then return "…" .. m.printed end
  return m.printed:sub(-new)
end

---To the beginning of the block.
function Debugger:restart() return self:go("time", { count = 0 }) end

-- Back to where a search began.
local function return_to(self, block, warp, time)
  return arrived(self, self.stepping:go { way = "time", count = time, block = block, warp = warp })
end

---Another warp of the block at this moment, or another block at its beginning.
function Debugger:focus(block, warp)
  local moved = block ~= self.block
  local before_block, before_warp = self.block, self.warp
  self.block, self.warp = block, warp
  local ok, moment = pcall(self.go, self, "time", { count = moved and 0 or self.moment.time })
  if not ok then
    self.block, self.warp = before_block, before_warp
    error(moment, 0)
  end
  return moment
end

---The number of a block from its coordinates; raises if the grid has none.
function Debugger:block_number(x, y, z)
  for i, v in ipairs { x, y, z } do
    if v < 0 or v >= self.grid[i] then
      failure.usage(("the grid has no block (%d,%d,%d): it is %d x %d x %d blocks"):format(x, y, z,
        self.grid[1], self.grid[2], self.grid[3]))
    end
  end
  return x + self.grid[1] * (y + self.grid[2] * z)
end

---Block and warp of a thread, and its lane.
function Debugger:place_of(block, thread)
  local linear = thread[1] + self.threads[1] * (thread[2] + self.threads[2] * thread[3])
  return self:block_number(block[1], block[2], block[3]), linear // 32, linear % 32
end

-- Stops -------------------------------------------------------------------------------------------

local function add(self, order, what, temporary)
  self.numbers = self.numbers + 1
  order.number = self.numbers
  local stop = { number = self.numbers, order = order, what = what, temporary = temporary, hits = 0 }
  self.stops[#self.stops + 1] = stop
  return stop
end

-- Lines of a file that have code, ascending.
local function lines_of(self, file)
  local seen = {}
  for _, place in ipairs(self.stepping:places()) do
    local path = place.file
    if path == file or path:sub(-#file - 1) == "/" .. file then seen[place.line] = true end
  end
  return lists.keys(seen)
end

---Does the launch have code of the file, at the line or between it and the next one that has code?
---@param file string @param line integer
function Debugger:has_line(file, line)
  local lines = lines_of(self, file)
  return #lines > 0 and lines[1] <= line and line <= lines[#lines]
end

---The first line of a function of the kernel's file. @param name string @return integer?
function Debugger:line_of(name)
  local source = self.names:source(self.names.path)
  for _, f in ipairs(source and source.functions or {}) do
    if f.name == name:match("^[%a_][%w_]*") then return f.first end
  end
end

---A stop at FILE:LINE, LINE or the name of a function; at the next line that has code.
---@param where string @param condition string? @param temporary boolean?
function Debugger:stop_at(where, condition, temporary)
  local file, line = where:match("^(.-):(%d+)$")
  if not line then line = where:match("^(%d+)$") end
  local order = { kind = "line" }
  if line then
    file, line = file or text.file_name(self.moment.file ~= "" and self.moment.file or self.names.path), tonumber(line)
  else
    local source = self.names:source(self.names.path)
    file, line = text.file_name(self.names.path), self:line_of(where)
    if not line then
      local near = text.nearest(where, lists.map(source and source.functions, "name"))
      failure.usage(("%s is neither FILE:LINE nor a function of %s"):format(where,
        text.file_name(self.names.path)), near and ("did you mean %s?"):format(near) or nil)
    end
  end
  local lines = lines_of(self, file)
  local at = lists.find(lines, function(l) return l >= line end)
  if not at then
    failure.usage(("the kernel has no code at or after %s:%.0f"):format(file, line),
      #lines > 0 and ("lines %d to %d have code"):format(lines[1], lines[#lines]) or "`info source` names the file")
  end
  order.name, order.line = file, at
  local what, parts, without = ("%s:%d"):format(file, at), nil, nil
  if condition then
    parts, without = conditions.at(self, condition, file, at)
    what = what .. " if " .. condition
  end
  local stop = add(self, order, what, temporary)
  stop.parts, stop.without = parts, without
  return stop
end

-- How many calls deep the moment is, from 1 on; nil: deeper than is known.
local function calls_deep(moment)
  local MOST <const> = 64
  local depth = 0
  for _, frame in ipairs(moment.frames) do depth = depth + (frame.inlined and 0 or 1) end
  return #moment.frames < MOST and depth or nil
end

---A stop where the value of an expression changes, for a lane of the warp in focus. A variable of a function is
---followed from place to place, in this call of the function.
function Debugger:watch(what)
  local value = self:compile(what)
  if value.code:match("^#%x+:[su]64$") then return self:watch_access(what, true) end
  local parts, unknown = conditions.changes(self, what)
  if not value.code:find("[%%!]") and not value.code:find("load:", 1, true) then
    failure.usage(("%s never changes"):format(what), "for example: watch sum, or watch 0x10000300000")
  end
  local stop = add(self, { kind = "change", depth = parts[1].first and calls_deep(self.moment) or nil },
    what .. " changes")
  stop.expression, stop.parts, stop.unknown = what, parts, unknown
  return stop
end

---A stop before an access to what the expression names in memory.
function Debugger:watch_access(what, stores)
  local at = self:place_in_memory(what)
  return add(self, { kind = "address", address = at.address, bytes = at.bytes, space = at.space, stores = stores },
    ("%s is %s"):format(what, stores and "written" or "accessed"))
end

---The bytes an expression names in memory, or 4 at an address: {address, bytes, space}.
function Debugger:place_in_memory(what)
  local number = self:compile(what).code:match("^#(%x+):[su]64$")
  if number then return { address = tonumber(number, 16), bytes = 4, space = "global" } end
  local value, target = self:compile("&(" .. what .. ")"), self:compile(what)
  local read = self.stepping:read { value.code }[1]
  local address = read.lanes[self.lane] or read.lanes[0]
  if not address then
    failure.usage(("%s has no address here: %s"):format(what, read.trouble or "no value"))
  end
  return { address = address, bytes = target.bytes or 4, space = target.space == "generic" and "global"
    or target.space }
end

-- The lane in focus becomes the one that is about to store to the bytes; in local memory it is.
local function lane_that_stores(self, at)
  if at.space == "local" then return end
  for _, access in ipairs(self.moment.accesses) do
    for lane = 0, 31 do
      local from = access.lanes[lane]
      if access.access ~= "load" and from and from < at.address + at.bytes and at.address < from + access.width then
        self.lane = lane
      end
    end
  end
end

-- Local memory has the same addresses in each thread: only stores by the thread in focus are to its bytes.
local function stores_to(self, at)
  local own = at.space == "local"
  return { number = 0, kind = "address", address = at.address, bytes = at.bytes, space = at.space, stores = true,
    warp = own and self.warp or nil, lanes = own and 1 << self.lane or nil }
end

---Another moment, without its stops and with the same lane in focus: for what has to look around and come back.
---@param go table as of gpu.step @return StepMoment
function Debugger:look(go)
  go.block, go.warp = self.block, self.warp
  self.moment = self.stepping:go(go)
  return self.moment
end

---To the last store to the bytes, by a thread of this block before this moment. False, and not moved: there is none.
---@param at {address: integer, bytes: integer, space: string}
function Debugger:to_last_store(at)
  local time, warp = self.moment.time, self.warp
  local moment = self.stepping:go { way = "on", back = true, block = self.block, warp = warp,
    stops = { stores_to(self, at) } }
  if moment.halt ~= "stop" then
    return_to(self, self.block, warp, time)
    return false
  end
  arrived(self, moment)
  lane_that_stores(self, at)
  return true
end

-- What is in some bytes of global memory when a block is about to begin.
local function contents_before(self, block, at)
  local codes = {}
  for i = 0, at.bytes - 1 do codes[#codes + 1] = ("#%x:u64 load:global:u8:u32"):format(at.address + i) end
  self.stepping:go { way = "time", count = 0, block = block, warp = 0 }
  return table.concat(lists.map(self.stepping:read(codes), function(read) return read.lanes[0] end), " ")
end

---To the store that leaves bytes of global memory as they are at the end, in the block that changes them. False, and
---not moved: no block does. The blocks run one after another, so a search by halves finds the one after which the
---bytes are different.
---@param at {address: integer, bytes: integer}
function Debugger:last_store(at)
  local block, warp, time = self.block, self.warp, self.moment.time
  local initial = contents_before(self, 0, at)
  local low, high = 0, self.grid[1] * self.grid[2] * self.grid[3] - 1
  while low < high do -- the block that changes them is one of low to high
    local middle = (low + high + 1) // 2
    if contents_before(self, middle, at) == initial then low = middle else high = middle - 1 end
  end
  local function go(options)
    options.block, options.warp = low, options.warp or 0
    return self.stepping:go(options)
  end
  local stops, last = { stores_to(self, { address = at.address, bytes = at.bytes, space = "global" }) }, nil
  local moment = go { way = "time", count = 0 }
  for _ = 1, 4096 do
    moment = go { way = "on", count = 1, warp = moment.warp, stops = stops }
    if moment.halt ~= "stop" then break end
    last = moment
  end
  if not last then
    return_to(self, block, warp, time)
    return false
  end
  self.block = low
  arrived(self, go { way = "time", count = last.time, warp = last.warp })
  lane_that_stores(self, at)
  return true
end

---Where the buffer of the i-th argument begins, at the beginning of the launch: block 0 begins in any case.
function Debugger:base_of_argument(i)
  self.stepping:go { way = "time", count = 0, block = 0, warp = 0 }
  local offset = self.names.text:code(self.kernel.linked).params[i].offset
  return self.stepping:read { ("param+%d:u64"):format(offset) }[1].lanes[0]
end

---The bytes of an element of a buffer that the launch is given; raises if it is not given.
---@param buffer Buffer @param index integer from 0 @return {address: integer, bytes: integer, space: string}
function Debugger:element(buffer, index)
  for i = 1, #(self.args or {}) do
    if self.args[i] == buffer then
      local bytes, base = buffer.bytes // #buffer, self:base_of_argument(i)
      self:look { way = "time", count = 0 }
      return { address = base + index * bytes, bytes = bytes, space = "global" }
    end
  end
  failure.usage("the launch is not given this buffer")
end

---Removes stops; all of them without a number.
function Debugger:delete(number)
  for i = #self.stops, 1, -1 do
    if not number or self.stops[i].number == number then
      table.remove(self.stops, i)
      if number then return end
    end
  end
  if number then failure.usage(("there is no stop %d"):format(number), "`info breakpoints` lists them") end
end

values.add(Debugger)

-- The whole block --------------------------------------------------------------------------------

---What the warps of the block do from its beginning to its end, in their order: events of a moment, and the time at
---the end. The debugger stays where it is.
function Debugger:trace()
  local time, block, warp = self.moment.time, self.block, self.warp
  self.stepping:go { way = "time", count = 0, block = block, warp = warp }
  local ended = self.stepping:go { way = "on", trace = true, block = block, warp = warp }
  return_to(self, block, warp, time)
  return ended.events, ended.time
end

---What the warps of the block do by the model of the stepper's GPU, as gpu.count gives it; nil if the model has no
---replay. Of a launch with very many blocks a sample is replayed, which may lack the block: its number is in `block`.
---@return table? timeline, table? counters of the launch
function Debugger:replayed()
  local WHOLE <const>, SAMPLE <const>, BUDGET <const> = 1 << 18, 480, 50e6 -- WHOLE: warps
  local key = self.block
  self.replays = self.replays or {}
  if self.replays[key] == nil then
    local options = { models = { self.stepping.gpu }, timeline = self.block }
    local warps = self.grid[1] * self.grid[2] * self.grid[3] * #self.moment.warps
    if warps > WHOLE and not self.config.cooperative then
      options.sample, options.instructions = SAMPLE, BUDGET
    end
    local kernel, config, args = arguments(self, "`timeline` without cycles shows the emulator's operations")
    local report = gpu.count(kernel, config, args, options)
    self.replays[key] = { timeline = report.items[1].timeline, counters = report.counters }
  end
  return self.replays[key].timeline, self.replays[key].counters
end

-- Issues ------------------------------------------------------------------------------------------

-- What a launch that did not end well says, as an issue.
local function issue_of(e)
  local fault = type(e) == "table" and e.outcome and e.outcome.fault
  if not fault or not fault.located then return nil end
  return { check = "fault", message = fault.message, count = 1, sites = { { file = fault.file, line = fault.line,
    block = three(fault.block), thread = three(fault.thread), access = fault.access } } }
end

---What the checkers report about the launch: its buffers as they were when stepping began, for the first call.
---@return Issue[]
function Debugger:issues()
  if self.found then return self.found end
  local kernel, config, args = arguments(self, "gpulab exec --check all runs the checkers")
  local ok, report = pcall(gpu.check, kernel, config, args, "all", 0)
  if ok then
    self.found = report.findings
  else
    self.found = type(report) == "table" and report.findings or {}
    local fault = issue_of(report)
    if fault then table.insert(self.found, fault) end
    if #self.found == 0 then error(report, 0) end
  end
  launch_list.name_elements(self.found, { { args = args } })
  for _, issue in ipairs(self.named and self.found or {}) do issue.message = self.named(issue.message) end
  return self.found
end

require "gpulab.warp.accesses_of_issues"(Debugger, arrived)

-- Faults ------------------------------------------------------------------------------------------

-- To a fault in the block from where it is, without stops.
local function faults_in(self, block, count)
  self.stepping:go { way = "time", count = count, block = block, warp = self.warp }
  local moment = self.stepping:go { way = "on", block = block, warp = 0 }
  if moment.halt ~= "fault" then return false end
  self.block = block
  arrived(self, moment)
  self.lane = lowest_lane(moment.mask)
  return true
end

-- Does a block before this one fault? They run as in any launch.
local function faults_before(self, block)
  return self.stepping:go({ way = "time", count = 0, block = block, warp = 0 }).halt == "fault"
end

---To the first fault from here on: in this block, then in the blocks after it. False, and not moved: there is none.
function Debugger:to_fault()
  local block, warp, time = self.block, self.warp, self.moment.time
  local found = faults_in(self, block, time)
  local low, high = block + 1, self.grid[1] * self.grid[2] * self.grid[3] - 1
  self.warp = 0
  if not found and low <= high then
    if not faults_before(self, high) then low = high end
    while low < high do -- the first block that faults is one of low to high - 1
      local middle = (low + high) // 2
      if faults_before(self, middle + 1) then high = middle else low = middle + 1 end
    end
    found = faults_in(self, low, 0)
  end
  if not found then return_to(self, block, warp, time) end
  return found
end

-- Text --------------------------------------------------------------------------------------------

---The name of a file without its folders, as it can be printed.
function debugger.file_name(path) return text.printable(text.file_name(path)) end

---A line of the source; nil if it is not known.
function Debugger:source_line(path, line)
  local source = self.names:source(path)
  return source and source.lines[line]
end

---The function's name as in the source, from the frame's.
function Debugger:function_name(frame)
  local f = self.names:at(frame.file, frame.line)
  if f and not f.kernel then return f.name end
  if f and f.name == self.kernel.name:match("^[%a_][%w_]*") then return self.kernel.name end
  local frames = self.moment.frames
  return f and f.name or frame == frames[#frames] and self.kernel.name or frame.name
end

---"(1,0,0)": of the block in focus, or of the one with this number.
---@param number integer?
function Debugger:block_text(number)
  local b = self.moment.block
  if number then
    b = { number % self.grid[1], number // self.grid[1] % self.grid[2], number // self.grid[1] // self.grid[2] }
  end
  return ("(%d,%d,%d)"):format(b[1], b[2], b[3])
end

return debugger
