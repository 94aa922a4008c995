-- A file of an editor: what its step, its exercise or its launch says of it, for hints, lenses and pointers until the
-- next save.
local cuda_file = require "gpulab.prompt.cuda_file"
local exercise = require "gpulab.run.exercise"
local failure = require "gpulab.base.failure"
local files = require "gpulab.base.files"
local host = require "gpulab.host"
local launch_list = require "gpulab.run.launch_list"
local lists = require "gpulab.base.lists"
local marks = require "gpulab.serve.marks"
local report = require "gpulab.show.report"
local source = require "gpulab.prompt.source"
local subject = require "gpulab.serve.subject"
local text = require "gpulab.base.text"
local texts = require "gpulab.serve.texts"

local diagnose = {}

---@class Found
---@field file string @field source string @field lines string[] of it @field line integer of the kernel
---@field record Record? @field exercise table? @field marks table[] (marks.lua)
---@field lenses table[] {line, title, command, of}

---What was found of a file: nothing yet.
---@param path string @param content string @return Found
function diagnose.new(path, content)
  return { file = path, source = content, lines = text.lines(content), line = 1, marks = {}, lenses = {} }
end

---The last of those that are nearest above a line: in a lab the later steps of a kernel are the better ones.
---@param found {line: integer}[] @param line integer
function diagnose.nearest(found, line)
  local best
  for _, one in ipairs(found) do
    if one.line <= line and (not best or one.line >= best.line) then best = one end
  end
  return best
end

local function add_lens(found, title, command, of)
  table.insert(found.lenses, { line = found.line, title = title, command = command, of = of })
end

-- The first line that a save changed; nil: none.
local function changed_line(before, lines)
  for line = 1, #before > 0 and math.max(#before, #lines) or 0 do
    if before[line] ~= lines[line] then return line end
  end
end

-- The step that a file is looked at by: the one asked for, that of the kernel that changed, or as at the prompt.
local function step_of(session, entry, document, found)
  if document.asked then return session.lab:step(document.asked) end
  local first = changed_line(document.found.lines, found.lines)
  local changed = first and diagnose.nearest(found.lenses, first)
  if changed then session.book.last[entry.file] = session.lab:step(changed.of) end
  return session.book:step_for(entry.file)
end

local function find_line(session, target, found)
  found.line = source.line_of(target, session.params, found.source) or 1
end

local function of_exercise(session, entry, _, found)
  local ex = entry.exercise
  local result = session.study:check(ex)
  failure.pass_interrupt(result)
  find_line(session, exercise.step(ex), found)
  add_lens(found, "Check " .. ex.id, "gpulab.check", ex.id)
  add_lens(found, "Why", "gpulab.why", ex.id)
  found.record, found.exercise = session:record_of(exercise.step(ex)):counted(), ex
  found.marks = marks.of_outcome(result, found)
end

local function of_step(session, entry, document, found)
  for _, step in ipairs(session.lab.steps) do
    if session.book:compiles(step, entry.file) then
      find_line(session, step, found)
      add_lens(found, "Run " .. session:title(step), "gpulab.run", step.id)
    end
  end
  local step = step_of(session, entry, document, found)
  if not step then return end
  session:visit(session.lab:step(step.id))
  find_line(session, step, found)
  found.record = session:run_alone(step)
  failure.pass_interrupt(found.record)
  text.say(report.table(setmetatable({ records = { found.record } }, { __index = session.run }),
    session:table_options()))
  found.marks = marks.of_outcome(found.record, found)
  add_lens(found, "Why " .. step.id, "gpulab.why", step.id)
end

-- The file in place of the student's copy.
local function of_lab(self, lab, document, found)
  if self.lab ~= lab then self:open_lab(lab) end
  local session = self:session()
  local entry = subject.entry(session, found.file)
  if not entry then return false end
  subject.in_place(entry, found.file, entry.exercise and of_exercise or of_step, session, entry, document, found)
  return true
end

local function of_file(self, found)
  local prompt = self.lab and self:fresh_prompt() or self:any_prompt()
  for _, one in ipairs(prompt.records.launches) do one:let_go() end
  prompt.records.launches, prompt.records.latest = {}, nil -- only the last launch is kept
  prompt.records:next_line()
  local _, compiled = cuda_file.open(prompt, found.file)
  local launch, line = subject.head(found.source)
  found.marks = marks.of_outcome({ outcome = "ok", warnings = compiled.log }, found)
  if not launch then return end
  found.line = line
  local ok, e = host.catch(subject.run, launch)
  found.record = prompt.records:last()
  failure.pass_interrupt(found.record or {})
  if not ok and (not found.record or found.record.outcome == "ok") then error(e, 0) end
  found.line = source.line(found.lines, found.record.kernel) or line
  lists.append(found.marks, marks.of_outcome(found.record, found))
  add_lens(found, "Why " .. found.record.title, "gpulab.why", "") -- the latest launch
end

---Compiles and runs what a file is for; prints the table of a step or the stages of a check.
---@param self LanguageServer @param document Document
function diagnose.file(self, document)
  local content, reason = files.read(document.path)
  if not content then failure.raise("setup", text.printable(reason)) end
  local found = diagnose.new(document.path, texts.plain(content))
  local ok, e = failure.try(function()
    local lab = subject.lab(found.file, self.lab)
    if not (lab and of_lab(self, lab, document, found)) then of_file(self, found) end
  end)
  if not ok then
    found.marks = lists.joined(found.marks,
      marks.of_outcome({ error = e, outcome = failure.kind(e), message = text.said(e) }, found))
  end
  lists.append(found.marks, marks.of_counters(found.record))
  document.found = found
end

---What takes longer: the kernel's registers, for which its buffers may have to be made again, and the checkers on what
---a file launched; an exercise's check has run them.
---@param found Found
function diagnose.check(found)
  local record = found.record
  if record.report and not found.registers then lists.append(found.marks, marks.of_kernel(record, found)) end
  found.registers = true
  if record.outcome ~= "ok" or found.exercise then return end
  local issues = record:with_inputs(function(prepared)
    return (launch_list.check(prepared.device, prepared.items, table.concat(host.checks, ","), launch_list.ORDERS))
  end, { small = true, emulated = true })
  lists.append(found.marks, marks.of_issues(issues))
end

return diagnose
