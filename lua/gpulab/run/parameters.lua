-- Names of buffers as a student sees them. Messages name a buffer as the lab does; the kernel's source has the name of
-- a parameter instead, which is put in its place.
local cheats = require "gpulab.run.cheats"
local failure = require "gpulab.base.failure"
local files = require "gpulab.base.files"
local lists = require "gpulab.base.lists"
local steps = require "gpulab.lab.steps"
local text = require "gpulab.base.text"
local where = require "gpulab.base.where"

local parameters = {}

local function kernel_of(at, k, contents)
  local copy = at.source and at.source(k.file)
  local path = copy and copy.path or where.find(k.file, "kernels")
  contents[path] = contents[path] or files.read(path) or ""
  return cheats.read(contents[path], k.name:match "[%w_]*")
end

-- The parameters that take the lab's buffers under other names. A buffer that launches call differently keeps its name.
local function names_of(at, step)
  local names, contents = {}, {}
  for _, item in ipairs(steps.items(step, at.params)) do
    local kernel = item.kernel and kernel_of(at, item.kernel, contents)
    for i, arg in ipairs(kernel and item.args or {}) do
      local name = kernel.params[i] and kernel.params[i].name
      if type(arg) == "string" and at.lab.buffers[arg] and name then
        if names[arg] and names[arg] ~= name then name = arg end
        names[arg] = name
      end
    end
  end
  return names
end

-- Where messages name a buffer: "`out`", "out[3]", "byte 0 of out (global memory)", "the end of out".
local PLACES <const> = { "(`)([%a_][%w_]*)(`)", "()([%a_][%w_]*)(%[)", "(of%s+)([%a_][%w_]*)( ?[(,.\n])",
  "(of%s+)([%a_][%w_]*)()$" }

local function renamed(said, names)
  for _, place in ipairs(PLACES) do
    said = said:gsub(place, function(before, name, after)
      local new = names[name]
      if not new or new == name then return nil end
      return ("%s%s%s"):format(type(before) == "string" and before or "", new, type(after) == "string" and after or "")
    end)
  end
  return said
end

---What puts parameters in the place of the lab's buffers in a message.
---@param at Context @param step table @return fun(said: string): string
function parameters.namer(at, step)
  local ok, names = failure.try(names_of, at, step)
  return function(said) return ok and renamed(said, names) or said end
end

-- "a grid of 5 × 3 blocks"
local function grid_text(item, params)
  local grid = steps.size(item.grid, params)
  grid = type(grid) == "table" and grid or { grid }
  local sides = {}
  for i, side in ipairs(grid) do
    if i == 1 or side > 1 then sides[#sides + 1] = tostring(side) end
  end
  return ("a grid of %s"):format(#sides == 1 and text.plural(grid[1], "block")
    or table.concat(sides, " × ") .. " blocks")
end

---The size at which an exercise is launched, by the numbers that its first kernel gets for it, under the student's
---names: "rows = 78, columns = 131"; else by its grid.
---@param at Context @param step table @return string
function parameters.sizes(at, step)
  local item = steps.items(step, at.params)[1]
  local kernel, parts = kernel_of(at, item.kernel, {}), {}
  for i, arg in ipairs(item.args) do
    local name = kernel and kernel.params[i] and kernel.params[i].name
    local number = name and type(arg) == "function" and arg(at.params)
    if math.type(number) == "integer" then parts[#parts + 1] = ("%s = %d"):format(name, number) end
  end
  return #parts > 0 and table.concat(parts, ", ") or grid_text(item, at.params)
end

---Puts parameters in the place of the lab's buffers in what a result or a record says.
---@param at Context @param step table @param found table {message, brief, issues, cause, fault}
function parameters.name(at, step, found)
  if found.fault and found.fault.space == "shared" then return end
  local named = parameters.namer(at, step)
  local function rename(holder, ...)
    for _, field in ipairs { ... } do
      if type(holder[field]) == "string" then holder[field] = named(holder[field]) end
    end
  end
  rename(found, "message", "brief")
  for _, issue in ipairs(lists.joined(found.issues or {}, { found.cause })) do rename(issue, "message", "hint") end
  if found.shown then rename(found.shown, "text") end
end

return parameters
