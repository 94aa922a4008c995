-- A lab at the prompt: what its commands (prompt/command/lab) act on.
local background = require "gpulab.prompt.background"
local batch = require "gpulab.show.batch"
local commands = require "gpulab.base.commands"
local device_name = require "gpulab.base.device_name"
local lists = require "gpulab.base.lists"
local places = require "gpulab.base.places"
local exercise = require "gpulab.run.exercise"
local failure = require "gpulab.base.failure"
local journal = require "gpulab.run.journal"
local lecture = require "gpulab.lecture"
local marks = require "gpulab.run.marks"
local place = require "gpulab.prompt.place"
local pager = require "gpulab.base.pager"
local predict = require "gpulab.prompt.predict"
local project = require "gpulab.record.project"
local repl = require "gpulab.prompt.repl"
local report = require "gpulab.show.report"
local runner = require "gpulab.run.runner"
local stages = require "gpulab.run.stages"
local step_record = require "gpulab.record.step"
local steps_of = require "gpulab.lab.steps"
local study = require "gpulab.prompt.study"
local tables = require "gpulab.base.table"
local text = require "gpulab.base.text"
local workbook = require "gpulab.prompt.workbook"

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
  if #self.lab.steps > 0 then
    text.add(lines, ("%s. `steps` lists them, `next` shows and runs the next one, `run` runs all, `why STEP` explains"
      .. " one, `edit STEP` opens its kernel in your editor."):format(text.plural(#self.lab.steps, "step")), "")
  end
  lists.append(lines, self.book.intro)
  local summary = study.summary(self.lab, self.marks)
  if summary then text.add(lines, ("Exercises: %s. `exercises` lists them."):format(summary), "") end
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
  self.run, self.kept = nil, nil
end

-- The results of steps that do the same with the session's parameters, for a run on the same device.
local function unaffected(self)
  local last = self.run and self.run.context and { results = self.run.results, device = self.run.context.device }
    or self.kept
  if not last then return nil end
  local kept = {}
  for id, record in pairs(last.results) do
    if record.context:same_for(record.step, self.params) then kept[id] = record end
  end
  return { results = kept, device = last.device }
end

-- Gives a new run the results that it would have, too.
local function take_kept(self, run)
  local kept, at = self.kept, run.context
  self.kept = nil
  for id, record in pairs(kept and kept.device == at.device and kept.results or {}) do
    for name, read in pairs(record.context.reads) do at.reads[name] = at.reads[name] or read end
    record.context, run.results[id] = at, record
  end
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
  return device_name.of_driver() and "cuda" or "emu"
end

---A run on a device with the session's parameters, whose steps compile the student's copies.
function Session:new_run(device)
  local run = batch.new_run(self.lab, device, self.params, { models = self.models })
  run.key = steps_of.key(self.params)
  run.context.source = function(file) return self.book.copies:source(file) end
  return run
end

function Session:current_run()
  if not self.run then
    local device = self.stand_in or gpu.device
    if device.emulates ~= self.is_emulated then self:set_parameters(device.emulates) end
    self.run = self:new_run(device)
    take_kept(self, self.run)
  end
  return self.run
end

-- Does the group's table compare with its baseline?
local function has_share(group)
  return group.baseline ~= nil
    and lists.any(group.columns or { "share" }, function(column) return column == "share" end)
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
    if record and record.outcome == "interrupted" then run.results[step.id] = nil end
    failure.pass_interrupt(record or {})
    self.unseen[step.id] = record
  end
end

-- Names the baselines that failed, and so leave their column empty.
local function print_failed_baselines(self)
  for id, record in pairs(self.unseen) do
    if self.run.results[id] == record and not failure.is_well(record.outcome) then
      local said = "The baseline %s failed, so there is no comparison: `run %s` shows the error."
      text.say_wrapped(said:format(id, id))
    end
  end
end

-- The new records with those of the same tables from earlier runs, in the lab's order, and the new ones as keys. A
-- baseline that ran unseen is shown unless it asks for a prediction.
local function with_earlier(self, records)
  local groups, new, all = {}, {}, {}
  for _, record in ipairs(records) do
    new[record] = true
    if not record.figure and not record.timeline then groups[record.step.group or ""] = true end
  end
  for _, step in ipairs(self.lab.steps) do
    local record = self.run.results[step.id]
    local spoils = step.predict and self.unseen[step.id] == record
    local shown = record and groups[step.group or ""] and failure.is_well(record.outcome) and not spoils
      and not record.timeline
    if record and (new[record] or shown) then all[#all + 1] = record end
  end
  return all, new
end

-- Steps of a table before this one whose rows are not shown, up to where the last session ended.
local function missing_before(self, step, shown)
  local ids = {}
  for i = 1, self.recalled do
    local other = self.lab.steps[i]
    if other == step then break end
    local there = other.figure or lists.any(shown, function(record) return record.step == other end)
    if other.group == step.group and not there then ids[#ids + 1] = other.id end
  end
  return ids
end

-- Names those of each table, once per table: the text may speak of them.
local function name_missing(self, records, shown)
  for _, record in ipairs(self.recalled and records or {}) do
    local id = record.step.group or ""
    local ids = self.missing[id] and {} or missing_before(self, record.step, shown)
    if #ids > 0 then
      self.missing[id] = true
      local group = lists.find(self.lab.groups or {}, "id", id)
      text.say_wrapped(("Earlier steps%s have no row here: `run %s` shows %s."):format(
        group and (" of table “%s”"):format(group.title) or "", table.concat(ids, " "), #ids > 1 and "them" or "it"))
    end
  end
end

local function show_table(self)
  local run, options = self.run, self:table_options()
  local records = run.records
  local shown, new = with_earlier(self, records)
  run.records, options.new, options.bars = shown, new, true
  local lines = report.table(run, options)
  run.records = records
  if self.above then pager.show(lines, self.above) else text.say(lines) end
  name_missing(self, records, shown)
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
  show_table(self)
  self.predictions:saw(steps)
  print_failed_baselines(self)
  for _, line in ipairs(self.book:footnote(steps)) do text.say(line) end
  for _, record in ipairs(run.records) do
    failure.pass_interrupt(record)
  end
  io.stdout:flush()
  batch.print_failures(run, self.options)
  self.book:show_changes(steps, changes)
end

---Runs a step alone: without the baselines of its table, and without showing it.
---@param step table @return StepRecord
function Session:run_alone(step)
  local run = self:current_run()
  self.touched = true
  run.records = {}
  self.book:begin { step }
  batch.steps(run, { step }, self.options)
  self.book:finish { step }
  self.predictions:saw { step }
  return run.records[1]
end

-- Runs the step. For an exercise the counters of its last check.
local function obtain(self, step)
  local run = self:current_run()
  if step.exercise then
    local result = self.study.results[step.id] or self.study:check(step.exercise, nil, true)
    local record = { step = step, outcome = result.outcome, report = result.report, models = {},
      grid = result.grid, block = result.block, verified = study.verified(result), message = result.message }
    if record.report then runner.take_report(record, record.report, run.context.models) end
    return step_record.of(record, run.context)
  end
  self:run_alone(step)
  return run.results[step.id]
end

---A step's or exercise's record, which runs it when its counters are asked for, if it has not run.
---@param step table @return StepRecord
function Session:record_of(step)
  local run = self:current_run()
  if step.exercise and step.exercise.project then
    return project.record(step.exercise, run.context.device, function()
      return self.study.results[step.id] or self.study:check(step.exercise)
    end)
  end
  local known = not step.exercise and run.results[step.id]
  local complete = known and (known.report or failure.is_well(known.outcome)) -- tables count nothing
  if complete and (not known.device.emulates or #known:unpredicted() == 0) then return known end
  return step_record.of({ step = step, outcome = "ok", models = {} }, run.context, function()
    return obtain(self, step)
  end)
end

-- The lab's records for the commands of every prompt (record/list.lua).
local function records_of(self)
  return {
    find = function(word)
      return self:record_of(self:look(self:target { word or self.looked and self.lab.steps[self.looked].id }))
    end,
    has = function(word)
      return self.lab:numbered_step(word) ~= nil or self:known_target(word) ~= nil
    end,
    names = function() return self:target_ids() end,
    ran = function()
      local results = self:current_run().results
      local ran = lists.select(self.lab.steps, function(step)
        local record = results[step.id]
        return record and record.report and record.outcome == "ok"
      end)
      return lists.map(ran, function(step) return results[step.id] end)
    end,
  }
end

-- Steps by name, or the current one.
function Session:named_step(args)
  if args[1] or #self.lab.steps == 0 then return self.lab:step(args[1] or "") end
  return self.lab.steps[math.max(self.at, 1)], math.max(self.at, 1)
end

-- The step or exercise (as a step) with this id, or the only one whose id begins so; nil without one.
function Session:known_target(name)
  local found, at, several
  local function look(id, target, number)
    if id == name then return true end
    if name == "" or id:sub(1, #name) ~= name then return false end
    several = several or found ~= nil
    found, at = target, number
  end
  for i, step in ipairs(self.lab.steps) do
    if look(step.id, step, i) then return step, i end
  end
  if several then return nil end
  for _, ex in ipairs(self.lab.exercises or {}) do
    if look(ex.id, ex) then return exercise.step(ex) end
  end
  if several or not found then return nil end
  return at and found or exercise.step(found), at
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
    failure.usage(("%s has no exercise %q"):format(self.lab:heading(), args[1]), ("did you mean %q?"):format(near))
  end
  local steps, name = self:step_ids(), args[1]
  local some = text.nearest(name, steps) or lists.any(steps, function(id) return id:sub(1, #name) == name end)
  if some or #ids == 0 or name == "" then return self.lab:step(name) end -- raises with the nearest step or a list
  failure.usage(("%s has no step or exercise %q"):format(self.lab:heading(), name),
    (#steps > 0 and ("its steps: %s; "):format(table.concat(steps, ", ")) or "") .. "its exercises: "
      .. table.concat(ids, ", "))
end

---Makes this step or exercise the current one, from which `next` continues. Returns it.
---@param target table @param at integer? a step's number
function Session:visit(target, at)
  self.at, self.left = at or self.at, at or self.left
  return self:look(target, at)
end

---Makes this step or exercise the one that views without a name are about; `next` continues where it was.
function Session:look(target, at)
  self.looked = at or self.looked
  self.here = target.id
  if target.exercise then self.study.current = target.exercise end
  self.records.latest = nil -- from here on commands mean this one
  return target
end

-- For the commands --------------------------------------------------------------------------------

---Asks for predictions, after the text of the step that asks, runs the steps on the session's own device and compares.
---@param steps table[] @param asked boolean? the predictions have been asked for
--- @param above integer? the lines that a command showed before; nil: none waits for the table, so it has no pages
function Session:run_and_judge(steps, asked, above)
  self.background:foreground()
  local _ <close> = setmetatable({}, { __close = function()
    self.above = nil
    self.background:again()
  end })
  local more = not asked and self.predictions:before(steps) or 0
  self.above = above and above + more
  self:run_steps(steps)
  self.predictions:after(steps)
  if steps[#steps] == self.lab.steps[#self.lab.steps] then self.predictions:conclude() end
end

---Shows a step's text and runs it, which makes it the current one.
function Session:show_and_run(name)
  local step = self:visit(self.lab:step(name))
  local lines = self:paragraph(step)
  lines[#lines + 1] = ""
  text.say(lines)
  self:run_and_judge({ step }, false, #lines)
end

---What the last result of a step or exercise says is wrong: {mismatch, place, unmet}; place: of the first condition
---that is not met and has a line; unmet: the first one in words.
function Session:found_in(step)
  local result = step.exercise and self.study.results[step.exercise.id] or self.run and self.run.results[step.id]
  if not result then return nil end
  local at, unmet
  for _, row in ipairs(step.exercise and result.stage == "accept" and result.accept or {}) do
    at = at or not row.ok and stages.place(result, row) or nil
    unmet = unmet or not row.ok and row.text or nil
  end
  return { mismatch = result.mismatch, place = at, unmet = unmet }
end

---Changes the parameters, which discards the results of steps that use them.
---@param chosen table<string, string> by name; the others have their defaults
---@return boolean whether there were any
function Session:choose(chosen)
  local results = self.run and self.run.results or self.kept and self.kept.results or {}
  self.params = self.lab:parameters(chosen, { emulated = self:likely_emulated() })
  self.chosen, self.touched = chosen, true
  local kept = unaffected(self)
  self:discard_results()
  self.kept = kept
  return lists.any(lists.keys(results), function(id) return not kept.results[id] end)
end

---The steps that use a parameter, as far as is known.
---@param name string @return table[]
function Session:users_of(name)
  return lists.select(self.lab.steps, function(step)
    local ok, read = failure.try(steps_of.reads, self.lab, step, self.params, gpu.device)
    return ok and read and read[name]
  end)
end

---Changes the device, which discards the results.
function Session:use_device(device)
  self.background:foreground()
  self:discard_results()
  gpu.device = device -- luacheck: ignore 122
  self:set_parameters(device.emulates)
end

---@return string[] the ids of the steps, for completion
function Session:step_ids() return lists.map(self.lab.steps, "id") end

---@return string[] the ids of the steps and exercises
function Session:target_ids()
  return lists.append(self:step_ids(), exercise.ids(self.lab))
end

-- Opening and closing -----------------------------------------------------------------------------

---Ends what the lab has on the device and in the background, before another lab is opened.
function Session:close()
  self.background:foreground()
  self:discard_results()
  self.book:detach()
end

-- What is open, besides the prompt's own things.
local function add_parts(self)
  self.book = workbook.open(self)
  self.background = background.new(self)
  self.predictions = predict.new(self)
  self.study = study.new(self)
end

-- The commands of a lab. The global check is the module that compares arrays; as a function it is the command.
local function add_commands(self)
  local list = self.commands
  list:add(commands.of "gpulab.prompt.command.record", self.prompt, { after = function() place.remember(self) end })
  list:add(commands.of "gpulab.prompt.command.lab", self, { after = place.remember })
  list.prompt = ("%02d"):format(self.lab.number)
  setmetatable(require "gpulab.check", { __call = function(_, ...) return list.functions.check(...) end })
end

---Opens a lab at a prompt: adds its commands and prints the introduction.
---@param lab Lab @param options table @param prompt? Prompt a new one by default
function session.open(lab, options, prompt)
  prompt = prompt or repl.new(options)
  local self = setmetatable({ lab = lab, options = options, models = {}, at = 0, unseen = {},
    marks = marks.new(lab.id), commands = prompt.commands, stepper = prompt.stepper,
    prompt = prompt, records = prompt.records }, Session)
  local where = place.recall(self)
  for i, name in ipairs(options.models or {}) do self.models[i] = name end
  self.records.models = select(2, batch.models(lab, self.models))
  add_parts(self)
  add_commands(self)
  prompt.session, prompt.records.lab = self, records_of(self) -- what cannot be opened, the prompt does not have
  if not options.quiet then text.say(introduction(self)) end
  if where and not options.piped then text.say(where) end
  if options.step then self.commands:get("show").run(self, { options.step }) end
  journal.print_warnings()
  return self
end

return session
