-- gpulab --verify-labs [LAB]: whether the labs keep what they promise, at the sizes of tests on the emulator. Every
-- step verifies, every starter misses its gate, every solution passes with margin and no checker finds anything in it,
-- every claim of the lectures is used, every text fits the terminal, no stray file lies about.
local app = require "gpulab.app"
local definition = require "gpulab.definition"
local documents = require "gpulab.documents"
local exercise = require "gpulab.exercise"
local failure = require "gpulab.failure"
local gate = require "gpulab.gate"
local host = require "gpulab.host"
local lecture = require "gpulab.lecture"
local plots = require "gpulab.plots"
local report = require "gpulab.report"
local runner = require "gpulab.runner"
local steps = require "gpulab.steps"
local text = require "gpulab.text"
local works = require "gpulab.works"

local verify_labs = {}

local PER_LAB <const>, IN_ALL <const> = 2, 30 -- exercises, at least
local RULES <const> = "H200"
local MARGIN <const> = 0.005 -- of a bound, how far inside it a solution's ratio has to be
local COLUMNS <const> = 100 -- of a code line that a student reads

-- What was missed, told by lab.
local Book = {}
Book.__index = Book

function Book:miss(format, ...)
  self.missed[#self.missed + 1] = select("#", ...) > 0 and format:format(...) or format
end

-- Steps -------------------------------------------------------------------------------------------

local function small_context(lab, device, options)
  local params = lab:parameters(nil, { backend = "emu", small = true })
  return runner.context(lab, device, params, { small = true, checks = options and options.checks })
end

local function lines_fit(book, whose, lines)
  for _, line in ipairs(lines) do
    if text.width(line) > text.columns then
      book:miss("%s: a line has %d columns: %s", whose, text.width(line), text.clip(line, 50))
    end
  end
end

local function text_fits(book, whose, s)
  if s then lines_fit(book, whose, text.wrap(s, "  ")) end
end

local function run_steps(book, lab, device)
  local at = small_context(lab, device)
  local run = { lab = lab, device = device, params = at.params, models = {}, records = {}, results = {} }
  for _, step in ipairs(lab.steps) do
    local record = runner.run(at, step)
    if record.outcome == "interrupted" then failure.raise("interrupted", "interrupted") end
    run.records[#run.records + 1], run.results[step.id] = record, record
    if not failure.is_well(record.outcome) then
      book:miss("step %s: %s", step.id, report.summary(record))
    elseif record.verified == nil and step.reference and not record.shown and record.outcome == "ok" then
      book:miss("step %s: its result was not verified", step.id)
    end
    text_fits(book, "step " .. step.id, step.text)
  end
  at:close()
  lines_fit(book, "its table", report.table(run, { width = text.columns, color = false }))
end

-- Plots -------------------------------------------------------------------------------------------

-- The two least values of its axis: enough to see that it runs.
local function two_values(plot)
  local values = table.move(plot.emulator_values or definition.axis_values(plot.x), 1, 1000, 1, {})
  table.sort(values)
  return { values[1], values[2] }
end

local function run_plots(book, lab, device)
  for _, plot in ipairs(lab.plots) do
    local run = plots.run(lab, plot, device, { quiet = true, small = true, values = two_values(plot) })
    for _, line in ipairs(plots.failures(run)) do book:miss("plot %s: %s", plot.id, line:match("^%s*(.*)")) end
    for _, one in ipairs(plots.series(run)) do
      for _, point in ipairs(one.points) do
        if not point[2] and #run.failures == 0 then
          book:miss("plot %s: nothing to draw for %s at %s", plot.id, one.name, tostring(point[1]))
        end
      end
    end
    lines_fit(book, "plot " .. plot.id, plots.lines(run, { ascii = true }))
  end
end

-- Exercises ---------------------------------------------------------------------------------------

-- The file below kernels/; nil, told, if it is not there or its lines are too long to read.
local function source(book, ex, path)
  local there, found = pcall(host.find, path, "kernels")
  local content = there and found and documents.read(found)
  if not content then
    book:miss("exercise %s: there is no kernels/%s", ex.id, path)
    return nil
  end
  for line in content:gmatch("[^\n]*") do
    local expanded = line:gsub("\t", "    ")
    if text.width(expanded) > COLUMNS then
      book:miss("%s: a line has %d columns: %s", path, text.width(expanded), text.clip(line, 40))
    end
  end
  return content
end

-- One clear task in a comment at the starter's head.
local function check_head(book, ex, content)
  local first = content:match("^%s*([^\n]*)")
  if not first:match("^/[/*]%s*Task:") then
    book:miss("exercise %s: its starter does not begin with a comment \"Task: ...\"", ex.id)
  end
  local _, tasks = content:gsub("Task:", "")
  if tasks > 1 then book:miss("exercise %s: its starter has %d tasks, not one", ex.id, tasks) end
end

-- Compiles, runs, verifies, checks, counts: {outcome, message, rows}.
local function try(lab, device, ex, file)
  local at = small_context(lab, device, { checks = "all" })
  local step = exercise.compiled_from(ex, file)
  local record = runner.run(at, step)
  local result = { outcome = record.outcome, message = report.summary(record), rows = {} }
  if record.outcome == "interrupted" then failure.raise("interrupted", "interrupted") end
  if record.outcome == "ok" then
    local counters = record.report.counters
    local prepared = runner.prepare(at, step)
    local rules = ex.gate.rules or RULES
    if rules ~= record.report.rules then
      counters = works.count(device, prepared.items, { rules = rules, models = {} }).counters
    end
    result.rows = gate.judge(ex.gate, counters, { launches = prepared.launches })
    if not gate.passed(result.rows) then result.outcome = "gate" end
  end
  at:close()
  return result
end

local could_not_run <const> = { compile = true, setup = true, usage = true, limit = true }

local function try_starter(book, lab, device, ex)
  local result = try(lab, device, ex, ex.starter)
  if result.outcome == "ok" then
    book:miss("exercise %s: its starter passes already", ex.id)
  elseif could_not_run[result.outcome] then
    book:miss("exercise %s: its starter has to run: %s", ex.id, result.message)
  end
end

-- A bound that is met exactly by a whole number is met; a quotient has to be clear of it.
local function has_margin(row)
  return row.got == math.floor(row.got) or row.margin >= MARGIN
end

local function try_solution(book, lab, device, ex)
  local result = try(lab, device, ex, ex.solution)
  if result.outcome ~= "ok" and result.outcome ~= "gate" then
    return book:miss("exercise %s: its solution: %s", ex.id, result.message)
  end
  for _, row in ipairs(result.rows) do
    if not row.ok then
      book:miss("exercise %s: its solution misses the gate: %s", ex.id, row.text)
    elseif not has_margin(row) then
      book:miss("exercise %s: its solution passes without margin: %s", ex.id, row.text)
    end
  end
end

local function check_exercises(book, lab, device)
  if #lab.exercises < PER_LAB then
    book:miss("%d of at least %d exercises", #lab.exercises, PER_LAB)
  end
  for _, ex in ipairs(lab.exercises) do
    local starter, solution = source(book, ex, ex.starter), source(book, ex, ex.solution)
    if starter then
      check_head(book, ex, starter)
      try_starter(book, lab, device, ex)
    end
    if solution then try_solution(book, lab, device, ex) end
    if starter and starter == solution then book:miss("exercise %s: starter and solution are the same", ex.id) end
    for _, s in ipairs { ex.task, ex.debrief, table.unpack(ex.hints) } do text_fits(book, "exercise " .. ex.id, s) end
  end
end

-- Claims and files --------------------------------------------------------------------------------

---The ids of the claims that a lab shows, each with what shows it first.
function verify_labs.claims_of(lab)
  local used = {}
  for _, list in ipairs { lab.steps, lab.plots, lab.exercises } do
    for _, item in ipairs(list) do
      for _, id in ipairs(steps.claims(item)) do used[id] = used[id] or item.id end
    end
  end
  return used
end

local function check_claims(books, labs)
  local used = {}
  for _, lab in ipairs(labs) do
    for id in pairs(verify_labs.claims_of(lab)) do used[id] = true end
  end
  for _, claim in ipairs(lecture.all()) do
    if not used[claim.id] and books[claim.lab] then books[claim.lab]:miss("claim %s is shown by nothing", claim.id) end
  end
end

-- The entries of a folder without the slash that marks folders; none if it is no folder.
local function entries(folder)
  local names = {}
  if host.kind(folder) ~= "folder" then return names end
  for i, name in ipairs(host.list(folder)) do names[i] = name:gsub("/$", "") end
  return names
end

-- What lies below kernels/exercises and kernels/solutions and belongs to no exercise.
local function stray_files(labs)
  local known, stray, seen = {}, {}, {}
  for _, lab in ipairs(labs) do
    for _, ex in ipairs(lab.exercises) do known[ex.starter], known[ex.solution] = true, true end
  end
  local function look(path)
    if not known[path] and not seen[path] then stray[#stray + 1] = "kernels/" .. path end
    seen[path] = true
  end
  for _, folder in ipairs(host.folders("kernels")) do
    for _, kind in ipairs { "exercises", "solutions" } do
      for _, name in ipairs(entries(folder .. "/" .. kind)) do
        local path = ("%s/%s"):format(kind, name)
        local below = entries(folder .. "/" .. path)
        if #below == 0 then look(path) end
        for _, file in ipairs(below) do look(path .. "/" .. file) end
      end
    end
  end
  return stray
end

-- The whole ---------------------------------------------------------------------------------------

---All labs of the labs folder; what does not load is told.
---@return Lab[] labs, string[] complaints
function verify_labs.load()
  local labs, complaints, seen = {}, {}, {}
  for _, entry in ipairs(app.labs()) do
    host.lab_folder(entry.path:match("^(.*)/"))
    local ok, lab = pcall(dofile, entry.path)
    if not ok or not require("gpulab.lab").is_lab(lab) then
      complaints[#complaints + 1] = ("lab %d does not load: %s"):format(entry.number,
        ok and "it returns no lab, as lab.define does" or tostring(lab))
    else
      if lab.number ~= entry.number or lab.id ~= entry.name then
        complaints[#complaints + 1] = ("%s says that it is lab %d, %s"):format(entry.path:match("[^/]+$"), lab.number,
          lab.id)
      end
      for _, key in ipairs { lab.number, lab.id } do
        if seen[key] then complaints[#complaints + 1] = ("two labs are called %s"):format(key) end
        seen[key] = true
      end
      labs[#labs + 1] = lab
    end
  end
  return labs, complaints
end

local function verify(lab, device)
  local book = setmetatable({ missed = {} }, Book)
  text_fits(book, "the introduction", lab.intro)
  for _, part in ipairs { run_steps, run_plots, check_exercises } do
    local ok, e = pcall(part, book, lab, device)
    if not ok then
      if failure.kind(e) == "interrupted" then error(e, 0) end
      book:miss("%s", tostring(e))
    end
  end
  return book
end

local function tell(lines)
  for _, s in ipairs(lines) do
    for _, line in ipairs(text.wrap("  missed: " .. s:gsub("\n.*", ""):gsub("^%s+", ""), "  ", text.columns)) do
      print((line:gsub("^    missed", "  missed")))
    end
  end
end

local function print_lab(lab, book)
  print(("%s: %s, %s, %s"):format(lab:heading(), text.plural(#lab.steps, "step"),
    text.plural(#lab.exercises, "exercise"), text.plural(#lab.plots, "plot")))
  tell(book.missed)
  io.stdout:flush()
end

local function wanted_labs(labs, target, complaints)
  if not target then return labs end
  local path = app.resolve(target)
  for _, lab in ipairs(labs) do
    if path:match("[^/]+$") == ("%02d-%s.lua"):format(lab.number, lab.id) then return { lab } end
  end
  local because = #complaints > 0 and table.concat(complaints, "; ") or "name one by number or name, or none for all"
  gpu.raise("usage", target .. " is none of the labs", because)
end

---Checks all labs, or the one that options.target names, and prints what was missed; returns the exit code.
---@param options table
function verify_labs.run(options)
  local labs, general = verify_labs.load()
  local device, books, missed, exercises = gpu.open "emu", {}, 0, 0
  local wanted = wanted_labs(labs, options.target, general)
  for _, lab in ipairs(wanted) do
    books[lab.number] = verify(lab, device)
    exercises = exercises + #lab.exercises
  end
  check_claims(books, labs)
  for _, lab in ipairs(wanted) do
    print_lab(lab, books[lab.number])
    missed = missed + #books[lab.number].missed
  end
  if not options.target then
    for number = 1, lecture.labs do
      if not books[number] then general[#general + 1] = ("lab %d is not there"):format(number) end
    end
    if exercises < IN_ALL then
      general[#general + 1] = ("%d of at least %d exercises"):format(exercises, IN_ALL)
    end
    for _, path in ipairs(stray_files(labs)) do general[#general + 1] = path .. " belongs to no exercise" end
  end
  if #general > 0 then print("All labs:") end
  tell(general)
  missed = missed + #general
  device:close()
  if missed == 0 then return 0 end
  gpu.raise("gate", ("%s missed"):format(text.plural(missed, "point")), "each is told above with its lab")
end

return verify_labs
