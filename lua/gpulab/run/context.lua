-- What the steps of one run share: device, parameters, buffers, host arrays, references. A step that changes parameters
-- gets its own context, derived from this one.
local failure = require "gpulab.base.failure"
local lists = require "gpulab.base.lists"
local steps = require "gpulab.lab.steps"

local context = {}

local Context = {}
Context.__index = Context

local KEPT <const> = 2 -- contexts of steps with their own parameters whose buffers stay: as many as compare needs

---@class Context
---@field lab Lab @field device Device @field params table @field models string[] @field timeout integer?
---@field checks string? what --check says @field small boolean? the sizes of tests
---@field work_limit integer? of each launch on the emulator, see LaunchConfig
---@field repeatable boolean? one host thread runs all blocks, so that checkers report the same issue on every machine
---@field wall number? seconds of samples on a GPU @field forced table? parameters that steps do not change
---@field buffers table<string, Buffer> @field arrays table<string, Array> @field references table
---@field right table<function, table> digests of right contents, by reference
---@field textures table<table, table> by the argument that names them
---@field reads table<string, table<string, boolean>> the parameters that the contents of a buffer depend on
---@field failed? {error: any} the error of a compilation that was just tried
---@field source? fun(file: string): table? the student's copy of a file, {path, include, changed}
---@field measures_on Device? which measures the rate of a project, where `device` is an emulator

---@param lab Lab @param device Device @param params table
---@param options? {models: string[]?, timeout: integer?, checks: string?, orders: integer?, small: boolean?,
--- wall: number?}
---@return Context
function context.new(lab, device, params, options)
  options = options or {}
  return setmetatable({ lab = lab, device = device, params = params, models = options.models or {},
    timeout = options.timeout, checks = options.checks, orders = options.orders, small = options.small,
    wall = options.wall, buffers = {}, arrays = {}, references = {}, right = {}, textures = {},
    kept = {}, trials = {}, reads = {} }, Context)
end

-- A context derived from this one: it inherits every field it does not set, also those set here later.
local function derived(self, params, device)
  return setmetatable({ params = params, device = device, buffers = {}, arrays = {}, references = {}, right = {},
    textures = {}, kept = {}, trials = {} }, { __index = self })
end

---The context a step runs in: this one, or one with the parameters that the step changes.
---@param step table @return Context
function Context:at(step)
  local changes = steps.changes(self.lab, step, self.params, { device = self.device, small = self.small,
    forced = self.forced })
  local trial = {}
  if step.exercise then
    local sizes = step.exercise.sizes
    trial = { size = sizes and steps.trial_size(sizes, self.trial or 1), seed = self.seed or 0 }
  end
  if not next(changes) and not next(trial) then return self end
  local key = steps.key(changes) .. " " .. steps.key(trial)
  if self.own == key then return self end
  for i, entry in ipairs(self.kept) do
    if entry.key == key then
      table.insert(self.kept, 1, table.remove(self.kept, i))
      return entry.context
    end
  end
  local made = derived(self, self.lab:overlay(self.params, changes), self.device)
  made.params.size, made.params.seed = trial.size, trial.seed
  made.own = key
  table.insert(self.kept, 1, { key = key, context = made })
  if #self.kept > KEPT then table.remove(self.kept).context:close() end
  return made
end

---The same with other inputs: those of a seed, and of another of an exercise's sizes.
---@param number integer from 1 @param seed integer @return Context
function Context:for_trial(number, seed)
  local key = ("%d %d"):format(number, seed)
  local made = self.trials[key]
  if not made then
    made = derived(self, self.params, self.device)
    made.trial, made.seed, made.own = number, seed, false
    self.trials[key] = made
  end
  return made
end

---The same on the emulator: kernels that are wrong on purpose never run on a GPU.
---@return Context
function Context:emulated()
  if self.device.emulates then return self end
  local emulator = self.kept.emulator
  if not emulator then
    emulator = derived(self, self.params, gpu.open "emu")
    self.kept.emulator = emulator
  end
  return emulator
end

---Gives the device's memory back.
function Context:close()
  for _, buffer in pairs(self.buffers) do buffer:free() end
  for _, entry in ipairs(self.kept) do entry.context:close() end
  for _, trial in pairs(self.trials) do trial:close() end
  if self.kept.emulator then
    self.kept.emulator:close()
    self.kept.emulator.device:close()
  end
  for _, field in ipairs { "buffers", "arrays", "references", "right", "textures", "kept", "trials" } do
    self[field] = {}
  end
end

---The parameters that a step uses, as far as is known: it ran before; nil: any may be.
---@param step table @return table<string, boolean>?
function Context:used_by(step)
  local ok, read, buffers = failure.try(steps.reads, self.lab, step, self.params, self.device)
  if not ok or not read then return nil end
  for _, name in ipairs(buffers) do
    for param in pairs(self.reads[name] or {}) do read[param] = true end
  end
  return read
