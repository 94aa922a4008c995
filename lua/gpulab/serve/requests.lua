-- What each request does. Parameters are checked before; what a request raises is its error (rpc.lua). The
-- second value that it returns makes `mime` of what it printed.
local batch = require "gpulab.show.batch"
local commands = require "gpulab.base.commands"
local completion = require "gpulab.prompt.completion"
local cuda_file = require "gpulab.prompt.cuda_file"
local exercise = require "gpulab.run.exercise"
local failure = require "gpulab.base.failure"
local frames = require "gpulab.frames"
local given = require "gpulab.base.given"
local host = require "gpulab.host"
local json = require "gpulab.base.json"
local launches = require "gpulab.show.page.launches"
local lists = require "gpulab.base.lists"
local marks = require "gpulab.serve.marks"
local markup = require "gpulab.base.markup"
local outline = require "gpulab.lab.outline"
local page = require "gpulab.show.page"
local report_json = require "gpulab.show.report.json"
local roofline = require "gpulab.show.roofline"
local show = require "gpulab.base.show"
local stages = require "gpulab.run.stages"
local style = require "gpulab.show.page.style"
local subject = require "gpulab.serve.subject"
local targets = require "gpulab.lab.targets"
local text = require "gpulab.base.text"
local where = require "gpulab.base.where"

local requests = {}

-- Parts of an answer ------------------------------------------------------------------------------

-- The style sheet of the HTML parts, which applies in elements of the class gpulab only.
local function style_sheet()
  return "@scope (.gpulab) {\n" .. style:gsub(":root", ":scope"):gsub("%f[%w]body%f[^%w]", ":scope") .. "\n}\n"
end

-- The parts of what is shown: text, and what else there is of it.
local function mime_of(said, html, svg, markdown)
  return json.object("text/plain", said, "text/html", html and ('<div class="gpulab">%s</div>'):format(html),
    "image/svg+xml", svg, "text/markdown", markdown)
end

-- The HTML and SVG of a view, by its name, from the records that it shows. Text is in it where it says more.
local pictures <const> = {
  why = function(records, said)
    local html, svg = page.worst(records[1])
    return html and markup.text("pre", {}, said) .. html, svg
  end,
  lines = function(records) return page.listing(records[1]) end,
  roofline = function(records)
    local ok, drawn = pcall(roofline.of, records) -- no record may have a predicted time
    local svg = ok and roofline.svg(drawn)
    return svg and svg .. markup.text("pre", {}, table.concat(roofline.table(drawn), "\n")), svg or nil
  end,
}

local function shown(name, said, records)
  if not pictures[name] or not records[1] then return mime_of(said) end
  return mime_of(said, pictures[name](records, said))
end

-- What ran, perhaps in the run of a lab: tables as on the page of a report, and what was printed.
local function tables_of(said, records, run)
  if #records == 0 then return mime_of(said) end
  local plain = markup.text("pre", {}, said)
  if not run then
    local svg = #records == 1 and select(2, page.worst(records[1])) or nil
    return mime_of(said, launches.overview(records) .. plain, svg)
  end
  local html, svg = page.tables(run)
  local says_more = lists.any(records, function(one) return one.output or not failure.is_well(one.outcome) end)
  return mime_of(said, says_more and html .. plain or html, svg)
end

-- Beginning ---------------------------------------------------------------------------------------

local function device_row()
  return json.put(json.pick(gpu.device, "name backend emulates gpu"), "line", batch.device_line(gpu.device))
end

local function lab_row(entry)
  local known = outline.read(entry.path) or {}
  return json.object("number", entry.number, "id", known.id or entry.name, "title", known.title, "path", entry.path)
end

function requests.initialize(self, p)
  if p.columns then text.follow(p.columns) end
  self.options.color = p.color or false
  return json.object("version", gpu.version, "protocol", 1, "device", device_row(),
    "labs", json.each(targets.labs(), lab_row), "style", style_sheet())
end

local function exercise_rows(session)
  return json.each(session and session.study:states() or {}, function(state)
    return json.object("id", state.exercise.id, "title", state.exercise.title, "done", state.passed,
      "task", state.exercise.task, "file", session.study:entry(state.exercise).path)
  end)
end

local function step_rows(session)
  return json.each(session and session.lab.steps or {}, function(step)
    local known = session.run and session.run.results[step.id]
    return json.object("id", step.id, "title", session:title(step), "group", step.group, "text", step.text,
      "file", step.kernel and step.kernel.file, "outcome", known and known.outcome)
  end)
end

local function kernel_rows(self) return json.each(self.kernels or {}, "name signature=text line error") end

local opens = {}

function opens.lab(self, p)
  self.options.models = p.models
  self:open_lab(targets.resolve(tostring(p.lab)))
  if p.parameters then self.prompt.session:choose(p.parameters) end
end

