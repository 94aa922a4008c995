-- The command roofline.
local lazy = require "gpulab.base.lazy"
local failure = require "gpulab.base.failure"
local files = require "gpulab.base.files"
local pager = require "gpulab.base.pager"
local record_list = require "gpulab.record.list"
local roofline = lazy "gpulab.show.roofline"
local text = require "gpulab.base.text"
local view = require "gpulab.prompt.view"

local function named(prompt, words, rest)
  if record_list.is_launch(rest) then return { prompt.records:find({}, rest) } end
  local records = {}
  for _, word in ipairs(words) do records[#records + 1] = prompt.records:named(word) end
  return #records > 0 and records or prompt.records:all()
end

local function run(prompt, words, rest)
  local names, path = {}, nil
  for _, word in ipairs(words) do
    if word:match("%.svg$") then path = word else names[#names + 1] = word end
  end
  local records = named(prompt, names, rest)
  if #records == 0 then failure.usage("nothing has run yet", "run a step, or launch a kernel") end
  for i, record in ipairs(records) do records[i] = record:counted() end
  local roof = roofline.of(records)
  if not path then return pager.show(roofline.lines(roof, view.options(prompt))) end
  files.write(path, roofline.svg(roof))
  text.say(("  wrote %s"):format(text.printable(path)))
end

return { name = "roofline", usage = "roofline [STEP|LAUNCH...] [FILE.svg]", topic = "results",
  summary = "draw operations per byte against the GPU's limits",
  help = "Draws the steps that have run and the launches, or the named ones, under the roof of the GPU. On the left the"
    .. " DRAM bandwidth is the limit, on the right the peak of the arithmetic units. With FILE.svg writes the chart to"
    .. " a file.",
  complete = function(prompt) return prompt.records:names() end,
  run = run }
