-- The records that a prompt knows: the launches typed or made by a script, and those of an open lab, if there is one.
local failure = require "gpulab.base.failure"
local host = require "gpulab.host"
local launch = require "gpulab.record.launch"
local lists = require "gpulab.base.lists"
local text = require "gpulab.base.text"

local list = {}

local KEPT <const> = 32           -- launches whose inputs are kept
local KEPT_BYTES <const> = 1 << 28 -- of their buffers, which are not freed as long; the last two are kept at any size
local MOST <const> = 1000         -- records
local COUNTED <const> = 8         -- launches of one line that are counted as they run; the others when a view asks

---@class RecordList
---@field launches LaunchRecord[] the oldest first @field made integer launches so far
---@field used Record[] by the views of this line
---@field latest LaunchRecord? what views act on; nil: the lab's current step
---@field lab table? {find(words), names()}: an open lab
---@field typed boolean lines are typed: their launches are counted
---@field models string[] to predict besides the device's own
---@field checks string[]? checkers that look at each launch @field checked fun(launch: LaunchRecord)? what they found
---@field issues boolean? they found some
local RecordList = {}
RecordList.__index = RecordList

---@return RecordList
function list.new()
  return setmetatable({ launches = {}, used = {}, made = 0, typed = false, in_line = 0, models = {} }, RecordList)
end

-- Launching -----------------------------------------------------------------------------------------

-- The buffers of a launch that are not among those seen.
local function new_bytes(call, seen)
  local bytes = 0
  for _, arg in ipairs(call.args) do
    local buffer = host.buffer_of(arg)
    if buffer and not seen[buffer] then
      seen[buffer], bytes = true, bytes + buffer.bytes
    end
  end
  return bytes
end

local function bound(self)
  local all, seen, bytes = self.launches, {}, 0
  for i = #all, 1, -1 do
    local one, back = all[i], #all - i
    if not one.call then break end
    bytes = bytes + new_bytes(one.call, seen)
    if back >= 2 and (back >= KEPT or bytes > KEPT_BYTES) then one:let_go() end
  end
  if #all > MOST then table.remove(all, 1) end
end