function opens.file(self, p)
  given.take { include = p.include or {}, defines = p.defines or {} }
  where.check_link(p.file)
  self.kernels = cuda_file.open(self:fresh_prompt(), self.texts.files[p.file] or p.file)
  self.prompt:run "kernels"
end

-- For the kernels of cells.
function opens.device(self)
  self:fresh_prompt()
  text.say(batch.device_line(gpu.device))
end

-- The program runs now; its launches are the records.
function opens.program(self, p)
  self.options.take_records = function(records)
    self.options.records = records
    self.prompt = require("gpulab.prompt.repl").new(self.options)
    self.prompt:run "launches"
  end
  self:fresh_prompt()
  require("gpulab.exec.command").run(self.options, lists.append({ "--prompt", p.program }, p.arguments or {}))
end

function requests.open(self, p)
  local kind = p.lab and "lab" or p.file and "file" or p.program and "program" or "device"
  local wanted = p.device and require("gpulab.base.device_name").of(p.device)
  if wanted and gpu.device.name ~= wanted then gpu.device = gpu.open(wanted) end -- luacheck: ignore 122
  self.options.check = p.check and lists.map(p.check, function(name)
    if lists.set(host.checks)[name] then return name end
    failure.usage("there is no checker " .. text.printable(name), "the checkers are " .. text.list(host.checks))
  end)
  opens[kind](self, p)
  local session = self.prompt.session
  return json.object("title", session and session.lab:heading() or p[kind] or gpu.device.name, "kind", kind,
    "steps", step_rows(session), "exercises", exercise_rows(session), "kernels", kernel_rows(self),
    "device", device_row()), mime_of
end

-- The text stands for a file: one of the open lab's, or one that is opened later.
function requests.source(self, p)
  local session, entry = self.prompt and self.prompt.session, nil
  if not p.file:match "^[^%z]*[%w_]$" then
    failure.usage(('"%s" is not the name of a file'):format(text.printable(p.file)))
  end
  if session then entry = subject.entry(session, p.file) end
  if session and not entry and not p.file:find "/" then
    failure.usage("the lab has no file " .. text.printable(p.file),
      "its files are " .. text.list(lists.map(session.book.copies.list, "name")))
  end
  local file = self.texts:put(p.file, p.text)
  if entry then entry.path = file or session.book.copies:path_of(entry) end
  return json.object()
end

function requests.steps(self) return json.object("steps", step_rows(self:session())) end

function requests.shutdown(self) return self:shutdown() end

-- Running -----------------------------------------------------------------------------------------

