-- The command roofline.
local failure = require "gpulab.base.failure"
local files = require "gpulab.base.files"
local pager = require "gpulab.base.pager"
local roofline = require "gpulab.show.roofline"
local text = require "gpulab.base.text"

local function run(session, words)
  local names, path = {}, nil
  for _, word in ipairs(words) do
    if word:match("%.svg$") then path = word else names[#names + 1] = word end
  end
  local records = {}
  for _, name in ipairs(names) do records[#records + 1] = session:record(session.lab:step(name)) end
  if #names == 0 then
    for _, step in ipairs(session.lab.steps) do
      local record = session:current_run().results[step.id]
      if record and record.report and record.outcome == "ok" then records[#records + 1] = record end
    end
  end
  if #records == 0 then
    failure.usage("no step has run yet", ("`run` runs all steps, `roofline %s` runs one"):format(
      session.lab.steps[1].id))
  end
  local roof = roofline.of(records)
  if not path then return pager.show(roofline.lines(roof, session:table_options())) end
  files.write(path, roofline.svg(roof))
  text.say(("  wrote %s"):format(text.printable(path)))
end

return { name = "roofline", usage = "roofline [STEP...] [FILE.svg]", topic = "results",
  summary = "draw operations per byte against the GPU's limits",
  help = "Draws the steps that have run, or the named ones, under the roof of the GPU. On the left the DRAM bandwidth"
    .. " is the limit, on the right the peak of the arithmetic units. With FILE.svg writes the chart to a file.",
  complete = function(session) return session:step_ids() end,
  run = run }
