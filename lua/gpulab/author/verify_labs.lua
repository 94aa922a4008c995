-- gpulab --verify-labs [LAB]: checks the labs at the sizes of tests on the emulator. Every step verifies, no starter
-- meets its acceptance check, every solution meets it with a margin and without checker issues, every claim of the
-- lectures is used, every text fits the terminal, and there is no stray file.
local build = require "gpulab.run.build"
local definition = require "gpulab.lab.definition"
local definitions = require "gpulab.lab"
local files = require "gpulab.base.files"
local failure = require "gpulab.base.failure"
local host = require "gpulab.host"
local lecture = require "gpulab.lecture"
local lists = require "gpulab.base.lists"
local mutation = require "gpulab.author.mutation"
local plots = require "gpulab.show.plots"
local report = require "gpulab.show.report"
local runner = require "gpulab.run.runner"
local schema = require "gpulab.lab.schema"
local steps = require "gpulab.lab.steps"
local targets = require "gpulab.lab.targets"
local text = require "gpulab.base.text"
local where = require "gpulab.base.where"

local verify_labs = {}

local PER_LAB <const>, IN_ALL <const> = 2, 30 -- exercises, at least
local COLUMNS <const> = 100 -- of a code line that a student reads

-- The problems of a lab.
local Book = {}
Book.__index = Book

