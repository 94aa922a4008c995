-- A student's copies at the prompt: which step runs again after a save, what is then shown, and the commands edit, diff
-- and reset. The prompt (repl.lua) checks for saves between two keys.
local batch = require "gpulab.show.batch"
local change = require "gpulab.prompt.change"
local commands = require "gpulab.base.commands"
local copies = require "gpulab.prompt.copies"
local difference = require "gpulab.show.difference"
local editor = require "gpulab.prompt.editor"
local exercise = require "gpulab.run.exercise"
local failure = require "gpulab.base.failure"
local host = require "gpulab.host"
local pager = require "gpulab.base.pager"
local report = require "gpulab.show.report"
local launches = require "gpulab.run.launches"
local show = require "gpulab.base.show"
local source = require "gpulab.prompt.source"
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

-- The main kernel file of a step, nil for a step without one.
local function file_of(self, step)
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
local not_run <const> = { compile = true, setup = true, usage = true, interrupted = true }

-- Outcomes of complete runs, whose counters cover the whole launch.
local complete <const> = { ok = true, gate = true, wrong = true }

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
  local run, file = self.session.run, file_of(self, step)
  local ok, content = pcall(self.copies.original, self.copies, self.copies.entries[file])
  if not ok or content == self.texts[step.id] then return nil end
  local kept, records, copied = run.results[step.id], run.records, run.context.source
  run.context.source = nil
  local finished, e = host.catch(batch.steps, run, { step }, self.session.options)
  local record = run.results[step.id]
  run.results[step.id], run.records, run.context.source = kept, records, copied
  if not finished then error(e, 0) end
  if record.outcome == "interrupted" then failure.raise("interrupted", "interrupted") end
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
  if record.outcome == "interrupted" then failure.raise("interrupted", "interrupted") end
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
    if original then text.say(text.wrap("Compared with the original:", "  ")) end
  end
  self:show_changes({ step }, changes)
  io.stdout:flush()
end

local function compiles(self, step, file)
  for _, entry in ipairs(entries_of(self, step)) do
    if entry.file == file then return true end
  end
  return false
end

-- The step that a save of the file runs: the one last run or edited, else the session's current one, else the first.
local function step_for(self, file)
  if self.last[file] then return self.last[file] end
  local here = self.session.lab.steps[self.session.at]
  if here and compiles(self, here, file) then return here end
  for _, step in ipairs(self.session.lab.steps) do
    if compiles(self, step, file) then return step end
  end
end

-- Reacts to a saved copy: checks its exercise, or runs its step again.
local function act_on(self, entry, head)
  if entry.exercise then return self.session.study:check(entry.exercise, head) end
  return run_again(self, self.last[entry.file] or step_for(self, entry.file), head)
end

-- Watching ----------------------------------------------------------------------------------------

-- Compiles the kernel of a save while the save settles. If the file does not change again, the run finds the result or
-- the error. True if the save has settled in the meantime.
local function compile_ahead(self, entry, stamp)
  local run = self.session.run
  local step = entry.exercise and exercise.step(entry.exercise) or self.last[entry.file] or step_for(self, entry.file)
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
  local ok, e = host.catch(act_on, self, entry, ("%s was saved"):format(copies.shown(entry.path)))
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

-- Starts watching the folder of copies, if there is one.
local function watch_folder(self)
  local folder = self.copies.folder
  if self.watch or not folder or not self.line then return end
  local fs = require "gpulab.fs"
  if fs.stat(folder) ~= "folder" then return end
  self.watch = fs.watch(folder)
  self.line.watch(function() return self:look() end, self.watch and self.watch:fd())
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
  watch_folder(self)
  if not self.watch then line.watch(function() prepare(self) end) end
end

-- Commands ----------------------------------------------------------------------------------------

local verbs = {}

-- The step or exercise named, else the step the session is at; and the entry of its kernel file.
local function target_of(self, args, name)
  if #args > 1 then
    failure.raise("usage", name .. " takes one step or exercise", nil, ("for example: %s %s"):format(name, args[1]))
  end
  local session = self.session
  local target = session:visit(session:target(args))
  local file = file_of(self, target)
  local entry = file and self.copies.entries[file]
  if not entry then failure.raise("usage", ("%s has no kernel of its own"):format(target.id)) end
  return target, entry
end

local function after_editor(self, entry, target, before, trouble)
  if trouble then text.say(text.wrap(trouble, "  ")) end
  local ok, content = pcall(self.copies.text, self.copies, entry)
  if not copies.stamp(entry) then
    return text.say(text.wrap(("%s no longer exists. Steps use the original."):format(copies.shown(entry.path)), "  "))
  elseif not ok then
    return show.error(content, self.session.options.color_stderr)
  elseif content ~= before then
    return act_on(self, entry, ("%s was saved"):format(copies.shown(entry.path)))
  end
  if not trouble then
    text.say(text.wrap(("%s is unchanged. If your editor is still open, each save runs %s."):format(
      copies.shown(entry.path), entry.exercise and "`check " .. target.id .. "`" or target.id), "  "))
  end
end

