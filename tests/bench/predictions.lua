-- What predictions cost for every step of the labs, beside counting alone, by hand:
--
--     gpulab --device emu tests/bench/predictions.lua LAB.lua [gpu] [STEP]
--
-- Steps run at the lab's default sizes on the emulator; with `gpu` at those of a GPU, from a sample of the blocks, as
-- after each save there. A line each of: step, milliseconds of processor time to count, and what the H200's and the
-- GTX 280's model add to it, then the same three by the wall clock, with tabs between them. The least of some runs.
local host = require "gpulab.host"
local launch_list = require "gpulab.run.launch_list"
local runner = require "gpulab.run.runner"
local steps = require "gpulab.lab.steps"

local MODELS <const> = { "H200", "GTX 280" }
local SAMPLE <const>, BUDGET <const> = 2400, 50e6
local LEAST <const>, RUNS <const> = 0.1, 2 -- seconds of processor time that a run is repeated for: the clock is coarse
local TICKS <const> = 100 -- per second, of /proc

local function words(path)
  local file, list = io.open(path), {}
  if not file then return list end
  for word in file:read("a"):gsub("^%d+ %b() ", "pid command "):gmatch "%S+" do list[#list + 1] = word end
  file:close()
  return list
end

-- Of all descendants of a process: the worker runs the kernel.
local function processor_time(pid)
  local sum = 0
  for _, child in ipairs(words(("/proc/%s/task/%s/children"):format(pid, pid))) do
    local stat = words(("/proc/%s/stat"):format(child))
    sum = sum + ((stat[14] or 0) + (stat[15] or 0)) / TICKS + processor_time(child)
  end
  return sum
end

local self = io.open "/proc/self/stat":read "n"

-- Milliseconds of processor time and by the wall clock, of one of as many calls as take LEAST.
local function timed(call)
  local n, began, wall = 0, processor_time(self), host.seconds()
  repeat
    call()
    n = n + 1
  until processor_time(self) - began >= LEAST
  return 1e3 * (processor_time(self) - began) / n, 1e3 * (host.seconds() - wall) / n
end

local lab = dofile(arg[1])
local as_gpu = arg[2] == "gpu"
local only = arg[as_gpu and 3 or 2]
local params = lab:parameters({}, { emulated = not as_gpu })
local at = runner.context(lab, gpu.device, params, {})
local seen_as = setmetatable({ measures = as_gpu, emulates = not as_gpu },
  { __index = function(_, field) return gpu.device[field] end })

local function context_of(step)
  local changes = steps.changes(lab, step, params, { device = seen_as })
  local own = next(changes) and runner.context(lab, gpu.device, lab:overlay(params, changes), {}) or at
  own.forced = own.params
  return own
end

local function cost(step)
  local own = context_of(step)
  local list = runner.prepare(own, step).items
  local function count(models)
    return function()
      local options = { models = models, sample = as_gpu and SAMPLE or nil, instructions = as_gpu and BUDGET or nil }
      local report = launch_list.count(gpu.device, list, options)
      if report.outcome.status ~= "ok" then gpu.raise("fault", report.outcome.message) end
    end
  end
  local least = { math.huge, math.huge, math.huge, math.huge, math.huge, math.huge }
  for _ = 1, RUNS do
    for i, models in ipairs { {}, { MODELS[1] }, { MODELS[2] } } do
      local ms, wall = timed(count(models))
      least[i], least[i + 3] = math.min(least[i], ms), math.min(least[i + 3], wall)
    end
  end
  if own ~= at then own:close() end
  return least
end

for _, step in ipairs(lab.steps) do
  local kind = steps.kind(step)
  if (kind == "kernel" or kind == "launches") and not step.shows and (not only or only == step.id) then
    local ok, ms = pcall(cost, step)
    if ok then
      print(("%s\t%.2f\t%.2f\t%.2f\t%.2f\t%.2f\t%.2f"):format(step.id, ms[1], ms[2] - ms[1], ms[3] - ms[1], ms[4],
        ms[5] - ms[4], ms[6] - ms[4]))
    else
      io.stderr:write(("%s: %s\n"):format(step.id, tostring(ms)))
    end
    io.stdout:flush()
  end
end
