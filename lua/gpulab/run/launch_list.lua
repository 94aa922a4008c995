-- A launch list: launches {kernel, config, args} and library routines {library, args}, run and timed as a whole. A
-- single launch uses the device's functions for one launch.
local launch_list = {}

launch_list.ORDERS = 4 -- adversarial orders of blocks and warps that a check tries

-- The launch of a list with exactly one launch.
local function single(list)
  return #list == 1 and list[1].kernel and list[1] or nil
end

---Does the list have a library routine? The emulator cannot run those, and they have no counters.
function launch_list.has_library(list)
  for _, item in ipairs(list) do
    if item.library then return true end
  end
  return false
end

---Runs the list once and waits; a failed launch does not raise. What its kernels print is in the outcome alone.
---@param device Device @param list table[] @return Outcome
function launch_list.run(device, list)
  return device:run(list, { quiet = true })
end

---@param device Device @param list table[] @param options? table @return Measurement
function launch_list.time(device, list, options)
  local one = single(list)
  if one then return device:time(one.kernel, one.config, one.args, options) end
  return device:time(list, options)
end

---@param device Device @param list table[] @param options? table @return CountReport
function launch_list.count(device, list, options)
  local one = single(list)
  if one then return device:count(one.kernel, one.config, one.args, options) end
  return device:count(list, options)
end

local function any_cooperative(list)
  for _, item in ipairs(list) do
    if item.config and item.config.cooperative then return true end
  end
  return false
end

local BUDGET <const> = 50e6 -- warp instructions of a sample: a short wait

---Counts a sample of the blocks, which represents the others: at most `blocks`, fewer if each runs many instructions.
---Counts all blocks of a cooperative launch.
---@param device Device @param list table[] @param models string[] @param blocks integer @return CountReport
function launch_list.sample(device, list, models, blocks)
  if any_cooperative(list) then return launch_list.count(device, list, { models = models }) end
  return launch_list.count(device, list, { models = models, sample = blocks, instructions = BUDGET })
end

---@param device Device @param list table[] @param checks string @param orders integer? adversarial ones to try; none
---@return Issue[], integer? shadow_bytes
function launch_list.check(device, list, checks, orders)
  local one, more = single(list), orders or 0
  local outcome = one and device:check(one.kernel, one.config, one.args, checks, more)
    or device:check(list, checks, more)
  return outcome.findings, outcome.shadow_bytes
end

---Runs the list on the emulator as it is and in adversarial orders; what they write is put back.
---@param device Device @param list table[] @param count integer @param first integer? the first seed: 1
---@return Outcome of the first order that ends differently or leaves other results, with its seed as `order`
function launch_list.orders(device, list, count, first)
  local one = single(list)
  if one then return device:orders(one.kernel, one.config, one.args, count, first) end
  return device:orders(list, count, first)
end

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
