-- Does the result of a record depend on the order in which blocks and warps run? It runs on the emulator in the
-- default order and then in adversarial ones, each with the same initial data. If two orders give different results,
-- the kernel is wrong, whichever result is the expected one. The seed replays the order.
local checkers = require "gpulab.run.checkers"
local failure = require "gpulab.base.failure"
local lists = require "gpulab.base.lists"
local text = require "gpulab.base.text"
local launch_list = require "gpulab.run.launch_list"

local schedules = {}

schedules.LARGEST = 2147483647 -- the largest seed of a launch

local TRIES <const> = 24

-- The launches in the order of a seed; 0 is the default order.
local function in_order(prepared, record, seed)
  if launch_list.has_library(prepared.items) then
    failure.usage(("%s calls a library, whose order cannot be changed"):format(record.id),
      "name one that launches a kernel")
  end
  return lists.map(prepared.items, function(item)
    local config = { schedule = seed }
    for key, v in pairs(item.config) do config[key] = config[key] or v end
    return { kernel = item.kernel, config = config, args = item.args }
  end)
end

-- What f returns for the launches in the order of a seed, with the inputs as they were.
local function with_order(record, seed, f)
  return record:with_inputs(function(prepared) return f(prepared, in_order(prepared, record, seed)) end,
    { small = true, emulated = true })
end

-- The contents of every buffer after the run, in order, or the outcome of a failed launch.
local function answer(record, seed)
  return with_order(record, seed, function(prepared, items)
    local outcome = launch_list.run(prepared.device, items)
    if outcome.status ~= "ok" then return { outcome = outcome } end
    return { contents = lists.map(prepared.buffers, function(one)
      return { name = one.name, array = one.buffer:download(), of_bytes = one.of_bytes }
    end) }
  end)
end

-- "y[5]"; of what has no name, "element 5 of cudaMalloc at sum.cu:8".
local function place_of(one, index)
  if one.of_bytes then return ("byte %d of %s"):format(index, one.name) end
  if one.name:find " " then return ("element %d of %s"):format(index, one.name) end
  return ("%s[%d]"):format(one.name, index)
end

-- The first difference between two results.
local function difference(a, b)
  if a.outcome or b.outcome then
    if (a.outcome and a.outcome.status) == (b.outcome and b.outcome.status) then return nil end
    return { outcomes = { a.outcome and a.outcome.message, b.outcome and b.outcome.message } }
  end
  for i, one in ipairs(a.contents) do
    local was, is = one.array, b.contents[i].array
    local index = was:differs(is)
    if index then return { place = place_of(one, index), values = { was[index], is[index] }, type = was.type } end
  end
end

-- The race checker's issues in an order. The launch may end in a fault.
local function issues_in(record, seed)
  local ok, issues = failure.try(with_order, record, seed, function(prepared, items)
    return (launch_list.check(prepared.device, items, "race"))
  end)
  return ok and issues or type(issues) == "table" and issues.findings or {}
end

---Searches for an order that changes the result, at the sizes of a small run.
---@param record Record
---@param options? {tries: integer?, seed: integer?} seed: only this order
---@return {tried: integer, size: string, seed: integer?, difference: table?, issues: Issue[]?} seed: of such an order
--- issues: the race checker's for that order
function schedules.search(record, options)
  options = options or {}
  if record.ran and not failure.is_well(record.outcome) then
    failure.usage(("%s %s, so it has no results to compare"):format(record:called(), failure.ended(record.outcome)),
      ("`why %s` says what happened"):format(record.id))
  end
  local first = options.seed or 1
  local tries = options.seed and 1 or options.tries or TRIES
  local seed, size = with_order(record, 0, function(prepared, items)
    return launch_list.orders(prepared.device, items, tries, first).order or false, prepared.size
  end)
  if not seed then return { tried = tries, size = size } end
  local found = difference(answer(record, 0), answer(record, seed))
    or { outcomes = { [2] = "leaves another value in a __device__ variable" } }
  local issues = issues_in(record, seed)
  local named = { brief = found.place, issues = issues }
  record:rename(named)
  found.place = named.brief
  return { tried = seed - first + 1, size = size, seed = seed, difference = found, issues = issues }
end

-- Reporting ---------------------------------------------------------------------------------------

local function difference_lines(result)
  local d = result.difference
  if d.outcomes then
    return { ("in the default order    %s"):format(d.outcomes[1] or "succeeds"),
      ("in order %-12d %s"):format(result.seed, d.outcomes[2] or "succeeds") }
  end
  return { ("%s in the default order   %s"):format(d.place, text.exact(d.values[1])),
    ("%s in order %-11d   %s"):format(d.place, result.seed, text.exact(d.values[2])) }
end

local function is_float(d)
  return d.type == "float" or d.type == "double" or d.type == "half"
end

---The result of a search as lines of text.
---@param record Record @param result table of schedules.search @return string[]
function schedules.lines(record, result)
  local at = result.size ~= "" and " at " .. result.size or ""
  if not result.seed then
    local orders = result.tried == 1 and "this order" or result.tried .. " orders of blocks and warps"
    return text.wrap(("%s gives bit-identical results in %s%s. This is not a proof: the race checker also finds"
      .. " races that change no result."):format(record:called(), orders, at), "  ")
  end
  local lines = text.wrap(("The result of %s depends on the order in which blocks and warps run%s:"):format(
    record:called(), at), "  ")
  for _, line in ipairs(difference_lines(result)) do lines[#lines + 1] = "    " .. line end
  if not result.difference.outcomes or #result.issues > 0 then
    text.add_lines(lines, checkers.texts(result.issues) or is_float(result.difference)
      and "There is no race: atomic additions in another order round differently."
      or "There is no race: what decides is an atomic's result, or a clock.")
  end
  lines[#lines + 1] = ("  To replay it: schedules %s %d"):format(record.id, result.seed)
  return lines
end

return schedules
