-- The commands about earlier runs and plots: history, plot.
local lazy = require "gpulab.base.lazy"
local failure = require "gpulab.base.failure"
local journal = require "gpulab.run.journal"
local launches = require "gpulab.prompt.command.record.views".plot
local lists = require "gpulab.base.lists"
local pager = require "gpulab.base.pager"
local plots = lazy "gpulab.show.plots"
local tables = require "gpulab.base.table"
local text = require "gpulab.base.text"

local SHOWN <const> = 20

local function history(session, words)
  local n = math.tointeger(tonumber(words[#words]))
  if n then words = table.move(words, 1, #words - 1, 1, {}) end
  if #words > 1 or n and n < 1 then
    failure.usage("history takes a step and a number of runs", "for example: history "
      .. session.lab.steps[1].id .. " 50")
  end
  local step = session:look(session:target(words))
  local runs, left_out = journal.history(session.lab.id, step.id, math.min(n or SHOWN, 10000))
  local lines = journal.lines(step.id, runs, left_out, { color = session.options.color, width = text.columns,
    verb = step.exercise and "check" or "run" })
  pager.show(lines)
  io.stdout:flush()
  journal.print_warnings()
end

local function plot_lines(lab)
  local rows = lists.map(lab.plots, function(plot) return { plot.id, plot.title } end)
  local lines = tables.render({ { header = {} }, { header = {}, narrow = 20 } }, rows)
  local first = lab.plots[1]
  text.add(lines, first and ("`plot %s` draws a plot, `plot %s FILE.svg` writes it to a file."):format(first.id,
    first.id) or "This lab has no plots.")
  return lines
end

-- Without arguments draws the lab's only plot, or lists its plots.
local function draw(session, words)
  local lab = session.lab
  if not words[1] and #lab.plots == 1 then words = { lab.plots[1].id } end
  if not words[1] then return text.say(plot_lines(lab)) end
  if words[3] then failure.usage("plot takes a plot and a file", "for example: plot offset curve.svg") end
  plots.check_path(words[2])
  local current = session:current_run()
  local plot = lab:plot(words[1])
  local _, drawn = plots.draw(lab, plot, words[2], gpu.device, { set = session.chosen, models = current.asked,
    source = current.context.source, quiet = session.options.quiet, color = session.options.color })
  session.drawn = session.drawn or {} -- for the report
  session.drawn[plot.id] = { title = plot.title, text = plot.text, svg = plots.svg(drawn) }
end

return {
  { name = "history", usage = "history [STEP] [N]", topic = "results", summary = "list a step's earlier runs",
    help = "Lists the newest runs of a step, 20 by default: date, value and spread, device, program (equal letters mean"
      .. " equal programs), the parameters that differ, and the verdict. The bars compare runs on the same device with"
      .. " the same parameters, the newest on the right. A cross is a run without a value.",
    complete = function(session) return session:step_ids() end,
    run = history },
  { name = "plot", usage = "plot [ID [FILE.svg]]", topic = "results",
    summary = "draw a plot of this lab, or write it as SVG",
    help = "Runs the plot's steps for each value on its x axis and draws the result; alone draws the lab's only plot,"
      .. " or lists the plots. With a file name that ends in .svg it writes the plot there. `model` adds curves of"
      .. " other GPUs.",
    complete = function(session) return lists.map(session.lab.plots, "id") end, run = draw,
    call = function(session, f, ...)
      if type(f) == "function" then return launches.call(session.prompt, f, ...) end
      return false
    end },
}
