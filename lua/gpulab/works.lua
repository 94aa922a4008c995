-- A work is what is run and timed as one: a list of launches {kernel, config, args} and library routines {library,
-- args}. One launch alone goes the way of a launch.
local works = {}

-- The launch that a work consists of, if it is one alone.
local function alone(work)
  return #work == 1 and work[1].kernel and work[1] or nil
end

---Whether a library routine is in it, which the emulator cannot run and nothing can count.
function works.has_library(work)
  for _, item in ipairs(work) do
    if item.library then return true end
  end
  return false
end

---Runs it once and waits; raises nothing for a launch that goes wrong.
---@param device Device @param work table[] @return Outcome
function works.run(device, work)
  local one = alone(work)
  if one then return one.kernel:launch(one.config, table.unpack(one.args)) end
  return device:run(work)
end

---@param device Device @param work table[] @param options? table @return Measurement
function works.time(device, work, options)
  local one = alone(work)
  if one then return device:time(one.kernel, one.config, one.args, options) end
  return device:time(work, options)
end

---@param device Device @param work table[] @param options? table @return CountReport
function works.count(device, work, options)
  local one = alone(work)
  if one then return device:count(one.kernel, one.config, one.args, options) end
  return device:count(work, options)
end

local function any_cooperative(work)
  for _, item in ipairs(work) do
    if item.config and item.config.cooperative then return true end
  end
  return false
end

local PATIENCE <const> = 50e6 -- warp instructions that nobody minds to wait for

---Counts a part of the blocks and takes the others to be like them: so many at most, fewer where they do much. All of
---them where blocks wait for each other.
---@param device Device @param work table[] @param models string[] @param blocks integer @return CountReport
function works.sample(device, work, models, blocks)
  if any_cooperative(work) then return works.count(device, work, { models = models }) end
  return works.count(device, work, { models = models, sample = blocks, instructions = PATIENCE })
end

---@param device Device @param work table[] @param checks string @return Finding[]
function works.check(device, work, checks)
  local one = alone(work)
  if one then return device:check(one.kernel, one.config, one.args, checks).findings end
  return device:check(work, checks).findings
end

---Whether the second work is faster than the first.
---@param device Device @param a table[] @param b table[] @return Comparison
function works.compare(device, a, b)
  local one, other = alone(a), alone(b)
  if one and other then
    return device:compare(one.kernel, one.config, one.args, other.kernel, other.config, other.args)
  end
  return device:compare(a, b)
end

return works
