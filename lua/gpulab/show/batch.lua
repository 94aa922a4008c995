-- A lab from end to end without a prompt: every step, the table on standard output, failures in full on standard
-- error, and an exit code. Also what `run` at the prompt is made of.
local documents = require "gpulab.show.documents"
local failure = require "gpulab.base.failure"
local launch_list = require "gpulab.run.launch_list"
local host = require "gpulab.host"
local journal = require "gpulab.run.journal"
local lecture = require "gpulab.lecture"
local lists = require "gpulab.base.lists"
local progress = require "gpulab.base.progress"
local report = require "gpulab.show.report"
local runner = require "gpulab.run.runner"
local schema = require "gpulab.lab.schema"
local show = require "gpulab.base.show"
local step_record = require "gpulab.record.step"
local tables = require "gpulab.base.table"
local text = require "gpulab.base.text"
local warnings = require "gpulab.run.warnings"

local batch = {}

---The GPUs named with --model, by their proper names, each once; "all" is every one known.
---@param wanted string[]? @return string[]
function batch.asked(wanted)
  local names, asked = lists.map(gpu.models(), "name"), {}
  for _, name in ipairs(wanted or {}) do
    for _, gpu_name in ipairs(name == "all" and names or { batch.known_model(name, names, gpu.cards()) }) do
      lists.add_new(asked, gpu_name)
    end
  end
  return asked
end

---The GPUs whose times are predicted: those of the lab's claims, then those asked for.
---@return string[] models, string[] asked
function batch.models(lab, wanted)
  local models, asked = {}, batch.asked(wanted)
  local known = lists.set(lists.append(lists.map(gpu.models(), "name"), gpu.cards())) -- a lab may quote any GPU
  for _, step in ipairs(lab.steps) do
    local claim = step.claim and lecture.find(step.claim)
    if claim and known[claim.gpu or ""] then lists.add_new(models, claim.gpu) end
  end
  for _, name in ipairs(asked) do lists.add_new(models, name) end
  return models, asked
end

