-- A lab at the prompt: the introduction and the commands. Each command is a row of the prompt's command table
-- (gpulab.commands), which also provides help and completion.
local background = require "gpulab.prompt.background"
local batch = require "gpulab.show.batch"
local calibrate = require "gpulab.run.calibrate"
local commands = require "gpulab.base.commands"
local compare = require "gpulab.run.compare"
local device_name = require "gpulab.base.device_name"
local places = require "gpulab.base.places"
local remote = require "gpulab.prompt.remote"
local disassembly = require "gpulab.show.disassembly"
local exercise = require "gpulab.run.exercise"
local failure = require "gpulab.base.failure"
local generations = require "gpulab.show.generations"
local handin = require "gpulab.prompt.handin"
local host = require "gpulab.host"
local journal = require "gpulab.run.journal"
local lecture = require "gpulab.lecture"
local marks = require "gpulab.run.marks"
local notes = require "gpulab.prompt.notes"
local page_command = require "gpulab.prompt.page"
local pager = require "gpulab.base.pager"
local place = require "gpulab.prompt.place"
local plots = require "gpulab.show.plots"
local predict = require "gpulab.prompt.predict"
local progress = require "gpulab.base.progress"
local report = require "gpulab.show.report"
local resources = require "gpulab.show.resources"
local roofline = require "gpulab.show.roofline"
local runner = require "gpulab.run.runner"
local schedules = require "gpulab.show.schedules"
local schema = require "gpulab.lab.schema"
local steps_of = require "gpulab.lab.steps"
local study = require "gpulab.prompt.study"
local limiter = require "gpulab.show.limiter"
local stalls = require "gpulab.show.stalls"
local session_commands = require "gpulab.prompt.session_commands"
local tables = require "gpulab.base.table"
local text = require "gpulab.base.text"
local warp = require "gpulab.warp.commands"
local why = require "gpulab.show.why"
local workbook = require "gpulab.prompt.workbook"
local launch_list = require "gpulab.run.launch_list"

local session = {}

local Session = {}
Session.__index = Session

-- Showing -----------------------------------------------------------------------------------------

function Session:table_options()
  return { color = self.options.color, width = text.columns }
end

function Session:title(step)
  local ok, changes = pcall(steps_of.changes, self.lab, step, self.params, {})
  return report.title(step, ok and next(changes) and self.lab:overlay(self.params, changes) or self.params)
end

