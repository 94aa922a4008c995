-- A student's copies at the prompt: which step runs again after a save, and what is then shown. The prompt (repl.lua)
-- checks for saves between two keys.
local batch = require "gpulab.show.batch"
local change = require "gpulab.prompt.change"
local copies = require "gpulab.prompt.copies"
local exercise = require "gpulab.run.exercise"
local failure = require "gpulab.base.failure"
local host = require "gpulab.host"
local lists = require "gpulab.base.lists"
local report = require "gpulab.show.report"
local launches = require "gpulab.run.launches"
local show = require "gpulab.base.show"
local tables = require "gpulab.base.table"
local targets = require "gpulab.lab.targets"
local text = require "gpulab.base.text"
local value = require "gpulab.base.value"

local workbook = {}

local Book = {}
Book.__index = Book

local SETTLE <const> = 0.05 -- seconds without another write before a saved file is read
local SETTLED <const> = 0.01 -- the same with inotify, which reports closed files
local POLL <const> = 1      -- seconds between two checks in addition to inotify, which network folders lack
local POLL_ALONE <const> = 0.25

---@param session table @param beside? string the lab's own folder
function workbook.new(session, beside)
  return setmetatable({ session = session, copies = copies.new(session.lab, beside),
    good = {},   -- by step id: {record, text, run}, the last complete run
    texts = {},  -- by step id: the source text of the current run
    last = {},   -- by file: the step that a save runs again
    seen = {},   -- by file: {stamp, text} of the copy at its last run, or when the lab was opened
    pending = {} -- by file: a new stamp that must be seen twice
  }, Book)
end

-- Runs --------------------------------------------------------------------------------------------

---Marks the current copy of a file as seen, so that it does not run again. Returns the text that is compiled.
---@param file string @return string?
function Book:saw(file)
  local entry = self.copies.entries[file]
  local stamp = copies.stamp(entry)
  local ok, content = pcall(self.copies.text, self.copies, entry)
  if not stamp then self.seen[file] = nil end -- a copy that appears later is a new one
  if stamp and ok then self.seen[file], self.pending[file] = { stamp = stamp, text = content }, nil end
  return ok and content or nil
end

---The main kernel file of a step or exercise, nil without one.
---@param step table @return string?
function Book:file_of(step)
  return copies.file(step, self.session.params)
end

