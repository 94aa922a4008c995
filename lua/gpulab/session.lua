-- A lab at the prompt: the introduction, and the commands that act on it. Each is a row of the prompt's command table
-- (gpulab.commands), which also makes help and completion.
local batch = require "gpulab.batch"
local calibrate = require "gpulab.calibrate"
local commands = require "gpulab.commands"
local compare = require "gpulab.compare"
local disassembly = require "gpulab.disassembly"
local exercise = require "gpulab.exercise"
local failure = require "gpulab.failure"
local generations = require "gpulab.generations"
local host = require "gpulab.host"
local journal = require "gpulab.journal"
local lecture = require "gpulab.lecture"
local marks = require "gpulab.marks"
local notes = require "gpulab.notes"
local page_command = require "gpulab.page.command"
local place = require "gpulab.place"
local plots = require "gpulab.plots"
local predict = require "gpulab.predict"
local report = require "gpulab.report"
local resources = require "gpulab.resources"
local runner = require "gpulab.runner"
local schedules = require "gpulab.schedules"
local schema = require "gpulab.schema"
local steps_of = require "gpulab.steps"
local study = require "gpulab.study"
local tables = require "gpulab.table"
local text = require "gpulab.text"
local why = require "gpulab.why"
local workbook = require "gpulab.workbook"
local works = require "gpulab.works"

local session = {}

local Session = {}
Session.__index = Session

-- Showing -----------------------------------------------------------------------------------------

local function say(lines)
  io.stdout:write(table.concat(type(lines) == "table" and lines or { lines }, "\n"), "\n")
end

function Session:table_options()
  return { color = self.options.color, width = text.columns }
end

function Session:title(step)
  local ok, changes = pcall(steps_of.changes, self.lab, step, self.params, {})
  return report.title(step, ok and next(changes) and self.lab:overlay(self.params, changes) or self.params)
end

-- The lecture and its author at the right end of the heading's line, if it fits there.
local function heading_lines(lab, color)
  local head = lab:heading()
  local line = tables.paint(head, "strong", color)
  local source = lab.lecture and lecture.sources[lab.lecture[1]]
  if not source then return { line } end
  local credit = ("%s, %s"):format(source.author, source.title)
  local room = text.columns - text.width(head) - text.width(credit)
  if room < 2 then return { line, "  " .. credit } end
  return { line .. (" "):rep(room) .. credit }
end

