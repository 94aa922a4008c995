-- Steps of every kind on a GPU: measured, verified, and beside the library; what is meant to be wrong never reaches the
-- GPU. Speaks TAP.
local plots = require "gpulab.show.plots"
local runner = require "gpulab.run.runner"
local steps = require "gpulab.lab.steps"
local where = require "gpulab.base.where"

local done, failed = 0, false

local function check(good, what, more)
  done, failed = done + 1, failed or not good
  print(("%s %d - %s"):format(good and "ok" or "not ok", done, what))
  if more and not good then print("# " .. tostring(more):gsub("\n", "\n# ")) end
end

local device = gpu.device
if not device.measures then
  print "1..0 # SKIP a GPU is needed"
  os.exit(0)
end

local folder = arg[1]
where.enter(folder)
local lab = dofile(folder .. "/kinds.lua")
local at = runner.context(lab, device, lab:parameters(nil, { emulated = false }), { models = { "GTX 280" }, wall = 0.3 })

for _, step in ipairs(lab.steps) do
  local record = runner.run(at, step)
  local meant = step.group == "amiss" and "gate" or "ok"
  local absent = step.library and not device:library(step.library.name)
    or not steps.supported(step, device.cc)
  check(record.outcome == (absent and "absent" or meant), ("%s ends as %s"):format(step.id, meant),
    record.outcome .. ": " .. tostring(record.message))
  if step.shows then
    check(record.times == nil and record.rate == nil, step.id .. " is not timed")
  elseif not step.figure and not absent then
    check(record.verified, step.id .. " is verified", record.message)
    check(record.times and record.times.kind == "measured" and record.times.ms > 0, step.id .. " is measured")
    check(step.library or record.report and record.report.counters, step.id .. " is counted", record.note)
  end
end
check(at.params.n == 4096, "the GPU has its own default", at.params.n)
at:close()

for _, plot in ipairs(lab.plots) do
  local run = plots.run(lab, plot, device, { models = { "GTX 280" }, quiet = true })
  check(#run.failures == 0, "plot " .. plot.id, table.concat(plots.failures(run), "\n"))
  local missing = 0
  for _, one in ipairs(plots.series(run)) do
    for _, point in ipairs(one.points) do missing = missing + (point[2] and 0 or 1) end
  end
  check(missing == 0, ("plot %s has all its points"):format(plot.id), missing)
end

print("1.." .. done)
os.exit(failed and 1 or 0)
