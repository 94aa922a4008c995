-- A lab's plots: steps over the values of a parameter, as a chart in the terminal or as SVG.
local batch = require "gpulab.show.batch"
local chart = require "gpulab.show.chart"
local definition = require "gpulab.lab.definition"
local files = require "gpulab.base.files"
local failure = require "gpulab.base.failure"
local host = require "gpulab.host"
local lists = require "gpulab.base.lists"
local progress = require "gpulab.base.progress"
local report = require "gpulab.show.report"
local runner = require "gpulab.run.runner"
local step_record = require "gpulab.record.step"
local steps = require "gpulab.lab.steps"
local text = require "gpulab.base.text"

local plots = {}

local WIDE <const> = 10 -- between the highest points of two lines: from there on the scale is logarithmic
local WALL <const> = 0.3 -- seconds of samples for each point on a GPU

-- Running -----------------------------------------------------------------------------------------

local function values_of(plot, device)
  if device.emulates and plot.emulator_values then return plot.emulator_values end
  return definition.axis_values(plot.x)
end

-- The steps that a plot runs: its own, and for shares the baselines.
local function needed(lab, plot)
  local list = {}
  for _, id in ipairs(plot.steps) do
    local step = lab:step(id)
    lists.add_new(list, step)
    local baseline = plot.y == "share" and lab:baseline(step)
    if baseline then lists.add_new(list, baseline) end
  end
  return list
end

local function model_row(record, gpu)
  return lists.find(record.models, function(row) return row.gpu == gpu and row.known end)
end

local function rate_number(rate) return rate and rate.number end

-- The quantity on the y axis, of the record of a step (gpu: as a model predicts it; nil: as it ran).
local function quantity(plot, lab, results, record, gpu)
  local y = plot.y or "rate"
  local from = gpu and model_row(record, gpu) or record
  if not from then return nil end
  if type(y) == "function" then return not gpu and y(record, record.params) or nil end
  if y == "rate" then return rate_number(from.rate) end
  if y == "ms" then return gpu and from.ms or record.times and record.times.ms end
  if y == "share" then
    local baseline = lab:baseline(record.step)
    local base = baseline and results[baseline.id]
    local against = base and (gpu and model_row(base, gpu) or base)
    local a, b = rate_number(from.rate), against and rate_number(against.rate)
    return a and b and 100 * a / b
  end
  local names = { wavefronts = "shared_load", sectors = "global_load" }
  return runner.ratio(runner.counters(record), names[y] or y)
end

-- Whether models predict what is on the y axis: counts are by one GPU's rules.
local function is_timed(plot)
  local y = plot.y or "rate"
  return y == "rate" or y == "ms" or y == "share"
end

local function run_point(at, list)
  local results, failed = {}, nil
  for _, step in ipairs(list) do
    local record = step_record.run(at, step)
    failure.pass_interrupt(record)
    results[step.id] = record
    if not failure.is_well(record.outcome) then failed = failed or record end
  end
  return results, failed
end

-- Parameters of the run, the plot's own, and the value on the x axis; steps cannot change them.
local function context_at(lab, plot, device, options, x)
  local set = {}
  for name, v in pairs(plot.with or {}) do set[name] = v end
  for name, v in pairs(options.set or {}) do set[name] = v end
  set[plot.x.param] = x
  local params = lab:parameters(set, { emulated = device.emulates, small = options.small })
  local at = runner.context(lab, device, params, { models = options.models, wall = WALL })
  at.forced = set
  at.source = options.source
  return at
end

-- ", at blocks = 132": the plot's own parameters, unless the user set others.
local function own_parameters(plot, set)
  local own = lists.select(lists.keys(plot.with or {}), function(name) return not (set and set[name]) end)
  local parts = lists.map(own, function(name) return ("%s = %s"):format(name, tostring(plot.with[name])) end)
  return #parts > 0 and ", at " .. table.concat(parts, ", ") or ""
end

