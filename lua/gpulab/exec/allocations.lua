-- What allocations of a program are called: by the variable that its source gives the address of, and the line.
--
--   cudaMalloc 3   ->   d_x (cudaMalloc at saxpy.cu:31)
--
-- Names are looked up when a message has one, so that a program that has no messages loses no time.
local lazy = require "gpulab.base.lazy"
local files = lazy "gpulab.base.files"
local outcome = lazy "gpulab.base.outcome"
local places = lazy "gpulab.exec.places"
local text = require "gpulab.base.text"

local allocations = {}
allocations.__index = allocations

local MOST <const> = 10000 -- allocations; later ones keep their numbers
local AROUND <const> = 5   -- lines that a statement may be spread over, before and after the one that is known

function allocations.new() return setmetatable({ calls = {}, count = {} }, allocations) end

---A call allocated memory.
---@param call table as exec.run reports it
function allocations:add(call)
  if call.number > MOST then return end
  local site = table.concat(call.places, " ")
  self.count[site] = (self.count[site] or 0) + 1
  call.nth, call.site = self.count[site], site
  self.calls[call.number] = call
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

-- The statement that a line of a file is in.
local function statement_at(all, line)
  local first, last = line, line
  while first > 1 and line - first < AROUND and not all[first - 1]:match "[;{}]%s*$" do first = first - 1 end
  while last < #all and last - line < AROUND and not all[last]:match ";%s*$" do last = last + 1 end
  return table.concat(all, " ", first, last)
end

-- The call and its variable in the statement at a line. Of several calls there it is not known which was meant.
local function in_source(path, line)
  local all = lines_of(path)
  local calls = {}
  for call, argument in (all[line] and statement_at(all, line) or ""):gmatch "(cuda%w*[Aa]lloc%w*)%s*(%b())" do
    calls[#calls + 1] = { call = call, argument = argument:sub(2) }
  end
  if #calls > 0 then return calls[1].call, #calls == 1 and variable_in(calls[1].argument) or nil end
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

local function describe(self, call)
  local own = places.own(call)
  if not own[1] then return {} end
  local place = own[1].place
  local name, variable = in_source(place.file, place.line)
  local first = ("%s at %s"):format(name or call.call, at(place))
  local where = first
  if own[2] and is_shared(self, call, own) then where = ("%s, called at %s"):format(where, at(own[2].place)) end
  if self.count[call.site] > 1 then where = ("%s, number %d"):format(where, call.nth) end
  return { variable = variable, where = where, first = first }
end

-- {variable?, where?, first?} of an allocation by its number; first: where without what tells several apart.
local function known(self, number)
  local call = self.calls[tonumber(number)]
  return call and #call.places > 0 and describe(self, call) or {}
end

---A text with the allocations by their names.
---@param said string @return string
function allocations:named(said)
  if not said:find("cudaMalloc", 1, true) then return said end
  said = said:gsub("'(cudaMalloc%a*) (%d+)'", function(_, number)
    local k = known(self, number)
    return k.where and ("'%s'"):format(k.variable or k.where) or nil
  end)
  said = said:gsub("(cudaMalloc%a* )(%d+)( ?)(%(?)", function(_, number, blank, open)
    local k = known(self, number)
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
  local k = known(self, name:match "^cudaMalloc%a* (%d+)$" or 0)
  return k.variable or k.first or name
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