-- Calls f: what was printed, and the records of what ran, steps of the lab or else the launches that were made. What a
-- launch raises is in its record; without a record it is raised.
local function ran(self, f)
  local prompt = self:any_prompt()
  local before, run = prompt.records.made, prompt.session and prompt.session.run
  local steps = run and run.records
  local ok, problem = host.catch(f)
  if not ok then show.error(problem, false, true) end
  local records = lists.select(prompt.records.launches, function(one) return one.number > before end)
  run = prompt.session and prompt.session.run
  if not run or run.records == steps then run = nil else records = run.records end
  if not ok and (#records == 0 or failure.kind(problem) == "interrupted") then error(problem, 0) end
  local code = failure.code(failure.worst(lists.map(records, "outcome")))
  if not ok and code == 0 then code = failure.status(problem) end -- of Lua behind a launch
  return json.object("records", json.each(records, report_json.record), "exit_code", code), function(said)
    return tables_of(said, records, run and setmetatable({ records = records }, { __index = run }))
  end
end

-- Runs a line of the prompt, or one statement ("run_statement"); raises what it raises.
local function run_line(self, line, how)
  local prompt = self:any_prompt()
  local ok, e = prompt[how or "run"](prompt, line)
  if not ok then error(e, 0) end
end

-- The student's copy of a step's or exercise's kernel is this text while f runs.
local function with_text(self, target, code, f)
  local book = self:session().book
  local entry = book.copies.entries[book:file_of(target)]
  if not entry or not code then return f() end
  return subject.in_place(entry, self.texts:put("cell.cu", code), f)
end

local function run_steps(self, p)
  local session = self:session()
  local named = lists.map(commands.words(p.step or ""), function(id) return session:visit(session.lab:step(id)) end)
  local steps = #named > 0 and named or session.lab.steps
  return ran(self, function()
    with_text(self, steps[1], p.step and p.code, function() session:run_steps(steps) end)
  end)
end

function requests.run(self, p)
  if p.exercise then return requests.check(self, { exercise = p.exercise, text = p.code }) end
  if p.step or not p.code and not p.launch then return run_steps(self, p) end
  local answer, mime = ran(self, function()
    if p.code then self.kernels = cuda_file.open(self:any_prompt(), self.texts:put("cell.cu", p.code)) end
    if p.launch then run_line(self, p.launch) end
  end)
  return p.launch and answer or json.put(answer, "kernels", kernel_rows(self)), mime
end

-- Arrays of a client: bytes in base64, little endian, with NumPy's name of the type.
local types_of <const> = { float32 = "float", float64 = "double", float16 = "half", int8 = "char",
  uint8 = "unsigned char", int16 = "short", uint16 = "unsigned short", int32 = "int", uint32 = "unsigned",
  int64 = "long long", uint64 = "unsigned long long", bool = "unsigned char" }

local numbers <const> = { nan = 0 / 0, inf = math.huge, ["-inf"] = -math.huge }

-- Of a launch: an array of the client as a buffer, or one of those before; a number as it is, or by its name.
local function argument_of(argument, i, before)
  if type(argument) ~= "table" then return numbers[argument] or argument end
  local same = before[math.type(argument.same) == "integer" and argument.same + 1]
  if same then return same end
  local name = types_of[argument.dtype]
  if not name then
    failure.usage(("argument %d: dtype %s is not known"):format(i, tostring(argument.dtype)),
      "it is one of float16, float32, float64, int8 to int64, uint8 to uint64, and bool")
  end
  local bytes = type(argument.data) == "string" and frames.bytes(argument.data) or ""
  local size = tonumber(argument.dtype:match "%d+" or 8) // 8
  if bytes == "" or #bytes % size ~= 0 then
    failure.usage(("argument %d is no array with elements"):format(i), "data has the bytes of all elements in base64")
  end
  local buffer = gpu.buffer(name, #bytes // size, { name = "argument " .. i })
  buffer:upload(bytes)
  return buffer
end

-- The arrays whose bytes the launch changed, with the index of the argument, from 0.
local function written(arguments, list)
  local out = json.list {}
  for i, argument in ipairs(arguments) do
    local bytes = type(argument) == "table" and argument.data and host.array_bytes(list[i]:download())
    if bytes and bytes ~= frames.bytes(argument.data) then
      out[#out + 1] = json.object("index", i - 1, "dtype", argument.dtype, "data", frames.base64(bytes))
    end
  end
  return out
end

function requests.launch(self, p)
  if not _G.k then failure.usage("there are no kernels", "send open with file, or run with code, first") end
  local list = {}
  local answer, mime = ran(self, function()
    self.prompt.records:next_line()
    for i, argument in ipairs(p.arguments) do list[i] = argument_of(argument, i, list) end
    subject.launch(p.kernel, { grid = p.grid, block = p.block, shared = p.shared }, list)
  end)
  return json.put(answer, "arguments", written(p.arguments, list)), mime
end

function requests.check(self, p)
  local session = self:session()
  local ex = exercise.find(session.lab, p.exercise) or session.lab:exercise(p.exercise)
  session:visit(exercise.step(ex))
  local result = with_text(self, exercise.step(ex), p.text, function() return session.study:check(ex) end)
  local verdict = json.object("exercise", ex.id, "title", ex.title, "passed", result.stage == "passed",
    "stage", result.stage, "outcome", result.outcome, "place", json.pick(stages.place(result), "file line why"))
  return json.object("exit_code", failure.code(result.outcome), "verdict", verdict,
    "conditions", json.each(result.accept or {}, "ok text")), mime_of
end

-- Showing -----------------------------------------------------------------------------------------

-- The views of a record, each a request and a command of the prompt.
local view_names <const> = { "why", "lines", "counters", "roofline", "generations", "resources", "compare",
  "disassemble", "schedules", "diff", "partitions" }

for _, name in ipairs(view_names) do
  requests[name] = function(self, p)
    run_line(self, ("%s %s"):format(name, p.of or ""), "run_statement")
    local records = lists.map(self.prompt.records.used, function(record) return record:counted() end)
    return json.object("record", records[1] and report_json.record(records[1])), function(said)
      return shown(name, said, records)
    end
  end
end

-- A line of the prompt. A view, and a step alone, are shown as by their requests.
function requests.command(self, p)
  local row = not p.line:find ";" and self:any_prompt().commands:parse(p.line) -- else they are several
  local of = p.line:match "^%s*%S+%s*(.-)%s*$"
  if row and lists.any(view_names, function(name) return name == row.name end) then
    return requests[row.name](self, { of = of })
  elseif row and row.name == "run" and of:find "^[%w_-]+$" and of ~= "all" then
    return requests.run(self, { step = of })
  end
  return ran(self, function() run_line(self, p.line) end)
end

function requests.statements(self, p)
  return json.object("statements", json.list(self:any_prompt():statements(p.text)))
end

-- A line of the source of a record's kernel.
function requests.hover(self, p)
  local records = self:any_prompt().records
  records:next_line()
  local record = records:named(p.of):counted()
  local said, line = marks.in_full(record, p.line, p.file)
  if not said then return json.object(), mime_of end
  return json.object("record", report_json.record(record)), function()
    return mime_of(said, nil, line.worst and page.access(record, line), "```\n" .. said .. "\n```")
  end
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