-- The names that begin as typed, or the one that is typed, without blanks and in small letters.
local function beginning(typed, names)
  local function squeezed(s) return (s:lower():gsub("[%s_-]", "")) end
  local start = squeezed(typed)
  local whole = lists.find(names, function(known) return squeezed(known) == start end)
  return whole and { whole } or lists.select(start ~= "" and names, function(known)
    local plain = squeezed(known)
    return plain:sub(1, #start) == start or plain:gsub("^tesla", ""):sub(1, #start) == start
  end)
end

---The proper name of a model, however it was typed: "gtx280", or a prefix that only one has; raises with "did you
---mean". Further GPUs count where none of the names begins so.
---@param name string @param names string[] @param further string[]? @return string
function batch.known_model(name, names, further)
  for _, list in ipairs { names, further or {} } do
    local found = beginning(name, list)
    if #found == 1 then return found[1] end
    if #found > 1 then
      failure.usage(("%q is ambiguous: %s"):format(name, text.list(found, "or")))
    end
  end
  local message, hint = schema.unknown("model", name, names)
  failure.usage(message, hint)
end

---A run that has not begun: what table, JSON and CSV need. Records are added by batch.steps.
function batch.new_run(lab, device, params, options)
  local models, asked = batch.models(lab, options.models)
  local names = schema.sorted_keys(lab.params)
  local run = { lab = lab, device = device, params = params, parameter_names = names, models = models, asked = asked,
    records = {}, results = {}, context = device and runner.context(lab, device, params,
      { models = models, checks = options.check, orders = launch_list.ORDERS }) }
  if run.context then run.context.results = run.results end -- for views that compare steps
  return run
end

---Changes the GPUs to predict from now on; earlier records stay as they are.
function batch.set_models(run, wanted)
  run.models, run.asked = batch.models(run.lab, wanted)
  run.context.models = run.models
end

---A step's title, with the parameters it runs with.
function batch.title(run, step)
  local ok, at = pcall(run.context.at, run.context, step)
  return report.title(step, ok and at.params or run.params)
end

---Runs steps and adds their records; stops only at Ctrl-C.
function batch.steps(run, steps, options)
  local line = progress.new(options.quiet)
  for i, step in ipairs(steps) do
    line:step(i, #steps, batch.title(run, step))
    local ran, record = host.catch(step_record.run, run.context, step)
    if not ran then
      line:clear()
      error(record, 0)
    end
    run.records[#run.records + 1], run.results[step.id] = record, record
    if record.outcome ~= "absent" and not record.figure then journal.record(record, run.context) end
    if record.outcome == "interrupted" then break end
  end
  line:clear()
  journal.print_warnings()
  return run
end

---How a step failed, in full, for standard error. at_prompt: paths in the home folder begin with ~.
---@return string
function batch.failure_text(run, record, color, at_prompt)
  local title, id = report.title(record.step, record.params or run.params), record.step.id
  local head = title == id and id or ("%s (%s)"):format(title, id)
  local message = record.error and show.error_text(record.error, color)
    or text.printable(record.message or record.outcome)
  if at_prompt then message = show.folded({ kind = record.outcome }, show.at_home(message)) end
  local first = message:match("[^\n]*"):gsub("\27%[[%d;]*m", "")
  local fits = text.width(head .. ": " .. first) <= text.columns or not at_prompt and first:find(": error: ", 1, true)
  return tables.paint(head, "strong", color) .. (fits and ": " or ":\n") .. message
end

---Writes the compiler's warnings and the failures of a run to standard error; a message that several steps share is
---printed once.
function batch.print_failures(run, options)
  for _, record in ipairs(run.records) do
    local said = warnings.once(record.warnings)
    if said then io.stderr:write("\n", options.interactive and show.compiler(show.at_home(said)) or said, "\n") end
  end
  local said, others = {}, {}
  for _, record in ipairs(run.records) do
    if not failure.is_well(record.outcome) then
      local message = record.message or record.outcome
      if said[message] then
        others[#others + 1] = record.step.id
      else
        said[message] = true
        io.stderr:write("\n", batch.failure_text(run, record, options.color_stderr,
          options.interactive), "\n")
      end
    end
  end
  if #others == 0 then return end
  local line = ("The same applies to %s."):format(text.list(others))
  io.stderr:write("\n", table.concat(text.wrap(line), "\n"), "\n")
end

---What compute device a run was on, and where: "emulator, by the rules of the H200", "NVIDIA H200 (cuda:0)",
---"NVIDIA H200 (slurm:gpu, on node4)".
function batch.device_line(device)
  local where = device.place and ("%s, on %s"):format(device.name, text.printable(device.place))
  if device.emulates then
    local by = ("emulator, by the rules of the %s"):format(report.gpu(device))
    return where and ("%s (%s)"):format(by, where) or by
  end
  return ("%s (%s)"):format(device.gpu, where or device.name)
end

-- "n = 1024", and where the emulator's default is another than a GPU's, both.
local function parameter_text(run, name)
  local v, spec = run.params[name], run.lab.params[name]
  local chosen = run.given and run.given[name] ~= nil
  local said = text.printable(tostring(v))
  if run.device.emulates and spec.emulator ~= nil and not chosen and spec.default ~= v then
    said = ("%s (%s on a GPU)"):format(said, text.printable(tostring(spec.default)))
  end
  return ("%s = %s"):format(name, said)
end

local function heading(run)
  local lines, line = { run.lab:heading() }, batch.device_line(run.device)
  for _, name in ipairs(run.parameter_names) do
    local longer = line .. " · " .. parameter_text(run, name)
    if text.width(longer) > text.columns then
      lines[#lines + 1], longer = line, "  " .. parameter_text(run, name)
    end
    line = longer
  end
  lines[#lines + 1] = line
  if run.device.without_gpu then
    text.add(lines, ("The GPU is not in use: %s."):format(run.device.without_gpu), "")
  end
  lines[#lines + 1] = ""
  return lines
end

local function selected(lab, wanted)
  if not wanted then return lab.steps end
  if type(wanted) == "string" then wanted = { wanted } end
  local steps = {}
  for _, names in ipairs(wanted) do
    for name in names:gmatch("[^,%s]+") do steps[#steps + 1] = lab:step(name) end
  end
  return steps
end

local function print_table(run, options)
  local lines = options.quiet and {} or heading(run)
  text.say(lists.append(lines, report.table(run, { color = options.color, width = text.columns,
    plain = options.quiet })))
end

-- A device that cannot be opened ends the run; the requested document reports why.
local function without_device(lab, params, options, e)
  local run = { lab = lab, params = params, parameter_names = schema.sorted_keys(lab.params), models = {}, records = {},
    results = {}, error = e }
  documents.of_run(run, options)
  io.stderr:write(show.error_text(e), "\n")
  return failure.code(failure.kind(e))
end

---Runs the lab's steps (or options.step) and prints; returns the exit code.
---@param lab Lab @param options table
---@return integer
function batch.run(lab, options)
  local params = lab:parameters(options.set)
  local steps = selected(lab, options.step)
  local opened, device = pcall(function() return gpu.device end)
  if not opened then return without_device(lab, params, options, device) end
  params = lab:parameters(options.set, { emulated = device.emulates })
  local run = batch.new_run(lab, device, params, options)
  run.given = options.set
  batch.steps(run, steps, options)
  run.context:close()
  documents.of_run(run, options)
  if not documents.take_stdout(options) then print_table(run, options) end
  io.stdout:flush()
  batch.print_failures(run, options)
  local outcomes = lists.map(run.records, "outcome")
  return failure.code(failure.worst(outcomes))
end

return batch