local function add(self, kernel, config, args)
  local made = launch.new(self.made + 1, kernel, config, args)
  self.made = self.made + 1
  self.launches[#self.launches + 1], self.latest = made, made
  bound(self)
  return made
end

---Records the launches k{...}(...) from now on.
function RecordList:watch()
  host.on_launch(function(kernel, config, ...)
    local made = add(self, kernel, config, { ... })
    self.in_line = self.in_line + 1
    local counting = self.typed and self.in_line <= COUNTED
    local made_it, outcome = host.catch(made.run, made, counting, self.models, self.checks)
    if made.issues then self.checked(made) end
    if not made_it then error(outcome, 0) end
    if outcome.status ~= "ok" then error(launch.problem(outcome), 0) end
    return outcome
  end)
end

---Takes launches that a program made, in place of those of the run before: numbers go on.
---@param launches ProgramLaunch[]
function RecordList:take(launches)
  self.launches = lists.select(self.launches, function(one) return not one.group end)
  for _, one in ipairs(launches) do
    self.made = self.made + 1
    one.number, one.id = self.made, "#" .. self.made
    self.launches[#self.launches + 1] = one
  end
end

---A line begins.
function RecordList:next_line() self.in_line, self.used = 0, {} end

local function use(self, record)
  self.used[#self.used + 1] = record
  return record
end

-- Finding -------------------------------------------------------------------------------------------

---The kernels of the open file, whatever a script has made of k since.
---@return string[]
function list.kernels()
  local kernels = rawget(_G, "k")
  local names = rawget(type(kernels) == "table" and debug.getmetatable(kernels) or {}, "__completes")
  return names and names() or {}
end

---A launch as it is typed, of a kernel of the open file if there is one.
---@param config string? "grid=1, block=32" @return string
function list.example(config)
  local name = lists.find(list.kernels(), function(name) return name:match "^[%a_][%w_]*$" end)
  return ("k.%s{%s}(%s)"):format(name or "scale", config or "grid=1, block=32", name and "..." or "x, 5")
end

local function form() return "for example: " .. list.example() end

---The launch that a function makes, recorded and not made.
---@param f function @return LaunchRecord?
function RecordList:captured(f, ...)
  local made
  host.on_launch(function(kernel, config, ...)
    made = add(self, kernel, config, { ... })
    made.asked = self.models
    return { status = "ok", ms = 0, message = "", output = "", report = "" }
  end)
  local ok, e = host.catch(f, ...)
  self:watch()
  if not ok then error(e, 0) end
  return made
end

local function written(self, source)
  local chunk, problem = load("return " .. source, "=launch", "t")
  local ok, e, made = chunk ~= nil, problem, nil
  if chunk then ok, made = host.catch(self.captured, self, chunk) end
  if chunk and not ok then e = made end
  if not ok and type(e) == "string" then
    local said = e:match("bad argument #%d+ to '[^']*' %((.*)%)") or e
    said = said:gsub("^launch:%d+: ", ""):gsub("^launch of [^:]*: ", "")
    failure.usage("not a launch: " .. said, form())
  end
  if not ok then error(e, 0) end
  if not made then failure.usage("no kernel is launched there", form()) end
  return made
end

---Is the text a launch?
function list.is_launch(source) return source:match("[%w_%]%)]%s*{") ~= nil end

---Does the text begin with a launch, which may take a while before anything of it is seen?
---@param source string @return boolean
function list.begins_with_launch(source)
  local rest = source:match("^%s*[%a_][%w_%.]*(.*)$")
  return rest ~= nil and (rest:gsub("^%b[]", "")):match("^%s*%b{}%s*%(") ~= nil
end

local function by_number(self, number)
  local first = self.launches[1]
  for _, one in ipairs(self.launches) do
    if one.number == number then return one end
  end
  if number >= 1 and number <= self.made then
    failure.usage(("launch %d is not known any more"):format(number), "`launches` lists those that are")
  end
  local last = self.launches[#self.launches]
  failure.usage(("there is no launch %d"):format(number), not last and "launch a kernel first, as in " .. list.example()
    or last.number == first.number and ("launch %d is the only one"):format(last.number)
    or ("launches %d to %d are known; `launches` lists them"):format(first.number, last.number))
end

---A name without the blanks that C++ does not need: "reduce<256,float>".
---@param name string @return string
function list.tight(name)
  return (text.trim(name):gsub("%s+", " "):gsub(" ?([^%w_ ]) ?", "%1"))
end

-- Is the launch of the kernel: by the name that it is launched by, or by the source's without template arguments; or is
-- it the launch as it is listed?
local function is_of(one, name)
  local kernel, source = list.tight(one.kernel), list.tight(one.written)
  return kernel == name or kernel:match "^[^<(]+" == name or source == name or source:match "^[^<]+" == name
    or list.tight(one.title) == name
end

local function begins_with(one, name)
  return name ~= "" and (list.tight(one.kernel):sub(1, #name) == name or list.tight(one.written):sub(1, #name) == name)
end

-- The latest launch of a kernel, whose name may be abbreviated; of a program's the costliest.
local function by_kernel(self, name)
  local found
  name = list.tight(name)
  for _, fits in ipairs { is_of, begins_with } do
    for i = #self.launches, 1, -1 do
      if not found and fits(self.launches[i], name) then found = self.launches[i] end
    end
  end
  return found and found.group and found.group.costliest or found
end

local function nothing_yet(self)
  if self.lab then return nil end
  failure.usage("nothing was launched yet", form())
end

local function unknown(self, word)
  local names, seen = {}, {}
  for _, one in ipairs(self.launches) do
    if not seen[one.kernel] then seen[one.kernel], names[#names + 1] = true, one.kernel end
  end
  if #names == 0 then nothing_yet(self) end
  local near = text.nearest(word, names)
  failure.usage(("there is no launch of %q"):format(text.printable(word)),
    near and ("did you mean %s?"):format(text.printable(near)) or "`launches` lists them")
end

---The record that words name: nothing (the latest launch or current step), a step, "#3" or (outside a lab) 3, a
---kernel, of which the latest launch is meant. Raises in words.
---@param word string? @return Record
function RecordList:named(word)
  if not word then
    if not self.latest then nothing_yet(self) end
    return use(self, self.latest or self.lab.find(nil))
  end
  local number = math.tointeger(tonumber(word:match("^#(%d+)$") or not self.lab and word:match("^%d+$")))
  if number then return use(self, by_number(self, number)) end
  local step = self.lab and self.lab.has(word) and self.lab.find(word)
  local found = step or by_kernel(self, word)
  if not found and not (self.lab and #self.launches == 0) then unknown(self, word) end
  return use(self, found or self.lab.find(word))
end

---GPUs to predict besides the device's own: the launches show them when they are looked at next.
---@param models string[]
function RecordList:predict_for(models)
  self.models = models
  for _, one in ipairs(self.launches) do one.asked = models end
end

---Does a word name a record?
---@param word string @return boolean
function RecordList:has(word)
  return word:match("^#?%d+$") ~= nil or self.lab and self.lab.has(word) or by_kernel(self, word) ~= nil
end

---The latest launch, if one was made.
---@return LaunchRecord?
function RecordList:last() return self.latest or self.launches[#self.launches] end

---What ran and ended well: the steps of a lab, and the launches that were counted, or else the last.
---@return Record[]
function RecordList:all()
  local found = self.lab and self.lab.ran() or {}
  local before = #found
  for _, one in ipairs(self.launches) do
    if one.report then found[#found + 1] = one end
  end
  if #found == before and self.latest then found[#found + 1] = self.latest end
  self.used = found
  return found
end

---The record that a command's words name, or the launch that its text is.
---@param words string[] @param rest string the text @param usage string what the command takes
---@return Record
function RecordList:find(words, rest, usage)
  if list.is_launch(rest) then return use(self, written(self, rest)) end
  if #words > 1 then
    local others = table.concat(words, " ", 2)
    local hint = pcall(gpu.model, others) and ("`model %s` adds predictions for this GPU"):format(others)
    failure.usage(("%q is not expected"):format(text.printable(words[2])), hint or "usage: " .. usage)
  end
  return self:named(words[1])
end

---What can be typed, for completion.
---@return string[]
function RecordList:names()
  local names, seen = self.lab and self.lab.names() or {}, {}
  for _, one in ipairs(self.launches) do
    if not seen[one.kernel] then seen[one.kernel], names[#names + 1] = true, one.kernel end
    names[#names + 1] = one.id
  end
  return names
end

return list
