-- A step: its kind, its launches, their files, and how its time becomes a rate.
local failure = require "gpulab.base.failure"
local lists = require "gpulab.base.lists"
local schema = require "gpulab.lab.schema"
local text = require "gpulab.base.text"
local value = require "gpulab.base.value"

local steps = {}

---Raises: a field of a step is not as it should be.
function steps.fail(step, field, message)
  failure.usage(("step %q, field %q: %s"):format(step.id, field, message))
end

-- The fields that determine the kind of a step; it has exactly one of them.
steps.kinds = { "kernel", "launches", "library", "transfer", "overlap", "figure" }

---@param step table @return string kind
function steps.kind(step)
  return lists.find(steps.kinds, function(kind) return step[kind] end)
end

---Whether a GPU of a compute capability, times ten, has the instructions of the step.
---@param step table @param cc integer @return boolean
function steps.supported(step, cc)
  local needed = step.needs_cc or cc
  if type(needed) == "table" then return needed[1] <= cc and cc <= needed[2] end
  return needed <= cc
end

---A title is a string or a function of the parameters.
---@return string?
function steps.title(step, params)
  local title = step.title
  if type(title) == "function" then title = title(params) end
  return text.printable(title)
end

---A size is a number, a parameter's name, or a function of the parameters.
function steps.size(size, params)
  if type(size) == "function" then return size(params) end
  if type(size) == "string" then return params[size] end
  return size
end

-- An exercise's launches name kernels of its one file.
local function with_file(item, kernel)
  if type(item.kernel) ~= "string" then return item end
  return { kernel = { file = kernel.file, name = item.kernel, defines = kernel.defines, options = kernel.options },
    grid = item.grid, block = item.block, shared = item.shared, args = item.args, cooperative = item.cooperative,
    crowded = item.crowded }
end

local function launches_of(step, params)
  local list = step.launches
  if type(list) == "function" then list = list(params) end
  if type(list) ~= "table" or #list == 0 then steps.fail(step, "launches", "must be a non-empty list") end
  return lists.map(list, function(item) return with_file(item, step.kernel) end)
end

---What the step runs, in order: items {kernel = {file, name, ...}, grid, block, shared, args} or {library, args}.
---Empty for a step that runs neither.
---@param step table @param params table @return table[]
function steps.items(step, params)
  if step.launches then
    return launches_of(step, params)
  elseif step.library then
    return { { library = step.library.name, args = step.library.args } }
  elseif step.kernel then
    return { { kernel = step.kernel, grid = step.grid, block = step.block, shared = step.shared, args = step.args,
      cooperative = step.cooperative, crowded = step.crowded } }
  end
  return {}
end

---The .cu files of a step, each once, in order.
---@param step table @param params table @return string[]
function steps.files(step, params)
  if step.overlap then return { step.overlap.kernel.file } end
  local seen = {}
  local items = lists.select(steps.items(step, params), function(item)
    local file = item.kernel and item.kernel.file
    local new = file and not seen[file]
    seen[file or false] = true
    return new
  end)
  return lists.map(items, function(item) return item.kernel.file end)
end

---Whether its time becomes a rate, and in which unit: "GB/s", "GFLOPS", what ops_unit says, or nil.
function steps.unit(step)
  if step.useful_flops then return "GFLOPS" end
  if step.useful_ops then return step.ops_unit or "Gop/s" end
  return step.useful_bytes and "GB/s" or nil
end

---The useful work in bytes or operations; nil if the step defines none.
---@param step table @param params table @return number?
function steps.useful(step, params)
  local useful = step.useful_flops or step.useful_ops or step.useful_bytes
  return useful and useful(params)
end

---Useful work over time: 10^9 bytes, operations... per second. nil if the step defines no useful work.
---@param step table @param params table @param ms number?
function steps.rate(step, params, ms)
  local useful = ms and ms > 0 and steps.useful(step, params)
  if not useful then return nil end
  local hint = step.useful_flops and "arithmetic" or step.useful_ops and "operations" or "bandwidth"
  return value.new("rate", hint, useful / ms / 1e6, steps.unit(step))
end

---The ids of all claims of the lectures that a step, plot or exercise shows.
function steps.claims(step)
  return lists.append({ type(step.claim) == "string" and step.claim or nil }, step.claims or {})
end

---The parameters that the step changes: `with`, and in a small run its small sizes; forced ones stay.
---@param lab Lab @param step table @param params table
---@param options {device: Device?, small: boolean?, forced: table?}
---@return table<string, any>
function steps.changes(lab, step, params, options)
  local changes = {}
  local with = step.with
  if type(with) == "function" then with = with(params, options.device) end
  for name, v in pairs(with or {}) do
    if not options.forced or options.forced[name] == nil then changes[name] = v end
  end
  if not options.small then return changes end
  for name in pairs(type(step.with) == "table" and changes or {}) do -- a function already got small parameters
    local spec = lab.params[name]
    if spec and spec.small ~= nil then changes[name] = spec.small end
  end
  for name, v in pairs(step.small or {}) do
    if not options.forced or options.forced[name] == nil then changes[name] = v end
  end
  return changes
end

---Parameters that note in `read` the names of those that are read.
---@param params table @param read table<string, boolean>
function steps.noting(params, read)
  return setmetatable({}, { __index = function(_, name)
    read[name] = true
    return params[name]
  end, __pairs = function()
    for name in pairs(params) do read[name] = true end
    return pairs(params)
  end })
end

-- Calls what is a function of the parameters, in a table, too.
local function call(field, params, ...)
  if type(field) == "function" then field(params, ...) end
  for _, part in pairs(type(field) == "table" and field or {}) do call(part, params) end
end

---The parameters that decide what a step launches, apart from the contents of its buffers, and these buffers; nil: it
---launches more than kernels.
---@param lab Lab @param step table @param params table @param device Device
---@return table<string, boolean>? parameters, string[]? buffers
function steps.reads(lab, step, params, device)
  if not step.kernel and not step.launches then return nil end
  local read, buffers = {}, {}
  local noting = steps.noting(params, read)
  call(step.with, noting, device)
  for _, name in ipairs { "title", "useful_bytes", "useful_flops", "useful_ops", "expect" } do
    call(step[name], noting)
  end
  for _, item in ipairs(steps.items(step, noting)) do
    if not item.kernel then return nil end
    call({ item.kernel.name, item.kernel.defines or false, item.grid, item.block }, noting)
    steps.size(item.shared, noting)
    for _, arg in ipairs(item.args) do
      call(arg, noting)
      local name = type(arg) == "table" and (arg.texture or arg.surface or arg.tensor_map) or arg
      if lab.buffers[name] then
        buffers[#buffers + 1] = name
        steps.size(lab.buffers[name].count, noting)
      elseif lab.params[name] then
        read[name] = true
      end
    end
  end
  return read, buffers
end

---The size of an exercise's trial. After those of the list comes one above the first, a multiple of whatever the first
---two are multiples of, such as the size of a block.
---@param sizes integer[] @param number integer @return integer
function steps.trial_size(sizes, number)
  if number ~= #sizes + 1 then return sizes[number] or sizes[1] end
  local a, b = sizes[1], sizes[2] or 0
  while b > 0 do a, b = b, a % b end
  return sizes[1] + a
end

---"n=4096 c=2": equal texts, equal parameters.
function steps.key(params, names)
  local parts = {}
  for i, name in ipairs(names or schema.sorted_keys(params)) do parts[i] = name .. "=" .. tostring(params[name]) end
  return table.concat(parts, " ")
end

return steps
