-- Does the result of a step depend on the order in which blocks and warps run? The step runs on the emulator in the
-- default order and then in adversarial ones, each with the same initial data. If two orders give different results,
-- the kernel is wrong, whichever result is the expected one. The seed replays the order.
local checkers = require "gpulab.run.checkers"
local failure = require "gpulab.base.failure"
local runner = require "gpulab.run.runner"
local text = require "gpulab.base.text"
local launch_list = require "gpulab.run.launch_list"

local schedules = {}

schedules.LARGEST = 2147483647 -- the largest seed of a launch

local TRIES <const> = 24

-- The step's launch list with fresh buffers, in the order of a seed; 0 is the default order.
local function launches_of(at, step, seed)
  local items = runner.prepare(at, step).items
  if launch_list.has_library(items) then
    failure.usage(("%s calls a library, whose order cannot be changed"):format(step.id),
      "name a step that launches a kernel")
  end
  for _, item in ipairs(items) do item.config.schedule = seed end
  return items
end

-- The contents of every buffer after the run, or the outcome of a failed launch.
local function answer(at, step, seed)
  local outcome = launch_list.run(at.device, launches_of(at, step, seed))
  if outcome.status ~= "ok" then return { seed = seed, outcome = outcome } end
  local contents = {}
  for name, buffer in pairs(at.buffers) do contents[name] = buffer:download() end
  return { seed = seed, contents = contents }
end

-- The first difference between two results, in the output first.
local function difference(step, a, b)
  if a.outcome or b.outcome then
    if (a.outcome and a.outcome.status) == (b.outcome and b.outcome.status) then return nil end
    return { outcomes = { a.outcome and a.outcome.message, b.outcome and b.outcome.message } }
  end
  local names = {}
  for name in pairs(a.contents) do names[#names + 1] = name end
  table.sort(names, function(x, y)
    if (x == step.output) ~= (y == step.output) then return x == step.output end
    return x < y
  end)
  for _, name in ipairs(names) do
    local index = a.contents[name]:differs(b.contents[name])
    if index then
      return { buffer = name, index = index, values = { a.contents[name][index], b.contents[name][index] },
        type = a.contents[name].type }
    end
  end
end

---Searches for an order that changes the result.
---@param at Context on any device: the orders are the emulator's @param step table
---@param options? {tries: integer?, seed: integer?} seed: only this order
---@return {tried: integer, seed: integer?, difference: table?, issues: Issue[]?} seed: of such an order
--- issues: the race checker's for that order
function schedules.search(at, step, options)
  options = options or {}
  at = at:at(step):emulated()
  local first = options.seed or 1
  local tries = options.seed and 1 or options.tries or TRIES
  local seed = launch_list.orders(at.device, launches_of(at, step, 0), tries, first).order
  if not seed then return { tried = tries } end
  local found = difference(step, answer(at, step, 0), answer(at, step, seed))
    or { outcomes = { [2] = "leaves another value in a __device__ variable" } }
  -- The launch may end in a fault.
  local ok, issues = pcall(launch_list.check, at.device, launches_of(at, step, seed), "race")
  if not ok then
    if failure.kind(issues) == "interrupted" then error(issues, 0) end
    issues = type(issues) == "table" and issues.findings or {}
  end
  return { tried = seed - first + 1, seed = seed, difference = found, issues = issues }
end

-- Reporting ---------------------------------------------------------------------------------------

local function show(x)
  if math.type(x) == "integer" then return ("%d"):format(x) end
  return x ~= x and "nan" or ("%.9g"):format(x)
end

local function difference_lines(result)
  local d = result.difference
  if d.outcomes then
    return { ("in the default order    %s"):format(d.outcomes[1] or "succeeds"),
      ("in order %-14d %s"):format(result.seed, d.outcomes[2] or "succeeds") }
  end
  return { ("%s[%d] in the default order   %s"):format(d.buffer, d.index, show(d.values[1])),
    ("%s[%d] in order %-12d %s"):format(d.buffer, d.index, result.seed, show(d.values[2])) }
end

local function is_float(d)
  return d.type == "float" or d.type == "double" or d.type == "half"
end

---The result of a search as lines of text.
---@param step table @param result table of schedules.search @param size string "n = 256"
---@return string[]
function schedules.lines(step, result, size)
  local at = size ~= "" and " at " .. size or ""
  if not result.seed then
    local orders = result.tried == 1 and "this order" or result.tried .. " orders of blocks and warps"
    return text.wrap(("%s gives bit-identical results in %s%s. This is not a proof: the race checker also finds"
      .. " races that change no result."):format(step.id, orders, at), "  ")
  end
  local lines = text.wrap(("The result of %s depends on the order in which blocks and warps run%s:"):format(step.id,
    at), "  ")
  for _, line in ipairs(difference_lines(result)) do lines[#lines + 1] = "    " .. line end
  if result.difference.outcomes and #result.issues == 0 then
    lines[#lines + 1] = ("  To replay it: schedules %s %d"):format(step.id, result.seed)
    return lines
  end
  local why = checkers.texts(result.issues) or (is_float(result.difference)
    and "There is no race: atomic additions in another order round differently."
    or "There is no race: atomics decide the order.")
  for paragraph in why:gmatch("[^\n]+") do
    text.add(lines, paragraph)
  end
  lines[#lines + 1] = ("  To replay it: schedules %s %d"):format(step.id, result.seed)
  return lines
end

return schedules
