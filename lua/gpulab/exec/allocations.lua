-- What allocations of a program are called: by the variable that its source gives the address of, and the line.
--
--   cudaMalloc 3   ->   d_x (cudaMalloc at saxpy.cu:31)
--
-- Names are looked up when a message has one, so that a program that has no messages loses no time.
local lazy = require "gpulab.base.lazy"
local calls = lazy "gpulab.exec.calls"
local files = lazy "gpulab.base.files"
local lists = require "gpulab.base.lists"
local outcome = lazy "gpulab.base.outcome"
local places = lazy "gpulab.exec.places"
local text = require "gpulab.base.text"

local allocations = {}
allocations.__index = allocations

local MOST <const> = 10000 -- allocations; later ones keep their numbers
local MOST_SITES <const> = 500
local BACK <const> = 200     -- lines in which a variable is looked for
local AROUND <const> = 5   -- lines that a statement may be spread over, before and after the one that is known

function allocations.new() return setmetatable({ calls = {}, count = {}, sites = {} }, allocations) end

---A call allocated memory.
---@param call table as exec.run reports it
function allocations:add(call)
  if call.number > MOST then return end
  local site = table.concat(call.places, " ")
  self.count[site] = (self.count[site] or 0) + 1
  call.nth, call.site = self.count[site], site
  if call.nth == 1 and #self.sites < MOST_SITES then self.sites[#self.sites + 1] = call end
  self.calls[("%s %d"):format(call.kind, call.number)] = call
end

---A call freed memory.
---@param call table as exec.run reports it
function allocations:freed(call)
  local allocated = self.calls[call.buffer]
  if allocated then allocated.freed = call end
end

-- The source ----------------------------------------------------------------------------------------

local sources = {}

local function lines_of(path)
  sources[path] = sources[path] or text.lines(files.read(path) or "")
  return sources[path]
end

-- "&d_x", "(void **)&m.data", "reinterpret_cast<void **>(&p)": what it is the address of.
local function variable_in(argument)
  argument = argument:gsub("^%s*%(%s*void%s*%*%s*%*%s*%)", ""):gsub("^%s*[%w_]+_cast%s*<[^>]*>%s*%(", "")
  return argument:match "^%s*&%s*%(?%s*([%a_][%w_%.%[%]:%->]*)"
end

local function without_comments(line) return (line:gsub("/%*.-%*/", ""):gsub("//.*", "")) end

