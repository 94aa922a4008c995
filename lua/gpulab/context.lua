-- What the steps of one run share: device, parameters, buffers, host arrays, references. A step with parameters of its
-- own gets a context of its own, made from this one.
local failure = require "gpulab.failure"
local steps = require "gpulab.steps"

local context = {}

local Context = {}
Context.__index = Context

local KEPT <const> = 2 -- contexts of steps with their own parameters whose buffers stay: as many as compare needs

---@class Context
---@field lab Lab @field device Device @field params table @field models string[] @field timeout integer?
---@field checks string? what --check says @field small boolean? the sizes of tests
---@field wall number? seconds of samples on a GPU @field forced table? parameters that steps do not change
---@field buffers table<string, Buffer> @field arrays table<string, Array> @field references table
---@field right table<function, table> digests of right contents, by reference
---@field textures table<table, table> by the argument that names them
---@field failed? {error: any} why what is to run does not compile, which was tried a moment ago
---@field source? fun(file: string): table? the student's copy of a file, {path, include, changed}

---@param lab Lab @param device Device @param params table
---@param options? {models: string[]?, timeout: integer?, checks: string?, small: boolean?, wall: number?}
---@return Context
function context.new(lab, device, params, options)
  options = options or {}
  return setmetatable({ lab = lab, device = device, params = params, models = options.models or {},
    timeout = options.timeout, checks = options.checks, small = options.small, wall = options.wall,
    buffers = {}, arrays = {}, references = {}, right = {}, textures = {}, kept = {} }, Context)
end

-- A context beside this one: what it does not have itself it has from here, also what is set here later.
local function beside(self, params, device)
  return setmetatable({ params = params, device = device, buffers = {}, arrays = {}, references = {}, right = {},
    textures = {}, kept = {} }, { __index = self })
end

---The context a step runs in: this one, or one with the parameters that the step changes.
---@param step table @return Context
function Context:at(step)
  local changes = steps.changes(self.lab, step, self.params, { device = self.device, small = self.small,
    forced = self.forced })
  if not next(changes) then return self end
  local key = steps.key(changes)
  if self.own == key then return self end
  for i, entry in ipairs(self.kept) do
    if entry.key == key then
      table.insert(self.kept, 1, table.remove(self.kept, i))
      return entry.context
    end
  end
  local made = beside(self, self.lab:overlay(self.params, changes), self.device)
  made.own = key
  table.insert(self.kept, 1, { key = key, context = made })
  if #self.kept > KEPT then table.remove(self.kept).context:close() end
  return made
end

---The same on the emulator: for kernels that are meant to be wrong, which never run on a GPU.
---@return Context
function Context:emulated()
  if self.device.backend == "emu" then return self end
  local emulator = self.kept.emulator
  if not emulator then
    emulator = beside(self, self.params, gpu.open "emu")
    self.kept.emulator = emulator
  end
  return emulator
end

---Gives the device's memory back.
function Context:close()
  for _, buffer in pairs(self.buffers) do buffer:free() end
  for _, entry in ipairs(self.kept) do entry.context:close() end
  if self.kept.emulator then
    self.kept.emulator:close()
    self.kept.emulator.device:close()
  end
  self.buffers, self.arrays, self.references, self.right, self.textures, self.kept = {}, {}, {}, {}, {}, {}
end

-- Buffers -----------------------------------------------------------------------------------------

---A buffer's definition: its spec, its length, and what it holds at the beginning.
---@param name string @return table spec, integer count, any fill
function Context:definition_of(name)
  local spec = self.lab.buffers[name]
  local count = math.tointeger(steps.size(spec.count, self.params))
  if not count or count < 1 then
    failure.raise("usage", ("buffer %q: its count must be a positive integer"):format(name))
  end
  local fill = spec.fill
  if type(fill) == "function" then fill = fill(self.params) end
  return spec, count, fill or "poison"
end

---What a buffer holds at the beginning, on the host: made once.
---@param name string @return Array
function Context:array_of(name)
  if not self.arrays[name] then
    local spec, count, fill = self:definition_of(name)
    self.arrays[name] = gpu.array(spec.type, count, fill, spec.seed)
  end
  return self.arrays[name]
end

---Host arrays by buffer name, as references get them: filled when they are asked for.
function Context:host()
  return setmetatable({}, { __index = function(_, name)
    if not self.lab.buffers[name] then
      failure.raise("usage", ("a reference asks for a buffer %q, which the lab does not define"):format(tostring(name)))
    end
    return self:array_of(name)
  end })
end

---The buffer, freshly filled as its definition says.
---@param name string @return Buffer
function Context:filled(name)
  local spec, count, fill = self:definition_of(name)
  local buffer = self.buffers[name]
  if buffer then
    buffer:fill(fill, spec.seed)
  else
    buffer = self.device:buffer(spec.type, count, { name = name, fill = fill, seed = spec.seed, memory = spec.memory })
    self.buffers[name] = buffer
  end
  return buffer
end

---What the step's output has to be; a function that several steps share is called once.
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

-- A texture or surface over a buffer that was just filled.
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

-- The value of one argument; every buffer is filled once, however often it is passed.
local function argument(self, arg, fresh)
  local function buffer_of(name)
    fresh[name] = fresh[name] or self:filled(name)
    return fresh[name]
  end
  if type(arg) == "function" then return arg(self.params) end
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
  local fresh, all = {}, {}
  for i, item in ipairs(items) do
    local args = {}
    for k, arg in ipairs(item.args) do args[k] = argument(self, arg, fresh) end
    all[i] = args
  end
  return all
end

return context