---Runs a plot's steps for every value; a point that fails is a gap.
---options: set, models (proper names), quiet, source, small, values
---@param lab Lab @param plot table @param device Device @param options table
---@return {plot: table, lab: Lab, device: Device, models: string[], points: table[], failures: table[]} run
function plots.run(lab, plot, device, options)
  local run = { plot = plot, lab = lab, device = device, models = options.models or {}, points = {}, failures = {},
    own = own_parameters(plot, options.set) }
  local values, list, line = options.values or values_of(plot, device), needed(lab, plot), progress.new(options.quiet)
  for i, x in ipairs(values) do
    line:step(i, #values, ("%s = %s"):format(plot.x.param, tostring(x)))
    local at = context_at(lab, plot, device, options, x)
    local ok, results, failed = host.catch(run_point, at, list)
    at:close()
    if not ok then
      line:clear()
      error(results, 0)
    end
    run.points[i] = { x = x, results = results }
    if failed then run.failures[#run.failures + 1] = { x = x, record = failed } end
  end
  line:clear()
  return run
end

-- Showing -----------------------------------------------------------------------------------------

local function step_name(step, points)
  if type(step.title) ~= "function" then return step.title end
  local first, last = points[1], points[#points]
  local a, b = first.results[step.id], last.results[step.id]
  local title = report.title(step, a.params)
  return title == report.title(step, b.params) and title or step.id
end

-- A series per step, and per requested model that is not the device itself.
local function series_of(run)
  local series = {}
  local own = report.gpu(run.device)
  local others = lists.select(is_timed(run.plot) and run.models or {}, function(gpu)
    return not (run.device.emulates and gpu == own)
  end)
  local gpus = lists.append({ false }, others)
  for _, id in ipairs(run.plot.steps) do
    local step = run.lab:step(id)
    for _, gpu in ipairs(gpus) do
      local points = lists.map(run.points, function(point)
        return { point.x, quantity(run.plot, run.lab, point.results, point.results[step.id], gpu or nil) }
      end)
      local title = step_name(step, run.points)
      local name = #run.plot.steps == 1 and (gpu or own) or #gpus > 1 and ("%s, %s"):format(title, gpu or own) or title
      series[#series + 1] = { name = name, points = points }
    end
  end
  return series
end
plots.series = series_of

local function common_unit(run)
  local unit
  for _, id in ipairs(run.plot.steps) do unit = unit or steps.unit(run.lab:step(id)) end
  return unit
end

local quantity_labels <const> = { ms = "ms", wavefronts = "wavefronts per shared load request",
  sectors = "sectors per global load request" }

-- The label of the y axis: the quantity and its source.
local function y_label(run)
  local plot, y = run.plot, run.plot.y or "rate"
  local label = plot.y_label
  if not label then
    if y == "rate" then label = common_unit(run) or "rate"
    elseif y == "share" then
      local baseline = run.lab:baseline((run.lab:step(plot.steps[1])))
      label = baseline and "% of " .. baseline.id or "%"
    else label = quantity_labels[y] or type(y) == "string" and y:gsub("_", " ") or "" end
  end
  local emulated = not run.device.measures
  local how = is_timed(plot) and (emulated and "predicted" or "measured") or "counted"
  local several = is_timed(plot) and #run.models > 0 -- then the legend names the GPUs
  return ("%s, %s%s%s"):format(label, how, several and "" or " on the " .. report.gpu(run.device), run.own)
end

-- Would a GPU's line be flat at the bottom of the scale that another GPU needs?
local function is_wide(series)
  local least, most
  for _, one in ipairs(series) do
    local top = 0
    for _, point in ipairs(one.points) do
      if point[2] and point[2] <= 0 then return false end -- has no logarithm
      top = math.max(top, point[2] or 0)
    end
    if top > 0 then least, most = math.min(least or top, top), math.max(most or top, top) end
  end
  return least ~= nil and most > WIDE * least
end

local function options_of(run, series, options)
  local plot = run.plot
  local log = plot.y_log or is_timed(plot) and #run.models > 0 and is_wide(series)
  return { title = plot.title, x_label = plot.x.label or plot.x.param, y_label = y_label(run), x_log = plot.x.log,
    y_log = log, color = options and options.color, ascii = options and options.ascii,
    width = options and options.width, height = options and options.height }
end

---The points that failed, one line each.
---@return string[]
function plots.failures(run)
  local lines = {}
  for _, f in ipairs(run.failures) do
    text.add(lines, ("%s = %s, %s: %s"):format(run.plot.x.param, tostring(f.x), f.record.step.id,
      report.summary(f.record) or f.record.outcome))
  end
  return lines
end

---The chart and the text below it, as lines for the terminal.
---@param options? {color: boolean?, ascii: boolean?, width: integer?, height: integer?}
function plots.lines(run, options)
  local series = series_of(run)
  local lines = chart.terminal(series, options_of(run, series, options))
  text.add_part(lines, run.plot.text and text.wrap(run.plot.text, "  ") or {})
  return lists.append(lines, plots.failures(run))
end

---@return string
function plots.svg(run)
  local series = series_of(run)
  return chart.svg(series, options_of(run, series))
end

-- Files, the command line ------------------------------------------------------------------------

---A plot's file is SVG.
---@param path string?
function plots.check_path(path)
  if path and not path:lower():match("%.svg$") then
    failure.usage(("%q does not end in .svg"):format(path), "plots are SVG files: plot ID FILE.svg")
  end
end

---Runs and draws, or writes to a file; returns the worst outcome and the run.
---@param lab Lab @param plot table @param path string? @param device Device @param options table of plots.run
function plots.draw(lab, plot, path, device, options)
  local run = plots.run(lab, plot, device, options)
  if path then
    files.write(path, plots.svg(run))
    io.stdout:write("  Wrote ", path, ".\n")
    text.say(plots.failures(run))
  else
    text.say(plots.lines(run, options))
  end
  local outcomes = lists.map(run.failures, function(f) return f.record.outcome end)
  return failure.worst(outcomes), run
end

---`--plot ID[=FILE.svg]`, as often as it is given; returns the exit code.
---@param lab Lab @param options table what the command line said
function plots.batch(lab, options)
  local wanted = {}
  for i, given in ipairs(options.plots) do
    local id, path = given:match("^([^=]+)=(.+)$")
    plots.check_path(path)
    wanted[i] = { plot = lab:plot(id or given), path = path }
  end
  local _, models = batch.models(lab, options.models)
  local outcomes = {}
  for i, entry in ipairs(wanted) do
    if i > 1 then io.stdout:write("\n") end
    outcomes[i] = plots.draw(lab, entry.plot, entry.path, gpu.device, { set = options.set, models = models,
      quiet = options.quiet, color = options.color })
  end
  return failure.code(failure.worst(outcomes))
end

return plots