-- The statement that a line of a file is in, and by their numbers where its lines begin there.
local function statement_at(all, line)
  local first, last = line, line
  while first > 1 and line - first < AROUND and not all[first - 1]:match "[;{}]%s*$" do first = first - 1 end
  while last < #all and last - line < AROUND and not all[last]:match ";%s*$" do last = last + 1 end
  local parts, begins, length = {}, {}, 0
  for i = first, last do
    parts[#parts + 1], begins[i] = without_comments(all[i]), length + 1
    length = length + #parts[#parts] + 1
  end
  return table.concat(parts, " "), begins
end

-- The function that a call gets to: overloads of the headers call one of another name.
local REACHED <const> = { cudaMallocHost = "cudaHostAlloc", cudaMallocFromPool = "cudaMalloc" }
local function reached(name)
  name = name:gsub("_pt[sd][zs]$", ""):gsub("_v%d$", ""):gsub("Async$", "")
  return REACHED[name] or name
end

-- Does what is before a call on a line decide whether it is made?
local function is_conditional(before)
  before = " " .. before
  if before:find "[?}]" or before:find "%f[%w]else%f[%W]" or before:find "%f[%w]do%f[%W]" then return true end
  for _, word in ipairs { "if", "for", "while", "switch" } do
    if before:find("%f[%w]" .. word .. "%s*%b()") then return true end
  end
  return false
end

-- The calls of a function at a line: {call, argument, sure}; sure: they are made in this order, or none of them.
local function calls_at(path, line, name)
  local all = lines_of(path)
  if not all[line] then return {} end
  local statement, begins = statement_at(all, line)
  local found, here, from = {}, {}, 1
  for at, call, argument, behind in statement:gmatch "()(cu%w*[Aa]lloc%w*)%s*(%b())()" do
    local before = statement:sub(from, at - 1)
    local one = { call = call, argument = argument:sub(2), same = reached(call) == reached(name),
      sure = not is_conditional(from == 1 and before:match "[^;{}]*$" or before) }
    found[#found + 1], from = one, behind
    if at >= begins[line] and at < (begins[line + 1] or math.huge) then here[#here + 1] = one end
  end
  if #here > 0 then found = here end
  local same = lists.select(found, function(one) return one.same end)
  return #same > 0 and same or #found == 1 and found or {}
end

local function at(place) return ("%s:%d"):format(text.file_name(place.file), place.line) end

local function is_among(address, list)
  for _, other in ipairs(list) do
    if other == address then return true end
  end
  return false
end

-- Did the same call allocate when it was reached by another way? Then that is said, too.
local function is_shared(self, call, own)
  for _, other in pairs(self.calls) do
    if other.object == call.object and is_among(own[1].address, other.places)
      and not is_among(own[2].address, other.places) then return true end
  end
  return false
end

-- The how manieth call of its line it is, by the order in which they were made first.
local function rank_of(self, call, own)
  local addresses, before = {}, {}
  for _, other in ipairs(self.sites) do
    if other.object == call.object then lists.append(addresses, other.places) end
  end
  places.of(call.object, addresses) -- all at once
  for _, other in ipairs(self.sites) do
    local there = other.object == call.object and reached(other.call) == reached(call.call) and places.own(other)[1]
    if there and there.place.file == own.place.file and there.place.line == own.place.line then
      lists.add_new(before, there.address)
      if there.address == own.address then return #before end
    end
  end
end

-- The call in the source; nil: which one is not sure.
local function in_source(self, call, own)
  local found = calls_at(own.place.file, own.place.line, call.call)
  local sure = lists.find(found, function(one) return not one.sure end) == nil
  return #found == 1 and found[1] or sure and #found > 1 and found[rank_of(self, call, own)] or nil
end

local function describe(self, call)
  local own = places.own(call)
  if not own[1] then return {} end
  local place = own[1].place
  local one = in_source(self, call, own[1])
  local variable = one and variable_in(one.argument)
  local first = ("%s at %s"):format(one and one.call or calls.name(call), at(place))
  local where = first
  if own[2] and is_shared(self, call, own) then where = ("%s, called at %s"):format(where, at(own[2].place)) end
  if self.count[call.site] > 1 then where = ("%s, number %d"):format(where, call.nth) end
  return { variable = variable, where = where, first = first }
end

-- {variable?, where?, first?} of "cudaMalloc 3"; first: where without what tells several apart.
local function known(self, name)
  local call = self.calls[name]
  return call and #call.places > 0 and describe(self, call) or {}
end

---A text with the allocations by their names.
---@param said string @return string
function allocations:named(said)
  if not said:find("cudaMalloc", 1, true) then return said end
  local freed = (self.calls[said:match "cudaMalloc%a* %d+"] or {}).freed
  local place = freed and said:find("which was freed", 1, true) and calls.place(freed)
  if place and place.file then
    said = said:gsub("which was freed", ("%%0 (%s at %s)"):format(calls.name(freed), at(place)))
  end
  said = said:gsub("'(cudaMalloc%a* %d+)'", function(name)
    local k = known(self, name)
    return k.where and ("'%s'"):format(k.variable or k.where) or nil
  end)
  said = said:gsub("(cudaMalloc%a* %d+)( ?)(%(?)", function(name, blank, open)
    local k = known(self, name)
    if not k.where then return nil end
    if open ~= "" then
      return k.variable and ("%s (%s, "):format(k.variable, k.where) or ("%s%s%s"):format(k.where, blank, open)
    end
    return (k.variable and ("%s (%s)"):format(k.variable, k.where) or k.where) .. blank
  end)
  return said
end

---The variable of "cudaMalloc 3", or its line.
---@param name string @return string
function allocations:short(name)
  local k = known(self, name)
  return k.variable or k.first or name
end

-- What a variable or macro of this name is set to: the last place before a line; and whether it is an int.
local function set_before(all, line, name)
  for i = line, math.max(1, line - BACK), -1 do
    local kind, rest = all[i]:match("([%a_][%w_]*)%s+" .. name .. "%f[^%w_]%s*([^;]*)")
    if kind and kind ~= "return" then
      return kind == "int" or kind == "unsigned", kind == "define" and rest or rest:match "^=%s*(.*)$"
    end
  end
end

---What is to be said of the size of an allocation that is too small: by its call, which does not say sizeof.
---@param name string "cudaMalloc 3" @return string? hint
function allocations:size_hint(name)
  local call = self.calls[name]
  local own = call and #call.places > 0 and places.own(call)[1]
  local one = own and in_source(self, call, own)
  local size = one and one.argument:match "^[^,]*,%s*([^,]-)%s*%)?$"
  local all = own and lines_of(own.place.file)
  local is_int, value
  if size and size:match "^[%a_][%w_]*$" then is_int, value = set_before(all, own.place.line, size) end
  local bytes = size and ((size .. (value or "")):find "sizeof" or size:lower():find "byte")
  size = is_int and value and value:find "%*" and value or size
  if not size or size:find "sizeof" or size:find "^%d" then return nil end
  if not size:find "%*" then
    return not bytes and ("%s counts bytes: %s * sizeof(element)"):format(one.call, size) or nil
  end
  local variables = 0
  for variable in size:gmatch "%f[%w_][%a_][%w_]*" do
    if not set_before(all, own.place.line, variable) then return nil end
    variables = variables + 1
  end
  if variables < 2 then return nil end
  return ("%s is computed as an int, which ends at 2 147 483 647: (size_t)%s"):format(size, size)
end

---Names the allocations in what is said of a launch that did not end well.
---@param ended Outcome
function allocations:name_in_outcome(ended)
  local fault = ended.fault
  if fault then fault.message, fault.buffer = self:named(fault.message), fault.buffer and self:short(fault.buffer) end
  ended.message = self:named(ended.message)
  ended.report = outcome.describe(ended)
end

---Names the allocations in all texts of a table, in place.
---@param t table
function allocations:name_in(t)
  for key, value in pairs(t) do
    if type(value) == "string" then t[key] = self:named(value)
    elseif type(value) == "table" then self:name_in(value) end
  end
end

return allocations
