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

-- One by one on the emulator: its counters are those of all, its time is the sum, its bound the longest one's.
local function add_counters(total, counters)
  for name, n in pairs(counters or {}) do total[name] = (total[name] or 0) + n end
end

local function add_lines(report, lines)
  report.by_line = report.by_line or {}
  for _, line in ipairs(lines or {}) do
    local key = ("%s:%d"):format(line.file, line.line)
    local known = report.by_line[key]
    if known then
      add_counters(known.counters, line.counters)
      local a, b = known.worst, line.worst
      if b and (not a or b.cost * a.ideal > a.cost * b.ideal) then known.worst = b end
    else
      report.by_line[key] = line
      report.lines[#report.lines + 1] = line
    end
  end
end

local function add_models(report, models)
  for name, model in pairs(models) do
    local sum = report.models[name]
    if not sum then
      sum = { known = true, ms = 0, longest = 0, note = model.note, error = model.error }
      report.models[name] = sum
    end
    sum.known, sum.ms = sum.known and model.known, sum.ms + model.ms
    if model.ms >= sum.longest then sum.longest, sum.bound = model.ms, model.bound end
  end
end

local function count_each(device, work, options)
  local sum = { counters = {}, lines = {}, models = {} }
  for _, item in ipairs(work) do
    local report = device:count(item.kernel, item.config, item.args, options)
    sum.outcome, sum.rules = report.outcome, report.rules
    if report.outcome.status ~= "ok" then return sum end
    add_counters(sum.counters, report.counters)
    add_lines(sum, report.lines)
    add_models(sum, report.models)
  end
  return sum
end

local function run_each(work)
  local outcome
  for _, item in ipairs(work) do
    outcome = item.kernel:launch(item.config, table.unpack(item.args))
    if outcome.status ~= "ok" then break end
  end
  return outcome
end

local function check_each(device, work, checks)
  local found = {}
  for _, item in ipairs(work) do
    local findings = device:check(item.kernel, item.config, item.args, checks).findings
    table.move(findings, 1, #findings, #found + 1, found)
  end
  return found
end

local function native()
  return rawget(gpu, "run") ~= nil
end

---Runs it once and waits; raises nothing for a launch that goes wrong.
---@param device Device @param work table[] @return Outcome
function works.run(device, work)
  local one = alone(work)
  if one then return one.kernel:launch(one.config, table.unpack(one.args)) end
  if not native() then return run_each(work) end
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
  if not native() then return count_each(device, work, options) end
  return device:count(work, options)
end

---@param device Device @param work table[] @param checks string @return Finding[]
function works.check(device, work, checks)
  local one = alone(work)
  if one then return device:check(one.kernel, one.config, one.args, checks).findings end
  if not native() then return check_each(device, work, checks) end
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
