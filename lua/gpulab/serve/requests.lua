-- What each request does. Parameters are checked before (protocol.lua); what a request raises is its error (rpc.lua).
local arrays = require "gpulab.serve.arrays"
local completion = require "gpulab.prompt.completion"
local commands = require "gpulab.base.commands"
local cuda_file = require "gpulab.prompt.cuda_file"
local diagnose = require "gpulab.serve.diagnose"
local exercise = require "gpulab.run.exercise"
local failure = require "gpulab.base.failure"
local given = require "gpulab.base.given"
local hints = require "gpulab.serve.hints"
local host = require "gpulab.host"
local json = require "gpulab.base.json"
local lists = require "gpulab.base.lists"
local outline = require "gpulab.lab.outline"
local page = require "gpulab.show.page"
local printed = require "gpulab.serve.printed"
local protocol = require "gpulab.serve.protocol"
local record_list = require "gpulab.record.list"
local report_json = require "gpulab.show.report.json"
local show = require "gpulab.base.show"
local stages = require "gpulab.run.stages"
local subject = require "gpulab.serve.subject"
local targets = require "gpulab.lab.targets"
local text = require "gpulab.base.text"
local views = require "gpulab.serve.views"
local where = require "gpulab.base.where"

local requests = {}

local CELL <const> = "cell.cu" -- what messages call a text that is no file

-- Beginning ---------------------------------------------------------------------------------------

local function lab_row(entry)
  local known = outline.read(entry.path) or {}
  return json.object("number", entry.number, "id", known.id or entry.name, "title", known.title, "path", entry.path)
end

function requests.initialize(self, p)
  if p.columns then text.follow(p.columns) end
  self.options.color = p.color or false
  return json.object("version", gpu.version, "protocol", 1, "device", self.device(),
    "labs", json.each(targets.labs(), lab_row), "style", views.style())
end

-- The device of a session. What was open on another one is closed by opening.
local function use_device(name)
  if not name then return end
  local wanted = require("gpulab.base.device_name").of(name)
  if gpu.device.name == wanted then return end
  gpu.device = gpu.open(wanted) -- luacheck: ignore 122
end

local function exercise_rows(session)
  return lists.map(session.study:states(), function(state)
    return json.object("id", state.exercise.id, "title", state.exercise.title, "done", state.passed,
      "task", state.exercise.task, "file", session.study:entry(state.exercise).path)
  end)
end

local function step_rows(session)
  return lists.map(session.lab.steps, function(step)
    local known = session.run and session.run.results[step.id]
    return json.object("id", step.id, "title", session:title(step), "group", step.group, "text", step.text,
      "file", step.kernel and step.kernel.file,
      "outcome", known and known.outcome)
  end)
end

local function kernel_rows(kernels)
  return json.each(kernels or {}, function(kernel)
    return json.object("name", kernel.name, "signature", kernel.text, "line", kernel.line, "error", kernel.error)
  end)
end

local function open_lab(self, p)
  self.options.models = p.models
  self:open_lab(targets.resolve(tostring(p.lab)))
  local session = self.prompt.session
  if p.parameters then session:choose(p.parameters) end
  return session.lab:heading(), "lab"
end

local function open_file(self, p)
  given.take { include = p.include or {}, defines = p.defines or {} }
  where.check_link(p.file)
  self.path = p.file
  self.kernels = cuda_file.open(self:fresh_prompt(), self.texts:file(p.file))
  self.prompt:run "kernels"
  return p.file, "file"
end

-- The program runs now; its launches are the records.
local function open_program(self, p)
  self.options.take_records = function(records)
    self.options.records = records
    self.prompt = require("gpulab.prompt.repl").new(self.options)
    self.prompt:run "launches"
  end
  self:fresh_prompt()
  local words = lists.append({ "--prompt", p.program }, p.arguments or {})
  self.status = require("gpulab.exec.command").run(self.options, words)
  return p.program, "program"
end

function requests.open(self, p)
  local opens = p.lab and open_lab or p.file and open_file or p.program and open_program
  if not opens then failure.usage("open needs lab, file, or program", "for example: {\"lab\": 3}") end
  use_device(p.device)
  local title, kind
  local said = printed.during(function() title, kind = opens(self, p) end)
  local session = self.prompt.session
  return json.object("title", title, "kind", kind, "steps", json.list(session and step_rows(session) or {}),
    "exercises", json.list(session and exercise_rows(session) or {}), "kernels", kernel_rows(self.kernels),
    "device", self.device(), "mime", views.mime(said))
end

function requests.source(self, p)
  self.texts:put(p.file, p.text)
  return json.object()
end

function requests.steps(self) return json.object("steps", json.list(step_rows(self:session()))) end

function requests.shutdown(self)
  self:close()
  return json.null
end

-- Running -----------------------------------------------------------------------------------------

-- The records of what f launches or runs, and what was printed. The launches of a prompt are those that were made.
-- What a launch raises is in its record; without a launch it is raised.
local function launched(self, f)
  local records, before = self:any_prompt().records, self.prompt.records.made
  local problem
  local said = printed.during(function()
    local ok, e = host.catch(f)
    problem = not ok and e or nil
    if problem then show.error(problem, false, true) end
  end)
  if problem and (records.made == before or failure.kind(problem) == "interrupted") then error(problem, 0) end
  return lists.select(records.launches, function(one) return one.number > before end), said
end

local function result_of(records, said, run)
  local outcomes = lists.map(records, "outcome")
  return json.object("records", json.each(records, report_json.record), "mime", views.ran(said, records, run),
    "exit_code", failure.code(failure.worst(outcomes)))
end