-- Before the editor opens: the task, or where the copy is. Nothing runs yet.
local function before_editor(self, target, entry, made)
  self:saw(entry.file) -- a new copy is not a save
  if entry.exercise then
    if made then text.say(self.session.study:paragraph(entry.exercise)) end
    if made then
      text.say { "" }
      text.say(text.wrap(("%s is your copy. Saving it checks the exercise."):format(copies.shown(entry.path)), "  "))
    end
    return
  end
  self.last[entry.file] = target
  if made then
    text.say(text.wrap(("%s is your copy of %s. The lab's steps now compile it."):format(
      copies.shown(entry.path), show.printable(entry.file)), "  "))
  end
end

function verbs.edit(self, args)
  local target, entry = target_of(self, args, "edit")
  local made = select(2, self.copies:make(entry.file))
  self.session.touched = true
  watch_folder(self)
  before_editor(self, target, entry, made)
  local before = self.copies:text(entry)
  io.stdout:flush()
  local trouble = editor.open(entry.path, source.line_of(target, self.session.params, before))
  after_editor(self, entry, target, before, trouble)
end

local function copy_of(self, args, name)
  local target, entry = target_of(self, args, name)
  if self.copies:find(entry.file) then return entry end
  failure.raise("usage", ("there is no copy of %s"):format(show.printable(entry.file)), nil,
    ("`edit %s` makes one"):format(target.id))
end

local styles = { ["-"] = "bad", ["+"] = "good", ["@"] = "faint" }

function verbs.diff(self, args)
  if #args == 2 then return require("gpulab.show.disassembly").diff(self.session, args) end
  local entry = copy_of(self, args, "diff")
  local original, path = self.copies:original(entry)
  local color = self.session.options.color
  local entries = difference.unified(difference.split(original), difference.split(self.copies:text(entry)))
  if #entries == 0 then return text.say { "  " .. copies.shown(entry.path) .. " equals the original." } end
  local lines = { tables.paint("--- " .. copies.shown(path), "strong", color),
    tables.paint("+++ " .. copies.shown(entry.path), "strong", color) }
  for _, e in ipairs(entries) do
    local line = e.op == "@" and e.text or e.op .. show.printable(e.text)
    lines[#lines + 1] = tables.paint(line, styles[e.op], color)
  end
  pager.show(lines)
end

function verbs.reset(self, args)
  local entry = copy_of(self, args, "reset")
  local backup = self.copies:reset(entry)
  self.seen[entry.file], self.pending[entry.file] = nil, nil
  text.say(text.wrap(("Steps use the original %s again. %s."):format(show.printable(entry.file),
    backup and "Your version is saved as " .. copies.shown(backup) or "Your copy did not differ"), "  "))
end

local function target_ids(self, only_copied)
  return function(prefix)
    local ids = {}
    local function offer(id, file)
      local entry = file and self.copies.entries[file]
      if entry and id:sub(1, #prefix) == prefix and (not only_copied or copies.stamp(entry)) then ids[#ids + 1] = id end
    end
    for _, step in ipairs(self.session.lab.steps) do offer(step.id, file_of(self, step)) end
    for _, ex in ipairs(self.session.lab.exercises or {}) do offer(ex.id, ex.starter) end
    return ids
  end
end

local rows = {
  { name = "edit", usage = "edit [STEP|EX]", summary = "change a kernel in your editor; saving runs it",
    help = "Copies the step's kernel file, or the exercise's starter, to your folder (GPULAB_HOME, by default"
      .. " ~/gpulab) and opens it in VISUAL or EDITOR, at the kernel in vi, nano, emacs and VS Code. The lab then"
      .. " compiles your copy. Saving it from any editor runs the step again or checks the exercise." },
  { name = "diff", usage = "diff [STEP|EX] [STEP]", summary = "show how your copy differs from the original",
    help = "Shows a unified diff: lines with - are the original's, lines with + are yours. With two steps it compares"
      .. " the compiled inner loops of their kernels: the instructions by category, and those that differ." },
  { name = "reset", usage = "reset [STEP|EX]", summary = "restore the original kernel; your version is saved",
    help = "Renames your copy of the kernel file to FILE.~1~, or the next free number. The lab then compiles the"
      .. " original again." },
}

local function intro_lines(self)
  local names = copies_used(self, self.session.lab.steps)
  if #names == 0 then return {} end
  return text.wrap(("This lab uses your %s %s. `diff STEP` shows your changes, `reset STEP` undoes them."):format(
    #names == 1 and "copy" or "copies", text.list(names)))
end

---Gives an open lab its copies, registers their commands and watches them.
---@param session table
function workbook.open(session)
  local target = session.options.target
  local resolved, path = pcall(targets.resolve, target)
  local self = workbook.new(session, resolved and (path:match("^(.*)/") or ".") or nil)
  for _, row in ipairs(rows) do
    local verb = verbs[row.name]
    commands.define { name = row.name, usage = row.usage, summary = row.summary, help = row.help,
      complete = target_ids(self, row.name ~= "edit"), run = function(args) return verb(self, args or {}) end }
  end
  self.intro = intro_lines(self)
  return self
end

return workbook
