-- A launch list: launches {kernel, config, args} and library routines {library, args}, run and timed as a whole. A
-- single launch uses the device's functions for one launch.
local checkers = require "gpulab.run.checkers"
local failure = require "gpulab.base.failure"
local host = require "gpulab.host"
local lists = require "gpulab.base.lists"

local launch_list = {}

launch_list.ORDERS = 4 -- adversarial orders of blocks and warps that a check tries

-- The launch of a list with exactly one launch.
local function single(list)
  return #list == 1 and list[1].kernel and list[1] or nil
end

-- What a function of the device gives for the list.
local function ask(device, name, list, ...)
  local one = single(list)
  if one then return device[name](device, one.kernel, one.config, one.args, ...) end
  return device[name](device, list, ...)
end

---Does the list have a library routine? The emulator cannot run those, and they have no counters.
function launch_list.has_library(list)
  return lists.any(list, "library")
end

---Runs the list once and waits; a failed launch does not raise. What its kernels print is in the outcome alone.
---@param device Device @param list table[] @return Outcome
function launch_list.run(device, list)
  return device:run(list, { quiet = true })
end

---@param device Device @param list table[] @param options? table @return Measurement
function launch_list.time(device, list, options) return ask(device, "time", list, options) end

---@param device Device @param list table[] @param options? table @return CountReport
function launch_list.count(device, list, options) return ask(device, "count", list, options) end

local BUDGET <const> = 50e6 -- warp instructions of a sample: a short wait

---Counts a sample of the blocks, which represents the others: at most `blocks`, fewer if each runs many instructions.
---Counts all blocks of a cooperative launch.
---@param device Device @param list table[] @param models string[] @param blocks integer @return CountReport
function launch_list.sample(device, list, models, blocks)
  if lists.any(list, function(item) return item.config and item.config.cooperative end) then
    return launch_list.count(device, list, { models = models })
  end
  local part = { models = models, sample = blocks, instructions = BUDGET }
  if #list == 1 then return launch_list.count(device, list, part) end
  local ok, report = failure.try(launch_list.count, device, list, part)
  if ok and failure.is_well(report.outcome.status) then return report end
  -- A later launch may use what blocks that were left out would have written, as an index for example.
  return launch_list.count(device, list, { models = models })
end

local function buffers_of(list)
  local found = {}
  for _, item in ipairs(list) do
    for _, arg in ipairs(item.args or {}) do found[#found + 1] = host.buffer_of(arg) end
  end
  return found
end

---Names elements in the messages of issues of a list's launches.
---@param issues Issue[] @param list table[]
function launch_list.name_elements(issues, list)
  for _, issue in ipairs(issues) do
    for _, buffer in ipairs(issue.space == "global" and buffers_of(list) or {}) do
      if buffer.name == issue.buffer then checkers.name_element(issue, buffer.bytes // #buffer) end
    end
  end
end

---@param device Device @param list table[] @param checks string @param orders integer? adversarial ones to try; none
---@return Issue[], integer? shadow_bytes
function launch_list.check(device, list, checks, orders)
  local outcome = ask(device, "check", list, checks, orders or 0)
  launch_list.name_elements(outcome.findings, list)
  return outcome.findings, outcome.shadow_bytes
end

---Runs the list on the emulator as it is and in adversarial orders; what they write is put back.
---@param device Device @param list table[] @param count integer @param first integer? the first seed: 1
---@return Outcome of the first order that ends differently or leaves other results, with its seed as `order`
function launch_list.orders(device, list, count, first) return ask(device, "orders", list, count, first) end

---Is the second list faster than the first?
---@param device Device @param a table[] @param b table[] @return Comparison
function launch_list.compare(device, a, b)
  local one, other = single(a), single(b)
  if one and other then
    return device:compare(one.kernel, one.config, one.args, other.kernel, other.config, other.args)
  end
  return device:compare(a, b)
end

return launch_list