-- Runs a line of the prompt; raises what it raises.
local function run_line(self, line)
  local ok, e = self:any_prompt():run(line)
  if not ok then error(e, 0) end
end

-- The kernels of a text become k.
local function compile(self, code)
  self.kernels = cuda_file.open(self:any_prompt(), self.texts:put(CELL, code))
end

-- The student's copy of a step's or exercise's kernel is this text while f runs.
local function with_text(self, target, code, f)
  local session = self:session()
  local book = session.book.copies
  local file = session.book:file_of(target)
  local entry = file and book.entries[file]
  if not entry or not code then return f() end
  return subject.in_place(entry, self.texts:put(entry.path or file, code), f)
end

-- The session's last run with these records only, as tables want it.
local function of_run(session, records) return setmetatable({ records = records }, { __index = session.run }) end

local function run_steps(self, p)
  local session = self:session()
  local steps = p.step and { session:visit(session.lab:step(p.step)) } or session.lab.steps
  local said = printed.during(function()
    with_text(self, steps[1], p.step and p.code, function() session:run_steps(steps) end)
  end)
  local records = session.run.records
  return result_of(records, said, of_run(session, records))
end

function requests.run(self, p)
  if p.exercise then return requests.check(self, { exercise = p.exercise, text = p.code }) end
  if p.step or not p.code and not p.launch then return run_steps(self, p) end
  if p.code then
    local said = printed.during(compile, self, p.code)
    if not p.launch then
      return json.object("records", json.list {}, "kernels", kernel_rows(self.kernels), "mime",
        views.mime(said), "exit_code", 0)
    end
  end
  return result_of(launched(self, function() run_line(self, p.launch) end))
end

function requests.launch(self, p)
  local kernel = _G.k and _G.k[p.kernel]
  if not kernel then failure.usage("there are no kernels", "send open with file, or run with code, first") end
  local buffers
  local records, said = launched(self, function()
    self.prompt.records:next_line()
    buffers = arrays.buffers(p.arguments)
    kernel { grid = p.grid, block = p.block, shared = p.shared }(table.unpack(buffers, 1, #p.arguments))
  end)
  local result = result_of(records, said)
  return json.put(result, "arguments", arrays.written(p.arguments, buffers))
end

function requests.check(self, p)
  local session = self:session()
  local ex = exercise.find(session.lab, p.exercise) or session.lab:exercise(p.exercise)
  local result
  local said = printed.during(function()
    session:visit(exercise.step(ex))
    result = with_text(self, exercise.step(ex), p.text, function() return session.study:check(ex) end)
  end)
  local conditions = json.each(result.accept or {}, "ok text")
  return json.object("exit_code", failure.code(result.outcome), "verdict", json.object("exercise", ex.id,
    "title", ex.title, "passed", result.stage == "passed", "stage", result.stage, "outcome", result.outcome,
    "place", json.pick(stages.place(result), "file line why")), "conditions", conditions, "mime", views.mime(said))
end

-- Showing -----------------------------------------------------------------------------------------

-- The records that a view is of; a launch that is written out is recorded once and named by its number from then on.
local function records_of(self, of)
  local records, words = self:any_prompt().records, commands.words(of or "") or {}
  if record_list.is_launch(of or "") then
    local record = records:find({}, of):counted()
    return { record }, record.id
  end
  local found = lists.map(lists.select(words, function(word) return records:has(word) end),
    function(word) return records:named(word):counted() end)
  if #found == 0 and #words == 0 then found[1] = records:named(nil):counted() end
  return found, of or ""
end

for _, name in ipairs(protocol.views) do
  requests[name] = function(self, p)
    local records, of
    local said = printed.during(function()
      records, of = records_of(self, p.of)
      run_line(self, name .. " " .. of)
    end)
    return json.object("record", records[1] and report_json.record(records[1]), "mime",
      views.shown(name, said, records), "exit_code", 0)
  end
end

function requests.command(self, p)
  local said = printed.during(function() run_line(self, p.line) end)
  return json.object("mime", views.mime(said), "exit_code", 0)
end

local function finding_row(one)
  local row = json.pick(one, "file line column severity code message label")
  json.put(row, "related", json.each(one.related, "file line message"))
  return json.put(row, "fixes", json.each(one.fixes, "title line old new"))
end

function requests.diagnose(self, p)
  local state
  printed.during(function()
    state = diagnose.file(self, p.file, p.text)
    diagnose.check(state)
  end)
  return json.object("diagnostics", json.each(state.findings, finding_row), "hints",
    json.each(state.hints, finding_row), "actions", json.each(state.lenses, "line title command of"))
end

function requests.hover(self, p)
  local state = self.states[p.file]
  local lines, line
  if state and state.record then lines, line = hints.full(state.record, state.file, p.line) end
  if not lines then return json.object("mime", views.mime("")) end
  local said = table.concat(lines, "\n")
  return json.object("record", report_json.record(state.record), "mime", views.mime(said, nil,
    line.worst and page.access(state.record, line) or nil, "```\n" .. said .. "\n```"))
end

-- Positions count characters, as those of an editor do.
function requests.complete(self, p)
  local line = p.line
  local stop = #line + 1
  if p.position then stop = utf8.offset(line, p.position + 1) end
  if not stop then failure.usage("position is behind the line", "it counts characters, from 0") end
  local before = line:sub(1, stop - 1)
  local word = before:match "[^%s(,{=]*$"
  local list = self:any_prompt().commands
  local found = completion.of(list, before:sub(1, #before - #word), word) or {}
  return json.object("from", utf8.len(before) - utf8.len(word), "items", json.each(found, function(name)
    local row = list:get(name)
    return json.object("text", name, "help", row and row.summary)
  end))
end

return requests