local function introduction(self)
  local lines = heading_lines(self.lab, self.options.color)
  lines[#lines + 1] = ""
  for _, line in ipairs(text.wrap(self.lab.intro)) do lines[#lines + 1] = line end
  lines[#lines + 1] = ""
  for _, line in ipairs(text.wrap(("%s. `steps` lists them, `next` shows and runs one after the other, `run` runs all, "
    .. "`why STEP` explains one, `edit STEP` opens its kernel in your editor."):format(
    text.plural(#self.lab.steps, "step")))) do
    lines[#lines + 1] = line
  end
  for _, line in ipairs(self.book.intro) do lines[#lines + 1] = line end
  local summary = study.summary(self.lab, self.marks)
  if summary then
    for _, line in ipairs(text.wrap(("Exercises: %s. `exercises` lists them."):format(summary))) do
      lines[#lines + 1] = line
    end
  end
  return lines
end

function Session:paragraph(step)
  local number = select(2, self.lab:step(step.id))
  local lines = { tables.paint(("%d/%d  %s  (%s)"):format(number, #self.lab.steps, self:title(step), step.id), "strong",
    self.options.color), "" }
  for _, line in ipairs(text.wrap(step.text, "  ")) do lines[#lines + 1] = line end
  return lines
end

-- The device and the run --------------------------------------------------------------------------

-- Everything measured so far was so with these parameters on this device: a change of either begins anew.
function Session:begin_anew()
  if self.run and self.run.context then pcall(self.run.context.close, self.run.context) end
  self.run = nil
end

-- Parameters as they were chosen; the others have the defaults of the backend, which is a guess until it is opened.
function Session:set_parameters(backend)
  self.backend = backend
  self.params = self.lab:parameters(self.chosen, { backend = backend })
end

-- What kind of device it will be, without opening it.
function Session:likely_backend()
  if self.backend then return self.backend end
  local name = self.options.device or "auto"
  if name ~= "auto" then return name:match("^cuda") and "cuda" or "emu" end
  return host.driver_gpu and host.driver_gpu() and "cuda" or "emu"
end

function Session:current_run()
  if not self.run then
    if gpu.device.backend ~= self.backend then self:set_parameters(gpu.device.backend) end
    self.run = batch.new_run(self.lab, gpu.device, self.params, { models = self.models })
    self.run.context.source = function(file) return self.book.copies:source(file) end
  end
  return self.run
end

-- A share of a step that was not run yet, or not at these parameters, is a dash: which step that is.
local function tell_baseline(run)
  for _, group in ipairs(run.lab.groups or {}) do
    local shown = not group.columns
    for _, column in ipairs(group.columns or {}) do shown = shown or column == "share" end
    local missing, ids = shown and group.baseline and not run.results[group.baseline], {}
    for _, record in ipairs(missing and run.records or {}) do
      if record.step.group == group.id and record.rate then ids[#ids + 1] = record.step.id end
    end
    if #ids > 0 then
      say(text.wrap(("The column “%s” wants the step %s at these parameters: `run %s %s`."):format(
        group.share or "of " .. group.baseline, group.baseline, group.baseline, table.concat(ids, " ")), "  "))
    end
  end
end

-- Runs steps and prints their rows; what earlier runs found stays known, so that a share of the baseline can be
-- shown.
function Session:run_steps(steps)
  self.touched = true
  local run = self:current_run()
  run.records = {}
  self.book:begin(steps)
  batch.steps(run, steps, self.options)
  local changes = self.book:finish(steps)
  say(report.table(run, self:table_options()))
  tell_baseline(run)
  for _, line in ipairs(self.book:footnote(steps)) do say(line) end
  for _, record in ipairs(run.records) do
    if record.outcome == "interrupted" then failure.raise("interrupted", "interrupted") end
  end
  io.stdout:flush()
  batch.tell_failures(run, self.options)
  self.book:show_changes(steps, changes)
end

-- A step's record, run now if it was not run before; for an exercise what its last check counted.
function Session:record(step)
  if step.exercise then
    local result = self.study.results[step.id] or self.study:check(step.exercise)
    return { step = step, outcome = result.outcome, report = result.report, models = {}, message = result.message }
  end
  self.touched = true
  local run = self:current_run()
  local record = run.results[step.id]
  local done = record and (record.report or failure.is_well(record.outcome)) -- a transfer and a figure count nothing
  if not done then
    run.records = {}
    self.book:begin { step }
    batch.steps(run, { step }, self.options)
    record = run.results[step.id]
    self.book:finish { step }
  end
  return record
end

-- Steps by name, or the current one.
function Session:named_step(args)
  if args[1] then return self.lab:step(args[1]) end
  return self.lab.steps[math.max(self.at, 1)], math.max(self.at, 1)
end

-- The step or exercise (as a step) that is called so, or begins so and is the only one; nil if there is none.
function Session:known_target(name)
  local found, at
  for i, step in ipairs(self.lab.steps) do
    if step.id == name then return step, i end
    if name ~= "" and step.id:sub(1, #name) == name then
      if found then return nil end
      found, at = step, i
    end
  end
  for _, ex in ipairs(self.lab.exercises or {}) do
    if ex.id == name then return exercise.step(ex) end
    if name ~= "" and ex.id:sub(1, #name) == name then
      if found then return nil end
      found, at = exercise.step(ex), nil
    end
  end
  return found, at
end

-- Steps and exercises by name, or the current step.
function Session:target(args)
  if not args[1] then return self:named_step(args) end
  local found, at = self:known_target(args[1])
  if found then return found, at end
  local ids = exercise.ids(self.lab)
  local near = text.nearest(args[1], ids)
  if near then
    failure.raise("usage", ("%s has no exercise %q"):format(self.lab:heading(), args[1]), nil,
      ("did you mean %q?"):format(near))
  end
  return self.lab:step(args[1]) -- raises: it says what is near, or what there is
end

---This step or exercise is from here on the one the student is at. Returns it.
---@param target table @param at integer? a step's number
function Session:visit(target, at)
  self.at = at or self.at
  self.here = target.id
  if target.exercise then self.study.current = target.exercise end
  return target
end

-- Commands ----------------------------------------------------------------------------------------

local verbs = {}

-- Asks first where a step wants a guess, for its text may give the answer; tells afterwards what became of it.
local function run_and_judge(self, steps, before)
  self.guesses:before(steps)
  if before then before() end
  self:run_steps(steps)
  self.guesses:after(steps)
  if steps[#steps] == self.lab.steps[#self.lab.steps] and #self.guesses:list() > 0 then
    say ""
    self.guesses:draw()
  end
end

function verbs.run(self, args)
  if #args == 0 then return run_and_judge(self, self.lab.steps) end
  local steps = {}
  for i, name in ipairs(args) do steps[i] = self.lab:step(name) end
  if #steps == 1 then
    self:visit(self.lab:step(args[1]))
  end
  run_and_judge(self, steps, #steps == 1 and function()
    local lines = self:paragraph(steps[1])
    lines[#lines + 1] = ""
    say(lines)
  end)
end

function verbs.steps(self)
  local columns = { { header = { "" } }, { header = { "step" } }, { header = { "" }, clip = 20 } }
  local rows, numbers = {}, false
  for i, step in ipairs(self.lab.steps) do
    local claim = step.claim and lecture.find(step.claim)
    local known = self.run and self.run.results[step.id]
    local mark = i == self.at and ">" or " "
    local said = claim and claim.value and lecture.number(claim) .. " " .. claim.unit or ""
    numbers = numbers or said ~= ""
    rows[i] = { mark, step.id, self:title(step), said,
      note = known and { text = known.outcome, style = known.outcome == "ok" and "good" or "bad" } }
  end
  if numbers then columns[#columns + 1] = { header = { "lecture" }, right = true } end
  say(tables.render(columns, rows, self:table_options()))
end

function verbs.why(self, args)
  local step = self:visit(self:target(args))
  local record = self:record(step)
  if record.outcome == "interrupted" then failure.raise("interrupted", "interrupted") end
  say(why.explain(record, self.params))
end

local function move(self, by)
  local at = self.at + by
  if at < 1 then failure.raise("usage", "this is the first step") end
  if at > #self.lab.steps then
    failure.raise("usage", "this was the last step", nil, #(self.lab.exercises or {}) > 0
      and "`exercises` lists what to try yourself, `run` runs all steps again" or "`run` runs all of them again")
  end
  verbs.run(self, { self.lab.steps[at].id })
end

function verbs.next(self) move(self, 1) end
function verbs.prev(self) move(self, -1) end

function verbs.show(self, args)
  local step = self:visit(self:target(args))
  if step.exercise then return say(self.study:paragraph(step.exercise)) end
  say(self:paragraph(step))
end

-- Per request where that is the telling figure, else the plain count.
local function line_cells(line)
  local c = line.counters
  local function per(name)
    local ratio = runner.ratio(c, name)
    return ratio and text.number(ratio) or ""
  end
  return { tostring(line.line), text.count(c.warp_instructions or 0), per "global_load", per "global_store",
    per "shared_load", per "shared_store" }
end

-- Takes out the columns in which no row has anything: the room goes to the source text.
local function drop_empty(columns, rows)
  for c = #columns, 1, -1 do
    local used = #rows == 0
    for _, row in ipairs(rows) do used = used or row[c] ~= "" end
    if not used then
      table.remove(columns, c)
      for _, row in ipairs(rows) do table.remove(row, c) end
    end
  end
end

function verbs.lines(self, args)
  local step = self:visit(self:target(args))
  local record = self:record(step)
  if not record.report or not record.report.lines then
    local why_not = failure.is_well(record.outcome) and "launches no kernel" or "did not run to its end"
    failure.raise("usage", ("%s %s, so nothing was counted"):format(step.id, why_not))
  end
  local columns = { { header = { "line" }, right = true }, { header = { "warp", "instr." }, right = true },
    { header = { "global", "load" }, right = true }, { header = { "global", "store" }, right = true },
    { header = { "shared", "load" }, right = true }, { header = { "shared", "store" }, right = true },
    { header = { "" }, clip = 10 } }
  local rows = {}
  for i, line in ipairs(record.report.lines) do
    rows[i] = line_cells(line)
    rows[i][7] = (line.text or ""):match("^%s*(.-)%s*$")
  end
  drop_empty(columns, rows)
  say(tables.render(columns, rows, self:table_options()))
  say(text.wrap(("Sectors of 32 bytes (global) and wavefronts (shared) for each request, by the rules of the %s.")
    :format(record.report.rules), "  "))
end

-- Only what is right is worth comparing.
local function right_or_raise(self, step)
  local record = self:record(step)
  if record.outcome == "interrupted" then failure.raise("interrupted", "interrupted") end
  if record.verified then return end
  if failure.is_well(record.outcome) then
    failure.raise("usage", ("nothing of %s is checked, so it is compared with nothing"):format(step.id), nil,
      "compare takes steps whose result is verified")
  end
  failure.raise("usage", ("%s does not run well, so there is nothing to compare"):format(step.id), nil,
    ("`run %s` says what is wrong"):format(step.id))
end

function verbs.compare(self, args)
  if #args ~= 2 then failure.raise("usage", "compare takes two steps", nil, "for example: compare tile padded") end
  local first, second = self.lab:step(args[1]), self.lab:step(args[2])
  right_or_raise(self, first)
  right_or_raise(self, second)
  local context = self:current_run().context
  local a, b = runner.prepare(context, first), runner.prepare(context, second)
  local c = works.compare(context.device, a.items, b.items)
  say(compare.lines(c, first.id, second.id, report.gpu(context.device)))
end

function verbs.resources(self, args)
  local step = self:visit(self:named_step(args))
  local context = self:current_run().context
  local prepared = runner.prepare(context, step)
  if not prepared.kernel then
    failure.raise("usage", ("%s is a library's: its kernels are not known"):format(step.id))
  end
  say(resources.lines(resources.of(context.device, prepared.kernel, prepared.config), self:table_options()))
end

function verbs.set(self, args, rest)
  if #args == 0 then
    local rows = {}
    for i, name in ipairs(schema.sorted_keys(self.lab.params)) do
      rows[i] = { name, tostring(self.params[name]), self.lab.params[name].help }
    end
    return say(tables.render({ { header = {} }, { header = {}, right = true }, { header = {}, clip = 20 } }, rows,
      self:table_options()))
  end
  local wanted = {}
  for name, given in pairs(self.chosen) do wanted[name] = given end
  for _, word in ipairs(args) do
    local name, given = word:match("^([%w_]+)=(.+)$")
    if not name then failure.raise("usage", ("%q is not name=value"):format(rest), nil, "for example: set n=1024") end
    wanted[name] = given
  end
  self.params = self.lab:parameters(wanted, { backend = self:likely_backend() })
  self.chosen, self.touched = wanted, true
  self:begin_anew()
end

function verbs.plot(self, args) plots.command(self, args) end
function verbs.predict(self, args) self.guesses:command(args) end
function verbs.note(self, _, rest) notes.write(self, rest) end
function verbs.notes(self, args) notes.show(self, args) end

function verbs.model(self, args)
  local wanted = table.concat(args, " ") -- names of GPUs hold blanks; quotes are allowed and not needed
  if #args == 0 then
    local names = {}
    for i, model in ipairs(gpu.models()) do names[i] = model.name end
    local asked = #self.models > 0 and text.list(self.models) or "none"
    local lines = text.wrap("Predicted besides the lecture's: " .. asked, "  ")
    for _, line in ipairs(text.wrap("Known: " .. table.concat(names, ", "), "  ")) do lines[#lines + 1] = line end
    return say(lines)
  end
  local models = wanted == "none" and {} or { table.unpack(self.models) }
  if wanted ~= "none" then models[#models + 1] = wanted end
  batch.models(self.lab, models) -- raises if there is no such model
  self.models = models
  if self.run then batch.set_models(self.run, models) end
end

function verbs.device(self, args)
  if #args > 0 then
    local opened = gpu.open(table.concat(args, " "))
    self:begin_anew()
    gpu.device = opened -- luacheck: ignore 122
    self:set_parameters(opened.backend)
  end
  say("  " .. batch.device_line(gpu.device))
end

-- The table the prompt reads ----------------------------------------------------------------------

local function step_ids(self)
  return function(prefix) return self.lab:step_ids(prefix) end
end

local function target_ids(self)
  return function(prefix)
    local ids = self.lab:step_ids(prefix)
    for _, id in ipairs(exercise.ids(self.lab)) do
      if id:sub(1, #prefix) == prefix then ids[#ids + 1] = id end
    end
    return ids
  end
end

local function among(list)
  return function(prefix)
    local found = {}
    for _, name in ipairs(list()) do
      if name:lower():sub(1, #prefix) == prefix:lower() then found[#found + 1] = name end
    end
    return found
  end
end

local function model_names()
  local names = { "all", "none" }
  for _, model in ipairs(gpu.models()) do names[#names + 1] = model.name end
  return names
end

local function device_names()
  local names = {}
  for i, device in ipairs(gpu.devices()) do names[i] = device.name end
  return names
end

local function parameter_names(self)
  return function()
    local names = schema.sorted_keys(self.lab.params)
    for i, name in ipairs(names) do names[i] = name .. "=" end
    return names
  end
end

local function command_rows(self)
  local steps, targets = step_ids(self), target_ids(self)
  return {
    { name = "run", usage = "run [STEP...]", summary = "run steps, all if none is named", complete = steps,
      help = "Runs the steps named, or all of them, checks each result and prints the table. A single step shows its"
        .. " text first. The beginning of a step's id is enough." },
    { name = "steps", usage = "steps", summary = "list the steps of this lab",
      help = "Lists the steps; > marks where you are." },
    { name = "why", usage = "why [STEP]", summary = "explain what a step's worst memory access costs",
      complete = targets,
      help = "Shows the source line whose memory access costs most against what it could cost, and for shared memory"
        .. " which lane asks for which bank." },
    { name = "next", usage = "next", summary = "show and run the next step",
      help = "Shows the next step's text and runs it." },
    { name = "prev", usage = "prev", summary = "show and run the step before",
      help = "Shows the text of the step before and runs it." },
    { name = "show", usage = "show [STEP]", summary = "read a step's text again", complete = targets,
      help = "Shows the text of a step or the task of an exercise, by default of the step you are at." },
    { name = "text", usage = "text [STEP]", summary = "the same as show", complete = steps, verb = "show",
      help = "Shows the text of a step, by default of the one you are at." },
    { name = "lines", usage = "lines [STEP]", summary = "count a step's instructions and memory traffic by source line",
      complete = targets,
      help = "Counts warp instructions, and sectors and wavefronts for each request, line by line." },
    { name = "compare", usage = "compare STEP STEP", summary = "say whether the second step is faster than the first",
      complete = steps, help = "Takes samples of both in turn and answers faster, slower or cannot tell, with the"
        .. " interval of the quotient of their times. On the emulator it compares what is predicted." },
    { name = "resources", usage = "resources [STEP]", summary = "show what a step's kernel takes of an SM",
      complete = steps, help = "Registers, shared and local memory, how many blocks fit on an SM at a time, and what"
        .. " limits them." },
    { name = "plot", usage = "plot [ID [FILE.svg]]", summary = "draw a plot of this lab, or write it as SVG",
      complete = function(prefix)
        local ids = {}
        for _, plot in ipairs(self.lab.plots) do
          if plot.id:sub(1, #prefix) == prefix then ids[#ids + 1] = plot.id end
        end
        return ids
      end,
      help = "Runs the plot's steps for each value on its x axis and draws what came of it; alone lists the plots. With"
        .. " a file that ends in .svg it is written there. `model` adds curves of other GPUs." },
    { name = "predict", usage = "predict [STEP [NUMBER]|on|off]", summary = "guess a step's number before it is shown",
      complete = function(prefix)
        local ids = {}
        for _, id in ipairs(self.guesses:asking()) do
          if id:sub(1, #prefix) == prefix then ids[#ids + 1] = id end
        end
        return ids
      end,
      help = "Alone draws your guesses against the truth. predict tile 30 keeps a guess on a step that was not run yet."
        .. " Steps ask for it by themselves before they run; Enter skips, and predict off ends such questions." },
    { name = "note", usage = "note [STEP] TEXT", summary = "write a note on a step", raw = true, complete = targets,
      help = "Keeps a note on the step named, or on the one you are at, in the journal." },
    { name = "notes", usage = "notes [STEP]", summary = "list your notes", complete = targets,
      help = "Lists the notes of this lab, or of one step or exercise, oldest first." },
    { name = "set", usage = "set [NAME=VALUE...]", summary = "show or change the lab's parameters",
      complete = among(parameter_names(self)), help = "Without arguments lists the parameters. set n=1024 changes one;"
        .. " what was measured before is forgotten." },
    { name = "model", usage = "model [NAME|all|none]", summary = "predict the time on a further GPU",
      complete = among(model_names),
      help = "Adds a GPU to those whose time is predicted, or clears the list with none." },
    { name = "device", usage = "device [NAME]", summary = "show or change the device", complete = among(device_names),
      help = "device emu, device emu:GTX 280, device cuda:0: what was measured before is forgotten." },
  }
end

local function register(self)
  for _, row in ipairs(command_rows(self)) do
    local verb = verbs[row.verb or row.name]
    commands.define { name = row.name, usage = row.usage, summary = row.summary, help = row.help,
      complete = row.complete, raw = row.raw, run = function(args, rest)
        local results = table.pack(pcall(verb, self, args or {}, rest or ""))
        place.remember(self) -- also after a run that failed or was interrupted
        if not results[1] then error(results[2], 0) end
      end }
  end
end

---Prints the introduction and registers the commands. Returns the session, for tests.
---@param lab Lab @param options table
function session.open(lab, options)
  local self = setmetatable({ lab = lab, options = options, models = {}, at = 0, marks = marks.new(lab.id) }, Session)
  local where = place.recall(self)
  for i, name in ipairs(options.models or {}) do self.models[i] = name end
  batch.models(lab, self.models)
  register(self)
  self.book = workbook.open(self)
  self.guesses = predict.new(self)
  self.study = study.open(self)
  journal.command(self)
  disassembly.open(self, target_ids(self))
  schedules.command(self)
  generations.command(self)
  calibrate.command(self)
  page_command.define(self)
  commands.prompt = ("%02d"):format(lab.number)
  if not options.quiet then say(introduction(self)) end
  if where then say(where) end
  if options.step then verbs.show(self, { options.step }) end
  journal.tell()
  return self
end

return session
