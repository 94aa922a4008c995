-- What a GPU's model predicts for every step of a lab, at the sizes of a GPU, from a sample of the blocks:
--
--     gpulab --device emu tests/gpu/labs.lua LAB.lua GPU [NAME=VALUE...]
--
-- A line each of: step, milliseconds by the roofline, bound, milliseconds by replay, most frequent stall reason,
-- predicted milliseconds, limits as NAME=MS;... with tabs between them. tests/gpu/labs.py sets them beside recorded runs.
local runner = require "gpulab.run.runner"
local steps = require "gpulab.lab.steps"
local launch_list = require "gpulab.run.launch_list"

local SAMPLE <const>, MODEL <const> = 2400, arg[2]

local lab = dofile(arg[1])
local set = {}
for i = 3, #arg do
  local name, value = arg[i]:match("^([%w_]+)=(.+)$")
  if lab.params[name or ""] then set[name] = value end
end
local params = lab:parameters(set, { emulated = false })
local at = runner.context(lab, gpu.device, params, {})

-- On a GPU a step may have other parameters of its own than on the emulator, whose sizes are smaller.
local as_gpu = setmetatable({ measures = true, emulates = false }, { __index = function(_, field) return gpu.device[field] end })
local function context_of(step)
  local changes = steps.changes(lab, step, params, { device = as_gpu })
  return next(changes) and runner.context(lab, gpu.device, lab:overlay(params, changes), {}) or at
end

local function predict(step)
  local own = context_of(step)
  own.forced = own.params
  local items = runner.prepare(own, step).items
  local report = launch_list.sample(gpu.device, items, { MODEL }, SAMPLE)
  if own ~= at then own:close() end
  return report.models[MODEL]
end

-- Of the reasons why a warp does not issue.
local function top_stall(list)
  local top, most = "", 0
  for name, cycles in pairs(list) do
    if name ~= "selected" and cycles > most then top, most = name, cycles end
  end
  return top
end

local function limits(list)
  local parts = {}
  for i, limit in ipairs(list) do parts[i] = ("%s=%.6f"):format(limit.name, limit.ms) end
  return table.concat(parts, ";")
end

for _, step in ipairs(lab.steps) do
  local kind = steps.kind(step)
  if (kind == "kernel" or kind == "launches") and not step.shows then
    local ok, p = pcall(predict, step)
    if ok and p.known then
      print(("%s\t%.6f\t%s\t%.6f\t%s\t%.6f\t%s"):format(step.id, p.counted_ms, p.bound, p.replayed_ms or 0,
        top_stall(p.stalls or {}), p.ms, limits(p.limits)))
    else
      io.stderr:write(("%s: %s\n"):format(step.id, tostring(ok and p.note or p)))
    end
    io.stdout:flush()
  end
end
