-- For tests of labs, which load it with dofile: steps of the labs that the command line names, run on the emulator.
local lu = require "luaunit"
local runner = require "gpulab.run.runner"
local step_record = require "gpulab.record.step"

local of = { labs = {} }
for _, path in ipairs(arg) do
  local lab = dofile(path)
  of.labs[lab.number] = lab
end

---The record of a step that has to end well, and its rate by the model of that GPU.
---@param number integer @param id string @param set? table @param model? string @param checks? string
function of.run(number, id, set, model, checks)
  local lab = of.labs[number]
  local params = lab:parameters(set or {}, { emulated = true, small = false })
  local at = runner.context(lab, gpu.device, params, { models = { model }, checks = checks })
  local record = step_record.run(at, (lab:step(id)))
  at:close()
  lu.assertEquals(record.outcome, "ok", record.message)
  return record, record.models[1] and record.models[1].rate and record.models[1].rate.number
end

function of.rate(number, id, set, model) return (select(2, of.run(number, id, set, model))) end

function of.counters(number, id, set) return of.run(number, id, set).report.counters end

return of