end

---Whether a step does the same with other parameters, as far as is known.
---@param step table @param params table the other ones @return boolean
function Context:same_for(step, params)
  local used = self:used_by(step)
  return used ~= nil and not lists.any(lists.keys(used), function(name) return self.params[name] ~= params[name] end)
end

-- Buffers -----------------------------------------------------------------------------------------

---A buffer's definition: its spec, its length, and its initial contents.
---@param name string @return table spec, integer count, any fill, integer? seed
function Context:definition_of(name)
  local spec = self.lab.buffers[name]
  local count = math.tointeger(steps.size(spec.count, self.params))
  if not count or count < 1 then
    failure.usage(("buffer %q: its count must be a positive integer"):format(name))
  end
  local fill = spec.fill
  local seed = self.seed and (spec.seed or 0) * 65537 + self.seed or spec.seed
  if type(fill) == "function" then
    self.reads[name] = self.reads[name] or {}
    fill = fill(steps.noting(self.params, self.reads[name]), seed or 0)
  end
  return spec, count, fill or "sentinel", seed
end

---A buffer's initial contents on the host: made once.
---@param name string @return Array
function Context:array_of(name)
  if not self.arrays[name] then
    local spec, count, fill, seed = self:definition_of(name)
    self.arrays[name] = gpu.array(spec.type, count, fill, seed)
  end
  return self.arrays[name]
end

---Host arrays by buffer name, as references get them: filled at first use.
function Context:host()
  return setmetatable({}, { __index = function(_, name)
    if not self.lab.buffers[name] then
      failure.usage(("a reference uses the buffer %q, which the lab does not define"):format(tostring(name)))
    end
    return self:array_of(name)
  end })
end

---The buffer, freshly filled as its definition says.
---@param name string @return Buffer
function Context:filled(name)
  local spec, count, fill, seed = self:definition_of(name)
  local buffer = self.buffers[name]
  if buffer then
    buffer:fill(fill, seed)
  else
    buffer = self.device:buffer(spec.type, count, { name = name, fill = fill, seed = seed, memory = spec.memory })
    self.buffers[name] = buffer
  end
  return buffer
end

---The expected output of the step; a function that several steps share is called once.
---@param step table @return Array
function Context:reference(step)
  local known = self.references[step.reference]
  if not known then
    known = step.reference(self.params, self:host())
    self.references[step.reference] = known
  end
  return known
end

---Contents of a buffer that were found right by the step's reference and tolerance, by their digests.
---@param step table @param output string @return table<string, boolean>
function Context:known_right(step, output)
  local tolerance = step.tolerance or {}
  local key = ("%s %s %s"):format(output, tolerance.relative or 0, tolerance.absolute or 0)
  local of = self.right[step.reference] or {}
  self.right[step.reference] = of
  of[key] = of[key] or {}
  return of[key]
end

-- Arguments ---------------------------------------------------------------------------------------

-- A texture or surface over a freshly filled buffer.
local function texture(self, arg, buffer)
  local known = self.textures[arg]
  if known then
    known:update()
    return known
  end
  local options = { channels = arg.channels, layout = arg.layout, address = arg.address, filter = arg.filter,
    normalized = arg.normalized, read = arg.read }
  for _, side in ipairs { "width", "height", "depth", "layers" } do
    options[side] = steps.size(arg[side], self.params)
  end
  local make = arg.texture and self.device.texture or self.device.surface
  known = make(self.device, buffer, options)
  self.textures[arg] = known
  return known
end

-- The sizes of a list, as numbers.
local function sizes(self, list)
  return lists.map(list, function(size) return steps.size(size, self.params) end)
end

local function tensor_map(self, arg, buffer)
  return self.device:tensor_map(buffer, { dims = sizes(self, arg.dims), box = sizes(self, arg.box),
    swizzle = arg.swizzle, fill = arg.fill })
end

-- The value of one argument; every buffer is filled once, however often it is passed.
local function argument(self, arg, fresh)
  local function buffer_of(name)
    fresh[name] = fresh[name] or self:filled(name)
    return fresh[name]
  end
  if type(arg) == "function" then return arg(self.params) end
  if type(arg) == "table" and arg.tensor_map then return tensor_map(self, arg, buffer_of(arg.tensor_map)) end
  if type(arg) == "table" then return texture(self, arg, buffer_of(arg.texture or arg.surface)) end
  if type(arg) == "string" then
    if self.lab.buffers[arg] then return buffer_of(arg) end
    return self.params[arg]
  end
  return arg
end

---Fills every buffer the items name and resolves their arguments: a list of arguments for each item.
---@param items table[] @return table[]
function Context:arguments(items)
  local fresh = {}
  return lists.map(items, function(item)
    return lists.map(item.args, function(arg) return argument(self, arg, fresh) end)
  end)
end

return context