-- The entries of all kernel files of a step.
local function entries_of(self, step)
  local entries = {}
  for _, file in ipairs(copies.files(step, self.session.params)) do
    entries[#entries + 1] = self.copies.entries[file] -- a file that depends on other parameters has none
  end
  return entries
end

---Before steps run: records their source texts and marks the copies as seen. not_asked: they run for other steps, so
---a save does not run them.
function Book:begin(steps, not_asked)
  for _, step in ipairs(steps) do
    self.texts[step.id] = nil
    for i, entry in ipairs(entries_of(self, step)) do
      local content = self:saw(entry.file)
      if i == 1 then self.texts[step.id] = content end
      if not not_asked then self.last[entry.file] = #steps == 1 and step or self.last[entry.file] or step end
    end
  end
end

-- The last good run of a step, if it is comparable with the current run.
local function good_of(self, step)
  local good = self.good[step.id]
  return good and good.run == self.session.run and good or nil
end

-- Outcomes without a run of the kernel: the last result is kept.
local not_run <const> = lists.set "compile setup usage interrupted"

-- Outcomes of complete runs, whose counters cover the whole launch.
local complete <const> = lists.set "ok gate wrong"

local function is_complete(record)
  return complete[record.outcome] and record.report ~= nil and record.report.counters ~= nil
end

---After steps ran: the change of each step with an earlier run of another text. A step that does not compile keeps its
---last result.
---@return table[] changes {before, after}
function Book:finish(steps)
  local run, changes = self.session.run, {}
  for _, step in ipairs(steps) do
    local record, before = run.results[step.id], good_of(self, step)
    local content = self.texts[step.id]
    if record and is_complete(record) and content then
      local after = { record = record, text = content, run = run }
      if before and before.text ~= content then changes[#changes + 1] = { before = before, after = after } end
      if record.outcome ~= "wrong" then self.good[step.id] = after end
    elseif record and before and not_run[record.outcome] then
      run.results[step.id] = before.record
    end
  end
  return changes
end

-- The copies that these steps use, each once.
local function copies_used(self, steps)
  local found, names = {}, {}
  for _, step in ipairs(steps) do
    for _, entry in ipairs(entries_of(self, step)) do
      if copies.stamp(entry) and not found[entry.file] then
        found[entry.file], names[#names + 1] = true, copies.shown(entry.path)
      end
    end
  end
  return names
end

---The note below a table whose steps were compiled from copies.
function Book:footnote(steps)
  local names = copies_used(self, steps)
  if #names == 0 then return {} end
  return text.wrap(("Compiled from your %s %s."):format(#names == 1 and "copy" or "copies", text.list(names)), "  ")
end

---The report of a step's change; nothing if more than one step ran.
function Book:show_changes(steps, changes)
  if #steps ~= 1 then return end
  for _, c in ipairs(changes) do
    text.say { "" }
    text.say(change.lines(c.before, c.after, self.session:table_options()))
  end
end

local function kept_line(record)
  local rate = record.rate and value.show(record.rate) or record.outcome
  local kind = record.times and (" " .. record.times.kind) or ""
  return ("  The last good result is kept: %s%s."):format(rate, kind)
end

-- The last complete run of the original kernel, made now: what a copy's first run is compared with. nil if it fails.
local function run_original(self, step)
  local run, file = self.session.run, self:file_of(step)
  local ok, content = pcall(self.copies.original, self.copies, self.copies.entries[file])
  if not ok or content == self.texts[step.id] then return nil end
  local kept, records, copied = run.results[step.id], run.records, run.context.source
  run.context.source = nil
  local finished, e = host.catch(batch.steps, run, { step }, self.session.options)
  local record = run.results[step.id]
  run.results[step.id], run.records, run.context.source = kept, records, copied
  if not finished then error(e, 0) end
  failure.pass_interrupt(record)
  return is_complete(record) and { record = record, text = content, run = run } or nil
end

-- A step whose file was saved: its row or the compiler's messages, then the change.
local function run_again(self, step, head)
  local session = self.session
  local run = session:current_run()
  local options = session:table_options()
  text.say { tables.paint(text.clip("  " .. head, text.columns), "faint", session.options.color) }
  self:begin { step }
  run.records = {}
  batch.steps(run, { step }, session.options)
  local record, before = run.results[step.id], good_of(self, step)
  local changes = self:finish { step }
  failure.pass_interrupt(record)
  if is_complete(record) then
    local records = run.records
    run.records = {}
    session:fetch_baselines { step } -- missing where nothing was run before
    run.records = records
  end
  if record.outcome ~= "compile" then
    options.plain = true
    text.say(report.table(run, options))
  end
  io.stdout:flush()
  batch.print_failures(run, session.options)
  if before and (record.outcome == "wrong" or not is_complete(record)) then
    text.say { kept_line(before.record) }
  end
  if not before and is_complete(record) and record.outcome ~= "wrong" and self.texts[step.id] then
    local original = run_original(self, step)
    changes[1] = original and { before = original, after = { record = record, text = self.texts[step.id], run = run } }
    if original then text.say_wrapped("Compared with the original:") end
  end
  self:show_changes({ step }, changes)
  io.stdout:flush()
end

---Does a step compile a file?
function Book:compiles(step, file)
  return lists.any(entries_of(self, step), function(entry) return entry.file == file end)
end

---The step that a save of the file runs: the one last run or edited, else the session's current one, else the first.
---@param file string @return table? step
function Book:step_for(file)
  if self.last[file] then return self.last[file] end
  local here = self.session.lab.steps[self.session.at]
  if here and self:compiles(here, file) then return here end
  return lists.find(self.session.lab.steps, function(step) return self:compiles(step, file) end)
end

---Reacts to a saved copy: checks its exercise, or runs its step again.
---@param entry table of copies @param head string what is printed above
function Book:act_on(entry, head)
  if entry.exercise then return self.session.study:check(entry.exercise, head) end
  return run_again(self, self:step_for(entry.file), head)
end

---Makes the student's copy of a kernel, if there is none, for an editor. A save runs this step or exercise.
---@param target table a step, or an exercise as one @param entry table of copies
---@return boolean made
function Book:open_copy(target, entry)
  local made = select(2, self.copies:make(entry.file))
  self.session.touched = true
  self:watch_folder()
  self:saw(entry.file) -- a new copy is not a save
  if not entry.exercise then self.last[entry.file] = target end
  return made
end

---Restores the original of a kernel.
---@param entry table of copies @return string? backup where the student's version is saved
function Book:reset(entry)
  local backup = self.copies:reset(entry)
  self.seen[entry.file], self.pending[entry.file] = nil, nil
  return backup
end

-- Watching ----------------------------------------------------------------------------------------

-- Compiles the kernel of a save while the save settles. If the file does not change again, the run finds the result or
-- the error. True if the save has settled in the meantime.
local function compile_ahead(self, entry, stamp)
  local run = self.session.run
  local step = entry.exercise and exercise.step(entry.exercise) or self:step_for(entry.file)
  if not self.watch or not run or not step then return false end
  local began = host.seconds()
  local ok, e = host.catch(launches.compile_ahead, run.context, step)
  if host.seconds() - began < SETTLED or copies.stamp(entry) ~= stamp then return false end
  self.failed = not ok and { error = e } or nil
  return true
end

-- The text of a saved and settled copy; otherwise whether to check again soon.
local function saved_text(self, entry)
  local stamp = copies.stamp(entry)
  local seen = self.seen[entry.file]
  if not stamp then
    self.seen[entry.file], self.pending[entry.file] = nil, nil -- removed; a copy that appears later is a new one
    return nil, false
  end
  if seen and seen.stamp == stamp then return nil, false end
  if self.pending[entry.file] ~= stamp then
    self.pending[entry.file] = stamp
    if not compile_ahead(self, entry, stamp) then return nil, true end
  end
  self.pending[entry.file] = nil
  local ok, content = pcall(self.copies.text, self.copies, entry)
  if not ok then content = nil end
  local same = seen and content == seen.text
  self.seen[entry.file] = { stamp = stamp, text = content }
  return not same and content, false
end

local function on_saved(self, entry, failed)
  text.follow(host.columns())
  local run = self.session.run
  if run then run.context.failed = failed end
  local ok, e = host.catch(self.act_on, self, entry, ("%s was saved"):format(copies.shown(entry.path)))
  if run then run.context.failed = nil end
  if not ok then show.error(e, self.session.options.color_stderr) end
end

-- Starts the compiler and precompiles the CUDA headers of the lab's kernels while the student reads. The kernel's own
-- run reports what is wrong with it.
local function prepare(self)
  local lab = self.session.lab
  self.prepared = true
  local ok, run = pcall(self.session.current_run, self.session)
  if not ok then return end
  for _, step in ipairs(lab.steps) do pcall(launches.compile_prepare, run.context, step) end
  for _, ex in ipairs(lab.exercises or {}) do pcall(launches.compile_prepare, run.context, exercise.step(ex)) end
end

---The action for a saved copy, and the seconds until the next check. The prompt calls this.
---@return function? action, number seconds
function Book:look()
  local arrived, wait = self.session.background:look()
  if arrived then return arrived, 0 end
  local action, seconds = self:look_at_copies()
  return action, wait and math.min(wait, seconds) or seconds
end

---The same for saved copies only.
function Book:look_at_copies()
  local soon = false
  if not self.prepared then prepare(self) end
  if self.watch then
    local _, gone = self.watch:drain()
    if gone then self:unwatch() end
  end
  for _, entry in ipairs(self.copies.list) do
    self.failed = nil
    local content, again = saved_text(self, entry)
    local failed = self.failed
    if content then return function() on_saved(self, entry, failed) end, 0 end
    soon = soon or again
  end
  if soon then return nil, self.watch and SETTLED or SETTLE end
  return nil, self.watch and POLL or POLL_ALONE
end

function Book:unwatch()
  if self.watch then self.watch:close() end
  self.watch = nil
  if self.line then self.line.watch(function() return self:look() end) end
end

---Something besides copies is to be looked at from now on (background.lua).
function Book:wake()
  if self.line then self.line.watch(function() return self:look() end, self.watch and self.watch:fd()) end
end

function Book:watch_folder()
  local folder = self.copies.folder
  if self.watch or not folder or not self.line then return end
  local fs = require "gpulab.fs"
  if fs.stat(folder) ~= "folder" then return end
  self.watch = fs.watch(folder)
  self.line.watch(function() return self:look() end, self.watch and self.watch:fd())
end

---The prompt looks at these copies no longer.
function Book:detach()
  if self.watch then self.watch:close() end
  if self.line then self.line.watch(nil) end
  self.watch, self.line = nil, nil
end

---Called when the prompt starts: existing copies count as seen.
---@param line table gpulab.line
function Book:attach(line)
  self.line = line
  line.watch(nil)
  for _, entry in ipairs(self.copies.list) do
    local stamp = copies.stamp(entry)
    local ok, content = stamp ~= nil, nil
    if stamp then ok, content = pcall(self.copies.text, self.copies, entry) end
    if ok and not self.seen[entry.file] then self.seen[entry.file] = { stamp = stamp, text = content } end
  end
  self:watch_folder()
  if not self.watch then line.watch(function() prepare(self) end) end
end

-- Opening -----------------------------------------------------------------------------------------

local function intro_lines(self)
  local names = copies_used(self, self.session.lab.steps)
  if #names == 0 then return {} end
  return text.wrap(("This lab uses your %s %s. `diff STEP` shows your changes, `reset STEP` undoes them."):format(
    #names == 1 and "copy" or "copies", text.list(names)))
end

---Gives an open lab its copies.
function workbook.open(session)
  local target = session.options.target
  local resolved, path = pcall(targets.resolve, target)
  local self = workbook.new(session, resolved and (path:match("^(.*)/") or ".") or nil)
  self.intro = intro_lines(self)
  return self
end

return workbook
