-- The command plot.
local failure = require "gpulab.base.failure"
local launches = require "gpulab.prompt.command.record.views".plot
local lists = require "gpulab.base.lists"
local plots = require "gpulab.show.plots"
local text = require "gpulab.base.text"

local function list_lines(lab)
  local lines = {}
  for _, plot in ipairs(lab.plots) do
    lines[#lines + 1] = ("  %-16s %s"):format(plot.id, text.clip(plot.title, text.columns - 19))
  end
  local first = lab.plots[1]
  lines[#lines + 1] = first and ("  `plot %s` draws a plot, `plot %s FILE.svg` writes it to a file."):format(first.id,
    first.id)
    or "  This lab has no plots."
  return lines
end

-- Without arguments draws the lab's only plot, or lists its plots.
local function run(session, words)
  local lab = session.lab
  if not words[1] and #lab.plots == 1 then words = { lab.plots[1].id } end
  if not words[1] then return text.say(list_lines(lab)) end
  if words[3] then failure.usage("plot takes a plot and a file", "for example: plot offset curve.svg") end
  plots.check_path(words[2])
  local current = session:current_run()
  local plot = lab:plot(words[1])
  local _, drawn = plots.draw(lab, plot, words[2], gpu.device, { set = session.chosen, models = current.asked,
    source = current.context.source, quiet = session.options.quiet, color = session.options.color })
  session.drawn = session.drawn or {} -- for the report
  session.drawn[plot.id] = { title = plot.title, text = plot.text, svg = plots.svg(drawn) }
end

local function ids(session)
  return lists.map(session.lab.plots, "id")
end

return { name = "plot", usage = "plot [ID [FILE.svg]]", topic = "results",
  summary = "draw a plot of this lab, or write it as SVG",
  help = "Runs the plot's steps for each value on its x axis and draws the result; alone draws the lab's only plot, or"
    .. " lists the plots. With a file name that ends in .svg it writes the plot there. `model` adds curves of other"
    .. " GPUs.",
  complete = ids,
  run = run,
  call = function(session, f, ...)
    if type(f) == "function" then return launches.call(session.prompt, f, ...) end
    return false
  end }
