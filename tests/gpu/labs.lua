-- What a GPU's model predicts for every step of a lab that was recorded on the GPU, with the recorded parameters, from a
-- sample of the blocks:
--
--     gpulab --device emu tests/gpu/labs.lua LAB.lua docs/records/results/GPU.tsv
--
-- A line each of: step, milliseconds by the roofline, bound, milliseconds by replay, most frequent stall reason,
-- predicted milliseconds, limits as NAME=MS;... with tabs between them. tests/gpu/labs.py sets them beside the record.
local launch_list = require "gpulab.run.launch_list"
local recorded = require "gpulab.lab.recorded"
local runner = require "gpulab.run.runner"
local steps = require "gpulab.lab.steps"

local SAMPLE <const> = 2400

local lab, rows = dofile(arg[1]), {}
for _, row in ipairs(recorded.read(arg[2], recorded.results)) do
  if row.lab == lab.number and row.ms then rows[row.step] = row end
end

local contexts = {} -- by parameters: steps that have the same share their buffers, as in a run of the lab

local function context_of(params)
  local key = {}
  for name, value in pairs(params) do key[#key + 1] = name .. "=" .. tostring(value) end
  table.sort(key)
  key = table.concat(key, " ")
  contexts[key] = contexts[key] or runner.context(lab, gpu.device, lab:parameters(params), {})
  return contexts[key]
end

local function predict(step, row)
  local context = context_of(row.params)
  context.forced = context.params -- as recorded: not those that the step has on the emulator
  local items = runner.prepare(context, step).items
  local report = launch_list.sample(gpu.device, items, { (row.gpu:gsub("^NVIDIA ", "")) }, SAMPLE)
  return select(2, next(report.models))
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
  if rows[step.id] and (kind == "kernel" or kind == "launches") and not step.shows then
    local ok, p = pcall(predict, step, rows[step.id])
    if ok and p.known then
      print(("%s\t%.6f\t%s\t%.6f\t%s\t%.6f\t%s"):format(step.id, p.counted_ms, p.bound, p.replayed_ms or 0,
        top_stall(p.stalls or {}), p.ms, limits(p.limits)))
    else
      io.stderr:write(("%s: %s\n"):format(step.id, tostring(ok and p.note or p)))
    end
    io.stdout:flush()
  end
end