-- The lecture and its author at the right end of the heading, if they fit.
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
  text.add(lines, self.lab.intro, "")
  lines[#lines + 1] = ""
  for _, line in ipairs(text.wrap(("%s. `steps` lists them, `next` shows and runs the next one, `run` runs all, "
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
  text.add(lines, step.text)
  return lines
end

-- The device and the run --------------------------------------------------------------------------

-- All results belong to the current parameters and device: a change of either discards them.
function Session:discard_results()
  if self.run and self.run.context then pcall(self.run.context.close, self.run.context) end
  self.run = nil
end

-- The chosen parameters; the others have the defaults of the device, which is assumed until it is opened.
function Session:set_parameters(emulated)
  self.is_emulated = emulated
  self.params = self.lab:parameters(self.chosen, { emulated = emulated })
end

-- The likely kind of device, without opening it.
function Session:likely_emulated()
  if self.is_emulated ~= nil then return self.is_emulated end
  local name = self.options.device or "auto"
  if places.is(name) then return name:match("/emu") ~= nil end
  if name ~= "auto" then return not name:match("^cuda") end
  return host.driver_gpu and host.driver_gpu() and "cuda" or "emu"
end

function Session:current_run()
  if not self.run then
    local device = self.stand_in or gpu.device
    if device.emulates ~= self.is_emulated then self:set_parameters(device.emulates) end
    self.run = batch.new_run(self.lab, device, self.params, { models = self.models })
    self.run.key = steps_of.key(self.params)
    self.run.context.source = function(file) return self.book.copies:source(file) end
  end
  return self.run
end

-- Does the group's table compare with its baseline?
local function has_share(group)
  for _, column in ipairs(group.columns or { "share" }) do
    if column == "share" then return group.baseline ~= nil end
  end
  return false
end

-- The baselines of the steps' tables that have no result with these parameters and are not among the steps.
local function missing_baselines(self, steps)
  local baselines, used, seen = {}, {}, {}
  for _, step in ipairs(steps) do used[step.group or ""], seen[step.id] = true, true end
  for _, group in ipairs(self.lab.groups or {}) do
    local id = used[group.id] and has_share(group) and group.baseline
    if id and not seen[id] and not self.run.results[id] then
      baselines[#baselines + 1], seen[id] = self.lab:step(id), true
    end
  end
  return baselines
end

---Runs the baselines that the tables of these steps compare with, without showing them.
function Session:fetch_baselines(steps)
  local run = self:current_run()
  local baselines = missing_baselines(self, steps)
  if #baselines == 0 then return end
  self.book:begin(baselines, true)
  batch.steps(run, baselines, self.options)
  self.book:finish(baselines)
  for _, step in ipairs(baselines) do
    local record = run.results[step.id]
    if record and record.outcome == "interrupted" then
      run.results[step.id] = nil
      failure.raise("interrupted", "interrupted")
    end
    self.unseen[step.id] = record
  end
end

-- Names the baselines that failed, and so leave their column empty.
local function print_failed_baselines(self)
  for id, record in pairs(self.unseen) do
    if self.run.results[id] == record and not failure.is_well(record.outcome) then
      local said = "The baseline %s failed, so there is no comparison: `run %s` shows the error."
      text.say(text.wrap(said:format(id, id), "  "))
    end
  end
end

-- Runs steps and prints their rows; earlier results stay available for the comparison with the baseline.
function Session:run_steps(steps)
  self.touched = true
  local run = self:current_run()
  self:fetch_baselines(steps)
  for _, step in ipairs(steps) do self.unseen[step.id] = nil end
  run.records = {}
  self.book:begin(steps)
  batch.steps(run, steps, self.options)
  local changes = self.book:finish(steps)
  text.say(report.table(run, self:table_options()))
  print_failed_baselines(self)
  for _, line in ipairs(self.book:footnote(steps)) do text.say(line) end
  for _, record in ipairs(run.records) do
    if record.outcome == "interrupted" then failure.raise("interrupted", "interrupted") end
  end
  io.stdout:flush()
  batch.print_failures(run, self.options)
  self.book:show_changes(steps, changes)
end

-- A step's record; runs the step if necessary. For an exercise the counters of its last check.
function Session:record(step)
  if step.exercise then
    local result = self.study.results[step.id] or self.study:check(step.exercise)
    return { step = step, outcome = result.outcome, report = result.report, models = {}, message = result.message }
  end
  self.touched = true
  local run = self:current_run()
  local record = run.results[step.id]
  local done = record and (record.report or failure.is_well(record.outcome)) -- transfers and tables count nothing
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
  if args[1] or #self.lab.steps == 0 then return self.lab:step(args[1] or "") end
  return self.lab.steps[math.max(self.at, 1)], math.max(self.at, 1)
end

-- The step or exercise (as a step) with this id, or the only one whose id begins so; nil without one.
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

-- Steps and exercises by name, or the current step; the current exercise where there are no steps.
function Session:target(args)
  if not args[1] and #self.lab.steps == 0 then return exercise.step(self.study.current or self.lab.exercises[1]) end
  if not args[1] then return self:named_step(args) end
  local found, at = self.lab:numbered_step(args[1])
  if not found then found, at = self:known_target(args[1]) end
  if found then return found, at end
  local ids = exercise.ids(self.lab)
  local near = text.nearest(args[1], ids)
  if near then
    failure.raise("usage", ("%s has no exercise %q"):format(self.lab:heading(), args[1]), nil,
      ("did you mean %q?"):format(near))
  end
  return self.lab:step(args[1]) -- raises with the nearest step or a list
end

---Makes this step or exercise the current one. Returns it.
---@param target table @param at integer? a step's number
function Session:visit(target, at)
  self.at = at or self.at
  self.here = target.id
  if target.exercise then self.study.current = target.exercise end
  return target
end

-- Commands ----------------------------------------------------------------------------------------

local verbs = {}

---Asks for predictions, after the text of the step that asks, runs the steps on the session's own device and compares.
---@param steps table[] @param asked boolean? the predictions have been asked for
function Session:run_and_judge(steps, asked)
  self.background:foreground()
  local _ <close> = setmetatable({}, { __close = function() self.background:again() end })
  if not asked then self.predictions:before(steps) end
  self:run_steps(steps)
  self.predictions:after(steps)
  if steps[#steps] == self.lab.steps[#self.lab.steps] and #self.predictions:list() > 0 then
    text.say ""
    self.predictions:draw()
  end
end

function verbs.run(self, args)
  local words, later = background.words(args)
  local names, elsewhere = remote.words(words)
  local steps = {}
  for i, name in ipairs(names) do steps[i] = self.lab:step(name) end
  if later then
    return self.background:run(#steps > 0 and steps or self.lab.steps, "run " .. table.concat(words, " "), elsewhere)
  end
  if elsewhere then return remote.run(self, #steps > 0 and steps or self.lab.steps) end
  if #args == 0 then return self:run_and_judge(self.lab.steps) end
  if #steps == 1 then
    self:visit(self.lab:step(args[1]))
    local lines = self:paragraph(steps[1])
    lines[#lines + 1] = ""
    text.say(lines)
  end
  self:run_and_judge(steps)
end

function verbs.steps(self)
  local columns = { { header = { "" }, right = true }, { header = { "step" } }, { header = { "" }, narrow = 20 } }
  local rows, numbers = {}, false
  for i, step in ipairs(self.lab.steps) do
    local claim = step.claim and lecture.find(step.claim)
    local known = self.run and self.run.results[step.id]
    local mark = (i == self.at and "> " or "") .. i
    local said = claim and claim.value and lecture.number(claim) .. " " .. claim.unit or ""
    numbers = numbers or said ~= ""
    rows[i] = { mark, step.id, self:title(step), said,
      note = known and { text = known.outcome, style = known.outcome == "ok" and "good" or "bad" } }
  end
  if numbers then columns[#columns + 1] = { header = { "lecture" }, right = true } end
  pager.show(tables.render(columns, rows, self:table_options()))
end

function verbs.why(self, args)
  local step = self:visit(self:target(args))
  local record = self:record(step)
  if record.outcome == "interrupted" then failure.raise("interrupted", "interrupted") end
  pager.show(why.explain(record, self.params))
end

local function move(self, args, by)
  if #self.lab.steps == 0 then
    failure.raise("usage", self.lab:heading() .. " has no steps", nil, "`exercises` lists the exercises")
  elseif #args > 1 then
    failure.raise("usage", "next and prev take one step", nil, ("for example: next %s"):format(self.lab.steps[1].id))
  elseif args[1] then
    return verbs.run(self, args)
  end
  local at = self.at + by
  if at < 1 then failure.raise("usage", "this is the first step") end
  if at > #self.lab.steps then
    failure.raise("usage", "this is the last step", nil, #(self.lab.exercises or {}) > 0
      and "`exercises` lists the exercises, `run` runs all steps again" or "`run` runs all steps again")
  end
  verbs.run(self, { self.lab.steps[at].id })
end

function verbs.next(self, args) move(self, args, 1) end
function verbs.prev(self, args) move(self, args, -1) end

-- What the last result of a step or exercise says is wrong: {mismatch, place}.
function Session:found_in(step)
  local result = step.exercise and self.study.results[step.exercise.id] or self.run and self.run.results[step.id]
  if not result then return nil end
  return { mismatch = result.mismatch, place = step.exercise and result.stage == "accept" and exercise.place(result) }
end

function verbs.show(self, args)
  if args[1] == "it" then
    local step = self.here and self:target { self.here } or self:named_step {}
    return warp.show_it(self, step, args[2], self:found_in(step))
  end
  local step = self:visit(self:target(args))
  if step.exercise then return text.say(self.study:paragraph(step.exercise)) end
  text.say(self:paragraph(step))
end

-- Counts per request where the table has such a column.
local function line_cells(line, prediction)
  local c = line.counters
  local function per(name)
    local ratio = runner.ratio(c, name)
    return ratio and text.number(ratio) or ""
  end
  return { tostring(line.line), text.count(c.warp_instructions or 0), per "global_load", per "global_store",
    per "shared_load", per "shared_store", prediction and stalls.on_line(prediction, line.line) or "" }
end

-- Removes empty columns, which leaves more room for the source text.
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
    local why_not = failure.is_well(record.outcome) and "launches no kernel" or "did not complete"
    failure.raise("usage", ("%s %s, so there are no counters"):format(step.id, why_not))
  end
  local columns = { { header = { "line" }, right = true }, { header = { "warp", "instr." }, right = true },
    { header = { "global", "load" }, right = true }, { header = { "global", "store" }, right = true },
    { header = { "shared", "load" }, right = true }, { header = { "shared", "store" }, right = true },
    { header = { "warps'", "cycles" } } }
  local rows, prediction = {}, limiter.prediction(record)
  for i, line in ipairs(record.report.lines) do
    rows[i] = line_cells(line, prediction)
    rows[i].note = (line.text or ""):match("^%s*(.-)%s*$") -- whole: below its numbers if it does not fit next to them
  end
  drop_empty(columns, rows)
  local lines = tables.render(columns, rows, self:table_options())
  for _, line in ipairs(text.wrap(("Sectors of 32 bytes (global) and wavefronts (shared) per request, by the rules of"
    .. " the %s."):format(record.report.rules), "  ")) do
    lines[#lines + 1] = line
  end
  pager.show(lines)
end

-- Only steps with a verified result are compared.
local function right_or_raise(self, step)
  local record = self:record(step)
  if record.outcome == "interrupted" then failure.raise("interrupted", "interrupted") end
  if record.verified then return end
  if failure.is_well(record.outcome) then
    failure.raise("usage", ("%s has no verified result, so it cannot be compared"):format(step.id), nil,
      "compare needs two steps with verified results")
  end
  failure.raise("usage", ("%s fails, so it cannot be compared"):format(step.id), nil,
    ("`run %s` shows the error"):format(step.id))
end

function verbs.compare(self, args)
  if #args ~= 2 then failure.raise("usage", "compare takes two steps", nil, "for example: compare tile padded") end
  local first, second = self.lab:step(args[1]), self.lab:step(args[2])
  right_or_raise(self, first)
  right_or_raise(self, second)
  local context = self:current_run().context
  local a, b = runner.prepare(context, first), runner.prepare(context, second)
  local c = progress.during(("%s and %s"):format(first.id, second.id), self.options.quiet, launch_list.compare,
    context.device, a.items, b.items)
  text.say(compare.lines(c, first.id, second.id, report.gpu(context.device)))
end

function verbs.resources(self, args)
  local step = self:visit(self:named_step(args))
  local context = self:current_run().context
  local prepared = runner.prepare(context, step)
  if not prepared.kernel then
    failure.raise("usage", ("%s runs a library, whose kernels are unknown"):format(step.id))
  end
  text.say(resources.lines(resources.of(context.device, prepared.kernel, prepared.config), self:table_options()))
end

function verbs.set(self, args, rest)
  if #args == 0 then
    local rows = {}
    for i, name in ipairs(schema.sorted_keys(self.lab.params)) do
      rows[i] = { name, tostring(self.params[name]), self.lab.params[name].help }
    end
    local columns = { { header = {} }, { header = {}, right = true }, { header = {}, narrow = 20 } }
    return text.say(tables.render(columns, rows, self:table_options()))
  end
  local wanted = {}
  for name, given in pairs(self.chosen) do wanted[name] = given end
  for _, word in ipairs(args) do
    local name, given = word:match("^([%w_]+)=(.+)$")
    if not name then failure.raise("usage", ("%q is not name=value"):format(rest), nil, "for example: set n=1024") end
    wanted[name] = given
  end
  self.params = self.lab:parameters(wanted, { emulated = self:likely_emulated() })
  self.chosen, self.touched = wanted, true
  self:discard_results()
end

function verbs.plot(self, args) plots.command(self, args) end
function verbs.predict(self, args) self.predictions:command(args) end
function verbs.note(self, _, rest) notes.write(self, rest) end
function verbs.notes(self, args) notes.show(self, args) end

function verbs.model(self, args)
  local wanted = table.concat(args, " ") -- names of GPUs contain blanks; quotes are optional
  if #args == 0 then
    local names = {}
    for i, model in ipairs(gpu.models()) do names[i] = text.together(model.name) end
    local also = {}
    for i, name in ipairs(gpu.cards()) do also[i] = text.together(name) end
    local asked = #self.models > 0 and text.list(self.models) or "none"
    local lines = text.wrap("Predicted in addition to the lecture's GPU: " .. asked, "  ")
    text.add(lines, "GPUs with a model: " .. table.concat(names, ", "))
    text.add(lines, "By name also: " .. table.concat(also, ", "))
    return text.say(lines)
  end
  local models = wanted == "none" and {} or { table.unpack(self.models) }
  if wanted ~= "none" then models[#models + 1] = wanted end
  batch.models(self.lab, models) -- raises if there is no such model
  self.models = models
  if self.run then batch.set_models(self.run, models) end
end

function verbs.device(self, args)
  if #args > 0 then
    local opened = gpu.open(device_name.of(table.concat(args, " ")))
    self.background:foreground()
    self:discard_results()
    gpu.device = opened -- luacheck: ignore 122
    self:set_parameters(opened.emulates)
  end
  text.say("  " .. batch.device_line(gpu.device))
end

---Prints the introduction and registers the commands. Returns the session for tests.
---@param lab Lab @param options table
function session.open(lab, options)
  local self = setmetatable({ lab = lab, options = options, models = {}, at = 0, unseen = {},
    marks = marks.new(lab.id) }, Session)
  local where = place.recall(self)
  for i, name in ipairs(options.models or {}) do self.models[i] = name end
  batch.models(lab, self.models)
  session_commands.register(self, verbs)
  self.book = workbook.open(self)
  self.background = background.new(self)
  self.predictions = predict.new(self)
  self.study = study.open(self)
  journal.command(self)
  disassembly.open(self, session_commands.target_ids(self))
  schedules.command(self)
  warp.command(self, options)
  generations.command(self)
  roofline.command(self)
  calibrate.command(self)
  page_command.define(self)
  handin.define(self)
  background.define(self)
  commands.prompt = ("%02d"):format(lab.number)
  if not options.quiet then text.say(introduction(self)) end
  if where then text.say(where) end
  if options.step then verbs.show(self, { options.step }) end
  journal.print_warnings()
  return self
end

return session
