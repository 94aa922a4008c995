-- Every step of a lab that launches kernels of its own, run once and no more, for tests/gpu/ncu_compare.py:
--   counters.lua LAB count|run [name=value...]
-- One line of JSON a step: its id, how many launches it has, and (count) what the emulator counts, what loads of shared
-- memory take that the assembler has fused, and what of it depends on order or time. Both ways use the sizes of the emulator.
local json = require "gpulab.base.json"
local runner = require "gpulab.run.runner"
local launch_list = require "gpulab.run.launch_list"
local where = require "gpulab.base.where"
local nondeterminism = require "gpulab.show.nondeterminism"
local fused = dofile((arg[0]:match("^(.*)/") or ".") .. "/fused.lua")

local path, mode, chosen = arg[1], arg[2], {}
for i = 3, #arg do
  local name, value = arg[i]:match("^([%w_]+)=(.+)$")
  if not name then gpu.raise("usage", arg[i] .. " is not name=value") end
  chosen[name] = value
end
where.enter(path:match("^(.*)/") or ".")
local lab = dofile(path)

-- What a step changes of the parameters may depend on the device: both ways go by the emulated one.
local emulated = gpu.device.emulates and gpu.device or gpu.open "emu"
for _, step in ipairs(lab.steps) do
  local with = step.with
  if type(with) == "function" then
    step.with = function(p) return with(p, emulated) end
  end
end
local context = runner.context(lab, gpu.device, lab:parameters(chosen, { emulated = true }), {})

-- Steps that are there to go wrong, and those that launch nothing of ours, have nothing to compare.
local function comparable(step)
  return (step.kernel or step.launches) and not (step.shows or step.figure or step.library or step.transfer or step.overlap)
end

for _, step in ipairs(lab.steps) do
  if comparable(step) then
    local prepared = runner.prepare(context, step)
    local row = json.object("id", step.id, "launches", #prepared.items)
    if launch_list.has_library(prepared.items) then
      row = nil
    elseif mode == "count" then
      local report = launch_list.count(context.device, prepared.items, {})
      local one = #prepared.items == 1 and prepared.items[1].kernel
      row = json.object("id", step.id, "launches", #prepared.items, "counters", report.counters, "fused",
        one and fused(one, report) or nil, "depends", nondeterminism.document(report.nondeterminism))
    else
      local outcome = launch_list.run(context.device, prepared.items)
      if outcome.status ~= "ok" then gpu.raise("fault", step.id .. ": " .. outcome.message) end
    end
    if row then print((json.encode(row):gsub("%s*\n%s*", " "))) end
  end
end