function Book:problem(format, ...)
  self.problems[#self.problems + 1] = select("#", ...) > 0 and format:format(...) or format
end

-- Steps -------------------------------------------------------------------------------------------

local function small_context(lab, device, options)
  local params = lab:parameters(nil, { emulated = true, small = true })
  return runner.context(lab, device, params, { small = true, checks = options and options.checks })
end

local function lines_fit(book, whose, lines)
  for _, line in ipairs(lines) do
    if text.width(line) > text.columns then
      book:problem("%s: a line has %d columns: %s", whose, text.width(line), text.clip(line, 50))
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
    failure.pass_interrupt(record)
    run.records[#run.records + 1], run.results[step.id] = record, record
    if not failure.is_well(record.outcome) then
      book:problem("step %s: %s", step.id, report.summary(record))
    elseif record.verified == nil and step.reference and not record.shown and record.outcome == "ok" then
      book:problem("step %s: its result was not verified", step.id)
    elseif (step.kernel or step.launches) and not step.reference and not step.shows then
      book:problem("step %s: its result is not checked: it has no reference", step.id)
    end
    text_fits(book, "step " .. step.id, step.text)
  end
  at:close()
  lines_fit(book, "its table", report.table(run, { width = text.columns, color = false }))
end

-- Plots -------------------------------------------------------------------------------------------

-- The two smallest values of its axis: enough to test that it runs.
local function two_values(plot)
  local values = table.move(plot.emulator_values or definition.axis_values(plot.x), 1, 1000, 1, {})
  table.sort(values)
  return { values[1], values[2] }
end

local function run_plots(book, lab, device)
  for _, plot in ipairs(lab.plots) do
    local run = plots.run(lab, plot, device, { quiet = true, small = true, values = two_values(plot) })
    for _, line in ipairs(plots.failures(run)) do book:problem("plot %s: %s", plot.id, line:match("^%s*(.*)")) end
    for _, one in ipairs(plots.series(run)) do
      for _, point in ipairs(one.points) do
        if not point[2] and #run.failures == 0 then
          book:problem("plot %s: nothing to draw for %s at %s", plot.id, one.name, tostring(point[1]))
        end
      end
    end
    lines_fit(book, "plot " .. plot.id, plots.lines(run, { ascii = true }))
  end
end

-- Exercises ---------------------------------------------------------------------------------------

-- The file next to the lab or below kernels/; nil, with a problem, if it is missing. Lines that are too long are
-- problems.
local function source(book, ex, path)
  local there, found = pcall(where.find, path, "kernels")
  local content = there and found and files.read(found)
  if not content then
    book:problem("exercise %s: there is no file %s next to the lab", ex.id, path)
    return nil
  end
  for line in content:gmatch("[^\n]*") do
    local expanded = line:gsub("\t", "    ")
    if text.width(expanded) > COLUMNS then
      book:problem("%s: a line has %d columns: %s", path, text.width(expanded), text.clip(line, 40))
    end
  end
  return content
end

-- Exactly one task, in a comment at the start of the starter.
local function check_head(book, ex, content)
  local first = content:match("^%s*([^\n]*)")
  if not first:match("^/[/*]%s*Task:") then
    book:problem("exercise %s: its starter does not begin with a comment \"Task: ...\"", ex.id)
  end
  local _, tasks = content:gsub("Task:", "")
  if tasks > 1 then book:problem("exercise %s: its starter has %d tasks instead of one", ex.id, tasks) end
end

local function try_kernels(book, lab, device, ex)
  if ex.project and not build.nvcc() then -- a project is a program, and only nvcc makes one
    book.rows[#book.rows + 1] = ("  %-18s not tried: nvcc was not found"):format(ex.id)
    return
  end
  local results = mutation.run(lab, device, ex, book.folder, book.nth)
  book.rows[#book.rows + 1] = mutation.line(ex.id, results)
  for _, problem in ipairs(mutation.problems(results, ex)) do book:problem("exercise %s: %s", ex.id, problem) end
end

local function check_exercises(book, lab, device)
  for _, ex in ipairs(lab.exercises) do
    local starter, solution = source(book, ex, ex.starter), source(book, ex, ex.solution)
    if starter then check_head(book, ex, starter) end
    if starter and solution then try_kernels(book, lab, device, ex) end
    if starter and starter == solution then book:problem("exercise %s: starter and solution are the same", ex.id) end
    for _, s in ipairs { ex.task, ex.debrief, table.unpack(ex.hints) } do text_fits(book, "exercise " .. ex.id, s) end
  end
end

-- Claims and files --------------------------------------------------------------------------------

---The ids of the claims that a lab shows, each with the first item that shows it.
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
    local book = not used[claim.id] and books[claim.lab]
    if book then book:problem("no step, plot or exercise shows the claim %s", claim.id) end
  end
end

-- The entries of a folder without the slash that marks folders; none if it is not a folder.
local function entries(folder)
  return lists.map(host.kind(folder) == "folder" and host.list(folder) or {}, function(name)
    return (name:gsub("/$", ""))
  end)
end

-- Files below kernels/exercises and kernels/solutions that belong to no exercise.
local function stray_files(labs)
  local known, stray, seen = {}, {}, {}
  for _, lab in ipairs(labs) do
    for _, ex in ipairs(lab.exercises) do known[ex.starter], known[ex.solution] = true, true end
  end
  local function look(path)
    if not known[path] and not seen[path] then stray[#stray + 1] = "kernels/" .. path end
    seen[path] = true
  end
  for _, folder in ipairs(where.folders("kernels")) do
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

---All labs of the labs folder, and complaints about those that do not load.
---@return Lab[] labs, string[] complaints, table<Lab, string> paths
function verify_labs.load()
  local labs, complaints, paths, seen = {}, {}, {}, {}
  for _, entry in ipairs(targets.labs()) do
    where.enter(entry.path:match("^(.*)/"))
    local ok, lab = pcall(dofile, entry.path)
    if not ok or not definitions.is_lab(lab) then
      complaints[#complaints + 1] = ("lab %d does not load: %s"):format(entry.number,
        ok and "it does not return a lab; end it with return lab.define{...}" or tostring(lab))
    else
      if lab.number ~= entry.number or lab.id ~= entry.name then
        complaints[#complaints + 1] = ("%s defines lab %d, %s; number and id must match the file name"):format(
          entry.path:match("[^/]+$"), lab.number, lab.id)
      end
      for _, key in ipairs { lab.number, lab.id } do
        if seen[key] then complaints[#complaints + 1] = ("two labs have the number or id %s"):format(key) end
        seen[key] = true
      end
      labs[#labs + 1], paths[lab] = lab, entry.path
    end
  end
  return labs, complaints, paths
end

local function verify(lab, device, path, nth)
  local book = setmetatable({ problems = {}, rows = {}, folder = mutation.folder(path), nth = nth }, Book)
  text_fits(book, "the introduction", lab.intro)
  for _, part in ipairs { run_steps, run_plots, check_exercises } do
    local ok, e = failure.try(part, book, lab, device)
    if not ok then book:problem("%s", tostring(e)) end
  end
  return book
end

local function print_problems(lines)
  for _, s in ipairs(lines) do
    for _, line in ipairs(text.wrap("  problem: " .. s:gsub("\n.*", ""):gsub("^%s+", ""), "  ", text.columns)) do
      print((line:gsub("^    problem", "  problem")))
    end
  end
end

local function print_lab(lab, book)
  print(("%s: %s, %s, %s"):format(lab:heading(), text.plural(#lab.steps, "step"),
    text.plural(#lab.exercises, "exercise"), text.plural(#lab.plots, "plot")))
  if #book.rows > 0 then print(mutation.header) end
  for _, row in ipairs(book.rows) do print(row) end
  print_problems(book.problems)
  io.stdout:flush()
end

local function wanted_lab(labs, target, complaints)
  local path = targets.resolve(target)
  return lists.find(labs, function(lab) return path:match("[^/]+$") == ("%02d-%s.lua"):format(lab.number, lab.id) end)
    or gpu.raise("usage", target .. " is not a lab", #complaints > 0 and table.concat(complaints, "; ")
    or "name a lab by number or name, or omit it for all labs")
end

-- Labs side by side --------------------------------------------------------------------------------

-- Two lists of labs that take about equally long, as measured.
local HALVES <const> = { { 6, 3, 1, 5, 8, 11 }, { 7, 10, 12, 4, 9, 2 } }

-- This program again, for some labs one after the other: its output as a pipe. The shell's parent is this process.
local function begin(numbers)
  return io.popen(("for n in %s; do echo \"@ $n\"; /proc/$PPID/exe --verify-labs $n 2>/dev/null; "
    .. "[ $? -ne 130 ] || exit 130; done"):format(table.concat(numbers, " ")))
end

-- Verifies all labs in two processes at a time, and returns what was printed of each, by number.
local function side_by_side(wanted)
  local there, pipes, printed = lists.set(lists.map(wanted, "number")), {}, {}
  for i, half in ipairs(HALVES) do
    local numbers = {}
    for _, number in ipairs(half) do
      if there[number] then numbers[#numbers + 1], there[number] = number, nil end
    end
    if i == #HALVES then table.move(schema.sorted_keys(there), 1, #wanted, #numbers + 1, numbers) end -- others' labs
    if #numbers > 0 then pipes[#pipes + 1] = begin(numbers) end
  end
  for _, pipe in ipairs(pipes) do
    for number, said in (pipe:read("a") .. "@ "):gmatch("@ (%d+)\n(.-)%f[@]") do
      printed[tonumber(number)] = said:gsub("All labs:\n.*", "") -- which each of them says
    end
    local _, how, code = pipe:close()
    if how ~= "exit" or code == 130 then failure.raise("interrupted", "interrupted") end
  end
  return printed
end

-- What lab.define does not see: a lab's own file, wherever it is.
local function lab_of_path(path)
  if host.kind(path) ~= "file" then return nil end
  where.enter(path:match("^(.*)/") or ".")
  local lab = dofile(path)
  return definitions.is_lab(lab) and lab or nil
end

local function print_general(general)
  if #general > 0 then print("All labs:") end
  print_problems(general)
end

local function ended(problems)
  if problems == 0 then return 0 end
  gpu.raise("gate", ("the labs have %s"):format(text.plural(problems, "problem")), "they are listed above")
end

local function verify_one(lab, path)
  local device = gpu.open "emu"
  local book = verify(lab, device, path)
  device:close()
  print_lab(lab, book)
  return #book.problems
end

-- Adds what no lab alone is to blame for.
local function check_whole(labs, general)
  local exercises, there = 0, {}
  for _, lab in ipairs(labs) do exercises, there[lab.number] = exercises + #lab.exercises, true end
  for _, number in ipairs(lecture.labs) do
    if not there[number] then general[#general + 1] = ("lab %d is missing"):format(number) end
  end
  if exercises < IN_ALL then
    general[#general + 1] = ("%d exercises, at least %d are required"):format(exercises, IN_ALL)
  end
  for _, path in ipairs(stray_files(labs)) do general[#general + 1] = path .. " belongs to no exercise" end
end

local function verify_all(labs, general)
  local problems = 0
  local printed = side_by_side(labs)
  for _, lab in ipairs(labs) do
    local said = printed[lab.number] or ""
    io.write(said)
    local _, found = said:gsub("%f[^\n]  problem: ", "")
    problems = problems + found
    if not said:find(lab:heading(), 1, true) then
      general[#general + 1] = ("lab %d was not verified to the end"):format(lab.number)
    end
  end
  check_whole(labs, general)
  print_general(general)
  return problems + #general
end

---What is wrong with the labs as a whole, without a run of any: labs that are missing or do not load, stray files.
---@return string[]
function verify_labs.whole()
  local labs, general = verify_labs.load()
  check_whole(labs, general)
  return general
end

---Checks all labs, or the one that options.target names by number, name or path, and prints the problems; returns the
---exit code.
---@param options table also nth: with a target, only each nth cheat and mutant is tried
function verify_labs.run(options)
  if not host.nvrtc() then
    gpu.raise("setup", "there is no NVRTC, without which no kernel of a lab can be tried",
      "`gpulab doctor` says what to do")
  end
  if options.target and options.target:match("%.lua$") then
    local own = lab_of_path(options.target)
    if own then return ended(verify_one(own, options.target)) end
  end
  local labs, general, paths = verify_labs.load()
  if not options.target then return ended(verify_all(labs, general)) end
  local lab = wanted_lab(labs, options.target, general)
  where.enter(paths[lab]:match("^(.*)/"))
  local device = gpu.open "emu"
  local book = verify(lab, device, paths[lab], options.nth)
  device:close()
  check_claims({ [lab.number] = book }, labs)
  local project = lab.exercises[1] and lab.exercises[1].project -- which takes as long as a lab
  if #lab.exercises < PER_LAB and not project then
    book:problem("has %s, at least %d are required", text.plural(#lab.exercises, "exercise"), PER_LAB)
  end
  print_lab(lab, book)
  print_general(general)
  return ended(#book.problems + #general)
end

return verify_labs
