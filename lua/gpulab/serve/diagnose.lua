-- A file of an editor: what its step, its exercise or its launch says of it. The state of a file holds what was found,
-- for hints, lenses and pointers until the next save.
local cuda_file = require "gpulab.prompt.cuda_file"
local exercise = require "gpulab.run.exercise"
local failure = require "gpulab.base.failure"
local files = require "gpulab.base.files"
local findings = require "gpulab.serve.findings"
local fixes = require "gpulab.serve.fixes"
local head = require "gpulab.serve.head"
local hints = require "gpulab.serve.hints"
local host = require "gpulab.host"
local launch_list = require "gpulab.run.launch_list"
local lists = require "gpulab.base.lists"
local report = require "gpulab.show.report"
local source = require "gpulab.prompt.source"
local subject = require "gpulab.serve.subject"
local text = require "gpulab.base.text"
local texts = require "gpulab.serve.texts"

local diagnose = {}

---@class FileState
---@field path string @field source string @field lines string[] of it @field record Record?
---@field target table? the step or exercise @field findings table[] @field hints table[]
---@field lenses table[] {line, title, command, of} @field steps {step: table, line: integer}[]? that compile it

---The last of those that are nearest above a line: in a lab the later steps of a kernel are the better ones.
---@param found {line: integer}[] @param line integer
function diagnose.nearest(found, line)
  local best
  for _, one in ipairs(found) do
    if one.line <= line and (not best or one.line >= best.line) then best = one end
  end
  return best
end

-- The first line that a save changed; nil: none.
local function changed_line(before, lines)
  for line = 1, math.max(#before, #lines) do
    if before[line] ~= lines[line] then return line end
  end
end

-- The step that a file is looked at by: the one asked for, that of the kernel that changed, or as at the prompt.
local function step_of(self, session, entry, state, before)
  local asked = self.asked[state.path]
  if asked then return session.lab:step(asked) end
  local first = before and changed_line(before.lines, state.lines)
  local changed = first and diagnose.nearest(state.steps, first)
  if changed then session.book.last[entry.file] = changed.step end
  return session.book:step_for(entry.file)
end

local function lens(line, title, command, of) return { line = line, title = title, command = command, of = of } end

local function of_exercise(session, entry, state)
  local ex = entry.exercise
  local result = session.study:check(ex)
  failure.pass_interrupt(result)
  local whole = { file = state.path, line = source.line_of(exercise.step(ex), session.params, state.source) or 1 }
  state.target, state.findings = exercise.step(ex), findings.of_check(result, whole)
  state.record = session:record_of(state.target):counted()
  state.lenses = { lens(whole.line, "Check " .. ex.id, "gpulab.check", ex.id),
    lens(whole.line, "Why", "gpulab.why", ex.id) }
end

local function of_step(self, session, entry, state, before)
  local using = lists.select(session.lab.steps, function(step) return session.book:compiles(step, entry.file) end)
  state.steps = lists.map(using, function(step)
    return { step = step, line = source.line_of(step, session.params, state.source) or 1 }
  end)
  local step = step_of(self, session, entry, state, before)
  for _, one in ipairs(state.steps) do
    state.lenses[#state.lenses + 1] = lens(one.line, "Run " .. session:title(one.step), "gpulab.run", one.step.id)
  end
  if not step then return end
  local own = lists.find(state.steps, "step", step)
  state.target = step
  session:visit(step, select(2, session.lab:step(step.id)))
  state.record = session:run_alone(step)
  failure.pass_interrupt(state.record)
  text.say(report.table(setmetatable({ records = { state.record } }, { __index = session.run }),
    session:table_options()))
  state.findings = findings.of_record(state.record, { file = state.path, line = own and own.line or 1 })
  if own then state.lenses[#state.lenses + 1] = lens(own.line, "Why " .. step.id, "gpulab.why", step.id) end
end

-- The file in place of the student's copy.
local function of_lab(self, lab, state, before)
  if self.lab ~= lab then self:open_lab(lab) end
  local session = self:session()
  local entry = subject.entry(session, state.path)
  if not entry then return false end
  subject.in_place(entry, state.path, function()
    if entry.exercise then return of_exercise(session, entry, state) end
    of_step(self, session, entry, state, before)
  end)
  return true
end

local function of_file(self, state)
  local prompt = self.lab and self:fresh_prompt() or self:any_prompt()
  for _, one in ipairs(prompt.records.launches) do one:let_go() end
  prompt.records.launches, prompt.records.latest = {}, nil -- only the last launch is kept
  prompt.records:next_line()
  cuda_file.open(prompt, state.path)
  local launch = head.launch(state.source)
  if not launch then return end
  local ok, e = host.catch(head.run, launch, _G.k)
  state.record = prompt.records:last()
  failure.pass_interrupt(state.record or {})
  local line = source.line(state.lines, launch.kernel) or launch.line
  if not ok and (not state.record or state.record.outcome == "ok") then error(e, 0) end
  state.findings = findings.of_record(state.record, { file = state.path, line = line })
  state.lenses = { lens(line, "Why " .. state.record.title, "gpulab.why", state.record.id) }
end

-- The kernel's registers, for which its buffers may have to be made again.
local function add_registers(state)
  local kernel = state.lenses[#state.lenses]
  local registers = kernel and not state.registers and state.record.report and hints.of_kernel(state.record)
  state.registers = state.registers or registers
  if registers then table.insert(state.hints, { file = state.path, line = kernel.line, label = registers }) end
end

---Compiles and runs what a file is for; prints the table of a step or the stages of a check.
---@param self LanguageServer @param path string @return FileState
function diagnose.file(self, path)
  local content, reason = files.read(path)
  if not content then failure.raise("setup", text.printable(reason)) end
  local state = { path = path, source = texts.plain(content), findings = {}, hints = {}, lenses = {} }
  state.lines = text.lines(state.source)
  local ok, e = failure.try(function()
    local lab = subject.lab(path, self.lab)
    if not (lab and of_lab(self, lab, state, self.states[path])) then of_file(self, state) end
  end)
  if not ok then
    state.findings = findings.of_record({ error = e, outcome = failure.kind(e), message = text.said(e) },
      { file = path, line = 1 })
  end
  state.hints, state.checked = hints.of(state.record or {}), not state.record
  fixes.add(state)
  self.states[path] = state
  return state
end

---What takes longer: the kernel's registers, and the checkers on what a file launched.
---@param state FileState
function diagnose.check(state)
  add_registers(state)
  local is_exercise = state.target and state.target.exercise -- whose check has run them
  if state.record.outcome ~= "ok" or is_exercise then return end
  local issues = state.record:with_inputs(function(prepared)
    return (launch_list.check(prepared.device, prepared.items, table.concat(host.checks, ","), launch_list.ORDERS))
  end, { small = true, emulated = true })
  lists.append(state.findings, findings.of_issues(issues))
  fixes.add(state)
end

return diagnose
